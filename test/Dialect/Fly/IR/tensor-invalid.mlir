// RUN: fly-opt %s -split-input-file -verify-diagnostics

// Refused inputs; each function is named after the precondition it violates.

func.func @make_fragment_like_c1(%a0: !fly.memref<f32, global, (3,?):(1,3)>) {
  // expected-error@+2 {{MakeFragmentLikeOp: expected static shape layout, got '!fly.memref<f32, global, (3,?):(1,3)>' [make_fragment_like_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_fragment_like(%a0) : (!fly.memref<f32, global, (3,?):(1,3)>) -> !fly.memref<f32, register, (3,5):(1,3)>
  return
}

// -----

func.func @make_fragment_like_c2(%a0: !fly.layout<(3,5):(1,3)>) {
  // expected-error@+2 {{MakeFragmentLikeOp: dtype is required when input is not MemRefType}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_fragment_like(%a0) : (!fly.layout<(3,5):(1,3)>) -> !fly.memref<f32, register, (3,5):(1,3)>
  return
}

// -----

func.func @make_fragment_like_c3(%a0: !fly.layout<3:1>) {
  // expected-error@+2 {{MakeFragmentLikeOp: dtype must be an integer or float type, got 'index' [make_fragment_like_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_fragment_like(%a0, index) : (!fly.layout<3:1>) -> !fly.memref<f32, register, 3:1>
  return
}

// -----

func.func @decomposition_element_offset_c1(%a0: !fly.memref<f32, global, CS<1,0,[0],0,[1]> o (0,1) o (3,5):(1E0,1E1)>) {
  // expected-error@+2 {{DecompositionOp: offset must be an integer, got (0,1) [element_offset_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.decomposition(%a0) : (!fly.memref<f32, global, CS<1,0,[0],0,[1]> o (0,1) o (3,5):(1E0,1E1)>) -> !fly.memref<f32, global, 3:1>
  return
}

// -----

func.func @add_offset_c1(%a0: !fly.ptr<f32, global>, %a1: !fly.int_tuple<(1,2)>) {
  // expected-error@+2 {{AddOffsetOp: offset must be a scalar (leaf int) IntTuple, got '!fly.int_tuple<(1,2)>' [add_offset_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.add_offset(%a0, %a1) : (!fly.ptr<f32, global>, !fly.int_tuple<(1,2)>) -> !fly.ptr<f32, global>
  return
}

// -----

func.func @add_offset_basis_c1(%a0: !fly.int_tuple<1>, %a1: !fly.int_tuple<2E1>) {
  // expected-error@+2 {{AddOffsetOp: sum of 1 and 2E1 is not defined on basis elements [basis_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.add_offset(%a0, %a1) : (!fly.int_tuple<1>, !fly.int_tuple<2E1>) -> !fly.int_tuple<0>
  return
}

// -----

func.func @ptrtoint_c1(%a0: !fly.ptr<f32, register>) {
  // expected-error@+2 {{PtrToIntOp: expected Shared or Global address space, got #fly<address_space register> [ptrtoint_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.ptrtoint(%a0) : (!fly.ptr<f32, register>) -> i64
  return
}

// -----

func.func @to_llvm_ptr_c1(%a0: !fly.ptr<f32, global>) {
  // expected-error@+2 {{ToLLVMPtrOp: llvm_address_space must be non-negative, got -1 [to_llvm_ptr_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.to_llvm_ptr(%a0) {llvm_address_space = -1 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr
  return
}

// -----

func.func @recast_iter_c1(%a0: !fly.ptr<f32, global>) {
  // expected-error@+1 {{'fly.recast_iter' op address spaces differ: '!fly.ptr<f32, global>' and '!fly.ptr<i32, shared>'}}
  %r = fly.recast_iter(%a0) : (!fly.ptr<f32, global>) -> !fly.ptr<i32, shared>
  return
}

// -----

func.func @make_ptr_c1() {
  // expected-error@+1 {{'fly.make_ptr' op 'allocSize' must be an i64 integer, got 4 : i32}}
  %r = fly.make_ptr() {dictAttrs = {allocSize = 4 : i32}} : () -> !fly.ptr<f32, register>
  return
}

