// RUN: fly-opt %s -fly-layout-lowering -split-input-file | FileCheck %s

// The whole pipeline: order of ops, operands and result types.

// CHECK-LABEL: func.func @unfold
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32) -> i32 {
// CHECK-NEXT:  %[[C2_I32:[A-Za-z0-9_]+]] = arith.constant 2 : i32
// CHECK-NEXT:  %[[C10_I32:[A-Za-z0-9_]+]] = arith.constant 10 : i32
// CHECK-NEXT:  %[[C3_I32:[A-Za-z0-9_]+]] = arith.constant 3 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.remsi %[[ARG0]], %[[C3_I32]] : i32
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.divsi %[[ARG0]], %[[C3_I32]] : i32
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = arith.muli %[[V0]], %[[C10_I32]] : i32
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = arith.remsi %[[V1]], %[[C2_I32]] : i32
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = arith.divsi %[[V1]], %[[C2_I32]] : i32
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = arith.muli %[[V4]], %[[C2_I32]] : i32
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = arith.addi %[[V3]], %[[V5]] : i32
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = arith.addi %[[V2]], %[[V6]] : i32
// CHECK-NEXT:  return %[[V7]] : i32
// CHECK-LABEL: func.func @widths
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32, %[[ARG1:[A-Za-z0-9_]+]]: i64) -> i64 {
// CHECK-NEXT:  %[[C5_I64:[A-Za-z0-9_]+]] = arith.constant 5 : i64
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.extsi %[[ARG0]] : i32 to i64
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.muli %[[V0]], %[[ARG1]] : i64
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = arith.addi %[[V1]], %[[C5_I64]] : i64
// CHECK-NEXT:  return %[[V2]] : i64
// CHECK-LABEL: func.func @divide
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32) -> !fly.layout<(6,?):(1,6)> {
// CHECK-NEXT:  %[[C6_I32:[A-Za-z0-9_]+]] = arith.constant 6 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.ceildivsi %[[ARG0]], %[[C6_I32]] : i32
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(1,6)>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[V0]]) : (i32) -> !fly.int_tuple<(6,?)>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_layout(%[[V2]], %[[V1]]) : (!fly.int_tuple<(6,?)>, !fly.int_tuple<(1,6)>) -> !fly.layout<(6,?):(1,6)>
// CHECK-NEXT:  return %[[V3]] : !fly.layout<(6,?):(1,6)>
// CHECK-LABEL: func.func @compare
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32, %[[ARG1:[A-Za-z0-9_]+]]: i64) -> (i1, i1) {
// CHECK-NEXT:  %[[FALSE:[A-Za-z0-9_]+]] = arith.constant false
// CHECK-NEXT:  %[[C9_I64:[A-Za-z0-9_]+]] = arith.constant 9 : i64
// CHECK-NEXT:  %[[C7_I32:[A-Za-z0-9_]+]] = arith.constant 7 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.cmpi slt, %[[ARG0]], %[[C7_I32]] : i32
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.cmpi slt, %[[ARG1]], %[[C9_I64]] : i64
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = arith.andi %[[V0]], %[[V1]] : i1
// CHECK-NEXT:  return %[[V2]], %[[FALSE]] : i1, i1
// CHECK-LABEL: func.func @swizzled
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i64) -> i64 {
// CHECK-NEXT:  %[[C384_I64:[A-Za-z0-9_]+]] = arith.constant 384 : i64
// CHECK-NEXT:  %[[C4_I64:[A-Za-z0-9_]+]] = arith.constant 4 : i64
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.andi %[[ARG0]], %[[C384_I64]] : i64
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.shrui %[[V0]], %[[C4_I64]] : i64
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = arith.xori %[[ARG0]], %[[V1]] : i64
// CHECK-NEXT:  return %[[V2]] : i64

func.func @unfold(%k: i32) -> i32 {
  %s = fly.make_int_tuple() : () -> !fly.int_tuple<(3,(2,5))>
  %d = fly.make_int_tuple() : () -> !fly.int_tuple<(10,(1,2))>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(3,(2,5))>, !fly.int_tuple<(10,(1,2))>) -> !fly.layout<(3,(2,5)):(10,(1,2))>
  %c = fly.make_int_tuple(%k) : (i32) -> !fly.int_tuple<?>
  %i = fly.crd2idx(%c, %l) : (!fly.int_tuple<?>, !fly.layout<(3,(2,5)):(10,(1,2))>) -> !fly.int_tuple<?>
  %r = fly.get_scalar(%i) : (!fly.int_tuple<?>) -> i32
  return %r : i32
}
func.func @widths(%a: i32, %b: i64) -> i64 {
  %s = fly.make_int_tuple(%a) : (i32) -> !fly.int_tuple<(?,6)>
  %d = fly.make_int_tuple(%b) : (i64) -> !fly.int_tuple<(?{i64},1)>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(?,6)>, !fly.int_tuple<(?{i64},1)>) -> !fly.layout<(?,6):(?{i64},1)>
  %c = fly.make_int_tuple(%a) : (i32) -> !fly.int_tuple<(?,5)>
  %i = fly.crd2idx(%c, %l) : (!fly.int_tuple<(?,5)>, !fly.layout<(?,6):(?{i64},1)>) -> !fly.int_tuple<?{i64}>
  %r = fly.get_scalar(%i) : (!fly.int_tuple<?{i64}>) -> i64
  return %r : i64
}
func.func @divide(%m: i32) -> !fly.layout<(6,?):(1,6)> {
  %s = fly.make_int_tuple(%m) : (i32) -> !fly.int_tuple<?>
  %d = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<?>, !fly.int_tuple<1>) -> !fly.layout<?:1>
  %t = fly.static : !fly.tile<6>
  %q = fly.logical_divide(%l, %t) : (!fly.layout<?:1>, !fly.tile<6>) -> !fly.layout<(6,?):(1,6)>
  return %q : !fly.layout<(6,?):(1,6)>
}
func.func @compare(%a: i32, %b: i64) -> (i1, i1) {
  %x = fly.make_int_tuple(%a, %b) : (i32, i64) -> !fly.int_tuple<(?,?{i64})>
  %k = fly.make_int_tuple() : () -> !fly.int_tuple<(7,9)>
  %0 = fly.elem_less(%x, %k) : (!fly.int_tuple<(?,?{i64})>, !fly.int_tuple<(7,9)>) -> i1
  %1 = fly.elem_less(%k, %k) : (!fly.int_tuple<(7,9)>, !fly.int_tuple<(7,9)>) -> i1
  return %0, %1 : i1, i1
}
func.func @swizzled(%x: i64) -> i64 {
  %c = fly.make_int_tuple(%x) : (i64) -> !fly.int_tuple<?{i64}>
  %s = fly.static : !fly.swizzle<S<2,3,4>>
  %i = fly.crd2idx(%c, %s) : (!fly.int_tuple<?{i64}>, !fly.swizzle<S<2,3,4>>) -> !fly.int_tuple<?{i64}>
  %r = fly.get_scalar(%i) : (!fly.int_tuple<?{i64}>) -> i64
  return %r : i64
}
