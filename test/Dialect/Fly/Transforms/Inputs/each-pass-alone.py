"""Runs each Fly transform alone on each .mlir file of a folder, as it is and
behind the stock canonicaliser and CSE.

Usage: each-pass-alone.py FLY_OPT FOLDER

A run may succeed or end with an error that the tool reports (status 1); any
other status or a message of the crash handler fails the test.
"""

import pathlib
import subprocess
import sys

PASSES = [
    "fly-record-signature",
    "fly-rewrite-func-signature",
    "fly-canonicalize",
    "fly-expand-copy-gemm",
    "fly-lower-memory-ops",
    "fly-lower-print",
    "fly-lower-algebra",
    "fly-merge-offsets",
    "fly-fold",
    "fly-layout-lowering",
    "fly-int-swizzle-simplify",
    "fly-convert-atom-call-to-ssa-form",
    "fly-promote-registers",
    "fly-promote-regmem-to-vectorssa",
]


def main():
    tool, folder = sys.argv[1:3]
    runs = 0
    for module in sorted(pathlib.Path(folder).glob("*.mlir")):
        for before in ([], ["--canonicalize", "--cse"]):
            for name in PASSES:
                done = subprocess.run(
                    [tool, str(module), *before, "--" + name, "-o", "/dev/null"],
                    capture_output=True,
                    text=True,
                )
                runs += 1
                if done.returncode not in (0, 1) or "PLEASE submit" in done.stderr:
                    print(f"crash: {before} {name} on {module.name}\n{done.stderr}")
                    return 1
                if done.returncode == 1 and "error:" not in done.stderr:
                    print(f"no diagnostic: {before} {name} on {module.name}")
                    return 1
    print(f"no crash in {runs} runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
