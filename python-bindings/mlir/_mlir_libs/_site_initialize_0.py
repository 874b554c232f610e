# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the binding runs before the first context: Fly's dialects, passes and defaults."""

from . import append_load_on_create_dialect
from ._flyRegister import register_dialects  # noqa: F401  called with the registry

# Every upstream dialect is registered and loaded when a parser meets it. Loading
# all of them would cost each context milliseconds; those with op builders are
# loaded at once, since a builder needs its dialect.
disable_load_all_available_dialects = True
for _name in ("fly", "fly_rocdl", "arith", "cf", "func", "gpu", "llvm", "math", "memref", "rocdl", "scf", "vector"):
    append_load_on_create_dialect(_name)
