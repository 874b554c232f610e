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
from . import intrinsics
from .builders import i32_type, module, static_int, value
from .sched import s_wait_tensorcnt

__all__ = [
    "PREFETCH_SCOPE_DEVICE", "PREFETCH_SCOPE_SE", "TDMDescriptor2D", "TDMGatherDescriptor", "add_addr_with_carry", "compute_padding_encoding",
    "compute_warp_distribution", "l2_prefetch_tile", "make_tensor_descriptor_2d", "make_tensor_gather_descriptor", "make_tensor_gather_dgroup0",
    "tensor_load_2d", "tensor_load_gather", "tensor_store_2d", "tensor_store_gather", "tensor_wait", "update_tensor_descriptor_2d_addr64",
    "update_tensor_descriptor_2d_addr_lo", "update_tensor_descriptor_2d_addr_lo_hi", "update_tensor_descriptor_2d_lds_addr",
]

PREFETCH_SCOPE_SE = 8
PREFETCH_SCOPE_DEVICE = 16

# The upper bits of the address word: a descriptor of a tensor.
_TENSOR_TYPE = -0x80000000


class TDMDescriptor2D(NamedTuple):
    """The words of a two-dimensional descriptor: a vector of four i32 (predicate and addresses) and one of eight
    (extents and strides).
    """

    dgroup0: object
    dgroup1: object


class TDMGatherDescriptor(NamedTuple):
    """The words of a gathering descriptor: vectors of 4, 8, 4 and 4 i32."""

    dgroup0: object
    dgroup1: object
    dgroup2: object
    dgroup3: object


def compute_padding_encoding(interval, amount, elem_bits=16):
    """(interval code, amount code) of padding: `amount` elements of shared memory are left out after every `interval`
    elements.

    ValueError if the two are no whole dwords, the interval no power of two, or the codes do not fit (interval 2 to
    256 dwords, amount 1 to 128).
    """
    interval, amount = static_int(interval, "padding interval"), static_int(amount, "padding amount")
    what = f"padding of {amount} elements after {interval} elements of {elem_bits} bits"
    if interval <= 0 or amount <= 0 or interval * elem_bits % 32 or amount * elem_bits % 32:
        raise ValueError(f"{what}: both must be whole dwords and positive")
    interval_dwords, amount_dwords = interval * elem_bits // 32, amount * elem_bits // 32
    if interval_dwords & (interval_dwords - 1) or not 2 <= interval_dwords <= 256 or not 1 <= amount_dwords <= 128:
        raise ValueError(f"{what} is not encodable: the interval must be a power of two of 2 to 256 dwords (it is {interval_dwords}), the amount 1 to "
                         f"128 dwords (it is {amount_dwords})")
    return interval_dwords.bit_length() - 2, amount_dwords - 1


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


def _int(number, cls):
    """A DSL integer of the class `cls` from an int, DSL or raw integer."""
    from ..._mlir.dialects import arith
    from ..numeric import Numeric

    if isinstance(number, (Numeric, int)) and not isinstance(number, bool):
        return cls(number)
    raw = value(number)
    if isinstance(raw.type, ir.IndexType):
        raw = arith.index_cast(cls.ir_type, raw)
    return cls(raw)


def _vector(words):
    """A vector of i32 words."""
    from ..._mlir.dialects import vector

    return vector.from_elements(ir.VectorType.get([len(words)], i32_type()), [word.ir_value() for word in words])


def _address(ptr):
    """The 64-bit address of a global pointer, tensor or LLVM pointer."""
    from ..._mlir.dialects import llvm
    from ..numeric import Int64

    return Int64(llvm.ptrtoint(ir.IntegerType.get_signless(64), intrinsics._global_pointer(ptr)))


def _lds_address(memory):
    """The 32-bit address of a shared pointer, tensor, memref or LLVM pointer."""
    from ..._mlir.dialects import llvm
    from ..numeric import Int32

    return Int32(llvm.ptrtoint(i32_type(), intrinsics._lds_pointer(memory)))


