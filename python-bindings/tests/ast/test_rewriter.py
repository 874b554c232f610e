# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rewriter itself: in place, at the user's lines, step by step, closures kept."""
import ast
import inspect
import traceback
import types

import numpy as np
import pytest
from support import Traced, define, emit

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl._mlir import ir
from flydsl._mlir.dialects import arith
from flydsl.compiler.ast_rewriter import ASTRewriter, FallbackLocations, Transformer
from flydsl.expr.numeric import Int32


def test_in_place_and_once():
    function = define("def f(n, m=3, *, k: 'int' = 4):\n    'Text.'\n    if n > m:\n        return k\n    return n\n")
    before = function.__code__
    assert ASTRewriter.transform(function) is function
    after = function.__code__
    assert after is not before and ASTRewriter.is_rewritten(after)
    assert ASTRewriter.transform(function).__code__ is after
    assert function.__doc__ == "Text." and function.__defaults__ == (3,) and function.__kwdefaults__ == {"k": 4}
    assert (after.co_name, after.co_firstlineno, after.co_filename) == (before.co_name, before.co_firstlineno, before.co_filename)
    assert inspect.getsource(function).startswith("def f(")
    assert function(5) == 4 and function(1) == 1


def test_helpers_are_in_the_globals():
    function = define("def f(n):\n    for i in range(n):\n        if i > 1:\n            pass\n    return n\n")
    ASTRewriter.transform(function)
    for name in ("dsl_and_", "dsl_or_", "dsl_not_", "const_expr", "scf_if_dispatch", "scf_ifexp_dispatch", "scf_range",
                 "scf_if_collect_results", "scf_for_dispatch", "scf_for_collect_results", "scf_yield_",
                 "scf_while_dispatch", "scf_while_collect_results", "_flydsl_loc"):
        assert callable(function.__globals__[name])


def test_dispatch_is_looked_up_by_name():
    function = define("def f(kind):\n    if kind == 'f32':\n        out = 1\n    else:\n        out = 2\n    return out\n")
    ASTRewriter.transform(function)
    original, calls = function.__globals__["scf_if_dispatch"], []
    function.__globals__["scf_if_dispatch"] = lambda *a, **k: (calls.append(a[0]), original(*a, **k))[1]
    assert (function("f32"), function("bf16")) == (1, 2) and calls == [True, False]


def test_names_of_the_module_win():
    function = define("def const_expr(x):\n    return not x\ndef f(n):\n    if const_expr(True):\n        return 1\n    return 2\n")
    assert ASTRewriter.transform(function)(0) == 2


def test_another_range():
    function = define("def range(n):\n    return ['a', 'b']\ndef f(n):\n    r = []\n    for x in range(n):\n        r.append(x)\n    return r\n")
    assert ASTRewriter.transform(function)(Int32(3)) == ["a", "b"]


def test_closures_keep_their_cells():
    def make(size, unused):
        def f(n):
            if False:
                return unused
            return n + size

        return f

    function = make(10, 20)
    ASTRewriter.transform(function)
    assert function.__code__.co_freevars == ("size", "unused") and function(1) == 11


def test_one_text_for_many_closures():
    def make(size):
        def f(n):
            if n > size:
                return size
            return n

        return f

    first, second = ASTRewriter.transform(make(3)), ASTRewriter.transform(make(5))
    assert first.__code__ is second.__code__ and (first(9), second(9)) == (3, 5)


def test_inner_function_with_its_own_decoration():
    def f(n):
        @ASTRewriter.transform
        def inner(v):
            if v > 3:
                return 1
            return 2
        return inner(n)

    traced = Traced(f)
    assert traced(4) == 1 and traced(2) == 2


def test_multi_line_strings_are_not_dedented():
    class Holder:
        def f(self, n):
            text = """a
            b"""
            if n > 1:
                emit(n)
            return text

    function = ASTRewriter.transform(Holder.f)
    assert function(None, 0) == "a\n            b"


def test_future_annotations():
    function = define("from __future__ import annotations\ndef f(n: Missing) -> Missing:\n    def g(v: Missing):\n        return v\n    return g(n)\n")
    assert ASTRewriter.transform(function)(3) == 3


# Places -----------------------------------------------------------------------------------------------------------------


def locations(function, *classes, tracking=True):
    """(line, column, name) of the operations that a function makes."""
    function = ASTRewriter.transform(function)
    with ir.Context(), ir.Location.file("launcher.py", 10000, 0):
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            function.__globals__["I32"] = ir.IntegerType.get_signless(32)
            function()
            found = []

            def visit(op):
                found.append((str(op.location), op.name))
                return ir.WalkResult.ADVANCE

            module.operation.walk(visit)
            return found


