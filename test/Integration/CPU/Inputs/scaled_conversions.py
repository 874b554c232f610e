# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The raw conversions of gfx950 that scale, v_perm_b32 and v_cvt_off_f32_i4, on the CPU.

usage: scaled_conversions.py FOLDER FLY_RUN

One kernel for each operation: every code of the narrow type in every place, and for
the other direction every number, every tie and the numbers beside it, special values
and random ones, under scales of all kinds. Expected are values by exact arithmetic on
the fields of each type (narrow_floats.py).
"""
import os
import subprocess
import sys

import numpy as np
from narrow_floats import TYPES, Encoder, decode, width

COUNT = 1024
NARROW = {"fp8": "f8E4M3FN", "bf8": "f8E5M2", "fp6": "f6E2M3FN", "bf6": "f6E3M2FN", "fp4": "f4E2M1FN"}
# Only the exponent counts: neither sign nor mantissa. 0 and denormals are 2^-127, 255 is NaN.
SCALES = np.array([1, 1, 1, -1.75, 2.0**10 * 1.5, 2.0**-20, 2.0**100, 2.0**127, 2.0**-126, 0, 1e-40, 3.0, 0.3, 2.0**-60, np.inf, -np.nan],
                  np.float32)


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


class Module:
    """The text of a module with one kernel from rows of i32 to rows of i32."""

    def __init__(self, inputs, outputs):
        self.inputs, self.outputs, self.lines, self.number = inputs, outputs, [], 0

    def emit(self, text, result=True):
        self.number += 1
        self.lines.append(f"      %v{self.number} = {text}" if result else "      " + text)
        return f"%v{self.number}"

    def memref(self, rows):
        return f"!fly.memref<i32, global, ({rows},{COUNT}):({COUNT},1)>"

    def load(self, row):
        at = self.emit(f"fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<({row},?)>")
        return self.emit(f"fly.memref.load(%in, {at}) : ({self.memref(self.inputs)}, !fly.int_tuple<({row},?)>) -> i32")

    def store(self, value, row):
        at = self.emit(f"fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<({row},?)>")
        self.emit(f"fly.memref.store({value}, %out, {at}) : (i32, {self.memref(self.outputs)}, !fly.int_tuple<({row},?)>) -> ()", False)

    def cast(self, value, source, target):
        return value if source == target else self.emit(f"llvm.bitcast {value} : {source} to {target}")

    def wide(self, word, wide):
        """The low bits of an i32 as a float."""
        if wide == "f32":
            return self.cast(word, "i32", "f32")
        return self.cast(self.emit(f"llvm.trunc {word} : i32 to i16"), "i16", wide)

    def store_wide(self, value, wide, row):
        if wide == "f32":
            return self.store(self.cast(value, "f32", "i32"), row)
        return self.store(self.emit(f"llvm.zext {self.cast(value, wide, 'i16')} : i16 to i32"), row)

    def text(self):
        source, target = self.memref(self.inputs), self.memref(self.outputs)
        body = "\n".join(self.lines)
        return f"""module attributes {{gpu.container_module}} {{
  gpu.module @kernels {{
    gpu.func @convert(%in: {source}, %out: {target}) kernel {{
      %tid = gpu.thread_id x
      %bid = gpu.block_id x
      %c64 = arith.constant 64 : index
      %first = arith.muli %bid, %c64 : index
      %sum = arith.addi %first, %tid : index
      %i = arith.index_cast %sum : index to i32
{body}
      gpu.return
    }}
  }}
  func.func @host(%in: {source}, %out: {target}) {{
    %c1 = arith.constant 1 : index
    %grid = arith.constant {COUNT // 64} : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@convert blocks in (%grid, %c1, %c1) threads in (%c64, %c1, %c1) args(%in : {source}, %out : {target})
    return
  }}
}}
"""


class Runner:
    def __init__(self, folder, fly_run):
        self.folder, self.fly_run, self.wrong, self.done = folder, fly_run, 0, 0

    def run(self, name, module, rows):
        """The output rows for the input rows, both of uint32."""
        path, source, target = (os.path.join(self.folder, name + suffix) for suffix in (".mlir", ".in.npy", ".out.npy"))
        with open(path, "w", encoding="utf-8") as file:
            file.write(module.text())
        np.save(source, np.ascontiguousarray(rows).view(np.int32))
        subprocess.run([self.fly_run, path, "--chip=gfx950", "--device=cpu", "--opt-level=0", f"--input=@{source}",
                        f"--input={module.outputs}x{COUNT}xi32=0", f"--output=1:@{target}"], check=True, stdout=subprocess.DEVNULL)
        self.done += 1
        return np.load(target).view(np.uint32)

    def compare(self, name, what, got, want):
        same = (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)
        for i in np.flatnonzero(~same)[:3]:
            print(f"{name}: wrong: {what}, lane {i}: got {got[i]!r}, expected {want[i]!r}")
        self.wrong += int((~same).any())


def extend(runner, rng, wide, narrow):
    """To a wide type: single ones, pairs, or 32 of six bits."""
    fields = TYPES[NARROW[narrow]]
    bits = width(fields)
    words = 6 if bits == 6 else 1
    count = 32 if bits == 6 else 2
    forms = [("pk32." if bits == 6 else "pk.", [(None, None)] if bits == 6 else [(s, None) for s in range(4 if bits == 4 else 2)])]
    if bits == 8 and wide == "f32":
        forms.append(("", [(s, None) for s in range(4)]))
    if bits == 8 and wide == "f16":
        forms.append(("", [(s, half) for s in range(4) for half in (False, True)]))
    rows = rng.integers(0, 1 << 32, (words + 2, COUNT), dtype=np.uint64).astype(np.uint32)
    if bits != 6:  # every byte in every place
        base = np.arange(COUNT, dtype=np.uint32)
        rows[0] = sum(((base + 64 * k) & 0xFF) << (8 * k) for k in range(4))
    rows[words] = np.tile(SCALES, COUNT // SCALES.size).repeat(1).view(np.uint32)
    rng.shuffle(rows[words])
    rows[words + 1] = to_bits("f16", rng.uniform(-4, 4, COUNT)) | to_bits("f16", rng.uniform(-4, 4, COUNT)) << 16
    stream = np.zeros((COUNT, words * 32), np.uint8)
    for bit in range(words * 32):
        stream[:, bit] = rows[bit // 32] >> (bit % 32) & 1
    power = exponents(rows[words].view(np.float32))
    table = np.array([decode(fields, code) for code in range(1 << bits)])

    def expected(index):
        code = sum(stream[:, index * bits + k].astype(int) << k for k in range(bits))
        with np.errstate(all="ignore"):
            value = np.where(power == 255, np.nan, table[code] * 2.0 ** (power - 127.0))
        return round_to(wide, value)

    for prefix, selections in forms:
        single = prefix == ""
        per = 1 if single and wide == "f32" else count
        module = Module(words + 2, per * len(selections))
        source = [module.load(k) for k in range(words)]
        scale = module.cast(module.load(words), "i32", "f32")
        old = module.cast(module.load(words + 1), "i32", "vector<2xf16>")
        name = f"cvt.scalef32.{prefix}{wide}.{narrow}"
        if words > 1:
            registers = module.emit(f"vector.from_elements {', '.join(source)} : vector<6xi32>")
        for s, (selected, half) in enumerate(selections):
            operand = registers if words > 1 else f"{source[0]}[{selected if bits == 4 or single else str(bool(selected)).lower()}]"
            tied = f" -> {old}[{str(half).lower()}]" if half is not None else ""
            result = wide if per == 1 else f"vector<{per}x{wide}>"
            value = module.emit(f"rocdl.{name} {operand}, {scale}{tied} : {result}")
            for k in range(per):
                part = value if per == 1 else module.emit(f"vector.extract {value}[{k}] : {wide} from {result}")
                module.store_wide(part, wide, s * per + k)
        out = runner.run(name, module, rows)
        for s, (selected, half) in enumerate(selections):
            for k in range(per):
                got = from_bits(wide, out[s * per + k])
                if half is not None and k != int(half):
                    want = from_bits("f16", rows[words + 1] >> (16 * k) & 0xFFFF)
                else:
                    want = expected((selected or 0) if single else (selected or 0) * count + k)
                runner.compare(name, f"place {selected}, element {k}", got, want)


def numbers(rng, fields, scales):
    """Every number, every tie and its neighbours, special and random ones, times 2^(e - 127) for each scale."""
    encoder = Encoder(fields)
    values = [0.0, np.inf, np.nan, 1e-45, 3.4e38, 65504.0, 1e-20]
    for x, y in zip(encoder.values, encoder.values[1:] + [2 * encoder.limit - encoder.values[-1]]):
        middle = np.float32(float((x + y) / 2))
        values += [float(x), float(middle), float(np.nextafter(middle, np.float32(np.inf))), float(np.nextafter(middle, np.float32(0)))]
    power = exponents(scales) - 127.0
    picked = np.array(values)[rng.integers(0, len(values), COUNT)]
    picked[: min(COUNT, len(values))] = values[:COUNT]
    picked = np.where(rng.integers(0, 2, COUNT), picked, -picked)
    with np.errstate(all="ignore"):
        return (picked * 2.0 ** np.where(power == 128, 0, power)).astype(np.float32)


def truncate(runner, rng, wide, narrow):
    fields = TYPES[NARROW[narrow]]
    bits, encoder = width(fields), Encoder(fields)
    count = 32 if bits == 6 else 2
    scales = np.tile(SCALES, COUNT // SCALES.size)
    rng.shuffle(scales)
    sources = [to_bits(wide, numbers(rng, fields, scales).astype(np.float64)) for _ in range(count)]
    old = rng.integers(0, 1 << 32, COUNT, dtype=np.uint64).astype(np.uint32)
    rows = np.array(sources + [scales.view(np.uint32), old])
    power = exponents(scales)

    def expected(index):
        numbers = from_bits(wide, sources[index])
        with np.errstate(all="ignore"):
            scaled = numbers * 2.0 ** (127.0 - power)
        codes = []
        for number, value, e in zip(numbers, scaled, power):
            code = encoder(np.nan if e == 255 else value)[0]
            if code == "nan":
                # Types without NaN have the largest number.
                code = {"fp8": 0x7F, "bf8": 0x7E}.get(narrow, (1 << (bits - 1)) - 1)
                code |= int(np.signbit(number)) << (bits - 1)
            codes.append(code)
        return np.array(codes, np.uint32)

    wanted = [expected(k) for k in range(count)]
    places = [None] if bits == 6 else range(4 if bits == 4 else 2)
    outputs = 6 if bits == 6 else len(places)
    module = Module(count + 2, outputs)
    values = [module.wide(module.load(k), wide) for k in range(count)]
    scale = module.cast(module.load(count), "i32", "f32")
    word = module.load(count + 1)
    interleaved = bits == 6 and wide == "f32"
    name = f"cvt.scalef32.{'2xpk16' if interleaved else 'pk32' if bits == 6 else 'pk'}.{narrow}.{wide}"
    if interleaved:
        operands = [module.emit(f"vector.from_elements {', '.join(values[k::2])} : vector<16xf32>") for k in range(2)]
    elif bits == 6 or wide != "f32":
        operands = [module.emit(f"vector.from_elements {', '.join(values)} : vector<{count}x{wide}>")]
    else:
        operands = values
    if bits == 6:
        result = module.emit(f"rocdl.{name} {', '.join(operands)}, {scale} : vector<6xi32>")
        for k in range(6):
            module.store(module.emit(f"vector.extract {result}[{k}] : i32 from vector<6xi32>"), k)
    else:
        kind = "i32" if bits == 4 else "vector<2xi16>"
        tied = module.cast(word, "i32", kind)
        for s in places:
            place = s if bits == 4 else str(bool(s)).lower()
            result = module.emit(f"rocdl.{name} {', '.join(operands)}, {scale} -> {tied}[{place}] : {kind}")
            module.store(module.cast(result, kind, "i32"), s)
    out = runner.run(name, module, rows)
    for s in range(outputs) if bits != 6 else [0]:
        for k in range(count):
            bit = bits * k + (8 if bits == 4 else 16) * s if bits != 6 else 6 * k
            low = out[bit // 32] if bits == 6 else out[s]
            got = low >> (bit % 32)
            if bits == 6 and bit % 32 > 26:
                got = got | out[bit // 32 + 1] << (32 - bit % 32)
            got = got & ((1 << bits) - 1)
            want = wanted[k]
            runner.compare(name, f"place {s}, element {k}", got.astype(np.float64), want.astype(np.float64))
        if bits != 6:
            kept = ~np.uint32(((1 << 2 * bits) - 1) << (2 * bits * s))
            runner.compare(name, f"place {s}, the rest", (out[s] & kept).astype(np.float64), (old & kept).astype(np.float64))


def permute(runner, rng):
    rows = rng.integers(0, 1 << 32, (3, COUNT), dtype=np.uint64).astype(np.uint32)
    base = np.arange(COUNT, dtype=np.uint32)
    rows[2] = sum(((base * (k + 1) + k) % 256 if k == 3 else (base + 3 * k) % 16) << (8 * k) for k in range(4))
    module = Module(3, 1)
    values = [module.load(k) for k in range(3)]
    module.store(module.emit(f'llvm.call_intrinsic "llvm.amdgcn.perm"({", ".join(values)}) : (i32, i32, i32) -> i32'), 0)
    out = runner.run("perm", module, rows)[0]
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


def offset(runner, rng):
    rows = rng.integers(0, 1 << 32, (1, COUNT), dtype=np.uint64).astype(np.uint32)
    rows[0][:16] = range(16)
    module = Module(1, 1)
    value = module.emit(f'llvm.call_intrinsic "llvm.amdgcn.cvt.off.f32.i4"({module.load(0)}) : (i32) -> f32')
    module.store_wide(value, "f32", 0)
    out = runner.run("cvt.off.f32.i4", module, rows)[0]
    nibble = (rows[0] & 15).astype(int)
    runner.compare("cvt.off.f32.i4", "value", from_bits("f32", out), np.where(nibble < 8, nibble, nibble - 16) / 16.0)


def main():
    folder, fly_run = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    runner, rng = Runner(folder, fly_run), np.random.default_rng(5)
    for narrow in NARROW:
        for wide in ("f32", "f16", "bf16"):
            extend(runner, rng, wide, narrow)
            truncate(runner, rng, wide, narrow)
    permute(runner, rng)
    offset(runner, rng)
    print(f"{runner.done} operations, {runner.wrong} wrong")
    return 1 if runner.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
