// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of the dialect `fly`: enumerations, integer leaves, tuples,
// layouts, swizzles, tiles and alignments. Queries that several kinds share
// (rank, modes, size, …) are in Layout.h. Registration.h states the rules on
// errors and ownership.

#ifndef FLY_C_ATTRIBUTES_H
#define FLY_C_ATTRIBUTES_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

/// The memory that a pointer is in.
typedef enum FlyAddressSpace {
  FlyAddressSpaceGeneric = 0,
  FlyAddressSpaceGlobal = 1,
  FlyAddressSpaceShared = 2,
  FlyAddressSpaceRegister = 3
} FlyAddressSpace;

/// True if `attr` is an address space of `fly`.
MLIR_CAPI_EXPORTED bool flyAttributeIsAAddressSpace(MlirAttribute attr);
/// The type id of these attributes.
MLIR_CAPI_EXPORTED MlirTypeID flyAddressSpaceAttrGetTypeID(void);
/// `#fly<address_space …>`. Error: `value` is none of the enumeration.
MLIR_CAPI_EXPORTED MlirAttribute flyAddressSpaceAttrGet(MlirLocation location,
                                                        FlyAddressSpace value);
/// The case.
MLIR_CAPI_EXPORTED FlyAddressSpace
flyAddressSpaceAttrGetValue(MlirAttribute attr);

/// An operand of D = A * B + C.
typedef enum FlyMmaOperand {
  FlyMmaOperandA = 0,
  FlyMmaOperandB = 1,
  FlyMmaOperandC = 2,
  FlyMmaOperandD = 3
} FlyMmaOperand;

/// True if `attr` names a matrix operand.
MLIR_CAPI_EXPORTED bool flyAttributeIsAMmaOperand(MlirAttribute attr);
/// The type id of these attributes.
MLIR_CAPI_EXPORTED MlirTypeID flyMmaOperandAttrGetTypeID(void);
/// `#fly<mma_operand …>`. Error: `value` is none of the enumeration.
MLIR_CAPI_EXPORTED MlirAttribute flyMmaOperandAttrGet(MlirLocation location,
                                                      FlyMmaOperand value);
/// The case.
MLIR_CAPI_EXPORTED FlyMmaOperand flyMmaOperandAttrGetValue(MlirAttribute attr);

/// A read-modify-write operation on memory.
typedef enum FlyAtomicOp {
  FlyAtomicOpAdd = 0,
  FlyAtomicOpMax = 1,
  FlyAtomicOpMin = 2,
  FlyAtomicOpAnd = 3,
  FlyAtomicOpOr = 4,
  FlyAtomicOpInc = 5,
  FlyAtomicOpDec = 6
} FlyAtomicOp;

/// True if `attr` is an atomic operation of `fly`.
MLIR_CAPI_EXPORTED bool flyAttributeIsAAtomicOp(MlirAttribute attr);
/// The type id of these attributes.
MLIR_CAPI_EXPORTED MlirTypeID flyAtomicOpAttrGetTypeID(void);
/// `#fly<atomic_op …>`. Error: `value` is none of the enumeration.
MLIR_CAPI_EXPORTED MlirAttribute flyAtomicOpAttrGet(MlirLocation location,
                                                    FlyAtomicOp value);
/// The case.
MLIR_CAPI_EXPORTED FlyAtomicOp flyAtomicOpAttrGetValue(MlirAttribute attr);

/// The order in which `fly.gemm` walks its atoms, innermost mode first.
/// Serpentine orders turn round at the end of each row.
typedef enum FlyGemmTraversalOrder {
  FlyGemmTraversalOrderKMN = 0,
  FlyGemmTraversalOrderKNM = 1,
  FlyGemmTraversalOrderMKN = 2,
  FlyGemmTraversalOrderMNK = 3,
  FlyGemmTraversalOrderNKM = 4,
  FlyGemmTraversalOrderNMK = 5,
  FlyGemmTraversalOrderKMNSerpentine = 6,
  FlyGemmTraversalOrderKNMSerpentine = 7,
  FlyGemmTraversalOrderMKNSerpentine = 8,
  FlyGemmTraversalOrderMNKSerpentine = 9,
  FlyGemmTraversalOrderNKMSerpentine = 10,
  FlyGemmTraversalOrderNMKSerpentine = 11
} FlyGemmTraversalOrder;

/// True if `attr` is a traversal order.
MLIR_CAPI_EXPORTED bool flyAttributeIsAGemmTraversalOrder(MlirAttribute attr);
/// The type id of these attributes.
MLIR_CAPI_EXPORTED MlirTypeID flyGemmTraversalOrderAttrGetTypeID(void);
/// `#fly<gemm_traversal_order …>`. Error: `value` is none of the enumeration.
MLIR_CAPI_EXPORTED MlirAttribute flyGemmTraversalOrderAttrGet(
    MlirLocation location, FlyGemmTraversalOrder value);
