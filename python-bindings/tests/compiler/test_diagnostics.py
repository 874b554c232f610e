# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors show the user's file, line and caret, and never end the interpreter."""
import math
import os
import subprocess
import sys
import tempfile

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.compiler import diagnostics
from flydsl.compiler.diagnostics import DiagRecord, DSLCompileError, SourceFrame

pytestmark = pytest.mark.usefixtures("chip", "compile_only")

HERE = __file__


def line_of(text):
    with open(HERE) as file:
        return next(i for i, line in enumerate(file, 1) if text in line and "line_of" not in line)


def notes_of(error):
    return "\n".join(getattr(error, "__notes__", ()))


def run_kernel(body):

    @flyc.kernel
    def kernel(c: fx.Tensor, n: fx.Int32):
        body(c, n)

    @flyc.jit
    def run(c: fx.Tensor, n: fx.Int32):
        kernel(c, n).launch(block=32)

    run(np.zeros((4, 8), np.float32), 3)


def test_python_error_keeps_its_type_and_gets_the_place():

    def body(c, n):
        value = {}
        value["missing"]  # MARK python error

    with pytest.raises(KeyError) as caught:
        run_kernel(body)
    note = notes_of(caught.value)
    assert f'File "{HERE}", line {line_of("MARK python error")}' in note
    assert 'value["missing"]  # MARK python error' in note and "^^^^^^^^^^^^^^^^" in note


def test_the_place_is_added_once():

    def inner(c):
        raise ValueError("inner")

    @flyc.jit
    def nested(c: fx.Tensor, n: fx.Int32):
        inner(c)

    @flyc.jit
    def outer(c: fx.Tensor, n: fx.Int32):
        nested(c, n)

    with pytest.raises(ValueError) as caught:
        outer(np.zeros(4, np.float32), 3)
    assert notes_of(caught.value).count("while tracing") == 1


@pytest.mark.parametrize("body, error", [
    (lambda c, n: int(n), RuntimeError), (lambda c, n: [1, 2][n], RuntimeError), (lambda c, n: c[1, 2, 3], Exception),
    (lambda c, n: c[1.5], Exception), (lambda c, n: undefined, NameError)])  # noqa: F821
def test_mistakes_in_a_kernel(body, error):
    with pytest.raises(error) as caught:
        run_kernel(body)
    assert HERE in notes_of(caught.value) + str(caught.value)


def test_failed_pass_names_the_users_line():

    def body(c, n):
        size = 1 << 20
        fx.SharedAllocator().allocate(fx.Array[fx.Float32, size, 16]).peek()[0] = 1.0  # MARK too much memory

    with pytest.raises((DSLCompileError, RuntimeError, ValueError)) as caught:
        run_kernel(body)
    text = str(caught.value) + notes_of(caught.value)
    assert os.path.basename(HERE) in text, text
    assert "65536" in text


def test_record_text(tmp_path):
    file = tmp_path / "user.py"
    file.write_text("def f(x):\n    y = x.bad(1) + 2\n")
    record = DiagRecord("op is wrong", [SourceFrame(str(file), 2, 8, 16), SourceFrame("gone.py", 7, 0, 0)], ["because"])
    assert record.text().splitlines() == [
        "op is wrong", "note: because", "DSL Traceback (most recent operation last):", '  File "gone.py", line 7',
        f'  File "{file}", line 2', "    y = x.bad(1) + 2", "        ^^^^^^^^"]
    error = DSLCompileError("", [record])
    assert isinstance(error, RuntimeError) and error.diagnostics == [record] and "op is wrong" in str(error)


def test_what_an_unrolled_loop_repeats_is_shown_once():
    place = [SourceFrame("kernel.py", 3)]
    records = [DiagRecord("wrong", place, [f"note {i}"]) for i in range(3)] + [DiagRecord("other", place), DiagRecord("wrong")]
    error = DSLCompileError("", records)
    assert error.diagnostics == records
    assert str(error).count("wrong") == 2 and str(error).count("note") == 2 and str(error).count("(3 operations, one text)") == 1


def test_long_notes_are_cut():
    assert len(diagnostics._cut("x" * 500)) == 200


SCRIPT = """
import numpy as np
import flydsl.compiler as flyc
import flydsl.expr as fx

def helper(x):
    return int(x)

@flyc.kernel
def kernel(c: fx.Tensor, n: fx.Int32):
    helper(n)

@flyc.jit
def run(c: fx.Tensor, n: fx.Int32):
    kernel(c, n).launch()

run(np.zeros(4, np.float32), 3)
"""


