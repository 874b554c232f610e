# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types that stand in signatures and annotations, the classes of IR types, and `T`, the IR types of the current context."""
from __future__ import annotations

from .._mlir._mlir_libs._fly import (BasisType, ComposedLayoutType, CoordSwizzleType, CoordTensorType, CopyAtomType, CopyOpUniversalAtomicType,
                                     CopyOpUniversalCopyType, IntTupleType, LayoutType, MemRefType, MmaAtomType, MmaOpUniversalFMAType,
                                     PointerType, SwizzleType, TiledCopyType, TiledMmaType, TileType)
from ..compiler.parameters import Constexpr, Stream, Type
from . import numeric as _numeric
from . import vector as _vector
from .atoms import CopyAtom, MmaAtom, ThrCopy, ThrMma, TiledCopy, TiledMma
from .layout import Basis, ComposedLayout, CoordSwizzle, E, IntTuple, Layout, Swizzle, Tile
from .numeric import *  # noqa: F401,F403
from .tensor import CoordTensor, Pointer, Tensor
from .types import T, Types
from .vector import *  # noqa: F401,F403

__all__ = [
    *_numeric.__all__, *_vector.__all__, "Basis", "BasisType", "ComposedLayout", "ComposedLayoutType", "Constexpr", "CoordSwizzle",
    "CoordSwizzleType", "CoordTensor", "CoordTensorType", "CopyAtom", "CopyAtomType", "CopyOpUniversalAtomicType", "CopyOpUniversalCopyType", "E",
    "IntTuple", "IntTupleType", "Layout", "LayoutType", "MemRefType", "MmaAtom", "MmaAtomType", "MmaOpUniversalFMAType", "Pointer",
    "PointerType", "Stream", "Swizzle", "SwizzleType", "T", "Tensor", "ThrCopy", "ThrMma", "Tile", "TileType", "TiledCopy", "TiledCopyType",
    "TiledMma", "TiledMmaType", "Type", "Types"
]
