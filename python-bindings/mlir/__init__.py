# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR's Python binding with Fly's dialects, under a name of its own.

Submodules are upstream's: ir, passmanager, rewrite, dialects.*. It shares no
class with another package of MLIR in the process.
"""


def _load():
    """Imports the core, or says why this installation cannot be used."""
    import os
    import re
    import sys
    import sysconfig

    try:
        import _interpreters as interpreters  # Python 3.13
    except ImportError:
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            interpreters = None
    if interpreters is not None:
        # (id, kind) since Python 3.13, an id before.
        current, main = ((i[0] if isinstance(i, tuple) else i) for i in (interpreters.get_current(), interpreters.get_main()))
        if current != main:
            raise ImportError("flydsl works in the main interpreter only: MLIR's Python binding keeps one state for the process; use "
                              "threads or processes in place of sub-interpreters")
    folder = os.path.join(os.path.dirname(__file__), "_mlir_libs")
    if not os.path.exists(os.path.join(folder, "_mlir" + sysconfig.get_config_var("EXT_SUFFIX"))):
        built = [re.search(r"cpython-(\d)(\d+)", name) for name in sorted(os.listdir(folder)) if name.startswith("_mlir.")]
        versions = ", ".join(f"{match[1]}.{match[2]}" for match in built if match) or "none"
        raise ImportError(f"flydsl was built for CPython {versions}, this is {sys.version_info[0]}.{sys.version_info[1]}: "
                          "install the wheel for this version, or build it with this interpreter")
    try:
        from ._mlir_libs import _mlir  # noqa: F401
    except ImportError as error:
        if "libMLIR" in str(error) or "libLLVM" in str(error):
            raise ImportError(f"flydsl needs MLIR 22.1 (Debian package libmlir-22): {error}") from None
        raise


_load()
del _load
