// The chip of the target decides how a shuffle is written.
// RUN: fly-opt %s -pass-pipeline='builtin.module(gpu.module(fly-convert-gpu-module))' | FileCheck %s

// DIFF: lowered-inside
// CHECK: gpu.module @gfx942
// CHECK: rocdl.ds_bpermute
// CHECK-NOT: permlane
gpu.module @gfx942 [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%x: i32, %p: !llvm.ptr<1>) kernel {
    %offset = arith.constant 32 : i32
    %width = arith.constant 64 : i32
    %y, %ok = gpu.shuffle xor %x, %offset, %width : i32
    llvm.store %y, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}

// CHECK: gpu.module @gfx950 [#fly_rocdl.cpu<chip = "gfx950">]
// CHECK: rocdl.permlane32.swap
gpu.module @gfx950 [#fly_rocdl.cpu<chip = "gfx950">] {
  gpu.func @k(%x: i32, %p: !llvm.ptr<1>) kernel {
    %offset = arith.constant 32 : i32
    %width = arith.constant 64 : i32
    %y, %ok = gpu.shuffle xor %x, %offset, %width : i32
    llvm.store %y, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}

// A module without anything to convert needs no target and is left alone.
// CHECK: gpu.module @lowered {
// CHECK-NEXT: llvm.func @k
// CHECK-NEXT: rocdl.workitem.id.x
gpu.module @lowered {
  llvm.func @k() attributes {rocdl.kernel} {
    %0 = rocdl.workitem.id.x : i32
    llvm.return
  }
}
