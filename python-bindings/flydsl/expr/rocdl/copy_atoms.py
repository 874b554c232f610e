# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copy operations on buffers, for `fx.make_copy_atom`."""

from __future__ import annotations

from ..._mlir import ir
from .atom_types import element_type, make_type, require_chip
from .builders import static_int

__all__ = [
    "BufferAtomic", "BufferAtomicAdd", "BufferAtomicMax", "BufferAtomicMin", "BufferAtomicPkAdd", "BufferCopy", "BufferCopy128b", "BufferCopy16b",
    "BufferCopy32b", "BufferCopy64b", "BufferCopy8b", "BufferCopyLDS", "BufferCopyLDS128b", "BufferCopyLDS32b", "BufferCopyLDS64b",
]


def BufferCopy(bits, cache_modifier=0):
    """Each lane copies `bits` (8, 16, 32, 64 or 128) between a buffer tensor and registers.

    `cache_modifier` is the instruction's cache policy: 0 cached, 2 non-temporal. State `soffset` (i32): an offset in
    elements of the buffer.
    """
    bits, cache_modifier = static_int(bits, "BufferCopy: bits"), static_int(cache_modifier, "BufferCopy: cache_modifier")
    return make_type("BufferCopy", "cdna3.buffer_copy", f"{bits}, cache = {cache_modifier}" if cache_modifier else f"{bits}")


def BufferCopy8b(cache_modifier=0):
    """`BufferCopy` of 8 bits."""
    return BufferCopy(8, cache_modifier)


def BufferCopy16b(cache_modifier=0):
    """`BufferCopy` of 16 bits."""
    return BufferCopy(16, cache_modifier)


def BufferCopy32b(cache_modifier=0):
    """`BufferCopy` of 32 bits."""
    return BufferCopy(32, cache_modifier)


def BufferCopy64b(cache_modifier=0):
    """`BufferCopy` of 64 bits."""
    return BufferCopy(64, cache_modifier)


def BufferCopy128b(cache_modifier=0):
    """`BufferCopy` of 128 bits."""
    return BufferCopy(128, cache_modifier)


def BufferCopyLDS(bits):
    """Each lane moves `bits` (32, or 128 on gfx950) from a buffer tensor straight to shared memory.

    State `soffset` (i32, elements) and `imm_offset` (i32, bytes, constant). ValueError on chips without the
    instruction.
    """
    bits = static_int(bits, "BufferCopyLDS: bits")
    return require_chip(f"BufferCopyLDS{bits}b", make_type("BufferCopyLDS", "cdna3.buffer_copy_lds", f"{bits}"))


def BufferCopyLDS32b():
    """`BufferCopyLDS` of 32 bits."""
    return BufferCopyLDS(32)


def BufferCopyLDS64b():
    """No chip moves 64 bits a lane from a buffer to shared memory: always a ValueError."""
    return BufferCopyLDS(64)


def BufferCopyLDS128b():
    """`BufferCopyLDS` of 128 bits (gfx950)."""
    return BufferCopyLDS(128)


def BufferAtomic(op, val_type):
    """Each lane combines a register value of `val_type` with a buffer tensor's element; `op` is an `fx.AtomicOp`.

    Floats: addition, and of f32 and f64 minimum and maximum; a vector of two 16-bit floats: addition. Integers of 32
    and 64 bits: all operations; classes say how maximum and minimum compare (`fx.Int32` signed, `fx.Uint32` unsigned),
    of IR types without a sign the maximum is signed and the minimum unsigned. State `soffset` (i32): an offset in
    elements. ValueError if the operation has no instruction, or the current chip lacks it.
    """
    if isinstance(val_type, tuple):
        raise TypeError("BufferAtomic: val_type is one type, such as fx.Float32 or a vector class")
    from ..enum import AtomicOp

    op, kind = AtomicOp.of(op, "BufferAtomic: op"), element_type(val_type)
    # Without a sign in its type a maximum compares as signed, a minimum as unsigned.
    if getattr(val_type, "is_integer", False) and {AtomicOp.Max: True, AtomicOp.Min: False}.get(op, val_type.signed) != val_type.signed:
        kind = (ir.IntegerType.get_signed if val_type.signed else ir.IntegerType.get_unsigned)(kind.width)
    what, atom = f"BufferAtomic {op.name} of {kind}", make_type("BufferAtomic", "cdna3.buffer_atomic", f"{op.keyword}, {kind}")
    if not atom.has_instruction:
        raise ValueError(f"{what}: no chip has such an instruction; there are all operations on integers of 32 and 64 bits, Add, Max and Min of "
                         "f32 and f64, and Add of two f16 or bf16")
    return require_chip(what, atom)


def BufferAtomicAdd(val_type):
    """`BufferAtomic` addition."""
    from ..enum import AtomicOp

    return BufferAtomic(AtomicOp.Add, val_type)


def BufferAtomicMax(val_type):
    """`BufferAtomic` maximum of f32, f64 or integers."""
    from ..enum import AtomicOp

    return BufferAtomic(AtomicOp.Max, val_type)


def BufferAtomicMin(val_type):
    """`BufferAtomic` minimum of f32, f64 or integers."""
    from ..enum import AtomicOp

    return BufferAtomic(AtomicOp.Min, val_type)


def BufferAtomicPkAdd(val_type):
    """`BufferAtomic` addition of two 16-bit floats at once; `val_type` is the float or the vector of two."""
    from ..enum import AtomicOp

    kind = element_type(val_type)
    if not isinstance(kind, ir.VectorType):
        kind = ir.VectorType.get([2], kind)
    return BufferAtomic(AtomicOp.Add, kind)
