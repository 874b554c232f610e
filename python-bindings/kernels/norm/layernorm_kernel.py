# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Layer normalisation along the rows of a matrix: one workgroup a row, any row length.

y = (x - mean) / sqrt(variance + eps) * gamma + beta, with the variance as the mean of (x - mean)^2 in a second pass, which
does not cancel as E[x^2] - E[x]^2 would. All arithmetic in float32. Chips: all.
"""
import operator

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.runtime.device import get_rocm_arch, get_warp_size

from ..common.operands import check_extents, check_multiples
from ..common.reduce import block_reduce, block_storage


def build_layernorm(dtype=fx.Float32, block=256, eps=1e-5, arch=None):
    """Returns ``layernorm(src, gamma, beta, dst, m, n, stream)``: src, dst (m, n); gamma, beta (n); all of ``dtype``.

    block: threads of a workgroup, a multiple of the wave size of ``arch`` (default: the target's).
    """
    wave = get_warp_size(arch or get_rocm_arch())
    check_multiples(("block", block, wave))
    waves = block // wave
    Partials = block_storage(block, wave)

    @flyc.kernel
    def layernorm_kernel(src: fx.Tensor, gamma: fx.Tensor, beta: fx.Tensor, dst: fx.Tensor, n: fx.Int32):
        tid = fx.thread_idx.x
        row_in = fx.slice(src, (fx.block_idx.x, None))
        row_out = fx.slice(dst, (fx.block_idx.x, None))
        partial = fx.SharedAllocator().allocate(Partials).peek().partial.view(fx.make_layout(waves, 1))

        count = n.to(fx.Float32)
        total = fx.Float32(0.0)
        for i in range(tid, n, block):
            total = total + row_in[i].to(fx.Float32)
        mean = block_reduce(total, operator.add, partial, waves, wave) / count

        squares = fx.Float32(0.0)
        for i in range(tid, n, block):
            off = row_in[i].to(fx.Float32) - mean
            squares = squares + off * off
        scale = fx.rsqrt(block_reduce(squares, operator.add, partial, waves, wave) / count + eps)

        for i in range(tid, n, block):
            value = (row_in[i].to(fx.Float32) - mean) * scale
            row_out[i] = (value * gamma[i].to(fx.Float32) + beta[i].to(fx.Float32)).to(dtype)

    @flyc.jit
    def layernorm(src: fx.Tensor, gamma: fx.Tensor, beta: fx.Tensor, dst: fx.Tensor, m: fx.Int32, n: fx.Int32,
                  stream: fx.Stream = fx.Stream(None)):
        for name, tensor, sizes in (("src", src, (m, n)), ("gamma", gamma, (n,)),
                                    ("beta", beta, (n,)), ("dst", dst, (m, n))):
            check_extents("layernorm", name, tensor, sizes)
        layernorm_kernel(src, gamma, beta, dst, n).launch(grid=(m,), block=(block,), stream=stream)

    return layernorm


def reference(src, gamma, beta, eps=1e-5):
    """Layer normalisation along the last axis in float64, in the type of src."""
    import numpy as np

    x = src.astype(np.float64)
    x = x - x.mean(axis=-1, keepdims=True)
    y = x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + eps)
    return (y * gamma.astype(np.float64) + beta.astype(np.float64)).astype(src.dtype)
