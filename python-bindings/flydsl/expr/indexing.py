# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Coordinates that users write as an index, checked against a shape."""
from __future__ import annotations

from typing import Any

from .._mlir import ir
from . import content
from .layout import Basis, IntTuple
from .numeric import Numeric
from .operands import describe, static_int

__all__ = ["check_coordinate"]


class _Check:
    """One index expression: the tensor's type for messages, and the whole coordinate."""

    def __init__(self, coord: Any, shape: content.Tree, owner: Any, where: str):
        self.coord, self.shape, self.owner, self.where = coord, shape, owner, where

    def _context(self) -> str:
        return f"{self.where} into {self.owner} of shape {content.tree_text(self.shape)}"

    def rank_error(self, found: int, expected: int, shape: content.Tree) -> IndexError:
        part = "" if shape is self.shape else f" in its mode {content.tree_text(shape)}"
        return IndexError(f"{self._context()}: expected {expected} coordinate{'s' if expected != 1 else ''}{part}, got {found} "
                          f"({spell(self.coord)})")

    def check(self, coord: Any, shape: content.Tree) -> Any:
        """The part `coord` against the part `shape`: rank, integers, extents."""
        if coord is None:
            return None
        if isinstance(coord, IntTuple):
            self.check_tree(coord.tree, shape)
            return coord
        if isinstance(coord, (tuple, list)):
            if type(shape) is not tuple:
                if len(coord) != 1:
                    raise self.rank_error(len(coord), 1, shape)
                return self.check(coord[0], shape)
            if len(coord) != len(shape):
                raise self.rank_error(len(coord), len(shape), shape)
            return tuple(map(self.check, coord, shape))
        number = static_int(coord)
        if number is not None:
            return self.check_extent(number, shape)
        if isinstance(coord, Numeric):
            if not type(coord).is_integer:
                raise self.kind_error(coord)
            return coord
        if isinstance(coord, ir.Value) and isinstance(coord.type, (ir.IntegerType, ir.IndexType)):
            return coord
        raise self.kind_error(coord)

    def kind_error(self, coord: Any) -> TypeError:
        hint = ""
        if isinstance(coord, float) or isinstance(coord, Numeric):
            hint = "; a float is no index, convert it with fx.Int32(...)"
        elif isinstance(coord, slice):
            hint = "; slices are not supported, keep a whole mode with None and cut it with fx.logical_divide or fx.take"
        elif isinstance(coord, Basis):
            hint = "; a basis element is a stride, no coordinate"
        return TypeError(f"{self._context()}: expected an integer, got {describe(coord)}{hint}")

    def check_extent(self, number: int, shape: content.Tree) -> int:
        """A static coordinate within a static extent; negative ones count from its end."""
        extent = content.tree_size(shape)
        if extent is None:
            if number < 0:
                raise IndexError(f"{self._context()}: the negative index {number} has no meaning in an extent known only at run time")
            return number
        if not -extent <= number < extent:
            raise IndexError(f"{self._context()}: index {number} is out of range for the extent {extent} ({spell(self.coord)})")
        return number + extent if number < 0 else number

    def check_tree(self, tree: content.Tree, shape: content.Tree) -> None:
        """An int tuple as coordinate."""
        if type(tree) is tuple:
            if type(shape) is not tuple:
                raise self.rank_error(len(tree), 1, shape)
            if len(tree) != len(shape):
                raise self.rank_error(len(tree), len(shape), shape)
            for mode, part in zip(tree, shape):
                self.check_tree(mode, part)
        elif type(tree) is content.BasisLeaf:
            raise self.kind_error(Basis(0, tree.modes))
        elif type(tree) is int:
            if tree < 0:
                raise IndexError(f"{self._context()}: the int tuple {self.coord} has the negative index {tree}")
            self.check_extent(tree, shape)


def spell(coord: Any) -> str:
    """A coordinate for messages; run-time parts are `?`."""
    if isinstance(coord, (tuple, list)):
        return "(" + ", ".join(map(spell, coord)) + ("," if len(coord) == 1 else "") + ")"
    number = static_int(coord)
    if number is not None:
        return str(number)
    return str(coord) if coord is None or isinstance(coord, (IntTuple, float, Basis)) else "?"


def _expand_ellipsis(coord: tuple, rank: int, check: _Check) -> tuple:
    places = [place for place, part in enumerate(coord) if part is Ellipsis]
    if not places:
        return coord
    if len(places) > 1:
        raise IndexError(f"{check._context()}: '...' stands once at most")
    missing = rank - (len(coord) - 1)
    if missing < 0:
        raise check.rank_error(len(coord) - 1, rank, check.shape)
    return coord[:places[0]] + (None, ) * missing + coord[places[0] + 1:]


def check_coordinate(coord: Any, shape: content.Tree, owner: Any, where: str) -> Any:
    """`coord` as a coordinate of `shape`, with negative indices and `...` resolved.

    `owner` is the tensor's type and `where` the access, for messages. TypeError:
    a part that is no integer, None or tuple. IndexError: a wrong number of
    coordinates, or a static index outside of a static extent.
    """
    check = _Check(coord, shape, owner, where)
    if coord is Ellipsis:
        coord = (coord, )
    if isinstance(coord, list):
        coord = tuple(coord)
    if isinstance(coord, tuple):
        coord = _expand_ellipsis(coord, content.tree_rank(shape), check)
        if len(coord) == 1 and coord[0] is None and type(shape) is not tuple:
            return None
    return check.check(coord, shape)
