// RUN: fly-opt %s -convert-fly-to-rocdl -split-input-file -verify-diagnostics
//
// What has no exact form in LLVM is an error at its place.

func.func @register_memory_without_size(%x: f32) {
  // expected-error@+1 {{needs an integer 'allocSize' in 'dictAttrs' for register memory}}
  %p = fly.make_ptr() : () -> !fly.ptr<f32, register>
  fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, register>) -> ()
  return
}

// -----

func.func @packed_odd_offset(%p: !fly.ptr<i4, global>) -> !fly.ptr<i4, global> {
  %o = fly.make_int_tuple() : () -> !fly.int_tuple<3>
  // DIFF: packed-elements
  // expected-error@+1 {{moves by an offset that is not known to be a whole number of bytes, as elements have 4 bits}}
  %q = fly.add_offset(%p, %o) : (!fly.ptr<i4, global>, !fly.int_tuple<3>) -> !fly.ptr<i4, global>
  return %q : !fly.ptr<i4, global>
}

// -----

func.func @packed_scalar(%p: !fly.ptr<i4, global>, %x: i4) {
  // expected-error@+1 {{cannot access a single element of 4 bits, as it shares its byte with others}}
  fly.ptr.store(%x, %p) : (i4, !fly.ptr<i4, global>) -> ()
  return
}

// -----

func.func @swizzle_tears(%p: !fly.ptr<f16, shared, align<16>, S<3,3,3>>) -> vector<8xf16> {
  // DIFF: swizzle-tears
  // expected-error@+1 {{access of 16 bytes may be torn by the swizzle S<3,3,3>, which moves pieces of 2^3 bytes; the address is known to be a multiple of 16}}
  %v = fly.ptr.load(%p) : (!fly.ptr<f16, shared, align<16>, S<3,3,3>>) -> vector<8xf16>
  return %v : vector<8xf16>
}

// -----

func.func @swizzle_unaligned(%p: !fly.ptr<f16, shared, S<3,3,3>>) -> vector<4xf16> {
  // expected-error@+1 {{access of 8 bytes may be torn by the swizzle S<3,3,3>, which moves pieces of 2^3 bytes; the address is known to be a multiple of 2}}
  %v = fly.ptr.load(%p) : (!fly.ptr<f16, shared, S<3,3,3>>) -> vector<4xf16>
  return %v : vector<4xf16>
}

// -----

