# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a Python function to its syntax tree, and errors that point at the user's line."""
from __future__ import annotations

import ast
import inspect
import linecache
import sys


class UnsupportedSyntaxError(SyntaxError):
    """A construct that has no meaning in a traced function. Python shows its file, line and caret."""


class SourceNotAvailableError(RuntimeError):
    """The text of a function cannot be read, so its control flow cannot be rewritten."""


def unsupported(filename: str, node, message: str, hint: str = "") -> UnsupportedSyntaxError:
    """An error at `node`; `hint` says what to write instead."""
    text = f"{message}\nhint: {hint}" if hint else message
    line = linecache.getline(filename, node.lineno)
    return UnsupportedSyntaxError(text, (filename, node.lineno, node.col_offset + 1, line,
                                         getattr(node, "end_lineno", None), (getattr(node, "end_col_offset", 0) or 0) + 1))


def too_deep(func):
    """The error for a function that nests deeper than Python can follow, or None if its text is not what nests."""
    try:
        node, depth = _deepest(load(func).function)
    except RecursionError:  # even Python's own parser finds no room
        return None
    if depth < 50:
        return None
    message = (f"'{func.__qualname__}' nests {depth} deep here, more than Python's recursion limit "
               f"({sys.getrecursionlimit()}) lets be rewritten")
    hint = "take an expression apart into several statements, write a long `elif` chain as a loop or as several `if`s"
    return unsupported(func.__code__.co_filename, node, message, hint)


def _deepest(function):
    """The statement with the deepest expression, or that with the deepest statements in it, and the depth of the whole tree."""
    # (node, depth, the statement of the function's body that it is in, its own statement, the depth of that)
    most, waiting = (0, function, function, 0), [(statement, 1, statement, statement, 1) for statement in function.body]
    while waiting:
        node, depth, outer, own, start = waiting.pop()
        if isinstance(node, ast.stmt):
            own, start = node, depth
        if depth > most[0]:
            most = (depth, outer, own, start)
        waiting += [(child, depth + 1, outer, own, start) for child in ast.iter_child_nodes(node)]
    depth, outer, own, start = most
    return (own if depth - start > start else outer), depth


class Source:
    """The parsed text of a function: `module` is a tree whose only statement is the definition."""

    def __init__(self, module: ast.Module, filename: str, text: str):
        self.module, self.filename, self.text = module, filename, text

    @property
    def function(self):
        return self.module.body[0]


# For each file its lines, and where each of its definitions begins (with its decorators) and ends.
_files: dict = {}


def _definitions(filename):
    lines = linecache.getlines(filename)
    known = _files.get(filename)
    if known is None or known[0] is not lines:
        found = {}
        for node in ast.walk(ast.parse("".join(lines), filename)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                first = min([d.lineno for d in node.decorator_list] + [node.lineno])
                found[first, node.name] = node.end_lineno
        known = _files[filename] = (lines, found)
    return known


def _lines_of(func):
    code = func.__code__
    first, name = code.co_firstlineno, code.co_name
    linecache.checkcache(code.co_filename)
    try:
        lines, found = _definitions(code.co_filename)
        if (first, name) in found:
            return lines[first - 1:found[first, name]], first
    except SyntaxError:
        pass
    try:
        # `inspect` follows `__wrapped__` of a function, which would be another function's text.
        lines, first = inspect.getsourcelines(code)
    except (OSError, TypeError, IndexError, SyntaxError) as error:
        raise SourceNotAvailableError(
            f"source not available for function '{func.__qualname__}' ({code.co_filename}, line {code.co_firstlineno}): "
            f"its control flow cannot be rewritten ({error})\n"
            "hint: define it in a file; code made by exec() or typed at the prompt has no text to read") from None
    return lines, max(first, 1)


def load(func) -> Source:
    """Parses the definition of `func`. Line and column numbers are those of its file."""
    code = func.__code__
    if code.co_name == "<lambda>":
        raise UnsupportedSyntaxError(
            "a lambda cannot be a traced function\nhint: write a plain `def`",
            (code.co_filename, code.co_firstlineno, 1, linecache.getline(code.co_filename, code.co_firstlineno)))
    lines, first = _lines_of(func)
    text = "".join(lines)
    # The text keeps its indentation (and so its columns and its multi-line strings) under an `if`.
    indented = text[:1] in (" ", "\t")
    try:
        # Empty lines before it give the line numbers of the file.
        above = "\n" * (first - 2) + "if 1:\n" if indented else "\n" * (first - 1)
        tree = ast.parse(above + text, filename=code.co_filename)
    except SyntaxError as error:
        raise SourceNotAvailableError(
            f"the text found for function '{func.__qualname__}' ({code.co_filename}, line {code.co_firstlineno}) does not "
            f"parse: {error.msg}\nhint: was the file changed after it was imported?") from None
    body = tree.body[0].body if indented else tree.body
    node = body[0] if body else None
    filename = code.co_filename
    if isinstance(node, ast.AsyncFunctionDef):
        raise unsupported(filename, node, "an `async def` cannot be a traced function", "write a plain `def`")
    if isinstance(node, ast.ClassDef):
        raise unsupported(filename, node, "a class cannot be a traced function", "decorate one of its methods")
    if not isinstance(node, ast.FunctionDef) or node.name != code.co_name:
        raise SourceNotAvailableError(
            f"source not available for function '{func.__qualname__}': {filename}, line {code.co_firstlineno} holds "
            "another text\nhint: was the file changed after it was imported?")
    names = [a.arg for a in node.args.posonlyargs + node.args.args + node.args.kwonlyargs]
    if tuple(names) != code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]:
        raise SourceNotAvailableError(
            f"the text of function '{func.__qualname__}' ({filename}, line {code.co_firstlineno}) has other parameters "
            "than the function\nhint: was the file changed after it was imported?")
    return Source(ast.Module(body=[node], type_ignores=[]), filename, text)
