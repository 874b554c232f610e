// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in LDS of gfx1250: 64 bits at a multiple of 8 bytes, of which 28:0
// are the pending count, 31:29 the phase, 63:32 the initial count. An arrival
// takes one from the pending count; at 0 it becomes the initial count instead
// and the phase goes down by one, from 0 to 7. Both counts are one less than
// the arrivals that complete a phase. (MLIR, amdgpu.ds_barrier_state; Triton's
// lowering of its barriers in shared memory for gfx1250.)

#include "Handlers.h"

using namespace fly::cpu;

static constexpr uint64_t pendingMask = (UINT64_C(1) << 29) - 1;

/// Whether a half of `state` is what LDS holds that nobody has written, all
/// bits set: no count is that of the upper half, and a pending count that is
/// above the initial one is none.
static bool isUnwritten(uint64_t state) {
  constexpr uint64_t half = UINT32_MAX;
  return state >> 32 == half ||
         ((state & half) == half && (state >> 32) < pendingMask);
}

bool fly::cpu::arriveAtLdsBarrier(fly_cpu_group &group, int32_t lane,
                                  uint64_t address, uint64_t count,
                                  fly_cpu_arrival kind, uint64_t &state) {
  auto refuse = [&](const std::string &text) {
    fault(group, lane,
          "an arrival at the barrier in LDS at byte " +
              std::to_string(address) + text);
    return false;
  };
  if (group.lds_bytes < 8 || address > group.lds_bytes - 8)
    return refuse(" is outside of the workgroup's " +
                  std::to_string(group.lds_bytes) + " bytes");
  if (address % 8)
    return refuse(", which is no multiple of 8");
  unsigned char *place = group.lds + address;
  if (!checkAccess(group, lane, place, 8,
                   FlyCpuAccessWrite | FlyCpuAccessAtomic | FlyCpuAccessLds))
    return false;
  std::memcpy(&state, place, 8);
  if (isUnwritten(state))
    return refuse(", which nobody has initialised: all bits of " +
                  std::string(state == UINT64_MAX         ? "it"
                              : state >> 32 == UINT32_MAX ? "its upper half"
                                                          : "its lower half") +
                  " are set, as in LDS that is not written");
  uint64_t pending = state & pendingMask;
  if (count == 0 || count > pending + 1)
    return refuse(" by " + std::to_string(count) + ", expected 1 to " +
                  std::to_string(pending + 1) +
                  ", which are missing in its phase");
  bool completes = count == pending + 1;
  uint64_t next = state - count;
  if (completes)
    // What the count lacks the phase gives.
    next = (state & ~UINT64_C(0xffffffff)) | (state >> 32 & pendingMask) |
           (((state >> 29) - 1) & 7) << 29;
  std::memcpy(place, &next, 8);
  if (group.arrive)
    group.arrive(&group, static_cast<uint32_t>(address), completes, kind);
  return true;
}

// Fields: LDS address, count; result: the state before.
void fly::cpu::ldsBarrierArrive(fly_cpu_group *group) {
  Field address(*group, 0), count(*group, 1), result = resultField(*group);
  for (uint64_t left = group->exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    uint64_t state;
    if (!arriveAtLdsBarrier(
            *group, static_cast<int32_t>(lane), address.read<uint32_t>(lane),
            count.read<uint64_t>(lane), FlyCpuArrivalOfWave, state))
      return;
    result.write(lane, state);
  }
}

// Field: LDS address. In order behind the wave's asynchronous loads.
void fly::cpu::ldsBarrierArriveAsync(fly_cpu_group *group) {
  Field address(*group, 0);
  for (uint64_t left = group->exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    uint64_t state;
    if (!arriveAtLdsBarrier(*group, static_cast<int32_t>(lane),
                            address.read<uint32_t>(lane), 1,
                            FlyCpuArrivalOfLoads, state))
      return;
  }
}
