# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations, plain loads and stores, and fences on pointers.

A pointer is an `fx.Pointer` (its element type is the type of the values) or a raw `!llvm.ptr` value (the value decides).
`syncscope`: a string such as "agent" or an `fx.SyncScope`; None is the whole system. `ordering`: `fx.AtomicOrdering`.
"""
from __future__ import annotations

from .._mlir import ir
from .enum import AtomicOrdering
from .numeric import Boolean, Numeric, NumericMeta, as_numeric, convert_literal, is_python_number, of_int_tuple
from .utils import emit
from .utils.arith import ArithValue
from .vector import Vector

__all__ = [
    "atomic_add", "atomic_sub", "atomic_min", "atomic_max", "atomic_and", "atomic_or", "atomic_xor", "atomic_xchg", "atomic_fmin",
    "atomic_fmax", "atomic_cas", "generic_load", "generic_store", "memory_fence"
]


class _Dialect:
    """MLIR's `llvm` dialect, imported at first use: its builders take long to load."""

    def __getattr__(self, name):
        from .._mlir.dialects import llvm
        return getattr(llvm, name)


_llvm = _Dialect()

# --- operands -----------------------------------------------------------------


def _pointer(ptr, what):
    """(raw `!llvm.ptr` value, element class or None, alignment in bytes or None)."""
    if isinstance(ptr, (ir.OpView, ir.Operation)):
        ptr = ptr.result
    if isinstance(ptr, ir.Value) and str(ptr.type).startswith("!llvm.ptr"):
        return ptr, None, None
    llvm_ptr = getattr(ptr, "llvm_ptr", None)
    if llvm_ptr is None:
        found = ptr.type if isinstance(ptr, ir.Value) else type(ptr).__name__
        raise TypeError(f"{what}: found {found}, expected an fx.Pointer or an !llvm.ptr value")
    dtype = getattr(ptr, "dtype", None)
    return llvm_ptr, dtype if isinstance(dtype, NumericMeta) else None, getattr(ptr, "alignment", None)


def _value(value, dtype, what):
    """The value of an atomic operation as a DSL number of the pointer's element class."""
    value = of_int_tuple(value)
    if dtype is not None:
        return convert_literal(value, dtype, what)
    if not (isinstance(value, (Numeric, ir.Value)) or is_python_number(value)):
        raise TypeError(f"{what}: found {type(value).__name__}, expected a number")
    return as_numeric(value)


def _ordering(ordering, what, allowed=None):
    try:
        ordering = AtomicOrdering(int(ordering))
    except (TypeError, ValueError):
        raise TypeError(f"{what}: expected an fx.AtomicOrdering, found {ordering!r}") from None
    if allowed is not None and ordering not in allowed:
        raise ValueError(f"{what}: {ordering} is not possible here, expected one of {', '.join(map(str, allowed))}")
    return _llvm.AtomicOrdering(int(ordering))


_RMW = (AtomicOrdering.Monotonic, AtomicOrdering.Acquire, AtomicOrdering.Release, AtomicOrdering.AcqRel, AtomicOrdering.SeqCst)
_LOADS = (AtomicOrdering.NotAtomic, AtomicOrdering.Unordered, AtomicOrdering.Monotonic, AtomicOrdering.Acquire,
          AtomicOrdering.SeqCst)
_STORES = (AtomicOrdering.NotAtomic, AtomicOrdering.Unordered, AtomicOrdering.Monotonic, AtomicOrdering.Release,
           AtomicOrdering.SeqCst)
_FENCES = (AtomicOrdering.Acquire, AtomicOrdering.Release, AtomicOrdering.AcqRel, AtomicOrdering.SeqCst)


def _scope(syncscope):
    if syncscope is None:
        return None
    if not isinstance(syncscope, str):
        syncscope = getattr(syncscope, "value", syncscope)
    if not isinstance(syncscope, str):
        raise TypeError(f"syncscope: expected a string or an fx.SyncScope, found {type(syncscope).__name__}")
    return str(getattr(syncscope, "value", syncscope)) or None


