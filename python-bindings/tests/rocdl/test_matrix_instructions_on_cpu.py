# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix instructions by their names, run on the CPU target. Each lane's registers are filled by the chips' documented
order, given here once more.
"""

import numpy as np
import pytest
from test_matrices_on_cpu import FP4, fp4, fp8

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl._mlir.dialects.llvm import bitcast
from flydsl.expr import rocdl
from flydsl.expr.typing import T


def run(kernel, a, b, c, block):
    @flyc.jit
    def call(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
        kernel(a, b, c).launch(grid=1, block=block)
    call(*map(flyc.from_dlpack, (a, b, c)))


# Name: M (= N), K, kind of the numbers, the register type of an operand, chips.
MFMA = {
    "mfma_f32_16x16x16f16": (16, 16, "f16", lambda: T.vec(4, T.f16), ("gfx90a", "gfx942", "gfx950")),
    "mfma_f32_32x32x8f16": (32, 8, "f16", lambda: T.vec(4, T.f16), ("gfx90a", "gfx942", "gfx950")),
    "mfma_f32_16x16x16bf16_1k": (16, 16, "bf16", lambda: T.vec(4, T.i16), ("gfx90a", "gfx942", "gfx950")),
    "mfma_f32_32x32x8bf16_1k": (32, 8, "bf16", lambda: T.vec(4, T.i16), ("gfx90a", "gfx942", "gfx950")),
    "mfma_f32_16x16x32_f16": (16, 32, "f16", lambda: T.vec(8, T.f16), ("gfx950",)),
    "mfma_f32_32x32x16_f16": (32, 16, "f16", lambda: T.vec(8, T.f16), ("gfx950",)),
    "mfma_f32_16x16x32_bf16": (16, 32, "bf16", lambda: T.vec(8, T.bf16), ("gfx950",)),
    "mfma_f32_32x32x16_bf16": (32, 16, "bf16", lambda: T.vec(8, T.bf16), ("gfx950",)),
    "mfma_f32_16x16x32_fp8_fp8": (16, 32, "fp8", lambda: T.i64, ("gfx950",)),
    "mfma_i32_16x16x32_i8": (16, 32, "i8", lambda: T.i64, ("gfx942", "gfx950")),
}


def numbers(kind, shape, rng):
    """(bytes as int8, values) of a random matrix; the last axis of the bytes is as wide as an element."""
    if kind == "i8":
        bits = rng.integers(-128, 128, shape).astype(np.int8)
        return bits.reshape(*shape, 1), bits.astype(np.int64)
    if kind == "fp8":
        bits = (rng.integers(0, 0x50, shape) | rng.integers(0, 2, shape) << 7).astype(np.uint8)
        return bits.view(np.int8).reshape(*shape, 1), fp8(bits)
    values = rng.integers(-8, 9, shape).astype(np.float32)
    bits = values.astype(np.float16).view(np.int8) if kind == "f16" else (values.view(np.uint32) >> 16).astype(np.uint16).view(np.int8)
    return bits.reshape(*shape, 2), values.astype(np.float64)


@pytest.mark.parametrize("name, arch", [(name, arch) for name, row in MFMA.items() for arch in row[4]])
def test_mfma(monkeypatch, name, arch):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", arch)
    size, depth, kind, operand, _ = MFMA[name]
    groups = 64 // size
    each = depth // groups
    count = size * size // 64
    is_int = kind == "i8"

    @flyc.kernel
    def kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
        lane = fx.thread_idx.x
        row, group = lane % size, lane // size
        wide = a.shape[2]
        left, right = fx.make_rmem_tensor(each * wide, fx.Int8), fx.make_rmem_tensor(each * wide, fx.Int8)
        for i in fx.range_constexpr(each):
            for byte in fx.range_constexpr(wide):
                left[i * wide + byte] = a[row, group * each + i, byte]
                right[i * wide + byte] = b[row, group * each + i, byte]
        packed = [bitcast(operand(), fx.Vector(side.load()).ir_value()) for side in (left, right)]
        dtype = fx.Int32 if is_int else fx.Float32
        result = fx.Vector(getattr(rocdl, name)(T.vec(count, dtype.ir_type), [*packed, fx.full(count, 1, dtype)]))
        for i in fx.range_constexpr(count):
            c[8 * (i // 4) + 4 * group + i % 4 if size == 32 else group * 4 + i, row] = result[i]

    rng = np.random.default_rng(7)
    (a, left), (b, right) = numbers(kind, (size, depth), rng), numbers(kind, (size, depth), rng)
    c = np.zeros((size, size), np.int32 if is_int else np.float32)
    run(kernel, a, b, c, 64)
    np.testing.assert_allclose(c, left @ right.T + 1, rtol=1e-6)


def test_scaled_mfma_of_32_rows(monkeypatch):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx950")

    @flyc.kernel
    def kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
        lane = fx.thread_idx.x
        row, group = lane % 32, lane // 32
        left, right = fx.make_rmem_tensor(32, fx.Int8), fx.make_rmem_tensor(32, fx.Int8)
        for i in fx.range_constexpr(32):
            left[i] = a[row, i // 16 * 32 + group * 16 + i % 16]
            right[i] = b[row, i // 16 * 32 + group * 16 + i % 16]
        # Scales of 2 for the first 32 k of A, of 1/4 for all of B.
        scale = fx.Int32(128) - group
        result = fx.Vector(rocdl.mfma_scale_f32_32x32x64_f8f6f4(T.vec(16, T.f32), [
            fx.Vector(left.load()).bitcast(fx.Int32), fx.Vector(right.load()).bitcast(fx.Int32), fx.full(16, 0.0, fx.Float32), 0, 0, 0, scale, 0, 125]))
        for i in fx.range_constexpr(16):
            c[8 * (i // 4) + 4 * group + i % 4, row] = result[i]

    rng = np.random.default_rng(8)
    (a, left), (b, right) = numbers("fp8", (32, 64), rng), numbers("fp8", (32, 64), rng)
    c = np.zeros((32, 32), np.float32)
    run(kernel, a[..., 0], b[..., 0], c, 64)
    left = left * np.repeat([2.0, 1.0], 32)
    np.testing.assert_allclose(c, left @ right.T / 4, rtol=1e-5, atol=1e-4)


def test_wmma_of_eight_bit_floats(monkeypatch):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx1250")

    @flyc.kernel
    def kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
        lane = fx.thread_idx.x
        row, half = lane % 16, lane // 16
        left, right = fx.make_rmem_tensor(64, fx.Int8), fx.make_rmem_tensor(64, fx.Int8)
        for i in fx.range_constexpr(64):
            # Runs of 8 k, the halves of the wave by turns.
            left[i] = a[row, i // 8 * 16 + half * 8 + i % 8]
            right[i] = b[row, i // 8 * 16 + half * 8 + i % 8]
        vector_a, vector_b = (fx.Vector(side.load()).bitcast(fx.Int32) for side in (left, right))
        # C is negated: modC = 1.
        result = fx.Vector(rocdl.wmma_f32_16x16x128_fp8_fp8(T.vec(8, T.f32), vector_a, vector_b, fx.full(8, 3.0, fx.Float32), modC=1))
        for i in fx.range_constexpr(8):
            c[half * 8 + i, row] = result[i]

    rng = np.random.default_rng(9)
    (a, left), (b, right) = numbers("fp8", (16, 128), rng), numbers("fp8", (16, 128), rng)
    c = np.zeros((16, 16), np.float32)
    run(kernel, a[..., 0], b[..., 0], c, 32)
    np.testing.assert_allclose(c, left @ right.T - 3, rtol=1e-5, atol=1e-4)


def test_scaled_wmma_of_32_rows(monkeypatch):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx1250")

    @flyc.kernel
    def kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
        lane = fx.thread_idx.x
        row, half = lane % 16, lane // 16
        left, right = fx.make_rmem_tensor(64, fx.Int8), fx.make_rmem_tensor(32, fx.Int8)
        for i in fx.range_constexpr(64):
            left[i] = a[row + i // 32 * 16, i // 16 % 2 * 32 + half * 16 + i % 16]
        for i in fx.range_constexpr(32):
            right[i] = b[row, i // 16 * 32 + half * 16 + i % 16]
        vector_a, vector_b = (fx.Vector(side.load()).bitcast(fx.Int32) for side in (left, right))
        # Lane l has the scales of row l of A: 2 for even rows; of B 1/2 for the first 32 k.
        scale_a = fx.Int32(0x7F7F7F7F) + (1 - lane % 2) * 0x01010101
        result = fx.Vector(rocdl.wmma_scale_f32_32x16x128_f4(T.vec(16, T.f32), vector_a, vector_b, fx.full(16, 0.0, fx.Float32), scale_a, 0x7F7F7F7E))
        for i in fx.range_constexpr(16):
            c[i // 8 * 16 + half * 8 + i % 8, row] = result[i]

    rng = np.random.default_rng(10)
    a, b = (rng.integers(0, 256, (rows, 64)).astype(np.uint8) for rows in (32, 16))
    c = np.zeros((32, 16), np.float32)
    run(kernel, a.view(np.int8), b.view(np.int8), c, 32)
    left, right = fp4(a) * np.where(np.arange(32) % 2, 1, 2)[:, None], fp4(b) * np.where(np.arange(128) < 32, 0.5, 1)
    assert len(FP4) == 8
    np.testing.assert_allclose(c, left @ right.T, rtol=1e-5, atol=1e-4)


# Atom, its operands' kind, K, chips.
@pytest.mark.parametrize("make, kind, depth, arch", [
    (lambda: rocdl.MFMA(16, 16, 16, fx.Float16), "f16", 16, "gfx942"), (lambda: rocdl.cdna3.MFMA(16, 16, 16, fx.BFloat16), "bf16", 16, "gfx90a"),
    (lambda: rocdl.cdna4.MFMA(16, 16, 32, fx.Float16), "f16", 32, "gfx950"), (lambda: rocdl.rdna3.WMMA(16, 16, 16, fx.Float16), "f16", 16, "gfx1100"),
    (lambda: rocdl.rdna4.WMMA(16, 16, 16, fx.BFloat16), "bf16", 16, "gfx1201"), (lambda: rocdl.cdna5.WMMA(16, 16, 32, fx.Float16), "f16", 32, "gfx1250"),
    (lambda: rocdl.WMMA(16, 16, 64, fx.Int8), "i8", 64, "gfx1250"), (lambda: rocdl.WMMA(16, 16, 4, fx.Float32), "f32", 4, "gfx1250"),
])
def test_atoms(monkeypatch, make, kind, depth, arch):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", arch)
    elements = {"f16": fx.Float16, "bf16": fx.BFloat16, "i8": fx.Int8, "f32": fx.Float32}[kind]
    out = fx.Int32 if kind == "i8" else fx.Float32

    @flyc.kernel
    def kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
        mma = fx.make_tiled_mma(fx.make_mma_atom(make()), fx.make_layout((1, 1, 1), (0, 0, 0)))
        thread = mma.get_slice(fx.thread_idx.x)
        copy, store = fx.make_copy_atom(fx.UniversalCopy(elements.width), elements), fx.make_copy_atom(fx.UniversalCopy32b(), out)
        left, right, total = thread.make_fragment_A(a), thread.make_fragment_B(b), thread.make_fragment_C(c)
        total.fill(0)
        in_a, in_b = (maker(copy, mma).get_slice(fx.thread_idx.x) for maker in (fx.make_tiled_copy_A, fx.make_tiled_copy_B))
        fx.copy(copy, in_a.partition_S(a), in_a.retile(left))
        fx.copy(copy, in_b.partition_S(b), in_b.retile(right))
        fx.gemm(mma, total, left, right, total)
        to = fx.make_tiled_copy_C(store, mma).get_slice(fx.thread_idx.x)
        fx.copy(store, to.retile(total), to.partition_D(c))

    rng = np.random.default_rng(11)
    values = [rng.integers(-8, 9, (16, depth)) for _ in range(2)]
    if kind == "bf16":
        ml_dtypes = pytest.importorskip("ml_dtypes")
        a, b = (value.astype(ml_dtypes.bfloat16) for value in values)
    else:
        a, b = (value.astype({"f16": np.float16, "i8": np.int8, "f32": np.float32}[kind]) for value in values)
    c = np.zeros((16, 16), np.int32 if kind == "i8" else np.float32)
    run(kernel, a, b, c, 64 if arch.startswith("gfx9") else 32)
    np.testing.assert_array_equal(c, values[0] @ values[1].T)


@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
@pytest.mark.parametrize("cbsz, abid", [(0, 0), (0, 1), (0, 3), (2, 1)])
def test_sparse_mfma(monkeypatch, arch, cbsz, abid):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", arch)

    @flyc.kernel
    def kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor, indices: fx.Tensor, d: fx.Tensor):
        lane = fx.thread_idx.x
        halves = [fx.Vector.from_elements([x[lane, i] for i in range(count)]) for x, count in ((a, 4), (b, 8), (c, 4))]
        found = fx.Vector(rocdl.smfmac_f32_16x16x32_f16(T.vec(4, T.f32), [*halves, indices[lane], cbsz, abid]))
        for i in fx.range_constexpr(4):
            d[lane, i] = found[i]

    @flyc.jit
    def call(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor, indices: fx.Tensor, d: fx.Tensor):
        kernel(a, b, c, indices, d).launch(grid=1, block=64)

    rng = np.random.default_rng(cbsz + abid)
    a, b, c = (rng.integers(-4, 5, (64, count)).astype(kind) for count, kind in ((4, np.float16), (8, np.float16), (4, np.float32)))
    indices = rng.integers(-2**31, 2**31, 64).astype(np.int32)      # of any values: two elements may name one k
    d = np.zeros_like(c)
    call(a, b, c, indices, d)
    # Lane l has row l % 16 of A and four packed columns from 4 (l / 16), each pair of which stands for two of four k.
    full_a, full_b, full_c = np.zeros((16, 32)), np.zeros((32, 16)), np.zeros((16, 16))
    for lane in range(64):
        row, group = lane % 16, lane // 16
        chosen = (int(indices[lane]) & 0xFFFFFFFF) >> (8 * abid if cbsz == 0 else 0)
        for i in range(4):
            full_a[row, 4 * ((4 * group + i) // 2) + (chosen >> 2 * i & 3)] += float(a[lane, i])
        full_b[8 * group:8 * group + 8, row] = b[lane]
        full_c[4 * group:4 * group + 4, row] = c[lane]
    want = (full_a @ full_b + full_c).reshape(4, 4, 16).swapaxes(1, 2).reshape(64, 4)
    np.testing.assert_array_equal(d, want)
