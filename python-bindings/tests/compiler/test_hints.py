# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile hints and the variables of code generation."""
import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.compiler import hints, pipeline
from flydsl.compiler.backends import get_backend
from flydsl.compiler.kernel_function import CompilationContext
from flydsl.compiler.llvm_options import llvm_options

pytestmark = pytest.mark.usefixtures("chip", "compile_only")


def make():

    @flyc.kernel
    def work(a: fx.Tensor):
        a[fx.thread_idx.x] = a[fx.thread_idx.x] * 2.0 + 1.0

    @flyc.jit
    def run(a: fx.Tensor):
        work(a).launch(block=64)

    return run


def source(run):
    run(np.zeros(64, np.float32))
    return run._last_compiled[1].source_ir


@pytest.mark.parametrize("value, text", [(2, "2"), ((1, 4), "1,4"), ("3", "3"), ("1,2", "1,2"), (0, ""), ([2, 2], "2,2")])
def test_waves_per_eu(value, text):
    assert hints.waves_per_eu_text(value) == text


@pytest.mark.parametrize("value", [-1, (4, 2), "a", "1,2,3", 1.5, True, (1, ), None])
def test_wrong_waves_per_eu(value):
    if value in ((1, ), ):
        assert hints.waves_per_eu_text(value) == "1"
        return
    with pytest.raises(ValueError, match="compile hint waves_per_eu: .*got"):
        hints.waves_per_eu_text(value)


@pytest.mark.parametrize("value, text", [(2, '"amdgpu-waves-per-eu"="2"'), ((1, 2), '"amdgpu-waves-per-eu"="1,2"')])
def test_waves_per_eu_reaches_llvm(value, text, monkeypatch, tmp_path):
    # DIFF: py-waves-per-eu
    monkeypatch.setenv("FLYDSL_DUMP_IR", "1")
    run = make()
    flyc.compile[{"waves_per_eu": value}](run, np.zeros(64, np.float32))
    (llvm_ir, ) = (tmp_path / "dump").rglob("*_llvm_ir.ll")
    assert text in llvm_ir.read_text()
    assert run.compile_hints == {"waves_per_eu": value}


def test_maxnreg():
    with pytest.raises(ValueError, match="maxnreg.*waves_per_eu"):
        flyc.compile[{"maxnreg": 128}]
    run = make()
    with pytest.raises(ValueError, match="maxnreg"), CompilationContext.compile_hints({"maxnreg": 64}):
        source(run)


def test_context_manager_nests_and_does_not_persist():
    run = make()
    with CompilationContext.compile_hints({"fastmath": "nnan"}):
        with CompilationContext.compile_hints({"waves_per_eu": None}):
            assert "fastmath<nnan>" in source(run)
        with CompilationContext.compile_hints({"fastmath": "fast"}):
            assert "fastmath<fast>" in source(run)
    assert "fastmath" not in source(run)
    assert run.compile_hints == {}


def test_fastmath_overrides_fast_fp_math():
    run = make()
    run.compile_hints["fastmath"] = "contract"
    assert "fastmath<contract>" in source(run)


def test_ambient_fastmath_is_part_of_the_key():
    run = make()
    with fx.fastmath("nnan"):
        assert "fastmath<nnan>" in source(run)
    assert "fastmath" not in source(run)


@pytest.mark.parametrize("given, error, message", [
    ({"fast_fp_math": "yes"}, TypeError, "fast_fp_math"), ({"llvm_options": 3}, TypeError, "llvm_options"),
    ({"llvm_options": {"x": 1.5}}, TypeError, "llvm_options"), ({"ktrace": True}, NotImplementedError, "ktrace")])
def test_refused(given, error, message):
    with pytest.raises(error, match=message):
        hints.check(given)


def test_unknown_and_unset_hints_are_ignored():
    with pytest.warns(UserWarning, match="compile hint 'made_up' is not known and has no effect; known are waves_per_eu, "):
        assert hints.check({"made_up": 1, "waves_per_eu": None}) == {"made_up": 1}
    with pytest.warns(UserWarning, match="did you mean 'waves_per_eu'?"):
        flyc.compile[{"wave_per_eu": 2}]
    with pytest.raises(TypeError, match="compile hints: a hint's name must be a str, got 3"):
        flyc.compile[{3: 4}]


# DIFF: py-hints-unknown
def test_failing_hints_do_not_stay():
    run = make()
    flyc.compile[{"waves_per_eu": 2}](run)
    with pytest.raises(flyc.DSLCompileError, match="waves per EU are '99'"):
        flyc.compile[{"waves_per_eu": 99}](run, np.zeros(64, np.float32))
    assert run.compile_hints == {"waves_per_eu": 2}
    source(run)
    with pytest.raises((TypeError, ValueError), match="compile hint fastmath.*fats"):
        flyc.compile[{"fastmath": "fats"}]


