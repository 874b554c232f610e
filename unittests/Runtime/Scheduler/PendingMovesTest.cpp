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
    uint32_t handler =
        counter == FlyCpuCounterVector   ? FlyCpuHandlerGlobalLoadLds
        : counter == FlyCpuCounterTensor ? FlyCpuHandlerTensorLoad
        : writes                         ? FlyCpuHandlerAsyncLoad32
                                         : FlyCpuHandlerAsyncStore32;
    moves.begin(wave, handler, ++location, allLanes);
    moves.addRange(begin, bytes, writes);
  }
  /// Whether an access of `wave` to one byte is a fault.
  bool meets(uint32_t wave, uint64_t byte, bool writes = false,
             bool isMove = false) {
    return moves.findConflict(wave, byte, 1, writes, isMove, conflict);
  }

  /// Both waves arrive at the workgroup's barrier and go on.
  void meet() {
    moves.arrive(0, PendingMoves::Barrier::Workgroup);
    moves.arrive(1, PendingMoves::Barrier::Workgroup);
    moves.complete(PendingMoves::Barrier::Workgroup);
    moves.pass(0, PendingMoves::Barrier::Workgroup);
    moves.pass(1, PendingMoves::Barrier::Workgroup);
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
  meet();
  EXPECT_FALSE(meets(1, 0));
}

TEST_F(Moves, ABarrierIsNoWait) {
  move(0, FlyCpuCounterTensor, 0, 4);
  meet();
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
  meet();
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
  meet();
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
  meet();
  EXPECT_FALSE(moves.findUse(0, 0, 32, /*writes=*/true));
}

//===----------------------------------------------------------------------===//
// Asynchronous copies of the lanes
//===----------------------------------------------------------------------===//

TEST_F(Moves, AnAsyncLoadIsNotEvenThereForItsOwnWave) {
  move(0, FlyCpuCounterAsync, 0, 4);
  EXPECT_TRUE(meets(0, 0));
  EXPECT_TRUE(meets(1, 0));
  moves.wait(0, FlyCpuCounterTensor, 0);
  EXPECT_TRUE(meets(0, 0));
  moves.wait(0, FlyCpuCounterAsync, 0);
  EXPECT_FALSE(meets(0, 0));
  EXPECT_TRUE(meets(1, 0));
  EXPECT_TRUE(conflict.isOver);
  meet();
  EXPECT_FALSE(meets(1, 0));
}

// Loads are over in their order, and stores, but not among each other.
TEST_F(Moves, AsyncLoadsAndStoresAreOverEachInTheirOrder) {
  move(0, FlyCpuCounterAsync, 0, 4);
  move(0, FlyCpuCounterAsync, 8, 4, /*writes=*/false);
  move(0, FlyCpuCounterAsync, 16, 4);
  moves.wait(0, FlyCpuCounterAsync, 2);
  // The load may be the one that is left beside the store.
  EXPECT_TRUE(meets(0, 0));
  moves.wait(0, FlyCpuCounterAsync, 1);
  EXPECT_FALSE(meets(0, 0));
  EXPECT_TRUE(meets(0, 8, /*writes=*/true));
  EXPECT_TRUE(meets(0, 16));
  moves.wait(0, FlyCpuCounterAsync, 0);
  EXPECT_FALSE(meets(0, 8, /*writes=*/true));
  EXPECT_FALSE(meets(0, 16));
}

TEST_F(Moves, AnAsyncLoadOntoWhatAStoreStillReads) {
  move(0, FlyCpuCounterAsync, 0, 4, /*writes=*/false);
  moves.begin(0, FlyCpuHandlerAsyncLoad32, 9, allLanes);
  EXPECT_TRUE(meets(0, 0, /*writes=*/true, /*isMove=*/true));
  EXPECT_EQ(conflict.location, 1u);
  EXPECT_FALSE(conflict.writes);
  // A tensor copy is no later move of the counter either.
  moves.begin(0, FlyCpuHandlerTensorLoad, 10, allLanes);
  EXPECT_TRUE(meets(0, 0, /*writes=*/true, /*isMove=*/true));
  moves.wait(0, FlyCpuCounterAsync, 0);
  moves.begin(0, FlyCpuHandlerAsyncLoad32, 11, allLanes);
  EXPECT_FALSE(meets(0, 0, /*writes=*/true, /*isMove=*/true));
}

