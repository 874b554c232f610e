# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Kernels written for the binding: each module builds a launcher and has a NumPy reference.

The modules import without a GPU. ``build_…`` and ``compile_…`` return a ``@flyc.jit`` launcher for the sizes that
are fixed at compile time; ``reference`` computes the same with NumPy in float32 or wider.
"""
