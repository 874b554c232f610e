# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python values as operands of layout operations.

Wherever an int tuple is meant, users write ints, nested tuples, DSL numbers, raw
IR integers, `None` (`*`) and `Basis`; these functions make one IR value of it.
Static parts go into its type, run-time integers become operands.
"""
from __future__ import annotations

from typing import Any

from .._mlir import ir
from .._mlir.dialects import arith as _arith
from . import content
from .builders import builders as _fly
from .builders import require_trace
from .layout import AnyPointer, AnyTensor, Basis, ComposedLayout, CoordSwizzle, IntTuple, Layout, Swizzle, Tile
from .numeric import Numeric

__all__ = [
    "as_int_tuple", "as_layout", "as_map", "as_tensor", "as_tile", "as_tiler", "describe", "has_wildcard", "int_attr", "is_static_int",
    "results_of", "run_time_leaves", "static_int", "unit_layout"
]


def describe(value: Any) -> str:
    """A value for messages: its type if it is in the IR, else its class and text."""
    if isinstance(value, Numeric) and not isinstance(value.value, (bool, int, float)):
        return f"a run-time {type(value).__name__}"
    if isinstance(value, ir.Value):
        return f"{type(value).__name__} of type {value.type}"
    text = repr(value)
    return f"{type(value).__name__} ({text if len(text) <= 60 else text[:57] + '...'})"


def _widen(value: ir.Value, signed: bool, where: str) -> ir.Value:
    """An integer IR value as i32 or i64."""
    kind = value.type
    if isinstance(kind, ir.IndexType):
        return _arith.index_cast(ir.IntegerType.get_signless(64), value)
    if not isinstance(kind, ir.IntegerType):
        raise TypeError(f"{where}: expected an integer, got a value of type {kind}; convert it with fx.Int32(...)")
    if kind.width in (32, 64):
        return value
    if kind.width > 64:
        raise TypeError(f"{where}: expected an integer of at most 64 bits, got a value of type {kind}")
    cast = _arith.extsi if signed and kind.width > 1 else _arith.extui
    return cast(ir.IntegerType.get_signless(32), value)


def _run_time_integer(value: Any, where: str) -> ir.Value:
    """A run-time DSL number or raw value as i32 or i64."""
    if isinstance(value, Numeric):
        if not type(value).is_integer:
            raise TypeError(f"{where}: expected an integer, got {type(value).__name__}; convert it with fx.Int32(...)")
        return _widen(value.ir_value(), bool(type(value).signed), where)
    signed = getattr(value, "signed", None)
    return _widen(value, signed is not False, where)


def static_int(value: Any):
    """`value` as a Python int if it is a static integer, else None. Booleans count as 0 and 1."""
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Numeric):
        number = value.value
        return int(number) if isinstance(number, (bool, int)) and not isinstance(number, float) else None
    if isinstance(value, IntTuple):
        tree = value.tree
        return tree if type(tree) is int else None
    if isinstance(value, (ir.Value, float, str)) or not hasattr(type(value), "__index__"):
        return None
    return value.__index__()


def is_static_int(value: Any) -> bool:
    """True if `value` is an integer known while tracing."""
    return static_int(value) is not None


def int_attr(value: Any, where: str) -> int:
    """`value` as a Python int for an attribute. TypeError if it is known only at run time or no integer."""
    number = None if isinstance(value, bool) else static_int(value)
    if number is None:
        raise TypeError(f"{where}: expected an integer known while tracing, got {describe(value)}")
    return number


def has_wildcard(coord: Any) -> bool:
    """True if a None (`*`) stands anywhere in the coordinate."""
    if coord is None:
        return True
    if isinstance(coord, (tuple, list)):
        return any(map(has_wildcard, coord))
    return isinstance(coord, IntTuple) and "*" in coord.body


def _collect(value: Any, leaves: list, where: str) -> str:
    """The text of `value` as part of an int tuple; appends its run-time integers to `leaves`."""
    if value is None:
        return "*"
    number = static_int(value)
    if number is not None:
        if not -(1 << 63) <= number < 1 << 63:
            raise ValueError(f"{where}: {number} does not fit 64 bits")
        return str(number)
    if isinstance(value, (tuple, list)):
        if not value:
            raise ValueError(f"{where}: an empty tuple is no int tuple; each tuple has at least one mode")
        return "(" + ",".join(_collect(mode, leaves, where) for mode in value) + ")"
    if isinstance(value, IntTuple):
        tree = value.tree
        if not content.is_static(tree):
            leaves.extend(run_time_leaves(value))
        return value.body
    if isinstance(value, Basis):
        return _collect(value.value, leaves, where) + "".join(f"E{mode}" for mode in value.modes)
    if isinstance(value, Numeric) or (isinstance(value, ir.Value) and isinstance(value.type, (ir.IntegerType, ir.IndexType))):
        leaf = _run_time_integer(value, where)
        leaves.append(leaf)
        return "?" if leaf.type.width == 32 else "?{i64}"
    hint = "; a float is no coordinate or size" if isinstance(value, float) else ""
    if isinstance(value, (Layout, ComposedLayout, AnyTensor)):
        hint = "; use fx.get_shape(...) for its shape"
    raise TypeError(f"{where}: expected an int, a DSL integer, None, a Basis or a tuple of these, got {describe(value)}{hint}")


def results_of(built) -> list:
    """The results of an operation with any number of them, as the builders return it."""
    if isinstance(built, ir.Value):
        return [built]
    return list(built.results if hasattr(built, "results") else built)


def run_time_leaves(value: IntTuple) -> list:
    """The run-time leaves of an int tuple as i32 and i64 values."""
    return results_of(_fly.get_leaves(value, dynamic_only=True))


def as_int_tuple(value: Any, where: str = "make_int_tuple", builder=_fly.make_int_tuple) -> IntTuple:
    """`value` as an int tuple; `where` names the caller in messages."""
    if isinstance(value, IntTuple):
        return value
    require_trace(where)
    leaves: list = []
    text = _collect(value, leaves, where)
    return builder(ir.Type.parse(f"!fly.int_tuple<{text}>"), leaves)


def as_tensor(value: Any, where: str) -> AnyTensor:
    """`value` as a tensor. TypeError if it is none."""
    if not isinstance(value, AnyTensor):
        hint = "; make a tensor of a pointer with fx.make_view(pointer, layout)" if isinstance(value, AnyPointer) else ""
        raise TypeError(f"{where}: expected a Tensor, got {describe(value)}{hint}")
    return value


def as_layout(value: Any, where: str, *, composed: bool = True) -> ir.Value:
    """`value` as a layout: a tensor gives its own. TypeError if it is none."""
    if isinstance(value, AnyTensor):
        value = _fly.get_layout(value)
    if isinstance(value, Layout) or (composed and isinstance(value, ComposedLayout)):
        return value
    hint = ""
    if isinstance(value, (int, tuple, list, IntTuple, Numeric)):
        hint = "; make a layout with fx.make_layout(shape, stride) or fx.make_ordered_layout(shape, order)"
    elif isinstance(value, ComposedLayout):
        hint = "; a composed layout has none, use its '.outer'"
    raise TypeError(f"{where}: expected a layout, got {describe(value)}{hint}")


def _tile_text(mode: Any, where: str) -> str:
    if mode is None:
        return "*"
    number = static_int(mode)
    if number is not None:
        if number <= 0 or number >= 1 << 63:
            raise ValueError(f"{where}: a tile cuts a mode into pieces of at least 1 item, got {number}")
        return str(number)
    if isinstance(mode, (tuple, list)):
        if not mode:
            raise ValueError(f"{where}: an empty tuple is no tile")
        return "[" + "|".join(_tile_text(item, where) for item in mode) + "]"
    if isinstance(mode, Tile):
        return mode.body
    if isinstance(mode, Layout):
        if not mode.is_static:
            raise ValueError(f"{where}: a tile is static, got the layout {mode} with run-time parts")
        return mode.body
    if isinstance(mode, IntTuple):
        if not mode.is_static:
            raise ValueError(f"{where}: a tile is static, got the int tuple {mode} with run-time parts")
        return _tile_text(mode.tree, where)
    if isinstance(mode, Numeric) or isinstance(mode, ir.Value):
        raise ValueError(f"{where}: a tile is static, got {describe(mode)}; "
                         "sizes that divide a layout must be known while tracing (fx.Constexpr)")
    raise TypeError(f"{where}: expected an int, None, a layout or a tuple of these, got {describe(mode)}")


def as_tile(value: Any, where: str) -> Tile:
    """`value` as a tile: a tuple is cut per mode, an int tuple counts as its tuple."""
    if isinstance(value, Tile):
        return value
    require_trace(where)
    return _fly.static(ir.Type.parse(f"!fly.tile<{_tile_text(value, where)}>"))


def unit_layout(size: Any, where: str) -> Layout:
    """The layout size:1."""
    return _fly.make_layout(as_int_tuple(size, where), as_int_tuple(1, where))


def as_tiler(value: Any, where: str) -> ir.Value:
    """`value` as the second operand of a divide or a composition: a layout, or a tile.

    A tuple is a per-mode tile; an integer n counts as the layout n:1.
    """
    if isinstance(value, (Layout, Tile)):
        return value
    if isinstance(value, ComposedLayout):
        raise TypeError(f"{where}: expected a layout or a tile, got the composed layout {value}")
    if isinstance(value, IntTuple):
        tree = value.tree
        if type(tree) is not tuple:
            return _fly.make_layout(value, as_int_tuple(1, where))
        return as_tile(value, where)
    if is_static_int(value) or isinstance(value, Numeric):
        return unit_layout(value, where)
    return as_tile(value, where)


def as_map(value: Any, where: str) -> ir.Value:
    """`value` as what `crd2idx` evaluates: a layout, a tensor's layout or a swizzle."""
    return value if isinstance(value, (Swizzle, CoordSwizzle)) else as_layout(value, where)

