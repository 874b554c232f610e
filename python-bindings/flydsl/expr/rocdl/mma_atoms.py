# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix operations, for `fx.make_mma_atom`. `m`, `n`, `k` are the extents of D = A * B + C."""

from __future__ import annotations

from ..._mlir import ir
from ..chip import chip_has_feature, current_arch
from .atom_types import element_type, make_type, require_chip, required_feature, word
from .builders import static_int

__all__ = ["MFMA", "MFMA_Scale", "MFMAScale", "WMMA", "WMMAScale"]

# Extents that are tried when a message lists what a chip has; the compiler says which of them exist.
_TRIED = [(m, m, k) for m in (4, 16, 32) for k in (1, 2, 4, 8, 16, 32, 64, 128)]


def _extents(what, m, n, k):
    extents = tuple(static_int(extent, f"{what}: {name}") for name, extent in (("m", m), ("n", n), ("k", k)))
    if min(extents) <= 0:
        raise ValueError(f"{what}: the extents must be positive, got {extents[0]}x{extents[1]}x{extents[2]}")
    return extents


def _is_integer(kind) -> bool:
    return isinstance(kind, ir.IntegerType)


def _accumulator(elem_ty_acc, a):
    """The given accumulator type; by default f32, for integers i32."""
    if elem_ty_acc is not None:
        return element_type(elem_ty_acc)
    return ir.IntegerType.get_signless(32) if _is_integer(a) else ir.F32Type.get()


def _list_shapes(make, a):
    """A function of the chip that lists the shapes that it has, for the end of a message."""
    def listing(arch):
        found = []
        for shape in _TRIED:
            try:
                atom = make(*shape)
            except ValueError:
                continue
            if chip_has_feature(required_feature(atom), arch):
                found.append("x".join(str(extent) for extent in shape))
        return f"; the shapes that {arch} has for {a} are {', '.join(found)}" if found else f"; {arch} has no shape for {a}"

    return listing


def _made_for_chip(what, make, shape, a):
    """`make(*shape)`; what the compiler or the chip refuses is a ValueError that lists what the chip has."""
    listing = _list_shapes(make, a)
    try:
        atom = make(*shape)
    except ValueError as error:
        try:
            hint = listing(current_arch())
        except RuntimeError:
            hint = ""
        raise ValueError(f"{error}{hint}") from None
    return require_chip(what, atom, listing)


def MFMA(m, n, k, elem_ty_ab, elem_ty_acc=None, *, blocks=1, xf32=False):
    """v_mfma of CDNA chips (waves of 64 lanes), A and B of `elem_ty_ab`.

    The accumulator is f32 by default, for i8 i32 and for f64 f64. `blocks` chooses the instruction that computes so
    many independent products (for `mma_atom_call`; it cannot be tiled), `xf32` the one that reads f32 operands with ten
    bits of mantissa. ValueError, listing the shapes that exist, for others or if the current chip lacks the instruction.
    """
    m, n, k = _extents("MFMA", m, n, k)
    blocks = static_int(blocks, "MFMA: blocks")
    a = element_type(elem_ty_ab)
    acc = a if elem_ty_acc is None and isinstance(a, ir.F64Type) else _accumulator(elem_ty_acc, a)
    fields = (f", blocks = {blocks}" if blocks != 1 else "") + (", xf32 = true" if xf32 else "")

    def make(*shape):
        return make_type("MFMA", "cdna3.mfma", f"{shape[0]}x{shape[1]}x{shape[2]}, ({a}, {a}) -> {acc}{fields}")

    return _made_for_chip(f"MFMA {m}x{n}x{k} of {a}", make, (m, n, k), a)


def _sign(given, dtype, kind) -> bool:
    """Whether an operand is read as signed: as given, else by its class (`fx.Int8` is, `fx.Uint8` is not)."""
    if given is not None:
        return bool(given)
    return _is_integer(kind) and bool(getattr(dtype, "signed", False))


