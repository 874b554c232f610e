// An option that has no effect in a pipeline is an error of the command line.
// RUN: not fly-opt %s -pass-pipeline='builtin.module(fly-to-rocdl{chip=gfx942 format=isa})' 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not fly-opt %s -pass-pipeline='builtin.module(fly-to-rocdl{chip=gfx942 cpu=native})' 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not fly-opt %s -pass-pipeline='builtin.module(fly-to-binary{chip=gfx942 memory-hooks=true})' 2>&1 | FileCheck %s --check-prefix=HOOKS
// RUN: not fly-opt %s -pass-pipeline='builtin.module(fly-to-cpu{chip=gfx942 waves-per-eu=2})' 2>&1 | FileCheck %s --check-prefix=WAVES
// RUN: fly-opt %s -fly-to-rocdl='chip=gfx942 waves-per-eu=2' | FileCheck %s
// RUN: fly-opt %s -fly-to-rocdl='chip=gfx942 waves-per-eu=2' | fly-translate --fly-to-isa | FileCheck %s --check-prefix=ISA
// RUN: fly-translate %s --fly-to-isa --chip=gfx942 --waves-per-eu=2 --fast-math --unsafe-math --runtime-checks --trap-on-assert | FileCheck %s --check-prefix=ISA
// RUN: not fly-translate %s --fly-to-isa --chip=gfx942 --waves-per-eu=40 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not fly-opt %s -pass-pipeline='builtin.module(fly-to-rocdl{chip=gfx942 opt-level=-1})' 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not fly-opt %s -pass-pipeline='builtin.module(fly-to-binary{chip=gfx942 opt-level=-1})' 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not fly-opt %s -fly-to-cpu='chip=gfx942 opt-level=-1' 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not fly-translate %s --fly-to-isa --chip=gfx942 --opt-level=-1 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: not fly-translate %s --fly-to-isa --chip=gfx942 --llvm-options=no-such-option 2>&1 | FileCheck %s --check-prefix=LLVM

// FORMAT: option 'format' has no effect in the pipeline 'fly-to-rocdl'
// CPU: option 'cpu' has no effect in the pipeline 'fly-to-rocdl'
// HOOKS: option 'memory-hooks' has no effect in the pipeline 'fly-to-binary'
// WAVES: option 'waves-per-eu' has no effect in the pipeline 'fly-to-cpu'
// CHECK: llvm.func @k() attributes {
// CHECK-SAME: "amdgpu-waves-per-eu", "2"
// ISA: s_endpgm
// RANGE: error: {{.*}}40
// LEVEL: option 'opt-level' is -1, expected 0 to 3
// LLVM: error: {{.*}}no-such-option

gpu.module @m {
  gpu.func @k() kernel {
    gpu.return
  }
}
