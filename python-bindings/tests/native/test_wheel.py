# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel: made from the build, installed into an empty environment, used there."""

import os
import subprocess
import sys
import venv
import zipfile

import flydsl
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(flydsl.__file__)))
BUILD = os.path.dirname(PACKAGES)

pytestmark = pytest.mark.skipif(not os.path.exists(os.path.join(BUILD, "cmake_install.cmake")),
                                reason="the package under test is not in a build tree")

PROGRAM = """
import ctypes, os, sys
from flydsl._mlir import ir
from flydsl._mlir.dialects import arith, cf, fly, fly_rocdl, func, gpu, llvm, math, memref, rocdl, scf, vector
from flydsl._mlir._mlir_libs import _fly, _flyNative as native
import flydsl.compiler, flydsl.expr
assert flydsl.__file__.startswith(sys.prefix), flydsl.__file__
native.set_device("cpu")
with ir.Context(), ir.Location.unknown():
    module = ir.Module.parse('''
      func.func @twice(%p: !llvm.ptr, %v: i32) {
        %w = arith.addi %v, %v : i32
        llvm.store %w, %p : i32, !llvm.ptr
        return
      }''')
    native.run_stage(module, "fly-to-cpu{chip=gfx942}")
    code = native.Executable.compile(module, 2)
out = ctypes.c_int32(0)
native.Launcher(code, "twice", [("pointer", 1), ("int", 32, True)], ["p", "v"])(ctypes.addressof(out), 21)
assert out.value == 42
assert native.device_kind() == "cpu"
# The runtime by its other name is the same runtime.
here = os.path.dirname(native.__file__)
alias, runtime = (ctypes.CDLL(os.path.join(here, f"libfly_{name}.so")) for name in ("jit_runtime", "runtime"))
for name in ("mgpuModuleLoad", "mgpuLaunchKernel", "flydslRuntimeTakeError"):
    assert ctypes.cast(getattr(alias, name), ctypes.c_void_p).value == ctypes.cast(getattr(runtime, name), ctypes.c_void_p).value
with open("/proc/self/maps") as file:
    mapped = {line.split()[-1] for line in file if "/libfly_" in line or "/libFly" in line}
assert len(mapped) == 4 and all(path.startswith(sys.prefix) for path in mapped), mapped
print("works")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    done = subprocess.run([sys.executable, os.path.join(ROOT, "utils/make-wheel.py"), "--build", BUILD, "--into",
                           str(tmp_path_factory.mktemp("wheel"))], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_contents(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    libs = "flydsl/_mlir/_mlir_libs/"
    for name in ("flydsl/__init__.py", "flydsl/py.typed", "flydsl/_mlir/ir.py", "flydsl/_mlir/dialects/_fly_ops_gen.py",
                 libs + "libFlyCAPI.so", libs + "libfly_runtime.so", libs + "libfly_cpu_runtime.so",
                 libs + "libfly_hip_runtime.so", libs + "libfly_jit_runtime.so", libs + "_fly.pyi", libs + "_flyNative.pyi", libs + "_mlir/ir.pyi"):
        assert name in names, name
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]
    assert os.path.getsize(wheel) < 30 << 20


def test_version(wheel):
    with open(os.path.join(ROOT, "VERSION")) as file:
        version = file.read().strip()
    assert flydsl.__version__ == version
    assert f"flydsl-{version}-cp" in wheel


def test_clean_environment(wheel, tmp_path):
    # User report 81.
    # Nothing but the wheel: not even NumPy, which only arrays need.
    folder = tmp_path / "env"
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    site = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True,
                          text=True, check=True).stdout.strip()
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-compile",
                    "--disable-pip-version-check", "--target", site, wheel], check=True, timeout=300)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH" and not k.startswith("FLY")}
    done = subprocess.run([python, "-c", PROGRAM], capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=120)
    assert done.stdout == "works\n", done.stderr
