// RUN: fly-opt %s -fly-convert-atom-call-to-ssa-form -split-input-file | FileCheck %s

// Register operands of atom calls as values.

// CHECK-LABEL: func.func @f
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.memref<f16, global, 4:1>, %[[ARG1:[A-Za-z0-9_]+]]: !fly.ptr<f16, register>, %[[ARG2:[A-Za-z0-9_]+]]: !fly.ptr<i1, register>) {
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.static : !fly.layout<(2,2,1):(1,2,0)>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_view(%[[ARG1]], %[[V1]]) : (!fly.ptr<f16, register>, !fly.layout<(2,2,1):(1,2,0)>) -> !fly.memref<f16, register, (2,2,1):(1,2,0)>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.static : !fly.layout<1:0>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.make_view(%[[ARG2]], %[[V3]]) : (!fly.ptr<i1, register>, !fly.layout<1:0>) -> !fly.memref<i1, register, 1:0>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.ptr.load(%[[ARG2]]) : (!fly.ptr<i1, register>) -> i1
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.ptr.load(%[[ARG1]]) : (!fly.ptr<f16, register>) -> vector<4xf16>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.copy_atom_call_ssa(%[[V0]], %[[ARG0]], %[[V6]], %[[V5]]) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, vector<4xf16>, i1) -> vector<4xf16>
// CHECK-NEXT:  fly.ptr.store(%[[V7]], %[[ARG1]]) : (vector<4xf16>, !fly.ptr<f16, register>) -> ()
// CHECK-NEXT:  %[[V8:[A-Za-z0-9_]+]] = fly.ptr.load(%[[ARG1]]) : (!fly.ptr<f16, register>) -> vector<4xf16>
// CHECK-NEXT:  fly.copy_atom_call_ssa(%[[V0]], %[[V8]], %[[ARG0]]) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, vector<4xf16>, !fly.memref<f16, global, 4:1>) -> ()
// CHECK-NEXT:  return

func.func @f(%g: !fly.memref<f16, global, 4:1>, %r: !fly.ptr<f16, register>, %q: !fly.ptr<i1, register>) {
  %u = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
  %l = fly.static : !fly.layout<(2,2,1):(1,2,0)>
  %v = fly.make_view(%r, %l) : (!fly.ptr<f16, register>, !fly.layout<(2,2,1):(1,2,0)>) -> !fly.memref<f16, register, (2,2,1):(1,2,0)>
  %k = fly.static : !fly.layout<1:0>
  %p = fly.make_view(%q, %k) : (!fly.ptr<i1, register>, !fly.layout<1:0>) -> !fly.memref<i1, register, 1:0>
  fly.copy_atom_call(%u, %g, %v, %p) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, !fly.memref<f16, register, (2,2,1):(1,2,0)>, !fly.memref<i1, register, 1:0>) -> ()
  fly.copy_atom_call(%u, %v, %g) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, register, (2,2,1):(1,2,0)>, !fly.memref<f16, global, 4:1>) -> ()
  return
}

// -----

// All operands in registers: loads of a, b, c, then one result for d.

!F = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>

// CHECK-LABEL: func.func @mma
// CHECK-SAME: (%[[M:.*]]: !fly.mma_atom<{{.*}}>, %[[A:.*]]: !fly.memref<{{.*}}>, %[[B:.*]]: !fly.memref<{{.*}}>, %[[C:.*]]: !fly.memref<{{.*}}>, %[[S:.*]]: !fly.memref<{{.*}}>)
// CHECK-NEXT: %[[PA:.*]] = fly.get_iter(%[[A]])
// CHECK-NEXT: %[[VA:.*]] = fly.ptr.load(%[[PA]]) : (!fly.ptr<f32, register>) -> f32
// CHECK-NEXT: %[[PB:.*]] = fly.get_iter(%[[B]])
// CHECK-NEXT: %[[VB:.*]] = fly.ptr.load(%[[PB]]) : (!fly.ptr<f32, register>) -> f32
// CHECK-NEXT: %[[PC:.*]] = fly.get_iter(%[[C]])
// CHECK-NEXT: %[[VC:.*]] = fly.ptr.load(%[[PC]]) : (!fly.ptr<f32, register>) -> f32
// CHECK-NEXT: %[[R:.*]] = fly.mma_atom_call_ssa(%[[M]], %[[VA]], %[[VB]], %[[VC]]) : {{.*}} -> f32
// CHECK-NEXT: %[[PD:.*]] = fly.get_iter(%[[C]])
// CHECK-NEXT: fly.ptr.store(%[[R]], %[[PD]]) : (f32, !fly.ptr<f32, register>) -> ()
// CHECK:      %[[VA2:.*]] = fly.ptr.load(%{{.*}}) : (!fly.ptr<f32, register>) -> f32
// CHECK-NEXT: fly.mma_atom_call_ssa(%[[M]], %[[VA2]], %[[S]], %[[S]]) dst = %[[S]] : {{.*}} -> ()
// CHECK-NEXT: fly.mma_atom_call(%[[M]], %[[S]], %[[S]], %[[S]], %[[S]])
// CHECK-NEXT: return
func.func @mma(%m: !F, %a: !fly.memref<f32, register, 1:0>, %b: !fly.memref<f32, register, 1:7>, %c: !fly.memref<f32, register, (1,1):(0,0)>, %s: !fly.memref<f32, shared, 1:0>) {
  fly.mma_atom_call(%m, %c, %a, %b, %c) : (!F, !fly.memref<f32, register, (1,1):(0,0)>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:7>, !fly.memref<f32, register, (1,1):(0,0)>) -> ()
  fly.mma_atom_call(%m, %s, %a, %s, %s) : (!F, !fly.memref<f32, shared, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, shared, 1:0>, !fly.memref<f32, shared, 1:0>) -> ()
  fly.mma_atom_call(%m, %s, %s, %s, %s) : (!F, !fly.memref<f32, shared, 1:0>, !fly.memref<f32, shared, 1:0>, !fly.memref<f32, shared, 1:0>, !fly.memref<f32, shared, 1:0>) -> ()
  return
}

