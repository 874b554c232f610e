# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns `if`, `for ... in range` and `while` into calls of the dispatch functions.

Each body becomes a local function that declares the variables it sets
`nonlocal`: they stay the variables of the function, for inner functions and
lambdas as well. The dispatch functions reach them through the closure of the
body, so no list of values is passed. A body sets exactly what Python would:

    if x > 3:                      def _flydsl_then_1():
        y = x                          nonlocal y
                                       y = x
                                   scf_if_dispatch(x > 3, _flydsl_then_1, None)
"""
from __future__ import annotations

import ast

from . import forms
from .forms import PREFIX, Forms, Transformer, call, constant, strings, thunk
from .names import declared, parameters, stored
from .source import unsupported


class _Scope:
    """What the conversion of one function needs to know about its variables."""

    def __init__(self, node):
        self.globals = declared(node.body, ast.Global)
        self.outer = declared(node.body, ast.Nonlocal)
        self.parameters = set(parameters(node))
        self.bind = dict.fromkeys(getattr(node, "fly_setters", ()))


def _may_change(node) -> bool:
    """True for a simple statement that may change a container in place."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    if isinstance(node, (ast.Assign, ast.Delete)):
        parts = node.targets
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        parts = [node.target]
    else:
        return False
    # An augmented assignment of a name changes a list in place.
    return isinstance(node, ast.AugAssign) or any(not isinstance(p, ast.Name) for p in parts) or (
        not isinstance(node, ast.Delete) and isinstance(node.value, ast.Call))


