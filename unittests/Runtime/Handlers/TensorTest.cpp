// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor copies by value: strides, ends of the tensor, padding, iterations, and
// what is refused. The descriptors are written here word by word.

#include "Wave.h"

#include <array>
#include <cstdio>
#include <gtest/gtest.h>

using namespace fly::cpu::test;

namespace {
using Words4 = std::array<uint32_t, 4>;
using Words8 = std::array<uint32_t, 8>;

struct Descriptor {
  Words4 g0{}, g2{}, g3{};
  Words8 g1{};
};

/// Writes `count` bits from bit `first` of a group on.
template <typename Words>
void put(Words &words, uint32_t first, uint32_t count, uint64_t value) {
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t bit = first + i;
    words[bit / 32] &= ~(1u << bit % 32);
    words[bit / 32] |= static_cast<uint32_t>(value >> i & 1) << bit % 32;
  }
}

/// A wave of gfx1250 that copies between `memory` and LDS of 16-bit elements.
struct TensorWave {
  explicit TensorWave(uint32_t handler, uint32_t groups = 4)
      : wave(handler, 0x1250, 32,
             groups == 4 ? std::vector<int32_t>{16, 32, 16, 16}
                         : std::vector<int32_t>{16, 32},
             {}, {0}),
        groups(groups), memory(4096), lds(2048, 0xaaaa) {
    for (uint32_t i = 0; i < memory.size(); ++i)
      memory[i] = static_cast<uint16_t>(i + 1);
    wave.group.lds = reinterpret_cast<unsigned char *>(lds.data());
    wave.group.lds_bytes = 4096;
    auto address = reinterpret_cast<uint64_t>(memory.data());
    d.g0 = {1, 0, static_cast<uint32_t>(address),
            static_cast<uint32_t>(address >> 32) | 0x80000000u};
    d.g1[0] = 1u << 16;
  }
  const std::string &run() {
    for (uint32_t lane = 0; lane < 32; ++lane)
      set(lane);
    return wave.run();
  }
  void set(uint32_t lane) {
    wave.set(lane, 0, d.g0);
    wave.set(lane, 1, d.g1);
    if (groups == 4) {
      wave.set(lane, 2, d.g2);
      wave.set(lane, 3, d.g3);
    }
  }
  /// Tensor of 10 x 100 (rows of 128), tile of 4 x 32.
  void describe(uint32_t rows, uint32_t columns) {
    d.g1[1] = columns << 16;
    d.g1[2] = columns >> 16 | rows << 16;
    d.g1[3] = rows >> 16 | 32u << 16;
    d.g1[4] = 4;
    d.g1[5] = 128;
  }

  Wave wave;
  uint32_t groups;
  std::vector<uint16_t> memory, lds;
  Descriptor d;
};
} // namespace

TEST(TensorLoad, ZerosBeyondTheTensor) {
  for (uint32_t groups : {2u, 4u}) {
    TensorWave copy(groups == 2 ? FlyCpuHandlerTensorLoadD2
                                : FlyCpuHandlerTensorLoad,
                    groups);
    copy.describe(3, 20);
    copy.d.g0[1] = 64;
    ASSERT_EQ(copy.run(), "");
    for (uint32_t i = 0; i < copy.lds.size(); ++i) {
      uint16_t expected = 0xaaaa;
      if (i >= 32 && i < 32 + 128) {
        uint32_t row = (i - 32) / 32, column = (i - 32) % 32;
        expected = row < 3 && column < 20 ? 128 * row + column + 1 : 0;
      }
      ASSERT_EQ(copy.lds[i], expected) << i;
    }
  }
}

TEST(TensorStore, LeavesTheRestAlone) {
  TensorWave copy(FlyCpuHandlerTensorStore);
  copy.describe(3, 20);
  for (uint32_t i = 0; i < copy.lds.size(); ++i)
    copy.lds[i] = static_cast<uint16_t>(0x8000 + i);
  std::vector<uint16_t> before = copy.memory;
  // A store has no padding, whatever the descriptor says.
  copy.d.g1[0] |= 1u << 20 | 3u << 22 | 3u << 25;
  ASSERT_EQ(copy.run(), "");
  for (uint32_t i = 0; i < copy.memory.size(); ++i) {
    uint32_t row = i / 128, column = i % 128;
    bool isInside = row < 3 && column < 20;
    ASSERT_EQ(copy.memory[i], isInside ? 0x8000 + 32 * row + column : before[i])
        << i;
  }
}

