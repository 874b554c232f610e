// RUN: fly-opt %s -split-input-file -verify-diagnostics

// Refused inputs; each function is named after the precondition it violates.

func.func @make_copy_atom_c1() {
  // expected-error@+1 {{'fly.make_copy_atom' op value width 32 differs from the result type's 16}}
  %r = fly.make_copy_atom {valBits = 32 : i32} : !fly.copy_atom<!fly.universal_copy<64>, 16>
  return
}

// -----

func.func @make_tiled_copy_c1(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.layout<((4,3),?):((4,16),1)>, %a2: !fly.tile<[16|3]>) {
  // expected-error@+2 {{MakeTiledCopyOp: LayoutType is not static, got '!fly.layout<((4,3),?):((4,16),1)>' [make_tiled_copy_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_tiled_copy(%a0, %a1, %a2) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),?):((4,16),1)>, !fly.tile<[16|3]>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>
  return
}

// -----

func.func @make_tiled_copy_c2(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.layout<12:1>, %a2: !fly.tile<[16|3]>) {
  // expected-error@+2 {{MakeTiledCopyOp: thread-value layout of a tiled copy must have rank 2, got '!fly.layout<12:1>' of rank 1}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_tiled_copy(%a0, %a1, %a2) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<12:1>, !fly.tile<[16|3]>) -> !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>
  return
}

// -----

func.func @make_tiled_mma_c1(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: !fly.layout<(2,?,1):(1,2,0)>) {
  // expected-error@+2 {{MakeTiledMmaOp: LayoutType is not static, got '!fly.layout<(2,?,1):(1,2,0)>' [make_tiled_mma_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_tiled_mma(%a0, %a1) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,?,1):(1,2,0)>) -> !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>
  return
}

// -----

func.func @make_tiled_mma_c2(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: !fly.layout<(2,3):(1,2)>) {
  // expected-error@+2 {{MakeTiledMmaOp: atom layout of a tiled mma must have rank 3, got '!fly.layout<(2,3):(1,2)>' of rank 2}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.make_tiled_mma(%a0, %a1) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3):(1,2)>) -> !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>
  return
}

// -----

func.func @tiled_copy_partition_src_crd2idx_c1(%a0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, %a1: !fly.memref<f16, global, (32,6):(6,1), align<8>>, %a2: !fly.int_tuple<(1,2,3)>) {
  // expected-error@+2 {{TiledCopyPartitionSrcOp: coordinate (1,2,3) has rank 3, shape (4,3) has rank 2 [crd2idx_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.tiled_copy.partition_src(%a0, %a1, %a2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.memref<f16, global, (32,6):(6,1), align<8>>, !fly.int_tuple<(1,2,3)>) -> !fly.memref<f16, global, 1:0>
  return
}

// -----

func.func @tiled_copy_partition_dst_divide_c2(%a0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, %a1: !fly.memref<f16, global, 32:6, align<8>>, %a2: !fly.int_tuple<?>) {
  // expected-error@+2 {{TiledCopyPartitionDstOp: tile [16|3] has more elements than 32:6 has modes [divide_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.tiled_copy.partition_dst(%a0, %a1, %a2) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.memref<f16, global, 32:6, align<8>>, !fly.int_tuple<?>) -> !fly.memref<f16, global, 1:0>
  return
}

// -----

func.func @tiled_copy_retile_c1(%a0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, %a1: !fly.memref<f16, register, S<1,2,3> o 0 o (8,1,2):(1,0,8)>) {
  // expected-error@+2 {{TiledCopyRetileOp: MemRefType with ComposedLayout is not supported [tiled_copy_retile_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.tiled_copy.retile(%a0, %a1) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.memref<f16, register, S<1,2,3> o 0 o (8,1,2):(1,0,8)>) -> !fly.memref<f16, register, 1:0>
  return
}

// -----

func.func @tiled_copy_retile_tiled_copy_c2(%a0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, %a1: !fly.memref<f16, register, 8:1>) {
  // expected-error@+2 {{TiledCopyRetileOp: retile of 8:1, which has no modes [tiled_copy_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.tiled_copy.retile(%a0, %a1) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|3]>>, !fly.memref<f16, register, 8:1>) -> !fly.memref<f16, register, 1:0>
  return
}

// -----

