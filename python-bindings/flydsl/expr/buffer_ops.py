# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Raw buffer access: a resource over global memory, loads and stores by offset.

Offsets count elements of the accessed type unless a text says bytes; a masked-off lane gets an offset beyond every
resource, so that it loads 0 and stores nothing. New kernels use `rocdl.make_buffer_tensor` and copies instead.
"""

from __future__ import annotations

from .._mlir import ir

__all__ = ["BufferResourceDescriptor", "buffer_load", "buffer_store", "create_buffer_resource", "create_buffer_resource_from_addr", "create_llvm_ptr",
           "extract_base_index", "get_element_ptr"]

# The offset in bytes of masked-off lanes, and the largest size of a resource, so that this offset is beyond every resource,
# for each of the four dwords that an instruction moves.
_OUTSIDE = 0xFFFFFFF0


def _value(operand, type=None):
    from .rocdl.builders import value

    return value(operand, type)


def _i32(operand, what):
    from .rocdl.builders import i32

    return i32(operand, what)


def _constant(type, number):
    from .rocdl.builders import constant

    return constant(type, number)


def _i32_type():
    return ir.IntegerType.get_signless(32)


def _global_llvm_pointer(memory):
    """(pointer `!llvm.ptr<1>`, bytes that the tensor reaches or None) of a tensor, pointer, memref or LLVM pointer."""
    from .._mlir.dialects import arith, llvm, memref
    from . import primitive

    text = str(memory.type)
    if text.startswith("!fly.memref"):
        from .rocdl.buffers import _dynamic_bytes, _storage_bits
        from .storage import static_cosize

        pointer, layout = primitive.get_iter(memory), primitive.get_layout(memory)
        bits = _storage_bits(pointer.type.element_type)

        def size():
            static = static_cosize(layout)
            return (static * bits + 7) // 8 if static is not None else _dynamic_bytes(layout, bits)

        return _value(primitive.to_llvm_ptr(pointer)), size
    if text.startswith("!fly.ptr"):
        return _value(primitive.to_llvm_ptr(memory)), None
    if text.startswith("memref"):
        raw = _value(memory)
        address = arith.index_cast(ir.IntegerType.get_signless(64), memref.extract_aligned_pointer_as_index(raw))
        return llvm.inttoptr(ir.Type.parse("!llvm.ptr<1>"), address), None
    if text.startswith("!llvm.ptr"):
        return _value(memory), None
    raise TypeError(f"buffer_ops: expected a global tensor, pointer or memref, got {text}")


def _move(pointer, nbytes):
    from .._mlir.dialects import llvm

    if nbytes is None:
        return pointer
    offset = _value(nbytes, ir.IntegerType.get_signless(64))
    if isinstance(offset.type, ir.IndexType):
        from .._mlir.dialects import arith

        offset = arith.index_cast(ir.IntegerType.get_signless(64), offset)
    return llvm.GEPOp(pointer.type, pointer, [offset], [-2147483648], ir.IntegerType.get_signless(8), None).results[0]


class BufferResourceDescriptor:
    """A buffer resource; `rsrc` is the `!llvm.ptr<8>`."""

    def __init__(self, rsrc):
        self.rsrc = rsrc

    @classmethod
    def from_memref(cls, memref_val, stride=0, max_size=True, *, num_records_bytes=None, base_byte_offset=None):
        """The resource over a tensor, see `create_buffer_resource`."""
        return cls(create_buffer_resource(memref_val, stride, max_size, num_records_bytes=num_records_bytes, base_byte_offset=base_byte_offset))


def create_buffer_resource(memref_val, stride=0, max_size=True, *, num_records_bytes=None, base_byte_offset=None):
    """The resource (`!llvm.ptr<8>`) over a global tensor or pointer, `base_byte_offset` bytes behind its start.

    Without `num_records_bytes` the size is the largest one, 4 GiB less 16 bytes, and only masked-off lanes are beyond it;
    `max_size=False` takes the bytes that the tensor reaches. ValueError if a size is asked for and not known.
    """
    pointer, size = _global_llvm_pointer(memref_val)
    if num_records_bytes is None and not max_size:
        if size is None:
            raise ValueError(f"create_buffer_resource: the size of {memref_val.type} is not known; pass num_records_bytes")
        num_records_bytes = size()
        if base_byte_offset is not None:
            num_records_bytes = num_records_bytes - base_byte_offset
    return _make_resource(_move(pointer, base_byte_offset), stride, num_records_bytes)


def create_buffer_resource_from_addr(addr, *, num_records_bytes=None):
    """The resource at a 64-bit address; without `num_records_bytes` of the largest size."""
    return _make_resource(create_llvm_ptr(addr, 1), 0, num_records_bytes)


def _make_resource(pointer, stride, num_records_bytes):
    from .rocdl.buffers import descriptor_flags
    from .rocdl.intrinsics import make_buffer_rsrc

    # Range checks are on in any case: they are what keeps masked-off lanes away from memory.
    return make_buffer_rsrc(pointer, stride, _limited(num_records_bytes), descriptor_flags(checked=True))


def _limited(num_records_bytes):
    """The size, but at most `_OUTSIDE`, which stands for None, too."""
    from .._mlir.dialects import arith
    from .numeric import Numeric
    from .rocdl.buffers import UNCHECKED, record_bytes

    if isinstance(num_records_bytes, Numeric) and num_records_bytes.is_static():
        num_records_bytes = num_records_bytes.value
    if num_records_bytes is None or isinstance(num_records_bytes, int) and _OUTSIDE < num_records_bytes <= UNCHECKED:
        return _OUTSIDE
    if isinstance(num_records_bytes, int):
        return num_records_bytes
    return arith.minui(record_bytes(num_records_bytes, "create_buffer_resource"), _constant(ir.IntegerType.get_signless(64), _OUTSIDE))


def create_llvm_ptr(v, address_space=0):
    """`!llvm.ptr<address_space>` from an integer address; a pointer passes."""
    from .._mlir.dialects import arith, llvm

    raw = _value(v, ir.IntegerType.get_signless(64))
    if str(raw.type).startswith("!llvm.ptr"):
        return raw
    if str(raw.type).startswith("!fly."):
        return _global_llvm_pointer(v)[0]
    if isinstance(raw.type, ir.IndexType):
        raw = arith.index_cast(ir.IntegerType.get_signless(64), raw)
    kind = "!llvm.ptr" if address_space == 0 else f"!llvm.ptr<{address_space}>"
    return llvm.inttoptr(ir.Type.parse(kind), raw)


def extract_base_index(tensor, address_space=1):
    """The address of a tensor's start as an `index` value."""
    from .._mlir.dialects import arith, llvm

    del address_space
    pointer, _ = _global_llvm_pointer(tensor)
    return arith.index_cast(ir.IndexType.get(), llvm.ptrtoint(ir.IntegerType.get_signless(64), pointer))


