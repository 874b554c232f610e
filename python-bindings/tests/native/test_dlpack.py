# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Capsules of `__dlpack__` made by hand, as a call of a handle reads them."""

import ctypes

import flydsl.compiler as flyc
import flydsl.expr as fx
import numpy as np
import pytest
from flydsl.compiler.arrays import _DLTensor

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Exporter:
    """Exports `array` with a description of the test's choice."""

    def __init__(self, array, shape=None, strides=None, device=1, offset=0, rank=None, name=b"dltensor"):
        shape = array.shape if shape is None else shape
        self.array, self.name = array, name
        self.sizes = (ctypes.c_int64 * len(shape))(*shape)
        self.steps = (ctypes.c_int64 * len(shape))(*strides) if strides is not None else None
        tensor = self.tensor = _DLTensor()
        tensor.data, tensor.byte_offset = array.ctypes.data, offset
        tensor.device.type, tensor.ndim = device, len(shape) if rank is None else rank
        tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = 0, 32, 1
        tensor.shape = self.sizes
        if self.steps is not None:
            tensor.strides = self.steps

    def __dlpack__(self, stream=None):
        return _new(ctypes.addressof(self.tensor), self.name, None)


@flyc.kernel
def count_kernel(out: fx.Tensor):
    out[fx.thread_idx.x] = fx.thread_idx.x + 1


@flyc.jit
def count(out: fx.Tensor):
    count_kernel(out).launch(block=4)


@pytest.fixture
def handle(monkeypatch):
    monkeypatch.setenv("FLYDSL_DEVICE", "cpu")
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx942")
    return flyc.compile(count, np.zeros(4, np.int32))


@pytest.mark.parametrize("options, first", [({}, 0), ({"strides": (1, )}, 0), ({"offset": 8}, 2)])
def test_places(handle, options, first):
    array = np.zeros(8, np.int32)
    handle(Exporter(array, shape=(4, ), **options))
    expected = np.zeros(8, np.int32)
    expected[first:first + 4] = [1, 2, 3, 4]
    assert (array == expected).all()


@pytest.mark.parametrize("options, text", [
    ({"shape": (-4, )}, r"expected sizes of 0 or more, got \(-4,\)"),
    ({"rank": -1}, "expected 0 to 64 axes, got -1"),
    ({"rank": 65}, "expected 0 to 64 axes, got 65"),
    ({"name": b"used_dltensor"}, "expected a capsule named 'dltensor', got <capsule object \"used_dltensor\""),
    ({"device": 10}, "the array is in GPU memory"),
    ({"device": 4}, "unsupported DLPack device type 4"),
])
def test_refused(handle, options, text):
    array = np.full(4, 7, np.int32)
    with pytest.raises((TypeError, ValueError), match=f"argument 'out': .*{text}"):
        handle(Exporter(array, **options))
    assert (array == 7).all()
