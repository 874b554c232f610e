// RUN: fly-opt %s -convert-fly-to-rocdl=chip=gfx950 -split-input-file | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: fly-opt %s -convert-fly-to-rocdl -split-input-file | FileCheck %s
//
// MFMA: the instruction by shape and types, and its operands' register types.

!M = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>

// CHECK-LABEL: func @f16_ssa(
// CHECK-SAME: %[[A:[^:]*]]: vector<4xf16>, %[[B:[^:]*]]: vector<4xf16>, %[[C:[^:]*]]: vector<4xf32>)
// CHECK: %[[Z:.*]] = arith.constant 0 : i32
// CHECK: %[[D:.*]] = rocdl.mfma.f32.16x16x16f16 %[[A]], %[[B]], %[[C]], %[[Z]], %[[Z]], %[[Z]] : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
// CHECK: return %[[D]]
// DIFF: mfma-modifiers
func.func @f16_ssa(%a: vector<4xf16>, %b: vector<4xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %m = fly.make_mma_atom : !M
  %d = fly.mma_atom_call_ssa(%m, %a, %b, %c) : (!M, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> vector<4xf32>
  return %d : vector<4xf32>
}

// The memory form loads A, B and C and stores D.
// CHECK-LABEL: func @f16_memory(
// CHECK-SAME: %[[PD:[^:]*]]: !llvm.ptr<5>, %[[PA:[^:]*]]: !llvm.ptr<5>, %[[PB:[^:]*]]: !llvm.ptr<5>)
// CHECK: %[[A:.*]] = llvm.load %[[PA]] {alignment = 8 : i64} : !llvm.ptr<5> -> vector<4xf16>
// CHECK: %[[B:.*]] = llvm.load %[[PB]] {alignment = 2 : i64} : !llvm.ptr<5> -> vector<4xf16>
// CHECK: %[[C:.*]] = llvm.load %[[PD]] {alignment = 4 : i64} : !llvm.ptr<5> -> vector<4xf32>
// CHECK: %[[D:.*]] = rocdl.mfma.f32.16x16x16f16 %[[A]], %[[B]], %[[C]],
// CHECK: llvm.store %[[D]], %[[PD]] {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr<5>
func.func @f16_memory(%m: !M, %d: !fly.memref<f32, register, (4,1):(1,0)>, %a: !fly.memref<f16, register, 4:1, align<8>>, %b: !fly.memref<f16, register, (2,2):(1,2)>) {
  fly.mma_atom_call(%m, %d, %a, %b, %d) : (!M, !fly.memref<f32, register, (4,1):(1,0)>, !fly.memref<f16, register, 4:1, align<8>>, !fly.memref<f16, register, (2,2):(1,2)>, !fly.memref<f32, register, (4,1):(1,0)>) -> ()
  return
}

// D of the SSA form may be memory.
// CHECK-LABEL: func @f16_ssa_to_memory(
// CHECK-SAME: %[[PD:[^:]*]]: !llvm.ptr<5>, %[[A:[^:]*]]: vector<4xf16>, %[[C:[^:]*]]: vector<4xf32>)
// CHECK: %[[D:.*]] = rocdl.mfma.f32.16x16x16f16 %[[A]], %[[A]], %[[C]],
// CHECK: llvm.store %[[D]], %[[PD]]
func.func @f16_ssa_to_memory(%m: !M, %d: !fly.memref<f32, register, 4:1>, %a: vector<4xf16>, %c: vector<4xf32>) {
  fly.mma_atom_call_ssa(%m, %a, %a, %c) dst = %d : (!M, !fly.memref<f32, register, 4:1>, vector<4xf16>, vector<4xf16>, vector<4xf32>) -> ()
  return
}

// -----

!F = !fly.mma_atom<!fly_rocdl.cdna3.mfma<32x32x2, (f32, f32) -> f32>>

// CHECK-LABEL: func @f32(
// CHECK: rocdl.mfma.f32.32x32x2f32 %{{.*}} : (f32, f32, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
func.func @f32(%m: !F, %a: f32, %c: vector<16xf32>) -> vector<16xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!F, f32, f32, vector<16xf32>) -> vector<16xf32>
  return %d : vector<16xf32>
}

