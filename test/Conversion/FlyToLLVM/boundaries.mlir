// RUN: fly-opt %s -convert-fly-to-rocdl | FileCheck %s
//
// Functions, calls, launches and control flow that carry what is converted.

!U = !fly.copy_atom<!fly.universal_copy<32>, 32>

module attributes {gpu.container_module} {
// CHECK: func.func private @declared(!llvm.ptr<1>, i32) -> !llvm.ptr<3>
func.func private @declared(!fly.ptr<f32, global>, i32) -> !fly.ptr<f32, shared>

// CHECK-LABEL: func @caller(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<1>, %[[A:[^:]*]]: !llvm.struct<()>)
// CHECK: %[[R:.*]] = call @declared(%[[P]], %{{.*}}) : (!llvm.ptr<1>, i32) -> !llvm.ptr<3>
// CHECK: return %[[R]] : !llvm.ptr<3>
func.func @caller(%p: !fly.ptr<f32, global>, %a: !U) -> !fly.ptr<f32, shared> {
  %i = arith.constant 1 : i32
  %r = call @declared(%p, %i) : (!fly.ptr<f32, global>, i32) -> !fly.ptr<f32, shared>
  return %r : !fly.ptr<f32, shared>
}

// CHECK-LABEL: func @loop(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<1>,
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[Q:.*]] = %[[P]]) -> (!llvm.ptr<1>)
// CHECK: %[[N:.*]] = llvm.getelementptr %[[Q]]
// CHECK: scf.yield %[[N]] : !llvm.ptr<1>
// CHECK: return %[[R]] : !llvm.ptr<1>
func.func @loop(%p: !fly.ptr<f32, global>, %n: index) -> !fly.ptr<f32, global> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> (!fly.ptr<f32, global>) {
    %m = fly.add_offset(%q, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<1>) -> !fly.ptr<f32, global>
    scf.yield %m : !fly.ptr<f32, global>
  }
  return %r : !fly.ptr<f32, global>
}

// CHECK-LABEL: func @branches(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<1>, %[[Q:[^:]*]]: !llvm.ptr<1>, %[[C:[^:]*]]: i1)
// CHECK: %[[S:.*]] = arith.select %[[C]], %[[P]], %[[Q]] : !llvm.ptr<1>
// CHECK: cf.br ^bb1(%[[S]] : !llvm.ptr<1>)
// CHECK: ^bb1(%[[X:.*]]: !llvm.ptr<1>):
// CHECK: return %[[X]] : !llvm.ptr<1>
func.func @branches(%p: !fly.ptr<f32, global>, %q: !fly.ptr<f32, global>, %c: i1) -> !fly.ptr<f32, global> {
  %s = arith.select %c, %p, %q : !fly.ptr<f32, global>
  cf.br ^bb1(%s : !fly.ptr<f32, global>)
^bb1(%x: !fly.ptr<f32, global>):
  return %x : !fly.ptr<f32, global>
}

// CHECK-LABEL: gpu.module @kernels
// CHECK: gpu.func @kernel(%[[P:[^:]*]]: !llvm.ptr<1>, %[[N:[^:]*]]: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>}
gpu.module @kernels {
  gpu.func @kernel(%p: !fly.ptr<f32, global>, %n: i32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    gpu.return
  }
}

// CHECK-LABEL: func @host(
// CHECK-SAME: %[[P:[^:]*]]: !llvm.ptr<1>, %[[N:[^:]*]]: i32, %[[T:[^:]*]]: !gpu.async.token)
// CHECK: gpu.launch_func async [%[[T]]] @kernels::@kernel blocks in
// CHECK-SAME: args(%[[P]] : !llvm.ptr<1>, %[[N]] : i32)
func.func @host(%p: !fly.ptr<f32, global>, %n: i32, %t: !gpu.async.token) {
  %c1 = arith.constant 1 : index
  %l = gpu.launch_func async [%t] @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%p : !fly.ptr<f32, global>, %n : i32)
  return
}

// CHECK-LABEL: func @poison(
// CHECK: %[[X:.*]] = llvm.mlir.poison : !llvm.ptr<5>
// CHECK: return %[[X]]
func.func @poison() -> !fly.ptr<f32, register> {
  %x = ub.poison : !fly.ptr<f32, register>
  return %x : !fly.ptr<f32, register>
}
}