// Interval code 3: 16 dwords, 32 elements; amount code 3: 4 dwords, 8 elements.
TEST(TensorLoad, Padding) {
  TensorWave copy(FlyCpuHandlerTensorLoad);
  copy.describe(100, 100);
  copy.d.g1[0] |= 1u << 20 | 3u << 22 | 3u << 25;
  ASSERT_EQ(copy.run(), "");
  for (uint32_t i = 0; i < copy.lds.size(); ++i) {
    uint32_t row = i / 40, column = i % 40;
    uint16_t expected =
        row < 4 && column < 32 ? 128 * row + column + 1 : 0xaaaa;
    ASSERT_EQ(copy.lds[i], expected) << i;
  }
}

// Five dimensions of 2 x 2 x 2 x 3 x 4 with strides of their own; the ends of
// dimensions 2 to 4 cut one each.
TEST(TensorLoad, FiveDimensions) {
  TensorWave copy(FlyCpuHandlerTensorLoad);
  constexpr uint32_t stride[5] = {1, 10, 50, 200, 700};
  constexpr uint32_t tile[5] = {4, 3, 2, 2, 2};
  constexpr uint32_t end[5] = {4, 3, 1, 1, 1};
  copy.d.g1[1] = end[0] << 16;
  copy.d.g1[2] = end[1] << 16;
  copy.d.g1[3] = tile[0] << 16;
  copy.d.g1[4] = tile[1] | tile[2] << 16;
  copy.d.g1[5] = stride[1];
  copy.d.g1[6] = stride[2] << 16;
  copy.d.g1[7] = 0;
  copy.d.g2 = {end[2], end[3], stride[3], tile[3] << 16};
  copy.d.g3 = {stride[4], end[4] << 16, tile[4] << 16, 0};
  ASSERT_EQ(copy.run(), "");
  uint32_t place = 0;
  for (uint32_t e = 0; e < 2; ++e)
    for (uint32_t d = 0; d < 2; ++d)
      for (uint32_t c = 0; c < 2; ++c)
        for (uint32_t b = 0; b < 3; ++b)
          for (uint32_t a = 0; a < 4; ++a, ++place) {
            uint32_t index = a + 10 * b + 50 * c + 200 * d + 700 * e;
            ASSERT_EQ(copy.lds[place], c || d || e ? 0 : index + 1) << place;
          }
  EXPECT_EQ(copy.lds[place], 0xaaaa);
}

TEST(TensorLoad, Iterations) {
  TensorWave copy(FlyCpuHandlerTensorLoad);
  copy.d.g1[0] |= 1u << 19;
  copy.d.g1[1] = 8u << 16;
  copy.d.g1[3] = 8u << 16;
  copy.d.g2 = {0, 16, 300, 2u << 16};
  ASSERT_EQ(copy.run(), "");
  for (uint32_t i = 0; i < 64; ++i) {
    uint32_t iteration = i / 16, column = i % 16;
    uint16_t expected =
        iteration < 3 && column < 8 ? 300 * iteration + column + 1 : 0xaaaa;
    EXPECT_EQ(copy.lds[i], expected) << i;
  }
}

//===----------------------------------------------------------------------===//
// Widths of the fields: values of their highest bit
//===----------------------------------------------------------------------===//

