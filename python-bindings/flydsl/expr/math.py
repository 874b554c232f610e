# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of numbers and vectors.

The first operand decides: a DSL number gives one of its class, a `Vector` one of its shape and class; a Python number or a
raw IR value gives a raw `ArithValue`. Nothing is promoted: further operands have the class of the first or are Python
numbers, which are converted. Float functions take Float16, BFloat16, Float32 and Float64 and `fastmath=` (see
`fx.fastmath`); another operand is a TypeError that names the function, what it found and what it expects.
"""
from __future__ import annotations

from .._mlir import ir
from .._mlir.dialects import math as _math
from .meta import fastmath_attr
from .numeric import Boolean, Float32, Int32, Int64, Numeric, as_numeric, is_python_number, of_int_tuple
from .utils import emit
from .utils.arith import ArithValue
from .vector import Vector

_UNARY_DOCS = {
    "absf": "The absolute value of a float.",
    "ceil": "The least whole number that is not below x.",
    "floor": "The largest whole number that is not above x.",
    "trunc": "x without its fraction.",
    "roundeven": "The nearest whole number, halves to the even one.",
    "exp": "e to the power x.",
    "exp2": "2 to the power x.",
    "expm1": "e to the power x, minus 1.",
    "log": "The natural logarithm of x.",
    "log2": "The logarithm of x to the base 2.",
    "log10": "The logarithm of x to the base 10.",
    "log1p": "The natural logarithm of 1 + x.",
    "sqrt": "The square root of x.",
    "rsqrt": "1 / sqrt(x).",
    "cbrt": "The cube root of x.",
    "sin": "The sine of x (radians).",
    "cos": "The cosine of x (radians).",
    "tan": "The tangent of x (radians).",
    "asin": "The arc sine of x, in radians.",
    "acos": "The arc cosine of x, in radians.",
    "atan": "The arc tangent of x, in radians.",
    "sinh": "The hyperbolic sine of x.",
    "cosh": "The hyperbolic cosine of x.",
    "tanh": "The hyperbolic tangent of x.",
    "asinh": "The inverse hyperbolic sine of x.",
    "acosh": "The inverse hyperbolic cosine of x.",
    "atanh": "The inverse hyperbolic tangent of x.",
    "erf": "The error function of x.",
    "erfc": "1 - erf(x).",
}

_INTEGER_DOCS = {
    "ctlz": "The number of zero bits above the highest one bit of an integer.",
    "cttz": "The number of zero bits below the lowest one bit of an integer.",
    "ctpop": "The number of one bits of an integer.",
}

_PREDICATE_DOCS = {
    "isnan": "Whether x is not a number.",
    "isinf": "Whether x is infinite.",
    "isfinite": "Whether x is neither infinite nor NaN.",
    "isnormal": "Whether x is a normal number: not zero, subnormal, infinite or NaN.",
}

_FLOATS = "a float of 16 bits or more (Float16, BFloat16, Float32, Float64) or a vector of these"
_INTEGERS = "an integer or a vector of integers"


def _is_vector(value) -> bool:
    return isinstance(value, ir.Value) and isinstance(value.type, ir.VectorType)


def _first(name, value, floats):
    """The first operand as (raw value, class of its elements, function that wraps the raw result)."""
    if isinstance(value, (ir.OpView, ir.Operation)):
        value = value.result
    value = of_int_tuple(value)
    if isinstance(value, Vector):
        shape, dtype = value.shape, value.dtype
        _check(name, dtype, floats)
        return value.ir_value(), dtype, lambda raw, cls=dtype: Vector(raw, shape, cls)
    if isinstance(value, Numeric):
        dtype = type(value)
        _check(name, dtype, floats)
        return value.ir_value(), dtype, lambda raw, cls=dtype: cls(raw)
    if is_python_number(value):
        number = as_numeric(value)
        if floats and number.dtype.is_integer:
            number = Float32(number)
        _check(name, number.dtype, floats)
        return number.ir_value(), number.dtype, lambda raw, cls=None: ArithValue(raw)
    if isinstance(value, ir.Value):
        element = emit.element_type(value.type)
        if isinstance(element, (ir.IntegerType, ir.IndexType, ir.FloatType)):
            dtype = Numeric.from_ir_type(element)
            _check(name, dtype, floats, found=value.type)
            return value, dtype, lambda raw, cls=None: ArithValue(raw)
        raise TypeError(f"{name}: found a value of type {value.type}, expected {_FLOATS if floats else _INTEGERS}")
    raise TypeError(f"{name}: found {type(value).__name__}, expected {_FLOATS if floats else _INTEGERS}")


def _check(name, dtype, floats, found=None):
    found = dtype.__name__ if found is None else found
    if not floats:
        if not dtype.is_integer or dtype is Boolean:
            raise TypeError(f"{name}: found {found}, expected {_INTEGERS}")
    elif not dtype.is_float:
        raise TypeError(f"{name}: found {found}, expected {_FLOATS}; convert it first, e.g. fx.Float32(x)")
    elif dtype.width < 16:
        raise TypeError(f"{name}: found {found}, expected {_FLOATS}; convert it to Float32 first")


def _next(name, value, like, dtype, position):
    """A further operand as a raw value of the type of `like`; `dtype` is the class of its elements."""
    if isinstance(value, (ir.OpView, ir.Operation)):
        value = value.result
    where = f"{name}: operand {position}"
    if is_python_number(value):
        return emit.constant(emit.like(like.type, dtype.ir_type), dtype(value).value)
    if isinstance(value, (Numeric, Vector)):
        if value.dtype is not dtype:
            raise TypeError(f"{where}: found {value.dtype.__name__}, expected {dtype.__name__} as the first operand; convert it "
                            f"with {'.to(fx.' + dtype.__name__ + ')' if isinstance(value, Vector) else 'fx.' + dtype.__name__ + '(x)'}")
        value = value.ir_value()
    if not isinstance(value, ir.Value):
        raise TypeError(f"{where}: found {type(value).__name__}, expected {dtype.__name__}")
    wanted = emit.like(like.type, dtype.ir_type)
    if value.type == wanted:
        return value
    if isinstance(wanted, ir.VectorType) and value.type == wanted.element_type:
        return emit.splat(wanted, value)
    raise TypeError(f"{where}: found {value.type}, expected {wanted}")


def _make_unary(name, doc):
    builder = getattr(_math, name)

    def function(x, *, fastmath=None):
        raw, _, wrap = _first(name, x, True)
        return wrap(builder(raw, fastmath=fastmath_attr(fastmath)))

    return _named(function, name, doc)


def _make_integer(name, doc):
    builder = getattr(_math, name)

    def function(x):
        raw, dtype, wrap = _first(name, x, False)
        if dtype.ir_type == ir.IndexType.get():
            raise TypeError(f"{name}: found Index, expected {_INTEGERS} of known width; convert it to Int64 first")
        return wrap(builder(raw))

    return _named(function, name, doc)


def _make_predicate(name, doc):
    builder = getattr(_math, name)

    def function(x, *, fastmath=None):
        raw, _, wrap = _first(name, x, True)
        return wrap(builder(raw, fastmath=fastmath_attr(fastmath)), Boolean)

    return _named(function, name, doc)


def _named(function, name, doc):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


for _name, _doc in _UNARY_DOCS.items():
    globals()[_name] = _make_unary(_name, _doc)
for _name, _doc in _INTEGER_DOCS.items():
    globals()[_name] = _make_integer(_name, _doc)
for _name, _doc in _PREDICATE_DOCS.items():
    globals()[_name] = _make_predicate(_name, _doc)


def round(x, *, fastmath=None):
    """The nearest whole number, halves to the even one, as Python's `round`; see `round_half_away`."""
    raw, _, wrap = _first("round", x, True)
    return wrap(_math.roundeven(raw, fastmath=fastmath_attr(fastmath)))


