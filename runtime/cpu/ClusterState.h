// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the workgroups of a cluster share: its barrier, and the loads that
// several of them issue together.
//
// The barrier is complete when every workgroup has signalled it once: one wave
// does it for its workgroup, and any wave may wait. The n-th wait of a wave is
// for the n-th completion. (LLVM, "AMDGPU Execution Synchronization",
// s_barrier of GFX12.5.)
//
// A load for the workgroups of a mask is a request that each of them makes; the
// device reads memory once and answers every one of them in its own LDS. (CDNA5
// ISA, 10.7 and 10.11, as public texts quote them.) A request that one of them
// never makes leaves the others waiting until a timeout: here it is a fault.

#ifndef FLY_RUNTIME_CPU_CLUSTERSTATE_H
#define FLY_RUNTIME_CPU_CLUSTERSTATE_H

#include "PendingMoves.h"

#include <map>
#include <utility>
#include <vector>

namespace fly::cpu {

struct ClusterState {
  /// A load that not all of its workgroups have issued equally often.
  struct Request {
    std::vector<uint32_t> counts; ///< one for each workgroup of the cluster
    uint32_t rank = 0, wave = 0;  ///< of who issued it first
    uint32_t location = FLY_CPU_NO_LOCATION;
    uint32_t handler = 0;
  };

  /// Forgets everything: a cluster of `workgroups` begins.
  void reset(uint32_t workgroups);

  /// A workgroup signals the barrier, which it must not have done in this phase.
  void signal(uint32_t rank);

  /// A wave issues a load for the workgroups of `mask`; `content` tells loads
  /// of different memory apart.
  void issue(uint32_t mask, uint64_t content, uint32_t rank, uint32_t wave,
             uint32_t location, uint32_t handler);

  uint64_t phase = 0;                ///< completed barriers
  std::vector<PendingMoves *> moves; ///< of the workgroups, who learn of them
  std::vector<bool> signals;         ///< of the workgroups in this phase
  /// By mask and content.
  std::map<std::pair<uint32_t, uint64_t>, Request> requests;

private:
  uint32_t arrived = 0;
};

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_CLUSTERSTATE_H
