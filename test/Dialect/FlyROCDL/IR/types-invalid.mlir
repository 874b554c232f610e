// RUN: fly-opt %s -split-input-file -verify-diagnostics
//
// What the verifiers of types and attributes refuse.

// expected-error@+1 {{expected 3 dimensions in MNK dimension list}}
func.func private @dims_two(!fly_rocdl.cdna3.mfma<16x16, (f16, f16) -> f32>)

// -----

// expected-error@+1 {{dimension 99999999999 is too large}}
func.func private @dims_huge(!fly_rocdl.cdna3.mfma<16x16x99999999999, (f16, f16) -> f32>)

// -----

// expected-error@+1 {{invalid MNK dimensions for CDNA3 MFMA: 16x32x16}}
func.func private @mfma_m_is_not_n(!fly_rocdl.cdna3.mfma<16x32x16, (f16, f16) -> f32>)

// -----

// expected-error@+1 {{integer MFMA requires both A and B to be i8}}
func.func private @mfma_i8_f16(!fly_rocdl.cdna3.mfma<16x16x32, (i8, f16) -> i32>)

// -----

// expected-error@+1 {{integer MFMA requires i32 accumulator, got 'f32'}}
func.func private @mfma_i8_acc(!fly_rocdl.cdna3.mfma<16x16x32, (i8, i8) -> f32>)

// -----

// expected-error@+1 {{elemTyAcc must be f32, got 'f16'}}
func.func private @mfma_acc_f16(!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f16>)

// -----

// expected-error@+1 {{elemTyA must be f16, bf16, f32, f8E4M3FNUZ, f8E5M2FNUZ, got 'f64'}}
func.func private @mfma_a_f64(!fly_rocdl.cdna3.mfma<16x16x16, (f64, f16) -> f32>)

// -----

// expected-error@+1 {{elemTyB must be f16, bf16, f32, f8E4M3FNUZ, f8E5M2FNUZ, got 'i32'}}
func.func private @mfma_b_i32(!fly_rocdl.cdna3.mfma<16x16x16, (f16, i32) -> f32>)

// -----

// DIFF: no-such-shape
// expected-error@+1 {{unsupported CDNA3 MFMA configuration: 16x16x64 with A='f16', B='f16', Acc='f32'; the shapes for these types are 32x32x8, 16x16x16, 16x16x32, 32x32x16}}
func.func private @mfma_k(!fly_rocdl.cdna3.mfma<16x16x64, (f16, f16) -> f32>)

// -----

// DIFF: mfma-mixed
// Operands of two types would be read as one.
// expected-error@+1 {{with A='f16', B='bf16', Acc='f32'; no shape has these types}}
func.func private @mfma_mixed(!fly_rocdl.cdna3.mfma<16x16x16, (f16, bf16) -> f32>)

// -----

// The two kinds of fp8 differ by a factor of two.
// expected-error@+1 {{no shape has these types}}
func.func private @mfma_mixed_fp8(!fly_rocdl.cdna3.mfma<16x16x32, (f8E4M3FN, f8E4M3FNUZ) -> f32>)

// -----

// expected-error@+1 {{GFX11 WMMA requires M=N=K=16, got 16x16x32}}
func.func private @gfx11_k(!fly_rocdl.gfx11.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>)

// -----

// expected-error@+1 {{unsupported GFX11 WMMA configuration: 16x16x16 with A='f16', B='bf16', Acc='f32'}}
func.func private @gfx11_mixed(!fly_rocdl.gfx11.wmma<16x16x16, (f16, bf16) -> f32, signA = false, signB = false, clamp = false>)

// -----

// expected-error@+1 {{GFX11 WMMA fp16/bf16 path does not accept signA/signB/clamp (the ROCDL fp WMMA intrinsics have no such operands); got signA=1, signB=0, clamp=0}}
func.func private @gfx11_sign(!fly_rocdl.gfx11.wmma<16x16x16, (f16, f16) -> f32, signA = true, signB = false, clamp = false>)

