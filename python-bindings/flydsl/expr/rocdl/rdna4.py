# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atoms of RDNA4 (gfx120x)."""

from .mma_atoms import WMMA  # noqa: F401

__all__ = ["WMMA"]
