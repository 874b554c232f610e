# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""FLYDSL_CHECK=memory finds shared memory that is used while a copy to it may be under way."""

import numpy as np
import pytest

import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl.expr import rocdl


@flyc.kernel
def moving_kernel(src: fx.Tensor, dst: fx.Tensor, waits: fx.Constexpr[bool]):
    tid = fx.thread_idx.x
    one = fx.make_layout(1, 1)
    shared = fx.SharedAllocator().allocate(fx.Array[fx.Int32, 128, 16]).peek().view(fx.make_layout(128, 1))
    buffer = rocdl.make_buffer_tensor(src, max_size=False)
    atom = fx.make_copy_atom(rocdl.BufferCopyLDS32b(), fx.Int32)
    fx.copy_atom_call(atom, fx.slice(fx.zipped_divide(buffer, one), (None, tid)), fx.slice(fx.zipped_divide(shared, one), (None, tid)))
    if fx.const_expr(waits):
        rocdl.s_waitcnt(0)
    rocdl.s_barrier()
    dst[tid] = shared[127 - tid]


@flyc.jit
def moving(src: fx.Tensor, dst: fx.Tensor, waits: fx.Constexpr[bool]):
    moving_kernel(src, dst, waits).launch(grid=(1,), block=(128,))


def test_memory_check_finds_a_missing_wait(monkeypatch):
    monkeypatch.setenv("FLYDSL_CHECK", "memory")
    monkeypatch.setenv("FLYDSL_GPU_ARCH", "gfx942")
    src, dst = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    moving(flyc.from_dlpack(src), flyc.from_dlpack(dst), True)
    np.testing.assert_array_equal(dst, src[::-1])
    with pytest.raises(RuntimeError, match="read of LDS byte [0-9]+, which the rocdl.raw.ptr.buffer.load.lds of wave [01] at .* writes: that wave has not waited for it"):
        moving(flyc.from_dlpack(src), flyc.from_dlpack(dst), False)
