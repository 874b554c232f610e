# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Static, run-time and vector operators give one result: thousands of random cases, folded by MLIR."""
import math
import operator
import random

import pytest

import flydsl.expr.numeric as num
from flydsl.expr.numeric import Boolean, Float32, Int32, Numeric
from flydsl.expr.vector import Vector

from tracing import context, dynamic, dynamic_vector, folded, ops, same

INTS = [getattr(num, n) for n in ("Int8", "Int16", "Int32", "Int64", "Uint8", "Uint16", "Uint32", "Uint64")]
FLOATS = [getattr(num, n) for n in ("Float16", "BFloat16", "Float32", "Float64")]
ARITHMETIC = ["add", "sub", "mul", "floordiv", "mod", "truediv"]
BITWISE = ["and_", "or_", "xor"]
COMPARE = ["eq", "ne", "lt", "le", "gt", "ge"]


def number(rng, cls):
    if cls is Boolean:
        return Boolean(rng.random() < 0.5)
    if cls.is_float:
        return cls(rng.choice([rng.uniform(-8, 8), float(rng.randint(-20, 20)), math.ldexp(rng.uniform(-1, 1), rng.randint(-8, 8)),
                               0.0, -0.0]))
    if rng.random() < 0.4:
        return cls(rng.randint(-5, 5))
    return cls(rng.choice([rng.getrandbits(cls.width), -1, 1, (1 << cls.width - 1) - 1, 1 << cls.width - 1]))


def static(op, a, b):
    """The static result, or None where Python raises."""
    try:
        return getattr(operator, op)(a, b)
    except (ZeroDivisionError, OverflowError):
        return None


def overflows(op, a, b, result):
    """Whether the division instruction overflows, which no run-time value stands for."""
    cls = type(result)
    return op in ("floordiv", "mod") and cls.is_integer and cls.signed and cls(b).value == -1 \
        and cls(a).value == -(1 << cls.width - 1)


# MLIR does not fold a narrowing that loses digits, as of integers on their way through f32 to bf16: test_conversions runs those.
def check(cases, build, may_stay=0.04):
    """Compares `build(op, a, b)` of each case, folded, with the static result; MLIR may leave a part unfolded."""
    got = folded(lambda: [build(op, a, b) for op, a, b, _ in cases])
    unfolded = 0
    for (op, a, b, want), value in zip(cases, got):
        if value is None:
            unfolded += 1
            continue
        for item in value if isinstance(value, list) else [value]:
            assert same(item, want.value), (op, a, b, want, item)
    assert unfolded <= len(cases) * may_stay, f"{unfolded} of {len(cases)} did not fold"


def random_cases(seed, classes, operators, count):
    rng = random.Random(seed)
    cases = []
    while len(cases) < count:
        op = rng.choice(operators)
        a, b = number(rng, rng.choice(classes)), number(rng, rng.choice(classes))
        want = static(op, a, b)
        if want is not None and not overflows(op, a, b, want):
            cases.append((op, a, b, want))
    return cases


def typed(result, want):
    assert type(result) is type(want), (type(result), type(want))
    return result


@pytest.mark.parametrize("operators", [ARITHMETIC, BITWISE, COMPARE], ids=["arithmetic", "bitwise", "compare"])
def test_integers(operators):
    cases = random_cases(1, INTS + [Boolean], operators, 3000)
    check(cases, lambda op, a, b: getattr(operator, op)(dynamic(a), dynamic(b)))


@pytest.mark.parametrize("operators", [ARITHMETIC, COMPARE], ids=["arithmetic", "compare"])
def test_floats(operators):
    cases = random_cases(2, FLOATS, operators, 3000)
    # MLIR does not fold the fused multiplication of `//`: see test_float_floor_division.
    check(cases, lambda op, a, b: getattr(operator, op)(dynamic(a), dynamic(b)), 0.1)


