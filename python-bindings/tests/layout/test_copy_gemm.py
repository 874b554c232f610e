# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole copies and products, gather and scatter."""
import pytest

from flydsl._mlir import ir
import flydsl.expr as fx
from layout_support import layout, trace  # noqa: F401


def wide():
    return fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float16)


def fma():
    return fx.make_mma_atom(fx.UniversalFMA(fx.Float32))


def test_copy(trace):
    src, dst = trace.tensor("((8,1),2,3):((1,0),32,64)", "f16", extra=", align<16>"), trace.tensor("((8,1),2,3):((1,0),8,16)", "f16", "register")
    fx.copy(wide(), src, dst)
    fx.copy(wide(), src, dst, pred=trace.tensor("(2,3):(1,2)", "i1", "register"))
    fx.copy(wide(), src, dst, pred=trace.tensor("(1,2,3):(0,1,2)", "i1", "register"))
    tiled = fx.make_tiled_copy(wide(), layout((4, 8), (8, 1)), (8, 4))
    fx.copy(tiled, src, dst)
    fx.copy(tiled.get_slice(0), src, dst)
    assert trace.ops().count("fly.copy") == 5


def test_copy_with_state(trace):
    # DIFF: py-unknown-state
    atom = fx.make_copy_atom(ir.Type.parse("!fly_rocdl.cdna3.buffer_copy<128>"), fx.Float16)
    src, dst = trace.tensor("(8,2):(1,8)", "f16", "#fly_rocdl.buffer_desc"), trace.tensor("(8,2):(1,8)", "f16", "register")
    fx.copy(atom, src, dst, soffset=trace.int32())
    fx.copy(atom, src, dst, soffset=16)
    assert trace.ops().count("fly.atom.set_value") == 2
    with pytest.raises(ValueError, match="copy: .* has no run-time field 'offset'; its fields: soffset"):
        fx.copy(atom, src, dst, offset=3)


@pytest.mark.parametrize("make, error, text", [
    (lambda t: fx.copy(4, t.tensor("4:1"), t.tensor("4:1")), TypeError, "copy: expected a copy atom or a tiled copy, got int"),
    (lambda t: fx.copy(fma(), t.tensor("4:1"), t.tensor("4:1")), TypeError, "copy: expected a copy atom or a tiled copy, got MmaAtom"),
    (lambda t: fx.copy(wide(), layout(4, 1), t.tensor("4:1")), TypeError, "copy src: expected a Tensor"),
    (lambda t: fx.copy(wide(), t.tensor("(8,2):(1,8)", "f16"), t.tensor("8:1", "f16")), ValueError, "expected tensors of equal rank"),
    (lambda t: fx.copy(wide(), t.tensor("(8,2):(1,8)", "f16"), t.tensor("(8,3):(1,8)", "f16")), ValueError, "mode 1 of dst has 3 items where mode 1 of src has 2"),
    (lambda t: fx.copy(wide(), t.tensor("(8,4):(1,8)", "f16"), t.tensor("(8,4):(1,8)", "f16"), pred=t.tensor("8:1", "i1")), ValueError,
     "mode 0 of pred has 8 items where mode 1 of src has 4"),
    (lambda t: fx.copy(wide(), t.tensor("(8,4):(1,8)", "f16"), t.tensor("(8,4):(1,8)", "f16"), pred=t.tensor("4:1", "i8")), TypeError, "fx.Boolean elements"),
    (lambda t: fx.copy_atom_call(fma(), t.tensor("4:1"), t.tensor("4:1")), TypeError, "copy_atom_call: expected a copy atom"),
    (lambda t: fx.mma_atom_call(wide(), *[t.tensor("1:0")] * 4), TypeError, "mma_atom_call: expected an mma atom"),
    (lambda t: fx.mma_atom_call(fma(), t.tensor("1:0"), [], t.tensor("1:0"), t.tensor("1:0")), ValueError, "got an empty list"),
])
def test_copy_mistakes(trace, make, error, text):
    # DIFF: py-gemm-counts
    with pytest.raises(error, match=text):
        make(trace)