/// The case.
MLIR_CAPI_EXPORTED FlyGemmTraversalOrder
flyGemmTraversalOrderAttrGetValue(MlirAttribute attr);

/// How a load or store is cached.
typedef enum FlyCachePolicy {
  FlyCachePolicyCacheGlobal = 0,
  FlyCachePolicyCacheAlways = 1
} FlyCachePolicy;

/// True if `attr` is a cache policy.
MLIR_CAPI_EXPORTED bool flyAttributeIsACachePolicy(MlirAttribute attr);
/// The type id of these attributes.
MLIR_CAPI_EXPORTED MlirTypeID flyCachePolicyAttrGetTypeID(void);
/// `#fly<cache_policy …>`. Error: `value` is none of the enumeration.
MLIR_CAPI_EXPORTED MlirAttribute flyCachePolicyAttrGet(MlirLocation location,
                                                       FlyCachePolicy value);
/// The case.
MLIR_CAPI_EXPORTED FlyCachePolicy
flyCachePolicyAttrGetValue(MlirAttribute attr);

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

/// True if `attr` is an integer leaf: `*`, a static or a run-time integer.
MLIR_CAPI_EXPORTED bool flyAttributeIsAInt(MlirAttribute attr);
/// The type id of integer leaves.
MLIR_CAPI_EXPORTED MlirTypeID flyIntAttrGetTypeID(void);
/// The leaf `*` (none), which keeps a mode whole and counts as 0.
MLIR_CAPI_EXPORTED MlirAttribute flyIntAttrGetNone(MlirLocation location);
/// The static leaf `value`.
MLIR_CAPI_EXPORTED MlirAttribute flyIntAttrGetStatic(MlirLocation location,
                                                     int64_t value);
/// The leaf `?`, known only at run time: an integer of `width` bits that is
/// promised to be a multiple of `divisibility` (1: nothing is known). Error: a
/// width that is not 32 or 64.
MLIR_CAPI_EXPORTED MlirAttribute flyIntAttrGetDynamic(MlirLocation location,
                                                      int32_t width,
                                                      int64_t divisibility);
/// True for `*`.
MLIR_CAPI_EXPORTED bool flyIntAttrIsNone(MlirAttribute attr);
/// True for a static integer and for `*`.
MLIR_CAPI_EXPORTED bool flyIntAttrIsStatic(MlirAttribute attr);
/// The value of a static leaf; 0 for `*` and for a run-time leaf.
MLIR_CAPI_EXPORTED int64_t flyIntAttrGetValue(MlirAttribute attr);
/// The width in bits of the leaf as a value: 32 or 64; 0 for `*`.
MLIR_CAPI_EXPORTED int32_t flyIntAttrGetWidth(MlirAttribute attr);
/// A number that divides the leaf: the value of a static leaf (1 for 0); 0 for
/// `*`.
MLIR_CAPI_EXPORTED int64_t flyIntAttrGetDivisibility(MlirAttribute attr);

/// True if `attr` is a scaled basis element such as `5E1E0`.
MLIR_CAPI_EXPORTED bool flyAttributeIsABasis(MlirAttribute attr);
/// The type id of basis elements.
MLIR_CAPI_EXPORTED MlirTypeID flyBasisAttrGetTypeID(void);
/// The integer leaf `value` in the coordinate that the path of `numModes` mode
/// numbers reaches, outermost first. Errors: `value` is `*`; an empty path; a
/// mode outside 0 to 65535.
MLIR_CAPI_EXPORTED MlirAttribute flyBasisAttrGet(MlirLocation location,
                                                 MlirAttribute value,
                                                 intptr_t numModes,
                                                 const int32_t *modes);
/// The integer leaf.
MLIR_CAPI_EXPORTED MlirAttribute flyBasisAttrGetValue(MlirAttribute attr);
/// The length of the path.
MLIR_CAPI_EXPORTED intptr_t flyBasisAttrGetNumModes(MlirAttribute attr);
/// Mode `pos` of the path. Error: out of range.
MLIR_CAPI_EXPORTED int32_t flyBasisAttrGetMode(MlirAttribute attr,
                                               intptr_t pos);

//===----------------------------------------------------------------------===//
// Tuples and layouts
//===----------------------------------------------------------------------===//

/// True if `attr` is an int tuple: a leaf or a nested tuple of leaves.
MLIR_CAPI_EXPORTED bool flyAttributeIsAIntTuple(MlirAttribute attr);
/// The type id of int tuples.
MLIR_CAPI_EXPORTED MlirTypeID flyIntTupleAttrGetTypeID(void);
/// The tuple that holds `value`: an integer leaf, a basis element, or an array
/// attribute of at least one int tuple. Errors: anything else; nesting deeper
/// than 256 levels.
MLIR_CAPI_EXPORTED MlirAttribute flyIntTupleAttrGet(MlirLocation location,
                                                    MlirAttribute value);
