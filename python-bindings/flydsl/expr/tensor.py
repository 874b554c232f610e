# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pointers, and tensors: memory or coordinates seen through a layout."""
from __future__ import annotations

import re
from typing import Any

from .._mlir import ir
from .._mlir._mlir_libs import _fly as _types
from . import content
from .builders import builders as _fly
from .elements import class_of, dsl_class, from_element, ir_element_type, is_numeric_class, of_class, to_element
from .enum import AddressSpace
from .indexing import check_coordinate
from .layout import AnyPointer, AnyTensor, IntTuple
from .numeric import Int32, Int64, Numeric
from .operands import as_int_tuple, as_layout, describe, has_wildcard, static_int

__all__ = ["CoordTensor", "Pointer", "Tensor"]

def _get_element_type(value: Any) -> Any:
    """The numeric class of the elements; signed for integers of which nothing but the type is known."""
    return class_of(value) or dsl_class(value.type.element_type)


def _get_address_space(value: Any) -> Any:
    """The memory: an `AddressSpace`, or a target's own attribute."""
    attr = value.type.address_space
    space = AddressSpace.from_attr(attr)
    return attr if space is None else space


def _get_alignment(value: Any) -> int:
    """What the address is a multiple of, in bytes."""
    return value.type.alignment


# What pointers and tensors say about the memory that they name.
_element_type = property(_get_element_type)
_address_space = property(_get_address_space)
_alignment = property(_get_alignment)


def space_text(attr: ir.Attribute) -> str:
    """An address space as it stands in pointer types."""
    space = AddressSpace.from_attr(attr)
    return str(attr) if space is None else space.keyword


def pointer_type_like(pointer: "Pointer", element_type: ir.Type) -> ir.Type:
    """The pointer's type with other elements: address space, alignment and swizzle are kept.

    ValueError if the alignment is no multiple of the new element's size.
    """
    size = (getattr(element_type, "width", 8) + 7) // 8
    if pointer.alignment % size:
        raise ValueError(f"recast_iter: a pointer to {element_type} is aligned to at least {size} bytes, but {pointer.type} only to "
                         f"{pointer.alignment}; if the address is aligned, state it by passing a type: "
                         f"fx.recast_iter(fx.PointerType.get({element_type}, address_space, {size}), pointer)")
    text = f"!fly.ptr<{element_type}, {space_text(pointer.type.address_space)}, align<{pointer.alignment}>"
    swizzle = re.search(r"S<\d+,\d+,\d+>", pointer.body)
    return ir.Type.parse(text + (f", {swizzle.group()}>" if swizzle else ">"))


def recast_pointer(pointer: "Pointer", target: Any, where: str) -> "Pointer":
    """The same address with other elements: `target` is a numeric class, an element type, or a whole pointer type."""
    if not isinstance(pointer, Pointer):
        raise TypeError(f"{where}: expected a Pointer, got {describe(pointer)}")
    if isinstance(target, _types.PointerType):
        if target.address_space != pointer.type.address_space:
            raise ValueError(f"{where}: expected a pointer type in the memory of {pointer.type}, got {target}")
        return _fly.recast_iter(target, pointer)
    return of_class(_fly.recast_iter(pointer_type_like(pointer, ir_element_type(target, where)), pointer), target)


def _value_type(dtype: Any, where: str) -> ir.Type:
    """A numeric class, a vector class or an IR type as the IR type of a loaded value."""
    if isinstance(dtype, ir.Type):
        return dtype
    if is_numeric_class(dtype):
        return dtype.ir_type
    if hasattr(dtype, "lanes"):
        return dtype.make_type()
    raise TypeError(f"{where}: expected a numeric class, a vector class or an IR type, got {describe(dtype)}")


