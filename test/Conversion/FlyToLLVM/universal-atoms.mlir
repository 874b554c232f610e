// RUN: fly-opt %s -convert-fly-to-rocdl | FileCheck %s
//
// The universal atoms in both forms, with and without predicate.

!C32 = !fly.copy_atom<!fly.universal_copy<32>, 32>
!C128 = !fly.copy_atom<!fly.universal_copy<128>, 16>
!G = !fly.memref<f16, global, 8:1, align<16>>
!S = !fly.memref<f16, shared, 8:1, align<16>>

// CHECK-LABEL: func @make(
// CHECK: llvm.mlir.undef : !llvm.struct<()>
// CHECK: llvm.mlir.undef : !llvm.struct<()>
func.func @make() -> (!C32, !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>) {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !C32
  %m = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
  return %a, %m : !C32, !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
}

// CHECK-LABEL: func @copy_memory(
// CHECK-SAME: %{{[^:]*}}: !llvm.struct<()>, %[[S:[^:]*]]: !llvm.ptr<1>, %[[D:[^:]*]]: !llvm.ptr<3>)
// CHECK: %[[N:.*]] = arith.constant 16 : i32
// CHECK: "llvm.intr.memcpy"(%[[D]], %[[S]], %[[N]]) <{arg_attrs = [{llvm.align = 16 : i64}, {llvm.align = 16 : i64}, {}], isVolatile = false}> : (!llvm.ptr<3>, !llvm.ptr<1>, i32) -> ()
func.func @copy_memory(%a: !C128, %s: !G, %d: !S) {
  fly.copy_atom_call(%a, %s, %d) : (!C128, !G, !S) -> ()
  return
}

// CHECK-LABEL: func @copy_memory_predicated(
// CHECK-SAME: %{{[^:]*}}: !llvm.struct<()>, %[[S:[^:]*]]: !llvm.ptr<1>, %[[D:[^:]*]]: !llvm.ptr<3>, %[[P:[^:]*]]: !llvm.ptr<5>)
// CHECK: %[[C:.*]] = llvm.load %[[P]] {alignment = 1 : i64} : !llvm.ptr<5> -> i1
// CHECK: scf.if %[[C]] {
// CHECK: "llvm.intr.memcpy"(%[[D]], %[[S]]
// CHECK-NOT: else
func.func @copy_memory_predicated(%a: !C128, %s: !G, %d: !S, %p: !fly.memref<i1, register, 1:0>) {
  fly.copy_atom_call(%a, %s, %d, %p) : (!C128, !G, !S, !fly.memref<i1, register, 1:0>) -> ()
  return
}

// The swizzle of either side acts on its address.
// CHECK-LABEL: func @copy_memory_swizzled(
// CHECK-SAME: %[[S:[^:]*]]: !llvm.ptr<1>, %[[D:[^:]*]]: !llvm.ptr<3>)
// CHECK: %[[I:.*]] = llvm.ptrtoint %[[D]]
// CHECK: %[[Q:.*]] = llvm.inttoptr
// CHECK: "llvm.intr.memcpy"(%[[Q]], %[[S]], %{{.*}}) <{arg_attrs = [{llvm.align = 16 : i64}, {llvm.align = 16 : i64}, {}]
func.func @copy_memory_swizzled(%a: !C128, %s: !G, %d: !fly.memref<f16, shared, 8:1, align<32>, S<3,4,3>>) {
  fly.copy_atom_call(%a, %s, %d) : (!C128, !G, !fly.memref<f16, shared, 8:1, align<32>, S<3,4,3>>) -> ()
  return
}

// CHECK-LABEL: func @copy_load(
// CHECK-SAME: %[[S:[^:]*]]: !llvm.ptr<1>)
// CHECK: %[[V:.*]] = llvm.load %[[S]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK: return %[[V]]
func.func @copy_load(%a: !C128, %s: !G) -> vector<8xf16> {
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!C128, !G) -> vector<8xf16>
  return %v : vector<8xf16>
}

// Only what the type promises is claimed of the address.
// CHECK-LABEL: func @copy_load_unaligned(
// CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr<1> -> vector<8xf16>
func.func @copy_load_unaligned(%a: !C128, %s: !fly.memref<f16, global, 8:1>) -> vector<8xf16> {
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!C128, !fly.memref<f16, global, 8:1>) -> vector<8xf16>
  return %v : vector<8xf16>
}

// CHECK-LABEL: func @copy_store(
// CHECK-SAME: %[[V:[^:]*]]: vector<8xf16>, %[[D:[^:]*]]: !llvm.ptr<3>)
// CHECK: llvm.store %[[V]], %[[D]] {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<3>
func.func @copy_store(%a: !C128, %v: vector<8xf16>, %d: !S) {
  fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!C128, vector<8xf16>, !S) -> ()
  return
}

