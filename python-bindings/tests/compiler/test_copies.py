# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies and pickles of launchers, kernels and handles; what a handle says of the number of its arguments; sizes that are none."""
import copy
import pickle
import re

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx


pytestmark = pytest.mark.usefixtures("chip")


@flyc.kernel
def fill_kernel(x: fx.Tensor, value: fx.Float32):
    x[fx.thread_idx.x] = value


@flyc.jit
def fill(x: fx.Tensor, value: fx.Float32):
    fill_kernel(x, value).launch(grid=1, block=4)


class Filler:

    def __init__(self, value):
        self.value = value

    @flyc.kernel
    def body(self, x: fx.Tensor):
        x[fx.thread_idx.x] = fx.Float32(self.value)

    @flyc.jit
    def run(self, x: fx.Tensor):
        self.body(x).launch(grid=1, block=4)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))],
                         ids=["copy", "deepcopy", "pickle"])
def test_launchers_and_kernels(again):
    assert again(fill) is fill and again(fill_kernel) is fill_kernel and again([fill])[0] is fill
    x = np.zeros(4, np.float32)
    again(Filler(3.0).run)(x)
    assert x.tolist() == [3] * 4
    assert again(Filler(3.0).body).instance.value == 3.0


def test_handles():
    x = np.zeros(4, np.float32)
    handle = flyc.compile(fill, x, 1.0)
    assert copy.copy(handle) is handle and copy.deepcopy([handle])[0] is handle
    with pytest.raises(TypeError, match="<compiled function fill> cannot be pickled: its code is loaded in this process"):
        pickle.dumps(handle)


@pytest.mark.parametrize("given,missing", [(1, "; missing: 'value'"), (3, ""), (0, "; missing: 'x', 'value'")])
def test_handles_count_what_the_user_passes(given, missing):
    x = np.zeros(4, np.float32)
    handle = flyc.compile(fill, x, 1.0)
    with pytest.raises(TypeError, match=re.escape(f"fill: expected 2 arguments, got {given}{missing} (a handle")):
        handle(*(x, 1.0, None)[:given])


@pytest.mark.parametrize("sizes,found", [
    ({"grid": None}, "launch grid axis x must be an integer, got None"), ({"block": None}, "launch block axis x must be an integer, got None"),
    ({"grid": (1, None)}, "launch grid axis y must be an integer, got None"), ({"grid": 1.5}, "got float"), ({"grid": True}, "got bool"),
    ({"block": np.float32(4)}, "got float32"), ({"block": "4"}, "got str"), ({"grid": np.bool_(True)}, "got bool")
], ids=str)
def test_sizes_that_are_none(sizes, found):

    @flyc.jit
    def launch(x: fx.Tensor):
        fill_kernel(x, fx.Float32(1)).launch(**{"grid": 1, "block": 4, **sizes})

    with pytest.raises(TypeError, match=found):
        launch(np.zeros(4, np.float32))


def test_sizes_of_numpy():

    @flyc.jit
    def launch(x: fx.Tensor):
        fill_kernel(x, fx.Float32(1)).launch(grid=np.int64(1), block=(np.uint8(4), np.int32(1)))

    x = np.zeros(4, np.float32)
    launch(x)
    assert x.tolist() == [1] * 4
