# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atoms, tiled atoms, partitions and fragments."""
import pytest

from flydsl._mlir import ir
import flydsl.expr as fx
from layout_support import layout, trace  # noqa: F401

MFMA = "!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>"


def mfma():
    return fx.make_mma_atom(ir.Type.parse(MFMA))


def tiled_mfma():
    return fx.make_tiled_mma(mfma(), layout((2, 2, 1), (1, 2, 0)))


def wide_copy():
    return fx.make_copy_atom(fx.UniversalCopy64b(), fx.Float16)


def test_operations(trace):
    assert str(fx.UniversalCopy(64)) == "!fly.universal_copy<64>"
    sizes = [str(f()) for f in (fx.UniversalCopy8b, fx.UniversalCopy16b, fx.UniversalCopy32b, fx.UniversalCopy64b, fx.UniversalCopy128b)]
    assert sizes == [f"!fly.universal_copy<{bits}>" for bits in (8, 16, 32, 64, 128)]
    assert str(fx.UniversalAtomic(fx.AtomicOp.Add, fx.Float32)) == "!fly.universal_atomic<add, f32>"
    assert str(fx.UniversalAtomic(fx.AtomicOp.Max, fx.Int32, fx.SyncScope.SingleThread)) == '!fly.universal_atomic<max, i32, "singlethread">'
    for name in ("Add", "Max", "Min", "And", "Or", "Inc", "Dec"):
        assert str(getattr(fx, f"UniversalAtomic{name}")(fx.Int32)) == f"!fly.universal_atomic<{name.lower()}, i32>"
    assert str(fx.UniversalFMA(fx.Float32)) == "!fly.universal_fma<1x1x1, (f32, f32) -> f32>"


def test_copy_atoms(trace):
    atom = fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float16)
    assert str(atom.type) == "!fly.copy_atom<!fly.universal_copy<128>, 16>" and atom.val_bits == 16
    assert "fly.make_copy_atom {valBits = 16 : i32} : !fly.copy_atom<!fly.universal_copy<128>, 16>" in trace.text()
    assert str(atom.thr_layout) == str(atom.thr_id) == "1:1"
    assert str(atom.layout_src_tv) == str(atom.layout_dst_tv) == str(atom.layout_ref_tv) == "(1,8):(1,1)"
    assert fx.make_copy_atom(fx.UniversalCopy32b(), 32).val_bits == 32
    assert fx.make_copy_atom(fx.UniversalCopy32b(), ir.F32Type.get()).val_bits == 32


def test_matrix_atoms(trace):
    atom = mfma()
    assert str(atom.thr_layout) == str(atom.thr_id) == "64:1" and str(atom.shape_mnk) == "(16,16,16)"
    assert str(atom.layout_A_tv) == str(atom.layout_B_tv) == "((16,4),4):((1,64),16)"
    assert str(atom.layout_C_tv) == "((16,4),(4,1)):((16,4),(1,16))"
    assert str(fx.make_mma_atom(fx.UniversalFMA(fx.Float32)).shape_mnk) == "(1,1,1)"


def test_tiled_matrix_atoms(trace):
    tiled = tiled_mfma()
    assert str(tiled.tile_size_mnk) == "(32,32,16)" and str(tiled.thr_layout_vmnk) == "(64,2,2,1):(1,64,128,0)"
    assert str(tiled.tv_layout_A_tiled) == "((16,4,2,2),(4,(1,1))):((1,128,16,0),(32,(0,0)))"
    assert str(tiled.tv_layout_B_tiled) == "((16,4,2,2),(4,(1,1))):((1,128,0,16),(32,(0,0)))"
    assert str(tiled.tv_layout_C_tiled) == "((16,8,2),((4,1),(1,1))):((32,4,512),((1,0),(0,0)))"
    assert str(tiled.atom_layout) == "(2,2,1):(1,2,0)" and str(tiled.permutation_mnk) == "[*|*|*]"
    assert str(tiled.mma_atom.type) == f"!fly.mma_atom<{MFMA}>"
    assert str(fx.make_tiled_mma(mfma(), layout((2, 2, 1), (1, 2, 0)), (None, None, 32)).tile_size_mnk) == "(32,32,32)"
    thread = tiled.get_slice(trace.int32())
    assert str(thread.partition_A(trace.tensor("(64,32):(32,1)", "f16")).type) == "!fly.memref<f16, global, (4,2,2):(1,1024,16), align<8>>".replace(", align<8>", "")
    assert str(thread.tile_size_mnk) == "(32,32,16)"


