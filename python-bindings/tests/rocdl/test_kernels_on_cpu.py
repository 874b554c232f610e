# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with shared memory, structs, buffers and cross-lane instructions, compiled and run on the CPU target."""

import warnings

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.expr import buffer_ops, rocdl
from flydsl.expr.typing import T

WAVE64 = ["gfx942", "gfx950"]
ALL = ["gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250"]


@pytest.fixture(params=ALL)
def chip(request, monkeypatch):
    monkeypatch.setenv("FLYDSL_GPU_ARCH", request.param)
    return request.param


@fx.struct
class Mixed:
    head: fx.Array[fx.Uint8, 3]
    body: fx.Array[fx.Float32, 64, 16]
    count: fx.Uint16
    both: fx.Union["i": fx.Int32, "f": fx.Float32]
    pairs: fx.Array[fx.Struct["a": fx.Int8, "b": fx.Int32], 64]


@flyc.kernel
def mixed_kernel(src: fx.Tensor, dst: fx.Tensor, static: fx.Constexpr[bool]):
    tid = fx.thread_idx.x
    storage = fx.SharedAllocator(static=static).allocate(Mixed)
    body = storage.body.peek()
    pairs = storage.pairs.peek()
    body[tid] = src[tid]
    pairs[tid] = (fx.Int8(tid), tid * 1000)
    if tid == 0:
        storage.count.poke(65535)
        storage.both.f.poke(1.0)
        storage.head.peek()[1] = 200
    fx.gpu.barrier()
    other = 63 - tid
    bits = storage.both.i.peek()
    pair = pairs[other]
    dst[(tid, 0)] = fx.Int32(body[other])
    dst[(tid, 1)] = fx.Int32(storage.count.peek())
    dst[(tid, 2)] = bits
    dst[(tid, 3)] = fx.Int32(pair.a) + pair.b
    dst[(tid, 4)] = fx.Int32(storage.peek().head[1])


@flyc.jit
def mixed(src: fx.Tensor, dst: fx.Tensor, static: fx.Constexpr[bool], stream: fx.Stream = fx.Stream(None)):
    mixed_kernel(src, dst, static).launch(grid=(1,), block=(64,), stream=stream)


@pytest.mark.parametrize("static", [True, False])
def test_structs_in_shared_memory(chip, static):
    src, dst = np.arange(64, dtype=np.float32) * 3, np.zeros((64, 5), np.int32)
    mixed(flyc.from_dlpack(src), flyc.from_dlpack(dst), static)
    other = 63 - np.arange(64)
    want = np.stack([other * 3, np.full(64, 65535), np.full(64, 0x3F800000), other + other * 1000, np.full(64, 200)], axis=1)
    np.testing.assert_array_equal(dst, want)


@flyc.kernel
def two_arrays_kernel(dst: fx.Tensor, at: fx.Int32):
    allocator = fx.SharedAllocator(static=False)
    first, second = allocator.allocate(fx.Array[fx.Int32, 1]).peek(), allocator.allocate(fx.Array[fx.Int32, 1]).peek()
    third = allocator.allocate(fx.Array[fx.Float32, 4]).peek()
    first[0] = 1
    second[0] = 2
    third[0] = 1.5
    fx.gpu.barrier()
    dst[0] = fx.Float32(first[0])
    dst[1] = fx.Float32(second[0])
    dst[2] = third[at]


@flyc.jit
def two_arrays(dst: fx.Tensor, at: fx.Int32):
    two_arrays_kernel(dst, at).launch(grid=(1,), block=(1,))


def test_dynamic_arrays_do_not_alias(chip):
    # User report 62.
    dst = np.zeros(3, np.float32)
    two_arrays(flyc.from_dlpack(dst), 0)
    np.testing.assert_array_equal(dst, [1, 2, 1.5])


