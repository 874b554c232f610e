// RUN: fly-opt %s -fly-attach-target -split-input-file -verify-diagnostics

// DIFF: chip-named
// expected-error @+1 {{has no target and no chip was named: give the option chip= (fly-opt), --chip= (fly-translate, fly-run), or write [#rocdl.target<chip = …>] on the module; known chips are gfx90a, gfx942}}
gpu.module @bare {
}

// -----

// expected-error @+1 {{targets the unknown chip 'gfx803': expected one of gfx90a, gfx942}}
gpu.module @unknown [#rocdl.target<chip = "gfx803">] {
}

// -----

// expected-error @+1 {{has 2 targets, expected one}}
gpu.module @two [#rocdl.target<chip = "gfx942">, #rocdl.target<chip = "gfx950">] {
}

// -----

// expected-error @+1 {{has the target #nvvm.target, expected #rocdl.target or #fly_rocdl.cpu}}
gpu.module @other [#nvvm.target] {
}

// -----

// expected-error @+1 {{has been rewritten for the CPU and cannot go back to the chip 'gfx942'}}
gpu.module @rewritten [#fly_rocdl.cpu<chip = "gfx942">] {
  llvm.mlir.global external constant @fly_cpu_module(0 : i32) : i32
}

// -----

// expected-error @+1 {{has been compiled for #fly_rocdl.cpu<chip = "gfx942"> and cannot be compiled again for an AMD GPU}}
gpu.binary @compiled [#gpu.object<#fly_rocdl.cpu<chip = "gfx942">, bin = "ELF">]
