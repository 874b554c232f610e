# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What cannot be traced is refused at its line, with what was found and a hint."""
import traceback

import pytest
from support import Traced, define
from test_control_flow import trace

from flydsl.compiler.ast_rewriter import ASTRewriter, SourceNotAvailableError, UnsupportedSyntaxError


# body of f(n, m), line of the error (1 is the `def`), its type, and a part of its text
REFUSED = {
    "int_then_float": ("""
    acc = Int32(0)
    for i in range(n):
        acc = acc + 1.5
    return acc""", 3, TypeError, "for-body: carried variable 'acc' does not match the region entry: expected dtype "
                       r"\[IntegerType\(i32\)\], produced \[F32Type\(f32\)\]"),
    "literal_then_float": ("""
    acc = 0
    for i in range(n):
        acc = acc + 1.5
    return acc""", 3, TypeError, r"start the variable as `fx.Float32\(...\)`"),
    "int_literal_for_a_float": ("""
    x = Float32(1.5)
    if n > 0:
        x = 0
    return x""", 3, TypeError, r"then-branch: carried variable 'x' does not match the region entry.*(\n.*)?fx.Float32\(0\)"),
    "else_side": ("""
    x = Int32(1)
    if n > 0:
        pass
    else:
        x = Int64(m)
    return x""", 3, TypeError, "else-branch: carried variable 'x' does not match the region entry"),
    "both_sides": ("""
    if n > 0:
        x = Int32(n)
    else:
        x = Int64(m)
    return x""", 2, TypeError, "else-branch: carried variable 'x' does not match the then-branch"),
    "while_body": ("""
    x = Int32(1)
    while x < n:
        x = Int64(x)
    return x""", 3, TypeError, "while-body: carried variable 'x' does not match the region entry"),
    "none": ("""
    x = None
    if n > 0:
        x = n
    return x""", 3, TypeError, "'x' is None.*None cannot be yielded.*(\n.*)?fx.Int32\\(0\\)"),
    "none_in_a_loop": ("""
    x = None
    for i in range(n):
        if x is None:
            x = i
    return x""", 3, TypeError, "'x' is None.*None cannot be yielded"),
    "one_branch": ("""
    if n > 0:
        v = n
    return v""", 4, NameError, "name 'v' is not defined: it is assigned only in one branch of the run-time condition in line 2"),
    "only_in_the_loop": ("""
    for i in range(n):
        v = i
    return v""", 4, NameError, "name 'v' is not defined: the loop in line 2 assigns it, and may end without"),
    "loop_variable": ("""
    for i in range(n):
        pass
    return i""", 4, NameError, "name 'i' is not defined: the loop in line 2"),
    "after_a_break": ("""
    for k in range(3):
        if k == n:
            break
        v = k
    return v""", 6, NameError, "name 'v' is not defined"),
    "list_grows": ("""
    a = [n]
    if n > 0:
        a.append(n)
    return a""", 3, TypeError, "carried variable 'a' changed container shape"),
    "list_grows_in_a_loop": ("""
    a = []
    for i in range(n):
        a.append(i)
    return a""", 3, TypeError, "carried variable 'a' changed container shape"),
    "text": ("""
    kind = "a"
    if n > 0:
        kind = "b"
    return kind""", 3, TypeError, "expected str 'a', produced str 'b'"),
    "functions": ("""
    if n > 0:
        g = lambda: 1
    else:
        g = lambda: 2
    return g()""", 2, TypeError, "carried variable 'g'.*const_expr"),
    "value_on_some_paths": ("""
    if n > 0:
        return n
    m = m + 1""", 2, TypeError, "returns a value on some paths only"),
    "returns_of_two_types": ("""
    if n > 0:
        return 1
    return 2.5""", 2, TypeError, "values that the function returns differ in type"),
    "float_bound": ("""
    x = Float32(n)
    for i in range(x):
        pass""", 3, TypeError, "for-loop stop must be i32, got f32"),
    "float_constant_bound": ("""
    for i in range(0, 2.5):
        pass""", 2, TypeError, "for-loop stop must be i32, got 2.5"),
    "zero_step": ("""
    for i in range(0, n, 0):
        pass""", 2, ValueError, "range\\(\\) arg 3 must not be zero"),
    "run_time_unroll": ("""
    for i in range(0, 4, unroll=n):
        pass""", 2, TypeError, "unroll must be a compile-time int"),
    # DIFF: py-static-while
    "endless": ("""
    while True:
        n = n + 1
    return n""", 2, TypeError, "would never end"),
    "comprehension_range": ("""
    return [i for i in range(n)]""", 2, RuntimeError, "no Python integer representation"),
    "comprehension_condition": ("""
    return [i for i in range(3) if i < n]""", 2, TypeError, "condition of a comprehension"),
    "const_expr": ("""
    if const_expr(n > 2):
        pass""", 2, RuntimeError, "cannot evaluate dynamic 'Boolean' as Python bool"),
    "match_sequence": ("""
    match n:
        case [a, b]:
            return 1
    return 2""", 2, TypeError, "match: the subject is a run-time value"),
    "init_loop_without_yield": ("""
    for i, s in range(0, n, 1, init=[m]):
        pass""", 2, TypeError, "must end with `yield"),
    # DIFF: py-init-loop
    "init_loop_leaks": ("""
    for i, s in range(0, n, 1, init=[m]):
        v = i
        yield [s[0]]
    return v""", 5, NameError, "name 'v' is not defined: it is assigned in the `range\\(..., init=\\)` loop in line 2"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_at_its_line(name):
    body, line, kind, text = REFUSED[name]
    with pytest.raises(kind, match="(?s)" + text) as caught:
        trace(body.lstrip("\n"))
    frames = [f for f in traceback.extract_tb(caught.value.__traceback__) if "fly-ast-" in f.filename]
    assert frames[-1].lineno == line, frames


DECORATION = {
    "generator": ("    yield n", 2, "generator"),
    "yield_from": ("    yield from [n]", 2, "yield from"),
    "async_for": ("    async def g():\n        pass", 2, "async def"),
    "break_of_init": ("    for i, s in range(0, n, 1, init=[m]):\n        if n > 2:\n            break\n        yield [s]", 4,
                      "`break` in a `range"),
    "return_in_init": ("    for i, s in range(0, n, 1, init=[m]):\n        return 1", 3, "`return` in a `range"),
    "finally": ("    try:\n        pass\n    finally:\n        if n > 2:\n            return 1", 6, "finally"),
    "keyword": ("    for i in range(0, n, stride=2):\n        pass", 2, "no keyword 'stride'"),
}


@pytest.mark.parametrize("name", DECORATION)
def test_refused_at_decoration(name):
    body, line, text = DECORATION[name]
    function = define("def f(n, m):\n" + body + "\n")
    with pytest.raises(UnsupportedSyntaxError, match=text) as caught:
        ASTRewriter.transform(function)
    error = caught.value
    assert error.lineno == line and error.filename == function.__code__.co_filename
    shown = "".join(traceback.format_exception_only(type(error), error))
    assert f'File "{error.filename}", line {line}' in shown and "^" in shown


def test_loop_over_a_tuple_of_names():
    function = define("def f(n, m):\n    for i, j in range(n):\n        pass\n")
    with pytest.raises(TypeError, match="only supports a single loop variable.*line 2"):
        ASTRewriter.transform(function)


def test_lambda_and_objects():
    with pytest.raises(UnsupportedSyntaxError, match="lambda"):
        ASTRewriter.transform(lambda n: n)
    with pytest.raises(TypeError, match="plain Python function"):
        ASTRewriter.transform(print)


def test_async_function():
    async def f(n):
        return n

    with pytest.raises(UnsupportedSyntaxError, match="async def"):
        ASTRewriter.transform(f)


# DIFF: py-source
def test_source_not_available():
    names = {}
    exec("def f(n):\n    if n > 1:\n        return 1\n    return 2\n", names)
    with pytest.raises(SourceNotAvailableError, match="source not available for function 'f'"):
        ASTRewriter.transform(names["f"])


def test_changed_file(tmp_path):
    import importlib.util
    path = tmp_path / "changing.py"
    path.write_text("def f(n):\n    return n\n")
    spec = importlib.util.spec_from_file_location("changing", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path.write_text("x = 1\ny = 2\n\n\ndef g(a, b):\n    return a\n")
    with pytest.raises(SourceNotAvailableError, match="was the file changed"):
        ASTRewriter.transform(module.f)


def helper_of_python(n):
    if n > 3:
        return 1
    return 2


def test_helper_gets_a_hint():
    with pytest.raises(RuntimeError, match="cannot evaluate dynamic 'Boolean'") as caught:
        trace("    return helper(n)", helper=helper_of_python)
    hint = "\n".join(getattr(caught.value, "__notes__", [])) or str(caught.value)
    assert "function 'helper_of_python'" in hint and "ASTRewriter.transform" in hint


def test_interpreter_goes_on_after_an_error():
    for _ in range(3):
        with pytest.raises(TypeError):
            trace("    a = [n]\n    for i in range(n):\n        while i < m:\n            i += 1\n            a.append(i)\n    return a")
    assert Traced(define("def f(n):\n    return n + 1\n"))(1) == 2




DEEP = {
    "sum": ("def f(n):\n    x = n\n    x = x" + " + 1" * 800 + "\n    return x\n", 3, "80[0-9]"),
    "elif": ("def f(n):\n    x = n\n    y = n\n    if n == 0:\n        x = n\n"
             + "".join(f"    elif n == {i}:\n        x = n + {i}\n" for i in range(1, 400)) + "    return x\n", 4, "40[0-9]"),
}


@pytest.mark.parametrize("case", DEEP)
def test_text_that_nests_too_deep(case):
    source, line, depth = DEEP[case]
    function = define(source)
    with pytest.raises(UnsupportedSyntaxError, match=f"'f' nests {depth} deep here, more than Python's recursion limit") as info:
        ASTRewriter.transform(function)
    assert info.value.lineno == line and info.value.filename == function.__code__.co_filename
    assert "hint: take an expression apart" in str(info.value)


def test_deep_callers_are_not_blamed_on_the_text():
    function = define("def f(n):\n    return n if n > 0 else -n\n")

    def deeper():
        try:
            deeper()
        except RecursionError:
            # Fails as it began while there is no room, and works as soon as enough callers are gone.
            ASTRewriter.transform(function)

    deeper()
    assert ASTRewriter.is_rewritten(function.__code__)
