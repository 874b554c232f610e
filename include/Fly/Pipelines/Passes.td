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
    an instruction into `arith` and simpler `math` operations:

    - `tan` and `rsqrt`;
    - `tanh`, `erf`, `erfc`, `log1p` and `expm1` of f32, f16 and bf16, by
      polynomials with an error of a few units in the last place of f32;
    - `powf`, `fpowi`, `sinh`, `cosh`, `asinh`, `acosh`, `atanh`, `atan`, `asin`,
      `acos`, `cbrt` and `atan2` of f32, f16 and bf16, in f64 arithmetic with an
      error below one unit in the last place of f32;
    - `exp`, `exp2`, `log`, `log2`, `log10`, `sin` and `cos` of bf16, `tan` and
      `rsqrt` of f16 and bf16, in f32;
    - `sincos` into `sin` and `cos`, `clampf` of bf16, f64 and vectors into a
      maximum and a minimum, by which a NaN becomes the lower bound;
    - all functions of f64, in arithmetic with unevaluated sums of two numbers;
    - `ipowi` by squaring, and the predicates `isinf`, `isnan`, `isfinite` and
      `isnormal` by comparisons.

    The measured errors stand in docs/Math.md. Everything else stays.
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
    floor, ceil, trunc, rint, sqrt, fabs, fma, fmin, fmax, copysign, fmod. Other
    calls are left alone.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FlyExpandNarrowFloatsPass
    : Pass<"fly-expand-narrow-floats", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Convert floats of less than 16 bits";
  let description = [{
    Rewrites `arith.extf`, `arith.truncf`, `arith.sitofp`, `arith.uitofp`,
    `arith.fptosi` and `arith.fptoui` from and to the types f8*, f6* and f4*,
    on scalars and vectors of fixed length. Where the chip of the module's target
    has instructions for the type they are used: the FNUZ types on gfx942,
    f8E4M3FN and f8E5M2 on gfx950, gfx12 and gfx1250. Everything else becomes
    integer code with the same results.

    ```mlir
    %0 = arith.truncf %x : f32 to f8E4M3FN
    // on gfx950 becomes
    %1 = rocdl.cvt.pk.fp8.f32 %x, %x -> %zero[false] : i32
    %2 = arith.trunci %1 : i32 to i8
    %0 = arith.bitcast %2 : i8 to f8E4M3FN
    ```

    To a narrow type there is one rounding, from f64 too: to nearest, ties to
    even. Nothing saturates where the type can say so: beyond the largest
    number (after rounding) the result is infinity, in a type without infinity
    NaN, in a type without NaN (f6, f4) the largest number. NaN stays NaN, with
    its sign where the type has one for it, its payload is lost; in f6 and f4 it
    is the negative zero. From a narrow type every conversion to f32 and f64 is
    exact.

    Errors, at the operation: a rounding mode other than to_nearest_even, a
    conversion to f8E8M0FNU, a scalable vector. The instructions follow the mode
    FP16_OVFL, which code generation leaves at 0, "do not saturate".
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::ROCDL::ROCDLDialect",
                           "::mlir::vector::VectorDialect"];
}

