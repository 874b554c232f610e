# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Snapshots: everything that a trace can read is watched, by identity and by value."""
import argparse
import array
import collections
import configparser
import functools
import math
import os
import random
import time
import types
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
