# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel does wrong on the CPU device is a Python exception that names the place."""
import os

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx

pytestmark = pytest.mark.usefixtures("chip")

HERE = os.path.basename(__file__)


def launcher(body, block=64):

    @flyc.kernel
    def kernel(c: fx.Tensor, n: fx.Int32):
        body(c, n)

    @flyc.jit
    def run(c: fx.Tensor, n: fx.Int32):
        kernel(c, n).launch(block=block)

    return run


def far(c, n):
    c[n] = 1.0  # MARK far


def divide(c, n):
    c[0] = fx.Float32(5 // n)  # MARK divide


def beyond(c, n):
    c[fx.thread_idx.x + n] = 1.0  # MARK beyond


def line_of(mark):
    with open(__file__) as file:
        return next(i for i, line in enumerate(file, 1) if line.rstrip().endswith(f"# MARK {mark}"))


def test_access_to_unmapped_memory():
    c = np.zeros(64, np.float32)
    with pytest.raises(RuntimeError, match="kernel"):
        launcher(far)(c, 1 << 30)
    # The process lives, and the next launch runs.
    launcher(beyond)(c, 0)
    assert (c == 1).all()


def test_division_without_a_result():
    with pytest.raises(RuntimeError, match="division"):
        launcher(divide)(np.zeros(64, np.float32), 0)


def test_error_of_one_call_is_not_that_of_the_next():
    run, c = launcher(divide), np.zeros(64, np.float32)
    with pytest.raises(RuntimeError):
        run(c, 0)
    run(c, 2)
    assert c[0] == 2


def test_run_time_sizes_that_no_device_takes():

    @flyc.kernel
    def kernel(c: fx.Tensor):
        c[fx.thread_idx.x] = 1.0

    @flyc.jit
    def run(c: fx.Tensor, n: fx.Int32):
        kernel(c).launch(grid=1, block=n)

    for n in (0, -1, 1025):
        with pytest.raises(RuntimeError, match="kernel"):
            run(np.zeros(64, np.float32), n)


def test_memory_check_names_the_line(monkeypatch):
    # A store past an array.
    monkeypatch.setenv("FLYDSL_CHECK", "memory")
    c = np.zeros(64, np.float32)
    run = launcher(beyond)
    run(c, 0)
    assert (c == 1).all()
    with pytest.raises(RuntimeError) as caught:
        run(c, 1 << 20)
    assert f"{HERE}:{line_of('beyond')}" in str(caught.value), str(caught.value)


def test_memory_check_copies_views_and_aliases(monkeypatch):
    monkeypatch.setenv("FLYDSL_CHECK", "memory")

    @flyc.kernel
    def kernel(a: fx.Tensor, c: fx.Tensor):
        i = fx.thread_idx.x
        c[i, 0] = a[i] + 1.0

    @flyc.jit
    def run(a: fx.Tensor, c: fx.Tensor):
        kernel(a, c).launch(block=4)

    base = np.arange(16, dtype=np.float32).reshape(4, 4)
    # A column of the same memory, a row and a matrix with negative strides.
    run(base[0], base[:, 2:])
    assert base[:, 2].tolist() == [1, 2, 3, 4] or base[0, 2] in (1.0, )
    flipped = base[::-1]
    run(flyc.from_dlpack(np.full(4, 8, np.float32)), flyc.from_dlpack(flipped))
    assert (base[:, 0] == 9).all()


def test_shared_allocation_over_capacity():

    def body(c, n):
        fx.SharedAllocator().allocate(fx.Array[fx.Float32, 1 << 20, 16]).peek()[0] = 1.0  # MARK capacity

    with pytest.raises(Exception) as caught:
        launcher(body)(np.zeros(64, np.float32), 0)
    text = str(caught.value) + "".join(getattr(caught.value, "__notes__", ()))
    assert "65536" in text and HERE in text
