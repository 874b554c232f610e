// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wave of lanes that wait at one site, built by a test: it lays the slots out
// as an object's table says, runs the handler and keeps its fault.

#ifndef FLY_UNITTESTS_RUNTIME_HANDLERS_WAVE_H
#define FLY_UNITTESTS_RUNTIME_HANDLERS_WAVE_H

#include "fly_cpu_abi.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace fly::cpu::test {

class Wave {
public:
  /// `sizes` are the bytes of the operands and then of the results.
  Wave(uint32_t handler, uint32_t chip, uint32_t waveSize,
       std::vector<int32_t> operandSizes, std::vector<int32_t> resultSizes,
       std::vector<int32_t> immediates = {}) {
    site.handler = handler;
    site.num_operands = static_cast<uint32_t>(operandSizes.size());
    site.num_results = static_cast<uint32_t>(resultSizes.size());
    pool = std::move(operandSizes);
    pool.insert(pool.end(), resultSizes.begin(), resultSizes.end());
    site.immediates = static_cast<uint32_t>(pool.size());
    site.num_immediates = static_cast<uint32_t>(immediates.size());
    pool.insert(pool.end(), immediates.begin(), immediates.end());

    group.wave_size = waveSize;
    group.chip = chip;
    group.exec = group.live = flyCpuFullMask(waveSize);
    group.site = &site;
    group.pool = pool.data();
    group.context = this;
    group.fault = [](fly_cpu_group *group, int32_t lane, const char *message) {
      auto *self = static_cast<Wave *>(group->context);
      if (self->fault.empty()) {
        self->faultLane = lane;
        self->fault = message;
      }
    };
    uint32_t bytes =
        flyCpuFieldOffset(&group, site.num_operands + site.num_results);
    for (uint32_t lane = 0; lane < waveSize; ++lane) {
      // Results start as 0xcd, so that an unwritten one shows.
      storage.emplace_back(bytes, static_cast<unsigned char>(0xcd));
      slots.push_back(storage.back().data());
    }
    group.slots = slots.data();
  }
  Wave(const Wave &) = delete;

  template <typename T>
  void set(uint32_t lane, uint32_t field, T value) {
    std::memcpy(at(lane, field), &value, sizeof(T));
  }
  template <typename T>
  T get(uint32_t lane, uint32_t field) {
    T value;
    std::memcpy(&value, at(lane, field), sizeof(T));
    return value;
  }
  /// Result 0 of a lane.
  template <typename T = uint32_t>
  T result(uint32_t lane) {
    return get<T>(lane, site.num_operands);
  }
  unsigned char *at(uint32_t lane, uint32_t field) {
    return slots[lane] + flyCpuFieldOffset(&group, field);
  }
  bool isActive(uint32_t lane) const { return group.exec >> lane & 1; }

  /// Runs the handler; returns the fault, which is empty if there was none.
  const std::string &run() {
    fault.clear();
    faultLane = -2;
    flyCpuGetHandler(site.handler)(&group);
    return fault;
  }

  /// One access that the handler announced; `offset` is that from `origin`.
  struct Access {
    int32_t lane;
    int64_t offset;
    uint64_t bytes;
    uint32_t kind;
    bool operator==(const Access &other) const {
      return lane == other.lane && offset == other.offset &&
             bytes == other.bytes && kind == other.kind;
    }
  };

  /// Keeps the accesses of kinds with `flag` from now on, as a module with
  /// memory hooks does. Number `refused` of them is not allowed.
  void keepAccesses(uint32_t flag, const void *from,
                    size_t refused = SIZE_MAX) {
    kept = flag;
    origin = static_cast<const unsigned char *>(from);
    refusedAccess = refused;
    group.access = [](fly_cpu_group *group, int32_t lane, const void *address,
                      uint64_t bytes, uint32_t access) {
      auto *self = static_cast<Wave *>(group->context);
      if (!(access & self->kept))
        return 1;
      const auto *byte = static_cast<const unsigned char *>(address);
      self->accesses.push_back({lane, byte - self->origin, bytes, access});
      return self->accesses.size() - 1 == self->refusedAccess ? 0 : 1;
    };
  }

  std::vector<Access> accesses;
  uint32_t kept = 0;
  const unsigned char *origin = nullptr;
  size_t refusedAccess = SIZE_MAX;
  fly_cpu_site site = {};
  fly_cpu_group group = {};
  std::vector<int32_t> pool;
  std::vector<std::vector<unsigned char>> storage;
  std::vector<unsigned char *> slots;
  std::string fault;
  int32_t faultLane = -2;
};

/// What a result holds that no handler wrote.
constexpr uint32_t untouched = 0xcdcdcdcd;

} // namespace fly::cpu::test

#endif // FLY_UNITTESTS_RUNTIME_HANDLERS_WAVE_H
