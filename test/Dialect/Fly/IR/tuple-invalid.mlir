// RUN: fly-opt %s -split-input-file -verify-diagnostics

// Refused inputs; each function is named after the precondition it violates.

func.func @int_tuple_add_ew_c1(%a0: !fly.int_tuple<3>, %a1: !fly.int_tuple<(1,2)>) {
  // expected-error@+2 {{IntTupleAddOp: sum of the leaf 3 and the tuple (1,2) [ew_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_add(%a0, %a1) : (!fly.int_tuple<3>, !fly.int_tuple<(1,2)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @int_tuple_sub_ew_c1(%a0: !fly.int_tuple<3>, %a1: !fly.int_tuple<(1,2)>) {
  // expected-error@+2 {{IntTupleSubOp: difference of the leaf 3 and the tuple (1,2) [ew_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_sub(%a0, %a1) : (!fly.int_tuple<3>, !fly.int_tuple<(1,2)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @int_tuple_mul_ew_c1(%a0: !fly.int_tuple<3>, %a1: !fly.int_tuple<(1,2)>) {
  // expected-error@+2 {{IntTupleMulOp: product of the leaf 3 and the tuple (1,2) [ew_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_mul(%a0, %a1) : (!fly.int_tuple<3>, !fly.int_tuple<(1,2)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @int_tuple_div_ew_c1(%a0: !fly.int_tuple<3>, %a1: !fly.int_tuple<(1,2)>) {
  // expected-error@+2 {{IntTupleDivOp: quotient of the leaf 3 and the tuple (1,2) [ew_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_div(%a0, %a1) : (!fly.int_tuple<3>, !fly.int_tuple<(1,2)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @int_tuple_mod_ew_c1(%a0: !fly.int_tuple<3>, %a1: !fly.int_tuple<(1,2)>) {
  // expected-error@+2 {{IntTupleModOp: remainder of the leaf 3 and the tuple (1,2) [ew_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_mod(%a0, %a1) : (!fly.int_tuple<3>, !fly.int_tuple<(1,2)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @int_tuple_add_basis_c1(%a0: !fly.int_tuple<3>, %a1: !fly.int_tuple<2E0>) {
  // expected-error@+2 {{IntTupleAddOp: sum of 3 and 2E0 is not defined on basis elements [basis_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_add(%a0, %a1) : (!fly.int_tuple<3>, !fly.int_tuple<2E0>) -> !fly.int_tuple<5>
  return
}

// -----

func.func @int_tuple_add_basis_c2(%a0: !fly.int_tuple<1E65535E1>, %a1: !fly.int_tuple<2E0>) {
  // expected-error@+2 {{IntTupleAddOp: basis element 1E65535E1 needs more than 65536 modes or 256 levels [basis_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_add(%a0, %a1) : (!fly.int_tuple<1E65535E1>, !fly.int_tuple<2E0>) -> !fly.int_tuple<5>
  return
}

// -----

func.func @int_tuple_sub_basis_c1(%a0: !fly.int_tuple<3E0>, %a1: !fly.int_tuple<2>) {
  // expected-error@+2 {{IntTupleSubOp: difference of 3E0 and 2 is not defined on basis elements [basis_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_sub(%a0, %a1) : (!fly.int_tuple<3E0>, !fly.int_tuple<2>) -> !fly.int_tuple<5>
  return
}

// -----

func.func @int_tuple_div_basis_c1(%a0: !fly.int_tuple<3E0>, %a1: !fly.int_tuple<2>) {
  // expected-error@+2 {{IntTupleDivOp: quotient of 3E0 and 2 is not defined on basis elements [basis_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_div(%a0, %a1) : (!fly.int_tuple<3E0>, !fly.int_tuple<2>) -> !fly.int_tuple<5>
  return
}

// -----

