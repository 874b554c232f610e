// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes between upstream's dialects that the pipelines need: math functions
// without device libraries, and the conversion of a gpu.module for the chip
// that its target names.

#ifndef FLY_PIPELINES_PASSES_TD
#define FLY_PIPELINES_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlyExpandMathPass : Pass<"fly-expand-math"> {
  let summary = "Expand math functions that no target has";
  let description = [{
    Rewrites those `math` operations for which neither AMD chips nor LLVM have
    an instruction into `arith` and simpler `math` operations: `tan`, `sinh`,
    `cosh`, `asinh`, `acosh`, `atanh`, `rsqrt`, `fpowi`; and for f32 and f16 `tanh`, `erf`, `erfc`, `atan`, `atan2`, `asin`,
    `acos`, `cbrt`, `log1p` and `expm1` by polynomials with an error of a few
    units in the last place of f32. Everything else stays.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::vector::VectorDialect"];
}

def FlyUseMathIntrinsicsPass
    : Pass<"fly-use-math-intrinsics", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Call LLVM's math intrinsics instead of device libraries";
  let description = [{
    `convert-gpu-to-rocdl` calls functions of ROCm's device libraries, which
    need not be installed. Those that the code generator has itself are replaced
    by LLVM's intrinsics, and their declarations are erased:

    ```mlir
    %0 = llvm.call @__ocml_sin_f32(%x) : (f32) -> f32
    // becomes
    %0 = llvm.intr.sin(%x) : (f32) -> f32
    ```

    For f32 and f16: exp, exp2, log, log2, log10, sin, cos, and for f64 too:
    floor, ceil, trunc, rint, sqrt, fabs, fma, fmin, fmax, copysign. Other calls
    are left alone.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FlyConvertGPUModulePass
    : Pass<"fly-convert-gpu-module", "::mlir::gpu::GPUModuleOp"> {
  let summary = "convert-gpu-to-rocdl for the chip of the module's target";
  let description = [{
    Runs `convert-gpu-to-rocdl` with the HIP runtime, bare pointers and the chip
    that `#rocdl.target` or `#fly_rocdl.cpu` names, then removes conversion
    casts. A module that holds only LLVM and ROCDL operations is left alone. No
    target is an error.
  }];
  let dependentDialects = [
    "::mlir::ROCDL::ROCDLDialect", "::mlir::amdgpu::AMDGPUDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

#endif // FLY_PIPELINES_PASSES_TD
