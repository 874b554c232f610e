# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the types of layout values hold, as plain Python data.

The content of a type is read from its printed form, which is canonical: one
text is parsed once per process, whatever context its type lives in.

An int tuple is a tree: a nested `tuple` whose leaves are `int` (static), `None`
(`*`), `Dynamic` (known only at run time) or `BasisLeaf` (a scaled basis
element). `body` of a type is what stands between its angle brackets.
"""
from __future__ import annotations

import functools
import re
from typing import NamedTuple, Optional, Union

__all__ = [
    "BasisLeaf", "Dynamic", "Tree", "body", "congruent", "dynamic_leaves", "is_static", "layout_trees", "leaves", "linear_text",
    "parse_tree", "tree_depth", "tree_rank", "tree_size", "tree_text"
]


class Dynamic(NamedTuple):
    """A leaf known only at run time: its width in bits (32 or 64) and a number that divides it."""

    width: int
    divisibility: int

    def __str__(self) -> str:
        facts = (["i64"] if self.width == 64 else []) + ([f"div={self.divisibility}"] if self.divisibility != 1 else [])
        return "?{" + " ".join(facts) + "}" if facts else "?"


class BasisLeaf(NamedTuple):
    """A leaf `value` in the coordinate that the path `modes` reaches."""

    value: Union[int, Dynamic]
    modes: tuple

    def __str__(self) -> str:
        return f"{self.value}" + "".join(f"E{mode}" for mode in self.modes)


Tree = Union[int, None, Dynamic, BasisLeaf, tuple]

_LEAF = re.compile(r"\s*(?P<value>\*|-?\d+|\?(?:\{(?P<wide>i64|i32)?\s*(?:div=(?P<div>-?\d+))?\})?)(?P<basis>(?:E\d+)*)")


@functools.lru_cache(maxsize=8192)
def parse_tree(text: str) -> Tree:
    """The tree that the body of an int tuple spells."""
    tree, end = _parse(text, 0)
    if text[end:].strip():
        raise ValueError(f"no int tuple: {text!r}")
    return tree


def _parse(text: str, at: int):
    if text[at] == "(":
        modes = []
        while True:
            mode, at = _parse(text, at + 1)
            modes.append(mode)
            if text[at] == ")":
                return tuple(modes), at + 1
    match = _LEAF.match(text, at)
    if match is None:
        raise ValueError(f"no int tuple: {text!r}")
    spelled = match["value"]
    if spelled == "*":
        leaf: Tree = None
    elif spelled[0] == "?":
        leaf = Dynamic(64 if match["wide"] == "i64" else 32, int(match["div"] or 1))
    else:
        leaf = int(spelled)
    if match["basis"]:
        leaf = BasisLeaf(leaf or 0 if leaf is None else leaf, tuple(int(mode) for mode in match["basis"][1:].split("E")))
    return leaf, match.end()


def tree_text(tree: Tree) -> str:
    """The tree as it stands inside of types."""
    if tree is None:
        return "*"
    if type(tree) is tuple:
        return "(" + ",".join(tree_text(mode) for mode in tree) + ")"
    return str(tree)


def leaves(tree: Tree) -> list:
    """All leaves, depth first and left to right."""
    if type(tree) is tuple:
        return [leaf for mode in tree for leaf in leaves(mode)]
    return [tree]


def is_dynamic_leaf(leaf: Tree) -> bool:
    """True for a leaf that stands for an operand."""
    return type(leaf) is Dynamic or (type(leaf) is BasisLeaf and type(leaf.value) is Dynamic)


def dynamic_leaves(tree: Tree) -> list:
    """The leaves that stand for operands, in their order."""
    return [leaf for leaf in leaves(tree) if is_dynamic_leaf(leaf)]


def is_static(tree: Tree) -> bool:
    """True if no leaf is known only at run time."""
    return not any(map(is_dynamic_leaf, leaves(tree)))


def tree_rank(tree: Tree) -> int:
    """The number of modes; 1 for a leaf."""
    return len(tree) if type(tree) is tuple else 1


def tree_depth(tree: Tree) -> int:
    """The number of nested tuples; 0 for a leaf."""
    return 1 + max(map(tree_depth, tree)) if type(tree) is tuple else 0


def tree_size(shape: Tree) -> Optional[int]:
    """The number of coordinates of a shape; None if it is known only at run time."""
    size = 1
    for leaf in leaves(shape):
        if type(leaf) is not int:
            return None
        size *= leaf
    return size


def congruent(a: Tree, b: Tree) -> bool:
    """True if both trees have the same profile, leaf against leaf."""
    if type(a) is tuple and type(b) is tuple:
        return len(a) == len(b) and all(map(congruent, a, b))
    return type(a) is not tuple and type(b) is not tuple


def body(type_or_text) -> str:
    """What stands between the angle brackets of a type."""
    text = str(type_or_text)
    return text[text.index("<") + 1:-1]


def linear_text(text: str) -> str:
    """The plain layout at the end of the chain of outers of a layout's body."""
    return text.rstrip("]").rsplit(" o ", 1)[-1]


@functools.lru_cache(maxsize=8192)
def layout_trees(text: str):
    """Shape and stride of the linear part of a layout's body."""
    shape, stride = linear_text(text).split(":", 1)
    return parse_tree(shape), parse_tree(stride)
