// What a kernel does wrong with memory and numbers is a fault with its place and
// exit status 2: an access past the end of an array, a division by zero. The same
// kernel with arguments in bounds runs.

// RUN: fly-run %s --chip=gfx942 --function=main --input=64xi32=6 --input=3 --input=0 --expected=0:64xi32=2
// RUN: not fly-run %s --chip=gfx942 --function=main --input=64xi32=6 --input=0 --input=0 2>&1 | FileCheck %s --check-prefix=DIV
// RUN: not fly-run %s --chip=gfx1201 --function=main --input=64xi32=6 --input=3 --input=64 2>&1 | FileCheck %s --check-prefix=OUT
// RUN: not fly-run %s --chip=gfx942 --function=main --input=64xi32=6 --input=3 --input=-1200 2>&1 | FileCheck %s --check-prefix=OUT
// RUN: not fly-run %s --chip=gfx942 --function=main --input=64xi32=6 --input=3 --input=0 --expected=0:64xi32=2 --rtol=nan 2>&1 | FileCheck %s --check-prefix=NAN
// RUN: not fly-run %s --chip=gfx942 --function=main --input=@/dev/zero --input=3 --input=0 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not fly-run %s --chip=gfx942 --function=main --input=99999999999xi32=0 --input=3 --input=0 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: fly-opt --fly-rewrite-func-signature %s -o %t.mlir
// RUN: not fly-run %t.mlir --chip=gfx942 --function=main --input=64xi32=6 --input=3 --input=0 2>&1 | FileCheck %s --check-prefix=LOWERED

// DIV: faults-memory.mlir:{{.*}}: integer division by zero, or of the smallest number by -1, {{.*}}kernel 'f', workgroup (0, 0, 0), wave 0
// OUT: faults-memory.mlir:{{.*}}: read of 4 bytes at address 0x{{[0-9a-f]+}}, {{[0-9]+}} bytes {{past the end of|before}} an array of 256 bytes (kernel 'f', workgroup (0, 0, 0), wave
// NAN: error: --rtol and --atol are nan and 0, expected finite numbers of at least 0
// DEVICE: '/dev/zero': no regular file
// LARGE: the array '99999999999xi32' is too large
// LOWERED: error: the parameters of 'main' are lowered already

module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%x: !fly.memref<i32, global, ?:1>, %n: i32, %shift: i32) kernel {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %i = arith.addi %tid, %shift : i32
      %at = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
      %v = fly.memref.load(%x, %at) : (!fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> i32
      %q = arith.divsi %v, %n : i32
      fly.memref.store(%q, %x, %at) : (i32, !fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
  }
  func.func @main(%x: !fly.memref<i32, global, ?:1>, %n: i32, %shift: i32) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    gpu.launch_func @k::@f blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%x : !fly.memref<i32, global, ?:1>, %n : i32, %shift : i32)
    return
  }
}
