// RUN: fly-opt %s -fly-insert-runtime-checks -split-input-file | FileCheck %s
// RUN: fly-opt %s -fly-insert-runtime-checks -fly-layout-lowering -split-input-file | FileCheck %s --check-prefix=LOWERED

// LOWERED-NOT: = fly.composition
// LOWERED-NOT: = fly.idx2crd

// A promised divisor, where the tuple is made. One that says nothing is none.

// CHECK-LABEL: func.func @divisor
// CHECK-SAME: (%[[A:.*]]: i32, %[[B:.*]]: i64, %[[C:.*]]: i32)
// CHECK-NEXT: %[[N:.*]] = arith.constant 8 : i32
// CHECK-NEXT: %[[R:.*]] = arith.remsi %[[A]], %[[N]] : i32
// CHECK-NEXT: %[[Z:.*]] = arith.constant 0 : i32
// CHECK-NEXT: %[[OK:.*]] = arith.cmpi eq, %[[R]], %[[Z]] : i32
// CHECK-NEXT: cf.assert %[[OK]], "'fly.make_int_tuple' requires that operand #0 is a multiple of 8 [divisibility]"
// CHECK-NEXT: %[[N1:.*]] = arith.constant 6 : i64
// CHECK-NEXT: %[[R1:.*]] = arith.remsi %[[B]], %[[N1]] : i64
// CHECK-NEXT: %[[Z1:.*]] = arith.constant 0 : i64
// CHECK-NEXT: %[[OK1:.*]] = arith.cmpi eq, %[[R1]], %[[Z1]] : i64
// CHECK-NEXT: cf.assert %[[OK1]], "'fly.make_int_tuple' requires that operand #1 is a multiple of 6 [divisibility]"
// CHECK-NEXT: fly.make_int_tuple(%[[A]], %[[B]], %[[C]])
// CHECK-NEXT: return
func.func @divisor(%a: i32, %b: i64, %c: i32) -> !fly.int_tuple<(?{div=8},?{i64 div=6},?)> {
  %t = fly.make_int_tuple(%a, %b, %c) : (i32, i64, i32) -> !fly.int_tuple<(?{div=8},?{i64 div=6},?)>
  return %t : !fly.int_tuple<(?{div=8},?{i64 div=6},?)>
}

// -----

// What comes in from outside is checked once, behind its leaves.

// CHECK-LABEL: func.func @layout_c3_from_outside
// CHECK-SAME: (%[[L:.*]]: !fly.layout<(?{div=4},8):(1,?)>
// CHECK-NEXT: %[[S:.*]] = fly.get_shape(%[[L]])
// CHECK-NEXT: %[[X:.*]] = fly.get_leaves(%[[S]]) {dynamicOnly = true}
// CHECK:      cf.assert %{{.*}}, "the value of type !fly.layout<(?{div=4},8):(1,?)> requires that run-time leaf #0 is a multiple of 4 [divisibility]"
// CHECK:      %[[G:.*]] = arith.cmpi sge, %[[X]], %{{.*}} : i32
// CHECK-NEXT: cf.assert %[[G]], "the value of type !fly.layout<(?{div=4},8):(1,?)> requires that the extent in run-time leaf #0 is not negative [layout_c3]"
// CHECK-NOT:  [divisibility]
// CHECK-NOT:  [layout_c3]
// CHECK:      return
func.func @layout_c3_from_outside(%l: !fly.layout<(?{div=4},8):(1,?)>) -> (!fly.int_tuple<?{div=32}>, !fly.int_tuple<?{div=4}>) {
  %s = fly.size(%l) : (!fly.layout<(?{div=4},8):(1,?)>) -> !fly.int_tuple<?{div=32}>
  %h = fly.get_shape(%l) : (!fly.layout<(?{div=4},8):(1,?)>) -> !fly.int_tuple<(?{div=4},8)>
  %f = fly.get(%h) {mode = array<i32: 0>} : (!fly.int_tuple<(?{div=4},8)>) -> !fly.int_tuple<?{div=4}>
  return %s, %f : !fly.int_tuple<?{div=32}>, !fly.int_tuple<?{div=4}>
}

