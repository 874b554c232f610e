// RUN: fly-opt %s -allow-unregistered-dialect -fly-rewrite-func-signature -split-input-file | FileCheck %s

// Values of the dialect at function and control-flow boundaries.

// CHECK-LABEL: func.func private @ext
// CHECK-SAME:  (!llvm.struct<packed (struct<packed (i32)>)>) -> (!fly.ptr<f16, global>, !llvm.struct<packed (struct<packed (i32)>, struct<packed (i32)>)>)
// CHECK-LABEL: func.func @entry
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.ptr<f16, shared>, %[[ARG1:[A-Za-z0-9_]+]]: !llvm.struct<packed (struct<packed (struct<packed (i32)>, struct<packed (i64)>)>, struct<packed (i32)>)>, %[[ARG2:[A-Za-z0-9_]+]]: i32) -> !llvm.struct<packed (i32, i64)> {
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = llvm.extractvalue %[[ARG1]][0] : !llvm.struct<packed (struct<packed (struct<packed (i32)>, struct<packed (i64)>)>, struct<packed (i32)>)>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = llvm.extractvalue %[[V0]][0] : !llvm.struct<packed (struct<packed (i32)>, struct<packed (i64)>)>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = llvm.extractvalue %[[V1]][0] : !llvm.struct<packed (i32)>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[V2]]) : (i32) -> !fly.int_tuple<(8,?)>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = llvm.extractvalue %[[V0]][1] : !llvm.struct<packed (struct<packed (i32)>, struct<packed (i64)>)>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = llvm.extractvalue %[[V4]][0] : !llvm.struct<packed (i64)>
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[V5]]) : (i64) -> !fly.int_tuple<(?{i64},1)>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.make_layout(%[[V3]], %[[V6]]) : (!fly.int_tuple<(8,?)>, !fly.int_tuple<(?{i64},1)>) -> !fly.layout<(8,?):(?{i64},1)>
// CHECK-NEXT:  %[[V8:[A-Za-z0-9_]+]] = llvm.extractvalue %[[ARG1]][1] : !llvm.struct<packed (struct<packed (struct<packed (i32)>, struct<packed (i64)>)>, struct<packed (i32)>)>
// CHECK-NEXT:  %[[V9:[A-Za-z0-9_]+]] = llvm.extractvalue %[[V8]][0] : !llvm.struct<packed (i32)>
// CHECK-NEXT:  %[[V10:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[V9]]) : (i32) -> !fly.int_tuple<?>
// CHECK-NEXT:  %[[V11:[A-Za-z0-9_]+]] = fly.static : !fly.swizzle<S<2,3,3>>
// CHECK-NEXT:  %[[V12:[A-Za-z0-9_]+]] = fly.make_composed_layout(%[[V11]], %[[V10]], %[[V7]]) : (!fly.swizzle<S<2,3,3>>, !fly.int_tuple<?>, !fly.layout<(8,?):(?{i64},1)>) -> !fly.composed_layout<S<2,3,3> o ? o (8,?):(?{i64},1)>
// CHECK-NEXT:  %[[V13:[A-Za-z0-9_]+]] = fly.make_view(%[[ARG0]], %[[V12]]) : (!fly.ptr<f16, shared>, !fly.composed_layout<S<2,3,3> o ? o (8,?):(?{i64},1)>) -> !fly.memref<f16, shared, S<2,3,3> o ? o (8,?):(?{i64},1)>
// CHECK-NEXT:  %[[V14:[A-Za-z0-9_]+]] = fly.static : !fly.int_tuple<(3,5)>
// CHECK-NEXT:  %[[V15:[A-Za-z0-9_]+]] = fly.get_layout(%[[V13]]) : (!fly.memref<f16, shared, S<2,3,3> o ? o (8,?):(?{i64},1)>) -> !fly.composed_layout<S<2,3,3> o ? o (8,?):(?{i64},1)>
// CHECK-NEXT:  %[[V16:[A-Za-z0-9_]+]] = fly.get_shape(%[[V15]]) : (!fly.composed_layout<S<2,3,3> o ? o (8,?):(?{i64},1)>) -> !fly.int_tuple<(8,?)>
// CHECK-NEXT:  %[[V17:[A-Za-z0-9_]+]] = fly.int_tuple_add(%[[V16]], %[[V14]]) : (!fly.int_tuple<(8,?)>, !fly.int_tuple<(3,5)>) -> !fly.int_tuple<(11,?)>
// CHECK-NEXT:  %[[V18:[A-Za-z0-9_]+]] = arith.extsi %[[ARG2]] : i32 to i64
// CHECK-NEXT:  %[[V19:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[ARG2]], %[[V18]]) : (i32, i64) -> !fly.int_tuple<(?,?{i64})>
// CHECK-NEXT:  %[[V20:[A-Za-z0-9_]+]] = llvm.mlir.undef : !llvm.struct<packed (i32, i64)>
// CHECK-NEXT:  %[[V21:[A-Za-z0-9_]+]] = fly.get(%[[V19]]) {mode = array<i32: 0>} : (!fly.int_tuple<(?,?{i64})>) -> !fly.int_tuple<?>
// CHECK-NEXT:  %[[V22:[A-Za-z0-9_]+]] = fly.get_scalar(%[[V21]]) : (!fly.int_tuple<?>) -> i32
// CHECK-NEXT:  %[[V23:[A-Za-z0-9_]+]] = llvm.insertvalue %[[V22]], %[[V20]][0] : !llvm.struct<packed (i32, i64)>
// CHECK-NEXT:  %[[V24:[A-Za-z0-9_]+]] = fly.get(%[[V19]]) {mode = array<i32: 1>} : (!fly.int_tuple<(?,?{i64})>) -> !fly.int_tuple<?{i64}>
// CHECK-NEXT:  %[[V25:[A-Za-z0-9_]+]] = fly.get_scalar(%[[V24]]) : (!fly.int_tuple<?{i64}>) -> i64
// CHECK-NEXT:  %[[V26:[A-Za-z0-9_]+]] = llvm.insertvalue %[[V25]], %[[V23]][1] : !llvm.struct<packed (i32, i64)>
// CHECK-NEXT:  return %[[V26]] : !llvm.struct<packed (i32, i64)>
// CHECK-LABEL: func.func @loop
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: index, %[[ARG1:[A-Za-z0-9_]+]]: index, %[[ARG2:[A-Za-z0-9_]+]]: index, %[[ARG3:[A-Za-z0-9_]+]]: !llvm.struct<packed (i32)>) -> !llvm.struct<packed (i32)> {
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = scf.for %[[ARG4:[A-Za-z0-9_]+]] = %[[ARG0]] to %[[ARG1]] step %[[ARG2]] iter_args(%[[ARG5:[A-Za-z0-9_]+]] = %[[ARG3]]) -> (!llvm.struct<packed (i32)>) {
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = llvm.extractvalue %[[ARG5]][0] : !llvm.struct<packed (i32)>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[V1]]) : (i32) -> !fly.int_tuple<(?,7)>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.int_tuple_add(%[[V2]], %[[V2]]) : (!fly.int_tuple<(?,7)>, !fly.int_tuple<(?,7)>) -> !fly.int_tuple<(?,14)>
// CHECK-NEXT:  scf.yield %[[ARG5]] : !llvm.struct<packed (i32)>
// CHECK-NEXT: }
// CHECK-NEXT:  return %[[V0]] : !llvm.struct<packed (i32)>

