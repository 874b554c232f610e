# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hand-made tensor descriptors: their words by value."""

import pytest
from harness import tracing

from flydsl._mlir import ir
from flydsl.expr import numeric as nm
from flydsl.expr import rocdl

tdm = rocdl.tdm_ops


def words(group):
    """The words of a descriptor group: ints where they are constants, None otherwise."""
    found = []
    for operand in group.owner.operands:
        op = operand.owner if not isinstance(operand, ir.BlockArgument) else None
        is_constant = isinstance(op, ir.Operation) and op.name == "arith.constant" or getattr(op, "name", "") == "arith.constant"
        found.append(ir.IntegerAttr(op.attributes["value"]).value & 0xFFFFFFFF if is_constant else None)
    return found


def describe(**keywords):
    base = dict(global_offset=(0, 0), tensor_shape=(128, 64), strides=(64, 1), tile_shape=(128, 64))
    with tracing("gfx1250", "!llvm.ptr<1>", "!llvm.ptr<3>") as traced:
        desc = tdm.make_tensor_descriptor_2d(*traced.arguments, **{**base, **keywords})
        found = words(desc.dgroup0), words(desc.dgroup1)
    assert traced.text
    return found


def test_words_of_a_plain_tile():
    group0, group1 = describe()
    assert group0[0] == 1
    # The checked example of a 128 x 64 tile of f16: data size 1, tile 64 wide.
    assert group1 == [65536, 64 << 16, 128 << 16, 64 << 16, 128, 64, 0, 0]


@pytest.mark.parametrize("keywords, config", [
    (dict(pad_interval=64, pad_amount=8), 118554624), (dict(atomic_barrier_enable=True, early_timeout=True), 2424832),
    (dict(workgroup_mask=5), 65541), (dict(elem_bytes=1), 0), (dict(elem_bytes=4), 131072),
])
def test_configuration_words(keywords, config):
    assert describe(**keywords)[1][0] == config


def test_wide_extents_and_strides():
    group1 = describe(tensor_shape=(0x12345, 0x23456), strides=((7 << 32) + 9, 1))[1]
    assert group1[1:7] == [(0x3456 << 16), 0x2 | (0x2345 << 16), 0x1 | (64 << 16), 128, 9, 7]
    group1 = describe(oob_outer_bound=100, oob_inner_bound=40, global_offset=(96, 50))[1]
    # Four rows are left, no column: extents are never negative.
    assert group1[1:4] == [0, 4 << 16, 64 << 16]


def test_waves_share_the_tile():
    assert tdm.compute_warp_distribution((128, 64), 4) == ((4, 1), (32, 64))
    assert tdm.compute_warp_distribution((2, 64), 8) == ((2, 4), (1, 16))
    with tracing("gfx1250", "!llvm.ptr<1>", "!llvm.ptr<3>") as traced:
        desc = tdm.make_tensor_descriptor_2d(*traced.arguments, (0, 0), (128, 64), (64, 1), (128, 64), num_warps=4)
        assert words(desc.dgroup1)[4] == 32
    assert "llvm.amdgcn.wave.id" in traced.text
    with pytest.raises(ValueError, match="positive power of two, got 3"):
        tdm.compute_warp_distribution((128, 64), 3)


def test_padding_codes():
    assert tdm.compute_padding_encoding(64, 8) == (4, 3)
    assert tdm.compute_padding_encoding(64, 8, 8) == (3, 1)
    for bad in ((3, 2), (64, 1), (0, 8), (48, 8), (1024, 8), (64, 512)):
        with pytest.raises(ValueError, match="padding of"):
            tdm.compute_padding_encoding(*bad)


def test_copies_and_updates():
    with tracing("gfx1250", "!llvm.ptr<1>", "!llvm.ptr<3>", "i64", "i32", to_binary=True) as traced:
        g, lds, wide, narrow = traced.arguments
        desc = tdm.make_tensor_descriptor_2d(g, lds, (nm.Int32(narrow), 0), (128, 64), (64, 1), (128, 64))
        tdm.tensor_load_2d(desc)
        for changed in (tdm.update_tensor_descriptor_2d_addr64(desc, wide), tdm.update_tensor_descriptor_2d_addr_lo(desc, narrow),
                        tdm.update_tensor_descriptor_2d_addr_lo_hi(desc, narrow, narrow), tdm.update_tensor_descriptor_2d_lds_addr(desc, 64),
                        tdm.add_addr_with_carry(desc, 128)):
            assert str(changed.dgroup0.type) == "vector<4xi32>"
            tdm.tensor_store_2d(changed, 1)
        low, high = tdm.add_addr_with_carry(nm.Int32(-1), nm.Int32(2), 1)
        assert (low.value, high.value) == (0, 3)
        tdm.tensor_wait(0)
        tdm.l2_prefetch_tile(g, (0, 0), (32, 64), (64, 1), thread_id=nm.Int32(narrow), block_threads=64)
    text = traced.text
    assert "rocdl.tensor.load.to.lds.d2" in text and text.count("rocdl.tensor.store.from.lds.d2") == 5
    assert "rocdl.s.wait.tensorcnt 0" in text and text.count("rocdl.global.prefetch") == 1


