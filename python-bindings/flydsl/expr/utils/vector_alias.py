# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fixed vector types `Float32x4` …"""
from __future__ import annotations

from ..._mlir import ir
from ..numeric import NumericMeta
from ..vector import Vector

_ALIASES: dict = {}


class VectorAlias:
    """`VectorAlias(dtype, lanes)`, also `Vector[dtype, lanes]`: the fixed vector type `<dtype>x<lanes>`, a class.

    `Float32x4(0.0)` repeats a scalar, `Float32x4([a, b, c, d])` takes elements, `Float32x4(v)` converts a vector of four.
    It serves as an annotation, a struct field, and as the type of `Pointer.load`. The values are `Vector` objects.
    """

    def __new__(cls, dtype, lanes):
        if not isinstance(dtype, NumericMeta) or dtype.width is None:
            raise TypeError(f"VectorAlias: expected a numeric class, found {dtype!r}")
        if isinstance(lanes, bool) or not isinstance(lanes, int) or lanes < 1:
            raise ValueError(f"VectorAlias: expected a positive number of elements, found {lanes!r}")
        found = _ALIASES.get((dtype, lanes))
        if found is None:
            found = _ALIASES[dtype, lanes] = _make_alias(dtype, lanes)
        return found


def _make_alias(dtype, lanes):
    name = f"{dtype.__name__}x{lanes}"

    def __new__(cls, value=None):
        return _alias_value(dtype, lanes, name, value)

    def make_type(*args):
        return Vector.make_type(*args) if args else Vector.make_type(lanes, dtype)

    def filled(*args):
        return Vector.filled(*args) if len(args) > 1 else Vector.filled(lanes, *args, dtype)

    def construct(values, exemplar=None):
        return Vector(values[0], getattr(exemplar, "shape", None), dtype)

    size = max(1, lanes * dtype.width // 8)
    align = min(16, 1 << (size - 1).bit_length())
    body = {
        "__new__": __new__, "__module__": Vector.__module__, "__doc__": f"Vector of {lanes} {dtype.__name__}; see VectorAlias.",
        "dtype": dtype, "element_type": dtype, "lanes": lanes, "numel": lanes, "shape": (lanes,),
        "make_type": staticmethod(make_type), "filled": staticmethod(filled),
        "__construct_from_ir_values__": staticmethod(construct),
        "__dsl_size_of__": staticmethod(lambda: size), "__dsl_align_of__": staticmethod(lambda: align),
        "__peek_from_ptr__": staticmethod(lambda ptr: ptr.load(_ALIASES[dtype, lanes])),
        "__poke_into_ptr__": staticmethod(lambda ptr, value: ptr.store(_alias_value(dtype, lanes, name, value))),
    }
    return type(Vector)(name, (Vector,), body)


def _alias_value(dtype, lanes, name, value):
    if value is None:
        raise TypeError(f"{name}: expected a scalar, {lanes} elements or a vector")
    if isinstance(value, ir.Value) and isinstance(value.type, ir.VectorType):
        result = (value if isinstance(value, Vector) else Vector(value)).to(dtype)
        if result.numel != lanes:
            raise ValueError(f"{name}: found {result.numel} elements, expected {lanes}")
        return result
    if isinstance(value, (list, tuple)):
        if len(value) != lanes:
            raise ValueError(f"{name}: found {len(value)} elements, expected {lanes}")
        return Vector.from_elements(value, dtype)
    return Vector.filled(lanes, value, dtype)


def predefined():
    """The fixed types that have a name in `flydsl.expr`."""
    from .. import numeric
    bytes_ = (1, 2, 4, 8, 16)
    rows = [(n, bytes_) for n in ("Int8", "Uint8", "Int16", "Uint16", "Float16", "BFloat16", "Float8E5M2", "Float8E4M3FN",
                                  "Float8E4M3FNUZ", "Float8E4M3B11FNUZ", "Float8E4M3", "Float8E8M0FNU")]
    rows += [(n, (1, 2, 4, 8)) for n in ("Float32", "Int32", "Uint32")]
    rows += [(n, (1, 2, 4)) for n in ("Float64", "Int64", "Uint64")]
    rows += [(n, (1,)) for n in ("Int128", "Uint128")]
    rows += [(n, (2, 4, 8, 16, 32)) for n in ("Int4", "Float4E2M1FN")]
    return [VectorAlias(getattr(numeric, name), lanes) for name, counts in rows for lanes in counts]
