#!/usr/bin/env python3
"""Compiles the example kernels for every chip they are for, runs each on the
CPU target and compares the results with NumPy's.

usage: run.py [--bin DIR] [--filter REGEX] [--help]

Arguments, right results and tolerances are those of the kernel's own Python
file (its `arguments`, `expected` and `main`), read from its source, so that
the file's frontend need not be installed. Prints a table, one row for each
module and chip; exit status 1 if a row is wrong.
"""
import argparse
import ast
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "kernels")
CHIPS = ["gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250"]

# Module, its kernel's file and host function, chips, and the sizes beside the
# default one: arguments to the kernel's `arguments`.
EXAMPLES = [
    ("vector_add.mlir", "vector_add", CHIPS, [dict(n=1), dict(n=2051)]),
    ("transpose.mlir", "transpose", CHIPS, []),
    ("softmax.wave64.mlir", "softmax", ["gfx942", "gfx950"], [dict(m=3, n=1), dict(m=2, n=773)]),
    ("softmax.wave32.mlir", "softmax", ["gfx1100", "gfx1201", "gfx1250"], [dict(m=3, n=1), dict(m=2, n=773)]),
    ("gemm.gfx942.mlir", "gemm", ["gfx942", "gfx950"], []),
    ("gemm.gfx1100.mlir", "gemm", ["gfx1100"], []),
    ("gemm.gfx1201.mlir", "gemm", ["gfx1201"], []),
    ("gemm.gfx1250.mlir", "gemm", ["gfx1250"], []),
]


class Kernel:
    """What a kernel's file says of its arguments, results and tolerances."""

    def __init__(self, name):
        path = os.path.join(KERNELS, name + ".py")
        tree = ast.parse(open(path, encoding="utf-8").read(), path)
        wanted = {"arguments", "expected"}
        functions = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name in wanted]
        if {f.name for f in functions} != wanted:
            sys.exit(f"{path}: no functions 'arguments' and 'expected'")
        scope = {"np": np}
        exec(compile(ast.Module(functions, []), path, "exec"), scope)
        self.arguments, self.expected = scope["arguments"], scope["expected"]
        self.rtol, self.atol = self.tolerances(tree, path)
        # Compile-time parameters (Constexpr) are folded into the module.
        jit = next(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == name)
        self.folded = {i for i, a in enumerate(jit.args.args)
                       if a.annotation is not None and "Constexpr" in ast.unparse(a.annotation)}

    @staticmethod
    def tolerances(tree, path):
        """Tolerances of the comparison in `main`, with NumPy's defaults."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr == "assert_array_equal":
                    return 0.0, 0.0
                if node.func.attr == "assert_allclose":
                    given = {k.arg: ast.literal_eval(k.value) for k in node.keywords}
                    return given.get("rtol", 1e-7), given.get("atol", 0.0)
        sys.exit(f"{path}: main compares nothing")


def run(command):
    """Standard output and error of a tool, or exit with its error."""
    done = subprocess.run(command, capture_output=True)
    if done.returncode not in (0, 1) or (done.returncode == 1 and b"error" in done.stderr):
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr.decode(errors='replace')}")
    return done.stdout, done.stderr.decode(errors="replace")


class Tools:
    def __init__(self, folder):
        self.opt, self.translate, self.run = (
            os.path.join(folder, name) for name in ("fly-opt", "fly-translate", "fly-run"))
        for tool in (self.opt, self.translate, self.run):
            if not os.path.exists(tool):
                sys.exit(f"{tool} is missing: build first (scripts/build.sh)")

    def pass_time(self, module, chip):
        """Milliseconds of all passes of fly-to-rocdl."""
        _, text = run([self.opt, f"--fly-to-rocdl=chip={chip}", module, "-o", os.devnull,
                       "-mlir-timing", "-mlir-timing-display=list"])
        total = re.search(r"Total Execution Time: ([0-9.]+) seconds", text)
        if not total:
            raise RuntimeError(f"no timing report for {module}")
        return 1000 * float(total.group(1))

    def hsaco(self, module, chip, path):
        run([self.translate, "--fly-to-hsaco", f"--chip={chip}", module, "-o", path])
        return os.path.getsize(path)

    def report(self, module, chip):
        out, _ = run([self.translate, "--fly-report", "--json", f"--chip={chip}", module])
        return json.loads(out)["kernels"][0]

    def execute(self, module, chip, kernel, folder, sizes):
        """(milliseconds, worst error, matches) of one run on the CPU target."""
        args = kernel.arguments(**sizes)
        command = [self.run, module, f"--chip={chip}", "--device=cpu", "--json",
                   f"--rtol={kernel.rtol}", f"--atol={kernel.atol}"]
        number = {}
        for index, value in enumerate(args):
            if index in kernel.folded:
                continue
            number[index] = len(number)
            if isinstance(value, np.ndarray):
                path = os.path.join(folder, f"in{index}.npy")
                np.save(path, value)
                command.append(f"--input=@{path}")
            else:
                command.append(f"--input={value}")
        for index, want in kernel.expected(*args).items():
            path = os.path.join(folder, f"want{index}.npy")
            np.save(path, np.ascontiguousarray(want))
            command.append(f"--expected={number[index]}:@{path}")
        out, _ = run(command)
        result = json.loads(out)
        worst = max((math.inf if c["worst_error"] is None else c["worst_error"] for c in result["comparisons"]), default=0.0)
        return result["run_ms"], worst, all(c["matches"] for c in result["comparisons"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(HERE, "..", "build", "bin"),
                        help="folder of the tools (default: the last release build)")
    parser.add_argument("--filter", default="", help="only rows whose 'module chip' matches this regular expression")
    options = parser.parse_args()
    tools = Tools(options.bin)

    header = ("module", "chip", "passes ms", "HSACO B", "VGPRs", "spills", "CPU run ms", "worst error", "ok")
    form = "{:<22}{:<9}{:>10}{:>9}{:>7}{:>8}{:>12}{:>13}  {}"
    print(form.format(*header))
    rows = wrong = 0
    start = time.time()
    with tempfile.TemporaryDirectory() as folder:
        for module, name, chips, more_sizes in EXAMPLES:
            kernel, path = Kernel(name), os.path.join(KERNELS, module)
            for chip in chips:
                if not re.search(options.filter, f"{module} {chip}"):
                    continue
                rows += 1
                try:
                    passes = tools.pass_time(path, chip)
                    size = tools.hsaco(path, chip, os.path.join(folder, "k.hsaco"))
                    report = tools.report(path, chip)
                    run_ms, worst, ok = tools.execute(path, chip, kernel, folder, {})
                    for sizes in more_sizes:
                        _, more, fine = tools.execute(path, chip, kernel, folder, sizes)
                        worst, ok = max(worst, more), ok and fine
                    spills = report["vgpr_spills"] + report["sgpr_spills"]
                    print(form.format(module, chip, f"{passes:.1f}", size, report["vgprs"], spills,
                                      f"{run_ms:.1f}", f"{worst:.2e}", "ok" if ok else "WRONG"), flush=True)
                except (RuntimeError, KeyError, ValueError) as error:
                    ok = False
                    print(form.format(module, chip, "", "", "", "", "", "", "ERROR"))
                    print(f"  {error}", flush=True)
                wrong += not ok
    print(f"{rows - wrong} of {rows} rows right, {time.time() - start:.0f} s")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
