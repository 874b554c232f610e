# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes such as `x.shape[0]` count as numbers: in operators and functions, and in what branches and loops carry."""
import warnings

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx

SIZE = 7


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch):
    monkeypatch.setenv("FLYDSL_DEVICE", "cpu")
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx942")


EXPRESSIONS = {
    "~n": (lambda n, out: ~n, ~SIZE),
    "+n": (lambda n, out: +n, SIZE),
    "-n": (lambda n, out: -n, -SIZE),
    "abs": (lambda n, out: abs(-n) + abs(n), 2 * SIZE),
    "round": (lambda n, out: round(n), SIZE),
    "to": (lambda n, out: (n.to(fx.Float32) / 2).to(fx.Int32), 3),
    "select": (lambda n, out: n.select(1, 2), 1),
    "absi": (lambda n, out: fx.math.absi(n), SIZE),
    "full": (lambda n, out: fx.full(2, n)[1] + fx.full(2, n, fx.Int32)[0], 2 * SIZE),
    "shuffle": (lambda n, out: fx.gpu.shuffle_xor(n, 1) + fx.gpu.shuffle_idx(fx.thread_idx.x, n), SIZE + SIZE),
    "atomic": (lambda n, out: fx.atomic_add(out.iter + 6, n) * 0 + 5, 5),
}


@pytest.mark.parametrize("static", [False, True], ids=["run-time", "static"])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_a_size_is_an_operand(name, static):
    compute, expected = EXPRESSIONS[name]

    @flyc.kernel
    def work(out: fx.Tensor):
        value = compute(out.shape[0], out)
        if fx.thread_idx.x == 0:
            out[0] = value

    @flyc.jit
    def run(out: fx.Tensor):
        work(out).launch(block=64)

    out = np.zeros(SIZE, np.int32)
    run(flyc.from_dlpack(out) if static else out)
    assert out[0] == expected
    assert out[6] == (64 * SIZE if name == "atomic" else 0)


@pytest.mark.parametrize("static", [False, True], ids=["run-time", "static"])
def test_sizes_meet_numbers_in_branches_and_loops(static):

    @flyc.kernel
    def work(out: fx.Tensor, k: fx.Int32, m: fx.Int32):
        first = k
        if k > 1:
            first = out.shape[0]
        second = m
        if k > 1:
            second = k
        third = out.shape[0]
        if k > 5:
            third = 1
        pair = [m, k]
        left = out.shape[0]
        for _ in range(k):
            pair[0], pair[1] = pair[1], pair[0]
            left = left - 1
        fourth = 0
        if k > 1:
            fourth = out.shape[0] if m > 100 else m
        out[0], out[1], out[2], out[3], out[4], out[5] = first, second, third, pair[0], left, fourth

    @flyc.jit
    def run(out: fx.Tensor, k: fx.Int32):
        work(out, k, out.shape[0]).launch()

    for k in (0, 1, 3, 6):
        out = np.zeros(SIZE, np.int32)
        run(flyc.from_dlpack(out) if static else out, k)
        expected = [SIZE if k > 1 else k, k if k > 1 else SIZE, 1 if k > 5 else SIZE, k if k % 2 else SIZE, SIZE - k, SIZE if k > 1 else 0]
        assert out.tolist()[:6] == expected, k