// -----

// Products in 32 bits against 64, in 64 bits by their high half.

// CHECK-LABEL: func.func @overflow
// CHECK:      %[[P:.*]] = arith.muli %[[X:.*]], %[[Y:.*]] : i32
// CHECK-NEXT: %[[XW:.*]] = arith.extsi %[[X]] : i32 to i64
// CHECK-NEXT: %[[YW:.*]] = arith.extsi %[[Y]] : i32 to i64
// CHECK-NEXT: %[[PW:.*]] = arith.muli %[[XW]], %[[YW]] : i64
// CHECK-NEXT: %[[PE:.*]] = arith.extsi %[[P]] : i32 to i64
// CHECK-NEXT: %[[OK:.*]] = arith.cmpi eq, %[[PW]], %[[PE]] : i64
// CHECK-NEXT: cf.assert %[[OK]], "'fly.int_tuple_mul' requires that ? * ? stays within 32 bits [int_overflow]"
// CHECK:      %[[Q:.*]] = arith.muli %[[V:.*]], %[[W:.*]] : i64
// CHECK-NEXT: %[[LO:.*]], %[[HI:.*]] = arith.mulsi_extended %[[V]], %[[W]] : i64
// CHECK-NEXT: %[[C63:.*]] = arith.constant 63 : i64
// CHECK-NEXT: %[[SIGN:.*]] = arith.shrsi %[[LO]], %[[C63]] : i64
// CHECK-NEXT: %[[OK2:.*]] = arith.cmpi eq, %[[HI]], %[[SIGN]] : i64
// CHECK-NEXT: cf.assert %[[OK2]], "'fly.int_tuple_mul' requires that ?{i64} * ?{i64} stays within 64 bits [int_overflow]"
func.func @overflow(%a: i32, %b: i64) -> (!fly.int_tuple<?>, !fly.int_tuple<?{i64}>) {
  %x = fly.make_int_tuple(%a) : (i32) -> !fly.int_tuple<?>
  %y = fly.make_int_tuple(%b) : (i64) -> !fly.int_tuple<?{i64}>
  %p = fly.int_tuple_mul(%x, %x) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
  %q = fly.int_tuple_mul(%y, %y) : (!fly.int_tuple<?{i64}>, !fly.int_tuple<?{i64}>) -> !fly.int_tuple<?{i64}>
  return %p, %q : !fly.int_tuple<?>, !fly.int_tuple<?{i64}>
}

// -----

// Signs tell for sums and differences of 64 bits.

// CHECK-LABEL: func.func @overflow_of_sums
// CHECK:      %[[S:.*]] = arith.addi %[[A:.*]], %[[B:.*]] : i64
// CHECK-NEXT: %[[X:.*]] = arith.xori %[[A]], %[[S]] : i64
// CHECK-NEXT: %[[Y:.*]] = arith.xori %[[B]], %[[S]] : i64
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[X]], %[[Y]] : i64
// CHECK:      arith.cmpi sge, %[[BOTH]],
// CHECK:      "'fly.int_tuple_add' requires that ?{i64} + ?{i64} stays within 64 bits [int_overflow]"
// CHECK:      %[[D:.*]] = arith.subi %[[A2:.*]], %[[B2:.*]] : i64
// CHECK-NEXT: %[[X2:.*]] = arith.xori %[[A2]], %[[D]] : i64
// CHECK-NEXT: %[[Y2:.*]] = arith.xori %[[A2]], %[[B2]] : i64
// CHECK-NEXT: %[[BOTH2:.*]] = arith.andi %[[X2]], %[[Y2]] : i64
// CHECK:      arith.cmpi sge, %[[BOTH2]],
// CHECK:      "'fly.int_tuple_sub' requires that ?{i64} - ?{i64} stays within 64 bits [int_overflow]"
func.func @overflow_of_sums(%a: i64, %b: i64) -> (!fly.int_tuple<?{i64}>, !fly.int_tuple<?{i64}>) {
  %x = fly.make_int_tuple(%a) : (i64) -> !fly.int_tuple<?{i64}>
  %y = fly.make_int_tuple(%b) : (i64) -> !fly.int_tuple<?{i64}>
  %s = fly.int_tuple_add(%x, %y) : (!fly.int_tuple<?{i64}>, !fly.int_tuple<?{i64}>) -> !fly.int_tuple<?{i64}>
  %d = fly.int_tuple_sub(%x, %y) : (!fly.int_tuple<?{i64}>, !fly.int_tuple<?{i64}>) -> !fly.int_tuple<?{i64}>
  return %s, %d : !fly.int_tuple<?{i64}>, !fly.int_tuple<?{i64}>
}

