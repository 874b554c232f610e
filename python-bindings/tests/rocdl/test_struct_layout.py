# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts, declarations and values of structs; nothing here needs a trace."""

import ctypes
import dataclasses
import random

import pytest

from flydsl.compiler.protocol import dsl_align_of, dsl_size_of
from flydsl.expr import numeric as nm
from flydsl.expr.storage import _storage_layout
from flydsl.expr.struct import Align, Array, Empty, Storage, Struct, Union, is_composite_type, is_struct_type, struct, union

SCALARS = [(nm.Boolean, ctypes.c_bool), (nm.Int8, ctypes.c_int8), (nm.Uint8, ctypes.c_uint8), (nm.Int16, ctypes.c_int16),
           (nm.Uint16, ctypes.c_uint16), (nm.Int32, ctypes.c_int32), (nm.Uint32, ctypes.c_uint32), (nm.Int64, ctypes.c_int64),
           (nm.Uint64, ctypes.c_uint64), (nm.Float32, ctypes.c_float), (nm.Float64, ctypes.c_double), (nm.Float16, ctypes.c_uint16),
           (nm.BFloat16, ctypes.c_uint16)]


def random_type(rng, depth):
    """(DSL type, ctypes type) of a random field."""
    choice = rng.random()
    if depth and choice < 0.2:
        return random_record(rng, depth - 1, rng.random() < 0.3)
    dtype, ctype = rng.choice(SCALARS)
    if choice < 0.5:
        count = rng.randint(1, 9)
        return Array[dtype, count], ctype * count
    if depth and choice < 0.6:
        dtype, ctype = random_record(rng, depth - 1, False)
        count = rng.randint(1, 4)
        return Array[dtype, count], ctype * count
    return dtype, ctype


def random_record(rng, depth, is_union):
    fields = [(f"m{i}", *random_type(rng, depth)) for i in range(rng.randint(1, 6))]
    kind = Union if is_union else Struct
    base = ctypes.Union if is_union else ctypes.Structure
    record = type("C", (base,), {"_fields_": [(name, ctype) for name, _, ctype in fields]})
    return kind[tuple(slice(name, dtype) for name, dtype, _ in fields)], record


@pytest.mark.parametrize("seed", range(40))
def test_layouts_are_those_of_c(seed):
    rng = random.Random(seed)
    for _ in range(100):
        dtype, record = random_record(rng, 2, rng.random() < 0.3)
        layout = _storage_layout(dtype)
        assert layout.size == dsl_size_of(dtype) == ctypes.sizeof(record)
        assert layout.align == dsl_align_of(dtype) == ctypes.alignment(record)
        assert layout.offsets == {name: getattr(record, name).offset for name, _ in record._fields_}


def test_aligned_fields():
    # User report 64: u8[3], f32[5] at 16, f16[7].
    dtype = Struct["a": Array[nm.Uint8, 3], "b": Array[nm.Float32, 5, 16], "c": Array[nm.Float16, 7]]
    assert _storage_layout(dtype) == (64, 16, {"a": 0, "b": 16, "c": 36})
    aligned = Struct["a": nm.Int8, "b": Align[nm.Int8, 32], "c": nm.Int8]
    assert _storage_layout(aligned) == (64, 32, {"a": 0, "b": 32, "c": 33})


def test_sizes_of_odd_elements():
    assert dsl_size_of(Array[nm.Int4, 7]) == 4
    assert dsl_size_of(Array[nm.Boolean, 7]) == 7
    assert dsl_size_of(Array[nm.Float4E2M1FN, 32, 16]) == 16
    assert (dsl_size_of(Empty), dsl_align_of(Empty)) == (0, 1)
    assert _storage_layout(Struct["a": nm.Int32, "e": Empty, "b": nm.Int8]) == (8, 4, {"a": 0, "e": 4, "b": 4})


def test_types_are_unique():
    assert Array[nm.Float32, 4] is Array[nm.Float32, 4] is Array[nm.Float32, 4, 4]
    assert Array[nm.Float32, 4, 16] is not Array[nm.Float32, 4]
    assert Align[nm.Int8, 4] is Align[nm.Int8, 4]
    assert Storage[nm.Int32] is Storage[nm.Int32]
    assert Struct["x": nm.Int32] is Struct["x": nm.Int32]
    assert Struct["x": nm.Int32] is not Struct["y": nm.Int32]


@pytest.mark.parametrize("make, error, text", [
    (lambda: Array[nm.Float32], TypeError, "element type, a count"),
    (lambda: Array[nm.Float32, -1], ValueError, "must not be negative"),
    (lambda: Array[nm.Float32, 2.5], TypeError, "an int known while tracing, got float"),
    (lambda: Array[nm.Float32, 4, 3], ValueError, "power of two, got 3"),
    (lambda: Array[nm.Float32, 4, 2], ValueError, "below the natural alignment 4"),
    (lambda: Array[int, 4], TypeError, "int has no memory layout"),
    (lambda: Align[nm.Int64, 4], ValueError, "below the natural alignment 8"),
    (lambda: Align[nm.Int64], TypeError, "a type and an alignment"),
    (lambda: Struct["x": nm.Int32, "x": nm.Int8], TypeError, "named twice"),
    (lambda: Struct["peek": nm.Int32], TypeError, "field name 'peek' is not allowed"),
    (lambda: Struct["_x": nm.Int32], TypeError, "must not start with '_'"),
    (lambda: Struct["x": 3], TypeError, r"\.x: expected a type"),
    (lambda: Struct(), TypeError, "no type by itself"),
    (lambda: Storage[int], TypeError, "int has no memory layout"),
])
def test_bad_types(make, error, text):
    with pytest.raises(error, match=text):
        make()


