// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix operations of several blocks, of f64 and short f32 and with block
// scales, by value: lane maps at places copied from AMD's tables, unit vectors
// against numbered entries, random values against double precision, the small
// formats, special values, modifiers and refusals. Elsewhere the maps are held
// against those of lib/Arch.

#include "MatrixOracle.h"

#include "handlers/MatrixGeneral.h"

#include <gtest/gtest.h>

using namespace fly::cpu;
using namespace fly::cpu::test;

namespace {
/// A form on a chip, with the codes of the operand formats if it is scaled.
struct GeneralCase {
  GeneralForm form;
  uint32_t chip;
  int32_t codeA, codeB;
  std::string name;

  Element a() const {
    return form.a == Element::Scaled ? scaledElement(codeA) : form.a;
  }
  Element b() const {
    return form.b == Element::Scaled ? scaledElement(codeB) : form.b;
  }
};

void PrintTo(const GeneralCase &test, std::ostream *os) { *os << test.name; }

class MatrixGeneral : public testing::TestWithParam<GeneralCase> {};

/// A, B (as [n][k]) and C of each block, as numbers, and the E8M0 scales.
struct Problem {
  explicit Problem(const GeneralCase &test)
      : test(test), form(test.form), a(form.blocks * form.m * form.k),
        b(form.blocks * form.n * form.k), c(form.blocks * form.m * form.n),
        scaleA(form.m * scales(), 127), scaleB(form.n * scales(), 127) {}

  uint32_t scales() const {
    return form.isScaled() ? form.k / form.scaleBlock : 0;
  }
  double &atA(uint32_t block, uint32_t row, uint32_t k) {
    return a[(block * form.m + row) * form.k + k];
  }
  double &atB(uint32_t block, uint32_t column, uint32_t k) {
    return b[(block * form.n + column) * form.k + k];
  }
  double &atC(uint32_t block, uint32_t row, uint32_t column) {
    return c[(block * form.m + row) * form.n + column];
  }

  std::unique_ptr<Wave> load(std::vector<int32_t> immediates,
                             uint32_t opselA = 0, uint32_t opselB = 0);
  /// The results of a wave in the order of `c`, from one half of the registers
  /// where there are two.
  std::vector<double> store(Wave &wave, uint32_t half = 0);

  GeneralCase test;
  GeneralForm form;
  std::vector<double> a, b, c;
  std::vector<uint8_t> scaleA, scaleB;
};
} // namespace

