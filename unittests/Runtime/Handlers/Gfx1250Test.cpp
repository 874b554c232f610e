// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposing reads of gfx1250 and tensor copies of chosen rows, by value, and what of them is refused.

#include "Wave.h"

#include <array>
#include <gtest/gtest.h>

using namespace fly::cpu::test;

//===----------------------------------------------------------------------===//
// Transposing reads
//===----------------------------------------------------------------------===//

namespace {
/// 32 lanes that read LDS, in which byte i is i modulo 251.
struct TransposingLoad {
  TransposingLoad(uint32_t handler, uint32_t size)
      : wave(handler, 0x1250, 32, {4}, {static_cast<int32_t>(size)}),
        lds(32 * 16) {
    for (size_t i = 0; i < lds.size(); ++i)
      lds[i] = static_cast<unsigned char>(i % 251);
    wave.group.lds = lds.data();
    wave.group.lds_bytes = static_cast<uint32_t>(lds.size());
    // Lanes read in another order than they are numbered.
    for (uint32_t lane = 0; lane < 32; ++lane)
      wave.set<uint32_t>(lane, 0, address(lane));
  }
  static uint32_t address(uint32_t lane) { return lane * 13 % 32 * 16; }

  Wave wave;
  std::vector<unsigned char> lds;
};
} // namespace

TEST(DsLoadTr, EightLanesExchangeHalves) {
  TransposingLoad load(FlyCpuHandlerDsLoadTr16, 16);
  ASSERT_EQ(load.wave.run(), "");
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t i = 0; i < 8; ++i)
      for (uint32_t byte = 0; byte < 2; ++byte)
        EXPECT_EQ(
            load.wave.at(lane, 1)[2 * i + byte],
            load.lds[load.address(lane / 8 * 8 + i) + lane % 8 * 2 + byte])
            << "lane " << lane << ", element " << i;
}

TEST(DsLoadTr, TwoRunsOfFourLanesExchangeBytes) {
  // The lanes from which lanes 0-7, 8-15, 16-23 and 24-31 read.
  const uint32_t sources[4][8] = {{0, 1, 2, 3, 8, 9, 10, 11},
                                  {4, 5, 6, 7, 12, 13, 14, 15},
                                  {16, 17, 18, 19, 24, 25, 26, 27},
                                  {20, 21, 22, 23, 28, 29, 30, 31}};
  TransposingLoad load(FlyCpuHandlerDsLoadTr8, 8);
  ASSERT_EQ(load.wave.run(), "");
  for (uint32_t lane = 0; lane < 32; ++lane)
    for (uint32_t i = 0; i < 8; ++i)
      EXPECT_EQ(load.wave.at(lane, 1)[i],
                load.lds[load.address(sources[lane / 8][i]) + lane % 8])
          << "lane " << lane << ", element " << i;
}

TEST(DsLoadTr, BytesAtTheAddressesOfTensileLiteComeInOrderOfK) {
  // A matrix of 16 columns, row k after row k - 1: the lanes of each half read
  // eight columns of eight rows, and lane l gets eight consecutive k of column
  // l % 16.
  TransposingLoad load(FlyCpuHandlerDsLoadTr8, 8);
  for (uint32_t l = 0; l < 32; ++l) {
    uint32_t k = l / 16 * 16 + l % 16 / 8 * 4 + l % 4;
    load.wave.set<uint32_t>(l, 0, k * 16 + l % 8 / 4 * 8);
  }
  ASSERT_EQ(load.wave.run(), "");
  for (uint32_t l = 0; l < 32; ++l)
    for (uint32_t i = 0; i < 8; ++i)
      EXPECT_EQ(load.wave.at(l, 1)[i],
                load.lds[(l / 16 * 16 + i) * 16 + l % 16])
          << "lane " << l << ", element " << i;
}

TEST(DsLoadTr, Refusals) {
  TransposingLoad load(FlyCpuHandlerDsLoadTr16, 16);
  load.wave.group.exec = 0xfffffffe;
  EXPECT_EQ(load.wave.run(),
            "a transposing read of LDS needs all lanes of the wave");
  load.wave.group.exec = 0xffffffff;
  load.wave.set<uint32_t>(3, 0, 8);
  EXPECT_EQ(load.wave.run(), "a transposing read of LDS at byte 8 needs an "
                             "address that is a multiple of 16");
  EXPECT_EQ(load.wave.faultLane, 3);
  load.wave.set<uint32_t>(3, 0, 512);
  EXPECT_EQ(load.wave.run(), "a transposing read of LDS at byte 512 is outside "
                             "of the workgroup's 512 bytes");
}

//===----------------------------------------------------------------------===//
// Chosen rows
//===----------------------------------------------------------------------===//

