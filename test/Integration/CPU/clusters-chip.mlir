// A launch with clusters runs as gfx1250 only; a cluster of one workgroup is none. A kernel that says its clusters
// is launched with those alone.

// RUN: fly-run %s --chip=gfx1250 --input=2 --input=4xi32=0 --expected=1:4xi32=0,1,2,3
// RUN: fly-run %s --chip=gfx1201 --input=1 --input=4xi32=0 --expected=1:4xi32=0,1,2,3
// RUN: not fly-run %s --chip=gfx1201 --input=2 --input=4xi32=0 2>&1 | FileCheck %s
// CHECK: error: launch of kernel 'number': cluster (2, 1, 1) on gfx1201, which has no clusters of workgroups

// RUN: sed 's/) kernel {/) kernel attributes {rocdl.cluster_dims = "2,1,1"} {/' %s > %t.two.mlir
// RUN: fly-run %t.two.mlir --chip=gfx1250 --input=2 --input=4xi32=0 --expected=1:4xi32=0,1,2,3
// RUN: not fly-run %t.two.mlir --chip=gfx1250 --input=4 --input=4xi32=0 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: error: launch of kernel 'number': cluster (4, 1, 1), the kernel requires (2, 1, 1)
// RUN: sed 's/) kernel {/) kernel attributes {rocdl.cluster_dims = "0,0,0"} {/' %s > %t.none.mlir
// RUN: fly-run %t.none.mlir --chip=gfx1250 --input=1 --input=4xi32=0 --expected=1:4xi32=0,1,2,3
// RUN: not fly-run %t.none.mlir --chip=gfx1250 --input=2 --input=4xi32=0 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: launch of kernel 'number': cluster (2, 1, 1), the kernel requires (1, 1, 1)
// RUN: sed 's/) kernel {/) kernel attributes {rocdl.cluster_dims = "1024,1024,1024"} {/' %s > %t.any.mlir
// RUN: fly-run %t.any.mlir --chip=gfx1250 --input=4 --input=4xi32=0 --expected=1:4xi32=0,1,2,3

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @number(%out: !fly.memref<i32, global, 4:1>) kernel {
      %b = gpu.block_id x
      %i = arith.index_cast %b : index to i32
      %at = fly.make_coord(%i) : (i32) -> !fly.int_tuple<?>
      fly.memref.store(%i, %out, %at) : (i32, !fly.memref<i32, global, 4:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
  }
  func.func @main(%n: i32, %out: !fly.memref<i32, global, 4:1>) {
    %one = arith.constant 1 : index
    %groups = arith.constant 4 : index
    %size = arith.index_cast %n : i32 to index
    gpu.launch_func @k::@number clusters in (%size, %one, %one) blocks in (%groups, %one, %one) threads in (%one, %one, %one) args(%out : !fly.memref<i32, global, 4:1>)
    return
  }
}
