// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PendingMoves.h"

#include <algorithm>

using namespace fly::cpu;

static constexpr MoveQueue queueOf[] = {
#define FLY_CPU_HANDLER(Id, Name, Class, Immediates, Needs, Queue)             \
  MoveQueue::Queue,
#include "fly_cpu_handlers.def"
};

/// What the moves of a queue count in.
static fly_cpu_counter counterOf(MoveQueue queue) {
  switch (queue) {
  case MoveQueue::Tensor:
    return FlyCpuCounterTensor;
  case MoveQueue::AsyncLoad:
  case MoveQueue::AsyncStore:
    return FlyCpuCounterAsync;
  case MoveQueue::None:
  case MoveQueue::Vector:
    break;
  }
  return FlyCpuCounterVector;
}

bool PendingMoves::isMove(uint32_t handler) {
  return queueOf[handler] != MoveQueue::None;
}

void PendingMoves::reset(uint32_t waves, uint32_t ldsBytes) {
  ++epoch;
  bytes.resize(ldsBytes);
  moves.clear();
  begun = 0;
  queues.assign(waves, {});
  issued.assign(waves, LaneCounts{});
  known.assign(waves, Clock(waves, 0));
  for (uint32_t wave = 0; wave < waves; ++wave)
    known[wave][wave] = 1;
  for (Meeting &meeting : meetings)
    meeting = {Clock(waves, 0), Clock(waves, 0), {}, {}};
  ldsMeetings.clear();
}

void PendingMoves::begin(uint32_t wave, uint32_t handler, uint32_t location,
                         uint64_t exec) {
  MoveQueue queue = queueOf[handler];
  fly_cpu_counter counter = counterOf(queue);
  for (uint64_t left = exec; left; left &= left - 1)
    if (counter == FlyCpuCounterVector)
      countVector(wave, uint32_t(__builtin_ctzll(left)));
  dropRepeated();
  Move move;
  move.wave = wave;
  move.handler = handler;
  move.location = location;
  move.counter = counter;
  move.issued = issued[wave];
  move.number = ++begun;
  move.queue = queue;
  move.place = ++queues[wave][size_t(queue)];
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
    last.time = known[use.wave][use.wave];
  }
}

const PendingMoves::Use *PendingMoves::findUse(uint32_t wave, uint32_t begin,
                                               uint64_t count,
                                               bool writes) const {
  for (uint64_t i = begin; i < begin + count && i < bytes.size(); ++i)
    for (int kind = writes ? 0 : 1; kind < 2; ++kind)
      for (const Use *use : {&bytes[i].last[kind], &bytes[i].other[kind]})
        if (use->epoch == epoch && use->wave != wave &&
            use->time > known[wave][use->wave])
          return use;
  return nullptr;
}

void PendingMoves::wait(uint32_t wave, fly_cpu_counter counter,
                        uint32_t count) {
  // Those of one queue are over in the order in which they began. Of Vector,
  // what other accesses the wave issued behind a move is what its busiest lane
  // did: with branches it may be more, then the move is over even earlier.
  for (Move &move : moves) {
    if (move.wave != wave || move.counter != counter || move.isOver)
      continue;
    uint32_t behind = queues[wave][size_t(move.queue)] - move.place;
    if (counter == FlyCpuCounterVector) {
      behind = 0;
      for (uint32_t lane = 0; lane < FLY_CPU_MAX_WAVE; ++lane)
        behind = std::max(behind, issued[wave][lane] - move.issued[lane]);
    }
    if (behind >= count) {
      move.isOver = true;
      move.overTime = known[wave][wave];
    }
  }
  forget();
}

/// Drops what is over where nobody else is.
void PendingMoves::forget() {
  if (issued.size() != 1)
    return;
  moves.erase(std::remove_if(moves.begin(), moves.end(),
                             [](const Move &move) { return move.isOver; }),
              moves.end());
}