namespace {
/// A copy of rows of a tensor of 16-bit elements, `rows` x 20, rows of 24; each
/// takes 16 columns.
struct Gather {
  Gather(uint32_t handler, uint32_t bits, const std::vector<uint32_t> &indices)
      : wave(handler, 0x1250, 32, {16, 32, 16, 16}, {}, {0}), memory(24 * 300),
        lds(2048, 0xaaaa) {
    for (size_t i = 0; i < memory.size(); ++i)
      memory[i] = static_cast<uint16_t>(i + 1);
    wave.group.lds = reinterpret_cast<unsigned char *>(lds.data());
    wave.group.lds_bytes = 4096;
    auto address = reinterpret_cast<uint64_t>(memory.data());
    g0 = {0x80000001u | (bits == 32 ? 0x40000000u : 0), 0,
          static_cast<uint32_t>(address),
          static_cast<uint32_t>(address >> 32) | 0x80000000u};
    g1 = {1u << 16,
          12u << 16,
          200u << 16,
          16u << 16,
          static_cast<uint32_t>(indices.size()),
          24,
          0,
          0};
    for (size_t i = 0; i < indices.size(); ++i)
      rows[i * bits / 32] |= indices[i] << i * bits % 32;
  }
  const std::string &run() {
    for (uint32_t lane = 0; lane < 32; ++lane) {
      wave.set(lane, 0, g0);
      wave.set(lane, 1, g1);
      std::memcpy(wave.at(lane, 2), rows.data(), 16);
      std::memcpy(wave.at(lane, 3), rows.data() + 4, 16);
    }
    return wave.run();
  }

  Wave wave;
  std::vector<uint16_t> memory, lds;
  std::array<uint32_t, 4> g0;
  std::array<uint32_t, 8> g1, rows = {};
};
} // namespace

TEST(TensorGather, LoadsRowsInOrder) {
  std::vector<uint32_t> indices = {7, 199, 200, 0, 65535, 7};
  for (uint32_t bits : {16u, 32u}) {
    Gather copy(FlyCpuHandlerTensorLoad, bits, indices);
    ASSERT_EQ(copy.run(), "");
    for (size_t row = 0; row < indices.size(); ++row)
      for (size_t i = 0; i < 16; ++i)
        // 12 columns and 200 rows are inside.
        EXPECT_EQ(copy.lds[row * 16 + i],
                  indices[row] < 200 && i < 12
                      ? copy.memory[indices[row] * 24 + i]
                      : 0)
            << bits << " bits, row " << row << ", element " << i;
    EXPECT_EQ(copy.lds[indices.size() * 16], 0xaaaa);
  }
}

TEST(TensorGather, StoresRows) {
  Gather copy(FlyCpuHandlerTensorStore, 32, {5, 250, 0});
  for (size_t i = 0; i < 48; ++i)
    copy.lds[i] = static_cast<uint16_t>(20000 + i);
  std::vector<uint16_t> before = copy.memory;
  ASSERT_EQ(copy.run(), "");
  for (size_t i = 0; i < 12; ++i) {
    before[5 * 24 + i] = static_cast<uint16_t>(20000 + i);
    before[i] = static_cast<uint16_t>(20032 + i);
  }
  EXPECT_EQ(copy.memory, before);
}

TEST(TensorGather, PaddingCountsThroughTheRows) {
  // After each 16 elements (one row) and each 64 (four rows) 2 elements.
  for (uint32_t code : {2u, 4u}) {
    Gather copy(FlyCpuHandlerTensorLoad, 32, {1, 2, 3, 4, 5});
    copy.g1[0] |= 1u << 20 | code << 22;
    ASSERT_EQ(copy.run(), "");
    size_t interval = size_t(4) << code;
    for (size_t row = 0; row < 5; ++row)
      for (size_t i = 0; i < 12; ++i) {
        size_t place = row * 16 + i;
        EXPECT_EQ(copy.lds[place + place / interval * 2],
                  copy.memory[(row + 1) * 24 + i]);
      }
  }
}

TEST(TensorGather, Refusals) {
  Gather many(FlyCpuHandlerTensorLoad, 32, {1});
  many.g1[4] = 9;
  EXPECT_EQ(many.run(), "a tensor copy gathers 9 rows, a descriptor holds 8");
  Gather padded(FlyCpuHandlerTensorLoad, 32, {1, 2});
  padded.g1[0] |= 1u << 20 | 2u << 22;
  padded.g1[3] = 24u << 16;
  EXPECT_EQ(
      padded.run(),
      "a tensor copy gathers rows of 48 bytes with padding after each 32: "
      "one must be a multiple of the other on the CPU");
  Gather outside(FlyCpuHandlerTensorLoad, 32, {1, 2});
  outside.g0[1] = 4096 - 32;
  EXPECT_EQ(outside.run(), "a tensor copy writes LDS at byte 4096, outside of "
                           "the workgroup's 4096 bytes");
}
