// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host))' | FileCheck %s

// The exported table, with the chip of the module's target, and the places of
// sites with where they were inlined.

gpu.module @table [#fly_rocdl.cpu<chip = "gfx1100">] {
  llvm.func @first(%x: i32) attributes {rocdl.kernel, rocdl.flat_work_group_size = "1,128"} {
    %a = rocdl.readfirstlane %x : i32 loc(callsite("a.py":3:7 at fused["b.py":20:1, "c.py":1:1]))
    llvm.return
  } loc("a.py":1:1)
  llvm.func @second() attributes {gpu.kernel, rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 32, 2, 1>} {
    rocdl.barrier loc("where"("a.py":9:2))
    llvm.return loc(unknown)
  } loc("a.py":8:1)
}

// CHECK-LABEL: gpu.module @table
// CHECK-SAME: [#fly_rocdl.cpu<chip = "gfx1100">]
// CHECK: llvm.mlir.global internal constant @__fly_cpu_strings("a.py\00b.py\00gfx1100\00first\00second\00")
// Two sites, one for each kernel: readfirstlane at place 2, barrier at place 4.
// CHECK: @__fly_cpu_sites(dense<[11, 2, 0, 1, 1, {{[0-9]+}}, 0, 0, 1, 4, {{.*}}]> : tensor<16xi32>)
// Places: file offset, line, column, inlined at.
// CHECK: @__fly_cpu_locations(dense<[0, 1, 1, -1, 5, 20, 1, -1, 0, 3, 7, 1, 0, 8, 1, -1, 0, 9, 2, -1]> : tensor<20xi32>)
// CHECK: @__fly_cpu_kernels()
// CHECK: llvm.mlir.addressof @first : !llvm.ptr
// Wave 32, at most 128 lanes, any block; slot of 16 bytes.
// CHECK: llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT: llvm.insertvalue %{{.*}}[4, 5]
// CHECK-NEXT: llvm.mlir.constant(128 : i32) : i32
// CHECK-NEXT: llvm.insertvalue %{{.*}}[4, 6]
// CHECK-NEXT: llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT: llvm.insertvalue %{{.*}}[4, 7]
// CHECK: llvm.mlir.constant(16 : i32) : i32
// CHECK-NEXT: llvm.insertvalue %{{.*}}[4, 10]
// CHECK: llvm.mlir.addressof @second : !llvm.ptr
// CHECK: llvm.mlir.constant(64 : i32) : i32
// CHECK-NEXT: llvm.insertvalue %{{.*}}[4, 6]
// CHECK-NEXT: llvm.mlir.constant(32 : i32) : i32
// CHECK-NEXT: llvm.insertvalue %{{.*}}[4, 7]
// CHECK-NEXT: llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT: llvm.insertvalue %{{.*}}[4, 8]
// CHECK-LABEL: llvm.mlir.global external{{.*}} @fly_cpu_module()
// CHECK: %[[MAGIC:.*]] = llvm.mlir.constant(93803215670342 : i64) : i64
// CHECK: %[[VERSION:.*]] = llvm.mlir.constant(6 : i32) : i32
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i32) : i32
// CHECK: %[[CAPACITY:.*]] = llvm.mlir.constant(65536 : i32) : i32
// CHECK: llvm.insertvalue %[[MAGIC]], %{{.*}}[0]
// CHECK: llvm.insertvalue %[[VERSION]], %{{.*}}[1]
// CHECK: llvm.insertvalue %[[COUNT]], %{{.*}}[2]
// CHECK: llvm.insertvalue %[[CAPACITY]], %{{.*}}[11]
// CHECK: llvm.insertvalue %{{.*}}[13]