static void setTensorDim(Descriptor &d, int i, uint64_t value) {
  if (i < 2)
    put(d.g1, i ? 80 : 48, 32, value);
  else if (i < 4)
    put(d.g2, i == 2 ? 0 : 32, 32, value);
  else
    put(d.g3, 48, 32, value);
}
static void setTileDim(Descriptor &d, int i, uint64_t value) {
  if (i < 3)
    put(d.g1, 112 + 16 * i, 16, value);
  else if (i == 3)
    put(d.g2, 112, 16, value);
  else
    put(d.g3, 80, 16, value);
}
static void setStride(Descriptor &d, int i, uint64_t value) {
  if (i < 3)
    put(d.g1, i == 1 ? 160 : 208, 48, value);
  else if (i == 3)
    put(d.g2, 64, 48, value);
  else
    put(d.g3, 0, 48, value);
}
/// One element in each dimension.
static void describePoint(Descriptor &d) {
  for (int i = 0; i < 5; ++i) {
    setTensorDim(d, i, 1);
    setTileDim(d, i, 1);
  }
}
/// The fault of an element that lies `bytes` behind the tensor's address.
static std::string noMemoryAt(const TensorWave &copy, uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llx",
                static_cast<unsigned long long>(
                    reinterpret_cast<uintptr_t>(copy.memory.data()) + bytes));
  return std::string("a tensor copy reads global address ") + text +
         ", which no memory has";
}
static std::string outsideOfLds(uint64_t byte) {
  return "a tensor copy writes LDS at byte " + std::to_string(byte) +
         ", outside of the workgroup's 4096 bytes";
}

TEST(TensorLoad, TensorDimsHave32Bits) {
  for (int i = 0; i < 5; ++i) {
    TensorWave copy(FlyCpuHandlerTensorLoad);
    describePoint(copy.d);
    setTensorDim(copy.d, i, 0x80000000);
    setTileDim(copy.d, i, 2);
    if (i)
      setStride(copy.d, i, 5);
    ASSERT_EQ(copy.run(), "") << i;
    EXPECT_EQ(copy.lds[0], 1) << i;
    EXPECT_EQ(copy.lds[1], i ? 6 : 2) << i;
    EXPECT_EQ(copy.lds[2], 0xaaaa) << i;
  }
}

TEST(TensorLoad, TileDimsHave16Bits) {
  for (int i = 0; i < 5; ++i) {
    TensorWave copy(FlyCpuHandlerTensorLoad);
    describePoint(copy.d);
    setTileDim(copy.d, i, 0x8000);
    EXPECT_EQ(copy.run(), outsideOfLds(4096)) << i;
  }
}

TEST(TensorLoad, StridesHave48Bits) {
  constexpr uint64_t stride = UINT64_C(1) << 47 | 3;
  for (int i = 1; i < 5; ++i) {
    TensorWave copy(FlyCpuHandlerTensorLoad);
    describePoint(copy.d);
    setTensorDim(copy.d, i, 2);
    setTileDim(copy.d, i, 2);
    setStride(copy.d, i, stride);
    EXPECT_EQ(copy.run(), noMemoryAt(copy, 2 * stride)) << i;
  }
}

TEST(TensorLoad, WidthsOfIterations) {
  auto run = [](uint32_t count, uint64_t lds, uint64_t global) {
    TensorWave copy(FlyCpuHandlerTensorLoad);
    describePoint(copy.d);
    setTileDim(copy.d, 2, 0);
    copy.d.g1[0] |= 1u << 19;
    copy.d.g2 = {};
    copy.d.g3 = {};
    put(copy.d.g2, 32, 32, lds);
    put(copy.d.g2, 64, 48, global);
    put(copy.d.g2, 112, 16, count);
    std::string expected = global ? noMemoryAt(copy, 2 * global)
                                  : outsideOfLds(count == 1 ? 2 * lds : 4096);
    EXPECT_EQ(copy.run(), expected);
  };
  run(0x8000, 1, 0);
  run(1, 0x80000000, 0);
  run(1, 0, UINT64_C(1) << 47 | 5);
}

