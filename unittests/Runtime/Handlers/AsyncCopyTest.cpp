// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies of gfx1250, loads for a cluster among them, and barriers
// in LDS, by value, and what of them is refused.

#include "Wave.h"

#include <gtest/gtest.h>

using namespace fly::cpu::test;

//===----------------------------------------------------------------------===//
// Copies of the lanes
//===----------------------------------------------------------------------===//

TEST(AsyncCopy, EachLaneAtItsOwnAddresses) {
  struct Case {
    uint32_t handler, size;
    bool isStore;
  } cases[] = {{FlyCpuHandlerAsyncLoad8, 1, false},
               {FlyCpuHandlerAsyncLoad32, 4, false},
               {FlyCpuHandlerAsyncLoad64, 8, false},
               {FlyCpuHandlerAsyncLoad128, 16, false},
               {FlyCpuHandlerAsyncStore8, 1, true},
               {FlyCpuHandlerAsyncStore32, 4, true},
               {FlyCpuHandlerAsyncStore64, 8, true},
               {FlyCpuHandlerAsyncStore128, 16, true}};
  for (const Case &test : cases) {
    std::vector<unsigned char> memory(33 * 16, 0xbb), lds(33 * 16, 0xaa);
    std::vector<unsigned char> &source = test.isStore ? lds : memory;
    std::vector<unsigned char> &target = test.isStore ? memory : lds;
    unsigned char untouched = target[0];
    for (size_t i = 0; i < source.size(); ++i)
      source[i] = static_cast<unsigned char>(i % 151);
    Wave wave(test.handler, 0x1250, 32, {8, 4}, {}, {16});
    wave.group.lds = lds.data();
    wave.group.lds_bytes = static_cast<uint32_t>(lds.size());
    wave.group.exec = 0xfffffff7;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      wave.set<const void *>(lane, 0, memory.data() + lane * 16);
      wave.set<uint32_t>(lane, 1, (31 - lane) * 16);
    }
    wave.keepAccesses(FlyCpuAccessLds, lds.data());
    ASSERT_EQ(wave.run(), "");
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (uint32_t byte = 0; byte < 16; ++byte) {
        uint32_t inMemory = 16 + lane * 16 + byte;
        uint32_t inLds = 16 + (31 - lane) * 16 + byte;
        uint32_t from = test.isStore ? inLds : inMemory;
        uint32_t to = test.isStore ? inMemory : inLds;
        EXPECT_EQ(target[to],
                  lane != 3 && byte < test.size ? source[from] : untouched)
            << test.size << test.isStore << ' ' << lane;
      }
    ASSERT_EQ(wave.accesses.size(), 31u);
    EXPECT_TRUE(
        wave.accesses[3] ==
        (Wave::Access{4, 16 + 27 * 16, test.size,
                      (test.isStore ? FlyCpuAccessRead : FlyCpuAccessWrite) |
                          uint32_t(FlyCpuAccessLds) | FlyCpuAccessAsync}));
    wave.set<uint32_t>(7, 1, 32 * 16);
    EXPECT_EQ(wave.run(), std::string("an asynchronous ") +
                              (test.isStore ? "store reads" : "load writes") +
                              " LDS at byte 528, outside of the workgroup's "
                              "528 bytes");
    EXPECT_EQ(wave.faultLane, 7);
    // The offset may lead before the LDS, too.
    wave.set<uint32_t>(7, 1, 24 * 16);
    wave.set<const void *>(0, 0, memory.data() + 16);
    wave.pool.back() = -1;
    EXPECT_EQ(wave.run(), std::string("an asynchronous ") +
                              (test.isStore ? "store reads" : "load writes") +
                              " LDS at byte -1, outside of the workgroup's "
                              "528 bytes");
    EXPECT_EQ(wave.faultLane, 31);
  }
}

//===----------------------------------------------------------------------===//
// Loads for a cluster
//===----------------------------------------------------------------------===//

