// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One wave of a workgroup, and what an operation is to the scheduler. Private
// to the files of Workgroup.

#ifndef FLY_RUNTIME_CPU_WAVE_H
#define FLY_RUNTIME_CPU_WAVE_H

#include "Workgroup.h"

namespace fly::cpu {

/// One wave of a workgroup.
struct Workgroup::Wave {
  fly_cpu_group group;
  uint64_t live;        ///< lanes that have not ended
  uint64_t exec;        ///< lanes at the smallest site
  uint64_t signalPhase; ///< phase in which it arrived at the barrier
  uint32_t site;        ///< the smallest site, or FLY_CPU_SITE_ENDED
  uint32_t first;       ///< its first lane within the workgroup
  uint32_t lanes;       ///< lanes that exist
  bool started;
  bool hasEnded;
  bool signalled; ///< arrived, and has not passed the barrier yet
  /// The barrier without whose completion it may not go on.
  enum class Barrier : uint8_t { None, Workgroup, Cluster } waiting;
  bool isAsleep;         ///< until all others that can go on are
  bool wakes;            ///< has slept, and goes on
  uint64_t clusterWaits; ///< barriers of the cluster that it has passed
  /// Of how many it knows that they are complete, by its own waits or by those
  /// of waves that it has met since.
  uint64_t clusterKnown;
  void *frames[FLY_CPU_MAX_WAVE];
  unsigned char *slots[FLY_CPU_MAX_WAVE];
  unsigned char *chained[FLY_CPU_MAX_WAVE]; ///< slots of the site in a chain
};

/// The classes of fly_cpu_handlers.def.
enum class SiteClass { None, Barrier, Exchange, Matrix, Move, Wait, Sleep };

/// The class of the operation with number `handler`.
SiteClass siteClass(uint32_t handler);

/// A set of lanes as a hexadecimal number.
std::string maskText(uint64_t mask);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_WAVE_H