func.func private @ext(!fly.layout<(?,4):(4,1)>, !fly.tile<[2|2]>) -> !fly.memref<f16, global, (?,4):(?,1)>
func.func @entry(%m: !fly.memref<f16, shared, S<2,3,3> o ? o (8,?):(?{i64},1)>, %s: !fly.int_tuple<(3,5)>, %n: i32) -> !fly.int_tuple<(?,?{i64})> {
  %l = fly.get_layout(%m) : (!fly.memref<f16, shared, S<2,3,3> o ? o (8,?):(?{i64},1)>) -> !fly.composed_layout<S<2,3,3> o ? o (8,?):(?{i64},1)>
  %sh = fly.get_shape(%l) : (!fly.composed_layout<S<2,3,3> o ? o (8,?):(?{i64},1)>) -> !fly.int_tuple<(8,?)>
  %p = fly.int_tuple_add(%sh, %s) : (!fly.int_tuple<(8,?)>, !fly.int_tuple<(3,5)>) -> !fly.int_tuple<(11,?)>
  %w = arith.extsi %n : i32 to i64
  %r = fly.make_int_tuple(%n, %w) : (i32, i64) -> !fly.int_tuple<(?,?{i64})>
  return %r : !fly.int_tuple<(?,?{i64})>
}
func.func @loop(%lb: index, %ub: index, %st: index, %i: !fly.int_tuple<(?,7)>) -> !fly.int_tuple<(?,7)> {
  %r = scf.for %k = %lb to %ub step %st iter_args(%a = %i) -> (!fly.int_tuple<(?,7)>) {
    %b = fly.int_tuple_add(%a, %a) : (!fly.int_tuple<(?,7)>, !fly.int_tuple<(?,7)>) -> !fly.int_tuple<(?,14)>
    scf.yield %a : !fly.int_tuple<(?,7)>
  }
  return %r : !fly.int_tuple<(?,7)>
}

