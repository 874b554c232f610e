// RUN: fly-opt %s -convert-fly-to-rocdl=chip=gfx1250 | FileCheck %s
//
// WMMA of gfx1250, with operand modifiers.

!F = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x4, (f32, f32) -> f32, signA = false, signB = false, clamp = false, modC = 1>>
!H = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f16, signA = false, signB = false, clamp = false, modC = 0, reuseA = true>>
!B = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x32, (bf16, bf16) -> f32, signA = false, signB = false, clamp = false>>
!P = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x64, (f8E5M2, f8E4M3FN) -> f32, signA = false, signB = false, clamp = false>>
!Q = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x128, (f8E4M3FN, f8E4M3FN) -> f16, signA = false, signB = false, clamp = false, modC = 3, reuseA = false, reuseB = true>>
!I = !fly.mma_atom<!fly_rocdl.gfx1250.wmma<16x16x64, (i8, i8) -> i32, signA = true, signB = false, clamp = true, modC = 0, reuseA = true>>

// CHECK-LABEL: func @f32(
// CHECK: rocdl.wmma.f32.16x16x4.f32 %{{.*}} {modC = 1 : i16} : (vector<2xf32>, vector<2xf32>, vector<8xf32>) -> vector<8xf32>
// DIFF: wmma-modc-form
func.func @f32(%m: !F, %a: vector<2xf32>, %c: vector<8xf32>) -> vector<8xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!F, vector<2xf32>, vector<2xf32>, vector<8xf32>) -> vector<8xf32>
  return %d : vector<8xf32>
}

// CHECK-LABEL: func @f16(
// CHECK: rocdl.wmma.f16.16x16x32.f16 %{{.*}} {reuseA = true} : (vector<16xf16>, vector<16xf16>, vector<8xf16>) -> vector<8xf16>
func.func @f16(%m: !H, %a: vector<16xf16>, %c: vector<8xf16>) -> vector<8xf16> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!H, vector<16xf16>, vector<16xf16>, vector<8xf16>) -> vector<8xf16>
  return %d : vector<8xf16>
}

// CHECK-LABEL: func @bf16(
// CHECK: rocdl.wmma.f32.16x16x32.bf16 %{{.*}} : (vector<16xbf16>, vector<16xbf16>, vector<8xf32>) -> vector<8xf32>
func.func @bf16(%m: !B, %a: vector<16xbf16>, %c: vector<8xf32>) -> vector<8xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!B, vector<16xbf16>, vector<16xbf16>, vector<8xf32>) -> vector<8xf32>
  return %d : vector<8xf32>
}

// CHECK-LABEL: func @fp8(
// CHECK: rocdl.wmma.f32.16x16x64.bf8_fp8 %{{.*}} : (vector<8xi32>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
// CHECK: rocdl.wmma.f16.16x16x128.fp8_fp8 %{{.*}} {modC = 3 : i16, reuseB = true} : (vector<16xi32>, vector<16xi32>, vector<8xf16>) -> vector<8xf16>
func.func @fp8(%m: !P, %n: !Q, %a: vector<32xi8>, %b: vector<64xi8>, %c: vector<8xf32>, %e: vector<8xf16>) -> (vector<8xf32>, vector<8xf16>) {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!P, vector<32xi8>, vector<32xi8>, vector<8xf32>) -> vector<8xf32>
  %f = fly.mma_atom_call_ssa(%n, %b, %b, %e) : (!Q, vector<64xi8>, vector<64xi8>, vector<8xf16>) -> vector<8xf16>
  return %d, %f : vector<8xf32>, vector<8xf16>
}

// CHECK-LABEL: func @i8(
// CHECK: rocdl.wmma.i32.16x16x64.iu8 %{{.*}} {clamp = true, reuseA = true, signA = true} : (vector<8xi32>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
func.func @i8(%m: !I, %a: vector<32xi8>, %c: vector<8xi32>) -> vector<8xi32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!I, vector<32xi8>, vector<32xi8>, vector<8xi32>) -> vector<8xi32>
  return %d : vector<8xi32>
}
