// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to memory of modules with memory hooks, and the moves to LDS that
// they are held against.

#include "Arrays.h"
#include "LaneFaults.h"
#include "Wave.h"

#include "../common/ByteCount.h"

using namespace fly::cpu;

static uint32_t offsetInLds(const fly_cpu_workgroup &workgroup,
                            const void *address) {
  return uint32_t(static_cast<const unsigned char *>(address) - workgroup.lds);
}

bool Workgroup::checkLds(uint32_t wave, const void *address, uint64_t bytes,
                         bool writes, bool isMove, std::string &text) {
  uint32_t begin = offsetInLds(context, address);
  PendingMoves::Conflict conflict;
  if (moves.findConflict(wave, begin, bytes, writes, isMove, conflict)) {
    text = PendingMoves::describe(
        conflict, writes, operationName(conflict.handler),
        describeLocation(*plan->module, conflict.location));
    return false;
  }
  const PendingMoves::Use *use =
      isMove ? moves.findUse(wave, begin, bytes, writes) : nullptr;
  if (use)
    text = PendingMoves::describe(
        *use, writes, describeLocation(*plan->module, use->location));
  return !use;
}

/// Whether `address` lies in the LDS of a workgroup.
static bool isInLds(const fly_cpu_workgroup &workgroup, const void *address) {
  const auto *byte = static_cast<const unsigned char *>(address);
  return byte >= workgroup.lds && byte < workgroup.lds + workgroup.lds_bytes;
}

bool Workgroup::checkLaneAccess(const fly_cpu_lane &lane, const void *address,
                                uint64_t bytes, uint32_t access,
                                uint32_t location, std::string &text) {
  if (!followsMoves)
    return true;
  if (bytes && isInLds(context, address)) {
    bool writes = access & FlyCpuAccessWrite;
    uint32_t begin = offsetInLds(context, address);
    if (!writes)
      moves.readInLds(lane.wave, begin, bytes);
    moves.use(begin, bytes, {0, lane.wave, location, writes});
    return checkLds(lane.wave, address, bytes, writes, /*isMove=*/false, text);
  }
  moves.countVector(lane.wave, lane.lane);
  return true;
}

int Workgroup::handlerAccess(fly_cpu_group *group, int32_t lane,
                             const void *address, uint64_t bytes,
                             uint32_t access) {
  auto &self = *static_cast<Workgroup *>(group->context);
  const Wave &wave = self.waves[self.current];
  forgetAccess();
  std::string problem = describeOutside(address, bytes);
  if (!problem.empty()) {
    problem = accessName(access) + " of " + fly::runtime::byteCount(bytes) +
              ", " + problem;
  } else if (self.followsMoves && isInLds(self.context, address)) {
    bool writes = access & FlyCpuAccessWrite;
    bool isMove = access & FlyCpuAccessAsync;
    uint32_t begin = offsetInLds(self.context, address);
    self.checkLds(uint32_t(self.current), address, bytes, writes, isMove,
                  problem);
    if (isMove)
      self.moves.addRange(begin, bytes, writes);
    else
      self.moves.use(begin, bytes,
                     {0, uint32_t(self.current), group->location, writes});
  }
  if (problem.empty())
    return 1;
  self.fail(wave, lane, problem);
  return 0;
}

void Workgroup::beginMove(const Wave &wave, const fly_cpu_site &site) {
  if (PendingMoves::isMove(site.handler))
    moves.begin(wave.first / plan->kernel->wave_size, site.handler,
                site.location, wave.exec);
}

void Workgroup::waitForMoves(const Wave &wave, const fly_cpu_site &site) {
  const int32_t *immediates = plan->module->pool + site.immediates;
  moves.wait(wave.first / plan->kernel->wave_size,
             static_cast<fly_cpu_counter>(immediates[0]),
             static_cast<uint32_t>(immediates[1]));
}

void Workgroup::handlerArrive(fly_cpu_group *group, uint32_t byte,
                              int completes, fly_cpu_arrival arrival) {
  auto &self = *static_cast<Workgroup *>(group->context);
  auto wave = uint32_t(self.current);
  self.moves.arriveInLds(wave, byte, completes, arrival);
  // Who arrives itself gets the state.
  if (arrival == FlyCpuArrivalOfWave)
    self.moves.readInLds(wave, byte, 8);
}
