# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signatures of launchers and kernels with their annotations resolved."""
from __future__ import annotations

import inspect
import types
from typing import Any

from .locations import warn
from .parameters import is_constexpr, is_stream_parameter, is_type_parameter


class Parameter:
    """One parameter: name, kind and default as in `inspect`; annotation resolved if that was possible."""

    __slots__ = ("name", "kind", "default", "annotation", "is_static", "is_stream", "is_self")

    def __init__(self, parameter: inspect.Parameter, is_self: bool):
        self.name, self.kind, self.default = parameter.name, parameter.kind, parameter.default
        self.annotation = parameter.annotation
        self.is_self = is_self
        self.is_static = is_self or is_constexpr(self.annotation) or is_type_parameter(self.annotation)
        self.is_stream = is_stream_parameter(self.annotation)


class Parameters:
    """The parameters of a function, in order."""

    def __init__(self, func, decorator: str, is_method: bool = False):
        self.name, self.decorator = getattr(func, "__name__", "?"), decorator
        self._func = func
        self._warned = False
        try:
            self.signature = inspect.signature(func, eval_str=True)
        except Exception as error:
            warn(f"{decorator} {self.name}: an annotation cannot be resolved ({error}); annotations are "
                          "taken as text", func=func)
            self.signature = inspect.signature(func)
        items = list(self.signature.parameters.values())
        # A class method's class is the caller's object as well.
        self.has_self = bool(items) and (is_method or items[0].name == "self"
                                         or (items[0].name == "cls" and items[0].annotation is inspect.Parameter.empty))
        # Python binds whatever a class body defines. An annotated first parameter is an argument, though, not an object.
        self.is_method = self.has_self or (bool(items) and items[0].annotation is inspect.Parameter.empty
                                           and is_defined_in_class(func)
                                           and items[0].kind in (inspect.Parameter.POSITIONAL_ONLY,
                                                                 inspect.Parameter.POSITIONAL_OR_KEYWORD))
        self.items = [Parameter(p, self.has_self and i == 0) for i, p in enumerate(items)]
        self._warn_annotations(decorator, func)

    def __iter__(self):
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def _warn_annotations(self, decorator: str, func) -> None:
        strange = [f"{p.name}: {_annotation_name(p.annotation)}" for p in self.items
                   if not p.is_static and not _is_known_annotation(p.annotation)]
        if strange:
            warn(f"{decorator} {self.name}: annotation is no type of a traced value and has no effect: "
                          f"{', '.join(strange)}", func=func)

    def warn_unbound(self) -> None:
        """Warns, once, that a function was found through an object that it is not bound to."""
        if self._warned:
            return
        self._warned = True
        first = "it has no parameter"
        if self.items:
            kind = self.items[0].annotation
            kind = "" if kind is inspect.Parameter.empty else f": {_annotation_name(kind)}"
            first = f"its first parameter is '{self.items[0].name}{kind}'"
        warn(f"{self.decorator} {self.name}: found through an object, but not bound to it: {first}. Name it 'self' for a method, or say "
             "@staticmethod", func=self._func)

    def bind(self, args: tuple, kwargs: dict, name: str) -> dict:
        """Argument values by parameter name, defaults included. TypeError as for a Python call, which names the function `name`."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
        bound.apply_defaults()
        return bound.arguments

    def call_arguments(self, pairs: list) -> tuple:
        """`(args, kwargs)` for a call with these `(parameter, value)` pairs."""
        args, kwargs = [], {}
        for parameter, value in pairs:
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                args.extend(value)
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                kwargs.update(value)
            elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                kwargs[parameter.name] = value
            else:
                args.append(value)
        return args, kwargs


def decorator_hint(func, decorator: str) -> str:
    """What to do about a decorator of Python's below ours, as the end of a sentence."""
    if isinstance(func, (staticmethod, classmethod)):
        return f"; write @{type(func).__name__} above {decorator}"
    return ""


def is_defined_in_class(func) -> bool:
    """True for a function that was defined in the body of a class."""
    outer = getattr(func, "__qualname__", "").rpartition(".")[0]
    return bool(outer) and not outer.endswith("<locals>")


def as_bound(function):
    """The launcher or kernel to bind to an object that has `function` in its class; None if it is not to be bound."""
    parameters = function.parameters
    if parameters.has_self:
        return function
    if parameters.is_method:
        return function.as_method
    parameters.warn_unbound()
    return None


def as_called(function, args: tuple):
    """What a call of `function` with `args` means: its method in `Class.method(object, ...)`, else `function` itself."""
    parameters = function.parameters
    if not args or parameters.has_self or not parameters.is_method:
        return function
    original, first = function.original, args[0]
    place = (original.__module__, original.__qualname__.rpartition(".")[0])
    classes = type(first).__mro__ + (first.__mro__ if isinstance(first, type) else ())
    return function.as_method if place in [(c.__module__, c.__qualname__) for c in classes] else function


def _annotation_name(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    module = getattr(annotation, "__module__", "")
    name = getattr(annotation, "__qualname__", repr(annotation))
    return name if module in ("builtins", "") else f"{module}.{name}"


def _is_known_annotation(annotation: Any) -> bool:
    if annotation is inspect.Parameter.empty or annotation is Any or isinstance(annotation, str):
        return True
    if annotation is types.SimpleNamespace or is_stream_parameter(annotation):
        return True
    # A container or a generic of DSL types stands for its items.
    return (hasattr(annotation, "__construct_from_ir_values__") or hasattr(annotation, "__get_ir_types__")
            or annotation in (list, tuple, dict) or getattr(annotation, "__origin__", None) in (list, tuple, dict)
            or isinstance(annotation, types.UnionType))
