# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor copies of chosen rows: a descriptor holds up to 8 row numbers of 32 bits, or 16 of 16 bits.

In shared memory the rows lie one behind the other. A load gives zeros for rows and columns outside of the tensor, a
store drops them.
"""

from __future__ import annotations

from typing import NamedTuple

from . import intrinsics
from .builders import dsl_integer, static_int
from .tdm_descriptor import (
    address_words, checked_mask, checked_stride, configuration, extent_words, global_address, lds_address, max0, vector_of,
)

__all__ = ["TDMGatherDescriptor", "make_tensor_gather_descriptor", "make_tensor_gather_dgroup0", "tensor_load_gather", "tensor_store_gather"]

# Bits of the first word: the copy gathers; row numbers have 32 bits.
_GATHERS = -0x80000000
_WIDE = 0x40000000


class TDMGatherDescriptor(NamedTuple):
    """The words of a gathering descriptor: vectors of 4, 8, 4 and 4 i32; the last two hold the row numbers."""

    dgroup0: object
    dgroup1: object
    dgroup2: object
    dgroup3: object


def _index_size(index_size, what) -> int:
    bits = static_int(index_size, f"{what}: index_size")
    if bits not in (16, 32):
        raise ValueError(f"{what}: index_size must be 16 or 32, got {bits}")
    return bits


def make_tensor_gather_dgroup0(global_ptr, lds_memref, index_size=32, lds_byte_offset=None, global_byte_offset=None, pred=1):
    """The first group of a gathering descriptor: predicate, index size and addresses. `pred` 0 makes the copy do
    nothing.
    """
    from ..numeric import Int32, Int64

    what = "make_tensor_gather_dgroup0"
    mode = _GATHERS | (_WIDE if _index_size(index_size, what) == 32 else 0)
    address, lds = global_address(global_ptr, f"{what}: global_ptr"), lds_address(lds_memref, f"{what}: lds_memref")
    if global_byte_offset is not None:
        address = address + dsl_integer(global_byte_offset, Int64, f"{what}: global_byte_offset")
    if lds_byte_offset is not None:
        lds = lds + dsl_integer(lds_byte_offset, Int32, f"{what}: lds_byte_offset")
    return vector_of([dsl_integer(pred, Int32, f"{what}: pred") | mode, lds, *address_words(address)])


def make_tensor_gather_descriptor(global_ptr, lds_memref, row_indices, row_width, tensor_dim0, tensor_dim1, stride, elem_bytes=1, pad_interval=0,
                                  pad_amount=0, index_size=32, gather_tile_dim1=None, lds_byte_offset=None, global_byte_offset=None, workgroup_mask=0):
    """The descriptor of a copy of the rows `row_indices` (ints or run-time integers, at most 256 / `index_size`).

    `row_width` elements of each move; the tensor has `tensor_dim0` columns and `tensor_dim1` rows, `stride` elements
    apart. `gather_tile_dim1` says how many of the indices count (default: all).
    """
    from ..numeric import Int32

    what = "make_tensor_gather_descriptor"
    bits = _index_size(index_size, what)
    indices = [dsl_integer(index, Int32, f"{what}: row_indices") for index in row_indices]
    if not 1 <= len(indices) <= 256 // bits:
        raise ValueError(f"{what}: 1 to {256 // bits} row indices of {bits} bits are needed, got {len(indices)}")
    for index in indices:
        if index.is_static() and not 0 <= index.value < 1 << (bits - (bits == 32)):
            raise ValueError(f"{what}: a row index must be 0 to {(1 << (bits - (bits == 32))) - 1}, got {index.value}")
    width = static_int(row_width, f"{what}: row_width")
    if not 0 < width <= 0xFFFF:
        raise ValueError(f"{what}: row_width must be 1 to 65535, got {width}")
    count = Int32(len(indices)) if gather_tile_dim1 is None else dsl_integer(gather_tile_dim1, Int32, f"{what}: gather_tile_dim1")
    if count.is_static() and not 0 <= count.value <= len(indices):
        raise ValueError(f"{what}: gather_tile_dim1 must be 0 to {len(indices)}, the number of indices, got {count.value}")
    config = configuration(what, elem_bytes, pad_interval, pad_amount)
    limits = [max0(dsl_integer(extent, Int32, f"{what}: {name}")) for name, extent in (("tensor_dim1", tensor_dim1), ("tensor_dim0", tensor_dim0))]
    dgroup0 = make_tensor_gather_dgroup0(global_ptr, lds_memref, bits, lds_byte_offset, global_byte_offset)
    dgroup1 = extent_words(config, checked_mask(workgroup_mask, f"{what}: workgroup_mask"), limits, width, count & 0xFFFF,
                           checked_stride(stride, f"{what}: stride"))
    if bits == 16:
        indices += [Int32(0)] * (len(indices) % 2)
        indices = [(low & 0xFFFF) | (high << 16) for low, high in zip(indices[::2], indices[1::2])]
    words = indices + [Int32(0)] * (8 - len(indices))
    return TDMGatherDescriptor(dgroup0, dgroup1, vector_of(words[:4]), vector_of(words[4:]))


def tensor_load_gather(desc, cache_policy=0) -> None:
    """Starts the copy of the rows to shared memory; `tensor_wait` awaits it."""
    intrinsics.tensor_load_to_lds(*desc, cache_policy=cache_policy)


def tensor_store_gather(desc, cache_policy=0) -> None:
    """Starts the copy from shared memory to the rows; `tensor_wait` awaits it."""
    intrinsics.tensor_store_from_lds(*desc, cache_policy=cache_policy)
