// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that go from lane to lane: permutes, swaps, lane reads and votes.
// What an inactive source lane gives differs by operation and is said at each;
// where the device would deliver a register that the host does not have, the
// handler reports it instead of inventing a value.

#include "Handlers.h"

using namespace fly::cpu;

/// Reports that `lane` reads from a lane that is switched off.
static void faultInactive(fly_cpu_group &group, uint32_t lane,
                          uint32_t source) {
  fault(group, static_cast<int32_t>(lane),
        "the operation reads the register of lane " + std::to_string(source) +
            ", which is inactive");
}

// ds_bpermute(address, value): the address counts bytes; an inactive source
// gives 0.
void fly::cpu::dsBpermute(fly_cpu_group *group) {
  Field address(*group, 0), value(*group, 1), result = resultField(*group);
  forEachLane(group->exec, [&](uint32_t lane) {
    uint32_t source =
        (address.read<uint32_t>(lane) / 4) & (group->wave_size - 1);
    result.write<uint32_t>(
        lane, isActive(*group, source) ? value.read<uint32_t>(source) : 0);
  });
}

// ds_swizzle(value) with a 16-bit pattern: bit 15 set, quad permutation by
// 2-bit fields; clear, within 32 lanes ((l & and) | or) ^ xor. An inactive
// source gives 0. (AMD RDNA3 ISA, "DS_SWIZZLE_B32"; patterns from 0xc000 on
// are rotations and FFT orders.)
void fly::cpu::dsSwizzle(fly_cpu_group *group) {
  uint32_t pattern = static_cast<uint32_t>(flyCpuImmediate(group, 0)) & 0xffff;
  if (pattern >= 0xc000) {
    fault(*group, -1,
          "ds_swizzle pattern " + std::to_string(pattern) +
              " (rotation or FFT order) is not supported");
    return;
  }
  Field value(*group, 0), result = resultField(*group);
  forEachLane(group->exec, [&](uint32_t lane) {
    uint32_t source;
    if (pattern & 0x8000) {
      source = (lane & ~3u) | (pattern >> 2 * (lane & 3) & 3);
    } else {
      uint32_t inner = (((lane & 31) & pattern) | pattern >> 5) ^ pattern >> 10;
      source = (lane & ~31u) | (inner & 31);
    }
    result.write<uint32_t>(
        lane, isActive(*group, source) ? value.read<uint32_t>(source) : 0);
  });
}

/// permlane*.swap(vdst, src): odd rows (of `row` lanes) of vdst change places
/// with the even rows of src. A lane of an even row thus gets, as its new src,
/// what its partner one row above had in vdst; a lane of an odd row gets, as
/// its new vdst, what its partner one row below had in src.
static void permlaneSwap(fly_cpu_group &group, uint32_t row) {
  Field vdst(group, 0), src(group, 1);
  Field newVdst = resultField(group, 0), newSrc = resultField(group, 1);
  for (uint64_t left = group.exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    uint32_t partner = lane ^ row;
    if (!isActive(group, partner)) {
      faultInactive(group, lane, partner);
      return;
    }
    bool isOdd = lane & row;
    newVdst.write(lane, isOdd ? src.read<uint32_t>(partner)
                              : vdst.read<uint32_t>(lane));
    newSrc.write(lane, isOdd ? src.read<uint32_t>(lane)
                             : vdst.read<uint32_t>(partner));
  }
}

void fly::cpu::permlane16Swap(fly_cpu_group *group) {
  permlaneSwap(*group, 16);
}

void fly::cpu::permlane32Swap(fly_cpu_group *group) {
  permlaneSwap(*group, 32);
}

// permlanex16(old, value, select lo, select hi): each lane reads from the
// other row of its 32 lanes the lane that its 4-bit field of the 64-bit select
// names. The select is the same for the wave: the lowest lane's counts. From
// an inactive lane: its register with fi (which the host does not have), else
// 0 with bound control, else old.
void fly::cpu::permlaneX16(fly_cpu_group *group) {
  Field old(*group, 0), value(*group, 1), low(*group, 2), high(*group, 3);
  Field result = resultField(*group);
  bool fetchInactive = flyCpuImmediate(group, 0);
  bool boundControl = flyCpuImmediate(group, 1);
  uint32_t first = firstLane(*group);
  uint64_t select = static_cast<uint64_t>(high.read<uint32_t>(first)) << 32 |
                    low.read<uint32_t>(first);
  for (uint64_t left = group->exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    uint32_t source = ((lane ^ 16) & ~15u) | (select >> 4 * (lane & 15) & 15);
    if (isActive(*group, source)) {
      value.copy(source, result, lane);
    } else if (fetchInactive) {
      faultInactive(*group, lane, source);
      return;
    } else if (boundControl) {
      std::memset(result.at(lane), 0, result.size);
    } else {
      old.copy(lane, result, lane);
    }
  }
}

// readlane(value, lane): the lane number is the same for the wave: the lowest
// lane's counts.
void fly::cpu::readlane(fly_cpu_group *group) {
  Field value(*group, 0), number(*group, 1), result = resultField(*group);
  uint32_t first = firstLane(*group);
  uint32_t source = number.read<uint32_t>(first) & (group->wave_size - 1);
  if (!isActive(*group, source)) {
    faultInactive(*group, first, source);
    return;
  }
  forEachLane(group->exec,
              [&](uint32_t lane) { value.copy(source, result, lane); });
}

void fly::cpu::readfirstlane(fly_cpu_group *group) {
  Field value(*group, 0), result = resultField(*group);
  uint32_t first = firstLane(*group);
  forEachLane(group->exec,
              [&](uint32_t lane) { value.copy(first, result, lane); });
}

// ballot(predicate): a mask with the bits of the lanes whose predicate holds;
// inactive lanes give 0. The result may be narrower or wider than the wave.
void fly::cpu::ballot(fly_cpu_group *group) {
  Field predicate(*group, 0), result = resultField(*group);
  uint64_t mask = 0;
  forEachLane(group->exec, [&](uint32_t lane) {
    mask |= static_cast<uint64_t>(predicate.read<uint8_t>(lane) & 1) << lane;
  });
  // Little-endian hosts only: the low bytes come first.
  forEachLane(group->exec, [&](uint32_t lane) {
    std::memcpy(result.at(lane), &mask,
                result.size < sizeof(mask) ? result.size : sizeof(mask));
  });
}

// The scales of rocdl.cvt.scale.*: a lane takes the register of one of 16
// lanes, of the lower or of the upper half of the wave. What the device has in
// the register of an inactive lane the host does not know.
void fly::cpu::cvtScale(fly_cpu_group *group) {
  Field scale(*group, 0), result = resultField(*group);
  auto first = static_cast<uint32_t>(flyCpuImmediate(group, 0));
  for (uint64_t left = group->exec; left; left &= left - 1) {
    auto lane = static_cast<uint32_t>(__builtin_ctzll(left));
    uint32_t source = first + lane % 16;
    if (!isActive(*group, source)) {
      faultInactive(*group, lane, source);
      return;
    }
    scale.copy(source, result, lane);
  }
}
