# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch tensors and streams, by a stand-in for torch: the package reads a handful of attributes."""
import sys
import types

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.compiler import jit_argument
from flydsl.compiler.jit_argument import JitArgumentRegistry
from flydsl.compiler.tensor_argument import TorchTensorJitArg

pytestmark = pytest.mark.usefixtures("chip")


class Dtype:

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return f"torch.{self.name}"


DTYPES = {name: Dtype(name) for name in ("float32", "float16", "bfloat16", "complex64", "float8_e4m3fn")}


class Tensor:
    """The members of torch.Tensor that the package reads, over a NumPy array."""

    def __init__(self, array, dtype=None, device="cpu"):
        self.array, self.dtype = array, DTYPES[dtype or array.dtype.name]
        self.shape = array.shape
        self.device = types.SimpleNamespace(type=device)

    def stride(self):
        return tuple(s // self.array.itemsize for s in self.array.strides)

    def element_size(self):
        return self.array.itemsize

    def data_ptr(self):
        return self.array.ctypes.data


class TorchStream:
    cuda_stream = 0


@pytest.fixture(autouse=True)
def torch(monkeypatch):
    module = types.ModuleType("torch")
    module.Tensor = Tensor
    module.cuda = types.SimpleNamespace(Stream=TorchStream, is_available=lambda: False)
    monkeypatch.setitem(sys.modules, "torch", module)
    yield module
    jit_argument._present.discard("torch")
    for cls in (Tensor, TorchStream):
        JitArgumentRegistry._constructors.pop(cls, None)


def make():

    @flyc.kernel
    def double_kernel(a: fx.Tensor, c: fx.Tensor):
        i = fx.thread_idx.x
        c[i] = a[i] * 2.0

    @flyc.jit
    def double(a: fx.Tensor, c: fx.Tensor, stream: fx.Stream = fx.Stream(None)):
        double_kernel(a, c).launch(block=32, stream=stream)

    return double


def test_plain_tensors_are_live():
    a, c = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    run = make()
    for _ in range(2):
        c[:] = 0
        run(Tensor(a), Tensor(c), TorchStream())
        np.testing.assert_array_equal(c, a * 2)
    assert run.cache_info()[:2] == (1, 1)
    handle = flyc.compile(run, Tensor(a), Tensor(c))
    c[:] = 0
    handle(Tensor(a), Tensor(c), TorchStream())
    np.testing.assert_array_equal(c, a * 2)


def test_gpu_tensor_on_the_cpu_device():
    a, c = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    run = make()
    run(Tensor(a), Tensor(c))
    with pytest.raises(ValueError, match="argument 'a': the array is in GPU memory, but the CPU device is in use"):
        run(Tensor(a, device="cuda"), Tensor(c))


def test_types():
    tensor = Tensor(np.zeros((4, 16), np.float32))
    assert TorchTensorJitArg(tensor).memref_text() == "!fly.memref<f32, global, (?,?):(?{i64},1)>"
    assert flyc.from_torch_tensor(tensor).memref_text() == "!fly.memref<f32, global, (4,16):(16,1)>"
    assert flyc.from_torch_tensor(Tensor(np.zeros(4, np.uint16), "bfloat16")).memref_text().startswith("!fly.memref<bf16")
    with pytest.raises(TypeError, match="unsupported torch dtype for memref element type: torch.complex64"):
        flyc.from_torch_tensor(Tensor(np.zeros(4, np.complex64)))


def test_subclass():

    class Parameter(Tensor):
        pass

    a, c = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    make()(Parameter(a), Tensor(c))
    np.testing.assert_array_equal(c, a * 2)


def test_no_unit_stride():
    with pytest.raises(RuntimeError, match="cannot auto-mark layout-dynamic"):
        make()(Tensor(np.zeros(64, np.float32)[::2]), Tensor(np.zeros(32, np.float32)))


def test_streams():
    assert fx.Stream(TorchStream()).value == 0
    assert fx.Stream(5).value == 5 and fx.Stream(None).value is None
    for wrong in ("x", 1.5, object(), True, -1):
        with pytest.raises(ValueError, match="invalid stream value"):
            fx.Stream(wrong)
