# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kind of value a variable holds: static, a number, a traced object, or a container of such."""
from __future__ import annotations

import array
import collections
import gc
import io
import itertools
import struct
import sys
import warnings
import zlib
from types import BuiltinFunctionType, FunctionType, GeneratorType, ModuleType, SimpleNamespace

from .objects import UNBOUND, attributes, ids, is_plain_class, isa, module_of

_ATOMS = ids(bool, int, float, str, bytes, complex, type(None), FunctionType, BuiltinFunctionType, ModuleType, type)
_NUMBERS = ids(bool, int, float)
_EXACT = ids(bool, int, str, bytes, type(None))
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
    if id(type(value)) in _ATOMS:
        return False
    module = _lazy.ir or sys.modules.get("flydsl._mlir.ir")
    if module is None:
        return False
    if isa(value, module.Value):
        # A size that is known while tracing decides as an int does.
        return type(size_class(value)) is not int
    try:
        return isa(getattr(value, "value", None), module.Value)
    except Exception:  # The object's own code; Python would not have asked.
        return False


def as_scalar(value):
    """The number of an int tuple of a single integer, such as a size; anything else as it is."""
    scalar = _of_class(type(value), "__dsl_scalar__")
    number = NotImplemented if scalar is None else scalar(value)
    return value if number is NotImplemented else number


def size_class(value):
    """The class of the number that a run-time size counts as, the int of a static one; None for anything else.

    Unlike `as_scalar` it emits nothing, so the value may be of a region that is not being traced.
    """
    method = _of_class(type(value), "__dsl_scalar_class__")
    cls = NotImplemented if method is None else method(value)
    return None if cls is NotImplemented else cls


def is_number(value) -> bool:
    """A Python bool, int or float."""
    return id(type(value)) in _NUMBERS


def is_numeric(value) -> bool:
    """A number of the DSL."""
    return isa(value, numeric().Numeric)


def is_dsl(value) -> bool:
    """An object that is made of IR values."""
    return _of_class(type(value), "__extract_to_ir_values__") is not None and \
        _of_class(type(value), "__construct_from_ir_values__") is not None


def _of_class(cls, name):
    try:
        return getattr(cls, name, None)
    except Exception:  # A metaclass of the user's.
        return None


def is_plain_object(value) -> bool:
    """An object of a user's class, whose attributes are ordinary state."""
    return is_plain_class(type(value)) and not (_lazy.ir is not None and isa(value, _lazy.ir.Value))


# A larger array is compared by a checksum of its bytes, and cannot be put back.
_ARRAY_BYTES = 1 << 20
_ITERATORS = {type(iter(x)) for x in ([], (), "", "\u1234", b"", range(1), range(1 << 70), {}, {}.values(), {}.items(), set(),
                                      bytearray(), collections.deque())}
_ITERATORS |= {type(reversed(x)) for x in ([], {}, {}.values(), {}.items(), (), collections.deque())}
_ITERATORS |= {enumerate, zip, map, filter, GeneratorType, type(iter(int, 1)), io.StringIO, io.BytesIO}
_ITERATORS = ids(*_ITERATORS)


def _array_kind(value) -> str:
    """'array' for a container of plain data, 'opaque' for what has a state that cannot be put back, '' for others."""
    cls = type(value)
    if id(cls) in _ITERATORS or module_of(cls) == "itertools":
        return "opaque"
    if issubclass(cls, (collections.deque, bytearray, array.array)):
        return "array"
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(cls, numpy.ndarray):
        if not value.flags.writeable:
            return ""
        return "opaque" if value.nbytes > _ARRAY_BYTES or value.dtype.hasobject else "array"
    torch = sys.modules.get("torch")
    return "opaque" if torch is not None and issubclass(cls, getattr(torch, "Tensor", ())) else ""


def kind_of(value) -> str:
    """'list', 'tuple', 'dict', 'set', 'object', 'array', 'opaque' for what has contents, '' for everything else."""
    cls = type(value)
    if id(cls) in _ATOMS:
        return ""
    if cls is list or issubclass(cls, list):
        return "list"
    if issubclass(cls, tuple):
        return "tuple" if not is_dsl(value) else ""
    if issubclass(cls, dict):
        return "dict"
    if issubclass(cls, set):
        return "set"
    found = _array_kind(value)
    if found:
        return found
    return "object" if is_plain_object(value) else ""


