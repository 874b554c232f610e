// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes, prints, reads back and queries every attribute.
//
// RUN: %capi/attributes | FileCheck %s --implicit-check-not=error \
// RUN:   --implicit-check-not='wrong class' --implicit-check-not='read back'

#include "Fly-c/Attributes.h"
#include "Fly-c/Registration.h"

#include "Support.h"

static MlirLocation loc;

static void testEnums(void) {
  MlirAttribute space = flyAddressSpaceAttrGet(loc, FlyAddressSpaceShared);
  checkAttrClass(space, flyAttributeIsAAddressSpace(space),
                 flyAddressSpaceAttrGetTypeID());
  // CHECK: address space: #fly<address_space shared>
  showAttr("address space", space);
  // CHECK: value: 2
  printf("value: %d\n", (int)flyAddressSpaceAttrGetValue(space));

  MlirAttribute operand = flyMmaOperandAttrGet(loc, FlyMmaOperandD);
  checkAttrClass(operand, flyAttributeIsAMmaOperand(operand),
                 flyMmaOperandAttrGetTypeID());
  // CHECK: operand: #fly<mma_operand d>
  showAttr("operand", operand);
  // CHECK: value: 3
  printf("value: %d\n", (int)flyMmaOperandAttrGetValue(operand));

  MlirAttribute atomic = flyAtomicOpAttrGet(loc, FlyAtomicOpInc);
  checkAttrClass(atomic, flyAttributeIsAAtomicOp(atomic),
                 flyAtomicOpAttrGetTypeID());
  // CHECK: atomic: #fly<atomic_op inc>
  showAttr("atomic", atomic);
  // CHECK: value: 5
  printf("value: %d\n", (int)flyAtomicOpAttrGetValue(atomic));

  MlirAttribute order =
      flyGemmTraversalOrderAttrGet(loc, FlyGemmTraversalOrderNKMSerpentine);
  checkAttrClass(order, flyAttributeIsAGemmTraversalOrder(order),
                 flyGemmTraversalOrderAttrGetTypeID());
  // CHECK: order: #fly<gemm_traversal_order nkm_serpentine>
  showAttr("order", order);
  // CHECK: value: 10
  printf("value: %d\n", (int)flyGemmTraversalOrderAttrGetValue(order));

  MlirAttribute policy = flyCachePolicyAttrGet(loc, FlyCachePolicyCacheAlways);
  checkAttrClass(policy, flyAttributeIsACachePolicy(policy),
                 flyCachePolicyAttrGetTypeID());
  // CHECK: policy: #fly<cache_policy cache_always>
  showAttr("policy", policy);
  // CHECK: value: 1
  printf("value: %d\n", (int)flyCachePolicyAttrGetValue(policy));
  // CHECK: an operand is an address space: 0
  printf("an operand is an address space: %d\n",
         flyAttributeIsAAddressSpace(operand));
}

static void printInt(const char *name, MlirAttribute leaf) {
  checkAttrClass(leaf, flyAttributeIsAInt(leaf), flyIntAttrGetTypeID());
  showAttr(name, leaf);
  printf("  none %d static %d value %lld width %d divisibility %lld\n",
         flyIntAttrIsNone(leaf), flyIntAttrIsStatic(leaf),
         (long long)flyIntAttrGetValue(leaf), flyIntAttrGetWidth(leaf),
         (long long)flyIntAttrGetDivisibility(leaf));
}

