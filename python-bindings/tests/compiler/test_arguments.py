# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays as arguments: types, marks, what is refused."""
import ctypes
import gc
import weakref

import ml_dtypes
import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.compiler import arrays, call
from flydsl.compiler.jit_argument import PointerJitArg, TensorAdaptor
from flydsl.compiler.tensor_argument import DLTensorJitArg, NumpyArrayJitArg


def zeros(*shape, dtype=np.float32):
    return np.zeros(shape, dtype)


def text(argument):
    return argument.memref_text().removeprefix("!fly.memref<").removesuffix(">")


# The observed results of the interface's description.


def test_static_layout():
    assert text(flyc.from_dlpack(zeros(4, 16))) == "f32, global, (4,16):(16,1)"


def test_dynamic_layout():
    assert text(flyc.from_dlpack(zeros(4, 16)).mark_layout_dynamic()) == "f32, global, (?,?):(?{i64},1)"


def test_dynamic_shape_with_divisibility():
    argument = flyc.from_dlpack(zeros(4, 16)).mark_shape_dynamic(0, divisibility=4)
    assert text(argument) == "f32, global, (?{div=4},16):(16,1)"


def test_alignment_and_narrow_strides():
    array = np.zeros(64 + 4, np.float32)
    start = (-array.ctypes.data % 16) // 4
    array = array[start:start + 64].reshape(4, 16)
    argument = flyc.from_dlpack(array, assumed_align=16, use_32bit_stride=True).mark_layout_dynamic()
    assert text(argument) == "f32, global, (?,?):(?,1), align<16>"


def test_narrow_strides_must_reach_each_element():
    storage = np.zeros(1, np.int8)

    def array(*shape, strides):
        return np.lib.stride_tricks.as_strided(storage, shape, strides)

    def wrapped(array, **options):
        return flyc.from_dlpack(array, **options).mark_layout_dynamic()

    message = "use_32bit_stride: the last element is 2147483648 elements away from the first"
    for far in (array(2**26, 33, strides=(32, 1)), array(2, 2**26, 2, strides=(31, -32, 1))):
        assert text(wrapped(far)).count("i64") == far.ndim - 1
        with pytest.raises(ValueError, match=message):
            wrapped(far, use_32bit_stride=True)
    near = wrapped(array(2**26, 32, strides=(32, 1)), use_32bit_stride=True)
    with pytest.raises(ValueError, match=f"argument 'x': {message}"):
        call.check_array("x", near, arrays.describe(array(2**26, 33, strides=(32, 1))))
    call.check_array("x", near, arrays.describe(array(2**26, 0, strides=(64, 1))))
    assert text(flyc.from_dlpack(array(2**26, 33, strides=(32, 1)), use_32bit_stride=True)).endswith("(67108864,33):(32,1)")


def test_rank_one():
    assert text(flyc.from_dlpack(zeros(8)).mark_layout_dynamic()) == "f32, global, ?:1"


def test_plain_numpy_array():
    assert text(NumpyArrayJitArg(zeros(4, 16))) == "f32, global, (?,?):(?{i64},1)"
    assert text(NumpyArrayJitArg(zeros(4, 16).T)) == "f32, global, (?,?):(1,?{i64})"


def test_marks():
    argument = flyc.from_dlpack(zeros(4, 8, 16)).mark_stride_dynamic([0, -2], divisibility=[128, 16])
    assert text(argument) == "f32, global, (4,8,16):(?{i64 div=128},?{i64 div=16},1)"
    assert argument.mark_shape_dynamic(-1) is argument


def test_leading_divisibility():
    argument = flyc.from_dlpack(zeros(4, 16)).mark_layout_dynamic(leading_dim=1, divisibility=8)
    assert text(argument) == "f32, global, (?,?{div=8}):(?{i64 div=8},1)"


def test_wide_stride_of_an_axis_of_one():
    # User report 34: a stride beyond 32 bits, on an axis of size 1.
    base = np.zeros(64, np.float32)
    array = np.lib.stride_tricks.as_strided(base, (1, 1, 64), (4 * (2**31 + 64), 256, 4))
    assert text(flyc.from_dlpack(array).mark_layout_dynamic()) == "f32, global, (?,?,?):(?{i64},?{i64},1)"
    assert text(flyc.from_dlpack(array)) == f"f32, global, (1,1,64):({2**31 + 64},64,1)"


