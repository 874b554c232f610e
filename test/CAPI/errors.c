// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a caller passes wrongly is an error at the given location (constructors)
// or at an unknown one (queries) and gives null, 0 or false.
//
// RUN: %capi/errors | FileCheck %s --implicit-check-not=error \
// RUN:   --implicit-check-not=unexpected

#include "Fly-c/Atoms.h"
#include "Fly-c/Attributes.h"
#include "Fly-c/Layout.h"
#include "Fly-c/ROCDL.h"
#include "Fly-c/Registration.h"
#include "Fly-c/Types.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "Support.h"

static MlirContext context;
static MlirLocation loc;
static const MlirAttribute noAttr = {NULL};
static const MlirType noType = {NULL};

static MlirAttribute attribute(const char *text) {
  return mlirAttributeParseGet(context, str(text));
}

static MlirType type(const char *text) {
  return mlirTypeParseGet(context, str(text));
}

/// The result of a constructor that must fail.
static void refuseAttr(MlirAttribute attr) {
  if (!mlirAttributeIsNull(attr))
    showAttr("unexpected", attr);
}

static void refuseType(MlirType result) {
  if (!mlirTypeIsNull(result))
    showType("unexpected", result);
}

static void refuseNumber(int64_t number) {
  if (number != 0)
    printf("unexpected %d\n", (int)number);
}

static void testAttributes(void) {
  MlirAttribute four = flyIntAttrGetStatic(loc, 4);
  MlirAttribute tuple = attribute("#fly<int_tuple(2,3)>");
  MlirAttribute layout = attribute("#fly<layout(2,3):(1,2)>");
  int32_t modes[] = {0, -1};

  // CHECK: error: flyAddressSpaceAttrGet: AddressSpace has no case 77 at loc("here":1:2)
  refuseAttr(flyAddressSpaceAttrGet(loc, (FlyAddressSpace)77));
  // CHECK: error: flyMmaOperandAttrGet: MmaOperand has no case 4 at
  refuseAttr(flyMmaOperandAttrGet(loc, (FlyMmaOperand)4));
  // CHECK: error: flyAtomicOpAttrGet: AtomicOp has no case 7 at
  refuseAttr(flyAtomicOpAttrGet(loc, (FlyAtomicOp)7));
  // CHECK: error: flyGemmTraversalOrderAttrGet: GemmTraversalOrder has no case 12 at
  refuseAttr(flyGemmTraversalOrderAttrGet(loc, (FlyGemmTraversalOrder)12));
  // CHECK: error: flyCachePolicyAttrGet: CachePolicy has no case 2 at
  refuseAttr(flyCachePolicyAttrGet(loc, (FlyCachePolicy)2));
  // CHECK: error: run-time leaf must be 32 or 64 bits wide, got 16 at loc("here":1:2)
  refuseAttr(flyIntAttrGetDynamic(loc, 16, 1));
  // CHECK: error: basis element must have an integer value at
  refuseAttr(flyBasisAttrGet(loc, flyIntAttrGetNone(loc), 1, modes));
  // CHECK: error: flyBasisAttrGet: value must be fly.int, got #fly<int_tuple(2,3)> at
  refuseAttr(flyBasisAttrGet(loc, tuple, 1, modes));
  // CHECK: error: flyBasisAttrGet: value must not be null at
  refuseAttr(flyBasisAttrGet(loc, noAttr, 1, modes));
  // CHECK: error: basis mode must be between 0 and 65535, got -1 at
  refuseAttr(flyBasisAttrGet(loc, four, 2, modes));
  // CHECK: error: basis element must name at least one mode at
  refuseAttr(flyBasisAttrGet(loc, four, 0, NULL));
  // CHECK: error: flyBasisAttrGet: modes must be a list, got 2 null elements at
  refuseAttr(flyBasisAttrGet(loc, four, 2, NULL));
  // CHECK: error: flyBasisAttrGet: modes must be a list, got -1 elements at
  refuseAttr(flyBasisAttrGet(loc, four, -1, modes));

  // CHECK: error: int tuple must hold a leaf or an array of int tuples, got #fly<layout(2,3):(1,2)> at
  refuseAttr(flyIntTupleAttrGet(loc, layout));
  // CHECK: error: int tuple must have at least one mode at
  refuseAttr(flyIntTupleAttrGetFromModes(loc, 0, NULL));
  // CHECK: error: mode of an int tuple must be an int tuple, got #fly<layout(2,3):(1,2)> at
  refuseAttr(flyIntTupleAttrGetFromModes(loc, 1, &layout));
  // CHECK: error: flyIntTupleAttrGetFromModes: mode must not be null at
  refuseAttr(flyIntTupleAttrGetFromModes(loc, 1, &noAttr));
  // CHECK: error: shape and stride of a layout must have the same profile, got (2,3):5 at
  refuseAttr(flyLayoutAttrGet(loc, tuple, flyIntTupleAttrGetStatic(loc, 5)));
  // CHECK: error: flyLayoutAttrGet: stride must be fly.int_tuple, got #fly<int 4> at
  refuseAttr(flyLayoutAttrGet(loc, tuple, four));
  // CHECK: error: {{.*}}S<3,3,0>{{.*}} at loc("here":1:2)
  refuseAttr(flySwizzleAttrGet(loc, 3, 3, 0));
  // CHECK: error: coordinate swizzle needs mask, bases and modes of at least 0, mask + base of at most 63, and two different coordinates at loc("here":1:2)
  refuseAttr(flyCoordSwizzleAttrGet(loc, 2, -1, 1, modes, 0, 1, modes));
  // CHECK: error: inner of a composed layout must be a swizzle, a coordinate swizzle or a layout, got #fly<int_tuple(2,3)> at
  refuseAttr(flyComposedLayoutAttrGet(loc, tuple, tuple, layout));
  // CHECK: error: outer of a composed layout must be a layout or a composed layout, got #fly<int_tuple(2,3)> at
  refuseAttr(flyComposedLayoutAttrGet(loc, layout, tuple, tuple));
  // CHECK: error: tile must hold an integer, a layout or a non-empty list, got #fly<int_tuple(2,3)> at
  refuseAttr(flyTileAttrGet(loc, tuple));
  // CHECK: error: tile must hold an integer, a layout or a non-empty list, got [] at
  refuseAttr(flyTileAttrGetFromElements(loc, 0, NULL));
  // CHECK: error: element of a tile must be an integer, a layout or a list, got #fly<int_tuple(2,3)> at
  refuseAttr(flyTileAttrGetFromElements(loc, 1, &tuple));
  // CHECK: error: alignment must be positive and less than 2^31, got 0 at
  refuseAttr(flyAlignAttrGet(loc, 0));

  // Deeper than 256 levels.
  // CHECK: error: nesting is deeper than 256 levels at
  MlirAttribute nested = tuple;
  for (int i = 0; i < 300 && !mlirAttributeIsNull(nested); ++i)
    nested = flyIntTupleAttrGetFromModes(loc, 1, &nested);
  refuseAttr(nested);
}

