# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package beside other software: other LLVMs, other Pythons, the C library, other bindings of MLIR."""

import gc
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig

import pytest
from flydsl._mlir import ir
from flydsl._mlir._mlir_libs import _flyNative as native
from flydsl._mlir._mlir_libs import _flyRegister

import flydsl._mlir as binding

LIBS = os.path.join(os.path.dirname(binding.__file__), "_mlir_libs")
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))

COMPILE = """
from flydsl._mlir import ir
from flydsl._mlir._mlir_libs import _flyNative as native
native.set_device("cpu")
source = '''
gpu.module @kernels {
  gpu.func @k(%p: !fly.ptr<f32, global>) kernel {
    %x = fly.ptr.load(%p) : (!fly.ptr<f32, global>) -> f32
    fly.ptr.store(%x, %p) : (f32, !fly.ptr<f32, global>) -> ()
    gpu.return
  }
}'''
for passes in ("fly-to-cpu{chip=gfx942}", "fly-to-binary{chip=gfx942}"):
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(source)
        native.run_stage(module, passes)
        native.Executable.compile(module, 2).functions
print("works")
"""


def run(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=120)


@pytest.mark.parametrize("version", ["14", "15"])
def test_another_llvm_in_the_process(version):
    # User report 77.
    paths = glob.glob(f"/usr/lib/llvm-{version}/lib/libLLVM-{version}.so.1") + glob.glob(
        f"/usr/lib/*/libLLVM-{version}.so.1")
    if not paths:
        pytest.skip(f"no LLVM {version} on this machine")
    done = run(f"import ctypes; ctypes.CDLL({paths[0]!r}, ctypes.RTLD_GLOBAL)\n" + COMPILE)
    assert done.stdout == "works\n", done.stderr


def test_c_library():
    # User report 80.
    """Debian 12 has glibc 2.36 and libstdc++ 6.0.30; code that needs a later one cannot be loaded there."""
    libraries = [path for path in glob.glob(os.path.join(LIBS, "*.so*"))]
    libraries += glob.glob(os.path.join(LIBS, "../../../../lib/libfly_*.so"))
    libraries += glob.glob(os.path.join(LIBS, "../../../../lib/libFlyCAPI.so"))
    assert len(libraries) > 6
    for path in libraries:
        with open(path, "rb") as file:
            versions = {tuple(map(int, v.split(b"."))) for v in re.findall(rb"GLIBC_(\d+\.\d+(?:\.\d+)?)\0", file.read())}
            file.seek(0)
            cpp = {tuple(map(int, v.split(b"."))) for v in re.findall(rb"GLIBCXX_(\d+\.\d+(?:\.\d+)?)\0", file.read())}
        assert not versions or max(versions) <= (2, 36), (path, max(versions))
        assert not cpp or max(cpp) <= (3, 4, 30), (path, max(cpp))
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        assert "glibc 2.36" in file.read()


def copy_package(tmp_path):
    """The package without its native part."""
    target = tmp_path / "flydsl" / "_mlir"
    (target / "_mlir_libs").mkdir(parents=True)
    shutil.copy(os.path.join(os.path.dirname(binding.__file__), "__init__.py"), target)
    (tmp_path / "flydsl" / "__init__.py").write_text("")
    return target


def test_another_python(tmp_path):
    # User report 81.
    target = copy_package(tmp_path)
    (target / "_mlir_libs" / "_mlir.cpython-310-x86_64-linux-gnu.so").write_text("")
    (target / "_mlir_libs" / "_mlir.cpython-39-x86_64-linux-gnu.so").write_text("")
    done = run("import flydsl._mlir", PYTHONPATH=str(tmp_path))
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert f"ImportError: flydsl was built for CPython 3.10, 3.9, this is {version}: install the wheel" in done.stderr


def test_mlir_is_missing(tmp_path):
    target = copy_package(tmp_path)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    (target / "_mlir_libs" / ("_mlir" + suffix)).write_text("")
    (target / "_mlir_libs" / "__init__.py").write_text(
        "raise ImportError('libMLIR.so.22.1: cannot open shared object file: No such file or directory')")
    done = run("import flydsl._mlir", PYTHONPATH=str(tmp_path))
    assert "ImportError: flydsl needs MLIR 22.1 (Debian package libmlir-22): libMLIR.so.22.1: cannot open" in done.stderr


