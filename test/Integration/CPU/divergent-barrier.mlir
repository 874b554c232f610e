// A barrier that only some lanes of a wave reach, while the others go on, is a
// fault in every order of the waves. One that whole waves go around is none, and
// neither is one behind an early return.

// RUN: not fly-run %s --chip=gfx942 --function=main --input=128xi32=7 --input=32 2>&1 | FileCheck %s
// RUN: not fly-run %s --chip=gfx942 --function=main --input=128xi32=7 --input=32 --schedule=reverse 2>&1 | FileCheck %s
// RUN: not fly-run %s --chip=gfx942 --function=loop --input=128xi32=7 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: fly-run %s --chip=gfx942 --function=main --input=128xi32=7 --input=64 --expected=0:128xi32=1
// RUN: fly-run %s --chip=gfx942 --function=main --input=128xi32=7 --input=128 --expected=0:128xi32=1
// RUN: fly-run %s --chip=gfx942 --function=early --input=128xi32=7 --input=32

// CHECK: error: {{.*}}divergent-barrier.mlir:[[#@LINE+13]]:{{[0-9]+}}: rocdl.barrier: barrier that depends on the lane: lanes 0xffffffff wait here, lanes 0xffffffff00000000 went on, to the place where branches or iterations meet at {{.*}} (kernel 'f', workgroup (0, 0, 0), wave {{[01]}})
// LOOP: error: {{.*}}divergent-barrier.mlir:[[#@LINE+25]]:{{[0-9]+}}: rocdl.barrier: barrier that depends on the lane: lanes 0xfffffffffffffffe wait here, lanes 0x1 went on, to the place where branches or iterations meet at {{.*}} (kernel 'g', workgroup (0, 0, 0), wave

module attributes {gpu.container_module} {
  gpu.module @k {
    // Goes around the barrier in the lanes from `limit` on.
    gpu.func @f(%x: !fly.memref<i32, global, ?:1>, %limit: i32) kernel {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %one = arith.constant 1 : i32
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %low = arith.cmpi ult, %tid, %limit : i32
      scf.if %low {
        gpu.barrier
      }
      fly.memref.store(%one, %x, %at) : (i32, !fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
    // As many barriers as the lane's number.
    gpu.func @g(%x: !fly.memref<i32, global, ?:1>) kernel {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %zero = arith.constant 0 : index
      %step = arith.constant 1 : index
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      scf.for %i = %zero to %lane step %step {
        gpu.barrier
      }
      fly.memref.store(%tid, %x, %at) : (i32, !fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
    // Ends in the lanes from `limit` on.
    gpu.func @h(%x: !fly.memref<i32, global, ?:1>, %limit: i32) kernel {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %low = arith.cmpi ult, %tid, %limit : i32
      scf.if %low {
        gpu.barrier
        fly.memref.store(%tid, %x, %at) : (i32, !fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> ()
      }
      gpu.return
    }
  }
  func.func @main(%x: !fly.memref<i32, global, ?:1>, %limit: i32) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    gpu.launch_func @k::@f blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%x : !fly.memref<i32, global, ?:1>, %limit : i32)
    return
  }
  func.func @loop(%x: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    gpu.launch_func @k::@g blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%x : !fly.memref<i32, global, ?:1>)
    return
  }
  func.func @early(%x: !fly.memref<i32, global, ?:1>, %limit: i32) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    gpu.launch_func @k::@h blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%x : !fly.memref<i32, global, ?:1>, %limit : i32)
    return
  }
}