static void testTypes(void) {
  MlirType f32 = mlirF32TypeGet(context), index = mlirIndexTypeGet(context);
  MlirAttribute global = flyAddressSpaceAttrGet(loc, FlyAddressSpaceGlobal);
  MlirAttribute layout = attribute("#fly<layout(2,3):(1,2)>");
  MlirType copyOp = type("!fly.universal_copy<32>");
  MlirType fma = type("!fly.universal_fma<1x1x1, (f32, f32) -> f32>");
  MlirType tile = type("!fly.tile<[2|3]>");

  // CHECK: error: flyLayoutTypeGet: attr must be fly.layout, got #fly<address_space global> at loc("here":1:2)
  refuseType(flyLayoutTypeGet(loc, global));
  // CHECK: error: flyTileTypeGet: attr must not be null at
  refuseType(flyTileTypeGet(loc, noAttr));
  // CHECK: error: element type must be an integer or float type, got 'index' at
  refuseType(flyPointerTypeGet(loc, index, global, noAttr, noAttr));
  // CHECK: error: flyPointerTypeGet: elementType must not be null at
  refuseType(flyPointerTypeGet(loc, noType, global, noAttr, noAttr));
  // CHECK: error: flyPointerTypeGet: addressSpace must not be null at
  refuseType(flyPointerTypeGet(loc, f32, noAttr, noAttr, noAttr));
  // CHECK: error: address space must be generic, global, shared, register or another dialect's attribute, got unit at
  refuseType(
      flyPointerTypeGet(loc, f32, mlirUnitAttrGet(context), noAttr, noAttr));
  // CHECK: error: alignment must be a positive multiple of element byte size (4), got 6 at
  refuseType(
      flyPointerTypeGet(loc, f32, global, flyAlignAttrGet(loc, 6), noAttr));
  // CHECK: error: flyPointerTypeGet: alignment must be fly.align, got #fly<layout(2,3):(1,2)> at
  refuseType(flyPointerTypeGet(loc, f32, global, layout, noAttr));
  // CHECK: error: expected a layout or a composed layout, got #fly<address_space global> at
  refuseType(flyMemRefTypeGet(loc, f32, global, global, noAttr, noAttr));
  // CHECK: error: flyCoordTensorTypeGet: base must be fly.int_tuple, got #fly<layout(2,3):(1,2)> at
  refuseType(flyCoordTensorTypeGet(loc, layout, layout));
  // CHECK: error: copy atom must name a copy operation, got 'f32' at
  refuseType(flyCopyAtomTypeGet(loc, f32, 32));
  // CHECK: error: width of a value of a copy atom must be at least 1 bits, got 0 at
  refuseType(flyCopyAtomTypeGet(loc, copyOp, 0));
  // CHECK: error: mma atom must name a matrix operation, got '!fly.universal_copy<32>' at
  refuseType(flyMmaAtomTypeGet(loc, copyOp));
  // CHECK: error: TiledCopyType's copy atom is not a CopyAtomType, got '!fly.universal_copy<32>' at
  refuseType(
      flyTiledCopyTypeGet(loc, copyOp, flyLayoutTypeGet(loc, layout), tile));
  // CHECK: error: flyTiledCopyTypeGet: layoutThrVal must be fly.layout, got '!fly.tile<[2|3]>' at
  refuseType(flyTiledCopyTypeGet(loc, copyOp, tile, tile));
  // CHECK: error: atom layout of a tiled mma must have rank 3, got '!fly.layout<(2,3):(1,2)>' of rank 2 at
  refuseType(flyTiledMmaTypeGet(loc, flyMmaAtomTypeGet(loc, fma),
                                flyLayoutTypeGet(loc, layout), noType));
  // CHECK: error: universal copy must move at least one bit, got -8 at
  refuseType(flyUniversalCopyTypeGet(loc, -8));
  // CHECK: error: universal atomic 'and' needs an integer type, got 'f32' at
  refuseType(flyUniversalAtomicTypeGet(loc, FlyAtomicOpAnd, f32, str("")));
  // CHECK: error: flyUniversalAtomicTypeGet: AtomicOp has no case 99 at
  refuseType(flyUniversalAtomicTypeGet(loc, (FlyAtomicOp)99, f32, str("")));
  // CHECK: error: flyUniversalAtomicTypeGet: syncscope must be a string, got null at
  refuseType(flyUniversalAtomicTypeGet(loc, FlyAtomicOpAdd, f32,
                                       mlirStringRefCreate(NULL, 3)));
  // CHECK: error: element type of a universal FMA must be a float type, got 'index' at
  refuseType(flyUniversalFMATypeGet(loc, index));
}

