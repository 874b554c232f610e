# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operation rocdl.cvt.* of MLIR on the CPU, and v_perm_b32 and v_cvt_off_f32_i4.

usage: conversions.py FOLDER FLY_RUN INCLUDE CHIP...

INCLUDE is MLIR's include folder, whose TableGen files list the operations. Each one is
run on each chip that has it, or is refused on the chip with a reason. A kernel for each
operation: every code of the narrow type in every place; for the other direction every
f16 and bf16, and of f32 every number of the narrow type, every tie and the numbers
beside it, special values and random ones, under scales of all kinds and random seeds. Scales that
lie in registers of other lanes differ between all lanes and bytes, under every selection.
Expected are values by exact arithmetic on the numbers of each type (narrow_floats.py).
"""
import os
import re
import subprocess
import sys

import elementwise
import numpy as np
from narrow_floats import TYPES, Encoder, decode, width

COUNT = 1024
OCP = {"fp8": "f8E4M3FN", "bf8": "f8E5M2", "fp6": "f6E2M3FN", "bf6": "f6E3M2FN", "fp4": "f4E2M1FN"}
FNUZ = {"fp8": "f8E4M3FNUZ", "bf8": "f8E5M2FNUZ"}
# Only the exponent counts: neither sign nor mantissa. 0 and denormals are 2^-127, 255 is NaN.
SCALES = np.array([1, 1, 1, -1.75, 2.0**10 * 1.5, 2.0**-20, 2.0**100, 2.0**127, 2.0**-126, 0, 1e-40, 3.0, 0.3, 2.0**-60, np.inf, -np.nan],
                  np.float32)
# Scales of v_cvt_scale_*: a constant word, or None for a row of words, and scaleSel. Four equal bytes take every scaleSel.
CONSTANTS = [(0x7F7F7F7F, 0), (0x64646464, 3), (0x82828282, 8), (0, 15), (0xFEFEFEFE, 1), (0xFFFFFFFF, 2), (0x81FF007E, 0), (0x7B857D83, 5), (0x00FE7080, 6)]
# For each scaleSel the first of the 16 lanes whose registers are the scales, and the bytes of lanes 0 to 15 and 16 to 31.
SELECTIONS = {
    8: [(0, 0, 0), (16, 0, 0), (0, 2, 2), (16, 2, 2), (0, 1, 1), (16, 1, 1), (0, 3, 3), (16, 3, 3), (0, 0, 1), (16, 0, 1), (0, 2, 3), (16, 2, 3)],
    6: [(0, 0, 1), (16, 0, 1), (0, 2, 3), (16, 2, 3), (0, 0, 2), (16, 0, 2), (0, 1, 3), (16, 1, 3)],
}
SELECTIONS[4] = SELECTIONS[6]


class Operation:
    """What a name says: rocdl.cvt.[scale.|scalef32.][sr.][pk.|pk8.|pk16.|pk32.|2xpk16.]TO.FROM."""

    def __init__(self, name):
        self.name = name
        scale, self.stochastic, self.pack, self.to, self.source = re.fullmatch(
            r"rocdl\.cvt\.(?:(scale|scalef32)\.)?(sr\.)?(?:(2xpk16|pk\d*)\.)?(\w+)\.(\w+)", name).groups()
        self.scale = scale or ""
        self.is_truncation = self.to in OCP
        self.wide, self.narrow = (self.source, self.to) if self.is_truncation else (self.to, self.source)
        self.count = {None: 1, "pk": 2, "2xpk16": 32}.get(self.pack) or int(self.pack[2:])
        self.bits = width(TYPES[OCP[self.narrow]])
        # Replaces a part of its first operand, a register.
        self.keeps_rest = self.is_truncation and self.count <= 2

    def runs_on(self, chip):
        if not self.scale:
            return chip != "gfx1100"
        return chip == ("gfx1250" if self.count in (8, 16) else "gfx950")

    def fields(self, chip):
        return TYPES[(FNUZ if chip == "gfx942" else OCP)[self.narrow]]


def exponents(scales):
    return (scales.view(np.uint32) >> 23 & 0xFF).astype(int)


def round_to(wide, values):
    """Values of f64, exact in f32 unless too large, as `wide`; bf16 as f32."""
    with np.errstate(all="ignore"):
        single = values.astype(np.float32)
        if wide == "f16":
            return single.astype(np.float16).astype(np.float64)
        if wide == "bf16":
            bits = single.view(np.uint32).astype(np.uint64)
            rounded = ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
            single = np.where(np.isnan(single), single, rounded)
        return single.astype(np.float64)


def from_bits(wide, words):
    """Numbers of the low bits of words."""
    with np.errstate(all="ignore"):
        if wide == "f32":
            return words.view(np.float32).astype(np.float64)
        if wide == "f16":
            return words.astype(np.uint16).view(np.float16).astype(np.float64)
        return (words << 16).view(np.float32).astype(np.float64)


def to_bits(wide, values):
    with np.errstate(all="ignore"):
        if wide == "f32":
            return values.astype(np.float32).view(np.uint32)
        if wide == "f16":
            return values.astype(np.float16).view(np.uint16).astype(np.uint32)
        return round_to("bf16", values).astype(np.float32).view(np.uint32) >> 16


def words_of(rng, shape):
    return rng.integers(0, 1 << 32, shape, dtype=np.uint64).astype(np.uint32)


class Grid:
    """The numbers of a narrow type, and one more, at which it overflows."""

    def __init__(self, fields):
        encoder = Encoder(fields)
        self.sign, self.mantissa, self.has_unsigned_zero = encoder.sign, fields[1], fields[5]
        beyond = 2 * encoder.limit - encoder.values[-1]
        self.values = np.array([float(v) for v in [*encoder.values, beyond]])
        if fields[3] is not None:
            overflow = fields[3]
        else:
            overflow = "nan" if fields[4] or fields[5] else encoder.codes[-1]
        nan = {"f8E4M3FN": 0x7F, "f8E5M2": 0x7E}
        self.nan = next((nan[name] for name in nan if TYPES[name] is fields), self.sign if fields[5] else self.sign - 1)
        self.codes = np.array([*encoder.codes, self.nan if overflow == "nan" else overflow])

    def locate(self, x):
        """Number of the value below or at |x|, of the one above, and how far between them |x| is."""
        magnitude = np.where(np.isnan(x), 0, np.minimum(np.abs(x), self.values[-1]))
        below = np.searchsorted(self.values, magnitude, "right") - 1
        above = np.minimum(below + 1, len(self.values) - 1)
        place = self.values[above] - self.values[below]
        return below, above, (magnitude - self.values[below]) / np.where(place > 0, place, 1)

    def border_seeds(self, rng, x):
        """Seeds with which x just rounds up, or just not."""
        bits = 23 - self.mantissa
        least = np.ceil((1 - self.locate(x)[2]) * 2.0**bits).astype(np.int64) - rng.integers(0, 2, x.size)
        return (np.clip(least, 0, (1 << bits) - 1) << (32 - bits) | rng.integers(0, 1 << (32 - bits), x.size)).astype(np.uint32)

    def encode(self, x, seeds=None):
        """The codes of x. Seeds round stochastically."""
        below, above, rest = self.locate(x)
        if seeds is None:
            goes_up = (rest > 0.5) | (rest == 0.5) & (below % 2 == 1)
        else:
            # The seed's upper bits are a fraction of the place, as long as what f32 has below it.
            bits = 23 - self.mantissa
            goes_up = (rest > 0) & ((seeds >> np.uint32(32 - bits)) / 2.0**bits >= 1 - rest)
        code = self.codes[np.where(goes_up, above, below)]
        code = np.where(np.isnan(x), self.nan, code)
        has_sign = np.signbit(x) & ~(self.has_unsigned_zero & ((code == 0) | (code == self.nan)))
        return (code | np.where(has_sign, self.sign, 0)).astype(np.uint32)


class Kernel:
    """The text of a kernel from rows of i32 to rows of i32."""

    def __init__(self, inputs, outputs, count):
        self.inputs, self.outputs, self.count, self.lines, self.number = inputs, outputs, count, [], 0

    def emit(self, text):
        self.number += 1
        self.lines.append(f"%v{self.number} = {text}")
        return f"%v{self.number}"

    def load(self, row):
        self.lines += elementwise.load(f"in{row}", "in", "i32", self.inputs, row, self.count)
        return f"%in{row}"

    def store(self, value, row):
        self.lines += elementwise.store(value[1:], "out", "i32", self.outputs, row, self.count)

    def cast(self, value, source, target):
        return value if source == target else self.emit(f"llvm.bitcast {value} : {source} to {target}")

    def wide(self, word, wide):
        """The low bits of an i32 as a float."""
        if wide == "f32":
            return self.cast(word, "i32", "f32")
        return self.cast(self.emit(f"llvm.trunc {word} : i32 to i16"), "i16", wide)

    def vector(self, values, element):
        return values[0] if len(values) == 1 else self.emit(f"vector.from_elements {', '.join(values)} : vector<{len(values)}x{element}>")

    def elements(self, vector, element, count):
        if count == 1:
            return [vector]
        return [self.emit(f"vector.extract {vector}[{k}] : {element} from vector<{count}x{element}>") for k in range(count)]

    def store_wide(self, value, wide, row):
        if wide == "f32":
            return self.store(self.cast(value, "f32", "i32"), row)
        return self.store(self.emit(f"llvm.zext {self.cast(value, wide, 'i16')} : i16 to i32"), row)

    def text(self):
        return elementwise.module([("in", "i32", self.inputs), ("out", "i32", self.outputs)], self.lines, self.count)


class Runner:
    def __init__(self, folder, fly_run):
        self.folder, self.fly_run, self.wrong, self.done, self.kernels = folder, fly_run, 0, 0, {}

    def run(self, name, chip, kernel, rows):
        """The output rows for the input rows, both of uint32."""
        self.done += 1
        self.kernels[name] = kernel
        out = elementwise.run(self.fly_run, self.folder, f"{name}.{chip}", kernel.text(), chip, [np.array(rows).view(np.int32)],
                              [("i32", kernel.outputs)], kernel.count, ["--opt-level=0"])
        return out[0].view(np.uint32)

    def refuse(self, chip, names):
        """Counts the operations that a module with the kernels of all of them is refused for."""
        functions = [re.search(r"    gpu\.func @compute.*?\n    }\n", self.kernels[name].text(), re.DOTALL)[0] for name in names]
        path = os.path.join(self.folder, f"refused.{chip}.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write("module attributes {gpu.container_module} {\n  gpu.module @kernels {\n")
            file.writelines(f.replace("@compute", f"@compute{k}") for k, f in enumerate(functions))
            file.write("  }\n  func.func @host() {\n    return\n  }\n}\n")
        result = subprocess.run([self.fly_run, path, "--chip=" + chip, "--device=cpu"], capture_output=True, text=True)
        reasons = re.findall(r"refused\.\w+\.mlir:\d+:\d+: error: operation '([\w.]+)' is no instruction of " + chip, result.stderr)
        for name in sorted(set(names) ^ set(reasons)):
            print(f"{name}: wrong: not refused on {chip}, or not for what it is: {result.stderr[:300]}")
            self.wrong += 1
        return len(set(reasons))

    def compare(self, name, what, got, want):
        same = (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)
        for i in np.flatnonzero(~same)[:3]:
            print(f"{name}: wrong: {what}, lane {i}: got {got[i]!r}, expected {want[i]!r}")
        self.wrong += int((~same).any())


def fields_of(words, bits, index):
    """Field `index` of `bits` bits of rows of words."""
    word, offset = index * bits // 32, index * bits % 32
    field = words[word] >> np.uint32(offset)
    if offset + bits > 32:
        field = field | words[word + 1] << np.uint32(32 - offset)
    return field & np.uint32((1 << bits) - 1)


def scale_words(rng):
    """Four scales for each lane, mostly those that keep numbers in range, the extreme ones among them."""
    shape = (COUNT, 4)
    usual, extreme = rng.integers(112, 143, shape), np.array([0, 1, 127, 254, 255])[rng.integers(0, 5, shape)]
    scales = np.choose(rng.integers(0, 4, shape), [rng.integers(0, 256, shape), extreme, usual, usual])
    return scales.astype(np.uint8).view(np.uint32)[:, 0]


def selected_scales(words, bits, select):
    """The scale of each lane of waves of 32. One that is no selection takes any byte."""
    lane = np.arange(COUNT)
    first, low, high = (SELECTIONS[bits] + 16 * [(0, 0, 0)])[select]
    source = lane // 32 * 32 + first + lane % 16
    return (words[source] >> np.where(lane % 32 < 16, 8 * low, 8 * high).astype(np.uint32) & 0xFF).astype(int)


def lower(flag):
    return str(bool(flag)).lower()


def extend(runner, rng, op, chip):
    bits, words = op.bits, max(1, op.count * op.bits // 32)
    rows = words_of(rng, (words + 2, COUNT))
    if words <= 2:  # every byte in every place
        base = np.arange(COUNT, dtype=np.uint32)
        rows[:words] = sum(((base + 64 * k) & 0xFF) << (8 * k) for k in range(4))
    rows[words] = np.tile(SCALES, COUNT // SCALES.size).view(np.uint32)
    rng.shuffle(rows[words])
    scales = [None]
    if op.scale == "scale":
        rows[words] = scale_words(rng)
        scales = CONSTANTS + [(None, select) for select in range(len(SELECTIONS[bits]))]
    rows[words + 1] = to_bits("f16", rng.uniform(-4, 4, COUNT)) | to_bits("f16", rng.uniform(-4, 4, COUNT)) << 16
    table = np.array([decode(op.fields(chip), code) for code in range(1 << bits)])
    halves = (False, True) if op.scale and op.count == 1 and op.wide == "f16" else (None,)
    places = range(8 // bits * 4 // 2 if op.count == 2 else 4) if words == 1 and op.count <= 2 else (0,)
    cases = [(place, half, scale) for place in places for half in halves for scale in scales]
    per = 2 if halves[0] is not None else op.count
    kernel = Kernel(words + 2, per * len(cases), COUNT)
    source = kernel.vector([kernel.load(k) for k in range(words)], "i32")
    scale_word = kernel.load(words)
    scale_value = kernel.cast(scale_word, "i32", "f32")
    old = kernel.cast(kernel.load(words + 1), "i32", "vector<2xf16>")
    result = op.wide if per == 1 else f"vector<{per}x{op.wide}>"
    for s, (place, half, scale) in enumerate(cases):
        operand = source
        if words == 1 and op.count <= 2:
            operand += f"[{lower(place) if op.count == 2 and bits == 8 else place}]"
        if op.scale == "scalef32":
            operand += f", {scale_value}"
        if scale:
            word, select = scale
            word = scale_word if word is None else kernel.emit(f"llvm.mlir.constant({np.uint32(word).view(np.int32)} : i32) : i32")
            operand += f", {word}[{select}]"
        if half is not None:
            operand += f" -> {old}[{lower(half)}]"
        for k, part in enumerate(kernel.elements(kernel.emit(f"{op.name} {operand} : {result}"), op.wide, per)):
            kernel.store_wide(part, op.wide, s * per + k)
    out = runner.run(op.name, chip, kernel, rows)
    for s, (place, half, scale) in enumerate(cases):
        power = exponents(rows[words].view(np.float32)) if op.scale == "scalef32" else np.full(COUNT, 127)
        if scale:
            power = selected_scales(rows[words] if scale[0] is None else np.full(COUNT, scale[0], np.uint32), bits, scale[1])
        for k in range(per):
            if half is not None and k != int(half):
                want = from_bits("f16", rows[words + 1] >> (16 * k) & 0xFFFF)
            else:
                code = fields_of(rows[:words], bits, place * op.count + (k if half is None else 0))
                with np.errstate(all="ignore"):
                    want = round_to(op.wide, np.where(power == 255, np.nan, table[code] * 2.0 ** (power - 127.0)))
            runner.compare(op.name, f"place {place}, scale {scale}, element {k}", from_bits(op.wide, out[s * per + k]), want)


def numbers(rng, grid, scales, count):
    """Every number, every tie and its neighbours, special and random ones, times 2^(e - 127) for each scale."""
    values = [0.0, np.inf, np.nan, 1e-45, 3.4e38, 65504.0, 1e-20]
    for x, y in zip(grid.values, grid.values[1:]):
        middle = np.float32((x + y) / 2)
        values += [x, float(middle), float(np.nextafter(middle, np.float32(np.inf))), float(np.nextafter(middle, np.float32(0)))]
        values += list(rng.uniform(x, y, 2))
    power = exponents(scales) - 127.0
    picked = np.array(values)[rng.integers(0, len(values), count)]
    picked[: min(count, len(values))] = values[:count]
    picked = np.where(rng.integers(0, 2, count), picked, -picked)
    with np.errstate(all="ignore"):
        return (picked * 2.0 ** np.where(power == 128, 0, power)).astype(np.float32)


def truncation_inputs(rng, op, grid):
    """Rows of sources, and the row of scales: of f16 and bf16 every number, with the scale 1 and with some other."""
    if op.wide == "f32":
        scales = np.tile(SCALES, COUNT // SCALES.size) if op.scale else np.ones(COUNT, np.float32)
        rng.shuffle(scales)
        return [numbers(rng, grid, scales, COUNT).view(np.uint32) for _ in range(op.count)], scales
    lanes = (1 << 16) // op.count
    codes = np.arange(1 << 16, dtype=np.uint32).reshape(op.count, lanes)
    scales = np.concatenate([np.ones(lanes, np.float32), SCALES[rng.integers(0, SCALES.size, lanes)]])
    return [np.concatenate([row, row]) for row in codes], scales


def next_random(seed):
    """A step of V_PRNG_B32, as AMD's CDNA4 ISA text has it."""
    return seed << np.uint32(1) ^ np.where(seed >> np.uint32(31), np.uint32(197), np.uint32(0))


