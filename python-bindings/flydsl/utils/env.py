# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Environment variables in groups: `compile`, `debug`, `runtime`, `autotune`, `ktrace`.

A variable is read each time its attribute is. Booleans are true for `1`,
`true`, `yes`, `on` in any case, and false for `0`, `false`, `no`, `off` and
nothing; another value, a number that does not parse or lies outside its range,
and an unknown choice are a ValueError that names the variable and what it takes.
"""
from __future__ import annotations

import os
from typing import Any, Optional

_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off", "")


class _Variable:

    def __init__(self, name: str, default: Any, doc: str):
        self.name, self.default, self.doc = name, default, doc

    def __get__(self, group, owner=None):
        if group is None:
            return self
        text = os.environ.get(self.name)
        return self.default if text is None else self.parse(text)

    def parse(self, text: str):
        return text


class _Bool(_Variable):

    def parse(self, text: str) -> bool:
        word = text.strip().lower()
        if word not in _TRUE + _FALSE:
            raise ValueError(f"Invalid value for environment variable {self.name}: expected one of {', '.join(_TRUE)}, "
                             f"{', '.join(_FALSE[:-1])}, got '{text}'")
        return word in _TRUE


class _Int(_Variable):

    def __init__(self, name, default, doc, low: Optional[int] = None, high: Optional[int] = None):
        super().__init__(name, default, doc)
        self.low, self.high = low, high

    def parse(self, text: str) -> int:
        if not text.strip():
            return self.default
        try:
            number = int(text.strip(), 0)
        except ValueError:
            raise ValueError(f"Failed to parse environment variable {self.name}: expected an integer, "
                             f"got '{text}'") from None
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            limits = f"at least {self.low}" if self.high is None else f"{self.low} to {self.high}"
            raise ValueError(f"Invalid value for environment variable {self.name}: expected {limits}, got {number}")
        return number


class _Choice(_Variable):

    def __init__(self, name, default, doc, choices):
        super().__init__(name, default, doc)
        self.choices = choices

    def parse(self, text: str) -> str:
        if not text.strip():
            return self.default
        for choice in self.choices:
            if choice.lower() == text.strip().lower():
                return choice
        raise ValueError(f"Invalid value for environment variable {self.name}: expected one of "
                         f"{', '.join(self.choices)}, got '{text}'")


class _Checks(_Variable):
    """Names with commas between; `all` and words for yes and no are allowed, too."""
    KNOWN = ("runtime", "memory")

    def parse(self, text: str) -> str:
        self.names(text)
        return text

    def names(self, text: str) -> tuple:
        """The checks that `text` names, sorted; all in the order of KNOWN. ValueError for an unknown one."""
        word = text.strip().lower()
        if word in _FALSE + ("none", ):
            return ()
        if word in _TRUE + ("all", ):
            return self.KNOWN
        wanted = tuple(sorted({part.strip() for part in word.split(",") if part.strip()}))
        for name in wanted:
            if name not in self.KNOWN:
                raise ValueError(f"{self.name}: unknown check '{name}'; known: {', '.join(self.KNOWN)}, all")
        return wanted


class _Path(_Variable):

    def parse(self, text: str) -> str:
        return os.path.expanduser(text)

    def __get__(self, group, owner=None):
        value = super().__get__(group, owner)
        return os.path.expanduser(value) if isinstance(value, str) else value


class _Group:
    """Variables as attributes, under their short names."""

    @classmethod
    def variables(cls) -> dict:
        """The variables by attribute name."""
        return {key: value for key, value in vars(cls).items() if isinstance(value, _Variable)}

    def to_dict(self) -> dict:
        """The present values by attribute name."""
        return {key: getattr(self, key) for key in self.variables()}

    def help(self) -> str:
        """One line for each variable: name, default, what it does."""
        return "\n".join(f"{v.name} (default: {v.default!r}): {v.doc}" for v in self.variables().values())


class _Compile(_Group):
    arch = _Variable("ARCH", "", "chip to compile for; goes before FLYDSL_GPU_ARCH")
    compile_only = _Bool("COMPILE_ONLY", False, "compile and store, do not run")
    backend = _Variable("FLYDSL_COMPILE_BACKEND", "rocm", "compile backend")
    opt_level = _Int("FLYDSL_COMPILE_OPT_LEVEL", 2, "optimisation level of code generation", 0, 3)
    llvm_dir = _Path("FLYDSL_COMPILE_LLVM_DIR", "", "prefix of another LLVM for the last step: not supported yet")


class _Debug(_Group):
    dump_ir = _Bool("FLYDSL_DUMP_IR", False, "write the module after each stage, the LLVM IR and the assembly")
    dump_dir = _Path("FLYDSL_DUMP_DIR", "~/.flydsl/debug", "folder of the dumps")
    dump_asm = _Bool("FLYDSL_DEBUG_DUMP_ASM", False, "write the assembly only")
    ast_diff = _Bool("FLYDSL_DEBUG_AST_DIFF", False, "log what the rewriting of Python control flow changed")
    log_level = _Choice("FLYDSL_DEBUG_LOG_LEVEL", "WARNING", "lowest level that is logged",
                        ("DEBUG", "INFO", "WARNING", "ERROR"))
    log_to_file = _Path("FLYDSL_DEBUG_LOG_TO_FILE", "", "file for the log")
    log_to_console = _Bool("FLYDSL_DEBUG_LOG_TO_CONSOLE", False, "log to standard error")
    print_origin_ir = _Bool("FLYDSL_DEBUG_PRINT_ORIGIN_IR", False, "log the module before the first pass")
    print_after_all = _Bool("FLYDSL_DEBUG_PRINT_AFTER_ALL", False, "print the module after each stage")
    enable_debug_info = _Bool("FLYDSL_DEBUG_ENABLE_DEBUG_INFO", False, "keep line tables in the code; part of the key")
    enable_verifier = _Bool("FLYDSL_DEBUG_ENABLE_VERIFIER", True, "verify between the passes")
    show_stacktrace = _Bool("FLYDSL_DEBUG_SHOW_STACKTRACE", False, "show frames of the package in tracebacks")
    max_loc_depth = _Int("FLYDSL_DEBUG_MAX_LOC_DEPTH", 5, "frames that a location keeps below the kernel's", 1, 256)


class _Runtime(_Group):
    device = _Choice("FLYDSL_DEVICE", "", "device to run on", ("cpu", "hip", "auto"))
    kind = _Variable("FLYDSL_RUNTIME_KIND", "rocm", "device runtime: rocm (same as hip), cpu")
    gpu_arch = _Variable("FLYDSL_GPU_ARCH", "", "chip to compile for")
    cache_dir = _Path("FLYDSL_RUNTIME_CACHE_DIR", "~/.flydsl/cache", "folder of the disk cache; empty: none")
    enable_cache = _Bool("FLYDSL_RUNTIME_ENABLE_CACHE", True, "use the disk cache")
    cache_bytes = _Int("FLYDSL_RUNTIME_CACHE_BYTES", 1 << 30, "bytes that the disk cache may hold", 0)
    run_only = _Bool("FLYDSL_RUNTIME_RUN_ONLY", False, "never compile, only run what the cache holds")
    extra_source_dirs = _Variable("FLYDSL_EXTRA_SOURCE_DIRS", "", "folders, with colons between, whose Python files "
                                  "are part of the cache key")
    agent_timeout = _Int("FLYDSL_ROCM_AGENT_TIMEOUT", 300, "seconds that rocm_agent_enumerator may take", 1)
    check = _Checks("FLYDSL_CHECK", "", "checks of the CPU device: runtime, or a list with commas between")


class _Autotune(_Group):
    force = _Bool("FLYDSL_AUTOTUNE", False, "force a search: not supported yet")
    cache_dir = _Path("FLYDSL_AUTOTUNE_CACHE_DIR", "~/.flydsl/autotune", "folder of tuned configurations: not "
                      "supported yet")
    config_dir = _Path("FLYDSL_AUTOTUNE_CONFIG_DIR", "", "folder of ready configurations: not supported yet")


class _Ktrace(_Group):
    enable = _Bool("FLYDSL_KTRACE_ENABLE", False, "tracing inside kernels: not supported yet")
    buffer_bytes = _Int("FLYDSL_KTRACE_BUFFER_BYTES", 67108864, "bytes of the trace buffer: not supported yet", 4096,
                        2147483648)
    blocks = _Variable("FLYDSL_KTRACE_BLOCKS", "", "blocks to trace: not supported yet")
    dump_dir = _Path("FLYDSL_KTRACE_DUMP_DIR", "", "folder of the traces: not supported yet")


compile = _Compile()
debug = _Debug()
runtime = _Runtime()
autotune = _Autotune()
ktrace = _Ktrace()

groups = {"compile": compile, "debug": debug, "runtime": runtime, "autotune": autotune, "ktrace": ktrace}

# Variables of the public interface whose subject this package does not have.
_UNSUPPORTED = ("FLYDSL_KTRACE_ENABLE", "FLYDSL_KTRACE_BUFFER_BYTES", "FLYDSL_KTRACE_BLOCKS", "FLYDSL_KTRACE_DUMP_DIR",
                "FLYDSL_AUTOTUNE", "FLYDSL_AUTOTUNE_CACHE_DIR", "FLYDSL_AUTOTUNE_CONFIG_DIR",
                "FLYDSL_COMPILE_LLVM_DIR")


def check() -> None:
    """ValueError for the first variable whose value is none of its kind, also of one that nothing has asked for yet."""
    for group in groups.values():
        group.to_dict()


def refuse_unsupported() -> None:
    """NotImplementedError if a variable is set that asks for what does not exist yet.

    A boolean that is off, or an empty text, asks for nothing.
    """
    for name in _UNSUPPORTED:
        text = os.environ.get(name)
        if not text or (name in ("FLYDSL_KTRACE_ENABLE", "FLYDSL_AUTOTUNE") and text.strip().lower() not in _TRUE):
            continue
        subject = ("tracing inside kernels (ktrace)" if "KTRACE" in name else
                   "autotuning" if "AUTOTUNE" in name else "compiling with another LLVM")
        raise NotImplementedError(f"environment variable {name} is set, but {subject} is not supported yet; unset it")
