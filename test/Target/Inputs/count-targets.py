"""Counts the targets and objects of modules that are compiled with each option,
all files after the first with two of the options only.

usage: count-targets.py FLY_OPT FILE...
"""

import re
import subprocess
import sys

# Option of fly-to-binary, and what the target or the object has of it.
OPTIONS = {
    "": "",
    "opt-level=0": "O = 0",
    "opt-level=3": "O = 3",
    "waves-per-eu=2": "",
    "fast-math=true": "flags = {fast}",
    "unsafe-math=true": "flags = {unsafe_math}",
    "denormals-f32=flush": "",
    "denormals-f16=preserve": "",
    "llvm-options=amdgpu-early-inline-all": "",
    "link=": "",
    "debug-info=true": "",
    "trap-on-assert=true": "",
    "runtime-checks=true": "",
    "format=isa": "assembly = ",
    "format=llvm": "offload = ",
}


def main():
    tool, files = sys.argv[1], sys.argv[2:]
    runs, faults = 0, 0
    for name in files:
        for option, trace in OPTIONS.items():
            if name != files[0] and option not in ("", "opt-level=3"):
                continue
            done = subprocess.run(
                [tool, name, f"-fly-to-binary=chip=gfx942 {option}"],
                capture_output=True, text=True,
            )  # fmt: skip
            # The texts of objects are no attributes.
            text = re.sub(r'"(\\.|[^"\\])*"', '""', done.stdout)
            binaries = re.findall(r"^ *gpu\.binary .*", text, re.M)
            counts = [(b.count("#gpu.object<"), b.count("#rocdl.target<")) for b in binaries]
            runs += 1
            if done.returncode or counts != [(1, 1)] or trace not in binaries[0]:
                faults += 1
                print(f"{name}: {option}: {counts}, {binaries[:1]}\n{done.stderr}")
    print(f"{runs} runs, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