static void testROCDL(void) {
  MlirType f16 = mlirF16TypeGet(context), f32 = mlirF32TypeGet(context);
  // CHECK: error: unknown chip 'gfx000'; the known chips are {{.*}}gfx942{{.*}} at loc("here":1:2)
  refuseAttr(flyROCDLCPUTargetAttrGet(loc, str("gfx000")));
  // CHECK: error: unsupported CDNA3 MFMA configuration: 16x16x5 with A='f16', B='f16', Acc='f32'; the shapes for these types are {{.*}}16x16x16{{.*}} at
  refuseType(flyROCDLMfmaTypeGet(loc, 16, 16, 5, f16, f16, f32));
  // CHECK: error: flyROCDLMfmaTypeGet: elemTyB must not be null at
  refuseType(flyROCDLMfmaTypeGet(loc, 16, 16, 16, f16, noType, f32));
  // CHECK: error: GFX11 WMMA requires M=N=K=16, got 16x16x32 at
  refuseType(flyROCDLWmmaGfx11TypeGet(loc, 16, 16, 32, f16, f16, f32, false,
                                      false, false));
  // CHECK: error: GFX120X WMMA floating-point path does not accept signA/signB/clamp {{.*}}got signA=1, signB=0, clamp=0 at
  refuseType(flyROCDLWmmaGfx120xTypeGet(loc, 16, 16, 16, f16, f16, f32, true,
                                        false, false));
  // CHECK: error: modC must be in [0, 3], got 4 at
  refuseType(flyROCDLWmmaGfx1250TypeGet(loc, 16, 16, 32, f16, f16, f32, false,
                                        false, false, 4, false, false));
  // CHECK: error: unsupported bitSize = 24 for BufferCopy; expected one of {{.*}} at
  refuseType(flyROCDLBufferCopyTypeGet(loc, 24, 0));
  // CHECK: error: unsupported bitSize = 64 for BufferCopyLDS;{{.*}} at
  refuseType(flyROCDLBufferCopyLdsTypeGet(loc, 64));
  // CHECK: error: valType must be an integer, a float or a vector of these, got 'index' at
  refuseType(flyROCDLBufferAtomicTypeGet(loc, FlyAtomicOpAdd,
                                         mlirIndexTypeGet(context)));
  // CHECK: error: flyROCDLBufferAtomicTypeGet: AtomicOp has no case 42 at
  refuseType(flyROCDLBufferAtomicTypeGet(loc, (FlyAtomicOp)42, f32));
}

