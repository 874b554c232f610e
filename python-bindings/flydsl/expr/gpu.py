# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads, blocks, barriers, shuffles and shared memory of a kernel.

`thread_idx`, `block_idx`, `block_dim`, `grid_dim` have `.x`, `.y`, `.z` (`Int32`) and unpack into three. Names of
MLIR's `gpu` dialect that are not defined here can be taken from this module too.
"""

from __future__ import annotations

from .._mlir import ir
from .._mlir.dialects import arith as _arith
from .chip import chip_facts, current_arch
from .numeric import Int32, Numeric, of_int_tuple
from .storage import Allocation, Arena, Storage, fields_of, offset_bytes, round_up, storage_align, storage_size, type_name, user_place

__all__ = [
    "SharedAllocator", "barrier", "block_dim", "block_id", "block_idx", "grid_dim", "known_block_size", "lane_id", "lds_space", "num_warp_threads",
    "shuffle", "shuffle_down", "shuffle_idx", "shuffle_up", "shuffle_xor", "smem_space", "thread_id", "thread_idx",
]


def _dialect():
    """MLIR's module of the dialect; loaded when first needed."""
    from .._mlir.dialects import gpu

    return gpu


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'flydsl.expr.gpu' has no attribute '{name}'")
    try:
        return getattr(_dialect(), name)
    except AttributeError:
        raise AttributeError(f"module 'flydsl.expr.gpu' has no attribute '{name}'") from None


#===----------------------------------------------------------------------===#
# Indices and sizes
#===----------------------------------------------------------------------===#

def _require_kernel(what):
    """RuntimeError outside of a kernel. Operations may also go to a function that no `@jit` traces."""
    from ..compiler.kernel_function import CompilationContext

    if ir.Context.current is None or CompilationContext.get_current() is not None and _current_kernel() is None:
        raise RuntimeError(f"{what} can only be used inside a @kernel function")


def _to_i32(index):
    i32 = ir.IntegerType.get_signless(32)
    return Int32(_arith.index_cast(i32, index))


class Tuple3D:
    """Three numbers of a kernel's launch, one a dimension; each access reads the number anew."""

    def __init__(self, name, builder):
        self._name = name
        # The name of the dialect's builder.
        self._builder = builder

    def _read(self, dimension):
        _require_kernel(f"fx.{self._name}.{dimension}")
        return _to_i32(getattr(_dialect(), self._builder)(getattr(_dialect().Dimension, dimension)))

    @property
    def x(self):
        """The number of dimension x, an `Int32`."""
        return self._read("x")

    @property
    def y(self):
        """The number of dimension y, an `Int32`."""
        return self._read("y")

    @property
    def z(self):
        """The number of dimension z, an `Int32`."""
        return self._read("z")

    def __iter__(self):
        return iter((self.x, self.y, self.z))

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return self._read("xyz"[index])

    def __repr__(self):
        return f"fx.{self._name}"


thread_idx = Tuple3D("thread_idx", "thread_id")
block_idx = Tuple3D("block_idx", "block_id")
block_dim = Tuple3D("block_dim", "block_dim")
grid_dim = Tuple3D("grid_dim", "grid_dim")


def _dimension(name, what):
    if name not in ("x", "y", "z"):
        raise ValueError(f"{what}: the dimension must be \"x\", \"y\" or \"z\", got {name!r}")
    return getattr(_dialect().Dimension, name)


def thread_id(dimension):
    """The thread's number in its block along "x", "y" or "z": a raw `index` value."""
    _require_kernel("thread_id")
    return _dialect().thread_id(_dimension(dimension, "thread_id"))


def block_id(dimension):
    """The block's number in the grid along "x", "y" or "z": a raw `index` value."""
    _require_kernel("block_id")
    return _dialect().block_id(_dimension(dimension, "block_id"))


def lane_id() -> Int32:
    """The thread's number in its wave."""
    _require_kernel("lane_id")
    return _to_i32(_dialect().lane_id())


def _current_kernel():
    from ..compiler.kernel_function import KernelFunction

    return KernelFunction.get_current()


def known_block_size() -> tuple:
    """(x, y, z) of the kernel's block as Python ints. RuntimeError if the launch fixes none while tracing."""
    kernel = _current_kernel()
    size = getattr(kernel, "known_block_size", None)
    if size is None:
        raise RuntimeError("no compile-time block size is in scope.")
    return tuple(int(extent) for extent in size)


