# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each copy atom in its memory form and in its register form, with and without a predicate, on the CPU device.

usage: copy_forms.py DIRECTORY FLY-RUN CHIP...

Each atom is a kernel of one wave. Both forms work on arrays of their own; both are held against numbers that are
computed here. Where the predicate (every third lane) is false, a lane does nothing: registers, memory and LDS stay.
"""
import subprocess
import sys
from pathlib import Path

import numpy as np

BUFFER = "#fly_rocdl.buffer_desc"
WORDS = 256  # of each array: four a lane of a wave of 64
OLD = -77  # what registers hold before


class Case:
    """One kernel: its text, and the arrays after it."""

    def __init__(self, name, chips, body, expected):
        self.name, self.chips, self.body, self.expected = name, chips, body, expected


def vector(element, count):
    return element if count == 1 else f"vector<{count}x{element}>"


WIDTH = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "f32": 32, "f64": 64, "f16": 16, "bf16": 16}


def view(name, pointer, element, space, count):
    """Text that makes %name the lane's `count` elements of the i32 pointer `pointer` of `space`."""
    to, own = f"!fly.ptr<{element}, {space}, align<16>>", pointer_type(element, space, count)
    lines, start = [], pointer
    if element != "i32":
        lines, start = [f"%{name}_p = fly.recast_iter({pointer}) : (!fly.ptr<i32, {space}, align<16>>) -> {to}"], f"%{name}_p"
    lines += [
        f"%{name}_n = arith.constant {count} : i32",
        f"%{name}_i = arith.muli %tid, %{name}_n : i32",
        f"%{name}_t = fly.make_int_tuple(%{name}_i) : (i32) -> !fly.int_tuple<?{{div={count}}}>",
        f"%{name}_q = fly.add_offset({start}, %{name}_t) : ({to}, !fly.int_tuple<?{{div={count}}}>) -> {own}",
        f"%{name}_l = fly.static : !fly.layout<{count}:1>",
        f"%{name} = fly.make_view(%{name}_q, %{name}_l) : ({own}, !fly.layout<{count}:1>) -> {view_type(element, space, count)}",
    ]
    return lines


def alignment(element, count):
    """What each lane's place keeps: three dwords are aligned to one."""
    bits = WIDTH[element] * count
    return 4 if bits == 96 else bits // 8


def view_type(element, space, count):
    return f"!fly.memref<{element}, {space}, {count}:1, align<{alignment(element, count)}>>"


def pointer_type(element, space, count):
    return f"!fly.ptr<{element}, {space}, align<{alignment(element, count)}>>"


def register(name, element, count, value=None):
    """Text that makes %name a register tensor, which holds `value`."""
    kind = f"!fly.memref<{element}, register, {count}:1>"
    lines = [f"%{name}_l = fly.static : !fly.layout<{count}:1>", f"%{name} = fly.memref.alloca(%{name}_l) : (!fly.layout<{count}:1>) -> {kind}"]
    if value and count == 1:
        lines += [f"%{name}_z = fly.make_int_tuple() : () -> !fly.int_tuple<0>",
                  f"fly.memref.store({value}, %{name}, %{name}_z) : ({element}, {kind}, !fly.int_tuple<0>) -> ()"]
    elif value:
        lines.append(f"fly.memref.store_vec({value}, %{name}) : ({vector(element, count)}, {kind}) -> ()")
    return lines, kind


def read_register(name, register_name, element, count, kind):
    if count == 1:
        return [f"%{name}_z = fly.make_int_tuple() : () -> !fly.int_tuple<0>",
                f"%{name} = fly.memref.load(%{register_name}, %{name}_z) : ({kind}, !fly.int_tuple<0>) -> {element}"]
    return [f"%{name} = fly.memref.load_vec(%{register_name}) : ({kind}) -> {vector(element, count)}"]


PRED = "!fly.memref<i1, register, 1:1>"


def call_memory(atom, src, src_type, dst, dst_type, predicated):
    if predicated:
        return [f"fly.copy_atom_call(%a, {src}, {dst}, %pred) : ({atom}, {src_type}, {dst_type}, {PRED}) -> ()"]
    return [f"fly.copy_atom_call(%a, {src}, {dst}) : ({atom}, {src_type}, {dst_type}) -> ()"]


