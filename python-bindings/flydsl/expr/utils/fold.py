# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators on Python numbers, with the results that the same operations have at run time.

Operands are values of one numeric class (see `floats` for what a float class holds); results of integer operators are
still to be wrapped, those of float operators to be rounded, which the caller's class does.
"""
from __future__ import annotations

import math

__all__ = ["RangeError", "wrap_int", "int_binary", "float_binary", "compare", "shift"]


class RangeError(OverflowError, ValueError):
    """A number that its type cannot hold."""


def wrap_int(value: int, width: int, signed: bool) -> int:
    """The integer of the type that equals `value` modulo 2^width, as a C cast gives it."""
    value &= (1 << width) - 1
    if signed and value >> (width - 1):
        value -= 1 << width
    return value


def int_binary(op: str, a: int, b: int) -> int:
    """Integer operators; `//` and `%` as Python's."""
    if op == "add":
        return a + b
    if op == "sub":
        return a - b
    if op == "mul":
        return a * b
    if op == "floordiv":
        return a // b
    if op == "mod":
        return a % b
    if op == "and_":
        return a & b
    if op == "or_":
        return a | b
    if op == "xor":
        return a ^ b
    if op == "maximum" or op == "maxnum":
        return max(a, b)
    if op == "minimum" or op == "minnum":
        return min(a, b)
    raise TypeError(f"{op} requires float operands")


def int_pow(a: int, b: int, width: int) -> int:
    """a to the power b modulo 2^width; negative powers are no integers."""
    if b < 0:
        raise ValueError(f"an integer to the negative power {b} is no integer; convert to a float type first")
    return pow(a, b, 1 << width)


def shift(op: str, a: int, count: int, width: int) -> int:
    """`a` (an integer of its class) shifted left ("shl") or right ("shr") by `count`."""
    if count < 0:
        raise ValueError(f"negative shift count {count}")
    if op == "shl":
        return 0 if count >= width else a << count
    return a >> count


def float_binary(op: str, a: float, b: float, round_):
    """Float operators; `round_` rounds to the class, as each run-time step does."""
    if op == "add":
        return a + b
    if op == "sub":
        return a - b
    if op == "mul":
        return a * b
    if op == "div":
        return a / b
    if op == "pow":
        return _float_pow(a, b)
    if op == "floordiv":
        return _float_floordiv(a, b, round_)
    if op == "mod":
        return _float_mod(a, b, round_)
    if op in ("maximum", "minimum", "maxnum", "minnum"):
        return _float_extremum(op, a, b)
    raise TypeError(f"{op} requires integer operands")


def _float_pow(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except OverflowError:
        odd = b == math.floor(b) and math.fmod(b, 2.0) != 0.0
        return -math.inf if a < 0 and odd else math.inf
    except ValueError:
        if a == 0.0:
            raise ZeroDivisionError("0.0 cannot be raised to a negative power") from None
        return math.nan


def _remainder(a: float, b: float) -> float:
    return math.nan if math.isinf(a) else math.fmod(a, b)


def _float_mod(a: float, b: float, round_) -> float:
    if b == 0.0:
        raise ZeroDivisionError("float modulo by zero")
    rest = _remainder(a, b)
    if rest == 0.0:
        return math.copysign(0.0, b)
    if rest == rest and (rest < 0) != (b < 0):
        rest = round_(rest + b)
    return rest


def _float_floordiv(a: float, b: float, round_) -> float:
    if b == 0.0:
        raise ZeroDivisionError("float floor division by zero")
    rest = _remainder(a, b)
    whole = round_(round_(a - rest) / b)
    if rest == rest and rest != 0.0 and (rest < 0) != (b < 0):
        whole = round_(whole - 1.0)
    if whole != whole or math.isinf(whole):
        return whole
    down = float(math.floor(whole)) if whole else whole
    return round_(down + 1.0) if round_(whole - down) > 0.5 else down


def _float_extremum(op: str, a: float, b: float) -> float:
    if a != a or b != b:
        if op in ("maximum", "minimum"):
            return math.nan
        return b if a != a else a
    largest = op in ("maximum", "maxnum")
    if a == b:  # of two zeros the positive one is larger
        negative = math.copysign(1.0, a) < 0
        return b if negative == largest else a
    return max(a, b) if largest else min(a, b)


def compare(op: str, a, b) -> bool:
    """A comparison; with NaN all are false but `!=`."""
    if op == "eq":
        return a == b
    if op == "ne":
        return a != b
    if op == "lt":
        return a < b
    if op == "le":
        return a <= b
    if op == "gt":
        return a > b
    return a >= b
