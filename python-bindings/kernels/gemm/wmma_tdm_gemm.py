# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""C = A B^T in float16 or bfloat16 with float32 accumulation, by WMMA and tensor copies (TDM) of gfx1250.

A is (M, K), B (N, K), C (M, N), all row-major; M, N and K at run time, any. Four waves, two by two, own a tile of C. Tiles
of A and B come to LDS by tensor copies, a quarter of the rows by each wave, into one of two stages while the other is
used; C goes back the same way. The descriptors hold the ends of the matrices: what a tile has beyond them is read as zero
and not written. Rows in LDS are 16 bytes apart from each other, put there by the copies, so that the lanes of a read meet
different banks.
"""
import flydsl.compiler as flyc
import flydsl.expr as fx

from ..common.chips import pick
from ..common.operands import OUTPUTS, check_choice, check_multiples, check_rows, check_types, choose

WAVE, WAVES = 32, 4
PAD = 8                  # elements of 16 bits between rows in LDS

OPERANDS = {"f16": fx.Float16, "bf16": fx.BFloat16}
# K of the instruction, for each chip.
INSTRUCTIONS = {"gfx1250": 32}


def compile_wmma_tdm_gemm(*, tile_m=64, tile_n=64, tile_k=64, in_dtype="f16", out_dtype="f16", arch=None):
    """Returns ``launch(c, a, b, m, n, k, stream)``.

    tile_m, tile_n: multiples of 32 (two by two waves of 16x16). tile_k: 32, 64, 128 or 256. in_dtype: see OPERANDS;
    out_dtype: see common.operands.OUTPUTS.
    """
    kernel_name = "WMMA GEMM with tensor copies"
    instruction_k = pick(kernel_name, INSTRUCTIONS, arch)
    elem, out = choose("in_dtype", in_dtype, OPERANDS), choose("out_dtype", out_dtype, OUTPUTS)
    check_multiples(("tile_m", tile_m, 32), ("tile_n", tile_n, 32))
    check_choice("tile_k", tile_k, (32, 64, 128, 256))
    pitch = tile_k + PAD

    @fx.struct
    class Inputs:
        a: fx.Array[elem, 2 * tile_m * pitch, 128]
        b: fx.Array[elem, 2 * tile_n * pitch, 128]

    @fx.union
    class Storage:
        inputs: Inputs
        c: fx.Array[out, tile_m * tile_n, 128]

    @flyc.kernel
    def wmma_tdm_gemm_kernel(c: fx.Tensor, a: fx.Tensor, b: fx.Tensor, m: fx.Int32, n: fx.Int32, k: fx.Int32,
                             mma: fx.TiledMma):
        tid, wave = fx.thread_idx.x, fx.rocdl.wave_id()
        bm, bn = fx.block_idx.x, fx.block_idx.y
        storage = fx.SharedAllocator().allocate(Storage).peek()

        def transfer(op, tensor, rows, columns, tile_rows, tile_columns, row_pitch):
            """A wave's copy of a quarter of a tile, and where that quarter can start in the row-major matrix."""
            part = tile_rows // WAVES
            matrix = fx.make_view(fx.get_iter(tensor), fx.make_layout((rows, columns), (columns, 1)))
            atom, places = fx.rocdl.make_tiled_tdm_atom(op, matrix, fx.make_layout((part, tile_columns), (row_pitch, 1)),
                                                        fx.make_tile(part, tile_columns))
            return atom, fx.flat_divide(places, (part, tile_columns))

        load_a, places_a = transfer(fx.rocdl.TensorLoad(), a, m, k, tile_m, tile_k, pitch)
        load_b, places_b = transfer(fx.rocdl.TensorLoad(), b, n, k, tile_n, tile_k, pitch)
        store_c, places_c = transfer(fx.rocdl.TensorStore(), c, m, n, tile_m, tile_n, tile_n)

        lds_a = storage.inputs.a.view(fx.make_layout((tile_m, tile_k, 2), (pitch, 1, tile_m * pitch)))
        lds_b = storage.inputs.b.view(fx.make_layout((tile_n, tile_k, 2), (pitch, 1, tile_n * pitch)))
        lds_c = storage.c.view(fx.make_layout((tile_m, tile_n), (tile_n, 1)))

        def quarter(lds, rows, columns):
            return fx.flat_divide(lds, (rows // WAVES, columns))[None, None, wave, 0]

        def fetch(step, stage):
            fx.copy(load_a, places_a[None, None, bm * WAVES + wave, step], quarter(lds_a[None, None, stage], tile_m, tile_k))
            fx.copy(load_b, places_b[None, None, bn * WAVES + wave, step], quarter(lds_b[None, None, stage], tile_n, tile_k))

        wide = fx.make_copy_atom(fx.UniversalCopy128b(), elem)
        thr_mma = mma.thr_slice(tid)
        s2r_a, s2r_b = fx.make_tiled_copy_A(wide, mma).get_slice(tid), fx.make_tiled_copy_B(wide, mma).get_slice(tid)
        from_a, from_b = s2r_a.partition_S(lds_a), s2r_b.partition_S(lds_b)
        frag_a, frag_b = thr_mma.make_fragment_A(lds_a[None, None, 0]), thr_mma.make_fragment_B(lds_b[None, None, 0])
        into_a, into_b = s2r_a.retile(frag_a), s2r_b.retile(frag_b)
        frag_c = thr_mma.make_fragment_C(lds_c)
        frag_c.fill(0)

        def multiply(stage):
            fx.copy(wide, from_a[None, None, None, stage], into_a)
            fx.copy(wide, from_b[None, None, None, stage], into_b)
            fx.gemm(mma, frag_c, frag_a, frag_b, frag_c)

        steps = fx.max(fx.ceildiv(k, tile_k), 1)
        fetch(0, 0)
        for step in range(steps - 1):
            fetch(step + 1, (step + 1) % 2)
            # The two copies of the next step may be outstanding, not those of this one.
            fx.rocdl.tdm_ops.tensor_wait(2)
            fx.gpu.barrier()
            multiply(step % 2)
            fx.gpu.barrier()
        fx.rocdl.tdm_ops.tensor_wait(0)
        fx.gpu.barrier()
        multiply((steps - 1) % 2)
        fx.gpu.barrier()

        cell = fx.make_copy_atom(fx.UniversalCopy(out.width), out)
        r2s = fx.make_tiled_copy_C(cell, mma).get_slice(tid)
        frag_out = fx.make_fragment_like(frag_c, out)
        frag_out.store(frag_c.load().to(out))
        fx.copy(cell, r2s.retile(frag_out), r2s.partition_D(lds_c))
        fx.gpu.barrier()
        fx.copy(store_c, quarter(lds_c, tile_m, tile_n), places_c[None, None, bm * WAVES + wave, bn])
        fx.rocdl.tdm_ops.tensor_wait(0)

    @flyc.jit
    def wmma_tdm_gemm(c: fx.Tensor, a: fx.Tensor, b: fx.Tensor, m: fx.Int32, n: fx.Int32, k: fx.Int32,
                      stream: fx.Stream = fx.Stream(None)):
        check_types(kernel_name, a=(a, elem), b=(b, elem), c=(c, out))
        check_rows(kernel_name, "a", a, m, k)
        check_rows(kernel_name, "b", b, n, k)
        check_rows(kernel_name, "c", c, m, n)
        mma = fx.make_tiled_mma(fx.make_mma_atom(fx.rocdl.WMMA(16, 16, instruction_k, elem)),
                                fx.make_layout((2, 2, 1), (1, 2, 0)))
        wmma_tdm_gemm_kernel(c, a, b, m, n, k, mma).launch(
            grid=(fx.ceildiv(m, tile_m), fx.ceildiv(n, tile_n)), block=(WAVE * WAVES,), stream=stream)

    return wmma_tdm_gemm


def reference(a, b):
    """a b^T in float64."""
    import numpy as np

    return a.astype(np.float64) @ b.astype(np.float64).T