class RewriteControlFlow(Transformer):
    """The step that makes regions of branches and loops."""

    def __init__(self, context, first_lineno=0):
        super().__init__(context, first_lineno)
        self.forms, self.filename = Forms(context), context.filename
        self.scope, self.count = None, 0

    def visit_ClassDef(self, node):
        return node

    def visit_Lambda(self, node):
        return node

    def visit_FunctionDef(self, node):
        saved, self.scope = self.scope, _Scope(node)
        node.body = self.body(node.body)
        fixed = self.scope.parameters | self.scope.outer | self.scope.globals
        bind = [n for n in self.scope.bind if n not in fixed]
        if bind:
            # Makes them variables of this function; never runs.
            where = node.body[0]
            node.body.insert(0, forms.at(ast.If(test=constant(False, where), body=[ast.Assign(
                targets=[forms.name(n, where, store=True) for n in bind], value=constant(None, where),
                type_comment=None)], orelse=[]), where))
        self.scope = saved
        return node

    def body(self, statements):
        result = []
        for node in statements:
            new = self.visit(node)
            result += new if isinstance(new, list) else [new]
            if _may_change(node):
                result.append(forms.expression(call("scf_check_", [], node), node))
        return result

    def generic_visit(self, node):
        # Expressions hold no statements.
        if isinstance(node, ast.expr):
            return node
        return super().generic_visit(node)

    # Regions ----------------------------------------------------------------------------------------------------------

    def region(self, kind, body, where, params=(), first=()):
        """The local function of a body; `first` are statements to put before it."""
        names = stored(list(first) + body)
        shared = [n for n in names if n in self.scope.globals]
        own = [n for n in names if n not in self.scope.globals]
        for n in own:
            if n not in self.scope.outer:
                self.scope.bind.setdefault(n)
        inner = list(first) + self.body(body)
        head = ([ast.Global(names=shared)] if shared else []) + ([ast.Nonlocal(names=own)] if own else [])
        self.count += 1
        return forms.function(f"{PREFIX}{kind}_{self.count}", params, head + inner, where)

    def dead(self, names, live):
        """Names that a region sets and nothing reads afterwards."""
        return [n for n in names if n not in live and n not in self.scope.globals and n not in self.scope.outer]

    def changed(self, body):
        """Containers that the body changes in place, as (name, key); key None means any."""
        found = {}
        for node in forms.statements(body):
            targets = node.targets if isinstance(node, (ast.Assign, ast.Delete)) else \
                [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For)) else []
            for target in targets:
                for part in ast.walk(target):
                    if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and \
                            not isinstance(part.ctx, ast.Load):
                        found.setdefault((part.value.id, part.attr))
                    elif isinstance(part, ast.Subscript) and isinstance(part.value, ast.Name) and \
                            not isinstance(part.ctx, ast.Load):
                        key = part.slice.value if isinstance(part.slice, ast.Constant) else None
                        found.setdefault((part.value.id, key))
        return list(found)

    def visit_If(self, node):
        if forms.is_const_expr(node.test) or getattr(node, "fly_plain", False):
            node.body, node.orelse = self.body(node.body), self.body(node.orelse)
            return node
        live = getattr(node, "fly_live", set())
        dead = self.dead(stored(node.body + node.orelse), live)
        then = self.region("then", node.body, node)
        new = [then]
        arguments = [node.test, forms.name(then.name, node)]
        if node.orelse:
            otherwise = self.region("else", node.orelse, node)
            new.append(otherwise)
            arguments.append(forms.name(otherwise.name, node))
        else:
            arguments.append(constant(None, node))
        keywords = [("dead", strings(dead, node))] if dead else []
        return new + [forms.expression(call("scf_if_dispatch", arguments, node, keywords), node)]

    def _loop_keywords(self, node, names):
        head, live = getattr(node, "fly_head", set(names)), getattr(node, "fly_live", set(names))
        carried = [n for n in names if n in head]
        dead = self.dead(names, live)
        keywords = []
        if carried:
            keywords.append(("carried", strings(carried, node)))
        results = [n for n in names if n not in head and n not in dead]
        if results:
            keywords.append(("results", strings(results, node)))
        if dead:
            keywords.append(("dead", strings(dead, node)))
        changed = self.changed(node.body)
        if changed:
            pairs = [forms.at(ast.Tuple(elts=[constant(n, node), constant(k, node)], ctx=ast.Load()), node)
                     for n, k in changed]
            keywords.append(("changed", forms.at(ast.Tuple(elts=pairs, ctx=ast.Load()), node)))
        stop = getattr(node, "fly_stop", ())
        if stop:
            keywords.append(("stop_when", thunk(call("scf_set_any_", [forms.name(f, node) for f in stop], node), node)))
        return keywords

    def visit_For(self, node):
        if self.forms.is_explicit_loop(node):
            return self.explicit(node)
        if not self.forms.is_region(node):
            node.body, node.orelse = self.body(node.body), self.body(node.orelse)
            return node
        names = stored([node.target] + node.body)
        keywords = self._loop_keywords(node, names)
        value = PREFIX + "iv"
        bind = forms.at(ast.Assign(targets=[node.target], value=forms.name(value, node), type_comment=None), node)
        body = self.region("body", node.body, node, [value], [bind])
        bounds = list(node.iter.args)
        if any(isinstance(b, ast.Starred) for b in bounds):
            bounds = [forms.at(ast.Starred(value=call("scf_bounds_", bounds, node.iter), ctx=ast.Load()), node)]
        elif len(bounds) == 1:
            bounds = [constant(0, node), bounds[0], constant(1, node)]
        elif len(bounds) == 2:
            bounds = bounds + [constant(1, node)]
        elif len(bounds) != 3:
            raise unsupported(self.filename, node.iter, f"range expected 1 to 3 arguments, got {len(bounds)}")
        keywords += [(k.arg, k.value) for k in node.iter.keywords]
        new = [body, forms.expression(call("scf_for_dispatch", bounds + [forms.name(body.name, node)], node, keywords),
                                      node)]
        return new + self.body(node.orelse)

    def visit_While(self, node):
        if forms.is_const_expr(node.test):
            node.body, node.orelse = self.body(node.body), self.body(node.orelse)
            return node
        names = stored([node.test] + node.body)
        keywords = self._loop_keywords(node, names)
        answer = ast.copy_location(ast.Return(value=node.test), node.test)
        test = self.region("test", [answer], node)
        body = self.region("body", node.body, node)
        if isinstance(node.test, ast.Constant):
            keywords.append(("constant", constant(bool(node.test.value), node)))
        new = [test, body, forms.expression(call("scf_while_dispatch", [forms.name(test.name, node),
                                                                       forms.name(body.name, node)], node, keywords),
                                            node)]
        return new + self.body(node.orelse)

    # range(..., init=) ------------------------------------------------------------------------------------------------

    def explicit(self, node):
        """The body stays in place; `yield` ends a round. What it sets besides the state does not leave the loop."""
        node.iter.func = forms.name("scf_range", node.iter.func)
        live = getattr(node, "fly_live", set())
        results = set()
        for statement in forms.statements(node.body):
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Yield):
                results.update(stored([statement]))
        leaked = [n for n in stored([node.target] + node.body) if n in live and n not in results]
        node.body = self.body(_Yields().body(node.body))
        if not leaked:
            return node
        # Only there to give access to the variables.
        access = forms.function(f"{PREFIX}leaked_{self.count}", [], [
            ast.Nonlocal(names=leaked), ast.Assign(targets=[forms.name(n, node, store=True) for n in leaked],
                                                   value=constant(None, node), type_comment=None)], node)
        for n in leaked:
            if n not in self.scope.outer:
                self.scope.bind.setdefault(n)
        self.count += 1
        return [node, access, forms.expression(call("scf_leaked_", [forms.name(access.name, node),
                                                                    constant(node.lineno, node)], node), node)]


class _Yields(ast.NodeTransformer):
    def body(self, statements):
        return [self.visit(n) for n in statements]

    def visit_FunctionDef(self, node):
        return node

    visit_Lambda = visit_ClassDef = visit_FunctionDef

    def visit_Yield(self, node):
        self.generic_visit(node)
        return call("scf_yield_", [node.value if node.value is not None else constant(None, node)], node)


class FallbackLocations(Transformer):
    """The last step: the outermost function runs inside `_flydsl_loc()`.

    It gives operations built outside of a launcher their line, and messages
    about names without a value the reason.
    """

    @classmethod
    def rewrite_globals(cls) -> dict:
        from .scope import location_scope
        return {"_flydsl_loc": location_scope}

    def visit_FunctionDef(self, node):
        where = node.body[0]
        with_item = ast.withitem(context_expr=call("_flydsl_loc", [], where), optional_vars=None)
        node.body = [forms.at(ast.With(items=[with_item], body=node.body, type_comment=None), where)]
        return node


