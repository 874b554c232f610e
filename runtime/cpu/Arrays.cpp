// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arrays of the CPU device. Each lies between ranges that no access may
// touch, so that a kernel which leaves its array by more than the padding
// faults at the access; a write into the padding is found after the launch.

#include "Arrays.h"
#include "GuardedMemory.h"

#include "../common/ByteCount.h"
#include "../common/ForkMutex.h"

#include <iterator>
#include <map>
#include <mutex>

using namespace fly::cpu;
using fly::runtime::byteCount;

namespace {
/// The arrays, and the LDS of the workgroups that run, by where their guards
/// begin.
struct Mappings {
  fly::runtime::ForkMutex mutex;
  std::map<const unsigned char *, GuardedMemory> byStart;

  using Iterator = decltype(byStart)::iterator;
  /// That whose array, padding or guards hold `address`; byStart.end() if none.
  Iterator find(const void *address) {
    auto *byte = static_cast<const unsigned char *>(address);
    auto next = byStart.upper_bound(byte);
    if (next == byStart.begin())
      return byStart.end();
    auto found = std::prev(next);
    return byte < found->first + found->second.mappedBytes ? found
                                                           : byStart.end();
  }
};
} // namespace

// Never destroyed: lowered code may still run in global destructors.
static Mappings &allocations() {
  static Mappings *mappings = new Mappings;
  return *mappings;
}

void *fly::cpu::allocateArray(uint64_t bytes) {
  // hipMalloc aligns to 256 bytes, and kernels rely on it.
  constexpr uint64_t alignment = 256;
  GuardedMemory memory = mapGuarded(bytes, alignment);
  if (!memory.address)
    return nullptr;
  Mappings &mappings = allocations();
  std::lock_guard<fly::runtime::ForkMutex> lock(mappings.mutex);
  mappings.byStart[static_cast<unsigned char *>(memory.start)] = memory;
  return memory.address;
}

bool fly::cpu::freeArray(void *address) {
  Mappings &mappings = allocations();
  std::lock_guard<fly::runtime::ForkMutex> lock(mappings.mutex);
  auto found = mappings.find(address);
  if (found == mappings.byStart.end() || found->second.address != address)
    return false;
  unmapGuarded(found->second);
  mappings.byStart.erase(found);
  return true;
}

static std::string arrayText(const GuardedMemory &array) {
  return (array.isLds ? "the LDS of " : "an array of ") +
         byteCount(array.bytes);
}

GuardedMemory fly::cpu::allocateLds(uint64_t bytes, uint64_t alignment) {
  GuardedMemory memory = mapGuarded(bytes, alignment);
  if (!memory.address)
    return memory;
  memory.isLds = true;
  Mappings &mappings = allocations();
  std::lock_guard<fly::runtime::ForkMutex> lock(mappings.mutex);
  mappings.byStart[static_cast<unsigned char *>(memory.start)] = memory;
  return memory;
}

void fly::cpu::freeLds(GuardedMemory &memory) {
  Mappings &mappings = allocations();
  std::lock_guard<fly::runtime::ForkMutex> lock(mappings.mutex);
  mappings.byStart.erase(static_cast<unsigned char *>(memory.start));
  unmapGuarded(memory);
}

std::string fly::cpu::takeLdsOverrun(const GuardedMemory &memory) {
  if (isPaddingIntact(memory))
    return std::string();
  restorePadding(memory);
  return "a write beside " + arrayText(memory);
}

std::string fly::cpu::describeOutside(const void *address, uint64_t bytes) {
  Mappings &mappings = allocations();
  std::lock_guard<fly::runtime::ForkMutex> lock(mappings.mutex);
  auto found = mappings.find(address);
  if (found == mappings.byStart.end())
    return std::string();
  const GuardedMemory &array = found->second;
  auto *byte = static_cast<const unsigned char *>(address);
  if (byte < array.address)
    return byteCount(uint64_t(array.address - byte)) + " before " +
           arrayText(array);
  if (byte + bytes <= array.address + array.bytes)
    return std::string();
  if (byte < array.address + array.bytes)
    return "across the end of " + arrayText(array);
  return byteCount(uint64_t(byte - (array.address + array.bytes))) +
         " past the end of " + arrayText(array);
}

std::string fly::cpu::takeOverrun() {
  Mappings &mappings = allocations();
  std::lock_guard<fly::runtime::ForkMutex> lock(mappings.mutex);
  std::string text;
  for (auto &[start, array] : mappings.byStart) {
    if (array.isLds || isPaddingIntact(array))
      continue;
    restorePadding(array);
    if (text.empty())
      text = "a write beside " + arrayText(array);
  }
  return text;
}
