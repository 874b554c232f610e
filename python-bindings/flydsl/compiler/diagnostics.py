# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors with the user's file, line and caret.

A failed verification or pass becomes a DSLCompileError. An exception that
Python code raises while it is traced keeps its type and gets a note with the
place in the user's code.
"""
from __future__ import annotations

import contextlib
import dis
import linecache
import os
import sys
import traceback
from dataclasses import dataclass, field
from typing import NamedTuple, Optional

from ..utils import env
from . import locations

__all__ = ["DSLCompileError", "DiagRecord", "SourceFrame", "install_excepthook", "trace_boundary"]

_NOTE_LENGTH = 200
_RULE = "-" * 40
_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


class SourceFrame(NamedTuple):
    """A place in a source file. Lines count from 1, columns from 0; `end_col` 0 means unknown."""
    filename: str
    line: int
    col: int = 0
    end_col: int = 0

    def text(self) -> str:
        """The place, its source line and carets below it, as Python prints a frame."""
        lines = [f'  File "{self.filename}", line {self.line}']
        source = linecache.getline(self.filename, self.line).rstrip("\n")
        stripped = source.lstrip()
        if stripped:
            lines.append("    " + stripped)
            indent = len(source) - len(stripped)
            begin = max(self.col - indent, 0)
            end = self.end_col - indent if self.end_col > self.col else len(stripped)
            if begin < len(stripped):
                lines.append("    " + " " * begin + "^" * max(min(end, len(stripped)) - begin, 1))
        return "\n".join(lines)


@dataclass
class DiagRecord:
    """One diagnostic: its text, the places it came through (innermost first), and its notes."""
    message: str
    chain: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    def text(self) -> str:
        """The record as it is shown."""
        parts = [self.message] + [f"note: {note}" for note in self.notes]
        if self.chain:
            parts.append("DSL Traceback (most recent operation last):")
            parts += [frame.text() for frame in reversed(self.chain)]
        return "\n".join(parts)


def _join(records: list) -> str:
    """The texts of the records; a mistake that an unrolled loop repeats at its place is shown once, with its count."""
    groups: dict = {}
    for record in records:
        groups.setdefault((record.message, tuple(record.chain)), []).append(record)
    texts = []
    for same in groups.values():
        text = same[0].text()
        texts.append(text if len(same) == 1 else f"{text}\n({len(same)} operations, one text)")
    return "\n\n".join(texts)


class DSLCompileError(RuntimeError):
    """A kernel does not compile. `diagnostics` is a list of DiagRecord, the first one being the cause."""

    def __init__(self, message: str = "", diagnostics: Optional[list] = None):
        self.diagnostics = list(diagnostics or [])
        if self.diagnostics:
            text = _join(self.diagnostics)
            message = f"{message}: {text}" if message else text
        super().__init__(message)


def _cut(text: str) -> str:
    return text if len(text) <= _NOTE_LENGTH else text[:_NOTE_LENGTH - 3] + "..."


def _chain(location) -> list:
    try:
        chain = [SourceFrame(*frame) for frame in locations.frames(location)]
    except (ValueError, AttributeError):
        return []
    limit = env.debug.max_loc_depth
    return chain if len(chain) <= limit + 1 else chain[:limit] + chain[-1:]


def _record(diagnostic) -> DiagRecord:
    return DiagRecord(diagnostic.message, _chain(diagnostic.location),
                      [_cut(note.message) for note in diagnostic.notes or ()])


def records_of(error) -> list:
    """The records of an ir.MLIRError."""
    return [_record(diagnostic) for diagnostic in getattr(error, "error_diagnostics", None) or ()]


def compile_error(error, what: str, frames: Optional[list] = None) -> DSLCompileError:
    """An ir.MLIRError as a DSLCompileError; `frames` is the place for records without one."""
    found = records_of(error)
    if not found:
        found = [DiagRecord(getattr(error, "message", None) or str(error))]
    for record in found:
        if frames is not None and (not record.chain or len(record.chain) > len(frames)):
            record.chain = list(frames)
    return DSLCompileError(what, found)


def _user_tracebacks(tb) -> list:
    """The traceback entries of the user's code, outermost first.

    The rewriting of control flow makes a function of each branch and loop body,
    under the name of the function that it stands in: of those that call each
    other only the innermost is kept.
    """
    kept: list = []
    while tb is not None:
        code = tb.tb_frame.f_code
        if locations.is_user_file(code.co_filename):
            if kept:
                before = kept[-1].tb_frame.f_code
                if before is not code and (before.co_filename, before.co_name) == (code.co_filename, code.co_name):
                    kept.pop()
            kept.append(tb)
        tb = tb.tb_next
    return kept


def user_frames(error: BaseException, below=None) -> list:
    """The frames of the user's code in the traceback of `error`, innermost first.

    With `below`, a code object, those from its frame on.
    """
    entries = _user_tracebacks(error.__traceback__)
    if below is not None:
        for index, tb in enumerate(entries):
            code = tb.tb_frame.f_code
            if code.co_filename == below.co_filename and code.co_name == below.co_name:
                entries = entries[index:]
                break
    return [_frame_of(tb) for tb in reversed(entries)]


def _frame_of(tb) -> SourceFrame:
    code, line, col, end_col = tb.tb_frame.f_code, tb.tb_lineno, 0, 0
    if hasattr(code, "co_positions"):
        for index, position in enumerate(code.co_positions()):
            if 2 * index == tb.tb_lasti:
                first, last, begin, end = position
                if begin is not None:
                    line, col = first or line, begin
                    end_col = end if first == last else 0
                break
    return SourceFrame(code.co_filename, line, col, end_col)


@contextlib.contextmanager
def trace_boundary(func):
    """Around the traced call of `func`: gives what is raised there the user's place."""
    from .._mlir import ir
    code = getattr(func, "__code__", None)
    try:
        yield
    except DSLCompileError:
        raise
    except ir.MLIRError as error:
        frames = user_frames(error, code)
        raise compile_error(error, "", frames) from None
    except Exception as error:
        add_place(error, user_frames(error, code))
        raise


