# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a launcher's Python code once and keeps the module that it makes."""
from __future__ import annotations

import contextlib
import threading
from typing import Any

from ..utils import env
from . import locations
from .diagnostics import compile_error, trace_boundary
from .kernel_function import CompilationContext, create_gpu_module
from .protocol import construct_from_ir_values

# The binding's switch for places of operations belongs to the process.
_lock = threading.RLock()
_local = threading.local()
# Types stay in their context for good; a new context now and then bounds the memory.
_TRACES_PER_CONTEXT = 200


def _mlir_context():
    """This thread's MLIR context."""
    from .._mlir import ir
    count = getattr(_local, "count", 0)
    if getattr(_local, "context", None) is None or count >= _TRACES_PER_CONTEXT:
        _local.context, count = ir.Context(), 0
    _local.count = count + 1
    return _local.context


@contextlib.contextmanager
def type_context():
    """A current MLIR context, so that IR types can be made: the caller's, else this thread's."""
    from .._mlir import ir
    if ir.Context.current is not None:
        yield
        return
    if getattr(_local, "context", None) is None:
        _local.context = ir.Context()
    with _local.context, ir.Location.unknown():
        yield


class TracedModule:
    """The result of a trace.

    module: the ir.Module. entry: the symbol of the host function. arguments:
    `(name, carrier or None)` for each parameter, None for what is fixed at compile
    time. extra_streams: how many default streams follow the parameters.
    """

    def __init__(self, module, entry: str, arguments: list, extra_streams: int, kernels: list, launches: list):
        self.module, self.entry, self.arguments = module, entry, arguments
        self.extra_streams, self.kernels, self.launches = extra_streams, kernels, launches

    def copy(self):
        """A copy of the module, for the passes.

        Values that the user's code has kept point into the traced module, which
        therefore stays as it is for as long as there are any.
        """
        from .._mlir import ir
        operation = self.module.operation
        with self.module.context:
            copied = ir.Module.create(operation.location)
            for name in operation.attributes:
                copied.operation.attributes[name] = operation.attributes[name]
            point = ir.InsertionPoint(copied.body)
            for op in self.module.body.operations:
                op.operation.clone(ip=point)
        return copied

    def text(self, with_places: bool) -> str:
        """The module as text, which is what compiled code depends on."""
        return self.module.operation.get_asm(enable_debug_info=with_places)


class _LauncherContext(CompilationContext):
    """The trace of a launcher: knows its host function and its streams."""

    def __init__(self, target, module, gpu_module, hints: dict, func, has_stream: bool):
        super().__init__(target, module, gpu_module, hints, func)
        self.entry_block = func.regions[0].blocks[0]
        self.extra_streams = 0
        self._default = None
        if not has_stream:
            self.default_stream()

    def default_stream(self):
        """The token of the device's default stream: a parameter behind all others."""
        if self._default is None:
            from .._mlir import ir
            token = ir.Type.parse("!gpu.async.token")
            self._default = self.entry_block.add_argument(token, self.func.location)
            self.extra_streams = 1
        return self._default

    def outer_location(self):
        """What lies outside of an operation that is made here: the places of the frames below."""
        from .._mlir import ir
        return ir.Module.create().operation.location

    def trimmer(self, outer) -> locations.Trimmer:
        """What cuts `outer` off places."""
        return locations.Trimmer(outer, env.debug.max_loc_depth)


def trace(jit, bound: list, target, hints: dict) -> TracedModule:
    """Traces the JitFunction `jit`.

    bound: `(parameter, value, carrier, dsl_type)` for each parameter; carrier and
    dsl_type are None for what is fixed at compile time.
    """
    with _lock, _mlir_context() as context, contextlib.ExitStack() as stack:
        from .._mlir import ir
        from ..expr import meta
        place = locations.of_function(jit.original, context)
        stack.enter_context(ir.Location.unknown(context))
        stack.enter_context(locations.tracking())
        module = ir.Module.create(place)
        module.operation.attributes["gpu.container_module"] = ir.UnitAttr.get()
        stack.enter_context(meta.trace_root(module))
        with ir.InsertionPoint(module.body):
            gpu_module = create_gpu_module("kernels", loc=place)
            types, spans = [], []
            for parameter, _, carrier, _ in bound:
                if carrier is None:
                    spans.append(None)
                    continue
                own = _ir_types(parameter.name, carrier)
                spans.append((len(types), len(types) + len(own)))
                types.extend(own)
            func = _host_function(jit.__name__, types, place)
        block = func.regions[0].blocks[0]
        has_stream = any(getattr(carrier, "_is_stream_param", False) for _, _, carrier, _ in bound)
        tracing = _LauncherContext(target, module, gpu_module, hints, func, has_stream)
        values = list(block.arguments)
        pairs = []
        for (parameter, value, carrier, dsl_type), span in zip(bound, spans):
            if carrier is not None:
                inner = [v.maybe_downcast() for v in values[span[0]:span[1]]]
                value = construct_from_ir_values(dsl_type, carrier, inner)
            pairs.append((parameter, value))
        outer = tracing.outer_location()
        with tracing.entered(), ir.InsertionPoint(block), trace_boundary(jit.original), _ambient(hints):
            args, kwargs = jit.parameters.call_arguments(pairs)
            jit.func(*args, **kwargs)
            ir.Operation.create("func.return", loc=place)
        types = [argument.type for argument in block.arguments]
        func.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, []))
        tracing.trimmer(outer).trim_operations(func)
        try:
            module.operation.verify()
        except ir.MLIRError as error:
            raise compile_error(error, "") from None
        arguments = [(parameter.name, carrier) for parameter, _, carrier, _ in bound]
        return TracedModule(module, jit.__name__, arguments, tracing.extra_streams, sorted(tracing.names),
                            tracing.launches)


@contextlib.contextmanager
def _ambient(hints: dict):
    """The fast-math flags that the hints ask for, around the trace."""
    from .hints import fast_math
    flags = fast_math(hints)
    if flags is None:
        yield
        return
    from ..expr import meta
    with meta.fastmath(flags):
        yield


def _ir_types(name: str, carrier: Any) -> list:
    from .._mlir import ir
    try:
        return list(carrier.__get_ir_types__())
    except AttributeError:
        # A numeric class says its type itself.
        return [type(carrier).ir_type]
    except ir.MLIRError as error:
        raise TypeError(f"argument '{name}': {error}") from None


def _host_function(name: str, types: list, place):
    from .._mlir import ir
    func = ir.Operation.create(
        "func.func", regions=1, loc=place, attributes={
            "sym_name": ir.StringAttr.get(name),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, [])),
            "llvm.emit_c_interface": ir.UnitAttr.get(),
        })
    func.regions[0].blocks.append(*types, arg_locs=[place] * len(types))
    return func
