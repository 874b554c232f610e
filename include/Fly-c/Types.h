// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the dialect `fly`: values of the layout algebra, pointers and
// tensors, atoms and tiled atoms. What an atom does is in Atoms.h.
// Registration.h states the rules on errors and ownership.

#ifndef FLY_C_TYPES_H
#define FLY_C_TYPES_H

#include "Fly-c/Attributes.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// True if `type` has exactly one value, which `fly.static` then makes: no part
/// of it is known only at run time. False for types of other dialects.
MLIR_CAPI_EXPORTED bool flyTypeIsStatic(MlirType type);

//===----------------------------------------------------------------------===//
// Values of the algebra: a type holds the attribute of the same name
//===----------------------------------------------------------------------===//

/// True if `type` is `!fly.basis`.
MLIR_CAPI_EXPORTED bool flyTypeIsABasis(MlirType type);
/// The type id of `!fly.basis`.
MLIR_CAPI_EXPORTED MlirTypeID flyBasisTypeGetTypeID(void);
/// The type of the basis element `attr`.
MLIR_CAPI_EXPORTED MlirType flyBasisTypeGet(MlirLocation location,
                                            MlirAttribute attr);
/// The basis element.
MLIR_CAPI_EXPORTED MlirAttribute flyBasisTypeGetAttr(MlirType type);

/// True if `type` is `!fly.int_tuple`.
MLIR_CAPI_EXPORTED bool flyTypeIsAIntTuple(MlirType type);
/// The type id of `!fly.int_tuple`.
MLIR_CAPI_EXPORTED MlirTypeID flyIntTupleTypeGetTypeID(void);
/// The type of the int tuple `attr`.
MLIR_CAPI_EXPORTED MlirType flyIntTupleTypeGet(MlirLocation location,
                                               MlirAttribute attr);
/// The int tuple.
MLIR_CAPI_EXPORTED MlirAttribute flyIntTupleTypeGetAttr(MlirType type);

/// True if `type` is `!fly.layout`.
MLIR_CAPI_EXPORTED bool flyTypeIsALayout(MlirType type);
/// The type id of `!fly.layout`.
MLIR_CAPI_EXPORTED MlirTypeID flyLayoutTypeGetTypeID(void);
/// The type of the plain layout `attr`.
MLIR_CAPI_EXPORTED MlirType flyLayoutTypeGet(MlirLocation location,
                                             MlirAttribute attr);
/// The layout.
MLIR_CAPI_EXPORTED MlirAttribute flyLayoutTypeGetAttr(MlirType type);

/// True if `type` is `!fly.swizzle`.
MLIR_CAPI_EXPORTED bool flyTypeIsASwizzle(MlirType type);
/// The type id of `!fly.swizzle`.
MLIR_CAPI_EXPORTED MlirTypeID flySwizzleTypeGetTypeID(void);
/// The type of the swizzle `attr`.
MLIR_CAPI_EXPORTED MlirType flySwizzleTypeGet(MlirLocation location,
                                              MlirAttribute attr);
/// The swizzle.
MLIR_CAPI_EXPORTED MlirAttribute flySwizzleTypeGetAttr(MlirType type);

/// True if `type` is `!fly.coord_swizzle`.
MLIR_CAPI_EXPORTED bool flyTypeIsACoordSwizzle(MlirType type);
/// The type id of `!fly.coord_swizzle`.
MLIR_CAPI_EXPORTED MlirTypeID flyCoordSwizzleTypeGetTypeID(void);
/// The type of the coordinate swizzle `attr`.
MLIR_CAPI_EXPORTED MlirType flyCoordSwizzleTypeGet(MlirLocation location,
                                                   MlirAttribute attr);
/// The coordinate swizzle.
MLIR_CAPI_EXPORTED MlirAttribute flyCoordSwizzleTypeGetAttr(MlirType type);

