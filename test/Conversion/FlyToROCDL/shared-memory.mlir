// RUN: fly-opt %s -convert-fly-to-rocdl=chip=gfx942 | FileCheck %s
//
// LDS globals: one for each static allocation, one for the dynamic memory.

// CHECK-LABEL: gpu.module @kernels
// CHECK-DAG: llvm.mlir.global external @__shared_alloc_0() {addr_space = 3 : i32, alignment = 16 : i64, dso_local} : !llvm.array<4096 x i8>
// CHECK-DAG: llvm.mlir.global external @__shared_alloc_1() {addr_space = 3 : i32, alignment = 128 : i64, dso_local} : !llvm.array<32 x i8>
// CHECK-DAG: llvm.mlir.global external @__dynamic_shared_0() {addr_space = 3 : i32, alignment = 1024 : i64, dso_local} : !llvm.array<0 x i8>
gpu.module @kernels {
  // CHECK: gpu.func @kernel
  gpu.func @kernel(%x: i8) kernel {
    // CHECK: %[[A:.*]] = llvm.mlir.addressof @__shared_alloc_0 : !llvm.ptr<3>
    // CHECK: %[[B:.*]] = llvm.mlir.addressof @__shared_alloc_1 : !llvm.ptr<3>
    // CHECK: %[[C:.*]] = llvm.mlir.addressof @__dynamic_shared_0 : !llvm.ptr<3>
    // CHECK: %[[D:.*]] = llvm.getelementptr %[[C]][0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
    // CHECK: llvm.store %{{.*}}, %[[A]] {alignment = 16 : i64}
    // CHECK: llvm.store %{{.*}}, %[[B]] {alignment = 1 : i64}
    // CHECK: llvm.store %{{.*}}, %[[D]] {alignment = 1024 : i64}
    %a = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 4096 : i64}} : () -> !fly.ptr<i8, shared, align<16>>
    %b = fly.make_ptr() {dictAttrs = {allocAlign = 128 : i64, allocBytes = 32 : i64}} : () -> !fly.ptr<i8, shared>
    %c = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    fly.ptr.store(%x, %a) : (i8, !fly.ptr<i8, shared, align<16>>) -> ()
    fly.ptr.store(%x, %b) : (i8, !fly.ptr<i8, shared>) -> ()
    fly.ptr.store(%x, %c) : (i8, !fly.ptr<i8, shared, align<1024>>) -> ()
    gpu.return
  }

  // The dynamic memory is one for the module.
  // CHECK: gpu.func @other
  // CHECK: llvm.mlir.addressof @__dynamic_shared_0
  gpu.func @other(%x: i8) kernel {
    %c = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    fly.ptr.store(%x, %c) : (i8, !fly.ptr<i8, shared, align<1024>>) -> ()
    gpu.return
  }
}

// Dynamic memory that the module has serves if it is aligned.
// CHECK-LABEL: gpu.module @given
// CHECK-NOT: __dynamic_shared
// CHECK: llvm.mlir.addressof @mine
gpu.module @given {
  llvm.mlir.global external @mine() {addr_space = 3 : i32, alignment = 1024 : i64, dso_local} : !llvm.array<0 x i8>
  gpu.func @kernel(%x: i8) kernel {
    %c = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    fly.ptr.store(%x, %c) : (i8, !fly.ptr<i8, shared, align<1024>>) -> ()
    gpu.return
  }
}
// CHECK-LABEL: gpu.module @given_unaligned
// CHECK: llvm.mlir.addressof @__dynamic_shared_0
gpu.module @given_unaligned {
  llvm.mlir.global external @mine() {addr_space = 3 : i32, alignment = 16 : i64, dso_local} : !llvm.array<0 x i8>
  gpu.func @kernel(%x: i8) kernel {
    %c = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    fly.ptr.store(%x, %c) : (i8, !fly.ptr<i8, shared, align<1024>>) -> ()
    gpu.return
  }
}

// A name that is taken is passed over.
// CHECK-LABEL: gpu.module @taken
// CHECK: llvm.mlir.global external @__shared_alloc_1
// CHECK: func.func @__shared_alloc_0
gpu.module @taken {
  func.func @__shared_alloc_0(%x: i8) {
    %a = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 16 : i64}} : () -> !fly.ptr<i8, shared>
    fly.ptr.store(%x, %a) : (i8, !fly.ptr<i8, shared>) -> ()
    return
  }
}

// Two kernels may each use the whole of the LDS.
// CHECK-LABEL: gpu.module @each
gpu.module @each [#rocdl.target<chip = "gfx942">] {
  gpu.func @first(%x: i8) kernel {
    %a = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 65536 : i64}} : () -> !fly.ptr<i8, shared>
    fly.ptr.store(%x, %a) : (i8, !fly.ptr<i8, shared>) -> ()
    gpu.return
  }
  gpu.func @second(%x: i8) kernel {
    %a = fly.make_ptr() {dictAttrs = {allocAlign = 16 : i64, allocBytes = 65536 : i64}} : () -> !fly.ptr<i8, shared>
    fly.ptr.store(%x, %a) : (i8, !fly.ptr<i8, shared>) -> ()
    gpu.return
  }
}
