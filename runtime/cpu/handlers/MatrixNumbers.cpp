// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes single elements.

#include "MatrixNumbers.h"

#include <cmath>

using namespace fly::cpu;

/// Bits [first, first + width) of a little-endian register, width up to 8.
static uint32_t readBits(const unsigned char *registers, uint32_t first,
                         uint32_t width) {
  uint32_t shift = first % 8;
  uint32_t bits = registers[first / 8];
  if (shift + width > 8)
    bits |= static_cast<uint32_t>(registers[first / 8 + 1]) << 8;
  return bits >> shift & ((1u << width) - 1);
}

/// A float of a sign, `exponentBits` and `mantissaBits` without infinity and
/// NaN (OCP Microscaling Formats specification, sections 5.3.2 and 5.3.3).
static double smallFloat(uint32_t bits, int exponentBits, int mantissaBits) {
  int bias = (1 << (exponentBits - 1)) - 1;
  int exponent =
      static_cast<int>(bits >> mantissaBits & ((1u << exponentBits) - 1));
  int mantissa = static_cast<int>(bits & ((1u << mantissaBits) - 1));
  double magnitude = exponent == 0
                         ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                         : std::ldexp(mantissa + (1 << mantissaBits),
                                      exponent - bias - mantissaBits);
  return bits >> (exponentBits + mantissaBits) & 1 ? -magnitude : magnitude;
}

template <typename T>
static T readAs(const unsigned char *registers, uint32_t index) {
  T value;
  std::memcpy(&value, registers + index * sizeof(T), sizeof(T));
  return value;
}

double fly::cpu::readElement(const unsigned char *registers, uint32_t i,
                             Element element, uint32_t chip, bool isSigned) {
  switch (element) {
  case Element::F64:
    return readAs<double>(registers, i);
  case Element::F32:
  case Element::Xf32:
    return readAs<float>(registers, i);
  case Element::F16:
    return halfToFloat(readAs<uint16_t>(registers, i));
  case Element::Bf16:
    return bfloatToFloat(readAs<uint16_t>(registers, i));
  case Element::I32:
    return readAs<int32_t>(registers, i);
  case Element::I8:
    return isSigned ? readAs<int8_t>(registers, i)
                    : readAs<uint8_t>(registers, i);
  case Element::I4: {
    uint32_t bits = readBits(registers, 4 * i, 4);
    return isSigned && bits >= 8 ? static_cast<int>(bits) - 16
                                 : static_cast<int>(bits);
  }
  case Element::Fp6:
    return smallFloat(readBits(registers, 6 * i, 6), 2, 3);
  case Element::Bf6:
    return smallFloat(readBits(registers, 6 * i, 6), 3, 2);
  case Element::Fp4:
    return smallFloat(readBits(registers, 4 * i, 4), 2, 1);
  default:
    return float8ToFloat(registers[i], float8Decoder(float8Format(
                                           chip, element == Element::Bf8)));
  }
}

void fly::cpu::storeElement(unsigned char *registers, uint32_t i,
                            Element element, double value) {
  auto store = [&](auto bits) {
    std::memcpy(registers + i * sizeof(bits), &bits, sizeof(bits));
  };
  switch (element) {
  case Element::F64:
    return store(value);
  case Element::F16:
    return store(static_cast<uint16_t>(roundDouble(value, 10, 5)));
  case Element::Bf16:
    return store(static_cast<uint16_t>(roundDouble(value, 7, 8)));
  case Element::I32:
    return store(static_cast<uint32_t>(static_cast<int64_t>(value)));
  default:
    return store(floatToBits(static_cast<float>(value)));
  }
}