TEST(TensorLoad, WidthsOfAddressesAndPadding) {
  TensorWave far(FlyCpuHandlerTensorLoad);
  describePoint(far.d);
  far.d.g0[1] = 0x80000000;
  EXPECT_EQ(far.run(), outsideOfLds(0x80000000));

  TensorWave barrier(FlyCpuHandlerTensorLoad);
  describePoint(barrier.d);
  barrier.d.g1[0] |= 1u << 18;
  put(barrier.d.g1, 32, 16, 0x8000);
  EXPECT_EQ(barrier.run(), "an arrival at the barrier in LDS at byte 262144 is "
                           "outside of the workgroup's 4096 bytes");

  // After each 2 << code dwords: 128 dwords.
  for (uint32_t code : {0u, 7u}) {
    uint32_t interval = 4u << code; // elements
    TensorWave copy(FlyCpuHandlerTensorLoad);
    describePoint(copy.d);
    setTensorDim(copy.d, 0, 4096);
    setTileDim(copy.d, 0, interval + 1);
    put(copy.d.g1, 20, 1, 1);
    put(copy.d.g1, 22, 3, code);
    put(copy.d.g1, 25, 7, 127);
    ASSERT_EQ(copy.run(), "");
    EXPECT_EQ(copy.lds[interval - 1], interval);
    for (uint32_t i = interval; i < interval + 256; ++i)
      ASSERT_EQ(copy.lds[i], 0xaaaa) << i;
    EXPECT_EQ(copy.lds[interval + 256], interval + 1);
  }
}

TEST(TensorLoad, CountOfZeroDoesNothing) {
  TensorWave copy(FlyCpuHandlerTensorLoad);
  copy.describe(100, 100);
  copy.d.g0[0] = 0;
  ASSERT_EQ(copy.run(), "");
  EXPECT_EQ(copy.lds[0], 0xaaaa);
}

TEST(TensorLoad, Refusals) {
  struct Case {
    void (*change)(Descriptor &);
    const char *fault;
  } cases[] = {
      {[](Descriptor &d) { d.g0[0] |= 0x40000000; },
       "a tensor copy with a size of indices (group 0 bit 30) but without "
       "gather mode (bit 31) is not supported on the CPU"},
      {[](Descriptor &d) { d.g0[0] = 2; },
       "a tensor copy with a count (group 0 bits 1:0) of 2 is not supported on "
       "the CPU, expected 0 or 1"},
      {[](Descriptor &d) { d.g0[0] |= 4; },
       "a tensor copy needs zeros in the descriptor's reserved bits (group 0 "
       "bits 29:2 and 125:121, group 3 bits 127:96)"},
      {[](Descriptor &d) { d.g0[3] |= 1u << 25; },
       "a tensor copy needs zeros in the descriptor's reserved bits (group 0 "
       "bits 29:2 and 125:121, group 3 bits 127:96)"},
      {[](Descriptor &d) { d.g3[3] = 1; },
       "a tensor copy needs zeros in the descriptor's reserved bits (group 0 "
       "bits 29:2 and 125:121, group 3 bits 127:96)"},
      {[](Descriptor &d) { d.g0[3] &= 0x3fffffff; },
       "a tensor copy needs a descriptor of type (group 0 bits 127:126) 2, got "
       "0"},
      {[](Descriptor &d) { d.g1[0] |= 3; },
       "a tensor copy has workgroup_mask (group 1 bits 15:0) 3, which must be "
       "0 "
       "outside of a cluster of several workgroups"},
      {[](Descriptor &d) {
         d.g1[0] |= 1u << 18;
         d.g1[1] |= 512;
       },
       "an arrival at the barrier in LDS at byte 4096 is outside of the "
       "workgroup's 4096 bytes"},
      {[](Descriptor &d) { d.g1[3] &= 0xffff; },
       "a tensor copy has an empty tile (tile_dim0, group 1 bits 127:112)"},
      {[](Descriptor &d) { d.g1[0] |= 1u << 19 | 1u << 20; },
       "a tensor copy that iterates (iterate_enable, group 1 bit 19) and pads "
       "(pad_enable, bit 20) is not supported on the CPU"},
      {[](Descriptor &d) {
         d.g1[0] |= 1u << 19;
         put(d.g1, 144, 16, 1);
       },
       "a tensor copy of three dimensions (tile_dim2, group 1 bits 159:144) "
       "cannot iterate"},
      {[](Descriptor &d) {
         d.g1[0] |= 1u << 19;
         put(d.g3, 80, 16, 1);
       },
       "a tensor copy of three dimensions (tile_dim2, group 1 bits 159:144) "
       "cannot iterate"},
      {[](Descriptor &d) { d.g0[1] = 4096 - 128; },
       "a tensor copy writes LDS at byte 4096, outside of the workgroup's 4096 "
       "bytes"},
  };
  for (const Case &test : cases) {
    TensorWave copy(FlyCpuHandlerTensorLoad);
    copy.describe(100, 100);
    test.change(copy.d);
    EXPECT_EQ(copy.run(), test.fault);
  }
  TensorWave copy(FlyCpuHandlerTensorLoad);
  copy.describe(100, 100);
  ASSERT_EQ(copy.run(), "");
  copy.d.g0[1] = 64;
  copy.set(9);
  EXPECT_EQ(copy.wave.run(),
            "a tensor copy has one descriptor for the wave, but this lane's "
            "differs from that of lane 0");
  EXPECT_EQ(copy.wave.faultLane, 9);
}

