# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays for the kernels of `kernels/`, which this module puts on the path."""
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[2]))

ONE = np.ones(1, np.float32)
# Orders of the waves on the CPU: a product with a barrier too few is wrong in one of them.
SCHEDULES = ("reverse", "random:1", "random:2")


def rng():
    return np.random.default_rng(5)


def normal(shape, dtype=np.float32):
    return rng().standard_normal(shape).astype(dtype)


def guarded(shape, dtype, value=-7):
    """An array filled with `value`, with as many cells behind it that nothing may touch."""
    size = int(np.prod(shape))
    memory = np.full(size + 64, value, dtype)
    return memory[:size].reshape(shape), memory[size:]
