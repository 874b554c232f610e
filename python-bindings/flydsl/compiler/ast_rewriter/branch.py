# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches on run-time conditions: both sides are traced, what they change is merged."""
from __future__ import annotations

import contextlib
import dis
import weakref

from ..locations import is_user_file
from . import alias, carry, literals, values
from .forms import FLAGS, RETURN_VALUE
from .literals import Mismatch
from .scope import guarded, line_of_caller, note_reason
from .state import Entry, Snapshot, differs, put, same_keys
from .values import UNBOUND


def condition(value):
    """A dynamic value as an i1."""
    ir, n = values.ir(), values.numeric()
    value = values.as_scalar(value)
    if not values.is_numeric(value):
        raw = value if isinstance(value, ir.Value) else value.value
        if isinstance(raw.type, ir.IntegerType) and raw.type.width == 1:
            return raw
        if isinstance(raw.type, (ir.VectorType, ir.ShapedType)) or not isinstance(
                raw.type, (ir.IntegerType, ir.IndexType, ir.FloatType)):
            raise TypeError(f"a condition must be a scalar number, got {raw.type}\n"
                            "hint: reduce it, or compare its items one by one")
        value = n.as_numeric(raw)
    return value.ir_value() if type(value) is n.Boolean else n.Boolean(value).ir_value()


def mismatch(label, relation, error) -> TypeError:
    """The error of a variable whose values cannot be one."""
    hint = f"\nhint: {error.hint}" if error.hint else ""
    if error.path == RETURN_VALUE or error.path.startswith(RETURN_VALUE):
        if "None" in error.text:
            return TypeError("the function returns a value on some paths only, and a run-time condition decides which: "
                             f"{error.text}\nhint: return a value of one type on every path, also at the end")
        return TypeError(f"the values that the function returns differ in type: {error.text}{hint}")
    if not error.path:
        return TypeError(f"{label} does not match {relation}: {error.text}{hint}")
    if "None" in error.text and "container" not in error.text:
        return TypeError(
            f"{label}: carried variable '{error.path}' is None on one side: {error.text}; None cannot be yielded from a "
            "region that a run-time condition decides about\n"
            "hint: initialise the variable with a value of its type, e.g. fx.Int32(0), compute it before, or make the condition "
            "static with const_expr(...)")
    return TypeError(f"{label}: carried variable '{error.path}' does not match {relation}: {error.text}{hint}")


def keeps_shape(kind) -> str:
    """The hint for a container that a region makes longer or shorter."""
    if kind == "list":
        return "a list keeps its length"
    if kind == "object":
        return "an object keeps its attributes; set them before"
    return f"a {kind} keeps its {'length and keys' if kind == 'dict' else 'contents'}; a memo of trace-time values is filled before, or is a " \
        "function with functools.cache"


def array_changed(label, path, container) -> TypeError:
    """The error of a container of plain data that a region changes."""
    if values.kind_of(container) == "opaque":
        return TypeError(f"{label}: carried variable '{path}' is a {type(container).__name__}, whose state cannot depend on a "
                         "run-time condition\nhint: advance it outside, or keep what it holds in a list or a tensor")
    return TypeError(f"{label}: carried variable '{path}' is a {type(container).__name__}, whose contents cannot depend on "
                     "a run-time condition\nhint: keep the values in a list, or in a tensor (fx.make_rmem_tensor)")


class _Pending:
    """A variable, item or result that gets its value from the region."""

    def __init__(self, place, shape, a, b, partial):
        self.place, self.shape, self.a, self.b, self.partial = place, shape, a, b, partial

    @property
    def leaves(self):
        """(type, value on one side, value on the other) of the leaves that differ."""
        equal = values.ir().Value.__eq__
        return [(t, x, y) for t, x, y in zip(self.shape.types, self.a, self.b) if not equal(x, y)]

    def finish(self, results):
        """Takes its part of the results of the region."""
        equal = values.ir().Value.__eq__
        value = self.shape.build(iter([x if equal(x, y) else next(results) for x, y in zip(self.a, self.b)]))
        if self.partial:
            try:
                _partial[id(value)] = weakref.ref(value, lambda _, key=id(value): _partial.pop(key, None))
            except TypeError:  # A list has no weak references.
                _partial[id(value)] = lambda: value
        self.place.set(value)


# Values that are arbitrary where a side of a branch was left early. They must not survive a loop.
_partial: dict = {}


