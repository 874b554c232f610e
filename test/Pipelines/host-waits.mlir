// RUN: fly-opt %s -fly-lower-host-waits | FileCheck %s
// RUN: fly-opt %s -fly-lower-host-waits -gpu-to-llvm -convert-func-to-llvm -reconcile-unrealized-casts | FileCheck %s --check-prefix=LLVM
// RUN: not fly-opt %S/Inputs/host-waits-invalid.mlir -fly-lower-host-waits 2>&1 | FileCheck %s --check-prefix=ASYNC

// ASYNC: host-waits-invalid.mlir:[[#]]:8: error: 'gpu.wait' op makes a token of parameter #1, a stream, expected a gpu.wait without 'async'

// CHECK-LABEL: func.func @both(
// CHECK-SAME: %[[A:.*]]: !gpu.async.token, %[[B:.*]]: !gpu.async.token)
// CHECK: %[[TOKEN:.*]] = gpu.wait async
// CHECK: %[[S:.*]] = builtin.unrealized_conversion_cast %[[A]] : !gpu.async.token to !llvm.ptr
// CHECK: llvm.call @mgpuStreamSynchronize(%[[S]]) : (!llvm.ptr) -> ()
// CHECK: gpu.wait [%[[TOKEN]]]
// LLVM-LABEL: llvm.func @both(
// LLVM-SAME: %[[A:.*]]: !llvm.ptr, %[[B:.*]]: !llvm.ptr)
// LLVM: %[[NEW:.*]] = llvm.call @mgpuStreamCreate
// LLVM: llvm.call @mgpuStreamSynchronize(%[[A]])
// LLVM: llvm.call @mgpuStreamSynchronize(%[[NEW]])
// LLVM-NOT: mgpuEventSynchronize
func.func @both(%a: !gpu.async.token, %b: !gpu.async.token) {
  %token = gpu.wait async
  gpu.wait [%a, %token]
  return
}
