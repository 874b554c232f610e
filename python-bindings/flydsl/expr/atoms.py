# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copy and matrix atoms, tiled over threads.

An atom is one instruction: which thread holds which value. A tiled atom repeats
it over a tile; a slice of it belongs to one thread.
"""
from __future__ import annotations

from typing import Any

from .._mlir import ir
from .._mlir._mlir_libs import _fly as _types
from .builders import builders as _fly
from .elements import to_element
from .enum import MmaOperand
from .layout import AnyPointer, FlyValue, IntTuple, Layout, Tile
from .numeric import Int32, Int64, Numeric
from .operands import as_int_tuple, as_tensor, describe
from .tensor import check_memory

__all__ = ["CopyAtom", "MmaAtom", "ThrCopy", "ThrMma", "TiledCopy", "TiledMma"]


def _state_fields(atom_type: ir.Type) -> dict:
    """Names and types of the run-time fields of an atom."""
    return dict(atom_type.state_fields)


def set_atom_value(atom: ir.Value, field: Any, value: Any, where: str = "set_value") -> ir.Value:
    """The atom with one run-time field, or those of a dict, replaced."""
    if isinstance(field, dict):
        if value is not None:
            raise TypeError(f"{where}: expected (field, value) or one dict, got a dict and {describe(value)}")
        for name, item in field.items():
            atom = set_atom_value(atom, name, item, where)
        return atom
    if not isinstance(field, str):
        raise TypeError(f"{where}: a field is named by a str, got {describe(field)}")
    fields = _state_fields(atom.type)
    if field not in fields:
        known = ", ".join(fields) or "none"
        raise ValueError(f"{where}: {atom.type} has no run-time field {field!r}; its fields: {known}")
    if value is None:
        raise TypeError(f"{where}: the value of {field!r} is missing")
    return _fly.atom_set_value(atom, field, _state_value(value, fields[field], f"{where}({field!r}) of {atom.type}"))


def _state_value(value: Any, kind: ir.Type, where: str) -> ir.Value:
    """`value` as a field of type `kind`: a number, a tuple of numbers, or a shared pointer."""
    if isinstance(kind, _types.IntTupleType):
        # The type of the field stands for all tuples.
        return as_int_tuple(value, where)
    if isinstance(kind, _types.PointerType):
        if not isinstance(value, AnyPointer):
            raise TypeError(f"{where}: expected a pointer, got {describe(value)}")
        return value
    if isinstance(kind, ir.IntegerType) and isinstance(value, Numeric) and type(value).is_integer and 1 < value.width < kind.width:
        # A narrower number is the same number.
        value = {32: Int32, 64: Int64}[kind.width](value)
    return to_element(value, kind, where)


class _Atom(FlyValue):
    """What copy atoms and matrix atoms share."""

    @property
    def thr_layout(self) -> Layout:
        """The layout of the threads that execute the atom together."""
        return _fly.static(self.type.thr_layout)

    @property
    def thr_id(self) -> Layout:
        """Another name of `thr_layout`."""
        return self.thr_layout

    def set_value(self, field, value=None) -> Any:
        """The atom with the run-time field `field` replaced; a dict replaces several.

        Python numbers convert to the field's type. ValueError for a field that
        the atom does not have, TypeError for a value of another type.
        """
        return set_atom_value(self, field, value, f"{type(self).__name__}.set_value")


@ir.register_value_caster(_types.CopyAtomType.static_typeid)
class CopyAtom(_Atom):
    """A copy instruction on values of `val_bits` bits."""

    @property
    def val_bits(self) -> int:
        """The width of one copied value in bits."""
        return self.type.val_bits

    @property
    def layout_src_tv(self) -> Layout:
        """(thread, value) to the number of the value in the atom's tile, as the source holds it."""
        return _fly.static(self.type.layout_src_tv)

    @property
    def layout_dst_tv(self) -> Layout:
        """(thread, value) to the number of the value in the atom's tile, as the destination holds it."""
        return _fly.static(self.type.layout_dst_tv)

    @property
    def layout_ref_tv(self) -> Layout:
        """(thread, value) to the number of the value in the atom's tile, for which tiled copies are stated."""
        return _fly.static(self.type.layout_ref_tv)


