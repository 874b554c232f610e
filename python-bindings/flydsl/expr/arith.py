# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic on raw IR values, and the flat functions `max`, `min`, `ceildiv`, `maxnumf` …

Every name of MLIR's `arith` dialect is here. The builders (`addf`, `cmpi` …) take IR values, DSL numbers and vectors, all
of one IR type, and give a raw `ArithValue`; an ambient `fx.fastmath` applies where no `fastmath=` is given.
"""
from __future__ import annotations

import functools
import inspect

from .._mlir import ir
from .._mlir.dialects import arith as _arith
from .._mlir.dialects.arith import *  # noqa: F401,F403
from .._mlir.dialects.arith import CmpFPredicate, CmpIPredicate, FastMathFlags, RoundingMode
from .meta import as_ir_value, fastmath, fastmath_attr
from .numeric import Boolean, Index, Int32, Numeric, NumericMeta, as_numeric, is_python_number
from .utils import emit, fold
from .utils.arith import ArithValue, _to_raw
from .utils.promote import common_type
from .vector import Vector

__all__ = [
    "max", "min", "ceildiv", "maxnumf", "minnumf", "maximumf", "minimumf", "cmpi", "cmpf", "shrui", "fastmath", "FastMathFlags",
    "RoundingMode", "CmpIPredicate", "CmpFPredicate", "index_cast", "constant_vector", "ArithValue"
]


# --- raw builders -------------------------------------------------------------


def _raw_builder(name):
    """The dialect's builder `name`, made to take DSL values and the ambient fast-math flags."""
    builder = getattr(_arith, name)
    parameters = inspect.signature(builder).parameters
    values = [p for p in ("lhs", "rhs", "operand", "in_", "condition", "true_value", "false_value", "scale") if p in parameters]
    positions = [i for i, p in enumerate(parameters) if p in values]
    out = "out" in parameters
    flags = "fastmath" in parameters
    same = "lhs" in parameters and "rhs" in parameters

    @functools.wraps(builder)
    def raw(*args, **kwargs):
        args = list(args)
        for i in positions:
            if i < len(args):
                args[i] = _to_raw(args[i])
        for key in values:
            if key in kwargs:
                kwargs[key] = _to_raw(kwargs[key])
        if out and args and isinstance(args[0], NumericMeta):
            args[0] = args[0].ir_type
        if flags:
            kwargs["fastmath"] = fastmath_attr(kwargs.get("fastmath"))
        if same and len(args) == len(positions) == 2 and args[0].type != args[1].type:
            raise TypeError(f"arith.{name}: operands must have one type, found {args[0].type} and {args[1].type}")
        return builder(*args, **kwargs)

    return raw


_BUILDERS = ("addf addi addui_extended andi bitcast ceildivsi ceildivui divf divsi divui extf extsi extui fptosi fptoui floordivsi "
             "index_castui maxsi maxui minsi minui mulf muli mulsi_extended mului_extended negf ori remf remsi remui shrsi subf "
             "subi truncf trunci uitofp xori shli").split()
for _name in _BUILDERS:
    globals()[_name] = _raw_builder(_name)


def constant(v, *, type=None, index=False):
    """A constant as a raw value.

    `type`: an IR type or a numeric class; without it bool gives i1, int i32 (i64 if it does not fit), float f32, and with
    `index=True` the type is `index`. A vector type gets `v` in each element. RangeError if the type does not hold `v`.
    """
    if isinstance(v, ir.Type) and is_python_number(type):  # constant(type, value), the order of the dialect's builder
        v, type = type, v
    if isinstance(v, Numeric):
        if not v.is_static():
            raise TypeError(f"arith.constant: expected a number known while tracing, found a run-time {v.dtype.__name__}")
        type = v.dtype.ir_type if type is None and not index else type
        v = v.value
    if isinstance(v, ir.Attribute):
        return _arith.constant(v.type if type is None else type, v)
    if not is_python_number(v):
        raise TypeError(f"arith.constant: expected a number, found {v.__class__.__name__}")
    if index:
        type = ir.IndexType.get()
    elif type is None:
        type = as_numeric(v).dtype.ir_type
    else:
        type = _target("arith.constant", type)
    return ArithValue(emit.literal(type, _plain(v), "arith.constant"))


def _plain(v):
    return v if isinstance(v, (bool, int, float)) else as_numeric(v).value


