# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions whose parts Python evaluates on a condition, and `assert` and `print`."""
from __future__ import annotations

import ast

from . import forms
from .forms import PREFIX, Forms, Transformer, call, constant, thunk
from .names import parameters

_OPERATORS = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"
}


class RewriteExpressions(Transformer):
    """The step for `and`, `or`, `not`, chained comparisons, ternaries, assignment expressions, assert and print.

    Operands that Python may skip become lambdas, so each is evaluated at most
    once and only where Python would. An assignment expression inside one sets
    its variable through a small function.
    """

    def __init__(self, context, first_lineno=0):
        super().__init__(context, first_lineno)
        self.setters, self.deferred, self.first = None, 0, None
        self.forms = Forms(context)

    # Scopes -----------------------------------------------------------------------------------------------------------

    def visit_FunctionDef(self, node):
        saved = self.setters, self.deferred, self.first
        names = parameters(node)
        node.decorator_list = [self.visit(n) for n in node.decorator_list]
        node.args = self.visit(node.args)
        self.setters, self.deferred, self.first = {}, 0, names[0] if names else None
        body = []
        for statement in node.body:
            new = self.visit(statement)
            body += new if isinstance(new, list) else [new]
        # `name` must be a variable of the function even if only its setter binds it; see control_flow.py.
        node.fly_setters = dict(self.setters)
        node.body = [self._setter(n, where) for n, where in self.setters.items()] + body
        self.setters, self.deferred, self.first = saved
        return node

    def _setter(self, text, where):
        value = PREFIX + "value"
        return forms.function(PREFIX + "set_" + text, [value], [
            ast.Nonlocal(names=[text]), forms.assign(text, forms.name(value, where), where),
            ast.Return(value=forms.name(value, where))], where)

    def visit_ClassDef(self, node):
        return node

    def visit_arg(self, node):
        return node

    def visit_AnnAssign(self, node):
        # An annotated name cannot be `nonlocal`, which the function of a branch needs.
        if isinstance(node.target, ast.Name):
            if node.value is None:
                return ast.copy_location(ast.Pass(), node)
            return ast.copy_location(ast.Assign(targets=[node.target], value=self.visit(node.value), type_comment=None),
                                     node)
        node.target = self.visit(node.target)
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Lambda(self, node):
        # What the user's own lambda binds is its own.
        saved, self.deferred = self.deferred, 0
        setters, self.setters = self.setters, None
        self.generic_visit(node)
        self.deferred, self.setters = saved, setters
        return node

    # Conditions -------------------------------------------------------------------------------------------------------

    def later(self, node, test=False):
        self.deferred += 1
        value = self.condition(node) if test else self.visit(node)
        self.deferred -= 1
        return thunk(value, node)

    def condition(self, node):
        """An expression of which only the truth matters."""
        if isinstance(node, ast.BoolOp):
            return self.boolean(node, test=True)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return call("dsl_not_", [self.condition(node.operand)], node)
        return self.visit(node)

    def boolean(self, node, test):
        function = "dsl_and_" if isinstance(node.op, ast.And) else "dsl_or_"
        first = self.condition(node.values[0]) if test else self.visit(node.values[0])
        rest = [self.later(n, test) for n in node.values[1:]]
        return call(function, [first] + rest, node, [("test", constant(True, node))] if test else [])

    def visit_BoolOp(self, node):
        return self.boolean(node, test=False)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            return self.condition(node)
        return self.generic_visit(node)

    def visit_Compare(self, node):
        if len(node.ops) == 1:
            return self.generic_visit(node)
        operators = forms.strings([_OPERATORS[type(op)] for op in node.ops], node)
        rest = [self.later(n) for n in node.comparators[1:]]
        return call("dsl_compare_", [operators, self.visit(node.left), self.visit(node.comparators[0])] + rest, node)

    def visit_IfExp(self, node):
        if forms.is_const_expr(node.test):
            return self.generic_visit(node)
        return call("scf_ifexp_dispatch", [self.condition(node.test), self.later(node.body), self.later(node.orelse)],
                    node)

    def visit_NamedExpr(self, node):
        self.generic_visit(node)
        if not self.deferred or self.setters is None:
            return node
        self.setters.setdefault(node.target.id, node.target)
        return call(PREFIX + "set_" + node.target.id, [node.value], node)

    def visit_If(self, node):
        node.test = self.visit(node.test) if forms.is_const_expr(node.test) else self.condition(node.test)
        return self._blocks(node)

    visit_While = visit_If

    def _blocks(self, node):
        for field in ("body", "orelse"):
            new = []
            for statement in getattr(node, field):
                result = self.visit(statement)
                new += result if isinstance(result, list) else [result]
            setattr(node, field, new)
        return node

    def visit_comprehension(self, node):
        self.generic_visit(node)
        node.ifs = [call("dsl_static_test_", [n], n) for n in node.ifs]
        return node

    # Statements and calls ---------------------------------------------------------------------------------------------

    def visit_Assert(self, node):
        text = ast.unparse(node.test)
        test = self.condition(node.test)
        message = [self.later(node.msg)] if node.msg is not None else [constant(None, node)]
        return forms.expression(call("dsl_assert_", [test] + message + [constant(text, node)], node), node)

    def visit_For(self, node):
        if self.forms.is_range(node.iter):
            # The iterable becomes the arguments of a loop.
            node.iter.args = [self.visit(n) for n in node.iter.args]
            for keyword in node.iter.keywords:
                keyword.value = self.visit(keyword.value)
        else:
            node.iter = self.visit(node.iter)
        node.target = self.visit(node.target)
        return self._blocks(node)

    def visit_Call(self, node):
        if self.forms.is_range(node) and not node.keywords:
            self.generic_visit(node)
            return forms.at(ast.Call(func=forms.name("dsl_plain_range_", node), args=[node.func] + node.args, keywords=[]),
                            node)
        if isinstance(node.func, ast.Name) and node.func.id == "print":
            return self._print(node)
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args and self.first:
            # A branch is a function without the method's arguments.
            node.args = [forms.name("__class__", node), forms.name(self.first, node)]
            return node
        return self.generic_visit(node)

    def _print(self, node):
        arguments = []
        for argument in node.args:
            if isinstance(argument, ast.JoinedStr):
                arguments.append(self._format(argument))
            else:
                arguments.append(self.visit(argument))
        keywords = [ast.keyword(arg=k.arg, value=self.visit(k.value)) for k in node.keywords]
        new = call("dsl_print_", [node.func] + arguments, node)
        new.keywords = [ast.copy_location(k, node) for k in keywords]
        return new

    def _format(self, node):
        """The parts of an f-string, so that run-time values in it reach the device."""
        parts = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                parts.append(part)
                continue
            conversion = constant(chr(part.conversion) if part.conversion > 0 else "", part)
            spec = self.visit(part.format_spec) if part.format_spec is not None else constant("", part)
            parts.append(forms.at(ast.Tuple(elts=[self.visit(part.value), conversion, spec], ctx=ast.Load()), part))
        return call("dsl_format_", parts, node)
