# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes and coordinates of vectors, on Python numbers."""
from __future__ import annotations

import operator


def normal_shape(shape) -> tuple:
    """`shape` (an int, or ints and nested tuples) as a tuple of positive ints and tuples."""
    if not isinstance(shape, (tuple, list)):
        shape = (shape,)
    result = tuple(_mode(mode) for mode in shape)
    if not result:
        raise ValueError("a vector's shape has at least one mode, found ()")
    return result


def _mode(mode):
    if isinstance(mode, (tuple, list)):
        return normal_shape(mode)
    if isinstance(mode, bool) or isinstance(mode, float):
        raise TypeError(f"a vector's shape consists of integers, found {mode!r}")
    try:
        size = operator.index(mode)
    except TypeError:
        raise TypeError(f"a vector's shape consists of integers, found {type(mode).__name__}") from None
    if size < 1:
        raise ValueError(f"a vector's shape consists of positive integers, found {size}")
    return size


def numel_of(shape) -> int:
    """Number of elements of a shape or mode."""
    if isinstance(shape, int):
        return shape
    count = 1
    for mode in shape:
        count *= numel_of(mode)
    return count


def broadcast_shapes(*shapes) -> tuple:
    """The common shape, as NumPy's rule gives it; nested shapes must be equal. ValueError if there is none."""
    result = shapes[0]
    for shape in shapes[1:]:
        result = _broadcast_two(result, shape)
    return result


def _broadcast_two(a, b):
    if a == b:
        return a
    size = max(len(a), len(b))
    left, right = (1,) * (size - len(a)) + a, (1,) * (size - len(b)) + b
    modes = []
    for x, y in zip(left, right):
        if x != y and x != 1 and y != 1:
            raise ValueError(f"cannot broadcast shapes {a} and {b}")
        modes.append(y if x == 1 else x)
    return tuple(modes)


def broadcast_map(source, target) -> list:
    """For each element of `target`, in row-major order, the element of `source` that it repeats."""
    padded = (1,) * (len(target) - len(source)) + source
    result = [0]
    for have, want in zip(padded, target):
        size = numel_of(have)
        result = [base * size + (i if size != 1 else 0) for base in result for i in range(numel_of(want))]
    return result


def resolve(coord, shape, what):
    """A coordinate as row-major positions.

    Returns (offsets, dynamic, kept): the static positions that the kept modes (None in `coord`) run through, the run-time
    parts as (value, scale) pairs to be added to each, and the kept modes.
    """
    if coord is None:
        return list(range(numel_of(shape))), [], [shape]
    if isinstance(coord, (tuple, list)):
        return _resolve_tuple(coord, shape, what)
    size = numel_of(shape)
    if isinstance(coord, bool) or isinstance(coord, float):
        raise TypeError(f"{what}: expected an integer, found {type(coord).__name__}")
    dtype = getattr(coord, "dtype", None)
    if dtype is not None and not getattr(dtype, "is_integer", True):
        raise TypeError(f"{what}: expected an integer, found {dtype.__name__}")
    if hasattr(coord, "is_static") and not coord.is_static():
        return [0], [(coord, 1)], []
    try:
        at = operator.index(coord)
    except RuntimeError:
        return [0], [(_integer_value(coord, what), 1)], []
    except TypeError:
        raise TypeError(f"{what}: expected an integer, found {type(coord).__name__}") from None
    if not -size <= at < size:
        raise IndexError(f"{what} {at} out of range for numel {size}")
    return [at % size], [], []


def _integer_value(value, what):
    from . import emit
    if emit.is_float(value.type) or hasattr(value.type, "shape"):
        raise TypeError(f"{what}: expected an integer, found {value.type}")
    return value


def _resolve_tuple(coord, shape, what):
    if isinstance(shape, int):
        raise TypeError(f"{what} {coord}: expected an integer for the mode of size {shape}, found a tuple")
    if len(coord) != len(shape):
        raise IndexError(f"{what}: found {len(coord)} coordinates, expected {len(shape)} for the shape {shape}")
    offsets, dynamic, kept = [0], [], []
    for c, mode in zip(coord, shape):
        size = numel_of(mode)
        inner, parts, rest = resolve(c, mode, what)
        offsets = [base * size + i for base in offsets for i in inner]
        dynamic = [(value, scale * size) for value, scale in dynamic] + parts
        if rest:
            kept.append(tuple(rest) if isinstance(c, (tuple, list)) and len(rest) > 1 else rest[0])
    return offsets, dynamic, kept
