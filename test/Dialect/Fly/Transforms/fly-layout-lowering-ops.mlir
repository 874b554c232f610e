// RUN: fly-opt %s -fly-canonicalize -fly-layout-lowering | FileCheck %s

// What single operations become.

// An element of a swizzled view: offset, outer layout, then the swizzle.
// CHECK-LABEL: func.func @composed_load
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.ptr<f32, shared, align<16>>, %[[ARG1:[A-Za-z0-9_]+]]: i32, %[[ARG2:[A-Za-z0-9_]+]]: i32) -> f32
// CHECK-NEXT:  %[[C192_I32:[A-Za-z0-9_]+]] = arith.constant 192 : i32
// CHECK-NEXT:  %[[C3_I32:[A-Za-z0-9_]+]] = arith.constant 3 : i32
// CHECK-NEXT:  %[[C8_I32:[A-Za-z0-9_]+]] = arith.constant 8 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.muli %[[ARG1]], %[[C8_I32]] : i32
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.addi %[[V0]], %[[C3_I32]] : i32
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = arith.addi %[[ARG2]], %[[V1]] : i32
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = arith.andi %[[V2]], %[[C192_I32]] : i32
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = arith.shrui %[[V3]], %[[C3_I32]] : i32
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = arith.xori %[[V2]], %[[V4]] : i32
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[V5]]) : (i32) -> !fly.int_tuple<?>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG0]], %[[V6]]) : (!fly.ptr<f32, shared, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<f32, shared>
// CHECK-NEXT:  %[[V8:[A-Za-z0-9_]+]] = fly.ptr.load(%[[V7]]) : (!fly.ptr<f32, shared>) -> f32
// CHECK-NEXT:  return %[[V8]] : f32
func.func @composed_load(%p: !fly.ptr<f32, shared, align<16>>, %i: i32, %o: i32) -> f32 {
  %sw = fly.static : !fly.swizzle<S<2,3,3>>
  %off = fly.make_int_tuple(%o) : (i32) -> !fly.int_tuple<?>
  %l = fly.static : !fly.layout<(6,8):(8,1)>
  %c = fly.make_composed_layout(%sw, %off, %l) : (!fly.swizzle<S<2,3,3>>, !fly.int_tuple<?>, !fly.layout<(6,8):(8,1)>) -> !fly.composed_layout<S<2,3,3> o ? o (6,8):(8,1)>
  %v = fly.make_view(%p, %c) : (!fly.ptr<f32, shared, align<16>>, !fly.composed_layout<S<2,3,3> o ? o (6,8):(8,1)>) -> !fly.memref<f32, shared, S<2,3,3> o ? o (6,8):(8,1), align<16>>
  %k = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,3)>
  %x = fly.memref.load(%v, %k) : (!fly.memref<f32, shared, S<2,3,3> o ? o (6,8):(8,1), align<16>>, !fly.int_tuple<(?,3)>) -> f32
  return %x : f32
}

