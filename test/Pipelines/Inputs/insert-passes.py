"""Runs a pipeline with clean-up passes inserted and compares the results.

Usage: insert-passes.py TOOL[,ARGUMENT...] MODULE PIPELINE [--each|--run-only]

TOOL runs the passes; fly-opt spells the pipeline out, which ends in assembly.
Each of INSERTED goes in front of every pass of the pipeline at once, with
--each also in front of one pass at a time. The assembly must hold the same
instructions each time. They are counted by kind: upstream's canonicaliser
reorders what a module computes for itself, so that order, registers, and the
waits and delays that follow from them may differ. With --run-only there need
not be any assembly, and only an error is a failure.
"""

import collections
import re
import subprocess
import sys

INSERTED = ["canonicalize,cse", "fly-canonicalize", "canonicalize,fly-canonicalize,cse"]
IGNORED = re.compile(r"s_delay_alu|s_wait.*|s_nop")


def split(text):
    """The passes of a comma-separated list; nested lists stay whole."""
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char in "({") - (char in ")}")
        if char == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return parts + [text[start:]]


def spell_out(pipeline):
    """The passes of a registered pipeline on a module."""
    done = subprocess.run(
        ["fly-opt", "--" + pipeline, "--dump-pass-pipeline", "-"],
        input="", capture_output=True, text=True,
    )  # fmt: skip
    text = "".join(line.strip() + " " for line in done.stderr.splitlines())
    begin = text.index("builtin.module(") + len("builtin.module(")
    return [part.strip() for part in split(text[begin : text.rindex(")")])]


def run(tool, module, passes):
    """How many instructions of each kind come out."""
    done = subprocess.run(
        tool + [module, f"--pass-pipeline=builtin.module({','.join(passes)})"],
        capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode != 0:
        sys.exit(f"{','.join(passes)}\n{done.stderr}")
    kinds = re.findall(r"\\0A\\09([a-z]\w+)", done.stdout)
    return collections.Counter(k for k in kinds if not IGNORED.fullmatch(k))


def main():
    tool, module, pipeline = sys.argv[1].split(","), sys.argv[2], sys.argv[3]
    run_only = "--run-only" in sys.argv[4:]
    passes = spell_out(pipeline)
    expected = run(tool, module, passes)
    runs = 0
    for inserted in INSERTED:
        trials = [[p for one in passes for p in (inserted, one)]]
        if "--each" in sys.argv[4:]:
            trials += [
                passes[:place] + [inserted] + passes[place:]
                for place in range(len(passes))
            ]
        for trial in trials:
            runs += 1
            found = run(tool, module, trial)
            if found != expected and not run_only:
                sys.exit(
                    f"{module}: {','.join(trial)}\nmore: {found - expected}\n"
                    f"less: {expected - found}"
                )
    if run_only:
        print(f"{runs} runs without an error")
    else:
        print(f"the same {expected.total()} instructions in {runs} runs")


if __name__ == "__main__":
    main()
