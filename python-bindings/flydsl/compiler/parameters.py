# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes that stand in the signatures of kernels and launchers."""
from __future__ import annotations

import collections.abc
import ctypes
import typing
from typing import Any, Type

__all__ = ["Constexpr", "Stream", "Type", "is_constexpr", "is_type_parameter", "is_stream_parameter"]

_constexpr_classes: dict = {}


class _ConstexprMeta(type):

    def __repr__(cls) -> str:
        return cls.__name__


class Constexpr(metaclass=_ConstexprMeta):
    """Annotates a parameter whose Python value is fixed at compile time.

    `Constexpr[T]` says what the value is: `int`, `bool`, `float`, `str`, a
    `tuple[...]` of these, or `Callable`. Each value gives a function of its own.
    """

    inner_type: Any = None

    def __class_getitem__(cls, inner):
        try:
            known = _constexpr_classes.get(inner)
        except TypeError:
            raise TypeError(f"Constexpr[...] expects a type, got {inner!r}") from None
        if known is None:
            name = f"Constexpr[{getattr(inner, '__name__', None) or inner}]"
            known = _ConstexprMeta(name, (Constexpr, ), {"inner_type": inner, "__doc__": Constexpr.__doc__})
            _constexpr_classes[inner] = known
        return known

    @classmethod
    def __coerce__(cls, value: Any) -> Any:
        """`value` as the declared type. TypeError if it is of another."""
        return value if cls.inner_type is None else _coerce(cls.inner_type, value)


def _coerce(inner: Any, value: Any) -> Any:
    if inner is Any:
        return value
    origin = typing.get_origin(inner)
    if inner is collections.abc.Callable or inner is typing.Callable or origin is collections.abc.Callable:
        ok = callable(value)
    elif origin is tuple:
        ok = isinstance(value, tuple)
        if ok:
            items = typing.get_args(inner)
            if len(items) == 2 and items[1] is Ellipsis:
                return tuple(_coerce(items[0], item) for item in value)
            ok = len(items) == len(value)
            if ok:
                return tuple(_coerce(item, v) for item, v in zip(items, value))
    elif inner is float:
        ok = isinstance(value, (int, float)) and not isinstance(value, bool)
        value = float(value) if ok else value
    elif inner is int:
        ok = isinstance(value, int) and not isinstance(value, bool)
    elif isinstance(origin or inner, type):
        ok = isinstance(value, origin or inner)
    else:
        ok = True
    if not ok:
        raise TypeError(f"Constexpr[{getattr(inner, '__name__', inner)}] expects {getattr(inner, '__name__', inner)}, "
                        f"got {type(value).__name__} ({value!r})")
    return value


class Stream:
    """The stream that a launch is put into.

    `value` is None for the device's default stream, a raw handle as an int, an
    object with an attribute `cuda_stream` (a torch stream), or another Stream.
    ValueError for anything else.
    """

    _is_stream_param = True
    __slots__ = ("value", )

    def __init__(self, value: Any = None):
        if isinstance(value, Stream):
            value = value.value
        elif value is not None and not isinstance(value, int) and not _is_ir_value(value):
            handle = getattr(value, "cuda_stream", None)
            if not isinstance(handle, int):
                raise ValueError(f"invalid stream value: expected None, an int handle or an object with cuda_stream, "
                                 f"got {type(value).__name__} ({value!r})")
            value = handle
        if isinstance(value, bool) or (isinstance(value, int) and not 0 <= value < 1 << 64):
            raise ValueError(f"invalid stream value: {value!r} is no handle")
        self.value = value

    def __repr__(self) -> str:
        return f"Stream({self.value!r})"

    def __get_ir_types__(self) -> list:
        from .._mlir import ir
        return [ir.Type.parse("!gpu.async.token")]

    def __c_abi_spec__(self) -> list:
        return [(ctypes.c_void_p, Stream._fill)]

    @staticmethod
    def _fill(arg, storage) -> None:
        storage.value = (arg if isinstance(arg, Stream) else Stream(arg)).value or 0

    def __cache_signature__(self):
        return "stream"

    def __extract_to_ir_values__(self) -> list:
        if not _is_ir_value(self.value):
            raise TypeError("a Stream becomes an IR value only as parameter of a @jit function; "
                            "declare a parameter 'stream: fx.Stream' and pass it there")
        return [self.value]

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        return cls(values[0])


def _is_ir_value(value: Any) -> bool:
    if value is None or isinstance(value, int):
        return False
    from .._mlir import ir
    return isinstance(value, ir.Value)


def is_constexpr(annotation: Any) -> bool:
    """True for `Constexpr` and `Constexpr[T]`."""
    return isinstance(annotation, type) and issubclass(annotation, Constexpr)


def is_type_parameter(annotation: Any) -> bool:
    """True for `type`, `Type` and `Type[T]`: the parameter takes a class at compile time."""
    return annotation is type or annotation is typing.Type or typing.get_origin(annotation) is type


def is_stream_parameter(value_or_annotation: Any) -> bool:
    """True for a class, or an object of one, that says it is a stream."""
    return bool(getattr(value_or_annotation, "_is_stream_param", False))
