// RUN: fly-opt %s -split-input-file -verify-diagnostics -pass-pipeline='builtin.module(gpu.module(fly-set-waves-per-eu))'
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 waves-per-eu=9' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=no-such-thing' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=amdgpu-early-inline-all=maybe' 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not fly-opt %S/amd-code.mlir -split-input-file -fly-to-binary='chip=gfx942 llvm-options=regalloc=greedy' 2>&1 | FileCheck %s --check-prefix=KIND

// OPTION: error: kernel 'sizes': waves per EU are '9', expected MIN or MIN,MAX with 1 <= MIN <= MAX <= 8, or 0 for the compiler's choice
// UNKNOWN: error: LLVM has no option 'no-such-thing'
// VALUE: error: LLVM's option 'amdgpu-early-inline-all' does not take the value 'maybe'
// KIND: error: LLVM's option 'regalloc' is of a kind that cannot be set for one compilation

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
