# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor copies of gfx1250 by hand-made descriptors: words of 32 bits that say what rectangle moves between global and
shared memory.

Extents, strides and offsets count elements, outer dimension first; addresses count bytes. They may be ints or
run-time integers unless a text says otherwise.
"""

from __future__ import annotations

from typing import NamedTuple

from ..._mlir import ir
from . import intrinsics, tdm_gather
from .builders import dsl_integer, module, static_int
from .sched import s_wait_tensorcnt
from .tdm_descriptor import (
    TENSOR_TYPE, address_words, checked_mask, checked_stride, compute_padding_encoding, configuration, extent_words, global_address, lds_address, max0,
    vector_of, with_words, word_of,
)
from .tdm_gather import *  # noqa: F401,F403

__all__ = [
    *tdm_gather.__all__, "PREFETCH_SCOPE_DEVICE", "PREFETCH_SCOPE_SE", "TDMDescriptor2D", "add_addr_with_carry", "compute_padding_encoding",
    "compute_warp_distribution", "l2_prefetch_tile", "make_tensor_descriptor_2d", "tensor_load_2d", "tensor_store_2d", "tensor_wait",
    "update_tensor_descriptor_2d_addr64", "update_tensor_descriptor_2d_addr_lo", "update_tensor_descriptor_2d_addr_lo_hi",
    "update_tensor_descriptor_2d_lds_addr", "update_tensor_gather_descriptor_addr64", "update_tensor_gather_descriptor_addr_lo",
    "update_tensor_gather_descriptor_addr_lo_hi", "update_tensor_gather_descriptor_lds_addr",
]

PREFETCH_SCOPE_SE = 8
PREFETCH_SCOPE_DEVICE = 16


class TDMDescriptor2D(NamedTuple):
    """The words of a two-dimensional descriptor: a vector of four i32 (predicate and addresses) and one of eight
    (extents and strides).
    """

    dgroup0: object
    dgroup1: object


def compute_warp_distribution(block_shape, num_warps):
    """(waves along each dimension, extents of one wave's part) for a block of static extents; outer dimensions are cut
    first.

    ValueError if `num_warps` is no positive power of two.
    """
    extents = [static_int(extent, "block extent") for extent in block_shape]
    left = static_int(num_warps, "num_warps")
    if left <= 0 or left & (left - 1):
        raise ValueError(f"num_warps must be a positive power of two, got {left}")
    waves = [1] * len(extents)
    for dimension, extent in enumerate(extents):
        while left > 1 and 2 * waves[dimension] <= extent:
            waves[dimension] *= 2
            left //= 2
    waves[-1] *= left
    return tuple(waves), tuple(-(-extent // count) for extent, count in zip(extents, waves))


def make_tensor_descriptor_2d(global_ptr, lds_memref, global_offset, tensor_shape, strides, tile_shape, elem_bytes=2, pad_interval=0, pad_amount=0,
                              num_warps=1, cache_policy=0, pred=1, workgroup_mask=0, lds_byte_offset=None, for_store=False,
                              atomic_barrier_enable=False, early_timeout=False, oob_outer_bound=None, oob_inner_bound=None) -> TDMDescriptor2D:
    """The descriptor of one wave's part of a tile of static `tile_shape`.

    The tile starts at `global_offset` from `global_ptr`; `strides` are (outer, 1). `tensor_shape` are the extents
    from the tile's start beyond which loads give zero and stores are dropped; `oob_outer_bound`, `oob_inner_bound`
    state them from the tensor's start instead. `num_warps` waves share the tile. `pred` 0 makes the copy do nothing.
    `cache_policy` belongs to the copy itself and `for_store` changes no word; both are accepted for symmetry.
    """
    from ..numeric import Int32, Int64

    what = "make_tensor_descriptor_2d"
    del cache_policy, for_store
    config = configuration(what, elem_bytes, pad_interval, pad_amount, atomic_barrier_enable, early_timeout)
    size = static_int(elem_bytes, what)
    tile = tuple(static_int(extent, f"{what}: tile_shape") for extent in tile_shape)
    for name, pair in (("global_offset", global_offset), ("tensor_shape", tensor_shape), ("strides", strides), ("tile_shape", tile)):
        if len(pair) != 2:
            raise ValueError(f"{what}: {name} must have two entries, (outer, inner), got {len(pair)}")
    _check_inner_stride(strides[1], what)
    waves, part = compute_warp_distribution(tile, num_warps)
    if not all(0 < extent <= 0xFFFF for extent in part):
        raise ValueError(f"{what}: a wave's part must have extents of 1 to 65535, got {part}")
    if any(extent % count for extent, count in zip(tile, waves)):
        raise ValueError(f"{what}: {num_warps} waves cut a tile of {tile[0]} x {tile[1]} into unequal parts; its extents must be multiples of {waves}")
    outer_stride = checked_stride(strides[0], f"{what}: strides")
    start = (Int32(0), Int32(0))
    if num_warps > 1:
        wave = Int32(intrinsics.wave_id())
        start = ((wave & (waves[0] - 1)) * part[0], (wave >> (waves[0].bit_length() - 1)) * part[1])
    offset = tuple(dsl_integer(entry, Int64, f"{what}: global_offset") for entry in global_offset)
    first = tuple(offset[d] + Int64(start[d]) for d in (0, 1))
    address = global_address(global_ptr, f"{what}: global_ptr") + (first[0] * outer_stride + first[1]) * size
    lds_elements = start[0] * tile[1] + start[1]
    if pad_interval and num_warps > 1:
        # Elements before the wave's part, each full interval of them followed by its padding.
        moved, interval = part[0] * part[1], static_int(pad_interval, f"{what}: pad_interval")
        if moved % interval and interval % moved:
            raise ValueError(f"{what}: {num_warps} waves move {moved} elements each, and a padding stands after every {interval}: one must be a multiple "
                             "of the other")
        lds_elements = lds_elements + (lds_elements >> (interval.bit_length() - 1)) * pad_amount
    lds = lds_address(lds_memref, f"{what}: lds_memref") + lds_elements * size
    if lds_byte_offset is not None:
        lds = lds + dsl_integer(lds_byte_offset, Int32, f"{what}: lds_byte_offset")
    limits = []
    for d, bound in ((0, oob_outer_bound), (1, oob_inner_bound)):
        if bound is None:
            limits.append(max0(dsl_integer(tensor_shape[d], Int32, f"{what}: tensor_shape") - start[d]))
        else:
            limits.append(max0(dsl_integer(bound, Int32, f"{what}: bound") - Int32(first[d])))
    dgroup0 = vector_of([dsl_integer(pred, Int32, f"{what}: pred"), lds, *address_words(address)])
    mask = checked_mask(workgroup_mask, f"{what}: workgroup_mask")
    return TDMDescriptor2D(dgroup0, extent_words(config, mask, limits, part[1], Int32(part[0]), outer_stride))


def _check_inner_stride(stride, what) -> None:
    from ..numeric import Numeric

    static = stride.value if isinstance(stride, Numeric) and stride.is_static() else stride
    if not isinstance(static, int) or static != 1:
        raise ValueError(f"{what}: the inner stride must be 1, got {static if isinstance(static, int) else type(stride).__name__}")


def tensor_load_2d(desc, cache_policy=0) -> None:
    """Starts the copy from global to shared memory; `tensor_wait` awaits it."""
    intrinsics.tensor_load_to_lds(desc.dgroup0, desc.dgroup1, cache_policy=cache_policy)


def tensor_store_2d(desc, cache_policy=0) -> None:
    """Starts the copy from shared to global memory; `tensor_wait` awaits it."""
    intrinsics.tensor_store_from_lds(desc.dgroup0, desc.dgroup1, cache_policy=cache_policy)


def tensor_wait(count=0) -> None:
    """Waits until at most `count` of the wave's tensor copies are outstanding."""
    s_wait_tensorcnt(count)


def _with_address(desc, words):
    """`desc`, of either kind, with words of its first group replaced."""
    return desc._replace(dgroup0=with_words(desc.dgroup0, words))


def update_tensor_descriptor_2d_addr_lo(desc, addr_lo):
    """`desc` with the lower 32 bits of the global address replaced."""
    from ..numeric import Int32

    return _with_address(desc, {2: dsl_integer(addr_lo, Int32, "addr_lo")})


def update_tensor_descriptor_2d_addr_lo_hi(desc, addr_lo, addr_hi):
    """`desc` with both halves of the global address replaced; the type bits are set anew."""
    from ..numeric import Int32

    return _with_address(desc, {2: dsl_integer(addr_lo, Int32, "addr_lo"), 3: dsl_integer(addr_hi, Int32, "addr_hi") | TENSOR_TYPE})


def update_tensor_descriptor_2d_addr64(desc, address):
    """`desc` with the global address (bytes, 64 bits) replaced."""
    from ..numeric import Int64

    low, high = address_words(dsl_integer(address, Int64, "address"))
    return _with_address(desc, {2: low, 3: high})


def update_tensor_descriptor_2d_lds_addr(desc, lds_address):
    """`desc` with the shared address (bytes) replaced."""
    from ..numeric import Int32

    return _with_address(desc, {1: dsl_integer(lds_address, Int32, "lds_address")})


# Both kinds of descriptors have their addresses in the same words.
update_tensor_gather_descriptor_addr_lo = update_tensor_descriptor_2d_addr_lo
update_tensor_gather_descriptor_addr_lo_hi = update_tensor_descriptor_2d_addr_lo_hi
update_tensor_gather_descriptor_addr64 = update_tensor_descriptor_2d_addr64
update_tensor_gather_descriptor_lds_addr = update_tensor_descriptor_2d_lds_addr


def add_addr_with_carry(desc_or_lo, hi_or_bytes, step=None):
    """Adds bytes to an address: `add_addr_with_carry(desc, bytes)` gives a descriptor of the same kind,
    `add_addr_with_carry(lo, hi, bytes)` the two words.
    """
    from ..numeric import Int32, Int64, Uint32

    if step is None:
        low, high = word_of(desc_or_lo.dgroup0, 2), word_of(desc_or_lo.dgroup0, 3)
        bytes_ = hi_or_bytes
    else:
        low, high, bytes_ = dsl_integer(desc_or_lo, Int32, "lo"), dsl_integer(hi_or_bytes, Int32, "hi"), step
    total = (Int64(high) << 32 | Int64(Uint32(low))) + dsl_integer(bytes_, Int64, "bytes")
    words = Int32(total), Int32(total >> 32)
    if step is not None:
        return words
    return _with_address(desc_or_lo, {2: words[0], 3: words[1]})


def l2_prefetch_tile(global_ptr, global_offset, tile_shape, strides, elem_bytes=2, num_warps=1, wave_id=None, thread_id=None, block_threads=256,
                     scope=PREFETCH_SCOPE_SE) -> None:
    """Asks for a tile's rows to be brought into the L2 cache; each thread asks for some of its 128-byte lines.

    `thread_id` is the thread's number among `block_threads` (default: `thread_idx.x`; if `wave_id` is given, that of
    the lane among `num_warps` waves), `scope` one of `PREFETCH_SCOPE_*`.
    """
    from ..._mlir.dialects import llvm, scf
    from ..chip import chip_facts
    from ..gpu import lane_id, thread_idx
    from ..numeric import Int32, Int64

    elem_bytes, block_threads = static_int(elem_bytes, "l2_prefetch_tile: elem_bytes"), static_int(block_threads, "l2_prefetch_tile: block_threads")
    _check_inner_stride(strides[1], "l2_prefetch_tile")
    rows, columns = (static_int(extent, "l2_prefetch_tile: tile_shape") for extent in tile_shape)
    lines = -(-columns * elem_bytes // 128)
    total = rows * lines
    if thread_id is not None:
        thread = dsl_integer(thread_id, Int32, "l2_prefetch_tile: thread_id")
    elif wave_id is not None:
        lanes = chip_facts()["wave_size"]
        block_threads = lanes * static_int(num_warps, "l2_prefetch_tile: num_warps")
        thread = dsl_integer(wave_id, Int32, "l2_prefetch_tile: wave_id") * lanes + lane_id()
    else:
        thread = thread_idx.x
    base = global_address(global_ptr, "l2_prefetch_tile: global_ptr")
    outer, inner = (dsl_integer(entry, Int64) for entry in global_offset)
    stride = dsl_integer(strides[0], Int64)
    for first in range(0, total, block_threads):
        line = thread + first
        guard = None
        if first + block_threads > total:
            guard = scf.IfOp((line < total).ir_value())
        with ir.InsertionPoint(guard.then_block) if guard is not None else ir.InsertionPoint.current:
            row, column = Int64(line // lines), Int64(line % lines)
            address = base + ((outer + row) * stride + inner) * elem_bytes + column * 128
            module().global_prefetch(llvm.inttoptr(ir.Type.parse("!llvm.ptr<1>"), address.ir_value()), static_int(scope, "l2_prefetch_tile: scope"))
            if guard is not None:
                scf.YieldOp([])