static void testQueries(void) {
  MlirAttribute four = flyIntAttrGetStatic(loc, 4);
  MlirAttribute tuple = attribute("#fly<int_tuple(2,3)>");
  MlirAttribute basis = attribute("#fly<basis 5E1E0>");
  MlirType f32 = mlirF32TypeGet(context);
  MlirType copyOp = type("!fly.universal_copy<32>");
  MlirType fma = type("!fly.universal_fma<1x1x1, (f32, f32) -> f32>");

  // CHECK: error: flyIntAttrGetValue: expected fly.int, got #fly<int_tuple(2,3)> at loc(unknown)
  refuseNumber(flyIntAttrGetValue(tuple));
  // CHECK: error: flyLayoutAttrGetShape: expected fly.layout, got #fly<int 4> at
  refuseAttr(flyLayoutAttrGetShape(four));
  // CHECK: error: flyBasisAttrGetMode: index 2 is not in [0, 2) at
  refuseNumber(flyBasisAttrGetMode(basis, 2));
  // CHECK: error: flyBasisAttrGetMode: index -1 is not in [0, 2) at
  refuseNumber(flyBasisAttrGetMode(basis, -1));
  // CHECK: error: flyIntTupleAttrGetLeaf: index 2 is not in [0, 2) at
  refuseAttr(flyIntTupleAttrGetLeaf(tuple, 2));
  // CHECK: error: flyIntTupleAttrIsCongruent: expected fly.int_tuple, got #fly<int 4> at
  refuseNumber(flyIntTupleAttrIsCongruent(tuple, four));
  // CHECK: error: flyPointerTypeGetSwizzle: expected fly.ptr, got 'f32' at
  refuseAttr(flyPointerTypeGetSwizzle(f32));
  // CHECK: error: flyROCDLMfmaTypeGetM: expected fly_rocdl.cdna3.mfma, got 'f32' at
  refuseNumber(flyROCDLMfmaTypeGetM(f32));
  // CHECK: error: flyAttributeGetRank: expected an int tuple, a layout or a tile, got #fly<int 4> at
  refuseNumber(flyAttributeGetRank(four));
  // CHECK: error: flyAttributeGetMode: index 2 is not in [0, 2) at
  refuseAttr(flyAttributeGetMode(tuple, 2));
  // CHECK: error: flyLayoutGetLinear: expected a layout, got #fly<int_tuple(2,3)> at
  refuseAttr(flyLayoutGetLinear(tuple));
  // CHECK: error: flyAtomGetThrLayout: expected an atom, got 'f32' at
  refuseAttr(flyAtomGetThrLayout(f32));
  // CHECK: error: flyMmaOpGetShapeMNK: expected a matrix operation, got '!fly.universal_copy<32>' at
  refuseAttr(flyMmaOpGetShapeMNK(copyOp));
  // CHECK: error: flyCopyOpGetDefaultValBits: expected a copy operation, got
  refuseNumber(flyCopyOpGetDefaultValBits(fma));
  // CHECK: error: flyAtomGetStateFieldName: index 0 is not in [0, 0) at
  refuseNumber((int64_t)flyAtomGetStateFieldName(copyOp, 0).length);
  // CHECK: error: flyAtomGetStateFieldType: index 0 is not in [0, 0) at
  refuseType(flyAtomGetStateFieldType(copyOp, 0));
  // CHECK: error: flyCopyOpGetThrBitLayout: CopySide has no case 3 at
  refuseAttr(flyCopyOpGetThrBitLayout(copyOp, (FlyCopySide)3));
  // CHECK: error: flyMmaOpGetValType: MmaOperand has no case 4 at
  refuseType(flyMmaOpGetValType(fma, (FlyMmaOperand)4));
  // CHECK: error: flyMmaOpGetThrValLayout: MmaOperand has no case 4 at
  refuseAttr(flyMmaOpGetThrValLayout(fma, (FlyMmaOperand)4));

  // Null is answered without an error.
  refuseNumber(flyIntAttrGetValue(noAttr));
  refuseAttr(flyLayoutAttrGetShape(noAttr));
  refuseNumber(flyAttributeIsALayout(noAttr));
  refuseNumber(flyTypeIsALayout(noType));
  refuseNumber(flyTypeIsStatic(noType));
  refuseNumber(flyTypeIsACopyOp(noType));
  refuseNumber(flyAttributeGetRank(noAttr));
  refuseAttr(flyAtomGetThrLayout(noType));
  refuseAttr(flyMmaOpGetShapeMNK(noType));
}

