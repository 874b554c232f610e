# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Buffer descriptors: global memory addressed through a 128-bit resource with a size that the hardware checks."""

from __future__ import annotations

from ..._mlir import ir
from ..chip import is_rdna
from ..enum import AddressSpace
from ..storage import static_cosize
from .builders import constant, module, static_int
from .enum import TargetAddressSpace

__all__ = ["get_buffer_rsrc", "make_buffer_ptr", "make_buffer_tensor", "s_buffer_load"]

# The largest size that a descriptor holds, and the value for "no bound".
UNCHECKED = 0xFFFFFFFF
# Word 3 of the descriptor: data format and number format of raw access.
RAW_FORMAT = (7 << 12) | (4 << 15)


def descriptor_flags(checked: bool) -> int:
    """Word 3 of a descriptor of the current chip; `checked` says that a size was given. RDNA chips name the kind of
    bound check in it.
    """
    if not is_rdna():
        return RAW_FORMAT
    return RAW_FORMAT | (1 << 24) | ((3 if checked else 2) << 28)


def record_bytes(num_records_bytes, what):
    """The size of a buffer as an i64 value: a count of bytes (int or integer value), None for no bound.

    A run-time count of 64 bits is cut to 0 and to what a descriptor holds, never wrapped: no offset reaches further.
    """
    from ..._mlir.dialects import arith
    from ..numeric import Numeric, Uint32, Uint64

    i64 = ir.IntegerType.get_signless(64)
    if isinstance(num_records_bytes, Numeric):
        if not num_records_bytes.is_static():
            if not type(num_records_bytes).is_integer:
                raise TypeError(f"{what}: num_records_bytes must be an integer, got {type(num_records_bytes).__name__}")
            # A count of bytes is not negative: 32 bits of it are unsigned.
            if num_records_bytes.width == 32:
                num_records_bytes = Uint32(num_records_bytes)
            size = Uint64(num_records_bytes).ir_value()
            return size if num_records_bytes.width <= 32 else _cut_size(size, num_records_bytes.signed)
        num_records_bytes = num_records_bytes.value
    if isinstance(num_records_bytes, ir.Value):
        if isinstance(num_records_bytes.type, ir.IndexType):
            return _cut_size(arith.index_castui(i64, num_records_bytes))
        if not isinstance(num_records_bytes.type, ir.IntegerType):
            raise TypeError(f"{what}: num_records_bytes must be an integer, got {num_records_bytes.type}")
        return _cut_size(num_records_bytes) if num_records_bytes.type.width == 64 else arith.extui(i64, num_records_bytes)
    if num_records_bytes is None:
        return constant(i64, UNCHECKED)
    size = static_int(num_records_bytes, f"{what}: num_records_bytes", 64)
    if not 0 <= size <= UNCHECKED:
        raise ValueError(f"{what}: num_records_bytes is {size}, but a buffer descriptor holds 0 to {UNCHECKED} bytes; copy larger tensors with "
                         "fx.UniversalCopy, which has 64-bit addresses")
    return constant(i64, size)


def _cut_size(size, signed=True):
    from ..._mlir.dialects import arith

    if signed:
        size = arith.maxsi(size, constant(size.type, 0))
    return arith.minui(size, constant(size.type, UNCHECKED))


def make_buffer_ptr(ptr, num_records_bytes=None):
    """The buffer pointer at a global pointer `ptr`, of its element type and alignment.

    `num_records_bytes` (int or integer value, bytes) bounds the access: loads from beyond give 0, stores are
    dropped. Without it nothing is checked. ValueError for a pointer that is not global or a size over 4 GiB.
    """
    from ..._mlir.dialects import fly

    if not _is_global(ptr):
        raise ValueError(f"make_buffer_ptr: a buffer descriptor needs a global pointer, got {getattr(ptr, 'type', type(ptr).__name__)}")
    size = record_bytes(num_records_bytes, "make_buffer_ptr")
    stride = constant(ir.IntegerType.get_signless(16), 0)
    flags = constant(ir.IntegerType.get_signless(32), descriptor_flags(num_records_bytes is not None))
    kind = ptr.type
    result = fly.PointerType.get(kind.element_type, TargetAddressSpace.BufferDesc, kind.alignment, kind.swizzle)
    return fly.make_ptr(result, [ptr, stride, size, flags])