TEST(ClusterLoad, EachLaneAtItsOwnAddress) {
  struct Case {
    uint32_t handler, size;
  } cases[] = {{FlyCpuHandlerClusterLoad8, 1},
               {FlyCpuHandlerClusterLoad32, 4},
               {FlyCpuHandlerClusterLoad64, 8},
               {FlyCpuHandlerClusterLoad128, 16}};
  for (const Case &test : cases) {
    std::vector<unsigned char> memory(32 * 16 + 16), lds(32 * 16 + 16, 0xaa);
    for (size_t i = 0; i < memory.size(); ++i)
      memory[i] = static_cast<unsigned char>(i % 151);
    Wave wave(test.handler, 0x1250, 32, {8, 4, 4}, {}, {16});
    wave.group.lds = lds.data();
    wave.group.lds_bytes = static_cast<uint32_t>(lds.size());
    wave.group.cluster_size = 4;
    wave.group.cluster_rank = 2;
    wave.group.exec = 0xfffffff7;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      wave.set<const void *>(lane, 0, memory.data() + lane * 16);
      wave.set<uint32_t>(lane, 1, (31 - lane) * 16);
      wave.set<uint32_t>(lane, 2, 0b0110);
    }
    ASSERT_EQ(wave.run(), "");
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (uint32_t byte = 0; byte < 16; ++byte)
        EXPECT_EQ(lds[16 + (31 - lane) * 16 + byte],
                  lane != 3 && byte < test.size ? memory[16 + lane * 16 + byte]
                                                : 0xaa);
    wave.set<uint32_t>(7, 2, 0b1110);
    EXPECT_EQ(wave.run(), "a cluster load has one mask of workgroups for the "
                          "wave, but this lane's differs from that of lane 0");
    EXPECT_EQ(wave.faultLane, 7);
    auto setMask = [&](uint32_t mask) {
      for (uint32_t lane = 0; lane < 32; ++lane)
        wave.set<uint32_t>(lane, 2, mask);
    };
    setMask(0b0011);
    EXPECT_EQ(wave.run(),
              "a cluster load for the workgroups of mask 3 is issued by "
              "workgroup 2 of a cluster of 4; the mask must name it, and only "
              "workgroups of its cluster");
    setMask(0b10100);
    EXPECT_EQ(wave.run().substr(0, 48),
              "a cluster load for the workgroups of mask 20 is ");
    for (uint32_t mask : {0x10004u, 0x10000u, 0x80000004u}) {
      setMask(mask);
      EXPECT_EQ(wave.run(), "a cluster load has a mask of workgroups of " +
                                std::to_string(mask) +
                                ", expected 0 to 65535: one bit for each of 16 "
                                "workgroups");
      EXPECT_EQ(wave.faultLane, 0);
    }
    // Lanes that differ in these bits only differ.
    setMask(4);
    wave.set<uint32_t>(7, 2, 0x10004);
    EXPECT_EQ(wave.run().substr(0, 48),
              "a cluster load has one mask of workgroups for th");
    setMask(0);
    wave.set<uint32_t>(7, 1, 32 * 16);
    EXPECT_EQ(wave.run().substr(0, 41),
              "a cluster load writes LDS at byte 528, ou");
  }
}

// Loads of the same memory into other LDS are one request.
TEST(ClusterLoad, Requests) {
  std::vector<unsigned char> memory(1024), lds(1024);
  static std::vector<uint64_t> requests;
  requests.clear();
  Wave wave(FlyCpuHandlerClusterLoad32, 0x1250, 32, {8, 4, 4}, {}, {0});
  wave.group.lds = lds.data();
  wave.group.lds_bytes = 1024;
  wave.group.cluster_size = 2;
  wave.group.multicast = [](fly_cpu_group *, uint32_t mask, uint64_t request) {
    EXPECT_EQ(mask, 3u);
    requests.push_back(request);
  };
  auto issue = [&](uint32_t from, uint32_t to, uint32_t mask,
                   int32_t offset = 0) {
    wave.pool.back() = offset;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      wave.set<const void *>(lane, 0, memory.data() + from + 4 * lane);
      wave.set<uint32_t>(lane, 1, to + 4 * lane);
      wave.set<uint32_t>(lane, 2, mask);
    }
    ASSERT_EQ(wave.run(), "");
  };
  issue(0, 0, 3);
  issue(0, 512, 3);
  issue(4, 0, 3);
  issue(0, 0, 0);
  issue(0, 0, 3, 4);
  // Fewer lanes, and others of the same addresses.
  wave.group.exec = 0xffff;
  issue(0, 0, 3);
  wave.group.exec = 0xffff0000;
  for (uint32_t lane = 16; lane < 32; ++lane)
    wave.set<const void *>(lane, 0, memory.data() + 4 * (lane - 16));
  ASSERT_EQ(wave.run(), "");
  ASSERT_EQ(requests.size(), 6u);
  EXPECT_EQ(requests[0], requests[1]);
  EXPECT_NE(requests[0], requests[2]);
  // The instruction's offset is part of the address.
  EXPECT_EQ(requests[2], requests[3]);
  EXPECT_NE(requests[0], requests[4]);
  EXPECT_NE(requests[4], requests[5]);
}

//===----------------------------------------------------------------------===//
// Barriers in LDS
//===----------------------------------------------------------------------===//

namespace {
constexpr uint64_t barrierState(uint64_t init, uint64_t phase,
                                uint64_t pending) {
  return init << 32 | phase << 29 | pending;
}

/// Lanes 0 to `lanes` - 1 arrive at byte 8 of LDS.
struct Arrival {
  Arrival(bool isAsync, uint32_t lanes)
      : wave(isAsync ? FlyCpuHandlerLdsBarrierArriveAsync
                     : FlyCpuHandlerLdsBarrierArrive,
             0x1250, 32,
             isAsync ? std::vector<int32_t>{4} : std::vector<int32_t>{4, 8},
             isAsync ? std::vector<int32_t>{} : std::vector<int32_t>{8}) {
    wave.group.lds = reinterpret_cast<unsigned char *>(lds);
    wave.group.lds_bytes = sizeof(lds);
    wave.group.exec = flyCpuFullMask(lanes);
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      wave.set<uint32_t>(lane, 0, 8);
      if (!isAsync)
        wave.set<uint64_t>(lane, 1, 1);
    }
  }
  Wave wave;
  uint64_t lds[4] = {};
};
} // namespace

