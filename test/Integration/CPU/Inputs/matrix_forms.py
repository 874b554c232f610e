# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The forms of each matrix atom on the CPU: they must give the same bits.

usage: matrix_forms.py FOLDER FLY_RUN PAGE CHIP...

PAGE is docs/MatrixInstructions.md, whose tables are those of the rows. For each
row with an atom that one of the chips has, a kernel loads random bits and runs
the atom four times: on values, with a result; on values, with memory for the
result; on global memory; and on register memory.
"""
import os
import re
import subprocess
import sys

import numpy as np

SIZES = {"f64": 64, "i64": 64, "f32": 32, "i32": 32, "xf32": 32, "f16": 16, "bf16": 16, "i16": 16, "i8": 8, "i4": 4}
SIZES.update({f"f{n}{kind}": n for n, kinds in {8: ("E4M3FN", "E5M2", "E4M3FNUZ", "E5M2FNUZ"), 6: ("E2M3FN", "E3M2FN"),
                                                4: ("E2M1FN",)}.items() for kind in kinds})
FORMS = ("values", "values to memory", "global memory", "register memory")


def bits(register):
    """Bits of 'vector<4xf16>' or 'i64'."""
    found = re.fullmatch(r"vector<(\d+)x(\w+)>", register)
    return int(found[1]) * SIZES[found[2]] if found else SIZES[register]


class Row:
    def __init__(self, family, cells, types):
        shape = cells[0].split(", ")
        self.family, self.mnk, self.fields = family, shape[0], shape[1:]
        self.a, self.b, self.acc = re.fullmatch(r"\((\w+), (\w+)\) -> (\w+)", types).groups()
        registers = cells[2].split(" and ")
        self.reg_a, self.reg_b, self.reg_c = registers[0], registers[-1], cells[4]
        self.chips = cells[7].split(", ")
        self.lanes = 64 if family.startswith("cdna") else 32
        self.scale = 0
        if family == "cdna4.mfma_scale":
            self.scale = 32
        elif family == "gfx1250.wmma_scale":
            self.scale = 64 if "blockSize = 16" in self.fields else 32

    def name(self):
        return " ".join([self.family, self.mnk, f"({self.a}, {self.b}) -> {self.acc}"] + self.fields)

    def is_atom(self):
        return "no atom" not in self.fields

    def atom(self):
        fields = list(self.fields)
        if self.a == "xf32":
            fields.append("xf32 = true")
        elif self.family == "cdna4.mfma_scale":
            fields = ["opselA = 1", "opselB = 3"]
        elif self.family == "gfx1250.wmma_scale":
            fields = ["opselA = 0", "opselB = 1", "modC = 1", "reuseA = false", "reuseB = false"] + fields
        elif self.family != "cdna3.mfma":
            signs = "true" if self.acc == "i32" else "false"
            fields = [f"signA = {signs}", "signB = false", f"clamp = {signs}"]
        a, b = (kind.replace("xf32", "f32") for kind in (self.a, self.b))
        return f"!fly.mma_atom<!fly_rocdl.{self.family}<{', '.join([f'{self.mnk}, ({a}, {b}) -> {self.acc}'] + fields)}>>"

    def words(self):
        """32-bit words of a lane of A, B, C and the scales."""
        return [bits(self.reg_a) // 32, bits(self.reg_b) // 32, bits(self.reg_c) // 32, self.scale // 32, self.scale // 32]


def rows_of(page):
    family, rows = None, []
    for line in open(page, encoding="utf-8"):
        if line.startswith("## `"):
            family = line.split("`")[1]
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if line.startswith("| ") and len(cells) == 8 and cells[0] != "shape":
            rows += [Row(family, cells, types) for types in cells[1].split("; ")]
    return [row for row in rows if row.is_atom()]


def memref(kind, space, count):
    return f"!fly.memref<{kind}, {space}, {count}:1>"


def kernel(row, number):
    text = []
    emit = text.append
    words, stride = row.words(), sum(row.words())
    emit(f"gpu.func @k{number}(%in: !fly.ptr<i32, global>, %out: !fly.ptr<i32, global>) kernel {{")
    emit("  %t = gpu.thread_id x")
    emit("  %lane = arith.index_cast %t : index to i32")
    emit("  %m = fly.make_mma_atom : " + row.atom())

    def pointer(base, lane, lane_words, offset):
        """A pointer to word `offset` of the lane's part of an array."""
        tag = f"{len(text)}"
        emit(f"  %s{tag} = arith.constant {lane_words} : i32")
        emit(f"  %f{tag} = arith.constant {offset} : i32")
        emit(f"  %x{tag} = arith.muli {lane}, %s{tag} : i32")
        emit(f"  %y{tag} = arith.addi %x{tag}, %f{tag} : i32")
        emit(f"  %o{tag} = fly.make_int_tuple(%y{tag}) : (i32) -> !fly.int_tuple<?>")
        emit(f"  %p{tag} = fly.add_offset({base}, %o{tag}) : (!fly.ptr<i32, global>, !fly.int_tuple<?>) -> "
             "!fly.ptr<i32, global>")
        return f"%p{tag}"

    def view(base, kind, count):
        """The memory at a pointer as `count` elements."""
        tag = f"{len(text)}"
        if kind != "i32":
            emit(f"  %r{tag} = fly.recast_iter({base}) : (!fly.ptr<i32, global>) -> !fly.ptr<{kind}, global>")
            base = f"%r{tag}"
        emit(f"  %l{tag} = fly.static : !fly.layout<{count}:1>")
        emit(f"  %v{tag} = fly.make_view({base}, %l{tag}) : (!fly.ptr<{kind}, global>, !fly.layout<{count}:1>) -> "
             + memref(kind, "global", count))
        return f"%v{tag}"

    def load(base, register):
        """The words at a pointer as a register."""
        tag, count = f"{len(text)}", bits(register) // 32
        source = view(base, "i32", count)
        emit(f"  %w{tag} = fly.memref.load_vec({source}) : ({memref('i32', 'global', count)}) -> vector<{count}xi32>")
        emit(f"  %z{tag} = llvm.bitcast %w{tag} : vector<{count}xi32> to {register}")
        return f"%z{tag}"

    lane = "%lane"
    if row.family == "gfx11.wmma":
        # Both halves of the wave hold the same A and B.
        emit("  %c16 = arith.constant 16 : i32")
        emit("  %low = arith.remui %lane, %c16 : i32")
        lane = "%low"
    offsets = [sum(words[:i]) for i in range(5)]
    at_a, at_b = (pointer("%in", lane, stride, offset) for offset in offsets[:2])
    at_c, at_sa, at_sb = (pointer("%in", "%lane", stride, offset) for offset in offsets[2:])
    at_d = [pointer("%out", "%lane", words[2], form * row.lanes * words[2]) for form in range(4)]
    scale = f"i{row.scale}"

    def group(value, scale_value):
        return f"[{value}, {scale_value}]" if row.scale else value

    def types(a, b, scale_type):
        return f"{a}, {scale_type}, {b}, {scale_type}" if row.scale else f"{a}, {b}"

    # Values.
    a, b, c = load(at_a, row.reg_a), load(at_b, row.reg_b), load(at_c, row.reg_c)
    sa, sb = (load(at_sa, scale), load(at_sb, scale)) if row.scale else ("", "")
    operands = f"{group(a, sa)}, {group(b, sb)}, {c}"
    operand_types = f"{types(row.reg_a, row.reg_b, scale)}, {row.reg_c}"
    emit(f"  %d = fly.mma_atom_call_ssa(%m, {operands}) : ({row.atom()}, {operand_types}) -> {row.reg_c}")
    emit(f"  %dw = llvm.bitcast %d : {row.reg_c} to vector<{words[2]}xi32>")
    target = view(at_d[0], "i32", words[2])
    emit(f"  fly.memref.store_vec(%dw, {target}) : (vector<{words[2]}xi32>, {memref('i32', 'global', words[2])}) -> ()")

    # Values, and memory of the accumulator's elements for the result.
    def elements(kind, register):
        return kind.replace("xf32", "f32"), bits(register) // SIZES[kind]

    kind_a, count_a = elements(row.a, row.reg_a)
    kind_b, count_b = elements(row.b, row.reg_b)
    kind_c, count_c = elements(row.acc, row.reg_c)
    target = view(at_d[1], kind_c, count_c)
    emit(f"  fly.mma_atom_call_ssa(%m, {operands}) dst = {target} : ({row.atom()}, {memref(kind_c, 'global', count_c)}, "
         f"{operand_types}) -> ()")

    # Memory: where the operands lie, and copies in registers.
    views = [view(at_a, kind_a, count_a), view(at_b, kind_b, count_b), view(at_c, kind_c, count_c)]
    scales = [view(at, "i32", words[3]) for at in (at_sa, at_sb)] if row.scale else ["", ""]
    scale_memory = memref("i32", "global", words[3])
    target = view(at_d[2], kind_c, count_c)

    def call(space, d, a, b, c):
        kinds = [memref(kind, space, count)
                 for kind, count in ((kind_c, count_c), (kind_a, count_a), (kind_b, count_b), (kind_c, count_c))]
        emit(f"  fly.mma_atom_call(%m, {d}, {group(a, scales[0])}, {group(b, scales[1])}, {c}) : ({row.atom()}, {kinds[0]}, "
             f"{types(kinds[1], kinds[2], scale_memory)}, {kinds[3]}) -> ()")

    call("global", target, *views)
    copies = []
    for source, kind, count in zip(views + [None], (kind_a, kind_b, kind_c, kind_c), (count_a, count_b, count_c, count_c)):
        tag = f"{len(text)}"
        emit(f"  %l{tag} = fly.static : !fly.layout<{count}:1>")
        emit(f"  %q{tag} = fly.memref.alloca(%l{tag}) : (!fly.layout<{count}:1>) -> {memref(kind, 'register', count)}")
        if source:
            emit(f"  %u{tag} = fly.memref.load_vec({source}) : ({memref(kind, 'global', count)}) -> vector<{count}x{kind}>")
            emit(f"  fly.memref.store_vec(%u{tag}, %q{tag}) : (vector<{count}x{kind}>, {memref(kind, 'register', count)}) -> ()")
        copies.append(f"%q{tag}")
    call("register", copies[3], *copies[:3])
    target = view(at_d[3], kind_c, count_c)
    emit(f"  %e = fly.memref.load_vec({copies[3]}) : ({memref(kind_c, 'register', count_c)}) -> vector<{count_c}x{kind_c}>")
    emit(f"  fly.memref.store_vec(%e, {target}) : (vector<{count_c}x{kind_c}>, {memref(kind_c, 'global', count_c)}) -> ()")
    emit("  gpu.return\n}")
    return "\n".join(text)