func.func @tiled_mma_partition_tiled_mma_c1(%a0: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, %a1: !fly.memref<f32, shared, 6:1>, %a2: !fly.int_tuple<?>) {
  // expected-error@+2 {{TiledMmaPartitionOp: tiled mma over 6:1, which has fewer than two modes [tiled_mma_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.tiled_mma.partition(a, %a0, %a1, %a2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, 6:1>, !fly.int_tuple<?>) -> !fly.memref<f32, shared, 1:0>
  return
}

// -----

func.func @tiled_mma_partition_tiled_mma_c2(%a0: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, %a1: !fly.memref<f32, shared, (7,4):(4,1)>, %a2: !fly.int_tuple<?>) {
  // expected-error@+2 {{TiledMmaPartitionOp: mode 0 of (7,4):(4,1) has 7 elements, but the tiles of the mma cover 8 [tiled_mma_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.tiled_mma.partition(a, %a0, %a1, %a2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (7,4):(4,1)>, !fly.int_tuple<?>) -> !fly.memref<f32, shared, 1:0>
  return
}

// -----

// The permutation divides the matrix, but the atoms do not divide it.
func.func @tiled_mma_partition_tiled_mma_c2_permutation(%a0: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>, !fly.tile<[3|*|*]>>, %a1: !fly.memref<f32, shared, (3,4):(4,1)>, %a2: !fly.int_tuple<?>) {
  // expected-error@+2 {{TiledMmaPartitionOp: mode 0 of (3,4):(4,1) has 3 elements, but the tiles of the mma cover 4 [tiled_mma_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.tiled_mma.partition(a, %a0, %a1, %a2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>, !fly.tile<[3|*|*]>>, !fly.memref<f32, shared, (3,4):(4,1)>, !fly.int_tuple<?>) -> !fly.memref<f32, shared, 1:0>
  return
}

// -----

func.func @mma_make_fragment_tiled_mma_c2(%a0: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, %a1: !fly.memref<f32, shared, (7,4):(4,1)>) {
  // expected-error@+2 {{MmaMakeFragmentOp: mode 0 of (7,4):(4,1) has 7 elements, but the tiles of the mma cover 8 [tiled_mma_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.mma.make_fragment(a, %a0, %a1) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (7,4):(4,1)>) -> !fly.memref<f32, register, 1:0>
  return
}

// -----

func.func @mma_make_fragment_make_fragment_c1(%a0: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, %a1: !fly.memref<f32, shared, (6,4):(4,1)>) {
  // expected-error@+2 {{MmaMakeFragmentOp: stages must be positive, got 0 [make_fragment_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.mma.make_fragment(a, %a0, %a1, stages = 0) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, 1:0>
  return
}

// -----

func.func @mma_make_fragment_make_fragment_c2(%a0: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, %a1: !fly.memref<f32, shared, 6:1>) {
  // expected-error@+2 {{MmaMakeFragmentOp: stages requires an input layout with at least two modes [make_fragment_c2]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.mma.make_fragment(a, %a0, %a1, stages = 2) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, 6:1>) -> !fly.memref<f32, register, 1:0>
  return
}

// -----

func.func @copy_atom_call_c1(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, 4:1>, %a2: !fly.memref<f32, register, 2:1>) {
  // expected-error@+1 {{'fly.copy_atom_call' op source elements 'f16' and destination elements 'f32' differ in width}}
  fly.copy_atom_call(%a0, %a1, %a2) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, !fly.memref<f32, register, 2:1>) -> ()
  return
}

// -----

func.func @copy_atom_call_c2(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, 8:1>, %a2: !fly.memref<f16, register, 4:1>) {
  // expected-error@+1 {{'fly.copy_atom_call' op source of 8 elements of 'f16' does not hold the 64 bits of the atom: '!fly.memref<f16, global, 8:1>'}}
  fly.copy_atom_call(%a0, %a1, %a2) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 8:1>, !fly.memref<f16, register, 4:1>) -> ()
  return
}

// -----

func.func @copy_atom_call_c3(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, 4:1>, %a2: !fly.memref<f16, register, 2:1>) {
  // expected-error@+1 {{'fly.copy_atom_call' op destination of 2 elements of 'f16' does not hold the 64 bits of the atom: '!fly.memref<f16, register, 2:1>'}}
  fly.copy_atom_call(%a0, %a1, %a2) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, !fly.memref<f16, register, 2:1>) -> ()
  return
}