# What other libraries say of a run-time value, and what to write instead.
_HINTS = (
    ("does not support ufuncs", "NumPy cannot compute with run-time values; use the functions of fx.math"),
    ("must be real number, not", "Python's math cannot compute with run-time values; use the functions of fx.math"),
)


def add_place(error: BaseException, frames: list) -> None:
    """Adds a note with the innermost of `frames` to `error`, once."""
    if getattr(error, "_flydsl_placed", False) or not frames:
        return
    try:
        error._flydsl_placed = True
    except AttributeError:
        return
    note = "while tracing:\n" + frames[0].text()
    note = next((f"hint: {hint}\n" for part, hint in _HINTS if part in str(error)), "") + note
    if hasattr(error, "add_note"):
        error.add_note(note)
    else:
        error.__notes__ = getattr(error, "__notes__", []) + [note]


_installed = False


def install_excepthook() -> None:
    """Shows only the user's frames of an error from a trace or a compilation.

    FLYDSL_DEBUG_SHOW_STACKTRACE=1 shows all frames.
    """
    global _installed
    if _installed:
        return
    _installed = True
    before = sys.excepthook

    def hook(kind, error, tb):
        ours = isinstance(error, DSLCompileError) or getattr(error, "_flydsl_placed", False) or _is_said_on_purpose(tb)
        if not ours or env.debug.show_stacktrace:
            before(kind, error, tb)
            return
        print(short_text(error, tb), file=sys.stderr)

    sys.excepthook = hook


def _is_said_on_purpose(tb) -> bool:
    """True if the error comes from a `raise` of this package below the user's code, so is meant for the user; anything else is a fault here."""
    if tb is None or not _user_tracebacks(tb):
        return False
    while tb.tb_next is not None:
        tb = tb.tb_next
    code = tb.tb_frame.f_code
    return not locations.is_user_file(code.co_filename) and code.co_filename.startswith(_PACKAGE) \
        and code.co_code[tb.tb_lasti] == dis.opmap["RAISE_VARARGS"]


def hide_package(error: BaseException) -> None:
    """Lets the excepthook show only the user's frames of `error`."""
    try:
        error._flydsl_placed = True
    except AttributeError:
        pass


# What the CPU device says of an access whose operation it does not know.
_NO_OPERATION = ("unmapped memory", "went on from here")


def explain_failure(error: BaseException) -> None:
    """Adds to an error of a run what helps to find its cause."""
    hide_package(error)
    if (all(part in str(error) for part in _NO_OPERATION) and "memory" not in env.runtime.check
            and hasattr(error, "add_note")):
        error.add_note("hint: FLYDSL_CHECK=memory names the operation, and finds accesses just outside of an array")


def short_text(error: BaseException, tb) -> str:
    """The error with the user's frames only, a rule and the message."""
    frames = traceback.StackSummary()
    for entry in _user_tracebacks(tb):
        # One entry of a traceback, without those that follow it.
        frames.extend(traceback.extract_tb(entry, limit=1))
    lines = ["Traceback (most recent call last):\n"] + traceback.format_list(frames) + [_RULE + "\n"]
    lines += traceback.format_exception_only(type(error), error)
    if sys.version_info < (3, 11):
        lines += [note + "\n" for note in getattr(error, "__notes__", ())]
    return "".join(lines).rstrip("\n")
