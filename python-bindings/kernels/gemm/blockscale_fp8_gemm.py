# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""C = A B^T of fp8 operands with a scale for each 32 values along K, on the block-scaled MFMA of gfx950.

A is (M, K), B (N, K), C (M, N), all row-major; M at run time. scale_a is (M, K / 32), scale_b (N, K / 32), one byte e each
that means 2^(e - 127), NaN for 255 (E8M0):

    C[i, j] = sum_k A[i, k] 2^(scale_a[i, k / 32] - 127) B[j, k] 2^(scale_b[j, k / 32] - 127)

Four waves, two by two, own a tile of C. Each step of 128 along K stages the tiles of A and B in LDS, swizzled; the next
ones are loaded to registers meanwhile. Scales go straight to registers, to the lane that the instruction takes them from.
Rows past M are read as zero and not written: the buffer descriptors of A, scale_a and C end with the last row.
"""
import flydsl.compiler as flyc
import flydsl.expr as fx

from ..common.chips import pick
from ..common.operands import OUTPUTS, check_multiples, check_rows, check_types, choose

THREADS, WAVE = 256, 64
BLOCK, TILE_K = 32, 128     # values of K for a scale and for a step
LANE_VALUES = 16            # fp8 values in 16 bytes

OPERANDS = {"e4m3": fx.Float8E4M3FN, "e5m2": fx.Float8E5M2}
# K of the instruction by the edge of its square tile, for each chip.
INSTRUCTIONS = {"gfx950": {16: 128, 32: 64}}


def compile_blockscale_fp8_gemm(*, N, K, tile_m=64, tile_n=64, in_dtype="e4m3", out_dtype="f16", edge=16, arch=None):
    """Returns ``launch(c, a, b, scale_a, scale_b, m, stream)``.

    N: a multiple of tile_n. K: a multiple of 128. edge: 16 or 32, rows and columns of an instruction's tile. tile_m,
    tile_n: multiples of 2 * edge (two by two waves) and 32. in_dtype: see OPERANDS; out_dtype: see common.operands.OUTPUTS.
    scale_a, scale_b: arrays of float8_e8m0fnu or uint8.
    """
    kernel_name = "fp8 GEMM with block scales"
    instruction_k = choose("edge", edge, pick(kernel_name, INSTRUCTIONS, arch))
    elem, out = choose("in_dtype", in_dtype, OPERANDS), choose("out_dtype", out_dtype, OUTPUTS)
    across = TILE_K // LANE_VALUES       # threads along K in a copy of A or B
    down = THREADS // across             # threads along M or N
    rows = max(2 * edge, down)
    check_multiples(("tile_m", tile_m, rows), ("tile_n", tile_n, rows), ("N", N, tile_n), ("K", K, TILE_K))
    k_tiles = K // TILE_K
    chunk_bits = across.bit_length() - 1
    # Blocks of K in an instruction: lane edge * b + r holds the scale of block b of row r.
    groups = WAVE // edge

    @fx.struct
    class Storage:
        a: fx.Array[elem, tile_m * TILE_K, 16]
        b: fx.Array[elem, tile_n * TILE_K, 16]

    @flyc.kernel
    def blockscale_fp8_gemm_kernel(c: fx.Tensor, a: fx.Tensor, b: fx.Tensor, scale_a: fx.Tensor, scale_b: fx.Tensor,
                                   m: fx.Int32, mma: fx.TiledMma, g2s: fx.TiledCopy, rows_a: fx.TiledCopy,
                                   rows_b: fx.TiledCopy):
        tid = fx.thread_idx.x
        bm, bn = fx.block_idx.x, fx.block_idx.y

        def matrix(tensor, count, columns, tile, at, dtype):
            """The tiles of a row-major matrix of ``count`` rows at ``at``, behind a descriptor that ends with the last row."""
            size = fx.Int64(count) * (columns * dtype.width // 8)
            start = fx.get_iter(fx.rocdl.make_buffer_tensor(tensor, num_records_bytes=size))
            whole = fx.make_view(fx.recast_iter(dtype, start), fx.make_layout((count, columns), (columns, 1)))
            return fx.flat_divide(whole, tile)[(None, None, *at)]

        tile_a = matrix(a, m, K, (tile_m, TILE_K), (bm, None), elem)
        tile_b = matrix(b, N, K, (tile_n, TILE_K), (bn, None), elem)
        tile_sa = matrix(scale_a, m, K // BLOCK, (tile_m, TILE_K // BLOCK), (bm, None), fx.Uint8)
        tile_sb = matrix(scale_b, N, K // BLOCK, (tile_n, TILE_K // BLOCK), (bn, None), fx.Uint8)
        tile_c = matrix(c, m, N, (tile_m, tile_n), (bm, bn), out)

        # 16 bytes of a row change places with those of other rows: no two lanes of a read meet in a bank.
        storage = fx.SharedAllocator().allocate(Storage).peek()
        swizzle = fx.static(fx.SwizzleType.get(chunk_bits, LANE_VALUES.bit_length() - 1, chunk_bits))
        plain_a, plain_b = fx.make_layout((tile_m, TILE_K), (TILE_K, 1)), fx.make_layout((tile_n, TILE_K), (TILE_K, 1))
        lds_a = fx.make_view(storage.a.ptr, fx.make_composed_layout(swizzle, plain_a))
        lds_b = fx.make_view(storage.b.ptr, fx.make_composed_layout(swizzle, plain_b))

        load = fx.make_copy_atom(fx.rocdl.BufferCopy128b(), elem)
        wide = fx.make_copy_atom(fx.UniversalCopy128b(), elem)
        byte = fx.make_copy_atom(fx.rocdl.BufferCopy(8), fx.Uint8)
        thr_mma, thr_g2s = mma.thr_slice(tid), g2s.get_slice(tid)
        s2r_a, s2r_b = fx.make_tiled_copy_A(wide, mma).get_slice(tid), fx.make_tiled_copy_B(wide, mma).get_slice(tid)

        from_a, from_b = thr_g2s.partition_S(tile_a), thr_g2s.partition_S(tile_b)
        to_a, to_b = thr_g2s.partition_D(lds_a), thr_g2s.partition_D(lds_b)
        hold_a, hold_b = fx.make_fragment_like(to_a), fx.make_fragment_like(to_b)
        stage_a, stage_b = s2r_a.partition_S(lds_a), s2r_b.partition_S(lds_b)
        frag_a, frag_b = thr_mma.make_fragment_A(lds_a), thr_mma.make_fragment_B(lds_b)
        into_a, into_b = s2r_a.retile(frag_a), s2r_b.retile(frag_b)
        frag_c = thr_mma.make_fragment_C(tile_c)
        frag_c.fill(0)

        from_sa, from_sb = rows_a.get_slice(tid).partition_S(tile_sa), rows_b.get_slice(tid).partition_S(tile_sb)
        byte_a, byte_b = (fx.make_fragment_like(source[None, None, None, 0]) for source in (from_sa, from_sb))
        word_a, word_b = fx.make_fragment_like(byte_a, fx.Int32), fx.make_fragment_like(byte_b, fx.Int32)

        def fetch(k):
            fx.copy(load, from_a[None, None, None, k], hold_a)
            fx.copy(load, from_b[None, None, None, k], hold_b)

        def step(k):
            fx.copy(byte, from_sa[None, None, None, k], byte_a)
            fx.copy(byte, from_sb[None, None, None, k], byte_b)
            fx.copy(wide, hold_a, to_a)
            fx.copy(wide, hold_b, to_b)
            fx.gpu.barrier()

        def multiply():
            fx.copy(wide, stage_a, into_a)
            fx.copy(wide, stage_b, into_b)
            word_a.store(byte_a.load().to(fx.Int32))
            word_b.store(byte_b.load().to(fx.Int32))
            fx.gemm(mma, frag_c, [frag_a, word_a], [frag_b, word_b], frag_c)

        fetch(0)
        for k in range(k_tiles - 1):
            step(k)
            fetch(k + 1)
            multiply()
            fx.gpu.barrier()
        step(k_tiles - 1)
        multiply()

        store = fx.make_copy_atom(fx.rocdl.BufferCopy(out.width), out)
        r2g = fx.make_tiled_copy_C(store, mma).get_slice(tid)
        frag_out = fx.make_fragment_like(frag_c, out)
        frag_out.store(frag_c.load().to(out))
        fx.copy(store, r2g.retile(frag_out), r2g.partition_D(tile_c))

    @flyc.jit
    def blockscale_fp8_gemm(c: fx.Tensor, a: fx.Tensor, b: fx.Tensor, scale_a: fx.Tensor, scale_b: fx.Tensor, m: fx.Int32,
                            stream: fx.Stream = fx.Stream(None)):
        scales = (fx.Float8E8M0FNU, fx.Uint8)
        check_types(kernel_name, a=(a, elem), b=(b, elem), c=(c, out), scale_a=(scale_a, scales),
                    scale_b=(scale_b, scales))
        for name, tensor, rows, columns in (("a", a, m, K), ("b", b, N, K), ("c", c, m, N), ("scale_a", scale_a, m, K // BLOCK),
                                            ("scale_b", scale_b, N, K // BLOCK)):
            check_rows(kernel_name, name, tensor, rows, columns)
        mma = fx.make_tiled_mma(fx.make_mma_atom(fx.rocdl.MFMA_Scale(edge, edge, instruction_k, elem)),
                                fx.make_layout((2, 2, 1), (1, 2, 0)))
        g2s = fx.make_tiled_copy(
            fx.make_copy_atom(fx.UniversalCopy128b(), elem),
            fx.make_layout(((across, down), (1, LANE_VALUES)), ((down * LANE_VALUES, 1), (1, down))),
            fx.make_tile(down, TILE_K))

        def scale_rows(along_m, along_n):
            """Row, block, wave along M and along N of a thread, as positions in a tile of 2 edge rows and all blocks."""
            return fx.make_tiled_copy(fx.make_copy_atom(fx.UniversalCopy(8), fx.Uint8),
                                      fx.make_layout(((edge, groups, 2, 2), 1), ((1, 2 * edge, along_m, along_n), 0)),
                                      fx.make_tile(2 * edge, groups))

        rows_a, rows_b = scale_rows(edge, 0), scale_rows(0, edge)
        blockscale_fp8_gemm_kernel(c, a, b, scale_a, scale_b, m, mma, g2s, rows_a, rows_b).launch(
            grid=(fx.ceildiv(m, tile_m), N // tile_n), block=(THREADS,), stream=stream)

    return blockscale_fp8_gemm


def decode(values, scale):
    """What fp8 values with scales (float8_e8m0fnu or uint8) for each 32 along the last axis stand for, in float64."""
    import ml_dtypes
    import numpy as np

    scale = scale.view(np.uint8).view(ml_dtypes.float8_e8m0fnu).astype(np.float64)
    return values.astype(np.float64) * np.repeat(scale, BLOCK, axis=-1)


def reference(a, b, scale_a, scale_b):
    """The product in float64."""
    return decode(a, scale_a) @ decode(b, scale_b).T