@pytest.mark.parametrize("dtype, element", [
    (np.bool_, "i1"), (np.int8, "i8"), (np.uint8, "i8"), (np.int16, "i16"), (np.uint16, "i16"), (np.int32, "i32"),
    (np.uint32, "i32"), (np.int64, "i64"), (np.uint64, "i64"), (np.float16, "f16"), (np.float32, "f32"),
    (np.float64, "f64"), (ml_dtypes.bfloat16, "bf16"), (ml_dtypes.float8_e4m3fn, "f8E4M3FN"),
    (ml_dtypes.float8_e4m3fnuz, "f8E4M3FNUZ"), (ml_dtypes.float8_e5m2, "f8E5M2"),
    (ml_dtypes.float8_e5m2fnuz, "f8E5M2FNUZ")
])
def test_dtypes(dtype, element):
    assert text(flyc.from_dlpack(zeros(2, 3, dtype=dtype))) == f"{element}, global, (2,3):(3,1)"


def test_dtype_option():
    assert text(flyc.from_dlpack(zeros(4, dtype=np.uint16), dtype="bfloat16")) == "bf16, global, 4:1"
    with pytest.raises(TypeError, match="dtype bfloat16 has 2 bytes, the array's uint8 has 1"):
        flyc.from_dlpack(zeros(4, dtype=np.uint8), dtype="bfloat16")


