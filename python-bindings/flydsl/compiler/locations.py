# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Places of traced operations.

MLIR's binding makes an operation's location of the Python frames below it, the
innermost first, without those of this package and of the standard library. That
chain goes on through the launcher to the script that called it. What is kept of
it are the frames inside the traced function.
"""
from __future__ import annotations

import contextlib
import os
import sys
import sysconfig
import warnings

from ..utils import env

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_STDLIB = os.path.abspath(sysconfig.get_paths()["stdlib"])
_registered = False


def is_user_file(filename: str) -> bool:
    """True for code that is neither this package's nor the standard library's."""
    if filename.startswith("<frozen") or filename.startswith(PACKAGE + os.sep):
        return False
    return not filename.startswith(_STDLIB + os.sep) or "site-packages" in filename or "dist-packages" in filename


def warn(message: str, category=UserWarning, func=None) -> None:
    """Warns at the user's line that called into the package, or at the definition of `func`."""
    code = getattr(func, "__code__", None)
    if code is not None:
        warnings.warn_explicit(message, category, code.co_filename, code.co_firstlineno, func.__module__,
                               func.__globals__.setdefault("__warningregistry__", {}))
        return
    frame = sys._getframe(1)
    while frame.f_back is not None and not is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    scope = frame.f_globals
    warnings.warn_explicit(message, category, frame.f_code.co_filename, frame.f_lineno, scope.get("__name__", "<unknown>"),
                           scope.setdefault("__warningregistry__", {}))


@contextlib.contextmanager
def tracking():
    """Inside, operations get the places of the user's frames that make them."""
    global _registered
    from .._mlir import ir
    if not _registered:
        _registered = True
        for folder in (PACKAGE + os.sep, os.path.join(_STDLIB, ""), "<frozen "):
            ir._globals.register_traceback_file_exclusion(folder)
    with ir.loc_tracebacks(max_depth=min(_outer_depth() + env.debug.max_loc_depth + 1, 500)):
        yield


def _outer_depth() -> int:
    """Frames of the user below which the trace begins, with some room for the launcher."""
    import sys
    depth, frame = 2, sys._getframe()
    while frame is not None:
        depth += is_user_file(frame.f_code.co_filename)
        frame = frame.f_back
    return depth


def of_function(func, context=None):
    """The place of the definition of a Python function."""
    from .._mlir import ir
    code = getattr(func, "__code__", None)
    if code is None:
        return ir.Location.unknown(context)
    return ir.Location.file(code.co_filename, code.co_firstlineno, 0, context=context)


def _plain(location):
    """A frame's place without the name of its function."""
    return location.child_loc if location.is_a_name() else location


def _function(location):
    """The file and the function of a frame's place, or None if it has no name."""
    if not location.is_a_name():
        return None
    place = location.child_loc
    return (location.name_str, place.filename if place.is_a_file() else "")


class Trimmer:
    """Cuts `outer`, the frames outside of the traced function, off the places of operations."""

    def __init__(self, outer, max_depth: int):
        self.outer, self.max_depth = outer, max_depth
        self.last = self.last_result = None

    def trim(self, location):
        """`location` without the outer frames."""
        if self.last is not None and location == self.last:
            return self.last_result
        from .._mlir import ir
        chain, rest, inner = [], location, None
        while not (rest == self.outer):
            more = rest.is_a_callsite()
            frame = rest.callee if more else rest
            # A branch or loop body is a function of its own, under the name of the one that it stands in: its place is
            # inside that function, not inlined into it.
            function = _function(frame)
            if function is None or function != inner:
                chain.append(_plain(frame))
            inner = function
            if not more:
                break
            rest = rest.caller
        if not chain:
            result = _plain(location)
        elif len(chain) == 1:
            result = chain[0]
        else:
            # The innermost frames and the traced function's own.
            if len(chain) > self.max_depth + 1:
                chain = chain[:self.max_depth] + chain[-1:]
            result = ir.Location.callsite(chain[0], chain[1:])
        self.last, self.last_result = location, result
        return result

    def trim_operations(self, op) -> None:
        """Cuts the places of everything inside `op`, nested operations included."""
        for region in op.regions:
            for block in region.blocks:
                for inner in block.operations:
                    inner = inner.operation
                    inner.location = self.trim(inner.location)
                    if len(inner.regions):
                        self.trim_operations(inner)


def frames(location) -> list:
    """The `(filename, line, column, end column)` of a location, the innermost first; columns count from 0."""
    if location is None:
        return []
    if location.is_a_callsite():
        return frames(location.callee) + frames(location.caller)
    if location.is_a_name():
        return frames(location.child_loc)
    if location.is_a_fused():
        for inner in location.locations:
            found = frames(inner)
            if found:
                return found
        return []
    if location.is_a_file():
        end = location.end_col if location.end_line == location.start_line else 0
        return [(location.filename, location.start_line, location.start_col, end)]
    return []
