# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel to trace into without the compiler's driver."""

import contextlib
from types import SimpleNamespace

from flydsl._mlir import ir, passmanager


class Traced:
    """The module of a trace and the values of its kernel's arguments."""

    def __init__(self, module, arguments, kernel, arch):
        self.module = module
        self.arguments = arguments
        self.kernel = kernel
        self.arch = arch

    @property
    def text(self):
        """The module's text; it must be valid."""
        assert self.module.operation.verify()
        return str(self.module)

    def compile(self):
        """Compiles a copy of the module to code of the chip."""
        with self.module.context:
            copy = ir.Module.parse(str(self.module))
            passmanager.PassManager.parse(f"builtin.module(fly-to-binary{{chip={self.arch}}})").run(copy.operation)
        assert "gpu.binary" in str(copy)[:400]


@contextlib.contextmanager
def tracing(arch="gfx942", *types, block=(64, 1, 1), to_binary=False):
    """Inside, operations go to a kernel with arguments of the given types (texts); the chip is `arch`. `to_binary`
    compiles it at the end.
    """
    from flydsl.compiler import kernel_function

    arguments = ", ".join(f"%a{number}: {text}" for number, text in enumerate(types))
    known = "" if block is None else f" attributes {{known_block_size = array<i32: {block[0]}, {block[1]}, {block[2]}>}}"
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse("module attributes {gpu.container_module} {\n gpu.module @kernels {\n"
                                 f"  gpu.func @f({arguments}) kernel{known} {{ gpu.return }}\n }}\n}}")
        container = module.body.operations[0]
        function = container.regions[0].blocks[0].operations[0]
        entry = function.regions[0].blocks[0]
        kernel = SimpleNamespace(name="f", known_block_size=block, shared_allocator=None, gpu_func=function)
        context = SimpleNamespace(target=SimpleNamespace(backend="rocm", arch=arch, warp_size=None), gpu_module=container, module=module)
        old = kernel_function.CompilationContext.get_current, kernel_function.KernelFunction.get_current
        kernel_function.CompilationContext.get_current = staticmethod(lambda: context)
        kernel_function.KernelFunction.get_current = staticmethod(lambda: kernel)
        traced = Traced(module, list(entry.arguments), kernel, arch)
        try:
            with ir.InsertionPoint(entry.operations[0]):
                yield traced
        finally:
            kernel_function.CompilationContext.get_current, kernel_function.KernelFunction.get_current = old
        if to_binary:
            assert module.operation.verify()
            traced.compile()
