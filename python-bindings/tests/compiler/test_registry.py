# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes of the user's as arguments, by both protocols, and the walkers of containers."""
import ctypes
from types import SimpleNamespace

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl._mlir import ir
from flydsl.compiler import JitArgumentRegistry, protocol
from flydsl.compiler.kernel_function import CompilationContext

pytestmark = pytest.mark.usefixtures("chip")


class Pair:
    """Two numbers on the host."""

    def __init__(self, x, y):
        self.x, self.y = x, y


class PairValue:
    """The same inside a trace."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __extract_to_ir_values__(self):
        return [self.x.ir_value(), self.y.ir_value()]

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        return cls(fx.Int32(values[0]), fx.Float32(values[1]))


@JitArgumentRegistry.register(Pair, dsl_type=PairValue)
class GuidePair:
    """The guide's protocol: the pointers are those of cells that the object holds."""

    def __init__(self, value):
        self.cells = [ctypes.c_int32(value.x), ctypes.c_float(value.y)]

    def __get_ir_types__(self):
        return [fx.Int32.ir_type, fx.Float32.ir_type]

    def __get_c_pointers__(self):
        return [ctypes.cast(ctypes.pointer(cell), ctypes.c_void_p) for cell in self.cells]


class NewPair:
    """The newer protocol, which carries itself."""

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __get_ir_types__(self):
        return [fx.Int32.ir_type, fx.Float32.ir_type]

    def __c_abi_spec__(self):
        return [(ctypes.c_int32, lambda arg, cell: setattr(cell, "value", arg.x)),
                (ctypes.c_float, lambda arg, cell: setattr(cell, "value", arg.y))]

    def __cache_signature__(self):
        return "NewPair"


JitArgumentRegistry.register_jit_arg(NewPair, PairValue)


def make():

    @flyc.kernel
    def kernel(c: fx.Tensor, p):
        c[0] = fx.Float32(p.x)
        c[1] = p.y

    @flyc.jit
    def run(c: fx.Tensor, p):
        kernel(c, p).launch(block=1)

    return run


@pytest.mark.parametrize("kind", [Pair, NewPair])
def test_both_protocols(kind):
    # DIFF: py-guide-protocol
    run = make()
    c = np.zeros(2, np.float32)
    for x, y in ((3, 1.5), (4, 2.5)):
        run(c, kind(x, y))
        assert c.tolist() == [x, y]
    assert run.cache_info().misses == 1
    handle = flyc.compile(run, c, kind(1, 1.0))
    handle(c, kind(7, 0.5))
    assert c.tolist() == [7, 0.5]


def test_registration_is_checked():
    with pytest.raises(ValueError, match="already registered"):
        JitArgumentRegistry.register(Pair, dsl_type=PairValue)(GuidePair)
    with pytest.raises(ValueError, match="Invalid dsl_type"):
        JitArgumentRegistry.register(bytes)(GuidePair)
    with pytest.raises(ValueError, match="Invalid dsl_type"):
        JitArgumentRegistry.register(bytes, dsl_type=int)(GuidePair)
    with pytest.raises(TypeError, match="expected a class"):
        JitArgumentRegistry.register(5)


def test_lookup():

    class Derived(Pair):
        pass

    assert JitArgumentRegistry.get(Pair) == (GuidePair, PairValue)
    assert JitArgumentRegistry.get(Derived) == (GuidePair, PairValue)
    assert JitArgumentRegistry.get(object) == (None, None)
    assert JitArgumentRegistry.get(int) == (fx.Int32, fx.Int32)
    assert JitArgumentRegistry.get(bool)[1] is fx.Boolean and JitArgumentRegistry.get(float)[1] is fx.Float32
    assert JitArgumentRegistry.get(np.ndarray)[1] is fx.Tensor
    assert JitArgumentRegistry.get_dsl_type(NewPair) is PairValue


# Walkers.