def test_libraries_have_names_of_their_own():
    # User report 78.
    """Another package of MLIR in the process has its own; nanobind keeps the domains apart."""
    names = {os.path.basename(path) for path in glob.glob(os.path.join(LIBS, "lib*.so"))}
    assert {"libMLIRPythonSupport-fly.so", "libnanobind-fly.so"} <= names
    assert not {"libMLIRPythonSupport-mlir.so", "libnanobind-mlir.so", "libMLIRPythonCAPI.so"} & names


TWO_PACKAGES = """
def use(ir, text):
    with ir.Context(), ir.Location.unknown():
        assert str(ir.Type.parse(text)) == text and str(ir.Module.parse("module {}")) == "module {\\n}\\n"
        ir.IntegerType.get_signless(32)

def ours():
    from flydsl._mlir import ir
    use(ir, "!fly.layout<(4,8):(1,4)>")

def theirs():
    from jaxlib.mlir import ir
    use(ir, "tensor<4xf32>")

for _ in range(2):
    first()
    second()
"""


# jaxlib has MLIR's binding, too. The set-up does not install it: by hand, pip install --no-deps jaxlib.
if importlib.util.find_spec("jaxlib") is not None:

    @pytest.mark.parametrize("first, second", [("ours", "theirs"), ("theirs", "ours")])
    def test_another_mlir_package_in_the_process(first, second):
        # User report 78.
        code = TWO_PACKAGES.replace("first()", f"{first}()").replace("second()", f"{second}()")
        done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_context_of_another_package():
    # User report 76.
    class DialectRegistry:
        _CAPIPtr = object()

    with pytest.raises((TypeError, RuntimeError), match="flydsl._mlir.ir.DialectRegistry"):
        _flyRegister.register_dialects(DialectRegistry())


def test_code_lives_as_long_as_its_launchers():
    native.set_device("cpu")
    launchers = []
    for i in range(50):
        with ir.Context(), ir.Location.unknown():
            module = ir.Module.parse(f"func.func @f(%p: !llvm.ptr) {{ %v = arith.constant {i} : i32 "
                                     "llvm.store %v, %p : i32, !llvm.ptr return }")
            native.run_stage(module, "fly-to-cpu{chip=gfx942}")
            code = native.Executable.compile(module, 0)
        launchers.append(native.Launcher(code, "f", [("pointer", 1)], ["p"]))
        del code, module
        gc.collect()
    import ctypes
    out = ctypes.c_int32(-1)
    for i, launcher in enumerate(launchers):
        launcher(ctypes.addressof(out))
        assert out.value == i


def test_launches_after_a_fork():
    code = """
import ctypes, os
from flydsl._mlir import ir
from flydsl._mlir._mlir_libs import _flyNative as native
native.set_device("cpu")
with ir.Context(), ir.Location.unknown():
    module = ir.Module.parse("func.func @f(%p: !llvm.ptr) { %v = arith.constant 5 : i32 llvm.store %v, %p : i32, !llvm.ptr return }")
    native.run_stage(module, "fly-to-cpu{chip=gfx942}")
    code = native.Executable.compile(module, 2)
out = ctypes.c_int32(0)
run = native.Launcher(code, "f", [("pointer", 1)], ["p"])
run(ctypes.addressof(out))
out.value = 0
child = os.fork()
if child == 0:
    run(ctypes.addressof(out))
    native.Launcher(native.Executable.load(code.serialize()), "f", [("pointer", 1)], ["p"])(ctypes.addressof(out))
    os._exit(0 if out.value == 5 else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
    done = run(code)
    assert done.returncode == 0, done.stderr


def test_a_faulthandler_before_us():
    code = "import faulthandler; faulthandler.enable()\n" + """
import ctypes
from flydsl._mlir import ir
from flydsl._mlir._mlir_libs import _flyNative as native
native.set_device("cpu")
with ir.Context(), ir.Location.unknown():
    module = ir.Module.parse("func.func @f(%a: i32, %b: i32) -> i32 { %c = arith.divsi %a, %b : i32 return %c : i32 }")
    native.run_stage(module, "fly-to-cpu{chip=gfx942}")
    code = native.Executable.compile(module, 2)
cells = [ctypes.c_int32(v) for v in (1, 0, 0)]
try:
    code.call("f", [ctypes.addressof(c) for c in cells])
except RuntimeError as error:
    print(error)
# A fault that is not the code's still ends the process, as ever.
ctypes.string_at(8)
"""
    done = run(code)
    assert "an integer division without a result" in done.stdout
    assert done.returncode == -11 and "Segmentation fault" in done.stderr
