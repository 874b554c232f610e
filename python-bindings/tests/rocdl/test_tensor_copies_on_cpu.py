# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor copies of gfx1250, by atoms and by hand-made descriptors, run on the CPU target and compared with NumPy."""

import re

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.expr import rocdl

tdm = rocdl.tdm_ops


@pytest.fixture(autouse=True)
def gfx1250(monkeypatch):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx1250")


def run(kernel, src, dst, *numbers, block=32, grid=1, **launch):
    """Launches `kernel` with two tensors and up to two numbers."""
    if not numbers:
        @flyc.jit
        def call(src: fx.Tensor, dst: fx.Tensor):
            kernel(src, dst).launch(grid=grid, block=block, **launch)
    else:
        @flyc.jit
        def call(src: fx.Tensor, dst: fx.Tensor, m: fx.Int32, n: fx.Int32):
            kernel(src, dst, m, n).launch(grid=grid, block=block, **launch)
    call(flyc.from_dlpack(src), flyc.from_dlpack(dst), *numbers)


def shared(count, dtype=fx.Int32):
    """`count` elements of shared memory."""
    return fx.SharedAllocator().allocate(fx.Array[dtype, count]).peek()


def row_major(shape):
    strides = [1]
    for extent in reversed(shape[1:]):
        strides.insert(0, strides[0] * extent)
    return tuple(strides)


#===----------------------------------------------------------------------===#
# The atom of tiles
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("warps", [1, 2, 4])
@pytest.mark.parametrize("tile", [(64,), (8, 12), (4, 3, 8), (2, 4, 3, 8), (4, 2, 3, 2, 8)])
def test_tiles_of_all_ranks(tile, warps):
    tensor = tuple(extent + 2 for extent in tile)
    count, strides = int(np.prod(tile)), row_major(tensor)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(count)
        lds = fx.make_view(memory.ptr, fx.make_layout(tile, row_major(tile)))
        load = rocdl.make_tdm_atom(src, [None] * len(tile), num_warps=warps)
        store = rocdl.make_tdm_atom(dst, [None] * len(tile), num_warps=warps)
        # The copy takes the whole tile: waves share it by themselves.
        fx.copy_atom_call(load, fx.make_view(fx.get_iter(src), fx.make_layout(tile, strides)), lds)
        tdm.tensor_wait(0)
        fx.gpu.barrier()
        fx.copy_atom_call(store, lds, fx.make_view(fx.get_iter(dst), fx.make_layout(tile, strides)))
        tdm.tensor_wait(0)

    src = np.arange(1, np.prod(tensor) + 1, dtype=np.int32).reshape(tensor)
    dst = np.zeros_like(src)
    run(kernel, src, dst, block=32 * warps)
    box = tuple(slice(extent) for extent in tile)
    want = np.zeros_like(src)
    want[box] = src[box]
    np.testing.assert_array_equal(dst, want)


@pytest.mark.parametrize("dtype", ["Int8", "Float16", "Int32", "Float64"])
def test_ends_of_the_tensor(dtype):
    kind, numpy_type = getattr(fx, dtype), np.dtype(dtype.lower())

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor, rows: fx.Int32, columns: fx.Int32):
        memory = shared(64, kind)
        lds = fx.make_view(memory.ptr, fx.make_layout((4, 16), (16, 1)))
        here = fx.make_view(fx.get_iter(src), fx.make_layout((4, 16), (20, 1)))
        # The stride of the state counts, not that of the view.
        wrong = fx.make_view(fx.get_iter(src), fx.make_layout((4, 16), (16, 1)))
        fx.copy_atom_call(rocdl.make_tdm_atom(src, [rows, columns], strides=[20], num_warps=1), wrong, lds)
        tdm.tensor_wait()
        fx.gpu.barrier()
        out = fx.make_view(fx.get_iter(dst), fx.make_layout((4, 16), (16, 1)))
        fx.copy_atom_call(rocdl.make_tdm_atom(dst, [4, 16], num_warps=1), lds, out)
        # Once more, to behind the first result, with ends of the store.
        atom = fx.atom_set_value(rocdl.make_tdm_atom(dst, [rows, columns], num_warps=1), "imm_offset", fx.Int64(64 * numpy_type.itemsize))
        fx.copy_atom_call(rocdl.make_tdm_atom(src, [None, None], num_warps=1), here, lds)
        tdm.tensor_wait()
        fx.copy_atom_call(atom, lds, out)
        tdm.tensor_wait()

    src = np.arange(80).reshape(4, 20).astype(numpy_type)
    for rows, columns in ((4, 16), (3, 5), (0, 16), (1, 1)):
        dst = np.full((2, 4, 16), 99, numpy_type)
        run(kernel, src, dst, rows, columns)
        want = np.zeros((4, 16), numpy_type)
        want[:rows, :columns] = src[:rows, :columns]
        np.testing.assert_array_equal(dst[0], want)
        want[:] = 99
        want[:rows, :columns] = src[:rows, :columns]
        np.testing.assert_array_equal(dst[1], want)


