// RUN: fly-opt %s -fly-merge-offsets -split-input-file | FileCheck %s

// Chains of add_offset: one run-time link at most, then one static link.

// CHECK-LABEL: func.func @static_static
// CHECK-SAME: (%[[P:.*]]: !fly.ptr<f32, global>)
// CHECK-NEXT: %[[K:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<7>
// CHECK-NEXT: %[[Q:.*]] = fly.add_offset(%[[P]], %[[K]]) : (!fly.ptr<f32, global>, !fly.int_tuple<7>) -> !fly.ptr<f32, global>
// CHECK-NEXT: return %[[Q]]
func.func @static_static(%p: !fly.ptr<f32, global>) -> !fly.ptr<f32, global> {
  %a = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  %b = fly.make_int_tuple() : () -> !fly.int_tuple<4>
  %q = fly.add_offset(%p, %a) : (!fly.ptr<f32, global>, !fly.int_tuple<3>) -> !fly.ptr<f32, global>
  %r = fly.add_offset(%q, %b) : (!fly.ptr<f32, global>, !fly.int_tuple<4>) -> !fly.ptr<f32, global>
  return %r : !fly.ptr<f32, global>
}

// -----

// The sum is computed in the wider width; the inner link stays for its other user.

// CHECK-LABEL: func.func @runtime_runtime
// CHECK-SAME: (%[[P:.*]]: !fly.ptr<f32, global>, %[[I:.*]]: i32, %[[J:.*]]: i64)
// CHECK:      %[[TI:.*]] = fly.make_int_tuple(%[[I]])
// CHECK:      %[[Q:.*]] = fly.add_offset(%[[P]], %[[TI]])
// CHECK:      %[[X:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[X]], %[[J]] : i64
// CHECK-NEXT: %[[TS:.*]] = fly.make_int_tuple(%[[S]]) : (i64) -> !fly.int_tuple<?{i64}>
// CHECK-NEXT: %[[R:.*]] = fly.add_offset(%[[P]], %[[TS]])
// CHECK-NEXT: return %[[Q]], %[[R]]
func.func @runtime_runtime(%p: !fly.ptr<f32, global>, %i: i32, %j: i64) -> (!fly.ptr<f32, global>, !fly.ptr<f32, global>) {
  %a = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %b = fly.make_int_tuple(%j) : (i64) -> !fly.int_tuple<?{i64}>
  %q = fly.add_offset(%p, %a) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  %r = fly.add_offset(%q, %b) : (!fly.ptr<f32, global>, !fly.int_tuple<?{i64}>) -> !fly.ptr<f32, global>
  return %q, %r : !fly.ptr<f32, global>, !fly.ptr<f32, global>
}

// -----

// CHECK-LABEL: func.func @runtime_then_static
// CHECK:      %[[A:.*]] = fly.make_int_tuple(%{{.*}}) : (i32)
// CHECK:      %[[B:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<4>
// CHECK:      %[[Q:.*]] = fly.add_offset(%{{.*}}, %[[A]])
// CHECK-NEXT: %[[R:.*]] = fly.add_offset(%[[Q]], %[[B]])
// CHECK-NEXT: return %[[R]]
func.func @runtime_then_static(%p: !fly.ptr<f32, global>, %i: i32) -> !fly.ptr<f32, global> {
  %a = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %b = fly.make_int_tuple() : () -> !fly.int_tuple<4>
  %q = fly.add_offset(%p, %a) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  %r = fly.add_offset(%q, %b) : (!fly.ptr<f32, global>, !fly.int_tuple<4>) -> !fly.ptr<f32, global>
  return %r : !fly.ptr<f32, global>
}

// -----

// The run-time link moves below the static one and meets the next run-time link.

// CHECK-LABEL: func.func @runtime_static_runtime
// CHECK-SAME: (%[[P:.*]]: !fly.ptr<f32, global>, %[[I:.*]]: i32, %[[J:.*]]: i32)
// CHECK-DAG:  %[[B:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<4>
// CHECK-DAG:  %[[WI:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK-DAG:  %[[WJ:.*]] = arith.extsi %[[J]] : i32 to i64
// CHECK:      %[[S:.*]] = arith.addi %[[WI]], %[[WJ]] : i64
// CHECK:      %[[TS:.*]] = fly.make_int_tuple(%[[S]]) : (i64) -> !fly.int_tuple<?{i64}>
// CHECK-NEXT: %[[Q:.*]] = fly.add_offset(%[[P]], %[[TS]])
// CHECK-NEXT: %[[R:.*]] = fly.add_offset(%[[Q]], %[[B]])
// CHECK-NEXT: return %[[R]]
func.func @runtime_static_runtime(%p: !fly.ptr<f32, global>, %i: i32, %j: i32) -> !fly.ptr<f32, global> {
  %a = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %b = fly.make_int_tuple() : () -> !fly.int_tuple<4>
  %c = fly.make_int_tuple(%j) : (i32) -> !fly.int_tuple<?>
  %q = fly.add_offset(%p, %a) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  %r = fly.add_offset(%q, %b) : (!fly.ptr<f32, global>, !fly.int_tuple<4>) -> !fly.ptr<f32, global>
  %s = fly.add_offset(%r, %c) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  return %s : !fly.ptr<f32, global>
}

// -----

// A static link with another user does not move.

