#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples in the documentation of operations.

Every `def` of an operation in the given .td files must hold exactly one fenced
mlir block that uses the operation. The script feeds each block to fly-opt,
which parses and verifies it, and prints the faults it finds. With --untested
it also lists the preconditions (`crd2idx_c1`) that no negative test names.
"""

import argparse
import pathlib
import re
import subprocess
import sys

DEF = re.compile(r'^def (\w+)\s*:\s*\w+<\s*"([\w.]+)"', re.M)
BLOCK = re.compile(r"```mlir\n(.*?)```", re.S)
LABEL = re.compile(r"^\s*\* (\w+_c\d+|int_overflow)(?: to (\w+_c\d+))?:", re.M)


def operations(path):
    """Yields (mnemonic, text of the def) of each operation of a .td file."""
    text = path.read_text()
    starts = [(m.start(), m.group(2)) for m in DEF.finditer(text)]
    ends = [start for start, _ in starts[1:]] + [len(text)]
    for (start, mnemonic), end in zip(starts, ends):
        yield mnemonic, text[start:end]


def labels(text):
    """The precondition labels that the description of an operation states."""
    for first, last in LABEL.findall(text):
        if not last:
            yield first
            continue
        stem, begin = first.rsplit("_c", 1)
        for number in range(int(begin), int(last.rsplit("_c", 1)[1]) + 1):
            yield f"{stem}_c{number}"


def run(fly_opt, example):
    """The diagnostics of fly-opt on an example; empty if it is accepted."""
    result = subprocess.run(
        [fly_opt, "-"], input=example, capture_output=True, text=True
    )
    return "" if result.returncode == 0 else result.stderr or "failed"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fly-opt", default="fly-opt")
    parser.add_argument(
        "--untested",
        metavar="TESTS",
        type=pathlib.Path,
        help="list preconditions that no file below TESTS names",
    )
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()

    faults, count, stated = [], 0, {}
    for path in options.files:
        for mnemonic, text in operations(path):
            count += 1
            for label in labels(text):
                stated.setdefault(label, mnemonic)
            examples = BLOCK.findall(text)
            if len(examples) != 1:
                faults.append(f"{mnemonic}: {len(examples)} examples, expected 1")
                continue
            if not re.search(rf"\bfly\.{re.escape(mnemonic)}(?![\w.])", examples[0]):
                faults.append(f"{mnemonic}: the example does not use the op")
            trouble = run(options.fly_opt, examples[0])
            if trouble:
                faults.append(f"{mnemonic}: {trouble}")
    if options.untested:
        tests = "".join(
            file.read_text() for file in sorted(options.untested.rglob("*.mlir"))
        )
        for label, mnemonic in stated.items():
            if not re.search(rf"\b{label}(?!\d)", tests):
                faults.append(f"{mnemonic}: no test names {label}")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{count} operations, {len(stated)} preconditions, {len(faults)} faults")
    return 1 if faults or not count else 0


if __name__ == "__main__":
    sys.exit(main())
