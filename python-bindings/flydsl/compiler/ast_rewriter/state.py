# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The variables and containers that a traced body can reach, saved and put back.

A branch is traced although it may not run, so whatever Python state it changes
must be undone before the other branch is traced, and merged afterwards.
"""
from __future__ import annotations

import dis
import functools
import sys
import weakref
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, MethodWrapperType, ModuleType

from . import objects, values
from .values import UNBOUND, isa


class Slot:
    """One variable: a cell of a closure, or a global."""

    __slots__ = ("name", "cell", "table")

    def __init__(self, name, cell=None, table=None):
        self.name, self.cell, self.table = name, cell, table

    @property
    def key(self):
        return id(self.cell) if self.table is None else (id(self.table), self.name)

    def get(self):
        if self.table is not None:
            return self.table.get(self.name, UNBOUND)
        try:
            return self.cell.cell_contents
        except ValueError:
            return UNBOUND

    def set(self, value):
        if self.table is not None:
            if value is UNBOUND:
                self.table.pop(self.name, None)
            else:
                self.table[self.name] = value
        elif value is not UNBOUND:
            self.cell.cell_contents = value
        else:
            try:
                del self.cell.cell_contents
            except ValueError:
                pass


class Entry:
    """One item of a container, read and written as a variable is."""

    __slots__ = ("container", "kind", "item", "name")

    def __init__(self, container, kind, item, name):
        self.container, self.kind, self.item, self.name = container, kind, item, name

    @property
    def key(self):
        return id(self.container), self.item

    def get(self):
        try:
            if self.kind == "object":
                return objects.get_attribute(self.container, self.item)
            if self.kind in ("class", "function"):
                return self.container.__dict__[self.item]
            return _BASES[self.kind].__getitem__(self.container, self.item)
        except (KeyError, IndexError, AttributeError):
            return UNBOUND

    def set(self, value):
        if self.kind == "object":
            objects.set_attribute(self.container, self.item, value)
        elif self.kind == "class":
            _set_class(self.container, self.item, value)
        elif self.kind == "function":
            self.container.__dict__[self.item] = value
        else:
            _BASES[self.kind].__setitem__(self.container, self.item, value)


_BASES = {"list": list, "dict": dict, "tuple": tuple}


def _set_class(cls, name, value):
    if value is UNBOUND:
        type.__delattr__(cls, name)
    else:
        type.__setattr__(cls, name, value)


class Slots(list):
    """Variables, and what the walk that found them has seen: `found` are (container, kind, path)."""

    found = None


def slots_of(functions) -> Slots:
    """The variables that the functions can change: their own, and those of all that they can call or reach."""
    walk = _Walk()
    for func in functions:
        if func is not None:
            walk.function(func, (func.__name__, ), body=True)
    walk.run()
    result = Slots(walk.slots.values())
    result.found = walk.found
    return result


# More containers than this are not compared at each branch.
_LIMIT = 20000
_MISSING = object()
_SKIP = values.ids(bool, int, float, str, bytes, complex, type(None), type(Ellipsis), range, slice, CodeType)
_CALLS, _WRAPPED, _HOLDS = values.ids(BuiltinFunctionType, MethodWrapperType), values.ids(staticmethod, classmethod), values.ids(
    weakref.ref, CellType)


def _foreign(module) -> bool:
    name = getattr(module, "__name__", None)
    root = name.partition(".")[0] if type(name) is str else ""
    return root in ("flydsl", "numpy", "torch", "ml_dtypes", "jax") or root in sys.stdlib_module_names


class _Walk:
    """Everything that functions can reach: variables, containers, classes, functions, iterators.

    A path is a chain of (text of a variable) or (path, kind, key); it becomes
    text only for a message.
    """

    def __init__(self):
        self.slots, self.found, self.seen, self.todo = {}, [], set(), []

    def run(self):
        while self.todo:
            value, path = self.todo.pop()
            self.value(value, path)

    def push(self, value, path):
        if id(type(value)) not in _SKIP and id(value) not in self.seen:
            self.todo.append((value, path))

    def slot(self, slot):
        if slot.key not in self.slots:
            self.slots[slot.key] = slot
            self.push(slot.get(), (slot.name, ))

    # Functions --------------------------------------------------------------------------------------------------------

    def function(self, func, path, body=False):
        if id(func) in self.seen:
            return
        self.seen.add(id(func))
        if _internal(func):
            # What functions of this package keep is theirs; the user's functions that they call count.
            for cell in func.__closure__ or ():
                value = Slot("", cell).get()
                for part in value if isa(value, tuple) and not values.is_dsl(value) else (value, ):
                    if type(part) in (FunctionType, MethodType):
                        self.push(part, path)
            return
        for name, cell in zip(func.__code__.co_freevars, func.__closure__ or ()):
            self.slot(Slot(name, cell))
        names, stores = _names_of(func.__code__)
        scope = func.__globals__
        for name in stores:
            self.slot(Slot(name, table=scope))
        if "globals" in names:
            names = [n for n in scope if not n.startswith("__")]
        self.scope(scope, names)
        if body:
            return
        self.add(func, "function", path)
        if func.__defaults__:
            for item in func.__defaults__:
                self.push(item, path)
        if func.__kwdefaults__:
            self.push(func.__kwdefaults__, path)
        if "__wrapped__" in func.__dict__:
            self.push(func.__dict__["__wrapped__"], path)

    def scope(self, scope, names):
        """The ones of the names in a module's scope that hold what can change."""
        for name in names:
            value = scope.get(name, _MISSING)
            cls = type(value)
            if id(cls) in _SKIP or value is _MISSING or id(value) in self.seen:
                continue
            if cls is FunctionType:
                if _internal(value):
                    continue
            elif cls is ModuleType:
                if not _foreign(value):
                    self.seen.add(id(value))
                    self.scope(value.__dict__, names)
                continue
            elif issubclass(cls, type) and not objects.is_user_class(value):
                continue
            elif cls is BuiltinFunctionType and isa(value.__self__, ModuleType):
                continue
            self.slot(Slot(name, table=scope))

    # Values -----------------------------------------------------------------------------------------------------------

    def add(self, value, kind, path):
        self.seen.add(id(value))
        if kind != "tuple":
            self.found.append((value, kind, path))
            if len(self.found) > _LIMIT:
                raise TypeError(f"the code under a run-time condition can reach more than {_LIMIT} Python objects (from "
                                f"'{path_text(path)}'), too many to see which of them it changes\n"
                                "hint: keep large data in a tuple or in an array")

    def value(self, value, path):
        if id(value) in self.seen:
            return
        cls = type(value)
        if cls is FunctionType:
            self.function(value, path)
            return
        kind = values.kind_of(value)
        if kind:
            self.add(value, kind, path)
            self.children(value, kind, path)
            return
        if id(cls) in _CALLS:
            self.push(value.__self__, path)
        elif cls is MethodType:
            self.push(value.__func__, path)
            self.push(value.__self__, path)
        elif issubclass(cls, functools.partial):
            for part in (functools.partial.func, functools.partial.args, functools.partial.keywords):
                self.push(part.__get__(value), path)
        elif issubclass(cls, type):
            if objects.is_user_class(value):
                self.add(value, "class", path)
                self.classes(value, path)
        elif id(cls) in _WRAPPED:
            self.push(value.__func__, path)
        elif cls is property:
            for part in (value.fget, value.fset, value.fdel):
                self.push(part, path)
        elif id(cls) in _HOLDS:
            self.push(value() if cls is weakref.ref else Slot("", value).get(), path)
        elif values.module_of(cls) == "functools" or values.module_of(cls).startswith("flydsl.compiler."):
            # A cached function or property; a decorated function of this package.
            for name in ("__wrapped__", "func"):
                inner = getattr(value, name, None)
                if type(inner) is FunctionType:
                    self.push(inner, path)

    def classes(self, cls, path):
        for name, item in list(cls.__dict__.items()):
            if not name.startswith("__dsl_"):
                self.push(item, (path, "class", name))
        for base in cls.__mro__[1:]:
            if objects.is_user_class(base):
                self.push(base, (base.__name__, ))

    def children(self, value, kind, path):
        if kind == "array" and not isa(value, values.collections.deque):
            return
        copy = values.contents(value, kind)
        if kind in ("dict", "set"):
            for key in copy:
                self.push(key, path)
        if kind != "set":
            for key, item in values.items(copy):
                self.push(item, (path, kind, key))
        if kind == "object" or (kind in ("list", "dict", "tuple", "set") and objects.is_user_class(type(value))):
            self.push(type(value), (type(value).__name__, ))


