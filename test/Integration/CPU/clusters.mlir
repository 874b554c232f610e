// Clusters of workgroups by value: their barrier in two halves and whole, where a
// workgroup is in its cluster, and tensor copies that several of them issue.

// DEFINE: %{sums} = 256xi32=384,381,378,375,372,369,366,363,360,357,354,351,348,345,342,339,336,333,330,327,324,321,318,315,312,309,306,303,300,297,294,291,288,285,282,279,276,273,270,267,264,261,258,255,252,249,246,243,240,237,234,231,228,225,222,219,216,213,210,207,204,201,198,195,192,189,186,183,180,177,174,171,168,165,162,159,156,153,150,147,144,141,138,135,132,129,126,123,120,117,114,111,108,105,102,99,96,93,90,87,84,81,78,75,72,69,66,63,60,57,54,51,48,45,42,39,36,33,30,27,24,21,18,15,12,9,6,3,768,765,762,759,756,753,750,747,744,741,738,735,732,729,726,723,720,717,714,711,708,705,702,699,696,693,690,687,684,681,678,675,672,669,666,663,660,657,654,651,648,645,642,639,636,633,630,627,624,621,618,615,612,609,606,603,600,597,594,591,588,585,582,579,576,573,570,567,564,561,558,555,552,549,546,543,540,537,534,531,528,525,522,519,516,513,510,507,504,501,498,495,492,489,486,483,480,477,474,471,468,465,462,459,456,453,450,447,444,441,438,435,432,429,426,423,420,417,414,411,408,405,402,399,396,393,390,387
// RUN: fly-run %s --chip=gfx1250 --function=exchange --input=256xi32=-1 --input=256xi32=-1 --expected=1:%{sums}
// RUN: fly-run %s --chip=gfx1250 --function=exchange --input=256xi32=-1 --input=256xi32=-1 --expected=1:%{sums} --schedule=reverse
// RUN: fly-run %s --chip=gfx1250 --function=exchange --input=256xi32=-1 --input=256xi32=-1 --expected=1:%{sums} --schedule=random:7
// RUN: fly-run %s --chip=gfx1250 --function=exchange --input=256xi32=-1 --input=256xi32=-1 --expected=1:%{sums} --memory-hooks

// RUN: fly-run %s --chip=gfx1250 --function=ids --input=1xi32=0 --input=30xi32=-1 --expected=1:30xi32=0,0,0,2,2,0,1,1,2,2,0,2,2,2,2,1,0,0,2,2,1,1,1,2,2,1,2,2,2,2

// DEFINE: %{tiles} = --input=64xi32=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64 --input=128xi32=-1
// DEFINE: %{stored} = 128xi32=1,9,17,25,2,10,18,26,3,11,19,27,4,12,20,28,5,13,21,29,6,14,22,30,7,15,23,31,8,16,24,32,1001,1009,1017,1025,1002,1010,1018,1026,1003,1011,1019,1027,1004,1012,1020,1028,1005,1013,1021,1029,1006,1014,1022,1030,1007,1015,1023,1031,1008,1016,1024,1032,33,41,49,57,34,42,50,58,35,43,51,59,36,44,52,60,37,45,53,61,38,46,54,62,39,47,55,63,40,48,56,64,1033,1041,1049,1057,1034,1042,1050,1058,1035,1043,1051,1059,1036,1044,1052,1060,1037,1045,1053,1061,1038,1046,1054,1062,1039,1047,1055,1063,1040,1048,1056,1064
// RUN: fly-run %s --chip=gfx1250 --function=multicast --input=3 --input=0 %{tiles} --expected=3:%{stored}
// RUN: fly-run %s --chip=gfx1250 --function=multicast --input=3 --input=0 %{tiles} --expected=3:%{stored} --schedule=reverse
// RUN: fly-run %s --chip=gfx1250 --function=multicast --input=3 --input=0 %{tiles} --expected=3:%{stored} --schedule=random:7
// RUN: fly-run %s --chip=gfx1250 --function=multicast --input=3 --input=0 %{tiles} --expected=3:%{stored} --memory-hooks
// RUN: fly-run %s --chip=gfx1250 --function=multicast --input=0 --input=0 %{tiles} --expected=3:%{stored}

!P = !fly.ptr<i32, global>
!T = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 2, pad = 0, 0>, 0>
!G = !fly.memref<i32, global, (4,8):(8,1)>
!S = !fly.memref<i32, shared, (4,8):(8,1), align<16>>

