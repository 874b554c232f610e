// An operation of no registered dialect is left as it is.
// RUN: fly-opt %s -allow-unregistered-dialect -pass-pipeline='builtin.module(gpu.module(fly-convert-gpu-module))' | FileCheck %s

// CHECK: gpu.module @unknown
// CHECK-NEXT: llvm.func @k
// CHECK-NEXT: "test.unknown"() : () -> ()
gpu.module @unknown [#rocdl.target<chip = "gfx942">] {
  gpu.func @k() kernel {
    "test.unknown"() : () -> ()
    gpu.return
  }
}