def _memory_type(dtype):
    """The IR type under which LLVM moves values of class `dtype`: small floats as integers."""
    if dtype.is_float and dtype.width < 16 or dtype is Boolean:
        return ir.IntegerType.get_signless(8)
    if dtype.width < 8:
        raise TypeError(f"{dtype.__name__} values are smaller than a byte and cannot be addressed")
    return dtype.ir_type


def _rmw(name, op, ptr, value, syncscope, ordering):
    pointer, dtype, _ = _pointer(ptr, name)
    number = _value(value, dtype, f"{name}: value")
    dtype = number.dtype
    kind = op(dtype)
    if kind is None or dtype.width < 16 and dtype.is_float or dtype is Boolean or dtype.width < 8 or dtype.width > 64:
        raise TypeError(f"{name}: found {dtype.__name__}, expected {_EXPECTED[name]}")
    raw = _llvm.atomicrmw(getattr(_llvm.AtomicBinOp, kind), pointer, number.ir_value(), _ordering(ordering, name, _RMW),
                          syncscope=_scope(syncscope))
    return dtype(raw)


def _by_class(signed=None, unsigned=None, floating=None):

    def pick(dtype):
        if dtype.is_float:
            return floating
        return signed if dtype.signed else unsigned

    return pick


_ANY = "an integer of 8 to 64 bits or a float of 16 bits or more"
_INTS = "an integer of 8 to 64 bits"
_EXPECTED = {
    "atomic_add": _ANY, "atomic_sub": _ANY, "atomic_min": _ANY, "atomic_max": _ANY, "atomic_xchg": _ANY, "atomic_and": _INTS,
    "atomic_or": _INTS, "atomic_xor": _INTS, "atomic_fmin": "a float of 16 bits or more", "atomic_fmax": "a float of 16 bits or more"
}


# --- read, modify, write ------------------------------------------------------


def atomic_add(ptr, value, *, syncscope=None, ordering=AtomicOrdering.Monotonic):
    """Adds `value` to the memory at `ptr` atomically; returns the old value."""
    return _rmw("atomic_add", _by_class("add", "add", "fadd"), ptr, value, syncscope, ordering)


def atomic_sub(ptr, value, *, syncscope=None, ordering=AtomicOrdering.Monotonic):
    """Subtracts `value` from the memory at `ptr` atomically; returns the old value."""
    return _rmw("atomic_sub", _by_class("sub", "sub", "fsub"), ptr, value, syncscope, ordering)


def atomic_min(ptr, value, *, syncscope=None, ordering=AtomicOrdering.Monotonic):
    """Makes the memory at `ptr` the smaller of itself and `value` (a NaN loses), atomically; returns the old value."""
    return _rmw("atomic_min", _by_class("min", "umin", "fmin"), ptr, value, syncscope, ordering)


def atomic_max(ptr, value, *, syncscope=None, ordering=AtomicOrdering.Monotonic):
    """Makes the memory at `ptr` the larger of itself and `value` (a NaN loses), atomically; returns the old value."""
    return _rmw("atomic_max", _by_class("max", "umax", "fmax"), ptr, value, syncscope, ordering)


def atomic_and(ptr, value, *, syncscope=None, ordering=AtomicOrdering.Monotonic):
    """Bitwise and of the memory at `ptr` with the integer `value`, atomically; returns the old value."""
    return _rmw("atomic_and", _by_class("_and", "_and"), ptr, value, syncscope, ordering)


def atomic_or(ptr, value, *, syncscope=None, ordering=AtomicOrdering.Monotonic):
    """Bitwise or of the memory at `ptr` with the integer `value`, atomically; returns the old value."""
    return _rmw("atomic_or", _by_class("_or", "_or"), ptr, value, syncscope, ordering)


def atomic_xor(ptr, value, *, syncscope=None, ordering=AtomicOrdering.Monotonic):
    """Bitwise exclusive or of the memory at `ptr` with the integer `value`, atomically; returns the old value."""
    return _rmw("atomic_xor", _by_class("_xor", "_xor"), ptr, value, syncscope, ordering)


