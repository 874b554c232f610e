// Chips without clusters of workgroups have no numbers of them.

// RUN: fly-opt %s -fly-convert-gpu-module -split-input-file -verify-diagnostics

gpu.module @cdna [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    // expected-error @+1 {{'gpu.cluster_id' op is no instruction of gfx942, which has no clusters of workgroups}}
    %0 = gpu.cluster_id x
    // expected-error @+1 {{'gpu.cluster_block_id' op is no instruction of gfx942}}
    %1 = gpu.cluster_block_id y
    gpu.return
  }
}

// -----

gpu.module @rdna [#fly_rocdl.cpu<chip = "gfx1201">] {
  gpu.func @k(%p: !llvm.ptr<1>) kernel {
    // expected-error @+1 {{'gpu.cluster_dim' op is no instruction of gfx1201, which has no clusters of workgroups}}
    %0 = gpu.cluster_dim x
    // expected-error @+1 {{'gpu.cluster_dim_blocks' op is no instruction of gfx1201}}
    %1 = gpu.cluster_dim_blocks z
    gpu.return
  }
}