def load_pointer(pointer: "Pointer", dtype: Any, where: str) -> Any:
    """The value at a pointer, as `dtype` if given."""
    if not isinstance(pointer, Pointer):
        raise TypeError(f"{where}: expected a Pointer, got {describe(pointer)}")
    element = pointer.type.element_type
    kind = element if dtype is None else _value_type(dtype, where)
    inner = kind.element_type if isinstance(kind, ir.VectorType) else kind
    if inner != element:
        pointer = recast_pointer(pointer, inner, where)
    loaded = _fly.ptr_load(kind, pointer)
    if hasattr(dtype, "lanes"):
        return dtype.__construct_from_ir_values__([loaded])
    return dtype(loaded) if is_numeric_class(dtype) else from_element(loaded, pointer)


def store_pointer(pointer: "Pointer", value: Any, where: str) -> None:
    """Stores a value, or a vector to consecutive elements, at a pointer."""
    if not isinstance(pointer, Pointer):
        raise TypeError(f"{where}: expected a Pointer, got {describe(pointer)}")
    _fly.ptr_store(to_element(value, pointer.type.element_type, f"{where} to {pointer.type}", pointer), pointer)


_pointer_classes: dict = {}


@ir.register_value_caster(_types.PointerType.static_typeid)
class Pointer(AnyPointer):
    """A place in memory that holds elements of one type.

    `Pointer[dtype, space, alignment=None]` is the type of pointers stored in
    memory: 8 bytes for `AddressSpace.Global`, 4 for `AddressSpace.Shared`.
    """

    element_type = dtype = value_type = _element_type
    address_space = memspace = _address_space
    alignment = _alignment

    def __class_getitem__(cls, parameters):
        parameters = parameters if isinstance(parameters, tuple) else (parameters, )
        if len(parameters) not in (2, 3):
            raise TypeError(f"Pointer[dtype, space, alignment=None] takes 2 or 3 parameters, got {len(parameters)}")
        dtype, space = parameters[0], AddressSpace.of(parameters[1], "Pointer[dtype, space]")
        alignment = parameters[2] if len(parameters) == 3 else None
        if not is_numeric_class(dtype):
            raise TypeError(f"Pointer[dtype, space]: expected a numeric class, got {describe(dtype)}")
        if space not in (AddressSpace.Global, AddressSpace.Shared):
            raise ValueError(f"Pointer[dtype, space]: a stored pointer is in Global or Shared memory, got {space}")
        size = (dtype.width + 7) // 8
        if alignment is not None and (not isinstance(alignment, int) or alignment <= 0 or alignment % size):
            raise ValueError(f"Pointer[dtype, space, alignment]: expected a multiple of {size} bytes, got {alignment!r}")
        key = (dtype, space, alignment)
        if key not in _pointer_classes:
            suffix = "" if alignment is None else f", {alignment}"
            _pointer_classes[key] = type(f"Pointer[{dtype.__name__}, {space.name}{suffix}]", (_StoredPointer, ), {
                "dtype": dtype,
                "space": space,
                "stored_alignment": alignment,
                "__doc__": "A pointer stored in memory."
            })
        return _pointer_classes[key]

    @property
    def llvm_ptr(self) -> ir.Value:
        """The address as `!llvm.ptr`."""
        return to_llvm(self)

    def __add__(self, offset) -> "Pointer":
        """The pointer `offset` elements further."""
        return _fly.add_offset(self, as_int_tuple(offset, "Pointer + offset"))

    __radd__ = __add__

    def __sub__(self, offset) -> "Pointer":
        """The pointer `offset` elements before."""
        if isinstance(offset, AnyPointer):
            raise TypeError("Pointer - Pointer is not supported; subtract their addresses, fx.ptrtoint(p) - fx.ptrtoint(q)")
        number = static_int(offset)
        if number is not None:
            return self + -number
        negated = _fly.int_tuple_sub(as_int_tuple(0), as_int_tuple(offset, "Pointer - offset"))
        return _fly.add_offset(self, negated)

    def __getitem__(self, offset) -> Any:
        """The element `offset` elements further."""
        return load_pointer(self + offset, None, "Pointer[...]")

    def __setitem__(self, offset, value) -> None:
        store_pointer(self + offset, value, "Pointer[...] = value")

    def __iter__(self):
        raise TypeError("a Pointer has no length to iterate over; make a tensor with pointer.view(layout)")

    def load(self, dtype=None) -> Any:
        """The value here: an element, or as `dtype` (a numeric class, a vector class such as `Float32x4`, an IR type).

        Elements of another width are read from the same address; its alignment must suffice (ValueError).
        """
        return load_pointer(self, dtype, "Pointer.load")

    def store(self, value) -> None:
        """Stores an element, or a vector to consecutive elements. Python numbers convert to the element type if they fit
        (ValueError); any other type that differs is refused (TypeError)."""
        store_pointer(self, value, "Pointer.store")

    def view(self, layout) -> "Tensor":
        """The memory from here on seen through `layout`."""
        return _fly.make_view(self, as_layout(layout, "Pointer.view"))


