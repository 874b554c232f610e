# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the arguments of a call to something that runs."""
from __future__ import annotations

import hashlib
from typing import Any

from ..utils import env
from ..utils.logger import log
from . import hints as _hints
from . import jit_argument, pipeline
from .backends import get_backend
from .disk_cache import DiskCache, toolchain
from .jit_executor import CompiledArtifact
from .kernel_function import thread_hints
from .trace import TracedModule, trace


def merged_hints(jit) -> dict:
    """The hints in force for a call of `jit`, checked: those of the function, then those of the thread."""
    return _hints.check({**jit.compile_hints, **thread_hints()})


def compile_call(jit, args: tuple) -> tuple:
    """`(CompiledArtifact, TracedModule)` for a call of the JitFunction `jit`.

    Traces; compiles unless memory or disk has the code of the same module.
    """
    from ..runtime import device_runtime
    env.check()
    env.refuse_unsupported()
    hints = merged_hints(jit)
    backend = get_backend()
    device_runtime.ensure_compile_runtime_pairing_from_env(backend.target.backend)
    device = device_runtime.compile_device()
    traced = trace(jit, resolve_arguments(jit, args), backend.target, hints)
    backend.lower_compile_hints(traced.module, compile_hints=hints)
    # Reports of the CPU device name the user's lines, so these are part of its code.
    text = traced.text(with_places=device == "cpu" or env.debug.enable_debug_info)
    parts = {"module": hashlib.sha256(text.encode()).hexdigest(), "backend": backend.hash(), "device": device,
             "toolkit": backend.toolkit_fingerprint(), "toolchain": toolchain(),
             "options": pipeline.key_parts(device, backend.target, hints)}
    key = hashlib.sha256(repr(sorted(parts.items())).encode()).hexdigest()
    artifact = jit._mem_cache.get(key)
    if artifact is None:
        artifact = _from_disk_or_new(jit, traced, text, key, parts, device, backend.target, hints)
        jit._mem_cache[key] = artifact
    jit._last_compiled = (key, artifact)
    return artifact, traced


def resolve_arguments(jit, args: tuple) -> list:
    """`(parameter, value, carrier, dsl_type)` for each parameter of `jit`."""
    bound = []
    for parameter, value in zip(jit.parameters, args):
        if parameter.is_static:
            bound.append((parameter, value, None, None))
        else:
            bound.append((parameter, value, *jit_argument.resolve(parameter.name, value, parameter.annotation)))
    return bound


def _from_disk_or_new(jit, traced: TracedModule, text: str, key: str, parts: dict, device: str, target,
                      hints: dict) -> CompiledArtifact:
    dumping = env.debug.dump_ir or env.debug.dump_asm
    if env.runtime.run_only and dumping:
        raise ValueError("FLYDSL_RUNTIME_RUN_ONLY and a dump option (FLYDSL_DUMP_IR, FLYDSL_DEBUG_DUMP_ASM) exclude "
                         "each other: a dump needs a compilation")
    disk = None if dumping or env.debug.print_after_all else DiskCache.current()
    if disk is None:
        _refuse_if_run_only(jit.__name__, key)
        return _compile(jit.__name__, traced, text, key, device, target, hints)
    found = disk.load(jit.__name__, key)
    if found is None:
        _refuse_if_run_only(jit.__name__, key)
        with disk.compiling(key):
            found = disk.load(jit.__name__, key)
            if found is None:
                artifact = _compile(jit.__name__, traced, text, key, device, target, hints)
                disk.store(jit.__name__, key, artifact.header(parts), artifact.sections())
                return artifact
    log().info("'%s': code from the disk cache, key %s", jit.__name__, key)
    return CompiledArtifact.from_cache(*found)


def _refuse_if_run_only(name: str, key: str) -> None:
    if env.runtime.run_only:
        raise RuntimeError(f"FLYDSL_RUNTIME_RUN_ONLY is set, but the cache has no code for '{name}': key {key} in "
                           f"{env.runtime.cache_dir or 'no folder (FLYDSL_RUNTIME_CACHE_DIR is empty)'}")


def _compile(name: str, traced: TracedModule, text: str, key: str, device: str, target,
             hints: dict) -> CompiledArtifact:
    from ..runtime import native
    log().info("'%s': compiling for %s on %s, key %s", name, target.arch, device, key)
    from .jit_function import MlirCompiler
    module = MlirCompiler.compile(traced.copy(), target=target, device=device, compile_hints=hints, name=name,
                                  kernels=traced.kernels)
    executable = native.module().Executable.compile(module, env.compile.opt_level)
    return CompiledArtifact(executable, traced.entry, key, source_ir=text, module=module, kernels=traced.kernels,
                            device=device, arch=target.arch)


def runner(artifact: CompiledArtifact, traced: TracedModule) -> Any:
    """A function of the full argument tuple that runs `artifact` for arguments of this kind."""
    if env.compile.compile_only:
        return _run_nothing
    from .call import make_runner
    return make_runner(artifact, traced)


def _run_nothing(args: tuple) -> None:
    return None
