// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves from memory to LDS and transposing reads of LDS. Of the moves the LDS
// address is the wave's, given by its lowest active lane; lane l writes at
// address + offset + l * size, whatever its position among the active lanes.
// (AMD "Instinct MI300" ISA, "Memory buffer load to LDS": the instruction's
// offset counts in both addresses.) The device takes no notice of the lowest
// two bits of an LDS address here (Vega ISA, 8.1.7): such an address is a
// fault.

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

/// The LDS address of the wave. A kernel gives either one address for the wave
/// or each lane the one where it writes; other addresses would be lost.
static bool findBase(fly_cpu_group &group, const Field &lds, int32_t size,
                     uint32_t &base) {
  uint32_t first = firstLane(group);
  base = lds.read<uint32_t>(first);
  bool isUniform = true, isInOrder = true;
  uint32_t culprit = first;
  for (uint64_t left = group.exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    uint32_t address = lds.read<uint32_t>(lane);
    bool isHere = address == base + lane * static_cast<uint32_t>(size);
    if (address != base && !isHere)
      culprit = lane;
    isUniform &= address == base;
    isInOrder &= isHere;
  }
  if (isUniform || isInOrder)
    return true;
  fault(group, static_cast<int32_t>(culprit),
        "a move to LDS writes lane after lane from the address of lane " +
            std::to_string(first) + ", byte " + std::to_string(base) +
            ", but this lane's address is byte " +
            std::to_string(lds.read<uint32_t>(culprit)));
  return false;
}

/// Where `lane` writes its `size` bytes in LDS; null, with a fault, if that is
/// outside of the workgroup's LDS or between two dwords.
static unsigned char *findDestination(fly_cpu_group &group, uint32_t base,
                                      int32_t offset, int32_t size,
                                      uint32_t lane) {
  int64_t address =
      static_cast<int64_t>(base) + offset + static_cast<int64_t>(lane) * size;
  bool isInside =
      address >= 0 && address + size <= static_cast<int64_t>(group.lds_bytes);
  if (isInside && address % 4 == 0) {
    unsigned char *destination = group.lds + address;
    return checkAccess(group, static_cast<int32_t>(lane), destination,
                       static_cast<uint64_t>(size),
                       FlyCpuAccessWrite | FlyCpuAccessLds | FlyCpuAccessAsync)
               ? destination
               : nullptr;
  }
  if (isInside)
    fault(group, static_cast<int32_t>(lane),
          "a move to LDS writes at byte " + std::to_string(address) +
              ", which is no multiple of 4");
  else
    fault(group, static_cast<int32_t>(lane),
          "a move to LDS writes at byte " + std::to_string(address) +
              ", outside of the workgroup's " +
              std::to_string(group.lds_bytes) + " bytes");
  return nullptr;
}

/// How many of `size` bytes at `checked` are in range of a buffer: gfx9 checks
/// each 32-bit word, later chips the whole access.
static int32_t bytesInRange(int64_t checked, uint32_t records, int32_t size,
                            bool byWord) {
  int32_t step = byWord ? 4 : size, bytes = 0;
  while (checked >= 0 && bytes < size && checked + bytes + step <= records)
    bytes += step;
  return bytes;
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
  uint32_t base;
  if (!findBase(*group, lds, size, base))
    return;
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
    const auto *source = reinterpret_cast<const unsigned char *>(
        address + soffset.read<uint32_t>(lane) + checked);
    int32_t bytes = bytesInRange(checked, rsrc.words[2], size, isGfx9(*group));
    if (bytes && !checkAccess(*group, static_cast<int32_t>(lane), source,
                              static_cast<uint64_t>(bytes),
                              FlyCpuAccessRead | FlyCpuAccessBuffer))
      return;
    std::memcpy(destination, source, bytes);
    std::memset(destination + bytes, 0, size - bytes);
  }
}