def round_half_away(x, *, fastmath=None):
    """The nearest whole number, halves away from zero, as C's `round`."""
    raw, _, wrap = _first("round_half_away", x, True)
    return wrap(_math.round(raw, fastmath=fastmath_attr(fastmath)))


def absi(x):
    """The absolute value of an integer; of the least signed one itself. An unsigned one stays."""
    raw, dtype, wrap = _first("absi", x, False)
    return wrap(_math.absi(raw) if dtype.signed else raw)


def sincos(x, *, fastmath=None):
    """(sin(x), cos(x)), x in radians."""
    raw, _, wrap = _first("sincos", x, True)
    sine, cosine = _math.sincos(raw, fastmath=fastmath_attr(fastmath))
    return wrap(sine), wrap(cosine)


def powf(base, exponent, *, fastmath=None):
    """A float to a float power."""
    raw, dtype, wrap = _first("powf", base, True)
    return wrap(_math.powf(raw, _next("powf", exponent, raw, dtype, 2), fastmath=fastmath_attr(fastmath)))


def fpowi(base, exponent, *, fastmath=None):
    """A float to an integer power (Int32 or Int64, or a vector of them of the base's shape)."""
    raw, _, wrap = _first("fpowi", base, True)
    if is_python_number(exponent):
        number = as_numeric(exponent)
        dtype = number.dtype if number.dtype.is_integer and number.dtype is not Boolean else None
    elif isinstance(exponent, (Numeric, Vector)):
        dtype = exponent.dtype
    elif isinstance(exponent, ir.Value) and isinstance(emit.element_type(exponent.type), ir.IntegerType):
        dtype = Numeric.from_ir_type(emit.element_type(exponent.type))
    else:
        dtype = None
    if dtype not in (Int32, Int64):
        found = type(exponent).__name__ if dtype is None else dtype.__name__
        raise TypeError(f"fpowi: operand 2: found {found}, expected Int32 or Int64")
    return wrap(_math.fpowi(raw, _next("fpowi", exponent, raw, dtype, 2), fastmath=fastmath_attr(fastmath)))


