// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which lanes run, which go together, and in which order.

#include "HandKernel.h"

using namespace fly::cpu;
using namespace fly::cpu::test;

/// Each lane counts itself and stores its ids.
static void countSteps(Frame &frame) {
  const fly_cpu_workgroup &group = *frame.lane->workgroup;
  uint32_t x = frame.lane->thread_id[0], y = frame.lane->thread_id[1],
           z = frame.lane->thread_id[2];
  uint64_t inGroup =
      x + group.block_dim[0] * (y + uint64_t(group.block_dim[1]) * z);
  uint64_t lanes =
      uint64_t(group.block_dim[0]) * group.block_dim[1] * group.block_dim[2];
  uint64_t workgroup =
      group.block_id[0] +
      group.grid_dim[0] *
          (group.block_id[1] + uint64_t(group.grid_dim[1]) * group.block_id[2]);
  __atomic_fetch_add(&frame.data<uint32_t>()[workgroup * lanes + inGroup],
                     frame.lane->lane + 100 * frame.lane->wave + 1,
                     __ATOMIC_RELAXED);
  frame.end();
}

static void runCounting(const char *schedule, unsigned threads) {
  WithSchedule with(schedule);
  setThreads(threads);
  HandModule module(startLane<countSteps>, 32);
  std::string error;
  std::unique_ptr<Object> object = Object::wrap(module.get(), error);
  ASSERT_TRUE(object) << error;
  constexpr uint32_t workgroups = 5 * 3 * 2, lanes = 7 * 5 * 2;
  std::vector<uint32_t> counts(workgroups * lanes);
  uint32_t *data = counts.data();
  void *arguments[2] = {data, nullptr};
  Launch launch;
  launch.object = object.get();
  launch.kernel = object->find("hand");
  launch.grid[0] = 5, launch.grid[1] = 3, launch.grid[2] = 2;
  launch.block[0] = 7, launch.block[1] = 5, launch.block[2] = 2;
  launch.arguments = arguments;
  ASSERT_TRUE(run(launch, error)) << error;
  for (uint32_t i = 0; i < counts.size(); ++i) {
    uint32_t lane = i % lanes;
    EXPECT_EQ(counts[i], lane % 32 + 100 * (lane / 32) + 1) << i;
  }
  setThreads(0);
}

TEST(Launch, EveryLaneOnceInOrder) { runCounting("in-order", 1); }
TEST(Launch, EveryLaneOnceReverse) { runCounting("reverse", 2); }
TEST(Launch, EveryLaneOnceRandom) {
  for (unsigned seed = 0; seed < 8; ++seed)
    runCounting(("random:" + std::to_string(seed)).c_str(), 3);
}

/// Even lanes vote at site 0, odd ones at site 1 and then all at site 2; each
/// result is the mask of the lanes that went together.
static void voteSteps(Frame &frame) {
  uint64_t *masks = frame.data<uint64_t>() + 2 * frame.globalId();
  bool odd = frame.lane->lane % 2;
  switch (frame.step) {
  case 0:
    frame.putOperand<uint8_t>(0, 1);
    return frame.wait(odd ? 1 : 0, 1);
  case 1:
    masks[0] = frame.result<uint64_t>(8);
    frame.putOperand<uint8_t>(0, 1);
    return frame.wait(2, 2);
  default:
    masks[1] = frame.result<uint64_t>(8);
    return frame.end();
  }
}

TEST(Launch, SmallestSiteGoesFirst) {
  HandModule module(startLane<voteSteps>, 64);
  for (int i = 0; i < 3; ++i)
    module.addSite(FlyCpuHandlerBallot, {1}, {8});
  // One full wave and one of 6 lanes.
  std::vector<uint64_t> masks(2 * 70);
  ASSERT_EQ(module.launch(masks.data(), 1, 70), "");
  for (unsigned lane = 0; lane < 70; ++lane) {
    uint64_t all = lane < 64 ? ~UINT64_C(0) : 0x3F;
    uint64_t odd = UINT64_C(0xAAAAAAAAAAAAAAAA);
    EXPECT_EQ(masks[2 * lane], all & (lane % 2 ? odd : ~odd)) << lane;
    EXPECT_EQ(masks[2 * lane + 1], all) << lane;
  }
}

/// A loop of lane-dependent length with a vote in each round: site 0 the vote,
/// site 1 the latch.
static void loopSteps(Frame &frame) {
  uint32_t rounds = frame.lane->lane % 4 + 1;
  uint64_t *masks = frame.data<uint64_t>() + 4 * frame.globalId();
  switch (frame.step) {
  case 0:
    frame.putOperand<uint8_t>(0, 1);
    return frame.wait(0, 1);
  case 1:
    masks[frame.counter++] = frame.result<uint64_t>(8);
    if (frame.counter == rounds)
      return frame.end();
    return frame.wait(1, 2);
  default:
    frame.putOperand<uint8_t>(0, 1);
    return frame.wait(0, 1);
  }
}

