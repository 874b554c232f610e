# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The builders of the dialect `fly`, guarded against values of another trace.

A value that outlives its trace would be an operand from another module, or from
freed memory. Each DSL value knows the trace that made it; it is compared here,
where every operation passes.
"""
from __future__ import annotations

from typing import Any

from .._mlir import ir
from .._mlir.dialects import fly as _dialect
from .meta import current_root

__all__ = ["builders", "require_trace"]


def require_trace(where: str) -> Any:
    """What the values made now belong to. RuntimeError if nothing is being traced."""
    root = current_root()
    if root is None:
        raise RuntimeError(f"{where}: nothing is being traced; layouts and tensors exist inside of functions decorated with @flyc.jit or "
                           "@flyc.kernel, or under an ir.Context, ir.Location and ir.InsertionPoint of your own")
    return root


def _check(value: Any, root: Any, operation: str) -> None:
    if isinstance(value, ir.Value):
        made_by = getattr(value, "_root", None)
        if made_by is not None and made_by is not root:
            raise RuntimeError(f"fly.{operation}: a {type(value).__name__} of another trace was used: values exist only while the function "
                               "that makes them is traced; build layouts inside of it, or pass tensors as arguments")
    elif isinstance(value, (list, tuple)):
        for item in value:
            _check(item, root, operation)


class _Builders:
    """Has the functions of `flydsl._mlir.dialects.fly`, each of which checks its operands first."""

    def __getattr__(self, name: str):
        build = getattr(_dialect, name)

        def checked(*operands, **options):
            root = require_trace(f"fly.{name}")
            for operand in operands:
                _check(operand, root, name)
            for operand in options.values():
                if operand is not None:
                    _check(operand, root, name)
            made = build(*operands, **options)
            # Types have no sign: what is made of memory of a numeric class goes on being of that class.
            for operand in operands:
                known = getattr(operand, "_element_class", None) if isinstance(operand, ir.Value) else None
                if known is not None:
                    if isinstance(made, ir.Value) and getattr(made.type, "element_type", None) == operand.type.element_type:
                        made._element_class = known
                    break
            return made

        checked.__name__ = name
        checked.__doc__ = build.__doc__
        setattr(self, name, checked)
        return checked


builders = _Builders()