def _max0(number):
    return (number > 0).select(number, type(number)(0))


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

    del cache_policy, for_store
    size = static_int(elem_bytes, "make_tensor_descriptor_2d: elem_bytes")
    if size not in (1, 2, 4, 8):
        raise ValueError(f"make_tensor_descriptor_2d: elem_bytes must be 1, 2, 4 or 8, got {size}")
    tile = tuple(static_int(extent, "make_tensor_descriptor_2d: tile_shape") for extent in tile_shape)
    for name, pair in (("global_offset", global_offset), ("tensor_shape", tensor_shape), ("strides", strides), ("tile_shape", tile)):
        if len(pair) != 2:
            raise ValueError(f"make_tensor_descriptor_2d: {name} must have two entries, (outer, inner), got {len(pair)}")
    waves, part = compute_warp_distribution(tile, num_warps)
    if not all(0 < extent <= 0xFFFF for extent in part):
        raise ValueError(f"make_tensor_descriptor_2d: a wave's part must have extents of 1 to 65535, got {part}")
    outer_stride = _int(strides[0], Int64)
    padded_row = tile[1]
    padding = 0
    if pad_interval or pad_amount:
        interval_code, amount_code = compute_padding_encoding(pad_interval, pad_amount, 8 * size)
        padding = (1 << 20) | (interval_code << 22) | (amount_code << 25)
    start = (Int32(0), Int32(0))
    if num_warps > 1:
        wave = Int32(intrinsics.wave_id())
        start = ((wave & (waves[0] - 1)) * part[0], (wave >> (waves[0].bit_length() - 1)) * part[1])
    offset = tuple(_int(entry, Int64) for entry in global_offset)
    first = tuple(offset[d] + Int64(start[d]) for d in (0, 1))
    address = _address(global_ptr) + (first[0] * outer_stride + first[1]) * size
    lds_elements = start[0] * padded_row + start[1]
    if padding:
        # Elements before the wave's part, each full interval of them followed by its padding.
        lds_elements = lds_elements + (lds_elements >> (static_int(pad_interval, "pad_interval").bit_length() - 1)) * pad_amount
    lds = _lds_address(lds_memref) + lds_elements * size
    if lds_byte_offset is not None:
        lds = lds + _int(lds_byte_offset, Int32)
    limits = []
    for d, bound in ((0, oob_outer_bound), (1, oob_inner_bound)):
        if bound is None:
            limits.append(_max0(_int(tensor_shape[d], Int32) - start[d]))
        else:
            limits.append(_max0(_int(bound, Int32) - Int32(first[d])))
    dgroup0 = _vector([_int(pred, Int32), lds, *_address_words(address)])
    config = (size.bit_length() - 1) << 16 | (1 << 18 if atomic_barrier_enable else 0) | (1 << 21 if early_timeout else 0) | padding
    outer, inner = limits
    stride_high = Int32((outer_stride >> 32) & 0xFFFF)
    zero = Int32(0)
    dgroup1 = _vector([
        Int32(config) | (_int(workgroup_mask, Int32) & 0xFFFF), inner << 16, ((inner >> 16) & 0xFFFF) | (outer << 16),
        ((outer >> 16) & 0xFFFF) | Int32(part[1] << 16), Int32(part[0]), Int32(outer_stride), stride_high, zero,
    ])
    return TDMDescriptor2D(dgroup0, dgroup1)


def _address_words(address):
    """The two words of a 64-bit address in a descriptor."""
    from ..numeric import Int32

    return Int32(address), Int32(address >> 32) | _TENSOR_TYPE


def _with_words(group, words):
    """`group` with the words at the given positions replaced."""
    from ..._mlir.dialects import vector

    for position, word in words.items():
        group = vector.insert(word.ir_value(), group, [], [position])
    return group


def _word(group, position):
    from ..._mlir.dialects import vector
    from ..numeric import Int32

    return Int32(vector.extract(group, [], [position]))


def tensor_load_2d(desc, cache_policy=0) -> None:
    """Starts the copy from global to shared memory; `tensor_wait` awaits it."""
    intrinsics.tensor_load_to_lds(desc.dgroup0, desc.dgroup1, cache_policy=cache_policy)


def tensor_store_2d(desc, cache_policy=0) -> None:
    """Starts the copy from shared to global memory; `tensor_wait` awaits it."""
    intrinsics.tensor_store_from_lds(desc.dgroup0, desc.dgroup1, cache_policy=cache_policy)


def tensor_wait(count=0) -> None:
    """Waits until at most `count` of the wave's tensor copies are outstanding."""
    s_wait_tensorcnt(count)


def update_tensor_descriptor_2d_addr_lo(desc, addr_lo) -> TDMDescriptor2D:
    """`desc` with the lower 32 bits of the global address replaced."""
    from ..numeric import Int32

    return TDMDescriptor2D(_with_words(desc.dgroup0, {2: _int(addr_lo, Int32)}), desc.dgroup1)


