// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The half and bfloat16 conversions that the runtime lends to objects of hosts
// without the instructions, and those of 8 bits and less of the chips.

#include "Float.h"

#include "fly_cpu_abi.h"

#include <algorithm>
#include <cmath>

float flyCpuExtendHalfToFloat(uint32_t half) {
  return fly::cpu::halfToFloat(static_cast<uint16_t>(half));
}

uint32_t flyCpuTruncateFloatToHalf(float value) {
  return fly::cpu::roundDouble(value, 10, 5);
}

uint32_t flyCpuTruncateDoubleToHalf(double value) {
  return fly::cpu::roundDouble(value, 10, 5);
}

uint32_t flyCpuTruncateFloatToBfloat(float value) {
  return fly::cpu::roundDouble(value, 7, 8);
}

uint32_t flyCpuTruncateDoubleToBfloat(double value) {
  return fly::cpu::roundDouble(value, 7, 8);
}

namespace {
/// The fields of a format, and its special codes without the sign.
struct Format {
  int bits, mantissa, bias;
  uint32_t largest;
  /// What a larger number becomes, and NaN. Of a format that has none the
  /// largest number (HIP's amd_hip_ocp_host.hpp and Composable Kernel's
  /// sat_convert_to_type, which stand in for the instructions; AMD's emulator
  /// rocjitsu has 0).
  uint32_t overflow, nan;
  /// The negative zero is the only NaN.
  bool isFnuz;
};
} // namespace

static constexpr Format formats[] = {
    {8, 3, 7, 0x7e, 0x7f, 0x7f, false},  // FlyCpuFloat8E4M3FN
    {8, 2, 15, 0x7b, 0x7c, 0x7e, false}, // FlyCpuFloat8E5M2
    {8, 3, 8, 0x7f, 0x80, 0x80, true},   // FlyCpuFloat8E4M3FNUZ
    {8, 2, 16, 0x7f, 0x80, 0x80, true},  // FlyCpuFloat8E5M2FNUZ
    {6, 3, 1, 0x1f, 0x1f, 0x1f, false},  // FlyCpuFloat6E2M3FN
    {6, 2, 3, 0x1f, 0x1f, 0x1f, false},  // FlyCpuFloat6E3M2FN
    {4, 1, 1, 0x07, 0x07, 0x07, false},  // FlyCpuFloat4E2M1FN
};

/// The matrix instructions' name of a fly_cpu_float8 of 8 bits.
static fly::cpu::Float8 formatOf(uint32_t format) {
  switch (format) {
  case FlyCpuFloat8E4M3FN:
    return fly::cpu::Float8::Ocp43;
  case FlyCpuFloat8E5M2:
    return fly::cpu::Float8::Ocp52;
  case FlyCpuFloat8E4M3FNUZ:
    return fly::cpu::Float8::Fnuz43;
  default:
    return fly::cpu::Float8::Fnuz52;
  }
}

float flyCpuExtendFloat8(uint32_t format, uint32_t bits) {
  const Format &f = formats[format];
  if (f.bits == 8)
    return fly::cpu::float8ToFloat(static_cast<uint8_t>(bits),
                                   fly::cpu::float8Decoder(formatOf(format)));
  // Neither infinity nor NaN.
  uint32_t sign = 1u << (f.bits - 1), magnitude = bits & (sign - 1);
  int exponent = static_cast<int>(magnitude >> f.mantissa);
  auto significand = static_cast<int>(magnitude & ((1u << f.mantissa) - 1)) |
                     (exponent ? 1 << f.mantissa : 0);
  float value = std::ldexp(static_cast<float>(significand),
                           std::max(exponent, 1) - f.bias - f.mantissa);
  return bits & sign ? -value : value;
}

/// The code of `value`. `round` gives a whole number for the magnitude in units
/// of the last place that its exponent, or the smallest one, has.
template <typename Round>
static uint32_t encode(const Format &f, float value, Round round) {
  uint32_t sign = std::signbit(value) ? 1u << (f.bits - 1) : 0;
  uint32_t kept = f.isFnuz ? 0 : sign; // of special values
  if (std::isnan(value))
    return kept | f.nan;
  if (std::isinf(value))
    return kept | f.overflow;
  // Both the division by a power of two and the double's range are exact.
  double magnitude = std::fabs(static_cast<double>(value));
  int exponent =
      magnitude == 0 ? 1 - f.bias : std::max(std::ilogb(magnitude), 1 - f.bias);
  double whole = round(std::ldexp(magnitude, f.mantissa - exponent));
  // The implicit bit and a carry add one to the exponent.
  int64_t bits = (static_cast<int64_t>(exponent + f.bias - 1) << f.mantissa) +
                 static_cast<int64_t>(whole);
  if (bits > f.largest)
    return kept | f.overflow;
  if (bits == 0 && f.isFnuz)
    return 0;
  return sign | static_cast<uint32_t>(bits);
}

uint32_t flyCpuTruncateToFloat8(uint32_t format, float value) {
  return encode(formats[format], value, [](double units) {
    double whole = std::floor(units), rest = units - whole;
    return rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) != 0) ? whole + 1
                                                                   : whole;
  });
}

// The upper bits of the seed, as many as f32's mantissa has below that of the
// format, are added below its last place, and the sum is truncated (AMD CDNA4
// ISA, "Convert instructions": "add a random value [...] and then truncate";
// V_CVT_SR_FP8_F32 takes S1[31:12], V_CVT_SR_BF8_F32 S1[31:11]). A carry goes
// on into the exponent, as in AMD's own code for hosts, amd_hip_ocp_host.hpp.
uint32_t flyCpuTruncateToFloat8Stochastic(uint32_t format, float value,
                                          uint32_t seed) {
  const Format &f = formats[format];
  int below = 23 - f.mantissa;
  double random = std::ldexp(static_cast<double>(seed >> (32 - below)), -below);
  // Exact: what a tiny magnitude loses in the sum carries nowhere.
  return encode(f, value,
                [&](double units) { return std::floor(units + random); });
}
