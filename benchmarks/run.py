#!/usr/bin/env python3
"""Measures Fly and prints the figures that docs/Benchmarks.md records.

usage: run.py [--bin DIR] [--repeat N] [--help]

 * passes and code generation of each example module, per chip;
 * processor time per operation and peak memory of fly-to-rocdl, and of the
   layout lowering alone, with the passes that take most of it: on modules with
   10^3, 10^4 and 10^5 layout operations, on an unrolled GEMM loop of 60,000
   operations, on layouts nested 12 levels and on tuples of rank 64. Growth is
   that between the two largest sizes;
 * GFLOP/s of the 512-cubed GEMM on one core of the CPU target.

Every figure is the best of N runs. Exit status 1 if a figure misses its goal by
more than 10 %.
"""
import argparse
import json
import os
import platform
import re
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
# At most this much more time per operation from one size to the next, ten times larger.
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


def measure(command):
    """Processor time of a command, which other load hardly changes, and its peak memory in MiB."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    text = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)}:\n{text}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def hot_passes(opt, pipeline, path):
    """The passes that take most of the time, with their share."""
    times = timing(opt, [f"--pass-pipeline=builtin.module({pipeline})", path, "--mlir-disable-threading"])
    total = times.pop("Total")
    rest = sum(times.pop(name, 0) for name in ("Parser", "Output", "Rest"))
    ranked = sorted(times.items(), key=lambda item: -item[1])[:5]
    return ", ".join(f"{name} {100 * seconds / (total - rest):.0f} %" for name, seconds in ranked)


# What is generated, its sizes, and operations in a unit of size.
WORKLOADS = [
    ("layout operations", ["layout_ops.py"], [10 ** 3, 10 ** 4, 10 ** 5], 1),
    ("unrolled GEMM loop, groups of 30 operations", ["unrolled_gemm.py"], [20, 200, 2000], 30),
    ("layouts nested 12 levels", ["nested_layouts.py", "deep"], [10 ** 3, 10 ** 4, 10 ** 5], 1),
    ("tuples of rank 64", ["nested_layouts.py", "wide"], [10 ** 3, 5 * 10 ** 3, 25 * 10 ** 3], 1),
]
PIPELINES = ["fly-to-rocdl{chip=gfx942}",
             "fly-rewrite-func-signature,fly-canonicalize,fly-layout-lowering"]


def growth(opt, repeat, folder):
    worst = 0
    for title, generator, sizes, unit in WORKLOADS:
        print(f"\n{title:<50}{'CPU s':>9}{'us per op':>11}{'peak MiB':>10}")
        per_op = {}
        for size in sizes:
            path = os.path.join(folder, "input.mlir")
            with open(path, "w", encoding="utf-8") as out:
                subprocess.run([sys.executable, os.path.join(HERE, generator[0]), *generator[1:], str(size)],
                               stdout=out, check=True)
            tail = [path, "--emit-bytecode", "-o", os.devnull, "--mlir-disable-threading"]
            # Parsing and printing are not the passes': their time is taken off.
            read = min(measure([opt, *tail])[0] for _ in range(repeat))
            for pipeline in PIPELINES:
                runs = [measure([opt, f"--pass-pipeline=builtin.module({pipeline})", *tail]) for _ in range(repeat)]
                best = min(seconds for seconds, _ in runs) - read
                per_op[pipeline, size] = best / (size * unit)
                name = pipeline.split("{")[0].split(",")[-1]
                print(f"{f'  {size}, {name}':<50}{best:>9.3f}{1e6 * per_op[pipeline, size]:>11.1f}"
                      f"{max(peak for _, peak in runs):>10.0f}")
                if size == sizes[-1]:
                    print(f"    {hot_passes(opt, pipeline, path)}")
        for pipeline in PIPELINES:
            ratio = per_op[pipeline, sizes[-1]] / per_op[pipeline, sizes[-2]]
            worst = max(worst, ratio)
            print(f"  growth per operation from {sizes[-2]} to {sizes[-1]}, {pipeline.split('{')[0].split(',')[-1]}: "
                  f"{ratio:.2f} (goal: at most {GROWTH_GOAL})")
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
    parser.add_argument("--only", choices=["passes", "growth", "gemm"], help="one part of the figures")
    parser.add_argument("--repeat", type=int, default=3, help="runs per figure; the best counts")
    options = parser.parse_args()
    opt, run = os.path.join(options.bin, "fly-opt"), os.path.join(options.bin, "fly-run")
    print(f"machine: {cpu_name()}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as folder:
        fine = True
        if options.only in (None, "passes"):
            passes_and_codegen(opt, options.repeat)
        if options.only in (None, "growth"):
            fine = growth(opt, options.repeat, folder)
        if options.only in (None, "gemm"):
            fine = gemm(run, options.repeat, folder) and fine
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
