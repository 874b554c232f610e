// RUN: fly-opt %s -fly-to-rocdl='chip=gfx942 denormals-f32=flush' | FileCheck %s --check-prefix=F32
// RUN: fly-opt %s -fly-to-rocdl='chip=gfx942 denormals-f32=preserve denormals-f16=flush' | FileCheck %s --check-prefix=F16
// RUN: fly-translate %s --fly-to-isa --chip=gfx942 --denormals-f32=flush | FileCheck %s --check-prefix=FLUSH
// RUN: fly-translate %s --fly-to-isa --chip=gfx942 --denormals-f16=flush | FileCheck %s --check-prefix=HALF
// RUN: fly-translate %s --fly-to-isa --chip=gfx942 --denormals-f32=preserve --denormals-f16=preserve | FileCheck %s --check-prefix=KEEP
// RUN: not fly-translate %s --fly-to-isa --chip=gfx942 --denormals-f32=some 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not fly-opt %s -pass-pipeline='builtin.module(fly-to-cpu{chip=gfx942 denormals-f32=flush})' 2>&1 | FileCheck %s --check-prefix=CPU

// F32: llvm.func @k
// F32-SAME: denormal_fp_math_f32 = "preserve-sign,preserve-sign"
// F32: llvm.func @own
// F32-SAME: denormal_fp_math_f32 = "ieee,ieee"
// F16: llvm.func @k
// F16-SAME: denormal_fp_math = "preserve-sign,preserve-sign", denormal_fp_math_f32 = "ieee,ieee"

// Bit 4 and 5 of the mode are f32, 6 and 7 are f16 and f64.
// FLUSH: .amdhsa_float_denorm_mode_32 0
// FLUSH: .amdhsa_float_denorm_mode_16_64 3
// HALF: .amdhsa_float_denorm_mode_32 3
// HALF: .amdhsa_float_denorm_mode_16_64 0
// KEEP: .amdhsa_float_denorm_mode_32 3
// KEEP: .amdhsa_float_denorm_mode_16_64 3
// UNKNOWN: for the --denormals-f32 option: Cannot find option named 'some'
// CPU: option 'denormals-f32' has no effect in the pipeline 'fly-to-cpu'
gpu.module @kernels {
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %y = arith.mulf %x, %x : f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    gpu.return
  }
  llvm.func @own(%p: !llvm.ptr<1>) attributes {denormal_fp_math_f32 = "ieee,ieee"} {
    llvm.return
  }
}