// A decomposed view starts at the image of the origin; an offset of 0 is one, too.
// CHECK-LABEL: func.func @decomp
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.ptr<f32, shared, align<32>>, %[[ARG1:[A-Za-z0-9_]+]]: i32) -> (!fly.memref<f32, shared, (6,8):(8,1), align<16>>, !fly.memref<f32, shared, (6,8):(8,1), align<32>>, !fly.memref<f32, shared, (6,8):(8,1), align<32>>)
// CHECK-NEXT:  %[[C2_I32:[A-Za-z0-9_]+]] = arith.constant 2 : i32
// CHECK-NEXT:  %[[C48_I32:[A-Za-z0-9_]+]] = arith.constant 48 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(6,8)>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(8,1)>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_layout(%[[V0]], %[[V1]]) : (!fly.int_tuple<(6,8)>, !fly.int_tuple<(8,1)>) -> !fly.layout<(6,8):(8,1)>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = arith.andi %[[ARG1]], %[[C48_I32]] : i32
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = arith.shrui %[[V3]], %[[C2_I32]] : i32
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = arith.xori %[[ARG1]], %[[V4]] : i32
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[V5]]) : (i32) -> !fly.int_tuple<?{div=4}>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG0]], %[[V6]]) : (!fly.ptr<f32, shared, align<32>>, !fly.int_tuple<?{div=4}>) -> !fly.ptr<f32, shared, align<16>>
// CHECK-NEXT:  %[[V8:[A-Za-z0-9_]+]] = fly.make_view(%[[V7]], %[[V2]]) : (!fly.ptr<f32, shared, align<16>>, !fly.layout<(6,8):(8,1)>) -> !fly.memref<f32, shared, (6,8):(8,1), align<16>>
// CHECK-NEXT:  %[[V9:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<0>
// CHECK-NEXT:  %[[V10:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG0]], %[[V9]]) : (!fly.ptr<f32, shared, align<32>>, !fly.int_tuple<0>) -> !fly.ptr<f32, shared, align<32>>
// CHECK-NEXT:  %[[V11:[A-Za-z0-9_]+]] = fly.make_view(%[[V10]], %[[V2]]) : (!fly.ptr<f32, shared, align<32>>, !fly.layout<(6,8):(8,1)>) -> !fly.memref<f32, shared, (6,8):(8,1), align<32>>
// CHECK-NEXT:  %[[V12:[A-Za-z0-9_]+]] = fly.make_view(%[[ARG0]], %[[V2]]) : (!fly.ptr<f32, shared, align<32>>, !fly.layout<(6,8):(8,1)>) -> !fly.memref<f32, shared, (6,8):(8,1), align<32>>
// CHECK-NEXT:  return %[[V8]], %[[V11]], %[[V12]] : !fly.memref<f32, shared, (6,8):(8,1), align<16>>, !fly.memref<f32, shared, (6,8):(8,1), align<32>>, !fly.memref<f32, shared, (6,8):(8,1), align<32>>
func.func @decomp(%p: !fly.ptr<f32, shared, align<32>>, %o: i32) -> (!fly.memref<f32, shared, (6,8):(8,1), align<16>>, !fly.memref<f32, shared, (6,8):(8,1), align<32>>, !fly.memref<f32, shared, (6,8):(8,1), align<32>>) {
  %sw = fly.static : !fly.swizzle<S<2,2,2>>
  %off = fly.make_int_tuple(%o) : (i32) -> !fly.int_tuple<?{div=8}>
  %l = fly.static : !fly.layout<(6,8):(8,1)>
  %c = fly.make_composed_layout(%sw, %off, %l) : (!fly.swizzle<S<2,2,2>>, !fly.int_tuple<?{div=8}>, !fly.layout<(6,8):(8,1)>) -> !fly.composed_layout<S<2,2,2> o ?{div=8} o (6,8):(8,1)>
  %v = fly.make_view(%p, %c) : (!fly.ptr<f32, shared, align<32>>, !fly.composed_layout<S<2,2,2> o ?{div=8} o (6,8):(8,1)>) -> !fly.memref<f32, shared, S<2,2,2> o ?{div=8} o (6,8):(8,1), align<32>>
  %d = fly.decomposition(%v) : (!fly.memref<f32, shared, S<2,2,2> o ?{div=8} o (6,8):(8,1), align<32>>) -> !fly.memref<f32, shared, (6,8):(8,1), align<16>>
  %z = fly.static : !fly.composed_layout<S<2,2,2> o 0 o (6,8):(8,1)>
  %w = fly.make_view(%p, %z) : (!fly.ptr<f32, shared, align<32>>, !fly.composed_layout<S<2,2,2> o 0 o (6,8):(8,1)>) -> !fly.memref<f32, shared, S<2,2,2> o 0 o (6,8):(8,1), align<32>>
  %e = fly.decomposition(%w) : (!fly.memref<f32, shared, S<2,2,2> o 0 o (6,8):(8,1), align<32>>) -> !fly.memref<f32, shared, (6,8):(8,1), align<32>>
  %pl = fly.make_view(%p, %l) : (!fly.ptr<f32, shared, align<32>>, !fly.layout<(6,8):(8,1)>) -> !fly.memref<f32, shared, (6,8):(8,1), align<32>>
  %f = fly.decomposition(%pl) : (!fly.memref<f32, shared, (6,8):(8,1), align<32>>) -> !fly.memref<f32, shared, (6,8):(8,1), align<32>>
  return %d, %e, %f : !fly.memref<f32, shared, (6,8):(8,1), align<16>>, !fly.memref<f32, shared, (6,8):(8,1), align<32>>, !fly.memref<f32, shared, (6,8):(8,1), align<32>>
}

