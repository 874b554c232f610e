# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instruction wrappers, run on the CPU target and compared with NumPy."""

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.expr import rocdl
from flydsl.expr.typing import T

ALL = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250"]


@pytest.fixture
def on(monkeypatch):
    """`on("gfx950")` makes it the target."""
    return lambda chip: monkeypatch.setenv("FLYDSL_GPU_ARCH", chip)


def run(kernel, src, dst, block=64, grid=1, **launch):
    """Launches `kernel` with two tensors."""
    @flyc.jit
    def call(src: fx.Tensor, dst: fx.Tensor):
        kernel(src, dst).launch(grid=grid, block=block, **launch)
    call(flyc.from_dlpack(src), flyc.from_dlpack(dst))


def wave_size(arch):
    return 64 if arch.startswith("gfx9") else 32


#===----------------------------------------------------------------------===#
# Lanes and bytes
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("arch", ALL)
def test_lanes(on, arch):
    on(arch)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        tid = fx.thread_idx.x
        x = src[tid]
        dst[tid, 0] = rocdl.ds_bpermute((tid ^ 5) * 4, x)
        dst[tid, 1] = rocdl.readfirstlane(x)
        dst[tid, 2] = rocdl.readlane(x, 11)
        dst[tid, 3] = rocdl.dpp(x, 0xB1)  # quad permutation 1, 0, 3, 2
        dst[tid, 4] = rocdl.dpp(x, 0x141, 0x1, 0xF, old=fx.Int32(-7))  # mirrored half rows, in the first row of 16
        dst[tid, 5] = fx.Int32(rocdl.ballot(x > 100)) if fx.num_warp_threads() == 32 else fx.Int32(fx.Int64(rocdl.ballot(x > 100)))
        dst[tid, 6] = fx.Int32(rocdl.ds_bpermute(T.i32, (tid ^ 5) * 4, fx.Float32(x)))
        dst[tid, 7] = fx.Int32(rocdl.ds_bpermute((tid ^ 1) * 4, fx.Int64(x) << 20) >> 20)

    src, dst = np.random.default_rng(1).integers(0, 200, 64).astype(np.int32), np.zeros((64, 8), np.int32)
    run(kernel, src, dst)
    lane, size = np.arange(64), wave_size(arch)
    first = lane // size * size
    bits = [sum(1 << i for i in range(min(32, size)) if src[start + i] > 100) for start in range(0, 64, size)]
    want = np.stack([src[lane ^ 5], src[first], src[first + 11], src[lane ^ 1], np.where(lane % size < 16, src[lane ^ 7], -7),
                     np.array(bits)[lane // size].astype(np.uint32).view(np.int32), src.astype(np.float32)[lane ^ 5].view(np.int32), src[lane ^ 1]], axis=1)
    np.testing.assert_array_equal(dst, want)


@pytest.mark.parametrize("arch, name, row", [("gfx950", "permlane16_swap", 16), ("gfx950", "permlane32_swap", 32), ("gfx1250", "permlane16_swap", 16)])
def test_swapped_rows(on, arch, name, row):
    on(arch)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        tid = fx.thread_idx.x
        first, second = getattr(rocdl, name)(src[tid], src[tid] + 1000)
        dst[tid, 0], dst[tid, 1] = fx.Int32(first), fx.Int32(second)

    src, dst = np.arange(64, dtype=np.int32), np.zeros((64, 2), np.int32)
    run(kernel, src, dst)
    lane = np.arange(64)
    odd = lane // row % 2 == 1
    # Odd rows of the first change places with even rows of the second.
    want = np.stack([np.where(odd, src[lane - row * odd] + 1000, src), np.where(odd, src + 1000, src[(lane + row * ~odd) % 64])], axis=1)
    np.testing.assert_array_equal(dst, want)


@pytest.mark.parametrize("arch", ALL)
def test_permuted_bytes(on, arch):
    on(arch)
    selectors = [0x03020100, 0x07060504, 0x00010203, 0x06040200, 0x0C0D0C0D, 0x0B0A0908, 0x0CFF0C80, 0x07030B0F]

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        tid = fx.thread_idx.x
        for i in fx.range_constexpr(len(selectors)):
            dst[tid, i] = fx.Int32(rocdl.perm_b32(src[tid, 0], src[tid, 1], selectors[i]))
        # The selector may be known at run time only.
        dst[tid, 8] = fx.Int32(rocdl.call_intrinsic("llvm.amdgcn.perm", T.i32, [src[tid, 0], src[tid, 1], src[tid, 0] & 0x0F0F0F0F]))

    src = np.random.default_rng(2).integers(-2**31, 2**31, (64, 2)).astype(np.int32)
    dst = np.zeros((64, 9), np.int32)
    run(kernel, src, dst)

    def permute(high, low, selector):
        data = np.array([low, high], np.int32).view(np.uint8)
        chosen = []
        for choice in np.array([selector], np.uint32).view(np.uint8):
            if choice < 8:
                chosen.append(data[choice])
            elif choice < 12:
                chosen.append(255 * (data[2 * (choice - 8) + 1] >> 7))
            else:
                chosen.append(0 if choice == 12 else 255)
        return np.array(chosen, np.uint8).view(np.int32)[0]

    want = [[permute(*pair, selector) for selector in (*selectors, int(pair[0]) & 0x0F0F0F0F)] for pair in src]
    np.testing.assert_array_equal(dst, want)


@pytest.mark.parametrize("arch", ["gfx1201", "gfx1250"])
def test_number_of_the_wave(on, arch):
    on(arch)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        dst[fx.thread_idx.x] = fx.Int32(rocdl.wave_id())

    dst = np.full(128, -1, np.int32)
    run(kernel, np.zeros(1, np.int32), dst, block=128)
    np.testing.assert_array_equal(dst, np.arange(128) // 32)


#===----------------------------------------------------------------------===#
# Math and conversions
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("arch", ALL)
def test_math(on, arch):
    on(arch)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        x = src[fx.thread_idx.x]
        dst[fx.thread_idx.x, 0] = rocdl.exp2(x)
        dst[fx.thread_idx.x, 1] = fx.Float32(rocdl.rcp(T.f32, x))
        dst[fx.thread_idx.x, 2] = fx.Float32(rocdl.fmed3(T.f32, x, -0.5, 0.5))

    src, dst = np.linspace(-4, 4, 64).astype(np.float32), np.zeros((64, 3), np.float32)
    run(kernel, src, dst)
    np.testing.assert_allclose(dst, np.stack([np.exp2(src), 1 / src, np.clip(src, -0.5, 0.5)], axis=1), rtol=1e-6)


@pytest.mark.parametrize("arch", ALL)
def test_small_integers_and_bfloats(on, arch):
    on(arch)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        x = src[fx.thread_idx.x]
        bits = x.bitcast(fx.Int32)
        dst[fx.thread_idx.x, 0] = fx.Int32(fx.Float32(rocdl.cvt_off_f32_i4(bits)) * 16.0)
        dst[fx.thread_idx.x, 1] = fx.Int32(fx.Float32(rocdl.cvt_off_f32_i4(bits, byte_sel=2)) * 16.0)
        dst[fx.thread_idx.x, 2] = fx.Int32(rocdl.cvt_pk_bf16_f32(x, x * 3.0))

    src = np.random.default_rng(3).uniform(-100, 100, 64).astype(np.float32)
    dst = np.zeros((64, 3), np.int32)
    run(kernel, src, dst)
    bits = src.view(np.uint32)

    def int4(nibble):
        return ((nibble & 15) ^ 8).astype(np.int64) - 8

    def bf16(x):
        word = x.view(np.uint32).astype(np.uint64)
        return (word + 0x7FFF + (word >> 16 & 1)) >> 16 & 0xFFFF

    packed = (bf16(src) | bf16(src * np.float32(3)) << 16).astype(np.uint32).view(np.int32)
    np.testing.assert_array_equal(dst, np.stack([int4(bits), int4(bits >> 16), packed], axis=1))


def test_stochastic_rounding(on):
    on("gfx950")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        x = src[fx.thread_idx.x]
        dst[fx.thread_idx.x, 0] = fx.Float32(fx.BFloat16(rocdl.cdna4.cvt_sr_f32_to_bf16(x, 0)))
        dst[fx.thread_idx.x, 1] = fx.Float32(fx.BFloat16(rocdl.cdna4.cvt_sr_f32_to_bf16(x, 0xFFFF)))
        dst[fx.thread_idx.x, 2] = fx.Float32(fx.BFloat16(rocdl.cdna4.cvt_sr_f32_to_bf16(x, 0x30000 | fx.thread_idx.x * 1024)))

    src = np.random.default_rng(3).uniform(-100, 100, 64).astype(np.float32)
    src[:3] = [np.inf, -np.inf, np.nan]
    dst = np.zeros((64, 3), np.float32)
    run(kernel, src, dst)
    bits = src.view(np.uint32)

    def rounded(noise):
        special = (bits & 0x7F800000) == 0x7F800000
        return np.where(special, bits, bits + noise.astype(np.uint32)) & 0xFFFF0000

    want = np.stack([rounded(noise) for noise in (np.zeros(64), np.full(64, 0xFFFF), np.arange(64) * 1024)], axis=1).astype(np.uint32).view(np.float32)
    np.testing.assert_array_equal(dst, want)


@pytest.mark.parametrize("arch", ["gfx942", "gfx950", "gfx1201", "gfx1250"])
def test_eight_bit_floats(on, arch):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    on(arch)
    kind = ml_dtypes.float8_e4m3fnuz if arch == "gfx942" else ml_dtypes.float8_e4m3fn

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        tid = fx.thread_idx.x
        word = rocdl.cvt_pk_fp8_f32(T.i32, src[tid, 0], src[tid, 1], 0x11223344, False)
        word = rocdl.cvt_pk_fp8_f32(T.i32, src[tid, 2], src[tid, 3], word, 1)
        low, high = fx.Vector(rocdl.cvt_pk_f32_fp8(T.f32x2, word, 0)), fx.Vector(rocdl.cvt_pk_f32_fp8(T.f32x2, word, True))
        dst[tid, 0], dst[tid, 1], dst[tid, 2], dst[tid, 3] = low[0], low[1], high[0], high[1]

    src = np.random.default_rng(4).uniform(-200, 200, (64, 4)).astype(np.float32)
    dst = np.zeros_like(src)
    run(kernel, src, dst)
    np.testing.assert_array_equal(dst, src.astype(kind).astype(np.float32))


def test_vectors_of_instructions(on):
    """The raw vector that a wrapper returns is indexed, counted and iterated as an fx.Vector."""
    ml_dtypes = pytest.importorskip("ml_dtypes")
    on("gfx942")
    refused = []

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        tid = fx.thread_idx.x
        word = rocdl.cvt_pk_fp8_f32(T.i32, src[tid, 0], src[tid, 1], 0, False)
        pair = rocdl.cvt_pk_f32_fp8(T.f32x2, word, 0)
        acc = rocdl.mfma_f32_16x16x16f16(T.f32x4, [fx.Vector.filled(4, 1.0, fx.Float16), fx.Vector.filled(4, 0.5, fx.Float16),
                                                fx.Vector.filled(4, 3.0, fx.Float32), 0, 0, 0])
        assert not isinstance(pair, fx.Vector) and len(pair) == 2 and len(acc) == 4
        dst[tid, 0], dst[tid, 1] = pair
        dst[tid, 2] = pair[-1] + fx.Float32(1)
        dst[tid, 3] = pair[tid & 1]
        total = fx.Float32(0)
        for x in fx.range_constexpr(len(acc)):
            total = total + acc[x]
        dst[tid, 4] = total + sum(acc)
        dst[tid, 5] = acc[1:3][0] + type(acc[0])(acc[None][3])
        for wrong, error in ((lambda: pair[2], IndexError), (lambda: word[0], TypeError), (lambda: len(word), TypeError),
                             (lambda: list(word), TypeError)):
            with pytest.raises(error) as caught:
                wrong()
            refused.append(str(caught.value))

    src, dst = np.random.default_rng(4).uniform(-200, 200, (64, 2)).astype(np.float32), np.zeros((64, 6), np.float32)
    run(kernel, src, dst)
    pair = src.astype(ml_dtypes.float8_e4m3fnuz).astype(np.float32)
    lane = np.arange(64)
    want = np.stack([pair[:, 0], pair[:, 1], pair[:, 1] + 1, pair[lane, lane & 1], np.full(64, 88.0), np.full(64, 22.0)], axis=1)
    np.testing.assert_array_equal(dst, want.astype(np.float32))
    assert refused == ["vector index 2 out of range for numel 2", "vector index: expected a vector, found a value of type i32",
                       "len: expected a vector, found a value of type i32", "iteration: expected a vector, found a value of type i32"]


FP4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6], np.float32)


# Of a scale that is no power of two only the exponent counts.
@pytest.mark.parametrize("scale, power", [(1.0, 1.0), (0.25, 0.25), (8.0, 8.0), (3.0, 2.0), (-6.0, 4.0)])
def test_four_bit_floats(on, scale, power):
    on("gfx950")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        tid = fx.thread_idx.x
        word = src[tid]
        for sel in fx.range_constexpr(4):
            pair = fx.Vector(rocdl.cvt_scalef32_pk_f32_fp4(T.f32x2, word, scale, sel))
            brain = fx.Vector(rocdl.cvt_scalef32_pk_bf16_fp4(T.bf16x2, word, scale, sel))
            for i in fx.range_constexpr(2):
                dst[tid, 2 * sel + i] = pair[i]
                dst[tid, 8 + 2 * sel + i] = fx.Float32(brain[i])

    src = np.random.default_rng(4).integers(-2**31, 2**31, 64).astype(np.int32)
    dst = np.zeros((64, 16), np.float32)
    run(kernel, src, dst)
    nibbles = src.view(np.uint32)[:, None] >> np.arange(0, 32, 4, dtype=np.uint32) & 15
    want = FP4[nibbles] * np.float32(power)
    np.testing.assert_array_equal(dst, np.concatenate([want, want], axis=1))
    np.testing.assert_array_equal(np.signbit(dst[:, :8]), np.signbit(FP4[nibbles]))


def test_four_bit_floats_with_scales_of_lanes(on):
    on("gfx1250")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        tid = fx.thread_idx.x
        for sel in fx.range_constexpr(8):
            values = fx.Vector(rocdl.cvt_scale_pk8_f32_fp4(T.vec(8, T.f32), src[tid, 0], src[tid, 1], sel))
            for i in fx.range_constexpr(8):
                dst[tid, sel, i] = values[i]

    rng = np.random.default_rng(6)
    codes, scales = rng.integers(-2**31, 2**31, 64).astype(np.int32), rng.integers(110, 140, (64, 4)).astype(np.uint8)
    dst = np.zeros((64, 8, 8), np.float32)
    run(kernel, np.stack([codes, scales.view(np.int32)[:, 0]], axis=1), dst)
    lane, nibbles = np.arange(64), codes.view(np.uint32)[:, None] >> np.arange(0, 32, 4, dtype=np.uint32) & 15
    # Bit 0 the half of the wave that has the scales; the bytes of its lower and its upper lanes.
    for sel, (low, high) in enumerate([(0, 1), (0, 1), (2, 3), (2, 3), (0, 2), (0, 2), (1, 3), (1, 3)]):
        byte = scales[lane // 32 * 32 + 16 * (sel & 1) + lane % 16, np.where(lane % 32 < 16, low, high)]
        np.testing.assert_array_equal(dst[:, sel], FP4[nibbles] * np.ldexp(np.float32(1), byte.astype(int) - 127)[:, None], f"scale_sel {sel}")


@pytest.mark.parametrize("scale, power", [(1.0, 1.0), (0.5, 0.5), (5.0, 4.0)])
def test_rounding_to_four_bits(on, scale, power):
    on("gfx950")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        tid = fx.thread_idx.x
        for sel in fx.range_constexpr(4):
            dst[tid, sel] = fx.Int32(rocdl.cvt_scalef32_pk_fp4_f32(T.i32, 0x55555555, src[tid, 0], src[tid, 1], scale, sel))

    rng = np.random.default_rng(5)
    src = rng.uniform(-8, 8, (64, 2)).astype(np.float32)
    # All middles between two neighbours, and what lies outside.
    middles = np.array([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5, 0, 7, 100, np.inf, 1e-30], np.float32)
    src[:12, 0], src[:12, 1] = middles, -middles
    src *= np.float32(power)
    dst = np.zeros((64, 4), np.int32)
    run(kernel, src, dst)

    def codes(x):
        quotient = np.abs(x.astype(np.float64)) / power
        distance = np.abs(np.minimum(quotient, 6)[..., None] - FP4[:8])
        nearest = distance.min(axis=-1, keepdims=True)
        # Of two nearest the even one.
        candidates = np.where(distance == nearest, np.arange(8) + 100 * (np.arange(8) % 2), 1000)
        return candidates.argmin(axis=-1) | np.signbit(x) << 3

    byte = (codes(src[:, 0]) | codes(src[:, 1]) << 4).astype(np.int64)
    want = np.stack([(0x55555555 & ~(0xFF << 8 * sel)) | byte << 8 * sel for sel in range(4)], axis=1).astype(np.uint32).view(np.int32)
    np.testing.assert_array_equal(dst, want)


#===----------------------------------------------------------------------===#
# Buffers and shared memory
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("arch", ALL)
def test_raw_buffer_atomics(on, arch):
    on(arch)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        pointer = fx.to_llvm_ptr(fx.get_iter(dst))
        rsrc = rocdl.make_buffer_rsrc(pointer, num_records=8)
        x = src[fx.thread_idx.x]
        rocdl.raw_ptr_buffer_atomic_fadd(x, rsrc, 0, 0, 0)
        # Beyond the records: nothing happens.
        rocdl.raw_ptr_buffer_atomic_fadd(x, rsrc, 8, 0)
        if fx.const_expr(arch in ("gfx90a", "gfx942", "gfx950")):
            with pytest.raises(ValueError, match=f"BufferAtomic Max of f32 is not available on {arch}"):
                rocdl.raw_ptr_buffer_atomic_fmax(x, rsrc, 4, 0)
        else:
            rocdl.raw_ptr_buffer_atomic_fmax(x, rsrc, 4, 0)

    src, dst = np.arange(64, dtype=np.float32), np.array([1, 2, 3], np.float32)
    run(kernel, src, dst)
    np.testing.assert_array_equal(dst, [1 + src.sum(), 2 if arch.startswith("gfx9") else 63, 3])


@pytest.mark.parametrize("arch, size", [("gfx950", 1), ("gfx950", 2), ("gfx1250", 1), ("gfx1250", 2)])
def test_transposing_loads(on, arch, size):
    on(arch)
    lanes, dtype = wave_size(arch), {1: np.int8, 2: np.int16}[size]
    each = 4 if (arch, size) == ("gfx950", 2) else 8
    kind = {1: fx.Int8, 2: fx.Int16}[size]
    result = {("gfx950", 1): lambda: T.vec(2, T.i32), ("gfx950", 2): lambda: T.vec(4, T.i16), ("gfx1250", 1): lambda: T.vec(2, T.i32),
              ("gfx1250", 2): lambda: T.vec(8, T.i16)}[arch, size]

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        tid = fx.thread_idx.x
        memory = fx.SharedAllocator().allocate(fx.Array[kind, lanes * each + 16]).peek()
        for i in fx.range_constexpr(each):
            memory[16 + tid * each + i] = src[tid, i]
        fx.gpu.barrier()
        words = fx.Vector(rocdl.lds_transpose_load(result(), memory.ptr, 16 + tid * each, size))
        values = fx.Vector(words.bitcast(kind)) if fx.const_expr(size == 1) else words
        for i in fx.range_constexpr(each):
            dst[tid, i] = values[i]

    src = np.arange(lanes * each).reshape(lanes, each).astype(dtype)
    dst = np.zeros_like(src)
    run(kernel, src, dst, block=lanes)
    lane, element = np.arange(lanes)[:, None], np.arange(each)
    if arch == "gfx950":
        # The elements of 16 lanes, one after the other, go round the lanes.
        place = lane % 16 + 16 * element
        want = src[lane // 16 * 16 + place // each, place % each]
    elif size == 2:
        want = src[lane // 8 * 8 + element, lane % 8]
    else:
        # The eight lanes are two runs of four.
        want = src[lane & 16 | (lane & 8) >> 1 | (element & 4) << 1 | element & 3, lane % 8]
    np.testing.assert_array_equal(dst, want)


#===----------------------------------------------------------------------===#
# Clusters
#===----------------------------------------------------------------------===#

def _numbers_of_clusters(dst):
    """Stores what MLIR's operations say, four numbers along three axes."""
    from flydsl._mlir.dialects import gpu

    number = (fx.block_idx.z * 6 + fx.block_idx.y) * 4 + fx.block_idx.x
    for i, operation in enumerate((gpu.cluster_id, gpu.cluster_block_id, gpu.cluster_dim, gpu.cluster_dim_blocks)):
        for axis in range(3):
            dst[number, 3 * i + axis] = fx.Int32(operation(gpu.Dimension(axis)))


@pytest.mark.parametrize("cluster", [(2, 3, 2), (4, 1, 1), (1, 1, 1), None])
def test_clusters_of_the_gpu_dialect(on, cluster):
    on("gfx1250")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        _numbers_of_clusters(dst)

    grid, size = np.array((4, 6, 2)), np.array(cluster or (1, 1, 1))
    dst = np.full((48, 12), -1, np.int32)
    run(kernel, np.zeros(1, np.int32), dst, block=1, grid=(4, 6, 2), cluster=cluster)
    at = np.stack([np.arange(48) % 4, np.arange(48) // 4 % 6, np.arange(48) // 24], axis=1)
    ones = np.ones((48, 1), int)
    np.testing.assert_array_equal(dst, np.concatenate([at // size, at % size, ones * (grid // size), ones * size], axis=1))


def test_clusters_of_the_gpu_dialect_on_other_chips(on):
    on("gfx1201")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        _numbers_of_clusters(dst)

    with pytest.raises(Exception, match="'gpu.cluster_id' op is no instruction of gfx1201, which has no clusters of workgroups"):
        run(kernel, np.zeros(1, np.int32), np.zeros((1, 12), np.int32), block=1)


def test_positions_in_a_cluster(on):
    on("gfx1250")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        x, y = rocdl.cluster.compute_cluster_position()
        number = (fx.block_idx.z * 4 + fx.block_idx.y) * 4 + fx.block_idx.x
        dst[number, 0], dst[number, 1] = fx.Int32(rocdl.cluster_workgroup_id_x()), fx.Int32(rocdl.cluster_workgroup_id_y())
        dst[number, 2] = fx.Int32(rocdl.cluster_workgroup_id_z())
        dst[number, 3], dst[number, 4] = fx.Int32(x), fx.Int32(y)

    dst = np.full((32, 5), -1, np.int32)
    run(kernel, np.zeros(1, np.int32), dst, block=1, grid=(4, 4, 2), cluster=(2, 4, 1))
    at = np.arange(32)
    want = np.stack([at % 2, at // 4 % 4, 0 * at, at % 2, at // 4 % 4], axis=1)
    np.testing.assert_array_equal(dst, want)
    run(kernel, np.zeros(1, np.int32), dst, block=1, grid=(4, 4, 2))
    np.testing.assert_array_equal(dst, np.zeros((32, 5)))


@flyc.kernel
def numbered_kernel(dst: fx.Tensor):
    dst[fx.block_idx.x] = fx.Int32(rocdl.cluster_workgroup_id_x())


@flyc.jit
def numbered(dst: fx.Tensor):
    numbered_kernel(dst, value_attrs={"rocdl.cluster_dims": "4,1,1"}).launch(grid=8, block=1, cluster=4)


@pytest.mark.parametrize("compile", [False, True])
def test_sizes_of_the_cluster_as_an_attribute(on, monkeypatch, compile):
    on("gfx1250")
    if compile:
        monkeypatch.setenv("COMPILE_ONLY", "1")
        monkeypatch.setenv("FLYDSL_DEVICE", "hip")
    dst = np.full(8, -1, np.int32)
    numbered(flyc.from_dlpack(dst))
    text = numbered._last_compiled[1].source_ir
    assert 'rocdl.cluster_dims = "4,1,1"' in text and "clusters in (" in text
    assert dst.tolist() == ([-1] * 8 if compile else [0, 1, 2, 3] * 2)


@pytest.mark.parametrize("mask", [None, 0, 3])
@pytest.mark.parametrize("size", [1, 4, 8, 16])
def test_loads_for_a_cluster(on, size, mask):
    on("gfx1250")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        tid = fx.thread_idx.x
        memory = fx.SharedAllocator().allocate(fx.Array[fx.Int8, 33 * 16]).peek()
        for i in fx.range_constexpr(16):
            memory[16 + tid * 16 + i] = 0
        rocdl.cluster_load_async_to_lds(fx.get_iter(src) + tid * 16, memory.ptr + tid * 16, size, offset=16, mask=mask)
        rocdl.s_wait_asynccnt(0)
        fx.gpu.barrier()
        for i in fx.range_constexpr(16):
            dst[fx.block_idx.x, tid, i] = memory[16 + tid * 16 + i]

    src, dst = (np.arange(33 * 16) % 127 + 1).astype(np.int8), np.zeros((2, 32, 16), np.int8)
    run(kernel, src, dst, block=32, grid=2, cluster=2)
    want = np.where(np.arange(16) < size, src[16:].reshape(32, 16), 0)
    np.testing.assert_array_equal(dst, np.stack([want, want]))


def test_mask_of_other_workgroups(on):
    on("gfx1250")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = fx.SharedAllocator().allocate(fx.Array[fx.Int32, 32]).peek()
        rocdl.cluster_load_async_to_lds(fx.get_iter(src), memory.ptr, 4, mask=2)

    with pytest.raises(RuntimeError, match="for the workgroups of mask 2 is issued by workgroup 0 of a cluster of 2; the mask must name it"):
        run(kernel, np.zeros(4, np.int32), np.zeros(1, np.int32), block=32, grid=2, cluster=2)


@pytest.mark.parametrize("schedule", ["in-order", "reverse", "random:1"])
def test_barrier_of_a_cluster(on, monkeypatch, schedule):
    on("gfx1250")
    monkeypatch.setenv("FLY_CPU_SCHEDULE", schedule)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = fx.SharedAllocator().allocate(fx.Array[fx.Int32, 64]).peek()
        tid, group = fx.thread_idx.x, fx.block_idx.x
        memory[tid] = src[group, tid]
        rocdl.cluster.cluster_barrier()
        dst[group, tid, 0] = memory[63 - tid]
        dst[group, tid, 1] = fx.Boolean(rocdl.cluster.is_wave_leader()).select(fx.Int32(1), fx.Int32(0))
        rocdl.cluster.cluster_barrier()
        # What the other workgroup of the pair has written.
        dst[group, tid, 2] = dst[group ^ 1, tid, 0]
        rocdl.cluster.cluster_signal_once_per_wg()
        dst[group, tid, 3] = tid
        rocdl.cluster.cluster_wait()

    src, dst = np.arange(256, dtype=np.int32).reshape(4, 64) * 3, np.zeros((4, 64, 4), np.int32)
    run(kernel, src, dst, grid=4, cluster=2)
    turned, lane = src[:, ::-1], np.broadcast_to(np.arange(64), (4, 64))
    np.testing.assert_array_equal(dst, np.stack([turned, lane < 32, turned[[1, 0, 3, 2]], lane], axis=2))


def test_barrier_that_a_workgroup_of_the_cluster_misses(on):
    on("gfx1250")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        if fx.block_idx.x == 0:
            rocdl.cluster.cluster_barrier()
        dst[fx.block_idx.x] = 1

    run(kernel, np.zeros(1, np.int32), np.zeros(1, np.int32))
    with pytest.raises(RuntimeError, match=r"barrier that not all workgroups of the cluster reach: workgroup \(1, 0, 0\) has not signalled it and has ended"):
        run(kernel, np.zeros(1, np.int32), np.zeros(2, np.int32), grid=2, cluster=2)


#===----------------------------------------------------------------------===#
# Order, waits, priorities
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("arch", ALL)
def test_hints_change_nothing(on, arch):
    on(arch)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        rocdl.sched_barrier(0)
        rocdl.sched_group_barrier(rocdl.mask_mfma | rocdl.mask_vmem_rd, 1, 0)
        rocdl.sched_mfma(1)
        rocdl.sched_vmem(1)
        rocdl.sched_dsrd(2)
        rocdl.sched_dswr(2)
        rocdl.sched_group_barrier(rocdl.mask_dsrd, 1)
        rocdl.sched_group_barrier(rocdl.mask_dswr, 1)
        rocdl.s_setprio(2)
        rocdl.s_nop(0)
        rocdl.inline_asm(None, [], "s_nop 0", "")
        rocdl.inline_asm.inline_asm(None, [], "s_nop 1", "")
        rocdl.s_barrier()
        if fx.const_expr(arch == "gfx1250"):
            rocdl.disable_xdl_arb_stall()
            rocdl.s_wait_tensorcnt(0)
            rocdl.s_wait_asynccnt(0)
        if fx.const_expr(arch.startswith("gfx12")):
            rocdl.s_wait_loadcnt(0)
            rocdl.s_wait_storecnt(0)
            rocdl.s_wait_dscnt(0)
            rocdl.s_wait_expcnt(0)
        if fx.const_expr(arch != "gfx1250"):
            rocdl.s_waitcnt(vmcnt=0, lgkmcnt=0)
        fx.atomic_add(fx.get_iter(dst), fx.Int32(1), syncscope=rocdl.SyncScope.Agent)
        dst[fx.thread_idx.x + 1] = src[fx.thread_idx.x]

    src, dst = np.arange(64, dtype=np.int32), np.zeros(65, np.int32)
    run(kernel, src, dst)
    np.testing.assert_array_equal(dst, np.concatenate([[64], src]))


#===----------------------------------------------------------------------===#
# What a chip lacks
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("arch, use, message", [
    ("gfx942", lambda: rocdl.wave_id(), "rocdl.wave_id is not available on gfx942: the chip lacks the feature 'split-barrier'"),
    ("gfx950", lambda: rocdl.cluster_workgroup_id_y(), "rocdl.cluster_workgroup_id_y is not available on gfx950: the chip lacks the feature"),
    ("gfx1201", lambda: rocdl.cluster.cluster_wait(), "rocdl.cluster is not available on gfx1201"),
    ("gfx1201", lambda: rocdl.cluster.cluster_signal_once_per_wg(), "rocdl.cluster is not available on gfx1201"),
    ("gfx950", lambda: rocdl.cluster_load_async_to_lds(None, None, 4), "rocdl.cluster_load_async_to_lds is not available on gfx950"),
    ("gfx1250", lambda: rocdl.cluster_load_async_to_lds(None, None, 2), "size_bytes must be 1, 4, 8 or 16, got 2"),
    ("gfx950", lambda: rocdl.tensor_load_to_lds(None, None), "rocdl.tensor_load_to_lds is not available on gfx950"),
    ("gfx942", lambda: rocdl.cvt_scalef32_pk_f32_fp4(T.f32x2, 0, 1.0, 0), "rocdl.cvt_scalef32_pk_f32_fp4 is not available on gfx942"),
    ("gfx950", lambda: rocdl.cvt_scalef32_pk_fp4_f32(T.i32, 0, 1.0, 1.0, 1.0, 4), "cvt_scalef32_pk_fp4_f32: sel must be 0 to 3, got 4"),
    ("gfx942", lambda: rocdl.lds_transpose_load(T.i32x2, None, 0, 1), "lds_transpose_load is not available on gfx942; gfx950 and gfx1250 have it"),
    ("gfx1100", lambda: rocdl.disable_xdl_arb_stall(), "disable_xdl_arb_stall is of gfx1250, not of gfx1100"),
    ("gfx1100", lambda: rocdl.s_setprio(4), "s_setprio: the priority must be 0 to 3, got 4"),
])
def test_refusals(on, arch, use, message):
    on(arch)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        use()

    with pytest.raises(ValueError, match=message) as caught:
        run(kernel, np.zeros(1, np.int32), np.zeros(1, np.int32))
    assert "test_instructions_on_cpu.py" in "\n".join(getattr(caught.value, "__notes__", []))
