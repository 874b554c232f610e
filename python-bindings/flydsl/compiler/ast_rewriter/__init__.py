# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python control flow for traced functions.

`ASTRewriter.transform` rewrites a function so that `if`, `for ... in range`,
`while`, `and`/`or`/`not`, ternaries, `break`, `continue`, `return`, `assert` and
`print` work on values that are known at run time only. The dispatch functions
that the rewritten code calls can be called by hand as well.
"""
from __future__ import annotations

from .control_flow import FallbackLocations
from .forms import Transformer
from .names import stored as _stored
from .rewriter import ASTRewriter
from .runtime import CanonicalizeWhile, InsertEmptyYieldForSCFFor, ReplaceIfWithDispatch
from .source import SourceNotAvailableError, UnsupportedSyntaxError
from .values import is_dynamic

__all__ = [
    "ASTRewriter", "CanonicalizeWhile", "FallbackLocations", "InsertEmptyYieldForSCFFor", "ReplaceIfWithDispatch",
    "SourceNotAvailableError", "Transformer", "UnsupportedSyntaxError", "is_dynamic"
]


def _collect_assigned_vars(statements, active_symbols) -> list:
    """Names that the statements bind and that one of the sets `active_symbols` holds, in the order of the text."""
    known = set().union(*active_symbols)
    return [name for name in _stored(statements, handlers=False) if name in known]
