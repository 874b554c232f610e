// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix operations by value, every form: unit vectors against numbered entries
// (finds a slip of any row or column), random values against double precision,
// special values, integer edges, refusals, and one result at all instruction
// set levels.

#include "MatrixOracle.h"

#include <gtest/gtest.h>

using namespace fly::cpu;
using namespace fly::cpu::test;

namespace {
class MatrixForms : public testing::TestWithParam<MatrixCase> {};
} // namespace

static std::string caseName(const testing::TestParamInfo<MatrixCase> &info) {
  std::string name = info.param.name;
  for (char &c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)))
      c = '_';
  return name + (info.param.chip == 0x950 ? "_gfx950" : "");
}

INSTANTIATE_TEST_SUITE_P(All, MatrixForms, testing::ValuesIn(matrixCases()),
                         caseName);

TEST_P(MatrixForms, ShapeIsThatOfTheOperationsName) {
  static const char *const names[] = {
#define FLY_CPU_HANDLER(Id, Name, Class, Immediates, Needs, Queue) Name,
#include "fly_cpu_handlers.def"
  };
  const MatrixForm &form = GetParam().form;
  std::string shape = std::to_string(form.m) + "x" + std::to_string(form.n) +
                      "x" + std::to_string(form.k);
  std::string name = names[form.handler];
  size_t found = name.find("." + shape);
  ASSERT_NE(found, std::string::npos) << name;
  // No further digit belongs to K, but the element type may follow at once.
  std::string rest = name.substr(found + 1 + shape.size());
  EXPECT_TRUE(rest.empty() ||
              !std::isdigit(static_cast<unsigned char>(rest[0])))
      << name;
}

TEST_P(MatrixForms, UnitVectorsPickNumberedEntries) {
  const MatrixCase &test = GetParam();
  const MatrixForm &form = test.form;
  // Each row of A is a unit vector; all k are reached by shifting it.
  for (uint32_t shift = 0; shift < form.k; shift += form.m / 2) {
    Matrix a(form.m, form.k), b(form.k, form.n), c(form.m, form.n);
    auto number = [](uint32_t k, uint32_t n) {
      return static_cast<int>((3 * k + 5 * n + n / 8) % 8);
    };
    for (uint32_t m = 0; m < form.m; ++m)
      for (uint32_t k = 0; k < form.k; ++k)
        a.at(m, k) = bitsOf(form.a, k == (m + shift) % form.k, test.chip);
    for (uint32_t k = 0; k < form.k; ++k)
      for (uint32_t n = 0; n < form.n; ++n)
        b.at(k, n) = bitsOf(form.b, number(k, n), test.chip);
    for (uint32_t m = 0; m < form.m; ++m)
      for (uint32_t n = 0; n < form.n; ++n)
        c.at(m, n) = bitsOf(form.acc, (m * 7 + n * 11) % 64, test.chip);
    auto wave =
        loadWave(test, a, b, c, immediatesOf(form, false, false, false, 0));
    ASSERT_EQ(wave->run(), "");
    Matrix d = storeWave(test, *wave);
    for (uint32_t m = 0; m < form.m; ++m)
      for (uint32_t n = 0; n < form.n; ++n)
        ASSERT_EQ(valueOf(form.acc, d.at(m, n), test.chip, true),
                  number((m + shift) % form.k, n) +
                      static_cast<int>((m * 7 + n * 11) % 64))
            << "row " << m << ", column " << n;
  }
}

TEST_P(MatrixForms, RandomValuesAgainstDoublePrecision) {
  const MatrixCase &test = GetParam();
  const MatrixForm &form = test.form;
  std::mt19937 random(form.handler);
  for (int round = 0; round < 4; ++round) {
    // MFMA integers are always signed.
    bool isMfma = form.family == MatrixFamily::Mfma;
    bool isSignedA = isMfma || (round & 1), isSignedB = isMfma || (round & 2);
    Matrix a = randomMatrix(form.m, form.k, form.a, test.chip, random);
    Matrix b = randomMatrix(form.k, form.n, form.b, test.chip, random);
    Matrix c = randomMatrix(form.m, form.n, form.acc, test.chip, random);
    auto wave = loadWave(test, a, b, c,
                         immediatesOf(form, isSignedA, isSignedB, false, 0));
    ASSERT_EQ(wave->run(), "");
    Matrix d = storeWave(test, *wave);
    for (uint32_t m = 0; m < form.m; ++m)
      for (uint32_t n = 0; n < form.n; ++n) {
        double sum = valueOf(form.acc, c.at(m, n), test.chip, true);
        double magnitude = std::abs(sum);
        for (uint32_t k = 0; k < form.k; ++k) {
          double product = valueOf(form.a, a.at(m, k), test.chip, isSignedA) *
                           valueOf(form.b, b.at(k, n), test.chip, isSignedB);
          sum += product;
          magnitude += std::abs(product);
        }
        double got = valueOf(form.acc, d.at(m, n), test.chip, true);
        if (form.isInteger()) {
          // Accumulation wraps.
          auto wrapped = static_cast<int32_t>(static_cast<int64_t>(sum));
          ASSERT_EQ(got, wrapped) << "row " << m << ", column " << n;
          continue;
        }
        double tolerance = form.k * std::ldexp(magnitude, -24);
        if (form.acc == Element::F16)
          tolerance += std::ldexp(std::abs(sum), -11);
        if (form.acc == Element::Bf16)
          tolerance += std::ldexp(std::abs(sum), -8);
        ASSERT_NEAR(got, sum, tolerance) << "row " << m << ", column " << n;
      }
  }
}

