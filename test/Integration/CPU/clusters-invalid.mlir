// What a cluster's workgroups do that has no defined result: masks of loads, loads
// that one of them does not issue, and barriers that not all reach.

// RUN: not fly-run %s --chip=gfx1250 --function=multicast --input=65539 --input=0 --input=64xi32=1 --input=128xi32=-1 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: clusters-invalid.mlir:[[#@LINE+51]]:{{[0-9]+}}: assertion failed: the operation assumes what does not hold: a value that is at most 65535 without sign (kernel 'multicast', workgroup ({{[02]}}, 0, 0), wave {{[01]}}, lane {{[0-9]+}})
// RUN: not fly-run %s --chip=gfx1250 --function=multicast --input=2 --input=0 --input=64xi32=1 --input=128xi32=-1 2>&1 | FileCheck %s --check-prefix=NAMES
// NAMES: clusters-invalid.mlir:[[#@LINE+49]]:{{[0-9]+}}: rocdl.tensor.load.to.lds: a tensor copy for the workgroups of mask 2 is issued by workgroup 0 of a cluster of 2; the mask must name it, and only workgroups of its cluster (kernel 'multicast', workgroup ({{[02]}}, 0, 0), wave {{[01]}})
// RUN: not fly-run %s --chip=gfx1250 --function=multicast --input=5 --input=0 --input=64xi32=1 --input=128xi32=-1 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: clusters-invalid.mlir:[[#@LINE+47]]:{{[0-9]+}}: rocdl.tensor.load.to.lds: a tensor copy for the workgroups of mask 5 is issued by workgroup 0 of a cluster of 2; the mask must name it, and only workgroups of its cluster (kernel 'multicast', workgroup ({{[02]}}, 0, 0), wave {{[01]}})
// RUN: not fly-run %s --chip=gfx1250 --function=multicast --input=3 --input=1 --input=64xi32=1 --input=128xi32=-1 2>&1 | FileCheck %s --check-prefix=LONELY
// RUN: not fly-run %s --chip=gfx1250 --function=multicast --input=3 --input=1 --input=64xi32=1 --input=128xi32=-1 --schedule=reverse 2>&1 | FileCheck %s --check-prefix=LONELY
// LONELY: clusters-invalid.mlir:[[#@LINE+44]]:{{[0-9]+}}: rocdl.tensor.load.to.lds: a load for the workgroups of mask 3 is issued 1 times by workgroup 0 of the cluster and 0 times by workgroup 1: each of them must issue the same load (kernel 'multicast', workgroup ({{[02]}}, 0, 0), wave {{[01]}})
// RUN: not fly-run %s --chip=gfx1250 --function=lost --input=0 --input=1xi32=0 --input=1xi32=0 2>&1 | FileCheck %s --check-prefix=ENDED
// RUN: not fly-run %s --chip=gfx1250 --function=lost --input=0 --input=1xi32=0 --input=1xi32=0 --schedule=reverse 2>&1 | FileCheck %s --check-prefix=ENDED
// RUN: not fly-run %s --chip=gfx1250 --function=lost --input=0 --input=1xi32=0 --input=1xi32=0 --schedule=random:3 2>&1 | FileCheck %s --check-prefix=ENDED
// ENDED: clusters-invalid.mlir:[[#@LINE+81]]:{{[0-9]+}}: rocdl.s.barrier.wait: barrier that not all workgroups of the cluster reach: workgroup (1, 0, 0) has not signalled it and has ended (kernel 'lost', workgroup (0, 0, 0), wave {{[01]}})
// RUN: not fly-run %s --chip=gfx1250 --function=lost --input=1 --input=1xi32=0 --input=1xi32=0 2>&1 | FileCheck %s --check-prefix=STUCK
// RUN: not fly-run %s --chip=gfx1250 --function=lost --input=1 --input=1xi32=0 --input=1xi32=0 --schedule=reverse 2>&1 | FileCheck %s --check-prefix=STUCK
// STUCK: clusters-invalid.mlir:[[#@LINE+90]]:{{[0-9]+}}: rocdl.s.barrier.wait: barrier that not all workgroups of the cluster reach: workgroup (1, 0, 0) has not signalled it, its wave 0 waits at rocdl.barrier at {{.*}}clusters-invalid.mlir:{{[0-9]+}}:{{[0-9]+}} (kernel 'lost', workgroup (0, 0, 0), wave {{[01]}})
// RUN: not fly-run %s --chip=gfx1250 --function=lost --input=2 --input=1xi32=0 --input=1xi32=0 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not fly-run %s --chip=gfx1250 --function=lost --input=2 --input=1xi32=0 --input=1xi32=0 --schedule=random:5 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: clusters-invalid.mlir:[[#@LINE+91]]:{{[0-9]+}}: rocdl.s.barrier.signal: the workgroup has signalled this barrier of the cluster already, by wave {{[01]}} at {{.*}}, and this wave has not waited for it since: one wave signals for its workgroup (kernel 'lost', workgroup ({{[01]}}, 0, 0), wave {{[01]}})
// RUN: not fly-run %s --chip=gfx1250 --function=lost --input=3 --input=1xi32=0 --input=1xi32=0 2>&1 | FileCheck %s --check-prefix=LANES
// LANES: clusters-invalid.mlir:[[#@LINE+95]]:{{[0-9]+}}: llvm.amdgcn.s.cluster.barrier: barrier that depends on the lane: lanes 0x7f wait here, lanes 0xffffff80 went on