@flyc.kernel
def lanes_kernel(dst: fx.Tensor):
    lane = fx.gpu.lane_id()
    tid = fx.thread_idx.x
    wave = fx.num_warp_threads()
    dst[(tid, 0)] = fx.gpu.shuffle_xor(lane, 1)
    dst[(tid, 1)] = fx.gpu.shuffle_idx(lane * 2, 5)
    dst[(tid, 2)] = rocdl.readfirstlane(lane + 7)
    dst[(tid, 3)] = rocdl.ds_bpermute((lane ^ 3) * 4, lane)
    dst[(tid, 4)] = fx.Int32(rocdl.ballot(T.i64 if wave == 64 else T.i32, (lane & 1) == 0))
    dst[(tid, 5)] = fx.gpu.shuffle_up(lane, 1, 16)
    dst[(tid, 6)] = rocdl.readlane(lane * 3, 9)


@flyc.jit
def lanes(dst: fx.Tensor):
    lanes_kernel(dst).launch(grid=(1,), block=(64,))


def test_cross_lane_instructions(chip):
    dst = np.zeros((64, 7), np.int32)
    lanes(flyc.from_dlpack(dst))
    wave = 64 if chip.startswith("gfx9") else 32
    lane = np.arange(64) % wave
    want = np.stack([lane ^ 1, np.full(64, 10), np.full(64, 7), lane ^ 3, np.full(64, 0x55555555), np.where(lane % 16 == 0, lane, lane - 1),
                     np.full(64, 27)], axis=1)
    np.testing.assert_array_equal(dst, want)


@flyc.kernel
def buffer_kernel(src: fx.Tensor, dst: fx.Tensor, tight: fx.Constexpr[bool]):
    tid = fx.thread_idx.x
    lane = fx.make_layout(4, 1)
    a, b = rocdl.make_buffer_tensor(src, max_size=not tight), rocdl.make_buffer_tensor(dst, max_size=not tight)
    atom = fx.make_copy_atom(rocdl.BufferCopy128b(), fx.Float32)
    hold = fx.make_rmem_tensor(4, fx.Float32)
    fx.copy_atom_call(atom, fx.slice(fx.zipped_divide(a, lane), (None, tid)), hold)
    fx.copy_atom_call(atom, hold, fx.slice(fx.zipped_divide(b, lane), (None, tid)))


@flyc.jit
def buffer_copy(src: fx.Tensor, dst: fx.Tensor, tight: fx.Constexpr[bool]):
    buffer_kernel(src, dst, tight).launch(grid=(1,), block=(64,))


@pytest.mark.parametrize("dynamic", [False, True])
def test_buffer_bounds(chip, dynamic):
    def argument(x):
        x = flyc.from_dlpack(x)
        return x.mark_layout_dynamic() if dynamic else x

    # 37 vectors of 4 of 64 lie inside; the rest reads 0 and is not stored.
    for rows in (148, 148 * 2):
        memory = np.full(1024, -1, np.float32)
        src, dst = np.arange(rows, dtype=np.float32), memory[:rows]
        buffer_copy(argument(src), argument(dst), True)
        count = min(rows, 256)
        np.testing.assert_array_equal(memory[:count], src[:count])
        assert (memory[count:] == -1).all()


@flyc.kernel
def sized_kernel(src: fx.Tensor, dst: fx.Tensor, size: fx.Int64):
    tid = fx.thread_idx.x
    a = rocdl.make_buffer_tensor(src, num_records_bytes=size)
    dst[tid] = a[tid]


@flyc.jit
def sized(src: fx.Tensor, dst: fx.Tensor, size: fx.Int64):
    sized_kernel(src, dst, size).launch(grid=(1,), block=(64,))


@pytest.mark.parametrize("size, read", [(-4, 0), (0, 0), (100, 25), (256, 64), ((1 << 32) - 1, 64), ((1 << 32) + 8, 64), (1 << 62, 64)])
def test_run_time_buffer_sizes_are_cut_not_wrapped(chip, size, read):
    src, dst = np.arange(1, 65, dtype=np.int32), np.full(64, -1, np.int32)
    sized(flyc.from_dlpack(src), flyc.from_dlpack(dst), size)
    np.testing.assert_array_equal(dst, np.where(np.arange(64) < read, src, 0))


@flyc.kernel
def raw_kernel(src: fx.Tensor, dst: fx.Tensor, n: fx.Int32):
    tid = fx.thread_idx.x
    a = buffer_ops.create_buffer_resource(src, max_size=False)
    b = buffer_ops.create_buffer_resource(dst, max_size=False)
    value = buffer_ops.buffer_load(a, tid, vec_width=1, dtype=T.f16, mask=tid < n)
    buffer_ops.buffer_store(value, b, tid)
    buffer_ops.buffer_store(value, b, tid + 64, mask=tid >= n)


