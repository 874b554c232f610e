// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory between two ranges that no access may touch: what a kernel is given,
// so that leaving it is a fault at the access.

#ifndef FLY_RUNTIME_CPU_GUARDEDMEMORY_H
#define FLY_RUNTIME_CPU_GUARDEDMEMORY_H

#include <cstdint>

namespace fly::cpu {

/// One mapping. `address` is what the kernel sees; it ends at the guard, but
/// for the padding to the alignment, and begins up to a page behind the other.
/// Zero bytes are possible.
struct GuardedMemory {
  void *start = nullptr; ///< with the guards
  uint64_t mappedBytes = 0;
  unsigned char *open = nullptr; ///< what can be accessed: whole pages
  uint64_t openBytes = 0;
  unsigned char *address = nullptr;
  uint64_t bytes = 0; ///< as asked for
  bool isLds = false;
};

/// What the padding at `address` is filled with: no value that is stored twice
/// in a row, and as a float of any width a large finite one, so that a read of it
/// shows, and that what was computed from it and written back differs, which a
/// NaN would not.
inline unsigned char paddingByte(const unsigned char *address) {
  return 0xe0 | (reinterpret_cast<uintptr_t>(address) & 0xf);
}

/// Maps `bytes`, aligned to `alignment` (a power of two, at most a page). The
/// contents are zero. A null `address` if the memory cannot be had.
GuardedMemory mapGuarded(uint64_t bytes, uint64_t alignment);

/// True if nothing was written beside the `bytes` (but what stood there).
bool isPaddingIntact(const GuardedMemory &memory);

/// Fills the padding again.
void restorePadding(const GuardedMemory &memory);

/// Unmaps and clears; nothing for one that holds nothing.
void unmapGuarded(GuardedMemory &memory);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_GUARDEDMEMORY_H
