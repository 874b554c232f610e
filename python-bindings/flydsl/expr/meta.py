# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ambient settings of a trace, source locations, and the converters between DSL values and IR values."""
from __future__ import annotations

import functools
import inspect
import itertools
import os
import sys
import threading

__all__ = ["tracing_context", "tracing_option", "fastmath", "as_ir_value", "as_dsl_value"]

_state = threading.local()


def _options() -> list:
    """The stack of option dictionaries of this thread, the last one being in force."""
    stack = getattr(_state, "stack", None)
    if stack is None:
        stack = _state.stack = [{}]
    return stack


class tracing_context:
    """Sets ambient options for what is traced inside; nests, and each thread has its own.

    Three forms: `with tracing_context(key=value): …`, the decorator `@tracing_context(key=value)`, and
    `tracing_context(func, key=value)`, which gives `func` run under the options. An option set to None
    is cleared inside. `tracing_option(key)` reads the options.
    """

    def __new__(cls, func=None, **options):
        self = super().__new__(cls)
        self._given = options
        self._merged = []
        if func is None:
            return self
        if not callable(func):
            raise TypeError(f"tracing_context: expected a function as first argument, found {type(func).__name__}")
        return self(func)

    def __enter__(self):
        stack = _options()
        stack.append({**stack[-1], **self._given})
        return self

    def __exit__(self, *exc):
        _options().pop()
        return False

    def __call__(self, func):
        options = self._given

        @functools.wraps(func)
        def under_options(*args, **kwargs):
            with tracing_context(**options):
                return func(*args, **kwargs)

        return under_options


def tracing_option(key, default=None):
    """The value of the ambient option `key`, or `default` where none is set."""
    value = _options()[-1].get(key)
    return default if value is None else value


# --- the trace that values belong to ------------------------------------------


class trace_root:
    """Context manager: values made inside belong to `root` (the module of the trace) and keep it alive.

    Using one of them outside of it is a RuntimeError; without that the memory behind it could be gone. Where no root is
    set, the current MLIR context counts as root.
    """

    def __init__(self, root):
        self._root = root

    def __enter__(self):
        self._outer = getattr(_state, "root", None)
        _state.root = self._root
        return self._root

    def __exit__(self, *exc):
        _state.root = self._outer
        return False


def current_root():
    """What the values made now belong to; None outside of every MLIR context."""
    root = getattr(_state, "root", None)
    if root is None:
        from .._mlir import ir
        return ir.Context.current
    return root


# --- fast math ----------------------------------------------------------------

_FLAGS = {"none": 0, "reassoc": 1, "nnan": 2, "ninf": 4, "nsz": 8, "arcp": 16, "contract": 32, "afn": 64, "fast": 127}


def fastmath_mask(flags, what="fastmath") -> int:
    """`flags` as a bit mask.

    `flags`: None, a `FastMathFlags` value, a string such as `"fast"` or `"nnan,ninf"`, or an iterable of these.
    Raises ValueError for an unknown name and TypeError for another kind of object.
    """
    if flags is None:
        return 0
    if isinstance(flags, str):
        mask = 0
        for name in filter(None, (part.strip() for part in flags.split(","))):
            if name not in _FLAGS:
                raise ValueError(f"{what}: unknown flag '{name}', expected some of {', '.join(_FLAGS)}")
            mask |= _FLAGS[name]
        return mask
    if isinstance(flags, int) and not isinstance(flags, bool):
        if not 0 <= flags <= 127:
            raise ValueError(f"{what}: unknown flags {int(flags)}, expected FastMathFlags")
        return int(flags)
    try:
        parts = list(flags)
    except TypeError:
        raise TypeError(f"{what}: expected a string, FastMathFlags, or an iterable of these, "
                        f"found {type(flags).__name__}") from None
    mask = 0
    for part in parts:
        mask |= fastmath_mask(part, what)
    return mask


def fastmath(flags):
    """Context manager: the fast-math flags of the float operations traced inside.

    `flags` as in `fastmath_mask`; None clears what an outer context set. A `fastmath=` argument of an
    operation wins over it.
    """
    return tracing_context(fastmath=None if flags is None else fastmath_mask(flags, "fx.fastmath"))


def fastmath_attr(explicit=None):
    """The fast-math attribute of a float operation: `explicit`, or else the ambient flags; None for no flags."""
    flags = tracing_option("fastmath") if explicit is None else explicit
    if flags is None:
        return None
    from .._mlir import ir

    if isinstance(flags, ir.Attribute):
        return flags
    mask = fastmath_mask(flags)
    if mask == 0:
        return None
    names = "fast" if mask == 127 else ",".join(n for n, bit in _FLAGS.items() if bit and n != "fast" and mask & bit)
    return ir.Attribute.parse(f"#arith.fastmath<{names}>")


# --- source locations ---------------------------------------------------------

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_PACKAGE_REAL = os.path.dirname(os.path.dirname(os.path.realpath(__file__))) + os.sep


def _is_package_file(name: str) -> bool:
    return name.startswith(_PACKAGE) or name.startswith(_PACKAGE_REAL)