/// The leaf of a static integer.
MLIR_CAPI_EXPORTED MlirAttribute flyIntTupleAttrGetStatic(MlirLocation location,
                                                          int64_t value);
/// The tuple of these modes, each an int tuple or a leaf. Errors: no mode; a
/// mode of another kind; nesting deeper than 256 levels.
MLIR_CAPI_EXPORTED MlirAttribute flyIntTupleAttrGetFromModes(
    MlirLocation location, intptr_t numModes, const MlirAttribute *modes);
/// What the tuple holds: an integer leaf, a basis element, or an array
/// attribute of its modes.
MLIR_CAPI_EXPORTED MlirAttribute flyIntTupleAttrGetValue(MlirAttribute attr);
/// The number of leaves, counted through all levels.
MLIR_CAPI_EXPORTED intptr_t flyIntTupleAttrGetNumLeaves(MlirAttribute attr);
/// Leaf `pos`, depth first and left to right: an integer leaf or a basis
/// element. Error: out of range.
MLIR_CAPI_EXPORTED MlirAttribute flyIntTupleAttrGetLeaf(MlirAttribute attr,
                                                        intptr_t pos);
/// True if both tuples have the same tree shape, leaf against leaf.
MLIR_CAPI_EXPORTED bool flyIntTupleAttrIsCongruent(MlirAttribute attr,
                                                   MlirAttribute other);

/// True if `attr` is a plain layout, `shape:stride`.
MLIR_CAPI_EXPORTED bool flyAttributeIsALayout(MlirAttribute attr);
/// The type id of plain layouts.
MLIR_CAPI_EXPORTED MlirTypeID flyLayoutAttrGetTypeID(void);
/// The layout of two int tuples. Errors: profiles that differ; a basis element
/// in the shape.
MLIR_CAPI_EXPORTED MlirAttribute flyLayoutAttrGet(MlirLocation location,
                                                  MlirAttribute shape,
                                                  MlirAttribute stride);
/// The shape, an int tuple.
MLIR_CAPI_EXPORTED MlirAttribute flyLayoutAttrGetShape(MlirAttribute attr);
/// The stride, an int tuple.
MLIR_CAPI_EXPORTED MlirAttribute flyLayoutAttrGetStride(MlirAttribute attr);

/// True if `attr` is a swizzle, `S<mask,base,shift>`.
MLIR_CAPI_EXPORTED bool flyAttributeIsASwizzle(MlirAttribute attr);
/// The type id of swizzles.
MLIR_CAPI_EXPORTED MlirTypeID flySwizzleAttrGetTypeID(void);
/// The map x -> x ^ ((x & ((2^mask - 1) << (base + shift))) >> shift). Errors:
/// a negative number; mask > 0 with shift 0; mask + base + shift > 63.
MLIR_CAPI_EXPORTED MlirAttribute flySwizzleAttrGet(MlirLocation location,
                                                   int32_t mask, int32_t base,
                                                   int32_t shift);
/// The number of bits that change others; 0 is the identity.
MLIR_CAPI_EXPORTED int32_t flySwizzleAttrGetMask(MlirAttribute attr);
/// The lowest bit that is changed.
MLIR_CAPI_EXPORTED int32_t flySwizzleAttrGetBase(MlirAttribute attr);
/// The distance in bits between the bits that are read and those changed.
MLIR_CAPI_EXPORTED int32_t flySwizzleAttrGetShift(MlirAttribute attr);

/// True if `attr` is a swizzle of coordinates, `CS<…>`.
MLIR_CAPI_EXPORTED bool flyAttributeIsACoordSwizzle(MlirAttribute attr);
/// The type id of coordinate swizzles.
MLIR_CAPI_EXPORTED MlirTypeID flyCoordSwizzleAttrGetTypeID(void);
/// The map that replaces the coordinate col at path `modeCol` by
/// col ^ (((row >> baseRow) & (2^mask - 1)) << baseCol), row being the
/// coordinate at path `modeRow`. Errors: a negative number; mask + base > 63
/// for either base; equal paths with mask > 0.
MLIR_CAPI_EXPORTED MlirAttribute flyCoordSwizzleAttrGet(
    MlirLocation location, int32_t mask, int32_t baseRow, intptr_t numModeRow,
    const int32_t *modeRow, int32_t baseCol, intptr_t numModeCol,
    const int32_t *modeCol);
