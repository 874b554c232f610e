# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects of the DSL through branches and loops: views, slices, partitions, vectors, layouts, structs."""
import pytest
from support import define

import flydsl.expr as fx
from flydsl._mlir import ir
from flydsl._mlir.dialects import func
from flydsl.compiler.ast_rewriter import ASTRewriter

VECTOR = "!fly.memref<f32, global, 16:1>"
MATRIX = "!fly.memref<f32, global, (16,4):(4,1)>"


def trace(body, types=(VECTOR, VECTOR, "i32")):
    """The text of the module of `f(a, b, n)`, and what it returned."""
    function = ASTRewriter.transform(define("def f(a, b, n):\n" + body + "\n", fx=fx))
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            kinds = [ir.Type.parse(t) for t in types]
            op = func.FuncOp("f", ir.FunctionType.get(kinds, []))
            block = op.add_entry_block()
            with ir.InsertionPoint(block):
                result = function(*[fx.Int32(a) if str(a.type) == "i32" else a for a in block.arguments])
                shown = repr(type(result)), getattr(result, "shape", None) if isinstance(result, fx.Vector) else None
                func.ReturnOp([])
        module.operation.verify()
        return str(module), shown


def test_view_chosen_by_a_branch():
    text, _ = trace("    v = a\n    if n > 3:\n        v = b\n    v[n] = v[n] + 1.0\n    w = a if n > 5 else b\n    w[0] = 1.0")
    assert text.count("-> (!fly.memref<f32, global, 16:1>)") >= 2 and "fly.memref.load(%1" in text


# DIFF: py-carried
def test_stores_carry_nothing():
    text, _ = trace("    for i in range(n):\n        if i > 2:\n            a[i] = b[i]\n        b[i] = 2.0")
    assert "iter_args" not in text and "scf.yield" not in text and text.count("fly.memref.store") == 2


# DIFF: py-boolean-guard
def test_memory_on_the_right_of_and_is_guarded():
    text, _ = trace("    if n < 16 and a[n] > 1.0:\n        b[n] = 2.0")
    guard = text.index("scf.if")
    assert text.index("fly.memref.load") > guard and "arith.andi" not in text


def test_early_return_of_a_lane():
    text, _ = trace("    if n > 15:\n        return\n    a[n] = b[n]\n    if n > 7:\n        return\n    a[0] = 1.0")
    first = text.index("scf.if")
    assert text.index("fly.memref.load") > text.index("else", first) and text.count("scf.if") == 2


def test_slices_in_a_loop():
    text, _ = trace("""
    row = fx.slice(a, (0, None))
    for i in range(n):
        row[i] = 1.0
        row = fx.slice(b, (i, None))
    row[0] = 3.0""", (MATRIX, MATRIX, "i32"))
    assert "iter_args" in text and "-> (!fly.memref<f32, global, 4:1>)" in text


def test_vector_keeps_its_shape():
    _, (_, shape) = trace("    v = fx.Vector.filled((4, 1), 1.0, fx.Float32)\n    for i in range(3):\n        v = v + 1.0\n    return v")
    assert shape == (4, 1)


def test_layouts_and_coordinates():
    text, _ = trace("""
    layout = fx.make_layout((4, n), (n, 1))
    if n > 2:
        layout = fx.make_layout((4, n + 1), (n, 1))
    at = fx.make_coord(n, 3)
    for i in range(n):
        at = fx.make_coord(i, 3)
    return fx.crd2idx(at, layout)""")
    assert "-> (!fly.layout<(4,?):(?,1)>)" in text and "-> (!fly.int_tuple<(?,3)>)" in text


def test_partitions_carry_only_what_changes():
    text, _ = trace("""
    copy = fx.make_tiled_copy(fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32),
                              fx.make_layout(((4, 4), (1, 1)), ((4, 1), (1, 1))), fx.make_tile(4, 4))
    thr = copy.get_slice(n)
    for i in range(n):
        thr.partition_S(a)
        thr = copy.get_slice(i)
    if n > 3:
        thr = copy.get_slice(n + 1)
    part = thr.partition_S(b)""", (MATRIX, MATRIX, "i32"))
    assert text.count("-> (!fly.int_tuple<?>)") == 2


def test_structs():
    source = """
@fx.struct
class S:
    x: fx.Int32
    y: fx.Float32
def f(a, b, n):
    s = S(x=n, y=fx.Float32(1.0))
    for i in range(n):
        s = S(x=s.x + i, y=s.y)
    if n > 3:
        s = s.replace(x=n)
    return s
"""
    function = ASTRewriter.transform(define(source, fx=fx))
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            op = func.FuncOp("f", ir.FunctionType.get([fx.Int32.ir_type], []))
            with ir.InsertionPoint(op.add_entry_block()):
                s = function(None, None, fx.Int32(op.arguments[0]))
                assert type(s).__name__ == "S" and type(s.x) is fx.Int32 and type(s.y) is fx.Float32
                func.ReturnOp([])
        module.operation.verify()
        text = str(module)
    assert text.count("-> (i32)") == 2 and "f32)" not in text.replace(": f32", "")


def test_views_of_two_types_are_refused():
    with pytest.raises(TypeError, match="then-branch: carried variable 'v' does not match the region entry: expected dtype"):
        trace("    v = a\n    if n > 2:\n        v = fx.slice(b, (0, None))\n    v[0] = 1.0", (VECTOR, MATRIX, "i32"))


def test_view_returned_past_other_statements_is_refused():
    with pytest.raises(TypeError, match="`return` under a run-time condition.*return the value in every branch|hint"):
        trace("    if n > 2:\n        if n > 3:\n            return a\n        n = n + 1\n    n = n + 2\n    return b")
