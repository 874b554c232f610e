# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GEMM with a preshuffled B: each operand type on each chip that has it, against its NumPy reference."""
import ml_dtypes
import numpy as np
import pytest
from kernel_arrays import ONE, SCHEDULES, guarded, normal, rng

from kernels.common.epilogue import EPILOGUES
from kernels.gemm import preshuffle_gemm as gemm

ARRAYS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "int8": np.int8}
FP8 = {"gfx942": ml_dtypes.float8_e4m3fnuz, "gfx950": ml_dtypes.float8_e4m3fn}
TOLERANCES = {"f16": dict(rtol=2e-3, atol=2e-2), "bf16": dict(rtol=8e-3, atol=5e-2), "f32": dict(rtol=1e-5, atol=1e-4)}
PAIRS = [(in_dtype, arch) for in_dtype, chips in gemm.OPERANDS.items() for arch in chips]


def array_type(in_dtype, arch):
    return FP8[arch] if in_dtype == "fp8" else ARRAYS[in_dtype]


def small(in_dtype):
    """The options of the smallest tiles of 128 bytes of K."""
    return dict(tile_m=32, tile_n=64, tile_k=128 if in_dtype in gemm.SCALED else 64)


def operand(shape, in_dtype, arch, seed=5):
    """Random values of a type, of a magnitude near 1 for floats and of the whole range for int8."""
    generator = np.random.default_rng(seed)
    if in_dtype == "int8":
        return generator.integers(-128, 128, shape).astype(np.int8)
    return generator.standard_normal(shape).astype(array_type(in_dtype, arch))


def scales(count, in_dtype, seed):
    """One factor for each row, so that products are of a magnitude near 1."""
    factors = np.random.default_rng(seed).uniform(0.5, 2, count)
    return (factors / (64 if in_dtype == "int8" else 1)).astype(np.float32)


def run(m, n, k, epilogue="none", in_dtype="f16", arch="gfx942", out_dtype="f16", launch=None, **options):
    """Runs a product whose arrays go on behind row m with what must not be read, and compares it."""
    launch = launch or gemm.compile_preshuffle_gemm(N=n, K=k, epilogue=epilogue, in_dtype=in_dtype, out_dtype=out_dtype, **options)
    a, b = operand((m + 8, k), in_dtype, arch), operand((n, k), in_dtype, arch, 6)
    scale_a, scale_b = (scales(m + 8, in_dtype, 7), scales(n, in_dtype, 8)) if in_dtype in gemm.SCALED else (None, None)
    if scale_a is not None:
        scale_a[m:] = np.nan
    if in_dtype != "int8":
        a[m:] = np.nan
    bias = normal(n).astype(ARRAYS[out_dtype])
    c, beyond = guarded((m, n), ARRAYS[out_dtype])
    launch(c, a, gemm.shuffle_b(b), ONE if scale_a is None else scale_a, ONE if scale_b is None else scale_b, bias, m, n)
    want = gemm.reference(a[:m], b, bias, epilogue, None if scale_a is None else scale_a[:m], scale_b)
    np.testing.assert_allclose(c.astype(np.float64), want, **TOLERANCES[out_dtype])
    assert (beyond == -7).all()
    return launch


@pytest.mark.parametrize("in_dtype,arch", PAIRS)
def test_types_and_tails(chip, in_dtype, arch):
    chip(arch)
    run(37, 128, 3 * small(in_dtype)["tile_k"], in_dtype=in_dtype, arch=arch, out_dtype="f32", **small(in_dtype))


@pytest.mark.parametrize("epilogue", EPILOGUES)
@pytest.mark.parametrize("in_dtype,arch", [pair for pair in PAIRS if pair[1] != "gfx90a"])
def test_epilogues(chip, in_dtype, arch, epilogue):
    chip(arch)
    out = "bf16" if in_dtype == "bf16" else "f16"
    run(40, 64, 128, epilogue, in_dtype, arch, out, **small(in_dtype))


@pytest.mark.parametrize("arch", gemm.OPERANDS["int8"])
def test_int8_is_exact(chip, arch):
    """Sums stay integers until they are scaled, also beyond what float32 holds exactly."""
    chip(arch)
    m, n, k = 17, 64, 2048
    launch = gemm.compile_preshuffle_gemm(N=n, K=k, in_dtype="int8", out_dtype="f32", tile_m=32, tile_n=64, tile_k=128)
    a, b = (np.full(shape, -128, np.int8) for shape in ((m, k), (n, k)))
    a[:, -1], b[:, -1] = rng().integers(-128, 128, m), rng().integers(-128, 128, n)
    scale_a, scale_b = (np.exp2(rng().integers(-6, 6, count)).astype(np.float32) for count in (m, n))
    c = np.zeros((m, n), np.float32)
    launch(c, a, gemm.shuffle_b(b), scale_a, scale_b, ONE, m, n)
    sums = a.astype(np.int64) @ b.astype(np.int64).T
    assert sums.max() > 1 << 24
    np.testing.assert_array_equal(c, sums.astype(np.float32) * np.outer(scale_a, scale_b))


