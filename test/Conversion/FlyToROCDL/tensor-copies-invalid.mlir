// RUN: fly-opt %s -convert-fly-to-rocdl -split-input-file -verify-diagnostics
//
// Copies driven by coordinates that no descriptor makes.

!L = !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [8, 32], elem = f16, tensor2tdm = (1E0,1E1)>, 16>
!C = !fly.coord_tensor<(0,0), (8,32):(1E1,1E0)>
!S = !fly.memref<f16, shared, (8,32):(32,1)>

func.func @arguments(%p: !fly.ptr<f16, global>) -> !L {
  // expected-error@+1 {{cdna5 TDM: expected 4 construction arguments (base + 1 strides + 2 extents), got 1}}
  %a = fly.make_copy_atom(%p : !fly.ptr<f16, global>) {valBits = 16 : i32} : !L
  return %a : !L
}

func.func @base(%p: i64, %s: i64, %e: i32) -> !L {
  // expected-error@+1 {{cdna5 TDM: the base must be a pointer, got 'i64'}}
  %a = fly.make_copy_atom(%p, %s, %e, %e : i64, i64, i32, i32) {valBits = 16 : i32} : !L
  return %a : !L
}

func.func @stride(%p: !fly.ptr<f16, global>, %e: i32) -> !L {
  // expected-error@+1 {{cdna5 TDM: stride_0 must be i64, got 'i32'}}
  %a = fly.make_copy_atom(%p, %e, %e, %e : !fly.ptr<f16, global>, i32, i32, i32) {valBits = 16 : i32} : !L
  return %a : !L
}

func.func @extent(%p: !fly.ptr<f16, global>, %s: i64, %e: i32) -> !L {
  // expected-error@+1 {{cdna5 TDM: extent_1 must be i32, got 'i64'}}
  %a = fly.make_copy_atom(%p, %s, %e, %s : !fly.ptr<f16, global>, i64, i32, i64) {valBits = 16 : i32} : !L
  return %a : !L
}

func.func @fields(%a: !L, %x: i64, %t: !fly.int_tuple<(1,1)>, %u: !fly.int_tuple<1>, %p: !fly.ptr<i64, shared>) -> (!L, !L, !L, !L) {
  // expected-error@+1 {{cdna5 TDM: "boundary_check" is written in the global tensor's modes and has to be translated by `fly-rocdl-expand-ops` into "boundary_check_axes" before it can be lowered}}
  %b = fly.atom.set_value(%a, "boundary_check", %t) : (!L, !fly.int_tuple<(1,1)>) -> !L
  // expected-error@+1 {{cdna5 TDM: "boundary_check_axes" is 1, expected the flat 2-leaf tuple}}
  %c = fly.atom.set_value(%a, "boundary_check_axes", %u) : (!L, !fly.int_tuple<1>) -> !L
  // expected-error@+1 {{state field "workgroup_mask" must be i32, got 'i64' [atom_set_value_c1]}}
  %d = fly.atom.set_value(%a, "workgroup_mask", %x) : (!L, i64) -> !L
  // expected-error@+1 {{has no state field "atomic_barrier_addr"; it has workgroup_mask, early_timeout, boundary_check, boundary_check_axes [atom_set_value_c1]}}
  %e = fly.atom.set_value(%a, "atomic_barrier_addr", %p) : (!L, !fly.ptr<i64, shared>) -> !L
  return %b, %c, %d, %e : !L, !L, !L, !L
}

// DIFF: tensor-field-bits
func.func @field_bits(%a: !L) -> (!L, !L, !L) {
  %one = arith.constant 1 : i32
  %b = fly.atom.set_value(%a, "early_timeout", %one) : (!L, i32) -> !L
  %two = arith.constant 2 : i32
  // expected-error@+1 {{state field "early_timeout" is 2, expected 0 to 1: the descriptor has 1 bit for it}}
  %c = fly.atom.set_value(%a, "early_timeout", %two) : (!L, i32) -> !L
  %mask = arith.constant -1 : i32
  // expected-error@+1 {{state field "workgroup_mask" is -1, expected 0 to 65535: the descriptor has 16 bits for it}}
  %d = fly.atom.set_value(%a, "workgroup_mask", %mask) : (!L, i32) -> !L
  return %b, %c, %d : !L, !L, !L
}

