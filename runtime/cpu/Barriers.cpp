// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the waves of a workgroup wait for each other, and which barriers are
// faults.

#include "Wave.h"

using namespace fly::cpu;

void Workgroup::completePhase() {
  // Ended waves count as arrived.
  for (uint32_t w = 0; w < plan->waves; ++w) {
    const Wave &wave = waves[w];
    if (!wave.hasEnded && !(wave.signalled && wave.signalPhase == phase))
      return;
  }
  if (arrived == 0)
    return;
  ++phase;
  arrived = 0;
  moves.meet();
}

bool Workgroup::arrive(Wave &wave) {
  if (wave.signalled) {
    fail(wave, -1, "the wave has signalled this barrier already");
    return false;
  }
  wave.signalled = true;
  wave.signalPhase = phase;
  ++arrived;
  completePhase();
  return true;
}

void Workgroup::end(Wave &wave) {
  wave.hasEnded = true;
  ++ended;
  completePhase();
}

bool Workgroup::stepBarrier(Wave &wave, const fly_cpu_site &site) {
  if (wave.exec != wave.live) {
    // The lanes that are not here wait behind this barrier and can no longer
    // reach it in this iteration.
    uint64_t others = wave.live & ~wave.exec;
    const fly_cpu_lane &other =
        lanes[wave.first + uint32_t(__builtin_ctzll(others))].context;
    const fly_cpu_site &elsewhere = plan->kernel->sites[other.site];
    bool barrier = siteClass(elsewhere.handler) == SiteClass::Barrier;
    fail(wave, -1,
         std::string(barrier ? "two different barriers in one wave: lanes "
                             : "barrier that depends on the lane: lanes ") +
             maskText(wave.exec) + " wait here, lanes " + maskText(others) +
             " went on, to " + operationName(elsewhere.handler) + " at " +
             describeLocation(*plan->module, elsewhere.location));
    return false;
  }
  bool isSplit = site.handler == FlyCpuHandlerSBarrierSignal ||
                 site.handler == FlyCpuHandlerSBarrierWait;
  if (isSplit && site.num_immediates != 0 &&
      plan->module->pool[site.immediates] == FLY_CPU_CLUSTER_BARRIER)
    return passClusterBarrier(wave);
  switch (site.handler) {
  case FlyCpuHandlerSBarrierSignal:
    if (!arrive(wave))
      return false;
    resume(wave);
    return true;
  case FlyCpuHandlerSBarrierWait:
    if (!wave.signalled) {
      fail(wave, -1, "the wave waits for a barrier that it did not signal");
      return false;
    }
    break;
  default: // signal and wait in one
    if (!wave.waiting && !arrive(wave))
      return false;
    break;
  }
  if (phase == wave.signalPhase) {
    wave.waiting = true;
    return false;
  }
  wave.waiting = wave.signalled = false;
  resume(wave);
  return true;
}

/// The barrier of the cluster is nothing to a workgroup that has no others.
bool Workgroup::passClusterBarrier(Wave &wave) {
  uint32_t size = wave.group.cluster_size;
  if (size > 1) {
    fail(wave, -1,
         "the barrier of a cluster of " + std::to_string(size) +
             " workgroups, which the CPU target runs one after the other");
    return false;
  }
  resume(wave);
  return true;
}
