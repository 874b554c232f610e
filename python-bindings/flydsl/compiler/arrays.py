# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an array argument is: element type, shape, strides, address, device.

NumPy arrays (with ml_dtypes), torch tensors and everything with `__dlpack__`
are read. Neither NumPy nor torch is imported: an object of theirs proves that
they are there.
"""
from __future__ import annotations

import ctypes
import functools
import sys
from typing import Any, NamedTuple, Optional

# dtype name -> (element type in the IR, bytes, DLPack code and bits). Names are those of NumPy and ml_dtypes.
ELEMENTS = {
    "bool": ("i1", 1, (6, 8)), "int8": ("i8", 1, (0, 8)), "uint8": ("i8", 1, (1, 8)), "int16": ("i16", 2, (0, 16)),
    "uint16": ("i16", 2, (1, 16)), "int32": ("i32", 4, (0, 32)), "uint32": ("i32", 4, (1, 32)),
    "int64": ("i64", 8, (0, 64)), "uint64": ("i64", 8, (1, 64)), "float16": ("f16", 2, (2, 16)),
    "bfloat16": ("bf16", 2, (4, 16)), "float32": ("f32", 4, (2, 32)), "float64": ("f64", 8, (2, 64)),
    "float8_e4m3": ("f8E4M3", 1, (8, 8)), "float8_e4m3b11fnuz": ("f8E4M3B11FNUZ", 1, (9, 8)),
    "float8_e4m3fn": ("f8E4M3FN", 1, (10, 8)), "float8_e4m3fnuz": ("f8E4M3FNUZ", 1, (11, 8)),
    "float8_e5m2": ("f8E5M2", 1, (12, 8)), "float8_e5m2fnuz": ("f8E5M2FNUZ", 1, (13, 8)),
    "float8_e8m0fnu": ("f8E8M0FNU", 1, (14, 8)),
}
_BY_DLPACK = {dlpack: name for name, (_, _, dlpack) in ELEMENTS.items()}

CPU_DEVICES = (1, 3, 11)  # kDLCPU, kDLCUDAHost, kDLROCMHost
GPU_DEVICES = (2, 10, 13)  # kDLCUDA (torch on ROCm says so), kDLROCM, kDLCUDAManaged


class ArrayInfo(NamedTuple):
    """An array: dtype name, shape, strides in elements, address in bytes, whether it is in host memory, writable."""
    dtype: str
    shape: tuple
    strides: tuple
    pointer: int
    on_host: bool
    writable: bool

    @property
    def element(self) -> str:
        return ELEMENTS[self.dtype][0]

    @property
    def itemsize(self) -> int:
        return ELEMENTS[self.dtype][1]


def is_numpy(obj: Any) -> bool:
    """True for a numpy.ndarray."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(obj, numpy.ndarray)


