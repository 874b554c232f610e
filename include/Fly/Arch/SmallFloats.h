// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the two families of 8-bit floats a chip's instructions read and
// write, and what it has for narrower ones.

#ifndef FLY_ARCH_SMALLFLOATS_H
#define FLY_ARCH_SMALLFLOATS_H

#include "Fly/Arch/Chips.h"

#include <optional>

namespace fly::arch {

/// The 8-bit floats of a chip: none, f8E4M3FNUZ and f8E5M2FNUZ, or f8E4M3FN and
/// f8E5M2. A chip that multiplies matrices of them also converts them, with
/// v_cvt_f32_fp8, v_cvt_pk_fp8_f32 and so on.
enum class Float8Family { None, Fnuz, Ocp };

/// The family of `chip` (LLVM's AMDGPU.td, FeatureFP8ConversionInsts).
constexpr Float8Family getFloat8Family(const Chip &chip) {
  if (chip.has(Feature::MfmaFp8Fnuz))
    return Float8Family::Fnuz;
  if (chip.has(Feature::MfmaFp8Ocp) || chip.has(Feature::WmmaGfx12) ||
      chip.has(Feature::WmmaGfx1250))
    return Float8Family::Ocp;
  return Float8Family::None;
}

/// The conversions of floats of 4, 6 and 8 bits that scale by a power of two:
/// none, v_cvt_scalef32_pk_* with registers of 2 or 32 numbers, or
/// v_cvt_scale_* and v_cvt_scalef32_* with 8 or 16 numbers.
enum class ScaledConversions { None, Gfx950, Gfx1250 };

/// Those of `chip` (LLVM's AMDGPU.td, FeatureFP6BF6ConversionScaleInsts and
/// FeatureFP4ConversionScaleInsts for gfx950, GFX1250's tables).
constexpr ScaledConversions getScaledConversions(const Chip &chip) {
  if (chip.has(Feature::MfmaScale))
    return ScaledConversions::Gfx950;
  if (chip.has(Feature::WmmaGfx1250))
    return ScaledConversions::Gfx1250;
  return ScaledConversions::None;
}

/// Where v_cvt_scale_* finds the scale of a lane: lane L takes a byte of the
/// register of lane `firstLane` + L % 16.
struct ScaleSelection {
  uint8_t firstLane; ///< 0 or 16
  uint8_t lowerByte; ///< of lanes 0 to 15
  uint8_t upperByte; ///< of lanes 16 to 31
};

/// What `scaleSel` selects for numbers of `bits` bits, 4, 6 or 8; nothing if no
/// source describes it.
///
/// Source: AMD's Composable Kernel (ROCm/rocm-libraries, ck_tile's
/// pk4scaled_type_convert), whose tests compare every row of its table on a
/// device, with scales that differ between bytes and halves. Second sources:
/// Triton (UpcastMXFP.cpp: 0 of 4 bits; 0 and 8 of 8 bits); HIP's header
/// amd_hip_ocp_fp.hpp, after which the first revision of the chip lacks 4 to 7
/// of 4 and 6 bits, the blocks of 16; ROCm/mori, which has measured 0 of 4
/// bits. MLIR describes the same bytes and lanes with
/// amdgpu.scaled_ext_packed_matrix, but its lowering (22.1) writes the bits of
/// the selection in reverse. AMD's emulator, rocjitsu, takes byte
/// scaleSel % 4 of the lane's own register, as no kernel above would work.
constexpr std::optional<ScaleSelection>
lookupScaleSelection(unsigned bits, unsigned scaleSel) {
  uint8_t first = scaleSel & 1 ? 16 : 0, pair = scaleSel >> 1 & 1;
  unsigned blocksOf16 = bits == 8 ? 8 : 4;
  if (scaleSel >= (bits == 8 ? 12 : 8))
    return std::nullopt;
  if (bits != 8 && (scaleSel & blocksOf16))
    return ScaleSelection{first, pair, uint8_t(pair + 2)};
  if (bits != 8 || (scaleSel & blocksOf16))
    return ScaleSelection{first, uint8_t(2 * pair), uint8_t(2 * pair + 1)};
  uint8_t byte = uint8_t(2 * pair + (scaleSel >> 2 & 1));
  return ScaleSelection{first, byte, byte};
}

} // namespace fly::arch

#endif // FLY_ARCH_SMALLFLOATS_H
