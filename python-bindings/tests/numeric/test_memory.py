# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomics, plain loads and stores, fences; literals that are stored; numbers that cross the host call."""
import ctypes
import math
import random

import pytest

import flydsl.expr.llvm as fxl
import flydsl.expr.numeric as num
from flydsl.compiler import protocol
from flydsl.expr.enum import AtomicOrdering, SyncScope
from flydsl.expr.numeric import BFloat16, Boolean, Float16, Float32, Float64, Int4, Int8, Int32, Int64, Uint8, Uint32, convert_literal
from flydsl.expr.utils.fold import RangeError
from flydsl.expr.vector import Float32x4, Vector

from tracing import context, trace

PTR = "!llvm.ptr<1>"


def one(build, *types):
    return [line for line in trace(build, *types) if "llvm." in line]


def test_atomic_operations():
    rows = [(fxl.atomic_add, Int32, "add"), (fxl.atomic_add, Float32, "fadd"), (fxl.atomic_sub, Int64, "sub"),
            (fxl.atomic_sub, Float64, "fsub"), (fxl.atomic_min, Int32, "min"), (fxl.atomic_min, Uint32, "umin"),
            (fxl.atomic_max, Int32, "max"), (fxl.atomic_max, Uint32, "umax"), (fxl.atomic_max, Float32, "fmax"),
            (fxl.atomic_and, Uint32, "_and"), (fxl.atomic_or, Int32, "_or"), (fxl.atomic_xor, Int32, "_xor"),
            (fxl.atomic_xchg, Float32, "xchg"), (fxl.atomic_fmin, Float32, "fmin"), (fxl.atomic_fmax, Float16, "fmax")]
    for function, dtype, kind in rows:

        def build(p, x):
            assert type(function(p, x)) is dtype

        text = {Float32: "f32", Float64: "f64", Float16: "f16", Int64: "i64"}.get(dtype, "i32")
        assert one(build, PTR, dtype) == [f"%0 = llvm.atomicrmw {kind} %arg0, %arg1 monotonic : !llvm.ptr<1>, {text}"]


def test_scope_and_ordering():
    assert one(lambda p, x: fxl.atomic_add(p, x, syncscope="agent", ordering=AtomicOrdering.AcqRel), PTR, Int32)[0].startswith(
        '%0 = llvm.atomicrmw add %arg0, %arg1 syncscope("agent") acq_rel')
    assert 'syncscope("singlethread")' in one(lambda p, x: fxl.atomic_add(p, x, syncscope=SyncScope.SingleThread), PTR, Int32)[0]
    assert "syncscope" not in one(lambda p, x: fxl.atomic_add(p, x, syncscope=SyncScope.System), PTR, Int32)[0]
    assert one(lambda: (fxl.memory_fence(), fxl.memory_fence(syncscope="workgroup", ordering=AtomicOrdering.Acquire))) == [
        "llvm.fence seq_cst", 'llvm.fence syncscope("workgroup") acquire']


def test_atomic_errors():

    def build(p, x, f):
        with pytest.raises(TypeError, match="atomic_and: found Float32, expected an integer of 8 to 64 bits"):
            fxl.atomic_and(p, f)
        with pytest.raises(TypeError, match="atomic_fmax: found Int32, expected a float"):
            fxl.atomic_fmax(p, x)
        with pytest.raises(ValueError, match="AtomicOrdering.NotAtomic is not possible here, expected one of AtomicOrdering.Monotonic"):
            fxl.atomic_add(p, x, ordering=AtomicOrdering.NotAtomic)
        with pytest.raises(TypeError, match="expected an fx.AtomicOrdering, found 'relaxed'"):
            fxl.atomic_add(p, x, ordering="relaxed")
        with pytest.raises(TypeError, match="atomic_add: found Int32, expected an fx.Pointer or an !llvm.ptr value"):
            fxl.atomic_add(Int32(1), x) if False else fxl._pointer(Int32(1), "atomic_add")
        with pytest.raises(ValueError, match="memory_fence: AtomicOrdering.Monotonic"):
            fxl.memory_fence(ordering=AtomicOrdering.Monotonic)

    trace(build, PTR, Int32, Float32)


def extremum(kind, mem, value, positive):
    """What the integer form computes on the bits of floats."""
    bits = [Float32(v).bitcast(Uint32).value for v in (mem, value)]
    signed = [b - (1 << 32) if b >> 31 else b for b in bits]
    if kind == "max":
        out = max(signed) if positive else min(bits)
    else:
        out = min(signed) if positive else max(bits)
    return Uint32(out).bitcast(Float32).value


def test_float_extrema_by_the_sign_of_the_value():
    assert [line.split()[3] for line in one(lambda p, x: (fxl.atomic_fmax(p, x, is_positive=True), fxl.atomic_fmax(p, x, is_positive=False),
                                                        fxl.atomic_fmin(p, x, is_positive=True), fxl.atomic_fmin(p, x, is_positive=False)),
                                        PTR, Float32)] == ["max", "umin", "min", "umax"]
    rng = random.Random(5)
    for _ in range(500):
        mem, value = rng.uniform(-9, 9), rng.uniform(-9, 9)
        mem, value = Float32(mem).value, Float32(value).value
        assert extremum("max", mem, value, value >= 0) == max(mem, value)
        assert extremum("min", mem, value, value >= 0) == min(mem, value)


