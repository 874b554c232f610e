# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`kernel(...).launch(...)`: checks the configuration, emits the kernel and its `gpu.launch_func`."""
from __future__ import annotations

from typing import Any, Optional

from ..expr.chip import chip_has_feature
from .kernel_function import CompilationContext, KernelFunction, emit_kernel, kernel_argument_values
from .parameters import Stream

MAX_BLOCK = 1024
MAX_GRID = (1 << 31) - 1
# The dispatch packet counts the lanes of an axis in 32 bits.
MAX_LANES = (1 << 32) - 1


class KernelLauncher:
    """A kernel with its arguments bound. `launch` puts it into the running @jit function."""

    def __init__(self, kernel: KernelFunction, bound: dict, context: CompilationContext, unit_attrs, value_attrs):
        self.kernel = kernel
        self.bound = bound
        self.context = context
        self.unit_attrs = _check_unit_attrs(unit_attrs, kernel.__name__)
        self.value_attrs = _check_value_attrs(value_attrs, kernel.__name__)
        self._emitted: dict = {}

    def launch(self, *, grid=(1, 1, 1), block=(1, 1, 1), smem=None, stream=None, cluster=None, unit_attrs=None,
               value_attrs=None) -> None:
        """Launches the kernel.

        grid: workgroups, block: lanes of a workgroup, cluster: workgroups of a
        cluster (gfx1250 only); each an int, an integer value of the trace, or a
        tuple of one to three of these, missing axes being 1. smem: bytes of
        dynamic shared memory; None takes what a dynamic SharedAllocator counted.
        stream: an fx.Stream parameter; None is the default stream. unit_attrs and
        value_attrs go on the gpu.launch_func.

        ValueError or TypeError, with kernel and axis, for sizes that no device
        takes: zero or negative, more than 1024 lanes, more than three axes, more
        shared memory than the chip has.
        """
        from .._mlir import ir
        from .hints import to_attribute
        context = CompilationContext.get_current()
        if context is not self.context:
            raise RuntimeError(f"kernel '{self.kernel.__name__}': launch() outside of the @jit function that called it")
        name = self.kernel.__name__
        grid = _Dims("grid", grid, name)
        block = _Dims("block", block, name)
        clusters = None if cluster is None else _Dims("cluster", cluster, name)
        _check_sizes(name, grid, block, clusters, context.target.arch)
        static_block = block.numbers if None not in block.numbers else None
        declared = self.kernel.known_block_size
        if declared is not None:
            for axis, want, got in zip("xyz", declared, block.numbers):
                if got is not None and got != want:
                    raise ValueError(f"kernel '{name}': launch block axis {axis} is {got}, but known_block_size "
                                     f"says {want}")
            static_block = declared
        trace = self._emitted.get(static_block)
        if trace is None:
            trace = emit_kernel(context, self.kernel, self.bound, static_block, self.unit_attrs, self.value_attrs)
            self._emitted[static_block] = trace
        token = self._stream_token(context, stream)
        grid_values, block_values = grid.index_values(), block.index_values()
        cluster_values = [] if clusters is None or clusters.numbers == (1, 1, 1) else clusters.index_values()
        shared = self._shared_memory(trace, smem, context.target.arch)
        operands = [v for parameter in self.kernel.parameters if not parameter.is_static
                    for v in kernel_argument_values(self.kernel, parameter, self.bound[parameter.name])]
        segments = [1] * 7 + [1 if cluster_values else 0] * 3 + [len(shared), len(operands), 0]
        attributes = {
            "kernel": ir.SymbolRefAttr.get(["kernels", trace.name]),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get(segments),
        }
        for attribute in _check_unit_attrs(unit_attrs, name):
            attributes[attribute] = ir.UnitAttr.get()
        for attribute, value in _check_value_attrs(value_attrs, name).items():
            if value is not None:
                attributes[attribute] = to_attribute(value, f"value_attrs['{attribute}']")
        ir.Operation.create("gpu.launch_func", results=[ir.Type.parse("!gpu.async.token")],
                            operands=[token, *grid_values, *block_values, *cluster_values, *shared, *operands],
                            attributes=attributes)
        context.launches.append((trace.name, grid.numbers, block.numbers))

    def _stream_token(self, context: CompilationContext, stream):
        if isinstance(stream, Stream) and not isinstance(stream.value, (int, type(None))):
            stream = stream.value
        if stream is None or (isinstance(stream, Stream) and stream.value is None):
            return context.default_stream()
        from .._mlir import ir
        if not isinstance(stream, ir.Value):
            raise TypeError(f"kernel '{self.kernel.__name__}': launch stream must be a parameter of the @jit function "
                            f"annotated fx.Stream, or None, got {type(stream).__name__} ({stream!r})")
        if str(stream.type) != "!gpu.async.token":
            raise TypeError(f"kernel '{self.kernel.__name__}': launch stream must be of type !gpu.async.token, got "
                            f"{stream.type}")
        return stream

    def _shared_memory(self, trace, smem, arch: str) -> list:
        """The operand with the bytes of dynamic shared memory: none or one value."""
        from .._mlir import ir
        allocator = trace.shared_allocator
        dynamic = allocator is not None and not allocator.is_static
        needed = int(allocator.allocated_bytes) if dynamic else 0
        number, value = _static_or_value(smem, f"kernel '{self.kernel.__name__}': launch smem")
        if smem is None:
            number = needed
        if number is None:
            return [_cast(value, ir.IntegerType.get_signless(32), f"kernel '{self.kernel.__name__}': launch smem")]
        if smem is not None and number < needed:
            raise ValueError(f"launch smem={number} is less than the {needed} bytes allocated by SharedAllocator in "
                             f"kernel '{trace.name}'")
        from ..runtime.device import SMEM_CAPACITY_MAP
        limit = SMEM_CAPACITY_MAP.get(arch)
        if limit is not None and number > limit:
            raise ValueError(f"kernel '{trace.name}': launch smem={number} is more than the {limit} bytes of shared "
                             f"memory that a workgroup of {arch} has")
        if number <= 0:
            return []
        i32 = ir.IntegerType.get_signless(32)
        return [_constant(i32, number)]