// Fields: global address, LDS address; immediates: size, offset, aux.
void fly::cpu::globalLoadLds(fly_cpu_group *group) {
  Field source(*group, 0), lds(*group, 1);
  int32_t size = flyCpuImmediate(group, 0);
  int32_t offset = flyCpuImmediate(group, 1);
  if (!checkSize(*group, size))
    return;
  uint32_t base;
  if (!findBase(*group, lds, size, base))
    return;
  for (uint64_t left = group->exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    unsigned char *destination =
        findDestination(*group, base, offset, size, lane);
    if (!destination)
      return;
    const unsigned char *from =
        source.read<const unsigned char *>(lane) + offset;
    if (!checkAccess(*group, static_cast<int32_t>(lane), from,
                     static_cast<uint64_t>(size), FlyCpuAccessRead))
      return;
    std::memcpy(destination, from, size);
  }
}

/// A transposing read: 16 lanes read `size` bytes each, at an address of their
/// own. Counted through the lanes, element e of the group goes to lane e % 16,
/// as its element e / 16. (AMD CDNA4 ISA, "Data Share", DS_READ_B64_TR_B16 and
/// its like.)
static void readTransposed(fly_cpu_group &group, uint32_t bits, uint32_t size) {
  Field address(group, 0), result = resultField(group);
  uint32_t perLane = size * 8 / bits;
  for (uint32_t row = 0; row < group.wave_size; row += 16) {
    auto active = static_cast<uint32_t>(group.exec >> row & 0xffff);
    if (!active)
      continue;
    if (active != 0xffff) {
      fault(group, static_cast<int32_t>(row + __builtin_ctz(~active)),
            "a transposing read of LDS needs all 16 lanes of its row");
      return;
    }
    const unsigned char *sources[16];
    unsigned char results[16][16] = {};
    for (uint32_t lane = 0; lane < 16; ++lane) {
      uint32_t from = address.read<uint32_t>(row + lane);
      if (static_cast<uint64_t>(from) + size > group.lds_bytes) {
        fault(group, static_cast<int32_t>(row + lane),
              "a transposing read of LDS at byte " + std::to_string(from) +
                  " is outside of the workgroup's " +
                  std::to_string(group.lds_bytes) + " bytes");
        return;
      }
      // Rows of 8 bytes, or of three dwords.
      uint32_t align = size == 8 ? 8 : 4;
      if (from % align) {
        fault(group, static_cast<int32_t>(row + lane),
              "a transposing read of LDS at byte " + std::to_string(from) +
                  ", which is no multiple of " + std::to_string(align));
        return;
      }
      sources[lane] = group.lds + from;
      if (!checkAccess(group, static_cast<int32_t>(row + lane), sources[lane],
                       size, FlyCpuAccessRead | FlyCpuAccessLds))
        return;
    }
    for (uint32_t element = 0; element < 16 * perLane; ++element) {
      const unsigned char *source = sources[element / perLane];
      unsigned char *target = results[element % 16];
      uint32_t from = element % perLane * bits, to = element / 16 * bits;
      for (uint32_t bit = 0; bit < bits; ++bit) {
        uint32_t value = source[(from + bit) / 8] >> (from + bit) % 8 & 1;
        target[(to + bit) / 8] |= value << (to + bit) % 8;
      }
    }
    for (uint32_t lane = 0; lane < 16; ++lane)
      std::memcpy(result.at(row + lane), results[lane], size);
  }
}

void fly::cpu::dsReadTr4(fly_cpu_group *group) { readTransposed(*group, 4, 8); }
void fly::cpu::dsReadTr8(fly_cpu_group *group) { readTransposed(*group, 8, 8); }
void fly::cpu::dsReadTr6(fly_cpu_group *group) {
  readTransposed(*group, 6, 12);
}
void fly::cpu::dsReadTr16(fly_cpu_group *group) {
  readTransposed(*group, 16, 8);
}
