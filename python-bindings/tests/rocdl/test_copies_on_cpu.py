# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copy atoms of buffers and shared memory, run on the CPU target and compared with NumPy."""

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.expr import rocdl

ALL = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250"]
LANES = 64


@pytest.fixture
def on(monkeypatch):
    """`on("gfx950")` makes it the target."""
    return lambda chip: monkeypatch.setenv("FLYDSL_GPU_ARCH", chip)


def run(kernel, *arrays, block=LANES, grid=1, **launch):
    """Launches `kernel` with the arrays as tensors."""
    if len(arrays) == 1:
        @flyc.jit
        def call(a: fx.Tensor):
            kernel(a).launch(grid=grid, block=block, **launch)
    elif len(arrays) == 2:
        @flyc.jit
        def call(a: fx.Tensor, b: fx.Tensor):
            kernel(a, b).launch(grid=grid, block=block, **launch)
    else:
        @flyc.jit
        def call(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor):
            kernel(a, b, c).launch(grid=grid, block=block, **launch)
    call(*map(flyc.from_dlpack, arrays))


def mine(tensor, count):
    """The `count` elements of the calling lane."""
    return fx.slice(fx.zipped_divide(tensor, fx.make_layout(count, 1)), (None, fx.thread_idx.x))


#===----------------------------------------------------------------------===#
# Between buffers and registers
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("policy", [0, 2])
@pytest.mark.parametrize("bits", [8, 16, 32, 64, 128])
@pytest.mark.parametrize("arch", ALL)
def test_buffer_copy(on, arch, bits, policy):
    on(arch)
    count = bits // 8

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        a, b = rocdl.make_buffer_tensor(src), rocdl.make_buffer_tensor(dst, max_size=False)
        named = getattr(rocdl, f"BufferCopy{bits}b")
        hold = fx.make_rmem_tensor(count, fx.Int8)
        fx.copy_atom_call(fx.make_copy_atom(named(policy), fx.Int8), mine(a, count), hold)
        fx.copy_atom_call(fx.make_copy_atom(rocdl.BufferCopy(bits, cache_modifier=policy), fx.Int8), hold, mine(b, count))

    src = np.arange(LANES * count, dtype=np.int64).astype(np.int8)
    memory = np.full(LANES * count + 64, -1, np.int8)
    run(kernel, src, memory[: LANES * count // 2])
    # The second half lies behind the buffer: those stores are dropped.
    np.testing.assert_array_equal(memory[: LANES * count // 2], src[: LANES * count // 2])
    assert (memory[LANES * count // 2:] == -1).all()


@pytest.mark.parametrize("arch", ALL)
def test_buffer_copy_from_an_offset(on, arch):
    on(arch)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        atom = fx.make_copy_atom(rocdl.BufferCopy32b(), fx.Int32)
        hold = fx.make_rmem_tensor(1, fx.Int32)
        fx.copy(atom, mine(rocdl.make_buffer_tensor(src), 1), hold, soffset=fx.Int32(5))
        fx.copy_atom_call(fx.atom_set_value(atom, "soffset", fx.Int32(2)), hold, mine(rocdl.make_buffer_tensor(dst), 1))

    src, dst = np.arange(LANES + 5, dtype=np.int32) * 3, np.full(LANES + 2, -1, np.int32)
    run(kernel, src, dst)
    np.testing.assert_array_equal(dst, np.concatenate([[-1, -1], src[5:]]))


# DIFF: buffer-negative
@pytest.mark.parametrize("bounded", [True, False])
def test_buffers_of_reversed_arrays(on, bounded):
    """Offsets have no sign: elements before the base are refused, where the layout says so."""
    on("gfx942")
    first = [None]

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        source = rocdl.make_buffer_tensor(src, max_size=not bounded)
        dst[fx.thread_idx.x] = source[first[0] - fx.thread_idx.x] if first[0] else source[fx.thread_idx.x]

    src, dst = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    with pytest.raises(flyc.DSLCompileError, match=r"elements before the base of its buffer, which no offset reaches: layout 8:-1") as caught:
        run(kernel, src[::-1], dst, block=8)
    assert "test_copies_on_cpu.py" in "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    assert not dst.any()
    # Read from the other end there is nothing to refuse.
    first[0] = 7
    run(kernel, src, dst, block=8)
    np.testing.assert_array_equal(dst, src[::-1])


@pytest.mark.parametrize("arch", ALL)
def test_raw_resources(on, arch):
    on(arch)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        pointer = rocdl.make_buffer_ptr(fx.get_iter(src), 4 * 40)
        rsrc, tid = rocdl.get_buffer_rsrc(pointer), fx.thread_idx.x
        four = fx.Vector(rocdl.s_buffer_load(pointer, 8, count=4))
        out = rocdl.get_buffer_rsrc(rocdl.make_buffer_tensor(dst))
        rocdl.raw_ptr_buffer_store(rocdl.raw_ptr_buffer_load(fx.Int32, rsrc, tid * 4, 0), out, tid * 12, 0)
        rocdl.raw_ptr_buffer_store(rocdl.s_buffer_load(rsrc, 12), out, tid * 12, 4, aux=2)
        rocdl.raw_ptr_buffer_store(four[0] + four[3], out, tid * 12, 8)

    src, dst = np.arange(LANES, dtype=np.int32) * 7 + 1, np.zeros((LANES, 3), np.int32)
    run(kernel, src, dst)
    want = np.stack([np.where(np.arange(LANES) < 40, src, 0), np.full(LANES, src[3]), np.full(LANES, src[2] + src[5])], axis=1)
    np.testing.assert_array_equal(dst, want)


#===----------------------------------------------------------------------===#
# Atomic operations on buffers
#===----------------------------------------------------------------------===#

def combine(op, memory, values):
    """What memory holds after all of `values`, in any order."""
    if op == "Add":
        return (memory + values.sum(dtype=memory.dtype)).astype(memory.dtype)
    if op in ("Inc", "Dec"):
        for value in values:
            up = 0 if memory >= value else memory + 1
            down = value if memory == 0 or memory > value else memory - 1
            memory = memory.dtype.type(up if op == "Inc" else down)
        return memory
    return {"Max": np.maximum, "Min": np.minimum, "And": np.bitwise_and, "Or": np.bitwise_or}[op].reduce([memory, *values])


INTEGERS = [(op, dtype) for op in ("Add", "Max", "Min", "And", "Or", "Inc", "Dec") for dtype in ("Int32", "Uint32", "Int64", "Uint64")
            if op not in ("Inc", "Dec") or dtype.startswith("U")]
FLOATS = [("Add", "Float32"), ("Max", "Float32"), ("Min", "Float32"), ("Add", "Float64"), ("Max", "Float64"), ("Min", "Float64")]


@pytest.mark.parametrize("op, dtype", INTEGERS + FLOATS)
@pytest.mark.parametrize("arch", ALL)
def test_buffer_atomics(on, arch, op, dtype):
    # DIFF: py-buffer-atomic-sign
    on(arch)
    kind = getattr(fx, dtype)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        shortcut = getattr(rocdl, f"BufferAtomic{op}", lambda of: rocdl.BufferAtomic(getattr(fx.AtomicOp, op), of))
        atom = fx.make_copy_atom(shortcut(kind), kind)
        hold = fx.make_rmem_tensor(1, kind)
        hold[0] = mine(src, 1)[0]
        to = rocdl.make_buffer_tensor(dst)
        fx.copy_atom_call(atom, hold, fx.slice(fx.zipped_divide(to, fx.make_layout(1, 1)), (None, 0)))
        fx.copy_atom_call(fx.atom_set_value(atom, "soffset", fx.Int32(2)), hold, fx.slice(fx.zipped_divide(to, fx.make_layout(1, 1)), (None, 0)))

    rng = np.random.default_rng(5)
    numpy_type = np.dtype(dtype.lower())
    if numpy_type.kind == "f":
        src = rng.integers(-50, 50, LANES).astype(numpy_type)
    elif op in ("Inc", "Dec"):
        src = np.full(LANES, 9, numpy_type)
    else:
        info = np.iinfo(numpy_type)
        src = rng.integers(info.min, info.max, LANES, dtype=numpy_type, endpoint=True)
    dst = np.array([3, 4, 5, 6], numpy_type)
    before = dst.copy()
    try:
        run(kernel, src, dst)
    except ValueError as error:
        # What a chip lacks is refused where the atom is made.
        assert f"not available on {arch}: the chip lacks the feature" in str(error)
        assert numpy_type.kind == "f"
        return
    want = before.copy()
    for at in (0, 2):
        want[at] = combine(op, before[at], src)
    np.testing.assert_array_equal(dst, want)


@pytest.mark.parametrize("make, dtype", [
    (lambda: rocdl.BufferAtomicAdd(fx.Int32), "Int32"), (lambda: rocdl.BufferAtomicAdd(fx.Uint64), "Uint64"),
    (lambda: rocdl.BufferAtomicAdd(fx.Float32), "Float32"), (lambda: fx.UniversalAtomicAdd(fx.Int32), "Int32"),
    (lambda: fx.UniversalAtomicAdd(fx.Float32), "Float32"), (lambda: rocdl.BufferAtomic(fx.AtomicOp.Inc, fx.Uint32), "Uint32"),
])
@pytest.mark.parametrize("arch", ["gfx942", "gfx1250"])
def test_old_values(on, arch, make, dtype):
    on(arch)
    kind, step = getattr(fx, dtype), 1000 if "Inc" in str(make.__code__.co_names) else 1

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        operation = make()
        to = rocdl.make_buffer_tensor(dst) if fx.const_expr("buffer" in str(operation)) else dst
        atom = fx.make_copy_atom(operation, kind)
        old = fx.atomic_fetch(atom, kind(step), fx.slice(fx.zipped_divide(to, fx.make_layout(1, 1)), (None, 0)))
        dst[1 + fx.thread_idx.x] = old

    dst = np.zeros(LANES + 1, dtype.lower())
    run(kernel, dst, dst)
    # Each lane found another number.
    assert dst[0] == LANES and sorted(dst[1:].tolist()) == list(range(LANES))


def test_old_values_of_what_is_no_atomic(on):
    on("gfx942")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        copy = fx.make_copy_atom(rocdl.BufferCopy32b(), fx.Int32)
        with pytest.raises(TypeError, match="atomic_fetch: expected a copy atom of an atomic operation, got"):
            fx.atomic_fetch(copy, 1, dst)
        add = fx.make_copy_atom(rocdl.BufferAtomicAdd(fx.Int32), fx.Int32)
        with pytest.raises(TypeError, match="atomic_fetch value: expected an element of type i32, got Float32 of type f32"):
            fx.atomic_fetch(add, fx.Float32(1.0), dst)

    run(kernel, np.zeros(1, np.int32), np.zeros(1, np.int32))


@pytest.mark.parametrize("dtype", ["Float16", "BFloat16"])
@pytest.mark.parametrize("arch", ["gfx942", "gfx950", "gfx1201", "gfx1250"])
def test_packed_buffer_addition(on, arch, dtype):
    on(arch)
    kind = getattr(fx, dtype)

    @flyc.kernel
    def kernel(dst: fx.Tensor):
        atom = fx.make_copy_atom(rocdl.BufferAtomicPkAdd(kind), kind)
        hold = fx.make_rmem_tensor(2, kind)
        hold[0], hold[1] = kind(1.0), kind(0.5)
        to = fx.zipped_divide(rocdl.make_buffer_tensor(dst), fx.make_layout(2, 1))
        fx.copy_atom_call(atom, hold, fx.slice(to, (None, fx.thread_idx.x % 2)))

    ml_dtypes = pytest.importorskip("ml_dtypes")
    dst = np.zeros(4, np.float16 if dtype == "Float16" else ml_dtypes.bfloat16)
    try:
        run(kernel, dst)
    except ValueError as error:
        assert arch == "gfx942" and dtype == "BFloat16" and "not available on gfx942" in str(error)
        return
    np.testing.assert_array_equal(dst.astype(np.float32), [32, 16, 32, 16])


#===----------------------------------------------------------------------===#
# Into shared memory
#===----------------------------------------------------------------------===#

def lds_atoms():
    for arch, bits in (("gfx90a", 32), ("gfx942", 32), ("gfx950", 32), ("gfx950", 128)):
        yield arch, "BufferCopyLDS", bits
    for bits in (32, 96, 128):
        yield "gfx950", "BufferLoadAsyncLDS", bits
        yield "gfx950", "GlobalLoadAsyncLDS", bits


@pytest.mark.parametrize("short", [True, False])
@pytest.mark.parametrize("arch, name, bits", lds_atoms())
def test_copies_to_shared_memory(on, arch, name, bits, short):
    # DIFF: py-asyncmark
    on(arch)
    count = bits // 32

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = fx.SharedAllocator().allocate(fx.Array[fx.Int32, LANES * count]).peek()
        shared = fx.make_view(memory.ptr, fx.make_layout(LANES * count, 1))
        factory = getattr(rocdl if name == "BufferCopyLDS" else rocdl.cdna4, f"{name}{bits}b" if short else name)
        atom = fx.make_copy_atom(factory() if short else factory(bits), fx.Int32)
        source = src if name == "GlobalLoadAsyncLDS" else rocdl.make_buffer_tensor(src, max_size=False)
        fx.copy_atom_call(atom, mine(source, count), mine(shared, count))
        rocdl.asyncmark()
        rocdl.wait_asyncmark(0)
        fx.gpu.barrier()
        for i in fx.range_constexpr(count):
            dst[LANES * count - 1 - (fx.thread_idx.x * count + i)] = memory[fx.thread_idx.x * count + i]

    src, dst = np.arange(LANES * count, dtype=np.int32) * 5 + 2, np.zeros(LANES * count, np.int32)
    run(kernel, src, dst)
    np.testing.assert_array_equal(dst, src[::-1])


@pytest.mark.parametrize("name", ["BufferCopyLDS", "BufferLoadAsyncLDS"])
def test_offsets_of_copies_to_shared_memory(on, name):
    on("gfx950")

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = fx.SharedAllocator().allocate(fx.Array[fx.Int32, LANES + 4]).peek()
        shared = fx.make_view(memory.ptr, fx.make_layout(LANES, 1))
        atom = fx.make_copy_atom(getattr(rocdl, name)(32), fx.Int32)
        # The instruction's offset counts in both addresses, the scalar one in that of the buffer.
        fx.copy(atom, mine(rocdl.make_buffer_tensor(src), 1), mine(shared, 1), soffset=fx.Int32(3), imm_offset=fx.Int32(16))
        fx.gpu.barrier()
        dst[fx.thread_idx.x] = memory[fx.thread_idx.x + 4]

    src, dst = np.arange(LANES + 7, dtype=np.int32) * 5 + 2, np.zeros(LANES, np.int32)
    run(kernel, src, dst)
    np.testing.assert_array_equal(dst, src[7:])


@pytest.mark.parametrize("arch", ["gfx90a", "gfx942", "gfx950"])
def test_raw_copies_to_shared_memory(on, arch):
    on(arch)

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = fx.SharedAllocator().allocate(fx.Array[fx.Int32, 2 * LANES]).peek()
        rsrc, tid = rocdl.get_buffer_rsrc(rocdl.make_buffer_tensor(src)), fx.thread_idx.x
        rocdl.buffer_load_to_lds(rsrc, memory.ptr, tid * 4)
        rocdl.raw_ptr_buffer_load_lds(rsrc, memory.ptr + LANES, 4, tid * 4, 4, 0)
        fx.gpu.barrier()
        dst[tid] = memory[tid] * 1000 + memory[tid + LANES]

    src, dst = np.arange(LANES + 1, dtype=np.int32), np.zeros(LANES, np.int32)
    run(kernel, src, dst)
    np.testing.assert_array_equal(dst, src[:-1] * 1000 + src[1:])


#===----------------------------------------------------------------------===#
# Transposing reads
#===----------------------------------------------------------------------===#

def unpack(words, bits):
    """The elements of `bits` in little-endian 32-bit words, along the last axis."""
    stream = np.unpackbits(words.view(np.uint8), axis=-1, bitorder="little")
    groups = stream.reshape(*stream.shape[:-1], -1, bits)
    return groups @ (1 << np.arange(bits))


@pytest.mark.parametrize("short", [True, False])
@pytest.mark.parametrize("granularity, bits", [(4, 64), (8, 64), (6, 96), (16, 64)])
def test_transposing_reads(on, granularity, bits, short):
    on("gfx950")
    count = bits // 32

    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = fx.SharedAllocator().allocate(fx.Array[fx.Int32, LANES * count]).peek()
        shared = mine(fx.make_view(memory.ptr, fx.make_layout(LANES * count, 1)), count)
        for i in fx.range_constexpr(count):
            shared[i] = mine(src, count)[i]
        fx.gpu.barrier()
        named = getattr(rocdl.cdna4, f"LDSReadTrans{granularity}_{bits}b")
        atom = fx.make_copy_atom(named() if short else rocdl.cdna4.LDSReadTrans(granularity, bits), granularity)
        hold = fx.make_rmem_tensor(count, fx.Int32)
        fx.copy_atom_call(atom, shared, hold)
        for i in fx.range_constexpr(count):
            mine(dst, count)[i] = hold[i]

    src = np.random.default_rng(8).integers(-2**31, 2**31, (LANES, count), dtype=np.int64).astype(np.int32)
    dst = np.zeros_like(src)
    run(kernel, src.reshape(-1), dst.reshape(-1))
    # The elements of 16 lanes, one lane after the other, go round the lanes.
    want = unpack(src, granularity).reshape(LANES // 16, -1, 16).swapaxes(1, 2).reshape(LANES, -1)
    np.testing.assert_array_equal(unpack(dst, granularity), want)


@pytest.mark.parametrize("buffer", [True, False])
def test_atomic_updates_are_of_the_numbers_in_memory(on, buffer):
    on("gfx942")

    @flyc.kernel
    def kernel(dst: fx.Tensor):
        to = rocdl.make_buffer_tensor(dst) if fx.const_expr(buffer) else dst
        add = fx.make_copy_atom(rocdl.BufferAtomicAdd(fx.Int32) if fx.const_expr(buffer) else fx.UniversalAtomicAdd(fx.Int32), fx.Int32)
        fx.atomic_fetch(add, fx.Int32(3), fx.slice(fx.zipped_divide(to, fx.make_layout(1, 1)), (None, 0)))

    run(kernel, np.zeros(4, np.uint32))
    with pytest.raises(flyc.DSLCompileError, match="the atomic update is one of 'i32', but the destination has elements of 'f32'"):
        run(kernel, np.zeros(4, np.float32))


#===----------------------------------------------------------------------===#
# Refusals
#===----------------------------------------------------------------------===#

@pytest.mark.parametrize("arch, make, message", [
    ("gfx950", lambda: rocdl.cdna4.LDSReadTrans(8, 96), r"LDSReadTrans: unsupported \(bitSize, transGranularity\) = \(96, 8\) for LDS read transpose"),
    ("gfx942", lambda: rocdl.cdna4.LDSReadTrans(8, 64), "LDSReadTrans is not available on gfx942: the chip lacks the feature 'lds-read-trans'"),
    ("gfx950", lambda: rocdl.cdna4.BufferLoadAsyncLDS(64), "BufferLoadAsyncLDS: unsupported bitSize = 64 for BufferLoadAsyncLDS; expected 32, 96 or 128"),
    ("gfx950", lambda: rocdl.cdna4.GlobalLoadAsyncLDS(8), "GlobalLoadAsyncLDS: unsupported bitSize = 8 for GlobalLoadAsyncLDS; expected 32, 96 or 128"),
    ("gfx942", lambda: rocdl.cdna4.BufferLoadAsyncLDS(128), "BufferLoadAsyncLDS is not available on gfx942: the chip lacks the feature 'lds-dma-128'"),
    ("gfx1201", lambda: rocdl.cdna4.GlobalLoadAsyncLDS(32), "GlobalLoadAsyncLDS is not available on gfx1201: the chip lacks the feature 'lds-dma-32'"),
    ("gfx1100", lambda: rocdl.asyncmark(), "asyncmark is not available on gfx1100: the chip has no copies to shared memory"),
    ("gfx1201", lambda: rocdl.wait_asyncmark(1), "wait_asyncmark is not available on gfx1201: the chip has no copies to shared memory"),
    ("gfx950", lambda: rocdl.wait_asyncmark(-1), "wait_asyncmark: the count must not be negative, got -1"),
    ("gfx942", lambda: rocdl.BufferAtomic(fx.AtomicOp.And, fx.Float32), "BufferAtomic And of f32: no chip has such an instruction"),
    ("gfx942", lambda: rocdl.BufferAtomicAdd(fx.Int8), "BufferAtomic Add of i8: no chip has such an instruction"),
    ("gfx1100", lambda: rocdl.BufferAtomicPkAdd(fx.Float16), "not available on gfx1100"),
])
def test_refusals_name_the_line(on, arch, make, message):
    on(arch)

    @flyc.kernel
    def kernel(dst: fx.Tensor):
        make()

    with pytest.raises(ValueError, match=message) as caught:
        run(kernel, np.zeros(1, np.int32))
    assert "test_copies_on_cpu.py" in "\n".join(getattr(caught.value, "__notes__", []))


def test_parameters_must_be_known_while_tracing(on):
    on("gfx950")
    with pytest.raises(TypeError, match="LDSReadTrans: granularity must be an int known while tracing, got float"):
        rocdl.cdna4.LDSReadTrans(4.0, 64)
    with pytest.raises(TypeError, match="BufferLoadAsyncLDS: bits must be an int known while tracing, got bool"):
        rocdl.cdna4.BufferLoadAsyncLDS(True)


def test_properties(on):
    from flydsl._mlir import ir

    on("gfx950")
    with ir.Context():
        read, load = rocdl.cdna4.LDSReadTrans6_96b(), rocdl.cdna4.GlobalLoadAsyncLDS128b()
        assert (type(read).__name__, read.trans_granularity, read.bit_size) == ("CopyOpCDNA4LdsReadTransposeType", 6, 96)
        assert (type(load).__name__, load.bit_size) == ("CopyOpCDNA4GlobalLoadAsyncLDSType", 128)
        assert str(read.thr_bit_layout_src) == "!fly.layout<(16,96):(96,1)>" and str(read.thr_bit_layout_dst) == "!fly.layout<(16,(6,16)):(6,(1,96))>"
        assert read.get(6, 96) == read and load.get(bit_size=128) == load
        with pytest.raises(ValueError, match="unsupported"):
            read.get(6, 64)
