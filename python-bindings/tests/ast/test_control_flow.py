# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python means what it says: each function gives the same results and effects traced and as plain Python."""
import pytest
from support import AssertionFailed, Traced, define, emit, read
from test_random_programs import python_result

from flydsl.compiler.ast_rewriter import ASTRewriter
from flydsl.expr.numeric import Float16, Float32, Int32, Int64, Uint32

VALUES = [(0, 0), (1, 2), (2, 1), (3, 3), (5, 2), (7, 9), (-2, 3), (4, -1)]

AS_PYTHON = {
    # DIFF: py-first-assignment
    "if_else_first_assignment": """
        if n > m:
            v = n
        else:
            v = m
        return v""",
    "elif_chain": """
        if n == 0:
            v = 10
        elif n == 1:
            v = 20
        elif n > m:
            v = 30
        else:
            v = 40
        return v""",
    # DIFF: py-early-exit
    "early_return": """
        if n > 3:
            return n
        emit(n)
        return m""",
    "early_return_without_value": """
        if n > 3:
            return
        emit(n)
        if m > 2:
            return
        emit(m)""",
    "partial_return": """
        if n > 1:
            if m > 1:
                return 100
            x = n
        else:
            x = m
        emit(x)
        return x""",
    "return_containers": """
        if n > m:
            return [n, (m, 1)]
        return [m, (n, 2)]""",
    "return_in_loop": """
        for i in range(n):
            if i == m:
                return i * 100
            emit(i)
        return -1""",
    "return_in_while_true": """
        while True:
            n = n + 1
            if n > m:
                return n
            emit(n)""",
    "nested_helper_with_returns": """
        def clamp(v):
            if v < 0:
                return 0
            if v > 3:
                return 3
            return v
        return clamp(n) * 10 + clamp(m)""",
    "break_continue": """
        total = 0
        for i in range(n):
            if i == 1:
                continue
            if i > m:
                break
            total += i
        return total""",
    "break_of_the_inner_loop": """
        total = 0
        for i in range(n):
            for j in range(m):
                if j > i:
                    break
                total += 10 * i + j
            else:
                total += 1000
        return total""",
    # DIFF: py-loop-else
    "for_else": """
        for i in range(n):
            if i == m:
                break
        else:
            emit(77)
        emit(1)
        return n""",
    "while_else": """
        i = 0
        while i < n:
            if i == m:
                break
            i += 1
        else:
            i += 100
        return i""",
    "else_of_an_unrolled_loop": """
        for x in (1, 2, 3):
            if x == n:
                break
            if x == m:
                continue
            emit(x)
        else:
            return 77
        return x""",
    # DIFF: py-range-step
    "negative_step": """
        for i in range(n, m, -1):
            emit(i)
        for i in range(5, -1, -2):
            emit(i)
        return n""",
    "run_time_step": """
        step = n - m
        if step == 0:
            step = 1
        for i in range(0, n, step):
            emit(i)
        return step""",
    "range_of_two": """
        for i in range(m, n):
            emit(i)
        return n""",
    "starred_range": """
        bounds = (m, n, 2)
        for i in range(*bounds):
            emit(i)
        return n""",
    "loop_variable_afterwards": """
        i = 99
        for i in range(n):
            pass
        for k in range(3):
            pass
        return i + k""",
    "loop_variable_reassigned": """
        for i in range(n):
            emit(i)
            i = i + 10
            emit(i)
        return n""",
    # DIFF: py-branch-types
    "temporaries_of_other_types": """
        t = "text"
        for i in range(n):
            t = i
            emit(t)
        for i in range(m):
            t = (i, i + 1)
            emit(t[1])
        return n""",
    "carried_and_swapped": """
        a, b = n, m
        for i in range(4):
            a, b = b, a + b
        return a, b""",
    # DIFF: py-nonlocal
    "closure_assigned_in_a_branch": """
        total = n
        def add(v):
            nonlocal total
            total = total + v
            return total
        if m > 1:
            add(5)
        for i in range(n):
            add(i)
        return total + add(1)""",
    "closure_reads_the_branch": """
        x = n
        def show():
            return x
        if m > 1:
            x = 40
            emit(show())
        emit(show())
        return show()""",
    "lambda_reads_the_branch": """
        x = n
        show = lambda: x
        if m > 1:
            x = 40
        return show()""",
    # DIFF: py-containers-in-place
    "list_items": """
        a = [n, 0, m]
        b = a
        if n > m:
            a[1] = 5
        for i in range(m):
            a[0] = a[0] + i
        return a, b""",
    "list_rebound": """
        a = [n, m]
        b = a
        for i in range(3):
            a = [a[1], a[0] + 1]
        return a, b""",
    "list_of_sixteen_in_a_branch": """
        a = [i for i in range(16)]
        if n > m:
            for k in (0, 5, 15):
                a[k] = n + k
        return a""",
    "nested_containers": """
        state = {"a": [n, m], "b": (n, {"c": 1})}
        for i in range(n):
            state["a"][0] = state["a"][0] + i
        if n > 2:
            state["b"] = (m, {"c": 7})
        return state""",
    "changed_by_a_helper": """
        acc = [0, 0]
        def update(v):
            acc[0] = acc[0] + v
            acc[1] = v
        for i in range(n):
            update(i)
        return acc""",
    "namespace": """
        from types import SimpleNamespace
        s = SimpleNamespace(x=n, y=[m], name="k", size=4)
        for i in range(n):
            s.x = s.x + i
            if i > m:
                s.y[0] = i
        emit(s.size)
        return s.x, s.y""",
    # DIFF: py-boolean-value
    "and_or_values": """
        return n or 5, n and 7, (n and m) or 3, not n""",
    "and_evaluates_once": """
        if read(n) > 1 and read(m) > 1:
            emit(1)
        if read(n) > 1 or read(m) > 1:
            emit(2)
        return n""",
    "guarded_division": """
        if n != 0 and m // n > 0:
            return 1
        return 0""",
    "chained_comparison": """
        if 0 < read(n) < read(m) < 8:
            emit(1)
        return 0 <= n < m""",
    "ternary": """
        return (n if n > m else m), (read(n) if n > m else read(m))""",
    "nested_ternary": """
        return 1 if (n > 0 if m > 0 else n < 0) else 0""",
    "ternary_of_containers": """
        a = [n, m] if n > m else [m, 5]
        return a""",
    "while_with_walrus": """
        while (x := read(n - 1)) > m:
            n = x
        return x, n""",
    "walrus_in_a_test": """
        if (x := n + m) > 3 and (y := x * 2) > 7:
            emit(y)
        return x""",
    # DIFF: py-match
    "match_values": """
        match n:
            case 0:
                v = 1
            case 1 | 2:
                v = 2
            case x if x > m:
                v = x
            case _:
                v = m
        return v""",
    "match_returns": """
        match n:
            case 0:
                return 1
            case 5:
                return 2
        return 3""",
    "try_finally": """
        try:
            if n > 3:
                return 1
            x = 2
        finally:
            emit(9)
        emit(x)
        return x""",
    "with_statement": """
        with open("/dev/null"):
            if n > m:
                return n
            n += 1
        return n""",
    "del_and_annotations": """
        x: int = n
        y = 3
        if m > 2:
            x: int = 4
        del y
        return x""",
    "const_expr_branches": """
        if const_expr(True):
            v = n
        else:
            return 5
        for k in (1, 2, 3):
            if const_expr(k == 2):
                continue
            if n == k:
                break
            emit(k)
        return v""",
    "static_branches": """
        kind = "wide"
        if kind == "wide" and n > 2:
            emit(1)
        if kind == "narrow":
            return "never"
        flag = None
        if flag is None:
            emit(2)
        return n""",
    "lambda_with_condition": """
        pick = lambda v: v + 1 if v > 2 else v - 1
        return [pick(v) for v in (n, m)]""",
    "break_in_while_condition": """
        i = 0
        while i < 10 and read(i) < n:
            i += 1
            if i == m:
                break
        return i""",
    "continue_keeps_the_counter": """
        i = 0
        total = 0
        while i < n:
            i += 1
            if i == m:
                continue
            total += i
        return total, i""",
    "deep_nest": """
        total = 0
        for i in range(n):
            j = 0
            while j < m:
                j += 1
                if (i + j) % 2 == 0:
                    continue
                for k in range(j):
                    if k > i:
                        break
                    if k + j == 9:
                        return total
                    total += k + 1
        return total""",
}


