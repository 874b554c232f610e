# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel authoring guide, sections 9 to 13: caching, debugging, the preshuffle GEMM, the files that it names."""
import importlib
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.runtime.device import known_chips

HERE = pathlib.Path(__file__).resolve().parent

SCRIPT = """
import numpy as np
import flydsl.compiler as flyc
import flydsl.expr as fx

FACTOR = {factor}


@flyc.kernel
def scale_kernel(data: fx.Tensor, n: fx.Int32):
    i = fx.block_idx.x * 64 + fx.thread_idx.x
    if i < n:
        data[i] = data[i] * FACTOR


@flyc.jit
def scale(data: fx.Tensor, n: fx.Int32):
    scale_kernel(data, n).launch(grid=(n + 63) // 64, block=64)


data = np.ones(100, np.float32)
print(scale(data, 100), data[-1], scale.cache_info().disk_size, len(scale._last_compiled[1].kernels))
"""


def run(folder, factor=2.0, **variables):
    """Runs the script in a process of its own; its output and errors."""
    script = folder / "my_script.py"
    script.write_text(SCRIPT.format(factor=factor))
    environment = {**os.environ, "FLYDSL_GPU_ARCH": "gfx942", **variables}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


# 9

def test_9_1_and_9_2_caches(tmp_path, cache_dir):
    assert run(tmp_path)[0].split() == ["None", "2.0", "1", "1"]
    files = {path.name for path in cache_dir.rglob("*") if path.is_file()}
    # The second process finds the file, and a change of the source is another one.
    assert run(tmp_path)[0].split() == ["None", "2.0", "1", "1"]
    assert {path.name for path in cache_dir.rglob("*") if path.is_file()} == files
    assert run(tmp_path, factor=3.0)[0].split() == ["None", "3.0", "2", "1"]
    assert run(tmp_path, FLYDSL_GPU_ARCH="gfx1201")[0].split() == ["None", "2.0", "3", "1"]


def test_9_3_switching_the_disk_cache_off(tmp_path, cache_dir):
    assert run(tmp_path, FLYDSL_RUNTIME_ENABLE_CACHE="0")[0].split() == ["None", "2.0", "0", "1"]
    assert not cache_dir.exists()


def test_9_4_compile_only(tmp_path, cache_dir):
    assert run(tmp_path, COMPILE_ONLY="1")[0].split() == ["None", "1.0", "1", "1"]
    assert run(tmp_path, COMPILE_ONLY="1", FLYDSL_DEVICE="hip")[0].split() == ["None", "1.0", "2", "1"]


# 10

def test_10_1_dumping_ir(tmp_path):
    out, _ = run(tmp_path, FLYDSL_DUMP_IR="1", FLYDSL_DUMP_DIR=str(tmp_path / "my_dumps"), FLYDSL_DEVICE="hip",
                 COMPILE_ONLY="1")
    names = sorted(os.listdir(tmp_path / "my_dumps" / "scale_kernel_0"))
    assert names[0] == "00_origin.mlir" and names[-2].endswith("_llvm_ir.ll") and names[-1].endswith("_final_isa.s")
    assert out.count("[flydsl.compile] dump ") == len(names)


def test_10_2_printing_ir(chip, capsys):

    @flyc.kernel
    def kernel(data: fx.Tensor):
        data[fx.thread_idx.x] = 1.0

    @flyc.jit
    def launch(data: fx.Tensor):
        kernel(data).launch(grid=1, block=64)

    data = np.zeros(64, np.float32)
    assert launch(data) is None
    compiled_func = flyc.compile(launch, data)
    for view in (compiled_func, launch._last_compiled[1]):
        view.print_ir()                 # compiled MLIR IR
        assert "gpu.binary" in capsys.readouterr().out
        view.print_ir(compiled=False)   # original IR before passes
        assert "fly.memref.store" in capsys.readouterr().out
        assert view.dump() == view.ir and view.dump(compiled=False) == view.source_ir
    assert isinstance(launch._last_compiled[1], flyc.JITCFunction)


def test_10_3_ast_diff(tmp_path):
    _, errors = run(tmp_path, FLYDSL_DEBUG_AST_DIFF="1")
    lines = errors.splitlines()
    assert any(line.startswith("-") and "if i < n:" in line for line in lines)
    assert any(line.startswith("+") and "scf_if" in line for line in lines)


# 11

sys.path.append(str(HERE.parents[1]))