// CHECK-LABEL: func @copy_load_predicated(
// CHECK-SAME: %[[S:[^:]*]]: !llvm.ptr<1>, %[[OLD:[^:]*]]: f32, %[[P:[^:]*]]: i1)
// CHECK: %[[R:.*]] = scf.if %[[P]] -> (f32) {
// CHECK:   %[[V:.*]] = llvm.load %[[S]] {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK:   scf.yield %[[V]] : f32
// CHECK: } else {
// CHECK:   scf.yield %[[OLD]] : f32
// CHECK: return %[[R]]
func.func @copy_load_predicated(%a: !C32, %s: !fly.memref<f32, global, 1:0>, %old: f32, %p: i1) -> f32 {
  %v = fly.copy_atom_call_ssa(%a, %s, %old, %p) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!C32, !fly.memref<f32, global, 1:0>, f32, i1) -> f32
  return %v : f32
}

// CHECK-LABEL: func @copy_registers(
// CHECK-SAME: %[[V:[^:]*]]: vector<2xf16>)
// CHECK: %[[W:.*]] = llvm.bitcast %[[V]] : vector<2xf16> to f32
// CHECK: return %[[W]]
func.func @copy_registers(%a: !C32, %v: vector<2xf16>) -> f32 {
  %w = fly.copy_atom_call_ssa(%a, %v) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!C32, vector<2xf16>) -> f32
  return %w : f32
}

// CHECK-LABEL: func @atomic(
// CHECK-SAME: %[[D:[^:]*]]: !llvm.ptr<1>, %[[X:[^:]*]]: f32, %[[E:[^:]*]]: !llvm.ptr<3>, %[[I:[^:]*]]: i32)
// CHECK: llvm.atomicrmw fadd %[[D]], %[[X]] monotonic : !llvm.ptr<1>, f32
// CHECK: llvm.atomicrmw max %[[E]], %[[I]] syncscope("agent") monotonic : !llvm.ptr<3>, i32
func.func @atomic(%a: !fly.copy_atom<!fly.universal_atomic<add, f32>, 32>, %d: !fly.memref<f32, global, 1:0>, %x: f32,
                  %e: !fly.memref<i32, shared, 1:0>, %i: i32) {
  fly.copy_atom_call_ssa(%a, %x, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly.universal_atomic<add, f32>, 32>, f32, !fly.memref<f32, global, 1:0>) -> ()
  %b = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_atomic<max, i32, "agent">, 32>
  fly.copy_atom_call_ssa(%b, %i, %e) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly.universal_atomic<max, i32, "agent">, 32>, i32, !fly.memref<i32, shared, 1:0>) -> ()
  return
}

// The memory form loads the register side.
// CHECK-LABEL: func @atomic_memory(
// CHECK-SAME: %[[R:[^:]*]]: !llvm.ptr<5>, %[[D:[^:]*]]: !llvm.ptr<1>)
// CHECK: %[[X:.*]] = llvm.load %[[R]] {alignment = 4 : i64} : !llvm.ptr<5> -> i32
// CHECK: llvm.atomicrmw uinc_wrap %[[D]], %[[X]] monotonic
func.func @atomic_memory(%a: !fly.copy_atom<!fly.universal_atomic<inc, i32>, 32>, %r: !fly.memref<i32, register, 1:0>, %d: !fly.memref<i32, global, 1:0>) {
  fly.copy_atom_call(%a, %r, %d) : (!fly.copy_atom<!fly.universal_atomic<inc, i32>, 32>, !fly.memref<i32, register, 1:0>, !fly.memref<i32, global, 1:0>) -> ()
  return
}

!F = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>

// CHECK-LABEL: func @fma(
// CHECK-SAME: %[[A:[^:]*]]: f32, %[[B:[^:]*]]: f32, %[[C:[^:]*]]: f32)
// CHECK: %[[M:.*]] = llvm.fmul %[[A]], %[[B]] : f32
// CHECK: %[[S:.*]] = llvm.fadd %[[M]], %[[C]] : f32
// CHECK: return %[[S]]
func.func @fma(%m: !F, %a: f32, %b: f32, %c: f32) -> f32 {
  %d = fly.mma_atom_call_ssa(%m, %a, %b, %c) : (!F, f32, f32, f32) -> f32
  return %d : f32
}

// CHECK-LABEL: func @fma_memory(
// CHECK-SAME: %[[D:[^:]*]]: !llvm.ptr<5>, %[[X:[^:]*]]: !llvm.ptr<5>, %[[Y:[^:]*]]: !llvm.ptr<5>, %[[Z:[^:]*]]: !llvm.ptr<5>)
// CHECK: %[[A:.*]] = llvm.load %[[X]]
// CHECK: %[[B:.*]] = llvm.load %[[Y]]
// CHECK: %[[C:.*]] = llvm.load %[[Z]]
// CHECK: %[[M:.*]] = llvm.fmul %[[A]], %[[B]] : f32
// CHECK: %[[S:.*]] = llvm.fadd %[[M]], %[[C]] : f32
// CHECK: llvm.store %[[S]], %[[D]]
func.func @fma_memory(%m: !F, %d: !fly.memref<f32, register, 1:0>, %x: !fly.memref<f32, register, 1:0>, %y: !fly.memref<f32, register, 1:0>, %z: !fly.memref<f32, register, 1:0>) {
  fly.mma_atom_call(%m, %d, %x, %y, %z) : (!F, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
  return
}
