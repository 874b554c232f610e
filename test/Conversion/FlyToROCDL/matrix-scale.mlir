// RUN: fly-opt %s -convert-fly-to-rocdl -split-input-file | FileCheck %s
//
// Block-scaled products: register types by element width, the formats, and
// where the scales come from.

!S = !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, (f6E2M3FN, f4E2M1FN) -> f32, opselA = 1, opselB = 3>>

// A group's second member is the scale of this call.
// CHECK-LABEL: func @mfma_groups(
// CHECK-SAME: %[[A:[^:]*]]: vector<6xi32>, %[[SA:[^:]*]]: i32, %[[B:[^:]*]]: vector<16xi8>, %[[SB:[^:]*]]: vector<4xi8>, %[[C:[^:]*]]: vector<4xf32>)
// CHECK: %[[BB:.*]] = llvm.bitcast %[[B]] : vector<16xi8> to vector<4xi32>
// CHECK: %[[SBB:.*]] = llvm.bitcast %[[SB]] : vector<4xi8> to i32
// CHECK-NOT: extractvalue
// CHECK: %[[FA:.*]] = arith.constant 2 : i32
// CHECK: %[[FB:.*]] = arith.constant 4 : i32
// CHECK: %[[OA:.*]] = arith.constant 1 : i32
// CHECK: %[[OB:.*]] = arith.constant 3 : i32
// CHECK: %[[D:.*]] = rocdl.mfma.scale.f32.16x16x128.f8f6f4 %[[A]], %[[BB]], %[[C]], %[[FA]], %[[FB]], %[[OA]], %[[SA]], %[[OB]], %[[SBB]] : (vector<6xi32>, vector<4xi32>, vector<4xf32>, i32, i32, i32, i32, i32, i32) -> vector<4xf32>
// CHECK: return %[[D]]
func.func @mfma_groups(%a: vector<6xi32>, %sa: i32, %b: vector<16xi8>, %sb: vector<4xi8>, %c: vector<4xf32>) -> vector<4xf32> {
  %m = fly.make_mma_atom : !S
  %d = fly.mma_atom_call_ssa(%m, [%a, %sa], [%b, %sb], %c) : (!S, vector<6xi32>, i32, vector<16xi8>, vector<4xi8>, vector<4xf32>) -> vector<4xf32>
  return %d : vector<4xf32>
}

// -----

!S = !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<32x32x64, (f8E4M3FN, f8E5M2) -> f32, opselA = 0, opselB = 0>>

// A scale that was just set is used directly; one of an atom that comes from
// elsewhere is read of its state, behind the operands.
// CHECK-LABEL: func @mfma_state(
// CHECK-SAME: %[[S:[^:]*]]: !llvm.struct<(i32, i32)>, %[[A:[^:]*]]: vector<8xi32>, %[[B:[^:]*]]: vector<32xi8>, %[[C:[^:]*]]: vector<16xf32>, %[[V:[^:]*]]: vector<2xi16>)
// CHECK: %[[VV:.*]] = llvm.bitcast %[[V]] : vector<2xi16> to i32
// CHECK: llvm.insertvalue %[[VV]], %[[S]][1] : !llvm.struct<(i32, i32)>
// CHECK: %[[BB:.*]] = llvm.bitcast %[[B]] : vector<32xi8> to vector<8xi32>
// CHECK: %[[SA:.*]] = llvm.extractvalue %[[S]][0] : !llvm.struct<(i32, i32)>
// CHECK-NOT: extractvalue
// CHECK: rocdl.mfma.scale.f32.32x32x64.f8f6f4 %[[A]], %[[BB]], %[[C]], %{{.*}}, %{{.*}}, %{{.*}}, %[[SA]], %{{.*}}, %[[VV]] : (vector<8xi32>, vector<8xi32>, vector<16xf32>, i32, i32, i32, i32, i32, i32) -> vector<16xf32>
func.func @mfma_state(%m: !S, %a: vector<8xi32>, %b: vector<32xi8>, %c: vector<16xf32>, %v: vector<2xi16>) -> vector<16xf32> {
  %n = fly.atom.set_value(%m, "scale_b", %v) : (!S, vector<2xi16>) -> !S
  %d = fly.mma_atom_call_ssa(%n, %a, %b, %c) : (!S, vector<8xi32>, vector<32xi8>, vector<16xf32>) -> vector<16xf32>
  return %d : vector<16xf32>
}

// -----

!S = !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, (f6E3M2FN, f4E2M1FN) -> f32, opselA = 0, opselB = 0>>

