# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared memory: static and dynamic allocation, arrays, structs and unions in memory, capacities, thread indices and shuffles."""

import re

import pytest
from harness import tracing

import flydsl.expr as fx
from flydsl._mlir import ir
from flydsl.expr.struct import _storage_layout


@fx.struct
class Storage:
    a: fx.Array[fx.Float16, 2048, 16]
    b: fx.Array[fx.Float16, 2048, 16]


def test_static_allocation_looks_as_the_public_frontend_traces_it():
    with tracing("gfx942") as traced:
        storage = fx.SharedAllocator().allocate(Storage).peek()
        storage.a.view(fx.make_layout((64, 32), (32, 1)))
    lines = [re.sub(r"%\w+", "%", line.strip()) for line in traced.text.splitlines() if "fly." in line]
    pointer, typed = "!fly.ptr<i8, shared, align<16>>", "!fly.ptr<f16, shared, align<16>>"
    make = f"% = fly.make_ptr() {{dictAttrs = {{allocAlign = 16 : i64, allocBytes = 4096 : i64}}}} : () -> {pointer}"
    recast = f"% = fly.recast_iter(%) : ({pointer}) -> {typed}"
    assert lines[:4] == [make, make, recast, recast]
    assert lines[-1] == (f"% = fly.make_view(%, %) : ({typed}, !fly.layout<(64,32):(32,1)>) -> "
                         "!fly.memref<f16, shared, (64,32):(32,1), align<16>>")


def test_guide_fragment():
    red_slots = 8

    @fx.struct
    class SharedStorage:
        s_red: fx.Array[fx.Float32, red_slots, 16]
        s_red2: fx.Array[fx.Float32, red_slots, 16]

    with tracing("gfx942") as traced:
        lds = fx.SharedAllocator().allocate(SharedStorage).peek()
        s_red = lds.s_red.view(fx.make_layout(red_slots, 1))
        s_red2 = lds.s_red2.view(fx.make_layout(red_slots, 1))
        assert "shared, 8:1, align<16>" in str(s_red.type) and s_red.type == s_red2.type
        fx.barrier()
    assert "gpu.barrier" in traced.text


def test_leaves_alignments_and_unions():
    # DIFF: py-lds-base-alignment
    dtype = fx.Struct["n": fx.Int32, "wide": fx.Array[fx.Float32, 8], "u": fx.Union["i": fx.Int64, "f": fx.Array[fx.Float32, 3]],
                      "inner": fx.Struct["x": fx.Int8, "y": fx.Align[fx.Int8, 8]]]
    with tracing("gfx942") as traced:
        allocator = fx.SharedAllocator()
        storage = allocator.allocate(dtype)
        assert allocator.is_static
    found = re.findall(r"allocAlign = (\d+) : i64, allocBytes = (\d+)", traced.text)
    # Large parts are aligned for wide copies, small ones as their type is; a union is one part.
    assert found == [("4", "4"), ("16", "32"), ("16", "16"), ("1", "1"), ("8", "1")]
    assert storage.dtype is dtype
    # Larger alignments first: 32 + 16 at 16, then 1 at 8, 4 at 4, 1.
    assert allocator.allocated_bytes == 32 + 16 + 1 + 3 + 4 + 1


def test_scalars_arrays_and_unions_in_memory():
    # DIFF: py-lds-store-converts
    # DIFF: py-lds-index-checked
    dtype = fx.Struct["n": fx.Uint16, "flag": fx.Boolean, "f": fx.Array[fx.Float32, 4], "v": fx.Float32x4,
                      "u": fx.Union["i": fx.Int32, "x": fx.Float32], "pairs": fx.Array[fx.Struct["a": fx.Int8, "b": fx.Int32], 3]]
    with tracing("gfx942", "f32", "i32", "vector<4xf32>", to_binary=True) as traced:
        x, i, v = traced.arguments
        storage = fx.SharedAllocator().allocate(dtype)
        storage.n.poke(65535)
        storage.flag.poke(True)
        array = storage.f.peek()
        array[1] = 2
        array[-1] = fx.Float32(x)
        array[fx.Int32(i)] = x
        storage.v.poke(fx.Float32x4(v))
        storage.u.x.poke(1.5)
        storage.pairs.peek()[fx.Int32(i)] = (1, fx.Int32(i))
        value = storage.peek()
        assert type(value.n) is fx.Uint16 and type(value.flag) is fx.Boolean and len(value.f) == 4
        assert type(value.u.i) is fx.Int32 and type(value.u.x) is fx.Float32
        assert type(value.pairs[2].b) is fx.Int32 and type(array[fx.Int32(i)]) is fx.Float32
        assert "vector<4xf32>" in str(value.v.ir_value().type)
        assert [type(entry) for entry in array] == [fx.Float32] * 4
        for bad, error, text in [
            (lambda: storage.n.poke(65536), ValueError, "65536 is outside Uint16"), (lambda: storage.n.poke(-1), ValueError, "outside Uint16"),
            (lambda: storage.n.poke(1.5), (TypeError, ValueError), "1.5"), (lambda: storage.n.poke(fx.Int32(i)), TypeError, "Int32"),
            (lambda: array.__setitem__(4, 1), IndexError, "index 4 is out of range for 4 elements"), (lambda: array[-5], IndexError, "index -5"),
            (lambda: array[1.0], TypeError, "must be an integer, got float"), (lambda: array.__setitem__(0, fx.Int32(i)), TypeError, "Int32"),
            (lambda: storage.missing, AttributeError, "no field 'missing'; it has n, flag, f, v, u, pairs"),
            (lambda: storage.n.low, AttributeError, "the type has no fields"), (lambda: storage.ptr, ValueError, "fields lie apart"),
            (lambda: array.view(fx.make_layout((4, 2), (1, 4))), ValueError, "reaches 8 elements, but the array has 4"),
            (lambda: storage.u.poke(3), TypeError, "one member set"), (lambda: storage.pairs.peek().view(fx.make_layout(3, 1)), TypeError, "numeric"),
        ]:
            with pytest.raises(error, match=text):
                bad()
        storage.u.poke({"i": 7})
    assert "fly.ptr.store" in traced.text


