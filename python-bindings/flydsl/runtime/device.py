# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chips: which one to compile for, and what it has."""
from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess

from ..utils import env

__all__ = [
    "get_rocm_arch", "get_rocm_device_count", "is_rdna_arch", "get_warp_size", "known_chips", "SMEM_CAPACITY_MAP",
    "check_smem_capacity"
]


@functools.lru_cache(maxsize=None)
def _chips() -> dict:
    from . import native
    return {chip["name"]: chip for chip in native.module().chips()}


def known_chips() -> list:
    """The names of the chips that code can be compiled for."""
    return list(_chips())


def normalize_arch(arch: str) -> str:
    """A chip's plain name: lower case, without feature suffixes."""
    return arch.strip().lower().split(":")[0]


def check_arch(arch: str) -> str:
    """The plain name of `arch`. ValueError with the known chips if it is none of them."""
    name = normalize_arch(arch)
    if name not in _chips():
        raise ValueError(f"unknown chip '{arch}'; known chips: {', '.join(_chips())}")
    return name


def _from_hsa_override(text: str) -> str:
    text = text.strip().lower()
    if text.startswith("gfx"):
        return text
    # The stepping is a hexadecimal digit of the name: 9.0.10 is gfx90a.
    parts = text.split(".")
    if len(parts) == 3 and all(part.isdigit() for part in parts):
        return f"gfx{parts[0]}{int(parts[1]):x}{int(parts[2]):x}"
    return "gfx" + text.replace(".", "")


@functools.lru_cache(maxsize=1)
def _agents() -> tuple:
    """The chips of the GPUs of this machine, as rocm_agent_enumerator lists them."""
    tool = shutil.which("rocm_agent_enumerator") or os.path.join(
        os.environ.get("ROCM_PATH", "/opt/rocm"), "bin", "rocm_agent_enumerator")
    if not os.path.exists(tool):
        return ()
    try:
        out = subprocess.run([tool, "-name"], capture_output=True, text=True, timeout=env.runtime.agent_timeout)
    except (OSError, subprocess.SubprocessError):
        return ()
    names = (normalize_arch(line) for line in out.stdout.splitlines())
    return tuple(name for name in names if re.match(r"gfx[0-9a-f]", name) and name != "gfx000")


NO_CHIP = ("no chip is named and no GPU was found. Name the chip to compile for in one of these ways: set the "
           "environment variable FLYDSL_GPU_ARCH=gfx942 (or ARCH, or HSA_OVERRIDE_GFX_VERSION=9.4.2), or run on a "
           "machine where rocm_agent_enumerator lists a GPU")


def detect_arch() -> str:
    """The chip that the environment names or the machine has. RuntimeError with the ways to name one."""
    arch = os.environ.get("FLYDSL_GPU_ARCH")
    if arch:
        return normalize_arch(arch)
    override = os.environ.get("HSA_OVERRIDE_GFX_VERSION")
    if override:
        return _from_hsa_override(override)
    if env.compile.arch:
        return normalize_arch(env.compile.arch)
    agents = _agents()
    if not agents:
        raise RuntimeError(f"{NO_CHIP}; known chips: {', '.join(_chips())}")
    return agents[0]


def get_rocm_arch() -> str:
    """The chip: that of the running trace, else the named one, else that of the first GPU.

    Named by FLYDSL_GPU_ARCH, HSA_OVERRIDE_GFX_VERSION or ARCH, in this order.
    RuntimeError if there is none; ValueError for an unknown name.
    """
    from ..compiler.kernel_function import CompilationContext
    context = CompilationContext.get_current()
    if context is not None:
        return context.target.arch
    return check_arch(detect_arch())


def get_rocm_device_count() -> int:
    """The number of HIP devices; 0 without a HIP library. The CPU device does not count."""
    from .device_runtime import hip_device_count
    return hip_device_count()


def is_rdna_arch(arch: str = None) -> bool:
    """True for RDNA chips: gfx10, gfx11, gfx120; gfx1250 is none."""
    return normalize_arch(arch or get_rocm_arch()).startswith(("gfx10", "gfx11", "gfx120"))


def get_warp_size(arch: str = None) -> int:
    """Lanes of a wave of `arch` (default: the chip of get_rocm_arch()): 32 or 64."""
    return _chips()[check_arch(arch or get_rocm_arch())]["wave_size"]


class _SharedMemoryBytes:
    """Bytes of shared memory that one workgroup may have, by chip."""

    def __getitem__(self, arch: str) -> int:
        name = normalize_arch(arch).removesuffix("-strict")
        if name not in _chips():
            raise KeyError(arch)
        return _chips()[name]["lds_bytes"]

    def get(self, arch: str, default=None):
        try:
            return self[arch]
        except KeyError:
            return default

    def __contains__(self, arch) -> bool:
        return isinstance(arch, str) and self.get(arch) is not None

    def __iter__(self):
        return iter(_chips())

    def __len__(self) -> int:
        return len(_chips())

    def keys(self):
        return _chips().keys()

    def values(self):
        return [self[name] for name in _chips()]

    def items(self):
        return [(name, self[name]) for name in _chips()]

    def __repr__(self) -> str:
        return repr(dict(self.items()))


SMEM_CAPACITY_MAP = _SharedMemoryBytes()


def check_smem_capacity(allocated_bytes: int, arch: str = None) -> None:
    """RuntimeError if a workgroup of `arch` does not have `allocated_bytes` of shared memory; unknown chips pass."""
    arch = arch or get_rocm_arch()
    limit = SMEM_CAPACITY_MAP.get(arch)
    if limit is not None and allocated_bytes > limit:
        raise RuntimeError(f"Shared Memory Overflow: Requested {allocated_bytes} bytes, but device {arch} limit is "
                           f"{limit} bytes.")
