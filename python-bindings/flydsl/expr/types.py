# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`T`, whose properties are IR types in the current context: `T.i32`, `T.f16x8`, `T.vec(n, T.f32)`."""
from __future__ import annotations

from .._mlir import ir
from .utils.numeric_meta import require_context

__all__ = ["T", "Types"]


class Types:
    """IR types in the current context, one property a type."""

    def vec(self, n, elem):
        """The type `vector<n x elem>`; `elem` is an IR type or a numeric class."""
        elem = elem if isinstance(elem, ir.Type) else elem.ir_type
        return ir.VectorType.get([n], elem)


def _scalar(name, make):

    def get(self):
        require_context(f"T.{name}")
        return make()

    return property(get, doc=f"The IR type {name}.")


def _vector(name, scalar, count):
    return property(lambda self: ir.VectorType.get([count], getattr(self, scalar)), doc=f"The IR type vector<{count}x{scalar}>.")


def _define():
    Types.index = _scalar("index", lambda: ir.IndexType.get())
    for bits in (1, 4, 8, 16, 32, 64, 128):
        setattr(Types, f"i{bits}", _scalar(f"i{bits}", lambda bits=bits: ir.IntegerType.get_signless(bits)))
    for name, cls in (("f16", "F16Type"), ("bf16", "BF16Type"), ("f32", "F32Type"), ("f64", "F64Type")):
        setattr(Types, name, _scalar(name, lambda cls=cls: getattr(ir, cls).get()))
    counts = {"i8": (2, 4, 8, 16), "i16": (2, 4, 8), "i32": (2, 4), "i64": (2,), "f16": (2, 4, 8), "bf16": (2, 4, 8), "f32": (2, 4)}
    for scalar, lanes in counts.items():
        for count in lanes:
            setattr(Types, f"{scalar}x{count}", _vector(f"{scalar}x{count}", scalar, count))


_define()

T = Types()
