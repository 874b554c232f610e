// RUN: fly-opt %s -convert-fly-to-rocdl=chip=gfx1201 | FileCheck %s
//
// WMMA of gfx1200 and gfx1201: the halves of the wave share the operands.

!H = !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = false>>
!B = !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x16, (bf16, bf16) -> f32, signA = false, signB = false, clamp = false>>
!P = !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x16, (f8E4M3FN, f8E5M2) -> f32, signA = false, signB = false, clamp = false>>
!I = !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x16, (i8, i8) -> i32, signA = true, signB = true, clamp = true>>
!N = !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x16, (i4, i4) -> i32, signA = false, signB = true, clamp = false>>
!W = !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x32, (i4, i4) -> i32, signA = false, signB = false, clamp = false>>

// CHECK-LABEL: func @f16(
// CHECK: rocdl.wmma.f32.16x16x16.f16 %{{.*}} : (vector<8xf16>, vector<8xf16>, vector<8xf32>) -> vector<8xf32>
func.func @f16(%m: !H, %a: vector<8xf16>, %c: vector<8xf32>) -> vector<8xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!H, vector<8xf16>, vector<8xf16>, vector<8xf32>) -> vector<8xf32>
  return %d : vector<8xf32>
}

// CHECK-LABEL: func @bf16(
// CHECK: rocdl.wmma.f32.16x16x16.bf16 %{{.*}} : (vector<8xi16>, vector<8xi16>, vector<8xf32>) -> vector<8xf32>
func.func @bf16(%m: !B, %a: vector<8xbf16>, %c: vector<8xf32>) -> vector<8xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!B, vector<8xbf16>, vector<8xbf16>, vector<8xf32>) -> vector<8xf32>
  return %d : vector<8xf32>
}

// Packed results; those of bf16 are integers in the operation.
// DIFF: wmma-gfx12-16bit
!G = !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x16, (f16, f16) -> f16, signA = false, signB = false, clamp = false>>
!C = !fly.mma_atom<!fly_rocdl.gfx120x.wmma<16x16x16, (bf16, bf16) -> bf16, signA = false, signB = false, clamp = false>>
// CHECK-LABEL: func @f16_packed(
// CHECK: rocdl.wmma.f16.16x16x16.f16 %{{.*}} : (vector<8xf16>, vector<8xf16>, vector<8xf16>) -> vector<8xf16>
func.func @f16_packed(%m: !G, %a: vector<8xf16>, %c: vector<8xf16>) -> vector<8xf16> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!G, vector<8xf16>, vector<8xf16>, vector<8xf16>) -> vector<8xf16>
  return %d : vector<8xf16>
}
// CHECK-LABEL: func @bf16_packed(
// CHECK: %[[D:.*]] = rocdl.wmma.bf16.16x16x16.bf16 %{{.*}} : (vector<8xi16>, vector<8xi16>, vector<8xi16>) -> vector<8xi16>
// CHECK: llvm.bitcast %[[D]] : vector<8xi16> to vector<8xbf16>
func.func @bf16_packed(%m: !C, %a: vector<8xbf16>, %c: vector<8xbf16>) -> vector<8xbf16> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!C, vector<8xbf16>, vector<8xbf16>, vector<8xbf16>) -> vector<8xbf16>
  return %d : vector<8xbf16>
}

// CHECK-LABEL: func @fp8(
// CHECK-SAME: %[[A:[^:]*]]: vector<8xi8>, %[[B:[^:]*]]: vector<8xi8>,
// CHECK: %[[X:.*]] = llvm.bitcast %[[A]] : vector<8xi8> to vector<2xi32>
// CHECK: %[[Y:.*]] = llvm.bitcast %[[B]] : vector<8xi8> to vector<2xi32>
// CHECK: rocdl.wmma.f32.16x16x16.fp8_bf8 %[[X]], %[[Y]],
func.func @fp8(%m: !P, %a: vector<8xi8>, %b: vector<8xi8>, %c: vector<8xf32>) -> vector<8xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %b, %c) : (!P, vector<8xi8>, vector<8xi8>, vector<8xf32>) -> vector<8xf32>
  return %d : vector<8xf32>
}

// CHECK-LABEL: func @i8(
// CHECK: rocdl.wmma.i32.16x16x16.iu8 %{{.*}} {clamp = true, signA = true, signB = true} : (vector<2xi32>, vector<2xi32>, vector<8xi32>) -> vector<8xi32>
func.func @i8(%m: !I, %a: vector<8xi8>, %c: vector<8xi32>) -> vector<8xi32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!I, vector<8xi8>, vector<8xi8>, vector<8xi32>) -> vector<8xi32>
  return %d : vector<8xi32>
}

// CHECK-LABEL: func @i4(
// CHECK: rocdl.wmma.i32.16x16x16.iu4 %{{.*}} {signB = true} : (i32, i32, vector<8xi32>) -> vector<8xi32>
// CHECK: rocdl.wmma.i32.16x16x32.iu4 %{{.*}} : (vector<2xi32>, vector<2xi32>, vector<8xi32>) -> vector<8xi32>
func.func @i4(%m: !N, %n: !W, %a: vector<8xi4>, %b: vector<16xi4>, %c: vector<8xi32>) -> vector<8xi32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!N, vector<8xi4>, vector<8xi4>, vector<8xi32>) -> vector<8xi32>
  %e = fly.mma_atom_call_ssa(%n, %b, %b, %d) : (!W, vector<16xi4>, vector<16xi4>, vector<8xi32>) -> vector<8xi32>
  return %e : vector<8xi32>
}
