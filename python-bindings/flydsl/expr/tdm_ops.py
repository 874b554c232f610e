# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Deprecated name of `flydsl.expr.rocdl.tdm_ops`."""

from .rocdl.tdm_ops import *  # noqa: F401,F403
from .rocdl.tdm_ops import __all__  # noqa: F401
