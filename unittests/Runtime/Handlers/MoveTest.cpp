// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves to LDS by value: destinations by lane number, range checks by
// generation, refusals.

#include "Wave.h"

#include <gtest/gtest.h>

using namespace fly::cpu::test;

namespace {
struct Descriptor {
  uint32_t words[4];
};
} // namespace

static Descriptor describe(const void *base, uint32_t records) {
  auto address = reinterpret_cast<uint64_t>(base);
  return {{static_cast<uint32_t>(address),
           static_cast<uint32_t>(address >> 32) & 0xffff, records, 0x27000}};
}

TEST(RawPtrBufferLoadLds, WritesByLaneNumberFromTheLowestLanesAddress) {
  std::vector<uint32_t> memory(256);
  for (uint32_t i = 0; i < 256; ++i)
    memory[i] = 7000 + i;
  std::vector<uint32_t> lds(128, untouched);
  Wave wave(FlyCpuHandlerRawPtrBufferLoadLds, 0x942, 64, {16, 4, 4, 4}, {},
            {4, 8, 0});
  wave.group.exec = ~uint64_t{0x5};
  wave.group.lds = reinterpret_cast<unsigned char *>(lds.data());
  wave.group.lds_bytes = 512;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    wave.set(lane, 0, describe(memory.data(), 63 * 4));
    wave.set<uint32_t>(lane, 1, lane == 1 ? 64 : 400);
    wave.set<uint32_t>(lane, 2, (63 - lane) * 4);
    wave.set<uint32_t>(lane, 3, 16); // not checked
  }
  ASSERT_EQ(wave.run(), "");
  for (uint32_t word = 0; word < 128; ++word) {
    // 64 bytes of the lowest active lane and 8 of the offset.
    int lane = static_cast<int>(word) - 18;
    uint32_t expected = untouched;
    if (lane >= 0 && lane < 64 && lane != 0 && lane != 2) {
      uint32_t checked = (63 - lane) * 4 + 8;
      expected = checked + 4 <= 63 * 4 ? 7000 + (checked + 16) / 4 : 0;
    }
    EXPECT_EQ(lds[word], expected) << "word " << word;
  }
}

TEST(RawPtrBufferLoadLds, WideMovesOfGfx950CheckEachWord) {
  std::vector<uint32_t> memory(8);
  for (uint32_t i = 0; i < 8; ++i)
    memory[i] = 100 + i;
  std::vector<uint32_t> lds(256, untouched);
  Wave wave(FlyCpuHandlerRawPtrBufferLoadLds, 0x950, 64, {16, 4, 4, 4}, {},
            {16, 0, 0});
  wave.group.exec = 2;
  wave.group.lds = reinterpret_cast<unsigned char *>(lds.data());
  wave.group.lds_bytes = 1024;
  wave.set(1, 0, describe(memory.data(), 24));
  wave.set<uint32_t>(1, 1, 0);
  wave.set<uint32_t>(1, 2, 16);
  wave.set<uint32_t>(1, 3, 0);
  ASSERT_EQ(wave.run(), "");
  EXPECT_EQ(lds[3], untouched);
  EXPECT_EQ(lds[4], 104u);
  EXPECT_EQ(lds[5], 105u);
  EXPECT_EQ(lds[6], 0u);
  EXPECT_EQ(lds[7], 0u);
  EXPECT_EQ(lds[8], untouched);
}

TEST(RawPtrBufferLoadLds, Refusals) {
  std::vector<uint32_t> memory(64), lds(64);
  struct Case {
    uint32_t chip;
    std::vector<int32_t> immediates;
    uint32_t ldsBytes, stride;
    const char *fault;
  } cases[] = {
      {0x942,
       {16, 0, 0},
       256,
       0,
       "a move to LDS of 16 bytes a lane is not supported on this chip"},
      {0x942, {4, 0, 8}, 256, 0, "a swizzled buffer access is not supported"},
      {0x1201, {4, 0, 64}, 256, 0, "a swizzled buffer access is not supported"},
      {0x942,
       {4, 0, 0},
       255,
       0,
       "a move to LDS writes at byte 252, outside of the workgroup's 255 "
       "bytes"},
      {0x942,
       {4, 0, 0},
       256,
       1u << 16,
       "the buffer descriptor has a stride or swizzle bits, which a move to "
       "LDS "
       "does not support"},
  };
  for (const Case &test : cases) {
    Wave wave(FlyCpuHandlerRawPtrBufferLoadLds, test.chip, 64, {16, 4, 4, 4},
              {}, test.immediates);
    wave.group.lds = reinterpret_cast<unsigned char *>(lds.data());
    wave.group.lds_bytes = test.ldsBytes;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      Descriptor descriptor = describe(memory.data(), 256);
      descriptor.words[1] |= test.stride;
      wave.set(lane, 0, descriptor);
      for (uint32_t field : {1, 2, 3})
        wave.set<uint32_t>(lane, field, 0);
    }
    EXPECT_EQ(wave.run(), test.fault);
  }
}

TEST(GlobalLoadLds, OffsetCountsInBothAddresses) {
  std::vector<uint32_t> memory(256), lds(128, untouched);
  for (uint32_t i = 0; i < 256; ++i)
    memory[i] = 7000 + i;
  Wave wave(FlyCpuHandlerGlobalLoadLds, 0x942, 64, {8, 4}, {}, {4, 12, 0});
  wave.group.lds = reinterpret_cast<unsigned char *>(lds.data());
  wave.group.lds_bytes = 512;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    wave.set<const uint32_t *>(lane, 0, &memory[2 * lane]);
    wave.set<uint32_t>(lane, 1, 16);
  }
  ASSERT_EQ(wave.run(), "");
  for (uint32_t word = 0; word < 128; ++word)
    EXPECT_EQ(lds[word],
              word >= 7 && word < 71 ? 7000 + 2 * (word - 7) + 3 : untouched);
}
