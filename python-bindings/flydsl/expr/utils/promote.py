# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The common class of two operands, the same for scalars and vectors."""
from __future__ import annotations

from functools import lru_cache

__all__ = ["common_type", "operand_type", "quotient_type", "shift_type"]


@lru_cache(maxsize=None)
def common_type(a, b, op="operation"):
    """The class to which operands of the classes `a` and `b` are converted.

    One class: itself. Two integers: the wider of equal sign; of mixed sign the unsigned one if it is at least as
    wide, else the signed one. Boolean counts as Int32 beside another class. Float and integer: the float, widened to 32 or 64
    bit to at least the integer's width. Two floats: the wider, if it has 16 bit or more; Float16 with BFloat16:
    Float32. Two different floats below 16 bit: ValueError.
    """
    if a is b:
        return a
    from ..numeric import Boolean, Float32, Float64, Int32
    a, b = (Int32 if t is Boolean else t for t in (a, b))
    if a is b:
        return a
    if a.is_float and b.is_float:
        if a.width < 16 and b.width < 16:
            raise ValueError(f"{op}: no common float type for {a.__name__} and {b.__name__}; cast explicitly")
        if a.width == b.width:
            return Float32  # Float16 and BFloat16
        return a if a.width > b.width else b
    if a.is_float or b.is_float:
        number, integer = (a, b) if a.is_float else (b, a)
        if number.width >= integer.width:
            return number
        return Float32 if integer.width <= 32 else Float64
    if a.signed == b.signed:
        if a.width == b.width:  # Index beside Uint64
            return a if a.__name__ == "Index" else b
        return a if a.width > b.width else b
    unsigned, signed = (b, a) if a.signed else (a, b)
    return unsigned if unsigned.width >= signed.width else signed


def operand_type(op, a, b):
    """The class in which `a op b` is computed, for every operator but `/` and the shifts."""
    common = common_type(a, b, op)
    if op in ("and_", "or_", "xor"):
        for t in (a, b):
            if not t.is_integer:
                raise TypeError(f"{op} requires integer operands, got {t.__name__}")
        return common
    from ..numeric import Boolean, Int32
    return Int32 if common is Boolean else common


def quotient_type(a, b):
    """The class of `a / b`: of integers Float32, or Float64 if they are wider than 32 bit."""
    common = operand_type("div", a, b)
    if common.is_float:
        return common
    from ..numeric import Float32, Float64
    return Float64 if common.width > 32 else Float32


def shift_type(op, a, b):
    """The class of `a << b` and `a >> b`: the common class, but with the sign of `a`."""
    for t in (a, b):
        if not t.is_integer:
            raise TypeError(f"{op} requires integer operands, got {t.__name__}")
    common = operand_type(op, a, b)
    if a.signed and not common.signed:
        from .. import numeric
        return getattr(numeric, f"Int{common.width}")
    return common
