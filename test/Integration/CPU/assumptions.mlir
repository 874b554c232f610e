// What a kernel lets the code generator take for granted is checked on the CPU, lane by lane.

// RUN: fly-run %s --chip=gfx942 --input=64 --input=64xi32=0 --expected=1:64xi32=1
// RUN: not fly-run %s --chip=gfx942 --input=9 --input=64xi32=0 2>&1 | FileCheck %s --check-prefix=LESS
// LESS: assumptions.mlir:[[#@LINE+22]]:{{[0-9]+}}: assertion failed: the operation assumes what does not hold: a value that is at least -3 (kernel 'assume', workgroup (0, 0, 0), wave 0, lane 13)
// RUN: not fly-run %s --chip=gfx942 --input=500 --input=64xi32=0 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: assumptions.mlir:[[#@LINE+21]]:{{[0-9]+}}: assertion failed: the operation assumes what does not hold (kernel 'assume', workgroup (0, 0, 0), wave 0, lane 0)

!P = !fly.ptr<i32, global>
!M = !fly.memref<i32, global, 64:1>

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @assume(%n: i32, %out: !P) kernel {
      %t = gpu.thread_id x
      %tid = arith.index_cast %t : index to i32
      %left = arith.subi %n, %tid : i32
      %low = arith.constant -3 : i32
      %c100 = arith.constant 100 : i32
      %c10 = arith.constant 10 : i32
      %isLow = arith.cmpi sge, %left, %low : i32
      %isSmall = arith.cmpi slt, %left, %c100 : i32
      %isEqual = arith.cmpi eq, %tid, %c10 : i32
      %either = arith.ori %isSmall, %isEqual : i1
      %true = arith.constant true
      llvm.intr.assume %true : i1
      llvm.intr.assume %isLow : i1
      llvm.intr.assume %either : i1
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      %to = fly.add_offset(%out, %at) : (!P, !fly.int_tuple<?>) -> !P
      %one = arith.constant 1 : i32
      fly.ptr.store(%one, %to) : (i32, !P) -> ()
      gpu.return
    }
  }
  func.func @main(%n: i32, %out: !M) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %q = fly.get_iter(%out) : (!M) -> !P
    gpu.launch_func @k::@assume blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%n : i32, %q : !P)
    return
  }
}
