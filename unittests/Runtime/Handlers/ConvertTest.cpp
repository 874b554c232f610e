// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of the small float formats against values that the test computes
// with ldexp, over all bit patterns, and the rounding at its edges.

#include "handlers/Float.h"

#include "fly_cpu_abi.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <tuple>

using namespace fly::cpu;

/// Value of an IEEE-like format by its definition; NaN has no value here.
static double decode(uint32_t bits, int mantissaBits, int exponentBits,
                     int bias) {
  int exponent = bits >> mantissaBits & ((1 << exponentBits) - 1);
  double mantissa = bits & ((1u << mantissaBits) - 1);
  double sign = bits >> (mantissaBits + exponentBits) & 1 ? -1 : 1;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - bias - mantissaBits);
  return sign * std::ldexp(mantissa + (1 << mantissaBits),
                           exponent - bias - mantissaBits);
}

TEST(Convert, EveryHalf) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = flyCpuExtendHalfToFloat(bits);
    if ((bits & 0x7c00) == 0x7c00) {
      if (bits & 0x3ff)
        EXPECT_TRUE(std::isnan(value));
      else
        EXPECT_EQ(value, bits & 0x8000 ? -INFINITY : INFINITY);
    } else {
      EXPECT_EQ(value, decode(bits, 10, 5, 15)) << bits;
    }
    EXPECT_EQ(std::signbit(value), (bits & 0x8000) != 0);
    // A value of the format converts back to its bits; NaN becomes quiet.
    bool isNan = (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff);
    EXPECT_EQ(flyCpuTruncateFloatToHalf(value), isNan ? bits | 0x200 : bits);
    EXPECT_EQ(flyCpuTruncateDoubleToHalf(static_cast<double>(value)),
              isNan ? bits | 0x200 : bits);
  }
}

TEST(Convert, EveryBfloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float value = bfloatToFloat(static_cast<uint16_t>(bits));
    bool isNan = (bits & 0x7f80) == 0x7f80 && (bits & 0x7f);
    if ((bits & 0x7f80) != 0x7f80)
      EXPECT_EQ(value, decode(bits, 7, 8, 127));
    EXPECT_EQ(flyCpuTruncateFloatToBfloat(value), isNan ? bits | 0x40 : bits);
    EXPECT_EQ(flyCpuTruncateDoubleToBfloat(static_cast<double>(value)),
              isNan ? bits | 0x40 : bits);
  }
}

/// Between two neighbours of a format: below, at and above the middle.
template <typename Truncate>
static void checkRounding(uint32_t limit, int mantissaBits, int exponentBits,
                          int bias, Truncate truncate) {
  for (uint32_t bits = 0; bits + 1 <= limit; ++bits) {
    double low = decode(bits, mantissaBits, exponentBits, bias);
    double high = decode(bits + 1, mantissaBits, exponentBits, bias);
    double middle = (low + high) / 2;
    uint32_t even = bits & 1 ? bits + 1 : bits;
    EXPECT_EQ(truncate(middle), even) << bits;
    EXPECT_EQ(truncate(std::nextafter(middle, 0)), bits);
    EXPECT_EQ(truncate(std::nextafter(middle, INFINITY)), bits + 1);
    EXPECT_EQ(truncate(-middle), even | 1u << (mantissaBits + exponentBits));
  }
}

TEST(Convert, HalfRoundsToNearestEvenOnce) {
  // 0x7c00 is infinity, whose place is one step above the largest value.
  checkRounding(0x7c00, 10, 5, 15,
                [](double value) { return flyCpuTruncateDoubleToHalf(value); });
  EXPECT_EQ(flyCpuTruncateFloatToHalf(65519.0f), 0x7bffu);
  EXPECT_EQ(flyCpuTruncateFloatToHalf(65520.0f), 0x7c00u);
  EXPECT_EQ(flyCpuTruncateFloatToHalf(1e30f), 0x7c00u);
  EXPECT_EQ(flyCpuTruncateFloatToHalf(-1e-30f), 0x8000u);
}

