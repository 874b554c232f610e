// RUN: fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=0 --input=8 --input=3 --expected=0:1xi32=6
// RUN: fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=1 --input=0 --input=5 --expected=0:1xi32=4
// RUN: fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=2 --input=12 --input=0 --expected=0:1xi32=12
// RUN: fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=3 --input=-7 --input=2 --expected=0:1xi32=-3
// RUN: fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=4 --input=65536 --input=32767 --expected=0:1xi32=2147418112
// RUN: fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=5 --input=0 --input=0 --expected=0:1xi32=0
// RUN: not fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=0 --input=3 --input=3 2>&1 | FileCheck %s --check-prefix=COMPOSITION
// RUN: not fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=1 --input=0 --input=3 2>&1 | FileCheck %s --check-prefix=IMAGE
// RUN: not fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=2 --input=13 --input=0 2>&1 | FileCheck %s --check-prefix=DIVISIBILITY
// RUN: not fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=3 --input=1 --input=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=4 --input=65536 --input=32768 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=5 --input=-1 --input=0 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=6 --input=0 --input=0 2>&1 | FileCheck %s --check-prefix=HOST
// RUN: %python -c "import subprocess,sys; sys.exit(subprocess.run(sys.argv[1:], capture_output=True).returncode != 2)" fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=2 --input=13 --input=0
// RUN: %python -c "import subprocess,sys; sys.exit(subprocess.run(sys.argv[1:], capture_output=True).returncode != 2)" fly-run %s --chip=gfx942 --runtime-checks --input=1xi32=0 --input=6 --input=0 --input=0
// RUN: fly-run %s --chip=gfx942 --input=1xi32=0 --input=2 --input=13 --input=0 --expected=0:1xi32=13

// A promise that run-time values break stops the launch at the op that relies
// on it, with exit status 2; kept, it changes nothing. Without the option nobody
// looks. The second argument selects the case.

