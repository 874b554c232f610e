# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Refuses what cannot be traced, and writes `match` as a chain of ifs."""
from __future__ import annotations

import ast

from . import forms
from .forms import PREFIX, Forms, Transformer
from .source import unsupported


def _all_statements(body):
    """The statements of a function and of the functions inside it."""
    for node in forms.statements(body):
        yield node
        if isinstance(node, ast.FunctionDef):
            yield from _all_statements(node.body)


class CheckSyntax(Transformer):
    """Refuses generators and asynchronous code at their line."""

    def __init__(self, context, first_lineno=0):
        super().__init__(context, first_lineno)
        self.forms, self.explicit = Forms(context), 0

    def visit(self, node):
        text = getattr(self.context, "text", None)
        if isinstance(node, ast.FunctionDef) and text is not None and not any(
                word in text for word in ("yield", "await", "async")):
            # Nothing to find in expressions.
            for statement in _all_statements(node.body):
                if isinstance(statement, ast.For) and self.forms.is_range(statement.iter):
                    self._check_range(statement)
            return node
        return super().visit(node)

    def _refuse(self, node, what, hint=""):
        raise unsupported(self.context.filename, node, f"{what} is not supported in a traced function", hint)

    def visit_AsyncFunctionDef(self, node):
        self._refuse(node, "`async def`", "write a plain `def`")

    def visit_Await(self, node):
        self._refuse(node, "`await`")

    def visit_AsyncFor(self, node):
        self._refuse(node, "`async for`")

    def visit_AsyncWith(self, node):
        self._refuse(node, "`async with`")

    def visit_YieldFrom(self, node):
        self._refuse(node, "`yield from` (a generator)", "return a list or a tuple")

    def visit_Yield(self, node):
        if not self.explicit:
            self._refuse(node, "`yield` outside of a `range(..., init=)` loop (a generator)", "return a list or a tuple")
        return self.generic_visit(node)

    def visit_ClassDef(self, node):
        return node

    def visit_FunctionDef(self, node):
        saved, self.explicit = self.explicit, 0
        self.generic_visit(node)
        self.explicit = saved
        return node

    visit_Lambda = visit_FunctionDef

    def visit_For(self, node):
        if self.forms.is_range(node.iter):
            self._check_range(node)
        if not self.forms.is_explicit_loop(node):
            return self.generic_visit(node)
        node.iter = self.visit(node.iter)
        self.explicit += 1
        node.body = [self.visit(n) for n in node.body]
        self.explicit -= 1
        node.orelse = [self.visit(n) for n in node.orelse]
        return node

    def _check_range(self, node):
        known = {"unroll", "unroll_full", "init"}
        for keyword in node.iter.keywords:
            if keyword.arg not in known:
                error = unsupported(self.context.filename, keyword.value,
                                    f"range() has no keyword {keyword.arg!r}" if keyword.arg else "range(**...) is not supported",
                                    "keywords are unroll=, unroll_full= and init=")
                raise error
        if not self.forms.is_explicit_loop(node) and isinstance(node.target, (ast.Tuple, ast.List, ast.Starred)):
            # The class of the public interface; the place is part of the text.
            raise TypeError(
                "auto for-loop iter_args inference only supports a single loop variable "
                f"(\"{self.context.filename}\", line {node.lineno})\n"
                "hint: write `for i in range(...)`; `for i, state in range(..., init=[...])` carries a state explicitly")


def _simple(pattern) -> bool:
    """True for patterns that are tests of equality or identity, with at most one name for the whole subject."""
    if isinstance(pattern, (ast.MatchValue, ast.MatchSingleton)):
        return True
    if isinstance(pattern, ast.MatchOr):
        return all(_simple(p) and not _bound(p) for p in pattern.patterns)
    return isinstance(pattern, ast.MatchAs) and (pattern.pattern is None or _simple(pattern.pattern))


def _bound(pattern) -> list:
    found = []
    while isinstance(pattern, ast.MatchAs):
        if pattern.name:
            found.append(pattern.name)
        pattern = pattern.pattern
    return found


class MatchToIf(Transformer):
    """`match` on values becomes `if`/`elif`, so that its subject may be a run-time value.

    Patterns that look into the subject (sequences, mappings, classes) stay with
    Python's `match`; their subject must then be static.
    """

    count = 0

    def visit(self, node):
        if "match" not in getattr(self.context, "text", "match"):
            return node
        return super().visit(node)

    def visit_ClassDef(self, node):
        return node

    def visit_Match(self, node):
        self.generic_visit(node)
        if not all(_simple(case.pattern) for case in node.cases):
            node.subject = forms.call("scf_static_subject_", [node.subject], node.subject)
            return node
        self.count += 1
        subject = f"{PREFIX}subject_{self.count}"
        return [forms.assign(subject, node.subject, node)] + self._chain(node.cases, subject, node)

    def _chain(self, cases, subject, where):
        if not cases:
            return []
        case = cases[0]
        binds = [forms.assign(n, forms.name(subject, case.pattern), case.pattern) for n in _bound(case.pattern)]
        test = self._test(case.pattern, subject)
        if case.guard is None:
            if test is None:
                return binds + case.body
            return [forms.at(ast.If(test=test, body=binds + case.body, orelse=self._chain(cases[1:], subject, where)),
                             case.pattern)]
        if not binds:
            guard = case.guard if test is None else forms.at(ast.BoolOp(op=ast.And(), values=[test, case.guard]),
                                                             case.pattern)
            return [forms.at(ast.If(test=guard, body=case.body, orelse=self._chain(cases[1:], subject, where)),
                             case.pattern)]
        # The guard may read the name, so it is bound first, and whether the case was taken is kept in a variable.
        self.count += 1
        taken = f"{PREFIX}taken_{self.count}"
        attempt = binds + [forms.assign(taken, case.guard, case.pattern)]
        first = [forms.assign(taken, forms.constant(False, case.pattern), case.pattern)] + (
            attempt if test is None else [forms.at(ast.If(test=test, body=attempt, orelse=[]), case.pattern)])
        return first + [forms.at(ast.If(test=forms.name(taken, case.pattern), body=case.body,
                                        orelse=self._chain(cases[1:], subject, where)), case.pattern)]

    def _test(self, pattern, subject):
        """The condition of a pattern; None if it always matches."""
        if isinstance(pattern, ast.MatchAs):
            return None if pattern.pattern is None else self._test(pattern.pattern, subject)
        if isinstance(pattern, ast.MatchOr):
            tests = [self._test(p, subject) for p in pattern.patterns]
            return None if None in tests else forms.at(ast.BoolOp(op=ast.Or(), values=tests), pattern)
        if isinstance(pattern, ast.MatchSingleton):
            return forms.at(ast.Compare(left=forms.name(subject, pattern), ops=[ast.Is()],
                                        comparators=[forms.constant(pattern.value, pattern)]), pattern)
        return forms.at(ast.Compare(left=forms.name(subject, pattern), ops=[ast.Eq()], comparators=[pattern.value]),
                        pattern)
