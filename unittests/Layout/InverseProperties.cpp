// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of the inverses and of recast.

#include "Property.h"

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Recast.h"

#include <cstdlib>

using namespace fly::layout;
using namespace fly::layout::test;

namespace {

/// Index of coordinate number `c` through all levels of composition.
int64_t indexOf(const AnyLayout &layout, int64_t c) {
  auto index = crd2idx(IntTuple(c), layout);
  EXPECT_TRUE(index) << layout.str();
  return index && index->isLeaf() ? index->getInt().getValue() : -1;
}

/// The least that a right inverse must cover: how far the indices run from 0
/// when modes are taken by ascending stride, of equal ones the first.
int64_t contiguousRun(const PlainLayout &layout) {
  std::vector<std::pair<PlainLayout::Mode, size_t>> modes;
  for (const PlainLayout::Mode &mode : layout.modes)
    modes.push_back({mode, modes.size()});
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

bool hasZeroStride(const PlainLayout &layout) {
  return filtered(layout).modes.size() != layout.modes.size();
}

} // namespace

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

FLY_PROPERTY(RightInverse, 5000, 100) {
  Random &random = trial.random;
  Layout l = random.chance(70) ? random.layout(5, 300)
                               : random.wildLayout(4, 100, -2, 8);
  trial.given(l);
  auto r = rightInverse(l);
  ASSERT_TRUE(r);
  PlainLayout pl = plain(l), pr = plain(*r);
  ASSERT_GE(pr.size(), contiguousRun(pl)) << r->str();
  for (int64_t k = 0; k < pr.size(); ++k)
    ASSERT_EQ(pl.indexAt(pr.indexAt(k)), k) << r->str();
}

FLY_PROPERTY(RightInverseAtRunTime, 3000, 100) {
  // Sizes at run time, strides static or the very same values: what continues
  // the run counts, and the run is never shorter than without it.
  Random &random = trial.random;
  std::vector<Layout> modes;
  Assignment values;
  PlainLayout p;
  Int running = Int::constant(1);
  int64_t now = 1;
  for (int i = 0, n = random.between(1, 4); i < n; ++i) {
    int64_t size = random.between(1, 5);
    Int extent = Int::constant(size);
    if (random.chance(50)) {
      unsigned id = values.size();
      values[id] = size;
      extent = Int::symbol(id);
    }
    modes.push_back(Layout(extent, running));
    p.modes.push_back({size, now, {}});
    running = *mul(running, extent);
    now *= size;
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < modes.size(); ++i)
    order.push_back(i);
  std::shuffle(order.begin(), order.end(),
               std::mt19937_64(random.between(0, 1000)));
  std::vector<Layout> shuffled;
  PlainLayout q;
  for (size_t i : order) {
    shuffled.push_back(modes[i]);
    q.modes.push_back(p.modes[i]);
  }
  Layout l = Layout::concat(shuffled);
  trial.given(l);
  auto r = rightInverse(l);
  ASSERT_TRUE(r);
  PlainLayout pr = plain(*r, values);
  for (int64_t k = 0; k < pr.size(); ++k)
    ASSERT_EQ(q.indexAt(pr.indexAt(k)), k) << r->str();
  // Every mode continues the one before: the inverse covers all, unless two
  // modes could be mixed up (a run-time size that is 1).
  bool ones = false;
  for (auto &[id, value] : values)
    ones |= value == 1;
  if (!ones)
    ASSERT_EQ(pr.size(), now) << r->str();
}

static void checkLeftInverse(Trial &trial, const Layout &l) {
  trial.given(l);
  auto r = leftInverse(l);
  PlainLayout pl = plain(l);
  std::map<int64_t, int64_t> numbers;
  bool injective = true;
  for (int64_t c = 0; c < pl.size(); ++c) {
    std::vector<int64_t> coord = coordOf(pl, c);
    bool counts = true;
    for (size_t i = 0; i < coord.size(); ++i)
      counts &= pl.modes[i].stride != 0 || coord[i] == 0;
    if (!counts)
      continue;
    injective &= numbers.insert({pl.indexAt(c), c}).second;
    if (r)
      ASSERT_EQ(plain(*r).indexAt(pl.indexAt(c)), c) << r->str();
  }
  ASSERT_TRUE(injective || !r);
  if (r)
    return;
  ASSERT_EQ(r.error().label, "left_inverse_c2");
  if (injective)
    ASSERT_FALSE(findLeftInverse(pl)) << r.error().str();
  trial.refused(r.error());
}

FLY_PROPERTY(LeftInverse, 5000, 25) {
  // The oracle tries all sizes, so the indices stay small.
  Random &random = trial.random;
  checkLeftInverse(trial, random.chance(50) ? random.layout(3, 16)
                                            : random.wildLayout(3, 12, -3, 7));
}

FLY_PROPERTY(LeftInverseOfPaddedLayouts, 3000, 60) {
  // Strides that grow, each beyond the reach of those below.
  Random &random = trial.random;
  IntTuple shape = random.shape(3, 60);
  int64_t running = random.between(1, 3);
  IntTuple strides = shape.map([&](const Leaf &leaf) {
    int64_t stride = running;
    running *= leaf.getInt().getValue();
    running += random.chance(40) ? random.between(1, 4) : 0;
    return Leaf(Int::constant(stride));
  });
  Layout l(shape, strides);
  trial.given(l);
  auto r = leftInverse(l);
  PlainLayout pl = plain(l);
  if (!r) {
    ASSERT_FALSE(findLeftInverse(pl)) << r.error().str();
    return trial.refused(r.error());
  }
  for (int64_t c = 0; c < pl.size(); ++c)
    ASSERT_EQ(plain(*r).indexAt(pl.indexAt(c)), c) << r->str();
}

FLY_PROPERTY(LeftInverseAtRunTime, 3000, 20) {
  Random &random = trial.random;
  Layout l = random.layout(4, 200, true);
  Assignment values;
  Layout s = random.symbolic(l, values, 30);
  trial.given(s, "=", l);
  PlainLayout p = plain(l);
  auto r = leftInverse(s);
  if (!r)
    return trial.refused(r.error());
  if (hasZeroStride(p))
    return trial.skip();
  PlainLayout q = plain(*r, values);
  for (int64_t c = 0; c < p.size(); ++c)
    ASSERT_EQ(q.indexAt(p.indexAt(c)), c) << r->str();
}

FLY_PROPERTY(LeftInverseOfRunTimeChains, 3000, 50) {
  // Each stride is the end of the mode below it times a static number, a
  // run-time one, or both: known to continue, whatever the numbers.
  Random &random = trial.random;
  Assignment values;
  std::vector<Layout> modes;
  std::vector<PlainLayout::Mode> numbers;
  Int running = Int::constant(1);
  int64_t now = 1;
  auto symbol = [&](int64_t value) {
    unsigned id = values.size();
    values[id] = value;
    return Int::symbol(id, 64);
  };
  for (int i = 0, n = random.between(1, 4); i < n; ++i) {
    int64_t gap = random.chance(40) ? random.between(1, 3) : 1;
    now *= gap;
    // One product that is written the other way round.
    Int factor = random.chance(30) ? symbol(gap) : Int::constant(gap);
    running = random.chance(50) ? *mul(running, factor) : *mul(factor, running);
    int64_t size = random.between(2, 4);
    Int extent = random.chance(50) ? symbol(size) : Int::constant(size);
    modes.push_back(Layout(extent, running));
    numbers.push_back({size, now, {}});
    running = random.chance(50) ? *mul(running, extent) : *mul(extent, running);
    now *= size;
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < modes.size(); ++i)
    order.push_back(i);
  std::shuffle(order.begin(), order.end(),
               std::mt19937_64(random.between(0, 1000)));
  std::vector<Layout> shuffled;
  PlainLayout p;
  for (size_t i : order) {
    shuffled.push_back(modes[i]);
    p.modes.push_back(numbers[i]);
  }
  Layout l = Layout::concat(shuffled);
  trial.given(l, "=", p.str());
  auto r = leftInverse(l);
  ASSERT_TRUE(r) << r.error().str();
  PlainLayout q = plain(*r, values);
  for (int64_t c = 0; c < p.size(); ++c)
    ASSERT_EQ(q.indexAt(p.indexAt(c)), c) << r->str();
}

TEST(LeftInverse, ContinuesAtRunTimeEnds) {
  Int n = Int::symbol(0), other = Int::symbol(1);
  auto of = [&](const Int &stride, int64_t first = 1) {
    return leftInverse(Layout(IntTuple::tuple({n, 4}),
                              IntTuple::tuple({IntTuple(first), stride})));
  };
  // The same value, also where another node computes it; a multiple of it.
  for (const Int &stride :
       {n, extendTo64(n), *mul(n, Int::constant(6)), *mul(other, n)})
    EXPECT_TRUE(of(stride)) << stride.str();
  EXPECT_TRUE(of(*mul(Int::constant(6), n), 3));
  // Another number, a sum, or no multiple of the stride below.
  for (const Int &stride : {other, *add(n, Int::constant(1)), *add(n, n)}) {
    auto r = of(stride);
    ASSERT_FALSE(r) << stride.str();
    EXPECT_EQ(r.error().label, "left_inverse_c3");
  }
  EXPECT_FALSE(of(n, 3));
  EXPECT_FALSE(of(*mul(Int::constant(5), n), 3));
  // By its divisor alone: a multiple of where the static modes end.
  Int rows = Int::symbol(2, 32, 8);
  auto known = leftInverse(
      Layout(IntTuple::tuple({4, 5}), IntTuple::tuple({IntTuple(2), rows})));
  ASSERT_TRUE(known) << known.error().str();
  EXPECT_EQ(known->str(), "(2,?,5):(0,1,4)");
  EXPECT_FALSE(leftInverse(
      Layout(IntTuple::tuple({4, 5}), IntTuple::tuple({IntTuple(3), rows}))));
}

FLY_PROPERTY(InversesOfLargeLayouts, 2000, 100) {
  // Beyond any table: samples of packed layouts, some with gaps.
  Random &random = trial.random;
  PlainLayout p;
  std::vector<Layout> modes;
  int64_t running = 1;
  bool gaps = random.chance(50);
  for (int i = 0, n = random.between(2, 4); i < n && running < int64_t(1) << 36;
       ++i) {
    running *= gaps ? random.between(1, 9) : 1;
    p.modes.push_back({random.between(2, 1 << 13), running, {}});
    running *= p.modes.back().size;
  }
  std::shuffle(p.modes.begin(), p.modes.end(),
               std::mt19937_64(random.between(0, 1000)));
  for (auto &mode : p.modes)
    modes.push_back(Layout(mode.size, mode.stride));
  Layout l = Layout::concat(modes);
  trial.given(l);
  auto left = leftInverse(l), right = rightInverse(l);
  ASSERT_TRUE(left) << left.error().str();
  ASSERT_TRUE(right) << right.error().str();
  if (!gaps)
    ASSERT_EQ(plain(*right).size(), p.size()) << right->str();
  for (int i = 0; i < 20; ++i) {
    int64_t c = random.between(0, p.size() - 1);
    ASSERT_EQ(plain(*left).indexAt(p.indexAt(c)), c) << left->str();
    int64_t k = random.between(0, plain(*right).size() - 1);
    ASSERT_EQ(p.indexAt(plain(*right).indexAt(k)), k) << right->str();
  }
}

FLY_PROPERTY(LeftInverseOfLargeLayouts, 200, 3) {
  // Strides without order, more coordinates than the search looks at: what it
  // gives holds at samples, and a collision that it names is one.
  Random &random = trial.random;
  PlainLayout p;
  std::vector<Layout> modes;
  int64_t running = 1;
  for (int i = 0, n = random.between(2, 3); i < n; ++i) {
    int64_t size = random.between(2, 400);
    p.modes.push_back({size, running, {}});
    running = running * size + random.between(-1, 9);
  }
  if (random.chance(30))
    p.modes[0].stride = -p.modes[0].stride;
  std::shuffle(p.modes.begin(), p.modes.end(),
               std::mt19937_64(random.between(0, 1000)));
  for (auto &mode : p.modes)
    modes.push_back(Layout(mode.size, mode.stride));
  Layout l = Layout::concat(modes);
  trial.given(l);
  auto r = leftInverse(l);
  if (!r) {
    std::string text = r.error().message;
    size_t at = text.find("the coordinates ");
    if (at != std::string::npos) {
      char *end = nullptr;
      int64_t x = std::strtoll(text.c_str() + at + 16, &end, 10);
      int64_t y = std::strtoll(end + 5, nullptr, 10);
      ASSERT_NE(x, y) << text;
      ASSERT_EQ(p.indexAt(x), p.indexAt(y)) << text;
    }
    return trial.refused(r.error());
  }
  for (int i = 0; i < 50; ++i) {
    int64_t c = random.between(0, p.size() - 1);
    ASSERT_EQ(plain(*r).indexAt(p.indexAt(c)), c) << r->str();
  }
}

FLY_PROPERTY(InversesOfPermutationsAgree, 1500, 100) {
  Random &random = trial.random;
  IntTuple shape = random.shape(4, 200);
  Layout l(shape, random.strides(shape, true));
  trial.given(l);
  auto left = leftInverse(l), right = rightInverse(l);
  ASSERT_TRUE(left && right);
  for (int64_t k = 0; k < plain(*right).size(); ++k)
    ASSERT_EQ(plain(*left).indexAt(k), plain(*right).indexAt(k));
}

FLY_PROPERTY(InversesOfSwizzledLayouts, 4000, 40) {
  Random &random = trial.random;
  Layout linear = random.layout(3, 128, true);
  AnyLayout l = linear;
  for (int i = 0, n = random.between(1, 2); i < n; ++i)
    l = ComposedLayout(
        InnerMap(*Swizzle::get(random.between(0, 3), random.between(0, 2),
                               random.between(1, 4))),
        IntTuple(random.chance(40) ? random.between(1, 20) : 0), l);
  trial.given(l);
  auto right = rightInverse(l);
  if (right) {
    int64_t n = plain(right->getLinear()).size();
    ASSERT_GE(n, contiguousRun(plain(linear)));
    for (int64_t k = 0; k < n; ++k)
      ASSERT_EQ(indexOf(l, indexOf(*right, k)), k) << right->str();
  } else {
    // With offset 0 refused only where a swizzle leads out of the run.
    int64_t run = contiguousRun(plain(linear));
    bool offset = false, leaves = false;
    AnyLayout level = l;
    while (level.isComposed()) {
      ComposedLayout composed = level.getComposed();
      offset |= !composed.getOffset().isStaticLeaf(0);
      for (int64_t k = 0; k < run; ++k)
        leaves |=
            apply(std::get<Swizzle>(composed.getInner()), Int::constant(k))
                .getValue() >= run;
      level = composed.getOuter();
    }
    ASSERT_TRUE(offset || leaves) << right.error().str();
    trial.refused(right.error());
  }
  auto left = leftInverse(l);
  ASSERT_EQ(bool(left), bool(leftInverse(linear)));
  if (!left || hasZeroStride(plain(linear)))
    return;
  for (int64_t c = 0; c < plain(linear).size(); ++c)
    ASSERT_EQ(indexOf(*left, indexOf(l, c)), c) << left->str();
}

//===----------------------------------------------------------------------===//
// Recast
//===----------------------------------------------------------------------===//

/// The bits that a layout reaches, with how often.
static std::multiset<int64_t> bitsOf(const AnyLayout &layout, int64_t bits) {
  std::multiset<int64_t> result;
  int64_t size = plain(layout.getLinear()).size();
  for (int64_t c = 0; c < size; ++c) {
    int64_t first = indexOf(layout, c) * bits;
    for (int64_t b = 0; b < bits; ++b)
      result.insert(first + b);
  }
  return result;
}

/// Whether `parts[j]` neighbours along each mode j, `factor` together, are
/// everywhere one whole aligned item, in order.
static bool isGrouping(const PlainLayout &l, const std::vector<int64_t> &parts,
                       int64_t factor) {
  for (int64_t c = 0; c < l.size(); ++c) {
    std::vector<int64_t> coord = coordOf(l, c);
    std::vector<int64_t> first = coord;
    bool isFirst = true;
    for (size_t j = 0; j < coord.size(); ++j) {
      first[j] = coord[j] / parts[j] * parts[j];
      isFirst &= first[j] == coord[j];
    }
    int64_t base = static_cast<int64_t>(l.wideIndexAt(first));
    int64_t here = static_cast<int64_t>(l.wideIndexAt(coord));
    if (base % factor != 0 || here < base || here >= base + factor ||
        (!isFirst && here == base))
      return false;
  }
  // All different within the group: the first one is enough, by linearity.
  std::set<int64_t> seen;
  for (int64_t c = 0; c < l.size(); ++c) {
    std::vector<int64_t> coord = coordOf(l, c);
    bool inGroup = true;
    for (size_t j = 0; j < coord.size(); ++j)
      inGroup &= coord[j] < parts[j];
    if (inGroup &&
        !seen.insert(static_cast<int64_t>(l.wideIndexAt(coord))).second)
      return false;
  }
  return true;
}

/// Whether `factor` items can be grouped along the modes: tries all shares.
static bool findGrouping(const PlainLayout &l, int64_t factor, int64_t left,
                         std::vector<int64_t> &parts) {
  if (parts.size() == l.modes.size())
    return left == 1 && isGrouping(l, parts, factor);
  int64_t size = l.modes[parts.size()].size;
  for (int64_t part = 1; part <= std::min(size, left); ++part) {
    if (size % part != 0 || left % part != 0)
      continue;
    parts.push_back(part);
    if (findGrouping(l, factor, left / part, parts))
      return true;
    parts.pop_back();
  }
  return false;
}

FLY_PROPERTY(Recast, 6000, 20) {
  Random &random = trial.random;
  static const std::vector<int64_t> widths{4, 8, 16, 24, 32, 64};
  Layout l = random.chance(70) ? random.layout(4, 100)
                               : random.wildLayout(3, 24, -2, 8);
  int64_t from = random.pick(widths), to = random.pick(widths);
  trial.given(l, from, "->", to);
  auto r = recast(l, from, to);
  PlainLayout p = plain(l);
  if (!r) {
    // Whole groups of items do not exist along the modes; or the items that
    // are to be split have no neighbours.
    if (to % from == 0) {
      std::vector<int64_t> parts;
      ASSERT_FALSE(findGrouping(p, to / from, to / from, parts))
          << r.error().str();
    } else if (from % to == 0) {
      for (auto &mode : p.modes)
        ASSERT_TRUE(mode.size != 1 && mode.stride != 1) << r.error().str();
    }
    return trial.refused(r.error());
  }
  ASSERT_TRUE(congruent(r->getShape(), l.getShape()));
  ASSERT_EQ(bitsOf(l, from), bitsOf(*r, to)) << r->str();
  // There and back, the same bits again.
  if (auto back = recast(*r, to, from))
    ASSERT_EQ(bitsOf(l, from), bitsOf(*back, from)) << back->str();
  if (to % from == 0 && to != from) {
    std::vector<int64_t> parts;
    ASSERT_TRUE(findGrouping(p, to / from, to / from, parts)) << r->str();
  }
}

/// The item of index `i` of the linear part.
static int64_t itemOf(const AnyLayout &layout, int64_t i) {
  return indexOf(layout.withLinear(Layout(int64_t(1) << 20, 1)), i);
}

/// Each item of the recast is exactly the bits of whole items, in order: of
/// index k of the new linear part, the items f*k+j of the old one, or each item
/// is in order those of the new one.
static void checkItems(const AnyLayout &from, const AnyLayout &to,
                       int64_t fromBits, int64_t toBits) {
  bool wider = toBits > fromBits;
  const AnyLayout &coarse = wider ? to : from, &fine = wider ? from : to;
  int64_t factor = std::max(toBits, fromBits) / std::min(toBits, fromBits);
  std::multiset<int64_t> small = image(plain(fine.getLinear())), joined;
  for (int64_t k : image(plain(coarse.getLinear())))
    for (int64_t j = 0; j < factor; ++j) {
      joined.insert(factor * k + j);
      ASSERT_EQ(itemOf(fine, factor * k + j), factor * itemOf(coarse, k) + j)
          << to.str() << ": part " << j << " of " << k;
    }
  ASSERT_EQ(small, joined) << to.str();
}

FLY_PROPERTY(RecastOfSwizzledLayouts, 4000, 15) {
  Random &random = trial.random;
  Swizzle s = *Swizzle::get(random.between(0, 3), random.between(0, 4),
                            random.between(1, 4));
  int64_t offset = random.chance(50) ? 0 : random.between(1, 32);
  AnyLayout l = ComposedLayout(InnerMap(s), IntTuple(offset),
                               random.layout(3, 128, true));
  int64_t from = 8, to = random.chance(50) ? 16 : 32;
  if (random.chance(40))
    std::swap(from, to);
  trial.given(l, from, "->", to);
  auto r = recast(l, from, to);
  if (!r) {
    // The linear part alone is refused, the offset is no whole item, or the
    // swizzle moves parts of items.
    bool linear = bool(recast(l.getLinear(), from, to));
    bool tears =
        !s.isTrivial() && to > from && (int64_t(1) << s.base) < to / from;
    ASSERT_TRUE(!linear || tears || (to > from && offset % (to / from) != 0))
        << r.error().str();
    return trial.refused(r.error());
  }
  ASSERT_EQ(bitsOf(l, from), bitsOf(*r, to)) << r->str();
  checkItems(l, *r, from, to);
}

FLY_PROPERTY(RecastOfComposedLayouts, 6000, 25) {
  // Several levels, whose inner maps are swizzles, layouts or composed again.
  Random &random = trial.random;
  auto level = [&](AnyLayout outer, bool nested, auto &&self) -> AnyLayout {
    InnerMap inner = *Swizzle::get(random.between(0, 3), random.between(0, 4),
                                   random.between(1, 4));
    if (random.chance(60)) {
      AnyLayout map = random.chance(50) ? random.layout(3, 32)
                                        : Layout(random.between(1, 64), 1);
      if (nested && random.chance(30))
        map = self(map, false, self);
      inner = map;
    }
    int64_t offset = random.chance(60)   ? 0
                     : random.chance(70) ? 4 * random.between(1, 8)
                                         : random.between(-8, 32);
    return ComposedLayout(inner, IntTuple(offset), std::move(outer));
  };
  AnyLayout l = random.layout(3, 64, random.chance(80));
  for (int i = 0, n = random.between(1, 2); i < n; ++i)
    l = level(l, true, level);
  int64_t from = 8, to = random.chance(60) ? 16 : 32;
  if (random.chance(40))
    std::swap(from, to);
  trial.given(l, from, "->", to);
  auto r = recast(l, from, to);
  if (!r)
    return trial.refused(r.error());
  checkItems(l, *r, from, to);
}
