# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""C = A B^T in float16 with float32 accumulation, on the WMMA instructions of RDNA chips and gfx1250.

A is (M, K), B (N, K), C (M, N), all row-major; M at run time. Four waves own a tile of C; each step of K stages the
tiles of A and B in LDS, and the next ones are loaded to registers meanwhile. Rows past M are read as zero and not
written: the buffer descriptors of A and C end with the last row.
"""
import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.runtime.device import known_chips

from ..common.chips import pick
from ..common.operands import OUTPUTS, check_choice, check_multiples, check_rows, check_types, choose

WAVE, WAVES = 32, 4
LANE_VALUES = 8          # float16 values in 16 bytes

# K of the instruction, for each chip.
INSTRUCTIONS = {chip: 32 if chip == "gfx1250" else 16 for chip in known_chips() if chip.startswith(("gfx11", "gfx12"))}


def compile_rdna_f16_gemm(*, N, K, tile_m=64, tile_n=64, tile_k=32, out_dtype="f16", arch=None):
    """Returns ``launch(c, a, b, m, stream)``.

    N, K: multiples of tile_n and tile_k. tile_m, tile_n: multiples of 32 (2x2 waves of 16x16). tile_k: 32 or 64.
    out_dtype: see common.operands.OUTPUTS.
    """
    instruction_k = pick("RDNA GEMM", INSTRUCTIONS, arch)
    out = choose("out_dtype", out_dtype, OUTPUTS)
    check_choice("tile_k", tile_k, (32, 64))
    threads = WAVE * WAVES
    across = tile_k // LANE_VALUES
    down = threads // across
    check_multiples(("tile_m", tile_m, max(32, down)), ("tile_n", tile_n, max(32, down)), ("N", N, tile_n), ("K", K, tile_k))
    k_tiles = K // tile_k

    @fx.struct
    class Storage:
        a: fx.Array[fx.Float16, tile_m * tile_k, 16]
        b: fx.Array[fx.Float16, tile_n * tile_k, 16]

    @flyc.kernel
    def rdna_f16_gemm_kernel(c: fx.Tensor, a: fx.Tensor, b: fx.Tensor, m: fx.Int32, mma: fx.TiledMma,
                             g2s: fx.TiledCopy):
        tid = fx.thread_idx.x
        bm, bn = fx.block_idx.x, fx.block_idx.y

        rows = fx.Int64(m)
        buf_a = fx.rocdl.make_buffer_tensor(a, num_records_bytes=rows * (K * 2))
        buf_b = fx.rocdl.make_buffer_tensor(b)
        buf_c = fx.rocdl.make_buffer_tensor(c, num_records_bytes=rows * (N * out.width // 8))
        mat_a = fx.make_view(fx.get_iter(buf_a), fx.make_layout((m, K), (K, 1)))
        mat_b = fx.make_view(fx.get_iter(buf_b), fx.make_layout((N, K), (K, 1)))
        mat_c = fx.make_view(fx.get_iter(buf_c), fx.make_layout((m, N), (N, 1)))
        tile_a = fx.flat_divide(mat_a, (tile_m, tile_k))[None, None, bm, None]
        tile_b = fx.flat_divide(mat_b, (tile_n, tile_k))[None, None, bn, None]
        tile_c = fx.flat_divide(mat_c, (tile_m, tile_n))[None, None, bm, bn]

        storage = fx.SharedAllocator().allocate(Storage).peek()
        lds_a = storage.a.view(fx.make_layout((tile_m, tile_k), (tile_k, 1)))
        lds_b = storage.b.view(fx.make_layout((tile_n, tile_k), (tile_k, 1)))

        load = fx.make_copy_atom(fx.rocdl.BufferCopy128b(), fx.Float16)
        wide = fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float16)
        read = fx.make_copy_atom(fx.UniversalCopy64b(), fx.Float16)
        thr_g2s = g2s.get_slice(tid)
        thr_mma = mma.thr_slice(tid)
        s2r_a = fx.make_tiled_copy_A(read, mma).get_slice(tid)
        s2r_b = fx.make_tiled_copy_B(read, mma).get_slice(tid)

        from_a, from_b = thr_g2s.partition_S(tile_a), thr_g2s.partition_S(tile_b)
        to_a, to_b = thr_g2s.partition_D(lds_a), thr_g2s.partition_D(lds_b)
        hold_a, hold_b = fx.make_fragment_like(to_a), fx.make_fragment_like(to_b)
        frag_a, frag_b = thr_mma.make_fragment_A(lds_a), thr_mma.make_fragment_B(lds_b)
        frag_c = thr_mma.make_fragment_C(tile_c)
        stage_a, stage_b = s2r_a.partition_S(lds_a), s2r_b.partition_S(lds_b)
        into_a, into_b = s2r_a.retile(frag_a), s2r_b.retile(frag_b)
        frag_c.fill(0)

        def multiply():
            fx.gpu.barrier()
            fx.copy(read, stage_a, into_a)
            fx.copy(read, stage_b, into_b)
            fx.gemm(mma, frag_c, frag_a, frag_b, frag_c)

        def put():
            fx.copy(wide, hold_a, to_a)
            fx.copy(wide, hold_b, to_b)

        fx.copy(load, from_a[None, None, None, 0], hold_a)
        fx.copy(load, from_b[None, None, None, 0], hold_b)
        put()
        for k in range(1, k_tiles):
            fx.copy(load, from_a[None, None, None, k], hold_a)
            fx.copy(load, from_b[None, None, None, k], hold_b)
            multiply()
            fx.gpu.barrier()
            put()
        multiply()

        store = fx.make_copy_atom(fx.rocdl.BufferCopy(out.width), out)
        r2g = fx.make_tiled_copy_C(store, mma).get_slice(tid)
        frag_out = fx.make_fragment_like(frag_c, out)
        frag_out.store(frag_c.load().to(out))
        fx.copy(store, r2g.retile(frag_out), r2g.partition_D(tile_c))

    @flyc.jit
    def rdna_f16_gemm(c: fx.Tensor, a: fx.Tensor, b: fx.Tensor, m: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        check_types("RDNA GEMM", a=(a, fx.Float16), b=(b, fx.Float16), c=(c, out))
        check_rows("RDNA GEMM", "a", a, m, K)
        check_rows("RDNA GEMM", "b", b, N, K)
        check_rows("RDNA GEMM", "c", c, m, N)
        mma = fx.make_tiled_mma(fx.make_mma_atom(fx.rocdl.WMMA(16, 16, instruction_k, fx.Float16, fx.Float32)),
                                fx.make_layout((2, 2, 1), (1, 2, 0)))
        g2s = fx.make_tiled_copy(
            fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float16),
            fx.make_layout(((across, down), (1, LANE_VALUES)), ((down * LANE_VALUES, 1), (1, down))),
            fx.make_tile(down, tile_k))
        rdna_f16_gemm_kernel(c, a, b, m, mma, g2s).launch(
            grid=(fx.ceildiv(m, tile_m), N // tile_n), block=(threads,), stream=stream)

    return rdna_f16_gemm


def reference(a, b):
    """a b^T in float64."""
    import numpy as np

    return a.astype(np.float64) @ b.astype(np.float64).T
