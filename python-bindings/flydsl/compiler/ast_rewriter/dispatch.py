# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What rewritten code calls: `scf_if_dispatch` and its kin.

They take plain Python functions, and decide at trace time: a static condition
runs Python, a dynamic one makes a region. A body's variables are found through
its closure. For use by hand there is a second form: with `result_names` and
`result_values`, a body gets the names and the values and returns a dict of the
new values; the dispatch function returns what they are afterwards, one value or
a tuple.
"""
from __future__ import annotations

from types import CellType

from . import values
from .boolean import dsl_and_, dsl_not_
from .bounds import Bounds, annotation
from .branch import Branch
from .loop import For
from .scope import note_reason
from .state import Slot, slots_of
from .values import UNBOUND, is_dynamic
from .while_loop import While


def _own(functions, slots) -> dict:
    """The variables of the functions themselves, by name."""
    by_key = {s.key: s for s in slots}
    return {name: by_key[id(cell)] for f in functions if f is not None
            for name, cell in zip(f.__code__.co_freevars, f.__closure__ or ())}


class _Named:
    """The variables of the form with names and values. Variables that `functions` share are saved and put back, too."""

    def __init__(self, names, given, functions=(), legacy=False):
        names = tuple(names)
        if len(names) != len(tuple(given)):
            raise ValueError(f"expected a value for each of {names}, got {len(tuple(given))}")
        self.names, self.legacy = names, legacy
        self.slots = [Slot(n, CellType(v)) for n, v in zip(names, given)]
        self.own = dict(zip(names, self.slots))
        self.reach = self.slots + slots_of(functions)

    def call(self, func, *first):
        arguments = [s.get() for s in self.slots]
        changed = func(*arguments) if self.legacy else func(*first, self.names, *arguments)
        for name, value in (changed or {}).items():
            if name in self.own:
                self.own[name].set(value)
        return changed

    def refuse_none(self, label):
        empty = [s.name for s in self.slots if s.get() is None]
        if empty:
            raise TypeError(f"{label}: {', '.join(map(repr, empty))} is None before a run-time construct; None cannot be "
                            "yielded\nhint: initialise it, e.g. with fx.Int32(0), or use const_expr(...)")

    def result(self):
        found = tuple(None if s.get() is UNBOUND else s.get() for s in self.slots)
        return None if not found else found[0] if len(found) == 1 else found


# if -------------------------------------------------------------------------------------------------------------------


def scf_if_dispatch(cond, then_fn, else_fn=None, *, dead=(), result_names=None, result_values=(), state_names=None,
                    state_values=()):
    """Runs one of two functions, or traces both into an `scf.if`.

    cond: static (its truth decides now) or dynamic (a traced scalar). dead:
    variables that need no value afterwards. Raises TypeError if a variable's
    two values cannot be one: different types, containers of different shapes,
    or objects that only Python knows.
    """
    if result_names is not None or state_names is not None:
        names, given = (result_names, result_values) if result_names is not None else (state_names, state_values)
        state = _Named(names, given, legacy=result_names is None)
        if is_dynamic(cond):
            state.refuse_none("then-branch")
            Branch(state.reach, dead).run(cond, lambda: state.call(then_fn),
                                          (lambda: state.call(else_fn)) if else_fn is not None else None)
        elif cond or else_fn is not None:
            state.call(then_fn if cond else else_fn)
        return state.result()
    if not is_dynamic(cond):
        if cond:
            then_fn()
        elif else_fn is not None:
            else_fn()
        return None
    Branch(slots_of([then_fn, else_fn]), dead).run(cond, then_fn, else_fn)
    return None


def scf_ifexp_dispatch(cond, then_fn, else_fn):
    """`then_fn() if cond else else_fn()`; a dynamic `cond` makes an `scf.if` with the value as its result."""
    if not is_dynamic(cond):
        return then_fn() if cond else else_fn()
    branch = Branch(slots_of([then_fn, else_fn]), (), ("dynamic ifexp then-branch", "dynamic ifexp else-branch"))
    return branch.run(cond, then_fn, else_fn, result=True)


# for ------------------------------------------------------------------------------------------------------------------


def scf_bounds_(*arguments):
    """start, stop and step of `range(*arguments)`."""
    if not 1 <= len(arguments) <= 3:
        raise TypeError(f"range expected 1 to 3 arguments, got {len(arguments)}")
    if len(arguments) == 1:
        return (0, arguments[0], 1)
    return arguments if len(arguments) == 3 else arguments + (1,)


def scf_for_dispatch(start, stop, step, body_fn, *, carried=(), results=(), dead=(), changed=(), stop_when=None,
                     unroll=-1, unroll_full=False, result_names=None, result_values=()):
    """`for i in range(start, stop, step): body_fn(i)` as an `scf.for`; as an `scf.while` if it can be left.

    start, stop, step: ints or traced integers; the loop variable is Int32, or
    Int64 if one of them needs it. A negative step counts down; a step that is
    known at run time only is followed in either direction. unroll, unroll_full:
    hints for LLVM. stop_when: says that a `break` or `return` was met. Raises
    TypeError for bounds of another type and for variables that cannot be
    carried, ValueError for a step of zero.
    """
    attributes = annotation(unroll, unroll_full)
    if result_names is not None:
        state = _Named(result_names, result_values)
        state.refuse_none("for-body")
        bounds = Bounds(start, stop, step)
        For(bounds.values, lambda k: state.call(body_fn, bounds.index(bounds.cls(k))), attributes, slots=state.reach,
            own=state.own, carried=state.names, certain=bounds.certain).run()
        return state.result()
    bounds = Bounds(start, stop, step)
    slots = slots_of([body_fn, stop_when])
    keywords = dict(own=_own([body_fn, stop_when], slots), carried=carried, results=results, dead=dead, changed=changed,
                    certain=bounds.certain)
    if stop_when is None:
        For(bounds.values, lambda k: body_fn(bounds.index(bounds.cls(k))), attributes, slots=slots, **keywords).run()
    else:
        _leaving_for(bounds, body_fn, stop_when, slots, attributes, keywords)
    return None


def _leaving_for(bounds, body_fn, stop_when, slots, attributes, keywords):
    """A loop with `break` or `return`: the counter is one more carried variable."""
    first, last, step = (bounds.cls(v) for v in bounds.values)
    counter = Slot("range()", CellType(first))

    def test():
        return dsl_and_(dsl_not_(stop_when()), lambda: counter.get() < last, test=True)

    def body():
        k = counter.get()
        body_fn(bounds.index(k))
        counter.set(k + step)

    keywords["own"]["range()"] = counter
    keywords["carried"] = ("range()",) + tuple(keywords["carried"])
    slots.insert(0, counter)
    loop = While(test, body, attributes, slots=slots, **keywords)
    loop.label = "for-body"
    loop.run()


# while ----------------------------------------------------------------------------------------------------------------


def scf_while_dispatch(test_fn, body_fn, *, carried=(), results=(), dead=(), changed=(), stop_when=None, constant=None,
                       result_names=None, result_values=()):
    """`while test_fn(): body_fn()` as an `scf.while`.

    A condition that depends on nothing the loop carries is static, and Python
    runs the loop. stop_when: says that a `break` or `return` was met. constant:
    the condition if it is a literal.
    """
    if result_names is not None:
        state = _Named(result_names, result_values, [test_fn, body_fn])

        def test():
            answer = test_fn(state.names, *[s.get() for s in state.slots])
            if is_dynamic(answer):
                state.refuse_none("while-body")
            return answer

        While(test, lambda: state.call(body_fn), slots=state.reach, own=state.own, carried=state.names).run()
        return state.result()
    functions = [test_fn, body_fn, stop_when]
    slots = slots_of(functions)
    test = test_fn
    if stop_when is not None:
        def test():
            return dsl_and_(dsl_not_(stop_when()), test_fn, test=True)
    While(test, body_fn, endless=bool(constant) and stop_when is None, slots=slots, own=_own(functions, slots),
          carried=carried, results=results, dead=dead, changed=changed,
          certain=bool(constant)).run()
    return None


# range(..., init=) ----------------------------------------------------------------------------------------------------

_open_loops: list = []


def scf_range(start, stop=None, step=None, *, init=None, unroll=-1, unroll_full=False):
    """The explicit loop: yields `(i, state)` once, inside an `scf.for` over `index`.

    init: values that the loop carries; `state` is the list of their raw IR
    values. The body ends with `yield [...]`, one value for each.
    """
    from ..._mlir.dialects import arith, scf
    ir, n = values.ir(), values.numeric()
    if stop is None:
        start, stop = 0, start
    step = 1 if step is None else step

    def index(value):
        value = values.as_scalar(value)
        if not is_dynamic(value):
            value = value.value if values.is_numeric(value) else value
            return arith.ConstantOp(ir.IndexType.get(), ir.IntegerAttr.get(ir.IndexType.get(), int(value))).result
        raw = value if isinstance(value, ir.Value) and not values.is_numeric(value) else value.ir_value() \
            if values.is_numeric(value) else value.value
        return raw if isinstance(raw.type, ir.IndexType) else arith.IndexCastOp(ir.IndexType.get(), raw).result

    def raw(value):
        if isinstance(value, ir.Value) and not values.is_dsl(value):
            return [value]
        if values.is_number(value):
            return [n.as_numeric(value).ir_value()]
        from ..protocol import extract_to_ir_values
        return [value.ir_value()] if values.is_numeric(value) else extract_to_ir_values(value)

    if not is_dynamic(step):
        size = step.value if values.is_numeric(step) else step
        if size <= 0:
            raise ValueError(f"range(..., init=): the step must be above zero, got {size}")
    bounds = [index(v) for v in (start, stop, step)]
    inits = [v for item in (init or []) for v in raw(item)]
    attributes = annotation(unroll, unroll_full)
    op = scf.ForOp(*bounds, inits)
    for key, value in attributes.items():
        op.operation.attributes[key] = value
    loop = _Explicit(op, raw)
    _open_loops.append(loop)
    try:
        with ir.InsertionPoint(op.body):
            yield op.induction_variable, list(op.inner_iter_args)
            loop.close()
    finally:
        _open_loops.remove(loop)


class _Explicit:
    """A `range(..., init=)` loop whose body is being traced."""

    def __init__(self, op, raw):
        self.op, self.raw, self.done = op, raw, False

    def end(self, given):
        from ..._mlir.dialects import scf
        items = given if isinstance(given, (list, tuple)) else [] if given is None else [given]
        leaves = [v for item in items for v in self.raw(item)]
        expected = [v.type for v in self.op.inner_iter_args]
        if [v.type for v in leaves] != expected:
            raise TypeError(f"yield in a `range(..., init=)` loop: expected {len(expected)} values of types "
                            f"{values.type_list(expected)}, produced {values.type_list([v.type for v in leaves])}")
        if self.done:
            raise TypeError("a `range(..., init=)` loop must have one `yield`, at the end of its body")
        scf.YieldOp(leaves)
        self.done = True
        found = list(self.op.results)
        return found[0] if len(found) == 1 else found

    def close(self):
        last = None
        for last in self.op.body.operations:
            pass
        if last is None or last.operation.name != "scf.yield":
            if len(self.op.inner_iter_args):
                raise TypeError("the body of a `range(..., init=)` loop must end with `yield [...]`, one value for each of "
                                f"the {len(self.op.inner_iter_args)} init values")
            from ..._mlir.dialects import scf
            scf.YieldOp([])


def scf_yield_(given=None):
    """Ends a round of the innermost `range(..., init=)` loop; returns the loop's results, one value or a list."""
    if not _open_loops:
        raise TypeError("`yield` outside of a `range(..., init=)` loop")
    return _open_loops[-1].end(given)


def scf_leaked_(access, line):
    """Takes away the values that variables got inside of a `range(..., init=)` loop: they do not leave it."""
    for slot in slots_of([access]):
        slot.set(UNBOUND)
        note_reason(slot.name, f"it is assigned in the `range(..., init=)` loop in line {line}, which carries its init values "
                    "only; bind the result of `yield`")


# Helpers ----------------------------------------------------------------------------------------------------------------


def scf_returned_(value):
    """The value that a function returns at its end; None if no `return` was met."""
    try:
        return value()
    except NameError:
        return None


def scf_static_subject_(value):
    """The subject of a `match` whose patterns look into it."""
    if is_dynamic(value):
        raise TypeError(f"match: the subject is a run-time value ({type(value).__name__}), and a pattern looks into it\n"
                        "hint: patterns for run-time values are literals, `|`, names and `_`")
    return value


def collect_results(names, variables) -> dict:
    """The named ones of a dict of variables, such as `locals()`; the form that bodies called by hand return."""
    return {n: variables[n] for n in names if n in variables}
