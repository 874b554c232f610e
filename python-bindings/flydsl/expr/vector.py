# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vectors in registers: `Vector`, the fixed types `Float32x4` … and the functions that make them."""
from __future__ import annotations

from enum import Enum

from .._mlir import ir
from .._mlir.dialects import arith, vector
from .meta import fastmath_attr
from .numeric import Boolean, Int32, Numeric, NumericMeta, as_numeric, check_rounding, is_python_number, of_int_tuple
from .utils import emit, fold
from .utils.arith import ArithValue
from .utils.promote import common_type, operand_type, quotient_type, shift_type
from .utils.shape import broadcast_map, broadcast_shapes, normal_shape, numel_of, resolve

__all__ = ["Vector", "VectorAlias", "ReductionOp", "full", "full_like", "empty_like", "ones_like", "zeros_like"]


class ReductionOp(Enum):
    """What `Vector.reduce` computes."""
    ADD = "add"
    MUL = "mul"
    MAX = "max"
    MIN = "min"


def _is_scalar(value) -> bool:
    if isinstance(value, Numeric):
        return True
    if isinstance(value, ir.Value):
        size = getattr(value, "__dsl_scalar_class__", None)
        return size is not None and size() is not NotImplemented or isinstance(value.type, (ir.IntegerType, ir.IndexType, ir.FloatType))
    return is_python_number(value)


