// The clusters of MLIR's gpu dialect: the cluster's number in the grid, the workgroup's in its cluster, the workgroups
// of a cluster, and the clusters of the grid.

// RUN: fly-opt %s -fly-convert-gpu-module -split-input-file | FileCheck %s
// RUN: sed 's/#rocdl.target/#fly_rocdl.cpu/' %s | fly-opt - -fly-convert-gpu-module -split-input-file | FileCheck %s
// RUN: fly-opt %s -fly-to-binary=format=isa -split-input-file | FileCheck %s --check-prefix=ISA

// CHECK-LABEL: llvm.func @ids
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : index) : i64
// CHECK: %[[I:.*]] = rocdl.cluster.id.x : i32
// CHECK: %[[ID:.*]] = llvm.zext %[[I]] : i32 to i64
// CHECK: %[[B:.*]] = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.id.y"() : () -> i32
// CHECK: %[[BLOCK:.*]] = llvm.zext %[[B]] : i32 to i64
// CHECK: %[[M:.*]] = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.max.id.z"() : () -> i32
// CHECK: %[[MAX:.*]] = llvm.zext %[[M]] : i32 to i64
// CHECK: %[[SIZE:.*]] = llvm.add %[[MAX]], %[[ONE]] : i64
// CHECK: llvm.store %[[ID]], %{{.*}} : i64
// CHECK: llvm.store %[[BLOCK]], %{{.*}} : i64
// CHECK: llvm.store %[[SIZE]], %{{.*}} : i64
// ISA-DAG: v_dual_mov_b32 v[[ID:[0-9]+]], ttmp9
// ISA-DAG: s_bfe_u32 s[[BLOCK:[0-9]+]], ttmp6, 0x40004
// ISA-DAG: s_bfe_u32 s[[MAX:[0-9]+]], ttmp6, 0x40014
// ISA: s_add_nc_u64 s{{\[[0-9]+:[0-9]+\]}}, s{{\[}}[[MAX]]:{{[0-9]+\]}}, 1
gpu.module @ids [#rocdl.target<chip = "gfx1250">] {
  gpu.func @ids(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %r: !llvm.ptr<1>) kernel {
    %id = gpu.cluster_id x
    %block = gpu.cluster_block_id y
    %size = gpu.cluster_dim_blocks z
    %0 = arith.index_cast %id : index to i64
    %1 = arith.index_cast %block : index to i64
    %2 = arith.index_cast %size : index to i64
    llvm.store %0, %p : i64, !llvm.ptr<1>
    llvm.store %1, %q : i64, !llvm.ptr<1>
    llvm.store %2, %r : i64, !llvm.ptr<1>
    gpu.return
  }
}

// -----

// CHECK-LABEL: llvm.func @clusters_of_the_grid
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : index) : i64
// CHECK: %[[G:.*]] = rocdl.grid.dim.y : i32
// CHECK: %[[GRID:.*]] = llvm.{{[sz]}}ext %[[G]] : i32 to i64
// CHECK: %[[M:.*]] = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.max.id.y"() : () -> i32
// CHECK: %[[MAX:.*]] = llvm.zext %[[M]] : i32 to i64
// CHECK: %[[SIZE:.*]] = llvm.add %[[MAX]], %[[ONE]] : i64
// CHECK: %[[COUNT:.*]] = llvm.udiv %[[GRID]], %[[SIZE]] : i64
// CHECK: llvm.store %[[COUNT]], %{{.*}} : i64
gpu.module @dims [#rocdl.target<chip = "gfx1250">] {
  gpu.func @clusters_of_the_grid(%p: !llvm.ptr<1>) kernel {
    %count = gpu.cluster_dim y
    %0 = arith.index_cast %count : index to i64
    llvm.store %0, %p : i64, !llvm.ptr<1>
    gpu.return
  }
}
