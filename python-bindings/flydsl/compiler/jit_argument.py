# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How Python objects become arguments of compiled functions."""
from __future__ import annotations

import ctypes
import inspect
import sys
from typing import Any, Optional

from . import arrays, host_numbers
from .parameters import Stream
from .protocol import is_jit_argument, is_jit_argument_class
from .tensor_argument import DLTensorJitArg, MemRefJitArg, NumpyArrayJitArg, TensorAdaptor, TorchTensorJitArg

__all__ = [
    "JitArgumentRegistry", "MemRefJitArg", "TorchTensorJitArg", "DLTensorJitArg", "TensorAdaptor", "PointerJitArg",
    "from_dlpack", "from_torch_tensor", "from_c_void_p"
]


def _is_dsl_type(cls: Any) -> bool:
    return isinstance(cls, type) and hasattr(cls, "__construct_from_ir_values__")


class JitArgumentRegistry:
    """Python classes that are accepted as arguments, and what carries them over the host call."""

    _constructors: dict = {}
    _dsl_types: dict = {}

    @classmethod
    def register(cls, py_type: type, *, dsl_type: Optional[type] = None):
        """Class decorator: objects of `py_type` are carried by the decorated class, which is called with them.

        The carrier has `__get_ir_types__` and either `__c_abi_spec__` or
        `__get_c_pointers__`. dsl_type is the class of the argument inside the
        trace; it may be left out if the carrier itself is one. ValueError if the
        class is registered already or dsl_type is missing.
        """
        if not isinstance(py_type, type):
            raise TypeError(f"JitArgumentRegistry.register: expected a class, got {py_type!r}")

        def add(constructor):
            target = dsl_type
            if target is None:
                if not _is_dsl_type(constructor):
                    raise ValueError(f"Invalid dsl_type for {py_type.__name__}: {constructor!r} is no DslType, so "
                                     "dsl_type= must name the class of the argument inside the trace")
                target = constructor
            elif not _is_dsl_type(target):
                raise ValueError(f"Invalid dsl_type {target!r}: it has no __construct_from_ir_values__")
            if py_type in cls._constructors:
                raise ValueError(f"{py_type.__name__} is already registered")
            cls._constructors[py_type] = (constructor, target)
            if isinstance(constructor, type):
                cls._dsl_types.setdefault(constructor, target)
            _changed()
            return constructor

        return add

    @classmethod
    def register_jit_arg(cls, jit_arg_cls: type, dsl_type: type) -> None:
        """Says that a carrier that is passed as it is becomes `dsl_type` inside the trace."""
        cls._dsl_types[jit_arg_cls] = dsl_type
        _changed()

    @classmethod
    def get(cls, py_type: type) -> tuple:
        """`(carrier, dsl_type)` for objects of `py_type` or of its first registered base; else (None, None)."""
        _register_builtin()
        _register_present()
        found = cls._constructors.get(py_type)
        if found is None:
            for base in py_type.__mro__[1:]:
                found = cls._constructors.get(base)
                if found is not None:
                    break
        return found or (None, None)

    @classmethod
    def get_dsl_type(cls, jit_arg_cls: type) -> Optional[type]:
        """The class inside the trace of what the carrier `jit_arg_cls` carries."""
        _register_builtin()
        for base in jit_arg_cls.__mro__:
            if base in cls._dsl_types:
                return cls._dsl_types[base]
        return jit_arg_cls if _is_dsl_type(jit_arg_cls) else None


generation = 0


def _changed() -> None:
    """Rises with each registration: what was resolved before may resolve differently."""
    global generation
    generation += 1


_builtin_done = False


def _register_builtin() -> None:
    global _builtin_done
    if _builtin_done:
        return
    _builtin_done = True
    from ..expr import numeric, typing
    registry = JitArgumentRegistry
    for py_type, dsl_type in ((bool, numeric.Boolean), (int, numeric.Int32), (float, numeric.Float32)):
        registry._constructors.setdefault(py_type, (dsl_type, dsl_type))
    registry._dsl_types.update({MemRefJitArg: typing.Tensor, PointerJitArg: typing.Pointer, Stream: Stream})


_present: set = set()


def _register_present() -> None:
    """Registers classes of NumPy and torch if these have been imported."""
    if "numpy" not in _present and "numpy" in sys.modules and hasattr(sys.modules["numpy"], "ndarray"):
        from ..expr import typing
        _present.add("numpy")
        JitArgumentRegistry._constructors.setdefault(sys.modules["numpy"].ndarray, (NumpyArrayJitArg, typing.Tensor))
    torch = sys.modules.get("torch")
    if "torch" not in _present and hasattr(torch, "Tensor"):
        from ..expr import typing
        _present.add("torch")
        JitArgumentRegistry._constructors.setdefault(torch.Tensor, (TorchTensorJitArg, typing.Tensor))
        stream = getattr(getattr(torch, "cuda", None), "Stream", None)
        if isinstance(stream, type):
            JitArgumentRegistry._constructors.setdefault(stream, (Stream, Stream))


