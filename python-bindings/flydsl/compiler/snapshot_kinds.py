# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a snapshot has to know of the standard library, NumPy and torch.

Which functions answer differently although no Python object has changed, which
objects can only ever say the same, and which keep something where it cannot be
compared. It walks nothing; that is `snapshot`.
"""
from __future__ import annotations

import functools
import sys
import types
from typing import Any

LEAVES = (int, float, str, bytes, bool, complex, type(None), type(Ellipsis), type(NotImplemented))
MISSING = object()
# A larger array is not compared at each call.
ARRAY_BYTES = 1 << 20

# Packages whose own state does not decide what a kernel is.
_FIXED_PACKAGES = {"flydsl", "numpy", "torch", "ml_dtypes", "builtins"}


def module_of(value: Any) -> str:
    """The module of a class or function; "" where it has none, or a descriptor in its place as classes of Cython do."""
    module = getattr(value, "__module__", None)
    return module if isinstance(module, str) else ""


@functools.lru_cache(maxsize=4096)
def is_fixed_module(name: str) -> bool:
    """True for the modules of the standard library and of the packages that the language builds on."""
    root = name.partition(".")[0]
    return root in _FIXED_PACKAGES or root in sys.stdlib_module_names


#===----------------------------------------------------------------------===#
# Functions
#===----------------------------------------------------------------------===#

# Modules that ask the clock, chance or the system; their functions and classes answer differently each time.
_CHANGING_MODULES = {
    "time", "random", "_random", "secrets", "_io", "io", "subprocess", "socket", "_socket", "glob", "shutil", "tempfile", "fileinput",
    "linecache", "select", "gc", "importlib.resources", "urllib.request", "multiprocessing", "mmap", "locale", "getpass", "pwd",
    "sqlite3", "ctypes", "_ctypes", "numpy.random", "numpy.random.mtrand", "numpy.random._generator", "faulthandler", "traceback"
}
_PURE_CLASSES = {"StringIO", "BytesIO", "TextIOBase", "struct_time"}
# Modules whose functions ask the system but for these.
_PURE_FUNCTIONS = {
    "posix": {"fspath", "cpu_count", "strerror"},
    "os": {"fspath", "fsencode", "fsdecode", "getenv", "getenvb", "cpu_count", "strerror"},
    "posixpath": {"join", "basename", "dirname", "split", "splitext", "splitdrive", "splitroot", "normpath", "normcase", "isabs",
                  "commonpath"},
    "genericpath": {"commonprefix"},
}
_PURE_FUNCTIONS["nt"], _PURE_FUNCTIONS["ntpath"] = _PURE_FUNCTIONS["posix"], _PURE_FUNCTIONS["posixpath"]
# Single functions: what they read is no object that a walk comes by.
_CHANGING_FUNCTIONS = {
    "builtins": {"open", "input", "eval", "exec", "__import__", "locals", "breakpoint"},
    "sys": {"_getframe", "_current_frames", "getrefcount", "exc_info", "exception", "gettrace", "getprofile", "getswitchinterval",
            "getrecursionlimit"},
    "threading": {"current_thread", "currentThread", "get_ident", "get_native_id", "active_count", "enumerate"},
    "_thread": {"get_ident", "get_native_id", "_count"},
    "inspect": {"currentframe", "stack", "trace", "getsource", "getsourcelines", "getsourcefile", "getfile"},
    "importlib": {"import_module", "reload"},
    "uuid": {"uuid1", "uuid4", "getnode"},
    "contextvars": {"copy_context"}, "_contextvars": {"copy_context"},
    "numpy": {"load", "loadtxt", "genfromtxt", "fromfile", "memmap", "open_memmap", "geterr", "get_printoptions"},
    "torch": {"load", "from_file", "rand", "randn", "randint", "randperm", "rand_like", "randn_like", "randint_like", "normal",
              "bernoulli", "multinomial", "initial_seed", "seed", "get_rng_state", "get_default_dtype"},
}
BUILTINS_THAT_CHANGE = frozenset(_CHANGING_FUNCTIONS["builtins"])
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.MethodWrapperType)

# Methods that ask the system, by the module of the class that has them.
METHODS_THAT_CHANGE = {
    "pathlib": frozenset(("read_text", "read_bytes", "open", "exists", "is_file", "is_dir", "is_symlink", "is_mount", "stat", "lstat",
                          "iterdir", "glob", "rglob", "walk", "cwd", "home", "resolve", "absolute", "expanduser", "samefile", "owner",
                          "group", "readlink")),
    "datetime": frozenset(("now", "today", "utcnow", "fromtimestamp", "astimezone", "timestamp")),
}
# Names by which code reads attributes whose names the walk does not see.
BY_NAME = frozenset(("getattr", "hasattr", "vars", "dir", "__dict__", "attrgetter", "methodcaller"))


def is_changing(value: Any) -> bool:
    """True for a function or class such as `time.time`, `random.random`, `os.getcwd` and `open`."""
    if issubclass(type(value), type):
        module = value.__module__
        return isinstance(module, str) and module in _CHANGING_MODULES and value.__name__ not in _PURE_CLASSES and \
            not issubclass(value, BaseException)
    if not issubclass(type(value), _FUNCTIONS) and type(value).__name__ != "_ArrayFunctionDispatcher":
        return False
    owner = getattr(value, "__self__", None)
    name = getattr(value, "__name__", "")
    modules = {getattr(value, "__module__", None), type(owner).__module__ if owner is not None else None}
    for module in modules:
        if not isinstance(module, str):
            continue
        if module in _CHANGING_MODULES:
            return not (owner is not None and type(owner).__name__ in _PURE_CLASSES)
        pure = _PURE_FUNCTIONS.get(module)
        if pure is not None and owner is None or isinstance(owner, types.ModuleType) and pure is not None:
            return name not in pure
        root = module.partition(".")[0]
        if name in _CHANGING_FUNCTIONS.get(module, ()) or root in ("numpy", "torch") and name in _CHANGING_FUNCTIONS[root]:
            return True
    return False


def is_environment_reader(value: Any) -> bool:
    """True for `os.getenv` and `os.getenvb` under any name."""
    return getattr(value, "__module__", None) == "os" and getattr(value, "__name__", None) in ("getenv", "getenvb")


#===----------------------------------------------------------------------===#
# Objects
#===----------------------------------------------------------------------===#

# Classes in C or of the standard library whose objects never change, or whose state no kernel is made of (loggers, locks).
_INERT_MODULES = {
    "re", "datetime", "zoneinfo", "decimal", "fractions", "uuid", "typing", "types", "enum", "inspect", "abc", "_abc", "struct", "_struct",
    "warnings", "dataclasses", "pathlib", "logging", "threading", "_thread", "ml_dtypes", "numbers", "ast", "string", "_operator",
    "ipaddress", "annotationlib", "_typing", "_sre", "_datetime", "_decimal", "__future__"
}
_INERT_BUILTINS = {
    "range", "slice", "code", "builtin_function_or_method", "method_descriptor", "wrapper_descriptor", "method-wrapper",
    "getset_descriptor", "member_descriptor", "classmethod_descriptor", "object", "ellipsis", "NotImplementedType"
}
_INERT_TORCH = {"dtype", "device", "Size", "layout", "memory_format"}
_NOT_INERT = {("types", "SimpleNamespace"), ("_thread", "_local"), ("_operator", "attrgetter"), ("_operator", "methodcaller"),
              ("threading", "local")}


def is_inert(kind: type) -> bool:
    """True for classes whose objects need no look at what is inside."""
    module, name = kind.__module__, kind.__name__
    if not isinstance(module, str) or (module, name) in _NOT_INERT:
        return False
    root = module.partition(".")[0]
    if module == "builtins":
        return name in _INERT_BUILTINS
    if (module, name) == ("_collections", "_tuplegetter"):
        return True  # a field of a named tuple
    if root == "torch":
        return name in _INERT_TORCH
    if root == "numpy":
        numpy = sys.modules.get("numpy")
        return name == "_ArrayFunctionDispatcher" or numpy is not None and issubclass(kind, (numpy.generic, numpy.dtype, numpy.ufunc))
    return root in _INERT_MODULES or root == "flydsl"


@functools.lru_cache(maxsize=4096)
def hides_state(kind: type) -> bool:
    """True if objects of `kind` hold more than attributes: the class, or a base of it, is written in C."""
    slots = sum(isinstance(entry, types.MemberDescriptorType) for base in kind.__mro__ for entry in vars(base).values())
    fields = slots + (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0)
    return kind.__itemsize__ != 0 or kind.__basicsize__ > object.__basicsize__ + 8 * fields


def is_numpy_array(value: Any) -> bool:
    """True for a numpy.ndarray and its subclasses."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and issubclass(type(value), getattr(numpy, "ndarray", ()))


#===----------------------------------------------------------------------===#
# Comparisons
#===----------------------------------------------------------------------===#


def same(now: Any, then: Any) -> bool:
    """True if two numbers or texts are the same in type and value."""
    if now is then:
        return True
    if type(now) is not type(then) or type(then) not in LEAVES:
        return False
    if isinstance(then, (float, complex)):
        return repr(now) == repr(then)
    return now == then


def same_array(now: Any, then: Any, strides: tuple) -> bool:
    """True if a NumPy array still has type, shape and contents of the copy `then`, and its own strides of then."""
    return now.dtype == then.dtype and now.shape == then.shape and now.strides == strides and now.tobytes() == then.tobytes()


def same_bytes(now: Any, then: tuple) -> bool:
    """True if an array.array or a memoryview still holds `then`, its type code and bytes."""
    return bytes_of(now) == then


def bytes_of(value: Any) -> tuple:
    """What `same_bytes` compares."""
    return getattr(value, "typecode", None) or value.format, value.tobytes()


def slot(descriptor: Any, value: Any) -> Any:
    """What an object holds in one of its slots; MISSING if that is empty."""
    try:
        return descriptor.__get__(value)
    except AttributeError:
        return MISSING