def test_matrix_partitions_and_fragments(trace):
    thread = tiled_mfma().thr_slice(trace.int32())
    a, c = trace.tensor("(64,32):(32,1)", "f16", "shared", ", align<16>"), trace.tensor("(64,64):(192,1)")
    assert str(thread.make_fragment_A(a).type) == "!fly.memref<f16, register, (4,2,2):(1,8,4)>"
    assert str(thread.make_fragment_B(a).type) == "!fly.memref<f16, register, (4,2,2):(1,8,4)>"
    assert str(thread.make_fragment_C(c).type) == "!fly.memref<f32, register, ((4,1),2,2):((1,0),8,4)>"
    assert thread.make_fragment_A(a, stages=2).rank == 4
    assert str(fx.tiled_mma_partition_shape(fx.MmaOperand.C, thread, (64, 64))) == "((4,1),2,2)"
    assert thread.partition_B(a).rank == 3 and thread.partition_C(c).rank == 3
    assert fx.tiled_mma_partition(fx.MmaOperand.A, thread, a, trace.int32()).rank == 3
    assert str(fx.mma_make_fragment(fx.MmaOperand.C, tiled_mfma(), c).type) == str(thread.make_fragment_C(c).type)


def test_tiled_copies(trace):
    tiled = fx.make_tiled_copy(wide_copy(), layout(((4, 3), 4), ((4, 16), 1)), fx.make_tile(16, 3))
    assert str(tiled.tile_mn) == "[16|3]" and str(tiled.layout_tv_tiled) == "((4,3),4):((4,16),1)"
    assert str(tiled.layout_src_tv_tiled) == str(tiled.layout_dst_tv_tiled) == "(12,(4,1)):(4,(1,0))"
    assert str(tiled.copy_atom.type) == "!fly.copy_atom<!fly.universal_copy<64>, 16>"
    thread = tiled.get_slice(trace.int32())
    t = trace.tensor("(32,6):(6,1)", "f16", extra=", align<8>")
    assert str(thread.partition_S(t).type) == str(thread.partition_D(t).type) == "!fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)>"
    assert str(fx.tiled_copy_partition_src(tiled, t, 0).type).startswith("!fly.memref<f16, global, ((4,1),2,2):((6,0),96,3)")
    assert str(fx.tiled_copy_partition_dst(thread, t, trace.int32()).type) == str(thread.partition_D(t).type)
    fragment = trace.tensor("(8,1,2):(1,0,8)", "f16", "register")
    assert str(thread.retile(fragment).type) == str(fx.tiled_copy_retile(tiled, fragment).type) == (
        "!fly.memref<f16, register, ((4,2),1,2):((1,4),0,8)>")
    coords = fx.make_view((0, 0), fx.make_identity_layout((32, 6)))
    assert str(thread.partition_S(coords).type) == "!fly.coord_tensor<(?{div=4},?), ((4,1),2,2):((1E0,0),16E0,3E1)>"


def test_tiled_copies_of_thread_and_value_layouts(trace):
    # User report 24.
    tiler, layout_tv = fx.make_layout_tv(layout((2, 16), (16, 1)), layout((3, 4), (4, 1)))
    assert str(tiler) == "(6,64)" and str(layout_tv) == "((16,2),(4,3)):((24,3),(6,1))"
    seen = [fx.get_scalar(layout_tv(thread, value)) for thread in range(32) for value in range(12)]
    assert sorted(seen) == list(range(384))
    tiled = fx.make_tiled_copy_tv(fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32), layout((4, 1), (1, 1)), layout((1, 8), (1, 1)))
    assert str(tiled.tile_mn) == "[4|8]" and str(tiled.layout_tv_tiled) == "(4,8):(1,4)"


def test_tiled_copies_of_matrix_operands(trace):
    tiled = tiled_mfma()
    for make, layout_tv, tile in ((fx.make_tiled_copy_A, tiled.tv_layout_A_tiled, "[32:1|16:1]"), (fx.make_tiled_copy_B, tiled.tv_layout_B_tiled, "[32:1|16:1]"),
                                  (fx.make_tiled_copy_C, tiled.tv_layout_C_tiled, "[32:1|32:1]")):
        made = make(wide_copy(), tiled)
        assert str(made.layout_tv_tiled) == str(layout_tv) and str(made.tile_mn) == tile
        assert str(make(wide_copy(), tiled.get_slice(0)).type) == str(made.type)
    assert "fly.static : !fly.tile<[32:1|16:1]>" in trace.text()