// -----

!L = !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [8, 32], elem = f16, tensor2tdm = (1E0,1E1)>, 16>
!C = !fly.coord_tensor<(0,0), (8,32):(1E1,1E0)>
!S = !fly.memref<f16, shared, (8,32):(32,1)>

func.func @direction(%a: !L, %s: !S) {
  %ct = fly.static : !C
  // expected-error@+1 {{cdna5 TDM: tensor_load needs a coord-tensor source and a shared destination, got}}
  fly.copy_atom_call(%a, %s, %ct) : (!L, !S, !C) -> ()
  return
}

func.func @rank(%a: !L, %s: !S) {
  %ct = fly.static : !fly.coord_tensor<(0,0,0), (8,32):(1E1,1E0)>
  // expected-error@+1 {{cdna5 TDM: the coordinate has 3 leaves but the atom's tile is rank 2}}
  fly.copy_atom_call(%a, %ct, %s) : (!L, !fly.coord_tensor<(0,0,0), (8,32):(1E1,1E0)>, !S) -> ()
  return
}

func.func @coordinate_width(%a: !L, %s: !S, %i: i64) {
  %base = fly.make_int_tuple(%i) : (i64) -> !fly.int_tuple<(?{i64},0)>
  %l = fly.static : !fly.layout<(8,32):(1E1,1E0)>
  %ct = fly.make_view(%base, %l) : (!fly.int_tuple<(?{i64},0)>, !fly.layout<(8,32):(1E1,1E0)>) -> !fly.coord_tensor<(?{i64},0), (8,32):(1E1,1E0)>
  // expected-error@+1 {{cdna5 TDM: coordinate leaf 0 must be i32 (a tile index in elements), got 'i64'}}
  fly.copy_atom_call(%a, %ct, %s) : (!L, !fly.coord_tensor<(?{i64},0), (8,32):(1E1,1E0)>, !S) -> ()
  return
}

// DIFF: tensor-shared-view
func.func @view_order(%a: !L, %s: !fly.memref<f16, shared, (8,32):(1,8)>) {
  %ct = fly.static : !C
  // expected-error@+1 {{cdna5 TDM: the LDS view does not have the order in which the descriptor walks LDS: value 1 is at element 1 of}}
  fly.copy_atom_call(%a, %ct, %s) : (!L, !C, !fly.memref<f16, shared, (8,32):(1,8)>) -> ()
  return
}

func.func @view_swizzle(%a: !L, %s: !fly.memref<f16, shared, (8,32):(32,1), align<16>, S<2,4,3>>) {
  %ct = fly.static : !C
  // expected-error@+1 {{cdna5 TDM: the swizzle S<2,4,3> of the LDS view cannot be applied}}
  fly.copy_atom_call(%a, %ct, %s) : (!L, !C, !fly.memref<f16, shared, (8,32):(32,1), align<16>, S<2,4,3>>) -> ()
  return
}

func.func @other_box(%a: !L, %s: !fly.memref<f16, shared, (4,64):(64,1)>) {
  %ct = fly.static : !fly.coord_tensor<(0,0), (4,64):(1E1,1E0)>
  // expected-error@+1 {{the LDS view does not have the order in which the descriptor walks LDS: value 1 is at element 64 of}}
  fly.copy_atom_call(%a, %ct, %s) : (!L, !fly.coord_tensor<(0,0), (4,64):(1E1,1E0)>, !fly.memref<f16, shared, (4,64):(64,1)>) -> ()
  return
}

// -----

!L = !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [8, 32], elem = f16, tensor2tdm = (1E0,1E1), padInterval = 32, padAmount = 8>, 16>

func.func @footprint(%a: !L, %s: !fly.memref<f16, shared, (8,32):(32,1)>) {
  %ct = fly.static : !fly.coord_tensor<(0,0), (8,32):(1E1,1E0)>
  // expected-error@+1 {{cdna5 TDM: LDS view holds 4096 bits, less than the descriptor footprint of 4992}}
  fly.copy_atom_call(%a, %ct, %s) : (!L, !fly.coord_tensor<(0,0), (8,32):(1E1,1E0)>, !fly.memref<f16, shared, (8,32):(32,1)>) -> ()
  return
}
