# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of launchers on the CPU device: binding, caching, staleness."""
import functools
import gc
import os
import random
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.compiler.jit_executor import CompiledArtifact

pytestmark = pytest.mark.usefixtures("chip")

BLOCK = 64
STEP = 1.0
SETTINGS = {"scale": 1.0}


def make(block=BLOCK):
    """A launcher of its own: c = a + STEP * scale over n values."""

    @flyc.kernel
    def add_kernel(a: fx.Tensor, c: fx.Tensor, n: fx.Int32):
        i = fx.block_idx.x * block + fx.thread_idx.x
        if i < n:
            c[i] = a[i] + STEP * SETTINGS["scale"]

    @flyc.jit
    def add(a: fx.Tensor, c: fx.Tensor, n: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        add_kernel(a, c, n).launch(grid=(n + block - 1) // block, block=block, stream=stream)

    return add


def arrays(n=100):
    return np.arange(n, dtype=np.float32), np.zeros(n, np.float32)


def test_runs_on_live_arrays():
    a, c = arrays()
    assert make()(a, c, 100) is None
    np.testing.assert_array_equal(c, a + 1)


def test_arguments_bind_as_in_python():
    add = make()
    a, c = arrays()
    add(a, n=100, c=c)
    add(a, c, 100, stream=fx.Stream(None))
    add(a, c, 100, None)
    np.testing.assert_array_equal(c, a + 1)
    with pytest.raises(TypeError, match="^add: missing a required argument: 'n'"):
        add(a, c)
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'm'"):
        add(a, c, 100, m=3)
    with pytest.raises(TypeError, match="too many positional arguments"):
        add(a, c, 1, None, 5)


def test_no_stream_parameter():

    @flyc.kernel
    def fill_kernel(c: fx.Tensor):
        c[fx.thread_idx.x] = 7.0

    @flyc.jit
    def fill(c: fx.Tensor):
        fill_kernel(c).launch(grid=1, block=32)

    c = np.zeros(32, np.float32)
    fill(c)
    assert (c == 7).all()


def test_warm_calls_do_not_trace():
    # DIFF: py-warm-call
    add = make()
    a, c = arrays()
    add(a, c, 100)
    for n in (10, 50, 100):
        add(a, c, n)
    info = add.cache_info()
    assert (info.hits, info.misses, info.currsize) == (3, 1, 1)


def test_dynamic_sizes_share_one_entry_static_ones_do_not():
    # User report 70.
    add = make()
    for n in (64, 96):
        a, c = arrays(n)
        add(a, c, n)
        np.testing.assert_array_equal(c, a + 1)
    assert add.cache_info().currsize == 1
    add = make()
    for n in (64, 96):
        a, c = arrays(n)
        add(flyc.from_dlpack(a), flyc.from_dlpack(c), n)
        np.testing.assert_array_equal(c, a + 1)
    assert add.cache_info().currsize == 2


def test_larger_array_than_traced():
    # User report 33: the size of a dynamic argument is that of the call.
    add = make()
    for n in (1024, 2048):
        a, c = arrays(n)
        add(flyc.from_dlpack(a).mark_layout_dynamic(), flyc.from_dlpack(c).mark_layout_dynamic(), n)
        assert c[-1] == a[-1] + 1
    assert add.cache_info().misses == 1


@pytest.mark.parametrize("change, value", [
    (lambda m: m.setitem(globals(), "STEP", 3.0), 3.0), (lambda m: m.setitem(SETTINGS, "scale", 4.0), 4.0)])
def test_never_stale(monkeypatch, change, value):
    add = make()
    a, c = arrays()
    add(a, c, 100)
    with monkeypatch.context() as m:
        change(m)
        add(a, c, 100)
        np.testing.assert_array_equal(c, a + value)
    add(a, c, 100)
    np.testing.assert_array_equal(c, a + 1)
    # The old code is known by its module, and the old snapshot is kept beside the new one.
    assert add.cache_info().currsize == 2 and add.cache_info().misses == 2


def test_closure_that_changes():
    step = 1.0

    @flyc.kernel
    def kernel(c: fx.Tensor):
        c[fx.thread_idx.x] = step

    @flyc.jit
    def run(c: fx.Tensor):
        kernel(c).launch(block=32)

    c = np.zeros(32, np.float32)
    run(c)
    step = 2.0
    run(c)
    assert (c == 2).all()


def test_environment_that_the_trace_reads(monkeypatch):

    @flyc.kernel
    def kernel(c: fx.Tensor):
        c[fx.thread_idx.x] = float(os.environ.get("MY_VALUE", "1"))

    @flyc.jit
    def run(c: fx.Tensor):
        kernel(c).launch(block=32)

    c = np.zeros(32, np.float32)
    run(c)
    monkeypatch.setenv("MY_VALUE", "5")
    run(c)
    assert (c == 5).all()


def test_constexpr_values_of_different_types():
    seen = []

    @flyc.kernel
    def kernel(c: fx.Tensor, v: fx.Constexpr):
        seen.append(v)
        c[fx.thread_idx.x] = float(v)

    @flyc.jit
    def run(c: fx.Tensor, v: fx.Constexpr):
        kernel(c, v).launch(block=32)

    c = np.zeros(32, np.float32)
    for value in (1, True, 1.0, -0.0, 0.0, (1, 2)[0]):
        run(c, value)
    assert [type(v) for v in seen[:3]] == [int, bool, float]


def test_chip_is_part_of_the_key(chip):
    waves = []

    @flyc.kernel
    def kernel(c: fx.Tensor):
        from flydsl.runtime.device import get_warp_size
        waves.append(get_warp_size())
        c[fx.thread_idx.x] = float(get_warp_size())

    @flyc.jit
    def run(c: fx.Tensor):
        kernel(c).launch(block=64)

    c = np.zeros(64, np.float32)
    for name, wave in (("gfx942", 64), ("gfx1100", 32), ("gfx942", 64)):
        chip(name)
        run(c)
        assert (c == wave).all()


def test_methods():

    class Adder:

        def __init__(self, step):
            self.step = step

        @flyc.kernel
        def kernel(self, c: fx.Tensor):
            c[fx.thread_idx.x] = self.step

        @flyc.jit
        def launch(self, c: fx.Tensor):
            self.kernel(c).launch(block=32)

    c = np.zeros(32, np.float32)
    first, second = Adder(1.0), Adder(2.0)
    first.launch(c)
    assert (c == 1).all()
    second.launch(c)
    assert (c == 2).all()
    first.launch(c)
    assert (c == 1).all()
    first.step = 3.0
    first.launch(c)
    assert (c == 3).all()
    flyc.compile(second.launch, c)(c)
    assert (c == 2).all()


# DIFF: py-methods
def test_methods_are_bound_as_python_binds():
    """Whatever the first parameter is called."""

    class Adder:

        def __init__(this, step):
            this.step = step

        @flyc.kernel(known_block_size=(32, 1, 1))
        def kernel(this, c: fx.Tensor):
            c[fx.thread_idx.x] = this.step

        @flyc.jit
        def launch(obj, c: fx.Tensor):
            obj.kernel(c).launch(block=32)

        @classmethod
        @flyc.jit
        def of_class(kind, c: fx.Tensor):
            kind(4.0).kernel(c).launch(block=32)

    c = np.zeros(32, np.float32)
    first, second = Adder(1.0), Adder(2.0)
    first.launch(c)
    assert (c == 1).all()
    second.launch(c)
    assert (c == 2).all()
    first.step = 3.0
    first.launch(c)
    assert (c == 3).all()
    Adder.of_class(c)
    assert (c == 4).all()
    flyc.compile[{"waves_per_eu": 2}](second.launch, c)(c)
    assert (c == 2).all()
    assert Adder.launch.compile_hints == {"waves_per_eu": 2} == second.launch.compile_hints
    Adder.launch.compile_hints = {"waves_per_eu": 4}
    assert second.launch.compile_hints == {"waves_per_eu": 4}
    assert second.launch.cache_info().currsize
    Adder.launch.cache_clear()
    assert not second.launch.cache_info().currsize
    with pytest.raises(TypeError, match="too many positional arguments"):
        first.launch(c, c)


def test_methods_are_called_through_their_class():

    def plainly(function):

        @functools.wraps(function)
        def call(*args, **kwargs):
            return function(*args, **kwargs)

        return call

    class Adder:

        def __init__(this, step):
            this.step = step

        @flyc.kernel(known_block_size=(32, 1, 1))
        def kernel(this, c: fx.Tensor):
            c[fx.thread_idx.x] = this.step

        @flyc.jit
        def launch(this, c: fx.Tensor):
            Adder.kernel(this, c).launch(block=32)

        @plainly
        @flyc.jit
        def wrapped(this, c: fx.Tensor):
            this.kernel(c).launch(block=32)

        @classmethod
        @plainly
        @flyc.jit
        def of_class(kind, c: fx.Tensor):
            kind(9.0).kernel(c).launch(block=32)

        @flyc.jit
        def function(c, x):
            other_kernel(c, x).launch(block=32)

    class Heir(Adder):
        pass

    @flyc.kernel
    def other_kernel(c: fx.Tensor, x: fx.Float32):
        c[fx.thread_idx.x] = x

    c = np.zeros(32, np.float32)
    for step, call in enumerate((lambda adder: Adder.launch(adder, c), lambda adder: Adder.launch(adder, c=c), lambda adder: adder.wrapped(c),
                                 lambda adder: flyc.compile(Adder.launch, adder, c)(adder, c)), 1):
        for adder in (Adder(float(step)), Heir(step + 0.5)):
            call(adder)
            assert (c == adder.step).all()
    Heir.of_class(c)
    assert (c == 9).all()
    Adder.function(c, 2.0)
    assert (c == 2).all()
    with pytest.raises(TypeError, match="argument 'this': object is neither a JitArgument"):
        Adder.launch(object(), c)


def test_parameters_that_go_by_name():

    @flyc.kernel
    def kernel(c: fx.Tensor, x: fx.Float32):
        c[0] = x

    @flyc.jit
    def launch(c: fx.Tensor, *, x: fx.Float32):
        kernel(c, x).launch()

    @flyc.jit
    def gather(*c):
        pass

    c = np.zeros(1, np.float32)
    for _ in range(2):
        launch(c, x=2.0)
        assert c[0] == 2
        with pytest.raises(TypeError, match="too many positional arguments"):
            launch(c, 3.0)
        with pytest.raises(TypeError, match="missing a required .*argument: 'x'"):
            launch(c)
        with pytest.raises(TypeError, match="argument 'c': tuple is neither a JitArgument"):
            gather(c)
    assert c[0] == 2
    flyc.compile(launch, c, x=4.0)(c, 5.0)
    assert c[0] == 5


def test_functions_that_are_not_bound():
    outside = make()

    class Group:
        named = outside

        @flyc.kernel
        def kernel(c: fx.Tensor):
            c[fx.thread_idx.x] = 5.0

        @flyc.jit
        def launch(c: fx.Tensor):
            Group.kernel(c).launch(block=32)

        @staticmethod
        @flyc.jit
        def stated(c: fx.Tensor):
            Group.kernel(c).launch(block=32)

    group, c = Group(), np.zeros(32, np.float32)
    message = "@jit launch: found through an object, but not bound to it: its first parameter is 'c: .*Tensor'. Name it 'self'.*@staticmethod"
    with pytest.warns(UserWarning, match=message) as caught:
        group.launch(c)
        group.launch(c)
    assert len(caught) == 1 and (c == 5).all()
    with pytest.warns(UserWarning, match="@kernel kernel: found through an object"):
        assert group.kernel is Group.kernel
    with pytest.warns(UserWarning, match="not bound to it: its first parameter is 'a: .*Tensor'"):
        assert group.named is outside
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Group.launch(c)
        c[:] = 0
        group.stated(c)
        group.launch(c)
    assert (c == 5).all()


def test_nested_launchers_run_inline():
    inner = make()

    @flyc.jit
    def outer(a: fx.Tensor, c: fx.Tensor, n: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        inner(a, c, n, stream)
        inner(c, a, n, stream)

    a, c = arrays()
    outer(a, c, 100)
    np.testing.assert_array_equal(a, np.arange(100) + 2)


def test_several_kernels_and_repeated_launches():

    @flyc.kernel
    def k(c: fx.Tensor, v: fx.Constexpr[int]):
        c[fx.thread_idx.x + v * 32] = float(v)

    @flyc.jit
    def run(c: fx.Tensor):
        for v in fx.range_constexpr(3):
            k(c, v).launch(block=32)
        again = k(c, 3)
        again.launch(block=32)
        again.launch(block=32)
        again.launch(block=(16, 2))

    c = np.zeros(128, np.float32)
    run(c)
    np.testing.assert_array_equal(c, np.repeat(np.arange(4), 32))
    assert run._last_compiled[1].kernels == ["k_0", "k_1", "k_2", "k_3", "k_4"]


@pytest.mark.parametrize("value, message", [
    (1 << 31, r"argument 'n': 2147483648 does not fit Int32"), (-(1 << 31) - 1, "argument 'n'"),
    (1.5, "argument 'n'"), ("3", "argument 'n'"), (np.zeros(3), "argument 'n'")])
@pytest.mark.parametrize("warm", [False, True])
def test_number_outside_its_type(value, message, warm):
    # DIFF: py-int-argument
    add = make()
    a, c = arrays()
    if warm:
        add(a, c, 100)
    with pytest.raises((TypeError, ValueError, OverflowError), match=message):
        add(a, c, value)


def test_numbers_of_other_classes():
    add = make()
    a, c = arrays()
    add(a, c, 100)
    for n in (np.int64(100), np.int32(100), fx.Int32(100)):
        c[:] = 0
        add(a, c, n)
        np.testing.assert_array_equal(c, a + 1)


def test_number_for_a_tensor():
    with pytest.raises(TypeError, match="argument 'a': expected an array for fx.Tensor, got int"):
        make()(5, arrays()[1], 100)


def test_unknown_object():
    with pytest.raises(TypeError, match="argument 'a': list is neither a JitArgument nor has a registered constructor"):
        make()([1.0], arrays()[1], 100)


def test_wrong_dtype_traces_its_own_code():
    add = make()
    a, c = arrays()
    add(a, c, 100)
    a, c = a.astype(np.float64), c.astype(np.float64)
    add(a, c, 100)
    np.testing.assert_array_equal(c, a + 1)


def test_compile_only(monkeypatch):
    monkeypatch.setenv("COMPILE_ONLY", "1")
    add = make()
    a, c = arrays()
    assert add(a, c, 100) is None and not c.any()
    assert isinstance(add._last_compiled[1], CompiledArtifact)
    monkeypatch.delenv("COMPILE_ONLY")
    add(a, c, 100)
    np.testing.assert_array_equal(c, a + 1)


def test_ir_views(capsys):
    add = make()
    a, c = arrays()
    add(a, c, 100)
    artifact = add._last_compiled[1]
    assert "func.func @add" in artifact.source_ir and "gpu.binary" in artifact.ir
    artifact.print_ir(compiled=False)
    assert "gpu.launch_func" in capsys.readouterr().out
    assert artifact.dump() == artifact.ir


def test_disk_hit_keeps_both_views():
    # DIFF: py-source-ir
    a, c = arrays()
    first, second = make(), make()
    first(a, c, 100)
    second(a, c, 100)
    assert second._last_compiled[0] == first._last_compiled[0]
    assert second._last_compiled[1].source_ir == first._last_compiled[1].source_ir
    assert second._last_compiled[1].ir == first._last_compiled[1].ir
    assert second.cache_info().disk_size == 1


def test_without_disk_cache(monkeypatch):
    # User report 71.
    monkeypatch.setenv("FLYDSL_RUNTIME_ENABLE_CACHE", "0")
    add = make()
    a, c = arrays()
    for _ in range(50):
        add(a, c, 100)
        gc.collect()
    np.testing.assert_array_equal(c, a + 1)


def test_run_only(monkeypatch):
    monkeypatch.setenv("FLYDSL_RUNTIME_RUN_ONLY", "1")
    a, c = arrays()
    with pytest.raises(RuntimeError, match="FLYDSL_RUNTIME_RUN_ONLY is set, but the cache has no code for 'add': key"):
        make()(a, c, 100)
    monkeypatch.delenv("FLYDSL_RUNTIME_RUN_ONLY")
    make()(a, c, 100)
    monkeypatch.setenv("FLYDSL_RUNTIME_RUN_ONLY", "1")
    make()(a, c, 100)
    monkeypatch.setenv("FLYDSL_DUMP_IR", "1")
    with pytest.raises(ValueError, match="exclude each other"):
        make()(a, c, 100)


def test_threads():
    add = make()
    results = []

    def work(n):
        a, c = arrays(n)
        for _ in range(20):
            add(a, c, n)
        results.append((c == a + 1).all())

    threads = [threading.Thread(target=work, args=(64 + i, )) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 8 and add.cache_info().misses == 1


def test_source_that_is_not_there():
    # User report 47.
    scope = {"flyc": flyc, "fx": fx}
    code = "@flyc.kernel\ndef k(c: fx.Tensor):\n    c[fx.thread_idx.x] = 1.0\n"
    try:
        exec(code, scope)
    except Exception as error:
        assert "source" in str(error)


def test_annotation_that_is_no_value_type():
    with pytest.warns(UserWarning, match="annotation is no type of a traced value and has no effect: n: int"):

        @flyc.jit
        def run(c: fx.Tensor, n: int):
            pass

        run(np.zeros(4, np.float32), 3)


def test_unresolved_annotation():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")

        @flyc.jit
        def run(c: "NoSuchName"):  # noqa: F821
            pass

        run(np.zeros(4, np.float32))
        run(np.zeros(4, np.float32))
    assert len([w for w in caught if "cannot be resolved" in str(w.message)]) == 1


def test_decorator_forms():
    with pytest.raises(TypeError, match="@jit expects a function, got int"):
        flyc.jit(5)
    with pytest.raises(TypeError, match="@kernel expects a function"):
        flyc.kernel(5)
    for wrap in (staticmethod, classmethod):
        with pytest.raises(TypeError, match=f"@jit expects a function, got {wrap.__name__}; write @{wrap.__name__} above @jit"):
            flyc.jit(wrap(test_decorator_forms))
        with pytest.raises(TypeError, match=f"got {wrap.__name__}; write @{wrap.__name__} above @kernel"):
            flyc.kernel(wrap(test_decorator_forms))


def test_unknown_chip_and_backend(monkeypatch):
    a, c = arrays()
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx000")
    with pytest.raises(ValueError, match="unknown chip 'gfx000'; known chips: .*gfx942"):
        make()(a, c, 100)
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx942")
    monkeypatch.setenv("FLYDSL_COMPILE_BACKEND", "cuda")
    with pytest.raises(ValueError, match="Unknown compile backend 'cuda'. Registered backends: rocm"):
        make()(a, c, 100)


def test_no_chip_named(monkeypatch):
    # DIFF: py-arch-helpers
    monkeypatch.delenv("FLYDSL_GPU_ARCH")
    monkeypatch.setenv("ROCM_PATH", "/nowhere")
    monkeypatch.setenv("PATH", "/nowhere")
    a, c = arrays()
    with pytest.raises(RuntimeError, match="no chip is named and no GPU was found.*FLYDSL_GPU_ARCH.*ARCH.*"
                       "HSA_OVERRIDE_GFX_VERSION"):
        make()(a, c, 100)


@pytest.mark.parametrize("name, value", [("ARCH", "gfx950"), ("HSA_OVERRIDE_GFX_VERSION", "9.5.0"),
                                         ("HSA_OVERRIDE_GFX_VERSION", "gfx950"), ("FLYDSL_GPU_ARCH", "GFX950:xnack-")])
def test_ways_to_name_a_chip(monkeypatch, name, value):
    monkeypatch.delenv("FLYDSL_GPU_ARCH")
    monkeypatch.setenv(name, value)
    a, c = arrays()
    add = make()
    add(a, c, 100)
    assert add._last_compiled[1].arch == "gfx950"


@pytest.mark.parametrize("call", ["add(a, c, 100)", "flyc.compile(add, a, c, 100)(a, c, 100, None)"])
def test_same_kernel_in_two_processes(call):
    # User reports 72 and 74: the second process finds the code of the first, and runs no pass.
    code = ("import sys; sys.path.insert(0, sys.argv[1])\nimport numpy as np\nimport test_jit\n"
            "import flydsl.compiler as flyc\nadd = test_jit.make()\na, c = test_jit.arrays()\n"
            "from flydsl.compiler import build\nbefore = build._compile\n"
            "def compile(*args):\n print('compiled')\n return before(*args)\nbuild._compile = compile\n"
            f"{call}\nassert (c == a + 1).all()\nprint(add._last_compiled[0])\n")
    outputs = [subprocess.run([sys.executable, "-c", code, os.path.dirname(__file__)], capture_output=True, text=True,
                              check=True).stdout.split() for _ in range(2)]
    assert outputs[0][0] == "compiled" and outputs[1] == outputs[0][1:]


FILL = ("import os, sys; sys.path.insert(0, sys.argv[1])\nimport numpy as np\nimport test_jit\n"
        "print('ready', flush=True)\nfor folder in sys.stdin:\n"
        " os.environ['FLYDSL_RUNTIME_CACHE_DIR'] = folder.strip()\n"
        " add = test_jit.make()\n a, c = test_jit.arrays()\n add(a, c, 100)\n"
        " print('right' if (c == a + 1).all() else 'wrong', flush=True)\n")


def test_many_processes_fill_one_cache(tmp_path):
    # User report 73: in each round one is killed, the others get right results and leave no unreadable file.
    from flydsl.compiler.disk_cache import parse
    chosen = random.Random(73)
    start = lambda: subprocess.Popen([sys.executable, "-c", FILL, os.path.dirname(__file__)], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True)
    children = [start() for _ in range(16)]
    for child in children:
        assert child.stdout.readline() == "ready\n"
    for number in range(int(os.environ.get("FLY_CACHE_ROUNDS", 6))):
        folder = tmp_path / f"round{number}"
        if len(children) < 16 and "FLY_CACHE_ROUNDS" in os.environ:
            children.append(start())
            assert children[-1].stdout.readline() == "ready\n"
        for child in children:
            child.stdin.write(f"{folder}\n")
            child.stdin.flush()
        time.sleep(chosen.uniform(0, 0.1))
        victim = children.pop(chosen.randrange(len(children)))
        victim.kill()
        assert [child.stdout.readline() for child in children] == ["right\n"] * len(children), number
        victim.communicate()
        (file, ) = folder.rglob("*.flyc")
        parse(file.read_bytes())
    for child in children:
        child.communicate()
        assert child.returncode == 0


def test_other_compiler_other_key(monkeypatch, tmp_path):
    # User report 72: after touching the compiler's library nothing old is used.
    from flydsl.compiler import disk_cache
    from flydsl.runtime import native
    library = tmp_path / "libFlyCAPI.so"
    library.write_bytes(b"1")
    monkeypatch.setattr(native, "libraries", lambda: [str(library)])
    a, c = arrays()
    keys = []
    try:
        for time in (1, 2, 2):
            os.utime(library, (time, time))
            disk_cache._native_state.cache_clear()
            add = make()
            add(a, c, 100)
            keys.append(add._last_compiled[0])
    finally:
        disk_cache._native_state.cache_clear()
    assert keys[0] != keys[1] == keys[2]


def test_damaged_cache_file_is_made_again(cache_dir):
    a, c = arrays()
    make()(a, c, 100)
    (file, ) = cache_dir.rglob("*.flyc")
    good = file.read_bytes()
    file.write_bytes(good[:-100])
    make()(a, c, 100)
    np.testing.assert_array_equal(c, a + 1)
    assert file.read_bytes() == good or len(file.read_bytes()) == len(good)


def test_the_guides_first_example():

    @flyc.kernel
    def vec_add_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, N: fx.Constexpr[int]):
        tid = fx.gpu.thread_idx.x
        bid = fx.gpu.block_idx.x
        idx = bid * 256 + tid
        C[idx] = A[idx] + B[idx]

    @flyc.jit
    def vec_add(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, N: fx.Constexpr[int],
                stream: fx.Stream = fx.Stream(None)):  # noqa: B008
        vec_add_kernel(A, B, C, N).launch(grid=(N // 256, ), block=(256, ), stream=stream)

    a, b = np.arange(1024, dtype=np.float32), np.ones(1024, np.float32)
    c = np.empty_like(a)
    vec_add(a, b, c, 1024)
    np.testing.assert_array_equal(c, a + 1)


def test_compiler_can_be_looked_at(monkeypatch):
    from flydsl.compiler.jit_function import MlirCompiler
    seen = []
    inner = MlirCompiler.compile
    monkeypatch.setattr(MlirCompiler, "compile", lambda module, **kw: seen.append(str(module)) or inner(module, **kw))
    a, c = arrays()
    make()(a, c, 100)
    assert len(seen) == 1 and "gpu.launch_func" in seen[0]


def test_a_child_after_fork_compiles(tmp_path):
    """A process that has compiled may fork, as multiprocessing does, and the child may compile."""
    program = tmp_path / "forks.py"
    program.write_text("""
import os
import numpy as np
import flydsl.compiler as flyc
import flydsl.expr as fx


def add(number):
    @flyc.kernel
    def kernel(out: fx.Tensor):
        out[0] = out[0] + number

    @flyc.jit
    def run(out: fx.Tensor):
        kernel(out).launch(grid=1, block=1)

    out = np.zeros(1, np.int32)
    run(out)
    return int(out[0])


assert add(1) == 1
child = os.fork()
if child == 0:
    os._exit(add(7))
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
""")
    environment = {**os.environ, "FLYDSL_GPU_ARCH": "gfx942", "FLYDSL_DEVICE": "cpu"}
    subprocess.run([sys.executable, str(program)], check=True, timeout=60, env=environment)