// -----

!B = !fly.mma_atom<!fly_rocdl.cdna3.mfma<32x32x8, (bf16, bf16) -> f32>>

// CHECK-LABEL: func @bf16(
// CHECK-SAME: %[[A:[^:]*]]: vector<4xbf16>, %[[B:[^:]*]]: vector<4xbf16>,
// CHECK: %[[X:.*]] = llvm.bitcast %[[A]] : vector<4xbf16> to vector<4xi16>
// CHECK: %[[Y:.*]] = llvm.bitcast %[[B]] : vector<4xbf16> to vector<4xi16>
// CHECK: rocdl.mfma.f32.32x32x8bf16.1k %[[X]], %[[Y]],
func.func @bf16(%m: !B, %a: vector<4xbf16>, %b: vector<4xbf16>, %c: vector<16xf32>) -> vector<16xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %b, %c) : (!B, vector<4xbf16>, vector<4xbf16>, vector<16xf32>) -> vector<16xf32>
  return %d : vector<16xf32>
}

// -----

!W = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x32, (bf16, bf16) -> f32>>

// CHECK-LABEL: func @bf16_wide(
// CHECK-NOT: bitcast
// WIDE: rocdl.mfma.f32.16x16x32.bf16 %{{.*}} : (vector<8xbf16>, vector<8xbf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
func.func @bf16_wide(%m: !W, %a: vector<8xbf16>, %c: vector<4xf32>) -> vector<4xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!W, vector<8xbf16>, vector<8xbf16>, vector<4xf32>) -> vector<4xf32>
  return %d : vector<4xf32>
}

// -----

!P = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x32, (f8E4M3FN, f8E5M2) -> f32>>

// CHECK-LABEL: func @fp8(
// CHECK-SAME: %[[A:[^:]*]]: vector<8xi8>, %[[B:[^:]*]]: vector<8xi8>,
// CHECK: %[[X:.*]] = llvm.bitcast %[[A]] : vector<8xi8> to i64
// CHECK: %[[Y:.*]] = llvm.bitcast %[[B]] : vector<8xi8> to i64
// CHECK: rocdl.mfma.f32.16x16x32.fp8.bf8 %[[X]], %[[Y]],
func.func @fp8(%m: !P, %a: vector<8xi8>, %b: vector<8xf8E5M2>, %c: vector<4xf32>) -> vector<4xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %b, %c) : (!P, vector<8xi8>, vector<8xf8E5M2>, vector<4xf32>) -> vector<4xf32>
  return %d : vector<4xf32>
}

// -----

!I = !fly.mma_atom<!fly_rocdl.cdna3.mfma<32x32x16, (i8, i8) -> i32>>

// CHECK-LABEL: func @i8(
// CHECK: rocdl.mfma.i32.32x32x16.i8 %{{.*}} : (i64, i64, vector<16xi32>, i32, i32, i32) -> vector<16xi32>
func.func @i8(%m: !I, %a: vector<8xi8>, %c: vector<16xi32>) -> vector<16xi32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!I, vector<8xi8>, vector<8xi8>, vector<16xi32>) -> vector<16xi32>
  return %d : vector<16xi32>
}

// -----

// Several blocks, and f64.

!B = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x4, (f16, f16) -> f32, blocks = 4>>

// CHECK-LABEL: func @blocks(
// CHECK: rocdl.mfma.f32.16x16x4f16 %{{.*}} : (vector<4xf16>, vector<4xf16>, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
func.func @blocks(%m: !B, %a: vector<4xf16>, %c: vector<16xf32>) -> vector<16xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!B, vector<4xf16>, vector<4xf16>, vector<16xf32>) -> vector<16xf32>
  return %d : vector<16xf32>
}

// -----

!D = !fly.mma_atom<!fly_rocdl.cdna3.mfma<4x4x4, (f64, f64) -> f64, blocks = 4>>

// CHECK-LABEL: func @f64(
// CHECK: rocdl.mfma.f64.4x4x4f64 %{{.*}} : (f64, f64, f64, i32, i32, i32) -> f64
func.func @f64(%m: !D, %a: f64, %c: f64) -> f64 {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!D, f64, f64, f64) -> f64
  return %d : f64
}
