// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What run-time values must keep: where all requirements of an operation hold,
// its symbolic result meets the definition, whatever the numbers.

#include "Oracle.h"

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Product.h"
#include "Fly/Layout/Recast.h"
#include "Fly/Layout/Requirements.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace fly::layout;
using namespace fly::layout::test;

namespace {

constexpr int cases = 3000;
constexpr int variants = 8;

Result<int64_t> valueOf(const Int &value, const Assignment &values) {
  return evaluate(value, [&](const Expr &symbol) {
    return values.at(symbol.getSymbolId());
  });
}

/// Whether all requirements hold and all leaves have a value.
bool isPromised(llvm::ArrayRef<Requirement> requirements,
                llvm::ArrayRef<Int> leaves, const Assignment &values) {
  for (const Requirement &requirement : requirements) {
    auto holds = valueOf(requirement.holds, values);
    if (!holds || *holds == 0)
      return false;
  }
  for (const Int &leaf : leaves)
    if (!valueOf(leaf, values))
      return false;
  return true;
}

llvm::SmallVector<Int> leavesOf(const Layout &layout) {
  auto leaves = layout.getShape().dynamicInts();
  auto strides = layout.getStride().dynamicInts();
  leaves.append(strides.begin(), strides.end());
  return leaves;
}

/// Other numbers that keep what the symbols' divisors promise.
Assignment vary(Random &random, const Assignment &values,
                llvm::ArrayRef<Int> symbols) {
  Assignment other = values;
  for (const Int &symbol : symbols)
    if (random.chance(50))
      other[symbol.getExpr()->getSymbolId()] =
          random.between(random.chance(20) ? -2 : 1, 8) *
          std::max<int64_t>(symbol.getDivisibility(), 1);
  return other;
}

struct Tally {
  int held = 0, broken = 0;
};

/// Runs `op` on random symbolic layouts and judges each result that all
/// requirements promise with `judge`, which answers "" or what is wrong.
Tally judgeAll(
    uint64_t seed,
    llvm::function_ref<Result<Layout>(const Layout &, const Layout &)> op,
    llvm::function_ref<std::string(const PlainLayout &, const PlainLayout &,
                                   const PlainLayout &)>
        judge) {
  Random random(seed);
  Tally tally;
  for (int i = 0; i < cases; ++i) {
    Layout a = random.layout(3, 120, true), b = random.layout(2, 24, true);
    Assignment values;
    Layout sa = random.symbolic(a, values, 35);
    Layout sb = random.symbolic(b, values, 35);
    RequirementScope scope;
    auto got = op(sa, sb);
    if (!got || values.empty())
      continue;
    auto symbols = leavesOf(sa), more = leavesOf(sb), leaves = leavesOf(*got);
    symbols.append(more.begin(), more.end());
    for (int k = 0; k < variants; ++k) {
      Assignment numbers = k ? vary(random, values, symbols) : values;
      if (!isPromised(scope.get(), leaves, numbers)) {
        ++tally.broken;
        continue;
      }
      ++tally.held;
      PlainLayout pa = plain(sa, numbers), pb = plain(sb, numbers);
      bool positive = true;
      for (const PlainLayout *p : {&pa, &pb})
        for (const PlainLayout::Mode &mode : p->modes)
          positive &= mode.size > 0;
      if (!positive || pa.size() > 4096 || pb.size() > 4096)
        continue; // extents below 1 are no coordinates to visit
      PlainLayout result = plain(*got, numbers);
      EXPECT_EQ(judge(pa, pb, result), "")
          << sa.str() << " and " << sb.str() << ": " << plain(sa, numbers).str()
          << " and " << plain(sb, numbers).str() << " give " << result.str();
      if (::testing::Test::HasFailure())
        return tally;
    }
  }
  return tally;
}

} // namespace

TEST(Requirements, AreCollectedByTheInnermostScope) {
  Int x = Int::symbol(0), y = Int::symbol(1);
  RequirementScope outer;
  {
    RequirementScope inner;
    ASSERT_TRUE(shapeDiv(x, y));
    ASSERT_EQ(inner.get().size(), 1u);
    EXPECT_EQ(inner.get()[0].str(),
              "one of ? and ? divides the other [shape_div_c1]");
    for (auto [a, b, holds] : {std::tuple(12, 4, 1), std::tuple(4, 12, 1),
                               std::tuple(12, 5, 0), std::tuple(0, 5, 1)}) {
      auto value = valueOf(inner.get()[0].holds, {{0, a}, {1, b}});
      ASSERT_TRUE(value);
      EXPECT_EQ(*value, holds) << a << " and " << b;
    }
  }
  EXPECT_TRUE(outer.get().empty());
  ASSERT_TRUE(shapeDiv(Int::constant(12), Int::constant(4)));
  EXPECT_TRUE(outer.get().empty());
}

TEST(Requirements, KnownToBeBroken) {
  Layout gaps(IntTuple::tuple({3, 5}), IntTuple::tuple({1, 4}));
  RequirementScope scope;
  ASSERT_TRUE(idx2crd(IntTuple(3), gaps));
  ASSERT_EQ(scope.get().size(), 1u);
  EXPECT_TRUE(scope.get()[0].holds.isStatic(0));
  EXPECT_EQ(scope.get()[0].str(), "3 is an index of (3,5):(1,4) [idx2crd_c4]");
}

