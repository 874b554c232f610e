# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`@jit`: launchers that compile when they are called with arguments of a new kind."""
from __future__ import annotations

import functools
import inspect
import threading
from typing import Any, NamedTuple, Optional

from ..utils.logger import log
from . import callables as _callables
from . import hints as _hints
from . import kernel_function as _kernels
from . import signatures
from .diagnostics import explain_failure
from .snapshot import Snapshot

__all__ = ["CacheInfo", "JitFunction", "MlirCompiler", "jit"]

# Traces of one signature that are kept beside each other, for values that go back and forth.
_SNAPSHOTS_PER_KEY = 8
_KEYS_PER_FUNCTION = 1024


_EMPTY = inspect.Parameter.empty


class CacheInfo(NamedTuple):
    """Calls that ran known code, calls that had to look further, entries in memory, entries on the disk."""
    hits: int
    misses: int
    currsize: int
    disk_size: int


class _Entry:
    """What a warm call runs, as long as `valid()` is true."""
    __slots__ = ("valid", "run", "artifact", "snapshot")

    def __init__(self, snapshot: Snapshot, run, artifact):
        self.snapshot, self.valid, self.run, self.artifact = snapshot, snapshot.valid, run, artifact


class JitFunction:
    """A launcher; what `@jit` makes. Calling it compiles, if needed, and runs."""

    def __init__(self, func, is_method: bool = False):
        self.original, self._is_method = func, is_method
        self.func = _kernels.rewritten(func)
        functools.update_wrapper(self, func)
        self.compile_hints: dict = {}
        self._entries: dict = {}
        self._mem_cache: dict = {}
        self._last_compiled: Optional[tuple] = None
        self._hits = self._misses = 0
        self._lock = threading.RLock()
        self._signers: Optional[tuple] = None
        self._positions: Optional[dict] = None
        self._by_name = False  # a parameter that no position stands for
        self._defaults: list = []

    # What it is.

    @functools.cached_property
    def parameters(self) -> "_callables.Parameters":
        """The parameters with their resolved annotations; resolved when first asked for."""
        return _callables.Parameters(self.func, "@jit", self._is_method)

    @functools.cached_property
    def _method(self) -> "JitFunction":
        return JitFunction(self.original, is_method=True)

    @property
    def as_method(self) -> "JitFunction":
        """The same launcher with the first parameter as the object that it is bound to, whatever its name."""
        method = self._method
        method.compile_hints = self.compile_hints  # which may be another dict by now
        return method

    @property
    def cache_manager(self):
        """The disk cache in use, or None."""
        from .disk_cache import DiskCache
        return DiskCache.current()

    def cache_info(self) -> Optional[CacheInfo]:
        """How the caches have served this function."""
        disk = self.cache_manager
        return CacheInfo(self._hits, self._misses, len(self._mem_cache),
                         len(disk.entries(self.__name__)) if disk is not None else 0)

    def cache_clear(self) -> None:
        """Forgets everything that this function has compiled in this process."""
        with self._lock:
            self._entries.clear()
            self._mem_cache.clear()
        if "_method" in self.__dict__:
            self._method.cache_clear()

    def __get__(self, instance, owner=None):
        method = None if instance is None else _callables.as_bound(self)
        return self if method is None else BoundJitFunction(method, instance)

    def __reduce__(self) -> str:
        """Pickled by its name, as functions are; a copy is the launcher itself."""
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<launcher {self.__qualname__}>"

    # Calls.

    def __call__(self, *args, **kwargs) -> None:
        """Runs the launcher. Inside another trace its code runs inline."""
        contexts = getattr(_kernels._local, "contexts", None)
        if contexts:
            return self.func(*args, **kwargs)
        signers = self._signers
        if signers is None:
            signers = self._prepare()
        if kwargs or len(args) != len(signers) or self._by_name:
            args = self._bind(args, kwargs)
        key = [signatures.ambient(self)]
        for signer, arg in zip(signers, args):
            key.append(signer(arg))
        key = tuple(key)
        entries = self._entries.get(key)
        if entries is not None:
            for entry in entries:
                if entry.valid():
                    self._hits += 1
                    try:
                        entry.run(args)
                    except Exception as error:
                        explain_failure(error)
                        raise
                    return None
        return self._call_cold(args, key)

    def _prepare(self) -> tuple:
        kinds = {p.kind for p in self.parameters}
        simple = kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD}
        self._by_name = not kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY}
        self._positions = {p.name: i for i, p in enumerate(self.parameters)} if simple else None
        self._defaults = [p.default for p in self.parameters]
        self._signers = tuple(signatures.signer(p) for p in self.parameters)
        return self._signers

    def _bind(self, args: tuple, kwargs: dict) -> tuple:
        """All arguments in the order of the parameters. TypeError as for a Python call."""
        if self._signers is None:
            self._prepare()
        if self._positions is not None and len(args) <= len(self._defaults):
            given = [*args, *self._defaults[len(args):]]
            for name, value in kwargs.items():
                index = self._positions.get(name, -1)
                if index < len(args):
                    break
                given[index] = value
            else:
                if not any(value is _EMPTY for value in given):
                    return tuple(given)
        # What is wrong, or has another kind of parameter.
        bound = self.parameters.bind(args, kwargs, self.__name__)
        return tuple(bound[p.name] for p in self.parameters)

    def _call_cold(self, args: tuple, key: tuple):
        if _mlir_is_tracing():
            return self.func(*args)
        method = _callables.as_called(self, args)
        if method is not self:
            return method(*args)
        entry = self._compile(args, key)
        try:
            entry.run(args)
        except Exception as error:
            explain_failure(error)
            raise
        return None

    def _compile(self, args: tuple, key: tuple) -> _Entry:
        """The entry for these arguments: traced, and compiled unless the same module is known."""
        from . import build
        with self._lock:
            for entry in self._entries.get(key, ()):
                if entry.valid():
                    self._hits += 1
                    return entry
            self._misses += 1
            roots = [self.original] + [value for p, value in zip(self.parameters, args) if p.is_static]
            snapshot = Snapshot(*roots)
            artifact, traced = build.compile_call(self, args)
            entry = _Entry(snapshot, build.runner(artifact, traced), artifact)
            if not snapshot.trackable:
                log().info("'%s' is traced at each call: it may read %s, which cannot be compared", self.__name__, snapshot.reason)
                return entry
            if not snapshot.valid():
                log().info("'%s': the trace changed what it depends on; the next call traces again", self.__name__)
                return entry
            entries = self._entries.get(key)
            if entries is None:
                if len(self._entries) >= _KEYS_PER_FUNCTION:
                    self._entries.pop(next(iter(self._entries)))
                entries = ()
            self._entries[key] = (entry, *entries[:_SNAPSHOTS_PER_KEY - 1])
            return entry