def num_warp_threads() -> int:
    """Lanes of a wave on the current chip."""
    return chip_facts()["wave_size"]


#===----------------------------------------------------------------------===#
# Synchronisation and shuffles
#===----------------------------------------------------------------------===#

def barrier() -> None:
    """All threads of the block wait for each other; writes to memory before it are seen after it."""
    _require_kernel("barrier")
    _dialect().barrier()


def _i32(value, what):
    """An i32 value from an int or integer value."""
    value = of_int_tuple(value)
    if isinstance(value, Numeric):
        if not value.dtype.is_integer:
            raise TypeError(f"{what} must be an integer, got {value.dtype.__name__}")
        value = (value if value.width == 32 else Int32(value)).ir_value()
    i32 = ir.IntegerType.get_signless(32)
    if isinstance(value, ir.Value):
        if value.type != i32:
            raise TypeError(f"{what} must be an integer, got a value of type {value.type}")
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{what} must be an integer, got {type(value).__name__}")
    if not -(1 << 31) <= value < 1 << 31:
        raise ValueError(f"{what} must be an integer of 32 bits, got {value}")
    return _arith.constant(i32, value)


def shuffle(value, offset, width=None, mode="xor"):
    """The value of another lane: of lane `lane ^ offset` ("xor"), `lane - offset` ("up"), `lane + offset` ("down") or
    `offset` ("idx").

    `value` is a number or `Vector` (the result is of its type) or a raw value; lanes act in groups of `width`
    (default: the wave), a power of two.
    """
    from .meta import as_dsl_value, as_ir_value

    ShuffleMode = _dialect().ShuffleMode
    modes = {"xor": ShuffleMode.XOR, "up": ShuffleMode.UP, "down": ShuffleMode.DOWN, "idx": ShuffleMode.IDX}
    if mode not in modes:
        raise ValueError(f"shuffle: the mode must be one of {', '.join(modes)}, got {mode!r}")
    if isinstance(width, int) and (width <= 0 or width & (width - 1) or width > num_warp_threads()):
        raise ValueError(f"shuffle: width must be a power of two of at most {num_warp_threads()}, the wave of {current_arch()}; got {width}")
    width = num_warp_threads() if width is None else width
    value = of_int_tuple(value)
    raw = as_ir_value(value)
    kind = getattr(raw, "type", None)
    element = kind.element_type if isinstance(kind, ir.VectorType) else kind
    if not isinstance(element, (ir.IntegerType, ir.FloatType)):
        raise TypeError(f"shuffle: value must be a number or a vector of numbers, got {type(value).__name__}")
    found = _dialect().ShuffleOp(raw, _i32(offset, "shuffle: offset"), _i32(width, "shuffle: width"), modes[mode])
    result = found.results[0]
    return result if value is raw else as_dsl_value(result, value)


def shuffle_xor(value, offset, width=None):
    """`shuffle` with lane `lane ^ offset`."""
    return shuffle(value, offset, width, "xor")


def shuffle_up(value, offset, width=None):
    """`shuffle` with lane `lane - offset`."""
    return shuffle(value, offset, width, "up")


def shuffle_down(value, offset, width=None):
    """`shuffle` with lane `lane + offset`."""
    return shuffle(value, offset, width, "down")


def shuffle_idx(value, lane, width=None):
    """`shuffle` with lane `lane`."""
    return shuffle(value, lane, width, "idx")


#===----------------------------------------------------------------------===#
# Shared memory
#===----------------------------------------------------------------------===#

def smem_space(int=False):
    """The address space of shared memory for MLIR types: `#gpu.address_space<workgroup>`, or 2 with `int=True`."""
    return 2 if int else ir.Attribute.parse("#gpu.address_space<workgroup>")


lds_space = smem_space


def _packed_bytes(parts) -> int:
    """Bytes that allocations of (size, align) take as the compiler lays them out: larger alignments first."""
    total = 0
    for align, size in sorted(((align, size) for size, align in parts), reverse=True):
        total = round_up(total, align) + size
    return total