@pytest.mark.parametrize("size, indices, first, rows", [
    (32, [7, 6, 5, 4, 3], 0xC0000001, [7, 6, 5, 4, 3, 0, 0, 0]), (16, [1, 2, 3], 0x80000001, [0x20001, 3, 0, 0, 0, 0, 0, 0]),
    (16, list(range(16)), 0x80000001, [(2 * i + 1) << 16 | 2 * i for i in range(8)]),
])
def test_words_of_chosen_rows(size, indices, first, rows):
    with tracing("gfx1250", "!llvm.ptr<1>", "!llvm.ptr<3>", to_binary=True) as traced:
        desc = tdm.make_tensor_gather_descriptor(*traced.arguments, indices, 64, 50, 0x12345, 64, elem_bytes=2, index_size=size, workgroup_mask=1)
        tdm.tensor_load_gather(desc)
        tdm.tensor_store_gather(desc, 1)
        found = [words(group) for group in desc]
    # Checked against the descriptor that MLIR makes of the same copy (amdgpu.make_gather_dma_descriptor).
    assert found[0][0] == first
    assert found[1] == [0x10001, 50 << 16, 0x2345 << 16, 0x1 | (64 << 16), len(indices), 64, 0, 0]
    assert found[2] + found[3] == rows


def test_refusals():
    with tracing("gfx1250", "!llvm.ptr<1>", "!llvm.ptr<3>") as traced:
        with pytest.raises(ValueError, match="elem_bytes must be 1, 2, 4 or 8, got 3"):
            tdm.make_tensor_descriptor_2d(*traced.arguments, (0, 0), (1, 1), (1, 1), (1, 1), elem_bytes=3)
        with pytest.raises(ValueError, match="strides must have two entries"):
            tdm.make_tensor_descriptor_2d(*traced.arguments, (0, 0), (1, 1), (1,), (1, 1))


@pytest.mark.parametrize("keywords, message", [
    ({"strides": (-64, 1)}, r"make_tensor_descriptor_2d: strides: a stride between rows must be 0 to 281474976710655 elements, got -64"),
    ({"strides": (1 << 48, 1)}, r"got 281474976710656"),
    ({"strides": (nm.Int64(-1), 1)}, r"got -1"),
    ({"workgroup_mask": 1 << 16}, r"workgroup_mask: a mask of workgroups must be 0 to 65535, got 65536"),
    ({"workgroup_mask": -1}, r"got -1"),
    ({"tensor_shape": (1 << 33, 64)}, r"tensor_shape must be an integer of 32 bits, got 8589934592"),
    ({"oob_outer_bound": nm.Int64(1 << 33)}, r"bound must be an integer of 32 bits, got 8589934592"),
])
def test_constants_fit_their_fields(keywords, message):
    with pytest.raises(ValueError, match=message):
        describe(**keywords)


def test_rows_that_are_chosen_have_a_stride_of_the_field():
    with tracing("gfx1250", "!llvm.ptr<1>", "!llvm.ptr<3>") as traced:
        with pytest.raises(ValueError, match="make_tensor_gather_descriptor: stride: a stride between rows must be 0 to .* got -64"):
            tdm.make_tensor_gather_descriptor(*traced.arguments, [0], 64, 64, 8, -64)
        with pytest.raises(ValueError, match="make_tensor_gather_descriptor: workgroup_mask: .* got 65536"):
            tdm.make_tensor_gather_descriptor(*traced.arguments, [0], 64, 64, 8, 64, workgroup_mask=65536)


def test_memory_is_of_its_kind():
    plain = (0, 0), (4, 4), (4, 1), (4, 4)
    shared_type, global_type = "!fly.memref<f16, shared, 16:1, align<16>>", "!fly.memref<f16, global, 16:1>"
    with tracing("gfx1250", global_type, shared_type, "!llvm.ptr<1>", "!llvm.ptr<3>", "i64") as traced:
        rows, lds, llvm_rows, llvm_lds, number = traced.arguments
        for source, target in ((rows, lds), (llvm_rows, llvm_lds)):
            tdm.make_tensor_descriptor_2d(source, target, *plain)
        for target in (rows, llvm_rows, number, 3):
            with pytest.raises(TypeError, match="make_tensor_descriptor_2d: lds_memref: expected shared memory"):
                tdm.make_tensor_descriptor_2d(rows, target, *plain)
            with pytest.raises(TypeError, match="lds_transpose_load: lds_memref: expected shared memory"):
                rocdl.lds_transpose_load("vector<8xf16>", target, 0, 2)
            with pytest.raises(TypeError, match="cluster_load_async_to_lds: lds_ptr: expected shared memory"):
                rocdl.cluster_load_async_to_lds(rows, target, 4)
        for source in (lds, llvm_lds, number, 3):
            with pytest.raises(TypeError, match="make_tensor_gather_dgroup0: global_ptr: expected global memory"):
                tdm.make_tensor_gather_dgroup0(source, lds)
            with pytest.raises(TypeError, match="l2_prefetch_tile: global_ptr: expected global memory"):
                tdm.l2_prefetch_tile(source, (0, 0), (4, 4), (4, 1))
