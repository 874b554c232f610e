// RUN: fly-opt %s -fly-lower-host-asserts | FileCheck %s

// A failed assertion of a host function is an error that the runtime keeps, and
// zeros for the caller. Those of kernels are left.

// CHECK: llvm.func @flyRuntimeReportError(i32, !llvm.ptr)
// CHECK: llvm.mlir.global internal constant @fly_assert_text_0("{{.*}}host-asserts.mlir:[[# @LINE + 14]]:3: assertion failed: too large\00")
// CHECK-LABEL: func.func @f
// CHECK-SAME:  (%[[C:.*]]: i1, %[[X:.*]]: f32) -> (f32, !llvm.ptr)
// CHECK-NEXT:  cf.cond_br %[[C]], ^[[GO:.*]], ^[[FAILED:.*]]
// CHECK:       ^[[FAILED]]:
// CHECK-NEXT:  %[[CODE:.*]] = llvm.mlir.constant(10008 : i32) : i32
// CHECK-NEXT:  %[[TEXT:.*]] = llvm.mlir.addressof @fly_assert_text_0 : !llvm.ptr
// CHECK-NEXT:  llvm.call @flyRuntimeReportError(%[[CODE]], %[[TEXT]]) : (i32, !llvm.ptr) -> ()
// CHECK-NEXT:  %[[ZERO:.*]] = {{.*}}0.000000e+00
// CHECK-NEXT:  %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT:  return %[[ZERO]], %[[NULL]]
// CHECK:       ^[[GO]]:
// CHECK:       return %[[X]]
func.func @f(%c: i1, %x: f32) -> (f32, !llvm.ptr) {
  cf.assert %c, "too large"
  %p = llvm.mlir.zero : !llvm.ptr
  return %x, %p : f32, !llvm.ptr
}

// CHECK-LABEL: gpu.func @k
// CHECK:       cf.assert
gpu.module @kernels {
  gpu.func @k(%c: i1) kernel {
    cf.assert %c, "too large"
    gpu.return
  }
}
