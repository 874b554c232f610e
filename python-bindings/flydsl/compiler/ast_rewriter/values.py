# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kind of value a variable holds: static, a number, a traced object, or a container of such."""
from __future__ import annotations

import struct
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType, SimpleNamespace


class _Unbound:
    """The content of a variable that has no value."""

    def __repr__(self):
        return "no value"


UNBOUND = _Unbound()
_lazy = SimpleNamespace(ir=None, numeric=None)


def ir():
    """`flydsl._mlir.ir`."""
    if _lazy.ir is None:
        from ..._mlir import ir as module
        _lazy.ir = module
    return _lazy.ir


def numeric():
    """`flydsl.expr.numeric`."""
    if _lazy.numeric is None:
        from ...expr import numeric as module
        _lazy.numeric = module
    return _lazy.numeric


def is_dynamic(value) -> bool:
    """True for an IR value and for an object whose `.value` is one."""
    if type(value) in (bool, int, float, str) or value is None:
        return False
    module = _lazy.ir or sys.modules.get("flydsl._mlir.ir")
    if module is None:
        return False
    if isinstance(value, module.Value):
        # A size that is known while tracing decides as an int does.
        return not isinstance(as_scalar(value), int)
    return isinstance(getattr(value, "value", None), module.Value)


def as_scalar(value):
    """The number of an int tuple of a single integer, such as a size; anything else as it is."""
    scalar = getattr(type(value), "__dsl_scalar__", None)
    number = NotImplemented if scalar is None else scalar(value)
    return value if number is NotImplemented else number


def is_number(value) -> bool:
    """A Python bool, int or float."""
    return type(value) in (bool, int, float)


def is_numeric(value) -> bool:
    """A number of the DSL."""
    return isinstance(value, numeric().Numeric)


def is_dsl(value) -> bool:
    """An object that is made of IR values."""
    return hasattr(type(value), "__extract_to_ir_values__") and hasattr(type(value), "__construct_from_ir_values__")


_FOREIGN = {"flydsl", "numpy", "torch", "ctypes", "ml_dtypes", "jax", "builtins", "functools", "types", "typing", "enum",
            "abc", "collections", "threading", "logging", "pathlib", "re", "ast", "inspect", "_pytest", "unittest"}


def is_plain_object(value) -> bool:
    """An object of a user's class, whose attributes are ordinary state."""
    cls = type(value)
    if cls is SimpleNamespace:
        return True
    if isinstance(value, (type, ModuleType, FunctionType, BuiltinFunctionType, BaseException)) or is_dsl(value):
        return False
    if cls.__module__.partition(".")[0] in _FOREIGN or not (hasattr(value, "__dict__") or _slot_names(cls)):
        return False
    return not isinstance(value, ir().Value) if _lazy.ir is not None or "flydsl._mlir.ir" in sys.modules else True


def _slot_names(cls) -> list:
    """The attributes that the classes of an object keep in slots."""
    names = []
    for base in cls.__mro__:
        slots = base.__dict__.get("__slots__", ())
        names += [n for n in ((slots,) if isinstance(slots, str) else slots) if n not in ("__dict__", "__weakref__")]
    return names


def attributes(value) -> dict:
    """The attributes of an object, whether in its `__dict__` or in slots."""
    found = dict(getattr(value, "__dict__", ()))
    for name in _slot_names(type(value)):
        try:
            found[name] = getattr(value, name)
        except AttributeError:
            pass
    return found


def set_attributes(value, given: dict):
    """Makes `given` the attributes of an object, past `__setattr__` of its class."""
    for name in attributes(value):
        if name not in given:
            object.__delattr__(value, name)
    for name, item in given.items():
        object.__setattr__(value, name, item)


def _is_array(value) -> bool:
    """A container that holds no traced values: its contents must not depend on a run-time condition."""
    cls = type(value)
    if cls.__module__ == "collections":
        return cls.__name__ == "deque"
    return cls is bytearray or (cls.__module__ == "numpy" and cls.__name__ == "ndarray" and value.size <= 65536)


def kind_of(value) -> str:
    """'list', 'tuple', 'dict', 'set', 'object', 'array' for containers, '' for everything else."""
    cls = type(value)
    if cls in (bool, int, float, str) or value is None:
        return ""
    if isinstance(value, list):
        return "list"
    if isinstance(value, tuple):
        return "tuple" if not is_dsl(value) else ""
    if isinstance(value, dict):
        return "dict"
    if isinstance(value, set):
        return "set"
    if _is_array(value):
        return "array"
    return "object" if is_plain_object(value) else ""


def contents(value, kind):
    """A shallow copy of what a container holds."""
    if kind == "object":
        return attributes(value)
    if kind == "array":
        return value.copy()
    if kind == "set":
        return set(value)
    if kind == "dict":
        return dict(value)
    return list(value)


def items(copy):
    """(key, item) of a container's contents."""
    return list(copy.items()) if isinstance(copy, dict) else list(enumerate(copy))


def step(path, kind, key) -> str:
    """The path of an item: `acc[0]`, `d['a']`, `ns.x`."""
    return f"{path}.{key}" if kind == "object" else f"{path}[{key!r}]"


def same_static(a, b) -> bool:
    """True if two values that are not traced are interchangeable."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if type(a) in (bool, int, str, bytes, type(None)):
        return a == b
    if type(a) is float:
        return struct.pack("d", a) == struct.pack("d", b)
    if type(a) is tuple:
        return len(a) == len(b) and all(same_static(x, y) for x, y in zip(a, b))
    return False


def same(a, b) -> bool:
    """True if two values are certainly the same: one object, equal statics, or one IR value seen twice."""
    if same_static(a, b):
        return True
    if type(a) is not type(b) or _lazy.ir is None:
        return False
    value = _lazy.ir.Value
    if isinstance(a, value):
        return value.__eq__(a, b)
    if is_numeric(a):
        x, y = a.value, b.value
        if isinstance(x, value) and isinstance(y, value):
            return value.__eq__(x, y)
        return not isinstance(x, value) and not isinstance(y, value) and same_static(x, y)
    return False


def type_list(types) -> str:
    """IR types as messages show them: `[IntegerType(i32)]`."""
    return "[" + ", ".join(repr(t) for t in types) + "]"


def describe(value) -> str:
    """What a message calls a value."""
    if value is UNBOUND:
        return "no value"
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if is_number(value) or isinstance(value, str):
        return f"{type(value).__name__} {value!r}"
    return type(value).__name__