// -----

// expected-error@+1 {{GFX120X WMMA requires M=N=16, got 32x16}}
func.func private @gfx120x_m(!fly_rocdl.gfx120x.wmma<32x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = false>)

// -----

// expected-error@+1 {{GFX120X WMMA floating-point forms require M=N=K=16, got 16x16x32}}
func.func private @gfx120x_float_k(!fly_rocdl.gfx120x.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>)

// -----

// expected-error@+1 {{GFX120X WMMA IU8 requires K=16, got 16x16x32}}
func.func private @gfx120x_iu8_k(!fly_rocdl.gfx120x.wmma<16x16x32, (i8, i8) -> i32, signA = false, signB = false, clamp = false>)

// -----

// expected-error@+1 {{GFX120X WMMA IU4 requires K=16 or K=32, got 16x16x64}}
func.func private @gfx120x_iu4_k(!fly_rocdl.gfx120x.wmma<16x16x64, (i4, i4) -> i32, signA = false, signB = false, clamp = false>)

// -----

// expected-error@+1 {{unsupported GFX120X WMMA configuration: 16x16x16 with A='f16', B='f16', Acc='bf16'; no shape has these types}}
func.func private @gfx120x_acc(!fly_rocdl.gfx120x.wmma<16x16x16, (f16, f16) -> bf16, signA = false, signB = false, clamp = false>)

// -----

// expected-error@+1 {{GFX120X WMMA floating-point path does not accept signA/signB/clamp (the ROCDL fp WMMA intrinsics have no such operands); got signA=0, signB=0, clamp=1}}
func.func private @gfx120x_clamp(!fly_rocdl.gfx120x.wmma<16x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = true>)

// -----

// expected-error@+1 {{GFX1250 WMMA requires M=N=16, got 16x32}}
func.func private @gfx1250_n(!fly_rocdl.gfx1250.wmma<16x32x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false>)

// -----

// expected-error@+1 {{signA/signB/clamp are only valid for integer (iu4/iu8) WMMA, got A='f16'}}
func.func private @gfx1250_sign(!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = true, clamp = false>)

// -----

// expected-error@+1 {{unsupported GFX1250 WMMA configuration: 16x16x16 with A='f16', B='f16', Acc='f32'; the shapes for these types are 16x16x32}}
func.func private @gfx1250_k(!fly_rocdl.gfx1250.wmma<16x16x16, (f16, f16) -> f32, signA = false, signB = false, clamp = false>)

// -----

// DIFF: wmma-modifiers
// expected-error@+1 {{modC must be in [0, 3], got 4}}
func.func private @gfx1250_modc(!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false, modC = 4>)

// -----

// expected-error@+1 {{modC is only valid for floating-point WMMA, got A='i8'}}
func.func private @gfx1250_modc_int(!fly_rocdl.gfx1250.wmma<16x16x64, (i8, i8) -> i32, signA = false, signB = false, clamp = false, modC = 1>)

// -----

// expected-error@+1 {{reuseA/reuseB are not valid for iu4 WMMA}}
func.func private @gfx1250_reuse_iu4(!fly_rocdl.gfx1250.wmma<16x16x32, (i4, i4) -> i32, signA = false, signB = false, clamp = false, modC = 0, reuseA = true>)

// -----

// expected-error@+1 {{expected 'reuseB'}}
func.func private @gfx1250_field_order(!fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f32, signA = false, signB = false, clamp = false, modC = 0, reuseA = true, modC = 1>)

// -----

// DIFF: buffer-copy-sizes
// expected-error@+1 {{unsupported bitSize = 96 for BufferCopy; expected one of 8, 16, 32, 64, 128}}
func.func private @buffer_copy_size(!fly_rocdl.cdna3.buffer_copy<96>)

// -----

