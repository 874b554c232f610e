# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types that stand in signatures and annotations, and `T`, the IR types of the current context."""
from __future__ import annotations

from .._mlir import ir
from .._mlir._mlir_libs._fly import (BasisType, ComposedLayoutType, CoordSwizzleType, CoordTensorType, CopyAtomType, CopyOpUniversalAtomicType,
                                     CopyOpUniversalCopyType, IntTupleType, LayoutType, MemRefType, MmaAtomType, MmaOpUniversalFMAType,
                                     PointerType, SwizzleType, TiledCopyType, TiledMmaType, TileType)
from ..compiler.parameters import Constexpr, Stream
from . import numeric as _numeric
from . import vector as _vector
from .atoms import CopyAtom, MmaAtom, ThrCopy, ThrMma, TiledCopy, TiledMma
from .layout import Basis, ComposedLayout, CoordSwizzle, E, IntTuple, Layout, Swizzle, Tile
from .numeric import *  # noqa: F401,F403
from .tensor import CoordTensor, Pointer, Tensor
from .vector import *  # noqa: F401,F403

_INTEGERS = {f"i{width}": width for width in (4, 8, 16, 32, 64, 128)}
_FLOATS = {"f16": "F16Type", "bf16": "BF16Type", "f32": "F32Type", "f64": "F64Type"}
_VECTORS = {
    "i8": (2, 4, 8, 16), "i16": (2, 4, 8), "i32": (2, 4), "i64": (2, ), "f16": (2, 4, 8), "bf16": (2, 4, 8), "f32": (2, 4)
}


class Types:
    """IR types of the current context: `T.i4`, `T.i8` to `T.i128`, `T.index`, `T.f16`, `T.bf16`, `T.f32`, `T.f64`, vectors such as
    `T.f16x8`, and `T.vec(n, elem)`."""

    @staticmethod
    def vec(count: int, elem) -> ir.Type:
        """The vector type of `count` elements of a numeric class or IR type."""
        return ir.VectorType.get([count], getattr(elem, "ir_type", elem))

    @property
    def index(self) -> ir.Type:
        """The type `index`."""
        return ir.IndexType.get()

    @property
    def bool(self) -> ir.Type:
        """The type `i1`."""
        return ir.IntegerType.get_signless(1)


def _scalar(name: str) -> ir.Type:
    return ir.IntegerType.get_signless(_INTEGERS[name]) if name in _INTEGERS else getattr(ir, _FLOATS[name]).get()


def _add_properties() -> None:
    for name in (*_INTEGERS, *_FLOATS):
        setattr(Types, name, property(lambda self, name=name: _scalar(name), doc=f"The type `{name}`."))
        for lanes in _VECTORS.get(name, ()):
            setattr(Types, f"{name}x{lanes}",
                    property(lambda self, name=name, lanes=lanes: self.vec(lanes, _scalar(name)), doc=f"The type `vector<{lanes}x{name}>`."))


_add_properties()
T = Types()

__all__ = [
    *_numeric.__all__, *_vector.__all__, "Basis", "BasisType", "ComposedLayout", "ComposedLayoutType", "Constexpr", "CoordSwizzle",
    "CoordSwizzleType", "CoordTensor", "CoordTensorType", "CopyAtom", "CopyAtomType", "CopyOpUniversalAtomicType", "CopyOpUniversalCopyType", "E",
    "IntTuple", "IntTupleType", "Layout", "LayoutType", "MemRefType", "MmaAtom", "MmaAtomType", "MmaOpUniversalFMAType", "Pointer",
    "PointerType", "Stream", "Swizzle", "SwizzleType", "T", "Tensor", "ThrCopy", "ThrMma", "Tile", "TileType", "TiledCopy", "TiledCopyType",
    "TiledMma", "TiledMmaType", "Types"
]
