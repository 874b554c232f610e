# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The copy atoms in the chips' assembly: each becomes the instruction that it is named after."""

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.expr import rocdl


@pytest.fixture
def assembly(monkeypatch, tmp_path):
    """The chip's assembly of a kernel of two tensors of 8 x 64 i32."""
    def compile(arch, kernel):
        monkeypatch.setenv("FLYDSL_GPU_ARCH", arch)
        for name, value in (("COMPILE_ONLY", "1"), ("FLYDSL_DEVICE", "hip"), ("FLYDSL_DUMP_IR", "1"), ("FLYDSL_DUMP_DIR", str(tmp_path / "dump"))):
            monkeypatch.setenv(name, value)

        @flyc.jit
        def call(src: fx.Tensor, dst: fx.Tensor):
            kernel(src, dst).launch(grid=1, block=64)

        call(*(flyc.from_dlpack(np.zeros((8, 64), np.int32)) for _ in range(2)))
        files = list((tmp_path / "dump").rglob("*final_isa.s"))
        assert len(files) == 1
        return files[0].read_text()

    return compile


def mine(tensor, count):
    return fx.slice(fx.zipped_divide(tensor, fx.make_layout(count, 1)), (None, fx.thread_idx.x))


@pytest.mark.parametrize("make, instructions", [
    (lambda: rocdl.BufferCopyLDS32b(), ["buffer_load_dword ", " lds"]), (lambda: rocdl.BufferCopyLDS128b(), ["buffer_load_dwordx4 ", " lds"]),
    (lambda: rocdl.BufferLoadAsyncLDS96b(), ["buffer_load_dwordx3 ", " lds", "s_waitcnt vmcnt(0)"]),
    (lambda: rocdl.GlobalLoadAsyncLDS128b(), ["global_load_lds_dwordx4 ", "s_waitcnt vmcnt(0)"]),
    (lambda: rocdl.GlobalLoadAsyncLDS32b(), ["global_load_lds_dword ", "s_waitcnt vmcnt(0)"]),
])
def test_copies_to_shared_memory(assembly, make, instructions):
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        operation = make()
        count = operation.bit_size // 32
        memory = fx.SharedAllocator().allocate(fx.Array[fx.Int32, 256]).peek()
        flat = fx.make_view(fx.get_iter(src), fx.make_layout(512, 1))
        source = flat if fx.const_expr("global" in str(operation)) else rocdl.make_buffer_tensor(flat)
        fx.copy_atom_call(fx.make_copy_atom(operation, fx.Int32), mine(source, count), mine(fx.make_view(memory.ptr, fx.make_layout(256, 1)), count))
        rocdl.asyncmark()
        rocdl.wait_asyncmark(0)
        fx.gpu.barrier()
        dst[0, fx.thread_idx.x] = memory[255 - fx.thread_idx.x]

    text = assembly("gfx950", kernel)
    assert not [instruction for instruction in instructions if instruction not in text]


@pytest.mark.parametrize("granularity, bits, instruction", [
    (4, 64, "ds_read_b64_tr_b4"), (8, 64, "ds_read_b64_tr_b8"), (6, 96, "ds_read_b96_tr_b6"), (16, 64, "ds_read_b64_tr_b16"),
])
def test_transposing_reads(assembly, granularity, bits, instruction):
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        count = bits // 32
        memory = fx.SharedAllocator().allocate(fx.Array[fx.Int32, 64 * count]).peek()
        memory[fx.thread_idx.x] = src[0, fx.thread_idx.x]
        fx.gpu.barrier()
        hold = fx.make_rmem_tensor(count, fx.Int32)
        atom = fx.make_copy_atom(rocdl.cdna4.LDSReadTrans(granularity, bits), granularity)
        fx.copy_atom_call(atom, mine(fx.make_view(memory.ptr, fx.make_layout(64 * count, 1)), count), hold)
        for i in fx.range_constexpr(count):
            dst[i, fx.thread_idx.x] = hold[i]

    assert instruction in assembly("gfx950", kernel)


def test_tensor_copies(assembly):
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        memory = fx.SharedAllocator().allocate(fx.Array[fx.Int32, 512]).peek()
        lds = fx.make_view(memory.ptr, fx.make_layout((8, 64), (64, 1)))
        fx.copy_atom_call(rocdl.make_tdm_atom(src, [8, 64], num_warps=2), src, lds)
        rocdl.tdm_ops.tensor_wait(0)
        atom, target = rocdl.make_tiled_tdm_atom(rocdl.TensorStore(), dst, fx.make_layout((8, 64), (64, 1)), fx.make_tile(8, 64))
        tile = fx.slice(fx.zipped_divide(target, fx.make_tile(8, 64)), (None, (0, None)))
        s, g = rocdl.tdm_partition(atom, 0, fx.make_layout(1, 1), fx.make_view(memory.ptr, fx.make_layout(((8, 64), 1), ((64, 1), 0))), tile)
        fx.copy(atom, fx.slice(s, (None, 0)), fx.slice(g, (None, 0)))
        rows = rocdl.tdm_ops.make_tensor_gather_descriptor(src, memory.ptr, [1, 3], 64, 64, 8, 64, elem_bytes=4)
        rocdl.tdm_ops.tensor_load_gather(rows)
        rocdl.tdm_ops.tensor_wait(0)

    text = assembly("gfx1250", kernel)
    assert text.count("tensor_load_to_lds ") == 2 and "tensor_store_from_lds " in text and "s_wait_tensorcnt 0x0" in text


@pytest.mark.parametrize("arch, make, instruction", [
    ("gfx942", lambda: rocdl.BufferAtomicAdd(fx.Uint32), "buffer_atomic_add "), ("gfx942", lambda: rocdl.BufferAtomicMax(fx.Uint32), "buffer_atomic_umax "),
    ("gfx942", lambda: rocdl.BufferAtomicMin(fx.Int32), "buffer_atomic_smin "), ("gfx942", lambda: rocdl.BufferAtomicMax(fx.Int32), "buffer_atomic_smax "),
    ("gfx1250", lambda: rocdl.BufferAtomicMin(fx.Uint32), "buffer_atomic_min_u32 "), ("gfx1201", lambda: rocdl.BufferAtomicMin(fx.Int32), "buffer_atomic_min_i32 "),
])
def test_buffer_atomics_have_the_sign_of_the_class(assembly, arch, make, instruction):
    @flyc.kernel
    def kernel(src: fx.Tensor, dst: fx.Tensor):
        hold = fx.make_rmem_tensor(1, fx.Int32)
        hold[0] = src[0, fx.thread_idx.x]
        to = rocdl.make_buffer_tensor(fx.make_view(fx.get_iter(dst), fx.make_layout(512, 1)))
        fx.copy_atom_call(fx.make_copy_atom(make(), fx.Int32), hold, mine(to, 1))

    assert instruction in assembly(arch, kernel)
