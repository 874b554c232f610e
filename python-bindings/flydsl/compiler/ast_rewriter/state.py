# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The variables and containers that a traced body can reach, saved and put back.

A branch is traced although it may not run, so whatever Python state it changes
must be undone before the other branch is traced, and merged afterwards.
"""
from __future__ import annotations

from types import CodeType, FunctionType, MethodType

from . import values
from .values import UNBOUND


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
            return getattr(self.container, self.item) if self.kind == "object" else self.container[self.item]
        except (KeyError, IndexError, AttributeError):
            return UNBOUND

    def set(self, value):
        if self.kind == "object":
            object.__setattr__(self.container, self.item, value)
        else:
            self.container[self.item] = value


def slots_of(functions) -> list:
    """The variables that the functions share with others, and those of functions that they can call."""
    found, todo = {}, [f for f in functions if f is not None]
    seen = set()
    while todo:
        func = todo.pop(0)
        if id(func) in seen:
            continue
        seen.add(id(func))
        code = func.__code__
        # What functions of this package keep is theirs; the user's functions that they call count.
        internal = (func.__module__ or "").startswith("flydsl.")
        for name, cell in zip(code.co_freevars, func.__closure__ or ()):
            if id(cell) in found:
                continue
            slot = Slot(name, cell)
            if not internal:
                found[id(cell)] = slot
            value = slot.get()
            for part in (value if internal and isinstance(value, tuple) else (value,)):
                part = part.__func__ if isinstance(part, MethodType) else part
                if isinstance(part, FunctionType) and (internal or not (part.__module__ or "").startswith("flydsl.")):
                    todo.append(part)
        if internal:
            continue
        for name in _stored_globals(code):
            slot = Slot(name, table=func.__globals__)
            found.setdefault(slot.key, slot)
    return list(found.values())


_STORES: dict = {}


def _stored_globals(code) -> tuple:
    """Globals that the code of a body sets (a `global` statement in a kernel)."""
    known = _STORES.get(id(code))
    if known is None or known[0] is not code:
        names = ()
        todo, found = [code], {}
        while todo:
            current = todo.pop()
            todo += [c for c in current.co_consts if isinstance(c, CodeType)]
            if current.co_names:
                import dis
                found.update((i.argval, None) for i in dis.get_instructions(current)
                             if i.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"))
        names = tuple(found)
        known = _STORES[id(code)] = (code, names)
    return known[1]


class Snapshot:
    """Contents of variables and of every container reachable from them."""

    _DEPTH = 12

    def __init__(self, slots):
        self.slots = slots
        self.values = [s.get() for s in slots]
        self.containers = {}
        self.paths = {}
        for slot, value in zip(slots, self.values):
            self._walk(value, 0, 0, slot.name)

    def _walk(self, value, depth, objects, path):
        kind = values.kind_of(value)
        if not kind:
            return
        if kind == "object" and type(value).__name__ != "SimpleNamespace":
            objects += 1
        if id(value) in self.containers or depth > self._DEPTH or objects > 3:
            return
        copy = values.contents(value, kind)
        if kind != "tuple":
            self.containers[id(value)] = (value, kind, copy)
            self.paths[id(value)] = path
        if kind in ("set", "array"):
            return
        for key, item in values.items(copy):
            if values.kind_of(item):
                self._walk(item, depth + 1, objects, values.step(path, kind, key))

    def contents(self, value, kind):
        """What `value` held at the time of this snapshot; what it holds if it was not seen."""
        known = self.containers.get(id(value))
        return known[2] if known is not None else values.contents(value, kind)

    def again(self) -> "Snapshot":
        """The same variables and containers as they are now."""
        now = Snapshot.__new__(Snapshot)
        now.slots, now.paths = self.slots, self.paths
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
    """True if two contents are not the very same items."""
    if len(a) != len(b):
        return True
    if isinstance(a, set):
        return a != b
    if not isinstance(a, (list, dict)):
        # Arrays of plain data.
        if hasattr(a, "tobytes"):
            return a.tobytes() != b.tobytes()
        return any(x is not y for x, y in zip(a, b))
    if isinstance(a, dict):
        return list(a) != list(b) or any(a[k] is not b[k] for k in a)
    return any(x is not y for x, y in zip(a, b))


def put(container, kind, copy):
    """Makes `copy` the contents of a container."""
    if kind == "list":
        container[:] = copy
    elif kind == "object":
        values.set_attributes(container, copy)
    elif kind == "array":
        if hasattr(container, "shape"):
            container[...] = copy
        elif isinstance(container, bytearray):
            container[:] = copy
        else:
            container.clear()
            container.extend(copy)
    else:
        container.clear()
        container.update(copy)
