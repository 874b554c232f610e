// With memory checks, an access to LDS that a tensor copy may still be writing is
// a fault, in every order of the waves. Tensor copies count in tensorcnt, which
// nothing but s_wait_tensorcnt waits for: a barrier does not. The kernel takes
// as arguments whether it waits and whether it has a barrier.

// DEFINE: %{tile} = --input=32xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32 --input=32xi32=-1
// DEFINE: %{result} = 32xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32

// RUN: fly-run %s --memory-hooks --chip=gfx1250 --function=tdm --input=1 --input=1 %{tile} --expected=3:%{result}
// RUN: fly-run %s --memory-hooks --chip=gfx1250 --function=tdm --input=1 --input=1 --schedule=reverse %{tile} --expected=3:%{result}
// RUN: not fly-run %s --memory-hooks --chip=gfx1250 --function=tdm --input=0 --input=1 %{tile} 2>&1 | FileCheck %s --check-prefix=NOWAIT
// RUN: not fly-run %s --memory-hooks --chip=gfx1250 --function=tdm --input=0 --input=1 --schedule=reverse %{tile} 2>&1 | FileCheck %s --check-prefix=NOWAIT
// RUN: not fly-run %s --memory-hooks --chip=gfx1250 --function=tdm --input=1 --input=0 %{tile} 2>&1 | FileCheck %s --check-prefix=NOBARRIER
// RUN: not fly-run %s --memory-hooks --chip=gfx1250 --function=tdm --input=1 --input=0 --schedule=reverse %{tile} 2>&1 | FileCheck %s --check-prefix=NOBARRIER
// Without the checks the copy is done at once, so that nothing is seen.
// RUN: fly-run %s --chip=gfx1250 --function=tdm --input=0 --input=1 %{tile} --expected=3:%{result}

// NOWAIT: move-checks-tensor.mlir:[[#@LINE+33]]:{{[0-9]+}}: read of LDS byte {{[0-9]+}}, which the rocdl.tensor.load.to.lds of wave {{[01]}} at {{.*}}move-checks-tensor.mlir:[[#@LINE+19]]:{{[0-9]+}} writes: that wave has not waited for it (kernel 'tdm', workgroup (0, 0, 0), wave {{[01]}}, lane 0)
// NOBARRIER: move-checks-tensor.mlir:[[#@LINE+18]]:{{[0-9]+}}: rocdl.tensor.load.to.lds: writes LDS that wave [[W:[01]]] reads at {{.*}}move-checks-tensor.mlir:[[#@LINE+32]]:{{[0-9]+}}: no barrier between (kernel 'tdm', workgroup (0, 0, 0), wave {{[01]}})

!P = !fly.ptr<i32, global>
!T = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 2, pad = 0, 0>, 0>
!G = !fly.memref<i32, global, (4,8):(8,1)>
!S = !fly.memref<i32, shared, (4,8):(8,1), align<16>>

module attributes {gpu.container_module} {
  gpu.module @k {
    // Two waves copy half a tile each; then both read all of it.
    gpu.func @tdm(%wait: i32, %barrier: i32, %x: !P, %out: !P) kernel {
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 128 : i64}} : () -> !fly.ptr<i32, shared, align<16>>
      %l = fly.static : !fly.layout<(4,8):(8,1)>
      %s = fly.make_view(%p, %l) : (!fly.ptr<i32, shared, align<16>>, !fly.layout<(4,8):(8,1)>) -> !S
      %g = fly.make_view(%x, %l) : (!P, !fly.layout<(4,8):(8,1)>) -> !G
      %o = fly.make_view(%out, %l) : (!P, !fly.layout<(4,8):(8,1)>) -> !G
      %a = fly.make_copy_atom {valBits = 0 : i32} : !T
      %c0 = arith.constant 0 : i32
      fly.copy(%a, %g, %s) : (!T, !G, !S) -> ()
      %w = arith.cmpi ne, %wait, %c0 : i32
      scf.if %w {
        rocdl.s.wait.tensorcnt 0
      }
      %b = arith.cmpi ne, %barrier, %c0 : i32
      scf.if %b {
        gpu.barrier
      }
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %c31 = arith.constant 31 : i32
      %low = arith.andi %tid, %c31 : i32
      %at = fly.make_coord(%low) : (i32) -> !fly.int_tuple<?>
      %v = fly.memref.load(%s, %at) : (!S, !fly.int_tuple<?>) -> i32
      fly.memref.store(%v, %o, %at) : (i32, !G, !fly.int_tuple<?>) -> ()
      gpu.return
    }
  }

  func.func @tdm(%n0: i32, %n1: i32, %x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !P
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@tdm blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%n0 : i32, %n1 : i32, %p : !P, %q : !P)
    return
  }
}
