// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies of gfx1250 between global memory and LDS, each lane at
// addresses of its own; the instruction's offset counts in both. They are done
// at once and count in ASYNCcnt.
//
// Loads for a cluster: the wave gives a mask of workgroups (M0). Each of them
// issues the load; the device reads memory once and answers each in its own LDS
// and on its own counter (CDNA5 ISA, 10.7, as public texts quote it: a
// rendezvous of the workgroups of the mask). The data of its own load is the
// same without.

#include "Handlers.h"

using namespace fly::cpu;

bool fly::cpu::issueMulticast(fly_cpu_group &group, int32_t lane, uint32_t mask,
                              uint64_t request, const std::string &what) {
  bool isOutside = mask >> group.cluster_size;
  if (isOutside || !(mask >> group.cluster_rank & 1)) {
    fault(group, lane,
          what + " for the workgroups of mask " + std::to_string(mask) +
              " is issued by workgroup " + std::to_string(group.cluster_rank) +
              " of a cluster of " + std::to_string(group.cluster_size) +
              "; the mask must name it, and only workgroups of its cluster");
    return false;
  }
  if (group.multicast)
    group.multicast(&group, mask, request);
  return true;
}

/// Copies `bytes` of each lane between its global address, field 0, and its LDS
/// address, field 1.
static void copyLanes(fly_cpu_group &group, uint32_t bytes, bool isLoad,
                      const char *what) {
  Field memory(group, 0), lds(group, 1);
  int32_t offset = flyCpuImmediate(&group, 0);
  for (uint64_t left = group.exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    auto number = static_cast<int32_t>(lane);
    int64_t byte = static_cast<int64_t>(lds.read<uint32_t>(lane)) + offset;
    if (byte < 0 || byte + bytes > group.lds_bytes) {
      fault(group, number,
            std::string(what) + (isLoad ? " writes" : " reads") +
                " LDS at byte " + std::to_string(byte) +
                ", outside of the workgroup's " +
                std::to_string(group.lds_bytes) + " bytes");
      return;
    }
    unsigned char *global = memory.read<unsigned char *>(lane) + offset;
    unsigned char *shared = group.lds + byte;
    uint32_t there = isLoad ? FlyCpuAccessRead : FlyCpuAccessWrite;
    uint32_t here = isLoad ? FlyCpuAccessWrite : FlyCpuAccessRead;
    if (!checkAccess(group, number, global, bytes, there) ||
        !checkAccess(group, number, shared, bytes,
                     here | FlyCpuAccessLds | FlyCpuAccessAsync))
      return;
    if (isLoad)
      std::memcpy(shared, global, bytes);
    else
      std::memcpy(global, shared, bytes);
  }
}

template <uint32_t bytes>
void fly::cpu::asyncLoad(fly_cpu_group *group) {
  copyLanes(*group, bytes, /*isLoad=*/true, "an asynchronous load");
}

template <uint32_t bytes>
void fly::cpu::asyncStore(fly_cpu_group *group) {
  copyLanes(*group, bytes, /*isLoad=*/false, "an asynchronous store");
}

// Fields: global address, LDS address, mask; immediate: offset.
template <uint32_t bytes>
void fly::cpu::clusterLoad(fly_cpu_group *group) {
  Field memory(*group, 0), masks(*group, 2);
  uint32_t first = firstLane(*group);
  uint32_t mask = masks.read<uint32_t>(first);
  auto offset = static_cast<uint64_t>(int64_t{flyCpuImmediate(group, 0)});
  uint64_t request = mixHash(bytes, group->exec);
  for (uint64_t left = group->exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    request = mixHash(request, memory.read<uint64_t>(lane) + offset);
    if (masks.read<uint32_t>(lane) == mask)
      continue;
    fault(*group, static_cast<int32_t>(lane),
          "a cluster load has one mask of workgroups for the wave, but this "
          "lane's differs from that of lane " +
              std::to_string(first));
    return;
  }
  // A cluster has at most 16 workgroups; what the device does with other bits
  // is not documented.
  if (mask > 0xffff) {
    fault(*group, static_cast<int32_t>(first),
          "a cluster load has a mask of workgroups of " + std::to_string(mask) +
              ", expected 0 to 65535: one bit for each of 16 workgroups");
    return;
  }
  // No bit at all: the workgroup's own.
  if (mask && !issueMulticast(*group, static_cast<int32_t>(first), mask,
                              request, "a cluster load"))
    return;
  copyLanes(*group, bytes, /*isLoad=*/true, "a cluster load");
}

#define FLY_ASYNC_COPIES(bytes)                                                \
  template void fly::cpu::clusterLoad<bytes>(fly_cpu_group *);                 \
  template void fly::cpu::asyncLoad<bytes>(fly_cpu_group *);                   \
  template void fly::cpu::asyncStore<bytes>(fly_cpu_group *);
FLY_ASYNC_COPIES(1)
FLY_ASYNC_COPIES(4)
FLY_ASYNC_COPIES(8)
FLY_ASYNC_COPIES(16)
