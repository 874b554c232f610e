// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx950}))' | FileCheck %s

// The frame of a kernel: the size query, the parameters from the packed block,
// and the end. Offsets are those of fly_cpu_lane: frame 0, slot 8, site 24.

gpu.module @no_sites {
  llvm.func @no_sites(%out: !llvm.ptr<1>, %flag: i1, %n: i64, %v: vector<4xf32>) attributes {rocdl.kernel} {
    llvm.store %n, %out : i64, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @no_sites(
// CHECK-SAME: %[[LANE:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) -> !llvm.ptr attributes {gpu.kernel, passthrough = ["presplitcoroutine"]}
// CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: %[[ALIGN:.*]] = llvm.mlir.constant(64 : i32) : i32
// CHECK: %[[ID:.*]] = llvm.intr.coro.id %[[ALIGN]], %[[NULL]], %[[NULL]], %[[NULL]]
// CHECK: %[[QUERY:.*]] = llvm.icmp "eq" %[[LANE]], %[[NULL]] : !llvm.ptr
// CHECK: llvm.cond_br %[[QUERY]], ^[[QUERIED:.*]], ^[[START:.*]]
// CHECK: ^[[QUERIED]]:
// CHECK: %[[SIZE:.*]] = llvm.intr.coro.size : i64
// CHECK: %[[SIZEPTR:.*]] = llvm.inttoptr %[[SIZE]] : i64 to !llvm.ptr
// CHECK: llvm.return %[[SIZEPTR]]
// CHECK: ^[[START]]:
// CHECK: %[[MEM:.*]] = llvm.load %[[LANE]] : !llvm.ptr -> !llvm.ptr
// CHECK: %[[FRAME:.*]] = llvm.intr.coro.begin %[[ID]], %[[MEM]]
// CHECK: %[[OUT:.*]] = llvm.load %[[ARGS]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.getelementptr %[[ARGS]][8]
// CHECK: %[[NFIELD:.*]] = llvm.getelementptr %[[ARGS]][16]
// CHECK: %[[N:.*]] = llvm.load %[[NFIELD]] invariant : !llvm.ptr -> i64
// CHECK: llvm.getelementptr %[[ARGS]][32]
// CHECK: llvm.store %[[N]], %[[OUT]] : i64, !llvm.ptr
// CHECK: %[[ENDED:.*]] = llvm.mlir.constant(-1 : i32) : i32
// CHECK: %[[SITE:.*]] = llvm.getelementptr %[[LANE]][24] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK: llvm.store %[[ENDED]], %[[SITE]] : i32, !llvm.ptr
// CHECK: llvm.br ^[[SUSPENDED:.*]]
// CHECK: ^[[SUSPENDED]]:
// CHECK: llvm.intr.coro.end %[[FRAME]]
// CHECK: llvm.return %[[FRAME]] : !llvm.ptr

// Parameters: 8 at 0, 1 at 8, 8 at 16, 16 at 32; 48 bytes in all.
// CHECK: llvm.mlir.global internal constant @__fly_cpu_params(dense<[0, 8, 8, 1, 16, 8, 32, 16]> : tensor<8xi32>)

// -----

// One suspension: operands to the slot, site number, suspend, results from the
// slot. A flag takes a byte, a struct a field for each member.

gpu.module @suspend {
  llvm.func @suspend(%out: !llvm.ptr<1>, %x: i32, %y: i32, %flag: i1) attributes {rocdl.kernel} {
    %swapped = rocdl.permlane32.swap %x, %y, true, false : (i32, i32) -> !llvm.struct<(i32, i32)>
    %first = llvm.extractvalue %swapped[0] : !llvm.struct<(i32, i32)>
    %votes = rocdl.ballot %flag : i64
    llvm.store %first, %out : i32, !llvm.ptr<1>
    llvm.store %votes, %out : i64, !llvm.ptr<1>
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @suspend(
// CHECK-SAME: %[[LANE:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: %[[FRAME:.*]] = llvm.intr.coro.begin
// CHECK: %[[X:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> i32
// CHECK: %[[Y:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> i32
// CHECK: %[[FLAG:.*]] = llvm.load %{{.*}} invariant : !llvm.ptr -> i1
// CHECK: %[[SLOTFIELD:.*]] = llvm.getelementptr %[[LANE]][8]
// CHECK: %[[SLOT:.*]] = llvm.load %[[SLOTFIELD]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.store %[[X]], %[[SLOT]] {alignment = 8 : i64} : i32
// CHECK: %[[FIELD1:.*]] = llvm.getelementptr %[[SLOT]][8]
// CHECK: llvm.store %[[Y]], %[[FIELD1]] {alignment = 8 : i64} : i32
// CHECK: %[[SITE0:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: %[[SITEFIELD:.*]] = llvm.getelementptr %[[LANE]][24]
// CHECK: llvm.store %[[SITE0]], %[[SITEFIELD]] : i32
// CHECK: %[[STATE:.*]] = llvm.intr.coro.save %[[FRAME]]
// CHECK: %[[HOW:.*]] = llvm.intr.coro.suspend %[[STATE]], %{{.*}} : i8
// CHECK: llvm.switch %[[HOW]] : i8, ^[[SUSPENDED:.*]] [
// CHECK-NEXT: 0: ^[[RESUMED:.*]],
// CHECK-NEXT: 1: ^[[SUSPENDED]]
// CHECK: ^[[RESUMED]]:
// CHECK: %[[RESULT0:.*]] = llvm.getelementptr %[[SLOT1:.*]][16]
// CHECK: llvm.load %[[RESULT0]] {alignment = 8 : i64} : !llvm.ptr -> i32
// CHECK: %[[RESULT1:.*]] = llvm.getelementptr %[[SLOT1]][24]
// CHECK: llvm.load %[[RESULT1]] {alignment = 8 : i64} : !llvm.ptr -> i32
// CHECK: %[[BYTE:.*]] = llvm.zext %[[FLAG]] : i1 to i8
// CHECK: llvm.store %[[BYTE]], %{{.*}} {alignment = 8 : i64} : i8
// CHECK: llvm.mlir.constant(1 : i32) : i32
// CHECK: llvm.intr.coro.suspend
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> i64

// Sites: swap (handler 8) with sizes at 0, two operands, two results and its
// two flags as immediates; ballot (handler 12).
// CHECK: @__fly_cpu_pool(dense<[4, 4, 4, 4, 1, 0, 1, 8]> : tensor<8xi32>)
// CHECK: @__fly_cpu_sites(dense<[8, {{[0-9]+}}, 0, 2, 2, 4, 2, 0, 12, {{[0-9]+}}, 6, 1, 1, 8, 0, 0]> : tensor<16xi32>)

// -----

// Allocas move to the entry block: a coroutine's frame can hold them there.

gpu.module @alloca {
  llvm.func @alloca(%out: !llvm.ptr<1>, %x: i32) attributes {rocdl.kernel} {
    %n = llvm.mlir.constant(4 : i32) : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    llvm.br ^loop(%c0 : i32)
  ^loop(%i: i32):
    %a = llvm.alloca %n x f32 : (i32) -> !llvm.ptr<5>
    %v = llvm.load %a : !llvm.ptr<5> -> f32
    llvm.store %v, %out : f32, !llvm.ptr<1>
    %next = llvm.add %i, %n : i32
    %go = llvm.icmp "slt" %next, %x : i32
    llvm.cond_br %go, ^loop(%next : i32), ^done
  ^done:
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @alloca(
// CHECK-NEXT: %[[N:.*]] = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT: llvm.alloca %[[N]] x f32 : (i32) -> !llvm.ptr
// CHECK: llvm.intr.coro.id
// CHECK-NOT: llvm.alloca
