# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a compile backend says about itself."""
from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass


@dataclass(frozen=True)
class GPUTarget:
    """A chip: the backend that compiles for it, its name, the lanes of a wave."""
    backend: str
    arch: str
    warp_size: int


class BaseBackend(ABC):
    """Compiles for one target. The passes themselves are C++; a backend names them and their options."""

    def __init__(self, target: GPUTarget):
        if not self.supports_target(target):
            raise ValueError(f"{type(self).__name__} does not compile for {target}")
        self.target = target

    @classmethod
    @abstractmethod
    def supports_target(cls, target: GPUTarget) -> bool:
        """True if the backend compiles for `target`."""

    @classmethod
    @abstractmethod
    def detect_target(cls) -> GPUTarget:
        """The target that the environment names or the machine has."""

    @classmethod
    @abstractmethod
    def make_target(cls, arch: str) -> GPUTarget:
        """The target of the chip `arch`. ValueError if it is unknown."""

    @abstractmethod
    def pipeline_fragments(self, *, compile_hints: dict) -> list:
        """The passes, one text for each stage, that make a `gpu.binary` of a traced module."""

    @abstractmethod
    def lower_compile_hints(self, module, *, compile_hints: dict) -> None:
        """Puts hints that are attributes of kernels on the kernels of `module`."""

    def llvm_address_space(self, address_space) -> int:
        """LLVM's number of an address space. ValueError if it has none."""
        raise ValueError(f"{self.target.backend} has no LLVM address space for {address_space}")

    def gpu_module_targets(self) -> list:
        """Target attributes, as text, of the traced gpu.module: none, the pipeline attaches them."""
        return []

    def hash(self) -> str:
        """What of the backend, beside the passes, the compiled code depends on."""
        return f"{self.target.backend}:{self.target.arch}:{self.target.warp_size}"

    def toolkit_fingerprint(self) -> str:
        """What of the installed toolkit the compiled code depends on."""
        return ""

    def jit_runtime_lib_basenames(self) -> list:
        """Names of the runtime libraries that compiled code calls."""
        return ["libfly_runtime.so"]

    def external_binary_pipeline_fragments(self, *, compile_hints: dict) -> list:
        raise NotImplementedError("compiling with another LLVM (FLYDSL_COMPILE_LLVM_DIR) is not supported yet")

    def aot_runtime_config(self):
        raise NotImplementedError("ahead-of-time export is not supported yet")

    def aot_object_index(self, arch: str) -> int:
        raise NotImplementedError("ahead-of-time export is not supported yet")

    def ktrace_backend(self):
        raise NotImplementedError("tracing inside kernels (ktrace) is not supported yet")