// The phase goes down, the counts are one less than the arrivals.
TEST(LdsBarrier, ThreeArrivalsCompleteAPhase) {
  Arrival arrival(false, 7);
  arrival.lds[1] = barrierState(2, 0, 2);
  ASSERT_EQ(arrival.wave.run(), "");
  const uint64_t before[] = {barrierState(2, 0, 2), barrierState(2, 0, 1),
                             barrierState(2, 0, 0), barrierState(2, 7, 2),
                             barrierState(2, 7, 1), barrierState(2, 7, 0),
                             barrierState(2, 6, 2)};
  for (uint32_t lane = 0; lane < 7; ++lane)
    EXPECT_EQ(arrival.wave.result<uint64_t>(lane), before[lane]) << lane;
  EXPECT_EQ(arrival.lds[1], barrierState(2, 6, 1));
  EXPECT_EQ(arrival.lds[0], 0u);
  EXPECT_EQ(arrival.lds[2], 0u);
}

TEST(LdsBarrier, Counts) {
  Arrival arrival(false, 1);
  arrival.lds[1] = barrierState(4, 5, 4);
  arrival.wave.set<uint64_t>(0, 1, 3);
  ASSERT_EQ(arrival.wave.run(), "");
  EXPECT_EQ(arrival.lds[1], barrierState(4, 5, 1));
  EXPECT_EQ(arrival.wave.run(), "an arrival at the barrier in LDS at byte 8 by "
                                "3, expected 1 to 2, which are missing in its "
                                "phase");
  EXPECT_EQ(arrival.wave.faultLane, 0);
  arrival.wave.set<uint64_t>(0, 1, 2);
  ASSERT_EQ(arrival.wave.run(), "");
  EXPECT_EQ(arrival.lds[1], barrierState(4, 4, 4));
  arrival.wave.set<uint64_t>(0, 1, 0);
  EXPECT_EQ(arrival.wave.run(), "an arrival at the barrier in LDS at byte 8 by "
                                "0, expected 1 to 5, which are missing in its "
                                "phase");
}

// What LDS holds before anybody writes it is no barrier, nor is a half of it.
TEST(LdsBarrier, NotInitialised) {
  struct Case {
    uint64_t state;
    const char *half;
  } cases[] = {{UINT64_MAX, "it"},
               {UINT64_C(0xffffffff00000003), "its upper half"},
               {UINT64_C(0x00000003ffffffff), "its lower half"}};
  for (const Case &test : cases)
    for (bool isAsync : {false, true}) {
      Arrival arrival(isAsync, 1);
      arrival.lds[1] = test.state;
      EXPECT_EQ(arrival.wave.run(),
                std::string("an arrival at the barrier in LDS at byte 8, which "
                            "nobody has initialised: all bits of ") +
                    test.half + " are set, as in LDS that is not written");
      EXPECT_EQ(arrival.wave.faultLane, 0);
      EXPECT_EQ(arrival.lds[1], test.state);
    }
  // The largest counts, in the phase before the first one.
  constexpr uint64_t most = (UINT64_C(1) << 29) - 1;
  Arrival arrival(true, 1);
  arrival.lds[1] = barrierState(most, 7, most);
  ASSERT_EQ(arrival.wave.run(), "");
  EXPECT_EQ(arrival.lds[1], barrierState(most, 7, most - 1));
}

TEST(LdsBarrier, BehindAsyncLoads) {
  Arrival arrival(true, 2);
  arrival.lds[1] = barrierState(1, 0, 1);
  ASSERT_EQ(arrival.wave.run(), "");
  EXPECT_EQ(arrival.lds[1], barrierState(1, 7, 1));
}

TEST(LdsBarrier, Places) {
  Arrival arrival(true, 2);
  arrival.wave.set<uint32_t>(1, 0, 12);
  EXPECT_EQ(arrival.wave.run(), "an arrival at the barrier in LDS at byte 12, "
                                "which is no multiple of 8");
  EXPECT_EQ(arrival.wave.faultLane, 1);
  arrival.wave.set<uint32_t>(0, 0, 32);
  EXPECT_EQ(arrival.wave.run(),
            "an arrival at the barrier in LDS at byte 32 is "
            "outside of the workgroup's 32 bytes");
  // What the memory checks refuse is not done.
  Arrival refused(false, 1);
  refused.wave.keepAccesses(FlyCpuAccessAtomic, refused.lds, /*refused=*/0);
  ASSERT_EQ(refused.wave.run(), "");
  EXPECT_EQ(refused.lds[1], 0u);
  ASSERT_EQ(refused.wave.accesses.size(), 1u);
  EXPECT_EQ(refused.wave.accesses[0].offset, 8);
}
