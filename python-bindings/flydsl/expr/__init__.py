# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The language of kernels, as one flat namespace: `import flydsl.expr as fx`.

Numbers and vectors, the layout algebra, tensors, copies and matrix operations,
GPU indices, shared memory, mathematics. `rocdl`, `buffer_ops` and the extension
libraries are submodules, loaded when first used.
"""
import importlib as _importlib

from . import arith, gpu, math, utils  # noqa: F401
from . import derived as _derived
from . import enum as _enum
from . import llvm as _llvm
from . import meta as _meta
from . import numeric as _numeric
from . import primitive as _primitive
from . import printing as _printing
from . import struct as _struct_module
from . import typing as _typing

# Later modules override earlier ones.
_FLAT = (_numeric, _typing, _enum, _meta, _printing, _primitive, gpu, _derived, _struct_module, arith, math, _llvm)
_SUBMODULES = ("buffer_ops", "coop", "extern", "ktrace", "random", "rocdl", "tdm_ops")


def _fill() -> list:
    names: dict = {}
    for module in _FLAT:
        for name in module.__all__:
            names[name] = getattr(module, name)
    globals().update(names)
    return sorted(names)


__all__ = [*_fill(), "arith", "gpu", "math", "utils", *_SUBMODULES]


def __getattr__(name: str):
    if name in _SUBMODULES:
        module = _importlib.import_module(f".{name}", __name__)
        globals()[name] = module
        return module
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'" + _near(name))


def _near(name: str) -> str:
    """", did you mean ...?" for a misspelt public name."""
    import difflib
    if name.startswith("_"):
        return ""
    lower = {known.lower(): known for known in __all__}
    found = difflib.get_close_matches(name.lower(), lower, 1, 0.75)
    if found:
        return f"; did you mean 'fx.{lower[found[0]]}'?"
    for module in ("rocdl", "math", "gpu", "arith"):
        if hasattr(_importlib.import_module(f".{module}", __name__), name):
            return f"; did you mean 'fx.{module}.{name}'?"
    return ""


def __dir__():
    return sorted(set(globals()) | set(_SUBMODULES))
