# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types and attributes of `_fly`: construction, accessors, classes of values, errors."""

import pytest
from flydsl._mlir import ir
from flydsl._mlir._mlir_libs import _fly
from flydsl._mlir.dialects import fly


@pytest.fixture(autouse=True)
def context():
    with ir.Context() as ctx, ir.Location.unknown():
        yield ctx


@pytest.fixture
def f32(context):
    return ir.F32Type.get()


def test_int_tuples():
    kind = fly.IntTupleType.get((4, (2, None), 3))
    assert str(kind) == "!fly.int_tuple<(4,(2,*),3)>"
    assert (kind.rank, kind.depth, kind.is_leaf, kind.num_leaves) == (3, 2, False, 4)
    assert kind.to_python() == (4, (2, None), 3)
    assert kind.mode(1).to_python() == (2, None)
    assert kind.leaf(3) == 3
    assert kind.is_static and kind.num_dynamic_leaves == 0
    assert fly.IntTupleType.get(7).is_leaf
    assert fly.IntTupleType.get(kind) == kind == fly.IntTupleType.get(kind.attr)
    assert fly.IntTupleType.get((2, [3, 4])).is_congruent((1, (1, 1)))
    assert not kind.is_congruent(1)


def test_run_time_leaves():
    leaf = fly.IntAttr.get_dynamic(64, 4)
    kind = fly.IntTupleType.get((leaf, 8))
    assert str(kind) == "!fly.int_tuple<(?{i64 div=4},8)>"
    assert not kind.is_static and kind.num_dynamic_leaves == 1
    first = kind.to_python()[0]
    assert (first.width, first.divisibility, first.is_static, first.is_none) == (64, 4, False, False)
    with pytest.raises(ValueError, match="32 or 64 bits wide"):
        fly.IntAttr.get_dynamic(16)


def test_layouts():
    layout = fly.LayoutType.get((4, 8), (1, 4))
    assert str(layout) == "!fly.layout<(4,8):(1,4)>"
    assert str(layout.shape) == "!fly.int_tuple<(4,8)>" and isinstance(layout.stride, fly.IntTupleType)
    assert (layout.size, layout.cosize, layout.body) == (32, 32, "(4,8):(1,4)")
    assert layout.crd2idx((1, 2)) == 9
    assert layout.idx2crd(9) == (1, 2)
    assert isinstance(layout.attr.shape, fly.IntTupleAttr)
    assert layout.mode(1) == fly.LayoutType.get(8, 4)
    assert fly.LayoutType.get(layout.attr) == layout
    basis = fly.LayoutType.get((4, 8), (fly.BasisType.get(1, [0]), fly.BasisType.get(2, 1)))
    assert str(basis) == "!fly.layout<(4,8):(1E0,2E1)>"


def test_swizzles_and_composed_layouts():
    swizzle = fly.SwizzleType.get(2, 1, 3)
    assert (swizzle.mask, swizzle.base, swizzle.shift) == (2, 1, 3)
    composed = fly.ComposedLayoutType.get(swizzle, 0, fly.LayoutType.get((4, 8), (8, 1)))
    assert composed.inner == swizzle and composed.offset.to_python() == 0
    assert composed.linear == composed.outer
    assert composed.crd2idx((3, 5)) == 31
    coord = fly.CoordSwizzleType.get(2, 0, 0, 1, [1])
    assert (coord.mask, coord.base_row, coord.mode_row, coord.base_col, coord.mode_col) == (2, 0, [0], 1, [1])


def test_tiles():
    tile = fly.TileType.get([4, None, fly.LayoutType.get(8, 2)])
    assert str(tile) == "!fly.tile<[4|*|8:2]>"
    assert tile.rank == 3
    assert fly.TileType.get((2, (3, 4))).depth == 2


def test_pointers_and_memrefs(f32):
    pointer = fly.PointerType.get(f32, fly.AddressSpace.Shared, 16)
    assert str(pointer) == "!fly.ptr<f32, shared, align<16>>"
    assert pointer.element_type == f32 and pointer.alignment == 16
    assert pointer.address_space.value == fly.AddressSpace.Shared
    assert pointer.swizzle.mask == 0
    memref = fly.MemRefType.get(f32, fly.LayoutType.get((4, 8), (1, 4)))
    assert str(memref) == "!fly.memref<f32, global, (4,8):(1,4)>"
    assert memref == fly.MemRefType.get(f32, ((4, 8), (1, 4)), 1)
    assert memref.layout.shape.to_python() == (4, 8)
    assert memref.pointer_type == fly.PointerType.get(f32)
    buffer = fly.PointerType.get(f32, _fly.BufferDescAttr.get())
    assert isinstance(buffer.address_space, _fly.BufferDescAttr)
    tensor = fly.CoordTensorType.get((0, 0), memref.layout)
    assert tensor.base.to_python() == (0, 0) and tensor.layout == memref.layout


