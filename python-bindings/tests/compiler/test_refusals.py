# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a host call refuses, by every way into compiled code.

A first call of a @jit function, one of a function that knows a like call, and a
handle of `flyc.compile`, which reads arguments in C++, or in Python where there
is a claim about divisibility or memory is checked.
"""
import ctypes
import decimal
import re
import sys
import types

import ml_dtypes
import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.compiler import jit_argument
from flydsl.compiler.arrays import _DLTensor
from flydsl.compiler.jit_argument import JitArgumentRegistry

pytestmark = pytest.mark.usefixtures("chip")

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Exporter:
    """An object that has nothing but DLPack; the capsule may be changed by hand."""

    def __init__(self, array, **changes):
        self.array, self.changes = array, changes
        tensor = self.tensor = _DLTensor()
        tensor.data, tensor.ndim = array.ctypes.data, changes.get("rank", 1)
        tensor.device.type = changes.get("device", 1)
        tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = 2, 32, changes.get("lanes", 1)
        self.sizes = (ctypes.c_int64 * 1)(changes.get("size", array.size))
        tensor.shape = self.sizes

    def __dlpack__(self, **_):
        if not self.changes:
            return self.array.__dlpack__()
        return _new(ctypes.addressof(self.tensor), self.changes.get("name", b"dltensor"), None)


class Copier(Exporter):
    """One whose DLPack is of other memory each time."""

    def __dlpack__(self, **_):
        return self.array.copy().__dlpack__()


class Failing:
    """One that has nothing to export."""

    def __init__(self, error):
        self.error = error

    def __dlpack__(self, **_):
        raise self.error


class Duck:
    """The methods of a torch tensor, by another class."""

    def __init__(self, array, device="cpu"):
        self.array, self.shape, self.dtype = array, array.shape, f"torch.{array.dtype}"
        self.device = types.SimpleNamespace(type=device)

    def stride(self):
        return tuple(s // self.array.itemsize for s in self.array.strides)

    def data_ptr(self):
        return self.array.ctypes.data

    def element_size(self):
        return self.array.itemsize


class TorchTensor(Duck):
    """A tensor of the test's own torch."""


@pytest.fixture(autouse=True)
def torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(Tensor=TorchTensor))
    yield
    jit_argument._present.discard("torch")
    JitArgumentRegistry._constructors.pop(TorchTensor, None)


def floats(size=8, dtype=np.float32):
    return np.zeros(size, dtype)


def make(kind):

    @flyc.kernel
    def kernel(a: fx.Tensor, n: kind):
        a[fx.thread_idx.x] = 1.0

    @flyc.jit
    def run(a: fx.Tensor, n: kind, stream: fx.Stream = fx.Stream(None)):
        kernel(a, n).launch(block=4, stream=stream)

    return run


def first(kind, good, bad, monkeypatch):
    make(kind)(*bad)


def warm(kind, good, bad, monkeypatch):
    run = make(kind)
    run(*good)
    run(*bad)


def native(kind, good, bad, monkeypatch):
    flyc.compile(make(kind), *good)(*bad)


def in_python(kind, good, bad, monkeypatch):
    claimed = flyc.from_dlpack(good[0]).mark_layout_dynamic(divisibility=4)
    flyc.compile(make(kind), claimed, *good[1:])(*bad)


def copying(kind, good, bad, monkeypatch):
    monkeypatch.setenv("FLYDSL_CHECK", "memory")
    flyc.compile(make(kind), *good)(*bad)


HANDLES = (native, in_python, copying)
PATHS = (first, warm) + HANDLES


def refused(path, kind, position, value, error, message, monkeypatch):
    good = [floats(), True if kind is fx.Boolean else 1, None]
    bad = list(good)
    bad[position] = value
    array = value.array if isinstance(value, Exporter) else None if position else value
    with pytest.raises(error) as caught:
        path(kind, good, bad, monkeypatch)
    text = str(caught.value)
    assert text.startswith(f"argument '{('a', 'n', 'stream')[position]}': ") and text.count("argument '") == 1, text
    assert re.search(message, text), text
    if isinstance(array, np.ndarray) and array.dtype == np.float32 and array.size < 100:
        assert not np.any(np.asarray(array))


def far():
    return np.lib.stride_tricks.as_strided(floats(1), (2**31, ), (4, ))