/// Drops the moves that the last one repeats: whoever must not touch what they
/// do must not touch what it does, and who knows of its end knows of theirs,
/// which came before. A loop leaves one move behind for each place it moves to.
void PendingMoves::dropRepeated() {
  if (moves.empty())
    return;
  const Move &last = moves.back();
  moves.erase(std::remove_if(moves.begin(), moves.end() - 1,
                             [&](const Move &move) {
                               return move.wave == last.wave &&
                                      move.location == last.location &&
                                      move.writes == last.writes &&
                                      move.ranges == last.ranges;
                             }),
              moves.end() - 1);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void PendingMoves::join(Clock &clock, const Clock &other) {
  for (size_t i = 0; i < clock.size(); ++i)
    clock[i] = std::max(clock[i], other[i]);
}

void PendingMoves::arrive(uint32_t wave, Barrier barrier, bool ends) {
  if (wave >= known.size()) // nothing is followed
    return;
  join(meetings[int(barrier)].arriving, known[wave]);
  if (ends)
    known[wave].assign(known.size(), UINT32_MAX);
  else
    ++known[wave][wave];
}

void PendingMoves::complete(Barrier barrier) {
  Meeting &meeting = meetings[int(barrier)];
  join(meeting.complete, meeting.arriving);
}

void PendingMoves::pass(uint32_t wave, Barrier barrier) {
  if (wave >= known.size())
    return;
  join(known[wave], meetings[int(barrier)].complete);
  dropKnown();
}

void PendingMoves::arriveInLds(uint32_t wave, uint32_t begin, bool completes,
                               fly_cpu_arrival arrival) {
  Meeting &meeting = ldsMeetings[begin];
  if (meeting.arriving.empty())
    meeting.arriving = meeting.complete = Clock(known.size(), 0);
  join(meeting.arriving, known[wave]);
  ++known[wave][wave];
  for (const Move &move : moves) {
    bool isLast = &move == &moves.back();
    if (arrival == FlyCpuArrivalOfCopy
            ? isLast
            : arrival == FlyCpuArrivalOfLoads && move.wave == wave &&
                  move.counter == FlyCpuCounterAsync && move.writes)
      meeting.arrivingMoves.push_back(move.number);
  }
  if (!completes)
    return;
  join(meeting.complete, meeting.arriving);
  meeting.completeMoves.insert(meeting.completeMoves.end(),
                               meeting.arrivingMoves.begin(),
                               meeting.arrivingMoves.end());
  meeting.arrivingMoves.clear();
}

void PendingMoves::readInLds(uint32_t wave, uint32_t begin, uint64_t count) {
  bool learns = false;
  for (auto at = ldsMeetings.lower_bound(begin >= 7 ? begin - 7 : 0);
       at != ldsMeetings.end() && at->first < begin + count; ++at) {
    learns = true;
    Meeting &meeting = at->second;
    join(known[wave], meeting.complete);
    // Numbers of moves that are no longer there say nothing.
    std::vector<uint64_t> left;
    for (Move &move : moves)
      if (std::find(meeting.completeMoves.begin(), meeting.completeMoves.end(),
                    move.number) != meeting.completeMoves.end()) {
        move.seen |= UINT64_C(1) << wave;
        left.push_back(move.number);
      }
    meeting.completeMoves = std::move(left);
  }
  if (learns)
    dropKnown();
}

/// Whether `wave` may touch what the move does.
bool PendingMoves::isKnown(const Move &move, uint32_t wave) const {
  if (move.seen >> wave & 1)
    return true;
  return move.isOver &&
         (move.wave == wave || move.overTime <= known[wave][move.wave]);
}

/// Drops moves whose end all waves know.
void PendingMoves::dropKnown() {
  moves.erase(std::remove_if(moves.begin(), moves.end(),
                             [&](const Move &move) {
                               for (uint32_t wave = 0; wave < known.size();
                                    ++wave)
                                 if (!isKnown(move, wave))
                                   return false;
                               return true;
                             }),
              moves.end());
}

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

bool PendingMoves::findConflict(uint32_t wave, uint64_t begin, uint64_t bytes,
                                bool writes, bool isMove, Conflict &conflict) {
  for (size_t i = 0; i < moves.size(); ++i) {
    Move &move = moves[i];
    bool isOwn = move.wave == wave;
    // Reads beside reads are no conflict, two moves that write are not held
    // against each other.
    if ((!writes && !move.writes) || (isMove && writes && move.writes) ||
        isKnown(move, wave))
      continue;
    // Moves of one queue keep their order.
    if (isMove && isOwn && move.queue == moves.back().queue)
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
