# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of the layout algebra.

Where a function takes a layout it takes a tensor, too. `coalesce`,
`composition`, the divides and the products then give the tensor seen through
the new layout; the other functions look at the tensor's layout alone.
"""
from __future__ import annotations

from typing import Any

from .._mlir import ir
from . import content
from .builders import builders as _fly
from .elements import element_bits
from .layout import AnyPointer, AnyTensor, ComposedLayout, CoordSwizzle, IntTuple, Layout, Swizzle
from .numeric import Numeric
from .operands import as_int_tuple, as_layout, as_map, as_tensor, as_tiler, describe, is_static_int
from .tuples import as_structure, on_layout

__all__ = [
    "blocked_product", "coalesce", "complement", "composed_get_inner", "composed_get_offset", "composed_get_outer", "composition", "coprofile",
    "coshape", "cosize", "crd2idx", "flat_divide", "flat_product", "get_1d_coord", "get_flat_coord", "get_iter", "get_layout", "get_shape",
    "get_stride", "idx2crd", "left_inverse", "logical_divide", "logical_product", "make_composed_layout", "make_identity_layout",
    "make_layout", "make_layout_like", "make_ordered_layout", "make_view", "raked_product", "recast_layout", "right_inverse", "size",
    "tile_to_shape", "tiled_divide", "tiled_product", "zipped_divide", "zipped_product"
]

# --- constructors ---------------------------------------------------------------


def make_layout(shape: Any, stride: Any) -> Layout:
    """The layout `shape : stride`, two int tuples of the same nesting. ValueError if the nesting differs."""
    shape, stride = as_int_tuple(shape, "make_layout shape"), as_int_tuple(stride, "make_layout stride")
    if not content.congruent(shape.tree, stride.tree):
        raise ValueError(f"profile mismatch: is_profile_congruent({shape}, {stride}) is False; "
                         "make_layout expects a shape and a stride of the same nesting")
    return _fly.make_layout(shape, stride)


def make_ordered_layout(shape: Any, order: Any) -> Layout:
    """The packed layout of `shape` whose modes lie in the order of their `order` numbers, the smallest innermost.

    A single 0 as order means column-major: the first mode innermost.
    """
    return _fly.make_ordered_layout(as_int_tuple(shape, "make_ordered_layout shape"), as_int_tuple(order, "make_ordered_layout order"))


def make_identity_layout(shape: Any) -> Layout:
    """The layout that gives each coordinate of `shape` itself: its strides are basis elements."""
    return _fly.make_identity_layout(as_int_tuple(shape, "make_identity_layout"))


def make_layout_like(layout: Any) -> Layout:
    """The packed layout in the order of another's strides."""
    return _fly.make_layout_like(as_layout(layout, "make_layout_like", composed=False))


def make_composed_layout(inner: Any, *parts: Any) -> ComposedLayout:
    """`make_composed_layout(inner, [offset,] outer)`: the map c -> inner(offset + outer(c)).

    `inner` is a swizzle, a layout or a composed layout, or the type of a static
    one; `offset` an int tuple, 0 if left out; `outer` a layout or composed layout.
    """
    if len(parts) not in (1, 2):
        raise TypeError(f"make_composed_layout: expected (inner, outer) or (inner, offset, outer), got {len(parts) + 1} arguments")
    offset, outer = parts if len(parts) == 2 else (0, parts[0])
    if isinstance(inner, ir.Type):
        inner = _fly.static(inner)
    if not isinstance(inner, (Layout, ComposedLayout, Swizzle, CoordSwizzle)):
        raise TypeError(f"make_composed_layout: expected a swizzle, a layout or a composed layout as inner map, got {describe(inner)}")
    offset = as_int_tuple(offset, "make_composed_layout offset")
    return _fly.make_composed_layout(inner, offset, as_layout(outer, "make_composed_layout outer"))


def make_view(iter: Any, layout: Any) -> AnyTensor:
    """The tensor whose element c is at `iter + layout(c)`: memory for a pointer, coordinates for an int tuple."""
    if isinstance(iter, AnyTensor):
        raise TypeError(f"make_view: expected a pointer or a coordinate, got the tensor {iter.type}; use fx.get_iter(tensor)")
    if not isinstance(iter, AnyPointer):
        if isinstance(iter, ir.Value) and not isinstance(iter, (IntTuple, Numeric)):
            raise TypeError(f"make_view: expected a pointer or a coordinate, got {describe(iter)}")
        iter = as_int_tuple(iter, "make_view")
    return _fly.make_view(iter, as_layout(layout, "make_view"))


# --- parts ----------------------------------------------------------------------


