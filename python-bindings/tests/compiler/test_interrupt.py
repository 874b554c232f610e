# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C while a kernel runs on the CPU device: KeyboardInterrupt comes soon, and the next launch works."""
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

_HEAD = """
    import os, signal, sys, threading, time
    import numpy as np
    import flydsl.compiler as flyc
    import flydsl.expr as fx

    @flyc.kernel
    def spin_kernel(x: fx.Tensor, limit: fx.Int64):
        i = fx.Int64(0)
        while i < limit:
            BODY
            i = i + 1
        x[fx.block_idx.x * 64 + fx.thread_idx.x] = 1.0

    @flyc.jit
    def spin(x: fx.Tensor, limit: fx.Int64, workgroups: fx.Int32):
        spin_kernel(x, limit).launch(grid=workgroups, block=64)

    @flyc.jit
    def spin_twice(x: fx.Tensor, limit: fx.Int64):
        spin_kernel(x, limit).launch(grid=1, block=64)
        spin_kernel(x, limit).launch(grid=1, block=64)

    x = np.zeros(64 * 64, np.float32)
    spin(x, 1, 1)
    spin_twice(x, 1)
    x[:] = 0
"""

# What the lanes do in the loop. A sum that no compiler knows the end of keeps the first one a loop.
_BODIES = {
    "no suspension": "x[fx.block_idx.x * 64 + fx.thread_idx.x] = x[fx.block_idx.x * 64 + fx.thread_idx.x] * 0.5 + fx.Float32(i)",
    "barrier": "fx.gpu.barrier()",
    "print": "fx.printf('{}', i)",
}


def _start(body, text, **environment):
    source = textwrap.dedent(_HEAD).replace("BODY", body) + textwrap.dedent(text)
    path = os.path.join(environment.pop("folder"), "program.py")
    with open(path, "w") as file:
        file.write(source)
    return subprocess.Popen([sys.executable, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, "FLYDSL_DEVICE": "cpu", "FLYDSL_GPU_ARCH": "gfx942", **environment})


def _interrupt(process, after="ready"):
    """Sends SIGINT once the program has said `after` and runs its kernel."""
    while (line := process.stderr.readline()).strip() != after:
        assert line, process.communicate()
    time.sleep(0.4)
    process.send_signal(signal.SIGINT)


_WAIT = """
    print("ready", file=sys.stderr, flush=True)
    try:
        CALL
    except KeyboardInterrupt:
        pass
    else:
        raise SystemExit("no KeyboardInterrupt")
    spin(x, 1, 64)
    assert (x == 1).all() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    print("went on", file=sys.stderr)
"""


@pytest.mark.parametrize("body", _BODIES.values(), ids=_BODIES)
@pytest.mark.parametrize("environment", [{}, {"FLYDSL_CHECK": "memory"}, {"FLY_CPU_THREADS": "3"}],
                         ids=["plain", "memory hooks", "threads"])
def test_endless_kernels_are_interrupted(tmp_path, body, environment):
    process = _start(body, _WAIT.replace("CALL", "spin(x, 1 << 62, 64)"), folder=str(tmp_path), **environment)
    _interrupt(process)
    begin = time.monotonic()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and "went on" in errors, errors
    assert time.monotonic() - begin < 30  # the machine may be busy; an endless loop would not end at all


@pytest.mark.parametrize("call", [
    "spin_twice(x, 1 << 62)", "flyc.compile(spin, x, 1, 1)(x, 1 << 62, 1)",
    "spin(flyc.from_dlpack(x).mark_shape_dynamic(0, divisibility=4), 1 << 62, 1)", "spin(x, 1 << 62, 64)"
], ids=["second launch", "handle", "launcher in Python", "many workgroups"])
def test_every_way_to_launch_is_interrupted(tmp_path, call):
    process = _start(_BODIES["no suspension"], _WAIT.replace("CALL", call), folder=str(tmp_path))
    _interrupt(process)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and "went on" in errors, errors


def test_another_handler_decides_and_the_launch_has_stopped(tmp_path):
    process = _start(_BODIES["no suspension"], """
    seen = []
    signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    print("ready", file=sys.stderr, flush=True)
    try:
        spin(x, 1 << 62, 1)
    except RuntimeError as error:
        assert "stopped by an interrupt" in str(error) and "spin_kernel" in str(error), error
    else:
        raise SystemExit("no error")
    assert seen == [1]
    spin(x, 1, 64)
    print("went on", file=sys.stderr)
    """, folder=str(tmp_path))
    _interrupt(process)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0 and "went on" in errors, errors


def test_launches_of_other_threads_go_on(tmp_path):
    # KeyboardInterrupt is the main thread's; a launch of another thread ends as it would have.
    process = _start(_BODIES["no suspension"], """
    done, ended = [], threading.Event()
    threading.Thread(target=lambda: (spin(x, 1 << 23, 1), done.append(x[0]), ended.set())).start()
    print("ready", file=sys.stderr, flush=True)
    try:
        while not ended.is_set():
            time.sleep(0.05)
        raise SystemExit("no KeyboardInterrupt")
    except KeyboardInterrupt:
        pass
    assert not done
    ended.wait()
    assert done == [1.0]
    print("went on", file=sys.stderr)
    """, folder=str(tmp_path))
    _interrupt(process)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0 and "went on" in errors, errors


def test_an_uncaught_interrupt_ends_the_program_as_usual(tmp_path):
    process = _start(_BODIES["no suspension"], """
    print("ready", file=sys.stderr, flush=True)
    spin(x, 1 << 62, 1)
    """, folder=str(tmp_path))
    _interrupt(process)
    _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors and process.returncode in (-signal.SIGINT, 130), errors
