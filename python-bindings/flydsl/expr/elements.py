# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values as elements of memory: what a store takes, what a load gives.

A Python number becomes an element if it fits; a DSL or IR value must have the
element type already. Types have no sign; where the class of the elements is
known (an array's dtype, `fx.Uint8` of a recast) a literal must fit that, else it
fits an integer of n bits from -2**(n-1) to 2**n - 1.
"""
from __future__ import annotations

import math
from typing import Any

from .._mlir import ir
from . import content, numeric
from .builders import builders as _fly
from .builders import require_trace
from .layout import IntTuple
from .numeric import Boolean, Numeric
from .operands import describe

__all__ = ["dsl_class", "element_bits", "from_element", "ir_element_type", "is_numeric_class", "literal_element", "to_element"]

def is_numeric_class(dtype: Any) -> bool:
    """True for the numeric classes (`Int32`, `Float16`, ...)."""
    return isinstance(dtype, type) and issubclass(dtype, Numeric)


def ir_element_type(dtype: Any, where: str) -> ir.Type:
    """A numeric class or an IR type as the IR type of elements. TypeError for anything else."""
    if is_numeric_class(dtype):
        require_trace(where)
        return dtype.ir_type
    if isinstance(dtype, ir.Type):
        return dtype
    raise TypeError(f"{where}: expected a numeric class such as fx.Float32 or an IR type, got {describe(dtype)}")


def dsl_class(element_type: ir.Type) -> Any:
    """The numeric class of an IR type, signed for integers; the IR type itself if there is none."""
    try:
        return Numeric.from_ir_type(element_type)
    except (ValueError, TypeError):
        return element_type


def element_bits(dtype: Any, where: str) -> int:
    """The width in bits of a numeric class, an IR type, or a bit count."""
    if isinstance(dtype, int) and not isinstance(dtype, bool):
        if dtype <= 0:
            raise ValueError(f"{where}: a width in bits is positive, got {dtype}")
        return dtype
    if is_numeric_class(dtype):
        return dtype.width
    kind = ir_element_type(dtype, where)
    if isinstance(kind, ir.VectorType):
        return math.prod(kind.shape) * element_bits(kind.element_type, where)
    width = getattr(kind, "width", None)
    if width is None:
        raise TypeError(f"{where}: {kind} has no width in bits")
    return width


def class_of(memory: Any) -> Any:
    """The numeric class of the elements of a pointer or tensor if it is known, else None: an IR type alone has no sign."""
    return getattr(memory, "_element_class", None)


def of_class(memory: Any, dtype: Any) -> Any:
    """`memory`, a pointer or tensor, as one whose elements are of the numeric class `dtype`; other types say nothing."""
    if is_numeric_class(dtype):
        memory._element_class = dtype
    return memory


def from_element(value: ir.Value, memory: Any = None) -> Any:
    """A value loaded from `memory` as its DSL class: a number, a `Vector`, or an int tuple."""
    if isinstance(value, IntTuple):
        return value
    kind = value.type
    if isinstance(kind, ir.VectorType):
        from .vector import Vector
        return Vector(value, tuple(kind.shape), class_of(memory) or dsl_class(kind.element_type))
    cls = class_of(memory) or dsl_class(kind)
    return cls(value) if is_numeric_class(cls) else value


def literal_element(number: Any, element_type: ir.Type, where: str, memory: Any = None) -> ir.Value:
    """A Python number as a constant of `element_type`. ValueError if it does not fit or is no whole number for an integer."""
    cls = class_of(memory)
    if cls is not None:
        return numeric.convert_literal(number, cls, where).ir_value()
    cls = dsl_class(element_type)
    if not is_numeric_class(cls):
        raise TypeError(f"{where}: cannot convert the number {number!r} to {element_type}")
    if cls.is_integer and cls is not Boolean and number > (1 << (cls.width - 1)) - 1:
        # Memory has no sign: the upper half of the unsigned numbers fits, too.
        unsigned = getattr(numeric, f"Uint{cls.width}", None)
        if unsigned is not None:
            cls = unsigned
    return numeric.convert_literal(number, cls, where).ir_value()


def to_element(value: Any, element_type: ir.Type, where: str, memory: Any = None) -> ir.Value:
    """`value` as an IR value of `element_type`, or a vector of it, for `memory`. TypeError if it has another type."""
    if isinstance(value, (bool, int, float)) and not isinstance(value, Numeric):
        return literal_element(value, element_type, where, memory)
    if isinstance(value, IntTuple):
        tree = value.tree
        if type(tree) is int:
            return literal_element(tree, element_type, where, memory)
        if type(tree) is content.Dynamic:
            value = _fly.get_scalar(value)
    elif not isinstance(value, (ir.Value, Numeric)) and hasattr(type(value), "item") and getattr(value, "shape", None) == ():
        # A NumPy scalar counts as the number that it holds; one of longdouble stays itself in `item()`.
        number = value.item()
        if not isinstance(number, (bool, int, float)):
            if not numeric.is_python_number(value):
                raise TypeError(f"{where}: expected a number of type {element_type}, got {describe(value)}")
            number = float(number)
        return literal_element(number, element_type, where, memory)
    if isinstance(value, Numeric) or hasattr(type(value), "ir_value"):
        raw = value.ir_value()
    elif isinstance(value, ir.Value):
        raw = value
    else:
        raise TypeError(f"{where}: expected a number of type {element_type}, got {describe(value)}")
    kind = raw.type
    if kind != element_type and not (isinstance(kind, ir.VectorType) and kind.element_type == element_type):
        cls = dsl_class(element_type)
        name = f"fx.{cls.__name__}(...)" if is_numeric_class(cls) else str(element_type)
        found = f"{type(value).__name__} of type {kind}" if isinstance(value, Numeric) else f"a value of type {kind}"
        raise TypeError(f"{where}: expected an element of type {element_type}, got {found}; stores do not convert, use {name}")
    return raw
