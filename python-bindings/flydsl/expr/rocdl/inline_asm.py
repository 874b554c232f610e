# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembly text in a kernel. It runs on the GPU only."""

from __future__ import annotations

import sys
import types

from .builders import ir_type, value

__all__ = ["inline_asm"]


def inline_asm(result_type, operands, asm, constraints, *, has_side_effects=True, is_align_stack=False):
    """The instruction text `asm` with LLVM's `constraints`; gives the result, None if `result_type` is None.

    `$0`, `$1`, … in the text are the results and operands in the order of the constraints ("v" a vector register,
    "s" a scalar one, "=v" a result).
    """
    from ..._mlir.dialects import llvm

    op = llvm.InlineAsmOp(None if result_type is None else ir_type(result_type), [value(operand) for operand in operands], asm, constraints,
                          has_side_effects=has_side_effects, is_align_stack=is_align_stack)
    return op.results[0] if len(op.results) else None


class _CallableModule(types.ModuleType):
    """`rocdl.inline_asm(...)` and `rocdl.inline_asm.inline_asm(...)` are the same."""

    def __call__(self, *arguments, **keywords):
        return inline_asm(*arguments, **keywords)


sys.modules[__name__].__class__ = _CallableModule
