// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// update.dpp: data-parallel primitives, which move values within rows of 16
// lanes or along the wave by a 9-bit control. (AMD "Instinct MI300" ISA and
// RDNA3 ISA, chapters "DPP"; LLVM's AMDGPU::DPP::DppCtrl has the numbers.)

#include "Handlers.h"

using namespace fly::cpu;

namespace {
/// Where a lane reads from.
struct DppSource {
  /// A lane of the wave, or -1: outside of the row or wave.
  int32_t lane;
  /// Whether the control shifts by a broadcast that leaves this lane alone.
  bool keepsOld = false;
};
} // namespace

/// Whether the chip has the control.
static bool isSupported(const fly_cpu_group &group, uint32_t ctrl) {
  if (ctrl <= 0xff)
    return true;
  if ((ctrl >= 0x101 && ctrl <= 0x10f) || (ctrl >= 0x111 && ctrl <= 0x11f) ||
      (ctrl >= 0x121 && ctrl <= 0x12f) || ctrl == 0x140 || ctrl == 0x141)
    return true;
  if (isGfx9(group)) {
    if (ctrl == 0x130 || ctrl == 0x134 || ctrl == 0x138 || ctrl == 0x13c ||
        ctrl == 0x142 || ctrl == 0x143)
      return true;
    // row_newbcast, from gfx90a on, has the numbers of row_share.
    return group.chip >= 0x90a && ctrl >= 0x150 && ctrl <= 0x15f;
  }
  return ctrl >= 0x150 && ctrl <= 0x16f;
}

/// The source of `lane`; `ctrl` is supported.
static DppSource findSource(uint32_t ctrl, int32_t lane, int32_t waveSize) {
  const int32_t row = lane & ~15, inner = lane & 15;
  const int32_t count = static_cast<int32_t>(ctrl & 15);
  auto inRow = [&](int32_t position) {
    return DppSource{position >= 0 && position < 16 ? row + position : -1};
  };
  if (ctrl <= 0xff)
    return {(lane & ~3) | static_cast<int32_t>(ctrl >> 2 * (lane & 3) & 3)};
  switch (ctrl & 0x1f0) {
  case 0x100: // row_shl
    return inRow(inner + count);
  case 0x110: // row_shr
    return inRow(inner - count);
  case 0x120: // row_ror
    return inRow((inner - count) & 15);
  case 0x150: // row_share
    return inRow(count);
  case 0x160: // row_xmask
    return inRow(inner ^ count);
  default:
    break;
  }
  switch (ctrl) {
  case 0x130: // wave_shl:1
    return {lane + 1 < waveSize ? lane + 1 : -1};
  case 0x134: // wave_rol:1
    return {(lane + 1) % waveSize};
  case 0x138: // wave_shr:1
    return {lane - 1};
  case 0x13c: // wave_ror:1
    return {(lane + waveSize - 1) % waveSize};
  case 0x140: // row_mirror
    return inRow(15 - inner);
  case 0x141: // row_half_mirror
    return inRow(inner ^ 7);
  case 0x142: // row_bcast:15: lane 15 of each row to the next row
    return {row - 1, row == 0};
  default: // row_bcast:31: lane 31 to the upper half of the wave
    return {31, lane < 32};
  }
}

// A lane whose row or bank is masked out keeps old. A source outside of the
// row, or inactive, gives 0 with bound control, else old.
void fly::cpu::updateDpp(fly_cpu_group *group) {
  Field old(*group, 0), value(*group, 1), result = resultField(*group);
  auto ctrl = static_cast<uint32_t>(flyCpuImmediate(group, 0));
  auto rowMask = static_cast<uint32_t>(flyCpuImmediate(group, 1));
  auto bankMask = static_cast<uint32_t>(flyCpuImmediate(group, 2));
  bool boundControl = flyCpuImmediate(group, 3);
  if (!isSupported(*group, ctrl)) {
    fault(*group, -1, "the chip has no DPP control " + std::to_string(ctrl));
    return;
  }
  forEachLane(group->exec, [&](uint32_t lane) {
    DppSource source = findSource(ctrl, static_cast<int32_t>(lane),
                                  static_cast<int32_t>(group->wave_size));
    bool isEnabled = (rowMask >> (lane >> 4) & 1) &&
                     (bankMask >> (lane >> 2 & 3) & 1) && !source.keepsOld;
    if (!isEnabled)
      old.copy(lane, result, lane);
    else if (source.lane >= 0 &&
             isActive(*group, static_cast<uint32_t>(source.lane)))
      value.copy(static_cast<uint32_t>(source.lane), result, lane);
    else if (boundControl)
      std::memset(result.at(lane), 0, result.size);
    else
      old.copy(lane, result, lane);
  });
}
