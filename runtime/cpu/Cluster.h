// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workgroups of one cluster in flight: they run together, their waves take
// turns as those of one workgroup do, each workgroup with its own LDS. A launch
// without clusters has clusters of one workgroup, which runs alone.

#ifndef FLY_RUNTIME_CPU_CLUSTER_H
#define FLY_RUNTIME_CPU_CLUSTER_H

#include "ClusterState.h"
#include "Workgroup.h"

#include <memory>
#include <string>
#include <vector>

namespace fly::cpu {

/// Made once by a worker, used for one cluster after the other.
class Cluster {
public:
  /// Gets memory for clusters of `plan`; false if the host has none.
  bool prepare(const LaunchPlan &plan);

  /// Tells `target` when lane code runs, and of which workgroup. It must
  /// outlive the cluster.
  void watch(FaultTarget &target);

  /// Runs cluster number `index` of the grid, x first, to its end. False at a
  /// fault, whose text is then in `fault()`. Lane code may leave this call by a
  /// jump (LaneFaults.h): it owns nothing on the stack.
  bool run(uint64_t index, uint64_t seed);

  const std::string &fault() const { return faultText; }
  /// The workgroup that ran last.
  const Workgroup &current() const { return *members[currentRank]; }

private:
  bool runTogether(uint64_t seed);
  bool fail(const std::string &text);
  bool checkEnd();
  bool checkRequests();
  /// The rank-major number of the next wave to run, by the schedule; that
  /// behind the last if none can.
  uint32_t pick(RandomNumbers &random) const;
  void describeIds(uint64_t index, uint32_t rank, uint32_t id[3]) const;
  void select(uint32_t rank);

  const LaunchPlan *plan = nullptr;
  FaultTarget *target = nullptr;
  ClusterState state;
  std::vector<std::unique_ptr<Workgroup>> members; ///< by rank
  std::vector<Workgroup *> pointers;               ///< the same
  uint32_t currentRank = 0;
  std::string faultText;
};

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_CLUSTER_H
