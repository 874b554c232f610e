# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Taking values apart into IR values that a region can carry, and putting them together again.

A shape says how: which leaves are traced, of which types, and which parts are
static and must stay what they are.
"""
from __future__ import annotations

import copy

from . import objects, values
from .literals import Mismatch, as_numeric, common_literal, literal, types_text
from .state import same_keys
from .values import UNBOUND, describe, shown, type_list


class Shape:
    """Base of the shapes. `types` are the IR types of its leaves, in order."""

    types: list = []

    def flatten(self, value, path, look):
        """The IR values of `value`, which must have this shape. Emits constants where it is static."""
        raise NotImplementedError

    def build(self, leaves):
        """A value of this shape from an iterator of IR values."""
        raise NotImplementedError


class Static(Shape):
    """A value that Python alone knows. It cannot depend on a run-time condition."""

    def __init__(self, value):
        self.value = value

    def flatten(self, value, path, look):
        if not values.same(self.value, value) and value is not UNBOUND:
            raise Mismatch(path, f"expected {describe(self.value)}, produced {describe(value)}",
                           "only numbers and traced values can depend on a run-time condition; "
                           "const_expr(...) makes a condition static")
        return []

    def build(self, leaves):
        return self.value


class Kept(Shape):
    """A container that is one and the same on both sides. What it holds is carried by itself."""

    def __init__(self, value):
        self.value = value

    def flatten(self, value, path, look):
        if value is not self.value:
            raise Mismatch(path, f"expected {describe(self.value)}, produced another {describe(value)}")
        return []

    def build(self, leaves):
        return self.value


class Again(Shape):
    """A container that is met a second time, as `a` and `b` are the same list after `a = b = []`."""

    def __init__(self, first):
        self.first = first

    def flatten(self, value, path, look):
        return []

    def build(self, leaves):
        return self.first.built


class Number(Shape):
    """A number of the DSL class `cls`."""

    def __init__(self, cls):
        self.cls, self.types = cls, [cls.ir_type]

    def flatten(self, value, path, look):
        value = values.as_scalar(value)
        if values.is_number(value):
            adapted = literal(value, self.cls)
            if adapted is None:
                own = values.numeric().as_numeric(value)
                raise Mismatch(path, types_text(self.types, [type(own).ir_type]),
                               f"write `fx.{self.cls.__name__}({value!r})`")
            return [adapted.ir_value()]
        if not values.is_numeric(value):
            value = as_numeric(value, path, self.types)
        if type(value) is not self.cls and list(self.types) != [type(value).ir_type]:
            raise Mismatch(path, types_text(self.types, [type(value).ir_type]),
                           f"convert it with `fx.{self.cls.__name__}(...)`, or start the variable as "
                           f"`fx.{type(value).__name__}(...)`")
        return [value.ir_value()]

    def build(self, leaves):
        return self.cls(next(leaves))


class Object(Shape):
    """A traced object other than a number."""

    def __init__(self, exemplar):
        self.exemplar = exemplar
        self.types = [v.type for v in type(exemplar).__extract_to_ir_values__(exemplar)]

    def flatten(self, value, path, look):
        number = values.size_class(self.exemplar)
        if number is not None and (values.is_numeric(value) or values.is_number(value)):
            # A variable that began as a size and got a number.
            from ...expr.operands import as_int_tuple
            if type(number) is not int:
                value = Number(number).build(iter(Number(number).flatten(value, path, look)))
            value = as_int_tuple(value)
        if not values.is_dsl(value):
            raise Mismatch(path, f"expected {describe(self.exemplar)}, produced {describe(value)}")
        parts = list(type(value).__extract_to_ir_values__(value))
        types = [v.type for v in parts]
        if types != self.types:
            raise Mismatch(path, types_text(self.types, types))
        return parts

    def build(self, leaves):
        from ..protocol import construct_from_ir_values
        taken = [next(leaves) for _ in self.types]
        return construct_from_ir_values(type(self.exemplar), self.exemplar, taken)


class Raw(Shape):
    """An IR value without a class of the DSL."""

    def __init__(self, exemplar):
        self.exemplar, self.types = exemplar, [exemplar.type]

    def flatten(self, value, path, look):
        if values.is_number(value):
            value = values.numeric().as_numeric(value)
        if values.is_numeric(value):
            value = value.ir_value()
        if not isinstance(value, values.ir().Value):
            raise Mismatch(path, f"expected {type_list(self.types)}, produced {describe(value)}")
        if value.type != self.types[0]:
            raise Mismatch(path, types_text(self.types, [value.type]))
        return [value]

    def build(self, leaves):
        value = next(leaves)
        cls, ir = type(self.exemplar), values.ir()
        if cls in (ir.Value, ir.OpResult, ir.BlockArgument) or type(value) is cls:
            return value
        signed = getattr(self.exemplar, "signed", None)
        try:
            return cls(value, signed=signed) if signed is not None else cls(value)
        except TypeError:
            return value


class Sequence(Shape):
    """A list or tuple."""

    def __init__(self, exemplar, kind, parts=()):
        self.exemplar, self.kind = exemplar, kind
        self.sources, self.seen, self.built = [exemplar], None, None
        self.set_parts(parts)

    def set_parts(self, parts):
        self.parts = parts
        self.types = [t for p in parts for t in p.types]

    def children(self):
        return list(enumerate(self.parts))

    def flatten(self, value, path, look):
        if values.kind_of(value) != self.kind:
            raise Mismatch(path, f"changed container shape: expected a {self.kind}, produced {describe(value)}")
        self.seen = value
        content = look(value, self.kind)
        if len(content) != len(self.parts):
            raise Mismatch(path, f"changed container shape: expected {len(self.parts)} items, produced {len(content)}",
                           "a container that a run-time condition decides about keeps its length")
        return [v for i, (p, item) in enumerate(zip(self.parts, content))
                for v in p.flatten(item, values.step(path, self.kind, i), look)]

    def build(self, leaves):
        cls = type(self.exemplar)
        if self.kind == "tuple":
            made = [p.build(leaves) for p in self.parts]
            self.built = tuple(made) if cls is tuple else tuple.__new__(cls, made)
        else:
            # Known before its items, which may hold it.
            self.built = [] if cls is list else another(self.exemplar)
            list.__setitem__(self.built, slice(None), [p.build(leaves) for p in self.parts])
        return self.built


class Mapping(Shape):
    """A dict, SimpleNamespace or object of a user's class."""

    def __init__(self, exemplar, kind, parts=None):
        self.exemplar, self.kind = exemplar, kind
        self.sources, self.seen, self.built = [exemplar], None, None
        self.set_parts(parts or {})

    def set_parts(self, parts):
        self.parts = parts
        self.types = [t for p in parts.values() for t in p.types]

    def children(self):
        return list(self.parts.items())

    def flatten(self, value, path, look):
        if values.kind_of(value) != self.kind or (self.kind == "object" and type(value) is not type(self.exemplar)):
            raise Mismatch(path, f"changed container shape: expected {describe(self.exemplar)}, produced {describe(value)}")
        self.seen = value
        content = look(value, self.kind)
        if not same_keys(content, self.parts):
            what = "attributes" if self.kind == "object" else "keys"
            raise Mismatch(path, f"changed container shape: expected {what} [{', '.join(sorted(map(shown, self.parts)))}], "
                           f"produced [{', '.join(sorted(map(shown, content)))}]")
        return [v for key, p in self.parts.items() for v in p.flatten(content[key], values.step(path, self.kind, key), look)]

    def build(self, leaves):
        cls = type(self.exemplar)
        if self.kind == "dict":
            self.built = {} if cls is dict else another(self.exemplar)
            dict.clear(self.built)
            dict.update(self.built, {key: p.build(leaves) for key, p in self.parts.items()})
            return self.built
        self.built = objects.new_object(cls)
        objects.set_attributes(self.built, {key: p.build(leaves) for key, p in self.parts.items()})
        return self.built


