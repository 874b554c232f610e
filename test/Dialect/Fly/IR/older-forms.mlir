// RUN: fly-opt %s | FileCheck %s
// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s

// Where the forms of 0.3.2 and 0.5.0 differ: both are read, that of 0.5.0 is
// printed.

!F = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!U = !fly.copy_atom<!fly.universal_copy<64>, 16>
!R = !fly.memref<f32, register, 1:0>

// Operations of 0.5.0 only.
// CHECK-LABEL: func.func @atoms_of_tiled(
func.func @atoms_of_tiled(%c: !fly.tiled_copy<!U, <((4,3),4):((4,16),1)>, <[16|3]>>, %m: !fly.tiled_mma<!F, <(2,3,1):(1,2,0)>>) {
  // CHECK: fly.get_copy_atom(%arg0) : ({{.*}}) -> !fly.copy_atom<!fly.universal_copy<64>, 16>
  %0 = fly.get_copy_atom(%c) : (!fly.tiled_copy<!U, <((4,3),4):((4,16),1)>, <[16|3]>>) -> !U
  // CHECK: fly.get_mma_atom(%arg1) : ({{.*}}) -> !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  %1 = fly.get_mma_atom(%m) : (!fly.tiled_mma<!F, <(2,3,1):(1,2,0)>>) -> !F
  return
}

// Groups of one print as the single values of 0.3.2.
// CHECK-LABEL: func.func @single_values(
func.func @single_values(%m: !F, %x: !R, %y: !R) {
  // CHECK-COUNT-2: fly.mma_atom_call(%arg0, %arg1, %arg2, %arg1, %arg2) : ({{.*}}) -> ()
  fly.mma_atom_call(%m, %x, %y, %x, %y) : (!F, !R, !R, !R, !R) -> ()
  fly.mma_atom_call(%m, %x, [%y], [%x], %y) : (!F, !R, !R, !R, !R) -> ()
  // CHECK-COUNT-2: fly.gemm(%arg0, %arg1, %arg2, %arg1, %arg2) : ({{.*}}) -> ()
  fly.gemm(%m, %x, %y, %x, %y) : (!F, !R, !R, !R, !R) -> ()
  fly.gemm(%m, %x, [%y], [%x], %y) : (!F, !R, !R, !R, !R) -> ()
  return
}

// Groups of several are of 0.5.0 only.
// CHECK-LABEL: func.func @groups(
func.func @groups(%m: !F, %x: !R, %y: !R, %f: f32) {
  // CHECK: fly.mma_atom_call(%arg0, %arg1, [%arg2, %arg1], %arg1, %arg2)
  fly.mma_atom_call(%m, %x, [%y, %x], %x, %y) : (!F, !R, !R, !R, !R, !R) -> ()
  // CHECK: fly.gemm(%arg0, %arg1, %arg2, [%arg1, %arg2], %arg2)
  fly.gemm(%m, %x, %y, [%x, %y], %y) : (!F, !R, !R, !R, !R, !R) -> ()
  // CHECK: fly.mma_atom_call_ssa(%arg0, [%arg3, %arg3], %arg3, %arg3) : ({{.*}}) -> f32
  %0 = fly.mma_atom_call_ssa(%m, [%f, %f], %f, %f) : (!F, f32, f32, f32, f32) -> f32
  return
}

// The destination of the register form: second operand in 0.3.2, also where c
// is in memory, too.
// CHECK-LABEL: func.func @destination(
func.func @destination(%m: !F, %d: !R, %f: f32) {
  // CHECK-COUNT-3: fly.mma_atom_call_ssa(%arg0, %arg2, %arg2, %arg2) dst = %arg1 : ({{.*}}, !fly.memref<f32, register, 1:0>, f32, f32, f32) -> ()
  fly.mma_atom_call_ssa(%m, %d, %f, %f, %f) : (!F, !R, f32, f32, f32) -> ()
  fly.mma_atom_call_ssa(%m, %d, %f, %f, %f) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} : (!F, !R, f32, f32, f32) -> ()
  fly.mma_atom_call_ssa(%m, %f, %f, %f) dst = %d : (!F, !R, f32, f32, f32) -> ()
  // CHECK-COUNT-2: fly.mma_atom_call_ssa(%arg0, %arg2, %arg2, %arg1) dst = %arg1 : ({{.*}}, !fly.memref<f32, register, 1:0>, f32, f32, !fly.memref<f32, register, 1:0>) -> ()
  fly.mma_atom_call_ssa(%m, %d, %f, %f, %d) : (!F, !R, f32, f32, !R) -> ()
  fly.mma_atom_call_ssa(%m, %f, %f, %d) dst = %d : (!F, !R, f32, f32, !R) -> ()
  // CHECK: fly.mma_atom_call_ssa(%arg0, %arg2, %arg2, %arg2) : ({{.*}}, f32, f32, f32) -> f32
  %0 = fly.mma_atom_call_ssa(%m, %f, %f, %f) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>} : (!F, f32, f32, f32) -> f32
  return
}

// Operands of a copy atom are of 0.5.0 only.
// CHECK-LABEL: func.func @copy_atom_operands(
func.func @copy_atom_operands(%x: i32) {
  // CHECK: fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<
  %0 = fly.make_copy_atom {valBits = 16 : i32} : !U
  // CHECK: fly.make_copy_atom(%arg0 : i32) {valBits = 16 : i32} : !fly.copy_atom<
  %1 = fly.make_copy_atom(%x : i32) {valBits = 16 : i32} : !U
  return
}

// Divides by a nested tile follow its nesting; the leaf tile `*` divides
// nothing.
// CHECK-LABEL: func.func @divides(
func.func @divides(%l: !fly.layout<(6,(4,10)):(40,(1,4))>, %n: !fly.tile<[3|[2|5]]>, %s: !fly.tile<*>, %k: !fly.layout<12:1>, %one: !fly.tile<[5]>) {
  // CHECK: fly.zipped_divide(%arg0, %arg1) : {{.*}} -> !fly.layout<((3,(2,5)),(2,(2,2))):((40,(1,4)),(120,(2,20)))>
  %0 = fly.zipped_divide(%l, %n) : (!fly.layout<(6,(4,10)):(40,(1,4))>, !fly.tile<[3|[2|5]]>) -> !fly.layout<((3,(2,5)),(2,(2,2))):((40,(1,4)),(120,(2,20)))>
  // CHECK: fly.tiled_divide(%arg0, %arg1) : {{.*}} -> !fly.layout<((3,(2,5)),2,(2,2)):((40,(1,4)),120,(2,20))>
  %1 = fly.tiled_divide(%l, %n) : (!fly.layout<(6,(4,10)):(40,(1,4))>, !fly.tile<[3|[2|5]]>) -> !fly.layout<((3,(2,5)),2,(2,2)):((40,(1,4)),120,(2,20))>
  // CHECK: fly.logical_divide(%arg0, %arg2) : {{.*}} -> !fly.layout<(6,(4,10)):(40,(1,4))>
  %2 = fly.logical_divide(%l, %s) : (!fly.layout<(6,(4,10)):(40,(1,4))>, !fly.tile<*>) -> !fly.layout<(6,(4,10)):(40,(1,4))>
  // CHECK: fly.zipped_divide(%arg3, %arg4) : {{.*}} -> !fly.layout<((5),(3)):((1),(5))>
  %3 = fly.zipped_divide(%k, %one) : (!fly.layout<12:1>, !fly.tile<[5]>) -> !fly.layout<((5),(3)):((1),(5))>
  return
}
