// RUN: fly-opt %s -convert-fly-to-rocdl -split-input-file -verify-diagnostics
//
// Operand groups and state of matrix atoms.

!M = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>

func.func @no_scale(%m: !M, %a: vector<4xf16>, %s: i32, %c: vector<4xf32>) -> vector<4xf32> {
  // expected-error@+1 {{this MMA atom does not support auxiliary operands}}
  %d = fly.mma_atom_call_ssa(%m, [%a, %s], %a, %c) : (!M, vector<4xf16>, i32, vector<4xf16>, vector<4xf32>) -> vector<4xf32>
  return %d : vector<4xf32>
}

// -----

!S = !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E5M2, f8E5M2) -> f32, opselA = 0, opselB = 0>>

func.func @three_members(%m: !S, %a: vector<8xi32>, %s: i32, %c: vector<4xf32>) -> vector<4xf32> {
  // expected-error@+1 {{scaled MMA expects [data] or [data, scale] for each operand, got 3 members}}
  %d = fly.mma_atom_call_ssa(%m, %a, [%a, %s, %s], %c) : (!S, vector<8xi32>, vector<8xi32>, i32, i32, vector<4xf32>) -> vector<4xf32>
  return %d : vector<4xf32>
}

// -----

!S = !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E5M2, f8E5M2) -> f32, opselA = 0, opselB = 0>>

func.func @scale_bits(%m: !S, %a: vector<8xi32>, %s: i64, %c: vector<4xf32>) -> vector<4xf32> {
  // expected-error@+1 {{the scale of B must have 32 bits a lane ('i32'), got 'i64'}}
  %d = fly.mma_atom_call_ssa(%m, %a, [%a, %s], %c) : (!S, vector<8xi32>, vector<8xi32>, i64, vector<4xf32>) -> vector<4xf32>
  return %d : vector<4xf32>
}

// -----

!S = !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E5M2, f4E2M1FN) -> f32, opselA = 0, opselB = 0>>

func.func @operand_bits(%m: !S, %a: vector<8xi32>, %c: vector<4xf32>) -> vector<4xf32> {
  // expected-error@+1 {{the B must have 128 bits a lane ('vector<4xi32>'), got 'vector<8xi32>'}}
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!S, vector<8xi32>, vector<8xi32>, vector<4xf32>) -> vector<4xf32>
  return %d : vector<4xf32>
}

// -----

!S = !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E5M2, f8E5M2) -> f32, opselA = 0, opselB = 0>>

func.func @field_bits(%m: !S, %s: i8) -> !S {
  // expected-error@+1 {{the scale_a must have 32 bits a lane ('i32'), got 'i8'}}
  %n = fly.atom.set_value(%m, "scale_a", %s) : (!S, i8) -> !S
  return %n : !S
}

// -----

!S = !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E5M2, f8E5M2) -> f32, opselA = 0, opselB = 0>>

func.func @field_name(%m: !S, %s: i32) -> !S {
  // expected-error@+1 {{has no state field "soffset"; it has scale_a, scale_b [atom_set_value_c1]}}
  %n = fly.atom.set_value(%m, "soffset", %s) : (!S, i32) -> !S
  return %n : !S
}
