// `fly.assume` lowers: the value passes through.
// RUN: fly-opt %s -fly-to-rocdl=chip=gfx942 | FileCheck %s

// CHECK-LABEL: func.func @number
// CHECK-SAME: %[[N:[^:]*]]: i32
// CHECK-NEXT: return %[[N]] : i32
func.func @number(%n: i32) -> i32 {
  %r = fly.assume(%n, %n) : (i32, i32) -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @tuple
// CHECK-SAME: %[[N:[^:]*]]: i32
// CHECK-NEXT: return %[[N]] : i32
func.func @tuple(%n: i32) -> i32 {
  %t = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
  %r = fly.assume(%t, %t) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?{div=4}>
  %s = fly.get_scalar(%r) : (!fly.int_tuple<?{div=4}>) -> i32
  return %s : i32
}
