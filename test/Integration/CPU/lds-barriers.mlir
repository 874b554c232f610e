// Barriers in LDS: tensor copies and lanes that arrive at them, waves that pause
// until the phase is another one, and what memory checks make of both.

// DEFINE: %{tile} = --input=32xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32 --input=32xi32=-1
// DEFINE: %{same} = --expected=2:32xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32
// RUN: fly-run %s --chip=gfx1250 --function=copies --input=0 %{tile} %{same}
// RUN: fly-run %s --chip=gfx1250 --function=copies --input=0 %{tile} %{same} --schedule=reverse
// RUN: fly-run %s --chip=gfx1250 --function=copies --input=0 %{tile} %{same} --schedule=random:1
// RUN: fly-run %s --chip=gfx1250 --function=copies --input=0 %{tile} %{same} --schedule=random:2
// RUN: fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=0 %{tile} %{same} --schedule=in-order
// RUN: fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=0 %{tile} %{same} --schedule=reverse
// RUN: fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=0 %{tile} %{same} --schedule=random:3
// RUN: not fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=1 %{tile} --schedule=in-order 2>&1 | FileCheck %s --check-prefix=NOWAIT
// RUN: not fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=1 %{tile} --schedule=reverse 2>&1 | FileCheck %s --check-prefix=NOWAIT
// RUN: fly-run %s --chip=gfx1250 --function=lanes --input=1xi32=0 --input=128xi32=-1 --expected=1:128xi32=63,62,61,60,59,58,57,56,55,54,53,52,51,50,49,48,47,46,45,44,43,42,41,40,39,38,37,36,35,34,33,32,31,30,29,28,27,26,25,24,23,22,21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0,31,30,29,28,27,26,25,24,23,22,21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0,63,62,61,60,59,58,57,56,55,54,53,52,51,50,49,48,47,46,45,44,43,42,41,40,39,38,37,36,35,34,33,32
// RUN: fly-run %s --chip=gfx1250 --function=lanes --input=1xi32=0 --input=128xi32=-1 --expected=1:128xi32=63,62,61,60,59,58,57,56,55,54,53,52,51,50,49,48,47,46,45,44,43,42,41,40,39,38,37,36,35,34,33,32,31,30,29,28,27,26,25,24,23,22,21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0,63,62,61,60,59,58,57,56,55,54,53,52,51,50,49,48,47,46,45,44,43,42,41,40,39,38,37,36,35,34,33,32,31,30,29,28,27,26,25,24,23,22,21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0 --schedule=reverse
// RUN: fly-run %s --chip=gfx1250 --memory-hooks --function=loads --input=64xi32=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139,140,141,142,143,144,145,146,147,148,149,150,151,152,153,154,155,156,157,158,159,160,161,162,163 --input=64xi32=-1 --expected=1:64xi32=163,162,161,160,159,158,157,156,155,154,153,152,151,150,149,148,147,146,145,144,143,142,141,140,139,138,137,136,135,134,133,132,131,130,129,128,127,126,125,124,123,122,121,120,119,118,117,116,115,114,113,112,111,110,109,108,107,106,105,104,103,102,101,100 --schedule=in-order
// RUN: fly-run %s --chip=gfx1250 --memory-hooks --function=loads --input=64xi32=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139,140,141,142,143,144,145,146,147,148,149,150,151,152,153,154,155,156,157,158,159,160,161,162,163 --input=64xi32=-1 --expected=1:64xi32=163,162,161,160,159,158,157,156,155,154,153,152,151,150,149,148,147,146,145,144,143,142,141,140,139,138,137,136,135,134,133,132,131,130,129,128,127,126,125,124,123,122,121,120,119,118,117,116,115,114,113,112,111,110,109,108,107,106,105,104,103,102,101,100 --schedule=reverse
// RUN: fly-run %s --chip=gfx1250 --memory-hooks --function=loads --input=64xi32=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139,140,141,142,143,144,145,146,147,148,149,150,151,152,153,154,155,156,157,158,159,160,161,162,163 --input=64xi32=-1 --expected=1:64xi32=163,162,161,160,159,158,157,156,155,154,153,152,151,150,149,148,147,146,145,144,143,142,141,140,139,138,137,136,135,134,133,132,131,130,129,128,127,126,125,124,123,122,121,120,119,118,117,116,115,114,113,112,111,110,109,108,107,106,105,104,103,102,101,100 --schedule=random:2
// NOWAIT: lds-barriers.mlir:[[#@LINE+54]]:{{[0-9]+}}: read of LDS byte {{[0-9]+}}, which the rocdl.tensor.load.to.lds of wave {{[01]}} at {{.*}}lds-barriers.mlir:[[#@LINE+33]]:{{[0-9]+}} writes: that wave has not waited for it (kernel 'copies', workgroup (0, 0, 0), wave {{[01]}}, lane {{[0-9]+}})

