# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cond.select(a, b)` on DSL values."""
from __future__ import annotations

from ..._mlir import ir
from ..._mlir.dialects import arith
from .promote import common_type


def select(condition, true_value, false_value):
    """`true_value` where the scalar `condition` is nonzero, else `false_value`.

    Two numbers are promoted to their common class, vectors as in `Vector.select`; other values must have one IR type.
    With a static condition the chosen branch comes back, promoted.
    """
    from ..numeric import Boolean, Numeric, as_numeric, is_python_number
    from ..vector import Vector
    condition = Boolean(condition)

    def scalar(value):
        if isinstance(value, ir.Value):
            return isinstance(value.type, (ir.IntegerType, ir.IndexType, ir.FloatType))
        return isinstance(value, Numeric) or is_python_number(value)

    if scalar(true_value) and scalar(false_value):
        true_value, false_value = as_numeric(true_value), as_numeric(false_value)
        cls = common_type(type(true_value), type(false_value), "select")
        true_value, false_value = cls(true_value), cls(false_value)
        if condition.is_static():
            return true_value if condition.value else false_value
        return cls(arith.select(condition.ir_value(), true_value.ir_value(), false_value.ir_value()))
    if isinstance(true_value, Vector) or isinstance(false_value, Vector):
        return Vector.select_between(condition, true_value, false_value)
    if condition.is_static():
        return true_value if condition.value else false_value
    parts = [_raw(v) for v in (true_value, false_value)]
    if parts[0].type != parts[1].type:
        raise TypeError(f"select: the branches must have one type, found {parts[0].type} and {parts[1].type}")
    from ..meta import as_dsl_value
    return as_dsl_value(arith.select(condition.ir_value(), *parts), true_value)


def _raw(value):
    from ..meta import as_ir_value
    return as_ir_value(value)