def test_struct_values_and_storage_are_carried():
    from flydsl.compiler import protocol

    with tracing("gfx942", "i32", "f32") as traced:
        i, x = traced.arguments
        dtype = fx.Struct["n": fx.Uint32, "p": fx.Struct["x": fx.Float32]]
        value = dtype(fx.Uint32(i), (fx.Float32(x),))
        raw = protocol.extract_to_ir_values(value)
        assert [str(v.type) for v in raw] == ["i32", "f32"]
        again = protocol.construct_from_ir_values(dtype, value, raw)
        assert type(again.n) is fx.Uint32 and type(again.p.x) is fx.Float32
        assert [str(t) for t in protocol.get_ir_types(dtype(1, (2,)))] == ["i32", "f32"]
        storage = fx.SharedAllocator().allocate(fx.Struct["a": fx.Array[fx.Int32, 4], "b": fx.Int8])
        parts = protocol.extract_to_ir_values(storage)
        assert len(parts) == 2
        assert type(protocol.construct_from_ir_values(type(storage), storage, parts).a.peek()) is fx.Array[fx.Int32, 4]
        assert len(protocol.extract_to_ir_values(storage.a.peek())) == 1


def test_struct_arguments_cross_the_host_call():
    import ctypes

    from flydsl.compiler import protocol

    dtype = fx.Struct["n": fx.Int32, "x": fx.Float32, "p": fx.Struct["b": fx.Uint8]]
    with tracing("gfx942"):
        value = dtype(-3, 1.5, (200,))
        cells = []
        for ctype, fill in protocol.c_abi_spec(value):
            cell = ctype()
            fill(value, cell)
            cells.append(cell.value)
        assert cells == [-3, 1.5, 200]
        assert protocol.cache_signature(value) == protocol.cache_signature(dtype(4, 5.0, (6,)))
    assert ctypes.sizeof(ctypes.c_int32) == 4


def test_dynamic_allocation():
    with tracing("gfx942") as traced:
        allocator = fx.SharedAllocator(static=False)
        first = allocator.allocate(fx.Array[fx.Float32, 3])
        second = allocator.allocate(fx.Struct["a": fx.Int8, "b": fx.Array[fx.Float16, 8, 32]])
        third = allocator.allocate(10, 64)
        assert not allocator.is_static and allocator.allocated_bytes == 128 + 10
        assert "shared, align<1024>" in str(allocator.base_ptr.type)
        assert first.peek().ptr.type.alignment == 1024
        assert second.b.peek().ptr.type.alignment == 32
        assert third.peek().ptr.type.alignment == 128 and len(third.peek()) == 10
        assert [entry.size for entry in allocator.allocations] == [12, 64, 10]
        assert all("test_shared_memory.py" in entry.place for entry in allocator.allocations)
    text = traced.text
    assert text.count("fly.get_dyn_shared") == 1 and "make_ptr" not in text


@pytest.mark.parametrize("arch, limit", [("gfx942", 65536), ("gfx950", 163840), ("gfx1100", 65536), ("gfx1201", 65536), ("gfx1250", 327680)])
@pytest.mark.parametrize("static", [True, False])
def test_capacity(arch, limit, static):
    # DIFF: py-lds-over-capacity
    with tracing(arch):
        allocator = fx.SharedAllocator(static=static)
        allocator.allocate(limit - 1024)
        allocator.allocate(fx.Array[fx.Float32, 256, 16])
        with pytest.raises(RuntimeError) as caught:
            allocator.allocate(fx.Array[fx.Int8, 1])
    text = str(caught.value)
    assert text.startswith(f"Shared Memory Overflow: Requested {limit + 1} bytes, but device {arch} limit is {limit} bytes.")
    assert f"{limit - 1024} bytes aligned to" in text and "1024 bytes aligned to 16: Array[Float32, 256, 16] at " in text
    assert "1 byte aligned to 1: Array[Int8, 1] at " in text and text.count("test_shared_memory.py:") == 3


