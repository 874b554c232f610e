// A module in host form becomes a shared object with one exported symbol.
// RUN: fly-opt %s -fly-module-to-binary | FileCheck %s
// RUN: fly-opt %s -fly-module-to-binary="cpu=x86-64-v3 format=isa" | FileCheck %s --check-prefix=AVX2
// RUN: not fly-opt %s -fly-module-to-binary=cpu=pentium99 2>&1 | FileCheck %s --check-prefix=CPU

// CHECK: gpu.binary @kernels [#gpu.object<#fly_rocdl.cpu<chip = "gfx942">, bin = "\7FELF
// CHECK-SAME: fly_cpu_module
// AVX2: assembly =
// AVX2-SAME: ymm
// CPU: error: unknown host processor 'pentium99': expected native or a name that LLVM knows
gpu.module @kernels [#fly_rocdl.cpu<chip = "gfx942">] {
  llvm.mlir.global external constant @fly_cpu_module() : !llvm.ptr {
    %k = llvm.mlir.addressof @k : !llvm.ptr
    llvm.return %k : !llvm.ptr
  }
  llvm.func @expf(f32) -> f32
  llvm.func @k(%p: !llvm.ptr, %x: f32) -> f32 {
    %v = llvm.load %p : !llvm.ptr -> vector<8xf32>
    %m = llvm.fmul %v, %v : vector<8xf32>
    llvm.store %m, %p : vector<8xf32>, !llvm.ptr
    %y = llvm.call @expf(%x) : (f32) -> f32
    llvm.return %y : f32
  }
}
