// RUN: fly-opt %s -fly-module-to-binary | FileCheck %s --check-prefix=HSACO
// RUN: fly-opt %s -fly-module-to-binary=format=isa | FileCheck %s --check-prefix=ISA
// RUN: fly-opt %s -fly-module-to-binary="format=isa opt-level=0" | FileCheck %s --check-prefix=O0
// RUN: fly-opt %s -fly-module-to-binary=format=llvm | FileCheck %s --check-prefix=LLVM

// The kernel table lists what the code generator allocated; the launch keeps
// its symbol.
// HSACO: gpu.binary @kernels [#gpu.object<#rocdl.target<chip = "gfx942">,
// HSACO-SAME: kernels = <[#gpu.kernel_metadata<"scale", !llvm.func<void (f32, ptr<1>)>
// HSACO-SAME: max_flat_workgroup_size = 256 : i64
// HSACO-SAME: wavefront_size = 64 : i64
// HSACO-SAME: bin = "\7FELF
// HSACO-NOT: gpu.module
// HSACO: gpu.launch_func @kernels::@scale

// ISA: properties = {O = 2 : i32}
// ISA-SAME: assembly =
// ISA-SAME: amdgcn-amd-amdhsa--gfx942
// ISA-SAME: v_mul_f32
// ISA-SAME: global_store_dword
// O0: properties = {O = 0 : i32}
// LLVM: offload = "BC\C0\DE
module attributes {gpu.container_module} {
  gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
    llvm.func @scale(%a: f32, %x: !llvm.ptr<1>) attributes {gpu.kernel, rocdl.kernel, rocdl.flat_work_group_size = "256,256"} {
      %t = rocdl.workitem.id.x : i32
      %p = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %p : !llvm.ptr<1> -> f32
      %m = llvm.fmul %v, %a : f32
      llvm.store %m, %p : f32, !llvm.ptr<1>
      llvm.return
    }
  }
  llvm.func @host(%a: f32, %x: !llvm.ptr<1>) {
    %c1 = llvm.mlir.constant(1 : i64) : i64
    %c256 = llvm.mlir.constant(256 : i64) : i64
    gpu.launch_func @kernels::@scale blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) : i64 args(%a : f32, %x : !llvm.ptr<1>)
    llvm.return
  }
}
