// A kernel that doubles in place what lies between an array and its guard leaves no value there as it was: none of them is a NaN
// or an infinity, whatever its place and width.

// RUN: fly-run %s --chip=gfx942 --function=f32 --input=64xf32=1 --expected=0:64xf32=2
// RUN: not fly-run %s --chip=gfx942 --function=f32 --input=63xf32=1 2>&1 | FileCheck %s -DBYTES=252
// RUN: not fly-run %s --chip=gfx942 --function=f32 --input=62xf32=1 2>&1 | FileCheck %s -DBYTES=248
// RUN: not fly-run %s --chip=gfx942 --function=f32 --input=61xf32=1 2>&1 | FileCheck %s -DBYTES=244
// RUN: not fly-run %s --chip=gfx942 --function=f32 --input=60xf32=1 2>&1 | FileCheck %s -DBYTES=240
// RUN: not fly-run %s --chip=gfx942 --function=f16 --input=63xf16=1 2>&1 | FileCheck %s -DBYTES=126
// RUN: not fly-run %s --chip=gfx942 --function=f16 --input=57xf16=1 2>&1 | FileCheck %s -DBYTES=114
// RUN: not fly-run %s --chip=gfx942 --function=f64 --input=63xf64=1 2>&1 | FileCheck %s -DBYTES=504

// CHECK: error: {{.*}} 0 bytes past the end of an array of [[BYTES]] bytes (kernel

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @twice_f32(%x: !fly.memref<f32, global, ?:1>) kernel {
      %lane = gpu.thread_id x
      %i = arith.index_cast %lane : index to i32
      %at = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
      %v = fly.memref.load(%x, %at) : (!fly.memref<f32, global, ?:1>, !fly.int_tuple<?>) -> f32
      %w = arith.addf %v, %v : f32
      fly.memref.store(%w, %x, %at) : (f32, !fly.memref<f32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
    gpu.func @twice_f16(%x: !fly.memref<f16, global, ?:1>) kernel {
      %lane = gpu.thread_id x
      %i = arith.index_cast %lane : index to i32
      %at = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
      %v = fly.memref.load(%x, %at) : (!fly.memref<f16, global, ?:1>, !fly.int_tuple<?>) -> f16
      %w = arith.addf %v, %v : f16
      fly.memref.store(%w, %x, %at) : (f16, !fly.memref<f16, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
    gpu.func @twice_f64(%x: !fly.memref<f64, global, ?:1>) kernel {
      %lane = gpu.thread_id x
      %i = arith.index_cast %lane : index to i32
      %at = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
      %v = fly.memref.load(%x, %at) : (!fly.memref<f64, global, ?:1>, !fly.int_tuple<?>) -> f64
      %w = arith.addf %v, %v : f64
      fly.memref.store(%w, %x, %at) : (f64, !fly.memref<f64, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
  }
  func.func @f32(%x: !fly.memref<f32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    gpu.launch_func @k::@twice_f32 blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%x : !fly.memref<f32, global, ?:1>)
    return
  }
  func.func @f16(%x: !fly.memref<f16, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    gpu.launch_func @k::@twice_f16 blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%x : !fly.memref<f16, global, ?:1>)
    return
  }
  func.func @f64(%x: !fly.memref<f64, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    gpu.launch_func @k::@twice_f64 blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%x : !fly.memref<f64, global, ?:1>)
    return
  }
}