@struct
class Point:
    x: nm.Float32
    y: nm.Float32

    scale = 2

    @property
    def swapped(self):
        return Point(self.y, self.x)

    def moved(self, dx):
        return self.replace(x=float(self.x.value + dx))


def test_values():
    point = Point(1.0, y=2)
    assert (point.x.value, point.y.value) == (1.0, 2.0) and type(point.y) is nm.Float32
    assert point == Point(1.0, 2.0) and hash(point) == hash(Point(1.0, 2.0))
    assert point != Point(2.0, 1.0) and point.swapped == Point(2.0, 1.0)
    assert point.moved(3).x.value == 4.0 and point.scale == 2
    assert point.replace(y=7).y.value == 7.0
    assert repr(point).startswith("Point(x=")
    assert is_struct_type(Point) and is_composite_type(Point) and not is_struct_type(nm.Int32)
    with pytest.raises(dataclasses.FrozenInstanceError, match="'x' of Point"):
        point.x = 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x


@pytest.mark.parametrize("make, error, text", [
    (lambda: Point(1.0), TypeError, "Point: field 'y' is missing"),
    (lambda: Point(1.0, 2.0, 3.0), TypeError, r"Point takes 2 fields \(x, y\), got 3"),
    (lambda: Point(1.0, z=3), TypeError, "Point has no field 'z'; it has x, y"),
    (lambda: Point(1.0, x=3), TypeError, "field 'x' is given twice"),
    (lambda: Point("a", 1), TypeError, r"Point\.x: expected Float32, got str"),
    (lambda: Point(1e39, 1), ValueError, r"Point\.x"),
    (lambda: Struct["n": nm.Int8](300), ValueError, r"\.n: 300 is outside Int8"),
    (lambda: Struct["n": nm.Uint8](-1), ValueError, r"\.n: -1 is outside Uint8"),
    (lambda: Struct["n": nm.Int8](1.5), (TypeError, ValueError), r"\.n"),
    (lambda: Struct["p": Point](3), TypeError, r"\.p: expected Point, got int"),
    (lambda: Point(1, 2).replace(z=1), TypeError, "Point has no field 'z'"),
])
def test_bad_values(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_conditional_fields_and_methods():
    def make(stages):
        @struct()
        class Pipe:
            a0: Array[nm.Float16, 64, 16]
            if stages == 2:
                a1: Array[nm.Float16, 64, 16]

        return Pipe

    assert _storage_layout(make(1)) == (128, 16, {"a0": 0})
    assert _storage_layout(make(2)) == (256, 16, {"a0": 0, "a1": 128})


def test_inheritance_defaults_and_nesting():
    @struct
    class Base:
        a: nm.Int32

    @struct
    class Derived(Base):
        b: nm.Int8 = 3

    assert list(Derived.__dsl_fields__) == ["a", "b"]
    assert Derived(1).b.value == 3 and Derived(1, 2).b.value == 2

    @struct
    class Outer:
        p: Point
        d: Derived

    outer = Outer((1, 2), {"a": 4})
    assert outer.p == Point(1, 2) and outer.d.a.value == 4 and outer.d.b.value == 3


def test_annotations_as_text():
    # DIFF: py-struct-text-annotations
    namespace = {"struct": struct, "nm": nm, "Array": Array, "__name__": __name__}
    source = "from __future__ import annotations\ndef make(n):\n    @struct\n    class S:\n        a: Array[nm.Float32, n]\n    return S\n"
    exec(compile(source, "text_annotations.py", "exec"), namespace)
    assert dsl_size_of(namespace["make"](3)) == 12
    with pytest.raises(TypeError, match=r"S\.a: the annotation is the text 'Missing'"):
        exec("from __future__ import annotations\n@struct\nclass S:\n    a: Missing\n", namespace)


def test_own_init_is_refused():
    with pytest.raises(TypeError, match="__init__ is made from its fields"):
        @struct
        class S:
            a: nm.Int32

            def __init__(self):
                pass


def test_union_values():
    @union
    class U:
        i: nm.Int32
        f: nm.Float32
        b: Array[nm.Uint8, 6]

    assert _storage_layout(U) == (8, 4, {"i": 0, "f": 0, "b": 0})
    assert U(f=1.5).f.value == 1.5
    with pytest.raises(TypeError, match="name the one member to set"):
        U(1)
    with pytest.raises(TypeError, match="no member 'z'"):
        U(z=1)
    with pytest.raises(AttributeError, match="'i' is not set, 'f' is"):
        U(f=1.5).i


def test_specialisation_by_constants():
    from flydsl.compiler.parameters import Constexpr

    from flydsl.expr.struct import is_specializable_struct_type

    @struct
    class S:
        n: Constexpr[int]
        x: nm.Int32

    value = S(4, 5)
    assert value.n == 4 and value.x.value == 5 and dsl_size_of(S) == 4
    assert is_specializable_struct_type(S) and not is_specializable_struct_type(S.specialize(n=4))
    assert S.specialize(n=4) is S.specialize(n=4) and S.specialize(n=4)(7).n == 4
    with pytest.raises(TypeError, match=r"S\.n"):
        S("4", 5)