def call_registers(atom, src, src_type, dst, dst_type, predicated, result=None, result_type=None):
    """The register form; `dst` may be None where a result is wanted."""
    operands, types = [src], [src_type]
    if dst:
        operands.append(dst)
        types.append(dst_type)
    if predicated:
        operands.append("%p")
        types.append("i1")
    sizes = f"{{operandSegmentSizes = array<i32: 1, 1, {int(bool(dst))}, {int(predicated)}>}}"
    head = f"{result} = " if result else ""
    tail = result_type if result else "()"
    return [f"{head}fly.copy_atom_call_ssa(%a, {', '.join(operands)}) {sizes} : ({atom}, {', '.join(types)}) -> {tail}"]


def constant(name, element, count, value):
    kind = vector(element, count)
    if element.startswith("f") or element.startswith("bf"):
        value = f"{float(value)}"
    text = value if count == 1 else f"dense<{value}>"
    return [f"{name} = arith.constant {text} : {kind}"]


def atom_of(body, bits):
    return f"!fly.copy_atom<{body}, {bits}>"


def buffer_of(pointer, name):
    """A buffer of all words at a global pointer."""
    return [f"%{name}_s = arith.constant 0 : i16", f"%{name}_b = arith.constant {4 * WORDS} : i64",
            f"%{name}_f = arith.constant 159744 : i32",
            f"%{name} = fly.make_ptr({pointer}, %{name}_s, %{name}_b, %{name}_f) : (!P, i16, i64, i32) -> !fly.ptr<i32, {BUFFER}, align<16>>"]


def make(bits_of_value, atom):
    return [f"%a = fly.make_copy_atom {{valBits = {bits_of_value} : i32}} : {atom}"]


def active(lane, predicated):
    return not predicated or lane % 3 == 0


def elements_of(words, dtype):
    return words.view(dtype)


# -- loads to registers and stores ---------------------------------------------

SHAPES = {8: ("i8", 1, np.int8), 16: ("i16", 1, np.int16), 32: ("i32", 1, np.int32), 64: ("i32", 2, np.int32), 96: ("i32", 3, np.int32), 128: ("i32", 4, np.int32)}


def load_case(name, chips, atom_body, bits, space, predicated):
    element, count, dtype = SHAPES[bits]
    atom = atom_of(atom_body, WIDTH[element])
    kind = vector(element, count)
    source = "%x" if space == "global" else "%buffer"
    body = make(WIDTH[element], atom) + (buffer_of("%x", "buffer") if space == BUFFER else [])
    body += view("src", source, element, space, count) + constant("%fill", element, count, OLD)
    lines, register_type = register("r", element, count, "%fill")
    body += lines + call_memory(atom, "%src", view_type(element, space, count), "%r", register_type, predicated)
    body += read_register("m", "r", element, count, register_type)
    body += call_registers(atom, "%src", view_type(element, space, count), "%fill" if predicated else None, kind, predicated, "%v", kind)
    for value, out in (("%m", "mem"), ("%v", "ssa")):
        body += view(f"{out}_to", f"%{out}", element, "global", count)
        body.append(f"fly.ptr.store({value}, %{out}_to_q) : ({kind}, {pointer_type(element, 'global', count)}) -> ()")

    def expected(lanes, x, mem):
        result = mem.copy()
        new, data = elements_of(result, dtype), elements_of(x, dtype)
        for lane in range(lanes):
            own = slice(lane * count, (lane + 1) * count)
            new[own] = data[own] if active(lane, predicated) else OLD
        return result

    return Case(name, chips, body, expected)


def store_case(name, chips, atom_body, bits, space, predicated):
    element, count, dtype = SHAPES[bits]
    atom, kind = atom_of(atom_body, WIDTH[element]), vector(element, count)
    body = make(WIDTH[element], atom) + view("src", "%x", element, "global", count)
    body.append(f"%data = fly.ptr.load(%src_q) : ({pointer_type(element, 'global', count)}) -> {kind}")
    lines, register_type = register("r", element, count, "%data")
    body += lines
    for out in ("mem", "ssa"):
        if space == BUFFER:
            body += buffer_of(f"%{out}", f"{out}_buffer")
        body += view(f"{out}_to", f"%{out}_buffer" if space == BUFFER else f"%{out}", element, space, count)
    to = view_type(element, space, count)
    body += call_memory(atom, "%r", register_type, "%mem_to", to, predicated)
    body += call_registers(atom, "%data", kind, "%ssa_to", to, predicated)

    def expected(lanes, x, mem):
        result = mem.copy()
        new, data = elements_of(result, dtype), elements_of(x, dtype)
        for lane in range(lanes):
            if active(lane, predicated):
                own = slice(lane * count, (lane + 1) * count)
                new[own] = data[own]
        return result

    return Case(name, chips, body, expected)


