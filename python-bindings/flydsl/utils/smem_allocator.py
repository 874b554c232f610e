# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared memory by hand-kept byte offsets, for kernels that predate `fx.SharedAllocator`."""

from __future__ import annotations

from .._mlir import ir
from ..compiler.locations import warn
from ..runtime.device import SMEM_CAPACITY_MAP, check_smem_capacity  # noqa: F401

__all__ = ["SMEM_CAPACITY_MAP", "SmemAllocator", "SmemPtr", "check_smem_capacity", "get_index_value", "get_mlir_type_align", "get_mlir_type_size",
           "get_op_result_or_value"]

# The total is a multiple of this many bytes, and the global aligned to the second number.
_GRANULE = 128
_ALIGNMENT = 1024
_warned = False


def get_mlir_type_size(mlir_type) -> int:
    """Bytes of a scalar or vector type, at least 1."""
    if isinstance(mlir_type, ir.VectorType):
        count = 1
        for extent in mlir_type.shape:
            count *= extent
        return (count * _bits(mlir_type.element_type) + 7) // 8
    return (_bits(mlir_type) + 7) // 8


def get_mlir_type_align(mlir_type) -> int:
    """Alignment in bytes of a scalar or vector type: its size rounded up to a power of two, at most 16."""
    return min(1 << (get_mlir_type_size(mlir_type) - 1).bit_length(), 16)


def _bits(mlir_type) -> int:
    if isinstance(mlir_type, ir.IndexType):
        return 64
    width = getattr(mlir_type, "width", None)
    if width is None:
        raise TypeError(f"the size of type {mlir_type} is not known")
    return 8 if width == 1 else width


def get_op_result_or_value(value):
    """The raw IR value of a value, a DSL value or an operation with one result."""
    if isinstance(value, ir.Value):
        return value
    if isinstance(value, (ir.OpView, ir.Operation)):
        return value.results[0]
    from ..expr.meta import as_ir_value

    return as_ir_value(value)


def get_index_value(value):
    """An `index` value from an int or integer value."""
    from .._mlir.dialects import arith

    index = ir.IndexType.get()
    if isinstance(value, int) and not isinstance(value, bool) and not hasattr(value, "ir_value"):
        return arith.constant(index, value)
    raw = get_op_result_or_value(value)
    return raw if raw.type == index else arith.index_cast(index, raw)


class SmemAllocator:
    """A shared buffer whose parts are placed by hand: take an offset with `_align(ptr, a)`, set `ptr` behind the part,
    `finalize()` when all are placed.

    `SmemAllocator(ctx, arch=None, global_sym_name="smem_storage")`; `ctx` is ignored. Offsets are bytes.
    """

    def __init__(self, ctx, arch=None, global_sym_name="smem_storage"):
        global _warned
        if not _warned:
            _warned = True
            warn("SmemAllocator is the legacy interface to shared memory; use fx.SharedAllocator", DeprecationWarning)
        self.ctx = ctx
        self.arch = arch
        self.global_sym_name = global_sym_name
        self.ptr = 0
        self.max_size = 0
        self.finalized = False

    def _align(self, ptr, align):
        """`ptr` rounded up to a multiple of `align`."""
        if align <= 0:
            raise ValueError(f"SmemAllocator: the alignment must be positive, got {align}")
        return -(-ptr // align) * align

    def _total(self) -> int:
        return max(self._align(max(self.ptr, self.max_size), _GRANULE), _GRANULE)

    def _type(self):
        from ..expr.gpu import smem_space

        return ir.MemRefType.get([self._total()], ir.IntegerType.get_signless(8), memory_space=smem_space())

    def finalize(self):
        """Makes the buffer; call it with the insertion point in the body of the `gpu.module`. RuntimeError if it
        exceeds the chip's shared memory.
        """
        from .._mlir.dialects import memref
        from ..expr.chip import current_arch

        check_smem_capacity(self._total(), self.arch or current_arch())
        self.finalized = True
        op = memref.GlobalOp(sym_name=ir.StringAttr.get(self.global_sym_name), type_=ir.TypeAttr.get(self._type()),
                             alignment=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _ALIGNMENT))
        return op

    def get_base(self):
        """The buffer, a memref of bytes; inside a kernel."""
        from .._mlir.dialects import memref

        return memref.get_global(self._type(), self.global_sym_name)


class SmemPtr:
    """A typed part of a shared buffer: `SmemPtr(base, byte_offset, elem_type, shape=None)`; without a shape one
    element.
    """

    def __init__(self, base, byte_offset, elem_type, shape=None):
        self.base = base
        self.byte_offset = byte_offset
        self.elem_type = elem_type if isinstance(elem_type, ir.Type) else elem_type.ir_type
        self.shape = tuple(shape) if shape is not None else (1,)
        self._view = None

    def get(self):
        """The part as a memref of the element type."""
        from .._mlir.dialects import memref
        from ..expr.gpu import smem_space

        kind = ir.MemRefType.get(list(self.shape), self.elem_type, memory_space=smem_space())
        return memref.view(kind, get_op_result_or_value(self.base), get_index_value(self.byte_offset), [])

    def _indices(self, idxs):
        if idxs is None:
            idxs = [0] * len(self.shape)
        elif not isinstance(idxs, (list, tuple)):
            idxs = [idxs]
        if len(idxs) != len(self.shape):
            raise IndexError(f"SmemPtr of shape {self.shape} takes {len(self.shape)} indices, got {len(idxs)}")
        for axis, (index, extent) in enumerate(zip(idxs, self.shape)):
            if isinstance(index, int) and not 0 <= index < extent:
                raise IndexError(f"SmemPtr of shape {self.shape}: index {index} is out of range on axis {axis}")
        return [get_index_value(index) for index in idxs]

    def load(self, idxs=None):
        """The element at `idxs` (default: the first), a raw value."""
        from .._mlir.dialects import memref

        return memref.load(self.get(), self._indices(idxs))

    def store(self, v, idxs=None) -> None:
        """Stores `v` at `idxs`; a Python number becomes a constant of the element type, another value must have it."""
        from .._mlir.dialects import memref
        from ..expr.numeric import Numeric
        from ..expr.storage import coerce_stored

        raw = coerce_stored(Numeric.from_ir_type(self.elem_type), v, "SmemPtr.store").ir_value() if _is_scalar(self.elem_type) \
            else get_op_result_or_value(v)
        memref.store(raw, self.get(), self._indices(idxs))


def _is_scalar(kind) -> bool:
    return not isinstance(kind, ir.VectorType)
