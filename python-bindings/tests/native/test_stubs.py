# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The writer of the type stubs, as the isolated build of a wheel runs it."""

import importlib.util
import os
import subprocess
import sys

import flydsl
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(flydsl.__file__)))
SCRIPT = os.path.join(ROOT, "utils", "generate-stubs.py")
BASE = os.path.realpath(sys.executable)


def run(*command, path):
    """Runs the interpreter below the environment, which sees no packages but those of `path`."""
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run([BASE, *command], capture_output=True, text=True, env=environment)


@pytest.mark.skipif(importlib.util.find_spec("nanobind") is None, reason="needs nanobind")
def test_nanobind_on_the_callers_path(tmp_path):
    # pip puts the requirements of a build on PYTHONPATH, not into the interpreter.
    if run("-c", "import nanobind", path="").returncode == 0:
        pytest.skip("the base interpreter has nanobind of its own")
    site = os.path.dirname(os.path.dirname(importlib.util.find_spec("nanobind").origin))
    done = run(SCRIPT, "--packages", PACKAGES, "--into", str(tmp_path), path=site)
    assert done.returncode == 0, done.stderr
    for name in ("_fly", "_flyNative", "_flyRegister"):
        assert (tmp_path / f"{name}.pyi").read_text().strip()
    assert "class Launcher" in (tmp_path / "_flyNative.pyi").read_text()
