// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries on tuples, layouts and tiles. They answer from the attribute alone;
// operations of the dialect infer their result types by the same algebra.
//
// A *layout* here is a plain or a composed layout; rank, depth, modes and shape
// of a composed layout are those of its linear part (flyLayoutGetLinear). A
// *structure* is an int tuple, a layout or a tile.

#ifndef FLY_C_LAYOUT_H
#define FLY_C_LAYOUT_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// Writes an attribute of `fly` as it stands inside of types: "(4,8):(1,4)" for
/// `#fly<layout(4,8):(1,4)>`. An attribute of another dialect is written in
/// its usual form; null writes nothing.
MLIR_CAPI_EXPORTED void flyAttributePrintBody(MlirAttribute attr,
                                              MlirStringCallback callback,
                                              void *userData);

/// True if the structure has no modes: an integer, a basis element or a layout
/// of an integer.
MLIR_CAPI_EXPORTED bool flyAttributeIsLeaf(MlirAttribute structure);

/// The number of modes of the structure; 1 for a leaf.
MLIR_CAPI_EXPORTED int32_t flyAttributeGetRank(MlirAttribute structure);

/// The number of nested tuples of the structure; 0 for a leaf. A layout inside
/// of a tile counts with its own depth.
MLIR_CAPI_EXPORTED int32_t flyAttributeGetDepth(MlirAttribute structure);

/// Mode `pos` of the structure: of an int tuple an int tuple, of a layout a
/// layout of the same kind, of a tile an integer, a layout or a tile. A leaf
/// has mode 0, itself. Error: out of range.
MLIR_CAPI_EXPORTED MlirAttribute flyAttributeGetMode(MlirAttribute structure,
                                                     int32_t pos);

/// True if no leaf of the structure is known only at run time.
MLIR_CAPI_EXPORTED bool flyAttributeIsStatic(MlirAttribute structure);

/// The number of leaves of an int tuple or a layout that are known only at run
/// time: the operands that a value of this content has. Order: depth first;
/// shape before stride; inner, offset, outer.
MLIR_CAPI_EXPORTED intptr_t
flyAttributeGetNumDynamicLeaves(MlirAttribute structure);

/// The plain layout of a layout: itself, or that at the end of the chain of
/// outers of a composed one.
MLIR_CAPI_EXPORTED MlirAttribute flyLayoutGetLinear(MlirAttribute layout);

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//
// Integers of the results are static where the operands decide them, else
// run-time leaves with the width and divisibility that are known. Errors name
// the violated precondition, as those of the operations of the same name do.

/// The number of coordinates of a layout or of an int tuple as a shape: an
/// integer leaf. Errors: basis elements; more than 64 bits.
MLIR_CAPI_EXPORTED MlirAttribute flyLayoutGetSize(MlirLocation location,
                                                  MlirAttribute layoutOrShape);

/// The extent of a layout's indices, 1 + largest - min(0, smallest): an integer
/// leaf, for basis strides the product over the coordinates. Errors: not
/// knowable (`cosize_c1`); more than 64 bits.
MLIR_CAPI_EXPORTED MlirAttribute flyLayoutGetCosize(MlirLocation location,
                                                    MlirAttribute layout);

/// The index of the coordinate `coord` (an int tuple) in `layout`: an int
/// tuple, a leaf unless strides are basis elements. An integer coordinate runs
/// through the modes, the first fastest. Errors as of `fly.crd2idx`.
MLIR_CAPI_EXPORTED MlirAttribute flyLayoutCrd2Idx(MlirLocation location,
                                                  MlirAttribute coord,
                                                  MlirAttribute layout);

/// The coordinate with the index `index` (an int tuple) in a plain `layout`: an
/// int tuple. Errors as of `fly.idx2crd`.
MLIR_CAPI_EXPORTED MlirAttribute flyLayoutIdx2Crd(MlirLocation location,
                                                  MlirAttribute index,
                                                  MlirAttribute layout);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_LAYOUT_H
