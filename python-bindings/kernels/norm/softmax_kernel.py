# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Softmax along the rows of a matrix: one workgroup a row, any row length.

y[i] = exp(x[i] - max x) / sum_j exp(x[j] - max x). Three passes over the row: maximum, sum, result; all arithmetic in
float32. Chips: all; the wave size is that of the target.
"""
import operator

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.runtime.device import get_rocm_arch, get_warp_size

from ..common.operands import check_extents, check_multiples
from ..common.reduce import block_reduce, block_storage


def build_softmax(dtype=fx.Float32, block=256, arch=None):
    """Returns ``softmax(src, dst, m, n, stream)`` for (m, n) matrices of ``dtype``, m and n at run time.

    block: threads of a workgroup, a multiple of the wave size of ``arch`` (default: the target's).
    """
    wave = get_warp_size(arch or get_rocm_arch())
    check_multiples(("block", block, wave))
    waves = block // wave
    Partials = block_storage(block, wave)

    @flyc.kernel
    def softmax_kernel(src: fx.Tensor, dst: fx.Tensor, n: fx.Int32):
        tid = fx.thread_idx.x
        row_in = fx.slice(src, (fx.block_idx.x, None))
        row_out = fx.slice(dst, (fx.block_idx.x, None))
        partial = fx.SharedAllocator().allocate(Partials).peek().partial.view(fx.make_layout(waves, 1))

        peak = fx.Float32(float("-inf"))
        for i in range(tid, n, block):
            peak = fx.max(peak, row_in[i].to(fx.Float32))
        peak = block_reduce(peak, fx.max, partial, waves, wave)

        total = fx.Float32(0.0)
        for i in range(tid, n, block):
            total = total + fx.exp(row_in[i].to(fx.Float32) - peak)
        scale = fx.Float32(1.0) / block_reduce(total, operator.add, partial, waves, wave)

        for i in range(tid, n, block):
            row_out[i] = (fx.exp(row_in[i].to(fx.Float32) - peak) * scale).to(dtype)

    @flyc.jit
    def softmax(src: fx.Tensor, dst: fx.Tensor, m: fx.Int32, n: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        for name, tensor, sizes in (("src", src, (m, n)), ("dst", dst, (m, n))):
            check_extents("softmax", name, tensor, sizes)
        softmax_kernel(src, dst, n).launch(grid=(m,), block=(block,), stream=stream)

    return softmax


def reference(src):
    """Softmax along the last axis in float64, in the type of src."""
    import numpy as np

    x = src.astype(np.float64)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)).astype(src.dtype)