MASKED = "a masked array holds elements that do not count, and a kernel sees no mask; pass its .data"
ARRAYS = {
    "masked": (lambda: np.ma.masked_array(floats(), [False, True] * 4), TypeError, MASKED),
    "masked subclass": (lambda: floats().view(type("Kept", (np.ma.MaskedArray, ), {})), TypeError, MASKED),
    "copies": (lambda: Copier(floats()), ValueError, "Copier.__dlpack__ exports a copy each time, which the kernel would write to"),
    "fails": (lambda: Failing(RuntimeError("a tensor that requires grad")), RuntimeError, "a tensor that requires grad"),
    "fails otherwise": (lambda: Failing(BufferError("no memory of that kind")), BufferError, "no memory of that kind"),
    "class": (lambda: np.ndarray, TypeError, "type"),
    "looks like torch": (lambda: Duck(floats()), TypeError, "Duck"),
    "GPU memory of torch": (lambda: TorchTensor(floats(), "cuda"), ValueError, "the array is in GPU memory, but the CPU device is in use"),
    "GPU memory": (lambda: Exporter(floats(), device=10), ValueError, "the array is in GPU memory, but the CPU device is in use"),
    "another device": (lambda: Exporter(floats(), device=4), TypeError, "unsupported DLPack device type 4"),
    "lanes": (lambda: Exporter(floats(), lanes=2), TypeError, "2 lanes"),
    "negative size": (lambda: Exporter(floats(), size=-8), ValueError, r"expected sizes of 0 or more, got \(-8,\)"),
    "negative rank": (lambda: Exporter(floats(), rank=-1), ValueError, "expected 0 to 64 axes, got -1"),
    "too many axes": (lambda: Exporter(floats(), rank=65), ValueError, "expected 0 to 64 axes, got 65"),
    "used capsule": (lambda: Exporter(floats(), name=b"used_dltensor"), TypeError, "expected a capsule named 'dltensor'"),
    "foreign byte order": (lambda: floats().astype(">f4"), TypeError, "foreign byte order"),
    "complex": (lambda: floats(8, np.complex64), TypeError, "complex64"),
    "int4": (lambda: floats(8, ml_dtypes.int4), TypeError, "int4"),
    "structured": (lambda: floats(8, np.dtype([("a", "f4")])), TypeError, "void32"),
    "objects": (lambda: floats(8, object), TypeError, "object"),
    "0-d": (lambda: floats(()), (TypeError, ValueError), "0-d|expected 1 axes, got 0"),
    "no unit stride": (lambda: floats(16)[::2], (ValueError, RuntimeError), "no axis has stride 1|expected stride 1"),
    "reversed": (lambda: floats()[::-1], (ValueError, RuntimeError), "no axis has stride 1|expected stride 1"),
    "odd strides": (lambda: floats(8, np.dtype([("a", "f4"), ("b", "i1")]))["a"], (TypeError, RuntimeError), "multiple|stride 1"),
    "misaligned": (lambda: np.frombuffer(bytearray(33), np.uint8)[1:].view(np.float32), ValueError, "expected an address aligned to 4 bytes"),
    "read-only": (lambda: np.broadcast_to(floats(), (8, )), ValueError, "the array is read-only, but a kernel may write"),
    "size beyond 32 bits": (far, ValueError, "size 2147483648 of axis 0 does not fit the 32 bits of a run-time size"),
    "None": (lambda: None, TypeError, "NoneType"),
    "int": (lambda: 3, TypeError, r"expected an array .*got int"),
    "list": (lambda: [1.0], TypeError, "list"),
    "text": (lambda: "x", TypeError, "str"),
    "NumPy scalar": (lambda: np.float32(1), TypeError, "float32"),
    "buffer": (lambda: memoryview(floats()), TypeError, "memoryview"),
}


# DIFF: py-masked-arrays
# DIFF: py-copied-arrays
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("case", ARRAYS)
def test_arrays(case, path, monkeypatch):
    value, error, message = ARRAYS[case]
    refused(path, fx.Int32, 0, value(), error, message, monkeypatch)


# A @jit function compiles anew for these.
FOR_HANDLES = {
    "dtype": (lambda: floats(8, np.float64), TypeError, "expected dtype float32, got float64"),
    "dtype of a wrapper": (lambda: flyc.from_dlpack(floats(), dtype="int32"), TypeError, "expected dtype float32, got int32"),
    "dtype of torch": (lambda: TorchTensor(floats(8, np.int32)), TypeError, "expected dtype float32, got int32"),
    "dtype of DLPack": (lambda: Exporter(floats(8, np.int32)), TypeError, "expected dtype float32, got int32"),
    "rank": (lambda: floats((2, 4)), TypeError, r"expected 1 axes, got 2 \(shape \(2, 4\)\)"),
}


@pytest.mark.parametrize("path", HANDLES)
@pytest.mark.parametrize("case", FOR_HANDLES)
def test_arrays_of_another_kind(case, path, monkeypatch):
    value, error, message = FOR_HANDLES[case]
    refused(path, fx.Int32, 0, value(), error, message, monkeypatch)


def test_a_wrapper_may_name_the_elements(chip):
    a = floats(8)
    handle = flyc.compile(make(fx.Int32), a, 1, None)
    bits = floats(8, np.int32)
    handle(flyc.from_dlpack(bits, dtype="float32"), 1, None)
    assert (bits.view(np.float32)[:4] == 1).all()


