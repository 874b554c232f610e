"""Checks the order of the calls that fly.gemm becomes, for every order.

usage: gemm-orders.py FLY_OPT

Each order is written as nested loops here; the calls are read off the lowered
text: the offsets of their operands say which (m, n, k) they are, and the base
pointer of c whether they start from c or from d.
"""

import re
import subprocess
import sys

M, N, K = 2, 3, 4
ORDERS = ["kmn", "knm", "mkn", "mnk", "nkm", "nmk"]
F = "!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>"
SIZES = {"m": M, "n": N, "k": K}


def loops(order, serpentine):
    """The steps as (m, n, k), the last letter outermost."""
    inner, middle, outer = order
    for o in range(SIZES[outer]):
        for step in range(SIZES[middle]):
            i = SIZES[middle] - 1 - step if serpentine and o % 2 else step
            turns = serpentine and (o * SIZES[middle] + step) % 2
            for x in range(SIZES[inner])[:: -1 if turns else 1]:
                at = {outer: o, middle: i, inner: x}
                yield at["m"], at["n"], at["k"]


def loops2(order, serpentine):
    """Without K only the order of M and N counts."""
    inner, outer = [letter for letter in order if letter != "k"]
    for o in range(SIZES[outer]):
        turns = serpentine and o % 2
        for x in range(SIZES[inner])[:: -1 if turns else 1]:
            at = {outer: o, inner: x}
            yield at["m"], at["n"], 0


def memref(shape):
    strides, at = [], 1
    for size in shape:
        strides.append(at)
        at *= size
    layout = f"({','.join(map(str, (1, *shape)))}):({','.join(map(str, (0, *strides)))})"
    return layout, f"!fly.memref<f32, global, {layout}>"


def function(name, attribute, layout, with_k):
    """A function that holds one gemm; `layout` is its traversal layout."""
    shapes = {"d": (M, N), "c": (M, N), "a": (M, K), "b": (N, K)}
    if not with_k:
        shapes.update(a=(M,), b=(N,))
    ptr = "!fly.ptr<f32, global>"
    text = f"func.func @{name}(%m: {F}, " + ", ".join(
        f"%{x}p: {ptr}" for x in "dabc"
    )
    text += ") {\n"
    types = {}
    for x, shape in shapes.items():
        body, types[x] = memref(shape)
        text += f"  %{x}l = fly.static : !fly.layout<{body}>\n"
        text += (
            f"  %{x} = fly.make_view(%{x}p, %{x}l) : ({ptr}, !fly.layout<{body}>)"
            f" -> {types[x]}\n"
        )
    extra = kind = ""
    if layout:
        text += f"  %t = fly.static : !fly.layout<{layout}>\n"
        extra, kind = " traversalLayout = %t", f", !fly.layout<{layout}>"
    text += (
        f"  fly.gemm(%m, %d, %a, %b, %c){extra}{attribute} : "
        f"({F}, {types['d']}, {types['a']}, {types['b']}, {types['c']}{kind}) -> ()\n"
    )
    return text + "  return\n}\n"


def calls(text, with_k):
    """The calls of a lowered function as ((m, n, k), base of c, offsets of d, c)."""
    arguments = re.search(r"@\w+\((.*?)\) \{", text).group(1)
    bases = dict(zip(re.findall(r"(%\w+):", arguments), "mdabc"))
    offsets, points = {}, {name: (base, 0) for name, base in bases.items()}
    for line in text.split("\n"):
        if found := re.search(r"(%\w+) = fly.make_int_tuple\(\).*int_tuple<(\d+)>", line):
            offsets[found.group(1)] = int(found.group(2))
        elif found := re.search(r"(%\w+) = fly.add_offset\((%\w+), (%\w+)\)", line):
            base, at = points[found.group(2)]
            points[found.group(1)] = base, at + offsets[found.group(3)]
        elif found := re.search(r"(%\w+) = fly.make_view\((%\w+), ", line):
            points[found.group(1)] = points[found.group(2)]
        elif found := re.search(r"fly.mma_atom_call\((.*?)\) :", line):
            _, d, a, b, c = (points[x] for x in found.group(1).split(", "))
            assert (d[0], a[0], b[0]) == ("d", "a", "b"), line
            m, k = a[1] % M, a[1] // M
            n, kb = b[1] % N, b[1] // N
            assert k == kb and d[1] == c[1] == m + n * M, line
            yield (m, n, k), c[0]


def expected(steps):
    seen = set()
    for m, n, k in steps:
        yield (m, n, k), "d" if (m, n) in seen else "c"
        seen.add((m, n))


def main():
    cases, module = [], ""
    for with_k in (True, False):
        nest = loops if with_k else loops2
        for order in ORDERS:
            for serpentine in (False, True):
                name = order + ("_serpentine" if serpentine else "")
                attribute = f" {{traversalOrder = #fly<gemm_traversal_order {name}>}}"
                steps = list(nest(order, serpentine))
                cases.append((f"{name}_{with_k}", steps, attribute, "", with_k))
        cases.append((f"default_{with_k}", list(nest("nmk", False)), "", "", with_k))
    # A layout lists the steps, column-major over (M, N, K).
    steps = [(m, n, k) for m in range(M) for k in range(K) for n in range(N)]
    cases.append(("listed", steps, "", f"({N},{K},{M}):({M},{M * N},1)", True))
    for name, _, attribute, layout, with_k in cases:
        module += function(name, attribute, layout, with_k)
    done = subprocess.run(
        [sys.argv[1], "-", "-fly-canonicalize", "-fly-layout-lowering"],
        input=module, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    functions = done.stdout.split("func.func ")[1:]
    faults = 0
    for (name, steps, *_, with_k), text in zip(cases, functions, strict=True):
        found = list(calls("func.func " + text, with_k))
        if found != list(expected(steps)):
            faults += 1
            print(f"{name}: {found}")
    print(f"{len(cases)} orders, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
