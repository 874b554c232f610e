# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Int tuples, and the structural functions."""
import pytest

from flydsl._mlir import ir
from flydsl._mlir.dialects import arith
import flydsl.expr as fx
from layout_support import Trace, layout, trace  # noqa: F401


def test_leaves(trace):
    n, wide = trace.int32(), trace.int64()
    assert str(fx.make_int_tuple(4)) == "4"
    assert str(fx.make_int_tuple((4, (n, None), wide))) == "(4,(?,*),?{i64})"
    assert str(fx.make_int_tuple([2, [3, 4]])) == "(2,(3,4))"
    assert str(fx.make_int_tuple(fx.Int32(7))) == "7"
    assert str(fx.make_int_tuple(True)) == "1"
    assert str(fx.make_shape(4)) == "(4)" and str(fx.make_stride(1, 2)) == "(1,2)" and str(fx.make_coord(None, n)) == "(*,?)"
    assert trace.ops()[-3:] == ["fly.make_shape", "fly.make_stride", "fly.make_coord"]


@pytest.mark.parametrize("kind, cast, text", [
    ("i8", "arith.extsi", "?"), ("i16", "arith.extsi", "?"), ("i1", "arith.extui", "?"), ("i32", None, "?"), ("i64", None, "?{i64}"),
    ("index", "arith.index_cast", "?{i64}")
])
def test_run_time_integers_are_widened(trace, kind, cast, text):
    found = fx.make_int_tuple(trace.argument(kind))
    assert str(found) == text
    assert trace.ops() == ([cast] if cast else []) + ["fly.make_int_tuple"]


def test_unsigned_numbers_are_widened_with_zeros(trace):
    fx.make_int_tuple(fx.Uint8(trace.argument("i8")))
    assert trace.ops()[0] == "arith.extui"


def test_int_tuples_nest(trace):
    inner = fx.make_int_tuple((trace.int32(), 3))
    assert str(fx.make_int_tuple((inner, 5))) == "((?,3),5)"
    assert fx.make_int_tuple(inner) is inner


def test_properties(trace):
    t = fx.make_int_tuple((4, (5, 6)))
    assert (t.rank, t.depth, t.is_leaf, t.is_static, len(t)) == (2, 2, False, True, 2)
    assert str(t[1]) == "(5,6)" and str(t[-1]) == "(5,6)" and [str(mode) for mode in t] == ["4", "(5,6)"]
    leaf = fx.make_int_tuple(4)
    assert leaf.is_leaf and leaf.rank == 1 and leaf.depth == 0 and leaf.get_static_leaf_int == 4 and int(leaf) == 4
    assert list(range(leaf)) == [0, 1, 2, 3]
    assert not fx.make_int_tuple((4, trace.int32())).is_static


def test_python_values(trace):
    n, wide = trace.int32(), trace.int64()
    assert fx.make_int_tuple((4, (5, None))).to_py_value() == (4, (5, None))
    assert fx.make_int_tuple(4).unpack() == 4
    a, (b, c) = fx.make_int_tuple((n, (3, wide))).to_py_value()
    assert isinstance(a, fx.Int32) and b == 3 and isinstance(c, fx.Int64)
    strides = fx.make_stride(fx.E(0), fx.E(1, 0) * 3).to_py_value()
    assert strides == (fx.Basis(1, [0]), fx.Basis(3, [1, 0]))
    (scaled, ) = fx.make_stride(fx.E(2) * n).to_py_value()
    assert isinstance(scaled.value, fx.Int32) and scaled.modes == (2, )


def test_basis():
    assert str(fx.E(0, 1)) == "1E0E1" and fx.E() == 1 and str(fx.E(1) * 3) == str(3 * fx.E(1)) == "3E1"
    assert fx.Basis(2, (0, 1)).depth == 2 and fx.Basis(2, 1) == fx.Basis(2, (1, )) != fx.Basis(2, 0)
    for wrong in (lambda: fx.Basis(2, ()), lambda: fx.Basis(2, (-1, ))):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError, match="value must be an integer, got float"):
        fx.Basis(1.5, 0)


