# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""AMD GPUs: buffers, atoms and instructions.

Every operation of MLIR's `rocdl` dialect can be taken from here by its builder's name; its operands may be DSL
values and Python numbers. Names below have signatures of their own. Submodules: `cdna3`, `cdna4`, `cdna5`, `rdna3`,
`rdna4` (atoms by family), `cluster`, `tdm_ops`, `inline_asm`, `experimental`, `enum`.
"""

import importlib

from . import copy_atoms as _copy_atoms
from .buffers import get_buffer_rsrc, make_buffer_ptr, make_buffer_tensor, s_buffer_load  # noqa: F401
from .copy_atoms import *  # noqa: F401,F403
from .enum import SyncScope, TargetAddressSpace  # noqa: F401
from .mma_atoms import MFMA, WMMA  # noqa: F401
from .sched import *  # noqa: F401,F403
from .sched import (  # noqa: F401
    mask_all_ds, mask_all_vmem, mask_ldsdma, mask_non_mem_non_sideeffect, mask_salu, mask_transcendental, mask_valu, mask_vmem_wr,
)

__all__ = [
    "cdna3", "cdna4", "rdna3", "rdna4", "experimental", "SyncScope", "s_waitcnt", "asyncmark", "wait_asyncmark", *_copy_atoms.__all__, "MFMA", "WMMA",
    "make_buffer_ptr", "make_buffer_tensor", "get_buffer_rsrc", "s_buffer_load", "sched_mfma", "sched_vmem", "sched_dsrd", "sched_dswr",
]

_SUBMODULES = ("cdna3", "cdna4", "cdna5", "cluster", "enum", "experimental", "inline_asm", "rdna3", "rdna4", "sched", "tdm_ops", "universal")
_FROM = ("intrinsics", "matrix", "cdna4", "cdna5", "mma_atoms")


def __getattr__(name):
    found = _find(name)
    if found is None:
        raise AttributeError(f"module 'flydsl.expr.rocdl' has no attribute '{name}'")
    globals()[name] = found
    return found


def _find(name):
    if name.startswith("__"):
        return None
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    for source in _FROM:
        module = importlib.import_module(f"{__name__}.{source}")
        if name in module.__all__:
            return getattr(module, name)
    from . import builders, matrix

    if matrix.is_listed(name):
        return matrix.listed(name)
    return builders.find(name)


def __dir__():
    from . import builders

    extra = [name for source in _FROM for name in importlib.import_module(f"{__name__}.{source}").__all__]
    return sorted({*globals(), *_SUBMODULES, *extra, *builders.names()})
