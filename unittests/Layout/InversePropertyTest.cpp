// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random layouts against the definitions of the inverses, of recast and of
// index to coordinate.

#include "Oracle.h"

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Parse.h"
#include "Fly/Layout/Recast.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace fly::layout;
using namespace fly::layout::test;

namespace {

constexpr int cases = 4000;

/// Index of coordinate number `c` through all levels of composition.
int64_t indexOf(const AnyLayout &layout, int64_t c) {
  auto index = crd2idx(IntTuple(c), layout);
  EXPECT_TRUE(index) << layout.str();
  return index && index->isLeaf() ? index->getInt().getValue() : -1;
}

/// The spec's rule for static layouts: how far the indices run from 0 when
/// modes are taken by ascending stride.
int64_t contiguousRun(const PlainLayout &layout) {
  std::vector<std::pair<PlainLayout::Mode, size_t>> modes;
  for (const PlainLayout::Mode &mode : layout.modes)
    modes.push_back({mode, modes.size()});
  // Of equal strides the first one counts.
  std::sort(modes.begin(), modes.end(), [](auto &a, auto &b) {
    return a.first.stride != b.first.stride ? a.first.stride < b.first.stride
                                            : a.second < b.second;
  });
  int64_t end = 1;
  for (auto &[m, position] : modes)
    if (m.stride == end && m.size > 1)
      end *= m.size;
  return end;
}

} // namespace

TEST(InverseProperty, Right) {
  Random random(21);
  int proper = 0;
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(5, 300);
    auto r = rightInverse(l);
    ASSERT_TRUE(r) << l.str();
    PlainLayout pl = plain(l), pr = plain(*r);
    ASSERT_GE(pr.size(), contiguousRun(pl)) << l.str() << " -> " << r->str();
    for (int64_t k = 0; k < pr.size(); ++k)
      ASSERT_EQ(pl.indexAt(pr.indexAt(k)), k) << l.str() << " -> " << r->str();
    proper += pr.size() > 1;
  }
  EXPECT_GT(proper, cases / 4);
}

TEST(InverseProperty, Left) {
  Random random(22);
  int given = 0;
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(5, 300);
    auto r = leftInverse(l);
    PlainLayout pl = plain(l);
    // Visit the coordinates whose digits along stride 0 are 0.
    std::set<int64_t> indices;
    bool injective = true, aligned = true, forward = true;
    std::vector<PlainLayout::Mode> modes;
    for (auto &m : pl.modes)
      if (m.stride != 0 && m.size > 1)
        modes.push_back(m);
    std::sort(modes.begin(), modes.end(),
              [](auto &a, auto &b) { return a.stride < b.stride; });
    int64_t below = 1, end = 1;
    for (auto &m : modes) {
      forward &= m.stride > 0;
      aligned &= m.stride % below == 0 && m.stride >= end;
      below = m.stride;
      end = m.stride * m.size;
    }
    for (int64_t c = 0; c < pl.size(); ++c) {
      int64_t rest = c;
      bool zero = true;
      for (auto &m : pl.modes) {
        zero &= m.stride != 0 || rest % m.size == 0;
        rest /= m.size;
      }
      if (!zero)
        continue;
      injective &= indices.insert(pl.indexAt(c)).second;
      if (r)
        ASSERT_EQ(plain(*r).indexAt(pl.indexAt(c)), c)
            << l.str() << " -> " << r->str();
    }
    if (r)
      ++given;
    else
      ASSERT_TRUE(!injective || !aligned || !forward)
          << l.str() << ": " << r.error().str();
    if (!injective)
      ASSERT_FALSE(r) << l.str();
  }
  EXPECT_GT(given, cases / 3);
}

TEST(InverseProperty, OfPermutationsBothAgree) {
  Random random(23);
  for (int i = 0; i < cases / 4; ++i) {
    IntTuple shape = random.shape(4, 200);
    Layout l(shape, *compactColMajor(shape));
    auto left = leftInverse(l), right = rightInverse(l);
    ASSERT_TRUE(left && right);
    for (int64_t k = 0; k < plain(l).size(); ++k)
      ASSERT_EQ(plain(*left).indexAt(k), plain(*right).indexAt(k)) << l.str();
  }
}

