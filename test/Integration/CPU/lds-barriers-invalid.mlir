// An arrival at a barrier in LDS that nobody has initialised: at none at all, and where the wave that initialises it has
// not been there yet.

// RUN: not fly-run %s --chip=gfx1250 --function=main --input=0 --input=2xi32=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not fly-run %s --chip=gfx1250 --function=main --input=0 --input=2xi32=0 --memory-hooks 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: lds-barriers-invalid.mlir:[[#@LINE+30]]:{{[0-9]+}}: rocdl.ds.atomic.barrier.arrive.rtn.b64: an arrival at the barrier in LDS at byte 0, which nobody has initialised: all bits of it are set, as in LDS that is not written (kernel 'arrive', workgroup (0, 0, 0), wave 0, lane 0)
// RUN: not fly-run %s --chip=gfx1250 --function=main --input=1 --input=2xi32=0 --schedule=reverse 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: lds-barriers-invalid.mlir:[[#@LINE+28]]:{{[0-9]+}}: rocdl.ds.atomic.barrier.arrive.rtn.b64: an arrival at the barrier in LDS at byte 0, which nobody has initialised: {{.*}}, wave 1, lane 0)
// RUN: fly-run %s --chip=gfx1250 --function=main --input=2 --input=2xi32=0 --expected=1:2xi32=1,1 --schedule=reverse

!P = !fly.ptr<i32, global>

module attributes {gpu.container_module} {
  gpu.module @k {
    // 1: the first wave initialises it; 2: and the others wait for it.
    gpu.func @arrive(%mode: i32, %out: !P) kernel {
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 16 : i64}} : () -> !fly.ptr<i32, shared, align<16>>
      %b = fly.to_llvm_ptr(%p) {llvm_address_space = 3 : i32} : (!fly.ptr<i32, shared, align<16>>) -> !llvm.ptr<3>
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : i32
      %zero = arith.constant 0 : index
      %isSet = arith.cmpi ne, %mode, %c0 : i32
      %isFirst = arith.cmpi eq, %t, %zero : index
      %sets = arith.andi %isSet, %isFirst : i1
      scf.if %sets {
        // 64 arrivals, phase 0.
        %init = llvm.mlir.constant(270582939711 : i64) : i64
        llvm.store %init, %b : i64, !llvm.ptr<3>
      }
      %c2 = arith.constant 2 : i32
      %isTwo = arith.cmpi eq, %mode, %c2 : i32
      scf.if %isTwo {
        gpu.barrier
      }
      %one = llvm.mlir.constant(1 : i64) : i64
      %old = rocdl.ds.atomic.barrier.arrive.rtn.b64 %b, %one : !llvm.ptr<3>, i64 -> i64
      %c32 = arith.constant 32 : index
      %w = arith.divui %t, %c32 : index
      %wave = arith.index_cast %w : index to i32
      %at = fly.make_int_tuple(%wave) : (i32) -> !fly.int_tuple<?>
      %to = fly.add_offset(%out, %at) : (!P, !fly.int_tuple<?>) -> !P
      %done = arith.constant 1 : i32
      fly.ptr.store(%done, %to) : (i32, !P) -> ()
      gpu.return
    }
  }
  func.func @main(%n0: i32, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@arrive blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%n0 : i32, %q : !P)
    return
  }
}