def another(exemplar):
    """A container of a class of its own like `exemplar`; its items are replaced afterwards."""
    try:
        return copy.copy(exemplar)
    except Exception as error:
        raise TypeError(f"{type(exemplar).__name__}: a container that a run-time condition decides about cannot be copied: "
                        f"{type(error).__name__}: {error}\nhint: use a plain list or dict") from error


def nodes(shape) -> list:
    """The shapes of all containers in a shape."""
    found, todo = [], [shape]
    while todo:
        current = todo.pop()
        if isinstance(current, (Sequence, Mapping)):
            found.append(current)
            todo += [p for _, p in current.children()]
    return found


def now(container, kind):
    """The `look` that sees containers as they are."""
    return values.contents(container, kind)


def shape_of(value, path, look=now, inside=()) -> Shape:
    """The shape of a value; numbers become traced numbers, all else that is not traced is static."""
    if values.is_number(value):
        return Number(type(values.numeric().as_numeric(value)))
    kind = values.kind_of(value)
    if kind in ("list", "tuple", "dict", "object"):
        if any(value is outer for outer in inside):
            raise Mismatch(path, f"expected a container of values, produced a {type(value).__name__} that holds itself")
        inside += (value, )
        content = look(value, kind)
        if kind in ("list", "tuple"):
            return Sequence(value, kind, [shape_of(v, values.step(path, kind, i), look, inside)
                                          for i, v in enumerate(content)])
        return Mapping(value, kind, {k: shape_of(v, values.step(path, kind, k), look, inside)
                                     for k, v in content.items()})
    if value is UNBOUND or value is None or type(value) is str or values.isa(value, type):
        return Static(value)
    if values.is_numeric(value):
        return Number(type(value))
    if values.is_dsl(value):
        return Object(value)
    if values.isa(value, values.ir().Value):
        return Raw(value)
    return Static(value)


