// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workgroups of a cluster run together: their barrier, whole and in two halves,
// their ids and LDS, and waits that end nowhere.

#include "HandKernel.h"

using namespace fly::cpu;
using namespace fly::cpu::test;

static const char *const schedules[] = {"in-order", "reverse",  "random:1",
                                        "random:2", "random:3", "random:4"};

static uint32_t number(const Frame &frame) {
  const fly_cpu_workgroup &group = *frame.lane->workgroup;
  return (group.block_id[2] * group.grid_dim[1] + group.block_id[1]) *
             group.grid_dim[0] +
         group.block_id[0];
}

static uint32_t &ldsWord(Frame &frame, uint32_t index) {
  return reinterpret_cast<uint32_t *>(frame.lane->workgroup->lds)[index];
}

//===----------------------------------------------------------------------===//
// The barrier
//===----------------------------------------------------------------------===//

/// Three rounds: each lane writes its id and the round to memory, and behind
/// the barrier reads what its mirror in the cluster's other workgroup wrote.
/// Rounds use other memory. `whole`: one site; else the first wave signals
/// behind the workgroup's barrier and all wait.
template <bool whole>
static void exchangeSteps(Frame &frame) {
  uint32_t lanes = frame.lane->workgroup->block_dim[0];
  uint32_t at = frame.globalId(), round = frame.counter;
  uint32_t group = frame.lane->workgroup->block_id[0];
  uint32_t mirror = (group ^ 1) * lanes + lanes - 1 - frame.lane->thread_id[0];
  uint32_t total = lanes * frame.lane->workgroup->grid_dim[0];
  uint32_t *sent = frame.data<uint32_t>() + round * 2 * total;
  switch (frame.step) {
  case 0:
    sent[at] = 1000 * (round + 1) + at;
    if (whole)
      return frame.wait(0, 3);
    return frame.wait(1, 1);
  case 1:
    if (frame.lane->wave == 0)
      return frame.wait(2, 2);
    [[fallthrough]];
  case 2:
    return frame.wait(3, 3);
  default:
    sent[total + at] = sent[mirror];
    if (++frame.counter == 3)
      return frame.end();
    frame.step = 0;
    return exchangeSteps<whole>(frame);
  }
}

static void addBarriers(HandModule &module) {
  module.addSite(FlyCpuHandlerSClusterBarrier);
  module.addSite(FlyCpuHandlerSBarrier);
  module.addSite(FlyCpuHandlerSBarrierSignal);
  module.addImmediate(FLY_CPU_CLUSTER_BARRIER);
  module.addSite(FlyCpuHandlerSBarrierWait);
  module.addImmediate(FLY_CPU_CLUSTER_BARRIER);
}

template <bool whole>
static void runExchange() {
  HandModule module(startLane<exchangeSteps<whole>>, 32);
  addBarriers(module);
  constexpr uint32_t lanes = 80, groups = 6, total = lanes * groups;
  for (unsigned threads : {1u, 2u})
    for (const char *schedule : schedules) {
      WithSchedule with(schedule);
      setThreads(threads);
      std::vector<uint32_t> out(6 * total);
      ASSERT_EQ(module.launch(out.data(), {groups, 1, 1}, {2, 1, 1}, lanes),
                "");
      setThreads(0);
      for (uint32_t round = 0; round < 3; ++round)
        for (uint32_t i = 0; i < total; ++i)
          EXPECT_EQ(out[(2 * round + 1) * total + i],
                    1000 * (round + 1) + (i / lanes ^ 1) * lanes + lanes - 1 -
                        i % lanes)
              << schedule << ' ' << round << ' ' << i;
    }
}

TEST(Cluster, WorkgroupsMeetAtTheWholeBarrier) { runExchange<true>(); }
TEST(Cluster, WorkgroupsMeetAtSignalAndWait) { runExchange<false>(); }

/// Without a barrier a workgroup finds what its neighbour has not written yet.
static void carelessSteps(Frame &frame) {
  uint32_t group = frame.lane->workgroup->block_id[0];
  uint32_t *data = frame.data<uint32_t>();
  switch (frame.step) {
  case 0:
    data[group] = group + 1;
    return frame.wait(0, 1);
  default:
    data[2 + group] = data[group ^ 1];
    return frame.end();
  }
}

TEST(Cluster, AMissingBarrierShowsInSomeOrder) {
  HandModule module(startLane<carelessSteps>, 32);
  module.addSite(FlyCpuHandlerLatch);
  auto missing = [&](const char *schedule) {
    WithSchedule with(schedule);
    uint32_t data[4] = {};
    EXPECT_EQ(module.launch(data, {2, 1, 1}, {2, 1, 1}, 1), "");
    return (data[2] ? 0 : 1) | (data[3] ? 0 : 2);
  };
  EXPECT_EQ(missing("in-order"), 1);
  EXPECT_EQ(missing("reverse"), 2);
}

