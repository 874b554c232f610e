# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operators on Python numbers, with the results that the same operations have at run time.

Operands are values of one numeric class (see `floats` for what a float class holds); results of integer operators are
still to be wrapped, those of float operators to be rounded, which the caller's class does.
"""
from __future__ import annotations

import math
from fractions import Fraction

__all__ = ["RangeError", "wrap_int", "int_binary", "float_binary", "check_shift", "compare", "shift"]


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


def check_power(exponent: int):
    """Raises ValueError for a negative power of an integer."""
    if exponent < 0:
        raise ValueError(f"an integer to the negative power {exponent} is no integer; convert to a float type first")


def int_pow(a: int, b: int, width: int) -> int:
    """a to the power b modulo 2^width; negative powers are no integers."""
    check_power(b)
    return pow(a, b, 1 << width)


def is_small_power(exponent) -> bool:
    """Whether a float to this known power is computed by multiplications."""
    return abs(exponent) <= 64 and exponent == int(exponent)


def power_steps(exponent: int):
    """The steps from x to x^exponent (at least 1): "start", then "square" and "times" (by x)."""
    yield "start"
    for bit in bin(exponent)[3:]:
        yield "square"
        if bit == "1":
            yield "times"


def check_shift(count: int, width: int) -> None:
    """ValueError for a shift count that is negative or not below `width`, where run-time shifts are undefined."""
    if count < 0:
        raise ValueError(f"negative shift count {count}")
    if count >= width:
        raise ValueError(f"shift count {count} is outside of the {width} bits of the value: it must be below {width}")


def shift(op: str, a: int, count: int, width: int) -> int:
    """`a` (an integer of its class) shifted left ("shl") or right ("shr") by `count`."""
    check_shift(count, width)
    if op == "shl":
        return a << count
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
        return _float_pow(a, b, round_)
    if op == "floordiv":
        return _float_floordiv(a, b, round_)
    if op == "mod":
        return _float_mod(a, b, round_)
    if op in ("maximum", "minimum", "maxnum", "minnum"):
        return _float_extremum(op, a, b)
    raise TypeError(f"{op} requires integer operands")


def _float_pow(a: float, b: float, round_) -> float:
    if b == b and not math.isinf(b) and is_small_power(b):
        return _float_known_power(a, int(b), round_)
    try:
        return math.pow(a, b)
    except OverflowError:
        odd = b == math.floor(b) and math.fmod(b, 2.0) != 0.0
        return -math.inf if a < 0 and odd else math.inf
    except ValueError:
        if a == 0.0:
            raise ZeroDivisionError("0.0 cannot be raised to a negative power") from None
        return math.nan


def _float_known_power(a: float, exponent: int, round_) -> float:
    if exponent == 0:
        return 1.0
    result = a
    for step in power_steps(abs(exponent)):
        if step != "start":
            result = round_(result * (result if step == "square" else a))
    if exponent < 0:
        if a == 0.0:
            raise ZeroDivisionError("0.0 cannot be raised to a negative power")
        return math.copysign(math.inf, result) if result == 0.0 else 1.0 / result
    return result


def _float_mod(a: float, b: float, round_) -> float:
    if b == 0.0:
        raise ZeroDivisionError("float modulo by zero")
    rest = math.nan if math.isinf(a) else math.fmod(a, b)
    if rest == 0.0:
        return math.copysign(0.0, b)
    if rest == rest and (rest < 0) != (b < 0):
        rest = round_(rest + b)
    return rest


def _float_floordiv(a: float, b: float, round_) -> float:
    """The steps of the run-time form; exact while the quotient has no more digits than the format."""
    if b == 0.0:
        raise ZeroDivisionError("float floor division by zero")
    if a != a or b != b or math.isinf(a):
        return math.nan
    quotient = round_(a / b)
    if math.isinf(quotient):
        return quotient
    down = float(math.floor(quotient)) or math.copysign(0.0, quotient)
    rest = a if down == 0.0 else Fraction(a) - Fraction(down) * Fraction(b)
    if rest and (rest < 0) != (b < 0):
        down = round_(down - 1.0)
    return down


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