// expected-error@+1 {{cache must not be negative, got -1}}
func.func private @buffer_copy_cache(!fly_rocdl.cdna3.buffer_copy<32, cache = -1>)

// -----

// expected-error@+1 {{unsupported bitSize = 64 for BufferCopyLDS; expected 32 or 128 (there is no 8-byte LDS DMA instruction, and 128 requires gfx950)}}
func.func private @buffer_copy_lds_size(!fly_rocdl.cdna3.buffer_copy_lds<64>)

// -----

// expected-error@+1 {{valType must be an integer, a float or a vector of these, got 'index'}}
func.func private @buffer_atomic_index(!fly_rocdl.cdna3.buffer_atomic<add, index>)

// -----

// expected-error@+1 {{unknown chip 'gfx000'; the known chips are gfx90a, gfx942, gfx950, gfx1100, gfx1101, gfx1102, gfx1103, gfx1150, gfx1151, gfx1152, gfx1153, gfx1200, gfx1201, gfx1250}}
gpu.module @unknown_chip [#fly_rocdl.cpu<chip = "gfx000">] {
}

// -----

// expected-error@+1 {{gfx1201, gfx1250; for 'gfx940' use gfx942}}
gpu.module @merged_chip [#fly_rocdl.cpu<chip = "gfx940">] {
}

// -----

// expected-error@+1 {{f64 MFMA requires f64 accumulator, got 'f32'}}
func.func private @mfma_f64_acc(!fly_rocdl.cdna3.mfma<16x16x4, (f64, f64) -> f32>)

// -----

// The shape of four blocks is none of one.
// expected-error@+1 {{unsupported CDNA3 MFMA configuration: 16x16x4 with A='f16', B='f16', Acc='f32'; the shapes for these types are 32x32x8, 16x16x16, 16x16x32, 32x32x16, 32x32x4 (blocks = 2), 16x16x4 (blocks = 4), 4x4x4 (blocks = 16)}}
func.func private @mfma_blocks_left_out(!fly_rocdl.cdna3.mfma<16x16x4, (f16, f16) -> f32>)

// -----

// expected-error@+1 {{unsupported CDNA3 MFMA configuration: 16x16x16 with A='f16', B='f16', Acc='f32', blocks=4;}}
func.func private @mfma_blocks(!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32, blocks = 4>)

// -----

// expected-error@+1 {{unsupported CDNA3 MFMA configuration: 16x16x4 with A='f32', B='f32', Acc='f32', xf32=1; the shapes for these types are 16x16x8, 32x32x4}}
func.func private @mfma_xf32_shape(!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32, xf32 = true>)

// -----

// expected-error@+1 {{with A='f16', B='f16', Acc='f32', xf32=1; no shape has these types}}
func.func private @mfma_xf32_f16(!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32, xf32 = true>)

// -----

// expected-error@+1 {{expected 'blocks' or 'xf32', got 'block'}}
func.func private @mfma_field(!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32, block = 1>)

// -----

// An atom of several products has no tile of M x K.
// DIFF: mfma-blocks-tiled
// expected-error@+1 {{the atom of a tiled mma must compute one product, but the values of A lie outside of its tile: '!fly.mma_atom<!fly_rocdl.cdna3.mfma<4x4x4, (f16, f16) -> f32, blocks = 16>>'}}
func.func private @tiled_blocks(!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<4x4x4, (f16, f16) -> f32, blocks = 16>>, <(1,1,1):(0,0,0)>>)

// -----

// expected-error@+1 {{unsupported MNK for CDNA4 MFMA_Scale: 16x16x64 (expected 16x16x128 or 32x32x64)}}
func.func private @mfma_scale_shape(!fly_rocdl.cdna4.mfma_scale<16x16x64, (f8E4M3FN, f8E4M3FN) -> f32, opselA = 0, opselB = 0>)

// -----

