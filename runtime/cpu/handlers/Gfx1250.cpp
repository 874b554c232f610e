// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposing reads of LDS of gfx1250, over the 32 lanes: lane l gets element l
// % 8 of what each of eight lanes read. Of 16-bit elements the eight are those
// of its own group; of bytes they are two runs of four, lanes 0-3 and 8-11 for
// lanes 0-7. (Triton's description of ds_load_tr8_b64 and ds_load_tr16_b128 for
// gfx1250, and its lowering; the addresses of AMD's TensileLite,
// LraTileAssignment.py, whose lanes get consecutive k by this map.)

#include "Handlers.h"

using namespace fly::cpu;

/// The lane whose read gives element `element` of `lane`.
static uint32_t sourceLane(uint32_t lane, uint32_t element, bool isByte) {
  if (!isByte)
    return (lane & ~7u) | element;
  return (lane & 16) | (element & 4) << 1 | (lane & 8) >> 1 | (element & 3);
}

static void loadTransposed(fly_cpu_group &group, uint32_t bytes) {
  Field address(group, 0), result = resultField(group);
  uint32_t size = 8 * bytes;
  if (group.exec != flyCpuFullMask(group.wave_size)) {
    fault(group, -1, "a transposing read of LDS needs all lanes of the wave");
    return;
  }
  const unsigned char *sources[FLY_CPU_MAX_WAVE];
  for (uint32_t lane = 0; lane < group.wave_size; ++lane) {
    uint32_t from = address.read<uint32_t>(lane);
    bool isInside = static_cast<uint64_t>(from) + size <= group.lds_bytes;
    if (!isInside || from % size) {
      fault(group, static_cast<int32_t>(lane),
            "a transposing read of LDS at byte " + std::to_string(from) +
                (isInside ? " needs an address that is a multiple of " +
                                std::to_string(size)
                          : " is outside of the workgroup's " +
                                std::to_string(group.lds_bytes) + " bytes"));
      return;
    }
    sources[lane] = group.lds + from;
    if (!checkAccess(group, static_cast<int32_t>(lane), sources[lane], size,
                     FlyCpuAccessRead | FlyCpuAccessLds))
      return;
  }
  for (uint32_t lane = 0; lane < group.wave_size; ++lane)
    for (uint32_t element = 0; element < 8; ++element)
      std::memcpy(result.at(lane) + element * bytes,
                  sources[sourceLane(lane, element, bytes == 1)] +
                      lane % 8 * bytes,
                  bytes);
}

void fly::cpu::dsLoadTr8(fly_cpu_group *group) { loadTransposed(*group, 1); }
void fly::cpu::dsLoadTr16(fly_cpu_group *group) { loadTransposed(*group, 2); }
