// The two sides of a branch that depends on the lane hold the same operations
// between lanes: they stay two, each for the lanes that come there.

// RUN: fly-run %s --chip=gfx1250 --device=cpu --input=32xi32=0 --input=32xf32=0 --expected=0:32xi32=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,20,20,20,20,20,20,20,20,20,20,20,20
// RUN: fly-run %s --chip=gfx942 --device=cpu --input=32xi32=0 --input=32xf32=0 --expected=0:32xi32=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,20,20,20,20,20,20,20,20,20,20,20,20
// RUN: fly-translate %s --fly-to-isa --chip=gfx1250 | FileCheck %s
// RUN: fly-opt %s --fly-to-rocdl=chip=gfx942 | FileCheck %s --check-prefix=ROCDL

// CHECK-LABEL: {{^}}plain:
// CHECK-COUNT-2: v_readfirstlane_b32
// CHECK: s_endpgm
// CHECK-LABEL: {{^}}with_math:
// CHECK-COUNT-2: v_readfirstlane_b32
// CHECK: s_endpgm

// ROCDL-LABEL: llvm.func @plain
// ROCDL-COUNT-2: rocdl.readfirstlane %{{[0-9]+}} : i32
// ROCDL-LABEL: llvm.func @with_math
// ROCDL-COUNT-2: rocdl.readfirstlane %{{[0-9]+}} : i32
// ROCDL-NOT: fly.apart

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @plain(%out: !fly.memref<i32, global, ?:1>) kernel {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %c20 = arith.constant 20 : i32
      %low = arith.cmpi ult, %tid, %c20 : i32
      %first = scf.if %low -> i32 {
        %x = rocdl.readfirstlane %tid : i32
        scf.yield %x : i32
      } else {
        %x = rocdl.readfirstlane %tid : i32
        scf.yield %x : i32
      }
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      fly.memref.store(%first, %out, %at) : (i32, !fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
    // What expands functions does not merge them, either.
    gpu.func @with_math(%out: !fly.memref<i32, global, ?:1>, %real: !fly.memref<f32, global, ?:1>) kernel {
      %lane = gpu.thread_id x
      %tid = arith.index_cast %lane : index to i32
      %c20 = arith.constant 20 : i32
      %low = arith.cmpi ult, %tid, %c20 : i32
      %first = scf.if %low -> i32 {
        %x = rocdl.readfirstlane %tid : i32
        scf.yield %x : i32
      } else {
        %x = rocdl.readfirstlane %tid : i32
        scf.yield %x : i32
      }
      %at = fly.make_int_tuple(%tid) : (i32) -> !fly.int_tuple<?>
      fly.memref.store(%first, %out, %at) : (i32, !fly.memref<i32, global, ?:1>, !fly.int_tuple<?>) -> ()
      %f = arith.sitofp %tid : i32 to f32
      %y = math.tanh %f : f32
      fly.memref.store(%y, %real, %at) : (f32, !fly.memref<f32, global, ?:1>, !fly.int_tuple<?>) -> ()
      gpu.return
    }
  }
  func.func @main(%out: !fly.memref<i32, global, ?:1>, %real: !fly.memref<f32, global, ?:1>) {
    %one = arith.constant 1 : index
    %lanes = arith.constant 32 : index
    gpu.launch_func @kernels::@plain blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%out : !fly.memref<i32, global, ?:1>)
    gpu.launch_func @kernels::@with_math blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args(%out : !fly.memref<i32, global, ?:1>, %real : !fly.memref<f32, global, ?:1>)
    return
  }
}