def test_run_time_state(trace):
    atom = fx.make_copy_atom(ir.Type.parse("!fly_rocdl.cdna3.buffer_copy<128>"), fx.Float16)
    assert str(atom.set_value("soffset", 5).type) == str(atom.type)
    atom.set_value({"soffset": trace.int32()})
    fx.atom_set_value(atom, "soffset", trace.int32())
    assert trace.ops().count("fly.atom.set_value") == 3
    tiled = fx.make_tiled_copy(atom, layout((4, 8), (8, 1)), fx.make_tile(8, 4)).set_value("soffset", 4)
    assert trace.ops()[-1] == "fly.make_tiled_copy" and isinstance(tiled, fx.TiledCopy)
    with pytest.raises(ValueError, match="has no run-time field 'offset'; its fields: soffset"):
        atom.set_value("offset", 5)
    with pytest.raises(TypeError, match="expected an element of type i32, got"):
        atom.set_value("soffset", fx.Float32(1.0))
    with pytest.raises(ValueError, match="its fields: none"):
        wide_copy().set_value("soffset", 5)
    with pytest.raises(TypeError, match="the value of 'soffset' is missing"):
        atom.set_value("soffset")


@pytest.mark.parametrize("make, error, text", [
    (lambda t: fx.UniversalCopy(0), ValueError, "expected a positive number of bits, got 0"),
    (lambda t: fx.UniversalCopy(t.int32()), TypeError, "UniversalCopy: expected an integer known while tracing"),
    (lambda t: fx.UniversalAtomic("plus", fx.Int32), TypeError, "UniversalAtomic op: expected one of AtomicOp.Add"),
    (lambda t: fx.UniversalAtomic(fx.AtomicOp.And, fx.Float32), (ValueError, ir.MLIRError), "float|integer"),
    (lambda t: fx.UniversalFMA(fx.Int32), (ValueError, ir.MLIRError), "float|integer"),
    (lambda t: fx.make_copy_atom(64, fx.Float16), TypeError, "expected a copy operation such as fx.UniversalCopy128b"),
    (lambda t: fx.make_copy_atom(ir.F32Type.get(), fx.Float16), ValueError, "copy"),
    (lambda t: fx.make_copy_atom(fx.UniversalCopy64b(), "f16"), TypeError, "make_copy_atom elem_type: expected a numeric class"),
    (lambda t: fx.make_mma_atom(ir.F32Type.get()), ValueError, "matrix"),
    (lambda t: fx.make_tiled_mma(wide_copy(), layout((2, 2, 1), (1, 2, 0))), TypeError, "make_tiled_mma: expected an mma atom"),
    (lambda t: fx.make_tiled_mma(mfma(), layout((2, 2), (1, 2))), ValueError, r"expected a layout of atoms over \(M, N, K\), of rank 3"),
    (lambda t: fx.make_tiled_mma(mfma(), (2, 2, 1)), TypeError, "make_tiled_mma: expected a layout, got tuple"),
    (lambda t: fx.make_tiled_copy(mfma(), layout((4, 4), (4, 1)), (4, 4)), TypeError, "make_tiled_copy: expected a copy atom"),
    (lambda t: fx.make_tiled_copy(wide_copy(), layout((t.int32(), 4), (4, 1)), (4, 4)), ValueError, "expected a static layout"),
    (lambda t: fx.make_tiled_copy_A(wide_copy(), mfma()), TypeError, "make_tiled_copy_A: expected a tiled mma"),
    (lambda t: tiled_mfma().make_fragment_A(t.tensor("(64,32):(32,1)", "f16"), stages=0), ValueError, "stages is a positive int, got 0"),
    (lambda t: tiled_mfma().make_fragment_A(layout((64, 32), (32, 1))), TypeError, "make_fragment_A: expected a tensor in memory"),
    (lambda t: tiled_mfma().get_slice(1.5), TypeError, "TiledMma.get_slice: expected an int"),
    (lambda t: tiled_mfma().get_slice(0).partition_A(layout((64, 32), (32, 1))), TypeError, "partition_A: expected a Tensor"),
    (lambda t: tiled_mfma().get_slice(0).no_such_name, AttributeError, "no_such_name"),
    (lambda t: fx.tiled_mma_partition("x", tiled_mfma(), t.tensor("4:1"), 0), TypeError, "tiled_mma_partition operand: expected one of MmaOperand.A"),
    (lambda t: fx.tiled_copy_retile(mfma(), t.tensor("4:1")), TypeError, "tiled_copy_retile: expected a TiledCopy"),
])
def test_mistakes(trace, make, error, text):
    with pytest.raises(error, match=text):
        make(trace)


def test_tiles_that_do_not_divide_are_refused(trace):
    with pytest.raises(ir.MLIRError, match="tiled_mma_c2"):
        tiled_mfma().get_slice(0).partition_A(trace.tensor("(64,20):(20,1)", "f16"))


def test_protocol(trace):
    thread = tiled_mfma().get_slice(trace.int32())
    values = thread.__extract_to_ir_values__()
    assert [str(value.type) for value in values] == [str(thread.tiled.type), "!fly.int_tuple<?>"]
    again = fx.ThrMma.__construct_from_ir_values__([ir.Value(value) for value in values], thread)
    assert isinstance(again, fx.ThrMma) and str(again.tile_size_mnk) == "(32,32,16)"
