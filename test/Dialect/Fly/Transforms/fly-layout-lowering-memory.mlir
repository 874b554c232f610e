// RUN: fly-opt %s -fly-canonicalize -fly-layout-lowering -split-input-file | FileCheck %s

// Memory ops, partitions and copies through canonicalisation and lowering.

// CHECK-LABEL: func.func @access
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.ptr<f32, shared, align<16>>, %[[ARG1:[A-Za-z0-9_]+]]: i32) -> (f32, vector<6xf32>) {
// CHECK-NEXT:  %[[CST:[A-Za-z0-9_]+]] = arith.constant dense<0.000000e+00> : vector<6xf32>
// CHECK-NEXT:  %[[C2_I32:[A-Za-z0-9_]+]] = arith.constant 2 : i32
// CHECK-NEXT:  %[[C3_I32:[A-Za-z0-9_]+]] = arith.constant 3 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.muli %[[ARG1]], %[[C3_I32]] : i32
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.addi %[[V0]], %[[C2_I32]] : i32
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[V1]]) : (i32) -> !fly.int_tuple<?>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG0]], %[[V2]]) : (!fly.ptr<f32, shared, align<16>>, !fly.int_tuple<?>) -> !fly.ptr<f32, shared>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.ptr.load(%[[V3]]) : (!fly.ptr<f32, shared>) -> f32
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.make_ptr() {dictAttrs = {allocSize = 6 : i64}} : () -> !fly.ptr<f32, register>
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<5>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.add_offset(%[[V5]], %[[V6]]) : (!fly.ptr<f32, register>, !fly.int_tuple<5>) -> !fly.ptr<f32, register>
// CHECK-NEXT:  fly.ptr.store(%[[V4]], %[[V7]]) : (f32, !fly.ptr<f32, register>) -> ()
// CHECK-NEXT:  %[[V8:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<0>
// CHECK-NEXT:  %[[V9:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG0]], %[[V8]]) : (!fly.ptr<f32, shared, align<16>>, !fly.int_tuple<0>) -> !fly.ptr<f32, shared, align<16>>
// CHECK-NEXT:  %[[V10:[A-Za-z0-9_]+]] = fly.ptr.load(%[[V9]]) : (!fly.ptr<f32, shared, align<16>>) -> vector<3xf32>
// CHECK-NEXT:  %[[V11:[A-Za-z0-9_]+]] = vector.insert_strided_slice %[[V10]], %[[CST]] {offsets = [0], strides = [1]} : vector<3xf32> into vector<6xf32>
// CHECK-NEXT:  %[[V12:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<3>
// CHECK-NEXT:  %[[V13:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG0]], %[[V12]]) : (!fly.ptr<f32, shared, align<16>>, !fly.int_tuple<3>) -> !fly.ptr<f32, shared>
// CHECK-NEXT:  %[[V14:[A-Za-z0-9_]+]] = fly.ptr.load(%[[V13]]) : (!fly.ptr<f32, shared>) -> vector<3xf32>
// CHECK-NEXT:  %[[V15:[A-Za-z0-9_]+]] = vector.insert_strided_slice %[[V14]], %[[V11]] {offsets = [3], strides = [1]} : vector<3xf32> into vector<6xf32>
// CHECK-NEXT:  %[[V16:[A-Za-z0-9_]+]] = vector.shape_cast %[[V15]] : vector<6xf32> to vector<2x3xf32>
// CHECK-NEXT:  %[[V17:[A-Za-z0-9_]+]] = vector.transpose %[[V16]], [1, 0] : vector<2x3xf32> to vector<3x2xf32>
// CHECK-NEXT:  %[[V18:[A-Za-z0-9_]+]] = vector.shape_cast %[[V17]] : vector<3x2xf32> to vector<6xf32>
// CHECK-NEXT:  return %[[V4]], %[[V18]] : f32, vector<6xf32>

