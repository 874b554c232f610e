// RUN: fly-opt %s -fly-rocdl-check-target -split-input-file -verify-diagnostics
// RUN: fly-opt %s -convert-fly-to-rocdl -split-input-file -verify-diagnostics
//
// An atom that the chip of the module lacks is an error at its first use, with
// what the chip has instead.

!M = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x32, (f16, f16) -> f32>>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @wide_mfma(%m: !M, %a: vector<8xf16>, %c: vector<4xf32>, %p: !llvm.ptr) {
    // DIFF: chip-lacks-atom
    // expected-error@+1 {{needs the atom '!fly_rocdl.cdna3.mfma<16x16x32, (f16, f16) -> f32>' (feature 'mfma-wide'), which gfx942 lacks; for these types gfx942 has cdna3.mfma 32x32x8 (f16, f16) -> f32, cdna3.mfma 16x16x16 (f16, f16) -> f32}}
    %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!M, vector<8xf16>, vector<8xf16>, vector<4xf32>) -> vector<4xf32>
    // Reported once.
    %e = fly.mma_atom_call_ssa(%m, %a, %a, %d) : (!M, vector<8xf16>, vector<8xf16>, vector<4xf32>) -> vector<4xf32>
    llvm.store %e, %p : vector<4xf32>, !llvm.ptr
    gpu.return
  }
}

// -----

!M = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>

gpu.module @kernels [#fly_rocdl.cpu<chip = "gfx1201">] {
  gpu.func @mfma_on_rdna(%m: !M, %d: !fly.memref<f32, register, 4:1>, %a: !fly.memref<f16, register, 4:1>) {
    // expected-error@+1 {{which gfx1201 lacks; for these types gfx1201 has gfx120x.wmma 16x16x16 (f16, f16) -> f32}}
    fly.mma_atom_call(%m, %d, %a, %a, %d) : (!M, !fly.memref<f32, register, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<f16, register, 4:1>, !fly.memref<f32, register, 4:1>) -> ()
    gpu.return
  }
}

// -----

// DIFF: mfma-fp8
// gfx950 reads the same bits as another number.
!M = !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x32, (f8E4M3FNUZ, f8E4M3FNUZ) -> f32>>

gpu.module @kernels [#rocdl.target<chip = "gfx950">] {
  gpu.func @fnuz_on_ocp(%m: !M, %a: vector<8xi8>, %c: vector<4xf32>, %p: !llvm.ptr) {
    // expected-error@+1 {{(feature 'mfma-fp8-fnuz'), which gfx950 lacks; gfx950 has no matrix instruction for (f8E4M3FNUZ, f8E4M3FNUZ)}}
    %d = fly.mma_atom_call_ssa(%m, %a, %a, %c) : (!M, vector<8xi8>, vector<8xi8>, vector<4xf32>) -> vector<4xf32>
    llvm.store %d, %p : vector<4xf32>, !llvm.ptr
    gpu.return
  }
}

// -----

!L = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy_lds<128>, 32>
!S = !fly.memref<f32, #fly_rocdl.buffer_desc, 4:1>
!D = !fly.memref<f32, shared, 4:1>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @lds_width(%a: !L, %s: !S, %d: !D) {
    // expected-error@+1 {{(feature 'lds-dma-128'), which gfx942 lacks; gfx942 has widths of 32 bits}}
    fly.copy_atom_call(%a, %s, %d) : (!L, !S, !D) -> ()
    gpu.return
  }
}

// -----

!A = !fly.copy_atom<!fly_rocdl.cdna3.buffer_atomic<max, f32>, 32>
!D = !fly.memref<f32, #fly_rocdl.buffer_desc, 1:0>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @atomic_max(%a: !A, %v: f32, %d: !D) {
    // expected-error@+1 {{(feature 'buffer-atomic-max-f32'), which gfx942 lacks; for this operation gfx942 has f64}}
    fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!A, f32, !D) -> ()
    gpu.return
  }
}

