# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes of the user's, and the attributes of their objects, read and written without running code of theirs."""
from __future__ import annotations

import enum
import weakref
from types import MemberDescriptorType, ModuleType, SimpleNamespace


def ids(*classes) -> frozenset:
    """For tests of a class by identity: a metaclass of the user's may answer `==` and hash() with anything."""
    return frozenset(id(c) for c in classes)


class _ByClass:
    """A value for each class, for as long as the class lives."""

    def __init__(self):
        self.known = {}

    def get(self, cls):
        return self.known.get(id(cls), (None, None))[1]

    def set(self, cls, value):
        key = id(cls)
        self.known[key] = (weakref.ref(cls, lambda _: self.known.pop(key, None)), value)
        return value


class _Unbound:
    """The content of a variable that has no value."""

    def __repr__(self):
        return "no value"


UNBOUND = _Unbound()


# Packages whose objects hold no state that a traced function decides about.
_FOREIGN = {"flydsl", "numpy", "torch", "ctypes", "ml_dtypes", "jax", "functools", "types", "typing", "enum",
            "abc", "collections", "threading", "logging", "pathlib", "re", "ast", "inspect", "_pytest", "unittest"}
# Classes of the standard library that hold what a user puts into them.
_HOLDERS = {("types", "SimpleNamespace"), ("argparse", "Namespace"), ("collections", "UserDict"),
            ("collections", "UserList"), ("collections", "ChainMap"), ("queue", "Queue"), ("queue", "LifoQueue"),
            ("queue", "PriorityQueue")}
_HEAP_TYPE = 1 << 9


def isa(value, cls) -> bool:
    """`isinstance` by the real class: asks no `__class__`, which a user's object may answer with anything."""
    return issubclass(type(value), cls)


def module_of(cls) -> str:
    """The name of the module of a class; '' if it has none."""
    module = type.__getattribute__(cls, "__module__")
    return module if type(module) is str else ""


def is_user_class(cls) -> bool:
    """A class of the user's, also one that exec() made in globals without a name."""
    known = _user_classes.get(cls)
    if known is None:
        module = module_of(cls)
        known = bool(type.__getattribute__(cls, "__flags__") & _HEAP_TYPE) and module.partition(".")[0] not in _FOREIGN
        _user_classes.set(cls, known)
    return known


_user_classes = _ByClass()
_plain_classes = _ByClass()


def is_plain_class(cls) -> bool:
    """Objects of the class consist of attributes and can be made from them."""
    known = _plain_classes.get(cls)
    if known is not None:
        return known
    if (module_of(cls), cls.__name__) in _HOLDERS:
        known = True
    elif not is_user_class(cls):
        known = False
    elif issubclass(cls, (type, ModuleType, BaseException, enum.Enum)) or (
            _has(cls, "__extract_to_ir_values__") and _has(cls, "__construct_from_ir_values__")):
        known = False
    else:
        try:
            object.__new__(cls)
            known = bool(_members(cls)) or any("__dict__" in base.__dict__ for base in cls.__mro__)
        except TypeError:
            # It builds on a class in C, as a subclass of int does.
            known = issubclass(cls, SimpleNamespace)
    _plain_classes.set(cls, known)
    return known


def _has(cls, name) -> bool:
    return any(name in base.__dict__ for base in cls.__mro__)


def _members(cls) -> dict:
    """The slots of a class and its bases: the descriptors by name."""
    known = _slots.get(cls)
    if known is None:
        known = {}
        for base in reversed(cls.__mro__):
            for name, item in base.__dict__.items():
                if type(item) is MemberDescriptorType and is_user_class(base):
                    known[name] = item
        _slots.set(cls, known)
    return known


_slots = _ByClass()


def _dict_of(value):
    """The `__dict__` of an object, past `__getattribute__` of its class; None if it has none."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None
    return found if type(found) is dict else None


def attributes(value) -> dict:
    """The attributes of an object, whether in its `__dict__` or in slots. Runs no code of its class."""
    found = dict(_dict_of(value) or ())
    for name, member in _members(type(value)).items():
        try:
            found[name] = member.__get__(value)
        except AttributeError:
            pass
    return found


def get_attribute(value, name):
    """One attribute as `attributes` has it. AttributeError if there is none."""
    member = _members(type(value)).get(name)
    if member is not None:
        return member.__get__(value)
    try:
        return (_dict_of(value) or {})[name]
    except KeyError:
        raise AttributeError(name) from None


def set_attribute(value, name, item):
    """Sets one attribute past `__setattr__` of the class; UNBOUND takes it away."""
    member, own = _members(type(value)).get(name), _dict_of(value)
    if item is UNBOUND:
        if member is not None:
            member.__delete__(value)
        else:
            del own[name]
    elif member is not None:
        member.__set__(value, item)
    else:
        own[name] = item


def new_object(cls):
    """An object without attributes. Runs no code of its class."""
    return SimpleNamespace.__new__(cls) if issubclass(cls, SimpleNamespace) else object.__new__(cls)


def set_attributes(value, given: dict):
    """Makes `given` the attributes of an object, past `__setattr__` of its class."""
    for name in attributes(value):
        if name not in given:
            set_attribute(value, name, UNBOUND)
    own = _dict_of(value)
    if own is not None:
        # The order counts as well: vars() of the object shows it.
        plain = {n: v for n, v in given.items() if n not in _members(type(value))}
        if list(own) != list(plain):
            own.clear()
        own.update(plain)
    for name, member in _members(type(value)).items():
        if name in given:
            member.__set__(value, given[name])
