// RUN: fly-opt %s -fly-canonicalize | FileCheck %s

// The normal form of each static type.

// A coordinate tensor, and composed layouts on both sides.
// CHECK-LABEL: func.func @tensor
// CHECK-SAME:  () -> (!fly.coord_tensor<(0,2), (4,8):(1E0,1E1)>, !fly.composed_layout<32:1 o 4 o (6,4):(1,6) o (0,1) o [S<1,2,3> o 2 o 8:2]>)
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(0,2)>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(4,8)>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(1E0,1E1)>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_layout(%[[V1]], %[[V2]]) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<(1E0,1E1)>) -> !fly.layout<(4,8):(1E0,1E1)>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.make_view(%[[V0]], %[[V3]]) : (!fly.int_tuple<(0,2)>, !fly.layout<(4,8):(1E0,1E1)>) -> !fly.coord_tensor<(0,2), (4,8):(1E0,1E1)>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<32>
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<1>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.make_layout(%[[V5]], %[[V6]]) : (!fly.int_tuple<32>, !fly.int_tuple<1>) -> !fly.layout<32:1>
// CHECK-NEXT:  %[[V8:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<4>
// CHECK-NEXT:  %[[V9:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(6,4)>
// CHECK-NEXT:  %[[V10:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(1,6)>
// CHECK-NEXT:  %[[V11:[A-Za-z0-9_]+]] = fly.make_layout(%[[V9]], %[[V10]]) : (!fly.int_tuple<(6,4)>, !fly.int_tuple<(1,6)>) -> !fly.layout<(6,4):(1,6)>
// CHECK-NEXT:  %[[V12:[A-Za-z0-9_]+]] = fly.make_composed_layout(%[[V7]], %[[V8]], %[[V11]]) : (!fly.layout<32:1>, !fly.int_tuple<4>, !fly.layout<(6,4):(1,6)>) -> !fly.composed_layout<32:1 o 4 o (6,4):(1,6)>
// CHECK-NEXT:  %[[V13:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(0,1)>
// CHECK-NEXT:  %[[V14:[A-Za-z0-9_]+]] = fly.static : !fly.swizzle<S<1,2,3>>
// CHECK-NEXT:  %[[V15:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<2>
// CHECK-NEXT:  %[[V16:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<8>
// CHECK-NEXT:  %[[V17:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<2>
// CHECK-NEXT:  %[[V18:[A-Za-z0-9_]+]] = fly.make_layout(%[[V16]], %[[V17]]) : (!fly.int_tuple<8>, !fly.int_tuple<2>) -> !fly.layout<8:2>
// CHECK-NEXT:  %[[V19:[A-Za-z0-9_]+]] = fly.make_composed_layout(%[[V14]], %[[V15]], %[[V18]]) : (!fly.swizzle<S<1,2,3>>, !fly.int_tuple<2>, !fly.layout<8:2>) -> !fly.composed_layout<S<1,2,3> o 2 o 8:2>
// CHECK-NEXT:  %[[V20:[A-Za-z0-9_]+]] = fly.make_composed_layout(%[[V12]], %[[V13]], %[[V19]]) : (!fly.composed_layout<32:1 o 4 o (6,4):(1,6)>, !fly.int_tuple<(0,1)>, !fly.composed_layout<S<1,2,3> o 2 o 8:2>) -> !fly.composed_layout<32:1 o 4 o (6,4):(1,6) o (0,1) o [S<1,2,3> o 2 o 8:2]>
// CHECK-NEXT:  return %[[V4]], %[[V20]] : !fly.coord_tensor<(0,2), (4,8):(1E0,1E1)>, !fly.composed_layout<32:1 o 4 o (6,4):(1,6) o (0,1) o [S<1,2,3> o 2 o 8:2]>
func.func @tensor() -> (!fly.coord_tensor<(0,2), (4,8):(1E0,1E1)>, !fly.composed_layout<32:1 o 4 o (6,4):(1,6) o (0,1) o [S<1,2,3> o 2 o 8:2]>) {
  %0 = fly.static : !fly.coord_tensor<(0,2), (4,8):(1E0,1E1)>
  %1 = fly.static : !fly.composed_layout<32:1 o 4 o (6,4):(1,6) o (0,1) o [S<1,2,3> o 2 o 8:2]>
  return %0, %1 : !fly.coord_tensor<(0,2), (4,8):(1E0,1E1)>, !fly.composed_layout<32:1 o 4 o (6,4):(1,6) o (0,1) o [S<1,2,3> o 2 o 8:2]>
}
// Atoms and tiled copies; swizzles, tiles and bases stay.
// CHECK-LABEL: func.func @atoms
// CHECK-SAME:  () -> (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>, !fly.tile<[4|6|*]>>, !fly.coord_swizzle<CS<1,0,[0],0,[1]>>, !fly.tile<[4|*]>, !fly.basis<1E0>)
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<((4,3),4)>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<((4,16),1)>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.make_layout(%[[V2]], %[[V3]]) : (!fly.int_tuple<((4,3),4)>, !fly.int_tuple<((4,16),1)>) -> !fly.layout<((4,3),4):((4,16),1)>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.static : !fly.tile<[16|3]>
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_tiled_copy(%[[V1]], %[[V4]], %[[V5]]) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.make_mma_atom : !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
// CHECK-NEXT:  %[[V8:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(2,3,1)>
// CHECK-NEXT:  %[[V9:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(1,2,0)>
// CHECK-NEXT:  %[[V10:[A-Za-z0-9_]+]] = fly.make_layout(%[[V8]], %[[V9]]) : (!fly.int_tuple<(2,3,1)>, !fly.int_tuple<(1,2,0)>) -> !fly.layout<(2,3,1):(1,2,0)>
// CHECK-NEXT:  %[[V11:[A-Za-z0-9_]+]] = fly.static : !fly.tile<[4|6|*]>
// CHECK-NEXT:  %[[V12:[A-Za-z0-9_]+]] = fly.make_tiled_mma(%[[V7]], %[[V10]], %[[V11]]) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>, !fly.tile<[4|6|*]>) -> !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>, !fly.tile<[4|6|*]>>
// CHECK-NEXT:  %[[V13:[A-Za-z0-9_]+]] = fly.static : !fly.coord_swizzle<CS<1,0,[0],0,[1]>>
// CHECK-NEXT:  %[[V14:[A-Za-z0-9_]+]] = fly.static : !fly.tile<[4|*]>
// CHECK-NEXT:  %[[V15:[A-Za-z0-9_]+]] = fly.static : !fly.basis<1E0>
// CHECK-NEXT:  return %[[V0]], %[[V6]], %[[V12]], %[[V13]], %[[V14]], %[[V15]] : !fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>, !fly.tile<[4|6|*]>>, !fly.coord_swizzle<CS<1,0,[0],0,[1]>>, !fly.tile<[4|*]>, !fly.basis<1E0>
func.func @atoms() -> (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>, <[4|6|*]>>, !fly.coord_swizzle<CS<1,0,[0],0,[1]>>, !fly.tile<[4|*]>, !fly.basis<1E0>) {
  %0 = fly.static : !fly.copy_atom<!fly.universal_copy<64>, 16>
  %1 = fly.static : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>
  %2 = fly.static : !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>, <[4|6|*]>>
  %3 = fly.static : !fly.coord_swizzle<CS<1,0,[0],0,[1]>>
  %4 = fly.static : !fly.tile<[4|*]>
  %5 = fly.static : !fly.basis<1E0>
  return %0, %1, %2, %3, %4, %5 : !fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>, !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>, <[4|6|*]>>, !fly.coord_swizzle<CS<1,0,[0],0,[1]>>, !fly.tile<[4|*]>, !fly.basis<1E0>
}
// Any op with a static result, here of run-time operands; what is in normal form
// stays, and so does a value that is not static.
// CHECK-LABEL: func.func @results
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: i32, %[[ARG1:[A-Za-z0-9_]+]]: !fly.layout<(4,?):(1,4)>) -> (!fly.int_tuple<0>, !fly.layout<4:1>, !fly.int_tuple<(4,?)>, !fly.layout<(2,3):(1,2)>)
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<0>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<4>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<1>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_layout(%[[V1]], %[[V2]]) : (!fly.int_tuple<4>, !fly.int_tuple<1>) -> !fly.layout<4:1>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.get_shape(%[[ARG1]]) : (!fly.layout<(4,?):(1,4)>) -> !fly.int_tuple<(4,?)>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(2,3)>
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<(1,2)>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.make_layout(%[[V5]], %[[V6]]) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(1,2)>) -> !fly.layout<(2,3):(1,2)>
// CHECK-NEXT:  return %[[V0]], %[[V3]], %[[V4]], %[[V7]] : !fly.int_tuple<0>, !fly.layout<4:1>, !fly.int_tuple<(4,?)>, !fly.layout<(2,3):(1,2)>
func.func @results(%n: i32, %l: !fly.layout<(4,?):(1,4)>) -> (!fly.int_tuple<0>, !fly.layout<4:1>, !fly.int_tuple<(4,?)>, !fly.layout<(2,3):(1,2)>) {
  %p = fly.coprofile(%l) : (!fly.layout<(4,?):(1,4)>) -> !fly.int_tuple<0>
  %g = fly.get(%l) {mode = array<i32: 0>} : (!fly.layout<(4,?):(1,4)>) -> !fly.layout<4:1>
  %s = fly.get_shape(%l) : (!fly.layout<(4,?):(1,4)>) -> !fly.int_tuple<(4,?)>
  %a = fly.make_shape() : () -> !fly.int_tuple<(2,3)>
  %b = fly.make_int_tuple() : () -> !fly.int_tuple<(1,2)>
  %c = fly.make_layout(%a, %b) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(1,2)>) -> !fly.layout<(2,3):(1,2)>
  return %p, %g, %s, %c : !fly.int_tuple<0>, !fly.layout<4:1>, !fly.int_tuple<(4,?)>, !fly.layout<(2,3):(1,2)>
}