static void testLeaves(void) {
  // CHECK: none: #fly<int *>
  // CHECK-NEXT: none 1 static 1 value 0 width 0 divisibility 0
  printInt("none", flyIntAttrGetNone(loc));
  // CHECK: static: #fly<int -12>
  // CHECK-NEXT: none 0 static 1 value -12 width 32 divisibility -12
  printInt("static", flyIntAttrGetStatic(loc, -12));
  // CHECK: wide: #fly<int 4294967296>
  // CHECK-NEXT: none 0 static 1 value 4294967296 width 64 divisibility 4294967296
  printInt("wide", flyIntAttrGetStatic(loc, 4294967296));
  // CHECK: dynamic: #fly<int ?{i64 div=8}>
  // CHECK-NEXT: none 0 static 0 value 0 width 64 divisibility 8
  MlirAttribute dynamic = flyIntAttrGetDynamic(loc, 64, 8);
  printInt("dynamic", dynamic);

  int32_t path[] = {1, 0};
  MlirAttribute basis =
      flyBasisAttrGet(loc, flyIntAttrGetStatic(loc, 5), 2, path);
  checkAttrClass(basis, flyAttributeIsABasis(basis), flyBasisAttrGetTypeID());
  // CHECK: basis: #fly<basis 5E1E0>
  showAttr("basis", basis);
  // CHECK: value: #fly<int 5>
  showAttr("value", flyBasisAttrGetValue(basis));
  // CHECK: 2 modes: 1 0
  printf("%d modes: %d %d\n", (int)flyBasisAttrGetNumModes(basis),
         flyBasisAttrGetMode(basis, 0), flyBasisAttrGetMode(basis, 1));
}

static MlirAttribute makeLayout(void) {
  MlirAttribute inner[] = {flyIntAttrGetStatic(loc, 2),
                           flyIntAttrGetDynamic(loc, 32, 1)};
  MlirAttribute shape[] = {flyIntTupleAttrGetStatic(loc, 4),
                           flyIntTupleAttrGetFromModes(loc, 2, inner)};
  MlirAttribute innerStride[] = {flyIntAttrGetStatic(loc, 1),
                                 flyIntAttrGetStatic(loc, 12)};
  MlirAttribute stride[] = {flyIntTupleAttrGetStatic(loc, 2),
                            flyIntTupleAttrGetFromModes(loc, 2, innerStride)};
  return flyLayoutAttrGet(loc, flyIntTupleAttrGetFromModes(loc, 2, shape),
                          flyIntTupleAttrGetFromModes(loc, 2, stride));
}

static void testLayouts(void) {
  MlirAttribute leaf = flyIntTupleAttrGet(loc, flyIntAttrGetNone(loc));
  checkAttrClass(leaf, flyAttributeIsAIntTuple(leaf),
                 flyIntTupleAttrGetTypeID());
  // CHECK: leaf: #fly<int_tuple*>
  showAttr("leaf", leaf);

  MlirAttribute layout = makeLayout();
  checkAttrClass(layout, flyAttributeIsALayout(layout),
                 flyLayoutAttrGetTypeID());
  // CHECK: layout: #fly<layout(4,(2,?)):(2,(1,12))>
  showAttr("layout", layout);
  MlirAttribute shape = flyLayoutAttrGetShape(layout);
  // CHECK: shape: #fly<int_tuple(4,(2,?))>
  showAttr("shape", shape);
  // CHECK: stride: #fly<int_tuple(2,(1,12))>
  showAttr("stride", flyLayoutAttrGetStride(layout));
  // CHECK: value: [#fly<int_tuple 4>, #fly<int_tuple(2,?)>]
  showAttr("value", flyIntTupleAttrGetValue(shape));
  // CHECK: 3 leaves, the last
  // CHECK-SAME: #fly<int ?>
  printf("%d leaves, ", (int)flyIntTupleAttrGetNumLeaves(shape));
  showAttr("the last", flyIntTupleAttrGetLeaf(shape, 2));
  // CHECK: congruent: 1 0
  printf("congruent: %d %d\n",
         flyIntTupleAttrIsCongruent(shape, flyLayoutAttrGetStride(layout)),
         flyIntTupleAttrIsCongruent(shape, leaf));

  MlirAttribute swizzle = flySwizzleAttrGet(loc, 2, 4, 3);
  checkAttrClass(swizzle, flyAttributeIsASwizzle(swizzle),
                 flySwizzleAttrGetTypeID());
  // CHECK: swizzle: #fly<swizzle S<2,4,3>>
  showAttr("swizzle", swizzle);
  // CHECK: mask 2 base 4 shift 3
  printf("mask %d base %d shift %d\n", flySwizzleAttrGetMask(swizzle),
         flySwizzleAttrGetBase(swizzle), flySwizzleAttrGetShift(swizzle));

  int32_t row[] = {0}, col[] = {1, 7};
  MlirAttribute coord = flyCoordSwizzleAttrGet(loc, 2, 1, 1, row, 3, 2, col);
  checkAttrClass(coord, flyAttributeIsACoordSwizzle(coord),
                 flyCoordSwizzleAttrGetTypeID());
  // CHECK: coordinate swizzle: #fly<coord_swizzle CS<2,1,[0],3,[1, 7]>>
  showAttr("coordinate swizzle", coord);
  // CHECK: mask 2 row 1 [1: 0] column 3 [2: 1 7]
  printf("mask %d row %d [%d: %d] column %d [%d: %d %d]\n",
         flyCoordSwizzleAttrGetMask(coord),
         flyCoordSwizzleAttrGetBaseRow(coord),
         (int)flyCoordSwizzleAttrGetNumModeRow(coord),
         flyCoordSwizzleAttrGetModeRow(coord, 0),
         flyCoordSwizzleAttrGetBaseCol(coord),
         (int)flyCoordSwizzleAttrGetNumModeCol(coord),
         flyCoordSwizzleAttrGetModeCol(coord, 0),
         flyCoordSwizzleAttrGetModeCol(coord, 1));

  MlirAttribute composed = flyComposedLayoutAttrGet(
      loc, swizzle, flyIntTupleAttrGetStatic(loc, 16), layout);
  checkAttrClass(composed, flyAttributeIsAComposedLayout(composed),
                 flyComposedLayoutAttrGetTypeID());
  // CHECK: composed: #fly<composed_layout S<2,4,3> o 16 o (4,(2,?)):(2,(1,12))>
  showAttr("composed", composed);
  // CHECK: inner: #fly<swizzle S<2,4,3>>
  showAttr("inner", flyComposedLayoutAttrGetInner(composed));
  // CHECK: offset: #fly<int_tuple 16>
  showAttr("offset", flyComposedLayoutAttrGetOffset(composed));
  // CHECK: outer: #fly<layout(4,(2,?)):(2,(1,12))>
  showAttr("outer", flyComposedLayoutAttrGetOuter(composed));
}

