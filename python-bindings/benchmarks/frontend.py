# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times of the binding, beside their limits.

usage: PYTHONPATH=build/release/python_packages .venv/bin/python python-bindings/benchmarks/frontend.py

Import, trace and compile, warm calls, handles, disk hits. Exit status 1 if a
figure is more than 10 % above its limit.
"""
import os
import subprocess
import sys
import tempfile
import time

# The limits are for warm .pyc files.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.setdefault("FLYDSL_GPU_ARCH", "gfx942")
os.environ["FLYDSL_DEVICE"] = "cpu"

SOURCE = '''
import flydsl.compiler as flyc
import flydsl.expr as fx

@flyc.kernel
def add_kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor, n: fx.Int32):
    i = fx.block_idx.x * 64 + fx.thread_idx.x
    if i < n:
        c[i] = a[i] + b[i]

@flyc.jit
def add(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor, n: fx.Int32, stream: fx.Stream = fx.Stream(None)):
    add_kernel(a, b, c, n).launch(grid=(n + 63) // 64, block=64, stream=stream)
'''


LONG = '''
import flydsl.compiler as flyc
import flydsl.expr as fx

def make(count):
    @flyc.kernel
    def long_kernel(a: fx.Tensor, c: fx.Tensor):
        i = fx.thread_idx.x
        total = a[i]
        for k in fx.range_constexpr(count):
            total = total * 2.0 + a[i + k]
        c[i] = total

    @flyc.jit
    def long(a: fx.Tensor, c: fx.Tensor):
        long_kernel(a, c).launch(block=64)

    return long
'''


def best(function, count, repeat=5):
    """The least mean time of `count` calls, in seconds."""
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        for _ in range(count):
            function()
        times.append((time.perf_counter() - begin) / count)
    return min(times)


def show(rows, row):
    """Prints a row and keeps it."""
    rows.append(row)
    name, got, limit = row
    missed = "   MISSED" if got > 1.1 * limit else ""
    unit = "  " if "(ratio)" in name else "us"
    print(f"{name:47} {got * 1e6:12.1f} {unit}   limit {limit * 1e6:10.1f} {unit}{missed}", flush=True)


def warm(launcher, *args):
    """The time of a call of known code, without what it launches."""
    launcher(*args)
    (entries, ) = launcher._entries.values()
    launched = []
    entries[0].run = lambda args: launched.append
    return best(lambda: launcher(*args), 5000)


def in_process(code, repeat=3):
    """The least number that a process of its own prints."""
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                                    check=True).stdout.split()[-1]) for _ in range(repeat))


def main() -> int:
    folder = tempfile.mkdtemp()
    os.environ["FLYDSL_RUNTIME_CACHE_DIR"] = os.path.join(folder, "cache")
    with open(os.path.join(folder, "bench_add.py"), "w") as file:
        file.write(SOURCE)
    with open(os.path.join(folder, "bench_long.py"), "w") as file:
        file.write(LONG)
    sys.path.insert(0, folder)
    rows = []
    show(rows, ("import of flydsl.compiler and flydsl.expr", in_process(
        "import time; t = time.perf_counter(); import flydsl.compiler, flydsl.expr; print(time.perf_counter() - t)", 5),
        0.25))
    call = (f"import sys, time; sys.path.insert(0, {folder!r})\nimport numpy as np, bench_add, flydsl.compiler as flyc\n"
            "a = np.zeros(64, np.float32)\nimport flydsl.expr.rocdl\n"
            "from flydsl._mlir import ir\nwarm = {warm}\nif warm: bench_add.add(a, a.copy(), a.copy(), 32)\n"
            "import importlib; bench_add = importlib.reload(bench_add)\n"
            "t = time.perf_counter(); bench_add.add(a, a.copy(), a.copy(), 64); print(time.perf_counter() - t)")
    to_code = ("import os; os.environ.update(COMPILE_ONLY='1', FLYDSL_DEVICE='hip', FLYDSL_RUNTIME_ENABLE_CACHE='0')\n")
    show(rows, ("vector add, trace and compile to HSACO", in_process(to_code + call.format(warm=True)), 0.060))
    # Six operations a trip.
    trips = {}
    for count in (42, 167, 668):
        trips[count] = in_process(to_code + (
            f"import sys, time; sys.path.insert(0, {folder!r})\nimport numpy as np, bench_long\n"
            "a = np.zeros(1024, np.float32)\nbench_long.make(3)(a, a.copy())\n"
            f"t = time.perf_counter(); bench_long.make({count})(a, a.copy()); print(time.perf_counter() - t)"))
    show(rows, ("1,000 operations, trace and compile to HSACO", trips[167], 0.250))
    show(rows, ("per trip, 4,000 operations over 1,000 (ratio)", trips[668] / 668 / (trips[167] / 167) * 1e-6, 1.3e-6))
    in_process(call.format(warm=False), 1)
    show(rows, ("disk-cache hit of a vector add", in_process(call.format(warm=True)), 0.015))

    import numpy as np

    import bench_add
    import flydsl.compiler as flyc
    a, b, c = (np.zeros(64, np.float32) for _ in range(3))
    show(rows, ("warm @jit call, launch excluded", warm(bench_add.add, a, b, c, 64), 20e-6))
    for name, launcher, args in _large():
        show(rows, (f"the same of {name}", warm(launcher, *args), 20e-6))
    empty = _empty(flyc)
    run = flyc.compile(empty, a, b, c, 64)
    show(rows, ("flyc.compile handle, three tensors", best(lambda: run(a, b, c, 64), 5000), 5e-6))
    return int(any(got > 1.1 * limit for _, got, limit in rows))


def _large():
    """The launchers of the collection whose traces depend on most, with arguments."""
    import numpy as np
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from kernels.gemm.preshuffle_gemm import compile_preshuffle_gemm
    from kernels.norm.layernorm_kernel import build_layernorm
    x, row = np.zeros((2, 64), np.float32), np.zeros(64, np.float32)
    yield "layernorm", build_layernorm(), (x, row, row, x.copy(), 2, 64)
    a, b, c = np.zeros((32, 256), np.float16), np.zeros(256 * 256, np.float16), np.zeros((32, 256), np.float16)
    one, bias = np.ones(1, np.float32), np.zeros(256, np.float16)
    yield "preshuffle_gemm", compile_preshuffle_gemm(N=256, K=256), (c, a, b, one, one, bias, 32, 256)


def _empty(flyc):
    import flydsl.expr as fx

    @flyc.jit
    def empty(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor, n: fx.Int32):
        pass

    return empty


if __name__ == "__main__":
    sys.exit(main())
