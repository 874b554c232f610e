// RUN: fly-opt %s | fly-opt | FileCheck %s
// RUN: fly-opt %s -mlir-print-op-generic | fly-opt | FileCheck %s
// RUN: fly-opt %s -emit-bytecode | fly-opt | FileCheck %s
//
// Text and bytecode round trips of the types and attributes.

// CHECK: @mfma(!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly_rocdl.cdna3.mfma<32x32x16, (f8E4M3FNUZ, f8E5M2FNUZ) -> f32>, !fly_rocdl.cdna3.mfma<16x16x32, (i8, i8) -> i32>)
func.func private @mfma(
    !fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>,
    !fly_rocdl.cdna3.mfma<32 x 32 x 16, (f8E4M3FNUZ, f8E5M2FNUZ) -> f32>,
    !fly_rocdl.cdna3.mfma<16x16x32, (i8, i8) -> i32>)

// DIFF: mfma-blocks
// Fields at their defaults are elided.
// CHECK: @mfma_variants(
// CHECK-SAME: !fly_rocdl.cdna3.mfma<16x16x4, (f16, f16) -> f32, blocks = 4>,
// CHECK-SAME: !fly_rocdl.cdna3.mfma<16x16x8, (f32, f32) -> f32, xf32 = true>,
// CHECK-SAME: !fly_rocdl.cdna3.mfma<4x4x4, (f64, f64) -> f64, blocks = 4>,
// CHECK-SAME: !fly_rocdl.cdna3.mfma<32x32x4, (bf16, bf16) -> f32>,
// CHECK-SAME: !fly_rocdl.cdna3.mfma<32x32x4, (bf16, bf16) -> f32, blocks = 2>)
func.func private @mfma_variants(
    !fly_rocdl.cdna3.mfma<16x16x4, (f16, f16) -> f32, blocks = 4>,
    !fly_rocdl.cdna3.mfma<16x16x8, (f32, f32) -> f32, xf32 = true, blocks = 1>,
    !fly_rocdl.cdna3.mfma<4x4x4, (f64, f64) -> f64, blocks = 4, xf32 = false>,
    !fly_rocdl.cdna3.mfma<32x32x4, (bf16, bf16) -> f32, blocks = 1>,
    !fly_rocdl.cdna3.mfma<32x32x4, (bf16, bf16) -> f32, blocks = 2>)

// CHECK: @scaled(
// CHECK-SAME: !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<32x32x64, (f4E2M1FN, f8E5M2) -> f32, opselA = 0, opselB = 2>>,
// CHECK-SAME: !fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E4M3FN, f6E3M2FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 32>,
// CHECK-SAME: !fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 0, modC = 3, reuseA = true, reuseB = true, blockSize = 16>)
func.func private @scaled(
    !fly.mma_atom<!fly_rocdl.cdna4.mfma_scale<32x32x64, (f4E2M1FN, f8E5M2) -> f32, opselA = 0, opselB = 2>>,
    !fly_rocdl.gfx1250.wmma_scale<16x16x128, (f8E4M3FN, f6E3M2FN) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, reuseB = false, blockSize = 32>,
    !fly_rocdl.gfx1250.wmma_scale<32x16x128, (f4E2M1FN, f4E2M1FN) -> f32, opselA = 0, opselB = 0, modC = 3, reuseA = true, reuseB = true, blockSize = 16>)

// CHECK: @wmma(!fly_rocdl.gfx11.wmma<16x16x16, (i8, si8) -> i32, signA = true, signB = false, clamp = false>, !fly_rocdl.gfx120x.wmma<16x16x32, (i4, ui4) -> i32, signA = false, signB = false, clamp = true>)
func.func private @wmma(
    !fly_rocdl.gfx11.wmma<16x16x16, (i8, si8) -> i32, signA = true, signB = false, clamp = false>,
    !fly_rocdl.gfx120x.wmma<16x16x32, (i4, ui4) -> i32, signA = false, signB = false, clamp = true>)

