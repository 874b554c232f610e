# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that convert narrow floats, their inputs, and the comparison.

usage: narrow_floats.py run FOLDER FLY_RUN CHIP...

Runs a kernel for each type on the CPU as each chip and compares its results.
The tables are made here from the fields of each type, with exact fractions: no
conversion of any library takes part.
"""
import sys
from bisect import bisect_left
from fractions import Fraction

import elementwise
import numpy as np

# name, exponent bits, mantissa bits, bias, codes of infinity and NaN (of the magnitude), negative zero is NaN
TYPES = {
    "f8E4M3FN": (4, 3, 7, None, [0x7F], False),
    "f8E5M2": (5, 2, 15, 0x7C, [0x7D, 0x7E, 0x7F], False),
    "f8E4M3FNUZ": (4, 3, 8, None, [], True),
    "f8E5M2FNUZ": (5, 2, 16, None, [], True),
    "f8E4M3B11FNUZ": (4, 3, 11, None, [], True),
    "f8E4M3": (4, 3, 7, 0x78, list(range(0x79, 0x80)), False),
    "f8E3M4": (3, 4, 3, 0x70, list(range(0x71, 0x80)), False),
    "f6E2M3FN": (2, 3, 1, None, [], False),
    "f6E3M2FN": (3, 2, 3, None, [], False),
    "f4E2M1FN": (2, 1, 1, None, [], False),
}
COUNT = 8192


def magnitude(fields, code):
    exponent_bits, mantissa_bits, bias = fields[:3]
    exponent, mantissa = code >> mantissa_bits, code & ((1 << mantissa_bits) - 1)
    if exponent == 0:
        return Fraction(mantissa) * Fraction(2) ** (1 - bias - mantissa_bits)
    return (1 + Fraction(mantissa, 1 << mantissa_bits)) * Fraction(2) ** (exponent - bias)


def width(fields):
    return 1 + fields[0] + fields[1]


def decode(fields, code):
    sign = 1 << (width(fields) - 1)
    if fields[5] and code == sign or (code & (sign - 1)) in fields[4]:
        return float("nan")
    if (code & (sign - 1)) == fields[3]:
        value = float("inf")
    else:
        value = float(magnitude(fields, code & (sign - 1)))
    return -value if code & sign else value


class Encoder:
    def __init__(self, fields):
        self.fields = fields
        self.sign = 1 << (width(fields) - 1)
        special = set(fields[4]) | ({fields[3]} if fields[3] is not None else set())
        self.codes = [code for code in range(self.sign) if code not in special]
        self.values = [magnitude(fields, code) for code in self.codes]
        # Numbers from here on are too large: half a place beyond the largest one, where the tie goes up.
        self.limit = self.values[-1] + (self.values[-1] - self.values[-2]) / 2
        self.tie_is_inside = self.codes[-1] % 2 == 0

    def __call__(self, x):
        fields, sign = self.fields, self.sign if np.signbit(x) else 0
        if np.isnan(x):
            return ("nan",) if fields[4] or fields[5] else (sign,)
        overflow = fields[3] if fields[3] is not None else self.codes[-1] if not (fields[4] or fields[5]) else None
        exact = None if np.isinf(x) else abs(Fraction(float(x)))
        if exact is None or exact > self.limit or (exact == self.limit and not self.tie_is_inside):
            return ("nan",) if overflow is None else (overflow | sign,)
        i = bisect_left(self.values, exact)
        if i == len(self.values):
            code = self.codes[-1]
        elif self.values[i] == exact:
            code = self.codes[i]
        else:
            below, above = exact - self.values[i - 1], self.values[i] - exact
            up = above < below or (above == below and self.codes[i] % 2 == 0)
            code = self.codes[i if up else i - 1]
        return (0 if fields[5] and code == 0 else code | sign,)


def inputs():
    rng = np.random.default_rng(11)
    special = [0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1e-45, -1e-45, 1e-39, 1.1754944e-38, 3.4e38, -3.4e38, 65504, 1, -1]
    values = set()
    for fields in TYPES.values():
        encoder = Encoder(fields)
        for x, y in zip(encoder.values, encoder.values[1:] + [2 * encoder.limit - encoder.values[-1]]):
            middle = float((x + y) / 2)
            values.update([float(x), middle, float(np.nextafter(np.float32(middle), np.float32(np.inf))),
                           float(np.nextafter(np.float32(middle), np.float32(0)))])
    edges = np.array(sorted(values), np.float32)
    x32 = np.concatenate([np.array(special, np.float32), edges, -edges])
    rest = COUNT - x32.size
    assert rest > 1000, rest
    x32 = np.concatenate([x32, rng.integers(0, 1 << 32, rest // 2, dtype=np.uint64).astype(np.uint32).view(np.float32),
                          (rng.uniform(-1, 1, rest - rest // 2) * 2.0 ** rng.integers(-20, 18, rest - rest // 2))
                          .astype(np.float32)])
    # As f64, just off each f32: one rounding only.
    with np.errstate(all="ignore"):
        x64 = x32.astype(np.float64)
    shift = rng.integers(-1, 2, COUNT)
    with np.errstate(all="ignore"):
        x64 = np.where(np.isfinite(x64), x64 + shift * np.abs(x64) * 2.0**-40, x64)
    n = np.concatenate([np.arange(-600, 600), [2**31 - 1, -2**31, 57344, 61439, 61440, 61441, -61440]])
    n = np.concatenate([n, rng.integers(-70000, 70000, COUNT - n.size)]).astype(np.int32)
    codes = (np.arange(COUNT) % 256).astype(np.uint8).view(np.int8)
    return {"codes": codes, "x32": x32, "x64": x64, "n": n}


# Vectors: their length, which is that of no register or of whole ones, and the elements that are looked at.
VECTORS = [(7, [0, 3, 4, 6]), (32, [0, 5, 18, 31])]
# Element type of the inputs and outputs of the kernel, in order, and their rows.
ARGUMENTS = [("codes", "i8", 1), ("x32", "f32", 1), ("x64", "f64", 1), ("n", "i32", 1), ("up", "f32", 9), ("half", "f16", 1),
             ("wide", "f64", 1), ("down", "i8", 12)]


def kernel(name):
    bits = width(TYPES[name])
    to_code = ["%c = arith.trunci %code : i8 to i{w}" if bits < 8 else "%c = arith.addi %code, %zero8 : i{w}",
               "%v = arith.bitcast %c : i{w} to {t}"]
    body = ["%zero8 = arith.constant 0 : i8", "%zero32 = arith.constant 0.5 : f32"]
    for argument, element, rows in ARGUMENTS[:4]:
        variable = {"codes": "code"}.get(argument, argument + "v")
        body += elementwise.load(variable, argument, element, rows, 0, COUNT)
    body += to_code

    def store(value, argument, row):
        element, rows = next((e, r) for a, e, r in ARGUMENTS if a == argument)
        body.extend(elementwise.store(value, argument, element, rows, row, COUNT))

    body.append("%up0 = arith.extf %v : {t} to f32")
    store("up0", "up", 0)
    body += ["%one = arith.constant 1.0 : f32", "%onev = arith.truncf %one : f32 to {t}"]

    def elements(value, other, length, looked):
        return ", ".join(value if k in looked else other for k in range(length))

    for n, (length, looked) in enumerate(VECTORS):
        body += [f"%vs{n} = vector.from_elements {elements('%v', '%onev', length, looked)} : vector<{length}x{{t}}>",
                 f"%vu{n} = arith.extf %vs{n} : vector<{length}x{{t}}> to vector<{length}xf32>"]
        for row, k in enumerate(looked):
            body.append(f"%vu{n}_{k} = vector.extract %vu{n}[{k}] : f32 from vector<{length}xf32>")
            store(f"vu{n}_{k}", "up", 4 * n + row + 1)
    body.append("%h = arith.extf %v : {t} to f16")
    store("h", "half", 0)
    body.append("%w = arith.extf %v : {t} to f64")
    store("w", "wide", 0)

    def down(value, source, row):
        body.append(f"%d{row} = arith.truncf %{value} : {source} to {{t}}" if source != "i32"
                    else f"%d{row} = arith.sitofp %{value} : {source} to {{t}}")
        code(f"d{row}", row)

    def code(value, row):
        body.append(f"%b{row} = arith.bitcast %{value} : {{t}} to i{{w}}")
        body.append(f"%o{row} = arith.extui %b{row} : i{{w}} to i8" if bits < 8 else f"%o{row} = arith.addi %b{row}, %zero8 : i8")
        store(f"o{row}", "down", row)

    down("x32v", "f32", 0)
    down("x64v", "f64", 1)
    body.append("%x16v = arith.truncf %x32v : f32 to f16")
    down("x16v", "f16", 2)
    down("nv", "i32", 3)
    for n, (length, looked) in enumerate(VECTORS):
        body += [f"%xs{n} = vector.from_elements {elements('%x32v', '%zero32', length, looked)} : vector<{length}xf32>",
                 f"%ds{n} = arith.truncf %xs{n} : vector<{length}xf32> to vector<{length}x{{t}}>"]
        for row, k in enumerate(looked):
            body.append(f"%ds{n}_{k} = vector.extract %ds{n}[{k}] : {{t}} from vector<{length}x{{t}}>")
            code(f"ds{n}_{k}", 4 * n + row + 4)
    lines = [line.replace("{t}", name).replace("{w}", str(bits)) for line in body]
    return elementwise.module(ARGUMENTS, lines, COUNT)


def check(chip, name, data, results):
    """Number of differences from the table, each kind told once."""
    fields = TYPES[name]
    encoder = Encoder(fields)
    mask = (1 << width(fields)) - 1
    nans = {code for code in range(mask + 1) if np.isnan(decode(fields, code))}
    wrong = 0

    def tell(what, i, got, want):
        nonlocal wrong
        wrong += 1
        if wrong < 6:
            print(f"{chip} {name}: wrong: {what} of {i!r} gives {got!r}, expected {want!r}")

    values = [decode(fields, code & mask) for code in range(256)]
    for what, rows, dtype in [("extf to f32", results["up"], np.float32), ("extf to f16", results["half"], np.float16),
                              ("extf to f64", results["wide"], np.float64)]:
        want = np.array(values, np.float64).astype(dtype)[np.arange(COUNT) % 256]
        for row in rows:
            same = (row == want) & (np.signbit(row) == np.signbit(want)) | np.isnan(row) & np.isnan(want)
            for i in np.flatnonzero(~same):
                tell(what, i % 256, row[i], want[i])
    with np.errstate(all="ignore"):
        x16 = data["x32"].astype(np.float16).astype(np.float64)
    with np.errstate(all="ignore"):
        x32 = data["x32"].astype(np.float64)
    down = results["down"].view(np.uint8)
    for what, rows, inputs_of in [("truncf of f32", [0, *range(4, 12)], x32),
                                  ("truncf of f64", [1], data["x64"]), ("truncf of f16", [2], x16),
                                  ("sitofp", [3], data["n"].astype(np.float64))]:
        want = [encoder(x)[0] for x in inputs_of]
        for row in rows:
            for i, (x, code) in enumerate(zip(inputs_of, want)):
                got = int(down[row][i])
                if (got not in nans) if code == "nan" else got != code:
                    tell(what, x, got, code)
    print(f"{chip} {name}: {'exact' if not wrong else str(wrong) + ' wrong'}")
    return wrong


def main():
    folder, fly_run, chips = sys.argv[2], sys.argv[3], sys.argv[4:]
    data, wrong = inputs(), 0
    for chip in chips:
        for name in TYPES:
            arrays = elementwise.run(fly_run, folder, name, kernel(name), chip, data.values(), [(e, r) for _, e, r in ARGUMENTS[4:]], COUNT)
            wrong += check(chip, name, data, {a: array for (a, _, _), array in zip(ARGUMENTS[4:], arrays)})
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