func.func @int_tuple_mod_basis_c1(%a0: !fly.int_tuple<3E0>, %a1: !fly.int_tuple<2>) {
  // expected-error@+2 {{IntTupleModOp: remainder of 3E0 and 2 is not defined on basis elements [basis_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_mod(%a0, %a1) : (!fly.int_tuple<3E0>, !fly.int_tuple<2>) -> !fly.int_tuple<5>
  return
}

// -----

func.func @int_tuple_mul_basis_c1(%a0: !fly.int_tuple<3E0>, %a1: !fly.int_tuple<2E0>) {
  // expected-error@+2 {{IntTupleMulOp: product of 3E0 and 2E0 is not defined on basis elements [basis_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_mul(%a0, %a1) : (!fly.int_tuple<3E0>, !fly.int_tuple<2E0>) -> !fly.int_tuple<5>
  return
}

// -----

func.func @int_tuple_add_int_overflow(%a0: !fly.int_tuple<9223372036854775807>, %a1: !fly.int_tuple<1>) {
  // expected-error@+2 {{IntTupleAddOp: 9223372036854775807 + 1 exceeds 64 bits [int_overflow]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_add(%a0, %a1) : (!fly.int_tuple<9223372036854775807>, !fly.int_tuple<1>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @int_tuple_sub_int_overflow(%a0: !fly.int_tuple<-2>, %a1: !fly.int_tuple<9223372036854775807>) {
  // expected-error@+2 {{IntTupleSubOp: -2 - 9223372036854775807 exceeds 64 bits [int_overflow]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_sub(%a0, %a1) : (!fly.int_tuple<-2>, !fly.int_tuple<9223372036854775807>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @int_tuple_mul_int_overflow(%a0: !fly.int_tuple<9223372036854775807>, %a1: !fly.int_tuple<2>) {
  // expected-error@+2 {{IntTupleMulOp: 9223372036854775807 * 2 exceeds 64 bits [int_overflow]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_mul(%a0, %a1) : (!fly.int_tuple<9223372036854775807>, !fly.int_tuple<2>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @int_tuple_div_div_c1(%a0: !fly.int_tuple<7>, %a1: !fly.int_tuple<0>) {
  // expected-error@+2 {{IntTupleDivOp: division of 7 by 0 [div_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_div(%a0, %a1) : (!fly.int_tuple<7>, !fly.int_tuple<0>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @int_tuple_mod_mod_c1(%a0: !fly.int_tuple<(7,?)>, %a1: !fly.int_tuple<(1,0)>) {
  // expected-error@+2 {{IntTupleModOp: remainder of ? by 0 [mod_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_mod(%a0, %a1) : (!fly.int_tuple<(7,?)>, !fly.int_tuple<(1,0)>) -> !fly.int_tuple<(0,0)>
  return
}

// -----

func.func @int_tuple_product_basis_c1(%a0: !fly.int_tuple<(2,3E0)>) {
  // expected-error@+2 {{IntTupleProductOp: product over the basis element 3E0 [basis_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_product(%a0) : (!fly.int_tuple<(2,3E0)>) -> !fly.int_tuple<6>
  return
}

// -----

func.func @int_tuple_product_int_overflow(%a0: !fly.int_tuple<(9223372036854775807,2)>) {
  // expected-error@+2 {{IntTupleProductOp: 9223372036854775807 * 2 exceeds 64 bits [int_overflow]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_product(%a0) : (!fly.int_tuple<(9223372036854775807,2)>) -> !fly.int_tuple<6>
  return
}

// -----

func.func @int_tuple_product_each_basis_c1(%a0: !fly.int_tuple<((2,3E0),1)>) {
  // expected-error@+2 {{IntTupleProductEachOp: product over the basis element 3E0 [basis_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_product_each(%a0) : (!fly.int_tuple<((2,3E0),1)>) -> !fly.int_tuple<6>
  return
}

// -----