// expected-error@+1 {{elemTyAcc must be f32, got 'f16'}}
func.func private @mfma_scale_acc(!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E4M3FN, f8E4M3FN) -> f16, opselA = 0, opselB = 0>)

// -----

// expected-error@+1 {{elemTyA must be one of f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN, f4E2M1FN, got 'f8E4M3FNUZ'}}
func.func private @mfma_scale_a(!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E4M3FNUZ, f8E4M3FN) -> f32, opselA = 0, opselB = 0>)

// -----

// expected-error@+1 {{elemTyB must be one of f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN, f4E2M1FN, got 'i8'}}
func.func private @mfma_scale_b(!fly_rocdl.cdna4.mfma_scale<32x32x64, (f8E4M3FN, i8) -> f32, opselA = 0, opselB = 0>)

// -----

// expected-error@+1 {{opselA must be in [0, 3], got 4}}
func.func private @mfma_scale_opsel_a(!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E4M3FN, f8E4M3FN) -> f32, opselA = 4, opselB = 0>)

// -----

// expected-error@+1 {{opselB must be in [0, 3], got -1}}
func.func private @mfma_scale_opsel_b(!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E4M3FN, f8E4M3FN) -> f32, opselA = 0, opselB = -1>)

// -----

// expected-error@+1 {{blockSize must be 16 or 32, got 64}}
func.func private @wmma_scale_block(!fly_rocdl.gfx1250.wmma_scale<16x16x64, (i8, i8) -> f16, opselA = 0, opselB = 0, modC = 0, reuseA = false, reuseB = false, blockSize = 64>)

// -----

// expected-error@+1 {{unsupported MNK for GFX1250 WMMA_Scale: 16x16x64 (expected 16x16x128 or 32x16x128)}}
func.func private @wmma_scale_shape(!fly_rocdl.gfx1250.wmma_scale<16x16x64, (i8, i8) -> f16, opselA = 0, opselB = 0, modC = 0, reuseA = false, reuseB = false, blockSize = 32>)

// -----

// expected-error@+1 {{elemTyAcc must be f32, got 'f16'}}
func.func private @wmma_scale_acc(!fly_rocdl.gfx1250.wmma_scale<32x16x128, (i8, i8) -> f16, opselA = 0, opselB = 0, modC = 0, reuseA = false, reuseB = false, blockSize = 32>)

// -----

// expected-error@+1 {{GFX1250 WMMA_Scale 32x16x128 requires f4E2M1FN A and B, got A='f4E2M1FN', B='f8E5M2'}}
func.func private @wmma_scale_tall(!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f8E5M2) -> f32, opselA = 0, opselB = 0, modC = 0, reuseA = false, reuseB = false, blockSize = 32>)

// -----

// expected-error@+1 {{opselA must be in [0, 1] (row0/row1), got 2}}
func.func private @wmma_scale_opsel(!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E5M2, f8E5M2) -> f32, opselA = 2, opselB = 0, modC = 0, reuseA = false, reuseB = false, blockSize = 32>)

// -----

// expected-error@+1 {{modC must fit the i16 intrinsic field [0, 65535], got 65536}}
func.func private @wmma_scale_modc_field(!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E5M2, f8E5M2) -> f32, opselA = 0, opselB = 0, modC = 65536, reuseA = false, reuseB = false, blockSize = 32>)

// -----

// DIFF: wmma-scale-modifiers
// expected-error@+1 {{modC must be in [0, 3], got 4}}
func.func private @wmma_scale_modc(!fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E5M2, f8E5M2) -> f32, opselA = 0, opselB = 0, modC = 4, reuseA = false, reuseB = false, blockSize = 32>)

// -----

// DIFF: wmma-scale-modifiers
// expected-error@+1 {{opselA must be 0 for 32x16x128, whose scales of A take all lanes, got 1}}
func.func private @wmma_scale_tall_opsel(!fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 1, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 32>)