def get_element_ptr(base, index=None, *, byte_offset=None, elem_type=None, static_byte_offset=0):
    """An LLVM pointer moved by `index` elements of `elem_type` (default i8), by `byte_offset` bytes and by a static
    number of bytes.
    """
    from .._mlir.dialects import llvm
    from .rocdl.builders import ir_type

    pointer = create_llvm_ptr(base)
    if index is not None:
        kind = ir.IntegerType.get_signless(8) if elem_type is None else ir_type(elem_type)
        pointer = llvm.GEPOp(pointer.type, pointer, [_index64(index)], [-2147483648], kind, None).results[0]
    pointer = _move(pointer, byte_offset)
    return _move(pointer, static_byte_offset) if static_byte_offset else pointer


def _index64(index):
    from .._mlir.dialects import arith

    raw = _value(index, ir.IntegerType.get_signless(64))
    return arith.index_cast(ir.IntegerType.get_signless(64), raw) if isinstance(raw.type, ir.IndexType) else raw


#===----------------------------------------------------------------------===#
# Access
#===----------------------------------------------------------------------===#

def _byte_offset(offset, elem_bits, mask, what, is_bytes=False):
    """The offset in bytes, i32; lanes that `mask` excludes get one beyond every resource."""
    from .._mlir.dialects import arith

    offset = _i32(offset, f"{what}: offset")
    if not is_bytes:
        if elem_bits % 8:
            raise TypeError(f"{what}: elements of {elem_bits} bits have no byte offset")
        if elem_bits != 8:
            offset = arith.muli(offset, _constant(_i32_type(), elem_bits // 8))
    if mask is None:
        return offset
    flag = _value(mask, ir.IntegerType.get_signless(1))
    if flag.type != ir.IntegerType.get_signless(1):
        flag = arith.cmpi(arith.CmpIPredicate.ne, flag, _constant(flag.type, 0))
    return arith.select(flag, offset, _constant(_i32_type(), _OUTSIDE))


def _scalar_soffset(soffset_bytes, what):
    return _constant(_i32_type(), 0) if soffset_bytes is None else _i32(soffset_bytes, f"{what}: soffset_bytes")


def buffer_load(rsrc, offset, vec_width=4, dtype=None, mask=None, cache_modifier=0, soffset_bytes=None, is_scalar=False):
    """`vec_width` (1, 2 or 4) elements of `dtype` (default f32) at `offset` elements: a raw scalar or vector.

    `mask` (i1): lanes where it is false get 0. `soffset_bytes` is added, `cache_modifier` the cache policy.
    `is_scalar`: offset and result are the same in all lanes.
    """
    from .rocdl.builders import ir_type, module

    element = ir.F32Type.get() if dtype is None else ir_type(dtype)
    bits = element.width
    if vec_width not in (1, 2, 4) or vec_width * bits > 128:
        raise ValueError(f"buffer_load: vec_width must be 1, 2 or 4 and at most 128 bits in all, got {vec_width} of {element}")
    result = element if vec_width == 1 else ir.VectorType.get([vec_width], element)
    del is_scalar
    # The instruction moves bits: 8-bit floats and booleans travel as integers.
    carried = _carrier(result)
    loaded = module().raw_ptr_buffer_load(carried, _resource(rsrc), _byte_offset(offset, bits, mask, "buffer_load"),
                                          _scalar_soffset(soffset_bytes, "buffer_load"), _constant(_i32_type(), cache_modifier))
    return loaded if carried == result else _bitcast(result, loaded)


def _carrier(kind):
    """The type with which a buffer instruction moves a value of type `kind`."""
    element = kind.element_type if isinstance(kind, ir.VectorType) else kind
    count = kind.shape[0] if isinstance(kind, ir.VectorType) else 1
    total = element.width * count
    if total < 32 and count > 1:
        return ir.IntegerType.get_signless(total)
    if isinstance(element, ir.IntegerType) and element.width >= 16 or not isinstance(element, ir.IntegerType) and element.width >= 16:
        return kind
    if count == 1:
        return ir.IntegerType.get_signless(element.width)
    return ir.IntegerType.get_signless(32) if total == 32 else ir.VectorType.get([total // 32], _i32_type())


def _bitcast(kind, source):
    from .rocdl.intrinsics import _bitcast as cast

    return cast(kind, source)


def _resource(rsrc):
    from .rocdl.intrinsics import _resource as resource

    return resource(rsrc.rsrc if isinstance(rsrc, BufferResourceDescriptor) else rsrc)


def buffer_store(data, rsrc, offset, mask=None, cache_modifier=0, *, soffset_bytes=None, offset_is_bytes=False):
    """Stores a scalar or vector at `offset` elements of its element type (bytes with `offset_is_bytes`); lanes where
    `mask` is false store nothing.
    """
    from .rocdl.builders import module

    raw = _value(data)
    element = raw.type.element_type if isinstance(raw.type, ir.VectorType) else raw.type
    carried = _carrier(raw.type)
    module().raw_ptr_buffer_store(raw if carried == raw.type else _bitcast(carried, raw), _resource(rsrc),
                                  _byte_offset(offset, element.width, mask, "buffer_store", offset_is_bytes),
                                  _scalar_soffset(soffset_bytes, "buffer_store"), _constant(_i32_type(), cache_modifier))
