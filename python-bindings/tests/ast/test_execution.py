# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow in kernels, compiled and run on the CPU device."""
import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx

LANES = 8


def run(kernel, *arguments):
    """Runs a kernel for 8 lanes; its first argument is an array of 8 ints that is returned."""
    out = np.full(LANES, -1, np.int32)

    @flyc.jit
    def launch(out: fx.Tensor, data: fx.Tensor, n: fx.Int32):
        kernel(out, data, n).launch(grid=(1,), block=(LANES,))

    launch(out, *arguments)
    return out.tolist()


def test_statements_after_an_early_return_do_not_run(chip):
    @flyc.kernel
    def kernel(out: fx.Tensor, data: fx.Tensor, n: fx.Int32):
        tid = fx.thread_idx.x
        if tid >= n:
            return
        out[tid] = data[tid]
        if data[tid] > 2:
            return
        out[tid] = out[tid] + 100

    data = np.array([5, 1, 7, 3, 2, 2], np.int32)
    for n in (0, 3, 6):
        want = [(d if d > 2 else d + 100) if i < n else -1 for i, d in enumerate(list(data) + [0, 0])]
        assert run(kernel, data, n) == want


def test_divergent_loops(chip):
    @flyc.kernel
    def kernel(out: fx.Tensor, data: fx.Tensor, n: fx.Int32):
        tid = fx.thread_idx.x
        found = fx.Int32(-1)
        seen = [fx.Int32(0) for _ in range(3)]
        for i in range(n - 1, -1, -1):
            if i < n and data[i] == tid:
                found = i
                break
            seen[0] = seen[0] + 1
            if i % 2 == 0:
                seen[1] += i
                continue
            seen[2] += i
        else:
            found = fx.Int32(-2)
        out[tid] = found * 1000 + seen[0] * 100 + seen[1] * 10 + seen[2]
        for k in fx.range_constexpr(4):
            if data[k] == 3:
                return
            out[tid] = out[tid] + 1

    data = [5, 1, 7, 3, 2, 2]

    def expected(tid, n):
        found, seen = -1, [0, 0, 0]
        for i in range(n - 1, -1, -1):
            if data[i] == tid:
                found = i
                break
            seen[0] += 1
            if i % 2 == 0:
                seen[1] += i
                continue
            seen[2] += i
        else:
            found = -2
        return found * 1000 + seen[0] * 100 + seen[1] * 10 + seen[2] + 3

    for n in (0, 3, 6):
        assert run(kernel, np.array(data, np.int32), n) == [expected(t, n) for t in range(LANES)]


def test_view_chosen_per_lane(chip):
    @flyc.kernel
    def kernel(out: fx.Tensor, data: fx.Tensor, n: fx.Int32):
        tid = fx.thread_idx.x
        row = fx.slice(data, (0, None))
        for i in range(tid):
            row = fx.slice(data, (i, None))
        if tid > n:
            row = fx.slice(data, (tid, None))
        out[tid] = row[1]

    data = np.arange(LANES * 2, dtype=np.int32).reshape(LANES, 2)
    assert run(kernel, data, 5) == [data[t if t > 5 else max(t - 1, 0), 1] for t in range(LANES)]


def test_assertion_on_the_device(chip):
    @flyc.kernel
    def kernel(out: fx.Tensor, data: fx.Tensor, n: fx.Int32):
        tid = fx.thread_idx.x
        if tid < 4:
            assert data[tid] < n, "value too large"
            out[tid] = data[tid]

    data = np.array([0, 1, 2, 3, 99, 99, 99, 99], np.int32)
    assert run(kernel, data, 4)[:4] == [0, 1, 2, 3]
    with pytest.raises(RuntimeError, match="value too large"):
        run(kernel, data, 3)


def test_error_names_the_users_line(chip):
    @flyc.kernel
    def kernel(out: fx.Tensor, data: fx.Tensor, n: fx.Int32):
        x = None
        if n > 3:
            x = n
        out[0] = x

    with pytest.raises(TypeError, match="'x' is None") as caught:
        run(kernel, np.zeros(LANES, np.int32), 1)
    shown = "\n".join(getattr(caught.value, "__notes__", []))
    assert __file__ in shown and "if n > 3:" in shown and "^" in shown


@pytest.mark.parametrize("name", ["break", "assert", "step"])
def test_compiles_for_every_chip(every_chip, compile_only, name):
    @flyc.kernel
    def kernel(out: fx.Tensor, data: fx.Tensor, n: fx.Int32):
        tid = fx.thread_idx.x
        for i in range(tid, n, LANES):
            if fx.const_expr(name == "assert"):
                assert i < 100
            if fx.const_expr(name == "break"):
                if data[i] == 3:
                    break
            out[i] = data[i]
        if fx.const_expr(name == "step"):
            for i in range(n, tid, data[0]):
                out[i] = i

    run(kernel, np.zeros(LANES, np.int32), 1)


# DIFF: py-sizes-are-numbers
def test_sizes_count_as_numbers(chip):
    # A size of a shape, static or not, is a number in conditions, arithmetic, bounds and conversions.
    @flyc.kernel
    def kernel(o: fx.Tensor):
        h, w = o.shape
        if fx.thread_idx.x < w and w > fx.thread_idx.x:
            o[0, 0] = 1
        o[0, 1] = fx.Int32(w) + 2 * w - w // 2 + (w % 3) + (7 - h)
        if h == 4 and h != 5:
            o[0, 2] = 5
        if w:
            o[0, 3] = 9
        if not h:
            o[0, 3] = 7
        for i in range(h):
            o[1, 0] = o[1, 0] + 1
        for i in range(0, w, 2):
            o[1, 1] = o[1, 1] + w
        o[1, 2] = 3 if w != 5 else 4
        n = h
        while n > 0:
            n = n - 1
            o[1, 3] = o[1, 3] + 1
        if h == w:
            o[2, 1] = 1
        if h >= w and -h < 0:
            o[2, 2] = 1
        assert w <= 4

    @flyc.jit
    def launch(o: fx.Tensor):
        kernel(o).launch(grid=(o.shape[0] + 3) // 4, block=1)

    for wrap in (lambda o: o, flyc.from_dlpack):
        o = np.zeros((4, 4), np.int32)
        launch(wrap(o))
        assert o.tolist() == [[1, 14, 5, 9], [4, 8, 3, 4], [0, 1, 1, 0], [0, 0, 0, 0]]
