# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What surrounds the body of a rewritten function: places of operations, and better messages."""
from __future__ import annotations

import functools
import re
import sys
import threading

_local = threading.local()


def note_reason(name: str, reason: str) -> None:
    """Remembers why a variable has no value, for the message when it is read."""
    reasons = getattr(_local, "reasons", None)
    if reasons is None:
        reasons = _local.reasons = {}
    reasons[name] = reason


def line_of_caller() -> int:
    """The line of the user's code that called into the package."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("flydsl."):
        frame = frame.f_back
    return frame.f_lineno if frame is not None else 0


def guarded(method):
    """For what traces a region: an exception that leaves it must not be caught by the user, see `refuse_caught`."""

    @functools.wraps(method)
    def run(*args, **kwargs):
        refuse_caught()
        try:
            result = method(*args, **kwargs)
        except Exception as error:
            if getattr(_local, "depth", 0) and getattr(_local, "caught", None) is None:
                _local.caught = error
            raise
        refuse_caught()
        return result

    return run


def refuse_caught() -> None:
    """Refuses the trace if an exception has left a region and was caught after that.

    A region is traced once, whether it runs or not: then the handler would run
    in any case, and what the region was to do in none.
    """
    error = getattr(_local, "caught", None)
    if error is None:
        return
    _local.caught = None
    from ..diagnostics import add_place, user_frames
    refusal = TypeError(f"{type(error).__name__} ({_text(error)}) leaves a branch or loop that a run-time condition decides about, "
                        "and is caught outside: whether that happens must be known while tracing\n"
                        "hint: catch it inside of the branch, or make the condition static with const_expr(...)")
    add_place(refusal, user_frames(error))
    raise refusal from error


def _text(error) -> str:
    try:
        return str(error).partition("\n")[0]
    except Exception:
        return ""


class location_scope:
    """A context manager for a block of traced code.

    With a file name, line and column, operations built inside have that place
    unless they have one of their own. Without, operations get the place of the
    Python line that builds them, if no launcher has arranged for that already;
    errors that leave the block get hints.
    """

    def __init__(self, filename=None, line=0, column=0):
        self.place, self.inner = (filename, line, column) if filename is not None else None, None

    def __enter__(self):
        module = sys.modules.get("flydsl._mlir.ir")
        if self.place is None:
            depth = getattr(_local, "depth", 0)
            if depth == 0:
                from . import alias
                _local.reasons, _local.caught = {}, None
                alias.clear()
            _local.depth = depth + 1
        if module is None:
            return self
        if self.place is not None:
            self.inner = module.Location.file(*self.place)
        elif module.Context.current is not None and not module._globals.loc_tracebacks_enabled():
            from ..locations import tracking
            self.inner = tracking()
        if self.inner is not None:
            self.inner.__enter__()
        return self

    def __exit__(self, kind, error, trace):
        if self.inner is not None:
            self.inner.__exit__(None, None, None)
        if self.place is None:
            _local.depth -= 1
            if error is None:
                self._leave()
            if _local.depth == 0:
                from . import alias
                _local.caught = None
                alias.clear()
        if error is not None and self.place is None:
            try:
                explain(error, trace)
            except Exception:  # A hint must never hide the error itself.
                pass
        return False


    @staticmethod
    def _leave():
        from . import alias
        try:
            refuse_caught()
            alias.scf_check_()
        finally:
            if _local.depth == 0:
                _local.caught = None


def note(error, text):
    """Adds a line to the message of an error."""
    if text in getattr(error, "__notes__", ()):
        return
    if hasattr(error, "add_note"):
        error.add_note(text)
    elif error.args and isinstance(error.args[0], str) and text not in error.args[0]:
        error.args = (error.args[0] + "\n" + text,) + error.args[1:]


def explain(error, trace) -> None:
    """Adds to an error of the traced code what the user should know."""
    if isinstance(error, NameError):
        found = re.search(r"variable '(\w+)'|name '(\w+)'", str(error))
        name = (found[1] or found[2]) if found else ""
        reason = getattr(_local, "reasons", {}).get(name)
        if reason and reason not in str(error):
            # Python's own text speaks of cells and enclosing scopes.
            error.args = (f"name '{name}' is not defined: {reason}",) + error.args[1:]
        return
    if not isinstance(error, (RuntimeError, TypeError)) or "dynamic" not in str(error):
        return
    from ..locations import is_user_file
    from .rewriter import ASTRewriter
    frames = []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    inner = next((f.f_code for f in reversed(frames) if is_user_file(f.f_code.co_filename)), None)
    if inner is None:
        return
    if inner.co_name in ("<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>"):
        note(error, "hint: a comprehension is unrolled at trace time: its range and its conditions must be static. "
              "Write a `for` loop, or range_constexpr with a compile-time bound")
    elif ASTRewriter.is_rewritten(inner):
        if "bool" in str(error):
            note(error, "hint: const_expr(...), a comprehension, a `case` that looks into a value and a helper of Python need a compile-time condition; "
                  "a plain `if`, `while` or ternary takes a run-time one")
    elif inner.co_name != "<module>":
        note(error, f"hint: function '{inner.co_name}' ({inner.co_filename}, line {inner.co_firstlineno}) runs as plain "
              "Python, where `if`, `while`, `and`, `or` and range() need static values. Decorate it with flyc.jit, or apply "
              "flydsl.compiler.ast_rewriter.ASTRewriter.transform to it")