// Fragments are register memory with a static layout.
// CHECK-LABEL: func.func @frag
// CHECK-SAME:  () -> (!fly.memref<f16, register, (2,3):(1,2)>, !fly.layout<(3,5):(1,3)>)
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_ptr() {dictAttrs = {allocSize = 6 : i64}} : () -> !fly.ptr<f16, register>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(2,3)>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(1,2)>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_layout(%[[V1]], %[[V2]]) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(1,2)>) -> !fly.layout<(2,3):(1,2)>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.make_view(%[[V0]], %[[V3]]) : (!fly.ptr<f16, register>, !fly.layout<(2,3):(1,2)>) -> !fly.memref<f16, register, (2,3):(1,2)>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(3,5)>
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(1,3)>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.make_layout(%[[V5]], %[[V6]]) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<(1,3)>) -> !fly.layout<(3,5):(1,3)>
// CHECK-NEXT:  return %[[V4]], %[[V7]] : !fly.memref<f16, register, (2,3):(1,2)>, !fly.layout<(3,5):(1,3)>
func.func @frag() -> (!fly.memref<f16, register, (2,3):(1,2)>, !fly.layout<(3,5):(1,3)>) {
  %l = fly.static : !fly.layout<(2,3):(3,1)>
  %f = fly.make_fragment_like(%l, f16) : (!fly.layout<(2,3):(3,1)>) -> !fly.memref<f16, register, (2,3):(1,2)>
  %k = fly.static : !fly.layout<(3,5):(2,7)>
  %g = fly.make_fragment_layout_like(%k) : (!fly.layout<(3,5):(2,7)>) -> !fly.layout<(3,5):(1,3)>
  return %f, %g : !fly.memref<f16, register, (2,3):(1,2)>, !fly.layout<(3,5):(1,3)>
}
// CHECK-LABEL: func.func @mfrag
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, (1,3,4,2):(0,4,1,12)>
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_ptr() {dictAttrs = {allocSize = 24 : i64}} : () -> !fly.ptr<f32, register>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(1,3,4,2)>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(0,4,1,12)>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_layout(%[[V1]], %[[V2]]) : (!fly.int_tuple<(1,3,4,2)>, !fly.int_tuple<(0,4,1,12)>) -> !fly.layout<(1,3,4,2):(0,4,1,12)>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.make_view(%[[V0]], %[[V3]]) : (!fly.ptr<f32, register>, !fly.layout<(1,3,4,2):(0,4,1,12)>) -> !fly.memref<f32, register, (1,3,4,2):(0,4,1,12)>
// CHECK-NEXT:  return %[[V4]] : !fly.memref<f32, register, (1,3,4,2):(0,4,1,12)>
func.func @mfrag(%m: !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, (1,3,4,2):(0,4,1,12)> {
  %tm = fly.static : !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>
  %fr = fly.mma.make_fragment(a, %tm, %m, stages = 2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, (1,3,4,2):(0,4,1,12)>
  return %fr : !fly.memref<f32, register, (1,3,4,2):(0,4,1,12)>
}

// Leaves are constants of their width or operands; no leaf is 0.
// CHECK-LABEL: func.func @leaves
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32, %[[ARG1:[A-Za-z0-9_]+]]: i64) -> (i32, i32, i64, i64, i32)
// CHECK-NEXT:  %[[C3_I32:[A-Za-z0-9_]+]] = arith.constant 3 : i32
// CHECK-NEXT:  %[[C4294967296_I64:[A-Za-z0-9_]+]] = arith.constant 4294967296 : i64
// CHECK-NEXT:  %[[C0_I32:[A-Za-z0-9_]+]] = arith.constant 0 : i32
// CHECK-NEXT:  return %[[C3_I32]], %[[ARG0]], %[[ARG1]], %[[C4294967296_I64]], %[[C0_I32]] : i32, i32, i64, i64, i32
func.func @leaves(%i: i32, %j: i64) -> (i32, i32, i64, i64, i32) {
  %t = fly.make_int_tuple(%i, %j) : (i32, i64) -> !fly.int_tuple<(3,?,(?{i64},4294967296),*)>
  %a:5 = fly.get_leaves(%t) : (!fly.int_tuple<(3,?,(?{i64},4294967296),*)>) -> (i32, i32, i64, i64, i32)
  return %a#0, %a#1, %a#2, %a#3, %a#4 : i32, i32, i64, i64, i32
}

// A scalar may stand in tuples of one mode.
// CHECK-LABEL: func.func @nested_scalar
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32) -> (i32, i64)
// CHECK-NEXT:  %[[C4294967296_I64:[A-Za-z0-9_]+]] = arith.constant 4294967296 : i64
// CHECK-NEXT:  return %[[ARG0]], %[[C4294967296_I64]] : i32, i64
func.func @nested_scalar(%i: i32) -> (i32, i64) {
  %t = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<((?))>
  %a = fly.get_scalar(%t) : (!fly.int_tuple<((?))>) -> i32
  %u = fly.static : !fly.int_tuple<(((4294967296)))>
  %b = fly.get_scalar(%u) : (!fly.int_tuple<(((4294967296)))>) -> i64
  return %a, %b : i32, i64
}

