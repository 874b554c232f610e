# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of tensor copy descriptors: what all forms of them have in common."""

from __future__ import annotations

from ..._mlir import ir
from .builders import dsl_integer, i32_type, static_int
from .pointers import global_pointer, lds_pointer

__all__ = ["TENSOR_TYPE", "address_words", "checked_mask", "checked_stride", "compute_padding_encoding", "configuration", "extent_words",
           "global_address", "lds_address", "max0", "vector_of", "with_words", "word_of"]

# The upper bits of the address word: a descriptor of a tensor.
TENSOR_TYPE = -0x80000000


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


def configuration(what, elem_bytes, pad_interval, pad_amount, atomic_barrier=False, early_timeout=False) -> int:
    """The constant part of a descriptor's configuration word: element size, barrier, timeout, padding."""
    size = static_int(elem_bytes, f"{what}: elem_bytes")
    if size not in (1, 2, 4, 8):
        raise ValueError(f"{what}: elem_bytes must be 1, 2, 4 or 8, got {size}")
    word = (size.bit_length() - 1) << 16 | (1 << 18 if atomic_barrier else 0) | (1 << 21 if early_timeout else 0)
    if pad_interval or pad_amount:
        interval_code, amount_code = compute_padding_encoding(pad_interval, pad_amount, 8 * size)
        word |= 1 << 20 | interval_code << 22 | amount_code << 25
    return word


def vector_of(words):
    """A vector of i32 words."""
    from ..._mlir.dialects import vector

    return vector.from_elements(ir.VectorType.get([len(words)], i32_type()), [word.ir_value() for word in words])


def global_address(ptr, what):
    """The 64-bit address of a global pointer, tensor or LLVM pointer; `what` names it in errors."""
    from ..._mlir.dialects import llvm
    from ..numeric import Int64

    return Int64(llvm.ptrtoint(ir.IntegerType.get_signless(64), global_pointer(ptr, what)))


def lds_address(memory, what):
    """The 32-bit address of a shared pointer, tensor, array, memref or LLVM pointer; `what` names it in errors."""
    from ..._mlir.dialects import llvm
    from ..numeric import Int32

    return Int32(llvm.ptrtoint(i32_type(), lds_pointer(memory, what)))


def checked_stride(stride, what):
    """A row's 64-bit stride; a constant one must be what the descriptor holds."""
    from ..numeric import Int64

    stride = dsl_integer(stride, Int64, what)
    if stride.is_static() and not 0 <= stride.value < 1 << 48:
        raise ValueError(f"{what}: a stride between rows must be 0 to {(1 << 48) - 1} elements, got {stride.value}")
    return stride


def checked_mask(mask, what):
    """The workgroups that a copy fills; a constant mask has 16 bits."""
    from ..numeric import Int32

    mask = dsl_integer(mask, Int32, what)
    if mask.is_static() and not 0 <= mask.value < 1 << 16:
        raise ValueError(f"{what}: a mask of workgroups must be 0 to 65535, got {mask.value}")
    return mask


def max0(number):
    """`number`, or 0 if it is negative."""
    return (number > 0).select(number, type(number)(0))


def address_words(address):
    """The two words of a 64-bit address in a descriptor."""
    from ..numeric import Int32

    return Int32(address), Int32(address >> 32) | TENSOR_TYPE


def with_words(group, words):
    """`group` with the words at the given positions replaced."""
    from ..._mlir.dialects import vector

    for position, word in words.items():
        group = vector.insert(word.ir_value(), group, [], [position])
    return group


def word_of(group, position):
    """The word of `group` at a position."""
    from ..._mlir.dialects import vector
    from ..numeric import Int32

    return Int32(vector.extract(group, [], [position]))


def extent_words(config, mask, limits, columns, rows, stride):
    """The second group of a descriptor of two dimensions: `limits` (outer, inner) are the tensor's extents, `columns` and
    `rows` the tile's, `stride` the 64-bit stride between rows.
    """
    from ..numeric import Int32

    outer, inner = limits
    return vector_of([
        Int32(config) | (mask & 0xFFFF), inner << 16, ((inner >> 16) & 0xFFFF) | (outer << 16), ((outer >> 16) & 0xFFFF) | Int32(columns << 16), rows,
        Int32(stride), Int32((stride >> 32) & 0xFFFF), Int32(0),
    ])
