# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the functions emit goes through the passes of the dialect: nothing of the algebra is left."""
from flydsl._mlir import ir, passmanager
from flydsl._mlir.dialects import func
import flydsl.expr as fx
from layout_support import layout, trace  # noqa: F401

PASSES = "builtin.module(fly-rewrite-func-signature,fly-canonicalize,fly-layout-lowering,fly-int-swizzle-simplify,canonicalize,cse)"


def lowered(trace):
    """The module after the passes."""
    with ir.InsertionPoint(trace.block):
        end = func.ReturnOp([])
    module = ir.Module.parse(str(trace.module))
    end.operation.erase()
    passmanager.PassManager.parse(PASSES).run(module.operation)
    return module


def names(module):
    found = []
    module.operation.walk(lambda op: (found.append(op.name), ir.WalkResult.ADVANCE)[1])
    return found


def test_run_time_algebra(trace):
    n = trace.int32()
    out = trace.tensor("16:1", "i32")
    rows, columns = trace.tensor("(?,?):(?{i64},1)").shape.to_py_value()
    out[0] = rows + columns
    nested = layout((n, (4, n)), (1, (n, n * 4)))
    first, (_, last) = nested.shape.to_py_value()
    out[1] = first * last
    out[2] = fx.get_scalar(fx.size(nested))
    out[3] = fx.get_scalar(nested(n, (1, n)))
    out[4], out[5] = fx.idx2crd(n, layout((4, 8), (1, 4))).to_py_value()
    out[6] = fx.Int32(fx.get(fx.make_int_tuple((n, 5)), 0))
    out[7], out[8] = fx.make_view((n, 0), fx.make_identity_layout((6, n)))[1, 2].to_py_value()
    out[9] = fx.get_leaves((n, 3))[0]
    out[10], out[11] = layout((5, 7), (fx.E(0) * n, fx.E(1) * 2))(n, 3).to_py_value()
    swizzled = fx.make_composed_layout(fx.SwizzleType.get(2, 1, 3), n, layout((4, 8), (8, 1)))
    out[12] = fx.get_scalar(fx.slice(swizzled, (None, n))(n))
    left = set(names(lowered(trace)))
    assert {name for name in left if name.startswith("fly.")} <= {"fly.static", "fly.add_offset", "fly.ptr.store"}


def test_static_algebra_folds(trace):
    out = trace.tensor("4:1", "i32")
    out[0] = fx.get_scalar(fx.cosize(fx.logical_product(layout((4, 8), (1, 4)), 3)))
    text = str(lowered(trace))
    assert "arith.constant 96 : i32" in text and "fly.logical_product" not in text


def test_copies_and_products(trace):
    atom = fx.make_copy_atom(fx.UniversalCopy64b(), fx.Float32)
    src, dst = trace.tensor("(2,3):(1,8)", extra=", align<8>"), fx.make_rmem_tensor((2, 3), fx.Float32)
    fx.copy(atom, src, dst)
    fma = fx.make_mma_atom(fx.UniversalFMA(fx.Float32))
    d, a, b = (fx.make_rmem_tensor(shape, fx.Float32) for shape in ((1, 2, 3), (1, 2, 4), (1, 3, 4)))
    d.fill(0)
    fx.gemm(fma, d, a, b, d)
    fx.gemm(fma, d, a, b, d, atom_callback=lambda atom, at: atom)
    found = names(lowered(trace))
    assert found.count("fly.copy_atom_call") == 3 and found.count("fly.mma_atom_call") == 48


def test_gather(trace):
    atom = fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float32)
    fx.gather(atom, trace.tensor("1024:1", extra=", align<16>").iter, trace.tensor("(2,3):(1,2)", "i32"), fx.make_rmem_tensor(((4, 2), 3), fx.Float32),
              pred=trace.tensor("(2,3):(1,2)", "i1"))
    assert names(lowered(trace)).count("fly.copy_atom_call") == 6