def get_shape(value: Any) -> IntTuple:
    """The shape of a layout or a tensor; of a composed layout that of its linear part."""
    return _fly.get_shape(as_layout(value, "get_shape"))


def get_stride(value: Any) -> IntTuple:
    """The stride of a layout or a tensor. TypeError if the layout is composed."""
    return _fly.get_stride(as_layout(value, "get_stride", composed=False))


def get_layout(tensor: Any) -> ir.Value:
    """The layout that a tensor is seen through."""
    return _fly.get_layout(as_tensor(tensor, "get_layout"))


def get_iter(tensor: Any) -> ir.Value:
    """The place of a tensor's first element: a pointer, or the base coordinate."""
    return _fly.get_iter(as_tensor(tensor, "get_iter"))


def _composed(value: Any, where: str) -> ComposedLayout:
    if isinstance(value, AnyTensor):
        value = _fly.get_layout(value)
    if not isinstance(value, ComposedLayout):
        raise TypeError(f"{where}: expected a composed layout, got {describe(value)}")
    return value


def composed_get_inner(layout: Any) -> ir.Value:
    """What a composed layout applies last."""
    return _fly.composed_get_inner(_composed(layout, "composed_get_inner"))


def composed_get_offset(layout: Any) -> IntTuple:
    """What a composed layout adds before the inner map."""
    return _fly.composed_get_offset(_composed(layout, "composed_get_offset"))


def composed_get_outer(layout: Any) -> ir.Value:
    """The layout that a composed layout applies first."""
    return _fly.composed_get_outer(_composed(layout, "composed_get_outer"))


# --- extents --------------------------------------------------------------------


def size(value: Any) -> IntTuple:
    """The number of coordinates of a layout or tensor, or the product of an int tuple."""
    return _fly.size(as_structure(value, "size"))


def cosize(value: Any) -> IntTuple:
    """The number of indices from the smallest to the largest that a layout reaches, 0 included."""
    return _fly.cosize(as_layout(value, "cosize"))


def coshape(value: Any) -> IntTuple:
    """The extents that a layout reaches, one for each coordinate of its indices."""
    return _fly.coshape(as_layout(value, "coshape"))


def coprofile(value: Any) -> IntTuple:
    """The nesting of a layout's indices: 0 for integers, a tuple of zeros for coordinates."""
    return _fly.coprofile(as_layout(value, "coprofile"))


# --- coordinates and indices ----------------------------------------------------


def crd2idx(coord: Any, layout: Any) -> IntTuple:
    """The index of a coordinate in a layout, a tensor's layout or a swizzle. A None counts as 0."""
    return _fly.crd2idx(as_int_tuple(coord, "crd2idx"), as_map(layout, "crd2idx"))


def idx2crd(index: Any, layout: Any) -> IntTuple:
    """The coordinate with this index, nested as the layout's shape."""
    return _fly.idx2crd(as_int_tuple(index, "idx2crd"), as_layout(layout, "idx2crd", composed=False))


def get_flat_coord(index: Any, layout: Any) -> IntTuple:
    """The coordinate with this index, one integer for each top-level mode of the layout."""
    return _fly.get_flat_coord(as_int_tuple(index, "get_flat_coord"), as_layout(layout, "get_flat_coord", composed=False))


def get_1d_coord(index: Any, layout: Any) -> IntTuple:
    """The coordinate with this index as one integer, the first mode fastest."""
    return _fly.get_1d_coord(as_int_tuple(index, "get_1d_coord"), as_layout(layout, "get_1d_coord", composed=False))


# --- the algebra ----------------------------------------------------------------


def _layout_or_tensor(value: Any, where: str) -> ir.Value:
    return value if isinstance(value, AnyTensor) else as_layout(value, where)


def coalesce(layout: Any, pattern: Any = None) -> ir.Value:
    """The same function with as few modes as possible; with a pattern mode by mode where it has a tuple."""
    pattern = None if pattern is None else as_int_tuple(pattern, "coalesce pattern")
    return _fly.coalesce(_layout_or_tensor(layout, "coalesce"), pattern=pattern)


def composition(layout: Any, tiler: Any) -> ir.Value:
    """The layout c -> layout(tiler(c)). A tuple is a per-mode tile and composes mode by mode; an integer n counts as n:1."""
    return _fly.composition(_layout_or_tensor(layout, "composition"), as_tiler(tiler, "composition"))


def complement(layout: Any, codomain_size: Any = None) -> ir.Value:
    """The layout of the gaps: together with `layout` it covers `codomain_size`, or else the layout's own cosize."""
    codomain_size = None if codomain_size is None else as_int_tuple(codomain_size, "complement codomain_size")
    return _fly.complement(as_layout(layout, "complement"), codomain_size=codomain_size)


