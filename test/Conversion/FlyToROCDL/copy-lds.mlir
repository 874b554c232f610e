// RUN: fly-opt %s -convert-fly-to-rocdl | FileCheck %s
//
// Loads to shared memory, transposing reads and atomics with results.

!A = !fly.copy_atom<!fly_rocdl.cdna4.buffer_load_async_lds<128>, 16>
!G = !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<96>, 32>
!T = !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>, 16>
!T6 = !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 6b, 96>, 6>

// DIFF: async-lds
// The asynchronous load is the plain instruction.
// CHECK-LABEL: func @buffer_async(
// CHECK-SAME: %[[A:[^:]*]]: !llvm.struct<(i32, i32)>, %[[S:[^:]*]]: !llvm.struct<(ptr<8>, i32)>, %[[D:[^:]*]]: !llvm.ptr<3>)
func.func @buffer_async(%a: !A, %s: !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1>, %d: !fly.memref<f16, shared, 8:1>) {
  // CHECK: %[[SO:.*]] = llvm.extractvalue %[[A]][0]
  // CHECK: %[[IMM:.*]] = llvm.extractvalue %[[A]][1]
  // CHECK: %[[C2:.*]] = arith.constant 2 : i32
  // CHECK: %[[SB:.*]] = arith.muli %[[SO]], %[[C2]]
  // CHECK: %[[C16:.*]] = arith.constant 16 : i32
  // CHECK: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK: %[[R:.*]] = llvm.extractvalue %[[S]][0]
  // CHECK: %[[O:.*]] = arith.muli
  // CHECK: rocdl.raw.ptr.buffer.load.lds %[[R]], %[[D]], %[[C16]], %[[O]], %[[SB]], %[[IMM]], %[[C0]]
  fly.copy_atom_call(%a, %s, %d) : (!A, !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1>, !fly.memref<f16, shared, 8:1>) -> ()
  return
}

// Memory form and register form are the same; the swizzle of the source acts
// on the address.
// CHECK-LABEL: func @global_async(
// CHECK-SAME: %{{[^:]*}}: !llvm.struct<()>, %[[S:[^:]*]]: !llvm.ptr<1>, %[[D:[^:]*]]: !llvm.ptr<3>
func.func @global_async(%a: !G, %s: !fly.memref<f32, global, 3:1>, %d: !fly.memref<f32, shared, 3:1>, %w: !fly.memref<f32, global, 3:1, align<16>, S<3,4,3>>) {
  // CHECK: rocdl.global.load.lds %[[S]], %[[D]], 12, 0, 0
  fly.copy_atom_call(%a, %s, %d) : (!G, !fly.memref<f32, global, 3:1>, !fly.memref<f32, shared, 3:1>) -> ()
  // CHECK: rocdl.global.load.lds %[[S]], %[[D]], 12, 0, 0
  fly.copy_atom_call_ssa(%a, %s, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!G, !fly.memref<f32, global, 3:1>, !fly.memref<f32, shared, 3:1>) -> ()
  // CHECK: %[[P:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<1>
  // CHECK: rocdl.global.load.lds %[[P]], %[[D]], 12, 0, 0
  fly.copy_atom_call(%a, %w, %d) : (!G, !fly.memref<f32, global, 3:1, align<16>, S<3,4,3>>, !fly.memref<f32, shared, 3:1>) -> ()
  return
}

