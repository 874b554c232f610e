// Functions of f64 need no device library: code for each family of chips, scalars
// and vectors.
// RUN: env ROCM_PATH=%t.none fly-translate %s --fly-to-isa --chip=gfx942 | FileCheck %s
// RUN: env ROCM_PATH=%t.none fly-translate %s --fly-to-isa --chip=gfx1201 --opt-level=0 | FileCheck %s

// CHECK-NOT: __ocml
// CHECK-LABEL: {{^}}functions:
// CHECK: v_fma_f64
// CHECK: s_endpgm
// CHECK-NOT: __ocml

gpu.module @kernels {
  gpu.func @functions(%p: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr<1> -> f64
    %v = llvm.load %p : !llvm.ptr<1> -> vector<2xf64>
    %0 = math.exp %x : f64
    %1 = math.exp2 %0 : f64
    %2 = math.expm1 %1 : f64
    %3 = math.log %2 : f64
    %4 = math.log2 %3 : f64
    %5 = math.log10 %4 : f64
    %6 = math.log1p %5 : f64
    %7 = math.sin %6 : f64
    %8 = math.cos %7 : f64
    %9 = math.tan %8 : f64
    %10 = math.asin %9 : f64
    %11 = math.acos %10 : f64
    %12 = math.atan %11 : f64
    %13 = math.sinh %12 : f64
    %14 = math.cosh %13 : f64
    %15 = math.tanh %14 : f64
    %16 = math.asinh %15 : f64
    %17 = math.acosh %16 : f64
    %18 = math.atanh %17 : f64
    %19 = math.cbrt %18 : f64
    %20 = math.powf %19, %x : f64
    %21 = math.atan2 %20, %x : f64
    %erf = math.erf %21 : f64
    %erfc = math.erfc %erf : f64
    llvm.store %erfc, %p : f64, !llvm.ptr<1>
    %22 = math.sin %v : vector<2xf64>
    %23 = math.powf %22, %v : vector<2xf64>
    llvm.store %23, %p : vector<2xf64>, !llvm.ptr<1>
    gpu.return
  }
}
