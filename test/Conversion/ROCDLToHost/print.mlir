// The print functions of the device libraries are those of the runtime's
// table, in the same pieces.
// RUN: fly-opt %s -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host))' | FileCheck %s

// CHECK-NOT: __ockl_printf
// CHECK-LABEL: llvm.func internal @k(
// CHECK: %[[BEGIN:.*]] = llvm.getelementptr %{{.*}}[64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: %[[F:.*]] = llvm.load %[[BEGIN]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: %[[M:.*]] = llvm.call %[[F]](%{{.*}}) : !llvm.ptr, (i64) -> i64
// CHECK: llvm.getelementptr %{{.*}}[72] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: %[[N:.*]] = llvm.call %{{.*}}(%[[M]], %{{.*}}) : !llvm.ptr, (i64, !llvm.ptr, i64, i32) -> i64
// CHECK: llvm.getelementptr %{{.*}}[80] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: llvm.call %{{.*}}(%[[N]], %{{.*}}) : !llvm.ptr, (i64, i32, i64, i64, i64, i64, i64, i64, i64, i32) -> i64
gpu.module @kernels [#fly_rocdl.cpu<chip = "gfx942">] {
  llvm.mlir.global internal constant @format("x %d\0A\00") {addr_space = 0 : i32}
  llvm.func @__ockl_printf_append_string_n(i64, !llvm.ptr, i64, i32) -> i64
  llvm.func @__ockl_printf_append_args(i64, i32, i64, i64, i64, i64, i64, i64, i64, i32) -> i64
  llvm.func @__ockl_printf_begin(i64) -> i64
  llvm.func @k(%x: i64) attributes {rocdl.kernel} {
    %zero = llvm.mlir.constant(0 : i64) : i64
    %length = llvm.mlir.constant(6 : i64) : i64
    %no = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %format = llvm.mlir.addressof @format : !llvm.ptr
    %0 = llvm.call @__ockl_printf_begin(%zero) : (i64) -> i64
    %1 = llvm.call @__ockl_printf_append_string_n(%0, %format, %length, %no) : (i64, !llvm.ptr, i64, i32) -> i64
    %2 = llvm.call @__ockl_printf_append_args(%1, %one, %x, %zero, %zero, %zero, %zero, %zero, %zero, %one) : (i64, i32, i64, i64, i64, i64, i64, i64, i64, i32) -> i64
    llvm.return
  }
}