@pytest.mark.parametrize("epilogue", ["none", "bias", "bias_relu", "bias_silu", "bias_gelu"])
def test_11_preshuffle_gemm(chip, epilogue):
    from kernels.gemm.preshuffle_gemm import compile_preshuffle_gemm, reference, shuffle_b
    N, K = 64, 64
    launch_fn = compile_preshuffle_gemm(N=N, K=K, tile_m=32, tile_n=64, tile_k=64, in_dtype="f16", out_dtype="f16",
                                        epilogue=epilogue, lds_stage=2)
    rng, one = np.random.default_rng(1), np.ones(1, np.float32)
    # M is an argument of the call: one kernel serves any.
    for m in (5, 40):
        a, b, bias = (rng.standard_normal(shape).astype(np.float16) for shape in ((m, K), (N, K), (N, )))
        c = np.zeros((m, N), np.float16)
        launch_fn(c, a, shuffle_b(b), one, one, bias, m, N)
        np.testing.assert_allclose(c.astype(np.float64), reference(a, b, bias, epilogue), rtol=2e-3, atol=2e-2)
    assert launch_fn.cache_info().misses == 1


def test_11_indices_unpack_and_tiled_atoms_are_kernel_arguments(chip):
    seen = []

    @flyc.kernel
    def kernel_gemm(arg_c: fx.Tensor, i32_m: fx.Int32, tiled_mma_arg: fx.TiledMma, tiled_copy_g2s: fx.TiledCopy):
        tid = fx.thread_idx.x
        bid_x, bid_y, _ = fx.block_idx
        seen.append((type(tiled_mma_arg), str(tiled_mma_arg.tile_size_mnk.to_py_value()), type(tiled_copy_g2s)))
        gC = fx.rocdl.make_buffer_tensor(arg_c, num_records_bytes=i32_m * 4)
        gC[tid] = bid_x * 10 + bid_y

    @flyc.jit
    def launch_fn(arg_c: fx.Tensor, M_val: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        tiled_mma = fx.make_tiled_mma(fx.make_mma_atom(fx.rocdl.MFMA(16, 16, 16, fx.Float16)),
                                      fx.make_layout((2, 2, 1), (1, 2, 0)))
        tiled_copy = fx.make_tiled_copy_tv(fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float16),
                                           fx.make_layout((32, 8), (8, 1)), fx.make_layout((1, 8), (8, 1)))
        kernel_gemm(arg_c, M_val, tiled_mma, tiled_copy).launch(grid=(1, 1), block=(256, ), stream=stream)

    c = np.full(256, -1, np.int32)
    launch_fn(c, 100)
    # What lies beyond the buffer's size is not written.
    np.testing.assert_array_equal(c, np.where(np.arange(256) < 100, 0, -1))
    assert seen == [(fx.TiledMma, "(32, 32, 16)", fx.TiledCopy)]


# 12 and 13: what the decision tree and the table of files lead to.

@pytest.mark.parametrize("module, names", [
    ("flydsl.compiler", "jit kernel from_dlpack JitArgumentRegistry JITCFunction"),
    ("flydsl.compiler.jit_function", "jit MlirCompiler JitFunction"),
    ("flydsl.compiler.kernel_function", "kernel KernelFunction KernelLauncher"),
    ("flydsl.compiler.jit_executor", "JITCFunction CompiledArtifact"),
    ("flydsl.compiler.jit_argument", "JitArgumentRegistry TensorAdaptor"),
    ("flydsl.compiler.ast_rewriter", "ASTRewriter"),
    ("flydsl.expr.typing", "T Types Tensor Stream Constexpr Vector"),
    ("flydsl.expr.arith", "addf mulf maximumf cmpi constant"),
    ("flydsl.expr.gpu", "SharedAllocator thread_id barrier"),
    ("flydsl.expr.rocdl", "MFMA WMMA make_buffer_tensor cluster tdm_ops"),
    ("flydsl.expr.primitive", "make_shape crd2idx"),
    ("flydsl.expr.buffer_ops", "buffer_load buffer_store create_buffer_resource"),
    ("flydsl.utils.smem_allocator", "SmemAllocator SmemPtr"),
    ("kernels.gemm.preshuffle_gemm", "compile_preshuffle_gemm"),
    ("kernels.norm.rmsnorm_kernel", "build_rmsnorm"),
    ("kernels.norm.softmax_kernel", "build_softmax"),
    ("kernels.gemm.rdna_f16_gemm", "compile_rdna_f16_gemm"),
])
def test_13_files(chip, module, names):
    found = importlib.import_module(module)
    missing = [name for name in names.split() if not hasattr(found, name)]
    assert not missing


def test_quick_reference():
    names = "gpu.thread_idx gpu.block_idx gpu.block_dim gpu.barrier Constexpr Tensor Stream Int32 Int64 Float32 Index " \
            "range_constexpr buffer_ops.buffer_load"
    for name in names.split():
        value = fx
        for part in name.split("."):
            value = getattr(value, part)
    assert {"gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1250"} <= set(known_chips())
