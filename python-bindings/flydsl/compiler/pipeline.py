# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a traced module to a compiled one: which named pipeline, with which options, and what is written on the way.

The passes are C++; their list and the names of the stages come from there.
"""
from __future__ import annotations

import fcntl
import functools
import hashlib
import logging
import os
import re
import sys
import threading
import time
from typing import Optional

from ..utils import env
from ..utils.logger import log, show
from .hints import llvm_options_text

PIPELINES = {"hip": "fly-to-binary", "cpu": "fly-to-cpu"}
# Seconds of a compilation before a terminal shows that it is running.
PROGRESS_DELAY = 1.5


def checks() -> tuple:
    """The checks that FLYDSL_CHECK asks for. ValueError for an unknown one."""
    return type(env.runtime).check.names(env.runtime.check)


def pipeline_options(device: str, target, hints: dict) -> dict:
    """The options of the pipeline for `device` ("hip" or "cpu")."""
    options = {"chip": target.arch, "opt-level": env.compile.opt_level}
    wanted = checks()
    if "runtime" in wanted:
        options["runtime-checks"] = True
        if device == "hip":
            options["trap-on-assert"] = True
    if device == "cpu" and "memory" in wanted:
        options["memory-hooks"] = True
    if device == "hip" and env.debug.enable_debug_info:
        options["debug-info"] = True
    for hint, option in (("fast_fp_math", "fast-math"), ("unsafe_fp_math", "unsafe-math")):
        if hints.get(hint) and _has_option(PIPELINES[device], option):
            options[option] = True
    if hints.get("llvm_options"):
        options["llvm-options"] = llvm_options_text(hints["llvm_options"])
    return options


@functools.lru_cache(maxsize=None)
def _has_option(pipeline: str, option: str) -> bool:
    """True if a named pipeline takes an option."""
    from ..runtime import native
    try:
        native.module().pipeline_stages(pipeline, {"chip": "gfx942", option: "true"})
        return True
    except Exception:
        return False


def option_text(options: dict) -> str:
    """Options as a pipeline's text takes them: "{chip=gfx942 opt-level=2}"."""
    words = [f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in options.items()]
    return "{" + " ".join(words) + "}" if words else ""


def stages(name: str, options: dict) -> list:
    """The `(label, pass list)` pairs of a named pipeline, from C++."""
    from ..runtime import native
    return list(native.module().pipeline_stages(name, {k: str(v).lower() if isinstance(v, bool) else str(v)
                                                  for k, v in options.items()}))


class _Progress:
    """A line on standard error, if that is a terminal, while a compilation takes long."""

    def __init__(self, what: str):
        self.what, self.stage = what, ""
        self.begin, self.shown = time.monotonic(), False
        self.done = threading.Event()
        self.thread = None

    def __enter__(self):
        if sys.stderr is not None and sys.stderr.isatty():
            self.thread = threading.Thread(target=self._run, name="flydsl-progress", daemon=True)
            self.thread.start()
        return self

    def _run(self) -> None:
        if self.done.wait(PROGRESS_DELAY):
            return
        while not self.done.wait(0.2):
            self.shown = True
            seconds = time.monotonic() - self.begin
            sys.stderr.write(f"\r\x1b[Kflydsl: compiling {self.what}: {seconds:.0f} s{self.stage}")
            sys.stderr.flush()

    def __exit__(self, *_):
        self.done.set()
        if self.thread is not None:
            self.thread.join()
            if self.shown:
                sys.stderr.write("\r\x1b[K")
                sys.stderr.flush()


def run(module, name: str, device: str, target, hints: dict, kernels: list) -> None:
    """Compiles `module` in place. DSLCompileError with every diagnostic if a pass fails.

    name: the launcher's. kernels: the kernels' symbols; a dump folder is named
    after the only one.
    """
    from .._mlir import ir
    from .diagnostics import compile_error
    options = pipeline_options(device, target, hints)
    dump = Dump.wanted(name, kernels, module)
    if env.debug.print_origin_ir:
        show(logging.INFO, f"IR of '{name}' before the first pass:\n{module}")
    one_by_one = dump is not None or env.debug.print_after_all
    progress = _Progress(f"{name} for {target.arch}{' on the CPU' if device == 'cpu' else ''}")
    try:
        with progress:
            if not one_by_one:
                _run_passes(module, PIPELINES[device] + option_text(options))
            else:
                _run_stages(module, stages(PIPELINES[device], options), dump, options.get("llvm-options", ""), progress)
    except ir.MLIRError as error:
        for diagnostic in error.error_diagnostics:
            if diagnostic.message.startswith("llvm-options: "):
                raise ValueError(f"compile hint llvm_options: {diagnostic.message[len('llvm-options: '):]}") from None
        raise compile_error(error, "") from None


