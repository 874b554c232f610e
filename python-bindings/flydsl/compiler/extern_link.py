# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names for linking device bitcode. Linking is not supported yet: using one is an error that says so."""

__all__ = ["BoundExternFunction", "ExternFunction", "LinkedExternFunction", "link_extern", "register_extern_resolver"]

_TEXT = "linking of external device functions is not supported yet; write the function as a Python helper"


class BoundExternFunction:
    """An external function with the bitcode that defines it. NotImplementedError."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(_TEXT)


class LinkedExternFunction:
    """What link_extern would return. NotImplementedError."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError(_TEXT)


ExternFunction = BoundExternFunction


def link_extern(extern, *, bitcode_path=None, module_init_fn=None):
    """Would bind an external function to bitcode. NotImplementedError."""
    raise NotImplementedError(_TEXT)


def register_extern_resolver(resolver):
    """Would register a function that finds bitcode. NotImplementedError."""
    raise NotImplementedError(_TEXT)
