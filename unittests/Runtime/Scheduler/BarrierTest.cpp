// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workgroup barrier and LDS: waves that wait for each other, waves and
// lanes that ended before, and kernels that lack a barrier.

#include "HandKernel.h"

using namespace fly::cpu;
using namespace fly::cpu::test;

static const char *const schedules[] = {"in-order", "reverse", "random:1",
                                        "random:2", "random:3"};

static uint32_t &ldsWord(Frame &frame, uint32_t index) {
  return reinterpret_cast<uint32_t *>(frame.lane->workgroup->lds)[index];
}

/// Each lane writes its id to LDS and reads its mirror's behind a barrier.
template <bool withBarrier>
static void mirrorSteps(Frame &frame) {
  uint32_t id = frame.lane->thread_id[0];
  uint32_t lanes = frame.lane->workgroup->block_dim[0];
  switch (frame.step) {
  case 0:
    ldsWord(frame, id) = id;
    return frame.wait(0, 1);
  default:
    frame.data<uint32_t>()[frame.globalId()] = ldsWord(frame, lanes - 1 - id);
    return frame.end();
  }
}

TEST(Barrier, WavesExchangeThroughLds) {
  HandModule module(startLane<mirrorSteps<true>>, 32);
  module.addSite(FlyCpuHandlerBarrier);
  module.kernel.lds_bytes = 4 * 150;
  for (const char *schedule : schedules) {
    WithSchedule with(schedule);
    std::vector<uint32_t> out(3 * 150);
    ASSERT_EQ(module.launch(out.data(), 3, 150), "");
    for (uint32_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(out[i], 149 - i % 150) << schedule << ' ' << i;
  }
}

TEST(Barrier, AMissingOneShowsInSomeOrder) {
  HandModule module(startLane<mirrorSteps<false>>, 32);
  module.addSite(FlyCpuHandlerLatch);
  module.kernel.lds_bytes = 4 * 64;
  // In order, the second wave finds what the first wrote; the first wave
  // never finds the second's. LDS is fresh: all bits set.
  auto wrong = [&](const char *schedule) {
    WithSchedule with(schedule);
    std::vector<uint32_t> out(64);
    EXPECT_EQ(module.launch(out.data(), 1, 64), "");
    uint64_t mask = 0;
    for (uint32_t i = 0; i < 64; ++i)
      if (out[i] != 63 - i) {
        EXPECT_EQ(out[i], UINT32_MAX);
        mask |= UINT64_C(1) << i;
      }
    return mask;
  };
  EXPECT_EQ(wrong("in-order"), UINT64_C(0x00000000FFFFFFFF));
  EXPECT_EQ(wrong("reverse"), UINT64_C(0xFFFFFFFF00000000));
}

/// Reads LDS, then writes it: the next workgroup must not see it.
static void freshSteps(Frame &frame) {
  frame.data<uint32_t>()[frame.globalId()] = ldsWord(frame, 0);
  ldsWord(frame, 0) = 1;
  frame.end();
}

TEST(Barrier, LdsIsFreshForEachWorkgroup) {
  HandModule module(startLane<freshSteps>, 32);
  std::vector<uint32_t> out(9);
  setThreads(1);
  ASSERT_EQ(module.launch(out.data(), 9, 1, /*dynamicLds=*/4), "");
  setThreads(0);
  EXPECT_EQ(out, std::vector<uint32_t>(9, UINT32_MAX));
}

/// Lanes whose number is a multiple of 3, and all of wave 1, return before the
/// barrier.
static void earlySteps(Frame &frame) {
  uint32_t id = frame.lane->thread_id[0];
  switch (frame.step) {
  case 0:
    ldsWord(frame, id) = id + 1;
    if (id % 3 == 0 || frame.lane->wave == 1)
      return frame.end();
    return frame.wait(0, 1);
  default:
    frame.data<uint32_t>()[id] = ldsWord(frame, 95 - id);
    return frame.end();
  }
}

TEST(Barrier, EndedLanesAndWavesCountAsArrived) {
  HandModule module(startLane<earlySteps>, 32);
  module.addSite(FlyCpuHandlerSBarrier);
  module.kernel.lds_bytes = 4 * 96;
  for (const char *schedule : schedules) {
    WithSchedule with(schedule);
    std::vector<uint32_t> out(96);
    ASSERT_EQ(module.launch(out.data(), 1, 96), "");
    for (uint32_t id = 0; id < 96; ++id)
      EXPECT_EQ(out[id], id % 3 == 0 || id / 32 == 1 ? 0 : 96 - id)
          << schedule << ' ' << id;
  }
}

/// Signal (site 0), work, wait (site 1), twice over.
static void splitSteps(Frame &frame) {
  uint32_t id = frame.lane->thread_id[0];
  switch (frame.step) {
  case 0:
    ldsWord(frame, id) = id + frame.counter;
    return frame.wait(0, 1);
  case 1:
    return frame.wait(1, 2);
  default:
    frame.data<uint32_t>()[id * 2 + frame.counter] = ldsWord(frame, 63 - id);
    if (++frame.counter == 2)
      return frame.end();
    // A whole barrier between reading and writing again.
    return frame.wait(2, 0);
  }
}

TEST(Barrier, SignalAndWaitApart) {
  HandModule module(startLane<splitSteps>, 32);
  module.addSite(FlyCpuHandlerSBarrierSignal);
  module.addSite(FlyCpuHandlerSBarrierWait);
  module.addSite(FlyCpuHandlerSBarrier);
  module.kernel.lds_bytes = 4 * 64;
  for (const char *schedule : schedules) {
    WithSchedule with(schedule);
    std::vector<uint32_t> out(128);
    ASSERT_EQ(module.launch(out.data(), 1, 64), "");
    for (uint32_t id = 0; id < 64; ++id)
      for (uint32_t round = 0; round < 2; ++round)
        EXPECT_EQ(out[id * 2 + round], 63 - id + round) << schedule;
  }
}
