# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of compiled functions.

Most go through the native launcher, which is told once what each argument is
and then reads, checks and passes them in C++. Arguments with code of their own,
claims about divisibility, and arrays that have to be copied to the device take
the same way in Python.
"""
from __future__ import annotations

import ctypes
import functools
from typing import Any, Optional

from . import arrays, host_numbers, pipeline
from .jit_argument import CPointersJitArg, PointerJitArg, is_scalar_class
from .parameters import Stream
from .protocol import c_abi_spec
from .tensor_argument import MemRefJitArg


def has_placeholder(device: str, args: tuple) -> bool:
    """True if an argument only says what kind it has, so that there is nothing to run on."""
    null = live = False
    for arg in args:
        if isinstance(arg, PointerJitArg):
            null |= arg.is_null
            live |= not arg.is_null
        elif is_array(arg):
            if device == "hip" and is_on_host(arg):
                return True
            live = True
    return null and not live


def is_array(arg: Any) -> bool:
    """True for an array or a wrapped one."""
    return isinstance(arg, MemRefJitArg) or arrays.is_numpy(arg) or arrays.is_torch(arg) or hasattr(
        type(arg), "__dlpack__")


def is_on_host(arg: Any) -> bool:
    """True for an array in host memory."""
    if isinstance(arg, MemRefJitArg):
        return arg.on_host
    if arrays.is_numpy(arg):
        return True
    return arrays.describe(arg).on_host


def make_runner(artifact, traced, handle: bool = False):
    """A function of the full argument tuple that runs `artifact`.

    traced.arguments has the carriers of the arguments that it was traced for. With `handle` the
    function has to check every argument, since nothing looks at them before.
    """
    carriers = [c.without_array() if isinstance(c, MemRefJitArg) else c for _, c in traced.arguments]
    names = [name for name, _ in traced.arguments]
    host_arrays = [i for i, c in enumerate(carriers) if isinstance(c, MemRefJitArg)]
    if artifact.device == "cpu":
        for index in host_arrays:
            check_on_host(names[index], carriers[index]._info)
    if artifact.device == "hip" and handle:
        return _refusing_host_arrays(_direct_runner(artifact, traced, names, carriers), names, carriers, host_arrays)
    copies = artifact.device == "hip" or "memory" in pipeline.checks()
    if copies and any(carriers[i].on_host for i in host_arrays):
        return _CopyingRunner(PythonLauncher(artifact, names, carriers, traced.extra_streams), host_arrays)
    return _direct_runner(artifact, traced, names, carriers)


def _direct_runner(artifact, traced, names: list, carriers: list):
    slots = [slot(name, carrier) for name, carrier in zip(names, carriers)]
    if any(s is None for s in slots):
        return PythonLauncher(artifact, names, carriers, traced.extra_streams)
    from ..runtime import native
    extra = traced.extra_streams
    launcher = native.module().Launcher(artifact.executable, artifact.entry, slots + [("stream", )] * extra,
                                   names + ["stream"] * extra)
    rest = (None, ) if extra else ()

    def run(given: tuple) -> None:
        try:
            launcher(*given, *rest)
        except ValueError:
            # DLPack may give an empty array strides that say nothing; they are read with care then.
            if not any(isinstance(c, MemRefJitArg) and _is_empty(a) for c, a in zip(carriers, given)):
                raise
            PythonLauncher(artifact, names, carriers, extra)(given)

    return run


def _is_empty(arg: Any) -> bool:
    return 0 in tuple(getattr(arg, "shape", None) or ())


def slot(name: str, carrier: Any) -> Optional[tuple]:
    """What the native launcher has to know of an argument; None if it cannot pass it.

    Numbers, pointers and streams end with what makes a Python number of other objects.
    """
    if carrier is None:
        return ("skip", )
    if isinstance(carrier, MemRefJitArg):
        if carrier.divisors() or carrier._dtype_option is not None:
            return None
        info = carrier._info
        return ("tensor", info.itemsize, arrays.ELEMENTS[info.dtype][2], carrier.rank, carrier.static_shape(),
                carrier.static_strides(), 32 if carrier.use_32bit_stride else 64, carrier.align)
    if isinstance(carrier, Stream):
        return ("stream", host_numbers.named(name, host_numbers.stream_handle))
    if isinstance(carrier, PointerJitArg):
        return ("pointer", carrier.assumed_align or 1, host_numbers.named(name, carrier.address_of))
    kind = type(carrier)
    if is_scalar_class(kind):
        convert = host_numbers.named(name, functools.partial(host_numbers.of_class, kind))
        if kind.__name__ == "Boolean":
            return ("bool", convert)
        if kind.is_integer:
            return ("int", kind.width, bool(kind.signed), convert) if kind.width in (8, 16, 32, 64) else None
        if kind.__name__ == "BFloat16":
            return ("float", "bf16", convert)
        return ("float", kind.width, convert) if kind.width in (16, 32, 64) else None
    return None


def _refusing_host_arrays(run, names: list, carriers: list, positions: list):
    """A handle on a HIP device: a host array would need a copy that the caller does not see."""

    def checked(given: tuple) -> None:
        for index in positions:
            if index < len(given) and read_array(names[index], carriers[index], given[index]).on_host:
                raise ValueError(f"argument '{names[index]}': the array is in host memory, but a handle of "
                                 "flyc.compile takes device arrays on a HIP device; copy it there, or call the @jit "
                                 "function, which copies it there and back")
        run(given)

    return checked


class PythonLauncher:
    """The launcher in Python: `__c_abi_spec__` and `__get_c_pointers__` fill the cells."""

    def __init__(self, artifact, names: list, carriers: list, extra_streams: int):
        self.artifact, self.names, self.carriers = artifact, names, carriers
        self.extra_streams = extra_streams
        self.specs = [None if c is None or _has_pointers_only(c) else cell_spec(c) for c in carriers]

    def __call__(self, given: tuple, live: Optional[dict] = None) -> None:
        """Runs with the arguments `given`. `live` has stand-ins, by position, for arrays that were copied."""
        self.check_count(given)
        cells, keep = [], []
        for index, (name, carrier, spec, arg) in enumerate(zip(self.names, self.carriers, self.specs, given)):
            if carrier is None:
                continue
            if spec is None:
                pointers = _c_pointers(carrier, arg)
                keep.append(pointers)
                cells += [ctypes.cast(p, ctypes.c_void_p).value if not isinstance(p, int) else p for p in pointers]
                continue
            try:
                value = self._checked(name, carrier, arg) if live is None or index not in live else live[index]
                for ctype, fill in spec:
                    cell = ctype()
                    fill(value, cell)
                    keep.append(cell)
                    cells.append(ctypes.addressof(cell))
            except (TypeError, ValueError, OverflowError, AttributeError) as error:
                raise host_numbers.named_error(name, error) from None
        for _ in range(self.extra_streams):
            cell = ctypes.c_void_p(0)
            keep.append(cell)
            cells.append(ctypes.addressof(cell))
        self.artifact.executable.call(self.artifact.entry, cells)

    def check_count(self, given: tuple) -> None:
        """TypeError for another number of arguments."""
        if len(given) != len(self.carriers):
            raise TypeError(f"'{self.artifact.entry}' takes {len(self.carriers)} arguments, got {len(given)}")

    def _checked(self, name: str, carrier: Any, arg: Any) -> Any:
        """The argument, an array read and compared with what the code was compiled for, a number as a plain one."""
        if is_scalar_class(type(carrier)):
            return host_numbers.of_class(type(carrier), arg)
        if not isinstance(carrier, MemRefJitArg):
            return arg
        info = read_array(name, carrier, arg)
        check_array(name, carrier, info)
        if self.artifact.device == "cpu":
            check_on_host(name, info)
        return LiveArray(info)


def _has_pointers_only(carrier: Any) -> bool:
    kind = type(carrier)
    return isinstance(carrier, CPointersJitArg) or (hasattr(kind, "__get_c_pointers__")
                                                    and not hasattr(kind, "__c_abi_spec__"))


def _c_pointers(carrier: Any, arg: Any) -> list:
    """The guide's protocol: the carrier of the live argument points at its cells."""
    kind = type(carrier)
    live = arg if isinstance(arg, kind) else kind(arg)
    return list(live.__get_c_pointers__())


