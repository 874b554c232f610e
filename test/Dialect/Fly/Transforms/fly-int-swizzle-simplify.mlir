// RUN: fly-opt %s -fly-int-swizzle-simplify -cse -split-input-file | FileCheck %s

// Terms that a swizzle does not touch.

// CHECK-LABEL: gpu.func @f
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32, %[[ARG1:[A-Za-z0-9_]+]]: i32) {
// CHECK-NEXT:  %[[C192_I32:[A-Za-z0-9_]+]] = arith.constant 192 : i32
// CHECK-NEXT:  %[[C3_I32:[A-Za-z0-9_]+]] = arith.constant 3 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.addi %[[ARG1]], %[[ARG0]] : i32
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.andi %[[V0]], %[[C192_I32]] : i32
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = arith.andi %[[ARG0]], %[[C192_I32]] : i32
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = arith.shrui %[[V2]], %[[C3_I32]] : i32
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = arith.xori %[[ARG0]], %[[V3]] : i32
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = arith.addi %[[V4]], %[[ARG1]] : i32
// CHECK-NEXT:  gpu.return

gpu.module @m {
  gpu.func @f(%x: i32, %q: i32) {
    %t = fly.make_int_tuple(%q) : (i32) -> !fly.int_tuple<?{div=256}>
    %m = arith.constant 192 : i32
    %s = arith.constant 3 : i32
    %y = arith.addi %q, %x : i32
    %a = arith.andi %y, %m : i32
    %h = arith.shrui %a, %s : i32
    %r = arith.xori %y, %h : i32
    %u = fly.make_int_tuple(%r, %q) : (i32, i32) -> !fly.int_tuple<(?,?)>
    gpu.return
  }
}

// -----

// Products and shifts show their divisors; what is left is empty, so the swizzle
// is 0.

// CHECK-LABEL: gpu.func @multiples
// CHECK-SAME:  (%[[X:.*]]: i32, %[[Y:.*]]: i32, %[[O:.*]]: !fly.ptr<i32, global>)
// CHECK:       %[[A:.*]] = arith.muli %[[X]],
// CHECK:       %[[B:.*]] = arith.shli %[[Y]],
// CHECK:       %[[Z:.*]] = arith.constant 0 : i32
// CHECK-NEXT:  %[[S:.*]] = arith.addi %[[Z]], %[[A]] : i32
// CHECK-NEXT:  %[[R:.*]] = arith.addi %[[S]], %[[B]] : i32
// CHECK-NEXT:  fly.ptr.store(%[[R]], %[[O]])
gpu.module @m {
  gpu.func @multiples(%x: i32, %y: i32, %o: !fly.ptr<i32, global>) {
    %m = arith.constant 48 : i32
    %s = arith.constant 2 : i32
    %c = arith.constant 192 : i32
    %k = arith.constant 6 : i32
    %p = arith.muli %x, %c : i32
    %q = arith.shli %y, %k : i32
    %t = arith.addi %p, %q : i32
    %a = arith.andi %t, %m : i32
    %h = arith.shrui %a, %s : i32
    %r = arith.xori %t, %h : i32
    fly.ptr.store(%r, %o) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }
}

// -----

// Not rewritten: another order of operands, a shift above the mask, a mask with
// a hole, a term that is no multiple of the period.

// CHECK-LABEL: gpu.func @refused
// CHECK-COUNT-4: arith.xori
// CHECK-NOT:   arith.addi %{{.*}}, %{{.*}} : i32
// CHECK:       gpu.return
gpu.module @m {
  gpu.func @refused(%x: i32, %q: i32, %o: !fly.ptr<i32, global>) {
    %t = fly.make_int_tuple(%q) : (i32) -> !fly.int_tuple<?{div=256}>
    %m = arith.constant 192 : i32
    %hole = arith.constant 160 : i32
    %wide = arith.constant 768 : i32
    %s = arith.constant 3 : i32
    %far = arith.constant 7 : i32
    %y = arith.addi %q, %x : i32
    %a = arith.andi %y, %m : i32
    %h = arith.shrui %a, %s : i32
    %r0 = arith.xori %h, %y : i32
    %h1 = arith.shrui %a, %far : i32
    %r1 = arith.xori %y, %h1 : i32
    %a2 = arith.andi %y, %hole : i32
    %h2 = arith.shrui %a2, %s : i32
    %r2 = arith.xori %y, %h2 : i32
    %a3 = arith.andi %y, %wide : i32
    %h3 = arith.shrui %a3, %s : i32
    %r3 = arith.xori %y, %h3 : i32
    fly.ptr.store(%r0, %o) : (i32, !fly.ptr<i32, global>) -> ()
    fly.ptr.store(%r1, %o) : (i32, !fly.ptr<i32, global>) -> ()
    fly.ptr.store(%r2, %o) : (i32, !fly.ptr<i32, global>) -> ()
    fly.ptr.store(%r3, %o) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }
}
