// The size of a buffer bounds loads, stores and atomics: beyond it a load gives 0
// and nothing is written. A size that only the run knows is never cut off.

// 10 words and a half: gfx9 looks at each word, and the last one is not whole.
// RUN: fly-run %s --chip=gfx942 --function=main --input=42 --input=16xi32=7 --input=16xi32=-1 --input=16xi32=5 --expected=2:16xi32=7,7,7,7,7,7,7,7,7,7,0,0,0,0,0,0 --expected=3:16xi32=7,7,7,7,7,7,7,7,7,7,5,5,5,5,5,5
// RUN: fly-run %s --chip=gfx1201 --function=main --input=42 --input=16xi32=7 --input=16xi32=-1 --input=16xi32=5 --expected=2:16xi32=7,7,7,7,7,7,7,7,7,7,0,0,0,0,0,0 --expected=3:16xi32=7,7,7,7,7,7,7,7,7,7,5,5,5,5,5,5
// RUN: fly-run %s --chip=gfx942 --function=main --input=0 --input=16xi32=7 --input=16xi32=-1 --input=16xi32=5 --expected=2:16xi32=0 --expected=3:16xi32=5
// RUN: fly-run %s --chip=gfx942 --function=main --input=4294967295 --input=16xi32=7 --input=16xi32=-1 --input=16xi32=5 --expected=2:16xi32=7 --expected=3:16xi32=7
// gfx1250 has 45 bits for the size.
// RUN: fly-run %s --chip=gfx1250 --function=main --input=4294967296 --input=16xi32=7 --input=16xi32=-1 --input=16xi32=5 --expected=2:16xi32=7 --expected=3:16xi32=7
// RUN: not fly-run %s --chip=gfx942 --function=main --input=4294967296 --input=16xi32=7 --input=16xi32=-1 --input=16xi32=5 2>&1 | FileCheck %s
// RUN: not fly-run %s --chip=gfx1250 --function=main --input=35184372088832 --input=16xi32=7 --input=16xi32=-1 --input=16xi32=5 2>&1 | FileCheck %s --check-prefix=WIDE
// CHECK: buffer-size.mlir:[[#@LINE+14]]:12: a buffer descriptor of 4294967296 bytes, which its field for the size does not hold (kernel 'f', workgroup (0, 0, 0), wave 0, lane 0)
// WIDE: buffer-size.mlir:[[#@LINE+13]]:12: a buffer descriptor of 35184372088832 bytes, which its field for the size does not hold

!P = !fly.ptr<i32, global>
!B = !fly.ptr<i32, #fly_rocdl.buffer_desc>

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%size: i64, %x: !P, %read: !P, %written: !P) kernel {
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %stride = arith.constant 0 : i16
      %flags = arith.constant 159744 : i32
      %b = fly.make_ptr(%x, %stride, %size, %flags) : (!P, i16, i64, i32) -> !B
      %c = fly.make_ptr(%written, %stride, %size, %flags) : (!P, i16, i64, i32) -> !B
      %from = fly.add_offset(%b, %at) : (!B, !fly.int_tuple<?>) -> !B
      %to = fly.add_offset(%c, %at) : (!B, !fly.int_tuple<?>) -> !B
      %out = fly.add_offset(%read, %at) : (!P, !fly.int_tuple<?>) -> !P
      %v = fly.ptr.load(%from) : (!B) -> i32
      fly.ptr.store(%v, %out) : (i32, !P) -> ()
      %seven = arith.constant 7 : i32
      fly.ptr.store(%seven, %to) : (i32, !B) -> ()
      gpu.return
    }
  }
  func.func @main(%size: i64, %x: !fly.memref<i32, global, ?:1>, %read: !fly.memref<i32, global, ?:1>, %written: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 16 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !P
    %q = fly.get_iter(%read) : (!fly.memref<i32, global, ?:1>) -> !P
    %r = fly.get_iter(%written) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@f blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%size : i64, %p : !P, %q : !P, %r : !P)
    return
  }
}