func.func @access(%p: !fly.ptr<f32, shared, align<16>>, %i: i32) -> (f32, vector<6xf32>) {
  %l = fly.static : !fly.layout<(2,3):(3,1)>
  %v = fly.make_view(%p, %l) : (!fly.ptr<f32, shared, align<16>>, !fly.layout<(2,3):(3,1)>) -> !fly.memref<f32, shared, (2,3):(3,1), align<16>>
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,2)>
  %x = fly.memref.load(%v, %c) : (!fly.memref<f32, shared, (2,3):(3,1), align<16>>, !fly.int_tuple<(?,2)>) -> f32
  %f = fly.make_fragment_like(%v) : (!fly.memref<f32, shared, (2,3):(3,1), align<16>>) -> !fly.memref<f32, register, (2,3):(1,2)>
  %k = fly.make_coord() : () -> !fly.int_tuple<(1,2)>
  fly.memref.store(%x, %f, %k) : (f32, !fly.memref<f32, register, (2,3):(1,2)>, !fly.int_tuple<(1,2)>) -> ()
  %w = fly.memref.load_vec(%v) : (!fly.memref<f32, shared, (2,3):(3,1), align<16>>) -> vector<6xf32>
  return %x, %w : f32, vector<6xf32>
}

// -----

// CHECK-LABEL: func.func @part
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.ptr<f16, global, align<8>>, %[[ARG1:[A-Za-z0-9_]+]]: i32) -> !fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)> {
// CHECK-NEXT:  %[[C24_I32:[A-Za-z0-9_]+]] = arith.constant 24 : i32
// CHECK-NEXT:  %[[C4_I32:[A-Za-z0-9_]+]] = arith.constant 4 : i32
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = arith.remsi %[[ARG1]], %[[C4_I32]] : i32
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = arith.divsi %[[ARG1]], %[[C4_I32]] : i32
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = arith.muli %[[V0]], %[[C24_I32]] : i32
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = arith.addi %[[V2]], %[[V1]] : i32
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.make_int_tuple(%[[V3]]) : (i32) -> !fly.int_tuple<?>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG0]], %[[V4]]) : (!fly.ptr<f16, global, align<8>>, !fly.int_tuple<?>) -> !fly.ptr<f16, global>
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<((6,0),96,3)>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<((4,1),2,2)>
// CHECK-NEXT:  %[[V8:[A-Za-z0-9_]+]] = fly.make_layout(%[[V7]], %[[V6]]) : (!fly.int_tuple<((4,1),2,2)>, !fly.int_tuple<((6,0),96,3)>) -> !fly.layout<((4,1),2,2):((6,0),96,3)>
// CHECK-NEXT:  %[[V9:[A-Za-z0-9_]+]] = fly.make_view(%[[V5]], %[[V8]]) : (!fly.ptr<f16, global>, !fly.layout<((4,1),2,2):((6,0),96,3)>) -> !fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)>
// CHECK-NEXT:  return %[[V9]] : !fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)>
// CHECK-LABEL: func.func @cpy
// CHECK-SAME:  (%[[ARG0:[A-Za-z0-9_]+]]: !fly.ptr<f32, global>, %[[ARG1:[A-Za-z0-9_]+]]: !fly.ptr<f32, register>) {
// CHECK-NEXT:  %[[V0:[A-Za-z0-9_]+]] = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 32>
// CHECK-NEXT:  %[[V1:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<0>
// CHECK-NEXT:  %[[V2:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG0]], %[[V1]]) : (!fly.ptr<f32, global>, !fly.int_tuple<0>) -> !fly.ptr<f32, global>
// CHECK-NEXT:  %[[V3:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<1>
// CHECK-NEXT:  %[[V4:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<2>
// CHECK-NEXT:  %[[V5:[A-Za-z0-9_]+]] = fly.make_layout(%[[V4]], %[[V3]]) : (!fly.int_tuple<2>, !fly.int_tuple<1>) -> !fly.layout<2:1>
// CHECK-NEXT:  %[[V6:[A-Za-z0-9_]+]] = fly.make_view(%[[V2]], %[[V5]]) : (!fly.ptr<f32, global>, !fly.layout<2:1>) -> !fly.memref<f32, global, 2:1>
// CHECK-NEXT:  %[[V7:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG1]], %[[V1]]) : (!fly.ptr<f32, register>, !fly.int_tuple<0>) -> !fly.ptr<f32, register>
// CHECK-NEXT:  %[[V8:[A-Za-z0-9_]+]] = fly.make_view(%[[V7]], %[[V5]]) : (!fly.ptr<f32, register>, !fly.layout<2:1>) -> !fly.memref<f32, register, 2:1>
// CHECK-NEXT:  fly.copy_atom_call(%[[V0]], %[[V6]], %[[V8]]) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, 2:1>, !fly.memref<f32, register, 2:1>) -> ()
// CHECK-NEXT:  %[[V9:[A-Za-z0-9_]+]] = fly.make_int_tuple() : () -> !fly.int_tuple<9>
// CHECK-NEXT:  %[[V10:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG0]], %[[V9]]) : (!fly.ptr<f32, global>, !fly.int_tuple<9>) -> !fly.ptr<f32, global>
// CHECK-NEXT:  %[[V11:[A-Za-z0-9_]+]] = fly.make_view(%[[V10]], %[[V5]]) : (!fly.ptr<f32, global>, !fly.layout<2:1>) -> !fly.memref<f32, global, 2:1>
// CHECK-NEXT:  %[[V12:[A-Za-z0-9_]+]] = fly.add_offset(%[[ARG1]], %[[V4]]) : (!fly.ptr<f32, register>, !fly.int_tuple<2>) -> !fly.ptr<f32, register>
// CHECK-NEXT:  %[[V13:[A-Za-z0-9_]+]] = fly.make_view(%[[V12]], %[[V5]]) : (!fly.ptr<f32, register>, !fly.layout<2:1>) -> !fly.memref<f32, register, 2:1>
// CHECK-NEXT:  fly.copy_atom_call(%[[V0]], %[[V11]], %[[V13]]) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, 2:1>, !fly.memref<f32, register, 2:1>) -> ()
// CHECK-NEXT:  return

