# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions on pointers and on tensors in memory."""
from __future__ import annotations

from typing import Any

from .._mlir import ir
from .._mlir._mlir_libs import _fly as _types
from . import content
from .builders import builders as _fly
from .elements import from_element, ir_element_type, of_class
from .enum import AddressSpace
from .indexing import check_coordinate
from .layout import AnyTensor, ComposedLayout, IntTuple, Layout, Swizzle
from .numeric import Int32, Int64, Numeric
from .operands import as_int_tuple, as_tensor, describe, has_wildcard, static_int
from .tensor import (CoordTensor, Pointer, Tensor, check_memory, load_pointer, recast_pointer, store_element, store_pointer, store_vector,
                     to_llvm)
from .tuples import get_scalar

__all__ = [
    "add_offset", "apply_swizzle", "assume", "decomposition", "get_dyn_shared", "inttoptr", "is_generic_address_space",
    "is_target_address_space", "make_fragment_layout_like", "make_fragment_like", "make_ptr", "make_rmem_tensor", "memref_alloca",
    "memref_load", "memref_load_vec", "memref_store", "memref_store_vec", "ptr_load", "ptr_store", "ptrtoint", "recast_iter", "to_llvm_ptr"
]


def _pointer(value: Any, where: str) -> Pointer:
    if not isinstance(value, Pointer):
        hint = "; use fx.get_iter(tensor)" if isinstance(value, AnyTensor) else ""
        raise TypeError(f"{where}: expected a Pointer, got {describe(value)}{hint}")
    return value


# --- pointers -------------------------------------------------------------------


def ptr_load(pointer: Pointer, result_type: Any = None) -> Any:
    """The value at a pointer: an element, or as `result_type` (a numeric class, a vector class, an IR type)."""
    return load_pointer(pointer, result_type, "ptr_load")


def ptr_store(value: Any, pointer: Pointer) -> None:
    """Stores an element, or a vector to consecutive elements. Python numbers convert; other types that differ are refused."""
    store_pointer(pointer, value, "ptr_store")


def add_offset(iter: Any, offset: Any) -> ir.Value:
    """A pointer `offset` elements further, or a coordinate moved by `offset`."""
    if not isinstance(iter, (Pointer, IntTuple)):
        if isinstance(iter, AnyTensor):
            _pointer(iter, "add_offset")
        iter = as_int_tuple(iter, "add_offset")
    return _fly.add_offset(iter, as_int_tuple(offset, "add_offset offset"))


def recast_iter(dtype: Any, pointer: Pointer) -> Pointer:
    """The same address as a pointer to elements of `dtype`, a numeric class or IR type; memory and alignment are kept.

    A whole pointer type states the alignment, too. ValueError if the alignment
    does not suffice for the new elements, or the memory differs.
    """
    if isinstance(dtype, Pointer):
        dtype, pointer = pointer, dtype
    return recast_pointer(_pointer(pointer, "recast_iter"), dtype, "recast_iter")


def apply_swizzle(pointer: Pointer, swizzle: Any) -> Pointer:
    """The pointer with its swizzle replaced by a `Swizzle` or the swizzle of a `SwizzleType`."""
    if isinstance(swizzle, _types.SwizzleType):
        swizzle = _fly.static(swizzle)
    if not isinstance(swizzle, Swizzle):
        raise TypeError(f"apply_swizzle: expected a swizzle, got {describe(swizzle)}; use fx.SwizzleType.get(mask, base, shift)")
    return _fly.apply_swizzle(_pointer(pointer, "apply_swizzle"), swizzle)


def inttoptr(type: Any, address: Any) -> Pointer:
    """The pointer of a pointer type at a byte address. ValueError for Register memory, which has no addresses."""
    if not isinstance(type, _types.PointerType):
        raise TypeError(f"inttoptr: expected a pointer type such as fx.PointerType.get(...), got {describe(type)}")
    if AddressSpace.from_attr(type.address_space) == AddressSpace.Register:
        raise ValueError(f"inttoptr: Register memory has no addresses, got {type}")
    shared = AddressSpace.from_attr(type.address_space) == AddressSpace.Shared
    number = static_int(address)
    if number is not None:
        if not 0 <= number < (1 << 32 if shared else 1 << 64):
            raise ValueError(f"inttoptr: {number} is no address")
        value = (Int32 if shared else Int64)(number).ir_value()
    else:
        leaf = get_scalar(as_int_tuple(address, "inttoptr"))
        value = leaf.ir_value()
    return _fly.inttoptr(type, value)