@flyc.jit
def raw(src: fx.Tensor, dst: fx.Tensor, n: fx.Int32):
    raw_kernel(src, dst, n).launch(grid=(1,), block=(64,))


def test_raw_buffers(chip):
    src, dst = np.arange(1, 65).astype(np.float16), np.full(128, -1, np.float16)
    raw(flyc.from_dlpack(src), flyc.from_dlpack(dst), 40)
    np.testing.assert_array_equal(dst[:64], np.where(np.arange(64) < 40, src, 0))
    np.testing.assert_array_equal(dst[64:], np.where(np.arange(64) < 40, -1, 0))


@flyc.kernel
def masked_kernel(src: fx.Tensor, dst: fx.Tensor, size: fx.Int64, width: fx.Constexpr[int], sized: fx.Constexpr[int]):
    tid = fx.thread_idx.x
    bytes_of = (lambda _: {}, lambda n: dict(num_records_bytes=0xFFFFFFFF), lambda n: dict(num_records_bytes=n), lambda n: dict(max_size=False))[sized]
    a, b = [buffer_ops.create_buffer_resource(tensor, **bytes_of(size)) for tensor in (src, dst)]
    value = buffer_ops.buffer_load(a, tid * width, vec_width=width, mask=tid % 2 == 0, soffset_bytes=16)
    buffer_ops.buffer_store(value, b, tid * width, mask=tid % 3 != 0)


@flyc.jit
def masked(src: fx.Tensor, dst: fx.Tensor, size: fx.Int64, width: fx.Constexpr[int], sized: fx.Constexpr[int]):
    masked_kernel(src, dst, size, width, sized).launch(grid=(1,), block=(32,))


@pytest.mark.parametrize("sized", range(4), ids=["no size", "static size", "run-time size", "size of the tensor"])
@pytest.mark.parametrize("width", [1, 4])
def test_masks_of_buffers_of_any_size(every_chip, width, sized):
    src, dst = np.arange(1, 32 * width + 5, dtype=np.float32), np.full(32 * width, -1, np.float32)
    masked(flyc.from_dlpack(src), flyc.from_dlpack(dst), (1 << 32) - 1, width, sized)
    lane = np.arange(32 * width) // width
    np.testing.assert_array_equal(dst, np.where(lane % 3 == 0, -1, np.where(lane % 2 == 0, src[4:], 0)))


@fx.struct
class Parameters:
    scale: fx.Float32
    shift: fx.Int32
    flags: fx.Struct["twice": fx.Boolean]
    power: fx.Constexpr[int]


@flyc.kernel
def parameters_kernel(dst: fx.Tensor, p: Parameters):
    tid = fx.thread_idx.x
    value = fx.Float32(tid + p.shift) * p.scale
    for _ in fx.range_constexpr(p.power):
        value = value * 2.0
    dst[tid] = p.flags.twice.select(value + value, value)


@flyc.jit
def parameters(dst: fx.Tensor, p: Parameters):
    parameters_kernel(dst, p).launch(grid=(1,), block=(64,))


def test_structs_as_arguments(chip):
    dst = np.zeros(64, np.float32)
    for twice, power in ((True, 0), (False, 3)):
        parameters(flyc.from_dlpack(dst), Parameters(0.5, 3, (twice,), power))
        np.testing.assert_array_equal(dst, (np.arange(64) + 3) * 0.5 * (2 if twice else 1) * 2**power)


@flyc.kernel
def mfma_kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
    lane = fx.thread_idx.x
    row, group = lane % 16, lane // 16
    left = fx.Vector.from_elements([a[(row, group * 4 + i)] for i in range(4)], fx.Float16)
    right = fx.Vector.from_elements([b[(row, group * 4 + i)] for i in range(4)], fx.Float16)
    result = fx.Vector(rocdl.mfma_f32_16x16x16f16(T.f32x4, [left, right, fx.full(4, 0.0, fx.Float32)]))
    for i in fx.range_constexpr(4):
        c[(group * 4 + i, row)] = result[i]


