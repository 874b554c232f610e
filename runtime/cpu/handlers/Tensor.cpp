// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor copies of gfx1250 between global memory and LDS. The wave gives one
// descriptor; EXEC does not matter. The copy is done at once, so that waits for
// it have nothing left to do. Descriptor words:
//
//   group 0  w0 1:0 count (0: do nothing, 1: a tile), 31:30 gather mode and
//            index size; w1 LDS address; w2, w3 24:0 global address; w3 31:30
//            type, 2
//   group 1  w0 15:0 workgroup mask, 17:16 log2 of the element's bytes,
//               18 barrier, 19 iterate, 20 pad, 24:22 pad interval (2^(n+1)
//               dwords), 31:25 pad amount (n+1 dwords)
//            w1 15:0 LDS address of the barrier, in units of 8 bytes
//            tensor dims 0, 1: 32 bits each from bit 48; tile dims 0, 1, 2: 16
//            bits each from bit 112; strides 0, 1: 48 bits each from bit 160
//   group 2  tensor dims 2, 3, stride 2 (48 bits), tile dim 3; with iterate:
//            w1 LDS increment, 48 bits from bit 64 global increment, 16 bits
//            from bit 112 count - 1
//   group 3  stride 3 (48 bits), tensor dim 4 (32 bits), tile dim 4 (16 bits)
//
// Increments count elements. Sources: LLVM 22's amdgpu.make_dma_descriptor and
// its lowering; the interface of Fly's own atoms; CDNA5 ISA, 10.11, as public
// texts quote it. A workgroup
// mask is for loads only, must be 0 outside of a cluster, and makes the copy a
// load for a cluster (AsyncCopy.cpp). A copy with a barrier arrives at it once,
// when it is done; one with a count of 0 does not. Stores do not pad. What
// these sources do not say is a fault that names the field.

#include "Handlers.h"

#include <algorithm>
#include <cstdio>

using namespace fly::cpu;

namespace {
/// All words, one after the other: groups of 4, 8, 4 and 4.
struct Descriptor {
  uint32_t words[20] = {};

  /// `count` bits from bit `first` of the group that begins at word `group`.
  uint64_t bits(uint32_t group, uint32_t first, uint32_t count) const {
    uint64_t value = 0;
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t bit = first + i;
      uint64_t here = words[group + bit / 32] >> bit % 32 & 1;
      value |= here << i;
    }
    return value;
  }
};

constexpr uint32_t Group0 = 0, Group1 = 4, Group2 = 12, Group3 = 16;

struct TensorCopy {
  uint64_t global = 0, lds = 0;
  uint32_t bytes = 1; ///< of an element
  uint64_t dims[5] = {}, tile[5] = {};
  uint64_t strides[5] = {1};              ///< elements
  uint64_t padInterval = 0, padBytes = 0; ///< bytes
  uint64_t iterations = 1, ldsIncrement = 0, globalIncrement = 0;
};
} // namespace

/// Reads the descriptor, which must be that of the whole wave.
static bool readDescriptor(fly_cpu_group &group, Descriptor &descriptor) {
  uint32_t first = firstLane(group), word = 0;
  for (uint32_t index = 0; index < group.site->num_operands; ++index) {
    Field field(group, index);
    std::memcpy(descriptor.words + word, field.at(first), field.size);
    word += field.size / 4;
    for (uint64_t left = group.exec; left; left &= left - 1) {
      auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
      if (std::memcmp(field.at(lane), field.at(first), field.size) == 0)
        continue;
      fault(group, static_cast<int32_t>(lane),
            "a tensor copy has one descriptor for the wave, but this lane's "
            "differs from that of lane " +
                std::to_string(first));
      return false;
    }
  }
  return true;
}