def ptrtoint(pointer: Pointer) -> Numeric:
    """The byte address: an `Int32` for Shared, an `Int64` for Global memory. ValueError for other memory."""
    pointer = _pointer(pointer, "ptrtoint")
    if pointer.address_space not in (AddressSpace.Global, AddressSpace.Shared):
        raise ValueError(f"ptrtoint: expected Global or Shared memory, got {pointer.type}")
    return from_element(_fly.ptrtoint(pointer))


def to_llvm_ptr(pointer: Pointer) -> ir.Value:
    """The address as `!llvm.ptr` of the matching address space. ValueError for a target's own address space."""
    return to_llvm(_pointer(pointer, "to_llvm_ptr"))


def make_ptr(type: Any, args: Any, *, dict_attrs: Any = None) -> Pointer:
    """A pointer of `type` from parts as its memory wants: new memory for Register (`allocSize` elements) and Shared (`allocBytes`,
    `allocAlign`), a buffer's address and descriptor otherwise.

    `dict_attrs` maps names to ints or attributes.
    """
    if not isinstance(type, _types.PointerType):
        raise TypeError(f"make_ptr: expected a pointer type such as fx.PointerType.get(...), got {describe(type)}")
    operands = [arg.ir_value() if isinstance(arg, Numeric) else arg for arg in ([] if args is None else args)]
    for operand in operands:
        if not isinstance(operand, ir.Value):
            raise TypeError(f"make_ptr: expected IR values or DSL numbers as parts, got {describe(operand)}")
    if dict_attrs is not None and not isinstance(dict_attrs, ir.Attribute):
        wide = ir.IntegerType.get_signless(64)
        dict_attrs = ir.DictAttr.get({
            name: value if isinstance(value, ir.Attribute) else ir.IntegerAttr.get(wide, value)
            for name, value in dict_attrs.items()
        })
    return _fly.make_ptr(type, operands, dict_attrs=dict_attrs)


def get_dyn_shared(dtype: Any = None) -> Pointer:
    """The start of the launch's dynamic shared memory: bytes, or elements of `dtype`, aligned to 1024 bytes."""
    pointer = _fly.get_dyn_shared()
    return pointer if dtype is None else recast_pointer(pointer, dtype, "get_dyn_shared")


def _space(value: Any) -> Any:
    return getattr(value, "address_space", value)


def is_generic_address_space(space: Any, which: Any) -> bool:
    """True if `space` (an attribute, an `AddressSpace`, a pointer or a tensor) is the `AddressSpace` `which`."""
    space = _space(space)
    if isinstance(space, ir.Attribute):
        space = AddressSpace.from_attr(space)
    return space is not None and space == AddressSpace.of(which, "is_generic_address_space")


def is_target_address_space(space: Any, attr: Any) -> bool:
    """True if `space` (an attribute, a pointer or a tensor) is the target's address space `attr`."""
    space = _space(space)
    attr = ir.Attribute.parse(attr) if isinstance(attr, str) else attr
    return isinstance(space, ir.Attribute) and isinstance(attr, ir.Attribute) and space == attr


# --- tensors --------------------------------------------------------------------


def memref_load(tensor: Tensor, coord: Any) -> Any:
    """The element of a tensor at a coordinate; of a coordinate tensor an int tuple. Indices are checked as in `tensor[coord]`."""
    coord = check_coordinate(coord, as_tensor(tensor, "memref_load").trees[0], tensor.type, "memref_load")
    if has_wildcard(coord):
        raise TypeError(f"memref_load: the coordinate of an element has no None; fx.slice gives parts of {tensor.type}")
    return from_element(_fly.memref_load(tensor, as_int_tuple(coord, "memref_load")), tensor)


def memref_store(value: Any, tensor: Tensor, coord: Any) -> None:
    """Stores an element at a coordinate. Python numbers convert; other types that differ are refused (TypeError)."""
    coord = check_coordinate(coord, check_memory(tensor, "memref_store").trees[0], tensor.type, "memref_store")
    if has_wildcard(coord):
        raise TypeError(f"memref_store: the coordinate of an element has no None; {tensor.type}")
    store_element(tensor, coord, value, "memref_store")