class PointerJitArg:
    """A raw address: `from_c_void_p`. It is not checked, and a null pointer is a placeholder for `flyc.compile`."""

    def __init__(self, element_type, pointer, *, address_space=None, assumed_align: Optional[int] = None):
        self.pointer = _address(pointer, "from_c_void_p: ")
        if assumed_align is not None:
            if not isinstance(assumed_align, int) or assumed_align < 1 or assumed_align & (assumed_align - 1):
                raise ValueError(f"assumed_align must be a power of two, got {assumed_align!r}")
            if self.pointer % assumed_align:
                raise ValueError(f"assumed_align={assumed_align}, but the address {self.pointer:#x} is not so aligned")
        self.element_type = element_type
        name = getattr(address_space, "name", address_space)
        self.address_space = "global" if name is None else str(name).lower()
        self.assumed_align = assumed_align

    @property
    def is_null(self) -> bool:
        """True for a placeholder."""
        return self.pointer == 0

    @property
    def _element_class(self):
        """The numeric class of integer elements, whose IR type has no sign; None for others."""
        return self.element_type if getattr(self.element_type, "is_integer", False) else None

    def __repr__(self) -> str:
        return f"PointerJitArg({self.element_type!r}, {self.pointer:#x})"

    def _element_text(self) -> str:
        element = self.element_type
        element = getattr(element, "ir_type", element)
        return str(element)

    def __get_ir_types__(self) -> list:
        from .._mlir import ir
        align = f", align<{self.assumed_align}>" if self.assumed_align else ""
        return [ir.Type.parse(f"!fly.ptr<{self._element_text()}, {self.address_space}{align}>")]

    def __cache_signature__(self):
        name = getattr(self.element_type, "__name__", None) or str(self.element_type)
        return ("ptr", name, self.address_space, self.assumed_align)

    def __c_abi_spec__(self) -> list:
        return [(ctypes.c_void_p, self._fill)]

    def _fill(self, arg, storage) -> None:
        storage.value = self.address_of(arg)

    def address_of(self, arg: Any) -> int:
        """The address of `arg`, a PointerJitArg of this one's kind, a c_void_p, an int or None.

        TypeError or ValueError for anything else, and for an address that is not aligned as this one's.
        """
        if isinstance(arg, PointerJitArg):
            if arg.element_type is not self.element_type or arg.address_space != self.address_space:
                self._check_kind(arg)
            if self.assumed_align is None:
                return arg.pointer  # checked when it was made
            arg = arg.pointer
        address = _address(arg)
        if self.assumed_align and address % self.assumed_align:
            raise ValueError(f"expected an address aligned to {self.assumed_align} bytes, got {address:#x}")
        return address


    def _check_kind(self, other: "PointerJitArg") -> None:
        """TypeError if code for this pointer reads another's memory as something else."""
        name, given = self.__cache_signature__()[1], other.__cache_signature__()[1]
        if name != given and not self._has_elements_of(other):
            raise TypeError(f"expected a pointer to {name}, which the code was compiled for, got one to {given}")
        if self.address_space != other.address_space:
            raise TypeError(f"expected a pointer in address space {self.address_space}, which the code was compiled for, got "
                            f"{other.address_space}")

    def _has_elements_of(self, other: "PointerJitArg") -> bool:
        from .trace import type_context
        with type_context():
            return self._element_class is other._element_class and self._element_text() == other._element_text()


def _address(pointer: Any, where: str = "") -> int:
    if isinstance(pointer, ctypes.c_void_p):
        pointer = pointer.value
    if pointer is not None and (isinstance(pointer, bool) or not isinstance(pointer, int)):
        raise TypeError(f"{where}pointer must be a c_void_p, an int or None, got {type(pointer).__name__}")
    if not 0 <= (pointer or 0) < 1 << 64:
        raise ValueError(f"{where}{pointer} is no address")
    return pointer or 0


def from_dlpack(tensor, *, assumed_align: Optional[int] = None, use_32bit_stride: bool = False,
                dtype=None) -> DLTensorJitArg:
    """Wraps an array (NumPy, torch, or an object with `__dlpack__`) as an argument with a static layout.

    assumed_align: bytes to which the address is aligned, a power of two; checked.
    use_32bit_stride: run-time strides are 32 bits wide instead of 64. dtype: the
    numeric class of the elements where the array's own type cannot say it, for
    example fx.BFloat16 for an array of uint16.
    """
    return DLTensorJitArg(tensor, assumed_align=assumed_align, use_32bit_stride=use_32bit_stride, dtype=dtype)


