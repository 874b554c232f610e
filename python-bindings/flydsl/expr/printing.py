# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`printf`, which prints from the device."""
from __future__ import annotations

import re

from .._mlir import ir
from .builders import require_trace
from .layout import AnyTensor
from .numeric import Boolean, Int32, Int64, Numeric, Uint32, is_python_number
from .vector import Vector

__all__ = ["printf"]


def _pasted(value):
    """The text of a value that is known while tracing, or None."""
    if isinstance(value, str):
        return value
    if isinstance(value, Numeric):
        return str(value.value) if value.is_static() else None
    if value is None or is_python_number(value) or isinstance(value, (ir.Type, ir.Attribute, type)):
        return value.__name__ if isinstance(value, type) else str(value)
    return None


def _printable(dtype, convert):
    """The class in which the device prints integers of class `dtype` rightly; `convert` converts to it.

    The print operation counts every integer as signed, so unsigned ones are widened (of 64 bits it shows the signed value).
    """
    if dtype is Boolean or (dtype.is_integer and not dtype.signed and dtype.width < 32):
        return convert(Int32)
    if dtype is Uint32:
        return convert(Int64)
    return convert(dtype)


def _operand(value):
    """A device value as an operand of the print operation."""
    if isinstance(value, Numeric):
        return _printable(type(value), lambda cls: cls(value)).ir_value()
    if isinstance(value, Vector):
        return _printable(value.dtype, value.to).ir_value()
    if isinstance(value, (ir.OpView, ir.Operation)):
        value = value.result
    from .atoms import CopyAtom, MmaAtom, TiledCopy, TiledMma
    if isinstance(value, (AnyTensor, CopyAtom, MmaAtom, TiledCopy, TiledMma)):
        name = type(value).__name__
        hint = "print its items, or its layout with fx.get_layout(...)" if isinstance(value, AnyTensor) else "print(...) at trace time shows its type"
        raise TypeError(f"printf: a {name} cannot be printed by the device; {hint}")
    if isinstance(value, ir.Value):
        return value
    if hasattr(value, "__extract_to_ir_values__"):
        values = value.__extract_to_ir_values__()
        if len(values) != 1:
            raise ValueError(f"printf: a {type(value).__name__} stands for {len(values)} values, expected one; print its parts")
        return _operand(values[0])
    if isinstance(value, (tuple, list, dict, set)):
        raise ValueError(f"printf: found a {type(value).__name__} of {len(value)} values, expected one value an argument; print its "
                         "items one by one")
    raise TypeError(f"printf: cannot print a {type(value).__name__}; expected a number, vector, layout value, string or type")


def _check_placeholders(format_str):
    """ValueError for a placeholder with a format or a number, which would be printed as text."""
    found = re.search(r"\{(\d*[:!][^{}]*|\d+)\}", format_str)
    if found:
        raise ValueError(f"printf: formats are not supported, found '{found[0]}' in '{format_str}'; each '{{}}' is replaced by the next argument")


def printf(*args, format_str=None):
    """Prints a line from the device, once for each thread that runs it.

    `printf(fmt, *args)` or `printf(*args, format_str=fmt)`: each `{}` in `fmt` is replaced by the next argument. What is
    known while tracing (numbers, strings, types) becomes part of the text; run-time numbers, vectors and layout values are
    printed by the device, floats with two digits after the point. Raises ValueError if the numbers of `{}` and arguments
    differ and for an argument of several values, TypeError for other objects, RuntimeError outside of a trace.
    """
    from .._mlir.dialects import fly
    if format_str is None:
        if not args:
            raise TypeError("printf: expected a format string")
        format_str, args = args[0], args[1:]
    if not isinstance(format_str, str):
        if args:
            raise TypeError(f"printf: the format must be a str, found {type(format_str).__name__}")
        format_str, args = "{}", (format_str,)
    _check_placeholders(format_str)
    pieces = format_str.split("{}")
    if len(args) != len(pieces) - 1:
        raise ValueError(f"printf: found {len(args)} arguments, expected {len(pieces) - 1}, the number of '{{}}' in '{format_str}'")
    require_trace("printf")
    text, operands = pieces[0], []
    for i, piece in enumerate(pieces[1:]):
        known = _pasted(args[i])
        if known is None:
            operands.append(_operand(args[i]))
            known = "{}"
        elif "{}" in known:
            raise ValueError(f"printf: the text '{known}' of argument {i + 1} holds '{{}}', which the device would take for a "
                             "placeholder")
        text += known + piece
    fly.print_(operands, format=text)
