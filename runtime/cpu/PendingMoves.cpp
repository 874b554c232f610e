// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PendingMoves.h"

#include <algorithm>

using namespace fly::cpu;

void PendingMoves::reset(uint32_t waves, uint32_t ldsBytes) {
  ++epoch;
  bytes.resize(ldsBytes);
  moves.clear();
  issued.assign(waves, LaneCounts{});
}

void PendingMoves::begin(uint32_t wave, fly_cpu_counter counter,
                         uint32_t handler, uint32_t location, uint64_t exec) {
  for (uint64_t left = exec; left; left &= left - 1)
    if (counter == FlyCpuCounterVector)
      countVector(wave, uint32_t(__builtin_ctzll(left)));
  Move move;
  move.wave = wave;
  move.handler = handler;
  move.location = location;
  move.counter = counter;
  move.issued = issued[wave];
  moves.push_back(std::move(move));
}

void PendingMoves::addRange(uint32_t begin, uint64_t bytes, bool writes) {
  Move &move = moves.back();
  move.writes = writes;
  if (bytes == 0)
    return;
  if (!move.ranges.empty() && move.ranges.back().end == begin)
    move.ranges.back().end = uint32_t(begin + bytes);
  else
    move.ranges.push_back({begin, uint32_t(begin + bytes)});
}

void PendingMoves::use(uint32_t begin, uint64_t count, const Use &use) {
  for (uint64_t i = begin; i < begin + count && i < bytes.size(); ++i) {
    Use &last = bytes[i].last[use.writes], &other = bytes[i].other[use.writes];
    if (last.wave != use.wave)
      other = last;
    last = use;
    last.epoch = epoch;
  }
}

const PendingMoves::Use *PendingMoves::findUse(uint32_t wave, uint32_t begin,
                                               uint64_t count,
                                               bool writes) const {
  for (uint64_t i = begin; i < begin + count && i < bytes.size(); ++i)
    for (int kind = writes ? 0 : 1; kind < 2; ++kind)
      for (const Use *use : {&bytes[i].last[kind], &bytes[i].other[kind]})
        if (use->epoch == epoch && use->wave != wave)
          return use;
  return nullptr;
}

void PendingMoves::wait(uint32_t wave, fly_cpu_counter counter,
                        uint32_t count) {
  // Those of one counter are over in the order in which they began. What other
  // accesses the wave issued behind a move is what its busiest lane did: with
  // branches it may be more, then the move is over even earlier.
  uint32_t behind = 0;
  for (auto move = moves.rbegin(); move != moves.rend(); ++move) {
    if (move->wave != wave || move->counter != counter)
      continue;
    if (counter == FlyCpuCounterVector) {
      behind = 0;
      for (uint32_t lane = 0; lane < FLY_CPU_MAX_WAVE; ++lane)
        behind = std::max(behind, issued[wave][lane] - move->issued[lane]);
    }
    if (behind >= count)
      move->isOver = true;
    if (counter == FlyCpuCounterTensor)
      ++behind;
  }
  forget();
}

/// Drops moves that say nothing new: those that are over where nobody else is,
/// and those that the same operation did again, as in a loop without barriers.
void PendingMoves::forget() {
  auto isKnown = [&](size_t i) {
    const Move &move = moves[i];
    if (move.isOver && issued.size() == 1)
      return true;
    for (size_t j = i + 1; move.isOver && j < moves.size(); ++j)
      if (moves[j].isOver && moves[j].wave == move.wave &&
          moves[j].location == move.location && moves[j].ranges == move.ranges)
        return true;
    return false;
  };
  size_t kept = 0;
  for (size_t i = 0; i < moves.size(); ++i)
    if (!isKnown(i)) {
      if (kept != i)
        moves[kept] = std::move(moves[i]);
      ++kept;
    }
  moves.resize(kept);
}

void PendingMoves::meet() {
  ++epoch;
  moves.erase(std::remove_if(moves.begin(), moves.end(),
                             [](const Move &move) { return move.isOver; }),
              moves.end());
}

bool PendingMoves::findConflict(uint32_t wave, uint64_t begin, uint64_t bytes,
                                bool writes, bool isMove, Conflict &conflict) {
  for (size_t i = 0; i < moves.size(); ++i) {
    Move &move = moves[i];
    bool isOwn = move.wave == wave;
    // Reads beside reads are no conflict.
    if ((!writes && !move.writes) || (isOwn && (move.isOver || isMove)))
      continue;
    for (const Range &range : move.ranges) {
      if (begin >= range.end || begin + bytes <= range.begin)
        continue;
      if (isOwn && move.counter == FlyCpuCounterVector) {
        // The code generator waits before the wave's own access.
        wait(wave, FlyCpuCounterVector, 0);
        return findConflict(wave, begin, bytes, writes, isMove, conflict);
      }
      conflict.wave = move.wave;
      conflict.location = move.location;
      conflict.handler = move.handler;
      conflict.byte = uint32_t(std::max<uint64_t>(begin, range.begin));
      conflict.writes = move.writes;
      conflict.isOver = move.isOver;
      return true;
    }
  }
  return false;
}

std::string PendingMoves::describe(const Conflict &conflict, bool writes,
                                   const std::string &operation,
                                   const std::string &place) {
  std::string text = std::string(writes ? "write to" : "read of") +
                     " LDS byte " + std::to_string(conflict.byte) +
                     ", which the " + operation + " of wave " +
                     std::to_string(conflict.wave) + " at " + place +
                     (conflict.writes ? " writes" : " reads");
  if (conflict.isOver)
    return text + ": no barrier between the wait for it and this access";
  return text + ": that wave has not waited for it";
}

std::string PendingMoves::describe(const Use &use, bool writes,
                                   const std::string &place) {
  return std::string(writes ? "writes" : "reads") + " LDS that wave " +
         std::to_string(use.wave) + (use.writes ? " writes" : " reads") +
         " at " + place + ": no barrier between";
}