// The product of a stride comes before the sum.
// CHECK-LABEL: func.func @linear
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32, %[[ARG1:[A-Za-z0-9_]+]]: i32) -> i32
// CHECK-NEXT:  %[[C4_I32:[A-Za-z0-9_]+]] = arith.constant 4 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.muli %[[ARG1]], %[[C4_I32]] : i32
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.addi %[[ARG0]], %[[V0]] : i32
// CHECK-NEXT:  return %[[V1]] : i32
func.func @linear(%c0: i32, %c1: i32) -> i32 {
  %c = fly.make_coord(%c0, %c1) : (i32, i32) -> !fly.int_tuple<(?,?)>
  %l = fly.static : !fly.layout<(4,8):(1,4)>
  %i = fly.crd2idx(%c, %l) : (!fly.int_tuple<(?,?)>, !fly.layout<(4,8):(1,4)>) -> !fly.int_tuple<?>
  %r = fly.get_scalar(%i) : (!fly.int_tuple<?>) -> i32
  return %r : i32
}

// A coordinate swizzle shifts, masks, shifts back, in the common width.
// CHECK-LABEL: func.func @cs
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32, %[[ARG1:[A-Za-z0-9_]+]]: i64) -> (i32, i64)
// CHECK-NEXT:  %[[C3_I32:[A-Za-z0-9_]+]] = arith.constant 3 : i32
// CHECK-NEXT:  %[[C1_I32:[A-Za-z0-9_]+]] = arith.constant 1 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.shrui %[[ARG0]], %[[C1_I32]] : i32
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.andi %[[V0]], %[[C3_I32]] : i32
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = arith.shli %[[V1]], %[[C3_I32]] : i32
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = arith.extsi %[[V2]] : i32 to i64
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = arith.xori %[[V3]], %[[ARG1]] : i64
// CHECK-NEXT:  return %[[ARG0]], %[[V4]] : i32, i64
func.func @cs(%x: i32, %y: i64) -> (i32, i64) {
  %c = fly.make_coord(%x, %y) : (i32, i64) -> !fly.int_tuple<(?,?{i64})>
  %s = fly.static : !fly.coord_swizzle<CS<2,1,[0],3,[1]>>
  %i = fly.crd2idx(%c, %s) : (!fly.int_tuple<(?,?{i64})>, !fly.coord_swizzle<CS<2,1,[0],3,[1]>>) -> !fly.int_tuple<(?,?{i64})>
  %r:2 = fly.get_leaves(%i) : (!fly.int_tuple<(?,?{i64})>) -> (i32, i64)
  return %r#0, %r#1 : i32, i64
}

