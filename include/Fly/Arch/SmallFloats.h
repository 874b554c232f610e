// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the two families of 8-bit floats a chip's instructions read and
// write, and what it has for narrower ones.

#ifndef FLY_ARCH_SMALLFLOATS_H
#define FLY_ARCH_SMALLFLOATS_H

#include "Fly/Arch/Chips.h"

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
/// none, v_cvt_scalef32_pk_* with registers of 2 or 32 numbers, or v_cvt_scale_*
/// and v_cvt_scalef32_* with 8 or 16 numbers.
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

} // namespace fly::arch

#endif // FLY_ARCH_SMALLFLOATS_H
