# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of the layout algebra on static, run-time and wrong operands."""
import pytest

from flydsl._mlir import ir
import flydsl.expr as fx
from layout_support import layout, trace  # noqa: F401

# L = (4,8):(1,4), R = (4,8):(8,1), H = ((2,2),8):((1,2),4)
REFERENCE = [
    ("L(1,2)", lambda L, R, H: L(1, 2), "9"),
    ("L(None,3)", lambda L, R, H: L(None, 3), "4:1"),
    ("size(L)", lambda L, R, H: fx.size(L), "32"),
    ("cosize(R)", lambda L, R, H: fx.cosize(R), "32"),
    ("coalesce(L)", lambda L, R, H: fx.coalesce(L), "32:1"),
    ("coalesce(R)", lambda L, R, H: fx.coalesce(R), "(4,8):(8,1)"),
    ("composition(L, 4:2)", lambda L, R, H: fx.composition(L, layout(4, 2)), "4:2"),
    ("composition(L, tile(2,4))", lambda L, R, H: fx.composition(L, fx.make_tile(2, 4)), "(2,4):(1,4)"),
    ("complement(4:2, 24)", lambda L, R, H: fx.complement(layout(4, 2), 24), "(2,3):(1,8)"),
    ("complement(4:2)", lambda L, R, H: fx.complement(layout(4, 2)), "2:1"),
    ("right_inverse(R)", lambda L, R, H: fx.right_inverse(R), "(8,4):(4,1)"),
    ("left_inverse(R)", lambda L, R, H: fx.left_inverse(R), "(8,4):(4,1)"),
    ("logical_divide(L,(2,4))", lambda L, R, H: fx.logical_divide(L, (2, 4)), "((2,2),(4,2)):((1,2),(4,16))"),
    ("zipped_divide(L,(2,4))", lambda L, R, H: fx.zipped_divide(L, (2, 4)), "((2,4),(2,2)):((1,4),(2,16))"),
    ("tiled_divide(L,(2,4))", lambda L, R, H: fx.tiled_divide(L, (2, 4)), "((2,4),2,2):((1,4),2,16)"),
    ("flat_divide(L,(2,4))", lambda L, R, H: fx.flat_divide(L, (2, 4)), "(2,4,2,2):(1,4,2,16)"),
    ("logical_divide(L, 2:1)", lambda L, R, H: fx.logical_divide(L, layout(2, 1)), "(2,16):(1,2)"),
    ("logical_product(L, 3:1)", lambda L, R, H: fx.logical_product(L, layout(3, 1)), "((4,8),3):((1,4),32)"),
    ("zipped_product", lambda L, R, H: fx.zipped_product(L, layout((3, 2), (1, 3))), "((4,8),(3,2)):((1,4),(32,96))"),
    ("tiled_product", lambda L, R, H: fx.tiled_product(L, layout((3, 2), (1, 3))), "((4,8),3,2):((1,4),32,96)"),
    ("flat_product", lambda L, R, H: fx.flat_product(L, layout((3, 2), (1, 3))), "(4,8,3,2):(1,4,32,96)"),
    ("blocked_product", lambda L, R, H: fx.blocked_product(L, layout((3, 2), (1, 3))), "((4,3),(8,2)):((1,32),(4,96))"),
    ("raked_product", lambda L, R, H: fx.raked_product(L, layout((3, 2), (1, 3))), "((3,4),(2,8)):((32,1),(96,4))"),
    ("idx2crd(9,L)", lambda L, R, H: fx.idx2crd(9, L), "(1,2)"),
    ("crd2idx((1,2),L)", lambda L, R, H: fx.crd2idx((1, 2), L), "9"),
    # Of rank 2, one integer for each mode: the definition, not (1,1,0).
    ("get_flat_coord(3,H)", lambda L, R, H: fx.get_flat_coord(3, H), "(3,0)"),
    ("H.get_hier_coord(3)", lambda L, R, H: H.get_hier_coord(3), "((1,1),0)"),
    ("H.get_flat_coord(3)", lambda L, R, H: H.get_flat_coord(3), "(3,0)"),
    ("get_1d_coord(5,R)", lambda L, R, H: fx.get_1d_coord(5, R), "20"),
    ("R.get_1d_coord(5)", lambda L, R, H: R.get_1d_coord(5), "20"),
    ("recast_layout(R,16,8)", lambda L, R, H: fx.recast_layout(R, 16, 8), "(4,16):(16,1)"),
    ("recast_layout(R,8,16)", lambda L, R, H: fx.recast_layout(R, 8, 16), "(4,4):(4,1)"),
    ("recast_layout by classes", lambda L, R, H: fx.recast_layout(R, fx.Int8, fx.Float16), "(4,4):(4,1)"),
    ("tile_to_shape", lambda L, R, H: fx.tile_to_shape(L, (8, 16), (0, 1)), "((4,2),(8,2)):((1,32),(4,64))"),
    ("group", lambda L, R, H: fx.group(layout((2, 3, 4), (1, 2, 6)), 0, 2), "((2,3),4):((1,2),6)"),
    ("append", lambda L, R, H: fx.append(L, layout(1, 0), n=4), "(4,8,1,1):(1,4,0,0)"),
    ("int_tuple_product_each", lambda L, R, H: fx.int_tuple_product_each((2, (3, 4))), "(2,12)"),
    ("shape_div", lambda L, R, H: fx.shape_div((12, 4), (3, 4)), "(4,1)"),
    ("swizzled", lambda L, R, H: fx.make_composed_layout(fx.static(fx.SwizzleType.get(2, 1, 3)), R)(3, 5), "31"),
    ("make_layout_tv tile", lambda L, R, H: fx.make_layout_tv(layout((4, 1), (1, 1)), layout((1, 8), (1, 1)))[0], "(4,8)"),
    ("make_layout_tv", lambda L, R, H: fx.make_layout_tv(layout((4, 1), (1, 1)), layout((1, 8), (1, 1)))[1], "(4,8):(1,4)"),
]


