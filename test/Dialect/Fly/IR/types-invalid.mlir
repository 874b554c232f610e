// RUN: fly-opt %s -split-input-file -verify-diagnostics

//===----------------------------------------------------------------------===//
// Leaves and tuples
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected an integer, '?', '*' or '('}}
func.func private @tuple_empty(!fly.int_tuple<()>)

// -----

// expected-error @+1 {{expected an integer, '?', '*' or '('}}
func.func private @tuple_trailing_comma(!fly.int_tuple<(1,)>)

// -----

// expected-error @+1 {{expected an integer, '?', '*' or '('}}
func.func private @tuple_word(!fly.int_tuple<(a)>)

// -----

// expected-error @+1 {{expected ')'}}
func.func private @tuple_unclosed(!fly.int_tuple<(1 2)>)

// -----

// expected-error @+1 {{integer value too large}}
func.func private @tuple_beyond_64_bits(!fly.int_tuple<9223372036854775808>)

// -----

// expected-error @+1 {{integer value too large}}
func.func private @tuple_below_64_bits(!fly.int_tuple<-9223372036854775809>)

// -----

// expected-error @+1 {{expected 'i32' or 'i64', then 'div=N', then '}' in a run-time leaf}}
func.func private @leaf_comma(!fly.int_tuple<?{i64, div=8}>)

// -----

// expected-error @+1 {{expected 'i32' or 'i64', then 'div=N', then '}' in a run-time leaf}}
func.func private @leaf_wrong_order(!fly.int_tuple<?{div=8 i64}>)

// -----

// expected-error @+1 {{expected 'i32' or 'i64', then 'div=N', then '}' in a run-time leaf}}
func.func private @leaf_width(!fly.int_tuple<?{i16}>)

// -----

// expected-error @+1 {{expected a basis suffix such as E0}}
func.func private @basis_without_suffix(!fly.basis<5>)

// -----

// expected-error @+1 {{expected no white space between a value and its basis suffix}}
func.func private @basis_space(!fly.basis<5 E0>)

// -----

// expected-error @+1 {{expected a basis suffix of the form E0E1, got 'E0x'}}
func.func private @basis_malformed(!fly.basis<5E0x>)

// -----

// DIFF: basis-range
// expected-error @+1 {{basis mode must be between 0 and 65535, got 65536}}
func.func private @basis_mode(!fly.int_tuple<(1E65536)>)

// -----

//===----------------------------------------------------------------------===//
// Layouts and swizzles
//===----------------------------------------------------------------------===//

// DIFF: layout-profile
// expected-error @+1 {{shape and stride of a layout must have the same profile, got 4:(1,2)}}
func.func private @layout_leaf_against_tuple(!fly.layout<4:(1,2)>)

// -----

// expected-error @+1 {{shape and stride of a layout must have the same profile, got (4,8):1}}
func.func private @layout_tuple_against_leaf(!fly.layout<(4,8):1>)

// -----

// expected-error @+1 {{shape and stride of a layout must have the same profile, got (4,(2,2)):(1,(2,2,2))}}
func.func private @layout_nested_profile(!fly.memref<f32, global, (4,(2,2)):(1,(2,2,2))>)

// -----

// DIFF: shape-basis
// expected-error @+1 {{shape of a layout must not have a basis element, got (4,1E0)}}
func.func private @layout_basis_shape(!fly.layout<(4,1E0):(1,4)>)

// -----

// expected-error @+1 {{expected ':'}}
func.func private @layout_without_stride(!fly.layout<(4,8)>)

// -----

// DIFF: swizzle-range
// expected-error @+1 {{swizzle S<-1,0,1> needs mask, base and shift of at least 0}}
func.func private @swizzle_negative(!fly.swizzle<S<-1,0,1>>)

// -----

// expected-error @+1 {{swizzle S<1,0,0> needs mask, base and shift of at least 0, a shift of at least 1 if mask is not 0}}
func.func private @swizzle_shift(!fly.swizzle<S<1,0,0>>)

// -----

// expected-error @+1 {{swizzle S<30,30,4> needs mask, base and shift of at least 0, a shift of at least 1 if mask is not 0, and a sum of at most 63}}
func.func private @swizzle_bits(!fly.ptr<f32, shared, S<30,30,4>>)

// -----

// expected-error @+1 {{coordinate swizzle needs mask, bases and modes of at least 0}}
func.func private @coord_swizzle_mode(!fly.coord_swizzle<CS<1,0,[-1],0,[1]>>)

// -----

// DIFF: coord-swizzle-itself
// expected-error @+1 {{two different coordinates}}
func.func private @coord_swizzle_same(!fly.coord_swizzle<CS<1,0,[1],0,[1]>>)

// -----

// expected-error @+1 {{expected a swizzle such as S<3,3,3>}}
func.func private @swizzle_keyword(!fly.swizzle<T<1,0,1>>)

