// RUN: not fly-opt %s -fly-attach-target=chip=gfx9 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not fly-opt %s -fly-attach-target=chip=gfx942 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not fly-opt %s -fly-attach-target=opt-level=4 2>&1 | FileCheck %s --check-prefix=LEVEL

// UNKNOWN: error: unknown chip 'gfx9': expected one of gfx90a, gfx942, gfx950
// OTHER: [[@LINE+2]]:{{[0-9]+}}: error: 'gpu.module' op targets 'gfx950', which contradicts the chip 'gfx942' that was asked for
// LEVEL: error: optimisation level 4 given, expected 0 to 3
gpu.module @amd [#rocdl.target<chip = "gfx950">] {
}

// RUN: fly-opt %s -fly-to-binary | not fly-opt -fly-attach-target=device=cpu 2>&1 | FileCheck %s --check-prefix=COMPILED
// COMPILED: error: 'gpu.binary' op has been compiled for #rocdl.target<chip = "gfx950"> and cannot be compiled again for the CPU
