# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel authoring guide, section 4.3: `fx.rocdl`. Chips other than the target are compiled for, not run."""
import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.expr import rocdl
from flydsl.expr.typing import T
from guide_support import in_kernel, isa


# High-level helpers

@flyc.kernel
def buffer_copy_kernel(A: fx.Tensor, B: fx.Tensor, bits: fx.Constexpr[int]):
    # Buffer tensor: wraps a Tensor with an AMD buffer resource descriptor
    A_buf = rocdl.make_buffer_tensor(A)
    copy_op = {128: rocdl.BufferCopy128b, 64: rocdl.BufferCopy64b, 32: rocdl.BufferCopy32b}[bits]()
    lanes = bits // 32
    atom = fx.make_copy_atom(copy_op, fx.Float32)
    tile = fx.make_layout(lanes, 1)
    reg = fx.make_rmem_tensor(lanes, fx.Float32)
    mine = (None, fx.thread_idx.x)
    fx.copy_atom_call(atom, fx.slice(fx.zipped_divide(A_buf, tile), mine), reg)
    fx.copy_atom_call(atom, reg, fx.slice(fx.zipped_divide(rocdl.make_buffer_tensor(B), tile), mine))


@flyc.jit
def buffer_copy(A: fx.Tensor, B: fx.Tensor, bits: fx.Constexpr[int]):
    buffer_copy_kernel(A, B, bits).launch(grid=1, block=64)


@pytest.mark.parametrize("bits", [128, 64, 32])
def test_buffer_copies(every_chip, bits):
    a = np.arange(64 * bits // 32, dtype=np.float32)
    b = np.zeros_like(a)
    buffer_copy(flyc.from_dlpack(a), flyc.from_dlpack(b), bits)
    np.testing.assert_array_equal(a, b)


def test_mfma_atom_constructor(chip):
    with in_kernel("gfx942"):
        atom_type = rocdl.MFMA(m=16, n=16, k=32, elem_ty_ab=fx.Float8E4M3FNUZ)
        assert str(atom_type) == "!fly_rocdl.cdna3.mfma<16x16x32, (f8E4M3FNUZ, f8E4M3FNUZ) -> f32>"
        assert type(atom_type).__name__ == "MmaOpCDNA3_MFMAType"


# MFMA instructions

@flyc.kernel
def mfma_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor):
    lane = fx.thread_idx.x
    row, group = lane % 16, lane // 16
    a = fx.Vector.from_elements([A[row, group * 4 + i] for i in range(4)])
    b = fx.Vector.from_elements([B[group * 4 + i, row] for i in range(4)])
    acc = fx.full(4, 1.0, fx.Float32)
    result_type = T.f32x4
    result = fx.Vector(rocdl.mfma_f32_16x16x16f16(result_type, [a, b, acc]))
    for i in fx.range_constexpr(4):
        C[group * 4 + i, row] = result[i]


@flyc.jit
def mfma(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor):
    mfma_kernel(A, B, C).launch(grid=1, block=64)


@pytest.mark.parametrize("name", ["gfx942", "gfx950"])
def test_mfma_instruction(chip, name):
    chip(name)
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-8, 8, (16, 16)).astype(np.float16) for _ in range(2))
    c = np.zeros((16, 16), np.float32)
    mfma(*map(flyc.from_dlpack, (a, b, c)))
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32) + 1)


def test_mfma_wrappers():
    with in_kernel("gfx942", "i64", "vector<4xf32>", "vector<4xi32>", "vector<4xi16>") as k:
        packed, acc, iacc, halves = k.arguments
        rocdl.mfma_f32_16x16x32_fp8_fp8(T.f32x4, [packed, packed, acc])
        rocdl.mfma_i32_16x16x32_i8(T.i32x4, [packed, packed, iacc])
        rocdl.mfma_f32_16x16x16bf16_1k(T.f32x4, [halves, halves, acc])   # BF16 1K variant
        rocdl.mfma_f32_16x16x16bf16_1k(T.f32x4, [halves, halves, acc, 1, 2, 0])
    for name in ("16x16x32.fp8.fp8", "16x16x32.i8", "16x16x16bf16.1k"):
        assert f"rocdl.mfma.{'i32' if 'i8' in name else 'f32'}.{name}" in k.text
    with in_kernel("gfx950", "vector<8xi32>", "vector<4xf32>", "i32") as k:
        a, acc, scale = k.arguments
        cbsz = blgp = opselA = opselB = 0
        rocdl.mfma_scale_f32_16x16x128_f8f6f4(T.f32x4, [a, a, acc, cbsz, blgp, opselA, scale, opselB, scale])
    assert "rocdl.mfma.scale.f32.16x16x128.f8f6f4" in k.text


