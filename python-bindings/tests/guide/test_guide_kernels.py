# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel authoring guide, sections 1 to 3: kernels, parameters, the hierarchy of threads."""
import ctypes

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl._mlir import ir
from flydsl.compiler import JitArgumentRegistry
from flydsl.compiler.jit_function import JitFunction
from flydsl.compiler.kernel_function import KernelFunction
from flydsl.expr import gpu, range_constexpr
from guide_support import FakeTorch

pytestmark = pytest.mark.usefixtures("chip")
torch = FakeTorch()


# 1.1

@flyc.kernel
def vec_add_kernel(
    A: fx.Tensor,
    B: fx.Tensor,
    C: fx.Tensor,
    N: fx.Constexpr[int],
):
    tid = gpu.thread_idx.x
    bid = gpu.block_idx.x
    idx = bid * 256 + tid
    C[idx] = A[idx] + B[idx]


@flyc.jit
def vec_add(
    A: fx.Tensor,
    B: fx.Tensor,
    C: fx.Tensor,
    N: fx.Constexpr[int],
    stream: fx.Stream = fx.Stream(None),
):
    vec_add_kernel(A, B, C, N).launch(
        grid=(N // 256, ),
        block=(256, ),
        stream=stream,
    )


def test_1_1_basic_kernel():
    A = torch.randn(1024, device="cuda", dtype=torch.float32)
    B = torch.randn(1024, device="cuda", dtype=torch.float32)
    C = torch.empty(1024, device="cuda", dtype=torch.float32)

    assert vec_add(A, B, C, 1024) is None
    np.testing.assert_array_equal(C.numpy(), A.numpy() + B.numpy())


def test_1_2_how_it_works():
    assert isinstance(vec_add_kernel, KernelFunction) and isinstance(vec_add, JitFunction)

    @flyc.kernel
    def kernel(A: fx.Tensor):
        for i in range(4):
            if A[i] > 0.0:
                A[i] = -A[i]

    @flyc.jit
    def launcher(A: fx.Tensor):
        kernel(A).launch(grid=1, block=1)

    a = np.arange(4, dtype=np.float32)
    launcher(a)
    np.testing.assert_array_equal(a, [0, -1, -2, -3])
    text = launcher._last_compiled[1].source_ir
    for part in ("gpu.container_module", "gpu.module @kernels", "gpu.func @kernel_0", "gpu.launch_func", "scf.for",
                 "scf.if", "func.func @launcher"):
        assert part in text
    assert isinstance(launcher._last_compiled[1], flyc.JITCFunction)
    # A second call of the same kind runs what is there.
    launcher(a)
    assert launcher.cache_info()[:2] == (1, 1)


def test_1_2_a_kernel_call_is_pending_until_its_launch():
    order = []

    @flyc.kernel
    def kernel(A: fx.Tensor):
        order.append("kernel")

    @flyc.jit
    def launcher(A: fx.Tensor):
        pending = kernel(A)
        order.append("launcher")
        pending.launch(grid=1, block=1)

    launcher(np.zeros(4, np.float32))
    assert order == ["launcher", "kernel"]


# 2

def test_2_1_tensor():
    seen = []

    @flyc.kernel
    def my_kernel(input: fx.Tensor, output: fx.Tensor):
        seen.append((type(input), isinstance(input, ir.Value), str(input.type)))
        output[gpu.thread_idx.x] = input[gpu.thread_idx.x]

    @flyc.jit
    def launch(input: fx.Tensor, output: fx.Tensor):
        my_kernel(input, output).launch(grid=1, block=8)

    x, y = torch.randn(8, dtype=torch.float32), torch.empty(8, dtype=torch.float32)
    launch(x, y)
    np.testing.assert_array_equal(x.numpy(), y.numpy())
    assert seen == [(fx.Tensor, True, "!fly.memref<f32, global, ?:1>")]


def test_2_2_constexpr():

    @flyc.kernel
    def my_kernel(data: fx.Tensor, N: fx.Constexpr[int], dtype: fx.Constexpr[str]):
        for i in range_constexpr(N // 64):  # unrolled at compile time
            data[i] = {"f32": 1.5, "i32": 2.0}[dtype]

    @flyc.jit
    def launch(data: fx.Tensor, N: fx.Constexpr[int], dtype: fx.Constexpr[str]):
        my_kernel(data, N, dtype).launch(grid=1, block=1)

    data = np.zeros(4, np.float32)
    launch(data, 128, "f32")
    np.testing.assert_array_equal(data, [1.5, 1.5, 0, 0])
    text = launch._last_compiled[1].source_ir
    assert "scf.for" not in text and text.count("fly.memref.store") == 2
    launch(data, 192, "i32")
    np.testing.assert_array_equal(data, [2, 2, 2, 0])
    launch(data, 128, "f32")
    # Different values are different kernels.
    assert launch.cache_info().currsize == 2 and launch.cache_info().disk_size == 2


def test_2_3_int32():

    @flyc.kernel
    def kernel(data: fx.Tensor, size: fx.Int32):
        if gpu.thread_idx.x < size:
            data[gpu.thread_idx.x] = 1

    @flyc.jit
    def launch(data: fx.Tensor, size: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        assert isinstance(size, fx.Int32) and not size.is_static() and str(size.ir_value().type) == "i32"
        kernel(data, size).launch(grid=1, block=64, stream=stream)

    for size in (5, 64, 0):
        data = np.zeros(64, np.int32)
        launch(data, size)
        assert data.sum() == size
    assert launch.cache_info().currsize == 1
    assert JitArgumentRegistry.get(int)[0] is fx.Int32


def test_2_4_stream():

    @flyc.kernel
    def my_kernel(data: fx.Tensor):
        data[gpu.thread_idx.x] = data[gpu.thread_idx.x] + 1.0

    @flyc.jit
    def launch(data: fx.Tensor, stream: fx.Stream = fx.Stream(None)):
        my_kernel(data).launch(grid=(1, ), block=(256, ), stream=stream)

    data = np.zeros(256, np.float32)
    stream = torch.cuda.Stream()
    launch(data, stream=fx.Stream(stream))
    launch(data, stream)
    launch(data)
    assert (data == 3).all()
    with pytest.raises(ValueError, match="invalid stream value"):
        fx.Stream("main")


# 2.5

class MyCustomType:

    def __init__(self, scale, shift):
        self.scale, self.shift = scale, shift


class MyDslType:

    def __init__(self, scale, shift):
        self.scale, self.shift = scale, shift

    def __extract_to_ir_values__(self):
        return [self.scale.ir_value(), self.shift.ir_value()]

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        return cls(fx.Float32(values[0]), fx.Int32(values[1]))


@JitArgumentRegistry.register(MyCustomType, dsl_type=MyDslType)
class MyCustomAdaptor:

    def __init__(self, value: MyCustomType):
        self.value = value

    def __get_ir_types__(self):
        return [fx.Float32.ir_type, fx.Int32.ir_type]  # MLIR types for this argument

    def __get_c_pointers__(self):
        # ctypes pointers for invocation
        return [ctypes.pointer(ctypes.c_float(self.value.scale)), ctypes.pointer(ctypes.c_int32(self.value.shift))]


def test_2_5_custom_argument_types():

    @flyc.kernel
    def kernel(data: fx.Tensor, custom):
        i = gpu.thread_idx.x
        data[i] = custom.scale * fx.Float32(i + custom.shift)

    @flyc.jit
    def launch(data: fx.Tensor, custom):
        kernel(data, custom).launch(grid=1, block=8)

    data = np.zeros(8, np.float32)
    for scale, shift in ((0.5, 3), (2.0, -1)):
        launch(data, MyCustomType(scale, shift))
        np.testing.assert_array_equal(data, scale * (np.arange(8) + shift))


# 3

@flyc.kernel
def hierarchy_kernel(out: fx.Tensor):
    # Thread index within workgroup (returns Int32)
    tid_x = gpu.thread_idx.x
    tid_y = gpu.thread_idx.y
    tid_z = gpu.thread_idx.z

    # Block (workgroup) index within grid
    bid_x = gpu.block_idx.x
    bid_y = gpu.block_idx.y

    # Block dimensions
    bdim_x = gpu.block_dim.x

    # Grid dimensions
    gdim_x = gpu.grid_dim.x

    # Low-level (returns raw ir.Value)
    raw_tid = gpu.thread_id("x")
    raw_bid = gpu.block_id("x")

    for value in (tid_x, tid_y, tid_z, bid_x, bid_y, bdim_x, gdim_x):
        assert isinstance(value, fx.Int32)
    for value in (raw_tid, raw_bid):
        assert isinstance(value, ir.Value) and str(value.type) == "index"
    row = ((bid_y * gdim_x + bid_x) * 2 + tid_z) * 3 + tid_y
    at = row * bdim_x + tid_x
    for n, value in enumerate((tid_x, tid_y, tid_z, bid_x, bid_y, bdim_x, gdim_x, fx.Int32(raw_tid), fx.Int32(raw_bid))):
        out[at, n] = value


@flyc.jit
def hierarchy(out: fx.Tensor):
    hierarchy_kernel(out).launch(grid=(5, 2), block=(4, 3, 2))


def test_3_hierarchy():
    out = np.full((240, 9), -1, np.int32)
    hierarchy(out)
    by, bx, tz, ty, tx = np.unravel_index(np.arange(240), (2, 5, 2, 3, 4))
    np.testing.assert_array_equal(out, np.stack([tx, ty, tz, bx, by, 0 * tx + 4, 0 * tx + 5, tx, bx], axis=1))
