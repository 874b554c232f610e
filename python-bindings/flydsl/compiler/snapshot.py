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

What cannot be compared (a file, a clock, the working folder, an iterator, what
a class in C keeps to itself, an array above 1 MiB) makes the function one that
is traced at each call: slower, never stale. The state of the standard library,
NumPy, torch and this package itself is taken as fixed.
"""
from __future__ import annotations

import builtins
import collections
import functools
import operator
import os
import sys
import threading
import types
from typing import Any

from .locations import PACKAGE
from .snapshot_kinds import (ARRAY_BYTES, BUILTINS_THAT_CHANGE, BY_NAME, LEAVES, METHODS_THAT_CHANGE, MISSING, bytes_of, hides_state,
                             is_changing, is_environment_reader, is_fixed_module, is_inert, is_numpy_array, module_of, same, same_array,
                             same_bytes, slot)

_LIMIT = 20000
_CLASS_BOOKKEEPING = ("__dict__", "__weakref__", "__doc__", "__module__", "__annotations__")
_PACKAGE = os.path.join(PACKAGE, "")
_SEQUENCES = (list, collections.deque, bytearray)
_FIXED_ITEMS = (tuple, frozenset)


class Untrackable(Exception):
    """What can be reached cannot be compared, or is more than is worth comparing."""


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


class Snapshot:
    """The state that `roots` can reach. `valid()` says whether it is still so.

    trackable: False if some of it cannot be compared; `reason` then says what.
    """

    def __init__(self, *roots: Any):
        self._lines: list = []
        self._consts: dict = {
            "same": same, "same_array": same_array, "same_bytes": same_bytes, "slot": slot, "M": MISSING, "len": len, "type": type
        }
        self._seen: dict = {}
        self._queue: list = []
        self._checked: set = set()
        self._all_names: set = set()
        self._reads: set = set()
        self.trackable, self.reason = True, ""
        try:
            for root in roots:
                self._visit(root, frozenset())
            while self._queue:
                self._visit_now(*self._queue.pop())
            if self._reads & self._all_names:
                raise Untrackable(f"'{min(self._reads & self._all_names)}'")
            self.valid = self._compile()
        except Untrackable as error:
            self.trackable, self.reason = False, str(error)
            self.valid = lambda: False
        self._keep = list(self._seen.values())
        self._queue.clear()

    # Checks.

    def _const(self, value: Any) -> str:
        name = f"c{len(self._consts)}"
        self._consts[name] = value
        return name

    def _check(self, read: str, value: Any) -> None:
        """Adds the check that the expression `read` still gives `value`, or an equal number or text."""
        if len(self._lines) > _LIMIT:
            raise Untrackable(f"more than {_LIMIT} places")
        const = self._const(value)
        if type(value) in LEAVES and not isinstance(value, (bool, type(None))):
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
            "\n except (KeyError, AttributeError, ValueError, IndexError, TypeError, RuntimeError):\n  return False\n return True\n"
        scope = dict(self._consts)
        exec(compile(text, "<flydsl snapshot>", "exec"), scope)
        return scope["valid"]

    # The walk.

    def _visit(self, value: Any, names: frozenset) -> None:
        if type(value) in LEAVES:
            return
        key = (id(value), names)
        if key in self._checked:
            return
        self._checked.add(key)
        self._seen.setdefault(id(value), value)
        if len(self._seen) > _LIMIT:
            raise Untrackable(f"more than {_LIMIT} objects")
        self._queue.append((value, names))

    def _visit_now(self, value: Any, names: frozenset) -> None:
        # Not isinstance: an object may say that it is of another class (a weak proxy does).
        kind = type(value)
        if is_changing(value):
            raise Untrackable(f"'{getattr(value, '__qualname__', value)}'")
        if kind is types.FunctionType:
            self._visit_function(value)
        elif kind is types.MethodType:
            self._visit(value.__func__, names)
            self._visit(value.__self__, names)
        elif kind in (types.BuiltinFunctionType, types.MethodWrapperType):
            if not isinstance(value.__self__, types.ModuleType):
                self._visit(value.__self__, names)
        elif issubclass(kind, types.ModuleType):
            self._visit_module(value, names)
        elif issubclass(kind, type):
            self._visit_class(value)
        elif kind in (functools.partial, functools.partialmethod):
            for part in (value.func, value.args, value.keywords):
                self._visit(part, names)
        elif issubclass(kind, (staticmethod, classmethod)):
            self._visit(value.__func__, names)
            if kind not in (staticmethod, classmethod) or not is_fixed_module(module_of(value.__func__)):
                self._visit_instance(value, kind, names)
        elif issubclass(kind, property):
            for part in (value.fget, value.fset):
                self._visit(part, names)
            self._visit_instance(value, kind, names)
        elif kind is operator.itemgetter:
            self._visit(value.__reduce__()[1], names)
        elif kind is functools.cached_property:
            self._visit(value.func, names)
        elif kind is types.CellType:
            self._check(f"{self._const(value)}.cell_contents", value.cell_contents)
            self._visit(value.cell_contents, names)
        elif issubclass(kind, os._Environ):
            data = self._const(value._data)
            self._lines.append(f"{data} == {self._const(dict(value._data))}")
        elif not self._visit_container(value, kind, names):
            self._visit_object(value, kind, names)

    def _visit_function(self, func: types.FunctionType) -> None:
        code = func.__code__
        if is_environment_reader(func):
            self._visit(os.environ, frozenset())
        if is_fixed_module(module_of(func)) or code.co_filename.startswith((_PACKAGE, "<frozen")):
            # A wrapper of the package around a function of the user's.
            self._visit(getattr(func, "__wrapped__", None), frozenset())
            return
        if is_fixed_module(func.__globals__.get("__name__") or ""):
            # A wrapper that the standard library made and gave the name of what it wraps, as the __repr__ of a
            # dataclass: its code is the library's, what it holds is the user's.
            self._visit_closure(func, frozenset())
            self._visit_attributes(func, frozenset())
            return
        names = _names(code)
        self._all_names |= names
        here = self._const(func)
        self._lines.append(f"{here}.__code__ is {self._const(code)}")
        self._visit_attributes(func, names)
        for attribute in ("__defaults__", "__kwdefaults__"):
            value = getattr(func, attribute)
            self._check(f"{here}.{attribute}", value)
            self._visit(value, names)
        self._visit_closure(func, names)
        self._visit_scope(func.__globals__, names)

    def _visit_closure(self, func: types.FunctionType, names: frozenset) -> None:
        for cell in func.__closure__ or ():
            try:
                value = cell.cell_contents
            except ValueError:
                continue
            if value is not func:
                self._check(f"{self._const(cell)}.cell_contents", value)
                self._visit(value, names)

    def _visit_attributes(self, func: types.FunctionType, names: frozenset) -> None:
        """What the user has put on a function, as `f.count = 3`."""
        attributes = {n: v for n, v in vars(func).items() if not n.startswith("__")}
        if not attributes and not names & BY_NAME:
            return
        scope = self._const(vars(func))
        self._lines.append(f"len({scope}) == {len(vars(func))}")
        for name, value in attributes.items():
            self._check(f"{scope}.get({name!r}, M)", value)
            self._visit(value, frozenset())

    def _visit_scope(self, scope: dict, names: frozenset) -> None:
        get = self._const(scope.get)
        for name in sorted(names):
            value = scope.get(name, MISSING)
            key = (id(scope), name)
            if key not in self._checked:
                self._checked.add(key)
                if value is not MISSING:
                    self._check(f"{get}({name!r}, M)", value)
                elif name in BUILTINS_THAT_CHANGE:
                    raise Untrackable(f"'{name}'")
                elif hasattr(builtins, name):
                    self._lines.append(f"{get}({name!r}, M) is M")
            if value is not MISSING:
                self._visit(value, names)
            elif name in sys.modules:
                # Imported inside the function.
                self._visit(sys.modules[name], names)
        if "globals" in names:
            self._lines.append(f"len({self._const(scope)}) == {len(scope)}")
            self._visit_scope(scope, frozenset(n for n in scope if not n.startswith("__")) - names)

    def _visit_module(self, module: types.ModuleType, names: frozenset) -> None:
        scope = vars(module)
        if module.__name__.partition(".")[0] == "flydsl":
            return
        fixed = is_fixed_module(module.__name__)
        if module is os and names & {"environ", "environb", "getenv", "getenvb"}:
            self._visit(os.environ, names)
        if module.__name__ == "numpy" and "random" in names:
            raise Untrackable("'numpy.random'")
        if not fixed and names & BY_NAME:
            # Read by a name that the walk does not see.
            names |= {name for name in scope if not name.startswith("__")}
            self._lines.append(f"len({self._const(scope)}) == {len(scope)}")
        answers = scope.get("__getattr__") if not fixed else None
        if answers is not None:
            self._visit(answers, names)
        get = self._const(scope.get)
        for name in sorted(names):
            value = scope.get(name, MISSING)
            key = (id(scope), name)
            if value is MISSING or name in ("environ", "environb") and module is os:
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

    def _visit_container(self, value: Any, kind: type, names: frozenset) -> bool:
        """Visits the items of a container, and what else an object of a subclass holds; False if it is none."""
        base = next((base for base in (*_SEQUENCES, *_FIXED_ITEMS, set, dict, types.MappingProxyType) if issubclass(kind, base)), None)
        if base is None:
            if not issubclass(kind, LEAVES):
                return False
        elif base in _SEQUENCES:
            self._visit_sequence(value, base, names)
        elif base in _FIXED_ITEMS:
            for item in base.__iter__(value):
                self._visit(item, names)
        elif base is set:
            # A copy by the base: the order of what is compared does not count.
            if self._once(value):
                equal = "" if kind is set else f"{self._const(set)}.copy"
                self._lines.append(f"{equal}({self._const(value)}) == {self._const(set(set.__iter__(value)))}")
            for item in set.__iter__(value):
                self._visit(item, names)
        else:
            self._visit_dict(value, base, names)
            if kind is collections.defaultdict:
                self._visit(value.default_factory, names)
        if base is not kind and kind is not collections.defaultdict and not is_inert(kind):
            self._visit_instance(value, kind, names)
        return True

    def _visit_sequence(self, value: Any, base: type, names: frozenset) -> None:
        items = list(base.__iter__(value))
        if self._once(value):
            here, exact = self._const(value), type(value) is base
            # A subclass may answer otherwise.
            length, get = ("len", "") if exact else (f"{self._const(base)}.__len__", f"{self._const(base)}.__getitem__")
            self._lines.append(f"{length}({here}) == {len(items)}")
            for index, item in enumerate(items):
                self._check(f"{here}[{index}]" if exact else f"{get}({here}, {index})", item)
        for item in items:
            self._visit(item, names)

    def _visit_dict(self, value: Any, base: type, names: frozenset) -> None:
        items = list(base.items(value))
        if self._once(value):
            here, exact = self._const(value), type(value) is base
            get = "" if exact else f"{self._const(base)}.__getitem__"
            # The order counts, too: a trace may loop over the keys.
            self._lines.append(f"[*{here if exact else f'{self._const(base)}.keys({here})'}] == {self._const([key for key, _ in items])}")
            for key, item in items:
                key = self._const(key)
                self._check(f"{here}[{key}]" if exact else f"{get}({here}, {key})", item)
        for key, item in items:
            self._visit(key, names)
            self._visit(item, names)

    def _visit_class(self, cls: type) -> None:
        module = module_of(cls)
        reads = METHODS_THAT_CHANGE.get(module.partition(".")[0])
        if reads is not None:
            self._reads |= reads
        if type(cls) is not type:
            self._visit(type(cls), frozenset())
        if is_fixed_module(module):
            return
        if self._once(cls):
            self._lines.append(f"{self._const(cls)}.__mro__ is {self._const(cls.__mro__)}")
        for base in cls.__mro__:
            if is_fixed_module(module_of(base)) or (id(base), "class") in self._checked:
                continue
            self._checked.add((id(base), "class"))
            scope = self._const(base.__dict__)
            entries = dict(base.__dict__)
            self._lines.append(f"len({scope}) == {len(entries)}")
            for name, value in entries.items():
                # What the package keeps in a struct class is made of the fields, some of it when first needed.
                if name in _CLASS_BOOKKEEPING or name.startswith("__dsl_"):
                    continue
                if isinstance(value, types.FunctionType) and is_fixed_module(module_of(value)):
                    continue
                self._check(f"{scope}[{name!r}]", value)
                self._visit(value, frozenset())

    def _visit_object(self, value: Any, kind: type, names: frozenset) -> None:
        module = module_of(kind)
        if module.partition(".")[0] == "flydsl":
            self._visit_decorated(value)
        elif module == "functools" and hasattr(value, "__wrapped__"):
            self._visit_cached(value, names)
        elif is_numpy_array(value):
            self._visit_array(value)
            if module.partition(".")[0] != "numpy":
                self._visit_instance(value, kind, names)
        elif issubclass(kind, memoryview) or module == "array":
            if (value.nbytes if issubclass(kind, memoryview) else len(value) * value.itemsize) > ARRAY_BYTES:
                raise Untrackable(f"a {kind.__name__} of more than {ARRAY_BYTES} bytes")
            if self._once(value):
                self._lines.append(f"same_bytes({self._const(value)}, {self._const(bytes_of(value))})")
        elif module == "_contextvars" and kind.__name__ == "ContextVar":
            present = value.get(MISSING)
            self._check(f"{self._const(value)}.get(M)", present)
            self._visit(present, names)
        elif issubclass(kind, BaseException):
            self._check(f"{self._const(value)}.args", value.args)
            self._visit(value.args, names)
            self._visit_instance(value, kind, names)
        elif is_inert(kind):
            self._reads |= METHODS_THAT_CHANGE.get(module.partition(".")[0], frozenset())
        elif hides_state(kind) and not issubclass(kind, (threading.local, types.SimpleNamespace)):
            raise Untrackable(f"a {kind.__qualname__} of module {module}")
        else:
            self._visit_instance(value, kind, names)

    def _visit_decorated(self, value: Any) -> None:
        """A decorated function of this package, or such a method of an object. Other objects of the package do not change."""
        original = getattr(value, "original", None)
        if isinstance(original, types.FunctionType):
            self._visit(original, frozenset())
            hints = getattr(value, "compile_hints", None)
            if isinstance(hints, dict):
                self._visit(hints, frozenset())
            self._visit(vars(value).get("instance") if hasattr(value, "__dict__") else None, frozenset())

    def _visit_cached(self, value: Any, names: frozenset) -> None:
        """A function with a cache: what it returns is of the time of its first call.

        Without anything that it reads this makes no difference.
        """
        inner = Snapshot(value.__wrapped__)
        if not inner.trackable or inner.reads_values():
            raise Untrackable(f"'{getattr(value, '__qualname__', value)}' with its cache")
        self._visit(value.__wrapped__, names)

    def reads_values(self) -> bool:
        """True if any check is of more than code: of a number, text, container or object."""
        code = (types.FunctionType, types.ModuleType, types.CodeType, types.BuiltinFunctionType, type, str, int, type(None),
                types.MethodDescriptorType, types.WrapperDescriptorType)
        plain = set(map(id, (same, same_array, same_bytes, slot, MISSING, len, type)))
        for value in self._consts.values():
            if id(value) in plain or isinstance(value, code) and not isinstance(value, (str, int)):
                continue
            if isinstance(getattr(value, "__self__", None), dict):
                continue  # the lookup of globals
            return True
        return False

    def _visit_array(self, value: Any) -> None:
        if value.nbytes > ARRAY_BYTES:
            raise Untrackable(f"an array of {value.nbytes} bytes; more than {ARRAY_BYTES} are not compared")
        if value.dtype.hasobject:
            raise Untrackable("an array of objects")
        if self._once(value):
            self._lines.append(f"same_array({self._const(value)}, {self._const(value.copy())}, {self._const(value.strides)})")

    def _visit_instance(self, value: Any, kind: type, names: frozenset) -> None:
        """The class and the attributes of an object."""
        self._visit(kind, names)
        here = self._const(value)
        slots = [entry for base in kind.__mro__ if module_of(base) != "builtins" for entry in vars(base).values()
                 if isinstance(entry, types.MemberDescriptorType)]
        items = [slot(descriptor, value) for descriptor in slots]
        if (id(value), "attributes") not in self._checked:
            self._checked.add((id(value), "attributes"))
            self._lines.append(f"type({here}) is {self._const(kind)}")
            for descriptor, item in zip(slots, items):
                self._check(f"slot({self._const(descriptor)}, {here})", item)
        for item in items:
            self._visit(item, names)
        attributes = getattr(value, "__dict__", None)
        if type(attributes) is not dict:
            return
        if self._once(attributes):
            self._lines.append(f"{here}.__dict__ is {self._const(attributes)}")
            scope = self._const(attributes)
            self._lines.append(f"len({scope}) == {len(attributes)}")
            for name, item in list(attributes.items()):
                self._check(f"{scope}[{name!r}]", item)
        for item in list(attributes.values()):
            self._visit(item, names)
