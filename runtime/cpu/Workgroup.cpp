// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running one workgroup: which lanes go together, when a handler is called, and
// which wave is next.

#include "Arrays.h"
#include "LaneFaults.h"
#include "Wave.h"

#include <cstdlib>
#include <cstring>

using namespace fly::cpu;

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

bool Workgroup::prepare(const LaunchPlan &launch, ClusterState *state) {
  plan = &launch;
  cluster = state;
  if (cluster)
    cluster->moves.push_back(&moves);
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
    if (cluster)
      group.multicast = handlerMulticast;
    if (launch.module->flags & FlyCpuModuleHooks)
      group.access = handlerAccess;
    if (followsMoves)
      group.arrive = handlerArrive;
    group.context = this;
  }
  return true;
}

void Workgroup::reset(const uint32_t blockId[3]) {
  std::memcpy(context.block_id, blockId, sizeof(context.block_id));
  const uint32_t *dims = plan->cluster;
  rank = (blockId[2] % dims[2] * dims[1] + blockId[1] % dims[1]) * dims[0] +
         blockId[0] % dims[0];
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
    wave.group.cluster_size = plan->clusterSize;
    wave.group.cluster_rank = rank;
    wave.live = flyCpuFullMask(wave.lanes);
    wave.exec = wave.live;
    wave.site = FLY_CPU_SITE_ENDED;
    wave.started = wave.hasEnded = wave.signalled = false;
    wave.isAsleep = wave.wakes = false;
    wave.waiting = Wave::Barrier::None;
    wave.clusterWaits = wave.clusterKnown = 0;
  }
  current = -1;
  clusterSignalPhase = UINT64_MAX;
  clusterSignals = clusterArriving = clusterMet = 0;
  phase = 0;
  arrived = 0;
  ended = 0;
  asleep = 0;
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
    if (siteClass(site.handler) == SiteClass::Barrier)
      return stepBarrier(wave, site);
    if (site.handler == FlyCpuHandlerSSleep)
      return stepSleep(wave);
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
  switch (wave.waiting) {
  case Wave::Barrier::None:
    return !wave.hasEnded && !wave.isAsleep;
  case Wave::Barrier::Workgroup:
    return phase != wave.signalPhase;
  case Wave::Barrier::Cluster:
    return cluster->phase != wave.clusterWaits;
  }
  return false;
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

void Workgroup::begin(const uint32_t blockId[3]) {
  faultText.clear();
  reset(blockId);
}

bool Workgroup::isRunnable(uint32_t wave) const {
  return runnable(waves[wave]);
}

bool Workgroup::runWave(uint32_t wave, uint64_t steps) {
  current = wave;
  while (steps-- != 0 && step(waves[wave]))
    ;
  return faultText.empty();
}

/// The first time the wave falls asleep, the second it goes on.
bool Workgroup::stepSleep(Wave &wave) {
  if (wave.wakes) {
    wave.wakes = false;
    resume(wave);
    return true;
  }
  wave.isAsleep = true;
  ++asleep;
  return false;
}

bool Workgroup::wake() {
  if (asleep == 0)
    return false;
  asleep = 0;
  for (uint32_t w = 0; w < plan->waves; ++w)
    if (waves[w].isAsleep) {
      waves[w].isAsleep = false;
      waves[w].wakes = true;
    }
  return true;
}

std::string Workgroup::describeStandstill() const {
  return describeFault(*plan, context, -1, -1, plan->kernel->location,
                       "no wave of the workgroup can go on");
}

bool Workgroup::run(const uint32_t blockId[3], uint64_t seed) {
  begin(blockId);
  RandomNumbers random(seed);
  bool interleave = plan->schedule.kind == Schedule::Kind::Random;
  for (;;) {
    Wave *wave = pick(random);
    if (!wave && wake())
      continue;
    if (!wave)
      break;
    // At random a wave is interrupted after some steps, else it runs until it
    // waits or ends.
    uint64_t budget = interleave ? 1 + random.next() % 16 : UINT64_MAX;
    if (!runWave(uint32_t(wave - waves), budget))
      return false;
  }
  if (hasEnded())
    return true;
  faultText = describeStandstill();
  return false;
}
