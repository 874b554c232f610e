// RUN: fly-opt %s -fly-to-rocdl | FileCheck %s
// RUN: fly-opt %s -fly-to-binary=format=isa | FileCheck %s --check-prefix=ERASED
// RUN: fly-opt %s -fly-to-binary="format=isa trap-on-assert" | FileCheck %s --check-prefix=TRAP
// RUN: fly-opt %s -fly-to-cpu | FileCheck %s --check-prefix=CPU

// CHECK: gpu.module @kernels [#rocdl.target<chip = "gfx942">] attributes {
// CHECK-SAME: fly.assertions = [{id = 1 : i32, location = {{.*}}, message = "index too large"}]
// CHECK: llvm.func @__fly_assert(i32)
// CHECK: llvm.func @k(%[[C:.*]]: i1, %{{.*}}: !llvm.ptr<1>)
// CHECK: %[[ID:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK: llvm.cond_br %[[C]], ^[[GO:.*]], ^[[FAILED:.*]]
// CHECK: ^[[FAILED]]:
// CHECK: llvm.call @__fly_assert(%[[ID]]) : (i32) -> ()
// CHECK: llvm.br ^[[GO]]
// CHECK: ^[[GO]]:
// CHECK: llvm.store

// ERASED-NOT: s_trap
// ERASED: global_store_dword
// ERASED-NOT: s_trap
// DIFF: kernel-assertions
// TRAP: s_trap
// CPU: index too large
gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @k(%c: i1, %p: !llvm.ptr<1>) kernel {
    cf.assert %c, "index too large"
    %zero = arith.constant 0 : i32
    llvm.store %zero, %p : i32, !llvm.ptr<1>
    gpu.return
  }
}
