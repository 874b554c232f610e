# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Typed memory: sizes and alignments of types, arrays in memory, handles on typed memory, bump allocation.

Sizes and alignments are bytes, offsets too; they follow the rules of C. Types that can stand in memory are numeric
classes, `Vector[dtype, n]`, `Pointer[dtype, space]`, `Array[...]`, `Align[...]`, structs and unions (`struct.py`),
and every class with the four class methods of `flydsl.compiler.protocol.Storable`.
"""

from __future__ import annotations

import operator
import sys
from typing import NamedTuple

from .._mlir import ir
from .numeric import Boolean, Numeric, convert_literal

__all__ = ["Align", "Array", "Arena", "Storage"]

class StorageLayout(NamedTuple):
    """Where a type's parts lie: size and alignment in bytes, byte offset of each field (empty for types without
    fields).
    """

    size: int
    align: int
    offsets: dict


def type_name(dtype) -> str:
    """The name that messages use for a type."""
    return getattr(dtype, "__name__", None) or str(dtype)


def is_numeric(dtype) -> bool:
    """True for the numeric classes (`Int32`, `Float16`, …)."""
    return isinstance(dtype, type) and issubclass(dtype, Numeric)


def round_up(value: int, multiple: int) -> int:
    """`value` rounded up to a multiple of `multiple`."""
    return -(-value // multiple) * multiple


def check_alignment(align, least: int, what: str) -> int:
    """`align` as an int; ValueError if it is no power of two or below `least`."""
    try:
        align = operator.index(align)
    except TypeError:
        raise TypeError(f"{what}: alignment must be an int, got {align!r}") from None
    if align <= 0 or align & (align - 1):
        raise ValueError(f"{what}: alignment must be a positive power of two, got {align}")
    if align < least:
        raise ValueError(f"{what}: alignment {align} is below the natural alignment {least}")
    return align


def storage_size(dtype) -> int:
    """Bytes that a value of `dtype` takes; TypeError if the type has no memory layout."""
    hook = getattr(dtype, "__dsl_size_of__", None)
    if hook is not None:
        return hook()
    if is_numeric(dtype):
        return (dtype.width + 7) // 8
    raise TypeError(f"{type_name(dtype)} has no memory layout; expected a numeric class, Vector[...], Pointer[...], fx.Array[...], "
                    "a struct or a union")


def storage_align(dtype) -> int:
    """Alignment in bytes of a value of `dtype`; TypeError if the type has no memory layout."""
    hook = getattr(dtype, "__dsl_align_of__", None)
    if hook is not None:
        return hook()
    size = storage_size(dtype)
    return 1 << (size - 1).bit_length() if size else 1


def fields_of(dtype) -> dict:
    """Names and types of the stored fields of a struct or union; empty for other types."""
    return getattr(dtype, "__dsl_fields__", None) or {}


def layout_of_fields(owner: str, fields: dict, union: bool = False) -> StorageLayout:
    """C's layout of `fields` (name to type): each field at the next multiple of its alignment, the size rounded up to
    the largest alignment. In a union all fields lie at 0.
    """
    size, align, offsets = 0, 1, {}
    for name, dtype in fields.items():
        try:
            field_size, field_align = storage_size(dtype), storage_align(dtype)
        except TypeError as error:
            raise TypeError(f"{owner}.{name}: {error}") from None
        align = max(align, field_align)
        offsets[name] = 0 if union else round_up(size, field_align)
        size = max(size, offsets[name] + field_size)
    return StorageLayout(round_up(size, align), align, offsets)


def _storage_layout(dtype) -> StorageLayout:
    """The layout of a type: (size, align, offsets of its fields)."""
    if isinstance(dtype, dict):
        return layout_of_fields("fields", dtype)
    if fields_of(dtype):
        return layout_of_fields(type_name(dtype), fields_of(dtype), getattr(dtype, "__dsl_union__", False))
    return StorageLayout(storage_size(dtype), storage_align(dtype), {})


def coerce_stored(dtype, value, where: str):
    """`value` as a `dtype`, a numeric class, to be stored at `where` (for messages).

    Python numbers convert and must fit (ValueError); a DSL or IR value must have the type already (TypeError): a
    store never converts in silence. Integers of one width count as one type, whatever their sign.
    """
    found = type(value)
    if isinstance(value, Numeric) and found is not dtype and found.is_integer and dtype.is_integer and found.width == dtype.width:
        return dtype(value)
    return convert_literal(value, dtype, where)


#===----------------------------------------------------------------------===#
# Access at pointers
#===----------------------------------------------------------------------===#

def _recast(ptr, element, align: int):
    """`ptr` with elements of the IR type `element`, at an address that is taken to be a multiple of `align`; memory and
    swizzle stay.
    """
    from .._mlir.dialects import fly

    kind = ptr.type
    align = kind.alignment if kind.alignment % align == 0 else align
    return fly.recast_iter(fly.PointerType.get(element, kind.address_space, align, kind.swizzle), ptr)


def typed_pointer(dtype, ptr):
    """`ptr` as a pointer to `dtype`, a numeric class, at the same address, which is taken to be aligned for it."""
    element = dtype.ir_type
    return ptr if ptr.type.element_type == element else _recast(ptr, element, storage_align(dtype))


def byte_pointer(ptr, align: int = 1):
    """`ptr` as a pointer to bytes (i8) at the same address, which is taken to be a multiple of `align`."""
    from .tensor import Pointer

    if not isinstance(ptr, Pointer):
        raise TypeError(f"expected a pointer, got {type(ptr).__name__}")
    byte = ir.IntegerType.get_signless(8)
    return ptr if ptr.type.element_type == byte and ptr.type.alignment % align == 0 else _recast(ptr, byte, align)


def offset_bytes(ptr, offset: int):
    """`ptr` moved by a constant number of bytes, as a pointer to bytes."""
    from . import memory

    ptr = byte_pointer(ptr)
    return memory.add_offset(ptr, offset) if offset else ptr


def _for_hook(dtype, ptr):
    """The pointer that a type's own hooks are given: to elements for vector classes, else to bytes."""
    if hasattr(dtype, "make_type") and is_numeric(getattr(dtype, "dtype", None)):
        return typed_pointer(dtype.dtype, ptr)
    return ptr


