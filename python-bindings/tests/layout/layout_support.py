# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module to trace into, without `jit`: the layout functions work at any insertion point."""
import contextlib

import pytest

from flydsl._mlir import ir
from flydsl._mlir.dialects import func
import flydsl.expr as fx


class Trace:
    """A function `f` whose arguments are made as they are asked for; the builders insert into its body."""

    def __enter__(self):
        self._context = ir.Context()
        self._context.__enter__()
        self._location = ir.Location.unknown()
        self._location.__enter__()
        self.module = ir.Module.create()
        with ir.InsertionPoint(self.module.body):
            self.function = func.FuncOp("f", ir.FunctionType.get([], []))
        self.block = self.function.add_entry_block()
        self._point = ir.InsertionPoint(self.block)
        self._point.__enter__()
        return self

    def __exit__(self, *failure):
        self._point.__exit__(*failure)
        try:
            if failure[0] is None:
                self.verify()
        finally:
            self._location.__exit__(*failure)
            self._context.__exit__(*failure)

    def argument(self, type):
        """A new argument of an IR type, or of its text."""
        if isinstance(type, str):
            type = ir.Type.parse(type)
        self.block.add_argument(type, ir.Location.unknown())
        self.function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get([a.type for a in self.block.arguments], []))
        return self.block.arguments[-1]

    def int32(self):
        """A run-time Int32."""
        return fx.Int32(self.argument("i32"))

    def int64(self):
        """A run-time Int64."""
        return fx.Int64(self.argument("i64"))

    def float32(self):
        """A run-time Float32."""
        return fx.Float32(self.argument("f32"))

    def tensor(self, layout, element="f32", space="global", extra=""):
        """A tensor argument."""
        return self.argument(f"!fly.memref<{element}, {space}, {layout}{extra}>")

    def ops(self):
        """The names of the operations so far."""
        return [op.operation.name for op in self.block.operations]

    def text(self):
        """The module, as it would be printed with the function finished."""
        with self._finished():
            return str(self.module)

    def verify(self):
        with self._finished():
            assert self.module.operation.verify()

    def verifies(self):
        """Whether the module is valid."""
        with self._finished():
            try:
                return self.module.operation.verify()
            except ir.MLIRError:
                return False

    @contextlib.contextmanager
    def _finished(self):
        with ir.InsertionPoint(self.block):
            end = func.ReturnOp([])
        try:
            yield
        finally:
            end.operation.erase()


@pytest.fixture
def trace():
    with Trace() as trace:
        yield trace


def layout(shape, stride):
    return fx.make_layout(shape, stride)
