# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`flyc.compile`: a launcher compiled once, called often."""
from __future__ import annotations

import inspect
from typing import Any, Optional

from ..utils import env
from . import callables as _callables
from . import hints as _hints
from .jit_executor import CompiledFunction
from .jit_function import BoundJitFunction, JitFunction

__all__ = ["compile"]


class _Compile:
    """`compile(func, *args)` compiles and launches; `compile[hints]` sets compile hints first."""

    def __init__(self, hints: Optional[dict] = None):
        self._hints = hints or {}

    def __getitem__(self, hints: dict) -> "_Compile":
        """The same with compile hints, which stay with the functions that it is called with."""
        if not isinstance(hints, dict):
            raise TypeError(f"flyc.compile[...] expects a dict of compile hints, got {type(hints).__name__}")
        return _Compile(_hints.check({**self._hints, **hints}))

    def __repr__(self) -> str:
        return f"flyc.compile[{self._hints!r}]" if self._hints else "flyc.compile"

    def __call__(self, func, *args, **kwargs) -> Any:
        """Compiles the launcher `func`, or a bound method of one, for these arguments.

        Returns a CompiledFunction, or None if COMPILE_ONLY is set. With live
        arguments the launcher also runs once; a null pointer argument, and on a HIP
        device a host array, is a placeholder that only says what kind an argument
        has. With hints and no argument it returns `func`, compiled later.
        """
        instance = ()
        target = func
        if isinstance(func, BoundJitFunction):
            target, instance = func.jit_function, (func.instance, )
        if not isinstance(target, JitFunction):
            hint = "; pass its __call__" if isinstance(getattr(func, "__call__", None), BoundJitFunction) else ""
            raise TypeError(f"flyc.compile() expects a @flyc.jit function, got {type(func).__name__}{hint}")
        target = _callables.as_called(target, args)
        before = dict(target.compile_hints)
        target.compile_hints.update(self._hints)
        if self._hints and not args and not kwargs:
            return func
        from . import build, call
        try:
            bound = target._bind(instance + args, kwargs)
            artifact, traced = build.compile_call(target, bound)
        except BaseException:
            # What failed may be a hint; the next compilation does not start from it.
            target.compile_hints.clear()
            target.compile_hints.update(before)
            raise
        if env.compile.compile_only:
            return None
        run = call.make_runner(artifact, traced, handle=True)
        if not call.has_placeholder(artifact.device, bound):
            run(bound)
        if instance:
            inner = run
            run = lambda given: inner(instance + given)
        names = tuple(inspect.signature(target.original).parameters)[len(instance):]
        return CompiledFunction(artifact, run, target.__name__, traced.launches, names)


compile = _Compile()