/// True if `type` is `!fly.composed_layout`.
MLIR_CAPI_EXPORTED bool flyTypeIsAComposedLayout(MlirType type);
/// The type id of `!fly.composed_layout`.
MLIR_CAPI_EXPORTED MlirTypeID flyComposedLayoutTypeGetTypeID(void);
/// The type of the composed layout `attr`.
MLIR_CAPI_EXPORTED MlirType flyComposedLayoutTypeGet(MlirLocation location,
                                                     MlirAttribute attr);
/// The composed layout.
MLIR_CAPI_EXPORTED MlirAttribute flyComposedLayoutTypeGetAttr(MlirType type);

/// True if `type` is `!fly.tile`.
MLIR_CAPI_EXPORTED bool flyTypeIsATile(MlirType type);
/// The type id of `!fly.tile`.
MLIR_CAPI_EXPORTED MlirTypeID flyTileTypeGetTypeID(void);
/// The type of the tile `attr`.
MLIR_CAPI_EXPORTED MlirType flyTileTypeGet(MlirLocation location,
                                           MlirAttribute attr);
/// The tile.
MLIR_CAPI_EXPORTED MlirAttribute flyTileTypeGetAttr(MlirType type);

//===----------------------------------------------------------------------===//
// Pointers and tensors
//===----------------------------------------------------------------------===//

/// True if `type` is `!fly.ptr`.
MLIR_CAPI_EXPORTED bool flyTypeIsAPointer(MlirType type);
/// The type id of `!fly.ptr`.
MLIR_CAPI_EXPORTED MlirTypeID flyPointerTypeGetTypeID(void);
/// A pointer to elements of `elementType`, an integer or float type.
/// `addressSpace` is one of `fly` or an attribute of another dialect that is
/// not builtin; a null `alignment` means the element's size, a null `swizzle`
/// the identity. Errors: another element type; an alignment that is no multiple
/// of the element's size in bytes.
MLIR_CAPI_EXPORTED MlirType flyPointerTypeGet(MlirLocation location,
                                              MlirType elementType,
                                              MlirAttribute addressSpace,
                                              MlirAttribute alignment,
                                              MlirAttribute swizzle);
/// The type of the elements.
MLIR_CAPI_EXPORTED MlirType flyPointerTypeGetElementType(MlirType type);
/// The address space.
MLIR_CAPI_EXPORTED MlirAttribute flyPointerTypeGetAddressSpace(MlirType type);
/// The alignment, never null.
MLIR_CAPI_EXPORTED MlirAttribute flyPointerTypeGetAlignment(MlirType type);
/// The swizzle of addresses, never null.
MLIR_CAPI_EXPORTED MlirAttribute flyPointerTypeGetSwizzle(MlirType type);

/// True if `type` is `!fly.memref`, a tensor in memory.
MLIR_CAPI_EXPORTED bool flyTypeIsAMemRef(MlirType type);
/// The type id of `!fly.memref`.
MLIR_CAPI_EXPORTED MlirTypeID flyMemRefTypeGetTypeID(void);
/// A pointer as of flyPointerTypeGet, seen through `layout`, a plain or a
/// composed layout.
MLIR_CAPI_EXPORTED MlirType flyMemRefTypeGet(
    MlirLocation location, MlirType elementType, MlirAttribute addressSpace,
    MlirAttribute layout, MlirAttribute alignment, MlirAttribute swizzle);
/// The type of the elements.
MLIR_CAPI_EXPORTED MlirType flyMemRefTypeGetElementType(MlirType type);
/// The address space.
MLIR_CAPI_EXPORTED MlirAttribute flyMemRefTypeGetAddressSpace(MlirType type);
/// The layout or composed layout.
MLIR_CAPI_EXPORTED MlirAttribute flyMemRefTypeGetLayout(MlirType type);
/// The alignment of the pointer, never null.
MLIR_CAPI_EXPORTED MlirAttribute flyMemRefTypeGetAlignment(MlirType type);
/// The swizzle of addresses, never null.
MLIR_CAPI_EXPORTED MlirAttribute flyMemRefTypeGetSwizzle(MlirType type);
/// The type of the pointer in the memref.
MLIR_CAPI_EXPORTED MlirType flyMemRefTypeGetPointerType(MlirType type);

