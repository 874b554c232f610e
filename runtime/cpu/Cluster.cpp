// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cluster.h"
#include "Arrays.h"
#include "LaneFaults.h"

using namespace fly::cpu;

bool Cluster::prepare(const LaunchPlan &launch) {
  plan = &launch;
  for (uint32_t rank = 0; rank < plan->clusterSize; ++rank) {
    members.push_back(std::make_unique<Workgroup>());
    pointers.push_back(members.back().get());
    if (!pointers.back()->prepare(launch,
                                  plan->clusterSize > 1 ? &state : nullptr))
      return false;
  }
  return true;
}

void Cluster::watch(FaultTarget &faults) {
  target = &faults;
  for (Workgroup *member : pointers)
    member->watch(faults);
  select(0);
}

void Cluster::select(uint32_t rank) {
  currentRank = rank;
  target->workgroup = pointers[rank];
}

/// The ids of the workgroup with this rank, x first.
void Cluster::describeIds(uint64_t index, uint32_t rank, uint32_t id[3]) const {
  for (int axis = 0; axis < 3; ++axis) {
    uint32_t size = plan->cluster[axis], count = plan->grid[axis] / size;
    id[axis] = uint32_t(index % count) * size + rank % size;
    index /= count;
    rank /= size;
  }
}

bool Cluster::fail(const std::string &text) {
  faultText = text;
  return false;
}

bool Cluster::run(uint64_t index, uint64_t seed) {
  faultText.clear();
  uint32_t id[3];
  if (plan->clusterSize == 1) {
    describeIds(index, 0, id);
    if (!pointers[0]->run(id, seed))
      return fail(pointers[0]->fault());
  } else {
    state.reset(plan->clusterSize);
    for (uint32_t rank = 0; rank < plan->clusterSize; ++rank) {
      describeIds(index, rank, id);
      pointers[rank]->begin(id);
    }
    if (!runTogether(seed))
      return false;
  }
  for (uint32_t rank = 0; rank < plan->clusterSize; ++rank) {
    std::string overrun = takeLdsOverrun(pointers[rank]->ldsMemory());
    if (!overrun.empty())
      return fail(describeFault(*plan, pointers[rank]->shared(), -1, -1,
                                plan->kernel->location, overrun));
  }
  return true;
}

uint32_t Cluster::pick(RandomNumbers &random) const {
  uint32_t count = plan->clusterSize * plan->waves;
  bool isRandom = plan->schedule.kind == Schedule::Kind::Random;
  bool isReverse = plan->schedule.kind == Schedule::Kind::Reverse;
  uint32_t first = isRandom ? uint32_t(random.next() % count) : 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t at = isReverse ? count - 1 - i : (first + i) % count;
    if (pointers[at / plan->waves]->isRunnable(at % plan->waves))
      return at;
  }
  return count;
}

bool Cluster::runTogether(uint64_t seed) {
  RandomNumbers random(seed);
  bool interleave = plan->schedule.kind == Schedule::Kind::Random;
  uint32_t count = plan->clusterSize * plan->waves;
  for (;;) {
    uint32_t at = pick(random);
    if (at == count) {
      bool woken = false;
      for (Workgroup *member : pointers)
        woken |= member->wake();
      if (woken)
        continue;
      break;
    }
    select(at / plan->waves);
    uint64_t budget = interleave ? 1 + random.next() % 16 : UINT64_MAX;
    if (!pointers[currentRank]->runWave(at % plan->waves, budget))
      return fail(pointers[currentRank]->fault());
  }
  return checkEnd() && checkRequests();
}

/// Whether all waves have ended, of those that can run no more.
bool Cluster::checkEnd() {
  for (const Workgroup *member : pointers)
    if (std::string text = member->describeClusterWait(pointers); !text.empty())
      return fail(text);
  for (const Workgroup *member : pointers)
    if (!member->hasEnded())
      return fail(member->describeStandstill());
  return true;
}

/// Whether the loads for several workgroups were issued by all of them.
bool Cluster::checkRequests() {
  for (const auto &[key, request] : state.requests) {
    const Workgroup &by = *pointers[request.rank];
    for (uint32_t rank = 0; rank < plan->clusterSize; ++rank) {
      uint32_t count = request.counts[rank];
      if (!(key.first >> rank & 1) || count == request.counts[request.rank])
        continue;
      return fail(describeFault(
          *plan, by.shared(), request.wave, -1, request.location,
          std::string(operationName(request.handler)) +
              ": a load for the workgroups of mask " +
              std::to_string(key.first) + " is issued " +
              std::to_string(request.counts[request.rank]) +
              " times by workgroup " + std::to_string(request.rank) +
              " of the cluster and " + std::to_string(count) +
              " times by workgroup " + std::to_string(rank) +
              ": each of them must issue the same load"));
    }
  }
  return true;
}
