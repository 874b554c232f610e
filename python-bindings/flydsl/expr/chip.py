# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the traced code needs to know about its chip. All facts come from the compiler; nothing here knows a chip by
itself.
"""

from __future__ import annotations

import functools

__all__ = ["chip_facts", "chip_has_feature", "current_arch", "is_rdna", "known_chips"]


@functools.cache
def known_chips() -> dict:
    """The chips that Fly compiles for: name to facts (`wave_size`, `lds_bytes`, …)."""
    from .._mlir._mlir_libs import _flyNative

    return {entry["name"]: entry for entry in _flyNative.chips()}


def current_arch() -> str:
    """The chip of the trace, or outside of one the chip that is named or present. Errors list the ways to name one."""
    from ..runtime.device import get_rocm_arch

    return get_rocm_arch()


def _plain(arch: str) -> str:
    """The chip's own name: without features (`:xnack+`) and the suffix of a stricter mode."""
    arch = arch.split(":")[0]
    return arch if arch in known_chips() else arch.split("-")[0]


def chip_facts(arch: str | None = None) -> dict:
    """The facts of `arch` (default: the current chip). ValueError, naming the known chips, if it is none of them."""
    arch = current_arch() if arch is None else arch
    facts = known_chips().get(_plain(arch))
    if facts is None:
        raise ValueError(f"unknown chip '{arch}'; the known chips are {', '.join(known_chips())}")
    return facts


def chip_has_feature(feature: str, arch: str | None = None) -> bool:
    """True if the chip has the feature that an atom asks for (`required_feature`); every chip has ""."""
    from .._mlir._mlir_libs import _flyNative

    return not feature or _flyNative.chip_has_feature(chip_facts(arch)["name"], feature)


def is_rdna(arch: str | None = None) -> bool:
    """True for RDNA chips: those with the matrix instructions of gfx11 or gfx120x."""
    return chip_has_feature("wmma-gfx11", arch) or chip_has_feature("wmma-gfx12", arch)
