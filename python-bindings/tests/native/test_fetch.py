# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""utils/fetch-mlir-python.py: what it keeps, and its errors."""

import os
import subprocess
import sys
import zipfile

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def fetch(*arguments, **environment):
    return subprocess.run([sys.executable, os.path.join(ROOT, "utils/fetch-mlir-python.py"), *map(str, arguments)],
                          capture_output=True, text=True, env={**os.environ, **environment}, timeout=120)


@pytest.fixture
def package(tmp_path):
    path = tmp_path / "package.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("mlir/src/python/MLIRPythonExtension.Core/MainModule.cpp", "int x;")
        wheel.writestr("mlir/src/python/MLIRPythonSources.Dialects.arith/dialects/arith.py", "x = 1")
        wheel.writestr("mlir/src/python/MLIRPythonSources.Dialects.arith.ops_gen/dialects/_arith_ops_gen.py", "")
        wheel.writestr("mlir/include/mlir/Bindings/Python/IRCore.h", "// one\n")
        wheel.writestr("mlir/lib/libMLIR.a", "")
    return path


def make_headers(tmp_path, text):
    folder = tmp_path / "include/mlir/Bindings/Python"
    folder.mkdir(parents=True)
    (folder / "IRCore.h").write_text(text)
    return tmp_path / "include"


def test_what_is_kept(package, tmp_path):
    into = tmp_path / "sources"
    headers = make_headers(tmp_path, "// one\n")
    done = fetch("--into", into, "--wheel", package, "--headers", headers)
    assert done.returncode == 0, done.stderr
    found = sorted(str(p.relative_to(into)) for p in into.rglob("*") if p.is_file())
    assert found == ["lib/MainModule.cpp", "mlir/dialects/arith.py", "package.txt"]
    # The second time there is nothing to do.
    assert fetch("--into", into, PIP_NO_INDEX="1").returncode == 0


def test_another_mlir(package, tmp_path):
    done = fetch("--into", tmp_path / "sources", "--wheel", package, "--headers", make_headers(tmp_path, "// two\n"))
    assert done.returncode != 0 and "the installed MLIR is not 22.1.8" in done.stderr
    assert not (tmp_path / "sources").exists()


def test_no_package(tmp_path):
    done = fetch("--into", tmp_path / "sources", PIP_NO_INDEX="1")
    assert done.returncode != 0
    assert done.stderr.startswith("error: cannot get the Python package xtc-mlir-dev==22.1.8.4"), done.stderr