def atomic_xchg(ptr, value, *, syncscope=None, ordering=AtomicOrdering.Monotonic):
    """Writes `value` to the memory at `ptr` atomically; returns the old value."""
    return _rmw("atomic_xchg", _by_class("xchg", "xchg", "xchg"), ptr, value, syncscope, ordering)


def _float_extremum(name, op, positive_op, negative_op, ptr, value, syncscope, ordering, is_positive):
    if is_positive is None:
        return _rmw(name, _by_class(floating=op), ptr, value, syncscope, ordering)
    pointer, dtype, _ = _pointer(ptr, name)
    number = _value(value, dtype, f"{name}: value")
    dtype = number.dtype
    if not dtype.is_float or dtype.width < 16:
        raise TypeError(f"{name}: found {dtype.__name__}, expected {_EXPECTED[name]}")
    integer = ir.IntegerType.get_signless(dtype.width)
    bits = emit.bitcast(number.ir_value(), integer)
    kind = getattr(_llvm.AtomicBinOp, positive_op if is_positive else negative_op)
    old = _llvm.atomicrmw(kind, pointer, bits, _ordering(ordering, name, _RMW), syncscope=_scope(syncscope))
    return dtype(emit.bitcast(old, dtype.ir_type))


def atomic_fmin(ptr, value, *, syncscope=None, ordering=AtomicOrdering.Monotonic, is_positive=None):
    """As `atomic_min` of a float; returns the old value.

    `is_positive`: the caller's promise that the sign bit of `value` is clear (True) or set (False) and that no NaN occurs.
    Then an integer operation on the bits does it, which every chip has. None makes no assumption.
    """
    return _float_extremum("atomic_fmin", "fmin", "min", "umax", ptr, value, syncscope, ordering, is_positive)


def atomic_fmax(ptr, value, *, syncscope=None, ordering=AtomicOrdering.Monotonic, is_positive=None):
    """As `atomic_max` of a float; `is_positive` as in `atomic_fmin`; returns the old value."""
    return _float_extremum("atomic_fmax", "fmax", "max", "umin", ptr, value, syncscope, ordering, is_positive)


def atomic_cas(ptr, cmp, val, *, syncscope=None, success_ordering=AtomicOrdering.Monotonic,
               failure_ordering=AtomicOrdering.Monotonic, weak=False):
    """Writes `val` to the memory at `ptr` if that holds the bits of `cmp`, atomically.

    Returns (old value, Boolean that tells whether it was written). `weak`: the write may fail for no reason.
    """
    pointer, dtype, _ = _pointer(ptr, "atomic_cas")
    expected = _value(cmp, dtype, "atomic_cas: cmp")
    dtype = expected.dtype
    desired = convert_literal(val, dtype, "atomic_cas: val")
    if dtype is Boolean or dtype.width < 8 or dtype.width > 64 or (dtype.is_float and dtype.width < 16):
        raise TypeError(f"atomic_cas: found {dtype.__name__}, expected {_ANY}")
    integer = ir.IntegerType.get_signless(dtype.width)
    raw = [emit.bitcast(v.ir_value(), integer) if dtype.is_float else v.ir_value() for v in (expected, desired)]
    success = _ordering(success_ordering, "atomic_cas: success_ordering", _RMW)
    failure = _ordering(failure_ordering, "atomic_cas: failure_ordering",
                        (AtomicOrdering.Monotonic, AtomicOrdering.Acquire, AtomicOrdering.SeqCst))
    pair = _llvm.cmpxchg(pointer, raw[0], raw[1], success, failure, syncscope=_scope(syncscope), weak=True if weak else None)
    i1 = ir.IntegerType.get_signless(1)
    old = _llvm.extractvalue(raw[0].type, pair, [0])
    done = _llvm.extractvalue(i1, pair, [1])
    old = ArithValue(old)
    return dtype(emit.bitcast(old, dtype.ir_type) if dtype.is_float else old), Boolean(ArithValue(done))


