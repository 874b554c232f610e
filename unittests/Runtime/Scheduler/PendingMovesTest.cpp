// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses to LDS meet a move that may be under way.

#include "cpu/PendingMoves.h"

#include "gtest/gtest.h"

using namespace fly::cpu;

namespace {
constexpr uint64_t allLanes = ~UINT64_C(0);

struct Moves : testing::Test {
  void SetUp() override { moves.reset(2, 256); }

  void move(uint32_t wave, fly_cpu_counter counter, uint32_t begin,
            uint64_t bytes, bool writes = true) {
    moves.begin(wave, counter, FlyCpuHandlerTensorLoad, ++location, allLanes);
    moves.addRange(begin, bytes, writes);
  }
  /// Whether an access of `wave` to one byte is a fault.
  bool meets(uint32_t wave, uint64_t byte, bool writes = false,
             bool isMove = false) {
    return moves.findConflict(wave, byte, 1, writes, isMove, conflict);
  }

  PendingMoves moves;
  PendingMoves::Conflict conflict;
  uint32_t location = 0;
};
} // namespace

TEST_F(Moves, NobodyMayTouchWhatATensorCopyWritesBeforeTheWait) {
  move(0, FlyCpuCounterTensor, 64, 128);
  for (uint32_t wave : {0u, 1u})
    for (bool writes : {false, true}) {
      EXPECT_FALSE(meets(wave, 63, writes));
      EXPECT_TRUE(meets(wave, 64, writes));
      EXPECT_TRUE(meets(wave, 191, writes));
      EXPECT_FALSE(meets(wave, 192, writes));
    }
  EXPECT_EQ(conflict.byte, 191u);
  EXPECT_FALSE(conflict.isOver);
  // An access that begins before the move.
  EXPECT_TRUE(moves.findConflict(1, 60, 8, false, false, conflict));
  EXPECT_EQ(conflict.byte, 64u);
}

TEST_F(Moves, TheWaitIsForTheWaveTheBarrierForTheOthers) {
  move(0, FlyCpuCounterTensor, 0, 4);
  // Another wave's wait is none for this move, nor is one for other accesses.
  moves.wait(1, FlyCpuCounterTensor, 0);
  moves.wait(0, FlyCpuCounterVector, 0);
  EXPECT_TRUE(meets(0, 0));
  moves.wait(0, FlyCpuCounterTensor, 0);
  EXPECT_FALSE(meets(0, 0));
  EXPECT_TRUE(meets(1, 0));
  EXPECT_TRUE(conflict.isOver);
  moves.meet();
  EXPECT_FALSE(meets(1, 0));
}

TEST_F(Moves, ABarrierIsNoWait) {
  move(0, FlyCpuCounterTensor, 0, 4);
  moves.meet();
  EXPECT_TRUE(meets(0, 0));
  EXPECT_TRUE(meets(1, 0));
  EXPECT_FALSE(conflict.isOver);
}

TEST_F(Moves, AWaitLeavesTheLastOnes) {
  for (uint32_t i = 0; i < 3; ++i)
    move(0, FlyCpuCounterTensor, 4 * i, 4);
  move(1, FlyCpuCounterTensor, 100, 4); // another wave's do not count
  moves.wait(0, FlyCpuCounterTensor, 2);
  EXPECT_FALSE(meets(0, 0));
  EXPECT_TRUE(meets(0, 4));
  moves.wait(0, FlyCpuCounterTensor, 1);
  EXPECT_FALSE(meets(0, 4));
  EXPECT_TRUE(meets(0, 8));
}

// vmcnt counts every vector memory access: of the wave's, what its busiest lane
// did.
TEST_F(Moves, TheVectorCounterCountsOtherAccesses) {
  move(0, FlyCpuCounterVector, 0, 4);
  for (int i = 0; i < 3; ++i)
    moves.countVector(0, 17);
  moves.countVector(0, 5);
  moves.wait(0, FlyCpuCounterVector, 4);
  EXPECT_TRUE(meets(1, 0));
  EXPECT_FALSE(conflict.isOver);
  moves.wait(0, FlyCpuCounterVector, 3);
  EXPECT_TRUE(meets(1, 0));
  EXPECT_TRUE(conflict.isOver);
  moves.meet();
  EXPECT_FALSE(meets(1, 0));
}

// The code generator waits before the wave's own access, but not for others.
TEST_F(Moves, ALoadToLdsIsWaitedForByItsOwnWave) {
  move(0, FlyCpuCounterVector, 0, 4);
  EXPECT_TRUE(meets(1, 0));
  EXPECT_FALSE(conflict.isOver);
  EXPECT_FALSE(meets(0, 0));
  EXPECT_TRUE(meets(1, 0));
  EXPECT_TRUE(conflict.isOver);
  moves.meet();
  EXPECT_FALSE(meets(1, 0));
}