def WMMA(m, n, k, elem_ty_ab, elem_ty_acc=None, *, elem_ty_b=None, sign_a=None, sign_b=None, clamp=False, mod_c=0, reuse_a=False, reuse_b=False):
    """v_wmma of the current chip (waves of 32 lanes): gfx11, gfx120x or gfx1250.

    A is of `elem_ty_ab`, B too unless `elem_ty_b` is given; the accumulator is f32 by default, for integers i32. For
    integers `sign_a`, `sign_b` say whether A and B are read as signed (default: as their class says, IR types
    unsigned), `clamp` whether the sum saturates. gfx1250: `mod_c` changes C of floats (1 negate, 2 absolute, 3
    both), `reuse_a`, `reuse_b` are hints. ValueError for what the chip does not have.
    """
    m, n, k = _extents("WMMA", m, n, k)
    dtype_b = elem_ty_ab if elem_ty_b is None else elem_ty_b
    a, b = element_type(elem_ty_ab), element_type(dtype_b)
    acc = _accumulator(elem_ty_acc, a)
    signs = (_sign(sign_a, elem_ty_ab, a), _sign(sign_b, dtype_b, b), bool(clamp))
    flags = "signA = {}, signB = {}, clamp = {}".format(*map(word, signs))
    arch = current_arch()
    if chip_has_feature("wmma-gfx1250", arch):
        mnemonic = "gfx1250.wmma"
        flags += f", modC = {static_int(mod_c, 'WMMA: mod_c')}, reuseA = {word(reuse_a)}, reuseB = {word(reuse_b)}"
    elif mod_c or reuse_a or reuse_b:
        raise ValueError(f"WMMA on {arch}: mod_c, reuse_a and reuse_b are of gfx1250")
    elif chip_has_feature("wmma-gfx12", arch):
        mnemonic = "gfx120x.wmma"
    elif chip_has_feature("wmma-gfx11", arch):
        mnemonic = "gfx11.wmma"
    else:
        raise ValueError(f"WMMA is not available on target arch {arch}; it is of gfx11, gfx120x and gfx1250 (CDNA chips have rocdl.MFMA)")

    def make(*shape):
        return make_type(f"WMMA on {arch}", mnemonic, f"{shape[0]}x{shape[1]}x{shape[2]}, ({a}, {b}) -> {acc}, {flags}")

    return _made_for_chip(f"WMMA {m}x{n}x{k} of {a}", make, (m, n, k), a)


def MFMA_Scale(m, n, k, elem_ty_a, elem_ty_b=None, elem_ty_acc=None, *, opsel_a=0, opsel_b=0):
    """v_mfma_scale of gfx950: A and B of 8, 6 or 4 bits with a scale for each block of 32; state `scale_a`, `scale_b`
    (i32), or second members of the operand lists of a call.

    `opsel_a`, `opsel_b` (0 to 3) select the byte of the scale word. ValueError for what the chip does not have.
    """
    m, n, k = _extents("MFMA_Scale", m, n, k)
    a = element_type(elem_ty_a)
    b = a if elem_ty_b is None else element_type(elem_ty_b)
    acc = _accumulator(elem_ty_acc, a)
    atom = make_type("MFMA_Scale", "cdna4.mfma_scale", f"{m}x{n}x{k}, ({a}, {b}) -> {acc}, opselA = {opsel_a}, opselB = {opsel_b}")
    return require_chip(f"MFMA_Scale {m}x{n}x{k}", atom)


MFMAScale = MFMA_Scale


def WMMAScale(m, n, k, elem_ty_a, elem_ty_b=None, elem_ty_acc=None, *, opsel_a=0, opsel_b=0, mod_c=0, reuse_a=False, reuse_b=False, block_size=32):
    """v_wmma_scale of gfx1250: A and B of 8, 6 or 4 bits with E8M0 scales for each block of 32 or 16.

    State `scale_a`, `scale_b`: i32 for blocks of 32, i64 for blocks of 16; or second members of the operand lists of
    a call. ValueError for what the chip does not have.
    """
    m, n, k = _extents("WMMAScale", m, n, k)
    a = element_type(elem_ty_a)
    b = a if elem_ty_b is None else element_type(elem_ty_b)
    acc = _accumulator(elem_ty_acc, a)

    atom = make_type("WMMAScale", "gfx1250.wmma_scale",
                     f"{m}x{n}x{k}, ({a}, {b}) -> {acc}, opselA = {opsel_a}, opselB = {opsel_b}, modC = {mod_c}, reuseA = {word(reuse_a)}, "
                     f"reuseB = {word(reuse_b)}, blockSize = {block_size}")
    return require_chip(f"WMMAScale {m}x{n}x{k}", atom)
