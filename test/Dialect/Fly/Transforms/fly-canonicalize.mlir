// RUN: fly-opt %s -allow-unregistered-dialect -fly-canonicalize -split-input-file | FileCheck %s

// Static values and constructor synonyms in normal form.

// CHECK-LABEL: func.func @c
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32) -> (!fly.int_tuple<(?,4)>, !fly.int_tuple<20>, !fly.composed_layout<S<2,3,3> o 8 o (6,8):(8,1)>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>) {
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[ARG0]]) : (i32) -> !fly.int_tuple<(?,4)>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<20>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.static : !fly.swizzle<S<2,3,3>>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<8>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(6,8)>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(8,1)>
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_layout(%[[V4]], %[[V5]]) : (!fly.int_tuple<(6,8)>, !fly.int_tuple<(8,1)>) -> !fly.layout<(6,8):(8,1)>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.make_composed_layout(%[[V2]], %[[V3]], %[[V6]]) : (!fly.swizzle<S<2,3,3>>, !fly.int_tuple<8>, !fly.layout<(6,8):(8,1)>) -> !fly.composed_layout<S<2,3,3> o 8 o (6,8):(8,1)>
// CHECK-NEXT:  %[[V8:[A-Za-z0-9_]+]] = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
// CHECK-NEXT:  %[[V9:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(2,3,1)>
// CHECK-NEXT:  %[[V10:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(1,2,0)>
// CHECK-NEXT:  %[[V11:[A-Za-z0-9_]+]] = fly.make_layout(%[[V9]], %[[V10]]) : (!fly.int_tuple<(2,3,1)>, !fly.int_tuple<(1,2,0)>) -> !fly.layout<(2,3,1):(1,2,0)>
// CHECK-NEXT:  %[[V12:[A-Za-z0-9_]+]] = fly.static : !fly.tile<[*|*|*]>
// CHECK-NEXT:  %[[V13:[A-Za-z0-9_]+]] = fly.make_tiled_mma(%[[V8]], %[[V11]], %[[V12]]) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>, !fly.tile<[*|*|*]>) -> !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>
// CHECK-NEXT:  return %[[V0]], %[[V1]], %[[V7]], %[[V13]] : !fly.int_tuple<(?,4)>, !fly.int_tuple<20>, !fly.composed_layout<S<2,3,3> o 8 o (6,8):(8,1)>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>

func.func @c(%n: i32) -> (!fly.int_tuple<(?,4)>, !fly.int_tuple<20>, !fly.composed_layout<S<2,3,3> o 8 o (6,8):(8,1)>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>) {
  %0 = fly.make_shape(%n) : (i32) -> !fly.int_tuple<(?,4)>
  %1 = fly.static : !fly.int_tuple<(5,4)>
  %2 = fly.size(%1) : (!fly.int_tuple<(5,4)>) -> !fly.int_tuple<20>
  %3 = fly.static : !fly.composed_layout<S<2,3,3> o 8 o (6,8):(8,1)>
  %4 = fly.static : !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>
  return %0, %2, %3, %4 : !fly.int_tuple<(?,4)>, !fly.int_tuple<20>, !fly.composed_layout<S<2,3,3> o 8 o (6,8):(8,1)>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>
}

// -----

// An op with side effects stays, even if its result is static; so does the
// description of an atom op, whose constructor is of another type.

// DIFF: universal-static
// DIFF: effects-stay
// CHECK-LABEL: func.func @kept
// CHECK-SAME:  (%[[P:.*]]: !fly.int_tuple<5>)
// CHECK-NEXT:  %[[L:.*]] = "test.effect"() : () -> !fly.int_tuple<3>
// CHECK-NEXT:  %[[U:.*]] = fly.static : !fly.universal_copy<64>
// CHECK-NEXT:  return %[[P]], %[[L]], %[[U]]
func.func @kept(%p: !fly.int_tuple<5>) -> (!fly.int_tuple<5>, !fly.int_tuple<3>, !fly.universal_copy<64>) {
  %l = "test.effect"() : () -> !fly.int_tuple<3>
  %u = fly.static : !fly.universal_copy<64>
  return %p, %l, %u : !fly.int_tuple<5>, !fly.int_tuple<3>, !fly.universal_copy<64>
}

// -----

// Attributes of a synonym stay.

// CHECK-LABEL: func.func @attributes
// CHECK-SAME:  (%[[M:.*]]: i32)
// CHECK-NEXT:  %[[S:.*]] = fly.make_int_tuple(%[[M]]) {static_args = array<i64: 16, -1>} : (i32) -> !fly.int_tuple<(16,?)>
// CHECK-NEXT:  return %[[S]]
func.func @attributes(%m: i32) -> !fly.int_tuple<(16,?)> {
  %s = fly.make_shape(%m) {static_args = array<i64: 16, -1>} : (i32) -> !fly.int_tuple<(16,?)>
  return %s : !fly.int_tuple<(16,?)>
}