# Instruction scheduling barriers

def test_scheduling_barriers():
    with in_kernel("gfx942") as k:
        rocdl.sched_mfma(1)
        rocdl.sched_vmem(2)
        rocdl.sched_dsrd(3)
        rocdl.sched_dswr(4)
    lines = [line.split("barrier")[1].strip() for line in k.text.splitlines() if "sched.group.barrier" in line]
    assert lines == ["8, 1, 0", "32, 2, 0", "256, 3, 0", "512, 4, 0"]


# Math intrinsics

@flyc.kernel
def math_kernel(x: fx.Tensor, out: fx.Tensor):
    i = fx.thread_idx.x
    # Base-2 exponential (v_exp_f32)
    out[i, 0] = fx.Float32(rocdl.exp2(T.f32, x[i]))
    # Reciprocal (v_rcp_f32)
    out[i, 1] = fx.Float32(rocdl.rcp(T.f32, x[i]))


@flyc.jit
def math(x: fx.Tensor, out: fx.Tensor):
    math_kernel(x, out).launch(grid=1, block=64)


def test_math_intrinsics(every_chip, monkeypatch):
    x, out = np.linspace(0.5, 4, 64, dtype=np.float32), np.zeros((64, 2), np.float32)
    math(flyc.from_dlpack(x), flyc.from_dlpack(out))
    np.testing.assert_allclose(out, np.stack([2**x, 1 / x], axis=1), rtol=1e-6)
    monkeypatch.setenv("COMPILE_ONLY", "1")
    monkeypatch.setenv("FLYDSL_DEVICE", "hip")
    math(flyc.from_dlpack(x), flyc.from_dlpack(out))
    text = isa(math)
    assert "v_exp_f32" in text and "v_rcp_f32" in text


# Low-level ops

@flyc.kernel
def low_level_kernel(src: fx.Tensor, out: fx.Tensor):
    lane = fx.thread_idx.x
    rsrc = rocdl.get_buffer_rsrc(fx.get_iter(rocdl.make_buffer_tensor(src, max_size=False)))
    to = rocdl.get_buffer_rsrc(fx.get_iter(rocdl.make_buffer_tensor(out, max_size=False)))
    offset, soffset, aux = lane * 4, 0, 0
    data = rocdl.raw_ptr_buffer_load(T.i32, rsrc, offset, soffset, aux)
    # Warp shuffle
    val = rocdl.ds_bpermute((lane ^ 1) * 4, fx.Int32(data))
    rocdl.raw_ptr_buffer_store(val, to, offset, soffset, aux)


@flyc.jit
def low_level(src: fx.Tensor, out: fx.Tensor):
    low_level_kernel(src, out).launch(grid=1, block=64)


def test_low_level_ops(every_chip):
    src, out = np.arange(64, dtype=np.int32) * 7, np.zeros(64, np.int32)
    low_level(flyc.from_dlpack(src), flyc.from_dlpack(out))
    np.testing.assert_array_equal(out, src[np.arange(64) ^ 1])


def test_low_level_ops_without_result_types():
    # As the guide writes them: the load gives an i32, the shuffle what it is given.
    with in_kernel("gfx942", "i32", "!llvm.ptr<8>") as k:
        src, rsrc = k.arguments
        offset, soffset, aux = fx.Int32(src) * 4, 0, 0
        val = rocdl.ds_bpermute(offset, src)
        data = rocdl.raw_ptr_buffer_load(rsrc, offset, soffset, aux)
        assert str(val.type) == str(data.type) == "i32"
        rocdl.raw_ptr_buffer_store(data, rsrc, offset, soffset, aux)
    assert "rocdl.ds_bpermute" in k.text and "rocdl.raw.ptr.buffer.load" in k.text and "buffer.store" in k.text


# gfx1250 WMMA and TDM atoms (wave32)

