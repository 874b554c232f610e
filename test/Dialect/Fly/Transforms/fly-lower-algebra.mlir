// RUN: fly-opt %s -fly-lower-algebra -split-input-file | FileCheck %s

// Values that no constructor made are read through extractors, once each.

// DIFF: normal-form
// CHECK-LABEL: func.func @block_arguments
// CHECK-SAME:  (%[[T:.*]]: !fly.int_tuple<(?,4)>, %[[L:.*]]: !fly.layout<(8,?):(?{i64},1)>)
// CHECK-DAG:   %[[TI:.*]] = fly.get_leaves(%[[T]]) {dynamicOnly = true} : (!fly.int_tuple<(?,4)>) -> i32
// CHECK-DAG:   %[[S:.*]] = fly.get_shape(%[[L]]) : {{.*}} -> !fly.int_tuple<(8,?)>
// CHECK-DAG:   %[[SI:.*]] = fly.get_leaves(%[[S]]) {dynamicOnly = true} : {{.*}} -> i32
// CHECK-DAG:   %[[D:.*]] = fly.get_stride(%[[L]]) : {{.*}} -> !fly.int_tuple<(?{i64},1)>
// CHECK-DAG:   %[[DI:.*]] = fly.get_leaves(%[[D]]) {dynamicOnly = true} : {{.*}} -> i64
// CHECK:       %[[X:.*]] = arith.extsi %[[TI]] : i32 to i64
// CHECK:       %[[M:.*]] = arith.muli %[[X]], %[[DI]] : i64
// CHECK:       %[[C4:.*]] = arith.constant 4 : i64
// CHECK:       %[[A:.*]] = arith.addi %[[M]], %[[C4]] : i64
// CHECK:       %[[N:.*]] = arith.muli %{{.*}}, %[[SI]] : i32
// CHECK:       return %[[A]], %[[N]]
func.func @block_arguments(%t: !fly.int_tuple<(?,4)>, %l: !fly.layout<(8,?):(?{i64},1)>) -> (i64, i32) {
  %i = fly.crd2idx(%t, %l) : (!fly.int_tuple<(?,4)>, !fly.layout<(8,?):(?{i64},1)>) -> !fly.int_tuple<?{i64}>
  %s = fly.get_scalar(%i) : (!fly.int_tuple<?{i64}>) -> i64
  %z = fly.size(%l) : (!fly.layout<(8,?):(?{i64},1)>) -> !fly.int_tuple<?{div=8}>
  %n = fly.get_scalar(%z) : (!fly.int_tuple<?{div=8}>) -> i32
  return %s, %n : i64, i32
}

// -----

// The pointer of an unknown memref, and a coordinate tensor's base.

// CHECK-LABEL: func.func @unknown_tensors
// CHECK-SAME:  (%[[M:.*]]: !fly.memref<f32, global, (4,8):(8,1), align<16>>, %[[C:.*]]: !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>)
// CHECK-DAG:   %[[P:.*]] = fly.get_iter(%[[M]]) : {{.*}} -> !fly.ptr<f32, global, align<16>>
// CHECK-DAG:   %[[B:.*]] = fly.get_iter(%[[C]]) : {{.*}} -> !fly.int_tuple<(?,0)>
// CHECK-DAG:   %[[BI:.*]] = fly.get_leaves(%[[B]]) {dynamicOnly = true} : {{.*}} -> i32
// CHECK:       %[[K:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<16>
// CHECK:       %[[Q:.*]] = fly.add_offset(%[[P]], %[[K]]) : {{.*}} -> !fly.ptr<f32, global, align<16>>
// CHECK:       %[[V:.*]] = fly.make_view(%[[Q]], %{{.*}}) : {{.*}} -> !fly.memref<f32, global, 8:1, align<16>>
// CHECK:       %[[C2:.*]] = arith.constant 2 : i32
// CHECK:       %[[S:.*]] = arith.addi %[[BI]], %[[C2]] : i32
// CHECK:       %[[T:.*]] = fly.make_int_tuple(%[[S]]) : (i32) -> !fly.int_tuple<(?,0)>
// CHECK:       %[[W:.*]] = fly.make_view(%[[T]], %{{.*}}) : {{.*}} -> !fly.coord_tensor<(?,0), 8:1E1>
// CHECK:       return %[[V]], %[[W]]
func.func @unknown_tensors(%m: !fly.memref<f32, global, (4,8):(8,1), align<16>>, %c: !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>) -> (!fly.memref<f32, global, 8:1, align<16>>, !fly.coord_tensor<(?,0), 8:1E1>) {
  %i = fly.static : !fly.int_tuple<(2,*)>
  %v = fly.slice(%m, %i) : (!fly.memref<f32, global, (4,8):(8,1), align<16>>, !fly.int_tuple<(2,*)>) -> !fly.memref<f32, global, 8:1, align<16>>
  %w = fly.slice(%c, %i) : (!fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>, !fly.int_tuple<(2,*)>) -> !fly.coord_tensor<(?,0), 8:1E1>
  return %v, %w : !fly.memref<f32, global, 8:1, align<16>>, !fly.coord_tensor<(?,0), 8:1E1>
}