def evaluate(operations, values):
    """Runs f64 operations on Python floats; `values`: the function's arguments, keyed by the hash of the IR value."""
    from fractions import Fraction
    compare = {1: operator.eq, 2: operator.gt, 4: operator.lt, 6: lambda a, b: a == a and b == b and a != b}
    simple = {"arith.addf": operator.add, "arith.subf": operator.sub, "arith.negf": operator.neg, "arith.andi": operator.and_,
              "arith.xori": operator.xor, "arith.select": lambda c, a, b: a if c else b}

    def divf(a, b):
        return a / b if b else math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)

    def fma(a, b, c):
        if all(map(math.isfinite, (a, b, c))):
            return float(Fraction(a) * Fraction(b) + Fraction(c))
        return a * b + c

    for op in operations:
        operands = [values[hash(o)] for o in op.operands]
        if op.name == "arith.constant":
            result = op.attributes["value"].value
        elif op.name == "arith.cmpf":
            result = compare[op.attributes["predicate"].value](*operands)
        elif op.name == "math.floor":
            result = operands[0]
            if math.isfinite(result):
                result = float(math.floor(result)) or math.copysign(0.0, result)
        else:
            result = {**simple, "arith.divf": divf, "math.fma": fma}[op.name](*operands)
        values[hash(op.results[0])] = result
    return result


@pytest.mark.parametrize("known", [True, False])
def test_float_floor_division(known):
    """The run-time form of `//` is Python's, where Python has a result."""
    from flydsl._mlir import ir
    from flydsl._mlir.dialects import func
    rng = random.Random(16)
    for i in range(400):
        b = rng.choice([0.1, -0.3, 0.7, rng.uniform(-3, 3), math.inf, -math.inf, 1e300])
        a = rng.choice([rng.uniform(-9, 9), b * rng.randint(-9, 9), 0.0, math.inf, 1e-300, -1e-300])
        if a != a:
            continue
        with context():
            f64 = num.Float64.ir_type
            function = func.FuncOp("f", ([f64, f64], []))
            block = function.add_entry_block()
            with ir.InsertionPoint(block):
                x, y = (num.Float64(v) for v in block.arguments)
                x // (num.Float64(b) if known else y)
            got = evaluate([op.operation for op in block.operations], dict(zip(map(hash, block.arguments), (a, b))))
        want = a // b
        assert same(got, want) or (math.isinf(got) and got == a / b), (a, b, got, want)
        # The sign of a zero, too; of one that only the step down from a rounded quotient gives, C's sum decides.
        assert got or want or math.copysign(1.0, got) == math.copysign(1.0, want), (a, b, got, want)