func.func @int_tuple_product_like_product_like_c1(%a0: !fly.int_tuple<(2,3)>, %a1: !fly.int_tuple<(1,1,1)>) {
  // expected-error@+2 {{IntTupleProductLikeOp: (1,1,1) does not have the modes of (2,3) [product_like_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_product_like(%a0, %a1) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(1,1,1)>) -> !fly.int_tuple<6>
  return
}

// -----

func.func @shape_div_shape_div_c1(%a0: !fly.int_tuple<6>, %a1: !fly.int_tuple<4>) {
  // expected-error@+2 {{ShapeDivOp: neither of 6 and 4 divides the other [shape_div_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.shape_div(%a0, %a1) : (!fly.int_tuple<6>, !fly.int_tuple<4>) -> !fly.int_tuple<2>
  return
}

// -----

func.func @ceil_div_ceil_div_c1(%a0: !fly.int_tuple<6>, %a1: !fly.int_tuple<0>) {
  // expected-error@+2 {{CeilDivOp: division of 6 by 0 [ceil_div_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.ceil_div(%a0, %a1) : (!fly.int_tuple<6>, !fly.int_tuple<0>) -> !fly.int_tuple<2>
  return
}

// -----

func.func @shape_div_ceil_div_c1(%a0: !fly.int_tuple<?>, %a1: !fly.int_tuple<0>) {
  // expected-error@+2 {{ShapeDivOp: division of ? by 0 [ceil_div_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.shape_div(%a0, %a1) : (!fly.int_tuple<?>, !fly.int_tuple<0>) -> !fly.int_tuple<2>
  return
}

// -----

func.func @elem_less_basis_c1(%a0: !fly.int_tuple<2E0>, %a1: !fly.int_tuple<3>) {
  // expected-error@+2 {{ElemLessOp: order of 2E0 and 3 is not defined on basis elements [basis_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.elem_less(%a0, %a1) : (!fly.int_tuple<2E0>, !fly.int_tuple<3>) -> i1
  return
}

// -----

func.func @get_scalar_c1(%a0: !fly.int_tuple<(3,4)>) {
  // expected-error@+2 {{GetScalarOp: expected a scalar IntTuple, got '!fly.int_tuple<(3,4)>' [get_scalar_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get_scalar(%a0) : (!fly.int_tuple<(3,4)>) -> i32
  return
}

// -----

func.func @get_c1(%a0: !fly.int_tuple<(3,5)>) {
  // expected-error@+2 {{GetOp: mode length 2 exceeds input depth 1 [get_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get(%a0) {mode = array<i32: 0, 0>} : (!fly.int_tuple<(3,5)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @get_c2(%a0: !fly.layout<(3,5):(1,3)>) {
  // expected-error@+2 {{GetOp: no mode 2 in (3,5) [get_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get(%a0) {mode = array<i32: 2>} : (!fly.layout<(3,5):(1,3)>) -> !fly.layout<3:1>
  return
}

// -----

func.func @get_c1_base_of_coord_tensor(%a0: !fly.coord_tensor<0, (3,5):(1,3)>) {
  // expected-error@+2 {{GetOp: mode length 1 exceeds input depth 0 [get_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.get(%a0) {mode = array<i32: 1>} : (!fly.coord_tensor<0, (3,5):(1,3)>) -> !fly.coord_tensor<0, 3:1>
  return
}

// -----

