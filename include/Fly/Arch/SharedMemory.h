// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much LDS the allocations of a kernel take together.

#ifndef FLY_ARCH_SHAREDMEMORY_H
#define FLY_ARCH_SHAREDMEMORY_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <cstdint>
#include <functional>

namespace fly::arch {

/// One allocation; the alignment, in bytes, is a power of two.
struct SharedAllocation {
  uint64_t alignment, bytes;
};

/// Bytes of the allocations as LLVM lays them out, larger alignments first
/// (AMDGPULowerModuleLDSPass). Saturates: beyond any chip's memory the exact
/// sum does not matter.
inline uint64_t getSharedBytes(llvm::ArrayRef<SharedAllocation> allocations) {
  llvm::SmallVector<SharedAllocation> sorted(allocations);
  llvm::sort(sorted, [](const SharedAllocation &x, const SharedAllocation &y) {
    return std::pair(x.alignment, x.bytes) > std::pair(y.alignment, y.bytes);
  });
  uint64_t total = 0;
  for (auto [alignment, bytes] : sorted) {
    uint64_t start =
        llvm::SaturatingAdd(total, alignment - 1) & ~(alignment - 1);
    total = llvm::SaturatingAdd(start, bytes);
  }
  return total;
}

/// The first allocation of the list with which the limit is exceeded, which
/// must be the case for all of them.
inline size_t findCulprit(llvm::ArrayRef<SharedAllocation> allocations,
                          uint64_t limit) {
  size_t last = 0;
  while (last + 1 < allocations.size() &&
         getSharedBytes(allocations.take_front(last + 1)) <= limit)
    ++last;
  return last;
}

} // namespace fly::arch

#endif // FLY_ARCH_SHAREDMEMORY_H
