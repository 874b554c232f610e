# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Python for AMD GPUs, and for the CPU that behaves like one."""

from .autotune import Config, autotune
from .version import __version__

__all__ = ["__version__"]
