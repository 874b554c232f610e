// With memory checks, an access to LDS that a load to LDS of another wave may still
// be writing is a fault, in every order of the waves. These loads count in vmcnt.
// A fence that releases waits for them, so does gpu.barrier (0); a bare s_barrier
// needs s_waitcnt (1), else (2) it is no use. vmcnt(1) is enough with a load
// behind the move (3), not without (4).

// DEFINE: %{lanes} = --input=128xi32=7 --input=128xi32=-1
// DEFINE: %{turned} = 128xi32=7

// RUN: fly-run %s --memory-hooks --chip=gfx942 --function=dma --input=0 %{lanes} --expected=2:%{turned}
// RUN: fly-run %s --memory-hooks --chip=gfx942 --function=dma --input=1 %{lanes} --expected=2:%{turned}
// RUN: fly-run %s --memory-hooks --chip=gfx942 --function=dma --input=3 %{lanes} --expected=2:%{turned}
// RUN: not fly-run %s --memory-hooks --chip=gfx942 --function=dma --input=2 %{lanes} 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not fly-run %s --memory-hooks --chip=gfx942 --function=dma --input=2 --schedule=reverse %{lanes} 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not fly-run %s --memory-hooks --chip=gfx942 --function=dma --input=4 %{lanes} 2>&1 | FileCheck %s --check-prefix=BARE
// BARE: move-checks-lds.mlir:[[#@LINE+62]]:{{[0-9]+}}: read of LDS byte {{[0-9]+}}, which the rocdl.raw.ptr.buffer.load.lds of wave {{[01]}} at {{.*}}move-checks-lds.mlir:[[#@LINE+27]]:{{[0-9]+}} writes: that wave has not waited for it (kernel 'dma', workgroup (0, 0, 0), wave {{[01]}}, lane 0)

// What is read past the end of an array has its lane.
// RUN: not fly-run %s --memory-hooks --chip=gfx942 --function=dma --input=0 --input=100xi32=7 --input=128xi32=-1 2>&1 | FileCheck %s --check-prefix=PAST
// PAST: move-checks-lds.mlir:[[#@LINE+23]]:{{[0-9]+}}: rocdl.raw.ptr.buffer.load.lds: read of 4 bytes, 0 bytes past the end of an array of 400 bytes (kernel 'dma', workgroup (0, 0, 0), wave 1, lane 36)

!P = !fly.ptr<i32, global>
!D = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<32>, 32>
!B = !fly.ptr<i32, #fly_rocdl.buffer_desc>

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @dma(%mode: i32, %x: !P, %out: !P) kernel {
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 512 : i64}} : () -> !fly.ptr<i32, shared, align<16>>
      %l = fly.static : !fly.layout<1:1>
      %stride = arith.constant 0 : i16
      %size = arith.constant 4294967295 : i64
      %flags = arith.constant 159744 : i32
      %buffer = fly.make_ptr(%x, %stride, %size, %flags) : (!P, i16, i64, i32) -> !B
      %from = fly.add_offset(%buffer, %at) : (!B, !fly.int_tuple<?>) -> !B
      %to = fly.add_offset(%p, %at) : (!fly.ptr<i32, shared, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<i32, shared>
      %s = fly.make_view(%from, %l) : (!B, !fly.layout<1:1>) -> !fly.memref<i32, #fly_rocdl.buffer_desc, 1:1>
      %d = fly.make_view(%to, %l) : (!fly.ptr<i32, shared>, !fly.layout<1:1>) -> !fly.memref<i32, shared, 1:1>
      %a = fly.make_copy_atom {valBits = 32 : i32} : !D
      fly.copy_atom_call(%a, %s, %d) : (!D, !fly.memref<i32, #fly_rocdl.buffer_desc, 1:1>, !fly.memref<i32, shared, 1:1>) -> ()
      %i = arith.index_cast %mode : i32 to index
      %zero = arith.constant 0 : i32
      %extra = scf.index_switch %i -> i32
      case 0 {
        gpu.barrier
        scf.yield %zero : i32
      }
      case 1 {
        rocdl.s.waitcnt 0
        rocdl.s.barrier
        scf.yield %zero : i32
      }
      case 3 {
        %loaded = fly.ptr.load(%from) : (!B) -> i32
        // 7 / 8 = 0, but no folding knows it.
        %three = arith.constant 3 : i32
        %more = arith.shrui %loaded, %three : i32
        rocdl.s.waitcnt 1
        rocdl.s.barrier
        scf.yield %more : i32
      }
      case 4 {
        rocdl.s.waitcnt 1
        rocdl.s.barrier
        scf.yield %zero : i32
      }
      default {
        rocdl.s.barrier
        scf.yield %zero : i32
      }
      %last = arith.constant 127 : i32
      %turned = arith.subi %last, %tid : i32
      %where = fly.make_int_tuple(%turned) : (i32) -> !fly.int_tuple<?>
      %q = fly.add_offset(%p, %where) : (!fly.ptr<i32, shared, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<i32, shared>
      %v = fly.ptr.load(%q) : (!fly.ptr<i32, shared>) -> i32
      %sum = arith.addi %v, %extra : i32
      %o = fly.add_offset(%out, %at) : (!P, !fly.int_tuple<?>) -> !P
      fly.ptr.store(%sum, %o) : (i32, !P) -> ()
      gpu.return
    }
  }

  func.func @dma(%mode: i32, %x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 128 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !P
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@dma blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%mode : i32, %p : !P, %q : !P)
    return
  }
}
