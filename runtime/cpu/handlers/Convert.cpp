// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The half and bfloat16 conversions that the runtime lends to objects of hosts
// without the instructions, and the 8-bit ones of the chips.

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

/// The matrix instructions' name of a fly_cpu_float8.
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
  return fly::cpu::float8ToFloat(static_cast<uint8_t>(bits),
                                 fly::cpu::float8Decoder(formatOf(format)));
}

uint32_t flyCpuTruncateToFloat8(uint32_t format, float value) {
  bool isE5M2 = format == FlyCpuFloat8E5M2 || format == FlyCpuFloat8E5M2FNUZ;
  bool isFnuz =
      format == FlyCpuFloat8E4M3FNUZ || format == FlyCpuFloat8E5M2FNUZ;
  uint32_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value))
    return isFnuz ? 0x80 : isE5M2 ? sign | 0x7e : sign | 0x7f;
  int mantissa = isE5M2 ? 2 : 3;
  int bias = (isE5M2 ? 15 : 7) + (isFnuz ? 1 : 0);
  // The largest number, as bits.
  uint32_t largest = isFnuz ? 0x7f : isE5M2 ? 0x7b : 0x7e;
  uint32_t overflow = isFnuz ? 0x80 : isE5M2 ? sign | 0x7c : sign | 0x7f;
  if (std::isinf(value))
    return overflow;
  // In units of the last place: an integer after rounding, ties to even. Both
  // the division by a power of two and the double's range are exact.
  double magnitude = std::fabs(static_cast<double>(value));
  int exponent =
      magnitude == 0 ? 1 - bias : std::max(std::ilogb(magnitude), 1 - bias);
  double units = std::ldexp(magnitude, mantissa - exponent);
  double whole = std::floor(units), rest = units - whole;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2) != 0))
    ++whole;
  // The implicit bit and a carry add one to the exponent.
  int64_t bits = (static_cast<int64_t>(exponent + bias - 1) << mantissa) +
                 static_cast<int64_t>(whole);
  if (bits > largest)
    return overflow;
  if (bits == 0 && isFnuz)
    return 0;
  return sign | static_cast<uint32_t>(bits);
}