class LiveArray(MemRefJitArg):
    """An array that has been read already, for the cells of another carrier."""

    def __init__(self, info: arrays.ArrayInfo):
        self._info = info


def cell_spec(carrier: Any) -> list:
    """The `(ctype, fill)` pairs of a carrier."""
    if hasattr(type(carrier), "__c_abi_spec__"):
        return c_abi_spec(carrier)
    raise TypeError(f"{type(carrier).__name__} cannot be passed to a compiled function: it has neither __c_abi_spec__ nor "
                    "__get_c_pointers__")


def read_array(name: str, carrier: MemRefJitArg, arg: Any) -> arrays.ArrayInfo:
    """What the array `arg` is, which goes where `carrier` went. TypeError or ValueError that names the argument."""
    if isinstance(arg, MemRefJitArg):
        return arg._info
    try:
        return arrays.describe(arg, carrier._dtype_option)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise host_numbers.named_error(name, error) from None


def check_on_host(name: str, info: arrays.ArrayInfo) -> None:
    """ValueError for an array in GPU memory, on the CPU device."""
    if not info.on_host:
        raise ValueError(f"argument '{name}': the array is in GPU memory, but the CPU device is in use (FLYDSL_DEVICE); copy it "
                         "to the host")


def check_array(name: str, carrier: MemRefJitArg, info: arrays.ArrayInfo) -> None:
    """ValueError or TypeError that names the argument if the array is not of the compiled kind."""
    where = f"argument '{name}': "
    if info.dtype != carrier.dtype:
        raise TypeError(f"{where}expected dtype {carrier.dtype}, got {info.dtype}")
    if len(info.shape) != carrier.rank:
        raise TypeError(f"{where}expected {carrier.rank} axes, got {len(info.shape)} (shape {info.shape})")
    for what, want, got in (("size", carrier.static_shape(), info.shape),
                            ("stride", carrier.static_strides(), info.strides)):
        for axis, (w, g) in enumerate(zip(want, got)):
            if w is not None and w != g:
                raise ValueError(f"{where}expected {what} {w} on axis {axis}, which the code was compiled for, got {g}")
    for axis, (want, got) in enumerate(zip(carrier.static_shape(), info.shape)):
        if want is None and got >= 1 << 31:
            raise ValueError(f"{where}size {got} of axis {axis} does not fit the 32 bits of a run-time size")
    for axis, (want, got) in enumerate(zip(carrier.static_strides(), info.strides)):
        if want is None and carrier.use_32bit_stride and not -(1 << 31) <= got < 1 << 31:
            raise ValueError(f"{where}stride {got} of axis {axis} does not fit 32 bits (use_32bit_stride)")
    try:
        carrier.check_reach(info)
    except ValueError as error:
        raise ValueError(f"{where}{error}") from None
    for what, axis, divisor in carrier.divisors():
        got = (info.shape if what == "size" else info.strides)[axis]
        if got % divisor:
            raise ValueError(f"{where}{what} {got} of axis {axis} is not divisible by {divisor}, which the code was "
                             "compiled for")
    if info.pointer % carrier.align:
        raise ValueError(f"{where}expected an address aligned to {carrier.align} bytes, got {info.pointer:#x}")
    if not info.writable:
        raise ValueError(f"{where}the array is read-only, but a kernel may write to each argument; pass a copy")


