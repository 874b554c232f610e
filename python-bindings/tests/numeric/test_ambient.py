# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ambient options, locations and result wrappers of flydsl.expr.meta; printf."""
import threading

import pytest
from flydsl._mlir import ir
from flydsl._mlir.dialects import arith as raw_arith

import flydsl.expr.numeric as num
from flydsl.expr.meta import capture_user_location, dsl_loc_tracing, dsl_wrap_result, tracing_context, tracing_option
from flydsl.expr.numeric import Boolean, Float32, Int32, Uint8, Uint32, Uint64
from flydsl.expr.printing import printf

from tracing import context, trace


def test_tracing_context_forms():
    assert tracing_option("mode") is None and tracing_option("mode", 3) == 3
    with tracing_context(mode="a", other=1):
        with tracing_context(mode="b"):
            assert (tracing_option("mode"), tracing_option("other")) == ("b", 1)
            with tracing_context(mode=None):
                assert tracing_option("mode") is None
        assert tracing_option("mode") == "a"

    @tracing_context(mode="decorated")
    def f(x):
        return x, tracing_option("mode")

    assert f(1) == (1, "decorated") and tracing_context(f, other=2)(1) == (1, "decorated") and tracing_option("mode") is None
    assert tracing_context(lambda: tracing_option("mode"), mode="c")() == "c"
    with pytest.raises(TypeError, match="expected a function as first argument, found int"):
        tracing_context(3, mode=1)


def test_options_end_with_an_exception_and_are_of_the_thread():
    with pytest.raises(KeyError):
        with tracing_context(mode="x"):
            raise KeyError
    assert tracing_option("mode") is None
    seen = []
    with tracing_context(mode="x"):
        thread = threading.Thread(target=lambda: seen.append(tracing_option("mode")))
        thread.start()
        thread.join()
    assert seen == [None]


def test_user_location():
    with context():
        text = str(capture_user_location(1))
    assert "test_ambient.py" in text and "package" not in text

    @dsl_loc_tracing
    def helper(value, *, loc=None):
        return str(loc)

    @dsl_loc_tracing
    def builder():
        return raw_arith.constant(ir.IntegerType.get_signless(32), 1)

    with context():
        assert "test_ambient.py" in helper(1)
        assert "test_ambient.py" in str(builder().owner.location)
    assert helper(1) == "None"


def test_wrap_result():

    @dsl_wrap_result
    def pair(a):
        return a.value, 1.5

    def build(a):
        first, second = pair(a)
        assert type(first) is Int32 and type(second) is Float32

    trace(build, Int32)


# --- printf -------------------------------------------------------------------


def printed(build, *types):
    lines = [line for line in trace(build, *types) if "fly.print" in line]
    assert len(lines) == 1
    return lines[0]


def test_printf_pastes_what_is_known():
    line = printed(lambda x: printf("a={} b={} c={} d={} {}", 1, Float32(0.5), "text", Float32, x), Int32)
    assert line == 'fly.print(%arg0) {format = "a=1 b=0.5 c=text d=Float32 {}"} : (i32) -> ()'
    assert '"t=f32"' in printed(lambda x: printf("t={}", ir.F32Type.get()), Int32)


def test_printf_operands():
    line = printed(lambda x, v: printf("{} {}", x, v), Float32, (Float32, 4))
    assert line == 'fly.print(%arg0, %arg1) {format = "{} {}"} : (f32, vector<4xf32>) -> ()'
    assert 'format = "{}"' in printed(lambda x: printf(x, format_str="{}"), Int32)
    assert 'format = "hello"' in printed(lambda: printf("hello"))


def test_printf_shows_unsigned_values():
    # DIFF: py-printf-unsigned
    lines = trace(lambda u, b, c, w: printf("{} {} {} {}", u, b, c, w), Uint32, Boolean, Uint8, Uint64)
    assert lines[-1].endswith(": (i64, i32, i32, i64) -> ()")
    assert [line.split(" = ")[1].split()[0] for line in lines[:-1]] == ["arith.extui"] * 3


def test_printf_errors():

    def build(x):
        with pytest.raises(ValueError, match="found a tuple of 2 values"):
            printf("{}", (x, x))
        for text in ("{:d}", "{0}", "{:.3f} {}"):
            with pytest.raises(ValueError, match="printf: formats are not supported, found"):
                printf(text, x)
        # DIFF: py-printf-surplus
        with pytest.raises(ValueError, match="found 2 arguments, expected 1, the number of '{}' in '{}'"):
            printf("{}", x, x)
        with pytest.raises(ValueError, match="found 1 arguments, expected 2, the number of '{}' in 'x={} {}'"):
            printf("x={} {}", x)
        with pytest.raises(ValueError, match="holds '{}'"):
            printf("{}", "a{}b")
        with pytest.raises(TypeError, match="cannot print a object"):
            printf("{}", object())
        with pytest.raises(TypeError, match="expected a format string"):
            printf()

    trace(build, Int32)
    assert num.Numeric is not None
