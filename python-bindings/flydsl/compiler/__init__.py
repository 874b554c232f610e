# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns Python functions into compiled kernels: `jit`, `kernel`, `compile` and what crosses the host call."""
from __future__ import annotations

import importlib

# The parts are loaded when first used, so that importing the package is fast and cycles with `flydsl.expr` do no harm.
_PARTS = {
    "BaseBackend": "backends", "GPUTarget": "backends", "compile_backend_name": "backends", "get_backend": "backends",
    "register_backend": "backends", "CompiledFunction": "jit_executor", "CompiledArtifact": "jit_executor",
    "JITCFunction": "jit_executor", "JitArgumentRegistry": "jit_argument", "from_dlpack": "jit_argument",
    "from_torch_tensor": "jit_argument", "from_c_void_p": "jit_argument", "jit": "jit_function",
    "JitFunction": "jit_function", "kernel": "kernel_function", "KernelFunction": "kernel_function",
    "compile": "compile_api", "CompilationContext": "kernel_function", "DSLCompileError": "diagnostics",
}

__all__ = [
    "BaseBackend", "CompiledFunction", "compile_backend_name", "get_backend", "GPUTarget", "register_backend",
    "JitArgumentRegistry", "from_dlpack", "from_torch_tensor", "from_c_void_p", "jit", "kernel", "compile"
]

_MODULES = ("ast_rewriter", "backends", "callables", "compile_api", "diagnostics", "disk_cache", "extern_link",
            "external_llvm", "hints", "jit_argument", "jit_executor", "jit_function", "kernel_function", "launch",
            "llvm_options", "locations", "parameters", "pipeline", "protocol", "snapshot")


def __getattr__(name: str):
    part = _PARTS.get(name)
    if part is not None:
        value = getattr(importlib.import_module(f".{part}", __name__), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def __dir__():
    return sorted(set(globals()) | set(_PARTS) | set(_MODULES))