//===----------------------------------------------------------------------===//
// Ids and LDS
//===----------------------------------------------------------------------===//

/// Workgroups tell their place in the order in which they run, alone in LDS.
static void placeSteps(Frame &frame) {
  const fly_cpu_workgroup &group = *frame.lane->workgroup;
  switch (frame.step) {
  case 0:
    ldsWord(frame, 0) = number(frame);
    return frame.wait(0, 1);
  default:
    uint32_t *out = frame.data<uint32_t>() + 4 * number(frame);
    out[0] = ldsWord(frame, 0);
    for (int axis = 0; axis < 3; ++axis)
      out[1 + axis] = group.block_id[axis] % group.cluster_dim[axis];
    return frame.end();
  }
}

TEST(Cluster, EachWorkgroupHasItsIdsAndLds) {
  HandModule module(startLane<placeSteps>, 32);
  module.addSite(FlyCpuHandlerSClusterBarrier);
  for (const char *schedule : schedules) {
    WithSchedule with(schedule);
    std::vector<uint32_t> out(4 * 48);
    ASSERT_EQ(module.launch(out.data(), {4, 6, 2}, {2, 3, 2}, 1, 4), "");
    for (uint32_t i = 0; i < 48; ++i) {
      EXPECT_EQ(out[4 * i], i);
      EXPECT_EQ(out[4 * i + 1], i % 4 % 2);
      EXPECT_EQ(out[4 * i + 2], i / 4 % 6 % 3);
      EXPECT_EQ(out[4 * i + 3], i / 24 % 2);
    }
  }
}

