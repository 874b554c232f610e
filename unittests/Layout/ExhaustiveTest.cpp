// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All layouts of up to three modes with sizes and strides up to a small bound,
// against the definitions. What the random tests sample, these leave no hole
// in.

#include "Oracle.h"

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Product.h"
#include "gtest/gtest.h"

#include <set>

using namespace fly::layout;
using namespace fly::layout::test;

namespace {

/// All layouts of `modes` modes with sizes 1...maxSize, strides 0...maxStride.
std::vector<Layout> allLayouts(int modes, int64_t maxSize, int64_t maxStride) {
  std::vector<Layout> result;
  int64_t choices = maxSize * (maxStride + 1), count = 1;
  for (int i = 0; i < modes; ++i)
    count *= choices;
  for (int64_t n = 0; n < count; ++n) {
    std::vector<Layout> parts;
    for (int64_t rest = n, i = 0; i < modes; ++i, rest /= choices)
      parts.push_back(
          Layout(1 + rest % choices % maxSize, rest % choices / maxSize));
    result.push_back(modes == 1 ? parts[0] : Layout::concat(parts));
  }
  return result;
}

/// The layout with the strides negated whose bit is set in `signs`.
Layout withSigns(const Layout &layout, int64_t signs) {
  std::vector<Layout> parts;
  for (size_t i = 0; i < layout.rank(); ++i) {
    int64_t stride = layout[i].getStride().getInt().getValue();
    parts.push_back(
        Layout(layout[i].getShape(), (signs >> i) & 1 ? -stride : stride));
  }
  return Layout::concat(parts);
}

} // namespace

TEST(Exhaustive, CoalesceAndInverses) {
  for (int modes = 1; modes <= 3; ++modes)
    for (const Layout &l : allLayouts(modes, 3, 6)) {
      PlainLayout p = plain(l);
      PlainLayout joined = plain(*coalesce(l)), right = plain(*rightInverse(l));
      for (int64_t c = 0; c < p.size(); ++c)
        ASSERT_EQ(joined.indexAt(c), p.indexAt(c)) << l.str();
      for (int64_t k = 0; k < right.size(); ++k)
        ASSERT_EQ(p.indexAt(right.indexAt(k)), k) << l.str();
      auto left = leftInverse(l);
      if (!left)
        continue;
      PlainLayout q = plain(*left);
      for (int64_t c = 0; c < p.size(); ++c) {
        bool zero = true;
        int64_t rest = c;
        for (auto &m : p.modes) {
          zero &= m.stride != 0 || rest % m.size == 0;
          rest /= m.size;
        }
        if (zero)
          ASSERT_EQ(q.indexAt(p.indexAt(c)), c) << l.str() << left->str();
      }
    }
}

TEST(Exhaustive, CompositionWithOneMode) {
  // Of one mode a result is found exactly if there is one.
  for (const Layout &a : allLayouts(2, 4, 5)) {
    PlainLayout pa = plain(a);
    for (const Layout &b : allLayouts(1, 8, 5)) {
      PlainLayout pb = plain(b);
      auto r = composition(a, b);
      if (r) {
        PlainLayout pr = plain(*r);
        ASSERT_EQ(pr.size(), pb.size());
        for (int64_t c = 0; c < pb.size(); ++c)
          ASSERT_EQ(pr.indexAt(c), pa.indexAt(pb.indexAt(c)))
              << a.str() << " o " << b.str() << " = " << r->str();
        continue;
      }
      // Refused: neither one mode nor two have the table.
      int64_t n = pb.size();
      for (int64_t inner = 1; inner <= n; ++inner) {
        if (n % inner != 0)
          continue;
        int64_t d0 = n > 1 ? pa.indexAt(pb.indexAt(1)) : 0;
        int64_t d1 = inner < n ? pa.indexAt(pb.indexAt(inner)) : 0;
        bool fits = true;
        for (int64_t c = 0; c < n; ++c)
          fits &= pa.indexAt(pb.indexAt(c)) ==
                  (inner > 1 ? c % inner * d0 : 0) + c / inner * d1;
        ASSERT_FALSE(fits) << a.str() << " o " << b.str();
      }
    }
  }
}

