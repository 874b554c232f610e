# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels: the state of a trace, `@kernel`, and how one becomes a `gpu.func`."""
from __future__ import annotations

import contextlib
import functools
import inspect
import threading
from typing import Any, Optional

from . import callables as _callables
from .locations import warn
from .protocol import construct_from_ir_values, extract_to_ir_values

__all__ = [
    "CompilationContext", "KernelFunction", "KernelLauncher", "kernel", "create_gpu_module", "create_gpu_func",
    "get_gpu_module_body"
]

_local = threading.local()


class _Hints:
    """On the class the context manager `compile_hints({...})`; on an object its own hints."""

    def __get__(self, context, owner=None):
        return _hint_scope if context is None else context._compile_hints


@contextlib.contextmanager
def _hint_scope(hints: dict):
    """Compile hints for every compilation of this thread inside the `with`; inner ones win."""
    if not isinstance(hints, dict):
        raise TypeError(f"compile_hints expects a dict, got {type(hints).__name__}")
    before = thread_hints()
    _local.hints = {**before, **{k: v for k, v in hints.items() if v is not None}}
    try:
        yield
    finally:
        _local.hints = before


def thread_hints() -> dict:
    """The hints of the enclosing `CompilationContext.compile_hints` of this thread."""
    return getattr(_local, "hints", None) or {}


class CompilationContext:
    """A running trace: the module that it fills and what it is compiled for.

    target: the GPUTarget. module: the ir.Module. gpu_module: the gpu.module op.
    func: the host function's op. compile_hints: the hints in force.
    """

    compile_hints = _Hints()

    def __init__(self, target, module, gpu_module, compile_hints: Optional[dict] = None, func=None):
        self.target = target
        self.module = module
        self.gpu_module = gpu_module
        self.func = func
        self._compile_hints = dict(compile_hints or {})
        self.streams: list = []
        self.kernel_count = 0
        self.names: set = set()
        self.launches: list = []

    @classmethod
    def get_current(cls) -> Optional["CompilationContext"]:
        """The trace that this thread runs, or None."""
        stack = getattr(_local, "contexts", None)
        return stack[-1] if stack else None

    @classmethod
    @contextlib.contextmanager
    def create(cls, target=None, module=None, gpu_module=None, compile_hints: Optional[dict] = None, func=None):
        """Makes a trace current. Without a module it makes one in the current MLIR context."""
        from .backends import current_target
        from .._mlir import ir
        if target is None:
            target = current_target()
        if module is None:
            module = ir.Module.create(ir.Location.unknown())
            module.operation.attributes["gpu.container_module"] = ir.UnitAttr.get()
        if gpu_module is None:
            with ir.InsertionPoint(module.body):
                gpu_module = create_gpu_module("kernels")
        context = cls(target, module, gpu_module, compile_hints, func)
        with context.entered():
            yield context

    @contextlib.contextmanager
    def entered(self):
        """Makes this trace the thread's current one."""
        if not hasattr(_local, "contexts"):
            _local.contexts = []
        _local.contexts.append(self)
        try:
            yield self
        finally:
            _local.contexts.pop()

    def unique_name(self, name: str, explicit: bool) -> str:
        """The symbol of the next kernel: an explicit name as it is, if it is free, else with a number."""
        number = self.kernel_count
        self.kernel_count += 1
        symbol = name if explicit and name not in self.names else f"{name}_{number}"
        while symbol in self.names:
            number += 1
            symbol = f"{name}_{number}"
        self.names.add(symbol)
        return symbol


class KernelTrace:
    """A kernel while its body is traced.

    name: its symbol. gpu_func: the gpu.func op. known_block_size: lanes as
    (x, y, z), or None if they are not static. shared_allocator: set by the first
    SharedAllocator of the kernel.
    """

    def __init__(self, name: str, gpu_func, known_block_size, function):
        self.name = name
        self.gpu_func = gpu_func
        self.known_block_size = known_block_size
        self.function = function
        self.shared_allocator = None


def current_kernel() -> Optional[KernelTrace]:
    """The kernel that this thread traces, or None."""
    return getattr(_local, "kernel", None)


def create_gpu_module(sym_name: str = "kernels", targets: Optional[list] = None, *, loc=None, ip=None):
    """An empty gpu.module with the target attributes `targets` at the insertion point; returns the op."""
    from .._mlir import ir
    attributes = {"sym_name": ir.StringAttr.get(sym_name)}
    if targets:
        attributes["targets"] = ir.ArrayAttr.get([ir.Attribute.parse(t) if isinstance(t, str) else t for t in targets])
    op = ir.Operation.create("gpu.module", attributes=attributes, regions=1, loc=loc, ip=ip)
    op.regions[0].blocks.append()
    return op


def get_gpu_module_body(gpu_module):
    """The block that holds the functions of a gpu.module."""
    return gpu_module.operation.regions[0].blocks[0]


