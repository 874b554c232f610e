// RUN: fly-opt %s -canonicalize -split-input-file | FileCheck %s

// What the stock canonicaliser makes of int tuples: static ones are constants,
// and an operation that changes nothing is its operand.

// CHECK-LABEL: func.func @arithmetic(
func.func @arithmetic() -> (!fly.int_tuple<(4,6,7)>, !fly.int_tuple<(3,-4)>, !fly.int_tuple<42>) {
  // CHECK-DAG: %[[A:.*]] = fly.static : !fly.int_tuple<(4,6,7)>
  // CHECK-DAG: %[[B:.*]] = fly.static : !fly.int_tuple<(3,-4)>
  // CHECK-DAG: %[[C:.*]] = fly.static : !fly.int_tuple<42>
  // CHECK-NOT: = fly
  // CHECK: return %[[A]], %[[B]], %[[C]]
  %0 = fly.make_int_tuple() : () -> !fly.int_tuple<(3,5,7)>
  %1 = fly.make_shape() : () -> !fly.int_tuple<(1,1)>
  %2 = fly.int_tuple_add(%0, %1) : (!fly.int_tuple<(3,5,7)>, !fly.int_tuple<(1,1)>) -> !fly.int_tuple<(4,6,7)>
  %3 = fly.static : !fly.int_tuple<(17,-9)>
  %4 = fly.static : !fly.int_tuple<(5,2)>
  %5 = fly.int_tuple_div(%3, %4) : (!fly.int_tuple<(17,-9)>, !fly.int_tuple<(5,2)>) -> !fly.int_tuple<(3,-4)>
  %6 = fly.static : !fly.int_tuple<((2,7),3)>
  %7 = fly.int_tuple_product(%6) : (!fly.int_tuple<((2,7),3)>) -> !fly.int_tuple<42>
  return %2, %5, %7 : !fly.int_tuple<(4,6,7)>, !fly.int_tuple<(3,-4)>, !fly.int_tuple<42>
}

// -----

// A result may be static though an operand is not.
// CHECK-LABEL: func.func @static_of_runtime(
// CHECK-NEXT: %[[A:.*]] = fly.static : !fly.int_tuple<(0,0)>
// CHECK-NEXT: return %[[A]]
func.func @static_of_runtime(%x: !fly.int_tuple<(?,?{i64})>) -> !fly.int_tuple<(0,0)> {
  %0 = fly.static : !fly.int_tuple<(0,0)>
  %1 = fly.int_tuple_mul(%x, %0) : (!fly.int_tuple<(?,?{i64})>, !fly.int_tuple<(0,0)>) -> !fly.int_tuple<(0,0)>
  return %1 : !fly.int_tuple<(0,0)>
}

// -----

// CHECK-LABEL: func.func @scalars(
func.func @scalars(%m: i32, %n: i64) -> (i32, i64, i32, i32, i64, i32, i64) {
  // CHECK-SAME: %[[M:.*]]: i32, %[[N:.*]]: i64
  // CHECK-DAG: %[[C42:.*]] = arith.constant 42 : i32
  // CHECK-DAG: %[[WIDE:.*]] = arith.constant 4294967296 : i64
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i32
  // CHECK: return %[[C42]], %[[WIDE]], %[[M]], %[[C3]], %[[N]], %[[M]], %[[N]]
  %0 = fly.static : !fly.int_tuple<((42))>
  %1 = fly.get_scalar(%0) : (!fly.int_tuple<((42))>) -> i32
  %2 = fly.static : !fly.int_tuple<4294967296>
  %3 = fly.get_scalar(%2) : (!fly.int_tuple<4294967296>) -> i64
  %4 = fly.make_coord(%m) : (i32) -> !fly.int_tuple<(?{div=8})>
  %5 = fly.get_scalar(%4) : (!fly.int_tuple<(?{div=8})>) -> i32
  %6 = fly.make_int_tuple(%n, %m) : (i64, i32) -> !fly.int_tuple<(3,(?{i64},?))>
  %7:3 = fly.get_leaves(%6) : (!fly.int_tuple<(3,(?{i64},?))>) -> (i32, i64, i32)
  %8:2 = fly.get_leaves(%6) {dynamicOnly = true} : (!fly.int_tuple<(3,(?{i64},?))>) -> (i64, i32)
  return %1, %3, %5, %7#0, %7#1, %7#2, %8#0 : i32, i64, i32, i32, i64, i32, i64
}

// -----