@pytest.mark.parametrize("a,b", [(0.0, -2.5), (-0.0, 2.5), (0.0, 2.5), (-0.0, -2.5), (1.0, math.inf), (-0.0, math.inf)])
def test_static_float_floor_division_keeps_the_sign_of_zero(a, b):
    got = (num.Float32(a) // num.Float32(b)).value
    assert (got, math.copysign(1.0, got)) == (a // b, math.copysign(1.0, a // b))


def test_integers_with_floats():
    check(random_cases(3, INTS + FLOATS + [Boolean], ARITHMETIC + COMPARE, 3000),
          lambda op, a, b: getattr(operator, op)(dynamic(a), dynamic(b)))


def test_known_right_operand():
    """A divisor or literal known while tracing takes shorter ways, to the same result."""
    check(random_cases(4, INTS + FLOATS, ARITHMETIC + COMPARE, 3000), lambda op, a, b: getattr(operator, op)(dynamic(a), b))


def test_known_left_operand():
    check(random_cases(5, INTS + FLOATS, ARITHMETIC + COMPARE, 2000), lambda op, a, b: getattr(operator, op)(a, dynamic(b)))


def test_powers_of_two():
    rng = random.Random(6)
    cases = []
    for _ in range(1000):
        cls = rng.choice(INTS)
        a, b = number(rng, cls), cls(1 << rng.randrange(cls.width))
        for op in ("floordiv", "mod"):
            want = static(op, a, b)
            if want is not None and not overflows(op, a, b, want):
                cases.append((op, a, b, want))
    check(cases, lambda op, a, b: getattr(operator, op)(dynamic(a), b))
    check(cases, lambda op, a, b: getattr(operator, op)(dynamic(a), dynamic(b)))


def test_vectors():
    """One-element vectors and scalars with vectors: the result and the class of the scalars."""
    cases = random_cases(7, INTS + FLOATS + [Boolean], ARITHMETIC + COMPARE, 2000)

    def wide(op, a, b):
        result = getattr(operator, op)(dynamic_vector([a] * 2, type(a)), dynamic_vector([b] * 2, type(b)))
        assert result.dtype is type(static(op, a, b))
        return result

    # MLIR folds some operations of scalars only: those are covered by the next test.
    check(cases, wide, 0.5)
    check(cases, lambda op, a, b: getattr(operator, op)(dynamic_vector([a] * 3, type(a)), b), 0.5)
    check(cases, lambda op, a, b: getattr(operator, op)(dynamic(a), dynamic_vector([b] * 3, type(b))), 0.5)


def test_vectors_take_the_operations_of_scalars():
    everything = [getattr(operator, op) for op in ARITHMETIC + COMPARE]
    for a in INTS + FLOATS + [Boolean]:
        for b in (num.Uint32, num.Int64, num.Float16, Boolean):
            scalar = ops(lambda x, y: [f(x, y) for f in everything], a, b)
            assert ops(lambda x, y: [f(x, y) for f in everything], (a, 4), (b, 4)) == scalar, (a, b)
            known = b(3)
            assert ops(lambda x: [f(x, known) for f in everything], (a, 4)) == ops(lambda x: [f(x, known) for f in everything], a), (a, b)


def test_known_powers():
    rng = random.Random(15)
    cases = []
    while len(cases) < 600:
        a, n = number(rng, rng.choice(INTS + FLOATS)), rng.randint(0, 12)
        if type(a).is_float and rng.random() < 0.3:
            n = -n
        try:
            want = a**n
        except ZeroDivisionError:
            continue
        cases.append(("pow", a, n, want))
    check(cases, lambda _, a, n: dynamic(a)**n, 0.05)
    check(cases, lambda _, a, n: dynamic_vector([a] * 2, type(a))**n, 0.05)


@pytest.mark.parametrize("known", [True, False])
def test_shifts(known):
    rng = random.Random(8)
    cases = []
    for _ in range(1500):
        cls = rng.choice(INTS)
        a = number(rng, cls)
        count = num.Int32(rng.randrange(cls.width))
        op = rng.choice(["lshift", "rshift"])
        cases.append((op, a, count, getattr(operator, op)(a, count)))
    check(cases, lambda op, a, b: getattr(operator, op)(dynamic(a), b if known else dynamic(b)))
    check(cases, lambda op, a, b: getattr(operator, op)(dynamic_vector([a] * 2, type(a)), b if known else dynamic(b)))


def test_casts():
    rng = random.Random(9)
    classes = INTS + FLOATS + [Boolean, num.Index] + [getattr(num, n) for n in (
        "Float8E5M2", "Float8E4M3FN", "Float8E4M3FNUZ", "Float8E4M3B11FNUZ", "Float8E4M3", "Float6E2M3FN", "Float6E3M2FN",
        "Float4E2M1FN", "Int4", "Int128", "Uint128")]
    cases = []
    while len(cases) < 3000:
        a, to = number(rng, rng.choice(classes)), rng.choice(classes)
        if type(a).is_integer and to.is_float and to.width < 16 and abs(a.value) > 1e6:
            continue  # MLIR folds what such a format cannot hold to an infinity, which it has not
        try:
            cases.append(("cast", a, to, to(a)))
        except (OverflowError, ValueError):
            continue
    check(cases, lambda _, a, to: to(dynamic(a)), 0.1)
    check(cases, lambda _, a, to: dynamic_vector([a] * 2, type(a)).to(to), 0.2)


def test_unary():
    rng = random.Random(10)
    cases = []
    for _ in range(1000):
        cls = rng.choice(INTS + FLOATS)
        a = number(rng, cls)
        for op in ("neg", "abs", "invert"):
            if op == "invert" and cls.is_float:
                continue
            cases.append((op, a, None, getattr(operator, op)(a)))
    check(cases, lambda op, a, _: getattr(operator, op)(dynamic(a)))
    check(cases, lambda op, a, _: getattr(operator, op)(dynamic_vector([a], type(a))))


def test_rounding():
    cases = []
    for value in (0.5, 1.5, 2.5, -0.5, -1.5, 2.4999, 7.0, -3.75):
        for op in (round, math.floor, math.ceil, math.trunc):
            cases.append((op, Float32(value), None, op(Float32(value))))
    check(cases, lambda op, a, _: op(dynamic(a)))


def test_bitcasts():
    rng = random.Random(11)
    groups = [("Int8", "Uint8"), ("Int16", "Uint16", "Float16", "BFloat16"), ("Int32", "Uint32", "Float32"), ("Int64", "Float64")]
    cases = []
    for _ in range(800):
        group = rng.choice(groups)
        a, to = number(rng, getattr(num, rng.choice(group))), getattr(num, rng.choice(group))
        want = a.bitcast(to)
        if want.value == want.value:
            cases.append(("bitcast", a, to, want))
    check(cases, lambda _, a, to: dynamic(a).bitcast(to))


def test_extrema():
    from flydsl.expr import arith
    rng = random.Random(12)
    nan = float("nan")
    cases = []
    for _ in range(1500):
        a, b = number(rng, rng.choice(INTS + FLOATS + [Boolean])), number(rng, rng.choice(INTS + FLOATS + [Boolean]))
        if rng.random() < 0.1 and type(a).is_float:
            a = type(a)(nan)
        op = rng.choice(["max", "min"])
        cases.append((op, a, b, getattr(arith, op)(a, b)))
    check(cases, lambda op, a, b: getattr(arith, op)(dynamic(a), dynamic(b)))
    check(cases, lambda op, a, b: getattr(arith, op)(dynamic_vector([a], type(a)), b))


def test_ceildiv():
    from flydsl.expr import arith
    rng = random.Random(13)
    cases = []
    while len(cases) < 1500:
        a, b = number(rng, rng.choice(INTS)), number(rng, rng.choice(INTS))
        try:
            want = arith.ceildiv(a, b)
        except ZeroDivisionError:
            continue
        if not overflows("floordiv", a, b, want):
            cases.append(("ceildiv", a, b, want))
    check(cases, lambda _, a, b: arith.ceildiv(dynamic(a), dynamic(b)), 0.1)


def test_raw_values_follow_the_same_rules():
    """`ArithValue` of a known sign: the operators of the class of that sign."""
    rng = random.Random(14)
    cases = []
    while len(cases) < 1500:
        cls = rng.choice(INTS + FLOATS)
        a, b, op = number(rng, cls), number(rng, cls), rng.choice(ARITHMETIC[:-1] + COMPARE)
        want = static(op, a, b)
        if want is not None and not overflows(op, a, b, want):
            cases.append((op, a, b, want))

    def raw(op, a, b):
        lhs, rhs = (n.ir_value().with_signedness(type(n).signed) for n in (a, b))
        return type(static(op, a, b))(getattr(operator, op)(lhs, rhs))

    check(cases, raw)


def test_report_wrap_around():
    """User report 56."""
    a, b = num.Uint32(0xFFFFFFF0), num.Uint32(0x20)
    assert (a + b).value == 0x10
    assert folded(lambda: [dynamic(a) + dynamic(b), dynamic(a) + b]) == [0x10, 0x10]


def test_report_promotion_of_scalars_and_vectors():
    """User report 57. 12 x 12 pairs of types, scalar against one-element vector."""
    classes = INTS[:4] + INTS[4:7] + FLOATS + [Boolean]
    assert len(classes) == 12

    def build():
        for x in classes:
            for y in classes:
                for op in ARITHMETIC + COMPARE:
                    a, b = dynamic(x(1)), dynamic(y(1))
                    v, w = dynamic_vector([1], x), dynamic_vector([1], y)
                    wanted = getattr(operator, op)(a, b).dtype
                    assert getattr(operator, op)(v, w).dtype is wanted
                    assert getattr(operator, op)(v, b).dtype is wanted and getattr(operator, op)(a, w).dtype is wanted
        return []

    folded(build)


def test_unsigned_power():
    """An exponent with the top bit set is not negative."""
    # DIFF: py-unsigned-power
    names = ops(lambda a, b: a**b, num.Uint32, num.Uint32)
    assert names == ["arith.andi", "arith.ori", "arith.cmpi slt", "arith.select", "math.ipowi"]
    rng = random.Random(17)
    for width in (8, 16, 32, 64):
        for _ in range(200):
            base, exponent = rng.getrandbits(width), rng.getrandbits(width) | 1 << width - 1
            smaller = exponent & (1 << width - 2) - 1 | 1 << width - 2
            assert pow(base, smaller, 1 << width) == pow(base, exponent, 1 << width)
