# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions at the borders of the types, run on the CPU: static, run-time and vector form agree, integers with NumPy too."""
import ml_dtypes
import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx

INTEGERS = ("Int8", "Uint8", "Int16", "Uint16", "Int32", "Uint32", "Int64", "Uint64")
FLOATS = {"Float16": np.float16, "BFloat16": ml_dtypes.bfloat16, "Float32": np.float32, "Float64": np.float64,
          "Float8E5M2": ml_dtypes.float8_e5m2, "Float8E4M3FN": ml_dtypes.float8_e4m3fn, "Float8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz}
NUMPY = {**{name: getattr(np, name.lower()) for name in INTEGERS}, **FLOATS}

# Powers of two and their neighbours, and ties at the last digit of f16, bf16, f32 and f64, with a little more or less.
TIES = [2049, 2051, 257, 259, 65519, 65520, 448, 464, 465, 240, 248, (1 << 24) + 1, (1 << 25) + 3, (257 << 20) - 1, 257 << 20,
        (257 << 20) + 1, (259 << 20) - 1, (2049 << 3) + 1, 2**53 + 1, 2**53 + 3, 2**63 + 1024, 2**63 + 1025, 2**64 - 1025, 2**64 - 1024,
        2**60 + 2**36 + 1, 2**60 + 3 * 2**36 - 1]
WHOLE = sorted({s * n for n in [2**e + d for e in (0, 3, 7, 8, 11, 15, 16, 24, 31, 32, 53, 62, 63, 64) for d in (-1, 0, 1)] + TIES
                for s in (1, -1)})
REAL = [s * v for v in (0.0, 0.5, 0.99, 1.5, 127.0, 127.99, 128.0, 255.5, 256.0, 32767.5, 65504.0, 65519.9, 65520.0, 448.0, 464.0, 240.0, 57344.0,
                        2.0**31 - 128, 2.0**31 - 0.5, 2.0**31, 2.0**32 - 256, 2.0**63 - 1024, 2.0**63, 2.0**64 - 2048, 2.0**-25, 2.0**-24 * 1.5,
                        2.0**-150, 2.0**-133 * 1.5, 1e39, float("inf"), float("nan"), 1 + 2.0**-11 + 2.0**-30, 1 + 2.0**-4, 1 + 2.0**-24)
        for s in (1.0, -1.0)]


@flyc.kernel
def convert_kernel(x: fx.Tensor, scalar: fx.Tensor, lanes: fx.Tensor, dtype: fx.Constexpr):
    i = fx.thread_idx.x
    scalar[i] = dtype(x[i])
    lanes[i] = fx.Vector.from_elements([x[i], x[i]]).to(dtype)[1]


@flyc.jit
def convert(x: fx.Tensor, scalar: fx.Tensor, lanes: fx.Tensor, dtype: fx.Constexpr, n: fx.Constexpr):
    convert_kernel(x, scalar, lanes, dtype).launch(grid=1, block=n)


def same(a, b):
    return a.tobytes() == b.tobytes() or (float(a) != float(a) and float(b) != float(b))


def check(source, target, numbers, reference=None):
    dtype = getattr(fx, target)
    with np.errstate(all="ignore"):
        x = np.array(numbers, NUMPY[source])
        static = [np.array(dtype(getattr(fx, source)(v.item() if source in INTEGERS else float(v))).value).astype(NUMPY[target]) for v in x]
    scalar, lanes = np.zeros(len(x), NUMPY[target]), np.zeros(len(x), NUMPY[target])
    convert(x, scalar, lanes, dtype, len(x))
    for value, want, one, lane in zip(x, static, scalar, lanes):
        assert same(one, want) and same(lane, want), (source, target, value, want, one, lane)
        if reference is not None:
            assert same(want, reference(value)), (source, target, value, want)


# DIFF: py-int-to-bf16
@pytest.mark.parametrize("target", FLOATS)
def test_integer_to_float(chip, target):
    for source in INTEGERS:
        limits = np.iinfo(NUMPY[source])

        def numpy(value):
            with np.errstate(all="ignore"):
                return value.astype(NUMPY[target])

        check(source, target, [v for v in WHOLE if limits.min <= v <= limits.max], numpy)


@pytest.mark.parametrize("target", INTEGERS)
def test_float_to_integer(chip, target):
    limits = np.iinfo(NUMPY[target])
    for source in FLOATS:
        with np.errstate(all="ignore"):
            numbers = [float(v) for v in np.array(REAL).astype(NUMPY[source])]
        inside = [v for v in numbers if abs(v) < 1e300 and limits.min <= int(v) <= limits.max]
        check(source, target, inside, lambda value: np.array(int(float(value)), NUMPY[target]))
        for value in set(numbers) - set(inside):
            with pytest.raises((OverflowError, ValueError)):
                getattr(fx, target)(getattr(fx, source)(value))


@pytest.mark.parametrize("target", FLOATS)
def test_float_to_float(chip, target):
    for source in FLOATS:
        if source != target:
            check(source, target, REAL)
