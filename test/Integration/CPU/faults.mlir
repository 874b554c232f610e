// RUN: not fly-run %s --chip=gfx942 --device=cpu --input=64xi32=0 --input=0 2>&1 | FileCheck %s --check-prefix=BARRIERS
// RUN: not fly-run %s --chip=gfx942 --device=cpu --input=64xi32=0 --input=1 2>&1 | FileCheck %s --check-prefix=DEPENDS
// RUN: not fly-run %s --chip=gfx942 --device=cpu --input=64xi32=0 --input=2 2>&1 | FileCheck %s --check-prefix=READLANE
// RUN: not fly-run %s --chip=gfx942 --device=cpu --input=64xi32=0 --input=3 2>&1 | FileCheck %s --check-prefix=MATRIX
// RUN: fly-run %s --chip=gfx942 --device=cpu --input=64xi32=0 --input=4 --expected=0:64xi32=1
// RUN: %python -c "import subprocess,sys; sys.exit(subprocess.run(sys.argv[1:], capture_output=True).returncode != 2)" fly-run %s --chip=gfx942 --device=cpu --input=64xi32=0 --input=0

// What has no defined result stops the launch, with the place of the operation
// and exit status 2. The second argument selects the case; 4 is none of them.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @faulty(%out: !fly.memref<i32, global, ?:1>, %case: i32) kernel {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %c8 = arith.constant 8 : i32
      %c9 = arith.constant 9 : i32
      %low = arith.cmpi ult, %tid, %c8 : i32
      %is0 = arith.cmpi eq, %case, %c0 : i32
      %is1 = arith.cmpi eq, %case, %c1 : i32
      %is2 = arith.cmpi eq, %case, %c2 : i32
      %is3 = arith.cmpi eq, %case, %c3 : i32
      // BARRIERS: error: {{.*}}faults.mlir:[[# @LINE + 4]]:{{.*}}two different barriers in one wave: lanes 0xff wait here, lanes 0xffffffffffffff00 went on, to rocdl.s.barrier at {{.*}}faults.mlir:[[# @LINE + 6]]
      // BARRIERS-SAME: (kernel 'faulty', workgroup (0, 0, 0), wave 0)
      scf.if %is0 {
        scf.if %low {
          gpu.barrier
        } else {
          rocdl.s.barrier
        }
      }
      scf.if %is1 {
        scf.if %low {
          // DEPENDS: error: {{.*}}faults.mlir:[[# @LINE + 1]]:{{.*}}barrier that depends on the lane: lanes 0xff wait here, lanes 0xffffffffffffff00 went on, to the place where branches or iterations meet
          gpu.barrier
        }
        %x = rocdl.readfirstlane %tid : i32
      }
      scf.if %is2 {
        scf.if %low {
          // READLANE: error: {{.*}}faults.mlir:[[# @LINE + 1]]:{{.*}}rocdl.readlane: {{.*}}(kernel 'faulty', workgroup (0, 0, 0), wave 0
          %x = rocdl.readlane %tid, %c9 : (i32, i32) -> i32
        }
      }
      scf.if %is3 {
        scf.if %low {
          %a = arith.constant dense<0.0> : vector<4xf16>
          %c = arith.constant dense<0.0> : vector<4xf32>
          // MATRIX: error: {{.*}}faults.mlir:[[# @LINE + 1]]:{{.*}}rocdl.mfma.f32.16x16x16f16: {{.*}}(kernel 'faulty', workgroup (0, 0, 0), wave 0
          %d = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %c0, %c0, %c0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
        }
      }
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      fly.memref.store(%c1, %out, %at) : (i32, !fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
  }
  func.func @main(%out: !fly.memref<i32, global, ?:1>, %case: i32) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 64 : index
    gpu.launch_func @kernels::@faulty blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%out : !fly.memref<i32, global, ?:1>, %case : i32)
    return
  }
}
