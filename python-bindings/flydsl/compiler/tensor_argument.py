# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays as arguments: which part of their layout the compiled code knows."""
from __future__ import annotations

import copy
import ctypes
from typing import Any, Optional

from . import arrays

__all__ = ["MemRefJitArg", "TorchTensorJitArg", "DLTensorJitArg", "TensorAdaptor"]

_INT32_MAX = (1 << 31) - 1


def _leaf(value: Optional[int], width: str, divisibility: int) -> str:
    if value is not None:
        return str(value)
    words = [word for word in (width, f"div={divisibility}" if divisibility != 1 else "") if word]
    return "?{" + " ".join(words) + "}" if words else "?"


def _tuple(leaves: list) -> str:
    return leaves[0] if len(leaves) == 1 else f"({','.join(leaves)})"


class MemRefJitArg:
    """An array that crosses the host call as `!fly.memref<element, global, shape:stride>`.

    The layout is static at first: the compiled code knows every size and stride.
    `mark_layout_dynamic`, `mark_shape_dynamic` and `mark_stride_dynamic` turn
    parts of it into run-time values; each returns the object.
    """

    def __init__(self, array: Any, *, assumed_align: Optional[int] = None, use_32bit_stride: bool = False, dtype=None):
        info = arrays.describe(array, arrays.class_dtype(dtype))
        self._flydsl_array = array
        self._dtype_option = arrays.class_dtype(dtype)
        self._info = info
        if not info.writable:
            raise ValueError("the array is read-only, but a kernel may write to each argument; pass a copy")
        if assumed_align is not None:
            if not isinstance(assumed_align, int) or assumed_align < 1 or assumed_align & (assumed_align - 1):
                raise ValueError(f"assumed_align must be a power of two, got {assumed_align!r}")
            if info.pointer % assumed_align:
                raise ValueError(f"assumed_align={assumed_align}, but the array's address {info.pointer:#x} is aligned "
                                 f"to {info.pointer & -info.pointer} bytes")
        self.assumed_align = assumed_align
        self.use_32bit_stride = bool(use_32bit_stride)
        self._dynamic_shape = {}
        self._dynamic_stride = {}
        self._signature = None
        if not info.shape:
            raise ValueError("a tensor argument needs at least one axis, got a 0-d array")

    # What the array is.

    @property
    def shape(self) -> tuple:
        """Sizes, by axis."""
        return self._info.shape

    @property
    def strides(self) -> tuple:
        """Strides in elements, by axis."""
        return self._info.strides

    @property
    def dtype(self) -> str:
        """The name of the element type, as NumPy and ml_dtypes call it."""
        return self._info.dtype

    @property
    def _element_class(self):
        """The numeric class of integer elements, whose IR type has no sign; None for others."""
        from ..expr import numeric
        return getattr(numeric, self.dtype.capitalize()) if self.dtype.startswith(("int", "uint")) else None

    @property
    def element_bits(self) -> int:
        """Bits of an element in memory."""
        return self._info.itemsize * 8

    @property
    def on_host(self) -> bool:
        """True if the array is in host memory."""
        return self._info.on_host

    @property
    def rank(self) -> int:
        """Number of axes."""
        return len(self._info.shape)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.memref_text()})"

    def without_array(self):
        """A copy for compiled code: it does not keep the array alive, and later marks do not reach it."""
        copied = copy.copy(self)
        copied._flydsl_array = None
        copied._dynamic_shape, copied._dynamic_stride = dict(self._dynamic_shape), dict(self._dynamic_stride)
        return copied

    # What the compiled code knows.

    def mark_layout_dynamic(self, leading_dim: Optional[int] = None, divisibility: int = 1):
        """Makes all sizes run-time values, and all strides but that of `leading_dim`, which is 1.

        leading_dim: an axis with stride 1, by default the first one; RuntimeError
        if it has another stride. divisibility: a power of two that divides the
        leading size and the run-time strides; ValueError if it does not.
        """
        rank = self.rank
        if leading_dim is None:
            if 1 not in self.strides:
                raise RuntimeError(f"cannot mark the layout dynamic for tensor shape={self.shape} "
                                   f"strides={self.strides}: tensor has no axis with stride == 1")
            leading_dim = arrays.leading_axis(self.shape, self.strides)
        leading_dim = self._axes(leading_dim, "leading_dim")[0]
        if self.strides[leading_dim] != 1:
            raise RuntimeError(f"Leading dimension must have stride 1, axis {leading_dim} has "
                               f"{self.strides[leading_dim]}")
        self._set(self._dynamic_shape, self.shape, [leading_dim], divisibility, "size")
        others = [axis for axis in range(rank) if axis != leading_dim]
        self._set(self._dynamic_shape, self.shape, others, 1, "size")
        self._set(self._dynamic_stride, self.strides, others, divisibility, "stride")
        self._dynamic_stride.pop(leading_dim, None)
        return self

    def mark_shape_dynamic(self, dims, divisibility=1):
        """Makes the sizes of `dims` (an axis or a list, negative ones count from the end) run-time values.

        divisibility: a power of two, or one for each axis, that divides the sizes.
        """
        return self._set(self._dynamic_shape, self.shape, self._axes(dims, "dims"), divisibility, "size")

    def mark_stride_dynamic(self, dims, divisibility=1):
        """Makes the strides of `dims` run-time values; arguments as for mark_shape_dynamic."""
        return self._set(self._dynamic_stride, self.strides, self._axes(dims, "dims"), divisibility, "stride")

    def _axes(self, dims, what: str) -> list:
        axes = list(dims) if isinstance(dims, (list, tuple)) else [dims]
        for i, axis in enumerate(axes):
            if isinstance(axis, bool) or not isinstance(axis, int):
                raise TypeError(f"{what}: expected an axis, got {type(axis).__name__} ({axis!r})")
            if not -self.rank <= axis < self.rank:
                raise ValueError(f"{what}: axis {axis} is out of range for a tensor of rank {self.rank}")
            axes[i] = axis % self.rank
        return axes

    def _set(self, marks: dict, values: tuple, axes: list, divisibility, what: str):
        divisors = list(divisibility) if isinstance(divisibility, (list, tuple)) else [divisibility] * len(axes)
        if len(divisors) != len(axes):
            raise ValueError(f"divisibility: expected one number or {len(axes)}, got {len(divisors)}")
        for axis, divisor in zip(axes, divisors):
            if isinstance(divisor, bool) or not isinstance(divisor, int) or divisor < 1 or divisor & (divisor - 1):
                raise ValueError(f"divisibility must be a power of two, got {divisor!r}")
            if values[axis] % divisor:
                raise ValueError(f"divisibility {divisor} does not divide the {what} {values[axis]} of axis {axis}")
        marks.update(zip(axes, divisors))
        self._signature = None
        self.check_reach(self._info)
        return self

    @property
    def is_dynamic(self) -> bool:
        """True if any size or stride is a run-time value."""
        return bool(self._dynamic_shape or self._dynamic_stride)

    def static_shape(self) -> tuple:
        """Sizes, None where the compiled code does not know them."""
        return tuple(None if axis in self._dynamic_shape else size for axis, size in enumerate(self.shape))

    def static_strides(self) -> tuple:
        """Strides in elements, None where the compiled code does not know them."""
        return tuple(None if axis in self._dynamic_stride else s for axis, s in enumerate(self.strides))

    def check_reach(self, info: arrays.ArrayInfo) -> None:
        """ValueError if run-time strides of 32 bits cannot reach each element of the array `info`."""
        if self.use_32bit_stride and self._dynamic_stride and 0 not in info.shape:
            reach = sum((size - 1) * abs(stride) for size, stride in zip(info.shape, info.strides))
            if reach > _INT32_MAX:
                raise ValueError(f"use_32bit_stride: the last element is {reach} elements away from the first (shape {info.shape}, "
                                 f"strides {info.strides}), which 32 bits do not hold")

    def divisors(self) -> tuple:
        """`(kind, axis, divisor)` of every claim about a run-time size or stride."""
        claims = [("size", axis, d) for axis, d in sorted(self._dynamic_shape.items()) if d != 1]
        return tuple(claims + [("stride", axis, d) for axis, d in sorted(self._dynamic_stride.items()) if d != 1])

    @property
    def align(self) -> int:
        """The alignment, in bytes, that the compiled code relies on."""
        return self.assumed_align or self._info.itemsize

    def memref_text(self) -> str:
        """The IR type as text."""
        if self._signature is None:
            width = "" if self.use_32bit_stride else "i64"
            sizes, steps = self._dynamic_shape, self._dynamic_stride
            shape = [_leaf(size, "", sizes.get(axis, 1)) for axis, size in enumerate(self.static_shape())]
            stride = [_leaf(step, width, steps.get(axis, 1)) for axis, step in enumerate(self.static_strides())]
            align = f", align<{self.align}>" if self.align != self._info.itemsize else ""
            self._signature = f"!fly.memref<{self._info.element}, global, {_tuple(shape)}:{_tuple(stride)}{align}>"
        return self._signature

    # The protocol.

    def __get_ir_types__(self) -> list:
        from .._mlir import ir
        return [ir.Type.parse(self.memref_text())]

    def __cache_signature__(self):
        return self.memref_text()

    def __c_abi_spec__(self) -> list:
        spec = [(ctypes.c_void_p, self._fill_pointer)]
        stride = ctypes.c_int32 if self.use_32bit_stride else ctypes.c_int64
        size = 4 * len(self._dynamic_shape) + ctypes.sizeof(stride) * len(self._dynamic_stride)
        if size:
            spec.append((ctypes.c_uint8 * size, self._fill_layout))
        return spec

    def _live(self, arg) -> arrays.ArrayInfo:
        if isinstance(arg, MemRefJitArg):
            return arg._info
        return arrays.describe(arg, self._dtype_option)

    def _fill_pointer(self, arg, storage) -> None:
        storage.value = self._live(arg).pointer

    def _fill_layout(self, arg, storage) -> None:
        info, width = self._live(arg), 4 if self.use_32bit_stride else 8
        parts = [info.shape[axis].to_bytes(4, "little", signed=True) for axis in sorted(self._dynamic_shape)]
        parts += [info.strides[axis].to_bytes(width, "little", signed=True) for axis in sorted(self._dynamic_stride)]
        data = b"".join(parts)
        ctypes.memmove(storage, data, len(data))


class DLTensorJitArg(MemRefJitArg):
    """An array that was wrapped by hand: `from_dlpack`. Its layout is static until it is marked."""


class TorchTensorJitArg(MemRefJitArg):
    """A torch tensor. As a plain argument its layout is dynamic, but for one axis of stride 1."""

    def __init__(self, tensor, *, assumed_align: Optional[int] = None, use_32bit_stride: bool = False,
                 dynamic_layout: bool = True):
        super().__init__(tensor, assumed_align=assumed_align, use_32bit_stride=use_32bit_stride)
        if dynamic_layout:
            arrays.leading_axis(self.shape, self.strides)
            self.mark_layout_dynamic()


class NumpyArrayJitArg(MemRefJitArg):
    """A plain NumPy array; its layout is dynamic, but for one axis of stride 1."""

    def __init__(self, array):
        super().__init__(array)
        arrays.leading_axis(self.shape, self.strides)
        self.mark_layout_dynamic()


# The guide's name for what carries a tensor over the host call.
TensorAdaptor = DLTensorJitArg
