# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the functions of f64 over their whole range, and AMD's sine of f32.

usage: math_double.py FOLDER FLY_RUN DOC

Compares with functions of long double, whose mantissa has 64 bits. The errors, in
units in the last place, must be within the column f64 of the table in DOC; a special
value or the sign of a zero may never be wrong. A sine or cosine of f32 as AMD chips
compute it must be within DOC's table of absolute errors.
"""
import re
import sys

import elementwise
import numpy as np

COUNT = 1 << 15
assert np.finfo(np.longdouble).nmant >= 63, "long double is no wider than double"


def erfc_tail(x):
    """erfc of x from 1 on: e^-x^2 / sqrt(pi) / (x + 1/2 / (x + 1 / (x + 3/2 / …)))."""
    x = np.minimum(np.maximum(x, 1), 30).astype(np.longdouble)
    fraction = x
    for k in range(500, 0, -1):
        fraction = x + np.longdouble(k) / 2 / fraction
    high = np.round(x * 16) / 16  # its square is exact
    power = np.exp(-high * high) * np.exp(-(x - high) * (x + high))
    return power / np.sqrt(np.pi * np.longdouble(1) + np.longdouble(1.2246467991473532e-16)) / fraction


def erf_series(x):
    """erf of |x| < 1: 2 / sqrt(pi) e^-x^2 (x + 2/3 x^3 + 4/15 x^5 + …)."""
    x = np.clip(x, -1, 1).astype(np.longdouble)
    term = total = x
    for k in range(1, 60):
        term = term * 2 * x * x / (2 * k + 1)
        total = total + term
    return total * np.exp(-x * x) * 2 / np.sqrt(np.pi * np.longdouble(1) + np.longdouble(1.2246467991473532e-16))


def erf(x):
    return np.where(np.isnan(x), x, np.where(np.abs(x) < 1, erf_series(x), np.copysign(1 - erfc_tail(np.abs(x)), x)))


def erfc(x):
    large = np.where(x < 0, 2 - erfc_tail(-x), np.where(x > 28, 0, erfc_tail(x)))
    return np.where(np.isnan(x), x, np.where(np.abs(x) < 1, 1 - erf_series(x), large))


UNARY = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "cbrt": np.cbrt, "erf": erf, "erfc": erfc,
}
BINARY = {"powf": np.power, "atan2": np.arctan2}
ROWS = [*UNARY, *BINARY, "fpowi"]
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
           -1.7976931348623157e308, 709.782712893384, 709.7827128933841, 710.4758600739439, -745.13321910194, -745.14, 1024.0,
           -1074.0, -1075.0, 0.5, 2.0, 3.0, -3.0, 6381956970095103 * 2.0**797, 2.0**30, 1e22, 1 + 2.0**-52, 1 - 2.0**-53]


def inputs():
    rng = np.random.default_rng(9)
    pairs = [a.ravel() for a in np.meshgrid(SPECIAL, SPECIAL)]
    rest = COUNT - pairs[0].size

    def numbers(count):
        parts = [rng.integers(0, 1 << 64, count // 3, dtype=np.uint64).view(np.float64)]
        parts += [rng.uniform(-s, s, count // 12) for s in (1, 4, 28, 750)]
        parts.append(np.round(rng.uniform(0, 1e6, count // 12)) * (np.pi / 2))
        left = count - sum(p.size for p in parts)
        parts.append((rng.integers(0, 2, left) + rng.uniform(-1, 1, left)) * 2.0 ** -rng.integers(0, 55, left))
        return np.concatenate(parts)

    x, y = numbers(rest), rng.permutation(numbers(rest))
    # Powers that neither vanish nor overflow.
    with np.errstate(all="ignore"):
        tame = rng.uniform(-745, 709, rest) / np.log(np.abs(x))
    y = np.where((rng.integers(0, 2, rest) == 1) & np.isfinite(tame), tame, y)
    y = np.where(rng.integers(0, 4, rest) == 0, np.round(rng.uniform(-40, 40, rest)), y)
    n = rng.integers(-40, 41, COUNT)
    n[:6] = [0, 1, -1, 2**63 - 1, -(2**63), 2**63 - 2]
    x, y = np.concatenate([pairs[0], x]), np.concatenate([pairs[1], y])
    # Next to 1 every bit of a large power counts.
    x[-1000:] = 1 + rng.integers(-40, 41, 1000) * 2.0**-52
    n[-1000:] = rng.integers(2**53, 2**56, 1000) * rng.choice([-1, 1], 1000)
    return x, y, n


def run(fly_run, folder, name, rows, body, target_rows, element):
    """The outputs %out0, %out1 and so on of `body` for the rows of inputs %in0, %in1 and so on."""
    arguments = [("in", element, len(rows)), ("out", element, target_rows)]
    lines = [line for row in range(len(rows)) for line in elementwise.load(f"in{row}", "in", element, len(rows), row, COUNT)]
    lines += body
    lines += [line for row in range(target_rows) for line in elementwise.store(f"out{row}", "out", element, target_rows, row, COUNT)]
    text = elementwise.module(arguments, lines, COUNT)
    return elementwise.run(fly_run, folder, name, text, "gfx942", [np.array(rows)], [(element, target_rows)], COUNT)[0]


def functions_of_double(folder, fly_run):
    x, y, n = inputs()
    body = [f"%out{row} = math.{name} %in0 : f64" for row, name in enumerate(UNARY)]
    body += [f"%out{len(UNARY) + row} = math.{name} %in0, %in1 : f64" for row, name in enumerate(BINARY)]
    # In a vector as well: the second element is looked at.
    body += ["%n = arith.bitcast %in2 : f64 to i64", "%xs = vector.from_elements %in1, %in0 : vector<2xf64>",
             "%ns = vector.from_elements %n, %n : vector<2xi64>", "%ps = math.fpowi %xs, %ns : vector<2xf64>, vector<2xi64>",
             f"%out{len(ROWS) - 1} = vector.extract %ps[1] : f64 from vector<2xf64>"]
    got = run(fly_run, folder, "double", [x, y, n.view(np.float64)], body, len(ROWS), "f64")
    wide, wide_y = x.astype(np.longdouble), y.astype(np.longdouble)
    with np.errstate(all="ignore"):
        want = [f(wide) for f in UNARY.values()] + [f(wide, wide_y) for f in BINARY.values()]
        want.append(np.power(wide, n.astype(np.longdouble)))
    return x, y, n, got, want


def error_of(got, want):
    """Units in the last place; infinite where a special value is wrong."""
    two = np.longdouble(2)
    with np.errstate(all="ignore"):
        place = two ** (np.maximum(np.floor(np.log2(np.abs(want))), -1022) - 52)
        place = np.where(want == 0, two**-1074, place)
        beyond = np.abs(want) >= np.longdouble(np.finfo(np.float64).max) + two**970
        error = np.abs(got.astype(np.longdouble) - want) / place
        # Infinity is right from half a place beyond the largest number, and that number is next to it.
        near = np.abs(got) == np.finfo(np.float64).max
        error = np.where(beyond, np.where((np.isinf(got) | near & (np.abs(want) < np.longdouble(2) ** 1024)) & (np.sign(got) == np.sign(want)), 0, np.inf), error)
        error = np.where(np.isnan(want), np.where(np.isnan(got), 0, np.inf), error)
        error = np.where((want == 0) & ((got != 0) | (np.signbit(got) != np.signbit(want))), np.inf, error)
        return np.where(np.isnan(error), np.inf, error)


def sines(folder, fly_run, limits):
    """As AMD chips: times 1 / 2 pi in f32, then v_sin or v_cos, which count revolutions and take the fraction."""
    rng = np.random.default_rng(4)
    body = ["%c = arith.constant 0x3E22F983 : f32", "%t = arith.mulf %in0, %c : f32", "%whole = math.floor %t : f32",
            "%f = arith.subf %t, %whole : f32", "%out0 = rocdl.sin %f f32 -> f32", "%out1 = rocdl.cos %f f32 -> f32"]
    wrong = 0
    for limit, allowed in limits:
        x = rng.uniform(-limit, limit, COUNT).astype(np.float32)
        got = run(fly_run, folder, "sine", [x], body, 2, "f32")
        for row, f in zip(got, (np.sin, np.cos)):
            error = np.abs(row - f(x.astype(np.float64))).max()
            if error > allowed or error < allowed / 2:
                wrong += 1
                print(f"{f.__name__} of f32 up to {limit}: wrong: error {error:.3g}, the table says {allowed}")
    return wrong


def main():
    folder, fly_run, doc = sys.argv[1:4]
    with open(doc, encoding="utf-8") as file:
        rows = [[c.strip() for c in line.strip().strip("|").split("|")] for line in file]
    table = {cells[0].strip("`"): float(cells[4]) for cells in rows if len(cells) == 6 and re.fullmatch(r"[0-9.]+", cells[4])}
    limits = [(float(cells[0]), float(cells[1])) for cells in rows if len(cells) == 2 and re.fullmatch(r"[0-9.e]+", cells[0])]
    x, y, n, results, wants = functions_of_double(folder, fly_run)
    wrong = 0
    for name, got, want in zip(ROWS, results, wants):
        error = error_of(got, want)
        i = int(np.argmax(error))
        if error[i] > table.get(name, 0):
            wrong += 1
            print(f"{name}: wrong: {float(error[i]):.3f} places at x={x[i]!r} y={y[i]!r} n={n[i]}, the table says {table.get(name, 0)}: "
                  f"got {got[i]!r}, expected {want[i]!r}")
    wrong += sines(folder, fly_run, limits)
    print(f"{len(ROWS)} functions of f64, {len(limits)} ranges of f32, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
