# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arguments of `range` in a traced loop: types, signs and unrolling."""
from __future__ import annotations

import logging
import operator

from . import values

_log = logging.getLogger("flydsl")
_NAMES = ("start", "stop", "step")


def _one(value, which):
    """A bound as a Python int or a traced number of 32 or 64 bits."""
    n, ir = values.numeric(), values.ir()
    value = values.as_scalar(value)
    if not values.is_dynamic(value):
        if values.is_numeric(value):
            value = value.value
        if isinstance(value, float):
            raise TypeError(f"for-loop {which} must be i32, got {value!r}\nhint: convert it, as in int(...)")
        try:
            return operator.index(value)
        except TypeError:
            raise TypeError(f"for-loop {which} must be i32, got {type(value).__name__}") from None
    if isinstance(value, ir.Value) and not values.is_numeric(value):
        if isinstance(value.type, ir.IndexType):
            return _from_index(value, which)
        if not isinstance(value.type, ir.IntegerType):
            raise TypeError(f"for-loop {which} must be i32, got {value.type}\nhint: convert it, as in fx.Int32(...)")
        value = n.as_numeric(value)
    elif not values.is_numeric(value):
        value = n.as_numeric(value.value)
    if isinstance(value.ir_value().type, ir.IndexType):
        return _from_index(value.ir_value(), which)
    if not issubclass(type(value), n.Integer) or type(value).width > 64:
        raise TypeError(f"for-loop {which} must be i32, got {type(value).ir_type}\n"
                        "hint: convert it, as in fx.Int32(...)")
    return n.Int32(value) if type(value).width < 32 else value


def _from_index(value, which):
    from ..._mlir.dialects import arith
    _log.warning("for-loop %s is an index value; it is cast to i32", which)
    n = values.numeric()
    return n.Int32(arith.IndexCastOp(n.Int32.ir_type, value).result)


def _wide(value) -> bool:
    if type(value) is int:
        return not -(1 << 31) <= value < 1 << 31
    return type(value).width > 32


def _positive(value) -> bool:
    """True if a run-time step is surely above zero: a product or sum of block and grid sizes and constants."""
    from ..._mlir.ir import IntegerAttr
    raw = values.ir().Value(value.ir_value())
    if type(value).signed is False:
        return True
    todo = [raw]
    for _ in range(64):
        if not todo:
            return True
        current = todo.pop()
        owner = current.owner
        if not hasattr(owner, "name"):
            return False
        if owner.name in ("gpu.block_dim", "gpu.grid_dim", "gpu.cluster_dim", "gpu.subgroup_size"):
            continue
        if owner.name in ("arith.index_cast", "arith.index_castui", "arith.muli", "arith.addi", "arith.extsi", "arith.extui"):
            todo += list(owner.operands)
            continue
        if owner.name == "arith.constant":
            attribute = owner.attributes["value"]
            if isinstance(attribute, IntegerAttr) and attribute.value > 0:
                continue
        return False
    return False


class Bounds:
    """`range(start, stop, step)` as an upward loop.

    cls: the class of the induction variable, Int32, or Int64 if a bound needs
    it. values: start, stop and step of the upward loop as IR values. certain:
    it surely runs at least once. `index(k)` is the value of the loop variable
    for the upward loop's variable `k`.
    """

    def __init__(self, start, stop, step):
        n = values.numeric()
        parts = [_one(v, name) for v, name in zip((start, stop, step), _NAMES)]
        self.start, self.stop, self.step = parts
        self.cls = n.Int64 if any(_wide(v) for v in parts) else n.Int32
        if any(type(v) is int and not -(1 << 63) <= v < 1 << 63 for v in parts):
            raise ValueError("for-loop bounds must fit 64 bits")
        self.static = all(type(v) is int for v in parts)
        self.certain = self.static and parts[2] != 0 and len(range(*parts)) > 0
        self.index = lambda k: k
        if type(self.step) is int:
            if self.step == 0:
                raise ValueError("range() arg 3 must not be zero")
            self._static_step()
        elif _positive(self.step):
            self.values = [self._value(v) for v in parts]
        else:
            self._signed_step()

    def _value(self, value):
        return self.cls(value).ir_value()

    def _static_step(self):
        if self.step > 0:
            self.values = [self._value(self.start), self._value(self.stop), self._value(self.step)]
            return
        # Down from start is up from -start.
        self.values = [self._value(-self.start), self._value(-self.stop), self._value(-self.step)]
        self.index = lambda k: -k

    def _signed_step(self):
        """The sign is known at run time only: counts the rounds. A step of zero is an assertion."""
        from ..._mlir.dialects import arith, cf
        start, stop, step = self.cls(self._value(self.start)), self.cls(self._value(self.stop)), self.cls(
            self._value(self.step))
        cf.AssertOp((step != 0).ir_value(), "range() arg 3 must not be zero")
        up = step > 0
        low, high = up.select(start, stop), up.select(stop, start)
        size = up.select(step, -step)
        size = (size == 0).select(self.cls(1), size)
        rounds = arith.DivUIOp((high - low - 1).ir_value(), size.ir_value()).result
        count = (low < high).select(self.cls(rounds) + 1, self.cls(0))
        self.values = [self._value(0), count.ir_value(), self._value(1)]
        self.index = lambda k: start + k * step


def annotation(unroll=-1, unroll_full=False) -> dict:
    """The attributes of a loop with unrolling hints.

    unroll: 2 and more is the count, 1 turns unrolling off, -1 says nothing.
    TypeError if it is no constant, ValueError if it is out of range or both are given.
    """
    if values.is_numeric(unroll) if not isinstance(unroll, (int, str, type(None))) else False:
        unroll = unroll.value
    if isinstance(unroll, bool) or not isinstance(unroll, int):
        raise TypeError(f"range(): unroll must be a compile-time int, got {type(unroll).__name__}")
    if not isinstance(unroll_full, bool):
        raise TypeError(f"range(): unroll_full must be a compile-time bool, got {type(unroll_full).__name__}")
    if unroll != -1 and unroll < 1:
        raise ValueError(f"range(): unroll must be at least 1 (or -1 for no hint), got {unroll}")
    if unroll != -1 and unroll_full:
        raise ValueError("range(): unroll and unroll_full are mutually exclusive")
    if unroll == -1 and not unroll_full:
        return {}
    text = "full = true" if unroll_full else "disable = true" if unroll == 1 else f"count = {unroll} : i32"
    return {"loop_annotation": values.ir().Attribute.parse(
        f"#llvm.loop_annotation<unroll = #llvm.loop_unroll<{text}>>")}
