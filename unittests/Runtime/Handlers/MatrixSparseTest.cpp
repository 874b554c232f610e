// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix operations with a sparse A by value: unit vectors against numbered
// entries, random values against double precision, index sets, signs, special
// values and refusals. Where an element lies is stated here from the side of
// the matrix, as the vendors' tables do it.

#include "MatrixOracle.h"

#include "handlers/MatrixSparse.h"

#include <gtest/gtest.h>

using namespace fly::cpu;
using namespace fly::cpu::test;

namespace {
struct SparseCase {
  SparseForm form;
  uint32_t chip;
  std::string name;
};

/// A lane, and the element of its registers.
struct Location {
  uint32_t lane, i;
};

void PrintTo(const SparseCase &test, std::ostream *os) { *os << test.name; }

class MatrixSparse : public testing::TestWithParam<SparseCase> {};

/// The packed A with the index of each element, B as [n][k] and C, as numbers.
struct Problem {
  explicit Problem(const SparseCase &test)
      : test(test), form(test.form), a(form.m * form.k / 2),
        index(form.m * form.k / 2), b(form.m * form.k), c(form.m * form.m) {
    for (uint32_t i = 0; i < index.size(); ++i)
      index[i] = i % 2;
  }

  double &atA(uint32_t row, uint32_t column) {
    return a[row * form.k / 2 + column];
  }
  uint32_t &atIndex(uint32_t row, uint32_t column) {
    return index[row * form.k / 2 + column];
  }
  double &atB(uint32_t column, uint32_t k) { return b[column * form.k + k]; }
  double &atC(uint32_t row, uint32_t column) {
    return c[row * form.m + column];
  }
  /// The k that an element of the packed A stands for.
  uint32_t depth(uint32_t row, uint32_t column) {
    return column / 2 * 4 + atIndex(row, column);
  }

  std::unique_ptr<Wave> load(std::vector<int32_t> immediates, uint32_t set = 0);
  std::vector<double> store(Wave &wave);

  SparseCase test;
  SparseForm form;
  std::vector<double> a;
  std::vector<uint32_t> index;
  std::vector<double> b, c;
};
} // namespace

