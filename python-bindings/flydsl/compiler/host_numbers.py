# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers and streams that a host call takes: which objects are some, and the plain Python number of each.

Both ways into compiled code ask here: a first call, which builds a carrier, and the launcher of a later one, native
or in Python. The native launcher asks for everything but Python's own numbers, and for ints that a float might round.
"""
from __future__ import annotations

import math
from typing import Any, Callable

from .parameters import Stream


def of_class(kind: type, value: Any):
    """The Python bool, int or float that a parameter of the numeric class `kind` gets for `value`.

    TypeError for what is no such number, or a number of another class of `flydsl.expr`; ValueError for one that `kind`
    cannot hold: only explicit constructors wrap.
    """
    from ..expr.numeric import Numeric, _plain, is_python_number
    if isinstance(value, Numeric):
        if type(value) is not kind:
            raise TypeError(f"found {type(value).__name__}, expected {kind.__name__}; convert it with fx.{kind.__name__}(value)")
        if not value.is_static():
            raise TypeError(f"expected a number known to the host, found a run-time {kind.__name__}")
        return value.value
    what = "a bool" if kind.__name__ == "Boolean" else "an int" if kind.is_integer else "a number"
    number = _plain(value) if is_python_number(value) else _index(value)
    if number is None or (kind.is_integer and isinstance(number, float)):
        raise TypeError(f"expected {what} for {kind.__name__}, got {type(value).__name__} ({value!r})")
    if isinstance(number, float) and math.isinf(number) and number != value:
        # A wider float than Python's.
        raise ValueError(f"{value!r} is outside {kind.__name__}, whose largest number is {kind._fmt.max!r}")
    if kind.__name__ == "Boolean":
        return bool(number)
    return _checked_int(kind, int(number)) if kind.is_integer else _checked_float(kind, number)


def _index(value: Any):
    """The int of an object with `__index__`, None for others. NumPy's arrays have the method and refuse."""
    try:
        return type(value).__index__(value)
    except (AttributeError, TypeError):
        return None


def _checked_int(kind: type, number: int) -> int:
    low, high = (-(1 << (kind.width - 1)), (1 << (kind.width - 1)) - 1) if kind.signed else (0, (1 << kind.width) - 1)
    if not low <= number <= high:
        wider = "" if kind.width == 64 else "; annotate the parameter with a wider type"
        raise ValueError(f"{number} does not fit {kind.__name__} ({low} to {high}){wider}")
    return number


def _checked_float(kind: type, number) -> float:
    """What `kind` holds for the number: rounded once, as the class rounds it."""
    try:
        given, held = float(number), kind(number).value
        fits = not math.isfinite(given) or math.isfinite(held)
    except OverflowError:
        given, fits = number, False
    if not fits:
        raise ValueError(f"{given!r} is outside {kind.__name__}, whose largest number is {kind._fmt.max!r}")
    return held


def stream_handle(value: Any) -> int:
    """The handle of a stream, 0 for the default one. ValueError for what is none."""
    return Stream(value).value or 0


def named_error(name: str, error: Exception) -> Exception:
    """`error` with the argument's name before its text; of a class that wants more than a text, its base among Python's own."""
    text = str(error)
    text = text if f"'{name}'" in text else f"argument '{name}': {text}"
    try:
        return type(error)(text)
    except Exception:  # of a caller's class, or one like UnicodeDecodeError
        bases = (TypeError, ValueError, OverflowError, BufferError, AttributeError)
        return next((base for base in bases if isinstance(error, base)), RuntimeError)(text)


def named(name: str, convert: Callable) -> Callable:
    """`convert` with errors that name the argument."""

    def converted(value: Any):
        try:
            return convert(value)
        except (TypeError, ValueError) as error:
            raise named_error(name, error) from None

    return converted