/// True if `type` is `!fly.coord_tensor`, a tensor of coordinates.
MLIR_CAPI_EXPORTED bool flyTypeIsACoordTensor(MlirType type);
/// The type id of `!fly.coord_tensor`.
MLIR_CAPI_EXPORTED MlirTypeID flyCoordTensorTypeGetTypeID(void);
/// The tensor whose elements are `base` (an int tuple) plus the indices of
/// `layout` (a plain or a composed layout).
MLIR_CAPI_EXPORTED MlirType flyCoordTensorTypeGet(MlirLocation location,
                                                  MlirAttribute base,
                                                  MlirAttribute layout);
/// The coordinate of the first element.
MLIR_CAPI_EXPORTED MlirAttribute flyCoordTensorTypeGetBase(MlirType type);
/// The layout or composed layout.
MLIR_CAPI_EXPORTED MlirAttribute flyCoordTensorTypeGetLayout(MlirType type);

//===----------------------------------------------------------------------===//
// Atoms and tiled atoms
//===----------------------------------------------------------------------===//

/// True if `type` is `!fly.copy_atom`.
MLIR_CAPI_EXPORTED bool flyTypeIsACopyAtom(MlirType type);
/// The type id of `!fly.copy_atom`.
MLIR_CAPI_EXPORTED MlirTypeID flyCopyAtomTypeGetTypeID(void);
/// The copy operation `copyOp` on values of `valBits` bits. Errors: no copy
/// operation (flyTypeIsACopyOp); a width below 1 (below 0 for whole-tile
/// copies).
MLIR_CAPI_EXPORTED MlirType flyCopyAtomTypeGet(MlirLocation location,
                                               MlirType copyOp,
                                               int32_t valBits);
/// The copy operation.
MLIR_CAPI_EXPORTED MlirType flyCopyAtomTypeGetCopyOp(MlirType type);
/// The width of one value in bits.
MLIR_CAPI_EXPORTED int32_t flyCopyAtomTypeGetValBits(MlirType type);

/// True if `type` is `!fly.mma_atom`.
MLIR_CAPI_EXPORTED bool flyTypeIsAMmaAtom(MlirType type);
/// The type id of `!fly.mma_atom`.
MLIR_CAPI_EXPORTED MlirTypeID flyMmaAtomTypeGetTypeID(void);
/// The atom of the matrix operation `mmaOp`. Error: no matrix operation
/// (flyTypeIsAMmaOp).
MLIR_CAPI_EXPORTED MlirType flyMmaAtomTypeGet(MlirLocation location,
                                              MlirType mmaOp);
/// The matrix operation.
MLIR_CAPI_EXPORTED MlirType flyMmaAtomTypeGetMmaOp(MlirType type);

/// True if `type` is `!fly.tiled_copy`.
MLIR_CAPI_EXPORTED bool flyTypeIsATiledCopy(MlirType type);
/// The type id of `!fly.tiled_copy`.
MLIR_CAPI_EXPORTED MlirTypeID flyTiledCopyTypeGetTypeID(void);
/// The copy atom `copyAtom` repeated over a tile: `layoutThrVal`, a layout type
/// that is static and of rank 2, takes (thread, value) to the column-major
/// index in the tile of type `tileMN`.
MLIR_CAPI_EXPORTED MlirType flyTiledCopyTypeGet(MlirLocation location,
                                                MlirType copyAtom,
                                                MlirType layoutThrVal,
                                                MlirType tileMN);
/// The copy atom.
MLIR_CAPI_EXPORTED MlirType flyTiledCopyTypeGetCopyAtom(MlirType type);
/// The layout of threads and values, a layout type.
MLIR_CAPI_EXPORTED MlirType flyTiledCopyTypeGetLayoutThrVal(MlirType type);
/// The tile, a tile type.
MLIR_CAPI_EXPORTED MlirType flyTiledCopyTypeGetTileMN(MlirType type);

