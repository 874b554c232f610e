// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guarded memory by mmap: one reservation, its inside made accessible.

#include "GuardedMemory.h"

#include <initializer_list>
#include <sys/mman.h>
#include <unistd.h>

using namespace fly::cpu;

/// Address space on each side of an allocation. Only a reservation, so it may
/// be wide: a wrong stride or a missing check of a tail does not jump over it.
static constexpr uint64_t guardBytes = uint64_t(64) << 20;

GuardedMemory fly::cpu::mapGuarded(uint64_t bytes, uint64_t alignment) {
  GuardedMemory memory;
  if (bytes > PTRDIFF_MAX / 2)
    return memory;
  const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  const uint64_t padded = (bytes + alignment - 1) & ~(alignment - 1);
  const uint64_t inner = (padded + page - 1) & ~(page - 1);
  // Where the address space is short, a page has to do.
  void *start = MAP_FAILED;
  uint64_t guard = guardBytes;
  for (uint64_t wanted : {guardBytes, page}) {
    guard = wanted;
    start = mmap(nullptr, inner + 2 * guard, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start != MAP_FAILED)
      break;
  }
  if (start == MAP_FAILED)
    return memory;
  auto *first = static_cast<unsigned char *>(start) + guard;
  if (inner != 0 && mprotect(first, inner, PROT_READ | PROT_WRITE) != 0) {
    munmap(start, inner + 2 * guard);
    return memory;
  }
  memory.start = start;
  memory.mappedBytes = inner + 2 * guard;
  memory.open = first;
  memory.openBytes = inner;
  memory.address = first + (inner - padded);
  memory.bytes = bytes;
  restorePadding(memory);
  return memory;
}

/// Calls `visit(begin, end)` for the padding before and behind the bytes.
template <typename Visit>
static void forEachPadding(const GuardedMemory &memory, Visit visit) {
  visit(memory.open, memory.address);
  visit(memory.address + memory.bytes, memory.open + memory.openBytes);
}

bool fly::cpu::isPaddingIntact(const GuardedMemory &memory) {
  bool intact = true;
  forEachPadding(memory, [&](unsigned char *begin, unsigned char *end) {
    for (; begin != end; ++begin)
      intact &= *begin == paddingByte(begin);
  });
  return intact;
}

void fly::cpu::restorePadding(const GuardedMemory &memory) {
  forEachPadding(memory, [](unsigned char *begin, unsigned char *end) {
    for (; begin != end; ++begin)
      *begin = paddingByte(begin);
  });
}

void fly::cpu::unmapGuarded(GuardedMemory &memory) {
  if (memory.start)
    munmap(memory.start, memory.mappedBytes);
  memory = GuardedMemory();
}
