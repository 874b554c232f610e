#!/usr/bin/env python3
"""Measures Fly and prints the figures that docs/Benchmarks.md records.

usage: run.py [--bin DIR] [--repeat N] [--help]

 * passes and code generation of each example module, per chip;
 * processor time per operation of fly-to-rocdl, and of the layout lowering
   alone, on modules with 10^3, 10^4 and 10^5 layout operations;
 * GFLOP/s of the 512-cubed GEMM on one core of the CPU target.

Every figure is the best of N runs. Exit status 1 if a figure misses its goal by
more than 10 %.
"""
import argparse
import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "..", "examples", "kernels")
MODULES = [
    ("vector_add.mlir", ["gfx942", "gfx1250"]),
    ("transpose.mlir", ["gfx942", "gfx1250"]),
    ("softmax.wave64.mlir", ["gfx942"]),
    ("softmax.wave32.mlir", ["gfx1201"]),
    ("gemm.gfx942.mlir", ["gfx942", "gfx950"]),
    ("gemm.gfx1100.mlir", ["gfx1100"]),
    ("gemm.gfx1201.mlir", ["gfx1201"]),
    ("gemm.gfx1250.mlir", ["gfx1250"]),
]
# At most this much more time per operation from 10^4 to 10^5.
GROWTH_GOAL = 1.3


def timing(opt, arguments):
    """{pass name: seconds} of one fly-opt run, "Total" among them."""
    done = subprocess.run([opt, *arguments, "-o", os.devnull, "-mlir-timing", "-mlir-timing-display=list"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}:\n{done.stderr}")
    times = {}
    for line in done.stderr.splitlines():
        found = re.match(r"\s*([0-9.]+) \(.*?\)\s+(?:[0-9.]+ \(.*?\)\s+)?(\S.*)", line)
        if found:
            times[found.group(2).strip()] = times.get(found.group(2).strip(), 0) + float(found.group(1))
    return times


def cpu_name():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def cpu_flags():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("flags"):
            return set(line.split())
    return set()


def passes_and_codegen(opt, repeat):
    print(f"\n{'module':<22}{'chip':<9}{'fly-to-rocdl ms':>16}{'code generation ms':>20}")
    for module, chips in MODULES:
        path = os.path.join(KERNELS, module)
        for chip in chips:
            passes = codegen = float("inf")
            for _ in range(repeat):
                times = timing(opt, [f"--fly-to-rocdl=chip={chip}", path])
                rest = times.get("Parser", 0) + times.get("Output", 0) + times.get("Rest", 0)
                passes = min(passes, times["Total"] - rest)
                times = timing(opt, [f"--fly-to-binary=chip={chip}", path])
                codegen = min(codegen, next(v for k, v in times.items() if "ModuleToBinary" in k or "module-to-binary" in k))
            print(f"{module:<22}{chip:<9}{1000 * passes:>16.1f}{1000 * codegen:>20.1f}")


def cpu_seconds(command):
    """Processor time of a command, which other load hardly changes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def growth(opt, repeat, folder):
    print(f"\n{'layout operations':<22}{'fly-to-rocdl CPU s':>20}{'us per op':>11}{'fly-layout-lowering CPU s':>27}{'us per op':>11}")
    pipelines = ["fly-to-rocdl{chip=gfx942}",
                 "fly-rewrite-func-signature,fly-canonicalize,fly-layout-lowering"]
    per_op = {}
    for exponent in (3, 4, 5):
        count = 10 ** exponent
        path = os.path.join(folder, f"ops{count}.mlir")
        with open(path, "w", encoding="utf-8") as out:
            subprocess.run([sys.executable, os.path.join(HERE, "layout_ops.py"), str(count)], stdout=out, check=True)
        tail = [path, "--emit-bytecode", "-o", os.devnull, "--mlir-disable-threading"]
        # Parsing and printing are not the passes': their time is taken off.
        read = min(cpu_seconds([opt, *tail]) for _ in range(repeat))
        line = f"10^{exponent:<19}"
        for number, pipeline in enumerate(pipelines):
            best = min(cpu_seconds([opt, f"--pass-pipeline=builtin.module({pipeline})", *tail]) for _ in range(repeat)) - read
            per_op[number, exponent] = best / count
            line += f"{best:>{(20, 27)[number]}.3f}{1e6 * best / count:>11.1f}"
        print(line)
    worst = 0
    for number, pipeline in enumerate(pipelines):
        ratio = per_op[number, 5] / per_op[number, 4]
        worst = max(worst, ratio)
        print(f"growth per operation from 10^4 to 10^5, {pipeline}: {ratio:.2f} (goal: at most {GROWTH_GOAL})")
    return worst <= 1.1 * GROWTH_GOAL


def gemm(run, repeat, folder):
    size = 512
    rng = np.random.default_rng(0)
    a, b = (rng.uniform(-1, 1, (size, size)).astype(np.float16) for _ in range(2))
    paths = {n: os.path.join(folder, f"{n}.npy") for n in ("a", "b", "want")}
    np.save(paths["a"], a)
    np.save(paths["b"], b)
    np.save(paths["want"], a.astype(np.float32) @ b.astype(np.float32).T)
    best = float("inf")
    for _ in range(repeat):
        done = subprocess.run(
            [run, os.path.join(KERNELS, "gemm_512.gfx942.mlir"), "--chip=gfx942", "--device=cpu", "--cpu-threads=1", "--json",
             f"--input=@{paths['a']}", f"--input=@{paths['b']}", f"--input={size}x{size}xf32=0",
             f"--expected=2:@{paths['want']}", "--rtol=1e-3", "--atol=1e-3"], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"gemm_512: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        best = min(best, json.loads(done.stdout)["run_ms"])
    wide = "avx512f" in cpu_flags()
    goal = 5 if wide else 4
    rate = 2 * size ** 3 / best / 1e6
    print(f"\ngemm_512.gfx942 on one core of the CPU target: {best:.0f} ms, {rate:.2f} GFLOP/s "
          f"(goal with {'AVX-512' if wide else 'AVX2'}: {goal})")
    return rate >= 0.9 * goal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(HERE, "..", "build", "bin"), help="folder of the tools")
    parser.add_argument("--repeat", type=int, default=3, help="runs per figure; the best counts")
    options = parser.parse_args()
    opt, run = os.path.join(options.bin, "fly-opt"), os.path.join(options.bin, "fly-run")
    print(f"machine: {cpu_name()}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        passes_and_codegen(opt, options.repeat)
        fine = growth(opt, options.repeat, folder)
        fine = gemm(run, options.repeat, folder) and fine
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
