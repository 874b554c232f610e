# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds every stage of a pipeline back into fly-opt, as text and as bytecode.

usage: check-stages.py FLY_OPT FILE PIPELINE FOLDER

Takes the pipeline apart into its passes, runs them one by one with a file between
each two, and compares the last file with the result of the pipeline in one run; then
runs the whole pipeline on each of the files in between, whose result must be the same.
Locations are kept, since code may depend on them.
"""
import os
import subprocess
import sys


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    return result


def split(text):
    """The elements of a list of passes; commas within brackets do not count."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "({") - (c in ")}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def main():
    fly_opt, source, pipeline, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    whole = f"--pass-pipeline=builtin.module({pipeline})"
    text = run(fly_opt, source, whole, "--dump-pass-pipeline", "-o", os.devnull).stderr
    # The passes are printed over several lines, under "Pass Manager with N passes:".
    line = "".join(x.strip() for x in text[text.index("builtin.module("):].splitlines())
    passes = split(line[len("builtin.module("):line.rindex(")")])
    common = ["--mlir-print-debuginfo", "--mlir-print-local-scope"]
    direct = os.path.join(folder, "direct.mlir")
    run(fly_opt, source, "--mlir-print-debuginfo", "--mlir-print-local-scope", "-o", os.path.join(folder, "0.mlir"))
    start = os.path.join(folder, "0.mlir")
    run(fly_opt, start, whole, *common, "-o", direct)
    with open(direct, encoding="utf-8") as file:
        want = file.read()

    def same(path, what):
        with open(path, encoding="utf-8") as file:
            if file.read() != want:
                sys.exit(f"{path} differs from {direct}: {what}")

    for form in ("text", "bytecode"):
        flags = ["--emit-bytecode"] if form == "bytecode" else common
        stage = start
        for i, one in enumerate(passes):
            after = os.path.join(folder, f"{i + 1}.{form}")
            run(fly_opt, stage, f"--pass-pipeline=builtin.module({one})", *flags, "-o", after)
            stage = after
            if form == "text":
                again = os.path.join(folder, "again.mlir")
                run(fly_opt, stage, whole, *common, "-o", again)
                same(again, f"the pipeline after '{one}'")
        last = os.path.join(folder, f"last.{form}.mlir")
        run(fly_opt, stage, *common, "-o", last)
        same(last, f"passes one by one as {form}")
    print(f"{len(passes)} stages give the same module")


if __name__ == "__main__":
    main()