// Memory: A, B and C are loaded, then the scales, A's first.
// CHECK-LABEL: func @mfma_memory(
// CHECK-SAME: %[[PD:[^:]*]]: !llvm.ptr<5>, %[[PA:[^:]*]]: !llvm.ptr<5>, %[[PB:[^:]*]]: !llvm.ptr<5>, %[[PSA:[^:]*]]: !llvm.ptr<5>, %[[PSB:[^:]*]]: !llvm.ptr<5>)
// CHECK: %[[A:.*]] = llvm.load %[[PA]] {{.*}} -> vector<6xi32>
// CHECK: %[[B:.*]] = llvm.load %[[PB]] {{.*}} -> vector<4xi32>
// CHECK: %[[C:.*]] = llvm.load %[[PD]] {{.*}} -> vector<4xf32>
// CHECK: %[[SA:.*]] = llvm.load %[[PSA]] {{.*}} -> i32
// CHECK: %[[SB:.*]] = llvm.load %[[PSB]] {{.*}} -> i32
// CHECK: %[[D:.*]] = rocdl.mfma.scale.f32.16x16x128.f8f6f4 %[[A]], %[[B]], %[[C]], %{{.*}}, %{{.*}}, %{{.*}}, %[[SA]], %{{.*}}, %[[SB]]
// CHECK: llvm.store %[[D]], %[[PD]]
func.func @mfma_memory(%m: !S, %d: !fly.memref<f32, register, 4:1>, %a: !fly.memref<f6E3M2FN, register, 32:1>, %b: !fly.memref<f4E2M1FN, register, 32:1>, %sa: !fly.memref<i8, register, 4:1>, %sb: !fly.memref<i32, register, 1:1>) {
  fly.mma_atom_call(%m, %d, [%a, %sa], [%b, %sb], %d) : (!S, !fly.memref<f32, register, 4:1>, !fly.memref<f6E3M2FN, register, 32:1>, !fly.memref<i8, register, 4:1>, !fly.memref<f4E2M1FN, register, 32:1>, !fly.memref<i32, register, 1:1>, !fly.memref<f32, register, 4:1>) -> ()
  return
}

// -----

!W = !fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E5M2, f6E3M2FN) -> f32, opselA = 0, opselB = 1, modC = 2, reuseA = true, reuseB = false, blockSize = 32>>

// CHECK-LABEL: func @wmma_state(
// CHECK: %[[Z:.*]] = arith.constant 0 : i32
// CHECK-NOT: extractvalue
// CHECK: rocdl.wmma.scale.f32.16x16x128.f8f6f4 %{{.*}}, %{{.*}}, %{{.*}}, %[[Z]], %[[Z]] {fmtA = 1 : i32, fmtB = 3 : i32, modC = 2 : i16, reuseA = true, scaleBType = 1 : i32} : (vector<16xi32>, vector<12xi32>, vector<8xf32>, i32, i32) -> vector<8xf32>
func.func @wmma_state(%a: vector<16xi32>, %b: vector<12xi32>, %c: vector<8xf32>) -> vector<8xf32> {
  %m = fly.make_mma_atom : !W
  %d = fly.mma_atom_call_ssa(%m, %a, %b, %c) : (!W, vector<16xi32>, vector<12xi32>, vector<8xf32>) -> vector<8xf32>
  return %d : vector<8xf32>
}

// -----

!W = !fly.mma_atom<!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = true, blockSize = 16>>

// CHECK-LABEL: func @wmma_tall(
// CHECK-SAME: %[[S:[^:]*]]: !llvm.struct<(i64, i64)>, %[[A:[^:]*]]: vector<16xi32>, %[[SA:[^:]*]]: i64, %[[B:[^:]*]]: vector<8xi32>, %[[C:[^:]*]]: vector<16xf32>)
// CHECK: %[[SB:.*]] = llvm.extractvalue %[[S]][1] : !llvm.struct<(i64, i64)>
// CHECK: rocdl.wmma.scale16.f32.32x16x128.f4 %[[A]], %[[B]], %[[C]], %[[SA]], %[[SB]] {reuseB = true, scaleBType = 1 : i32} : (vector<16xi32>, vector<8xi32>, vector<16xf32>, i64, i64) -> vector<16xf32>
func.func @wmma_tall(%m: !W, %a: vector<16xi32>, %sa: i64, %b: vector<8xi32>, %c: vector<16xf32>) -> vector<16xf32> {
  %d = fly.mma_atom_call_ssa(%m, [%a, %sa], %b, %c) : (!W, vector<16xi32>, i64, vector<8xi32>, vector<16xf32>) -> vector<16xf32>
  return %d : vector<16xf32>
}