static bool decode(fly_cpu_group &group, const Descriptor &d, bool isLoad,
                   TensorCopy &copy) {
  auto refuse = [&](const std::string &what) {
    fault(group, -1, "a tensor copy " + what);
    return false;
  };
  if (d.bits(Group0, 30, 1))
    return refuse("with a size of indices (group 0 bit 30) but without gather "
                  "mode (bit 31) is not supported on the CPU");
  if (d.bits(Group0, 0, 2) != 1)
    return refuse("with a count (group 0 bits 1:0) of " +
                  std::to_string(d.bits(Group0, 0, 2)) +
                  " is not supported on the CPU, expected 0 or 1");
  if (d.bits(Group0, 2, 28) || d.bits(Group0, 121, 5) || d.words[Group3 + 3])
    return refuse("needs zeros in the descriptor's reserved bits (group 0 bits "
                  "29:2 and 125:121, group 3 bits 127:96)");
  if (d.bits(Group0, 126, 2) != 2)
    return refuse("needs a descriptor of type (group 0 bits 127:126) 2, got " +
                  std::to_string(d.bits(Group0, 126, 2)));
  copy.lds = d.bits(Group0, 32, 32);
  copy.global = d.bits(Group0, 64, 57);
  copy.bytes = 1u << d.bits(Group1, 16, 2);
  bool iterates = d.bits(Group1, 19, 1);
  // A store takes LDS as it lies.
  if (d.bits(Group1, 20, 1) && isLoad) {
    copy.padInterval = uint64_t(8) << d.bits(Group1, 22, 3);
    copy.padBytes = 4 * (d.bits(Group1, 25, 7) + 1);
  }
  copy.dims[0] = d.bits(Group1, 48, 32);
  copy.dims[1] = d.bits(Group1, 80, 32);
  copy.tile[0] = d.bits(Group1, 112, 16);
  copy.tile[1] = d.bits(Group1, 128, 16);
  copy.tile[2] = d.bits(Group1, 144, 16);
  copy.strides[1] = d.bits(Group1, 160, 48);
  copy.strides[2] = d.bits(Group1, 208, 48);
  if (iterates) {
    if (copy.tile[2] || d.bits(Group3, 80, 16))
      return refuse("of three dimensions (tile_dim2, group 1 bits 159:144) "
                    "cannot iterate");
    if (copy.padInterval)
      return refuse("that iterates (iterate_enable, group 1 bit 19) and pads "
                    "(pad_enable, bit 20) is not supported on the CPU");
    copy.ldsIncrement = d.bits(Group2, 32, 32) * copy.bytes;
    copy.globalIncrement = d.bits(Group2, 64, 48) * copy.bytes;
    copy.iterations = d.bits(Group2, 112, 16) + 1;
  } else {
    copy.dims[2] = d.bits(Group2, 0, 32);
    copy.dims[3] = d.bits(Group2, 32, 32);
    copy.strides[3] = d.bits(Group2, 64, 48);
    copy.tile[3] = d.bits(Group2, 112, 16);
  }
  copy.strides[4] = d.bits(Group3, 0, 48);
  copy.dims[4] = d.bits(Group3, 48, 32);
  copy.tile[4] = d.bits(Group3, 80, 16);
  if (!copy.tile[0])
    return refuse("has an empty tile (tile_dim0, group 1 bits 127:112)");
  if (copy.global % copy.bytes || copy.lds % copy.bytes)
    return refuse("of elements of " + std::to_string(copy.bytes) +
                  " bytes needs addresses of their multiples, got global " +
                  std::to_string(copy.global) + " and LDS " +
                  std::to_string(copy.lds));
  // Dimensions without a tile are not there.
  for (int i = 1; i < 5; ++i)
    if (!copy.tile[i]) {
      copy.tile[i] = 1;
      copy.dims[i] = 1;
      copy.strides[i] = 0;
    }
  return true;
}

/// False of addresses that no process can have: the kernel does not tell which
/// one an access was to. The device's have 57 bits, those of programs on a host
/// 48 or less.
static bool isHostAddress(const unsigned char *memory, uint64_t bytes) {
  constexpr uint64_t limit = uint64_t(1) << 48;
  auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(memory));
  return address < limit && bytes <= limit - address;
}

