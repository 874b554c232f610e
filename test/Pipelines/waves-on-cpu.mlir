// What a chip does not have is refused for the CPU as for the chip; what it has
// leaves nothing behind.
// RUN: not fly-opt %s -split-input-file -pass-pipeline='builtin.module(fly-to-cpu{chip=gfx942})' 2>&1 | FileCheck %s --check-prefix=NINE
// RUN: not fly-opt %s -split-input-file -pass-pipeline='builtin.module(fly-to-binary{chip=gfx942})' 2>&1 | FileCheck %s --check-prefix=NINE
// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(fly-to-cpu{chip=gfx1100})' | FileCheck %s
// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(fly-set-waves-per-eu))' | FileCheck %s --check-prefix=PASS
//
// DIFF: py-waves-per-eu

// NINE: kernel 'nine': waves per EU are '9', expected MIN or MIN,MAX with 1 <= MIN <= MAX <= 8
// NINE: kernel 'range': waves per EU are '1,9', expected MIN or MIN,MAX with 1 <= MIN <= MAX <= 8
// CHECK: gpu.binary @m
// CHECK: gpu.binary @r

gpu.module @m {
  gpu.func @nine() kernel attributes {rocdl.waves_per_eu = 9 : i32} {
    gpu.return
  }
}

// -----

gpu.module @r {
  gpu.func @range() kernel attributes {rocdl.waves_per_eu = "1,9"} {
    gpu.return
  }
}

// -----

// PASS: llvm.func @on_cpu() attributes {rocdl.kernel} {
gpu.module @c [#fly_rocdl.cpu<chip = "gfx1100">] {
  llvm.func @on_cpu() attributes {rocdl.kernel, rocdl.waves_per_eu = 16 : i32} {
    llvm.return
  }
}