class Exporter:
    """An object that has nothing but DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **_):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Copier(Exporter):
    """One whose DLPack is of other memory each time."""

    def __dlpack__(self, **_):
        return self.array.copy().__dlpack__()


def test_dlpack_object():
    array = np.arange(24, dtype=np.int32).reshape(4, 6)[:, ::2]
    info = arrays.describe(Exporter(array))
    assert info == arrays.describe(array)
    assert info.shape == (4, 3) and info.strides == (6, 2) and info.on_host


# What is refused.


@pytest.mark.parametrize("array, error, message", [
    (zeros(4).astype(">f4"), TypeError, "foreign byte order"),
    (np.zeros(4, np.complex64), TypeError, "unsupported dtype for memref element type: complex64"),
    (np.zeros(4, ml_dtypes.int4), TypeError, "unsupported dtype for memref element type: int4"),
    (np.zeros(()), ValueError, "0-d"),
    (np.zeros(6, np.dtype([("a", "f4"), ("b", "i1")]))["a"], TypeError, "no multiples of the element's 4 bytes"),
    ([1, 2], TypeError, "expected an array .*got list"),
    (np.ma.masked_array(zeros(4), [0, 1, 0, 0]), TypeError, "a masked array .* a kernel sees no mask; pass its .data"),
    (Copier(zeros(4)), ValueError, "Copier.__dlpack__ exports a copy each time"),
])
def test_refused_arrays(array, error, message):
    with pytest.raises(error, match=message):
        flyc.from_dlpack(array)


def test_read_only_array():
    # DIFF: py-read-only
    array = zeros(4)
    array.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        flyc.from_dlpack(array)


@pytest.mark.parametrize("array", [np.zeros(16, np.float32)[::2], np.zeros((4, 6), np.float32)[:, ::2]])
def test_no_unit_stride(array):
    with pytest.raises(RuntimeError, match="cannot auto-mark layout-dynamic for tensor shape=.*Use flyc.from_dlpack"):
        NumpyArrayJitArg(array)
    with pytest.raises(RuntimeError, match="tensor has no axis with stride == 1"):
        flyc.from_dlpack(array).mark_layout_dynamic()


def test_leading_axis_must_have_stride_one():
    with pytest.raises(RuntimeError, match="Leading dimension must have stride 1"):
        flyc.from_dlpack(zeros(4, 16)).mark_layout_dynamic(leading_dim=0)


@pytest.mark.parametrize("divisibility, message", [(3, "power of two"), (0, "power of two"), (-2, "power of two"),
                                                   (True, "power of two"), ([2, 2], "expected one number or 1"),
                                                   (32, "divisibility 32 does not divide the size 16 of axis 1")])
def test_divisibility(divisibility, message):
    with pytest.raises(ValueError, match=message):
        flyc.from_dlpack(zeros(4, 16)).mark_shape_dynamic(1, divisibility=divisibility)


@pytest.mark.parametrize("axis, error", [(2, ValueError), (-3, ValueError), (1.0, TypeError), (True, TypeError)])
def test_axis(axis, error):
    with pytest.raises(error, match="dims"):
        flyc.from_dlpack(zeros(4, 16)).mark_shape_dynamic(axis)


def test_assumed_align_is_verified():
    array = np.zeros(65, np.float32)
    odd = array[1:] if array.ctypes.data % 8 == 0 else array[:-1]
    with pytest.raises(ValueError, match="assumed_align=4096, but the array's address"):
        flyc.from_dlpack(odd, assumed_align=4096)
    with pytest.raises(ValueError, match="power of two"):
        flyc.from_dlpack(odd, assumed_align=12)


# Cells.


def cells(argument):
    filled = []
    for ctype, fill in argument.__c_abi_spec__():
        cell = ctype()
        fill(argument, cell)
        filled.append(bytes(cell))
    return filled


def test_cells_of_a_dynamic_tensor():
    array = zeros(3, 5)
    pointer, layout = cells(flyc.from_dlpack(array).mark_layout_dynamic())
    assert int.from_bytes(pointer, "little") == array.ctypes.data
    assert layout == (3).to_bytes(4, "little") + (5).to_bytes(4, "little") + (5).to_bytes(8, "little")


def test_cells_with_narrow_strides():
    _, layout = cells(flyc.from_dlpack(zeros(3, 5), use_32bit_stride=True).mark_layout_dynamic())
    assert layout == b"".join(n.to_bytes(4, "little") for n in (3, 5, 5))


def test_a_static_tensor_has_one_cell():
    assert len(cells(flyc.from_dlpack(zeros(3, 5)))) == 1


# Checks of live arguments.


def compiled_for(array, **options):
    return DLTensorJitArg(array, **options)


@pytest.mark.parametrize("array, error, message", [
    (zeros(4, 16, dtype=np.float64), TypeError, "argument 'a': expected dtype float32, got float64"),
    (zeros(4), TypeError, "argument 'a': expected 2 axes, got 1"),
    (zeros(4, 15), ValueError, "argument 'a': size 15 of axis 1 is not divisible by 8"),
    (zeros(16, 4).T, ValueError, "argument 'a': expected stride 1 on axis 1"),
])
def test_live_checks(array, error, message):
    carrier = compiled_for(zeros(4, 16)).mark_layout_dynamic(divisibility=8)
    with pytest.raises(error, match=message):
        call.check_array("a", carrier, arrays.describe(array))


def test_live_static_size():
    with pytest.raises(ValueError, match="argument 'a': expected size 4 on axis 0, which the code was compiled for"):
        call.check_array("a", compiled_for(zeros(4, 16)), arrays.describe(zeros(5, 16)))


def test_live_size_beyond_32_bits():
    info = arrays.describe(zeros(4, 16))._replace(shape=(2**31, 16))
    with pytest.raises(ValueError, match="size 2147483648 of axis 0 does not fit"):
        call.check_array("a", compiled_for(zeros(4, 16)).mark_layout_dynamic(), info)


def test_live_alignment():
    array = np.zeros(64, np.float32)
    align = array.ctypes.data & -array.ctypes.data
    carrier = compiled_for(array, assumed_align=align)
    info = arrays.describe(array)._replace(pointer=array.ctypes.data + 4)
    with pytest.raises(ValueError, match=f"argument 'a': expected an address aligned to {align} bytes"):
        call.check_array("a", carrier, info)


# Spans of memory that are copied to a device.


def test_byte_span():
    array = np.zeros((4, 6), np.int16)
    base = array.ctypes.data
    assert call.byte_span(arrays.describe(array[:, 1:3])) == (base + 2, base + 2 * (3 * 6 + 3))
    assert call.byte_span(arrays.describe(array[::-1])) == (base, base + 48)
    assert call.byte_span(arrays.describe(array[:0])) == (base, base)


def test_overlapping_spans_are_one():
    assert call.merged_spans([(10, 20), (0, 5), (15, 30), (30, 40), (0, 5)]) == [(0, 5), (10, 30), (30, 40)]


# Pointers.


def test_pointer():
    assert PointerJitArg("f32", ctypes.c_void_p(4096)).pointer == 4096
    assert flyc.from_c_void_p("f32", None).is_null
    with pytest.raises(TypeError, match="pointer must be a c_void_p, an int or None, got float"):
        flyc.from_c_void_p("f32", 1.5)
    with pytest.raises(ValueError, match="is no address"):
        flyc.from_c_void_p("f32", -1)
    with pytest.raises(ValueError, match="not so aligned"):
        flyc.from_c_void_p("f32", 8, assumed_align=16)


def test_guides_name():
    assert TensorAdaptor is DLTensorJitArg


def test_from_torch_tensor_wants_one():
    with pytest.raises(TypeError, match="expected a torch.Tensor, got ndarray"):
        flyc.from_torch_tensor(zeros(4))


@pytest.mark.parametrize("value, bits", [(1.0, 0x3F80), (-2.5, 0xC020), (1.00390625, 0x3F80), (1.01171875, 0x3F82),
                                         (float("inf"), 0x7F80)])
def test_bfloat16_is_rounded(chip, value, bits):
    # DIFF: py-scalar-bf16
    assert np.array(value, ml_dtypes.bfloat16).view(np.uint16) == bits

    @flyc.kernel
    def keep_kernel(out: fx.Tensor, x: fx.BFloat16):
        out[0] = x

    @flyc.jit
    def keep(out: fx.Tensor, x: fx.BFloat16):
        keep_kernel(out, x).launch()

    out = np.zeros(2, ml_dtypes.bfloat16)
    keep(out, value)
    assert out.view(np.uint16)[0] == bits
    # With a claim about divisibility the arguments are passed in Python.
    keep(flyc.from_dlpack(out).mark_layout_dynamic(divisibility=2), value)
    assert out.view(np.uint16)[0] == bits


# DIFF: py-empty-arrays
@pytest.mark.parametrize("shape", [(0, ), (0, 4), (4, 0)])
def test_empty_arrays(chip, shape):
    @flyc.kernel
    def work(a: fx.Tensor, n: fx.Int32):
        if fx.thread_idx.x < n:
            a[fx.thread_idx.x] = 1.0

    @flyc.jit
    def run(a: fx.Tensor, n: fx.Int32):
        work(a, n).launch(block=64)

    full = np.zeros(tuple(size or 3 for size in shape), np.float32)
    for _ in range(2):
        run(np.zeros(shape, np.float32), 0)
        run(full, full.size)


@flyc.kernel
def double_kernel(a: fx.Tensor, out: fx.Tensor):
    out[fx.thread_idx.x, fx.thread_idx.y] = a[fx.thread_idx.x, fx.thread_idx.y] * 2.0


@flyc.jit
def double(a: fx.Tensor, out: fx.Tensor, m: fx.Constexpr, n: fx.Constexpr):
    double_kernel(a, out).launch(block=(m, n))


def test_what_a_call_refuses_though_a_like_one_ran(chip):
    plain, out = np.ones((4, 4), np.float32), np.zeros((4, 4), np.float32)
    double(plain, out, 4, 4)
    double(Exporter(plain), out, 4, 4)
    moved = np.frombuffer(bytearray(65), np.uint8)[1:].view(np.float32).reshape(4, 4)
    for array, error, message in [(np.ma.masked_array(plain, plain > 0), TypeError, "argument 'a': a masked array"),
                                  (Copier(plain), ValueError, "argument 'a': Copier.__dlpack__ exports a copy"),
                                  (moved, ValueError, "argument 'a': expected an address aligned to 4 bytes"),
                                  (plain[:, ::2], RuntimeError, "argument 'a': .* no axis has stride 1"),
                                  (plain.astype(">f4"), TypeError, "argument 'a': .* foreign byte order"),
                                  (np.broadcast_to(plain[0], (4, 4)), ValueError, "argument 'a': the array is read-only")]:
        with pytest.raises(error, match=message):
            double(array, out, 4, 4)


@pytest.mark.parametrize("view", [lambda a: a.T, lambda a: a[::-1], lambda a: np.asfortranarray(a), lambda a: a[2:6, 1:5], lambda a: a[:, 3:4],
                                  lambda a: a[::-2].T], ids=["transposed", "reversed", "Fortran", "inner", "column", "both"])
def test_views_of_numpy(chip, view):
    given = view(np.arange(64, dtype=np.float32).reshape(8, 8))
    for target in (np.zeros(given.shape, np.float32), view(np.zeros((8, 8), np.float32))):
        double(given, target, *given.shape)
        np.testing.assert_array_equal(target, given * 2)
    double(given, given, *given.shape)
    np.testing.assert_array_equal(given, target)


ROUNDED_ONCE = [
    (fx.BFloat16, 1.00390625 + 2.0**-30, 0x3F81), (fx.BFloat16, -1.00390625 - 2.0**-30, 0xBF81), (fx.BFloat16, 1.00390625, 0x3F80),
    (fx.BFloat16, 1.01171875 - 2.0**-30, 0x3F81), (fx.BFloat16, 1.01171875, 0x3F82), (fx.BFloat16, 2.0**-134 * (1 + 2.0**-40), 1),
    (fx.BFloat16, 1e-320, 0), (fx.BFloat16, float("-inf"), 0xFF80), (fx.BFloat16, 2**24 + 1, 0x4B80),
    (fx.Float32, 2**60 + 2**36 + 1, 0x5D800001), (fx.Float32, -2**60 - 2**36 - 1, 0xDD800001), (fx.Float32, 2**60 + 2**36, 0x5D800000),
    (fx.Float32, -2**63, 0xDF000000), (fx.Float32, 2**70 + 2**46 + 1, 0x62800001), (fx.Float16, 1.00048828125 + 2.0**-40, 0x3C01),
]


@pytest.mark.parametrize("way", ["call", "handle", "python"])
@pytest.mark.parametrize("kind, value, bits", ROUNDED_ONCE)
def test_floats_are_rounded_once(chip, kind, value, bits, way):
    """As the class does it: not to a double or to f32 before."""
    small = kind is not fx.Float32

    @flyc.kernel
    def keep_kernel(out: fx.Tensor, x: kind):
        out[0] = x.bitcast(fx.Uint16 if small else fx.Uint32)

    @flyc.jit
    def keep(out: fx.Tensor, x: kind):
        keep_kernel(out, x).launch()

    out = np.zeros(4, np.uint16 if small else np.uint32)
    if way == "handle":
        keep = flyc.compile(keep, out, 1.0)
    elif way == "python":
        keep = flyc.compile(keep, flyc.from_dlpack(out).mark_layout_dynamic(divisibility=4), 1.0)
    keep(out, value)
    assert out[0] == bits and kind(value).bitcast(fx.Uint16 if small else fx.Uint32).value == bits


def test_compiled_code_keeps_no_array(chip):

    @flyc.jit
    def run(a: fx.Tensor):
        pass

    for make in (lambda a: flyc.compile(run, a), lambda a: run(a), lambda a: flyc.compile(run, flyc.from_dlpack(a))):
        array = zeros(64)
        alive = weakref.ref(array)
        kept = make(array)
        del array
        gc.collect()
        assert alive() is None, kept


def test_later_marks_do_not_reach_compiled_code(chip):

    @flyc.jit
    def run(a: fx.Tensor):
        pass

    argument = flyc.from_dlpack(zeros(4, 4)).mark_shape_dynamic(0, divisibility=4)
    handle = flyc.compile(run, argument)
    argument.mark_layout_dynamic()
    handle(zeros(8, 4))
    handle(argument)
    with pytest.raises(ValueError, match="size 5 of axis 0 is not divisible by 4"):
        handle(zeros(5, 4))
    with pytest.raises(ValueError, match="expected size 4 on axis 1, which the code was compiled for, got 7"):
        handle(zeros(4, 7))
    assert text(argument) == "f32, global, (?,?):(?{i64},1)"


class Unreadable(ValueError):
    """An error whose class wants more than a text."""

    def __init__(self, place, reason):
        super().__init__(f"{place}: {reason}")


class FailingExporter:
    """Its memory cannot be read."""

    def __init__(self, error):
        self.error = error

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **_):
        raise self.error


@pytest.mark.parametrize("error, shown", [(Unreadable("page 3", "gone"), "page 3: gone"),
                                          (UnicodeDecodeError("utf-8", b"x", 0, 1, "odd"), "utf-8.*odd")])
def test_errors_of_exporters_keep_their_text(chip, error, shown):

    @flyc.kernel
    def kernel(a: fx.Tensor):
        a[0] = 1.0

    @flyc.jit
    def launch(a: fx.Tensor):
        kernel(a).launch(grid=1, block=1)

    with pytest.raises(ValueError, match=f"argument 'a': .*{shown}"):
        launch(FailingExporter(error))
    handle = flyc.compile(launch, zeros(4))
    with pytest.raises(ValueError, match=shown):
        handle(FailingExporter(error))