// -----

// A static index outside of a static layout is known to be wrong.

// CHECK-LABEL: func.func @idx2crd_c4_known_to_be_broken
// CHECK:      %[[NO:.*]] = arith.constant false
// CHECK-NEXT: cf.assert %[[NO]], "'fly.idx2crd' requires that 3 is an index of (3,5):(1,4) [idx2crd_c4]"
// CHECK-NEXT: fly.idx2crd
func.func @idx2crd_c4_known_to_be_broken() -> !fly.int_tuple<(0,0)> {
  %k = fly.static : !fly.int_tuple<3>
  %l = fly.static : !fly.layout<(3,5):(1,4)>
  %c = fly.idx2crd(%k, %l) : (!fly.int_tuple<3>, !fly.layout<(3,5):(1,4)>) -> !fly.int_tuple<(0,0)>
  return %c : !fly.int_tuple<(0,0)>
}

// -----

// Static layouts and tuples have nothing to check.

// CHECK-LABEL: func.func @nothing_to_check
// CHECK-NOT:  cf.assert
// CHECK:      return
func.func @nothing_to_check(%i: i32) -> !fly.int_tuple<24> {
  %l = fly.static : !fly.layout<(4,6):(6,1)>
  %t = fly.static : !fly.tile<[2|3]>
  %d = fly.zipped_divide(%l, %t) : (!fly.layout<(4,6):(6,1)>, !fly.tile<[2|3]>) -> !fly.layout<((2,3),(2,2)):((6,1),(12,3))>
  %s = fly.size(%d) : (!fly.layout<((2,3),(2,2)):((6,1),(12,3))>) -> !fly.int_tuple<24>
  return %s : !fly.int_tuple<24>
}

// -----

// The preconditions of the algebra, one op each.