BARE = """def f():
    a = arith.ConstantOp(I32, 1)
    b = (
        arith.ConstantOp(I32, 2)
    )
    if True:
        c = arith.ConstantOp(I32, 3)
    for i in range(2):
        d = arith.ConstantOp(I32, 4)
    x = (a and
         arith.ConstantOp(I32, 5))
    return a, b, x
"""


def test_operations_have_the_line_that_makes_them():
    function = define(BARE, arith=arith)
    name = function.__code__.co_filename
    found = locations(function)
    for line, column in ((2, 8), (4, 8), (7, 12), (9, 12), (11, 9)):
        assert any(f'{name}":{line}:{column}' in place for place, _ in found), (line, found)
    loop = next(place for place, op in found if op == "scf.for")
    assert ":8:" in loop and not any("10000" in place for place, op in found if op != "builtin.module")


def test_explicit_location_wins():
    function = define("def f():\n    loc = ir.Location.file('other.py', 42, 0)\n    return arith.ConstantOp(I32, 1, loc=loc)\n", arith=arith, ir=ir)
    assert any("other.py" in place and ":42:" in place for place, _ in locations(function))


def test_location_helper():
    helper = FallbackLocations.rewrite_globals()["_flydsl_loc"]
    with ir.Context(), ir.Location.unknown():
        with helper("f.py", 7, 3):
            assert "f.py" in str(ir.Location.current) and ":7:3" in str(ir.Location.current)


def test_tracebacks_show_the_users_function():
    source = """def f(n):
    for i in range(3):
        if n > i:
            while n > 5:
                n = n + [
                    1, 2][5]
    return n
"""
    with pytest.raises(IndexError) as caught:
        Traced(define(source))
    frames = [f for f in traceback.extract_tb(caught.value.__traceback__) if "fly-ast-" in f.filename]
    assert [f.lineno for f in frames] == [2, 3, 4, 5] and {f.name for f in frames} == {"f"}
    assert (frames[-1].colno, frames[0].colno) == (24, 4)


# Steps ------------------------------------------------------------------------------------------------------------------


def test_diff_of_each_step(monkeypatch, capsys):
    monkeypatch.setenv("FLYDSL_DEBUG_AST_DIFF", "1")
    ASTRewriter.transform(define("def f(n):\n    if n > 3 and n < 9:\n        return 1\n    return 2\n"))
    text = capsys.readouterr().err
    for step in ("LowerExits", "RewriteExpressions", "RewriteControlFlow"):
        assert f"--- f before {step}" in text and f"+++ f after {step}" in text
    assert "+    scf_if_dispatch(dsl_and_(n > 3, lambda: n < 9, test=True)" in text.replace("        ", "    ")


def test_registered_step():
    class Seven(Transformer):
        def visit_Constant(self, node):
            return ast.copy_location(ast.Constant(value=7), node) if node.value == 6 else node

        @classmethod
        def rewrite_globals(cls):
            return {"seven_helper": 77}

    ASTRewriter.register(Seven)
    try:
        function = ASTRewriter.transform(define("def f(n):\n    return n + 6 + seven_helper\n"))
        assert function(1) == 85
    finally:
        ASTRewriter._registered.remove(Seven)
        ASTRewriter._cache.clear()
    with pytest.raises(TypeError, match="ast.NodeTransformer"):
        ASTRewriter.register(print)


def test_plain_function_with_copied_globals():
    def f(x):
        return Int32(0) <= x < Int32(8)

    copy = types.FunctionType(f.__code__, dict(f.__globals__), f.__name__)
    traced = Traced(copy)
    assert traced.text.count("arith.cmpi") == 2 and "arith.andi" in traced.text
    assert traced(3) is True and traced(9) is False


@flyc.kernel
def names_itself(out: fx.Tensor):
    if fx.thread_idx.x < 2:
        out[fx.thread_idx.x] = len(names_itself.__name__)


@flyc.jit
def calls_itself(out: fx.Tensor, n: fx.Constexpr[int]):
    if fx.const_expr(n > 0):
        calls_itself(out, n - 1)
    names_itself(out).launch(grid=1, block=4)


class NamesItself:

    @flyc.jit
    def run(self, out: fx.Tensor):
        names_itself(out).launch(grid=len(NamesItself.__name__), block=4)


def test_definitions_may_use_their_own_name(chip):
    for call in (lambda out: calls_itself(out, 2), lambda out: NamesItself().run(out)):
        out = np.zeros(4, np.int32)
        call(out)
        assert out.tolist() == [12, 12, 0, 0]