func.func @llvm_space(%p: !fly.ptr<f32, global>) -> !llvm.ptr<3> {
  // expected-error@+1 {{requested LLVM address space 3 but ROCDL conversion requires 1}}
  %l = fly.to_llvm_ptr(%p) {llvm_address_space = 3 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr<3>
  return %l : !llvm.ptr<3>
}

// -----

func.func @llvm_ptr_of_buffer(%p: !fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8> {
  // expected-error@+1 {{pointer address space does not lower to a bare ROCDL LLVM pointer: #fly_rocdl.buffer_desc}}
  %l = fly.to_llvm_ptr(%p) {llvm_address_space = 8 : i32} : (!fly.ptr<f32, #fly_rocdl.buffer_desc>) -> !llvm.ptr<8>
  return %l : !llvm.ptr<8>
}

// -----

!C = !fly.copy_atom<!fly.universal_copy<64>, 16>

func.func @copy_not_contiguous(%a: !C, %s: !fly.memref<f16, global, 4:2>) -> vector<4xf16> {
  // DIFF: atom-operands
  // expected-error@+1 {{the elements of the source of an atom must lie one after the other, but its layout is 4:2}}
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!C, !fly.memref<f16, global, 4:2>) -> vector<4xf16>
  return %v : vector<4xf16>
}

// -----

!C = !fly.copy_atom<!fly.universal_copy<64>, 16>

func.func @copy_of_buffer(%a: !C, %s: !fly.memref<f16, #fly_rocdl.buffer_desc, 4:1>) -> vector<4xf16> {
  // expected-error@+1 {{the source of the atom must be in memory with plain addresses, got address space #fly_rocdl.buffer_desc}}
  %v = fly.copy_atom_call_ssa(%a, %s) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!C, !fly.memref<f16, #fly_rocdl.buffer_desc, 4:1>) -> vector<4xf16>
  return %v : vector<4xf16>
}

// -----

!C = !fly.copy_atom<!fly.universal_copy<64>, 16>

func.func @no_state(%x: i32) -> !C {
  %a = fly.make_copy_atom {valBits = 16 : i32} : !C
  // expected-error@+1 {{has no state field "soffset"; it has no state}}
  %b = fly.atom.set_value(%a, "soffset", %x) : (!C, i32) -> !C
  return %b : !C
}

// -----

!C = !fly.copy_atom<!fly.universal_copy<64>, 16>

func.func @construction_arguments(%x: i32) -> !C {
  // expected-error@+1 {{this atom takes no construction arguments, got 1}}
  %a = fly.make_copy_atom(%x : i32) {valBits = 16 : i32} : !C
  return %a : !C
}

// -----

// expected-error@+1 {{has an argument of type '!fly.layout<4:?>', which has no form in LLVM; run fly-rewrite-func-signature first}}
func.func @layout_argument(%l: !fly.layout<4:?>) {
  return
}

// -----

// expected-error@+1 {{has a result of type '!fly.int_tuple<?>', which has no form in LLVM; run fly-rewrite-func-signature first}}
func.func private @declared_tuple() -> !fly.int_tuple<?>

// -----

func.func @foreign_user(%p: !fly.ptr<f32, global>, %f: (!fly.ptr<f32, global>) -> ()) {
  // expected-error@+1 {{has an operand of type '!fly.ptr<f32, global>', which has no form in LLVM}}
  func.call_indirect %f(%p) : (!fly.ptr<f32, global>) -> ()
  return
}

// -----

func.func @leftover(%m: !fly.memref<f32, global, 8:1>) -> vector<8xf32> {
  // expected-error@+1 {{failed to legalize operation 'fly.memref.load_vec' that was explicitly marked illegal; run fly-layout-lowering first}}
  %v = fly.memref.load_vec(%m) : (!fly.memref<f32, global, 8:1>) -> vector<8xf32>
  return %v : vector<8xf32>
}

// -----

// A recast keeps the swizzle, which may tear the wider items apart.
func.func @recast_tears(%p: !fly.ptr<i16, shared, align<16>, S<2,1,3>>) -> i32 {
  %q = fly.recast_iter(%p) : (!fly.ptr<i16, shared, align<16>, S<2,1,3>>) -> !fly.ptr<i32, shared, align<16>, S<2,1,3>>
  // expected-error@+1 {{access of 4 bytes may be torn by the swizzle S<2,1,3>, which moves pieces of 2^1 bytes; the address is known to be a multiple of 16}}
  %v = fly.ptr.load(%q) : (!fly.ptr<i32, shared, align<16>, S<2,1,3>>) -> i32
  return %v : i32
}

// -----

// Two elements of 12 bits from byte 3 on are not in one block of 4 bytes.
func.func @odd_elements_tear(%p: !fly.ptr<i12, shared, S<2,1,3>>) -> vector<1xi12> {
  // expected-error@+1 {{access of 2 bytes may be torn by the swizzle S<2,1,3>, which moves pieces of 2^1 bytes; the address is known to be a multiple of 1}}
  %v = fly.ptr.load(%p) : (!fly.ptr<i12, shared, S<2,1,3>>) -> vector<1xi12>
  return %v : vector<1xi12>
}

// -----

func.func @register_swizzle_late(%x: i32) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 6 : i64}} : () -> !fly.ptr<i32, register>
  %s = fly.static : !fly.swizzle<S<2,2,1>>
  // expected-error@+1 {{the swizzle S<2,2,1> may lead out of register memory that was made without it}}
  %q = fly.apply_swizzle(%p, %s) : (!fly.ptr<i32, register>, !fly.swizzle<S<2,2,1>>) -> !fly.ptr<i32, register, S<2,2,1>>
  fly.ptr.store(%x, %q) : (i32, !fly.ptr<i32, register, S<2,2,1>>) -> ()
  return
}

// -----

func.func @register_swizzle_by_recast(%x: i16) {
  %p = fly.make_ptr() {dictAttrs = {allocSize = 6 : i64}} : () -> !fly.ptr<i32, register>
  // expected-error@+1 {{the swizzle S<2,2,1> may lead out of register memory that was made without it}}
  %q = fly.recast_iter(%p) : (!fly.ptr<i32, register>) -> !fly.ptr<i16, register, S<2,2,1>>
  fly.ptr.store(%x, %q) : (i16, !fly.ptr<i16, register, S<2,2,1>>) -> ()
  return
}

// -----

func.func @register_swizzle_far(%x: i32) {
  // expected-error@+1 {{register memory cannot have the swizzle S<3,20,3>, whose blocks of 8388608 bytes are larger than 65536}}
  %p = fly.make_ptr() {dictAttrs = {allocSize = 6 : i64}} : () -> !fly.ptr<i32, register, S<3,20,3>>
  fly.ptr.store(%x, %p) : (i32, !fly.ptr<i32, register, S<3,20,3>>) -> ()
  return
}

// -----

!A = !fly.copy_atom<!fly.universal_atomic<add, i128>, 128>

func.func @atomic_width(%v: i128, %d: !fly.memref<i128, global, 1:1>) {
  %a = fly.make_copy_atom {valBits = 128 : i32} : !A
  // expected-error@+1 {{'fly.copy_atom_call_ssa' op no atomic update of 'i128' exists}}
  fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!A, i128, !fly.memref<i128, global, 1:1>) -> ()
  return
}
