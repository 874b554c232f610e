// Options of LLVM hold for one compilation: inlining of everything is turned
// off for the first run only.
// RUN: fly-opt %s -fly-to-binary='chip=gfx942 format=isa llvm-options=amdgpu-function-calls=1;--enable-misched=false' | FileCheck %s --check-prefix=FLAGS
// RUN: fly-opt %s -pass-pipeline='builtin.module(fly-to-rocdl{chip=gfx942 fast-math=1 unsafe-math=1 opt-level=1})' | FileCheck %s --check-prefix=TARGET

// FLAGS: gpu.binary @kernels
// TARGET: #rocdl.target<O = 1, chip = "gfx942", flags = {fast, unsafe_math}>
gpu.module @kernels {
  gpu.func @k() kernel {
    gpu.return
  }
}
