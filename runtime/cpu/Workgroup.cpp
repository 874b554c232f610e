// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running one workgroup: which lanes go together, when a handler is called,
// when waves wait for each other, and which of these are faults.

#include "Workgroup.h"
#include "Arrays.h"
#include "LaneFaults.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace fly::cpu;

/// One wave of a workgroup.
struct Workgroup::Wave {
  fly_cpu_group group;
  uint64_t live;        ///< lanes that have not ended
  uint64_t exec;        ///< lanes at the smallest site
  uint64_t signalPhase; ///< phase in which it arrived at the barrier
  uint32_t site;        ///< the smallest site, or FLY_CPU_SITE_ENDED
  uint32_t first;       ///< its first lane within the workgroup
  uint32_t lanes;       ///< lanes that exist
  bool started;
  bool hasEnded;
  bool signalled; ///< arrived, and has not passed the barrier yet
  bool waiting;   ///< may go on only when the barrier is complete
  void *frames[FLY_CPU_MAX_WAVE];
  unsigned char *slots[FLY_CPU_MAX_WAVE];
  unsigned char *chained[FLY_CPU_MAX_WAVE]; ///< slots of the site in a chain
};

namespace {
enum class SiteClass { None, Barrier, Exchange, Matrix, Move, Wait };

struct Operation {
  const char *name;
  SiteClass kind;
};
} // namespace

static const Operation operations[] = {
#define FLY_CPU_HANDLER(Id, Name, Class, Immediates) {Name, SiteClass::Class},
#include "fly_cpu_handlers.def"
};