TEST_F(Moves, WhatAStoreReadsMayBeReadButNotWritten) {
  move(0, FlyCpuCounterTensor, 0, 4, /*writes=*/false);
  EXPECT_FALSE(meets(0, 0));
  EXPECT_FALSE(meets(1, 0));
  EXPECT_TRUE(meets(0, 0, /*writes=*/true));
  EXPECT_TRUE(meets(1, 0, /*writes=*/true));
  moves.wait(0, FlyCpuCounterTensor, 0);
  EXPECT_FALSE(meets(0, 0, /*writes=*/true));
  EXPECT_TRUE(meets(1, 0, /*writes=*/true));
}

TEST_F(Moves, MovesOfAWaveKeepTheirOrder) {
  move(0, FlyCpuCounterTensor, 0, 4);
  EXPECT_FALSE(meets(0, 0, /*writes=*/false, /*isMove=*/true));
  EXPECT_TRUE(meets(1, 0, /*writes=*/false, /*isMove=*/true));
}

// A move must not begin on bytes that another wave uses in the same phase.
TEST_F(Moves, UsesByOtherWaves) {
  moves.use(8, 4, {0, /*wave=*/1, /*location=*/5, /*writes=*/false});
  moves.use(8, 4, {0, /*wave=*/0, /*location=*/6, /*writes=*/false});
  const PendingMoves::Use *use = moves.findUse(0, 0, 9, /*writes=*/true);
  ASSERT_TRUE(use);
  EXPECT_EQ(use->location, 5u);
  use = moves.findUse(1, 11, 1, /*writes=*/true);
  ASSERT_TRUE(use);
  EXPECT_EQ(use->location, 6u);
  EXPECT_FALSE(moves.findUse(0, 0, 8, /*writes=*/true));
  EXPECT_FALSE(moves.findUse(0, 12, 8, /*writes=*/true));
  // Reads beside reads.
  EXPECT_FALSE(moves.findUse(0, 0, 32, /*writes=*/false));
  moves.use(8, 1, {0, 1, 7, /*writes=*/true});
  ASSERT_TRUE(moves.findUse(0, 0, 32, /*writes=*/false));
  EXPECT_FALSE(moves.findUse(1, 0, 32, /*writes=*/false));
  // Many uses of the own wave do not hide those of others.
  for (int i = 0; i < 3; ++i)
    moves.use(8, 1, {0, 0, 8, true});
  ASSERT_TRUE(moves.findUse(0, 0, 32, /*writes=*/false));
  EXPECT_EQ(
      PendingMoves::describe(*moves.findUse(0, 0, 32, false), true, "k.py:1:1"),
      "writes LDS that wave 1 writes at k.py:1:1: no barrier between");
  moves.meet();
  EXPECT_FALSE(moves.findUse(0, 0, 32, /*writes=*/true));
}

TEST_F(Moves, Texts) {
  move(1, FlyCpuCounterTensor, 0, 4);
  ASSERT_TRUE(meets(0, 2));
  EXPECT_EQ(PendingMoves::describe(conflict, false, "copy", "k.py:3:1"),
            "read of LDS byte 2, which the copy of wave 1 at k.py:3:1 writes: "
            "that wave has not waited for it");
  moves.wait(1, FlyCpuCounterTensor, 0);
  ASSERT_TRUE(meets(0, 2, true));
  EXPECT_EQ(PendingMoves::describe(conflict, true, "copy", "k.py:3:1"),
            "write to LDS byte 2, which the copy of wave 1 at k.py:3:1 writes: "
            "no barrier between the wait for it and this access");
}

// A loop without barriers does not pile up what is over.
TEST_F(Moves, ALoopKeepsItsLastMove) {
  for (int i = 0; i < 1000; ++i) {
    moves.begin(0, FlyCpuCounterTensor, FlyCpuHandlerTensorLoad, 7, allLanes);
    moves.addRange(0, 4, true);
    moves.wait(0, FlyCpuCounterTensor, 0);
  }
  EXPECT_EQ(moves.size(), 1u);
  EXPECT_TRUE(meets(1, 0));
  moves.reset(1, 256);
  move(0, FlyCpuCounterTensor, 0, 4);
  moves.wait(0, FlyCpuCounterTensor, 0);
  EXPECT_EQ(moves.size(), 0u);
}
