# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Snapshots: everything that a trace can read is watched, by identity and by value."""
import argparse
import array
import collections
import collections.abc
import configparser
import contextlib
import contextvars
import dataclasses
import datetime
import functools
import glob
import importlib
import itertools
import logging
import math
import operator
import os
import pathlib
import random
import re
import subprocess
import sys
import threading
import time
import types
import typing
import uuid
import weakref
from os import getcwd, getenv
from random import randint

import numpy as np
import pytest

from flydsl.compiler.snapshot import Snapshot

TILE = 32000
CONFIG = {"a": [1, 2, {"b": 3}]}


class Options:
    factor = 4

    def __init__(self):
        self.size = 3

    def area(self):
        return TILE + self.size


OPTIONS = Options()
TABLE = np.arange(6)


def helper(extra=[1], *, more={"k": 1}):
    return CONFIG["a"], OPTIONS.factor, math.pi, OPTIONS.area(), TABLE[0], extra, more


def make(step):

    def inner():
        return helper() + (step, TILE)

    return inner


@pytest.fixture
def changed(monkeypatch):
    """Takes a snapshot, runs a change, says whether the snapshot noticed."""

    def run(change, root=None):
        snapshot = Snapshot(root or make(2))
        assert snapshot.trackable and snapshot.valid()
        change()
        return not snapshot.valid()

    return run


def test_nothing_changed(changed):
    assert not changed(lambda: None)


def test_global_is_compared_by_value(changed, monkeypatch):
    assert not changed(lambda: monkeypatch.setitem(globals(), "TILE", int("32000")))
    assert changed(lambda: monkeypatch.setitem(globals(), "TILE", 64))


def test_equal_numbers_of_another_type_count(changed, monkeypatch):
    assert changed(lambda: monkeypatch.setitem(globals(), "TILE", 32000.0))


def test_nested_containers(changed, monkeypatch):
    assert changed(lambda: monkeypatch.setitem(CONFIG["a"][2], "b", 4))
    assert changed(lambda: monkeypatch.setitem(CONFIG, "new", 4))


def test_list_growth(changed):
    assert changed(lambda: helper.__defaults__[0].append(1))
    helper.__defaults__[0].pop()


def test_attributes_of_objects_and_classes(changed, monkeypatch):
    assert changed(lambda: monkeypatch.setattr(OPTIONS, "size", 5))
    assert changed(lambda: monkeypatch.setattr(Options, "factor", 5))
    assert changed(lambda: monkeypatch.setattr(OPTIONS, "factor", 9))
    assert changed(lambda: monkeypatch.setattr(Options, "area", lambda self: 1))


def test_keyword_defaults(changed, monkeypatch):
    assert changed(lambda: monkeypatch.setitem(helper.__kwdefaults__["more"], "k", 2))


def test_helper_is_replaced(changed, monkeypatch):
    assert changed(lambda: monkeypatch.setitem(globals(), "helper", lambda: ()))


def test_arrays_are_compared_by_contents(changed):
    assert changed(lambda: TABLE.__setitem__(0, 7))
    TABLE[0] = 0


def test_closure_cells(changed):
    step = 1

    def root():
        return step

    def change():
        nonlocal step
        step = 2

    assert changed(change, root)


def test_user_modules(changed):
    module = types.ModuleType("user_settings")
    module.WIDTH = 8
    root = types.FunctionType(compile("user_settings.WIDTH", "user.py", "eval"), {"user_settings": module})
    assert changed(lambda: setattr(module, "WIDTH", 16), root)


def test_environment(changed, monkeypatch):

    def root():
        return os.environ.get("MY_TILE")

    assert changed(lambda: monkeypatch.setenv("MY_TILE", "3"), root)


def test_partial_and_method(changed, monkeypatch):
    assert changed(lambda: monkeypatch.setitem(CONFIG, "x", 1), functools.partial(helper, [1]))
    assert changed(lambda: monkeypatch.setattr(OPTIONS, "size", 77), OPTIONS.area)


def test_builtin_that_gets_shadowed(changed, monkeypatch):

    def root():
        return abs(-1)

    assert changed(lambda: monkeypatch.setitem(globals(), "abs", lambda x: 5), root)


def test_getattr_with_a_literal(changed, monkeypatch):
    module = types.ModuleType("user_settings")
    module.DEPTH = 2
    root = types.FunctionType(compile("getattr(user_settings, 'DEPTH')", "user.py", "eval"), {"user_settings": module})
    assert changed(lambda: setattr(module, "DEPTH", 3), root)


