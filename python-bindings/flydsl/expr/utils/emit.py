# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The operations behind the operators of scalars and vectors, on raw IR values.

Every function takes values whose element types already agree, and works for a scalar and for a vector alike, so that
the two cannot differ. `signed` is the sign of the integer operands.
"""
from __future__ import annotations

import math as _pymath

from ..._mlir import ir
from ..._mlir.dialects import arith
from ..meta import fastmath_attr
from .fold import RangeError, check_power, check_shift, is_small_power, power_steps, wrap_int

NO_INT = ("dynamic 'ArithValue' has no Python integer representation (its type is {found}, known only at run time); "
          "int(), range() and list indices need a number known at trace time, e.g. an fx.Constexpr argument")


def cannot_bool(name):
    """The text for a run-time value where Python needs true or false."""
    return (f"cannot evaluate dynamic '{name}' as Python bool during tracing; inside a @flyc.jit or @flyc.kernel function "
            "use it in 'if', 'while', 'and', 'or', 'not' directly, elsewhere use cond.select(a, b); for Python's max and min "
            "use fx.max and fx.min")


# --- types --------------------------------------------------------------------


def element_type(type_):
    """The element type of a vector type, another type itself."""
    return type_.element_type if isinstance(type_, ir.VectorType) else type_


def like(type_, element):
    """`type_` with the element type `element`."""
    return ir.VectorType.get(type_.shape, element) if isinstance(type_, ir.VectorType) else element


def is_float(type_) -> bool:
    return isinstance(element_type(type_), ir.FloatType)


def int_width(type_) -> int:
    """Bits of an integer element type; `index` counts as 64."""
    element = element_type(type_)
    return 64 if isinstance(element, ir.IndexType) else element.width


def constant(type_, value):
    """A constant; a vector type gets `value` in each element. Integers are wrapped to the type."""
    element = element_type(type_)
    if isinstance(element, ir.FloatType):
        attr = ir.FloatAttr.get(element, float(value))
    else:
        width = int_width(element)
        value = wrap_int(int(value), width, width > 1)
        if width > 64:
            attr = ir.Attribute.parse(f"{value} : {element}")
        else:
            attr = ir.IntegerAttr.get(element, value)
    if type_ is not element and isinstance(type_, ir.VectorType):
        attr = ir.DenseElementsAttr.get_splat(type_, attr)
    return arith.ConstantOp(type_, attr).result


def literal(type_, value, what):
    """The Python literal `value` as a constant of the raw type `type_`, which must hold it."""
    element = element_type(type_)
    if isinstance(element, ir.FloatType):
        return constant(type_, value)
    if isinstance(value, float):
        raise TypeError(f"{what}: the float literal {value} beside a raw value of type {element}; "
                        "convert the value first, e.g. fx.Float32(fx.Int32(value))")
    width = int_width(element)
    if not -(1 << (width - 1)) <= value < (1 << width):
        raise RangeError(f"{what}: the literal {value} is outside {element}")
    return constant(type_, value)


def splat(vector_type, scalar):
    """`scalar` in each element of a vector."""
    from ..._mlir.dialects import vector
    return vector.broadcast(vector_type, scalar)


# --- arithmetic ---------------------------------------------------------------

_INT = {"add": "addi", "sub": "subi", "mul": "muli", "and_": "andi", "or_": "ori", "xor": "xori", "shl": "shli"}
_FLOAT = {"add": "addf", "sub": "subf", "mul": "mulf", "div": "divf", "maximum": "maximumf", "minimum": "minimumf",
          "maxnum": "maxnumf", "minnum": "minnumf"}
_SIGNED = {"maximum": ("maxsi", "maxui"), "minimum": ("minsi", "minui"), "maxnum": ("maxsi", "maxui"),
           "minnum": ("minsi", "minui"), "shr": ("shrsi", "shrui")}


def binary(op, lhs, rhs, signed, *, fastmath=None, known=None):
    """The binary operator `op` of two values of one type.

    `known`: the Python number that `rhs` is, if it is one; `rhs` may then be None, and becomes a constant if it is needed.
    """
    if rhs is None and op not in ("shl", "shr", "pow") and not (op in ("floordiv", "mod") and not is_float(lhs.type)):
        rhs = constant(lhs.type, known)
    if is_float(lhs.type):
        return _float_binary(op, lhs, rhs, fastmath_attr(fastmath), known)
    if op in _INT:
        if op == "shl" and known is not None:
            return _shift_known(op, lhs, rhs, signed, known)
        return getattr(arith, _INT[op])(lhs, rhs)
    if op == "floordiv":
        return _floordiv_int(lhs, rhs, signed, known)
    if op == "mod":
        return _mod_int(lhs, rhs, signed, known)
    if op == "shr" and known is not None:
        return _shift_known(op, lhs, rhs, signed, known)
    if op in _SIGNED:
        return getattr(arith, _SIGNED[op][0 if signed else 1])(lhs, rhs)
    if op == "pow":
        if known is not None:
            check_power(known)
            return power_known(lhs, known)
        return _pow_int(lhs, rhs, signed)
    raise TypeError(f"{op} requires float operands, got {lhs.type}")


def _shift_known(op, lhs, rhs, signed, count):
    """A shift by a known count, from 0 to below the width: the IR operation is undefined beyond."""
    check_shift(count, int_width(lhs.type))
    rhs = constant(lhs.type, count) if rhs is None else rhs
    if op == "shl":
        return arith.shli(lhs, rhs)
    return (arith.shrsi if signed else arith.shrui)(lhs, rhs)


def _check_divisor(known):
    if known is not None and known == 0:
        raise ZeroDivisionError("integer division or modulo by zero")


def _floordiv_int(lhs, rhs, signed, known):
    _check_divisor(known)
    if signed and known == -1:  # the division instruction overflows for the least integer
        return arith.subi(constant(lhs.type, 0), lhs)
    rhs = constant(lhs.type, known) if rhs is None else rhs
    return (arith.floordivsi if signed else arith.divui)(lhs, rhs)


def _mod_int(lhs, rhs, signed, known):
    """The remainder with the divisor's sign, as Python's `%`."""
    _check_divisor(known)
    type_ = lhs.type
    if known is not None and known in (1, -1):
        return constant(type_, 0)
    if known is not None and known > 0 and known & (known - 1) == 0:
        return arith.andi(lhs, constant(type_, known - 1))
    rhs = constant(type_, known) if rhs is None else rhs
    if not signed:
        return arith.remui(lhs, rhs)
    rest = arith.remsi(lhs, rhs)
    zero = constant(type_, 0)
    predicate = arith.CmpIPredicate
    if known is not None:
        wrong = arith.cmpi(predicate.slt if known > 0 else predicate.sgt, rest, zero)
    else:
        differ = arith.cmpi(predicate.slt, arith.xori(rest, rhs), zero)
        wrong = arith.andi(differ, arith.cmpi(predicate.ne, rest, zero))
    return arith.select(wrong, arith.addi(rest, rhs), rest)


def _pow_int(lhs, rhs, signed):
    from ..._mlir.dialects import math
    if not signed:
        # The operation reads the exponent as signed. With its top bit set it becomes a smaller exponent of the same result:
        # odd bases repeat after 2^(width-2), even ones are zero from `width` on.
        width = int_width(lhs.type)
        period = constant(lhs.type, 1 << (width - 2))
        low = arith.ori(arith.andi(rhs, constant(lhs.type, (1 << (width - 2)) - 1)), period)
        big = arith.cmpi(arith.CmpIPredicate.slt, rhs, constant(lhs.type, 0))
        rhs = arith.select(big, low, rhs)
    return math.ipowi(lhs, rhs)


def _float_binary(op, lhs, rhs, flags, known):
    if op in _FLOAT:
        return getattr(arith, _FLOAT[op])(lhs, rhs, fastmath=flags)
    if op == "pow":
        if known is not None and is_small_power(known):
            return power_known(lhs, int(known), flags)
        from ..._mlir.dialects import math
        rhs = constant(lhs.type, known) if rhs is None else rhs
        return math.powf(lhs, rhs, fastmath=flags)
    if op not in ("floordiv", "mod"):
        raise TypeError(f"{op} requires integer operands, got {lhs.type}")
    if known is not None and known == 0:
        raise ZeroDivisionError("float floor division by zero" if op == "floordiv" else "float modulo by zero")
    return (_floordiv_float if op == "floordiv" else _mod_float)(lhs, rhs, flags, known)


def _wrong_sign(rest, rhs, zero, known):
    """Whether the remainder `rest` is not zero and has not the sign of the divisor."""
    predicate = arith.CmpFPredicate
    if known is not None:
        return arith.cmpf(predicate.OLT if known > 0 else predicate.OGT, rest, zero)
    differ = arith.xori(arith.cmpf(predicate.OLT, rest, zero), arith.cmpf(predicate.OLT, rhs, zero))
    return arith.andi(differ, arith.cmpf(predicate.ONE, rest, zero))


def _floordiv_float(lhs, rhs, flags, known):
    """Python's `//`: the rounded quotient may be the next whole number up (1.0 // 0.1 is 9), which its remainder shows."""
    from ..._mlir.dialects import math
    type_ = lhs.type
    zero = constant(type_, 0.0)
    down = math.floor(arith.divf(lhs, rhs, fastmath=flags), fastmath=flags)
    rest = math.fma(arith.negf(down, fastmath=flags), rhs, lhs, fastmath=flags)
    rest = arith.select(arith.cmpf(arith.CmpFPredicate.OEQ, down, zero), lhs, rest)  # 0 * inf is no number
    lower = arith.subf(down, constant(type_, 1.0), fastmath=flags)
    down = arith.select(_wrong_sign(rest, rhs, zero, known), lower, down)
    # Of an infinity: NaN, as in Python. Taking 0 away leaves a zero its sign, adding it would not.
    return arith.subf(down, arith.subf(lhs, lhs, fastmath=flags), fastmath=flags)


