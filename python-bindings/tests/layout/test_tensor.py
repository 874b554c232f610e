# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors: views, access, conversions on stores, checked indices."""
import pytest

from flydsl._mlir import ir
import flydsl.expr as fx
from layout_support import layout, trace  # noqa: F401


def test_properties(trace):
    t = trace.tensor("(4,16):(16,1)", extra=", align<16>")
    assert t.dtype is fx.Float32 and t.element_type is fx.Float32 and t.value_type is fx.Float32
    assert t.address_space is fx.AddressSpace.Global and t.memspace is fx.AddressSpace.Global and t.alignment == 16
    assert t.leading_dim == 1 and t.rank == 2 and t.depth == 1
    assert str(t.layout) == "(4,16):(16,1)" and str(t.shape) == "(4,16)" and str(t.stride) == "(16,1)"
    assert isinstance(t.iter, fx.Pointer) and t.iter.alignment == 16
    assert trace.tensor("(?,?):(?{i64},1)").leading_dim == 1 and trace.tensor("(4,4):(8,2)").leading_dim is None


def test_views(trace):
    t = trace.tensor("(4,16):(16,1)", space="shared")
    view = fx.make_view(t.iter, layout((8, 8), (8, 1)))
    assert str(view.type) == "!fly.memref<f32, shared, (8,8):(8,1)>" and isinstance(view, fx.Tensor)
    assert str(t.iter.view(layout(8, 1)).type) == "!fly.memref<f32, shared, 8:1>"
    swizzled = fx.make_view(t.iter, fx.make_composed_layout(fx.SwizzleType.get(1, 2, 3), layout((8, 8), (8, 1))))
    assert str(swizzled.shape) == "(8,8)" and isinstance(swizzled.layout, fx.ComposedLayout)
    with pytest.raises(TypeError, match="has no stride"):
        swizzled.stride


def test_loads(trace):
    t, i = trace.tensor("(4,16):(16,1)"), trace.int32()
    assert isinstance(t[1, 2], fx.Float32) and isinstance(t[i, 2], fx.Float32) and isinstance(t[5], fx.Float32)
    assert isinstance(fx.memref_load(t, (1, i)), fx.Float32)
    assert isinstance(t[fx.make_coord(1, i)], fx.Float32)
    assert isinstance(trace.tensor("4:1", "i1")[0], fx.Boolean) and isinstance(trace.tensor("4:1", "i8")[0], fx.Int8)


def test_static_coordinates_emit_no_constants(trace):
    t = trace.tensor("4:1")
    t[0]
    assert trace.ops() == ["fly.make_int_tuple", "fly.memref.load"]


def test_subtensors(trace):
    t, i = trace.tensor("(4,16):(16,1)", extra=", align<64>"), trace.int32()
    assert str(t[1, None].type) == "!fly.memref<f32, global, 16:1, align<64>>"
    assert str(t[None, i].type) == "!fly.memref<f32, global, 4:16>"
    assert str(t[..., 3].type) == "!fly.memref<f32, global, 4:16>" and str(t[...].type) == str(t.type)
    divided = fx.zipped_divide(t, (2, 4))
    assert str(divided[None, (1, i)].type) == "!fly.memref<f32, global, (2,4):(16,1), align<16>>"
    assert str(divided[None, i].type) == "!fly.memref<f32, global, (2,4):(16,1), align<16>>"


def test_negative_indices_count_from_the_end(trace):
    # DIFF: py-index-negative
    trace.tensor("(4,16):(16,1)")[-1, -2]
    assert "!fly.int_tuple<(3,14)>" in trace.text()


def test_literals_convert_to_the_element_type(trace):
    # DIFF: py-store-literal
    trace.tensor("4:1")[0] = 3
    trace.tensor("4:1", "f16")[1] = 1.5
    trace.tensor("4:1", "i64")[2] = 7
    trace.tensor("4:1", "i8")[3] = 255
    trace.tensor("4:1", "i8")[3] = -128
    trace.tensor("4:1", "i1")[0] = True
    trace.tensor("4:1", "i32")[0] = 2.0
    fx.memref_store(4, trace.tensor("4:1", "bf16"), 2)
    text = trace.text()
    for constant in ("3.000000e+00 : f32", "1.500000e+00 : f16", "7 : i64", "-1 : i8", "-128 : i8", "true", "2 : i32", "4.000000e+00 : bf16"):
        assert f"arith.constant {constant}" in text, constant


