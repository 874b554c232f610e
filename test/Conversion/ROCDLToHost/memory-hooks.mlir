// RUN: fly-opt %s -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx942 memory-hooks=true}))' | FileCheck %s
// RUN: fly-opt %s -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx942}))' | FileCheck %s --check-prefix=OFF

// The hook (at 16 of the runtime's table) before each access: address, bytes,
// kind, place. Kinds: read 1, write 2, atomic 4, LDS 8, buffer 16. Private
// memory is the lane's own.

gpu.module @hooks {
  llvm.mlir.global internal @lds() {addr_space = 3 : i32} : !llvm.array<4 x i32>
  llvm.func @hooks(%p: !llvm.ptr<1>, %rsrc: !llvm.ptr<8>) attributes {rocdl.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %lds = llvm.mlir.addressof @lds : !llvm.ptr<3>
    %private = llvm.alloca %one x i32 : (i32) -> !llvm.ptr<5>
    %v = llvm.load %p : !llvm.ptr<1> -> vector<3xf32>
    llvm.store %one, %private : i32, !llvm.ptr<5>
    llvm.store %one, %lds : i32, !llvm.ptr<3>
    %old = llvm.atomicrmw add %p, %one monotonic : !llvm.ptr<1>, i32
    %x = rocdl.raw.ptr.buffer.load %rsrc, %zero, %zero, %zero : i32
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @hooks(
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(12 : i64) : i64
// CHECK-NEXT: %[[WHERE:.*]] = llvm.mlir.constant({{[0-9]+}} : i32) : i32
// CHECK-NEXT: %[[KIND:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK: %[[FIELD:.*]] = llvm.getelementptr %{{.*}}[16] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: %[[HOOK:.*]] = llvm.load %[[FIELD]] invariant
// CHECK: llvm.call %[[HOOK]](%{{.*}}, %[[P:.*]], %[[BYTES]], %[[KIND]], %[[WHERE]]) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, i32, i32) -> ()
// CHECK-NEXT: llvm.load %[[P]] : !llvm.ptr -> vector<3xf32>
// CHECK-NOT: llvm.call
// CHECK: llvm.store
// CHECK: %[[BYTES4:.*]] = llvm.mlir.constant(4 : i64) : i64
// CHECK: %[[LDSWRITE:.*]] = llvm.mlir.constant(10 : i32) : i32
// CHECK: llvm.call %{{.*}}(%{{.*}}, %[[LDS:.*]], %[[BYTES4]], %[[LDSWRITE]], %{{.*}})
// CHECK-NEXT: llvm.store %{{.*}}, %[[LDS]]
// CHECK: %[[RMW:.*]] = llvm.mlir.constant(7 : i32) : i32
// CHECK: llvm.call %{{.*}}(%{{.*}}, %[[P]], %{{.*}}, %[[RMW]], %{{.*}})
// CHECK-NEXT: llvm.atomicrmw
// CHECK: llvm.call @__fly_buffer_load_4(
// CHECK-LABEL: llvm.func internal @__fly_buffer_load_4(
// CHECK: %[[BUFFER:.*]] = llvm.mlir.constant(17 : i32) : i32
// CHECK: llvm.call %{{.*}}(%{{.*}}, %{{.*}}, %{{.*}}, %[[BUFFER]], %{{.*}})
// CHECK-NEXT: llvm.load
// OFF-LABEL: llvm.func internal @hooks(
// OFF-NOT: (!llvm.ptr, !llvm.ptr, i64, i32, i32) -> ()
// OFF: llvm.call @__fly_buffer_load_4(
