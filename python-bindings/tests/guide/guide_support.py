# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the guide takes from torch (arrays that are reached by DLPack alone, a stream), and kernels to trace into."""
import contextlib
from types import SimpleNamespace

import numpy as np
import pytest


class FakeTensor:
    """An array that offers `__dlpack__` and nothing else of NumPy's interface."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()

    def numpy(self):
        return self._array


class FakeTorch:
    """The functions of torch in the guide's fragments; `device` is always the host."""

    float32, float16, int32 = np.float32, np.float16, np.int32

    class cuda:

        class Stream:
            cuda_stream = 0

    def __init__(self, seed=1):
        self._random = np.random.default_rng(seed)

    def randn(self, *shape, device=None, dtype=np.float32):
        return FakeTensor(self._random.standard_normal(shape).astype(dtype))

    def empty(self, *shape, device=None, dtype=np.float32):
        return FakeTensor(np.full(shape, -99, dtype))


class InKernel:
    """What `in_kernel` yields: the values of the kernel's arguments, and afterwards the text of the module."""
    arguments: list
    text: str = ""


@contextlib.contextmanager
def in_kernel(arch, *types):
    """The body runs in a kernel of `arch` whose arguments have the given IR types (texts); the module must be valid."""
    from flydsl._mlir import ir
    from flydsl.compiler import kernel_function
    made = InKernel()
    arguments = ", ".join(f"%a{number}: {text}" for number, text in enumerate(types))
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse("module attributes {gpu.container_module} { gpu.module @kernels { "
                                 f"gpu.func @f({arguments}) kernel {{ gpu.return }} }} }}")
        container = module.body.operations[0]
        function = container.regions[0].blocks[0].operations[0]
        entry = function.regions[0].blocks[0]
        kernel = SimpleNamespace(name="f", known_block_size=(64, 1, 1), shared_allocator=None, gpu_func=function)
        context = SimpleNamespace(target=SimpleNamespace(backend="rocm", arch=arch, warp_size=None),
                                  gpu_module=container, module=module)
        made.arguments = list(entry.arguments)
        with pytest.MonkeyPatch.context() as patch, ir.InsertionPoint(entry.operations[0]):
            patch.setattr(kernel_function.CompilationContext, "get_current", staticmethod(lambda: context))
            patch.setattr(kernel_function.KernelFunction, "get_current", staticmethod(lambda: kernel))
            yield made
        assert module.operation.verify()
        made.text = str(module)


def isa(launch, kind="isa", **options):
    """The assembly of the kernels that a launcher has traced last, or their "llvm-ir"."""
    from flydsl._mlir import ir
    from flydsl._mlir._mlir_libs import _flyNative
    artifact = launch._last_compiled[1]
    with ir.Context():
        module = ir.Module.parse(artifact.source_ir)
        for _, text in _flyNative.pipeline_stages("fly-to-binary", {"chip": artifact.arch, **options})[:-1]:
            _flyNative.run_stage(module, text)
        return _flyNative.translate(module, kind)