TEST(Convert, BfloatRoundsToNearestEvenOnce) {
  checkRounding(0x7f80, 7, 8, 127, [](double value) {
    return flyCpuTruncateDoubleToBfloat(value);
  });
  EXPECT_EQ(flyCpuTruncateFloatToBfloat(std::numeric_limits<float>::max()),
            0x7f80u);
  EXPECT_EQ(
      flyCpuTruncateFloatToBfloat(std::numeric_limits<float>::denorm_min()),
      0u);
}

#if defined(__FLT16_MAX__) && defined(__F16C__)
TEST(Convert, HalfAgreesWithTheHost) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000000; ++i) {
    float value = bitsToFloat(random());
    _Float16 host = static_cast<_Float16>(value);
    uint16_t bits;
    std::memcpy(&bits, &host, sizeof(bits));
    ASSERT_EQ(flyCpuTruncateFloatToHalf(value), bits) << value;
  }
}
#endif

TEST(Convert, EveryFloat8) {
  struct {
    Float8 format;
    int mantissaBits, bias;
    bool isFnuz;
  } formats[] = {{Float8::Ocp43, 3, 7, false},
                 {Float8::Ocp52, 2, 15, false},
                 {Float8::Fnuz43, 3, 8, true},
                 {Float8::Fnuz52, 2, 16, true}};
  for (auto format : formats)
    for (uint32_t bits = 0; bits < 256; ++bits) {
      float value = float8ToFloat(static_cast<uint8_t>(bits),
                                  float8Decoder(format.format));
      bool isNan = format.isFnuz              ? bits == 0x80
                   : format.mantissaBits == 3 ? (bits & 0x7f) == 0x7f
                                              : (bits & 0x7f) > 0x7c;
      bool isInf =
          !format.isFnuz && format.mantissaBits == 2 && (bits & 0x7f) == 0x7c;
      if (isNan)
        EXPECT_TRUE(std::isnan(value)) << bits;
      else if (isInf)
        EXPECT_EQ(value, bits & 0x80 ? -INFINITY : INFINITY);
      else
        EXPECT_EQ(value, decode(bits, format.mantissaBits,
                                7 - format.mantissaBits, format.bias))
            << bits;
    }
  // The largest values that the manuals name.
  EXPECT_EQ(float8ToFloat(0x7e, float8Decoder(Float8::Ocp43)), 448.0f);
  EXPECT_EQ(float8ToFloat(0x7f, float8Decoder(Float8::Fnuz43)), 240.0f);
  EXPECT_EQ(float8ToFloat(0x7b, float8Decoder(Float8::Ocp52)), 57344.0f);
  EXPECT_EQ(float8ToFloat(0x7f, float8Decoder(Float8::Fnuz52)), 57344.0f);
}

TEST(Convert, EverySmallFloat) {
  struct {
    uint32_t format;
    int mantissaBits, exponentBits, bias;
  } formats[] = {{FlyCpuFloat6E2M3FN, 3, 2, 1},
                 {FlyCpuFloat6E3M2FN, 2, 3, 3},
                 {FlyCpuFloat4E2M1FN, 1, 2, 1}};
  for (auto f : formats) {
    uint32_t sign = 1u << (f.mantissaBits + f.exponentBits);
    auto valueOf = [&](uint32_t bits) {
      return decode(bits, f.mantissaBits, f.exponentBits, f.bias);
    };
    for (uint32_t bits = 0; bits < 2 * sign; ++bits) {
      // Higher bits do not count.
      float value = flyCpuExtendFloat8(f.format, bits | 0xab00);
      EXPECT_EQ(value, valueOf(bits)) << bits;
      EXPECT_EQ(std::signbit(value), (bits & sign) != 0);
      EXPECT_EQ(flyCpuTruncateToFloat8(f.format, value), bits);
      if ((bits & (sign - 1)) == sign - 1)
        continue;
      // The tie to the next one goes to the even one; beside it, to the nearer.
      auto tie = static_cast<float>((valueOf(bits) + valueOf(bits + 1)) / 2);
      uint32_t even = bits % 2 == 0 ? bits : bits + 1;
      EXPECT_EQ(flyCpuTruncateToFloat8(f.format, tie), even) << bits;
      EXPECT_EQ(flyCpuTruncateToFloat8(f.format, std::nextafter(tie, 0.0f)),
                bits);
      EXPECT_EQ(flyCpuTruncateToFloat8(f.format, std::nextafter(tie, 2 * tie)),
                bits + 1);
    }
    // Too large is the largest number, and so is NaN.
    for (float large : {1e3f, INFINITY, NAN}) {
      EXPECT_EQ(flyCpuTruncateToFloat8(f.format, large), sign - 1);
      EXPECT_EQ(flyCpuTruncateToFloat8(f.format, -large), 2 * sign - 1);
    }
    EXPECT_EQ(flyCpuTruncateToFloat8(f.format, 1e-40f), 0u);
  }
}