@pytest.mark.parametrize("path", [native, in_python])
def test_reach_of_narrow_strides(path, monkeypatch):
    @flyc.jit
    def run(a: fx.Tensor):
        pass

    def array(*shape, strides):
        return np.lib.stride_tricks.as_strided(np.zeros(1, np.int8), shape, strides)

    def wrapped(array):
        return flyc.from_dlpack(array, use_32bit_stride=True).mark_layout_dynamic(divisibility=1 if path is native else 2)

    handle = flyc.compile(run, wrapped(array(2**26, 32, strides=(32, 1))))
    handle(array(2**26, 32, strides=(32, 1)))
    handle(array(2, 0, strides=(2**31 - 2, 1)))
    for far in (array(2**26, 34, strides=(32, 1)), array(2**26, 34, strides=(-32, 1))):
        message = rf"argument 'a': use_32bit_stride: the last element is 2147483649 elements away .*strides \({far.strides[0]}, 1\)"
        with pytest.raises(ValueError, match=message):
            handle(far)
        with pytest.raises(ValueError, match=message):
            handle(Exporter(far))
        with pytest.raises(ValueError, match=message.removeprefix("argument 'a': ")):
            wrapped(far)


Value = types.SimpleNamespace
INTEGERS = [None, "1", 1.5, 2.0, float("nan"), float("inf"), 1 + 0j, 2**31, -2**31 - 1, 2**63, 2**64, -2**63 - 1, 10**400, np.float32(1.5),
            np.int64(2**40), np.zeros(1, np.int32), np.zeros(2, np.int32), floats(1), ctypes.c_int(1), ctypes.c_float(1), Value(value=1),
            decimal.Decimal(1), [], [1], b"1", np.complex64(1), np.datetime64(1, "s"), np.str_("1"), object()]
FLOATS = [None, "1", 1 + 0j, 1e39, -1e300, 10**40, 10**400, np.float64(1e39), np.longdouble("1e4000"), np.zeros(1, np.int32),
          floats(1), floats(2), ctypes.c_int(1), ctypes.c_float(1), Value(value=1.0), [], [1.0], b"1", np.complex64(1), np.datetime64(1, "s"), np.str_("1"), object()]
SMALL_FLOATS = [65520.0, -1e6, 10**5]
BOOLEANS = [None, "1", "", 1.5, 0.0, float("nan"), 1 + 0j, np.float32(1), np.zeros(1, np.int32), np.zeros(2, bool), ctypes.c_int(1),
            ctypes.c_bool(True), Value(value=True), decimal.Decimal(1), [], [1], b"1", np.complex64(1), object()]
NUMBERS = [(kind, value) for kind, values in ((fx.Int32, INTEGERS), (fx.Int8, [128, -129, np.int32(200)]), (fx.Uint8, [-1, 256]),
                                              (fx.Int64, [2**63, 1.0]), (fx.Uint64, [-1, 2**64, 1.0]), (fx.Float32, FLOATS),
                                              (fx.Float16, SMALL_FLOATS), (fx.BFloat16, [3.4e38, 1e39]), (fx.Float64, [10**400, "x"]),
                                              (fx.Boolean, BOOLEANS)) for value in values]


# DIFF: py-handle-kinds
@pytest.mark.parametrize("path", [first, warm, native, in_python])
@pytest.mark.parametrize("kind, value", NUMBERS, ids=lambda x: getattr(x, "__name__", None) or type(x).__name__)
def test_numbers(kind, value, path, monkeypatch):
    refused(path, kind, 1, value, (TypeError, ValueError), f"{kind.__name__}|multiple axes|ambiguous", monkeypatch)


ACCEPTED = [(fx.Int32, [True, 0, -2**31, 2**31 - 1, np.int64(5), np.uint8(5), np.bool_(True), fx.Int32(7)]), (fx.Uint64, [2**64 - 1]),
            (fx.Float32, [True, 1, 2**40, 1.5, 3.4e38, float("inf"), float("nan"), np.float16(1.5), ml_dtypes.bfloat16(2), fx.Float32(0.5)]),
            (fx.Float16, [65504, 65519.9]), (fx.Boolean, [True, False, 0, 5, np.bool_(False), np.int8(3), fx.Boolean(True)])]


