// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random layouts against the definitions of coalesce, composition, complement,
// divide and product. Where an operation refuses, the tests show that it had
// to, as far as trying all possibilities can show it.

#include "Oracle.h"

#include "Fly/Layout/Product.h"
#include "gtest/gtest.h"

#include <set>

using namespace fly::layout;
using namespace fly::layout::test;

namespace {

constexpr int cases = 4000;

/// Whether a table of indices is that of some layout of integer strides, by
/// trying each first mode.
bool isLayoutTable(const std::vector<Index> &table) {
  if (table.size() == 1)
    return table[0].empty();
  for (size_t first = 2; first <= table.size(); ++first) {
    if (table.size() % first != 0)
      continue;
    auto sum = [](const Index &a, const Index &b, int64_t times) {
      Index result = a;
      for (auto &[path, value] : b)
        result[path] += times * value;
      for (auto it = result.begin(); it != result.end();)
        it = it->second == 0 ? result.erase(it) : std::next(it);
      return result;
    };
    bool fits = table[1].size() <= 1;
    std::vector<Index> rest;
    for (size_t r = 0; fits && r < table.size() / first; ++r) {
      rest.push_back(table[r * first]);
      for (size_t c = 0; c < first; ++c)
        fits &= sum(rest.back(), table[1], c) == table[r * first + c];
    }
    if (fits && isLayoutTable(rest))
      return true;
  }
  return false;
}

/// Whether some layout over the modes of B has the table A(B(c)).
bool compositionExists(const PlainLayout &a, const PlainLayout &b) {
  int64_t before = 1;
  std::vector<std::vector<Index>> parts;
  for (const PlainLayout::Mode &mode : b.modes) {
    std::vector<Index> table;
    for (int64_t c = 0; c < mode.size; ++c)
      table.push_back(a.at(c * mode.stride));
    if (!isLayoutTable(table))
      return false;
    parts.push_back(std::move(table));
    before *= mode.size;
  }
  for (int64_t c = 0; c < before; ++c) {
    Index sum;
    int64_t rest = c;
    for (size_t i = 0; i < parts.size(); ++i) {
      for (auto &[path, value] : parts[i][rest % b.modes[i].size])
        sum[path] += value;
      rest /= b.modes[i].size;
    }
    for (auto it = sum.begin(); it != sum.end();)
      it = it->second == 0 ? sum.erase(it) : std::next(it);
    if (sum != a.at(b.indexAt(c)))
      return false;
  }
  return true;
}

std::multiset<int64_t> image(const PlainLayout &layout) {
  std::multiset<int64_t> result;
  for (int64_t c = 0; c < layout.size(); ++c)
    result.insert(layout.indexAt(c));
  return result;
}

bool isInjective(const PlainLayout &layout) {
  auto all = image(layout);
  return std::set<int64_t>(all.begin(), all.end()).size() == all.size();
}

/// The layout without its stride-0 modes.
PlainLayout filtered(PlainLayout layout) {
  auto isZero = [](const PlainLayout::Mode &m) { return m.stride == 0; };
  layout.modes.erase(
      std::remove_if(layout.modes.begin(), layout.modes.end(), isZero),
      layout.modes.end());
  return layout;
}

} // namespace

TEST(AlgebraProperty, Coalesce) {
  Random random(1);
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(5, 300);
    auto r = coalesce(l);
    ASSERT_TRUE(r) << l.str();
    PlainLayout want = plain(l), got = plain(*r);
    ASSERT_EQ(got.size(), want.size()) << l.str();
    for (int64_t c = 0; c < want.size(); ++c)
      ASSERT_EQ(got.at(c), want.at(c)) << l.str() << " -> " << r->str();
    // As few modes as possible: no neighbours that could merge.
    for (size_t k = 1; k < got.modes.size(); ++k)
      ASSERT_NE(got.modes[k - 1].size * got.modes[k - 1].stride,
                got.modes[k].stride)
          << r->str();
  }
}