@pytest.mark.parametrize("make, expected", [row[1:] for row in REFERENCE], ids=[row[0] for row in REFERENCE])
def test_reference_results(trace, make, expected):
    assert str(make(layout((4, 8), (1, 4)), layout((4, 8), (8, 1)), layout(((2, 2), 8), ((1, 2), 4)))) == expected


# N is a run-time integer.
DYNAMIC = [
    ("make_layout", lambda N: layout((N, 4), (1, N)), "(?,4):(1,?)"),
    ("make_ordered_layout", lambda N: fx.make_ordered_layout((N, 4), (1, 0)), "(?,4):(4,1)"),
    ("make_identity_layout", lambda N: fx.make_identity_layout((N, 4)), "(?,4):(1E0,1E1)"),
    ("make_layout_like", lambda N: fx.make_layout_like(layout((4, 8), (N, 1))), "(4,8):(8,1)"),
    ("size", lambda N: fx.size(layout((N, 4), (1, N))), "?{div=4}"),
    ("cosize", lambda N: fx.cosize(layout((4, 8), (1, N))), "?"),
    ("coshape", lambda N: fx.coshape(fx.make_identity_layout((N, 4))), "(?,4)"),
    ("coprofile", lambda N: fx.coprofile(fx.make_identity_layout((N, 4))), "(0,0)"),
    ("crd2idx", lambda N: fx.crd2idx((N, 2), layout((4, 8), (8, 1))), "?{div=2}"),
    ("idx2crd", lambda N: fx.idx2crd(N, layout((4, 8), (1, 4))), "(?,?)"),
    ("get_flat_coord", lambda N: fx.get_flat_coord(N, layout(((2, 2), 8), ((1, 2), 4))), "(?,?)"),
    ("get_1d_coord", lambda N: fx.get_1d_coord(N, layout((4, 8), (8, 1))), "?"),
    ("coalesce", lambda N: fx.coalesce(layout((4, 8, N), (1, 4, 32))), "(32,?):(1,32)"),
    ("composition", lambda N: fx.composition(layout((4, N), (1, 4)), layout(4, 1)), "4:1"),
    ("complement", lambda N: fx.complement(layout(4, 2), N), None),
    ("right_inverse", lambda N: fx.right_inverse(layout((16, N), (1, 16))), None),
    ("logical_divide", lambda N: fx.logical_divide(layout(N, 1), 4), "(4,?):(1,4)"),
    ("zipped_divide", lambda N: fx.zipped_divide(layout((N, 8), (8, 1)), (2, 4)), "((2,4),(?,2)):((8,1),(16,4))"),
    ("tiled_divide", lambda N: fx.tiled_divide(layout((N, 8), (8, 1)), (2, 4)), "((2,4),?,2):((8,1),16,4)"),
    ("flat_divide", lambda N: fx.flat_divide(layout((N, 8), (8, 1)), (2, 4)), "(2,4,?,2):(8,1,16,4)"),
    ("logical_product", lambda N: fx.logical_product(layout((4, 8), (1, 4)), layout(N, 1)), "((4,8),?):((1,4),32)"),
    ("logical_product by a number", lambda N: fx.logical_product(layout((4, 8), (1, 4)), N), "((4,8),?):((1,4),32)"),
    ("tile_to_shape", lambda N: fx.tile_to_shape(layout((4, 8), (1, 4)), (N, 16), (0, 1)), None),
    ("composed", lambda N: fx.make_composed_layout(fx.SwizzleType.get(2, 1, 3), N, layout((4, 8), (8, 1))), "S<2,1,3> o ? o (4,8):(8,1)"),
]


