// Math functions compile on every chip without a device library, and in host
// functions too.
// RUN: fly-opt %s -fly-to-rocdl=chip=gfx942 | FileCheck %s
// RUN: fly-opt %s -fly-to-binary=chip=gfx90a | FileCheck %s --check-prefix=HOST
// RUN: fly-translate %s --fly-to-isa --chip=gfx942 | FileCheck %s --check-prefix=ISA
// RUN: fly-translate %s --fly-to-hsaco --chip=gfx950 -o %t && llvm-readelf --dyn-syms %t | FileCheck %s --check-prefix=SYMBOLS
// RUN: fly-translate %s --fly-to-hsaco --chip=gfx1100 -o %t && llvm-readelf --dyn-syms %t | FileCheck %s --check-prefix=SYMBOLS
// RUN: fly-translate %s --fly-to-hsaco --chip=gfx1201 -o %t && llvm-readelf --dyn-syms %t | FileCheck %s --check-prefix=SYMBOLS
// RUN: fly-translate %s --fly-to-hsaco --chip=gfx1250 -o %t && llvm-readelf --dyn-syms %t | FileCheck %s --check-prefix=SYMBOLS

// DIFF: math-intrinsics
// CHECK: llvm.func @f32
// CHECK-NOT: __ocml
// CHECK: llvm.intr.exp
// CHECK: llvm.intr.exp2
// CHECK: llvm.intr.log
// CHECK: llvm.intr.log2
// CHECK: llvm.intr.log10
// CHECK: llvm.intr.sin
// CHECK: llvm.intr.cos
// CHECK: llvm.intr.sqrt
// CHECK: llvm.intr.floor
// CHECK-NOT: __ocml
// CHECK: llvm.func @f16
// CHECK: llvm.intr.exp{{.*}} : (f16) -> f16
// CHECK: llvm.intr.sin{{.*}} : (f16) -> f16
// CHECK-NOT: __ocml

// HOST: llvm.func @host(%[[X:.*]]: f32) -> f32
// HOST: llvm.intr.exp(%[[X]])
// HOST: llvm.intr.tanh

// ISA: v_exp_f32
// ISA: v_log_f32
// ISA: v_sin_f32

// SYMBOLS-NOT: UND {{[_a-z]}}
// SYMBOLS: f32.kd
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @f32(%x: f32, %p: !llvm.ptr<1>) kernel {
      %0 = math.exp %x : f32
      %1 = math.exp2 %0 : f32
      %2 = math.log %1 : f32
      %3 = math.log2 %2 : f32
      %4 = math.log10 %3 : f32
      %5 = math.sin %4 : f32
      %6 = math.cos %5 : f32
      %7 = math.sqrt %6 : f32
      %8 = math.floor %7 : f32
      %9 = math.tanh %8 : f32
      %10 = math.erf %9 : f32
      %11 = math.rsqrt %10 : f32
      %12 = math.tan %11 : f32
      %13 = math.atan2 %12, %x : f32
      %14 = math.log1p %13 : f32
      %15 = math.expm1 %14 : f32
      %16 = math.fma %15, %x, %0 : f32
      %17 = math.absf %16 : f32
      %18 = math.roundeven %17 : f32
      llvm.store %18, %p : f32, !llvm.ptr<1>
      gpu.return
    }
    gpu.func @f16(%x: f16, %p: !llvm.ptr<1>) kernel {
      %0 = math.exp %x : f16
      %1 = math.sin %0 : f16
      %2 = math.tanh %1 : f16
      llvm.store %2, %p : f16, !llvm.ptr<1>
      gpu.return
    }
  }
  func.func @host(%x: f32) -> f32 {
    %0 = math.exp %x : f32
    %1 = math.tanh %0 : f32
    return %1 : f32
  }
}