@ir.register_value_caster(_types.MmaAtomType.static_typeid)
class MmaAtom(_Atom):
    """A multiply-accumulate instruction D = A * B + C."""

    @property
    def shape_mnk(self) -> IntTuple:
        """The extents (M, N, K)."""
        return _fly.static(self.type.shape_mnk)

    @property
    def layout_A_tv(self) -> Layout:
        """(thread, value) to the column-major index in the M x K tile of A."""
        return _fly.static(self.type.layout_A_tv)

    @property
    def layout_B_tv(self) -> Layout:
        """(thread, value) to the column-major index in the N x K tile of B."""
        return _fly.static(self.type.layout_B_tv)

    @property
    def layout_C_tv(self) -> Layout:
        """(thread, value) to the column-major index in the M x N tile of C and D."""
        return _fly.static(self.type.layout_C_tv)


class _Tiled(FlyValue):
    """What tiled copies and tiled matrix operations share."""

    _slice_class: Any = None

    def thr_slice(self, thr_idx) -> Any:
        """The part of the thread with this number, a static or run-time integer or a coordinate."""
        return self._slice_class(self, as_int_tuple(thr_idx, f"{type(self).__name__}.get_slice"))

    def get_slice(self, thr_idx) -> Any:
        """Another name of `thr_slice`."""
        return self.thr_slice(thr_idx)


class _ThrSlice:
    """A tiled atom together with the number of a thread; has all that the tiled atom has."""

    _tiled_class: Any = None

    def __init__(self, tiled: ir.Value, thr_idx: IntTuple):
        self.tiled = tiled
        self.thr_idx = thr_idx

    def __getattr__(self, name):
        if name.startswith("__") or name == "tiled":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return getattr(self.tiled, name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.tiled!r}, {self.thr_idx})"

    def __extract_to_ir_values__(self) -> list:
        return [self.tiled, self.thr_idx]

    @classmethod
    def __construct_from_ir_values__(cls, values, exemplar=None):
        if len(values) != 2:
            raise ValueError(f"{cls.__name__}: expected 2 IR values, got {len(values)}")
        return cls(cls._tiled_class.__construct_from_ir_values__(values[:1]), IntTuple.__construct_from_ir_values__(values[1:]))


class ThrCopy(_ThrSlice):
    """A tiled copy as one thread sees it."""

    def partition_S(self, tensor) -> Any:
        """The part of a source tensor that this thread reads: ((atom values, repeats), rest, ...)."""
        return _fly.tiled_copy_partition_src(self.tiled, as_tensor(tensor, "partition_S"), self.thr_idx)

    def partition_D(self, tensor) -> Any:
        """The part of a destination tensor that this thread writes: ((atom values, repeats), rest, ...)."""
        return _fly.tiled_copy_partition_dst(self.tiled, as_tensor(tensor, "partition_D"), self.thr_idx)

    def retile(self, tensor) -> Any:
        """A register tensor (mode 0 = values) regrouped by this copy's values."""
        return _fly.tiled_copy_retile(self.tiled, check_memory(tensor, "retile"))


@ir.register_value_caster(_types.TiledCopyType.static_typeid)
class TiledCopy(_Tiled):
    """A copy atom repeated over the threads and values of a tile."""

    _slice_class = ThrCopy

    @property
    def copy_atom(self) -> CopyAtom:
        """The atom that is repeated."""
        return _fly.get_copy_atom(self)

    @property
    def tile_mn(self) -> Tile:
        """The tile that one call of all threads covers."""
        return _fly.static(self.type.tile_mn)

    @property
    def layout_tv_tiled(self) -> Layout:
        """(thread, value) to the column-major index in the tile."""
        return _fly.static(self.type.layout_thr_val)

    @property
    def layout_src_tv_tiled(self) -> Layout:
        """(thread, value) to the column-major index in the tile, as the source side is read."""
        return _fly.static(self.type.layout_src_tv_tiled)

    @property
    def layout_dst_tv_tiled(self) -> Layout:
        """(thread, value) to the column-major index in the tile, as the destination side is written."""
        return _fly.static(self.type.layout_dst_tv_tiled)

    def set_value(self, field, value=None) -> "TiledCopy":
        """The tiled copy with a run-time field of its atom replaced; see `CopyAtom.set_value`."""
        atom = set_atom_value(self.copy_atom, field, value, "TiledCopy.set_value")
        return _fly.make_tiled_copy(atom, self.layout_tv_tiled, self.tile_mn)


ThrCopy._tiled_class = TiledCopy


