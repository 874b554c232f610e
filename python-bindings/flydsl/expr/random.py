# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random numbers from counters. Not supported yet: the names exist, a call raises NotImplementedError."""

from types import SimpleNamespace

from ._unsupported import unsupported_function

_FUNCTIONS = ["randint", "randint4x", "rand", "rand4x", "randn", "randn4x"]

__all__ = [*_FUNCTIONS, "universal"]

globals().update({name: unsupported_function("fx.random", name) for name in _FUNCTIONS})
universal = SimpleNamespace(**{name: unsupported_function("fx.random.universal", name) for name in _FUNCTIONS})