@pytest.mark.parametrize("ab, acc, ks", [
    ("Float32", "Float32", [4]), ("Float16", "Float32", [32]), ("Float16", "Float16", [32]), ("BFloat16", "Float32", [32]),
    ("BFloat16", "BFloat16", [32]), ("Float8E4M3FN", "Float32", [64, 128]), ("Float8E5M2", "Float16", [64, 128]),
    ("Int8", "Int32", [64])])
def test_wmma_table(ab, acc, ks):
    with in_kernel("gfx1250"):
        for k in ks:
            atom = rocdl.WMMA(16, 16, k, getattr(fx, ab), getattr(fx, acc))
            assert type(atom).__name__ == "MmaOpGFX1250_WMMAType" and f"16x16x{k}" in str(atom)
            fx.make_mma_atom(atom)
        with pytest.raises(ValueError, match="16x16x16"):
            rocdl.WMMA(16, 16, 16, getattr(fx, ab), getattr(fx, acc))


def test_wmma_fragments():
    with in_kernel("gfx1250"):
        mma = fx.make_mma_atom(rocdl.WMMA(16, 16, 32, fx.Float16))          # f16 -> f32
        assert "-> f32" in str(mma.type)
        mma = fx.make_mma_atom(rocdl.WMMA(16, 16, 128, fx.Float8E4M3FN))    # fp8 -> f32
        assert "(f8E4M3FN, f8E4M3FN) -> f32" in str(mma.type)
        assert "(f8E4M3FN, f8E5M2)" in str(rocdl.WMMA(16, 16, 64, fx.Float8E4M3FN, elem_ty_b=fx.Float8E5M2))
        # No gfx1250 has the 4-bit instruction of the guide.
        with pytest.raises(ValueError, match="no shape for i4|not available on gfx1250|GFX1250 WMMA"):
            rocdl.WMMA(16, 16, 32, T.i4, T.i32, sign_a=True, sign_b=True, clamp=True)


def test_wmma_of_rdna4():
    for chip in ("gfx1200", "gfx1201"):
        with in_kernel(chip):
            mma = fx.make_mma_atom(rocdl.WMMA(16, 16, 16, fx.BFloat16, fx.Float32))
            assert "gfx120x.wmma<16x16x16, (bf16, bf16) -> f32" in str(mma.type)
            for k, elem in ((32, fx.Float16), (64, fx.Float8E4M3FN), (128, fx.Float8E4M3FN)):
                with pytest.raises(ValueError, match="GFX120X WMMA"):
                    rocdl.WMMA(16, 16, k, elem)


def test_scaled_wmma_and_tensor_copies():
    with in_kernel("gfx1250", "!fly.memref<f16, global, (64,32):(32,1)>") as k:
        A, = k.arguments
        M, N = 64, 32
        scaled = fx.make_mma_atom(rocdl.WMMAScale(16, 16, 128, fx.Float8E4M3FN))
        assert "gfx1250.wmma_scale<16x16x128, (f8E4M3FN, f8E4M3FN) -> f32, opselA = 0" in str(scaled.type)
        lds = fx.SharedAllocator().allocate(fx.Array[fx.Float16, M * N]).peek()
        lds2d = fx.make_view(lds.ptr, fx.make_layout((M, N), (N, 1)))
        g2d = fx.make_view(fx.get_iter(A), fx.make_layout((M, N), (N, 1)))
        assert (str(g2d.type), str(lds2d.type)) == ("!fly.memref<f16, global, (64,32):(32,1)>",
                                                    "!fly.memref<f16, shared, (64,32):(32,1), align<16>>")
        assert str(rocdl.make_tdm_atom(g2d, [M, N], num_warps=4).type.copy_op) == str(rocdl.cdna5.TDM(2, 4))
        # A tensor copy takes the plain address.
        with pytest.raises(ValueError, match="raw global tensor"):
            rocdl.make_tdm_atom(rocdl.make_buffer_tensor(g2d), [M, N], num_warps=4)
        rocdl.tdm_ops.tensor_wait(0)
    assert "rocdl.s.wait.tensorcnt 0" in k.text


