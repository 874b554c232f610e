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
    """The type `!fly_rocdl.mnemonic<parameters>`.

    NotImplementedError if the compiler has no such atom (yet), or if the atom can only be written as text; ValueError
    with the compiler's text if it refuses the parameters.
    """
    try:
        atom = ir.Type.parse(f"!fly_rocdl.{mnemonic}<{parameters}>")
        if not hasattr(atom, "required_feature"):
            raise NotImplementedError(f"{what} is not supported yet: the binding has no class for the atom '{mnemonic}'")
        return atom
    except ir.MLIRError as error:
        text = _diagnostics(error)
    if "unknown" in text and f"`{mnemonic}`" in text:
        raise NotImplementedError(f"{what} is not supported yet: this version of the compiler has no atom '{mnemonic}'") from None
    raise ValueError(f"{what}: {text}") from None


def _diagnostics(error) -> str:
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
    try:
        arch = current_arch()
    except RuntimeError:
        return atom
    feature = required_feature(atom)
    if not chip_has_feature(feature, arch):
        hint = alternatives(arch) if alternatives is not None else ""
        raise ValueError(f"{what} is not available on {arch}: the chip lacks the feature '{feature}'{hint}")
    return atom


def required_feature(atom) -> str:
    """The chip feature that an atom operation needs; empty if every chip has it."""
    return atom.required_feature