/// One run along dimension 0, whose elements lie side by side in memory; those
/// from `inside` on are beyond the tensor: zeros in LDS, left alone in memory.
/// `place` counts the bytes of the walk without padding.
static bool copyRow(fly_cpu_group &group, const TensorCopy &copy,
                    unsigned char *memory, uint64_t inside, uint64_t lds,
                    uint64_t place, bool isLoad) {
  uint32_t global = isLoad ? FlyCpuAccessRead : FlyCpuAccessWrite;
  uint32_t shared = (isLoad ? FlyCpuAccessWrite : FlyCpuAccessRead) |
                    FlyCpuAccessLds | FlyCpuAccessAsync;
  if (inside && !isHostAddress(memory, inside * copy.bytes)) {
    char address[24];
    std::snprintf(address, sizeof(address), "0x%llx",
                  static_cast<unsigned long long>(
                      reinterpret_cast<uintptr_t>(memory)));
    fault(group, -1,
          std::string("a tensor copy ") + (isLoad ? "reads" : "writes") +
              " global address " + address + ", which no memory has");
    return false;
  }
  if (inside && !checkAccess(group, -1, memory, inside * copy.bytes, global))
    return false;
  for (uint64_t i = 0; i < copy.tile[0]; ++i, place += copy.bytes) {
    uint64_t target = lds + place;
    if (copy.padInterval)
      target += place / copy.padInterval * copy.padBytes;
    if (target + copy.bytes > group.lds_bytes) {
      fault(group, -1,
            std::string("a tensor copy ") + (isLoad ? "writes" : "reads") +
                " LDS at byte " + std::to_string(target) +
                ", outside of the workgroup's " +
                std::to_string(group.lds_bytes) + " bytes");
      return false;
    }
    unsigned char *element = group.lds + target;
    if (!checkAccess(group, -1, element, copy.bytes, shared))
      return false;
    if (isLoad && i < inside)
      std::memcpy(element, memory + i * copy.bytes, copy.bytes);
    else if (isLoad)
      std::memset(element, 0, copy.bytes);
    else if (i < inside)
      std::memcpy(memory + i * copy.bytes, element, copy.bytes);
  }
  return true;
}

/// One iteration, from row to row.
static bool copyTile(fly_cpu_group &group, const TensorCopy &copy,
                     uint64_t global, uint64_t lds, bool isLoad) {
  uint64_t place = 0;
  uint64_t at[5];
  for (at[4] = 0; at[4] < copy.tile[4]; ++at[4])
    for (at[3] = 0; at[3] < copy.tile[3]; ++at[3])
      for (at[2] = 0; at[2] < copy.tile[2]; ++at[2])
        for (at[1] = 0; at[1] < copy.tile[1]; ++at[1]) {
          uint64_t row = 0;
          bool isInside = true;
          for (int i = 1; i < 5; ++i) {
            row += at[i] * copy.strides[i];
            isInside = isInside && at[i] < copy.dims[i];
          }
          uint64_t inside = isInside ? std::min(copy.tile[0], copy.dims[0]) : 0;
          // The device's addresses have 57 bits.
          auto *memory =
              reinterpret_cast<unsigned char *>(global + row * copy.bytes);
          if (!copyRow(group, copy, memory, inside, lds, place, isLoad))
            return false;
          place += copy.tile[0] * copy.bytes;
        }
  return true;
}

