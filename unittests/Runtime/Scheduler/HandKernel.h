// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels written by hand against the CPU ABI: a lane is a frame whose first
// word is the function that resumes it, as LLVM's coroutines have it. A test
// gives the lane's steps as one function of (frame, step number).

#ifndef FLY_UNITTESTS_RUNTIME_SCHEDULER_HANDKERNEL_H
#define FLY_UNITTESTS_RUNTIME_SCHEDULER_HANDKERNEL_H

#include "cpu/Scheduler.h"

#include "gtest/gtest.h"

#include <array>
#include <cstring>
#include <vector>

namespace fly::cpu::test {

struct Frame;
/// Runs the lane from its step on; ends by `wait` or `end`.
using Steps = void (*)(Frame &frame);

/// The frame of a lane.
struct Frame {
  void (*resume)(void *);
  fly_cpu_lane *lane;
  const void *arguments;
  uint32_t step;
  uint32_t counter;

  /// Suspends at `site`; the lane goes on at step `next`.
  void wait(uint32_t site, uint32_t next) {
    lane->site = site;
    step = next;
  }
  void end() { lane->site = FLY_CPU_SITE_ENDED; }

  template <typename T>
  void putOperand(uint32_t offset, T value) {
    std::memcpy(lane->slot + offset, &value, sizeof(value));
  }
  template <typename T>
  T result(uint32_t offset) const {
    T value;
    std::memcpy(&value, lane->slot + offset, sizeof(value));
    return value;
  }
  /// The kernel's one argument.
  template <typename T>
  T *data() const {
    return *static_cast<T *const *>(arguments);
  }
  uint32_t globalId() const {
    return lane->workgroup->block_id[0] * lane->workgroup->block_dim[0] +
           lane->thread_id[0];
  }
};

template <Steps steps>
void resumeLane(void *frame) {
  steps(*static_cast<Frame *>(frame));
}

/// The entry of the kernel whose lanes do `steps`.
template <Steps steps>
void *startLane(fly_cpu_lane *lane, const void *arguments) {
  if (!lane)
    return reinterpret_cast<void *>(sizeof(Frame));
  auto *frame = static_cast<Frame *>(lane->frame);
  *frame = {resumeLane<steps>, lane, arguments, 0, 0};
  steps(*frame);
  return frame;
}

/// A module of one kernel. Each site is added with its operation and the sizes
/// of its fields; its place is line 10 + number of "kernel.py".
class HandModule {
public:
  HandModule(fly_cpu_entry entry, uint32_t waveSize) {
    kernel.name = "hand";
    kernel.entry = entry;
    kernel.wave_size = waveSize;
    kernel.lds_align = 1;
    kernel.max_workgroup = 1024;
    kernel.slot_bytes = 64;
    kernel.argument_bytes = 16;
    kernel.num_params = 1;
    kernel.params = &parameter;
    module.magic = FLY_CPU_MAGIC;
    module.abi_version = FLY_CPU_ABI_VERSION;
    module.num_kernels = 1;
    module.chip = waveSize == 64 ? "gfx942" : "gfx1100";
    module.lds_capacity = 65536;
    module.strings = "kernel.py\0n is positive";
    module.runtime = &runtime;
    addLocation(1, FLY_CPU_NO_LOCATION);
  }

  uint32_t addLocation(uint32_t line, uint32_t inlinedAt) {
    locations.push_back({0, line, 1, inlinedAt});
    return uint32_t(locations.size() - 1);
  }

  void addSite(fly_cpu_handler_id handler, std::vector<int32_t> operands = {},
               std::vector<int32_t> results = {}) {
    fly_cpu_site site = {};
    site.handler = handler;
    site.location =
        addLocation(10 + uint32_t(sites.size()), FLY_CPU_NO_LOCATION);
    site.sizes = uint32_t(pool.size());
    site.num_operands = uint32_t(operands.size());
    site.num_results = uint32_t(results.size());
    pool.insert(pool.end(), operands.begin(), operands.end());
    pool.insert(pool.end(), results.begin(), results.end());
    sites.push_back(site);
  }

  /// Gives the last site a constant operand.
  void addImmediate(int32_t value) {
    fly_cpu_site &site = sites.back();
    if (site.num_immediates++ == 0)
      site.immediates = uint32_t(pool.size());
    pool.push_back(value);
  }

  /// Chains the last site to the one that is added next.
  void chainLast() { sites.back().chained = 1; }

  /// The module as the scheduler takes it.
  const fly_cpu_module *get() {
    kernel.sites = sites.data();
    kernel.num_sites = uint32_t(sites.size());
    module.kernels = &kernel;
    module.locations = locations.data();
    module.num_locations = uint32_t(locations.size());
    module.pool = pool.data();
    return &module;
  }

  /// Runs it on `grid` workgroups of `block` lanes with `data` as argument;
  /// the error's text, empty if there is none.
  std::string launch(void *data, uint32_t grid, uint32_t block,
                     uint64_t dynamicLds = 0) {
    return launch(data, {grid, 1, 1}, {1, 1, 1}, block, dynamicLds);
  }
  std::string launch(void *data, std::array<uint32_t, 3> grid,
                     std::array<uint32_t, 3> cluster, uint32_t block,
                     uint64_t dynamicLds = 0) {
    std::string error;
    if (cluster != std::array<uint32_t, 3>{1, 1, 1})
      module.flags |= FlyCpuModuleClusters;
    std::unique_ptr<Object> object = Object::wrap(get(), error);
    if (!object)
      return error;
    void *arguments[2] = {data, nullptr};
    Launch launch;
    launch.object = object.get();
    launch.kernel = object->find("hand");
    for (int axis = 0; axis < 3; ++axis) {
      launch.grid[axis] = grid[axis];
      launch.cluster[axis] = cluster[axis];
    }
    launch.block[0] = block;
    launch.dynamicLdsBytes = dynamicLds;
    launch.arguments = arguments;
    bool passed = run(launch, error);
    EXPECT_EQ(passed, error.empty());
    return error;
  }

  fly_cpu_kernel kernel = {};
  fly_cpu_module module = {};

private:
  fly_cpu_param parameter = {0, 8};
  const fly_cpu_runtime *runtime = nullptr;
  std::vector<fly_cpu_site> sites;
  std::vector<fly_cpu_location> locations;
  std::vector<int32_t> pool;
};

/// Sets a schedule for the time of a scope.
struct WithSchedule {
  explicit WithSchedule(const char *text) {
    Schedule schedule;
    std::string error;
    EXPECT_TRUE(parseSchedule(text, schedule, error)) << error;
    setSchedule(schedule);
  }
  ~WithSchedule() { setSchedule(Schedule()); }
};

} // namespace fly::cpu::test

#endif // FLY_UNITTESTS_RUNTIME_SCHEDULER_HANDKERNEL_H