class _CopyingRunner:
    """Runs with copies of the host arrays in device memory and copies them back."""

    def __init__(self, launcher: PythonLauncher, positions: list):
        self.launcher, self.positions = launcher, positions

    def __call__(self, given: tuple) -> None:
        from ..runtime import native
        launcher = self.launcher
        launcher.check_count(given)
        found = {}
        for index in self.positions:
            name, carrier = launcher.names[index], launcher.carriers[index]
            info = read_array(name, carrier, given[index])
            check_array(name, carrier, info)
            if info.on_host:
                found[index] = info
        spans = merged_spans([byte_span(info) for info in found.values()])
        buffers = []
        try:
            for begin, end in spans:
                buffer = native.DeviceBuffer(end - begin)
                buffers.append(buffer)
                buffer.copy_from_host(begin, end - begin)
            # The launch may go into a stream that does not wait for the default one.
            native.synchronize()
            native.raise_pending()
            live = {}
            for index, info in found.items():
                which = next(i for i, (begin, end) in enumerate(spans)
                             if begin <= info.pointer < end or begin == end == info.pointer or begin == info.pointer)
                live[index] = LiveArray(info._replace(pointer=buffers[which].pointer + info.pointer - spans[which][0]))
            stream = self._stream(given)
            launcher(given, live)
            native.synchronize(stream)
            native.raise_pending()
            for (begin, end), buffer in zip(spans, buffers):
                buffer.copy_to_host(begin, end - begin)
            native.synchronize()
            native.raise_pending()
        finally:
            for buffer in buffers:
                buffer.free()

    def _stream(self, given: tuple) -> int:
        for name, carrier, arg in zip(self.launcher.names, self.launcher.carriers, given):
            if isinstance(carrier, Stream):
                return host_numbers.named(name, host_numbers.stream_handle)(arg)
        return 0


def byte_span(info: arrays.ArrayInfo) -> tuple:
    """The first and the last address, exclusive, of an array's bytes."""
    if 0 in info.shape:
        return info.pointer, info.pointer
    low = sum((size - 1) * stride for size, stride in zip(info.shape, info.strides) if stride < 0)
    high = sum((size - 1) * stride for size, stride in zip(info.shape, info.strides) if stride > 0)
    return info.pointer + low * info.itemsize, info.pointer + (high + 1) * info.itemsize


def merged_spans(spans: list) -> list:
    """Spans of addresses with those that overlap made one, so that aliases stay aliases."""
    merged: list = []
    for begin, end in sorted(set(spans)):
        if merged and begin < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif not merged or (begin, end) != merged[-1]:
            merged.append((begin, end))
    return merged
