# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Marks of a kernel's progress. Not supported yet: the names exist, a call raises NotImplementedError."""

from ._unsupported import unsupported_class, unsupported_function

_FUNCTIONS = ["mark", "range_push", "range_pop", "range", "range_start", "range_stop", "inactive_token", "capture", "collect", "summary"]

__all__ = [*_FUNCTIONS, "RangeToken"]

globals().update({name: unsupported_function("fx.ktrace", name) for name in _FUNCTIONS})
RangeToken = unsupported_class("fx.ktrace", "RangeToken")