def unify(a, b, path, look_a, look_b, memo=None) -> Shape:
    """The shape that both values have. Parts that are the same on both sides and not traced stay static.

    A Python number takes the class of the other side if it is of the same kind
    (an int an integer class, a float a float class) and fits exactly.
    """
    kind_a = values.kind_of(a)
    if not kind_a and values.same(a, b):
        return Static(a)
    if a is b:
        return Kept(a)
    memo = {} if memo is None else memo
    x, y = values.size_class(a), values.size_class(b)
    if (x is not None or y is not None) and not (x is not None and y is not None and a.type == b.type):
        # A size that meets a number, or another kind of size, goes on as a number.
        if type(x) is int or type(y) is int:
            return unify(x if type(x) is int else a, y if type(y) is int else b, path, look_a, look_b, memo)
        if x is not None:
            return Number(x)
        if values.is_number(a) or values.isa(a, values.ir().Value) and not values.is_dsl(a):
            return Number(y)
        return shape_of(a, path, look_a)
    if values.is_number(a) and values.is_number(b):
        return Number(common_literal(a, b, path))
    if values.is_number(a) and values.is_numeric(b):
        return Number(type(b))
    kind_b = values.kind_of(b)
    if kind_a in ("list", "tuple", "dict", "object") and kind_a == kind_b:
        known = memo.get((id(a), id(b)))
        if known is not None:
            return Again(known)
        x, y = look_a(a, kind_a), look_b(b, kind_b)
        if kind_a in ("list", "tuple") and len(x) == len(y):
            shape = memo[id(a), id(b)] = Sequence(a, kind_a)
            shape.sources = [a, b]
            shape.set_parts([unify(p, q, values.step(path, kind_a, i), look_a, look_b, memo)
                             for i, (p, q) in enumerate(zip(x, y))])
            return shape
        if kind_a in ("dict", "object") and same_keys(x, y) and type(a) is type(b):
            shape = memo[id(a), id(b)] = Mapping(a, kind_a)
            shape.sources = [a, b]
            shape.set_parts({k: unify(x[k], y[k], values.step(path, kind_a, k), look_a, look_b, memo) for k in x})
            return shape
    if values.isa(a, values.ir().Value) and values.is_numeric(b) and not values.is_dsl(a):
        return Number(type(b))
    return shape_of(a, path, look_a)
