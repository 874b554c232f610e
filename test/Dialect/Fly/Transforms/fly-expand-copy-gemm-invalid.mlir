// RUN: fly-opt %s -fly-expand-copy-gemm -split-input-file -verify-diagnostics

!U = !fly.copy_atom<!fly.universal_copy<32>, 32>

func.func @copy_c3_runtime_extent(%a: !U, %s: !fly.memref<f32, global, (1,?):(1,1)>, %d: !fly.memref<f32, register, (1,4):(1,1)>) {
  // expected-error @+1 {{'fly.copy' op needs equal static extents of at least 0 behind mode 0, got '!fly.memref<f32, global, (1,?):(1,1)>' and '!fly.memref<f32, register, (1,4):(1,1)>' [copy_c3]}}
  fly.copy(%a, %s, %d) : (!U, !fly.memref<f32, global, (1,?):(1,1)>, !fly.memref<f32, register, (1,4):(1,1)>) -> ()
  return
}

// -----

!U = !fly.copy_atom<!fly.universal_copy<32>, 32>

func.func @copy_c1_inner_rank_mismatch(%a: !U, %s: !fly.memref<f32, global, ((1,2),2):((1,1),2)>, %d: !fly.memref<f32, register, (2,2):(1,2)>) {
  // DIFF: refused-lowering
  // expected-error @+1 {{'fly.copy' op src/dst ranks mismatch}}
  fly.copy(%a, %s, %d) : (!U, !fly.memref<f32, global, ((1,2),2):((1,1),2)>, !fly.memref<f32, register, (2,2):(1,2)>) -> ()
  return
}

// -----

!U = !fly.copy_atom<!fly.universal_copy<32>, 32>

func.func @copy_c3_predicate_too_short(%a: !U, %s: !fly.memref<f32, global, (1,4):(1,1)>, %d: !fly.memref<f32, register, (1,4):(1,1)>, %p: !fly.memref<i1, register, 2:1>) {
  // DIFF: copy-predicate
  // expected-error @+1 {{'fly.copy' op needs 4 predicates behind mode 0, got '!fly.memref<i1, register, (1,2):(0,1)>' [copy_c3]}}
  fly.copy(%a, %s, %d, %p) : (!U, !fly.memref<f32, global, (1,4):(1,1)>, !fly.memref<f32, register, (1,4):(1,1)>, !fly.memref<i1, register, 2:1>) -> ()
  return
}

// -----

!U = !fly.copy_atom<!fly.universal_copy<32>, 32>

func.func @copy_c7_predicate_of_an_atom(%a: !U, %s: !fly.memref<f32, global, (1,4):(1,1)>, %d: !fly.memref<f32, register, (1,4):(1,1)>, %p: !fly.memref<i1, register, (2,4):(1,2)>) {
  // expected-error @+1 {{'fly.copy' op needs one predicate element for an atom, got '!fly.memref<i1, register, 2:1>' [copy_c7]}}
  fly.copy(%a, %s, %d, %p) : (!U, !fly.memref<f32, global, (1,4):(1,1)>, !fly.memref<f32, register, (1,4):(1,1)>, !fly.memref<i1, register, (2,4):(1,2)>) -> ()
  return
}

// -----

!U = !fly.copy_atom<!fly.universal_copy<32>, 32>

func.func @copy_c6_too_many_calls(%a: !U, %s: !fly.memref<f32, global, (1,100000):(1,1)>) {
  // DIFF: unroll-limit
  // expected-error @+1 {{'fly.copy' op expands into more than 65536 atom calls [copy_c6]}}
  fly.copy(%a, %s, %s) : (!U, !fly.memref<f32, global, (1,100000):(1,1)>, !fly.memref<f32, global, (1,100000):(1,1)>) -> ()
  return
}

// -----

!F = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>

func.func @gemm_c3_runtime_extent(%m: !F, %a: !fly.memref<f32, register, (1,?,1):(1,1,1)>, %b: !fly.memref<f32, register, (1,2,1):(1,1,1)>, %c: !fly.memref<f32, register, (1,2,2):(1,1,2)>) {
  // expected-error @+1 {{'fly.gemm' op needs a static extent M of at least 0, got '!fly.memref<f32, register, (1,?,1):(1,1,1)>' [gemm_c3]}}
  fly.gemm(%m, %c, %a, %b, %c) : (!F, !fly.memref<f32, register, (1,2,2):(1,1,2)>, !fly.memref<f32, register, (1,?,1):(1,1,1)>, !fly.memref<f32, register, (1,2,1):(1,1,1)>, !fly.memref<f32, register, (1,2,2):(1,1,2)>) -> ()
  return
}

// -----

!F = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>

