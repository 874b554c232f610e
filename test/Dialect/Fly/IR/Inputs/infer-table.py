"""Checks a table of result types and refusals against fly-opt.

usage: infer-table.py FLY_OPT FILE [--fence NAME] [--module OUT]

A line of FILE reads

  op {attributes} (operand type ; operand type) -> result type ; result type
  op {attributes} (operand type ; operand type) -> error: text

without the prefix `!fly.` of a type's own name; blank lines and lines that
begin with `#` are skipped. A stated result type must be the inferred one, and
the op must survive the way through text and bytecode. An error must come from
the line's own op and contain the text. --fence reads the fenced blocks of that
name in a Markdown file. --module writes the ops of all lines that are no errors
as one module.
"""

import argparse
import re
import subprocess
import sys

HEAD = re.compile(r"([\w.]+)\s*(\{.*?\})?\s*\(")
KINDS = re.compile(
    r"(int_tuple|layout|composed_layout|swizzle|coord_swizzle|tile|basis|ptr|memref|"
    r"coord_tensor|copy_atom|mma_atom|tiled_copy|tiled_mma|universal_\w+)<"
)

# A result of the right kind for an op that is refused; all others give their
# first operand's type, or their tensor's.
TUPLE, LAYOUT = "!fly.int_tuple<0>", "!fly.layout<1:0>"
REFUSED_RESULT = {
    **dict.fromkeys(
        "size cosize coshape coprofile crd2idx idx2crd get_flat_coord get_1d_coord "
        "get_shape get_stride tiled_mma.partition_shape".split(),
        TUPLE,
    ),
    **dict.fromkeys(
        "make_layout make_ordered_layout make_identity_layout "
        "make_fragment_layout_like".split(),
        LAYOUT,
    ),
    "get_scalar": "i32",
    "elem_less": "i1",
    "equal": "i1",
    "memref.load_vec": "vector<1xf32>",
    "make_fragment_like": "!fly.memref<f32, register, 1:0>",
    "ptrtoint": "i32",
    "to_llvm_ptr": "!llvm.ptr",
}


def read_line(line):
    """(op, attributes, operands, result) of a line, or None."""
    head = HEAD.match(line)
    if not head:
        return None
    depth = 1
    for end in range(head.end(), len(line)):
        depth += {"(": 1, ")": -1}.get(line[end], 0)
        if depth == 0:
            arrow = re.match(r"\s*->\s*", line[end + 1 :])
            if not arrow:
                return None
            result = line[end + 1 + arrow.end() :]
            return head.group(1), head.group(2), line[head.end() : end], result
    return None


def read_file(path, fence):
    """(number, line) of each line to check."""
    inside = not fence
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.strip()
        if fence and line.startswith("```"):
            inside = line == "```" + fence
        elif inside and line and not line.startswith("#"):
            yield number, line


def types(text):
    """The list of types between `;`, each with its prefix."""
    return [
        "!fly." + t if KINDS.match(t) else t
        for t in (part.strip() for part in text.split(" ; "))
        if t
    ]


def function(number, op, attributes, operands, results):
    """A function that holds the op; its operands are arguments."""
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(operands))
    uses = ", ".join(f"%a{i}" for i in range(len(operands)))
    count = f"%r:{len(results)} = " if results else ""
    properties = f" <{attributes}>" if attributes else ""
    return (
        f"func.func @line_{number}({arguments}) {{\n"
        f'  {count}"fly.{op}"({uses}){properties} : '
        f"({', '.join(operands)}) -> ({', '.join(results)})\n"
        "  return\n}\n"
    )


def run(tool, text, *options):
    return subprocess.run([tool, "-", *options], input=text, capture_output=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("fly_opt")
    parser.add_argument("file")
    parser.add_argument("--fence")
    parser.add_argument("--module")
    options = parser.parse_args()

    good, bad, faults = [], [], []
    for number, line in read_file(options.file, options.fence):
        parts = read_line(line)
        if not parts:
            sys.exit(f"{options.file}:{number}: cannot read: {line}")
        op, attributes, operands, result = parts
        if result.startswith("error:"):
            inputs = types(operands)
            output = REFUSED_RESULT.get(op) or inputs[inputs[0].startswith("!fly.tiled_")]
            text = function(number, op, attributes, inputs, [output])
            bad.append((number, line, result[len("error:") :].strip(), text))
        else:
            good.append(
                (number, function(number, op, attributes, types(operands), types(result)))
            )

    module = "".join(text for _, text in good).encode()
    done = run(options.fly_opt, module, "--emit-bytecode")
    if done.returncode == 0:
        text = run(options.fly_opt, done.stdout)
        again = run(options.fly_opt, text.stdout)
        if text.stdout != again.stdout or not text.stdout:
            faults.append("the text form does not survive being read again")
        if text.stdout.count(b"fly.") < len(good):
            faults.append("an op was lost")
    else:
        for number, text in good:
            one = run(options.fly_opt, text.encode())
            if one.returncode:
                faults.append(f"{options.file}:{number}: {one.stderr.decode()}")

    # Each refused op on its own: the first error would hide the others. The op
    # stands in the second line of its part.
    chunks, places, at = "", {}, 1
    for number, *_, text in bad:
        places[at + 1] = number
        chunks += text + "// -----\n"
        at += text.count("\n") + 1
    stderr = run(options.fly_opt, chunks.encode(), "-split-input-file").stderr.decode()
    errors = {}
    for place, text in re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$", stderr, re.M):
        errors.setdefault(places.get(int(place)), []).append(text)
    for number, line, expected, _ in bad:
        if not any(expected in error for error in errors.get(number, [])):
            faults.append(f"{options.file}:{number}: {line}\n  got: {errors.get(number)}")

    for fault in faults:
        print(fault)
    if options.module:
        with open(options.module, "wb") as out:
            out.write(module)
    print(f"{len(good)} results, {len(bad)} refusals, {len(faults)} faults")
    return 1 if faults or not good + bad else 0


if __name__ == "__main__":
    sys.exit(main())
