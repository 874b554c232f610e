// RUN: fly-opt %s -fly-layout-lowering -split-input-file -verify-diagnostics

// Copies whose parts do not fit each other.

!U = !fly.copy_atom<!fly.universal_copy<128>, 16>

// The values of one atom lie 3 elements apart.
func.func @copy_c9_wide_atom_over_gaps(%a: !U, %s: !fly.memref<f16, global, (8,2):(3,24)>, %d: !fly.memref<f16, register, (8,2):(1,8)>) {
  // expected-error @+1 {{'fly.copy' op a universal copy of 128 bits moves consecutive elements, got '!fly.memref<f16, global, 8:3>', whose longest known run is 1 element [copy_c9]}}
  fly.copy(%a, %s, %d) : (!U, !fly.memref<f16, global, (8,2):(3,24)>, !fly.memref<f16, register, (8,2):(1,8)>) -> ()
  return
}

// -----

!U = !fly.copy_atom<!fly.universal_copy<32>, 32>

func.func @copy_c3_eight_predicates_for_four_atoms(%a: !U, %s: !fly.memref<f32, global, (1,4):(0,1)>, %d: !fly.memref<f32, global, (1,4):(0,1)>, %p: !fly.memref<i1, register, 8:1>) {
  // expected-error @+1 {{'fly.copy' op needs 4 predicates behind mode 0, got}}
  fly.copy(%a, %s, %d, %p) : (!U, !fly.memref<f32, global, (1,4):(0,1)>, !fly.memref<f32, global, (1,4):(0,1)>, !fly.memref<i1, register, 8:1>) -> ()
  return
}