# -- loads to shared memory and transposing reads --------------------------------

SHARED = "!fly.ptr<i32, shared, align<16>>"


def shared_memory(name, fill):
    """A shared array of all words, whose words a lane sets to `fill` each."""
    body = [f"%{name} = fly.make_ptr() {{dictAttrs = {{allocAlign = 16 : i64, allocBytes = {4 * WORDS} : i64}}}} : () -> {SHARED}"]
    body += view(f"{name}_w", f"%{name}", "i32", "shared", 4)
    return body + [f"fly.ptr.store({fill}, %{name}_w_q) : (vector<4xi32>, {pointer_type('i32', 'shared', 4)}) -> ()"]


def copy_out(shared, out):
    body = view(f"{out}_w", f"%{out}", "i32", "global", 4)
    return body + [f"%{out}_v = fly.ptr.load(%{shared}_w_q) : ({pointer_type('i32', 'shared', 4)}) -> vector<4xi32>",
                   f"fly.ptr.store(%{out}_v, %{out}_w_q) : (vector<4xi32>, {pointer_type('i32', 'global', 4)}) -> ()"]


def to_shared_case(name, chips, atom_body, bits, space, predicated):
    element, count, _ = SHAPES[bits]
    atom = atom_of(atom_body, 32)
    source = "%x" if space == "global" else "%buffer"
    body = make(32, atom) + constant("%old4", "i32", 4, OLD) + (buffer_of("%x", "buffer") if space == BUFFER else [])
    for shared in ("s0", "s1"):
        body += shared_memory(shared, "%old4")
    body += ["gpu.barrier"] + view("src", source, element, space, count)
    for shared in ("s0", "s1"):
        body += view(f"{shared}_to", f"%{shared}", element, "shared", count)
    from_type, to = view_type(element, space, count), view_type(element, "shared", count)
    body += call_memory(atom, "%src", from_type, "%s0_to", to, predicated)
    body += call_registers(atom, "%src", from_type, "%s1_to", to, predicated)
    body += ["gpu.barrier"] + copy_out("s0", "mem") + copy_out("s1", "ssa")

    def expected(lanes, x, mem):
        result = mem.copy()
        result[: 4 * lanes] = OLD
        for lane in range(lanes):
            if active(lane, predicated):
                own = slice(lane * count, (lane + 1) * count)
                result[own] = x[own]
        return result

    return Case(name, chips, body, expected)


