// Asynchronous copies of the lanes, by value, and with memory checks: they count in
// asynccnt, for which only s_wait_asynccnt waits, in front of the wave's own access
// as well. What a store reads must not change until then. Loads for a cluster are
// held against the LDS and the waves of each workgroup.

// DEFINE: %{io} = --input=64xi32=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139,140,141,142,143,144,145,146,147,148,149,150,151,152,153,154,155,156,157,158,159,160,161,162,163 --input=128xi32=-1
// DEFINE: %{want} = --expected=2:128xi32=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124,125,126,127,128,129,130,131,132,133,134,135,136,137,138,139,140,141,142,143,144,145,146,147,148,149,150,151,152,153,154,155,156,157,158,159,160,161,162,163,163,162,161,160,159,158,157,156,155,154,153,152,151,150,149,148,147,146,145,144,143,142,141,140,139,138,137,136,135,134,133,132,131,130,129,128,127,126,125,124,123,122,121,120,119,118,117,116,115,114,113,112,111,110,109,108,107,106,105,104,103,102,101,100
// DEFINE: %{both} = --expected=2:128xi32=163,162,161,160,159,158,157,156,155,154,153,152,151,150,149,148,147,146,145,144,143,142,141,140,139,138,137,136,135,134,133,132,131,130,129,128,127,126,125,124,123,122,121,120,119,118,117,116,115,114,113,112,111,110,109,108,107,106,105,104,103,102,101,100,163,162,161,160,159,158,157,156,155,154,153,152,151,150,149,148,147,146,145,144,143,142,141,140,139,138,137,136,135,134,133,132,131,130,129,128,127,126,125,124,123,122,121,120,119,118,117,116,115,114,113,112,111,110,109,108,107,106,105,104,103,102,101,100
// RUN: fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=0 %{io} %{want}
// RUN: fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=0 %{io} %{want} --schedule=reverse
// RUN: fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=0 %{io} %{want} --schedule=random:1
// RUN: not fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=1 %{io} 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: not fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=1 %{io} --schedule=reverse 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: not fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=2 %{io} 2>&1 | FileCheck %s --check-prefix=MEET
// RUN: not fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=3 %{io} 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: not fly-run %s --chip=gfx1250 --memory-hooks --function=copies --input=4 %{io} 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: fly-run %s --chip=gfx1250 --function=copies --input=1 %{io} %{want}
// RUN: fly-run %s --chip=gfx1250 --memory-hooks --function=cluster --input=2 %{io} %{both}
// RUN: fly-run %s --chip=gfx1250 --memory-hooks --function=cluster --input=2 %{io} %{both} --schedule=reverse
// RUN: not fly-run %s --chip=gfx1250 --memory-hooks --function=cluster --input=0 %{io} 2>&1 | FileCheck %s --check-prefixes=RACE,FIRST
// RUN: not fly-run %s --chip=gfx1250 --memory-hooks --function=cluster --input=1 %{io} 2>&1 | FileCheck %s --check-prefixes=RACE,SECOND
// RUN: not fly-run %s --chip=gfx1250 --memory-hooks --function=cluster --input=1 %{io} --schedule=reverse 2>&1 | FileCheck %s --check-prefixes=RACE,SECOND
// RUN: not fly-run %s --chip=gfx1250 --memory-hooks --function=cluster --input=1 %{io} --schedule=random:4 2>&1 | FileCheck %s --check-prefixes=RACE,SECOND
// WAIT: move-checks-async.mlir:[[#@LINE+49]]:{{[0-9]+}}: read of LDS byte {{[0-9]+}}, which the rocdl.global.load.async.to.lds.b32 of wave {{[01]}} at {{.*}}move-checks-async.mlir:[[#@LINE+28]]:{{[0-9]+}} writes: that wave has not waited for it (kernel 'copies', workgroup (0, 0, 0), wave {{[01]}}, lane 0)
// OWN: move-checks-async.mlir:[[#@LINE+48]]:{{[0-9]+}}: read of LDS byte {{[0-9]+}}, which the rocdl.global.load.async.to.lds.b32 of wave [[W:[01]]] at {{.*}}move-checks-async.mlir:[[#@LINE+27]]:{{[0-9]+}} writes: that wave has not waited for it (kernel 'copies', workgroup (0, 0, 0), wave [[W]], lane 0)
// MEET: move-checks-async.mlir:[[#@LINE+26]]:{{[0-9]+}}: rocdl.global.load.async.to.lds.b32: writes LDS that wave 0 reads at {{.*}}move-checks-async.mlir:[[#@LINE+47]]:{{[0-9]+}}: no barrier between (kernel 'copies', workgroup (0, 0, 0), wave 1, lane
// SOURCE: move-checks-async.mlir:[[#@LINE+57]]:{{[0-9]+}}: write to LDS byte {{[0-9]+}}, which the llvm.amdgcn.global.store.async.from.lds.b32 of wave [[W:[01]]] at {{.*}}move-checks-async.mlir:[[#@LINE+51]]:{{[0-9]+}} reads: that wave has not waited for it (kernel 'copies', workgroup (0, 0, 0), wave [[W]], lane 0)
// RACE: move-checks-async.mlir:[[#@LINE+88]]:{{[0-9]+}}: read of LDS byte {{[0-9]+}}, which the rocdl.cluster.load.async.to.lds.b32 of wave {{[01]}} at {{.*}}move-checks-async.mlir:[[#@LINE+77]]:{{[0-9]+}} writes: that wave has not waited for it
// FIRST-SAME: (kernel 'cluster', workgroup (0, 0, 0), wave {{[01]}}, lane 0)
// SECOND-SAME: (kernel 'cluster', workgroup (1, 0, 0), wave {{[01]}}, lane 0)