def as_source(body):
    return "def f(n, m):\n" + body + "\n"


@pytest.mark.parametrize("name", AS_PYTHON)
def test_as_python(name):
    source = as_source(AS_PYTHON[name].replace("\n        ", "\n    "))

    def const_expr(value):
        return value

    helpers = dict(emit=emit, read=read, const_expr=const_expr)
    plain, traced = define(source, **helpers), Traced(define(source, **helpers))
    for arguments in VALUES:
        if (0 in arguments and "run_time_step" in name) or (name == "return_in_while_true" and arguments[0] > 50):
            continue
        want, log = python_result(plain, arguments)
        assert (traced(*arguments), traced.log) == (want, log), f"{arguments}\n{traced.text}"


def trace(body, types=None, **names):
    source = as_source(body) if types is None else "def f(" + ", ".join("nmk"[:len(types)]) + "):\n" + body + "\n"
    names = {"emit": emit, "read": read, "Int32": Int32, "Int64": Int64, "Float32": Float32, "Float16": Float16,
             "Uint32": Uint32, **names}
    return Traced(define(source, **names), types=types)


# Shapes of the IR -------------------------------------------------------------------------------------------------------


def test_constant_bounds_stay_a_loop_over_i32():
    text = trace("    for i in range(4):\n        emit(i)").text
    assert "scf.for %arg2 = %c0_i32 to %c4_i32 step %c1_i32  : i32 {" in text