def truncate(runner, rng, op, chip):
    grid, bits, count = Grid(op.fields(chip)), op.bits, op.count
    sources, scales = truncation_inputs(rng, op, grid)
    lanes = scales.size
    seed, old = words_of(rng, (2, lanes))
    power = exponents(scales)
    with np.errstate(all="ignore"):
        numbers = [from_bits(op.wide, row) for row in sources]
        # NaN of the scale has the sign of the source.
        scaled = [np.copysign(x * np.where(power == 255, np.nan, 2.0 ** (127.0 - power)), x) for x in numbers]
    seed = np.where(rng.integers(0, 2, lanes), grid.border_seeds(rng, scaled[0]), seed)
    wanted, random = [], seed
    for x in scaled:
        wanted.append(grid.encode(x, random if op.stochastic else None))
        random = next_random(random)

    part = bits * count  # of the register
    places = range(32 // part) if op.keeps_rest else (0,)
    words = 1 if op.keeps_rest else count * bits // 32
    kernel = Kernel(count + 3, words * len(places), lanes)
    values = [kernel.wide(kernel.load(k), op.wide) for k in range(count)]
    operands = values
    if op.pack == "2xpk16":
        operands = [kernel.vector(values[k::2], "f32") for k in range(2)]
    elif count > 2 or op.wide != "f32" or op.stochastic:
        operands = [kernel.vector(values, op.wide)]
    if op.stochastic:
        operands.append(kernel.load(count))
    if op.scale:
        operands.append(kernel.cast(kernel.load(count + 1), "i32", "f32"))
    kind = "vector<2xi16>" if op.scale and part == 16 else "i32" if words == 1 else f"vector<{words}xi32>"
    tied = kernel.cast(kernel.load(count + 2), "i32", kind) if op.keeps_rest else None
    for place in places:
        target = f" -> {tied}[{lower(place) if part == 16 else place}]" if op.keeps_rest else ""
        result = kernel.emit(f"{op.name} {', '.join(operands)}{target} : {kind}")
        parts = [kernel.cast(result, kind, "i32")] if op.keeps_rest else kernel.elements(result, "i32", words)
        for k, word in enumerate(parts):
            kernel.store(word, place * words + k)
    out = runner.run(op.name, chip, kernel, [*sources, seed, scales.view(np.uint32), old])
    for place in places:
        for k, want in enumerate(wanted):
            got = fields_of(out[place * words:], bits, (place * count if op.keeps_rest else 0) + k)
            runner.compare(op.name, f"place {place}, element {k}", got.astype(np.float64), want.astype(np.float64))
        if op.keeps_rest:
            kept = ~np.uint32(((1 << part) - 1) << (part * place))
            runner.compare(op.name, f"place {place}, the rest", (out[place] & kept).astype(np.float64), (old & kept).astype(np.float64))


def pair_to_half(runner, rng, chip):
    """rocdl.cvt.pkrtz: two f32 as f16, towards zero."""
    rows = words_of(rng, (2, 1 << 14))
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)[rng.integers(0, 1 << 16, rows.shape)]
    near = halves.view(np.uint32) + rng.integers(-3, 4, rows.shape).astype(np.uint32)
    rows = np.where(rng.integers(0, 4, rows.shape) > 0, near, rows)
    rows[:, :8] = np.array([0, -0.0, np.inf, -np.inf, np.nan, 65504, 65520, 1e-45], np.float32).view(np.uint32)
    kernel = Kernel(2, 1, rows.shape[1])
    values = [kernel.wide(kernel.load(k), "f32") for k in range(2)]
    kernel.store(kernel.cast(kernel.emit(f"rocdl.cvt.pkrtz {', '.join(values)} : vector<2xf16>"), "vector<2xf16>", "i32"), 0)
    out = runner.run("rocdl.cvt.pkrtz", chip, kernel, rows)[0]
    finite = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float64)
    for k in range(2):
        x = from_bits("f32", rows[k])
        toward = finite[np.searchsorted(finite, np.where(np.isnan(x), 0, np.abs(x)), "right") - 1]
        want = np.where(np.isfinite(x), np.copysign(toward, x), x)
        runner.compare("rocdl.cvt.pkrtz", f"element {k}", from_bits("f16", out >> (16 * k) & 0xFFFF), want)


