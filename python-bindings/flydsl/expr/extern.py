# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of external device functions. Not supported yet: the names exist, any use raises NotImplementedError."""

from ._unsupported import unsupported_class

__all__ = ["ExternFunction", "ffi"]

ExternFunction = unsupported_class("fx.extern", "ffi")
ffi = ExternFunction
