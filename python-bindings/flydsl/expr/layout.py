# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of the layout algebra: int tuples, layouts, swizzles, tiles.

Each is an IR value whose type holds what is static; what is known only at run
time are operands. `operands.py` makes them from Python values, `primitive.py`
has the functions on them.
"""
from __future__ import annotations

import operator
from typing import Any

from .._mlir import ir
from .._mlir._mlir_libs import _fly as _types
from . import content
from .builders import builders as _fly
from .content import BasisLeaf, Dynamic
from .meta import current_root
from .utils.operators import with_operators

__all__ = ["AnyPointer", "AnyTensor", "Basis", "ComposedLayout", "CoordSwizzle", "E", "FlyValue", "IntTuple", "Layout", "Swizzle", "Tile"]


class Basis:
    """A scaled basis element: `value` in the coordinate that the path `modes` reaches.

    `value` is an int or a run-time integer. A basis element is a leaf of an int
    tuple; as a stride it makes a layout give coordinates. Multiplication by an
    integer scales it.
    """

    __slots__ = ("value", "modes")

    def __init__(self, value: Any, modes):
        modes = tuple(modes) if isinstance(modes, (tuple, list)) else (modes, )
        if not modes:
            raise ValueError("Basis: modes must name at least one mode; without one use the plain integer")
        for mode in modes:
            if isinstance(mode, bool) or not isinstance(mode, int) or not 0 <= mode < 65536:
                raise ValueError(f"Basis: a mode is an int from 0 to 65535, got {mode!r}")
        if isinstance(value, (float, str, tuple, list, Basis)) or value is None:
            raise TypeError(f"Basis: value must be an integer, got {type(value).__name__} ({value!r})")
        self.value = value
        self.modes = modes

    def __mul__(self, factor) -> "Basis":
        if isinstance(factor, (float, str, tuple, list, Basis)) or factor is None:
            return NotImplemented
        return Basis(self.value * factor, self.modes)

    __rmul__ = __mul__

    @property
    def depth(self) -> int:
        """The length of the path."""
        return len(self.modes)

    def __eq__(self, other) -> bool:
        return isinstance(other, Basis) and self.modes == other.modes and self.value is other.value or (
            isinstance(other, Basis) and isinstance(self.value, int) and self.value == other.value
            and self.modes == other.modes)

    def __hash__(self) -> int:
        return hash((self.value if isinstance(self.value, int) else id(self.value), self.modes))

    def __repr__(self) -> str:
        value = self.value if isinstance(self.value, int) else "?"
        return f"{value}" + "".join(f"E{mode}" for mode in self.modes)


def E(*modes):
    """The unit stride in the coordinate that the path `modes` reaches: `E(0, 1)` is 1E0E1; without modes the integer 1."""
    if len(modes) == 1 and isinstance(modes[0], (tuple, list)):
        modes = tuple(modes[0])
    return Basis(1, modes) if modes else 1


_VALUE_TYPE = ir.Value.type.__get__


class FlyValue(ir.Value):
    """An IR value of a type of the dialect `fly`."""

    def __init__(self, value: ir.Value):
        if not isinstance(value, ir.Value):
            raise TypeError(f"{type(self).__name__}: expected an IR value, got {type(value).__name__}; objects of this class are made by "
                            "functions such as fx.make_layout and fx.make_view, and an array becomes a Tensor as an argument of a launcher")
        super().__init__(value)
        # The trace that it belongs to; see `builders`.
        self._root = current_root()

    @property
    def type(self) -> ir.Type:
        """The IR type. RuntimeError if the trace that made the value is over: nothing of it can be read any more."""
        if self._root is not current_root():
            raise RuntimeError(f"a {type(self).__name__} of another trace was used: values exist only while the function that makes them "
                               "is traced; build layouts inside of it, or pass tensors as arguments")
        return _VALUE_TYPE(self)

    @property
    def body(self) -> str:
        """The content as types print it, for example "(4,8):(1,4)"."""
        return content.body(self.type)

    def __str__(self) -> str:
        return self.body

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.body if self._root is current_root() else 'of another trace'})"

    def __extract_to_ir_values__(self) -> list:
        return [self]

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        if len(values) != 1:
            raise ValueError(f"{cls.__name__}: expected 1 IR value, got {len(values)}")
        made = values[0] if isinstance(values[0], cls) else cls(values[0])
        element_class = getattr(exemplar, "_element_class", None)
        if element_class is not None and made.type == getattr(exemplar, "type", made.type):
            made._element_class = element_class
        return made


class AnyPointer(FlyValue):
    """A place in memory; see `tensor.Pointer`."""


class Shaped(FlyValue):
    """What layouts and tensors share: rank, depth and shape are those of the linear part of the layout."""

    @property
    def layout_text(self) -> str:
        """The layout as types print it."""
        return self.body

    @property
    def trees(self):
        """Shape and stride of the linear part as plain Python data; see `content`."""
        return content.layout_trees(self.layout_text)

    @property
    def rank(self) -> int:
        """The number of modes; 1 for a layout of an integer."""
        return content.tree_rank(self.trees[0])

    @property
    def depth(self) -> int:
        """The number of nested tuples of the shape; 0 for a layout of an integer."""
        return content.tree_depth(self.trees[0])

    @property
    def shape(self) -> "IntTuple":
        """The shape of the linear part."""
        return _fly.get_shape(self.layout)

    @property
    def layout(self):
        """The layout: a `Layout` or a `ComposedLayout`."""
        return self


class AnyTensor(Shaped):
    """An iterator seen through a layout; see `tensor.Tensor`."""


def _mode_index(mode: Any, rank: int, where: str) -> int:
    """`mode` as an index below `rank`; negative ones count from the end."""
    if isinstance(mode, bool) or not hasattr(type(mode), "__index__"):
        raise TypeError(f"{where}: a mode is an int, got {type(mode).__name__} ({mode!r})")
    mode = mode.__index__()
    if not -rank <= mode < rank:
        raise IndexError(f"{where}: mode {mode} is out of range for rank {rank}")
    return mode + rank if mode < 0 else mode


# Names are those of `utils.operators`.
_OPERATORS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv, "floordiv": operator.floordiv,
              "mod": operator.mod, "pow": operator.pow, "and_": operator.and_, "or_": operator.or_, "xor": operator.xor,
              "shl": operator.lshift, "shr": operator.rshift, "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
              "gt": operator.gt, "ge": operator.ge}


def _numbers(value: "IntTuple", other: Any):
    """Both operands of an operator as numbers, or None if one of them is no single number."""
    if isinstance(other, FlyValue) and not isinstance(other, IntTuple):
        return None
    pair = []
    for item in (value, other):
        if isinstance(item, IntTuple):
            item = item.__dsl_scalar__()
            if item is NotImplemented:
                return None
        pair.append(item)
    if isinstance(pair[1], (tuple, list, str)) or pair[1] is None:
        return None
    return pair


@ir.register_value_caster(_types.IntTupleType.static_typeid)
@with_operators
class IntTuple(FlyValue):
    """A leaf or a nested tuple of integers, each static or known only at run time."""

    @property
    def tree(self) -> content.Tree:
        """The content as plain Python data; see `content`."""
        return content.parse_tree(self.body)

    @property
    def rank(self) -> int:
        """The number of modes; 1 for a leaf."""
        return content.tree_rank(self.tree)

    @property
    def depth(self) -> int:
        """The number of nested tuples; 0 for a leaf."""
        return content.tree_depth(self.tree)

    @property
    def is_leaf(self) -> bool:
        """True if the tuple is a single leaf without a tuple around it."""
        return type(self.tree) is not tuple

    @property
    def is_static(self) -> bool:
        """True if no leaf is known only at run time."""
        return content.is_static(self.tree)

    @property
    def get_static_leaf_int(self) -> int:
        """The number of a static leaf. ValueError for anything else."""
        tree = self.tree
        if type(tree) is not int:
            raise ValueError(f"get_static_leaf_int: expected a static integer leaf, got {self.type}")
        return tree

    def __len__(self) -> int:
        return self.rank

    def __iter__(self):
        return (self[mode] for mode in range(self.rank))

    def __getitem__(self, mode) -> "IntTuple":
        """Mode `mode`, an int tuple; a leaf is its own only mode. IndexError out of range."""
        mode = _mode_index(mode, self.rank, "IntTuple")
        return self if self.is_leaf else _fly.get(self, [mode])

    def __dsl_scalar__(self):
        """The single integer as a Python int or a run-time DSL number; NotImplemented for a tuple of several, `*` or a basis element."""
        cls = self.__dsl_scalar_class__()
        return cls if cls is NotImplemented or type(cls) is int else cls(_fly.get_scalar(self))

    def __dsl_scalar_class__(self):
        """As `__dsl_scalar__`, but the class of a run-time number in its place; emits nothing."""
        tree = self.tree
        while type(tree) is tuple and len(tree) == 1:
            tree = tree[0]
        if type(tree) is int:
            return tree
        if type(tree) is not Dynamic:
            return NotImplemented
        from .numeric import Int32, Int64
        return Int64 if tree.width == 64 else Int32

    def _binary(self, op, other, swap=False):
        pair = _numbers(self, other)
        if pair is None:
            return NotImplemented
        return _OPERATORS[op](*(reversed(pair) if swap else pair))

    def _compare(self, op, other):
        # Two IR values of the same definition are equal without an operation; tuples keep the equality of IR values.
        same = ir.Value.__eq__(self, other) if isinstance(other, ir.Value) else False
        pair = None if same is True else _numbers(self, other)
        if pair is not None:
            return _OPERATORS[op](*pair)
        if op in ("eq", "ne"):
            return same if op == "eq" else not same
        return NotImplemented if same is not True or _numbers(self, other) is None else op in ("le", "ge")

    __hash__ = ir.Value.__hash__

    def _number(self, op):
        """The single integer, a Python int if it is static."""
        number = self.__dsl_scalar__()
        if number is NotImplemented:
            raise TypeError(f"{op}: expected a single integer, got the int tuple {self}")
        return number

    def __neg__(self):
        return -self._number("-")

    def __pos__(self):
        return +self._number("+")

    def __invert__(self):
        return ~self._number("~")

    def __abs__(self):
        return abs(self._number("abs"))

    def __round__(self, digits=None):
        return round(self._number("round"), digits)

    def to(self, dtype):
        """The single integer as a number of class `dtype`."""
        from .numeric import as_numeric
        return as_numeric(self._number("to")).to(dtype)

    def select(self, a, b):
        """`a` if the single integer is not 0, else `b`."""
        from .numeric import as_numeric
        return as_numeric(self._number("select")).select(a, b)

    def __bool__(self) -> bool:
        number = self.__dsl_scalar__()
        return True if number is NotImplemented else bool(number)

    def __index__(self) -> int:
        tree = self.tree
        while type(tree) is tuple and len(tree) == 1:
            tree = tree[0]
        if type(tree) is not int:
            kind = "dynamic" if type(tree) is Dynamic else "non-integer"
            raise RuntimeError(f"{kind} 'IntTuple' {self} has no Python integer representation")
        return tree

    __int__ = __index__

    def to_py_value(self):
        """The content as a nested Python tuple of ints, run-time DSL numbers (`Int32`, `Int64`), None for `*`, and `Basis`."""
        tree = self.tree
        if content.is_static(tree):
            return _to_python(tree, None)
        found = _fly.get_leaves(self, dynamic_only=True)
        values = [found] if isinstance(found, ir.Value) else list(found.results if hasattr(found, "results") else found)
        return _to_python(tree, iter(values))

    unpack = to_py_value


def _to_python(tree: content.Tree, values):
    if type(tree) is tuple:
        return tuple(_to_python(mode, values) for mode in tree)
    if type(tree) is Dynamic:
        from .numeric import Int32, Int64
        return (Int64 if tree.width == 64 else Int32)(next(values))
    if type(tree) is BasisLeaf:
        return Basis(_to_python(tree.value, values), tree.modes)
    return tree


class _AnyLayout(Shaped):
    """What plain and composed layouts share."""

    @property
    def is_leaf(self) -> bool:
        """True for a layout of an integer."""
        return type(self.trees[0]) is not tuple

    @property
    def is_static(self) -> bool:
        """True if nothing is known only at run time."""
        return "?" not in self.body

    @property
    def is_static_shape(self) -> bool:
        """True if no size is known only at run time."""
        return content.is_static(self.trees[0])

    def __len__(self) -> int:
        return self.rank

    def __iter__(self):
        return (self[mode] for mode in range(self.rank))

    def __getitem__(self, mode):
        """Mode `mode`, a layout of the same kind. IndexError out of range."""
        return _fly.get(self, [_mode_index(mode, self.rank, type(self).__name__)])

    def __call__(self, *coord):
        """The index of a coordinate, an int tuple; with a None in the coordinate the layout of the modes it keeps.

        `l(i, j)` and `l((i, j))` are the same; one integer runs through all
        modes, the first fastest.
        """
        from .operands import as_int_tuple, has_wildcard
        if not coord:
            raise TypeError(f"{type(self).__name__}(): a coordinate is missing")
        coord = coord[0] if len(coord) == 1 else coord
        where = f"{type(self).__name__} {self}"
        if has_wildcard(coord):
            return _fly.slice(self, as_int_tuple(coord, where))
        return _fly.crd2idx(as_int_tuple(coord, where), self)


@ir.register_value_caster(_types.LayoutType.static_typeid)
class Layout(_AnyLayout):
    """A function from coordinates to indices: `shape : stride`."""

    @property
    def is_static_stride(self) -> bool:
        """True if no stride is known only at run time."""
        return content.is_static(self.trees[1])

    @property
    def stride(self) -> IntTuple:
        """The stride of each mode; congruent with the shape."""
        return _fly.get_stride(self)

    def get_hier_coord(self, index) -> IntTuple:
        """The coordinate of `index` in the nesting of the shape."""
        from .operands import as_int_tuple
        return _fly.idx2crd(as_int_tuple(index, "get_hier_coord"), self)

    def get_flat_coord(self, index) -> IntTuple:
        """The coordinate of `index` with one integer for each top-level mode."""
        from .operands import as_int_tuple
        return _fly.get_flat_coord(as_int_tuple(index, "get_flat_coord"), self)

    def get_1d_coord(self, index) -> IntTuple:
        """The coordinate of `index` as one integer, the first mode fastest."""
        from .operands import as_int_tuple
        return _fly.get_1d_coord(as_int_tuple(index, "get_1d_coord"), self)


@ir.register_value_caster(_types.ComposedLayoutType.static_typeid)
class ComposedLayout(_AnyLayout):
    """A layout followed by an offset and an inner map: c -> inner(offset + outer(c))."""

    @property
    def inner(self):
        """What is applied last: a swizzle, a layout or a composed layout."""
        return _fly.composed_get_inner(self)

    @property
    def offset(self) -> IntTuple:
        """What is added before the inner map."""
        return _fly.composed_get_offset(self)

    @property
    def outer(self):
        """The layout that is applied first."""
        return _fly.composed_get_outer(self)

    @property
    def is_static_stride(self) -> bool:
        """True if no stride of the linear part is known only at run time."""
        return content.is_static(self.trees[1])

    @property
    def is_static_outer(self) -> bool:
        """True if nothing of the outer layout is known only at run time."""
        return self.is_static_shape and self.is_static_stride

    @property
    def is_static_offset(self) -> bool:
        """True if the offset is static."""
        return self.offset.is_static

    @property
    def is_static_inner(self) -> bool:
        """True if nothing of the inner map is known only at run time."""
        return "?" not in str(self.inner.type)

    @property
    def stride(self):
        """TypeError: a composed layout has no strides."""
        raise TypeError(f"ComposedLayout {self} has no stride: its inner map is no multiplication; "
                        "the strides of its linear part are those of '.outer'")


@ir.register_value_caster(_types.SwizzleType.static_typeid)
class Swizzle(FlyValue):
    """The map x -> x ^ ((x & ((2**mask - 1) << (base + shift))) >> shift)."""

    is_static = True

    def _numbers(self):
        return tuple(int(number) for number in self.body.strip("S<>").split(","))

    @property
    def mask(self) -> int:
        """The number of bits that change others."""
        return self._numbers()[0]

    @property
    def base(self) -> int:
        """The lowest bit that is changed."""
        return self._numbers()[1]

    @property
    def shift(self) -> int:
        """The distance in bits between the bits that are read and those changed."""
        return self._numbers()[2]

    def __call__(self, index) -> IntTuple:
        """The image of an index."""
        from .operands import as_int_tuple
        return _fly.crd2idx(as_int_tuple(index, f"Swizzle {self}"), self)


@ir.register_value_caster(_types.CoordSwizzleType.static_typeid)
class CoordSwizzle(FlyValue):
    """Bits of the row coordinate exchange bits of the column coordinate."""

    is_static = True

    def __call__(self, *coord) -> IntTuple:
        """The image of a coordinate."""
        from .operands import as_int_tuple
        return _fly.crd2idx(as_int_tuple(coord[0] if len(coord) == 1 else coord, f"CoordSwizzle {self}"), self)


@ir.register_value_caster(_types.TileType.static_typeid)
class Tile(FlyValue):
    """How to cut each mode of a layout: per mode an integer, a layout, a tile, or `*` for all of it."""

    is_static = True

    @property
    def rank(self) -> int:
        """The number of modes that the tile cuts."""
        return len(split_tile(self.body)) if self.body.startswith("[") else 1

    def __len__(self) -> int:
        return self.rank


def split_tile(text: str) -> list:
    """The elements of a tile's body "[a|b|...]"."""
    parts, depth, start = [], 0, 1
    for at, char in enumerate(text):
        if char in "[(":
            depth += 1
        elif char in "])":
            depth -= 1
        if (char == "|" and depth == 1) or (char == "]" and depth == 0):
            parts.append(text[start:at])
            start = at + 1
    return parts