!P = !fly.ptr<i32, global>
!T = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 2, pad = 0, 0>, 0>
!G = !fly.memref<i32, global, (4,8):(8,1)>
!S = !fly.memref<i32, shared, (4,8):(8,1), align<16>>

module attributes {gpu.container_module} {
  gpu.module @k {
    // Both workgroups of a cluster load the same tile of 4 x 8, half of it in each
    // wave, and store it behind the cluster's barrier. `lonely`: the second does
    // not load.
    gpu.func @multicast(%mask: i32, %lonely: i32, %x: !P, %out: !P) kernel {
      %p = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 128 : i64}} : () -> !fly.ptr<i32, shared, align<16>>
      %l = fly.static : !fly.layout<(4,8):(8,1)>
      %s = fly.make_view(%p, %l) : (!fly.ptr<i32, shared, align<16>>, !fly.layout<(4,8):(8,1)>) -> !S
      %b = gpu.block_id x
      %group = arith.index_cast %b : index to i32
      %c1 = arith.constant 1 : i32
      %c32 = arith.constant 32 : i32
      %cluster = arith.shrui %group, %c1 : i32
      %rank = arith.andi %group, %c1 : i32
      %skip = arith.muli %cluster, %c32 : i32
      %skipped = fly.make_int_tuple(%skip) : (i32) -> !fly.int_tuple<?>
      %from = fly.add_offset(%x, %skipped) : (!P, !fly.int_tuple<?>) -> !P
      %g = fly.make_view(%from, %l) : (!P, !fly.layout<(4,8):(8,1)>) -> !G
      %a = fly.make_copy_atom {valBits = 0 : i32} : !T
      %m = fly.atom.set_value(%a, "workgroup_mask", %mask) : (!T, i32) -> !T
      %absent = arith.andi %rank, %lonely : i32
      %c0 = arith.constant 0 : i32
      %loads = arith.cmpi eq, %absent, %c0 : i32
      scf.if %loads {
        fly.copy(%m, %g, %s) : (!T, !G, !S) -> ()
      }
      rocdl.s.wait.tensorcnt 0
      gpu.barrier
      llvm.call_intrinsic "llvm.amdgcn.s.cluster.barrier"() : () -> ()
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %c31 = arith.constant 31 : i32
      %low = arith.andi %tid, %c31 : i32
      %at = fly.make_coord(%low) : (i32) -> !fly.int_tuple<?>
      %v = fly.memref.load(%s, %at) : (!S, !fly.int_tuple<?>) -> i32
      %c1000 = arith.constant 1000 : i32
      %more = arith.muli %rank, %c1000 : i32
      %w = arith.addi %v, %more : i32
      %row = arith.muli %group, %c32 : i32
      %place = arith.addi %row, %low : i32
      %there = fly.make_int_tuple(%place) : (i32) -> !fly.int_tuple<?>
      %o = fly.add_offset(%out, %there) : (!P, !fly.int_tuple<?>) -> !P
      fly.ptr.store(%w, %o) : (i32, !P) -> ()
      gpu.return
    }

    // 0: workgroup 1 returns; 1: it waits at its own barrier, which its second
    // wave does not reach; 2: all waves signal; 3: lanes of a wave go around.
    gpu.func @lost(%mode: i32, %x: !P, %out: !P) kernel {
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %c1 = arith.constant 1 : index
      %c7 = arith.constant 7 : index
      %c32 = arith.constant 32 : index
      %isSecond = arith.cmpi eq, %b, %c1 : index
      %isFirstWave = arith.cmpi ult, %t, %c32 : index
      %isLow = arith.cmpi ult, %t, %c7 : index
      %m = arith.index_cast %mode : i32 to index
      scf.index_switch %m
      case 0 {
        %stays = arith.cmpi ne, %b, %c1 : index
        scf.if %stays {
          scf.if %isFirstWave {
            rocdl.s.barrier.signal id = -3
          }
          rocdl.s.barrier.wait id = -3
        }
        scf.yield
      }
      case 1 {
        %lost = arith.andi %isSecond, %isFirstWave : i1
        scf.if %lost {
          gpu.barrier
        }
        scf.if %isFirstWave {
          rocdl.s.barrier.signal id = -3
        }
        rocdl.s.barrier.wait id = -3
        scf.yield
      }
      case 2 {
        rocdl.s.barrier.signal id = -3
        rocdl.s.barrier.wait id = -3
        scf.yield
      }
      default {
        scf.if %isLow {
          llvm.call_intrinsic "llvm.amdgcn.s.cluster.barrier"() : () -> ()
        }
        scf.yield
      }
      %value = arith.constant 1 : i32
      fly.ptr.store(%value, %out) : (i32, !P) -> ()
      gpu.return
    }
  }

  func.func @multicast(%n0: i32, %n1: i32, %x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %groups = arith.constant 4 : index
    %size = arith.constant 2 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !P
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@multicast clusters in (%size, %one, %one) blocks in (%groups, %one, %one) threads in (%lanes, %one, %one) args(%n0 : i32, %n1 : i32, %p : !P, %q : !P)
    return
  }

  func.func @lost(%n0: i32, %x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %groups = arith.constant 2 : index
    %size = arith.constant 2 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !P
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@lost clusters in (%size, %one, %one) blocks in (%groups, %one, %one) threads in (%lanes, %one, %one) args(%n0 : i32, %p : !P, %q : !P)
    return
  }
}