class _Dims:
    """Sizes of three axes.

    `numbers` has None where a size is known at run time only; `values` is the other way round.
    """

    def __init__(self, what: str, sizes: Any, kernel: str):
        self.what, self.kernel = what, kernel
        items = tuple(sizes) if isinstance(sizes, (tuple, list)) else (sizes, )
        if not 1 <= len(items) <= 3:
            raise ValueError(f"kernel '{kernel}': launch {what} takes one to three sizes, got {len(items)}: {sizes!r}")
        numbers, values = [], []
        for axis, item in zip("xyz", items):
            number, value = _static_or_value(item, f"kernel '{kernel}': launch {what} axis {axis}")
            if number is None and value is None:
                raise TypeError(f"kernel '{kernel}': launch {what} axis {axis} must be an integer, got None")
            if number is not None and number < 1:
                raise ValueError(f"kernel '{kernel}': launch {what} axis {axis} must be positive, got {number}")
            numbers.append(number)
            values.append(value)
        missing = 3 - len(items)
        self.numbers = tuple(numbers + [1] * missing)
        self.values = values + [None] * missing

    def index_values(self) -> list:
        """The three sizes as `index` values at the insertion point."""
        from .._mlir import ir
        index = ir.IndexType.get()
        return [_constant(index, number) if number is not None else
                _cast(value, index, f"kernel '{self.kernel}': launch {self.what} axis {axis}")
                for axis, number, value in zip("xyz", self.numbers, self.values)]


def _static_or_value(item: Any, what: str):
    """`(number, None)` for what is known now, `(None, value)` for an IR value. TypeError for what is no integer."""
    if item is None or type(item) is int:
        return item, None
    # A DSL number holds either; its static value needs no IR.
    inner = getattr(item, "value", item) if hasattr(type(item), "__extract_to_ir_values__") else item
    if isinstance(inner, (bool, float, str)) or getattr(getattr(inner, "dtype", None), "kind", "") == "b":
        raise TypeError(f"{what} must be an integer, got {type(item).__name__} ({item!r})")
    if isinstance(inner, int):
        return int(inner), None
    from .._mlir import ir
    # A size that is a static int tuple, `t.shape[0]` of a tensor of static layout.
    if isinstance(item, ir.Value) and getattr(item, "is_leaf", False) and getattr(item, "is_static", False):
        return int(item), None
    if isinstance(inner, ir.Value) and not hasattr(type(item), "__extract_to_ir_values__"):
        return None, inner
    if hasattr(type(item), "__extract_to_ir_values__"):
        values = item.__extract_to_ir_values__()
        if len(values) == 1:
            return None, values[0]
    if hasattr(type(item), "__index__") and not isinstance(item, ir.Value):
        return item.__index__(), None
    raise TypeError(f"{what} must be an integer, got {type(item).__name__} ({item!r})")