// -----

func.func @copy_atom_call_c4(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, 4:1>, %a2: !fly.memref<f16, register, 4:1>, %a3: !fly.memref<i8, register, 1:0>) {
  // expected-error@+1 {{'fly.copy_atom_call' op predicate must have element type i1, got 'i8'}}
  fly.copy_atom_call(%a0, %a1, %a2, %a3) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<i8, register, 1:0>) -> ()
  return
}

// -----

func.func @copy_atom_call_ssa_c1(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, 4:1>) {
  // expected-error@+1 {{'fly.copy_atom_call_ssa' op expected at most one result, got 2}}
  %r:2 = fly.copy_atom_call_ssa(%a0, %a1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>) -> (vector<4xf16>, vector<4xf16>)
  return
}

// -----

func.func @copy_atom_call_ssa_c2(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: vector<4xf16>) {
  // expected-error@+1 {{'fly.copy_atom_call_ssa' op expected a result or a destination}}
  fly.copy_atom_call_ssa(%a0, %a1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, vector<4xf16>) -> ()
  return
}

// -----

func.func @copy_atom_call_ssa_c3(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, 4:1>, %a2: i1) {
  // expected-error@+1 {{'fly.copy_atom_call_ssa' op a predicate with a result needs the old content as destination}}
  %r = fly.copy_atom_call_ssa(%a0, %a1, %a2) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, i1) -> vector<4xf16>
  return
}

// -----

func.func @copy_atom_call_ssa_c3_type(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, 4:1>, %a2: vector<4xi16>, %a3: i1) {
  // expected-error@+1 {{'fly.copy_atom_call_ssa' op old content of type 'vector<4xi16>' differs from the result of type 'vector<4xf16>'}}
  %r = fly.copy_atom_call_ssa(%a0, %a1, %a2, %a3) {operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, vector<4xi16>, i1) -> vector<4xf16>
  return
}

// -----

func.func @copy_atom_call_ssa_c4(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, 4:1>, %a2: i8) {
  // expected-error@+1 {{'fly.copy_atom_call_ssa' op predicate must be i1, got 'i8'}}
  %r = fly.copy_atom_call_ssa(%a0, %a1, %a2) {operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>, i8) -> vector<4xf16>
  return
}

// -----

func.func @copy_atom_call_ssa_c5(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, 4:1>) {
  // expected-error@+1 {{'fly.copy_atom_call_ssa' op result must hold the 64 bits of the atom, got 'vector<2xf16>'}}
  %r = fly.copy_atom_call_ssa(%a0, %a1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, 4:1>) -> vector<2xf16>
  return
}

// -----

func.func @mma_atom_call_c1(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: !fly.memref<f32, register, 1:0>, %a2: !fly.memref<f32, register, 1:0>, %a3: !fly.memref<f32, register, 1:0>) {
  // expected-error@+1 {{'fly.mma_atom_call' op group a is empty}}
  fly.mma_atom_call(%a0, %a1, [], %a2, %a3) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
  return
}

// -----

func.func @mma_atom_call_c2(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: !fly.memref<f32, register, 1:0>, %a2: !fly.memref<f16, register, 1:0>, %a3: !fly.memref<f32, register, 1:0>, %a4: !fly.memref<f32, register, 1:0>) {
  // expected-error@+1 {{'fly.mma_atom_call' op operand a must have element type 'f32', got '!fly.memref<f16, register, 1:0>'}}
  fly.mma_atom_call(%a0, %a1, %a2, %a3, %a4) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, !fly.memref<f16, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
  return
}

// -----

func.func @mma_atom_call_c3(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: !fly.memref<f32, register, 1:0>, %a2: !fly.memref<f32, register, 1:0>, %a3: !fly.memref<f32, register, 1:0>, %a4: !fly.memref<f32, register, 2:1>) {
  // expected-error@+1 {{'fly.mma_atom_call' op operand c must hold 1 values of 'f32', got '!fly.memref<f32, register, 2:1>'}}
  fly.mma_atom_call(%a0, %a1, %a2, %a3, %a4) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 2:1>) -> ()
  return
}

// -----

