# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device that compiled code runs on.

FLYDSL_DEVICE says which: `cpu`, `hip`, or `auto`, a HIP device if one answers
and else the CPU. Without it FLYDSL_RUNTIME_KIND counts (`rocm` is the same as
`hip`), then FLY_DEVICE, then `auto`.
"""
from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import Optional

from ..utils import env

__all__ = [
    "DeviceRuntime", "RocmDeviceRuntime", "CpuDeviceRuntime", "get_device_runtime", "register_device_runtime",
    "register_compile_runtime_mapping", "ensure_compile_runtime_pairing_from_env", "ensure_compile_runtime_compatible",
    "COMPILE_BACKEND_TO_RUNTIME_KIND", "device_kind", "wanted_device"
]

COMPILE_BACKEND_TO_RUNTIME_KIND = {"rocm": "rocm"}
_EXTRA_MAPPINGS: dict = {}
_instance: Optional["DeviceRuntime"] = None
_runtime_cls_override: dict = {}

# The CPU device stands in for an AMD GPU, so code of the same backend runs on it.
_SAME_KIND = {"hip": "rocm", "rocm": "rocm", "cpu": "rocm", "auto": "rocm"}


class DeviceRuntime(ABC):
    """A kind of devices."""

    kind: str = ""

    @abstractmethod
    def device_count(self) -> int:
        """Number of devices."""

    @abstractmethod
    def current_device_id(self) -> int:
        """The device, from 0, that this thread uses."""


class RocmDeviceRuntime(DeviceRuntime):
    """HIP devices."""

    kind = "rocm"

    def device_count(self) -> int:
        return hip_device_count()

    def current_device_id(self) -> int:
        import sys
        torch = sys.modules.get("torch")
        if torch is not None and torch.cuda.is_available():
            return torch.cuda.current_device()
        return 0


class CpuDeviceRuntime(DeviceRuntime):
    """The CPU, which behaves like the chip that a kernel was compiled for."""

    kind = "cpu"

    def device_count(self) -> int:
        return 1

    def current_device_id(self) -> int:
        return 0


def _named_kind() -> str:
    """The device runtime that FLYDSL_RUNTIME_KIND names, or "". RuntimeError that lists the known ones for another."""
    kind = os.environ.get("FLYDSL_RUNTIME_KIND", "").strip().lower()
    if kind and kind not in _SAME_KIND and kind not in _runtime_cls_override:
        raise RuntimeError(f"FLYDSL_RUNTIME_KIND names the unknown device runtime '{kind}'; known: rocm, hip, cpu"
                           f"{''.join(', ' + k for k in _runtime_cls_override)}")
    return kind


def wanted_device() -> str:
    """What the environment asks for: "cpu", "hip", "auto", or another registered kind."""
    if env.runtime.device:
        return env.runtime.device
    kind = _named_kind()
    if kind:
        return "hip" if kind == "rocm" else kind
    return os.environ.get("FLY_DEVICE", "").strip().lower() or "auto"


_selected: Optional[str] = None


def device_kind() -> str:
    """The device in use, "cpu" or "hip"; it is fixed by its first use."""
    global _selected
    from . import native
    wanted = wanted_device()
    if wanted not in ("cpu", "hip", "auto"):
        raise ValueError(f"FLY_DEVICE must be auto, hip or cpu, got '{wanted}'")
    if _selected is None or wanted not in ("auto", _selected):
        native.select_device(wanted)
        kind = native.device_kind()
        if kind == "hip":
            native.require_device()
        _selected = kind
    return _selected


def compile_device() -> str:
    """The device to compile for: that in use, or what the environment asks for if nothing is going to run."""
    if env.compile.compile_only:
        wanted = wanted_device()
        return "hip" if wanted == "auto" else wanted
    return device_kind()


def hip_device_count() -> int:
    """The number of HIP devices; 0 without a HIP library or if the CPU is in use."""
    from . import native
    try:
        return native.device_count() if native.device_kind() == "hip" else 0
    except RuntimeError:
        return 0


def register_device_runtime(cls: type, *, kind: Optional[str] = None, force: bool = False) -> None:
    """Registers a DeviceRuntime under `kind` (default: its own). RuntimeError once a runtime is in use."""
    if not (isinstance(cls, type) and issubclass(cls, DeviceRuntime)):
        raise TypeError(f"register_device_runtime: expected a subclass of DeviceRuntime, got {cls!r}")
    if _instance is not None:
        raise RuntimeError("register_device_runtime: a device runtime is in use already; register before first use")
    kind = kind or cls.kind
    if kind in _runtime_cls_override and not force:
        raise ValueError(f"device runtime '{kind}' is already registered; pass force=True to replace it")
    _runtime_cls_override[kind] = cls


def get_device_runtime() -> DeviceRuntime:
    """The runtime of the device in use; one object in a process."""
    global _instance
    if _instance is None:
        wanted = wanted_device()
        kind = wanted if wanted in _runtime_cls_override else {"hip": "rocm"}.get(device_kind(), "cpu")
        builtin = {"rocm": RocmDeviceRuntime, "cpu": CpuDeviceRuntime}
        _instance = (_runtime_cls_override.get(kind) or builtin[kind])()
    return _instance


def register_compile_runtime_mapping(backend: str, kind: str) -> None:
    """Says that code of the compile backend `backend` runs on device runtimes of `kind`."""
    _EXTRA_MAPPINGS[backend] = kind


def ensure_compile_runtime_compatible(backend: str, kind: str) -> None:
    """RuntimeError, naming both variables, if code of `backend` does not run on `kind`."""
    needed = {**COMPILE_BACKEND_TO_RUNTIME_KIND, **_EXTRA_MAPPINGS}.get(backend)
    if needed is None:
        raise RuntimeError(f"compile backend '{backend}' (FLYDSL_COMPILE_BACKEND) has no device runtime; register one "
                           "with register_compile_runtime_mapping")
    if _SAME_KIND.get(kind, kind) != needed:
        raise RuntimeError(f"compile backend '{backend}' (FLYDSL_COMPILE_BACKEND) needs the device runtime '{needed}', "
                           f"but FLYDSL_RUNTIME_KIND is '{kind}'")


def ensure_compile_runtime_pairing_from_env(backend: str) -> None:
    """The same with the kind that the environment names."""
    ensure_compile_runtime_compatible(backend, _named_kind() or "rocm")
