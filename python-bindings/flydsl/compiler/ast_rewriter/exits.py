# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns `return`, `break` and `continue` into flags where a run-time condition decides about them.

A branch or loop body becomes a function of its own later, and lanes of a wave
may disagree, so leaving cannot be a jump. What follows a statement that may
leave goes into the branch that does not leave, if there is one:

    if c:                          if c:
        return a                       value = a
    rest                    ->     else:
                                       rest

Else it is guarded by the flags: `if scf_clear_(returned): rest`. An exit that
only plain Python decides about (`if const_expr(...)`, a loop over a list) stays
as it is. Flags are ordinary variables: where the condition turns out static at
trace time they are Python bools and leave no trace.
"""
from __future__ import annotations

import ast

from . import forms
from .forms import PREFIX, RETURN_FLAG, RETURN_VALUE, Forms, Transformer
from .names import FUNCTIONS
from .source import unsupported

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


class _Loop:
    """The flags of the loop that `break` and `continue` belong to; None means they stay statements."""

    def __init__(self, broken=None, skipped=None):
        self.broken, self.skipped = broken, skipped


def completes(body) -> bool:
    """False if control never reaches the end of the statements."""
    for node in body:
        if isinstance(node, (ast.Return, ast.Break, ast.Continue, ast.Raise)):
            return False
        if isinstance(node, ast.If) and node.orelse and not completes(node.body) and not completes(node.orelse):
            return False
        if isinstance(node, (ast.With, ast.AsyncWith)) and not completes(node.body):
            return False
        if isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and node.test.value \
                and not exits(node.body, (ast.Break,)):
            return False
    return True


def exits(body, kinds, loop=False) -> bool:
    """True if the statements hold an exit of `kinds` that leaves them; breaks of inner loops do not."""
    for node in body:
        if isinstance(node, (ast.Break, ast.Continue)):
            if isinstance(node, kinds) and not loop:
                return True
        elif isinstance(node, kinds):
            return True
        elif not isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            inner = loop or isinstance(node, _LOOPS)
            for block in forms.child_blocks(node):
                # The `else` of a loop belongs to the loop outside.
                other = isinstance(node, _LOOPS) and block is node.orelse
                if exits(block, kinds, loop if other else inner):
                    return True
    return False


class LowerExits(Transformer):
    """The step that replaces exits by flags."""

    def __init__(self, context, first_lineno=0):
        super().__init__(context, first_lineno)
        self.forms, self.filename = Forms(context), context.filename
        self.count = 0

    def visit_FunctionDef(self, node):
        saved = getattr(self, "returns", None)
        self.function(node)
        self.returns = saved
        return node

    def function(self, node):
        body = node.body
        self.returns = self._decided(body, (ast.Return,), inside=False)
        valued = any(isinstance(n, ast.Return) and n.value is not None for n in forms.statements(body))
        self.valued = valued
        if self.returns and valued and completes(body):
            # Falling off the end returns None.
            body = body + [ast.copy_location(ast.Return(value=None), body[-1])]
        new, _, _ = self.block(body, _Loop())
        if self.returns:
            new = [forms.assign(RETURN_FLAG, forms.constant(False, body[0]), body[0])] + new
            if valued:
                last = body[-1]
                new.append(forms.at(ast.Return(value=forms.call("scf_returned_", [forms.thunk(
                    forms.name(RETURN_VALUE, last), last)], last)), last))
        node.body = new

    def _decided(self, body, kinds, inside, loop=False) -> bool:
        """True if a statement that may become a region decides about an exit of `kinds`."""
        for node in body:
            if isinstance(node, kinds) and inside and not (loop and isinstance(node, (ast.Break, ast.Continue))):
                return True
            if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
                continue
            region = inside or self.forms.is_region(node) or (
                # A round of a loop that a flag may end is guarded as a whole.
                isinstance(node, _LOOPS) and self._decided(node.body, (ast.Break, ast.Continue), inside=False))
            for block in forms.child_blocks(node):
                inner = loop or (isinstance(node, _LOOPS) and block is not node.orelse)
                if self._decided(block, kinds, region, inner):
                    return True
        return False

    # Statements -------------------------------------------------------------------------------------------------------

    def block(self, body, loop):
        """The lowered statements, the flags that they may set, and whether control may reach their end."""
        result, flags = [], set()
        body = list(body)
        for index, node in enumerate(body):
            rest = body[index + 1:]
            new, own, handled = self.statement(node, loop, rest)
            result += new
            flags |= own
            if handled:
                return result, flags, False
            if own and rest:
                inner, more, _ = self.block(rest, loop)
                # The guard stands at the statement that may have left, so that messages about it name that.
                result.append(self.guard(own, inner, node))
                return result, flags | more, True
        return result, flags, completes(body)

    def guard(self, flags, body, where):
        node = forms.at(ast.If(test=self.clear(flags, where), body=body, orelse=[]), where)
        node.fly_guard = True
        return node

    def clear(self, flags, where):
        return forms.call("scf_clear_", [forms.name(f, where) for f in sorted(flags)], where)

    def statement(self, node, loop, rest):
        """New statements, flags set, and whether `rest` has been dealt with."""
        if isinstance(node, FUNCTIONS):
            self_returns, self_valued = self.returns, self.valued
            self.visit(node)
            self.returns, self.valued = self_returns, self_valued
            return [node], set(), False
        if isinstance(node, ast.Return):
            if not self.returns:
                return [node], set(), True
            new = []
            if self.valued:
                value = node.value if node.value is not None else forms.constant(None, node)
                new.append(forms.assign(RETURN_VALUE, value, node))
            return new + [forms.assign(RETURN_FLAG, forms.constant(True, node), node)], {RETURN_FLAG}, True
        if isinstance(node, (ast.Break, ast.Continue)):
            flag = loop.broken if isinstance(node, ast.Break) else loop.skipped
            if flag is None:
                return [node], set(), True
            return [forms.assign(flag, forms.constant(True, node), node)], {flag}, True
        if isinstance(node, ast.If):
            return self.branch(node, loop, rest)
        if isinstance(node, _LOOPS):
            return self.loop(node, loop)
        if isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
            return self.attempt(node, loop)
        flags = set()
        for block in forms.child_blocks(node):
            new, own, _ = self.block(block, loop)
            block[:] = new
            flags |= own
        return [node], flags, False

    def lowered(self, body, loop) -> bool:
        """True if the statements hold an exit that becomes a flag."""
        kinds = tuple(kind for kind, yes in ((ast.Break, loop.broken), (ast.Continue, loop.skipped)) if yes)
        return (self.returns and exits(body, (ast.Return,))) or bool(kinds and exits(body, kinds))

    def branch(self, node, loop, rest):
        handled = False
        if self.lowered(node.body + node.orelse, loop):
            if not completes(node.body):
                node.orelse, handled = node.orelse + rest, True
            elif node.orelse and not completes(node.orelse):
                node.body, handled = node.body + rest, True
        body, flags, _ = self.block(node.body, loop)
        orelse, more, _ = self.block(node.orelse, loop)
        node.body, node.orelse = body, orelse
        return [node], flags | more, handled

    def attempt(self, node, loop):
        if self.lowered(node.finalbody, loop):
            where = next(n for n in forms.statements(node.finalbody)
                         if isinstance(n, (ast.Return, ast.Break, ast.Continue)))
            raise unsupported(self.filename, where, "leaving a `finally` block is not supported in a traced function",
                              "move the statement behind the `try`")
        node.body, flags, _ = self.block(node.body, loop)
        orelse, more, _ = self.block(node.orelse, loop)
        # `else` runs only if the body was not left.
        node.orelse = [self.guard(flags, orelse, node)] if orelse and flags else orelse
        for handler in node.handlers:
            handler.body, own, _ = self.block(handler.body, loop)
            more |= own
        node.finalbody, _, _ = self.block(node.finalbody, loop)
        return [node], flags | more, False

    # Loops ------------------------------------------------------------------------------------------------------------

    def loop(self, node, outer):
        if self.forms.is_explicit_loop(node):
            return self.explicit(node, outer)
        region = self.forms.is_region(node)
        returns = self.returns and exits(node.body, (ast.Return,))
        decided = region or returns or self._decided(node.body, (ast.Break, ast.Continue), inside=False)
        has_break, has_continue = exits(node.body, (ast.Break,)), exits(node.body, (ast.Continue,))
        self.count += 1
        index = self.count
        own = _Loop(f"{PREFIX}broken_{index}" if decided and has_break else None,
                    f"{PREFIX}skipped_{index}" if decided and has_continue else None)
        body, _, _ = self.block(node.body, own)
        if own.skipped:
            body = [forms.assign(own.skipped, forms.constant(False, node), node)] + body
        stop = ([own.broken] if own.broken else []) + ([RETURN_FLAG] if returns else [])
        before = [forms.assign(own.broken, forms.constant(False, node), node)] if own.broken else []
        orelse, flags, _ = self.block(node.orelse, outer)
        flags = flags | ({RETURN_FLAG} if returns else set())
        node.body, after = body, []
        if region:
            node.fly_stop = stop
            node.orelse, after = [], orelse
        elif stop:
            self.plain_loop(node, stop, index)
            node.orelse, after = [], orelse
        else:
            node.orelse = orelse
        if after:
            if stop:
                after = [self.guard(stop, after, node)]
        return before + [node] + after, flags, False

    def plain_loop(self, node, stop, index):
        """A loop that Python runs: a round does nothing once a flag is set, and the loop ends if that is static."""
        body = node.body
        if not isinstance(node, ast.While):
            # The target keeps the value of the round that broke.
            item = f"{PREFIX}item_{index}"
            body = [forms.at(ast.Assign(targets=[node.target], value=forms.name(item, node), type_comment=None),
                             node)] + body
            node.target = forms.name(item, node, store=True)
        end = forms.at(ast.If(test=forms.call("scf_set_", [forms.name(f, node) for f in stop], node),
                              body=[ast.Break()], orelse=[]), node)
        end.fly_plain = True
        node.body = [self.guard(stop, body, node), end]

    def explicit(self, node, outer):
        """`range(..., init=)`: the user yields the state, so the body has one way through."""
        for kind, text in ((ast.Break, "break"), (ast.Continue, "continue"), (ast.Return, "return")):
            if exits(node.body, (kind,)):
                where = next(n for n in forms.statements(node.body) if isinstance(n, kind))
                raise unsupported(self.filename, where, f"`{text}` in a `range(..., init=)` loop is not supported",
                                  "write a plain `for i in range(...)`: its variables are carried without init=")
        body, _, _ = self.block(node.body, _Loop())
        node.body = body
        orelse, flags, _ = self.block(node.orelse, outer)
        node.orelse = []
        return [node] + orelse, flags, False
