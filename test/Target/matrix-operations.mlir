// RUN: fly-opt %s -fly-module-to-binary=format=isa | FileCheck %s
//
// Matrix operations that have no atom, and waves of another size than the
// table's, of which LLVM decides.

// CHECK-LABEL: gpu.binary @sparse
// CHECK-SAME: v_smfmac_f32_16x16x32_f16 {{[^\\]*}} abid:2
gpu.module @sparse [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%a: vector<4xf16>, %b: vector<8xf16>, %c: vector<4xf32>, %i: i32, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %z = llvm.mlir.constant(0 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %d = rocdl.smfmac.f32.16x16x32.f16 %a, %b, %c, %i, %z, %two : (vector<4xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.store %d, %p : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}

// The index of a lane may lie in the upper half of a register.
// CHECK-LABEL: gpu.binary @index
// CHECK-SAME: v_swmmac_i32_16x16x32_iu8 {{[^\\]*}} index_key:1 neg_lo:[1,0,0] clamp
gpu.module @index [#rocdl.target<chip = "gfx1201", flags = {no_wave64}>] {
  llvm.func @k(%a: vector<2xi32>, %b: vector<4xi32>, %c: vector<8xi32>, %i: vector<2xi16>, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %f = llvm.mlir.constant(false) : i1
    %t = llvm.mlir.constant(true) : i1
    %one = llvm.mlir.constant(1 : i32) : i32
    %h = llvm.extractelement %i[%one : i32] : vector<2xi16>
    %d = llvm.call_intrinsic "llvm.amdgcn.swmmac.i32.16x16x32.iu8"(%t, %a, %f, %b, %c, %h, %t) : (i1, vector<2xi32>, i1, vector<4xi32>, vector<8xi32>, i16, i1) -> vector<8xi32>
    llvm.store %d, %p : vector<8xi32>, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: gpu.binary @halves
// CHECK-SAME: v_wmma_bf16_16x16x16_bf16 {{[^\\]*}} op_sel:[0,0,1]
gpu.module @halves [#rocdl.target<chip = "gfx1100", flags = {no_wave64}>] {
  llvm.func @k(%a: vector<16xi16>, %c: vector<16xi16>, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %d = rocdl.wmma.bf16.16x16x16.bf16 %a, %a, %c {opsel = true} : (vector<16xi16>, vector<16xi16>, vector<16xi16>) -> vector<16xi16>
    llvm.store %d, %p : vector<16xi16>, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: gpu.binary @formats
// CHECK-SAME: v_wmma_f32_16x16x128_f8f6f4 {{[^\\]*}} matrix_a_fmt:MATRIX_FMT_BF6 matrix_b_fmt:MATRIX_FMT_FP4
gpu.module @formats [#rocdl.target<chip = "gfx1250", flags = {no_wave64}>] {
  llvm.func @k(%a: vector<12xi32>, %b: vector<8xi32>, %c: vector<8xf32>, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %ka = llvm.mlir.constant(3 : i32) : i32
    %kb = llvm.mlir.constant(4 : i32) : i32
    %n = llvm.mlir.constant(0 : i16) : i16
    %d = llvm.call_intrinsic "llvm.amdgcn.wmma.f32.16x16x128.f8f6f4"(%ka, %a, %kb, %b, %n, %c) : (i32, vector<12xi32>, i32, vector<8xi32>, i16, vector<8xf32>) -> vector<8xf32>
    llvm.store %d, %p : vector<8xf32>, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: gpu.binary @wave64
// CHECK-SAME: v_wmma_f32_16x16x16_f16
gpu.module @wave64 [#rocdl.target<chip = "gfx1201", features = "+wavefrontsize64">] {
  llvm.func @k(%a: vector<4xf16>, %c: vector<4xf32>, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %d = rocdl.wmma.f32.16x16x16.f16 %a, %a, %c : (vector<4xf16>, vector<4xf16>, vector<4xf32>) -> vector<4xf32>
    llvm.store %d, %p : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