static std::vector<GeneralCase> generalCases() {
  struct Row {
    GeneralForm form;
    const char *name;
  };
  const Row rows[] = {
#define FLY_MATRIX_GENERAL_FORM(Operation, Family, M, N, K, Blocks, A, B, Acc, \
                                Result, ScaleBlock)                            \
  {{FlyCpuHandler##Operation, MatrixFamily::Family, M, N, K, Blocks,           \
    Element::A, Element::B, Element::Acc, Element::Result, ScaleBlock},        \
   #Operation},
#include "handlers/MatrixForms.def"
  };
  std::vector<GeneralCase> cases;
  for (const Row &row : rows) {
    bool isMfma = row.form.family == MatrixFamily::Mfma;
    bool isGfx11 = row.form.family == MatrixFamily::Gfx11;
    uint32_t chip = isGfx11               ? 0x1100
                    : !isMfma             ? 0x1250
                    : row.form.isScaled() ? 0x950
                                          : 0x942;
    if (row.form.a != Element::Scaled) {
      cases.push_back({row.form, chip, 4, 4, row.name});
      continue;
    }
    for (int32_t a = 0; a < 5; ++a)
      for (int32_t b = 0; b < 5; ++b)
        cases.push_back({row.form, chip, a, b,
                         row.name + std::string("_") + std::to_string(a) +
                             std::to_string(b)});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, MatrixGeneral, testing::ValuesIn(generalCases()),
                         [](const testing::TestParamInfo<GeneralCase> &info) {
                           return info.param.name;
                         });

std::unique_ptr<Wave> Problem::load(std::vector<int32_t> immediates,
                                    uint32_t opselA, uint32_t opselB) {
  Element elementA = test.a(), elementB = test.b();
  int32_t accBytes = bytesOf(form.outputCount(), form.acc);
  int32_t resultBytes = bytesOf(form.outputCount(), form.result);
  std::vector<int32_t> sizes = {bytesOf(form.inputCount(form.m), elementA),
                                bytesOf(form.inputCount(form.n), elementB),
                                accBytes};
  int32_t scaleBytes = form.scaleBlock == 16 ? 8 : 4;
  if (form.isScaled())
    sizes.insert(sizes.end(), {scaleBytes, scaleBytes});
  auto wave = std::make_unique<Wave>(form.handler, test.chip, form.waveSize(),
                                     sizes, std::vector<int32_t>{resultBytes},
                                     std::move(immediates));
  for (uint32_t lane = 0; lane < form.waveSize(); ++lane) {
    for (uint32_t i = 0; i < form.inputCount(form.m); ++i) {
      InputPlace at = inputPlace(form, form.m, elementA, lane, i);
      setElement(wave->at(lane, 0), i, elementBits(elementA),
              encode(elementA, atA(at.block, at.row, at.k), test.chip));
    }
    for (uint32_t i = 0; i < form.inputCount(form.n); ++i) {
      InputPlace at = inputPlace(form, form.n, elementB, lane, i);
      setElement(wave->at(lane, 1), i, elementBits(elementB),
              encode(elementB, atB(at.block, at.row, at.k), test.chip));
    }
    for (uint32_t i = 0; i < form.outputCount(); ++i) {
      OutputPlace at = outputPlace(form, lane, i);
      setElement(wave->at(lane, 2), i, elementBits(form.acc),
              encode(form.acc, atC(at.block, at.row, at.column), test.chip));
    }
    // What is not named is the scale NaN.
    for (uint32_t field = 3; form.isScaled() && field < 5; ++field)
      std::memset(wave->at(lane, field), 0xff, scaleBytes);
  }
  auto setScales = [&](uint32_t field, uint32_t rows, uint32_t opsel,
                       const std::vector<uint8_t> &values) {
    for (uint32_t row = 0; row < rows; ++row)
      for (uint32_t block = 0; block < scales(); ++block) {
        uint8_t value = values[row * scales() + block];
        if (form.family == MatrixFamily::Mfma)
          wave->at(row + rows * block, field)[opsel] = value;
        else
          wave->at(row + 16 * opsel, field)[block] = value;
      }
  };
  setScales(3, form.m, opselA, scaleA);
  setScales(4, form.n, opselB, scaleB);
  return wave;
}

std::vector<double> Problem::store(Wave &wave, uint32_t half) {
  std::vector<double> results(c.size());
  uint32_t field = form.isScaled() ? 5 : 3, width = elementBits(form.result);
  for (uint32_t lane = 0; lane < form.waveSize(); ++lane)
    for (uint32_t i = 0; i < form.outputCount(); ++i) {
      if (form.hasHalves() && i % 2 != half)
        continue;
      OutputPlace at = outputPlace(form, lane, i);
      uint64_t bits = 0;
      std::memcpy(&bits, wave.at(lane, field) + i * width / 8, width / 8);
      results[(at.block * form.m + at.row) * form.n + at.column] =
          decode(form.result, bits, test.chip);
    }
  return results;
}

/// Immediates without modifiers; `isUnscaled` of MFMA.
static std::vector<int32_t>
plainImmediates(const GeneralCase &test, int32_t opselA = 0, int32_t opselB = 0,
                int32_t modC = 0, int32_t isUnscaled = 0) {
  if (test.form.family == MatrixFamily::Mfma) {
    if (!test.form.isScaled())
      return {0, 0, 0};
    return {test.codeA, test.codeB, opselA, opselB, isUnscaled};
  }
  if (test.form.family == MatrixFamily::Gfx11)
    return {0};
  if (!test.form.hasChosenFormats())
    return {0, 0, modC, 0, 0};
  if (!test.form.isScaled() && test.form.a == Element::Scaled)
    return {test.codeA, test.codeB, modC};
  if (!test.form.isScaled())
    return {modC};
  if (test.form.a == Element::Scaled)
    return {test.codeA, test.codeB, modC, opselA, 0, opselB, 0, 0, 0};
  return {modC, opselA, 0, opselB, 0, 0, 0};
}

static GeneralCase caseOf(uint32_t handler, int32_t codeA = 0,
                          int32_t codeB = 0) {
  for (const GeneralCase &test : generalCases())
    if (test.form.handler == handler &&
        (test.form.a != Element::Scaled ||
         (test.codeA == codeA && test.codeB == codeB)))
      return test;
  ADD_FAILURE() << "no such case";
  return {};
}

//===----------------------------------------------------------------------===//
// Lane maps
//===----------------------------------------------------------------------===//

TEST(MatrixGeneralMaps, PlacesOfTheVendorsTables) {
  struct Place {
    uint32_t handler;
    Element element;
    uint32_t lane, i, block, row, k;
  };
  const Place inputs[] = {
      // Composable Kernel, scaled MFMA: 16x128 and 32x64.
      {FlyCpuHandlerMfmaScaleF32_16x16x128, Element::Fp8, 16, 0, 0, 0, 16},
      {FlyCpuHandlerMfmaScaleF32_16x16x128, Element::Fp8, 35, 15, 0, 3, 47},
      {FlyCpuHandlerMfmaScaleF32_16x16x128, Element::Fp8, 0, 16, 0, 0, 64},
      {FlyCpuHandlerMfmaScaleF32_16x16x128, Element::Fp8, 63, 31, 0, 15, 127},
      {FlyCpuHandlerMfmaScaleF32_16x16x128, Element::Fp6, 16, 0, 0, 0, 32},
      {FlyCpuHandlerMfmaScaleF32_16x16x128, Element::Fp4, 48, 31, 0, 0, 127},
      {FlyCpuHandlerMfmaScaleF32_32x32x64, Element::Fp8, 32, 0, 0, 0, 16},
      {FlyCpuHandlerMfmaScaleF32_32x32x64, Element::Fp8, 31, 16, 0, 31, 32},
      {FlyCpuHandlerMfmaScaleF32_32x32x64, Element::Fp4, 33, 1, 0, 1, 33},
      // The same, scaled WMMA: 16x128 and 32x128.
      {FlyCpuHandlerWmmaScaleF32_16x16x128, Element::Fp8, 16, 0, 0, 0, 16},
      {FlyCpuHandlerWmmaScaleF32_16x16x128, Element::Fp8, 2, 16, 0, 2, 32},
      {FlyCpuHandlerWmmaScaleF32_16x16x128, Element::Fp8, 31, 63, 0, 15, 127},
      {FlyCpuHandlerWmmaScaleF32_16x16x128, Element::Bf6, 16, 0, 0, 0, 32},
      {FlyCpuHandlerWmmaScaleF32_16x16x128, Element::Fp4, 0, 32, 0, 0, 64},
      {FlyCpuHandlerWmmaScaleF32_32x16x128, Element::Fp4, 3, 64, 0, 19, 0},
      {FlyCpuHandlerWmmaScaleF32_32x16x128, Element::Fp4, 19, 127, 0, 19, 127},
      // The same registers without scales; two widths of C and D.
      {FlyCpuHandlerWmmaF32_16x16x128F8F6F4, Element::Fp8, 16, 16, 0, 0, 48},
      {FlyCpuHandlerWmmaF32_16x16x128F8F6F4, Element::Fp6, 16, 32, 0, 0, 96},
      {FlyCpuHandlerWmmaF32_32x16x128F4, Element::Fp4, 19, 127, 0, 19, 127},
      {FlyCpuHandlerWmmaBf16F32_16x16x32Bf16, Element::Bf16, 17, 9, 0, 1, 25},
      // Matrix Instruction Calculator, gfx11 and gfx9.
      {FlyCpuHandlerWmmaF16_16x16x16F16, Element::F16, 19, 7, 0, 3, 7},
      {FlyCpuHandlerMfmaF32_32x32x1F32, Element::F32, 40, 0, 1, 8, 0},
      {FlyCpuHandlerMfmaF32_16x16x4F16, Element::F16, 17, 3, 1, 1, 3},
      {FlyCpuHandlerMfmaF32_4x4x4F16, Element::F16, 14, 2, 3, 2, 2},
      {FlyCpuHandlerMfmaF64_4x4x4F64, Element::F64, 23, 0, 1, 3, 1},
      {FlyCpuHandlerMfmaF64_16x16x4F64, Element::F64, 35, 0, 0, 3, 2},
  };
  for (const Place &want : inputs) {
    GeneralForm form = caseOf(want.handler).form;
    InputPlace got = inputPlace(form, form.m, want.element, want.lane, want.i);
    EXPECT_EQ(std::tuple(got.block, got.row, got.k),
              std::tuple(want.block, want.row, want.k))
        << want.handler << ", lane " << want.lane << ", element " << want.i;
  }
  struct Result {
    uint32_t handler, lane, i, block, row, column;
  };
  const Result outputs[] = {
      {FlyCpuHandlerMfmaF32_32x32x1F32, 33, 21, 1, 13, 1},
      {FlyCpuHandlerMfmaF32_16x16x1F32, 18, 13, 3, 5, 2},
      {FlyCpuHandlerMfmaF32_4x4x1F32, 9, 3, 2, 3, 1},
      {FlyCpuHandlerMfmaF64_4x4x4F64, 23, 0, 1, 1, 3},
      {FlyCpuHandlerMfmaF64_16x16x4F64, 35, 2, 0, 10, 3},
      {FlyCpuHandlerWmmaScaleF32_16x16x128, 18, 3, 0, 11, 2},
      {FlyCpuHandlerWmmaBf16F32_16x16x32Bf16, 18, 3, 0, 11, 2},
      {FlyCpuHandlerWmmaF16_16x16x16F16, 18, 6, 0, 7, 2},
      {FlyCpuHandlerWmmaBf16_16x16x16Bf16Tied, 18, 7, 0, 7, 2},
      {FlyCpuHandlerWmmaScaleF32_32x16x128, 18, 11, 0, 27, 2},
  };
  for (const Result &want : outputs) {
    OutputPlace got = outputPlace(caseOf(want.handler).form, want.lane, want.i);
    EXPECT_EQ(std::tuple(got.block, got.row, got.column),
              std::tuple(want.block, want.row, want.column))
        << want.handler << ", lane " << want.lane << ", element " << want.i;
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST_P(MatrixGeneral, UnitVectorsPickNumberedEntries) {
  const GeneralForm &form = GetParam().form;
  // Numbers that even f4E2M1FN has.
  const double numbers[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const double integers[] = {0, 1, 2, 3, -4, 5, 6, -7};
  auto number = [&](uint32_t block, uint32_t k, uint32_t n) {
    uint32_t index = (3 * k + 5 * n + n / 8 + block) % 8;
    return form.acc == Element::I32 ? integers[index] : numbers[index];
  };
  for (uint32_t shift = 0; shift < form.k; shift += form.m) {
    Problem problem(GetParam());
    for (uint32_t block = 0; block < form.blocks; ++block) {
      for (uint32_t m = 0; m < form.m; ++m)
        problem.atA(block, m, (m + shift) % form.k) = 1;
      for (uint32_t n = 0; n < form.n; ++n)
        for (uint32_t k = 0; k < form.k; ++k)
          problem.atB(block, n, k) = number(block, k, n);
      for (uint32_t m = 0; m < form.m; ++m)
        for (uint32_t n = 0; n < form.n; ++n)
          problem.atC(block, m, n) = (m * 7 + n * 11 + block) % 64;
    }
    auto wave = problem.load(plainImmediates(GetParam()));
    ASSERT_EQ(wave->run(), "");
    std::vector<double> d = problem.store(*wave);
    for (uint32_t block = 0, i = 0; block < form.blocks; ++block)
      for (uint32_t m = 0; m < form.m; ++m)
        for (uint32_t n = 0; n < form.n; ++n, ++i)
          ASSERT_EQ(d[i], number(block, (m + shift) % form.k, n) +
                              (m * 7 + n * 11 + block) % 64)
              << "block " << block << ", row " << m << ", column " << n;
  }
}

TEST_P(MatrixGeneral, RandomValuesAgainstDoublePrecision) {
  const GeneralForm &form = GetParam().form;
  std::mt19937 random(form.handler + 1);
  auto draw = [&](Element element) {
    for (;;) {
      uint64_t bits = random();
      if (element == Element::F64)
        return std::ldexp(static_cast<double>(bits) - 0x7fffffff, -31);
      if (element == Element::Xf32)
        bits &= ~0x1fffull;
      if (elementBits(element) < 32)
        bits &= (1ull << elementBits(element)) - 1;
      double value = decode(element, bits, GetParam().chip);
      bool isInteger = element == Element::I8 || element == Element::I32;
      if (isInteger || value == 0 ||
          (std::abs(value) > 0.0078125 && std::abs(value) < 64))
        return value == 0 ? 0.0 : value;
    }
  };
  Problem problem(GetParam());
  for (double &value : problem.a)
    value = draw(GetParam().a());
  for (double &value : problem.b)
    value = draw(GetParam().b());
  for (double &value : problem.c)
    value = draw(form.acc);
  for (auto *scales : {&problem.scaleA, &problem.scaleB})
    for (uint8_t &scale : *scales)
      scale = static_cast<uint8_t>(120 + random() % 15);
  auto wave = problem.load(plainImmediates(GetParam()));
  ASSERT_EQ(wave->run(), "");
  std::vector<double> d = problem.store(*wave);
  for (uint32_t block = 0, i = 0; block < form.blocks; ++block)
    for (uint32_t m = 0; m < form.m; ++m)
      for (uint32_t n = 0; n < form.n; ++n, ++i) {
        double sum = problem.c[i], magnitude = std::abs(sum);
        for (uint32_t k = 0; k < form.k; ++k) {
          double product = problem.atA(block, m, k) * problem.atB(block, n, k);
          if (form.isScaled()) {
            uint32_t at = k / form.scaleBlock, count = problem.scales();
            product =
                std::ldexp(product, problem.scaleA[m * count + at] +
                                        problem.scaleB[n * count + at] - 254);
          }
          sum += product;
          magnitude += std::abs(product);
        }
        if (form.acc == Element::I32) {
          ASSERT_EQ(d[i], static_cast<int32_t>(static_cast<int64_t>(sum)));
          continue;
        }
        int bits = form.acc == Element::F64 ? -52 : -24;
        double last = form.result == Element::F16    ? std::abs(sum) * 0x1p-11
                      : form.result == Element::Bf16 ? std::abs(sum) * 0x1p-8
                                                     : 0;
        ASSERT_NEAR(d[i], sum, last + form.k * std::ldexp(magnitude, bits))
            << "block " << block << ", row " << m << ", column " << n;
      }
}

TEST(MatrixGeneralValues, SmallFormats) {
  // f4E2M1FN of the OCP Microscaling specification, and ends of the 6-bit
  // formats.
  const double fp4[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  struct Value {
    int32_t code;
    uint32_t bits;
    double value;
  };
  std::vector<Value> values = {{2, 0x1f, 7.5},    {2, 0x01, 0.125},
                               {2, 0x28, -1},     {3, 0x1f, 28},
                               {3, 0x01, 0.0625}, {3, 0x3f, -28}};
  for (uint32_t bits = 0; bits < 16; ++bits)
    values.push_back({4, bits, bits < 8 ? fp4[bits] : -fp4[bits - 8]});
  for (const Value &value : values) {
    GeneralCase test =
        caseOf(FlyCpuHandlerMfmaScaleF32_32x32x64, value.code, 0);
    Problem problem(test);
    problem.atB(0, 5, 17) = 1;
    auto wave = problem.load(plainImmediates(test));
    // k = 17 of row 9: element 17 of lane 9 in the formats below 8 bits.
    setElement(wave->at(9, 0), 17, elementBits(test.a()), value.bits);
    ASSERT_EQ(wave->run(), "");
    EXPECT_EQ(problem.store(*wave)[9 * 32 + 5], value.value)
        << value.code << ", bits " << value.bits;
  }
}

TEST(MatrixGeneralValues, ScalesCountByRowBlockAndSelector) {
  for (uint32_t handler :
       {FlyCpuHandlerMfmaScaleF32_16x16x128, FlyCpuHandlerMfmaScaleF32_32x32x64,
        FlyCpuHandlerWmmaScaleF32_16x16x128,
        FlyCpuHandlerWmmaScale16F32_16x16x128}) {
    GeneralCase test = caseOf(handler, 0, 4);
    const GeneralForm &form = test.form;
    uint32_t last = form.family == MatrixFamily::Mfma ? 3 : 1;
    for (uint32_t opselA = 0; opselA <= last; ++opselA) {
      uint32_t opselB = last - opselA;
      Problem problem(test);
      // One product for each block of a row: 2^(row scale + column scale).
      uint32_t count = problem.scales();
      for (uint32_t m = 0; m < form.m; ++m)
        problem.atA(0, m, (m % count) * form.scaleBlock + m % 16) = 1;
      for (uint32_t n = 0; n < form.n; ++n)
        for (uint32_t k = 0; k < form.k; ++k)
          problem.atB(0, n, k) = 1;
      for (uint32_t i = 0; i < form.m * count; ++i)
        problem.scaleA[i] = static_cast<uint8_t>(100 + i % 50);
      for (uint32_t i = 0; i < form.n * count; ++i)
        problem.scaleB[i] = static_cast<uint8_t>(110 + i % 37);
      auto wave =
          problem.load(plainImmediates(test, static_cast<int32_t>(opselA),
                                       static_cast<int32_t>(opselB)),
                       opselA, opselB);
      ASSERT_EQ(wave->run(), "");
      std::vector<double> d = problem.store(*wave);
      for (uint32_t m = 0; m < form.m; ++m)
        for (uint32_t n = 0; n < form.n; ++n) {
          int exponent = problem.scaleA[m * count + m % count] +
                         problem.scaleB[n * count + m % count] - 254;
          ASSERT_EQ(d[m * form.n + n], std::ldexp(1.0, exponent))
              << handler << ", row " << m << ", column " << n;
        }
    }
  }
}

TEST(MatrixGeneralValues, ScaleOfAllOnesIsNanAndTheRangeIsThatOfFloat) {
  GeneralCase test = caseOf(FlyCpuHandlerMfmaScaleF32_16x16x128, 0, 0);
  Problem problem(test);
  problem.atA(0, 1, 0) = problem.atA(0, 2, 0) = problem.atA(0, 3, 0) = 1;
  problem.atB(0, 4, 0) = 1;
  problem.scaleA[1 * 4] = 255;
  problem.scaleA[2 * 4] = problem.scaleB[4 * 4] = 254; // 2^127 each
  problem.scaleA[3 * 4] = 0;                           // 2^-127, the product 1
  auto wave = problem.load(plainImmediates(test));
  ASSERT_EQ(wave->run(), "");
  std::vector<double> d = problem.store(*wave);
  EXPECT_TRUE(std::isnan(d[1 * 16 + 4]));
  EXPECT_TRUE(std::isnan(d[1 * 16 + 5])) << "zero times NaN";
  EXPECT_EQ(d[2 * 16 + 4], INFINITY);
  EXPECT_EQ(d[3 * 16 + 4], 1);
}

// DIFF: mfma-scale-zero
TEST(MatrixGeneralValues, ConstantZeroWordsMeanNoScales) {
  GeneralCase test = caseOf(FlyCpuHandlerMfmaScaleF32_16x16x128, 1, 2);
  for (int32_t isUnscaled : {0, 1}) {
    Problem problem(test);
    problem.atA(0, 3, 100) = 2;
    problem.atB(0, 7, 100) = 3;
    for (auto *scales : {&problem.scaleA, &problem.scaleB})
      for (uint8_t &scale : *scales)
        scale = 0;
    auto wave = problem.load(plainImmediates(test, 0, 0, 0, isUnscaled));
    ASSERT_EQ(wave->run(), "");
    EXPECT_EQ(problem.store(*wave)[3 * 16 + 7],
              isUnscaled ? 6 : 0); // 6 * 2^-254 is no float
  }
}

TEST(MatrixGeneralValues, SubnormalsInfinityAndNanOfSeveralBlocks) {
  for (uint32_t handler :
       {FlyCpuHandlerMfmaF32_4x4x4F16, FlyCpuHandlerMfmaF32_16x16x4Bf16_1k}) {
    GeneralCase test = caseOf(handler);
    const GeneralForm &form = test.form;
    bool isHalf = form.a == Element::F16;
    Problem problem(test);
    // Row 1 of block 2: five times the smallest subnormal.
    problem.atA(2, 1, 0) = std::ldexp(5, isHalf ? -24 : -133);
    problem.atB(2, 3, 0) = 2;
    problem.atA(2, 2, 1) = INFINITY;
    problem.atB(2, 3, 1) = 1;
    problem.atB(2, 0, 1) = -1;
    auto wave = problem.load({0, 0, 0});
    ASSERT_EQ(wave->run(), "");
    std::vector<double> d = problem.store(*wave);
    auto at = [&](uint32_t m, uint32_t n) {
      return d[(2 * form.m + m) * form.n + n];
    };
    EXPECT_EQ(at(1, 3), std::ldexp(10, isHalf ? -24 : -133));
    EXPECT_EQ(at(2, 3), INFINITY);
    EXPECT_EQ(at(2, 0), -INFINITY);
    EXPECT_TRUE(std::isnan(at(2, 1))) << "infinity times zero";
    EXPECT_EQ(at(0, 3), 0);
  }
}

TEST(MatrixGeneralValues, DoublesAreFusedAndNegated) {
  GeneralCase test = caseOf(FlyCpuHandlerMfmaF64_16x16x4F64);
  Problem problem(test);
  // (1 + 2^-30)^2 - 1 keeps its last bit in one rounding only.
  problem.atA(0, 3, 0) = problem.atB(0, 5, 0) = 1 + std::ldexp(1, -30);
  problem.atC(0, 3, 5) = -1;
  for (int32_t negate = 0; negate < 8; ++negate) {
    auto wave = problem.load({0, 0, negate});
    ASSERT_EQ(wave->run(), "");
    double product = (negate & 1) != (negate >> 1 & 1) ? -1.0 : 1.0;
    double c = negate & 4 ? 1 : -1;
    double factor = 1 + std::ldexp(1, -30);
    EXPECT_EQ(problem.store(*wave)[3 * 16 + 5],
              std::fma(product * factor, factor, c));
  }
}

TEST(MatrixGeneralValues, BlocksOfAAreBroadcast) {
  GeneralCase test = caseOf(FlyCpuHandlerMfmaF32_16x16x1F32);
  for (int32_t cbsz = 0; cbsz <= 2; ++cbsz)
    for (int32_t abid = 0; abid < 1 << cbsz; ++abid) {
      Problem problem(test);
      for (uint32_t block = 0; block < 4; ++block) {
        problem.atA(block, 2, 0) = 1 + block;
        problem.atB(block, 9, 0) = 10;
      }
      auto wave = problem.load({cbsz, abid, 0});
      ASSERT_EQ(wave->run(), "");
      std::vector<double> d = problem.store(*wave);
      for (uint32_t block = 0; block < 4; ++block)
        EXPECT_EQ(
            d[(block * 16 + 2) * 16 + 9],
            10 * (1 + (block >> cbsz << cbsz) + static_cast<uint32_t>(abid)))
            << cbsz << " " << abid << " " << block;
    }
}

TEST(MatrixGeneralValues, LaneGroupsOfBAreExchanged) {
  // 16x16x4 f32: lane group g holds row k = g of B.
  const uint32_t source[8][4] = {{0, 1, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3},
                                 {1, 2, 3, 0}, {0, 0, 0, 0}, {1, 1, 1, 1},
                                 {2, 2, 2, 2}, {3, 3, 3, 3}};
  GeneralCase test = caseOf(FlyCpuHandlerMfmaF32_16x16x1F32);
  for (int32_t blgp = 0; blgp < 8; ++blgp) {
    Problem problem(test);
    for (uint32_t block = 0; block < 4; ++block) {
      problem.atA(block, 2, 0) = 1;
      problem.atB(block, 9, 0) = 1 + block;
    }
    auto wave = problem.load({0, 0, blgp});
    ASSERT_EQ(wave->run(), "");
    std::vector<double> d = problem.store(*wave);
    for (uint32_t block = 0; block < 4; ++block)
      EXPECT_EQ(d[(block * 16 + 2) * 16 + 9], 1 + source[blgp][block])
          << blgp << " " << block;
  }
}

TEST(MatrixGeneralValues, ModifiersOfC) {
  const double expected[] = {-5, 5, 5, -5};
  for (uint32_t handler :
       {FlyCpuHandlerWmmaScaleF32_16x16x128,
        FlyCpuHandlerWmmaScale16F32_32x16x128, FlyCpuHandlerWmmaF32_32x16x128F4,
        FlyCpuHandlerWmmaF32_16x16x128F8F6F4,
        FlyCpuHandlerWmmaBf16F32_16x16x32Bf16})
    for (int32_t modC = 0; modC < 4; ++modC) {
      GeneralCase test = caseOf(handler, 3, 1);
      Problem problem(test);
      problem.atC(0, 15, 3) = -5;
      auto wave = problem.load(plainImmediates(test, 0, 0, modC));
      ASSERT_EQ(wave->run(), "");
      EXPECT_EQ(problem.store(*wave)[15 * 16 + 3], expected[modC]);
    }
}

TEST(MatrixGeneralValues, SignsOfInputs) {
  for (int32_t flags = 0; flags < 4; ++flags) {
    GeneralCase test = caseOf(FlyCpuHandlerWmmaBf16F32_16x16x32Bf16);
    Problem problem(test);
    problem.atA(0, 7, 9) = 2;
    problem.atB(0, 12, 9) = 3;
    problem.atC(0, 7, 12) = 10;
    auto wave = problem.load({flags & 1, flags >> 1, 0, 0, 0});
    ASSERT_EQ(wave->run(), "");
    bool isNegative = flags == 1 || flags == 2;
    EXPECT_EQ(problem.store(*wave)[7 * 16 + 12], isNegative ? 4 : 16) << flags;
  }
}

TEST(MatrixGeneralValues, HalvesOfRegisters) {
  for (uint32_t handler :
       {FlyCpuHandlerWmmaF16_16x16x16F16, FlyCpuHandlerWmmaBf16_16x16x16Bf16,
        FlyCpuHandlerWmmaF16_16x16x16F16Tied,
        FlyCpuHandlerWmmaBf16_16x16x16Bf16Tied})
    for (int32_t half : {0, 1}) {
      GeneralCase test = caseOf(handler);
      Problem problem(test);
      problem.atA(0, 7, 9) = 2;
      problem.atB(0, 12, 9) = 3;
      auto wave = problem.load({half});
      // C is 4 in the half that counts, and 100 in the other.
      uint32_t other = static_cast<uint32_t>(1 - half);
      for (uint32_t lane = 0; lane < 32; ++lane)
        for (uint32_t i = 0; i < 16; ++i)
          setElement(wave->at(lane, 2), i, 16,
                  encode(test.form.acc, i % 2 == other ? 100 : 4, test.chip));
      ASSERT_EQ(wave->run(), "");
      std::vector<double> d = problem.store(*wave, static_cast<uint32_t>(half));
      for (uint32_t i = 0; i < d.size(); ++i)
        ASSERT_EQ(d[i], i == 7 * 16 + 12 ? 10 : 4) << i;
      for (double value : problem.store(*wave, other))
        ASSERT_EQ(value, 100);
    }
}

TEST(MatrixGeneralValues, ResultsOf16BitsAreRoundedOnce) {
  // 1 + 2^-8 lies between two bfloat16: to even, and up with a little more.
  GeneralCase test = caseOf(FlyCpuHandlerWmmaBf16F32_16x16x32Bf16);
  Problem problem(test);
  problem.atC(0, 3, 4) = 1 + 0x1p-8;
  problem.atC(0, 3, 5) = 1 + 0x1p-8 + 0x1p-23;
  problem.atC(0, 3, 6) = 1 + 3 * 0x1p-8;
  auto wave = problem.load(plainImmediates(test));
  ASSERT_EQ(wave->run(), "");
  std::vector<double> d = problem.store(*wave);
  EXPECT_EQ(d[3 * 16 + 4], 1);
  EXPECT_EQ(d[3 * 16 + 5], 1 + 0x1p-7);
  EXPECT_EQ(d[3 * 16 + 6], 1 + 0x1p-6);
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

TEST(MatrixGeneralFaults, Modifiers) {
  auto run = [](const GeneralCase &test, std::vector<int32_t> immediates) {
    return Problem(test).load(std::move(immediates))->run();
  };
  GeneralCase mfma = caseOf(FlyCpuHandlerMfmaScaleF32_16x16x128);
  EXPECT_EQ(run(mfma, {5, 0, 0, 0, 0}), "operand format 5 is unknown");
  EXPECT_EQ(run(mfma, {0, 0, 0, 4, 0}), "a scale word has no byte 4");
  GeneralCase wmma = caseOf(FlyCpuHandlerWmmaScaleF32_16x16x128);
  EXPECT_EQ(run(wmma, {0, 0, 4, 0, 0, 0, 0, 0, 0}), "modC 4 is unknown");
  EXPECT_EQ(run(wmma, {0, 0, 0, 2, 0, 0, 0, 0, 0}),
            "scales lie in row 0 or 1 of the lanes, not in 2");
  EXPECT_EQ(run(wmma, {0, 0, 0, 0, 0, 0, 1, 0, 0}),
            "scales of another format than E8M0 are not supported");
  EXPECT_EQ(
      run(caseOf(FlyCpuHandlerWmmaScaleF32_32x16x128), {0, 1, 0, 0, 0, 0, 0}),
      "the scales of 32 rows take all lanes, so they start in row 0");
  EXPECT_EQ(run(caseOf(FlyCpuHandlerWmmaF32_16x16x128F8F6F4), {0, 7, 0}),
            "operand format 7 is unknown");
  EXPECT_EQ(run(caseOf(FlyCpuHandlerWmmaF32_32x16x128F4), {5}),
            "modC 5 is unknown");
  GeneralCase blocks = caseOf(FlyCpuHandlerMfmaF32_32x32x1F32);
  EXPECT_EQ(run(blocks, {2, 0, 0}),
            "cbsz 2 with abid 0 names no block of the 2 of the operation");
  EXPECT_EQ(run(blocks, {1, 2, 0}),
            "cbsz 1 with abid 2 names no block of the 2 of the operation");
  EXPECT_EQ(run(blocks, {0, 0, 8}), "blgp 8 is unknown");
  GeneralCase doubles = caseOf(FlyCpuHandlerMfmaF64_4x4x4F64);
  // f64 ignores cbsz and abid.
  EXPECT_EQ(run(doubles, {1, 3, 0}), "");
  doubles.chip = 0x90a;
  EXPECT_EQ(run(doubles, {0, 0, 1}),
            "blgp 1 of an f64 matrix operation is unknown on this chip");
}

TEST(MatrixGeneralFaults, LongMantissaOfXf32) {
  GeneralCase test = caseOf(FlyCpuHandlerMfmaF32_16x16x8Xf32);
  Problem problem(test);
  problem.atB(0, 5, 3) = 1 + std::ldexp(1, -10);
  EXPECT_EQ(problem.load({0, 0, 0})->run(), "");
  problem.atB(0, 5, 3) = 1 + std::ldexp(1, -11);
  auto wave = problem.load({0, 0, 0});
  EXPECT_EQ(wave->run(),
            "an operand of the xf32 matrix operation has more than ten bits of "
            "mantissa; how the device shortens it is not documented");
  // Row k = 3 of B: element 1 of lane group 1.
  EXPECT_EQ(wave->faultLane, 16 + 5);
}

TEST(MatrixGeneralFaults, SizesAndLanes) {
  GeneralCase test = caseOf(FlyCpuHandlerMfmaScaleF32_32x32x64, 0, 0);
  auto wave = Problem(test).load({4, 0, 0, 0, 0});
  EXPECT_EQ(wave->run(), "operand 0 of the matrix operation has 32 bytes on "
                         "this chip, expected 16");
  wave = Problem(caseOf(FlyCpuHandlerWmmaF16_16x16x16F16)).load({0});
  wave->at(20, 1)[3] ^= 1;
  EXPECT_EQ(wave->run(),
            "lanes 16 to 31 must hold the same A and B as lanes 0 to 15");
  EXPECT_EQ(wave->faultLane, 20);
  wave = Problem(test).load({0, 0, 0, 0, 0});
  wave->group.exec &= ~uint64_t{1};
  EXPECT_EQ(wave->run(), "a matrix operation needs all 64 lanes of the wave, "
                         "but only 63 are active");
}
