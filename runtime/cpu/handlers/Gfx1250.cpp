// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gfx1250 has beside its tensor copies: transposing reads of LDS over the
// 32 lanes, and loads to the LDS of the workgroups of a cluster.
//
// Transposing reads: lane l gets element l % 8 of what each of eight lanes
// read. Of 16-bit elements the eight are those of its own group; of bytes they
// are two runs of four, lanes 0-3 and 8-11 for lanes 0-7. (Triton's description
// of ds_load_tr8_b64 and ds_load_tr16_b128 for gfx1250, and its lowering; the
// addresses of AMD's TensileLite, LraTileAssignment.py, whose lanes get
// consecutive k by this map.)
//
// Cluster loads: every workgroup in the mask issues the load, which the device
// then does once for all of them (Triton gives each workgroup the mask of those
// that hold the same data); the data of its own load is the same without.

#include "Handlers.h"

using namespace fly::cpu;

/// The lane whose read gives element `element` of `lane`.
static uint32_t sourceLane(uint32_t lane, uint32_t element, bool isByte) {
  if (!isByte)
    return (lane & ~7u) | element;
  return (lane & 16) | (element & 4) << 1 | (lane & 8) >> 1 | (element & 3);
}

static void loadTransposed(fly_cpu_group &group, uint32_t bytes) {
  Field address(group, 0), result = resultField(group);
  uint32_t size = 8 * bytes;
  if (group.exec != flyCpuFullMask(group.wave_size)) {
    fault(group, -1, "a transposing read of LDS needs all lanes of the wave");
    return;
  }
  const unsigned char *sources[FLY_CPU_MAX_WAVE];
  for (uint32_t lane = 0; lane < group.wave_size; ++lane) {
    uint32_t from = address.read<uint32_t>(lane);
    bool isInside = static_cast<uint64_t>(from) + size <= group.lds_bytes;
    if (!isInside || from % size) {
      fault(group, static_cast<int32_t>(lane),
            "a transposing read of LDS at byte " + std::to_string(from) +
                (isInside ? " needs an address that is a multiple of " +
                                std::to_string(size)
                          : " is outside of the workgroup's " +
                                std::to_string(group.lds_bytes) + " bytes"));
      return;
    }
    sources[lane] = group.lds + from;
    if (!checkAccess(group, static_cast<int32_t>(lane), sources[lane], size,
                     FlyCpuAccessRead | FlyCpuAccessLds))
      return;
  }
  for (uint32_t lane = 0; lane < group.wave_size; ++lane)
    for (uint32_t element = 0; element < 8; ++element)
      std::memcpy(result.at(lane) + element * bytes,
                  sources[sourceLane(lane, element, bytes == 1)] +
                      lane % 8 * bytes,
                  bytes);
}

void fly::cpu::dsLoadTr8(fly_cpu_group *group) { loadTransposed(*group, 1); }
void fly::cpu::dsLoadTr16(fly_cpu_group *group) { loadTransposed(*group, 2); }

// Fields: global address, LDS address, mask; immediate: offset, which counts in
// both addresses.
static void loadForCluster(fly_cpu_group &group, uint32_t size) {
  Field source(group, 0), lds(group, 1), mask(group, 2);
  int32_t offset = flyCpuImmediate(&group, 0);
  for (uint64_t left = group.exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    uint32_t wanted = mask.read<uint32_t>(lane) & 0xffff;
    // No bit at all: the workgroup's own.
    if (wanted &&
        (wanted >> group.cluster_size || !(wanted >> group.cluster_rank & 1))) {
      fault(group, static_cast<int32_t>(lane),
            "a cluster load for the workgroups of mask " +
                std::to_string(wanted) + " is issued by workgroup " +
                std::to_string(group.cluster_rank) + " of a cluster of " +
                std::to_string(group.cluster_size) +
                "; the mask must name it, and only workgroups of its cluster");
      return;
    }
    int64_t to = static_cast<int64_t>(lds.read<uint32_t>(lane)) + offset;
    if (to < 0 || to + size > group.lds_bytes) {
      fault(group, static_cast<int32_t>(lane),
            "a cluster load writes LDS at byte " + std::to_string(to) +
                ", outside of the workgroup's " +
                std::to_string(group.lds_bytes) + " bytes");
      return;
    }
    const unsigned char *from =
        source.read<const unsigned char *>(lane) + offset;
    unsigned char *target = group.lds + to;
    auto number = static_cast<int32_t>(lane);
    if (!checkAccess(group, number, from, size, FlyCpuAccessRead) ||
        !checkAccess(group, number, target, size,
                     FlyCpuAccessWrite | FlyCpuAccessLds))
      return;
    std::memcpy(target, from, size);
  }
}

void fly::cpu::clusterLoad8(fly_cpu_group *group) { loadForCluster(*group, 1); }
void fly::cpu::clusterLoad32(fly_cpu_group *group) {
  loadForCluster(*group, 4);
}
void fly::cpu::clusterLoad64(fly_cpu_group *group) {
  loadForCluster(*group, 8);
}
void fly::cpu::clusterLoad128(fly_cpu_group *group) {
  loadForCluster(*group, 16);
}