def transpose(words, granularity, bits):
    """Words that each of 16 lanes gets: element e of the 16 lanes in their order goes to lane e % 16, as its element
    e / 16.
    """
    per_lane = bits // granularity
    numbers = []
    for lane in range(16):
        raw = int.from_bytes(words[lane].tobytes(), "little")
        numbers += [raw >> granularity * i & (1 << granularity) - 1 for i in range(per_lane)]
    result = []
    for lane in range(16):
        raw = sum(numbers[16 * i + lane] << granularity * i for i in range(per_lane))
        result.append(np.frombuffer(raw.to_bytes(bits // 8, "little"), np.int32))
    return result


def transposing_case(name, chips, granularity, bits, predicated):
    element, count, _ = SHAPES[bits]
    atom = atom_of(f"!fly_rocdl.cdna4.lds_read_trans<trans = {granularity}b, {bits}>", granularity)
    kind = vector(element, count)
    body = make(granularity, atom) + view("in", "%x", "i32", "global", 4)
    body.append(f"%data = fly.ptr.load(%in_q) : ({pointer_type('i32', 'global', 4)}) -> vector<4xi32>")
    body += shared_memory("s", "%data") + ["gpu.barrier"] + view("src", "%s", element, "shared", count)
    body += constant("%fill", element, count, OLD)
    lines, register_type = register("r", element, count, "%fill")
    body += lines
    from_type = view_type(element, "shared", count)
    if predicated:  # of 16 lanes all or none: the lower half of each row of 32
        body += ["%c16 = arith.constant 16 : i32", "%half = arith.andi %tid, %c16 : i32", "%p = arith.cmpi eq, %half, %zero : i32"]
        body += register("pred", "i1", 1, "%p")[0]
    body += call_memory(atom, "%src", from_type, "%r", register_type, predicated)
    body += read_register("m", "r", element, count, register_type)
    body += call_registers(atom, "%src", from_type, "%fill" if predicated else None, kind, predicated, "%v", kind)
    for value, out in (("%m", "mem"), ("%v", "ssa")):
        body += view(f"{out}_to", f"%{out}", element, "global", count)
        body.append(f"fly.ptr.store({value}, %{out}_to_q) : ({kind}, {pointer_type(element, 'global', count)}) -> ()")

    def expected(lanes, x, mem):
        result = mem.copy()
        for row in range(0, lanes, 16):
            words = [x[lane * count:(lane + 1) * count] for lane in range(row, row + 16)]
            on = not predicated or row % 32 == 0
            new = transpose(words, granularity, bits) if on else [np.full(count, OLD, np.int32)] * 16
            for lane in range(16):
                result[(row + lane) * count:(row + lane + 1) * count] = new[lane]
        return result

    case = Case(name, chips, body, expected)
    case.own_predicate = True
    return case


# -- tensor copies ---------------------------------------------------------------

TILE = 8  # rows and columns


def tensor_case(name, family, bits, is_load, predicated):
    """A wave copies a tile of 8 x 8 between memory and LDS. A predicate that is false in all lanes keeps it from that;
    one that is false in some does not, as the copy is the wave's.
    """
    element = f"i{bits}"
    tile = f"({TILE},{TILE}):({TILE},1)"

    def tiles(name, pointer, space):
        whole, to = f"!fly.ptr<i32, {space}, align<16>>", f"!fly.ptr<{element}, {space}, align<16>>"
        lines = [f"%{name}_l = fly.static : !fly.layout<{tile}>"]
        if element != "i32":
            lines.append(f"%{name}_p = fly.recast_iter({pointer}) : ({whole}) -> {to}")
            pointer = f"%{name}_p"
        kind = f"!fly.memref<{element}, {space}, {tile}, align<16>>"
        return lines + [f"%{name} = fly.make_view({pointer}, %{name}_l) : ({to}, !fly.layout<{tile}>) -> {kind}"], kind, pointer, to

    body = constant("%old4", "i32", 4, OLD) if is_load else view("in", "%x", "i32", "global", 4)
    if not is_load:
        body.append(f"%old4 = fly.ptr.load(%in_q) : ({pointer_type('i32', 'global', 4)}) -> vector<4xi32>")
    if predicated:
        body += ["%far = arith.constant 1000 : i32", "%p = arith.cmpi sgt, %tid, %far : i32"] + register("pred", "i1", 1, "%p")[0]
    for shared in ("s0", "s1"):
        body += shared_memory(shared, "%old4")
    body.append("gpu.barrier")
    for form, (shared, out) in enumerate((("s0", "mem"), ("s1", "ssa"))):
        lines, memory_type, pointer, whole = tiles(f"g{form}", "%x" if is_load else f"%{out}", "global")
        body += lines
        lines, shared_type, _, _ = tiles(f"t{form}", f"%{shared}", "shared")
        body += lines
        memory, made = f"%g{form}", f"%a{form}"
        if family == "tdm":
            atom = atom_of("!fly_rocdl.gfx1250.tdm<rank = 2, warps = 1>", 0)
            body.append(f"{made} = fly.make_copy_atom {{valBits = 0 : i32}} : {atom}")
        else:
            kind = "tensor_load" if is_load else "tensor_store"
            atom = atom_of(f"!fly_rocdl.cdna5.{kind}<shape = [{TILE}, {TILE}], elem = {element}, tensor2tdm = (1E0,1E1)>", bits)
            memory, memory_type = f"%c{form}", f"!fly.coord_tensor<(0,0), ({TILE},{TILE}):(1E1,1E0)>"
            body += [f"{made}_s = arith.constant {TILE} : i64", f"{made}_e = arith.constant {TILE} : i32",
                     f"{made} = fly.make_copy_atom({pointer}, {made}_s, {made}_e, {made}_e : {whole}, i64, i32, i32) {{valBits = {bits} : i32}} : {atom}",
                     f"{memory}_b = fly.make_int_tuple() : () -> !fly.int_tuple<(0,0)>",
                     f"{memory}_l = fly.static : !fly.layout<({TILE},{TILE}):(1E1,1E0)>",
                     f"{memory} = fly.make_view({memory}_b, {memory}_l) : (!fly.int_tuple<(0,0)>, !fly.layout<({TILE},{TILE}):(1E1,1E0)>) -> {memory_type}"]
        ends = (memory, memory_type, f"%t{form}", shared_type) if is_load else (f"%t{form}", shared_type, memory, memory_type)
        call = (call_registers if form else call_memory)(atom, *ends, predicated)
        body += [line.replace("%a,", f"{made},") for line in call] + ["rocdl.s.wait.tensorcnt 0"]
    body.append("gpu.barrier")
    if is_load:
        body += copy_out("s0", "mem") + copy_out("s1", "ssa")
    words = TILE * TILE * bits // 32

    def expected(lanes, x, mem):
        result = mem.copy()
        if is_load:
            result[: 4 * lanes] = OLD
        if not predicated:
            result[:words] = x[:words]
        return result

    case = Case(name, ("gfx1250",), body, expected)
    case.own_predicate = True
    return case


# -- atomics ---------------------------------------------------------------------

def atomic_case(name, chips, atom_body, element, count, update, predicated, space=BUFFER):
    """Memory form; register form without and with the old value. `update(old, value)` is the new content."""
    bits = WIDTH[element] * count
    dtype = {"i32": np.int32, "i64": np.int64, "f32": np.float32, "f64": np.float64, "f16": np.float16}[element]
    atom, kind = atom_of(atom_body, bits), vector(element, count)
    body = make(bits, atom) + view("src", "%x", element, "global", count)
    body.append(f"%data = fly.ptr.load(%src_q) : ({pointer_type(element, 'global', count)}) -> {kind}")
    lines, register_type = register("r", element, count, "%data")
    body += lines
    for out in ("mem", "ssa", "upd"):
        if space == BUFFER:
            body += buffer_of(f"%{out}", f"{out}_buffer")
        body += view(f"{out}_to", f"%{out}_buffer" if space == BUFFER else f"%{out}", element, space, count)
    to = view_type(element, space, count)
    body += call_memory(atom, "%r", register_type, "%mem_to", to, predicated)
    body += call_registers(atom, "%data", kind, "%ssa_to", to, predicated)
    if not predicated:  # a predicate and an old value do not go together
        body += call_registers(atom, "%data", kind, "%upd_to", to, False, "%before", kind)
        body += view("old_to", "%old", element, "global", count)
        body.append(f"fly.ptr.store(%before, %old_to_q) : ({kind}, {pointer_type(element, 'global', count)}) -> ()")

    def expected(lanes, x, mem):
        result = mem.copy()
        new, data = elements_of(result, dtype), elements_of(x, dtype)
        for lane in range(lanes):
            if active(lane, predicated):
                for i in range(lane * count, (lane + 1) * count):
                    with np.errstate(all="ignore"):
                        new[i] = update(new[i], data[i])
        return result

    case = Case(name, chips, body, expected)
    case.old_lanes = None if predicated else bits // 32
    return case


def unsigned(function, bits):
    kind = np.uint32 if bits == 32 else np.uint64
    signed = np.int32 if bits == 32 else np.int64
    return lambda old, value: function(np.array(old).view(kind)[()], np.array(value).view(kind)[()]).astype(kind).view(signed)


INTEGER_UPDATES = {
    "add": lambda bits: lambda old, value: old + value,
    "max": lambda bits: max,
    "min": lambda bits: min,
    "and": lambda bits: lambda old, value: old & value,
    "or": lambda bits: lambda old, value: old | value,
    "inc": lambda bits: unsigned(lambda old, value: np.where(old >= value, 0, old + 1), bits),
    "dec": lambda bits: unsigned(lambda old, value: np.where((old == 0) | (old > value), value, old - 1), bits),
}


def cases():
    gfx9 = ("gfx942", "gfx950")
    every = ("gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250")
    for predicated in (False, True):
        suffix = "_p" if predicated else ""
        for bits in (8, 16, 32, 64, 128):
            copy = f"!fly_rocdl.cdna3.buffer_copy<{bits}>"
            yield load_case(f"buffer_load_{bits}{suffix}", every, copy, bits, BUFFER, predicated)
            yield store_case(f"buffer_store_{bits}{suffix}", every, copy, bits, BUFFER, predicated)
            copy = f"!fly.universal_copy<{bits}>"
            yield load_case(f"load_{bits}{suffix}", every, copy, bits, "global", predicated)
            yield store_case(f"store_{bits}{suffix}", every, copy, bits, "global", predicated)
        for bits in (32, 96, 128):
            chips = gfx9 if bits == 32 else ("gfx950",)
            if bits != 96:
                yield to_shared_case(f"buffer_lds_{bits}{suffix}", chips, f"!fly_rocdl.cdna3.buffer_copy_lds<{bits}>", bits, BUFFER, predicated)
            yield to_shared_case(f"buffer_async_{bits}{suffix}", chips, f"!fly_rocdl.cdna4.buffer_load_async_lds<{bits}>", bits, BUFFER, predicated)
            yield to_shared_case(f"global_async_{bits}{suffix}", chips, f"!fly_rocdl.cdna4.global_load_async_lds<{bits}>", bits, "global", predicated)
        for granularity, bits in ((4, 64), (8, 64), (6, 96), (16, 64)):
            yield transposing_case(f"transpose_{granularity}{suffix}", ("gfx950",), granularity, bits, predicated)
        for bits in (8, 16, 32, 64):
            for family in ("tdm", "tensor"):
                for is_load in (True, False):
                    yield tensor_case(f"{family}_{'load' if is_load else 'store'}_{bits}{suffix}", family, bits, is_load, predicated)
        for op, update in INTEGER_UPDATES.items():
            for element in ("i32", "i64"):
                bits = WIDTH[element]
                kinds = [(element, update(bits))]
                if op in ("max", "min"):
                    # A plain integer is the family's of the specification: min is unsigned, max is signed.
                    kinds = [(f"s{element}", update(bits)), (f"u{element}", unsigned(np.maximum if op == "max" else np.minimum, bits))]
                for typed, function in kinds:
                    yield atomic_case(f"buffer_{op}_{typed}{suffix}", every, f"!fly_rocdl.cdna3.buffer_atomic<{op}, {typed}>", element, 1, function, predicated)
                    yield atomic_case(f"universal_{op}_{typed}{suffix}", every, f"!fly.universal_atomic<{op}, {typed}>", element, 1, function, predicated, "global")
        plus = lambda old, value: old + value
        yield atomic_case(f"buffer_add_f32{suffix}", every, "!fly_rocdl.cdna3.buffer_atomic<add, f32>", "f32", 1, plus, predicated)
        yield atomic_case(f"buffer_add_f64{suffix}", gfx9, "!fly_rocdl.cdna3.buffer_atomic<add, f64>", "f64", 1, plus, predicated)
        yield atomic_case(f"buffer_max_f64{suffix}", gfx9, "!fly_rocdl.cdna3.buffer_atomic<max, f64>", "f64", 1, max, predicated)
        yield atomic_case(f"buffer_max_f32{suffix}", ("gfx1100", "gfx1201", "gfx1250"), "!fly_rocdl.cdna3.buffer_atomic<max, f32>", "f32", 1, max, predicated)
        yield atomic_case(f"buffer_add_f16{suffix}", gfx9, "!fly_rocdl.cdna3.buffer_atomic<add, vector<2xf16>>", "f16", 2, plus, predicated)
        yield atomic_case(f"universal_add_f32{suffix}", every, "!fly.universal_atomic<add, f32>", "f32", 1, plus, predicated, "global")


# -- running ---------------------------------------------------------------------

ARRAYS = ("x", "mem", "ssa", "upd", "old")


def module(chosen, lanes):
    arguments = ", ".join(f"%{name}: !P" for name in ARRAYS)
    lines = ["!P = !fly.ptr<i32, global, align<16>>", f"!A = !fly.memref<i32, global, {WORDS}:1, align<16>>",
             "module attributes {gpu.container_module} {", "gpu.module @k {"]
    for case in chosen:
        lines += [f"gpu.func @{case.name}({arguments}) kernel {{", "%t = gpu.thread_id x", "%tid = arith.index_cast %t : index to i32",
                  "%zero = arith.constant 0 : i32"]
        if case.name.endswith("_p") and not getattr(case, "own_predicate", False):
            lines += ["%three = arith.constant 3 : i32", "%third = arith.remui %tid, %three : i32", "%p = arith.cmpi eq, %third, %zero : i32"]
            lines += register("pred", "i1", 1, "%p")[0]
        lines += case.body + ["gpu.return", "}"]
    lines.append("}")
    for case in chosen:
        parameters = ", ".join(f"%{name}_a: !A" for name in ARRAYS)
        lines.append(f"func.func @{case.name}({parameters}) {{")
        lines += [f"%{name} = fly.get_iter(%{name}_a) : (!A) -> !P" for name in ARRAYS]
        values = ", ".join(f"%{name} : !P" for name in ARRAYS)
        lines += ["%one = arith.constant 1 : index", f"%lanes = arith.constant {lanes} : index",
                  f"gpu.launch_func @k::@{case.name} blocks in (%one, %one, %one) threads in (%lanes, %one, %one) args({values})", "return", "}"]
    lines += [f"func.func @main({', '.join(f'%{case.name}_{name}: !A' for case in chosen for name in ARRAYS)}) {{"]
    for case in chosen:
        names = ", ".join(f"%{case.name}_{name}" for name in ARRAYS)
        lines.append(f"func.call @{case.name}({names}) : ({', '.join(['!A'] * len(ARRAYS))}) -> ()")
    return "\n".join(lines + ["return", "}", "}", ""])


def start_values(case):
    rng = np.random.default_rng(len(case.name) * 131 + sum(map(ord, case.name)))
    x, mem = (rng.integers(-2**31, 2**31, WORDS, dtype=np.int64).astype(np.int32) for _ in range(2))
    if "_f16" in case.name:
        x, mem = (rng.integers(-60, 60, 2 * WORDS).astype(np.float16).view(np.int32) for _ in range(2))
    elif "_f32" in case.name:
        x, mem = (rng.uniform(-9, 9, WORDS).astype(np.float32).view(np.int32) for _ in range(2))
    elif "_f64" in case.name:
        x, mem = (rng.uniform(-9, 9, WORDS // 2).view(np.int32) for _ in range(2))
    elif "_inc_" in case.name or "_dec_" in case.name:
        # Small numbers, so that the ends are met.
        kind = np.int64 if "i64" in case.name else np.int32
        x, mem = (rng.integers(0, 3, WORDS * 4 // np.dtype(kind).itemsize).astype(kind).view(np.int32) for _ in range(2))
    return x, mem


def run(directory, fly_run, chip):
    lanes = 64 if chip.startswith("gfx9") else 32
    chosen = [case for case in cases() if chip in case.chips]
    source = directory / f"{chip}.mlir"
    source.write_text(module(chosen, lanes))
    command = [fly_run, str(source), f"--chip={chip}", "--function=main", "--opt-level=1"]
    files = []
    for case in chosen:
        x, mem = start_values(case)
        for name in ARRAYS:
            path = directory / f"{chip}-{case.name}-{name}.npy"
            np.save(path, x if name == "x" else mem)
            command += [f"--input=@{path}", f"--output={len(files)}:@{path}"]
            files.append(path)
    subprocess.run(command, check=True)
    wrong = 0
    for i, case in enumerate(chosen):
        x, mem = start_values(case)
        want = {"x": x, "mem": case.expected(lanes, x, mem), "upd": mem, "old": mem}
        want["ssa"] = want["mem"]
        per_lane = getattr(case, "old_lanes", None)
        if per_lane:
            want["upd"] = want["mem"]
        for name, path in zip(ARRAYS, files[i * len(ARRAYS):]):
            got = np.load(path)
            if not np.array_equal(got, want[name]):
                at = np.flatnonzero(got != want[name])
                print(f"{chip} {case.name}: wrong in '{name}' at {at[:8]}: {got[at[:8]]}, expected {want[name][at[:8]]}")
                wrong += 1
    print(f"{chip}: {len(chosen)} atoms, {wrong} wrong")
    return wrong


def main():
    directory = Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    return int(any([run(directory, sys.argv[2], chip) for chip in sys.argv[3:]]))


sys.exit(main())