TEST(Launch, LanesLeaveALoopOneByOne) {
  HandModule module(startLane<loopSteps>, 32);
  module.addSite(FlyCpuHandlerBallot, {1}, {8});
  module.addSite(FlyCpuHandlerLatch);
  std::vector<uint64_t> masks(4 * 32);
  ASSERT_EQ(module.launch(masks.data(), 1, 32), "");
  // In round r go the lanes that have more than r rounds.
  uint64_t expected[4] = {0xFFFFFFFF, 0xEEEEEEEE, 0xCCCCCCCC, 0x88888888};
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned round = 0; round <= lane % 4; ++round)
      EXPECT_EQ(masks[4 * lane + round], expected[round]) << lane;
}

/// Two sites served at one suspension: a vote with its fields at 0 and 8, then
/// readfirstlane with its fields at 16 and 24. Lane 0 has ended.
static void chainSteps(Frame &frame) {
  uint64_t *out = frame.data<uint64_t>() + 2 * frame.lane->lane;
  if (frame.step == 0) {
    if (frame.lane->lane == 0)
      return frame.end();
    frame.putOperand<uint8_t>(0, frame.lane->lane % 3 == 0);
    frame.putOperand<uint32_t>(16, 100 + frame.lane->lane);
    return frame.wait(0, 1);
  }
  out[0] = frame.result<uint64_t>(8);
  out[1] = frame.result<uint32_t>(24);
  frame.end();
}

TEST(Launch, ChainedSitesShareASuspension) {
  HandModule module(startLane<chainSteps>, 32);
  module.addSite(FlyCpuHandlerBallot, {1}, {8});
  module.chainLast();
  module.addSite(FlyCpuHandlerReadfirstlane, {4}, {4});
  std::vector<uint64_t> out(2 * 32);
  ASSERT_EQ(module.launch(out.data(), 1, 32), "");
  EXPECT_EQ(out[0], 0u);
  for (unsigned lane = 1; lane < 32; ++lane) {
    EXPECT_EQ(out[2 * lane], UINT64_C(0x49249248)) << lane;
    EXPECT_EQ(out[2 * lane + 1], 101u) << lane;
  }
}

TEST(Launch, RefusesSizesThatDoNotFit) {
  HandModule module(startLane<countSteps>, 32);
  uint32_t data[1024] = {};
  EXPECT_EQ(module.launch(data, 0, 32),
            "launch of kernel 'hand': grid (0, 1, 1), expected 1 to 2147483647 "
            "workgroups in each dimension");
  EXPECT_EQ(module.launch(data, 1, 0),
            "launch of kernel 'hand': block (0, 1, 1), expected 1 to 1024 "
            "lanes in each dimension");
  module.kernel.max_workgroup = 64;
  EXPECT_EQ(module.launch(data, 1, 65),
            "launch of kernel 'hand': block (65, 1, 1) has 65 lanes, the "
            "kernel's largest workgroup is 64");
  EXPECT_EQ(module.launch(data, 1, 64), "");
  module.kernel.required_block[0] = 64;
  module.kernel.required_block[1] = module.kernel.required_block[2] = 1;
  EXPECT_EQ(module.launch(data, 1, 32),
            "launch of kernel 'hand': block (32, 1, 1), the kernel requires "
            "(64, 1, 1)");
  module.kernel.required_cluster[0] = 2;
  module.kernel.required_cluster[1] = 1;
  EXPECT_EQ(module.launch(data, {4, 1, 1}, {4, 1, 1}, 64),
            "launch of kernel 'hand': cluster (4, 1, 1), the kernel requires "
            "(2, 1, 0)");
  EXPECT_EQ(module.launch(data, {4, 1, 1}, {2, 1, 1}, 64), "");
  module.kernel.required_cluster[0] = 0;
  module.kernel.lds_bytes = 65000;
  EXPECT_EQ(module.launch(data, 1, 64, 1000),
            "launch of kernel 'hand': 65000 bytes of static and 1000 bytes of "
            "dynamic LDS, a workgroup on gfx1100 has 65536");
}

TEST(Launch, ReadsSchedules) {
  Schedule schedule;
  std::string error;
  EXPECT_TRUE(parseSchedule("random:18446744073709551615", schedule, error));
  EXPECT_EQ(schedule.kind, Schedule::Kind::Random);
  EXPECT_EQ(schedule.seed, UINT64_MAX);
  for (const char *wrong :
       {"", "forward", "random", "random:", "random:x",
        "random:18446744073709551616", "random:-1", "reverse "}) {
    EXPECT_FALSE(parseSchedule(wrong, schedule, error));
    EXPECT_EQ(error, std::string("unknown schedule '") + wrong +
                         "', expected in-order, reverse or random:SEED");
  }
  EXPECT_EQ(schedule.kind, Schedule::Kind::Random);
}
