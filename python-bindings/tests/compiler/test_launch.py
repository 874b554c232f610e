# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels and launch configurations."""
import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.compiler.kernel_function import CompilationContext, KernelFunction

pytestmark = pytest.mark.usefixtures("chip", "compile_only")


def traced(launch, kernel=None, **parameters):
    """The traced module of a launcher whose body is `launch(kernel launcher, n)`."""
    if kernel is None:

        @flyc.kernel
        def work(n: fx.Int32):
            fx.thread_idx.x + n

        kernel = work

    @flyc.jit
    def run(n: fx.Int32, wide: fx.Int64, stream: fx.Stream = fx.Stream(None)):
        launch(kernel(n), n, wide, stream)

    run(3, 5)
    return run._last_compiled[1].source_ir


@pytest.mark.parametrize("dims, operands", [
    ({"grid": 7}, "blocks in (%c7, %c1, %c1"), ({"grid": (7, )}, "blocks in (%c7, %c1, %c1"),
    ({"grid": [7, 2, 3]}, "blocks in (%c7, %c2, %c3"), ({"block": (64, 2)}, "threads in (%c64, %c2, %c1")])
def test_static_forms(dims, operands):
    import re
    text = traced(lambda k, n, wide, stream: k.launch(stream=stream, **dims))
    assert operands in re.sub(r"(%c\d+)_\d+", r"\1", text)


@pytest.mark.parametrize("dims", [lambda n, wide: {"grid": n}, lambda n, wide: {"grid": (n, wide, n + 1)},
                                  lambda n, wide: {"block": (n, 1)}, lambda n, wide: {"grid": n.ir_value()},
                                  lambda n, wide: {"grid": fx.Int32(4)}, lambda n, wide: {"grid": np.int64(4)}])
def test_run_time_forms(dims):
    assert "gpu.launch_func async" in traced(lambda k, n, wide, stream: k.launch(stream=stream, **dims(n, wide)))


def test_run_time_block_leaves_the_kernel_unspecialised():
    assert "known_block_size" not in traced(lambda k, n, wide, stream: k.launch(block=n))
    assert "known_block_size = array<i32: 64, 1, 1>" in traced(lambda k, n, wide, stream: k.launch(block=64))


@pytest.mark.parametrize("dims, error, message", [
    ({"grid": 0}, ValueError, "kernel 'work': launch grid axis x must be positive, got 0"),
    ({"grid": (1, -2)}, ValueError, "kernel 'work': launch grid axis y must be positive, got -2"),
    ({"grid": 1.5}, TypeError, "kernel 'work': launch grid axis x must be an integer, got float"),
    ({"grid": True}, TypeError, "launch grid axis x must be an integer, got bool"),
    ({"grid": "4"}, TypeError, "launch grid axis x must be an integer, got str"),
    ({"grid": ()}, ValueError, "launch grid takes one to three sizes, got 0"),
    ({"grid": (1, 1, 1, 1)}, ValueError, "launch grid takes one to three sizes, got 4"),
    ({"grid": 1 << 40}, ValueError, "launch grid axis x is 1099511627776, more than 2147483647 workgroups"),
    ({"grid": (1, 1 << 24), "block": (1, 512)}, ValueError, "launch grid axis y is 16777216 workgroups of 512 lanes"),
    ({"block": 1025}, ValueError, "launch block axis x is 1025, more than the 1024 lanes"),
    ({"block": (64, 32)}, ValueError, "has 2048 lanes, more than the 1024"),
    ({"block": (0, 1)}, ValueError, "launch block axis x must be positive, got 0"),
    ({"smem": 65537}, ValueError, "launch smem=65537 is more than the 65536 bytes of shared memory that a workgroup of "
     "gfx942 has"),
    ({"smem": 1.5}, TypeError, "launch smem must be an integer, got float"),
    ({"cluster": 2}, ValueError, "launch cluster .* needs gfx1250, the target is gfx942"),
    ({"stream": 5}, TypeError, "launch stream must be a parameter of the @jit function"),
    ({"unit_attrs": "name"}, TypeError, "unit_attrs must be a list of names"),
    ({"value_attrs": {"a": object()}}, TypeError, r"value_attrs\['a'\]: expected bool, int, str, list, dict or an Attribute"),
])
def test_refused(dims, error, message):
    # DIFF: py-launch-sizes
    # DIFF: py-launch-smem
    with pytest.raises(error, match=message):
        traced(lambda k, n, wide, stream: k.launch(**dims))


def test_float_value_as_size():
    with pytest.raises(TypeError, match="launch grid axis x must be an integer"):
        traced(lambda k, n, wide, stream: k.launch(grid=fx.Float32(2.0)))


def test_clusters_on_gfx1250(chip):
    # DIFF: py-cluster-chip
    chip("gfx1250")
    text = traced(lambda k, n, wide, stream: k.launch(grid=(8, 4), cluster=(2, 2)))
    assert "clusters in (" in text
    with pytest.raises(ValueError, match="launch grid axis x is 7 workgroups, not a multiple of the cluster's 2"):
        traced(lambda k, n, wide, stream: k.launch(grid=7, cluster=2))


