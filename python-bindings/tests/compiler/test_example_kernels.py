# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of examples/kernels run unmodified and give NumPy's results."""
import importlib.util
import os

import numpy as np
import pytest

import flydsl.compiler as flyc
from flydsl.runtime.device import get_warp_size

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", ".."))
FOLDERS = [os.environ.get("FLY_KERNELS", ""), os.path.join(ROOT, "examples", "kernels")]


def load(name):
    for folder in FOLDERS:
        path = os.path.join(folder, f"{name}.py")
        if folder and os.path.exists(path):
            spec = importlib.util.spec_from_file_location(f"example_{name}", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    raise FileNotFoundError(f"{name}.py is in none of {FOLDERS}")


def launcher(module, name, chip):
    if name == "softmax":
        return module.build(get_warp_size(chip))
    # The fixture's text can do more, by way of pytest, whose state a snapshot cannot compare.
    return module.build(str(chip)) if name == "gemm" else getattr(module, name)


TOLERANCES = {"vector_add": {}, "transpose": {}, "softmax": dict(rtol=2e-6, atol=1e-7), "gemm": dict(rtol=1e-3, atol=1e-3)}
# The tiles of gemm need static sizes.
LAYOUTS = [(name, dynamic) for name in TOLERANCES for dynamic in (False, True) if (name, dynamic) != ("gemm", True)]


@pytest.mark.parametrize("name, dynamic", LAYOUTS)
def test_on_the_cpu(name, dynamic, every_chip):
    # User report 92.
    module = load(name)
    args = module.arguments()
    wrapped = [flyc.from_dlpack(x) if isinstance(x, np.ndarray) else x for x in args]
    if dynamic:
        wrapped = [x.mark_layout_dynamic() if hasattr(x, "mark_layout_dynamic") else x for x in wrapped]
    launcher(module, name, every_chip)(*wrapped)
    for index, want in module.expected(*args).items():
        np.testing.assert_allclose(args[index], want, **TOLERANCES[name])


@pytest.mark.parametrize("name", ["vector_add", "transpose", "softmax", "gemm"])
def test_to_code(name, every_chip, compile_only):
    module = load(name)
    run = launcher(module, name, every_chip)
    run(*(flyc.from_dlpack(x) if isinstance(x, np.ndarray) else x for x in module.arguments()))
    assert run._last_compiled[1].device == "hip"


@pytest.mark.parametrize("name", ["vector_add", "transpose", "softmax", "gemm"])
def test_main(name, every_chip, capsys):
    load(name).main()
    assert capsys.readouterr().out == f"{name}: ok\n"


@pytest.mark.parametrize("n", [1, 4, 1023, 1024, 1025, 5000])
def test_vector_add_tails(n, chip):
    module = load("vector_add")
    a, b, c, _ = module.arguments(n)
    module.vector_add(a, b, c, n)
    np.testing.assert_array_equal(c, a + b)


@pytest.mark.parametrize("name", ["vector_add", "transpose", "softmax", "gemm"])
def test_second_call_does_not_trace(name, chip):
    module = load(name)
    args = [flyc.from_dlpack(x) if isinstance(x, np.ndarray) else x for x in module.arguments()]
    run = launcher(module, name, chip)
    run(*args)
    run(*args)
    assert run.cache_info()[:2] == (1, 1)
