# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Environment variables and their groups."""
import pytest

from flydsl.utils import env


@pytest.mark.parametrize("text, value", [("1", True), ("true", True), ("YES", True), ("on", True), ("0", False),
                                         ("2", False), ("", False), ("off", False)])
def test_bool(monkeypatch, text, value):
    monkeypatch.setenv("FLYDSL_DUMP_IR", text)
    assert env.debug.dump_ir is value


def test_defaults():
    assert env.compile.opt_level == 2 and env.debug.max_loc_depth == 5 and env.compile.backend == "rocm"
    assert env.debug.enable_verifier and env.runtime.enable_cache


@pytest.mark.parametrize("text", ["4", "-1"])
def test_range(monkeypatch, text):
    monkeypatch.setenv("FLYDSL_COMPILE_OPT_LEVEL", text)
    with pytest.raises(ValueError, match="Invalid value for environment variable FLYDSL_COMPILE_OPT_LEVEL"):
        env.compile.opt_level


def test_number_that_is_none(monkeypatch):
    monkeypatch.setenv("FLYDSL_COMPILE_OPT_LEVEL", "fast")
    with pytest.raises(ValueError, match="Failed to parse environment variable FLYDSL_COMPILE_OPT_LEVEL"):
        env.compile.opt_level


def test_choice(monkeypatch):
    monkeypatch.setenv("FLYDSL_DEVICE", "gpu")
    with pytest.raises(ValueError, match="expected one of cpu, hip, auto, got 'gpu'"):
        env.runtime.device


def test_groups():
    for group in env.groups.values():
        assert set(group.to_dict()) == set(group.variables())
        assert all(line.count("default") for line in group.help().splitlines())


@pytest.mark.parametrize("name, value", [
    ("FLYDSL_KTRACE_ENABLE", "1"), ("FLYDSL_KTRACE_BLOCKS", "0,0,0"), ("FLYDSL_KTRACE_DUMP_DIR", "/x"),
    ("FLYDSL_KTRACE_BUFFER_BYTES", "4096"), ("FLYDSL_AUTOTUNE", "1"), ("FLYDSL_AUTOTUNE_CACHE_DIR", "/x"),
    ("FLYDSL_AUTOTUNE_CONFIG_DIR", "/x"), ("FLYDSL_COMPILE_LLVM_DIR", "/opt/llvm"),
])
def test_not_supported_yet(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(NotImplementedError, match=f"{name} is set, but .* is not supported yet"):
        env.refuse_unsupported()


@pytest.mark.parametrize("name", ["FLYDSL_KTRACE_ENABLE", "FLYDSL_AUTOTUNE"])
def test_switched_off_asks_for_nothing(monkeypatch, name):
    monkeypatch.setenv(name, "0")
    env.refuse_unsupported()