func.func @mma_atom_call_ssa_c1(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: f32, %a2: f32, %a3: f32) {
  // expected-error@+1 {{'fly.mma_atom_call_ssa' op expected exactly one of a result and a destination, got 0 results and no destination}}
  fly.mma_atom_call_ssa(%a0, %a1, %a2, %a3) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, f32, f32, f32) -> ()
  return
}

// -----

func.func @mma_atom_call_ssa_c2(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: f32, %a2: f32) {
  // expected-error@+1 {{'fly.mma_atom_call_ssa' op group b is empty}}
  %r = fly.mma_atom_call_ssa(%a0, %a1, [], %a2) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, f32, f32) -> f32
  return
}

// -----

func.func @mma_atom_call_ssa_c3(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: f32) {
  // expected-error@+1 {{'fly.mma_atom_call_ssa' op destination must be a memref, got 'f32'}}
  fly.mma_atom_call_ssa(%a0, %a1, %a1, %a1) dst = %a1 : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, f32, f32, f32, f32) -> ()
  return
}

// -----

func.func @mma_atom_call_ssa_operand_count(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: f32) {
  // expected-error@+1 {{custom op 'fly.mma_atom_call_ssa' expected (atom, a, b, c) or (atom, d, a, b, c), got 3 operands}}
  fly.mma_atom_call_ssa(%a0, %a1, %a1) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, f32, f32) -> f32
  return
}

// -----

func.func @mma_atom_call_ssa_two_destinations(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: f32, %a2: !fly.memref<f32, register, 1:0>) {
  // expected-error@+1 {{custom op 'fly.mma_atom_call_ssa' destination given twice}}
  fly.mma_atom_call_ssa(%a0, %a2, %a1, %a1, %a1) dst = %a2 : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, f32, f32, f32) -> ()
  return
}

// -----

func.func @mma_operand_keyword(%a0: !fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, %a1: !fly.memref<f32, shared, (6,4):(4,1)>) {
  // expected-error@+1 {{custom op 'fly.mma.make_fragment' expected mma operand a, b, c or d, got 'e'}}
  %r = fly.mma.make_fragment(e, %a0, %a1) : (!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.layout<(2,3,1):(1,2,0)>>, !fly.memref<f32, shared, (6,4):(4,1)>) -> !fly.memref<f32, register, 1:0>
  return
}

// -----

func.func @copy_c1(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, (4,2):(1,8)>, %a2: !fly.memref<f16, register, 4:1>) {
  // expected-error@+1 {{'fly.copy' op source of rank 2 and destination of rank 1 differ: '!fly.memref<f16, global, (4,2):(1,8)>' and '!fly.memref<f16, register, 4:1>'}}
  fly.copy(%a0, %a1, %a2) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, (4,2):(1,8)>, !fly.memref<f16, register, 4:1>) -> ()
  return
}

// -----

func.func @copy_c2(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, (4,2):(1,8)>, %a2: !fly.memref<f32, register, (2,2):(1,2)>) {
  // expected-error@+1 {{'fly.copy' op source elements 'f16' and destination elements 'f32' differ in width}}
  fly.copy(%a0, %a1, %a2) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, (4,2):(1,8)>, !fly.memref<f32, register, (2,2):(1,2)>) -> ()
  return
}

// -----

func.func @copy_c3(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, (4,2):(1,8)>, %a2: !fly.memref<f16, register, (4,3):(1,4)>) {
  // expected-error@+1 {{'fly.copy' op source has 2 atoms and destination 3: '!fly.memref<f16, global, (4,2):(1,8)>' and '!fly.memref<f16, register, (4,3):(1,4)>'}}
  fly.copy(%a0, %a1, %a2) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, (4,2):(1,8)>, !fly.memref<f16, register, (4,3):(1,4)>) -> ()
  return
}

// -----

func.func @copy_c4(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, (4,2):(1,8)>, %a2: !fly.memref<f16, register, (4,2):(1,4)>, %a3: !fly.memref<i32, register, 2:1>) {
  // expected-error@+1 {{'fly.copy' op predicate must have element type i1, got 'i32'}}
  fly.copy(%a0, %a1, %a2, %a3) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, (4,2):(1,8)>, !fly.memref<f16, register, (4,2):(1,4)>, !fly.memref<i32, register, 2:1>) -> ()
  return
}

// -----