def module(rows, places):
    """The kernels and a function that launches them on their parts of the arrays; `places` are (input, output)."""
    array = "!fly.memref<i32, global, ?:1>"
    text = ["module attributes {gpu.container_module} {", "gpu.module @k {"]
    text += [kernel(row, i) for i, row in enumerate(rows)]
    text += ["}", f"func.func @all(%in: {array}, %out: {array}) {{", "  %one = arith.constant 1 : index",
             f"  %lanes = arith.constant {rows[0].lanes} : index",
             f"  %p = fly.get_iter(%in) : ({array}) -> !fly.ptr<i32, global>",
             f"  %q = fly.get_iter(%out) : ({array}) -> !fly.ptr<i32, global>"]
    for i, place in enumerate(places):
        for name, base, offset in zip(("a", "b"), ("%p", "%q"), place):
            text.append(f"  %o{name}{i} = fly.static : !fly.int_tuple<{offset}>")
            text.append(f"  %{name}{i} = fly.add_offset({base}, %o{name}{i}) : (!fly.ptr<i32, global>, "
                        f"!fly.int_tuple<{offset}>) -> !fly.ptr<i32, global>")
        text.append(f"  gpu.launch_func @k::@k{i} blocks in (%one, %one, %one) threads in (%lanes, %one, %one) "
                    f"args(%a{i} : !fly.ptr<i32, global>, %b{i} : !fly.ptr<i32, global>)")
    return "\n".join(text + ["  return", "}", "}"]) + "\n"


