# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fx.math: operations, classes of results, operand checks."""
import math

import pytest

import flydsl.expr.math as fxm
import flydsl.expr.numeric as num
from flydsl.expr.meta import fastmath
from flydsl.expr.numeric import BFloat16, Boolean, Float16, Float32, Float64, Index, Int8, Int32, Int64, Uint32
from flydsl.expr.utils.arith import ArithValue
from flydsl.expr.vector import Vector

from tracing import dynamic, folded, ops, trace

UNARY = ("absf ceil floor trunc roundeven exp exp2 expm1 log log2 log10 log1p sqrt rsqrt cbrt sin cos tan asin acos atan sinh "
         "cosh tanh asinh acosh atanh erf erfc").split()


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    function = getattr(fxm, name)
    for dtype in (Float16, BFloat16, Float32, Float64):
        assert ops(lambda x: function(x), dtype) == [f"math.{name}"]

    def build(x, v):
        assert type(function(x)) is Float32 and type(function(x.value)) is ArithValue and type(function(0.5)) is ArithValue
        w = function(v.reshape((2, 2)))
        assert isinstance(w, Vector) and w.shape == (2, 2) and w.dtype is Float16
        assert type(function(Float32(0.5))) is Float32
        function(x, fastmath="fast")
        with fastmath("afn"):
            function(x)
        for bad, found in ((Int32(1), "Int32"), (Boolean(True), "Boolean"), (num.Float8E5M2(1.0), "Float8E5M2"), ("x", "str"),
                           (v.to(Int32), "Int32")):
            with pytest.raises(TypeError, match=f"{name}: found {found}, expected a float of 16 bits or more"):
                function(bad)

    lines = trace(build, Float32, (Float16, 4))
    assert [line for line in lines if "fastmath<fast>" in line] and [line for line in lines if "fastmath<afn>" in line]


def test_round_is_to_even():
    # DIFF: py-round
    assert ops(lambda x: fxm.round(x), Float32) == ["math.roundeven"]
    assert ops(lambda x: fxm.round_half_away(x), Float32) == ["math.round"]
    values = (0.5, 1.5, 2.5, -0.5)
    got = folded(lambda: [fxm.round(dynamic(Float32(v))) for v in values])
    assert got == [0.0, 2.0, 2.0, 0.0] and math.copysign(1.0, got[3]) == -1.0
    assert folded(lambda: [fxm.round_half_away(dynamic(Float32(v))) for v in values]) == [1.0, 2.0, 3.0, -1.0]


def test_integer_functions():
    for name in ("ctlz", "cttz", "ctpop", "absi"):
        function = getattr(fxm, name)
        assert ops(lambda x: function(x), Int32) == [f"math.{name}"]
        with pytest.raises(TypeError, match=f"{name}: found Float32, expected an integer"):
            function(Float32(1.0))
        with pytest.raises(TypeError, match=f"{name}: found Boolean, expected an integer"):
            function(Boolean(True))
    got = folded(lambda: [fxm.ctlz(dynamic(Int32(1))), fxm.cttz(dynamic(Int32(8))), fxm.ctpop(dynamic(Uint32(0xFF))),
                          fxm.absi(dynamic(Int32(-5)))])
    assert got == [31, 3, 8, 5]
    assert ops(lambda x: fxm.absi(x), Uint32) == []


def test_index_has_no_width():
    def build(i):
        with pytest.raises(TypeError, match="ctlz: found Index"):
            fxm.ctlz(i)

    trace(build, Index)


def test_predicates():
    for name in ("isnan", "isinf", "isfinite", "isnormal"):
        function = getattr(fxm, name)

        def build(x, v):
            assert type(function(x)) is Boolean and function(v).dtype is Boolean and function(v).shape == (4,)

        assert ops(build, Float32, (Float32, 4)) == [f"math.{name}"] * 3


def test_more_operands():

    def build(x, v, i):
        assert type(fxm.powf(x, 2.0)) is type(fxm.atan2(x, x)) is type(fxm.copysign(x, -1)) is Float32
        assert type(fxm.fma(x, 2, x)) is type(fxm.clampf(x, 0.0, 1.0)) is type(fxm.fpowi(x, 3)) is Float32
        sine, cosine = fxm.sincos(x)
        assert type(sine) is type(cosine) is Float32 and type(fxm.ipowi(i, 2)) is Int32
        assert fxm.fma(v, 2.0, v).dtype is Float32 and fxm.fpowi(v, Vector.from_elements([1, 2, 3, 4])).shape == (4,)
        assert fxm.powf(v, x).shape == (4,)  # a scalar is repeated

    assert ops(build, Float32, (Float32, 4), Int32) == [
        "math.powf", "math.atan2", "math.copysign", "math.fma", "math.clampf", "math.fpowi", "math.sincos", "math.ipowi", "math.fma",
        "vector.from_elements", "math.fpowi", "vector.broadcast", "math.powf"]


def test_further_operands_do_not_promote():
    # DIFF: py-math-operands
    cases = [
        (lambda x, i, h: fxm.atan2(x, i), "atan2: operand 2: found Int32, expected Float32 as the first operand"),
        (lambda x, i, h: fxm.fma(x, x, h), "fma: operand 3: found Float16, expected Float32"),
        (lambda x, i, h: fxm.fpowi(x, x), "fpowi: operand 2: found Float32, expected Int32 or Int64"),
        (lambda x, i, h: fxm.fpowi(x, Int8(1)), "fpowi: operand 2: found Int8, expected Int32 or Int64"),
        (lambda x, i, h: fxm.ipowi(i, Int64(2)), "ipowi: operand 2: found Int64, expected Int32"),
        (lambda x, i, h: fxm.powf(x, "y"), "powf: operand 2: found str, expected Float32"),
        (lambda x, i, h: fxm.copysign(x, i.value), "copysign: operand 2: found i32, expected f32"),
    ]
    for call, message in cases:
        def build(x, i, h):
            with pytest.raises(TypeError, match=message):
                call(x, i, h)

        trace(build, Float32, Int32, Float16)


def test_all_names_have_a_docstring():
    for name in fxm.__all__:
        assert getattr(fxm, name).__doc__ and getattr(fxm, name).__name__ == name