def permute(runner, rng, chip):
    rows = words_of(rng, (3, COUNT))
    base = np.arange(COUNT, dtype=np.uint32)
    rows[2] = sum(((base * (k + 1) + k) % 256 if k == 3 else (base + 3 * k) % 16) << (8 * k) for k in range(4))
    kernel = Kernel(3, 1, COUNT)
    values = [kernel.load(k) for k in range(3)]
    kernel.store(kernel.emit(f'llvm.call_intrinsic "llvm.amdgcn.perm"({", ".join(values)}) : (i32, i32, i32) -> i32'), 0)
    out = runner.run("perm", chip, kernel, rows)[0]
    both = rows[0].astype(object) << 32 | rows[1].astype(object)
    for k in range(4):
        want = []
        for pair, select in zip(both, rows[2] >> (8 * k) & 0xFF):
            if select < 8:
                want.append(pair >> (8 * int(select)) & 0xFF)
            elif select < 12:
                want.append(0xFF if pair >> (16 * int(select - 8) + 15) & 1 else 0)
            else:
                want.append(0 if select == 12 else 0xFF)
        runner.compare("perm", f"byte {k}", (out >> (8 * k) & 0xFF).astype(np.float64), np.array(want, np.float64))


def offset(runner, rng, chip):
    rows = words_of(rng, (1, COUNT))
    rows[0][:16] = range(16)
    kernel = Kernel(1, 1, COUNT)
    value = kernel.emit(f'llvm.call_intrinsic "llvm.amdgcn.cvt.off.f32.i4"({kernel.load(0)}) : (i32) -> f32')
    kernel.store_wide(value, "f32", 0)
    out = runner.run("cvt.off.f32.i4", chip, kernel, rows)[0]
    nibble = (rows[0] & 15).astype(int)
    runner.compare("cvt.off.f32.i4", "value", from_bits("f32", out), np.where(nibble < 8, nibble, nibble - 16) / 16.0)


