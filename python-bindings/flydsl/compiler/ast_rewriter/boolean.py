# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`and`, `or`, `not`, comparisons, `assert` and `print` on values that may be traced."""
from __future__ import annotations

import builtins
import operator
from types import FunctionType

from . import values
from .branch import Branch, condition
from .scope import note
from .state import Snapshot, slots_of
from .values import is_dynamic

# Operations without effects that may run although Python would skip them. Divisions are not among them.
_HARMLESS = {
    "arith", "math", "index", "complex"
}
_HARMFUL = {
    "arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui"
}
_ALSO_HARMLESS = {
    "vector.extract", "vector.insert", "vector.broadcast", "vector.from_elements", "vector.to_elements", "vector.bitcast",
    "vector.shuffle", "vector.shape_cast", "gpu.thread_id", "gpu.block_id", "gpu.block_dim", "gpu.grid_dim", "gpu.lane_id",
    "gpu.subgroup_id", "fly.make_int_tuple", "fly.get_scalar", "fly.get", "fly.elem_less", "fly.get_leaves",
    "fly.int_tuple_add", "fly.int_tuple_sub", "fly.int_tuple_mul", "fly.size", "fly.get_shape", "fly.get_stride",
    "fly.get_layout", "fly.make_layout", "fly.make_coord", "fly.make_shape", "fly.make_stride", "fly.static",
    "fly.equal", "fly.select"
}


def _harmless(op) -> bool:
    name = op.operation.name
    return (name.partition(".")[0] in _HARMLESS and name not in _HARMFUL) or name in _ALSO_HARMLESS


def _value(operand):
    return operand() if isinstance(operand, FunctionType) and operand.__code__.co_argcount == 0 else operand


def _truth(value):
    """A value as a Boolean of the DSL, or a bool."""
    n = values.numeric()
    if not is_dynamic(value):
        return bool(value)
    return value if type(value) is n.Boolean else n.Boolean(condition(value))


def _logic(left, rights, test, stops):
    """`and` (stops is False) and `or` (stops is True) from left to right."""
    for right in rights:
        if not is_dynamic(left):
            # Python's own rule, for any object.
            if bool(left) is stops:
                return left
            left = _value(right)
            continue
        left = _dynamic_logic(left, right, test, stops)
    return left


def _dynamic_logic(left, right, test, stops):
    n = values.numeric()
    name = "or" if stops else "and"
    flag = _truth(left)
    plain = test or type(left) is n.Boolean or not values.is_numeric(left)
    if not isinstance(right, FunctionType):
        return _combine(flag, _truth(right), stops) if plain else _select(flag, left, right, stops, name)
    harmless, found = _trial(right)
    if harmless:
        if plain and (test or _is_boolean(found)):
            return _combine(flag, _truth(found), stops)
        return _select(flag, left, found, stops, name)
    # The right side must not run where the left one decides.
    label = f"right side of `{name}`"
    branch = Branch(slots_of([right]), (), (label, label), fill=True)
    if plain:
        take = (lambda: _truth(right())), (lambda: n.Boolean(stops))
    else:
        take = right, (lambda: left)
    return branch.run(flag, take[1], take[0], result=True) if stops else branch.run(flag, take[0], take[1], result=True)


def _is_boolean(value) -> bool:
    if isinstance(value, bool) or type(value) is values.numeric().Boolean:
        return True
    raw = value if isinstance(value, values.ir().Value) else getattr(value, "value", None)
    return isinstance(raw, values.ir().Value) and str(raw.type) == "i1"


def _trial(right):
    """Traces the right operand. Keeps it, and returns True and its value, if it may run in any case."""
    ir = values.ir()
    before = Snapshot(slots_of([right]))
    # A region of its own marks what is new.
    marker = ir.Operation.create("scf.execute_region", regions=1)
    block = ir.Block.create_at_start(marker.regions[0], [])
    with ir.InsertionPoint(block):
        found = right()
    ops = list(block.operations)
    if all(_harmless(op) for op in ops) and not before.changed():
        for op in ops:
            op.operation.move_before(marker)
        marker.erase()
        return True, found
    before.restore()
    marker.erase()
    return False, None


def _combine(a, b, stops):
    """The Boolean of two truths of which the first is traced."""
    n = values.numeric()
    if not is_dynamic(b):
        return (n.Boolean(True) if b else a) if stops else (a if b else n.Boolean(False))
    return a | b if stops else a & b


def _select(flag, left, right, stops, name):
    """Python's value of `left and right` for numbers: one of the two."""
    n = values.numeric()
    if not (values.is_numeric(right) or values.is_number(right) or isinstance(right, values.ir().Value)):
        raise TypeError(f"`{name}` of a run-time {type(left).__name__} and {values.describe(right)}: the value would be one of "
                        "them\nhint: write a ternary with values of one type")
    right = n.as_numeric(right)
    left = n.as_numeric(left) if not values.is_numeric(left) else left
    return flag.select(left, right) if stops else flag.select(right, left)


def dsl_and_(left, *rights, test=False):
    """`left and right and ...`. An operand may be a function without parameters: then it is evaluated only if needed.

    Static operands follow Python. A traced one makes an `arith.andi`, or an
    `scf.if` if the right side has effects or could fail. With `test` only the
    truth of the result matters; else it is one of the operands, as in Python.
    """
    return _logic(_value(left), rights, test, stops=False)


def dsl_or_(left, *rights, test=False):
    """`left or right or ...`; see `dsl_and_`."""
    return _logic(_value(left), rights, test, stops=True)