@flyc.jit
def mfma(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
    mfma_kernel(a, b, c).launch(grid=(1,), block=(64,))


@pytest.mark.parametrize("chip", WAVE64, indirect=True)
def test_mfma_instruction(chip):
    rng = np.random.default_rng(1)
    a, b = (rng.uniform(-1, 1, (16, 16)).astype(np.float16) for _ in range(2))
    c = np.zeros((16, 16), np.float32)
    mfma(*map(flyc.from_dlpack, (a, b, c)))
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32).T, rtol=1e-5, atol=1e-5)


@flyc.kernel
def math_kernel(dst: fx.Tensor):
    x = fx.Float32(fx.thread_idx.x + 1)
    dst[(fx.thread_idx.x, 0)] = rocdl.exp2(x)
    dst[(fx.thread_idx.x, 1)] = fx.Float32(rocdl.rcp(T.f32, x))
    rocdl.sched_barrier(0)
    rocdl.s_setprio(1)


@flyc.jit
def math(dst: fx.Tensor):
    math_kernel(dst).launch(grid=(1,), block=(32,))


def test_math_instructions(chip):
    dst = np.zeros((32, 2), np.float32)
    math(flyc.from_dlpack(dst))
    x = np.arange(1, 33, dtype=np.float32)
    np.testing.assert_allclose(dst, np.stack([2.0**x, 1 / x], axis=1), rtol=1e-6)


@flyc.kernel
def too_much_kernel():
    fx.SharedAllocator().allocate(fx.Array[fx.Float32, 100000])


@flyc.jit
def too_much():
    too_much_kernel().launch(grid=(1,), block=(64,))


def test_too_much_shared_memory(chip):
    with pytest.raises(Exception, match="Shared Memory Overflow: Requested 400000 bytes, but device"):
        too_much()


def test_legacy_allocator(chip):
    from flydsl._mlir import ir
    from flydsl.compiler.kernel_function import CompilationContext, get_gpu_module_body
    from flydsl.utils.smem_allocator import SmemAllocator, SmemPtr

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        allocator = SmemAllocator(None, arch=chip, global_sym_name="smem")
    offset = allocator._align(allocator.ptr, 16)
    allocator.ptr = offset + 64 * 4

    @flyc.kernel
    def reverse_kernel(src: fx.Tensor, dst: fx.Tensor):
        tid = fx.thread_idx.x
        part = SmemPtr(allocator.get_base(), offset, T.f32, shape=(64,))
        part.store(src[tid], [tid])
        fx.gpu.barrier()
        dst[tid] = fx.Float32(part.load([63 - tid]))

    @flyc.jit
    def reverse(src: fx.Tensor, dst: fx.Tensor):
        context = CompilationContext.get_current()
        with ir.InsertionPoint(get_gpu_module_body(context.gpu_module)):
            allocator.finalize()
        reverse_kernel(src, dst).launch(grid=(1,), block=(64,))

    src, dst = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    reverse(flyc.from_dlpack(src), flyc.from_dlpack(dst))
    np.testing.assert_array_equal(dst, src[::-1])



def test_kernels_compile_for_the_gpu(chip, compile_only):
    f32, f16 = (flyc.from_dlpack(np.zeros(256, dtype)) for dtype in (np.float32, np.float16))
    wide = flyc.from_dlpack(np.zeros((64, 7), np.int32))
    for static in (True, False):
        mixed(f32, wide, static)
        buffer_copy(f32, f32, static)
    two_arrays(f32, 0)
    lanes(wide)
    raw(f16, f16, 40)
    parameters(f32, Parameters(0.5, 3, (True,), 2))
    math(flyc.from_dlpack(np.zeros((32, 2), np.float32)))
    if chip in WAVE64:
        square = flyc.from_dlpack(np.zeros((16, 16), np.float16))
        mfma(square, square, flyc.from_dlpack(np.zeros((16, 16), np.float32)))


@fx.struct
class State:
    total: fx.Int32
    best: fx.Float32
    inner: fx.Struct["n": fx.Uint8]

    def step(self, x):
        return State(self.total + 1, fx.max(self.best, x), (self.inner.n + 1,))


