// RUN: fly-opt %s -split-input-file -verify-diagnostics

// Inputs that have no result by the definition of the operation, or that the
// interface names as errors.

// DIFF: line-recast-64-16-gaps
func.func @recast_layout_1(%a0: !fly.layout<(6,4):(8,2)>) {
  // expected-error@+2 {{RecastLayoutOp: recast of (6,4):(8,2) by 4: no mode of stride 1 makes the items of a group contiguous [recast_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 64 : i32, old_type_bits = 16 : i32} : (!fly.layout<(6,4):(8,2)>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-recast-32-16-odd
func.func @recast_layout_2(%a0: !fly.layout<(5,3):(1,?{div=6})>) {
  // expected-error@+2 {{RecastLayoutOp: recast of (5,3):(1,?{div=6}) by 2: size 5 is no multiple of 2 and leaves a rest [recast_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 32 : i32, old_type_bits = 16 : i32} : (!fly.layout<(5,3):(1,?{div=6})>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-recast-16-32-reversed
func.func @recast_layout_3(%a0: !fly.layout<(5,3):(-1,?)>) {
  // expected-error@+2 {{RecastLayoutOp: recast of (5,3):(-1,?) by 2: the items are reversed [recast_c4]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 16 : i32, old_type_bits = 32 : i32} : (!fly.layout<(5,3):(-1,?)>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-complement-overlap
func.func @complement_1(%a0: !fly.layout<((4,5,4),(?{div=4},4)):((6,6,2),(12,0))>) {
  // expected-error@+2 {{ComplementOp: complement of ((4,5,4),(?{div=4},4)):((6,6,2),(12,0)): stride 6 is no multiple of 8, where the modes below it end; indices repeat or leave gaps that no layout fills [complement_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.complement(%a0) : (!fly.layout<((4,5,4),(?{div=4},4)):((6,6,2),(12,0))>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-left-inverse-overlap
func.func @left_inverse_1(%a0: !fly.layout<((4,6,4),(4,2,5),4):((12,12,12),(3,16,6),2)>) {
  // expected-error@+2 {{LeftInverseOp: left inverse of ((4,6,4),(4,2,5),4):((12,12,12),(3,16,6),2): the coordinates 192 and 768 have the same index [left_inverse_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.left_inverse(%a0) : (!fly.layout<((4,6,4),(4,2,5),4):((12,12,12),(3,16,6),2)>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-left-inverse-run-time-stride
func.func @left_inverse_2(%a0: !fly.layout<(?{i64 div=6},4):(1,?{i64 div=6})>) {
  // expected-error@+2 {{LeftInverseOp: left inverse of (?{i64 div=6},4):(1,?{i64 div=6}): the place of the run-time stride ?{i64 div=6} among the others is not known [left_inverse_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.left_inverse(%a0) : (!fly.layout<(?{i64 div=6},4):(1,?{i64 div=6})>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-recast-16-24-gaps
func.func @recast_layout_4(%a0: !fly.layout<(2,(2,3,6),4):(0,(2,2,12),16)>) {
  // expected-error@+2 {{RecastLayoutOp: recast of (2,(2,3,6),4):(0,(2,2,12),16) by 2: no mode of stride 1 makes the items of a group contiguous [recast_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 16 : i32, old_type_bits = 24 : i32} : (!fly.layout<(2,(2,3,6),4):(0,(2,2,12),16)>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-recast-24-16-rest
func.func @recast_layout_5(%a0: !fly.layout<4:1>) {
  // expected-error@+2 {{RecastLayoutOp: recast of 4:1 by 3: size 4 is no multiple of 3 and leaves a rest [recast_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 24 : i32, old_type_bits = 16 : i32} : (!fly.layout<4:1>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-recast-32-8-basis
func.func @recast_layout_6(%a0: !fly.layout<4:1E2>) {
  // expected-error@+2 {{RecastLayoutOp: recast of 4:1E2 by 4: basis strides have no bits [recast_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 32 : i32, old_type_bits = 8 : i32} : (!fly.layout<4:1E2>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-recast-64-16-basis
func.func @recast_layout_7(%a0: !fly.layout<(5,(5,5,3)):(2E2,(1E2,4E1,1E1))>) {
  // expected-error@+2 {{RecastLayoutOp: recast of (5,(5,5,3)):(2E2,(1E2,4E1,1E1)) by 4: basis strides have no bits [recast_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 64 : i32, old_type_bits = 16 : i32} : (!fly.layout<(5,(5,5,3)):(2E2,(1E2,4E1,1E1))>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-recast-64-16-zero-strides
func.func @recast_layout_8(%a0: !fly.layout<(6,4):(0,0)>) {
  // expected-error@+2 {{RecastLayoutOp: recast of (6,4):(0,0) by 4: no mode of stride 1 makes the items of a group contiguous [recast_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.recast_layout(%a0) {new_type_bits = 64 : i32, old_type_bits = 16 : i32} : (!fly.layout<(6,4):(0,0)>) -> !fly.layout<1:0>
  return
}

// -----

func.func @get_scalar_1(%a0: !fly.int_tuple<(3,4)>) {
  // expected-error@+2 {{GetScalarOp: expected a scalar IntTuple, got '!fly.int_tuple<(3,4)>' [get_scalar_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get_scalar(%a0) : (!fly.int_tuple<(3,4)>) -> i32
  return
}

// -----

func.func @get_1(%a0: !fly.int_tuple<(3,5)>) {
  // expected-error@+2 {{GetOp: mode length 2 exceeds input depth 1 [get_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get(%a0) {mode = array<i32: 0, 0>} : (!fly.int_tuple<(3,5)>) -> !fly.int_tuple<1>
  return
}

// -----

func.func @append_1(%a0: !fly.int_tuple<3>, %a1: !fly.layout<2:15>) {
  // expected-error@+2 {{AppendOp: tuple and elem must be the same category; elem must be }}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.append (%a0, %a1) : (!fly.int_tuple<3>, !fly.layout<2:15>) -> !fly.int_tuple<1>
  return
}

// -----

func.func @get_stride_1(%a0: !fly.memref<f32, global, S<1,2,3> o 0 o (3,5):(5,1)>) {
  // expected-error@+2 {{GetStrideOp: unsupported MemRefType with ComposedLayout; only a plain layout has strides, got }}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get_stride(%a0) : (!fly.memref<f32, global, S<1,2,3> o 0 o (3,5):(5,1)>) -> !fly.int_tuple<1>
  return
}

// -----

func.func @memref_load_vec_1(%a0: !fly.memref<f16, register, (2,?):(3,1)>) {
  // expected-error@+2 {{MemRefLoadVecOp: layout size must be static and leaf int, got #fly<int_tuple?{div=2}> [memref_load_vec_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.memref.load_vec(%a0) : (!fly.memref<f16, register, (2,?):(3,1)>) -> vector<1xf16>
  return
}

// -----

// DIFF: line-get-1d-coord-interleaved
func.func @get_1d_coord_1(%a0: !fly.int_tuple<?{div=4}>, %a1: !fly.layout<(3,3,4):(2,6,6)>) {
  // expected-error@+2 {{Get1DCoordOp: index to coordinate of the run-time index ?{div=4} in (3,3,4):(2,6,6), whose modes interleave so that no division tells their coordinates apart [idx2crd_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get_1d_coord(%a0, %a1) : (!fly.int_tuple<?{div=4}>, !fly.layout<(3,3,4):(2,6,6)>) -> !fly.int_tuple<1>
  return
}

// -----

// DIFF: line-get-flat-coord-interleaved
func.func @get_flat_coord_1(%a0: !fly.int_tuple<?{div=4}>, %a1: !fly.layout<(2,5,1):(6,2,3)>) {
  // expected-error@+2 {{GetFlatCoordOp: index to coordinate of the run-time index ?{div=4} in (2,5,1):(6,2,3), whose modes interleave so that no division tells their coordinates apart [idx2crd_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get_flat_coord(%a0, %a1) : (!fly.int_tuple<?{div=4}>, !fly.layout<(2,5,1):(6,2,3)>) -> !fly.int_tuple<1>
  return
}

// -----

// DIFF: line-raked-product-overlap
func.func @raked_product_1(%a0: !fly.layout<(?{i64},(6,4,4)):(1,(0,6,1))>, %a1: !fly.layout<8:6>) {
  // expected-error@+2 {{RakedProductOp: complement of (?{i64},(6,4,4)):(1,(0,6,1)): two modes have the stride 1 [complement_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.raked_product(%a0, %a1) : (!fly.layout<(?{i64},(6,4,4)):(1,(0,6,1))>, !fly.layout<8:6>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-tiled-product-split
func.func @tiled_product_1(%a0: !fly.layout<(4,1,1):(24,0,1)>, %a1: !fly.layout<4:16>) {
  // expected-error@+2 {{TiledProductOp: composition of A = (24,3):(1,96) with B = 4:16: mode 4:16 of B runs across the end of mode 24:1 of A in the middle of its steps [composition_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.tiled_product(%a0, %a1) : (!fly.layout<(4,1,1):(24,0,1)>, !fly.layout<4:16>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: line-tiled-divide-overlap
func.func @tiled_divide_1(%a0: !fly.layout<1:1>, %a1: !fly.layout<(2,(8,5,8)):(6,(8,24,3))>) {
  // expected-error@+2 {{TiledDivideOp: complement of (2,(8,5,8)):(6,(8,24,3)): stride 6 is no multiple of 24, where the modes below it end; indices repeat or leave gaps that no layout fills [complement_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.tiled_divide(%a0, %a1) : (!fly.layout<1:1>, !fly.layout<(2,(8,5,8)):(6,(8,24,3))>) -> !fly.layout<1:0>
  return
}

// -----

// DIFF: basis-conflicts
func.func @coprofile_basis_c3(%l: !fly.layout<(3,5):(1E0E0,2E0)>) {
  // expected-error @+2 {{CoprofileOp: basis elements 2E0 and 1E0E0 do not add up: the one is a number where the other is a tuple [basis_c3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fly.coprofile(%l) : (!fly.layout<(3,5):(1E0E0,2E0)>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @coshape_basis_c3(%l: !fly.layout<(3,5):(1E0E0,2E0)>) {
  // expected-error @+2 {{CoshapeOp: basis elements 2E0 and 1E0E0 do not add up: the one is a number where the other is a tuple [basis_c3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fly.coshape(%l) : (!fly.layout<(3,5):(1E0E0,2E0)>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @cosize_basis_c3(%l: !fly.layout<(3,5):(1E0E0,2E0)>) {
  // expected-error @+2 {{CosizeOp: basis elements 2E0 and 1E0E0 do not add up: the one is a number where the other is a tuple [basis_c3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fly.cosize(%l) : (!fly.layout<(3,5):(1E0E0,2E0)>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @crd2idx_basis_c3(%l: !fly.layout<(3,5):(1E0,1E0E1)>, %c: !fly.int_tuple<(?,?)>) {
  // expected-error @+2 {{Crd2IdxOp: basis elements 1E0 and 1E0E1 do not add up: the one is a number where the other is a tuple [basis_c3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fly.crd2idx(%c, %l) : (!fly.int_tuple<(?,?)>, !fly.layout<(3,5):(1E0,1E0E1)>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @int_tuple_add_basis_c3(%a: !fly.int_tuple<((1,2),3)>, %b: !fly.int_tuple<?E0>) {
  // expected-error @+2 {{IntTupleAddOp: sum of ((1,2),3) and ?E0: (1,2) meets ?, a number where the other is a tuple [basis_c3]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = fly.int_tuple_add(%a, %b) : (!fly.int_tuple<((1,2),3)>, !fly.int_tuple<?E0>) -> !fly.int_tuple<0>
  return
}