def operand_attr(operand: Any, where: str) -> ir.Attribute:
    """A matrix operand, an `MmaOperand` or its name, as an attribute."""
    return MmaOperand.of(operand, where).attr


class ThrMma(_ThrSlice):
    """A tiled matrix operation as one thread sees it."""

    def _partition(self, operand: MmaOperand, tensor) -> Any:
        return _fly.tiled_mma_partition(operand.attr, self.tiled, as_tensor(tensor, f"partition_{operand.name}"), self.thr_idx)

    def partition_A(self, tensor) -> Any:
        """This thread's part of an (M, K) tensor: (values, M repeats, K repeats, ...)."""
        return self._partition(MmaOperand.A, tensor)

    def partition_B(self, tensor) -> Any:
        """This thread's part of an (N, K) tensor: (values, N repeats, K repeats, ...)."""
        return self._partition(MmaOperand.B, tensor)

    def partition_C(self, tensor) -> Any:
        """This thread's part of an (M, N) tensor: (values, M repeats, N repeats, ...)."""
        return self._partition(MmaOperand.C, tensor)


def make_fragment(operand: MmaOperand, tiled: ir.Value, tensor: Any, stages: Any) -> Any:
    """New registers for one thread's part of an operand."""
    where = f"make_fragment_{operand.name}"
    check_memory(tensor, where)
    if stages is not None:
        if isinstance(stages, bool) or not isinstance(stages, int) or stages <= 0:
            raise ValueError(f"{where}: stages is a positive int, got {stages!r}")
    return _fly.mma_make_fragment(operand.attr, tiled, tensor, stages=stages)


@ir.register_value_caster(_types.TiledMmaType.static_typeid)
class TiledMma(_Tiled):
    """A matrix atom repeated over threads and a tile."""

    _slice_class = ThrMma

    @property
    def mma_atom(self) -> MmaAtom:
        """The atom that is repeated."""
        return _fly.get_mma_atom(self)

    @property
    def atom_layout(self) -> Layout:
        """The layout of the atoms over (M, N, K)."""
        return _fly.static(self.type.atom_layout)

    @property
    def permutation_mnk(self) -> Tile:
        """How the modes of the operands are permuted; `*` stands for not at all."""
        return _fly.static(self.type.permutation)

    @property
    def tile_size_mnk(self) -> IntTuple:
        """The extents (M, N, K) that one call of all threads covers."""
        return _fly.static(self.type.tile_size_mnk)

    @property
    def thr_layout_vmnk(self) -> Layout:
        """(thread in the atom, atom of M, of N, of K) to the number of the thread."""
        return _fly.static(self.type.thr_layout_vmnk)

    @property
    def tv_layout_A_tiled(self) -> Layout:
        """(thread, value) to the column-major index in the M x K tile of A."""
        return _fly.static(self.type.tv_layout_A_tiled)

    @property
    def tv_layout_B_tiled(self) -> Layout:
        """(thread, value) to the column-major index in the N x K tile of B."""
        return _fly.static(self.type.tv_layout_B_tiled)

    @property
    def tv_layout_C_tiled(self) -> Layout:
        """(thread, value) to the column-major index in the M x N tile of C and D."""
        return _fly.static(self.type.tv_layout_C_tiled)

    def make_fragment_A(self, tensor, *, stages=None) -> Any:
        """New registers for a thread's part of the (M, K) tensor A; with `stages` that many times as a last mode."""
        return make_fragment(MmaOperand.A, self, tensor, stages)

    def make_fragment_B(self, tensor, *, stages=None) -> Any:
        """New registers for a thread's part of the (N, K) tensor B; with `stages` that many times as a last mode."""
        return make_fragment(MmaOperand.B, self, tensor, stages)

    def make_fragment_C(self, tensor, *, stages=None) -> Any:
        """New registers of the accumulator's type for a thread's part of the (M, N) tensor C."""
        return make_fragment(MmaOperand.C, self, tensor, stages)

    def set_value(self, field, value=None) -> "TiledMma":
        """The tiled operation with a run-time field of its atom replaced; see `MmaAtom.set_value`."""
        atom = set_atom_value(self.mma_atom, field, value, "TiledMma.set_value")
        return _fly.make_tiled_mma(atom, self.atom_layout, permutation=self.permutation_mnk)


ThrMma._tiled_class = TiledMma


def tiled_of(value: Any) -> Any:
    """The tiled atom of a thread's slice; other values as they are."""
    return value.tiled if isinstance(value, _ThrSlice) else value
