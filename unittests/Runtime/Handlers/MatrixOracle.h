// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the matrix tests know by themselves: where each element of a matrix lies
// in the registers of a wave (the formulas of the instruction set manuals,
// written a second time) and what the bits of an element mean.

#ifndef FLY_UNITTESTS_RUNTIME_HANDLERS_MATRIXORACLE_H
#define FLY_UNITTESTS_RUNTIME_HANDLERS_MATRIXORACLE_H

#include "Wave.h"

#include "handlers/MatrixForm.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <memory>
#include <ostream>
#include <random>
#include <tuple>

namespace fly::cpu::test {

/// A form and a chip that has it.
struct MatrixCase {
  MatrixForm form;
  uint32_t chip;
  const char *name;
};
inline void PrintTo(const MatrixCase &test, std::ostream *os) {
  *os << test.name;
}

/// All forms, each on the first chip of its family; gfx950 has the 8-bit
/// formats of MFMA a second time.
inline std::vector<MatrixCase> matrixCases() {
  const MatrixCase rows[] = {
#define FLY_MATRIX_FORM(Operation, Family, M, N, K, A, B, Acc)                 \
  {{FlyCpuHandler##Operation, MatrixFamily::Family, M, N, K, Element::A,       \
    Element::B, Element::Acc},                                                 \
   0,                                                                          \
   #Operation " of " #Family},
#include "handlers/MatrixForms.def"
  };
  std::vector<MatrixCase> cases;
  for (MatrixCase row : rows) {
    const uint32_t chips[] = {0x942, 0x1100, 0x1201, 0x1250};
    row.chip = chips[static_cast<int>(row.form.family)];
    cases.push_back(row);
    if (row.chip == 0x942 && elementBits(row.form.a) == 8) {
      row.chip = 0x950;
      cases.push_back(row);
    }
  }
  return cases;
}

/// Column of A (row of B) of element i of a lane.
inline uint32_t inputK(const MatrixForm &form, uint32_t lane, uint32_t i) {
  switch (form.family) {
  case MatrixFamily::Mfma: {
    uint32_t elements = form.k * form.m / 64;
    return elements * (lane / form.m) + i;
  }
  case MatrixFamily::Gfx11:
    return i;
  case MatrixFamily::Gfx12:
    return form.k / 2 * (lane / 16) + i;
  case MatrixFamily::Gfx1250:
    break;
  }
  return form.a == Element::F32 ? 2 * (lane / 16) + i
                                : 16 * (i / 8) + 8 * (lane / 16) + i % 8;
}

/// Row of C and D of element i of a lane.
inline uint32_t outputRow(const MatrixForm &form, uint32_t lane, uint32_t i) {
  switch (form.family) {
  case MatrixFamily::Mfma:
    return form.m == 16 ? 4 * (lane / 16) + i
                        : 8 * (i / 4) + 4 * (lane / 32) + i % 4;
  case MatrixFamily::Gfx11:
    return 2 * i + lane / 16;
  default:
    return 8 * (lane / 16) + i;
  }
}

/// Elements that a lane holds of A (and of B), of C.
inline uint32_t inputCount(const MatrixForm &form) {
  return form.family == MatrixFamily::Mfma    ? form.m * form.k / 64
         : form.family == MatrixFamily::Gfx11 ? form.k
                                              : form.k / 2;
}
inline uint32_t outputCount(const MatrixForm &form) {
  return form.m * form.n / form.waveSize();
}

/// Value of the bits of an element; NaN for NaN.
inline double valueOf(Element element, uint32_t bits, uint32_t chip,
                      bool isSigned) {
  auto small = [&](int mantissaBits, int exponentBits, int bias) {
    int exponent = bits >> mantissaBits & ((1 << exponentBits) - 1);
    double mantissa = bits & ((1u << mantissaBits) - 1);
    double sign = bits >> (mantissaBits + exponentBits) & 1 ? -1 : 1;
    if (exponent == 0)
      return sign * std::ldexp(mantissa, 1 - bias - mantissaBits);
    return sign * std::ldexp(mantissa + (1 << mantissaBits),
                             exponent - bias - mantissaBits);
  };
  auto ieee = [&](int mantissaBits, int exponentBits, int bias) {
    uint32_t magnitude = bits & ((1u << (mantissaBits + exponentBits)) - 1);
    uint32_t infinity = ((1u << exponentBits) - 1) << mantissaBits;
    double sign = bits >> (mantissaBits + exponentBits) & 1 ? -1 : 1;
    if (magnitude > infinity)
      return std::numeric_limits<double>::quiet_NaN();
    if (magnitude == infinity)
      return sign * std::numeric_limits<double>::infinity();
    return small(mantissaBits, exponentBits, bias);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  bool isFnuz = chip == 0x942;
  switch (element) {
  case Element::F32:
    return ieee(23, 8, 127);
  case Element::F16:
    return ieee(10, 5, 15);
  case Element::Bf16:
    return ieee(7, 8, 127);
  case Element::Fp8:
    if (isFnuz ? bits == 0x80 : (bits & 0x7f) == 0x7f)
      return nan;
    return small(3, 4, isFnuz ? 8 : 7);
  case Element::Bf8:
    if (isFnuz)
      return bits == 0x80 ? nan : small(2, 5, 16);
    return ieee(2, 5, 15);
  case Element::I8:
    return isSigned ? static_cast<int8_t>(bits) : static_cast<int>(bits);
  case Element::I4:
    return isSigned && bits >= 8 ? static_cast<int>(bits) - 16
                                 : static_cast<int>(bits);
  default:
    break;
  }
  return static_cast<int32_t>(bits);
}

/// Value of the bits of an element of any format, integers with their sign.
inline double decode(Element element, uint64_t bits, uint32_t chip) {
  auto small = [&](int exponentBits, int mantissaBits) {
    int bias = (1 << (exponentBits - 1)) - 1;
    int exponent =
        static_cast<int>(bits >> mantissaBits) & ((1 << exponentBits) - 1);
    double fraction = static_cast<double>(bits & ((1u << mantissaBits) - 1)) /
                      (1 << mantissaBits);
    double sign = bits >> (exponentBits + mantissaBits) & 1 ? -1 : 1;
    return exponent ? sign * std::ldexp(1 + fraction, exponent - bias)
                    : sign * std::ldexp(fraction, 1 - bias);
  };
  switch (element) {
  case Element::F64: {
    double value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  case Element::Xf32:
    return valueOf(Element::F32, static_cast<uint32_t>(bits), chip, true);
  case Element::Fp6:
    return small(2, 3);
  case Element::Bf6:
    return small(3, 2);
  case Element::Fp4:
    return small(2, 1);
  default:
    return valueOf(element, static_cast<uint32_t>(bits), chip, true);
  }
}

/// The bits of a number that the element's format has.
inline uint64_t encode(Element element, double value, uint32_t chip) {
  if (element == Element::F64) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
  }
  if (element == Element::F32 || element == Element::Xf32) {
    auto number = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits;
  }
  if (element == Element::I32)
    return static_cast<uint32_t>(static_cast<int32_t>(value));
  static std::map<std::tuple<Element, double, uint32_t>, uint64_t> known;
  auto [entry, isNew] = known.try_emplace({element, value, chip}, ~0ull);
  if (isNew)
    for (uint64_t bits = 0; bits < 1ull << elementBits(element); ++bits)
      if (decode(element, bits, chip) == value &&
          std::signbit(decode(element, bits, chip)) == std::signbit(value)) {
        entry->second = bits;
        break;
      }
  EXPECT_NE(entry->second, ~0ull) << value << " is no element";
  return entry->second;
}

/// A small whole number as bits of an element of up to 32 bits.
inline uint32_t bitsOf(Element element, int value, uint32_t chip) {
  return static_cast<uint32_t>(encode(element, value, chip));
}

/// Bytes of `count` elements.
inline int32_t bytesOf(uint32_t count, Element element) {
  return static_cast<int32_t>(count * elementBits(element) / 8);
}

/// A dense matrix of element bits.
struct Matrix {
  Matrix(uint32_t rows, uint32_t columns)
      : columns(columns), bits(rows * columns) {}
  uint32_t &at(uint32_t row, uint32_t column) {
    return bits[row * columns + column];
  }
  uint32_t columns;
  std::vector<uint32_t> bits;
};

/// Writes element `index` of `width` bits of little-endian registers.
inline void setElement(unsigned char *registers, uint32_t index, uint32_t width,
                       uint64_t bits) {
  for (uint32_t j = 0; j < width; ++j) {
    uint32_t position = index * width + j;
    auto mask = static_cast<unsigned char>(1u << position % 8);
    if (bits >> j & 1)
      registers[position / 8] |= mask;
    else
      registers[position / 8] &= static_cast<unsigned char>(~mask);
  }
}

/// Reads element `index` of `width` bits, at least 16.
inline uint32_t getElement(const unsigned char *registers, uint32_t index,
                           uint32_t width) {
  uint32_t bits = 0;
  std::memcpy(&bits, registers + index * width / 8, width / 8);
  return bits;
}

/// Immediates of a form in the order of fly_cpu_handlers.def.
inline std::vector<int32_t> immediatesOf(const MatrixForm &form, bool isSignedA,
                                         bool isSignedB, bool clamp,
                                         int32_t modC) {
  if (form.family == MatrixFamily::Mfma)
    return {0, 0, 0};
  if (form.isInteger() && form.family == MatrixFamily::Gfx1250)
    return {isSignedA, isSignedB, 0, 0, clamp};
  if (form.isInteger())
    return {isSignedA, isSignedB, clamp};
  // The packed results of gfx12 have an operand half, which is 0.
  if (form.family == MatrixFamily::Gfx12 && form.acc != Element::F32)
    return {0};
  if (form.family != MatrixFamily::Gfx1250)
    return {};
  if (elementBits(form.a) == 8)
    return {modC, 0, 0};
  return {0, 0, modC, 0, 0};
}

/// The wave that holds A (m x k), B (k x n) and C (m x n).
inline std::unique_ptr<Wave> loadWave(const MatrixCase &test, Matrix &a,
                                      Matrix &b, Matrix &c,
                                      std::vector<int32_t> immediates) {
  const MatrixForm &form = test.form;
  uint32_t inputs = inputCount(form), outputs = outputCount(form);
  int32_t accBytes = bytesOf(outputs, form.acc);
  auto wave = std::make_unique<Wave>(
      form.handler, test.chip, form.waveSize(),
      std::vector<int32_t>{bytesOf(inputs, form.a), bytesOf(inputs, form.b),
                           accBytes},
      std::vector<int32_t>{accBytes}, std::move(immediates));
  for (uint32_t lane = 0; lane < form.waveSize(); ++lane) {
    for (uint32_t i = 0; i < inputs; ++i) {
      uint32_t k = inputK(form, lane, i);
      setElement(wave->at(lane, 0), i, elementBits(form.a),
                 a.at(lane % form.m, k));
      setElement(wave->at(lane, 1), i, elementBits(form.b),
                 b.at(k, lane % form.n));
    }
    for (uint32_t i = 0; i < outputs; ++i)
      setElement(wave->at(lane, 2), i, elementBits(form.acc),
                 c.at(outputRow(form, lane, i), lane % form.n));
  }
  return wave;
}

/// The result of the wave as a matrix.
inline Matrix storeWave(const MatrixCase &test, Wave &wave) {
  const MatrixForm &form = test.form;
  Matrix d(form.m, form.n);
  for (uint32_t lane = 0; lane < form.waveSize(); ++lane)
    for (uint32_t i = 0; i < outputCount(form); ++i)
      d.at(outputRow(form, lane, i), lane % form.n) =
          getElement(wave.at(lane, 3), i, elementBits(form.acc));
  return d;
}

/// Random bits; of a float none that is special or far from 1.
inline Matrix randomMatrix(uint32_t rows, uint32_t columns, Element element,
                           uint32_t chip, std::mt19937 &random) {
  Matrix matrix(rows, columns);
  uint32_t width = elementBits(element);
  bool isFloat = element != Element::I8 && element != Element::I4 &&
                 element != Element::I32;
  for (uint32_t &bits : matrix.bits)
    for (;;) {
      bits = width == 32 ? random() : random() & ((1u << width) - 1);
      double value = std::abs(valueOf(element, bits, chip, true));
      if (!isFloat || (value > 0.0078125 && value < 64))
        break;
    }
  return matrix;
}

} // namespace fly::cpu::test

#endif // FLY_UNITTESTS_RUNTIME_HANDLERS_MATRIXORACLE_H
