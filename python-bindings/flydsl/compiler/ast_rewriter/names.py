# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which names a piece of a function binds, reads, and still needs afterwards."""
from __future__ import annotations

import ast

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def child_blocks(node):
    """The blocks of statements inside a compound statement."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if type(block) is list and block and isinstance(block[0], ast.stmt):
            yield block
    for field in ("handlers", "cases"):
        for part in getattr(node, field, ()):
            yield part.body


class _Stores(ast.NodeVisitor):
    """Names bound in the scope of the visited statements, in the order of the text."""

    def __init__(self, handlers=True):
        self.names, self.handlers = {}, handlers

    def add(self, name):
        self.names.setdefault(name)

    def visit_Name(self, node):
        if not isinstance(node.ctx, ast.Load):
            self.add(node.id)

    def visit_FunctionDef(self, node):
        self.add(node.name)
        for part in node.decorator_list + node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.add(node.name)

    def visit_Lambda(self, node):
        for part in node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(part)

    def visit_comprehension_expr(self, node):
        # The targets belong to the comprehension, an assignment expression inside does not.
        for part in ast.walk(node):
            if isinstance(part, ast.NamedExpr):
                self.add(part.target.id)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_comprehension_expr

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        self.add(node.target.id)

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)

    def visit_AugAssign(self, node):
        self.visit(node.value)
        self.visit(node.target)

    def visit_alias(self, node):
        if node.name != "*":
            self.add(node.asname or node.name.split(".")[0])

    def visit_ExceptHandler(self, node):
        if node.name and self.handlers:
            self.add(node.name)
        self.generic_visit(node)

    def visit_MatchAs(self, node):
        if node.name:
            self.add(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node):
        if node.name:
            self.add(node.name)

    def visit_MatchMapping(self, node):
        if node.rest:
            self.add(node.rest)
        self.generic_visit(node)


def stored(nodes, handlers=True) -> list:
    """Names that the statements (or expressions) bind in their own scope, in the order of the text."""
    visitor = _Stores(handlers)
    for node in nodes:
        visitor.visit(node)
    return list(visitor.names)


def parameters(node) -> list:
    """The names of the parameters of a `def` or lambda."""
    a = node.args
    return ([p.arg for p in a.posonlyargs + a.args] + ([a.vararg.arg] if a.vararg else []) +
            [p.arg for p in a.kwonlyargs] + ([a.kwarg.arg] if a.kwarg else []))


def declared(body, kind) -> set:
    """Names that `global` or `nonlocal` statements (the class `kind`) of this scope declare."""
    found = set()
    for node in body:
        if isinstance(node, kind):
            found.update(node.names)
        elif not isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            for block in child_blocks(node):
                found |= declared(block, kind)
    return found


class _Loads(ast.NodeVisitor):
    """Names that an expression reads; those that a lambda or inner `def` reads go to `captured`, too."""

    def __init__(self):
        self.names, self.captured = set(), set()

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self.names.add(node.id)

    def visit_Lambda(self, node):
        self._scope(node, [node.body], set(parameters(node)))
        for part in node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(part)

    def visit_FunctionDef(self, node):
        local = set(parameters(node)) | set(stored(node.body))
        local -= declared(node.body, (ast.Nonlocal, ast.Global))
        self._scope(node, node.body, local)
        for name in declared(node.body, ast.Nonlocal):
            self.names.add(name)
            self.captured.add(name)
        for part in node.decorator_list + node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self._scope(node, node.body, set())
        for part in node.decorator_list + node.bases + [k.value for k in node.keywords]:
            self.visit(part)

    def _scope(self, node, body, local):
        inner = _Loads()
        for part in body:
            inner.visit(part)
        free = (inner.names | inner.captured) - local
        self.names |= free
        self.captured |= free

    def _comprehension(self, node):
        bound = set()
        for generator in node.generators:
            bound.update(n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name))
        inner = _Loads()
        inner.generic_visit(node)
        # The first iterable is evaluated outside.
        self.visit(node.generators[0].iter)
        self.names |= inner.names - bound
        self.captured |= inner.captured - bound
        if isinstance(node, ast.GeneratorExp):
            # Evaluated when it is consumed, which may be later.
            self.captured |= inner.names - bound

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension


def loaded(node) -> set:
    """Names that the expression or statement reads, inner functions included."""
    visitor = _Loads()
    visitor.visit(node)
    return visitor.names


def captured(body) -> set:
    """Names that functions, lambdas and generators inside `body` may read or set whenever they run."""
    visitor = _Loads()
    for node in body:
        visitor.visit(node)
    return visitor.captured


class Liveness:
    """Marks each `if` and loop with the names that are needed after it.

    `node.fly_live` are the names needed after the statement; a loop has
    `node.fly_head`, the names whose value at the start of a round is needed in
    that round or passes through it. Exceptions may leave a `try` body anywhere,
    so what its handlers need is needed all along.
    """

    def __init__(self, body):
        # Others can see what is captured, global or of an outer function.
        self.always = captured(body) | declared(body, (ast.Global, ast.Nonlocal))
        self.extra = set()
        self.loops = []

    def run(self, body):
        self.block(body, set(self.always))

    def block(self, body, live):
        for node in reversed(body):
            live = self.statement(node, live)
        return live

    def statement(self, node, live):
        method = getattr(self, "on_" + type(node).__name__, None)
        live = method(node, live) if method else self.simple(node, live)
        return live | self.extra | self.always

    def simple(self, node, live):
        return (live - set(stored([node]))) | loaded(node)

    def on_AugAssign(self, node, live):
        live = (live - set(stored([node]))) | loaded(node)
        if isinstance(node.target, ast.Name):
            live = live | {node.target.id}
        return live

    def on_FunctionDef(self, node, live):
        return (live - {node.name}) | loaded(node)

    def on_Return(self, node, live):
        return loaded(node)

    def on_Raise(self, node, live):
        return loaded(node)

    def on_Break(self, node, live):
        return set(self.loops[-1][1]) if self.loops else live

    def on_Continue(self, node, live):
        return set(self.loops[-1][0]) if self.loops else live

    def on_If(self, node, live):
        node.fly_live = set(live)
        return self.block(node.body, live) | self.block(node.orelse, live) | loaded(node.test)

    def _loop(self, node, live, kill, reads):
        after = self.block(node.orelse, live)
        stop = set(getattr(node, "fly_stop", ()))
        head = after | reads | stop
        while True:
            self.loops.append((head, live))
            inner = self.block(node.body, set(head))
            self.loops.pop()
            grown = head | (inner - kill)
            if grown == head:
                break
            head = grown
        node.fly_live = set(after)
        node.fly_head = (inner - kill) | reads | stop
        return head

    def on_For(self, node, live):
        kill = set(stored([node.target]))
        head = self._loop(node, live, kill, set())
        return head | loaded(node.iter) | loaded(node.target)

    on_AsyncFor = on_For

    def on_While(self, node, live):
        return self._loop(node, live, set(), loaded(node.test))

    def on_With(self, node, live):
        live = self.block(node.body, live)
        for item in reversed(node.items):
            if item.optional_vars is not None:
                live = (live - set(stored([item.optional_vars]))) | loaded(item.optional_vars)
            live = live | loaded(item.context_expr)
        return live

    on_AsyncWith = on_With

    def on_Try(self, node, live):
        live = self.block(node.finalbody, live)
        handlers = set()
        for handler in node.handlers:
            inner = self.block(handler.body, live) - ({handler.name} if handler.name else set())
            handlers |= inner | (loaded(handler.type) if handler.type else set())
        saved, self.extra = self.extra, self.extra | handlers | live
        inner = self.block(node.body, self.block(node.orelse, live))
        self.extra = saved
        return inner | handlers

    on_TryStar = on_Try

    def on_Match(self, node, live):
        result = set(live)
        for case in node.cases:
            inner = self.block(case.body, live) | (loaded(case.guard) if case.guard else set())
            result |= (inner - set(stored([case.pattern]))) | loaded(case.pattern)
        return result | loaded(node.subject)
