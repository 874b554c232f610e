// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx942}))' | FileCheck %s

// LDS globals become offsets from the workgroup's LDS (at 40 of the
// workgroup): 12 bytes, then 16-byte aligned data, then dynamic LDS.

gpu.module @globals {
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal @small() {addr_space = 3 : i32} : !llvm.array<3 x i32>
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<10 x f32>
  llvm.mlir.global internal @unused() {addr_space = 3 : i32} : !llvm.array<1000 x f32>
  llvm.func @globals(%out: !llvm.ptr<1>) attributes {rocdl.kernel} {
    %d = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %s = llvm.mlir.addressof @small : !llvm.ptr<3>
    %t = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %x = llvm.load %s : !llvm.ptr<3> -> f32
    %y = llvm.load %t : !llvm.ptr<3> -> f32
    %z = llvm.load %d : !llvm.ptr<3> -> f32
    llvm.return
  }
}

// CHECK-LABEL: gpu.module @globals
// CHECK-NOT: addr_space = 3
// CHECK: %[[BASE0:.*]] = llvm.getelementptr %{{.*}}[40]
// CHECK: %[[LDS0:.*]] = llvm.load %[[BASE0]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: %[[DYNAMIC:.*]] = llvm.getelementptr %[[LDS0]][64]
// CHECK: %[[BASE1:.*]] = llvm.getelementptr %{{.*}}[40]
// CHECK: %[[SMALL:.*]] = llvm.load %[[BASE1]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: %[[BASE2:.*]] = llvm.getelementptr %{{.*}}[40]
// CHECK: %[[LDS2:.*]] = llvm.load %[[BASE2]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: %[[TILE:.*]] = llvm.getelementptr %[[LDS2]][16]
// CHECK: llvm.load %[[SMALL]] : !llvm.ptr -> f32
// CHECK: llvm.load %[[TILE]] : !llvm.ptr -> f32
// CHECK: llvm.load %[[DYNAMIC]] : !llvm.ptr -> f32
// The kernel's row: static LDS of 64 bytes, aligned to 16.
// CHECK: @__fly_cpu_kernels
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(64 : i32) : i32
// CHECK: llvm.insertvalue %[[BYTES]], %{{.*}}[4, 3]
// CHECK: %[[ALIGN:.*]] = llvm.mlir.constant(16 : i32) : i32
// CHECK: llvm.insertvalue %[[ALIGN]], %{{.*}}[4, 4]

// -----

// As a number, a pointer into LDS is its 32-bit offset, in both directions, and
// so it goes to a handler.

gpu.module @numbers {
  llvm.func @numbers(%global: !llvm.ptr<1>, %offset: i32) attributes {rocdl.kernel} {
    %p = llvm.inttoptr %offset : i32 to !llvm.ptr<3>
    %generic = llvm.addrspacecast %p : !llvm.ptr<3> to !llvm.ptr
    %q = llvm.addrspacecast %generic : !llvm.ptr to !llvm.ptr<3>
    %n = llvm.ptrtoint %q : !llvm.ptr<3> to i64
    llvm.store %n, %generic : i64, !llvm.ptr
    rocdl.global.load.lds %global, %p, 4, 0, 0
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @numbers(
// CHECK: %[[OFFSET:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> i32
// CHECK: %[[WIDE:.*]] = llvm.zext %[[OFFSET]] : i32 to i64
// CHECK: %[[LDSFIELD:.*]] = llvm.getelementptr %{{.*}}[40]
// CHECK: %[[LDS:.*]] = llvm.load %[[LDSFIELD]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: %[[P:.*]] = llvm.getelementptr %[[LDS]][%[[WIDE]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK: %[[ADDRESS:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr to i64
// CHECK: %[[BASE:.*]] = llvm.ptrtoint %{{.*}} : !llvm.ptr to i64
// CHECK: %[[DIFF:.*]] = llvm.sub %[[ADDRESS]], %[[BASE]] : i64
// CHECK: %[[NARROW:.*]] = llvm.trunc %[[DIFF]] : i64 to i32
// CHECK: %[[N:.*]] = llvm.zext %[[NARROW]] : i32 to i64
// CHECK: llvm.store %[[N]], %[[P]] : i64, !llvm.ptr
// Slot: the global pointer, then the offset as 4 bytes at 8.
// CHECK: llvm.store %{{.*}}, %[[SLOT:.*]] {alignment = 8 : i64} : !llvm.ptr, !llvm.ptr
// CHECK: %[[FIELDVALUE:.*]] = llvm.trunc %{{.*}} : i64 to i32
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %[[SLOT]][8]
// CHECK: llvm.store %[[FIELDVALUE]], %[[FIELD]] {alignment = 8 : i64} : i32
// Sizes 8 and 4; immediates size 4, offset 0, aux 0.
// CHECK: @__fly_cpu_pool(dense<[8, 4, 4, 0, 0]> : tensor<5xi32>)

// -----

// What a helper function uses lies at the same place in every kernel.

gpu.module @shared {
  llvm.mlir.global internal @a() {addr_space = 3 : i32} : !llvm.array<4 x i32>
  llvm.mlir.global internal @b() {addr_space = 3 : i32} : !llvm.array<4 x i32>
  llvm.func @helper() -> i32 {
    %b = llvm.mlir.addressof @b : !llvm.ptr<3>
    %x = llvm.load %b : !llvm.ptr<3> -> i32
    llvm.return %x : i32
  }
  llvm.func @shared() attributes {rocdl.kernel} {
    %a = llvm.mlir.addressof @a : !llvm.ptr<3>
    %b = llvm.mlir.addressof @b : !llvm.ptr<3>
    %x = llvm.load %a : !llvm.ptr<3> -> i32
    %y = llvm.load %b : !llvm.ptr<3> -> i32
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @helper(
// CHECK: %[[BFIELD:.*]] = llvm.getelementptr %{{.*}}[40]
// CHECK: %[[B:.*]] = llvm.load %[[BFIELD]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.load %[[B]] : !llvm.ptr -> i32
// CHECK-LABEL: llvm.func internal @shared(
// CHECK: %[[AFIELD:.*]] = llvm.getelementptr %{{.*}}[40]
// CHECK: %[[ABASE:.*]] = llvm.load %[[AFIELD]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: %[[A:.*]] = llvm.getelementptr %[[ABASE]][16] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %{{.*}}[40]
// CHECK: %[[B:.*]] = llvm.load %[[FIELD]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.load %[[A]] : !llvm.ptr -> i32
// CHECK: llvm.load %[[B]] : !llvm.ptr -> i32