// -----

// expected-error @+1 {{expected 'o' and an offset after S<3,3,3>}}
func.func private @composed_swizzle_alone(!fly.composed_layout<S<3,3,3>>)

// -----

// expected-error @+1 {{expected 'o' and an offset after 4:1}}
func.func private @composed_layout_alone(!fly.composed_layout<4:1>)

// -----

// expected-error @+1 {{expected 'o'}}
func.func private @composed_without_outer(!fly.composed_layout<S<3,3,3> o 0>)

// -----

// expected-error @+1 {{expected an integer, '?', '*' or '('}}
func.func private @composed_swizzle_outer(!fly.composed_layout<S<3,3,3> o 0 o S<3,3,3>>)

// -----

// expected-error @+1 {{expected a layout or a composed layout, got the swizzle S<1,0,1>}}
func.func private @memref_of_swizzle(!fly.memref<f32, global, S<1,0,1>>)

// -----

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

// expected-error @+1 {{expected an integer, '*', a layout or a list as tile element, got (2,3)}}
func.func private @tile_tuple(!fly.tile<[(2,3)|4]>)

// -----

// expected-error @+1 {{expected an integer, '*', a layout or a list as tile element, got 1E0}}
func.func private @tile_basis(!fly.tile<[1E0|4]>)

// -----

// expected-error @+1 {{expected an integer, '?', '*' or '('}}
func.func private @tile_empty(!fly.tile<[]>)

// -----

// expected-error @+1 {{expected ']'}}
func.func private @tile_comma(!fly.tile<[4,8]>)

// -----

//===----------------------------------------------------------------------===//
// Pointers and tensors
//===----------------------------------------------------------------------===//

// expected-error @+1 {{alignment must be a positive multiple of element byte size (4), got 6}}
func.func private @ptr_alignment(!fly.ptr<f32, global, align<6>>)

// -----

// expected-error @+1 {{alignment must be a positive multiple of element byte size (2), got 0}}
func.func private @ptr_alignment_zero(!fly.ptr<f16, global, align<0>>)

// -----

// expected-error @+1 {{alignment must be a positive multiple of element byte size (2), got -2}}
func.func private @memref_alignment_negative(!fly.memref<i9, global, 4:1, align<-2>>)

// -----

// DIFF: align-range
// expected-error @+1 {{alignment must be positive and less than 2^31, got 4294967296}}
func.func private @ptr_alignment_huge(!fly.ptr<f16, global, align<4294967296>>)

// -----

// expected-error @+1 {{expected ::fly::AddressSpace to be one of: generic, global, shared, register}}
func.func private @ptr_space_word(!fly.ptr<f32, local>)

// -----

// DIFF: builtin-space
// expected-error @+1 {{address space must be generic, global, shared, register or another dialect's attribute, got 3 : i32}}
func.func private @ptr_space_builtin(!fly.ptr<f32, 3 : i32>)

// -----

// DIFF: element-types
// expected-error @+1 {{element type must be an integer or float type, got 'vector<4xf32>'}}
func.func private @ptr_vector(!fly.ptr<vector<4xf32>, global>)

// -----

// expected-error @+1 {{element type must be an integer or float type, got 'index'}}
func.func private @memref_index(!fly.memref<index, global, 4:1>)

// -----

// expected-error @+1 {{element type must be an integer or float type, got 'index'}}
func.func private @ptr_index_aligned(!fly.ptr<index, global, align<8>>)

// -----

// expected-error @+1 {{expected 'align<N>' or a swizzle 'S<mask,base,shift>'}}
func.func private @ptr_rest(!fly.ptr<f32, global, foo>)

// -----

// expected-error @+1 {{expected '>'}}
func.func private @ptr_wrong_order(!fly.ptr<f32, global, S<1,2,3>, align<16>>)

// -----

// expected-error @+1 {{expected a swizzle 'S<mask,base,shift>'}}
func.func private @ptr_two_alignments(!fly.ptr<f32, global, align<8>, align<16>>)

// -----

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

// DIFF: atom-interface
// expected-error @+1 {{copy atom must name a copy operation, got 'f32'}}
func.func private @copy_atom_op(!fly.copy_atom<f32, 32>)

// -----

// expected-error @+1 {{copy atom must name a copy operation, got '!fly.universal_fma<1x1x1, (f32, f32) -> f32>'}}
func.func private @copy_atom_of_fma(!fly.copy_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>, 32>)

// -----

// expected-error @+1 {{width of a value of a copy atom must be at least 1 bits, got 0}}
func.func private @copy_atom_bits(!fly.copy_atom<!fly.universal_copy<64>, 0>)

// -----

// expected-error @+1 {{mma atom must name a matrix operation, got '!fly.universal_copy<64>'}}
func.func private @mma_atom_op(!fly.mma_atom<!fly.universal_copy<64>>)

