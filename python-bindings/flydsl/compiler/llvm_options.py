# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LLVM's command line options (`cl::opt`) for the length of a compilation."""
from __future__ import annotations

import contextlib
import threading
from typing import Optional

# The options belong to the process, so only one compilation at a time may have its own.
_lock = threading.RLock()


@contextlib.contextmanager
def llvm_options(options: Optional[dict]):
    """Sets LLVM options, name to bool, int or str, and restores the values they had.

    ValueError for an unknown option or a value that it does not take.
    """
    if not options:
        yield
        return
    from ..runtime import native
    setter = getattr(native.module(), "set_llvm_options", None)
    if setter is None:
        raise NotImplementedError("compile hint llvm_options is not supported yet: Fly's C API cannot set LLVM options")
    with _lock:
        try:
            before = setter(options)
        except ValueError as error:
            raise ValueError(f"compile hint llvm_options: {error}") from None
        try:
            yield
        finally:
            setter(before)
