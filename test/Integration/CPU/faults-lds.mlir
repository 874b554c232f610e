// An access outside of LDS is a fault with its place and exit status 2, whether
// it meets the guard or what lies between.

// RUN: fly-run %s --chip=gfx942 --function=main --input=64xi32=7 --input=-64
// RUN: not fly-run %s --chip=gfx942 --function=main --input=64xi32=7 --input=0 2>&1 | FileCheck %s --check-prefix=PAST
// RUN: not fly-run %s --chip=gfx942 --function=main --input=64xi32=-1 --input=-65 2>&1 | FileCheck %s --check-prefix=BEFORE
// PAST: faults-lds.mlir:[[#@LINE+19]]:2: write of 4 bytes at address 0x{{[0-9a-f]+}}, 0 bytes past the end of the LDS of 256 bytes (kernel 'f', workgroup (0, 0, 0), wave 0, lane 0)
// BEFORE: faults-lds.mlir:[[#@LINE+18]]:2: write of 4 bytes at address 0x{{[0-9a-f]+}}, 4 bytes before the LDS of 256 bytes (kernel 'f', workgroup (0, 0, 0), wave 0, lane 0)

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: !fly.memref<i32, global, ?:1>, %n: i32)  kernel  {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %bi = gpu.block_id x
      %bid = arith.index_cast %bi : index to i32
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
 %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 256 : i64}} : () -> !fly.ptr<i8, shared, align<16>>
 %q = fly.recast_iter(%p) : (!fly.ptr<i8, shared, align<16>>) -> !fly.ptr<i32, shared, align<16>>
 %l = fly.static : !fly.layout<64:1>
 %m = fly.make_view(%q, %l) : (!fly.ptr<i32, shared, align<16>>, !fly.layout<64:1>) -> !fly.memref<i32, shared, 64:1, align<16>>
 %c = arith.constant 64 : i32
 %j = arith.addi %tid, %c : i32
 %i = arith.addi %j, %n : i32
 %a2 = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
 fly.memref.store(%tid, %m, %a2) : (i32, !fly.memref<i32, shared, 64:1, align<16>>, !fly.int_tuple<?>) -> ()
 %v = fly.memref.load(%m, %a2) : (!fly.memref<i32, shared, 64:1, align<16>>, !fly.int_tuple<?>) -> i32
      fly.memref.store(%v, %x, %at) : (i32, !fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
  }
  func.func @main(%x: !fly.memref<i32, global, ?:1>, %n: i32) {
    %g0 = arith.constant 1 : index
    %g1 = arith.constant 1 : index
    %g2 = arith.constant 1 : index
    %b0 = arith.constant 64 : index
    %b1 = arith.constant 1 : index
    %b2 = arith.constant 1 : index
    gpu.launch_func @k::@f blocks in (%g0, %g1, %g2) threads in (%b0, %b1, %b2) args(%x : !fly.memref<i32, global, ?:1>, %n : i32)
    return
  }
}