def dsl_not_(value):
    """`not value`: a bool, or a Boolean for a traced value."""
    if not is_dynamic(value):
        return not value
    method = getattr(type(value), "__dsl_not__", None)
    if method is not None:
        return method(value)
    truth = _truth(value)
    return ~truth


_COMPARE = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "is": operator.is_, "is not": operator.is_not, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b
}


def dsl_compare_(operators, first, second, *rest):
    """`first < second < third ...`; every operand is evaluated once, later ones only if needed."""
    def rest_of(index, left, right):
        answer = _COMPARE[operators[index]](left, right)
        if index + 1 == len(operators):
            return answer
        return dsl_and_(answer, lambda: rest_of(index + 1, right, _value(rest[index])))

    return rest_of(0, first, second)


def scf_set_any_(*flags):
    """True, or a Boolean, if any of the flags is set."""
    result = False
    for flag in flags:
        if not is_dynamic(flag):
            if flag:
                return True
        else:
            result = flag if result is False else result | flag
    return result


def scf_clear_(*flags):
    """The opposite of `scf_set_any_`."""
    return dsl_not_(scf_set_any_(*flags))


def scf_set_(*flags) -> bool:
    """True if one of the flags is set and static."""
    return any(not is_dynamic(f) and bool(f) for f in flags)


def dsl_static_test_(value):
    """The condition of a comprehension."""
    if is_dynamic(value):
        raise TypeError("the condition of a comprehension is a dynamic value: which items there are must be known at trace "
                        "time\nhint: write a `for` loop with an `if`, or select values with a ternary")
    return value


def dsl_plain_range_(function, *arguments):
    """A `range(...)` that is not the iterable of a `for` statement: Python's own, with a hint if a bound is dynamic."""
    try:
        return function(*arguments)
    except (RuntimeError, TypeError) as error:
        if any(is_dynamic(a) for a in arguments):
            note(error, "hint: only `for i in range(...)` as a statement takes run-time bounds; in a comprehension or a call, "
                 "range() is Python's own")
        raise


# assert and print -------------------------------------------------------------------------------------------------------


def dsl_assert_(test, message, text):
    """`assert test, message`: at trace time for a static test, else on the device.

    text: the source of the test, for the report of a device assertion.
    """
    if not is_dynamic(test):
        if not test:
            if message is None:
                raise AssertionError(text)
            raise AssertionError(_value(message))
        return
    from ..._mlir.dialects import cf
    said = _value(message) if message is not None else None
    if said is not None and is_dynamic(said):
        raise TypeError("the message of a run-time assert must be a static string\nhint: fx.printf prints run-time values")
    cf.AssertOp(condition(test), text if said is None else str(said))


class _Format:
    """An f-string whose run-time parts are kept."""

    def __init__(self, parts):
        self.parts = parts

    def __str__(self):
        return "".join(p if isinstance(p, str) else _static_text(*p) for p in self.parts)


def _static_text(value, conversion, spec):
    value = {"r": repr, "s": str, "a": ascii, "": lambda v: v}[conversion](value)
    return format(value, spec)


def dsl_format_(*parts):
    """The f-string argument of `print`: strings and (value, conversion, format)."""
    return _Format(parts)


def _on_device(value) -> bool:
    """True for a run-time value that the device can print; a tensor or an atom is shown at trace time, by its type."""
    if not is_dynamic(value):
        return False
    from ...expr.atoms import CopyAtom, MmaAtom, TiledCopy, TiledMma
    from ...expr.layout import AnyTensor
    return not isinstance(value, (AnyTensor, CopyAtom, MmaAtom, TiledCopy, TiledMma))


def _kernel_runs() -> bool:
    from ..kernel_function import KernelFunction
    return KernelFunction.get_current() is not None


def dsl_print_(function, *arguments, **keywords):
    """`print(...)`: on the device if an argument is a run-time value of a kernel, else at trace time."""
    parts = [p for a in arguments for p in (a.parts if isinstance(a, _Format) else [(a, "", "")])]
    traced = any(not isinstance(p, str) and _on_device(p[0]) for p in parts)
    if function is not builtins.print or not traced or not _kernel_runs():
        return function(*[str(a) if isinstance(a, _Format) else a for a in arguments], **keywords)
    unknown = set(keywords) - {"sep", "end", "flush"}
    if unknown:
        raise TypeError(f"print() of a run-time value has no keyword {sorted(unknown)}\nhint: it has sep and end")
    separator, end = keywords.get("sep"), keywords.get("end")
    separator, end = " " if separator is None else separator, "\n" if end is None else end
    if end != "\n":
        raise ValueError(f"print() of a run-time value: found end={end!r}, expected '\\n': the device ends each line itself\n"
                         "hint: print what belongs on one line in one call")
    text, given = [], []

    def literal(part):
        text.append("{}")
        given.append(str(part))

    for number, argument in enumerate(arguments):
        if number:
            literal(separator)
        for part in argument.parts if isinstance(argument, _Format) else [(argument, "", "")]:
            if isinstance(part, str):
                literal(part)
            elif _on_device(part[0]):
                if part[1] in ("r", "a") or part[2]:
                    raise TypeError("print() of a run-time value takes no conversion and no format\n"
                                    f"hint: print the value plainly, without {'!' + part[1] if part[1] else ':' + part[2]}")
                text.append("{}")
                given.append(part[0])
            else:
                literal(_static_text(*part))
    from ...expr.printing import printf
    return printf("".join(text), *given)