TEST(Exhaustive, ComplementAndDivide) {
  for (const Layout &forward : allLayouts(2, 4, 8))
    for (int64_t signs = 0; signs < 4; ++signs)
      for (int64_t codomain : {1, 7, 16}) {
        Layout l = withSigns(forward, signs);
        auto r = complement(l, Int::constant(codomain));
        // The sign of a stride moves the image, and the codomain with it.
        auto magnitude = complement(forward, Int::constant(codomain));
        ASSERT_EQ(bool(r), bool(magnitude)) << l.str();
        if (!r)
          continue;
        ASSERT_EQ(*r, *magnitude) << l.str();
        std::set<int64_t> image, sums;
        PlainLayout p = plain(l), c = plain(*r);
        for (int64_t x = 0; x < p.size(); ++x)
          image.insert(p.indexAt(x));
        for (int64_t x : image)
          for (int64_t y = 0; y < c.size(); ++y)
            ASSERT_TRUE(sums.insert(x + c.indexAt(y)).second)
                << l.str() << " and " << r->str();
        for (int64_t k = 0; k < codomain; ++k)
          ASSERT_TRUE(sums.count(*image.begin() + k))
              << l.str() << " and " << r->str();
      }
  // A compact layout divided by any tile, also one that does not divide it.
  for (int64_t size = 1; size <= 24; ++size)
    for (int64_t n = 1; n <= 24; ++n) {
      auto r = zippedDivide(Layout(size, 3), Tile(n));
      ASSERT_TRUE(r);
      PlainLayout tile = plain((*r)[0]), rest = plain((*r)[1]);
      ASSERT_EQ(tile.size(), n);
      ASSERT_EQ(rest.size(), (size + n - 1) / n);
      for (int64_t x = 0; x < n; ++x)
        for (int64_t y = 0; y < rest.size(); ++y)
          ASSERT_EQ(tile.indexAt(x) + rest.indexAt(y), 3 * (x + n * y));
    }
}

TEST(Exhaustive, LeafArithmetic) {
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b = -9; b <= 9; ++b) {
      Int x = Int::constant(a), y = Int::constant(b);
      EXPECT_EQ(add(x, y)->getValue(), a + b);
      EXPECT_EQ(sub(x, y)->getValue(), a - b);
      EXPECT_EQ(mul(x, y)->getValue(), a * b);
      EXPECT_EQ(min(x, y)->getValue(), std::min(a, b));
      EXPECT_EQ(max(x, y)->getValue(), std::max(a, b));
      EXPECT_EQ(cmp(ExprKind::Le, x, y).getValue(), a <= b);
      ASSERT_EQ(bool(div(x, y)), b != 0);
      if (b == 0)
        continue;
      EXPECT_EQ(div(x, y)->getValue(), a / b);
      EXPECT_EQ(mod(x, y)->getValue(), a % b);
      EXPECT_EQ(bool(safeDiv(x, y)), a % b == 0);
      int64_t up = ceilDiv(x, y)->getValue();
      EXPECT_TRUE(b > 0 ? (up * b >= a && (up - 1) * b < a)
                        : (up * b <= a && (up - 1) * b > a))
          << a << " / " << b;
      // The same on run-time values.
      Assignment values{{0, a}, {1, b}};
      Int u = Int::symbol(0), v = Int::symbol(1);
      EXPECT_EQ(number(*add(u, v), values), a + b);
      EXPECT_EQ(number(*sub(u, v), values), a - b);
      EXPECT_EQ(number(*mul(u, v), values), a * b);
      EXPECT_EQ(number(*div(u, v), values), a / b);
      EXPECT_EQ(number(*mod(u, v), values), a % b);
      EXPECT_EQ(number(*ceilDiv(u, v), values), up);
      EXPECT_EQ(number(cmp(ExprKind::Ne, u, v), values), a != b);
      EXPECT_EQ(number(logicalAnd(u, v), values), a && b);
      EXPECT_EQ(number(logicalOr(u, v), values), a || b);
      EXPECT_EQ(number(logicalNot(u), values), !a);
    }
}