@pytest.mark.parametrize("make, expected", [row[1:] for row in DYNAMIC], ids=[row[0] for row in DYNAMIC])
def test_run_time_operands(trace, make, expected):
    found = str(make(trace.int32()))
    assert expected is None and "?" in found or found == expected


def test_64_bit_operands_stay_64_bit(trace):
    assert str(layout((trace.int64(), 4), (1, trace.int32()))) == "(?{i64},4):(1,?)"


def test_product_by_an_integer_is_the_product_by_n_1(trace):
    # User report 4.
    base = layout((3, 4), (4, 1))
    for name in ("logical_product", "zipped_product", "tiled_product", "flat_product", "blocked_product", "raked_product"):
        assert str(getattr(fx, name)(base, 5)) == str(getattr(fx, name)(base, layout(5, 1))), name
    product = fx.logical_product(base, 5)
    assert str(product) == "((3,4),5):((4,1),12)" and fx.get_scalar(fx.size(product)) == 60


@pytest.mark.parametrize("make, expected", [
    (lambda: fx.composition(layout((4, 5), (1, 4)), layout((4, 5), (5, 1))), "(4,5):(5,1)"),
    (lambda: fx.composition(layout((20, 6), (6, 1)), layout((17, 6), (1, 20))), "(17,6):(6,1)"),
    (lambda: fx.cosize(layout((3, 5), (2, 6))), "29"),
    (lambda: fx.complement(layout(5, 3), 60), "(3,4):(1,15)"),
    (lambda: fx.complement(layout(5, 3), 15), "3:1"),
    (lambda: fx.complement(layout(4, 0), 12), "12:1"),
    (lambda: fx.logical_divide(layout((12, 32), (1, 12)), fx.make_tile(4, 8)), "((4,3),(8,4)):((1,4),(12,96))"),
    (lambda: fx.coalesce(fx.prepend(layout(7, 5), fx.complement(layout(7, 5), 35))), "35:1"),
    (lambda: fx.ceil_div(fx.make_int_tuple(fx.Basis(6, (1, ))), 3), "2E1"),
])
def test_reported_cases(trace, make, expected):
    # User reports 8, 9, 10, 11, 13, 14, 15 and 19.
    found = make()
    assert str(found) == expected


def test_scaled_basis_strides_keep_their_scale_at_run_time(trace):
    # User report 18.
    scaled = layout((5, 7), (fx.E(0) * 3, fx.E(1) * 2))
    assert str(scaled) == "(5,7):(3E0,2E1)"
    assert str(scaled(4, 6)) == "(12,12)"
    assert str(scaled(trace.int32(), trace.int32())) == "(?{div=3},?{div=2})"


