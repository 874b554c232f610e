# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scaled matrix atoms and instructions, and products of several blocks, compiled and run on the CPU target. The registers
of a lane are filled by the chips' documented order, so that a slip of an atom shows in the numbers."""

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.expr import rocdl
from flydsl.expr.typing import T

FP4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def fp8(bits):
    """f8E4M3FN of finite bits."""
    bits = np.asarray(bits).astype(np.int64)
    exponent, mantissa = bits >> 3 & 15, bits & 7
    magnitude = np.where(exponent == 0, mantissa / 8 * 2.0**-6, (1 + mantissa / 8) * 2.0 ** (exponent - 7.0))
    return np.where(bits & 0x80, -magnitude, magnitude)


def fp4(packed):
    """f4E2M1FN, two to a byte, the lower half first."""
    packed = np.asarray(packed).astype(np.int64) & 0xFF
    nibbles = np.stack([packed & 15, packed >> 4], axis=-1).reshape(packed.shape[0], -1)
    return np.where(nibbles & 8, -FP4[nibbles & 7], FP4[nibbles & 7])


def operands(rows_b=16):
    """A of 16 x 128 f8E4M3FN, B of rows_b x 128 f4E2M1FN, and their scales for each 32 k; all as int8 and as numbers."""
    rng = np.random.default_rng(3)
    # Magnitudes up to 1.9, so that sums stay exact enough.
    a = (rng.integers(0, 0x40, (16, 128)) | rng.integers(0, 2, (16, 128)) << 7).astype(np.uint8).view(np.int8)
    b = rng.integers(0, 256, (rows_b, 64)).astype(np.uint8).view(np.int8)
    sa, sb = (rng.integers(120, 134, (rows, 4)).astype(np.int32) for rows in (16, rows_b))
    number_a = fp8(a.view(np.uint8)) * np.repeat(2.0 ** (sa - 127.0), 32, axis=1)
    number_b = fp4(b.view(np.uint8)) * np.repeat(2.0 ** (sb - 127.0), 32, axis=1)
    return a, b, sa, sb, number_a @ number_b.T