def _run_passes(module, passes: str) -> None:
    from ..runtime import native
    if env.debug.enable_verifier:
        native.module().run_stage(module, passes)
    else:
        from .._mlir import passmanager
        manager = passmanager.PassManager.parse(f"builtin.module({passes})", context=module.context)
        manager.enable_verifier(False)
        manager.run(module.operation)


def _run_stages(module, pairs: list, dump: Optional["Dump"], llvm_options: str, progress) -> None:
    if dump is not None:
        dump.module(0, "origin", module)
    last_input = None
    for number, (label, passes) in enumerate(pairs, 1):
        progress.stage = f", stage {number} of {len(pairs)}: {label}"
        if number == len(pairs) and dump is not None:
            last_input = module.operation.get_asm(enable_debug_info=True)
        _run_passes(module, passes)
        if dump is not None:
            dump.module(number, label, module)
        if env.debug.print_after_all:
            show(logging.INFO, f"IR after {label}:\n{module}")
    if dump is not None:
        dump.texts(len(pairs) + 1, last_input, module, llvm_options)


def folder_name(name: str) -> str:
    """`name` as a folder inside of another: one of at most 200 bytes, a longer one told from others by a hash."""
    name = re.sub(r"[/\0]|^\.+$", "_", name)
    if len(name.encode()) <= 200:
        return name
    return name.encode()[:180].decode(errors="ignore") + "-" + hashlib.sha256(name.encode()).hexdigest()[:16]


class Dump:
    """The folder that a compilation is written to."""

    def __init__(self, folder: str, only_assembly: bool):
        self.folder, self.only_assembly = folder, only_assembly
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise type(error)(f"FLYDSL_DUMP_DIR: cannot make the folder {folder}: {error.strerror}") from None
        if not only_assembly:
            for entry in os.listdir(folder):
                if re.match(r"\d\d_.*\.(mlir|ll|s)$", entry):
                    os.unlink(os.path.join(folder, entry))

    # The modules that this process has dumped, by folder: another specialisation of a kernel gets a folder of its own.
    _taken: dict = {}

    @classmethod
    def wanted(cls, name: str, kernels: list, module=None) -> Optional["Dump"]:
        """The dump that the environment asks for, or None. The folder is `name`, or `name_1`, … where another module went to `name`."""
        if not (env.debug.dump_ir or env.debug.dump_asm):
            return None
        first = folder = os.path.join(env.debug.dump_dir, folder_name(kernels[0] if len(kernels) == 1 else name))
        digest, number = hash(str(module)), 0
        while cls._taken.get(folder, digest) != digest or (folder not in cls._taken and not cls._lock(folder)):
            number += 1
            folder = f"{first}_{number}"
        cls._taken[folder] = digest
        return cls(folder, not env.debug.dump_ir)

    # Open folders whose locks say, as long as this process lives, that it writes to a folder.
    _locks: list = []

    @classmethod
    def _lock(cls, folder: str) -> bool:
        """True unless another process that runs writes to the folder."""
        try:
            os.makedirs(folder, exist_ok=True)
            file = os.open(folder, os.O_RDONLY)
        except OSError:
            return True  # who makes the folder says what is wrong
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        except OSError:
            pass  # a file system without locks
        cls._locks.append(file)
        return True

    def _write(self, stage: str, file: str, text: str) -> None:
        path = os.path.join(self.folder, file)
        try:
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        except OSError as error:
            raise type(error)(f"FLYDSL_DUMP_DIR: cannot write {path}: {error.strerror}") from None
        print(f"[flydsl.compile] dump {stage} -> {path}")

    def module(self, number: int, label: str, module) -> None:
        """The module, with its places, as `NN_label.mlir`."""
        if not self.only_assembly:
            self._write(label, f"{number:02d}_{label}.mlir", module.operation.get_asm(enable_debug_info=True))

    def texts(self, number: int, source: str, module, llvm_options: str) -> None:
        """LLVM IR and assembly of the kernels, made from the last stage's input `source`."""
        from .._mlir import ir
        from ..runtime import native
        kinds = [("llvm_ir", "llvm-ir", "ll")] if not self.only_assembly else []
        kinds.append(("final_isa", "isa", "s"))
        for offset, (label, kind, ending) in enumerate(kinds):
            try:
                text = native.module().translate(ir.Module.parse(source, module.context), kind, llvm_options)
            except Exception as error:
                # The text is an extra: its failure must not fail the compilation.
                log().warning("no dump of %s: %s", label, error)
                continue
            place = number + offset if not self.only_assembly else number + 1
            self._write(label, f"{place:02d}_{label}.{ending}", text)


def key_parts(device: str, target, hints: dict) -> list:
    """What of the options, beside the traced module, the compiled code depends on."""
    return [PIPELINES[device] + option_text(pipeline_options(device, target, hints)),
            str(env.debug.enable_debug_info)]


__all__ = ["PIPELINES", "Dump", "checks", "key_parts", "option_text", "pipeline_options", "run", "stages"]
