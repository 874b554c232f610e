// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lane exchange by value: every lane's expected result stands in the test.

#include "Wave.h"

#include <gtest/gtest.h>

using namespace fly::cpu::test;

static uint32_t valueOf(uint32_t lane) { return 1000 + lane; }

TEST(HandlerTable, EveryLineOfTheListIsServed) {
  enum { None, Barrier, Exchange, Matrix, Move, Wait, Sleep };
  const int classes[] = {
#define FLY_CPU_HANDLER(Id, Name, Class, Immediates, Needs, Queue) Class,
#include "fly_cpu_handlers.def"
  };
  for (uint32_t id = 0; id < FlyCpuHandlerCount; ++id)
    EXPECT_EQ(flyCpuGetHandler(id) != nullptr,
              classes[id] >= Exchange && classes[id] < Wait)
        << "handler " << id;
  EXPECT_EQ(flyCpuGetHandler(FlyCpuHandlerCount), nullptr);
}

TEST(DsBpermute, ReadsByByteAddressModuloTheWave) {
  for (uint32_t waveSize : {32u, 64u}) {
    Wave wave(FlyCpuHandlerDsBpermute, 0x942, waveSize, {4, 4}, {4});
    for (uint32_t lane = 0; lane < waveSize; ++lane) {
      wave.set<uint32_t>(lane, 0, (lane * 7 + 5) * 4 + lane % 4);
      wave.set<uint32_t>(lane, 1, valueOf(lane));
    }
    EXPECT_EQ(wave.run(), "");
    for (uint32_t lane = 0; lane < waveSize; ++lane)
      EXPECT_EQ(wave.result(lane), valueOf((lane * 7 + 5) % waveSize));
  }
}

TEST(DsBpermute, InactiveSourceGivesZeroAndInactiveLanesAreLeftAlone) {
  Wave wave(FlyCpuHandlerDsBpermute, 0x942, 64, {4, 4}, {4});
  wave.group.exec = 0xff00ff00ff00ff0f;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    wave.set<uint32_t>(lane, 0, (lane ^ 8) * 4);
    wave.set<uint32_t>(lane, 1, valueOf(lane));
  }
  EXPECT_EQ(wave.run(), "");
  for (uint32_t lane = 0; lane < 64; ++lane) {
    uint32_t expected = !wave.isActive(lane)      ? untouched
                        : wave.isActive(lane ^ 8) ? valueOf(lane ^ 8)
                                                  : 0;
    EXPECT_EQ(wave.result(lane), expected) << "lane " << lane;
  }
}

TEST(DsSwizzle, BitMaskModeStaysWithin32Lanes) {
  const uint32_t andMask = 0x1b, orMask = 0x04, xorMask = 0x12;
  Wave wave(FlyCpuHandlerDsSwizzle, 0x942, 64, {4}, {4},
            {static_cast<int32_t>(andMask | orMask << 5 | xorMask << 10)});
  for (uint32_t lane = 0; lane < 64; ++lane)
    wave.set(lane, 0, valueOf(lane));
  EXPECT_EQ(wave.run(), "");
  for (uint32_t lane = 0; lane < 64; ++lane) {
    uint32_t inner = (((lane % 32) & andMask) | orMask) ^ xorMask;
    EXPECT_EQ(wave.result(lane), valueOf(lane / 32 * 32 + inner));
  }
}

TEST(DsSwizzle, QuadModeAndInactiveSource) {
  // Quad permutation (3, 0, 2, 1).
  Wave wave(FlyCpuHandlerDsSwizzle, 0x1201, 32, {4}, {4},
            {0x8000 | 3 | 0 << 2 | 2 << 4 | 1 << 6});
  wave.group.exec = ~uint32_t{0x8};
  const uint32_t order[] = {3, 0, 2, 1};
  for (uint32_t lane = 0; lane < 32; ++lane)
    wave.set(lane, 0, valueOf(lane));
  EXPECT_EQ(wave.run(), "");
  EXPECT_EQ(wave.result(0), 0u) << "lane 3 is inactive";
  EXPECT_EQ(wave.result(3), untouched);
  for (uint32_t lane = 4; lane < 32; ++lane)
    EXPECT_EQ(wave.result(lane), valueOf(lane / 4 * 4 + order[lane % 4]));
}

TEST(DsSwizzle, RotationsAreRefused) {
  Wave wave(FlyCpuHandlerDsSwizzle, 0x942, 64, {4}, {4}, {0xc020});
  EXPECT_EQ(wave.run(), "ds_swizzle pattern 49184 (rotation or FFT order) is "
                        "not supported");
}

static void checkSwap(uint32_t handler, uint32_t row) {
  Wave wave(handler, 0x950, 64, {4, 4}, {4, 4}, {0, 0});
  for (uint32_t lane = 0; lane < 64; ++lane) {
    wave.set(lane, 0, valueOf(lane));
    wave.set(lane, 1, 2000 + lane);
  }
  EXPECT_EQ(wave.run(), "");
  // The registers as rows: odd rows of the first and even rows of the second
  // have changed places.
  for (uint32_t lane = 0; lane < 64; ++lane) {
    bool isOdd = lane / row % 2;
    EXPECT_EQ(wave.get<uint32_t>(lane, 2),
              isOdd ? 2000 + lane - row : valueOf(lane));
    EXPECT_EQ(wave.get<uint32_t>(lane, 3),
              isOdd ? 2000 + lane : valueOf(lane + row));
  }
  wave.group.exec &= ~(uint64_t{1} << row);
  EXPECT_EQ(wave.run(), "the operation reads the register of lane " +
                            std::to_string(row) + ", which is inactive");
  EXPECT_EQ(wave.faultLane, 0);
}