func.func @gemm_c4_traversal_repeats_a_step(%m: !F, %a: !fly.memref<f32, register, (1,2,1):(1,1,1)>, %b: !fly.memref<f32, register, (1,2,1):(1,1,1)>, %c: !fly.memref<f32, register, (1,2,2):(1,1,2)>) {
  %t = fly.static : !fly.layout<(2,2):(1,1)>
  // expected-error @+1 {{traversal layout (2,2):(1,1) is not one to one onto 4 steps [gemm_c4]}}
  fly.gemm(%m, %c, %a, %b, %c) traversalLayout = %t : (!F, !fly.memref<f32, register, (1,2,2):(1,1,2)>, !fly.memref<f32, register, (1,2,1):(1,1,1)>, !fly.memref<f32, register, (1,2,1):(1,1,1)>, !fly.memref<f32, register, (1,2,2):(1,1,2)>, !fly.layout<(2,2):(1,1)>) -> ()
  return
}

// -----

!F = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>

func.func @gemm_c5_composed_layout(%m: !F, %a: !fly.memref<f32, register, S<1,0,1> o 0 o (1,2,1):(1,1,1)>, %b: !fly.memref<f32, register, (1,2,1):(1,1,1)>, %c: !fly.memref<f32, register, (1,2,2):(1,1,2)>) {
  // expected-error @+1 {{'fly.gemm' op needs plain layouts, got '!fly.memref<f32, register, S<1,0,1> o 0 o (1,2,1):(1,1,1)>' [gemm_c5]}}
  fly.gemm(%m, %c, %a, %b, %c) : (!F, !fly.memref<f32, register, (1,2,2):(1,1,2)>, !fly.memref<f32, register, S<1,0,1> o 0 o (1,2,1):(1,1,1)>, !fly.memref<f32, register, (1,2,1):(1,1,1)>, !fly.memref<f32, register, (1,2,2):(1,1,2)>) -> ()
  return
}

// -----

!U = !fly.copy_atom<!fly.universal_copy<128>, 16>

// The swizzle exchanges blocks of four elements, an atom has eight.
func.func @copy_c8_torn_by_inner_swizzle(%a: !U, %s: !fly.memref<f16, shared, S<1,2,2> o 16 o (8,2):(1,8)>, %d: !fly.memref<f16, register, (8,2):(1,8)>) {
  // expected-error @+1 {{'fly.copy' op the values of one atom are not known to stay in order behind the inner map of '!fly.memref<f16, shared, S<1,2,2> o 16 o 8:1>' [copy_c8]}}
  fly.copy(%a, %s, %d) : (!U, !fly.memref<f16, shared, S<1,2,2> o 16 o (8,2):(1,8)>, !fly.memref<f16, register, (8,2):(1,8)>) -> ()
  return
}

// -----

!U = !fly.copy_atom<!fly.universal_copy<128>, 16>

// A run-time offset of which only a multiple of 4 is known.
func.func @copy_c8_runtime_offset(%a: !U, %s: !fly.memref<f16, shared, S<2,3,3> o ?{div=4} o 8:1>, %d: !fly.memref<f16, register, 8:1>) {
  // expected-error @+1 {{the values of one atom are not known to stay in order behind the inner map of}}
  fly.copy(%a, %s, %d) : (!U, !fly.memref<f16, shared, S<2,3,3> o ?{div=4} o 8:1>, !fly.memref<f16, register, 8:1>) -> ()
  return
}

// -----

!U = !fly.copy_atom<!fly.universal_copy<128>, 16>

func.func @copy_c8_torn_by_pointer_swizzle(%a: !U, %s: !fly.memref<f16, shared, 8:1, align<16>, S<2,3,3>>, %d: !fly.memref<f16, register, 8:1>) {
  // expected-error @+1 {{the values of one atom are not known to lie in one block of the swizzle of '!fly.memref<f16, shared, 8:1, align<16>, S<2,3,3>>' [copy_c8]}}
  fly.copy(%a, %s, %d) : (!U, !fly.memref<f16, shared, 8:1, align<16>, S<2,3,3>>, !fly.memref<f16, register, 8:1>) -> ()
  return
}

// -----

!U = !fly.copy_atom<!fly.universal_copy<64>, 16>

func.func @copy_c9_strided_values(%a: !U, %s: !fly.memref<f16, global, 4:2>, %d: !fly.memref<f16, register, 4:1>) {
  // DIFF: copy-order
  // expected-error @+1 {{'fly.copy' op a universal copy of 64 bits moves consecutive elements, got '!fly.memref<f16, global, 4:2>', whose longest known run is 1 element [copy_c9]}}
  fly.copy(%a, %s, %d) : (!U, !fly.memref<f16, global, 4:2>, !fly.memref<f16, register, 4:1>) -> ()
  return
}

// -----

!M = !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>
!D = !fly.memref<f32, register, (1,512,512):(0,1,512)>
!A = !fly.memref<f32, register, (1,512):(0,1)>

func.func @gemm_c6_too_many_calls(%m: !M, %d: !D, %a: !A) {
  // expected-error @+1 {{'fly.gemm' op expands into more than 65536 atom calls [gemm_c6]}}
  fly.gemm(%m, %d, %a, %a, %d) : (!M, !D, !A, !A, !D) -> ()
  return
}