def fragments(trace, k=True):
    d = trace.tensor("(1,2,3):(0,1,2)", space="register")
    a = trace.tensor("(1,2,4):(0,1,2)" if k else "(1,2):(0,1)", space="register")
    b = trace.tensor("(1,3,4):(0,1,3)" if k else "(1,3):(0,1)", space="register")
    return d, a, b


def test_gemm(trace):
    # DIFF: py-trace-plain
    d, a, b = fragments(trace)
    fx.gemm(fma(), d, a, b, d)
    fx.gemm(fma(), d, a, b, d, traversal_order=fx.GemmTraversalOrder.KMN)
    fx.gemm(fma(), d, [a], [b], d, traversal_layout=layout(24, 1))
    fx.gemm(fx.make_tiled_mma(fma(), layout((1, 1, 1), (0, 0, 0))), d, a, b, d)
    one = trace.tensor("1:0", space="register")
    fx.gemm(fma(), one, one, one, one)
    fx.mma_atom_call(fma(), one, one, [one], one)
    assert trace.ops().count("fly.gemm") == 5 and "traversalOrder = #fly<gemm_traversal_order kmn>" in trace.text()
    # Shapes are checked from the types: nothing else is emitted.
    assert not {"fly.get_layout", "fly.get_shape", "fly.size"} & set(trace.ops())


@pytest.mark.parametrize("make, error, text", [
    (lambda t, d, a, b: fx.gemm(wide(), d, a, b, d), TypeError, "gemm: expected an mma atom or a tiled mma, got CopyAtom"),
    (lambda t, d, a, b: fx.gemm(fma(), a, a, b, d), ValueError, "gemm: M tile counts differ|gemm: N tile counts differ"),
    (lambda t, d, a, b: fx.gemm(fma(), d, b, b, d), ValueError, "gemm: M tile counts differ: d has 2, a has 3"),
    (lambda t, d, a, b: fx.gemm(fma(), d, a, a, d), ValueError, "gemm: N tile counts differ: d has 3, b has 2"),
    (lambda t, d, a, b: fx.gemm(fma(), d, a, t.tensor("(1,3,5):(0,1,3)"), d), ValueError, "gemm: K tile counts differ: a has 4, b has 5"),
    (lambda t, d, a, b: fx.gemm(fma(), d, a, t.tensor("(1,3):(0,1)"), d), ValueError, r"got ranks \(3, 3, 2, 3\)"),
    (lambda t, d, a, b: fx.gemm(fma(), d, [], b, d), ValueError, "gemm a: expected a tensor or a list of them"),
    (lambda t, d, a, b: fx.gemm(fma(), d, a, b, d, traversal_order="abc"), TypeError, "gemm traversal_order: expected one of GemmTraversalOrder.KMN"),
    (lambda t, d, a, b: fx.gemm(fma(), d, a, b, d, traversal_order=0, traversal_layout=layout(24, 1)), ValueError, "got both"),
    (lambda t, d, a, b: fx.gemm(fma(), d, a, b, d, scale_a=1), ValueError, "has no run-time field 'scale_a'"),
    (lambda t, d, a, b: fx.gemm(fma(), d, a, b, d, atom_callback=lambda atom, at: None), TypeError, "atom_callback returns an mma atom"),
    (lambda t, d, a, b: fx.gemm(fma(), d, a, b, d, traversal_layout=layout(12, 1), atom_callback=lambda atom, at: atom), ValueError, "visits each of the 24 atoms once"),
])
def test_gemm_mistakes(trace, make, error, text):
    d, a, b = fragments(trace)
    with pytest.raises(error, match=text):
        make(trace, d, a, b)


def visited(trace, k=True, **options):
    d, a, b = fragments(trace, k)
    seen = []

    def callback(atom, at):
        seen.append(at)
        return atom

    fx.gemm(fma(), d, a, b, d, atom_callback=callback, **options)
    return seen


