# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers of the numeric tests: build a function with DSL operations, read its text, or fold it to values."""
import contextlib
import re

from flydsl._mlir import ir
from flydsl._mlir.dialects import func
from flydsl._mlir.passmanager import PassManager

import flydsl.expr.numeric as num
from flydsl.expr.vector import Vector


@contextlib.contextmanager
def context():
    """A context, location and module body to build into; yields the module."""
    with ir.Context() as ctx, ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            yield module


def trace(build, *types):
    """The lines of the body of a function with arguments of `types` (classes, (class, lanes), or IR type texts).

    `build` gets DSL values (raw ones for IR type texts). The module is verified.
    """
    with context() as module:
        function = func.FuncOp("f", ([_ir_type(t) for t in types], []))
        with ir.InsertionPoint(function.add_entry_block()):
            build(*(_wrap(t, a) for t, a in zip(types, function.arguments)))
            func.ReturnOp([])
        module.operation.verify()
        text = str(module)
    body = text[text.index("{", text.index("func.func")) + 1:text.rindex("return")]
    return [line.strip() for line in body.splitlines() if line.strip()]


def ops(build, *types):
    """The names of the operations that `trace` shows, with what distinguishes them (predicate, reduction kind)."""
    names = []
    for line in trace(build, *types):
        found = re.match(r"(?:%[^=]*= )?([\w.]+)( (?:eq|ne|[su][lg][te]|[ou]eq|[ou]ne|one|o[lg][te])\b| <\w+>)?", line)
        if found and found.group(1) != "arith.constant":
            names.append(found.group(1) + (found.group(2) or ""))
    return names


def _ir_type(t):
    if isinstance(t, str):
        return ir.Type.parse(t)
    if isinstance(t, tuple):
        return Vector.make_type(t[1], t[0])
    return t.ir_type


def _wrap(t, value):
    if isinstance(t, str):
        return value
    return Vector(value, None, t[0]) if isinstance(t, tuple) else t(value)


def dynamic(number):
    """The static DSL number as a run-time one: its constant, seen as an IR value."""
    return type(number)(number.ir_value())


def dynamic_vector(values, dtype):
    """A run-time vector of Python numbers."""
    return Vector.from_elements([dynamic(dtype(v)) for v in values], dtype)


def folded(build):
    """`build()` makes a list of run-time DSL values from constants; returns their values as MLIR folds them.

    A scalar gives an int (of the class's sign) or float, a vector a list. An operation that does not fold gives None.
    """
    with context() as module:
        function = func.FuncOp("f", ([], []))
        with ir.InsertionPoint(function.add_entry_block()):
            results = build()
            raw = [r.ir_value() for r in results]
            func.ReturnOp(raw)
        function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get([], [v.type for v in raw]))
        module.operation.verify()
        PassManager.parse("builtin.module(canonicalize)").run(module.operation)
        block = function.regions[0].blocks[0]
        returned = list(block.operations)[-1].operands
        return [_value(type(r) if not isinstance(r, Vector) else r.dtype, v) for r, v in zip(results, returned)]


def _value(dtype, value):
    owner = value.owner
    if owner.name != "arith.constant":
        return None
    attr = owner.attributes["value"]
    if isinstance(value.type, ir.VectorType):
        splat = attr.is_splat
        element = attr.get_splat_value() if splat else None
        items = [element] * value.type.shape[0] if splat else list(attr)
        return [_number(dtype, item) for item in items]
    return _number(dtype, attr)


def _number(dtype, attr):
    if isinstance(attr, ir.FloatAttr):
        return float("nan") if "f8E8M0FNU" in str(attr) and "0xFF" in str(attr) else attr.value
    if isinstance(attr, ir.IntegerAttr):
        attr = int(str(attr).split(":")[0].replace("true", "1").replace("false", "0"))
    if isinstance(attr, float):
        return attr
    return int(dtype(int(attr)).value) if dtype is not num.Boolean else bool(attr)


def same(a, b):
    """Whether two numbers are the same, NaN being NaN, zeros of either sign equal."""
    return a == b or (a != a and b != b)
