// RUN: fly-opt %s -fly-rocdl-cluster-attr | FileCheck %s

// CHECK-LABEL: gpu.module @kernels
gpu.module @kernels {
  // CHECK: llvm.func @cluster() attributes {passthrough = ["kept", ["amdgpu-cluster-dims", "2,1,1"]]}
  llvm.func @cluster() attributes {passthrough = ["kept"], rocdl.cluster_dims = "2,1,1"} {
    llvm.return
  }
  // CHECK: llvm.func @other() attributes {rocdl.cluster_dims = 2 : i32}
  llvm.func @other() attributes {rocdl.cluster_dims = 2 : i32} {
    llvm.return
  }
}
