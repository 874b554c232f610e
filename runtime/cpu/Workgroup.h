// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One workgroup in flight: its lanes, waves, LDS and barrier, and the memory
// that one worker reuses for all workgroups of a launch. This is the inner
// loop of the CPU target: a lane resume is one indirect call, and everything
// that it touches lies in three cache lines or in the lane's own frame.

#ifndef FLY_RUNTIME_CPU_WORKGROUP_H
#define FLY_RUNTIME_CPU_WORKGROUP_H

#include "ClusterState.h"
#include "GuardedMemory.h"
#include "PendingMoves.h"
#include "Scheduler.h"

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

namespace fly::cpu {

/// What all workers of a launch share, fixed before they start.
struct LaunchPlan {
  const fly_cpu_module *module = nullptr;
  const fly_cpu_kernel *kernel = nullptr;
  const void *arguments = nullptr;
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t cluster[3] = {1, 1, 1}; ///< workgroups
  uint32_t clusterSize = 1;        ///< workgroups
  uint32_t lanes = 0;              ///< of a workgroup
  uint32_t waves = 0;              ///< of a workgroup
  uint32_t ldsBytes = 0;           ///< static and dynamic
  size_t frameStride = 0;          ///< bytes from one lane's frame to the next
  size_t slotStride = 0;
  uint32_t chip = 0; ///< the digits of the chip's name, read as hexadecimal
  Schedule schedule;
  std::vector<fly_cpu_handler> handlers; ///< one for each site
};

/// A generator of pseudo-random numbers that is the same on every host
/// (splitmix64).
class RandomNumbers {
public:
  explicit RandomNumbers(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
  }

private:
  uint64_t state;
};

struct FaultTarget;

/// The cause of a launch that SIGINT has stopped.
inline constexpr const char *kInterruptCause =
    "stopped by an interrupt (SIGINT)";

/// The text of a fault: place, operation, cause, kernel, workgroup, wave and
/// lane. `lane` is within the wave; `wave` or `lane` below 0 are left out.
std::string describeFault(const LaunchPlan &plan,
                          const fly_cpu_workgroup &workgroup, int64_t wave,
                          int64_t lane, uint32_t location,
                          const std::string &cause);

/// "file:line:column", with the places into which it was inlined.
std::string describeLocation(const fly_cpu_module &module, uint32_t location);

/// The name of the operation with number `handler`.
const char *operationName(uint32_t handler);

/// "read", "write" or "atomic access", of a set of fly_cpu_access.
std::string accessName(uint32_t access);

/// A workgroup and the memory it runs in. Made once by a worker, used for one
/// workgroup after the other. One that is alone runs by `run`; of a cluster,
/// Cluster.h has the loop over the waves of all its workgroups.
class Workgroup {
public:
  Workgroup() = default;
  ~Workgroup();
  Workgroup(const Workgroup &) = delete;
  Workgroup &operator=(const Workgroup &) = delete;

  /// Gets memory for workgroups of `plan`; false if the host has none.
  /// `cluster` is what it shares with the others of its cluster, null if it is
  /// alone.
  bool prepare(const LaunchPlan &plan, ClusterState *cluster = nullptr);

  /// Tells `target` when lane code runs, and stops when it says so. It must
  /// outlive the workgroup.
  void watch(FaultTarget &target);

  /// Runs the workgroup with these ids to its end. False at a fault, whose
  /// text is then in `fault()`. Lane code may leave this call by a jump
  /// (LaneFaults.h): it owns nothing on the stack.
  bool run(const uint32_t blockId[3], uint64_t seed);

  /// Begins the workgroup with these ids.
  void begin(const uint32_t blockId[3]);
  bool isRunnable(uint32_t wave) const;
  /// Runs a wave, at most `steps` sites. False at a fault.
  bool runWave(uint32_t wave, uint64_t steps);
  /// Wakes the waves that sleep; false if there are none.
  bool wake();
  bool hasEnded() const { return ended == plan->waves; }
  /// The fault of a cluster of which no wave can go on; `others` are its
  /// workgroups by rank. Empty if no wave of this one waits for the cluster.
  std::string describeClusterWait(const std::vector<Workgroup *> &others) const;
  /// The fault of a workgroup of which no wave can go on.
  std::string describeStandstill() const;

