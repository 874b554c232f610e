# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that stand for one operation each: the layout algebra, memory access, atoms.

Everything of `tuples`, `algebra` and `memory` is here, too.
"""
from __future__ import annotations

from typing import Any

from .._mlir import ir
from .._mlir._mlir_libs import _fly as _types
from . import algebra, memory, tuples
from .algebra import *  # noqa: F401,F403
from .atoms import CopyAtom, MmaAtom, TiledCopy, TiledMma, make_fragment, set_atom_value, tiled_of
from .builders import builders as _fly
from .builders import require_trace
from .elements import element_bits, from_element, ir_element_type, to_element
from .enum import AtomicOp, MmaOperand
from .memory import *  # noqa: F401,F403
from .operands import as_int_tuple, as_tensor, describe, int_attr
from .tensor import check_memory
from .tuples import *  # noqa: F401,F403

__all__ = [
    *algebra.__all__, *memory.__all__, *tuples.__all__, "UniversalAtomic", "UniversalAtomicAdd", "UniversalAtomicAnd", "UniversalAtomicDec",
    "UniversalAtomicInc", "UniversalAtomicMax", "UniversalAtomicMin", "UniversalAtomicOr", "UniversalCopy", "UniversalCopy128b",
    "UniversalCopy16b", "UniversalCopy32b", "UniversalCopy64b", "UniversalCopy8b", "UniversalFMA", "atom_set_value", "const_expr",
    "atomic_fetch", "copy_atom_call", "make_copy_atom", "make_mma_atom", "mma_atom_call", "mma_make_fragment", "range_constexpr", "tiled_copy_partition_dst",
    "tiled_copy_partition_src", "tiled_copy_retile", "tiled_mma_partition", "tiled_mma_partition_shape"
]

# --- compile-time values --------------------------------------------------------


def const_expr(value: Any) -> Any:
    """`value`; in a condition it says that the condition is decided while tracing."""
    return value


def range_constexpr(*bounds: Any) -> range:
    """`range(*bounds)` of integers known while tracing: the loop is unrolled. TypeError for run-time bounds."""
    return range(*(int_attr(bound, "range_constexpr") for bound in bounds))


# --- operations of atoms --------------------------------------------------------


def UniversalCopy(bits: int) -> ir.Type:
    """The copy operation of one thread that moves `bits` bits between any memories."""
    bits = int_attr(bits, "UniversalCopy")
    if not 0 < bits < 1 << 31:
        raise ValueError(f"UniversalCopy: expected a positive number of bits, got {bits}")
    require_trace("UniversalCopy")
    return _types.CopyOpUniversalCopyType.get(bits)


def UniversalCopy8b() -> ir.Type:
    """`UniversalCopy(8)`."""
    return UniversalCopy(8)


def UniversalCopy16b() -> ir.Type:
    """`UniversalCopy(16)`."""
    return UniversalCopy(16)


def UniversalCopy32b() -> ir.Type:
    """`UniversalCopy(32)`."""
    return UniversalCopy(32)


def UniversalCopy64b() -> ir.Type:
    """`UniversalCopy(64)`."""
    return UniversalCopy(64)


def UniversalCopy128b() -> ir.Type:
    """`UniversalCopy(128)`."""
    return UniversalCopy(128)


def UniversalAtomic(op: Any, val_type: Any, syncscope: Any = "") -> ir.Type:
    """The copy operation that combines a register with memory by `op`, an `AtomicOp`, on values of `val_type`.

    `syncscope` names the threads that see it as one step; "" means the whole system.
    """
    op = AtomicOp.of(op, "UniversalAtomic op")
    if not isinstance(syncscope, str):
        raise TypeError(f"UniversalAtomic: expected a SyncScope or str as syncscope, got {describe(syncscope)}")
    scope = str(getattr(syncscope, "value", syncscope))
    text = f"!fly.universal_atomic<{op.keyword}, {ir_element_type(val_type, 'UniversalAtomic val_type')}"
    return ir.Type.parse(text + (f', "{scope}">' if scope else ">"))


def UniversalAtomicAdd(val_type: Any, syncscope: Any = "") -> ir.Type:
    """`UniversalAtomic(AtomicOp.Add, ...)`."""
    return UniversalAtomic(AtomicOp.Add, val_type, syncscope)


def UniversalAtomicMax(val_type: Any, syncscope: Any = "") -> ir.Type:
    """`UniversalAtomic(AtomicOp.Max, ...)`."""
    return UniversalAtomic(AtomicOp.Max, val_type, syncscope)


def UniversalAtomicMin(val_type: Any, syncscope: Any = "") -> ir.Type:
    """`UniversalAtomic(AtomicOp.Min, ...)`."""
    return UniversalAtomic(AtomicOp.Min, val_type, syncscope)


def UniversalAtomicAnd(val_type: Any, syncscope: Any = "") -> ir.Type:
    """`UniversalAtomic(AtomicOp.And, ...)`."""
    return UniversalAtomic(AtomicOp.And, val_type, syncscope)


def UniversalAtomicOr(val_type: Any, syncscope: Any = "") -> ir.Type:
    """`UniversalAtomic(AtomicOp.Or, ...)`."""
    return UniversalAtomic(AtomicOp.Or, val_type, syncscope)


def UniversalAtomicInc(val_type: Any, syncscope: Any = "") -> ir.Type:
    """`UniversalAtomic(AtomicOp.Inc, ...)`."""
    return UniversalAtomic(AtomicOp.Inc, val_type, syncscope)


def UniversalAtomicDec(val_type: Any, syncscope: Any = "") -> ir.Type:
    """`UniversalAtomic(AtomicOp.Dec, ...)`."""
    return UniversalAtomic(AtomicOp.Dec, val_type, syncscope)


def UniversalFMA(dtype: Any) -> ir.Type:
    """The 1x1x1 matrix operation of one thread: a fused multiply-add on values of `dtype`, a float type."""
    return _types.MmaOpUniversalFMAType.get(ir_element_type(dtype, "UniversalFMA"))


# --- atoms ----------------------------------------------------------------------


def make_copy_atom(copy_op: Any, elem_type: Any) -> CopyAtom:
    """The atom of a copy operation on values of `elem_type`: a numeric class, an IR type or a number of bits.

    ValueError if `copy_op` is no copy operation.
    """
    if not isinstance(copy_op, ir.Type):
        raise TypeError(f"make_copy_atom: expected a copy operation such as fx.UniversalCopy128b(), got {describe(copy_op)}")
    bits = element_bits(elem_type, "make_copy_atom elem_type")
    return _fly.make_copy_atom(_types.CopyAtomType.get(copy_op, bits), [], bits)


def make_mma_atom(mma_op: Any) -> MmaAtom:
    """The atom of a matrix operation. ValueError if `mma_op` is none."""
    if not isinstance(mma_op, ir.Type):
        raise TypeError(f"make_mma_atom: expected a matrix operation such as fx.UniversalFMA(fx.Float32), got {describe(mma_op)}")
    return _fly.make_mma_atom(_types.MmaAtomType.get(mma_op))


def atom_set_value(atom: Any, field: Any, value: Any) -> Any:
    """The atom, or tiled atom, with the run-time field `field` replaced; see `CopyAtom.set_value`."""
    atom = tiled_of(atom)
    if isinstance(atom, (TiledCopy, TiledMma)):
        return atom.set_value(field, value)
    if not isinstance(atom, (CopyAtom, MmaAtom)):
        raise TypeError(f"atom_set_value: expected an atom, got {describe(atom)}")
    return set_atom_value(atom, field, value, "atom_set_value")


def copy_atom_call(atom: Any, src: Any, dst: Any, *, pred: Any = None) -> None:
    """One copy of one atom: its values from `src` to `dst`; with `pred`, one Boolean, only where it is true."""
    atom = tiled_of(atom)
    if isinstance(atom, TiledCopy):
        atom = atom.copy_atom
    if not isinstance(atom, CopyAtom):
        raise TypeError(f"copy_atom_call: expected a copy atom, got {describe(atom)}")
    if pred is not None:
        check_memory(pred, "copy_atom_call pred")
        if str(pred.type.element_type) != "i1":
            raise TypeError(f"copy_atom_call: expected a predicate of fx.Boolean elements, got {pred.type}")
    _fly.copy_atom_call(atom, as_tensor(src, "copy_atom_call src"), as_tensor(dst, "copy_atom_call dst"), pred=pred)


def atomic_fetch(atom: Any, value: Any, dst: Any) -> Any:
    """One atomic operation: `value`, a number or `Vector`, on the element or elements `dst`; gives what was there before.

    `atom` is a copy atom of `UniversalAtomic` or `rocdl.BufferAtomic`.
    """
    if not isinstance(atom, CopyAtom) or not hasattr(atom.type.copy_op, "atomic_op"):
        raise TypeError(f"atomic_fetch: expected a copy atom of an atomic operation, got {describe(atom)}")
    dst = as_tensor(dst, "atomic_fetch dst")
    kind = _without_sign(atom.type.copy_op.val_type)
    raw = to_element(value, kind, "atomic_fetch value", dst)
    if raw.type != kind:
        raise TypeError(f"atomic_fetch: the atom combines values of type {kind}, got {raw.type}")
    return from_element(_fly.copy_atom_call_ssa([kind], atom, raw, dst=dst), dst)


def _without_sign(kind: ir.Type) -> ir.Type:
    """The type of the registers that hold values of `kind`."""
    return ir.IntegerType.get_signless(kind.width) if isinstance(kind, ir.IntegerType) else kind


def mma_atom_call(atom: Any, d: Any, a: Any, b: Any, c: Any, **state: Any) -> None:
    """One D = A * B + C of one atom on its fragments; `a` and `b` may be lists, such as `[a, scale_a]`.

    Keywords set run-time fields of the atom before.
    """
    atom = tiled_of(atom)
    if isinstance(atom, TiledMma):
        atom = atom.mma_atom
    if not isinstance(atom, MmaAtom):
        raise TypeError(f"mma_atom_call: expected an mma atom, got {describe(atom)}")
    if state:
        atom = set_atom_value(atom, state, None, "mma_atom_call")
    groups = []
    for name, group in (("a", a), ("b", b)):
        members = list(group) if isinstance(group, (tuple, list)) else [group]
        if not members:
            raise ValueError(f"mma_atom_call: expected a tensor or a list of them as {name}, got an empty list")
        groups.append([check_memory(member, f"mma_atom_call {name}") for member in members])
    _fly.mma_atom_call(atom, check_memory(d, "mma_atom_call d"), groups[0], groups[1], check_memory(c, "mma_atom_call c"))


# --- partitions -----------------------------------------------------------------


def _tiled(value: Any, cls: type, where: str) -> Any:
    value = tiled_of(value)
    if not isinstance(value, cls):
        raise TypeError(f"{where}: expected a {cls.__name__}, got {describe(value)}")
    return value


def tiled_copy_partition_src(tiled_copy: Any, tensor: Any, coord: Any) -> Any:
    """The part of a source tensor that thread `coord` reads."""
    name = "tiled_copy_partition_src"
    return _fly.tiled_copy_partition_src(_tiled(tiled_copy, TiledCopy, name), as_tensor(tensor, name), as_int_tuple(coord, name))


def tiled_copy_partition_dst(tiled_copy: Any, tensor: Any, coord: Any) -> Any:
    """The part of a destination tensor that thread `coord` writes."""
    name = "tiled_copy_partition_dst"
    return _fly.tiled_copy_partition_dst(_tiled(tiled_copy, TiledCopy, name), as_tensor(tensor, name), as_int_tuple(coord, name))


def tiled_copy_retile(tiled_copy: Any, tensor: Any) -> Any:
    """A register tensor (mode 0 = values) regrouped by the copy's values."""
    name = "tiled_copy_retile"
    return _fly.tiled_copy_retile(_tiled(tiled_copy, TiledCopy, name), check_memory(tensor, name))