def test_callbacks_follow_the_traversal_order(trace):
    # The first letter is the innermost loop; N = 3, M = 2, K = 4.
    assert visited(trace) == [(m, n, k) for k in range(4) for m in range(2) for n in range(3)]
    assert visited(trace, traversal_order=fx.GemmTraversalOrder.KMN) == [(m, n, k) for n in range(3) for m in range(2) for k in range(4)]
    assert visited(trace, k=False) == [(m, n, 0) for m in range(2) for n in range(3)]
    assert visited(trace, k=False, traversal_order=fx.GemmTraversalOrder.KMN) == [(m, n, 0) for n in range(3) for m in range(2)]
    assert visited(trace, k=False, traversal_order=fx.GemmTraversalOrder.NMK_Serpentine) == [(0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 2, 0), (1, 1, 0), (1, 0, 0)]
    serpentine = visited(trace, traversal_order=fx.GemmTraversalOrder.NMK_Serpentine)
    assert serpentine[:6] == [(0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 2, 0), (1, 1, 0), (1, 0, 0)]
    assert serpentine[6:12] == [(1, 0, 1), (1, 1, 1), (1, 2, 1), (0, 2, 1), (0, 1, 1), (0, 0, 1)]
    assert visited(trace, traversal_layout=layout((4, 6), (6, 1))) == [(i % 2, i // 2, k) for i in range(6) for k in range(4)]
    assert len(set(visited(trace))) == 24


def test_callbacks_read_c_at_the_first_visit(trace):
    d, a, b = fragments(trace)
    c = trace.tensor("(1,2,3):(0,1,2)", space="register")
    fx.gemm(fma(), d, a, b, c, atom_callback=lambda atom, at: atom)
    calls = [op.operation for op in trace.block.operations if op.operation.name == "fly.mma_atom_call"]
    sources = [call.operands[4].owner.operands[0] for call in calls]
    assert len(calls) == 24 and sources[:6] == [c] * 6 and sources[6:] == [d] * 18


def test_gather_and_scatter(trace):
    atom = fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float32)
    base = trace.tensor("1024:1", extra=", align<16>").iter
    offsets = trace.tensor("(2,3):(1,2)", "i32", "register")
    data = trace.tensor("((4,2),3):((1,4),8)", space="register")
    fx.gather(atom, base, offsets, data)
    fx.scatter(atom, data, base, offsets)
    assert trace.ops().count("fly.copy_atom_call") == 12 and trace.ops().count("fly.memref.load") == 12
    fx.gather(atom, base, offsets, data, pred=trace.tensor("(2,3):(1,2)", "i1", "register"))
    last = [op.operation for op in trace.block.operations if op.operation.name == "fly.copy_atom_call"][-1]
    assert [str(v.type) for v in last.operands] == [
        "!fly.copy_atom<!fly.universal_copy<128>, 32>", "!fly.memref<f32, global, 4:1>", "!fly.memref<f32, register, 4:1>", "!fly.memref<i1, register, 1:0>"
    ]


@pytest.mark.parametrize("make, error, text", [
    (lambda atom, base, off, data, t: fx.gather(atom, data, off, data), TypeError, "gather: expected a pointer as base"),
    (lambda atom, base, off, data, t: fx.gather(atom, base, t.tensor("(2,2):(1,2)", "i32"), data), ValueError, r"expected offsets of shape \(TV, Rest...\) = \(2,3\)"),
    (lambda atom, base, off, data, t: fx.gather(atom, base, off, t.tensor("(8,3):(1,8)")), ValueError, r"expected data of shape \(\(AtomV, TV\), Rest...\)"),
    (lambda atom, base, off, data, t: fx.scatter(atom, data, base, off, pred=t.tensor("6:1", "i1")), ValueError, "expected pred of shape"),
    (lambda atom, base, off, data, t: fx.scatter(fma(), data, base, off), TypeError, "scatter: expected a copy atom"),
])
def test_gather_mistakes(trace, make, error, text):
    atom = fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float32)
    with pytest.raises(error, match=text):
        make(atom, trace.tensor("1024:1").iter, trace.tensor("(2,3):(1,2)", "i32"), trace.tensor("((4,2),3):((1,4),8)"), trace)