TEST(AlgebraProperty, CoalesceByPattern) {
  Random random(2);
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(5, 300);
    auto r = coalesce(l, replaceLeaves(l.getShape(), 1));
    ASSERT_TRUE(r) << l.str();
    ASSERT_EQ(r->rank(), l.rank());
    for (size_t k = 0; k < l.rank(); ++k)
      ASSERT_EQ(image(plain((*r)[k])), image(plain(l[k]))) << l.str();
  }
}

TEST(AlgebraProperty, Composition) {
  Random random(3);
  int refused = 0;
  for (int i = 0; i < 4 * cases; ++i) {
    Layout a = random.layout(4, 200), b = random.layout(3, 60);
    PlainLayout pa = plain(a), pb = plain(b);
    auto r = composition(a, b);
    if (!r) {
      ++refused;
      ASSERT_EQ(r.error().label, "composition_c1");
      ASSERT_FALSE(compositionExists(pa, pb))
          << a.str() << " o " << b.str() << ": " << r.error().str();
      continue;
    }
    PlainLayout got = plain(*r);
    ASSERT_EQ(got.size(), pb.size()) << a.str() << " o " << b.str();
    for (int64_t c = 0; c < pb.size(); ++c)
      ASSERT_EQ(got.at(c), pa.at(pb.indexAt(c)))
          << a.str() << " o " << b.str() << " = " << r->str() << " at " << c;
  }
  EXPECT_GT(refused, 100);
  EXPECT_LT(refused, 3 * cases);
}

TEST(AlgebraProperty, CompositionIsAssociative) {
  Random random(4);
  int compared = 0;
  for (int i = 0; i < cases; ++i) {
    Layout a = random.layout(4, 200, true), b = random.layout(3, 60, true),
           c = random.layout(2, 16, true);
    auto ab = composition(a, b);
    auto bc = composition(b, c);
    if (!ab || !bc)
      continue;
    auto left = composition(*ab, c), right = composition(a, *bc);
    if (!left || !right)
      continue;
    // Within the size of B both sides mean the same.
    auto inB = cosize(c);
    if (!inB || inB->getValue() > plain(b).size())
      continue;
    ++compared;
    PlainLayout l = plain(*left), r = plain(*right);
    for (int64_t k = 0; k < l.size(); ++k)
      ASSERT_EQ(l.at(k), r.at(k))
          << a.str() << " o " << b.str() << " o " << c.str();
  }
  EXPECT_GT(compared, 100);
}

TEST(AlgebraProperty, CompositionThroughIdentity) {
  // A = identity over a shape gives coordinates; B over them selects.
  Random random(5);
  for (int i = 0; i < cases; ++i) {
    Layout a = *makeIdentityLayout(random.shape(4, 200));
    Layout b = random.layout(3, 60);
    PlainLayout pa = plain(a), pb = plain(b);
    auto r = composition(a, b);
    if (!r) {
      ASSERT_FALSE(compositionExists(pa, pb)) << a.str() << " o " << b.str();
      continue;
    }
    PlainLayout got = plain(*r);
    for (int64_t c = 0; c < pb.size(); ++c)
      ASSERT_EQ(got.at(c), pa.at(pb.indexAt(c)))
          << a.str() << " o " << b.str() << " = " << r->str();
  }
}

TEST(AlgebraProperty, Complement) {
  Random random(6);
  int given = 0;
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(4, 100);
    int64_t codomain = random.between(1, 200);
    auto r = complement(l, Int::constant(codomain));
    PlainLayout rest = filtered(plain(l));
    if (!r) {
      // Refused: indices repeat, go backwards, or no packing of the modes by
      // stride is without a gap.
      bool chain = isInjective(rest);
      auto modes = rest.modes;
      modes.erase(std::remove_if(modes.begin(), modes.end(),
                                 [](auto &m) { return m.size == 1; }),
                  modes.end());
      std::sort(modes.begin(), modes.end(),
                [](auto &x, auto &y) { return x.stride < y.stride; });
      int64_t end = 1;
      for (auto &m : modes) {
        chain &= m.stride > 0 && m.stride % end == 0;
        end = m.stride * m.size;
      }
      ASSERT_FALSE(chain) << l.str() << ": " << r.error().str();
      continue;
    }
    ++given;
    PlainLayout c = plain(*r);
    std::set<int64_t> covered;
    for (int64_t x : image(rest))
      for (int64_t y : image(c))
        ASSERT_TRUE(covered.insert(x + y).second)
            << l.str() << " and " << r->str() << " meet at " << x + y;
    for (int64_t k = 0; k < codomain; ++k)
      ASSERT_TRUE(covered.count(k))
          << l.str() << " and " << r->str() << " leave out " << k;
    for (size_t k = 1; k < c.modes.size(); ++k)
      ASSERT_LT(c.modes[k - 1].stride, c.modes[k].stride) << r->str();
  }
  EXPECT_GT(given, cases / 3);
}

