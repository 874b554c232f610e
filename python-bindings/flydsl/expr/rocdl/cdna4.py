# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atoms of CDNA4 (gfx950): transposing reads, copies to shared memory, scaled matrix operations."""

from __future__ import annotations

from .atom_types import make_type, require_chip
from .builders import static_int
from .mma_atoms import MFMA, MFMA_Scale, MFMAScale  # noqa: F401

__all__ = [
    "BufferLoadAsyncLDS", "BufferLoadAsyncLDS128b", "BufferLoadAsyncLDS32b", "BufferLoadAsyncLDS96b", "GlobalLoadAsyncLDS", "GlobalLoadAsyncLDS128b",
    "GlobalLoadAsyncLDS32b", "GlobalLoadAsyncLDS96b", "LDSReadTrans", "LDSReadTrans16_64b", "LDSReadTrans4_64b", "LDSReadTrans6_96b",
    "LDSReadTrans8_64b", "MFMA", "MFMAScale", "MFMA_Scale", "cvt_sr_f32_to_bf16",
]


def LDSReadTrans(granularity, bits):
    """16 lanes read `bits` each from shared memory and transpose elements of `granularity` bits: (4, 64), (8, 64), (6,
    96), (16, 64).
    """
    granularity, bits = static_int(granularity, "LDSReadTrans: granularity"), static_int(bits, "LDSReadTrans: bits")
    return require_chip("LDSReadTrans", make_type("LDSReadTrans", "cdna4.lds_read_trans", f"trans = {granularity}b, {bits}"))


def LDSReadTrans4_64b():
    """`LDSReadTrans` of 4-bit elements, 64 bits a lane."""
    return LDSReadTrans(4, 64)


def LDSReadTrans8_64b():
    """`LDSReadTrans` of 8-bit elements, 64 bits a lane."""
    return LDSReadTrans(8, 64)


def LDSReadTrans6_96b():
    """`LDSReadTrans` of 6-bit elements, 96 bits a lane."""
    return LDSReadTrans(6, 96)


def LDSReadTrans16_64b():
    """`LDSReadTrans` of 16-bit elements, 64 bits a lane."""
    return LDSReadTrans(16, 64)


def BufferLoadAsyncLDS(bits):
    """Each lane moves `bits` (32, 96, 128) from a buffer tensor to shared memory; completion by `asyncmark` and
    `wait_asyncmark`.
    """
    bits = static_int(bits, "BufferLoadAsyncLDS: bits")
    return require_chip("BufferLoadAsyncLDS", make_type("BufferLoadAsyncLDS", "cdna4.buffer_load_async_lds", f"{bits}"))


def BufferLoadAsyncLDS32b():
    """`BufferLoadAsyncLDS` of 32 bits."""
    return BufferLoadAsyncLDS(32)


def BufferLoadAsyncLDS96b():
    """`BufferLoadAsyncLDS` of 96 bits."""
    return BufferLoadAsyncLDS(96)


def BufferLoadAsyncLDS128b():
    """`BufferLoadAsyncLDS` of 128 bits."""
    return BufferLoadAsyncLDS(128)


def GlobalLoadAsyncLDS(bits):
    """Each lane moves `bits` (32, 96, 128) from global to shared memory; completion by `asyncmark` and
    `wait_asyncmark`.
    """
    bits = static_int(bits, "GlobalLoadAsyncLDS: bits")
    return require_chip("GlobalLoadAsyncLDS", make_type("GlobalLoadAsyncLDS", "cdna4.global_load_async_lds", f"{bits}"))


def GlobalLoadAsyncLDS32b():
    """`GlobalLoadAsyncLDS` of 32 bits."""
    return GlobalLoadAsyncLDS(32)


def GlobalLoadAsyncLDS96b():
    """`GlobalLoadAsyncLDS` of 96 bits."""
    return GlobalLoadAsyncLDS(96)


def GlobalLoadAsyncLDS128b():
    """`GlobalLoadAsyncLDS` of 128 bits."""
    return GlobalLoadAsyncLDS(128)


def cvt_sr_f32_to_bf16(x, rand):
    """`x` (f32) rounded to bf16 stochastically: the 16 low bits of `rand` (i32) decide between the neighbours. Gives
    bf16.

    The sum of the bits of `x` and the 16 low bits of `rand` is cut to its upper half, as the instruction does; NaN
    stays NaN.
    """
    from ..._mlir import ir
    from ..._mlir.dialects import arith
    from .builders import constant, i32, i32_type, value

    x = value(x, ir.F32Type.get())
    bits = arith.bitcast(i32_type(), x)
    noise = arith.andi(i32(rand, "cvt_sr_f32_to_bf16: rand"), constant(i32_type(), 0xFFFF))
    is_nan = arith.cmpf(arith.CmpFPredicate.UNO, x, x)
    # Infinities and NaN must not be moved by the noise; a quiet bit keeps NaN from becoming infinity when cut.
    exponent = arith.andi(bits, constant(i32_type(), 0x7F800000))
    special = arith.cmpi(arith.CmpIPredicate.eq, exponent, constant(i32_type(), 0x7F800000))
    moved = arith.select(special, bits, arith.addi(bits, noise))
    moved = arith.select(is_nan, arith.ori(moved, constant(i32_type(), 0x00400000)), moved)
    upper = arith.shrui(moved, constant(i32_type(), 16))
    return arith.bitcast(ir.BF16Type.get(), arith.trunci(ir.IntegerType.get_signless(16), upper))
