# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the atom factories make types: the compiler is asked for the type and for the chip feature that it needs."""

from __future__ import annotations

from ..._mlir import ir
from ..chip import chip_has_feature, current_arch


def element_type(dtype):
    """The IR type of an element class, or an IR type itself."""
    from .builders import ir_type

    return ir_type(dtype)


def make_type(what: str, mnemonic: str, parameters: str):
    """The type `!fly_rocdl.mnemonic<parameters>`; ValueError with the compiler's text if it refuses the parameters."""
    try:
        return ir.Type.parse(f"!fly_rocdl.{mnemonic}<{parameters}>")
    except ir.MLIRError as error:
        raise ValueError(f"{what}: {diagnostics_of(error)}") from None


def diagnostics_of(error) -> str:
    """The messages of a failed type without MLIR's frame around them."""
    diagnostics = getattr(error, "error_diagnostics", None)
    if diagnostics:
        return "; ".join(entry.message for entry in diagnostics)
    return str(error)


def require_chip(what: str, atom, alternatives=None):
    """`atom`, after asking whether the current chip has its instruction; ValueError if not, with `alternatives()` for a
    hint.

    Outside of a trace without a named chip nothing is asked: the compiler checks again when it knows the chip.
    """
    require_feature(what, required_feature(atom), alternatives)
    return atom


def require_feature(what: str, feature: str, alternatives=None) -> None:
    """ValueError if the current chip, as far as one is known, lacks a feature."""
    try:
        arch = current_arch()
    except RuntimeError:
        return
    if not chip_has_feature(feature, arch):
        hint = alternatives(arch) if alternatives is not None else ""
        raise ValueError(f"{what} is not available on {arch}: the chip lacks the feature '{feature}'{hint}")


def word(flag) -> str:
    """A flag as types spell it."""
    return "true" if flag else "false"


def required_feature(atom) -> str:
    """The chip feature that an atom operation needs; empty if every chip has it."""
    return atom.required_feature
