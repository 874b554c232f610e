# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layout functions in kernels on the CPU device: run-time results against their definitions."""
import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx


@pytest.fixture(autouse=True)
def target(chip):
    """The chip that the CPU device stands for."""
    return chip


@flyc.kernel
def algebra_kernel(out: fx.Tensor, i: fx.Int32, j: fx.Int32, n: fx.Int32):
    # User report 18: scaled basis strides at run time.
    scaled = fx.make_layout((5, 7), (fx.E(1) * 3, fx.E(0) * 2))
    out[0], out[1] = scaled(i, j).to_py_value()
    # User report 16: a swizzled layout sliced at a run-time column.
    swizzled = fx.make_composed_layout(fx.SwizzleType.get(2, 3, 3), fx.make_layout((8, 48), (48, 1)))
    out[2] = fx.get_scalar(fx.slice(swizzled, (None, j))(i))
    out[3], out[4] = fx.idx2crd(i * 4 + 1, fx.make_layout((4, 8), (1, 4))).to_py_value()
    out[5], out[6] = fx.get_flat_coord(i, fx.make_layout(((2, 2), 8), ((1, 2), 4))).to_py_value()
    out[7] = fx.get_scalar(fx.crd2idx((i, j), fx.make_layout((n, n), (n, 1))))
    out[8] = fx.get_scalar(fx.size(fx.make_layout((n, 4), (1, n))))
    # User report 7: the inverse of a run-time size is whole.
    forward = fx.make_layout((16, n), (1, 16))
    inverse = fx.right_inverse(forward)
    out[9] = fx.get_scalar(fx.size(inverse))
    out[10] = 0
    for k in range(16 * n):
        if fx.get_scalar(forward(inverse(k))) == k:
            out[10] = out[10] + 1
    out[11] = 0
    for row in range(8):
        for column in range(48):
            x = row * 48 + column
            if fx.get_scalar(fx.slice(swizzled, (None, column))(row)) == x ^ (((x >> 6) & 3) << 3):
                out[11] = out[11] + 1
    out[-1] = 77


@flyc.jit
def algebra(out: fx.Tensor, i: fx.Int32, j: fx.Int32, n: fx.Int32):
    algebra_kernel(out, i, j, n).launch(grid=(1, ), block=(1, ))


def test_run_time_algebra():
    for i, j, n in [(4, 6, 9), *((i, (11 * i + 7) % 48, i + 1) for i in range(4))]:
        out = np.zeros(16, np.int32)
        algebra(flyc.from_dlpack(out), i, j, n)
        x = 48 * i + j
        flat = [i % 4, i // 4]
        assert out[:12].tolist() == [2 * j, 3 * i, x ^ (((x >> 6) & 3) << 3), 1, i, *flat, i * n + j, 4 * n, 16 * n, 16 * n, 8 * 48]
        assert out[15] == 77


@flyc.kernel
def vectors_kernel(src: fx.Tensor, out: fx.Tensor, place: fx.Int32):
    # User report 20: a vector of a view that is not compact runs through the first mode first.
    view = fx.make_view(fx.get_iter(src), fx.make_layout((2, 4), (8, 1)))
    values = view.load()
    for k in fx.range_constexpr(8):
        out[k] = values[k]
    # User report 21: registers at a run-time index.
    registers = fx.make_rmem_tensor(8, fx.Int32)
    for k in fx.range_constexpr(8):
        registers[k] = 100 + k
    out[8] = registers[place]
    tile = fx.make_rmem_tensor((2, 3), fx.Int32)
    tile.store(fx.Vector.from_elements([fx.Int32(k) for k in range(6)], fx.Int32).reshape((2, 3)))
    out[9] = tile[1, 0]
    out[10] = tile[0, 2]
    tile.fill(9)
    out[11] = tile[1, 2]


@flyc.jit
def vectors(src: fx.Tensor, out: fx.Tensor, place: fx.Int32):
    vectors_kernel(src, out, place).launch(grid=(1, ), block=(1, ))


def test_vectors_and_registers():
    out = np.zeros(12, np.int32)
    vectors(flyc.from_dlpack(np.arange(16, dtype=np.int32)), flyc.from_dlpack(out), 5)
    assert out.tolist() == [0, 8, 1, 9, 2, 10, 3, 11, 105, 3, 2, 9]


@flyc.kernel
def tail_kernel(src: fx.Tensor, dst: fx.Tensor, n: fx.Int32):
    inside = fx.make_rmem_tensor((1, 16), fx.Boolean)
    for k in fx.range_constexpr(16):
        inside[0, k] = fx.elem_less(k, n)
    atom = fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32)
    held = fx.make_rmem_tensor((1, 16), fx.Float32)
    by_one = fx.make_layout((1, 16), (0, 1))
    fx.copy(atom, fx.make_view(fx.get_iter(src), by_one), held)
    fx.copy(atom, held, fx.make_view(fx.get_iter(dst), by_one), pred=inside)


