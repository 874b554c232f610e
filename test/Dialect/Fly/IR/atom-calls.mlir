// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// Spellings of atom calls: groups, optional operands, the older position of
// the destination, and what prints of each.

!F = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!R = !fly.memref<f32, register, 1:0>

// CHECK-LABEL: func.func @mma_groups(
func.func @mma_groups(%m: !F, %x: !R, %y: !R) {
  // CHECK: fly.mma_atom_call(%arg0, %arg1, [%arg1, %arg2], %arg2, %arg1) :
  fly.mma_atom_call(%m, %x, [%x, %y], [%y], %x) : (!F, !R, !R, !R, !R, !R) -> ()
  // CHECK: fly.gemm(%arg0, %arg1, %arg2, [%arg1, %arg2], %arg1) :
  fly.gemm(%m, %x, [%y], [%x, %y], %x) : (!F, !R, !R, !R, !R, !R) -> ()
  return
}

// CHECK-LABEL: func.func @gemm_traversal(
func.func @gemm_traversal(%m: !F, %x: !R, %l: !fly.layout<1:0>) {
  // CHECK: fly.gemm(%arg0, %arg1, %arg1, %arg1, %arg1) traversalLayout = %arg2 {traversalOrder = #fly<gemm_traversal_order mkn_serpentine>} :
  fly.gemm(%m, %x, %x, %x, %x) traversalLayout = %l {traversalOrder = #fly<gemm_traversal_order mkn_serpentine>} : (!F, !R, !R, !R, !R, !fly.layout<1:0>) -> ()
  return
}

// CHECK-LABEL: func.func @mma_ssa(
func.func @mma_ssa(%m: !F, %f: f32, %g: f32, %d: !R) {
  // CHECK: fly.mma_atom_call_ssa(%arg0, %arg1, [%arg1, %arg2], %arg2) : ({{.*}}, f32, f32, f32, f32) -> f32
  %0 = fly.mma_atom_call_ssa(%m, %f, [%f, %g], %g) : (!F, f32, f32, f32, f32) -> f32
  // CHECK: fly.mma_atom_call_ssa(%arg0, %arg1, %arg2, %arg1) dst = %arg3 {tag = 1 : i32} : ({{.*}}, !fly.memref<f32, register, 1:0>, f32, f32, f32) -> ()
  fly.mma_atom_call_ssa(%m, %f, %g, %f) dst = %d {tag = 1 : i32} : (!F, !R, f32, f32, f32) -> ()
  return
}

// The form of 0.3.2, with and without its segment sizes.
// CHECK-LABEL: func.func @mma_ssa_destination_second(
func.func @mma_ssa_destination_second(%m: !F, %f: f32, %d: !R) {
  // CHECK-COUNT-2: fly.mma_atom_call_ssa(%arg0, %arg1, %arg1, %arg1) dst = %arg2 : ({{.*}}, !fly.memref<f32, register, 1:0>, f32, f32, f32) -> ()
  fly.mma_atom_call_ssa(%m, %d, %f, %f, %f) : (!F, !R, f32, f32, f32) -> ()
  fly.mma_atom_call_ssa(%m, %d, %f, %f, %f) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (!F, !R, f32, f32, f32) -> ()
  return
}

!U = !fly.copy_atom<!fly.universal_copy<64>, 16>
!G = !fly.memref<f16, global, 4:1>
!P = !fly.memref<i1, register, 1:0>

// CHECK-LABEL: func.func @copy_predicated(
func.func @copy_predicated(%u: !U, %g: !G, %v: vector<4xf16>, %p: i1, %q: !P) {
  // CHECK: fly.copy_atom_call_ssa(%arg0, %arg1, %arg2, %arg3) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : ({{.*}}, vector<4xf16>, i1) -> vector<4xf16>
  %0 = fly.copy_atom_call_ssa(%u, %g, %v, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!U, !G, vector<4xf16>, i1) -> vector<4xf16>
  // CHECK: fly.copy_atom_call_ssa(%arg0, %arg2, %arg1, %arg3) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : ({{.*}}, i1) -> ()
  fly.copy_atom_call_ssa(%u, %v, %g, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!U, vector<4xf16>, !G, i1) -> ()
  // CHECK: fly.copy(%arg0, %arg1, %arg1, %arg4) : ({{.*}}, !fly.memref<i1, register, 1:0>) -> ()
  fly.copy(%u, %g, %g, %q) : (!U, !G, !G, !P) -> ()
  return
}

// CHECK-LABEL: func.func @copy_atom_with_state(
func.func @copy_atom_with_state(%x: i32, %y: i64) {
  // CHECK: fly.make_copy_atom(%arg0, %arg1 : i32, i64) {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
  %0 = fly.make_copy_atom(%x, %y : i32, i64) {valBits = 16 : i32} : !U
  return
}
