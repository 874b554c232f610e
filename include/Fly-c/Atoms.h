// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an atom says about itself: its threads, its run-time state, the chip
// feature that it needs, which thread holds which value. An *atom* here is an
// atom operation (`!fly.universal_copy`, `!fly_rocdl.cdna3.mfma`, …) or the
// `!fly.copy_atom` or `!fly.mma_atom` that wraps one; a *copy* or a *matrix
// operation* is one of its kind, wrapped or not. All layouts are static.

#ifndef FLY_C_ATOMS_H
#define FLY_C_ATOMS_H

#include "Fly-c/Attributes.h"
#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The sides of a copy. The reference is the side for which the layout of a
/// tiled copy is stated.
typedef enum FlyCopySide {
  FlyCopySideSource = 0,
  FlyCopySideDestination = 1,
  FlyCopySideReference = 2
} FlyCopySide;

/// True if `type` is a bare copy operation, fit for `!fly.copy_atom`.
MLIR_CAPI_EXPORTED bool flyTypeIsACopyOp(MlirType type);

/// True if `type` is a bare matrix operation, fit for `!fly.mma_atom`.
MLIR_CAPI_EXPORTED bool flyTypeIsAMmaOp(MlirType type);

/// The layout of the threads that execute the atom together; its size is their
/// number.
MLIR_CAPI_EXPORTED MlirAttribute flyAtomGetThrLayout(MlirType atom);

/// The name of the chip feature that the atom needs (see flyChipHasFeature);
/// empty if every chip has it.
MLIR_CAPI_EXPORTED MlirStringRef flyAtomGetRequiredFeature(MlirType atom);

/// The number of run-time fields that the atom's value carries.
MLIR_CAPI_EXPORTED intptr_t flyAtomGetNumStateFields(MlirType atom);

/// The name of field `pos`, as `fly.atom.set_value` takes it. Error: out of
/// range.
MLIR_CAPI_EXPORTED MlirStringRef flyAtomGetStateFieldName(MlirType atom,
                                                          intptr_t pos);

/// The type of field `pos`. Error: out of range.
MLIR_CAPI_EXPORTED MlirType flyAtomGetStateFieldType(MlirType atom,
                                                     intptr_t pos);

/// The width in bits of one value of the copy if it is named without one.
MLIR_CAPI_EXPORTED int32_t flyCopyOpGetDefaultValBits(MlirType copy);

/// True if one call of the copy moves a whole tile of any rank.
MLIR_CAPI_EXPORTED bool flyCopyOpIsWholeTile(MlirType copy);

/// (thread, bit) to the number of the bit in the copy's tile. Error: `side` is
/// none of the enumeration.
MLIR_CAPI_EXPORTED MlirAttribute flyCopyOpGetThrBitLayout(MlirType copy,
                                                          FlyCopySide side);

/// (thread, value) to the number of the value in the tile of `copyAtom`, a
/// `!fly.copy_atom`. Errors: values that are no whole part of the copy; `side`
/// is none of the enumeration.
MLIR_CAPI_EXPORTED MlirAttribute flyCopyAtomGetThrValLayout(
    MlirLocation location, MlirType copyAtom, FlyCopySide side);

/// The extents (M, N, K) of the matrix operation, an int tuple.
MLIR_CAPI_EXPORTED MlirAttribute flyMmaOpGetShapeMNK(MlirType mma);

/// The element type of an operand of the matrix operation. Error: `operand` is
/// none of the enumeration.
MLIR_CAPI_EXPORTED MlirType flyMmaOpGetValType(MlirType mma,
                                               FlyMmaOperand operand);

/// (thread, value) to the column-major index in the operand's tile: M x K for
/// A, N x K for B, M x N for C and D. Error: `operand` is none of the
/// enumeration.
MLIR_CAPI_EXPORTED MlirAttribute flyMmaOpGetThrValLayout(MlirType mma,
                                                         FlyMmaOperand operand);

//===----------------------------------------------------------------------===//
// Tiled atoms
//===----------------------------------------------------------------------===//

/// (thread, value) to the column-major index in the tile of `tiledCopy`, as the
/// source or the destination sees it; for the reference side what the type
/// states. Errors: layouts that do not fit together; `side` is none of the
/// enumeration.
MLIR_CAPI_EXPORTED MlirAttribute flyTiledCopyGetThrValLayout(
    MlirLocation location, MlirType tiledCopy, FlyCopySide side);

/// The extents (M, N, K) that one call of all threads of `tiledMma` covers, an
/// int tuple. Error: a nested permutation.
MLIR_CAPI_EXPORTED MlirAttribute
flyTiledMmaGetTileSizeMNK(MlirLocation location, MlirType tiledMma);

/// (thread in the atom, atom of M, of N, of K) to the number of the thread.
MLIR_CAPI_EXPORTED MlirAttribute
flyTiledMmaGetThrLayoutVMNK(MlirLocation location, MlirType tiledMma);

/// (thread, value) to the column-major index in the operand's tile. Errors:
/// layouts that do not fit together; `operand` is none of the enumeration.
MLIR_CAPI_EXPORTED MlirAttribute flyTiledMmaGetThrValLayout(
    MlirLocation location, MlirType tiledMma, FlyMmaOperand operand);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_ATOMS_H