TEST(Requirements, ChangeNothingInTheResult) {
  // The graph that is read stays the same whether somebody collects or not.
  Layout a(IntTuple::tuple({Int::symbol(0), 8}), IntTuple::tuple({1, 64}));
  Layout b(IntTuple(4), IntTuple(2));
  auto plainly = composition(a, b);
  RequirementScope scope;
  auto collected = composition(a, b);
  ASSERT_TRUE(plainly && collected);
  EXPECT_FALSE(scope.get().empty());
  EXPECT_TRUE(sameTuple(plainly->getShape(), collected->getShape()));
  EXPECT_EQ(collectExprs(leavesOf(*plainly)).size(),
            collectExprs(leavesOf(*collected)).size());
}

TEST(Requirements, OfComposition) {
  Tally tally = judgeAll(
      61, [](auto &a, auto &b) { return composition(a, b); },
      [](auto &a, auto &b, auto &r) -> std::string {
        if (r.size() != b.size())
          return "another size";
        for (int64_t c = 0; c < b.size(); ++c)
          if (r.at(c) != a.at(b.indexAt(c)))
            return "differs at " + std::to_string(c);
        return "";
      });
  EXPECT_GT(tally.held, cases);
  EXPECT_GT(tally.broken, cases);
}

TEST(Requirements, OfComplement) {
  Tally tally = judgeAll(
      62, [](auto &a, auto &) { return complement(a, Int::constant(60)); },
      [](auto &a, auto &, auto &r) -> std::string {
        PlainLayout rest = a;
        for (auto &mode : rest.modes)
          if (mode.stride == 0)
            mode.size = 1;
        std::set<int64_t> covered;
        for (int64_t x = 0; x < rest.size(); ++x)
          for (int64_t y = 0; y < r.size(); ++y)
            if (!covered.insert(rest.indexAt(x) + r.indexAt(y)).second)
              return "repeats an index";
        for (int64_t k = 0; k < 60; ++k)
          if (rest.size() > 0 && !covered.count(k))
            return "leaves out " + std::to_string(k);
        return "";
      });
  EXPECT_GT(tally.held, cases);
  EXPECT_GT(tally.broken, cases / 4);
}

TEST(Requirements, OfLeftInverse) {
  Tally tally = judgeAll(
      63, [](auto &a, auto &) { return leftInverse(a); },
      [](auto &a, auto &, auto &r) -> std::string {
        for (int64_t c = 0; c < a.size(); ++c) {
          int64_t rest = c, place = 1, number = 0;
          for (auto &mode : a.modes) {
            if (mode.stride != 0)
              number += rest % mode.size * place;
            rest /= mode.size;
            place *= mode.size;
          }
          if (number == c && r.indexAt(a.indexAt(c)) != c)
            return "does not find " + std::to_string(c);
        }
        return "";
      });
  EXPECT_GT(tally.held, cases);
  EXPECT_GT(tally.broken, cases / 8);
}

TEST(Requirements, OfLogicalDivide) {
  Tally tally = judgeAll(
      64, [](auto &a, auto &b) { return logicalDivide(a, b); },
      [](auto &a, auto &b, auto &r) -> std::string {
        for (int64_t c = 0; c < b.size(); ++c)
          if (r.at(c) != a.at(b.indexAt(c)))
            return "the tile differs at " + std::to_string(c);
        std::multiset<int64_t> have, want;
        for (int64_t c = 0; c < r.size(); ++c)
          have.insert(r.indexAt(c));
        for (int64_t c = 0; c < a.size(); ++c)
          want.insert(a.indexAt(c));
        // A tile of stride 0 repeats its offsets.
        for (auto &mode : b.modes)
          if (mode.stride == 0)
            return "";
        return std::includes(have.begin(), have.end(), want.begin(), want.end())
                   ? ""
                   : "offsets are lost";
      });
  EXPECT_GT(tally.held, cases / 4);
  EXPECT_GT(tally.broken, cases / 4);
}

TEST(Requirements, OfRecast) {
  Tally tally = judgeAll(
      65, [](auto &a, auto &) { return recast(a, 8, 16); },
      [](auto &a, auto &, auto &r) -> std::string {
        std::multiset<int64_t> bytes, want;
        for (int64_t c = 0; c < r.size(); ++c)
          for (int64_t half = 0; half < 2; ++half)
            bytes.insert(2 * r.indexAt(c) + half);
        for (int64_t c = 0; c < a.size(); ++c)
          want.insert(a.indexAt(c));
        return bytes == want ? "" : "the bits differ";
      });
  EXPECT_GT(tally.held, cases / 4);
  EXPECT_GT(tally.broken, cases / 20);
}

TEST(Requirements, OfIndexToCoordinate) {
  Random random(66);
  int held = 0, broken = 0;
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(3, 120);
    Assignment values;
    Layout s = random.symbolic(l, values, 35);
    unsigned id = values.size();
    values[id] = 0;
    RequirementScope scope;
    auto coord = idx2crd(IntTuple(Int::symbol(id)), s);
    if (!coord)
      continue;
    auto symbols = leavesOf(s), leaves = coord->dynamicInts();
    for (int k = 0; k < variants; ++k) {
      Assignment numbers = vary(random, values, symbols);
      numbers[id] = random.between(-1, 60);
      if (!isPromised(scope.get(), leaves, numbers)) {
        ++broken;
        continue;
      }
      ++held;
      PlainLayout p = plain(s, numbers);
      size_t next = 0;
      int64_t index = 0;
      coord->forEachLeaf([&](const Leaf &leaf) {
        int64_t digit = number(leaf.getInt(), numbers);
        ASSERT_TRUE(digit >= 0 &&
                    digit < std::max<int64_t>(std::abs(p.modes[next].size), 1))
            << s.str();
        index += digit * p.modes[next++].stride;
      });
      ASSERT_EQ(index, numbers[id]) << s.str();
    }
  }
  EXPECT_GT(held, cases);
  EXPECT_GT(broken, cases);
}
