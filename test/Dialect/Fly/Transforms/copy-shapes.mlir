// RUN: fly-opt %s -fly-canonicalize -fly-layout-lowering | FileCheck %s

// Copies of nested shapes.

!U = !fly.copy_atom<!fly.universal_copy<64>, 16>

// Tuples of one mode are taken apart.
// CHECK-LABEL: func.func @rank_one
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.copy_atom<!fly.universal_copy<64>, 16>, %[[ARG1:[A-Za-z0-9_]+]]: !fly.ptr<f16, global, align<8>>, %[[ARG2:[A-Za-z0-9_]+]]: !fly.ptr<f16, register, align<8>>)
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<1>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<4>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_layout(%[[V1]], %[[V0]]) : (!fly.int_tuple<4>, !fly.int_tuple<1>) -> !fly.layout<4:1>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_view(%[[ARG2]], %[[V2]]) : (!fly.ptr<f16, register, align<8>>, !fly.layout<4:1>) -> !fly.memref<f16, register, 4:1, align<8>>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.make_view(%[[ARG1]], %[[V2]]) : (!fly.ptr<f16, global, align<8>>, !fly.layout<4:1>) -> !fly.memref<f16, global, 4:1, align<8>>
// CHECK-NEXT:  fly.copy_atom_call(%[[ARG0]], %[[V4]], %[[V3]]) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1, align<8>>, !fly.memref<f16, register, 4:1, align<8>>) -> ()
// CHECK-NEXT:  return
func.func @rank_one(%u: !U, %sp: !fly.ptr<f16, global, align<8>>, %dp: !fly.ptr<f16, register, align<8>>) {
  %sl = fly.static : !fly.layout<((4)):((1))>
  %dl = fly.static : !fly.layout<(4):(1)>
  %s = fly.make_view(%sp, %sl) : (!fly.ptr<f16, global, align<8>>, !fly.layout<((4)):((1))>) -> !fly.memref<f16, global, ((4)):((1)), align<8>>
  %d = fly.make_view(%dp, %dl) : (!fly.ptr<f16, register, align<8>>, !fly.layout<(4):(1)>) -> !fly.memref<f16, register, (4):(1), align<8>>
  fly.copy(%u, %s, %d) : (!U, !fly.memref<f16, global, ((4)):((1)), align<8>>, !fly.memref<f16, register, (4):(1), align<8>>) -> ()
  return
}

