#!/usr/bin/env python3
"""Prints a GEMM kernel whose main loop is unrolled N times, for measuring the
passes on long straight code.

usage: unrolled_gemm.py N

The module is examples/kernels/gemm.gfx942.mlir; its loop over k becomes N copies
of the body, each with slices at a run-time k of its own, six copies, a gemm of
eight matrix instructions and some questions about layouts: 30 operations.
"""
import os
import re
import sys

MODULE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "kernels", "gemm.gfx942.mlir")
OPS_IN_GROUP = 30


def body_of_loop(lines):
    """The lines before the loop, those in it, those behind it."""
    start = next(i for i, line in enumerate(lines) if "scf.for" in line)
    end = next(i for i in range(start, len(lines)) if lines[i].strip() == "}")
    return lines[:start], lines[start + 1:end], lines[end + 1:]


def main():
    if len(sys.argv) != 2 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    with open(MODULE, encoding="utf-8") as text:
        # Places are dropped: the copies would all be at one.
        lines = [re.sub(r" loc\((?:#\w+|\"[^\"]*\":\d+:\d+)\)", "", line) for line in text if not line.startswith("#loc")]
    before, body, behind = body_of_loop(lines)
    questions = [line for line in body if re.search(r"fly\.(get_layout|get_shape|get|size)\(", line)]
    work = [line for line in body if line not in questions]
    # Two operations make the group's k. The gemm comes last and asks nothing.
    keep = questions[:OPS_IN_GROUP - 2 - len(work)]
    body = [line for line in body if line in work or line in keep]
    defined = {name for line in body for name in re.findall(r"^\s*(%\d+) =", line)}
    out = sys.stdout
    out.write("".join(before))
    for i in range(int(sys.argv[1])):
        out.write(f"      %n{i} = arith.constant {i} : i32\n      %k{i} = arith.addi %arg5, %n{i} : i32\n")
        for line in body:
            line = re.sub(r"%\d+", lambda m: f"%g{i}_{m.group(0)[1:]}" if m.group(0) in defined else m.group(0), line)
            out.write(line.replace("%arg6", f"%k{i}"))
    out.write("".join(behind))


if __name__ == "__main__":
    main()
