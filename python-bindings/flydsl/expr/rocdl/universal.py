# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all AMD chips have."""

from .buffers import *  # noqa: F401,F403
from .buffers import __all__  # noqa: F401
