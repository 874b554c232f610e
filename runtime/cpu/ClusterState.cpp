// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClusterState.h"

using namespace fly::cpu;

void ClusterState::reset(uint32_t workgroups) {
  phase = 0;
  arrived = 0;
  signals.assign(workgroups, false);
  requests.clear();
}

void ClusterState::signal(uint32_t rank) {
  signals[rank] = true;
  if (++arrived != signals.size())
    return;
  ++phase;
  arrived = 0;
  signals.assign(signals.size(), false);
  for (PendingMoves *known : moves)
    known->complete(PendingMoves::Barrier::Cluster);
}

void ClusterState::issue(uint32_t mask, uint64_t content, uint32_t rank,
                         uint32_t wave, uint32_t location, uint32_t handler) {
  auto [found, isNew] = requests.try_emplace({mask, content});
  Request &request = found->second;
  if (isNew) {
    request.counts.resize(signals.size());
    request.rank = rank;
    request.wave = wave;
    request.location = location;
    request.handler = handler;
  }
  ++request.counts[rank];
  // Loads that all have issued are done: a long loop leaves nothing behind.
  for (uint32_t other = 0; other < request.counts.size(); ++other)
    if (mask >> other & 1 && request.counts[other] != request.counts[rank])
      return;
  requests.erase(found);
}
