// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guarded memory by mmap: one reservation, its inside made accessible.

#include "GuardedMemory.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace fly::cpu;

GuardedMemory fly::cpu::mapGuarded(uint64_t bytes, uint64_t alignment) {
  GuardedMemory memory;
  if (bytes > PTRDIFF_MAX / 2)
    return memory;
  const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
  const uint64_t padded = (bytes + alignment - 1) & ~(alignment - 1);
  const uint64_t inner = (padded + page - 1) & ~(page - 1);
  void *start = mmap(nullptr, inner + 2 * page, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    return memory;
  auto *first = static_cast<unsigned char *>(start) + page;
  if (inner != 0 && mprotect(first, inner, PROT_READ | PROT_WRITE) != 0) {
    munmap(start, inner + 2 * page);
    return memory;
  }
  memory.start = start;
  memory.mappedBytes = inner + 2 * page;
  memory.address = first + (inner - padded);
  return memory;
}

void fly::cpu::unmapGuarded(GuardedMemory &memory) {
  if (memory.start)
    munmap(memory.start, memory.mappedBytes);
  memory = GuardedMemory();
}
