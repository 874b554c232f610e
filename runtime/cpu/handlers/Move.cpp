// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves from memory to LDS. The LDS address is the wave's, given by its lowest
// active lane; lane l writes at address + offset + l * size, whatever its
// position among the active lanes. (AMD "Instinct MI300" ISA, "Memory buffer
// load to LDS": the instruction's offset counts in both addresses.)

#include "Handlers.h"

using namespace fly::cpu;

/// Whether the chip moves `size` bytes a lane; reports it if not.
static bool checkSize(fly_cpu_group &group, int32_t size) {
  bool isWide = (size == 12 || size == 16) && group.chip == 0x950;
  if (size == 4 || isWide)
    return true;
  fault(group, -1,
        "a move to LDS of " + std::to_string(size) +
            " bytes a lane is not supported on this chip");
  return false;
}

/// Where `lane` writes its `size` bytes in LDS; null, with a fault, if that is
/// outside of the workgroup's LDS.
static unsigned char *findDestination(fly_cpu_group &group, uint32_t base,
                                      int32_t offset, int32_t size,
                                      uint32_t lane) {
  int64_t address =
      static_cast<int64_t>(base) + offset + static_cast<int64_t>(lane) * size;
  if (address >= 0 && address + size <= static_cast<int64_t>(group.lds_bytes))
    return group.lds + address;
  fault(group, static_cast<int32_t>(lane),
        "a move to LDS writes at byte " + std::to_string(address) +
            ", outside of the workgroup's " + std::to_string(group.lds_bytes) +
            " bytes");
  return nullptr;
}

/// Copies what is in range of a buffer, and zeros for the rest: gfx9 checks
/// each 32-bit word, later chips the whole access.
static void loadFromBuffer(unsigned char *destination, uint64_t base,
                           int64_t checked, uint32_t unchecked,
                           uint32_t records, int32_t size, bool byWord) {
  const auto *source =
      reinterpret_cast<const unsigned char *>(base + unchecked + checked);
  int32_t step = byWord ? 4 : size;
  for (int32_t byte = 0; byte < size; byte += step) {
    bool inRange = checked >= 0 && checked + byte + step <= records;
    if (inRange)
      std::memcpy(destination + byte, source + byte, step);
    else
      std::memset(destination + byte, 0, step);
  }
}

// Fields: descriptor, LDS address, voffset, soffset; immediates: size, offset,
// aux. The range check covers voffset and offset, not soffset.
void fly::cpu::rawPtrBufferLoadLds(fly_cpu_group *group) {
  Field descriptor(*group, 0), lds(*group, 1), voffset(*group, 2),
      soffset(*group, 3);
  int32_t size = flyCpuImmediate(group, 0);
  int32_t offset = flyCpuImmediate(group, 1);
  auto aux = static_cast<uint32_t>(flyCpuImmediate(group, 2));
  if (!checkSize(*group, size))
    return;
  // The swizzle bit of the cache policy: bit 3, from gfx12 on bit 6.
  if (aux >> (group->chip >= 0x1200 ? 6 : 3) & 1) {
    fault(*group, -1, "a swizzled buffer access is not supported");
    return;
  }
  uint32_t base = lds.read<uint32_t>(firstLane(*group));
  for (uint64_t left = group->exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    struct {
      uint32_t words[4];
    } rsrc = descriptor.read<decltype(rsrc)>(lane);
    // The upper half of word 1 has the stride and the swizzle bits.
    if (rsrc.words[1] >> 16) {
      fault(*group, static_cast<int32_t>(lane),
            "the buffer descriptor has a stride or swizzle bits, which a move "
            "to LDS does not support");
      return;
    }
    unsigned char *destination =
        findDestination(*group, base, offset, size, lane);
    if (!destination)
      return;
    uint64_t address =
        static_cast<uint64_t>(rsrc.words[1] & 0xffff) << 32 | rsrc.words[0];
    int64_t checked =
        static_cast<int64_t>(voffset.read<uint32_t>(lane)) + offset;
    loadFromBuffer(destination, address, checked, soffset.read<uint32_t>(lane),
                   rsrc.words[2], size, isGfx9(*group));
  }
}

// Fields: global address, LDS address; immediates: size, offset, aux.
void fly::cpu::globalLoadLds(fly_cpu_group *group) {
  Field source(*group, 0), lds(*group, 1);
  int32_t size = flyCpuImmediate(group, 0);
  int32_t offset = flyCpuImmediate(group, 1);
  if (!checkSize(*group, size))
    return;
  uint32_t base = lds.read<uint32_t>(firstLane(*group));
  for (uint64_t left = group->exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    unsigned char *destination =
        findDestination(*group, base, offset, size, lane);
    if (!destination)
      return;
    std::memcpy(destination, source.read<const unsigned char *>(lane) + offset,
                size);
  }
}
