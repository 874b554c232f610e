# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Everything that a trace can depend on, and whether it is still the same.

A trace runs Python code, so its result depends on whatever that code reads:
globals, closures, defaults, attributes of modules, classes and objects, and the
same of each helper that it calls. A Snapshot walks from the traced function
over all of that by the names that the code objects mention, and keeps one check
for each place. The checks run on each warm call, so they are compiled into one
Python function: a comparison by identity for what cannot change inside, by
value where it can.

What cannot be followed is read by name with `getattr(obj, computed_name)`, from
the system by other means than `open`, and the contents of arrays above 1 MiB. A
function that calls a clock, random numbers or `open` is traced at each call.
"""
from __future__ import annotations

import builtins
import collections
import enum
import functools
import os
import sys
import sysconfig
import types
from typing import Any

from .locations import PACKAGE

_LEAVES = (int, float, str, bytes, bool, complex, type(None), type(Ellipsis), type(NotImplemented))
_LIMIT = 20000
_MISSING = object()
_CLASS_BOOKKEEPING = ("__dict__", "__weakref__", "__doc__", "__module__", "__annotations__")
# A larger array is data of the program; nobody writes it into a kernel as constants.
_ARRAY_BYTES = 1 << 20

_STDLIB = os.path.join(os.path.abspath(sysconfig.get_paths()["stdlib"]), "")
_PACKAGE = os.path.join(PACKAGE, "")
# Classes of the standard library whose objects hold what a user puts into them.
_HOLDERS = {("types", "SimpleNamespace"), ("argparse", "Namespace"), ("collections", "UserDict"), ("collections", "UserList"),
            ("collections", "UserString"), ("collections", "ChainMap"), ("configparser", "ConfigParser"),
            ("configparser", "RawConfigParser"), ("configparser", "SectionProxy")}
# Packages whose state does not decide what a kernel is.
_FIXED_PACKAGES = {"flydsl", "numpy", "torch", "ml_dtypes", "builtins"}


class Untrackable(Exception):
    """More can be reached than is worth comparing."""


@functools.lru_cache(maxsize=4096)
def _fixed_module(name: str) -> bool:
    root = name.partition(".")[0]
    if root in _FIXED_PACKAGES or root in sys.stdlib_module_names:
        return True
    return False


@functools.lru_cache(maxsize=4096)
def _names(code: types.CodeType) -> frozenset:
    """The names that a code object and those inside it mention, and texts that could be names."""
    found = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found |= _names(const)
        elif isinstance(const, str) and const.isidentifier():
            found.add(const)
    return frozenset(found)


def same(now: Any, then: Any) -> bool:
    """True if two numbers or texts are the same in type and value."""
    if now is then:
        return True
    if type(now) is not type(then) or not isinstance(then, _LEAVES):
        return False
    if isinstance(then, (float, complex)):
        return repr(now) == repr(then)
    return now == then


def same_array(now: Any, then: Any) -> bool:
    """True if a NumPy array still has type, shape and contents of the copy `then`."""
    return now.dtype == then.dtype and now.shape == then.shape and now.tobytes() == then.tobytes()


def same_bytes(now: Any, then: tuple) -> bool:
    """True if an array.array or a memoryview still holds `then`, its type code and bytes."""
    return bytes_of(now) == then


def bytes_of(value: Any) -> tuple:
    """What `same_bytes` compares."""
    return getattr(value, "typecode", None) or value.format, value.tobytes()


# Standard functions whose result is another one each time, by module; what calls them is traced again.
_CHANGING = ("time", "random", "_random", "secrets", "_io", "io")


def _is_changing(value: Any) -> bool:
    """True for a function such as `time.time`, `random.random` and `open`."""
    if not isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType)):
        return False
    owner = getattr(value, "__self__", None)
    module = getattr(value, "__module__", None) or type(owner).__module__
    return module in _CHANGING or type(owner).__module__ in _CHANGING


class Snapshot:
    """The state that `roots` can reach. `valid()` says whether it is still so."""

    def __init__(self, *roots: Any):
        self._lines: list = []
        self._consts: dict = {"same": same, "same_array": same_array, "same_bytes": same_bytes, "M": _MISSING, "len": len}
        self._seen: dict = {}
        self._queue: list = []
        self._checked: set = set()
        self.trackable = True
        try:
            for root in roots:
                self._visit(root, frozenset())
            while self._queue:
                self._visit_now(*self._queue.pop())
            self.valid = self._compile()
        except Untrackable:
            self.trackable = False
            self.valid = lambda: False
        self._keep = list(self._seen.values())

    # Checks.

    def _const(self, value: Any) -> str:
        name = f"c{len(self._consts)}"
        self._consts[name] = value
        return name

    def _check(self, read: str, value: Any) -> None:
        """Adds the check that the expression `read` still gives `value`, or an equal number or text."""
        if len(self._lines) > _LIMIT:
            raise Untrackable
        const = self._const(value)
        if isinstance(value, _LEAVES) and not isinstance(value, (bool, type(None))):
            self._lines.append(f"(v := {read}) is {const} or same(v, {const})")
        else:
            self._lines.append(f"{read} is {const}")

    def _compile(self):
        # A chain of tests in pieces: one expression of thousands of terms is too deep for the compiler.
        body = []
        for begin in range(0, len(self._lines), 50):
            terms = " and ".join(f"({line})" for line in self._lines[begin:begin + 50])
            body.append(f"  if not ({terms}): return False")
        text = "def valid():\n try:\n" + "\n".join(body or ["  pass"]) + \
            "\n except (KeyError, AttributeError, ValueError, IndexError):\n  return False\n return True\n"
        scope = dict(self._consts)
        exec(compile(text, "<flydsl snapshot>", "exec"), scope)
        return scope["valid"]

    # The walk.

    def _visit(self, value: Any, names: frozenset) -> None:
        if isinstance(value, _LEAVES):
            return
        key = (id(value), names)
        if key in self._checked:
            return
        self._checked.add(key)
        self._seen.setdefault(id(value), value)
        if len(self._seen) > _LIMIT:
            raise Untrackable
        self._queue.append((value, names))

    def _visit_now(self, value: Any, names: frozenset) -> None:
        if _is_changing(value):
            raise Untrackable
        if isinstance(value, types.FunctionType):
            self._visit_function(value)
        elif isinstance(value, types.MethodType):
            self._visit(value.__func__, names)
            self._visit(value.__self__, names)
        elif isinstance(value, types.ModuleType):
            self._visit_module(value, names)
        elif isinstance(value, type):
            self._visit_class(value)
        elif isinstance(value, functools.partial):
            for part in (value.func, value.args, value.keywords):
                self._visit(part, names)
        elif isinstance(value, (tuple, frozenset)):
            for item in value:
                self._visit(item, names)
        elif isinstance(value, (list, collections.deque, bytearray)):
            self._visit_sequence(value, names)
        elif isinstance(value, set):
            self._lines.append(f"{self._const(value)} == {self._const(frozenset(value))}")
            for item in value:
                self._visit(item, names)
        elif isinstance(value, dict):
            self._visit_dict(value, names)
        elif isinstance(value, os._Environ):
            data = self._const(value._data)
            self._lines.append(f"{data} == {self._const(dict(value._data))}")
        elif isinstance(value, (staticmethod, classmethod)):
            self._visit(value.__func__, names)
        elif isinstance(value, property):
            for part in (value.fget, value.fset):
                self._visit(part, names)
        elif isinstance(value, functools.cached_property):
            self._visit(value.func, names)
        else:
            self._visit_object(value, names)

    def _visit_function(self, func: types.FunctionType) -> None:
        code = func.__code__
        if _fixed_module(func.__module__ or "") or code.co_filename.startswith((_PACKAGE, "<frozen")):
            # A wrapper of the package around a function of the user's.
            self._visit(getattr(func, "__wrapped__", None), frozenset())
            return
        names = _names(code)
        here = self._const(func)
        self._lines.append(f"{here}.__code__ is {self._const(code)}")
        self._visit_attributes(func)
        for attribute in ("__defaults__", "__kwdefaults__"):
            value = getattr(func, attribute)
            if value:
                self._check(f"{here}.{attribute}", value)
                self._visit(value, names)
        for name, cell in zip(code.co_freevars, func.__closure__ or ()):
            try:
                value = cell.cell_contents
            except ValueError:
                continue
            if value is not func:
                self._check(f"{self._const(cell)}.cell_contents", value)
                self._visit(value, names)
        self._visit_scope(func.__globals__, names)

    def _visit_attributes(self, func: types.FunctionType) -> None:
        """What the user has put on a function, as `f.count = 3`."""
        attributes = {n: v for n, v in vars(func).items() if not n.startswith("__")}
        if not attributes:
            return
        scope = self._const(vars(func))
        for name, value in attributes.items():
            self._check(f"{scope}.get({name!r}, M)", value)
            self._visit(value, frozenset())

    def _visit_scope(self, scope: dict, names: frozenset) -> None:
        get = self._const(scope.get)
        for name in sorted(names):
            value = scope.get(name, _MISSING)
            key = (id(scope), name)
            if key not in self._checked:
                self._checked.add(key)
                if value is not _MISSING:
                    self._check(f"{get}({name!r}, M)", value)
                elif name in ("open", "input"):
                    raise Untrackable
                elif hasattr(builtins, name):
                    self._lines.append(f"{get}({name!r}, M) is M")
            if value is not _MISSING:
                self._visit(value, names)
            elif name in sys.modules:
                # Imported inside the function.
                self._visit(sys.modules[name], names)
        if "globals" in names:
            self._visit_scope(scope, frozenset(n for n in scope if not n.startswith("__")) - names)

    def _visit_module(self, module: types.ModuleType, names: frozenset) -> None:
        if module is os and "environ" in names or module is os and "getenv" in names:
            self._visit(os.environ, names)
        if module.__name__ in _CHANGING and any(_is_changing(vars(module).get(name)) for name in names):
            raise Untrackable
        if module.__name__ == "numpy" and "random" in names:
            raise Untrackable
        if _fixed_module(module.__name__):
            return
        scope = vars(module)
        get = self._const(scope.get)
        for name in sorted(names):
            value = scope.get(name, _MISSING)
            key = (id(scope), name)
            if value is _MISSING:
                continue
            if key not in self._checked:
                self._checked.add(key)
                self._check(f"{get}({name!r}, M)", value)
            self._visit(value, names)

    def _once(self, value: Any) -> bool:
        """True the first time that the contents of an object are asked for."""
        key = (id(value), "contents")
        if key in self._checked:
            return False
        self._checked.add(key)
        return True

    def _visit_sequence(self, value, names: frozenset) -> None:
        items = list(value)
        if self._once(value):
            here = self._const(value)
            self._lines.append(f"len({here}) == {len(items)}")
            for index, item in enumerate(items):
                self._check(f"{here}[{index}]", item)
        for item in items:
            self._visit(item, names)

    def _visit_dict(self, value: dict, names: frozenset) -> None:
        items = list(value.items())
        if self._once(value):
            here = self._const(value)
            # The order counts, too: a trace may loop over the keys.
            self._lines.append(f"[*{here}] == {self._const([key for key, _ in items])}")
            for key, item in items:
                self._check(f"{here}[{self._const(key)}]", item)
        for key, item in items:
            self._visit(item, names)

    def _visit_class(self, cls: type) -> None:
        if type(cls) is not type:
            self._visit(type(cls), frozenset())
        for base in cls.__mro__:
            if _fixed_module(base.__module__ or "") or (id(base), "class") in self._checked:
                continue
            self._checked.add((id(base), "class"))
            scope = self._const(base.__dict__)
            entries = dict(base.__dict__)
            self._lines.append(f"len({scope}) == {len(entries)}")
            for name, value in entries.items():
                # What the package keeps in a struct class is made of the fields, some of it when first needed.
                if name in _CLASS_BOOKKEEPING or name.startswith("__dsl_"):
                    continue
                if isinstance(value, types.FunctionType) and _fixed_module(value.__module__ or ""):
                    continue
                self._check(f"{scope}[{name!r}]", value)
                self._visit(value, frozenset())

    def _visit_object(self, value: Any, names: frozenset) -> None:
        kind = type(value)
        # A decorated function of this package. Objects of the user's are not asked: they may answer anything.
        original = getattr(value, "original", None) if kind.__module__.startswith("flydsl.") else None
        if isinstance(original, types.FunctionType):
            self._visit(original, names)
            hints = getattr(value, "compile_hints", None)
            if isinstance(hints, dict):
                self._visit(hints, frozenset())
            return
        if kind.__module__ == "functools" and hasattr(value, "__wrapped__"):
            self._visit(value.__wrapped__, names)
            return
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(value, getattr(numpy, "ndarray", ())):
            if value.nbytes <= _ARRAY_BYTES and self._once(value):
                self._lines.append(f"same_array({self._const(value)}, {self._const(value.copy())})")
            return
        if isinstance(value, memoryview) or kind.__module__ == "array" and kind.__name__ == "array":
            if (value.nbytes if isinstance(value, memoryview) else len(value) * value.itemsize) <= _ARRAY_BYTES and self._once(value):
                self._lines.append(f"same_bytes({self._const(value)}, {self._const(bytes_of(value))})")
            return
        if _fixed_module(kind.__module__ or "") and (kind.__module__, kind.__name__) not in _HOLDERS:
            return
        if isinstance(value, enum.Enum):
            return
        self._visit(kind, names)
        here = self._const(value)
        if self._once(value):
            for slot in self._slots(kind):
                item = getattr(value, slot, _MISSING)
                if item is not _MISSING:
                    self._check(f"{here}.{slot}", item)
        for slot in self._slots(kind):
            self._visit(getattr(value, slot, None), names)
        if hasattr(value, "__dict__") and isinstance(vars(value), dict):
            if self._once(vars(value)):
                self._lines.append(f"{here}.__dict__ is {self._const(vars(value))}")
                attributes = self._const(vars(value))
                self._lines.append(f"len({attributes}) == {len(vars(value))}")
                for name, item in list(vars(value).items()):
                    self._check(f"{attributes}[{name!r}]", item)
            for item in list(vars(value).values()):
                self._visit(item, names)

    @staticmethod
    def _slots(kind: type) -> list:
        found = []
        for base in kind.__mro__:
            slots = base.__dict__.get("__slots__", ())
            found += [slots] if isinstance(slots, str) else list(slots)
        return [name for name in found if name not in ("__dict__", "__weakref__")]
