// RUN: fly-opt %s | fly-opt | FileCheck %s
// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s

// CHECK-LABEL: func @resource
// CHECK-SAME: %[[P:.*]]: !fly.ptr<f32, #fly_rocdl.buffer_desc>
func.func @resource(%p: !fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8> {
  // CHECK: fly_rocdl.get_buffer_rsrc(%[[P]]) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  %r = fly_rocdl.get_buffer_rsrc(%p) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  return %r : !llvm.ptr<8>
}