def test_swizzled_layouts_can_be_sliced(trace):
    # User report 16: static and run-time columns.
    swizzled = fx.make_composed_layout(fx.SwizzleType.get(2, 3, 3), layout((8, 48), (48, 1)))
    for column in range(48):
        part = fx.slice(swizzled, (None, column))
        for row in range(8):
            x = 48 * row + column
            assert fx.get_scalar(part(row)) == x ^ (((x >> 6) & 3) << 3)
    assert "?" in str(fx.slice(swizzled, (None, trace.int32())))


def test_functions_take_tensors(trace):
    t = trace.tensor("(16,32):(32,1)")
    assert str(fx.zipped_divide(t, (4, 8)).type) == "!fly.memref<f32, global, ((4,8),(4,4)):((32,1),(128,8))>"
    assert str(fx.logical_divide(t, layout(4, 1)).type) == "!fly.memref<f32, global, ((4),(4,32)):((32),(128,1))>".replace("((4),(", "(4,(").replace("((32),(", "(32,(")
    assert str(fx.coalesce(t).type) == "!fly.memref<f32, global, (16,32):(32,1)>"
    assert str(fx.composition(t, (4, None)).type) == "!fly.memref<f32, global, (4,32):(32,1)>"
    assert str(fx.size(t)) == "512" and str(fx.cosize(t)) == "512"
    assert str(fx.get_shape(t)) == "(16,32)" and str(fx.get_stride(t)) == "(32,1)"
    assert str(fx.crd2idx((1, 2), t)) == "34" and str(fx.idx2crd(34, t)) == "(1,2)"
    assert str(fx.right_inverse(t)) == "(32,16):(16,1)"
    assert str(fx.recast_layout(t, 32, 16)) == "(16,64):(64,1)"
    assert str(fx.select(t, [1, 0]).type) == "!fly.memref<f32, global, (32,16):(1,32)>"
    assert str(fx.group(t, 0, 2).type) == "!fly.memref<f32, global, ((16,32)):((32,1))>"
    assert str(fx.take(t, 0, 1).type) == "!fly.memref<f32, global, 16:32>"
    assert str(fx.slice(t, (3, None)).type) == "!fly.memref<f32, global, 32:1>"
    assert str(fx.dice(t, (3, None)).type) == "!fly.memref<f32, global, 16:32>"
    assert str(fx.append(t, layout(1, 0)).type) == "!fly.memref<f32, global, (16,32,1):(32,1,0)>"
    assert str(fx.logical_product(t, 2).type) == "!fly.memref<f32, global, ((16,32),2):((32,1),512)>"


def test_static_operands_emit_constructors_without_operands(trace):
    layout((4, 8), (1, 4))
    assert trace.ops() == ["fly.make_int_tuple", "fly.make_int_tuple", "fly.make_layout"]
    assert "fly.make_int_tuple() : () -> !fly.int_tuple<(4,8)>" in trace.text()


def test_divisors(trace):
    fx.flat_divide(trace.tensor("(128,96):(96,1)"), (64, 32))
    assert "fly.static : !fly.tile<[64|32]>" in trace.text()
    base = layout((12, 32), (1, 12))
    assert str(fx.logical_divide(base, fx.make_shape(4, 8))) == "((4,3),(8,4)):((1,4),(12,96))"
    assert str(fx.logical_divide(base, (None, 8))) == str(fx.logical_divide(base, fx.make_tile(None, 8)))
    assert str(fx.logical_divide(layout(12, 1), 4)) == str(fx.logical_divide(layout(12, 1), layout(4, 1)))


