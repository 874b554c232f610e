// RUN: fly-opt %s | FileCheck %s
// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s

// Spellings that are read beside the one that is printed.

// CHECK-LABEL: func.func @extend_rank
// CHECK-SAME:  (%[[T:.*]]: !fly.int_tuple<(3,5)>, %[[E:.*]]: !fly.int_tuple<1>)
func.func @extend_rank(%t: !fly.int_tuple<(3,5)>, %e: !fly.int_tuple<1>) {
  // CHECK-NEXT: fly.append[4] (%[[T]], %[[E]]) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<1>) -> !fly.int_tuple<(3,5,1,1)>
  %0 = fly.append<4> (%t, %e) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<1>) -> !fly.int_tuple<(3,5,1,1)>
  // CHECK-NEXT: fly.append[4] (%[[T]], %[[E]]) {tag = 1 : i32} :
  %1 = fly.append[4](%t, %e) {tag = 1 : i32} : (!fly.int_tuple<(3,5)>, !fly.int_tuple<1>) -> !fly.int_tuple<(3,5,1,1)>
  // CHECK-NEXT: fly.append (%[[T]], %[[E]]) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<1>) -> !fly.int_tuple<(3,5,1)>
  %2 = fly.append(%t, %e) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<1>) -> !fly.int_tuple<(3,5,1)>
  // CHECK-NEXT: fly.prepend[3] (%[[T]], %[[E]]) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<1>) -> !fly.int_tuple<(1,3,5)>
  %3 = fly.prepend<3>(%t, %e) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<1>) -> !fly.int_tuple<(1,3,5)>
  return
}

// The short form of the operand's type is printed.
// CHECK-LABEL: func.func @aligned_pointer
// CHECK-SAME:  (%[[R:.*]]: !fly.memref<f32, register, (2,3):(1,2)>)
func.func @aligned_pointer(%r: !fly.memref<f32, register, (2,3):(1,2)>) {
  // CHECK-COUNT-2: fly.extract_aligned_pointer_as_index %[[R]] : <f32, register, (2,3):(1,2)> -> index
  %0 = fly.extract_aligned_pointer_as_index %r : <f32, register, (2,3):(1,2)> -> index
  %1 = fly.extract_aligned_pointer_as_index %r : !fly.memref<f32, register, (2,3):(1,2)> -> index
  return
}

// A false flag is not printed, and attributes stand between operands and types.
// CHECK-LABEL: func.func @attributes
// CHECK-SAME:  (%[[T:.*]]: !fly.int_tuple<(3,?)>)
func.func @attributes(%t: !fly.int_tuple<(3,?)>) {
  // CHECK-NEXT: fly.get_leaves(%[[T]]) : (!fly.int_tuple<(3,?)>) -> (i32, i32)
  %0:2 = fly.get_leaves(%t) {dynamicOnly = false} : (!fly.int_tuple<(3,?)>) -> (i32, i32)
  // CHECK-NEXT: fly.get_leaves(%[[T]]) {dynamicOnly = true} : (!fly.int_tuple<(3,?)>) -> i32
  %1 = fly.get_leaves(%t) {dynamicOnly = true} : (!fly.int_tuple<(3,?)>) -> i32
  // CHECK-NEXT: fly.static {elems = [4 : i32]} : !fly.int_tuple<4>
  %2 = fly.static {elems = [4 : i32]} : !fly.int_tuple<4>
  return
}