def list_operations(include):
    """The names of rocdl.cvt.* from the TableGen file of the dialect."""
    path = os.path.join(include, "mlir", "Dialect", "LLVMIR", "ROCDLOps.td")
    text = subprocess.run(["mlir-tblgen", "-gen-op-doc", "-I", include, path], check=True, capture_output=True, text=True).stdout
    return sorted(set(re.findall(r"rocdl\.cvt\.[\w.]*\w", text)))


def main():
    folder, fly_run, include, *chips = sys.argv[1:]
    names = list_operations(include)
    runner, rng = Runner(folder, fly_run), np.random.default_rng(5)
    operations = [Operation(name) for name in names if name != "rocdl.cvt.pkrtz"]
    for chip in chips:
        pair_to_half(runner, rng, chip)
        for op in operations:
            if op.runs_on(chip):
                (truncate if op.is_truncation else extend)(runner, rng, op, chip)
    for chip in chips:
        refused = runner.refuse(chip, [op.name for op in operations if not op.runs_on(chip)])
        print(f"{chip}: {len(names) - refused} of {len(names)} operations run, {refused} are refused")
    permute(runner, rng, chips[0])
    offset(runner, rng, chips[0])
    print(f"{runner.done} kernels, {runner.wrong} wrong")
    return 1 if runner.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
