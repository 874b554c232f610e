# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GEMM of gfx1250 whose tiles move by tensor copies, against its NumPy reference."""
import re

import ml_dtypes
import numpy as np
import pytest
from kernel_arrays import SCHEDULES, guarded

from kernels.gemm import wmma_tdm_gemm as gemm

ARRAYS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}
TOLERANCES = {"f16": dict(rtol=2e-3, atol=2e-2), "bf16": dict(rtol=8e-3, atol=5e-2), "f32": dict(rtol=1e-5, atol=1e-4)}


@pytest.fixture(autouse=True)
def target(chip):
    chip("gfx1250")


def poisoned(rows, columns, dtype, seed):
    """Random values, and NaN in the memory behind them."""
    memory = np.full((rows + 8) * columns + 64, np.nan, dtype)
    matrix = memory[:rows * columns].reshape(rows, columns)
    matrix[...] = np.random.default_rng(seed).standard_normal((rows, columns)).astype(dtype)
    return matrix


def run(m, n, k, in_dtype="f16", out_dtype="f32", launch=None, **options):
    launch = launch or gemm.compile_wmma_tdm_gemm(in_dtype=in_dtype, out_dtype=out_dtype, **options)
    a, b = poisoned(m, k, ARRAYS[in_dtype], 5), poisoned(n, k, ARRAYS[in_dtype], 6)
    c, beyond = guarded((m, n), ARRAYS[out_dtype])
    launch(c, a, b, m, n, k)
    np.testing.assert_allclose(c.astype(np.float64), gemm.reference(a, b), **TOLERANCES[out_dtype])
    assert (beyond == -7).all()
    return launch


# Whole tiles; a tail of each dimension alone; tails of all, less than a tile and more; every number of steps to 4.
@pytest.mark.parametrize("m,n,k", [(64, 64, 64), (65, 64, 64), (64, 63, 64), (64, 64, 65), (1, 1, 1), (70, 130, 200), (17, 31, 256)])
def test_sizes_and_tails(m, n, k):
    run(m, n, k)


@pytest.mark.parametrize("in_dtype", gemm.OPERANDS)
@pytest.mark.parametrize("out_dtype", ARRAYS)
def test_types(in_dtype, out_dtype):
    run(40, 50, 72, in_dtype, out_dtype)


@pytest.mark.parametrize("tile_m,tile_n,tile_k", [(32, 32, 32), (32, 96, 64), (128, 64, 32), (64, 64, 128), (32, 64, 256)])
def test_tiles(tile_m, tile_n, tile_k):
    run(tile_m + 3, tile_n + 5, tile_k + 7, tile_m=tile_m, tile_n=tile_n, tile_k=tile_k)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_waves_in_any_order(monkeypatch, schedule):
    monkeypatch.setenv("FLY_CPU_SCHEDULE", schedule)
    launch = run(30, 31, 100, tile_m=32, tile_n=32, tile_k=32)
    run(30, 31, 32, launch=launch)


def test_one_kernel_serves_every_size():
    launch = run(33, 70, 130)
    for sizes in ((2, 64, 64), (64, 2, 3), (100, 100, 100)):
        run(*sizes, launch=launch)
    assert launch.cache_info().currsize == 1


def test_an_empty_sum_is_zero():
    run(5, 6, 0)


@pytest.mark.parametrize("options,message", [
    (dict(tile_m=48), "tile_m is 48, expected a positive multiple of 32"),
    (dict(tile_n=0), "tile_n is 0, expected a positive multiple of 32"),
    (dict(tile_k=48), "tile_k is 48, expected one of 32, 64, 128, 256"),
    (dict(in_dtype="f32"), "in_dtype is 'f32', expected one of f16, bf16"),
    (dict(out_dtype="int8"), "out_dtype is 'int8', expected one of f16, bf16, f32"),
    *((dict(arch=arch), f"WMMA GEMM with tensor copies is not made for chip {arch}, expected gfx1250$")
      for arch in ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")),
])
def test_refusals(options, message):
    with pytest.raises(ValueError, match=message):
        gemm.compile_wmma_tdm_gemm(**options)


def test_refuses_arrays_of_other_types():
    a, c = np.zeros((64, 64), np.float16), np.zeros((64, 64), np.float32)
    with pytest.raises(TypeError, match="tensor copies: b has elements of BFloat16, expected Float16"):
        gemm.compile_wmma_tdm_gemm()(a, a, a.astype(ml_dtypes.bfloat16), 64, 64, 64)
    with pytest.raises(TypeError, match="tensor copies: c has elements of Float32, expected Float16"):
        gemm.compile_wmma_tdm_gemm()(c, a, a, 64, 64, 64)


@pytest.mark.parametrize("sizes,message", [
    ((6, 9, 7), "axis 0 of a is shorter"), ((5, 9, 8), "axis 1 of a is shorter"), ((5, 10, 7), "axis 0 of b is shorter"),
    ((5, 8, 7), "c has more columns"), ((5, 9, 6), "a has more columns"),
])
def test_refuses_other_sizes_than_the_arrays(sizes, message):
    a, b, c = np.zeros((5, 7), np.float16), np.zeros((9, 7), np.float16), np.zeros((5, 9), np.float16)
    with pytest.raises(RuntimeError, match=f"tensor copies: {message}"):
        gemm.compile_wmma_tdm_gemm()(c, a, b, *sizes)


@pytest.mark.parametrize("in_dtype", gemm.OPERANDS)
@pytest.mark.parametrize("out_dtype", ARRAYS)
def test_compiles(compile_only, in_dtype, out_dtype):
    launch = gemm.compile_wmma_tdm_gemm(in_dtype=in_dtype, out_dtype=out_dtype)
    a = np.zeros((64, 64), ARRAYS[in_dtype])
    assert launch(np.zeros((64, 64), ARRAYS[out_dtype]), a, a, 64, 64, 64) is None
    assert 'chip = "gfx1250"' in str(launch._last_compiled[1].ir)


def test_waits_for_the_copies_of_a_step_only(compile_only):
    """The CPU copies at once: what each wait leaves outstanding shows in the code alone."""
    launch = gemm.compile_wmma_tdm_gemm()
    a = np.zeros((64, 64), np.float16)
    launch(a, a, a, 64, 64, 64)
    source = launch._last_compiled[1].source_ir
    assert re.findall(r"rocdl.s.wait.tensorcnt (\d+)|(gpu.barrier)", source) == [
        ("2", ""), ("", "gpu.barrier"), ("", "gpu.barrier"), ("0", ""), ("", "gpu.barrier"), ("", "gpu.barrier"), ("", "gpu.barrier"), ("0", "")]
