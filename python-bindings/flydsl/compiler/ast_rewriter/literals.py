# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers that become IR values: literals of a class, values of a type for places that nobody reads, and what does not match."""
from __future__ import annotations

import struct

from . import values
from .values import describe, type_list


class Mismatch(Exception):
    """Two values that cannot be one variable. `path` says which part, `text` why, `hint` what to do."""

    def __init__(self, path, text, hint=""):
        super().__init__(text)
        self.path, self.text, self.hint = path, text, hint


def common_literal(a, b, path):
    numeric = values.numeric().as_numeric
    x, y = type(numeric(a)), type(numeric(b))
    if x is y:
        return x
    if type(a) is int and type(b) is int:
        return x if x.width > y.width else y
    raise Mismatch(path, types_text([x.ir_type], [y.ir_type]), "give both the same type, as in `fx.Float32(0)`")


def literal(value, cls):
    """`value` as a `cls` if it is of the same kind and represented exactly; else None."""
    n = values.numeric()
    if type(value) is bool:
        return cls(value) if cls is n.Boolean else None
    if type(value) is int:
        if cls is n.Boolean or not issubclass(cls, n.Integer):
            return None
        low, high = (-(1 << (cls.width - 1)), (1 << (cls.width - 1)) - 1) if cls.signed else (0, (1 << cls.width) - 1)
        return cls(value) if low <= value <= high else None
    if not issubclass(cls, n.Float):
        return None
    return cls(value) if _exact(value, cls) else None


def _exact(value, cls) -> bool:
    name = cls.__name__
    if value != value or name == "Float64" or (value == 0 and cls.width >= 16):
        return True
    try:
        if name in ("Float32", "BFloat16"):
            packed = struct.pack("<f", value)
            return struct.unpack("<f", packed)[0] == value and (name == "Float32" or packed[:2] == b"\0\0")
        return name == "Float16" and struct.unpack("<e", struct.pack("<e", value))[0] == value
    except OverflowError:
        return False


def as_numeric(value, path, types):
    if isinstance(value, values.ir().Value):
        try:
            return values.numeric().as_numeric(value)
        except (TypeError, ValueError):
            raise Mismatch(path, types_text(types, [value.type])) from None
    hint = "initialise it, as in `fx.Int32(0)`" if value is None else ""
    raise Mismatch(path, f"expected dtype {type_list(types)}, produced {describe(value)}", hint)


def types_text(expected, produced):
    return f"expected dtype {type_list(expected)}, produced {type_list(produced)} (type mismatch)"


def filler(types, path):
    """IR values of `types` for a place that is never read."""
    ir = values.ir()
    from ..._mlir.dialects import arith
    made = []
    for t in types:
        element = t.element_type if isinstance(t, ir.VectorType) else t
        if isinstance(element, (ir.IntegerType, ir.IndexType)):
            attribute = ir.IntegerAttr.get(element, 0)
        elif isinstance(element, ir.FloatType) or str(element).startswith(("f", "bf")) and "<" not in str(element):
            attribute = ir.FloatAttr.get(element, 0.0)
        else:
            raise Mismatch(path, f"a value of type {t} cannot be carried past the statements that do not set it",
                           "return it, or set it, in every branch")
        if element is not t:
            attribute = ir.DenseElementsAttr.get_splat(t, attribute)
        made.append(arith.ConstantOp(t, attribute).result)
    return made
