#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that each fault report of users has a test.

usage: check-user-reports.py [--root DIR] [--list]

What users of such systems have reported stands below, a number and a few words
in each line. A test that pins the right value holds `User report N.` (or `User
reports N, M and K.`) in a comment, or its name begins with `test_report_N_`. The
script prints each report without a test and each test that names an unknown or a
waiting report, and exits with status 1 if there is any; --list prints where each
report is pinned.
"""
import argparse
import os
import pathlib
import re
import sys

REPORTS = """
4 product with an integer as tiler
5 left inverse of strides that are no powers of two
6 canonical form of inverses
7 right inverse of run-time sizes
8 cosize, also of negative strides
9 composition with a left side that could be coalesced
10 composition that takes fewer rows than a tile has
11 division by a layout and by mode
12 worked examples of the documentation
13 complement without modes of size 1
14 complement of stride 0
15 coalesce after prepend of a complement
16 slices of a swizzled layout
17 tables of swizzles
18 run-time coordinates along scaled basis strides
19 arithmetic on basis elements
20 vector load of a view with gaps
21 register array read at a run-time index
23 alignment of swizzled and odd pointers
24 thread-value layouts from threads and values
26 swizzled view under another element width
27 tail of K in a matrix product
28 random layouts against an evaluator
29 predicated copies
30 folded and lowered algebra agree
32 buffers beyond 4 GiB
33 size of a run-time argument
34 strides beyond 32 bits
35 preconditions of the layout operations
36 the first sample runs
37 wide copy of values that do not follow each other
38 predicate of the wrong shape
39 vectors as sequences
40 unknown shape of a matrix instruction
41 every matrix instruction of every chip
42 direct loads to shared memory on a chip without them
43 workgroups of more than 256 threads
44 packed buffer atomics
45 each pass alone
46 run-time library that is missing
47 kernel whose source cannot be read
48 messages name the users' types
49 messages name the users' lines
50 changed inputs through parser and passes
52 loops to a run-time bound
53 carried vectors keep their shape
54 lists in a run-time branch
56 wrap-around of unsigned integers
57 promotion of scalars and of vectors
58 rounding of halves
59 extrema of NaN
60 unroll count of a run-time loop
61 stores to dynamic shared memory
62 two arrays of dynamic shared memory
64 layout of a struct in shared memory
65 capacity of shared memory
70 kernel of another shape
71 launches without the disk cache
72 keys of the cache
73 processes that share a cache
74 compile() uses the cache
75 the plugin in the distribution's mlir-opt
76 the dialects in another MLIR package
77 two copies of LLVM in a process
78 two MLIR packages in a process
79 bytecode read by another tool
80 glibc and libstdc++ that are needed
81 package of the running Python
82 systems that are not supported
83 build without building LLVM
84 passes that fly-opt registers
85 public names and variables
86 consumer chips
87 wave sizes
91 targets of a module
92 kernels on the CPU against NumPy
93 barriers in loops and branches
94 line tables
96 printf
97 dumps of each stage
100 register spills
101 compile time of unrolled loops
102 launch overhead
"""
# Known, without a place in the project yet.
WAITING = """
66 waits before reads of shared memory: no open area yet
67 checker of bank conflicts: no open area yet
68 check for races in shared memory: no open area yet
90 ahead-of-time objects with a C header: no open area yet
95 pictures of layouts: no open area yet
98 bounds of arrays on the CPU, with the index: no open area yet
99 accumulators printed as a matrix: no open area yet
103 faults of chips to steer around: no open area yet
"""
# What no test here can repeat, and how it is tried.
BY_HAND = {
    83: "scripts/demo.sh on a bare Debian 12, which builds no LLVM; its time stands in docs/Benchmarks.md",
}

FOLDERS = ("test", "unittests", "python-bindings/tests", "utils")
SUFFIXES = (".mlir", ".test", ".cpp", ".c", ".py")
TAG = re.compile(r"User reports? (\d+(?:(?:, (?:and )?| and )\d+)*)|\bdef test_report_(\d+)_")


def numbers_of(table):
    return [int(line.split(" ", 1)[0]) for line in table.strip().split("\n")]


def read_tests(root):
    """{number: [places]}."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file() or path.name == "check-user-reports.py":
                continue
            for line, text in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                for match in TAG.finditer(text):
                    for number in re.findall(r"\d+", match.group(1) or match.group(2)):
                        found.setdefault(int(number), []).append(f"{path.relative_to(root)}:{line}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--root", default=os.path.join(os.path.dirname(__file__), ".."))
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    root = pathlib.Path(options.root).resolve()

    tests = read_tests(root)
    reports, waiting = numbers_of(REPORTS), numbers_of(WAITING)
    faults = [f"{n}: stands twice" for n in {n for n in reports + waiting if (reports + waiting).count(n) > 1}]
    faults += [f"{n}: tried by hand, but not among the reports" for n in BY_HAND if n not in reports]
    faults += [f"{n}: no test names it" for n in reports if n not in tests and n not in BY_HAND]
    for number, places in sorted(tests.items()):
        if number not in reports:
            reason = "waits" if number in waiting else "is no report"
            faults.append(f"{places[0]}: {number} {reason}")
    if options.list:
        for number in reports:
            print(number, *(tests.get(number) or [BY_HAND.get(number, "-")]))
    for fault in faults:
        print(fault)
    print(f"user reports: {len(reports)} with a place, {len(waiting)} waiting, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