def test_compare_and_swap():

    def build(p, i, f):
        old, done = fxl.atomic_cas(p, i, 3)
        assert type(old) is Int32 and type(done) is Boolean
        old, done = fxl.atomic_cas(p, f, 1.5, success_ordering=AtomicOrdering.SeqCst, weak=True)
        assert type(old) is Float32

    lines = one(build, PTR, Int32, Float32)
    assert "llvm.cmpxchg %arg0, %arg1, %c3_i32 monotonic monotonic : !llvm.ptr<1>, i32" in lines[0]
    assert any("llvm.cmpxchg weak" in line and "seq_cst monotonic" in line for line in lines)


def test_generic_access():

    def build(p, x, v):
        assert type(fxl.generic_load(p, dtype=Float32)) is Float32
        assert fxl.generic_load(p, dtype=Float16, count=4).shape == (4,) and fxl.generic_load(p, dtype=Float32x4).dtype is Float32
        assert type(fxl.generic_load(p, dtype=Boolean)) is Boolean and type(fxl.generic_load(p, dtype=num.Float8E5M2)) is num.Float8E5M2
        fxl.generic_load(p, dtype=Int32, memory_order=AtomicOrdering.Acquire, syncscope="agent", volatile=True)
        fxl.generic_store(p, x), fxl.generic_store(p, v, nontemporal=True), fxl.generic_store(p, x, memory_order=AtomicOrdering.Release)
        with pytest.raises(ValueError, match="an atomic access moves a scalar"):
            fxl.generic_load(p, dtype=Int32, count=2, memory_order=AtomicOrdering.Monotonic)
        with pytest.raises(ValueError, match="generic_load: AtomicOrdering.Release is not possible"):
            fxl.generic_load(p, dtype=Int32, memory_order=AtomicOrdering.Release)
        with pytest.raises(TypeError, match="expected dtype="):
            fxl.generic_load(p)
        with pytest.raises(TypeError, match="Int4 values are smaller than a byte"):
            fxl.generic_load(p, dtype=Int4)

    lines = one(build, PTR, Float32, (Float32, 4))
    assert lines[0] == "%0 = llvm.load %arg0 {alignment = 4 : i64} : !llvm.ptr<1> -> f32"
    assert any('llvm.load volatile %arg0 atomic syncscope("agent") acquire' in line for line in lines)
    assert any("llvm.store %arg2, %arg0" in line and "nontemporal" in line for line in lines)
    assert any("llvm.store %arg1, %arg0 atomic release" in line for line in lines)


# --- literals and host cells --------------------------------------------------


def test_stored_literals_must_fit():
    # DIFF: py-literal-conversion
    assert convert_literal(3, Float32, "store").value == 3.0 and convert_literal(True, Int8, "s").value == 1
    assert convert_literal(2.0, Int32, "store").value == 2 and convert_literal(-128, Int8, "s").value == -128
    assert convert_literal(1, Boolean, "s").value is True and convert_literal(math.inf, Float16, "s").value == math.inf
    assert convert_literal(0.1, BFloat16, "store").value == BFloat16(0.1).value
    for value, dtype in ((300, Int8), (-1, Uint8), (2**31, Int32), (2.5, Int32), (math.nan, Int32), (2, Boolean), (1e10, Float16), (10**40, Float32),
                         (math.inf, num.Float8E4M3FN), (math.nan, num.Float4E2M1FN), (7.5, num.Float4E2M1FN)):
        with pytest.raises(RangeError):
            convert_literal(value, dtype, "store")
        with pytest.raises(ValueError):
            convert_literal(value, dtype, "store")
        with pytest.raises(OverflowError):
            convert_literal(value, dtype, "store")
    with pytest.raises(RangeError, match=r"t\[0\] = 300: 300 is outside Int8, which holds -128 to 127; fx.Int8\(value\) wraps"):
        convert_literal(300, Int8, "t[0] = 300")


def test_stored_numbers_must_have_the_type():
    assert convert_literal(Int32(3), Int32, "store").value == 3
    with pytest.raises(TypeError, match=r"store: found Int32, expected Float32; convert it with fx.Float32\(value\)"):
        convert_literal(Int32(3), Float32, "store")
    with pytest.raises(TypeError, match="store: found str, expected Float32 or a number"):
        convert_literal("x", Float32, "store")

    def build(f):
        assert type(convert_literal(f, Float32, "store")) is Float32
        with pytest.raises(TypeError, match="store: found a value of type f32, expected i32"):
            convert_literal(f, Int32, "store")

    trace(build, "f32")


