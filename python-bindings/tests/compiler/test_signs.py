# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of unsigned integers: kernels read numbers without a sign, though the IR's types have none; literals fit the array's type."""
import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx

pytestmark = pytest.mark.usefixtures("chip")

UNSIGNED = [np.uint8, np.uint16, np.uint32, np.uint64]
SIGNED = [np.int8, np.int16, np.int32, np.int64]


@flyc.kernel
def numbers_kernel(x: fx.Tensor, q: fx.Tensor, f: fx.Tensor, less: fx.Tensor):
    tile = fx.make_view(fx.get_iter(x), fx.get_layout(x))
    a, b = tile[0], x[1]
    q[0], q[1], q[2] = a // b, q.dtype(a >> 1), a % b
    f[0] = fx.Float64(a)
    f[1] = fx.Float64(fx.slice(x, (None,))[0])
    less[0] = fx.Int32(a < b)


@flyc.jit
def numbers(x: fx.Tensor, q: fx.Tensor, f: fx.Tensor, less: fx.Tensor):
    numbers_kernel(x, q, f, less).launch(grid=1, block=1)


@pytest.mark.parametrize("wrap", [lambda x: x, flyc.from_dlpack], ids=["array", "from_dlpack"])
@pytest.mark.parametrize("dtype", UNSIGNED + SIGNED)
def test_numbers_of_arrays(dtype, wrap):
    # DIFF: py-unsigned-arrays
    top = np.iinfo(dtype).max if dtype in UNSIGNED else np.iinfo(dtype).min
    x, q = np.array([top, 7], dtype), np.zeros(3, dtype)
    f, less = np.zeros(2, np.float64), np.zeros(1, np.int32)
    numbers(wrap(x), q, f, less)
    assert q.tolist() == [int(top) // 7, int(top) >> 1, int(top) % 7]
    assert f.tolist() == [float(top)] * 2 and less[0] == (int(top) < 7)


@pytest.mark.parametrize("dtype", UNSIGNED + SIGNED)
def test_literals_fit_the_array(dtype):
    info = np.iinfo(dtype)
    for number in (info.max, info.min, info.max + 1, info.min - 1):

        @flyc.kernel
        def body(x: fx.Tensor):
            x[0] = number

        @flyc.jit
        def run(x: fx.Tensor):
            body(x).launch(grid=1, block=1)

        x = np.zeros(2, dtype)
        if info.min <= number <= info.max:
            run(x)
            assert x[0] == number
        else:
            with pytest.raises((ValueError, OverflowError), match=str(number)):
                run(x)


def test_vectors_loops_and_recasts():

    @flyc.kernel
    def body(x: fx.Tensor, out: fx.Tensor, n: fx.Int32):
        v = x.load()
        out[0] = fx.Int32(v[0])
        best = x[0]
        for i in range(n):
            best = fx.max(best, x[i])
        out[1] = fx.Int32(best)
        out[2] = fx.Int32(fx.recast_iter(fx.Int8, fx.get_iter(x))[0])
        copied = fx.make_fragment_like(x)
        copied.store(v)
        out[3] = fx.Int32(copied[0])

    @flyc.jit
    def run(x: fx.Tensor, out: fx.Tensor, n: fx.Int32):
        body(x, out, n).launch(grid=1, block=1)

    out = np.zeros(4, np.int32)
    run(flyc.from_dlpack(np.array([200, 3, 4, 5], np.uint8)), out, 4)
    assert out.tolist() == [200, 200, -56, 200]


@flyc.kernel
def pointed_kernel(p: fx.Pointer, out: fx.Tensor):
    view = fx.make_view(p, fx.make_layout(2, 1))
    a, b = fx.ptr_load(p), view[1]
    out[0], out[1], out[2] = fx.Float64(a), fx.Float64(a // b), fx.Float64((p + 1).load())


@flyc.jit
def pointed(p: fx.Pointer, out: fx.Tensor):
    pointed_kernel(p, out).launch(grid=1, block=1)


@pytest.mark.parametrize("dtype", UNSIGNED + SIGNED)
def test_pointers_have_the_class_they_name(dtype):
    top = np.iinfo(dtype).max if dtype in UNSIGNED else np.iinfo(dtype).min
    x, out = np.array([top, 7], dtype), np.zeros(3)
    # The one element type is named in the kernel's signature of the other sign, too: both are compiled.
    for view, kind in ((x, np.dtype(dtype).name), (x, np.dtype(dtype).name.replace("u", "") if dtype in UNSIGNED else "u" + np.dtype(dtype).name)):
        pointed(flyc.from_c_void_p(getattr(fx, kind.capitalize()), view.ctypes.data, assumed_align=x.itemsize), out)
        a = int(x.view(kind)[0])
        # The quotient of integers rounds down.
        assert out.tolist() == [float(a), float(a // 7), 7.0]
