# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel authoring guide, sections 5 to 7: control flow, shared memory, launch configuration."""
import warnings

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.expr import const_expr, gpu, range_constexpr
from flydsl.runtime.device import SMEM_CAPACITY_MAP, check_smem_capacity
from guide_support import in_kernel

pytestmark = pytest.mark.usefixtures("chip")


# 5.1

def test_5_1_loops():

    @flyc.kernel
    def my_kernel(data: fx.Tensor, runtime_value: fx.Int32, N: fx.Constexpr[int]):
        # Compile-time unrolled loop
        for i in range_constexpr(N):
            data[i] = i + 1

        # Runtime loop (lowered by the AST rewriter)
        total = fx.Int32(0)
        for i in range(runtime_value):
            total += data[i]
        data[N] = total

    @flyc.jit
    def launch(data: fx.Tensor, runtime_value: fx.Int32, N: fx.Constexpr[int]):
        my_kernel(data, runtime_value, N).launch(grid=1, block=1)

    for runtime_value in (0, 1, 4):
        data = np.zeros(5, np.int32)
        launch(data, runtime_value, 4)
        assert data.tolist() == [1, 2, 3, 4, sum(range(1, runtime_value + 1))]
    text = launch._last_compiled[1].source_ir
    assert text.count("scf.for") == 1 and launch.cache_info().misses == 1


# 5.2

