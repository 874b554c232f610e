// Sizes of a launch come from the implicit arguments of AMD code, and the
// number of waves for which registers are given reaches LLVM.
// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(fly-use-implicit-arguments,fly-set-waves-per-eu{waves-per-eu=3}))' | FileCheck %s
// RUN: fly-translate %s --split-input-file --fly-to-isa --chip=gfx942 -o - | FileCheck %s --check-prefix=ISA

// CHECK-LABEL: llvm.func @sizes
// CHECK-SAME: passthrough = {{\[}}["amdgpu-waves-per-eu", "3"]]
// CHECK: %[[A:.*]] = llvm.call_intrinsic "llvm.amdgcn.implicitarg.ptr"() : () -> !llvm.ptr<4>
// CHECK: %[[B:.*]] = llvm.getelementptr %[[A]][12] : (!llvm.ptr<4>) -> !llvm.ptr<4>, i8
// CHECK: %[[C:.*]] = llvm.load %[[B]] invariant {alignment = 2 : i64} : !llvm.ptr<4> -> i16
// CHECK: %[[X:.*]] = llvm.zext %[[C]] : i16 to i32
// CHECK: llvm.getelementptr %{{.*}}[14] : (!llvm.ptr<4>) -> !llvm.ptr<4>, i8
// CHECK: %[[Y:.*]] = llvm.load %{{.*}} invariant {alignment = 2 : i64} : !llvm.ptr<4> -> i16
// CHECK: llvm.getelementptr %{{.*}}[16]
// CHECK: llvm.zext %{{.*}} : i16 to i64
// CHECK: llvm.getelementptr %{{.*}}[0]
// CHECK: llvm.load %{{.*}} invariant {alignment = 4 : i64} : !llvm.ptr<4> -> i32
// CHECK: llvm.getelementptr %{{.*}}[4]
// CHECK: llvm.getelementptr %{{.*}}[8]
// CHECK: llvm.store volatile %[[X]]
// CHECK: llvm.store volatile %[[Y]]
// ISA-LABEL: sizes:
// ISA: s_load_dword
// ISA: .value_kind: hidden_block_count_x
// ISA: .value_kind: hidden_group_size_x
gpu.module @kernels [#rocdl.target<chip = "gfx942", abi = "600">] {
  llvm.func @sizes(%p: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %0 = rocdl.workgroup.dim.x : i32
    %1 = rocdl.workgroup.dim.y : i16
    %2 = rocdl.workgroup.dim.z : i64
    %3 = rocdl.grid.dim.x : i32
    %4 = rocdl.grid.dim.y : i32
    %5 = rocdl.grid.dim.z : i32
    llvm.store volatile %0, %p : i32, !llvm.ptr<1>
    llvm.store volatile %1, %p : i16, !llvm.ptr<1>
    llvm.store volatile %2, %p : i64, !llvm.ptr<1>
    llvm.store volatile %3, %p : i32, !llvm.ptr<1>
    llvm.store volatile %4, %p : i32, !llvm.ptr<1>
    llvm.store volatile %5, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

// -----

// The kernel's own word is closer than the option; older code objects have no
// such arguments.
// CHECK-LABEL: gpu.module @old
// CHECK: llvm.func @range() attributes {passthrough = {{\[}}"noinline", ["amdgpu-waves-per-eu", "2,4"]], rocdl.kernel}
// CHECK: rocdl.workgroup.dim.x
// CHECK: llvm.func @number() attributes {passthrough = {{\[}}["amdgpu-waves-per-eu", "1"]], rocdl.kernel}
// CHECK: llvm.func @any() attributes {rocdl.kernel}
// CHECK: llvm.func @function() {
gpu.module @old [#rocdl.target<chip = "gfx942", abi = "400">] {
  llvm.func @range() attributes {rocdl.kernel, rocdl.waves_per_eu = "2, 4", passthrough = ["noinline"]} {
    %0 = rocdl.workgroup.dim.x : i32
    llvm.return
  }
  llvm.func @number() attributes {rocdl.kernel, rocdl.waves_per_eu = 1 : i32} {
    llvm.return
  }
  llvm.func @any() attributes {rocdl.kernel, rocdl.waves_per_eu = 0 : i32} {
    llvm.return
  }
  llvm.func @function() {
    llvm.return
  }
}