@pytest.mark.parametrize("warps", [1, 2])
def test_padding(warps):
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(4 * 20)
        for i in fx.range_constexpr(3):
            if fx.thread_idx.x + 32 * i < 80:
                memory[fx.thread_idx.x + 32 * i] = -1
        fx.gpu.barrier()
        atom = rocdl.make_tdm_atom(src, [4, 16], num_warps=warps, pad_interval=16, pad_amount=4, cache_modifier=1)
        fx.copy_atom_call(atom, src, fx.make_view(memory.ptr, fx.make_layout((4, 16), (20, 1))))
        tdm.tensor_wait()
        fx.gpu.barrier()
        for i in fx.range_constexpr(3):
            if fx.thread_idx.x + 32 * i < 80:
                dst[fx.thread_idx.x + 32 * i] = memory[fx.thread_idx.x + 32 * i]

    src, dst = np.arange(64, dtype=np.int32).reshape(4, 16), np.zeros(80, np.int32)
    run(kernel, src, dst, block=32 * warps)
    np.testing.assert_array_equal(dst.reshape(4, 20), np.pad(src, ((0, 0), (0, 4)), constant_values=-1))


def test_atom_from_its_type():
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(64)
        lds = fx.make_view(memory.ptr, fx.make_layout((4, 16), (16, 1)))
        atom = fx.make_copy_atom(rocdl.TDM(2, 1), fx.Int32)
        fx.copy_atom_call(fx.atom_set_value(atom, "extent_0", fx.Int32(3)), src, lds)
        rocdl.tdm_ops.tensor_wait(0)
        # The state may come as a dict; the stride is that of the tensor's rows in memory.
        fx.copy_atom_call(atom.set_value({"extent_1": fx.Int32(10), "stride_0": 32}), lds, dst)
        rocdl.tdm_ops.tensor_wait(0)

    src, memory = np.arange(1, 65, dtype=np.int32).reshape(4, 16), np.full((8, 16), -1, np.int32)
    run(kernel, src, memory[:4])
    want = np.full((8, 16), -1, np.int32)
    want[0:8:2, :10] = np.concatenate([src[:3], np.zeros((1, 16), np.int32)])[:, :10]
    np.testing.assert_array_equal(memory, want)