class _StoredPointer:
    """Base of the classes `Pointer[dtype, space]`: a pointer as a field in memory."""

    dtype: Any = None
    space: AddressSpace = AddressSpace.Global
    stored_alignment: Any = None

    def __new__(cls, value):
        return value

    @classmethod
    def _type(cls) -> ir.Type:
        align = f", align<{cls.stored_alignment}>" if cls.stored_alignment else ""
        return ir.Type.parse(f"!fly.ptr<{cls.dtype.ir_type}, {cls.space.keyword}{align}>")

    @classmethod
    def _address_class(cls):
        return Int64 if cls.space == AddressSpace.Global else Int32

    @classmethod
    def __dsl_size_of__(cls) -> int:
        return cls._address_class().width // 8

    @classmethod
    def __dsl_align_of__(cls) -> int:
        return cls._address_class().width // 8

    @classmethod
    def _cell(cls, ptr: Pointer) -> Pointer:
        # A field of this type is aligned to its size, whatever the byte pointer says.
        size = cls.__dsl_size_of__()
        alignment = ptr.alignment if ptr.alignment % size == 0 else size
        kind = ir.Type.parse(f"!fly.ptr<{cls._address_class().ir_type}, {space_text(ptr.type.address_space)}, align<{alignment}>>")
        return _fly.recast_iter(kind, ptr)

    @classmethod
    def __peek_from_ptr__(cls, ptr: Pointer) -> Pointer:
        address = _fly.ptr_load(cls._address_class().ir_type, cls._cell(ptr))
        return _fly.inttoptr(cls._type(), address)

    @classmethod
    def __poke_into_ptr__(cls, ptr: Pointer, value: Pointer) -> None:
        if not isinstance(value, Pointer) or value.address_space != cls.space:
            raise TypeError(f"{cls.__name__}: expected a pointer in {cls.space.name} memory, got {describe(value)}")
        if value.type.element_type != cls.dtype.ir_type:
            raise TypeError(f"{cls.__name__}: expected a pointer to {cls.dtype.__name__}, got {value.type}; use fx.recast_iter")
        _fly.ptr_store(_fly.ptrtoint(value), cls._cell(ptr))


# LLVM's numbers of the address spaces.
_LLVM_SPACES = {AddressSpace.Generic: 0, AddressSpace.Global: 1, AddressSpace.Shared: 3, AddressSpace.Register: 5}


def to_llvm(pointer: Pointer) -> ir.Value:
    """The address as `!llvm.ptr`. ValueError for a target's own address space."""
    space = pointer.address_space
    if space not in _LLVM_SPACES:
        raise ValueError(f"to_llvm_ptr: expected a pointer in Generic, Global, Shared or Register memory, got {pointer.type}")
    return _fly.to_llvm_ptr(pointer, _LLVM_SPACES[space])