static std::vector<SparseCase> sparseCases() {
  struct Row {
    SparseForm form;
    const char *name;
  };
  const Row rows[] = {
#define FLY_MATRIX_SPARSE_FORM(Operation, Family, M, K, A, B, Acc)             \
  {{FlyCpuHandler##Operation, MatrixFamily::Family, M, K, Element::A,          \
    Element::B, Element::Acc},                                                 \
   #Operation},
#include "handlers/MatrixForms.def"
  };
  std::vector<SparseCase> cases;
  for (const Row &row : rows) {
    if (!row.form.isMfma()) {
      cases.push_back(
          {row.form, row.form.isGfx1250() ? 0x1250u : 0x1201u, row.name});
      continue;
    }
    if (!row.form.isDeep())
      cases.push_back({row.form, 0x942, row.name + std::string("_gfx942")});
    cases.push_back({row.form, 0x950, row.name + std::string("_gfx950")});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, MatrixSparse, testing::ValuesIn(sparseCases()),
                         [](const testing::TestParamInfo<SparseCase> &info) {
                           return info.param.name;
                         });

static SparseCase caseOf(uint32_t handler, uint32_t chip) {
  for (const SparseCase &test : sparseCases())
    if (test.form.handler == handler && test.chip == chip)
      return test;
  ADD_FAILURE() << "no such case";
  return {};
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Where column c of row `row` of the packed A lies.
/// On gfx1250, here and below, by the k of ROCm/hip-fpsan, tests of swmmac,
/// which are not those of the handler: pairs of columns, and groups of four k,
/// go to the halves of the wave in turn.
static Location locateA(const SparseForm &form, uint32_t row, uint32_t c) {
  if (form.isGfx1250())
    return {row + 16 * (c / 2 % 2), 2 * (c / 4) + c % 2};
  uint32_t bits = elementBits(form.a);
  if (form.isMfma() && bits == 8 && form.k * form.m == 16 * 128) {
    uint32_t high = 2 * (c >> 2 & 1) + (form.m == 16 ? c >> 4 & 1 : c >> 3 & 1);
    uint32_t group =
        form.m == 16 ? 2 * (c >> 5 & 1) + (c >> 3 & 1) : c >> 4 & 1;
    return {group * form.m + row, 4 * high + c % 4};
  }
  if (!form.isMfma() && bits == 16)
    return {row + 16 * (c / 4 % 2), 4 * (c / 8) + c % 4};
  uint32_t elements = form.m * form.k / 2 / (form.isMfma() ? 64 : 32);
  return {form.m * (c / elements) + row, c % elements};
}

/// Which lane's index register says what column c of row `row` of the packed A
/// stands for, and in which entry.
static Location locateIndex(const SparseForm &form, uint32_t row, uint32_t c) {
  if (!form.isGfx1250())
    return locateA(form, row, c);
  uint32_t entries = form.k / 4;
  return {row + 16 * (c / entries),
          entries / 2 * (c / 2 % 2) + 2 * (c / 4 % (entries / 4)) + c % 2};
}

/// Where row k of column `column` of B lies.
static Location locateB(const SparseForm &form, uint32_t column, uint32_t k) {
  if (form.isGfx1250())
    return {column + 16 * (k / 4 % 2), 4 * (k / 8) + k % 4};
  uint32_t bits = elementBits(form.b), depth = form.m * form.k;
  bool isDeep = form.isMfma() && depth * bits == 16 * 64 * 16;
  if (isDeep || (!form.isMfma() && bits == 16)) {
    uint32_t groups = (form.isMfma() ? 64 : 32) / form.m;
    return {column + form.m * (k / 8 % groups), 8 * (k / (8 * groups)) + k % 8};
  }
  uint32_t elements = depth / (form.isMfma() ? 64 : 32);
  return {form.m * (k / elements) + column, k % elements};
}

/// Where row `row` of column `column` of C and D lies.
static Location locateC(const SparseForm &form, uint32_t row, uint32_t column) {
  if (!form.isMfma())
    return {16 * (row / 8) + column, row % 8};
  if (form.m == 16)
    return {16 * (row / 4) + column, row % 4};
  return {32 * (row / 4 % 2) + column, 4 * (row / 8) + row % 4};
}

std::unique_ptr<Wave> Problem::load(std::vector<int32_t> immediates,
                                    uint32_t set) {
  uint32_t lanes = form.isMfma() ? 64 : 32;
  uint32_t elements = form.m * form.k / 2 / lanes;
  int32_t accBytes = bytesOf(form.m * form.m / lanes, form.acc);
  int32_t indexBytes =
      form.isMfma() ? 4 : static_cast<int32_t>(2 * elements / 8);
  auto wave = std::make_unique<Wave>(
      form.handler, test.chip, lanes,
      std::vector<int32_t>{bytesOf(elements, form.a),
                           bytesOf(2 * elements, form.b), accBytes, indexBytes},
      std::vector<int32_t>{accBytes}, std::move(immediates));
  // Sets that do not count hold other indices.
  for (uint32_t lane = 0; lane < lanes; ++lane)
    std::memset(wave->at(lane, 3), 0x93, static_cast<size_t>(indexBytes));
  for (uint32_t row = 0; row < form.m; ++row)
    for (uint32_t column = 0; column < form.k / 2; ++column) {
      Location at = locateA(form, row, column);
      setElement(wave->at(at.lane, 0), at.i, elementBits(form.a),
                 encode(form.a, atA(row, column), test.chip));
      at = locateIndex(form, row, column);
      uint32_t bit = 2 * (set * elements + at.i);
      unsigned char &byte = wave->at(at.lane, 3)[bit / 8];
      byte = static_cast<unsigned char>((byte & ~(3u << bit % 8)) |
                                        atIndex(row, column) << bit % 8);
    }
  for (uint32_t column = 0; column < form.m; ++column)
    for (uint32_t k = 0; k < form.k; ++k) {
      Location at = locateB(form, column, k);
      setElement(wave->at(at.lane, 1), at.i, elementBits(form.b),
                 encode(form.b, atB(column, k), test.chip));
    }
  for (uint32_t row = 0; row < form.m; ++row)
    for (uint32_t column = 0; column < form.m; ++column) {
      Location at = locateC(form, row, column);
      setElement(wave->at(at.lane, 2), at.i, elementBits(form.acc),
                 encode(form.acc, atC(row, column), test.chip));
    }
  return wave;
}

std::vector<double> Problem::store(Wave &wave) {
  std::vector<double> d(c.size());
  for (uint32_t row = 0; row < form.m; ++row)
    for (uint32_t column = 0; column < form.m; ++column) {
      Location at = locateC(form, row, column);
      uint32_t bits =
          getElement(wave.at(at.lane, 4), at.i, elementBits(form.acc));
      d[row * form.m + column] = valueOf(form.acc, bits, test.chip, true);
    }
  return d;
}

static std::vector<int32_t> plainImmediates(const SparseForm &form) {
  std::vector<int32_t> immediates;
  if (form.isMfma())
    immediates = {0, 0};
  else if (form.acc == Element::I32)
    immediates = {1, 1};
  else if (form.isGfx1250() && elementBits(form.a) == 16)
    immediates = {0, 0};
  if (form.isGfx1250())
    immediates.insert(immediates.end(), {0, 1});
  if (form.acc == Element::I32 && !form.isMfma())
    immediates.push_back(0);
  return immediates;
}

/// Two ascending indices of four, by a number.
static std::pair<uint32_t, uint32_t> indexPair(uint32_t number) {
  const std::pair<uint32_t, uint32_t> pairs[] = {{0, 1}, {0, 2}, {0, 3},
                                                 {1, 2}, {1, 3}, {2, 3}};
  return pairs[number % 6];
}

static void drawIndices(Problem &problem, std::mt19937 &random) {
  for (uint32_t row = 0; row < problem.form.m; ++row)
    for (uint32_t column = 0; column < problem.form.k / 2; column += 2)
      std::tie(problem.atIndex(row, column), problem.atIndex(row, column + 1)) =
          indexPair(random());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST_P(MatrixSparse, UnitVectorsPickNumberedEntries) {
  const SparseForm &form = GetParam().form;
  const double numbers[] = {0, 1, 2, 3, -4, 5, 6, -7};
  std::mt19937 random(form.handler);
  for (uint32_t shift = 0; shift < form.k / 2; ++shift) {
    Problem problem(GetParam());
    drawIndices(problem, random);
    for (uint32_t row = 0; row < form.m; ++row)
      problem.atA(row, (row + shift) % (form.k / 2)) = 1;
    for (uint32_t column = 0; column < form.m; ++column)
      for (uint32_t k = 0; k < form.k; ++k)
        problem.atB(column, k) = numbers[(3 * k + 5 * column + k / 8) % 8];
    for (uint32_t row = 0; row < form.m; ++row)
      for (uint32_t column = 0; column < form.m; ++column)
        problem.atC(row, column) = (row * 7 + column * 11) % 64;
    auto wave = problem.load(plainImmediates(form));
    ASSERT_EQ(wave->run(), "");
    std::vector<double> d = problem.store(*wave);
    for (uint32_t row = 0; row < form.m; ++row) {
      uint32_t k = problem.depth(row, (row + shift) % (form.k / 2));
      for (uint32_t column = 0; column < form.m; ++column)
        ASSERT_EQ(d[row * form.m + column],
                  problem.atB(column, k) + problem.atC(row, column))
            << "row " << row << ", column " << column << ", k " << k;
    }
  }
}

TEST_P(MatrixSparse, RandomValuesAgainstDoublePrecision) {
  const SparseForm &form = GetParam().form;
  std::mt19937 random(form.handler + 1);
  Problem problem(GetParam());
  drawIndices(problem, random);
  auto fill = [&](std::vector<double> &values, Element element) {
    Matrix bits = randomMatrix(1, static_cast<uint32_t>(values.size()), element,
                               GetParam().chip, random);
    for (uint32_t i = 0; i < values.size(); ++i)
      values[i] = valueOf(element, bits.bits[i], GetParam().chip, true);
  };
  fill(problem.a, form.a);
  fill(problem.b, form.b);
  fill(problem.c, form.acc);
  auto wave = problem.load(plainImmediates(form));
  ASSERT_EQ(wave->run(), "");
  std::vector<double> d = problem.store(*wave);
  for (uint32_t row = 0; row < form.m; ++row)
    for (uint32_t column = 0; column < form.m; ++column) {
      double sum = problem.atC(row, column), magnitude = std::abs(sum);
      for (uint32_t i = 0; i < form.k / 2; ++i) {
        double product =
            problem.atA(row, i) * problem.atB(column, problem.depth(row, i));
        sum += product;
        magnitude += std::abs(product);
      }
      double got = d[row * form.m + column];
      if (form.acc == Element::I32) {
        ASSERT_EQ(got, static_cast<int32_t>(static_cast<int64_t>(sum)));
        continue;
      }
      double last = form.acc == Element::F16    ? std::abs(sum) * 0x1p-11
                    : form.acc == Element::Bf16 ? std::abs(sum) * 0x1p-8
                                                : 0;
      ASSERT_NEAR(got, sum, last + form.k / 2 * std::ldexp(magnitude, -23))
          << "row " << row << ", column " << column;
    }
}

TEST(MatrixSparseValues, AbidAndCbszChooseTheIndexSet) {
  struct Sets {
    uint32_t handler, chip, count;
  };
  for (Sets sets : {Sets{FlyCpuHandlerSmfmacF32_16x16x32F16, 0x942, 4},
                    {FlyCpuHandlerSmfmacI32_32x32x32I8, 0x942, 2},
                    {FlyCpuHandlerSmfmacF32_32x32x32Bf16, 0x950, 2},
                    {FlyCpuHandlerSmfmacF32_16x16x128Fp8Bf8, 0x950, 1}}) {
    SparseCase test = caseOf(sets.handler, sets.chip);
    Problem problem(test);
    std::mt19937 random(7);
    drawIndices(problem, random);
    for (double &value : problem.a)
      value = 1;
    for (uint32_t i = 0; i < problem.b.size(); ++i)
      problem.b[i] = i % 4;
    std::vector<double> expected;
    for (uint32_t row = 0; row < test.form.m; ++row)
      for (uint32_t column = 0; column < test.form.m; ++column) {
        double sum = 0;
        for (uint32_t i = 0; i < test.form.k / 2; ++i)
          sum += problem.atB(column, problem.depth(row, i));
        expected.push_back(sum);
      }
    for (uint32_t set = 0; set < sets.count; ++set) {
      auto wave = problem.load({0, static_cast<int32_t>(set)}, set);
      ASSERT_EQ(wave->run(), "");
      EXPECT_EQ(problem.store(*wave), expected) << sets.handler << " " << set;
    }
    // With cbsz the first set counts, whatever abid says.
    auto wave = problem.load({1, 3}, 0);
    ASSERT_EQ(wave->run(), "");
    EXPECT_EQ(problem.store(*wave), expected);
    std::string count = std::to_string(sets.count);
    EXPECT_EQ(problem.load({0, static_cast<int32_t>(sets.count)}, 0)->run(),
              "abid " + count + " names none of the " + count +
                  " index sets of the operation");
  }
}

TEST(MatrixSparseValues, SignsAndSaturation) {
  for (uint32_t handler :
       {FlyCpuHandlerSwmmacI32_16x16x32Iu8, FlyCpuHandlerSwmmacI32_16x16x32Iu4,
        FlyCpuHandlerSwmmacI32_16x16x64Iu4,
        FlyCpuHandlerSwmmacI32_16x16x128Iu8}) {
    SparseCase test = caseOf(
        handler,
        handler == FlyCpuHandlerSwmmacI32_16x16x128Iu8 ? 0x1250 : 0x1201);
    int width = static_cast<int>(elementBits(test.form.a));
    for (int32_t mode = 0; mode < 8; ++mode) {
      Problem problem(test);
      problem.atA(3, 5) = -2;
      problem.atB(9, problem.depth(3, 5)) = -1;
      problem.atC(3, 9) = INT32_MAX;
      problem.atC(3, 8) = 17;
      std::vector<int32_t> immediates = plainImmediates(test.form);
      immediates[0] = mode & 1;
      immediates[1] = mode >> 1 & 1;
      immediates.back() = mode >> 2;
      auto wave = problem.load(immediates);
      ASSERT_EQ(wave->run(), "");
      int64_t a = mode & 1 ? -2 : (1 << width) - 2;
      int64_t b = mode & 2 ? -1 : (1 << width) - 1;
      int64_t sum = INT32_MAX + a * b;
      if (mode & 4)
        sum = std::min<int64_t>(sum, INT32_MAX);
      std::vector<double> d = problem.store(*wave);
      EXPECT_EQ(d[3 * 16 + 9], static_cast<int32_t>(sum)) << mode;
      EXPECT_EQ(d[3 * 16 + 8], 17);
    }
  }
}

TEST(MatrixSparseValues, SignsOfInputs) {
  for (uint32_t handler :
       {FlyCpuHandlerSwmmacF32_16x16x64F16, FlyCpuHandlerSwmmacF32_16x16x64Bf16,
        FlyCpuHandlerSwmmacF16_16x16x64F16,
        FlyCpuHandlerSwmmacBf16_16x16x64Bf16})
    for (int32_t flags = 0; flags < 4; ++flags) {
      Problem problem(caseOf(handler, 0x1250));
      problem.atA(3, 5) = 2;
      problem.atB(9, problem.depth(3, 5)) = 3;
      problem.atC(3, 9) = 10;
      auto wave = problem.load({flags & 1, flags >> 1, 0, 0});
      ASSERT_EQ(wave->run(), "");
      bool isNegative = flags == 1 || flags == 2;
      EXPECT_EQ(problem.store(*wave)[3 * 16 + 9], isNegative ? 4 : 16)
          << handler << ' ' << flags;
    }
}

TEST(MatrixSparseValues, SubnormalsInfinityAndNan) {
  struct Kind {
    uint32_t handler, chip;
    double smallest;
    bool hasInfinity;
  };
  for (Kind kind :
       {Kind{FlyCpuHandlerSmfmacF32_16x16x32F16, 0x942, 0x1p-24, true},
        {FlyCpuHandlerSmfmacF32_32x32x16Bf16, 0x950, 0x1p-133, true},
        {FlyCpuHandlerSmfmacF32_16x16x64Bf16, 0x950, 0x1p-133, true},
        {FlyCpuHandlerSmfmacF32_32x32x64Bf8Bf8, 0x950, 0x1p-16, true},
        {FlyCpuHandlerSmfmacF32_16x16x64Fp8Fp8, 0x942, 0x1p-10, false},
        {FlyCpuHandlerSwmmacF32_16x16x32Bf16, 0x1201, 0x1p-133, true},
        {FlyCpuHandlerSwmmacF16_16x16x32F16, 0x1201, 0x1p-24, true},
        {FlyCpuHandlerSwmmacF32_16x16x32Fp8Fp8, 0x1201, 0x1p-9, false},
        {FlyCpuHandlerSwmmacF32_16x16x64F16, 0x1250, 0x1p-24, true},
        {FlyCpuHandlerSwmmacBf16_16x16x64Bf16, 0x1250, 0x1p-133, true},
        {FlyCpuHandlerSwmmacF16_16x16x128Bf8Fp8, 0x1250, 0x1p-16, false},
        {FlyCpuHandlerSwmmacF32_16x16x128Fp8Bf8, 0x1250, 0x1p-9, true}}) {
    SparseCase test = caseOf(kind.handler, kind.chip);
    const SparseForm &form = test.form;
    Problem problem(test);
    problem.atA(1, 4) = 3 * kind.smallest;
    problem.atB(6, problem.depth(1, 4)) = 2;
    // Only row 2 holds an element for k = 15, where B is infinite.
    for (uint32_t row = 0; row < form.m; ++row)
      if (row != 2) {
        problem.atIndex(row, 6) = 0;
        problem.atIndex(row, 7) = 1;
      }
    problem.atIndex(2, 6) = 1;
    problem.atIndex(2, 7) = 3;
    problem.atA(2, 7) = 1;
    if (kind.hasInfinity)
      problem.atB(6, 15) = INFINITY;
    auto wave = problem.load(plainImmediates(form));
    // NaN in row 5 of A: all bits of the element but the sign, or 0x80.
    Location nan = locateA(form, 5, 0);
    uint32_t width = elementBits(form.a);
    setElement(wave->at(nan.lane, 0), nan.i, width,
               kind.chip == 0x942 && width == 8 ? 0x80
                                                : (1u << (width - 1)) - 1);
    ASSERT_EQ(wave->run(), "");
    std::vector<double> d = problem.store(*wave);
    EXPECT_EQ(d[1 * form.m + 6], 6 * kind.smallest) << kind.handler;
    EXPECT_TRUE(std::isnan(d[5 * form.m])) << kind.handler;
    EXPECT_EQ(d[2 * form.m + 6], kind.hasInfinity ? INFINITY : 0.0);
    EXPECT_EQ(d[2 * form.m + 5], 0);
    EXPECT_EQ(d[3 * form.m + 6], 0) << "what A does not hold meets nothing";
  }
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

TEST(MatrixSparseFaults, IndicesThatDoNotAscend) {
  SparseCase test = caseOf(FlyCpuHandlerSwmmacF32_16x16x32F16, 0x1201);
  Problem problem(test);
  problem.atIndex(3, 6) = 2;
  problem.atIndex(3, 7) = 2;
  auto wave = problem.load({});
  EXPECT_EQ(wave->run(),
            "entries 2 and 3 of the index register of a sparse A, 2 and 2, do "
            "not ascend");
  EXPECT_EQ(wave->faultLane, 16 + 3);
  // On gfx1250 the entries are not those of the elements of the lane.
  Problem wide(caseOf(FlyCpuHandlerSwmmacF16_16x16x64F16, 0x1250));
  wide.atIndex(3, 6) = 3;
  wide.atIndex(3, 7) = 2;
  wave = wide.load(plainImmediates(wide.form));
  EXPECT_EQ(
      wave->run(),
      "entries 10 and 11 of the index register of a sparse A, 3 and 2, do "
      "not ascend");
  EXPECT_EQ(wave->faultLane, 3);
  // CDNA takes them: both elements meet the same row of B.
  Problem other(caseOf(FlyCpuHandlerSmfmacF32_16x16x32F16, 0x942));
  other.atIndex(3, 6) = other.atIndex(3, 7) = 2;
  other.atA(3, 6) = 1;
  other.atA(3, 7) = 4;
  other.atB(0, 14) = 3;
  wave = other.load({0, 0});
  EXPECT_EQ(wave->run(), "");
  EXPECT_EQ(other.store(*wave)[3 * 16], 15);
}

TEST(MatrixSparseFaults, ChipsSizesAndLanes) {
  SparseCase test = caseOf(FlyCpuHandlerSmfmacF32_16x16x64F16, 0x950);
  EXPECT_EQ(Problem(test).load({8, 0})->run(), "cbsz 8 is unknown");
  auto wave = Problem(test).load({0, 0});
  wave->group.exec &= ~uint64_t{1};
  EXPECT_EQ(wave->run(), "a matrix operation needs all 64 lanes of the wave, "
                         "but only 63 are active");
  wave = Problem(test).load({0, 0});
  wave->pool[3] = 8;
  EXPECT_EQ(wave->run(), "operand 3 of the matrix operation has 8 bytes on "
                         "this chip, expected 4");
  test.chip = 0x942;
  EXPECT_EQ(Problem(test).load({0, 0})->run(),
            "the chip has no such matrix operation");
  test = caseOf(FlyCpuHandlerSmfmacF32_16x16x32F16, 0x942);
  test.chip = 0x90a;
  EXPECT_EQ(Problem(test).load({0, 0})->run(),
            "the chip has no such matrix operation");
}

TEST(MatrixSparseFaults, OperationOfAnotherChip) {
  SparseCase test = caseOf(FlyCpuHandlerSwmmacF32_16x16x64Bf16, 0x1250);
  test.chip = 0x1201;
  EXPECT_EQ(Problem(test).load({0, 0})->run(),
            "the chip has no such matrix operation");
}