def test_scalars(trace):
    n, wide = trace.int32(), trace.int64()
    assert fx.get_scalar(fx.make_int_tuple(4)) == 4 and fx.get_scalar(fx.make_int_tuple(((4, ), ))) == 4 and fx.get_scalar(7) == 7
    assert isinstance(fx.get_scalar(fx.make_int_tuple(n)), fx.Int32) and isinstance(fx.get_scalar(fx.make_int_tuple((wide, ))), fx.Int64)
    assert fx.get_scalar(fx.make_int_tuple(fx.E(1) * 5)) == 5 and fx.get_scalar(fx.make_int_tuple(None)) == 0
    with pytest.raises(ValueError, match=r"get_scalar: expected a single integer, got the int tuple \(3,4\)"):
        fx.get_scalar((3, 4))


def test_all_leaves(trace):
    n, wide = trace.int32(), trace.int64()
    assert fx.get_leaves((3, (4, 5))) == [3, 4, 5]
    three, a, b = fx.get_leaves((3, (n, wide)))
    assert three == 3 and isinstance(a, fx.Int32) and isinstance(b, fx.Int64)
    assert [type(leaf) for leaf in fx.get_leaves((3, (n, wide)), dynamic_only=True)] == [fx.Int32, fx.Int64]
    assert fx.get_leaves((3, 4), dynamic_only=True) == []


@pytest.mark.parametrize("make, expected", [
    (lambda n: fx.int_tuple_add((3, 5, 7), (1, 1)), "(4,6,7)"),
    (lambda n: fx.int_tuple_sub((3, 5), (1, 7)), "(2,-2)"),
    (lambda n: fx.int_tuple_mul((3, fx.E(1) * 2), (5, 4)), "(15,8E1)"),
    (lambda n: fx.int_tuple_div((17, -9), (5, 2)), "(3,-4)"),
    (lambda n: fx.int_tuple_mod((-9, 7), (2, 4)), "(-1,3)"),
    (lambda n: fx.int_tuple_product(((2, 7), 3)), "42"),
    (lambda n: fx.int_tuple_product_each(((2, 7), 3)), "(14,3)"),
    (lambda n: fx.int_tuple_product_like(((2, 7), (3, 5)), ((1, 1), 1)), "((2,7),15)"),
    (lambda n: fx.shape_div(3, 12), "1"),
    (lambda n: fx.ceil_div((7, 8), (4, 4)), "(2,2)"),
    (lambda n: fx.int_tuple_add(n, 4), "?"),
    (lambda n: fx.int_tuple_sub((n, 5), (1, 7)), "(?,-2)"),
    (lambda n: fx.int_tuple_mul((n, 2), 4) if False else fx.int_tuple_mul((n, 2), (4, 4)), "(?{div=4},8)"),
    (lambda n: fx.int_tuple_div((n, 9), (4, 2)), "(?,4)"),
    (lambda n: fx.int_tuple_mod((n, 9), (4, 2)), "(?,1)"),
    (lambda n: fx.int_tuple_product((n, 6)), "?{div=6}"),
    (lambda n: fx.int_tuple_product_each(((n, 6), 3)), "(?{div=6},3)"),
    (lambda n: fx.int_tuple_product_like(((n, 7), 3), (1, 1)), "(?{div=7},3)"),
    (lambda n: fx.ceil_div(n, 4), "?"),
    (lambda n: fx.shape_div((n, 8), (4, 2)), "(?,4)"),
])
def test_arithmetic(trace, make, expected):
    assert str(make(trace.int32())) == expected


def test_comparisons_are_booleans(trace):
    for found in (fx.elem_less((1, 2), (3, 4)), fx.equal((1, 2), (1, 2)), fx.elem_less(trace.int32(), 4), fx.equal((trace.int32(), 1), (2, 1))):
        assert isinstance(found, fx.Boolean) and str(found.ir_value().type) == "i1"


