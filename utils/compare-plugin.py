#!/usr/bin/env python3
# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs each of Fly's passes alone in fly-opt and, as a plugin, in mlir-opt.

All parts (`// -----`) of all .mlir files below the given folders go through
each pipeline of `fly-fuzz --list-pipelines`, in both tools. Neither may end
otherwise than with status 0 or 1, and both must say and print the same; that
fly-opt's answers are right, `fly-fuzz --from=files` checks. With --every=N only
each N-th part counts.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fly-opt", default="fly-opt")
    parser.add_argument("--fly-fuzz", default="fly-fuzz")
    parser.add_argument("--mlir-opt", default="mlir-opt-22")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    options = parser.parse_args()

    files = sorted(f for folder in options.folders for f in folder.rglob("*.mlir"))
    parts = [part for f in files for part in f.read_text().split("// -----")]
    parts = parts[:: options.every]
    pipelines = subprocess.run(
        [options.fly_fuzz, "--list-pipelines"],
        capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip

    tools = [
        [options.fly_opt],
        [options.mlir_opt, "--load-dialect-plugin=" + options.plugin],
    ]
    faults = 0
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as joined:
        joined.write("// -----\n".join(part.rstrip() + "\n" for part in parts))
        joined.flush()
        for pipeline in pipelines:
            answers = []
            for tool in tools:
                done = subprocess.run(
                    tool
                    + [joined.name, "-split-input-file", "-allow-unregistered-dialect"]
                    + [f"--pass-pipeline=builtin.module({pipeline})"],
                    capture_output=True, text=True,
                )  # fmt: skip
                answers.append((done.returncode, done.stdout, done.stderr))
                if done.returncode not in (0, 1) or "PLEASE submit" in done.stderr:
                    print(f"{tool[0]}: {pipeline} ends with status {done.returncode}")
                    print(done.stderr[-4000:])
                    faults += 1
            if answers[0] != answers[1]:
                print(f"{pipeline}: the tools differ")
                for mine, other in zip(answers[0][1:], answers[1][1:]):
                    for a, b in zip(mine.splitlines(), other.splitlines()):
                        if a != b:
                            print(f"  fly-opt:  {a}\n  mlir-opt: {b}")
                            break
                faults += 1
    print(f"{len(parts)} parts, {len(pipelines)} pipelines, {faults} faults")
    return 1 if faults or not parts or not pipelines else 0


if __name__ == "__main__":
    sys.exit(main())
