# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Containers that may be one and the same, which a run-time condition decides.

After `if c: m = l` the variable holds `l` or what it held before. A container
made of both stands for it: reading it is right, but a later change of one must
be seen through the other only if `c` held. Such containers are remembered as a
group with what they hold; a change of one of them while the program can still
see another is refused at its line.
"""
from __future__ import annotations

import collections
import sys
import threading

from ..locations import is_user_file
from . import values
from .scope import line_of_caller
from .state import _Walk, _names_of, path_text

_local = threading.local()


class _Group:
    """A container made of `others`, of which it may be any."""

    def __init__(self, root, others, line):
        self.root, self.others, self.line = root, others, line


class _State:

    def __init__(self):
        # Containers by id, with their contents when they were last compared.
        self.groups, self.records = [], {}

    def record(self, container):
        if id(container) not in self.records:
            kind = values.kind_of(container)
            self.records[id(container)] = (container, kind, values.contents(container, kind))


def _state() -> _State:
    state = getattr(_local, "state", None)
    if state is None:
        state = _local.state = _State()
    return state


def clear() -> None:
    """Forgets all groups: a trace begins or ends."""
    _local.state = _State()


def mark() -> int:
    """For `forget`: how many groups there are."""
    return len(_state().groups)


def forget(count) -> None:
    """Forgets the groups made since `mark` returned `count`."""
    state = _state()
    del state.groups[count:]
    _tidy(state)


def join(made) -> None:
    """Remembers containers made of others: pairs of one and those that it may be."""
    made = [(root, [s for s in sources if s is not root and values.kind_of(s) == values.kind_of(root)])
            for root, sources in made if values.kind_of(root) not in ("", "tuple")]
    if not made:
        return
    state, line = _state(), line_of_caller()
    if len(state.groups) >= 64 and len(state.groups) >= 2 * getattr(state, "tidied", 0):
        _tidy(state)
    roots = {}
    for root, sources in made:
        for source in sources:
            roots.setdefault(id(source), []).append(root)
    relatives = _relatives(state.groups)
    for root, sources in made:
        # What a source may be, the container may be, too; and two that are made of the same may be the same.
        related = {id(r): r for s in sources for r in (s, *relatives.get(id(s), ()))}
        others = {id(o): o for r in related.values() for o in (r, *roots.get(id(r), ())) if o is not root}
        if not others:
            continue
        state.groups.append(_Group(root, list(others.values()), line))
        for container in [root] + state.groups[-1].others:
            state.record(container)


def _relatives(groups) -> dict:
    """For each container, by id, those that it may be according to `groups`."""
    found = {}
    for group in groups:
        found.setdefault(id(group.root), []).extend(group.others)
        for other in group.others:
            found.setdefault(id(other), []).append(group.root)
    return found


def _tidy(state) -> None:
    """Drops groups of which the program has only one container left."""
    ours = collections.Counter(id(c) for group in state.groups for c in (group.root, *group.others))
    ours.update(id(item) for _, kind, copy in state.records.values() for _, item in values.items(copy))
    # Two more references, the record's and the argument, on every Python: what is not read from a variable is not borrowed.
    alive = {key for key, record in state.records.items() if sys.getrefcount(record[0]) - 2 - ours[key] > 0}
    kept = []
    for group in state.groups:
        if id(group.root) in alive:
            others = [o for o in group.others if id(o) in alive]
            if others:
                group.others = others
                kept.append(group)
    state.groups = kept
    used = {id(c) for g in kept for c in [g.root] + g.others}
    state.records = {k: r for k, r in state.records.items() if k in used}
    state.tidied = len(kept)


def _changed(record) -> bool:
    container, kind, old = record
    now = values.contents(container, kind)
    if len(now) != len(old):
        return True
    if kind in ("dict", "object"):
        return any(not values.same(x, y) for x, y in zip(now.values(), old.values())) or any(
            not values.same(x, y) for x, y in zip(now, old))
    return any(not values.same(x, y) for x, y in zip(now, old))


def scf_check_() -> None:
    """Refuses a change of a container that may be another one that the program can still see."""
    state = getattr(_local, "state", None)
    if state is None or not state.groups:
        return
    changed = {key for key, record in state.records.items() if _changed(record)}
    if not changed:
        return
    _tidy(state)
    changed &= set(state.records)
    if not changed:
        return
    seen = visible()
    for group in state.groups:
        if id(group.root) in changed:
            other = next((o for o in group.others if id(o) in seen), None)
            if other is not None:
                _refuse(group, group.root, other, seen)
        elif id(group.root) in seen:
            found = next((o for o in group.others if id(o) in changed), None)
            if found is not None:
                _refuse(group, found, group.root, seen)
    for key in changed:
        container, kind, _ = state.records[key]
        state.records[key] = (container, kind, values.contents(container, kind))


def _refuse(group, changed, other, seen):
    name = path_text(seen[id(changed)]) if id(changed) in seen else ""
    what = values.kind_of(changed)
    what = type(changed).__name__ if what == "object" else what
    raise TypeError(
        f"{repr(name) if name else 'a ' + what} is changed, and '{path_text(seen[id(other)])}' may be the same {what}: the "
        f"run-time condition in line {group.line} decides that\nhint: let each have its own {what}, "
        + ("as in `m = list(l)` in place of `m = l`" if what == "list" else "with a copy where it is assigned"))


def visible() -> dict:
    """The paths of all containers that the traced functions can see, by id."""
    from .rewriter import ASTRewriter
    frames, last, frame = [], 0, sys._getframe(1)
    while frame is not None:
        if is_user_file(frame.f_code.co_filename):
            frames.append(frame)
            if ASTRewriter.is_rewritten(frame.f_code):
                last = len(frames)
        frame = frame.f_back
    walk = _Walk()
    for frame in frames[:last]:
        for name, value in list(frame.f_locals.items()):
            walk.push(value, (name, ))
        walk.run()
        walk.scope(frame.f_globals, _names_of(frame.f_code)[0])
        walk.run()
    return {id(value): path for value, _, path in walk.found}