func.func @copy_c5(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: !fly.memref<f16, global, (4,2):(1,8)>, %a2: !fly.memref<f16, register, (4,2):(1,4)>, %a3: !fly.memref<i1, register, (1,2,1):(0,1,0)>) {
  // expected-error@+1 {{'fly.copy' op predicate of rank 3 for a source of rank 2; expected that rank or one less}}
  fly.copy(%a0, %a1, %a2, %a3) : (!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.memref<f16, global, (4,2):(1,8)>, !fly.memref<f16, register, (4,2):(1,4)>, !fly.memref<i1, register, (1,2,1):(0,1,0)>) -> ()
  return
}

// -----

func.func @gemm_c1(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: !fly.memref<f32, register, 1:0>, %a2: !fly.memref<f32, register, 1:0>, %a3: !fly.memref<f32, register, 1:0>) {
  // expected-error@+1 {{'fly.gemm' op group b is empty}}
  fly.gemm(%a0, %a1, %a2, [], %a3) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
  return
}

// -----

func.func @gemm_c2(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: !fly.memref<f32, register, (1,2,2):(1,1,2)>, %a2: !fly.memref<f32, register, 1:0>, %a3: !fly.memref<f32, register, 1:0>, %a4: !fly.memref<f32, register, 1:0>) {
  // expected-error@+1 {{'fly.gemm' op expected ranks 1, or d and c of rank 3 with a and b both of rank 2 or 3, got d 3, a 1, b 1, c 1}}
  fly.gemm(%a0, %a1, %a2, %a3, %a4) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, (1,2,2):(1,1,2)>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>) -> ()
  return
}

// -----

func.func @gemm_c3(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: !fly.memref<f32, register, (1,2,3):(0,1,2)>, %a2: !fly.memref<f32, register, (1,2,4):(0,1,2)>, %a3: !fly.memref<f32, register, (1,3,5):(0,1,3)>, %a4: !fly.memref<f32, register, (1,2,3):(0,1,2)>) {
  // expected-error@+1 {{'fly.gemm' op extents K differ: 4 in mode 2 of '!fly.memref<f32, register, (1,2,4):(0,1,2)>', 5 in mode 2 of '!fly.memref<f32, register, (1,3,5):(0,1,3)>'}}
  fly.gemm(%a0, %a1, %a2, %a3, %a4) : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, (1,2,3):(0,1,2)>, !fly.memref<f32, register, (1,2,4):(0,1,2)>, !fly.memref<f32, register, (1,3,5):(0,1,3)>, !fly.memref<f32, register, (1,2,3):(0,1,2)>) -> ()
  return
}

// -----

func.func @gemm_c4(%a0: !fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, %a1: !fly.memref<f32, register, 1:0>, %a2: !fly.layout<(?,2):(1,2)>) {
  // expected-error@+1 {{'fly.gemm' op traversal layout must be static, got '!fly.layout<(?,2):(1,2)>'}}
  fly.gemm(%a0, %a1, %a1, %a1, %a1) traversalLayout = %a2 : (!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.memref<f32, register, 1:0>, !fly.layout<(?,2):(1,2)>) -> ()
  return
}

// -----

func.func @tiled_copy_retile_tiled_copy_c1(%a0: !fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|*]>>, %a1: !fly.memref<f16, register, (8,1,2):(1,0,8)>) {
  // expected-error@+2 {{TiledCopyRetileOp: tile [16|*] of a tiled copy has an element without a size [tiled_copy_c1]}}
  // expected-error@+1 {{failed to infer returned types}}
  %r = fly.tiled_copy.retile(%a0, %a1) : (!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, !fly.layout<((4,3),4):((4,16),1)>, !fly.tile<[16|*]>>, !fly.memref<f16, register, (8,1,2):(1,0,8)>) -> !fly.memref<f16, register, 1:0>
  return
}

// -----

func.func @copy_atom_call_ssa_c5_source(%a0: !fly.copy_atom<!fly.universal_copy<64>, 16>, %a1: vector<2xf16>, %a2: !fly.memref<f16, global, 4:1>) {
  // expected-error@+1 {{'fly.copy_atom_call_ssa' op source must be a memref or hold the 64 bits of the atom, got 'vector<2xf16>'}}
  fly.copy_atom_call_ssa(%a0, %a1, %a2) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!fly.copy_atom<!fly.universal_copy<64>, 16>, vector<2xf16>, !fly.memref<f16, global, 4:1>) -> ()
  return
}
