# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atoms of CDNA3 (gfx942)."""

from .copy_atoms import *  # noqa: F401,F403
from .copy_atoms import __all__ as _copies
from .mma_atoms import MFMA  # noqa: F401

__all__ = [*_copies, "MFMA"]
