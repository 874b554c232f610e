// The clusters of MLIR's gpu dialect: the cluster's number in the grid, the workgroup's in its cluster, the workgroups
// of a cluster, and the clusters of the grid.

// RUN: fly-opt %s -fly-convert-gpu-module -split-input-file | FileCheck %s
// RUN: sed 's/#rocdl.target/#fly_rocdl.cpu/' %s | fly-opt - -fly-convert-gpu-module -split-input-file | FileCheck %s
// RUN: fly-opt %s -fly-to-binary=format=isa -split-input-file | FileCheck %s --check-prefix=ISA

// CHECK-LABEL: llvm.func @ids
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK: %[[I:.*]] = rocdl.cluster.id.x : i32
// CHECK: %[[ID:.*]] = llvm.zext %[[I]] : i32 to i64
// CHECK: %[[B:.*]] = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.id.y"() : () -> i32
// CHECK: %[[BLOCK:.*]] = llvm.zext %[[B]] : i32 to i64
// CHECK: %[[M:.*]] = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.max.id.z"() : () -> i32
// CHECK: %[[S:.*]] = llvm.add %[[M]], %[[ONE]] : i32
// CHECK: %[[SIZE:.*]] = llvm.zext %[[S]] : i32 to i64
// CHECK: llvm.store %[[ID]], %{{.*}} : i64
// CHECK: llvm.store %[[BLOCK]], %{{.*}} : i64
// CHECK: llvm.store %[[SIZE]], %{{.*}} : i64
// ISA-DAG: v_dual_mov_b32 v[[ID:[0-9]+]], ttmp9
// ISA-DAG: s_bfe_u32 s[[BLOCK:[0-9]+]], ttmp6, 0x40004
// ISA-DAG: s_bfe_u32 s[[MAX:[0-9]+]], ttmp6, 0x40014
// ISA: s_add_co_i32 s{{[0-9]+}}, s[[MAX]], 1
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
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK: %[[G:.*]] = rocdl.grid.dim.y : i32
// CHECK: %[[WIDE:.*]] = llvm.sext %[[G]] : i32 to i64
// CHECK: %[[GRID:.*]] = llvm.trunc %[[WIDE]] : i64 to i32
// CHECK: %[[M:.*]] = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.max.id.y"() : () -> i32
// CHECK: %[[SIZE:.*]] = llvm.add %[[M]], %[[ONE]] : i32
// CHECK: %[[C:.*]] = llvm.udiv %[[GRID]], %[[SIZE]] : i32
// CHECK: %[[COUNT:.*]] = llvm.zext %[[C]] : i32 to i64
// CHECK: llvm.store %[[COUNT]], %{{.*}} : i64
// The second of the implicit argument's numbers of workgroups.
// ISA-LABEL: clusters_of_the_grid:
// ISA-DAG: s_load_b32 s{{[0-9]+}}, s[0:1], 0xc
// ISA-DAG: s_bfe_u32 s{{[0-9]+}}, ttmp6, 0x40010
gpu.module @dims [#rocdl.target<chip = "gfx1250">] {
  gpu.func @clusters_of_the_grid(%p: !llvm.ptr<1>) kernel {
    %count = gpu.cluster_dim y
    %0 = arith.index_cast %count : index to i64
    llvm.store %0, %p : i64, !llvm.ptr<1>
    gpu.return
  }
}
