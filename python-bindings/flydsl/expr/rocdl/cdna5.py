# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atoms of gfx1250: matrix operations and tensor copies."""

from __future__ import annotations

from .atom_types import make_type, require_chip, word
from .builders import dsl_integer, static_int
from .mma_atoms import WMMA, WMMAScale  # noqa: F401

__all__ = ["TDM", "TensorLoad", "TensorStore", "WMMA", "WMMAScale", "make_tdm_atom", "make_tiled_tdm_atom", "tdm_partition"]

# What stands for "no bound" in an extent.
UNBOUNDED = 0x7FFFFFFF


def TDM(rank, num_warps, pad_interval=0, pad_amount=0, cache_modifier=0, atomic_barrier=False, early_timeout=False):
    """The copy operation that moves a whole tile of `rank` (1 to 5) dimensions between global and shared memory, shared
    by `num_warps` waves.

    Padding counts elements. State: `extent_0`… (i32), `stride_0`… (i64, elements), `imm_offset` (i64, bytes),
    `workgroup_mask` (i32). ValueError for other numbers, and on chips without tensor copies.
    """
    numbers = [static_int(number, f"TDM: {name}") for name, number in (("rank", rank), ("num_warps", num_warps), ("pad_interval", pad_interval),
                                                                       ("pad_amount", pad_amount), ("cache_modifier", cache_modifier))]
    rank, num_warps, pad_interval, pad_amount, cache_modifier = numbers
    atom = make_type("TDM", "gfx1250.tdm", f"rank = {rank}, warps = {num_warps}, pad = {pad_interval}, {pad_amount}, cache = {cache_modifier}, "
                                           f"barrier = {word(atomic_barrier)}, timeout = {word(early_timeout)}")
    return require_chip("TDM", atom)


def _check_raw_global(tensor, what) -> None:
    """ValueError if `tensor` is no global tensor, or one with a buffer descriptor."""
    from ..enum import AddressSpace
    from ..layout import AnyTensor

    if not isinstance(tensor, AnyTensor):
        raise TypeError(f"{what}: expected a global tensor, got {type(tensor).__name__}")
    if "buffer_desc" in str(tensor.type):
        raise ValueError(f"{what} needs the raw global tensor: a tensor copy takes an address, not a buffer descriptor")
    if getattr(tensor, "address_space", None) != AddressSpace.Global:
        raise ValueError(f"{what}: expected a global tensor, got {tensor.type}")


def _state(number, bits, what):
    """A number of a tensor copy's state, which is not negative: an int of `bits` bits or a run-time integer."""
    from ..numeric import Int32, Int64, Numeric

    static = number.value if isinstance(number, Numeric) and number.is_static() else number
    if isinstance(static, int) and not isinstance(static, bool) and not 0 <= static < 1 << bits:
        raise ValueError(f"{what} must be 0 to {(1 << bits) - 1}, got {static}")
    return dsl_integer(number, Int32 if bits < 32 else Int64, what)


def make_tdm_atom(tensor, tensor_extents, strides=None, *, num_warps, pad_interval=0, pad_amount=0, cache_modifier=0, atomic_barrier=False,
                  early_timeout=False):
    """A copy atom for tiles of the raw global `tensor`; its rank is the number of `tensor_extents`.

    `tensor_extents` (outer first, None: no bound) say where the tensor ends, counted from the tile's start; `strides`
    (elements, all but the innermost) override the layout's. Both may be run-time integers.
    """
    from .. import primitive

    extents = list(tensor_extents)
    if not 1 <= len(extents) <= 5:
        raise ValueError(f"make_tdm_atom: 1 to 5 extents are needed, got {len(extents)}")
    _check_raw_global(tensor, "make_tdm_atom")
    strides = [] if strides is None else list(strides)
    if strides and len(strides) not in (len(extents) - 1, len(extents)):
        raise ValueError(f"make_tdm_atom: {len(extents) - 1} strides are needed for {len(extents)} extents, got {len(strides)}")
    if len(strides) == len(extents):
        innermost = static_int(strides.pop(), "make_tdm_atom: the innermost stride")
        if innermost != 1:
            raise ValueError(f"make_tdm_atom: the innermost stride must be 1, got {innermost}")
    operation = TDM(len(extents), num_warps, pad_interval, pad_amount, cache_modifier, atomic_barrier, early_timeout)
    atom = primitive.make_copy_atom(operation, tensor.type.element_type.width)
    for position, extent in enumerate(extents):
        value = _state(UNBOUNDED if extent is None else extent, 31, f"make_tdm_atom: extent {position}")
        atom = primitive.atom_set_value(atom, f"extent_{position}", value)
    for position, stride in enumerate(strides):
        atom = primitive.atom_set_value(atom, f"stride_{position}", _state(stride, 48, f"make_tdm_atom: stride {position}"))
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

    The atom moves the part of one of `num_warps` waves. State: `workgroup_mask` and `early_timeout` (loads),
    `atomic_barrier_addr`, `boundary_check`. ValueError, with the compiler's reason, for what is no tensor copy.
    """
    from ..._mlir import ir
    from ..._mlir.dialects import fly_rocdl
    from ..operands import as_layout, as_tiler
    from .atom_types import diagnostics_of

    if not isinstance(op, _TensorCopy):
        raise TypeError(f"make_tiled_tdm_atom: expected TensorLoad() or TensorStore(), got {type(op).__name__}")
    if internal_type is not None:
        raise ValueError("make_tiled_tdm_atom: internal_type must be omitted")
    _check_raw_global(tensor, "make_tiled_tdm_atom")
    builder = fly_rocdl.make_tiled_tdm_load_atom if isinstance(op, TensorLoad) else fly_rocdl.make_tiled_tdm_store_atom
    num_warps = static_int(num_warps, "make_tiled_tdm_atom: num_warps")
    layout, tile = as_layout(smem_layout, "make_tiled_tdm_atom"), as_tiler(tdm_tile, "make_tiled_tdm_atom")
    try:
        atom, coordinates = builder(tensor, layout, tile, num_warps=num_warps, init_boundary_check=bool(init_boundary_check),
                                    cache_modifier=op.cache_modifier, atomic_barrier=bool(atomic_barrier))
    except ir.MLIRError as error:
        raise ValueError(f"make_tiled_tdm_atom: {diagnostics_of(error)}") from None
    require_chip(type(op).__name__, atom.type.copy_op)
    return atom, coordinates


def tdm_partition(atom, warp_coord, warp_layout, stensor, gtensor):
    """(shared, global) parts of one wave's tensor copies.

    Mode 0 of `stensor` and `gtensor` is the box that all waves copy together; `warp_layout` numbers the waves, of
    which `warp_coord` is one. The parts have the modes ((what one call moves, calls), rest…). ValueError if the box is
    no multiple of what the waves move at once.
    """
    from ..._mlir._mlir_libs import _fly
    from .. import primitive

    waves = primitive.get_scalar(primitive.size(warp_layout))
    if not isinstance(waves, int):
        raise TypeError("tdm_partition: the number of waves must be known while tracing")
    split = primitive.static(_fly.tdm_partition_layout(atom.type, stensor.type, gtensor.type, waves))
    wave = primitive.get_scalar(primitive.crd2idx(warp_coord, warp_layout))

    def part(tensor):
        rest = (None,) * (primitive.rank(tensor) - 1)
        cut = primitive.composition(tensor, primitive.make_tile(split, *rest))
        return primitive.group(primitive.slice(cut, ((None, wave, None), *rest)), 0, 2)

    return part(stensor), part(gtensor)
