// RUN: fly-opt %s -split-input-file -pass-pipeline='builtin.module(gpu.module(convert-rocdl-to-host{chip=gfx942}))' | FileCheck %s

// Where lanes stop and in which order. The handler of each site stands in the
// first of the eight numbers of its row: latch 0, barrier 1, readfirstlane 11,
// ballot 12.

// Arms of a branch come before what follows them, whatever the order of the
// blocks in the text.

gpu.module @arms {
  llvm.func @arms(%c: i1, %x: i32) attributes {rocdl.kernel} {
    llvm.cond_br %c, ^then, ^else
  ^join(%v: i32):
    rocdl.barrier
    llvm.return
  ^else:
    %b = rocdl.ballot %c : i32
    llvm.br ^join(%b : i32)
  ^then:
    %a = rocdl.readfirstlane %x : i32
    llvm.br ^join(%a : i32)
  }
}

// CHECK-LABEL: gpu.module @arms
// CHECK: @__fly_cpu_sites(dense<[11, {{.*}}, 12, {{.*}}, 1, {{[0-9]+}}, {{[0-9]+}}, 0, 0, {{[0-9]+}}, 0, 0]> : tensor<24xi32>)

// -----

// A loop whose sites lie on every way through an iteration needs no latch
// site. What follows the loop comes behind it.

gpu.module @simple_loop {
  llvm.func @simple_loop(%n: i32) attributes {rocdl.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^head(%c0 : i32)
  ^exit:
    rocdl.barrier
    llvm.return
  ^head(%i: i32):
    %a = rocdl.readfirstlane %i : i32
    %next = llvm.add %i, %c1 : i32
    %go = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %go, ^head(%next : i32), ^exit
  }
}

// CHECK-LABEL: gpu.module @simple_loop
// CHECK: @__fly_cpu_sites(dense<[11, {{.*}}, 1, {{.*}}]> : tensor<16xi32>)

// -----

// A site that some lanes pass by: one latch site, behind the others of the
// loop, on the edge back to the header only.

gpu.module @latch {
  llvm.func @latch(%n: i32, %c: i1) attributes {rocdl.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^head(%c0 : i32)
  ^head(%i: i32):
    llvm.cond_br %c, ^then, ^latch
  ^then:
    %a = rocdl.readfirstlane %i : i32
    llvm.br ^latch
  ^latch:
    %next = llvm.add %i, %c1 : i32
    %go = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %go, ^head(%next : i32), ^exit
  ^exit:
    rocdl.barrier
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @latch(
// CHECK: %[[NEXT:.*]] = llvm.add
// CHECK: %[[GO:.*]] = llvm.icmp "slt" %[[NEXT]]
// CHECK: llvm.cond_br %[[GO]], ^[[BACK:.*]], ^{{.*}}
// CHECK: ^[[BACK]]:
// CHECK: %[[SITE:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT: %[[FIELD:.*]] = llvm.getelementptr %{{.*}}[24]
// CHECK-NEXT: llvm.store %[[SITE]], %[[FIELD]]
// CHECK: llvm.intr.coro.suspend
// CHECK: llvm.br ^{{.*}}(%[[NEXT]] : i32)
// CHECK: @__fly_cpu_sites(dense<[11, {{.*}}, 0, {{[0-9]+}}, 0, 0, 0, 0, 0, 0, 1, {{.*}}]> : tensor<24xi32>)

// -----

// Lanes leave an inner loop after different numbers of rounds: its site does
// not keep the iterations of the outer loop apart, a latch site does.

gpu.module @nested {
  llvm.func @nested(%n: i32, %m: i32) attributes {rocdl.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^outer(%c0 : i32)
  ^outer(%i: i32):
    llvm.br ^inner(%c0 : i32)
  ^inner(%j: i32):
    %a = rocdl.readfirstlane %j : i32
    %jnext = llvm.add %j, %c1 : i32
    %jgo = llvm.icmp "slt" %jnext, %m : i32
    llvm.cond_br %jgo, ^inner(%jnext : i32), ^latch
  ^latch:
    %next = llvm.add %i, %c1 : i32
    %go = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %go, ^outer(%next : i32), ^exit
  ^exit:
    llvm.return
  }
}

// CHECK-LABEL: gpu.module @nested
// CHECK: @__fly_cpu_sites(dense<[11, {{.*}}, 0, {{[0-9]+}}, 0, 0, 0, 0, 0, 0]> : tensor<16xi32>)

// -----

// Both back edges of one loop stop at the same site: lanes that take either
// wait for each other.

gpu.module @two_latches {
  llvm.func @two_latches(%n: i32, %c: i1) attributes {rocdl.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    llvm.br ^head(%c0 : i32)
  ^head(%i: i32):
    %next = llvm.add %i, %c1 : i32
    %go = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %go, ^body, ^exit
  ^body:
    llvm.cond_br %c, ^first, ^second
  ^first:
    %a = rocdl.readfirstlane %i : i32
    llvm.br ^head(%next : i32)
  ^second:
    llvm.br ^head(%next : i32)
  ^exit:
    llvm.return
  }
}

// CHECK-LABEL: llvm.func internal @two_latches(
// CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 8 : i64} : i32
// CHECK-NEXT: %[[SITE0:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT: %[[FIELD0:.*]] = llvm.getelementptr %{{.*}}[24]
// CHECK-NEXT: llvm.store %[[SITE0]], %[[FIELD0]]
// CHECK: %[[SITE1:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT: %[[FIELD1:.*]] = llvm.getelementptr %{{.*}}[24]
// CHECK-NEXT: llvm.store %[[SITE1]], %[[FIELD1]]
// CHECK: %[[AGAIN:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT: %[[FIELD2:.*]] = llvm.getelementptr %{{.*}}[24]
// CHECK-NEXT: llvm.store %[[AGAIN]], %[[FIELD2]]
// CHECK: @__fly_cpu_sites({{.*}} : tensor<16xi32>)
