# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atoms that the factories make, through the whole pipeline to code of the chip."""

import pytest
from harness import tracing

import flydsl.expr as fx
from flydsl._mlir import ir
from flydsl.expr import rocdl
from flydsl.expr.typing import T

CHIPS = ["gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250"]
TENSOR = "!fly.memref<f16, global, 64:1>"


def register(count, dtype):
    return fx.make_rmem_tensor(count, dtype)


@pytest.mark.parametrize("arch", CHIPS)
def test_buffer_copies(arch):
    with tracing(arch, TENSOR, "i32", to_binary=True) as traced:
        buffer = rocdl.make_buffer_tensor(traced.arguments[0], max_size=False)
        for bits in (16, 32, 64, 128):
            for cache in (0, 2):
                count = bits // 16
                atom = fx.make_copy_atom(rocdl.BufferCopy(bits, cache), fx.Float16)
                part, hold = fx.make_view(fx.get_iter(buffer), fx.make_layout(count, 1)), register(count, fx.Float16)
                fx.copy_atom_call(atom, part, hold)
                fx.copy(atom, hold, part, soffset=fx.Int32(traced.arguments[1]))


ATOMICS = [("gfx942", "Add", "f32"), ("gfx942", "PkAdd", "f16"), ("gfx950", "PkAdd", "bf16"), ("gfx1201", "PkAdd", "bf16"), ("gfx1250", "Add", "f64"),
           ("gfx1100", "Max", "f32"), ("gfx942", "Max", "i32"), ("gfx1100", "Min", "i32"), ("gfx942", "Max", "f64")]


@pytest.mark.parametrize("arch, name, kind", ATOMICS)
def test_buffer_atomics(arch, name, kind):
    with tracing(arch, f"!fly.memref<{kind}, global, 64:1>", to_binary=True) as traced:
        element = ir.Type.parse(kind)
        operation = getattr(rocdl, f"BufferAtomic{name}")(element)
        buffer = rocdl.make_buffer_tensor(traced.arguments[0])
        count = 2 if name == "PkAdd" else 1
        part = fx.make_view(fx.get_iter(buffer), fx.make_layout(count, 1))
        hold = fx.memref_alloca(ir.Type.parse(f"!fly.memref<{kind}, register, {count}:1>"), fx.make_layout(count, 1))
        fx.copy_atom_call(fx.make_copy_atom(operation, element.width), hold, part)


@pytest.mark.parametrize("arch, bits", [("gfx942", 32), ("gfx950", 32), ("gfx950", 128)])
def test_copies_to_shared_memory(arch, bits):
    with tracing(arch, "!fly.memref<f32, global, 64:1>", to_binary=True) as traced:
        count = bits // 32
        lds = fx.SharedAllocator().allocate(fx.Array[fx.Float32, 256, 16]).peek()
        source = fx.make_view(fx.get_iter(rocdl.make_buffer_tensor(traced.arguments[0])), fx.make_layout(count, 1))
        atom = fx.atom_set_value(fx.make_copy_atom(rocdl.BufferCopyLDS(bits), fx.Float32), "imm_offset", fx.Int32(16))
        fx.copy_atom_call(atom, source, lds.view(fx.make_layout(count, 1)))


MATRIX = [
    ("gfx942", "MFMA", (16, 16, 16, "Float16"), {}, 4, 4), ("gfx942", "MFMA", (32, 32, 8, "BFloat16"), {}, 4, 16),
    ("gfx942", "MFMA", (16, 16, 32, "Float8E4M3FNUZ"), {}, 8, 4), ("gfx942", "MFMA", (32, 32, 16, "Int8"), {}, 8, 16),
    ("gfx942", "MFMA", (16, 16, 4, "Float32"), {}, 1, 4), ("gfx950", "MFMA", (16, 16, 32, "Float16"), {}, 8, 4),
    ("gfx950", "MFMA", (32, 32, 16, "BFloat16"), {}, 8, 16), ("gfx1100", "WMMA", (16, 16, 16, "Float16"), {}, 16, 8),
    ("gfx1100", "WMMA", (16, 16, 16, "Int8"), {"clamp": True}, 16, 8), ("gfx1201", "WMMA", (16, 16, 16, "BFloat16"), {}, 8, 8),
    ("gfx1201", "WMMA", (16, 16, 16, "Float8E5M2"), {}, 8, 8), ("gfx1201", "WMMA", (16, 16, 16, "Uint8"), {}, 8, 8),
    ("gfx1250", "WMMA", (16, 16, 32, "Float16"), {}, 16, 8), ("gfx1250", "WMMA", (16, 16, 4, "Float32"), {"mod_c": 1}, 2, 8),
    ("gfx1250", "WMMA", (16, 16, 128, "Float8E4M3FN"), {}, 64, 8), ("gfx1250", "WMMA", (16, 16, 64, "Int8"), {}, 32, 8),
]


@pytest.mark.parametrize("arch, factory, arguments, keywords, count_ab, count_c", MATRIX)
def test_matrix_atoms(arch, factory, arguments, keywords, count_ab, count_c):
    with tracing(arch, to_binary=True):
        dtype = getattr(fx, arguments[3])
        atom = fx.make_mma_atom(getattr(rocdl, factory)(*arguments[:3], dtype, **keywords))
        acc = fx.Int32 if dtype.is_integer else fx.Float32
        a, b, c = register(count_ab, dtype), register(count_ab, dtype), register(count_c, acc)
        fx.mma_atom_call(atom, c, a, b, c)


def test_legacy_shared_memory():
    # DIFF: py-legacy-smem-warning
    from flydsl.utils import smem_allocator
    from flydsl.utils.smem_allocator import SmemAllocator, SmemPtr, get_mlir_type_align, get_mlir_type_size

    with tracing("gfx942", "i32", "f32", to_binary=True) as traced:
        i, x = traced.arguments
        smem_allocator._warned = False
        with pytest.warns(DeprecationWarning, match="use fx.SharedAllocator"):
            allocator = SmemAllocator(None, arch="gfx942", global_sym_name="legacy")
        offset = allocator._align(allocator.ptr + 3, 16)
        allocator.ptr = offset + 64 * 4
        part = SmemPtr(allocator.get_base(), offset, T.f32, shape=(8, 8))
        part.store(fx.Float32(x), [fx.Int32(i), 0])
        part.store(2, (1, 2))
        assert str(part.load([0, fx.Int32(i)]).type) == "f32" and str(SmemPtr(allocator.get_base(), 0, fx.Int32).load().type) == "i32"
        assert (get_mlir_type_size(T.f16x8), get_mlir_type_align(T.f16x8), get_mlir_type_size(T.i8)) == (16, 16, 1)
        for bad, error, text in [(lambda: part.load([8, 0]), IndexError, "index 8 is out of range on axis 0"), (lambda: part.load([0]), IndexError, "takes 2"),
                                 (lambda: part.store(fx.Int32(i), [0, 0]), TypeError, "Int32")]:
            with pytest.raises(error, match=text):
                bad()
        with ir.InsertionPoint.at_block_begin(traced.module.body.operations[0].regions[0].blocks[0]):
            allocator.finalize()
        big = SmemAllocator(None, arch="gfx942")
        big.ptr = 65537
        with pytest.raises(RuntimeError, match="65664 bytes"):
            big.finalize()
    # 16 + 256 bytes, rounded up to a multiple of 128.
    assert "memref.global @legacy : memref<384xi8, #gpu.address_space<workgroup>> {alignment = 1024 : i64}" in traced.text