// -----

// expected-error @+1 {{TiledCopyType's copy atom is not a CopyAtomType, got '!fly.universal_copy<64>'}}
func.func private @tiled_copy_atom(!fly.tiled_copy<!fly.universal_copy<64>, <(4,4):(4,1)>, <16>>)

// -----

// DIFF: tiled-copy-layout
// expected-error @+1 {{thread-value layout of a tiled copy must be static, got '!fly.layout<(?,4):(4,1)>'}}
func.func private @tiled_copy_static(!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <(?,4):(4,1)>, <16>>)

// -----

// expected-error @+1 {{thread-value layout of a tiled copy must have rank 2, got '!fly.layout<4:1>' of rank 1}}
func.func private @tiled_copy_rank(!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, <4:1>, <16>>)

// -----

// expected-error @+1 {{TiledMmaType's mma atom is not a MmaAtomType, got 'f32'}}
func.func private @tiled_mma_atom(!fly.tiled_mma<f32, <(2,3,1):(1,2,0)>>)

// -----

// DIFF: tiled-mma-layout
// expected-error @+1 {{atom layout of a tiled mma must have rank 3, got '!fly.layout<(2,3):(1,2)>' of rank 2}}
func.func private @tiled_mma_rank(!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3):(1,2)>>)

// -----

// expected-error @+1 {{permutation of a tiled mma must have at most 3 elements, got '!fly.tile<[1|2|3|4]>'}}
func.func private @tiled_mma_permutation(!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, <(2,3,1):(1,2,0)>, <[1|2|3|4]>>)

// -----

// DIFF: universal-widths
// expected-error @+1 {{universal copy must move at least one bit, got 0}}
func.func private @universal_copy_size(!fly.universal_copy<0>)

// -----

// expected-error @+1 {{expected ::fly::AtomicOp to be one of: add, max, min, and, or, inc, dec}}
func.func private @universal_atomic_op(!fly.universal_atomic<xor, i32>)

// -----

// expected-error @+1 {{value type of a universal atomic must be an integer or float type, got 'vector<2xf16>'}}
func.func private @universal_atomic_vector(!fly.universal_atomic<add, vector<2xf16>>)

// -----

// expected-error @+1 {{universal atomic 'inc' needs an integer type, got 'f32'}}
func.func private @universal_atomic_float(!fly.universal_atomic<inc, f32>)

// -----

// expected-error @+1 {{expected string}}
func.func private @universal_atomic_scope(!fly.universal_atomic<add, f32, agent>)

// -----

// expected-error @+1 {{expected 1x1x1 dimensions for universal FMA, got 2x1x1}}
func.func private @universal_fma_extent(!fly.universal_fma<2x1x1, (f32, f32) -> f32>)

// -----

// expected-error @+1 {{expected 3 dimensions in MNK dimension list}}
func.func private @universal_fma_dimensions(!fly.universal_fma<1x1, (f32, f32) -> f32>)

// -----

// expected-error @+1 {{expected all element types to be the same for universal FMA}}
func.func private @universal_fma_types(!fly.universal_fma<1x1x1, (f32, f32) -> f64>)

// -----

// expected-error @+1 {{element type of a universal FMA must be a float type, got 'i32'}}
func.func private @universal_fma_integer(!fly.universal_fma<1x1x1, (i32, i32) -> i32>)

// -----

// DIFF: shape-negative
// expected-error @+1 {{extents of a layout must not be negative, got shape (2,-4)}}
func.func private @negative_extent(!fly.layout<(2,-4):(1,2)>)

// -----

// DIFF: memref-basis
// expected-error @+1 {{layout of a memref must give integers, got 4:1E0 with basis strides}}
func.func private @memref_of_coordinates(!fly.memref<f32, global, 4:1E0>)

// -----

// expected-error @+1 {{layout of a memref must give integers}}
func.func private @memref_of_swizzled_coordinates(!fly.memref<f32, global, S<1,0,1> o 0 o 4:1E0>)

// -----

// DIFF: atom-value-width
// expected-error @+1 {{width of a value of a copy atom must divide the bits that a thread moves, got 24 bits for '!fly.universal_copy<64>'}}
func.func private @value_width(!fly.copy_atom<!fly.universal_copy<64>, 24>)

// -----

// expected-error @+1 {{expected 'i32' or 'i64', then 'div=N', then '}' in a run-time leaf, as in ?{i64 div=8}}}
func.func private @leaf_width(!fly.int_tuple<?{i16}>)

// -----

// expected-error @+1 {{expected a swizzle such as S<3,3,3>}}
func.func private @bare_swizzle(!fly.swizzle<3,3,3>)

// -----

// expected-error @+1 {{expected ',' and a layout such as 4:1 after the address space of a memref}}
func.func private @memref_without_layout(!fly.memref<f32, global>)
