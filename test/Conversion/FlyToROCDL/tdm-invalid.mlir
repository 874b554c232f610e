// RUN: fly-opt %s -convert-fly-to-rocdl -split-input-file -verify-diagnostics
//
// Tiles that gfx1250.tdm cannot copy.

!A = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1>, 0>
!W = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4>, 0>
!P = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 64, 9>, 0>
!G = !fly.memref<f16, global, (128,64):(64,1)>
!S = !fly.memref<f16, shared, (128,64):(64,1)>

func.func @tdm_spaces(%a: !A, %g: !G) {
  // expected-error@+1 {{gfx1250.tdm copies between a global and a shared memref}}
  fly.copy_atom_call(%a, %g, %g) : (!A, !G, !G) -> ()
  return
}

func.func @tdm_rank(%a: !A, %g: !fly.memref<f16, global, (2,4,64):(256,64,1)>, %s: !S) {
  // expected-error@+1 {{gfx1250.tdm needs a global memref with 2 modes, got}}
  fly.copy_atom_call(%a, %g, %s) : (!A, !fly.memref<f16, global, (2,4,64):(256,64,1)>, !S) -> ()
  return
}

func.func @tdm_innermost(%a: !A, %g: !fly.memref<f16, global, (128,64):(1,128)>, %s: !S) {
  // expected-error@+1 {{gfx1250.tdm needs a global memref with a contiguous last mode (stride 1), got}}
  fly.copy_atom_call(%a, %g, %s) : (!A, !fly.memref<f16, global, (128,64):(1,128)>, !S) -> ()
  return
}

// DIFF: tdm-shared-view
func.func @tdm_transposed(%a: !A, %g: !G, %s: !fly.memref<f16, shared, (128,64):(1,128)>) {
  // expected-error@+1 {{gfx1250.tdm writes shared memory row after row of the tile (128x64); the shared operand is}}
  fly.copy_atom_call(%a, %g, %s) : (!A, !G, !fly.memref<f16, shared, (128,64):(1,128)>) -> ()
  return
}

func.func @tdm_swizzle(%a: !A, %g: !G, %s: !fly.memref<f16, shared, (128,64):(64,1), align<16>, S<3,4,3>>) {
  // expected-error@+1 {{gfx1250.tdm cannot apply the swizzle S<3,4,3> of its shared operand}}
  fly.copy_atom_call(%a, %g, %s) : (!A, !G, !fly.memref<f16, shared, (128,64):(64,1), align<16>, S<3,4,3>>) -> ()
  return
}

func.func @tdm_padding(%a: !P, %g: !G, %s: !S) {
  // expected-error@+1 {{gfx1250 TDM: padding (interval=64, amount=9 elements at 16-bit) is not encodable — the dword interval must be a power of two and the encoded fields must fit the descriptor bitfield}}
  fly.copy_atom_call(%a, %g, %s) : (!P, !G, !S) -> ()
  return
}

// DIFF: tensor-field-bits
func.func @tdm_fields(%a: !A) -> (!A, !A, !A) {
  %most = arith.constant 65535 : i32
  %b = fly.atom.set_value(%a, "workgroup_mask", %most) : (!A, i32) -> !A
  %mask = arith.constant 65539 : i32
  // expected-error@+1 {{state field "workgroup_mask" is 65539, expected 0 to 65535: the descriptor has 16 bits for it}}
  %c = fly.atom.set_value(%a, "workgroup_mask", %mask) : (!A, i32) -> !A
  %stride = arith.constant -64 : i64
  // expected-error@+1 {{state field "stride_0" is -64, expected 0 to 281474976710655: the descriptor has 48 bits for it}}
  %d = fly.atom.set_value(%a, "stride_0", %stride) : (!A, i64) -> !A
  return %b, %c, %d : !A, !A, !A
}

// DIFF: tdm-uneven-waves
func.func @tdm_uneven(%a: !W, %g: !fly.memref<f16, global, (6,64):(64,1)>, %s: !fly.memref<f16, shared, (6,64):(64,1)>) {
  // expected-error@+1 {{4 waves cut mode 0 of the tile, of extent 6, into 4 unequal parts; a wave would copy what is not the tile's}}
  fly.copy_atom_call(%a, %g, %s) : (!W, !fly.memref<f16, global, (6,64):(64,1)>, !fly.memref<f16, shared, (6,64):(64,1)>) -> ()
  return
}