def fill(row, rng):
    """Random bits that the instruction takes."""
    words = row.words()
    data = rng.integers(0, 1 << 32, (row.lanes, sum(words)), dtype=np.uint64).astype(np.uint32)
    if row.a == "xf32":
        # More than ten bits of mantissa are refused.
        data[:, :words[0] + words[1]] &= 0xFFFFE000
    if row.scale:
        data[:, sum(words[:3]):] = data[:, sum(words[:3]):] & 0x07070707 | 0x78787878
    return data


def main():
    folder, fly_run, page, chips = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    os.makedirs(folder, exist_ok=True)
    rows, wrong = rows_of(page), 0
    left = list(rows)
    for chip in chips:
        mine = [row for row in left if chip in row.chips]
        left = [row for row in left if row not in mine]
        rng = np.random.default_rng(11)
        parts = [fill(row, rng).reshape(-1) for row in mine]
        results = [4 * row.lanes * row.words()[2] for row in mine]
        places = [(sum(len(part) for part in parts[:i]), sum(results[:i])) for i in range(len(mine))]
        path, source, target = (os.path.join(folder, chip + end) for end in (".mlir", "_in.npy", "_out.npy"))
        with open(path, "w", encoding="utf-8") as file:
            file.write(module(mine, places))
        np.save(source, np.concatenate(parts).view(np.int32))
        subprocess.run([fly_run, path, "--chip=" + chip, "--device=cpu", "--function=all", f"--input=@{source}",
                        f"--input={sum(results)}xi32=0", f"--output=1:@{target}"], check=True, stdout=subprocess.DEVNULL)
        out = np.load(target)
        for row, (_, first), count in zip(mine, places, results):
            forms = out[first:first + count].reshape(4, -1)
            if not forms[0].any():
                wrong += 1
                print(f"wrong: {chip} {row.name()}: all zero")
            for form, result in zip(FORMS[1:], forms[1:]):
                if not np.array_equal(result, forms[0]):
                    wrong += 1
                    print(f"wrong: {chip} {row.name()}: {form} gives other bits than values")
        print(f"{chip}: {len(mine)} atoms")
    for row in left:
        wrong += 1
        print("wrong: no chip for", row.name())
    print(len(rows), "atoms in all")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
