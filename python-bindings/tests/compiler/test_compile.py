# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`flyc.compile`: handles that neither trace nor compile again."""
import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.compiler.jit_executor import CompiledFunction

pytestmark = pytest.mark.usefixtures("chip")


def make():

    @flyc.kernel
    def scale_kernel(a: fx.Tensor, c: fx.Tensor, factor: fx.Float32, n: fx.Int32):
        i = fx.block_idx.x * 64 + fx.thread_idx.x
        if i < n:
            c[i] = a[i] * factor

    @flyc.jit
    def scale(a: fx.Tensor, c: fx.Tensor, factor: fx.Float32, n: fx.Int32, tile: fx.Constexpr[int] = 64,
              stream: fx.Stream = fx.Stream(None)):
        scale_kernel(a, c, factor, n).launch(grid=(n + tile - 1) // tile, block=tile, stream=stream)

    return scale


def arrays(n=100, dtype=np.float32):
    return np.arange(n, dtype=dtype), np.zeros(n, dtype)


def test_launches_once_and_can_be_called():
    a, c = arrays()
    handle = flyc.compile(make(), a, c, 2.0, 100)
    assert isinstance(handle, CompiledFunction)
    np.testing.assert_array_equal(c, a * 2)
    handle(a, c, 3.0, 100, 64, None)
    np.testing.assert_array_equal(c, a * 3)
    b, d = arrays(300)
    handle(b, d, 1, 300, 64, fx.Stream(None))
    np.testing.assert_array_equal(d, b)


@pytest.mark.parametrize("change, error, message", [
    ({0: np.zeros(100, np.float64)}, TypeError, "'a'"), ({1: np.zeros((2, 50), np.float32)}, (TypeError, ValueError), "'c'"),
    ({3: 1 << 40}, (ValueError, OverflowError), "'n'"), ({3: "x"}, TypeError, "'n'"), ({2: "x"}, TypeError, "'factor'"),
    ({0: None}, TypeError, "'a'"), ({0: [1.0]}, TypeError, "'a'"),
    ({1: np.zeros(200, np.float32)[::2]}, ValueError, "'c'")])
def test_wrong_arguments(change, error, message):
    # DIFF: py-array-checks
    a, c = arrays()
    handle = flyc.compile(make(), a, c, 2.0, 100)
    args = [a, c, 2.0, 100, 64, None]
    for index, value in change.items():
        args[index] = value
    with pytest.raises(error, match=message):
        handle(*args)


def test_wrong_number_of_arguments():
    a, c = arrays()
    handle = flyc.compile(make(), a, c, 2.0, 100)
    with pytest.raises(TypeError):
        handle(a, c)


def test_static_sizes_are_checked():
    a, c = arrays()
    handle = flyc.compile(make(), flyc.from_dlpack(a), flyc.from_dlpack(c), 2.0, 100)
    b, _ = arrays(101)
    with pytest.raises(ValueError, match="'a'"):
        handle(b, c, 2.0, 100, 64, None)


def test_divisibility_is_checked():
    a, c = arrays(128)
    handle = flyc.compile(make(), flyc.from_dlpack(a).mark_layout_dynamic(divisibility=4), c, 2.0, 128)
    b, d = arrays(64)
    handle(b, d, 2.0, 64, 64, None)
    np.testing.assert_array_equal(d, b * 2)
    b, d = arrays(66)
    with pytest.raises(ValueError, match="argument 'a': size 66 of axis 0 is not divisible by 4"):
        handle(b, d, 2.0, 66, 64, None)


def test_hints_stay_with_the_function():
    scale = make()
    assert flyc.compile[{"waves_per_eu": 2}](scale) is scale
    assert scale.compile_hints == {"waves_per_eu": 2}


def test_what_is_no_launcher():
    with pytest.raises(TypeError, match="expects a @flyc.jit function, got function"):
        flyc.compile(lambda: None)

    class Callable:

        @flyc.jit
        def __call__(self):
            pass

    with pytest.raises(TypeError, match="expects a @flyc.jit function, got Callable; pass its __call__"):
        flyc.compile(Callable())
    with pytest.raises(TypeError, match="expects a dict of compile hints, got int"):
        flyc.compile[3]


def test_compile_only(monkeypatch):
    monkeypatch.setenv("COMPILE_ONLY", "1")
    a, c = arrays()
    assert flyc.compile(make(), a, c, 2.0, 100) is None and not c.any()


def test_null_pointer_is_a_placeholder():

    @flyc.kernel
    def kernel(p: fx.Pointer):
        fx.ptr_store(fx.Float32(5.0), p)

    @flyc.jit
    def run(p: fx.Pointer):
        kernel(p).launch(block=1)

    handle = flyc.compile(run, flyc.from_c_void_p(fx.Float32, None))
    c = np.zeros(4, np.float32)
    handle(flyc.from_c_void_p(fx.Float32, c.ctypes.data))
    assert c[0] == 5.0


def test_views_and_refusals():
    a, c = arrays()
    handle = flyc.compile(make(), a, c, 2.0, 100)
    assert "gpu.binary" in handle.ir and "func.func @scale" in handle.source_ir
    with pytest.raises(NotImplementedError, match="ahead-of-time export is not supported yet"):
        handle.export_to_c("/tmp", "x")
    with pytest.raises((ValueError, NotImplementedError), match="max_blocks_per_cu"):
        handle.max_blocks_per_cu()


def test_a_handle_names_missing_arguments():
    @flyc.jit
    def run(a: fx.Tensor, n: fx.Int32, m: fx.Int32 = 2):
        pass

    handle = flyc.compile(run, np.zeros(4, np.float32), 1)
    with pytest.raises(TypeError, match="run: expected 3 arguments, got 1; missing: 'n', 'm'"):
        handle(np.zeros(4, np.float32))
