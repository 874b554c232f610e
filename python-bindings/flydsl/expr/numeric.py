# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numeric types of the DSL: `Int32`, `Uint8`, `Float32`, `Boolean` … and the operators on them.

A number is static (its `value` is a Python number, folded while tracing) or dynamic (its `value` is an IR value). Both
follow the same rules and give the same results. The sign of an integer is a property of its class: the IR type is
signless.
"""
from __future__ import annotations

import math

from .._mlir import ir
from .meta import fastmath_attr
from .utils import emit, floats, fold
from .utils.arith import ArithValue
from .utils.fold import RangeError
from .utils.numeric_meta import BY_NAME as _BY_NAME
from .utils.numeric_meta import NumericMeta
from .utils.operators import with_operators
from .utils.promote import common_type, operand_type, quotient_type, shift_type

__all__ = [
    "Numeric", "Integer", "Float", "Boolean", "Int4", "Int8", "Int16", "Int32", "Int64", "Int128", "Uint8", "Uint16",
    "Uint32", "Uint64", "Uint128", "Index", "Float16", "BFloat16", "Float32", "Float64", "Float8E5M2", "Float8E4M3FN",
    "Float8E4M3FNUZ", "Float8E4M3B11FNUZ", "Float8E4M3", "Float8E8M0FNU", "Float6E2M3FN", "Float6E3M2FN", "Float4E2M1FN",
    "as_numeric", "convert_literal"
]

@with_operators
class Numeric(metaclass=NumericMeta):
    """Base class of the numeric types; see `Integer` and `Float`.

    `T(x)` converts a Python number, a DSL number or a raw IR scalar. Integers wrap to the width, as a C cast does; floats
    are rounded to nearest even; a float becomes an integer by dropping its fraction: of a static float that the type
    cannot hold this is an error, at run time such a float must not occur (the hardware decides what it becomes).
    """

    __slots__ = ("value", "__weakref__")
    __array_ufunc__ = None  # NumPy scalars leave operators to this class

    # --- class methods ---

    @staticmethod
    def from_ir_type(type_):
        """The class of an IR scalar type; signless integers give the signed class. ValueError for another type."""
        return _from_ir_type(type_)

    @staticmethod
    def from_python_value(value):
        """The static number of a Python number: bool Boolean, int Int32 or Int64, float Float32."""
        if not is_python_number(value):
            raise TypeError(f"from_python_value: expected a Python number, found {type(value).__name__}")
        return as_numeric(value)

    # --- construction ---

    def __init__(self, value):
        cls = type(self)
        if cls._width is None:
            raise TypeError(f"{cls.__name__} is abstract; use one of its subclasses, or as_numeric(value)")
        kind = type(value)
        if kind is cls:
            self.value = value.value
        elif kind is int or kind is float or kind is bool:
            self.value = cls._static(value)
        elif isinstance(value, Numeric):
            self.value = cls._static(value.value) if value.is_static() else _cast(value.ir_value(), type(value), cls)
        elif isinstance(value, ir.Value):
            number = of_int_tuple(value)
            self.value = cls._from_raw(value) if number is value else cls(number).value
        elif isinstance(value, (ir.OpView, ir.Operation)):
            self.value = cls._from_raw(value.result)
        elif is_python_number(value):
            self.value = cls._static(_plain(value))
        elif isinstance(value, (bool, int, float)):
            self.value = cls._static(value)
        else:
            target = "float" if cls.is_float else "boolean" if cls is Boolean else "integer"
            raise ValueError(f"{value} to {target} conversion is not supported: found {kind.__name__}, expected a number")

    @classmethod
    def _from_raw(cls, value):
        check_live(value)
        type_ = value.type
        if isinstance(type_, ir.VectorType):
            raise ValueError(f"{cls.__name__}: found a vector ({type_}), expected a scalar; use Vector(value).to({cls.__name__})")
        if type_ == cls.ir_type:
            return value
        signed = getattr(value, "signed", None)
        if cls.is_float and isinstance(type_, (ir.IntegerType, ir.IndexType)):
            if isinstance(type_, ir.IndexType):
                signed = False if signed is None else signed
            elif signed is None:
                raise ValueError(f"{cls.__name__}: a bare {type_} value has no sign, so its float value is unknown; wrap it "
                                 f"first, e.g. {cls.__name__}(Int{type_.width}(value))")
        try:
            source = _from_ir_type(type_)
        except ValueError:
            raise ValueError(f"{cls.__name__}: found a value of type {type_}, expected an integer, index or float") from None
        if signed is None:
            signed = cls._signed if cls.is_integer else True
        return emit.cast(value, cls.ir_type, signed if source.is_integer else True, cls._signed is not False)

    # --- inspection ---

    @property
    def dtype(self):
        """The class of this number."""
        return type(self)

    @property
    def type(self):
        """The IR type."""
        return type(self).ir_type

    ir_type = type

    @property
    def width(self):
        """Bits of the type."""
        return type(self)._width

    @property
    def signed(self):
        """The sign of the class: True, False, or None for floats."""
        return type(self)._signed

    def is_static(self) -> bool:
        """Whether the value is known while tracing."""
        return not isinstance(self.value, ir.Value)

    def ir_value(self):
        """The IR value; a static number becomes a constant at the insertion point."""
        if isinstance(self.value, ir.Value):
            check_live(self.value)
            return self.value
        return emit.constant(type(self).ir_type, self.value)

    def __repr__(self):
        return f"{type(self).__name__}({self.value if self.is_static() else '<run-time>'})"

    def __str__(self):
        return "?"

    def __hash__(self):
        return hash((type(self), self.value))

    # --- conversions ---

    def to(self, dtype, *, rounding_mode=None):
        """This number as `dtype`: a numeric class, `ir.Value`, or for a static number int, float or bool.

        `rounding_mode` (`fx.RoundingMode`): only for a run-time float that becomes a narrower float.
        """
        if rounding_mode is not None:
            return self._to_rounded(dtype, rounding_mode)
        if isinstance(dtype, NumericMeta):
            return dtype(self)
        if dtype is ir.Value:
            return self.ir_value()
        if dtype in (int, float, bool):
            if not self.is_static():
                raise ValueError(f"dynamic IR value cannot be materialized as {dtype}")
            return dtype(self.value)
        raise TypeError(f"to: expected a numeric class, ir.Value, int, float or bool, found {dtype!r}")

    def _to_rounded(self, dtype, rounding_mode):
        from .._mlir.dialects import arith
        if not isinstance(rounding_mode, arith.RoundingMode):
            raise TypeError(f"to: rounding_mode must be an fx.RoundingMode, found {type(rounding_mode).__name__}")
        check_rounding(type(self), dtype)
        if self.is_static():
            raise ValueError(f"to: rounding_mode is for run-time values, found the static {self!r}")
        return dtype(emit.cast(self.ir_value(), dtype.ir_type, True, True, rounding_mode))

    def bitcast(self, dtype):
        """The number of the class `dtype`, of the same width, that has the same bits."""
        if not isinstance(dtype, NumericMeta) or dtype._width is None:
            raise TypeError(f"bitcast: expected a numeric class, found {dtype!r}")
        if dtype._width != type(self)._width:
            raise ValueError(f"bitcast: {type(self).__name__} has {type(self)._width} bits and {dtype.__name__} has "
                             f"{dtype._width}; the widths must agree")
        if self.is_static():
            return dtype._from_bits(type(self)._to_bits(self.value))
        if Index in (dtype, type(self)):
            return dtype(_cast(self.ir_value(), type(self), dtype))
        return dtype(emit.bitcast(self.ir_value(), dtype.ir_type))

    def select(self, true_value, false_value):
        """`true_value` where this number is nonzero, else `false_value`; two numbers are promoted to their common class."""
        from .utils.choose import select
        return select(self, true_value, false_value)

    # --- protocols of the compiler ---

    def __extract_to_ir_values__(self):
        return [self.ir_value()]

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        return cls(values[0])

    def __get_ir_types__(self):
        return [type(self).ir_type]

    def __cache_signature__(self):
        return (type(self),)

    def __c_abi_spec__(self):
        from .utils.host import c_abi_spec
        return c_abi_spec(type(self))

    @classmethod
    def __dsl_size_of__(cls):
        return max(1, cls._width // 8)

    @classmethod
    def __dsl_align_of__(cls):
        return max(1, cls._width // 8)

    @classmethod
    def __peek_from_ptr__(cls, ptr):
        return ptr.load(cls)

    @classmethod
    def __poke_into_ptr__(cls, ptr, value):
        ptr.store(convert_literal(value, cls, "store"))

    # --- Python protocols ---

    def __bool__(self):
        if not self.is_static():
            raise RuntimeError(emit.cannot_bool(type(self).__name__))
        return bool(self.value)

    def __int__(self):
        if not self.is_static():
            raise RuntimeError(emit.NO_INT.format(found=type(self).__name__))
        return int(self.value)

    def __float__(self):
        if not self.is_static():
            raise RuntimeError(f"dynamic '{type(self).__name__}' has no Python float representation; convert it with "
                               "fx.Float32(value); for functions of Python's math use those of fx.math")
        return float(self.value)

    def __dsl_not__(self):
        value = Boolean(self)
        return Boolean(not value.value) if value.is_static() else Boolean(emit.invert(value.value))

    def __dsl_and__(self, other):
        return _binary("and_", Boolean(self), Boolean(other))

    def __dsl_or__(self, other):
        return _binary("or_", Boolean(self), Boolean(other))

    # --- operators ---

    def _binary(self, op, other, swap=False, fastmath=None):
        return _binary(op, other, self, fastmath) if swap else _binary(op, self, other, fastmath)

    def _compare(self, op, other):
        return _compare(op, self, other)

    def __neg__(self):
        cls = type(self)
        if cls is Boolean:
            raise TypeError("bad operand type for unary -: 'Boolean'; convert it to an integer first")
        return cls(-self.value if self.is_static() else emit.negate(self.ir_value()))

    def __pos__(self):
        return Int32(self) if type(self) is Boolean else self

    def __invert__(self):
        cls = type(self)
        if not cls.is_integer:
            raise TypeError(f"invert requires an integer operand, got {cls.__name__}")
        if self.is_static():
            return cls(not self.value if cls is Boolean else ~self.value)
        return cls(emit.invert(self.ir_value()))

    def __abs__(self):
        cls = type(self)
        if cls is Boolean:
            raise TypeError("bad operand type for abs(): 'Boolean'; convert it to an integer first")
        if self.is_static():
            return cls(abs(self.value))
        return cls(emit.absolute(self.ir_value(), cls._signed is not False))

    def _rounded(self, name, static):
        cls = type(self)
        if cls.is_integer:
            return self
        if self.is_static():
            value = self.value
            return cls(value if math.isinf(value) or value != value else math.copysign(float(static(value)), value))
        return cls(emit.unary_math(name, self.ir_value()))

    def __round__(self, digits=None):
        """The nearest whole number, halves to even, as Python rounds; of the same class."""
        if digits is not None:
            raise TypeError("round() with a number of digits is not supported for DSL numbers")
        return self._rounded("roundeven", round)

    def __floor__(self):
        return self._rounded("floor", math.floor)

    def __ceil__(self):
        return self._rounded("ceil", math.ceil)

    def __trunc__(self):
        return self._rounded("trunc", math.trunc)

    # --- methods with fast-math flags and lane exchange ---

    def _float_only(self, what):
        if not type(self).is_float:
            raise TypeError(f"{what}: expected a float operand, found {type(self).__name__}")

    def addf(self, other, fastmath=None):
        """Sum of two floats with its own fast-math flags."""
        self._float_only("addf")
        return _binary("add", self, other, fastmath)

    def maximumf(self, other, fastmath=None):
        """The larger of two floats; NaN if one is NaN."""
        self._float_only("maximumf")
        return _binary("maximum", self, other, fastmath)

    def minimumf(self, other, fastmath=None):
        """The smaller of two floats; NaN if one is NaN."""
        self._float_only("minimumf")
        return _binary("minimum", self, other, fastmath)

    def exp2(self, fastmath=None):
        """2 to the power of this float."""
        from . import math as fx_math
        return fx_math.exp2(self, fastmath=fastmath)

    def rsqrt(self, fastmath=None):
        """1 / sqrt of this float."""
        from . import math as fx_math
        return fx_math.rsqrt(self, fastmath=fastmath)

    def shrui(self, count):
        """Shifted right by `count`, zeros coming in, whatever the sign of the class."""
        from . import arith
        return arith.shrui(self, count)

    def shuffle_xor(self, offset, width):
        """This number of the lane whose index differs by `offset` (xor), within groups of `width` lanes."""
        return type(self)(emit.shuffle_xor(self.ir_value(), offset, width))


class Integer(Numeric):
    """Base class of the integer types; a static value is a Python int that the type holds."""

    _kind = "integer"

    @classmethod
    def _static(cls, value):
        if isinstance(value, float):
            if value != value:
                raise ValueError(f"cannot convert float NaN to {cls.__name__}")
            if math.isinf(value):
                raise OverflowError(f"cannot convert float infinity to {cls.__name__}")
            whole = math.trunc(value)
            check_int(whole, cls, f"{cls.__name__}({value})", "clamp the float first")
            return whole
        return fold.wrap_int(int(value), cls._width, cls._signed)

    @classmethod
    def _to_bits(cls, value):
        return value & ((1 << cls._width) - 1)

    @classmethod
    def _from_bits(cls, bits):
        return cls(bits)

    def __index__(self):
        return self.__int__()


class Float(Numeric):
    """Base class of the float types; a static value is a Python float that the type holds."""

    _kind = "float"

    @classmethod
    def _static(cls, value):
        if isinstance(value, float):
            return floats.round_to(cls._fmt, value)
        if cls._width < 16 or cls is BFloat16:  # run-time integers go through f32 too, as in NumPy
            return floats.round_to(cls._fmt, floats.round_int_to(floats.F32, int(value)))
        return floats.round_int_to(cls._fmt, int(value))

    @classmethod
    def _to_bits(cls, value):
        return floats.encode(cls._fmt, value)

    @classmethod
    def _from_bits(cls, bits):
        return cls(floats.decode(cls._fmt, bits))


class Boolean(Integer, width=1, signed=True, numpy="bool_"):
    """True or false, i1. In arithmetic it counts as Int32."""

    @classmethod
    def _static(cls, value):
        return bool(value)

    @classmethod
    def _from_bits(cls, bits):
        return cls(bool(bits))


class Index(Integer, width=64, signed=False, mlir="IndexType", numpy="uint64"):
    """The IR type `index`, counted as unsigned 64 bit. Deprecated: prefer Int64 or Int32."""


def _integers():
    for width in (4, 8, 16, 32, 64, 128):
        for signed in (True, False):
            if width == 4 and not signed:
                continue
            name = f"{'Int' if signed else 'Uint'}{width}"
            numpy = {4: "int4", 128: None}.get(width, name.lower())
            doc = f"{'Signed' if signed else 'Unsigned'} {width}-bit integer, i{width}."
            yield name, NumericMeta(name, (Integer,), {"__doc__": doc, "__module__": __name__}, width=width, signed=signed,
                                    numpy=numpy)


def _floats():
    rows = [("Float16", "F16Type", floats.F16, "float16"), ("BFloat16", "BF16Type", floats.BF16, "bfloat16"),
            ("Float32", "F32Type", floats.F32, "float32"), ("Float64", "F64Type", floats.F64, "float64"),
            ("Float8E5M2", "Float8E5M2Type", floats.E5M2, "float8_e5m2"),
            ("Float8E4M3FN", "Float8E4M3FNType", floats.E4M3FN, "float8_e4m3fn"),
            ("Float8E4M3FNUZ", "Float8E4M3FNUZType", floats.E4M3FNUZ, "float8_e4m3fnuz"),
            ("Float8E4M3B11FNUZ", "Float8E4M3B11FNUZType", floats.E4M3B11FNUZ, "float8_e4m3b11fnuz"),
            ("Float8E4M3", "Float8E4M3Type", floats.E4M3, "float8_e4m3"),
            ("Float8E8M0FNU", "Float8E8M0FNUType", floats.E8M0FNU, "float8_e8m0fnu"),
            ("Float6E2M3FN", "Float6E2M3FNType", floats.E2M3FN, "float6_e2m3fn"),
            ("Float6E3M2FN", "Float6E3M2FNType", floats.E3M2FN, "float6_e3m2fn"),
            ("Float4E2M1FN", "Float4E2M1FNType", floats.E2M1FN, "float4_e2m1fn")]
    for name, mlir, fmt, numpy in rows:
        doc = f"{fmt.width}-bit float with {fmt.exponent} exponent and {fmt.mantissa} mantissa bits."
        yield name, NumericMeta(name, (Float,), {"__doc__": doc, "__module__": __name__}, width=fmt.width, mlir=mlir, fmt=fmt,
                                numpy=numpy)


globals().update(_integers())
globals().update(_floats())


# --- helpers ------------------------------------------------------------------


def _from_ir_type(type_):
    if isinstance(type_, ir.IntegerType):
        if type_.width == 1:
            return Boolean
        prefix = "Uint" if type_.is_unsigned else "Int"
        found = _BY_NAME.get(f"{prefix}{type_.width}")
    elif isinstance(type_, ir.IndexType):
        found = Index
    else:
        found = next((c for c in _BY_NAME.values() if c._mlir and isinstance(type_, getattr(ir, c._mlir))), None)
    if found is None:
        raise ValueError(f"unsupported mlir type {type_}: it is none of the numeric types")
    return found


def check_live(value):
    """Raises RuntimeError for a raw value of another trace."""
    if isinstance(value, ArithValue):
        value.check_live()


def check_int(value, cls, what, hint):
    """Raises RangeError if the integer class `cls` does not hold `value`."""
    low = -(1 << (cls._width - 1)) if cls._signed and cls is not Boolean else 0
    high = (1 << (cls._width - 1 if cls._signed and cls is not Boolean else cls._width)) - 1
    if not low <= value <= high:
        raise RangeError(f"{what}: {value} is outside {cls.__name__}, which holds {low} to {high}; {hint}")


def check_rounding(source, dtype):
    """Raises ValueError unless a conversion from class `source` to `dtype` takes a rounding mode."""
    narrowing = isinstance(dtype, NumericMeta) and source.is_float and dtype.is_float and dtype._width < source._width
    if not narrowing:
        raise ValueError("to: rounding_mode is for a float that becomes a narrower float, found "
                         f"{source.__name__} to {getattr(dtype, '__name__', dtype)}")


def _cast(value, source, dtype):
    return emit.cast(value, dtype.ir_type, source._signed is not False, dtype._signed is not False)


def is_python_number(value) -> bool:
    """Whether `value` is a Python bool, int or float or a NumPy or ml_dtypes scalar."""
    if isinstance(value, (bool, int, float)):
        return True
    if isinstance(value, (Numeric, ir.Value)) or not hasattr(value, "item") or getattr(value, "ndim", None) != 0:
        return False
    # NumPy's scalars may be texts, dates and complex numbers as well. Those of ml_dtypes are of NumPy's kind "V".
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    origin = type(value).__module__.split(".")[0]
    if origin == "numpy" and kind == "V":
        origin = value.dtype.type.__module__.split(".")[0]
    return origin in ("numpy", "ml_dtypes") and (kind in ("b", "i", "u", "f") or (kind == "V" and origin == "ml_dtypes"))


def _plain(value):
    """A Python number of a NumPy or ml_dtypes scalar."""
    if isinstance(value, (bool, int, float)):
        return value
    item = value.item()
    return item if isinstance(item, (bool, int, float)) else float(item)


def as_numeric(value):
    """`value` as a DSL number.

    bool gives Boolean, int Int32 (Int64 outside 32 bits, Uint64 from 2^63 on), float Float32, a NumPy scalar the class of
    its dtype, a raw IR scalar the class of its type (signed where the sign is unknown). DSL numbers stay.
    Raises RangeError for an int beyond 64 bits and TypeError for another object.
    """
    if isinstance(value, Numeric):
        return value
    if isinstance(value, bool):
        return Boolean(value)
    if type(value) is int:
        if -(1 << 31) <= value < 1 << 31:
            return Int32(value)
        if -(1 << 63) <= value < 1 << 63:
            return Int64(value)
        if 0 <= value < 1 << 64:
            return Uint64(value)
        raise RangeError(f"the integer {value} does not fit 64 bits; wrap it, e.g. fx.Int128(value)")
    if type(value) is float:
        return Float32(value)
    if isinstance(value, (ir.OpView, ir.Operation)):
        value = value.result
    if isinstance(value, ir.Value):
        number = of_int_tuple(value)
        if number is not value:
            return as_numeric(number)
        cls = _from_ir_type(value.type)
        if getattr(value, "signed", None) is False and cls.is_integer and cls not in (Boolean, Index):
            cls = _BY_NAME.get(cls.__name__.replace("Int", "Uint"), cls)
        return cls(value)
    if is_python_number(value):
        if isinstance(value, int):
            return as_numeric(int(value))
        if hasattr(value, "dtype"):
            cls = next((c for c in _BY_NAME.values() if c is not Index and c._numpy == _numpy_name(value.dtype)), None)
            if cls is not None:
                return cls(_plain(value))
        return as_numeric(_plain(value))
    raise TypeError(f"expected a number, found {type(value).__name__}")


def _numpy_name(dtype) -> str:
    return "bool_" if dtype.name == "bool" else dtype.name


def of_int_tuple(value):
    """The number of an int tuple of a single integer (a size, an index); anything else as it is."""
    method = getattr(type(value), "__dsl_scalar__", None)
    number = NotImplemented if method is None else method(value)
    return value if number is NotImplemented else number


def _operand(value):
    """`value` as a DSL number, or NotImplemented for what is no scalar."""
    if isinstance(value, Numeric):
        if isinstance(value.value, ir.Value):
            check_live(value.value)
        return value
    if isinstance(value, ir.Value):
        check_live(value)
        if isinstance(value.type, (ir.IntegerType, ir.IndexType, ir.FloatType)):
            return as_numeric(value)
        number = of_int_tuple(value)
        return NotImplemented if number is value else as_numeric(number)
    if isinstance(value, (ir.OpView, ir.Operation)) or is_python_number(value):
        return as_numeric(value)
    return NotImplemented


def _binary(op, lhs, rhs, fastmath=None):
    """`lhs op rhs` of two scalars of which one is a DSL number, promoted; folded if both are static."""
    lhs, rhs = _operand(lhs), _operand(rhs)
    if lhs is NotImplemented or rhs is NotImplemented:
        return NotImplemented
    left, right = type(lhs), type(rhs)
    if op == "pow" and left.is_float and right.is_integer and right is not Boolean:
        return _float_to_int_power(lhs, rhs, fastmath)
    if op == "div":
        cls = quotient_type(left, right)
    elif op == "shl" or op == "shr":
        cls = shift_type(op, left, right)
    else:
        cls = operand_type(op, left, right)
    if lhs.is_static() and rhs.is_static():
        if op in ("shl", "shr"):
            return cls(fold.shift(op, cls(lhs).value, rhs.value, cls._width))
        return cls(_fold(op, cls, cls(lhs).value, cls(rhs).value))
    known = rhs.value if rhs.is_static() else None
    if known is not None and op == "div" and known == 0 and not (left.is_float or right.is_float):
        raise ZeroDivisionError("division by zero")
    if known is not None:
        known = int(known) if op in ("shl", "shr") else cls(rhs).value
    raw = cls(lhs).ir_value()
    other = cls(rhs).ir_value() if known is None else None
    result = emit.binary(op, raw, other, cls._signed is not False, fastmath=fastmath, known=known)
    return cls(result)


def _fold(op, cls, a, b):
    if cls.is_float:
        return fold.float_binary(op, a, b, cls._static)
    if op == "pow":
        return fold.int_pow(a, b, cls._width)
    return fold.int_binary(op, a, b)


def _float_to_int_power(base, exponent, fastmath):
    """float ** integer: the class of the base; the exponent keeps 32 or 64 bits."""
    cls = type(base)
    if exponent.is_static() and fold.is_small_power(exponent.value) and not base.is_static():
        return cls(emit.power_known(base.value, exponent.value, fastmath_attr(fastmath)))
    if base.is_static() and exponent.is_static():
        return cls(fold.float_binary("pow", base.value, float(exponent.value), cls._static))
    wide = type(exponent)._width > 32 or (type(exponent)._width == 32 and not type(exponent)._signed)
    power = (Int64 if wide else Int32)(exponent)
    return cls(emit.mixed_pow(base.ir_value(), power.ir_value(), fastmath))


def _compare(op, lhs, rhs):
    rhs = _operand(rhs)
    if rhs is NotImplemented:
        return NotImplemented
    cls = operand_type(op, type(lhs), type(rhs))
    if lhs.is_static() and rhs.is_static():
        return Boolean(fold.compare(op, cls(lhs).value, cls(rhs).value))
    return Boolean(emit.compare(op, cls(lhs).ir_value(), cls(rhs).ir_value(), cls._signed is not False))


def convert_literal(value, dtype, what):
    """`value` as a DSL number of class `dtype`, for a store or an argument named `what`.

    A Python (or NumPy) number is converted and must fit: an int outside the type, a float that is no whole number for an
    integer type, and a finite float beyond a float type's range are a RangeError (an OverflowError and a ValueError).
    A DSL number or raw value must have the type already: TypeError otherwise.
    """
    from .utils.host import convert
    return convert(value, dtype, what)
