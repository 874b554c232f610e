// RUN: fly-opt %s -pass-pipeline='builtin.module(gpu.module(fly-use-math-intrinsics))' | FileCheck %s

// CHECK-LABEL: gpu.module @kernels
gpu.module @kernels {
  // CHECK-NOT: @__ocml_sin_f32
  // CHECK-NOT: @__ocml_floor_f64
  // CHECK-DAG: llvm.func @__ocml_sin_f64(f64) -> f64
  // CHECK-DAG: llvm.func @__ocml_pow_f32(f32, f32) -> f32
  llvm.func @__ocml_sin_f32(f32) -> f32
  llvm.func @__ocml_sin_f64(f64) -> f64
  llvm.func @__ocml_floor_f64(f64) -> f64
  llvm.func @__ocml_pow_f32(f32, f32) -> f32
  // CHECK: llvm.func @k(%[[X:.*]]: f32, %[[D:.*]]: f64)
  llvm.func @k(%x: f32, %d: f64) {
    // CHECK: llvm.intr.sin(%[[X]]) {fastmathFlags = #llvm.fastmath<contract>} : (f32) -> f32
    %0 = llvm.call @__ocml_sin_f32(%x) {fastmathFlags = #llvm.fastmath<contract>} : (f32) -> f32
    // CHECK: llvm.intr.floor(%[[D]]) : (f64) -> f64
    %1 = llvm.call @__ocml_floor_f64(%d) : (f64) -> f64
    // The code generator has no sine of f64 and no power.
    // CHECK: llvm.call @__ocml_sin_f64(%[[D]])
    %2 = llvm.call @__ocml_sin_f64(%d) : (f64) -> f64
    // CHECK: llvm.call @__ocml_pow_f32(%[[X]], %[[X]])
    %3 = llvm.call @__ocml_pow_f32(%x, %x) : (f32, f32) -> f32
    llvm.return
  }
}
