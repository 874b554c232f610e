// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the handlers of cross-lane operations share: reading and writing slot
// fields, walking the lanes of a group, and the functions themselves. A
// handler never looks at a slot of a lane outside its group: what lies there
// belongs to another operation.

#ifndef FLY_RUNTIME_CPU_HANDLERS_HANDLERS_H
#define FLY_RUNTIME_CPU_HANDLERS_HANDLERS_H

#include "fly_cpu_abi.h"

#include <cstring>
#include <string>

namespace fly::cpu {

/// Calls `visit(lane)` for each lane of `mask`, lowest first.
template <typename Visit>
void forEachLane(uint64_t mask, Visit visit) {
  for (; mask; mask &= mask - 1)
    visit(static_cast<uint32_t>(__builtin_ctzll(mask)));
}

inline bool isActive(const fly_cpu_group &group, uint32_t lane) {
  return lane < group.wave_size && (group.exec >> lane & 1);
}

/// Lowest lane of the group, which is never empty.
inline uint32_t firstLane(const fly_cpu_group &group) {
  return static_cast<uint32_t>(__builtin_ctzll(group.exec));
}

/// One field of the slots of a group.
struct Field {
  Field(const fly_cpu_group &group, uint32_t index)
      : slots(group.slots), offset(flyCpuFieldOffset(&group, index)),
        size(flyCpuFieldSize(&group, index)) {}

  unsigned char *at(uint32_t lane) const { return slots[lane] + offset; }

  /// The field of `lane` as a T; the field must have T's size at least.
  template <typename T>
  T read(uint32_t lane) const {
    T value;
    std::memcpy(&value, at(lane), sizeof(T));
    return value;
  }
  template <typename T>
  void write(uint32_t lane, T value) const {
    std::memcpy(at(lane), &value, sizeof(T));
  }
  /// Copies this field of `from` to the field `to` of `lane`.
  void copy(uint32_t from, const Field &to, uint32_t lane) const {
    std::memcpy(to.at(lane), at(from), to.size);
  }

  unsigned char *const *slots;
  uint32_t offset;
  uint32_t size;
};

/// The first result of a site.
inline Field resultField(const fly_cpu_group &group, uint32_t index = 0) {
  return Field(group, group.site->num_operands + index);
}

/// Keeps a fault of `lane` (-1: of the whole wave).
inline void fault(fly_cpu_group &group, int32_t lane,
                  const std::string &message) {
  group.fault(&group, lane, message.c_str());
}

/// Announces an access of `lane` (-1: of the whole wave); false, with a fault,
/// if it must not be done. `access` is a set of fly_cpu_access.
inline bool checkAccess(fly_cpu_group &group, int32_t lane, const void *address,
                        uint64_t bytes, uint32_t access) {
  return !group.access || group.access(&group, lane, address, bytes, access);
}

/// FNV-1a of `value`, behind `hash`.
inline uint64_t mixHash(uint64_t hash, uint64_t value) {
  for (int byte = 0; byte < 8; ++byte, value >>= 8)
    hash = (hash ^ (value & 0xff)) * 0x100000001b3ull;
  return hash;
}

/// Whether the chip belongs to the CDNA line (gfx9), which the first digit of
/// a three-digit number says.
inline bool isGfx9(const fly_cpu_group &group) { return group.chip < 0x1000; }

// Exchange.cpp
void dsBpermute(fly_cpu_group *group);
void dsSwizzle(fly_cpu_group *group);
void permlane16Swap(fly_cpu_group *group);
void permlane32Swap(fly_cpu_group *group);
void permlaneX16(fly_cpu_group *group);
void readlane(fly_cpu_group *group);
void readfirstlane(fly_cpu_group *group);
void ballot(fly_cpu_group *group);
void cvtScale(fly_cpu_group *group);

// Dpp.cpp
void updateDpp(fly_cpu_group *group);

// Move.cpp
void rawPtrBufferLoadLds(fly_cpu_group *group);
void globalLoadLds(fly_cpu_group *group);
void dsReadTr4(fly_cpu_group *group);
void dsReadTr8(fly_cpu_group *group);
void dsReadTr6(fly_cpu_group *group);
void dsReadTr16(fly_cpu_group *group);

// Gfx1250.cpp
void dsLoadTr8(fly_cpu_group *group);
void dsLoadTr16(fly_cpu_group *group);

// AsyncCopy.cpp: loads for a cluster among them, by the bytes of a lane.
template <uint32_t bytes>
void clusterLoad(fly_cpu_group *group);
template <uint32_t bytes>
void asyncLoad(fly_cpu_group *group);
template <uint32_t bytes>
void asyncStore(fly_cpu_group *group);
/// Whether a load for the workgroups of `mask` may be issued here; a fault if
/// not. `request` tells loads of different memory apart, `what` names the load.
bool issueMulticast(fly_cpu_group &group, int32_t lane, uint32_t mask,
                    uint64_t request, const std::string &what);

// LdsBarrier.cpp
void ldsBarrierArrive(fly_cpu_group *group);
void ldsBarrierArriveAsync(fly_cpu_group *group);
/// Arrives `count` times at the barrier at byte `address` of LDS; false at a
/// fault. `state` gets what the barrier was before.
bool arriveAtLdsBarrier(fly_cpu_group &group, int32_t lane, uint64_t address,
                        uint64_t count, fly_cpu_arrival kind, uint64_t &state);

// Tensor.cpp: of both numbers of descriptor groups.
void tensorLoad(fly_cpu_group *group);
void tensorStore(fly_cpu_group *group);

// Matrix.cpp: every operation of class Matrix; the site names the form.
void matrixOperation(fly_cpu_group *group);

} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_HANDLERS_HANDLERS_H
