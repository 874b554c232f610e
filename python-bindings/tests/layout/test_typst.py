# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawings of layouts and atoms."""
import io
import re

import pytest

from flydsl._mlir import ir
import flydsl.expr as fx
from flydsl.expr.utils import print_typst, typst_source
from layout_support import layout, trace  # noqa: F401


def cells(source):
    """The rows of each table, as lists of texts."""
    tables = []
    for line in source.splitlines():
        if line.startswith("#figure"):
            tables.append([])
        elif re.match(r"\s+\[\*\d+\*\],", line):
            tables[-1].append([cell.replace("\\", "") for cell in re.findall(r"\[([^\]]*)\]", line)[1:]])
    return tables


def test_layouts(trace):
    (table, ) = cells(typst_source(layout((4, 8), (8, 1))))
    assert table == [[str(8 * row + column) for column in range(8)] for row in range(4)]
    (table, ) = cells(typst_source(layout(((2, 2), 3), ((1, 4), 8))))
    assert [row[0] for row in table] == ["0", "1", "4", "5"]


def test_swizzled_layouts_follow_the_bit_formula(trace):
    swizzled = fx.make_composed_layout(fx.SwizzleType.get(2, 1, 3), layout((4, 8), (8, 1)))
    (table, ) = cells(typst_source(swizzled))
    for row in range(4):
        for column in range(8):
            x = 8 * row + column
            assert table[row][column] == str(x ^ ((x & (3 << 4)) >> 3))


def test_nothing_stays_in_the_users_module(trace):
    swizzled = fx.make_composed_layout(fx.SwizzleType.get(2, 1, 3), layout((4, 8), (8, 1)))
    before = trace.ops()
    typst_source(swizzled)
    assert trace.ops() == before


def test_atoms(trace):
    atom = fx.make_mma_atom(ir.Type.parse("!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>"))
    a, b, c = cells(typst_source(atom))
    assert len(a) == len(b) == len(c) == 16 and a[3][5] == "T19 V1"
    # Row 4 * (lane / 16) + value, column lane mod 16.
    assert all(c[row][column] == f"T{16 * (row // 4) + column} V{row % 4}" for row in range(16) for column in range(16))
    source, destination = cells(typst_source(fx.make_copy_atom(fx.UniversalCopy64b(), fx.Float16)))
    assert source == destination == [["T0 V0", "T0 V1", "T0 V2", "T0 V3"]]


def test_tiled_atoms(trace):
    mma = fx.make_tiled_mma(fx.make_mma_atom(fx.UniversalFMA(fx.Float32)), layout((2, 3, 1), (1, 2, 0)))
    a, b, c = cells(typst_source(mma))
    assert [len(table) for table in (a, b, c)] == [2, 3, 2] and c[1][2] == "T5 V0" and a[1][0] == "T1 V0; T3 V0; T5 V0"
    copy = fx.make_tiled_copy_tv(fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32), layout((2, 2), (2, 1)), layout((1, 2), (1, 1)))
    source, _ = cells(typst_source(copy.get_slice(0)))
    assert source == [["T0 V0", "T0 V1", "T1 V0", "T1 V1"], ["T2 V0", "T2 V1", "T3 V0", "T3 V1"]]


def test_output(trace):
    text = io.StringIO()
    print_typst(layout(4, 1), file=text)
    assert text.getvalue().startswith("#figure(") and "caption: [layout 4:1]" in text.getvalue()


@pytest.mark.parametrize("make, error, text", [
    (lambda t: typst_source(4), TypeError, "print_typst: expected a layout, a tensor, an atom or a tiled atom, got int"),
    (lambda t: typst_source(layout(t.int32(), 1)), ValueError, "expected a static layout"),
    (lambda t: typst_source(layout((512, 512), (1, 512))), ValueError, "at most 65536 are drawn"),
])
def test_mistakes(trace, make, error, text):
    with pytest.raises(error, match=text):
        make(trace)