def FlyConvertGPUModulePass
    : Pass<"fly-convert-gpu-module", "::mlir::gpu::GPUModuleOp"> {
  let summary = "convert-gpu-to-rocdl for the chip of the module's target";
  let description = [{
    Runs `convert-gpu-to-rocdl` with the HIP runtime, bare pointers and the chip
    that `#rocdl.target` or `#fly_rocdl.cpu` names, then converts what that
    leaves of `vector`, `arith` and `ub` and removes conversion casts. A module
    that holds only LLVM and ROCDL operations is left alone. No target is an
    error, and so is a conversion cast from or to a type of Fly that stays. A `gpu.shuffle up` first becomes a `gpu.shuffle idx` from
    the lane below, or from the lane itself where that lies before its segment.
    The numbers and sizes of clusters (`gpu.cluster_id`, `gpu.cluster_block_id`,
    `gpu.cluster_dim`, `gpu.cluster_dim_blocks`), which `convert-gpu-to-rocdl`
    does not know, become those that the hardware tells; on chips without
    clusters of workgroups they are errors.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::amdgpu::AMDGPUDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::LLVM::LLVMDialect"
  ];
}

def FlyLowerAssertsPass
    : Pass<"fly-lower-asserts", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Turn cf.assert in kernels into calls of __fly_assert";
  let description = [{
    `convert-gpu-to-rocdl` cannot convert `cf.assert`. Each becomes a branch
    around `llvm.call @__fly_assert(id)`; the module's attribute
    `fly.assertions` gives the message and the place of each number, which
    count from 1. `scf` operations must have been lowered before.

    `convert-rocdl-to-host` makes the call a report; for AMD code see
    `fly-lower-assert-calls`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

def FlyLowerAssertCallsPass
    : Pass<"fly-lower-assert-calls", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Erase the calls of __fly_assert, or trap instead";
  let description = [{
    The last step of assertions in AMD code, where nothing reports: the calls
    that `fly-lower-asserts` made are erased, or become `llvm.intr.trap` with
    the option `trap`. The function and the table `fly.assertions` go.
  }];
  let options = [
    Option<"trap", "trap", "bool", /*default=*/"false",
           "Trap where an assertion fails">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FlyUseImplicitArgumentsPass
    : Pass<"fly-use-implicit-arguments", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Read the sizes of a launch from the implicit arguments";
  let description = [{
    `rocdl.workgroup.dim.*` and `rocdl.grid.dim.*` are calls of ROCm's device
    libraries in AMD code. They become loads from the implicit arguments that
    code objects of version 5 and later have behind the kernel's own
    (`hidden_group_size_*`, `hidden_block_count_*`). A module without an AMD
    target, or with an older ABI, is left alone.

    ```mlir
    %0 = rocdl.workgroup.dim.x : i32
    // becomes
    %1 = llvm.call_intrinsic "llvm.amdgcn.implicitarg.ptr"() : () -> !llvm.ptr<4>
    %2 = llvm.getelementptr %1[12] : (!llvm.ptr<4>) -> !llvm.ptr<4>, i8
    %3 = llvm.load %2 invariant {alignment = 2 : i64} : !llvm.ptr<4> -> i16
    %0 = llvm.zext %3 : i16 to i32
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FlySetWavesPerEuPass
    : Pass<"fly-set-waves-per-eu", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Tell code generation how many waves share an execution unit";
  let description = [{
    Gives each kernel the function attribute `amdgpu-waves-per-eu` that its
    attribute `rocdl.waves_per_eu` (an integer, or a string `"2"`, `"2,4"`) or
    else the option asks for. 0 or nothing leaves the choice to LLVM. Numbers
    that the chip does not have are an error at the kernel. For a CPU target
    this check is all.
  }];
  let options = [
    Option<"wavesPerEu", "waves-per-eu", "std::string", /*default=*/"",
           "MIN or MIN,MAX for kernels that do not say it themselves">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FlySetDenormalsPass
    : Pass<"fly-set-denormals", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Say whether AMD code keeps denormal numbers";
  let description = [{
    Gives every function with a body the LLVM attributes
    `denormal-fp-math-f32` (f32) and `denormal-fp-math` (f16 and f64, which
    share a mode of the hardware): `ieee` to preserve denormal operands and
    results, `preserve-sign` to flush them to zeros of their sign. A function
    that has such an attribute keeps it.
  }];
  let options = [
    Option<"f32", "f32", "::fly::DenormalMode",
           /*default=*/"::fly::DenormalMode::Default", "Denormals of f32",
           [{::llvm::cl::values(
             clEnumValN(::fly::DenormalMode::Default, "default", "as the functions say, or LLVM's choice"),
             clEnumValN(::fly::DenormalMode::Preserve, "preserve", "keep them"),
             clEnumValN(::fly::DenormalMode::Flush, "flush", "zeros instead"))}]>,
    Option<"f16", "f16", "::fly::DenormalMode",
           /*default=*/"::fly::DenormalMode::Default", "Denormals of f16 and f64",
           [{::llvm::cl::values(
             clEnumValN(::fly::DenormalMode::Default, "default", "as the functions say, or LLVM's choice"),
             clEnumValN(::fly::DenormalMode::Preserve, "preserve", "keep them"),
             clEnumValN(::fly::DenormalMode::Flush, "flush", "zeros instead"))}]>,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FlyMarkLaneOperationsPass
    : Pass<"fly-mark-lane-operations", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Keep passes from merging equal blocks of kernels";
  let description = [{
    Gives each operation that may work between lanes a number, the attribute
    `fly.apart`. Upstream's conversions merge blocks that are alike, where the
    lanes that took different ways would meet at one operation: a
    `rocdl.readfirstlane` on both sides of a branch would become one. The
    pipelines run it around the passes of the host, and with `remove` behind
    them; `fly-convert-gpu-module` does the same around what it runs.
  }];
  let options = [Option<"remove", "remove", "bool", /*default=*/"false",
                        "Remove the numbers">];
}

def FlyLowerHostWaitsPass : Pass<"fly-lower-host-waits", "::mlir::ModuleOp"> {
  let summary = "Wait for the streams that host functions are given";
  let description = [{
    A parameter of type `!gpu.async.token` is a stream. `gpu.wait [%parameter]`
    becomes `llvm.call @mgpuStreamSynchronize`; a `gpu.wait async` on one is an
    error.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def FlyLowerHostAssertsPass
    : Pass<"fly-lower-host-asserts", "::mlir::ModuleOp"> {
  let summary = "Report failed assertions of host functions and return";
  let description = [{
    A `cf.assert` outside of GPU modules would end the process. Each becomes a
    branch to `llvm.call @flyRuntimeReportError(code, text)` and a return of
    zeros; the text is the assertion's place and message. So does
    `llvm.unreachable`, which would run into whatever code comes next. The caller asks the
    runtime for the error, as after any call. `scf` operations must have been
    lowered before.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect"];
}

#endif // FLY_PIPELINES_PASSES_TD