def index(v):
    """The constant `v` of type `index`."""
    return constant(v, index=True)


def constant_vector(v, type):
    """The constant `v` in each element of the vector type `type`. Deprecated: prefer `fx.full`."""
    return constant(v, type=type)


def unwrap(v, *, type=None, index=False):
    """`v` as a raw IR value: DSL values unwrapped, Python numbers made constants (of `type`, or `index`)."""
    if is_python_number(v):
        return constant(v, type=type, index=index)
    return as_ir_value(v)


def index_cast(type, v):
    """`v` converted between `index` and an integer type. Deprecated: prefer the numeric classes, e.g. `fx.Int64(v)`."""
    if isinstance(type, ir.Value) or isinstance(type, Numeric):
        type, v = v, type
    type = _target("index_cast", type)
    if isinstance(v, int) and not isinstance(v, bool):
        return constant(v, type=type)
    raw = _operand("index_cast", v)
    element = emit.element_type(raw.type)
    if not isinstance(element, (ir.IntegerType, ir.IndexType)):
        raise TypeError(f"index_cast: found {raw.type}, expected an integer or index")
    signed = getattr(v, "signed", None)
    return ArithValue(emit.cast(raw, emit.element_type(type), signed is not False, True))


def select(c, t, f):
    """`t` where `c` is true, else `f`, as a raw value (of DSL numbers and vectors: as `c.select(t, f)`)."""
    if isinstance(t, (Numeric, Vector)) or isinstance(f, (Numeric, Vector)):
        condition = c if isinstance(c, (Numeric, Vector)) else _condition(c)
        return condition.select(t, f)
    raw = [None if is_python_number(v) else as_ir_value(v) for v in (t, f)]
    if raw[0] is None and raw[1] is None:
        cls = common_type(as_numeric(t).dtype, as_numeric(f).dtype, "select")
        raw = [cls(t).ir_value(), cls(f).ir_value()]
    for i, v in enumerate((t, f)):
        if raw[i] is None:
            raw[i] = emit.literal(raw[1 - i].type, _plain(v), "select")
    if raw[0].type != raw[1].type:
        raise TypeError(f"arith.select: the branches must have one type, found {raw[0].type} and {raw[1].type}")
    condition = as_ir_value(c)
    if emit.element_type(condition.type) != ir.IntegerType.get_signless(1):
        condition = emit.cast(condition, ir.IntegerType.get_signless(1), True, True)
    result = _arith.select(condition, *raw)
    return ArithValue(result, signed=getattr(t, "signed", None)) if isinstance(result, ArithValue) else result


def _condition(c):
    raw = as_ir_value(c)
    return Vector(raw) if isinstance(raw.type, ir.VectorType) else Boolean(raw)


def sitofp(type, v):
    """The signed integer `v` as the float type `type`."""
    return ArithValue(_arith.sitofp(_target("sitofp", type), _operand("sitofp", v)))


def trunc_f(type, v):
    """The float `v` rounded to the narrower float type `type`."""
    return ArithValue(_arith.truncf(_target("trunc_f", type), _operand("trunc_f", v)))


def _predicate(pred, kind, name):
    if isinstance(pred, kind):
        return pred
    if isinstance(pred, str):
        for case in kind:
            if pred in (case.name, str(case)):
                return case
    elif isinstance(pred, int) and not isinstance(pred, bool):
        try:
            return kind(pred)
        except ValueError:
            pass
    raise ValueError(f"{name}: unknown predicate {pred!r}, expected one of {', '.join(str(case) for case in kind)}")


def _pair(name, a, b):
    """Two operands as raw values of one type; a literal takes the type of the other."""
    raw = [None if is_python_number(v) else _operand(name, v) for v in (a, b)]
    if raw[0] is None and raw[1] is None:
        cls = common_type(as_numeric(a).dtype, as_numeric(b).dtype, name)
        return cls(a).ir_value(), cls(b).ir_value()
    for i, v in enumerate((a, b)):
        if raw[i] is None:
            raw[i] = emit.literal(raw[1 - i].type, _plain(v), name)
    if raw[0].type != raw[1].type:
        raise TypeError(f"{name}: operands must have one type, found {raw[0].type} and {raw[1].type}")
    return raw


