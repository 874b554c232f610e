# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fp8 GEMM with a scale for each 32 values of K, against its NumPy reference."""
import ml_dtypes
import numpy as np
import pytest
from kernel_arrays import SCHEDULES, guarded, rng

from kernels.gemm import blockscale_fp8_gemm as gemm

FP8 = {"e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}
ARRAYS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}
TOLERANCES = {"f16": dict(rtol=2e-3, atol=2e-2), "bf16": dict(rtol=8e-3, atol=5e-2), "f32": dict(rtol=1e-5, atol=1e-4)}
SCALE = ml_dtypes.float8_e8m0fnu


@pytest.fixture(autouse=True)
def target(chip):
    chip("gfx950")


def operand(rows, k, seed, dtype=ml_dtypes.float8_e4m3fn):
    generator = np.random.default_rng(seed)
    return generator.standard_normal((rows, k)).astype(dtype), generator.integers(124, 131, (rows, k // 32)).astype(np.uint8)


def run(m, n, k, in_dtype="e4m3", out_dtype="f32", launch=None, **options):
    """Runs a product whose arrays go on behind row m with what must not be read, and compares it."""
    launch = launch or gemm.compile_blockscale_fp8_gemm(N=n, K=k, in_dtype=in_dtype, out_dtype=out_dtype, **options)
    (a, scale_a), (b, scale_b) = operand(m + 8, k, 5, FP8[in_dtype]), operand(n, k, 6, FP8[in_dtype])
    a[m:], scale_a[m:] = np.nan, 255
    c, beyond = guarded((m, n), ARRAYS[out_dtype])
    launch(c, a, b, scale_a.view(SCALE), scale_b.view(SCALE), m)
    np.testing.assert_allclose(c.astype(np.float64), gemm.reference(a[:m], b, scale_a[:m], scale_b), **TOLERANCES[out_dtype])
    assert (beyond == -7).all()
    return launch


@pytest.mark.parametrize("m,n,k", [(64, 64, 128), (1, 64, 256), (37, 128, 384), (129, 64, 128)])
@pytest.mark.parametrize("edge", [16, 32])
def test_sizes_and_tails(m, n, k, edge):
    run(m, n, k, edge=edge)


@pytest.mark.parametrize("in_dtype", gemm.OPERANDS)
@pytest.mark.parametrize("out_dtype", ARRAYS)
def test_types(in_dtype, out_dtype):
    run(20, 32, 128, in_dtype, out_dtype, tile_m=32, tile_n=32)


@pytest.mark.parametrize("tile_m,tile_n,edge", [(32, 96, 16), (128, 32, 16), (128, 64, 32)])
def test_tiles(tile_m, tile_n, edge):
    run(tile_m + 3, tile_n, 256, tile_m=tile_m, tile_n=tile_n, edge=edge)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_waves_in_any_order(monkeypatch, schedule):
    monkeypatch.setenv("FLY_CPU_SCHEDULE", schedule)
    run(20, 32, 384, tile_m=32, tile_n=32)


def test_one_kernel_serves_every_m():
    launch = run(1, 32, 128, tile_m=32, tile_n=32)
    for m in (31, 32, 33, 70):
        run(m, 32, 128, launch=launch)
    assert launch.cache_info().currsize == 1


@pytest.mark.parametrize("edge", [16, 32])
def test_each_block_has_its_scale(edge):
    """Ones with scales that are different powers of two for each row and block: the sums say exactly which were used."""
    m, n, k = 64, 64, 256
    a, b = np.ones((m, k), FP8["e4m3"]), np.ones((n, k), FP8["e4m3"])
    scale_a, scale_b = rng().integers(100, 154, (m, k // 32)).astype(np.uint8), np.full((n, k // 32), 127, np.uint8)
    for left, right in ((scale_a, scale_b), (scale_b, scale_a)):
        c = np.zeros((m, n), np.float32)
        gemm.compile_blockscale_fp8_gemm(N=n, K=k, out_dtype="f32", edge=edge)(c, a, b, left, right, m)
        np.testing.assert_allclose(c, gemm.reference(a, b, left, right), rtol=1e-6)


@pytest.mark.parametrize("edge", [16, 32])
def test_extreme_scales(edge):
    """The smallest scale times the largest one is exact; a NaN scale makes its row NaN and no other."""
    m, n, k = 32, 64, 128
    values = np.arange(256, dtype=np.uint8).view(FP8["e4m3"])
    values[~np.isfinite(values.astype(np.float32))] = 0
    a, b = np.zeros((m, k), FP8["e4m3"]), np.eye(n, k).astype(FP8["e4m3"])
    a[:4, :64] = values.reshape(4, 64)
    scale_a, scale_b = np.zeros((m, 4), np.uint8), np.full((n, 4), 254, np.uint8)
    scale_a[7, 2] = 255
    c = np.zeros((m, n), np.float32)
    gemm.compile_blockscale_fp8_gemm(N=n, K=k, out_dtype="f32", edge=edge)(c, a, b, scale_a, scale_b, m)
    np.testing.assert_array_equal(np.isnan(c).all(axis=1), np.arange(m) == 7)
    np.testing.assert_array_equal(np.delete(c, 7, axis=0), np.delete(a[:, :64].astype(np.float32), 7, axis=0))


def test_reference_decodes_exactly():
    values, scale = np.array([[1.5] * 32 + [-448.0] * 32]).astype(FP8["e4m3"]), np.array([[0, 254]], np.uint8)
    decoded = gemm.decode(values, scale)
    assert decoded[0, 0] == 1.5 * 2.0**-127 and decoded[0, 63] == -448 * 2.0**127
    np.testing.assert_array_equal(gemm.decode(values, scale.view(SCALE)), decoded)


@pytest.mark.parametrize("options,message", [
    (dict(N=100, K=128), "N is 100, expected a positive multiple of 64"),
    (dict(N=64, K=96), "K is 96, expected a positive multiple of 128"),
    (dict(N=64, K=128, tile_m=48), "tile_m is 48, expected a positive multiple of 32"),
    (dict(N=64, K=128, tile_n=32, edge=32), "tile_n is 32, expected a positive multiple of 64"),
    (dict(N=64, K=128, edge=8), "edge is 8, expected one of 16, 32"),
    (dict(N=64, K=128, in_dtype="f16"), "in_dtype is 'f16', expected one of e4m3, e5m2"),
    (dict(N=64, K=128, out_dtype="int8"), "out_dtype is 'int8', expected one of f16, bf16, f32"),
    *((dict(N=64, K=128, arch=arch), f"fp8 GEMM with block scales is not made for chip {arch}, expected gfx950$")
      for arch in ("gfx90a", "gfx942", "gfx1100", "gfx1201", "gfx1250")),
])
def test_refusals(options, message):
    with pytest.raises(ValueError, match=message):
        gemm.compile_blockscale_fp8_gemm(**options)


def test_refuses_arrays_of_other_types():
    (a, scale), c = operand(64, 128, 5), np.zeros((64, 64), np.float16)
    launch = gemm.compile_blockscale_fp8_gemm(N=64, K=128)
    with pytest.raises(TypeError, match="block scales: b has elements of Float8E5M2, expected Float8E4M3FN"):
        launch(c, a, a.astype(FP8["e5m2"]), scale, scale, 64)
    with pytest.raises(TypeError, match="block scales: scale_b has elements of Float32, expected Float8E8M0FNU or Uint8"):
        launch(c, a, a, scale, scale.astype(np.float32), 64)


@pytest.mark.parametrize("index,shape,message", [
    (0, (64, 32), "axis 1 of c is shorter"), (1, (63, 128), "axis 0 of a is shorter"), (2, (64, 256), "b has more columns"),
    (3, (64, 3), "axis 1 of scale_a is shorter"), (4, (63, 4), "axis 0 of scale_b is shorter"),
])
def test_refuses_arrays_of_other_sizes(index, shape, message):
    (a, scale), c = operand(64, 128, 5), np.zeros((64, 64), np.float16)
    arrays = [c, a, a, scale, scale]
    arrays[index] = np.zeros(shape, arrays[index].dtype)
    with pytest.raises(RuntimeError, match=f"block scales: {message}"):
        gemm.compile_blockscale_fp8_gemm(N=64, K=128)(*arrays, 64)


@pytest.mark.parametrize("in_dtype", gemm.OPERANDS)
@pytest.mark.parametrize("edge", [16, 32])
def test_compiles(compile_only, in_dtype, edge):
    a, scale = operand(64, 128, 5, FP8[in_dtype])
    for out_dtype, dtype in ARRAYS.items():
        launch = gemm.compile_blockscale_fp8_gemm(N=64, K=128, in_dtype=in_dtype, out_dtype=out_dtype, edge=edge)
        assert launch(np.zeros((64, 64), dtype), a, a, scale, scale, 64) is None
        assert 'chip = "gfx950"' in str(launch._last_compiled[1].ir)