static void testTiles(void) {
  MlirAttribute eight = flyIntAttrGetStatic(loc, 8);
  MlirAttribute leaf = flyTileAttrGet(loc, eight);
  checkAttrClass(leaf, flyAttributeIsATile(leaf), flyTileAttrGetTypeID());
  // CHECK: tile: #fly<tile 8>
  showAttr("tile", leaf);
  MlirAttribute list = flyTileAttrGetFromElements(loc, 1, &eight);
  MlirAttribute elements[] = {eight, flyIntAttrGetNone(loc), makeLayout(),
                              list};
  MlirAttribute tile = flyTileAttrGetFromElements(loc, 4, elements);
  // CHECK: tile: #fly<tile[8|*|(4,(2,?)):(2,(1,12))|[8]]>
  showAttr("tile", tile);
  // CHECK: value: [#fly<int 8>, #fly<int *>, #fly<layout{{.*}}>, #fly<tile[8]>]
  showAttr("value", flyTileAttrGetValue(tile));

  MlirAttribute align = flyAlignAttrGet(loc, 24);
  checkAttrClass(align, flyAttributeIsAAlign(align), flyAlignAttrGetTypeID());
  // CHECK: align: #fly<align align<24>>
  showAttr("align", align);
  // CHECK: 24 bytes
  printf("%d bytes\n", (int)flyAlignAttrGetAlignment(align));

  MlirAttribute module = flyExplicitModuleAttrGet(loc);
  checkAttrClass(module, flyAttributeIsAExplicitModule(module),
                 flyExplicitModuleAttrGetTypeID());
  // CHECK: module: #fly.explicit_module
  showAttr("module", module);
}

int main(void) {
  MlirContext context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fly__(), context);
  printErrors(context);
  loc = mlirLocationUnknownGet(context);
  testEnums();
  testLeaves();
  testLayouts();
  testTiles();
  mlirContextDestroy(context);
  return 0;
}