module attributes {gpu.container_module} {
  gpu.module @k {
    // Each lane stores its number and reads that of its mirror in the cluster's
    // other workgroup, behind the barrier, three times over. The first wave
    // signals for its workgroup.
    gpu.func @exchange(%x: !P, %out: !P) kernel {
      %b = gpu.block_id x
      %group = arith.index_cast %b : index to i32
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %c1 = arith.constant 1 : i32
      %c32 = arith.constant 32 : i32
      %c63 = arith.constant 63 : i32
      %c64 = arith.constant 64 : i32
      %row = arith.muli %group, %c64 : i32
      %at = arith.addi %row, %tid : i32
      %other = arith.xori %group, %c1 : i32
      %row2 = arith.muli %other, %c64 : i32
      %turned = arith.subi %c63, %tid : i32
      %mirror = arith.addi %row2, %turned : i32
      %here = fly.make_int_tuple(%at) : (i32) -> !fly.int_tuple<?>
      %there = fly.make_int_tuple(%mirror) : (i32) -> !fly.int_tuple<?>
      %mine = fly.add_offset(%x, %here) : (!P, !fly.int_tuple<?>) -> !P
      %its = fly.add_offset(%x, %there) : (!P, !fly.int_tuple<?>) -> !P
      %o = fly.add_offset(%out, %here) : (!P, !fly.int_tuple<?>) -> !P
      %first = arith.cmpi ult, %tid, %c32 : i32
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %three = arith.constant 3 : index
      %start = arith.constant 0 : i32
      %sum = scf.for %i = %zero to %three step %one iter_args(%s = %start) -> i32 {
        %n = arith.index_cast %i : index to i32
        %v = arith.addi %at, %n : i32
        fly.ptr.store(%v, %mine) : (i32, !P) -> ()
        gpu.barrier
        scf.if %first {
          rocdl.s.barrier.signal id = -3
        }
        rocdl.s.barrier.wait id = -3
        %got = fly.ptr.load(%its) : (!P) -> i32
        %next = arith.addi %s, %got : i32
        gpu.barrier
        scf.if %first {
          rocdl.s.barrier.signal id = -3
        }
        rocdl.s.barrier.wait id = -3
        scf.yield %next : i32
      }
      fly.ptr.store(%sum, %o) : (i32, !P) -> ()
      gpu.return
    }

    // Workgroups tell where they are: the cluster, the number in it and the largest
    // of these, along x and counted through.
    gpu.func @ids(%x: !P, %out: !P) kernel {
      %b = gpu.block_id x
      %group = arith.index_cast %b : index to i32
      %c5 = arith.constant 5 : i32
      %row = arith.muli %group, %c5 : i32
      %at = fly.make_int_tuple(%row) : (i32) -> !fly.int_tuple<?>
      %o = fly.add_offset(%out, %at) : (!P, !fly.int_tuple<?>) -> !P
      %cluster = rocdl.cluster.id.x : i32
      %id = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.id.x"() : () -> i32
      %flat = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.flat.id"() : () -> i32
      %most = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.max.id.x"() : () -> i32
      %last = llvm.call_intrinsic "llvm.amdgcn.cluster.workgroup.max.flat.id"() : () -> i32
      %a0 = fly.static : !fly.int_tuple<0>
      %p0 = fly.add_offset(%o, %a0) : (!P, !fly.int_tuple<0>) -> !P
      fly.ptr.store(%cluster, %p0) : (i32, !P) -> ()
      %a1 = fly.static : !fly.int_tuple<1>
      %p1 = fly.add_offset(%o, %a1) : (!P, !fly.int_tuple<1>) -> !P
      fly.ptr.store(%id, %p1) : (i32, !P) -> ()
      %a2 = fly.static : !fly.int_tuple<2>
      %p2 = fly.add_offset(%o, %a2) : (!P, !fly.int_tuple<2>) -> !P
      fly.ptr.store(%flat, %p2) : (i32, !P) -> ()
      %a3 = fly.static : !fly.int_tuple<3>
      %p3 = fly.add_offset(%o, %a3) : (!P, !fly.int_tuple<3>) -> !P
      fly.ptr.store(%most, %p3) : (i32, !P) -> ()
      %a4 = fly.static : !fly.int_tuple<4>
      %p4 = fly.add_offset(%o, %a4) : (!P, !fly.int_tuple<4>) -> !P
      fly.ptr.store(%last, %p4) : (i32, !P) -> ()
      gpu.return
    }

    // Both workgroups of a cluster load the same tile of 4 x 8, half of it in each
    // wave, and store its columns behind the cluster's barrier. `lonely`: the
    // second does not load.
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
  }

  func.func @exchange(%x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %groups = arith.constant 4 : index
    %size = arith.constant 2 : index
    %lanes = arith.constant 64 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !P
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@exchange clusters in (%size, %one, %one) blocks in (%groups, %one, %one) threads in (%lanes, %one, %one) args(%p : !P, %q : !P)
    return
  }

  func.func @ids(%x: !fly.memref<i32, global, ?:1>, %out: !fly.memref<i32, global, ?:1>) {
    %one = arith.constant 1 : index
    %groups = arith.constant 6 : index
    %size = arith.constant 3 : index
    %lanes = arith.constant 1 : index
    %p = fly.get_iter(%x) : (!fly.memref<i32, global, ?:1>) -> !P
    %q = fly.get_iter(%out) : (!fly.memref<i32, global, ?:1>) -> !P
    gpu.launch_func @k::@ids clusters in (%size, %one, %one) blocks in (%groups, %one, %one) threads in (%lanes, %one, %one) args(%p : !P, %q : !P)
    return
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
}