def test_copy_atoms(f32):
    op = fly.CopyOpUniversalCopyType.get(128)
    atom = fly.CopyAtomType.get(op, 32)
    assert atom.copy_op == op and atom.val_bits == 32 and op.bit_size == 128
    assert atom.thr_layout.size == 1
    assert atom.layout_src_tv.size == 4 == atom.layout_dst_tv.size == atom.layout_ref_tv.size
    assert not atom.state_fields and atom.required_feature == ""
    buffer = _fly.CopyOpCDNA3BufferCopyType.get(128)
    assert isinstance(buffer, _fly.BufferCopyType) and buffer.cache == 0
    assert [name for name, _ in buffer.state_fields]
    atomic = fly.CopyOpUniversalAtomicType.get(fly.AtomicOp.Max, f32, "workgroup")
    assert (atomic.atomic_op, atomic.val_type, atomic.syncscope) == (fly.AtomicOp.Max, f32, "workgroup")


def test_mma_atoms(f32):
    f16 = ir.F16Type.get()
    atom = fly.MmaAtomType.get(_fly.MmaOpCDNA3_MFMAType.get(16, 16, 16, f16, f16, f32))
    assert atom.shape_mnk.to_python() == (16, 16, 16)
    assert atom.thr_layout.body == "64:1"
    assert atom.layout_A_tv.body == "((16,4),4):((1,64),16)"
    assert atom.layout_C_tv.size == 256
    assert atom.val_type(fly.MmaOperand.A) == f16 and atom.val_type(2) == f32
    tiled = fly.TiledMmaType.get(atom, ((2, 2, 1), (1, 2, 0)))
    assert tiled.mma_atom == atom and tiled.permutation.rank == 3
    assert tiled.tile_size_mnk.to_python() == (32, 32, 16)
    assert tiled.thr_layout_vmnk.body == "(64,2,2,1):(1,64,128,0)"
    assert tiled.tv_layout_A_tiled.body == "((16,4,2,2),(4,(1,1))):((1,128,16,0),(32,(0,0)))"
    assert tiled.tv_layout_B_tiled.size and tiled.tv_layout_C_tiled.size == 32 * 32
    with pytest.raises(ValueError, match="MmaOperand has no case 9"):
        atom.val_type(9)


def test_tiled_copies():
    atom = fly.CopyAtomType.get(fly.CopyOpUniversalCopyType.get(32), 32)
    tiled = fly.TiledCopyType.get(atom, ((4, 8), (8, 1)), [4, 8])
    assert tiled.copy_atom == atom and tiled.layout_thr_val.size == 32 and tiled.tile_mn.rank == 2
    assert tiled.layout_tv_tiled == tiled.layout_thr_val
    assert tiled.layout_src_tv_tiled.size == 32 == tiled.layout_dst_tv_tiled.size


def test_values_have_the_class_of_their_type():
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        value = fly.static(fly.LayoutType.get((4, 8), (1, 4)))
    assert isinstance(value.type, fly.LayoutType)
    assert fly.IntTupleType.get(fly.IntTupleType.get(3)) == fly.IntTupleType.get(3)
    assert fly.LayoutType.get(value) == value.type


@pytest.mark.parametrize("name", [n for n in dir(_fly) if n.endswith(("Type", "Attr"))])
def test_every_class_has_a_type_id(name):
    assert getattr(_fly, name).static_typeid is not None
    assert getattr(_fly, name).get.__doc__


ERRORS = {
    "profile": (lambda: fly.LayoutType.get((4, 8), 1), ValueError, "LayoutType.get: .*same profile"),
    "too wide": (lambda: fly.IntTupleType.get(1 << 70), ValueError, "does not fit into 64 bits"),
    "empty": (lambda: fly.IntTupleType.get(()), ValueError, "IntTupleType.get: .*"),
    "text": (lambda: fly.IntTupleType.get("4"), TypeError, "expected an int, None"),
    "bool": (lambda: fly.IntTupleType.get(True), TypeError, "expected an int, None"),
    "swizzle": (lambda: fly.SwizzleType.get(-1, 0, 0), ValueError, "SwizzleType.get"),
    "alignment": (lambda: fly.PointerType.get(ir.F32Type.get(), 1, 3), ValueError, "PointerType.get: .*align"),
    "space": (lambda: fly.PointerType.get(ir.F32Type.get(), 77), ValueError, "77"),
    "copy op": (lambda: fly.CopyAtomType.get(ir.F32Type.get(), 32), ValueError, "CopyAtomType.get"),
    "mfma": (lambda: _fly.MmaOpCDNA3_MFMAType.get(7, 7, 7, *[ir.F32Type.get()] * 3), ValueError, "MmaOpCDNA3_MFMAType.get"),
    "mode": (lambda: fly.IntTupleType.get((1, 2)).mode(2), IndexError, "which has 2"),
    "index": (lambda: fly.LayoutType.get(4, 1).crd2idx((1, 2)), ValueError, "crd2idx"),
    "chip": (lambda: _fly.CPUTargetAttr.get("gfx0"), ValueError, "gfx0"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_carry_the_reason(name):
    call, kind, text = ERRORS[name]
    with pytest.raises(kind, match=text):
        call()


def test_deep_nesting_is_an_error():
    deep = 1
    for _ in range(100000):
        deep = (deep, )
    with pytest.raises(ValueError, match="nested deeper than 256 levels"):
        fly.IntTupleType.get(deep)
    # The tuple's own destruction is deep, too: take it apart.
    while isinstance(deep, tuple):
        deep = deep[0]