@ir.register_value_caster(_types.MemRefType.static_typeid)
class Tensor(AnyTensor):
    """Memory seen through a layout (`!fly.memref`), or a tensor of coordinates (`!fly.coord_tensor`)."""

    element_type = dtype = value_type = _element_type
    address_space = memspace = _address_space
    alignment = _alignment

    @property
    def layout_text(self) -> str:
        """The layout as types print it."""
        return content.body(self.type.layout)

    @property
    def is_composed(self) -> bool:
        """True if the layout has an inner map."""
        return " o " in self.layout_text

    @property
    def layout(self):
        """The layout: a `Layout` or a `ComposedLayout`."""
        return _fly.get_layout(self)

    @property
    def stride(self) -> IntTuple:
        """The strides in elements. TypeError if the layout is composed."""
        if self.is_composed:
            raise TypeError(f"{self.type} has no stride: its layout has an inner map")
        return _fly.get_stride(_fly.get_layout(self))

    @property
    def iter(self):
        """The place of the first element: a `Pointer`, or the base coordinate."""
        return _fly.get_iter(self)

    @property
    def leading_dim(self):
        """The number of the first mode with the static stride 1; None if there is none."""
        shape, stride = self.trees
        modes = stride if type(stride) is tuple else (stride, )
        return next((number for number, mode in enumerate(modes) if type(mode) is int and mode == 1), None)

    def __iter__(self):
        raise TypeError(f"{self.type} cannot be iterated over; index it, or use fx.range_constexpr over its size")

    def _coordinate(self, coord: Any, where: str) -> Any:
        return check_coordinate(coord, self.trees[0], self.type, where)

    def __getitem__(self, coord):
        """The element at a coordinate; with a None in it the tensor of the modes that it keeps.

        An integer counts through all modes, the first fastest; a tuple names
        one coordinate per mode, nested as the shape; `...` stands for as many
        None as are missing. A static negative index counts from the end.
        TypeError: an index that is no integer. IndexError: a wrong number of
        coordinates, or a static index outside of a static extent.
        """
        coord = self._coordinate(coord, "index")
        if has_wildcard(coord):
            return _fly.slice(self, as_int_tuple(coord, "slice"))
        return from_element(_fly.memref_load(self, as_int_tuple(coord, "index")), self)

    def __setitem__(self, coord, value) -> None:
        """Stores an element. Coordinates as for reading; Python numbers convert to the element type if they fit (ValueError),
        any other type that differs is refused (TypeError)."""
        coord = self._coordinate(coord, "index")
        if has_wildcard(coord):
            raise TypeError(f"cannot store to several elements of {self.type} by an index with None; use fx.copy(...), or "
                            "tensor[...].store(vector) or .fill(x)")
        store_element(self, coord, value, "store")

    def load(self):
        """All elements as a flat `Vector`; item k is the element at column-major coordinate k (the first mode fastest).

        The layout has a static size and no inner map.
        """
        return from_element(_fly.memref_load_vec(self), self)

    def store(self, vector) -> None:
        """Stores a vector to all elements: item k of a flat one to column-major coordinate k; a vector of the tensor's own shape
        goes coordinate by coordinate. TypeError: another element type or a scalar. ValueError: another number of elements."""
        store_vector(self, vector, "Tensor.store")

    def fill(self, value) -> None:
        """Stores `value` to all elements; conversion as for single elements."""
        from .vector import Vector
        size = content.tree_size(self.trees[0])
        if size is None:
            raise ValueError(f"Tensor.fill: expected a tensor of static size, got {self.type}")
        element = to_element(value, self.type.element_type, f"Tensor.fill of {self.type}", self)
        if isinstance(element.type, ir.VectorType):
            raise TypeError(f"Tensor.fill: expected a number, got a value of type {element.type}; use Tensor.store")
        _fly.memref_store_vec(_raw(Vector.filled((size, ), from_element(element, self), self.dtype)), self)