def _frame_location(ir, frame):
    code, line = frame.f_code, frame.f_lineno or 0
    if hasattr(code, "co_positions"):
        span = next(itertools.islice(code.co_positions(), frame.f_lasti // 2, None), None)
        if span is not None and span[0] is not None and span[2] is not None:
            line, end_line, col, end_col = span
            if end_line is not None and end_col is not None:
                return ir.Location.file(code.co_filename, line, col, end_line, end_col)
            return ir.Location.file(code.co_filename, line, col)
    return ir.Location.file(code.co_filename, line, 0)


def capture_user_location(max_depth=None):
    """The location of the user's code that is running: innermost frame outside the package, called from the next ones.

    At most `max_depth` frames (default: `FLYDSL_DEBUG_MAX_LOC_DEPTH`, else 5). Gives the unknown location if
    only package code is running. Needs a current MLIR context.
    """
    from .._mlir import ir

    if max_depth is None:
        try:
            max_depth = int(os.environ.get("FLYDSL_DEBUG_MAX_LOC_DEPTH", "5"))
        except ValueError:
            max_depth = 5
    found = []
    frame = sys._getframe(1)
    while frame is not None and len(found) < max(1, max_depth):
        if not _is_package_file(frame.f_code.co_filename):
            found.append(_frame_location(ir, frame))
        frame = frame.f_back
    if not found:
        return ir.Location.unknown()
    return found[0] if len(found) == 1 else ir.Location.callsite(found[0], found[1:])


def dsl_loc_tracing(func):
    """Decorator for helper functions that build operations: these get the location of the code that called the helper.

    If the helper has a parameter `loc` that the caller leaves out, it receives the location; otherwise the
    location is the ambient one while the helper runs.
    """
    try:
        takes_loc = "loc" in inspect.signature(func).parameters
    except (TypeError, ValueError):
        takes_loc = False

    @functools.wraps(func)
    def at_call_site(*args, **kwargs):
        from .._mlir import ir

        if ir.Context.current is None:
            return func(*args, **kwargs)
        if takes_loc:
            if kwargs.get("loc") is None:
                kwargs["loc"] = capture_user_location()
            return func(*args, **kwargs)
        with capture_user_location():
            return func(*args, **kwargs)

    return at_call_site


# --- converters ---------------------------------------------------------------


def dsl_wrap_result(func):
    """Decorator: raw IR values that `func` returns (also inside a tuple or list) come back as DSL values."""

    @functools.wraps(func)
    def wrapped(*args, **kwargs):
        result = func(*args, **kwargs)
        if isinstance(result, (tuple, list)):
            return type(result)(as_dsl_value(item) for item in result)
        return as_dsl_value(result)

    return wrapped


def as_ir_value(value, *, keep_static=False):
    """`value` as an IR value.

    DSL numbers and Python numbers become constants at the insertion point (bool i1, int i32 or i64, float f32);
    with `keep_static=True` they come back as Python numbers instead. Tuples and lists are converted item by item.
    Raises TypeError for a value that is no single IR value.
    """
    from .._mlir import ir
    from .numeric import Numeric, as_numeric, is_python_number

    if isinstance(value, ir.Value):
        check = getattr(value, "check_live", None)
        if check is not None:
            check()
        return value
    if isinstance(value, Numeric) or is_python_number(value):
        number = as_numeric(value)
        return number.value if keep_static and number.is_static() else number.ir_value()
    if isinstance(value, (ir.OpView, ir.Operation)):
        return value.result
    if isinstance(value, (tuple, list)):
        return type(value)(as_ir_value(item, keep_static=keep_static) for item in value)
    if hasattr(value, "__extract_to_ir_values__"):
        values = value.__extract_to_ir_values__()
        if len(values) == 1:
            return values[0]
        raise TypeError(f"as_ir_value: {type(value).__name__} stands for {len(values)} IR values, expected one")
    if hasattr(value, "ir_value"):
        return value.ir_value()
    raise TypeError(f"as_ir_value: expected a DSL value, a number or an IR value, found {type(value).__name__}")


def as_dsl_value(value, exemplar=None):
    """`value` as a DSL value: raw scalars become numbers, raw vectors `Vector`, what is one already stays.

    `exemplar`: a DSL value whose class (and signedness, or shape of a vector) the result takes. An IR integer
    has no sign: without exemplar it becomes the signed class. Other values are returned as they are.
    """
    from .._mlir import ir
    from .numeric import Numeric, as_numeric, is_python_number

    if isinstance(exemplar, type):
        raise TypeError(f"as_dsl_value: the exemplar is a DSL value, got the class {exemplar.__name__}; {exemplar.__name__}(value) makes one of it")
    if isinstance(value, Numeric):
        return value
    if is_python_number(value):
        return type(exemplar)(value) if isinstance(exemplar, Numeric) else as_numeric(value)
    if isinstance(value, (ir.OpView, ir.Operation)):
        value = value.result
    if not isinstance(value, ir.Value):
        return value
    if exemplar is not None and hasattr(exemplar, "__construct_from_ir_values__"):
        return type(exemplar).__construct_from_ir_values__([value], exemplar)
    from .vector import Vector

    if isinstance(value, Vector):
        return value
    if isinstance(value.type, ir.VectorType):
        return Vector(value)
    if isinstance(value.type, (ir.IntegerType, ir.IndexType, ir.FloatType)):
        return as_numeric(value)
    return value
