# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile backends and the chip to compile for."""
from __future__ import annotations

import functools

from ...utils import env
from .base import BaseBackend, GPUTarget

__all__ = ["BaseBackend", "GPUTarget", "register_backend", "get_backend", "compile_backend_name", "current_target"]

_registered: dict = {}


def register_backend(name: str, cls: type, *, force: bool = False) -> None:
    """Registers `cls`, a BaseBackend, under `name`. ValueError if the name is taken and not `force`."""
    if not (isinstance(cls, type) and issubclass(cls, BaseBackend)):
        raise TypeError(f"register_backend: expected a subclass of BaseBackend, got {cls!r}")
    _load_builtin()
    if name in _registered and not force:
        raise ValueError(f"Compile backend '{name}' is already registered; pass force=True to replace it")
    _registered[name] = cls
    _make_backend.cache_clear()


def _load_builtin() -> None:
    if "rocm" not in _registered:
        from .rocm import RocmBackend
        _registered["rocm"] = RocmBackend


def compile_backend_name() -> str:
    """The name of the backend in use (FLYDSL_COMPILE_BACKEND)."""
    return env.compile.backend or "rocm"


@functools.lru_cache(maxsize=None)
def _make_backend(name: str, arch: str):
    cls = _registered[name]
    return cls(cls.make_target(arch) if arch else cls.detect_target())


def get_backend(name: str = None, *, arch: str = "") -> BaseBackend:
    """The backend `name` (default: the one in use) for `arch` (default: the chip that is named or found).

    ValueError for an unknown backend or chip.
    """
    named = "" if name else " (FLYDSL_COMPILE_BACKEND names one of these)"
    name = name or compile_backend_name()
    _load_builtin()
    if name not in _registered:
        _load_entry_points()
    if name not in _registered:
        raise ValueError(f"Unknown compile backend '{name}'. Registered backends: {', '.join(sorted(_registered))}{named}")
    if not arch:
        arch = _registered[name].detect_target().arch
    return _make_backend(name, arch)


def _load_entry_points() -> None:
    from importlib.metadata import entry_points
    for entry in entry_points(group="flydsl.backends"):
        if entry.name not in _registered:
            _registered[entry.name] = entry.load()


def current_target() -> GPUTarget:
    """The target of the running trace; outside of one that of the backend in use."""
    from ..kernel_function import CompilationContext
    context = CompilationContext.get_current()
    return context.target if context is not None else get_backend().target
