# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel to trace into without the compiler's driver."""

import contextlib
from types import SimpleNamespace

from flydsl._mlir import ir
from flydsl._mlir.dialects import func, gpu


class Traced:
    """The module of a trace and the values of its kernel's arguments."""

    def __init__(self, module, arguments, kernel, target):
        self.module = module
        self.arguments = arguments
        self.kernel = kernel
        self.target = target

    @property
    def text(self):
        """The module's text; it must be valid."""
        assert self.module.operation.verify()
        return str(self.module)


@contextlib.contextmanager
def tracing(arch="gfx942", *types, monkeypatch=None, block=(256, 1, 1)):
    """Inside, operations go to a function with arguments of the given types (texts); the chip is `arch`."""
    from flydsl.compiler import kernel_function

    with ir.Context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            container = gpu.GPUModuleOp("kernels")
            container.bodyRegion.blocks.append()
        with ir.InsertionPoint(container.bodyRegion.blocks[0]):
            kinds = [ir.Type.parse(text) for text in types]
            function = func.FuncOp("f", ir.FunctionType.get(kinds, []))
            entry = function.add_entry_block()
        kernel = SimpleNamespace(name="f", known_block_size=block, shared_allocator=None, gpu_func=function)
        context = SimpleNamespace(target=SimpleNamespace(backend="rocm", arch=arch, warp_size=None), gpu_module=container, module=module)
        old = kernel_function.CompilationContext.get_current, kernel_function.KernelFunction.get_current
        kernel_function.CompilationContext.get_current = staticmethod(lambda: context)
        kernel_function.KernelFunction.get_current = staticmethod(lambda: kernel)
        try:
            with ir.InsertionPoint(entry):
                yield Traced(module, list(entry.arguments), kernel, context.target)
                func.ReturnOp([])
        finally:
            kernel_function.CompilationContext.get_current, kernel_function.KernelFunction.get_current = old