def test_numbers_of_the_element_type_are_stored(trace):
    t = trace.tensor("4:1")
    t[0] = trace.float32()
    t[1] = fx.Float32(2.5)
    t[2] = t[0] + t[1]
    t[3] = trace.argument("f32")
    trace.tensor("4:1", "i32")[0] = fx.Uint32(trace.argument("i32"))
    trace.tensor("4:1", "i32")[1] = fx.size(layout(7, 1))


STORES = [
    ("f32", lambda t: fx.Int32(3), TypeError, r"store to !fly.memref<f32, global, \(4,16\):\(16,1\)>: expected an element of type f32, got Int32 of type i32"),
    ("i64", lambda t: fx.Float32(1.0), TypeError, "expected an element of type i64, got Float32 of type f32.*use fx.Int64"),
    ("f16", lambda t: t.float32(), TypeError, "expected an element of type f16, got Float32"),
    ("i64", lambda t: t.int32(), TypeError, "expected an element of type i64, got Int32"),
    ("i32", lambda t: t.argument("f32"), TypeError, "expected an element of type i32, got a value of type f32"),
    ("i8", lambda t: 300, ValueError, "300"),
    ("i8", lambda t: -129, ValueError, "-129"),
    ("i1", lambda t: 2, ValueError, "2"),
    ("f16", lambda t: 1e6, ValueError, "1000000.0|1e"),
    ("i32", lambda t: 1.5, ValueError, "1.5"),
    ("f32", lambda t: "x", TypeError, "str"),
    ("f32", lambda t: None, TypeError, "None"),
    ("f32", lambda t: fx.Vector.filled(4, 1.0, fx.Float32), TypeError, "expected one element of type f32, got vector<4xf32>"),
]


@pytest.mark.parametrize("element, value, error, text", STORES)
def test_stores_refuse_other_types(trace, element, value, error, text):
    # DIFF: py-store-type
    t = trace.tensor("(4,16):(16,1)", element)
    with pytest.raises(error, match=text):
        t[1, 2] = value(trace)
    with pytest.raises(error):
        fx.memref_store(value(trace), t, (1, 2))


INDICES = [
    (lambda t: (1, 2, 3), IndexError, r"index into !fly.memref<f32, global, \(4,16\):\(16,1\)> of shape \(4,16\): expected 2 coordinates, got 3 \(\(1, 2, 3\)\)"),
    (lambda t: (1, (2, 3)), IndexError, "expected 1 coordinate in its mode 16, got 2"),
    (lambda t: 1.5, TypeError, r"expected an integer, got float \(1.5\); a float is no index"),
    (lambda t: (1, 2.0), TypeError, "expected an integer, got float"),
    (lambda t: (t.float32(), 1), TypeError, "expected an integer, got a run-time Float32; a float is no index"),
    (lambda t: (t.argument("f32"), 1), TypeError, "expected an integer"),
    (lambda t: (4, 0), IndexError, r"index 4 is out of range for the extent 4 \(\(4, 0\)\)"),
    (lambda t: (0, -17), IndexError, "index -17 is out of range for the extent 16"),
    (lambda t: 64, IndexError, "index 64 is out of range for the extent 64"),
    (lambda t: (t.int32(), 16), IndexError, r"index 16 is out of range for the extent 16 \(\(\?, 16\)\)"),
    (lambda t: slice(0, 2), TypeError, "slices are not supported, keep a whole mode with None"),
    (lambda t: "a", TypeError, "expected an integer, got str"),
    (lambda t: fx.make_coord(1, 2, 3), IndexError, "expected 2 coordinates, got 3"),
    (lambda t: (..., 1, ...), IndexError, "stands once at most"),
    (lambda t: fx.make_coord(1, 16), IndexError, "index 16 is out of range"),
]


@pytest.mark.parametrize("index, error, text", INDICES)
def test_wrong_indices(trace, index, error, text):
    # DIFF: py-index-checks
    t = trace.tensor("(4,16):(16,1)")
    with pytest.raises(error, match=text):
        t[index(trace)]
    with pytest.raises(error):
        t[index(trace)] = 1.0
    with pytest.raises(error):
        fx.memref_load(t, index(trace))
    with pytest.raises(error):
        fx.memref_store(1.0, t, index(trace))


def test_run_time_extents_take_any_positive_index(trace):
    t = trace.tensor("(?,4):(4,1)")
    t[1000, 3]
    with pytest.raises(IndexError, match="negative index -1 has no meaning in an extent known only at run time"):
        t[-1, 3]
    with pytest.raises(IndexError, match="out of range for the extent 4"):
        t[0, 4]