def update_tensor_descriptor_2d_addr_lo_hi(desc, addr_lo, addr_hi) -> TDMDescriptor2D:
    """`desc` with both halves of the global address replaced; the type bits are set anew."""
    from ..numeric import Int32

    words = {2: _int(addr_lo, Int32), 3: _int(addr_hi, Int32) | _TENSOR_TYPE}
    return TDMDescriptor2D(_with_words(desc.dgroup0, words), desc.dgroup1)


def update_tensor_descriptor_2d_addr64(desc, address) -> TDMDescriptor2D:
    """`desc` with the global address (bytes, 64 bits) replaced."""
    from ..numeric import Int64

    low, high = _address_words(_int(address, Int64))
    return TDMDescriptor2D(_with_words(desc.dgroup0, {2: low, 3: high}), desc.dgroup1)


def update_tensor_descriptor_2d_lds_addr(desc, lds_address) -> TDMDescriptor2D:
    """`desc` with the shared address (bytes) replaced."""
    from ..numeric import Int32

    return TDMDescriptor2D(_with_words(desc.dgroup0, {1: _int(lds_address, Int32)}), desc.dgroup1)


def add_addr_with_carry(desc_or_lo, hi_or_bytes, step=None):
    """Adds bytes to an address: `add_addr_with_carry(desc, bytes)` gives a descriptor, `add_addr_with_carry(lo, hi,
    bytes)` the two words.
    """
    from ..numeric import Int32, Int64, Uint32

    if step is None:
        low, high = _word(desc_or_lo.dgroup0, 2), _word(desc_or_lo.dgroup0, 3)
        bytes_ = hi_or_bytes
    else:
        low, high, bytes_ = _int(desc_or_lo, Int32), _int(hi_or_bytes, Int32), step
    total = (Int64(high) << 32 | Int64(Uint32(low))) + _int(bytes_, Int64)
    words = Int32(total), Int32(total >> 32)
    if step is not None:
        return words
    return TDMDescriptor2D(_with_words(desc_or_lo.dgroup0, {2: words[0], 3: words[1]}), desc_or_lo.dgroup1)


def l2_prefetch_tile(global_ptr, global_offset, tile_shape, strides, elem_bytes=2, num_warps=1, wave_id=None, thread_id=None, block_threads=256,
                     scope=PREFETCH_SCOPE_SE) -> None:
    """Asks for a tile's rows to be brought into the L2 cache; each thread asks for some of its 128-byte lines.

    `thread_id` is the thread's number in the block (default `thread_idx.x`), `block_threads` their number, `scope`
    one of `PREFETCH_SCOPE_*`.
    """
    from ..._mlir.dialects import llvm, scf
    from ..gpu import thread_idx
    from ..numeric import Int32, Int64

    del num_warps, wave_id
    rows, columns = (static_int(extent, "l2_prefetch_tile: tile_shape") for extent in tile_shape)
    lines = -(-columns * elem_bytes // 128)
    total = rows * lines
    thread = thread_idx.x if thread_id is None else _int(thread_id, Int32)
    base = _address(global_ptr)
    outer, inner = (_int(entry, Int64) for entry in global_offset)
    stride = _int(strides[0], Int64)
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


#===----------------------------------------------------------------------===#
# Gathering copies
#===----------------------------------------------------------------------===#

def _no_gather(name):
    raise NotImplementedError(f"tdm_ops.{name} is not supported yet: gathering tensor copies have no descriptor here")


def make_tensor_gather_descriptor(global_ptr, lds_memref, row_indices, row_width, tensor_dim0, tensor_dim1, stride, elem_bytes=1, pad_interval=0,
                                  pad_amount=0, index_size=32, gather_tile_dim1=None, lds_byte_offset=None, global_byte_offset=None, workgroup_mask=0):
    """The descriptor of a copy of chosen rows. Not supported yet."""
    _no_gather("make_tensor_gather_descriptor")


def make_tensor_gather_dgroup0(*arguments, **keywords):
    """The first words of a gathering descriptor. Not supported yet."""
    _no_gather("make_tensor_gather_dgroup0")


def tensor_load_gather(desc, cache_policy=0):
    """Starts a gathering copy to shared memory. Not supported yet."""
    _no_gather("tensor_load_gather")


def tensor_store_gather(desc, cache_policy=0):
    """Starts a scattering copy from shared memory. Not supported yet."""
    _no_gather("tensor_store_gather")
