# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""C = epilogue(scale (A B^T) + bias) with B stored in the order in which the matrix instruction reads it. MFMA chips.

A is (M, K) row-major, C (M, N) row-major, M at run time; A and B hold float16, bfloat16, fp8 or int8 (``OPERANDS``).
fp8 and int8 products are dequantised with one float32 for each row of A and one for each row of B:
C[i, j] = scale_a[i] scale_b[j] sum_k A[i, k] B[j, k].

A lane moves 16 bytes of K at once, ``values`` of them. B is (N, K) in blocks of 16 columns of C by 64 bytes of K: within a
block, lane 16 g + c of a wave finds its values of K (from ``values`` * g on) for column c in 16 bytes at 16 * lane, so
that a wave reads a block in one piece. ``shuffle_b`` brings a row-major B into this order. Where a lane's values feed more
than one instruction, K is taken in the order that ``k_order`` below says, for A too.

A goes through two (or one) swizzled tiles in LDS, B straight to registers. Rows past M are read as zero and not written:
the buffer descriptors of A, scale_a and C end with the last row.
"""
import flydsl.compiler as flyc
import flydsl.expr as fx

from ..common.chips import pick
from ..common.epilogue import activate, check_epilogue
from ..common.epilogue import reference as epilogue_reference
from ..common.operands import OUTPUTS, check_choice, check_multiples, check_rows, check_types, check_values, choose

THREADS, WAVES, GROUPS = 256, 4, 4
LANE_BYTES = 16
BLOCK_N = 16

# What A and B may hold: for each chip the element type and K of its widest 16x16 instruction of at most 16 bytes a lane.
OPERANDS = {
    "f16": {"gfx90a": (fx.Float16, 16), "gfx942": (fx.Float16, 16), "gfx950": (fx.Float16, 32)},
    "bf16": {"gfx90a": (fx.BFloat16, 16), "gfx942": (fx.BFloat16, 16), "gfx950": (fx.BFloat16, 32)},
    "fp8": {"gfx942": (fx.Float8E4M3FNUZ, 32), "gfx950": (fx.Float8E4M3FN, 32)},
    "int8": {"gfx90a": (fx.Int8, 16), "gfx942": (fx.Int8, 32), "gfx950": (fx.Int8, 64)},
}
SCALED = ("fp8", "int8")


def shuffle_b(b):
    """B (N, K), row-major, in the order that the kernel reads; an array of the same shape and type."""
    n, k = b.shape
    values = LANE_BYTES // b.itemsize
    if n % BLOCK_N or k % (GROUPS * values):
        raise ValueError(f"B is {n}x{k}, expected multiples of {BLOCK_N}x{GROUPS * values}")
    blocks = b.reshape(n // BLOCK_N, BLOCK_N, k // (GROUPS * values), GROUPS, values)
    return blocks.transpose(0, 2, 3, 1, 4).copy().reshape(n, k)


def compile_preshuffle_gemm(*, N, K, tile_m=64, tile_n=128, tile_k=64, in_dtype="f16", out_dtype="f16", epilogue="none",
                            lds_stage=2, arch=None):
    """Returns ``launch(c, a, b, scale_a, scale_b, bias, m, n, stream)``.

    in_dtype: see OPERANDS; fp8 is float8_e4m3fnuz on gfx942 and float8_e4m3fn on gfx950. out_dtype, of c and bias: see
    common.operands.OUTPUTS. N, K: multiples of tile_n and tile_k. tile_m: a multiple of 16 rows and of what the 256 threads
    copy at once, 4096 / (bytes of tile_k). tile_n: a multiple of 64 (four waves of 16 columns). tile_k: 64, 128 or 256
    bytes of values.
    epilogue: see common.epilogue; "none" does not read bias. scale_a (M), scale_b (N): float32, read for fp8 and int8.
    lds_stage: tiles of A in LDS, 1 or 2; with 2 the next tile is loaded while the current one is used.
    """
    kernel_name = f"preshuffle GEMM of {in_dtype}"
    elem, instruction_k = pick(kernel_name, choose("in_dtype", in_dtype, OPERANDS), arch)
    out = choose("out_dtype", out_dtype, OUTPUTS)
    check_epilogue(epilogue)
    values = LANE_BYTES * 8 // elem.width    # of K in a lane's 16 bytes
    block_k = GROUPS * values
    check_choice("tile_k", tile_k, (block_k, 2 * block_k, 4 * block_k))
    across = tile_k // values            # threads along K in a copy of A
    down = THREADS // across             # threads along M
    check_multiples(("tile_m", tile_m, max(down, 16)), ("tile_n", tile_n, 16 * WAVES), ("N", N, tile_n), ("K", K, tile_k))
    check_choice("lds_stage", lds_stage, (1, 2))
    k_tiles = K // tile_k
    chunk_bits, value_bits = across.bit_length() - 1, values.bit_length() - 1
    has_bias, has_scales = epilogue != "none", in_dtype in SCALED
    a_cells = tile_m * tile_k

    @fx.struct
    class Storage:
        a0: fx.Array[elem, a_cells, 16]
        if lds_stage == 2:
            a1: fx.Array[elem, a_cells, 16]

    @flyc.kernel
    def preshuffle_gemm_kernel(c: fx.Tensor, a: fx.Tensor, b: fx.Tensor, scale_a: fx.Tensor, scale_b: fx.Tensor,
                               bias: fx.Tensor, m: fx.Int32, mma: fx.TiledMma, g2s: fx.TiledCopy):
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
            ((BLOCK_N, N // BLOCK_N), (values, GROUPS, K // block_k)),
            ((values, BLOCK_N * K), (1, values * BLOCK_N, BLOCK_N * block_k))))
        tile_a = fx.flat_divide(mat_a, (tile_m, tile_k))[None, None, bm, None]
        tile_b = fx.flat_divide(mat_b, (tile_n, tile_k))[None, None, bn, None]
        tile_c = fx.flat_divide(mat_c, (tile_m, tile_n))[None, None, bm, bn]

        # 16 bytes of a row change places with those of other rows: no two lanes of a read meet in a bank.
        storage = fx.SharedAllocator().allocate(Storage).peek()
        swizzle = fx.static(fx.SwizzleType.get(chunk_bits, value_bits, chunk_bits))
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

        def part(source, layout, dtype, row, column):
            """What ``source`` holds for this thread's values of C, as float32; layout: from (m, N) to its memory."""
            piece = fx.make_copy_atom(fx.rocdl.BufferCopy(dtype.width), dtype)
            whole = fx.make_view(fx.get_iter(source), layout)
            tile = fx.flat_divide(whole, (tile_m, tile_n))[None, None, row, column]
            held = fx.make_fragment_like(frag_c, dtype)
            fx.copy(piece, r2g.partition_S(tile), r2g.retile(held))
            return held.load().to(fx.Float32)

        value = frag_c.load().to(fx.Float32)
        one_row, one_column = fx.make_layout((tile_m, N), (0, 1)), fx.make_layout((m, tile_n), (1, 0))
        if fx.const_expr(has_scales):
            by_row = fx.rocdl.make_buffer_tensor(scale_a, num_records_bytes=rows * 4)
            value = value * part(by_row, one_column, fx.Float32, bm, 0)
            value = value * part(fx.rocdl.make_buffer_tensor(scale_b), one_row, fx.Float32, 0, bn)
        if fx.const_expr(has_bias):
            value = activate(value + part(fx.rocdl.make_buffer_tensor(bias), one_row, out, 0, bn), epilogue)
        frag_out = fx.make_fragment_like(frag_c, out)
        frag_out.store(value.to(out))
        fx.copy(store, r2g.retile(frag_out), to_c)

    @flyc.jit
    def preshuffle_gemm(c: fx.Tensor, a: fx.Tensor, b: fx.Tensor, scale_a: fx.Tensor, scale_b: fx.Tensor,
                        bias: fx.Tensor, m: fx.Int32, n: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        check_types(kernel_name, a=(a, elem), b=(b, elem), c=(c, out))
        assert n == N, f"{kernel_name}: n is not the N that it was compiled for"
        check_rows(kernel_name, "a", a, m, K)
        check_rows(kernel_name, "b", b, N, K)
        check_rows(kernel_name, "c", c, m, N)
        if fx.const_expr(has_scales):
            check_types(kernel_name, scale_a=(scale_a, fx.Float32), scale_b=(scale_b, fx.Float32))
            check_values(kernel_name, "scale_a", scale_a, m)
            check_values(kernel_name, "scale_b", scale_b, N)
        if fx.const_expr(has_bias):
            check_types(kernel_name, bias=(bias, out))
            check_values(kernel_name, "bias", bias, N)
        # Value j of lane group g in instruction s is number values * g + taken * s + j of K.
        taken = instruction_k // GROUPS
        k_order = fx.make_layout((taken, GROUPS, values // taken), (1, values, taken))
        mma = fx.make_tiled_mma(fx.make_mma_atom(fx.rocdl.MFMA(16, 16, instruction_k, elem)),
                                fx.make_layout((1, WAVES, 1), (0, 1, 0)), fx.make_tile(None, None, k_order))
        g2s = fx.make_tiled_copy(
            fx.make_copy_atom(fx.UniversalCopy128b(), elem),
            fx.make_layout(((across, down), (1, values)), ((down * values, 1), (1, down))),
            fx.make_tile(down, tile_k))
        preshuffle_gemm_kernel(c, a, b, scale_a, scale_b, bias, m, mma, g2s).launch(
            grid=(fx.ceildiv(m, tile_m), N // tile_n), block=(THREADS,), stream=stream)

    return preshuffle_gemm


def reference(a, b, bias=None, epilogue="none", scale_a=None, scale_b=None):
    """epilogue(scale_a scale_b a b^T + bias) in float64; b row-major, not shuffled. scale_a (M), scale_b (N) or None."""
    import numpy as np

    product = a.astype(np.float64) @ b.astype(np.float64).T
    if scale_a is not None:
        product = product * np.outer(scale_a.astype(np.float64), scale_b.astype(np.float64))
    return epilogue_reference(product, bias, epilogue)