TEST(AlgebraProperty, DivideByLayout) {
  Random random(7);
  int given = 0;
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(4, 120), t = random.layout(2, 12, true);
    auto r = logicalDivide(l, t);
    PlainLayout pl = plain(l), pt = plain(t);
    auto c = complement(t, Int::constant(pl.size()));
    if (!r) {
      ASSERT_TRUE(!c || !compositionExists(pl, plain(Layout::concat({t, *c}))))
          << l.str() << " / " << t.str() << ": " << r.error().str();
      continue;
    }
    ++given;
    PlainLayout tile = plain((*r)[0]), rest = plain((*r)[1]), pc = plain(*c);
    ASSERT_EQ(tile.size(), pt.size());
    for (int64_t x = 0; x < tile.size(); ++x)
      for (int64_t y = 0; y < rest.size(); ++y)
        ASSERT_EQ(tile.indexAt(x) + rest.indexAt(y),
                  pl.indexAt(pt.indexAt(x) + pc.indexAt(y)))
            << l.str() << " / " << t.str();
  }
  EXPECT_GT(given, cases / 4);
}

TEST(AlgebraProperty, DivisionsHoldTheSameOffsets) {
  Random random(8);
  int given = 0;
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(4, 200, true);
    if (l.isLeaf())
      continue;
    std::vector<Tile> elements;
    bool exact = true;
    for (size_t k = 0; k < std::min<size_t>(l.rank(), 2); ++k) {
      int64_t extent = plain(l[k]).size();
      int64_t n = random.between(1, std::max<int64_t>(extent, 2));
      if (random.chance(30)) {
        elements.push_back(Tile());
        continue;
      }
      exact &= extent % n == 0;
      elements.push_back(Tile(n));
    }
    Tile tile = Tile::list(elements);
    auto zipped = zippedDivide(l, tile);
    auto logical = logicalDivide(l, tile);
    auto flat = flatDivide(l, tile);
    auto tiled = tiledDivide(l, tile);
    ASSERT_EQ(bool(zipped), bool(logical)) << l.str() << " / " << tile.str();
    if (!zipped)
      continue;
    ASSERT_TRUE(flat && tiled);
    auto offsets = image(plain(*zipped));
    ASSERT_EQ(offsets, image(plain(*logical))) << l.str() << tile.str();
    ASSERT_EQ(offsets, image(plain(*flat))) << l.str() << tile.str();
    ASSERT_EQ(offsets, image(plain(*tiled))) << l.str() << tile.str();
    if (exact) {
      ++given;
      ASSERT_EQ(offsets, image(plain(l))) << l.str() << " / " << tile.str();
    }
  }
  EXPECT_GT(given, cases / 10);
}

