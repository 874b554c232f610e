# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel authoring guide, sections 4.1, 4.2 and 4.4: numbers, vectors, GPU operations."""
import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.expr import gpu
from flydsl.expr.typing import Vector as Vec
from guide_support import isa

pytestmark = pytest.mark.usefixtures("chip")


# 4.1

@flyc.kernel
def numbers_kernel(src: fx.Tensor, out: fx.Tensor, tile_size: fx.Int32):
    i = gpu.thread_idx.x
    a, b = src[i, 0], src[i, 1]
    count = a

    # Constants (prefer DSL numeric types)
    c42 = fx.Int64(42)
    c3_14 = fx.Float32(3.14)
    mask = fx.Int32(0xFF)

    out[i, 0] = a + b
    out[i, 1] = a * 2
    out[i, 2] = a // 4
    out[i, 3] = a % 16
    largest = fx.max(a, b)
    smallest = fx.min(a, b)
    tiles = fx.ceildiv(count, tile_size)
    out[i, 4] = largest
    out[i, 5] = smallest
    out[i, 6] = tiles

    # Cast (prefer DSL numeric constructors)
    i64_val = fx.Int64(a)
    i32_val = fx.Int32(i64_val * c42)
    assert isinstance(i64_val, fx.Int64) and str(i64_val.ir_value().type) == "i64" and isinstance(i32_val, fx.Int32)
    out[i, 7] = i32_val

    # Select
    cond = a < b
    out[i, 8] = cond.select(a, b)

    # Bitwise
    out[i, 9] = a & b
    out[i, 10] = a ^ b
    out[i, 11] = a << 4
    out[i, 12] = a & mask
    out[i, 13] = fx.Int32(fx.Float32(a) * c3_14)


@flyc.jit
def numbers(src: fx.Tensor, out: fx.Tensor, tile_size: fx.Int32):
    numbers_kernel(src, out, tile_size).launch(grid=1, block=64)


def test_4_1_numbers():
    rng = np.random.default_rng(3)
    src = rng.integers(-1000, 1000, (64, 2)).astype(np.int32)
    out = np.zeros((64, 14), np.int32)
    numbers(flyc.from_dlpack(src), flyc.from_dlpack(out), 7)
    a, b = src.T
    # `//` and `%` have Python's sign.
    want = [a + b, a * 2, a // 4, a % 16, np.maximum(a, b), np.minimum(a, b), -(-a // 7), a * 42, np.where(a < b, a, b), a & b,
            a ^ b, a << 4, a & 0xFF, np.trunc(a.astype(np.float32) * np.float32(3.14)).astype(np.int32)]
    np.testing.assert_array_equal(out, np.stack(want, axis=1))


@flyc.kernel
def extrema_kernel(out: fx.Tensor, nan: fx.Float32):
    out[0] = fx.max(nan, 1.0)
    out[1] = fx.min(nan, 1.0)
    out[2] = fx.maxnumf(nan, fx.Float32(1.0))
    out[3] = fx.arith.mulf(nan, fx.Float32(2.0), fastmath=fx.FastMathFlags.contract)
    assert isinstance(fx.ceildiv(fx.Int32(2**31 - 1), 2), fx.Int32)
    out[4] = fx.Float32(fx.ceildiv(fx.Int32(2**31 - 1), 2))  # does not overflow on its way
    shape = fx.ceil_div(fx.make_int_tuple((9, 16)), fx.make_int_tuple((4, 8)))
    assert shape.to_py_value() == (3, 2)


@flyc.jit
def extrema(out: fx.Tensor, nan: fx.Float32):
    extrema_kernel(out, nan).launch(grid=1, block=1)


def test_4_1_extrema_and_ceildiv():
    out = np.zeros(5, np.float32)
    extrema(out, float("nan"))
    assert np.isnan(out[[0, 1, 3]]).all() and out[2] == 1 and out[4] == 2.0**30


def test_4_1_index_stays_usable():
    assert fx.Index(42).value == 42 and str(fx.Index) and fx.Index.width == 64


# 4.2

@flyc.kernel
def vectors_kernel(out: fx.Tensor, elem_out: fx.Tensor, idx: fx.Int32):
    a, b, c, d = (fx.Int32(gpu.thread_idx.x) + n for n in range(4))
    vec = Vec.from_elements([a, b, c, d], fx.Float32)
    assert vec.dtype is fx.Float32 and vec.shape == (4, )

    # Vector store to memref
    vec.store(out, [idx])

    elem = vec[idx]
    as_i32 = vec.bitcast(fx.Int32)
    as_bf16 = vec.to(fx.BFloat16)
    assert isinstance(elem, fx.Float32) and as_i32.dtype is fx.Int32 and as_bf16.dtype is fx.BFloat16
    elem_out[0] = elem
    elem_out[1] = fx.Float32(as_i32[1])
    elem_out[2] = fx.Float32(as_bf16[2] * 3)


@flyc.jit
def vectors(out: fx.Tensor, elem_out: fx.Tensor, idx: fx.Int32):
    vectors_kernel(out, elem_out, idx).launch(grid=1, block=1)


def test_4_2_vectors():
    out, elem_out = np.zeros(8, np.float32), np.zeros(3, np.float32)
    vectors(out, elem_out, 3)
    np.testing.assert_array_equal(out, [0, 0, 0, 0, 1, 2, 3, 0])
    np.testing.assert_array_equal(elem_out, [3, 0x3F800000, 6])


# 4.4 and 8

def test_4_4_gpu_operations():
    seen = []

    @flyc.kernel
    def kernel(out: fx.Tensor):
        addrspace = gpu.smem_space()
        addrspace_int = gpu.smem_space(int=True)
        seen.append((str(addrspace), addrspace_int))
        shared = fx.SharedAllocator().allocate(fx.Array[fx.Int32, 64]).peek()
        shared[gpu.thread_idx.x] = gpu.thread_idx.x
        # Barrier (workgroup synchronization)
        gpu.barrier()
        out[gpu.thread_idx.x] = shared[63 - gpu.thread_idx.x]

    @flyc.jit
    def launch(out: fx.Tensor):
        kernel(out).launch(grid=1, block=64)

    out = np.zeros(64, np.int32)
    launch(out)
    np.testing.assert_array_equal(out, 63 - np.arange(64))
    assert seen == [("#gpu.address_space<workgroup>", 2)]


def test_8_the_barrier_is_that_of_the_chip(every_chip, compile_only):

    @flyc.kernel
    def kernel(out: fx.Tensor):
        out[0] = 1
        gpu.barrier()
        out[1] = 2

    @flyc.jit
    def launch(out: fx.Tensor):
        kernel(out).launch(grid=1, block=128)

    launch(np.zeros(2, np.int32))
    assert "s_barrier" in isa(launch)
