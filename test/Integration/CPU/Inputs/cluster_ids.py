# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The numbers of clusters of a grid of 4 x 6 x 2 workgroups in clusters of X x Y x Z: cluster_ids.py X Y Z FILE.npy"""

import sys

import numpy

grid = (4, 6, 2)
size = [int(text) for text in sys.argv[1:4]]
rows = []
for z in range(grid[2]):
    for y in range(grid[1]):
        for x in range(grid[0]):
            at = (x, y, z)
            rows += [at[i] // size[i] for i in range(3)] + [at[i] % size[i] for i in range(3)]
            rows += [grid[i] // size[i] for i in range(3)] + size
numpy.save(sys.argv[4], numpy.array(rows, numpy.int32))
