# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Reductions over the lanes of a wave and the waves of a workgroup."""
import flydsl.expr as fx


def wave_reduce(value, combine, wave):
    """The combination of ``value`` over the ``wave`` lanes of a wave, in every lane.

    ``combine(a, b)`` must be associative and commutative. ``wave``: lanes of a wave, a power of two.
    """
    for step in fx.range_constexpr(wave.bit_length() - 1):
        value = combine(value, value.shuffle_xor(1 << step, wave))
    return value


def block_storage(block, wave, values=1):
    """The LDS layout that ``block_reduce`` of ``values`` numbers needs: one float32 a wave and number."""

    @fx.struct
    class Partials:
        partial: fx.Array[fx.Float32, values * (block // wave), 16]

    return Partials
