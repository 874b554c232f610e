# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawings of layouts and atoms as Typst source: a table for each layout.

A layout's table shows the index of each coordinate. A (thread, value) layout's
table shows the tile with the owner of each item, "T3 V1" for value 1 of thread 3.
"""
from __future__ import annotations

import sys
from typing import Any, Optional

from ..._mlir import ir
from ..builders import builders as _fly
from .. import content
from ..atoms import CopyAtom, MmaAtom, TiledCopy, TiledMma, tiled_of
from ..layout import AnyTensor, ComposedLayout, Layout
from ..operands import describe

__all__ = ["print_typst", "typst_source"]

_MOST_CELLS = 65536


class _Scratch:
    """A module beside the user's in which layouts are evaluated; nothing of it stays."""

    def __enter__(self) -> "_Scratch":
        self._location = ir.Location.unknown()
        self._location.__enter__()
        self._module = ir.Module.create()
        self._point = ir.InsertionPoint(self._module.body)
        self._point.__enter__()
        return self

    def __exit__(self, *failure) -> None:
        self._point.__exit__(*failure)
        self._location.__exit__(*failure)

    @staticmethod
    def index(layout: ir.Value, coord: Any) -> content.Tree:
        """The index of a static coordinate."""
        where = _fly.make_int_tuple(ir.Type.parse(f"!fly.int_tuple<{content.tree_text(coord)}>"), [])
        return content.parse_tree(content.body(_fly.crd2idx(where, layout).type))


def _indices(layout: ir.Type, coords) -> list:
    """The indices of static coordinates in the layout of a type."""
    if str(layout).startswith("!fly.layout<"):
        _, stride = content.layout_trees(content.body(layout))
        shape, _ = content.layout_trees(content.body(layout))
        if all(type(leaf) is int for leaf in content.leaves(stride)):
            return [_evaluate(coord, shape, stride) for coord in coords]
    with _Scratch() as scratch:
        value = _fly.static(layout)
        return [scratch.index(value, coord) for coord in coords]


def _evaluate(coord: Any, shape: content.Tree, stride: content.Tree) -> int:
    if type(shape) is not tuple:
        return coord * stride
    if type(coord) is not tuple:
        parts = []
        for mode in shape[:-1]:
            size = content.tree_size(mode)
            parts.append(coord % size)
            coord //= size
        coord = (*parts, coord)
    return sum(map(_evaluate, coord, shape, stride))


def _escape(text: str) -> str:
    for char in "\\#*_$@<>[]":
        text = text.replace(char, "\\" + char)
    return text


def _table(caption: str, rows: int, columns: int, cells: list) -> str:
    """A figure with a grid of `rows` by `columns` cells, row by row, numbered on both sides."""
    lines = [
        "#figure(",
        f"  caption: [{_escape(caption)}],",
        f"  table(columns: {columns + 1}, align: center + horizon, inset: 4pt,",
        "    table.header([], " + ", ".join(f"[*{column}*]" for column in range(columns)) + "),",
    ]
    for row in range(rows):
        line = ", ".join(f"[{_escape(cell)}]" for cell in cells[row * columns:(row + 1) * columns])
        lines.append(f"    [*{row}*], {line},")
    return "\n".join(lines + ["  ),", ")", ""])


def _grid(shape: content.Tree):
    """Rows and columns of a shape: mode 0 and the product of the others."""
    if type(shape) is not tuple:
        return 1, shape
    rows = content.tree_size(shape[0])
    columns = 1
    for mode in shape[1:]:
        columns *= content.tree_size(mode)
    return rows, columns


def _check_cells(name: str, count: int) -> None:
    if count > _MOST_CELLS:
        raise ValueError(f"print_typst: {name} has {count} cells, at most {_MOST_CELLS} are drawn")


def _layout_table(name: str, layout: ir.Type) -> str:
    text = content.body(layout)
    if "?" in text:
        raise ValueError(f"print_typst: expected a static layout, got {text}")
    shape, _ = content.layout_trees(text)
    rows, columns = _grid(shape)
    _check_cells(name, rows * columns)
    # The column-major number of cell (row, column) is row + rows * column.
    numbers = [row + rows * column for row in range(rows) for column in range(columns)]
    return _table(f"{name} {text}", rows, columns, [content.tree_text(index) for index in _indices(layout, numbers)])


