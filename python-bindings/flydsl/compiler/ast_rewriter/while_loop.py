# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`while` with a run-time condition, and loops that are left early."""
from __future__ import annotations

from . import alias, carry, values
from .branch import condition
from .loop import LastValue, Loop, complete, drop_arguments
from .values import UNBOUND


class While(Loop):
    """`scf.while`; `test` returns the condition, `body` runs a round."""

    label = "while-body"

    def __init__(self, test, body, attributes=None, endless=False, **keywords):
        super().__init__(**keywords)
        self.test, self.body, self.attributes, self.endless = test, body, attributes or {}, endless

    def _attempt(self):
        ir = values.ir()
        from ..._mlir.dialects import scf
        inits, types = self._entry(), self._types
        self.op = op = ir.Operation.create("scf.while", results=types, operands=inits, attributes=self.attributes,
                                           regions=2)
        place = op.location
        before = ir.Block.create_at_start(op.regions[0], types, [place] * len(types))
        with ir.InsertionPoint(before):
            self._bind(before)
            answer = self.test()
            traced = values.is_dynamic(answer)
            if traced:
                flag, forward = condition(answer), self._ends()[1]
        if not traced:
            return self._static(answer)
        found = self._observe(self.before.again())
        if found is None:
            return False
        # What the test sets goes from there into the body and out of the loop, and needs no value before the loop.
        tested = self._tested(found, before)
        after_types = types + [t for s in tested for t in s.shape.types]
        after = ir.Block.create_at_start(op.regions[1], after_types, [place] * len(after_types))
        with ir.InsertionPoint(after):
            arguments = self._bind(after)
            for s in tested:
                s.place.set(s.shape.build(arguments))
            self.body()
            alias.scf_check_()
            now = self.before.again()
            ends, last = self._ends()
        found = self._observe(now, {s.place.key for s in tested})
        if found is None:
            return False
        self._shared()
        sets = self._sets(found, after)
        extra = [t for s in sets for t in s.types]
        count = len(types)
        kept = self._kept(inits, [(list(before.arguments), forward), (list(after.arguments)[:count], last)],
                          tested + sets)
        for t in extra:
            before.add_argument(t, place)
            after.add_argument(t, place)
        with ir.InsertionPoint(before):
            scf.ConditionOp(flag, [forward[i] for i in kept] + [v for s in tested for v in s.last] +
                            list(before.arguments)[count:])
        with ir.InsertionPoint(after):
            scf.YieldOp([last[i] for i in kept] + [v for s in sets for v in s.last])
        drop_arguments(before, kept, count, 0)
        drop_arguments(after, kept, count, 0)
        if extra or tested or len(kept) < count:
            new = ir.Operation.create("scf.while", results=[types[i] for i in kept] + after_types[count:] + extra,
                                      operands=[inits[i] for i in kept] + [v for s in sets for v in s.first],
                                      attributes=self.attributes, regions=2, loc=place)
            before.append_to(new.regions[0])
            after.append_to(new.regions[1])
            op.erase()
            self.op = op = new
        self._after(complete(list(op.results), kept, inits), ends, tested + sets)
        return True

    def _bind(self, block):
        arguments = iter(list(block.arguments))
        for item in self.items:
            item.bind(arguments)
        return arguments

    def _tested(self, found, block):
        """The variables that the condition sets, as `while (x := f()) > 0` does."""
        tested = []
        with values.ir().InsertionPoint(block):
            for slot, _, new in found:
                if new is not UNBOUND:
                    shape = carry.shape_of(new, slot.name)
                    tested.append(LastValue(slot, shape, [], shape.flatten(new, slot.name, carry.now)))
        return tested

    def _static(self, answer):
        """The condition depends on nothing that the loop carries: Python runs the loop."""
        self.before.restore()
        self.op.erase()
        if answer and self.endless:
            raise TypeError("the loop has no exit that a run-time condition decides about: it would never end\n"
                            "hint: add a `break`, or a condition")
        while True:
            answer = self.test()
            if values.is_dynamic(answer):
                raise TypeError("the condition of the loop is static at first and becomes a run-time value\n"
                                "hint: give the variables that it reads run-time values before the loop, e.g. fx.Int32(0)")
            if not answer:
                return True
            self.body()