def test_dynamic_shared_memory():
    assert "dynamic_shared_memory_size" in traced(lambda k, n, wide, stream: k.launch(smem=512))
    assert "dynamic_shared_memory_size" in traced(lambda k, n, wide, stream: k.launch(smem=n))
    assert "dynamic_shared_memory_size" not in traced(lambda k, n, wide, stream: k.launch(smem=0))


def test_attributes():
    text = traced(lambda k, n, wide, stream: k.launch(unit_attrs=["mine"], value_attrs={"number": 3, "skipped": None}))
    assert "mine" in text and "number = 3 : i32" in text and "skipped" not in text


def test_kernel_attributes():

    @flyc.kernel
    def work(n: fx.Int32):
        pass

    @flyc.jit
    def run(n: fx.Int32):
        work(n, unit_attrs=["leaf"], value_attrs={"flag": True, "names": ["a", "b"], "nested": {"x": 1}}).launch()

    run(3)
    text = run._last_compiled[1].source_ir
    assert "leaf" in text and "flag = true" in text and 'names = ["a", "b"]' in text and "nested = {x = 1 : i32}" in text


def test_names():

    @flyc.kernel(name="mine")
    def work(n: fx.Int32):
        pass

    @flyc.jit
    def run(n: fx.Int32):
        work(n).launch(block=32)
        work(n).launch(block=64)

    run(3)
    assert run._last_compiled[1].kernels == ["mine", "mine_1"]


@pytest.mark.parametrize("size, error, message", [
    (64, TypeError, "must be a sequence"), ("xyz", TypeError, "must be a sequence"),
    ((64, 1), ValueError, r"must have exactly 3 elements \(x, y, z\), got 2"), ((64, 1, 0), ValueError, "must be positive"),
    ((64, 1, 1.0), TypeError, "must be int"), ((True, 1, 1), TypeError, "must be int")])
def test_known_block_size_is_checked(size, error, message):
    with pytest.raises(error, match=message):

        @flyc.kernel(known_block_size=size)
        def work():
            pass


def test_known_block_size():

    @flyc.kernel(known_block_size=(64, 1, 1))
    def work(n: fx.Int32):
        assert KernelFunction.get_current().known_block_size == (64, 1, 1)

    assert "known_block_size = array<i32: 64, 1, 1>" in traced(lambda k, n, w, s: k.launch(block=n), work)
    with pytest.raises(ValueError, match="kernel 'work': launch block axis x is 32, but known_block_size says 64"):
        traced(lambda k, n, w, s: k.launch(block=32), work)


def test_kernel_needs_a_trace():

    @flyc.kernel
    def work():
        pass

    with pytest.raises(RuntimeError, match="@kernel can only be called inside @jit function"):
        work()


def test_kernel_inside_a_kernel():

    @flyc.kernel
    def inner():
        pass

    @flyc.kernel
    def outer(n: fx.Int32):
        inner()

    with pytest.raises(RuntimeError, match="@kernel inner is called inside the kernel outer_0"):
        traced(lambda k, n, w, s: k.launch(), outer)


def test_python_number_as_kernel_argument():

    @flyc.kernel
    def work(n: fx.Int32):
        pass

    @flyc.jit
    def run():
        work(3).launch()

    with pytest.raises(TypeError, match="Cannot derive IR types from 3: Cannot extract IR values from 3 .argument 'n' of "
                       "kernel 'work'; pass fx.Int32.3. for a run-time argument, or annotate"):
        run()


def test_launch_without_a_launch_emits_nothing():

    @flyc.kernel
    def work():
        raise AssertionError("not traced")

    @flyc.jit
    def run():
        work()

    run()


def test_context():

    @flyc.kernel
    def work(n: fx.Int32):
        context = CompilationContext.get_current()
        assert context.target.arch == "gfx942" and context.target.warp_size == 64
        assert KernelFunction.get_current().name == "work_0"

    traced(lambda k, n, w, s: k.launch(), work)
    assert CompilationContext.get_current() is None and KernelFunction.get_current() is None


def test_block_above_256_needs_no_annotation():
    # User report 43.
    assert "known_block_size = array<i32: 512, 1, 1>" in traced(lambda k, n, w, s: k.launch(block=512))


def test_a_failed_trace_leaves_nothing_behind():
    with pytest.raises(ZeroDivisionError):
        traced(lambda k, n, w, s: 1 // 0)
    assert CompilationContext.get_current() is None
    traced(lambda k, n, w, s: k.launch())


def test_value_of_another_class_than_annotated():

    @flyc.kernel
    def work(n: fx.Int32, x: fx.Float32):
        assert isinstance(n, fx.Int64)

    @flyc.jit
    def run(n: fx.Int64, x: fx.Float32):
        work(n, x).launch()
        work(n, x).launch(block=2)

    with pytest.warns(UserWarning, match="parameter 'n' is annotated Int32, but a Int64 is passed. The annotation is not "
                      "enforced; the actual value type is used.") as caught:
        run(3, 1.0)
    assert len(caught) == 1