def memref_load_vec(tensor: Tensor) -> Any:
    """All elements of a tensor of static size as a flat `Vector`, in column-major order (the first mode fastest)."""
    return as_tensor(tensor, "memref_load_vec").load()


def memref_store_vec(vector: Any, tensor: Tensor) -> None:
    """Stores a vector to all elements of a tensor, in column-major order."""
    store_vector(tensor, vector, "memref_store_vec")


def memref_alloca(type: Any, layout: Any) -> Tensor:
    """New memory of the tensor type `type`, whose layout is `layout`."""
    if not isinstance(type, _types.MemRefType):
        raise TypeError(f"memref_alloca: expected a tensor type such as fx.MemRefType.get(...), got {describe(type)}")
    if not isinstance(layout, Layout):
        raise TypeError(f"memref_alloca: expected a layout, got {describe(layout)}; use fx.make_layout(shape, stride)")
    return _fly.memref_alloca(type, layout)


def make_rmem_tensor(shape_or_layout: Any, dtype: Any) -> Tensor:
    """A new tensor in registers with elements of `dtype`: of a shape, column-major, or of a static layout."""
    element = ir_element_type(dtype, "make_rmem_tensor")
    if isinstance(shape_or_layout, (ComposedLayout, AnyTensor)):
        hint = "; use fx.make_fragment_like" if isinstance(shape_or_layout, AnyTensor) else ""
        raise TypeError(f"make_rmem_tensor: expected a shape or a plain layout, got {describe(shape_or_layout)}{hint}")
    layout = shape_or_layout
    if not isinstance(layout, Layout):
        layout = _fly.make_ordered_layout(as_int_tuple(shape_or_layout, "make_rmem_tensor"), as_int_tuple(0))
    if not layout.is_static:
        raise ValueError(f"make_rmem_tensor: registers have no run-time sizes, got the layout {layout}")
    return of_class(_fly.memref_alloca(ir.Type.parse(f"!fly.memref<{element}, register, {layout.body}>"), layout), dtype)


def make_fragment_like(value: Any, dtype: Any = None) -> Tensor:
    """A new tensor in registers with the shape of a tensor or layout, packed; elements of `dtype` or the tensor's own.

    TypeError without `dtype` for a layout or a coordinate tensor; ValueError for run-time sizes.
    """
    if not isinstance(value, (Tensor, Layout)):
        raise TypeError(f"make_fragment_like: expected a tensor or a layout, got {describe(value)}")
    if dtype is None and (isinstance(value, (Layout, CoordTensor))):
        raise TypeError(f"make_fragment_like: {describe(value)} has no element type, give dtype")
    if not content.is_static(value.trees[0]):
        raise ValueError(f"make_fragment_like: registers have no run-time sizes, got {value.type}")
    attr = None if dtype is None else ir.TypeAttr.get(ir_element_type(dtype, "make_fragment_like"))
    return of_class(_fly.make_fragment_like(value, dtype=attr), dtype)


def make_fragment_layout_like(value: Any) -> Layout:
    """The packed layout of `make_fragment_like`."""
    if isinstance(value, CoordTensor):
        value = value.layout
    if not isinstance(value, (Tensor, Layout)):
        raise TypeError(f"make_fragment_layout_like: expected a tensor or a layout, got {describe(value)}")
    return _fly.make_fragment_layout_like(value)


def decomposition(tensor: Any) -> Tensor:
    """The tensor with a plain layout: the inner map of a composed one moves the iterator."""
    return _fly.decomposition(as_tensor(tensor, "decomposition"))


def assume(dst: Any, src: Any) -> Any:
    """`src` with the promise that it has the type of `dst`, which states more (a divisor, an alignment)."""
    raw_dst, raw_src = (value.ir_value() if isinstance(value, Numeric) else value for value in (dst, src))
    if not isinstance(raw_dst, ir.Value) or not isinstance(raw_src, ir.Value):
        raise TypeError(f"assume: expected two IR values, got {describe(dst)} and {describe(src)}")
    return from_element(_fly.assume(raw_dst.type, raw_dst, raw_src))