def from_torch_tensor(tensor, *, assumed_align: Optional[int] = None,
                      use_32bit_stride: bool = False) -> TorchTensorJitArg:
    """Wraps a torch tensor as an argument with a static layout; options as for `from_dlpack`."""
    if not arrays.is_torch(tensor):
        raise TypeError(f"from_torch_tensor: expected a torch.Tensor, got {type(tensor).__name__}; other arrays go "
                        "through from_dlpack")
    return TorchTensorJitArg(tensor, assumed_align=assumed_align, use_32bit_stride=use_32bit_stride,
                             dynamic_layout=False)


def from_c_void_p(element_type, pointer, *, address_space=None, assumed_align: Optional[int] = None) -> PointerJitArg:
    """Wraps an address as an argument of type `!fly.ptr<element, global>`.

    element_type: a numeric class. pointer: a c_void_p, an int or None.
    address_space: an AddressSpace, by default Global. assumed_align: bytes.
    """
    return PointerJitArg(element_type, pointer, address_space=address_space, assumed_align=assumed_align)


class CPointersJitArg:
    """Carries an object that has only the guide's two methods, `__get_ir_types__` and `__get_c_pointers__`.

    The pointers are asked for at each call; they point at the cells.
    """

    def __init__(self, carrier):
        self.carrier = carrier

    def __get_ir_types__(self) -> list:
        return list(self.carrier.__get_ir_types__())

    def __cache_signature__(self):
        method = getattr(type(self.carrier), "__cache_signature__", None)
        if method is not None:
            return method(self.carrier)
        return (type(self.carrier), tuple(str(t) for t in self.__get_ir_types__()))

    def c_pointers(self) -> list:
        """Addresses of the cells."""
        return [ctypes.cast(p, ctypes.c_void_p).value if not isinstance(p, int) else p
                for p in self.carrier.__get_c_pointers__()]


def resolve(name: str, value: Any, annotation: Any):
    """`(carrier, dsl_type)` of a run-time argument. TypeError that names the argument.

    In order: an object that carries itself; an annotation that is a carrier class;
    the class registered for the object's type.
    """
    _register_builtin()
    if is_jit_argument(value) and not isinstance(value, type):
        return value, JitArgumentRegistry.get_dsl_type(type(value)) or type(value)
    if is_scalar_class(type(value)) and not is_scalar_class(annotation):
        return value, type(value)
    if is_jit_argument_class(annotation) or is_scalar_class(annotation):
        try:
            return annotation(_plain(annotation, value)), JitArgumentRegistry.get_dsl_type(annotation) or annotation
        except (TypeError, ValueError, OverflowError) as error:
            raise host_numbers.named_error(name, error) from None
    constructor, dsl_type = JitArgumentRegistry.get(type(value))
    if constructor is None and hasattr(type(value), "__dlpack__"):
        from ..expr import typing
        constructor, dsl_type = _dlpack_dynamic, typing.Tensor
    if constructor is None and hasattr(type(value), "__index__"):
        constructor, dsl_type = JitArgumentRegistry.get(int)
    if constructor is None:
        kind = type(value).__name__
        hint = "; wrap it with flyc.from_dlpack or register a class with JitArgumentRegistry.register"
        raise TypeError(f"argument '{name}': {kind} is neither a JitArgument nor has a registered constructor"
                        f"{hint if value is not None else ''}.")
    _check_kind(name, value, annotation, dsl_type)
    try:
        return constructor(_plain(constructor, value)), dsl_type
    except (TypeError, ValueError, RuntimeError, OverflowError, BufferError) as error:
        raise host_numbers.named_error(name, error) from None


def _plain(kind: Any, value: Any) -> Any:
    """`value`, as a Python number if `kind` is a numeric class, which it must fit: only explicit constructors wrap."""
    if is_scalar_class(kind) and not is_scalar_class(type(value)):
        return host_numbers.of_class(kind, value)
    return value


def _check_kind(name: str, value: Any, annotation: Any, dsl_type: Any) -> None:
    """TypeError where a number was passed for a tensor or pointer."""
    if (inspect.isclass(annotation) and is_scalar_class(dsl_type) and annotation.__name__ in ("Tensor", "Pointer")
            and hasattr(annotation, "__construct_from_ir_values__")):
        what = "what flyc.from_c_void_p gives" if annotation.__name__ == "Pointer" else "an array"
        raise TypeError(f"argument '{name}': expected {what} for fx.{annotation.__name__}, got "
                        f"{type(value).__name__} ({value!r})")


def _dlpack_dynamic(value):
    argument = DLTensorJitArg(value)
    arrays.leading_axis(argument.shape, argument.strides)
    return argument.mark_layout_dynamic()


_numeric_meta = None


def is_scalar_class(annotation: Any) -> bool:
    """True for a numeric class of `flydsl.expr`."""
    global _numeric_meta
    if _numeric_meta is None:
        from ..expr import numeric
        _numeric_meta = type(numeric.Int32)
    return isinstance(annotation, _numeric_meta) and isinstance(annotation.width, int)
