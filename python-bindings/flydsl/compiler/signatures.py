# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What of a call decides the compiled code, computed fast: it is part of every warm call."""
from __future__ import annotations

import os
from typing import Any

from . import jit_argument, kernel_function
from .protocol import cache_signature, is_jit_argument, is_jit_argument_class
from .tensor_argument import MemRefJitArg

# Every variable whose value can change the code or how it is run.
_VARIABLES = tuple(name.encode() for name in (
    "ARCH", "FLYDSL_GPU_ARCH", "HSA_OVERRIDE_GFX_VERSION", "COMPILE_ONLY", "FLYDSL_COMPILE_BACKEND",
    "FLYDSL_COMPILE_OPT_LEVEL", "FLYDSL_COMPILE_LLVM_DIR", "FLYDSL_DEBUG_ENABLE_DEBUG_INFO",
    "FLYDSL_DEBUG_ENABLE_VERIFIER", "FLYDSL_DEBUG_MAX_LOC_DEPTH", "FLYDSL_DUMP_IR", "FLYDSL_DUMP_DIR",
    "FLYDSL_DEBUG_DUMP_ASM", "FLYDSL_DEBUG_PRINT_ORIGIN_IR", "FLYDSL_DEBUG_PRINT_AFTER_ALL", "FLYDSL_DEVICE",
    "FLYDSL_RUNTIME_KIND", "FLY_DEVICE", "FLYDSL_CHECK", "FLYDSL_RUNTIME_RUN_ONLY", "FLYDSL_EXTRA_SOURCE_DIRS",
    "FLYDSL_KTRACE_ENABLE", "FLYDSL_KTRACE_BUFFER_BYTES", "FLYDSL_KTRACE_BLOCKS", "FLYDSL_KTRACE_DUMP_DIR",
    "FLYDSL_AUTOTUNE", "FLYDSL_AUTOTUNE_CACHE_DIR", "FLYDSL_AUTOTUNE_CONFIG_DIR", "LLVM_GFX1250_ANY_XNACK_CODEGEN",
    "ROCM_PATH"))

_environ = os.environ._data if hasattr(os.environ, "_data") else None
_copy: dict = {}
_states: dict = {}
_state = 0


def environment() -> int:
    """A number for the present values of the variables that matter; equal numbers, equal values."""
    global _copy, _state
    if _environ is not None and _environ == _copy:
        return _state
    if _environ is None:
        values = tuple(os.environ.get(name.decode()) for name in _VARIABLES)
    else:
        _copy = dict(_environ)
        values = tuple(_copy.get(name) for name in _VARIABLES)
    _state = _states.setdefault(values, len(_states))
    return _state


def _tracing_options():
    from ..expr import meta
    stack = getattr(meta._state, "stack", None)
    options = stack[-1] if stack else None
    return tuple(sorted((k, repr(v)) for k, v in options.items() if v is not None)) if options else None


_meta_state = None


def ambient(jit) -> Any:
    """The part of the key beside the arguments: environment, hints, ambient options, registered classes."""
    global _meta_state
    hints = jit.compile_hints
    outer = getattr(kernel_function._local, "hints", None)
    if _meta_state is None:
        from ..expr import meta
        _meta_state = meta._state
    stack = getattr(_meta_state, "stack", None)
    options = _tracing_options() if stack and stack[-1] else None
    if hints or outer or options:
        merged = {**hints, **(outer or {})}
        return (environment(), jit_argument.generation, tuple(sorted((k, repr(v)) for k, v in merged.items())), options)
    return (environment(), jit_argument.generation)


def signer(parameter):
    """The function that signs arguments of a parameter."""
    if parameter.is_self:
        return _by_identity
    if parameter.is_static:
        return constant
    annotation = parameter.annotation
    if parameter.is_stream:
        return _sign_stream
    if jit_argument.is_scalar_class(annotation):
        return _sign_scalar
    if is_jit_argument_class(annotation):
        return lambda value: _sign_by_annotation(annotation, value)
    return sign


def _by_identity(value: Any):
    # The snapshot keeps the object, so its address is not used again.
    return id(value)


def _sign_stream(value: Any):
    return type(value)


def _sign_scalar(value: Any):
    # The launcher checks the value, and how a number of another class is converted is part of the entry.
    kind = type(value)
    return None if kind is int or kind is float or kind is bool else kind


def _sign_by_annotation(annotation: type, value: Any):
    return carrier_signature(value if isinstance(value, annotation) else annotation(value))


def carrier_signature(carrier: Any):
    """The signature of a carrier; its IR types, if it has no signature of its own, need a context."""
    if isinstance(carrier, MemRefJitArg):
        return _sign_memref(carrier)
    if hasattr(type(carrier), "__cache_signature__"):
        return cache_signature(carrier)
    from .trace import type_context
    with type_context():
        return cache_signature(carrier)


def constant(value: Any):
    """A compile-time value as a key. Numbers of different types are different."""
    kind = type(value)
    if kind is int or kind is str or kind is bool or value is None:
        return (kind, value)
    if kind is float:
        return (kind, repr(value))
    if kind is tuple or kind is list:
        return (kind, tuple(constant(item) for item in value))
    if kind is dict:
        return (kind, tuple((constant(k), constant(v)) for k, v in value.items()))
    try:
        hash(value)
    except TypeError:
        return (kind, id(value))
    if kind.__eq__ is object.__eq__:
        return (kind, id(value))
    return (kind, value)


def _sign_numpy(array):
    size = array.itemsize
    strides = array.strides
    if not array.flags.writeable:
        return "read-only"
    try:
        return (array.dtype, len(strides), strides.index(size))
    except ValueError:
        return "no unit stride"


_signers: dict = {bool: lambda value: bool, int: lambda value: int, float: lambda value: float}


def _sign_memref(value: MemRefJitArg):
    # Where the array is decides whether it is copied.
    return (value._signature or value.memref_text(), value._info.on_host, value._info.dtype)


def sign(value: Any):
    """Signs a run-time argument by its own class."""
    kind = type(value)
    known = _signers.get(kind)
    if known is None:
        known = _signers[kind] = _signer_of(kind, value)
    return known(value)


def _signer_of(kind: type, value: Any):
    if issubclass(kind, MemRefJitArg):
        return _sign_memref
    from . import arrays
    if arrays.is_masked(value):
        return lambda array: kind  # refused where the argument's name is known
    if arrays.is_numpy(value):
        return _sign_numpy
    if arrays.is_torch(value):
        return _sign_torch
    if jit_argument.is_scalar_class(kind):
        return lambda scalar: kind
    if is_jit_argument(value):
        return carrier_signature
    if hasattr(kind, "__dlpack__") or jit_argument.JitArgumentRegistry.get(kind)[0] is not None:
        # The carrier knows; building it is what a call of this kind costs.
        return _sign_carried
    # Nothing carries it; the error comes where the argument's name is known.
    return lambda argument: kind


def _sign_carried(argument):
    try:
        return carrier_signature(jit_argument.resolve("argument", argument, None)[0])
    except (TypeError, ValueError, RuntimeError, BufferError):
        return "refused"  # once more where the argument's name is known


def _sign_torch(tensor):
    strides = tensor.stride()
    try:
        return (tensor.dtype, len(strides), strides.index(1), tensor.device.type == "cpu")
    except ValueError:
        return "no unit stride"