def test_slice_checks_static_indices_of_tensors(trace):
    with pytest.raises(IndexError, match="slice into .*index 4 is out of range for the extent 4"):
        fx.slice(trace.tensor("(4,16):(16,1)"), (4, None))


def test_no_store_to_several_elements(trace):
    with pytest.raises(TypeError, match="cannot store to several elements"):
        trace.tensor("(4,16):(16,1)")[1, None] = 1.0


def test_iteration_ends_with_an_error(trace):
    with pytest.raises(TypeError, match="cannot be iterated over"):
        list(trace.tensor("4:1"))


def test_vectors(trace):
    t = trace.tensor("(2,4):(8,1)", space="register")
    v = t.load()
    assert isinstance(v, fx.Vector) and v.shape == (8, ) and v.dtype is fx.Float32
    t.store(v)
    t.store(v + 1.0)
    fx.memref_store_vec(fx.memref_load_vec(t), t)
    assert trace.ops().count("fly.memref.load_vec") == 2 and trace.ops().count("fly.memref.store_vec") == 3


def test_vectors_of_the_tensors_shape_are_stored_by_coordinate(trace):
    # DIFF: py-vector-order
    t = trace.tensor("(2,3):(1,2)", space="register")
    t.store(t.load().reshape((2, 3)))
    # Row-major item 3*i+j goes to the column-major place i+2*j.
    assert "vector.shuffle" in trace.text() and "[0, 3, 1, 4, 2, 5]" in trace.text()
    t.store(trace.tensor("6:1").load())
    with pytest.raises(ValueError, match="no coordinates in common with the shape"):
        t.store(t.load().reshape((3, 2)))


def test_vector_mistakes(trace):
    t = trace.tensor("(2,4):(8,1)", space="register")
    with pytest.raises(ValueError, match="expected a vector of 8 elements, got 4"):
        t.store(trace.tensor("4:1").load())
    with pytest.raises(TypeError, match="expected an element of type f32, got"):
        t.store(trace.tensor("8:1", "i32").load())
    with pytest.raises(TypeError, match="expected a vector"):
        t.store(1.0)


def test_fill(trace):
    t = trace.tensor("((4,1),2,2):((1,0),8,4)", space="register")
    t.fill(0)
    assert trace.ops() == ["arith.constant", "vector.broadcast", "fly.memref.store_vec"]
    trace.tensor("4:1", "i8").fill(200)
    t.fill(trace.float32())
    with pytest.raises(TypeError, match="Tensor.fill of .*expected an element of type f32"):
        t.fill(fx.Int32(1))
    with pytest.raises(ValueError, match="static size"):
        trace.tensor("?:1").fill(0)


def test_new_registers(trace):
    assert str(fx.make_rmem_tensor(4, fx.Float32).type) == "!fly.memref<f32, register, 4:1>"
    assert trace.ops() == ["fly.make_int_tuple", "fly.make_int_tuple", "fly.make_ordered_layout", "fly.memref.alloca"]
    assert str(fx.make_rmem_tensor((2, 4), fx.Boolean).type) == "!fly.memref<i1, register, (2,4):(1,2)>"
    assert str(fx.make_rmem_tensor(layout((2, 4), (4, 1)), ir.F16Type.get()).type) == "!fly.memref<f16, register, (2,4):(4,1)>"
    t = trace.tensor("((8,1),1,1):((1,0),0,0)", "f16", "shared", ", align<16>")
    assert str(fx.make_fragment_like(t).type) == "!fly.memref<f16, register, ((8,1),1,1):((1,0),0,0)>"
    assert str(fx.make_fragment_like(t, fx.Float32).type) == "!fly.memref<f32, register, ((8,1),1,1):((1,0),0,0)>"
    assert str(fx.make_fragment_like(layout((6, 5), (10, 2)), fx.BFloat16).type) == "!fly.memref<bf16, register, (6,5):(1,6)>"
    assert str(fx.make_fragment_layout_like(layout((6, 5), (10, 2)))) == "(6,5):(1,6)"
    kind = fx.MemRefType.get(ir.F32Type.get(), ir.Type.parse("!fly.layout<4:1>"), fx.AddressSpace.Register)
    assert str(fx.memref_alloca(kind, layout(4, 1)).type) == "!fly.memref<f32, register, 4:1>"


