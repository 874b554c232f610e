// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What has no defined result: each stops the launch with a text that names
// place, operation, cause, kernel, workgroup, wave and lane.

#include "HandKernel.h"

#include <sys/mman.h>

using namespace fly::cpu;
using namespace fly::cpu::test;

/// Lanes below 8 wait at site 0, the others at site 1.
static void splitSteps(Frame &frame) {
  if (frame.step == 0)
    return frame.wait(frame.lane->lane < 8 ? 0 : 1, 1);
  frame.end();
}

TEST(Fault, TwoBarriersInOneWave) {
  HandModule module(startLane<splitSteps>, 32);
  module.addSite(FlyCpuHandlerSBarrier);
  module.addSite(FlyCpuHandlerBarrier);
  EXPECT_EQ(module.launch(nullptr, 1, 32),
            "kernel.py:10:1: rocdl.s.barrier: two different barriers in one "
            "wave: lanes 0xff wait here, lanes 0xffffff00 went on, to "
            "rocdl.barrier at kernel.py:11:1 (kernel 'hand', workgroup (0, 0, "
            "0), wave 0)");
}

TEST(Fault, BarrierThatDependsOnTheLane) {
  HandModule module(startLane<splitSteps>, 32);
  module.addSite(FlyCpuHandlerBarrier);
  module.addSite(FlyCpuHandlerLatch);
  EXPECT_EQ(module.launch(nullptr, 1, 12),
            "kernel.py:10:1: rocdl.barrier: barrier that depends on the lane: "
            "lanes 0xff wait here, lanes 0xf00 went on, to the place where "
            "branches or iterations meet at kernel.py:11:1 (kernel 'hand', "
            "workgroup (0, 0, 0), wave 0)");
}

/// Lanes below 8 wait at site 0 first; all meet at site 1.
static void meetSteps(Frame &frame) {
  if (frame.step == 0 && frame.lane->lane < 8)
    return frame.wait(0, 1);
  if (frame.step <= 1)
    return frame.wait(1, 2);
  frame.end();
}

TEST(Fault, NoneIfLanesMeetAtTheBarrier) {
  HandModule module(startLane<meetSteps>, 32);
  module.addSite(FlyCpuHandlerLatch);
  module.addSite(FlyCpuHandlerBarrier);
  EXPECT_EQ(module.launch(nullptr, 1, 64), "");
}

static void doubleSignalSteps(Frame &frame) {
  if (frame.step < 2)
    return frame.wait(0, frame.step + 1);
  frame.end();
}

TEST(Fault, SignalTwiceAndWaitWithoutSignal) {
  HandModule twice(startLane<doubleSignalSteps>, 32);
  twice.addSite(FlyCpuHandlerSBarrierSignal);
  EXPECT_EQ(
      twice.launch(nullptr, 1, 32),
      "kernel.py:10:1: rocdl.s.barrier.signal: the wave has signalled "
      "this barrier already (kernel 'hand', workgroup (0, 0, 0), wave 0)");
  HandModule without(startLane<doubleSignalSteps>, 32);
  without.addSite(FlyCpuHandlerSBarrierWait);
  EXPECT_EQ(without.launch(nullptr, 1, 32),
            "kernel.py:10:1: rocdl.s.barrier.wait: the wave waits for a "
            "barrier that it did not signal (kernel 'hand', workgroup (0, 0, "
            "0), wave 0)");
}

/// Reads lane 9 while lanes from 8 on have ended.
static void readlaneSteps(Frame &frame) {
  if (frame.step == 0) {
    if (frame.lane->lane >= 8)
      return frame.end();
    frame.putOperand<uint32_t>(0, 1);
    frame.putOperand<uint32_t>(8, 9);
    return frame.wait(0, 1);
  }
  frame.end();
}

TEST(Fault, ReadlaneFromAnInactiveLane) {
  HandModule module(startLane<readlaneSteps>, 32);
  module.addSite(FlyCpuHandlerReadlane, {4, 4}, {4});
  std::string error = module.launch(nullptr, 1, 32);
  EXPECT_EQ(error.rfind("kernel.py:10:1: rocdl.readlane: ", 0), 0u) << error;
  EXPECT_NE(error.find("(kernel 'hand', workgroup (0, 0, 0), wave 0"),
            std::string::npos)
      << error;
}

/// All lanes but one come to site 0.
static void missingLaneSteps(Frame &frame) {
  if (frame.step == 0 && frame.lane->lane != 5)
    return frame.wait(0, 1);
  frame.end();
}

TEST(Fault, MatrixOperationWithLanesOff) {
  HandModule module(startLane<missingLaneSteps>, 64);
  module.addSite(FlyCpuHandlerMfmaF32_16x16x16F16, {8, 8, 16}, {16});
  std::string error = module.launch(nullptr, 1, 64);
  EXPECT_EQ(error.rfind("kernel.py:10:1: rocdl.mfma.f32.16x16x16f16: ", 0), 0u)
      << error;
}

/// Lane 3 of wave 1 of the last workgroup fails an assertion.
static const fly_cpu_runtime *laneTable;
static void assertSteps(Frame &frame) {
  if (frame.lane->workgroup->block_id[0] == 4 && frame.lane->wave == 1 &&
      frame.lane->lane == 3)
    laneTable->lane_fault(frame.lane, /*location=*/0, FlyCpuFaultAssertion, 7);
  frame.end();
}

TEST(Fault, FailedAssertion) {
  HandModule module(startLane<assertSteps>, 32);
  fly_cpu_assertion assertion = {7, 10, 0};
  module.module.assertions = &assertion;
  module.module.num_assertions = 1;
  module.module.runtime = &laneTable;
  EXPECT_EQ(module.launch(nullptr, 5, 64),
            "kernel.py:1:1: assertion failed: n is positive (kernel 'hand', "
            "workgroup (4, 0, 0), wave 1, lane 3)");
}

static void pokeSteps(Frame &frame) {
  if (frame.step == 0)
    return frame.wait(0, 1);
  *frame.data<volatile char>() = 1;
  frame.end();
}

TEST(Fault, UnmappedMemory) {
  HandModule module(startLane<pokeSteps>, 32);
  module.addSite(FlyCpuHandlerLatch);
  void *page =
      mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  // Twice: the first fault must not disturb the next launch.
  for (int i = 0; i < 2; ++i) {
    std::string error = module.launch(page, 1, 32);
    EXPECT_EQ(error.rfind("kernel.py:10:1: access to unmapped memory at "
                          "address 0x",
                          0),
              0u)
        << error;
  }
  munmap(page, 4096);
}

TEST(Fault, PlacesNameWhereTheyWereInlined) {
  HandModule module(startLane<doubleSignalSteps>, 32);
  uint32_t outer = module.addLocation(70, FLY_CPU_NO_LOCATION);
  uint32_t middle = module.addLocation(80, outer);
  (void)middle;
  module.addSite(FlyCpuHandlerSBarrierWait);
  auto *site = const_cast<fly_cpu_site *>(module.get()->kernels[0].sites);
  site->location = middle;
  std::string error = module.launch(nullptr, 1, 32);
  EXPECT_EQ(error.rfind("kernel.py:80:1, inlined at kernel.py:70:1: ", 0), 0u)
      << error;
}
