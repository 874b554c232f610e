# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Python's operator methods, written once for scalars, raw values and vectors."""
from __future__ import annotations

_BINARY = {"add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floordiv", "mod": "mod", "pow": "pow",
           "and": "and_", "or": "or_", "xor": "xor", "lshift": "shl", "rshift": "shr"}
_COMPARE = ("eq", "ne", "lt", "le", "gt", "ge")


def _forward(op):

    def method(self, other):
        return self._binary(op, other)

    return method


def _reflected(op):

    def method(self, other):
        return self._binary(op, other, True)

    return method


def _comparison(op):

    def method(self, other):
        return self._compare(op, other)

    return method


def _divmod(self, other):
    return self._binary("floordiv", other), self._binary("mod", other)


def _rdivmod(self, other):
    return self._binary("floordiv", other, True), self._binary("mod", other, True)


def with_operators(cls):
    """Class decorator: the operators call `_binary(op, other, swap=False)` and `_compare(op, other)` of the class.

    (A decorator and not a base class: the class of IR values allows a single base.)
    """
    for name, op in _BINARY.items():
        setattr(cls, f"__{name}__", _forward(op))
        setattr(cls, f"__r{name}__", _reflected(op))
    for name in _COMPARE:
        setattr(cls, f"__{name}__", _comparison(name))
    cls.__divmod__, cls.__rdivmod__ = _divmod, _rdivmod
    return cls