@pytest.mark.parametrize("make, error, text", [
    (lambda t: fx.make_rmem_tensor(t.int32(), fx.Float32), ValueError, "registers have no run-time sizes"),
    (lambda t: fx.make_rmem_tensor(4, "f32"), TypeError, "expected a numeric class such as fx.Float32 or an IR type, got str"),
    (lambda t: fx.make_rmem_tensor(t.tensor("4:1"), fx.Float32), TypeError, "use fx.make_fragment_like"),
    (lambda t: fx.make_fragment_like(layout(4, 1)), TypeError, "has no element type, give dtype"),
    (lambda t: fx.make_fragment_like(t.tensor("?:1")), ValueError, "registers have no run-time sizes"),
    (lambda t: fx.make_fragment_like(4), TypeError, "expected a tensor or a layout"),
    (lambda t: fx.memref_load(layout(4, 1), 0), TypeError, "memref_load: expected a Tensor"),
    (lambda t: fx.memref_load(t.tensor("(4,4):(4,1)"), (None, 1)), TypeError, "has no None"),
    (lambda t: fx.memref_store(1.0, t.tensor("4:1").iter, 0), TypeError, "memref_store: expected a tensor in memory"),
    (lambda t: fx.memref_alloca(ir.F32Type.get(), layout(4, 1)), TypeError, "memref_alloca: expected a tensor type"),
])
def test_mistakes(trace, make, error, text):
    with pytest.raises(error, match=text):
        make(trace)


def test_coordinate_tensors(trace):
    n = trace.int32()
    t = fx.make_view(fx.make_coord(0, n), fx.make_identity_layout((6, 5)))
    assert str(t.type) == "!fly.coord_tensor<(0,?), (6,5):(1E0,1E1)>" and isinstance(t, fx.Tensor)
    element = t[2, 3]
    assert isinstance(element, fx.IntTuple) and str(element) == "(2,?)"
    assert str(t[1, None].type) == "!fly.coord_tensor<(1,?), 5:1E1>" and str(t.iter) == "(0,?)" and str(t.shape) == "(6,5)"
    assert str(fx.zipped_divide(t, (2, 5))[None, (1, 0)].type) == "!fly.coord_tensor<(2,?), (2,5):(1E0,1E1)>"
    assert isinstance(fx.elem_less(element, (6, 5)), fx.Boolean)
    assert str(fx.make_view((0, 4), fx.make_identity_layout((6, 5)))[1, 1]) == "(1,5)"
    assert fx.get_scalar(fx.make_view(3, layout(8, 2))[2]) == 7
    for wrong in ("dtype", "address_space", "alignment"):
        with pytest.raises(TypeError, match="tensor of coordinates"):
            getattr(t, wrong)
    with pytest.raises(TypeError, match="cannot store to"):
        t[0, 0] = 1
    with pytest.raises(IndexError, match="out of range for the extent 5"):
        t[0, 5]


def test_predicate_of_the_tail_keeps_its_scale(trace):
    # The sample vector_add: tiles of 1024, four values a thread.
    n, block, thread = trace.int32(), trace.int32(), trace.int32()
    coords = fx.make_view(fx.make_coord(0), fx.make_identity_layout(n))
    tile = fx.slice(fx.zipped_divide(coords, layout(1024, 1)), (None, block))
    lane = fx.slice(fx.zipped_divide(tile, layout(4, 1)), (None, thread))
    assert str(lane.type) == "!fly.coord_tensor<(?{div=4}), 4:1>"
    inside = fx.make_rmem_tensor(4, fx.Boolean)
    inside[1] = fx.elem_less(lane[1], fx.make_coord(n))
    assert "fly.elem_less" in trace.text()


def test_protocol(trace):
    t = trace.tensor("4:1")
    assert t.__extract_to_ir_values__() == [t]
    again = fx.Tensor.__construct_from_ir_values__([ir.Value(t)])
    assert isinstance(again, fx.Tensor) and again.type == t.type
    with pytest.raises(ValueError, match="Tensor: expected 1 IR value, got 2"):
        fx.Tensor.__construct_from_ir_values__([t, t])


def test_vector_access_at_a_coordinate(trace):
    t, i = trace.tensor("(4,16):(16,1)", extra=", align<16>"), trace.int32()
    v = fx.Vector.load(fx.Float32x4, t, [1, i])
    assert isinstance(v, fx.Vector) and v.dtype is fx.Float32 and v.numel == 4
    v.store(t, [i, 0])
    assert "fly.ptr.load" in trace.text() and "fly.ptr.store" in trace.text()