!P = !fly.ptr<i32, global>
!L = !fly.ptr<i32, shared, align<16>>
!W = !fly.ptr<i32, shared>

module attributes {gpu.container_module} {
  gpu.module @k {
    // Each lane loads its element, then reads that of its mirror (3: its own), then
    // stores its element from shared memory and writes another one there.
    // 1, 3: no wait for the load; 2: no barrier; 4: no wait for the store.
    gpu.func @copies(%mode: i32, %x: !P, %out: !P) kernel {
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %c63 = arith.constant 63 : i32
      %turned = arith.subi %c63, %tid : i32
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 256 : i64}} : () -> !L
      %from = fly.add_offset(%x, %at) : (!P, !fly.int_tuple<?>) -> !P
      %mine = fly.add_offset(%p, %at) : (!L, !fly.int_tuple<?>) -> !W
      %g = fly.to_llvm_ptr(%from) {llvm_address_space = 1 : i32} : (!P) -> !llvm.ptr<1>
      %l = fly.to_llvm_ptr(%mine) {llvm_address_space = 3 : i32} : (!W) -> !llvm.ptr<3>
      rocdl.global.load.async.to.lds.b32 %g, %l, 0, 0 : !llvm.ptr<1>, !llvm.ptr<3>
      %i = arith.index_cast %mode : i32 to index
      %read = scf.index_switch %i -> i32
      case 1 {
        gpu.barrier
        scf.yield %turned : i32
      }
      case 2 {
        rocdl.s.wait.asynccnt 0
        scf.yield %turned : i32
      }
      case 3 {
        scf.yield %tid : i32
      }
      default {
        rocdl.s.wait.asynccnt 0
        gpu.barrier
        scf.yield %turned : i32
      }
      %where = fly.make_int_tuple(%read) : (i32) -> !fly.int_tuple<?>
      %q = fly.add_offset(%p, %where) : (!L, !fly.int_tuple<?>) -> !W
      %v = fly.ptr.load(%q) : (!W) -> i32
      gpu.barrier
      %to = fly.add_offset(%out, %at) : (!P, !fly.int_tuple<?>) -> !P
      %o = fly.to_llvm_ptr(%to) {llvm_address_space = 1 : i32} : (!P) -> !llvm.ptr<1>
      %zero = llvm.mlir.constant(0 : i32) : i32
      llvm.call_intrinsic "llvm.amdgcn.global.store.async.from.lds.b32"(%o, %l, %zero, %zero) : (!llvm.ptr<1>, !llvm.ptr<3>, i32, i32) -> ()
      %c4 = arith.constant 4 : i32
      %waits = arith.cmpi ne, %mode, %c4 : i32
      scf.if %waits {
        rocdl.s.wait.asynccnt 0
      }
      fly.ptr.store(%v, %mine) : (i32, !W) -> ()
      %c64 = fly.static : !fly.int_tuple<64>
      %to2 = fly.add_offset(%to, %c64) : (!P, !fly.int_tuple<64>) -> !P
      fly.ptr.store(%v, %to2) : (i32, !P) -> ()
      gpu.return
    }

    // Two workgroups load the same elements together; that of number `who` does
    // not wait for it.
    gpu.func @cluster(%who: i32, %x: !P, %out: !P) kernel {
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %c63 = arith.constant 63 : i32
      %turned = arith.subi %c63, %tid : i32
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 256 : i64}} : () -> !L
      %from = fly.add_offset(%x, %at) : (!P, !fly.int_tuple<?>) -> !P
      %mine = fly.add_offset(%p, %at) : (!L, !fly.int_tuple<?>) -> !W
      %g = fly.to_llvm_ptr(%from) {llvm_address_space = 1 : i32} : (!P) -> !llvm.ptr<1>
      %l = fly.to_llvm_ptr(%mine) {llvm_address_space = 3 : i32} : (!W) -> !llvm.ptr<3>
      %both = arith.constant 3 : i32
      rocdl.cluster.load.async.to.lds.b32 %g, %l, 0, 0, %both : !llvm.ptr<1>, !llvm.ptr<3>
      %b = gpu.block_id x
      %group = arith.index_cast %b : index to i32
      %waits = arith.cmpi ne, %group, %who : i32
      scf.if %waits {
        rocdl.s.wait.asynccnt 0
      }
      gpu.barrier
      llvm.call_intrinsic "llvm.amdgcn.s.cluster.barrier"() : () -> ()
      %where = fly.make_int_tuple(%turned) : (i32) -> !fly.int_tuple<?>
      %q = fly.add_offset(%p, %where) : (!L, !fly.int_tuple<?>) -> !W
      %v = fly.ptr.load(%q) : (!W) -> i32
      %c64 = arith.constant 64 : i32
      %row = arith.muli %group, %c64 : i32
      %place = arith.addi %row, %tid : i32
      %there = fly.make_int_tuple(%place) : (i32) -> !fly.int_tuple<?>
      %o = fly.add_offset(%out, %there) : (!P, !fly.int_tuple<?>) -> !P
      fly.ptr.store(%v, %o) : (i32, !P) -> ()
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

  func.func @cluster(%n0: i32, %x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %groups = arith.constant 2 : index
    %size = arith.constant 2 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !P
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@cluster clusters in (%size, %one, %one) blocks in (%groups, %one, %one) threads in (%lanes, %one, %one) args(%n0 : i32, %p : !P, %q : !P)
    return
  }
}
