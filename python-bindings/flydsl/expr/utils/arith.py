# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ArithValue`, the raw IR scalar or vector with operators, and `_to_raw`.

The value casters below make every integer, index, float and vector value that an operation yields an `ArithValue`.
"""
from __future__ import annotations

from ..._mlir import ir
from . import emit
from ..meta import current_root
from .emit import NO_INT, cannot_bool
from .operators import with_operators

__all__ = ["ArithValue"]


def _is_number_type(type_) -> bool:
    return isinstance(emit.element_type(type_), (ir.IntegerType, ir.IndexType, ir.FloatType))


def _literal(other):
    """The Python number of a scalar of NumPy or ml_dtypes; anything else as it is."""
    if isinstance(other, (ir.Value, bool, int, float)):
        return other
    from ..numeric import _plain, is_python_number
    return _plain(other) if is_python_number(other) else other


@with_operators
class ArithValue(ir.Value):
    """An IR value of integer, index, float or vector type with Python's operators.

    `signed`: True, False, or None where unknown. An unknown sign counts as signed in divisions, comparisons and
    conversions, and as unsigned in `>>`. A Python literal takes the type of the other operand, which must hold it; two raw
    operands must have one type, except that a scalar is repeated to a vector of its type. Results are raw.
    """

    __array_ufunc__ = None  # NumPy leaves operators to this class, and does not take a vector apart

    def __init__(self, value, *, signed=None):
        if not isinstance(value, ir.Value):
            raise TypeError(f"ArithValue: expected an IR value, got {type(value).__name__}")
        super().__init__(value)
        self._root = current_root()
        self._signed = getattr(value, "signed", None) if signed is None else signed

    @property
    def signed(self):
        """True, False, or None for unknown."""
        return getattr(self, "_signed", None)

    def with_signedness(self, signed):
        """The same value, counted as signed (True), unsigned (False) or of unknown sign (None)."""
        result = ArithValue(self)
        result._signed = signed
        return result

    def __repr__(self):
        return f"ArithValue({self.type})" if self._root is current_root() else "ArithValue(of another trace)"

    __str__ = __repr__

    def check_live(self):
        """Raises RuntimeError unless the trace that made this value is running."""
        if self._root is not current_root():
            raise RuntimeError("a value of another trace was used: values exist only while the function that makes them is traced; "
                               "return Python numbers, or pass data through tensors")

    # --- operands ---

    def _pair(self, other, what):
        """`self` and `other` as values of one type; NotImplemented where `other` knows better."""
        self.check_live()
        other = _literal(other)
        if isinstance(other, ArithValue):
            other.check_live()
        if isinstance(other, ir.Value):
            if not _is_number_type(other.type):
                return NotImplemented
            if type(other) is not ArithValue and hasattr(type(other), "dtype"):
                return NotImplemented  # a Vector
            rhs = other
        elif hasattr(other, "ir_value"):
            if not isinstance(self.type, ir.VectorType):
                return NotImplemented  # a DSL number promotes
            rhs = other.ir_value()
        elif isinstance(other, (bool, int, float)):
            rhs = ArithValue(emit.literal(self.type, other, what))
        else:
            return NotImplemented
        lhs = self
        if lhs.type != rhs.type:
            if isinstance(lhs.type, ir.VectorType) and rhs.type == lhs.type.element_type:
                rhs = emit.splat(lhs.type, rhs)
            elif isinstance(rhs.type, ir.VectorType) and lhs.type == rhs.type.element_type:
                lhs = emit.splat(rhs.type, lhs)
            else:
                raise TypeError(f"{what}: operands of raw values must have one type, found {lhs.type} and {rhs.type}; "
                                "convert one of them, or wrap both in DSL numbers, which promote")
        return lhs, rhs

    def _common_sign(self, op, other):
        mine, others = self.signed, getattr(other, "signed", None)
        if mine is None or others is None:
            return others if mine is None else mine
        if mine != others:
            raise TypeError(f"{op}: one operand is signed and the other unsigned; use with_signedness()")
        return mine

    def _binary(self, op, other, swap=False, fastmath=None):
        pair = self._pair(other, op)
        if pair is NotImplemented:
            return NotImplemented
        lhs, rhs = pair[::-1] if swap else pair
        other = _literal(other)
        known = other if not swap and isinstance(other, (bool, int, float)) else None
        signed = self._common_sign(op, other)
        arithmetic = signed if op == "shr" else signed is not False
        if op == "div" and not emit.is_float(lhs.type):
            wide = ir.F64Type.get() if emit.int_width(lhs.type) > 32 else ir.F32Type.get()
            lhs, rhs = (emit.cast(v, wide, arithmetic, True) for v in (lhs, rhs))
        return ArithValue(emit.binary(op, lhs, rhs, arithmetic, fastmath=fastmath, known=known), signed=signed)

    def _compare(self, op, other):
        pair = self._pair(other, op)
        if pair is NotImplemented:
            return NotImplemented
        signed = self._common_sign(op, other)
        return ArithValue(emit.compare(op, *pair, signed is not False))

    # --- elements of a vector ---

    def _vector(self, what):
        from ..vector import Vector
        if not isinstance(self.type, ir.VectorType):
            raise TypeError(f"{what}: expected a vector, found a value of type {self.type}")
        return Vector(self)

    def __getitem__(self, index):
        """An element, or a part, of a vector, as `fx.Vector` gives it."""
        return self._vector("vector index")[index]

    def __len__(self):
        return len(self._vector("len"))

    def __iter__(self):
        return iter(self._vector("iteration"))

    # --- operators ---

    def __neg__(self):
        self.check_live()
        return ArithValue(emit.negate(self), signed=self.signed)

    def __pos__(self):
        return self

    def __invert__(self):
        self.check_live()
        return ArithValue(emit.invert(self), signed=self.signed)

    def __abs__(self):
        self.check_live()
        return ArithValue(emit.absolute(self, self.signed is not False), signed=self.signed)

    def __hash__(self):
        return ir.Value.__hash__(self)

    # --- what Python would need a concrete value for ---

    def __bool__(self):
        raise RuntimeError(cannot_bool(type(self).__name__))

    def __int__(self):
        self.check_live()
        raise RuntimeError(NO_INT.format(found=self.type))

    __index__ = __int__

    def __float__(self):
        self.check_live()
        raise RuntimeError(f"dynamic 'ArithValue' has no Python float representation (its type is {self.type}); "
                           "convert it with fx.Float32(value)")

    # --- logic of the rewritten `and`, `or`, `not` ---

    def __dsl_not__(self):
        from ..numeric import Boolean
        return Boolean(self).__dsl_not__()

    def __dsl_and__(self, other):
        from ..numeric import Boolean
        return Boolean(self).__dsl_and__(other)

    def __dsl_or__(self, other):
        from ..numeric import Boolean
        return Boolean(self).__dsl_or__(other)

    # --- methods ---

    def select(self, true_value, false_value):
        """`true_value` where this is nonzero, else `false_value`; the branches are raw values of one type or literals."""
        from .. import arith
        return arith.select(self, true_value, false_value)

    def _cast_raw(self, builder, type_):
        self.check_live()
        dtype = type_ if isinstance(type_, ir.Type) else type_.ir_type
        if isinstance(self.type, ir.VectorType) and not isinstance(dtype, ir.VectorType):
            dtype = ir.VectorType.get(self.type.shape, dtype)
        return ArithValue(builder(dtype, self))

    def extf(self, type_):
        """Widened to the float type `type_` (an IR type or a class), exactly."""
        return self._cast_raw(emit.arith.extf, type_)

    def truncf(self, type_):
        """Rounded to the narrower float type `type_`."""
        return self._cast_raw(emit.arith.truncf, type_)

    def extui(self, type_):
        """Widened to the integer type `type_` with zeros."""
        return self._cast_raw(emit.arith.extui, type_)

    def extsi(self, type_):
        """Widened to the integer type `type_` with the sign."""
        return self._cast_raw(emit.arith.extsi, type_)

    def trunci(self, type_):
        """The low bits, as many as the integer type `type_` has."""
        return self._cast_raw(emit.arith.trunci, type_)

    def bitcast(self, type_):
        """The same bits as `type_`; a vector keeps its total number of bits."""
        self.check_live()
        dtype = type_ if isinstance(type_, ir.Type) else type_.ir_type
        return ArithValue(emit.bitcast(self, dtype))

    def index_cast(self, type_):
        """Converted between `index` and an integer type."""
        return self._cast_raw(emit.arith.index_castui if self.signed is False else emit.arith.index_cast, type_)

    def shrui(self, other):
        """Shifted right, zeros coming in."""
        lhs, rhs = self._pair(other, "shrui")
        return ArithValue(emit.arith.shrui(lhs, rhs), signed=self.signed)

    def _float_op(self, op, other, fastmath):
        self.check_live()
        if not emit.is_float(self.type):
            raise TypeError(f"{op}: expected a float value, found {self.type}")
        return self._binary(op, other, fastmath=fastmath)

    def addf(self, other, fastmath=None):
        """Sum of two floats with its own fast-math flags."""
        return self._float_op("add", other, fastmath)

    def maximumf(self, other, fastmath=None):
        """The larger float; NaN if one is NaN."""
        return self._float_op("maximum", other, fastmath)

    def minimumf(self, other, fastmath=None):
        """The smaller float; NaN if one is NaN."""
        return self._float_op("minimum", other, fastmath)

    def rsqrt(self, fastmath=None):
        """1 / sqrt(x)."""
        self.check_live()
        return ArithValue(emit.unary_math("rsqrt", self, fastmath))

    def exp2(self, fastmath=None):
        """2 to the power x."""
        self.check_live()
        return ArithValue(emit.unary_math("exp2", self, fastmath))

    def shuffle_xor(self, offset, width):
        """This value of the lane whose number differs by `offset` (xor) within groups of `width` lanes."""
        self.check_live()
        return ArithValue(emit.shuffle_xor(self, offset, width), signed=self.signed)


def _to_raw(value):
    """`value` as a raw IR value: DSL values are unwrapped, Python numbers become constants."""
    from ..meta import as_ir_value
    return as_ir_value(value)


def _caster(value):
    return ArithValue(value)


def _register_casters():
    names = ("IntegerType", "IndexType", "VectorType", "BF16Type", "F16Type", "F32Type", "F64Type", "Float8E5M2Type",
             "Float8E4M3FNType", "Float8E4M3FNUZType", "Float8E5M2FNUZType", "Float8E4M3B11FNUZType", "Float8E4M3Type",
             "Float8E3M4Type", "Float8E8M0FNUType", "Float6E2M3FNType", "Float6E3M2FNType", "Float4E2M1FNType")
    for name in names:
        type_class = getattr(ir, name, None)
        if type_class is not None:
            ir.register_value_caster(type_class.static_typeid, replace=True)(_caster)


_register_casters()
