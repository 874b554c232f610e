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
    wave.set<uint32_t>(lane, 1, lane == 0 || lane == 2 ? 400 : 64);
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

// Each lane may give the address where it writes; any other is lost.
TEST(GlobalLoadLds, AddressesOfLanes) {
  std::vector<uint32_t> memory(64, 7), lds(128, untouched);
  Wave wave(FlyCpuHandlerGlobalLoadLds, 0x942, 64, {8, 4}, {}, {4, 0, 0});
  wave.group.lds = reinterpret_cast<unsigned char *>(lds.data());
  wave.group.lds_bytes = 512;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    wave.set<const uint32_t *>(lane, 0, &memory[lane]);
    wave.set<uint32_t>(lane, 1, 16 + 4 * lane);
  }
  ASSERT_EQ(wave.run(), "");
  for (uint32_t word = 0; word < 128; ++word)
    EXPECT_EQ(lds[word], word >= 4 && word < 68 ? 7 : untouched);
  // Without lane 0 the hardware begins at lane 1's address, for all lanes.
  wave.group.exec = ~uint64_t{1};
  EXPECT_EQ(wave.run(), "a move to LDS writes lane after lane from the address "
                        "of lane 1, byte 20, but this lane's address is byte "
                        "268");
  EXPECT_EQ(wave.faultLane, 63);
}

namespace {
/// A wave that reads LDS with element `e` of each 16 lanes, counted through the
/// lanes, holding e modulo 2^bits.
struct TransposedRead {
  TransposedRead(uint32_t handler, uint32_t bits, uint32_t size)
      : bits(bits), perLane(size * 8 / bits), lds(64 * 16 + 64, 0),
        wave(handler, 0x950, 64, {4}, {static_cast<int32_t>(size)}) {
    wave.group.lds = lds.data();
    wave.group.lds_bytes = static_cast<uint32_t>(lds.size());
    for (uint32_t lane = 0; lane < 64; ++lane) {
      // Lanes lie in another order than they are numbered.
      uint32_t address = (lane * 37 % 64) * 16;
      wave.set<uint32_t>(lane, 0, address);
      for (uint32_t i = 0; i < perLane; ++i)
        put(&lds[address], i, number(lane, i));
    }
  }
  /// What lane `lane` holds as its element `i`.
  uint32_t number(uint32_t lane, uint32_t i) const {
    return (lane * 11 + i * 7 + lane / 16) & ((1u << bits) - 1);
  }
  void put(unsigned char *at, uint32_t i, uint32_t value) const {
    for (uint32_t bit = 0; bit < bits; ++bit)
      if (value >> bit & 1)
        at[(i * bits + bit) / 8] |=
            static_cast<unsigned char>(1 << (i * bits + bit) % 8);
  }
  uint32_t get(const unsigned char *at, uint32_t i) const {
    uint32_t value = 0;
    for (uint32_t bit = 0; bit < bits; ++bit)
      value |= static_cast<uint32_t>(
                   at[(i * bits + bit) / 8] >> (i * bits + bit) % 8 & 1)
               << bit;
    return value;
  }

  uint32_t bits, perLane;
  std::vector<unsigned char> lds;
  Wave wave;
};
} // namespace

// By the pictures of the CDNA4 manual: of 4- and 6-bit elements lane l gets
// column l of the 16 x 16 matrix whose rows are the lanes; of 8-bit ones the
// rows are pairs of lanes, of 16-bit ones four lanes.
TEST(DsReadTr, EachWidth) {
  struct Case {
    uint32_t handler, bits, size, lanesPerRow;
  } cases[] = {{FlyCpuHandlerDsReadTr4, 4, 8, 1},
               {FlyCpuHandlerDsReadTr8, 8, 8, 2},
               {FlyCpuHandlerDsReadTr6, 6, 12, 1},
               {FlyCpuHandlerDsReadTr16, 16, 8, 4}};
  for (const Case &test : cases) {
    TransposedRead read(test.handler, test.bits, test.size);
    ASSERT_EQ(read.wave.run(), "");
    for (uint32_t lane = 0; lane < 64; ++lane)
      for (uint32_t i = 0; i < read.perLane; ++i) {
        uint32_t column = lane % 16, width = 16 / test.lanesPerRow;
        uint32_t from = lane / 16 * 16 + i * test.lanesPerRow + column / width;
        EXPECT_EQ(read.get(read.wave.at(lane, 1), i),
                  read.number(from, column % width))
            << test.bits << " bits, lane " << lane << ", element " << i;
      }
  }
}