@flyc.kernel
def carried_kernel(src: fx.Tensor, dst: fx.Tensor, n: fx.Int32):
    state = State(0, float("-inf"), (250,))
    partial = fx.SharedAllocator().allocate(fx.Array[fx.Float32, 4]).peek()
    for i in range(n):
        x = src[i]
        if x > 0.5:
            state = state.step(x)
            partial[0] = x
    dst[0] = fx.Float32(state.total)
    dst[1] = state.best
    dst[2] = fx.Float32(state.inner.n)
    dst[3] = partial[0]


@flyc.jit
def carried(src: fx.Tensor, dst: fx.Tensor, n: fx.Int32):
    carried_kernel(src, dst, n).launch(grid=(1,), block=(1,))


def test_structs_carried_through_control_flow(chip):
    src, dst = np.random.default_rng(3).random(50, np.float32), np.zeros(4, np.float32)
    carried(flyc.from_dlpack(src), flyc.from_dlpack(dst), 50)
    taken = src[src > 0.5]
    np.testing.assert_array_equal(dst, np.array([len(taken), taken.max(), (250 + len(taken)) % 256, taken[-1]], np.float32))


@fx.struct
class Views:
    src: fx.Tensor
    dst: fx.Tensor
    n: fx.Int32


@flyc.kernel
def views_kernel(v: Views):
    tid = fx.thread_idx.x
    if tid < v.n:
        v.dst[tid] = v.src[tid] * 2.0


@flyc.jit
def views(v: Views):
    views_kernel(v).launch(grid=(1,), block=(64,))


def test_structs_with_tensors(chip):
    src, dst = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    views(Views(flyc.from_dlpack(src), flyc.from_dlpack(dst), 40))
    np.testing.assert_array_equal(dst, np.where(np.arange(64) < 40, src * 2, 0))


def test_errors_show_the_line(chip):
    with pytest.raises(RuntimeError) as caught:
        too_much()
    notes = "\n".join(getattr(caught.value, "__notes__", []))
    assert "test_kernels_on_cpu.py" in notes and "fx.SharedAllocator().allocate(fx.Array[fx.Float32, 100000])" in notes


@fx.struct
class Counters:
    count: fx.Int32
    total: fx.Float32
    apart: fx.Align[fx.Int32, 16]


# DIFF: py-shared-pointers
def test_shared_scalars_have_typed_pointers(chip):
    @flyc.kernel
    def kernel(out: fx.Tensor):
        allocator = fx.SharedAllocator()
        counters, plain = allocator.allocate(Counters), allocator.allocate(fx.Int32)
        if fx.thread_idx.x == 0:
            counters.poke(Counters(0, 0.0, 0))
            plain.poke(1)
        fx.gpu.barrier()
        fx.atomic_add(counters.count.ptr, fx.Int32(1))
        fx.atomic_add(counters.total.ptr, fx.Float32(2.0))
        fx.atomic_add(counters.apart.ptr, fx.Int32(3))
        fx.atomic_add(plain.ptr, fx.Int32(1))
        fx.gpu.barrier()
        value = counters.peek()
        with pytest.raises(Exception, match=r"use value.replace\(count=…\) for a changed copy, or storage.count.poke\(…\) to write"):
            value.count = 0
        out[0], out[1], out[2], out[3] = value.count, fx.Int32(value.total), value.apart, plain.peek()

    @flyc.jit
    def launch(out: fx.Tensor):
        kernel(out).launch(grid=1, block=64)

    out = np.zeros(4, np.int32)
    launch(out)
    assert out.tolist() == [64, 128, 192, 65]


@fx.struct
class Aligned:
    a: fx.Int8
    z: fx.Align[fx.Int32, 16]


def test_aligned_field_of_an_argument(chip):
    @flyc.kernel
    def kernel(out: fx.Tensor, s: Aligned):
        out[0], out[1] = fx.Int32(s.a), s.z

    @flyc.jit
    def launch(out: fx.Tensor, s: Aligned):
        kernel(out, s).launch(grid=1, block=1)

    out = np.zeros(2, np.int32)
    launch(out, Aligned(-3, 4))
    assert out.tolist() == [-3, 4]