def _mod_float(lhs, rhs, flags, known):
    from ..._mlir.dialects import math
    type_ = lhs.type
    zero = constant(type_, 0.0)
    rest = arith.remf(lhs, rhs, fastmath=flags)
    moved = arith.select(_wrong_sign(rest, rhs, zero, known), arith.addf(rest, rhs, fastmath=flags), rest)
    signed_zero = constant(type_, _pymath.copysign(0.0, known)) if known is not None else math.copysign(zero, rhs)
    return arith.select(arith.cmpf(arith.CmpFPredicate.OEQ, rest, zero), signed_zero, moved)


def power_known(value, exponent, flags=None):
    """`value` to a whole power known while tracing, by multiplications; a negative power is the inverse of the positive."""
    floats = is_float(value.type)
    if exponent == 0:
        return constant(value.type, 1)
    if exponent < 0:
        one = constant(value.type, 1.0)
        return arith.divf(one, power_known(value, -exponent, flags), fastmath=flags)
    result = None
    for step in power_steps(exponent):
        if result is None:
            result = value
        elif step == "square":
            result = arith.mulf(result, result, fastmath=flags) if floats else arith.muli(result, result)
        else:
            result = arith.mulf(result, value, fastmath=flags) if floats else arith.muli(result, value)
    return result


