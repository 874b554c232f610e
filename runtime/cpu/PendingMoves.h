// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which moves between memory and LDS of a workgroup are still under way. The
// CPU does them at once; the device does them some time until the wave waits.
// In modules whose conversion made the waits sites (FlyCpuModuleWaits) an
// access to LDS that such a move may still touch is a fault, whatever the
// order of the waves: a wave may touch the bytes when it has waited itself,
// another wave behind a barrier that comes after that wait. Nor may a move
// begin on bytes that another wave uses without a barrier between.
//
// What lies behind a barrier is told by clocks: each wave counts its arrivals
// at barriers, and knows of every other wave how far its arrivals have been
// awaited. A barrier is that of the workgroup, that of the cluster, at which
// one wave arrives for its workgroup, or one in LDS, at which moves arrive,
// too.

#ifndef FLY_RUNTIME_CPU_PENDINGMOVES_H
#define FLY_RUNTIME_CPU_PENDINGMOVES_H

#include "fly_cpu_abi.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace fly::cpu {

/// The queues of fly_cpu_handlers.def.
enum class MoveQueue : uint8_t { None, Vector, Tensor, AsyncLoad, AsyncStore };

class PendingMoves {
public:
  /// A move that an access meets.
  struct Conflict {
    uint32_t wave = 0;     ///< of the move
    uint32_t location = 0; ///< of the move
    uint32_t handler = 0;
    uint32_t byte = 0; ///< of LDS, the first that both touch
    bool writes = false;
    bool isOver = false; ///< the wave has waited: a barrier is missing
  };

  /// An access of a lane that a move meets.
  struct Use {
    uint64_t epoch = 0; ///< 0: none
    uint32_t wave = 0;
    uint32_t location = 0;
    bool writes = false;
    uint32_t time = 0; ///< on its wave's clock
  };

  /// Barriers whose arrivals and waits a wave does as a whole.
  enum class Barrier { Workgroup, Cluster };

  /// Forgets everything: a workgroup of `waves` waves and `ldsBytes` begins.
  void reset(uint32_t waves, uint32_t ldsBytes);

  /// Whether the operation with number `handler` is a move.
  static bool isMove(uint32_t handler);
  /// A wave begins a move; the ranges that follow belong to it.
  void begin(uint32_t wave, uint32_t handler, uint32_t location, uint64_t exec);
  /// Adds bytes of LDS that the move last begun writes or reads.
  void addRange(uint32_t begin, uint64_t bytes, bool writes);

  /// Remembers an access of a lane to LDS.
  void use(uint32_t begin, uint64_t bytes, const Use &use);
  /// Another wave's access to these bytes that no barrier separates from a move
  /// of `wave`; null if there is none. Reads beside reads may.
  const Use *findUse(uint32_t wave, uint32_t begin, uint64_t bytes,
                     bool writes) const;

  /// A lane has issued one more access that the vector counter counts.
  void countVector(uint32_t wave, uint32_t lane) { ++issued[wave][lane]; }

  /// A wave waits until at most `count` accesses of `counter` are under way.
  void wait(uint32_t wave, fly_cpu_counter counter, uint32_t count);

  /// A wave arrives at a barrier. Of one that ends nothing comes any more.
  void arrive(uint32_t wave, Barrier barrier, bool ends = false);
  /// The barrier is complete: those that await it know of its arrivals.
  void complete(Barrier barrier);
  /// A wave has awaited the barrier's last completion.
  void pass(uint32_t wave, Barrier barrier);

  /// An arrival at the barrier at byte `begin` of LDS.
  void arriveInLds(uint32_t wave, uint32_t begin, bool completes,
                   fly_cpu_arrival arrival);
  /// A wave reads these bytes: it knows of completed barriers among them.
  void readInLds(uint32_t wave, uint32_t begin, uint64_t bytes);

  /// Whether an access to LDS meets a move that may still be under way; the
  /// first such move is left in `conflict`. An access of the move last begun
  /// (`isMove`) keeps the order of its wave's moves where the device does.
  bool findConflict(uint32_t wave, uint64_t begin, uint64_t bytes, bool writes,
                    bool isMove, Conflict &conflict);

  /// Number of moves that are remembered.
  size_t size() const { return moves.size(); }

  /// The cause of the fault: "read of LDS byte 64, which the ... writes: ...".
  /// `operation` and `place` are those of the move.
  static std::string describe(const Conflict &conflict, bool writes,
                              const std::string &operation,
                              const std::string &place);
  /// The same of a move that begins on bytes in use.
  static std::string describe(const Use &use, bool writes,
                              const std::string &place);

private:
  using LaneCounts = std::array<uint32_t, FLY_CPU_MAX_WAVE>;
  /// One time for each wave.
  using Clock = std::vector<uint32_t>;
  struct Range {
    uint32_t begin, end;
    bool operator==(const Range &other) const {
      return begin == other.begin && end == other.end;
    }
  };
  struct Move {
    uint32_t wave, handler, location;
    fly_cpu_counter counter;
    bool writes = true, isOver = false;
    uint32_t overTime = 0; ///< of its wave, when it had waited
    uint64_t seen = 0;     ///< waves that know of its end by a barrier in LDS
    /// Of Vector: what each lane had issued, this move included.
    LaneCounts issued = {};
    std::vector<Range> ranges;
    uint64_t number = 0; ///< of all moves of the workgroup, from 1
    MoveQueue queue = MoveQueue::None; ///< of its wave
    uint32_t place = 0;                ///< in the queue, from 1
  };
  /// What a barrier has gathered, and what those who await it learn.
  struct Meeting {
    Clock arriving, complete;
    /// Numbers of moves that have arrived.
    std::vector<uint64_t> arrivingMoves, completeMoves;
  };

  void forget();
  void dropRepeated();
  void dropKnown();
  bool isKnown(const Move &move, uint32_t wave) const;
  static void join(Clock &clock, const Clock &other);

  /// The last uses of one byte: of two waves, so that one of them is another
  /// one's, and apart for reads and writes.
  struct Byte {
    Use last[2], other[2];
  };

  uint64_t epoch = 0; ///< rises with each workgroup
  std::vector<Byte> bytes;
  std::vector<Move> moves; ///< in the order in which they began
  uint64_t begun = 0;
  /// Moves that each wave has issued to each queue.
  std::vector<std::array<uint32_t, 5>> queues;
  std::vector<LaneCounts> issued;
  std::vector<Clock> known; ///< of each wave, its own time among them
  Meeting meetings[2];      ///< by Barrier
  std::map<uint32_t, Meeting> ldsMeetings; ///< by byte
};

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_PENDINGMOVES_H