def test_accumulator_is_the_only_iter_arg():
    text = trace("""
    acc = Int32(0)
    t = Int32(0)
    for i in range(n):
        t = i + 1
        acc = acc + t
    return acc""").text
    assert "iter_args(%arg3 = %c0_i32_0) -> (i32)  : i32" in text or text.count("iter_args(") == 1 and "-> (i32)  : i32" in text


def test_static_condition_leaves_no_branch():
    text = trace("    if 3 > 2:\n        emit(n)\n    x = n if True else m\n    return x").text
    assert "scf.if" not in text


def test_branch_without_results_has_no_else():
    text = trace("    if n > m:\n        emit(n)").text
    assert "scf.if" in text and "else" not in text and "->" not in text.split("scf.if")[1].split("{")[0]


def test_same_value_on_both_sides_stays_static():
    traced = trace("    kind = 'a'\n    if n > m:\n        size = 4\n    else:\n        size = 4\n        kind = 'a'\n    return size, kind")
    assert traced.result == (4, "a") and "scf.if" not in traced.text


def test_simple_and_is_an_andi():
    text = trace("    if n > 0 and m > 0:\n        emit(n)").text
    assert "arith.andi" in text and text.count("scf.if") == 1 and text.count("arith.cmpi") == 2


# DIFF: py-boolean-once
def test_each_operand_is_traced_once():
    text = trace("    return n > 0 and m > 0, 0 <= n < m").text
    assert text.count("arith.cmpi") == 4


@pytest.mark.parametrize("hint, text", [("unroll=4", "count = 4 : i32"), ("unroll=1", "disable = true"),
                                        ("unroll_full=True", "full = true")])
def test_unroll_hints(hint, text):
    traced = trace(f"    for i in range(0, n, 1, {hint}):\n        emit(i)")
    assert "loop_annotation" in traced.text and f"#llvm.loop_unroll<{text}>" in traced.text
    assert "loop_annotation" not in trace("    for i in range(n):\n        emit(i)").text