def test_a_size_is_no_mismatch_of_an_integer_of_its_width():

    @flyc.kernel
    def work(out: fx.Tensor, n: fx.Int32, m: fx.Int64, x: fx.Float32):
        out[0] = n + 1

    @flyc.jit
    def run(out: fx.Tensor):
        work(out, out.shape[0], fx.Int64(3), fx.Float32(1)).launch()

    @flyc.jit
    def wrong(out: fx.Tensor):
        work(out, out.shape[0], out.shape[0], fx.Float32(1)).launch()

    out = np.zeros(SIZE, np.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run(out)
    assert out[0] == SIZE + 1
    with pytest.warns(UserWarning, match="parameter 'm' is annotated Int64"):
        wrong(out)


# Wrong use of public functions: an error that says what was found and what was expected.
WRONG = {
    "Tensor": (lambda t, i, f: fx.Tensor(np.zeros(3)), "Tensor: expected an IR value, got ndarray"),
    "Layout": (lambda t, i, f: fx.Layout(None), "Layout: expected an IR value, got NoneType"),
    "struct": (lambda t, i, f: fx.struct(fx.Float32), "decorates a class of your own once, got Float32"),
    "union": (lambda t, i, f: fx.union(int), "decorates a class of your own once, got int"),
    "shuffle value": (lambda t, i, f: fx.gpu.shuffle_xor(t, 1), "shuffle: value must be a number or a vector of numbers, got Tensor"),
    "shuffle list": (lambda t, i, f: fx.gpu.shuffle_xor([i], 1), "shuffle: value must be a number or a vector of numbers, got list"),
    "shuffle offset": (lambda t, i, f: fx.gpu.shuffle_up(i, f), "shuffle: offset must be an integer, got Float32"),
    "shuffle tensor": (lambda t, i, f: fx.gpu.shuffle_up(i, t), "shuffle: offset must be an integer, got a value of type !fly.memref"),
    "shuffle huge": (lambda t, i, f: fx.gpu.shuffle_down(i, 1 << 40), "shuffle: offset must be an integer of 32 bits, got 1099511627776"),
    "maximumf": (lambda t, i, f: fx.maximumf(t, t), "maximumf: expected numbers or vectors, found Tensor"),
    "minnumf": (lambda t, i, f: fx.minnumf([], []), "minnumf: expected numbers or vectors, found list"),
    "shrui": (lambda t, i, f: fx.shrui(fx.make_layout(4, 1), 1), "shrui: expected numbers or vectors, found Layout"),
    "shrui float": (lambda t, i, f: fx.shrui(f.ir_value(), f.ir_value()), "shrui: found f32, expected integers"),
    "index_cast": (lambda t, i, f: fx.index_cast(None, i), "index_cast: expected the IR type of a number or vector"),
    "constant_vector": (lambda t, i, f: fx.constant_vector(1, "x"), "arith.constant: expected the IR type of a number or vector"),
    "sitofp": (lambda t, i, f: fx.arith.sitofp(3, i), "sitofp: expected the IR type of a number or vector"),
    "full": (lambda t, i, f: fx.full(4, 1, 7), "dtype must be a numeric class such as fx.Float32, got 7"),
    "full_like": (lambda t, i, f: fx.full_like(i, 0), "expected a Vector or Tensor to take the shape of, got Int32"),
    "empty_like": (lambda t, i, f: fx.empty_like(None), "expected a Vector or Tensor to take the shape of, got NoneType"),
    "Basis": (lambda t, i, f: fx.Basis(1, None), "Basis: a mode is an int from 0 to 65535, got None"),
    "UniversalCopy": (lambda t, i, f: fx.UniversalCopy(1 << 70), "UniversalCopy: expected a positive number of bits"),
    "Arena": (lambda t, i, f: fx.Arena(i), "expected a pointer, got Int32"),
    "s_waitcnt": (lambda t, i, f: fx.rocdl.s_waitcnt(1 << 70), "s_waitcnt: bitfield must be an int of 32 bits"),
    "sched": (lambda t, i, f: fx.rocdl.sched_mfma(1 << 70), "sched_group_barrier: size must be an int of 32 bits"),
    "s_buffer_load": (lambda t, i, f: fx.rocdl.s_buffer_load(None, 0), "expected a buffer pointer or resource, got NoneType"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_use_is_explained(name):
    use, message = WRONG[name]

    @flyc.kernel
    def work(t: fx.Tensor, i: fx.Int32, f: fx.Float32):
        use(t, i, f)

    @flyc.jit
    def run(t: fx.Tensor, i: fx.Int32, f: fx.Float32):
        work(t, i, f).launch()

    with pytest.raises((TypeError, ValueError)) as caught:
        run(np.zeros(4, np.float32), 1, 1.0)
    assert message in str(caught.value)
    assert "test_sizes.py" in "".join(getattr(caught.value, "__notes__", [])) + str(caught.value)