def peek_at(dtype, ptr):
    """The value of type `dtype` in memory at `ptr` (any element type)."""
    if is_numeric(dtype):
        from .._mlir.dialects import fly

        return dtype(fly.ptr_load(dtype.ir_type, typed_pointer(dtype, ptr)))
    hook = getattr(dtype, "__peek_from_ptr__", None)
    if hook is None:
        storage_size(dtype)
        raise TypeError(f"{type_name(dtype)} cannot be read from memory: it has no __peek_from_ptr__")
    return hook(_for_hook(dtype, ptr))


def poke_at(dtype, ptr, value, where: str | None = None) -> None:
    """Stores `value` as a `dtype` at `ptr` (any element type). Literals convert and must fit, other values must have
    the type.
    """
    if is_numeric(dtype):
        from .._mlir.dialects import fly

        fly.ptr_store(coerce_stored(dtype, value, where or type_name(dtype)).ir_value(), typed_pointer(dtype, ptr))
        return
    hook = getattr(dtype, "__poke_into_ptr__", None)
    if hook is None:
        storage_size(dtype)
        raise TypeError(f"{type_name(dtype)} cannot be stored: it has no __poke_into_ptr__")
    hook(_for_hook(dtype, ptr), value)


#===----------------------------------------------------------------------===#
# Align and Array
#===----------------------------------------------------------------------===#

class Align:
    """`Align[T, n]`: the type T at an alignment of `n` bytes, a power of two not below T's own. As in C the size stays
    T's.
    """

    _cache: dict = {}

    def __class_getitem__(cls, arguments):
        if cls is not Align or not isinstance(arguments, tuple) or len(arguments) != 2:
            raise TypeError("fx.Align takes a type and an alignment: fx.Align[T, 16]")
        dtype, align = arguments
        align = check_alignment(align, storage_align(dtype), f"Align[{type_name(dtype)}, {align}]")
        key = (dtype, align)
        if key not in cls._cache:
            cls._cache[key] = type(f"Align[{type_name(dtype)}, {align}]", (Align,), {"dtype": dtype, "align": align})
        return cls._cache[key]

    def __new__(cls, value):
        if cls is Align:
            raise TypeError("fx.Align is a type; write fx.Align[T, n]")
        return cls.dtype(value)

    @classmethod
    def __dsl_size_of__(cls):
        return storage_size(cls.dtype)

    @classmethod
    def __dsl_align_of__(cls):
        return cls.align

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        # A field of an aligned type is a plain value of the type.
        from ..compiler import protocol

        return protocol.construct_from_ir_values(cls.dtype, exemplar, values)

    @classmethod
    def __peek_from_ptr__(cls, ptr):
        return peek_at(cls.dtype, ptr)

    @classmethod
    def __poke_into_ptr__(cls, ptr, value):
        poke_at(cls.dtype, ptr, value)