TEST_P(MatrixForms, EveryLevelGivesTheSameBits) {
  const MatrixCase &test = GetParam();
  const MatrixForm &form = test.form;
  std::vector<const MatrixKernel *> levels = {matrixKernelsBase};
#if defined(FLY_CPU_X86_LEVELS)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("f16c"))
    levels.push_back(matrixKernelsAvx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
    levels.push_back(matrixKernelsAvx512);
#endif
  // The row of the form, as findMatrixOperation's index has it.
  size_t row = 0;
  const std::pair<uint32_t, MatrixFamily> rows[] = {
#define FLY_MATRIX_FORM(Operation, Family, M, N, K, A, B, Acc)                 \
  {FlyCpuHandler##Operation, MatrixFamily::Family},
#include "handlers/MatrixForms.def"
  };
  while (rows[row] != std::pair(form.handler, form.family))
    ++row;
  std::mt19937 random(7);
  Matrix a = randomMatrix(form.m, form.k, form.a, test.chip, random);
  Matrix b = randomMatrix(form.k, form.n, form.b, test.chip, random);
  Matrix c = randomMatrix(form.m, form.n, form.acc, test.chip, random);
  std::vector<uint32_t> first;
  for (const MatrixKernel *level : levels) {
    auto wave =
        loadWave(test, a, b, c, immediatesOf(form, true, false, true, 0));
    MatrixCall call = {};
    call.slots = wave->slots.data();
    call.offsetB = flyCpuFieldOffset(&wave->group, 1);
    call.offsetC = flyCpuFieldOffset(&wave->group, 2);
    call.offsetD = flyCpuFieldOffset(&wave->group, 3);
    bool isFnuz = test.chip == 0x942;
    auto decoderOf = [&](Element element) {
      return float8Decoder(element == Element::Bf8
                               ? (isFnuz ? Float8::Fnuz52 : Float8::Ocp52)
                               : (isFnuz ? Float8::Fnuz43 : Float8::Ocp43));
    };
    call.readerA = {decoderOf(form.a), true};
    call.readerB = {decoderOf(form.b), false};
    call.clamp = true;
    level[row](call);
    Matrix d = storeWave(test, *wave);
    if (first.empty())
      first = d.bits;
    EXPECT_EQ(d.bits, first);
  }
}

//===----------------------------------------------------------------------===//
// Special values
//===----------------------------------------------------------------------===//

/// The first case of an operation on a chip.
static MatrixCase caseOf(uint32_t handler, uint32_t chip) {
  for (const MatrixCase &test : matrixCases())
    if (test.form.handler == handler && test.chip == chip)
      return test;
  ADD_FAILURE() << "no such case";
  return {};
}

TEST(MatrixValues, SubnormalInputsCount) {
  for (uint32_t handler :
       {FlyCpuHandlerMfmaF32_16x16x16F16, FlyCpuHandlerMfmaF32_32x32x8F16,
        FlyCpuHandlerMfmaF32_16x16x16Bf16_1k}) {
    MatrixCase test = caseOf(handler, 0x942);
    const MatrixForm &form = test.form;
    Matrix a(form.m, form.k), b(form.k, form.n), c(form.m, form.n);
    for (uint32_t k = 0; k < form.k; ++k) {
      a.at(3, k) = 5; // five times the smallest subnormal
      b.at(k, 9) = bitsOf(form.b, 2, test.chip);
    }
    auto wave = loadWave(test, a, b, c, {0, 0, 0});
    ASSERT_EQ(wave->run(), "");
    int smallest = form.a == Element::F16 ? -24 : -133;
    EXPECT_EQ(
        valueOf(Element::F32, storeWave(test, *wave).at(3, 9), 0x942, true),
        std::ldexp(10.0 * form.k, smallest));
  }
}

TEST(MatrixValues, InfinityAndNanStayInTheirRowsAndColumns) {
  MatrixCase test = caseOf(FlyCpuHandlerMfmaF32_16x16x16F16, 0x942);
  const MatrixForm &form = test.form;
  Matrix a(16, 16), b(16, 16), c(16, 16);
  for (uint32_t &bits : a.bits)
    bits = bitsOf(form.a, 1, test.chip);
  for (uint32_t &bits : b.bits)
    bits = bitsOf(form.b, 2, test.chip);
  a.at(3, 7) = 0x7c00;
  b.at(11, 5) = 0x7e00;
  auto wave = loadWave(test, a, b, c, {0, 0, 0});
  ASSERT_EQ(wave->run(), "");
  Matrix d = storeWave(test, *wave);
  for (uint32_t m = 0; m < 16; ++m)
    for (uint32_t n = 0; n < 16; ++n) {
      double got = valueOf(Element::F32, d.at(m, n), 0x942, true);
      if (n == 5)
        EXPECT_TRUE(std::isnan(got));
      else
        EXPECT_EQ(got, m == 3 ? INFINITY : 32);
    }
}

TEST(MatrixValues, EightBitFormatsDependOnTheChip) {
  for (uint32_t chip : {0x942u, 0x950u}) {
    MatrixCase test = caseOf(FlyCpuHandlerMfmaF32_16x16x32Fp8Bf8, chip);
    Matrix a(16, 32), b(32, 16), c(16, 16);
    a.at(0, 0) = 0x38; // 1.0 in OCP E4M3, 0.5 in FNUZ
    b.at(0, 0) = 0x3c; // 1.0 in OCP E5M2, 0.5 in FNUZ
    a.at(1, 0) = 0x80; // -0 or NaN
    auto wave = loadWave(test, a, b, c, {0, 0, 0});
    ASSERT_EQ(wave->run(), "");
    Matrix d = storeWave(test, *wave);
    EXPECT_EQ(valueOf(Element::F32, d.at(0, 0), chip, true),
              chip == 0x942 ? 0.25 : 1.0);
    EXPECT_EQ(std::isnan(valueOf(Element::F32, d.at(1, 0), chip, true)),
              chip == 0x942);
  }
}

TEST(MatrixValues, IntegersWrapOrSaturate) {
  for (bool clamp : {false, true})
    for (int32_t before : {INT32_MAX, INT32_MIN}) {
      MatrixCase test = caseOf(FlyCpuHandlerWmmaI32_16x16x16Iu8, 0x1100);
      Matrix a(16, 16), b(16, 16), c(16, 16);
      bool isUp = before == INT32_MAX;
      for (uint32_t &bits : a.bits)
        bits = isUp ? 100 : 0x9c; // 100 or -100
      for (uint32_t &bits : b.bits)
        bits = 3;
      for (uint32_t &bits : c.bits)
        bits = static_cast<uint32_t>(before);
      auto wave = loadWave(test, a, b, c,
                           immediatesOf(test.form, true, true, clamp, 0));
      ASSERT_EQ(wave->run(), "");
      auto got = static_cast<int32_t>(storeWave(test, *wave).at(4, 4));
      int64_t sum = static_cast<int64_t>(before) + (isUp ? 4800 : -4800);
      EXPECT_EQ(got, clamp ? before : static_cast<int32_t>(sum));
    }
}

TEST(MatrixValues, ModifiersOfC) {
  const double expected[] = {-5, 5, 5, -5};
  for (uint32_t handler :
       {FlyCpuHandlerWmmaF32_16x16x32F16, FlyCpuHandlerWmmaF16_16x16x64Fp8Fp8})
    for (int32_t modC = 0; modC < 4; ++modC) {
      MatrixCase test = caseOf(handler, 0x1250);
      const MatrixForm &form = test.form;
      Matrix a(16, form.k), b(form.k, 16), c(16, 16);
      c.at(2, 3) = bitsOf(form.acc, -5, test.chip);
      auto wave = loadWave(test, a, b, c,
                           immediatesOf(form, false, false, false, modC));
      ASSERT_EQ(wave->run(), "");
      EXPECT_EQ(
          valueOf(form.acc, storeWave(test, *wave).at(2, 3), 0x1250, true),
          expected[modC]);
    }
}

TEST(MatrixValues, SignsOfInputs) {
  for (uint32_t handler :
       {FlyCpuHandlerWmmaF32_16x16x4F32, FlyCpuHandlerWmmaF32_16x16x32F16,
        FlyCpuHandlerWmmaF16_16x16x32F16, FlyCpuHandlerWmmaF32_16x16x32Bf16,
        FlyCpuHandlerWmmaBf16_16x16x32Bf16})
    for (int32_t flags = 0; flags < 8; ++flags) {
      MatrixCase test = caseOf(handler, 0x1250);
      const MatrixForm &form = test.form;
      Matrix a(16, form.k), b(form.k, 16), c(16, 16);
      a.at(2, 1) = bitsOf(form.a, 2, test.chip);
      b.at(1, 3) = bitsOf(form.b, 3, test.chip);
      c.at(2, 3) = bitsOf(form.acc, 10, test.chip);
      int32_t modC = flags >> 2;
      auto wave = loadWave(test, a, b, c,
                           {flags & 1, flags >> 1 & 1, modC, 0, 0});
      ASSERT_EQ(wave->run(), "");
      bool isNegative = (flags & 1) != (flags >> 1 & 1);
      EXPECT_EQ(
          valueOf(form.acc, storeWave(test, *wave).at(2, 3), 0x1250, true),
          (modC ? -10 : 10) + (isNegative ? -6 : 6))
          << handler << ' ' << flags;
    }
}

TEST(MatrixValues, LaneGroupsOfBAreExchanged) {
  // 16x16x4 f32: lane group g holds row k = g of B; blgp 3 turns the groups.
  MatrixCase test = caseOf(FlyCpuHandlerMfmaF32_16x16x4F32, 0x942);
  Matrix a(16, 4), b(4, 16), c(16, 16);
  for (uint32_t k = 0; k < 4; ++k) {
    a.at(k, k) = bitsOf(test.form.a, 1, test.chip);
    b.at(k, 9) = bitsOf(test.form.b, static_cast<int>(k) + 1, test.chip);
  }
  auto wave = loadWave(test, a, b, c, {0, 0, 3});
  ASSERT_EQ(wave->run(), "");
  Matrix d = storeWave(test, *wave);
  for (uint32_t k = 0; k < 4; ++k)
    EXPECT_EQ(valueOf(Element::F32, d.at(k, 9), 0x942, true), (k + 1) % 4 + 1);
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

/// A wave of zeros for a case.
static std::unique_ptr<Wave> zeroWave(const MatrixCase &test,
                                      std::vector<int32_t> immediates) {
  const MatrixForm &form = test.form;
  Matrix a(form.m, form.k), b(form.k, form.n), c(form.m, form.n);
  return loadWave(test, a, b, c, std::move(immediates));
}

TEST(MatrixFaults, LanesSwitchedOff) {
  auto wave =
      zeroWave(caseOf(FlyCpuHandlerMfmaF32_16x16x16F16, 0x942), {0, 0, 0});
  wave->group.exec &= ~uint64_t{1};
  EXPECT_EQ(wave->run(), "a matrix operation needs all 64 lanes of the wave, "
                         "but only 63 are active");
  EXPECT_EQ(wave->get<uint32_t>(5, 3), untouched);
}

TEST(MatrixFaults, OperationOfAnotherChip) {
  auto wave =
      zeroWave(caseOf(FlyCpuHandlerMfmaF32_16x16x16F16, 0x942), {0, 0, 0});
  wave->group.chip = 0x1100;
  EXPECT_EQ(wave->run(), "the chip has no such matrix operation");
  auto wmma = zeroWave(caseOf(FlyCpuHandlerWmmaF32_16x16x16F16, 0x1100), {});
  wmma->group.chip = 0x1201;
  EXPECT_EQ(wmma->run(), "operand 0 of the matrix operation has 32 bytes on "
                         "this chip, expected 16");
}

TEST(MatrixFaults, Modifiers) {
  // One block: nothing to broadcast.
  EXPECT_EQ(zeroWave(caseOf(FlyCpuHandlerMfmaF32_16x16x16F16, 0x942), {1, 0, 0})
                ->run(),
            "cbsz 1 with abid 0 names no block of the 1 of the operation");
  EXPECT_EQ(
      zeroWave(caseOf(FlyCpuHandlerWmmaF16_16x16x16F16, 0x1201), {1})->run(),
      "opsel of a matrix operation must be 0 on this chip");
  MatrixCase test = caseOf(FlyCpuHandlerWmmaF32_16x16x32F16, 0x1250);
  EXPECT_EQ(zeroWave(test, {0, 0, 4, 0, 0})->run(), "modC 4 is unknown");
}

TEST(MatrixFaults, UnequalHalvesOnGfx11) {
  auto wave = zeroWave(caseOf(FlyCpuHandlerWmmaF32_16x16x16F16, 0x1100), {});
  wave->at(20, 1)[3] = 1;
  EXPECT_EQ(wave->run(),
            "lanes 16 to 31 must hold the same A and B as lanes 0 to 15");
  EXPECT_EQ(wave->faultLane, 20);
}