/// The number of bits that change others; 0 is the identity.
MLIR_CAPI_EXPORTED int32_t flyCoordSwizzleAttrGetMask(MlirAttribute attr);
/// The lowest bit of the row coordinate that is read.
MLIR_CAPI_EXPORTED int32_t flyCoordSwizzleAttrGetBaseRow(MlirAttribute attr);
/// The lowest bit of the column coordinate that is changed.
MLIR_CAPI_EXPORTED int32_t flyCoordSwizzleAttrGetBaseCol(MlirAttribute attr);
/// The length of the path to the row coordinate.
MLIR_CAPI_EXPORTED intptr_t
flyCoordSwizzleAttrGetNumModeRow(MlirAttribute attr);
/// Mode `pos` of that path. Error: out of range.
MLIR_CAPI_EXPORTED int32_t flyCoordSwizzleAttrGetModeRow(MlirAttribute attr,
                                                         intptr_t pos);
/// The length of the path to the column coordinate.
MLIR_CAPI_EXPORTED intptr_t
flyCoordSwizzleAttrGetNumModeCol(MlirAttribute attr);
/// Mode `pos` of that path. Error: out of range.
MLIR_CAPI_EXPORTED int32_t flyCoordSwizzleAttrGetModeCol(MlirAttribute attr,
                                                         intptr_t pos);

/// True if `attr` is a composed layout, `inner o offset o outer`.
MLIR_CAPI_EXPORTED bool flyAttributeIsAComposedLayout(MlirAttribute attr);
/// The type id of composed layouts.
MLIR_CAPI_EXPORTED MlirTypeID flyComposedLayoutAttrGetTypeID(void);
/// The function c -> inner(offset + outer(c)). `inner` is a swizzle, a
/// coordinate swizzle, a layout or a composed layout; `offset` an int tuple;
/// `outer` a layout or a composed layout. Errors: another kind; nesting deeper
/// than 256 levels.
MLIR_CAPI_EXPORTED MlirAttribute flyComposedLayoutAttrGet(MlirLocation location,
                                                          MlirAttribute inner,
                                                          MlirAttribute offset,
                                                          MlirAttribute outer);
/// What is applied last.
MLIR_CAPI_EXPORTED MlirAttribute
flyComposedLayoutAttrGetInner(MlirAttribute attr);
/// What is added before the inner map, an int tuple.
MLIR_CAPI_EXPORTED MlirAttribute
flyComposedLayoutAttrGetOffset(MlirAttribute attr);
/// The layout that is applied first.
MLIR_CAPI_EXPORTED MlirAttribute
flyComposedLayoutAttrGetOuter(MlirAttribute attr);

//===----------------------------------------------------------------------===//
// Tiles and alignments
//===----------------------------------------------------------------------===//

/// True if `attr` is a tile: how to cut each mode of a layout.
MLIR_CAPI_EXPORTED bool flyAttributeIsATile(MlirAttribute attr);
/// The type id of tiles.
MLIR_CAPI_EXPORTED MlirTypeID flyTileAttrGetTypeID(void);
/// The tile that holds `value`: an integer leaf, a layout, or an array
/// attribute of at least one integer leaf, layout or list tile. Errors:
/// anything else; nesting deeper than 256 levels.
MLIR_CAPI_EXPORTED MlirAttribute flyTileAttrGet(MlirLocation location,
                                                MlirAttribute value);
/// The list `[a|b|…]` of these elements. Errors as for flyTileAttrGet, and no
/// element.
MLIR_CAPI_EXPORTED MlirAttribute flyTileAttrGetFromElements(
    MlirLocation location, intptr_t numElements, const MlirAttribute *elements);
/// What the tile holds.
MLIR_CAPI_EXPORTED MlirAttribute flyTileAttrGetValue(MlirAttribute attr);

/// True if `attr` is an alignment.
MLIR_CAPI_EXPORTED bool flyAttributeIsAAlign(MlirAttribute attr);
/// The type id of alignments.
MLIR_CAPI_EXPORTED MlirTypeID flyAlignAttrGetTypeID(void);
/// `align<alignment>`, in bytes. Error: not between 1 and 2^31 - 1.
MLIR_CAPI_EXPORTED MlirAttribute flyAlignAttrGet(MlirLocation location,
                                                 int64_t alignment);
/// The alignment in bytes.
MLIR_CAPI_EXPORTED int64_t flyAlignAttrGetAlignment(MlirAttribute attr);

/// True if `attr` says that the host loads a `gpu.binary` itself.
MLIR_CAPI_EXPORTED bool flyAttributeIsAExplicitModule(MlirAttribute attr);
/// The type id of that attribute.
MLIR_CAPI_EXPORTED MlirTypeID flyExplicitModuleAttrGetTypeID(void);
/// `#fly.explicit_module`, an offloading handler for `gpu.binary`.
MLIR_CAPI_EXPORTED MlirAttribute
flyExplicitModuleAttrGet(MlirLocation location);

#ifdef __cplusplus
}
#endif

#endif // FLY_C_ATTRIBUTES_H
