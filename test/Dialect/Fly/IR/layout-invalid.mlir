// RUN: fly-opt %s -split-input-file -verify-diagnostics

// Refused inputs; each function is named after the precondition it violates.
// User report 35.

func.func @make_layout_layout_c1(%a0: !fly.int_tuple<(4,8)>, %a1: !fly.int_tuple<1>) {
  // expected-error@+2 {{MakeLayoutOp: shape (4,8) and stride 1 have different profiles [layout_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_layout(%a0, %a1) : (!fly.int_tuple<(4,8)>, !fly.int_tuple<1>) -> !fly.layout<4:1>
  return
}

// -----

func.func @make_layout_layout_c2(%a0: !fly.int_tuple<4E0>, %a1: !fly.int_tuple<1>) {
  // expected-error@+2 {{MakeLayoutOp: shape 4E0 has a basis element as a size [layout_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_layout(%a0, %a1) : (!fly.int_tuple<4E0>, !fly.int_tuple<1>) -> !fly.layout<4:1>
  return
}

// -----

func.func @make_identity_layout_layout_c2(%a0: !fly.int_tuple<4E0>) {
  // expected-error@+2 {{MakeIdentityLayoutOp: shape 4E0 has a basis element as a size [layout_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_identity_layout(%a0) : (!fly.int_tuple<4E0>) -> !fly.layout<4:1>
  return
}

// -----

func.func @make_ordered_layout_c1(%a0: !fly.int_tuple<(3,5)>, %a1: !fly.int_tuple<(0,1,2)>) {
  // expected-error@+2 {{MakeOrderedLayoutOp: order (0,1,2) does not have the modes of (3,5) [make_ordered_layout_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_ordered_layout(%a0, %a1) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<(0,1,2)>) -> !fly.layout<3:1>
  return
}

// -----

func.func @make_ordered_layout_c2(%a0: !fly.int_tuple<(3,5)>, %a1: !fly.int_tuple<(0,1E0)>) {
  // expected-error@+2 {{MakeOrderedLayoutOp: order (0,1E0) has basis elements [make_ordered_layout_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_ordered_layout(%a0, %a1) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<(0,1E0)>) -> !fly.layout<3:1>
  return
}

// -----

func.func @make_fragment_layout_like_c1(%a0: !fly.layout<(3,?):(1,3)>) {
  // expected-error@+2 {{MakeFragmentLayoutLikeOp: expected static shape layout, got '!fly.layout<(3,?):(1,3)>' [make_fragment_layout_like_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_fragment_layout_like(%a0) : (!fly.layout<(3,?):(1,3)>) -> !fly.layout<(3,5):(1,3)>
  return
}

// -----

func.func @get_stride_c1_layout(%a0: !fly.composed_layout<S<1,2,3> o 0 o (3,5):(5,1)>) {
  // expected-error@+2 {{GetStrideOp: unsupported ComposedLayoutType; only a plain layout has strides, got }}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get_stride(%a0) : (!fly.composed_layout<S<1,2,3> o 0 o (3,5):(5,1)>) -> !fly.int_tuple<(5,1)>
  return
}

// -----

func.func @get_stride_c1_memref(%a0: !fly.memref<f32, global, S<1,2,3> o 0 o (3,5):(5,1)>) {
  // expected-error@+2 {{GetStrideOp: unsupported MemRefType with ComposedLayout; only a plain layout has strides, got }}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get_stride(%a0) : (!fly.memref<f32, global, S<1,2,3> o 0 o (3,5):(5,1)>) -> !fly.int_tuple<(5,1)>
  return
}

// -----

func.func @get_stride_c1_coord_tensor(%a0: !fly.coord_tensor<0, S<1,2,3> o 0 o (3,5):(5,1)>) {
  // expected-error@+2 {{GetStrideOp: unsupported CoordTensorType with ComposedLayout; only a plain layout has strides, got }}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get_stride(%a0) : (!fly.coord_tensor<0, S<1,2,3> o 0 o (3,5):(5,1)>) -> !fly.int_tuple<(5,1)>
  return
}

// -----

func.func @size_int_overflow(%a0: !fly.layout<(9223372036854775807,4):(1,1)>) {
  // expected-error@+2 {{SizeOp: 9223372036854775807 * 4 exceeds 64 bits [int_overflow]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.size(%a0) : (!fly.layout<(9223372036854775807,4):(1,1)>) -> !fly.int_tuple<4>
  return
}

// -----

func.func @size_basis_c1(%a0: !fly.int_tuple<(2,1E0)>) {
  // expected-error@+2 {{SizeOp: product over the basis element 1E0 [basis_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.size(%a0) : (!fly.int_tuple<(2,1E0)>) -> !fly.int_tuple<4>
  return
}