# --- loads, stores, fences ----------------------------------------------------


def _access_alignment(dtype, count, alignment, atomic):
    size = max(1, dtype.width // 8)
    if atomic:
        return size * count
    return alignment if alignment else size


def generic_load(ptr, *, dtype=None, count=None, memory_order=AtomicOrdering.NotAtomic, syncscope=None, nontemporal=False,
                 volatile=False):
    """The number (or, with `count`, the `Vector` of so many) at `ptr`.

    `dtype`: a numeric class or a fixed vector type; default: the pointer's element class. Atomic orders need a scalar.
    The address must be aligned to an element, for atomic ones to the whole.
    """
    what = "generic_load"
    pointer, element, alignment = _pointer(ptr, what)
    if isinstance(dtype, type) and issubclass(dtype, Vector) and dtype is not Vector:
        count, dtype = dtype.lanes, dtype.dtype
    dtype = element if dtype is None else dtype
    if not isinstance(dtype, NumericMeta):
        raise TypeError(f"{what}: expected dtype=, a numeric class, since an !llvm.ptr has no element type"
                        if dtype is None else f"{what}: expected a numeric class as dtype, found {dtype!r}")
    order = _ordering(memory_order, what, _LOADS)
    atomic = int(order) != 0
    _check_atomic_count(what, atomic, count)
    memory = _memory_type(dtype)
    type_ = ir.VectorType.get([count], memory) if count is not None else memory
    raw = _llvm.load(type_, pointer, alignment=_access_alignment(dtype, count or 1, alignment, atomic), volatile_=volatile or None,
                     nontemporal=nontemporal or None, ordering=order if atomic else None, syncscope=_scope(syncscope) if atomic else None)
    raw = ArithValue(raw)
    if dtype is Boolean:
        raw = emit.cast(raw, dtype.ir_type, False, False)
    elif memory != dtype.ir_type:
        raw = emit.bitcast(raw, dtype.ir_type)
    return Vector(raw, None, dtype) if count is not None else dtype(raw)


def _check_atomic_count(what, atomic, count):
    if count is None:
        return
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ValueError(f"{what}: count must be a positive int, found {count!r}")
    if atomic:
        raise ValueError(f"{what}: an atomic access moves a scalar, found count={count}")


def generic_store(ptr, value, *, memory_order=AtomicOrdering.NotAtomic, syncscope=None, nontemporal=False, volatile=False):
    """Writes the number or `Vector` `value` to `ptr`; a Python number takes the pointer's element class and must fit it."""
    what = "generic_store"
    pointer, element, alignment = _pointer(ptr, what)
    order = _ordering(memory_order, what, _STORES)
    atomic = int(order) != 0
    if isinstance(value, ir.Value) and isinstance(value.type, ir.VectorType):
        value = value if isinstance(value, Vector) else Vector(value)
        _check_atomic_count(what, atomic, value.numel)
        if element is not None and value.dtype.ir_type != element.ir_type:
            raise TypeError(f"{what}: found elements {value.dtype.__name__}, expected {element.__name__}; convert with .to()")
        count = value.numel
    else:
        value, count = _value(value, element, f"{what}: value"), 1
    dtype = value.dtype
    memory, raw = _memory_type(dtype), value.ir_value()
    if dtype is Boolean:
        raw = emit.cast(raw, memory, False, False)
    elif memory != dtype.ir_type:
        raw = emit.bitcast(raw, memory)
    _llvm.store(raw, pointer, alignment=_access_alignment(dtype, count, alignment, atomic), volatile_=volatile or None,
                nontemporal=nontemporal or None, ordering=order if atomic else None, syncscope=_scope(syncscope) if atomic else None)


def memory_fence(*, syncscope=None, ordering=AtomicOrdering.SeqCst):
    """Orders the memory accesses before and after it, as seen by the threads of `syncscope`."""
    _llvm.fence(_ordering(ordering, "memory_fence", _FENCES), syncscope=_scope(syncscope))
