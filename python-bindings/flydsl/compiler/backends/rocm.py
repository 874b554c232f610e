# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""AMD chips, on a HIP device or on the CPU that behaves like one."""
from __future__ import annotations

from ...runtime import device as chips
from ...utils import env
from .base import BaseBackend, GPUTarget

_LLVM_ADDRESS_SPACES = {"generic": 0, "global": 1, "shared": 3, "register": 5}


class RocmBackend(BaseBackend):
    """The backend `rocm`."""

    @classmethod
    def supports_target(cls, target: GPUTarget) -> bool:
        return target.backend == "rocm"

    @classmethod
    def detect_target(cls) -> GPUTarget:
        return cls.make_target(env.compile.arch or chips.detect_arch())

    @classmethod
    def make_target(cls, arch: str) -> GPUTarget:
        arch = chips.check_arch(arch)
        return GPUTarget("rocm", arch, chips.get_warp_size(arch))

    def llvm_address_space(self, address_space) -> int:
        name = str(getattr(address_space, "name", address_space)).lower()
        if name not in _LLVM_ADDRESS_SPACES:
            return super().llvm_address_space(address_space)
        return _LLVM_ADDRESS_SPACES[name]

    def pipeline_fragments(self, *, compile_hints: dict) -> list:
        from ..pipeline import pipeline_options, stages
        return [text for _, text in stages("fly-to-binary", pipeline_options("hip", self.target, compile_hints))]

    def lower_compile_hints(self, module, *, compile_hints: dict) -> None:
        from ..hints import attach_to_kernels
        attach_to_kernels(module, compile_hints)