func.func @take_c1(%a0: !fly.int_tuple<3>) {
  // expected-error@+2 {{TakeOp: no modes to take from 3 [take_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.take(%a0) {begin = 0 : i32, end = 1 : i32} : (!fly.int_tuple<3>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @take_c2(%a0: !fly.int_tuple<(3,5)>) {
  // expected-error@+2 {{TakeOp: modes 1 to 3 are no range of modes of (3,5) [take_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.take(%a0) {begin = 1 : i32, end = 3 : i32} : (!fly.int_tuple<(3,5)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @select_c1(%a0: !fly.int_tuple<3>) {
  // expected-error@+2 {{SelectOp: no modes to select from 3 [select_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.select(%a0) {indices = array<i32: 0>} : (!fly.int_tuple<3>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @select_c2(%a0: !fly.int_tuple<(3,5)>) {
  // expected-error@+2 {{SelectOp: no mode 2 in (3,5) [select_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.select(%a0) {indices = array<i32: 0, 2>} : (!fly.int_tuple<(3,5)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @select_c2_empty(%a0: !fly.int_tuple<(3,5)>) {
  // expected-error@+2 {{SelectOp: no mode selected from (3,5) [select_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.select(%a0) {indices = array<i32>} : (!fly.int_tuple<(3,5)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @group_c1(%a0: !fly.int_tuple<(3,5)>) {
  // expected-error@+2 {{GroupOp: modes 1 to 0 are no range of modes of (3,5) [group_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.group(%a0) {begin = 1 : i32, end = 0 : i32} : (!fly.int_tuple<(3,5)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @append_c1(%a0: !fly.int_tuple<(3,5)>, %a1: !fly.int_tuple<1>) {
  // expected-error@+2 {{AppendOp: cannot extend (3,5) to rank 1; at least its own rank and at most 65536 expected [append_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.append[1] (%a0, %a1) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<1>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @append_c2(%a0: !fly.int_tuple<3>, %a1: !fly.layout<2:15>) {
  // expected-error@+2 {{AppendOp: tuple and elem must be the same category; elem must be }}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.append (%a0, %a1) : (!fly.int_tuple<3>, !fly.layout<2:15>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @append_c2_composed(%a0: !fly.composed_layout<S<1,2,3> o 0 o 3:1>, %a1: !fly.int_tuple<2>) {
  // expected-error@+2 {{AppendOp: elem must be LayoutType when tuple is ComposedLayout, got }}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.append (%a0, %a1) : (!fly.composed_layout<S<1,2,3> o 0 o 3:1>, !fly.int_tuple<2>) -> !fly.composed_layout<S<1,2,3> o 0 o 3:1>
  return
}

// -----

func.func @prepend_c1(%a0: !fly.int_tuple<(3,5)>, %a1: !fly.int_tuple<1>) {
  // expected-error@+2 {{PrependOp: cannot extend (3,5) to rank 1; at least its own rank and at most 65536 expected [prepend_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.prepend[1] (%a0, %a1) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<1>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @prepend_c2(%a0: !fly.layout<2:15>, %a1: !fly.int_tuple<3>) {
  // expected-error@+2 {{PrependOp: tuple and elem must be the same category; elem must be }}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.prepend (%a0, %a1) : (!fly.layout<2:15>, !fly.int_tuple<3>) -> !fly.layout<3:1>
  return
}

// -----

func.func @slice_c1(%a0: !fly.int_tuple<(3,5)>, %a1: !fly.int_tuple<(*,*,*)>) {
  // expected-error@+2 {{SliceOp: coordinate (*,*,*) does not have the modes of (3,5) [slice_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.slice(%a0, %a1) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<(*,*,*)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @slice_c2(%a0: !fly.layout<(3,5):(1,3)>, %a1: !fly.int_tuple<(0,1)>) {
  // expected-error@+2 {{SliceOp: coordinate (0,1) leaves nothing of (3,5) [slice_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.slice(%a0, %a1) : (!fly.layout<(3,5):(1,3)>, !fly.int_tuple<(0,1)>) -> !fly.layout<3:1>
  return
}

// -----

func.func @dice_c1(%a0: !fly.int_tuple<(3,5)>, %a1: !fly.int_tuple<(*,*,*)>) {
  // expected-error@+2 {{DiceOp: coordinate (*,*,*) does not have the modes of (3,5) [dice_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.dice(%a0, %a1) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<(*,*,*)>) -> !fly.int_tuple<3>
  return
}

// -----

