# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's command line options (`cl::opt`) as a compile hint of the code inside a `with`."""
from __future__ import annotations

import contextlib
from typing import Optional

from . import hints
from .kernel_function import CompilationContext, thread_hints


@contextlib.contextmanager
def llvm_options(options: Optional[dict]):
    """LLVM options, name to bool, int or str, of what this thread compiles inside the `with`; inner ones win.

    The hint `llvm_options`: the pipeline sets them while code is generated and sets them back. An option that LLVM
    does not have, or a value that it does not take, is a ValueError of the compilation.
    """
    if options is not None:
        hints.check({"llvm_options": options})
    outer = thread_hints().get("llvm_options") or {}
    with CompilationContext.compile_hints({"llvm_options": {**outer, **options}} if options else {}):
        yield