def test_self_reference_is_finite():
    # User report 72: a key of a self-referencing closure.
    def loop():
        return loop

    box = []
    box.append(box)

    def root():
        return loop(), box

    assert Snapshot(root).valid()


def test_too_much_is_not_tracked():
    huge = [[i] for i in range(30000)]

    def root():
        return huge

    assert not Snapshot(root).trackable


NESTED = types.SimpleNamespace(a=types.SimpleNamespace(b=1))
CODES = array.array("i", [1, 2, 3])
VIEWED = bytearray(b"abc")
VIEW = memoryview(VIEWED)
SEEN = 1


class Meta(type):

    @property
    def seen(cls):
        return SEEN


class WithMeta(metaclass=Meta):
    pass


def test_namespaces_and_buffers(changed, monkeypatch):
    assert changed(lambda: monkeypatch.setattr(NESTED.a, "b", 2), lambda: NESTED.a.b)
    assert changed(lambda: CODES.__setitem__(0, 7), lambda: CODES[0])
    assert changed(lambda: VIEWED.__setitem__(0, 7), lambda: VIEW[0])
    assert not changed(lambda: None, lambda: (NESTED, CODES, VIEW))


def test_properties_of_metaclasses(changed, monkeypatch):
    assert changed(lambda: monkeypatch.setitem(globals(), "SEEN", 2), lambda: WithMeta.seen)


@pytest.mark.parametrize("root", [
    lambda: time.time(), lambda: random.random(), lambda: randint(1, 6), lambda: open("x").read(), lambda: np.random.rand()
])
def test_clocks_random_numbers_and_files_are_read_again(root):
    snapshot = Snapshot(root)
    assert not snapshot.trackable and not snapshot.valid()


def _helper_with_state():
    return _helper_with_state.count


_helper_with_state.count = 1
ARGUMENTS = argparse.Namespace(tile=1)
SETTINGS = collections.UserDict(tile=1)
LAYERS = collections.ChainMap({"tile": 1}, {})
CONFIGURATION = configparser.ConfigParser()
CONFIGURATION.read_dict({"kernel": {"tile": "1"}})


@pytest.mark.parametrize("root,change", [
    (lambda: _helper_with_state(), lambda value: setattr(_helper_with_state, "count", value)),
    (lambda: ARGUMENTS.tile, lambda value: setattr(ARGUMENTS, "tile", value)),
    (lambda: SETTINGS["tile"], lambda value: SETTINGS.__setitem__("tile", value)),
    (lambda: LAYERS["tile"], lambda value: LAYERS.maps[0].__setitem__("tile", value)),
    (lambda: CONFIGURATION["kernel"]["tile"], lambda value: CONFIGURATION["kernel"].__setitem__("tile", str(value))),
], ids=["function attribute", "Namespace", "UserDict", "ChainMap", "ConfigParser"])
def test_what_holders_hold_is_seen(root, change):
    change(1)
    found = Snapshot(root)
    assert found.valid()
    change(2)
    assert not found.valid()
    change(1)


def test_objects_that_answer_anything_are_not_asked():

    class Odd:
        tile = 1

        def __getattr__(self, name):
            raise KeyError(name)

    odd = Odd()

    def root():
        return odd.tile

    assert Snapshot(root).valid()


# --- what one object holds in an unusual place ------------------------------------------------------------------------


class _ListWithState(list):
    pass


class _DictWithState(dict):
    pass


class _ArrayWithState(np.ndarray):
    pass


class _IntWithState(int):
    pass


class _Pair(collections.namedtuple("_Pair", "a b")):
    scale = 1


class _Slots:
    __slots__ = ("__hidden", "plain")

    def __init__(self):
        self.__hidden = 1

    def get(self):
        return self.__hidden

    def put(self, value):
        self.__hidden = value


class _Descriptor:

    def __init__(self):
        self.value = 1

    def __get__(self, instance, owner=None):
        return self.value


class _Described:
    entry = _Descriptor()

    @property
    def tile(self):
        return _VARIABLE.get()


class _Other:
    factor = 5


class _CanChange:
    factor = 4