def right_inverse(layout: Any) -> ir.Value:
    """The layout R with layout(R(k)) = k, as far as the layout's image is contiguous from 0."""
    return _fly.right_inverse(as_layout(layout, "right_inverse"))


def left_inverse(layout: Any) -> ir.Value:
    """The layout R with R(layout(c)) = c."""
    return _fly.left_inverse(as_layout(layout, "left_inverse"))


def _divide(name: str, builder, layout: Any, divisor: Any) -> ir.Value:
    return builder(_layout_or_tensor(layout, name), as_tiler(divisor, name))


def logical_divide(layout: Any, divisor: Any) -> ir.Value:
    """Splits a layout or tensor into tile and rest: (tile, rest), or by a per-mode tile each mode in place.

    `divisor` is a layout, a tile or a tuple (per-mode tile), or an integer n for
    n:1. By the tile [4, 8] each mode is cut on its own; the layout (4,8):(1,4)
    means 32 consecutive items. Sizes that do not divide round up.
    """
    return _divide("logical_divide", _fly.logical_divide, layout, divisor)


def zipped_divide(layout: Any, divisor: Any) -> ir.Value:
    """`logical_divide` regrouped to ((tile modes), (rest modes))."""
    return _divide("zipped_divide", _fly.zipped_divide, layout, divisor)


def tiled_divide(layout: Any, divisor: Any) -> ir.Value:
    """`logical_divide` regrouped to ((tile modes), rest, rest, ...)."""
    return _divide("tiled_divide", _fly.tiled_divide, layout, divisor)


def flat_divide(layout: Any, divisor: Any) -> ir.Value:
    """`logical_divide` regrouped to (tile, tile, ..., rest, rest, ...)."""
    return _divide("flat_divide", _fly.flat_divide, layout, divisor)


def _product(name: str, builder, layout: Any, tiler: Any) -> ir.Value:
    if isinstance(layout, AnyTensor):
        return on_layout(layout, lambda own: _product(name, builder, own, tiler))
    layout = as_layout(layout, name)
    if is_static_int(tiler) or isinstance(tiler, Numeric):
        tiler = as_int_tuple(tiler, name)
    elif not (isinstance(tiler, IntTuple) and tiler.is_leaf):
        tiler = as_layout(tiler, f"{name} tiler", composed=False)
    return builder(layout, tiler)


def logical_product(layout: Any, tiler: Any) -> ir.Value:
    """Repeats a layout: mode 0 is the layout, mode 1 walks its copies as `tiler`, a layout or an integer n for n:1, says."""
    return _product("logical_product", _fly.logical_product, layout, tiler)


def zipped_product(layout: Any, tiler: Any) -> ir.Value:
    """`logical_product` as ((modes of the layout), (modes of the copies))."""
    return _product("zipped_product", _fly.zipped_product, layout, tiler)


def tiled_product(layout: Any, tiler: Any) -> ir.Value:
    """`logical_product` with the modes of the copies flat."""
    return _product("tiled_product", _fly.tiled_product, layout, tiler)


def flat_product(layout: Any, tiler: Any) -> ir.Value:
    """`logical_product` with all modes flat."""
    return _product("flat_product", _fly.flat_product, layout, tiler)


def blocked_product(layout: Any, tiler: Any) -> ir.Value:
    """Repeats a layout block by block: mode i is (mode i of the layout, mode i of the copies)."""
    return _product("blocked_product", _fly.blocked_product, layout, tiler)


def raked_product(layout: Any, tiler: Any) -> ir.Value:
    """Repeats a layout interleaved: mode i is (mode i of the copies, mode i of the layout)."""
    return _product("raked_product", _fly.raked_product, layout, tiler)


def recast_layout(layout: Any, old_bits: Any, new_bits: Any) -> ir.Value:
    """The layout of the same memory counted in items of `new_bits` instead of `old_bits` (bit counts or numeric classes).

    Each new item must be made of whole old ones, or the other way round.
    """
    return _fly.recast_layout(as_layout(layout, "recast_layout"), element_bits(new_bits, "recast_layout new_bits"),
                              element_bits(old_bits, "recast_layout old_bits"))


def tile_to_shape(block: Any, target_shape: Any, order: Any) -> ir.Value:
    """Repeats `block` to fill `target_shape`, the mode with the smallest `order` number first."""
    if isinstance(block, AnyTensor):
        return on_layout(block, lambda own: tile_to_shape(own, target_shape, order))
    return _fly.tile_to_shape(as_layout(block, "tile_to_shape"), as_int_tuple(target_shape, "tile_to_shape target_shape"),
                              as_int_tuple(order, "tile_to_shape order"))
