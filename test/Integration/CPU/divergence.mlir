// RUN: %python %S/Inputs/lockstep.py 96 64 %t.wave64.npy
// RUN: %python %S/Inputs/lockstep.py 96 32 %t.wave32.npy
// RUN: %python %S/Inputs/lockstep.py 50 32 %t.half.npy
// RUN: fly-run %s --chip=gfx942 --device=cpu --input=96xi32=-1 --input=96 --expected=0:@%t.wave64.npy
// RUN: fly-run %s --chip=gfx1100 --device=cpu --input=96xi32=-1 --input=96 --expected=0:@%t.wave32.npy
// RUN: fly-run %s --chip=gfx1201 --device=cpu --input=50xi32=-1 --input=50 --expected=0:@%t.half.npy
// RUN: fly-run %s --chip=gfx1100 --device=cpu --schedule=reverse --input=96xi32=-1 --input=96 --expected=0:@%t.wave32.npy
// RUN: fly-run %s --chip=gfx1100 --device=cpu --schedule=random:7 --input=96xi32=-1 --input=96 --expected=0:@%t.wave32.npy

// A branch in a loop whose number of rounds depends on the lane, with
// cross-lane operations in both arms and in a branch inside of one; waves of 64
// and 32 lanes, the last one partly filled.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @diverge(%out: !fly.memref<i32, global, ?:1>) kernel {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %c5 = arith.constant 5 : i32
      %true = arith.constant true
      %rest = arith.remui %tid, %c5 : i32
      %rounds = arith.addi %rest, %c1 : i32
      %sum = scf.for %i = %c0 to %rounds step %c1 iter_args(%acc = %c0) -> (i32) : i32 {
        %s = arith.addi %tid, %i : i32
        %low = arith.andi %s, %c1 : i32
        %odd = arith.cmpi ne, %low, %c0 : i32
        %next = scf.if %odd -> (i32) {
          %votes = rocdl.ballot %true : i64
          %count = math.ctpop %votes : i64
          %count32 = arith.trunci %count : i64 to i32
          %a = arith.addi %acc, %count32 : i32
          scf.yield %a : i32
        } else {
          %first = rocdl.readfirstlane %tid : i32
          %triple = arith.muli %first, %c3 : i32
          %a = arith.addi %acc, %triple : i32
          %bit = arith.andi %tid, %c2 : i32
          %inner = arith.cmpi ne, %bit, %c0 : i32
          %b = scf.if %inner -> (i32) {
            %alow = arith.andi %a, %c1 : i32
            %aodd = arith.cmpi ne, %alow, %c0 : i32
            %votes = rocdl.ballot %aodd : i64
            %count = math.ctpop %votes : i64
            %count32 = arith.trunci %count : i64 to i32
            %c = arith.addi %a, %count32 : i32
            scf.yield %c : i32
          } else {
            scf.yield %a : i32
          }
          scf.yield %b : i32
        }
        scf.yield %next : i32
      }
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      fly.memref.store(%sum, %out, %at) : (i32, !fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
  }
  func.func @main(%out: !fly.memref<i32, global, ?:1>, %n: i32) {
    %one = arith.constant 1 : index
    %lanes = arith.index_cast %n : i32 to index
    gpu.launch_func @kernels::@diverge blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%out : !fly.memref<i32, global, ?:1>)
    return
  }
}