func.func @dice_c2(%a0: !fly.int_tuple<(3,5)>, %a1: !fly.int_tuple<(*,*)>) {
  // expected-error@+2 {{DiceOp: coordinate (*,*) leaves nothing of (3,5) [dice_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.dice(%a0, %a1) : (!fly.int_tuple<(3,5)>, !fly.int_tuple<(*,*)>) -> !fly.int_tuple<3>
  return
}

// -----

// DIFF: operand-counts
func.func @make_int_tuple_c1(%a0: i32) {
  // expected-error@+1 {{'fly.make_int_tuple' op expected 2 operands, one per dynamic leaf of '!fly.int_tuple<(?,?)>', got 1}}
  %r = fly.make_int_tuple(%a0) : (i32) -> !fly.int_tuple<(?,?)>
  return
}

// -----

func.func @make_int_tuple_c2(%a0: i64) {
  // expected-error@+1 {{'fly.make_int_tuple' op operand #0 must be i32 as dynamic leaf 0 of '!fly.int_tuple<?>', got 'i64'}}
  %r = fly.make_int_tuple(%a0) : (i64) -> !fly.int_tuple<?>
  return
}

// -----

func.func @make_shape_c1(%a0: i32) {
  // expected-error@+1 {{'fly.make_shape' op expected 2 operands, one per dynamic leaf of '!fly.int_tuple<(?,?)>', got 1}}
  %r = fly.make_shape(%a0) : (i32) -> !fly.int_tuple<(?,?)>
  return
}

// -----

func.func @make_shape_c2(%a0: i64) {
  // expected-error@+1 {{'fly.make_shape' op operand #0 must be i32 as dynamic leaf 0 of '!fly.int_tuple<?>', got 'i64'}}
  %r = fly.make_shape(%a0) : (i64) -> !fly.int_tuple<?>
  return
}

// -----

func.func @make_stride_c1(%a0: i32) {
  // expected-error@+1 {{'fly.make_stride' op expected 2 operands, one per dynamic leaf of '!fly.int_tuple<(?,?)>', got 1}}
  %r = fly.make_stride(%a0) : (i32) -> !fly.int_tuple<(?,?)>
  return
}

// -----

func.func @make_stride_c2(%a0: i64) {
  // expected-error@+1 {{'fly.make_stride' op operand #0 must be i32 as dynamic leaf 0 of '!fly.int_tuple<?>', got 'i64'}}
  %r = fly.make_stride(%a0) : (i64) -> !fly.int_tuple<?>
  return
}

// -----

func.func @make_coord_c1(%a0: i32) {
  // expected-error@+1 {{'fly.make_coord' op expected 2 operands, one per dynamic leaf of '!fly.int_tuple<(?,?)>', got 1}}
  %r = fly.make_coord(%a0) : (i32) -> !fly.int_tuple<(?,?)>
  return
}

// -----

func.func @make_coord_c2(%a0: i64) {
  // expected-error@+1 {{'fly.make_coord' op operand #0 must be i32 as dynamic leaf 0 of '!fly.int_tuple<?>', got 'i64'}}
  %r = fly.make_coord(%a0) : (i64) -> !fly.int_tuple<?>
  return
}

// -----

func.func @inferred_type_differs(%a0: !fly.int_tuple<(3,5)>) {
  // expected-error@+2 {{'fly.int_tuple_product' op inferred type(s) '!fly.int_tuple<15>' are incompatible with return type(s) of operation '!fly.int_tuple<16>'}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.int_tuple_product(%a0) : (!fly.int_tuple<(3,5)>) -> !fly.int_tuple<16>
  return
}

// -----

func.func @operand_of_another_kind(%a0: !fly.layout<3:1>) {
  // expected-error@+1 {{'fly.int_tuple_product' op operand #0 must be int tuple, but got '!fly.layout<3:1>'}}
  %r = fly.int_tuple_product(%a0) : (!fly.layout<3:1>) -> !fly.int_tuple<3>
  return
}