//===----------------------------------------------------------------------===//
// Clusters and barriers
//===----------------------------------------------------------------------===//

namespace {
/// Copies of workgroup 2 of a cluster of 4; the requests of the handler are
/// kept in `requests`.
struct ClusterCopy : TensorWave {
  explicit ClusterCopy(uint32_t handler) : TensorWave(handler) {
    describe(100, 100);
    wave.group.cluster_size = 4;
    wave.group.cluster_rank = 2;
    requests.clear();
    wave.group.multicast = [](fly_cpu_group *, uint32_t mask,
                              uint64_t request) {
      requests.push_back({mask, request});
    };
  }
  static std::vector<std::pair<uint32_t, uint64_t>> requests;
};
std::vector<std::pair<uint32_t, uint64_t>> ClusterCopy::requests;
} // namespace

TEST(TensorLoad, ForTheWorkgroupsOfACluster) {
  ClusterCopy copy(FlyCpuHandlerTensorLoad);
  copy.d.g1[0] |= 0b0110;
  ASSERT_EQ(copy.run(), "");
  EXPECT_EQ(copy.lds[31], 32);
  EXPECT_EQ(copy.lds[32], 129);
  EXPECT_EQ(copy.lds[128], 0xaaaa);
  // Another place or barrier in LDS is the same load, another tile is not.
  copy.d.g0[1] = 64;
  put(copy.d.g1, 32, 16, 7);
  ASSERT_EQ(copy.run(), "");
  copy.d.g0[2] += 2;
  ASSERT_EQ(copy.run(), "");
  ASSERT_EQ(copy.requests.size(), 3u);
  for (const auto &[mask, request] : copy.requests)
    EXPECT_EQ(mask, 0b0110u);
  EXPECT_EQ(copy.requests[0].second, copy.requests[1].second);
  EXPECT_NE(copy.requests[0].second, copy.requests[2].second);
  copy.d.g1[0] ^= 0b0110 ^ 0b10100;
  EXPECT_EQ(
      copy.run(),
      "a tensor copy for the workgroups of mask 20 is issued by workgroup "
      "2 of a cluster of 4; the mask must name it, and only workgroups of "
      "its cluster");
  copy.d.g1[0] ^= 0b10100 ^ 0b0011;
  EXPECT_EQ(copy.run().substr(0, 47),
            "a tensor copy for the workgroups of mask 3 is i");
  EXPECT_EQ(copy.requests.size(), 3u);
}

TEST(TensorStore, IsNoneForACluster) {
  ClusterCopy copy(FlyCpuHandlerTensorStore);
  copy.d.g1[0] |= 3;
  ASSERT_EQ(copy.run(), "");
  EXPECT_TRUE(copy.requests.empty());
}

