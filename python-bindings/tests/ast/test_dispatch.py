# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The dispatch functions called by hand, with names and values, in a bare `func.func`."""
import contextlib
from types import SimpleNamespace

import pytest

from flydsl._mlir import ir
from flydsl._mlir.dialects import arith, func, scf
from flydsl.compiler.ast_rewriter import (CanonicalizeWhile, InsertEmptyYieldForSCFFor, ReplaceIfWithDispatch,
                                          _collect_assigned_vars)
from flydsl.expr.numeric import Boolean, Float16, Float32, Int32, Int64

if_dispatch = ReplaceIfWithDispatch.scf_if_dispatch
ifexp_dispatch = ReplaceIfWithDispatch.scf_ifexp_dispatch
for_dispatch = InsertEmptyYieldForSCFFor.scf_for_dispatch
while_dispatch = CanonicalizeWhile.scf_while_dispatch


class Body:
    """The arguments and, afterwards, the text of a function."""


@contextlib.contextmanager
def function(*classes):
    """A `func.func` with arguments of the classes; its body is the `with` block."""
    body = Body()
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            op = func.FuncOp("f", ir.FunctionType.get([c.ir_type for c in classes], []))
            block = op.add_entry_block()
        with ir.InsertionPoint(block):
            body.arguments = [c(v) for c, v in zip(classes, block.arguments)]
            body.raw = list(block.arguments)
            yield body
            func.ReturnOp([])
        module.operation.verify()
        body.text = str(module)


def i32(value):
    return Int32(arith.ConstantOp(Int32.ir_type, value).result)


def i64(value):
    return Int64(arith.ConstantOp(Int64.ir_type, value).result)


def test_static_condition_runs_one_side():
    with function() as body:
        given = dict(result_names=("x",), result_values=(Int32(1),))
        taken = if_dispatch(True, lambda names, x: {"x": Int32(42)}, lambda names, x: {"x": Int32(99)}, **given)
        other = if_dispatch(False, lambda names, x: {"x": Int32(42)}, lambda names, x: {"x": Int32(99)}, **given)
        assert (taken.value, other.value) == (42, 99)
        assert if_dispatch(False, lambda names, x: {"x": 5}, None, **given).value == 1
    assert "scf.if" not in body.text


def test_dynamic_condition_builds_a_branch():
    with function(Boolean) as body:
        out = if_dispatch(body.raw[0], lambda names, x: {"x": i32(42)}, lambda names, x: {"x": i32(99)},
                          result_names=("x",), result_values=(i32(1),))
        assert type(out) is Int32
    assert "scf.if" in body.text and "-> (i32)" in body.text


def test_older_keywords():
    with function(Boolean) as body:
        out = if_dispatch(body.raw[0], lambda x: {"x": i32(42)}, lambda x: {"x": i32(99)}, state_names=("x",),
                          state_values=(i32(1),))
        assert type(out) is Int32


def test_numbers_are_promoted():
    with function(Boolean) as body:
        out = if_dispatch(body.raw[0], lambda names, x: {"x": 7}, lambda names, x: {"x": i32(3).value},
                          result_names=("x",), result_values=(i32(1),))
        assert type(out) is Int32


def test_branches_of_two_types():
    with pytest.raises(TypeError, match="carried variable 'x'.*type mismatch"), function(Boolean) as body:
        if_dispatch(body.raw[0], lambda names, x: {"x": i32(1)}, lambda names, x: {"x": i64(3)}, result_names=("x",),
                    result_values=(i32(1),))


@pytest.mark.parametrize("make, count", [
    (lambda k: [i32(k), i32(k + 1)], 2),
    (lambda k: (i32(k), i32(k)), 2),
    (lambda k: {"a": i32(k), "b": i32(k)}, 2),
    (lambda k: SimpleNamespace(x=i32(k), y=[i32(k), (i32(k), i32(k))]), 4),
    (lambda k: [{"a": (i32(k), i32(k))}, [i32(k)]], 3),
])
def test_containers(make, count):
    with function(Boolean) as body:
        out = if_dispatch(body.raw[0], lambda names, v: {"v": make(10)}, lambda names, v: {"v": make(20)},
                          result_names=("v",), result_values=(make(0),))
        assert type(out) is type(make(0))
    assert "-> (" + ", ".join(["i32"] * count) + ")" in body.text


def test_containers_keep_their_shape():
    with pytest.raises(TypeError, match="changed container shape"), function(Boolean) as body:
        if_dispatch(body.raw[0], lambda names, v: {"v": [i32(1)]}, lambda names, v: {"v": [i32(1), i32(2)]},
                    result_names=("v",), result_values=([i32(1), i32(2)],))
    with pytest.raises(TypeError, match=r"carried variable 'v\[0\]'.*type mismatch"), function(Boolean) as body:
        if_dispatch(body.raw[0], lambda names, v: {"v": [i64(1)]}, lambda names, v: {"v": [i32(1)]}, result_names=("v",),
                    result_values=([i32(1)],))
    with pytest.raises(TypeError, match=r"d\['a'\]"), function(Boolean) as body:
        if_dispatch(body.raw[0], lambda names, d: {"d": {"a": Float32(1.0)}}, None, result_names=("d",),
                    result_values=({"a": i32(1)},))
    with pytest.raises(TypeError, match=r"ns\.x"), function(Boolean) as body:
        if_dispatch(body.raw[0], lambda names, ns: {"ns": SimpleNamespace(x=i64(1))}, None, result_names=("ns",),
                    result_values=(SimpleNamespace(x=i32(1)),))


