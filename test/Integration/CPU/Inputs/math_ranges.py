# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the functions of one argument over the whole range of f32, f16 and bf16.

usage: math_ranges.py FOLDER FLY_RUN DOC

Compares with functions of f64: all 65,536 numbers of f16 and bf16, and as many of
f32 (special values, random bits, the neighbourhoods of zero, one and the ends). The
errors, in units in the last place, must be within those that the table in DOC
states; a special value or the sign of a zero may never be wrong.
"""
import math
import re
import sys

import elementwise
import numpy as np

COUNT = 1 << 16
FUNCTIONS = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "erf": np.vectorize(math.erf, otypes=[np.float64]), "erfc": np.vectorize(math.erfc, otypes=[np.float64]),
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "cbrt": np.cbrt,
}
# name: explicit mantissa bits, exponent of the smallest normal number, largest number
TYPES = {"f32": (23, -126, float(np.finfo(np.float32).max)), "f16": (10, -14, 65504.0), "bf16": (7, -126, 255 * 2.0**120)}


def codes(name):
    if name != "f32":
        return np.arange(COUNT, dtype=np.uint32).astype(np.uint16)
    rng = np.random.default_rng(3)
    special = [0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1.1754944e-38, 3.4028235e38, -3.4028235e38, 88.72283, 88.72284,
               -103.9721, 128, 127.99999, -149, -150, 0.5, -0.5, 2, -2]
    parts = [np.array(special, np.float32)]
    rest = COUNT - parts[0].size
    parts.append(rng.integers(0, 1 << 32, rest // 2, dtype=np.uint64).astype(np.uint32).view(np.float32))
    rest -= rest // 2
    for scale in (1, 4, 16, 110):
        parts.append(rng.uniform(-scale, scale, rest // 5).astype(np.float32))
    parts.append((1 + rng.uniform(-1, 1, rest - 4 * (rest // 5)) * 2.0 ** rng.integers(-22, -1, rest - 4 * (rest // 5)))
                 .astype(np.float32))
    return np.concatenate(parts).view(np.uint32)


def decode(name, array):
    if name == "f32":
        return array.view(np.float32)
    if name == "f16":
        return array.view(np.float16)
    return (array.astype(np.uint32) << 16).view(np.float32)


def kernel(name, integer):
    rows = len(FUNCTIONS)
    lines = [*elementwise.load("code", "in", integer, 1, 0, COUNT), f"%x = arith.bitcast %code : {integer} to {name}"]
    for row, function in enumerate(FUNCTIONS):
        lines += [f"%r{row} = math.{function} %x : {name}", f"%b{row} = arith.bitcast %r{row} : {name} to {integer}",
                  *elementwise.store(f"b{row}", "out", integer, rows, row, COUNT)]
    return elementwise.module([("in", integer, 1), ("out", integer, rows)], lines, COUNT)


def measure(name, function, x, got):
    """The largest error in units in the last place, and the argument that has it."""
    mantissa, smallest, largest = TYPES[name]
    with np.errstate(all="ignore"):
        want = FUNCTIONS[function](x)
        place = 2.0 ** (np.maximum(np.floor(np.log2(np.abs(want))), smallest) - mantissa)
        place = np.where(want == 0, 2.0 ** (smallest - mantissa), place)
        # Infinity is right from half a place beyond the largest number.
        beyond = np.abs(want) >= largest + 2.0 ** (math.floor(math.log2(largest)) - mantissa) / 2
        error = np.abs(got - want) / place
        error = np.where(beyond, np.where(np.isinf(got) & (np.sign(got) == np.sign(want)), 0, np.inf), error)
        error = np.where(np.isnan(want), np.where(np.isnan(got), 0, np.inf), error)
        error = np.where((want == 0) & ((got != 0) | (np.signbit(got) != np.signbit(want))), np.inf, error)
        error = np.where(np.isnan(error), np.inf, error)
    worst = int(np.argmax(error))
    return float(error[worst]), float(x[worst]), float(got[worst]), float(want[worst])


def limits(path):
    """{(function, type): error} of the rows `| \\`exp\\` | 1.0 | 0.5 | 0.5 | …`."""
    table = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            cells = [c.strip() for c in line.strip().strip("|").split("|")]
            match = re.fullmatch(r"`(\w+)`", cells[0])
            if match and len(cells) >= 4:
                for name, cell in zip(TYPES, cells[1:4]):
                    if cell != "–":
                        table[match[1], name] = float(cell)
    return table


def main():
    folder, fly_run, doc = sys.argv[1:]
    table, wrong = limits(doc), 0
    for name in TYPES:
        array, integer = codes(name), "i32" if name == "f32" else "i16"
        signed = np.int32 if name == "f32" else np.int16
        target = elementwise.run(fly_run, folder, name, kernel(name, integer), "gfx942", [array.view(signed)], [(integer, len(FUNCTIONS))],
                                 COUNT)[0]
        with np.errstate(all="ignore"):
            x = decode(name, array).astype(np.float64)
            results = decode(name, target.view(array.dtype)).astype(np.float64)
        for row, function in enumerate(FUNCTIONS):
            error, at, got, want = measure(name, function, x, results[row])
            limit = table.get((function, name), 0)
            if error > limit:
                wrong += 1
                print(f"{function} {name}: wrong: {error:.3f} places at {at!r}, the table says {limit}: got {got!r}, expected {want!r}")
    print(f"{len(FUNCTIONS)} functions of {len(TYPES)} types, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
