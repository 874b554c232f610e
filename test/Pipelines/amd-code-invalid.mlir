// RUN: fly-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(fly-set-waves-per-eu))'
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 waves-per-eu=9' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=no-such-thing' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=enable-mishced=0' 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=split-input-file' 2>&1 | FileCheck %s --check-prefix=TOOL
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=pass-pipeline=x' 2>&1 | FileCheck %s --check-prefix=PIPELINE
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=version' 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=help' 2>&1 | FileCheck %s --check-prefix=HELP
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=mlir-print-ir-after-all' 2>&1 | FileCheck %s --check-prefix=MLIR
// RUN: not fly-translate %S/llvm-options.mlir --fly-to-isa --chip=gfx942 --llvm-options=chip=gfx950 2>&1 | FileCheck %s --check-prefix=TRANSLATE
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=amdgpu-early-inline-all=maybe' 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=regalloc=greedy' 2>&1 | FileCheck %s --check-prefix=KIND

// OPTION: error: kernel 'sizes': waves per EU are '9', expected MIN or MIN,MAX with 1 <= MIN <= MAX <= 8, or 0 for the compiler's choice
// UNKNOWN: error: llvm-options: LLVM has no option 'no-such-thing'{{$}}
// NEAR: error: llvm-options: LLVM has no option 'enable-mishced'; did you mean 'enable-misched'?
// TOOL: error: llvm-options: the option 'split-input-file' belongs to this program, not to LLVM
// PIPELINE: error: llvm-options: the option 'pass-pipeline' belongs to this program, not to LLVM
// VERSION: error: llvm-options: the option 'version' belongs to this program, not to LLVM
// HELP: error: llvm-options: the option 'help' belongs to this program, not to LLVM
// MLIR: error: llvm-options: the option 'mlir-print-ir-after-all' belongs to this program, not to LLVM
// TRANSLATE: error: llvm-options: the option 'chip' belongs to this program, not to LLVM
// VALUE: error: llvm-options: LLVM's option 'amdgpu-early-inline-all' does not take the value 'maybe'
// KIND: error: llvm-options: LLVM's option 'regalloc' is of a kind that cannot be set for one compilation

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{kernel 'turned': waves per EU are '4,2', expected MIN or MIN,MAX with 1 <= MIN <= MAX <= 8}}
  llvm.func @turned() attributes {rocdl.kernel, rocdl.waves_per_eu = "4,2"} {
    llvm.return
  }
}

// -----

gpu.module @kernels [#rocdl.target<chip = "gfx1100">] {
  // expected-error @+1 {{kernel 'word': waves per EU are 'two', expected MIN or MIN,MAX with 1 <= MIN <= MAX <= 16}}
  llvm.func @word() attributes {rocdl.kernel, rocdl.waves_per_eu = "two"} {
    llvm.return
  }
}

// -----

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{kernel 'open': waves per EU are '2,', expected MIN or MIN,MAX}}
  llvm.func @open() attributes {rocdl.kernel, rocdl.waves_per_eu = "2,"} {
    llvm.return
  }
}

// -----

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  // expected-error @+1 {{kernel 'none': waves per EU are '3,0', expected MIN or MIN,MAX}}
  llvm.func @none() attributes {rocdl.kernel, rocdl.waves_per_eu = "3,0"} {
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{kernel 'negative': waves per EU are '-1'}}
  llvm.func @negative() attributes {rocdl.kernel, rocdl.waves_per_eu = -1 : i32} {
    llvm.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @+1 {{kernel 'flag': 'rocdl.waves_per_eu' is unit, expected an integer or a string}}
  llvm.func @flag() attributes {rocdl.kernel, rocdl.waves_per_eu} {
    llvm.return
  }
}
