# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops with a run-time number of rounds: the body is traced once, what it changes is carried."""
from __future__ import annotations

from . import alias, carry, literals, objects, values
from .branch import array_changed, is_partial, keeps_shape, mismatch
from .forms import PREFIX, RETURN_VALUE
from .literals import Mismatch
from .scope import guarded, line_of_caller, note_reason
from .state import Entry, Snapshot, differs, path_text, same_keys
from .values import UNBOUND

_ROUNDS = 16


class _Carried:
    """A variable or item whose value of the last round the body may read."""

    def __init__(self, place, value, path):
        static = values.as_scalar(value)
        value = static if type(static) is int else value
        self.place, self.value, self.path = place, value, path
        self.shape = carry.shape_of(value, path)
        self.bound, self.nodes = None, []

    def bind(self, leaves):
        self.bound = self.shape.build(leaves)
        self.nodes = carry.nodes(self.shape)
        for node in self.nodes:
            node.bound, node.start = node.built, values.contents(node.built, node.kind)
        alias.join([(node.bound, node.sources) for node in self.nodes])
        self.place.set(self.bound)

    def finish(self, end, leaves):
        """Gives the place its value after the loop; `end` is what it held at the end of the body."""
        result = self.shape.build(leaves)
        self.place.set(_settle(self.shape, result))


def _settle(shape, result):
    """The value after the loop: what the body only changed in place is what it was before, with new items."""
    if not isinstance(shape, (carry.Sequence, carry.Mapping)) or shape.seen is not shape.bound:
        return result
    old, kind = shape.exemplar, shape.kind
    made = dict(values.items(values.contents(result, kind)))
    made = {key: _settle(part, made[key]) for key, part in shape.children()}
    if kind == "tuple":
        same = all(made[key] is item for key, item in enumerate(old))
        return old if same else tuple.__new__(type(old), made.values())
    for key, item in made.items():
        Entry(old, kind, key, "").set(item)
    return old


class LastValue:
    """A variable that every round sets before it reads it: only its last value matters."""

    def __init__(self, slot, shape, first, last):
        self.place, self.shape = slot, shape
        equal = values.ir().Value.__eq__
        # A leaf that no round changes is not carried; the condition of a `while` sets without a first value.
        self.fixed = [x if equal(x, y) else None for x, y in zip(first, last)] if first else [None] * len(last)
        self.first = [v for v, f in zip(first, self.fixed) if f is None]
        self.last = [v for v, f in zip(last, self.fixed) if f is None]
        self.types = [t for t, f in zip(shape.types, self.fixed) if f is None]

    def finish(self, results):
        self.place.set(self.shape.build(iter([next(results) if f is None else f for f in self.fixed])))