// What stands to the left of a field that is not at its default is written.
// CHECK: @wmma1250(
// CHECK-SAME: !fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f16, signA = false, signB = false, clamp = false>,
// CHECK-SAME: !fly_rocdl.gfx1250.wmma<16x16x4, (f32, f32) -> f32, signA = false, signB = false, clamp = false, modC = 2>,
// CHECK-SAME: !fly_rocdl.gfx1250.wmma<16x16x64, (i8, i8) -> i32, signA = true, signB = true, clamp = true, modC = 0, reuseA = true>,
// CHECK-SAME: !fly_rocdl.gfx1250.wmma<16x16x128, (f8E4M3FN, f8E5M2) -> f32, signA = false, signB = false, clamp = false, modC = 0, reuseA = false, reuseB = true>)
func.func private @wmma1250(
    !fly_rocdl.gfx1250.wmma<16x16x32, (f16, f16) -> f16, signA = false, signB = false, clamp = false, modC = 0>,
    !fly_rocdl.gfx1250.wmma<16x16x4, (f32, f32) -> f32, signA = false, signB = false, clamp = false, modC = 2, reuseA = false>,
    !fly_rocdl.gfx1250.wmma<16x16x64, (i8, i8) -> i32, signA = true, signB = true, clamp = true, modC = 0, reuseA = true>,
    !fly_rocdl.gfx1250.wmma<16x16x128, (f8E4M3FN, f8E5M2) -> f32, signA = false, signB = false, clamp = false, modC = 0, reuseA = false, reuseB = true>)

// CHECK: @copies(!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 16>, !fly_rocdl.cdna3.buffer_copy<32, cache = 2>, !fly_rocdl.cdna3.buffer_copy_lds<128>, !fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>)
func.func private @copies(
    !fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128, cache = 0>, 16>,
    !fly_rocdl.cdna3.buffer_copy<32, cache = 2>,
    !fly_rocdl.cdna3.buffer_copy_lds<128>,
    !fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>)

// CHECK: @lds_copies(!fly_rocdl.cdna4.buffer_load_async_lds<96>, !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>, !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>, 16>, !fly_rocdl.cdna4.lds_read_trans<trans = 6b, 96>, !fly_rocdl.cdna3.buffer_atomic<min, si32>)
func.func private @lds_copies(
    !fly_rocdl.cdna4.buffer_load_async_lds<96>,
    !fly.copy_atom<!fly_rocdl.cdna4.global_load_async_lds<128>, 32>,
    !fly.copy_atom<!fly_rocdl.cdna4.lds_read_trans<trans = 16b, 64>, 16>,
    !fly_rocdl.cdna4.lds_read_trans<trans = 6 b, 96>,
    !fly_rocdl.cdna3.buffer_atomic<min, si32>)

// DIFF: tdm-text
// What follows rank and warps may be left out, but is written.
// CHECK: @tdm(!fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = false>, 0>, !fly_rocdl.gfx1250.tdm<rank = 1, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>, !fly_rocdl.gfx1250.tdm<rank = 5, warps = 2, pad = 0, 0, cache = 3, barrier = false, timeout = true>)
func.func private @tdm(
    !fly.copy_atom<!fly_rocdl.gfx1250.tdm<rank = 2, warps = 4, pad = 64, 8, cache = 0, barrier = false, timeout = false>, 0>,
    !fly_rocdl.gfx1250.tdm<rank = 1, warps = 1>,
    !fly_rocdl.gfx1250.tdm<rank = 5, warps = 2, cache = 3, timeout = true>)

// Options come in any order; what is at its default is left out.
// CHECK: @tensor_copies(!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1)>,
// CHECK-SAME: !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [4, 16, 64], elem = f16, tensor2tdm = (1E0,(1E1,0),1E2), atomicBarrier = true, cacheModifier = 5, padInterval = 64, padAmount = 8>, 16>,
// CHECK-SAME: !fly_rocdl.cdna5.tensor_store<shape = [64], elem = i8, tensor2tdm = 16E0, iterCount = 4>)
func.func private @tensor_copies(
    !fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1)>,
    !fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [4, 16, 64], elem = f16, tensor2tdm = (1E0,(1E1,0),1E2), padAmount = 8, cacheModifier = 5, padInterval = 64, atomicBarrier = true>, 16>,
    !fly_rocdl.cdna5.tensor_store<shape = [64], elem = i8, tensor2tdm = 16E0, iterCount = 4, atomicBarrier = false>)

// CHECK: @spaces(!fly.ptr<f32, #fly_rocdl.buffer_desc>, !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1, align<16>>)
func.func private @spaces(
    !fly.ptr<f32, #fly_rocdl.buffer_desc>,
    !fly.memref<f16, #fly_rocdl.buffer_desc, 8:1, align<16>>)

// CHECK: gpu.module @on_cpu [#fly_rocdl.cpu<chip = "gfx942">]
gpu.module @on_cpu [#fly_rocdl.cpu<chip = "gfx942">] {
}