def test_shape_of_python_values(trace):
    assert fx.rank((1, 2, 3)) == 3 and fx.rank(5) == 1 and fx.rank(layout((4, 8), (1, 4))) == 2 and fx.rank(fx.make_tile(2, None, 4)) == 3
    assert fx.depth(5) == 0 and fx.depth((1, (2, 3))) == 2 and fx.depth(layout(((2, 2), 8), ((1, 2), 4))) == 2
    assert fx.rank(trace.tensor("(4,8):(8,1)")) == 2
    assert fx.has_none((1, (None, 2))) and not fx.has_none((1, 2)) and fx.has_none(fx.make_coord(None, 1)) and fx.has_none(None)


def test_modes(trace):
    nested = layout((4, (2, 3)), (1, (4, 8)))
    assert str(fx.get_(nested, 1)) == "(2,3):(4,8)" and str(fx.get_(nested, [1, 0])) == "2:4" and str(fx.get_((4, (2, 3)), (1, 1))) == "3"
    assert str(fx.get_(nested, -1)) == "(2,3):(4,8)"
    assert str(fx.take((1, 2, 3), 0, 2)) == "(1,2)" and str(fx.take((1, 2, 3), 1, -1)) == "(2,3)" and str(fx.take((1, 2, 3), 2, 3)) == "3"
    assert str(fx.select((1, 2, 3), [2, 0])) == "(3,1)" and str(fx.select(nested, [1])) == "(2,3):(4,8)"
    assert str(fx.select((32, 32, 16), [0])) == "32"
    assert str(fx.group((1, 2, 3), 0, -1)) == "((1,2,3))"
    assert str(fx.append((1, 2), 3)) == "(1,2,3)" and str(fx.prepend((1, 2), 3, n=4)) == "(3,3,1,2)" and str(fx.append(5, 6)) == "(5,6)"
    assert str(fx.prepend(nested, layout(7, 0))) == "(7,4,(2,3)):(0,1,(4,8))"


def test_get_gives_raw_indices(trace):
    assert fx.get((5, 6), 1) == 6 and fx.get((5, (6, 7)), (1, 0)) == 6
    for found in (fx.get(fx.make_int_tuple((5, 6)), 1), fx.get(fx.make_int_tuple((trace.int32(), 6)), 0)):
        assert isinstance(found.type, ir.IndexType)
    with pytest.raises(TypeError, match="fx.get_ gives modes of layouts"):
        fx.get(layout(4, 1), 0)


def test_slice_and_dice_take_python_tuples(trace):
    # DIFF: py-slice-tuple
    n = trace.int32()
    assert str(fx.slice((3, (5, 6), 7), (None, (2, None), 1))) == "(3,6)"
    assert str(fx.dice((3, (5, 6), 7), (None, (2, None), 1))) == "(5,7)"
    assert str(fx.slice((3, (n, 6)), (1, None))) == "(?,6)"
    nested = layout((3, (5, 7)), (1, (3, 15)))
    assert str(fx.slice(nested, (2, (None, 4)))) == "5:3" and str(fx.dice(nested, (2, (None, 4)))) == "(3,7):(1,15)"
    assert str(fx.slice(nested, (None, n))) == "3:1" and str(fx.slice(nested, None)) == str(nested)
    swizzled = fx.make_composed_layout(fx.SwizzleType.get(1, 2, 3), 4, layout((3, 5), (1, 3)))
    assert str(fx.slice(swizzled, (2, None))) == "S<1,2,3> o 6 o 5:3"
    assert str(fx.dice(swizzled, (2, None))) == "S<1,2,3> o 4 o 3:1"


