# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values and bit patterns of the float formats, computed exactly on Python numbers.

Static DSL numbers are kept as the value that the format holds, so that folding at trace time gives what the
same operations give at run time. Rounding is to nearest, ties to even. What a finite value beyond the largest
number becomes is the format's own rule, as in LLVM's APFloat: infinity where the format has one, else NaN,
else (the 6 and 4 bit formats) the largest number.
"""
from __future__ import annotations

import ctypes
import math
import struct
from typing import NamedTuple


class FloatFormat(NamedTuple):
    """A binary float format: `exponent` and `mantissa` bits, `bias`; what the top patterns mean.

    `special`: "ieee" (infinities and NaNs in the top exponent), "fn" (NaN only with all bits set), "fnuz" (one NaN, the
    pattern of -0; no -0), "finite" (neither), "exponent" (8 exponent bits, no sign, no zero, NaN with all bits set).
    """
    exponent: int
    mantissa: int
    bias: int
    special: str

    @property
    def width(self) -> int:
        return self.exponent + self.mantissa + (0 if self.special == "exponent" else 1)

    @property
    def max(self) -> float:
        """The largest finite value."""
        top = (1 << self.exponent) - 1
        if self.special == "ieee":
            return math.ldexp(2 - 2.0**-self.mantissa, top - 1 - self.bias)
        if self.special == "exponent":
            return math.ldexp(1.0, top - 1 - self.bias)
        if self.special == "fn":  # the last mantissa of the top exponent is the NaN
            if self.mantissa == 0:
                return math.ldexp(1.0, top - 1 - self.bias)
            return math.ldexp(2 - 2.0**(1 - self.mantissa), top - self.bias)
        return math.ldexp(2 - 2.0**-self.mantissa, top - self.bias)

    @property
    def has_inf(self) -> bool:
        return self.special == "ieee"

    @property
    def has_nan(self) -> bool:
        return self.special != "finite"


F64 = FloatFormat(11, 52, 1023, "ieee")
F32 = FloatFormat(8, 23, 127, "ieee")
F16 = FloatFormat(5, 10, 15, "ieee")
BF16 = FloatFormat(8, 7, 127, "ieee")
E5M2 = FloatFormat(5, 2, 15, "ieee")
E4M3 = FloatFormat(4, 3, 7, "ieee")
E4M3FN = FloatFormat(4, 3, 7, "fn")
E4M3FNUZ = FloatFormat(4, 3, 8, "fnuz")
E4M3B11FNUZ = FloatFormat(4, 3, 11, "fnuz")
E8M0FNU = FloatFormat(8, 0, 127, "exponent")
E2M3FN = FloatFormat(2, 3, 1, "finite")
E3M2FN = FloatFormat(3, 2, 3, "finite")
E2M1FN = FloatFormat(2, 1, 1, "finite")


def _overflow(fmt: FloatFormat, sign: float) -> float:
    if fmt.has_inf:
        return math.copysign(math.inf, sign)
    return math.nan if fmt.has_nan else math.copysign(fmt.max, sign)


def round_to(fmt: FloatFormat, value: float) -> float:
    """The value of `fmt` nearest to the float `value`."""
    if fmt is F64:
        return value
    if fmt is F32:
        return ctypes.c_float(value).value
    if value != value:
        if not fmt.has_nan:
            raise ValueError(f"not a number has no value in a {fmt.width}-bit float without NaN")
        return value
    if fmt.special == "exponent":
        return _round_to_power(fmt, value)
    if math.isinf(value):
        return _overflow(fmt, value)
    if value == 0.0:
        return 0.0 if fmt.special == "fnuz" else value
    exponent = max(math.frexp(value)[1] - 1, 1 - fmt.bias)
    quantum = exponent - fmt.mantissa
    # Scaling by a power of two is exact here, and Python rounds half to even.
    rounded = math.ldexp(float(round(math.ldexp(value, -quantum))), quantum)
    if abs(rounded) > fmt.max:
        return _overflow(fmt, value)
    if rounded == 0.0:
        return 0.0 if fmt.special == "fnuz" else math.copysign(0.0, value)
    return rounded


def _round_to_power(fmt: FloatFormat, value: float) -> float:
    """Rounds to a power of two; the format has neither sign nor zero."""
    least = math.ldexp(1.0, -fmt.bias)
    if value < 0 or math.isinf(value):
        return math.nan
    if value <= least:
        return least
    fraction, exponent = math.frexp(value)  # value = fraction * 2^exponent, 0.5 <= fraction < 1
    # The one significand bit is always odd, so a tie goes up.
    power = exponent if fraction >= 0.75 else exponent - 1
    return math.nan if math.ldexp(1.0, power) > fmt.max else math.ldexp(1.0, power)


def round_int_to(fmt: FloatFormat, value: int) -> float:
    """The value of `fmt` nearest to the integer `value`, rounded once."""
    size = abs(value)
    drop = size.bit_length() - (fmt.mantissa + 1)
    if drop > 0:
        kept, rest = size >> drop, size & ((1 << drop) - 1)
        half = 1 << (drop - 1)
        if rest > half or (rest == half and kept & 1):
            kept += 1
        size = kept << drop
    try:
        result = float(size)
    except OverflowError:
        result = math.inf
    return round_to(fmt, -result if value < 0 else result)


def encode(fmt: FloatFormat, value: float) -> int:
    """The bit pattern of `value`, which is rounded to `fmt` first."""
    if fmt is F64:
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    value = round_to(fmt, value)
    if fmt is F32:
        return struct.unpack("<I", struct.pack("<f", value))[0]
    sign_bit = 1 << (fmt.width - 1)
    if fmt.special == "exponent":
        return (1 << fmt.exponent) - 1 if value != value else math.frexp(value)[1] - 1 + fmt.bias
    if value != value:
        if fmt.special == "fnuz":
            return sign_bit
        top = ((1 << fmt.exponent) - 1) << fmt.mantissa
        return top | ((1 << fmt.mantissa) - 1 if fmt.special == "fn" else 1 << (fmt.mantissa - 1))
    sign = sign_bit if math.copysign(1.0, value) < 0 else 0
    size = abs(value)
    if math.isinf(size):
        return sign | ((1 << fmt.exponent) - 1) << fmt.mantissa
    if size == 0.0:
        return sign
    exponent = max(math.frexp(size)[1] - 1, 1 - fmt.bias)
    digits = int(math.ldexp(size, fmt.mantissa - exponent))
    if digits >> fmt.mantissa == 0:  # subnormal
        return sign | digits
    return sign | (exponent + fmt.bias) << fmt.mantissa | (digits - (1 << fmt.mantissa))


def decode(fmt: FloatFormat, bits: int) -> float:
    """The value of the pattern `bits`."""
    if fmt is F64:
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    if fmt is F32:
        return struct.unpack("<f", struct.pack("<I", bits))[0]
    top = (1 << fmt.exponent) - 1
    if fmt.special == "exponent":
        return math.nan if bits == top else math.ldexp(1.0, bits - fmt.bias)
    sign = -1.0 if bits >> (fmt.width - 1) else 1.0
    exponent = bits >> fmt.mantissa & top
    digits = bits & ((1 << fmt.mantissa) - 1)
    if fmt.special == "fnuz" and bits == 1 << (fmt.width - 1):
        return math.nan
    if fmt.special == "fn" and exponent == top and digits == (1 << fmt.mantissa) - 1:
        return math.nan
    if fmt.special == "ieee" and exponent == top:
        return math.nan if digits else sign * math.inf
    if exponent == 0:
        return sign * math.ldexp(float(digits), 1 - fmt.bias - fmt.mantissa)
    return sign * math.ldexp(float(digits + (1 << fmt.mantissa)), exponent - fmt.bias - fmt.mantissa)