// -----

func.func @coprofile_c1(%a0: !fly.layout<(3,5):(1,1E0)>) {
  // expected-error@+2 {{CoprofileOp: layout (3,5):(1,1E0) mixes integer and basis strides [coprofile_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.coprofile(%a0) : (!fly.layout<(3,5):(1,1E0)>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @coshape_coprofile_c1(%a0: !fly.layout<(3,5):(1,1E0)>) {
  // expected-error@+2 {{CoshapeOp: layout (3,5):(1,1E0) mixes integer and basis strides [coprofile_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.coshape(%a0) : (!fly.layout<(3,5):(1,1E0)>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @cosize_c1(%a0: !fly.composed_layout<S<1,2,3> o ? o (3,5):(5,1)>) {
  // expected-error@+2 {{CosizeOp: the extent of S<1,2,3> o ? o (3,5):(5,1) cannot be known: its leaves must be static integers and its indices few enough to be visited [cosize_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.cosize(%a0) : (!fly.composed_layout<S<1,2,3> o ? o (3,5):(5,1)>) -> !fly.int_tuple<15>
  return
}

// -----

func.func @crd2idx_c1(%a0: !fly.int_tuple<(1,2,3)>, %a1: !fly.layout<(3,5):(1,3)>) {
  // expected-error@+2 {{Crd2IdxOp: coordinate (1,2,3) has rank 3, shape (3,5) has rank 2 [crd2idx_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.crd2idx(%a0, %a1) : (!fly.int_tuple<(1,2,3)>, !fly.layout<(3,5):(1,3)>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @crd2idx_c2(%a0: !fly.int_tuple<1E0>, %a1: !fly.layout<(3,5):(1,3)>) {
  // expected-error@+2 {{Crd2IdxOp: basis element 1E0 as a coordinate of shape (3,5) [crd2idx_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.crd2idx(%a0, %a1) : (!fly.int_tuple<1E0>, !fly.layout<(3,5):(1,3)>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @crd2idx_coord_swizzle_c2(%a0: !fly.int_tuple<3>, %a1: !fly.coord_swizzle<CS<1,0,[0],0,[1]>>) {
  // expected-error@+2 {{Crd2IdxOp: CS<1,0,[0],0,[1]> finds no integer at its modes in 3 [coord_swizzle_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.crd2idx(%a0, %a1) : (!fly.int_tuple<3>, !fly.coord_swizzle<CS<1,0,[0],0,[1]>>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @crd2idx_int_overflow(%a0: !fly.int_tuple<4>, %a1: !fly.layout<5:9223372036854775807>) {
  // expected-error@+2 {{Crd2IdxOp: 4 * 9223372036854775807 exceeds 64 bits [int_overflow]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.crd2idx(%a0, %a1) : (!fly.int_tuple<4>, !fly.layout<5:9223372036854775807>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @idx2crd_c1(%a0: !fly.int_tuple<(1,2,3)>, %a1: !fly.layout<(3,5):(1,3)>) {
  // expected-error@+2 {{Idx2CrdOp: index (1,2,3) has rank 3, shape (3,5) has rank 2 [idx2crd_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.idx2crd(%a0, %a1) : (!fly.int_tuple<(1,2,3)>, !fly.layout<(3,5):(1,3)>) -> !fly.int_tuple<(0,0)>
  return
}

// -----

func.func @idx2crd_c2(%a0: !fly.int_tuple<1>, %a1: !fly.layout<(3,5):(1E0,1E1)>) {
  // expected-error@+2 {{Idx2CrdOp: index to coordinate along the basis stride 1E0 [idx2crd_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.idx2crd(%a0, %a1) : (!fly.int_tuple<1>, !fly.layout<(3,5):(1E0,1E1)>) -> !fly.int_tuple<(0,0)>
  return
}

// -----

func.func @get_flat_coord_idx2crd_c1(%a0: !fly.int_tuple<(1,2,3)>, %a1: !fly.layout<(3,5):(1,3)>) {
  // expected-error@+2 {{GetFlatCoordOp: index (1,2,3) has rank 3, shape (3,5) has rank 2 [idx2crd_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get_flat_coord(%a0, %a1) : (!fly.int_tuple<(1,2,3)>, !fly.layout<(3,5):(1,3)>) -> !fly.int_tuple<(0,0)>
  return
}

// -----