// -----

func.func @make_ptr_c2() {
  // expected-error@+1 {{'fly.make_ptr' op 'allocSize' must not be negative, got -4}}
  %r = fly.make_ptr() {dictAttrs = {allocSize = -4 : i64}} : () -> !fly.ptr<f32, register>
  return
}

// -----

func.func @make_ptr_c2_align() {
  // expected-error@+1 {{'fly.make_ptr' op 'allocAlign' must be a positive power of two, got 12}}
  %r = fly.make_ptr() {dictAttrs = {allocAlign = 12 : i64, allocBytes = 4 : i64}} : () -> !fly.ptr<i8, shared>
  return
}

// -----

func.func @ptr_load_c1(%a0: !fly.ptr<f32, global>) {
  // expected-error@+1 {{'fly.ptr.load' op result must be an element or vector of elements of '!fly.ptr<f32, global>', got 'vector<2xf16>'}}
  %r = fly.ptr.load(%a0) : (!fly.ptr<f32, global>) -> vector<2xf16>
  return
}

// -----

func.func @ptr_load_c1_int_tuple(%a0: !fly.int_tuple<(3,4)>) {
  // expected-error@+1 {{'fly.ptr.load' op result must be the int tuple '!fly.int_tuple<(3,4)>', got '!fly.int_tuple<(3,5)>'}}
  %r = fly.ptr.load(%a0) : (!fly.int_tuple<(3,4)>) -> !fly.int_tuple<(3,5)>
  return
}

// -----

func.func @ptr_store_c1(%a0: i16, %a1: !fly.ptr<f32, global>) {
  // expected-error@+1 {{'fly.ptr.store' op value must be an element or vector of elements of '!fly.ptr<f32, global>', got 'i16'}}
  fly.ptr.store(%a0, %a1) : (i16, !fly.ptr<f32, global>) -> ()
  return
}

// -----

func.func @memref_alloca_c1(%a0: !fly.layout<(2,3):(1,2)>) {
  // expected-error@+1 {{'fly.memref.alloca' op result of layout '!fly.memref<f32, register, (2,3):(3,1)>' differs from the operand '!fly.layout<(2,3):(1,2)>'}}
  %r = fly.memref.alloca(%a0) : (!fly.layout<(2,3):(1,2)>) -> !fly.memref<f32, register, (2,3):(3,1)>
  return
}

// -----

func.func @memref_load_crd2idx_c1(%a0: !fly.memref<f32, global, (3,5):(1,3)>, %a1: !fly.int_tuple<(1,2,3)>) {
  // expected-error@+2 {{MemRefLoadOp: coordinate (1,2,3) has rank 3, shape (3,5) has rank 2 [crd2idx_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.memref.load(%a0, %a1) : (!fly.memref<f32, global, (3,5):(1,3)>, !fly.int_tuple<(1,2,3)>) -> f32
  return
}

// -----

func.func @memref_load_element_offset_c1(%a0: !fly.memref<f32, global, CS<1,0,[0],1,[1]> o (0,0) o (3,5):(1E0,1E1)>, %a1: !fly.int_tuple<(1,2)>) {
  // expected-error@+2 {{MemRefLoadOp: offset must be an integer, got (1,0) [element_offset_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.memref.load(%a0, %a1) : (!fly.memref<f32, global, CS<1,0,[0],1,[1]> o (0,0) o (3,5):(1E0,1E1)>, !fly.int_tuple<(1,2)>) -> f32
  return
}

// -----

func.func @memref_store_c1(%a0: i32, %a1: !fly.memref<f32, global, (3,5):(1,3)>, %a2: !fly.int_tuple<(1,2)>) {
  // expected-error@+1 {{'fly.memref.store' op value of type 'i32' does not match the elements of '!fly.memref<f32, global, (3,5):(1,3)>'}}
  fly.memref.store(%a0, %a1, %a2) : (i32, !fly.memref<f32, global, (3,5):(1,3)>, !fly.int_tuple<(1,2)>) -> ()
  return
}

