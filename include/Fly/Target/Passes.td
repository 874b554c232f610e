// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes between a lowered module and machine code: naming the chip, and
// turning each gpu.module into a gpu.binary.

#ifndef FLY_TARGET_PASSES_TD
#define FLY_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def FlyAttachTargetPass : Pass<"fly-attach-target", "::mlir::ModuleOp"> {
  let summary = "Names the chip of every gpu.module";
  let description = [{
    Gives each `gpu.module` one target attribute: `#rocdl.target` for AMD code
    (with `no_wave64` on chips whose waves have 32 lanes), `#fly_rocdl.cpu` for
    a CPU object that behaves like the chip.

    ```mlir
    gpu.module @kernels { … }
    // -fly-attach-target=chip=gfx1201
    gpu.module @kernels [#rocdl.target<chip = "gfx1201", flags = {no_wave64}>] { … }
    ```

    A module that has a target keeps its chip and its flags; `device` decides
    the kind of attribute, `opt-level` replaces the level if it is given,
    `fast-math` and `unsafe-math` add the flags `fast` and `unsafe_math` of
    `#rocdl.target`, which choose variants of ROCm's device libraries, and
    `link` appends bitcode files to those that the target links.
    Errors: no chip named and none on the module; a chip that is not known; a
    chip that contradicts the one on the module; more than one target; an
    optimisation level outside 0 to 3; a `gpu.binary` that has been compiled for
    another device or chip; for the CPU, features that give the chip's waves
    another size.
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::ROCDL::ROCDLDialect",
    "::fly::rocdl::FlyROCDLDialect"
  ];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "The chip, for example gfx942">,
    Option<"optLevel", "opt-level", "int", /*default=*/"-1",
           "Optimisation level 0 to 3; -1 keeps the module's level, or takes 2">,
    Option<"fastMath", "fast-math", "bool", /*default=*/"false",
           "Add the target's flag 'fast'">,
    Option<"unsafeMath", "unsafe-math", "bool", /*default=*/"false",
           "Add the target's flag 'unsafe_math'">,
    ListOption<"link", "link", "std::string",
               "LLVM bitcode files to link into AMD code">,
    Option<"device", "device", "::fly::TargetDevice",
           /*default=*/"::fly::TargetDevice::AMDGPU", "What runs the kernels",
           [{::llvm::cl::values(
             clEnumValN(::fly::TargetDevice::AMDGPU, "amdgpu", "an AMD GPU"),
             clEnumValN(::fly::TargetDevice::CPU, "cpu",
                        "the host, behaving like the chip"))}]>,
  ];
}

def FlyModuleToBinaryPass : Pass<"fly-module-to-binary", "::mlir::ModuleOp"> {
  let summary = "Compiles every gpu.module to a gpu.binary";
  let description = [{
    Input: gpu modules that hold only LLVM and ROCDL operations and carry exactly
    one target. With `#rocdl.target` the result is a code object (`hsaco`), its
    assembly (`isa`) or LLVM bitcode (`llvm`); with `#fly_rocdl.cpu` (a module
    that `convert-rocdl-to-host` has rewritten) it is an ELF shared object for
    the host, or assembly or bitcode of the same.

    Errors stand at the kernel or, where LLVM names a line, at that line: what
    the code generator cannot translate, functions that no one defines, shared
    memory beyond the chip's. Fatal errors of LLVM are errors here too. Spilled
    registers give a remark at the kernel.

    `gpu.launch_func` operations keep their symbol; the host code is left alone.
  }];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::ROCDL::ROCDLDialect", "::fly::rocdl::FlyROCDLDialect"
  ];
  let options = [
    Option<"format", "format", "::fly::CodeFormat",
           /*default=*/"::fly::CodeFormat::Object", "What to make",
           [{::llvm::cl::values(
             clEnumValN(::fly::CodeFormat::Object, "hsaco",
                        "a linked object that can be loaded"),
             clEnumValN(::fly::CodeFormat::Assembly, "isa", "assembly text"),
             clEnumValN(::fly::CodeFormat::Bitcode, "llvm",
                        "optimised LLVM bitcode"))}]>,
    Option<"optLevel", "opt-level", "int", /*default=*/"-1",
           "Optimisation level 0 to 3; -1 takes the target's, or 2">,
    Option<"cpu", "cpu", "std::string", /*default=*/"\"native\"",
           "Host processor of CPU objects: native or a name that LLVM knows">,
    Option<"llvmOptions", "llvm-options", "std::string", /*default=*/"",
           "Options of LLVM for this compilation: NAME or NAME=VALUE, separated by ';'">,
    Option<"saveTemps", "save-temps", "std::string", /*default=*/"",
           "Folder that keeps the stages of each gpu.module: .mlir, .ll, .opt.ll, .s, .o and the linked object">,
  ];
}

#endif // FLY_TARGET_PASSES_TD
