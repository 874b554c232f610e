// Shuffles in segments of 16 lanes: the lane that each reads, or -1 where its
// second result says that there is none.

// RUN: fly-run %s --chip=gfx942 --function=main --input=64xi32=0 --input=64xi32=0 --output=0:@%t.up.npy --output=1:@%t.down.npy
// RUN: %python %S/Inputs/check-shuffles.py %t.up.npy %t.down.npy 5 16
// RUN: fly-run %s --chip=gfx1201 --function=main --input=64xi32=0 --input=64xi32=0 --output=0:@%t.up.npy --output=1:@%t.down.npy
// RUN: %python %S/Inputs/check-shuffles.py %t.up.npy %t.down.npy 5 16

// DIFF: shuffle-up

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: !fly.memref<i32, global, ?:1>, %y: !fly.memref<i32, global, ?:1>) kernel {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %five = arith.constant 5 : i32
      %width = arith.constant 16 : i32
      %none = arith.constant -1 : i32
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %up, %valid = gpu.shuffle up %tid, %five, %width : i32
      %a = arith.select %valid, %up, %none : i32
      fly.memref.store(%a, %x, %at) : (i32, !fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> ()
      %down, %there = gpu.shuffle down %tid, %five, %width : i32
      %b = arith.select %there, %down, %none : i32
      fly.memref.store(%b, %y, %at) : (i32, !fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
  }
  func.func @main(%x: !fly.memref<i32, global, ?:1>, %y: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    gpu.launch_func @k::@f blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%x : !fly.memref<i32, global, ?:1>, %y : !fly.memref<i32, global, ?:1>)
    return
  }
}
