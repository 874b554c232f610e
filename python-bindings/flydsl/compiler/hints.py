# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile hints: checked, merged, and put where the pipeline reads them."""
from __future__ import annotations

import difflib
from typing import Any

from .locations import warn

_SHOWN = ("waves_per_eu", "fast_fp_math", "unsafe_fp_math", "fastmath", "llvm_options")
# Those with an error of their own follow.
_KNOWN = _SHOWN + ("maxnreg", "ktrace", "ktrace_blocks")


def to_attribute(value: Any, what: str):
    """A Python value as an attribute: bool, int (i32), float (f32), str, list, dict, Attribute or Type."""
    from .._mlir import ir
    if isinstance(value, ir.Attribute):
        return value
    if isinstance(value, ir.Type):
        return ir.TypeAttr.get(value)
    if isinstance(value, bool):
        return ir.BoolAttr.get(value)
    if isinstance(value, int):
        if not -(1 << 31) <= value < 1 << 32:
            raise ValueError(f"{what}: {value} does not fit an i32 attribute")
        if value >= 1 << 31:
            value -= 1 << 32
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(32), value)
    if isinstance(value, float):
        return ir.FloatAttr.get(ir.F32Type.get(), value)
    if isinstance(value, str):
        return ir.StringAttr.get(value)
    if isinstance(value, (list, tuple)):
        return ir.ArrayAttr.get([to_attribute(item, what) for item in value])
    if isinstance(value, dict):
        return ir.DictAttr.get({name: to_attribute(item, what) for name, item in value.items() if item is not None})
    raise TypeError(f"{what}: expected bool, int, str, list, dict or an Attribute, got {type(value).__name__}")


def waves_per_eu_text(value: Any) -> str:
    """The hint `waves_per_eu` as the attribute's text: "min" or "min,max"; empty for 0.

    An int, a pair or a text of one or two numbers. ValueError that names the value.
    """
    wrong = ValueError(f"compile hint waves_per_eu: expected an int, (min, max) or 'min[,max]' with "
                       f"0 <= min <= max, got {value!r}")
    if isinstance(value, str):
        parts = value.split(",")
    elif isinstance(value, (tuple, list)):
        parts = list(value)
    else:
        parts = [value]
    numbers = []
    for part in parts:
        if isinstance(part, str) and part.strip().isdigit():
            part = int(part)
        if isinstance(part, bool) or not isinstance(part, int) or part < 0:
            raise wrong
        numbers.append(part)
    if len(numbers) not in (1, 2) or (len(numbers) == 2 and numbers[0] > numbers[1]):
        raise wrong
    return "" if numbers == [0] else ",".join(str(n) for n in numbers)


def llvm_options_text(options: dict) -> str:
    """The hint `llvm_options` as the text of the pipeline option `llvm-options`: "name=value;name=value".

    ValueError for a name or text that cannot stand there.
    """
    words = []
    for name, value in options.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        word = f"{name}={text}"
        if not name or "=" in name or any(c.isspace() or c in ";{}'\"" for c in word):
            raise ValueError(f"compile hint llvm_options: names and values are without spaces, quotes, braces and ';', "
                             f"got {name!r}: {value!r}")
        words.append(word)
    return ";".join(words)


def check(hints: dict) -> dict:
    """The hints that are set, checked. ValueError or TypeError that names hint and value.

    An unknown hint has no effect; a warning says so.
    """
    for name in hints:
        if not isinstance(name, str):
            raise TypeError(f"compile hints: a hint's name must be a str, got {name!r}")
        if name not in _KNOWN:
            near = difflib.get_close_matches(str(name), _KNOWN, 1)
            warn(f"compile hint {name!r} is not known and has no effect; " +
                          (f"did you mean '{near[0]}'?" if near else f"known are {', '.join(_SHOWN)}"))
    hints = {name: value for name, value in hints.items() if value is not None}
    if "maxnreg" in hints:
        raise ValueError("compile hint maxnreg: a register limit has never had an effect on AMD chips; use "
                         "waves_per_eu, which bounds the registers through the occupancy")
    if "waves_per_eu" in hints:
        waves_per_eu_text(hints["waves_per_eu"])
    for name in ("fast_fp_math", "unsafe_fp_math"):
        if name in hints and not isinstance(hints[name], (bool, int)):
            raise TypeError(f"compile hint {name}: expected a bool, got {type(hints[name]).__name__}")
    if "fastmath" in hints:
        from ..expr.meta import fastmath_mask
        fastmath_mask(hints["fastmath"], "compile hint fastmath")
    options = hints.get("llvm_options")
    if options is not None:
        if not isinstance(options, dict):
            raise TypeError(f"compile hint llvm_options: expected a dict, got {type(options).__name__}")
        for name, value in options.items():
            if not isinstance(name, str) or not isinstance(value, (bool, int, str)):
                raise TypeError(f"compile hint llvm_options: expected names with bool, int or str, got "
                                f"{name!r}: {value!r}")
        from ..runtime import native
        try:
            native.module().check_llvm_options(llvm_options_text(options))
        except ValueError as error:
            raise ValueError(str(error) if str(error).startswith("compile hint") else f"compile hint llvm_options: {error}") from None
    if hints.get("ktrace") or hints.get("ktrace_blocks"):
        raise NotImplementedError("compile hint ktrace: tracing inside kernels (ktrace) is not supported yet")
    return hints


def fast_math(hints: dict):
    """The fast-math flags that the hints ask of every traced float operation, or None."""
    flags = hints.get("fastmath")
    if flags is None:
        return "fast" if hints.get("fast_fp_math") else None
    return flags


def signature(hints: dict):
    """The hints as a hashable object."""
    return tuple((name, repr(hints[name])) for name in sorted(hints))


def attach_to_kernels(module, hints: dict) -> None:
    """Puts the hints that are attributes of kernels on the kernels of a traced module."""
    text = waves_per_eu_text(hints["waves_per_eu"]) if "waves_per_eu" in hints else ""
    if not text:
        return
    from .._mlir import ir
    name = "rocdl.waves_per_eu"
    with module.context:
        # Whether the chip has as many is checked by the pipeline.
        attribute = to_attribute(text if "," in text else int(text), "waves_per_eu")
        for op in module.body.operations:
            if op.operation.name != "gpu.module":
                continue
            for func in op.operation.regions[0].blocks[0].operations:
                if func.operation.name == "gpu.func" and name not in func.operation.attributes:
                    func.operation.attributes[name] = attribute
