# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""c = a + b over vectors of any length.

Each thread moves ``vector`` neighbouring values with one copy where the whole vector is inside, and value by value at the
end. Chips: all (only universal atoms).
"""
import flydsl.compiler as flyc
import flydsl.expr as fx

from ..common.operands import check_values


def build_vector_add(dtype=fx.Float32, block=256, vector=4):
    """Returns ``vector_add(a, b, c, n, stream)`` for one-dimensional tensors of ``dtype``.

    block: threads of a workgroup. vector: values a thread; ``vector * dtype.width`` is 8, 16, 32, 64 or 128 bits.
    n: number of values (run-time), any.
    """
    tile = block * vector
    bits = vector * dtype.width
    if bits not in (8, 16, 32, 64, 128):
        raise ValueError(f"vector_add: {vector} values of {dtype.__name__} are {bits} bits, expected 8, 16, 32, 64 or 128")

    @flyc.kernel
    def vector_add_kernel(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor, n: fx.Int32):
        tid = fx.thread_idx.x
        bid = fx.block_idx.x
        first = bid * tile + tid * vector
        wide = fx.make_copy_atom(fx.UniversalCopy(bits), dtype)

        def mine(t):
            part = fx.slice(fx.zipped_divide(t, fx.make_layout(tile, 1)), (None, bid))
            return fx.slice(fx.zipped_divide(part, fx.make_layout(vector, 1)), (None, tid))

        src_a, src_b, dst = mine(a), mine(b), mine(c)
        if first + vector <= n:
            reg_a, reg_b = fx.make_rmem_tensor(vector, dtype), fx.make_rmem_tensor(vector, dtype)
            reg_c = fx.make_rmem_tensor(vector, dtype)
            fx.copy(wide, src_a, reg_a)
            fx.copy(wide, src_b, reg_b)
            reg_c.store(reg_a.load() + reg_b.load())
            fx.copy(wide, reg_c, dst)
        else:
            for i in fx.range_constexpr(vector):
                if first + i < n:
                    dst[i] = src_a[i] + src_b[i]

    @flyc.jit
    def vector_add(a: fx.Tensor, b: fx.Tensor, c: fx.Tensor, n: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        for name, tensor in (("a", a), ("b", b), ("c", c)):
            check_values("vector_add", name, tensor, n)
        vector_add_kernel(a, b, c, n).launch(grid=(fx.ceildiv(n, tile),), block=(block,), stream=stream)

    return vector_add


def reference(a, b):
    """a + b in the type of a."""
    return (a + b).astype(a.dtype)
