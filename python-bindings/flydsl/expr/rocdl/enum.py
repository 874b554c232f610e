# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Enumerations of AMD targets."""

from ..._mlir import ir

__all__ = ["SyncScope", "TargetAddressSpace"]


class SyncScope:
    """LLVM's synchronisation scopes of AMD GPUs, for atomics and fences."""

    System = ""
    Agent = "agent"
    Workgroup = "workgroup"
    Wavefront = "wavefront"
    SingleThread = "singlethread"
    OneAs = "one-as"
    AgentOneAs = "agent-one-as"
    WorkgroupOneAs = "workgroup-one-as"
    WavefrontOneAs = "wavefront-one-as"
    SingleThreadOneAs = "singlethread-one-as"


class _TargetAddressSpaces(type):
    @property
    def BufferDesc(cls):
        """`#fly_rocdl.buffer_desc`, the address space of buffer pointers, in the current context."""
        return ir.Attribute.parse("#fly_rocdl.buffer_desc")


class TargetAddressSpace(metaclass=_TargetAddressSpaces):
    """Address spaces that only AMD targets have; each is an attribute of the current context."""