@pytest.mark.parametrize("make, error, text", [
    (lambda n: fx.make_int_tuple(1.5), TypeError, r"make_int_tuple: expected an int.*got float \(1.5\); a float is no coordinate or size"),
    (lambda n: fx.make_int_tuple("4"), TypeError, "got str"),
    (lambda n: fx.make_int_tuple(()), ValueError, "an empty tuple is no int tuple"),
    (lambda n: fx.make_int_tuple(1 << 63), ValueError, "does not fit 64 bits"),
    (lambda n: fx.make_int_tuple(fx.Float32(1.5)), TypeError, "expected an integer"),
    (lambda n: fx.make_int_tuple(layout(4, 1)), TypeError, r"got Layout of type !fly.layout<4:1>; use fx.get_shape"),
    (lambda n: fx.make_shape(), TypeError, "make_shape: expected at least one mode"),
    (lambda n: fx.make_tile(), TypeError, "make_tile: expected at least one mode"),
    (lambda n: fx.make_tile(2, 1.5), TypeError, "make_tile: expected an int, None, a layout or a tuple"),
    (lambda n: fx.make_tile(n), ValueError, "a tile is static, got a run-time Int32"),
    (lambda n: fx.make_tile(layout(n, 1)), ValueError, "a tile is static, got the layout"),
    (lambda n: fx.make_int_tuple((4, n))[2], IndexError, "mode 2 is out of range for rank 2"),
    (lambda n: fx.make_int_tuple((4, 5)).get_static_leaf_int, ValueError, r"expected a static integer leaf, got !fly.int_tuple<\(4,5\)>"),
    (lambda n: int(fx.make_int_tuple(n)), RuntimeError, "dynamic 'IntTuple' .* has no Python integer representation"),
    (lambda n: fx.get_((1, 2), 2), IndexError, "get_: mode 2 is out of range for rank 2"),
    (lambda n: fx.get_((1, 2), [0, 1]), IndexError, "get_: mode 1 is out of range for rank 1"),
    (lambda n: fx.get_((1, 2), n), TypeError, "get_: expected an integer known while tracing, got a run-time Int32"),
    (lambda n: fx.take((1, 2), 1, 3), IndexError, "take: the modes 1 to 3 are no range within rank 2"),
    (lambda n: fx.take((1, 2), 1, 1), IndexError, "is empty"),
    (lambda n: fx.select((1, 2), [2]), IndexError, "select: mode 2 is out of range for rank 2"),
    (lambda n: fx.select((1, 2), []), IndexError, "at least one mode"),
    (lambda n: fx.group((1, 2), 1, 0), IndexError, "group: the modes"),
    (lambda n: fx.append((1, 2), 3, n=1), ValueError, "append: n is at least the rank 2, got 1"),
    (lambda n: fx.append(layout(4, 1), 3), TypeError, "append: a layout is extended by a layout, got int"),
    (lambda n: fx.append((1, 2), layout(4, 1)), TypeError, "append: an int tuple is extended by an int tuple"),
    (lambda n: fx.slice((1, 2), (None, 1, 2)), IndexError, r"slice: the coordinate \(\*,1,2\) has 3 modes where"),
    (lambda n: fx.slice((1, 2), (0, 1)), ValueError, "keeps no mode"),
    (lambda n: fx.dice((1, 2), (None, None)), ValueError, "fixes no mode"),
    (lambda n: fx.range_constexpr(n), TypeError, "range_constexpr: expected an integer known while tracing"),
])
def test_mistakes(trace, make, error, text):
    with pytest.raises(error, match=text):
        make(trace.int32())


def test_raw_floats_are_refused(trace):
    value = arith.constant(ir.F32Type.get(), 1.0)
    with pytest.raises(TypeError, match="value of type f32|expected an int"):
        fx.make_int_tuple(value)


def test_compile_time_helpers():
    assert list(fx.range_constexpr(1, 4)) == [1, 2, 3] and fx.const_expr(5) == 5 and list(fx.range_constexpr(fx.Int32(2))) == [0, 1]


def test_values_of_another_trace_are_refused():
    with Trace():
        old, tensor = layout((4, 8), (1, 4)), None
    with Trace() as trace:
        tensor = trace.tensor("(4,8):(8,1)")
        for use in (lambda: fx.size(old), lambda: old(1, 2), lambda: fx.make_view(tensor.iter, old), lambda: fx.append(layout(4, 1), old), lambda: old.shape):
            with pytest.raises(RuntimeError, match="Layout of another trace was used"):
                use()


def test_nothing_is_traced():
    for make in (lambda: layout((4, 8), (1, 4)), lambda: fx.make_tile(2, 4), lambda: fx.make_coord(1), fx.UniversalCopy128b,
                 lambda: fx.make_rmem_tensor(4, fx.Float32), lambda: fx.T.f32x4, lambda: fx.T.vec(4, fx.Float32), lambda: fx.Int8.ir_type):
        with pytest.raises(RuntimeError, match="nothing is being traced"):
            make()
