// RUN: fly-opt %s -convert-fly-to-rocdl=chip=gfx1100 | FileCheck %s
//
// WMMA of gfx11: operands of 16 elements in each lane.

!H = !fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = false>>
!B = !fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (bf16, bf16) -> f32, signA = false, signB = false, clamp = false>>
!I = !fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (i8, ui8) -> i32, signA = true, signB = false, clamp = true>>
!N = !fly.mma_atom<!fly_rocdl.gfx11.wmma<16x16x16, (i4, i4) -> i32, signA = true, signB = true, clamp = false>>

// CHECK-LABEL: func @f16(
// CHECK-SAME: %[[A:[^:]*]]: vector<16xf16>, %[[C:[^:]*]]: vector<8xf32>)
// CHECK: %[[D:.*]] = rocdl.wmma.f32.16x16x16.f16 %[[A]], %[[A]], %[[C]] : (vector<16xf16>, vector<16xf16>, vector<8xf32>) -> vector<8xf32>
// CHECK: return %[[D]]
func.func @f16(%m: !H, %a: vector<16xf16>, %c: vector<8xf32>) -> vector<8xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!H, vector<16xf16>, vector<16xf16>, vector<8xf32>) -> vector<8xf32>
  return %d : vector<8xf32>
}

// CHECK-LABEL: func @bf16(
// CHECK: llvm.bitcast %{{.*}} : vector<16xbf16> to vector<16xi16>
// CHECK: rocdl.wmma.f32.16x16x16.bf16 %{{.*}} : (vector<16xi16>, vector<16xi16>, vector<8xf32>) -> vector<8xf32>
func.func @bf16(%m: !B, %a: vector<16xbf16>, %c: vector<8xf32>) -> vector<8xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!B, vector<16xbf16>, vector<16xbf16>, vector<8xf32>) -> vector<8xf32>
  return %d : vector<8xf32>
}

// CHECK-LABEL: func @i8(
// CHECK: rocdl.wmma.i32.16x16x16.iu8 %{{.*}} {clamp = true, signA = true} : (vector<4xi32>, vector<4xi32>, vector<8xi32>) -> vector<8xi32>
func.func @i8(%m: !I, %a: vector<16xi8>, %c: vector<8xi32>) -> vector<8xi32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!I, vector<16xi8>, vector<16xi8>, vector<8xi32>) -> vector<8xi32>
  return %d : vector<8xi32>
}

// CHECK-LABEL: func @i4(
// CHECK: rocdl.wmma.i32.16x16x16.iu4 %{{.*}} {signA = true, signB = true} : (vector<2xi32>, vector<2xi32>, vector<8xi32>) -> vector<8xi32>
func.func @i4(%m: !N, %a: vector<16xi4>, %c: vector<8xi32>) -> vector<8xi32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!N, vector<16xi4>, vector<16xi4>, vector<8xi32>) -> vector<8xi32>
  return %d : vector<8xi32>
}