// 0 - b is computed, a division by 1 is not.
// CHECK-LABEL: func.func @sub0
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32) -> (i32, i32)
// CHECK-NEXT:  %[[C0_I32:[A-Za-z0-9_]+]] = arith.constant 0 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.subi %[[C0_I32]], %[[ARG0]] : i32
// CHECK-NEXT:  return %[[V0]], %[[ARG0]] : i32, i32
func.func @sub0(%x: i32) -> (i32, i32) {
  %c = fly.make_coord(%x) : (i32) -> !fly.int_tuple<?>
  %z = fly.static : !fly.int_tuple<0>
  %i = fly.int_tuple_sub(%z, %c) : (!fly.int_tuple<0>, !fly.int_tuple<?>) -> !fly.int_tuple<?>
  %o = fly.static : !fly.int_tuple<1>
  %j = fly.int_tuple_div(%c, %o) : (!fly.int_tuple<?>, !fly.int_tuple<1>) -> !fly.int_tuple<?>
  %r = fly.get_scalar(%i) : (!fly.int_tuple<?>) -> i32
  %s = fly.get_scalar(%j) : (!fly.int_tuple<?>) -> i32
  return %r, %s : i32, i32
}

// A recast scales offset, swizzle and outer layout.
// CHECK-LABEL: func.func @recast
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32, %[[ARG1:[A-Za-z0-9_]+]]: i32) -> !fly.composed_layout<S<2,4,3> o ?{div=8} o (6,64):(64,1)>
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.static : !fly.swizzle<S<2,4,3>>
// CHECK-NEXT:  %[[C2_I32:[A-Za-z0-9_]+]] = arith.constant 2 : i32
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.muli %[[ARG0]], %[[C2_I32]] : i32
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[V1]]) : (i32) -> !fly.int_tuple<?{div=8}>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(64,1)>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(6,64)>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.make_layout(%[[V4]], %[[V3]]) : (!fly.int_tuple<(6,64)>, !fly.int_tuple<(64,1)>) -> !fly.layout<(6,64):(64,1)>
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_composed_layout(%[[V0]], %[[V2]], %[[V5]]) : (!fly.swizzle<S<2,4,3>>, !fly.int_tuple<?{div=8}>, !fly.layout<(6,64):(64,1)>) -> !fly.composed_layout<S<2,4,3> o ?{div=8} o (6,64):(64,1)>
// CHECK-NEXT:  return %[[V6]] : !fly.composed_layout<S<2,4,3> o ?{div=8} o (6,64):(64,1)>
func.func @recast(%o: i32, %n: i32) -> !fly.composed_layout<S<2,4,3> o ?{div=8} o (6,64):(64,1)> {
  %off = fly.make_int_tuple(%o) : (i32) -> !fly.int_tuple<?{div=4}>
  %sw = fly.static : !fly.swizzle<S<2,3,3>>
  %l = fly.static : !fly.layout<(6,32):(32,1)>
  %c = fly.make_composed_layout(%sw, %off, %l) : (!fly.swizzle<S<2,3,3>>, !fly.int_tuple<?{div=4}>, !fly.layout<(6,32):(32,1)>) -> !fly.composed_layout<S<2,3,3> o ?{div=4} o (6,32):(32,1)>
  %r = fly.recast_layout(%c) {new_type_bits = 8 : i32, old_type_bits = 16 : i32} : (!fly.composed_layout<S<2,3,3> o ?{div=4} o (6,32):(32,1)>) -> !fly.composed_layout<S<2,4,3> o ?{div=8} o (6,64):(64,1)>
  return %r : !fly.composed_layout<S<2,4,3> o ?{div=8} o (6,64):(64,1)>
}