// -----

func.func @memref_store_c2_crd2idx_c1(%a0: f32, %a1: !fly.memref<f32, global, (3,5):(1,3)>, %a2: !fly.int_tuple<(1,2,3)>) {
  // expected-error@+1 {{'fly.memref.store' op coordinate (1,2,3) has rank 3, shape (3,5) has rank 2 [crd2idx_c1]}}
  fly.memref.store(%a0, %a1, %a2) : (f32, !fly.memref<f32, global, (3,5):(1,3)>, !fly.int_tuple<(1,2,3)>) -> ()
  return
}

// -----

func.func @memref_load_vec_c1(%a0: !fly.memref<f16, register, (2,?):(3,1)>) {
  // expected-error@+2 {{MemRefLoadVecOp: layout size must be static and leaf int, got #fly<int_tuple?{div=2}> [memref_load_vec_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.memref.load_vec(%a0) : (!fly.memref<f16, register, (2,?):(3,1)>) -> vector<2xf16>
  return
}

// -----

func.func @memref_load_vec_c2(%a0: !fly.memref<f16, register, S<1,2,3> o 0 o 8:1>) {
  // expected-error@+2 {{MemRefLoadVecOp: MemRefType with ComposedLayout is not supported [memref_load_vec_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.memref.load_vec(%a0) : (!fly.memref<f16, register, S<1,2,3> o 0 o 8:1>) -> vector<2xf16>
  return
}

// -----

func.func @memref_load_vec_c2_coord_tensor(%a0: !fly.coord_tensor<0, S<1,2,3> o 0 o 8:1>) {
  // expected-error@+2 {{MemRefLoadVecOp: CoordTensorTy with ComposedLayout is not supported [memref_load_vec_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.memref.load_vec(%a0) : (!fly.coord_tensor<0, S<1,2,3> o 0 o 8:1>) -> vector<8xi32>
  return
}

// -----

func.func @memref_load_vec_c3(%a0: !fly.coord_tensor<(0,1), 8:1>) {
  // expected-error@+2 {{MemRefLoadVecOp: CoordTensor base must be a leaf int, got #fly<int_tuple(0,1)> [memref_load_vec_c3]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.memref.load_vec(%a0) : (!fly.coord_tensor<(0,1), 8:1>) -> vector<8xi32>
  return
}

// -----

func.func @memref_store_vec_c1(%a0: vector<4xi32>, %a1: !fly.memref<f32, register, 4:1>) {
  // expected-error@+1 {{'fly.memref.store_vec' op vector 'vector<4xi32>' must have one dimension and the elements of '!fly.memref<f32, register, 4:1>'}}
  fly.memref.store_vec(%a0, %a1) : (vector<4xi32>, !fly.memref<f32, register, 4:1>) -> ()
  return
}

// -----

func.func @memref_store_vec_c2(%a0: vector<4xf32>, %a1: !fly.memref<f32, register, 5:1>) {
  // expected-error@+1 {{'fly.memref.store_vec' op vector 'vector<4xf32>' needs a plain layout of static size 4, got '!fly.memref<f32, register, 5:1>'}}
  fly.memref.store_vec(%a0, %a1) : (vector<4xf32>, !fly.memref<f32, register, 5:1>) -> ()
  return
}

// -----

func.func @static_c1() {
  // expected-error@+1 {{'fly.static' op type must be static, got '!fly.int_tuple<(?,1)>'}}
  %r = fly.static : !fly.int_tuple<(?,1)>
  return
}

// -----

func.func @static_c1_pointer() {
  // expected-error@+1 {{'fly.static' op type must be static, got '!fly.ptr<f32, global>'}}
  %r = fly.static : !fly.ptr<f32, global>
  return
}

// -----

func.func @make_view_make_view_c1(%p: !fly.ptr<f32, global>, %l: !fly.layout<4:1E0>) {
  // expected-error@+2 {{MakeViewOp: expected integer strides for a view of memory, got '!fly.layout<4:1E0>' [make_view_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %v = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<4:1E0>) -> !fly.memref<f32, global, 4:1>
  return
}