def is_partial(value) -> bool:
    """True for a variable that has a value only where no `break` or `continue` was met."""
    found = _partial.get(id(value))
    return found is not None and found() is value


@contextlib.contextmanager
def _explain_raise():
    """Around a side of a branch: a `raise` of the user happens while tracing, whatever the condition will be."""
    try:
        yield
    except Exception as error:
        tb = error.__traceback__
        while tb.tb_next is not None:
            tb = tb.tb_next
        code = tb.tb_frame.f_code
        if is_user_file(code.co_filename) and code.co_code[tb.tb_lasti] == dis.opmap["RAISE_VARARGS"] and hasattr(error, "add_note") \
                and _RAISED not in getattr(error, "__notes__", ()):
            error.add_note(_RAISED)
        raise


_RAISED = ("hint: a `raise` under a run-time condition is raised while tracing, whatever the condition is later; use "
           "`assert condition, \"message\"` for a check on the device")


class Result:
    """The place of the value of an expression."""

    name = ""

    def __init__(self):
        self.value = None

    def set(self, value):
        self.value = value


class Branch:
    """One `scf.if` in the making.

    slots: variables that the sides may change. dead: names nobody reads later.
    fill: a variable that one side assigns first is read only where that side was
    taken (`a and (x := b) and f(x)`).
    """

    def __init__(self, slots, dead=(), labels=("then-branch", "else-branch"), fill=False):
        self.slots, self.dead, self.labels, self.fill = slots, frozenset(dead), labels, fill
        # What became of pairs of containers, so that two variables that hold one container still do.
        self.memo = {}
        self.pending = []

    @guarded
    def run(self, cond, then_fn, else_fn, result=False):
        """Traces both sides. With `result` returns the merged return value of the two functions."""
        ir = values.ir()
        self.before = before = Snapshot(self.slots)
        op = ir.Operation.create("scf.if", operands=[condition(cond)], regions=2)
        self.op, self.then_block, self.else_block = op, ir.Block.create_at_start(op.regions[0], []), None
        with ir.InsertionPoint(self.then_block), _explain_raise():
            then_result = then_fn()
            alias.scf_check_()
        self.a = before.again()
        before.restore()
        self.b, else_result = before, None
        if else_fn is not None:
            with ir.InsertionPoint(self._else()), _explain_raise():
                else_result = else_fn()
                alias.scf_check_()
            self.b = before.again()
            before.restore()
        merged = Result()
        if result:
            self._merge(merged, UNBOUND, then_result, else_result, "")
        self._variables()
        self._containers()
        self._finish()
        alias.join([(shape.built, shape.sources) for memo in self.memo.values() for shape in memo.values()])
        return merged.value

    def _else(self):
        if self.else_block is None:
            self.else_block = values.ir().Block.create_at_start(self.op.regions[1], [])
        return self.else_block

    # Merging ----------------------------------------------------------------------------------------------------------

    def _variables(self):
        for slot, old, a, b in zip(self.slots, self.before.values, self.a.values, self.b.values):
            if a is b:
                if a is not old:
                    slot.set(a)
            elif slot.name in self.dead:
                slot.set(UNBOUND)
                note_reason(slot.name, "its value of an earlier branch was of no use later")
            elif (a is UNBOUND or b is UNBOUND) and slot.name != RETURN_VALUE:
                if (self.fill or self._left(self.a if a is UNBOUND else self.b)) and self._fill(slot, a, b, slot.name, partial=True):
                    continue
                slot.set(UNBOUND)
                note_reason(slot.name, f"it is assigned only in one branch of the run-time condition in line "
                            f"{line_of_caller()}; assign it before, or in both branches")
            else:
                self._merge(slot, old, a, b, slot.name)

    def _containers(self):
        for key, (container, kind, old) in self.before.containers.items():
            a, b = self.a.containers[key][2], self.b.containers[key][2]
            if kind == "opaque":
                if differs(a, old) or differs(b, old):
                    raise array_changed(self.labels[0], self.before.path(key), container)
                continue
            if not differs(a, b):
                if differs(a, old):
                    put(container, kind, a)
                continue
            path = self.before.path(key)
            if kind == "array":
                raise array_changed(self.labels[0], path, container)
            if kind == "set" or (not same_keys(a, b) if isinstance(a, dict) else len(a) != len(b)):
                raise TypeError(f"{self.labels[0]}: carried variable '{path}' changed container shape: "
                                f"{len(a)} items against {len(b)}\nhint: {keeps_shape(kind)} in what a run-time condition "
                                "decides about")
            for (item, x), (_, y) in zip(values.items(a), [(k, b[k]) for k, _ in values.items(a)]):
                entry = Entry(container, kind, item, values.step(path, kind, item))
                before = old[item] if (item in old if isinstance(old, dict) else item < len(old)) else UNBOUND
                if x is y:
                    entry.set(x)
                else:
                    self._merge(entry, before, x, y, entry.name)

    def _merge(self, place, old, a, b, path):
        """Plans what `place` becomes; `a` and `b` are its values at the end of the two sides."""
        if values.same(a, b) and not values.kind_of(a):
            place.set(a)
            return
        if a is UNBOUND or b is UNBOUND:
            self._fill(place, a, b, path)
            return
        look_a, look_b = self.a.contents, self.b.contents
        if b is old and old is not UNBOUND:
            label, relation, expected, produced = self.labels[0], "the region entry", (b, look_b), (a, look_a)
        elif a is old and old is not UNBOUND:
            label, relation, expected, produced = self.labels[1], "the region entry", (a, look_a), (b, look_b)
        else:
            label, relation, expected, produced = self.labels[1], "the " + self.labels[0].split(" ")[-1], (a, look_a), \
                (b, look_b)
        try:
            shape = carry.unify(expected[0], produced[0], path, expected[1], produced[1],
                                self.memo.setdefault(expected[0] is a, {}))
            first = self._flatten(shape, a, path, look_a, then=True) if expected[0] is a else None
            second = self._flatten(shape, b, path, look_b, then=False)
            first = first if first is not None else self._flatten(shape, a, path, look_a, then=True)
        except Mismatch as error:
            raise mismatch(label, relation, error) from None
        self.pending.append(_Pending(place, shape, first, second, is_partial(a) or is_partial(b)))

    def _flatten(self, shape, value, path, look, then):
        with values.ir().InsertionPoint(self.then_block if then else self._else()):
            return shape.flatten(value, path, look)

    def _left(self, side):
        """True if a side ends with `return`, `break` or `continue`: what follows does not run for it."""
        return any(value is True and slot.name.startswith(FLAGS) for slot, value in zip(self.slots, side.values))

    def _fill(self, place, a, b, path, partial=False):
        """One side sets a value that is not read where the other side was taken; any value will do there."""
        given, look = (a, self.a.contents) if a is not UNBOUND else (b, self.b.contents)
        if id(given) in self.before.containers:
            # It was there before, so it holds what is merged into it.
            place.set(given)
            return True
        shape = carry.shape_of(given, path, look)
        try:
            first = self._flatten(shape, given, path, look, then=a is not UNBOUND)
            with values.ir().InsertionPoint(self._else() if a is not UNBOUND else self.then_block):
                second = literals.filler(shape.types, path)
        except Mismatch as error:
            if partial:
                return False
            raise TypeError(f"`return` under a run-time condition: {error.text}\nhint: return the value in every branch of "
                            "the last `if`, or store it before") from None
        if a is UNBOUND:
            first, second = second, first
        self.pending.append(_Pending(place, shape, first, second, partial))
        return True

    # The operation ----------------------------------------------------------------------------------------------------

    def _finish(self):
        ir = values.ir()
        from ..._mlir.dialects import scf
        leaves = [leaf for p in self.pending for leaf in p.leaves]
        types = [t for t, _, _ in leaves]
        op = self.op
        if types:
            self._else()
        then_empty = next(iter(self.then_block.operations), None) is None
        else_empty = self.else_block is None or next(iter(self.else_block.operations), None) is None
        if not types and then_empty and else_empty:
            for p in self.pending:
                p.finish(iter(()))
            op.erase()
            return
        with ir.InsertionPoint(self.then_block):
            scf.YieldOp([a for _, a, _ in leaves])
        if types or not else_empty:
            with ir.InsertionPoint(self.else_block):
                scf.YieldOp([b for _, _, b in leaves])
        elif self.else_block is not None:
            # An `else` that traces to nothing is no region.
            new = ir.Operation.create("scf.if", operands=[op.operands[0]], regions=2)
            self.then_block.append_to(new.regions[0])
            op.erase()
            return
        if types:
            new = ir.Operation.create("scf.if", results=types, operands=[op.operands[0]], regions=2)
            self.then_block.append_to(new.regions[0])
            self.else_block.append_to(new.regions[1])
            op.erase()
            results = iter(list(new.results))
        else:
            results = iter(())
        for p in self.pending:
            p.finish(results)