TEST(PermlaneSwap, Rows16) { checkSwap(FlyCpuHandlerPermlane16Swap, 16); }
TEST(PermlaneSwap, Rows32) { checkSwap(FlyCpuHandlerPermlane32Swap, 32); }

TEST(PermlaneX16, SelectsInTheOtherRow) {
  for (int mode = 0; mode < 3; ++mode) {
    int32_t fetchInactive = mode == 2, boundControl = mode == 1;
    Wave wave(FlyCpuHandlerPermlaneX16, 0x1100, 32, {4, 4, 4, 4}, {4},
              {fetchInactive, boundControl});
    wave.group.exec = 0xfffffeffu; // lane 8 is off
    for (uint32_t lane = 0; lane < 32; ++lane) {
      wave.set(lane, 0, 5000 + lane);
      wave.set(lane, 1, valueOf(lane));
      // Lane i of a row reads lane 15 - i.
      wave.set<uint32_t>(lane, 2, 0x89abcdef);
      wave.set<uint32_t>(lane, 3, 0x01234567);
    }
    if (fetchInactive) {
      EXPECT_EQ(
          wave.run(),
          "the operation reads the register of lane 8, which is inactive");
      EXPECT_EQ(wave.faultLane, 23);
      continue;
    }
    EXPECT_EQ(wave.run(), "");
    for (uint32_t lane = 0; lane < 32; ++lane) {
      uint32_t source = (lane < 16 ? 16 : 0) + 15 - lane % 16;
      uint32_t expected = lane == 8      ? untouched
                          : source != 8  ? valueOf(source)
                          : boundControl ? 0
                                         : 5000 + lane;
      EXPECT_EQ(wave.result(lane), expected) << "lane " << lane;
    }
  }
}

TEST(Readlane, OfAnActiveLane) {
  Wave wave(FlyCpuHandlerReadlane, 0x942, 64, {8, 4}, {8});
  wave.group.exec = 0xf0f0;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    wave.set<uint64_t>(lane, 0, uint64_t{1} << 40 | lane);
    // The lowest active lane's number counts, modulo the wave size.
    wave.set<uint32_t>(lane, 1, lane == 4 ? 64 + 13 : 0);
  }
  EXPECT_EQ(wave.run(), "");
  for (uint32_t lane = 0; lane < 64; ++lane)
    EXPECT_EQ(wave.result<uint64_t>(lane), wave.isActive(lane)
                                               ? (uint64_t{1} << 40 | 13)
                                               : 0xcdcdcdcdcdcdcdcd);
}

TEST(Readlane, OfAnInactiveLaneIsAFault) {
  Wave wave(FlyCpuHandlerReadlane, 0x942, 64, {4, 4}, {4});
  wave.group.exec = 0xf0f0;
  for (uint32_t lane = 0; lane < 64; ++lane)
    wave.set<uint32_t>(lane, 1, 8);
  EXPECT_EQ(wave.run(),
            "the operation reads the register of lane 8, which is inactive");
  EXPECT_EQ(wave.result(4), untouched);
}

TEST(Readfirstlane, LowestActiveLane) {
  Wave wave(FlyCpuHandlerReadfirstlane, 0x1100, 32, {4}, {4});
  wave.group.exec = 0x80008800;
  for (uint32_t lane = 0; lane < 32; ++lane)
    wave.set(lane, 0, valueOf(lane));
  EXPECT_EQ(wave.run(), "");
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(wave.result(lane), wave.isActive(lane) ? valueOf(11) : untouched);
}

TEST(CvtScale, RegistersOfOneHalf) {
  for (uint32_t first : {0u, 16u}) {
    Wave wave(FlyCpuHandlerCvtScale, 0x1250, 32, {4}, {4},
              {static_cast<int32_t>(first)});
    // The other half may miss lanes, which are left alone.
    wave.group.exec &= first ? 0xfffff00f : 0x0a5affff;
    for (uint32_t lane = 0; lane < 32; ++lane)
      wave.set(lane, 0, valueOf(lane));
    EXPECT_EQ(wave.run(), "");
    for (uint32_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(wave.result(lane),
                wave.isActive(lane) ? valueOf(first + lane % 16) : untouched);
  }
}

TEST(CvtScale, RegisterOfAnInactiveLaneIsAFault) {
  Wave wave(FlyCpuHandlerCvtScale, 0x1250, 32, {4}, {4}, {16});
  wave.group.exec = 0xffdfffff;
  EXPECT_EQ(wave.run(),
            "the operation reads the register of lane 21, which is inactive");
  EXPECT_EQ(wave.faultLane, 5);
  // No lane asks for it.
  wave.group.exec = 0xffdfffdf;
  EXPECT_EQ(wave.run(), "");
}

TEST(Ballot, MaskOfActiveLanes) {
  for (uint32_t waveSize : {32u, 64u})
    for (int32_t bytes : {4, 8}) {
      Wave wave(FlyCpuHandlerBallot, 0x942, waveSize, {1}, {bytes});
      wave.group.exec &= 0x0ff00ff00ff00ff0;
      uint64_t expected = 0;
      for (uint32_t lane = 0; lane < waveSize; ++lane) {
        bool holds = lane % 3 == 0;
        wave.set<uint8_t>(lane, 0, holds);
        if (holds && wave.isActive(lane))
          expected |= uint64_t{1} << lane;
      }
      EXPECT_EQ(wave.run(), "");
      if (bytes == 4)
        EXPECT_EQ(wave.result<uint32_t>(4), static_cast<uint32_t>(expected));
      else
        EXPECT_EQ(wave.result<uint64_t>(4), expected);
    }
}