def test_host_cells():
    rows = [(Boolean, ctypes.c_bool, True, True), (Int8, ctypes.c_int8, -3, -3), (Uint8, ctypes.c_uint8, 200, 200),
            (Int32, ctypes.c_int32, -5, -5), (Uint32, ctypes.c_uint32, 2**32 - 1, 2**32 - 1), (Int64, ctypes.c_int64, -2**63, -2**63),
            (Float16, ctypes.c_uint16, 1.5, 0x3E00), (Float32, ctypes.c_float, 0.5, 0.5), (Float64, ctypes.c_double, 0.1, 0.1),
            # DIFF: py-bf16-host
            (BFloat16, ctypes.c_uint16, 1.0 + 3 * 2**-8, 0x3F82)]
    for dtype, ctype, value, want in rows:
        (kind, fill), = dtype(value).__c_abi_spec__()
        assert kind is ctype
        for argument in (value, dtype(value)):
            cell = ctype()
            fill(argument, cell)
            assert cell.value == want
    (_, fill), = Int8(0).__c_abi_spec__()
    with pytest.raises(RangeError):
        fill(300, ctypes.c_int8())
    with pytest.raises(TypeError, match="found Int32, expected Int8"):
        fill(Int32(3), ctypes.c_int8())
    for dtype in (num.Int128, Int4, num.Float8E5M2, num.Float4E2M1FN):
        with pytest.raises(TypeError, match=f"{dtype.__name__} cannot be a launch argument"):
            dtype(1).__c_abi_spec__()


def test_bfloat16_patterns_are_rounded_to_even():
    import ml_dtypes
    import numpy as np
    rng = random.Random(2)
    (_, fill), = BFloat16(0).__c_abi_spec__()
    cell = ctypes.c_uint16()
    for _ in range(500):
        value = float(np.float32(math.ldexp(rng.uniform(-1, 1), rng.randint(-30, 30))))
        fill(value, cell)
        assert cell.value == int(np.array(value, np.float32).astype(ml_dtypes.bfloat16).view(np.uint16))


def test_protocols():
    with context():
        n = Int32(3)
        assert isinstance(n, protocol.DslType) and isinstance(n, protocol.JitArgument) and isinstance(Int32, protocol.Storable)
        assert [str(t) for t in protocol.get_ir_types(n)] == ["i32"]
    assert protocol.dsl_size_of(Float64) == 8 and protocol.dsl_align_of(Float16) == 2 and protocol.dsl_size_of(Boolean) == 1
    assert protocol.cache_signature(Int32(3)) == protocol.cache_signature(Int32(4)) != protocol.cache_signature(Uint32(3))

    def build(x):
        values = protocol.extract_to_ir_values(x)
        again = protocol.construct_from_ir_values(Uint32, x, values)
        assert type(again) is Uint32 and again.value is not None

    trace(build, Uint32)
    assert issubclass(Float32x4, Vector)


def test_numpy_scalars_are_the_numbers_that_they_hold():
    import ml_dtypes
    import numpy as np
    from flydsl.expr.elements import to_element
    from flydsl.expr.struct import struct

    @struct
    class Pair:
        small: num.Uint8
        half: Float16

    assert Pair(np.int64(255), ml_dtypes.bfloat16(1.5)).half.value == 1.5
    assert Pair(np.int64(255), np.longdouble(1) / 3).half.value == float(np.float16(1 / 3))
    for field, value, message in [("small", np.int64(256), r"Pair\.small: 256 is outside Uint8"),
                                  ("small", np.int8(-1), r"Pair\.small: -1 is outside Uint8"),
                                  ("small", np.float32(1.5), r"Pair\.small: the float 1\.5 is no Uint8"),
                                  ("half", np.uint64(2**64 - 1), r"Pair\.half: 18446744073709551615 is outside Float16")]:
        with pytest.raises(RangeError, match=message):
            Pair(**{"small": 1, "half": 1, field: value})

    def build():
        for dtype, value, want in [(Float32, np.longdouble(1) / 3, "0.333333343"), (Int8, np.longdouble(3), "3 : i8"),
                                   (Float16, np.array(1.5), "1.500000e+00"), (Int32, ml_dtypes.int4(-3), "-3 : i32")]:
            assert want in str(to_element(value, dtype.ir_type, "store").owner)
        with pytest.raises(RangeError, match=r"store: 256 is outside Uint8"):
            to_element(np.longdouble(256), Int8.ir_type, "store")

    trace(build)


@pytest.mark.parametrize("make", [lambda np: np.str_("12"), lambda np: np.complex64(1), lambda np: np.datetime64(3, "s"),
                                  lambda np: np.bytes_(b"1"), lambda np: np.array("1"), lambda np: np.array(None),
                                  lambda np: np.zeros((), [("a", "i4")])[()]],
                         ids=["str", "complex", "date", "bytes", "str array", "object", "record"])
def test_numpy_scalars_that_are_no_numbers(make):
    import numpy as np
    from flydsl.expr.elements import to_element
    value = make(np)
    for dtype in (Int32, Float32, Boolean):
        with pytest.raises(ValueError, match="conversion is not supported: found (str_|complex64|datetime64|bytes_|ndarray|void)"):
            dtype(value)
        with pytest.raises(TypeError, match="x: found"):
            convert_literal(value, dtype, "x")
    trace(lambda: pytest.raises(TypeError, to_element, value, Int32.ir_type, "store").match("store: expected a number of type i32"))
