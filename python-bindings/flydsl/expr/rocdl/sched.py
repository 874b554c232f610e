# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Order of instructions, waits and priorities."""

from __future__ import annotations

from ..chip import chip_has_feature, current_arch
from .builders import module, static_int

__all__ = [
    "asyncmark", "disable_xdl_arb_stall", "mask_dsrd", "mask_dswr", "mask_mfma", "mask_vmem_rd", "s_barrier", "s_setprio", "s_wait_asynccnt",
    "s_wait_dscnt", "s_wait_expcnt", "s_wait_loadcnt", "s_wait_storecnt", "s_wait_tensorcnt", "s_waitcnt", "sched_barrier", "sched_dsrd", "sched_dswr",
    "sched_group_barrier", "sched_mfma", "sched_vmem", "wait_asyncmark",
]

# Classes of instructions in scheduling masks.
mask_non_mem_non_sideeffect = 0x001
mask_valu = 0x002
mask_salu = 0x004
mask_mfma = 0x008
mask_all_vmem = 0x010
mask_vmem_rd = 0x020
mask_vmem_wr = 0x040
mask_all_ds = 0x080
mask_dsrd = 0x100
mask_dswr = 0x200
mask_transcendental = 0x400
mask_ldsdma = 0x800


def sched_barrier(mask=0) -> None:
    """No instruction is moved across, but for the classes in `mask` (0: none)."""
    module().sched_barrier(static_int(mask, "sched_barrier: mask"))


def sched_group_barrier(mask, size, group=0) -> None:
    """The next `size` instructions of the classes in `mask` stand here; barriers of one `group` are kept in order."""
    module().sched_group_barrier(static_int(mask, "sched_group_barrier: mask"), static_int(size, "sched_group_barrier: size"),
                                 static_int(group, "sched_group_barrier: group"))


def sched_mfma(cnt) -> None:
    """Group barrier of `cnt` matrix instructions."""
    sched_group_barrier(mask_mfma, cnt, 0)


def sched_vmem(cnt) -> None:
    """Group barrier of `cnt` reads of global memory."""
    sched_group_barrier(mask_vmem_rd, cnt, 0)


def sched_dsrd(cnt) -> None:
    """Group barrier of `cnt` reads of shared memory."""
    sched_group_barrier(mask_dsrd, cnt, 0)


def sched_dswr(cnt) -> None:
    """Group barrier of `cnt` writes of shared memory."""
    sched_group_barrier(mask_dswr, cnt, 0)


def s_barrier() -> None:
    """The barrier instruction alone: waves wait for each other, memory does not."""
    module().s_barrier()


def s_setprio(priority) -> None:
    """The wave's priority, 0 to 3."""
    priority = static_int(priority, "s_setprio: priority")
    if not 0 <= priority <= 3:
        raise ValueError(f"s_setprio: the priority must be 0 to 3, got {priority}")
    module().s_setprio(priority)


#===----------------------------------------------------------------------===#
# Waits
#===----------------------------------------------------------------------===#

class _Field:
    """Bits of the counter field of s_waitcnt: a list of (lowest bit in the field, number of bits), lowest part first.
    """

    def __init__(self, *parts):
        self.parts = parts
        self.limit = (1 << sum(width for _, width in parts)) - 1

    def encode(self, count):
        field = 0
        for low, width in self.parts:
            field |= (count & ((1 << width) - 1)) << low
            count >>= width
        return field


_CDNA = {"vmcnt": _Field((0, 4), (14, 2)), "expcnt": _Field((4, 3)), "lgkmcnt": _Field((8, 4))}
_RDNA = {"vmcnt": _Field((10, 6)), "expcnt": _Field((0, 3)), "lgkmcnt": _Field((4, 6))}


def _counters(arch):
    if chip_has_feature("mfma", arch):
        return _CDNA
    if chip_has_feature("wmma-gfx11", arch) or chip_has_feature("wmma-gfx12", arch):
        return _RDNA
    raise ValueError(f"s_waitcnt: the counters of {arch} have no common field; use s_wait_loadcnt, s_wait_dscnt, …")