def mixed_pow(base, exponent, fastmath=None):
    """A float to an integer power."""
    from ..._mlir.dialects import math
    return math.fpowi(base, exponent, fastmath=fastmath_attr(fastmath))


_COMPARE = {"eq": ("eq", "eq", "OEQ"), "ne": ("ne", "ne", "UNE"), "lt": ("slt", "ult", "OLT"),
            "le": ("sle", "ule", "OLE"), "gt": ("sgt", "ugt", "OGT"), "ge": ("sge", "uge", "OGE")}


def compare(op, lhs, rhs, signed):
    """A comparison of two values of one type: i1, or a vector of them."""
    names = _COMPARE[op]
    if is_float(lhs.type):
        return arith.cmpf(arith.CmpFPredicate[names[2]], lhs, rhs, fastmath=fastmath_attr())
    return arith.cmpi(arith.CmpIPredicate[names[0] if signed else names[1]], lhs, rhs)


def negate(value, fastmath=None):
    if is_float(value.type):
        return arith.negf(value, fastmath=fastmath_attr(fastmath))
    return arith.subi(constant(value.type, 0), value)


def invert(value):
    if is_float(value.type):
        raise TypeError(f"invert requires an integer operand, got {value.type}")
    return arith.xori(value, constant(value.type, -1))


def absolute(value, signed):
    from ..._mlir.dialects import math
    if is_float(value.type):
        return math.absf(value, fastmath=fastmath_attr())
    return math.absi(value) if signed else value


def unary_math(name, value, fastmath=None):
    """A function of the math dialect with one float operand and result."""
    from ..._mlir.dialects import math
    if not is_float(value.type):
        raise TypeError(f"{name}: expected a float value, found {value.type}")
    return getattr(math, name)(value, fastmath=fastmath_attr(fastmath))


def select(condition, true_value, false_value):
    return arith.select(condition, true_value, false_value)