// One arrival, when all of the copy is done.
TEST(TensorLoad, ArrivesAtABarrier) {
  for (bool isStore : {false, true})
    for (int kind = 0; kind < 3; ++kind) { // a tile, iterations, rows
      TensorWave copy(isStore ? FlyCpuHandlerTensorStore
                              : FlyCpuHandlerTensorLoad);
      copy.describe(100, 100);
      if (kind == 1) {
        copy.d.g1[0] |= 1u << 19;
        copy.d.g2 = {0, 16, 300, 2u << 16};
      }
      if (kind == 2) {
        copy.d.g0[0] |= 0x80000000u;
        copy.d.g2 = {2u << 16 | 1, 4u << 16 | 3, 0, 0};
      }
      copy.d.g1[0] |= 1u << 18;
      copy.d.g1[1] |= 500;
      uint64_t state = UINT64_C(0x7) << 32 | 3u << 29 | 5;
      std::memcpy(&copy.lds[2000], &state, 8);
      ASSERT_EQ(copy.run(), "") << isStore << kind;
      std::memcpy(&state, &copy.lds[2000], 8);
      EXPECT_EQ(state, UINT64_C(0x7) << 32 | 3u << 29 | 4) << isStore << kind;
    }
  TensorWave copy(FlyCpuHandlerTensorLoad);
  copy.describe(100, 100);
  copy.d.g0[0] = 0;
  copy.d.g1[0] |= 1u << 18;
  ASSERT_EQ(copy.run(), "");
  EXPECT_EQ(copy.lds[0], 0xaaaa) << "a count of 0 does not arrive";
}

// The workgroup mask is that of a load.
TEST(TensorStore, TakesNoNoticeOfTheWorkgroupMask) {
  TensorWave copy(FlyCpuHandlerTensorStore);
  copy.describe(100, 100);
  copy.d.g1[0] |= 3;
  ASSERT_EQ(copy.run(), "");
  EXPECT_EQ(copy.memory[31], 0xaaaa);
  EXPECT_EQ(copy.memory[32], 33);
}

TEST(TensorLoad, MisalignedAddresses) {
  for (bool isGlobal : {false, true}) {
    TensorWave copy(FlyCpuHandlerTensorLoad);
    copy.describe(100, 100);
    copy.d.g0[isGlobal ? 2 : 1] += 1;
    EXPECT_NE(copy.run().find("a tensor copy of elements of 2 bytes needs "
                              "addresses of their multiples"),
              std::string::npos);
    EXPECT_EQ(copy.lds[0], 0xaaaa);
  }
}

// One read for each row that is in the tensor, all of the tile in LDS.
TEST(TensorLoad, AnnouncesItsAccesses) {
  TensorWave copy(FlyCpuHandlerTensorLoad);
  copy.describe(3, 20);
  copy.wave.keepAccesses(FlyCpuAccessRead, copy.memory.data());
  ASSERT_EQ(copy.run(), "");
  std::vector<Wave::Access> expected;
  for (int64_t row = 0; row < 3; ++row)
    expected.push_back({-1, row * 256, 40, FlyCpuAccessRead});
  EXPECT_TRUE(copy.wave.accesses == expected);

  TensorWave again(FlyCpuHandlerTensorLoad);
  again.describe(3, 20);
  again.wave.keepAccesses(FlyCpuAccessAsync, again.lds.data());
  ASSERT_EQ(again.run(), "");
  ASSERT_EQ(again.wave.accesses.size(), 128u);
  for (int64_t i = 0; i < 128; ++i)
    EXPECT_TRUE(
        again.wave.accesses[i] ==
        (Wave::Access{-1, 2 * i, 2,
                      FlyCpuAccessWrite | FlyCpuAccessLds | FlyCpuAccessAsync}))
        << i;
}

// The processor does not tell which address beyond its own an access was to.
TEST(TensorLoad, AddressThatNoMemoryHas) {
  for (bool isLoad : {true, false}) {
    TensorWave copy(isLoad ? FlyCpuHandlerTensorLoad
                           : FlyCpuHandlerTensorStore);
    copy.describe(3, 20);
    copy.d.g0[2] = 0x5678;
    copy.d.g0[3] = 0x81234567;
    EXPECT_EQ(copy.run(), std::string("a tensor copy ") +
                              (isLoad ? "reads" : "writes") +
                              " global address 0x123456700005678, which no "
                              "memory has");
  }
}