def ipowi(base, exponent):
    """An integer to an integer power, modulo 2^width. A negative power of another base than 1 and -1 gives 0."""
    raw, dtype, wrap = _first("ipowi", base, False)
    return wrap(emit.binary("pow", raw, _next("ipowi", exponent, raw, dtype, 2), dtype.signed))


def atan2(y, x, *, fastmath=None):
    """The angle, in radians from -pi to pi, of the point (x, y)."""
    raw, dtype, wrap = _first("atan2", y, True)
    return wrap(_math.atan2(raw, _next("atan2", x, raw, dtype, 2), fastmath=fastmath_attr(fastmath)))


def copysign(magnitude, sign, *, fastmath=None):
    """`magnitude` with the sign of `sign`."""
    raw, dtype, wrap = _first("copysign", magnitude, True)
    return wrap(_math.copysign(raw, _next("copysign", sign, raw, dtype, 2), fastmath=fastmath_attr(fastmath)))


def fma(a, b, c, *, fastmath=None):
    """a * b + c, rounded once."""
    raw, dtype, wrap = _first("fma", a, True)
    return wrap(_math.fma(raw, _next("fma", b, raw, dtype, 2), _next("fma", c, raw, dtype, 3), fastmath=fastmath_attr(fastmath)))


def clampf(x, lo, hi, *, fastmath=None):
    """x, but at least `lo` and at most `hi`."""
    raw, dtype, wrap = _first("clampf", x, True)
    return wrap(_math.clampf(raw, _next("clampf", lo, raw, dtype, 2), _next("clampf", hi, raw, dtype, 3),
                             fastmath=fastmath_attr(fastmath)))


__all__ = [
    *_UNARY_DOCS, *_INTEGER_DOCS, *_PREDICATE_DOCS, "round", "round_half_away", "absi", "sincos", "powf", "fpowi", "ipowi",
    "atan2", "copysign", "fma", "clampf"
]
