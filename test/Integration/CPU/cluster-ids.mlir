// The clusters of MLIR's gpu dialect by value: for each workgroup of a grid of 4 x 6 x 2 in clusters of 2 x 3 x 1, of 2 x 2 x 2,
// and without clusters, twelve numbers: the cluster's number in the grid, the workgroup's in its cluster, the clusters of
// the grid, the workgroups of a cluster; x, y, z of each.

// RUN: %python %S/Inputs/cluster_ids.py 2 3 1 %t.six.npy
// RUN: %python %S/Inputs/cluster_ids.py 2 2 2 %t.eight.npy
// RUN: %python %S/Inputs/cluster_ids.py 1 1 1 %t.alone.npy
// RUN: fly-run %s --chip=gfx1250 --function=clusters --input=2 --input=3 --input=1 --input=576xi32=-1 --expected=3:@%t.six.npy
// RUN: fly-run %s --chip=gfx1250 --function=clusters --input=2 --input=3 --input=1 --input=576xi32=-1 --expected=3:@%t.six.npy --schedule=random:5 --cpu-threads=2
// RUN: fly-run %s --chip=gfx1250 --function=clusters --input=2 --input=2 --input=2 --input=576xi32=-1 --expected=3:@%t.eight.npy --cpu-threads=1
// RUN: fly-run %s --chip=gfx1250 --function=clusters --input=1 --input=1 --input=1 --input=576xi32=-1 --expected=3:@%t.alone.npy
// RUN: fly-run %s --chip=gfx1250 --function=alone --input=576xi32=-1 --expected=0:@%t.alone.npy
// RUN: not fly-run %s --chip=gfx1201 --function=alone --input=576xi32=-1 2>&1 | FileCheck %s
// CHECK: cluster-ids.mlir:[[#@LINE+8]]:{{[0-9]+}}: error: 'gpu.cluster_id' op is no instruction of gfx1201, which has no clusters of workgroups