@flyc.kernel
def mfma_scale_kernel(a: fx.Tensor, b: fx.Tensor, sa: fx.Tensor, sb: fx.Tensor, c: fx.Tensor, how: fx.Constexpr[str]):
    lane = fx.thread_idx.x
    row, group = lane % 16, lane // 16
    left, right = fx.make_rmem_tensor(32, fx.Int8), fx.make_rmem_tensor(16, fx.Int8)
    for i in fx.range_constexpr(32):
        left[i] = a[(row, i // 16 * 64 + group * 16 + i % 16)]
    for i in fx.range_constexpr(16):
        right[i] = b[(row, group * 16 + i)]
    # The scale of A in byte 1, that of B in byte 3.
    word_a, word_b = sa[(row, group)] << 8, sb[(row, group)] << 24
    total = fx.make_rmem_tensor(4, fx.Float32)
    for i in fx.range_constexpr(4):
        total[i] = fx.Float32(0.0)
    if fx.const_expr(how == "instruction"):
        vector_a = fx.Vector(left.load()).bitcast(fx.Int32)
        vector_b = fx.Vector(right.load()).bitcast(fx.Int32)
        result = fx.Vector(rocdl.mfma_scale_f32_16x16x128_f8f6f4(
            T.f32x4, [vector_a, vector_b, total.load(), 0, 4, 1, word_a, 3, word_b]))
        for i in fx.range_constexpr(4):
            total[i] = result[i]
    else:
        make = rocdl.cdna4.MFMA_Scale if how == "state" else rocdl.cdna4.MFMAScale
        atom = fx.make_mma_atom(make(16, 16, 128, fx.Float8E4M3FN, fx.Float4E2M1FN, opsel_a=1, opsel_b=3))
        if fx.const_expr(how == "state"):
            fx.mma_atom_call(atom, total, left, right, total, scale_a=word_a, scale_b=word_b)
        else:
            scale_a, scale_b = fx.make_rmem_tensor(1, fx.Int32), fx.make_rmem_tensor(1, fx.Int32)
            scale_a[0] = word_a
            scale_b[0] = word_b
            fx.mma_atom_call(atom, total, [left, scale_a], [right, scale_b], total)
    for i in fx.range_constexpr(4):
        c[(group * 4 + i, row)] = total[i]


@flyc.jit
def mfma_scale(a: fx.Tensor, b: fx.Tensor, sa: fx.Tensor, sb: fx.Tensor, c: fx.Tensor, how: fx.Constexpr[str]):
    mfma_scale_kernel(a, b, sa, sb, c, how).launch(grid=(1,), block=(64,))


@pytest.mark.parametrize("how", ["state", "group", "instruction"])
def test_scaled_mfma(monkeypatch, how):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx950")
    a, b, sa, sb, want = operands()
    c = np.zeros((16, 16), np.float32)
    mfma_scale(*map(flyc.from_dlpack, (a, b, sa, sb, c)), how)
    np.testing.assert_allclose(c, want, rtol=1e-5, atol=1e-4)


@flyc.kernel
def wmma_scale_kernel(a: fx.Tensor, b: fx.Tensor, sa: fx.Tensor, sb: fx.Tensor, c: fx.Tensor, atomic: fx.Constexpr[bool]):
    lane = fx.thread_idx.x
    row, half = lane % 16, lane // 16
    left, right = fx.make_rmem_tensor(64, fx.Int8), fx.make_rmem_tensor(32, fx.Int8)
    for i in fx.range_constexpr(64):
        left[i] = a[(row, i // 16 * 32 + half * 16 + i % 16)]
    for i in fx.range_constexpr(32):
        right[i] = b[(row, i // 16 * 32 + half * 16 + i % 16)]
    word_a = sa[(row, 0)] | sa[(row, 1)] << 8 | sa[(row, 2)] << 16 | sa[(row, 3)] << 24
    word_b = sb[(row, 0)] | sb[(row, 1)] << 8 | sb[(row, 2)] << 16 | sb[(row, 3)] << 24
    total = fx.make_rmem_tensor(8, fx.Float32)
    for i in fx.range_constexpr(8):
        total[i] = fx.Float32(0.0)
    if fx.const_expr(atomic):
        atom = fx.make_mma_atom(rocdl.WMMAScale(16, 16, 128, fx.Float8E4M3FN, fx.Float4E2M1FN, opsel_b=1))
        fx.mma_atom_call(atom, total, left, right, total, scale_a=word_a, scale_b=word_b)
    else:
        vector_a = fx.Vector(left.load()).bitcast(fx.Int32)
        vector_b = fx.Vector(right.load()).bitcast(fx.Int32)
        result = fx.Vector(rocdl.wmma_scale_f32_16x16x128_f8f6f4(T.vec(8, T.f32), vector_a, vector_b, total.load(), word_a, word_b, fmtA=0, fmtB=4, scaleBType=1))
        for i in fx.range_constexpr(8):
            total[i] = result[i]
    for i in fx.range_constexpr(8):
        c[(half * 8 + i, row)] = total[i]


@flyc.jit
def wmma_scale(a: fx.Tensor, b: fx.Tensor, sa: fx.Tensor, sb: fx.Tensor, c: fx.Tensor, atomic: fx.Constexpr[bool]):
    wmma_scale_kernel(a, b, sa, sb, c, atomic).launch(grid=(1,), block=(32,))


@pytest.mark.parametrize("atomic", [True, False])
def test_scaled_wmma(monkeypatch, atomic):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx1250")
    a, b, sa, sb, want = operands()
    c = np.zeros((16, 16), np.float32)
    wmma_scale(*map(flyc.from_dlpack, (a, b, sa, sb, c)), atomic)
    np.testing.assert_allclose(c, want, rtol=1e-5, atol=1e-4)


@flyc.kernel
def blocks_kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
    lane = fx.thread_idx.x
    row, block = lane % 4, lane // 4
    left, right = fx.make_rmem_tensor(4, fx.Float16), fx.make_rmem_tensor(4, fx.Float16)
    total = fx.make_rmem_tensor(4, fx.Float32)
    for i in fx.range_constexpr(4):
        left[i] = a[(block, row, i)]
        right[i] = b[(block, row, i)]
        total[i] = fx.Float32(1.0)
    atom = fx.make_mma_atom(rocdl.MFMA(4, 4, 4, fx.Float16, blocks=16))
    fx.mma_atom_call(atom, total, left, right, total)
    for i in fx.range_constexpr(4):
        c[(block, i, row)] = total[i]


@flyc.jit
def blocks(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
    blocks_kernel(a, b, c).launch(grid=(1,), block=(64,))


@pytest.mark.parametrize("chip", ["gfx90a", "gfx942", "gfx950"])
def test_products_of_several_blocks(monkeypatch, chip):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", chip)
    rng = np.random.default_rng(5)
    a, b = (rng.uniform(-1, 1, (16, 4, 4)).astype(np.float16) for _ in range(2))
    c = np.zeros((16, 4, 4), np.float32)
    blocks(*map(flyc.from_dlpack, (a, b, c)))
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32).transpose(0, 2, 1) + 1, rtol=1e-5, atol=1e-5)


@flyc.kernel
def f64_kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
    lane = fx.thread_idx.x
    row, group = lane % 16, lane // 16
    left, right = fx.make_rmem_tensor(1, fx.Float64), fx.make_rmem_tensor(1, fx.Float64)
    total = fx.make_rmem_tensor(4, fx.Float64)
    left[0] = a[(row, group)]
    right[0] = b[(row, group)]
    for i in fx.range_constexpr(4):
        total[i] = fx.Float64(0.0)
    fx.mma_atom_call(fx.make_mma_atom(rocdl.MFMA(16, 16, 4, fx.Float64)), total, left, right, total)
    for i in fx.range_constexpr(4):
        c[(i * 4 + group, row)] = total[i]


@flyc.jit
def f64(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
    f64_kernel(a, b, c).launch(grid=(1,), block=(64,))


def test_products_of_doubles(monkeypatch):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx90a")
    rng = np.random.default_rng(6)
    a, b = (rng.uniform(-1, 1, (16, 4)) for _ in range(2))
    c = np.zeros((16, 16))
    f64(*map(flyc.from_dlpack, (a, b, c)))
    np.testing.assert_allclose(c, a @ b.T, rtol=1e-14, atol=1e-15)
