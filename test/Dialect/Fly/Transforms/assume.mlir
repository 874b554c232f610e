// RUN: fly-opt %s -fly-layout-lowering | FileCheck %s
// RUN: fly-opt %s -fly-insert-runtime-checks | FileCheck %s --check-prefix=ASSERT

// The value passes through.

// CHECK-LABEL: func.func @assume_c2_number
// CHECK-SAME: %[[N:[^:]*]]: i32, %[[M:[^:]*]]: i32
// CHECK-NEXT: return %[[M]] : i32
// ASSERT-LABEL: func.func @assume_c2_number
// ASSERT: %[[E:.*]] = arith.cmpi eq, %arg0, %arg1 : i32
// ASSERT: cf.assert %[[E]], "'fly.assume' requires that 'dst' and 'src' are equal [assume_c2]"
func.func @assume_c2_number(%n: i32, %m: i32) -> i32 {
  %r = fly.assume(%n, %m) : (i32, i32) -> i32
  return %r : i32
}

// CHECK-LABEL: func.func @pointer
// CHECK-SAME: %[[P:[^:]*]]: !fly.ptr<f32, global>
// CHECK-NEXT: return %[[P]]
func.func @pointer(%p: !fly.ptr<f32, global>) -> !fly.ptr<f32, global> {
  %r = fly.assume(%p, %p) : (!fly.ptr<f32, global>, !fly.ptr<f32, global>) -> !fly.ptr<f32, global>
  return %r : !fly.ptr<f32, global>
}

// The divisor that is promised reaches what is computed from it.

// CHECK-LABEL: func.func @tuple
// CHECK-SAME: %[[N:[^:]*]]: i32, %[[M:[^:]*]]: i32
// CHECK: %[[P:.*]] = arith.muli %[[N]], %{{.*}} : i32
// CHECK: %[[T:.*]] = fly.make_int_tuple(%[[P]], %[[M]]) : (i32, i32) -> !fly.int_tuple<(?{div=32},?)>
// CHECK: return %[[T]]
// ASSERT-LABEL: func.func @tuple
// ASSERT: cf.assert %{{.*}}, "'fly.assume' requires that leaf #0 is a multiple of 16 [divisibility]"
func.func @tuple(%n: i32, %m: i32) -> !fly.int_tuple<(?{div=32},?)> {
  %t = fly.make_int_tuple(%n, %m) : (i32, i32) -> !fly.int_tuple<(?,?)>
  %r = fly.assume(%t, %t) : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(?,?)>) -> !fly.int_tuple<(?{div=16},?)>
  %d = fly.static : !fly.int_tuple<(2,1)>
  %q = fly.int_tuple_mul(%r, %d) : (!fly.int_tuple<(?{div=16},?)>, !fly.int_tuple<(2,1)>) -> !fly.int_tuple<(?{div=32},?)>
  return %q : !fly.int_tuple<(?{div=32},?)>
}

// A static source gives the run-time leaf its number, and the other way round.

// CHECK-LABEL: func.func @static_source
// CHECK: %[[C:.*]] = arith.constant 8 : i32
// CHECK: fly.make_int_tuple(%[[C]]) : (i32) -> !fly.int_tuple<?>
func.func @static_source() -> !fly.int_tuple<?> {
  %s = fly.static : !fly.int_tuple<8>
  %r = fly.assume(%s, %s) : (!fly.int_tuple<8>, !fly.int_tuple<8>) -> !fly.int_tuple<?>
  return %r : !fly.int_tuple<?>
}

// CHECK-LABEL: func.func @static_result
// CHECK: %[[T:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<8>
// CHECK: return %[[T]]
// ASSERT-LABEL: func.func @static_result
// ASSERT: cf.assert %{{.*}}, "'fly.assume' requires that leaf #0 is 8 [assume_c2]"
func.func @static_result(%n: i32) -> !fly.int_tuple<8> {
  %t = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
  %r = fly.assume(%t, %t) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<8>
  return %r : !fly.int_tuple<8>
}
