# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m flydsl`."""
import subprocess
import sys

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.__main__ import main


@pytest.fixture
def entries(chip):

    @flyc.kernel
    def work(a: fx.Tensor, v: fx.Constexpr[int]):
        a[fx.thread_idx.x] = float(v)

    @flyc.jit
    def filler(a: fx.Tensor, v: fx.Constexpr[int]):
        work(a, v).launch(block=64)

    a = np.zeros(64, np.float32)
    for v in (1, 2):
        filler(a, v)
    return 2


def test_overview(capsys, chip):
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "flydsl 0.1.0" in out and "gfx942 (wave 64, LDS 64 KiB)" in out and "gfx1250 (wave 32, LDS 320 KiB)" in out
    assert "target:  gfx942" in out and "device:  cpu" in out and "libfly_runtime.so" in out and "0 entries" in out


def test_overview_without_chip_or_cache(capsys, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("ROCM_PATH", "/nowhere")
    monkeypatch.setenv("FLYDSL_RUNTIME_ENABLE_CACHE", "0")
    assert main([]) == 0
    out = capsys.readouterr().out
    assert "target:  none (no chip is named" in out and "cache:   off" in out


def test_list(capsys, entries):
    assert main(["cache", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == entries and all("filler" in line and "gfx942 cpu work_0" in line for line in lines)


def test_explain(capsys, entries):
    assert main(["cache", "explain", "filler"]) == 0
    out = capsys.readouterr().out
    assert "filler: 2 entries" in out and "module     *" in out and "toolchain   " in out
    assert main(["cache", "explain", "nothing"]) == 1


def test_clear(capsys, entries, cache_dir):
    assert main(["cache", "clear"]) == 0
    assert "2 entries deleted" in capsys.readouterr().out
    assert not list(cache_dir.rglob("*.flyc"))


def test_damaged_entry_is_shown(capsys, entries, cache_dir):
    next(cache_dir.rglob("*.flyc")).write_bytes(b"junk")
    assert main(["cache", "list"]) == 0
    assert "no cache file of this format" in capsys.readouterr().out


def test_cache_that_is_off(capsys, monkeypatch):
    monkeypatch.setenv("FLYDSL_RUNTIME_CACHE_DIR", "")
    with pytest.raises(SystemExit):
        main(["cache", "list"])


def test_a_reader_that_stops_early():
    command = f"'{sys.executable}' -m flydsl | true; '{sys.executable}' -m flydsl | head -1"
    found = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert "BrokenPipe" not in found.stderr and "Traceback" not in found.stderr, found.stderr


def test_one_entry_is_singular():
    from flydsl.__main__ import _entries
    assert [_entries(n) for n in (0, 1, 2)] == ["0 entries", "1 entry", "2 entries"]
