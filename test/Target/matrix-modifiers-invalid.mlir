// RUN: fly-opt %s -fly-module-to-binary=format=isa -split-input-file -verify-diagnostics
//
// The constants of MFMA operations: the assembler cuts those that do not fit.

gpu.module @dense [#rocdl.target<chip = "gfx950">] {
  llvm.func @k(%a: vector<4xf16>, %c: vector<4xf32>, %v: i32, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %z = llvm.mlir.constant(0 : i32) : i32
    %8 = llvm.mlir.constant(8 : i32) : i32
    %16 = llvm.mlir.constant(16 : i32) : i32
    %minus = llvm.mlir.constant(-1 : i32) : i32
    // expected-error @below {{'rocdl.mfma.f32.16x16x16f16' op has 8 for operand 3, cbsz, expected 0 with 1 block}}
    %0 = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %8, %z, %z : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @below {{has 16 for operand 4, abid, expected 0 with cbsz 0}}
    %1 = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %z, %16, %z : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @below {{has -1 for operand 5, blgp, expected 0 to 7}}
    %2 = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %z, %z, %minus : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @below {{takes operand 5, blgp, as a constant}}
    %3 = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %z, %z, %v : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // The intrinsic has the same operands.
    // expected-error @below {{has 8 for operand 3, cbsz, expected 0 with 1 block}}
    %4 = llvm.call_intrinsic "llvm.amdgcn.mfma.f32.16x16x16f16"(%a, %a, %c, %8, %z, %z) : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.store %0, %p : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// cbsz groups 2^cbsz blocks, of which abid names one; f64 ignores both.
gpu.module @blocks [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%a: f32, %c: vector<32xf32>, %d: f64, %e: vector<4xf64>, %f: vector<16xf32>, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %z = llvm.mlir.constant(0 : i32) : i32
    %1 = llvm.mlir.constant(1 : i32) : i32
    %2 = llvm.mlir.constant(2 : i32) : i32
    %3 = llvm.mlir.constant(3 : i32) : i32
    // expected-error @below {{has 2 for operand 3, cbsz, expected 0 to 1 with 2 blocks}}
    %r0 = rocdl.mfma.f32.32x32x1f32 %a, %a, %c, %2, %z, %z : (f32, f32, vector<32xf32>, i32, i32, i32) -> vector<32xf32>
    // expected-error @below {{has 2 for operand 4, abid, expected 0 to 1 with cbsz 1}}
    %r1 = rocdl.mfma.f32.32x32x1f32 %a, %a, %c, %1, %2, %z : (f32, f32, vector<32xf32>, i32, i32, i32) -> vector<32xf32>
    // expected-error @below {{has 1 for operand 4, abid, expected 0 with cbsz 0}}
    %r2 = rocdl.mfma.f32.32x32x1f32 %a, %a, %c, %z, %1, %z : (f32, f32, vector<32xf32>, i32, i32, i32) -> vector<32xf32>
    %r3 = rocdl.mfma.f32.32x32x1f32 %a, %a, %c, %1, %1, %z : (f32, f32, vector<32xf32>, i32, i32, i32) -> vector<32xf32>
    // expected-error @below {{has 3 for operand 3, cbsz, expected 0 to 2 with 4 blocks}}
    %r4 = rocdl.mfma.f32.16x16x1f32 %a, %a, %f, %3, %z, %z : (f32, f32, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
    %r5 = rocdl.mfma.f32.16x16x1f32 %a, %a, %f, %2, %3, %z : (f32, f32, vector<16xf32>, i32, i32, i32) -> vector<16xf32>
    %r6 = rocdl.mfma.f64.16x16x4f64 %d, %d, %e, %3, %1, %z : (f64, f64, vector<4xf64>, i32, i32, i32) -> vector<4xf64>
    llvm.return
  }
}

// -----

gpu.module @sparse [#rocdl.target<chip = "gfx942">] {
  llvm.func @k(%a: vector<4xf16>, %b: vector<8xf16>, %c: vector<4xf32>, %i: i32, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %z = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %4 = llvm.mlir.constant(4 : i32) : i32
    %8 = llvm.mlir.constant(8 : i32) : i32
    // expected-error @below {{'rocdl.smfmac.f32.16x16x32.f16' op has 8 for operand 4, cbsz, expected 0 to 7}}
    %0 = rocdl.smfmac.f32.16x16x32.f16 %a, %b, %c, %i, %8, %z : (vector<4xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @below {{has abid 4, but its index register holds 4 sets}}
    %1 = rocdl.smfmac.f32.16x16x32.f16 %a, %b, %c, %i, %z, %4 : (vector<4xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // With cbsz the first set counts, whatever abid says.
    %2 = rocdl.smfmac.f32.16x16x32.f16 %a, %b, %c, %i, %one, %4 : (vector<4xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // expected-error @below {{takes operand 5, abid, as a constant}}
    %3 = rocdl.smfmac.f32.16x16x32.f16 %a, %b, %c, %i, %z, %i : (vector<4xf16>, vector<8xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.store %2, %p : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}

// -----

gpu.module @scaled [#rocdl.target<chip = "gfx950">] {
  llvm.func @k(%a: vector<8xi32>, %c: vector<4xf32>, %v: i32, %p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %z = llvm.mlir.constant(0 : i32) : i32
    %4 = llvm.mlir.constant(4 : i32) : i32
    %5 = llvm.mlir.constant(5 : i32) : i32
    // expected-error @below {{'rocdl.mfma.scale.f32.16x16x128.f8f6f4' op has 5 for operand 3, the format of A, expected 0 to 4}}
    %0 = rocdl.mfma.scale.f32.16x16x128.f8f6f4 %a, %a, %c, %5, %z, %z, %v, %z, %v : (vector<8xi32>, vector<8xi32>, vector<4xf32>, i32, i32, i32, i32, i32, i32) -> vector<4xf32>
    // expected-error @below {{has 4 for operand 5, opselA, expected 0 to 3}}
    %1 = rocdl.mfma.scale.f32.16x16x128.f8f6f4 %a, %a, %c, %z, %z, %4, %v, %z, %v : (vector<8xi32>, vector<8xi32>, vector<4xf32>, i32, i32, i32, i32, i32, i32) -> vector<4xf32>
    // expected-error @below {{takes operand 7, opselB, as a constant}}
    %2 = rocdl.mfma.scale.f32.16x16x128.f8f6f4 %a, %a, %c, %z, %z, %z, %v, %v, %v : (vector<8xi32>, vector<8xi32>, vector<4xf32>, i32, i32, i32, i32, i32, i32) -> vector<4xf32>
    llvm.store %0, %p : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
