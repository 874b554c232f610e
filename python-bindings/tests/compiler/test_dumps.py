# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dump folders: numbered by stage, each file re-runnable."""
import os
import subprocess
import sys
import time

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.runtime import native

pytestmark = pytest.mark.usefixtures("chip", "compile_only")

FLY_OPT = os.path.join(os.path.dirname(native.library_path()), "..", "bin", "fly-opt")


def compile_one(kernels=1):

    @flyc.kernel
    def work(a: fx.Tensor):
        a[fx.thread_idx.x] = a[fx.thread_idx.x] * 2.0

    @flyc.jit
    def launcher(a: fx.Tensor):
        for i in fx.range_constexpr(kernels):
            work(a).launch(block=64)

    launcher(np.zeros(64, np.float32))
    return launcher


def test_folder(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("FLYDSL_DUMP_IR", "1")
    compile_one()
    folder = tmp_path / "dump" / "work_0"
    names = sorted(os.listdir(folder))
    assert names[0] == "00_origin.mlir"
    assert [int(name[:2]) for name in names] == list(range(len(names)))
    assert names[-2].endswith("_llvm_ir.ll") and names[-1].endswith("_final_isa.s")
    assert "03_fly_rewrite_func_signature.mlir" in names
    out = capsys.readouterr().out
    assert f"[flydsl.compile] dump origin -> {folder / '00_origin.mlir'}" in out
    assert out.count("[flydsl.compile] dump") == len(names)
    assert "s_endpgm" in (folder / names[-1]).read_text()
    assert "define" in (folder / names[-2]).read_text()


def test_named_after_the_launcher_if_it_has_two_kernels(monkeypatch, tmp_path):
    monkeypatch.setenv("FLYDSL_DUMP_IR", "1")
    compile_one(2)
    assert os.listdir(tmp_path / "dump") == ["launcher"]


def test_only_assembly(monkeypatch, tmp_path):
    monkeypatch.setenv("FLYDSL_DEBUG_DUMP_ASM", "1")
    compile_one()
    names = os.listdir(tmp_path / "dump" / "work_0")
    assert len(names) == 1 and names[0].endswith("_final_isa.s")


@pytest.mark.skipif(not os.path.exists(FLY_OPT), reason="needs fly-opt")
def test_each_stage_can_be_run_again(monkeypatch, tmp_path):
    # User report 97: running stage n again gives stage n + 1.
    from flydsl.compiler.backends import current_target
    from flydsl.compiler.pipeline import pipeline_options, stages
    monkeypatch.setenv("FLYDSL_DUMP_IR", "1")
    compile_one()
    folder = tmp_path / "dump" / "work_0"
    files = sorted(name for name in os.listdir(folder) if name.endswith(".mlir"))
    passes = stages("fly-to-binary", pipeline_options("hip", current_target(), {}))
    assert len(passes) == len(files) - 1
    for before, after, (label, text) in zip(files, files[1:], passes):
        assert after.endswith(f"_{label}.mlir")
        done = subprocess.run([FLY_OPT, f"--pass-pipeline=builtin.module({text})", "--mlir-print-debuginfo",
                               str(folder / before)], capture_output=True, text=True)
        assert done.returncode == 0, (label, done.stderr)
        # fly-opt ends a text with an empty line.
        assert done.stdout.rstrip("\n") == (folder / after).read_text().rstrip("\n"), label


def test_no_disk_cache_while_dumping(monkeypatch, cache_dir):
    monkeypatch.setenv("FLYDSL_DUMP_IR", "1")
    compile_one()
    assert not list(cache_dir.rglob("*.flyc"))


def test_print_options(monkeypatch, capsys):
    monkeypatch.setenv("FLYDSL_DEBUG_PRINT_ORIGIN_IR", "1")
    monkeypatch.setenv("FLYDSL_DEBUG_PRINT_AFTER_ALL", "1")
    compile_one()
    err = capsys.readouterr().err
    assert "IR of 'launcher' before the first pass" in err and err.count("IR after ") > 5


def test_log_file(monkeypatch, tmp_path):
    monkeypatch.setenv("FLYDSL_DEBUG_LOG_TO_FILE", str(tmp_path / "log"))
    monkeypatch.setenv("FLYDSL_DEBUG_LOG_LEVEL", "INFO")
    compile_one()
    assert "compiling for gfx942 on hip" in (tmp_path / "log").read_text()


class Terminal:
    """A standard error that says it is a terminal."""

    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text

    def flush(self):
        pass


def test_progress_line(monkeypatch):
    from flydsl.compiler import pipeline
    monkeypatch.setattr(pipeline, "PROGRESS_DELAY", 0.01)
    terminal = Terminal()
    monkeypatch.setattr(pipeline.sys, "stderr", terminal)
    with pipeline._Progress("gemm for gfx942") as progress:
        progress.stage = ", stage 3 of 20: canonicalize"
        time.sleep(0.4)
    assert "flydsl: compiling gemm for gfx942: 0 s, stage 3 of 20: canonicalize" in terminal.text
    # The line is wiped at the end.
    assert terminal.text.endswith("\r\x1b[K")


def test_no_progress_line_without_a_terminal(capsys):
    from flydsl.compiler import pipeline
    with pipeline._Progress("gemm") as progress:
        assert progress.thread is None
    assert capsys.readouterr().err == ""


def test_specialisations_have_folders_of_their_own(monkeypatch, tmp_path):
    monkeypatch.setenv("FLYDSL_DUMP_IR", "1")
    for n in (1, 2, 1):

        @flyc.kernel
        def work(a: fx.Tensor, n: fx.Constexpr[int]):
            a[fx.thread_idx.x] = a[fx.thread_idx.x] * float(n)

        @flyc.jit
        def launcher(a: fx.Tensor, n: fx.Constexpr[int]):
            work(a, n).launch(block=64)

        launcher(np.zeros(64, np.float32), n)
    assert sorted(os.listdir(tmp_path / "dump")) == ["work_0", "work_0_1"]


def test_unusable_folder(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FLYDSL_DUMP_IR", "1")
    monkeypatch.setenv("FLYDSL_DUMP_DIR", str(tmp_path / "file"))
    with pytest.raises(OSError, match="FLYDSL_DUMP_DIR: cannot make the folder"):
        compile_one()


def test_processes_at_once_do_not_write_to_one_folder(monkeypatch, tmp_path):
    from flydsl.compiler.pipeline import Dump
    monkeypatch.setenv("FLYDSL_DUMP_IR", "1")
    code = ("import sys; from flydsl.compiler.pipeline import Dump; print(Dump.wanted('f', ['k'], 'other').folder, flush=True); "
            "sys.stdin.read()")
    other = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    taken = other.stdout.readline().strip()
    assert taken.endswith("/k") and Dump.wanted("f", ["k"], "mine").folder == taken + "_1"
    assert Dump.wanted("f", ["k"], "mine").folder == taken + "_1"
    other.communicate("")
    # The folder of a process that has ended is free again.
    assert Dump.wanted("f", ["k"], "third").folder == taken