class Loop:
    """One `scf.for` or `scf.while` in the making.

    slots: variables that the body may change. own: those of the function
    itself, by name. carried: names whose old value a round needs. results:
    names that each round sets anew. dead: names nobody reads later. changed:
    (name, key) of containers that the body writes to. certain: at least one
    round runs.
    """

    label = "for-body"

    def __init__(self, slots, own, carried=(), results=(), dead=(), changed=(), certain=False):
        self.slots, self.own, self.dead, self.certain = slots, own, frozenset(dead), certain
        self.carried, self.results, self.changed = carried, frozenset(results), changed
        self.extra = []

    @guarded
    def run(self):
        mark = alias.mark()
        for _ in range(_ROUNDS):
            self.before = Snapshot(self.slots)
            self.items = self._items()
            if self._attempt():
                return
            # The body changes more than its text tells, as through a function that it calls.
            self._erase()
            self.before.restore()
            alias.forget(mark)
        raise TypeError(f"{self.label}: the containers that the loop changes cannot be determined\n"
                        "hint: assign the variables in the body of the loop itself")

    def _erase(self):
        # From behind: a value of one region that another one uses (Python state that nobody tracks) must not go first.
        for region in reversed(list(self.op.regions)):
            for block in region.blocks:
                for op in reversed(list(block.operations)):
                    op.operation.erase()
        self.op.erase()

    def _items(self):
        items, keys = [], set()

        def add(place, path):
            value = place.get()
            if place.key in keys or value is UNBOUND:
                return
            keys.add(place.key)
            items.append(_Carried(place, value, path))

        for name in self.carried:
            if name in self.own:
                add(self.own[name], name)
        for name, key in self.changed:
            slot = self.own.get(name)
            kind = values.kind_of(slot.get()) if slot is not None and slot.key not in keys else ""
            if kind in ("list", "dict", "object"):
                container = slot.get()
                known = dict(values.items(values.contents(container, kind)))
                for k in ([key] if key in known else known if key is None else []):
                    add(Entry(container, kind, k, values.step(name, kind, k)), values.step(name, kind, k))
        for place in self.extra:
            add(place, place.name)
        return items

    # After the body was traced ------------------------------------------------------------------------------------------

    def _observe(self, now, other=frozenset()):
        """Sorts what changed without being carried. Returns the variables set anew, or None to trace again."""
        covered = {i.place.key for i in self.items} | other
        found, again = [], []
        for slot, old, new in zip(self.slots, self.before.values, now.values):
            if slot.key in covered or values.same(old, new):
                continue
            if slot.name in self.dead or slot.name == RETURN_VALUE or old is UNBOUND or \
                    (slot.name in self.results and self.own.get(slot.name) is slot):
                found.append((slot, old, new))
            else:
                again.append(slot)
        for key, (container, kind, old) in self.before.containers.items():
            new = now.containers[key][2]
            if not differs(old, new):
                continue
            path = self.before.path(key)
            if kind in ("array", "opaque"):
                raise array_changed(self.label, path, container)
            if kind == "set" or (not same_keys(old, new) if isinstance(old, dict) else len(old) != len(new)):
                if kind == "object" and set(old) <= set(new):
                    for k in set(new) - set(old):
                        objects.set_attribute(container, k, UNBOUND)
                else:
                    raise TypeError(
                        f"{self.label}: carried variable '{path}' changed container shape: {len(old)} items before a round, "
                        f"{len(new)} after it\nhint: {keeps_shape(kind)} in a loop with a run-time number of rounds; range_constexpr "
                        "unrolls a loop")
            for k, item in values.items(old):
                if (id(container), k) not in covered and not values.same(item, new[k]):
                    again.append(Entry(container, kind, k, values.step(path, kind, k)))
        if again:
            known = {p.key for p in self.extra}
            self.extra += [p for p in again if p.key not in known]
            return None
        return found

    def _sets(self, found, block):
        """Plans the variables that have only a last value; `block` is where that is at hand."""
        ir, sets = values.ir(), []
        for slot, old, new in found:
            if slot.name in self.dead:
                self._forget(slot, "")
                continue
            if new is UNBOUND or (old is UNBOUND and slot.name != RETURN_VALUE and not slot.name.startswith(PREFIX)
                                  and (not self.certain or is_partial(new))):
                self._forget(slot, f"the loop in line {line_of_caller()} assigns it, and may end without; assign it before "
                             "the loop")
                continue
            try:
                if old is UNBOUND:
                    shape = carry.shape_of(new, slot.name)
                    first = self._filler(shape, slot)
                    if first is None:
                        continue
                else:
                    shape = carry.unify(old, new, slot.name, self.before.contents, carry.now)
                    first = shape.flatten(old, slot.name, self.before.contents)
                with ir.InsertionPoint(block):
                    last = shape.flatten(new, slot.name, carry.now)
            except Mismatch as error:
                raise mismatch(self.label, "the region entry", error) from None
            sets.append(LastValue(slot, shape, first, last))
        return sets

    def _filler(self, shape, slot):
        try:
            return literals.filler(shape.types, slot.name)
        except Mismatch as error:
            if slot.name == RETURN_VALUE:
                raise TypeError(f"`return` in a loop with a run-time number of rounds: {error.text}\n"
                                "hint: set a variable that has a value before the loop") from None
            self._forget(slot, f"the loop in line {line_of_caller()} assigns it; assign it before the loop, too")
            return None

    def _forget(self, slot, reason):
        slot.set(UNBOUND)
        if reason:
            note_reason(slot.name, reason)

    def _ends(self):
        """The values of the carried variables at the end of a region, flattened."""
        ends, leaves = [], []
        for item in self.items:
            value = item.place.get()
            if value is UNBOUND:
                raise TypeError(f"{self.label}: carried variable '{item.path}' has no value at the end of a round\n"
                                "hint: it is needed in the next round, or after the loop")
            try:
                leaves += item.shape.flatten(value, item.path, carry.now)
            except Mismatch as error:
                raise mismatch(self.label, "the region entry", error) from None
            ends.append(value)
        return ends, leaves

    def _entry(self):
        try:
            return [v for i in self.items for v in i.shape.flatten(i.value, i.path, self.before.contents)]
        except Mismatch as error:
            raise mismatch(self.label, "the region entry", error) from None

    @staticmethod
    def _kept(inits, regions, sets):
        """Indices of the leaves that the loop changes. The others' block arguments become the value before the loop.

        regions: for each block its arguments, and what it hands on for them.
        sets: the variables with a last value only; it may be one of the arguments.
        """
        equal = values.ir().Value.__eq__
        kept, gone = [], []
        for i, init in enumerate(inits):
            if all(equal(out[i], into[i]) or equal(out[i], init) for into, out in regions):
                for into, _ in regions:
                    values.ir().Value(into[i]).replace_all_uses_with(init)
                    gone.append((into[i], init))
            else:
                kept.append(i)
        for handed in [out for _, out in regions] + [s.last for s in sets]:
            for i, value in enumerate(handed):
                handed[i] = next((init for old, init in gone if equal(old, value)), value)
        return kept

    @property
    def _types(self):
        return [t for i in self.items for t in i.shape.types]

    def _after(self, results, ends, sets):
        leaves = iter(results)
        for item, end in zip(self.items, ends):
            item.finish(end, leaves)
        for s in sets:
            s.finish(leaves)
        self._join(sets)

    def _join(self, sets):
        """Remembers which containers may be the same after the loop: one of before it, or one of the last round."""
        nodes = [n for i in self.items for n in i.nodes]
        before = {id(n.bound): n.exemplar for n in nodes}
        made = [(n.built, n.sources + [before.get(id(n.seen), n.seen)]) for n in nodes if n.seen is not n.bound]
        for s in sets:
            made += [(n.built, n.sources) for n in carry.nodes(s.shape)]
        if made:
            alias.join([(root, [s for s in sources if s is not None]) for root, sources in made])

    def _shared(self):
        """Refuses a container that the next round may know by two names, one of which it changes."""
        doubtful = []
        for item in self.items:
            for node in item.nodes:
                end = node.seen
                if end is None or end is node.bound or node.kind == "tuple":
                    continue
                known = self.before.containers.get(id(end))
                if differs(values.contents(node.bound, node.kind), node.start) or (
                        known is not None and differs(values.contents(end, known[1]), known[2])):
                    doubtful.append((item, end))
        if not doubtful:
            return
        ends = [(i.place, i.place.get()) for i in self.items]
        for place, _ in ends:
            place.set(UNBOUND)
        try:
            seen = alias.visible()
        finally:
            for place, value in ends:
                place.set(value)
        shared = {}
        for item, end in doubtful:
            shared.setdefault(id(end), []).append(item)
        for item in self.items:
            for node in item.nodes:
                if node.seen is not None and id(node.seen) in shared:
                    shared[id(node.seen)].append(item)
        for item, end in doubtful:
            other = path_text(seen[id(end)]) if id(end) in seen else next(
                (i.path for i in shared[id(end)] if i is not item), None)
            if other is not None:
                raise TypeError(
                    f"{self.label}: carried variable '{item.path}' and '{other}' are the same {values.kind_of(end)} after a "
                    "round, which changes one of them\nhint: let each have its own, as in `m = list(l)` in place of `m = l`")

    def _attempt(self):
        raise NotImplementedError


