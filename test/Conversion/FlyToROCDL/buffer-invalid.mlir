// RUN: fly-opt %s -convert-fly-to-rocdl -split-input-file -verify-diagnostics

func.func @make_of_two(%p: !fly.ptr<f32, global>, %n: i64) -> !fly.ptr<f32, #fly_rocdl.buffer_desc> {
  // expected-error@+1 {{of a buffer needs a pointer, a stride (i16), the number of records (i64) and flags (i32)}}
  %b = fly.make_ptr(%p, %n) : (!fly.ptr<f32, global>, i64) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  return %b : !fly.ptr<f32, #fly_rocdl.buffer_desc>
}

// -----

func.func @offset_too_far(%b: !fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !fly.ptr<f32, #fly_rocdl.buffer_desc> {
  %k = fly.make_int_tuple() : () -> !fly.int_tuple<2147483648>
  // expected-error@+1 {{moves a buffer pointer by 2147483648 elements, but its offset has 32 bits}}
  %p = fly.add_offset(%b, %k) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>, !fly.int_tuple<2147483648>) -> !fly.ptr<f32, #fly_rocdl.buffer_desc>
  return %p : !fly.ptr<f32, #fly_rocdl.buffer_desc>
}

// -----

func.func @recast_unaligned(%b: !fly.ptr<i8, #fly_rocdl.buffer_desc>) -> !fly.ptr<i32, #fly_rocdl.buffer_desc> {
  // DIFF: recast-buffer
  // expected-error@+1 {{the offset of the buffer pointer is not known to be a whole number of elements of 'i32'}}
  %r = fly.recast_iter(%b) : (!fly.ptr<i8, #fly_rocdl.buffer_desc>) -> !fly.ptr<i32, #fly_rocdl.buffer_desc>
  return %r : !fly.ptr<i32, #fly_rocdl.buffer_desc>
}

// -----

func.func @recast_half_aligned(%b: !fly.ptr<i8, #fly_rocdl.buffer_desc, align<4>>) -> !fly.ptr<i64, #fly_rocdl.buffer_desc> {
  // expected-error@+1 {{the offset of the buffer pointer is not known to be a whole number of elements of 'i64'}}
  %r = fly.recast_iter(%b) : (!fly.ptr<i8, #fly_rocdl.buffer_desc, align<4>>) -> !fly.ptr<i64, #fly_rocdl.buffer_desc>
  return %r : !fly.ptr<i64, #fly_rocdl.buffer_desc>
}

// -----

func.func @load_size(%b: !fly.ptr<f32, #fly_rocdl.buffer_desc>) -> vector<8xf32> {
  // expected-error@+1 {{no buffer load has the size of 'vector<8xf32>'}}
  %v = fly.ptr.load(%b) : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> vector<8xf32>
  return %v : vector<8xf32>
}

// -----

!C = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>

func.func @copy_between_buffers(%a: !C, %s: !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>) {
  // expected-error@+1 {{buffer_copy needs exactly one of source and destination in #fly_rocdl.buffer_desc}}
  fly.copy_atom_call(%a, %s, %s) : (!C, !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>, !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>) -> ()
  return
}

// -----

!C = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>

func.func @copy_to_global(%a: !C, %s: !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>, %d: !fly.memref<f32, global, 1:0>) {
  // expected-error@+1 {{buffer_copy needs its other side in registers, got '!fly.memref<f32, global, 1:0>'}}
  fly.copy_atom_call(%a, %s, %d) : (!C, !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>, !fly.memref<f32, global, 1:0>) -> ()
  return
}

// -----

!L = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<32>, 32>

func.func @lds_to_register(%a: !L, %s: !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>, %d: !fly.memref<f32, global, 1:0>) {
  // expected-error@+1 {{buffer_copy_lds needs a shared destination, got '!fly.memref<f32, global, 1:0>'}}
  fly.copy_atom_call(%a, %s, %d) : (!L, !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>, !fly.memref<f32, global, 1:0>) -> ()
  return
}

// -----

!L = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<32>, 32>

func.func @lds_swizzled(%a: !L, %s: !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>, %d: !fly.memref<f32, shared, 1:0, S<3,3,3>>) {
  // DIFF: buffer-lds
  // expected-error@+1 {{buffer_copy_lds cannot apply the swizzle S<3,3,3> of its destination}}
  fly.copy_atom_call(%a, %s, %d) : (!L, !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>, !fly.memref<f32, shared, 1:0, S<3,3,3>>) -> ()
  return
}

// -----

!A = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<or, f32>, 32>

func.func @atomic_or(%a: !A, %v: f32, %d: !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>) {
  // expected-error@+1 {{no buffer instruction does 'or' of 'f32'}}
  fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!A, f32, !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>) -> ()
  return
}

// -----

// An update of other numbers than the memory has, of the same width.
!I = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, i32>, 32>
!F = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<add, f32>, 32>
!U = !fly.copy_atom<!fly.universal_atomic<add, f32>, 32>

func.func @atomic_kind(%i: !I, %f: !F, %u: !U, %n: i32, %v: f32, %d: !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>,
                       %e: !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>, %g: !fly.memref<i32, global, 1:0>) {
  // expected-error@+1 {{the atomic update is one of 'i32', but the destination has elements of 'f32'}}
  fly.copy_atom_call_ssa(%i, %n, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!I, i32, !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>) -> ()
  // expected-error@+1 {{the atomic update is one of 'f32', but the destination has elements of 'i32'}}
  fly.copy_atom_call_ssa(%f, %v, %e) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!F, f32, !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>) -> ()
  // expected-error@+1 {{the atomic update is one of 'f32', but the destination has elements of 'i32'}}
  fly.copy_atom_call_ssa(%u, %v, %g) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!U, f32, !fly.memref<i32, global, 1:0>) -> ()
  return
}

// -----

!C = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>

func.func @unknown_field(%x: i32) -> !C {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !C
  // DIFF: atom-state
  // expected-error@+1 {{has no state field "imm_offset"; it has soffset}}
  %b = fly.atom.set_value(%a, "imm_offset", %x) : (!C, i32) -> !C
  return %b : !C
}

// -----

!C = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32>, 32>

func.func @field_type(%x: i64) -> !C {
  %a = fly.make_copy_atom {valBits = 32 : i32} : !C
  // expected-error@+1 {{state field "soffset" must be 'i32', got 'i64'}}
  %b = fly.atom.set_value(%a, "soffset", %x) : (!C, i64) -> !C
  return %b : !C
}

// -----

!M = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>

func.func @mma_bits(%m: !M, %a: vector<2xf16>, %c: vector<4xf32>) -> vector<4xf32> {
  // expected-error@+1 {{the A must have 64 bits a lane ('vector<4xf16>'), got 'vector<2xf16>'}}
  %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!M, vector<2xf16>, vector<2xf16>, vector<4xf32>) -> vector<4xf32>
  return %d : vector<4xf32>
}

// -----

!M = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>

func.func @mma_scales(%m: !M, %a: vector<4xf16>, %s: i32, %c: vector<4xf32>) -> vector<4xf32> {
  // expected-error@+1 {{this MMA atom does not support auxiliary operands}}
  %d = fly.mma_atom_call_ssa(%m, [%a, %s], %a, %c) : (!M, vector<4xf16>, i32, vector<4xf16>, vector<4xf32>) -> vector<4xf32>
  return %d : vector<4xf32>
}
