# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`Vector.load` and `Vector.store` on Fly tensors: consecutive elements from a coordinate on."""
from __future__ import annotations


def _pointer_at(tensor, indices, what):
    from .. import primitive as fx
    if not (hasattr(tensor, "iter") and hasattr(tensor, "layout")):
        raise TypeError(f"{what}: expected a memref or a tensor, found {type(tensor).__name__}")
    indices = tuple(indices) if isinstance(indices, (tuple, list)) else (indices,)
    offset = fx.crd2idx(fx.make_coord(*indices), tensor.layout)
    return fx.add_offset(tensor.iter, offset)


def load_at(tensor, indices, type_, dtype):
    """The vector of IR type `type_` at `tensor[indices]`."""
    from ..vector import Vector
    element = dtype if dtype is not None else getattr(tensor, "dtype", None)
    pointer = _pointer_at(tensor, indices, "Vector.load")
    return Vector(pointer.load(type_), None, element)


def store_at(value, tensor, indices):
    """Writes the vector `value` from `tensor[indices]` on."""
    if value.dtype is not tensor.dtype:
        raise TypeError(f"Vector.store: found elements {value.dtype.__name__}, expected {tensor.dtype.__name__}; convert with "
                        ".to()")
    _pointer_at(tensor, indices, "Vector.store").store(value)
