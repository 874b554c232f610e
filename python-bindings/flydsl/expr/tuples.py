# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions on int tuples, and structural functions that also take layouts and tensors.

An int tuple argument is written as an int, a nested tuple of ints, DSL integers,
None (`*`) and `Basis`, or is an `IntTuple`.
"""
from __future__ import annotations

from typing import Any

from .._mlir import ir
from .._mlir.dialects import arith as _arith
from . import content
from .builders import builders as _fly
from .layout import AnyTensor, ComposedLayout, IntTuple, Layout, Tile
from .numeric import Boolean, Int32, Int64, Numeric
from .operands import as_int_tuple, as_tile, describe, int_attr, results_of, static_int

__all__ = [
    "append", "ceil_div", "depth", "dice", "elem_less", "equal", "get", "get_", "get_leaves", "get_scalar", "group", "has_none",
    "int_tuple_add", "int_tuple_div", "int_tuple_mod", "int_tuple_mul", "int_tuple_product", "int_tuple_product_each",
    "int_tuple_product_like", "int_tuple_sub", "make_coord", "make_int_tuple", "make_shape", "make_stride", "make_tile", "prepend", "rank",
    "select", "shape_div", "slice", "static", "take"
]


def as_structure(value: Any, where: str) -> ir.Value:
    """`value` as an int tuple, a layout or a tensor; Python values become int tuples."""
    if isinstance(value, (IntTuple, Layout, ComposedLayout, AnyTensor)):
        return value
    return as_int_tuple(value, where)


def on_layout(tensor: AnyTensor, change) -> ir.Value:
    """The tensor with its layout changed, its iterator kept."""
    return _fly.make_view(_fly.get_iter(tensor), change(_fly.get_layout(tensor)))


# --- constructors ---------------------------------------------------------------


def static(type: ir.Type) -> ir.Value:
    """The value of a type that has exactly one, for example `static(SwizzleType.get(3, 3, 3))`.

    TypeError if `type` is no type; ValueError if a part of it is known only at run time.
    """
    if not isinstance(type, ir.Type):
        raise TypeError(f"static: expected a type such as fx.LayoutType.get(...), got {describe(type)}")
    if "?" in str(type):
        raise ValueError(f"static: expected a type without run-time parts, got {type}")
    return _fly.static(type)


def make_int_tuple(value: Any) -> IntTuple:
    """An int tuple of ints, DSL integers, raw IR integers, None, `Basis` and nested tuples of these.

    Run-time integers below 32 bits are widened to i32, `index` to i64.
    TypeError for floats and other objects, ValueError for an empty tuple.
    """
    return as_int_tuple(value, "make_int_tuple")


def _make(name: str, builder, modes) -> IntTuple:
    if not modes:
        raise TypeError(f"{name}: expected at least one mode")
    return as_int_tuple(tuple(modes), name, builder)


def make_shape(*sizes: Any) -> IntTuple:
    """The int tuple of these sizes, one mode for each argument."""
    return _make("make_shape", _fly.make_shape, sizes)


def make_stride(*strides: Any) -> IntTuple:
    """The int tuple of these strides, one mode for each argument."""
    return _make("make_stride", _fly.make_stride, strides)


def make_coord(*coords: Any) -> IntTuple:
    """The int tuple of these coordinates, one mode for each argument; None keeps a mode whole in `slice`."""
    return _make("make_coord", _fly.make_coord, coords)


def make_tile(*modes: Any) -> Tile:
    """A per-mode tile: how to cut each mode of a layout.

    A mode is an int (that many neighbouring items), a static layout (which
    items), None (all of it) or a tuple of these. By a tile each mode is cut on
    its own; a layout as divisor counts through all modes instead.
    """
    if not modes:
        raise TypeError("make_tile: expected at least one mode")
    return as_tile(tuple(modes), "make_tile")


# --- content --------------------------------------------------------------------


def _single_leaf(value: IntTuple, where: str) -> content.Tree:
    tree = value.tree
    while type(tree) is tuple and len(tree) == 1:
        tree = tree[0]
    if type(tree) is tuple:
        raise ValueError(f"{where}: expected a single integer, got the int tuple {value}")
    return tree


def get_scalar(value: Any) -> Any:
    """The one leaf of an int tuple: a Python int if it is static, else an `Int32` or `Int64`.

    Tuples of one mode are peeled. ValueError if more than one leaf is left. Of
    a basis element its value; `*` counts as 0.
    """
    if not isinstance(value, IntTuple):
        number = static_int(value)
        if number is not None:
            return number
        if isinstance(value, Numeric) and type(value).is_integer:
            return value
        value = as_int_tuple(value, "get_scalar")
    leaf = _single_leaf(value, "get_scalar")
    leaf = leaf.value if type(leaf) is content.BasisLeaf else leaf
    if leaf is None:
        return 0
    if type(leaf) is int:
        return leaf
    return (Int64 if leaf.width == 64 else Int32)(_fly.get_scalar(value))


def get_leaves(value: Any, dynamic_only: bool = False) -> list:
    """All leaves of an int tuple, depth first and left to right: a Python int for a static one, else an `Int32` or `Int64`.

    With `dynamic_only` the run-time leaves alone.
    """
    value = as_int_tuple(value, "get_leaves")
    found = content.leaves(value.tree)
    numbers = results_of(_fly.get_leaves(value, dynamic_only=bool(dynamic_only)))
    if dynamic_only:
        found = [leaf for leaf in found if content.is_dynamic_leaf(leaf)]
    leaves = []
    for leaf, number in zip(found, numbers):
        leaf = leaf.value if type(leaf) is content.BasisLeaf else leaf
        if type(leaf) is content.Dynamic:
            leaves.append((Int64 if leaf.width == 64 else Int32)(number))
        else:
            leaves.append(leaf or 0)
    return leaves


def _python_tree(value: Any) -> Any:
    """The nesting of a value: shapes for layouts and tensors, the tuple itself for Python values."""
    if isinstance(value, IntTuple):
        return value.tree
    if isinstance(value, (Layout, ComposedLayout, AnyTensor)):
        return value.trees[0]
    if isinstance(value, list):
        return tuple(value)
    return value


def rank(value: Any) -> int:
    """The number of modes of an int tuple, layout, tile, tensor or Python tuple; 1 for a leaf."""
    if isinstance(value, Tile):
        return value.rank
    return content.tree_rank(_python_tree(value))


def depth(value: Any) -> int:
    """The number of nested tuples of an int tuple, layout, tensor or Python tuple; 0 for a leaf."""
    if isinstance(value, list):
        value = tuple(value)
    if isinstance(value, tuple):
        return 1 + max(map(depth, value), default=0)
    return content.tree_depth(_python_tree(value))


def has_none(value: Any) -> bool:
    """True if a leaf of an int tuple or a Python tuple is None (`*`)."""
    if isinstance(value, (tuple, list)):
        return any(map(has_none, value))
    if isinstance(value, IntTuple):
        return None in content.leaves(value.tree)
    return value is None


# --- arithmetic -----------------------------------------------------------------


def int_tuple_add(a: Any, b: Any) -> IntTuple:
    """Element-wise sum; modes that only the longer one has are taken over. Basis elements add as coordinates."""
    return _fly.int_tuple_add(as_int_tuple(a, "int_tuple_add"), as_int_tuple(b, "int_tuple_add"))


def int_tuple_sub(a: Any, b: Any) -> IntTuple:
    """Element-wise difference; modes that only the longer one has are taken over."""
    return _fly.int_tuple_sub(as_int_tuple(a, "int_tuple_sub"), as_int_tuple(b, "int_tuple_sub"))


def int_tuple_mul(a: Any, b: Any) -> IntTuple:
    """Element-wise product; an integer scales a basis element."""
    return _fly.int_tuple_mul(as_int_tuple(a, "int_tuple_mul"), as_int_tuple(b, "int_tuple_mul"))


def int_tuple_div(a: Any, b: Any) -> IntTuple:
    """Element-wise quotient, truncated towards zero."""
    return _fly.int_tuple_div(as_int_tuple(a, "int_tuple_div"), as_int_tuple(b, "int_tuple_div"))


def int_tuple_mod(a: Any, b: Any) -> IntTuple:
    """Element-wise remainder with the sign of the dividend."""
    return _fly.int_tuple_mod(as_int_tuple(a, "int_tuple_mod"), as_int_tuple(b, "int_tuple_mod"))


def int_tuple_product(value: Any) -> IntTuple:
    """The product of all leaves."""
    return _fly.int_tuple_product(as_int_tuple(value, "int_tuple_product"))


def int_tuple_product_each(value: Any) -> IntTuple:
    """The product of the leaves of each mode."""
    return _fly.int_tuple_product_each(as_int_tuple(value, "int_tuple_product_each"))


def int_tuple_product_like(value: Any, guide: Any) -> IntTuple:
    """The products of the parts of `value` that stand against the leaves of `guide`."""
    return _fly.int_tuple_product_like(as_int_tuple(value, "int_tuple_product_like"), as_int_tuple(guide, "int_tuple_product_like"))


def shape_div(a: Any, b: Any) -> IntTuple:
    """Divides the shape `a` by `b`: a tuple by an integer uses the integer up mode by mode."""
    return _fly.shape_div(as_int_tuple(a, "shape_div"), as_int_tuple(b, "shape_div"))


def ceil_div(a: Any, b: Any) -> IntTuple:
    """Element-wise quotient of int tuples, rounded up. `fx.ceildiv` divides numbers."""
    return _fly.ceil_div(as_int_tuple(a, "ceil_div"), as_int_tuple(b, "ceil_div"))


def elem_less(a: Any, b: Any) -> Boolean:
    """True where every element of `a` is below that of `b`: whether a coordinate is inside of a shape."""
    return Boolean(_fly.elem_less(as_int_tuple(a, "elem_less"), as_int_tuple(b, "elem_less")))


def equal(a: Any, b: Any) -> Boolean:
    """True if both int tuples have the same nesting and equal leaves."""
    return Boolean(_fly.equal(as_int_tuple(a, "equal"), as_int_tuple(b, "equal")))


# --- structure ------------------------------------------------------------------


def _path(mode: Any, where: str) -> list:
    return [int_attr(part, where) for part in (mode if isinstance(mode, (tuple, list)) else (mode, ))]


def _checked_path(tree: content.Tree, mode: Any, where: str) -> list:
    """`mode`, a number or a path, as a path from the front. IndexError where it leaves the tree."""
    path = []
    for part in _path(mode, where):
        size = content.tree_rank(tree)
        if not -size <= part < size:
            raise IndexError(f"{where}: mode {part} is out of range for rank {size}")
        path.append(part + size if part < 0 else part)
        tree = tree[path[-1]] if type(tree) is tuple else tree
    return path


def _range(begin: Any, end: Any, size: int, where: str):
    begin, end = int_attr(begin, where), int_attr(end, where)
    end = size if end == -1 else end
    if not 0 <= begin <= end <= size:
        raise IndexError(f"{where}: the modes {begin} to {end} are no range within rank {size}")
    return begin, end


def get_(value: Any, mode: Any) -> ir.Value:
    """A mode of an int tuple, layout or tensor; a list of mode numbers is a path into nested modes. IndexError out of range."""
    value = as_structure(value, "get_")
    return _fly.get(value, _checked_path(_python_tree(value), mode, "get_"))


def get(value: Any, mode: Any) -> Any:
    """The item of a Python tuple, or an integer of an int tuple as a raw `index` value.

    `get_` gives modes of any kind. IndexError out of range, ValueError if the mode is no single integer.
    """
    if isinstance(value, (tuple, list)):
        item: Any = value
        for part in _path(mode, "get"):
            item = item[part]
        return item
    if not isinstance(value, IntTuple):
        raise TypeError(f"get: expected a Python tuple or an int tuple, got {describe(value)}; fx.get_ gives modes of layouts")
    leaf = get_scalar(get_(value, mode))
    kind = ir.IndexType.get()
    if isinstance(leaf, int):
        return _arith.constant(kind, leaf)
    return _arith.index_cast(kind, leaf.ir_value())


def take(value: Any, begin: int, end: int) -> ir.Value:
    """The modes `begin` to `end` - 1 of an int tuple, layout or tensor; a single mode comes without a tuple around it.

    `end` -1 means the rank. IndexError for an empty range or one outside of the rank.
    """
    value = as_structure(value, "take")
    size = rank(value)
    begin, end = _range(begin, end, size, "take")
    if begin == end:
        raise IndexError(f"take: the range of modes {begin} to {end} is empty")
    if depth(value) == 0:
        return value
    return _fly.take(value, begin, end)


def select(value: Any, modes: Any) -> ir.Value:
    """The modes with these numbers, in this order, of an int tuple, layout or tensor; a single one comes without a tuple.

    IndexError for numbers outside of the rank or an empty list. `fx.arith.select` chooses between values.
    """
    value = as_structure(value, "select")
    size = rank(value)
    indices = []
    for mode in _path(modes, "select"):
        if not -size <= mode < size:
            raise IndexError(f"select: mode {mode} is out of range for rank {size}")
        indices.append(mode + size if mode < 0 else mode)
    if not indices:
        raise IndexError("select: expected at least one mode")
    return _fly.select(value, indices)


def group(value: Any, begin: int, end: int) -> ir.Value:
    """The modes `begin` to `end` - 1 of an int tuple, layout or tensor made one nested mode; `end` -1 means the rank."""
    value = as_structure(value, "group")
    begin, end = _range(begin, end, rank(value), "group")
    return _fly.group(value, begin, end)


def _extend(value: Any, elem: Any, n: Any, where: str, builder) -> ir.Value:
    value = as_structure(value, where)
    if n is not None:
        n = int_attr(n, where)
        if n < rank(value):
            raise ValueError(f"{where}: n is at least the rank {rank(value)}, got {n}")
    if isinstance(value, AnyTensor):
        return on_layout(value, lambda layout: _extend(layout, elem, n, where, builder))
    if isinstance(value, IntTuple):
        if isinstance(elem, (Layout, ComposedLayout)):
            raise TypeError(f"{where}: an int tuple is extended by an int tuple, got {describe(elem)}")
        elem = as_int_tuple(elem, where)
    elif not isinstance(elem, Layout):
        raise TypeError(f"{where}: a layout is extended by a layout, got {describe(elem)}; use fx.make_layout(shape, stride)")
    return builder(value, elem, n=n)


def append(value: Any, elem: Any, *, n: Any = None) -> ir.Value:
    """Adds the mode `elem` at the end; with `n` until the rank is n. Int tuples take int tuples, layouts and tensors layouts."""
    return _extend(value, elem, n, "append", _fly.append)


def prepend(value: Any, elem: Any, *, n: Any = None) -> ir.Value:
    """Adds the mode `elem` at the front; with `n` until the rank is n. Int tuples take int tuples, layouts and tensors layouts."""
    return _extend(value, elem, n, "prepend", _fly.prepend)


def _check_pattern(value: Any, coord: IntTuple, where: str) -> None:
    """The coordinate stands against the modes of `value`, tuple against tuple."""

    def check(pattern, tree):
        if type(pattern) is not tuple:
            return
        if type(tree) is not tuple or len(tree) != len(pattern):
            found = len(tree) if type(tree) is tuple else "a leaf"
            raise IndexError(f"{where}: the coordinate {coord} has {len(pattern)} modes where {value} of type {value.type} has {found}")
        for part, mode in zip(pattern, tree):
            check(part, mode)

    check(coord.tree, _python_tree(value))


def slice(value: Any, coord: Any) -> ir.Value:
    """The modes against a None in `coord`; the fixed coordinates move a tensor's iterator.

    Takes int tuples (also Python tuples), layouts and tensors. IndexError if
    the coordinate does not fit the modes or, static, lies outside of a static
    extent of a tensor; ValueError if it has no None.
    """
    value = as_structure(value, "slice")
    if isinstance(value, AnyTensor):
        from .indexing import check_coordinate
        coord = check_coordinate(coord, value.trees[0], value.type, "slice")
    coord = as_int_tuple(coord, "slice")
    _check_pattern(value, coord, "slice")
    if not has_none(coord):
        raise ValueError(f"slice: the coordinate {coord} keeps no mode; give None for the modes to keep")
    return _fly.slice(value, coord)


def dice(value: Any, coord: Any) -> ir.Value:
    """The modes against the fixed parts of `coord`: what `slice` drops.

    Takes int tuples (also Python tuples), layouts and tensors. IndexError if the
    coordinate does not fit the modes; ValueError if all of it is None.
    """
    value = as_structure(value, "dice")
    coord = as_int_tuple(coord, "dice")
    _check_pattern(value, coord, "dice")
    if all(leaf is None for leaf in content.leaves(coord.tree)):
        raise ValueError(f"dice: the coordinate {coord} fixes no mode")
    if isinstance(value, AnyTensor):
        return on_layout(value, lambda layout: _dice_layout(layout, coord))
    return _dice_layout(value, coord)


def _dice_layout(value: ir.Value, coord: IntTuple) -> ir.Value:
    if isinstance(value, ComposedLayout):
        return _fly.make_composed_layout(value.inner, value.offset, _dice_layout(value.outer, coord))
    return _fly.dice(value, coord)
