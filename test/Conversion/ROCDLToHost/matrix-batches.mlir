// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx942}))' | FileCheck %s

// Matrix operations that do not depend on each other share a suspension: the
// lane waits at the first site, the table chains the sites, and the fields of
// the second lie behind those of the first (48 bytes each).

gpu.module @independent {
  llvm.func @independent(%out: !llvm.ptr<1>, %a: vector<4xf16>, %c: vector<4xf32>) attributes {rocdl.kernel} {
    %0 = llvm.mlir.constant(0 : i32) : i32
    %x = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %0, %0, %0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    // Uses the first: sinks behind the second.
    %x2 = llvm.fadd %x, %c : vector<4xf32>
    // The second needs it: stays before.
    %c2 = llvm.fmul %c, %c : vector<4xf32>
    rocdl.sched.barrier 0
    %y = rocdl.mfma.f32.16x16x16f16 %a, %a, %c2, %0, %0, %0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %z = llvm.fadd %x2, %y : vector<4xf32>
    llvm.store %z, %out : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @independent(
// CHECK: %[[C:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> vector<4xf32>
// CHECK: %[[C2:.*]] = llvm.fmul %[[C]], %[[C]]
// CHECK: llvm.getelementptr %{{.*}}[16]
// CHECK: llvm.store %[[C]], %{{.*}} {alignment = 8 : i64} : vector<4xf32>
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %{{.*}}[64]
// CHECK: llvm.store %[[C2]], %[[FIELD]] {alignment = 8 : i64} : vector<4xf32>
// CHECK: %[[SITE:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT: llvm.getelementptr %{{.*}}[24]
// CHECK-NEXT: llvm.store %[[SITE]]
// CHECK: llvm.intr.coro.suspend
// CHECK: %[[XFIELD:.*]] = llvm.getelementptr %[[SLOT:.*]][32]
// CHECK: %[[X:.*]] = llvm.load %[[XFIELD]] {alignment = 8 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[YFIELD:.*]] = llvm.getelementptr %[[SLOT]][80]
// CHECK: %[[Y:.*]] = llvm.load %[[YFIELD]] {alignment = 8 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK: %[[X2:.*]] = llvm.fadd %[[X]], %[[C]]
// CHECK: llvm.fadd %[[X2]], %[[Y]]
// CHECK-NOT: llvm.intr.coro.suspend
// The eighth number of a site's row says that the next one is chained to it.
// CHECK: @__fly_cpu_sites(dense<[19, {{[0-9]+}}, 0, 3, 1, 4, 3, 1, 19, {{[0-9]+}}, 0, 3, 1, 4, 3, 0]> : tensor<16xi32>)
// The slot holds both.
// CHECK: llvm.mlir.constant(96 : i32) : i32
// CHECK-NEXT: llvm.insertvalue %{{.*}}[4, 10]

// -----

// One that uses the other's result, or has an access to memory in between, has
// its own suspension.

gpu.module @apart {
  llvm.func @apart(%out: !llvm.ptr<1>, %a: vector<4xf16>, %c: vector<4xf32>) attributes {rocdl.kernel} {
    %0 = llvm.mlir.constant(0 : i32) : i32
    %x = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %0, %0, %0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    %x2 = llvm.fadd %x, %c : vector<4xf32>
    %y = rocdl.mfma.f32.16x16x16f16 %a, %a, %x2, %0, %0, %0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.store %y, %out : vector<4xf32>, !llvm.ptr<1>
    %z = rocdl.mfma.f32.16x16x16f16 %a, %a, %c, %0, %0, %0 : (vector<4xf16>, vector<4xf16>, vector<4xf32>, i32, i32, i32) -> vector<4xf32>
    llvm.store %z, %out : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @apart(
// CHECK-COUNT-3: llvm.intr.coro.suspend
// CHECK-NOT: llvm.intr.coro.suspend
// CHECK: @__fly_cpu_sites(dense<[19, {{[0-9]+}}, 0, 3, 1, 4, 3, 0, 19, {{[0-9]+}}, 0, 3, 1, 4, 3, 0, 19, {{[0-9]+}}, 0, 3, 1, 4, 3, 0]> : tensor<24xi32>)