func.func @get_1d_coord_idx2crd_c2(%a0: !fly.int_tuple<1>, %a1: !fly.layout<(3,5):(1E0,1E1)>) {
  // expected-error@+2 {{Get1DCoordOp: index to coordinate along the basis stride 1E0 [idx2crd_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get_1d_coord(%a0, %a1) : (!fly.int_tuple<1>, !fly.layout<(3,5):(1E0,1E1)>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @composition_c1(%a0: !fly.layout<(6,5):(5,1)>, %a1: !fly.layout<4:4>) {
  // expected-error@+2 {{CompositionOp: composition of A = (6,5):(5,1) with B = 4:4: mode 4:4 of B runs across the end of mode 6:5 of A in the middle of its steps [composition_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.composition(%a0, %a1) : (!fly.layout<(6,5):(5,1)>, !fly.layout<4:4>) -> !fly.layout<6:1>
  return
}

// -----

func.func @composition_c2(%a0: !fly.layout<(6,5):(5,1)>, %a1: !fly.layout<4:1E3>) {
  // expected-error@+2 {{CompositionOp: composition of A = (6,5):(5,1) with B = 4:1E3: A has no mode for the stride 1E3 [composition_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.composition(%a0, %a1) : (!fly.layout<(6,5):(5,1)>, !fly.layout<4:1E3>) -> !fly.layout<6:1>
  return
}

// -----

func.func @composition_c3(%a0: !fly.layout<(6,5):(5,1)>, %a1: !fly.tile<4>) {
  // expected-error@+2 {{CompositionOp: composition of (6,5):(5,1) with the leaf tile 4; a list tile is expected [composition_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.composition(%a0, %a1) : (!fly.layout<(6,5):(5,1)>, !fly.tile<4>) -> !fly.layout<6:1>
  return
}

// -----

func.func @complement_c1(%a0: !fly.layout<3:1E0>) {
  // expected-error@+2 {{ComplementOp: complement of 3:1E0 with basis strides [complement_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.complement(%a0) : (!fly.layout<3:1E0>) -> !fly.layout<6:1>
  return
}

// -----

func.func @complement_c2(%a0: !fly.layout<(3,2):(?,?)>) {
  // expected-error@+2 {{ComplementOp: complement of (3,2):(?,?): the order of the run-time stride ? among the others is not known [complement_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.complement(%a0) : (!fly.layout<(3,2):(?,?)>) -> !fly.layout<6:1>
  return
}

// -----

func.func @complement_c3(%a0: !fly.layout<(3,3):(1,2)>) {
  // expected-error@+2 {{ComplementOp: complement of (3,3):(1,2): stride 2 is no multiple of 3, where the modes below it end; indices repeat or leave gaps that no layout fills [complement_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.complement(%a0) : (!fly.layout<(3,3):(1,2)>) -> !fly.layout<6:1>
  return
}

// -----

func.func @logical_divide_divide_c3(%a0: !fly.layout<12:1>, %a1: !fly.layout<3:-1>) {
  // expected-error@+2 {{LogicalDivideOp: tile 3:-1 has the negative stride -1; its items begin before those of 12:1 [divide_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.logical_divide(%a0, %a1) : (!fly.layout<12:1>, !fly.layout<3:-1>) -> !fly.layout<(3,4):(-1,3)>
  return
}

// -----

// DIFF: complement-disjoint
func.func @logical_product_product_c2(%a0: !fly.layout<3:7>, %a1: !fly.layout<(2,5):(-5,1)>) {
  // expected-error@+2 {{LogicalProductOp: tiler (2,5):(-5,1) has the negative stride -5, and the copies of 3:7 lie at (7,2):(1,21), which does not go on below 0 [product_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.logical_product(%a0, %a1) : (!fly.layout<3:7>, !fly.layout<(2,5):(-5,1)>) -> !fly.layout<(3,(2,5)):(7,(-5,1))>
  return
}

// -----

func.func @complement_c5(%a0: !fly.layout<3:1>, %a1: !fly.int_tuple<(6,2)>) {
  // expected-error@+2 {{ComplementOp: complement within the codomain (6,2); an integer is expected [complement_c5]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.complement(%a0, %a1) : (!fly.layout<3:1>, !fly.int_tuple<(6,2)>) -> !fly.layout<6:1>
  return
}

// -----

func.func @right_inverse_c1(%a0: !fly.layout<(3,5):(1E0,1E1)>) {
  // expected-error@+2 {{RightInverseOp: right inverse of (3,5):(1E0,1E1) with basis strides [right_inverse_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.right_inverse(%a0) : (!fly.layout<(3,5):(1E0,1E1)>) -> !fly.layout<6:1>
  return
}

// -----