class SharedAllocator(Arena):
    """Shared memory (LDS) of the kernel that is being traced; one a kernel.

    `SharedAllocator(base_alignment=16, *, static=True)`. Static: every field without fields of its own becomes an
    allocation that the compiler places, aligned to its type and, if it is at least `base_alignment` bytes long, to
    `base_alignment`; a union is one allocation. Dynamic: allocations follow each other in the launch's dynamic
    shared memory, and `launch` takes its size from `allocated_bytes`. RuntimeError outside of a kernel, for a second
    allocator, or when an allocation exceeds the chip's shared memory (the message lists all).
    """

    def __init__(self, base_alignment: int = 16, *, static: bool = True):
        kernel = _current_kernel()
        if kernel is None:
            raise RuntimeError("SharedAllocator can only be created inside a @kernel function: shared memory belongs to a kernel")
        if getattr(kernel, "shared_allocator", None) is not None:
            raise RuntimeError(f"kernel '{kernel.name}' has a SharedAllocator already; a kernel has one, allocate several times from it")
        super().__init__(None, base_alignment)
        self._static = bool(static)
        self._kernel = kernel
        self._parts: list[tuple[int, int]] = []
        if not self._static:
            self._base = self._dynamic_base()
        kernel.shared_allocator = self

    @staticmethod
    def _dynamic_base():
        from . import memory

        return memory.get_dyn_shared()

    @property
    def is_static(self) -> bool:
        """True if the compiler places the allocations."""
        return self._static

    @property
    def base_ptr(self):
        """Pointer to bytes at the start of the dynamic shared memory. RuntimeError for a static allocator."""
        if self._static:
            raise RuntimeError("base_ptr: a static SharedAllocator has no common base; take the pointer of an allocation, or use static=False")
        return self._base

    def allocate(self, type_or_nbytes, alignment=None) -> Storage:
        """Shared memory for a type, or for a number of bytes (then `Storage[Array[Uint8, n]]`)."""
        dtype, align = self._resolve(type_or_nbytes, alignment)
        if not self._static:
            start = round_up(self._bytes, align)
            self._check(dtype, align, start + storage_size(dtype))
            return Storage[dtype](offset_bytes(self._base, start))
        parts = list(self._parts)
        _collect_leaves(dtype, align, self._base_alignment, parts)
        self._check(dtype, align, _packed_bytes(parts))
        self._parts = parts
        return _allocate_leaves(dtype, align, self._base_alignment)

    def _check(self, dtype, align, total):
        facts = chip_facts()
        if total > facts["lds_bytes"]:
            request = Allocation(type_name(dtype), storage_size(dtype), align, user_place())
            lines = "".join(f"\n  {entry.size} byte{'' if entry.size == 1 else 's'} aligned to {entry.align}: {entry.name} at {entry.place}"
                            for entry in [*self._allocations, request])
            raise RuntimeError(f"Shared Memory Overflow: Requested {total} bytes, but device {facts['name']} limit is {facts['lds_bytes']} bytes. "
                               f"Allocations of kernel '{self._kernel.name}':{lines}")
        self._note(dtype, align, total)


def _leaf_alignment(dtype, align, base_alignment) -> int:
    """Allocations that are large enough start at the base alignment, so that wide copies can address them."""
    return max(align, base_alignment) if storage_size(dtype) >= base_alignment else align


def _is_split(dtype, align) -> bool:
    """True for structs whose fields are allocated one by one: those whose alignment is their own."""
    return bool(fields_of(dtype)) and not dtype.__dsl_union__ and align == storage_align(dtype)


def _collect_leaves(dtype, align, base_alignment, parts):
    if _is_split(dtype, align):
        for field in fields_of(dtype).values():
            _collect_leaves(field, storage_align(field), base_alignment, parts)
    elif storage_size(dtype):
        parts.append((storage_size(dtype), _leaf_alignment(dtype, align, base_alignment)))


def _allocate_leaves(dtype, align, base_alignment) -> Storage:
    if _is_split(dtype, align):
        return Storage[dtype](parts={name: _allocate_leaves(field, storage_align(field), base_alignment)
                                     for name, field in fields_of(dtype).items()})
    # An LDS global of no bytes would stand for the dynamic shared memory.
    return Storage[dtype](_make_shared(max(storage_size(dtype), 1), _leaf_alignment(dtype, align, base_alignment)))


def _make_shared(nbytes, align):
    """A new shared allocation: a pointer to bytes."""
    from .._mlir.dialects import fly as _fly

    i64 = ir.IntegerType.get_signless(64)
    attributes = ir.DictAttr.get({"allocAlign": ir.IntegerAttr.get(i64, align), "allocBytes": ir.IntegerAttr.get(i64, nbytes)})
    return _fly.make_ptr(ir.Type.parse(f"!fly.ptr<i8, shared, align<{align}>>"), [], dict_attrs=attributes)