def contents(value, kind):
    """A shallow copy of what a container holds. Runs no code of a user's class."""
    if kind == "object":
        return attributes(value)
    if kind == "array":
        return _array_contents(value)
    if kind == "opaque":
        return _opaque_contents(value)
    if kind in ("class", "function"):
        return {n: v for n, v in value.__dict__.items() if not n.startswith("__")}
    if kind == "set":
        return set().union(value)
    if kind == "dict":
        # The method copies a subclass by its own keys().
        return dict.copy(value) if type(value) is dict else dict(dict.items(value))
    return list.copy(value) if kind == "list" else list(tuple.__iter__(value))


def _array_contents(value):
    if isa(value, collections.deque):
        return list(collections.deque.__iter__(value))
    if isa(value, (bytearray, array.array)):
        return [bytes(value) if isa(value, bytearray) else value.tobytes()]
    return [value.shape, value.tobytes()]


def put_array(value, copy):
    """Makes `copy` the contents of a container of plain data."""
    if isa(value, collections.deque):
        collections.deque.clear(value)
        collections.deque.extend(value, copy)
    elif isa(value, bytearray):
        value[:] = copy[0]
    elif isa(value, array.array):
        del value[:]
        value.frombytes(copy[0])
    else:
        numpy = sys.modules["numpy"]
        value[...] = numpy.frombuffer(copy[1], value.dtype).reshape(value.shape)


def _opaque_contents(value):
    """What tells two states of an iterator, a stream or a large array apart."""
    cls = type(value)
    if cls is GeneratorType:
        frame = value.gi_frame
        return [None] if frame is None else [frame.f_lasti, value.gi_yieldfrom, *frame.f_locals.values()]
    if cls in (io.StringIO, io.BytesIO):
        return [None] if value.closed else [value.tell(), value.getvalue()]
    if id(cls) in _ITERATORS or module_of(cls) == "itertools":
        hint = [value.__length_hint__()] if hasattr(cls, "__length_hint__") else []
        if cls in (itertools.count, itertools.repeat):
            hint.append(shown(value))
        if cls is enumerate or cls is itertools.cycle:
            hint += _position(value)
        return hint + gc.get_referents(value)
    if hasattr(cls, "_version"):
        return [value._version]
    if value.dtype.hasobject or not value.flags.c_contiguous:
        return [value.shape, *value.ravel().tolist()]
    return [value.shape, zlib.adler32(memoryview(value).cast("B"))]


def _position(iterator) -> list:
    """The hidden count of an `enumerate`, and the place of an `itertools.cycle` in its saved items."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = iterator.__reduce__()
        if type(iterator) is enumerate:
            return [found[1][1]]
        return [found[1][0].__length_hint__(), found[2][1]] if len(found) > 2 else []
    except Exception:  # Later Pythons cannot tell.
        return []


def items(copy):
    """(key, item) of a container's contents."""
    return list(copy.items()) if isinstance(copy, dict) else list(enumerate(copy))


def step(path, kind, key) -> str:
    """The path of an item: `acc[0]`, `d['a']`, `ns.x`."""
    return f"{path}.{key}" if kind in ("object", "class", "function") else f"{path}[{shown(key)}]"


def shown(key) -> str:
    """The text of a key in a message; an object may have no text."""
    try:
        return repr(key)
    except Exception:
        return f"<{type(key).__name__}>"


def same_static(a, b) -> bool:
    """True if two values that are not traced are interchangeable."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if id(type(a)) in _EXACT:
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
    if isa(a, value):
        return value.__eq__(a, b)
    if is_numeric(a):
        x, y = a.value, b.value
        if isa(x, value) and isa(y, value):
            return value.__eq__(x, y)
        return not isa(x, value) and not isa(y, value) and same_static(x, y)
    if isa(a, tuple) and not is_dsl(a):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
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
    if isa(value, type):
        return f"the class {value.__name__}"
    if is_number(value) or type(value) is str:
        return f"{type(value).__name__} {value!r}"
    return type(value).__name__