def s_waitcnt(bitfield=None, *, vmcnt=None, lgkmcnt=None, expcnt=None) -> None:
    """Waits until at most the named numbers of operations are outstanding; a counter that is not named is not waited
    for.

    `bitfield` is the instruction's raw field instead. ValueError for a count beyond the chip's counter, or a chip
    without the instruction; TypeError for run-time counts.
    """
    named = {"vmcnt": vmcnt, "lgkmcnt": lgkmcnt, "expcnt": expcnt}
    if bitfield is not None:
        if any(count is not None for count in named.values()):
            raise TypeError("s_waitcnt: give the raw field or named counters, not both")
        field = static_int(bitfield, "s_waitcnt: bitfield")
        if not 0 <= field <= 0xFFFF:
            raise ValueError(f"s_waitcnt: bitfield must have 16 bits, got {field}")
        module().s_waitcnt(field)
        return
    if all(count is None for count in named.values()):
        raise TypeError("s_waitcnt: give the raw field or at least one of vmcnt, lgkmcnt, expcnt")
    arch = current_arch()
    field = 0
    for name, counter in _counters(arch).items():
        count = counter.limit if named[name] is None else static_int(named[name], f"s_waitcnt: {name}")
        if not 0 <= count <= counter.limit:
            raise ValueError(f"s_waitcnt: {name} must be 0 to {counter.limit} on {arch}, got {count}")
        field |= counter.encode(count)
    module().s_waitcnt(field)


def _wait(name, count):
    count = static_int(count, f"{name}: count")
    if count < 0:
        raise ValueError(f"{name}: the count must not be negative, got {count}")
    getattr(module(), name)(count)


def s_wait_asynccnt(count=0) -> None:
    """Waits until at most `count` asynchronous copies to shared memory are outstanding (gfx1250)."""
    _wait("s_wait_asynccnt", count)


def s_wait_dscnt(count=0) -> None:
    """Waits until at most `count` operations on shared memory are outstanding (gfx12)."""
    _wait("s_wait_dscnt", count)


def s_wait_expcnt(count=0) -> None:
    """Waits until at most `count` exports are outstanding (gfx12)."""
    _wait("s_wait_expcnt", count)


def s_wait_loadcnt(count=0) -> None:
    """Waits until at most `count` loads are outstanding (gfx12)."""
    _wait("s_wait_loadcnt", count)


def s_wait_storecnt(count=0) -> None:
    """Waits until at most `count` stores are outstanding (gfx12)."""
    _wait("s_wait_storecnt", count)


def s_wait_tensorcnt(count=0) -> None:
    """Waits until at most `count` tensor copies are outstanding (gfx1250)."""
    _wait("s_wait_tensorcnt", count)


def _has_async_counter(what) -> bool:
    """Whether the current chip counts copies to shared memory apart from loads; ValueError if it has no such copies."""
    if chip_has_feature("clusters"):
        return True
    if chip_has_feature("lds-dma-32"):
        return False
    raise ValueError(f"{what} is not available on {current_arch()}: the chip has no copies to shared memory that pass by registers")


def asyncmark() -> None:
    """Closes a group of asynchronous copies to shared memory; ValueError on chips that have none.

    `wait_asyncmark` waits for all groups, so that a mark needs no instruction.
    """
    _has_async_counter("asyncmark")


def wait_asyncmark(count) -> None:
    """Waits until at most `count` groups closed by `asyncmark` are outstanding; ValueError on chips that have no
    asynchronous copies to shared memory.

    LLVM 22 cannot count groups: the wave waits for all of its copies, and on CDNA chips for its loads too.
    """
    groups = static_int(count, "wait_asyncmark: count")
    if groups < 0:
        raise ValueError(f"wait_asyncmark: the count must not be negative, got {groups}")
    if _has_async_counter("wait_asyncmark"):
        s_wait_asynccnt(0)
    else:
        s_waitcnt(vmcnt=0)


def disable_xdl_arb_stall() -> None:
    """Lets a wave issue matrix instructions back to back: the wave no longer stalls after one so that others can issue
    (gfx1250).
    """
    from .builders import constant, i32_type
    from .intrinsics import call_intrinsic

    if not chip_has_feature("wmma-gfx1250"):
        raise ValueError(f"disable_xdl_arb_stall is of gfx1250, not of {current_arch()}")
    # Register 26 (WAVE_SCHED_MODE), bit 2, one bit, as the CDNA5 manual has it.
    register = 26 | (2 << 6)
    call_intrinsic("llvm.amdgcn.s.setreg", None, [constant(i32_type(), register), constant(i32_type(), 1)])