def test_unroll_hint_reaches_llvm():
    # User report 60.
    from flydsl._mlir.passmanager import PassManager
    traced = trace("    for i in range(n, unroll=4):\n        emit(i)")
    with traced.context:
        PassManager.parse("builtin.module(convert-scf-to-cf,convert-cf-to-llvm)").run(traced.module.operation)
        lines = str(traced.module).splitlines()
    assert any("llvm.br" in line and "loop_annotation" in line for line in lines)


@pytest.mark.parametrize("bound", [0, 1, 7])
def test_run_time_bound(bound):
    traced = trace("    s = 0\n    for i in range(n):\n        s += i\n    return s")
    assert traced(bound, 0) == {0: 0, 1: 0, 7: 21}[bound]


# DIFF: py-range-width
def test_wide_bounds_take_a_wide_loop_variable():
    traced = trace("    s = Int64(0)\n    for i in range(n):\n        s = s + i\n    return s", types=[Int64])
    assert ": i64 {" in traced.text and traced(5) == 10
    assert ": i64 {" in trace("    for i in range(1 << 40, (1 << 40) + n):\n        emit(n)").text


def test_narrow_and_unsigned_bounds_are_i32():
    traced = trace("    for i in range(n):\n        emit(i)", types=[Uint32])
    assert "  : i32 {" in traced.text


def test_positive_run_time_step_stays_a_plain_loop():
    from flydsl._mlir.dialects import arith, gpu

    def width():
        from flydsl._mlir import ir
        size = gpu.BlockDimOp(gpu.Dimension.x).result
        return Int32(arith.IndexCastOp(ir.IntegerType.get_signless(32), size).result)

    text = trace("    for i in range(n, m, width() * 4):\n        emit(i)", width=width).text
    assert "scf.for %arg2 = %arg0 to %arg1 step" in text and "divui" not in text


def test_explicit_loop():
    traced = trace("""
    for i, state in range(0, n, 1, init=[Int32(1), Int32(2)]):
        a, b = Int32(state[0]), Int32(state[1])
        r = yield [a + b, a]
    one = Int32(0)
    for i, (c,) in range(0, m, 1, init=[one]):
        s = yield [Int32(c) + 2]
    return Int32(r[0]), Int32(r[1]), Int32(s)""")
    assert "scf.for" in traced.text and "step %c1 iter_args" in traced.text
    assert traced(0, 0) == (1, 2, 0) and traced(3, 4) == (7, 4, 8)


# DIFF: py-device-assert
def test_assert_on_the_device():
    traced = trace("    assert n > 3, 'too small'\n    assert m > 0\n    assert True\n    return n")
    assert traced(4, 1) == 4
    with pytest.raises(AssertionFailed, match="too small"):
        traced(3, 1)
    with pytest.raises(AssertionFailed, match="m > 0"):
        traced(4, 0)


def test_assert_inside_a_branch_belongs_to_the_branch():
    traced = trace("    if n > 3:\n        assert m > 0, 'bad'\n    return n")
    assert traced(1, 0) == 1
    with pytest.raises(AssertionFailed):
        traced(4, 0)


def test_static_assert_fails_while_tracing():
    with pytest.raises(AssertionError, match="wrong"):
        trace("    assert 1 > 2, 'wrong'")
    with pytest.raises(AssertionError, match="1 > 2"):
        trace("    assert 1 > 2")


def test_print_at_trace_time(capsys):
    trace("    print('size', 3, sep='=')\n    print(f'{4:03d}|{\"x\"!r}')")
    assert capsys.readouterr().out == "size=3\n004|'x'\n"


