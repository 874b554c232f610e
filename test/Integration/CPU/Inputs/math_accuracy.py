# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes inputs for math.mlir, and compares its results with functions of f64.

usage: math_accuracy.py make X Y N      write the f32 arrays X and Y and the i32 array N
       math_accuracy.py check X Y N R   R: f32 results, one row a function
"""
import sys

import numpy as np

ROWS = 4096

# name, function of (x, y, n) in f64, largest error in units in the last place of f32
FUNCTIONS = [
    ("powf", lambda x, y, n: np.power(x, y), 1.0),
    ("fpowi", lambda x, y, n: np.power(x, n.astype(np.float64)), 1.0),
    ("sinh", lambda x, y, n: np.sinh(x), 1.0),
    ("cosh", lambda x, y, n: np.cosh(x), 1.0),
    ("asinh", lambda x, y, n: np.arcsinh(x), 1.0),
    ("acosh", lambda x, y, n: np.arccosh(x), 1.0),
    ("atanh", lambda x, y, n: np.arctanh(x), 1.0),
    ("cbrt", lambda x, y, n: np.cbrt(x), 1.0),
    ("remf", lambda x, y, n: np.fmod(x, y), 0.0),
    ("isinf", lambda x, y, n: np.isinf(x) * 1.0, 0.0),
    ("isnan", lambda x, y, n: np.isnan(x) * 1.0, 0.0),
    ("isfinite", lambda x, y, n: np.isfinite(x) * 1.0, 0.0),
    ("isnormal", lambda x, y, n: (np.isfinite(x) & (abs(x) >= 2.0**-126)) * 1.0, 0.0),
    ("atan2", lambda x, y, n: np.arctan2(x, y), 1.0),
]


def inputs():
    rng = np.random.default_rng(7)
    special = np.array([0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1e-38,
                        3.4e38, 88.7, 89.5, -88.7, -89.5, 1 + 2**-23, 1 - 2**-24], np.float32)
    x, y = (a.ravel() for a in np.meshgrid(special, special))
    count = ROWS - x.size
    bits = rng.integers(0, 1 << 32, count // 4, dtype=np.uint64).astype(np.uint32).view(np.float32)
    near = (1 + rng.uniform(-1e-3, 1e-3, count // 4)).astype(np.float32)
    small = rng.uniform(-4, 4, count // 4).astype(np.float32)
    wide = rng.uniform(-100, 100, count - 3 * (count // 4)).astype(np.float32)
    x = np.concatenate([x, bits, near, small, wide])
    y = np.concatenate([y, rng.uniform(-20, 20, count // 2).astype(np.float32),
                        np.round(rng.uniform(-9, 9, count - count // 2)).astype(np.float32)])
    n = np.concatenate([rng.integers(-9, 10, ROWS - 8), [0, 1, -1, 2**31 - 1, -2**31, 2**31 - 2, 31, -31]])
    return x, y, n.astype(np.int32)


def main():
    paths = sys.argv[2:]
    if sys.argv[1] == "make":
        for path, array in zip(paths, inputs()):
            np.save(path, array)
        return 0
    x, y, n, results = (np.load(path) for path in paths)
    failed = False
    for (name, function, limit), got in zip(FUNCTIONS, results):
        with np.errstate(all="ignore"):
            want = function(x.astype(np.float64), y.astype(np.float64), n)
            rounded = want.astype(np.float32)
            ulp = np.maximum(np.spacing(np.abs(rounded), dtype=np.float32), np.float32(1e-45)).astype(np.float64)
            error = np.abs(got.astype(np.float64) - want) / np.where(np.isfinite(ulp), ulp, 1)
        same = (got == rounded) | (np.isnan(got) & np.isnan(rounded))
        # The largest finite number and infinity are neighbours.
        bad = ~(same | (error <= limit))
        bad |= (np.signbit(got) != np.signbit(rounded)) & ~np.isnan(rounded)
        worst = np.where(np.isfinite(error), error, 0).max()
        print(f"{name}: largest error {worst:.3f} ulp" if limit else f"{name}: exact")
        for i in np.flatnonzero(bad)[:5]:
            failed = True
            print(f"  wrong: x={x[i]!r} y={y[i]!r} n={n[i]} got {got[i]!r} want {want[i]!r}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