!P = !fly.ptr<i32, global>
!T = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 2, pad = 0, 0, cache = 0, barrier = true, timeout = false>, 0>
!G = !fly.memref<i32, global, (4,8):(8,1)>
!S = !fly.memref<i32, shared, (4,8):(8,1), align<16>>
!L = !fly.ptr<i32, shared, align<16>>
!W = !fly.ptr<i32, shared>

module attributes {gpu.container_module} {
  gpu.module @k {
    // The copies of two waves, half a tile each, complete a phase of the barrier at
    // byte 0 of LDS; both wait for it (0) or do not (1).
    gpu.func @copies(%mode: i32, %x: !P, %out: !P) kernel {
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 144 : i64}} : () -> !L
      %b = fly.to_llvm_ptr(%p) {llvm_address_space = 3 : i32} : (!L) -> !llvm.ptr<3>
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %c0 = arith.constant 0 : i32
      %isFirst = arith.cmpi eq, %tid, %c0 : i32
      scf.if %isFirst {
        // Two arrivals, phase 0.
        %init = llvm.mlir.constant(4294967297 : i64) : i64
        llvm.store %init, %b : i64, !llvm.ptr<3>
      }
      gpu.barrier
      %c4 = fly.static : !fly.int_tuple<4>
      %first = fly.add_offset(%p, %c4) : (!L, !fly.int_tuple<4>) -> !L
      %l = fly.static : !fly.layout<(4,8):(8,1)>
      %s = fly.make_view(%first, %l) : (!L, !fly.layout<(4,8):(8,1)>) -> !S
      %g = fly.make_view(%x, %l) : (!P, !fly.layout<(4,8):(8,1)>) -> !G
      %o = fly.make_view(%out, %l) : (!P, !fly.layout<(4,8):(8,1)>) -> !G
      %a = fly.make_copy_atom {valBits = 0 : i32} : !T
      fly.copy(%a, %g, %s) : (!T, !G, !S) -> ()
      %waits = arith.cmpi eq, %mode, %c0 : i32
      scf.if %waits {
        scf.while : () -> () {
          %state = llvm.load %b atomic syncscope("workgroup") acquire {alignment = 8 : i64} : !llvm.ptr<3> -> i64
          %c29 = arith.constant 29 : i64
          %c7 = arith.constant 7 : i64
          %shifted = arith.shrui %state, %c29 : i64
          %phase = arith.andi %shifted, %c7 : i64
          %c0l = arith.constant 0 : i64
          %same = arith.cmpi eq, %phase, %c0l : i64
          scf.condition(%same)
        } do {
          rocdl.s.sleep 1
          scf.yield
        }
      }
      %c31 = arith.constant 31 : i32
      %low = arith.andi %tid, %c31 : i32
      %turned = arith.subi %c31, %low : i32
      %at = fly.make_coord(%turned) : (i32) -> !fly.int_tuple<?>
      %v = fly.memref.load(%s, %at) : (!S, !fly.int_tuple<?>) -> i32
      fly.memref.store(%v, %o, %at) : (i32, !G, !fly.int_tuple<?>) -> ()
      gpu.return
    }

    // All lanes arrive themselves; the state before counts down, first in the wave
    // that completes the workgroup's barrier. Behind the phase each lane reads what
    // its mirror wrote.
    gpu.func @lanes(%x: !P, %out: !P) kernel {
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 272 : i64}} : () -> !L
      %b = fly.to_llvm_ptr(%p) {llvm_address_space = 3 : i32} : (!L) -> !llvm.ptr<3>
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %c0 = arith.constant 0 : i32
      %isFirst = arith.cmpi eq, %tid, %c0 : i32
      scf.if %isFirst {
        // 64 arrivals, phase 0.
        %init = llvm.mlir.constant(270582939711 : i64) : i64
        llvm.store %init, %b : i64, !llvm.ptr<3>
      }
      gpu.barrier
      %c4 = arith.constant 4 : i32
      %c67 = arith.constant 67 : i32
      %i = arith.addi %tid, %c4 : i32
      %j = arith.subi %c67, %tid : i32
      %at = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
      %mirror = fly.make_int_tuple(%j) : (i32) -> !fly.int_tuple<?>
      %mine = fly.add_offset(%p, %at) : (!L, !fly.int_tuple<?>) -> !W
      %its = fly.add_offset(%p, %mirror) : (!L, !fly.int_tuple<?>) -> !W
      fly.ptr.store(%tid, %mine) : (i32, !W) -> ()
      %one = llvm.mlir.constant(1 : i64) : i64
      %old = rocdl.ds.atomic.barrier.arrive.rtn.b64 %b, %one : !llvm.ptr<3>, i64 -> i64
      scf.while : () -> () {
        %state = llvm.load %b atomic syncscope("workgroup") acquire {alignment = 8 : i64} : !llvm.ptr<3> -> i64
        %c29 = arith.constant 29 : i64
        %c7 = arith.constant 7 : i64
        %shifted = arith.shrui %state, %c29 : i64
        %phase = arith.andi %shifted, %c7 : i64
        %c0l = arith.constant 0 : i64
        %same = arith.cmpi eq, %phase, %c0l : i64
        scf.condition(%same)
      } do {
        rocdl.s.sleep 1
        scf.yield
      }
      %v = fly.ptr.load(%its) : (!W) -> i32
      %pending = arith.trunci %old : i64 to i32
      %n = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %to = fly.add_offset(%out, %n) : (!P, !fly.int_tuple<?>) -> !P
      %c64 = fly.static : !fly.int_tuple<64>
      %to2 = fly.add_offset(%to, %c64) : (!P, !fly.int_tuple<64>) -> !P
      fly.ptr.store(%v, %to) : (i32, !P) -> ()
      fly.ptr.store(%pending, %to2) : (i32, !P) -> ()
      gpu.return
    }

    // Asynchronous loads of two waves, behind which each lane arrives; the waits
    // are those for the barrier only.
    gpu.func @loads(%x: !P, %out: !P) kernel {
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 272 : i64}} : () -> !L
      %b = fly.to_llvm_ptr(%p) {llvm_address_space = 3 : i32} : (!L) -> !llvm.ptr<3>
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %c0 = arith.constant 0 : i32
      %isFirst = arith.cmpi eq, %tid, %c0 : i32
      scf.if %isFirst {
        // 64 arrivals, phase 0.
        %init = llvm.mlir.constant(270582939711 : i64) : i64
        llvm.store %init, %b : i64, !llvm.ptr<3>
      }
      gpu.barrier
      %c4 = arith.constant 4 : i32
      %c67 = arith.constant 67 : i32
      %i = arith.addi %tid, %c4 : i32
      %j = arith.subi %c67, %tid : i32
      %at = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
      %mirror = fly.make_int_tuple(%j) : (i32) -> !fly.int_tuple<?>
      %n = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %mine = fly.add_offset(%p, %at) : (!L, !fly.int_tuple<?>) -> !W
      %its = fly.add_offset(%p, %mirror) : (!L, !fly.int_tuple<?>) -> !W
      %from = fly.add_offset(%x, %n) : (!P, !fly.int_tuple<?>) -> !P
      %g = fly.to_llvm_ptr(%from) {llvm_address_space = 1 : i32} : (!P) -> !llvm.ptr<1>
      %l = fly.to_llvm_ptr(%mine) {llvm_address_space = 3 : i32} : (!W) -> !llvm.ptr<3>
      rocdl.global.load.async.to.lds.b32 %g, %l, 0, 0 : !llvm.ptr<1>, !llvm.ptr<3>
      rocdl.ds.atomic.async.barrier.arrive.b64 %b : !llvm.ptr<3>
      scf.while : () -> () {
        %state = llvm.load %b atomic syncscope("workgroup") acquire {alignment = 8 : i64} : !llvm.ptr<3> -> i64
        %c29 = arith.constant 29 : i64
        %c7 = arith.constant 7 : i64
        %shifted = arith.shrui %state, %c29 : i64
        %phase = arith.andi %shifted, %c7 : i64
        %c0l = arith.constant 0 : i64
        %same = arith.cmpi eq, %phase, %c0l : i64
        scf.condition(%same)
      } do {
        rocdl.s.sleep 1
        scf.yield
      }
      %v = fly.ptr.load(%its) : (!W) -> i32
      %to = fly.add_offset(%out, %n) : (!P, !fly.int_tuple<?>) -> !P
      fly.ptr.store(%v, %to) : (i32, !P) -> ()
      gpu.return
    }
  }

  func.func @copies(%n0: i32, %x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %groups = arith.constant 1 : index
    %size = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !P
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@copies clusters in (%size, %one, %one) blocks in (%groups, %one, %one) threads in (%lanes, %one, %one) args(%n0 : i32, %p : !P, %q : !P)
    return
  }

  func.func @lanes(%x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %groups = arith.constant 1 : index
    %size = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !P
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@lanes clusters in (%size, %one, %one) blocks in (%groups, %one, %one) threads in (%lanes, %one, %one) args(%p : !P, %q : !P)
    return
  }

  func.func @loads(%x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %groups = arith.constant 1 : index
    %size = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !P
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@loads clusters in (%size, %one, %one) blocks in (%groups, %one, %one) threads in (%lanes, %one, %one) args(%p : !P, %q : !P)
    return
  }
}