@pytest.mark.parametrize("full", [False, True])
def test_excepthook(tmp_path, full):
    script = tmp_path / "user_script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True,
                          env={**os.environ, "FLYDSL_DEBUG_SHOW_STACKTRACE": str(int(full))})
    assert done.returncode == 1
    assert 'user_script.py", line 7, in helper' in done.stderr and 'user_script.py", line 11' in done.stderr
    assert ("flydsl/compiler" in done.stderr) == full
    assert ("-" * 40 in done.stderr) != full


def test_depth_of_locations(monkeypatch):
    monkeypatch.setenv("FLYDSL_DEBUG_MAX_LOC_DEPTH", "2")
    monkeypatch.setenv("FLYDSL_DEBUG_ENABLE_DEBUG_INFO", "1")

    def f1(n):
        return n + 12345

    def f2(n):
        return f1(n)

    def f3(n):
        return f2(n)

    def f4(n):
        return f3(n)

    texts = []

    @flyc.kernel
    def kernel(c: fx.Tensor, n: fx.Int32):
        c[0, 0] = fx.Float32(f4(n))

    @flyc.jit
    def run(c: fx.Tensor, n: fx.Int32):
        kernel(c, n).launch(block=32)

    run(np.zeros((4, 8), np.float32), 3)
    texts.append(run._last_compiled[1].source_ir)
    import re
    named = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", texts[0], re.M))
    use = re.search(r"arith.addi .* loc\((#loc\d*)\)", texts[0]).group(1)
    depth = 1
    place = named[use]
    while place.startswith("callsite("):
        depth += 1
        place = named[place[len("callsite("):-1].split(" at ")[1]]
    # Two innermost frames and the kernel's own.
    assert depth == 3


def test_locations_end_at_the_kernel(monkeypatch):
    monkeypatch.setenv("FLYDSL_DEBUG_ENABLE_DEBUG_INFO", "1")

    @flyc.kernel
    def kernel(c: fx.Tensor):
        c[0, 0] = 1.0

    @flyc.jit
    def run(c: fx.Tensor):
        kernel(c).launch(block=32)  # MARK launch line

    run(np.zeros((4, 8), np.float32))
    assert "callsite" not in run._last_compiled[1].source_ir


def test_raise_under_a_run_time_condition():

    @flyc.kernel
    def kernel(n: fx.Int32):
        if n > 1:
            raise ValueError("too many")

    @flyc.jit
    def run(n: fx.Int32):
        kernel(n).launch(block=1)

    with pytest.raises(ValueError, match="too many") as caught:
        run(3)
    assert "hint: a `raise` under a run-time condition is raised while tracing" in notes_of(caught.value)


@pytest.mark.parametrize("body, error, text", [
    (lambda c, n: math.sqrt(c[0, 0]), RuntimeError, "use those of fx.math"),
    (lambda c, n: np.sin(c[0, 0]), TypeError, "use the functions of fx.math"),
    (lambda c, n: max(c[0, 0], c[0, 1]), RuntimeError, "max and min use fx.max and fx.min"),
    (lambda c, n: fx.make_layot(3, 1), AttributeError, "did you mean 'fx.make_layout'"),
    (lambda c, n: fx.make_buffer_tensor(c), AttributeError, "did you mean 'fx.rocdl.make_buffer_tensor'"),
    (lambda c, n: fx.printf("{}", c), TypeError, "printf: a Tensor cannot be printed by the device"),
])
def test_hints(body, error, text):
    with pytest.raises(error) as caught:
        run_kernel(body)
    assert text in str(caught.value) + notes_of(caught.value)


def test_package_frames_of_errors_before_the_trace_are_hidden():
    code = ("import os\nos.environ['FLYDSL_GPU_ARCH'] = 'gfx0'\nimport numpy as np, flydsl.compiler as flyc, flydsl.expr as fx\n"
            "@flyc.jit\ndef run(a: fx.Tensor): pass\nrun(np.zeros(4, np.float32))\n")
    for change, text in ((lambda t: t, "gfx0"), (lambda t: t.replace("'gfx0'", "'gfx942'").replace("np.zeros(4, np.float32)", "[1]"), "argument 'a': list")):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "user.py")
            with open(file, "w") as out:
                out.write(change(code))
            found = subprocess.run([sys.executable, file], capture_output=True, text=True).stderr
        assert "user.py" in found and text in found and "jit_function.py" not in found, found


def test_print_shows_a_tensor_while_tracing(capsys):
    @flyc.kernel
    def kernel(c: fx.Tensor):
        print("tensor", c)

    @flyc.jit
    def run(c: fx.Tensor):
        kernel(c).launch(block=1)

    run(np.zeros(4, np.float32))
    assert capsys.readouterr().out == "tensor f32, global, ?:1\n"