def tiled_mma_partition(operand: Any, tiled_mma: Any, tensor: Any, coord: Any) -> Any:
    """Thread `coord`'s part of a tensor that is operand `operand`, an `MmaOperand`."""
    name = "tiled_mma_partition"
    attr = MmaOperand.of(operand, f"{name} operand").attr
    return _fly.tiled_mma_partition(attr, _tiled(tiled_mma, TiledMma, name), as_tensor(tensor, name), as_int_tuple(coord, name))


def tiled_mma_partition_shape(operand: Any, tiled_mma: Any, shape: Any) -> Any:
    """The shape of a thread's part of an operand of this shape."""
    name = "tiled_mma_partition_shape"
    attr = MmaOperand.of(operand, f"{name} operand").attr
    return _fly.tiled_mma_partition_shape(attr, _tiled(tiled_mma, TiledMma, name), as_int_tuple(shape, name))


def mma_make_fragment(operand: Any, tiled_mma: Any, tensor: Any, *, stages: Any = None) -> Any:
    """New registers for a thread's part of an operand; with `stages` that many times as a last mode."""
    operand = MmaOperand.of(operand, "mma_make_fragment operand")
    return make_fragment(operand, _tiled(tiled_mma, TiledMma, "mma_make_fragment"), tensor, stages)
