# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Python for AMD GPUs, and for the CPU that behaves like one."""

import importlib.util

if importlib.util.find_spec(f"{__name__}._mlir") is None:
    raise ImportError(
        f"{__path__[0]} is the source of flydsl without its native part; put the installed or built package first: an entry of "
        "sys.path or PYTHONPATH for this folder belongs behind it (PYTHONPATH=build/python_packages:python-bindings, or "
        "sys.path.append)")

from .autotune import Config, autotune
from .version import __version__

__all__ = ["__version__"]