// -----

// Registers with gaps are no vector: the call stays.

// CHECK-LABEL: func.func @gaps
// CHECK-NEXT:  fly.copy_atom_call(
func.func @gaps(%u: !fly.copy_atom<!fly.universal_copy<64>, 16>, %g: !fly.memref<f16, global, 4:1>, %r: !fly.memref<f16, register, 4:2>) {
  fly.copy_atom_call(%u, %g, %r) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, !fly.memref<f16, register, 4:2>) -> ()
  return
}

// -----

// A predicate in registers is a value, whatever the copy moves between.

!U = !fly.copy_atom<!fly.universal_copy<32>, 32>
!G = !fly.memref<f32, global, 1:0>
!P = !fly.memref<i1, register, 1:0>

// DIFF: predicate-in-registers
// CHECK-LABEL: func.func @predicate_alone
// CHECK-SAME:  (%[[U:.*]]: !fly.copy_atom<{{.*}}>, %[[S:.*]]: !fly.memref<f32, global, 1:0>, %[[D:.*]]: !fly.memref<f32, global, 1:0>, %[[P:.*]]: !fly.memref<i1, register, 1:0>)
// CHECK-NEXT:  %[[Q:.*]] = fly.get_iter(%[[P]])
// CHECK-NEXT:  %[[V:.*]] = fly.ptr.load(%[[Q]]) : (!fly.ptr<i1, register>) -> i1
// CHECK-NEXT:  fly.copy_atom_call_ssa(%[[U]], %[[S]], %[[D]], %[[V]]) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : {{.*}} -> ()
// CHECK-NEXT:  return
func.func @predicate_alone(%u: !U, %s: !G, %d: !G, %p: !P) {
  fly.copy_atom_call(%u, %s, %d, %p) : (!U, !G, !G, !P) -> ()
  return
}

// -----

// Floats of less than 16 bits are held as integers; memory to memory stays.

!U = !fly.copy_atom<!fly.universal_copy<32>, 8>
!G = !fly.memref<f8E4M3FN, global, 4:1, align<4>>

// CHECK-LABEL: func.func @small_floats
// CHECK-SAME:  (%[[U:.*]]: !fly.copy_atom<{{.*}}>, %[[G:.*]]: !fly.memref<{{.*}}>, %[[R:.*]]: !fly.memref<{{.*}}>)
// CHECK-NEXT:  %[[V:.*]] = fly.copy_atom_call_ssa(%[[U]], %[[G]]) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : {{.*}} -> vector<4xi8>
// CHECK-NEXT:  %[[P:.*]] = fly.get_iter(%[[R]])
// CHECK-NEXT:  fly.ptr.store(%[[V]], %[[P]]) : (vector<4xi8>, !fly.ptr<f8E4M3FN, register>) -> ()
// CHECK-NEXT:  fly.copy_atom_call(%[[U]], %[[G]], %[[G]])
// CHECK-NEXT:  return
func.func @small_floats(%u: !U, %g: !G, %r: !fly.memref<f8E4M3FN, register, (2,2):(1,2)>) {
  fly.copy_atom_call(%u, %g, %r) : (!U, !G, !fly.memref<f8E4M3FN, register, (2,2):(1,2)>) -> ()
  fly.copy_atom_call(%u, %g, %g) : (!U, !G, !G) -> ()
  return
}