def _is_global(ptr) -> bool:
    from ..layout import AnyPointer

    return isinstance(ptr, AnyPointer) and ptr.address_space == AddressSpace.Global


def make_buffer_tensor(tensor, max_size=True, *, num_records_bytes=None):
    """The global `tensor` addressed through a buffer descriptor; the layout stays.

    `max_size=True`: no bound. `max_size=False`: the bound is what the layout reaches (cosize times element size,
    computed at run time where the layout is dynamic). `num_records_bytes` gives the bound itself. ValueError if the
    tensor is not global or its static layout reaches beyond 4 GiB.

    Offsets have no sign: of a layout with a known index below 0, as of an array reversed, the pipeline refuses the
    view. Run-time strides must not be negative; elements before the first are out of bounds then.
    """
    from .. import primitive

    pointer, layout = primitive.get_iter(tensor), primitive.get_layout(tensor)
    bits = _storage_bits(pointer.type.element_type)
    static = static_cosize(layout)
    if static is not None and (static * bits + 7) // 8 > UNCHECKED:
        raise ValueError(f"make_buffer_tensor: the tensor {tensor.type} reaches {(static * bits + 7) // 8} bytes, but a buffer descriptor addresses "
                         "4 GiB; copy it with fx.UniversalCopy, which has 64-bit addresses")
    if num_records_bytes is None and not max_size:
        num_records_bytes = (static * bits + 7) // 8 if static is not None else _dynamic_bytes(layout, bits)
    return primitive.make_view(make_buffer_ptr(pointer, num_records_bytes), layout)


def _storage_bits(element) -> int:
    bits = element.width
    return 8 if bits == 1 else bits


def _dynamic_bytes(layout, bits):
    """The bytes that a dynamic layout reaches, at most what a descriptor holds."""
    from ..numeric import Int64
    from ..primitive import cosize, get_scalar

    reach = Int64(get_scalar(cosize(layout)))
    size = reach * (bits // 8) if bits % 8 == 0 else (reach * bits + 7) >> 3
    # Beyond 4 GiB the bound is lost, not wrapped.
    return (size < UNCHECKED).select(size, Int64(UNCHECKED))


def get_buffer_rsrc(ptr):
    """The bare resource (`!llvm.ptr<8>`) of a buffer pointer, or of a buffer tensor's pointer; its offset is dropped.
    """
    from ..._mlir.dialects import fly_rocdl

    return fly_rocdl.get_buffer_rsrc(_buffer_pointer(ptr))


def _buffer_pointer(ptr):
    if "memref" in str(getattr(ptr, "type", "")).split("<")[0]:
        from .. import primitive

        return primitive.get_iter(ptr)
    return ptr


def s_buffer_load(ptr, offset, *, count=1, cache_modifier=0):
    """`count` (1 or 4) i32 words that are the same for all lanes of a wave, from a buffer pointer or resource at
    `offset` bytes.

    `offset` must be the same in all lanes. Gives an i32 or a vector of four.
    """
    from .builders import i32, i32_type

    if count not in (1, 4):
        raise ValueError(f"s_buffer_load: count must be 1 or 4, got {count}")
    if not isinstance(ptr, ir.Value):
        raise TypeError(f"s_buffer_load: expected a buffer pointer or resource, got {type(ptr).__name__}")
    rsrc = ptr if str(ptr.type).startswith("!llvm.ptr") else get_buffer_rsrc(ptr)
    result = i32_type() if count == 1 else ir.VectorType.get([count], i32_type())
    zero = constant(i32_type(), 0)
    return module().raw_ptr_buffer_load(result, rsrc, i32(offset, "s_buffer_load: offset"), zero,
                                        constant(i32_type(), static_int(cache_modifier, "s_buffer_load: cache_modifier")))