def test_allocator_refusals():
    with pytest.raises(RuntimeError, match="inside a @kernel function"):
        fx.SharedAllocator()
    with tracing("gfx942"):
        allocator = fx.SharedAllocator()
        with pytest.raises(RuntimeError, match="'f' has a SharedAllocator already"):
            fx.SharedAllocator()
        with pytest.raises(RuntimeError, match="no common base"):
            allocator.base_ptr
        with pytest.raises(ValueError, match="must not be negative"):
            allocator.allocate(-1)
        with pytest.raises(TypeError, match="a type or a number of bytes"):
            allocator.allocate("x")
        with pytest.raises(ValueError, match="alignment 2 is below the natural alignment 4"):
            allocator.allocate(fx.Int32, 2)
        with pytest.raises(TypeError, match="int has no memory layout"):
            allocator.allocate(int)


def test_arena_and_storage_on_registers():
    with tracing("gfx942", "!fly.ptr<i8, global, align<64>>") as traced:
        arena = fx.Arena(traced.arguments[0], 64)
        a, b = arena.allocate(fx.Int8), arena.allocate(fx.Array[fx.Float64, 2])
        assert arena.allocated_bytes == 24 and str(b.peek().ptr.type) == "!fly.ptr<f64, global>" and a.ptr.type.alignment == 64
        with pytest.raises(ValueError, match="exceeds the base's 64; pass base_alignment=128"):
            arena.allocate(16, 128)
        memory = fx.make_rmem_tensor(16, fx.Uint8)
        storage = fx.Storage[fx.Struct["x": fx.Int32, "y": fx.Float32]](fx.get_iter(memory))
        storage.poke((3, 4.5))
        assert type(storage.peek().y) is fx.Float32 and type(storage.x.peek()) is fx.Int32
    assert traced.text.count("fly.ptr.store") == 2


def test_thread_indices():
    with tracing("gfx942", block=(64, 2, 1)) as traced:
        x, y, z = fx.block_idx
        assert type(x) is type(z) is fx.Int32 and type(fx.gpu.thread_idx.x) is fx.Int32
        assert type(fx.gpu.block_dim.y) is fx.Int32 and type(fx.gpu.grid_dim.z) is fx.Int32
        assert isinstance(fx.gpu.thread_id("x").type, ir.IndexType) and isinstance(fx.gpu.block_id("z").type, ir.IndexType)
        assert type(fx.gpu.lane_id()) is fx.Int32
        assert fx.known_block_size() == (64, 2, 1) and fx.num_warp_threads() == 64
        assert str(fx.gpu.smem_space()) == "#gpu.address_space<workgroup>" and fx.gpu.smem_space(int=True) == 2 and fx.gpu.lds_space(int=True) == 2
        with pytest.raises(ValueError, match='"x", "y" or "z"'):
            fx.gpu.thread_id("w")
    text = traced.text
    assert "gpu.thread_id  x" in text or "gpu.thread_id x" in text
    assert text.count("arith.index_cast") == 7
    with tracing("gfx1100", block=None):
        assert fx.num_warp_threads() == 32
        with pytest.raises(RuntimeError, match="no compile-time block size is in scope"):
            fx.known_block_size()


def test_shuffles():
    with tracing("gfx942", "f32", "i32", to_binary=True) as traced:
        x, i = fx.Float32(traced.arguments[0]), fx.Uint32(traced.arguments[1])
        assert type(fx.gpu.shuffle_xor(x, 1, 64)) is fx.Float32 and type(fx.gpu.shuffle_up(i, 1)) is fx.Uint32
        assert type(fx.gpu.shuffle_down(x, fx.Int32(i), 32)) is fx.Float32 and type(fx.gpu.shuffle_idx(x, 0, 16)) is fx.Float32
        assert type(fx.gpu.shuffle(x, 2, 64, mode="up")) is fx.Float32
        with pytest.raises(ValueError, match="power of two of at most 64, the wave of gfx942; got 128"):
            fx.gpu.shuffle_xor(x, 1, 128)
        with pytest.raises(ValueError, match="the mode must be one of"):
            fx.gpu.shuffle(x, 1, 64, mode="left")
    text = traced.text
    assert text.count("gpu.shuffle") == 5 and "gpu.shuffle  xor" in text or "gpu.shuffle xor" in text


def test_indices_outside_of_kernels():
    for use in (lambda: fx.thread_idx.x, lambda: fx.gpu.thread_id("x"), fx.barrier, fx.lane_id):
        with pytest.raises(RuntimeError, match="can only be used inside a @kernel function"):
            use()


def test_unknown_chip():
    with tracing("gfx9999"):
        with pytest.raises(ValueError, match="unknown chip 'gfx9999'; the known chips are gfx90a, gfx942"):
            fx.num_warp_threads()


def test_layout_of_a_struct_is_public():
    assert _storage_layout(Storage) == (8192, 16, {"a": 0, "b": 4096})