// Bases are equal if mode and value are; an integer equals none.
// CHECK-LABEL: func.func @equal_bases
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32) -> (i1, i1, i1, i1)
// CHECK-NEXT:  %[[TRUE:[A-Za-z0-9_]+]] = arith.constant true
// CHECK-NEXT:  %[[FALSE:[A-Za-z0-9_]+]] = arith.constant false
// CHECK-NEXT:  %[[C4_I32:[A-Za-z0-9_]+]] = arith.constant 4 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.cmpi eq, %[[ARG0]], %[[C4_I32]] : i32
// CHECK-NEXT:  return %[[V0]], %[[FALSE]], %[[FALSE]], %[[TRUE]] : i1, i1, i1, i1
func.func @equal_bases(%i: i32) -> (i1, i1, i1, i1) {
  %a = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<(?E0,1)>
  %b = fly.static : !fly.int_tuple<(4E0,1)>
  %c = fly.static : !fly.int_tuple<(4E1,1)>
  %d = fly.static : !fly.int_tuple<(4,1)>
  %0 = fly.equal(%a, %b) : (!fly.int_tuple<(?E0,1)>, !fly.int_tuple<(4E0,1)>) -> i1
  %1 = fly.equal(%a, %c) : (!fly.int_tuple<(?E0,1)>, !fly.int_tuple<(4E1,1)>) -> i1
  %2 = fly.equal(%a, %d) : (!fly.int_tuple<(?E0,1)>, !fly.int_tuple<(4,1)>) -> i1
  %3 = fly.equal(%b, %b) : (!fly.int_tuple<(4E0,1)>, !fly.int_tuple<(4E0,1)>) -> i1
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

// One comparison a run-time leaf; further modes on the right do not count.
// CHECK-LABEL: func.func @less
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32, %[[ARG1:[A-Za-z0-9_]+]]: i64) -> (i1, i1, i1, i1)
// CHECK-NEXT:  %[[FALSE:[A-Za-z0-9_]+]] = arith.constant false
// CHECK-NEXT:  %[[C9_I64:[A-Za-z0-9_]+]] = arith.constant 9 : i64
// CHECK-NEXT:  %[[C7_I32:[A-Za-z0-9_]+]] = arith.constant 7 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.cmpi slt, %[[ARG0]], %[[C7_I32]] : i32
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.cmpi slt, %[[ARG1]], %[[C9_I64]] : i64
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = arith.andi %[[V0]], %[[V1]] : i1
// CHECK-NEXT:  return %[[V2]], %[[FALSE]], %[[FALSE]], %[[FALSE]] : i1, i1, i1, i1
func.func @less(%i: i32, %j: i64) -> (i1, i1, i1, i1) {
  %a = fly.make_int_tuple(%i, %j) : (i32, i64) -> !fly.int_tuple<(?,(?{i64},3))>
  %b = fly.static : !fly.int_tuple<(7,(9,4),8)>
  %c = fly.static : !fly.int_tuple<(7,(9,3))>
  %d = fly.static : !fly.int_tuple<7>
  %0 = fly.elem_less(%a, %b) : (!fly.int_tuple<(?,(?{i64},3))>, !fly.int_tuple<(7,(9,4),8)>) -> i1
  %1 = fly.elem_less(%a, %c) : (!fly.int_tuple<(?,(?{i64},3))>, !fly.int_tuple<(7,(9,3))>) -> i1
  %2 = fly.elem_less(%b, %c) : (!fly.int_tuple<(7,(9,4),8)>, !fly.int_tuple<(7,(9,3))>) -> i1
  %3 = fly.equal(%a, %d) : (!fly.int_tuple<(?,(?{i64},3))>, !fly.int_tuple<7>) -> i1
  return %0, %1, %2, %3 : i1, i1, i1, i1
}

