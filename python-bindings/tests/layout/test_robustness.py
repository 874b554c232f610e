# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random arguments: every mistake is a Python exception, none ends the interpreter or leaves a broken module."""
import inspect
import random

import pytest

from flydsl._mlir import ir
import flydsl.expr as fx
from flydsl.expr import derived, primitive
from layout_support import Trace, layout

# Raised for wrong arguments; anything else is a fault of the package.
EXPECTED = (TypeError, ValueError, IndexError, RuntimeError, ir.MLIRError, ZeroDivisionError)
NAMES = sorted({*primitive.__all__, *derived.__all__})


def count_of(name, rng):
    """A number of arguments that the function takes, mostly."""
    parameters = inspect.signature(getattr(fx, name)).parameters.values()
    if rng.random() < 0.05 or any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return rng.randint(0, 4)
    return sum(parameter.kind is parameter.POSITIONAL_OR_KEYWORD for parameter in parameters)


def pool(trace):
    tiled = fx.make_tiled_mma(fx.make_mma_atom(fx.UniversalFMA(fx.Float32)), layout((2, 3, 1), (1, 2, 0)))
    atom = fx.make_copy_atom(fx.UniversalCopy64b(), fx.Float16)
    return [
        None, 0, 1, 4, -1, 1 << 40, 1 << 70, 1.5, "x", (), (1, 2), (4, (2, None)), [3], True, float("nan"), fx.E(0), fx.E(1, 0) * 3, fx.Float32, fx.Int8,
        fx.T.f32, fx.T.vec(4, fx.T.f16), fx.AddressSpace.Shared, fx.MmaOperand.A, fx.GemmTraversalOrder.KMN, layout((4, 8), (8, 1)), layout(0, 0),
        layout((trace.int32(), 4), (4, 1)), fx.make_identity_layout((3, trace.int64())), fx.make_int_tuple((4, trace.int32())), fx.make_int_tuple(7), fx.make_coord(None, 2),
        fx.make_composed_layout(fx.SwizzleType.get(2, 1, 3), layout((4, 8), (8, 1))), fx.make_tile(2, None), fx.static(fx.SwizzleType.get(1, 1, 1)),
        fx.SwizzleType.get(2, 3, 3), fx.LayoutType.get((4, 8), (8, 1)), fx.PointerType.get(fx.T.f32), fx.UniversalCopy64b(), trace.int32(), trace.int64(),
        trace.float32(), fx.Int32(5), fx.Boolean(True), trace.argument("i1"), trace.argument("index"), trace.argument("vector<4xf32>"), trace.argument("i128"),
        trace.tensor("(4,8):(8,1)"), trace.tensor("(?,8):(8,1)", "f16"), trace.tensor("((4,1),2,2):((1,0),8,4)", space="register"), trace.tensor("4:1", "i1"),
        trace.tensor("S<2,1,3> o 0 o (4,8):(8,1)", "f16", "shared"), fx.make_view((0, 0), fx.make_identity_layout((4, 8))), trace.argument("!fly.ptr<f16, shared>"),
        trace.argument("!fly.ptr<i4, register>"), atom, tiled.mma_atom, tiled, fx.make_tiled_copy(atom, layout((4, 8), (8, 1)), (8, 4)), tiled.get_slice(0), lambda *a: a
    ]


@pytest.mark.parametrize("seed", range(2))
def test_random_arguments(seed):
    rng = random.Random(seed)
    with Trace() as trace:
        values = pool(trace)
        done = 0
        for _ in range(1500):
            name = rng.choice(NAMES)
            arguments = [rng.choice(values) for _ in range(count_of(name, rng))]
            before = len(list(trace.block.operations))
            try:
                result = getattr(fx, name)(*arguments)
                done += 1
            except EXPECTED as error:
                assert str(error) or isinstance(error, ZeroDivisionError), name
                result = None
            if isinstance(result, fx.Tensor) and rng.random() < 0.5:
                try:
                    result[rng.choice(values)]
                    result[rng.choice(values)] = rng.choice(values)
                except EXPECTED:
                    pass
            # What verifies only as a whole module is looked at at once, and taken back if it is wrong.
            if not trace.verifies():
                for op in reversed(list(trace.block.operations)[before:]):
                    op.operation.erase()
        assert done > 100


@pytest.mark.parametrize("seed", range(2))
def test_random_methods(seed):
    rng = random.Random(100 + seed)
    with Trace() as trace:
        values = pool(trace)
        owners = [value for value in values if hasattr(type(value), "__extract_to_ir_values__") and type(value).__module__.startswith("flydsl.expr")]
        for _ in range(1500):
            owner = rng.choice(owners)
            names = [name for name in dir(type(owner)) if not name.startswith("_") and name not in ("replace_all_uses_with", "replace_all_uses_except", "set_type")]
            try:
                member = getattr(owner, rng.choice(names))
                if callable(member):
                    member(*(rng.choice(values) for _ in range(rng.randint(0, 2))))
            except EXPECTED:
                pass
            except AttributeError as error:
                assert "has no attribute" in str(error)
            if not trace.verifies():
                list(trace.block.operations)[-1].operation.erase()