@pytest.mark.parametrize("cls", [Int32, Float32, Float16, Boolean])
def test_ternary(cls):
    with function(Boolean, cls, cls) as body:
        cond, a, b = body.arguments
        assert type(ifexp_dispatch(cond, lambda: a, lambda: b)) is cls
        assert ifexp_dispatch(True, lambda: a, lambda: b) is a
    assert body.text.count("scf.if") == 1


def test_ternary_of_two_types():
    with pytest.raises(TypeError, match="dynamic ifexp.*type mismatch"), function(Boolean) as body:
        ifexp_dispatch(body.raw[0], lambda: i32(1), lambda: i64(2))


def test_for_with_one_value():
    with function() as body:
        seen = []

        def run(iv, names, acc):
            seen.append((type(iv), names))
            return {"acc": acc + i32(1)}

        out = for_dispatch(0, 4, 1, run, result_names=("acc",), result_values=(i32(0),))
        assert type(out) is Int32 and seen == [(Int32, ("acc",))]
    assert "scf.for" in body.text and "-> (i32)" in body.text


def test_for_with_two_values_and_none():
    with function() as body:
        out = for_dispatch(0, 8, 2, lambda iv, names, a, b: {"a": a + i32(1), "b": b - i32(1)}, result_names=("a", "b"),
                           result_values=(i32(0), i32(100)))
        assert isinstance(out, tuple) and len(out) == 2
        assert for_dispatch(0, 4, 1, lambda iv, names: None, result_names=(), result_values=()) is None
    assert "-> (i32, i32)" in body.text


def test_for_refuses_none_and_other_types():
    with pytest.raises(TypeError, match="'x' is None.*None cannot be yielded"), function():
        for_dispatch(0, 4, 1, lambda iv, names, x: {"x": i32(1)}, result_names=("x",), result_values=(None,))
    with pytest.raises(TypeError, match=(
            r"for-body: carried variable 'x' does not match the region entry: "
            r"expected dtype \[IntegerType\(i32\)\], produced \[IntegerType\(i64\)\]")), function():
        for_dispatch(0, 4, 1, lambda iv, names, x: {"x": i64(1).value}, result_names=("x",), result_values=(i32(1),))


def test_unroll_keywords():
    def build(**hints):
        with function() as body:
            for_dispatch(0, 8, 1, lambda iv, names, a: {"a": a + i32(1)}, result_names=("a",), result_values=(i32(0),), **hints)
        return body.text

    assert "llvm.loop_unroll<count = 4 : i32>" in build(unroll=4)
    assert "disable = true" in build(unroll=1)
    assert "llvm.loop_unroll<full = true>" in build(unroll_full=True)
    with pytest.raises(ValueError, match="mutually exclusive"):
        build(unroll=4, unroll_full=True)
    with pytest.raises(TypeError, match="unroll"):
        build(unroll="4")
    with pytest.raises(ValueError, match="at least 1"):
        build(unroll=0)


def test_explicit_range():
    with function() as body:
        for _, state in InsertEmptyYieldForSCFFor.scf_range(0, 8, 1, init=[i32(0).ir_value()], unroll_full=True):
            scf.YieldOp(list(state))
    assert "full = true" in body.text and "iter_args" in body.text


def test_explicit_range_needs_its_yield():
    with pytest.raises(TypeError, match="must end with `yield"), function():
        for _ in InsertEmptyYieldForSCFFor.scf_range(0, 8, 1, init=[i32(0)]):
            pass


def test_while():
    with function(Int32) as body:
        out = while_dispatch(lambda names, acc, n: n > i32(0), lambda names, acc, n: {"acc": acc + n, "n": n // i32(2)},
                             result_names=("acc", "n"), result_values=(i32(0), body.arguments[0]))
        assert isinstance(out, tuple) and len(out) == 2
    assert "scf.while" in body.text and "scf.condition" in body.text and "-> (i32, i32)" in body.text


def test_while_without_values():
    with function(Boolean) as body:
        while_dispatch(lambda names: body.raw[0], lambda names: None, result_names=(), result_values=())
    assert "scf.while" in body.text


def test_static_while_is_run_by_python():
    with function() as body:
        counter = [3]

        def test(names, acc):
            counter[0] -= 1
            return counter[0] >= 0

        while_dispatch(test, lambda names, acc: {"acc": acc + i32(1)}, result_names=("acc",), result_values=(i32(0),))
        assert counter == [-1]
    assert "scf.while" not in body.text and body.text.count("arith.addi") == 3


def test_while_refuses_none():
    with pytest.raises(TypeError, match="None"), function(Boolean) as body:
        while_dispatch(lambda names, x: body.raw[0], lambda names, x: {"x": x}, result_names=("x",), result_values=(None,))


def test_collect_assigned_vars():
    import ast
    source = """
x: int = 1
for i in range(4):
    y = i
with ctx() as w:
    z = w
try:
    a, (b, c) = foo()
except Exception as e:
    err = e
if (n := foo()):
    d += 1
"""
    names = ["x", "i", "y", "w", "z", "a", "b", "c", "e", "err", "n", "d"]
    found = _collect_assigned_vars(ast.parse(source).body, [set(names[:6]), set(names[6:])])
    assert found == [n for n in names if n != "e"]
    assert _collect_assigned_vars(ast.parse("q = 1\nr = 2").body, [{"r"}]) == ["r"]