// -----

// A kernel and its launch: static arguments vanish on both sides, attributes of
// an argument stay on its first carrier, memory attributions stay.

!A = !fly.copy_atom<!fly.universal_copy<64>, 16>

// CHECK-LABEL: gpu.func @kernel
// CHECK-SAME:  (%[[P:.*]]: !fly.ptr<f32, global> {llvm.noalias}, %[[L:.*]]: !llvm.struct<packed (struct<packed (i32)>)>, %[[N:.*]]: i32) workgroup(%{{.*}} : memref<4xf32, #gpu.address_space<workgroup>>) kernel
// CHECK:       %[[D:.*]] = llvm.extractvalue %[[L]][0]
// CHECK:       %[[I:.*]] = llvm.extractvalue %[[D]][0]
// CHECK:       %[[S:.*]] = fly.make_int_tuple(%[[I]]) : (i32) -> !fly.int_tuple<?>
// CHECK:       %[[T:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<1>
// CHECK:       %[[Y:.*]] = fly.make_layout(%[[S]], %[[T]])
// CHECK:       %[[V:.*]] = fly.make_view(%[[P]], %[[Y]])
// CHECK:       "test.use"(%[[V]], %[[N]])
// CHECK-LABEL: func.func @host
// CHECK-SAME:  (%[[P:.*]]: !fly.ptr<f32, global>, %[[L:.*]]: !llvm.struct<packed (struct<packed (i32)>)>, %[[N:.*]]: i32, %[[K:.*]]: index) attributes {kept = 1 : i32}
// CHECK:       gpu.launch_func @m::@kernel blocks in (%[[K]], %[[K]], %[[K]]) threads in (%[[K]], %[[K]], %[[K]]) args(%[[P]] : !fly.ptr<f32, global>, %[[L]] : !llvm.struct<packed (struct<packed (i32)>)>, %[[N]] : i32)
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @kernel(%m: !fly.memref<f32, global, ?:1> {llvm.noalias}, %a: !A, %n: i32) workgroup(%w: memref<4xf32, #gpu.address_space<workgroup>>) kernel {
      "test.use"(%m, %n) : (!fly.memref<f32, global, ?:1>, i32) -> ()
      gpu.return
    }
  }
  func.func @host(%m: !fly.memref<f32, global, ?:1>, %n: i32, %k: index) attributes {kept = 1 : i32} {
    %a = fly.make_copy_atom {valBits = 16 : i32} : !A
    gpu.launch_func @m::@kernel blocks in (%k, %k, %k) threads in (%k, %k, %k) args(%m : !fly.memref<f32, global, ?:1>, %a : !A, %n : i32)
    return
  }
}

// -----

// Results expand, calls lose static operands, values are rebuilt behind.

// CHECK-LABEL: func.func @callee
// CHECK-SAME:  (%[[P:.*]]: !fly.ptr<f32, global>, %[[L:.*]]: !llvm.struct<packed (struct<packed (i32)>)>) -> (!fly.ptr<f32, global>, !llvm.struct<packed (struct<packed (i32)>)>)
// CHECK-NEXT:  fly.static : !fly.int_tuple<7>
// CHECK-NEXT:  return %[[P]], %[[L]]
// CHECK-LABEL: func.func @caller
// CHECK:       %[[R:.*]]:2 = call @callee(%{{.*}}, %{{.*}}) : (!fly.ptr<f32, global>, !llvm.struct<packed (struct<packed (i32)>)>) -> (!fly.ptr<f32, global>, !llvm.struct<packed (struct<packed (i32)>)>)
// CHECK:       %[[S:.*]] = llvm.extractvalue %[[R]]#1[0]
// CHECK:       %[[V:.*]] = fly.make_view(%[[R]]#0,
// CHECK:       %[[Z:.*]] = fly.static : !fly.int_tuple<7>
// CHECK:       "test.use"(%[[V]], %[[Z]])
func.func @callee(%m: !fly.memref<f32, global, ?:1>, %t: !fly.tile<4>) -> (!fly.memref<f32, global, ?:1>, !fly.int_tuple<7>) {
  %z = fly.static : !fly.int_tuple<7>
  return %m, %z : !fly.memref<f32, global, ?:1>, !fly.int_tuple<7>
}
func.func @caller(%m: !fly.memref<f32, global, ?:1>) {
  %t = fly.static : !fly.tile<4>
  %r:2 = call @callee(%m, %t) : (!fly.memref<f32, global, ?:1>, !fly.tile<4>) -> (!fly.memref<f32, global, ?:1>, !fly.int_tuple<7>)
  "test.use"(%r#0, %r#1) : (!fly.memref<f32, global, ?:1>, !fly.int_tuple<7>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @while_and_if
// CHECK-SAME:  (%[[T:.*]]: !llvm.struct<packed (struct<packed (i32)>)>, %[[C:.*]]: i1) -> !llvm.struct<packed (struct<packed (i32)>)>
// CHECK:       %[[W:.*]] = scf.while (%[[A:.*]] = %[[T]]) : (!llvm.struct<packed (struct<packed (i32)>)>) -> !llvm.struct<packed (struct<packed (i32)>)> {
// CHECK:         scf.condition(%[[C]]) %[[A]]
// CHECK:       } do {
// CHECK:       ^bb0(%[[B:.*]]: !llvm.struct<packed (struct<packed (i32)>)>):
// CHECK:         scf.yield %[[B]]
// CHECK:       }
// CHECK:       %[[I:.*]] = scf.if %[[C]] -> (!llvm.struct<packed (struct<packed (i32)>)>) {
// CHECK:         scf.yield %[[W]]
// CHECK:       } else {
// CHECK:         scf.yield %[[T]]
// CHECK:       }
// CHECK:       return %[[I]]
func.func @while_and_if(%t: !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>, %c: i1) -> !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)> {
  %w = scf.while (%a = %t) : (!fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>) -> !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)> {
    scf.condition(%c) %a : !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>
  } do {
  ^bb0(%b: !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>):
    scf.yield %b : !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>
  }
  %i = scf.if %c -> (!fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>) {
    scf.yield %w : !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>
  } else {
    scf.yield %t : !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>
  }
  return %i : !fly.coord_tensor<(?,0), (4,8):(1E0,1E1)>
}

