# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes in uncommon states: forks, daemon threads, sub-interpreters, lost folders, full disks, wrong variables."""
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

SOURCE = """
import numpy as np
import flydsl.compiler as flyc
import flydsl.expr as fx

@flyc.kernel
def add_kernel(a: fx.Tensor, c: fx.Tensor, n: fx.Int32):
    i = fx.thread_idx.x
    if i < n:
        c[i] = a[i] + a[i]

@flyc.jit
def add(a: fx.Tensor, c: fx.Tensor, n: fx.Int32):
    add_kernel(a, c, n).launch(grid=1, block=64)

def go():
    a, c = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    add(a, c, 64)
    assert (c == 2 * a).all()
    return "ran"
"""


@pytest.fixture
def run(tmp_path, chip):
    """Runs code, with the module `adding`, in a process of its own: status and all of its output."""
    (tmp_path / "adding.py").write_text(SOURCE)
    count = 0

    def run(code, **environment):
        nonlocal count
        count += 1
        file = tmp_path / f"main_{count}.py"
        file.write_text(textwrap.dedent(code))
        path = os.pathsep.join([str(tmp_path)] + [p for p in sys.path if p])
        done = subprocess.run([sys.executable, str(file)], env={**os.environ, "PYTHONPATH": path, **environment}, text=True, timeout=240,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path)
        return done.returncode, done.stdout

    return run


def test_sub_interpreters_are_refused(run):
    status, text = run("""
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        import adding
        other = interpreters.create()
        CODE = "try:\\n    import flydsl.expr\\nexcept ImportError as error:\\n    print(error, flush=True)"
        interpreters.run_string(other, CODE)
        print(adding.go())
    """)
    assert status == 0 and text.endswith("ran\n"), text
    assert "flydsl works in the main interpreter only" in text


def test_a_daemon_thread_does_not_end_the_process(run):
    status, text = run("""
        import threading, time, adding
        adding.go()
        def work():
            while True:
                adding.go()
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.5)
        print("leaving")
    """)
    assert (status, text) == (0, "leaving\n")


def test_a_fork_while_other_threads_launch(run):
    """The child has one thread and must not wait for what another one held."""
    status, text = run("""
        import os, threading, time, adding
        adding.go()
        stop = False
        def work():
            while not stop:
                adding.go()
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        found = set()
        for _ in range(60):
            child = os.fork()
            if child == 0:
                os._exit(0 if adding.go() == "ran" else 1)
            end = time.monotonic() + 60
            status = (0, 0)
            while status[0] == 0 and time.monotonic() < end:
                status = os.waitpid(child, os.WNOHANG)
                time.sleep(0.005)
            if status[0] == 0:
                os.kill(child, 9)
                found.add("hangs")
                break
            found.add(status[1])
        stop = True
        for thread in threads:
            thread.join()
        print(found)
    """)
    assert (status, text) == (0, "{0}\n")


def test_a_relative_cache_in_a_lost_working_folder(run):
    status, text = run("""
        import os, warnings, adding
        os.mkdir("lost")
        os.chdir("lost")
        os.rmdir("../lost")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            print(adding.go())
        print(caught[0].message)
    """, FLYDSL_RUNTIME_CACHE_DIR="cache")
    assert (status, text) == (0, "ran\nflydsl: the disk cache cache is not used: No such file or directory (the working folder)\n")


def test_a_dump_on_a_full_disk(run, tmp_path):
    status, text = run("""
        import resource, adding
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        adding.go()
    """, FLYDSL_DUMP_IR="1", FLYDSL_DUMP_DIR=str(tmp_path / "full"), FLYDSL_RUNTIME_CACHE_DIR="")
    assert status == 1 and f"OSError: FLYDSL_DUMP_DIR: cannot write {tmp_path}/full/add_kernel_0/00_origin.mlir: File too large" in text


def test_dump_folders_of_long_and_odd_names(tmp_path):
    from flydsl.compiler.pipeline import folder_name
    names = ["k" * 5000, "k" * 5001, "ß" * 150, "a/b", "..", "k_0", "ß"]
    folders = [folder_name(n) for n in names]
    assert len(set(folders)) == len(names) and folders[-2:] == ["k_0", "ß"]
    for folder in folders:
        pathlib.Path(tmp_path / folder).mkdir()
        assert (tmp_path / folder).parent == tmp_path and (tmp_path / folder).resolve() != tmp_path.parent


@pytest.mark.parametrize("variable, text", [
    ("FLYDSL_RUNTIME_KIND", "RuntimeError: FLYDSL_RUNTIME_KIND names the unknown device runtime 'banana'; known: rocm, hip, cpu"),
    ("FLYDSL_COMPILE_BACKEND", "ValueError: Unknown compile backend 'banana'. Registered backends: rocm (FLYDSL_COMPILE_BACKEND names one of these)")
])
@pytest.mark.parametrize("more", [{}, {"COMPILE_ONLY": "1"}, {"FLYDSL_DEVICE": "auto"}], ids=str)
def test_wrong_kind_and_backend_are_refused_at_the_first_compilation(run, variable, text, more):
    status, found = run("import adding; adding.go()", **{variable: "banana"}, **more)
    assert status == 1 and found.endswith(text + "\n"), found


@pytest.mark.parametrize("device", [{}, {"FLYDSL_DEVICE": "hip", "COMPILE_ONLY": "1"}], ids=["cpu", "hip"])
def test_the_folder_of_temporary_files_is_named(run, tmp_path, device):
    status, text = run("""
        import adding
        try:
            adding.go()
        except Exception as error:
            print(error)
    """, TMPDIR=str(tmp_path / "none"), **device)
    assert status == 0
    assert f"cannot write a temporary file in '{tmp_path / 'none'}' (TMPDIR names another folder): No such file or directory" in text, text
