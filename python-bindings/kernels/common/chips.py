# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Which chips a kernel is for."""
from flydsl.runtime.device import get_rocm_arch, normalize_arch


def pick(kernel, table, arch=None):
    """``table[chip]`` for the chip of ``arch`` (default: the target), or a ValueError with the chips of the table.

    kernel: its name for the text, such as "preshuffle GEMM of fp8".
    """
    chip = normalize_arch(arch or get_rocm_arch())
    if chip not in table:
        chips = ", ".join(table)
        raise ValueError(f"{kernel} is not made for chip {chip}, expected {'one of ' if len(table) > 1 else ''}{chips}")
    return table[chip]