def _operand(name, v):
    """`v` as a raw value of a number or vector type."""
    raw = as_ir_value(v)
    kind = getattr(raw, "type", None)
    if kind is None or not isinstance(emit.element_type(kind), (ir.IntegerType, ir.IndexType, ir.FloatType)):
        raise TypeError(f"{name}: expected numbers or vectors, found {type(v).__name__}")
    return raw


def _target(name, type):
    """An IR type, given as such or as a numeric class."""
    type = type.ir_type if isinstance(type, NumericMeta) else type
    if not isinstance(type, ir.Type) or not isinstance(emit.element_type(type), (ir.IntegerType, ir.IndexType, ir.FloatType)):
        raise TypeError(f"{name}: expected the IR type of a number or vector, or a numeric class such as fx.Int32, found {type!r}")
    return type


def cmpi(predicate, a, b):
    """A comparison of two integers as a raw i1 value; `predicate`: `CmpIPredicate`, its name ("slt") or number."""
    predicate = _predicate(predicate, CmpIPredicate, "cmpi")
    a, b = _pair("cmpi", a, b)
    if emit.is_float(a.type):
        raise TypeError(f"cmpi: found {a.type}, expected integers; use cmpf")
    return _arith.cmpi(predicate, a, b)


def cmpf(predicate, a, b, *, fastmath=None):
    """A comparison of two floats as a raw i1 value; `predicate`: `CmpFPredicate`, its name ("olt") or number."""
    predicate = _predicate(predicate, CmpFPredicate, "cmpf")
    a, b = _pair("cmpf", a, b)
    if not emit.is_float(a.type):
        raise TypeError(f"cmpf: found {a.type}, expected floats; use cmpi")
    return _arith.cmpf(predicate, a, b, fastmath=fastmath_attr(fastmath))


def shrui(v, n):
    """`v` shifted right by `n`, zeros coming in; a DSL number or vector gives one of its class."""
    if isinstance(v, (Numeric, Vector)):
        if not v.dtype.is_integer:
            raise TypeError(f"shrui requires integer operands, got {v.dtype.__name__}")
        if v.dtype is Boolean:
            v = v.to(Int32)
        if isinstance(n, Vector) or isinstance(v, Vector):
            from . import numeric
            unsigned = getattr(numeric, f"Uint{v.dtype.width}", None) if v.dtype.signed else v.dtype
            if unsigned is None:
                raise TypeError(f"shrui: found {v.dtype.__name__}, expected an integer of 8 bits or more")
            return (v.to(unsigned) >> n).to(v.dtype)
        count = as_numeric(n)
        if count.is_static():
            known = int(count.value)
            if v.is_static():
                bits = v.value & ((1 << v.dtype.width) - 1)
                return v.dtype(fold.shift("shr", bits, known, v.dtype.width))
            return v.dtype(emit.binary("shr", v.value, None, False, known=known))
        return v.dtype(_arith.shrui(v.ir_value(), v.dtype(count).ir_value()))
    a, b = _pair("shrui", v, n)
    if emit.is_float(a.type):
        raise TypeError(f"shrui: found {a.type}, expected integers")
    return _arith.shrui(a, b)


# --- extrema ------------------------------------------------------------------


def _flat(name, values):
    result = []
    for value in values:
        if isinstance(value, (list, tuple)):
            result.extend(_flat(name, value))
        elif isinstance(value, Vector) or isinstance(value, Numeric):
            result.append(value)
        elif isinstance(value, ir.Value) and isinstance(value.type, ir.VectorType):
            result.append(Vector(value))
        else:
            try:
                result.append(as_numeric(value))
            except ValueError as error:
                raise TypeError(f"{name}: {error}") from None
            except TypeError:
                raise TypeError(f"{name}: expected numbers or vectors, found {type(value).__name__}") from None
    return result


def _combine(name, op, a, b, flags):
    dtype = common_type(a.dtype, b.dtype, name)
    dtype = Int32 if dtype is Boolean else dtype
    if isinstance(a, Vector) or isinstance(b, Vector):
        vector, other, swap = (a, b, False) if isinstance(a, Vector) else (b, a, True)
        return vector._binary(op, other, swap, flags)
    a, b = dtype(a), dtype(b)
    if a.is_static() and b.is_static():
        return dtype(fold.float_binary(op, a.value, b.value, dtype._static) if dtype.is_float else fold.int_binary(op, a.value, b.value))
    return dtype(emit.binary(op, a.ir_value(), b.ir_value(), dtype.signed is not False, fastmath=flags))