class Array:
    """`Array[dtype, n, align=None]`: `n` values of `dtype` one after another in memory. The alignment is the element's
    unless a larger power of two is given. Elements narrower than a byte are packed.

    A handle (from `Storage.peek()`) gives `.ptr`, `len(a)`, `a[i]`, `a[i] = v` (a constant index is checked, a
    negative one counts from the end) and, for numeric elements, `.view(layout)`.
    """

    dtype = None
    numel = 0
    align = 1
    _cache: dict = {}

    def __class_getitem__(cls, arguments):
        if cls is not Array:
            raise TypeError(f"{cls.__name__} is an array type already")
        if not isinstance(arguments, tuple) or len(arguments) not in (2, 3):
            raise TypeError("fx.Array takes an element type, a count and optionally an alignment: fx.Array[fx.Float32, 64, 16]")
        dtype, count = arguments[:2]
        name = f"Array[{type_name(dtype)}, {count}]"
        try:
            count = operator.index(count)
        except (TypeError, RuntimeError):
            raise TypeError(f"{name}: the count must be an int known while tracing, got {type_name(type(count))}") from None
        if count < 0:
            raise ValueError(f"{name}: the count must not be negative")
        natural = storage_align(dtype)
        align = natural if len(arguments) == 2 or arguments[2] is None else check_alignment(arguments[2], natural, name)
        key = (dtype, count, align)
        if key not in cls._cache:
            if align != natural:
                name = f"{name[:-1]}, {align}]"
            cls._cache[key] = type(name, (Array,), {"dtype": dtype, "numel": count, "align": align})
        return cls._cache[key]

    def __init__(self, ptr):
        if type(self) is Array:
            raise TypeError("fx.Array is a type; write fx.Array[dtype, count]")
        self._ptr = typed_pointer(self.dtype, ptr) if is_numeric(self.dtype) else byte_pointer(ptr, self.align)

    @property
    def ptr(self):
        """Pointer to the first element; to bytes if the elements are no numbers."""
        return self._ptr

    @property
    def element_type(self):
        """The class of the elements."""
        return self.dtype

    def __len__(self):
        return self.numel

    def __repr__(self):
        return f"<{type_name(type(self))}>"

    def view(self, layout):
        """The tensor over the array with `layout` (offsets count elements). ValueError if a static layout reaches past
        the array.
        """
        if not is_numeric(self.dtype):
            raise TypeError(f"{type_name(type(self))}.view needs numeric elements; index the array instead")
        from .operands import as_layout

        layout = as_layout(layout, f"{type_name(type(self))}.view")
        extent = static_cosize(layout)
        if extent is not None and extent > self.numel:
            raise ValueError(f"{type_name(type(self))}.view: the layout {layout} reaches {extent} elements, but the array has "
                             f"{self.numel}")
        return self._ptr.view(layout)

    def _locate(self, index):
        """Pointer to the element `index`: a number, or an int tuple of one leaf."""
        from . import memory

        static = _static_index(index)
        if static is not None:
            if not -self.numel <= static < self.numel:
                raise IndexError(f"{type_name(type(self))}: index {static} is out of range for {self.numel} elements")
            index = static % self.numel
        if is_numeric(self.dtype):
            if self.dtype.width % 8 and self.dtype is not Boolean:
                _check_packed(self, static)
            return self._ptr if static is not None and index == 0 else memory.add_offset(self._ptr, index)
        stride = _element_stride(self.dtype)
        return offset_bytes(self._ptr, index * stride) if static is not None else memory.add_offset(self._ptr, index * stride)

    def __getitem__(self, index):
        return peek_at(self.dtype, self._locate(index))

    def __setitem__(self, index, value):
        poke_at(self.dtype, self._locate(index), value, f"{type_name(type(self))} element")

    @classmethod
    def __dsl_size_of__(cls):
        if is_numeric(cls.dtype):
            # Packed as the dialect packs them; booleans take a byte each.
            bits = 8 if cls.dtype is Boolean else cls.dtype.width
            return (cls.numel * bits + 7) // 8
        return cls.numel * _element_stride(cls.dtype)

    @classmethod
    def __dsl_align_of__(cls):
        return cls.align

    @classmethod
    def __peek_from_ptr__(cls, ptr):
        return cls(ptr)

    @classmethod
    def __poke_into_ptr__(cls, ptr, value):
        array = cls(ptr)
        values = list(value)
        if len(values) != cls.numel:
            raise ValueError(f"{type_name(cls)} takes {cls.numel} values, got {len(values)}")
        for index, item in enumerate(values):
            array[index] = item

    def __extract_to_ir_values__(self):
        return [self._ptr]

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        return cls(values[0])