@pytest.fixture
def trace():
    with ir.Context(), ir.Location.unknown(), CompilationContext.create() as context:
        with ir.InsertionPoint(context.module.body):
            yield context


def test_containers_are_walked(trace):
    i32 = fx.Int32.ir_type
    value = SimpleNamespace(a=fx.Int32(1), b=[fx.Float32(2.0), (fx.Int32(3), )], c={"x": fx.Int32(4)})
    values = protocol.extract_to_ir_values(value)
    assert len(values) == 4
    assert protocol.get_ir_types(value) == [i32, fx.Float32.ir_type, i32, i32]
    rebuilt = protocol.construct_from_ir_values(None, value, values)
    assert type(rebuilt) is SimpleNamespace and type(rebuilt.b) is list and type(rebuilt.b[1]) is tuple
    assert isinstance(rebuilt.c["x"], fx.Int32) and isinstance(rebuilt.b[0], fx.Float32)


def test_what_has_no_values(trace):
    with pytest.raises(TypeError, match="Cannot extract IR values from 3"):
        protocol.extract_to_ir_values(3)
    with pytest.raises(TypeError, match="Cannot derive IR types from 3: Cannot extract IR values from 3"):
        protocol.get_ir_types(3)
    with pytest.raises(ValueError, match="expected 2 IR values"):
        protocol.construct_from_ir_values(None, [fx.Int32(1), fx.Int32(2)], [])


def test_cache_signature_walks():
    class Signed:
        def __cache_signature__(self):
            return 5

    assert protocol.cache_signature([Signed(), (Signed(), )]) == ("list", (5, ("tuple", (5, ))))
    hash(protocol.cache_signature(SimpleNamespace(a=Signed(), b={"c": Signed()})))


def test_abi_spec_does_not_walk():
    with pytest.raises(TypeError, match="it has no __c_abi_spec__"):
        protocol.c_abi_spec([fx.Int32(1)])


def test_structural_protocols():
    assert isinstance(NewPair(1, 2), protocol.JitArgument) and not isinstance(3, protocol.JitArgument)
    assert isinstance(PairValue(1, 2), protocol.DslType)
    assert protocol.is_jit_argument(GuidePair(Pair(1, 2.0)))


def test_namespace_of_values_as_kernel_argument():

    @flyc.kernel
    def kernel(c: fx.Tensor, args: SimpleNamespace):
        c[0] = fx.Float32(args.m) + args.scale
        c[1] = fx.Float32(args.rest[0])

    @flyc.jit
    def run(c: fx.Tensor, m: fx.Int32):
        kernel(c, SimpleNamespace(m=m, scale=fx.Float32(0.5), rest=[m + 1])).launch(block=1)

    c = np.zeros(2, np.float32)
    run(c, 4)
    assert c.tolist() == [4.5, 5.0]


# Scalars.


@pytest.mark.parametrize("kind, value", [
    ("Boolean", True), ("Int8", -128), ("Uint8", 255), ("Int16", -3), ("Uint16", 65535), ("Int32", -(1 << 31)),
    ("Uint32", (1 << 32) - 1), ("Int64", 1 << 40), ("Uint64", (1 << 64) - 1), ("Float32", 1.5), ("Float64", 1e200),
    ("Float16", 0.25), ("BFloat16", 3.0)])
def test_every_scalar_type(kind, value):
    cls = getattr(fx, kind)

    @flyc.kernel
    def kernel(c: fx.Tensor, v: cls):
        c[0] = fx.Float64(v)

    @flyc.jit
    def run(c: fx.Tensor, v: cls):
        kernel(c, v).launch(block=1)

    c = np.zeros(1, np.float64)
    run(c, value)
    assert c[0] == float(value)
    if isinstance(value, int) and not isinstance(value, bool):
        bad = value + 1 if value > 0 else value - (1 << 33)
        if kind != "Int64":
            with pytest.raises((ValueError, OverflowError), match="argument 'v'"):
                run(c, bad if bad >= 0 else value - (1 << 33))
