# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a value must offer to take part in a trace or to cross the host call.

The protocols are structural: a class takes part by having the methods. The
functions below read them and also walk `SimpleNamespace`, `dict`, `tuple` and
`list`, nested to any depth, so that a plain container of traced values is a
traced value.
"""
from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Protocol, runtime_checkable

__all__ = [
    "DslType", "JitArgument", "Storable", "get_ir_types", "cache_signature", "c_abi_spec", "extract_to_ir_values",
    "construct_from_ir_values", "dsl_size_of", "dsl_align_of", "peek_from_ptr", "poke_into_ptr"
]


@runtime_checkable
class DslType(Protocol):
    """A value that lives in a trace: it is taken apart into IR values and rebuilt from others."""

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        ...

    def __extract_to_ir_values__(self) -> list:
        ...


@runtime_checkable
class JitArgument(Protocol):
    """A value that crosses the host call.

    `__c_abi_spec__` lists a `(ctype, fill)` for each cell; `fill(arg, storage)`
    writes the live argument, raw or wrapped, into its cell. An optional
    `__cache_signature__` says what of the value the compiled code depends on.
    """

    def __get_ir_types__(self) -> list:
        ...

    def __c_abi_spec__(self) -> list:
        ...


@runtime_checkable
class Storable(Protocol):
    """A type with a layout in memory: `size` and `align` are bytes, `ptr` points at bytes."""

    @classmethod
    def __dsl_size_of__(cls) -> int:
        ...

    @classmethod
    def __dsl_align_of__(cls) -> int:
        ...

    @classmethod
    def __peek_from_ptr__(cls, ptr):
        ...

    @classmethod
    def __poke_into_ptr__(cls, ptr, value):
        ...


def is_jit_argument(value: Any) -> bool:
    """True if the object itself crosses the host call, by either of the two protocols."""
    cls = type(value)
    return hasattr(cls, "__get_ir_types__") and (hasattr(cls, "__c_abi_spec__") or hasattr(cls, "__get_c_pointers__"))


def is_jit_argument_class(cls: Any) -> bool:
    """True for a class whose objects cross the host call."""
    return isinstance(cls, type) and hasattr(cls, "__get_ir_types__") and (hasattr(cls, "__c_abi_spec__")
                                                                           or hasattr(cls, "__get_c_pointers__"))


def _ir_value_class():
    from .._mlir import ir
    return ir.Value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def extract_to_ir_values(value: Any) -> list:
    """The IR values of `value`, in order. TypeError if it has none."""
    method = getattr(type(value), "__extract_to_ir_values__", None)
    if method is not None:
        return list(method(value))
    if isinstance(value, SimpleNamespace):
        value = vars(value)
    if isinstance(value, dict):
        return [v for item in value.values() for v in extract_to_ir_values(item)]
    if isinstance(value, (tuple, list)):
        return [v for item in value for v in extract_to_ir_values(item)]
    if isinstance(value, _ir_value_class()):
        return [value]
    if hasattr(type(value), "OPERATION_NAME") and hasattr(value, "results"):
        return list(value.results)
    raise TypeError(f"Cannot extract IR values from {_short(value)}")


def get_ir_types(value: Any) -> list:
    """The IR types of `value`, in the order of its IR values. TypeError if it has none."""
    method = getattr(type(value), "__get_ir_types__", None)
    if method is not None:
        return list(method(value))
    if isinstance(value, SimpleNamespace):
        value = vars(value)
    if isinstance(value, dict):
        return [t for item in value.values() for t in get_ir_types(item)]
    if isinstance(value, (tuple, list)):
        return [t for item in value for t in get_ir_types(item)]
    try:
        return [v.type for v in extract_to_ir_values(value)]
    except TypeError as error:
        raise TypeError(f"Cannot derive IR types from {_short(value)}: {error}") from None


def count_ir_values(value: Any) -> int:
    """The number of IR values of `value`."""
    method = getattr(type(value), "__get_ir_types__", None)
    return len(method(value)) if method is not None else len(extract_to_ir_values(value))


def construct_from_ir_values(dsl_type: Any, exemplar: Any, values: list) -> Any:
    """Rebuilds a value shaped as `exemplar` from `values`.

    `dsl_type` is the class to build; None takes the exemplar's. A container is
    rebuilt item by item, with the classes of the exemplar's items. ValueError if
    the number of values does not fit.
    """
    values = list(values)
    cls = dsl_type if isinstance(dsl_type, type) else type(exemplar)
    method = getattr(cls, "__construct_from_ir_values__", None)
    if method is not None:
        try:
            return method(values, exemplar)
        except TypeError as error:
            # Classes written for the older protocol take the values only.
            if "positional argument" not in str(error):
                raise
            return method(values)
    if isinstance(exemplar, (SimpleNamespace, dict)):
        items = vars(exemplar) if isinstance(exemplar, SimpleNamespace) else exemplar
        rebuilt = dict(zip(items, _rebuild_items(list(items.values()), values)))
        return SimpleNamespace(**rebuilt) if isinstance(exemplar, SimpleNamespace) else rebuilt
    if isinstance(exemplar, (tuple, list)):
        rebuilt = _rebuild_items(list(exemplar), values)
        if isinstance(exemplar, tuple) and hasattr(exemplar, "_fields"):
            return type(exemplar)(*rebuilt)
        return tuple(rebuilt) if isinstance(exemplar, tuple) else rebuilt
    if isinstance(exemplar, _ir_value_class()) or exemplar is None:
        if len(values) != 1:
            raise ValueError(f"expected 1 IR value to rebuild {_short(exemplar)}, got {len(values)}")
        return values[0]
    raise TypeError(f"Cannot construct {getattr(cls, '__name__', cls)} from IR values: "
                    "it has no __construct_from_ir_values__")


def _rebuild_items(exemplars: list, values: list) -> list:
    counts = [count_ir_values(item) for item in exemplars]
    if sum(counts) != len(values):
        raise ValueError(f"expected {sum(counts)} IR values to rebuild {len(exemplars)} items, got {len(values)}")
    rebuilt, begin = [], 0
    for item, count in zip(exemplars, counts):
        rebuilt.append(construct_from_ir_values(type(item), item, values[begin:begin + count]))
        begin += count
    return rebuilt


def cache_signature(value: Any) -> Any:
    """What of `value` compiled code depends on, as a hashable object.

    Two arguments with equal signatures share one compiled function. A value
    without `__cache_signature__` is signed by its class and its IR types.
    """
    method = getattr(type(value), "__cache_signature__", None)
    if method is not None:
        return method(value)
    if isinstance(value, SimpleNamespace):
        return ("namespace", tuple((name, cache_signature(item)) for name, item in vars(value).items()))
    if isinstance(value, dict):
        return ("dict", tuple((name, cache_signature(item)) for name, item in value.items()))
    if isinstance(value, (tuple, list)):
        return (type(value).__name__, tuple(cache_signature(item) for item in value))
    return (type(value), tuple(str(t) for t in get_ir_types(value)))


def c_abi_spec(value: Any) -> list:
    """The `(ctype, fill)` pairs of a host argument; containers are not walked."""
    method = getattr(type(value), "__c_abi_spec__", None)
    if method is None:
        raise TypeError(f"Cannot pass {type(value).__name__} to a compiled function: it has no __c_abi_spec__")
    return list(method(value))


def _storable(dsl_type: Any, name: str):
    method = getattr(dsl_type, name, None)
    if method is None:
        raise TypeError(f"{getattr(dsl_type, '__name__', dsl_type)} has no layout in memory: it has no {name}")
    return method


def dsl_size_of(dsl_type: Any) -> int:
    """The size of a value of `dsl_type` in memory, in bytes."""
    return _storable(dsl_type, "__dsl_size_of__")()


def dsl_align_of(dsl_type: Any) -> int:
    """The alignment of a value of `dsl_type` in memory, in bytes."""
    return _storable(dsl_type, "__dsl_align_of__")()


def peek_from_ptr(dsl_type: Any, ptr: Any) -> Any:
    """Reads a value of `dsl_type` from `ptr`, a pointer to bytes."""
    return _storable(dsl_type, "__peek_from_ptr__")(ptr)


def poke_into_ptr(dsl_type: Any, ptr: Any, value: Any) -> None:
    """Writes `value` as a `dsl_type` to `ptr`, a pointer to bytes."""
    return _storable(dsl_type, "__poke_into_ptr__")(ptr, value)