def _element_stride(dtype) -> int:
    return round_up(storage_size(dtype), storage_align(dtype))


def _check_packed(array, index):
    if index is None or index * array.dtype.width % 8:
        raise ValueError(f"{type_name(type(array))}: element {'at a run-time index' if index is None else index} does not start at a byte; "
                         "take a vector of whole bytes from a view instead")


def _static_index(index):
    """A constant index as an int, None for a run-time one; TypeError for anything that is no integer."""
    if isinstance(index, (bool, float)):
        raise TypeError(f"array index must be an integer, got {type(index).__name__} {index}")
    if isinstance(index, Numeric):
        if not type(index).is_integer:
            raise TypeError(f"array index must be an integer, got {type_name(type(index))}")
        return int(index) if index.is_static() else None
    if isinstance(index, ir.Value):
        return None
    return operator.index(index)


def static_cosize(layout):
    """The number of elements that a layout value reaches, as the compiler has it; None for run-time layouts."""
    reach = layout.type.cosize
    return reach if isinstance(reach, int) else None


#===----------------------------------------------------------------------===#
# Storage
#===----------------------------------------------------------------------===#

class Storage:
    """`Storage[T](ptr)`: memory that holds a T.

    `.peek()` reads the value (for arrays: a handle), `.poke(v)` stores one, `.field` of a struct or union is the
    storage of that field. `.ptr` is a pointer to the memory, or an error if the parts of a static shared allocation
    lie apart.
    """

    dtype = None
    _cache: dict = {}

    def __class_getitem__(cls, dtype):
        if cls is not Storage:
            raise TypeError(f"{cls.__name__} is a storage type already")
        storage_size(dtype)
        if dtype not in cls._cache:
            cls._cache[dtype] = type(f"Storage[{type_name(dtype)}]", (Storage,), {"dtype": dtype})
        return cls._cache[dtype]

    def __init__(self, ptr=None, *, parts=None):
        if type(self) is Storage:
            raise TypeError("fx.Storage is a type; write fx.Storage[T](pointer)")
        if (ptr is None) == (parts is None):
            raise TypeError(f"{type_name(type(self))} takes a pointer")
        # A typed place is aligned for its type; the pointer says so, for all that is derived from it.
        self._ptr = None if ptr is None else byte_pointer(ptr, storage_align(self.dtype))
        # Name to storage, for a struct whose fields were allocated one by one.
        self._parts = parts

    @property
    def ptr(self):
        """Pointer to the memory: to elements of the type for a numeric class, a vector or an array of these, else to bytes."""
        if self._ptr is None:
            raise ValueError(f"{type_name(type(self))} is a static shared allocation whose fields lie apart; take the pointer of a field: "
                             + ", ".join(self._parts))
        element = self.dtype
        while not is_numeric(element) and isinstance(getattr(element, "dtype", None), type):
            element = element.dtype
        return typed_pointer(element, self._ptr) if is_numeric(element) else self._ptr

    def _field(self, name):
        if self._parts is not None:
            return self._parts[name]
        offset = _storage_layout(self.dtype).offsets[name]
        return Storage[fields_of(self.dtype)[name]](offset_bytes(self._ptr, offset))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        fields = fields_of(type(self).dtype)
        if name in fields:
            return self._field(name)
        known = f"it has {', '.join(fields)}" if fields else "the type has no fields"
        raise AttributeError(f"{type_name(type(self))} has no field '{name}'; {known}")

    def peek(self):
        """The stored value; a handle for arrays; for unions a handle whose members read the memory as their type."""
        if self._parts is not None:
            return self.dtype._from_stored({name: part.peek() for name, part in self._parts.items()})
        return peek_at(self.dtype, self._ptr)

    def poke(self, value) -> None:
        """Stores `value`: literals convert and must fit, other values must have the type."""
        if self._parts is None:
            poke_at(self.dtype, self._ptr, value)
            return
        value = self.dtype._coerce_stored(value)
        for name, part in self._parts.items():
            part.poke(getattr(value, name))

    def __repr__(self):
        return f"<{type_name(type(self))}>"

    def __extract_to_ir_values__(self):
        if self._parts is None:
            return [self._ptr]
        return [value for part in self._parts.values() for value in part.__extract_to_ir_values__()]

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        values = list(values)
        if exemplar is None or exemplar._parts is None:
            return cls(values[0])
        parts = {}
        for name, part in exemplar._parts.items():
            count = len(part.__extract_to_ir_values__())
            parts[name] = type(part).__construct_from_ir_values__(values[:count], part)
            values = values[count:]
        return cls(parts=parts)


