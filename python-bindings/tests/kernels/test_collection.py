# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of `kernels/`, run on the CPU device against their NumPy references and compiled for every chip."""
import numpy as np
import pytest
from kernel_arrays import guarded, normal, rng

import flydsl.expr as fx
from flydsl.runtime.device import known_chips
from kernels.elementwise import transpose, vector_add
from kernels.gemm import rdna_f16_gemm
from kernels.norm import layernorm_kernel, rmsnorm_kernel, softmax_kernel

WAVES = ("gfx942", "gfx1201")
WMMA = ("gfx1100", "gfx1201", "gfx1250")


@pytest.mark.parametrize("n", [1, 3, 1023, 1024, 1025, 5000])
@pytest.mark.parametrize("arch", WAVES)
def test_vector_add(chip, arch, n):
    chip(arch)
    a, b = normal(n), normal(n) + 1
    c, beyond = guarded(n, np.float32)
    vector_add.build_vector_add()(a, b, c, n)
    np.testing.assert_array_equal(c, vector_add.reference(a, b))
    assert (beyond == -7).all()


@pytest.mark.parametrize("dtype,numpy_dtype,vector", [(fx.Float16, np.float16, 8), (fx.Int32, np.int32, 2),
                                                      (fx.Float64, np.float64, 2), (fx.Int8, np.int8, 1)])
def test_vector_add_of_other_types(chip, dtype, numpy_dtype, vector):
    n = 2 * 256 * vector + 5
    a = rng().integers(-50, 50, n).astype(numpy_dtype)
    b = rng().integers(0, 50, n).astype(numpy_dtype)
    c = np.zeros(n, numpy_dtype)
    vector_add.build_vector_add(dtype, vector=vector)(a, b, c, n)
    np.testing.assert_array_equal(c, vector_add.reference(a, b))


def test_vector_add_refuses_odd_widths():
    with pytest.raises(ValueError, match="3 values of Float32 are 96 bits, expected 8, 16, 32, 64 or 128"):
        vector_add.build_vector_add(vector=3)


@pytest.mark.parametrize("m,n", [(1, 1), (32, 32), (37, 70), (64, 31), (1, 100)])
@pytest.mark.parametrize("arch", WAVES)
def test_transpose(chip, arch, m, n):
    chip(arch)
    src = normal((m, n))
    dst, beyond = guarded((n, m), np.float32)
    transpose.build_transpose()(src, dst, m, n)
    np.testing.assert_array_equal(dst, transpose.reference(src))
    assert (beyond == -7).all()


@pytest.mark.parametrize("m,n", [(1, 1), (3, 64), (2, 257), (3, 1000)])
@pytest.mark.parametrize("arch", WAVES)
def test_norms(chip, arch, m, n):
    chip(arch)
    src, gamma, beta = normal((m, n)) * 3, normal(n), normal(n)
    dst, beyond = guarded((m, n), np.float32)
    softmax_kernel.build_softmax()(src, dst, m, n)
    np.testing.assert_allclose(dst, softmax_kernel.reference(src), rtol=3e-6, atol=1e-8)
    rmsnorm_kernel.build_rmsnorm()(src, gamma, dst, m, n)
    np.testing.assert_allclose(dst, rmsnorm_kernel.reference(src, gamma), rtol=3e-6, atol=1e-6)
    if n > 1:  # one value has no variance: what remains is rounding over the square root of eps
        layernorm_kernel.build_layernorm()(src, gamma, beta, dst, m, n)
        np.testing.assert_allclose(dst, layernorm_kernel.reference(src, gamma, beta), rtol=1e-5, atol=5e-6)
    assert (beyond == -7).all()


def test_norms_in_float16(chip):
    src, gamma, beta = normal((4, 300), np.float16), normal(300, np.float16), normal(300, np.float16)
    dst = np.zeros_like(src)
    softmax_kernel.build_softmax(fx.Float16)(src, dst, 4, 300)
    np.testing.assert_allclose(dst, softmax_kernel.reference(src), rtol=2e-3, atol=1e-5)
    layernorm_kernel.build_layernorm(fx.Float16)(src, gamma, beta, dst, 4, 300)
    np.testing.assert_allclose(dst, layernorm_kernel.reference(src, gamma, beta), rtol=4e-3, atol=4e-3)
    rmsnorm_kernel.build_rmsnorm(fx.Float16)(src, gamma, dst, 4, 300)
    np.testing.assert_allclose(dst, rmsnorm_kernel.reference(src, gamma), rtol=4e-3, atol=4e-3)


