# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers that are called in other ways than by name: partials, dispatch, caches, objects, properties, managers."""
import contextlib
import functools

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx


@flyc.jit
def scaled(v, factor, more):
    if v > 2.0:
        return v * factor + more
    return v


@functools.singledispatch
@flyc.jit
def by_class(v):
    return v * 0


@by_class.register(fx.Float32)
@flyc.jit
def _(v):
    if v > 2.0:
        return v * 2
    return v * 3


@functools.cache
@flyc.jit
def cached(v):
    if v > 2:
        return v * 2
    return v


class Box:
    limit = 2.0

    def __init__(self, value, out=None):
        self.value, self.out = value, out

    @flyc.jit
    def __call__(self, v):
        if v > self.limit:
            return v * self.value
        return v

    @property
    @flyc.jit
    def big(self):
        if self.value > 2.0:
            return fx.Float32(1)
        return fx.Float32(0)

    @classmethod
    @flyc.jit
    def above(cls, v):
        if v > cls.limit:
            return v + 100.0
        return v

    @staticmethod
    @flyc.jit
    def fixed(v):
        if v > 2.0:
            return v + 200.0
        return v

    def __enter__(self):
        return self

    @flyc.jit
    def __exit__(self, *error):
        if self.value > 2.0:
            self.out[4] = 5.0
        else:
            self.out[4] = 6.0

    @classmethod
    @flyc.jit
    def launch(cls, out: fx.Tensor):
        fill_kernel(out, cls.limit).launch(block=8)


@flyc.kernel
def fill_kernel(out: fx.Tensor, value: fx.Constexpr):
    out[fx.thread_idx.x] = value


def in_partial(x, out):
    call = functools.partial(scaled, factor=2, more=1.0)
    return call(x[1]), call(x[3]), functools.partial(call, factor=3)(x[3])


def in_dispatch(x, out):
    return by_class(x[1]), by_class(x[3]), by_class(7)


def in_cache(x, out):
    return cached(x[3]), cached(2), cached(x[1])


def in_objects(x, out):
    box = Box(x[4])
    return box(x[1]), box(x[3]), box.big, Box(x[2]).big


def in_class_methods(x, out):
    return Box.above(x[1]), Box.above(x[3]), Box(1).above(x[3]), Box.fixed(x[3])


def in_managers(x, out):
    with Box(x[3], out) as box, contextlib.nullcontext(3.0) as three:
        first = box(x[3])
    with contextlib.suppress(ZeroDivisionError):
        out[5] = 1 // 0
        out[6] = 1.0
    return first, three


def in_finally(x, out):
    def choose(v):
        try:
            if v > 2.0:
                return v
            return v * 10
        finally:
            out[7] = v

    return choose(x[1]), choose(x[3])


def in_match(x, out):
    match ("scale", 3):
        case ("scale", n) if n > 2:
            first = x[3] * n
        case _:
            first = x[0]
    match fx.Int32(x[4]):
        case 3 | 4:
            second = x[1]
        case _:
            second = x[2]
    return first, second


def in_walrus(x, out):
    i = fx.Int32(0)
    while (i := i + 1) < fx.Int32(x[4]):
        out[4] = fx.Float32(i)
    last, *rest = [x[1], *[x[2], x[3]]]
    return fx.Float32(i), last, rest[-1], {f"{k}": k for k in range(3)}["2"]


CASES = [(in_partial, [1, 7, 10, 0, 0, 0, 0, 0]), (in_dispatch, [3, 6, 0, 0, 0, 0, 0, 0]), (in_cache, [6, 2, 1, 0, 0, 0, 0, 0]),
         (in_objects, [1, 12, 1, 0, 0, 0, 0, 0]), (in_class_methods, [1, 103, 103, 203, 0, 0, 0, 0]),
         (in_managers, [9, 3, 0, 0, 5, 0, 0, 0]), (in_finally, [10, 3, 0, 0, 0, 0, 0, 3]), (in_match, [9, 1, 0, 0, 0, 0, 0, 0]),
         (in_walrus, [4, 1, 3, 2, 3, 0, 0, 0])]


@flyc.kernel
def run_kernel(x: fx.Tensor, out: fx.Tensor, body: fx.Constexpr):
    for i, value in enumerate(body(x, out)):
        out[i] = value


@flyc.jit
def run(x: fx.Tensor, out: fx.Tensor, body: fx.Constexpr):
    run_kernel(x, out, body).launch()


@pytest.mark.parametrize("body, want", CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_calls(chip, body, want):
    out = np.zeros(8, np.float32)
    run(np.arange(8, dtype=np.float32), out, flyc.jit(body))
    assert out.tolist() == want


def test_launcher_of_a_class(chip):
    out = np.zeros(8, np.float32)
    Box.launch(out)
    assert out.tolist() == [2] * 8

    class Other(Box):
        limit = 4.0

    Other.launch(out)
    assert out.tolist() == [4] * 8
    Box(0).launch(out)
    assert out.tolist() == [2] * 8


def plain(v):
    if v > 2.0:
        return v
    return v * 2


class Plain:

    def __call__(self, v):
        return plain(v)


@pytest.mark.parametrize("call", [functools.partial(plain), functools.cache(plain), Plain(), functools.singledispatch(plain)],
                         ids=["partial", "cache", "object", "dispatch"])
def test_plain_helpers_behind_them_are_named(chip, call):
    @flyc.jit
    def body(x, out):
        return [call(x[3])]

    with pytest.raises(RuntimeError, match="as Python bool during tracing") as info:
        run(np.arange(8, dtype=np.float32), np.zeros(8, np.float32), body)
    notes = "\n".join(info.value.__notes__)
    assert "function 'plain'" in notes and "runs as plain Python" in notes and "if v > 2.0:" in notes