@ir.register_value_caster(_types.CoordTensorType.static_typeid)
class CoordTensor(Tensor):
    """A tensor whose elements are coordinates; there is no memory behind it."""

    @property
    def layout_text(self) -> str:
        return self.body.split(", ", 1)[1]

    def _no_memory(self, what: str):
        raise TypeError(f"{self.type} is a tensor of coordinates, it has no {what}")

    @property
    def element_type(self):
        """TypeError: coordinates have no element type."""
        self._no_memory("element type")

    dtype = value_type = element_type

    @property
    def address_space(self):
        """TypeError: coordinates are in no memory."""
        self._no_memory("address space")

    memspace = address_space

    @property
    def alignment(self):
        """TypeError: coordinates are in no memory."""
        self._no_memory("alignment")

    def __setitem__(self, coord, value) -> None:
        raise TypeError(f"cannot store to {self.type}: it is a tensor of coordinates")

    def load(self):
        """All elements as a flat vector of integers; the base is an integer and the strides are integers."""
        return from_element(_fly.memref_load_vec(self))


def _raw(value: Any) -> ir.Value:
    return value.ir_value() if isinstance(value, Numeric) or not isinstance(value, ir.Value) else value


def check_memory(tensor: Any, where: str) -> "Tensor":
    """`tensor`, a tensor in memory. TypeError for anything else."""
    if not isinstance(tensor, Tensor) or isinstance(tensor, CoordTensor):
        raise TypeError(f"{where}: expected a tensor in memory, got {describe(tensor)}")
    return tensor


def store_element(tensor: Any, coord: Any, value: Any, where: str) -> None:
    """Stores one element at a checked coordinate."""
    where = f"{where} to {tensor.type}"
    element = to_element(value, tensor.type.element_type, where, tensor)
    if isinstance(element.type, ir.VectorType):
        raise TypeError(f"{where}: expected one element of type {tensor.type.element_type}, got {element.type}; "
                        "use Tensor.store for all elements")
    _fly.memref_store(element, tensor, as_int_tuple(coord, "index"))


def store_vector(tensor: Any, vector: Any, where: str) -> None:
    """Stores a vector to all elements of a tensor."""
    check_memory(tensor, where)
    where = f"{where} to {tensor.type}"
    raw = to_element(vector, tensor.type.element_type, where)
    if not isinstance(raw.type, ir.VectorType):
        raise TypeError(f"{where}: expected a vector, got {describe(vector)}; use Tensor.fill for one number")
    shape = tensor.trees[0]
    size, count = content.tree_size(shape), 1
    for extent in raw.type.shape:
        count *= extent
    if size is not None and size != count:
        raise ValueError(f"{where}: expected a vector of {size} elements, got {count}")
    _fly.memref_store_vec(_in_memory_order(raw, getattr(vector, "shape", None), shape, where), tensor)


def _in_memory_order(raw: ir.Value, vector_shape: Any, shape: content.Tree, where: str) -> ir.Value:
    """The vector with its items in column-major order of the tensor's coordinates.

    Vectors lay their items out row-major, tensors count the first mode fastest.
    """
    if vector_shape is None:
        return raw
    extents = [extent for extent in content.leaves(tuple(vector_shape)) if extent != 1]
    if len(extents) < 2:
        return raw
    wanted = [extent for extent in content.leaves(shape) if extent != 1]
    if extents != wanted:
        raise ValueError(f"{where}: a vector of shape {tuple(vector_shape)} has no coordinates in common with the shape "
                         f"{content.tree_text(shape)}; store a flat one, vector.reshape(n), in column-major order")
    from .._mlir.dialects import vector as _vector
    order = []
    for number in range(raw.type.shape[0]):
        at, position = number, 0
        for extent in extents:
            at, coordinate = divmod(at, extent)
            position = position * extent + coordinate
        order.append(position)
    return _vector.shuffle(raw, raw, order)