TEST(InverseProperty, OfSwizzledLayouts) {
  Random random(24);
  int right = 0, left = 0;
  for (int i = 0; i < cases / 4; ++i) {
    int mask = random.between(1, 3), base = random.between(0, 2);
    int shift = random.between(1, 4);
    Swizzle s = *Swizzle::get(mask, base, shift);
    Layout linear = random.layout(3, 128, true);
    int64_t offset = random.chance(40) ? random.between(1, 20) : 0;
    AnyLayout l = ComposedLayout(InnerMap(s), IntTuple(offset), linear);
    if (auto r = rightInverse(l)) {
      ++right;
      int64_t n = plain(r->getLinear()).size();
      for (int64_t k = 0; k < n; ++k)
        ASSERT_EQ(indexOf(l, indexOf(*r, k)), k) << l.str() << " " << r->str();
    }
    if (auto r = leftInverse(l)) {
      bool zeros = false;
      for (auto &m : plain(linear).modes)
        zeros |= m.stride == 0;
      if (zeros)
        continue;
      ++left;
      for (int64_t c = 0; c < plain(linear).size(); ++c)
        ASSERT_EQ(indexOf(*r, indexOf(l, c)), c) << l.str() << " " << r->str();
    }
  }
  EXPECT_GT(right, 50);
  EXPECT_GT(left, 50);
}

TEST(InverseProperty, SwizzlesAreBijections) {
  for (int mask = 0; mask <= 4; ++mask)
    for (int base = 0; base <= 3; ++base)
      for (int shift = mask ? 1 : 0; shift <= 4; ++shift) {
        Swizzle s = *Swizzle::get(mask, base, shift);
        int64_t period = int64_t(1) << (mask + base + shift);
        std::set<int64_t> seen;
        for (int64_t x = 0; x < 2 * period; ++x) {
          int64_t bits = ((int64_t(1) << mask) - 1) << (base + shift);
          int64_t y = apply(s, Int::constant(x)).getValue();
          ASSERT_EQ(y, x ^ ((x & bits) >> shift));
          ASSERT_TRUE(seen.insert(y).second);
        }
        ASSERT_EQ(*seen.rbegin(), 2 * period - 1);
      }
}

//===----------------------------------------------------------------------===//
// Recast
//===----------------------------------------------------------------------===//

/// The bits that a layout reaches, with how often.
static std::multiset<int64_t> bitsOf(const AnyLayout &layout, int64_t size,
                                     int64_t bits) {
  std::multiset<int64_t> result;
  for (int64_t c = 0; c < size; ++c) {
    int64_t first = indexOf(layout, c) * bits;
    for (int64_t b = 0; b < bits; ++b)
      result.insert(first + b);
  }
  return result;
}

TEST(RecastProperty, KeepsTheBits) {
  Random random(25);
  const std::vector<int64_t> widths{4, 8, 16, 24, 32, 64};
  int given = 0;
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(4, 100);
    int64_t from = random.pick(widths), to = random.pick(widths);
    auto r = recast(l, from, to);
    if (!r)
      continue;
    ++given;
    ASSERT_EQ(bitsOf(l, plain(l).size(), from),
              bitsOf(*r, plain(*r).size(), to))
        << l.str() << " " << from << " -> " << to << ": " << r->str();
  }
  EXPECT_GT(given, cases / 4);
}

TEST(RecastProperty, AcceptsWholeGroups) {
  // A packed layout whose mode of stride 1 is a multiple of the ratio.
  Random random(26);
  for (int i = 0; i < cases / 4; ++i) {
    int64_t ratio = int64_t(1) << random.between(0, 3);
    int64_t n = ratio * random.between(1, 5), m = random.between(1, 6);
    Layout l = random.chance(50) ? *parseLayout("(2,3):(1,2)") : Layout();
    l = random.chance(50)
            ? Layout(IntTuple::tuple({n, m}), IntTuple::tuple({1, n}))
            : Layout(IntTuple::tuple({m, n}), IntTuple::tuple({n, 1}));
    auto up = recast(l, 8, 8 * ratio);
    ASSERT_TRUE(up) << l.str() << " by " << ratio;
    auto back = recast(*up, 8 * ratio, 8);
    ASSERT_TRUE(back) << up->str();
    ASSERT_EQ(bitsOf(l, n * m, 8), bitsOf(*back, n * m, 8));
  }
}

