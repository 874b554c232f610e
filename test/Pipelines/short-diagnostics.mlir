// Errors about the options of a pipeline do not print the module.
// RUN: not fly-opt %s -fly-to-rocdl=chip=gfx1 2>&1 | FileCheck %s --check-prefix=CHIP --implicit-check-not='see current operation'
// RUN: not fly-opt %s -fly-to-rocdl='chip=gfx942 opt-level=7' 2>&1 | FileCheck %s --check-prefix=LEVEL --implicit-check-not='see current operation'
// RUN: fly-opt %s -fly-to-rocdl=chip=gfx942 | not fly-opt -fly-to-rocdl=chip=gfx950 2>&1 | FileCheck %s --check-prefix=CLASH --implicit-check-not='see current operation'
// RUN: fly-opt %s -fly-to-binary=chip=gfx942 | not fly-opt -fly-to-binary=chip=gfx950 2>&1 | FileCheck %s --check-prefix=BINARY --implicit-check-not='see current operation'

// CHIP: error: unknown chip 'gfx1': expected one of
// LEVEL: option 'opt-level' is 7, expected 0 to 3
// CLASH: error: 'gpu.module' op targets 'gfx942', which contradicts the chip 'gfx950' that was asked for
// BINARY: error: 'gpu.binary' op has been compiled for

gpu.module @m {
  gpu.func @k() kernel {
    gpu.return
  }
}