// -----

// Parts of constructors are their operands; a leaf of a basis is its value.

// CHECK-LABEL: func.func @extractors
// CHECK-SAME:  (%[[P:.*]]: !fly.ptr<f32, global>, %[[I:.*]]: i32)
// CHECK:       %[[O:.*]] = fly.make_int_tuple(%[[I]]) : (i32) -> !fly.int_tuple<?>
// CHECK:       %[[SW:.*]] = fly.static : !fly.swizzle<S<1,2,3>>
// CHECK:       %[[C1:.*]] = arith.constant 6 : i32
// CHECK:       return %[[P]], %[[O]], %[[SW]], %[[C1]], %[[I]]
func.func @extractors(%p: !fly.ptr<f32, global>, %i: i32) -> (!fly.ptr<f32, global>, !fly.int_tuple<?>, !fly.swizzle<S<1,2,3>>, i32, i32) {
  %o = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %sw = fly.static : !fly.swizzle<S<1,2,3>>
  %l = fly.static : !fly.layout<(6,8):(8,1)>
  %c = fly.make_composed_layout(%sw, %o, %l) : (!fly.swizzle<S<1,2,3>>, !fly.int_tuple<?>, !fly.layout<(6,8):(8,1)>) -> !fly.composed_layout<S<1,2,3> o ? o (6,8):(8,1)>
  %v = fly.make_view(%p, %c) : (!fly.ptr<f32, global>, !fly.composed_layout<S<1,2,3> o ? o (6,8):(8,1)>) -> !fly.memref<f32, global, S<1,2,3> o ? o (6,8):(8,1)>
  %q = fly.get_iter(%v) : (!fly.memref<f32, global, S<1,2,3> o ? o (6,8):(8,1)>) -> !fly.ptr<f32, global>
  %d = fly.get_layout(%v) : (!fly.memref<f32, global, S<1,2,3> o ? o (6,8):(8,1)>) -> !fly.composed_layout<S<1,2,3> o ? o (6,8):(8,1)>
  %oo = fly.composed_get_offset(%d) : (!fly.composed_layout<S<1,2,3> o ? o (6,8):(8,1)>) -> !fly.int_tuple<?>
  %in = fly.composed_get_inner(%d) : (!fly.composed_layout<S<1,2,3> o ? o (6,8):(8,1)>) -> !fly.swizzle<S<1,2,3>>
  %s = fly.get_shape(%v) : (!fly.memref<f32, global, S<1,2,3> o ? o (6,8):(8,1)>) -> !fly.int_tuple<(6,8)>
  %m = fly.get(%s) {mode = array<i32: 0>} : (!fly.int_tuple<(6,8)>) -> !fly.int_tuple<6>
  %x = fly.get_scalar(%m) : (!fly.int_tuple<6>) -> i32
  %b = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?E1>
  %y = fly.get_scalar(%b) : (!fly.int_tuple<?E1>) -> i32
  return %q, %oo, %in, %x, %y : !fly.ptr<f32, global>, !fly.int_tuple<?>, !fly.swizzle<S<1,2,3>>, i32, i32
}

// -----

// Values of several blocks: the definition is lowered before its users wherever
// its block stands.

// CHECK-LABEL: func.func @blocks_out_of_order
// CHECK-SAME:  (%[[I:.*]]: i32)
// CHECK:       cf.br ^[[FIRST:bb[0-9]]]
// CHECK:     ^[[LAST:bb[0-9]]]:
// CHECK-NEXT:  return %[[S:.*]] : i32
// CHECK:     ^[[FIRST]]:
// CHECK:       %[[S]] = arith.addi %[[I]], %[[I]] : i32
// CHECK:       cf.br ^[[LAST]]
func.func @blocks_out_of_order(%i: i32) -> i32 {
  cf.br ^first
^last:
  %s = fly.get_scalar(%t) : (!fly.int_tuple<?>) -> i32
  return %s : i32
^first:
  %a = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %t = fly.int_tuple_add(%a, %a) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
  cf.br ^last
}

// -----

// Comparisons: one for each run-time leaf, joined; the atoms of tiled values.

// CHECK-LABEL: func.func @equal
// CHECK-SAME:  (%[[I:.*]]: i32, %[[J:.*]]: i32)
// CHECK-DAG:   %[[A:.*]] = arith.cmpi eq, %[[I]], %[[J]] : i32
// CHECK-DAG:   %[[C3:.*]] = arith.constant 3 : i32
// CHECK-DAG:   %[[B:.*]] = arith.cmpi eq, %[[J]], %[[C3]] : i32
// CHECK:       arith.andi {{.*}} : i1
func.func @equal(%i: i32, %j: i32) -> i1 {
  %a = fly.make_int_tuple(%i, %j) : (i32, i32) -> !fly.int_tuple<(?,?)>
  %b = fly.make_int_tuple(%j) : (i32) -> !fly.int_tuple<(?,3)>
  %e = fly.equal(%a, %b) : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(?,3)>) -> i1
  return %e : i1
}