@pytest.mark.parametrize("m,n,k,out", [(64, 64, 32, "f16"), (70, 128, 96, "f16"), (1, 64, 64, "f32"), (129, 64, 160, "f32")])
@pytest.mark.parametrize("arch", WMMA)
def test_rdna_f16_gemm(chip, arch, m, n, k, out):
    chip(arch)
    launch = rdna_f16_gemm.compile_rdna_f16_gemm(N=n, K=k, out_dtype=out)
    a, b = normal((m, k), np.float16), normal((n, k), np.float16)
    c, beyond = guarded((m, n), np.float16 if out == "f16" else np.float32)
    launch(c, a, b, m)
    tolerance = dict(rtol=2e-3, atol=2e-2) if out == "f16" else dict(rtol=1e-5, atol=1e-4)
    np.testing.assert_allclose(c.astype(np.float64), rdna_f16_gemm.reference(a, b), **tolerance)
    assert (beyond == -7).all()


def test_rdna_f16_gemm_refuses_other_chips():
    with pytest.raises(ValueError, match="RDNA GEMM is not made for chip gfx942, expected one of gfx1100, .*gfx1250$"):
        rdna_f16_gemm.compile_rdna_f16_gemm(N=64, K=32, arch="gfx942")


@pytest.mark.parametrize("build,shapes,sizes,message", [
    (vector_add.build_vector_add, [5, 5, 4], [5], "vector_add: axis 0 of c is shorter than the size given"),
    (transpose.build_transpose, [(4, 6), (5, 4)], [4, 6], "transpose: axis 0 of dst is shorter"),
    (softmax_kernel.build_softmax, [(4, 6), (4, 6)], [5, 6], "softmax: axis 0 of src is shorter"),
    (layernorm_kernel.build_layernorm, [(4, 6), 6, 5, (4, 6)], [4, 6], "layernorm: axis 0 of beta is shorter"),
    (rmsnorm_kernel.build_rmsnorm, [(4, 6), 6, (4, 5)], [4, 6], "rmsnorm: axis 1 of dst is shorter"),
])
def test_refuses_sizes_beyond_the_arrays(chip, build, shapes, sizes, message):
    with pytest.raises(RuntimeError, match=message):
        build()(*[np.zeros(shape, np.float32) for shape in shapes], *sizes)


@pytest.mark.parametrize("shapes,message", [
    (dict(a=(70, 32)), "RDNA GEMM: axis 1 of a is shorter"), (dict(a=(69, 64)), "axis 0 of a is shorter"),
    (dict(a=(70, 65)), "a has more columns than the size given"), (dict(b=(63, 64)), "axis 0 of b is shorter"),
    (dict(c=(70, 60)), "axis 1 of c is shorter"), (dict(c=(70,)), "RDNA GEMM: c is shorter than the sizes given"),
    (dict(c=(70, 8, 8)), "RDNA GEMM: c has 3 axes, expected 2"),
])
def test_refuses_matrices_of_other_sizes(chip, shapes, message):
    chip("gfx1201")
    launch = rdna_f16_gemm.compile_rdna_f16_gemm(N=64, K=64)
    c, a, b = [np.zeros(shapes.get(name, own), np.float16) for name, own in dict(c=(70, 64), a=(70, 64), b=(64, 64)).items()]
    with pytest.raises((RuntimeError, ValueError), match=message):
        launch(c, a, b, 70)


def test_refuses_matrices_in_another_order(chip):
    chip("gfx1201")
    launch, square = rdna_f16_gemm.compile_rdna_f16_gemm(N=64, K=64), np.zeros((64, 64), np.float16)
    with pytest.raises(RuntimeError, match="RDNA GEMM: b is not row-major and contiguous"):
        launch(square, square, square.T, 64)


@pytest.mark.parametrize("build", [softmax_kernel.build_softmax, layernorm_kernel.build_layernorm, rmsnorm_kernel.build_rmsnorm])
def test_norms_refuse_parts_of_waves(chip, build):
    with pytest.raises(ValueError, match="block is 96, expected a positive multiple of 64"):
        build(block=96)


@pytest.mark.parametrize("arch", known_chips())
def test_compiles_for_every_chip(chip, compile_only, arch):
    chip(arch)
    f32, f16 = normal((4, 64)), normal((64, 64), np.float16)
    launches = [
        (vector_add.build_vector_add(), f32[0], f32[1], f32[2], 64), (transpose.build_transpose(), f32, f32, 4, 64),
        (softmax_kernel.build_softmax(), f32, f32, 4, 64), (layernorm_kernel.build_layernorm(), f32, f32[0], f32[1], f32, 4, 64),
        (rmsnorm_kernel.build_rmsnorm(), f32, f32[0], f32, 4, 64),
    ]
    if arch in rdna_f16_gemm.INSTRUCTIONS:
        launches.append((rdna_f16_gemm.compile_rdna_f16_gemm(N=64, K=64), f16, f16, f16, 64))
    for launch, *arguments in launches:
        assert launch(*arguments) is None
        assert f'chip = "{arch}"' in str(launch._last_compiled[1].ir)