#===----------------------------------------------------------------------===#
# Atoms driven by coordinates
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("pad", [0, 4])
@pytest.mark.parametrize("warps", [1, 2, 4])
def test_tiled_copies_of_a_matrix(warps, pad):
    # Each workgroup moves the tiles (g, 0), (g, 1), … of 8 x 16.
    columns, tile, stages = 40, (8, 16), 3
    row = tile[1] + pad

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        one = tile[0] * row
        memory = shared(one * stages, fx.Float16)
        layout = fx.make_layout(tile, (row, 1))
        load, source = rocdl.make_tiled_tdm_atom(rocdl.TensorLoad(), src, layout, fx.make_tile(*tile), num_warps=warps)
        lds = fx.make_view(memory.ptr, fx.make_layout((tile, stages), ((row, 1), one)))
        wave, block = fx.thread_idx.x // 32, fx.block_idx.x
        tiles = fx.slice(fx.zipped_divide(source, fx.make_tile(*tile)), (None, (block, None)))
        to, of = rocdl.tdm_partition(load, wave, fx.make_layout(warps, 1), lds, tiles)
        for k in fx.range_constexpr(stages):
            fx.copy(load, fx.slice(of, (None, k)), fx.slice(to, (None, k)))
        tdm.tensor_wait()
        fx.gpu.barrier()
        for k in fx.range_constexpr(stages):
            for i in fx.range_constexpr(4 // warps):
                at = fx.thread_idx.x + 32 * warps * i
                dst[block * tile[0] + at // 16, 16 * k + at % 16] = memory[k * one + at // 16 * row + at % 16]

    src = (np.arange(16 * columns) % 1000).reshape(16, columns).astype(np.float16)
    dst = np.full((16, 48), -1, np.float16)
    run(kernel, src, dst, block=32 * warps, grid=2)
    # The last tile reaches over the end: zeros.
    np.testing.assert_array_equal(dst, np.pad(src, ((0, 0), (0, 8))))


@pytest.mark.parametrize("check", [True, False])
@pytest.mark.parametrize("warps", [1, 2])
def test_tiled_stores(warps, check):
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(64)
        layout = fx.make_layout((4, 16), (16, 1))
        lds = fx.make_view(memory.ptr, fx.make_layout(((4, 16), 1), ((16, 1), 0)))
        load, source = rocdl.make_tiled_tdm_atom(rocdl.TensorLoad(1), src, layout, fx.make_tile(4, 16), num_warps=warps, init_boundary_check=check)
        store, target = rocdl.make_tiled_tdm_atom(rocdl.TensorStore(), dst, layout, fx.make_tile(4, 16), num_warps=warps)
        wave = fx.thread_idx.x // 32
        waves, column = fx.make_layout(warps, 1), (None, (None, 0))
        to, of = rocdl.tdm_partition(load, wave, waves, lds, fx.slice(fx.zipped_divide(source, fx.make_tile(4, 16)), column))
        s, g = rocdl.tdm_partition(store, wave, waves, lds, fx.slice(fx.zipped_divide(target, fx.make_tile(4, 16)), column))
        for at in fx.range_constexpr(2):
            fx.copy(load, fx.slice(of, (None, at)), fx.slice(to, (None, 0)))
            tdm.tensor_wait()
            fx.copy(store, fx.slice(s, (None, 0)), fx.slice(g, (None, at)))
            tdm.tensor_wait()

    memory = np.full((8, 16), -1, np.int32)
    src, dst = np.arange(128, dtype=np.int32).reshape(8, 16), memory[:6]
    run(kernel, src, dst, block=32 * warps)
    np.testing.assert_array_equal(memory[:6], src[:6])
    assert (memory[6:] == -1).all()


def test_boundary_check_by_mode():
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(64)
        layout = fx.make_layout((4, 16), (16, 1))
        atom, source = rocdl.make_tiled_tdm_atom(rocdl.TensorLoad(), src, layout, fx.make_tile(4, 16))
        atom = fx.atom_set_value(atom, "boundary_check", (1, 0))
        tile = fx.slice(fx.zipped_divide(source, fx.make_tile(4, 16)), (None, (1, None)))
        lds = fx.make_view(memory.ptr, fx.make_layout(((4, 16), 1), ((16, 1), 0)))
        s, g = rocdl.tdm_partition(atom, 0, fx.make_layout(1, 1), lds, tile)
        fx.copy(atom, fx.slice(g, (None, 0)), fx.slice(s, (None, 0)))
        tdm.tensor_wait()
        fx.gpu.barrier()
        dst[fx.thread_idx.x], dst[fx.thread_idx.x + 32] = memory[fx.thread_idx.x], memory[fx.thread_idx.x + 32]

    whole = np.arange(8 * 20, dtype=np.int32).reshape(8, 20)
    src, dst = whole[:6, :16], np.zeros(64, np.int32)
    run(kernel, src, dst)
    np.testing.assert_array_equal(dst.reshape(4, 16), np.concatenate([src[4:6], np.zeros((2, 16), np.int32)]))


#===----------------------------------------------------------------------===#
# Descriptors
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("warps, tile, pad", [(1, (8, 16), 0), (4, (8, 16), 0), (4, (2, 32), 0), (2, (8, 16), 4)])
def test_descriptors(warps, tile, pad):
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor, m: fx.Int32, n: fx.Int32):
        row = tile[1] + pad
        memory = shared(tile[0] * row + 4)
        padding = dict(pad_interval=tile[1], pad_amount=pad) if pad else {}
        desc = tdm.make_tensor_descriptor_2d(src, memory.ptr, (m, n), (10 - m, 40 - n), (40, 1), tile, elem_bytes=4, num_warps=warps, lds_byte_offset=16,
                                             **padding)
        tdm.tensor_load_2d(desc)
        tdm.tensor_wait(0)
        fx.gpu.barrier()
        lane = fx.thread_idx.x
        for i in fx.range_constexpr(4):
            at = lane + 32 * warps * i
            if at < tile[0] * tile[1]:
                dst[at // tile[1], at % tile[1]] = memory[4 + at // tile[1] * row + at % tile[1]]

    src = np.arange(1, 401, dtype=np.int32).reshape(10, 40)
    for m, n in ((0, 0), (1, 7), (5, 30)):
        dst = np.full(tile, -1, np.int32)
        run(kernel, src, dst, m, n, block=32 * warps)
        want = np.zeros(tile, np.int32)
        inside = src[m:m + tile[0], n:n + tile[1]]
        want[:inside.shape[0], :inside.shape[1]] = inside
        np.testing.assert_array_equal(dst, want)


def test_stores_and_changed_addresses():
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(64)
        lane = fx.thread_idx.x
        desc = tdm.make_tensor_descriptor_2d(src, memory.ptr, (0, 0), (2, 16), (16, 1), (2, 16), elem_bytes=4)
        lds = tdm.make_tensor_descriptor_2d(src, memory.ptr + 32, (0, 0), (2, 16), (16, 1), (2, 16), elem_bytes=4)
        tdm.tensor_load_2d(desc)
        # 128 bytes on: the second two rows, to the second half of the shared memory.
        second = tdm.update_tensor_descriptor_2d_lds_addr(tdm.add_addr_with_carry(desc, 128), fx.Vector(lds.dgroup0)[1])
        tdm.tensor_load_2d(second, 0)
        off = tdm.make_tensor_descriptor_2d(src, memory.ptr, (2, 0), (2, 16), (16, 1), (2, 16), elem_bytes=4, pred=0)
        tdm.tensor_load_2d(off)
        tdm.tensor_wait()
        fx.gpu.barrier()
        out = tdm.make_tensor_descriptor_2d(dst, memory.ptr, (0, 0), (2, 16), (16, 1), (2, 16), elem_bytes=4, for_store=True)
        tdm.tensor_store_2d(out)
        words = fx.Vector(out.dgroup0)
        low, high = tdm.add_addr_with_carry(words[2], words[3], 2 * 64)
        tdm.tensor_store_2d(tdm.update_tensor_descriptor_2d_addr_lo_hi(second, low, high & 0x01FFFFFF))
        address = fx.Int64(fx.Uint32(words[2])) | fx.Int64(high & 0x01FFFFFF) << 32
        bounded = tdm.make_tensor_descriptor_2d(dst, memory.ptr, (4, 0), (2, 16), (16, 1), (2, 16), elem_bytes=4, oob_outer_bound=5, oob_inner_bound=16)
        tdm.tensor_store_2d(bounded, 1)
        third = tdm.update_tensor_descriptor_2d_addr64(out, address + 6 * 64)
        tdm.tensor_store_2d(third)
        low, _ = tdm.add_addr_with_carry(words[2], words[3], 8 * 64)
        tdm.tensor_store_2d(tdm.update_tensor_descriptor_2d_addr_lo(third, low))
        tdm.tensor_wait()
        tdm.l2_prefetch_tile(src, (0, 0), (4, 16), (16, 1), elem_bytes=4, block_threads=32)
        tdm.l2_prefetch_tile(src, (0, 0), (4, 16), (16, 1), elem_bytes=4, wave_id=rocdl.wave_id(), scope=tdm.PREFETCH_SCOPE_DEVICE)
        tdm.l2_prefetch_tile(src, (0, 0), (4, 16), (16, 1), elem_bytes=4, thread_id=lane, block_threads=32, scope=tdm.PREFETCH_SCOPE_SE)

    # The arrays lie in the same 4 GiB as far as their ends: one block.
    block = np.zeros((14, 16), np.int32)
    src, dst = block[:4], block[4:]
    src[:] = np.arange(1, 65).reshape(4, 16)
    run(kernel, src, dst)
    want = np.concatenate([src, src[:1], np.zeros((1, 16), np.int32), src[:2], src[:2]])
    np.testing.assert_array_equal(dst, want)


@pytest.mark.parametrize("check", ["", "memory"])
@pytest.mark.parametrize("loads, waits", [("both", True), ("both", False), ("first", True)])
def test_copies_for_the_workgroups_of_a_cluster(monkeypatch, check, loads, waits):
    monkeypatch.setenv("FLYDSL_CHECK", check)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(64)
        lane, group = fx.thread_idx.x, fx.block_idx.x
        tile = tdm.make_tensor_descriptor_2d(src, memory.ptr, (1, 0), (2, 16), (16, 1), (2, 16), elem_bytes=4, workgroup_mask=3)
        if fx.const_expr(loads == "both"):
            tdm.tensor_load_2d(tile)
        else:
            if group == 0:
                tdm.tensor_load_2d(tile)
        rocdl.cluster_load_async_to_lds(fx.get_iter(src) + lane, memory.ptr + 32 + lane, 4, mask=3)
        tdm.tensor_wait()
        # The second workgroup may leave out this wait.
        if fx.const_expr(waits):
            rocdl.s_wait_asynccnt(0)
        else:
            if group == 0:
                rocdl.s_wait_asynccnt(0)
        rocdl.cluster.cluster_barrier()
        dst[group, lane], dst[group, lane + 32] = memory[31 - lane], memory[63 - lane] + group

    src, dst = np.arange(1, 65, dtype=np.int32).reshape(4, 16), np.zeros((2, 64), np.int32)

    def launch():
        run(kernel, src, dst, grid=2, cluster=2)

    if loads == "first":
        with pytest.raises(RuntimeError, match=r"tensor.load.to.lds.*: a load for the workgroups of mask 3 is issued 1 times by workgroup 0 of the "
                           r"cluster and 0 times by workgroup 1: each of them must issue the same load"):
            launch()
    elif check and not waits:
        with pytest.raises(RuntimeError, match=r"which the rocdl.cluster.load.async.to.lds.b32 of wave 0 at .* writes: that wave has not waited for it "
                           r"\(kernel '.*', workgroup \(1, 0, 0\), wave 0, lane 0\)"):
            launch()
    else:
        launch()
        flat = src.reshape(-1)
        np.testing.assert_array_equal(dst, [np.concatenate([flat[16:48][::-1], flat[:32][::-1] + group]) for group in range(2)])


def test_words_by_the_instructions():
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(32)
        load = tdm.make_tensor_descriptor_2d(src, memory.ptr, (0, 0), (2, 16), (16, 1), (2, 16), elem_bytes=4)
        store = tdm.make_tensor_descriptor_2d(dst, memory.ptr, (0, 0), (2, 16), (16, 1), (2, 16), elem_bytes=4)
        zero4, zero8 = fx.full(4, 0, fx.Int32), fx.full(8, 0, fx.Int32)
        rocdl.tensor_load_to_lds(load.dgroup0, load.dgroup1, zero4, zero4, zero8, 0)
        rocdl.s_wait_tensorcnt(0)
        rocdl.tensor_store_from_lds(store.dgroup0, store.dgroup1, cache_policy=0)
        rocdl.s_wait_tensorcnt(0)

    src, dst = np.arange(32, dtype=np.int32).reshape(2, 16), np.zeros((2, 16), np.int32)
    run(kernel, src, dst)
    np.testing.assert_array_equal(dst, src)


#===----------------------------------------------------------------------===#
# Chosen rows
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("pad", [0, 4])
@pytest.mark.parametrize("size, indices", [(32, [5, 0, 3, 3, 9]), (32, [1, 2, 3, 4, 5, 6, 7, 0]), (16, [2] * 3 + [7, 12, 0] + list(range(10))), (16, [4])])
def test_gathering_loads(size, indices, pad):
    rows, width = len(indices), 16

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor, first: fx.Int32, count: fx.Int32):
        memory = shared(rows * (width + pad))
        padding = dict(pad_interval=width, pad_amount=pad) if pad else {}
        # The first index is known at run time only; rows from 8 on and columns from 12 on are outside.
        desc = tdm.make_tensor_gather_descriptor(src, memory.ptr, [first, *indices[1:]], width, 12, 8, 20, elem_bytes=4, index_size=size,
                                                 gather_tile_dim1=count, global_byte_offset=8, **padding)
        for i in fx.range_constexpr(rows):
            memory[i * (width + pad) + fx.thread_idx.x % 16] = -1
        fx.gpu.barrier()
        tdm.tensor_load_gather(desc)
        tdm.tensor_wait()
        fx.gpu.barrier()
        for i in fx.range_constexpr(rows):
            dst[i, fx.thread_idx.x % 16] = memory[i * (width + pad) + fx.thread_idx.x % 16]

    src = np.arange(1, 201, dtype=np.int32).reshape(10, 20)
    for count in (rows, rows - 1):
        dst = np.zeros((rows, width), np.int32)
        run(kernel, src, dst, indices[0], count)
        want = np.full((rows, width), -1, np.int32)
        for place, row in enumerate(indices[:count]):
            want[place] = 0
            if row < 8:
                want[place, :12] = src[row, 2:14]
        np.testing.assert_array_equal(dst, want)


def test_scattering_stores():
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(64)
        load = tdm.make_tensor_descriptor_2d(src, memory.ptr, (0, 0), (4, 16), (16, 1), (4, 16), elem_bytes=4)
        tdm.tensor_load_2d(load)
        tdm.tensor_wait()
        store = tdm.make_tensor_gather_descriptor(dst, memory.ptr, [6, 1, 8, 3], 16, 16, 8, 16, elem_bytes=4)
        tdm.tensor_store_gather(store)
        first = tdm.make_tensor_gather_dgroup0(dst, memory.ptr, lds_byte_offset=64, global_byte_offset=2 * 64)
        tdm.tensor_store_gather(store._replace(dgroup0=first, dgroup2=fx.full(4, 0, fx.Int32).ir_value(), dgroup1=tdm.make_tensor_gather_descriptor(
            dst, memory.ptr, [0], 16, 16, 8, 16, elem_bytes=4).dgroup1))
        moved = tdm.update_tensor_gather_descriptor_lds_addr(tdm.add_addr_with_carry(store, 64), fx.Vector(first)[1])
        tdm.tensor_store_gather(moved._replace(dgroup1=tdm.make_tensor_gather_descriptor(dst, memory.ptr, [0], 16, 16, 8, 16, elem_bytes=4).dgroup1))
        tdm.tensor_wait()

    src, dst = np.arange(1, 65, dtype=np.int32).reshape(4, 16), np.zeros((8, 16), np.int32)
    run(kernel, src, dst)
    want = np.zeros_like(dst)
    # Row 8 does not exist; the one-row stores put row 1 to rows 2 and 7.
    want[6], want[1], want[3], want[2], want[7] = src[0], src[1], src[3], src[1], src[1]
    np.testing.assert_array_equal(dst, want)


def test_changed_addresses_of_gathers():
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(32)
        load = tdm.make_tensor_gather_descriptor(src, memory.ptr, [3, 0], 16, 16, 8, 16, elem_bytes=4)
        tdm.tensor_load_gather(load)
        tdm.tensor_wait()
        store = tdm.make_tensor_gather_descriptor(dst, memory.ptr, [0, 1], 16, 16, 8, 16, elem_bytes=4)
        words = fx.Vector(store.dgroup0)
        high = words[3] & 0x01FFFFFF
        address = fx.Int64(fx.Uint32(words[2])) | fx.Int64(high) << 32
        tdm.tensor_store_gather(tdm.update_tensor_gather_descriptor_addr64(store, address + 64))
        low, up = tdm.add_addr_with_carry(words[2], high, 3 * 64)
        tdm.tensor_store_gather(tdm.update_tensor_gather_descriptor_addr_lo_hi(store, low, up))
        low, _ = tdm.add_addr_with_carry(words[2], high, 5 * 64)
        tdm.tensor_store_gather(tdm.update_tensor_gather_descriptor_addr_lo(store, low))
        tdm.tensor_wait()

    block = np.zeros((12, 16), np.int32)
    src, dst = block[:4], block[4:]
    src[:] = np.arange(1, 65).reshape(4, 16)
    run(kernel, src, dst)
    pair = src[[3, 0]]
    np.testing.assert_array_equal(dst, np.concatenate([0 * src[:1], pair, pair, pair, 0 * src[:1]]))


@pytest.mark.parametrize("warps", [1, 2, 4])
def test_helpers_of_descriptors(warps):
    # The words of a load, put together with the helpers.
    tile, pad = (8, 16), 2

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(8 * 18)
        waves, part = tdm.compute_warp_distribution(tile, warps)
        interval, amount = tdm.compute_padding_encoding(16, pad, 32)
        whole = tdm.make_tensor_descriptor_2d(src, memory.ptr, (0, 0), tile, (16, 1), tile, elem_bytes=4, num_warps=warps)
        words = fx.Vector(whole.dgroup1)
        assert waves == (warps, 1) and part == (8 // warps, 16)
        padded = fx.Vector.from_elements([words[0] | 1 << 20 | interval << 22 | amount << 25, *(words[i] for i in range(1, 8))])
        first = fx.Vector(whole.dgroup0)
        wave = fx.thread_idx.x // 32
        moved = tdm.update_tensor_descriptor_2d_lds_addr(whole, first[1] + wave * (part[0] * pad * 4))
        tdm.tensor_load_2d(moved._replace(dgroup1=padded.ir_value()))
        tdm.tensor_wait()
        fx.gpu.barrier()
        for i in fx.range_constexpr(4 // warps):
            at = fx.thread_idx.x + 32 * warps * i
            dst[at // 16, at % 16] = memory[at // 16 * 18 + at % 16]

    src, dst = np.arange(128, dtype=np.int32).reshape(tile), np.zeros(tile, np.int32)
    run(kernel, src, dst, block=32 * warps)
    np.testing.assert_array_equal(dst, src)


#===----------------------------------------------------------------------===#
# Refusals
#===----------------------------------------------------------------------===#

def refusals():
    yield lambda g, p: rocdl.cdna5.TDM(6, 1), ValueError, r"TDM: TDM rank must be in \[1, 5\], got 6"
    yield lambda g, p: rocdl.cdna5.TDM(2, 3), ValueError, "TDM: numWarps must be a positive power of two, got 3"
    yield lambda g, p: rocdl.cdna5.TDM(2, 1, 16), ValueError, "padInterval and padAmount must both be zero or both non-zero"
    yield lambda g, p: rocdl.cdna5.TDM(2, 1, 12, 4), ValueError, r"padInterval must be a power of two \(in elements\), got 12"
    yield lambda g, p: rocdl.cdna5.TDM(2.0, 1), TypeError, "TDM: rank must be an int known while tracing, got float"
    yield lambda g, p: rocdl.make_tdm_atom(g, [], num_warps=1), ValueError, "1 to 5 extents are needed, got 0"
    yield lambda g, p: rocdl.make_tdm_atom(g, [1, -1], num_warps=1), ValueError, "make_tdm_atom: extent 1 must be 0 to 2147483647, got -1"
    yield lambda g, p: rocdl.make_tdm_atom(g, [1, 1.5], num_warps=1), TypeError, "make_tdm_atom: extent 1 must be an integer, got float"
    yield lambda g, p: rocdl.make_tdm_atom(g, [1, 1], strides=[1 << 48], num_warps=1), ValueError, "stride 0 must be 0 to 281474976710655"
    yield lambda g, p: rocdl.make_tdm_atom(g, [1, 1], strides=[16, 2], num_warps=1), ValueError, "the innermost stride must be 1, got 2"
    yield lambda g, p: rocdl.make_tdm_atom(g, [1, 1], strides=[1, 2, 3], num_warps=1), ValueError, "1 strides are needed for 2 extents, got 3"
    yield lambda g, p: rocdl.make_tdm_atom(p, [1], num_warps=1), ValueError, "make_tdm_atom: expected a global tensor, got !fly.memref<i32, shared"
    yield lambda g, p: rocdl.make_tdm_atom(3, [1], num_warps=1), TypeError, "make_tdm_atom: expected a global tensor, got int"
    yield (lambda g, p: rocdl.make_tdm_atom(rocdl.make_buffer_tensor(g), [1, 1], num_warps=1)), ValueError, "needs the raw global tensor"
    layout = lambda: fx.make_layout((4, 16), (16, 1))  # noqa: E731
    yield lambda g, p: rocdl.make_tiled_tdm_atom(rocdl.TDM(1, 1), g, layout(), (4, 16)), TypeError, r"expected TensorLoad\(\) or TensorStore\(\), got"
    yield lambda g, p: rocdl.make_tiled_tdm_atom(rocdl.TensorLoad(), g, layout(), fx.make_tile(4, 8)), ValueError, "the tiler holds 32 elements"
    yield lambda g, p: rocdl.make_tiled_tdm_atom(rocdl.TensorLoad(), g, layout(), fx.make_tile(4, 16), 3), ValueError, "num_warps cuts a descriptor axis"
    yield (lambda g, p: rocdl.make_tiled_tdm_atom(rocdl.TensorStore(), g, fx.make_layout((4, 16), (20, 1)), fx.make_tile(4, 16))), ValueError, \
        "a TDM store cannot drain a padded LDS tile"
    yield lambda g, p: rocdl.make_tiled_tdm_atom(rocdl.TensorLoad(), g, layout(), fx.make_tile(4, 16), internal_type=fx.Int32), ValueError, "be omitted"
    yield lambda g, p: rocdl.make_tiled_tdm_atom(rocdl.TensorLoad(), g, (4, 16), fx.make_tile(4, 16)), TypeError, "expected a layout"
    yield lambda g, p: rocdl.TensorLoad(1.5), TypeError, "TensorLoad: cache_modifier must be an int known while tracing, got float"
    describe = lambda g, p, **changes: tdm.make_tensor_descriptor_2d(g, p, **{  # noqa: E731
        **dict(global_offset=(0, 0), tensor_shape=(4, 16), strides=(16, 1), tile_shape=(4, 16), elem_bytes=4), **changes})
    yield lambda g, p: describe(g, p, elem_bytes=3), ValueError, "elem_bytes must be 1, 2, 4 or 8, got 3"
    yield lambda g, p: describe(g, p, strides=(16, 2)), ValueError, "the inner stride must be 1, got 2"
    yield lambda g, p: describe(g, p, tile_shape=(3, 16), num_warps=2), ValueError, r"2 waves cut a tile of 3 x 16 into unequal parts"
    yield lambda g, p: describe(g, p, tile_shape=(6, 16), num_warps=2, pad_interval=32, pad_amount=4), ValueError, "must be a multiple of the other"
    yield lambda g, p: describe(g, p, global_offset=(0.5, 0)), TypeError, "global_offset must be an integer, got float"
    gather = lambda g, p, rows=(0,), **changes: tdm.make_tensor_gather_descriptor(  # noqa: E731
        g, p, rows, **{**dict(row_width=16, tensor_dim0=16, tensor_dim1=4, stride=16, elem_bytes=4), **changes})
    yield lambda g, p: gather(g, p, range(9)), ValueError, "1 to 8 row indices of 32 bits are needed, got 9"
    yield lambda g, p: gather(g, p, []), ValueError, "1 to 8 row indices of 32 bits are needed, got 0"
    yield lambda g, p: gather(g, p, [1 << 16], index_size=16), ValueError, "a row index must be 0 to 65535, got 65536"
    yield lambda g, p: gather(g, p, [-1]), ValueError, "a row index must be 0 to 2147483647, got -1"
    yield lambda g, p: gather(g, p, index_size=8), ValueError, "index_size must be 16 or 32, got 8"
    yield lambda g, p: gather(g, p, gather_tile_dim1=2), ValueError, "gather_tile_dim1 must be 0 to 1, the number of indices, got 2"
    yield lambda g, p: gather(g, p, row_width=0), ValueError, "row_width must be 1 to 65535, got 0"
    yield lambda g, p: tdm.compute_warp_distribution((4, 16), 3), ValueError, "num_warps must be a positive power of two, got 3"


@pytest.mark.parametrize("number", range(len(list(refusals()))))
def test_refusals(number):
    # DIFF: py-tdm-uneven
    make, error, message = list(refusals())[number]

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = shared(64)
        make(src, fx.make_view(memory.ptr, fx.make_layout(64, 1)))

    with pytest.raises(error, match=message) as caught:
        run(kernel, np.zeros((4, 16), np.int32), np.zeros(1, np.int32))
    assert "test_tensor_copies_on_cpu.py" in "\n".join(getattr(caught.value, "__notes__", []))


@pytest.mark.parametrize("make", [lambda t: rocdl.TDM(2, 1), lambda t: rocdl.make_tdm_atom(t, [1, 1], num_warps=1),
                                  lambda t: rocdl.make_tiled_tdm_atom(rocdl.TensorLoad(), t, fx.make_layout((4, 16), (16, 1)), fx.make_tile(4, 16))])
def test_other_chips_say_what_they_lack(monkeypatch, make):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx950")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        make(src)

    with pytest.raises(ValueError, match="is not available on gfx950: the chip lacks the feature 'tensor-copy'"):
        run(kernel, np.zeros((4, 16), np.int32), np.zeros(1, np.int32))


def test_properties():
    from flydsl._mlir import ir
    from flydsl._mlir.dialects import fly_rocdl
    from flydsl._mlir.ir import F16Type

    with ir.Context():
        atom = rocdl.TDM(2, 4, 64, 8, 3, True, True)
        assert type(atom) is fly_rocdl.CopyOpGFX1250TDMType and atom.is_whole_tile
        fields = (atom.rank, atom.num_warps, atom.pad_interval, atom.pad_amount, atom.cache_modifier, atom.atomic_barrier, atom.early_timeout)
        assert fields == (2, 4, 64, 8, 3, True, True)
        assert fly_rocdl.CopyOpGFX1250TDMType.get(*fields) == atom
        assert str(rocdl.TDM(1, 1)) == "!fly_rocdl.gfx1250.tdm<rank = 1, warps = 1, pad = 0, 0, cache = 0, barrier = false, timeout = false>"
        assert [name for name, _ in atom.state_fields][:3] == ["workgroup_mask", "extent_0", "extent_1"]
        modes = ir.Type.parse("!fly.int_tuple<(1E0,1E1)>")
        load = fly_rocdl.CopyOpCDNA5TensorLoadType.get([64, 32], F16Type.get(), modes, atomic_barrier=True, cache_modifier=5, pad_interval=64, pad_amount=8)
        assert (load.tile_shape, str(load.data_type), load.tensor2tdm, load.atomic_barrier, load.cache_modifier) == ([64, 32], "f16", modes, True, 5)
        assert (load.iter_count, load.pad_interval, load.pad_amount) == (1, 64, 8)
        store = fly_rocdl.CopyOpCDNA5TensorStoreType.get([8], F16Type.get(), ir.Type.parse("!fly.int_tuple<1E0>"), iter_count=4)
        assert (store.tile_shape, store.iter_count) == ([8], 4)
        with pytest.raises(ValueError, match=r"TDM tile shape dims must be in \[1, 65535\], got 0"):
            fly_rocdl.CopyOpCDNA5TensorStoreType.get([0], F16Type.get(), ir.Type.parse("!fly.int_tuple<1E0>"))
        with pytest.raises(TypeError, match="tdm_partition_layout"):
            fly_rocdl.tdm_partition_layout(3, modes, modes, 1)


@pytest.mark.parametrize("shared_text, warps, want", [
    ("((128,64),3):((64,1),8192)", 2, "((64,64),2,1):((128,1),64,0)"), ("((256,64),3):((64,1),16384)", 2, "((64,64),2,2):((256,1),64,128)"),
    ("((64,128),3):((1,64),8192)", 2, "(4096,2,1):(1,4096,0)"),
])
def test_partition_layouts(shared_text, warps, want):
    # The checked examples of the interface.
    from flydsl._mlir import ir
    from flydsl._mlir.dialects.fly_rocdl import tdm_partition_layout

    with ir.Context():
        atom = ir.Type.parse("!fly.copy_atom<!fly_rocdl.cdna5.tensor_load<shape = [64, 64], elem = f16, tensor2tdm = (1E0,1E1)>, 16>")
        extents = shared_text.split(":")[0]
        lds, coords = ir.Type.parse(f"!fly.memref<f16, shared, {shared_text}>"), ir.Type.parse(f"!fly.coord_tensor<(0,0), {extents}:((1E1,1E0),128E1)>")
        assert str(tdm_partition_layout(atom, lds, coords, warps)) == f"!fly.layout<{want}>"
        message = (f"^tdm_partition_layout: both mode-0 sizes must be multiples of the cooperative tile size 12288 .atom size "
                   f"\\* num_warps., but mode 0 of the shared tensor is {re.escape('(' + extents[2:].split(')')[0] + ')')}:")
        with pytest.raises(ValueError, match=message):
            tdm_partition_layout(atom, lds, coords, 3)


def test_arrays_are_shared_memory():
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        lds = shared(32)
        tdm.tensor_load_2d(tdm.make_tensor_descriptor_2d(src, lds, (0, 0), (3, 7), (8, 1), (4, 8), elem_bytes=4))
        tdm.tensor_wait(0)
        fx.gpu.barrier()
        dst[fx.thread_idx.x // 8, fx.thread_idx.x % 8] = lds[fx.thread_idx.x]

    src = np.arange(1, 33, dtype=np.int32).reshape(4, 8)
    dst, want = np.zeros_like(src), np.zeros_like(src)
    run(kernel, src, dst)
    want[:3, :7] = src[:3, :7]
    np.testing.assert_array_equal(dst, want)
