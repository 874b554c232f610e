# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the bodies of the sample kernels emit, operation by operation.

The `.txt` files hold the operations without value names, as the public frontend
traces them, but for its shape and size queries without users.
"""
import os
import re

import pytest

from flydsl._mlir import ir
import flydsl.expr as fx
from layout_support import trace  # noqa: F401


def operations(trace):
    """The lines of the fly operations, without the names of values."""
    found = []
    for line in trace.text().splitlines():
        match = re.match(r"\s*(?:%[\w#:, ]+ = )?(fly\.[\w.]+.*)$", line)
        if match:
            found.append(re.sub(r"%\w+(#\d+)?", "%", match[1]))
    return found


def shared(element, size):
    pointer = fx.make_ptr(ir.Type.parse("!fly.ptr<i8, shared, align<16>>"), [], dict_attrs={"allocAlign": 16, "allocBytes": size})
    return fx.recast_iter(element, pointer)


def gemm(t):
    A, B, C = t.tensor("(128,96):(96,1)", "f16"), t.tensor("(192,96):(96,1)", "f16"), t.tensor("(128,192):(192,1)")
    mma = t.argument("!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>")
    g2s = t.argument("!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<128>, 16>, !fly.layout<((4,64),(1,8)):((512,1),(1,64))>, !fly.tile<[64|32]>>")
    tid, bm, bn, k = t.int32(), t.int32(), t.int32(), t.int32()
    gA = fx.flat_divide(A, (64, 32))[None, None, bm, None]
    gB = fx.flat_divide(B, (64, 32))[None, None, bn, None]
    gC = fx.flat_divide(C, (64, 64))[None, None, bm, bn]
    sA = shared(fx.Float16, 4096).view(fx.make_layout((64, 32), (32, 1)))
    sB = shared(fx.Float16, 4096).view(fx.make_layout((64, 32), (32, 1)))
    wide = fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float16)
    read = fx.make_copy_atom(fx.UniversalCopy64b(), fx.Float16)
    write = fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32)
    thr_g2s, thr_mma = g2s.get_slice(tid), mma.thr_slice(tid)
    s2r_a = fx.make_tiled_copy_A(read, mma).get_slice(tid)
    s2r_b = fx.make_tiled_copy_B(read, mma).get_slice(tid)
    r2g = fx.make_tiled_copy_C(write, mma).get_slice(tid)
    from_a, from_b = thr_g2s.partition_S(gA), thr_g2s.partition_S(gB)
    to_a, to_b = thr_g2s.partition_D(sA), thr_g2s.partition_D(sB)
    hold_a, hold_b = fx.make_fragment_like(to_a), fx.make_fragment_like(to_b)
    frag_a, frag_b, frag_c = thr_mma.make_fragment_A(sA), thr_mma.make_fragment_B(sB), thr_mma.make_fragment_C(gC)
    stage_a, stage_b = s2r_a.partition_S(sA), s2r_b.partition_S(sB)
    tile_a, tile_b = s2r_a.retile(frag_a), s2r_b.retile(frag_b)
    frag_c.fill(0)
    fx.copy(wide, from_a[None, None, None, k], hold_a)
    fx.copy(wide, from_b[None, None, None, k], hold_b)
    fx.copy(wide, hold_a, to_a)
    fx.copy(wide, hold_b, to_b)
    fx.copy(read, stage_a, tile_a)
    fx.copy(read, stage_b, tile_b)
    fx.gemm(mma, frag_c, frag_a, frag_b, frag_c)
    fx.copy(write, r2g.retile(frag_c), r2g.partition_D(gC))


def vector_add(t):
    a, b, c = (t.tensor("?:1") for _ in range(3))
    n, tid, tile = t.int32(), t.int32(), t.int32()
    coords = fx.make_view(fx.make_coord(0), fx.make_identity_layout(n))
    lane = fx.make_layout(4, 1)

    def mine(x):
        block = fx.slice(fx.zipped_divide(x, fx.make_layout(1024, 1)), (None, tile))
        return fx.slice(fx.zipped_divide(block, lane), (None, tid))

    src_a, src_b, dst, at = mine(a), mine(b), mine(c), mine(coords)
    reg_a, reg_b, _ = (fx.make_rmem_tensor(4, fx.Float32) for _ in range(3))
    inside = fx.make_rmem_tensor(4, fx.Boolean)
    for v in fx.range_constexpr(4):
        inside[v] = fx.elem_less(at[v], fx.make_coord(n))
    for v in fx.range_constexpr(4):
        inside[v]
        reg_a[v] = src_a[v]
        reg_b[v] = src_b[v]
        dst[v] = reg_a[v] + reg_b[v]


def transpose(t):
    src, dst = t.tensor("(96,64):(64,1)"), t.tensor("(64,96):(96,1)")
    x, y, bx, by = (t.int32() for _ in range(4))
    tile = shared(fx.Float32, 4224)
    by_row = tile.view(fx.make_layout((32, 32), (33, 1)))
    by_column = tile.view(fx.make_layout((32, 32), (1, 33)))
    block_in = fx.slice(fx.zipped_divide(src, (32, 32)), (None, (by, bx)))
    block_out = fx.slice(fx.zipped_divide(dst, (32, 32)), (None, (bx, by)))
    for r in fx.range_constexpr(4):
        by_row[(y + r * 8, x)] = block_in[(y + r * 8, x)]
    for r in fx.range_constexpr(4):
        block_out[(y + r * 8, x)] = by_column[(y + r * 8, x)]


@pytest.mark.parametrize("body", [gemm, vector_add, transpose])
def test_operations(trace, body):
    body(trace)
    with open(os.path.join(os.path.dirname(__file__), f"{body.__name__}.txt")) as file:
        assert operations(trace) == file.read().splitlines()
