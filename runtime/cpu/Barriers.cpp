// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the waves of a workgroup wait for each other, and which barriers are
// faults.

#include "Wave.h"

#include <algorithm>

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
  clusterMet = std::max(clusterMet, clusterArriving);
  moves.complete(PendingMoves::Barrier::Workgroup);
}

bool Workgroup::arrive(Wave &wave, bool forCluster) {
  if (wave.signalled) {
    fail(wave, -1, "the wave has signalled this barrier already");
    return false;
  }
  uint32_t number = wave.first / plan->kernel->wave_size;
  uint32_t place = plan->kernel->sites[wave.site].location;
  if (arrived == 0) {
    firstArrived = number;
    firstForCluster = forCluster;
    firstPlace = place;
  } else if (cluster && forCluster != firstForCluster) {
    // On the device the first wave signals the cluster, if it is here for it.
    fail(wave, -1,
         "waves meet at different barriers, one of the workgroup and one of "
         "the cluster: wave " +
             std::to_string(firstArrived) + " is at " +
             describeLocation(*plan->module, firstPlace));
    return false;
  }
  wave.signalled = true;
  wave.signalPhase = phase;
  ++arrived;
  clusterArriving = std::max(clusterArriving, wave.clusterKnown);
  moves.arrive(number, PendingMoves::Barrier::Workgroup);
  completePhase();
  return true;
}

void Workgroup::end(Wave &wave) {
  wave.hasEnded = true;
  ++ended;
  moves.arrive(wave.first / plan->kernel->wave_size,
               PendingMoves::Barrier::Workgroup, /*ends=*/true);
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
  if (isOfCluster(site))
    return stepClusterBarrier(wave, site);
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
    if (wave.waiting == Wave::Barrier::None && !arrive(wave))
      return false;
    break;
  }
  if (!waitForWaves(wave))
    return false;
  resume(wave);
  return true;
}

/// Whether the barrier that the wave has signalled is complete; if not, it
/// waits from now on.
bool Workgroup::waitForWaves(Wave &wave) {
  if (phase == wave.signalPhase) {
    wave.waiting = Wave::Barrier::Workgroup;
    return false;
  }
  wave.waiting = Wave::Barrier::None;
  wave.signalled = false;
  wave.clusterKnown = std::max(wave.clusterKnown, clusterMet);
  moves.pass(wave.first / plan->kernel->wave_size,
             PendingMoves::Barrier::Workgroup);
  return true;
}

//===----------------------------------------------------------------------===//
// The barrier of a cluster
//===----------------------------------------------------------------------===//

bool Workgroup::isOfCluster(const fly_cpu_site &site) const {
  if (site.handler == FlyCpuHandlerSClusterBarrier)
    return true;
  bool isSplit = site.handler == FlyCpuHandlerSBarrierSignal ||
                 site.handler == FlyCpuHandlerSBarrierWait;
  return isSplit && site.num_immediates != 0 &&
         plan->module->pool[site.immediates] == FLY_CPU_CLUSTER_BARRIER;
}

bool Workgroup::stepClusterBarrier(Wave &wave, const fly_cpu_site &site) {
  bool isWhole = site.handler == FlyCpuHandlerSClusterBarrier;
  if (isWhole && wave.waiting != Wave::Barrier::Cluster) {
    // First the waves of the workgroup meet, so that one signal speaks for all
    // of them; the first that goes on gives it.
    if (wave.waiting == Wave::Barrier::None &&
        !arrive(wave, /*forCluster=*/true))
      return false;
    if (!waitForWaves(wave))
      return false;
    if (cluster && clusterSignalPhase != wave.signalPhase) {
      clusterSignalPhase = wave.signalPhase;
      if (!signalCluster(wave))
        return false;
    }
  }
  // The barrier is nothing to a workgroup that has no others.
  if (cluster) {
    bool signals = site.handler == FlyCpuHandlerSBarrierSignal;
    if (!(signals ? signalCluster(wave) : waitForCluster(wave)))
      return false;
  }
  resume(wave);
  return true;
}

bool Workgroup::signalCluster(Wave &wave) {
  // In some order of the waves the signal before may be over; the device knows
  // no such order.
  if (clusterSignals > wave.clusterKnown) {
    fail(
        wave, -1,
        "the workgroup has signalled this barrier of the cluster already, by "
        "wave " +
            std::to_string(lastSignaller) + " at " +
            describeLocation(*plan->module, lastSignal) +
            ", and this wave has not waited for it since: one wave signals for "
            "its workgroup");
    return false;
  }
  ++clusterSignals;
  lastSignaller = wave.first / plan->kernel->wave_size;
  lastSignal = plan->kernel->sites[wave.site].location;
  moves.arrive(uint32_t(lastSignaller), PendingMoves::Barrier::Cluster);
  cluster->signal(rank);
  return true;
}

bool Workgroup::waitForCluster(Wave &wave) {
  if (cluster->phase == wave.clusterWaits) {
    wave.waiting = Wave::Barrier::Cluster;
    return false;
  }
  wave.waiting = Wave::Barrier::None;
  ++wave.clusterWaits;
  wave.clusterKnown = std::max(wave.clusterKnown, wave.clusterWaits);
  moves.pass(wave.first / plan->kernel->wave_size,
             PendingMoves::Barrier::Cluster);
  return true;
}

std::string
Workgroup::describeClusterWait(const std::vector<Workgroup *> &others) const {
  const Wave *waiting = nullptr;
  for (uint32_t w = 0; w < plan->waves && !waiting; ++w)
    if (!waves[w].hasEnded && waves[w].waiting == Wave::Barrier::Cluster)
      waiting = &waves[w];
  if (!waiting)
    return {};
  const fly_cpu_kernel &kernel = *plan->kernel;
  std::string missing;
  for (const Workgroup *other : others) {
    if (cluster->signals[other->rank])
      continue;
    const uint32_t *id = other->context.block_id;
    missing += (missing.empty() ? "workgroup (" : "; workgroup (") +
               std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " +
               std::to_string(id[2]) + ") has not signalled it";
    uint32_t w = 0;
    while (w < plan->waves && other->waves[w].hasEnded)
      ++w;
    if (w == plan->waves) {
      missing += " and has ended";
      continue;
    }
    const fly_cpu_site &site = kernel.sites[other->waves[w].site];
    missing += ", its wave " + std::to_string(w) + " waits at " +
               operationName(site.handler) + " at " +
               describeLocation(*plan->module, site.location);
  }
  const fly_cpu_site &site = kernel.sites[waiting->site];
  return describeFault(*plan, context, waiting->first / kernel.wave_size, -1,
                       site.location,
                       std::string(operationName(site.handler)) +
                           ": barrier that not all workgroups of the cluster "
                           "reach: " +
                           missing);
}