func.func @right_inverse_c2(%a0: !fly.composed_layout<S<2,2,2> o 4 o (4,8):(8,1)>) {
  // expected-error@+2 {{RightInverseOp: right inverse of S<2,2,2> o 4 o (4,8):(8,1), whose offset may leave out the index 0 [right_inverse_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.right_inverse(%a0) : (!fly.composed_layout<S<2,2,2> o 4 o (4,8):(8,1)>) -> !fly.layout<6:1>
  return
}

// -----

func.func @left_inverse_c1(%a0: !fly.layout<(3,5):(1E0,1E1)>) {
  // expected-error@+2 {{LeftInverseOp: left inverse of (3,5):(1E0,1E1) with basis strides [left_inverse_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.left_inverse(%a0) : (!fly.layout<(3,5):(1E0,1E1)>) -> !fly.layout<6:1>
  return
}

// -----

func.func @left_inverse_c2(%a0: !fly.layout<(3,3):(1,2)>) {
  // expected-error@+2 {{LeftInverseOp: left inverse of (3,3):(1,2): the coordinates 2 and 3 have the same index [left_inverse_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.left_inverse(%a0) : (!fly.layout<(3,3):(1,2)>) -> !fly.layout<6:1>
  return
}

// -----

func.func @left_inverse_c3(%a0: !fly.layout<(3,3):(?,?)>) {
  // expected-error@+2 {{LeftInverseOp: left inverse of (3,3):(?,?): the place of the run-time stride ? among the others is not known [left_inverse_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.left_inverse(%a0) : (!fly.layout<(3,3):(?,?)>) -> !fly.layout<6:1>
  return
}

// -----

func.func @left_inverse_c4(%a0: !fly.composed_layout<64:3 o 0 o (4,8):(8,1)>) {
  // expected-error@+2 {{LeftInverseOp: left inverse of 64:3 o 0 o (4,8):(8,1), whose inner map is no swizzle [left_inverse_c4]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.left_inverse(%a0) : (!fly.composed_layout<64:3 o 0 o (4,8):(8,1)>) -> !fly.layout<6:1>
  return
}

// -----

func.func @zipped_divide_divide_c1(%a0: !fly.layout<(6,10):(10,1)>, %a1: !fly.tile<[?|5]>) {
  // expected-error@+2 {{ZippedDivideOp: tile [?|5] has run-time elements [divide_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.zipped_divide(%a0, %a1) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[?|5]>) -> !fly.layout<6:1>
  return
}

// -----

func.func @zipped_divide_divide_c2(%a0: !fly.layout<(6,10):(10,1)>, %a1: !fly.tile<[3|5|2]>) {
  // expected-error@+2 {{ZippedDivideOp: tile [3|5|2] has more elements than (6,10):(10,1) has modes [divide_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.zipped_divide(%a0, %a1) : (!fly.layout<(6,10):(10,1)>, !fly.tile<[3|5|2]>) -> !fly.layout<6:1>
  return
}

// -----

func.func @logical_divide_composition_c1(%a0: !fly.layout<(6,5):(5,1)>, %a1: !fly.layout<(4,4):(1,4)>) {
  // expected-error@+2 {{LogicalDivideOp: composition of A = (6,5):(5,1) with B = ((4,4),2):((1,4),16): mode 4:4 of B runs across the end of mode 6:5 of A in the middle of its steps [composition_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.logical_divide(%a0, %a1) : (!fly.layout<(6,5):(5,1)>, !fly.layout<(4,4):(1,4)>) -> !fly.layout<6:1>
  return
}

// -----

func.func @logical_product_complement_c3(%a0: !fly.layout<(3,3):(1,2)>, %a1: !fly.layout<2:1>) {
  // expected-error@+2 {{LogicalProductOp: complement of (3,3):(1,2): stride 2 is no multiple of 3, where the modes below it end; indices repeat or leave gaps that no layout fills [complement_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.logical_product(%a0, %a1) : (!fly.layout<(3,3):(1,2)>, !fly.layout<2:1>) -> !fly.layout<6:1>
  return
}

// -----

func.func @recast_c1(%a0: !fly.layout<4:1E0>) {
  // expected-error@+2 {{RecastLayoutOp: recast of 4:1E0 by 4: basis strides have no bits [recast_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 32 : i32, old_type_bits = 8 : i32} : (!fly.layout<4:1E0>) -> !fly.layout<6:1>
  return
}

// -----

func.func @recast_c2(%a0: !fly.layout<4:3>) {
  // expected-error@+2 {{RecastLayoutOp: recast of 4:3 by 4: no mode of stride 1 makes the items of a group contiguous [recast_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 32 : i32, old_type_bits = 8 : i32} : (!fly.layout<4:3>) -> !fly.layout<6:1>
  return
}

// -----