/// A copy of chosen rows: bit 31 of group 0; bit 30 says that indices have 32
/// bits, not 16. Groups 2 and 3 are the row numbers, tile dim 1 counts them.
/// Each is a copy of one row, at row * stride 0 in memory and behind the row
/// before in LDS; a number from tensor dim 1 on is outside of the tensor.
/// (AMD's Composable Kernel and Triton, both for gfx1250.)
static bool runGather(fly_cpu_group &group, const Descriptor &d, bool isLoad) {
  uint32_t bits = d.bits(Group0, 30, 1) ? 32 : 16;
  uint64_t rows = d.bits(Group1, 128, 16), most = 256 / bits;
  if (rows > most) {
    fault(group, -1,
          "a tensor copy gathers " + std::to_string(rows) +
              " rows, a descriptor holds " + std::to_string(most));
    return false;
  }
  uint64_t bytes = UINT64_C(1) << d.bits(Group1, 16, 2);
  uint64_t rowBytes = d.bits(Group1, 112, 16) * bytes;
  bool pads = isLoad && d.bits(Group1, 20, 1);
  uint64_t interval = pads ? UINT64_C(8) << d.bits(Group1, 22, 3) : 0;
  for (uint64_t i = 0; i < rows; ++i) {
    uint64_t place = i * rowBytes;
    if (pads) {
      uint64_t behind = place % interval;
      if (behind && behind + rowBytes > interval) {
        fault(group, -1,
              "a tensor copy gathers rows of " + std::to_string(rowBytes) +
                  " bytes with padding after each " + std::to_string(interval) +
                  ": one must be a multiple of the other on the CPU");
        return false;
      }
      place += place / interval * 4 * (d.bits(Group1, 25, 7) + 1);
    }
    uint64_t index = d.bits(Group2, uint32_t(i * bits), bits);
    Descriptor row = d;
    row.words[Group0] &= 0x3fffffff;
    row.words[Group0 + 1] += uint32_t(place);
    uint64_t address =
        d.bits(Group0, 64, 57) + index * d.bits(Group1, 160, 48) * bytes;
    row.words[Group0 + 2] = uint32_t(address);
    row.words[Group0 + 3] =
        (row.words[Group0 + 3] & 0xfe000000) | (address >> 32 & 0x01ffffff);
    // One row, of no elements if it lies outside.
    if (index >= d.bits(Group1, 80, 32)) {
      row.words[Group1 + 1] &= 0xffff;
      row.words[Group1 + 2] &= 0xffff0000;
    }
    row.words[Group1 + 4] = 0;
    std::memset(row.words + Group2, 0, 8 * sizeof(uint32_t));
    TensorCopy copy;
    if (!decode(group, row, isLoad, copy) ||
        !copyTile(group, copy, copy.global, copy.lds, isLoad))
      return false;
  }
  return true;
}

/// Tells the cluster of a load for several workgroups; false at a fault.
static bool issueForCluster(fly_cpu_group &group, const Descriptor &d) {
  auto mask = static_cast<uint32_t>(d.bits(Group1, 0, 16));
  if (!mask)
    return true;
  if (group.cluster_size <= 1) {
    fault(group, -1,
          "a tensor copy has workgroup_mask (group 1 bits 15:0) " +
              std::to_string(mask) +
              ", which must be 0 outside of a cluster of several workgroups");
    return false;
  }
  // The same load: all but where it goes in LDS.
  uint64_t request = 0xcbf29ce484222325ull;
  for (uint32_t word = 0; word < 20; ++word) {
    uint32_t bits = d.words[word];
    if (word == Group0 + 1)
      bits = 0;
    if (word == Group1 + 1)
      bits &= 0xffff0000;
    request = mixHash(request, bits);
  }
  return issueMulticast(group, -1, mask, request, "a tensor copy");
}

/// The copy that the descriptor says; false at a fault.
static bool copyAll(fly_cpu_group &group, const Descriptor &descriptor,
                    bool isLoad) {
  if (descriptor.bits(Group0, 31, 1))
    return runGather(group, descriptor, isLoad);
  TensorCopy copy;
  if (!decode(group, descriptor, isLoad, copy))
    return false;
  for (uint64_t i = 0; i < copy.iterations; ++i)
    if (!copyTile(group, copy, copy.global + i * copy.globalIncrement,
                  copy.lds + i * copy.ldsIncrement, isLoad))
      return false;
  return true;
}

static void runTensorCopy(fly_cpu_group &group, bool isLoad) {
  Descriptor descriptor;
  if (!readDescriptor(group, descriptor) || !descriptor.bits(Group0, 0, 2) ||
      (isLoad && !issueForCluster(group, descriptor)) ||
      !copyAll(group, descriptor, isLoad) || !descriptor.bits(Group1, 18, 1))
    return;
  uint64_t state;
  arriveAtLdsBarrier(group, -1, 8 * descriptor.bits(Group1, 32, 16), 1,
                     FlyCpuArrivalOfCopy, state);
}

void fly::cpu::tensorLoad(fly_cpu_group *group) { runTensorCopy(*group, true); }
void fly::cpu::tensorStore(fly_cpu_group *group) {
  runTensorCopy(*group, false);
}
