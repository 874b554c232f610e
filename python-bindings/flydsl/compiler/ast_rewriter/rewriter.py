# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ASTRewriter`: from a plain function to one whose control flow can be traced."""
from __future__ import annotations

import __future__

import ast
import os
import sys
import types
from types import SimpleNamespace

from . import forms
from .control_flow import FallbackLocations, RewriteControlFlow
from .desugar import CheckSyntax, MatchToIf
from .exits import LowerExits
from .expressions import RewriteExpressions
from .forms import PREFIX, Transformer
from .names import Liveness
from .source import SourceNotAvailableError, load, too_deep


class MarkLiveness(Transformer):
    """Notes at each branch and loop which names are needed afterwards; changes nothing."""

    def visit_FunctionDef(self, node):
        # Inner definitions first: their statements are marked on their own.
        for inner in forms.statements(node.body):
            if isinstance(inner, ast.FunctionDef):
                self.visit(inner)
        Liveness(node.body).run(node.body)
        return node


class ASTRewriter:
    """Rewrites functions for tracing; all methods belong to the class."""

    transformers = [CheckSyntax, MatchToIf, LowerExits, MarkLiveness, RewriteExpressions, RewriteControlFlow,
                    FallbackLocations]
    _registered: list = []
    _cache: dict = {}
    _rewritten: set = set()

    @classmethod
    def register(cls, transformer):
        """Adds a `Transformer` class that runs after the package's own steps. Returns it, so it is a decorator, too."""
        if not (isinstance(transformer, type) and issubclass(transformer, ast.NodeTransformer)):
            raise TypeError(f"ASTRewriter.register expects a class derived from ast.NodeTransformer, got {transformer!r}")
        cls._registered.append(transformer)
        cls._cache.clear()
        return transformer

    @classmethod
    def transform(cls, func):
        """Rewrites `func` in place and returns it.

        Its branches, loops, `and`/`or`, `assert` and `print` then work on
        run-time values. The file name and the line and column numbers stay the
        user's; defaults, annotations and closure are untouched. A function that
        is rewritten already is left alone.

        Raises UnsupportedSyntaxError (a SyntaxError, with file, line and caret)
        for a construct that cannot be traced, SourceNotAvailableError (a
        RuntimeError) if the text of the function cannot be read.
        """
        if not isinstance(func, types.FunctionType):
            raise TypeError(f"a traced function must be a plain Python function, got {type(func).__name__}")
        code = func.__code__
        if id(code) in cls._rewritten:
            cls._inject(func)
            return func
        key = (code, code.co_filename, cls._file_state(code.co_filename))
        entry = cls._cache.get(key)
        if entry is None:
            try:
                entry = cls._cache[key] = cls._rewrite(func)
            except RecursionError:
                error = too_deep(func)
                if error is None:
                    raise
                raise error from None
        cls._inject(func)
        if not hasattr(func, "__flydsl_original_code__"):
            func.__flydsl_original_code__ = code
        func.__code__ = entry
        return func

    @classmethod
    def is_rewritten(cls, code) -> bool:
        """True for code that `transform` made, inner functions included."""
        return id(code) in cls._rewritten

    @staticmethod
    def _file_state(filename):
        try:
            state = os.stat(filename)
        except OSError:
            return None
        return state.st_mtime_ns, state.st_size

    @classmethod
    def globals(cls) -> dict:
        """The names that rewritten code looks up in the globals of its module."""
        from . import runtime
        names = dict(runtime.HELPERS)
        for transformer in cls.transformers + cls._registered:
            if hasattr(transformer, "rewrite_globals"):
                names.update(transformer.rewrite_globals())
        return names

    @classmethod
    def _inject(cls, func):
        for text, value in cls.globals().items():
            func.__globals__.setdefault(text, value)

    # One function -----------------------------------------------------------------------------------------------------

    @classmethod
    def _rewrite(cls, func):
        source = load(func)
        code = func.__code__
        context = SimpleNamespace(python_globals=func.__globals__, filename=source.filename, function=func,
                                  text=source.text)
        from ...utils import env
        show = env.debug.ast_diff
        node = source.function
        before = ast.unparse(node) if show else None
        for transformer in cls.transformers + cls._registered:
            node = transformer(context=context, first_lineno=code.co_firstlineno).visit(node)
            if show:
                before = cls._show(node, before, transformer, func)
        source.module.body[0] = node
        new = cls._compile(source.module, func)
        cls._remember(new)
        return new

    @staticmethod
    def _show(node, before, transformer, func):
        import difflib
        ast.fix_missing_locations(node)
        after = ast.unparse(node)
        step = transformer.__name__
        lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), f"{func.__qualname__} before {step}",
                                          f"{func.__qualname__} after {step}", lineterm=""))
        if lines:
            print("\n".join(lines), file=sys.stderr)
        return after

    @classmethod
    def _compile(cls, module, func):
        """The code object of the rewritten definition, with the same free variables as `func`."""
        code = func.__code__
        node = module.body[0]
        free = [n for n in code.co_freevars if n != "__class__"]
        if code.co_freevars:
            # A free variable that vanished must stay one: the closure of a function cannot change its size.
            where = node.body[0]
            node.body.insert(0, forms.at(ast.If(test=forms.constant(False, where), body=[
                forms.expression(forms.name(n, where), where) for n in code.co_freevars], orelse=[]), where))
        names = func.__qualname__.split(".")
        statement = node
        if len(names) > 1 and names[-2] != "<locals>":
            # Private names and super() need the class.
            statement = ast.ClassDef(name=names[-2], bases=[], keywords=[], body=[node], decorator_list=[])
            if "type_params" in ast.ClassDef._fields:
                statement.type_params = []
        elif "__class__" in code.co_freevars:
            free.append("__class__")
        # At module level a definition's own name, and that of its class, are globals, as in the original.
        module.body = [statement]
        if free:
            body = [forms.assign(n, forms.constant(None, node), node) for n in free] + [statement]
            module.body = [forms.function(PREFIX + "outer", [], body, node)]
        if cls._registered:
            ast.fix_missing_locations(module)
        flags = 0
        for feature in __future__.all_feature_names:
            flags |= code.co_flags & getattr(__future__, feature).compiler_flag
        try:
            try:
                compiled = compile(module, code.co_filename, "exec", flags=flags, dont_inherit=True)
            except TypeError:
                # A node without a place.
                compiled = compile(ast.fix_missing_locations(module), code.co_filename, "exec", flags=flags,
                                   dont_inherit=True)
        except SyntaxError as error:
            # Only the user's own mistakes get here: Python found them in the original, too.
            raise SourceNotAvailableError(
                f"the rewritten function '{func.__qualname__}' ({code.co_filename}, line {code.co_firstlineno}) does not "
                f"compile: {error}\nhint: FLYDSL_DEBUG_AST_DIFF=1 shows the rewriting") from error
        new = cls._find(compiled, code)
        if new is None or new.co_freevars != code.co_freevars:
            raise SourceNotAvailableError(
                f"the text of function '{func.__qualname__}' ({code.co_filename}, line {code.co_firstlineno}) uses other "
                "variables of the enclosing function than the function\nhint: was the file changed after it was imported?")
        return cls._named(new, code, code.co_name, getattr(code, "co_qualname", None))

    @staticmethod
    def _find(code, original):
        todo = [code]
        while todo:
            current = todo.pop(0)
            if current.co_name == original.co_name and current.co_firstlineno == original.co_firstlineno:
                return current
            todo += [c for c in current.co_consts if isinstance(c, types.CodeType)]
        return None

    @classmethod
    def _named(cls, code, original, text, qualified):
        """Gives the functions of branches and loops the name of the function that they are part of."""
        consts = []
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                inner = constant.co_name
                if inner.startswith(PREFIX):
                    constant = cls._named(constant, original, text, qualified)
                else:
                    constant = cls._named(constant, original, inner, f"{qualified}.<locals>.{inner}")
            consts.append(constant)
        changes = {"co_consts": tuple(consts), "co_name": text}
        if qualified is not None and hasattr(code, "co_qualname"):
            changes["co_qualname"] = qualified
        return code.replace(**changes)

    @classmethod
    def _remember(cls, code):
        cls._rewritten.add(id(code))
        cls._keep.append(code)
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                cls._remember(constant)

    # The ids above stay valid as long as the objects live.
    _keep: list = []