// CHECK-LABEL: func.func @comparisons(
func.func @comparisons(%x: !fly.int_tuple<(?,2)>, %y: !fly.int_tuple<(?,3)>) -> (i1, i1, i1, i1) {
  // CHECK-DAG: %[[TRUE:.*]] = arith.constant true
  // CHECK-DAG: %[[FALSE:.*]] = arith.constant false
  // CHECK: %[[E:.*]] = fly.elem_less(%arg0, %arg1)
  // CHECK: return %[[TRUE]], %[[FALSE]], %[[FALSE]], %[[E]]
  %0 = fly.static : !fly.int_tuple<(2,3)>
  %1 = fly.static : !fly.int_tuple<(7,9)>
  %2 = fly.elem_less(%0, %1) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(7,9)>) -> i1
  %3 = fly.equal(%0, %1) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(7,9)>) -> i1
  // The structures differ, whatever the run-time leaves are.
  %4 = fly.equal(%x, %1) : (!fly.int_tuple<(?,2)>, !fly.int_tuple<(7,9)>) -> i1
  %5 = fly.elem_less(%x, %y) : (!fly.int_tuple<(?,2)>, !fly.int_tuple<(?,3)>) -> i1
  return %2, %3, %4, %5 : i1, i1, i1, i1
}

// -----

// CHECK-LABEL: func.func @identities(
// CHECK-NEXT: return %arg0, %arg0, %arg0, %arg0, %arg0, %arg1, %arg1
func.func @identities(%x: !fly.int_tuple<(?{div=4},?{i64})>, %y: !fly.int_tuple<?>)
    -> (!fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<(?{div=4},?{i64})>,
        !fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<?>, !fly.int_tuple<?>) {
  %0 = fly.static : !fly.int_tuple<(0,0)>
  %1 = fly.int_tuple_add(%x, %0) : (!fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<(0,0)>) -> !fly.int_tuple<(?{div=4},?{i64})>
  %2 = fly.int_tuple_sub(%x, %0) : (!fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<(0,0)>) -> !fly.int_tuple<(?{div=4},?{i64})>
  %3 = fly.select(%x) {indices = array<i32: 0, 1>} : (!fly.int_tuple<(?{div=4},?{i64})>) -> !fly.int_tuple<(?{div=4},?{i64})>
  %4 = fly.take(%x) {begin = 0 : i32, end = -1 : i32} : (!fly.int_tuple<(?{div=4},?{i64})>) -> !fly.int_tuple<(?{div=4},?{i64})>
  %5 = fly.get(%x) {mode = array<i32>} : (!fly.int_tuple<(?{div=4},?{i64})>) -> !fly.int_tuple<(?{div=4},?{i64})>
  %6 = fly.size(%y) : (!fly.int_tuple<?>) -> !fly.int_tuple<?>
  %7 = fly.ptr.load(%y) : (!fly.int_tuple<?>) -> !fly.int_tuple<?>
  return %1, %2, %3, %4, %5, %6, %7
    : !fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<(?{div=4},?{i64})>,
      !fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<(?{div=4},?{i64})>, !fly.int_tuple<?>, !fly.int_tuple<?>
}

// -----

// The same leaves under another promise, in another order or of another value
// are another tuple.
// CHECK-LABEL: func.func @not_identities(
func.func @not_identities(%x: !fly.int_tuple<(?,?)>, %m: i32) -> (!fly.int_tuple<(?,?)>, !fly.int_tuple<(?,?)>, !fly.int_tuple<?{div=4}>) {
  // CHECK: %[[A:.*]] = fly.select(%arg0)
  // CHECK: %[[B:.*]] = fly.int_tuple_add(%arg0
  // CHECK: %[[C:.*]] = fly.make_int_tuple(%arg1) : (i32) -> !fly.int_tuple<?{div=4}>
  // CHECK: return %[[A]], %[[B]], %[[C]]
  %0 = fly.select(%x) {indices = array<i32: 1, 0>} : (!fly.int_tuple<(?,?)>) -> !fly.int_tuple<(?,?)>
  %1 = fly.static : !fly.int_tuple<(1,0)>
  %2 = fly.int_tuple_add(%x, %1) : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(1,0)>) -> !fly.int_tuple<(?,?)>
  %3 = fly.make_int_tuple(%m) : (i32) -> !fly.int_tuple<?{div=4}>
  return %0, %2, %3 : !fly.int_tuple<(?,?)>, !fly.int_tuple<(?,?)>, !fly.int_tuple<?{div=4}>
}

// -----

// CHECK-LABEL: func.func @synonyms(
func.func @synonyms(%m: i32) -> (!fly.int_tuple<(6,?)>, !fly.int_tuple<(?,1)>, !fly.int_tuple<(?,*)>) {
  // CHECK: fly.make_int_tuple(%arg0) {tag} : (i32) -> !fly.int_tuple<(6,?)>
  // CHECK: fly.make_int_tuple(%arg0) : (i32) -> !fly.int_tuple<(?,1)>
  // CHECK: fly.make_int_tuple(%arg0) : (i32) -> !fly.int_tuple<(?,*)>
  %0 = fly.make_shape(%m) {tag} : (i32) -> !fly.int_tuple<(6,?)>
  %1 = fly.make_stride(%m) : (i32) -> !fly.int_tuple<(?,1)>
  %2 = fly.make_coord(%m) : (i32) -> !fly.int_tuple<(?,*)>
  return %0, %1, %2 : !fly.int_tuple<(6,?)>, !fly.int_tuple<(?,1)>, !fly.int_tuple<(?,*)>
}