// Static coordinates are one constant.
// CHECK-LABEL: func.func @dense
// CHECK-DAG:   %[[V:[A-Za-z0-9_]+]] = arith.constant dense<[4, 5, 14, 15, 24, 25]> : vector<6xi32>
// CHECK-DAG:   %[[W:[A-Za-z0-9_]+]] = arith.constant dense<[4, 5, 4294967300, 4294967301, 8589934596, 8589934597]> : vector<6xi64>
// CHECK-NOT:   fly.
// CHECK:       return %[[V]], %[[W]] : vector<6xi32>, vector<6xi64>
func.func @dense() -> (vector<6xi32>, vector<6xi64>) {
  %b = fly.static : !fly.int_tuple<4>
  %l = fly.static : !fly.layout<(2,3):(1,10)>
  %t = fly.make_view(%b, %l) : (!fly.int_tuple<4>, !fly.layout<(2,3):(1,10)>) -> !fly.coord_tensor<4, (2,3):(1,10)>
  %v = fly.memref.load_vec(%t) : (!fly.coord_tensor<4, (2,3):(1,10)>) -> vector<6xi32>
  %k = fly.static : !fly.layout<(2,3):(1,4294967296)>
  %u = fly.make_view(%b, %k) : (!fly.int_tuple<4>, !fly.layout<(2,3):(1,4294967296)>) -> !fly.coord_tensor<4, (2,3):(1,4294967296)>
  %w = fly.memref.load_vec(%u) : (!fly.coord_tensor<4, (2,3):(1,4294967296)>) -> vector<6xi64>
  return %v, %w : vector<6xi32>, vector<6xi64>
}

// Offsets of 0 and negative ones: the run-time link moves below the static one.
// CHECK-LABEL: func.func @offsets
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.ptr<f32, global, align<64>>, %[[ARG1:[A-Za-z0-9_]+]]: i32) -> (!fly.ptr<f32, global, align<64>>, !fly.ptr<f32, global>)
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<0>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[ARG1]]) : (i32) -> !fly.int_tuple<?>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG0]], %[[V0]]) : (!fly.ptr<f32, global, align<64>>, !fly.int_tuple<0>) -> !fly.ptr<f32, global, align<64>>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<-3>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG0]], %[[V1]]) : (!fly.ptr<f32, global, align<64>>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.add_offset(%[[V4]], %[[V3]]) : (!fly.ptr<f32, global>, !fly.int_tuple<-3>) -> !fly.ptr<f32, global>
// CHECK-NEXT:  return %[[V2]], %[[V5]] : !fly.ptr<f32, global, align<64>>, !fly.ptr<f32, global>
func.func @offsets(%p: !fly.ptr<f32, global, align<64>>, %i: i32) -> (!fly.ptr<f32, global, align<64>>, !fly.ptr<f32, global>) {
  %z = fly.static : !fly.int_tuple<0>
  %n = fly.static : !fly.int_tuple<-3>
  %t = fly.make_coord(%i) : (i32) -> !fly.int_tuple<?>
  %q = fly.add_offset(%p, %z) : (!fly.ptr<f32, global, align<64>>, !fly.int_tuple<0>) -> !fly.ptr<f32, global, align<64>>
  %r = fly.add_offset(%q, %n) : (!fly.ptr<f32, global, align<64>>, !fly.int_tuple<-3>) -> !fly.ptr<f32, global>
  %s = fly.add_offset(%r, %t) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
  return %q, %s : !fly.ptr<f32, global, align<64>>, !fly.ptr<f32, global>
}
