# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tracing a function into a bare `func.func`, and an interpreter that runs the result.

The interpreter knows the few operations that traced control flow consists of.
It keeps a log of the calls of `emit`, so that a test can compare not only
results but also what ran, in which order and how often.
"""
import importlib.util
import itertools
import os
import tempfile
import textwrap

from flydsl._mlir import ir
from flydsl._mlir.dialects import arith, func
from flydsl.compiler.ast_rewriter import ASTRewriter
from flydsl.expr.numeric import Boolean, Float32, Int32, Numeric

_numbers = itertools.count()
_folder = tempfile.mkdtemp(prefix="fly-ast-")


def define(source, **names):
    """The function `f` of a piece of source, which is put into a file so that its text can be read."""
    path = os.path.join(_folder, f"case_{next(_numbers)}.py")
    with open(path, "w") as file:
        file.write(textwrap.dedent(source))
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    module.__dict__.update(names)
    spec.loader.exec_module(module)
    return module.f


def emit(value):
    """An effect of the traced function: a call of @emit."""
    value = value if isinstance(value, Numeric) else Int32(value)
    func.CallOp([], ir.FlatSymbolRefAttr.get("emit"), [Int32(value).ir_value()])


def read(value):
    """A value that the traced function gets by an effect: emits `value` and returns it."""
    emit(value)
    return value


class Traced:
    """A traced function: `text` is its module, calling it interprets it."""

    def __init__(self, function, types=None, count=None, transform=True):
        if transform:
            function = ASTRewriter.transform(function)
        if types is None:
            types = [Int32] * (count if count is not None else function.__code__.co_argcount)
        self.context = ir.Context()
        with self.context, ir.Location.unknown():
            self.module = ir.Module.create()
            with ir.InsertionPoint(self.module.body):
                declared = func.FuncOp("emit", ir.FunctionType.get([ir.IntegerType.get_signless(32)], []), visibility="private")
                del declared
                op = func.FuncOp("f", ir.FunctionType.get([t.ir_type for t in types], []))
                block = op.add_entry_block()
                with ir.InsertionPoint(block):
                    result = function(*[t(v) for t, v in zip(types, block.arguments)])
                    self.result = result
                    leaves = []
                    self.shape = _flatten(result, leaves)
                    func.ReturnOp(leaves)
                op.operation.attributes["function_type"] = ir.TypeAttr.get(
                    ir.FunctionType.get([t.ir_type for t in types], [v.type for v in leaves]))
            self.module.operation.verify()
            self.text = str(self.module)
        self.body = block

    def __call__(self, *arguments):
        self.log = []
        leaves = iter(_Interpreter(self.log).function(self.body, list(arguments)))
        return _rebuild(self.shape, leaves)


def _flatten(value, leaves):
    if isinstance(value, (list, tuple)):
        return [type(value)] + [_flatten(v, leaves) for v in value]
    if isinstance(value, dict):
        return {k: _flatten(v, leaves) for k, v in value.items()}
    if isinstance(value, Numeric):
        leaves.append(value.ir_value())
        return type(value)
    return ("static", value)


def _rebuild(shape, leaves):
    if isinstance(shape, tuple):
        return shape[1]
    if isinstance(shape, list):
        return shape[0](_rebuild(s, leaves) for s in shape[1:])
    if isinstance(shape, dict):
        return {k: _rebuild(s, leaves) for k, s in shape.items()}
    value = next(leaves)
    return bool(value) if shape is Boolean else value


class AssertionFailed(Exception):
    pass


class _Interpreter:

    def __init__(self, log):
        self.log, self.steps = log, 0

    def function(self, block, arguments):
        return self.block(block, arguments, {})[1]

    def block(self, block, arguments, env):
        for argument, value in zip(block.arguments, arguments):
            env[_key(argument)] = value
        for op in block.operations:
            op = op.operation
            self.steps += 1
            assert self.steps < 200000, "the traced function does not end"
            inputs = [env[_key(v)] for v in op.operands]
            name = op.name
            if name in ("scf.yield", "scf.condition", "func.return"):
                return name, inputs
            if name == "scf.if":
                region = op.regions[0 if inputs[0] else 1]
                found = self.block(region.blocks[0], [], env)[1] if len(region.blocks) else []
            elif name == "scf.for":
                low, high, step = inputs[:3]
                found = inputs[3:]
                assert step > 0
                for i in range(low, high, step):
                    found = self.block(op.regions[0].blocks[0], [i] + found, env)[1]
            elif name == "scf.while":
                found = inputs
                while True:
                    answer = self.block(op.regions[0].blocks[0], found, env)[1]
                    found = answer[1:]
                    if not answer[0]:
                        break
                    found = self.block(op.regions[1].blocks[0], found, env)[1]
            elif name == "func.call":
                self.log.append(inputs[0])
                found = []
            elif name == "cf.assert":
                if not inputs[0]:
                    raise AssertionFailed(op.attributes["msg"].value)
                found = []
            else:
                found = [self.simple(op, name, inputs)]
            for result, value in zip(op.results, found):
                env[_key(result)] = value
        return None, []

    def simple(self, op, name, inputs):
        kind = op.results[0].type
        if name == "arith.constant":
            value = op.attributes["value"]
            return value.value if not isinstance(value, ir.BoolAttr) else int(value.value)
        if name == "arith.cmpi":
            predicate = ir.IntegerAttr(op.attributes["predicate"]).value
            a, b = inputs
            if predicate >= 6:
                mask = (1 << _width(op.operands[0].type)) - 1
                a, b, predicate = a & mask, b & mask, predicate - 4
            return int([a == b, a != b, a < b, a <= b, a > b, a >= b][predicate])
        if name == "arith.cmpf":
            a, b = inputs
            return int({1: a == b, 2: a > b, 3: a >= b, 4: a < b, 5: a <= b, 6: a != b, 13: a != b}[
                ir.IntegerAttr(op.attributes["predicate"]).value])
        if name == "arith.select":
            return inputs[1] if inputs[0] else inputs[2]
        if name in ("arith.extsi", "arith.index_cast", "arith.sitofp", "arith.extf"):
            value = inputs[0]
            if name != "arith.index_cast" and _width(op.operands[0].type) == 1 and name == "arith.extsi":
                value = -value
            return value
        if name == "arith.extui":
            return inputs[0] & ((1 << _width(op.operands[0].type)) - 1)
        if name in ("arith.addf", "arith.subf", "arith.mulf"):
            a, b = inputs
            return {"addf": a + b, "subf": a - b, "mulf": a * b}[name[6:]]
        a, b = (inputs + [0])[:2]
        if name.endswith("ui"):
            mask = (1 << _width(kind)) - 1
            a, b = a & mask, b & mask
        table = {
            "addi": lambda: a + b, "subi": lambda: a - b, "muli": lambda: a * b, "andi": lambda: a & b,
            "ori": lambda: a | b, "xori": lambda: a ^ b, "floordivsi": lambda: a // b, "divui": lambda: a // b,
            "remui": lambda: a % b, "divsi": lambda: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
            "remsi": lambda: a - b * (abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)), "trunci": lambda: a,
            "maxsi": lambda: max(a, b), "minsi": lambda: min(a, b)
        }
        return _wrap(table[name.partition(".")[2]](), _width(kind))


def _width(kind):
    return kind.width if isinstance(kind, ir.IntegerType) else 64


def _wrap(value, width):
    value &= (1 << width) - 1
    return value - (1 << width) if width > 1 and value >> (width - 1) else value


def _key(value):
    return hash(ir.Value(value))


__all__ = ["AssertionFailed", "Traced", "arith", "define", "emit", "read", "Int32", "Float32", "Boolean"]
