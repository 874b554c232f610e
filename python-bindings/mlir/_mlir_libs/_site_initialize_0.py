# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the binding runs before the first context: Fly's dialects, passes and defaults."""

from ._flyRegister import load_dialects, register_dialects  # noqa: F401  the latter is called with the registry

# Every upstream dialect is registered and loaded when a parser meets it. Loading
# all of them would cost each context milliseconds; those with op builders are
# loaded at once, since a builder needs its dialect. Their Python modules come
# with the first use.
disable_load_all_available_dialects = True

# A context's thread pool does not survive a fork: the child would wait for it for
# ever. Kernels are small, and several are compiled at once in contexts of their own.
disable_multithreading = True
_LOADED = ["fly", "fly_rocdl", "arith", "cf", "func", "gpu", "llvm", "math", "memref", "rocdl", "scf", "vector"]


def context_init_hook(context):
    """Runs at the end of each `ir.Context()`."""
    load_dialects(context, _LOADED)