// The seed's upper bits, as many as f32 has below the format's mantissa, are a
// fraction of the last place: a number goes up if they fill what it lacks.
TEST(Convert, StochasticRounding) {
  struct {
    uint32_t format;
    int mantissaBits, smallestExponent;
    uint32_t one; // its code
  } formats[] = {
      {FlyCpuFloat8E4M3FN, 3, -6, 0x38},   {FlyCpuFloat8E5M2, 2, -14, 0x3c},
      {FlyCpuFloat8E4M3FNUZ, 3, -7, 0x40}, {FlyCpuFloat8E5M2FNUZ, 2, -15, 0x40},
      {FlyCpuFloat6E2M3FN, 3, 0, 0x08},    {FlyCpuFloat6E3M2FN, 2, -2, 0x0c},
      {FlyCpuFloat4E2M1FN, 1, 0, 0x02}};
  for (auto f : formats) {
    auto truncate = [&](double value, uint32_t seed) {
      return flyCpuTruncateToFloat8Stochastic(f.format,
                                              static_cast<float>(value), seed);
    };
    int bits = 23 - f.mantissaBits;
    // A quarter of a place above 1, and of the smallest number.
    uint32_t least = 0xc0000000u;
    double place = std::ldexp(1.0, -f.mantissaBits);
    double smallest = std::ldexp(place, f.smallestExponent);
    for (auto [number, unit, code] :
         {std::tuple(1.0, place, f.one), std::tuple(smallest, smallest, 1u)}) {
      double value = number + unit / 4;
      EXPECT_EQ(truncate(value, 0), code);
      EXPECT_EQ(truncate(value, least - 1), code);
      EXPECT_EQ(truncate(value, least), code + 1);
      EXPECT_EQ(truncate(number, 0xffffffff), code);
    }
    // The last bit of the fraction counts, those below it do not.
    double nearly = 1 + place * (1 - std::ldexp(1.0, -bits));
    uint32_t last = 1u << (32 - bits);
    EXPECT_EQ(truncate(nearly, last - 1), f.one);
    EXPECT_EQ(truncate(nearly, last), f.one + 1);
    // A carry from all ones goes on into the exponent.
    EXPECT_EQ(truncate(2 - place / 2, 0x80000000u),
              f.one + (1u << f.mantissaBits));
    EXPECT_EQ(truncate(2 - place / 2, 0x7fffffff),
              f.one + (1u << f.mantissaBits) - 1);
    EXPECT_EQ(truncate(std::ldexp(smallest, -60), 0xffffffff), 0u);
    for (double special : {HUGE_VAL, -HUGE_VAL, std::nan("")})
      EXPECT_EQ(truncate(special, 0x12345678),
                flyCpuTruncateToFloat8(f.format, static_cast<float>(special)));
  }
  // 450 is between 448 and what overflows, 480.
  EXPECT_EQ(flyCpuTruncateToFloat8Stochastic(FlyCpuFloat8E4M3FN, 450, 0),
            0x7eu);
  EXPECT_EQ(flyCpuTruncateToFloat8Stochastic(FlyCpuFloat8E4M3FN, 450, ~0u),
            0x7fu);
}
