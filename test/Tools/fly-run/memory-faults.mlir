// An access outside of its array names the operation, the lane and how far it
// is off; a write between an array and its guard is found, too.

// RUN: fly-run %s --chip=gfx942 --function=main --input=128xf32=1 --input=127 --input=0 --expected=0:128xf32=1
// RUN: not fly-run %s --chip=gfx942 --function=main --input=128xf32=1 --input=128 --input=0 2>&1 | FileCheck %s --check-prefix=READ
// RUN: not fly-run %s --chip=gfx942 --function=main --input=128xf32=1 --input=100000 --input=0 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not fly-run %s --chip=gfx942 --function=main --input=128xf32=1 --input=-1200 --input=0 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not fly-run %s --chip=gfx942 --function=main --input=128xf32=1 --input=0 --input=1 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: not fly-run %s --chip=gfx942 --function=main --input=128xf32=1 --input=0 --input=-1 2>&1 | FileCheck %s --check-prefix=SLACK
// RUN: not fly-run %s --chip=gfx1100 --function=main --input=100xf32=1 --input=0 --input=0 2>&1 | FileCheck %s --check-prefix=PADDING
// RUN: not fly-run %s --chip=gfx942 --function=main --input=0xf32=1 --input=0 --input=0 2>&1 | FileCheck %s --check-prefix=EMPTY

// READ: error: {{.*}}memory-faults.mlir:[[#@LINE+17]]:12: read of 4 bytes at address 0x{{[0-9a-f]+}}, 0 bytes past the end of an array of 512 bytes (kernel 'f', workgroup (0, 0, 0), wave 0, lane 0)
// FAR: error: {{.*}}memory-faults.mlir:[[#@LINE+16]]:12: read of 4 bytes at address 0x{{[0-9a-f]+}}, 399488 bytes past the end of an array of 512 bytes (kernel 'f', workgroup (0, 0, 0), wave 0, lane 0)
// BEFORE: error: {{.*}}memory-faults.mlir:[[#@LINE+15]]:12: read of 4 bytes at address 0x{{[0-9a-f]+}}, 4800 bytes before an array of 512 bytes (kernel 'f', workgroup (0, 0, 0), wave 0, lane 0)
// WRITE: error: {{.*}}memory-faults.mlir:[[#@LINE+15]]:7: write of 4 bytes at address 0x{{[0-9a-f]+}}, 0 bytes past the end of an array of 512 bytes (kernel 'f', workgroup (0, 0, 0), wave 1, lane 63)
// SLACK: error: {{.*}}memory-faults.mlir:[[#@LINE+14]]:7: write of 4 bytes at address 0x{{[0-9a-f]+}}, 4 bytes before an array of 512 bytes (kernel 'f', workgroup (0, 0, 0), wave 0, lane 0)
// PADDING: error: {{.*}}memory-faults.mlir:[[#@LINE+13]]:7: write of 4 bytes at address 0x{{[0-9a-f]+}}, 0 bytes past the end of an array of 400 bytes (kernel 'f', workgroup (0, 0, 0), wave 3, lane 4)
// EMPTY: error: {{.*}}memory-faults.mlir:[[#@LINE+11]]:12: read of 4 bytes at address 0x{{[0-9a-f]+}}, 0 bytes past the end of an array of 0 bytes (kernel 'f', workgroup (0, 0, 0), wave 0, lane 0)

module attributes {gpu.container_module} {
  gpu.module @k {
    // Copies one element to each lane's place.
    gpu.func @f(%x: !fly.memref<f32, global, ?:1>, %from: i32, %shift: i32) kernel {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %to = arith.addi %tid, %shift : i32
      %source = fly.make_int_tuple(%from) : (i32) -> !fly.int_tuple<?>
      %target = fly.make_int_tuple(%to) : (i32) -> !fly.int_tuple<?>
      %v = fly.memref.load(%x, %source) : (!fly.memref<f32, global, ?:1>, !fly.int_tuple<?>) -> f32
      fly.memref.store(%v, %x, %target) : (f32, !fly.memref<f32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
  }
  func.func @main(%x: !fly.memref<f32, global, ?:1>, %from: i32, %shift: i32) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    gpu.launch_func @k::@f blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%x : !fly.memref<f32, global, ?:1>, %from : i32, %shift : i32)
    return
  }
}
