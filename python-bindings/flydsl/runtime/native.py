# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C ABI of `libfly_runtime.so` for Python: devices, memory, streams, errors."""
from __future__ import annotations

import ctypes
import functools
import glob
import os

LIBRARY = "libfly_runtime.so"


def search_paths() -> list:
    """The folders where the runtime library is looked for, in order."""
    package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    linked = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [os.path.join(linked, "_mlir", "_mlir_libs"), os.path.join(package, "_mlir", "_mlir_libs")]
    # A build tree has the package in python_packages beside lib.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(linked)), "lib"))
    named = os.environ.get("FLY_RUNTIME_DIR")
    return ([named] if named else []) + folders


@functools.lru_cache(maxsize=1)
def module():
    """The native module `_flyNative`. RuntimeError with file and folders if it, or the runtime library, is missing."""
    try:
        from .._mlir._mlir_libs import _flyNative
        return _flyNative
    except ImportError as error:
        raise RuntimeError(f"the native part of flydsl cannot be loaded: {error}; {_advice()}") from None


def _advice() -> str:
    return (f"{LIBRARY} is looked for in {', '.join(search_paths())}; build the targets FlyPythonModules and "
            "fly_runtime, install the package again, or set FLY_RUNTIME_DIR")


@functools.lru_cache(maxsize=1)
def library():
    """The runtime library. RuntimeError with the file and the folders if it is missing."""
    try:
        # The native module links it, so its name gives the copy that compiled code calls.
        module()
        return _declare(ctypes.CDLL(LIBRARY))
    except (OSError, RuntimeError):
        pass
    for folder in search_paths():
        path = os.path.join(folder, LIBRARY)
        if os.path.exists(path):
            try:
                return _declare(ctypes.CDLL(path))
            except OSError as error:
                raise RuntimeError(f"the runtime library {path} cannot be loaded: {error}") from None
    raise RuntimeError(f"the runtime library was not found: {_advice()}")


def library_path() -> str:
    """The file of the runtime library in use."""
    name = library()._name
    if os.path.isabs(name):
        return name
    with open("/proc/self/maps", encoding="utf-8") as maps:
        for line in maps:
            if line.rstrip().endswith("/" + name):
                return line.split(maxsplit=5)[5].strip()
    return name


def _declare(lib):
    void_p, size, int32 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32
    for name, result, arguments in (
        ("flyRuntimeTakeError", int32, []),
        ("flyRuntimeErrorMessage", ctypes.c_char_p, []),
        ("flyRuntimeSelectDevice", int32, [ctypes.c_char_p]),
        ("flyRuntimeDeviceKind", ctypes.c_char_p, []),
        ("flyRuntimeDeviceCount", int32, []),
        ("flyRuntimeAbiVersion", int32, []),
        ("mgpuSetDefaultDevice", None, [int32]),
        ("mgpuMemAlloc", void_p, [ctypes.c_uint64, void_p, ctypes.c_bool]),
        ("mgpuMemFree", None, [void_p, void_p]),
        ("mgpuMemcpy", None, [void_p, void_p, size, void_p]),
        ("mgpuStreamSynchronize", None, [void_p]),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def raise_pending() -> None:
    """RuntimeError if a call of this thread has failed since the last time."""
    lib = library()
    if lib.flyRuntimeTakeError():
        raise RuntimeError(lib.flyRuntimeErrorMessage().decode(errors="replace"))


def device_kind() -> str:
    """The device in use, "cpu" or "hip"; choosing it if that has not happened."""
    lib = library()
    kind = lib.flyRuntimeDeviceKind()
    if kind is None:
        raise_pending()
        raise RuntimeError("the runtime has no device")
    return kind.decode()


def select_device(kind: str) -> None:
    """Chooses "cpu", "hip" or "auto". RuntimeError if another one is in use already."""
    if library().flyRuntimeSelectDevice(kind.encode()):
        raise_pending()


def device_count() -> int:
    """Devices of the kind in use."""
    return library().flyRuntimeDeviceCount()


def require_device() -> None:
    """RuntimeError, with the reason, if the kind in use has no device."""
    if device_count() == 0:
        # Using one says why there is none.
        library().mgpuSetDefaultDevice(0)
        raise_pending()
        raise RuntimeError(f"no {device_kind()} device was found; FLYDSL_DEVICE=cpu runs on the CPU")


class DeviceBuffer:
    """Bytes on the device, freed with the object."""

    def __init__(self, size: int):
        self.size = size
        self.pointer = library().mgpuMemAlloc(size, None, False) or 0
        raise_pending()

    def copy_from_host(self, address: int, size: int, offset: int = 0) -> None:
        """Copies `size` bytes at the host address to `offset`."""
        if size:
            library().mgpuMemcpy(self.pointer + offset, address, size, None)

    def copy_to_host(self, address: int, size: int, offset: int = 0) -> None:
        """Copies `size` bytes at `offset` to the host address."""
        if size:
            library().mgpuMemcpy(address, self.pointer + offset, size, None)

    def free(self) -> None:
        """Frees the memory; later calls do nothing."""
        if self.pointer:
            library().mgpuMemFree(self.pointer, None)
            self.pointer = None

    def __del__(self):
        try:
            self.free()
        except Exception:
            pass


def synchronize(stream: int = 0) -> None:
    """Waits for all work of a stream."""
    library().mgpuStreamSynchronize(stream or None)


def libraries() -> list:
    """The native files that compiled code depends on."""
    linked = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = glob.glob(os.path.join(linked, "_mlir", "_mlir_libs", "*.so*"))
    for folder in search_paths():
        found += glob.glob(os.path.join(folder, "libfly_*.so")) + glob.glob(os.path.join(folder, "libFly*.so"))
    return sorted(set(os.path.realpath(path) for path in found))
