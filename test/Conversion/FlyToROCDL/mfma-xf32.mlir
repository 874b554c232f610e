// RUN: fly-opt %s -convert-fly-to-rocdl=chip=gfx942 | FileCheck %s
//
// f32 with short mantissas, which gfx942 alone has.

!X = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x8, (f32, f32) -> f32, xf32 = true>>

// CHECK-LABEL: func @xf32(
// CHECK: rocdl.mfma.f32.16x16x8.xf32 %{{.*}} : (vector<2xf32>, vector<2xf32>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
func.func @xf32(%m: !X, %a: vector<2xf32>, %c: vector<4xf32>) -> vector<4xf32> {
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!X, vector<2xf32>, vector<2xf32>, vector<4xf32>) -> vector<4xf32>
  return %d : vector<4xf32>
}