// Parts in ascending order, on every level; both sides keep their own modes.
// CHECK-LABEL: func.func @nested
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.copy_atom<!fly.universal_copy<64>, 16>, %[[ARG1:[A-Za-z0-9_]+]]: !fly.ptr<f16, global, align<8>>, %[[ARG2:[A-Za-z0-9_]+]]: !fly.ptr<f16, register, align<8>>)
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<0>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG1]], %[[V0]]) : (!fly.ptr<f16, global, align<8>>, !fly.int_tuple<0>) -> !fly.ptr<f16, global, align<8>>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<1>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<4>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.make_layout(%[[V3]], %[[V2]]) : (!fly.int_tuple<4>, !fly.int_tuple<1>) -> !fly.layout<4:1>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.make_view(%[[V1]], %[[V4]]) : (!fly.ptr<f16, global, align<8>>, !fly.layout<4:1>) -> !fly.memref<f16, global, 4:1, align<8>>
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG2]], %[[V0]]) : (!fly.ptr<f16, register, align<8>>, !fly.int_tuple<0>) -> !fly.ptr<f16, register, align<8>>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.make_view(%[[V6]], %[[V4]]) : (!fly.ptr<f16, register, align<8>>, !fly.layout<4:1>) -> !fly.memref<f16, register, 4:1, align<8>>
// CHECK-NEXT:  fly.copy_atom_call(%[[ARG0]], %[[V5]], %[[V7]]) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1, align<8>>, !fly.memref<f16, register, 4:1, align<8>>) -> ()
// CHECK-NEXT:  %[[V8:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG1]], %[[V3]]) : (!fly.ptr<f16, global, align<8>>, !fly.int_tuple<4>) -> !fly.ptr<f16, global, align<8>>
// CHECK-NEXT:  %[[V9:[A-Za-z0-9_]+]] = fly.make_view(%[[V8]], %[[V4]]) : (!fly.ptr<f16, global, align<8>>, !fly.layout<4:1>) -> !fly.memref<f16, global, 4:1, align<8>>
// CHECK-NEXT:  %[[V10:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG2]], %[[V3]]) : (!fly.ptr<f16, register, align<8>>, !fly.int_tuple<4>) -> !fly.ptr<f16, register, align<8>>
// CHECK-NEXT:  %[[V11:[A-Za-z0-9_]+]] = fly.make_view(%[[V10]], %[[V4]]) : (!fly.ptr<f16, register, align<8>>, !fly.layout<4:1>) -> !fly.memref<f16, register, 4:1, align<8>>
// CHECK-NEXT:  fly.copy_atom_call(%[[ARG0]], %[[V9]], %[[V11]]) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1, align<8>>, !fly.memref<f16, register, 4:1, align<8>>) -> ()
// CHECK-NEXT:  %[[V12:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<16>
// CHECK-NEXT:  %[[V13:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG1]], %[[V12]]) : (!fly.ptr<f16, global, align<8>>, !fly.int_tuple<16>) -> !fly.ptr<f16, global, align<8>>
// CHECK-NEXT:  %[[V14:[A-Za-z0-9_]+]] = fly.make_view(%[[V13]], %[[V4]]) : (!fly.ptr<f16, global, align<8>>, !fly.layout<4:1>) -> !fly.memref<f16, global, 4:1, align<8>>
// CHECK-NEXT:  %[[V15:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<8>
// CHECK-NEXT:  %[[V16:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG2]], %[[V15]]) : (!fly.ptr<f16, register, align<8>>, !fly.int_tuple<8>) -> !fly.ptr<f16, register, align<8>>
// CHECK-NEXT:  %[[V17:[A-Za-z0-9_]+]] = fly.make_view(%[[V16]], %[[V4]]) : (!fly.ptr<f16, register, align<8>>, !fly.layout<4:1>) -> !fly.memref<f16, register, 4:1, align<8>>
// CHECK-NEXT:  fly.copy_atom_call(%[[ARG0]], %[[V14]], %[[V17]]) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1, align<8>>, !fly.memref<f16, register, 4:1, align<8>>) -> ()
// CHECK-NEXT:  %[[V18:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<20>
// CHECK-NEXT:  %[[V19:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG1]], %[[V18]]) : (!fly.ptr<f16, global, align<8>>, !fly.int_tuple<20>) -> !fly.ptr<f16, global, align<8>>
// CHECK-NEXT:  %[[V20:[A-Za-z0-9_]+]] = fly.make_view(%[[V19]], %[[V4]]) : (!fly.ptr<f16, global, align<8>>, !fly.layout<4:1>) -> !fly.memref<f16, global, 4:1, align<8>>
// CHECK-NEXT:  %[[V21:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<12>
// CHECK-NEXT:  %[[V22:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG2]], %[[V21]]) : (!fly.ptr<f16, register, align<8>>, !fly.int_tuple<12>) -> !fly.ptr<f16, register, align<8>>
// CHECK-NEXT:  %[[V23:[A-Za-z0-9_]+]] = fly.make_view(%[[V22]], %[[V4]]) : (!fly.ptr<f16, register, align<8>>, !fly.layout<4:1>) -> !fly.memref<f16, register, 4:1, align<8>>
// CHECK-NEXT:  fly.copy_atom_call(%[[ARG0]], %[[V20]], %[[V23]]) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1, align<8>>, !fly.memref<f16, register, 4:1, align<8>>) -> ()
// CHECK-NEXT:  return
func.func @nested(%u: !U, %sp: !fly.ptr<f16, global, align<8>>, %dp: !fly.ptr<f16, register, align<8>>) {
  %sl = fly.static : !fly.layout<((4,2),(2,1)):((1,4),(16,0))>
  %dl = fly.static : !fly.layout<((4,2),2):((1,4),8)>
  %s = fly.make_view(%sp, %sl) : (!fly.ptr<f16, global, align<8>>, !fly.layout<((4,2),(2,1)):((1,4),(16,0))>) -> !fly.memref<f16, global, ((4,2),(2,1)):((1,4),(16,0)), align<8>>
  %d = fly.make_view(%dp, %dl) : (!fly.ptr<f16, register, align<8>>, !fly.layout<((4,2),2):((1,4),8)>) -> !fly.memref<f16, register, ((4,2),2):((1,4),8), align<8>>
  fly.copy(%u, %s, %d) : (!U, !fly.memref<f16, global, ((4,2),(2,1)):((1,4),(16,0)), align<8>>, !fly.memref<f16, register, ((4,2),2):((1,4),8), align<8>>) -> ()
  return
}