def as_i32(value, what):
    """`value` (int, DSL integer, raw integer or index) as an i32 value."""
    i32 = ir.IntegerType.get_signless(32)
    if isinstance(value, bool) or isinstance(value, float):
        raise TypeError(f"{what}: expected an integer, found {type(value).__name__}")
    if isinstance(value, int):
        return constant(i32, value)
    signed = getattr(value, "signed", None)
    raw = value.ir_value() if hasattr(value, "ir_value") else value
    if not isinstance(raw, ir.Value) or is_float(raw.type) or isinstance(raw.type, ir.VectorType):
        found = raw.type if isinstance(raw, ir.Value) else type(value).__name__
        raise TypeError(f"{what}: expected an integer, found {found}")
    return cast(raw, i32, signed is not False, True)


def shuffle_xor(value, offset, width):
    from ..._mlir.dialects import gpu
    mode = ir.Attribute.parse("#gpu<shuffle_mode xor>")
    return gpu.ShuffleOp(value, as_i32(offset, "shuffle_xor: offset"), as_i32(width, "shuffle_xor: width"), mode).results[0]


# --- conversions --------------------------------------------------------------


def float_width(type_) -> int:
    return element_type(type_).width


def cast(value, to, signed, to_signed, rounding=None):
    """`value` converted to the element type `to` (integers by their signs); the same value if it has the type."""
    source = element_type(value.type)
    if source == to:
        return value
    out = like(value.type, to)
    if isinstance(source, ir.FloatType):
        if isinstance(to, ir.FloatType):
            return _float_to_float(value, source, to, rounding)
        if isinstance(to, ir.IndexType):
            return cast(cast(value, ir.IntegerType.get_signless(64), True, to_signed), to, to_signed, to_signed)
        if float_width(source) < 16:
            value = cast(value, ir.F32Type.get(), True, True)
        if to.width == 1:
            return compare("ne", value, constant(value.type, 0.0), True)
        return (arith.fptosi if to_signed else arith.fptoui)(out, value)
    boolean = isinstance(source, ir.IntegerType) and source.width == 1
    if isinstance(to, ir.FloatType):
        if isinstance(source, ir.IndexType):
            value = cast(value, ir.IntegerType.get_signless(64), signed, signed)
        if to.width < 16 or isinstance(to, ir.BF16Type):
            # No target converts to these at once. Constants, which MLIR rounds once, must not differ from what runs.
            return cast(cast(value, ir.F32Type.get(), signed, True), to, True, True)
        return (arith.sitofp if signed and not boolean else arith.uitofp)(out, value)
    if isinstance(to, ir.IntegerType) and to.width == 1:
        return compare("ne", value, constant(value.type, 0), False)
    if isinstance(to, ir.IndexType) or isinstance(source, ir.IndexType):
        narrow = isinstance(source, ir.IndexType) and to.width <= 64  # the sign does not matter
        return (arith.index_cast if narrow or (signed and not boolean) else arith.index_castui)(out, value)
    if to.width < source.width:
        return arith.trunci(out, value)
    return (arith.extsi if signed and not boolean else arith.extui)(out, value)


def _float_to_float(value, source, to, rounding):
    out = like(value.type, to)
    narrow = float_width(to) < float_width(source)
    same = float_width(to) == float_width(source)
    small = float_width(to) < 16 and float_width(source) < 16
    # A power-of-two format reaches beyond f16, and two formats of one width or below 16 bit have no common direct step.
    odd = any(isinstance(t, ir.Float8E8M0FNUType) for t in (source, to)) and min(float_width(source), float_width(to)) < 16 \
        and max(float_width(source), float_width(to)) == 16
    if same or small or odd:
        f32 = ir.F32Type.get()
        return _float_to_float(_float_to_float(value, source, f32, None), f32, to, rounding)
    if narrow:
        return arith.truncf(out, value, roundingmode=rounding)
    return arith.extf(out, value)


def bitcast(value, to):
    """The bits of `value` with the element type `to`; a vector's number of elements follows the widths."""
    if isinstance(value.type, ir.VectorType):
        from ..._mlir.dialects import vector
        if isinstance(to, ir.VectorType):
            return vector.bitcast(to, value)
        shape = list(value.type.shape)
        bits = shape[-1] * element_type(value.type).width
        if bits % to.width:
            raise ValueError(f"bitcast: {shape[-1]} x {element_type(value.type)} is no whole number of {to}")
        shape[-1] = bits // to.width
        if to.width == element_type(value.type).width:
            return arith.bitcast(ir.VectorType.get(shape, to), value)
        return vector.bitcast(ir.VectorType.get(shape, to), value)
    if isinstance(to, ir.VectorType):
        from ..._mlir.dialects import vector
        one = vector.broadcast(ir.VectorType.get([1], value.type), value)
        return vector.bitcast(to, one)
    if value.type == to:
        return value
    return arith.bitcast(to, value)
