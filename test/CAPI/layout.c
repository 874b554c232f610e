// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries and computations on tuples, layouts and tiles.
//
// RUN: %capi/layout | FileCheck %s --implicit-check-not=error \
// RUN:   --implicit-check-not='read back'

#include "Fly-c/Layout.h"
#include "Fly-c/Registration.h"

#include "Support.h"

static MlirContext context;
static MlirLocation loc;

static MlirAttribute parse(const char *text) {
  return mlirAttributeParseGet(context, str(text));
}

static void describe(const char *text) {
  MlirAttribute attr = parse(text);
  flyAttributePrintBody(attr, printPart, NULL);
  printf(": leaf %d rank %d depth %d static %d dynamic leaves %d\n",
         flyAttributeIsLeaf(attr), flyAttributeGetRank(attr),
         flyAttributeGetDepth(attr), flyAttributeIsStatic(attr),
         (int)flyAttributeGetNumDynamicLeaves(attr));
  for (int32_t i = 0; i < flyAttributeGetRank(attr); ++i)
    showAttr("  mode", flyAttributeGetMode(attr, i));
}

static void testStructure(void) {
  // CHECK: {{^}}7: leaf 1 rank 1 depth 0 static 1 dynamic leaves 0
  // CHECK-NEXT: mode: #fly<int_tuple 7>
  describe("#fly<int_tuple 7>");
  // CHECK: {{^}}(3,(?,?E1)): leaf 0 rank 2 depth 2 static 0 dynamic leaves 2
  // CHECK-NEXT: mode: #fly<int_tuple 3>
  // CHECK-NEXT: mode: #fly<int_tuple(?,?E1)>
  describe("#fly<int_tuple(3,(?,?E1))>");
  // CHECK: {{^}}(4,(2,?)):(?,(1,4)): leaf 0 rank 2 depth 2 static 0 dynamic leaves 2
  // CHECK-NEXT: mode: #fly<layout 4:?>
  // CHECK-NEXT: mode: #fly<layout(2,?):(1,4)>
  describe("#fly<layout(4,(2,?)):(?,(1,4))>");
  // CHECK: {{^}}S<2,4,3> o ? o (6,16):(16,1): leaf 0 rank 2 depth 1 static 0 dynamic leaves 1
  // CHECK-NEXT: mode: #fly<composed_layout S<2,4,3> o ? o 6:16>
  // CHECK-NEXT: mode: #fly<composed_layout S<2,4,3> o ? o 16:1>
  describe("#fly<composed_layout S<2,4,3> o ? o (6,16):(16,1)>");
  // CHECK: {{^}}[8|*|(2,2):(1,4)|[2|5:2]]: leaf 0 rank 4 depth 2 static 1 dynamic leaves 0
  // CHECK-NEXT: mode: #fly<int 8>
  // CHECK-NEXT: mode: #fly<int *>
  // CHECK-NEXT: mode: #fly<layout(2,2):(1,4)>
  // CHECK-NEXT: mode: #fly<tile[2|5:2]>
  describe("#fly<tile[8|*|(2,2):(1,4)|[2|5:2]]>");
  // CHECK: {{^}}?: leaf 1 rank 1 depth 0 static 0 dynamic leaves 1
  // CHECK-NEXT: mode: #fly<int ?>
  describe("#fly<tile ?>");

  // CHECK: linear: #fly<layout(6,16):(16,1)>
  showAttr("linear",
           flyLayoutGetLinear(parse("#fly<composed_layout S<2,4,3> o 0 o "
                                    "[S<1,0,1> o 1 o (6,16):(16,1)]>")));
  // CHECK: body of others: align<4> 7 : i32
  printf("body of others: ");
  flyAttributePrintBody(parse("#fly<align align<4>>"), printPart, NULL);
  printf(" ");
  flyAttributePrintBody(parse("7 : i32"), printPart, NULL);
  MlirAttribute none = {NULL};
  flyAttributePrintBody(none, printPart, NULL);
  printf("\n");
}

static void compute(const char *layout) {
  MlirAttribute attr = parse(layout);
  showAttr("size", flyLayoutGetSize(loc, attr));
  showAttr("cosize", flyLayoutGetCosize(loc, attr));
}

static void index(const char *coord, const char *layout) {
  showAttr("index", flyLayoutCrd2Idx(loc, parse(coord), parse(layout)));
}

static void coordinate(const char *number, const char *layout) {
  showAttr("coordinate", flyLayoutIdx2Crd(loc, parse(number), parse(layout)));
}

static void testComputation(void) {
  // 1 + 2*2 + 4*6.
  // CHECK: size: #fly<int 15>
  // CHECK-NEXT: cosize: #fly<int 29>
  compute("#fly<layout(3,5):(2,6)>");
  // 1 + 8 - (-3).
  // CHECK: size: #fly<int 12>
  // CHECK-NEXT: cosize: #fly<int 12>
  compute("#fly<layout(4,3):(-1,4)>");
  // CHECK: size: #fly<int ?{div=3}>
  // CHECK-NEXT: cosize: #fly<int ?>
  compute("#fly<layout(3,?):(?,1)>");
  // CHECK: size: #fly<int 8589934592>
  // CHECK-NEXT: cosize: #fly<int 8589934592>
  compute("#fly<layout(65536,131072):(1,65536)>");
  // S<1,0,2> swaps bit 0 by bit 2: the indices 4..7 stay among themselves.
  // CHECK: size: #fly<int 4>
  // CHECK-NEXT: cosize: #fly<int 8>
  compute("#fly<composed_layout S<1,0,2> o 4 o 4:1>");
  // CHECK: size of a shape: #fly<int 24>
  showAttr("size of a shape",
           flyLayoutGetSize(loc, parse("#fly<int_tuple(2,(3,4))>")));

  // CHECK: index: #fly<int_tuple 9>
  index("#fly<int_tuple(1,2)>", "#fly<layout(4,8):(1,4)>");
  // The number 9 is the coordinate (1,2).
  // CHECK: index: #fly<int_tuple 10>
  index("#fly<int_tuple 9>", "#fly<layout(4,8):(8,1)>");
  // (3,5) is 29, its bit 4 changes bit 1.
  // CHECK: index: #fly<int_tuple 31>
  index("#fly<int_tuple(3,5)>",
        "#fly<composed_layout S<2,1,3> o 0 o (4,8):(8,1)>");
  // CHECK: index: #fly<int_tuple?{div=4}>
  index("#fly<int_tuple(0,?)>", "#fly<layout(4,8):(1,4)>");
  // CHECK: index: #fly<int_tuple(12,12)>
  index("#fly<int_tuple(4,6)>", "#fly<layout(5,7):(3E1,2E0)>");

  // CHECK: coordinate: #fly<int_tuple(1,2)>
  coordinate("#fly<int_tuple 9>", "#fly<layout(4,8):(1,4)>");
  // CHECK: coordinate: #fly<int_tuple(?,?)>
  coordinate("#fly<int_tuple ?>", "#fly<layout(4,8):(1,4)>");
}

int main(void) {
  context = mlirContextCreate();
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fly__(), context);
  printErrors(context);
  loc = mlirLocationUnknownGet(context);
  testStructure();
  testComputation();
  mlirContextDestroy(context);
  return 0;
}
