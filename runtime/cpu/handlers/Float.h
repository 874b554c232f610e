// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The small float formats of the matrix instructions, on bits: decoding to
// float, which is always exact, and encoding with one rounding. Which of the
// two 8-bit families a chip has is in Matrix.cpp.
//
// Everything here has internal linkage on purpose: the header is compiled once
// for each instruction set level, and a shared inline function would let the
// linker keep one level's code for all.

#ifndef FLY_RUNTIME_CPU_HANDLERS_FLOAT_H
#define FLY_RUNTIME_CPU_HANDLERS_FLOAT_H

#include <cstdint>
#include <cstring>

namespace fly::cpu {
namespace {

[[maybe_unused]] inline float bitsToFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

[[maybe_unused]] inline uint32_t floatToBits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// Half to float. Shifting the exponent into place leaves it 112 too small
/// (127 - 15), which a product by 2^112 repairs, for subnormals as well; the
/// branch-free form lets the compiler vectorise loops over it. A signalling
/// NaN becomes quiet, as conversion instructions do it.
[[maybe_unused]] inline float halfToFloat(uint16_t half) {
  uint32_t magnitude = (half & 0x7fffu) << 13;
  uint32_t sign = (half & 0x8000u) << 16;
  uint32_t finite = floatToBits(bitsToFloat(magnitude) * 0x1p112f);
  uint32_t special =
      magnitude | 0x7f800000u | ((half & 0x3ffu) ? 0x400000u : 0);
  return bitsToFloat(sign | ((half & 0x7c00u) == 0x7c00u ? special : finite));
}

[[maybe_unused]] inline float bfloatToFloat(uint16_t bfloat) {
  return bitsToFloat(static_cast<uint32_t>(bfloat) << 16);
}

/// Rounds a double to a format with `mantissaBits` explicit mantissa bits and
/// `exponentBits` exponent bits, to nearest, ties to even; beyond the range
/// infinity. NaN keeps its sign and upper payload and becomes quiet. Returns
/// the bits. One rounding only: float arguments are exact as double.
[[maybe_unused]] inline uint32_t roundDouble(double value, int mantissaBits,
                                             int exponentBits) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  const int bias = (1 << (exponentBits - 1)) - 1;
  const uint32_t infinity = ((1u << exponentBits) - 1) << mantissaBits;
  const uint32_t sign = static_cast<uint32_t>(bits >> 63)
                        << (mantissaBits + exponentBits);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  const int exponent = static_cast<int>((bits >> 52) & 0x7ff) - 1023;
  if (exponent == 1024) {
    if (fraction == 0)
      return sign | infinity;
    return sign | infinity | (1u << (mantissaBits - 1)) |
           static_cast<uint32_t>(fraction >> (52 - mantissaBits));
  }
  if (exponent > bias)
    return sign | infinity;
  // A double's own subnormals are below half of the smallest result.
  if (exponent < 1 - bias - mantissaBits - 1)
    return sign;
  // The significand as an integer; what is shifted out decides the rounding.
  uint64_t significand = fraction | (uint64_t{1} << 52);
  int shift = 52 - mantissaBits;
  int biased = exponent + bias;
  if (biased < 1) {
    shift += 1 - biased;
    biased = 1;
  }
  uint64_t kept = significand >> shift;
  const uint64_t lost = significand & ((uint64_t{1} << shift) - 1);
  const uint64_t tie = uint64_t{1} << (shift - 1);
  if (lost > tie || (lost == tie && (kept & 1)))
    ++kept;
  // The implicit bit adds one to the exponent field, and so does a carry; a
  // subnormal has neither.
  return sign | (static_cast<uint32_t>(biased - 1) * (1u << mantissaBits) +
                 static_cast<uint32_t>(kept));
}

[[maybe_unused]] inline uint16_t floatToHalf(float value) {
  return static_cast<uint16_t>(roundDouble(value, 10, 5));
}

[[maybe_unused]] inline uint16_t floatToBfloat(float value) {
  return static_cast<uint16_t>(roundDouble(value, 7, 8));
}

/// The 8-bit formats. OCP: E4M3 with bias 7, no infinity, NaN 0x7f and 0xff;
/// E5M2 with bias 15, infinities and NaN as IEEE. FNUZ: bias one more, no
/// infinity, no negative zero, whose bits 0x80 are the only NaN.
enum class Float8 { Ocp43, Ocp52, Fnuz43, Fnuz52 };

/// What tells the 8-bit formats apart when decoding.
struct Float8Decoder {
  /// Left shift that places the magnitude's fields in a float, and the product
  /// that then repairs the bias (as in halfToFloat).
  uint32_t shift;
  float scale;
  /// Magnitudes from here on are special: infinity at `infinity`, NaN else.
  uint32_t special, infinity;
  /// Bits that are NaN whatever the above says.
  uint32_t nan;
};

/// A value of a decoder that no 8 bits have.
constexpr uint32_t float8Never = 256;

[[maybe_unused]] inline Float8Decoder float8Decoder(Float8 format) {
  switch (format) {
  case Float8::Ocp43:
    return {20, 0x1p120f, 0x7f, float8Never, float8Never};
  case Float8::Ocp52:
    return {21, 0x1p112f, 0x7c, 0x7c, float8Never};
  case Float8::Fnuz43:
    return {20, 0x1p119f, float8Never, float8Never, 0x80};
  case Float8::Fnuz52:
    break;
  }
  return {21, 0x1p111f, float8Never, float8Never, 0x80};
}

/// Value of an 8-bit float. Free of branches, for the vectoriser.
[[maybe_unused]] inline float float8ToFloat(uint8_t bits,
                                            const Float8Decoder &decoder) {
  const uint32_t magnitude = bits & 0x7fu;
  const uint32_t sign = (bits & 0x80u) << 24;
  uint32_t value =
      floatToBits(bitsToFloat(magnitude << decoder.shift) * decoder.scale);
  uint32_t special = magnitude == decoder.infinity ? 0x7f800000u : 0x7fc00000u;
  value = magnitude >= decoder.special ? special : value;
  value = bits == decoder.nan ? 0x7fc00000u : value;
  return bitsToFloat(sign | value);
}

} // namespace
} // namespace fly::cpu

#endif // FLY_RUNTIME_CPU_HANDLERS_FLOAT_H