// Another wave's store still reads what this wave's copy is to write.
TEST_F(Moves, AMoveOntoWhatAnotherWavesStoreReads) {
  move(1, FlyCpuCounterTensor, 0, 4, /*writes=*/false);
  moves.begin(0, FlyCpuHandlerTensorLoad, 9, allLanes);
  EXPECT_TRUE(meets(0, 0, /*writes=*/true, /*isMove=*/true));
  EXPECT_EQ(conflict.wave, 1u);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

// What a wave does between signal and wait is not behind the barrier.
TEST_F(Moves, BetweenSignalAndWait) {
  move(0, FlyCpuCounterTensor, 0, 4);
  moves.arrive(0, PendingMoves::Barrier::Workgroup);
  moves.wait(0, FlyCpuCounterTensor, 0);
  moves.use(64, 1, {0, /*wave=*/0, /*location=*/5, /*writes=*/false});
  moves.arrive(1, PendingMoves::Barrier::Workgroup);
  moves.complete(PendingMoves::Barrier::Workgroup);
  moves.pass(1, PendingMoves::Barrier::Workgroup);
  EXPECT_TRUE(meets(1, 0));
  EXPECT_TRUE(conflict.isOver);
  EXPECT_TRUE(moves.findUse(1, 64, 1, /*writes=*/true));
  moves.pass(0, PendingMoves::Barrier::Workgroup);
  meet();
  EXPECT_FALSE(meets(1, 0));
  EXPECT_FALSE(moves.findUse(1, 64, 1, /*writes=*/true));
}

// One wave signals the cluster's barrier: of the others it says nothing.
TEST_F(Moves, TheBarrierOfTheClusterSpeaksForTheWaveThatSignals) {
  move(0, FlyCpuCounterTensor, 0, 4);
  move(1, FlyCpuCounterTensor, 8, 4);
  moves.wait(0, FlyCpuCounterTensor, 0);
  moves.wait(1, FlyCpuCounterTensor, 0);
  moves.arrive(0, PendingMoves::Barrier::Cluster);
  EXPECT_TRUE(meets(1, 0));
  moves.complete(PendingMoves::Barrier::Cluster);
  moves.pass(0, PendingMoves::Barrier::Cluster);
  moves.pass(1, PendingMoves::Barrier::Cluster);
  EXPECT_FALSE(meets(1, 0));
  EXPECT_TRUE(meets(0, 8));
  EXPECT_TRUE(conflict.isOver);
}

// A wave that reads a completed phase of a barrier in LDS knows of what
// arrived.
TEST_F(Moves, ABarrierInLds) {
  move(0, FlyCpuCounterTensor, 0, 4);
  moves.arriveInLds(0, 128, /*completes=*/false, FlyCpuArrivalOfCopy);
  moves.readInLds(1, 128, 8);
  EXPECT_TRUE(meets(1, 0));
  moves.arriveInLds(1, 128, /*completes=*/true, FlyCpuArrivalOfWave);
  EXPECT_TRUE(meets(1, 0));
  moves.readInLds(1, 136, 8);
  EXPECT_TRUE(meets(1, 0));
  moves.readInLds(1, 127, 1);
  EXPECT_TRUE(meets(1, 0));
  // Any byte of the barrier will do.
  moves.readInLds(1, 135, 1);
  EXPECT_FALSE(meets(1, 0));
  // The wave that issued the copy knows no more than others.
  EXPECT_TRUE(meets(0, 0));
  moves.readInLds(0, 128, 8);
  EXPECT_EQ(moves.size(), 0u);
  // Uses of the wave that arrived are over for who reads.
  moves.use(64, 1, {0, /*wave=*/1, /*location=*/5, /*writes=*/false});
  EXPECT_TRUE(moves.findUse(0, 64, 1, /*writes=*/true));
  moves.arriveInLds(1, 128, /*completes=*/true, FlyCpuArrivalOfWave);
  EXPECT_TRUE(moves.findUse(0, 64, 1, /*writes=*/true));
  moves.readInLds(0, 128, 8);
  EXPECT_FALSE(moves.findUse(0, 64, 1, /*writes=*/true));
}

// Behind the asynchronous loads that the wave has issued.
TEST_F(Moves, ABarrierInLdsBehindAsyncLoads) {
  move(0, FlyCpuCounterAsync, 0, 4);
  move(0, FlyCpuCounterAsync, 8, 4, /*writes=*/false);
  moves.begin(0, FlyCpuHandlerLdsBarrierArriveAsync, 9, allLanes);
  moves.arriveInLds(0, 128, /*completes=*/true, FlyCpuArrivalOfLoads);
  moves.readInLds(1, 128, 8);
  EXPECT_FALSE(meets(1, 0));
  EXPECT_TRUE(meets(1, 8, /*writes=*/true));
  // The arrival counts, too.
  moves.wait(0, FlyCpuCounterAsync, 1);
  EXPECT_FALSE(meets(0, 0));
  EXPECT_TRUE(meets(0, 8, /*writes=*/true));
}

TEST_F(Moves, AWaveThatHasEndedNeedsNothing) {
  move(0, FlyCpuCounterTensor, 0, 4);
  moves.wait(0, FlyCpuCounterTensor, 0);
  moves.arrive(0, PendingMoves::Barrier::Workgroup);
  moves.arrive(1, PendingMoves::Barrier::Workgroup, /*ends=*/true);
  moves.complete(PendingMoves::Barrier::Workgroup);
  moves.pass(0, PendingMoves::Barrier::Workgroup);
  EXPECT_EQ(moves.size(), 0u);
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

// A loop does not pile up its moves, whether it waits for them or not.
TEST_F(Moves, ALoopKeepsItsLastMoves) {
  for (bool waits : {true, false}) {
    moves.reset(2, 256);
    for (uint32_t i = 0; i < 1000; ++i) {
      moves.begin(0, FlyCpuHandlerTensorLoad, 7, allLanes);
      moves.addRange(i % 2 * 4, 4, true);
      if (waits)
        moves.wait(0, FlyCpuCounterTensor, 0);
    }
    EXPECT_LE(moves.size(), 3u);
    EXPECT_TRUE(meets(1, 0));
    EXPECT_TRUE(meets(1, 4));
    EXPECT_EQ(conflict.isOver, waits);
    moves.wait(0, FlyCpuCounterTensor, 0);
    meet();
    EXPECT_EQ(moves.size(), 0u);
  }
  moves.reset(1, 256);
  move(0, FlyCpuCounterTensor, 0, 4);
  moves.wait(0, FlyCpuCounterTensor, 0);
  EXPECT_EQ(moves.size(), 0u);
}

// What is not remembered any more still counts.
TEST_F(Moves, RepeatedMovesCount) {
  move(0, FlyCpuCounterTensor, 0, 4);
  for (int i = 0; i < 3; ++i) {
    moves.begin(0, FlyCpuHandlerTensorLoad, 7, allLanes);
    moves.addRange(8, 4, true);
  }
  moves.wait(0, FlyCpuCounterTensor, 3);
  EXPECT_FALSE(meets(0, 0));
  EXPECT_TRUE(meets(0, 8));
}