@pytest.mark.parametrize("path", [first, warm, native, in_python])
@pytest.mark.parametrize("kind, value", [(kind, value) for kind, values in ACCEPTED for value in values])
def test_numbers_that_fit(kind, value, path, monkeypatch):
    @flyc.kernel
    def kernel(a: fx.Tensor, n: kind):
        a[0] = n

    @flyc.jit
    def run(a: fx.Tensor, n: kind):
        kernel(a, n).launch()

    dtype = {"Boolean": np.bool_}.get(kind.__name__) or getattr(np, kind.__name__.lower())
    a = np.zeros(4, dtype)
    good = [a, True if kind is fx.Boolean else 1]
    call = run
    if path is warm:
        run(*good)
    elif path is native:
        call = flyc.compile(run, *good)
    elif path is in_python:
        call = flyc.compile(run, flyc.from_dlpack(a).mark_layout_dynamic(divisibility=4), good[1])
    call(a, value)
    want = np.array(getattr(value, "value", value)).astype(dtype)
    assert a[0] == want or np.isnan(want) and np.isnan(a[0])


@pytest.mark.parametrize("path", [native, in_python])
@pytest.mark.parametrize("kind, value", [(fx.Int32, fx.Int64(1)), (fx.Int32, fx.Float32(1)), (fx.Float32, fx.Float64(1)), (fx.Float32, fx.Int32(1)),
                                         (fx.Boolean, fx.Int32(1))])
def test_numbers_of_another_class(kind, value, path, monkeypatch):
    # A @jit function compiles anew for these.
    name = kind.__name__
    refused(path, kind, 1, value, TypeError, f"found {type(value).__name__}, expected {name}; convert it with fx.{name}", monkeypatch)


STREAMS = [True, False, -1, 2**64, 1.5, "x", ctypes.c_void_p(0), ctypes.c_int(0), Value(cuda_stream=None), Value(cuda_stream="x"),
           Value(cuda_stream=True), Value(cuda_stream=-1), Value(value=0), floats(), np.int64(0), [], Value(cuda_stream=Value(value=0))]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("value", STREAMS, ids=lambda x: type(x).__name__)
def test_streams(value, path, monkeypatch):
    refused(path, fx.Int32, 2, value, (TypeError, ValueError), "stream|address", monkeypatch)


@pytest.mark.parametrize("path", [first, warm, native, in_python])
@pytest.mark.parametrize("value", [None, 0, fx.Stream(None), fx.Stream(0), Value(cuda_stream=0)], ids=str)
def test_streams_that_are_some(value, path, monkeypatch):
    a = floats()
    path(fx.Int32, [floats(), 1, None], [a, 1, value], monkeypatch)
    assert (a[:4] == 1).all()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("count", [0, 1, 4])
def test_number_of_arguments(path, count, monkeypatch):
    bad = [floats(), 1, None, None][:count]
    with pytest.raises(TypeError, match="missing|too many|arguments, got"):
        path(fx.Int32, [floats(), 1, None], bad, monkeypatch)


def test_pointers_of_a_handle():
    @flyc.kernel
    def kernel(p: fx.Pointer):
        fx.ptr_store(fx.Float32(5.0), p)

    @flyc.jit
    def run(p: fx.Pointer):
        kernel(p).launch()

    a = floats(16)
    address = a.ctypes.data + -a.ctypes.data % 16
    handle = flyc.compile(run, flyc.from_c_void_p(fx.Float32, address, assumed_align=16))
    offset = (address - a.ctypes.data) // 4
    for value in (address, ctypes.c_void_p(address), flyc.from_c_void_p(fx.Float32, address), flyc.from_c_void_p("f32", address)):
        a[:] = 0
        handle(value)
        assert a[offset] == 5 and a.sum() == 5
    a[:] = 0
    for value, error, message in [(address + 4, ValueError, "expected an address aligned to 16 bytes, got"),
                                  (flyc.from_c_void_p(fx.Float32, address + 4), ValueError, "expected an address aligned to 16 bytes, got 0x"),
                                  (flyc.from_c_void_p(fx.Float64, address), TypeError, "a pointer to Float32, .*got one to Float64"),
                                  (flyc.from_c_void_p(fx.Int32, address), TypeError, "a pointer to Float32, .*got one to Int32"),
                                  (flyc.from_c_void_p(fx.Float32, address, address_space="shared"), TypeError, "address space global, .*got shared"),
                                  (True, TypeError, "got bool"), (1.5, TypeError, "got float"), (-1, ValueError, "-1 is no address"),
                                  (2**64, ValueError, "is no address"), (a, TypeError, "got ndarray"), ("x", TypeError, "got str")]:
        with pytest.raises(error, match=f"argument 'p': .*{message}"):
            handle(value)
    assert not a.any()


def test_numbers_for_pointers_and_tensors():
    @flyc.jit
    def run(p: fx.Pointer, a: fx.Tensor):
        pass

    a = floats()
    with pytest.raises(TypeError, match=r"argument 'p': expected what flyc.from_c_void_p gives for fx.Pointer, got int \(4096\)"):
        run(4096, a)
    with pytest.raises(TypeError, match=r"argument 'a': expected an array for fx.Tensor, got int \(4096\)"):
        run(flyc.from_c_void_p(fx.Float32, a.ctypes.data), 4096)
