// RUN: fly-opt %s -fly-rewrite-func-signature | FileCheck %s

// What travels for a value of each type.

// Leaves depth first, each in its width.
// CHECK: @int_tuple(!llvm.struct<packed (i32, i64, i32)>)
func.func private @int_tuple(!fly.int_tuple<(?,(3,?{i64}),?{div=4})>)
// A layout without run-time shape or stride leaves that part out.
// CHECK: @stride_only(!llvm.struct<packed (struct<packed (i32)>)>)
func.func private @stride_only(!fly.layout<4:?>)
// CHECK: @shape_and_stride(!llvm.struct<packed (struct<packed (i32)>, struct<packed (i64, i32)>)>)
func.func private @shape_and_stride(!fly.layout<(4,(?,2)):(?{i64},(1,?))>)
// A composed layout: outer, offset, inner.
// CHECK: @outer_and_offset(!llvm.struct<packed (struct<packed (struct<packed (i32)>, struct<packed (i32)>)>, struct<packed (i32)>)>)
func.func private @outer_and_offset(!fly.composed_layout<S<1,2,3> o ? o (4,?):(?,1)>)
// CHECK: @offset_and_inner(!llvm.struct<packed (struct<packed (i32)>, struct<packed (struct<packed (i32)>)>)>)
func.func private @offset_and_inner(!fly.composed_layout<(4,?):(1,4) o ? o 8:1>)
// CHECK: @inner_of_outer(!llvm.struct<packed (struct<packed (struct<packed (struct<packed (i32)>)>)>)>)
func.func private @inner_of_outer(!fly.composed_layout<S<1,0,3> o 4 o [8:? o 2 o 8:1]>)
// A coordinate tensor: base and layout; a memref: pointer and layout.
// CHECK: @coord_tensor(!llvm.struct<packed (struct<packed (i32)>, struct<packed (struct<packed (i32)>)>)>)
func.func private @coord_tensor(!fly.coord_tensor<(?,0), (4,?):(1E0,1E1)>)
// CHECK: @memref_static(!fly.ptr<f16, shared, align<8>, S<1,2,3>>)
func.func private @memref_static(!fly.memref<f16, shared, S<1,2,3> o 0 o 8:1, align<8>, S<1,2,3>>)
// CHECK: @memref_runtime(!fly.ptr<f16, global>, !llvm.struct<packed (struct<packed (i32)>)>, f32) -> index
func.func private @memref_runtime(!fly.memref<f16, global, ?:1>, f32) -> (!fly.tile<4>, index)
// What is static does not travel.
// CHECK: @nothing()
func.func private @nothing(!fly.coord_tensor<0, 4:1>, !fly.swizzle<S<1,2,3>>, !fly.coord_swizzle<CS<0,0,[],0,[]>>, !fly.tile<[4|*]>, !fly.basis<1E0>, !fly.universal_copy<32>)
// CHECK: @no_atoms()
func.func private @no_atoms(!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>)
// All else travels as it is: atoms with state, pointers, builtin types.
// CHECK: @itself(!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>, !fly.ptr<f32, #fly_rocdl.buffer_desc>, vector<2xf32>)
func.func private @itself(!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>, !fly.ptr<f32, #fly_rocdl.buffer_desc>, vector<2xf32>)

// A value that passes through is not taken apart; one that is made anew is
// packed behind its definition: offset, then inner.
// CHECK-LABEL: func.func @through(
// CHECK-SAME:  %[[A:[a-z0-9]+]]: !llvm.struct<packed (struct<packed (i32)>, struct<packed (struct<packed (i32)>)>)>)
// CHECK-NEXT:  return %[[A]]
func.func @through(%a: !fly.composed_layout<(4,?):(1,4) o ? o 8:1>) -> !fly.composed_layout<(4,?):(1,4) o ? o 8:1> {
  return %a : !fly.composed_layout<(4,?):(1,4) o ? o 8:1>
}
// CHECK-LABEL: func.func @anew(
// CHECK-SAME:  %[[A:[a-z0-9]+]]: !llvm.struct<packed (struct<packed (i32)>)>, %[[I:[a-z0-9]+]]: i32)
// CHECK:       %[[C:.*]] = fly.make_composed_layout(
// CHECK-NEXT:  %[[U:.*]] = llvm.mlir.undef : !llvm.struct<packed (struct<packed (i32)>, struct<packed (struct<packed (i32)>)>)>
// CHECK-NEXT:  %[[O:.*]] = fly.composed_get_offset(%[[C]])
// CHECK-NEXT:  %[[V:.*]] = llvm.mlir.undef : !llvm.struct<packed (i32)>
// CHECK-NEXT:  %[[X:.*]] = fly.get_scalar(%[[O]])
// CHECK-NEXT:  %[[W:.*]] = llvm.insertvalue %[[X]], %[[V]][0]
// CHECK-NEXT:  %[[P:.*]] = llvm.insertvalue %[[W]], %[[U]][0]
// CHECK-NEXT:  %[[N:.*]] = fly.composed_get_inner(%[[C]])
// CHECK-NEXT:  %[[V2:.*]] = llvm.mlir.undef : !llvm.struct<packed (struct<packed (i32)>)>
// CHECK-NEXT:  %[[S:.*]] = fly.get_shape(%[[N]])
// CHECK-NEXT:  %[[V3:.*]] = llvm.mlir.undef : !llvm.struct<packed (i32)>
// CHECK-NEXT:  %[[G:.*]] = fly.get(%[[S]]) {mode = array<i32: 1>}
// CHECK-NEXT:  %[[Y:.*]] = fly.get_scalar(%[[G]])
// CHECK-NEXT:  %[[W3:.*]] = llvm.insertvalue %[[Y]], %[[V3]][0]
// CHECK-NEXT:  %[[W2:.*]] = llvm.insertvalue %[[W3]], %[[V2]][0]
// CHECK-NEXT:  %[[R:.*]] = llvm.insertvalue %[[W2]], %[[P]][1]
// CHECK-NEXT:  return %[[R]]
func.func @anew(%l: !fly.layout<(4,?):(1,4)>, %i: i32) -> !fly.composed_layout<(4,?):(1,4) o ? o 8:1> {
  %o = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %b = fly.static : !fly.layout<8:1>
  %c = fly.make_composed_layout(%l, %o, %b) : (!fly.layout<(4,?):(1,4)>, !fly.int_tuple<?>, !fly.layout<8:1>) -> !fly.composed_layout<(4,?):(1,4) o ? o 8:1>
  return %c : !fly.composed_layout<(4,?):(1,4) o ? o 8:1>
}

// A value from before a branch is unpacked outside of it.
// CHECK-LABEL: func.func @before_branch(
// CHECK-SAME:  %[[P:[a-z0-9]+]]: !fly.ptr<f32, global>, %[[C:[a-z0-9]+]]: i1, %[[N:[a-z0-9]+]]: i32)
// CHECK:       %[[V:.*]] = fly.make_view(
// CHECK:       %[[I:.*]] = fly.get_iter(%[[V]])
// CHECK:       %[[Y:.*]] = fly.get_layout(%[[V]])
// CHECK:       %[[S:.*]] = llvm.insertvalue {{.*}} : !llvm.struct<packed (struct<packed (i32)>)>
// CHECK:       scf.if %[[C]] -> (!fly.ptr<f32, global>, !llvm.struct<packed (struct<packed (i32)>)>) {
// CHECK-NEXT:    scf.yield %[[I]], %[[S]]
// CHECK-NEXT:  } else {
// CHECK-NEXT:    scf.yield %[[I]], %[[S]]
func.func @before_branch(%p: !fly.ptr<f32, global>, %c: i1, %n: i32) -> !fly.memref<f32, global, ?:1> {
  %s = fly.make_shape(%n) : (i32) -> !fly.int_tuple<?>
  %d = fly.make_stride() : () -> !fly.int_tuple<1>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<?>, !fly.int_tuple<1>) -> !fly.layout<?:1>
  %v = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<?:1>) -> !fly.memref<f32, global, ?:1>
  %r = scf.if %c -> !fly.memref<f32, global, ?:1> {
    scf.yield %v : !fly.memref<f32, global, ?:1>
  } else {
    scf.yield %v : !fly.memref<f32, global, ?:1>
  }
  return %r : !fly.memref<f32, global, ?:1>
}

// Every structured operation: a switch, and a region that only computes.
// CHECK-LABEL: func.func @regions(
// CHECK-SAME:  %[[I:[a-z0-9]+]]: index, %[[T:[a-z0-9]+]]: !llvm.struct<packed (i32)>)
// CHECK:       %[[R:.*]] = scf.index_switch %[[I]] -> !llvm.struct<packed (i32)>
// CHECK:         scf.yield %[[T]]
// CHECK:         scf.yield %[[T]]
// CHECK:       %[[E:.*]] = llvm.extractvalue %[[R]][0]
// CHECK:       %[[M:.*]] = fly.make_int_tuple(%[[E]])
// CHECK:       scf.execute_region -> !fly.int_tuple<?>
// CHECK-NEXT:    scf.yield %[[M]]
func.func @regions(%i: index, %t: !fly.int_tuple<?>) -> !fly.int_tuple<?> {
  %r = scf.index_switch %i -> !fly.int_tuple<?>
  case 1 { scf.yield %t : !fly.int_tuple<?> }
  default { scf.yield %t : !fly.int_tuple<?> }
  %x = scf.execute_region -> !fly.int_tuple<?> { scf.yield %r : !fly.int_tuple<?> }
  return %x : !fly.int_tuple<?>
}