TEST(DsReadTr, Refusals) {
  TransposedRead read(FlyCpuHandlerDsReadTr16, 16, 8);
  read.wave.group.exec = 0xfffffffffff7ffff;
  EXPECT_EQ(read.wave.run(),
            "a transposing read of LDS needs all 16 lanes of its row");
  EXPECT_EQ(read.wave.faultLane, 19);
  // A row without any lane is no fault.
  read.wave.group.exec = 0xffffffff0000ffff;
  EXPECT_EQ(read.wave.run(), "");
  read.wave.set<uint32_t>(5, 0, 1084);
  EXPECT_EQ(read.wave.run(),
            "a transposing read of LDS at byte 1084 is outside "
            "of the workgroup's 1088 bytes");
  for (uint32_t address : {4u, 10u}) {
    read.wave.set<uint32_t>(5, 0, address);
    EXPECT_EQ(read.wave.run(), "a transposing read of LDS at byte " +
                                   std::to_string(address) +
                                   ", which is no multiple of 8");
    EXPECT_EQ(read.wave.faultLane, 5);
  }
  // Rows of 96 bits lie at any dword.
  TransposedRead six(FlyCpuHandlerDsReadTr6, 6, 12);
  six.wave.set<uint32_t>(5, 0, 12);
  EXPECT_EQ(six.wave.run(), "");
  six.wave.set<uint32_t>(5, 0, 14);
  EXPECT_EQ(six.wave.run(), "a transposing read of LDS at byte 14, which is no "
                            "multiple of 4");
}

TEST(DsReadTr, AnnouncesTheReadOfEachLane) {
  TransposedRead read(FlyCpuHandlerDsReadTr8, 8, 8);
  read.wave.group.exec = 0xffff0000;
  read.wave.keepAccesses(FlyCpuAccessLds, read.lds.data());
  ASSERT_EQ(read.wave.run(), "");
  ASSERT_EQ(read.wave.accesses.size(), 16u);
  for (int32_t lane = 16; lane < 32; ++lane) {
    Wave::Access expected{lane, lane * 37 % 64 * 16, 8,
                          FlyCpuAccessRead | FlyCpuAccessLds};
    EXPECT_EQ(read.wave.accesses[lane - 16], expected) << lane;
  }
}

TEST(RawPtrBufferLoadLds, MisalignedDestination) {
  std::vector<uint32_t> memory(64), lds(80);
  for (int32_t offset : {0, 2}) {
    Wave wave(FlyCpuHandlerRawPtrBufferLoadLds, 0x942, 64, {16, 4, 4, 4}, {},
              {4, offset, 0});
    wave.group.lds = reinterpret_cast<unsigned char *>(lds.data());
    wave.group.lds_bytes = 320;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      wave.set(lane, 0, describe(memory.data(), 256));
      wave.set<uint32_t>(lane, 1, offset ? 8 : 9);
      wave.set<uint32_t>(lane, 2, 0);
      wave.set<uint32_t>(lane, 3, 0);
    }
    EXPECT_EQ(wave.run(), "a move to LDS writes at byte " +
                              std::string(offset ? "10" : "9") +
                              ", which is no multiple of 4");
    EXPECT_EQ(wave.faultLane, 0);
  }
}

// Only what is in range is read; all of the destination is written, by a move
// that is not over at once.
TEST(RawPtrBufferLoadLds, AnnouncesTheAccessesOfEachLane) {
  std::vector<uint32_t> memory(256), lds(256, untouched);
  constexpr uint32_t read = FlyCpuAccessRead | FlyCpuAccessBuffer;
  constexpr uint32_t write =
      FlyCpuAccessWrite | FlyCpuAccessLds | FlyCpuAccessAsync;
  for (uint32_t kind : {read, write}) {
    Wave wave(FlyCpuHandlerRawPtrBufferLoadLds, 0x950, 64, {16, 4, 4, 4}, {},
              {16, 0, 0});
    wave.group.exec = 0xb; // lanes 0, 1, 3
    wave.group.lds = reinterpret_cast<unsigned char *>(lds.data());
    wave.group.lds_bytes = 1024;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      wave.set(lane, 0, describe(memory.data(), 24));
      wave.set<uint32_t>(lane, 1, 64);
      wave.set<uint32_t>(lane, 2, lane * 16);
      wave.set<uint32_t>(lane, 3, 4);
    }
    const void *origin = kind == read ? memory.data() : lds.data();
    wave.keepAccesses(kind == read ? FlyCpuAccessBuffer : FlyCpuAccessAsync,
                      origin);
    ASSERT_EQ(wave.run(), "");
    std::vector<Wave::Access> expected = {{0, 4, 16, read}, {1, 20, 8, read}};
    if (kind == write)
      expected = {{0, 64, 16, write}, {1, 80, 16, write}, {3, 112, 16, write}};
    EXPECT_TRUE(wave.accesses == expected) << kind;
  }
}

TEST(GlobalLoadLds, StopsAtAnAccessThatMustNotBe) {
  std::vector<uint32_t> memory(64, 7), lds(64, untouched);
  Wave wave(FlyCpuHandlerGlobalLoadLds, 0x942, 64, {8, 4}, {}, {4, 0, 0});
  wave.group.lds = reinterpret_cast<unsigned char *>(lds.data());
  wave.group.lds_bytes = 256;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    wave.set<const uint32_t *>(lane, 0, &memory[lane]);
    wave.set<uint32_t>(lane, 1, 0);
  }
  wave.keepAccesses(FlyCpuAccessRead, memory.data(), /*refused=*/5);
  wave.run();
  ASSERT_EQ(wave.accesses.size(), 6u);
  EXPECT_TRUE(wave.accesses[5] ==
              (Wave::Access{5, 20, 4, uint32_t(FlyCpuAccessRead)}));
  for (uint32_t word = 0; word < 64; ++word)
    EXPECT_EQ(lds[word], word < 5 ? 7 : untouched);
}