static void testComputation(void) {
  MlirAttribute tuple = attribute("#fly<int_tuple(2,3)>");
  MlirAttribute layout = attribute("#fly<layout(2,3):(1,2)>");

  // CHECK: error: flyLayoutGetSize: layoutOrShape must be a layout, got #fly<int 4> at loc("here":1:2)
  refuseAttr(flyLayoutGetSize(loc, flyIntAttrGetStatic(loc, 4)));
  // CHECK: error: {{.*}} [int_overflow] at
  refuseAttr(flyLayoutGetSize(
      loc, attribute("#fly<int_tuple(4294967296,4294967296)>")));
  // CHECK: error: {{.*}} [cosize_c1] at
  refuseAttr(flyLayoutGetCosize(
      loc, attribute("#fly<composed_layout S<1,0,1> o ? o (2,?):(1,?)>")));
  // CHECK: error: flyLayoutGetCosize: layout must be a layout, got #fly<int_tuple(2,3)> at
  refuseAttr(flyLayoutGetCosize(loc, tuple));
  // CHECK: error: {{.*}} [crd2idx_c1] at
  refuseAttr(
      flyLayoutCrd2Idx(loc, attribute("#fly<int_tuple(0,0,0)>"), layout));
  // CHECK: error: flyLayoutCrd2Idx: coord must be fly.int_tuple, got #fly<layout(2,3):(1,2)> at
  refuseAttr(flyLayoutCrd2Idx(loc, layout, layout));
  // CHECK: error: {{.*}} [idx2crd_c2] at
  refuseAttr(flyLayoutIdx2Crd(loc, attribute("#fly<int_tuple 3>"),
                              attribute("#fly<layout(2,3):(1E0,1E1)>")));
  // CHECK: error: width of a value of a copy atom must divide the bits that a thread moves, got 24 bits for '!fly.universal_copy<32>'
  refuseType(type("!fly.copy_atom<!fly.universal_copy<32>, 24>"));
  // CHECK: error: flyCopyAtomGetThrValLayout: CopySide has no case 9 at
  refuseAttr(flyCopyAtomGetThrValLayout(
      loc, type("!fly.copy_atom<!fly.universal_copy<32>, 16>"),
      (FlyCopySide)9));
}

static void testContexts(void) {
  MlirLocation none = {NULL};
  refuseAttr(flyIntAttrGetStatic(none, 4));
  refuseType(flyUniversalCopyTypeGet(none, 32));
  refuseAttr(flyLayoutGetSize(none, attribute("#fly<int_tuple 4>")));

  MlirContext other = mlirContextCreate();
  printErrors(other);
  MlirLocation there = mlirLocationFileLineColGet(other, str("there"), 3, 4);
  // CHECK: error: flyIntAttrGetStatic: the dialect 'fly' is not loaded at loc("there":3:4)
  refuseAttr(flyIntAttrGetStatic(there, 4));
  // CHECK: error: flyROCDLBufferDescAttrGet: the dialect 'fly_rocdl' is not loaded at
  refuseAttr(flyROCDLBufferDescAttrGet(there));
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fly__(), other);
  // CHECK: error: flyIntTupleAttrGet: value belongs to another context at loc("there":3:4)
  refuseAttr(flyIntTupleAttrGet(there, flyIntAttrGetStatic(loc, 4)));
  mlirContextDestroy(other);
}

int main(void) {
  context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fly__(), context);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fly_rocdl__(), context);
  printErrors(context);
  loc = mlirLocationFileLineColGet(context, str("here"), 1, 2);
  testAttributes();
  testTypes();
  testROCDL();
  testQueries();
  testComputation();
  testContexts();
  mlirContextDestroy(context);
  return 0;
}
