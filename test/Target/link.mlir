// Bitcode that is linked by option defines what a kernel calls: here the device
// libraries' print functions, which a kernel that prints needs on HIP.
// RUN: split-file %s %t
// RUN: llvm-as %t/print.ll -o %t/print.bc
// RUN: llvm-as %t/scale.ll -o %t/scale.bc
// RUN: env ROCM_PATH=%t not fly-translate %t/kernel.mlir --fly-to-hsaco --chip=gfx942 -o %t/none.hsaco 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: env ROCM_PATH=%t fly-translate %t/kernel.mlir --fly-to-hsaco --chip=gfx942 --link=%t/print.bc,%t/scale.bc -o %t/linked.hsaco
// RUN: llvm-readelf --symbols %t/linked.hsaco | FileCheck %s --check-prefix=SYMBOLS
// RUN: env ROCM_PATH=%t fly-translate %t/kernel.mlir --fly-to-llvmir --chip=gfx942 --link=%t/print.bc --link=%t/scale.bc | FileCheck %s --check-prefix=IR
// RUN: env ROCM_PATH=%t fly-opt %t/kernel.mlir -pass-pipeline='builtin.module(fly-to-binary{chip=gfx942 format=isa link=%t/print.bc,%t/scale.bc})' | FileCheck %s --check-prefix=OPT
// RUN: not fly-opt %t/kernel.mlir -pass-pipeline='builtin.module(fly-to-binary{chip=gfx942 link=%t/no.bc})' 2>&1 | FileCheck %s --check-prefix=NOFILE
// RUN: not fly-opt %t/kernel.mlir -pass-pipeline='builtin.module(fly-to-cpu{chip=gfx942 link=%t/print.bc})' 2>&1 | FileCheck %s --check-prefix=CPU

// MISSING: kernel.mlir:[[#]]:{{.*}}: error: undefined function '__ockl_printf_begin' is called by 'k'
// MISSING: note: it belongs to ROCm's device libraries (Debian's package rocm-device-libs), which were not found
// SYMBOLS-NOT: UND __
// SYMBOLS: k.kd
// IR: define amdgpu_kernel void @k
// IR: fmul {{.*}} 3.000000e+00
// IR: i64 4711
// OPT: gpu.binary @kernels
// NOFILE: kernel.mlir:[[#]]:{{.*}}: error: {{.*}}no.bc
// CPU: option 'link' has no effect in the pipeline 'fly-to-cpu'

//--- kernel.mlir
gpu.module @kernels {
  func.func private @scale(f32) -> f32
  gpu.func @k(%x: f32, %p: !llvm.ptr<1>) kernel {
    %y = func.call @scale(%x) : (f32) -> f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    gpu.printf "x = %f\n", %y : f32
    gpu.return
  }
}

//--- print.ll
target triple = "amdgcn-amd-amdhsa"
define i64 @__ockl_printf_begin(i64 %version) {
  ret i64 4711
}
define i64 @__ockl_printf_append_string_n(i64 %m, ptr %text, i64 %n, i32 %last) {
  store volatile i64 %m, ptr addrspace(1) null
  ret i64 %m
}
define i64 @__ockl_printf_append_args(i64 %m, i32 %n, i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f, i64 %g, i32 %last) {
  store volatile i64 %a, ptr addrspace(1) null
  ret i64 %m
}

//--- scale.ll
target triple = "amdgcn-amd-amdhsa"
define float @scale(float %x) {
  %y = fmul float %x, 3.0
  ret float %y
}
