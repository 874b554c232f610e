# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled functions."""
from __future__ import annotations

import io
import zlib
from typing import Any, Optional

__all__ = ["CompiledArtifact", "CompiledFunction", "JITCFunction"]


class CompiledArtifact:
    """The code of one traced module.

    entry: the symbol of its host function. key: the hash of what it depends on.
    kernels: the kernels' symbols. device: "cpu" or "hip". arch: the chip.
    """

    def __init__(self, executable, entry: str, key: str, *, source_ir: Optional[str] = None, module=None,
                 kernels=(), device: str = "", arch: str = "", packed: Optional[dict] = None):
        self.executable = executable
        self.entry, self.key = entry, key
        self.kernels, self.device, self.arch = list(kernels), device, arch
        self._source_ir, self._module, self._packed = source_ir, module, packed or {}

    # Its IR.

    @property
    def source_ir(self) -> Optional[str]:
        """The module as it was traced, as text."""
        if self._source_ir is None and "source" in self._packed:
            self._source_ir = zlib.decompress(self._packed["source"]).decode()
        return self._source_ir

    @property
    def ir(self) -> Optional[str]:
        """The compiled module, as text."""
        if self._module is None and "module" in self._packed:
            from .._mlir import ir
            with ir.Context() as context:
                self._module = ir.Module.parse(zlib.decompress(self._packed["module"]), context)
        return None if self._module is None else str(self._module)

    def print_ir(self, compiled: bool = True) -> None:
        """Prints the compiled module, or with `compiled=False` the traced one."""
        print(self.dump(compiled))

    def dump(self, compiled: bool = True) -> Optional[str]:
        """The text that print_ir prints."""
        return self.ir if compiled else self.source_ir

    def __repr__(self) -> str:
        return f"<compiled {self.entry} for {self.arch} on {self.device}>"

    # The disk cache.

    def header(self, parts: dict) -> dict:
        """What a cache file says of it; `parts` is what the key was made of."""
        return {"entry": self.entry, "kernels": self.kernels, "device": self.device, "arch": self.arch, "parts": parts}

    def sections(self) -> dict:
        """The byte strings of a cache file."""
        buffer = io.BytesIO()
        self._module.operation.write_bytecode(buffer)
        return {"code": self.executable.serialize(), "module": zlib.compress(buffer.getvalue(), 1),
                "source": zlib.compress((self._source_ir or "").encode(), 1)}

    @classmethod
    def from_cache(cls, header: dict, sections: dict) -> "CompiledArtifact":
        """What `header` and `sections` of a checked cache file hold."""
        from ..runtime import native
        return cls(native.module().Executable.load(sections["code"]), header["entry"], header["key"],
                   kernels=header["kernels"], device=header["device"], arch=header["arch"], packed=sections)


# The guide's name.
JITCFunction = CompiledArtifact


class CompiledFunction:
    """A launcher compiled for one kind of arguments: what `flyc.compile` returns.

    A call takes all arguments by position, those fixed at compile time too, which
    are ignored. It does not trace. Arguments of another kind than those that it
    was compiled for are a TypeError or ValueError that names them.
    """

    __slots__ = ("artifact", "_run", "_launches", "_names", "__name__", "__weakref__")

    def __init__(self, artifact: CompiledArtifact, run, name: str, launches: list, names: tuple = ()):
        self.artifact, self._run, self._launches, self._names = artifact, run, launches, names
        self.__name__ = name

    def __call__(self, *args) -> None:
        try:
            self._run(args)
        except Exception as error:
            from .diagnostics import explain_failure
            if isinstance(error, TypeError) and len(args) != len(self._names) and "arguments, got" in str(error):
                # What the launcher says counts streams that the user does not pass.
                missing = ", ".join(f"'{name}'" for name in self._names[len(args):])
                missing = f"; missing: {missing}" if missing else ""
                error = TypeError(f"{self.__name__}: expected {len(self._names)} arguments, got {len(args)}{missing} (a handle takes "
                                  "all arguments by position, those with defaults too)")
                explain_failure(error)
                raise error from None
            explain_failure(error)
            raise

    def __copy__(self) -> "CompiledFunction":
        """The handle itself, which does not change; `__deepcopy__` likewise."""
        return self

    def __deepcopy__(self, memo) -> "CompiledFunction":
        return self

    def __reduce__(self):
        raise TypeError(f"{self!r} cannot be pickled: its code is loaded in this process; pickle the @jit function, and compile it again "
                        "from the disk cache")

    def __repr__(self) -> str:
        return f"<compiled function {self.__name__}>"

    # The artifact's views, so that a handle can be looked at.

    @property
    def ir(self) -> Optional[str]:
        """The compiled module, as text."""
        return self.artifact.ir

    @property
    def source_ir(self) -> Optional[str]:
        """The module as it was traced, as text."""
        return self.artifact.source_ir

    def print_ir(self, compiled: bool = True) -> None:
        """Prints the compiled module, or with `compiled=False` the traced one."""
        self.artifact.print_ir(compiled)

    def dump(self, compiled: bool = True) -> Optional[str]:
        """The text that print_ir prints."""
        return self.artifact.dump(compiled)

    def max_blocks_per_cu(self) -> int:
        """Workgroups that a compute unit can hold at once.

        ValueError unless the launcher has exactly one launch with constant sizes.
        """
        if len(self._launches) != 1:
            raise ValueError(f"max_blocks_per_cu: '{self.__name__}' has {len(self._launches)} launches, expected "
                             "exactly one")
        kernel, _, block = self._launches[0]
        if None in block:
            raise ValueError(f"max_blocks_per_cu: the block of kernel '{kernel}' is not constant")
        raise NotImplementedError("max_blocks_per_cu is not supported yet; fly-translate --fly-report tells the "
                                  "occupancy of a kernel")

    def export_to_c(self, file_path: str, file_name: str, function_prefix: str = "") -> Any:
        """Would write an object and a C header. NotImplementedError."""
        raise NotImplementedError("export_to_c: ahead-of-time export is not supported yet")