def _extremum(name, op, values, flags):
    values = _flat(name, values)
    if not values:
        raise ValueError(f"{name}: expected at least one value, found none")
    for value in values:
        if value.dtype is Index:
            raise TypeError(f"{name}: found Index, expected numbers of known width; convert it to Int32 or Int64 first")
        if value.dtype.is_float and value.dtype.width < 16:
            raise TypeError(f"{name}: found {value.dtype.__name__}, expected floats of 16 bits or more; convert it to Float32 first")
    result = values[0]
    if result.dtype is Boolean:
        result = result.to(Int32)
    for value in values[1:]:
        result = _combine(name, op, result, value, flags)
    return result


def max(*xs, fastmath=None):
    """The largest of one or more numbers or vectors (lists are flattened), promoted to one class.

    NaN if a float is NaN. Boolean counts as Int32. TypeError for `Index` and floats below 16 bit, ValueError for no value.
    """
    return _extremum("max", "maximum", xs, fastmath)


def min(*xs, fastmath=None):
    """The smallest of one or more numbers or vectors; see `max`."""
    return _extremum("min", "minimum", xs, fastmath)


def _float_pair(name, op, a, b, flags):
    """A float extremum: DSL operands promote and give a DSL value, raw ones of one type a raw value."""
    if any(isinstance(v, (Numeric, Vector)) for v in (a, b)) or all(is_python_number(v) for v in (a, b)):
        values = _flat(name, (a, b))
        for value in values:
            if not value.dtype.is_float and not (value.dtype is not Boolean and isinstance(value, Numeric) and value.is_static()):
                raise TypeError(f"{name}: found {value.dtype.__name__}, expected floats; use fx.{'max' if 'max' in name else 'min'}")
        if not any(value.dtype.is_float for value in values):
            raise TypeError(f"{name}: found {values[0].dtype.__name__}, expected floats")
        if all(isinstance(v, Numeric) for v in values) and any(value.dtype.is_integer for value in values):
            dtype = next(v.dtype for v in values if v.dtype.is_float)
            values = [dtype(v) for v in values]
        return _combine(name, op, *values, flags)
    lhs, rhs = _pair(name, a, b)
    if not emit.is_float(lhs.type):
        raise TypeError(f"{name}: found {lhs.type}, expected floats")
    return ArithValue(emit.binary(op, lhs, rhs, True, fastmath=flags))


def maximumf(a, b, *, fastmath=None):
    """The larger of two floats; NaN if one is NaN."""
    return _float_pair("maximumf", "maximum", a, b, fastmath)


def minimumf(a, b, *, fastmath=None):
    """The smaller of two floats; NaN if one is NaN."""
    return _float_pair("minimumf", "minimum", a, b, fastmath)


def maxnumf(a, b, *, fastmath=None):
    """The larger of two floats; if one is NaN the other."""
    return _float_pair("maxnumf", "maxnum", a, b, fastmath)


def minnumf(a, b, *, fastmath=None):
    """The smaller of two floats; if one is NaN the other."""
    return _float_pair("minnumf", "minnum", a, b, fastmath)


def ceildiv(a, b):
    """a / b rounded up, of integers or integer vectors, without overflow on the way.

    ZeroDivisionError for a zero that is known while tracing; TypeError for floats.
    """
    a, b = _flat("ceildiv", (a, b))
    for value in (a, b):
        if not value.dtype.is_integer:
            raise TypeError(f"ceildiv requires integer operands, got {value.dtype.__name__}")
    dtype = common_type(a.dtype, b.dtype, "ceildiv")
    dtype = Int32 if dtype is Boolean else dtype
    if isinstance(b, Numeric) and b.is_static() and dtype(b).value == 0:
        raise ZeroDivisionError("ceildiv: division by zero")
    if isinstance(a, Vector) or isinstance(b, Vector):
        from .vector import _aligned
        shape, lhs, rhs = _aligned(a, b, dtype)
        return Vector((_arith.ceildivsi if dtype.signed else _arith.ceildivui)(lhs, rhs), shape, dtype)
    a, b = dtype(a), dtype(b)
    if a.is_static() and b.is_static():
        return dtype(-(-a.value // b.value))
    return dtype((_arith.ceildivsi if dtype.signed else _arith.ceildivui)(a.ir_value(), b.ir_value()))