def path_text(path) -> str:
    """The text of a path: `acc[0].x`."""
    return path[0] if len(path) == 1 else values.step(path_text(path[0]), path[1], path[2])


def _internal(func) -> bool:
    module = func.__module__
    return type(module) is str and module.startswith("flydsl.")


_NAMES: dict = {}
_STORES = frozenset((dis.opmap["STORE_GLOBAL"], dis.opmap["DELETE_GLOBAL"], dis.opmap["EXTENDED_ARG"]))


def _names_of(code) -> tuple:
    """The names that code mentions, inner functions included, and the globals that it sets."""
    known = _NAMES.get(id(code))
    if known is None or known[0] is not code:
        todo, names, stores = [code], {}, {}
        while todo:
            current = todo.pop()
            names.update(dict.fromkeys(current.co_names))
            for const in current.co_consts:
                if type(const) is CodeType:
                    todo.append(const)
                elif type(const) is str and const.isidentifier():
                    names[const] = None
            # Disassembled only if it may hold one: arguments look like that, too.
            if current.co_names and not _STORES.isdisjoint(current.co_code[::2]):
                stores.update((i.argval, None) for i in dis.get_instructions(current)
                              if i.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"))
        known = _NAMES[id(code)] = (code, tuple(names), tuple(stores))
    return known[1:]


class Snapshot:
    """Contents of variables and of every container reachable from them."""

    def __init__(self, slots):
        self.slots = slots
        self.values = [s.get() for s in slots]
        found = getattr(slots, "found", None)
        if found is None:
            walk = _Walk()
            for slot, value in zip(slots, self.values):
                walk.push(value, (slot.name, ))
            walk.run()
            found = walk.found
        else:
            # It is true now; later it may not be.
            slots.found = None
        self.containers = {id(v): (v, kind, values.contents(v, kind)) for v, kind, _ in found}
        self.chains = {id(v): path for v, _, path in found}

    def path(self, key) -> str:
        """What a message calls a container."""
        return path_text(self.chains[key])

    def contents(self, value, kind):
        """What `value` held at the time of this snapshot; what it holds if it was not seen."""
        known = self.containers.get(id(value))
        return known[2] if known is not None else values.contents(value, kind)

    def again(self) -> "Snapshot":
        """The same variables and containers as they are now."""
        now = Snapshot.__new__(Snapshot)
        now.slots, now.chains = self.slots, self.chains
        now.values = [s.get() for s in self.slots]
        now.containers = {k: (c, kind, values.contents(c, kind)) for k, (c, kind, _) in self.containers.items()}
        return now

    def changed(self) -> bool:
        """True if a variable or container is no longer what it was."""
        return any(s.get() is not v for s, v in zip(self.slots, self.values)) or any(
            differs(values.contents(c, kind), copy) for c, kind, copy in self.containers.values())

    def restore(self):
        """Puts everything back as it was."""
        for slot, value in zip(self.slots, self.values):
            if slot.get() is not value:
                slot.set(value)
        for container, kind, copy in self.containers.values():
            if differs(values.contents(container, kind), copy):
                put(container, kind, copy)


def differs(a, b) -> bool:
    """True if two contents are not the very same items. Runs no code of the items."""
    if len(a) != len(b):
        return True
    if type(a) is set:
        return {id(x) for x in a} != {id(x) for x in b}
    if type(a) is dict:
        return any(x is not y for x, y in zip(a.values(), b.values())) or \
            any(x is not y and not values.same_static(x, y) for x, y in zip(a, b))
    return any(x is not y and not values.same_static(x, y) for x, y in zip(a, b))


def same_keys(a, b) -> bool:
    """True if two dicts of contents have the same keys, in any order."""
    if len(a) != len(b):
        return False
    if all(x is y or values.same_static(x, y) for x, y in zip(a, b)):
        return True
    try:
        return all(k in b for k in a)
    except Exception:  # Keys of a user's class that cannot be compared.
        return False


def put(container, kind, copy):
    """Makes `copy` the contents of a container. Runs no code of its class."""
    if kind == "list":
        list.__setitem__(container, slice(None), copy)
    elif kind == "object":
        objects.set_attributes(container, copy)
    elif kind == "class":
        now = values.contents(container, kind)
        for name in now:
            if name not in copy:
                type.__delattr__(container, name)
        for name, item in copy.items():
            if now.get(name, UNBOUND) is not item:
                type.__setattr__(container, name, item)
    elif kind == "function":
        for name in values.contents(container, kind):
            del container.__dict__[name]
        container.__dict__.update(copy)
    elif kind == "array":
        values.put_array(container, copy)
    elif kind == "set":
        set.clear(container)
        set.update(container, copy)
    elif kind == "dict":
        dict.clear(container)
        dict.update(container, copy)
