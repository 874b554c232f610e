# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which statements may depend on run-time values, and small pieces of syntax tree."""
from __future__ import annotations

import ast

from .names import child_blocks

# Names of generated variables and functions begin with this; one underscore, so that a class does not mangle them.
PREFIX = "_flydsl_"
RETURN_FLAG, RETURN_VALUE = PREFIX + "returned", PREFIX + "return_value"
FLAGS = (RETURN_FLAG, PREFIX + "broken_", PREFIX + "skipped_")


class Transformer(ast.NodeTransformer):
    """A step of the rewriting: `visit` gets the definition of a function and returns it, changed.

    Subclasses that `ASTRewriter.register` adds run after the package's own
    steps. `context.filename`, `context.python_globals` and `context.function`
    describe the function. `rewrite_globals()` gives names that the rewritten
    code needs in the globals of its module.
    """

    def __init__(self, context, first_lineno=0):
        self.context, self.first_lineno = context, first_lineno
        super().__init__()

    @classmethod
    def rewrite_globals(cls) -> dict:
        return {}


def called_name(node) -> str:
    """The last part of the name that a call calls: 'const_expr' for `fx.const_expr(x)`."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def is_const_expr(node) -> bool:
    return called_name(node) == "const_expr"


class Forms:
    """Tells the statements that become regions from those that stay plain Python."""

    def __init__(self, context):
        # A module may give `range` another meaning; then its loops are plain ones.
        self.plain_range = context.python_globals.get("range", range) is not range

    def is_range(self, node) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range" \
            and not self.plain_range

    def is_explicit_loop(self, node) -> bool:
        """`for i, state in range(..., init=[...])`."""
        return isinstance(node, ast.For) and self.is_range(node.iter) and any(k.arg == "init" for k in node.iter.keywords)

    def is_region(self, node) -> bool:
        if isinstance(node, (ast.If, ast.While)):
            return not is_const_expr(node.test)
        return isinstance(node, ast.For) and self.is_range(node.iter) and not self.is_explicit_loop(node)


def at(node, where):
    """`node`, and everything in it that has no place yet, placed at `where`. What has a place is complete already."""
    if "lineno" in node._attributes:
        if getattr(node, "lineno", None) is not None:
            return node
        ast.copy_location(node, where)
    for field in node._fields:
        value = getattr(node, field, None)
        for part in value if type(value) is list else (value,):
            if isinstance(part, ast.AST):
                at(part, where)
    return node


def name(text, where, store=False):
    return ast.copy_location(ast.Name(id=text, ctx=ast.Store() if store else ast.Load()), where)


def constant(value, where):
    return ast.copy_location(ast.Constant(value=value), where)


def call(function, args, where, keywords=()):
    return at(ast.Call(func=name(function, where), args=list(args),
                       keywords=[ast.keyword(arg=k, value=v) for k, v in keywords]), where)


def assign(target, value, where):
    return at(ast.Assign(targets=[name(target, where, store=True)], value=value, type_comment=None), where)


def expression(value, where):
    return ast.copy_location(ast.Expr(value=value), where)


def arguments(names=()):
    return ast.arguments(posonlyargs=[], args=[ast.arg(arg=n, annotation=None, type_comment=None) for n in names],
                         vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])


def thunk(value, where):
    """`lambda: value`, placed at the value."""
    return at(ast.Lambda(args=arguments(), body=value), where)


def strings(values, where):
    return at(ast.Tuple(elts=[constant(v, where) for v in values], ctx=ast.Load()), where)


def function(text, parameters, body, where):
    node = ast.FunctionDef(name=text, args=arguments(parameters), body=body, decorator_list=[], returns=None,
                           type_comment=None)
    if "type_params" in ast.FunctionDef._fields:
        node.type_params = []
    return at(node, where)




def statements(body):
    """All statements of one scope, nested blocks included, inner definitions not entered."""
    for node in body:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for block in child_blocks(node):
                yield from statements(block)