def _constant(type_, number: int):
    from .._mlir import ir
    return ir.Operation.create("arith.constant", results=[type_],
                               attributes={"value": ir.IntegerAttr.get(type_, number)}).result


def _cast(value, type_, what: str):
    """`value`, an integer or index, as `type_`."""
    from .._mlir import ir
    if value.type == type_:
        return value
    index = ir.IndexType.get()
    if not (isinstance(value.type, ir.IntegerType) or value.type == index):
        scalar = _scalar_of_int_tuple(value)
        if scalar is None:
            raise TypeError(f"{what} must be an integer, got a value of type {value.type}")
        value = scalar
        if value.type == type_:
            return value
    if type_ == index or value.type == index:
        name = "arith.index_cast"
    else:
        name = "arith.extsi" if value.type.width < type_.width else "arith.trunci"
    return ir.Operation.create(name, results=[type_], operands=[value]).result


def _scalar_of_int_tuple(value):
    """The one number of an int tuple value, or None."""
    if not str(value.type).startswith("!fly.int_tuple"):
        return None
    from .. import expr
    scalar = expr.get_scalar(value)
    return scalar.ir_value() if hasattr(scalar, "ir_value") else scalar


def _check_sizes(kernel: str, grid: _Dims, block: _Dims, cluster: Optional[_Dims], arch: str) -> None:
    lanes = 1
    for axis, number in zip("xyz", block.numbers):
        if number is None:
            continue
        if number > MAX_BLOCK:
            raise ValueError(f"kernel '{kernel}': launch block axis {axis} is {number}, more than the {MAX_BLOCK} "
                             "lanes that a workgroup can have")
        lanes *= number
    if lanes > MAX_BLOCK:
        raise ValueError(f"kernel '{kernel}': launch block {block.numbers} has {lanes} lanes, more than the "
                         f"{MAX_BLOCK} that a workgroup can have")
    for axis, groups, threads in zip("xyz", grid.numbers, block.numbers):
        if groups is None:
            continue
        if groups > MAX_GRID:
            raise ValueError(f"kernel '{kernel}': launch grid axis {axis} is {groups}, more than {MAX_GRID} workgroups")
        if threads is not None and groups * threads > MAX_LANES:
            raise ValueError(f"kernel '{kernel}': launch grid axis {axis} is {groups} workgroups of {threads} lanes, "
                             f"more than {MAX_LANES} lanes along an axis")
    if cluster is None or cluster.numbers == (1, 1, 1):
        return
    if not chip_has_feature("clusters", arch):
        raise ValueError(f"kernel '{kernel}': launch cluster {cluster.numbers} needs gfx1250, the target is {arch}")
    for axis, size, groups in zip("xyz", cluster.numbers, grid.numbers):
        if size is not None and groups is not None and groups % size:
            raise ValueError(f"kernel '{kernel}': launch grid axis {axis} is {groups} workgroups, not a multiple of "
                             f"the cluster's {size}")


def _check_unit_attrs(names, kernel: str) -> list:
    if names is None:
        return []
    if isinstance(names, str) or not all(isinstance(n, str) for n in names):
        raise TypeError(f"kernel '{kernel}': unit_attrs must be a list of names, got {names!r}")
    return list(names)


def _check_value_attrs(attributes, kernel: str) -> dict:
    if attributes is None:
        return {}
    if not isinstance(attributes, dict) or not all(isinstance(n, str) for n in attributes):
        raise TypeError(f"kernel '{kernel}': value_attrs must be a dict from names to values, got {attributes!r}")
    return dict(attributes)
