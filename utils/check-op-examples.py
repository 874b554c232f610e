#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what .td files say about operations, and what passes say of errors.

Every `def` of an operation holds a summary and exactly one fenced mlir block
that uses the operation; fly-opt must accept the block. All of them together
come back unchanged from the generic form and from bytecode. Every precondition that
an operation ("* crd2idx_c1: ...") or a pass ("`copy_c6` ...") states

- stands at its check: the label is in a C++ file below --sources, and
- has a negative test below --tests: a function whose name is the label, or an
  operation's name and the label, perhaps with more behind it, next to an
  expected error.

Prints the faults; none is success.
"""

import argparse
import pathlib
import re
import subprocess
import sys

DEF = re.compile(r'^def (\w+)\s*:\s*\w+<\s*"([\w.-]+)"', re.M)
BLOCK = re.compile(r"```mlir\n(.*?)```", re.S)
SUMMARY = re.compile(r'let summary =\s*"')
LABEL = re.compile(r"^\s*\* (\w+_c\d+|int_overflow)(?: to (\w+_c\d+))?:", re.M)
PASS_LABEL = re.compile(r"`(\w+_c\d+)`")
FUNCTION = re.compile(r"func(?:\.func)? (?:private )?@(\w+)")
WORD = re.compile(r"\w+")


def definitions(path):
    """Yields (name in quotes, text) of each operation or pass of a .td file."""
    text = path.read_text()
    starts = [(m.start(), m.group(2)) for m in DEF.finditer(text)]
    ends = [start for start, _ in starts[1:]] + [len(text)]
    for (start, name), end in zip(starts, ends):
        yield name, text[start:end]


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


def example_faults(fly_opt, mnemonic, text):
    """What is wrong with the summary and the example of an operation."""
    if not SUMMARY.search(text):
        yield "no summary"
    examples = BLOCK.findall(text)
    if len(examples) != 1:
        yield f"{len(examples)} examples, expected 1"
        return
    if not re.search(rf"\bfly\.{re.escape(mnemonic)}(?![\w.])", examples[0]):
        yield "the example does not use the op"
    trouble = run(fly_opt, examples[0])
    if trouble:
        yield trouble


def round_trip_faults(fly_opt, examples):
    """The ways on which the examples, a module each, do not stay the same."""

    def fly(text, *flags):
        done = subprocess.run(
            [fly_opt, "-", *flags], input=text, capture_output=True
        )
        return done.stdout if done.returncode == 0 else done.stderr

    text = "".join("module {\n" + example + "}\n" for example in examples)
    expected = fly(text.encode())
    for way in ("-mlir-print-op-generic", "-emit-bytecode"):
        if fly(fly(text.encode(), way)) != expected:
            yield f"the examples change on the way through {way}"


def tested_names(tests):
    """The names of all test functions that expect an error or an assertion."""
    names = set()
    for file in sorted(tests.rglob("*.mlir")):
        for part in re.split(r"^// -----$", file.read_text(), flags=re.M):
            if "expected-error" in part or "cf.assert" in part:
                names.update(FUNCTION.findall(part))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fly-opt", default="fly-opt")
    parser.add_argument("--sources", type=pathlib.Path, action="append")
    parser.add_argument("--tests", type=pathlib.Path)
    parser.add_argument("--passes", type=pathlib.Path, action="append", default=[])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    options = parser.parse_args()

    faults, mnemonics, examples, stated = [], [], [], {}
    for path in options.files:
        for mnemonic, text in definitions(path):
            mnemonics.append(mnemonic.replace(".", "_"))
            for label in labels(text):
                stated.setdefault(label, mnemonic)
            for fault in example_faults(options.fly_opt, mnemonic, text):
                faults.append(f"{mnemonic}: {fault}")
            examples += BLOCK.findall(text)
    faults += round_trip_faults(options.fly_opt, examples)
    for path in options.passes:
        for name, text in definitions(path):
            for label in PASS_LABEL.findall(text):
                stated.setdefault(label, name)

    if options.sources:
        words = set()
        for folder in options.sources:
            for file in folder.rglob("*.cpp"):
                words.update(WORD.findall(file.read_text()))
        for label, owner in stated.items():
            if label not in words:
                faults.append(f"{owner}: {label} does not stand at its check")
    if options.tests:
        names = tested_names(options.tests)
        # "make_tiled_copy_c1" is no test of copy_c1: make_tiled is no operation.
        prefix = "(?:(?:" + "|".join(mnemonics) + ")_)?"
        for label, owner in stated.items():
            test = re.compile(rf"{prefix}{label}(?:_\w+)?")
            if not any(test.fullmatch(name) for name in names):
                faults.append(f"{owner}: no negative test is named after {label}")

    for fault in faults:
        print(fault, file=sys.stderr)
    print(
        f"{len(mnemonics)} operations, {len(stated)} preconditions, "
        f"{len(faults)} faults"
    )
    return 1 if faults or not mnemonics else 0


if __name__ == "__main__":
    sys.exit(main())