/// True if `type` is `!fly.tiled_mma`.
MLIR_CAPI_EXPORTED bool flyTypeIsATiledMma(MlirType type);
/// The type id of `!fly.tiled_mma`.
MLIR_CAPI_EXPORTED MlirTypeID flyTiledMmaTypeGetTypeID(void);
/// The matrix atom `mmaAtom` repeated by `atomLayout`, a layout type that is
/// static and of rank 3 (M, N, K), with `permutation`, a tile type of at most
/// three elements; null means `[*|*|*]`.
MLIR_CAPI_EXPORTED MlirType flyTiledMmaTypeGet(MlirLocation location,
                                               MlirType mmaAtom,
                                               MlirType atomLayout,
                                               MlirType permutation);
/// The matrix atom.
MLIR_CAPI_EXPORTED MlirType flyTiledMmaTypeGetMmaAtom(MlirType type);
/// The layout of atoms, a layout type.
MLIR_CAPI_EXPORTED MlirType flyTiledMmaTypeGetAtomLayout(MlirType type);
/// The permutation, a tile type, never null.
MLIR_CAPI_EXPORTED MlirType flyTiledMmaTypeGetPermutation(MlirType type);

//===----------------------------------------------------------------------===//
// Universal atom operations
//===----------------------------------------------------------------------===//

/// True if `type` is `!fly.universal_copy`.
MLIR_CAPI_EXPORTED bool flyTypeIsAUniversalCopy(MlirType type);
/// The type id of `!fly.universal_copy`.
MLIR_CAPI_EXPORTED MlirTypeID flyUniversalCopyTypeGetTypeID(void);
/// One thread copies `bitSize` bits. Error: `bitSize` below 1.
MLIR_CAPI_EXPORTED MlirType flyUniversalCopyTypeGet(MlirLocation location,
                                                    int32_t bitSize);
/// The number of bits.
MLIR_CAPI_EXPORTED int32_t flyUniversalCopyTypeGetBitSize(MlirType type);

/// True if `type` is `!fly.universal_atomic`.
MLIR_CAPI_EXPORTED bool flyTypeIsAUniversalAtomic(MlirType type);
/// The type id of `!fly.universal_atomic`.
MLIR_CAPI_EXPORTED MlirTypeID flyUniversalAtomicTypeGetTypeID(void);
/// One thread combines a value of `valType`, an integer or float type, with
/// memory. `syncscope` is LLVM's; empty means the whole system. Errors: another
/// type; and, or, inc or dec of floats.
MLIR_CAPI_EXPORTED MlirType flyUniversalAtomicTypeGet(MlirLocation location,
                                                      FlyAtomicOp atomicOp,
                                                      MlirType valType,
                                                      MlirStringRef syncscope);
/// The operation.
MLIR_CAPI_EXPORTED FlyAtomicOp flyUniversalAtomicTypeGetAtomicOp(MlirType type);
/// The type of the value.
MLIR_CAPI_EXPORTED MlirType flyUniversalAtomicTypeGetValType(MlirType type);
/// The sync scope.
MLIR_CAPI_EXPORTED MlirStringRef
flyUniversalAtomicTypeGetSyncscope(MlirType type);

/// True if `type` is `!fly.universal_fma`.
MLIR_CAPI_EXPORTED bool flyTypeIsAUniversalFMA(MlirType type);
/// The type id of `!fly.universal_fma`.
MLIR_CAPI_EXPORTED MlirTypeID flyUniversalFMATypeGetTypeID(void);
/// One thread computes a * b + c on `elemTy`. Error: no float type.
MLIR_CAPI_EXPORTED MlirType flyUniversalFMATypeGet(MlirLocation location,
                                                   MlirType elemTy);
/// The type of a, b, c and the result.
MLIR_CAPI_EXPORTED MlirType flyUniversalFMATypeGetElemTy(MlirType type);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_TYPES_H