func.func @recast_c3(%a0: !fly.layout<5:1>) {
  // expected-error@+2 {{RecastLayoutOp: recast of 5:1 by 2: size 5 is no multiple of 2 and leaves a rest [recast_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.layout<5:1>) -> !fly.layout<6:1>
  return
}

// -----

func.func @recast_c4(%a0: !fly.layout<4:-1>) {
  // expected-error@+2 {{RecastLayoutOp: recast of 4:-1 by 2: the items of a group are reversed [recast_c4]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.layout<4:-1>) -> !fly.layout<6:1>
  return
}

// -----

func.func @recast_c5(%a0: !fly.composed_layout<S<2,0,3> o 0 o 8:1>) {
  // expected-error@+2 {{RecastLayoutOp: recast of S<2,0,3> by 2 would move parts of an item [recast_c5]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.composed_layout<S<2,0,3> o 0 o 8:1>) -> !fly.layout<6:1>
  return
}

// -----

func.func @tile_to_shape_make_ordered_layout_c1(%a0: !fly.layout<(3,5):(1,3)>, %a1: !fly.int_tuple<(6,10)>, %a2: !fly.int_tuple<(0,1,2)>) {
  // expected-error@+2 {{TileToShapeOp: order (0,1,2) does not have the modes of (2,2) [make_ordered_layout_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.tile_to_shape(%a0, %a1, %a2) : (!fly.layout<(3,5):(1,3)>, !fly.int_tuple<(6,10)>, !fly.int_tuple<(0,1,2)>) -> !fly.layout<6:1>
  return
}

// -----

func.func @make_fragment_layout_like_c1_memref(%a0: !fly.memref<f32, global, (?,4):(1,3)>) {
  // expected-error@+2 {{MakeFragmentLayoutLikeOp: expected static shape layout, got '!fly.memref<f32, global, (?,4):(1,3)>' [make_fragment_layout_like_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_fragment_layout_like(%a0) : (!fly.memref<f32, global, (?,4):(1,3)>) -> !fly.layout<(3,5):(1,3)>
  return
}

// -----

func.func @idx2crd_idx2crd_c3(%a0: !fly.int_tuple<?>, %a1: !fly.layout<(3,3):(1,2)>) {
  // expected-error@+2 {{Idx2CrdOp: index to coordinate of the run-time index ? in (3,3):(1,2), whose modes interleave so that no division tells their coordinates apart [idx2crd_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.idx2crd(%a0, %a1) : (!fly.int_tuple<?>, !fly.layout<(3,3):(1,2)>) -> !fly.int_tuple<(?,?)>
  return
}

// -----

func.func @product_c1_tuple_as_tiler(%a: !fly.layout<3:1>, %n: !fly.int_tuple<(2,3)>) {
  // expected-error@+2 {{RakedProductOp: product with the tuple (2,3); a layout or an integer is expected [product_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.raked_product(%a, %n) : (!fly.layout<3:1>, !fly.int_tuple<(2,3)>) -> !fly.layout<1:0>
  return
}

// -----

func.func @recast_layout_recast_c6(%a: !fly.layout<4:1>) {
  // DIFF: recast-widths
  // expected-error@+2 {{RecastLayoutOp: recast from items of 8 bits to items of 0; both must have at least 1 bit [recast_c6]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a) {new_type_bits = 0 : i32, old_type_bits = 8 : i32} : (!fly.layout<4:1>) -> !fly.layout<4:1>
  return
}

// -----

func.func @recast_layout_recast_c6_negative(%a: !fly.layout<4:1>) {
  // expected-error@+2 {{recast from items of -8 bits to items of 8; both must have at least 1 bit [recast_c6]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a) {new_type_bits = 8 : i32, old_type_bits = -8 : i32} : (!fly.layout<4:1>) -> !fly.layout<4:1>
  return
}

// -----

func.func @coshape_cosize_c1(%a: !fly.composed_layout<S<1,2,3> o ? o (3,5):(5,1)>) {
  // expected-error@+2 {{CoshapeOp: the extent of S<1,2,3> o ? o (3,5):(5,1) cannot be known}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.coshape(%a) : (!fly.composed_layout<S<1,2,3> o ? o (3,5):(5,1)>) -> !fly.int_tuple<15>
  return
}

// -----

func.func @make_layout_layout_c3(%s: !fly.int_tuple<-4>, %d: !fly.int_tuple<1>) {
  // expected-error@+2 {{MakeLayoutOp: shape -4 has a negative extent [layout_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_layout(%s, %d) : (!fly.int_tuple<-4>, !fly.int_tuple<1>) -> !fly.layout<4:1>
  return
}
