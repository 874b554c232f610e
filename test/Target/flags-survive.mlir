// Linking in this process leaves the program's own flags alone.
// RUN: fly-opt %s -fly-module-to-binary -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s

// CHECK: gpu.binary @kernels
// CHECK: } loc("kernel.py":3:1)
gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  llvm.func @k() attributes {rocdl.kernel} {
    llvm.return
  }
}
llvm.func @host() {
  llvm.return
} loc("kernel.py":3:1)