!V = !fly.memref<i32, global, 1:1>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @checked(%out: !V, %case: i32, %n: i32, %m: i32, %spare: i32) kernel {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %c4 = arith.constant 4 : i32
      %c5 = arith.constant 5 : i32
      %is0 = arith.cmpi eq, %case, %c0 : i32
      %is1 = arith.cmpi eq, %case, %c1 : i32
      %is2 = arith.cmpi eq, %case, %c2 : i32
      %is3 = arith.cmpi eq, %case, %c3 : i32
      %is4 = arith.cmpi eq, %case, %c4 : i32
      %is5 = arith.cmpi eq, %case, %c5 : i32
      %at = fly.make_int_tuple() : () -> !fly.int_tuple<0>
      %x = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
      %y = fly.make_int_tuple(%m) : (i32) -> !fly.int_tuple<?>
      // Two steps of 2 do not fill a mode of size 3.
      scf.if %is0 {
        %shape = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<(?,8)>
        %stride = fly.make_int_tuple() : () -> !fly.int_tuple<(1,64)>
        %l = fly.make_layout(%shape, %stride) : (!fly.int_tuple<(?,8)>, !fly.int_tuple<(1,64)>) -> !fly.layout<(?,8):(1,64)>
        %t = fly.static : !fly.layout<4:2>
        // COMPOSITION: error: {{.*}}runtime-checks.mlir:[[# @LINE + 1]]:{{.*}}'fly.composition' requires that in the composition of A = (?,8):(1,64) with B = 4:2 mode 4:2 of B with 4 coordinates by steps of 2 {{.*}} the mode of size ? of A [composition_c1]
        %c = fly.composition(%l, %t) : (!fly.layout<(?,8):(1,64)>, !fly.layout<4:2>) -> !fly.layout<(?,?):(2,?{div=64})>
        %i = fly.crd2idx(%y, %c) : (!fly.int_tuple<?>, !fly.layout<(?,?):(2,?{div=64})>) -> !fly.int_tuple<?{div=2}>
        %v = fly.get_scalar(%i) : (!fly.int_tuple<?{div=2}>) -> i32
        fly.memref.store(%v, %out, %at) : (i32, !V, !fly.int_tuple<0>) -> ()
      }
      scf.if %is1 {
        %l = fly.static : !fly.layout<(3,5):(1,4)>
        // IMAGE: error: {{.*}}runtime-checks.mlir:[[# @LINE + 1]]:{{.*}}'fly.get_1d_coord' requires that ? is an index of (3,5):(1,4) [idx2crd_c4]
        %i = fly.get_1d_coord(%y, %l) : (!fly.int_tuple<?>, !fly.layout<(3,5):(1,4)>) -> !fly.int_tuple<?>
        %v = fly.get_scalar(%i) : (!fly.int_tuple<?>) -> i32
        fly.memref.store(%v, %out, %at) : (i32, !V, !fly.int_tuple<0>) -> ()
      }
      scf.if %is2 {
        // DIVISIBILITY: error: {{.*}}runtime-checks.mlir:[[# @LINE + 1]]:{{.*}}'fly.make_int_tuple' requires that operand #0 is a multiple of 4 [divisibility]
        %i = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?{div=4}>
        %v = fly.get_scalar(%i) : (!fly.int_tuple<?{div=4}>) -> i32
        fly.memref.store(%v, %out, %at) : (i32, !V, !fly.int_tuple<0>) -> ()
      }
      scf.if %is3 {
        // ZERO: error: {{.*}}runtime-checks.mlir:[[# @LINE + 1]]:{{.*}}'fly.int_tuple_div' requires that the divisor ? is not 0 [div_c1]
        %i = fly.int_tuple_div(%x, %y) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
        %v = fly.get_scalar(%i) : (!fly.int_tuple<?>) -> i32
        fly.memref.store(%v, %out, %at) : (i32, !V, !fly.int_tuple<0>) -> ()
      }
      scf.if %is4 {
        // OVERFLOW: error: {{.*}}runtime-checks.mlir:[[# @LINE + 1]]:{{.*}}'fly.int_tuple_mul' requires that ? * ? stays within 32 bits [int_overflow]
        %i = fly.int_tuple_mul(%x, %y) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
        %v = fly.get_scalar(%i) : (!fly.int_tuple<?>) -> i32
        fly.memref.store(%v, %out, %at) : (i32, !V, !fly.int_tuple<0>) -> ()
      }
      scf.if %is5 {
        // EXTENT: error: {{.*}}runtime-checks.mlir:[[# @LINE + 1]]:{{.*}}'fly.make_layout' requires that the extent ? is not negative [layout_c3]
        %l = fly.make_layout(%x, %y) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.layout<?:?>
        %s = fly.size(%l) : (!fly.layout<?:?>) -> !fly.int_tuple<?>
        %v = fly.get_scalar(%s) : (!fly.int_tuple<?>) -> i32
        fly.memref.store(%v, %out, %at) : (i32, !V, !fly.int_tuple<0>) -> ()
      }
      gpu.return
    }
  }
  func.func @main(%out: !V, %case: i32, %n: i32, %m: i32) {
    %one = arith.constant 1 : index
    %six = arith.constant 6 : i32
    %host = arith.subi %six, %case : i32
    %x = fly.make_int_tuple(%six) : (i32) -> !fly.int_tuple<?>
    %y = fly.make_int_tuple(%host) : (i32) -> !fly.int_tuple<?>
    // HOST: error: {{.*}}runtime-checks.mlir:[[# @LINE + 1]]:{{.*}}assertion failed: 'fly.int_tuple_mod' requires that the divisor ? is not 0 [div_c1]
    %r = fly.int_tuple_mod(%x, %y) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
    %spare = fly.get_scalar(%r) : (!fly.int_tuple<?>) -> i32
    gpu.launch_func @kernels::@checked blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%out : !V, %case : i32, %n : i32, %m : i32, %spare : i32)
    return
  }
}