  /// An access of lane code. False, with the cause in `text`, if it meets a
  /// move to LDS that may be under way.
  bool checkLaneAccess(const fly_cpu_lane &lane, const void *address,
                       uint64_t bytes, uint32_t access, uint32_t location,
                       std::string &text);

  const std::string &fault() const { return faultText; }
  const fly_cpu_workgroup &shared() const { return context; }
  /// The wave that ran last, and the place of its last site.
  int64_t currentWave() const { return current; }
  const GuardedMemory &ldsMemory() const { return lds; }
  uint32_t currentLocation() const;

private:
  struct Wave;
  /// A lane's context alone in its cache line.
  struct alignas(FLY_CPU_ALIGN) Lane {
    fly_cpu_lane context;
  };

  void reset(const uint32_t blockId[3]);
  void start(Wave &wave);
  void resume(Wave &wave);
  void findGroup(Wave &wave);
  /// True if the wave went on, false if it ended, waits or faulted.
  bool step(Wave &wave);
  void serveChain(Wave &wave);
  bool stepBarrier(Wave &wave, const fly_cpu_site &site);
  bool stepClusterBarrier(Wave &wave, const fly_cpu_site &site);
  bool signalCluster(Wave &wave);
  bool waitForCluster(Wave &wave);
  bool waitForWaves(Wave &wave);
  /// `forCluster`: as the first half of the whole barrier of the cluster.
  bool arrive(Wave &wave, bool forCluster = false);
  void end(Wave &wave);
  void completePhase();
  bool runnable(const Wave &wave) const;
  Wave *pick(RandomNumbers &random);
  bool stepSleep(Wave &wave);
  bool isOfCluster(const fly_cpu_site &site) const;
  void fail(const Wave &wave, int64_t lane, const std::string &cause);
  bool checkLds(uint32_t wave, const void *address, uint64_t bytes, bool writes,
                bool isMove, std::string &text);
  void beginMove(const Wave &wave, const fly_cpu_site &site);
  void waitForMoves(const Wave &wave, const fly_cpu_site &site);
  static int handlerAccess(fly_cpu_group *group, int32_t lane,
                           const void *address, uint64_t bytes,
                           uint32_t access);
  static void handlerFault(fly_cpu_group *group, int32_t lane,
                           const char *message);
  static void handlerArrive(fly_cpu_group *group, uint32_t byte, int completes,
                            fly_cpu_arrival arrival);
  static void handlerMulticast(fly_cpu_group *group, uint32_t mask,
                               uint64_t request);

  const LaunchPlan *plan = nullptr;
  const std::atomic<bool> *interrupt = nullptr;
  volatile bool unwatched = false;
  volatile bool *inLanes = &unwatched;
  fly_cpu_workgroup context = {};
  Lane *lanes = nullptr;
  Wave *waves = nullptr;
  unsigned char *frames = nullptr;
  unsigned char *slots = nullptr;
  void *memory = nullptr;
  GuardedMemory lds;
  uint64_t phase = 0;   ///< completed workgroup barriers
  uint32_t arrived = 0; ///< waves that arrived in this phase
  /// The first of them: its number, whether for the cluster, its place.
  uint32_t firstArrived = 0;
  bool firstForCluster = false;
  uint32_t firstPlace = FLY_CPU_NO_LOCATION;
  uint32_t ended = 0;  ///< waves that ended
  uint32_t asleep = 0; ///< waves that sleep
  int64_t current = -1;
  ClusterState *cluster = nullptr;
  uint32_t rank = 0; ///< in its cluster
  /// The phase in which the waves met that have signalled the cluster since.
  uint64_t clusterSignalPhase = UINT64_MAX;
  uint64_t clusterSignals = 0; ///< to the barrier of the cluster
  int64_t lastSignaller = -1;  ///< the wave of the last of them
  uint32_t lastSignal = FLY_CPU_NO_LOCATION;
  /// Wave::clusterKnown of those that arrived at the barrier of the workgroup,
  /// and of those that were there when it was complete.
  uint64_t clusterArriving = 0, clusterMet = 0;
  bool followsMoves = false; ///< FlyCpuModuleWaits
  PendingMoves moves;
  std::string faultText;
};

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_WORKGROUP_H