def create_gpu_func(sym_name: str, function_type, *, known_block_size=None, emit_kernel: bool = True, loc=None,
                    ip=None):
    """A gpu.func with an empty entry block; returns the op. `function_type` is a FunctionType or a list of types."""
    from .._mlir import ir
    if not isinstance(function_type, ir.Type):
        function_type = ir.FunctionType.get(list(function_type), [])
    attributes = {"sym_name": ir.StringAttr.get(sym_name), "function_type": ir.TypeAttr.get(function_type)}
    if emit_kernel:
        attributes["gpu.kernel"] = ir.UnitAttr.get()
    if known_block_size is not None:
        attributes["known_block_size"] = ir.DenseI32ArrayAttr.get(list(known_block_size))
    op = ir.Operation.create("gpu.func", attributes=attributes, regions=1, loc=loc, ip=ip)
    inputs = function_type.inputs
    locations = [loc] * len(inputs) if loc is not None else None
    op.regions[0].blocks.append(*inputs, arg_locs=locations)
    return op


def _check_block_size(size: Any) -> tuple:
    if isinstance(size, (str, bytes)) or not hasattr(size, "__len__") or not hasattr(size, "__getitem__"):
        raise TypeError(f"known_block_size must be a sequence of 3 ints, got {type(size).__name__}")
    if len(size) != 3:
        raise ValueError(f"known_block_size must have exactly 3 elements (x, y, z), got {len(size)}")
    for axis, number in zip("xyz", size):
        if isinstance(number, bool) or not isinstance(number, int):
            raise TypeError(f"known_block_size element {axis} must be int, got {type(number).__name__}")
        if number <= 0:
            raise ValueError(f"known_block_size element {axis} must be positive, got {number}")
    return tuple(size)


def rewritten(func):
    """`func` with its control flow turned into calls that can also emit IR."""
    from .ast_rewriter import ASTRewriter
    from .diagnostics import hide_package, install_excepthook
    install_excepthook()
    try:
        return ASTRewriter.transform(func)
    except Exception as error:
        hide_package(error)
        raise


def _is_size(value, annotation) -> bool:
    """True for an integer leaf such as `x.shape[0]`, which counts as a number, where an integer of its width is expected."""
    from ..expr import content
    from ..expr.layout import IntTuple
    from ..expr.numeric import NumericMeta

    if not isinstance(value, IntTuple) or not isinstance(annotation, NumericMeta) or not annotation.is_integer:
        return False
    leaf = value.tree
    return type(leaf) is int or isinstance(leaf, content.Dynamic) and leaf.width == annotation.width


class KernelFunction:
    """A function that becomes a kernel; what `@kernel` makes."""

    def __init__(self, func, name: Optional[str] = None, known_block_size=None, is_method: bool = False):
        self._is_method = is_method
        if name is not None and not isinstance(name, str):
            raise TypeError(f"@kernel: name must be a str, got {type(name).__name__}")
        self.name = name
        self.known_block_size = None if known_block_size is None else _check_block_size(known_block_size)
        self.original = func
        self._mismatches: set = set()
        self.func = rewritten(func)
        functools.update_wrapper(self, func)

    @classmethod
    def get_current(cls) -> Optional[KernelTrace]:
        """The kernel that is being traced, or None."""
        return current_kernel()

    @functools.cached_property
    def parameters(self) -> "_callables.Parameters":
        """The parameters with their resolved annotations."""
        return _callables.Parameters(self.func, "@kernel", self._is_method)

    @functools.cached_property
    def as_method(self) -> "KernelFunction":
        """The same kernel with the first parameter as the object that it is bound to, whatever its name."""
        return KernelFunction(self.original, self.name, self.known_block_size, is_method=True)

    def warn_mismatch(self, parameter, value) -> None:
        """Warns, once for a parameter, if a traced value is of another class than the annotation says."""
        annotation = parameter.annotation
        if (parameter.name in self._mismatches or not isinstance(annotation, type)
                or not hasattr(annotation, "__construct_from_ir_values__") or isinstance(value, annotation)
                or not hasattr(type(value), "__construct_from_ir_values__") or _is_size(value, annotation)):
            return
        self._mismatches.add(parameter.name)
        warn(f"@kernel {self.__name__}: parameter '{parameter.name}' is annotated {annotation.__name__}, but "
                      f"a {type(value).__name__} is passed. The annotation is not enforced; the actual value type is "
                      "used.", func=self.func)

    def __get__(self, instance, owner=None):
        method = None if instance is None else _callables.as_bound(self)
        return self if method is None else _BoundKernel(method, instance)

    def __reduce__(self) -> str:
        """Pickled by its name, as functions are; a copy is the kernel itself."""
        return self.__qualname__

    def __repr__(self) -> str:
        return f"<kernel {self.__qualname__}>"

    def __call__(self, *args, unit_attrs=None, value_attrs=None, **kwargs) -> "KernelLauncher":
        """Binds the arguments; the kernel is emitted by `.launch()`.

        unit_attrs: names of unit attributes of the gpu.func. value_attrs: its
        other attributes, by name: bool, int (i32), str, list, dict or Attribute;
        None is skipped. RuntimeError outside of a trace.
        """
        context = CompilationContext.get_current()
        if context is None:
            raise RuntimeError("@kernel can only be called inside @jit function")
        if current_kernel() is not None:
            raise RuntimeError(f"@kernel {self.__name__} is called inside the kernel {current_kernel().name}; "
                               "a kernel can only be launched from a @jit function")
        method = _callables.as_called(self, args)
        if method is not self:
            return method(*args, unit_attrs=unit_attrs, value_attrs=value_attrs, **kwargs)
        bound = self.parameters.bind(args, kwargs, self.__name__)
        from .launch import KernelLauncher as Launcher
        return Launcher(self, bound, context, unit_attrs, value_attrs)


