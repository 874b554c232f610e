// RUN: fly-opt %s -pass-pipeline='builtin.module(fly-insert-runtime-checks{static-results})' | FileCheck %s
// RUN: fly-opt %s -fly-to-rocdl='chip=gfx942 runtime-checks' | FileCheck %s --check-prefix=ROCDL
// RUN: fly-opt %s -fly-to-rocdl=chip=gfx942 | FileCheck %s --check-prefix=NONE

// Ops whose results are static are folded away; what they ask of their operands
// is checked before.

// NONE-NOT: requires that

// CHECK-LABEL: gpu.func @quotient_of_zero
// ROCDL-DAG: message = "'fly.int_tuple_div' requires that the divisor ? is not 0 [div_c1]"
// CHECK:     cf.assert %{{.*}}, "'fly.int_tuple_div' requires that the divisor ? is not 0 [div_c1]"
// CHECK-NEXT: fly.int_tuple_div
// CHECK-NOT: cf.assert
gpu.module @kernels {
  gpu.func @quotient_of_zero(%p: !fly.ptr<i32, global>, %n: i32) kernel {
    %d = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
    %z = fly.static : !fly.int_tuple<0>
    %o = fly.int_tuple_div(%z, %d) : (!fly.int_tuple<0>, !fly.int_tuple<?>) -> !fly.int_tuple<0>
    %q = fly.add_offset(%p, %o) : (!fly.ptr<i32, global>, !fly.int_tuple<0>) -> !fly.ptr<i32, global>
    fly.ptr.store(%n, %q) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }

// CHECK-LABEL: gpu.func @coordinate_in_one_element
// ROCDL-DAG: message = "'fly.idx2crd' requires that ? is an index of 1:1 [idx2crd_c4]"
// CHECK:     cf.assert %{{.*}}, "'fly.idx2crd' requires that ? is an index of 1:1 [idx2crd_c4]"
// CHECK-NEXT: fly.idx2crd
// CHECK-NOT: cf.assert
  gpu.func @coordinate_in_one_element(%p: !fly.ptr<i32, global>, %n: i32) kernel {
    %i = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
    %l = fly.static : !fly.layout<1:1>
    %o = fly.idx2crd(%i, %l) : (!fly.int_tuple<?>, !fly.layout<1:1>) -> !fly.int_tuple<0>
    %q = fly.add_offset(%p, %o) : (!fly.ptr<i32, global>, !fly.int_tuple<0>) -> !fly.ptr<i32, global>
    fly.ptr.store(%n, %q) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }

// The layout itself goes with its user.

// CHECK-LABEL: gpu.func @extent_of_no_one
// ROCDL-DAG: message = "'fly.make_layout' requires that {{.*}} [layout_c3]"
// CHECK:     cf.assert %{{.*}}, "'fly.make_layout' requires that {{.*}} [layout_c3]"
// CHECK-NEXT: fly.make_layout
  gpu.func @extent_of_no_one(%p: !fly.ptr<i32, global>, %n: i32) kernel {
    %s = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
    %l = fly.make_layout(%s, %s) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.layout<?:?>
    %r = fly.right_inverse(%l) : (!fly.layout<?:?>) -> !fly.layout<1:0>
    %z = fly.size(%r) : (!fly.layout<1:0>) -> !fly.int_tuple<1>
    %q = fly.add_offset(%p, %z) : (!fly.ptr<i32, global>, !fly.int_tuple<1>) -> !fly.ptr<i32, global>
    fly.ptr.store(%n, %q) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }

// A run-time result is for the other run.

// CHECK-LABEL: gpu.func @run_time_result
// CHECK-NOT: cf.assert
  gpu.func @run_time_result(%p: !fly.ptr<i32, global>, %n: i32) kernel {
    %d = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
    %o = fly.int_tuple_mul(%d, %d) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
    %q = fly.add_offset(%p, %o) : (!fly.ptr<i32, global>, !fly.int_tuple<?>) -> !fly.ptr<i32, global>
    fly.ptr.store(%n, %q) : (i32, !fly.ptr<i32, global>) -> ()
    gpu.return
  }
}