def test_5_2_const_expr():

    @flyc.kernel
    def my_kernel(data: fx.Tensor, N: fx.Constexpr[int]):
        tile_size = const_expr(N // 4)
        assert tile_size == 2 and isinstance(tile_size, int)
        for i in range_constexpr(tile_size):
            data[i] = 1
        if const_expr(N > 4):
            chosen = 5
        else:
            chosen = 6
        data[tile_size] = chosen

    @flyc.jit
    def launch(data: fx.Tensor, N: fx.Constexpr[int]):
        my_kernel(data, N).launch(grid=1, block=1)

    data = np.zeros(4, np.int32)
    launch(data, 8)
    assert data.tolist() == [1, 1, 5, 0]
    text = launch._last_compiled[1].source_ir
    assert "scf." not in text


# 6.1

red_slots = 8


# Declare the LDS layout. Fields may be conditional on compile-time config.
@fx.struct
class SharedStorage:
    s_red: fx.Array[fx.Float32, red_slots, 16]
    if red_slots > 4:
        s_red2: fx.Array[fx.Float32, red_slots, 16]


@flyc.kernel
def shared_kernel(out: fx.Tensor, static: fx.Constexpr[bool]):
    tid = gpu.thread_idx.x
    # Allocate the storage struct in LDS (inside the @kernel body).
    allocator = fx.SharedAllocator() if const_expr(static) else fx.SharedAllocator(static=False)
    lds = allocator.allocate(SharedStorage).peek()
    assert allocator.allocated_bytes == 64 and allocator.is_static == static

    # Get a logical view over each field and use it with the layout API.
    s_red = lds.s_red.view(fx.make_layout(red_slots, 1))
    s_red2 = lds.s_red2.view(fx.make_layout(red_slots, 1))
    s_red[tid] = fx.Float32(tid)
    s_red2[tid] = fx.Float32(tid * 10)
    gpu.barrier()
    out[tid] = s_red[7 - tid] + s_red2[7 - tid]


@flyc.jit
def shared(out: fx.Tensor, static: fx.Constexpr[bool], smem: fx.Constexpr):
    shared_kernel(out, static).launch(grid=1, block=red_slots, smem=smem)


@pytest.mark.parametrize("static, smem", [(True, None), (False, None), (False, 64), (False, 100)])
def test_6_1_shared_allocator(every_chip, static, smem):
    out = np.zeros(red_slots, np.float32)
    shared(out, static, smem)
    np.testing.assert_array_equal(out, np.arange(8)[::-1] * 11)
    text = shared._last_compiled[1].source_ir
    # The size of dynamic memory is inferred.
    assert ("dynamic_shared_memory_size" in text) == (not static)


def test_6_1_explicit_size_must_suffice():
    with pytest.raises(ValueError, match="smem"):
        shared(np.zeros(red_slots, np.float32), False, 63)


def test_6_1_only_in_kernels():
    with pytest.raises(RuntimeError, match="kernel"):
        fx.SharedAllocator()


# 6.2

def test_6_2_legacy_allocator():
    from flydsl.expr.typing import T
    from flydsl.utils.smem_allocator import SmemAllocator, SmemPtr
    with in_kernel("gfx942", "index", "f32") as k, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        index, value = k.arguments
        allocator = SmemAllocator(None, arch="gfx942")
        offset = allocator._align(allocator.ptr, 16)
        allocator.ptr = offset + 64 * 4
        from flydsl._mlir import ir
        from flydsl.compiler.kernel_function import CompilationContext
        with ir.InsertionPoint.at_block_begin(CompilationContext.get_current().gpu_module.regions[0].blocks[0]):
            allocator.finalize()
        pointer = SmemPtr(allocator.get_base(), offset, T.f32, shape=(64, ))
        pointer.store(value, [index])
        assert str(pointer.load([index]).type) == "f32"
    assert "memref.global" in k.text and "smem_storage" in k.text and "256xi8" in k.text


# 6.3

def test_6_3_capacities():
    kib = {"gfx942": 64, "gfx950": 160, "gfx1201": 64, "gfx1250": 320}
    assert {name: SMEM_CAPACITY_MAP[name] >> 10 for name in kib} == kib
    check_smem_capacity(64 << 10, "gfx942")
    with pytest.raises(RuntimeError, match="65537 bytes.*gfx942.* 65536 bytes"):
        check_smem_capacity((64 << 10) + 1, "gfx942")


# 7.1

@flyc.kernel
def where_kernel(data: fx.Tensor):
    block = (gpu.block_idx.z * gpu.grid_dim.y + gpu.block_idx.y) * gpu.grid_dim.x + gpu.block_idx.x
    thread = (gpu.thread_idx.z * gpu.block_dim.y + gpu.thread_idx.y) * gpu.block_dim.x + gpu.thread_idx.x
    size = gpu.block_dim.x * gpu.block_dim.y * gpu.block_dim.z
    data[block * size + thread] = block


@flyc.jit
def where(data: fx.Tensor, grid: fx.Constexpr, block: fx.Constexpr, stream: fx.Stream = fx.Stream(None)):
    where_kernel(data).launch(grid=grid, block=block, smem=0, stream=stream)


@pytest.mark.parametrize("grid, block", [(3, 64), ((3, ), (64, )), ((3, 2), (8, 4)), ((3, 2, 2), (4, 2, 8)), ((1, 1, 3), 32)])
def test_7_1_missing_dimensions_are_one(grid, block):
    blocks, threads = int(np.prod(grid)), int(np.prod(block))
    data = np.full(blocks * threads, -1, np.int32)
    where(data, grid, block)
    np.testing.assert_array_equal(data, np.repeat(np.arange(blocks), threads))


# 7.2

@flyc.kernel
def rows_kernel(data: fx.Tensor, M: fx.Int32):
    data[gpu.block_idx.x * gpu.block_dim.x + gpu.thread_idx.x] = M


@flyc.jit
def rows(data: fx.Tensor, M: fx.Int32, stream: fx.Stream = fx.Stream(None)):
    grid_x = M // 256
    rows_kernel(data, M).launch(grid=(grid_x, 1, 1), block=(256, 1, 1), stream=stream)


@flyc.jit
def raw_rows(data: fx.Tensor, M: fx.Int32, threads: fx.Int32):
    # An ir.Value, and a block size that only the call knows.
    grid_x = (M // threads).ir_value()
    rows_kernel(data, M).launch(grid=grid_x, block=(threads, 1, 1))


def test_7_2_dynamic_sizes():
    for m in (256, 1000):
        data = np.zeros(1024, np.int32)
        rows(data, m)
        np.testing.assert_array_equal(data, np.where(np.arange(1024) < m // 256 * 256, m, 0))
    assert rows.cache_info().misses == 1
    for threads in (32, 128):
        data = np.zeros(1024, np.int32)
        raw_rows(data, 500, threads)
        np.testing.assert_array_equal(data, np.where(np.arange(1024) < 500 // threads * threads, 500, 0))