// -----

!A = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1>, 0>

// DIFF: tdm-run-time-stride
func.func @tdm_stride(%g: !fly.memref<f16, global, (128,64):(?,1)>, %s: !fly.memref<f16, shared, (128,64):(64,1)>) {
  %a = fly.make_copy_atom {valBits = 0 : i32} : !A
  // expected-error@+1 {{is known at run time only; set the state field "stride_0"}}
  fly.copy_atom_call(%a, %g, %s) : (!A, !fly.memref<f16, global, (128,64):(?,1)>, !fly.memref<f16, shared, (128,64):(64,1)>) -> ()
  return
}

// -----

!P = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1, pad = 64, 8>, 0>

// A store walks shared memory without gaps.
func.func @tdm_padded_store(%a: !P, %g: !fly.memref<f16, global, (128,64):(64,1)>, %s: !fly.memref<f16, shared, (128,64):(72,1)>) {
  // expected-error@+1 {{gfx1250.tdm writes shared memory row after row of the tile (128x64); the shared operand is}}
  fly.copy_atom_call(%a, %s, %g) : (!P, !fly.memref<f16, shared, (128,64):(72,1)>, !fly.memref<f16, global, (128,64):(64,1)>) -> ()
  return
}

// -----

!A = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1>, 0>
!S = !fly.memref<f16, shared, (128,64):(64,1)>

// DIFF: tdm-strides
func.func @tdm_stride_backwards(%a: !A, %g: !fly.memref<f16, global, (128,64):(-64,1)>, %s: !S) {
  // expected-error@+1 {{gfx1250.tdm needs a global memref with strides in [0, 2^48), got}}
  fly.copy_atom_call(%a, %g, %s) : (!A, !fly.memref<f16, global, (128,64):(-64,1)>, !S) -> ()
  return
}

func.func @tdm_stride_too_far(%a: !A, %g: !fly.memref<f16, global, (128,64):(281474976710656,1)>, %s: !S) {
  // expected-error@+1 {{gfx1250.tdm needs a global memref with strides in [0, 2^48), got}}
  fly.copy_atom_call(%a, %g, %s) : (!A, !fly.memref<f16, global, (128,64):(281474976710656,1)>, !S) -> ()
  return
}

func.func @tdm_tile_of_16_bits(%a: !A, %g: !fly.memref<f16, global, (1,65536):(65536,1)>, %s: !fly.memref<f16, shared, (1,65536):(65536,1)>, %h: !fly.memref<f16, global, (1,65535):(65535,1)>, %t: !fly.memref<f16, shared, (1,65535):(65535,1)>) {
  fly.copy_atom_call(%a, %h, %t) : (!A, !fly.memref<f16, global, (1,65535):(65535,1)>, !fly.memref<f16, shared, (1,65535):(65535,1)>) -> ()
  // expected-error@+1 {{a wave's part of mode 1 has 65536 elements, more than the 65535 of a descriptor}}
  fly.copy_atom_call(%a, %g, %s) : (!A, !fly.memref<f16, global, (1,65536):(65536,1)>, !fly.memref<f16, shared, (1,65536):(65536,1)>) -> ()
  return
}

// -----

!I = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 1, warps = 1, pad = 1024, 2>, 0>
!J = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 1, warps = 1, pad = 64, 258>, 0>
!G = !fly.memref<f16, global, 1024:1>
!S = !fly.memref<f16, shared, 1024:1>

func.func @tdm_padding_fields(%a: !I, %b: !J, %g: !G, %s: !S) {
  // expected-error@+1 {{gfx1250 TDM: padding (interval=1024, amount=2 elements at 16-bit) is not encodable}}
  fly.copy_atom_call(%a, %g, %s) : (!I, !G, !S) -> ()
  // expected-error@+1 {{gfx1250 TDM: padding (interval=64, amount=258 elements at 16-bit) is not encodable}}
  fly.copy_atom_call(%b, %g, %s) : (!J, !G, !S) -> ()
  return
}
