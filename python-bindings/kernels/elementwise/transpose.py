# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""out = in^T of a matrix of any size, through a padded tile in LDS.

A workgroup reads a square tile row by row and writes it column by column, both with neighbouring threads at neighbouring
addresses; one column of padding keeps the threads of a wave in different LDS banks. Chips: all.
"""
import flydsl.compiler as flyc
import flydsl.expr as fx

from ..common.operands import check_extents


def build_transpose(dtype=fx.Float32, tile=32, rows=8):
    """Returns ``transpose(src, dst, m, n, stream)``: dst (n, m) = src (m, n) transposed, both of ``dtype``.

    tile: edge of the tile. rows: rows that one pass of the workgroup moves; divides ``tile``.
    """
    if tile % rows:
        raise ValueError(f"transpose: rows {rows} do not divide the tile {tile}")
    pitch = tile + 1

    @fx.struct
    class Storage:
        cells: fx.Array[dtype, tile * pitch, 16]

    @flyc.kernel
    def transpose_kernel(src: fx.Tensor, dst: fx.Tensor, m: fx.Int32, n: fx.Int32):
        x, y = fx.thread_idx.x, fx.thread_idx.y
        bx, by = fx.block_idx.x, fx.block_idx.y
        storage = fx.SharedAllocator().allocate(Storage).peek()
        by_row = storage.cells.view(fx.make_layout((tile, tile), (pitch, 1)))
        by_column = storage.cells.view(fx.make_layout((tile, tile), (1, pitch)))

        for r in fx.range_constexpr(tile // rows):
            row, column = by * tile + y + r * rows, bx * tile + x
            if row < m and column < n:
                by_row[(y + r * rows, x)] = src[(row, column)]
        fx.gpu.barrier()
        for r in fx.range_constexpr(tile // rows):
            row, column = bx * tile + y + r * rows, by * tile + x
            if row < n and column < m:
                dst[(row, column)] = by_column[(y + r * rows, x)]

    @flyc.jit
    def transpose(src: fx.Tensor, dst: fx.Tensor, m: fx.Int32, n: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        check_extents("transpose", "src", src, (m, n))
        check_extents("transpose", "dst", dst, (n, m))
        transpose_kernel(src, dst, m, n).launch(
            grid=(fx.ceildiv(n, tile), fx.ceildiv(m, tile)), block=(tile, rows), stream=stream)

    return transpose


def reference(src):
    """src transposed, contiguous."""
    return src.T.copy()