_UNDER = {"k": 1}
_PROXY = types.MappingProxyType(_UNDER)
_VARIABLE = contextvars.ContextVar("tile", default=1)
_LOCAL = threading.local()
_LOCAL.tile = 1
_LIST, _DICT, _INT = _ListWithState([1]), _DictWithState(a=1), _IntWithState(3)
_LIST.tile = _DICT.tile = _INT.tile = 1
_ARRAY = np.zeros(2).view(_ArrayWithState)
_ARRAY.tile = 1
_PAIR, _SLOTS, _DESCRIBED, _CHANGES = _Pair(1, 2), _Slots(), _Described(), _CanChange()
_DEFAULTS = collections.defaultdict(int, a=1)
_BOUND_APPEND, _FAILURE = [1], ValueError(1)
_append = _BOUND_APPEND.append
_CELL = types.CellType(1)
get_environment = os.environ.get


@pytest.mark.parametrize("root,change", [
    (lambda: _PROXY["k"], lambda value: _UNDER.__setitem__("k", value)),
    (lambda: _VARIABLE.get(), lambda value: _VARIABLE.set(value)),
    (lambda: _LOCAL.tile, lambda value: setattr(_LOCAL, "tile", value)),
    (lambda: _LIST.tile, lambda value: setattr(_LIST, "tile", value)),
    (lambda: _LIST[0], lambda value: _LIST.__setitem__(0, value)),
    (lambda: _DICT.tile, lambda value: setattr(_DICT, "tile", value)),
    (lambda: _ARRAY.tile, lambda value: setattr(_ARRAY, "tile", value)),
    (lambda: _INT.tile, lambda value: setattr(_INT, "tile", value)),
    (lambda: _PAIR.scale, lambda value: setattr(_Pair, "scale", value)),
    (lambda: _SLOTS.get(), lambda value: _SLOTS.put(value)),
    (lambda: _DESCRIBED.entry, lambda value: setattr(vars(_Described)["entry"], "value", value)),
    (lambda: _DESCRIBED.tile, lambda value: _VARIABLE.set(value)),
    (lambda: _CHANGES.factor, lambda value: setattr(_CHANGES, "__class__", _CanChange if value == 1 else _Other)),
    (lambda: _DEFAULTS["a"], lambda value: _DEFAULTS.__setitem__("a", value)),
    (lambda: _append, lambda value: _BOUND_APPEND.__setitem__(0, value)),
    (lambda: _FAILURE.args, lambda value: setattr(_FAILURE, "args", (value, ))),
    (lambda: _CELL.cell_contents, lambda value: setattr(_CELL, "cell_contents", value)),
    (lambda: os.getenv("MY_TILE"), lambda value: os.environ.__setitem__("MY_TILE", str(value))),
    (lambda: getenv("MY_TILE"), lambda value: os.environ.__setitem__("MY_TILE", str(value))),
    (lambda: get_environment("MY_TILE"), lambda value: os.environ.__setitem__("MY_TILE", str(value))),
    (lambda: os.environb[b"MY_TILE"], lambda value: os.environ.__setitem__("MY_TILE", str(value))),
    (lambda: sys.argv, lambda value: sys.argv.__setitem__(slice(None), [str(value)])),
    (lambda: math.tau, lambda value: setattr(math, "tau", value)),
], ids=[
    "mapping proxy", "context variable", "thread local", "list subclass", "its item", "dict subclass", "array subclass", "int subclass",
    "named tuple's class", "private slot", "descriptor", "property", "__class__", "defaultdict", "bound method", "exception", "cell",
    "os.getenv", "getenv", "environ.get", "environb", "sys.argv", "module attribute"
])
def test_unusual_places_are_seen(root, change, monkeypatch):
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr(math, "tau", math.tau)
    monkeypatch.setenv("MY_TILE", "1")
    change(1)
    found = Snapshot(root)
    assert found.trackable, found.reason
    assert found.valid()
    change(2)
    assert not found.valid()
    change(1)


@dataclasses.dataclass
class _Record:
    tile: int = 1
    options: dict = dataclasses.field(default_factory=lambda: {"k": 1})

    def __post_init__(self):
        self.made = self.tile * 2


@dataclasses.dataclass(frozen=True, order=True, slots=True)
class _Frozen:
    record: _Record


@functools.total_ordering
class _Ordered:

    def __init__(self, tile):
        self.tile = tile

    def __eq__(self, other):
        return self.tile == other.tile

    def __lt__(self, other):
        return self.tile < other.tile


@contextlib.contextmanager
def _opened():
    yield LAYERS["tile"]


def _enter():
    with _opened() as tile:
        return tile