@pytest.mark.parametrize("arch", FP8)
def test_fp8_formats(chip, arch):
    """Each value of the chip's format, by a product with the unit matrix."""
    chip(arch)
    dtype = FP8[arch]
    values = np.arange(256, dtype=np.uint8).view(dtype)
    values[~np.isfinite(values.astype(np.float32))] = 0
    a, b = values.reshape(4, 64), np.eye(64).astype(dtype)
    c = np.zeros((4, 64), np.float32)
    launch = gemm.compile_preshuffle_gemm(N=64, K=64, in_dtype="fp8", out_dtype="f32", tile_n=64)
    launch(c, a, gemm.shuffle_b(b), np.ones(4, np.float32), np.ones(64, np.float32), ONE, 4, 64)
    np.testing.assert_array_equal(c, a.astype(np.float32))


@pytest.mark.parametrize("k_tiles", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("lds_stage", [1, 2])
def test_stages(chip, lds_stage, k_tiles):
    run(32, 64, 64 * k_tiles, tile_m=32, tile_n=64, lds_stage=lds_stage)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("lds_stage", [1, 2])
def test_waves_in_any_order(chip, monkeypatch, schedule, lds_stage):
    monkeypatch.setenv("FLY_CPU_SCHEDULE", schedule)
    for k_tiles in (3, 4):
        run(33, 64, 64 * k_tiles, tile_m=32, tile_n=64, lds_stage=lds_stage)


@pytest.mark.parametrize("in_dtype,tile_m,tile_n,tile_k", [
    ("f16", 64, 128, 32), ("f16", 64, 64, 64), ("f16", 16, 64, 128), ("f16", 128, 128, 64),
    ("int8", 64, 64, 64), ("int8", 32, 128, 128), ("int8", 16, 64, 256)])
def test_tiles(chip, in_dtype, tile_m, tile_n, tile_k):
    run(tile_m + 3, 2 * tile_n, 2 * tile_k, in_dtype=in_dtype, tile_m=tile_m, tile_n=tile_n, tile_k=tile_k)


@pytest.mark.parametrize("in_dtype", ["f16", "int8"])
def test_one_kernel_serves_every_m(chip, in_dtype):
    launch = run(1, 64, 64, in_dtype=in_dtype, tile_m=64, tile_n=64)
    for m in (31, 32, 33, 100):
        run(m, 64, 64, in_dtype=in_dtype, launch=launch)
    assert launch.cache_info().currsize == 1


@pytest.mark.parametrize("dtype", [np.int16, np.uint8])
def test_shuffle_is_a_permutation(dtype):
    values = 16 // np.dtype(dtype).itemsize
    b = np.arange(32 * 8 * values).reshape(32, 8 * values)
    shuffled = np.stack([gemm.shuffle_b((b >> 8 * byte & 0xFF).astype(dtype)) for byte in range(2)]).astype(int)
    shuffled = (shuffled[0] | shuffled[1] << 8).ravel()
    assert sorted(shuffled) == list(range(b.size))
    # Block (1, 1), lane 16 * 2 + 3, value 5: row 16 + 3, column of the third group of the second block.
    block, lane = 1 * 2 + 1, 16 * 2 + 3
    assert shuffled[(block * 64 + lane) * values + 5] == b[19, 4 * values + 2 * values + 5]


def test_shuffle_refuses_odd_sizes():
    with pytest.raises(ValueError, match="B is 16x48, expected multiples of 16x64"):
        gemm.shuffle_b(np.zeros((16, 48), np.int8))


@pytest.mark.parametrize("options,message", [
    (dict(N=100, K=64), "N is 100, expected a positive multiple of 128"),
    (dict(N=128, K=60), "K is 60, expected a positive multiple of 64"),
    (dict(N=128, K=64, tile_k=48), "tile_k is 48, expected one of 32, 64, 128"),
    (dict(N=128, K=64, tile_k=32, in_dtype="int8"), "tile_k is 32, expected one of 64, 128, 256"),
    (dict(N=128, K=64, tile_m=24), "tile_m is 24, expected a positive multiple of 32"),
    (dict(N=128, K=64, epilogue="tanh"), "epilogue is 'tanh', expected one of none, bias, bias_relu"),
    (dict(N=128, K=64, in_dtype="f32"), "in_dtype is 'f32', expected one of f16, bf16, fp8, int8"),
    (dict(N=128, K=64, out_dtype="int8"), "out_dtype is 'int8', expected one of f16, bf16, f32"),
    (dict(N=128, K=64, lds_stage=3), "lds_stage is 3, expected one of 1, 2"),
])
def test_refusals(chip, options, message):
    with pytest.raises(ValueError, match=message):
        gemm.compile_preshuffle_gemm(**options)


@pytest.mark.parametrize("in_dtype", gemm.OPERANDS)
@pytest.mark.parametrize("arch", ["gfx90a", "gfx1100", "gfx1201", "gfx1250"])
def test_refuses_other_chips(in_dtype, arch):
    chips = gemm.OPERANDS[in_dtype]
    if arch not in chips:
        with pytest.raises(ValueError, match=f"preshuffle GEMM of {in_dtype} is not made for chip {arch}, expected one of {', '.join(chips)}$"):
            gemm.compile_preshuffle_gemm(N=128, K=64, in_dtype=in_dtype, arch=arch)


def test_refuses_arrays_of_other_types(chip):
    c, a, b, one = np.zeros((4, 64), np.float16), np.zeros((4, 64), FP8["gfx950"]), np.zeros((64, 64), FP8["gfx942"]), np.ones(64, np.float32)
    launch = gemm.compile_preshuffle_gemm(N=64, K=64, tile_n=64, in_dtype="fp8", epilogue="bias")
    with pytest.raises(TypeError, match="preshuffle GEMM of fp8: a has elements of Float8E4M3FN, expected Float8E4M3FNUZ"):
        launch(c, a, b, one, one, c[0], 4, 64)
    with pytest.raises(TypeError, match="scale_b has elements of Float16, expected Float32"):
        launch(c, a.view(FP8["gfx942"]), b, one, c[0], c[0], 4, 64)
    with pytest.raises(TypeError, match="bias has elements of Float32, expected Float16"):
        launch(c, a.view(FP8["gfx942"]), b, one, one, one, 4, 64)


@pytest.mark.parametrize("argument,shape,message", [
    ("a", (4, 64), "axis 1 of a is shorter"), ("a", (4, 192), "a has more columns"), ("a", (3, 128), "axis 0 of a is shorter"),
    ("b", (32, 128), "axis 0 of b is shorter"), ("c", (3, 64), "axis 0 of c is shorter"), ("c", (4, 65), "c has more columns"),
    ("scale_a", 3, "axis 0 of scale_a is shorter"), ("scale_b", 63, "axis 0 of scale_b is shorter"),
    ("bias", 63, "axis 0 of bias is shorter"), ("a", 4 * 128 - 1, "a is shorter"), ("b", 64 * 128 - 1, "b is shorter"),
    ("c", 4 * 64 - 1, "c is shorter"),
])
def test_refuses_arrays_of_other_sizes(chip, argument, shape, message):
    launch = gemm.compile_preshuffle_gemm(N=64, K=128, tile_n=64, in_dtype="int8", epilogue="bias", tile_k=128)
    shapes = dict(c=(4, 64), a=(4, 128), b=(64, 128), scale_a=4, scale_b=64, bias=64)
    types = dict(c=np.float16, a=np.int8, b=np.int8, scale_a=np.float32, scale_b=np.float32, bias=np.float16)
    arrays = [np.zeros(shape if name == argument else own, types[name]) for name, own in shapes.items()]
    with pytest.raises(RuntimeError, match=f"preshuffle GEMM of int8: {message}"):
        launch(*arrays, 4, 64)


def test_takes_rows_behind_each_other(chip):
    launch = gemm.compile_preshuffle_gemm(N=64, K=128, tile_n=64)
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-4, 5, (rows, 128)).astype(np.float16) for rows in (5, 64))
    flat, c = np.zeros(5 * 64, np.float16), np.zeros((5, 64), np.float16)
    shuffled = gemm.shuffle_b(b)
    launch(c, a, shuffled, ONE, ONE, c[0], 5, 64)
    launch(flat, a.reshape(-1), shuffled.reshape(-1), ONE, ONE, c[0], 5, 64)
    np.testing.assert_array_equal(c, gemm.reference(a, b).astype(np.float16))
    np.testing.assert_array_equal(flat.reshape(5, 64), c)


def test_refuses_another_n(chip):
    launch, a = gemm.compile_preshuffle_gemm(N=64, K=64, tile_n=64), np.zeros((64, 64), np.float16)
    with pytest.raises(RuntimeError, match="n is not the N that it was compiled for"):
        launch(a, a, a, ONE, ONE, a[0], 4, 63)


@pytest.mark.parametrize("in_dtype,arch", PAIRS)
def test_compiles(chip, compile_only, in_dtype, arch):
    chip(arch)
    a, out, one = np.zeros((64, 128), array_type(in_dtype, arch)), np.zeros((64, 128), np.float16), np.ones(128, np.float32)
    for epilogue in EPILOGUES:
        launch = gemm.compile_preshuffle_gemm(N=128, K=128, epilogue=epilogue, in_dtype=in_dtype, **small(in_dtype))
        assert launch(out, a, a, one, one, out[0], 64, 128) is None
        assert f'chip = "{arch}"' in str(launch._last_compiled[1].ir)