TEST(RecastProperty, OfSwizzledLayouts) {
  Random random(27);
  int given = 0;
  for (int i = 0; i < cases / 4; ++i) {
    Swizzle s = *Swizzle::get(random.between(0, 3), random.between(0, 4),
                              random.between(1, 4));
    int64_t offset = random.chance(50) ? 0 : random.between(1, 32);
    AnyLayout l = ComposedLayout(InnerMap(s), IntTuple(offset),
                                 random.layout(3, 128, true));
    int64_t from = 8, to = random.chance(50) ? 16 : 32;
    if (random.chance(40))
      std::swap(from, to);
    auto r = recast(l, from, to);
    if (!r)
      continue;
    ++given;
    ASSERT_EQ(bitsOf(l, plain(l.getLinear()).size(), from),
              bitsOf(*r, plain(r->getLinear()).size(), to))
        << l.str() << " " << from << " -> " << to << ": " << r->str();
  }
  EXPECT_GT(given, 50);
}

//===----------------------------------------------------------------------===//
// Indices and coordinates
//===----------------------------------------------------------------------===//

TEST(EvaluateProperty, IndexOfCoordinate) {
  Random random(28);
  for (int i = 0; i < cases / 2; ++i) {
    Layout l = random.layout(5, 300);
    PlainLayout p = plain(l);
    for (int64_t c = 0; c < p.size() + 5; ++c) {
      ASSERT_EQ(indexOf(l, c), p.indexAt(c)) << l.str() << " at " << c;
      auto coord = idx2crdColMajor(Int::constant(c), l.getShape());
      ASSERT_TRUE(coord);
      ASSERT_EQ(crd2idxColMajor(*coord, l.getShape())->getValue(), c);
      if (c < p.size())
        ASSERT_EQ(*crd2idx(*coord, l), IntTuple(p.indexAt(c)));
    }
  }
}

TEST(EvaluateProperty, CoordinateOfIndex) {
  Random random(29);
  for (int i = 0; i < cases / 2; ++i) {
    Layout l = random.layout(4, 150);
    PlainLayout p = plain(l);
    for (int64_t c = 0; c < p.size(); ++c) {
      int64_t k = p.indexAt(c);
      auto coord = idx2crd(IntTuple(k), l);
      ASSERT_TRUE(coord) << l.str();
      ASSERT_EQ(*crd2idx(*coord, l), IntTuple(k))
          << l.str() << " index " << k << " -> " << coord->str();
      auto number = get1DCoord(IntTuple(k), l);
      ASSERT_TRUE(number);
      ASSERT_EQ(p.indexAt(number->getInt().getValue()), k) << l.str();
      auto flat = getFlatCoord(IntTuple(k), l);
      ASSERT_TRUE(flat);
      ASSERT_EQ(*crd2idx(*flat, l), IntTuple(k)) << l.str();
    }
  }
}

TEST(EvaluateProperty, CosizeIsTheExtent) {
  Random random(30);
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(5, 300);
    AnyLayout any = l;
    if (random.chance(30))
      any = ComposedLayout(
          InnerMap(*Swizzle::get(random.between(0, 3), random.between(0, 3),
                                 random.between(1, 3))),
          IntTuple(random.between(0, 20)), l);
    int64_t low = INT64_MAX, high = INT64_MIN;
    bool negative = false;
    for (int64_t c = 0; c < plain(l).size(); ++c) {
      int64_t k = indexOf(any, c);
      negative |= plain(l).indexAt(c) < 0;
      low = std::min(low, k);
      high = std::max(high, k);
    }
    if (negative && any.isComposed())
      continue; // swizzles are for addresses
    ASSERT_EQ(cosize(any)->getValue(), 1 + high - std::min<int64_t>(low, 0))
        << any.str();
  }
}