TEST(AlgebraProperty, Products) {
  Random random(9);
  int given = 0;
  for (int i = 0; i < cases; ++i) {
    Layout a = random.layout(3, 24), b = random.layout(3, 12, true);
    auto r = logicalProduct(a, b);
    if (!r)
      continue;
    ++given;
    PlainLayout pa = plain(a), pb = plain(b);
    PlainLayout first = plain((*r)[0]), second = plain((*r)[1]);
    ASSERT_EQ(first.size(), pa.size());
    ASSERT_EQ(second.size(), pb.size());
    auto c = complement(a, Int::constant(pa.size() * (1 + [&] {
                                           int64_t top = 0;
                                           for (int64_t v : image(pb))
                                             top = std::max(top, v);
                                           return top;
                                         }())));
    ASSERT_TRUE(c);
    PlainLayout pc = plain(*c);
    for (int64_t x = 0; x < pa.size(); ++x)
      ASSERT_EQ(first.indexAt(x), pa.indexAt(x)) << a.str() << " x " << b.str();
    for (int64_t y = 0; y < pb.size(); ++y)
      ASSERT_EQ(second.indexAt(y), pc.indexAt(pb.indexAt(y)))
          << a.str() << " x " << b.str() << " = " << r->str();
    auto offsets = image(plain(*r));
    if (auto tiled = tiledProduct(a, b))
      ASSERT_EQ(offsets, image(plain(*tiled)));
    auto blocked = blockedProduct(a, b), raked = rakedProduct(a, b);
    ASSERT_TRUE(blocked && raked) << a.str() << " x " << b.str();
    ASSERT_EQ(offsets, image(plain(*blocked))) << a.str() << " x " << b.str();
    ASSERT_EQ(offsets, image(plain(*raked))) << a.str() << " x " << b.str();
    if (isInjective(filtered(pa)) && isInjective(pb) &&
        filtered(pa).size() == pa.size())
      ASSERT_TRUE(isInjective(plain(*r))) << a.str() << " x " << b.str();
  }
  EXPECT_GT(given, cases / 3);
}

TEST(AlgebraProperty, ConstructedLayoutsArePacked) {
  Random random(10);
  for (int i = 0; i < cases; ++i) {
    IntTuple shape = random.shape(5, 200);
    IntTuple order = shape.map([&](const Leaf &) {
      return Leaf(Int::constant(random.between(-2, 4)));
    });
    auto ordered = makeOrderedLayout(shape, order);
    ASSERT_TRUE(ordered);
    PlainLayout p = plain(*ordered);
    ASSERT_TRUE(isInjective(p)) << ordered->str();
    ASSERT_EQ(*image(p).rbegin(), p.size() - 1) << ordered->str();
    // Smaller order values lie closer.
    std::vector<int64_t> values;
    order.forEachLeaf(
        [&](const Leaf &l) { values.push_back(l.getInt().getValue()); });
    if (shape.numLeaves() > 1)
      for (size_t x = 0; x < values.size(); ++x)
        for (size_t y = 0; y < values.size(); ++y)
          if (values[x] < values[y])
            ASSERT_LE(p.modes[x].stride, p.modes[y].stride) << ordered->str();

    Layout l = random.layout(4, 200, true);
    auto fragment = makeFragmentLayout(l);
    ASSERT_TRUE(fragment) << l.str();
    PlainLayout f = plain(*fragment);
    ASSERT_EQ(f.size(), plain(l).size());
    ASSERT_TRUE(isInjective(f)) << l.str() << " -> " << fragment->str();
    ASSERT_EQ(*image(f).rbegin(), f.size() - 1) << fragment->str();
    auto like = makeLayoutLike(l);
    ASSERT_TRUE(like) << l.str();
    ASSERT_TRUE(isInjective(plain(*like))) << l.str() << " " << like->str();
  }
}

TEST(AlgebraProperty, TileToShape) {
  Random random(11);
  for (int i = 0; i < cases; ++i) {
    IntTuple blockShape =
        IntTuple::tuple({random.between(1, 4), random.between(1, 4)});
    Layout block(blockShape, *compactColMajor(blockShape));
    IntTuple target =
        IntTuple::tuple({random.between(1, 20), random.between(1, 20)});
    IntTuple order =
        random.chance(50) ? IntTuple::tuple({0, 1}) : IntTuple::tuple({1, 0});
    auto r = tileToShape(block, target, order);
    ASSERT_TRUE(r) << block.str() << target.str();
    PlainLayout p = plain(*r);
    for (int k = 0; k < 2; ++k) {
      int64_t b = blockShape[k].getInt().getValue();
      int64_t t = target[k].getInt().getValue();
      ASSERT_EQ(plain((*r)[k]).size(), (t + b - 1) / b * b);
    }
    ASSERT_TRUE(isInjective(p));
    ASSERT_EQ(*image(p).rbegin(), p.size() - 1) << r->str();
  }
}
