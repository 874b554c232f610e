# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Reductions over the lanes of a wave and the waves of a workgroup."""
import flydsl.compiler as flyc
import flydsl.expr as fx


def wave_reduce(value, combine, wave):
    """The combination of ``value`` over the ``wave`` lanes of a wave, in every lane.

    ``combine(a, b)`` must be associative and commutative. ``wave``: lanes of a wave, a power of two.
    """
    for step in fx.range_constexpr(wave.bit_length() - 1):
        value = combine(value, value.shuffle_xor(1 << step, wave))
    return value


def block_storage(block, wave):
    """The LDS layout that ``block_reduce`` needs: one float32 for each wave of a workgroup of ``block`` threads."""

    @fx.struct
    class Partials:
        partial: fx.Array[fx.Float32, block // wave, 16]

    return Partials


@flyc.jit
def block_reduce(value, combine, partial, waves, wave):
    """The combination of ``value``, a float32, over all threads of a workgroup, in every thread. Called from a kernel.

    combine: as for ``wave_reduce``. partial: a view of ``waves`` float32 of LDS (``block_storage``), free again when the
    function returns. All threads of the workgroup must call it.
    """
    value = wave_reduce(value, combine, wave)
    tid = fx.thread_idx.x
    if tid % wave == 0:
        partial[tid // wave] = value
    fx.gpu.barrier()
    total = partial[0]
    for w in fx.range_constexpr(1, waves):
        total = combine(total, partial[w])
    # The next reduction writes the same cells.
    fx.gpu.barrier()
    return total