# DIFF: py-device-print
# DIFF: py-print-newline
def test_print_on_the_device(monkeypatch):
    from flydsl.compiler.ast_rewriter import boolean
    from flydsl.expr import printing
    calls = []
    monkeypatch.setattr(boolean, "_kernel_runs", lambda: True)
    monkeypatch.setattr(printing, "printf", lambda *a: calls.append(a))
    trace("    print('n', n, m, sep=', ')\n    print(f'<{n}> {5:02d}')")
    (first, second) = calls
    assert "".join(["?" if not isinstance(a, str) else a for a in first[1:]]) == "n, ?, ?"
    assert first[0].count("{}") == len(first) - 1
    assert [a if isinstance(a, str) else "?" for a in second[1:]] == ["<", "?", "> ", "05"]
    with pytest.raises(TypeError, match="no conversion and no format"):
        trace("    print(f'{n:04d}')")
    for end in ("''", "';'"):
        with pytest.raises(ValueError, match="found end=.*the device ends each line itself"):
            trace(f"    print(n, end={end})")


# DIFF: py-literal-carry
def test_literals_take_the_class_of_the_variable():
    traced = trace("""
    x = Float16(1.0)
    y = Int64(3)
    if n > m:
        x = 2.5
        y = 7
    return x, y""")
    assert traced(1, 0) == (2.5, 7) and traced(0, 1) == (1.0, 3)
    assert "f16" in traced.text


def test_methods_and_objects():
    class Counter:
        __hidden = 5

        def __init__(self):
            self.total, self.block = 0, 256

        def add(self, v):
            if v > 1:
                self.total = self.total + v * self.__hidden
            return self

    ASTRewriter.transform(Counter.add)
    traced = trace("    c = Counter()\n    for i in range(n):\n        c.add(i)\n    return c.total, c.block", Counter=Counter)
    assert traced(4, 0) == (25, 256)


def test_objects_with_slots():
    class Point:
        __slots__ = ("x", "name")

        def __init__(self, x):
            self.x, self.name = x, "p"

    traced = trace("    p = q = Point(n)\n    if n > m:\n        p.x = m\n    else:\n        p.x = p.x + 1\n    return q.x, p.name",
                   Point=Point)
    assert traced(5, 2) == (2, "p") and traced(1, 2) == (2, "p")


def test_arrays_of_plain_data():
    import collections

    import numpy as np
    for made, change in ((np.zeros(4), "t[1] = 5"), (bytearray(4), "t[1] = 5"), (collections.deque([1]), "t.append(2)")):
        traced = trace(f"    t = make()\n    if n > m:\n        emit(n)\n    {change}\n    return n", make=lambda: made.copy())
        assert traced(3, 1) == 3
        with pytest.raises(TypeError, match="then-branch: carried variable 't' is a .*cannot depend on a run-time condition"):
            trace(f"    t = make()\n    if n > m:\n        {change}\n    return n", make=lambda: made.copy())
        with pytest.raises(TypeError, match="for-body: carried variable 't'"):
            trace(f"    t = make()\n    for i in range(n):\n        {change}\n    return n", make=lambda: made.copy())


def test_super_in_a_branch():
    class Base:
        def value(self):
            return 7

    class Derived(Base):
        def value(self, n=None):
            if n > 3:
                r = super().value()
            else:
                r = 1
            return r

    ASTRewriter.transform(Derived.value)
    traced = trace("    return Derived().value(n)", Derived=Derived)
    assert traced(5, 0) == 7 and traced(1, 0) == 1


def test_global_of_the_module():
    source = "counter = 0\ndef f(n, m):\n    global counter\n    counter = n\n    if n > m:\n        counter = m\n    return counter\n"
    traced = Traced(define(source))
    assert traced(3, 1) == 1 and traced(1, 3) == 1


def test_traced_closure_of_an_outer_function():
    source = """
def build(k):
    def combine(a, b):
        if a > b:
            return a * k
        return b
    def f(n, m):
        return combine(n, m) + k
    return combine, f
"""
    source += "combine, f = build(10)\n"
    function = define(source)
    ASTRewriter.transform(function.__globals__["combine"])
    traced = Traced(function)
    assert traced(3, 1) == 40 and traced(1, 3) == 13