@flyc.jit
def tail(src: fx.Tensor, dst: fx.Tensor, n: fx.Int32):
    tail_kernel(src, dst, n).launch(grid=(1, ), block=(1, ))


def test_predicated_copies():
    # User report 29: 13 of 16 items.
    src, dst = np.arange(16, dtype=np.float32), np.full(16, -1, np.float32)
    tail(flyc.from_dlpack(src), flyc.from_dlpack(dst), 13)
    assert dst.tolist() == list(range(13)) + [-1] * 3


@flyc.kernel
def gather_kernel(table: fx.Tensor, offsets: fx.Tensor, out: fx.Tensor):
    atom = fx.make_copy_atom(fx.UniversalCopy64b(), fx.Float32)
    held = fx.make_rmem_tensor(((2, 3), 2), fx.Float32)
    fx.gather(atom, fx.get_iter(table), offsets, held)
    fx.scatter(atom, held, fx.get_iter(out), offsets)


@flyc.jit
def gather(table: fx.Tensor, offsets: fx.Tensor, out: fx.Tensor):
    gather_kernel(table, offsets, out).launch(grid=(1, ), block=(1, ))


def test_gather_and_scatter():
    table = np.arange(32, dtype=np.float32)
    offsets = np.array([[0, 10], [20, 4], [30, 16]], np.int32)
    out = np.full(32, -1, np.float32)
    gather(flyc.from_dlpack(table, assumed_align=8), flyc.from_dlpack(offsets), flyc.from_dlpack(out, assumed_align=8))
    want = np.full(32, -1, np.float32)
    for at in offsets.ravel():
        want[at:at + 2] = table[at:at + 2]
    np.testing.assert_array_equal(out, want)


def build_product(**options):

    @flyc.kernel
    def product_kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
        atom = fx.make_mma_atom(fx.UniversalFMA(fx.Float32))

        def hold(t, rows, columns):
            held = fx.make_rmem_tensor((1, rows, columns), fx.Float32)
            for i in fx.range_constexpr(rows):
                for j in fx.range_constexpr(columns):
                    held[0, i, j] = t[i, j]
            return held

        fa, fb, fc = hold(a, 2, 4), hold(b, 3, 4), hold(c, 2, 3)
        fd = fx.make_rmem_tensor((1, 2, 3), fx.Float32)
        fx.gemm(atom, fd, fa, fb, fc, **options)
        for i in fx.range_constexpr(2):
            for j in fx.range_constexpr(3):
                c[i, j] = fd[0, i, j]

    @flyc.jit
    def product(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
        product_kernel(a, b, c).launch(grid=(1, ), block=(1, ))

    return product


@pytest.mark.parametrize("options", [{}, {"traversal_order": fx.GemmTraversalOrder.KNM_Serpentine}, {"atom_callback": lambda atom, at: atom},
                                     {"atom_callback": lambda atom, at: atom, "traversal_order": fx.GemmTraversalOrder.MKN_Serpentine}])
def test_products(options):
    rng = np.random.default_rng(0)
    a, b, c = (rng.integers(-4, 5, shape).astype(np.float32) for shape in ((2, 4), (3, 4), (2, 3)))
    want = a @ b.T + c
    build_product(**options)(flyc.from_dlpack(a), flyc.from_dlpack(b), flyc.from_dlpack(c))
    np.testing.assert_array_equal(c, want)


@flyc.kernel
def literals_kernel(f: fx.Tensor, h: fx.Tensor, b: fx.Tensor):
    f[0] = 3
    h[1] = 1.5
    b[2] = 255
    b[3] = fx.Int8(-2)
    fx.get_iter(f)[1] = 4


@flyc.jit
def literals(f: fx.Tensor, h: fx.Tensor, b: fx.Tensor):
    literals_kernel(f, h, b).launch(grid=(1, ), block=(1, ))


def test_stored_literals():
    f, h, b = np.zeros(4, np.float32), np.zeros(4, np.float16), np.zeros(4, np.uint8)
    literals(flyc.from_dlpack(f), flyc.from_dlpack(h), flyc.from_dlpack(b))
    assert f.tolist() == [3, 4, 0, 0] and h.tolist() == [0, 1.5, 0, 0] and b.tolist() == [0, 0, 255, 254]


def test_mistakes_name_the_users_line():

    @flyc.kernel
    def wrong_kernel(t: fx.Tensor):
        t[1, 2, 3] = 1.0  # the line

    @flyc.jit
    def wrong(t: fx.Tensor):
        wrong_kernel(t).launch(grid=(1, ), block=(1, ))

    with pytest.raises(IndexError, match="expected 2 coordinates, got 3") as caught:
        wrong(flyc.from_dlpack(np.zeros((4, 4), np.float32)))
    notes = "\n".join(getattr(caught.value, "__notes__", []))
    assert "test_run.py" in notes and "# the line" in notes
