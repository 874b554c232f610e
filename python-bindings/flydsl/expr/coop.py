# Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cooperation of the lanes of a wave and the threads of a block. Not supported yet: the names exist, any use raises
NotImplementedError.
"""

from types import SimpleNamespace

from ._unsupported import unsupported_class, unsupported_function

_FUNCTIONS = [
    "warp_reduce", "warp_sum", "warp_max", "warp_min", "warp_broadcast", "warp_reduce_batched", "warp_reduce_batched_to_blocked",
    "warp_reduce_batched_to_striped", "warp_sum_batched", "warp_sum_batched_to_blocked", "warp_sum_batched_to_striped", "warp_head_segmented_reduce",
    "warp_head_segmented_sum", "warp_tail_segmented_reduce", "warp_tail_segmented_sum", "warp_inclusive_scan", "warp_inclusive_sum",
    "warp_exclusive_scan", "warp_exclusive_sum", "warp_scan", "warp_scan_with_aggregate", "warp_bitonic_sort", "warp_merge_sort",
]
_BLOCK = ["BlockReduce", "BlockScan", "BlockLoad", "BlockStore", "BlockExchange", "BlockShuffle", "BlockHistogram", "BlockRadixRank", "BlockRadixSort",
          "BlockMergeSort", "BlockTopK", "BlockRunLengthDecode", "BlockAdjacentDifference", "BlockDiscontinuity"]
_CLASSES = ["WarpReduce", "WarpScan", "WarpReduceBatched", "WarpExchange", "WarpLoad", "WarpStore", "WarpBitonicSort", "WarpMergeSort", *_BLOCK,
            *(f"{name}Algorithm" for name in _BLOCK)]

__all__ = [*_FUNCTIONS, *_CLASSES, "universal"]


def _fill(module):
    return {**{name: unsupported_function(module, name) for name in _FUNCTIONS}, **{name: unsupported_class(module, name) for name in _CLASSES}}


globals().update(_fill("fx.coop"))
universal = SimpleNamespace(**_fill("fx.coop.universal"))