class Vector(ArithValue):
    """`numel` values of one numeric class in registers.

    `Vector(value, shape=None, dtype=None)` wraps a raw IR vector. The IR type is always flat (`vector<NxT>`); `shape` is
    the logical shape, row-major and possibly nested, `dtype` the class of the elements (needed for unsigned ones). Operators
    work element by element with the promotion of the scalars; scalars and shapes broadcast as in NumPy.
    """

    def __init__(self, value, shape=None, dtype=None):
        if isinstance(value, (ir.OpView, ir.Operation)):
            value = value.result
        if isinstance(value, ArithValue):
            value.check_live()
        if not isinstance(value, ir.Value) or not isinstance(value.type, ir.VectorType):
            found = value.type if isinstance(value, ir.Value) else type(value).__name__
            raise TypeError(f"Vector: expected an IR value of vector type, found {found}")
        type_ = value.type
        if isinstance(value, Vector):
            shape = value.shape if shape is None else shape
            dtype = value.dtype if dtype is None else dtype
        if shape is None:
            shape = tuple(type_.shape) or (1,)
        shape = normal_shape(shape)
        count = 1
        for size in type_.shape:
            count *= size
        if numel_of(shape) != count:
            raise ValueError(f"Vector: shape {shape} has {numel_of(shape)} elements, the value {type_} has {count}")
        if dtype is None:
            dtype = Numeric.from_ir_type(type_.element_type)
            if getattr(value, "signed", None) is False and dtype is not Boolean:
                dtype = _unsigned(dtype)
        elif not isinstance(dtype, NumericMeta):
            raise TypeError(f"Vector: dtype must be a numeric class, found {dtype!r}")
        elif dtype.ir_type != type_.element_type:
            raise TypeError(f"Vector: dtype {dtype.__name__} does not fit the value's type {type_}; use .to() or .bitcast()")
        if len(type_.shape) != 1:
            value = vector.shape_cast(ir.VectorType.get([count], type_.element_type), value)
        super().__init__(value, signed=dtype.signed)
        self._dtype, self._shape = dtype, shape

    # --- inspection ---

    @property
    def dtype(self):
        """The numeric class of the elements."""
        return self._dtype

    element_type = dtype

    @property
    def shape(self):
        """The logical shape, a tuple."""
        return self._shape

    @property
    def numel(self) -> int:
        """Number of elements."""
        return numel_of(self._shape)

    def __len__(self):
        return self.numel

    def __iter__(self):
        for i in range(self.numel):
            yield self[i]

    def __repr__(self):
        return f"Vector({self._dtype.__name__}, shape={self._shape})"

    __str__ = __repr__

    def __bool__(self):
        raise RuntimeError(f"cannot evaluate dynamic 'Vector' as Python bool during tracing: {self!r} has {self.numel} truth "
                           "values; reduce it to one first, e.g. v.to(fx.Int32).reduce('max') != 0")

    def ir_value(self):
        """The raw IR vector, flat."""
        self.check_live()
        return ArithValue(self, signed=self._dtype.signed)

    # --- construction ---

    @staticmethod
    def make_type(shape, dtype):
        """The IR type of a vector of `shape` (int or nested tuple) with elements of class `dtype`."""
        return ir.VectorType.get([numel_of(normal_shape(shape))], dtype.ir_type)

    @classmethod
    def from_elements(cls, elements, dtype=None):
        """A vector of the given scalars, converted to `dtype` (default: the class of the first). ValueError if empty."""
        elements = list(elements)
        if not elements:
            raise ValueError("Vector.from_elements: expected at least one element, found none")
        if dtype is None:
            dtype = type(as_numeric(elements[0]))
        raw = [dtype(item).ir_value() for item in elements]
        return Vector(vector.from_elements(Vector.make_type(len(raw), dtype), raw), None, dtype)

    @classmethod
    def filled(cls, shape, x, dtype=None):
        """`x` in each element of a vector of `shape` with elements of class `dtype` (default: the class of `x`)."""
        shape = normal_shape(shape)
        if not _is_scalar(x):
            raise TypeError(f"Vector.filled: expected a scalar, found {type(x).__name__}")
        x = of_int_tuple(x)
        dtype = type(as_numeric(x)) if dtype is None else dtype
        if not isinstance(dtype, NumericMeta):
            raise TypeError(f"Vector.filled: dtype must be a numeric class such as fx.Float32, got {dtype!r}")
        return Vector(_splat(dtype(x), numel_of(shape)), shape, dtype)

    @classmethod
    def filled_like(cls, other, x, dtype=None):
        """`x` in each element of a vector shaped as `other`; `dtype` defaults to its class."""
        if not isinstance(other, Vector) and not (hasattr(other, "shape") and hasattr(other, "dtype")):
            raise TypeError(f"Vector.filled_like: expected a Vector or Tensor to take the shape of, got {type(other).__name__}")
        return Vector.filled(other.shape, x, other.dtype if dtype is None else dtype)

    @classmethod
    def zeros_like(cls, other, dtype=None):
        """Zeros in a vector shaped as `other`."""
        return Vector.filled_like(other, 0, dtype)

    @classmethod
    def load(cls, result_type, memref, indices):
        """A vector of `result_type` (IR vector type, or a fixed type such as `Float32x4`) read at `memref[indices]`."""
        dtype = getattr(result_type, "dtype", None)
        type_ = result_type if isinstance(result_type, ir.Type) else result_type.make_type()
        if not isinstance(memref, ir.Value) or not isinstance(memref.type, ir.MemRefType):
            from .utils.tensor_access import load_at
            return load_at(memref, indices, type_, dtype)
        return Vector(vector.load(type_, memref, [_index(i) for i in indices]), None, dtype)

    def store(self, memref, indices, *, alignment=None):
        """Writes the elements one after another from `memref[indices]` on. `alignment` in bytes."""
        if not isinstance(memref, ir.Value) or not isinstance(memref.type, ir.MemRefType):
            from .utils.tensor_access import store_at
            return store_at(self, memref, indices)
        if memref.type.element_type != self.type.element_type:
            raise TypeError(f"Vector.store: found elements {self.type.element_type}, expected {memref.type.element_type}; "
                            "convert with .to()")
        vector.store(self, memref, [_index(i) for i in indices], alignment=alignment)
        return None

    # --- operators ---

    def _operand(self, other):
        """`other` as a DSL number or Vector, or NotImplemented."""
        self.check_live()
        if isinstance(other, ArithValue):
            other.check_live()
        if isinstance(other, Vector):
            return other
        if isinstance(other, ir.Value) and isinstance(other.type, ir.VectorType):
            flat = Vector(other)
            return flat.reshape(self._shape) if flat.numel == self.numel else flat
        return as_numeric(other) if _is_scalar(other) else NotImplemented

    def _binary(self, op, other, swap=False, fastmath=None):
        other = self._operand(other)
        if other is NotImplemented:
            return NotImplemented
        left, right = (other, self) if swap else (self, other)
        a, b = left.dtype, right.dtype
        if op == "pow" and a.is_float and b.is_integer and b is not Boolean:
            return self._power(left, right, fastmath)
        if op == "div":
            dtype = quotient_type(a, b)
        elif op == "shl" or op == "shr":
            dtype = shift_type(op, a, b)
        else:
            dtype = operand_type(op, a, b)
        known = None
        if isinstance(right, Numeric) and right.is_static():
            if op == "div" and right.value == 0 and not (a.is_float or b.is_float):
                raise ZeroDivisionError("division by zero")
            known = int(right.value) if op in ("shl", "shr") else dtype(right).value
            shape, lhs, rhs = left.shape, _raw_as(left, dtype, left.shape), None
        else:
            shape, lhs, rhs = _aligned(left, right, dtype)
        return Vector(emit.binary(op, lhs, rhs, dtype.signed is not False, fastmath=fastmath, known=known), shape, dtype)

    @staticmethod
    def _power(base, exponent, fastmath):
        from .numeric import Int64
        if isinstance(exponent, Numeric) and exponent.is_static() and fold.is_small_power(exponent.value):
            return base._same(emit.power_known(base.ir_value(), exponent.value, fastmath_attr(fastmath)))
        wide = exponent.dtype.width > 32 or (exponent.dtype.width == 32 and not exponent.dtype.signed)
        shape = broadcast_shapes(*(v.shape for v in (base, exponent) if isinstance(v, Vector)))
        lhs, rhs = _raw_as(base, base.dtype, shape), _raw_as(exponent, Int64 if wide else Int32, shape)
        return Vector(emit.mixed_pow(lhs, rhs, fastmath), shape, base.dtype)

    def _compare(self, op, other):
        other = self._operand(other)
        if other is NotImplemented:
            return NotImplemented
        dtype = operand_type(op, self.dtype, other.dtype)
        shape, lhs, rhs = _aligned(self, other, dtype)
        return Vector(emit.compare(op, lhs, rhs, dtype.signed is not False), shape, Boolean)

    def _same(self, raw):
        return Vector(raw, self._shape, self._dtype)

    def _no_boolean(self, what):
        if self._dtype is Boolean:
            raise TypeError(f"bad operand type for {what}: Vector of Boolean; convert it to an integer first")

    def __neg__(self):
        self._no_boolean("unary -")
        return self._same(emit.negate(self.ir_value()))

    def __invert__(self):
        if not self._dtype.is_integer:
            raise TypeError(f"invert requires an integer operand, got {self._dtype.__name__}")
        return self._same(emit.invert(self.ir_value()))

    def __abs__(self):
        self._no_boolean("abs()")
        return self._same(emit.absolute(self.ir_value(), self._dtype.signed is not False))

    def __round__(self, digits=None):
        if digits is not None:
            raise TypeError("round() with a number of digits is not supported for Vector")
        return self if self._dtype.is_integer else self._same(emit.unary_math("roundeven", self.ir_value()))

    def _no_logic(self, *_):
        raise TypeError("'and', 'or' and 'not' need one truth value, found a Vector; use & | ~ element by element")

    __dsl_and__ = __dsl_or__ = __dsl_not__ = _no_logic

    # --- elements ---

    def __getitem__(self, index):
        """An element or a part.

        `v[i]` counts through all elements (negative from the end; `IndexError` if out of range; a run-time index must be in
        range); `v[i, j]` is an element by coordinate, one for each mode (or nested as the shape); None keeps a mode, and the
        result is a vector of the kept modes; `v[a:b]` with known bounds is a vector.
        """
        self.check_live()
        if index is None or index is Ellipsis:
            return self
        if isinstance(index, slice):
            return self._slice(index)
        if not isinstance(index, tuple):
            offsets, dynamic, kept = resolve(index, self.numel, "vector index")
        else:
            offsets, dynamic, kept = resolve(index, self._shape, "vector coordinate")
        if kept:
            return self._part(offsets, dynamic, tuple(kept))
        return self._element(offsets[0], dynamic)

    def _slice(self, part):
        try:
            chosen = list(range(*part.indices(self.numel)))
        except TypeError:
            raise TypeError("vector slice: the bounds must be known while tracing") from None
        if not chosen:
            raise IndexError(f"vector slice {part.start}:{part.stop}:{part.step} of {self.numel} elements is empty")
        return self._part(chosen, [], (len(chosen),))

    def _element(self, offset, dynamic):
        if not dynamic:
            return self._dtype(_signed_value(vector.extract(self, [], [offset]), self._dtype))
        position = as_numeric(dynamic[0][0]) * dynamic[0][1] if dynamic[0][1] != 1 else as_numeric(dynamic[0][0])
        for value, scale in dynamic[1:]:
            position = position + as_numeric(value) * scale
        if offset:
            position = position + offset
        at = ir.ShapedType.get_dynamic_size()
        return self._dtype(_signed_value(vector.extract(self, [_index(position)], [at]), self._dtype))

    def _part(self, offsets, dynamic, shape):
        if not dynamic:
            return Vector(vector.shuffle(self, self, offsets), shape, self._dtype)
        return Vector.from_elements([self._element(o, dynamic) for o in offsets], self._dtype).reshape(shape)

    def __setitem__(self, index, value):
        raise TypeError("a Vector is a value and its elements cannot be assigned; build a new one, e.g. with Vector.from_elements, "
                        "or use a register tensor (fx.make_rmem_tensor)")

    # --- conversions ---

    def to(self, dtype, *, rounding_mode=None):
        """The elements converted to the class `dtype`, as the scalars' `.to`; `rounding_mode` for narrower floats."""
        if dtype is ir.Value:
            return self.ir_value()
        if not isinstance(dtype, NumericMeta):
            raise TypeError(f"Vector.to: expected a numeric class, found {dtype!r}")
        if rounding_mode is not None:
            if not isinstance(rounding_mode, arith.RoundingMode):
                raise TypeError(f"to: rounding_mode must be an fx.RoundingMode, found {type(rounding_mode).__name__}")
            check_rounding(self._dtype, dtype)
        if dtype is self._dtype:
            return self
        raw = emit.cast(self.ir_value(), dtype.ir_type, self._dtype.signed is not False, dtype.signed is not False, rounding_mode)
        return Vector(raw, self._shape, dtype)

    def bitcast(self, dtype):
        """The same bits as elements of class `dtype`; their number follows the widths.

        The last mode of the shape is scaled where that is whole, else the result is flat.
        """
        if not isinstance(dtype, NumericMeta):
            raise TypeError(f"Vector.bitcast: expected a numeric class, found {dtype!r}")
        width = self._dtype.width
        if self.numel * width % dtype.width:
            raise ValueError(f"Vector.bitcast: {self.numel} x {self._dtype.__name__} is no whole number of {dtype.__name__}")
        raw = emit.bitcast(self.ir_value(), dtype.ir_type)
        last = self._shape[-1]
        if width == dtype.width:
            shape = self._shape
        elif isinstance(last, int) and last * width % dtype.width == 0:
            shape = self._shape[:-1] + (last * width // dtype.width,)
        else:
            shape = None
        return Vector(raw, shape, dtype)

    def reshape(self, shape):
        """The same elements, in row-major order, with another shape of the same number."""
        shape = normal_shape(shape)
        if numel_of(shape) != self.numel:
            raise ValueError(f"cannot reshape {self._shape} with {self.numel} elements to {shape} with {numel_of(shape)}")
        return Vector(self.ir_value(), shape, self._dtype)

    def broadcast_to(self, shape):
        """The elements repeated to `shape`, as in NumPy."""
        shape = normal_shape(shape)
        if shape == self._shape:
            return self
        if broadcast_shapes(self._shape, shape) != shape:
            raise ValueError(f"cannot broadcast shapes {self._shape} and {shape}")
        if self.numel == 1:
            type_ = Vector.make_type(shape, self._dtype)
            return Vector(vector.broadcast(type_, vector.extract(self, [], [0])), shape, self._dtype)
        return Vector(vector.shuffle(self, self, broadcast_map(self._shape, shape)), shape, self._dtype)

    def shuffle(self, other, mask):
        """Elements picked by `mask` (ints) from this vector followed by `other`; of the same class, flat."""
        if not isinstance(other, Vector):
            other = Vector(other, None, self._dtype)
        if other.dtype is not self._dtype:
            raise TypeError(f"Vector.shuffle: found {other.dtype.__name__}, expected {self._dtype.__name__}")
        mask = [int(m) for m in mask]
        total = self.numel + other.numel
        for m in mask:
            if not 0 <= m < total:
                raise IndexError(f"Vector.shuffle: mask entry {m} is out of range for {total} elements")
        if not mask:
            raise ValueError("Vector.shuffle: the mask is empty")
        return Vector(vector.shuffle(self, other, mask), None, self._dtype)

    def select(self, true_value, false_value):
        """Element by element `true_value` where this is nonzero, else `false_value` (vectors or scalars, promoted)."""
        return Vector.select_between(self if self._dtype is Boolean else self != 0, true_value, false_value)

    @staticmethod
    def select_between(condition, true_value, false_value):
        """`true_value` where `condition` (a Boolean or a vector of them) holds, else `false_value`; vectors or scalars."""
        branches = []
        for value in (true_value, false_value):
            if isinstance(value, ir.Value) and isinstance(value.type, ir.VectorType):
                branches.append(value if isinstance(value, Vector) else Vector(value))
            elif _is_scalar(value):
                branches.append(as_numeric(value))
            else:
                raise TypeError(f"select: expected vectors or numbers, found {type(value).__name__}")
        dtype = common_type(branches[0].dtype, branches[1].dtype, "select")
        shape = broadcast_shapes(*(v.shape for v in (condition, *branches) if isinstance(v, Vector)))
        raw = [_raw_as(value, dtype, shape) for value in branches]
        if not isinstance(condition, Vector):
            if condition.is_static():
                return Vector(raw[0 if condition.value else 1], shape, dtype)
            return Vector(arith.select(condition.ir_value(), *raw), shape, dtype)
        return Vector(arith.select(_raw_as(condition, Boolean, shape), *raw), shape, dtype)

    # --- reductions ---

    def reduce(self, op, init_val=None, *, fastmath=None):
        """All elements combined to a number of the vector's class (Boolean counts as Int32).

        `op`: "add", "mul", "max", "min", a `ReductionOp`, or a `vector.CombiningKind`. "max" and "min" of floats ignore NaN
        unless all are NaN (`maxnumf`, `minnumf`); `CombiningKind.MAXIMUMF` and `MINIMUMF` let NaN win. `init_val` takes part
        as one more element. Float sums and products go from the first element to the last, unless `fastmath` has `reassoc`.
        """
        kind = op
        source = self
        if not isinstance(op, vector.CombiningKind):
            name = op.value if isinstance(op, ReductionOp) else op
            if not isinstance(name, str) or name not in ("add", "mul", "max", "min"):
                raise ValueError(f"Vector.reduce: unknown operation {op!r}, expected 'add', 'mul', 'max', 'min', a ReductionOp "
                                 "or a CombiningKind")
            if self._dtype is Boolean:
                source = self.to(Int32)
            kind = _combining_kind(name, source.dtype)
        dtype = source.dtype
        floats_only = kind.name in ("MAXNUMF", "MINNUMF", "MAXIMUMF", "MINIMUMF")
        ints_only = kind.name not in ("ADD", "MUL") and not floats_only
        if (floats_only and not dtype.is_float) or (ints_only and dtype.is_float):
            raise TypeError(f"Vector.reduce: {kind.name} does not combine {dtype.__name__} values")
        acc = None
        if init_val is not None:
            if not _is_scalar(init_val):
                raise TypeError(f"Vector.reduce: init_val must be a scalar, found {type(init_val).__name__}")
            acc = dtype(init_val).ir_value()
        flags = fastmath_attr(fastmath) if dtype.is_float else None
        raw = vector.reduction(dtype.ir_type, kind, source.ir_value(), acc=acc, fastmath=flags)
        return dtype(_signed_value(raw, dtype))

    # --- protocols of the compiler ---

    def __extract_to_ir_values__(self):
        return [self.ir_value()]

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        if isinstance(exemplar, Vector):
            return Vector(values[0], exemplar.shape, exemplar.dtype)
        return Vector(values[0], None, cls.__dict__.get("dtype") if cls is not Vector else None)

    def __get_ir_types__(self):
        return [self.type]

    def __cache_signature__(self):
        return (Vector, self._dtype, self._shape)

    def __class_getitem__(cls, item):
        if not isinstance(item, tuple) or len(item) != 2:
            raise TypeError("Vector[dtype, lanes]: expected a numeric class and a number of elements")
        return VectorAlias(*item)


def _unsigned(dtype):
    from . import numeric
    return getattr(numeric, dtype.__name__.replace("Int", "Uint"), dtype)


def _signed_value(raw, dtype):
    raw = raw if isinstance(raw, ArithValue) else ArithValue(raw)
    raw._signed = dtype.signed
    return raw


def _splat(number, count):
    """A flat IR vector of `count` times a DSL number."""
    type_ = Vector.make_type(count, number.dtype)
    if number.is_static():
        return emit.constant(type_, number.value)
    return emit.splat(type_, number.value)


def _raw_as(value, dtype, shape):
    """A DSL number or vector as a flat IR vector of class `dtype` and shape `shape`."""
    if isinstance(value, Numeric):
        return _splat(dtype(value), numel_of(shape))
    return value.to(dtype).broadcast_to(shape).ir_value()


def _aligned(left, right, dtype):
    shape = broadcast_shapes(*(v.shape for v in (left, right) if isinstance(v, Vector)))
    return shape, _raw_as(left, dtype, shape), _raw_as(right, dtype, shape)


def _index(value):
    """`value` (int, DSL integer or raw integer) as an `index` value."""
    from .numeric import Index
    if isinstance(value, bool) or not _is_scalar(value) or isinstance(value, float):
        raise TypeError(f"expected an integer index, found {type(value).__name__}")
    number = as_numeric(value)
    if not number.dtype.is_integer:
        raise TypeError(f"expected an integer index, found {number.dtype.__name__}")
    return Index(number).ir_value()


def _combining_kind(name, dtype):
    kinds = vector.CombiningKind
    if name in ("add", "mul"):
        return kinds.ADD if name == "add" else kinds.MUL
    suffix = "NUMF" if dtype.is_float else "SI" if dtype.signed else "UI"
    return kinds[name.upper() + suffix]


# --- fixed types --------------------------------------------------------------

from .utils.vector_alias import VectorAlias, predefined  # noqa: E402  (it needs Vector)

for _alias in predefined():
    globals()[_alias.__name__] = _alias
    __all__.append(_alias.__name__)

# --- functions ----------------------------------------------------------------


def full(shape, x, dtype=None):
    """A vector of `shape` (int or nested tuple) with `x` in each element, of class `dtype` (default: the class of `x`)."""
    return Vector.filled(shape, x, dtype)


def full_like(other, x, dtype=None):
    """A vector shaped as `other` with `x` in each element."""
    return Vector.filled_like(other, x, dtype)


def zeros_like(other, dtype=None):
    """Zeros shaped as `other`."""
    return Vector.filled_like(other, 0, dtype)


def ones_like(other, dtype=None):
    """Ones shaped as `other`."""
    return Vector.filled_like(other, 1, dtype)


def empty_like(other, dtype=None):
    """A vector shaped as `other` whose contents do not matter; they are zero."""
    return Vector.filled_like(other, 0, dtype)