TEST(Cluster, Sizes) {
  HandModule module(startLane<placeSteps>, 32);
  module.addSite(FlyCpuHandlerLatch);
  std::vector<uint32_t> out(4 * 64);
  EXPECT_EQ(module.launch(out.data(), {4, 4, 2}, {4, 4, 2}, 1, 4),
            "launch of kernel 'hand': cluster (4, 4, 2) has 32 workgroups, "
            "expected at most 16");
  EXPECT_EQ(module.launch(out.data(), {6, 1, 1}, {4, 1, 1}, 1, 4),
            "launch of kernel 'hand': cluster (4, 1, 1) in a grid (6, 1, 1), "
            "expected 1 to 16 workgroups in each dimension, which divide those "
            "of the grid");
  EXPECT_EQ(module.launch(out.data(), {4, 4, 2}, {4, 4, 1}, 1, 4), "");
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

/// Workgroup 1 goes another way: it ends (0), or waits at the workgroup's
/// barrier that its second wave does not reach (1); or all waves of workgroup 0
/// signal (2).
struct Choice {
  uint32_t value;
};

static void lostSteps(Frame &frame) {
  uint32_t choice = frame.data<Choice>()->value;
  uint32_t group = frame.lane->workgroup->block_id[0];
  switch (frame.step) {
  case 0:
    if (group == 1 && choice == 0)
      return frame.end();
    if (group == 1 && choice == 1)
      return frame.wait(frame.lane->wave == 0 ? 1 : 3, 4);
    if (frame.lane->wave == 0 || choice == 2)
      return frame.wait(2, 1);
    [[fallthrough]];
  case 1:
    return frame.wait(3, 4);
  default:
    return frame.end();
  }
}

TEST(Cluster, WhereNotAllWorkgroupsMeet) {
  HandModule module(startLane<lostSteps>, 32);
  addBarriers(module);
  const char *const expected[] = {
      "kernel.py:13:1: rocdl.s.barrier.wait: barrier that not all workgroups "
      "of "
      "the cluster reach: workgroup (1, 0, 0) has not signalled it and has "
      "ended "
      "(kernel 'hand', workgroup (0, 0, 0), wave 0)",
      "kernel.py:13:1: rocdl.s.barrier.wait: barrier that not all workgroups "
      "of "
      "the cluster reach: workgroup (1, 0, 0) has not signalled it, its wave 0 "
      "waits at rocdl.s.barrier at kernel.py:11:1 (kernel 'hand', workgroup "
      "(0, "
      "0, 0), wave 0)",
      "kernel.py:12:1: rocdl.s.barrier.signal: the workgroup has signalled "
      "this "
      "barrier of the cluster already, by wave 0 at kernel.py:12:1, and this "
      "wave has not waited for it since: one wave signals for its workgroup "
      "(kernel 'hand', workgroup (0, 0, 0), wave 1)"};
  for (uint32_t choice = 0; choice < 3; ++choice) {
    Choice data{choice};
    EXPECT_EQ(module.launch(&data, {2, 1, 1}, {2, 1, 1}, 64), expected[choice]);
    for (const char *schedule : schedules) {
      WithSchedule with(schedule);
      EXPECT_NE(module.launch(&data, {2, 1, 1}, {2, 1, 1}, 64), "") << schedule;
    }
    // Alone, a workgroup has nobody to wait for.
    EXPECT_EQ(module.launch(&data, {1, 1, 1}, {1, 1, 1}, 64), "");
  }
}

/// The waves signal in turn: the second knows of the first's wait by the
/// barrier of the workgroup, unless it is left out.
template <bool meets>
static void turnSteps(Frame &frame) {
  switch (frame.step) {
  case 0:
    if (frame.lane->wave == 0)
      return frame.wait(2, 1);
    return meets ? frame.wait(1, 3) : frame.wait(2, 4);
  case 1:
    return frame.wait(3, 2);
  case 2:
    return meets ? frame.wait(1, 4) : frame.end();
  case 3:
    return frame.wait(2, 4);
  default:
    return frame.end();
  }
}

TEST(Cluster, AnotherWaveMaySignalTheNextTime) {
  HandModule module(startLane<turnSteps<true>>, 32);
  HandModule careless(startLane<turnSteps<false>>, 32);
  addBarriers(module);
  addBarriers(careless);
  for (const char *schedule : schedules) {
    WithSchedule with(schedule);
    EXPECT_EQ(module.launch(nullptr, {2, 1, 1}, {2, 1, 1}, 64), "");
    EXPECT_NE(careless.launch(nullptr, {2, 1, 1}, {2, 1, 1}, 64)
                  .find("one wave signals for its workgroup"),
              std::string::npos)
        << schedule;
  }
}

/// One wave signals and waits twice, the other only waits, which may be when
/// the barrier is complete for the second time: its n-th wait is for the n-th.
static void lateSteps(Frame &frame) {
  if (frame.lane->wave == 1)
    return frame.step == 2 ? frame.end() : frame.wait(3, frame.step + 1);
  if (frame.step == 4)
    return frame.end();
  frame.wait(frame.step % 2 ? 3 : 2, frame.step + 1);
}

TEST(Cluster, AWaveMayWaitLate) {
  HandModule module(startLane<lateSteps>, 32);
  addBarriers(module);
  for (const char *schedule : schedules) {
    WithSchedule with(schedule);
    EXPECT_EQ(module.launch(nullptr, {2, 1, 1}, {2, 1, 1}, 64), "") << schedule;
  }
}

static void dividedSteps(Frame &frame) {
  if (frame.step == 1)
    return frame.end();
  frame.wait(frame.lane->lane < 4 ? 0 : 3, 1);
}

TEST(Cluster, BarrierThatDependsOnTheLane) {
  HandModule module(startLane<dividedSteps>, 32);
  addBarriers(module);
  EXPECT_EQ(module.launch(nullptr, {2, 1, 1}, {2, 1, 1}, 32),
            "kernel.py:10:1: llvm.amdgcn.s.cluster.barrier: two different "
            "barriers in one wave: lanes 0xf wait here, lanes 0xfffffff0 went "
            "on, to rocdl.s.barrier.wait at kernel.py:13:1 (kernel 'hand', "
            "workgroup (0, 0, 0), wave 0)");
}

//===----------------------------------------------------------------------===//
// Pauses
//===----------------------------------------------------------------------===//

/// All but the last wave of the last workgroup pause until it has written.
static void pollSteps(Frame &frame) {
  const fly_cpu_workgroup &group = *frame.lane->workgroup;
  volatile uint32_t *flag = frame.data<uint32_t>();
  bool isLast =
      group.block_id[0] + 1 == group.grid_dim[0] && frame.lane->wave == 1;
  if (isLast)
    flag[0] = 1;
  if (flag[0] == 0) {
    ++frame.counter;
    return frame.wait(0, 0);
  }
  flag[1] = flag[1] + 1;
  frame.end();
}

TEST(Cluster, WavesThatPauseLetOthersRun) {
  HandModule module(startLane<pollSteps>, 32);
  module.addSite(FlyCpuHandlerSSleep);
  for (const char *schedule : schedules) {
    WithSchedule with(schedule);
    uint32_t data[2] = {};
    ASSERT_EQ(module.launch(data, {2, 1, 1}, {2, 1, 1}, 64), "");
    EXPECT_EQ(data[1], 128u) << schedule;
    uint32_t alone[2] = {};
    ASSERT_EQ(module.launch(alone, {1, 1, 1}, {1, 1, 1}, 64), "");
    EXPECT_EQ(alone[1], 64u) << schedule;
  }
}