!P = !fly.ptr<i32, global>
!M = !fly.memref<i32, global, ?:1>

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @ids(%out: !P) kernel {
      %n0 = gpu.cluster_id x
      %n1 = gpu.cluster_id y
      %n2 = gpu.cluster_id z
      %n3 = gpu.cluster_block_id x
      %n4 = gpu.cluster_block_id y
      %n5 = gpu.cluster_block_id z
      %n6 = gpu.cluster_dim x
      %n7 = gpu.cluster_dim y
      %n8 = gpu.cluster_dim z
      %n9 = gpu.cluster_dim_blocks x
      %n10 = gpu.cluster_dim_blocks y
      %n11 = gpu.cluster_dim_blocks z
      %x = gpu.block_id x
      %y = gpu.block_id y
      %z = gpu.block_id z
      %c4 = arith.constant 4 : index
      %c6 = arith.constant 6 : index
      %c12 = arith.constant 12 : index
      %plane = arith.muli %z, %c6 : index
      %line = arith.addi %plane, %y : index
      %first = arith.muli %line, %c4 : index
      %group = arith.addi %first, %x : index
      %row = arith.muli %group, %c12 : index
      %row32 = arith.index_cast %row : index to i32
      %at = fly.make_int_tuple(%row32) : (i32) -> !fly.int_tuple<?>
      %o = fly.add_offset(%out, %at) : (!P, !fly.int_tuple<?>) -> !P
      %v0 = arith.index_cast %n0 : index to i32
      %a0 = fly.static : !fly.int_tuple<0>
      %p0 = fly.add_offset(%o, %a0) : (!P, !fly.int_tuple<0>) -> !P
      fly.ptr.store(%v0, %p0) : (i32, !P) -> ()
      %v1 = arith.index_cast %n1 : index to i32
      %a1 = fly.static : !fly.int_tuple<1>
      %p1 = fly.add_offset(%o, %a1) : (!P, !fly.int_tuple<1>) -> !P
      fly.ptr.store(%v1, %p1) : (i32, !P) -> ()
      %v2 = arith.index_cast %n2 : index to i32
      %a2 = fly.static : !fly.int_tuple<2>
      %p2 = fly.add_offset(%o, %a2) : (!P, !fly.int_tuple<2>) -> !P
      fly.ptr.store(%v2, %p2) : (i32, !P) -> ()
      %v3 = arith.index_cast %n3 : index to i32
      %a3 = fly.static : !fly.int_tuple<3>
      %p3 = fly.add_offset(%o, %a3) : (!P, !fly.int_tuple<3>) -> !P
      fly.ptr.store(%v3, %p3) : (i32, !P) -> ()
      %v4 = arith.index_cast %n4 : index to i32
      %a4 = fly.static : !fly.int_tuple<4>
      %p4 = fly.add_offset(%o, %a4) : (!P, !fly.int_tuple<4>) -> !P
      fly.ptr.store(%v4, %p4) : (i32, !P) -> ()
      %v5 = arith.index_cast %n5 : index to i32
      %a5 = fly.static : !fly.int_tuple<5>
      %p5 = fly.add_offset(%o, %a5) : (!P, !fly.int_tuple<5>) -> !P
      fly.ptr.store(%v5, %p5) : (i32, !P) -> ()
      %v6 = arith.index_cast %n6 : index to i32
      %a6 = fly.static : !fly.int_tuple<6>
      %p6 = fly.add_offset(%o, %a6) : (!P, !fly.int_tuple<6>) -> !P
      fly.ptr.store(%v6, %p6) : (i32, !P) -> ()
      %v7 = arith.index_cast %n7 : index to i32
      %a7 = fly.static : !fly.int_tuple<7>
      %p7 = fly.add_offset(%o, %a7) : (!P, !fly.int_tuple<7>) -> !P
      fly.ptr.store(%v7, %p7) : (i32, !P) -> ()
      %v8 = arith.index_cast %n8 : index to i32
      %a8 = fly.static : !fly.int_tuple<8>
      %p8 = fly.add_offset(%o, %a8) : (!P, !fly.int_tuple<8>) -> !P
      fly.ptr.store(%v8, %p8) : (i32, !P) -> ()
      %v9 = arith.index_cast %n9 : index to i32
      %a9 = fly.static : !fly.int_tuple<9>
      %p9 = fly.add_offset(%o, %a9) : (!P, !fly.int_tuple<9>) -> !P
      fly.ptr.store(%v9, %p9) : (i32, !P) -> ()
      %v10 = arith.index_cast %n10 : index to i32
      %a10 = fly.static : !fly.int_tuple<10>
      %p10 = fly.add_offset(%o, %a10) : (!P, !fly.int_tuple<10>) -> !P
      fly.ptr.store(%v10, %p10) : (i32, !P) -> ()
      %v11 = arith.index_cast %n11 : index to i32
      %a11 = fly.static : !fly.int_tuple<11>
      %p11 = fly.add_offset(%o, %a11) : (!P, !fly.int_tuple<11>) -> !P
      fly.ptr.store(%v11, %p11) : (i32, !P) -> ()
      gpu.return
    }
  }
  func.func @clusters(%sx: i32, %sy: i32, %sz: i32, %out: !M) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %x = arith.index_cast %sx : i32 to index
    %y = arith.index_cast %sy : i32 to index
    %z = arith.index_cast %sz : i32 to index
    %q = fly.get_iter(%out) : (!M) -> !P
    gpu.launch_func @k::@ids clusters in (%x, %y, %z) blocks in (%c4, %c6, %c2) threads in (%c1, %c1, %c1) args(%q : !P)
    return
  }
  func.func @alone(%out: !M) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c6 = arith.constant 6 : index
    %q = fly.get_iter(%out) : (!M) -> !P
    gpu.launch_func @k::@ids blocks in (%c4, %c6, %c2) threads in (%c1, %c1, %c1) args(%q : !P)
    return
  }
}