ERRORS = [
    (lambda n: fx.make_layout((4, 8), 1), ValueError, r"profile mismatch: is_profile_congruent\(\(4,8\), 1\) is False"),
    (lambda n: fx.make_layout((4, 8.0), (1, 4)), TypeError, r"make_layout shape: expected an int.*float \(8.0\)"),
    (lambda n: fx.make_layout((), ()), ValueError, "empty tuple"),
    (lambda n: fx.size("abc"), TypeError, r"size: expected an int.*str \('abc'\)"),
    (lambda n: fx.get_shape((4, 8)), TypeError, r"get_shape: expected a layout, got tuple \(\(4, 8\)\); make a layout with"),
    (lambda n: fx.composition(4, layout(2, 1)), TypeError, "composition: expected a layout, got int"),
    (lambda n: fx.zipped_divide(layout((4, 8), (1, 4)), (n, 4)), ValueError, "zipped_divide: a tile is static, got a run-time Int32"),
    (lambda n: fx.zipped_divide(layout((4, 8), (1, 4)), (0, 4)), ValueError, "at least 1 item, got 0"),
    (lambda n: fx.logical_product(layout((4, 8), (1, 4)), (3, 2)), TypeError, "logical_product tiler: expected a layout"),
    (lambda n: fx.make_composed_layout(3, layout(4, 1)), TypeError, "expected a swizzle, a layout or a composed layout as inner map"),
    (lambda n: fx.make_composed_layout(layout(4, 1)), TypeError, r"expected \(inner, outer\)"),
    (lambda n: fx.composed_get_inner(layout(4, 1)), TypeError, "composed_get_inner: expected a composed layout"),
    (lambda n: fx.get_stride(fx.make_composed_layout(fx.SwizzleType.get(1, 1, 1), layout(4, 1))), TypeError, "get_stride: expected a layout"),
    (lambda n: fx.make_composed_layout(fx.SwizzleType.get(1, 1, 1), layout(4, 1)).stride, TypeError, "has no stride"),
    (lambda n: fx.recast_layout(layout(4, 1), "x", 8), TypeError, "recast_layout old_bits: expected a numeric class"),
    (lambda n: fx.recast_layout(layout(4, 1), 0, 8), ValueError, "a width in bits is positive, got 0"),
    (lambda n: layout((4, 8), (1, 4))[2], IndexError, "mode 2 is out of range for rank 2"),
    (lambda n: layout((4, 8), (1, 4))["a"], TypeError, "a mode is an int, got str"),
    (lambda n: fx.make_view(layout(4, 1), layout(4, 1)), TypeError, "make_view: expected a pointer or a coordinate"),
    (lambda n: fx.get_layout(layout(4, 1)), TypeError, "get_layout: expected a Tensor"),
    (lambda n: fx.static("x"), TypeError, "static: expected a type"),
    (lambda n: fx.static(ir.Type.parse("!fly.int_tuple<?>")), ValueError, "without run-time parts"),
    (lambda n: fx.make_layout_tv(layout((n, 1), (1, 1)), layout(4, 1)), ValueError, "make_layout_tv: expected a static layout"),
]


@pytest.mark.parametrize("make, error, text", ERRORS)
def test_mistakes(trace, make, error, text):
    with pytest.raises(error, match=text):
        make(trace.int32())


def test_preconditions_are_the_compilers(trace):
    with pytest.raises(ir.MLIRError, match="composition of A = .* with B = 4:4.*composition_c1"):
        fx.composition(layout((6, 5), (5, 1)), layout(4, 4))
    with pytest.raises(ir.MLIRError, match="complement_c3"):
        fx.complement(layout((4, 4), (1, 1)), 32)


@pytest.mark.parametrize("shape, stride", [((16, 5), (64, 1)), (3, 4), ((4, 8), (8, 1)), ((4, 8), (1, 4)), ((3, 5, 2), (10, 2, 1))])
def test_left_inverses_invert(trace, shape, stride):
    # User reports 5 and 6.
    forward = layout(shape, stride)
    back = fx.left_inverse(forward)
    for index in range(fx.get_scalar(fx.size(forward))):
        assert fx.get_scalar(back(forward(index))) == index


def test_right_inverses_of_run_time_sizes_are_whole(trace):
    # User report 7.
    inverse = fx.right_inverse(layout((16, trace.int32()), (1, 16)))
    assert str(fx.size(inverse)) == "?{div=16}"


def test_basis_elements_are_not_compared_with_integers(trace):
    # User report 19.
    with pytest.raises(ir.MLIRError, match="basis"):
        fx.elem_less(fx.make_int_tuple(fx.E(1) * 6), 5)


def test_vectors_of_views_run_through_the_first_mode_first(trace):
    # User report 20: (2,4):(8,1) of b[k] = k is 0, 8, 1, 9, 2, 10, 3, 11.
    view = layout((2, 4), (8, 1))
    assert [fx.get_scalar(view(k)) for k in range(8)] == [0, 8, 1, 9, 2, 10, 3, 11]