// CHECK-LABEL: func.func @preconditions
// CHECK:      "'fly.complement' requires that in the complement of 3:? the stride ? is a positive multiple of 1, where the modes below it end [complement_c3]"
// CHECK:      "'fly.left_inverse' requires that in the left inverse of (?,4):(1,8) the stride 8 is not below ?, where the modes before it end, and a multiple of the stride 1 before it [left_inverse_c2]"
// CHECK:      "'fly.recast_layout' requires that in the recast of ?:1 by 2 the size ? is a multiple of 2 [recast_c3]"
// CHECK:      "'fly.cosize' requires that for the extent of 3:? run-time sizes are at least 1 and run-time strides at least 0 [cosize_c2]"
// CHECK:      "'fly.shape_div' requires that one of ? and 6 divides the other [shape_div_c1]"
func.func @preconditions(%a: i32) -> (!fly.layout<(?,?):(1,?{div=3})>, !fly.layout<(8,4):(1,?)>, !fly.layout<?:1>, !fly.int_tuple<?>, !fly.int_tuple<?>) {
  %x = fly.make_int_tuple(%a) : (i32) -> !fly.int_tuple<?>
  %three = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  %one = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %six = fly.make_int_tuple() : () -> !fly.int_tuple<6>
  %thirty = fly.make_int_tuple() : () -> !fly.int_tuple<30>
  %l = fly.make_layout(%three, %x) : (!fly.int_tuple<3>, !fly.int_tuple<?>) -> !fly.layout<3:?>
  %m = fly.make_layout(%x, %one) : (!fly.int_tuple<?>, !fly.int_tuple<1>) -> !fly.layout<?:1>
  %ps = fly.make_int_tuple(%a) : (i32) -> !fly.int_tuple<(?,4)>
  %pd = fly.make_int_tuple() : () -> !fly.int_tuple<(1,8)>
  %p = fly.make_layout(%ps, %pd) : (!fly.int_tuple<(?,4)>, !fly.int_tuple<(1,8)>) -> !fly.layout<(?,4):(1,8)>
  %c = fly.complement(%l, %thirty) : (!fly.layout<3:?>, !fly.int_tuple<30>) -> !fly.layout<(?,?):(1,?{div=3})>
  %i = fly.left_inverse(%p) : (!fly.layout<(?,4):(1,8)>) -> !fly.layout<(8,4):(1,?)>
  %r = fly.recast_layout(%m) {new_type_bits = 16 : i32, old_type_bits = 8 : i32} : (!fly.layout<?:1>) -> !fly.layout<?:1>
  %e = fly.cosize(%l) : (!fly.layout<3:?>) -> !fly.int_tuple<?>
  %q = fly.shape_div(%x, %six) : (!fly.int_tuple<?>, !fly.int_tuple<6>) -> !fly.int_tuple<?>
  return %c, %i, %r, %e, %q : !fly.layout<(?,?):(1,?{div=3})>, !fly.layout<(8,4):(1,?)>, !fly.layout<?:1>, !fly.int_tuple<?>, !fly.int_tuple<?>
}

// -----

// CHECK-LABEL: func.func @cosize_c2_run_time_stride
// CHECK:      cf.assert %{{.*}}, "'fly.cosize' requires that for the extent of 3:? run-time sizes are at least 1 and run-time strides at least 0 [cosize_c2]"
// CHECK:      fly.cosize(
func.func @cosize_c2_run_time_stride(%a: i32) -> !fly.int_tuple<?> {
  %x = fly.make_int_tuple(%a) : (i32) -> !fly.int_tuple<?>
  %three = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  %l = fly.make_layout(%three, %x) : (!fly.int_tuple<3>, !fly.int_tuple<?>) -> !fly.layout<3:?>
  %e = fly.cosize(%l) : (!fly.layout<3:?>) -> !fly.int_tuple<?>
  return %e : !fly.int_tuple<?>
}

// -----

// CHECK-LABEL: func.func @complement_c5_run_time_codomain
// CHECK:      %[[HOLDS:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : i32
// CHECK:      cf.assert %[[HOLDS]], "'fly.complement' requires that in the complement of 3:1 the codomain ? is not negative [complement_c5]"
// CHECK:      fly.complement(
func.func @complement_c5_run_time_codomain(%a: i32) -> !fly.layout<?:3> {
  %x = fly.make_int_tuple(%a) : (i32) -> !fly.int_tuple<?>
  %l = fly.static : !fly.layout<3:1>
  %c = fly.complement(%l, %x) : (!fly.layout<3:1>, !fly.int_tuple<?>) -> !fly.layout<?:3>
  return %c : !fly.layout<?:3>
}

// -----

// CHECK-LABEL: func.func @ceil_div_c1_run_time
// CHECK:      cf.assert %{{.*}}, "'fly.ceil_div' requires that the divisor ? is not 0 [ceil_div_c1]"
func.func @ceil_div_c1_run_time(%a: i32, %b: i32) -> !fly.int_tuple<?> {
  %x = fly.make_int_tuple(%a) : (i32) -> !fly.int_tuple<?>
  %y = fly.make_int_tuple(%b) : (i32) -> !fly.int_tuple<?>
  %q = fly.ceil_div(%x, %y) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
  return %q : !fly.int_tuple<?>
}
