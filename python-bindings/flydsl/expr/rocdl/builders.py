# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's builders of the `rocdl` dialect, taking DSL values.

Operands may be DSL numbers, vectors, pointers, raw values, or Python numbers (which become i32 or f32 constants);
result types may be DSL classes. The dialect's own module is large; it is imported when a name is first asked for.
"""

from __future__ import annotations

import functools
import inspect

from ..._mlir import ir

HEADER_OF_RESULTS = ("res", "results")


def i32_type():
    """The type i32 of the current context."""
    return ir.IntegerType.get_signless(32)


def constant(type, value):
    """A constant of an integer or float type."""
    from ..._mlir.dialects import arith

    return arith.constant(type, value)


def ir_type(dtype):
    """The IR type that a DSL class, a vector class or an IR type stands for."""
    if isinstance(dtype, ir.Type):
        return dtype
    found = getattr(dtype, "ir_type", None)
    if isinstance(found, ir.Type):
        return found
    maker = getattr(dtype, "make_type", None)
    if callable(maker):
        try:
            return maker()
        except TypeError:
            pass
    raise TypeError(f"expected a type such as fx.Float32 or T.f32, got {dtype!r}")


def value(operand, type=None):
    """`operand` as an IR value. Python numbers become constants of `type` (default i32 or f32); other values keep their
    type.
    """
    from ..meta import as_ir_value
    from ..numeric import Numeric

    if isinstance(operand, ir.Value) and not hasattr(operand, "__extract_to_ir_values__"):
        return operand
    if isinstance(operand, Numeric) and operand.is_static() and type is not None:
        operand = operand.value
    if isinstance(operand, (bool, int)) and not isinstance(operand, Numeric):
        type = i32_type() if type is None else type
        if isinstance(type, ir.IntegerType):
            _check_range(operand, type)
            # The bits count: 0xFFFFFFFF is a legal i32.
            bits = type.width
            operand = int(operand) & ((1 << bits) - 1)
            operand -= (1 << bits) if bits > 1 and operand >> (bits - 1) else 0
            return constant(type, operand)
        return constant(type, float(operand))
    if isinstance(operand, float):
        if isinstance(type, (ir.IntegerType, ir.IndexType)):
            raise TypeError(f"expected an operand of type {type}, got float ({operand})")
        return constant(ir.F32Type.get() if type is None else type, operand)
    if isinstance(operand, ir.OpView) or isinstance(operand, ir.Operation):
        return operand.results[0]
    return as_ir_value(operand)


def _check_range(number, type):
    bits = type.width
    if not -(1 << (bits - 1)) <= number < (1 << bits):
        raise ValueError(f"{number} does not fit {type}")


def i32(operand, what="operand"):
    """`operand` as an i32 value: constants, wider and narrower integers (by their sign) and `index` values are brought
    to 32 bits.
    """
    from ..._mlir.dialects import arith
    from ..numeric import Int32, Numeric

    if isinstance(operand, bool) or isinstance(operand, float):
        raise TypeError(f"{what} must be an integer, got {type(operand).__name__}")
    if isinstance(operand, Numeric) and not operand.is_static() and operand.width != 32:
        operand = Int32(operand)
    found = value(operand, i32_type())
    if isinstance(found.type, ir.IndexType):
        return arith.index_cast(i32_type(), found)
    if not isinstance(found.type, ir.IntegerType):
        raise TypeError(f"{what} must be an integer, got {found.type}")
    if found.type.width > 32:
        return arith.trunci(i32_type(), found)
    if found.type.width < 32:
        return arith.extsi(i32_type(), found)
    return found


def dsl_integer(number, cls, what="operand"):
    """A DSL integer of the class `cls` from an int, DSL or raw integer; TypeError for anything else, ValueError for a
    constant that has more bits.
    """
    from ..._mlir.dialects import arith
    from ..numeric import Numeric

    if isinstance(number, Numeric) and type(number).is_integer or isinstance(number, int) and not isinstance(number, bool):
        constant_ = number if isinstance(number, int) else number.value if number.is_static() else 0
        if not -(1 << (cls.width - 1)) <= constant_ < 1 << cls.width:
            raise ValueError(f"{what} must be an integer of {cls.width} bits, got {constant_}")
        return cls(number)
    raw = value(number) if isinstance(number, ir.Value) else None
    if raw is not None and isinstance(raw.type, ir.IndexType):
        return cls(arith.index_cast(cls.ir_type, raw))
    if raw is not None and isinstance(raw.type, ir.IntegerType):
        return cls(raw)
    raise TypeError(f"{what} must be an integer, got {type(number).__name__ if raw is None else raw.type}")


def static_int(number, what, bits=32) -> int:
    """An int known while tracing; TypeError for run-time values, ValueError for more than `bits` bits."""
    from ..numeric import Numeric

    if isinstance(number, Numeric) and number.is_static():
        number = number.value
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f"{what} must be an int known while tracing, got {type(number).__name__}")
    if not -(1 << (bits - 1)) <= number < 1 << bits:
        raise ValueError(f"{what} must be an int of {bits} bits, got {number}")
    return number


@functools.cache
def module():
    """MLIR's generated module of the dialect."""
    from ..._mlir.dialects import rocdl

    return rocdl


