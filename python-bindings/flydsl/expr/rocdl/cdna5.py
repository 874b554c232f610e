# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atoms of gfx1250: matrix operations and tensor copies. Factories of atoms that the compiler does not have yet say so.
"""

from __future__ import annotations

from .atom_types import make_type, require_chip
from .builders import static_int
from .mma_atoms import WMMA, WMMAScale  # noqa: F401

__all__ = ["TDM", "TensorLoad", "TensorStore", "WMMA", "WMMAScale", "make_tdm_atom", "make_tiled_tdm_atom", "tdm_partition"]

# What stands for "no bound" in an extent.
UNBOUNDED = 0x7FFFFFFF


def _word(flag):
    return "true" if flag else "false"


def TDM(rank, num_warps, pad_interval=0, pad_amount=0, cache_modifier=0, atomic_barrier=False, early_timeout=False):
    """The copy operation that moves a whole tile of `rank` (1 to 5) dimensions between global and shared memory, shared
    by `num_warps` waves.

    Padding counts elements. State: `extent_0`… (i32), `stride_0`… (i64, elements), `imm_offset` (i64, bytes),
    `workgroup_mask` (i32).
    """
    numbers = [static_int(number, f"TDM: {name}") for name, number in (("rank", rank), ("num_warps", num_warps), ("pad_interval", pad_interval),
                                                                       ("pad_amount", pad_amount), ("cache_modifier", cache_modifier))]
    rank, num_warps, pad_interval, pad_amount, cache_modifier = numbers
    atom = make_type("TDM", "gfx1250.tdm", f"rank = {rank}, warps = {num_warps}, pad = {pad_interval}, {pad_amount}, cache = {cache_modifier}, "
                                           f"barrier = {_word(atomic_barrier)}, timeout = {_word(early_timeout)}")
    return require_chip("TDM", atom)


def make_tdm_atom(tensor, tensor_extents, strides=None, *, num_warps, pad_interval=0, pad_amount=0, cache_modifier=0, atomic_barrier=False,
                  early_timeout=False):
    """A copy atom for tiles of the raw global `tensor`; its rank is the number of `tensor_extents`.

    `tensor_extents` (outer first, None: no bound) say where the tensor ends, `strides` (elements, all but the
    innermost) override the layout's.
    """
    from .. import primitive
    from ..numeric import Int32, Int64

    extents = list(tensor_extents)
    if not 1 <= len(extents) <= 5:
        raise ValueError(f"make_tdm_atom: 1 to 5 extents are needed, got {len(extents)}")
    if "buffer_desc" in str(tensor.type):
        raise ValueError("make_tdm_atom needs the raw global tensor: a tensor copy takes an address, not a buffer descriptor")
    strides = [] if strides is None else list(strides)
    if strides and len(strides) not in (len(extents) - 1, len(extents)):
        raise ValueError(f"make_tdm_atom: {len(extents) - 1} strides are needed for {len(extents)} extents, got {len(strides)}")
    operation = TDM(len(extents), num_warps, pad_interval, pad_amount, cache_modifier, atomic_barrier, early_timeout)
    atom = primitive.make_copy_atom(operation, tensor.type.element_type.width)
    for position, extent in enumerate(extents):
        atom = primitive.atom_set_value(atom, f"extent_{position}", Int32(UNBOUNDED if extent is None else extent))
    for position, stride in enumerate(strides[: len(extents) - 1]):
        atom = primitive.atom_set_value(atom, f"stride_{position}", Int64(stride))
    return atom


class _TensorCopy:
    """A request for a tensor copy atom; `make_tiled_tdm_atom` makes the atom."""

    def __init__(self, cache_modifier=0):
        self.cache_modifier = static_int(cache_modifier, f"{type(self).__name__}: cache_modifier")


class TensorLoad(_TensorCopy):
    """A copy from global to shared memory that is driven by coordinates."""


class TensorStore(_TensorCopy):
    """A copy from shared to global memory that is driven by coordinates."""


def make_tiled_tdm_atom(op, tensor, smem_layout, tdm_tile, num_warps=1, *, init_boundary_check=True, atomic_barrier=False, internal_type=None):
    """(atom, coordinate tensor) of a tensor copy of `tdm_tile` tiles of `tensor` that lie in shared memory as
    `smem_layout` says.
    """
    from ..._mlir.dialects import fly_rocdl

    if not isinstance(op, _TensorCopy):
        raise TypeError(f"make_tiled_tdm_atom: expected TensorLoad() or TensorStore(), got {type(op).__name__}")
    if internal_type is not None:
        raise ValueError("make_tiled_tdm_atom: internal_type must be omitted")
    name = "make_tiled_tdm_load_atom" if isinstance(op, TensorLoad) else "make_tiled_tdm_store_atom"
    builder = getattr(fly_rocdl, name, None)
    if builder is None:
        raise NotImplementedError(f"make_tiled_tdm_atom is not supported yet: this version of the compiler has no operation '{name}'")
    return tuple(builder(tensor, smem_layout, tdm_tile, num_warps=num_warps, init_boundary_check=init_boundary_check,
                         cache_modifier=op.cache_modifier, atomic_barrier=atomic_barrier))


def tdm_partition(atom, warp_coord, warp_layout, stensor, gtensor):
    """(shared, global) parts of one wave's tensor copies. NotImplementedError while the compiler has no tensor copy."""
    from ..._mlir._mlir_libs import _fly

    if not hasattr(_fly, "tdm_partition_layout"):
        raise NotImplementedError("tdm_partition is not supported yet: this version of the compiler cannot partition tensor copies")
    from .. import primitive

    count = primitive.size(warp_layout)
    layout = _fly.tdm_partition_layout(atom.type, stensor.type, gtensor.type, int(primitive.get_scalar(count)))
    split = primitive.static(layout)
    wave = primitive.crd2idx(warp_coord, warp_layout)
    return tuple(primitive.slice(primitive.composition(tensor, split), (None, wave, None)) for tensor in (stensor, gtensor))