def _tv_table(name: str, layout: ir.Type, rows: int, columns: int) -> str:
    """The tile of rows x columns items with the owner of each."""
    _check_cells(name, rows * columns)
    shape, _ = content.layout_trees(content.body(layout))
    threads, values = content.tree_size(shape[0]), content.tree_size(shape[1])
    owners = [(thread, value) for thread in range(threads) for value in range(values)]
    cells: list = [[] for _ in range(rows * columns)]
    for (thread, value), index in zip(owners, _indices(layout, owners)):
        if not 0 <= index < rows * columns:
            raise ValueError(f"print_typst: {name}: thread {thread}, value {value} is item {index}, outside of the {rows}x{columns} tile")
        cells[(index % rows) * columns + index // rows].append(f"T{thread} V{value}")
    return _table(f"{name} {content.body(layout)}", rows, columns, ["; ".join(cell) or "-" for cell in cells])


def _extents(tuple_value: Any) -> tuple:
    return content.parse_tree(content.body(tuple_value.type))


def _tile_extents(tile: Any) -> list:
    from ..layout import split_tile
    extents = []
    for part in split_tile(tile.body):
        size = content.tree_size(content.parse_tree(part.split(":", 1)[0]))
        if size is None:
            raise ValueError(f"print_typst: the tile {tile.body} has no extents")
        extents.append(size)
    return extents


def _copy_tables(atom: CopyAtom) -> list:
    tables = []
    for name, layout in (("source", atom.layout_src_tv), ("destination", atom.layout_dst_tv)):
        items = 1 + max(_indices(layout.type, range(content.tree_size(layout.trees[0]))))
        tables.append(_tv_table(f"{name} of {atom.body}:", layout.type, 1, items))
    return tables


def _mma_tables(name: str, layouts: list, extents: tuple) -> list:
    m, n, k = extents
    return [
        _tv_table(f"{operand} of {name}:", layout.type, rows, columns)
        for (operand, rows, columns), layout in zip((("A (M x K)", m, k), ("B (N x K)", n, k), ("C (M x N)", m, n)), layouts)
    ]


def typst_source(value: Any) -> str:
    """The Typst source that draws a static layout, a tensor's layout, an atom or a tiled atom.

    TypeError for other values; ValueError for layouts with run-time parts or more than 65536 cells.
    """
    value = tiled_of(value)
    if isinstance(value, ir.Type) and "layout<" in str(value):
        return _layout_table("layout", value)
    if isinstance(value, AnyTensor):
        value = value.layout
    if isinstance(value, (Layout, ComposedLayout)):
        return _layout_table("layout", value.type)
    if isinstance(value, CopyAtom):
        return "\n".join(_copy_tables(value))
    if isinstance(value, MmaAtom):
        layouts = [value.layout_A_tv, value.layout_B_tv, value.layout_C_tv]
        return "\n".join(_mma_tables(value.body, layouts, _extents(value.shape_mnk)))
    if isinstance(value, TiledCopy):
        rows, columns = (_tile_extents(value.tile_mn) + [1])[:2]
        sides = (("source", value.layout_src_tv_tiled), ("destination", value.layout_dst_tv_tiled))
        return "\n".join(_tv_table(f"{name} of the tiled copy:", layout.type, rows, columns) for name, layout in sides)
    if isinstance(value, TiledMma):
        layouts = [value.tv_layout_A_tiled, value.tv_layout_B_tiled, value.tv_layout_C_tiled]
        return "\n".join(_mma_tables("the tiled mma", layouts, _extents(value.tile_size_mnk)))
    raise TypeError(f"print_typst: expected a layout, a tensor, an atom or a tiled atom, got {describe(value)}")


def print_typst(value: Any, file: Optional[Any] = None) -> None:
    """Prints the Typst source that draws a layout or atom, to `file` or standard output; see `typst_source`."""
    print(typst_source(value), file=file or sys.stdout)
