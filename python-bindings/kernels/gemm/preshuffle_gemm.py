# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""C = epilogue(A B^T + bias) with B stored in the order in which the matrix instruction reads it. MFMA chips.

A is (M, K) row-major, C (M, N) row-major, M at run time. B is (N, K) in blocks of 16 columns of C by 32 of K: within a
block, lane 16 g + c of a wave finds its 8 values of K (8 g to 8 g + 7) for column c in 16 bytes at 16 * lane, so that a
wave reads a block in one piece. ``shuffle_b`` brings a row-major B into this order. Since a lane's 8 values feed two
16x16x16 instructions, K is taken in the order that ``k_order`` below says, for A too.

A goes through two (or one) swizzled tiles in LDS, B straight to registers. Rows past M are read as zero and not written:
the buffer descriptors of A and C end with the last row.
"""
import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.runtime.device import get_rocm_arch

from ..common.epilogue import activate, check_epilogue
from ..common.epilogue import reference as epilogue_reference

THREADS, WAVES = 256, 4
LANE_VALUES = 8          # of K in 16 bytes
BLOCK_N, BLOCK_K = 16, 4 * LANE_VALUES
CHIPS = ("gfx942", "gfx950")

_DTYPES = {"f16": fx.Float16}


def _type(name, what):
    if name not in _DTYPES:
        raise ValueError(f"{what} is {name!r}, expected one of {', '.join(_DTYPES)}")
    return _DTYPES[name]


def shuffle_b(b):
    """B (N, K), row-major, in the order that the kernel reads; an array of the same shape and type."""
    n, k = b.shape
    if n % BLOCK_N or k % BLOCK_K:
        raise ValueError(f"B is {n}x{k}, expected multiples of {BLOCK_N}x{BLOCK_K}")
    blocks = b.reshape(n // BLOCK_N, BLOCK_N, k // BLOCK_K, 4, LANE_VALUES)
    return blocks.transpose(0, 2, 3, 1, 4).copy().reshape(n, k)


def compile_preshuffle_gemm(*, N, K, tile_m=64, tile_n=128, tile_k=64, in_dtype="f16", out_dtype="f16", epilogue="none",
                            lds_stage=2, arch=None):
    """Returns ``launch(c, a, b, scale_a, scale_b, bias, m, n, stream)``.

    N, K: multiples of tile_n and tile_k. tile_m: a multiple of 16 rows of what the 256 threads copy at once,
    ``256 * 8 / tile_k``. tile_n: a multiple of 64 (four waves of 16 columns). tile_k: 32, 64 or 128.
    epilogue: see common.epilogue; "none" does not read bias. scale_a, scale_b: not read for f16.
    lds_stage: tiles of A in LDS, 1 or 2; with 2 the next tile is loaded while the current one is used.
    """
    chip = (arch or get_rocm_arch()).split(":")[0]
    if chip not in CHIPS:
        raise ValueError(f"preshuffle GEMM: chip {chip} has no MFMA, expected one of {', '.join(CHIPS)}")
    elem, out = _type(in_dtype, "in_dtype"), _type(out_dtype, "out_dtype")
    check_epilogue(epilogue)
    across = tile_k // LANE_VALUES       # threads along K in a copy of A
    down = THREADS // across             # threads along M
    if tile_k not in (32, 64, 128):
        raise ValueError(f"tile_k is {tile_k}, expected 32, 64 or 128")
    for name, size, of in (("tile_m", tile_m, down), ("tile_m", tile_m, 16), ("tile_n", tile_n, 16 * WAVES),
                           ("N", N, tile_n), ("K", K, tile_k)):
        if size <= 0 or size % of:
            raise ValueError(f"{name} is {size}, expected a positive multiple of {of}")
    if lds_stage not in (1, 2):
        raise ValueError(f"lds_stage is {lds_stage}, expected 1 or 2")
    k_tiles = K // tile_k
    chunk_bits = across.bit_length() - 1
    has_bias = epilogue != "none"
    a_cells = tile_m * tile_k

    @fx.struct
    class Storage:
        a0: fx.Array[elem, a_cells, 16]
        if lds_stage == 2:
            a1: fx.Array[elem, a_cells, 16]

    @flyc.kernel
    def preshuffle_gemm_kernel(c: fx.Tensor, a: fx.Tensor, b: fx.Tensor, bias: fx.Tensor, m: fx.Int32,
                               mma: fx.TiledMma, g2s: fx.TiledCopy):
        tid = fx.thread_idx.x
        bm, bn = fx.block_idx.x, fx.block_idx.y

        # A and C end with row m - 1; B in its own order, bias the same for all rows.
        rows = fx.Int64(m)
        buf_a = fx.rocdl.make_buffer_tensor(a, num_records_bytes=rows * (K * elem.width // 8))
        buf_c = fx.rocdl.make_buffer_tensor(c, num_records_bytes=rows * (N * out.width // 8))
        buf_b = fx.rocdl.make_buffer_tensor(b)
        mat_a = fx.make_view(fx.get_iter(buf_a), fx.make_layout((m, K), (K, 1)))
        mat_c = fx.make_view(fx.get_iter(buf_c), fx.make_layout((m, N), (N, 1)))
        mat_b = fx.make_view(fx.get_iter(buf_b), fx.make_layout(
            ((BLOCK_N, N // BLOCK_N), (LANE_VALUES, 4, K // BLOCK_K)),
            ((LANE_VALUES, BLOCK_N * K), (1, LANE_VALUES * BLOCK_N, BLOCK_N * BLOCK_K))))
        tile_a = fx.flat_divide(mat_a, (tile_m, tile_k))[None, None, bm, None]
        tile_b = fx.flat_divide(mat_b, (tile_n, tile_k))[None, None, bn, None]
        tile_c = fx.flat_divide(mat_c, (tile_m, tile_n))[None, None, bm, bn]

        # 16 bytes of a row change places with those of other rows: no two lanes of a read meet in a bank.
        storage = fx.SharedAllocator().allocate(Storage).peek()
        swizzle = fx.static(fx.SwizzleType.get(chunk_bits, 3, chunk_bits))
        cells = fx.make_composed_layout(swizzle, fx.make_layout((tile_m, tile_k), (tile_k, 1)))
        stages = [fx.make_view(storage.a0.ptr, cells)]
        if fx.const_expr(lds_stage == 2):
            stages.append(fx.make_view(storage.a1.ptr, cells))

        load = fx.make_copy_atom(fx.rocdl.BufferCopy128b(), elem)
        wide = fx.make_copy_atom(fx.UniversalCopy128b(), elem)
        thr_mma = mma.thr_slice(tid)
        thr_g2s = g2s.get_slice(tid)
        s2r = fx.make_tiled_copy_A(wide, mma).get_slice(tid)
        g2r = fx.make_tiled_copy_B(load, mma).get_slice(tid)

        from_a = thr_g2s.partition_S(tile_a)
        to_lds = [thr_g2s.partition_D(s) for s in stages]
        from_lds = [s2r.partition_S(s) for s in stages]
        from_b = g2r.partition_S(tile_b)
        hold = fx.make_fragment_like(to_lds[0])
        frag_a, frag_b = thr_mma.make_fragment_A(stages[0]), thr_mma.make_fragment_B(tile_b[None, None, 0])
        frag_c = thr_mma.make_fragment_C(tile_c)
        into_a, into_b = s2r.retile(frag_a), g2r.retile(frag_b)
        frag_c.fill(0)

        def multiply(stage, k):
            fx.copy(load, from_b[None, None, None, k], into_b)
            fx.copy(wide, from_lds[stage], into_a)
            fx.gemm(mma, frag_c, frag_a, frag_b, frag_c)

        if fx.const_expr(lds_stage == 1):
            for k in range(k_tiles):
                fx.copy(load, from_a[None, None, None, k], hold)
                fx.gpu.barrier()
                fx.copy(wide, hold, to_lds[0])
                fx.gpu.barrier()
                multiply(0, k)
        else:
            fx.copy(load, from_a[None, None, None, 0], hold)
            fx.copy(wide, hold, to_lds[0])
            # Two tiles a turn, so that each stage is known at compile time.
            for pair in range((k_tiles - 1) // 2):
                for stage in fx.range_constexpr(2):
                    k = pair * 2 + stage
                    fx.copy(load, from_a[None, None, None, k + 1], hold)
                    fx.gpu.barrier()
                    multiply(stage, k)
                    fx.copy(wide, hold, to_lds[1 - stage])
            if fx.const_expr(k_tiles % 2 == 0):
                fx.copy(load, from_a[None, None, None, k_tiles - 1], hold)
                fx.gpu.barrier()
                multiply(0, k_tiles - 2)
                fx.copy(wide, hold, to_lds[1])
            fx.gpu.barrier()
            multiply((k_tiles - 1) % 2, k_tiles - 1)

        store = fx.make_copy_atom(fx.rocdl.BufferCopy(out.width), out)
        r2g = fx.make_tiled_copy_C(store, mma).get_slice(tid)
        to_c = r2g.partition_D(tile_c)
        value = frag_c.load()
        if fx.const_expr(has_bias):
            all_rows = fx.make_view(fx.get_iter(fx.rocdl.make_buffer_tensor(bias)), fx.make_layout((tile_m, N), (0, 1)))
            tile_bias = fx.flat_divide(all_rows, (tile_m, tile_n))[None, None, 0, bn]
            frag_bias = fx.make_fragment_like(frag_c, out)
            fx.copy(store, r2g.partition_S(tile_bias), r2g.retile(frag_bias))
            value = activate(value + frag_bias.load().to(fx.Float32), epilogue)
        frag_out = fx.make_fragment_like(frag_c, out)
        frag_out.store(value.to(out))
        fx.copy(store, r2g.retile(frag_out), to_c)

    @flyc.jit
    def preshuffle_gemm(c: fx.Tensor, a: fx.Tensor, b: fx.Tensor, scale_a: fx.Tensor, scale_b: fx.Tensor,
                        bias: fx.Tensor, m: fx.Int32, n: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        # Value j of lane group g in instruction s is number 8 g + 4 s + j of K.
        k_order = fx.make_layout((4, 4, 2), (1, LANE_VALUES, 4))
        mma = fx.make_tiled_mma(fx.make_mma_atom(fx.rocdl.MFMA(16, 16, 16, elem)),
                                fx.make_layout((1, WAVES, 1), (0, 1, 0)), fx.make_tile(None, None, k_order))
        g2s = fx.make_tiled_copy(
            fx.make_copy_atom(fx.UniversalCopy128b(), elem),
            fx.make_layout(((across, down), (1, LANE_VALUES)), ((down * LANE_VALUES, 1), (1, down))),
            fx.make_tile(down, tile_k))
        preshuffle_gemm_kernel(c, a, b, bias, m, mma, g2s).launch(
            grid=(fx.ceildiv(m, tile_m), N // tile_n), block=(THREADS,), stream=stream)

    return preshuffle_gemm


def reference(a, b, bias=None, epilogue="none"):
    """epilogue(a b^T + bias) in float64; b row-major, not shuffled."""
    import numpy as np

    return epilogue_reference(a.astype(np.float64) @ b.astype(np.float64).T, bias, epilogue)