// -----

// Leaves at a path are read one level after the other.

// CHECK-LABEL: func.func @nested
// CHECK-SAME:  (%[[I:.*]]: i32, %[[J:.*]]: i64) -> !llvm.struct<packed (i32, i64)>
// CHECK:       %[[T:.*]] = fly.make_int_tuple(%[[I]], %[[J]])
// CHECK-NEXT:  %[[U:.*]] = llvm.mlir.undef : !llvm.struct<packed (i32, i64)>
// CHECK-NEXT:  %[[A:.*]] = fly.get(%[[T]]) {mode = array<i32: 0>} : {{.*}} -> !fly.int_tuple<(?,3)>
// CHECK-NEXT:  %[[B:.*]] = fly.get(%[[A]]) {mode = array<i32: 0>} : {{.*}} -> !fly.int_tuple<?>
// CHECK-NEXT:  %[[X:.*]] = fly.get_scalar(%[[B]])
// CHECK-NEXT:  %[[V:.*]] = llvm.insertvalue %[[X]], %[[U]][0]
// CHECK-NEXT:  %[[D:.*]] = fly.get(%[[T]]) {mode = array<i32: 2>} : {{.*}} -> !fly.int_tuple<?{i64}>
// CHECK-NEXT:  %[[Y:.*]] = fly.get_scalar(%[[D]])
// CHECK-NEXT:  %[[W:.*]] = llvm.insertvalue %[[Y]], %[[V]][1]
// CHECK-NEXT:  return %[[W]]
func.func @nested(%i: i32, %j: i64) -> !fly.int_tuple<((?,3),7,?{i64})> {
  %t = fly.make_int_tuple(%i, %j) : (i32, i64) -> !fly.int_tuple<((?,3),7,?{i64})>
  return %t : !fly.int_tuple<((?,3),7,?{i64})>
}

// -----

// Branches between blocks carry carriers, too.

// DIFF: branches-carry
// CHECK-LABEL: func.func @branches
// CHECK-SAME:  (%[[T:.*]]: !llvm.struct<packed (i32)>, %[[C:.*]]: i1) -> !llvm.struct<packed (i32)>
// CHECK:       cf.cond_br %[[C]], ^[[A:.*]](%[[T]] : !llvm.struct<packed (i32)>), ^[[A]](%{{.*}} : !llvm.struct<packed (i32)>)
// CHECK:     ^[[A]](%[[X:.*]]: !llvm.struct<packed (i32)>):
// CHECK:       return %[[X]]
func.func @branches(%t: !fly.int_tuple<?>, %c: i1) -> !fly.int_tuple<?> {
  %u = fly.int_tuple_add(%t, %t) : (!fly.int_tuple<?>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
  cf.cond_br %c, ^a(%t : !fly.int_tuple<?>), ^a(%u : !fly.int_tuple<?>)
^a(%x: !fly.int_tuple<?>):
  return %x : !fly.int_tuple<?>
}
