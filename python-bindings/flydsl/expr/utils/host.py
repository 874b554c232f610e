# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers that cross the host call, and Python literals that are stored."""
from __future__ import annotations

import ctypes
import math

from ..._mlir import ir
from . import floats


def _c_type(cls):
    from ..numeric import BFloat16, Boolean, Float16, Float32, Float64, Index
    if cls is Boolean:
        return ctypes.c_bool
    if cls in (Float16, BFloat16):
        return ctypes.c_uint16
    if cls is Float32:
        return ctypes.c_float
    if cls is Float64:
        return ctypes.c_double
    if cls is Index:
        return ctypes.c_uint64
    if cls.is_integer and cls.width in (8, 16, 32, 64):
        return getattr(ctypes, f"c_{'int' if cls.signed else 'uint'}{cls.width}")
    raise TypeError(f"{cls.__name__} cannot be a launch argument; expected Boolean, an integer of 8 to 64 bit, Float16, "
                    "BFloat16, Float32 or Float64: pass the bits as an integer and use bitcast()")


def host_value(value, cls, what="argument"):
    """What a ctypes cell of class `cls` takes for `value`: float types below 32 bit as their rounded bit patterns."""
    number = convert(value, cls, what)
    if not number.is_static():
        raise TypeError(f"{what}: expected a number known to the host, found a run-time {cls.__name__}")
    if cls.is_float and cls.width < 32:
        return floats.encode(cls._fmt, number.value)
    return number.value


def c_abi_spec(cls):
    """One `(ctypes type, fill)` pair; `fill(arg, cell)` writes a Python number or DSL number into the cell."""

    def fill(arg, cell):
        cell.value = host_value(arg, cls)

    return [(_c_type(cls), fill)]


def convert(value, dtype, what):
    """See `numeric.convert_literal`."""
    from ..numeric import Numeric, NumericMeta, _plain, is_python_number
    if not isinstance(dtype, NumericMeta):
        raise TypeError(f"{what}: expected a numeric class to convert to, found {dtype!r}")
    if isinstance(value, Numeric):
        if type(value) is dtype:
            return value
        raise TypeError(f"{what}: found {type(value).__name__}, expected {dtype.__name__}; convert it with "
                        f"fx.{dtype.__name__}(value)")
    if isinstance(value, (ir.OpView, ir.Operation)):
        value = value.result
    if isinstance(value, ir.Value):
        if value.type == dtype.ir_type:
            return dtype(value)
        raise TypeError(f"{what}: found a value of type {value.type}, expected {dtype.ir_type} ({dtype.__name__}); convert it "
                        f"with fx.{dtype.__name__}(value)")
    if not is_python_number(value):
        raise TypeError(f"{what}: found {type(value).__name__}, expected {dtype.__name__} or a number")
    value = _plain(value)
    return _convert_float(value, dtype, what) if dtype.is_float else _convert_int(value, dtype, what)


def _convert_int(value, dtype, what):
    from ..numeric import RangeError, check_int
    if isinstance(value, float):
        if math.isinf(value) or value != value or value != math.floor(value):
            raise RangeError(f"{what}: the float {value} is no {dtype.__name__}; round it, or convert it with "
                             f"fx.{dtype.__name__}(value), which drops the fraction")
        value = int(value)
    check_int(int(value), dtype, what, f"fx.{dtype.__name__}(value) wraps")
    return dtype(value)


def _convert_float(value, dtype, what):
    from ..numeric import RangeError
    finite = isinstance(value, int) or (value == value and not math.isinf(value))
    try:
        number = dtype(value)
    except ValueError as error:
        raise RangeError(f"{what}: {error}") from None
    result = number.value
    outside = finite and (result != result or math.isinf(result) or (not dtype._fmt.has_inf and abs(value) > dtype._fmt.max))
    if outside or (not finite and value == value and not math.isinf(result)):
        raise RangeError(f"{what}: {value} is outside {dtype.__name__}, whose largest number is {dtype._fmt.max}")
    return number
