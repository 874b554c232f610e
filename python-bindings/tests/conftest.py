# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixtures of all tests of the binding.

A test runs without variables of the caller's that change what is compiled,
with a cache folder of its own, on the CPU device, and names its chip.
"""
import os

import pytest

os.environ.setdefault("FLY_CPU_THREADS", "2")

CHIPS = ("gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch, tmp_path):
    """No variable of FlyDSL but those that a test sets; the disk cache is in the test's folder."""
    for name in list(os.environ):
        if name.startswith("FLYDSL_") or name in ("ARCH", "COMPILE_ONLY", "HSA_OVERRIDE_GFX_VERSION"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("FLYDSL_DEVICE", "cpu")
    monkeypatch.setenv("FLYDSL_RUNTIME_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FLYDSL_DUMP_DIR", str(tmp_path / "dump"))


@pytest.fixture
def cache_dir(tmp_path):
    """The folder of the disk cache."""
    return tmp_path / "cache"


@pytest.fixture
def chip(monkeypatch):
    """gfx942 as target. Call it to take another one: `chip("gfx1250")`; its value is the name."""

    class Chip(str):

        def __call__(self, name):
            monkeypatch.setenv("FLYDSL_GPU_ARCH", name)
            return name

    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx942")
    return Chip("gfx942")


@pytest.fixture(params=CHIPS)
def every_chip(request, monkeypatch):
    """Each of the chips in turn, by name."""
    monkeypatch.setenv("FLYDSL_GPU_ARCH", request.param)
    return request.param


@pytest.fixture
def compile_only(monkeypatch):
    """Compiles for a HIP device and runs nothing."""
    monkeypatch.setenv("COMPILE_ONLY", "1")
    monkeypatch.setenv("FLYDSL_DEVICE", "hip")