@pytest.mark.parametrize("level", [0, 3])
def test_opt_level_reaches_the_pipeline(monkeypatch, level):
    # DIFF: py-opt-level
    monkeypatch.setenv("FLYDSL_COMPILE_OPT_LEVEL", str(level))
    passes = get_backend().pipeline_fragments(compile_hints={})
    assert any(f"O={level}" in text or f"opt-level={level}" in text for text in passes)


def test_llvm_options_are_the_pipelines_option():
    options = {"amdgpu-early-inline-all": True, "unroll-threshold": 7}
    text = "amdgpu-early-inline-all=true;unroll-threshold=7"
    for device in ("hip", "cpu"):
        given = pipeline.pipeline_options(device, get_backend().target, {"llvm_options": options})
        assert given["llvm-options"] == text
        assert text in pipeline.stages(pipeline.PIPELINES[device], given)[-1][1]
    run = make()
    run.compile_hints["llvm_options"] = options
    source(run)
    first = run._last_compiled[0]
    run.compile_hints["llvm_options"] = {"unroll-threshold": 8}
    source(run)
    assert run._last_compiled[0] != first


# DIFF: py-llvm-options
@pytest.mark.parametrize("options, message", [
    ({"no-such-option": 1}, "compile hint llvm_options: LLVM has no option 'no-such-option'"),
    ({"unrol-threshold": 7}, "LLVM has no option 'unrol-threshold'; did you mean 'unroll-threshold'?"),
    ({"unroll-runtime": True, "unroll-threshold": "many"}, "LLVM's option 'unroll-threshold' does not take the value 'many'"),
    ({"help": True}, "the option 'help' belongs to this program, not to LLVM"),
    ({"unroll-threshold": "1;help"}, "without spaces, quotes, braces and ';', got 'unroll-threshold': '1;help'"),
    ({"a b": 1}, "got 'a b': 1")])
def test_wrong_llvm_options(options, message):
    run = make()
    run.compile_hints["llvm_options"] = options
    with pytest.raises(ValueError) as caught:
        source(run)
    assert message in str(caught.value)
    # Where they are named, before anything is compiled.
    with pytest.raises(ValueError) as named:
        flyc.compile[{"llvm_options": options}]
    assert str(named.value).startswith("compile hint llvm_options: ") and message in str(named.value)
    with pytest.raises(ValueError) as block, llvm_options(options):
        pass
    assert str(block.value) == str(named.value)


# DIFF: py-waves-per-eu
@pytest.mark.parametrize("arch, limit", [("gfx942", 8), ("gfx1100", 16)])
@pytest.mark.parametrize("device", ["cpu", "hip"])
def test_more_waves_than_the_chip_has(chip, monkeypatch, device, arch, limit):
    chip(arch)
    if device == "hip":
        monkeypatch.setenv("COMPILE_ONLY", "1")
        monkeypatch.setenv("FLYDSL_DEVICE", "hip")
    flyc.compile[{"waves_per_eu": (1, limit)}](make(), np.zeros(64, np.float32))
    for value in (limit + 1, (2, limit + 1), f"1,{limit + 1}"):
        with pytest.raises(flyc.DSLCompileError, match=f"waves per EU are '.*{limit + 1}', expected .* MIN <= MAX <= {limit},"):
            flyc.compile[{"waves_per_eu": value}](make(), np.zeros(64, np.float32))


def test_llvm_options_of_a_block():
    from flydsl.compiler.kernel_function import thread_hints
    run = make()
    with llvm_options({"unroll-threshold": 7}), llvm_options({"enable-misched": False}), llvm_options(None):
        assert thread_hints() == {"llvm_options": {"unroll-threshold": 7, "enable-misched": False}}
        source(run)
    assert thread_hints() == {}
    with pytest.raises(TypeError, match="expected a dict"), llvm_options(3):
        pass
    with pytest.raises(ValueError, match="did you mean 'unroll-threshold'"), llvm_options({"unrol-threshold": 7}):
        source(make())


def test_without_verifier(monkeypatch):
    monkeypatch.setenv("FLYDSL_DEBUG_ENABLE_VERIFIER", "0")
    assert "gpu.func" in source(make())


def test_opt_level_is_part_of_the_key(monkeypatch):
    run = make()
    source(run)
    first = run._last_compiled[0]
    monkeypatch.setenv("FLYDSL_COMPILE_OPT_LEVEL", "0")
    source(run)
    assert run._last_compiled[0] != first


def test_checks(monkeypatch):
    from flydsl.compiler import pipeline
    assert pipeline.checks() == ()
    monkeypatch.setenv("FLYDSL_CHECK", "all")
    assert pipeline.checks() == ("runtime", "memory")
    monkeypatch.setenv("FLYDSL_CHECK", "runtime")
    assert pipeline.checks() == ("runtime", )
    monkeypatch.setenv("FLYDSL_CHECK", "spelling")
    with pytest.raises(ValueError, match="unknown check 'spelling'; known: runtime, memory, all"):
        pipeline.checks()
