// Functions that neither AMD chips nor LLVM have, against functions of f64: every
// special value against every other, and random numbers of all sizes.
// RUN: %python %S/Inputs/math_accuracy.py make %t.x.npy %t.y.npy %t.n.npy
// RUN: fly-run %s --chip=gfx942 --device=cpu --input=@%t.x.npy --input=@%t.y.npy --input=@%t.n.npy --input=14x4096xf32=0 --output=3:@%t.r.npy
// RUN: %python %S/Inputs/math_accuracy.py check %t.x.npy %t.y.npy %t.n.npy %t.r.npy | FileCheck %s
// RUN: fly-translate %s --fly-to-hsaco --chip=gfx942 -o %t.hsaco
// RUN: fly-translate %s --fly-to-hsaco --chip=gfx1100 -o %t.hsaco
// RUN: fly-translate %s --fly-to-hsaco --chip=gfx1250 -o %t.hsaco

// DIFF: math-double
// CHECK-NOT: wrong
// CHECK: isnormal: exact
// CHECK-NEXT: atan2
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @functions(%in: !fly.memref<f32, global, 4096:1>, %second: !fly.memref<f32, global, 4096:1>,
                        %power: !fly.memref<i32, global, 4096:1>, %out: !fly.memref<f32, global, (14,4096):(4096,1)>) kernel {
      %tid = gpu.thread_id x
      %bid = gpu.block_id x
      %c256 = arith.constant 256 : index
      %first = arith.muli %bid, %c256 : index
      %sum = arith.addi %first, %tid : index
      %i = arith.index_cast %sum : index to i32
      %at = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
      %x = fly.memref.load(%in, %at) : (!fly.memref<f32, global, 4096:1>, !fly.int_tuple<?>) -> f32
      %y = fly.memref.load(%second, %at) : (!fly.memref<f32, global, 4096:1>, !fly.int_tuple<?>) -> f32
      %n = fly.memref.load(%power, %at) : (!fly.memref<i32, global, 4096:1>, !fly.int_tuple<?>) -> i32
      %r0 = math.powf %x, %y : f32
      %c0 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(0,?)>
      fly.memref.store(%r0, %out, %c0) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(0,?)>) -> ()
      %r1 = math.fpowi %x, %n : f32, i32
      %c1 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(1,?)>
      fly.memref.store(%r1, %out, %c1) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(1,?)>) -> ()
      %r2 = math.sinh %x : f32
      %c2 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(2,?)>
      fly.memref.store(%r2, %out, %c2) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(2,?)>) -> ()
      %r3 = math.cosh %x : f32
      %c3 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(3,?)>
      fly.memref.store(%r3, %out, %c3) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(3,?)>) -> ()
      %r4 = math.asinh %x : f32
      %c4 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(4,?)>
      fly.memref.store(%r4, %out, %c4) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(4,?)>) -> ()
      %r5 = math.acosh %x : f32
      %c5 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(5,?)>
      fly.memref.store(%r5, %out, %c5) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(5,?)>) -> ()
      %r6 = math.atanh %x : f32
      %c6 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(6,?)>
      fly.memref.store(%r6, %out, %c6) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(6,?)>) -> ()
      %r7 = math.cbrt %x : f32
      %c7 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(7,?)>
      fly.memref.store(%r7, %out, %c7) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(7,?)>) -> ()
      %r8 = arith.remf %x, %y : f32
      %c8 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(8,?)>
      fly.memref.store(%r8, %out, %c8) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(8,?)>) -> ()
      %b9 = math.isinf %x : f32
      %r9 = arith.uitofp %b9 : i1 to f32
      %c9 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(9,?)>
      fly.memref.store(%r9, %out, %c9) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(9,?)>) -> ()
      %b10 = math.isnan %x : f32
      %r10 = arith.uitofp %b10 : i1 to f32
      %c10 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(10,?)>
      fly.memref.store(%r10, %out, %c10) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(10,?)>) -> ()
      %b11 = math.isfinite %x : f32
      %r11 = arith.uitofp %b11 : i1 to f32
      %c11 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(11,?)>
      fly.memref.store(%r11, %out, %c11) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(11,?)>) -> ()
      %b12 = math.isnormal %x : f32
      %r12 = arith.uitofp %b12 : i1 to f32
      %c12 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(12,?)>
      fly.memref.store(%r12, %out, %c12) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(12,?)>) -> ()
      %r13 = math.atan2 %x, %y : f32
      %c13 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(13,?)>
      fly.memref.store(%r13, %out, %c13) : (f32, !fly.memref<f32, global, (14,4096):(4096,1)>, !fly.int_tuple<(13,?)>) -> ()
      gpu.return
    }
  }
  func.func @main(%in: !fly.memref<f32, global, 4096:1>, %second: !fly.memref<f32, global, 4096:1>,
                  %power: !fly.memref<i32, global, 4096:1>, %out: !fly.memref<f32, global, (14,4096):(4096,1)>) {
    %c1 = arith.constant 1 : index
    %blocks = arith.constant 16 : index
    %threads = arith.constant 256 : index
    gpu.launch_func @kernels::@functions blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
      args(%in : !fly.memref<f32, global, 4096:1>, %second : !fly.memref<f32, global, 4096:1>, %power : !fly.memref<i32, global, 4096:1>, %out : !fly.memref<f32, global, (14,4096):(4096,1)>)
    return
  }
}
