#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that docs/Differences.md and the tests name the same differences.

usage: check-differences.py [--root DIR]

Every row of a table in docs/Differences.md begins with an identifier in
backticks, and a test that pins the difference holds `DIFF: identifier` in a
comment. The script prints each row without an identifier, each identifier that
stands twice, that no test names or that only tests name, and exits with status
1 if there is any. Where a table has a column "Fly gives", its text in backticks
(a result type or an error) must stand in the test just below the comment, as
the test spells it.
"""
import argparse
import os
import pathlib
import re
import sys

TAG = re.compile(r"DIFF: ([\w-]+)")
FOLDERS = ("test", "unittests", "python-bindings")
SUFFIXES = (".mlir", ".test", ".cpp", ".c", ".py")
# A test states the result within this many lines of the comment.
REACH = 8


def read_document(path, faults):
    """{identifier: text of "Fly gives" or None}."""
    entries, columns = {}, None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.startswith("|"):
            columns = None
            continue
        cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
        if columns is None:
            columns = cells
            continue
        if set(line) <= set("|-: "):
            continue
        where = f"{path.name}:{number}"
        found = re.fullmatch(r"`([\w-]+)`", cells[0])
        if not found:
            faults.append(f"{where}: row without an identifier: {line[:70]}")
        elif len(cells) != len(columns) or not all(cells):
            faults.append(f"{where}: {found.group(1)}: {len(columns)} filled cells expected")
        elif found.group(1) in entries:
            faults.append(f"{where}: {found.group(1)} stands twice")
        else:
            given = None
            if "Fly gives" in columns:
                given = re.search(r"`(.*)`", cells[columns.index("Fly gives")]).group(1)
            entries[found.group(1)] = given
    return entries


def read_tests(root):
    """{identifier: [text below each comment]}."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            lines = path.read_text(encoding="utf-8").split("\n")
            for i, line in enumerate(lines):
                for name in TAG.findall(line):
                    below = "\n".join(lines[i + 1 : i + 1 + REACH])
                    found.setdefault(name, []).append(below.replace("!fly.", ""))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--root", default=os.path.join(os.path.dirname(__file__), ".."))
    root = pathlib.Path(parser.parse_args().root).resolve()

    faults = []
    entries = read_document(root / "docs" / "Differences.md", faults)
    tests = read_tests(root)
    for name, given in entries.items():
        if name not in tests:
            faults.append(f"{name}: no test names it")
        elif given is not None and not any(given in text for text in tests[name]):
            faults.append(f"{name}: no test below its name has: {given}")
    for name in tests:
        if name not in entries:
            faults.append(f"{name}: named by a test, not in Differences.md")
    for fault in faults:
        print(fault)
    print(f"differences: {len(entries)} entries, {len(faults)} faults")
    return 1 if faults or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