@functools.cache
def names() -> tuple:
    """The names of all builders and operation classes."""
    return tuple(name for name in vars(module()) if not name.startswith("_"))


def _is_operand(opview, name) -> bool:
    """True if the field `name` of an operation is an operand, as its accessor is declared."""
    first, *rest = name.split("_")
    # Builders spell names in snake case, accessors as the dialect does.
    accessor = getattr(opview, name, None) or getattr(opview, first + "".join(part.capitalize() for part in rest), None)
    if not isinstance(accessor, property) or accessor.fget is None:
        return False
    returned = accessor.fget.__annotations__.get("return")
    text = returned if isinstance(returned, str) else getattr(returned, "__name__", "") + str(returned)
    return "Value" in text or "OpOperandList" in text


@functools.cache
def _classes() -> dict:
    """Operation name to class."""
    return {cls.OPERATION_NAME: cls for cls in vars(module()).values() if isinstance(cls, type) and hasattr(cls, "OPERATION_NAME")}


def _class_of(builder):
    """The operation class that a builder function makes."""
    for name in builder.__code__.co_names:
        cls = getattr(module(), name, None)
        if isinstance(cls, type) and hasattr(cls, "OPERATION_NAME"):
            return cls
    return None


@functools.cache
def find(name: str):
    """The builder or class `name` of the dialect, None if there is none. A builder that MLIR gives a trailing
    underscore goes by its plain name too.
    """
    source = module()
    entry = getattr(source, name, None)
    underscored = getattr(source, name + "_", None)
    if inspect.isfunction(underscored):
        return _wrap(underscored, name)
    if inspect.isfunction(entry):
        return _wrap(entry, name)
    return entry


def _wrap(builder, name):
    opview = _class_of(builder)
    parameters = [p for p in inspect.signature(builder).parameters.values() if p.name not in ("loc", "ip")]
    kinds = {p.name: "type" if p.name in HEADER_OF_RESULTS else "operand" if _is_operand(opview, p.name) else "attribute" for p in parameters}
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]

    def convert(parameter, argument):
        kind = kinds.get(parameter)
        if kind == "type" and argument is not None:
            return [ir_type(entry) for entry in argument] if isinstance(argument, (list, tuple)) else ir_type(argument)
        if kind == "operand" and argument is not None:
            return [value(entry) for entry in argument] if isinstance(argument, (list, tuple)) else value(argument)
        if kind == "attribute":
            return _attribute(name, parameter, argument)
        return argument

    @functools.wraps(builder)
    def build(*arguments, **keywords):
        arguments = [convert(parameter, argument) for parameter, argument in zip(positional, arguments)] + list(arguments[len(positional):])
        return builder(*arguments, **{parameter: convert(parameter, argument) for parameter, argument in keywords.items()})

    build.__name__ = name
    build.__doc__ = f"Builds `{opview.OPERATION_NAME if opview else name}`; operands may be DSL values and Python numbers.\n\nParameters: " \
                    + ", ".join(f"{parameter} ({kind})" for parameter, kind in kinds.items())
    return build


def _attribute(name, parameter, argument):
    from ..numeric import Numeric

    if isinstance(argument, Numeric):
        if not argument.is_static():
            raise TypeError(f"rocdl.{name}: {parameter} is part of the instruction and must be known while tracing")
        return argument.value
    if isinstance(argument, ir.Value):
        raise TypeError(f"rocdl.{name}: {parameter} is part of the instruction and must be known while tracing")
    return argument
