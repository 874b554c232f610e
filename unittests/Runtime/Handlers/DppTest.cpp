// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// update.dpp by value: for each control a list of source lanes that the test
// states by itself.

#include "Wave.h"

#include <functional>
#include <gtest/gtest.h>

using namespace fly::cpu::test;

namespace {
/// The lane that a lane reads; -1 outside, -2 "keeps old whatever the masks".
using Source = std::function<int(int lane)>;
constexpr int keeps = -2;
} // namespace

/// Runs a control with the given masks and compares every lane.
static void check(uint32_t chip, uint32_t waveSize, int32_t ctrl,
                  const Source &source, uint64_t exec = ~uint64_t{0},
                  int32_t rowMask = 15, int32_t bankMask = 15) {
  for (int32_t boundControl : {0, 1}) {
    Wave wave(FlyCpuHandlerUpdateDpp, chip, waveSize, {4, 4}, {4},
              {ctrl, rowMask, bankMask, boundControl});
    wave.group.exec &= exec;
    for (uint32_t lane = 0; lane < waveSize; ++lane) {
      wave.set<uint32_t>(lane, 0, 500 + lane);
      wave.set<uint32_t>(lane, 1, 1000 + lane);
    }
    EXPECT_EQ(wave.run(), "");
    for (int lane = 0; lane < static_cast<int>(waveSize); ++lane) {
      int from = source(lane);
      bool isEnabled = from != keeps && (rowMask >> lane / 16 & 1) &&
                       (bankMask >> lane / 4 % 4 & 1);
      bool isValid = from >= 0 && wave.isActive(from);
      uint32_t expected = !wave.isActive(lane) ? untouched
                          : !isEnabled         ? 500 + lane
                          : isValid            ? 1000 + from
                          : boundControl       ? 0
                                               : 500 + lane;
      EXPECT_EQ(wave.result(lane), expected)
          << "control " << ctrl << ", lane " << lane;
    }
  }
}

TEST(UpdateDpp, QuadPermutation) {
  const int order[] = {2, 0, 3, 3};
  check(0x942, 64, 2 | 0 << 2 | 3 << 4 | 3 << 6,
        [&](int lane) { return lane / 4 * 4 + order[lane % 4]; });
}

TEST(UpdateDpp, RowShiftsAndRotation) {
  for (int n : {1, 4, 15}) {
    check(0x942, 64, 0x100 + n,
          [&](int lane) { return lane % 16 + n < 16 ? lane + n : -1; });
    check(0x1201, 32, 0x110 + n,
          [&](int lane) { return lane % 16 >= n ? lane - n : -1; });
    check(0x950, 64, 0x120 + n,
          [&](int lane) { return lane / 16 * 16 + (lane % 16 + 16 - n) % 16; });
  }
}

TEST(UpdateDpp, Mirrors) {
  check(0x1100, 32, 0x140,
        [](int lane) { return lane / 16 * 16 + 15 - lane % 16; });
  check(0x1100, 32, 0x141,
        [](int lane) { return lane / 8 * 8 + 7 - lane % 8; });
}

TEST(UpdateDpp, WaveShiftsOfGfx9) {
  check(0x942, 64, 0x130, [](int lane) { return lane < 63 ? lane + 1 : -1; });
  check(0x942, 64, 0x134, [](int lane) { return (lane + 1) % 64; });
  check(0x942, 64, 0x138, [](int lane) { return lane - 1; });
  check(0x942, 64, 0x13c, [](int lane) { return (lane + 63) % 64; });
}

TEST(UpdateDpp, BroadcastsOfGfx9) {
  check(0x942, 64, 0x142,
        [](int lane) { return lane < 16 ? keeps : lane / 16 * 16 - 1; });
  check(0x942, 64, 0x143, [](int lane) { return lane < 32 ? keeps : 31; });
}

TEST(UpdateDpp, ShareAndXmaskOfGfx10) {
  check(0x1201, 32, 0x155, [](int lane) { return lane / 16 * 16 + 5; });
  check(0x1201, 32, 0x163,
        [](int lane) { return lane / 16 * 16 + (lane % 16 ^ 3); });
}

TEST(UpdateDpp, MasksAndInactiveLanes) {
  auto shift = [](int lane) { return lane % 16 >= 1 ? lane - 1 : -1; };
  check(0x942, 64, 0x111, shift, 0xfff0fffff0ffff3f, 0b1010, 0b0111);
}

TEST(UpdateDpp, ControlsThatTheChipLacksAreFaults) {
  for (auto [chip, ctrl] :
       {std::pair(0x942u, 0x160), std::pair(0x1100u, 0x142),
        std::pair(0x1100u, 0x130), std::pair(0x942u, 0x100)}) {
    Wave wave(FlyCpuHandlerUpdateDpp, chip, 32, {4, 4}, {4}, {ctrl, 15, 15, 0});
    EXPECT_EQ(wave.run(),
              "the chip has no DPP control " + std::to_string(ctrl));
  }
}