class For(Loop):
    """`scf.for` from IR values `bounds` = (start, stop, step); `body` gets the induction variable as an IR value."""

    def __init__(self, bounds, body, attributes, **keywords):
        super().__init__(**keywords)
        self.bounds, self.body, self.attributes = bounds, body, attributes

    def _attempt(self):
        ir = values.ir()
        from ..._mlir.dialects import scf
        inits, types = self._entry(), self._types
        self.op = op = ir.Operation.create("scf.for", results=types, operands=list(self.bounds) + inits,
                                           attributes=self.attributes, regions=1)
        place = op.location
        block = ir.Block.create_at_start(op.regions[0], [self.bounds[0].type] + types, [place] * (1 + len(types)))
        with ir.InsertionPoint(block):
            arguments = iter(list(block.arguments))
            induction = next(arguments)
            for item in self.items:
                item.bind(arguments)
            self.body(induction)
            alias.scf_check_()
            now = self.before.again()
            ends, last = self._ends()
        found = self._observe(now)
        if found is None:
            return False
        self._shared()
        sets = self._sets(found, block)
        extra = [t for s in sets for t in s.types]
        kept = self._kept(inits, [(list(block.arguments)[1:], last)], sets)
        with ir.InsertionPoint(block):
            scf.YieldOp([last[i] for i in kept] + [v for s in sets for v in s.last])
        drop_arguments(block, kept, len(inits), 1)
        if extra or len(kept) < len(inits):
            for t in extra:
                block.add_argument(t, place)
            operands = list(self.bounds) + [inits[i] for i in kept] + [v for s in sets for v in s.first]
            new = ir.Operation.create("scf.for", results=[types[i] for i in kept] + extra, operands=operands,
                                      attributes=self.attributes, regions=1, loc=place)
            block.append_to(new.regions[0])
            op.erase()
            self.op = op = new
        self._after(complete(list(op.results), kept, inits), ends, sets)
        return True


def drop_arguments(block, kept, count, first):
    """Erases the arguments of a block that are not kept; `first` is the index of the first of `count`."""
    for i in reversed(range(count)):
        if i not in kept:
            block.erase_argument(first + i)


def complete(results, kept, inits):
    """The value of each carried leaf after the loop; what the loop does not change is what it was."""
    values_ = list(inits)
    for place, i in enumerate(kept):
        values_[i] = results[place]
    return values_ + results[len(kept):]