_RECORD, _ORDERED, _PICK = _Record(), _Ordered(1), operator.itemgetter("tile")
_FROZEN = _Frozen(_RECORD)


@pytest.mark.parametrize("root,change", [
    (lambda: _RECORD.tile, lambda value: setattr(_RECORD, "tile", value)),
    (lambda: _RECORD.options["k"], lambda value: _RECORD.options.__setitem__("k", value)),
    (lambda: dataclasses.replace(_RECORD, tile=2).made, lambda value: _RECORD.options.__setitem__("k", value)),
    (lambda: _FROZEN.record.made, lambda value: setattr(_RECORD, "made", value)),
    (lambda: _ORDERED >= _Ordered(1), lambda value: setattr(_ORDERED, "tile", value)),
    (_enter, lambda value: LAYERS.maps[0].__setitem__("tile", value)),
    (_enter, lambda value: setattr(_opened, "tile", value)),
    (lambda: _PICK(SETTINGS), lambda value: SETTINGS.__setitem__("tile", value)),
], ids=["dataclass", "its dict", "replace", "frozen, with slots", "total_ordering", "contextmanager", "its attribute", "itemgetter"])
def test_what_the_standard_library_makes_of_classes_and_functions_is_compared(root, change):
    change(1)
    found = Snapshot(root)
    assert found.trackable, found.reason
    assert found.valid()
    change(2)
    assert not found.valid()
    change(1)


_TARGET = _CanChange()
_WEAK, _PROXY_OBJECT = weakref.ref(_TARGET), weakref.proxy(_TARGET)
_WEAK_MAP = weakref.WeakValueDictionary(k=_TARGET)
_COUNTER, _FOLDER = itertools.count(), pathlib.Path(".")
_LARGE = np.zeros((1 << 20) + 1, np.uint8)
_VIEW_OF_KEYS = CONFIG.keys()


def _read(folder):
    return (folder / "tile.txt").read_text()


@functools.lru_cache(maxsize=None)
def _cached_state():
    return TILE


@pytest.mark.parametrize("root", [
    lambda: _WEAK(), lambda: _PROXY_OBJECT.factor, lambda: _WEAK_MAP["k"], lambda: next(_COUNTER), lambda: os.getcwd(), lambda: getcwd(),
    lambda: os.path.exists("x"), lambda: pathlib.Path("x").read_text(), lambda: _read(_FOLDER), lambda: np.load("x"),
    lambda: np.fromfile("x"), lambda: datetime.datetime.now(), lambda: threading.get_ident(), lambda: sys._getframe(),
    lambda: eval("TILE + 1"), lambda: importlib.import_module("x"), lambda: _LARGE.sum(), lambda: list(_VIEW_OF_KEYS),
    lambda: _cached_state(), lambda: subprocess.run("x"), lambda: glob.glob("*"), lambda: uuid.uuid4(), lambda: np.random.default_rng()
])
def test_what_cannot_be_compared_is_traced_again(root):
    found = Snapshot(root)
    assert not found.trackable and not found.valid() and found.reason


@functools.lru_cache(maxsize=None)
def _cached_pure(n):
    return math.sqrt(n) * abs(n)


_LOGGER, _PATTERN, _LOCK = logging.getLogger("tests"), re.compile("a"), threading.Lock()
_SCALAR, _WHEN = np.float32(1), datetime.date(2020, 1, 1)


@pytest.mark.parametrize("root", [
    lambda: _cached_pure(4), lambda: _LOGGER.info("x"), lambda: _PATTERN.match("a"), lambda: _LOCK.acquire(), lambda: _SCALAR + 1,
    lambda: _WHEN.year, lambda: os.path.join("a", "b"), lambda: _FOLDER / "x", lambda: np.dtype("int8"), lambda: range(3),
    lambda: typing.Optional[int], lambda: isinstance(1, collections.abc.Sized)
])
def test_what_does_not_change_is_known(root):
    found = Snapshot(root)
    assert found.trackable, found.reason
    assert found.valid()


def test_class_whose_module_is_a_descriptor():
    """As the classes of Cython are: `__module__` of the class is no text."""

    class Meta(type):
        __module__ = property(lambda cls: property())

    class Odd(metaclass=Meta):
        __slots__ = ("n",)

        def __init__(self, n):
            self.n = n

    odd = Odd(3)

    def reads():
        return odd.n

    snapshot = Snapshot(reads)
    assert snapshot.trackable and snapshot.valid()
    odd.n = 4
    assert not snapshot.valid()
