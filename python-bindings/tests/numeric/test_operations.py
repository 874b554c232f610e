# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The IR of run-time numbers, raw values and the flat functions."""
import ml_dtypes
import numpy as np
import pytest
from flydsl._mlir import ir

import flydsl.expr.arith as arith
import flydsl.expr.numeric as num
from flydsl.expr.meta import as_dsl_value, as_ir_value, fastmath
from flydsl.expr.numeric import Boolean, Float16, Float32, Float64, Index, Int8, Int32, Int64, Uint8, Uint32, Uint64
from flydsl.expr.types import T
from flydsl.expr.utils.arith import ArithValue, _to_raw
from flydsl.expr.utils.fold import RangeError
from flydsl.expr.vector import Vector

from tracing import context, ops, trace


def test_operators_of_signed_and_unsigned_integers():
    assert ops(lambda a, b: (a + b, a - b, a * b, a // b, a & b, a | b, a ^ b, a << b, a >> b), Int32, Int32) == [
        "arith.addi", "arith.subi", "arith.muli", "arith.floordivsi", "arith.andi", "arith.ori", "arith.xori", "arith.shli", "arith.shrsi"]
    assert ops(lambda a, b: (a // b, a % b, a >> b), Uint32, Uint32) == ["arith.divui", "arith.remui", "arith.shrui"]
    assert ops(lambda a, b: a**b, Int32, Int32) == ["math.ipowi"]


def test_modulo_has_the_sign_of_the_divisor():
    # DIFF: py-modulo
    assert ops(lambda a, b: a % b, Int32, Int32) == [
        "arith.remsi", "arith.xori", "arith.cmpi slt", "arith.cmpi ne", "arith.andi", "arith.addi", "arith.select"]
    assert ops(lambda a: a % 6, Int32) == ["arith.remsi", "arith.cmpi slt", "arith.addi", "arith.select"]
    assert trace(lambda a: a % 64, Int32) == ["%c63_i32 = arith.constant 63 : i32", "%0 = arith.andi %arg0, %c63_i32 : i32"]
    assert ops(lambda a: (a // -1, a % -1, a % 1), Int32) == ["arith.subi"]  # no division can overflow
    assert trace(lambda a: a // 64, Int32) == ["%c64_i32 = arith.constant 64 : i32", "%0 = arith.floordivsi %arg0, %c64_i32 : i32"]


def test_operators_of_floats():
    assert ops(lambda a, b: (a + b, a - b, a * b, a / b, a**b, -a), Float32, Float32) == [
        "arith.addf", "arith.subf", "arith.mulf", "arith.divf", "math.powf", "arith.negf"]
    assert ops(lambda a, b: a**b, Float32, Int32) == ["math.fpowi"]
    # DIFF: py-known-power
    assert ops(lambda a: (a**2, a**3.0), Float32) == ["arith.mulf"] * 3
    assert ops(lambda a: a**-1, Float32) == ["arith.divf"] and ops(lambda a: a**5, Int32) == ["arith.muli"] * 3
    assert ops(lambda v: v**2, (Float32, 4)) == ["arith.mulf"] and ops(lambda a: a**0.5, Float32) == ["math.powf"]
    with context():
        with pytest.raises(ValueError, match="an integer to the negative power -2 is no integer"):
            Int32(arith.constant(3))**-2
    floor = ops(lambda a, b: a // b, Float32, Float32)
    assert floor[:3] == ["arith.divf", "math.floor", "arith.negf"] and "arith.remf" not in floor
    assert "arith.remf" in ops(lambda a, b: a % b, Float32, Float32)
    assert ops(lambda a, b: a / b, Int32, Int32) == ["arith.sitofp", "arith.sitofp", "arith.divf"]
    assert ops(lambda a, b: a / b, Uint8, Uint8) == ["arith.uitofp", "arith.uitofp", "arith.divf"]


def test_comparisons():
    signed = ops(lambda a, b: (a < b, a <= b, a > b, a >= b, a == b, a != b), Int32, Int32)
    assert signed == [f"arith.cmpi {p}" for p in ("slt", "sle", "sgt", "sge", "eq", "ne")]
    unsigned = ops(lambda a, b: (a < b, a <= b, a > b, a >= b), Uint32, Uint32)
    assert unsigned == [f"arith.cmpi {p}" for p in ("ult", "ule", "ugt", "uge")]
    floats = ops(lambda a, b: (a < b, a <= b, a > b, a >= b, a == b, a != b), Float32, Float32)
    assert floats == [f"arith.cmpf {p}" for p in ("olt", "ole", "ogt", "oge", "oeq", "une")]


def test_casts():
    assert ops(lambda a: (Int64(a), Int8(a), Float32(a), Index(a), Boolean(a)), Int32) == [
        "arith.extsi", "arith.trunci", "arith.sitofp", "arith.index_cast", "arith.cmpi ne"]
    assert ops(lambda a: (Int64(a), Float32(a)), Uint32) == ["arith.extui", "arith.uitofp"]
    assert ops(lambda a: (Int32(a), Float32(a)), Boolean) == ["arith.extui", "arith.uitofp"]
    assert ops(lambda a: (Int32(a), Uint32(a), Float64(a), Float16(a), Boolean(a)), Float32) == [
        "arith.fptosi", "arith.fptoui", "arith.extf", "arith.truncf", "arith.cmpf une"]
    assert ops(lambda a: num.BFloat16(a), Float16) == ["arith.extf", "arith.truncf"]  # equal widths go through f32
    assert ops(lambda a: Int32(a), Index) == ["arith.index_cast"]
    assert ops(lambda a: Uint32(a), Int32) == []


def test_rounding_modes():
    modes = arith.RoundingMode
    for mode in (modes.to_nearest_even, modes.to_nearest_away, modes.downward, modes.upward, modes.toward_zero):
        assert f"arith.truncf %arg0 {mode} : f32 to f16" in trace(lambda a: a.to(Float16, rounding_mode=mode), Float32)[0]
    with context():
        with pytest.raises(ValueError, match="rounding_mode is for a float that becomes a narrower float, found Float32 to Int32"):
            Float32(1.0).to(Int32, rounding_mode=modes.upward)
        with pytest.raises(ValueError, match="run-time"):
            Float32(1.0).to(Float16, rounding_mode=modes.upward)
        with pytest.raises(TypeError, match="must be an fx.RoundingMode, found str"):
            Float32(1.0).to(Float16, rounding_mode="up")


def test_raw_values_have_no_sign():

    def build(i, f):
        with pytest.raises(ValueError, match="a bare i32 value has no sign"):
            Float32(i)
        assert type(as_dsl_value(i)) is Int32 and type(as_dsl_value(f)) is Float32
        assert type(num.as_numeric(i.with_signedness(False))) is Uint32
        Float32(i.with_signedness(False))
        Int64(i), Uint64(i)

    assert ops(build, "i32", "f32") == ["arith.uitofp", "arith.extsi", "arith.extui"]


def test_what_python_needs_concretely():

    def build(i, f, raw):
        with pytest.raises(RuntimeError, match="cannot evaluate dynamic 'Boolean' as Python bool during tracing"):
            bool(i < 3)
        for use in (int, range, [1, 2].__getitem__):
            with pytest.raises(RuntimeError, match="dynamic 'ArithValue' has no Python integer representation"):
                use(i)
            with pytest.raises(RuntimeError, match="dynamic 'ArithValue' has no Python integer representation"):
                use(raw)
        for kind in (int, float, bool):
            with pytest.raises(ValueError, match="dynamic IR value cannot be materialized as <class '"):
                i.to(kind)
        with pytest.raises(RuntimeError, match="has no Python float representation"):
            float(f)
        assert str(i) == "?" and repr(i) == "Int32(<run-time>)" and i.to(ir.Value) is i.value

    trace(build, Int32, Float32, "i32")


def test_select():
    lines = trace(lambda c, a: c.select(a, 2.5), Boolean, Int32)
    assert lines[-1] == "%1 = arith.select %arg0, %0, %cst : f32"
    assert ops(lambda c, a: c.select(a, a), Int32, Int32) == ["arith.cmpi ne", "arith.select"]


def test_logic():
    assert ops(lambda a, b: a.__dsl_and__(b), Boolean, Boolean) == ["arith.andi"]
    assert ops(lambda a, b: a.__dsl_or__(b), Int32, Boolean) == ["arith.cmpi ne", "arith.ori"]
    assert ops(lambda a: a.__dsl_not__(), Boolean) == ["arith.xori"]
    assert ops(lambda a: a.__dsl_not__(), "i1") == ["arith.xori"]


def test_shuffle_and_float_methods():
    assert trace(lambda a: a.shuffle_xor(1, 64), Float32)[-1].endswith("gpu.shuffle  xor %arg0, %c1_i32, %c64_i32 : f32")
    lines = trace(lambda a, b: (a.maximumf(b), a.minimumf(b), a.addf(b, fastmath="fast"), a.exp2(fastmath="afn")), Float32, Float32)
    assert lines == ["%0 = arith.maximumf %arg0, %arg1 : f32", "%1 = arith.minimumf %arg0, %arg1 : f32",
                     "%2 = arith.addf %arg0, %arg1 fastmath<fast> : f32", "%3 = math.exp2 %arg0 fastmath<afn> : f32"]
    assert ops(lambda a: a.shrui(3), Int32) == ["arith.shrui"]
    with pytest.raises(TypeError, match="addf: expected a float operand, found Int32"):
        Int32(1).addf(2)


# --- raw values ---------------------------------------------------------------


def test_operators_of_raw_values():

    def build(a, b, v):
        assert all(type(x) is ArithValue for x in (a, b, v, a + b, a < b, v * 2.0))
        a + 1, 2 - a, a // 3, a >> 1, a.with_signedness(True) >> 1, a < b, v * 2.0

    assert ops(build, "i32", "i32", "vector<4xf32>") == [
        "arith.addi", "arith.cmpi slt", "arith.mulf", "arith.addi", "arith.subi", "arith.floordivsi", "arith.shrui", "arith.shrsi",
        "arith.cmpi slt", "arith.mulf"]


def test_raw_values_do_not_promote():

    def build(i, f, j):
        # DIFF: py-raw-operands
        with pytest.raises(TypeError, match="operands of raw values must have one type, found i32 and f32"):
            i + f
        with pytest.raises(TypeError, match="float literal 1.5"):
            i + 1.5
        with pytest.raises(RangeError, match="outside i32"):
            i + 2**40
        with pytest.raises(TypeError, match="one operand is signed and the other unsigned"):
            i.with_signedness(True) < j.with_signedness(False)
        assert type(i + Int8(1)) is Int32 and type(Float32(1.0) + i) is Float32  # a DSL number promotes

    trace(build, "i32", "f32", "i32")


def test_methods_of_raw_values():
    assert ops(lambda i, f: (i.extsi(T.i64), i.extui(T.i64), i.trunci(T.i8), i.bitcast(T.f32), i.index_cast(T.index), f.extf(T.f64),
                             f.truncf(T.f16), f.rsqrt(), f.exp2(), f.maximumf(f), i.shrui(2)), "i32", "f32") == [
        "arith.extsi", "arith.extui", "arith.trunci", "arith.bitcast", "arith.index_cast", "arith.extf", "arith.truncf", "math.rsqrt",
        "math.exp2", "arith.maximumf", "arith.shrui"]


def test_converters():

    def build(n):
        assert as_ir_value(n) is n.value and as_ir_value(3, keep_static=True) == 3 and as_ir_value(Int8(3), keep_static=True) == 3
        assert [str(as_ir_value(x).type) for x in (True, 1, 2**40, 1.5)] == ["i1", "i32", "i64", "f32"]
        assert type(as_dsl_value(n.value, Uint32(0))) is Uint32
        assert _to_raw(2.0).type == T.f32
        with pytest.raises(TypeError, match="as_ir_value: expected a DSL value, a number or an IR value, found str"):
            as_ir_value("x")

    trace(build, Int32)


# --- fx.arith -----------------------------------------------------------------


def test_raw_builders_take_dsl_values():

    def build(a, b, v):
        assert type(arith.addf(a, b)) is ArithValue and type(arith.addf(v, v)) is ArithValue
        arith.mulf(a, b, fastmath="contract"), arith.addi(Int32(1), arith.index_cast(T.i32, arith.index(4)))
        with pytest.raises(TypeError, match="arith.addf: operands must have one type, found f32 and vector<4xf32>"):
            arith.addf(a, v)

    assert ops(build, Float32, Float32, (Float32, 4))[:3] == ["arith.addf", "arith.addf", "arith.mulf"]


def test_dialect_is_re_exported():
    for name in ("AddFOp", "IndexCastOp", "MulIOp", "TruncIOp", "remui", "subf", "negf", "trunci", "maxsi", "minsi", "_to_raw"):
        assert hasattr(arith, name), name


def test_constants():

    def build():
        types = [str(arith.constant(v).type) for v in (True, 3, 2**40, 1.5)]
        assert types == ["i1", "i32", "i64", "f32"]
        assert str(arith.constant(3, index=True).type) == str(arith.index(3).type) == "index"
        assert str(arith.constant(3, type=T.f16).type) == "f16" and str(arith.constant(1.5, type=Float64).type) == "f64"
        assert str(arith.constant_vector(0.0, T.f32x4).type) == "vector<4xf32>"
        assert str(arith.unwrap(3, type=T.i8).type) == "i8" and str(arith.unwrap(Int64(2)).type) == "i64"
        with pytest.raises(RangeError, match="outside i8"):
            arith.constant(300, type=T.i8)
        with pytest.raises(TypeError, match="arith.constant: expected a number, found str"):
            arith.constant("3")

    trace(build)


def test_select_cmp_and_friends():

    def build(i, f, x):
        arith.select(i < 3, f, 1.0)
        assert type(arith.select(x < 3, x, 4)) is Int32
        arith.cmpi("slt", i, 3), arith.cmpi(arith.CmpIPredicate.eq, x, i), arith.cmpf("ogt", f, 0.0)
        arith.sitofp(T.f32, i), arith.trunc_f(T.f16, f), arith.andi(i, i), arith.xori(i, i), arith.shli(i, i)
        with pytest.raises(ValueError, match="cmpi: unknown predicate 'lt', expected one of eq, ne, slt"):
            arith.cmpi("lt", i, i)
        with pytest.raises(TypeError, match="cmpi: found f32, expected integers"):
            arith.cmpi("slt", f, f)
        with pytest.raises(TypeError, match="one type, found i32 and f32"):
            arith.select(True, i, f)

    assert ops(build, "i32", "f32", Int32) == [
        "arith.cmpi slt", "arith.select", "arith.cmpi slt", "arith.select", "arith.cmpi slt", "arith.cmpi eq", "arith.cmpf ogt",
        "arith.sitofp", "arith.truncf", "arith.andi", "arith.xori", "arith.shli"]


def test_extrema():
    assert ops(lambda a, b, u, f: (arith.max(a, b), arith.min(a, b), arith.max(u, u), arith.max(f, a), arith.min(f, 1.0)),
               Int32, Int32, Uint32, Float32) == [
        "arith.maxsi", "arith.minsi", "arith.maxui", "arith.sitofp", "arith.maximumf", "arith.minimumf"]
    assert arith.max(1, [2, (5, 3)]).value == 5 and type(arith.max(True)) is Int32 and type(arith.max(True, False)) is Int32
    assert ops(lambda v: arith.max(v, 0.0), (Float32, 4)) == ["arith.maximumf"]
    with pytest.raises(TypeError, match="max: found Index"):
        arith.max(Index(3), 1)
    with pytest.raises(TypeError, match="min: found Float8E5M2"):
        arith.min(num.Float8E5M2(1.0))
    with pytest.raises(ValueError, match="max: expected at least one value"):
        arith.max()
    with pytest.raises(TypeError, match="max: expected numbers or vectors, found str"):
        arith.max("a", 1)


def test_report_nan_in_extrema():
    """User report 59. max(NaN, 1) propagates, maxnum does not."""
    nan = Float32(float("nan"))
    assert arith.max(nan, 1.0).value != arith.max(nan, 1.0).value
    assert arith.maxnumf(nan, 1.0).value == 1.0 and arith.minnumf(1.0, nan).value == 1.0
    from tracing import dynamic, folded
    got = folded(lambda: [arith.max(dynamic(nan), 1.0), arith.maxnumf(dynamic(nan), 1.0), arith.maximumf(dynamic(nan), 1.0)])
    assert got[0] != got[0] and got[1] == 1.0 and got[2] != got[2]
    with pytest.raises(TypeError, match="maxnumf: found Int32, expected floats"):
        arith.maxnumf(Int32(1), Int32(2))


def test_ceildiv():
    assert arith.ceildiv(7, 2).value == 4 and arith.ceildiv(-7, 2).value == -3
    assert ops(lambda a, b, u: (arith.ceildiv(a, b), arith.ceildiv(u, 3)), Int32, Int32, Uint32) == ["arith.ceildivsi", "arith.ceildivui"]
    with pytest.raises(ZeroDivisionError):
        arith.ceildiv(7, 0)
    with pytest.raises(TypeError, match="ceildiv requires integer operands, got Float32"):
        arith.ceildiv(7, 2.0)


# --- fast math ----------------------------------------------------------------


def test_fastmath_context():

    def build(a, b):
        with fastmath("fast"):
            a + b
            with fastmath("nnan,ninf"):
                a * b
                a.addf(b, fastmath="contract")
                with fastmath(None):
                    a - b
            arith.addf(a, b)
            a < b
        with fastmath([arith.FastMathFlags.contract, "reassoc"]):
            a / b
        with fastmath(arith.FastMathFlags.contract | arith.FastMathFlags.reassoc):
            -a
        a + b

    assert [line.split(" = ")[1] for line in trace(build, Float32, Float32)] == [
        "arith.addf %arg0, %arg1 fastmath<fast> : f32", "arith.mulf %arg0, %arg1 fastmath<nnan,ninf> : f32",
        "arith.addf %arg0, %arg1 fastmath<contract> : f32", "arith.subf %arg0, %arg1 : f32",
        "arith.addf %arg0, %arg1 fastmath<fast> : f32", "arith.cmpf olt, %arg0, %arg1 fastmath<fast> : f32",
        "arith.divf %arg0, %arg1 fastmath<reassoc,contract> : f32", "arith.negf %arg0 fastmath<reassoc,contract> : f32",
        "arith.addf %arg0, %arg1 : f32"]


def test_fastmath_errors():
    with pytest.raises(ValueError, match="unknown flag 'quick', expected some of none, reassoc"):
        fastmath("quick")
    with pytest.raises(TypeError, match="expected a string, FastMathFlags, or an iterable of these, found float"):
        fastmath(1.5)


# --- T ------------------------------------------------------------------------


def test_types_object():
    with context():
        assert [str(getattr(T, n)) for n in ("index", "i4", "i8", "i16", "i32", "i64", "i128", "f16", "bf16", "f32", "f64")] == [
            "index", "i4", "i8", "i16", "i32", "i64", "i128", "f16", "bf16", "f32", "f64"]
        for name in ("i8x2 i8x4 i8x8 i8x16 i16x2 i16x4 i16x8 i32x2 i32x4 i64x2 f16x2 f16x4 f16x8 bf16x2 bf16x4 bf16x8 f32x2 f32x4").split():
            element, count = name.split("x")
            assert str(getattr(T, name)) == f"vector<{count}x{element}>"
        assert str(T.vec(16, T.f16)) == "vector<16xf16>"


def test_report_operand_errors_name_the_users_types():
    """User report 48. Messages quote the type of the offending argument, not a class of the binding."""
    with pytest.raises(TypeError) as error:
        Int32(1) + "x"
    assert "'str'" in str(error.value) and "Int32" in str(error.value)
    with pytest.raises(TypeError, match="found list"):
        num.convert_literal([1], Int32, "store")
    assert Vector.__name__ == "Vector"


def test_values_do_not_leave_their_trace():
    """A value of a finished trace is an error, not a fault: its memory may be gone."""
    import gc

    # DIFF: py-stale-values
    kept = []
    trace(lambda i, raw, v: kept.extend((i, raw, v, i < 3)), Int32, "i32", (Float32, 4))
    gc.collect()
    number, raw, vector, condition = kept
    assert repr(raw) == "ArithValue(of another trace)" and repr(number) == "Int32(<run-time>)" and "Float32" in repr(vector)
    with context():
        for use in (lambda: number + 1, lambda: 1 + number, lambda: -number, lambda: Float32(number), lambda: number.ir_value(),
                    lambda: raw + 1, lambda: Int32(raw), lambda: vector + 1.0, lambda: vector[0], lambda: vector.reduce("add"), lambda: -vector,
                    lambda: Int32(3) * number, lambda: as_ir_value(raw), lambda: condition.select(1, 2), lambda: number < 3,
                    lambda: vector.to(Int32), lambda: arith.addi(raw, raw), lambda: -raw, lambda: raw.extsi(T.i64)):
            with pytest.raises(RuntimeError, match="a value of another trace was used"):
                use()


def test_wrong_values_are_named():
    for value in (None, 3, "x"):
        with pytest.raises(TypeError, match=f"ArithValue: expected an IR value, got {type(value).__name__}"):
            ArithValue(value)
    with pytest.raises(TypeError, match=r"as_dsl_value: the exemplar is a DSL value, got the class Uint32; Uint32\(value\) makes one of it"):
        as_dsl_value(3, Uint32)


NUMPY_SCALARS = [np.float32(2), np.float64(2), np.float16(2), np.int32(2), np.uint8(2), np.array(2.0), ml_dtypes.bfloat16(2)]


@pytest.mark.parametrize("number", NUMPY_SCALARS, ids=lambda number: f"{number.dtype}{number.ndim}{type(number).__name__}")
def test_numpy_scalars_beside_raw_values(number):
    """They are literals, as Python's numbers are, and NumPy takes no vector apart."""

    def build(literal):
        return lambda v, s: (v * literal, literal * v, literal - v, v < literal, s + literal, literal / s, divmod(v, literal))

    assert trace(build(number), "vector<4xf32>", "f32") == trace(build(2.0), "vector<4xf32>", "f32")

    def check(v, s, w):
        for result in (number * v, v * number, v < number, number * s):
            assert type(result) is ArithValue and result.type in (v.type, s.type, (v < 2.0).type)
        assert isinstance(number * w, Vector) and isinstance(w * number, Vector)

    trace(check, "vector<4xf32>", "f32", (Float32, 4))


def test_numpy_arrays_beside_raw_values():

    def check(v, s, w):
        for value in (v, s, w):
            for array in (np.ones(4, np.float32), np.ones((2, 2), object)):
                for multiply in (lambda: value * array, lambda: array * value):
                    with pytest.raises(TypeError, match="unsupported operand|does not support ufuncs"):
                        multiply()

    trace(check, "vector<4xf32>", "f32", (Float32, 4))


def test_bits_of_raw_integers_beside_numpy_scalars():
    assert ops(lambda v: (v & np.int32(3), np.int64(1) << v, v >> np.uint8(1), ~v), "vector<4xi32>") == ops(
        lambda v: (v & 3, 1 << v, v >> 1, ~v), "vector<4xi32>")
    with pytest.raises(TypeError, match="float literal"):
        ops(lambda v: v & np.float32(3), "vector<4xi32>")