def is_masked(obj: Any) -> bool:
    """True for a numpy.ma.MaskedArray."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and isinstance(obj, masked.MaskedArray)


def is_torch(obj: Any) -> bool:
    """True for a torch.Tensor."""
    torch = sys.modules.get("torch")
    tensor = getattr(torch, "Tensor", None)
    return tensor is not None and isinstance(obj, tensor)


def describe(obj: Any, dtype: Optional[str] = None) -> ArrayInfo:
    """Reads `obj`. TypeError for what is no array, or whose elements are of an unsupported type.

    `dtype` is a name of ELEMENTS for elements that the array's own type cannot
    express; its size must be that of the array's.
    """
    if is_numpy(obj):
        info = _describe_numpy(obj, dtype)
    elif is_torch(obj):
        info = _describe_torch(obj, dtype)
    elif hasattr(type(obj), "__dlpack__"):
        info = _describe_dlpack(obj)
    else:
        raise TypeError(f"expected an array (numpy, torch, or an object with __dlpack__), got {type(obj).__name__}")
    if 0 in info.shape and 1 not in info.strides:
        # Nothing is ever read through these strides, and some libraries give zeros.
        info = info._replace(strides=row_major(info.shape))
    if dtype is not None and dtype != info.dtype:
        if ELEMENTS[dtype][1] != info.itemsize:
            raise TypeError(f"dtype {dtype} has {ELEMENTS[dtype][1]} bytes, the array's {info.dtype} has "
                            f"{info.itemsize}")
        info = info._replace(dtype=dtype)
    return info


def _describe_numpy(array, dtype: Optional[str]) -> ArrayInfo:
    if is_masked(array):
        raise TypeError("a masked array holds elements that do not count, and a kernel sees no mask; pass its .data, or what "
                        ".filled(value) gives")
    name = numpy_dtype_name(array.dtype, dtype)
    size = array.itemsize
    strides = tuple(s // size for s in array.strides)
    if array.size and any(s % size for s in array.strides):
        raise TypeError(f"strides {array.strides} (bytes) are no multiples of the element's {size} bytes")
    return ArrayInfo(name, array.shape, strides, array.__array_interface__["data"][0], True, array.flags.writeable)


@functools.lru_cache(maxsize=256)
def numpy_dtype_name(dtype, wanted: Optional[str] = None) -> str:
    """The name in ELEMENTS of a NumPy dtype. TypeError if there is none."""
    name = dtype.name
    if name in ELEMENTS and dtype.isnative:
        return name
    if wanted is not None and dtype.isnative:
        # An opaque type whose bytes the caller names.
        for size, stand_in in ((1, "uint8"), (2, "uint16"), (4, "uint32"), (8, "uint64")):
            if dtype.itemsize == size:
                return stand_in
    order = "" if dtype.isnative else " with foreign byte order"
    raise TypeError(f"unsupported dtype for memref element type: {name}{order}; supported: {', '.join(ELEMENTS)}")


def _describe_torch(tensor, dtype: Optional[str]) -> ArrayInfo:
    name = str(tensor.dtype).rpartition(".")[2]
    if name not in ELEMENTS:
        raise TypeError(f"unsupported torch dtype for memref element type: {tensor.dtype}")
    device = getattr(tensor.device, "type", str(tensor.device))
    return ArrayInfo(name, tuple(tensor.shape), tuple(tensor.stride()), tensor.data_ptr(), device == "cpu", True)


class _DLDevice(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _DLDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _DLDevice), ("ndim", ctypes.c_int32), ("dtype", _DLDataType),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _export(obj: Any) -> tuple:
    """A capsule of `obj` and the tensor in it, which lives as long as the capsule."""
    try:
        capsule = obj.__dlpack__(stream=-1)
    except Exception:
        # Libraries without streams refuse the argument.
        capsule = obj.__dlpack__()
    try:
        return capsule, _DLTensor.from_address(_capsule_pointer(capsule, b"dltensor"))
    except (ValueError, TypeError):
        raise TypeError(f"{type(obj).__name__}.__dlpack__: expected a capsule named 'dltensor', got {capsule!r}") from None


def _describe_dlpack(obj: Any) -> ArrayInfo:
    capsule, tensor = _export(obj)
    kind = (tensor.dtype.code, tensor.dtype.bits)
    if kind not in _BY_DLPACK or tensor.dtype.lanes != 1:
        raise TypeError(f"unsupported DLPack dtype for memref element type: code {tensor.dtype.code}, "
                        f"{tensor.dtype.bits} bits, {tensor.dtype.lanes} lanes")
    if not 0 <= tensor.ndim <= 64:
        raise ValueError(f"{type(obj).__name__}.__dlpack__: expected 0 to 64 axes, got {tensor.ndim}")
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    if any(size < 0 for size in shape):
        raise ValueError(f"{type(obj).__name__}.__dlpack__: expected sizes of 0 or more, got {shape}")
    if tensor.strides:
        strides = tuple(tensor.strides[i] for i in range(tensor.ndim))
    else:
        strides = row_major(shape)
    if tensor.device.type not in CPU_DEVICES + GPU_DEVICES:
        raise TypeError(f"unsupported DLPack device type {tensor.device.type}")
    # The tensors lie in the capsules, which are dropped at the end; the array itself must keep its memory alive. What it
    # exports anew each time would be freed before the kernel runs, and nobody would see what is written there.
    again, other = _export(obj)
    if 0 not in shape and (other.data or 0) + other.byte_offset != (tensor.data or 0) + tensor.byte_offset:
        raise ValueError(f"{type(obj).__name__}.__dlpack__ exports a copy each time, which the kernel would write to instead of "
                         "the array; pass the array that it copies")
    info = ArrayInfo(_BY_DLPACK[kind], shape, strides, (tensor.data or 0) + tensor.byte_offset,
                     tensor.device.type in CPU_DEVICES, True)
    del capsule, again
    return info


def row_major(shape: tuple) -> tuple:
    """The strides of a contiguous array, the last axis fastest; an axis without items counts as one of one item."""
    strides, run = [], 1
    for size in reversed(shape):
        strides.insert(0, run)
        run *= max(size, 1)
    return tuple(strides)


def leading_axis(shape: tuple, strides: tuple) -> int:
    """The first axis with stride 1, which stays static. RuntimeError if there is none."""
    for axis, stride in enumerate(strides):
        if stride == 1:
            return axis
    raise RuntimeError(f"cannot auto-mark layout-dynamic for tensor shape={tuple(shape)} strides={tuple(strides)}: no "
                       "axis has stride 1. Use flyc.from_dlpack(t) to wrap as a static memref instead.")


def class_dtype(element_type: Any) -> Optional[str]:
    """The dtype name of a numeric class of `flydsl.expr`, of a dtype or of a name; None for None."""
    if element_type is None:
        return None
    if isinstance(element_type, str):
        name = element_type
    else:
        name = getattr(element_type, "__name__", None) or str(element_type)
    if isinstance(element_type, str) or name in ELEMENTS:
        key = name
    else:
        numbers = {"Boolean": "bool", "BFloat16": "bfloat16"}
        key = numbers.get(name)
        if key is None:
            lower = name.lower()
            key = lower if lower in ELEMENTS else lower.replace("float8e", "float8_e")
    if key not in ELEMENTS:
        raise TypeError(f"no array element type: {element_type!r}; supported: {', '.join(ELEMENTS)}")
    return key