@flyc.kernel
def tensor_copy_kernel(A: fx.Tensor, B: fx.Tensor, k_tile: fx.Int32):
    M, N = 64, 32
    lds = fx.SharedAllocator().allocate(fx.Array[fx.Float16, M * N]).peek()
    lds2d = fx.make_view(lds.ptr, fx.make_layout((M, N), (N, 1)))       # note: lds.ptr
    g2d = fx.make_view(fx.get_iter(A), fx.make_layout((M, N), (N, 1)))  # raw VA, not make_buffer_tensor
    out = fx.make_view(fx.get_iter(B), fx.make_layout((M, N), (N, 1)))
    k_stride_bytes = M * N * 2

    atom = rocdl.make_tdm_atom(g2d, [M, N], num_warps=4)  # rank = len(extents), 1-5D
    fx.copy_atom_call(atom, g2d, lds2d)                   # Global -> LDS (base from g2d)
    rocdl.tdm_ops.tensor_wait(0)                          # await the async DMA (s_wait_tensorcnt)
    fx.gpu.barrier()
    fx.copy_atom_call(atom, lds2d, out)
    rocdl.tdm_ops.tensor_wait(0)
    fx.gpu.barrier()

    # K-loop: bump one scalar (imm_offset, carry-safe i64) instead of re-deriving base:
    fx.copy(atom, g2d, lds2d, imm_offset=k_tile * k_stride_bytes)
    rocdl.tdm_ops.tensor_wait(0)
    fx.gpu.barrier()
    fx.copy(atom, lds2d, out, imm_offset=k_tile * k_stride_bytes)
    rocdl.tdm_ops.tensor_wait(0)


@flyc.jit
def tensor_copy(A: fx.Tensor, B: fx.Tensor, k_tile: fx.Int32):
    tensor_copy_kernel(A, B, k_tile).launch(grid=1, block=128)


def test_tensor_copies_move_tiles(chip):
    chip("gfx1250")
    a = (np.arange(3 * 64 * 32) % 2048).reshape(3, 64, 32).astype(np.float16)
    b = np.zeros_like(a)
    tensor_copy(flyc.from_dlpack(a), flyc.from_dlpack(b), 2)
    np.testing.assert_array_equal(b, np.stack([a[0], np.zeros_like(a[1]), a[2]]))


@flyc.kernel
def gemm_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, atom: fx.Constexpr):
    mma = fx.make_tiled_mma(fx.make_mma_atom(atom()), fx.make_layout((1, 1, 1), (0, 0, 0)))
    thr = mma.get_slice(fx.thread_idx.x)
    elem = A.element_type
    copy_ab, copy_c = fx.make_copy_atom(fx.UniversalCopy(elem.width), elem), fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32)
    frag_A, frag_B, frag_C = thr.make_fragment_A(A), thr.make_fragment_B(B), thr.make_fragment_C(C)
    frag_C.fill(0)
    in_a, in_b = (make(copy_ab, mma).get_slice(fx.thread_idx.x) for make in (fx.make_tiled_copy_A, fx.make_tiled_copy_B))
    fx.copy(copy_ab, in_a.partition_S(A), in_a.retile(frag_A))
    fx.copy(copy_ab, in_b.partition_S(B), in_b.retile(frag_B))
    fx.gemm(mma, frag_C, frag_A, frag_B, frag_C)
    out = fx.make_tiled_copy_C(copy_c, mma).get_slice(fx.thread_idx.x)
    fx.copy(copy_c, out.retile(frag_C), out.partition_D(C))


@flyc.jit
def gemm(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, atom: fx.Constexpr, threads: fx.Constexpr[int]):
    gemm_kernel(A, B, C, atom).launch(grid=1, block=threads)


def wide():
    return rocdl.WMMA(16, 16, 32, fx.Float16)


def narrow():
    return rocdl.WMMA(16, 16, 16, fx.Float16, fx.Float32)


def matrix():
    return rocdl.MFMA(16, 16, 16, fx.Float16)


@pytest.mark.parametrize("name, atom, k", [("gfx1250", wide, 32), ("gfx1100", narrow, 16), ("gfx1201", narrow, 16),
                                           ("gfx942", matrix, 16), ("gfx950", matrix, 16)])
def test_matrix_atoms_multiply(chip, name, atom, k):
    chip(name)
    rng = np.random.default_rng(4)
    a, b = (rng.integers(-8, 8, (16, k)).astype(np.float16) for _ in range(2))
    c = np.zeros((16, 16), np.float32)
    gemm(*map(flyc.from_dlpack, (a, b, c)), atom, 64 if atom is matrix else 32)
    np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32).T)
