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

// -----

// A selection has the divisor of both arms; terms come back innermost first,
// whichever operand of the sum they were.

// CHECK-LABEL: gpu.func @select_and_constants
// CHECK-SAME:  (%[[X:.*]]: i32, %[[C:.*]]: i1,
// CHECK:       %[[V:.*]] = arith.select %[[C]],
// CHECK:       %[[A:.*]] = arith.andi %[[X]], %[[M:.*]] : i32
// CHECK-NEXT:  %[[H:.*]] = arith.shrui %[[A]], %[[S:.*]] : i32
// CHECK-NEXT:  %[[R:.*]] = arith.xori %[[X]], %[[H]] : i32
// CHECK-NEXT:  %[[I:.*]] = arith.addi %[[R]], %[[V]] : i32
// CHECK-NEXT:  %[[O:.*]] = arith.addi %[[I]], %{{.*}} : i32
// CHECK-NEXT:  fly.ptr.store(%[[O]],
gpu.module @m {
  gpu.func @select_and_constants(%x: i32, %c: i1, %p: i32, %o: !fly.ptr<i32, global>) {
    %m = arith.constant 192 : i32
    %s = arith.constant 3 : i32
    %c256 = arith.constant 256 : i32
    %c768 = arith.constant 768 : i32
    %v = arith.select %c, %c256, %c768 : i32
    %c512 = arith.constant 512 : i32
    %y0 = arith.addi %x, %v : i32
    %y = arith.addi %c512, %y0 : i32
    %a = arith.andi %y, %m : i32
    %h = arith.shrui %a, %s : i32
    %r = arith.xori %y, %h : i32
    fly.ptr.store(%r, %o) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }
}

// -----

// The largest divisor that a constructor promises, by the number of the operand;
// a sum has the common divisor, so the first swizzle stays.

// CHECK-LABEL: gpu.func @annotated
// CHECK-SAME:  (%[[X:.*]]: i32, %[[Q:.*]]: i32, %[[W:.*]]: i32,
// CHECK:       %[[Y0:.*]] = arith.addi %[[Q]], %[[X]] : i32
// CHECK:       %[[Y:.*]] = arith.addi %[[Y0]], %[[W]] : i32
// CHECK:       %[[A:.*]] = arith.andi %[[Y]],
// CHECK-NEXT:  %[[H:.*]] = arith.shrui %[[A]],
// CHECK-NEXT:  %[[R:.*]] = arith.xori %[[Y]], %[[H]] : i32
// CHECK:       %[[Y1:.*]] = arith.addi %[[X]], %[[W]] : i32
// CHECK:       %[[A1:.*]] = arith.andi %[[Y1]],
// CHECK-NEXT:  %[[H1:.*]] = arith.shrui %[[A1]],
// CHECK-NEXT:  %[[X1:.*]] = arith.xori %[[Y1]], %[[H1]] : i32
// CHECK-NEXT:  %[[R1:.*]] = arith.addi %[[X1]], %[[Q]] : i32
// CHECK-NEXT:  fly.ptr.store(%[[R]],
// CHECK-NEXT:  fly.ptr.store(%[[R1]],
gpu.module @m {
  gpu.func @annotated(%x: i32, %q: i32, %w: i32, %o: !fly.ptr<i32, global>) {
    %t0 = fly.make_coord(%x, %q) : (i32, i32) -> !fly.int_tuple<(?,(3,?{div=512}))>
    %t1 = fly.make_shape(%q) : (i32) -> !fly.int_tuple<?{div=32}>
    %t2 = fly.make_stride(%w) : (i32) -> !fly.int_tuple<?{div=128}>
    %m = arith.constant 192 : i32
    %s = arith.constant 3 : i32
    %y0 = arith.addi %q, %x : i32
    %y = arith.addi %y0, %w : i32
    %a = arith.andi %y, %m : i32
    %h = arith.shrui %a, %s : i32
    %r = arith.xori %y, %h : i32
    %y1 = arith.addi %x, %w : i32
    %y2 = arith.addi %y1, %q : i32
    %a2 = arith.andi %y2, %m : i32
    %h2 = arith.shrui %a2, %s : i32
    %r2 = arith.xori %y2, %h2 : i32
    fly.ptr.store(%r, %o) : (i32, !fly.ptr<i32, global>) -> ()
    fly.ptr.store(%r2, %o) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }
}

// -----

// Indices of 64 bits; a period that 32 bits do not hold is left alone.

// CHECK-LABEL: gpu.func @wide
// CHECK-SAME:  (%[[X:.*]]: i64, %[[Q:.*]]: i64,
// CHECK:       %[[A:.*]] = arith.andi %[[X]],
// CHECK-NEXT:  %[[H:.*]] = arith.shrui %[[A]],
// CHECK-NEXT:  %[[R:.*]] = arith.xori %[[X]], %[[H]] : i64
// CHECK-NEXT:  arith.addi %[[R]], %[[Q]] : i64
gpu.module @m {
  gpu.func @wide(%x: i64, %q: i64, %o: !fly.ptr<i64, global>) {
    %t0 = fly.make_int_tuple(%q) : (i64) -> !fly.int_tuple<?{i64 div=256}>
    %m = arith.constant 192 : i64
    %s = arith.constant 3 : i64
    %y = arith.addi %q, %x : i64
    %a = arith.andi %y, %m : i64
    %h = arith.shrui %a, %s : i64
    %r = arith.xori %y, %h : i64
    fly.ptr.store(%r, %o) : (i64, !fly.ptr<i64, global>) -> ()
    gpu.return
  }
}

// -----

// The period is 2^32.

// CHECK-LABEL: gpu.func @huge_period
// CHECK-SAME:  (%[[X:.*]]: i64, %[[Q:.*]]: i64,
// CHECK:       %[[Y:.*]] = arith.addi %[[Q]], %[[X]] : i64
// CHECK:       %[[R:.*]] = arith.xori %[[Y]],
// CHECK-NEXT:  fly.ptr.store(%[[R]],
gpu.module @m {
  gpu.func @huge_period(%x: i64, %q: i64, %o: !fly.ptr<i64, global>) {
    %t0 = fly.make_int_tuple(%q) : (i64) -> !fly.int_tuple<?{i64 div=4294967296}>
    %m = arith.constant 3221225472 : i64
    %s = arith.constant 3 : i64
    %y = arith.addi %q, %x : i64
    %a = arith.andi %y, %m : i64
    %h = arith.shrui %a, %s : i64
    %r = arith.xori %y, %h : i64
    fly.ptr.store(%r, %o) : (i64, !fly.ptr<i64, global>) -> ()
    gpu.return
  }
}

// -----

// Only kernels are looked at.

// CHECK-LABEL: func.func @host
// CHECK-SAME:  (%[[X:.*]]: i32, %[[Q:.*]]: i32)
// CHECK:       %[[Y:.*]] = arith.addi %[[Q]], %[[X]] : i32
// CHECK:       %[[R:.*]] = arith.xori %[[Y]],
// CHECK-NEXT:  return %[[R]]
func.func @host(%x: i32, %q: i32) -> i32 {
  %t = fly.make_int_tuple(%q) : (i32) -> !fly.int_tuple<?{div=256}>
  %m = arith.constant 192 : i32
  %s = arith.constant 3 : i32
  %y = arith.addi %q, %x : i32
  %a = arith.andi %y, %m : i32
  %h = arith.shrui %a, %s : i32
  %r = arith.xori %y, %h : i32
  return %r : i32
}
