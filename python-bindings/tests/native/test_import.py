# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The binding as such: every module loads, one MLIR in the process, passes run."""

import importlib
import os
import pathlib
import subprocess
import sys

import pytest

DIALECTS = ("arith", "builtin", "cf", "fly", "fly_rocdl", "func", "gpu", "llvm", "math", "memref", "rocdl", "scf", "vector")

MODULE = """
gpu.module @kernels {
  gpu.func @k(%m: !fly.memref<f32, global, (4,8):(1,4)>) kernel {
    %l = fly.get_layout(%m) : (!fly.memref<f32, global, (4,8):(1,4)>) -> !fly.layout<(4,8):(1,4)>
    gpu.return
  }
}
"""


@pytest.mark.parametrize("name", DIALECTS)
def test_dialect_imports(name):
    # A process each: a symbol that is missing shows at the first import.
    code = f"from flydsl._mlir.dialects import {name}; assert {name}._Dialect"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_source_folder_says_that_it_has_no_native_part():
    # Its folder is on the path for `kernels` and may come first.
    source = pathlib.Path(__file__).parents[2]
    run = subprocess.run([sys.executable, "-c", "import flydsl.expr"], cwd=source, capture_output=True, text=True, timeout=60,
                         env=dict(os.environ, PYTHONPATH=str(source)))
    assert f"ImportError: {source / 'flydsl'} is the source of flydsl without its native part" in run.stderr


def test_one_mlir_in_the_process():
    for name in DIALECTS:
        importlib.import_module(f"flydsl._mlir.dialects.{name}")
    with open("/proc/self/maps") as file:
        libraries = {line.split()[-1] for line in file if "libMLIR.so" in line or "libLLVM" in line}
    assert len(libraries) == 2, libraries


def test_parse_and_run_a_pass():
    from flydsl._mlir import ir, passmanager

    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(MODULE)
        passmanager.PassManager.parse("builtin.module(canonicalize,fly-canonicalize)").run(module.operation)
        assert "!fly.memref<f32, global, (4,8):(1,4)>" in str(module)


def test_verifier_error_carries_the_text():
    from flydsl._mlir import ir

    with ir.Context(), ir.Location.unknown():
        with pytest.raises(ir.MLIRError, match="same profile"):
            ir.Module.parse("func.func private @f(!fly.layout<(4,8):(1)>)")


def test_a_context_is_cheap():
    import time

    from flydsl._mlir import ir

    ir.Context()
    start = time.perf_counter()
    for _ in range(5):
        ir.Context()
    assert (time.perf_counter() - start) / 5 < 0.1
