# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Structs and unions: `@fx.struct`, `@fx.union`, `fx.Struct[...]`, `fx.Union[...]`, `fx.Empty`.

A struct is a frozen record of DSL values. It crosses launches as argument, is carried through loops and branches,
and describes memory with C's layout (see `storage.py`, whose names are here as well).
"""

import dataclasses
import inspect
import keyword
import sys

from .numeric import Numeric, is_python_number
from .storage import (  # noqa: F401
    Align, Arena, Array, Storage, StorageLayout, _storage_layout, coerce_stored, fields_of, is_numeric, layout_of_fields, offset_bytes, peek_at,
    poke_at, round_up, storage_align, storage_size, type_name,
)

__all__ = ["Align", "Arena", "Array", "Empty", "Storage", "Struct", "Union", "is_composite_type", "is_specializable_struct_type", "is_struct_type",
           "struct", "union"]

# What instances and storages offer themselves; a field of such a name could not be reached.
_RESERVED = ("replace", "peek", "poke")


def is_composite_type(dtype) -> bool:
    """True for struct and union types."""
    return isinstance(dtype, type) and "__dsl_composite__" in dir(dtype)


def is_struct_type(dtype) -> bool:
    """True for struct types."""
    return is_composite_type(dtype) and not dtype.__dsl_union__


def is_specializable_struct_type(dtype) -> bool:
    """True for struct types with `Constexpr` fields whose values are not fixed yet."""
    return is_struct_type(dtype) and any(name not in dtype.__dsl_constants__ for name in dtype.__dsl_constexpr__)


#===----------------------------------------------------------------------===#
# Declarations
#===----------------------------------------------------------------------===#

def struct(cls=None):
    """Decorator (`@fx.struct` or `@fx.struct()`): turns a class with annotated fields into a struct type.

    Fields are taken in order, those of struct base classes first; `if` in the class body makes fields conditional.
    Methods, properties and class attributes are kept. TypeError for a field name that begins with `_`, is `replace`,
    `peek` or `poke`, or a field type that is no class.
    """
    return _declare if cls is None else _declare(cls)


def union(cls=None):
    """Decorator: turns a class with annotated fields into a union type; all fields lie at offset 0.

    `U(member=value)` makes a value with one member set; reading a union from memory gives a handle whose members
    read the memory.
    """
    def declare(cls):
        return _declare(cls, union=True)

    return declare if cls is None else declare(cls)


def _is_constexpr(annotation) -> bool:
    from ..compiler.parameters import is_constexpr

    return is_constexpr(annotation)


def _resolve_annotation(cls, name, annotation):
    if not isinstance(annotation, str):
        return annotation
    # `from __future__ import annotations` leaves text; names of enclosing functions are looked up in the frames that declare the class.
    scope = dict(vars(sys.modules.get(cls.__module__, object())) if cls.__module__ in sys.modules else {})
    frame = sys._getframe(1)
    local = {}
    while frame is not None:
        local = {**frame.f_locals, **local}
        frame = frame.f_back
        if frame is not None and frame.f_code.co_name == "<module>":
            break
    try:
        return eval(annotation, scope, local)
    except Exception as error:
        raise TypeError(f"{cls.__name__}.{name}: the annotation is the text '{annotation}', which cannot be evaluated here ({error}); leave out "
                        "`from __future__ import annotations` in the module that declares the struct") from None


def _check_field(owner, name, dtype):
    if name.startswith("_") or name in _RESERVED or keyword.iskeyword(name):
        raise TypeError(f"{owner}: field name '{name}' is not allowed; names must not start with '_' nor be {', '.join(_RESERVED)}")
    if not isinstance(dtype, type) and not hasattr(dtype, "__dsl_size_of__") and not hasattr(dtype, "__construct_from_ir_values__"):
        raise TypeError(f"{owner}.{name}: expected a type such as fx.Int32, fx.Array[...] or a struct, got {dtype!r}")


def _declare(cls, union=False):
    if not isinstance(cls, type):
        raise TypeError(f"fx.{'union' if union else 'struct'} decorates a class, got {cls!r}")
    # Inline structs are classes of this module; classes of the package that stand for values would be changed for everyone.
    if cls.__module__ == "builtins" or cls.__module__ != __name__ and cls.__module__.startswith("flydsl.") or "__dsl_fields__" in vars(cls):
        raise TypeError(f"fx.{'union' if union else 'struct'} decorates a class of your own once, got {cls.__name__} of module {cls.__module__}")
    annotations = {}
    for base in reversed(cls.__mro__[1:]):
        if is_composite_type(base):
            annotations.update(base.__dsl_annotations__)
    own = inspect.get_annotations(cls)
    for name, annotation in own.items():
        annotations[name] = _resolve_annotation(cls, name, annotation)
    fields, constexpr = {}, {}
    for name, dtype in annotations.items():
        if _is_constexpr(dtype):
            if union:
                raise TypeError(f"{cls.__name__}.{name}: a union has no Constexpr fields")
            constexpr[name] = dtype
            _check_field(cls.__name__, name, int)
            continue
        _check_field(cls.__name__, name, dtype)
        fields[name] = dtype
    defaults = {name: vars(cls)[name] for name in own if name in vars(cls)}
    for base in cls.__mro__[1:]:
        if is_composite_type(base):
            defaults = {**base.__dsl_defaults__, **defaults}
    for name in own:
        if name in vars(cls):
            delattr(cls, name)
    cls.__dsl_composite__ = True
    cls.__dsl_union__ = union
    cls.__dsl_annotations__ = annotations
    cls.__dsl_fields__ = fields
    cls.__dsl_constexpr__ = constexpr
    cls.__dsl_constants__ = {}
    cls.__dsl_defaults__ = defaults
    cls.__dsl_layout__ = None
    cls.__match_args__ = tuple(annotations)
    methods = _UNION_METHODS if union else _STRUCT_METHODS
    for name, method in methods.items():
        # What the user wrote wins, except for what makes a struct a struct.
        if name not in vars(cls) or name in ("__init__", "__setattr__", "__delattr__"):
            if name == "__init__" and name in vars(cls):
                raise TypeError(f"{cls.__name__}: a struct's __init__ is made from its fields; write a class method instead")
            setattr(cls, name, method)
    return cls


def _inline(kind, decorator):
    class Inline(type):
        def __getitem__(cls, items):
            items = items if isinstance(items, tuple) else (items,)
            named = {}
            for position, item in enumerate(items):
                if isinstance(item, slice) and isinstance(item.start, str) and item.step is None:
                    name, dtype = item.start, item.stop
                else:
                    name, dtype = f"f{position}", item
                if name in named:
                    raise TypeError(f"fx.{kind}[...]: field '{name}' is named twice")
                named[name] = dtype
            text = ", ".join(f"{name}: {type_name(dtype)}" for name, dtype in named.items())
            key = tuple(named.items())
            if key not in cls._cache:
                cls._cache[key] = decorator(type(f"{kind}[{text}]", (), {"__annotations__": named, "__module__": __name__}))
            return cls._cache[key]

        def __call__(cls, *arguments, **keywords):
            raise TypeError(f"fx.{kind} is no type by itself; write fx.{kind}[\"name\": T, …] or @fx.{kind.lower()}")

    return Inline


class Struct(metaclass=_inline("Struct", struct)):
    """`fx.Struct["x": T, "y": U]`: a struct type without a declaration; fields without a name are `f0`, `f1`, …"""

    _cache: dict = {}


class Union(metaclass=_inline("Union", union)):
    """`fx.Union["x": T, "y": U]`: a union type without a declaration."""

    _cache: dict = {}


#===----------------------------------------------------------------------===#
# Values of fields
#===----------------------------------------------------------------------===#

def _coerce_field(owner, name, dtype, value):
    """`value` for a field of type `dtype`; errors name struct and field."""
    where = f"{owner}.{name}"
    if is_numeric(dtype):
        if is_python_number(value) and not isinstance(value, Numeric):
            return coerce_stored(dtype, value, where)
        try:
            return dtype(value)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{where}: expected {type_name(dtype)}, got {type_name(type(value))}: {error}") from None
    if isinstance(dtype, type) and isinstance(value, dtype):
        return value
    if is_struct_type(dtype):
        if isinstance(value, dict):
            return dtype(**value)
        if isinstance(value, (tuple, list)):
            return dtype(*value)
    elif not is_composite_type(dtype) and not (isinstance(dtype, type) and issubclass(dtype, (Array, Empty))):
        hook = getattr(dtype, "__coerce__", None)
        if hook is not None:
            try:
                return hook(value)
            except (TypeError, ValueError) as error:
                raise TypeError(f"{where}: {error}") from None
        # A live argument or its wrapper, for a struct that is to be launched.
        if _is_argument_for(dtype, value):
            return value
        if hasattr(dtype, "__dsl_size_of__"):
            try:
                return dtype(value)
            except (TypeError, ValueError) as error:
                raise TypeError(f"{where}: expected {type_name(dtype)}, got {type_name(type(value))}: {error}") from None
    raise TypeError(f"{where}: expected {type_name(dtype)}, got {type_name(type(value))}")


def _is_argument_for(dtype, value) -> bool:
    from ..compiler.jit_argument import JitArgumentRegistry

    if hasattr(value, "__get_ir_types__") and not is_composite_type(type(value)):
        known = JitArgumentRegistry.get_dsl_type(type(value))
        return known is None or known is dtype
    return JitArgumentRegistry.get(type(value))[1] is dtype


def _coerce_constexpr(owner, name, annotation, value):
    hook = getattr(annotation, "__coerce__", None)
    if hook is None:
        return value
    try:
        return hook(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{owner}.{name}: {error}") from None


def _bind(cls, arguments, keywords):
    """Field values by name, from the arguments of a constructor call."""
    names = [name for name in cls.__dsl_annotations__ if name not in cls.__dsl_constants__]
    if len(arguments) > len(names):
        raise TypeError(f"{cls.__name__} takes {len(names)} fields ({', '.join(names)}), got {len(arguments)} values")
    given = dict(zip(names, arguments))
    for name, value in keywords.items():
        if name not in names:
            raise TypeError(f"{cls.__name__} has no field '{name}'; it has {', '.join(names) or 'none'}")
        if name in given:
            raise TypeError(f"{cls.__name__}: field '{name}' is given twice")
        given[name] = value
    for name in names:
        if name not in given:
            if name not in cls.__dsl_defaults__:
                raise TypeError(f"{cls.__name__}: field '{name}' is missing")
            given[name] = cls.__dsl_defaults__[name]
    return given


def _struct_init(self, *arguments, **keywords):
    cls = type(self)
    given = _bind(cls, arguments, keywords)
    for name, annotation in cls.__dsl_annotations__.items():
        if name in cls.__dsl_constants__:
            value = cls.__dsl_constants__[name]
        elif name in cls.__dsl_constexpr__:
            value = _coerce_constexpr(cls.__name__, name, annotation, given[name])
        else:
            value = _coerce_field(cls.__name__, name, annotation, given[name])
        object.__setattr__(self, name, value)
    hook = getattr(self, "__post_init__", None)
    if hook is not None:
        hook()


def _frozen_set(self, name, value):
    raise dataclasses.FrozenInstanceError(f"cannot assign to field '{name}' of {type(self).__name__}, a value: use value.replace({name}=…) for a "
                                          f"changed copy, or storage.{name}.poke(…) to write the memory that .peek() has read")


def _frozen_delete(self, name):
    raise dataclasses.FrozenInstanceError(f"cannot delete field '{name}' of {type(self).__name__}")


def _replace(self, **changes):
    """A copy with the named fields changed."""
    for name in changes:
        if name not in self.__dsl_annotations__:
            raise TypeError(f"{type(self).__name__} has no field '{name}'; it has {', '.join(self.__dsl_annotations__)}")
        if name in self.__dsl_constants__:
            raise TypeError(f"{type(self).__name__}: field '{name}' is part of the type")
    return type(self)(**{**{n: v for n, v in vars(self).items() if n not in self.__dsl_constants__}, **changes})


def _key(value):
    """What compares a field: type and payload for numbers, whose own == makes a DSL value."""
    if isinstance(value, Numeric):
        return type(value), value.value
    return value


def _equal(self, other):
    if type(other) is not type(self):
        return NotImplemented
    return all(_key(getattr(self, name)) == _key(getattr(other, name)) for name in self.__dsl_annotations__)


def _hash(self):
    return hash((type(self), tuple(_key(getattr(self, name)) for name in self.__dsl_annotations__)))


def _repr(self):
    return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__dsl_annotations__)})"


#===----------------------------------------------------------------------===#
# Protocols
#===----------------------------------------------------------------------===#

def _extract(self):
    from ..compiler import protocol

    values = []
    for name in self.__dsl_fields__:
        try:
            values += protocol.extract_to_ir_values(getattr(self, name))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{type(self).__name__}.{name}: {error}") from None
    return values


def _count(dtype, exemplar) -> int:
    """How many IR values a field of type `dtype` takes."""
    if is_struct_type(dtype):
        return sum(_count(kind, None if exemplar is None else getattr(exemplar, name)) for name, kind in dtype.__dsl_fields__.items())
    if isinstance(dtype, type) and issubclass(dtype, Empty):
        return 0
    if exemplar is None or is_numeric(dtype):
        return 1
    from ..compiler import protocol

    if hasattr(exemplar, "__get_ir_types__"):
        return len(exemplar.__get_ir_types__())
    return len(protocol.extract_to_ir_values(exemplar))


def _construct(cls, values, exemplar=None):
    from ..compiler import protocol

    values = list(values)
    built = {}
    for name, dtype in cls.__dsl_annotations__.items():
        if name in cls.__dsl_constexpr__:
            if name not in cls.__dsl_constants__ and exemplar is None:
                raise TypeError(f"{cls.__name__}.{name}: a Constexpr field needs a value; use a specialised type")
            built[name] = cls.__dsl_constants__.get(name, getattr(exemplar, name, None))
            continue
        model = None if exemplar is None else getattr(exemplar, name)
        count = _count(dtype, model)
        if len(values) < count:
            raise ValueError(f"{cls.__name__}.{name}: {count} IR values are needed, {len(values)} are left")
        part, values = values[:count], values[count:]
        # The declared class decides: it knows signs and shapes that the IR type has not.
        built[name] = protocol.construct_from_ir_values(dtype, model, part)
    if values:
        raise ValueError(f"{cls.__name__}: {len(values)} IR values too many")
    return cls._from_stored(built)


def _from_stored(cls, values):
    """An instance from finished field values, without coercion."""
    self = object.__new__(cls)
    for name in cls.__dsl_annotations__:
        object.__setattr__(self, name, cls.__dsl_constants__[name] if name in cls.__dsl_constants__ else values[name])
    return self


def _argument_parts(self):
    """(name, wrapped value) of the fields that cross a launch."""
    from ..compiler.jit_argument import JitArgumentRegistry

    for name, dtype in self.__dsl_fields__.items():
        value = getattr(self, name)
        if not hasattr(value, "__get_ir_types__"):
            constructor = JitArgumentRegistry.get(type(value))[0]
            if constructor is not None:
                value = constructor(value)
        if isinstance(value, (Array, Empty)) or is_composite_type(dtype) and dtype.__dsl_union__:
            raise TypeError(f"{type(self).__name__}.{name}: {type_name(dtype)} cannot be a launch argument")
        yield name, value


def _get_ir_types(self):
    from ..compiler import protocol

    types = []
    for name, value in _argument_parts(self):
        try:
            types += protocol.get_ir_types(value)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{type(self).__name__}.{name}: {error}") from None
    return types


def _c_abi_spec(self):
    from ..compiler import protocol

    def through(name, fill):
        def fill_field(argument, storage):
            return fill(argument if name is None else getattr(argument, name, argument), storage)

        return fill_field

    return [(ctype, through(name, fill)) for name, value in _argument_parts(self) for ctype, fill in protocol.c_abi_spec(value)]


def _cache_signature(self):
    from ..compiler import protocol

    constants = tuple((name, getattr(self, name)) for name in self.__dsl_constexpr__)
    return (type(self), constants, tuple(protocol.cache_signature(value) for _, value in _argument_parts(self)))


def _layout(cls) -> StorageLayout:
    if cls.__dsl_layout__ is None:
        cls.__dsl_layout__ = layout_of_fields(cls.__name__, cls.__dsl_fields__, cls.__dsl_union__)
    return cls.__dsl_layout__


def _size_of(cls):
    return _layout(cls).size


def _align_of(cls):
    return _layout(cls).align


def _peek(cls, ptr):
    if is_specializable_struct_type(cls):
        raise TypeError(f"{cls.__name__} has Constexpr fields without a value; use {cls.__name__}.specialize(...)")
    offsets = _layout(cls).offsets
    return cls._from_stored({name: peek_at(dtype, offset_bytes(ptr, offsets[name])) for name, dtype in cls.__dsl_fields__.items()})


def _coerce_value(cls, value):
    if isinstance(value, cls):
        return value
    if isinstance(value, dict):
        return cls(**value)
    if isinstance(value, (tuple, list)):
        return cls(*value)
    raise TypeError(f"{cls.__name__}: expected an instance, a tuple or a dict of fields, got {type_name(type(value))}")


def _poke(cls, ptr, value):
    value = cls._coerce_stored(value)
    offsets = _layout(cls).offsets
    for name, dtype in cls.__dsl_fields__.items():
        poke_at(dtype, offset_bytes(ptr, offsets[name]), getattr(value, name), f"{cls.__name__}.{name}")


def _specialize(cls, **constants):
    """The struct type with the named `Constexpr` fields fixed."""
    for name, value in constants.items():
        if name not in cls.__dsl_constexpr__ or name in cls.__dsl_constants__:
            raise TypeError(f"{cls.__name__} has no free Constexpr field '{name}'")
        constants[name] = _coerce_constexpr(cls.__name__, name, cls.__dsl_constexpr__[name], value)
    merged = {**cls.__dsl_constants__, **constants}
    cache = cls.__dict__.get("__dsl_special__")
    if cache is None:
        cache = {}
        cls.__dsl_special__ = cache
    key = tuple(sorted((name, type(value), value) for name, value in merged.items()))
    if key not in cache:
        text = ", ".join(f"{name}={value!r}" for name, value in constants.items())
        cache[key] = type(f"{cls.__name__}[{text}]", (cls,), {"__dsl_constants__": merged, "__module__": cls.__module__})
    return cache[key]


_STRUCT_METHODS = {
    "__init__": _struct_init, "__setattr__": _frozen_set, "__delattr__": _frozen_delete, "replace": _replace, "__eq__": _equal, "__hash__": _hash,
    "__repr__": _repr, "__extract_to_ir_values__": _extract, "__construct_from_ir_values__": classmethod(_construct),
    "__get_ir_types__": _get_ir_types, "__c_abi_spec__": _c_abi_spec, "__cache_signature__": _cache_signature,
    "__dsl_size_of__": classmethod(_size_of), "__dsl_align_of__": classmethod(_align_of), "__peek_from_ptr__": classmethod(_peek),
    "__poke_into_ptr__": classmethod(_poke), "_from_stored": classmethod(_from_stored), "_coerce_stored": classmethod(_coerce_value),
    "specialize": classmethod(_specialize),
}


#===----------------------------------------------------------------------===#
# Unions and Empty
#===----------------------------------------------------------------------===#

def _union_init(self, *arguments, **member):
    cls = type(self)
    if arguments or len(member) != 1:
        raise TypeError(f"{cls.__name__} is a union: name the one member to set, such as {cls.__name__}({next(iter(cls.__dsl_fields__), 'x')}=…)")
    (name, value), = member.items()
    if name not in cls.__dsl_fields__:
        raise TypeError(f"{cls.__name__} has no member '{name}'; it has {', '.join(cls.__dsl_fields__)}")
    object.__setattr__(self, "_ptr", None)
    object.__setattr__(self, "_member", (name, _coerce_field(cls.__name__, name, cls.__dsl_fields__[name], value)))


def _union_get(self, name):
    fields = type(self).__dsl_fields__
    if name not in fields:
        raise AttributeError(f"{type(self).__name__} has no member '{name}'; it has {', '.join(fields)}")
    if self._ptr is not None:
        return peek_at(fields[name], self._ptr)
    if self._member[0] != name:
        raise AttributeError(f"{type(self).__name__}: member '{name}' is not set, '{self._member[0]}' is; read another member through memory")
    return self._member[1]


def _union_peek(cls, ptr):
    self = object.__new__(cls)
    object.__setattr__(self, "_ptr", ptr)
    object.__setattr__(self, "_member", None)
    return self


def _union_poke(cls, ptr, value):
    if not isinstance(value, cls):
        value = cls(**value) if isinstance(value, dict) else None
    if value is None or value._member is None:
        raise TypeError(f"{cls.__name__}: expected a value with one member set, such as {cls.__name__}(member=…)")
    name, member = value._member
    poke_at(cls.__dsl_fields__[name], ptr, member, f"{cls.__name__}.{name}")


def _union_repr(self):
    return f"<{type(self).__name__}>" if self._member is None else f"{type(self).__name__}({self._member[0]}={self._member[1]!r})"


def _union_values(self):
    if self._ptr is None:
        raise TypeError(f"{type(self).__name__} is a union; it lives in memory and is no run-time value by itself")
    return [self._ptr]


def _union_construct(cls, values, exemplar=None):
    return _union_peek(cls, values[0])


_UNION_METHODS = {
    "__init__": _union_init, "__setattr__": _frozen_set, "__delattr__": _frozen_delete, "__getattr__": _union_get, "__repr__": _union_repr,
    "__dsl_size_of__": classmethod(_size_of), "__dsl_align_of__": classmethod(_align_of), "__peek_from_ptr__": classmethod(_union_peek),
    "__poke_into_ptr__": classmethod(_union_poke), "__extract_to_ir_values__": _union_values,
    "__construct_from_ir_values__": classmethod(_union_construct),
}


class Empty:
    """A type of no bytes, for a field that a configuration leaves out."""

    def __eq__(self, other):
        return type(other) is type(self)

    def __hash__(self):
        return hash(Empty)

    def __repr__(self):
        return "Empty()"

    @classmethod
    def __dsl_size_of__(cls):
        return 0

    @classmethod
    def __dsl_align_of__(cls):
        return 1

    @classmethod
    def __peek_from_ptr__(cls, ptr):
        return cls()

    @classmethod
    def __poke_into_ptr__(cls, ptr, value):
        if not isinstance(value, cls):
            raise TypeError(f"Empty: cannot store {type_name(type(value))}")

    def __extract_to_ir_values__(self):
        return []

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        return cls()

    def __get_ir_types__(self):
        return []

    def __c_abi_spec__(self):
        return []
