# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clusters of workgroups (gfx1250): barrier and position."""

from __future__ import annotations

from ..._mlir import ir
from .atom_types import require_feature
from .builders import constant, i32_type, module
from .intrinsics import cluster_workgroup_id_x, cluster_workgroup_id_y, wave_id

__all__ = ["CLUSTER_BARRIER_ID", "CLUSTER_WAIT_ALL", "cluster_barrier", "cluster_signal_once_per_wg", "cluster_wait", "compute_cluster_position",
           "is_wave_leader"]

CLUSTER_BARRIER_ID = -3
CLUSTER_WAIT_ALL = -3


def is_wave_leader():
    """True (i1) in the first wave of the workgroup."""
    from ..._mlir.dialects import arith

    return arith.cmpi(arith.CmpIPredicate.eq, wave_id(), constant(i32_type(), 0))


def cluster_signal_once_per_wg() -> None:
    """Signals the cluster barrier, once for each workgroup: its first wave does it."""
    from ..._mlir.dialects import scf

    require_feature("rocdl.cluster", "clusters")
    branch = scf.IfOp(is_wave_leader())
    with ir.InsertionPoint(branch.then_block):
        module().s_barrier_signal(CLUSTER_BARRIER_ID)
        scf.YieldOp([])


def cluster_wait() -> None:
    """Waits until all workgroups of the cluster have signalled."""
    require_feature("rocdl.cluster", "clusters")
    module().s_barrier_wait(CLUSTER_WAIT_ALL)


def cluster_barrier() -> None:
    """All workgroups of the cluster wait for each other."""
    from .. import gpu

    # The waves of the group arrive first, so that the one signal speaks for all of them.
    gpu.barrier()
    cluster_signal_once_per_wg()
    cluster_wait()


def compute_cluster_position():
    """(x, y): the workgroup's position in its cluster, `index` values."""
    from ..._mlir.dialects import arith

    index = ir.IndexType.get()
    return tuple(arith.index_cast(index, position) for position in (cluster_workgroup_id_x(), cluster_workgroup_id_y()))
