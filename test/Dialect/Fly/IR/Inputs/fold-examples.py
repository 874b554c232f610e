"""Checks that the static result of every operation is a constant.

Usage: fold-examples.py FLY_OPT TD_FILE...

Takes the documented example of each operation, uses each result of a static
type, and runs the stock canonicaliser: behind it each of these values must
come from fly.static or, as an integer, from arith.constant.
"""

import pathlib
import re
import subprocess
import sys

DEF = re.compile(r'^def \w+\s*:\s*\w+<\s*"([\w.]+)"', re.M)
BLOCK = re.compile(r"```mlir\n(.*?)```", re.S)
# Types that hold one value each, unless there is a run-time leaf in them.
STATIC = re.compile(
    r"!fly\.(int_tuple|layout|composed_layout|swizzle|coord_swizzle|tile|"
    r"coord_tensor|copy_atom|mma_atom|tiled_copy|tiled_mma)<"
)


def examples(files):
    for file in files:
        text = pathlib.Path(file).read_text()
        starts = [(m.start(), m.group(1)) for m in DEF.finditer(text)]
        for (start, mnemonic), end in zip(
            starts, [s for s, _ in starts[1:]] + [len(text)]
        ):
            for block in BLOCK.findall(text[start:end]):
                yield mnemonic, block


def with_uses(mnemonic, example):
    """The example with a use of each static result of the operation."""
    lines, uses = [], 0
    for line in example.splitlines():
        lines.append(line)
        found = re.match(rf"\s*(%\w+) = fly\.{re.escape(mnemonic)}[ (\[]", line)
        # What has run-time state is no constant.
        if not found or mnemonic == "atom.set_value":
            continue
        type_ = line.rsplit(" -> ", 1)[-1]
        if (STATIC.match(type_) and "?" not in type_) or type_ == "i1":
            lines.append(f'"test.use"({found.group(1)}) : ({type_}) -> ()')
            uses += 1
    return "\n".join(lines), uses


def main():
    tool, files = sys.argv[1], sys.argv[2:]
    checked = 0
    for mnemonic, example in examples(files):
        text, uses = with_uses(mnemonic, example)
        if not uses:
            continue
        done = subprocess.run(
            [tool, "-canonicalize", "-allow-unregistered-dialect", "-"],
            input=text, capture_output=True, text=True,
        )
        if done.returncode:
            sys.exit(f"{mnemonic}: {done.stderr}\n{text}")
        for used in re.findall(r'"test.use"\((%\w+)\)', done.stdout):
            if not re.search(
                rf"{used} = (fly\.static|arith\.constant) ", done.stdout
            ):
                sys.exit(f"{mnemonic}: {used} is no constant in\n{done.stdout}")
            checked += 1
    print(f"{checked} constants")


if __name__ == "__main__":
    main()
