# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Environment variables and their groups."""
import pytest

from flydsl.utils import env


@pytest.mark.parametrize("text, value", [("1", True), ("true", True), ("YES", True), ("on", True), ("0", False),
                                         ("False", False), ("", False), ("off", False), ("no", False)])
def test_bool(monkeypatch, text, value):
    monkeypatch.setenv("FLYDSL_DUMP_IR", text)
    assert env.debug.dump_ir is value


@pytest.mark.parametrize("name", [v.name for group in env.groups.values() for v in group.variables().values() if type(v) is env._Bool])
@pytest.mark.parametrize("text", ["x", "2", "ture", "1 0"])
def test_bool_that_is_none(monkeypatch, name, text):
    monkeypatch.setenv(name, text)
    with pytest.raises(ValueError, match=f"variable {name}: expected one of 1, true, yes, on, 0, false, no, off, got '{text}'"):
        env.check()


def test_folders_and_files_that_are_not_there(monkeypatch, tmp_path):
    from flydsl.compiler import disk_cache
    from flydsl.utils import logger
    monkeypatch.setenv("FLYDSL_EXTRA_SOURCE_DIRS", f"{tmp_path}:{tmp_path}/none")
    with pytest.raises(ValueError, match="FLYDSL_EXTRA_SOURCE_DIRS: expected folders with colons between, found '.*/none'"):
        disk_cache.toolchain()
    monkeypatch.setenv("FLYDSL_DEBUG_LOG_TO_FILE", f"{tmp_path}/none/log.txt")
    with pytest.raises(ValueError, match="FLYDSL_DEBUG_LOG_TO_FILE: cannot write to '.*/none/log.txt': No such file"):
        logger.log()


def test_checks_that_are_none(monkeypatch):
    monkeypatch.setenv("FLYDSL_CHECK", "memory,spelling")
    with pytest.raises(ValueError, match="FLYDSL_CHECK: unknown check 'spelling'; known: runtime, memory, all"):
        env.check()


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
