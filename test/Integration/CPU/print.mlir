// Kernels and host functions print, each message in one piece.
// RUN: env FLY_CPU_THREADS=1 fly-run %s --chip=gfx942 --device=cpu --input=8xf32=0 --input=-7 | FileCheck %s
// RUN: env FLY_CPU_THREADS=1 fly-run %s --chip=gfx1201 --device=cpu --input=8xf32=0 --input=-7 | FileCheck %s

// CHECK: host n -7 index -7 true 1
// CHECK-NEXT: tid 0 n -7  | x 1.500000 block 2 hex fffffff9 100% %q half 0.50 wide -4294967296
// CHECK-NEXT: t 0 v (0,-7) x 1.50 true 1
// CHECK-NEXT: tid 1 n -7  | x 1.500000 block 2 hex fffffff9 100% %q half 0.50 wide -4294967296
// CHECK-NEXT: t 1 v (1,-7) x 1.50 true 1
// CHECK-NEXT: tid 0
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%m: !fly.memref<f32, global, 8:1>, %n: i32) kernel {
      %c = gpu.thread_id x
      %tid = arith.index_cast %c : index to i32
      %x = arith.constant 1.5 : f32
      %half = arith.constant 0.5 : f16
      %wide = arith.constant -4294967296 : i64
      %size = gpu.block_dim x
      %block = arith.index_cast %size : index to i32
      gpu.printf "tid %d n %-4d| x %f block %d hex %x 100%% %q half %.2f wide %ld\n", %tid, %n, %x, %block, %n, %half, %wide : i32, i32, f32, i32, i32, f16, i64
      %v = fly.make_int_tuple(%tid, %n) : (i32, i32) -> !fly.int_tuple<(?,?)>
      %true = arith.constant true
      fly.print(%tid, %v, %x, %true) {format = "t {} v {} x {} true {}"} : (i32, !fly.int_tuple<(?,?)>, f32, i1) -> ()
      gpu.return
    }
  }
  func.func @main(%m: !fly.memref<f32, global, 8:1>, %n: i32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %index = arith.index_cast %n : i32 to index
    %true = arith.constant true
    fly.print(%n, %index, %true) {format = "host n {} index {} true {}"} : (i32, index, i1) -> ()
    gpu.launch_func @kernels::@k blocks in (%c2, %c1, %c1) threads in (%c2, %c1, %c1) args(%m : !fly.memref<f32, global, 8:1>, %n : i32)
    return
  }
}