// -----

!C = !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<32, cache = 18>, 32>
!U = !fly.copy_atom<!fly.universal_atomic<add, i32, "block">, 32>
!S = !fly.memref<i32, #fly_rocdl.buffer_desc, 1:0>

gpu.module @kernels [#rocdl.target<chip = "gfx1100">] {
  gpu.func @flags(%a: !C, %s: !S, %r: !fly.memref<i32, register, 1:0>, %u: !U, %v: i32, %g: !fly.memref<i32, global, 1:0>) {
    // DIFF: cache-bits
    // expected-error@+1 {{needs bits of the cache policy (16) of the atom '!fly_rocdl.cdna3.buffer_copy<32, cache = 18>' that gfx1100 does not have; it has glc (1), slc (2), dlc (4)}}
    fly.copy_atom_call(%a, %s, %r) : (!C, !S, !fly.memref<i32, register, 1:0>) -> ()
    // expected-error@+1 {{needs the synchronisation scope "block" of the atom '!fly.universal_atomic<add, i32, "block">', which gfx1100 does not have; it has "", "agent",}}
    fly.copy_atom_call_ssa(%u, %v, %g) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!U, i32, !fly.memref<i32, global, 1:0>) -> ()
    gpu.return
  }
}

// -----

!T = !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>, 16>
!M = !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 1, warps = 1>, 0>

gpu.module @kernels [#rocdl.target<chip = "gfx942">] {
  gpu.func @lds_and_tensors(%a: !T, %s: !fly.memref<f16, shared, 4:1>, %r: !fly.memref<f16, register, 4:1>, %m: !M, %g: !fly.memref<f16, global, 64:1>) {
    // expected-error@+1 {{(feature 'lds-read-trans'), which gfx942 lacks; gfx942 has no lds_read_trans}}
    fly.copy_atom_call(%a, %s, %r) : (!T, !fly.memref<f16, shared, 4:1>, !fly.memref<f16, register, 4:1>) -> ()
    // expected-error@+1 {{(feature 'tensor-copy'), which gfx942 lacks; gfx942 has no tdm}}
    fly.copy_atom_call(%m, %g, %s) : (!M, !fly.memref<f16, global, 64:1>, !fly.memref<f16, shared, 4:1>) -> ()
    gpu.return
  }
}

// -----

// expected-error@+1 {{unknown chip 'gfx000'; the known chips are gfx90a, gfx942, gfx950,}}
gpu.module @kernels [#rocdl.target<chip = "gfx000">] {
}

// -----

// expected-error@+1 {{has targets for several chips (gfx942, gfx950); one is needed}}
gpu.module @kernels [#rocdl.target<chip = "gfx942">, #fly_rocdl.cpu<chip = "gfx950">] {
}

// -----

!A = !fly.copy_atom<!fly.universal_atomic<add, i32, "cluster">, 32>

gpu.module @kernels [#rocdl.target<chip = "gfx1250">] {
  gpu.func @scope_of_clusters(%a: !A, %v: i32, %d: !fly.memref<i32, global, 1:1>) {
    fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!A, i32, !fly.memref<i32, global, 1:1>) -> ()
    gpu.return
  }
}

// -----

!A = !fly.copy_atom<!fly.universal_atomic<add, i32, "cluster">, 32>

gpu.module @kernels [#rocdl.target<chip = "gfx1201">] {
  gpu.func @scope_without_clusters(%a: !A, %v: i32, %d: !fly.memref<i32, global, 1:1>) {
    // expected-error@+1 {{needs the synchronisation scope "cluster" of the atom '!fly.universal_atomic<add, i32, "cluster">', which gfx1201 does not have; it has "", "agent", "agent-one-as", "one-as",}}
    fly.copy_atom_call_ssa(%a, %v, %d) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (!A, i32, !fly.memref<i32, global, 1:1>) -> ()
    gpu.return
  }
}