func.func @part(%p: !fly.ptr<f16, global, align<8>>, %t: i32) -> !fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)> {
  %l = fly.static : !fly.layout<(32,6):(6,1)>
  %m = fly.make_view(%p, %l) : (!fly.ptr<f16, global, align<8>>, !fly.layout<(32,6):(6,1)>) -> !fly.memref<f16, global, (32,6):(6,1), align<8>>
  %tc = fly.static : !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>
  %c = fly.make_coord(%t) : (i32) -> !fly.int_tuple<?>
  %r = fly.tiled_copy.partition_src(%tc, %m, %c) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <((4,3),4):((4,16),1)>, <[16|3]>>, !fly.memref<f16, global, (32,6):(6,1), align<8>>, !fly.int_tuple<?>) -> !fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)>
  return %r : !fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)>
}
func.func @cpy(%p: !fly.ptr<f32, global>, %q: !fly.ptr<f32, register>) {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 32>
  %l = fly.static : !fly.layout<(2,2):(1,9)>
  %k = fly.static : !fly.layout<(2,2):(1,2)>
  %s = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(2,2):(1,9)>) -> !fly.memref<f32, global, (2,2):(1,9)>
  %d = fly.make_view(%q, %k) : (!fly.ptr<f32, register>, !fly.layout<(2,2):(1,2)>) -> !fly.memref<f32, register, (2,2):(1,2)>
  fly.copy(%a, %s, %d) : (!fly.copy_atom<!fly.universal_copy<64>, 32>, !fly.memref<f32, global, (2,2):(1,9)>, !fly.memref<f32, register, (2,2):(1,2)>) -> ()
  return
}