// DIFF: trans-swizzle
// CHECK-LABEL: func @transpose(
// CHECK-SAME: %{{[^:]*}}: !llvm.struct<()>, %[[S:[^:]*]]: !llvm.ptr<3>, %[[D:[^:]*]]: !llvm.ptr<5>
func.func @transpose(%a: !T, %s: !fly.memref<f16, shared, 4:1>, %d: !fly.memref<f16, register, 4:1>, %w: !fly.memref<f16, shared, 4:1, align<8>, S<2,3,3>>, %p: i1, %old: vector<4xf16>) -> vector<4xf16> {
  // CHECK: %[[V:.*]] = rocdl.ds.read.tr16.b64 %[[S]] : <3> -> vector<4xi16>
  // CHECK: %[[F:.*]] = llvm.bitcast %[[V]] : vector<4xi16> to vector<4xf16>
  // CHECK: llvm.store %[[F]], %[[D]]
  fly.copy_atom_call(%a, %s, %d) : (!T, !fly.memref<f16, shared, 4:1>, !fly.memref<f16, register, 4:1>) -> ()
  // CHECK: scf.if
  // CHECK: %[[I:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr<3> to i{{32|64}}
  // CHECK: %[[Q:.*]] = llvm.inttoptr
  // CHECK: rocdl.ds.read.tr16.b64 %[[Q]] : <3> -> vector<4xi16>
  // CHECK: } else {
  // CHECK: scf.yield %{{.*}} : vector<4xf16>
  %r = fly.copy_atom_call_ssa(%a, %w, %old, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!T, !fly.memref<f16, shared, 4:1, align<8>, S<2,3,3>>, vector<4xf16>, i1) -> vector<4xf16>
  return %r : vector<4xf16>
}

// CHECK-LABEL: func @transpose6(
// CHECK: rocdl.ds.read.tr6.b96 %{{.*}} : <3> -> vector<3xi32>
// CHECK: llvm.bitcast %{{.*}} : vector<3xi32> to vector<16xi6>
func.func @transpose6(%a: !T6, %s: !fly.memref<i6, shared, 16:1>) -> vector<16xi6> {
  %r = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!T6, !fly.memref<i6, shared, 16:1>) -> vector<16xi6>
  return %r : vector<16xi6>
}

!Min = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<min, i32>, 32>
!SMin = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<min, si32>, 32>
!FMax = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<max, f32>, 32>
!B = !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>
!BF = !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>

// DIFF: buffer-atomic-kinds
// A result is the old value of the memory.
// CHECK-LABEL: func @buffer_atomics(
// CHECK-SAME: %{{.*}}: !llvm.struct<(i32)>, %{{.*}}: !llvm.struct<(i32)>, %{{.*}}: !llvm.struct<(i32)>, %[[V:[^:]*]]: i32, %[[F:[^:]*]]: f32,
func.func @buffer_atomics(%m: !Min, %s: !SMin, %x: !FMax, %v: i32, %f: f32, %b: !B, %bf: !BF) -> (i32, f32) {
  // CHECK: rocdl.raw.ptr.buffer.atomic.umin %[[V]], %{{.*}} : i32
  fly.copy_atom_call_ssa(%m, %v, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!Min, i32, !B) -> ()
  // DIFF: atomic-results
  // CHECK: %[[O:.*]] = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.smin"(%[[V]], {{.*}}) : (i32, !llvm.ptr<8>, i32, i32, i32) -> i32
  %o = fly.copy_atom_call_ssa(%s, %v, %b) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!SMin, i32, !B) -> i32
  // CHECK: %[[G:.*]] = llvm.call_intrinsic "llvm.amdgcn.raw.ptr.buffer.atomic.fmax"(%[[F]], {{.*}}) : (f32, !llvm.ptr<8>, i32, i32, i32) -> f32
  %g = fly.copy_atom_call_ssa(%x, %f, %bf) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!FMax, f32, !BF) -> f32
  // CHECK: return %[[O]], %[[G]]
  return %o, %g : i32, f32
}

!Add = !fly.copy_atom<!fly.universal_atomic<add, f32, "agent">, 32>
!UMax = !fly.copy_atom<!fly.universal_atomic<max, ui32>, 32>

// DIFF: unsigned-atomics
// CHECK-LABEL: func @universal_atomics(
// CHECK: %[[O:.*]] = llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("agent") monotonic : !llvm.ptr<3>, f32
// CHECK: llvm.atomicrmw umax %{{.*}}, %{{.*}} monotonic : !llvm.ptr<1>, i32
// CHECK: return %[[O]] : f32
func.func @universal_atomics(%a: !Add, %m: !UMax, %v: f32, %i: i32, %d: !fly.memref<f32, shared, 1:0>, %g: !fly.memref<i32, global, 1:0>) -> f32 {
  %o = fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!Add, f32, !fly.memref<f32, shared, 1:0>) -> f32
  fly.copy_atom_call_ssa(%m, %i, %g) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!UMax, i32, !fly.memref<i32, global, 1:0>) -> ()
  return %o : f32
}
