# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers beside the language: `arith` (values with operators), `print_typst` (drawings of layouts)."""


def __getattr__(name: str):
    if name in ("print_typst", "typst_source"):
        from . import typst
        return getattr(typst, name)
    if name in ("arith", "typst"):
        import importlib
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


__all__ = ["arith", "print_typst", "typst_source"]
