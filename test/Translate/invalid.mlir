// RUN: not fly-translate %s --fly-to-isa 2>&1 | FileCheck %s --check-prefix=NOCHIP
// RUN: not fly-translate %s --fly-to-isa --chip=sm_90 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not fly-translate %s --fly-to-hsaco --chip=gfx942 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: fly-opt %s -fly-to-binary=chip=gfx942 | not fly-translate --fly-to-isa 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: echo 'module {}' | not fly-translate --fly-report --chip=gfx942 2>&1 | FileCheck %s --check-prefix=EMPTY

// NOCHIP: [[@LINE+6]]:1: error: 'gpu.module' op has no target and no chip was named
// UNKNOWN: error: unknown chip 'sm_90': expected one of gfx90a
// TWO: error: has 2 code objects; one file can hold only one
// LATE: error: 'gpu.binary' op holds a linked object, which cannot be translated to assembly
// EMPTY: error: has no gpu.module and no gpu.binary

gpu.module @first {
  gpu.func @k() kernel {
    gpu.return
  }
}

gpu.module @second {
  gpu.func @k() kernel {
    gpu.return
  }
}