#===----------------------------------------------------------------------===#
# Arena
#===----------------------------------------------------------------------===#

class Allocation(NamedTuple):
    """One allocation of an arena: type name, bytes, alignment and the user's place."""

    name: str
    size: int
    align: int
    place: str


def user_place() -> str:
    """"file:line" of the innermost frame outside of this package."""
    from .meta import _is_package_file

    frame = sys._getframe(1)
    while frame is not None:
        if not _is_package_file(frame.f_code.co_filename):
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return "unknown place"


class Arena:
    """Bump allocation from one pointer.

    `Arena(base_ptr, base_alignment=16)`: allocations follow each other from `base_ptr`, which is aligned to
    `base_alignment` bytes.
    """

    def __init__(self, base_ptr, base_alignment: int = 16):
        self._base_alignment = check_alignment(base_alignment, 1, type(self).__name__)
        self._base = byte_pointer(base_ptr, base_alignment) if base_ptr is not None else None
        self._bytes = 0
        self._allocations: list[Allocation] = []

    @property
    def base_ptr(self):
        """Pointer to bytes at the start."""
        return self._base

    @property
    def base_alignment(self) -> int:
        """Alignment of the start in bytes."""
        return self._base_alignment

    @property
    def allocated_bytes(self) -> int:
        """Bytes from the start to the end of the last allocation."""
        return self._bytes

    @property
    def allocations(self):
        """The allocations so far: (name, size, align, place)."""
        return tuple(self._allocations)

    def _resolve(self, type_or_nbytes, alignment):
        """(type, alignment in bytes) of a request."""
        from .numeric import Uint8

        if isinstance(type_or_nbytes, type):
            dtype = type_or_nbytes
        else:
            try:
                nbytes = operator.index(type_or_nbytes)
            except (TypeError, RuntimeError):
                raise TypeError(f"{type(self).__name__}.allocate takes a type or a number of bytes, got {type_or_nbytes!r}") from None
            if nbytes < 0:
                raise ValueError(f"{type(self).__name__}.allocate: the number of bytes must not be negative, got {nbytes}")
            dtype = Array[Uint8, nbytes]
        natural = storage_align(dtype)
        if alignment is None:
            return dtype, natural
        return dtype, check_alignment(alignment, natural, f"{type(self).__name__}.allocate({type_name(dtype)})")

    def allocate(self, type_or_nbytes, alignment=None) -> Storage:
        """Memory for a type, or for a number of bytes (then `Storage[Array[Uint8, n]]`), at the type's alignment or a
        larger one.
        """
        dtype, align = self._resolve(type_or_nbytes, alignment)
        if align > self._base_alignment:
            raise ValueError(f"{type(self).__name__}.allocate({type_name(dtype)}): alignment {align} exceeds the base's {self._base_alignment}; "
                             f"pass base_alignment={align}")
        start = round_up(self._bytes, align)
        self._note(dtype, align, start + storage_size(dtype))
        return Storage[dtype](offset_bytes(self._base, start))

    def _note(self, dtype, align, total):
        """Books an allocation that ends at `total` bytes."""
        self._allocations.append(Allocation(type_name(dtype), storage_size(dtype), align, user_place()))
        self._bytes = total
