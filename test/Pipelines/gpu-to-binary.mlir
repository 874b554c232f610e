// The pipelines take modules of upstream's dialects as they are: chip by option
// or by the module, host code down to the LLVM dialect.
// RUN: fly-opt %s -pass-pipeline='builtin.module(fly-to-rocdl{chip=gfx942})' | FileCheck %s --check-prefix=ROCDL
// RUN: fly-opt %s -pass-pipeline='builtin.module(fly-to-binary{chip=gfx950 format=isa})' | FileCheck %s --check-prefix=BINARY
// RUN: fly-opt %s -fly-to-rocdl=chip=gfx1201 | fly-opt -fly-to-rocdl | FileCheck %s --check-prefix=AGAIN
// RUN: fly-opt %s -fly-to-rocdl=chip=gfx1201 | fly-opt -fly-to-binary=format=isa | FileCheck %s --check-prefix=LATER
// RUN: fly-opt %s -fly-to-binary=chip=gfx1201 | fly-opt -fly-to-binary | FileCheck %s --check-prefix=LAST

// ROCDL: gpu.module @kernels [#rocdl.target<chip = "gfx942">]
// ROCDL: llvm.func @wave(%[[X:.*]]: f32, %[[P:.*]]: !llvm.ptr<1>)
// ROCDL-SAME: rocdl.kernel
// ROCDL: rocdl.workitem.id.x
// ROCDL: llvm.intr.exp(%[[X]]) : (f32) -> f32
// ROCDL: rocdl.ds_bpermute
// ROCDL: rocdl.barrier
// ROCDL-NOT: gpu.
// ROCDL: func.func @host
// ROCDL: gpu.launch_func @kernels::@wave

// BINARY: gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "gfx950">
// BINARY-SAME: ds_bpermute_b32
// BINARY: llvm.func @host(%{{.*}}: f32, %{{.*}}: !llvm.ptr<1>)
// BINARY: gpu.launch_func @kernels::@wave

// AGAIN: gpu.module @kernels [#rocdl.target<chip = "gfx1201", flags = {no_wave64}>]
// AGAIN: rocdl.workitem.id.x

// LATER: gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "gfx1201", flags = {no_wave64}>
// LATER-SAME: amdgcn-amd-amdhsa--gfx1201

// LAST: gpu.binary @kernels
// LAST: llvm.func @host
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @wave(%x: f32, %p: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %i = arith.index_cast %t : index to i64
      %e = math.exp %x : f32
      %one = arith.constant 1 : i32
      %width = arith.constant 32 : i32
      %s, %ok = gpu.shuffle xor %e, %one, %width : f32
      // DIFF: barrier-scope
      gpu.barrier
      %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
      llvm.store %s, %q : f32, !llvm.ptr<1>
      gpu.return
    }
  }
  func.func @host(%x: f32, %p: !llvm.ptr<1>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@wave blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%x : f32, %p : !llvm.ptr<1>)
    return
  }
}