class BoundJitFunction:
    """A launcher that is a method, bound to its object."""

    def __init__(self, jit_function: JitFunction, instance: Any):
        self.jit_function, self.instance = jit_function, instance
        self.__name__ = jit_function.__name__

    def __call__(self, *args, **kwargs):
        return self.jit_function(self.instance, *args, **kwargs)

    def __reduce__(self) -> tuple:
        """Pickled as the attribute of its object."""
        return getattr, (self.instance, self.jit_function.__name__)

    def __getattr__(self, name: str):
        return getattr(self.jit_function, name)


def _mlir_is_tracing() -> bool:
    """True if the caller has made an MLIR context current: then the launcher's code belongs into its module."""
    from .._mlir import ir
    return ir.Context.current is not None if hasattr(ir.Context, "current") else False


class MlirCompiler:
    """Compiles traced modules; the class method is the place to look at them."""

    @classmethod
    def compile(cls, module, *, target=None, device: Optional[str] = None, compile_hints: Optional[dict] = None,
                name: str = "module", kernels=()):
        """Runs the pipeline on `module` in place and returns it. DSLCompileError if a pass fails."""
        from ..runtime.device_runtime import compile_device
        from .backends import current_target
        from . import pipeline
        pipeline.run(module, name, device or compile_device(), target or current_target(),
                     _hints.check(compile_hints or {}), list(kernels))
        return module


def jit(func=None):
    """Makes a function a launcher; usable as `@jit` and `@jit()`.

    A call traces the function once for each kind of arguments, compiles the
    kernels that it launches, and runs it. Parameters annotated `Constexpr[T]` or
    `Type[T]` are fixed at compile time. The result of a call is always None.
    """
    if func is None:
        return jit
    if isinstance(func, (staticmethod, classmethod)) or not inspect.isfunction(func):
        raise TypeError(f"@jit expects a function, got {type(func).__name__}{_callables.decorator_hint(func, '@jit')}")
    return JitFunction(func)