class _BoundKernel:
    """A kernel that is a method, bound to its object."""

    def __init__(self, kernel: KernelFunction, instance):
        self.kernel, self.instance = kernel, instance

    def __call__(self, *args, **kwargs):
        return self.kernel(self.instance, *args, **kwargs)

    def __reduce__(self) -> tuple:
        """Pickled as the attribute of its object."""
        return getattr, (self.instance, self.kernel.__name__)

    def __getattr__(self, name):
        return getattr(self.kernel, name)


def kernel(func=None, *, name: Optional[str] = None, known_block_size=None):
    """Makes a function a kernel; usable as `@kernel` and `@kernel(...)`.

    name: the kernel's symbol in place of `<function>_<number>`. known_block_size:
    lanes of a workgroup as three positive ints (x, y, z); without it a launch
    with a static block gives them.
    """
    if func is None:
        return lambda f: kernel(f, name=name, known_block_size=known_block_size)
    if not inspect.isfunction(func):
        raise TypeError(f"@kernel expects a function, got {type(func).__name__}{_callables.decorator_hint(func, '@kernel')}")
    return KernelFunction(func, name, known_block_size)


def emit_kernel(context: CompilationContext, function: KernelFunction, bound: dict, block, unit_attrs, value_attrs):
    """Traces `function` into the gpu.module and returns its KernelTrace.

    `bound` maps parameter names to values; `block` is the static block or None.
    """
    from .._mlir import ir
    from .diagnostics import trace_boundary
    from .hints import to_attribute
    from . import locations
    place = locations.of_function(function.original)
    name = context.unique_name(function.name or function.__name__, function.name is not None)
    flat, slots = [], []
    for parameter in function.parameters:
        value = bound[parameter.name]
        if parameter.is_static:
            slots.append((parameter, value, None))
            continue
        function.warn_mismatch(parameter, value)
        values = kernel_argument_values(function, parameter, value)
        slots.append((parameter, value, (len(flat), len(values))))
        flat.extend(values)
    outer = context.outer_location()
    with ir.InsertionPoint(get_gpu_module_body(context.gpu_module)):
        gpu_func = create_gpu_func(name, [v.type for v in flat], known_block_size=block, loc=place)
    for attribute in unit_attrs or ():
        gpu_func.attributes[attribute] = ir.UnitAttr.get()
    for attribute, value in (value_attrs or {}).items():
        if value is not None:
            gpu_func.attributes[attribute] = to_attribute(value, f"value_attrs['{attribute}']")
    entry = gpu_func.regions[0].blocks[0]
    arguments = list(entry.arguments)
    call = []
    for parameter, value, span in slots:
        if span is not None:
            value = construct_from_ir_values(type(value), value, arguments[span[0]:span[0] + span[1]])
        call.append((parameter, value))
    trace = KernelTrace(name, gpu_func, block or function.known_block_size, function)
    _local.kernel = trace
    try:
        with ir.InsertionPoint(entry), trace_boundary(function.original):
            args, kwargs = function.parameters.call_arguments(call)
            function.func(*args, **kwargs)
            ir.Operation.create("gpu.return", loc=place)
    finally:
        _local.kernel = None
    context.trimmer(outer).trim_operations(gpu_func)
    return trace


def kernel_argument_values(function: KernelFunction, parameter, value) -> list:
    """The IR values of a kernel argument. TypeError that names the parameter if it has none."""
    try:
        return extract_to_ir_values(value)
    except TypeError as error:
        hint = ""
        if isinstance(value, (bool, int, float)):
            fx_name = "Boolean" if isinstance(value, bool) else "Int32" if isinstance(value, int) else "Float32"
            hint = (f"; pass fx.{fx_name}({value!r}) for a run-time argument, or annotate the parameter "
                    f"fx.Constexpr[{type(value).__name__}]")
        raise TypeError(f"Cannot derive IR types from {value!r}: {error} (argument '{parameter.name}' of kernel "
                        f"'{function.__name__}'{hint})") from None


def __getattr__(name):
    if name == "KernelLauncher":
        from .launch import KernelLauncher as Launcher
        return Launcher
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