// CHECK-LABEL: func.func @static_shared_with_another_user
// CHECK:      %[[Q:.*]] = fly.add_offset(%[[P:.*]], %{{.*}}) : (!fly.ptr<f32, global>, !fly.int_tuple<4>)
// CHECK-NEXT: %[[R:.*]] = fly.add_offset(%[[Q]], %{{.*}}) : (!fly.ptr<f32, global>, !fly.int_tuple<?>)
// CHECK-NEXT: return %[[Q]], %[[R]]
func.func @static_shared_with_another_user(%p: !fly.ptr<f32, global>, %i: i32) -> (!fly.ptr<f32, global>, !fly.ptr<f32, global>) {
  %a = fly.make_int_tuple() : () -> !fly.int_tuple<4>
  %b = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %q = fly.add_offset(%p, %a) : (!fly.ptr<f32, global>, !fly.int_tuple<4>) -> !fly.ptr<f32, global>
  %r = fly.add_offset(%q, %b) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  return %q, %r : !fly.ptr<f32, global>, !fly.ptr<f32, global>
}

// -----

// 1 + 3 elements would promise 16 bytes where the two steps promise 4.

// CHECK-LABEL: func.func @sum_with_another_alignment
// CHECK:      %[[Q:.*]] = fly.add_offset(%{{.*}}, %{{.*}}) : (!fly.ptr<f32, global, align<16>>, !fly.int_tuple<1>) -> !fly.ptr<f32, global>
// CHECK-NEXT: fly.add_offset(%[[Q]], %{{.*}}) : (!fly.ptr<f32, global>, !fly.int_tuple<3>) -> !fly.ptr<f32, global>
func.func @sum_with_another_alignment(%p: !fly.ptr<f32, global, align<16>>) -> !fly.ptr<f32, global> {
  %a = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %b = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  %q = fly.add_offset(%p, %a) : (!fly.ptr<f32, global, align<16>>, !fly.int_tuple<1>) -> !fly.ptr<f32, global>
  %r = fly.add_offset(%q, %b) : (!fly.ptr<f32, global>, !fly.int_tuple<3>) -> !fly.ptr<f32, global>
  return %r : !fly.ptr<f32, global>
}

// -----

// A sum beyond 64 bits stays two steps.

// CHECK-LABEL: func.func @sum_beyond_64_bits
// CHECK-COUNT-2: fly.add_offset
func.func @sum_beyond_64_bits(%p: !fly.ptr<i8, global>) -> !fly.ptr<i8, global> {
  %a = fly.make_int_tuple() : () -> !fly.int_tuple<9223372036854775807>
  %q = fly.add_offset(%p, %a) : (!fly.ptr<i8, global>, !fly.int_tuple<9223372036854775807>) -> !fly.ptr<i8, global>
  %r = fly.add_offset(%q, %a) : (!fly.ptr<i8, global>, !fly.int_tuple<9223372036854775807>) -> !fly.ptr<i8, global>
  return %r : !fly.ptr<i8, global>
}

// -----

// Two offsets that surely sum up within 32 bits.

// CHECK-LABEL: func.func @runtime_runtime_known_reach
// CHECK:      %[[S:.*]] = arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: %[[TS:.*]] = fly.make_int_tuple(%[[S]]) : (i32) -> !fly.int_tuple<?>
// CHECK-NEXT: %[[Q:.*]] = fly.add_offset
// CHECK-NEXT: return %[[Q]]
func.func @runtime_runtime_known_reach(%p: !fly.ptr<f32, global>, %i: i32) -> !fly.ptr<f32, global> {
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i32
  %c16384 = arith.constant 16384 : i32
  %x = arith.muli %t, %c16384 : i32
  %y = arith.remsi %i, %c16384 : i32
  %a = fly.make_int_tuple(%x) : (i32) -> !fly.int_tuple<?>
  %b = fly.make_int_tuple(%y) : (i32) -> !fly.int_tuple<?>
  %q = fly.add_offset(%p, %a) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  %r = fly.add_offset(%q, %b) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  return %r : !fly.ptr<f32, global>
}

// -----

// A product that may wrap has any value; the sum of one such and a small one
// may leave 32 bits.

// CHECK-LABEL: func.func @runtime_runtime_unknown_product
// CHECK:      arith.addi %{{.*}}, %{{.*}} : i64
// CHECK-NEXT: fly.make_int_tuple(%{{.*}}) : (i64) -> !fly.int_tuple<?{i64}>
func.func @runtime_runtime_unknown_product(%p: !fly.ptr<f32, global>, %i: i32) -> !fly.ptr<f32, global> {
  %tid = gpu.thread_id x
  %t = arith.index_cast %tid : index to i32
  %c32768 = arith.constant 32768 : i32
  %x = arith.muli %t, %c32768 : i32
  %y = arith.remsi %i, %c32768 : i32
  %a = fly.make_int_tuple(%x) : (i32) -> !fly.int_tuple<?>
  %b = fly.make_int_tuple(%y) : (i32) -> !fly.int_tuple<?>
  %q = fly.add_offset(%p, %a) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  %r = fly.add_offset(%q, %b) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  return %r : !fly.ptr<f32, global>
}

// -----

// Shared memory and registers count in 32 bits: a sum that wraps is the same
// place.

// CHECK-LABEL: func.func @runtime_runtime_shared
// CHECK:      arith.addi %{{.*}}, %{{.*}} : i32
// CHECK-NEXT: fly.make_int_tuple(%{{.*}}) : (i32) -> !fly.int_tuple<?>
func.func @runtime_runtime_shared(%p: !fly.ptr<f32, shared>, %i: i32, %j: i32) -> !fly.ptr<f32, shared> {
  %a = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %b = fly.make_int_tuple(%j) : (i32) -> !fly.int_tuple<?>
  %q = fly.add_offset(%p, %a) : (!fly.ptr<f32, shared>, !fly.int_tuple<?>) -> !fly.ptr<f32, shared>
  %r = fly.add_offset(%q, %b) : (!fly.ptr<f32, shared>, !fly.int_tuple<?>) -> !fly.ptr<f32, shared>
  return %r : !fly.ptr<f32, shared>
}
