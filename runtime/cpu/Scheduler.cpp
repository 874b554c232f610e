// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch: its checks, its plan, the workers that take clusters from it,
// and the first fault of any of them.

#include "Scheduler.h"
#include "Arrays.h"
#include "Cluster.h"
#include "Interrupt.h"
#include "LaneFaults.h"
#include "Schedule.h"

#include "../common/ByteCount.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <numeric>
#include <pthread.h>

using namespace fly::cpu;

namespace {
/// What the workers of one launch share and change.
struct LaunchState {
  const LaunchPlan &plan;
  uint64_t clusters;
  uint64_t step = 1;  ///< of the walk through the clusters, coprime to them
  uint64_t first = 0; ///< where the walk begins
  /// Stops the launch when it is set; null: nothing does.
  const std::atomic<bool> *interrupt = interruptFlag();
  std::atomic<uint64_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::string error;

  explicit LaunchState(const LaunchPlan &plan)
      : plan(plan), clusters(uint64_t(plan.grid[0]) * plan.grid[1] *
                             plan.grid[2] / plan.clusterSize) {}

  void fail(const std::string &text) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!failed.exchange(true))
      error = text;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

static std::string laneFaultCause(const fly_cpu_module &module,
                                  const FaultTarget &target) {
  switch (target.fault) {
  case FlyCpuFaultAssertion:
    for (uint32_t i = 0; i < module.num_assertions; ++i)
      if (module.assertions[i].id == target.detail)
        return std::string("assertion failed: ") +
               (module.strings + module.assertions[i].message);
    return "assertion " + std::to_string(target.detail) + " failed";
  case FlyCpuFaultBufferSwizzle:
    return "buffer descriptor with a stride or swizzle, which raw buffer "
           "access does not support here";
  case FlyCpuFaultUnreachable:
    return "a trap or an unreachable place was reached";
  case FlyCpuFaultBufferSize:
    return "a buffer descriptor of " + std::to_string(target.detail) +
           " bytes, which its field for the size does not hold";
  }
  return "fault " + std::to_string(target.fault);
}

/// True if the fault is at the access that the memory hook was last told of.
static bool isLastAccess(const FaultTarget &target) {
  return target.cause != FaultTarget::Cause::Division &&
         target.accessBytes != 0 && target.detail >= target.accessAddress &&
         target.detail - target.accessAddress < target.accessBytes;
}

static std::string memoryFaultCause(const FaultTarget &target) {
  if (target.cause == FaultTarget::Cause::Division)
    return "integer division by zero, or of the smallest number by -1, by a "
           "lane that went on from here";
  char address[24];
  std::snprintf(address, sizeof(address), "0x%llx",
                static_cast<unsigned long long>(target.detail));
  bool known = isLastAccess(target);
  std::string text;
  if (target.cause == FaultTarget::Cause::Outside)
    text = accessName(target.access) + " of " +
           fly::runtime::byteCount(target.accessBytes);
  else if (isPastStack(target.detail))
    return "the stack is full, as of a recursion that does not end, in a lane "
           "that went on from here";
  else if (known)
    text = accessName(target.access) + " of unmapped memory";
  else
    text = "access to unmapped memory";
  text += std::string(" at address ") + address;
  std::string outside =
      describeOutside(reinterpret_cast<const void *>(target.detail),
                      known ? target.accessBytes : 1);
  if (!outside.empty())
    text += ", " + outside;
  return known ? text : text + ", by a lane that went on from here";
}

/// Runs clusters until none is left. No object with a destructor may be made
/// between the jump target and the lanes: a faulting lane skips it.
static void takeClusters(LaunchState &state, Cluster &cluster,
                         FaultTarget &target) {
  const LaunchPlan &plan = state.plan;
  if (sigsetjmp(target.jump, 1) != 0) {
    const Workgroup &workgroup = cluster.current();
    target.active = target.inLanes = target.inCallback = false;
    const fly_cpu_lane *lane = target.lane;
    if (target.cause == FaultTarget::Cause::Interrupt)
      state.fail(describeFault(plan, workgroup.shared(),
                               workgroup.currentWave(), -1,
                               workgroup.currentLocation(), kInterruptCause));
    else if (target.cause == FaultTarget::Cause::Lane)
      state.fail(describeFault(plan, workgroup.shared(), lane->wave, lane->lane,
                               target.location,
                               laneFaultCause(*plan.module, target)));
    else if (target.cause == FaultTarget::Cause::Described)
      state.fail(describeFault(plan, workgroup.shared(), lane->wave, lane->lane,
                               target.location, target.text));
    else if (isLastAccess(target))
      state.fail(describeFault(plan, workgroup.shared(), lane->wave, lane->lane,
                               target.location, memoryFaultCause(target)));
    else
      state.fail(
          describeFault(plan, workgroup.shared(), workgroup.currentWave(), -1,
                        workgroup.currentLocation(), memoryFaultCause(target)));
    return;
  }
  while (!state.failed.load(std::memory_order_relaxed)) {
    uint64_t ticket = state.next.fetch_add(1, std::memory_order_relaxed);
    if (ticket >= state.clusters)
      return;
    // 128 bits: the product of ticket and step is below 2^186 in theory, below
    // 2^126 by the checks of a launch.
    uint64_t index = uint64_t(
        (static_cast<unsigned __int128>(ticket) * state.step + state.first) %
        state.clusters);
    target.active = true;
    bool passed = cluster.run(
        index, plan.schedule.seed ^ (index * UINT64_C(0xD1342543DE82EF95)));
    target.active = false;
    if (!passed)
      return state.fail(cluster.fault());
  }
}

static void work(LaunchState &state) {
  FaultTarget target;
  Cluster cluster;
  if (!cluster.prepare(state.plan))
    return state.fail("kernel '" + std::string(state.plan.kernel->name) +
                      "': no memory for the lanes of a workgroup");
  target.interrupt = state.interrupt;
  cluster.watch(target);
  setFaultTarget(&target);
  takeClusters(state, cluster, target);
  setFaultTarget(nullptr);
}

static void *workOnThread(void *state) {
  // A recursion of lane code may fill the thread's stack: the handler of the
  // fault needs another one.
  SignalStack stack;
  work(*static_cast<LaunchState *>(state));
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static std::string sizeText(const uint64_t size[3]) {
  return "(" + std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " +
         std::to_string(size[2]) + ")";
}

/// Workgroups of a cluster: the masks of gfx1250's loads have a bit for each.
constexpr uint64_t kLargestCluster = 16;

/// Empty if grid and block fit the kernel; else what does not.
static std::string checkSizes(const Launch &launch) {
  const fly_cpu_kernel &kernel = *launch.kernel;
  // HIP's limit for each dimension of a grid.
  constexpr uint64_t largest = INT32_MAX;
  uint64_t lanes = 1;
  for (unsigned i = 0; i < 3; ++i) {
    if (launch.grid[i] < 1 || launch.grid[i] > largest)
      return "grid " + sizeText(launch.grid) +
             ", expected 1 to 2147483647 workgroups in each dimension";
    if (launch.block[i] < 1 || launch.block[i] > 1024)
      return "block " + sizeText(launch.block) +
             ", expected 1 to 1024 lanes in each dimension";
    lanes *= launch.block[i];
  }
  if (static_cast<unsigned __int128>(launch.grid[0]) * launch.grid[1] *
          launch.grid[2] >
      UINT64_MAX / 2)
    return "grid " + sizeText(launch.grid) + " has too many workgroups";
  uint64_t members = 1;
  for (unsigned i = 0; i < 3; ++i) {
    if (launch.cluster[i] < 1 || launch.cluster[i] > kLargestCluster ||
        launch.grid[i] % launch.cluster[i])
      return "cluster " + sizeText(launch.cluster) + " in a grid " +
             sizeText(launch.grid) + ", expected 1 to " +
             std::to_string(kLargestCluster) +
             " workgroups in each dimension, which divide those of the grid";
    members *= launch.cluster[i];
  }
  if (members > kLargestCluster)
    return "cluster " + sizeText(launch.cluster) + " has " +
           std::to_string(members) + " workgroups, expected at most " +
           std::to_string(kLargestCluster);
  const fly_cpu_module &module = launch.object->table();
  if (members > 1 && !(module.flags & FlyCpuModuleClusters))
    return "cluster " + sizeText(launch.cluster) + " on " + module.chip +
           ", which has no clusters of workgroups";
  if (lanes > kernel.max_workgroup)
    return "block " + sizeText(launch.block) + " has " + std::to_string(lanes) +
           " lanes, the kernel's largest workgroup is " +
           std::to_string(kernel.max_workgroup);
  auto isOther = [](const uint32_t (&required)[3], const auto &given) {
    for (unsigned i = 0; i < 3; ++i)
      if (required[i] && required[i] != given[i])
        return true;
    return false;
  };
  auto requiredText = [](const uint32_t (&required)[3]) {
    return ", the kernel requires (" + std::to_string(required[0]) + ", " +
           std::to_string(required[1]) + ", " + std::to_string(required[2]) +
           ")";
  };
  if (isOther(kernel.required_cluster, launch.cluster))
    return "cluster " + sizeText(launch.cluster) +
           requiredText(kernel.required_cluster);
  if (isOther(kernel.required_block, launch.block))
    return "block " + sizeText(launch.block) +
           requiredText(kernel.required_block);
  uint32_t capacity = module.lds_capacity;
  if (kernel.lds_bytes > capacity ||
      launch.dynamicLdsBytes > capacity - kernel.lds_bytes)
    return std::to_string(kernel.lds_bytes) + " bytes of static and " +
           std::to_string(launch.dynamicLdsBytes) +
           " bytes of dynamic LDS, a workgroup on " + module.chip + " has " +
           std::to_string(capacity);
  return {};
}

/// Bytes between the data of two lanes: an odd number of cache lines, so that
/// the same field of many lanes does not fall into the same cache set.
static size_t laneStride(size_t bytes) {
  size_t lines = (bytes + FLY_CPU_ALIGN - 1) / FLY_CPU_ALIGN;
  return (lines | 1) * FLY_CPU_ALIGN;
}

static bool makePlan(const Launch &launch, LaunchPlan &plan,
                     std::string &error) {
  const fly_cpu_kernel &kernel = *launch.kernel;
  plan.module = &launch.object->table();
  plan.kernel = &kernel;
  plan.arguments = launch.arguments;
  for (unsigned i = 0; i < 3; ++i) {
    plan.grid[i] = uint32_t(launch.grid[i]);
    plan.block[i] = uint32_t(launch.block[i]);
    plan.cluster[i] = uint32_t(launch.cluster[i]);
  }
  plan.clusterSize = plan.cluster[0] * plan.cluster[1] * plan.cluster[2];
  plan.lanes = plan.block[0] * plan.block[1] * plan.block[2];
  plan.waves = (plan.lanes + kernel.wave_size - 1) / kernel.wave_size;
  plan.ldsBytes = kernel.lds_bytes + uint32_t(launch.dynamicLdsBytes);
  plan.frameStride = laneStride(
      size_t(reinterpret_cast<uintptr_t>(kernel.entry(nullptr, nullptr))));
  plan.slotStride = laneStride(kernel.slot_bytes);
  // "gfx942" is 0x942: the digits, the last of which may be a letter.
  plan.chip = uint32_t(std::strtoul(plan.module->chip + 3, nullptr, 16));
  plan.handlers.resize(kernel.num_sites);
  for (uint32_t i = 0; i < kernel.num_sites; ++i)
    plan.handlers[i] = flyCpuGetHandler(kernel.sites[i].handler);
  return currentSchedule(plan.schedule, error);
}

/// Waits for a worker, which may be in lane code that does not end.
static void join(pthread_t worker, const std::atomic<bool> *interrupt) {
  if (!interrupt) {
    pthread_join(worker, nullptr);
    return;
  }
  constexpr long kPeriod = 20'000'000; // nanoseconds
  for (;;) {
    timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += kPeriod;
    deadline.tv_sec += deadline.tv_nsec / 1'000'000'000;
    deadline.tv_nsec %= 1'000'000'000;
    if (pthread_timedjoin_np(worker, nullptr, &deadline) == 0)
      return;
    if (interrupt->load(std::memory_order_relaxed))
      interruptWorker(worker);
  }
}

bool fly::cpu::run(const Launch &launch, std::string &error) {
  std::string problem = checkSizes(launch);
  if (problem.empty() && isInterrupted())
    problem = kInterruptCause;
  LaunchPlan plan;
  unsigned threads = 1;
  if (!problem.empty()) {
    error = std::string("launch of kernel '") + launch.kernel->name +
            "': " + problem;
    return false;
  }
  if (!makePlan(launch, plan, error) || !currentThreads(threads, error))
    return false;

  LaunchState state(plan);
  if (plan.schedule.kind == Schedule::Kind::Reverse) {
    state.first = state.step = state.clusters - 1;
    if (state.clusters == 1)
      state.step = 1;
  } else if (plan.schedule.kind == Schedule::Kind::Random) {
    RandomNumbers random(plan.schedule.seed);
    state.first = random.next() % state.clusters;
    do
      state.step = 1 + random.next() % state.clusters;
    while (std::gcd(state.step, state.clusters) != 1);
  }

  MemoryFaultGuard guard;
  uint64_t helpers = std::min<uint64_t>(threads, state.clusters) - 1;
  std::vector<pthread_t> pool;
  for (uint64_t i = 0; i < helpers; ++i) {
    // Not std::thread, which throws: with a host that gives no further thread
    // the launch goes on with those it gave.
    pthread_t thread;
    if (pthread_create(&thread, nullptr, workOnThread, &state) != 0)
      break;
    pool.push_back(thread);
  }
  work(state);
  for (pthread_t thread : pool)
    join(thread, state.interrupt);
  if (state.failed) {
    error = state.error;
    return false;
  }
  return true;
}
