# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The class of the numeric classes."""
from __future__ import annotations

from ..._mlir import ir

# The concrete classes by name.
BY_NAME: dict = {}


def require_context(what):
    """RuntimeError if there is no context, which `what`, an IR type, needs."""
    if ir.Context.current is None:
        raise RuntimeError(f"{what}: nothing is being traced; IR types exist inside of functions decorated with @flyc.jit or @flyc.kernel, or "
                           "under an ir.Context of your own")


class NumericMeta(type):
    """Class of the numeric classes, with the properties that these have.

    `width` (bits), `log_width` (its base-2 logarithm, rounded up), `signed` (True, False; None for floats), `ir_type` (in
    the current context), `numpy_dtype` (None if NumPy and ml_dtypes have none), `is_integer`, `is_float`, `zero`.
    """

    def __new__(mcls, name, bases, namespace, *, width=None, signed=None, mlir=None, fmt=None, numpy=None):
        namespace.setdefault("__slots__", ())
        cls = super().__new__(mcls, name, bases, namespace)
        cls._width, cls._signed, cls._mlir, cls._fmt, cls._numpy = width, signed, mlir, fmt, numpy
        if width is not None:
            BY_NAME[name] = cls
        return cls

    def __init__(cls, name, bases, namespace, **_):
        super().__init__(name, bases, namespace)

    _kind = None  # "integer" or "float", which the classes of numeric.py set

    @property
    def width(cls):
        return cls._width

    @property
    def log_width(cls):
        return (cls._width - 1).bit_length()

    @property
    def signed(cls):
        return cls._signed

    @property
    def is_integer(cls):
        return cls._kind == "integer"

    @property
    def is_float(cls):
        return cls._kind == "float"

    @property
    def zero(cls):
        return False if cls._width == 1 else 0 if cls.is_integer else 0.0

    @property
    def ir_type(cls):
        if cls._width is None:
            raise TypeError(f"{cls.__name__} has no IR type; use one of its subclasses")
        require_context(cls.__name__)
        if cls._mlir is None:
            return ir.IntegerType.get_signless(cls._width)
        return getattr(ir, cls._mlir).get()

    @property
    def numpy_dtype(cls):
        if cls._numpy is None:
            return None
        import numpy
        if hasattr(numpy, cls._numpy):
            return numpy.dtype(getattr(numpy, cls._numpy))
        import ml_dtypes
        return numpy.dtype(getattr(ml_dtypes, cls._numpy))

    def __repr__(cls):
        return cls.__name__
