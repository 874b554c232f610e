# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hints on register banks; the compiler has none of them yet."""

__all__ = ["sched_agpr", "sched_bank", "sched_sgpr", "sched_vgpr"]


def _unsupported(name):
    raise NotImplementedError(f"rocdl.experimental.{name} is not supported yet: the compiler has no hint on registers")


def sched_bank(value, n, soft=False):
    """Asks for register bank `n` for `value`. Not supported yet."""
    _unsupported("sched_bank")


def sched_vgpr(value, n, soft=False):
    """Asks for vector register `n` for `value`. Not supported yet."""
    _unsupported("sched_vgpr")


def sched_sgpr(value, n, soft=False):
    """Asks for scalar register `n` for `value`. Not supported yet."""
    _unsupported("sched_sgpr")


def sched_agpr(value, n, soft=False):
    """Asks for accumulation register `n` for `value`. Not supported yet."""
    _unsupported("sched_agpr")