const char *fly::cpu::operationName(uint32_t handler) {
  const char *name = operations[handler].name;
  return *name ? name : "the place where branches or iterations meet";
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

std::string fly::cpu::describeLocation(const fly_cpu_module &module,
                                       uint32_t location) {
  std::string text;
  // The chain is as long as the table at most: a damaged one ends.
  for (uint32_t i = 0; i <= module.num_locations; ++i) {
    if (location >= module.num_locations)
      break;
    const fly_cpu_location &place = module.locations[location];
    text += text.empty() ? "" : ", inlined at ";
    text += std::string(module.strings + place.file) + ":" +
            std::to_string(place.line) + ":" + std::to_string(place.column);
    location = place.inlined_at;
  }
  return text.empty() ? "unknown location" : text;
}

std::string fly::cpu::describeFault(const LaunchPlan &plan,
                                    const fly_cpu_workgroup &workgroup,
                                    int64_t wave, int64_t lane,
                                    uint32_t location,
                                    const std::string &cause) {
  std::string text = describeLocation(*plan.module, location) + ": " + cause +
                     " (kernel '" + plan.kernel->name + "', workgroup (" +
                     std::to_string(workgroup.block_id[0]) + ", " +
                     std::to_string(workgroup.block_id[1]) + ", " +
                     std::to_string(workgroup.block_id[2]) + ")";
  if (wave >= 0)
    text += ", wave " + std::to_string(wave);
  if (lane >= 0)
    text += ", lane " + std::to_string(lane);
  return text + ")";
}

static std::string maskText(uint64_t mask) {
  char buffer[24];
  std::snprintf(buffer, sizeof(buffer), "0x%" PRIx64, mask);
  return buffer;
}

void Workgroup::fail(const Wave &wave, int64_t lane, const std::string &cause) {
  if (!faultText.empty())
    return;
  const fly_cpu_site &site = plan->kernel->sites[wave.site];
  faultText = describeFault(
      *plan, context, wave.first / plan->kernel->wave_size, lane, site.location,
      std::string(operationName(site.handler)) + ": " + cause);
}

void Workgroup::handlerFault(fly_cpu_group *group, int32_t lane,
                             const char *message) {
  auto *workgroup = static_cast<Workgroup *>(group->context);
  workgroup->fail(workgroup->waves[workgroup->current], lane, message);
}

//===----------------------------------------------------------------------===//
// Accesses of modules with memory hooks
//===----------------------------------------------------------------------===//

std::string fly::cpu::accessName(uint32_t access) {
  if (access & FlyCpuAccessAtomic)
    return "atomic access";
  return access & FlyCpuAccessWrite ? "write" : "read";
}

static uint32_t offsetInLds(const fly_cpu_workgroup &workgroup,
                            const void *address) {
  return uint32_t(static_cast<const unsigned char *>(address) - workgroup.lds);
}

bool Workgroup::checkLds(uint32_t wave, const void *address, uint64_t bytes,
                         bool writes, bool isMove, std::string &text) {
  uint32_t begin = offsetInLds(context, address);
  // Two moves that write are not held against each other.
  PendingMoves::Conflict conflict;
  if ((isMove && writes) ||
      !moves.findConflict(wave, begin, bytes, writes, isMove, conflict)) {
    const PendingMoves::Use *use =
        isMove ? moves.findUse(wave, begin, bytes, writes) : nullptr;
    if (use)
      text = PendingMoves::describe(
          *use, writes, describeLocation(*plan->module, use->location));
    return !use;
  }
  text = PendingMoves::describe(
      conflict, writes, operationName(conflict.handler),
      describeLocation(*plan->module, conflict.location));
  return false;
}

/// Whether `address` lies in the LDS of a workgroup.
static bool isInLds(const fly_cpu_workgroup &workgroup, const void *address) {
  const auto *byte = static_cast<const unsigned char *>(address);
  return byte >= workgroup.lds && byte < workgroup.lds + workgroup.lds_bytes;
}

bool Workgroup::checkLaneAccess(const fly_cpu_lane &lane, const void *address,
                                uint64_t bytes, uint32_t access,
                                uint32_t location, std::string &text) {
  if (!followsMoves)
    return true;
  if (bytes && isInLds(context, address)) {
    bool writes = access & FlyCpuAccessWrite;
    moves.use(offsetInLds(context, address), bytes,
              {0, lane.wave, location, writes});
    return checkLds(lane.wave, address, bytes, writes, /*isMove=*/false, text);
  }
  moves.countVector(lane.wave, lane.lane);
  return true;
}

int Workgroup::handlerAccess(fly_cpu_group *group, int32_t lane,
                             const void *address, uint64_t bytes,
                             uint32_t access) {
  auto &self = *static_cast<Workgroup *>(group->context);
  const Wave &wave = self.waves[self.current];
  std::string problem = describeOutside(address, bytes);
  if (!problem.empty()) {
    problem = accessName(access) + " of " + std::to_string(bytes) + " bytes, " +
              problem;
  } else if (self.followsMoves && isInLds(self.context, address)) {
    bool writes = access & FlyCpuAccessWrite;
    bool isMove = access & FlyCpuAccessAsync;
    uint32_t begin = offsetInLds(self.context, address);
    self.checkLds(uint32_t(self.current), address, bytes, writes, isMove,
                  problem);
    if (isMove)
      self.moves.addRange(begin, bytes, writes);
    else
      self.moves.use(begin, bytes,
                     {0, uint32_t(self.current), group->location, writes});
  }
  if (problem.empty())
    return 1;
  self.fail(wave, lane, problem);
  return 0;
}

void Workgroup::beginMove(const Wave &wave, const fly_cpu_site &site) {
  fly_cpu_counter counter;
  switch (site.handler) {
  case FlyCpuHandlerRawPtrBufferLoadLds:
  case FlyCpuHandlerGlobalLoadLds:
    counter = FlyCpuCounterVector;
    break;
  case FlyCpuHandlerTensorLoad:
  case FlyCpuHandlerTensorStore:
  case FlyCpuHandlerTensorLoadD2:
  case FlyCpuHandlerTensorStoreD2:
    counter = FlyCpuCounterTensor;
    break;
  default:
    return;
  }
  moves.begin(wave.first / plan->kernel->wave_size, counter, site.handler,
              site.location, wave.exec);
}

void Workgroup::waitForMoves(const Wave &wave, const fly_cpu_site &site) {
  const int32_t *immediates = plan->module->pool + site.immediates;
  moves.wait(wave.first / plan->kernel->wave_size,
             static_cast<fly_cpu_counter>(immediates[0]),
             static_cast<uint32_t>(immediates[1]));
}

uint32_t Workgroup::currentLocation() const {
  if (current < 0)
    return plan->kernel->location;
  const Wave &wave = waves[current];
  if (wave.site >= plan->kernel->num_sites)
    return plan->kernel->location;
  return plan->kernel->sites[wave.site].location;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static size_t roundUp(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

Workgroup::~Workgroup() {
  std::free(memory);
  freeLds(lds);
}

void Workgroup::watch(FaultTarget &target) {
  interrupt = target.interrupt;
  inLanes = &target.inLanes;
}

bool Workgroup::prepare(const LaunchPlan &launch) {
  plan = &launch;
  size_t lanesBytes = launch.lanes * sizeof(Lane);
  size_t wavesBytes = roundUp(launch.waves * sizeof(Wave), FLY_CPU_ALIGN);
  size_t framesBytes = launch.lanes * launch.frameStride;
  size_t slotsBytes = launch.lanes * launch.slotStride;
  size_t total = lanesBytes + wavesBytes + framesBytes + slotsBytes;
  memory = std::aligned_alloc(FLY_CPU_ALIGN, roundUp(total, FLY_CPU_ALIGN));
  lds = allocateLds(launch.ldsBytes, FLY_CPU_ALIGN);
  if (!memory || !lds.address)
    return false;
  auto *next = static_cast<unsigned char *>(memory);
  lanes = reinterpret_cast<Lane *>(next);
  next += lanesBytes;
  waves = reinterpret_cast<Wave *>(next);
  next += wavesBytes;
  frames = next;
  next += framesBytes;
  slots = next;
  context.lds = lds.address;
  context.lds_bytes = launch.ldsBytes;
  std::memcpy(context.block_dim, launch.block, sizeof(context.block_dim));
  std::memcpy(context.grid_dim, launch.grid, sizeof(context.grid_dim));
  std::memcpy(context.cluster_dim, launch.cluster, sizeof(context.cluster_dim));

  followsMoves = launch.module->flags & FlyCpuModuleWaits;
  const fly_cpu_kernel &kernel = *launch.kernel;
  for (uint32_t i = 0; i < launch.lanes; ++i) {
    fly_cpu_lane &lane = lanes[i].context;
    lane.slot = slots + i * launch.slotStride;
    lane.workgroup = &context;
    lane.lane = i % kernel.wave_size;
    lane.wave = i / kernel.wave_size;
    lane.thread_id[0] = i % launch.block[0];
    lane.thread_id[1] = i / launch.block[0] % launch.block[1];
    lane.thread_id[2] = i / launch.block[0] / launch.block[1];
  }
  for (uint32_t w = 0; w < launch.waves; ++w) {
    Wave &wave = waves[w];
    std::memset(&wave, 0, sizeof(wave));
    wave.first = w * kernel.wave_size;
    wave.lanes = launch.lanes - wave.first < kernel.wave_size
                     ? launch.lanes - wave.first
                     : kernel.wave_size;
    for (uint32_t l = 0; l < wave.lanes; ++l)
      wave.slots[l] = slots + (wave.first + l) * launch.slotStride;
    fly_cpu_group &group = wave.group;
    group.wave_size = kernel.wave_size;
    group.chip = launch.chip;
    group.slots = wave.slots;
    group.pool = launch.module->pool;
    group.lds = context.lds;
    group.lds_bytes = context.lds_bytes;
    group.fault = handlerFault;
    if (launch.module->flags & FlyCpuModuleHooks)
      group.access = handlerAccess;
    group.context = this;
  }
  return true;
}

void Workgroup::reset(const uint32_t blockId[3]) {
  std::memcpy(context.block_id, blockId, sizeof(context.block_id));
  const uint32_t *cluster = plan->cluster;
  uint32_t rank =
      (blockId[2] % cluster[2] * cluster[1] + blockId[1] % cluster[1]) *
          cluster[0] +
      blockId[0] % cluster[0];
  // All bits set reads as NaN or as -1: a kernel that reads LDS before it
  // writes it does not get the zeros it may have hoped for.
  std::memset(context.lds, 0xFF, context.lds_bytes);
  for (uint32_t i = 0; i < plan->lanes; ++i) {
    fly_cpu_lane &lane = lanes[i].context;
    lane.frame = frames + i * plan->frameStride;
    lane.site = FLY_CPU_SITE_ENDED;
  }
  for (uint32_t w = 0; w < plan->waves; ++w) {
    Wave &wave = waves[w];
    wave.group.cluster_size = cluster[0] * cluster[1] * cluster[2];
    wave.group.cluster_rank = rank;
    wave.live = flyCpuFullMask(wave.lanes);
    wave.exec = wave.live;
    wave.site = FLY_CPU_SITE_ENDED;
    wave.started = wave.hasEnded = wave.signalled = wave.waiting = false;
  }
  phase = 0;
  arrived = 0;
  ended = 0;
  if (followsMoves)
    moves.reset(plan->waves, context.lds_bytes);
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

/// Starts all lanes of a wave; each runs to its first site.
void Workgroup::start(Wave &wave) {
  fly_cpu_entry entry = plan->kernel->entry;
  *inLanes = true;
  for (uint32_t l = 0; l < wave.lanes; ++l) {
    fly_cpu_lane &lane = lanes[wave.first + l].context;
    wave.frames[l] = entry(&lane, plan->arguments);
  }
  *inLanes = false;
  wave.started = true;
  findGroup(wave);
}

/// Finds the lanes at the smallest site, from all live lanes.
void Workgroup::findGroup(Wave &wave) {
  uint32_t smallest = FLY_CPU_SITE_ENDED;
  uint64_t exec = 0, live = 0;
  for (uint32_t l = 0; l < wave.lanes; ++l) {
    uint64_t bit = UINT64_C(1) << l;
    if (!(wave.live & bit))
      continue;
    uint32_t site = lanes[wave.first + l].context.site;
    live |= site == FLY_CPU_SITE_ENDED ? 0 : bit;
    if (site < smallest) {
      smallest = site;
      exec = 0;
    }
    if (site == smallest)
      exec |= bit;
  }
  wave.site = smallest;
  wave.live = live;
  wave.exec = smallest == FLY_CPU_SITE_ENDED ? 0 : exec;
}

/// Resumes the group and finds the next one.
void Workgroup::resume(Wave &wave) {
  using Resume = void (*)(void *);
  if (wave.exec != flyCpuFullMask(wave.lanes)) {
    *inLanes = true;
    for (uint64_t rest = wave.exec; rest; rest &= rest - 1) {
      void *frame = wave.frames[__builtin_ctzll(rest)];
      (*static_cast<Resume *>(frame))(frame);
    }
    *inLanes = false;
    findGroup(wave);
    return;
  }
  // The usual case, all lanes together: see in passing whether they still
  // are.
  Lane *first = lanes + wave.first;
  uint32_t differ = 0;
  void *frame = wave.frames[0];
  *inLanes = true;
  (*static_cast<Resume *>(frame))(frame);
  uint32_t site = first[0].context.site;
  for (uint32_t l = 1; l < wave.lanes; ++l) {
    frame = wave.frames[l];
    (*static_cast<Resume *>(frame))(frame);
    differ |= first[l].context.site ^ site;
  }
  *inLanes = false;
  if (differ) {
    findGroup(wave);
    return;
  }
  wave.site = site;
  if (site == FLY_CPU_SITE_ENDED)
    wave.live = wave.exec = 0;
}

//===----------------------------------------------------------------------===//
// Waves
//===----------------------------------------------------------------------===//

void Workgroup::completePhase() {
  // Ended waves count as arrived.
  for (uint32_t w = 0; w < plan->waves; ++w) {
    const Wave &wave = waves[w];
    if (!wave.hasEnded && !(wave.signalled && wave.signalPhase == phase))
      return;
  }
  if (arrived == 0)
    return;
  ++phase;
  arrived = 0;
  moves.meet();
}

bool Workgroup::arrive(Wave &wave) {
  if (wave.signalled) {
    fail(wave, -1, "the wave has signalled this barrier already");
    return false;
  }
  wave.signalled = true;
  wave.signalPhase = phase;
  ++arrived;
  completePhase();
  return true;
}

void Workgroup::end(Wave &wave) {
  wave.hasEnded = true;
  ++ended;
  completePhase();
}

bool Workgroup::stepBarrier(Wave &wave, const fly_cpu_site &site) {
  if (wave.exec != wave.live) {
    // The lanes that are not here wait behind this barrier and can no longer
    // reach it in this iteration.
    uint64_t others = wave.live & ~wave.exec;
    const fly_cpu_lane &other =
        lanes[wave.first + uint32_t(__builtin_ctzll(others))].context;
    const fly_cpu_site &elsewhere = plan->kernel->sites[other.site];
    bool barrier = operations[elsewhere.handler].kind == SiteClass::Barrier;
    fail(wave, -1,
         std::string(barrier ? "two different barriers in one wave: lanes "
                             : "barrier that depends on the lane: lanes ") +
             maskText(wave.exec) + " wait here, lanes " + maskText(others) +
             " went on, to " + operationName(elsewhere.handler) + " at " +
             describeLocation(*plan->module, elsewhere.location));
    return false;
  }
  bool isSplit = site.handler == FlyCpuHandlerSBarrierSignal ||
                 site.handler == FlyCpuHandlerSBarrierWait;
  if (isSplit && site.num_immediates != 0 &&
      plan->module->pool[site.immediates] == FLY_CPU_CLUSTER_BARRIER)
    return passClusterBarrier(wave);
  switch (site.handler) {
  case FlyCpuHandlerSBarrierSignal:
    if (!arrive(wave))
      return false;
    resume(wave);
    return true;
  case FlyCpuHandlerSBarrierWait:
    if (!wave.signalled) {
      fail(wave, -1, "the wave waits for a barrier that it did not signal");
      return false;
    }
    break;
  default: // signal and wait in one
    if (!wave.waiting && !arrive(wave))
      return false;
    break;
  }
  if (phase == wave.signalPhase) {
    wave.waiting = true;
    return false;
  }
  wave.waiting = wave.signalled = false;
  resume(wave);
  return true;
}

/// The barrier of the cluster is nothing to a workgroup that has no others.
bool Workgroup::passClusterBarrier(Wave &wave) {
  uint32_t size = wave.group.cluster_size;
  if (size > 1) {
    fail(wave, -1,
         "the barrier of a cluster of " + std::to_string(size) +
             " workgroups, which the CPU target runs one after the other");
    return false;
  }
  resume(wave);
  return true;
}

bool Workgroup::step(Wave &wave) {
  if (interrupt && interrupt->load(std::memory_order_relaxed)) {
    faultText =
        describeFault(*plan, context, wave.first / plan->kernel->wave_size, -1,
                      currentLocation(), kInterruptCause);
    return false;
  }
  if (!wave.started)
    start(wave);
  if (wave.site == FLY_CPU_SITE_ENDED) {
    end(wave);
    return false;
  }
  const fly_cpu_site &site = plan->kernel->sites[wave.site];
  fly_cpu_handler handler = plan->handlers[wave.site];
  if (!handler) {
    if (operations[site.handler].kind == SiteClass::Barrier)
      return stepBarrier(wave, site);
    if (site.handler == FlyCpuHandlerWaitCounter)
      waitForMoves(wave, site);
    resume(wave);
    return true;
  }
  fly_cpu_group &group = wave.group;
  group.exec = wave.exec;
  group.live = wave.live;
  group.site = &site;
  group.location = site.location;
  group.slots = wave.slots;
  if (followsMoves)
    beginMove(wave, site);
  handler(&group);
  if (site.chained)
    serveChain(wave);
  if (!faultText.empty())
    return false;
  resume(wave);
  return true;
}

/// Serves the sites behind the first of a chain.
void Workgroup::serveChain(Wave &wave) {
  fly_cpu_group &group = wave.group;
  std::memcpy(wave.chained, wave.slots, sizeof(wave.chained));
  group.slots = wave.chained;
  while (group.site->chained && faultText.empty()) {
    uint32_t bytes = flyCpuFieldOffset(&group, group.site->num_operands +
                                                   group.site->num_results);
    for (uint32_t l = 0; l < wave.lanes; ++l)
      wave.chained[l] += bytes;
    ++group.site;
    ++wave.site;
    group.location = group.site->location;
    plan->handlers[wave.site](&group);
  }
}

bool Workgroup::runnable(const Wave &wave) const {
  return !wave.hasEnded && !(wave.waiting && phase == wave.signalPhase);
}

/// The next wave to run, by the schedule; null if none can.
Workgroup::Wave *Workgroup::pick(RandomNumbers &random) {
  uint32_t count = plan->waves;
  switch (plan->schedule.kind) {
  case Schedule::Kind::InOrder:
    for (uint32_t w = 0; w < count; ++w)
      if (runnable(waves[w]))
        return &waves[w];
    return nullptr;
  case Schedule::Kind::Reverse:
    for (uint32_t w = count; w-- > 0;)
      if (runnable(waves[w]))
        return &waves[w];
    return nullptr;
  case Schedule::Kind::Random: {
    uint32_t first = uint32_t(random.next() % count);
    for (uint32_t i = 0; i < count; ++i)
      if (Wave &wave = waves[(first + i) % count]; runnable(wave))
        return &wave;
    return nullptr;
  }
  }
  return nullptr;
}

bool Workgroup::run(const uint32_t blockId[3], uint64_t seed) {
  faultText.clear();
  reset(blockId);
  RandomNumbers random(seed);
  bool interleave = plan->schedule.kind == Schedule::Kind::Random;
  while (Wave *wave = pick(random)) {
    current = wave - waves;
    // At random a wave is interrupted after some steps, else it runs until it
    // waits or ends.
    uint64_t budget = interleave ? 1 + random.next() % 16 : UINT64_MAX;
    while (budget-- != 0 && step(*wave))
      ;
    if (!faultText.empty())
      return false;
  }
  if (ended == plan->waves)
    return true;
  faultText = describeFault(*plan, context, -1, -1, plan->kernel->location,
                            "no wave of the workgroup can go on");
  return false;
}
