// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of coalesce, composition and complement. Where an operation
// refuses, the oracle shows that there is no layout.

#include "Property.h"

#include "Fly/Layout/Product.h"

using namespace fly::layout;
using namespace fly::layout::test;

//===----------------------------------------------------------------------===//
// Coalesce
//===----------------------------------------------------------------------===//

FLY_PROPERTY(Coalesce, 5000, 100) {
  Random &random = trial.random;
  Layout l = random.chance(70) ? random.layout(5, 300)
                               : random.wildLayout(5, 100, -4, 8);
  trial.given(l);
  auto r = coalesce(l);
  ASSERT_TRUE(r);
  PlainLayout want = plain(l), got = plain(*r);
  ASSERT_EQ(got.size(), want.size());
  for (int64_t c = 0; c < want.size(); ++c)
    ASSERT_EQ(got.at(c), want.at(c)) << r->str();
  // As few modes as possible: no neighbours that could merge, no size 1.
  for (size_t k = 1; k < got.modes.size(); ++k) {
    ASSERT_NE(got.modes[k - 1].size * got.modes[k - 1].stride,
              got.modes[k].stride)
        << r->str();
    ASSERT_NE(got.modes[k].size, 1) << r->str();
  }
  // Idempotent.
  ASSERT_EQ(*coalesce(*r), *r);
  // With some leaves at run time the table stays.
  Assignment values;
  Layout s = random.symbolic(l, values, 30);
  auto later = coalesce(s);
  ASSERT_TRUE(later);
  PlainLayout evaluated = plain(*later, values);
  ASSERT_EQ(evaluated.size(), want.size());
  for (int64_t c = 0; c < want.size(); ++c)
    ASSERT_EQ(evaluated.at(c), want.at(c)) << later->str();
}

FLY_PROPERTY(CoalesceByPattern, 3000, 90) {
  Random &random = trial.random;
  Layout l = random.layout(5, 300);
  IntTuple pattern = random.shape(4, 1000);
  trial.given(l, "by", pattern);
  auto r = coalesce(l, pattern);
  ASSERT_TRUE(r) << r.error().str();
  // Each part against a leaf keeps its table; the ranks along the pattern stay.
  PlainLayout want = plain(l), got = plain(*r);
  ASSERT_EQ(got.size(), want.size());
  for (int64_t c = 0; c < want.size(); ++c)
    ASSERT_EQ(got.at(c), want.at(c)) << r->str();
  if (!pattern.isLeaf())
    ASSERT_EQ(r->rank(), l.rank());
  for (size_t k = 0; !pattern.isLeaf() && k < l.rank(); ++k) {
    ASSERT_EQ(plain((*r)[k]).size(), plain(l[k]).size());
    if (k >= pattern.rank())
      ASSERT_EQ((*r)[k], l[k]);
  }
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

/// R has the modes of B, each possibly split further.
static void expectRefines(const IntTuple &r, const IntTuple &b) {
  if (b.isLeaf() || b.rank() == 1)
    return;
  ASSERT_EQ(r.rank(), b.rank());
  for (size_t i = 0; i < b.rank(); ++i)
    expectRefines(r[i], b[i]);
}

static void checkComposition(Trial &trial, const Layout &a, const Layout &b) {
  trial.given(a, "o", b);
  PlainLayout pa = plain(a), pb = plain(b);
  auto r = composition(a, b);
  if (!r) {
    ASSERT_EQ(r.error().label, "composition_c1");
    ASSERT_NE(r.error().message.find(a.str()), std::string::npos);
    ASSERT_NE(r.error().message.find(b.str()), std::string::npos);
    ASSERT_FALSE(compositionExists(pa, pb)) << r.error().str();
    return trial.refused(r.error());
  }
  PlainLayout got = plain(*r);
  ASSERT_EQ(got.size(), pb.size()) << r->str();
  expectRefines(r->getShape(), b.getShape());
  for (int64_t c = 0; c < pb.size(); ++c)
    ASSERT_EQ(got.at(c), pa.at(pb.indexAt(c))) << r->str() << " at " << c;
}

FLY_PROPERTY(Composition, 10000, 15) {
  Random &random = trial.random;
  Layout a = random.layout(4, 200), b = random.layout(3, 60);
  checkComposition(trial, a, b);
}

FLY_PROPERTY(CompositionOfWildLayouts, 8000, 10) {
  // Strides without any order, also backwards, also past the end of A.
  Random &random = trial.random;
  Layout a = random.wildLayout(4, 60, -2, 6);
  Layout b = random.wildLayout(3, 16, -6, 14);
  checkComposition(trial, a, b);
}

FLY_PROPERTY(CompositionOfOneMode, 6000, 30) {
  Random &random = trial.random;
  Layout a = random.chance(50) ? random.wildLayout(4, 100, 0, 4)
                               : random.layout(4, 200);
  Layout b(random.between(1, 24), random.between(-30, 60));
  checkComposition(trial, a, b);
}

FLY_PROPERTY(CompositionThroughIdentity, 4000, 20) {
  // A = identity over a shape gives coordinates; B over them selects.
  Random &random = trial.random;
  Layout a = *makeIdentityLayout(random.shape(4, 200));
  Layout b = random.layout(3, 60);
  checkComposition(trial, a, b);
}

FLY_PROPERTY(CompositionAlongBasisElements, 3000, 30) {
  // Strides of B along the modes of A: mode by mode.
  Random &random = trial.random;
  Layout a = random.layout(4, 200);
  if (a.isLeaf())
    a = Layout::concat({a, random.layout(2, 20)});
  std::vector<Layout> modes;
  std::vector<std::pair<int64_t, int64_t>> steps; // size, stride
  std::vector<size_t> targets;
  for (int i = 0, n = random.between(1, 3); i < n; ++i) {
    size_t target = random.between(0, a.rank() - 1);
    int64_t size = random.between(1, 5), stride = random.between(1, 4);
    modes.push_back(Layout(
        size, Leaf(Int::constant(stride), {static_cast<int32_t>(target)})));
    steps.push_back({size, stride});
    targets.push_back(target);
  }
  Layout b = Layout::concat(modes);
  trial.given(a, "o", b);
  auto r = composition(a, b);
  // Mode by mode the same with integer strides decides.
  PlainLayout whole;
  bool exists = true;
  for (size_t t = 0; t < a.rank(); ++t) {
    PlainLayout part;
    for (size_t i = 0; i < steps.size(); ++i)
      if (targets[i] == t)
        part.modes.push_back({steps[i].first, steps[i].second, {}});
    if (!part.modes.empty())
      exists &= compositionExists(plain(a[t]), part);
  }
  ASSERT_EQ(bool(r), exists) << (r ? r->str() : r.error().str());
  if (!r)
    return trial.refused(r.error());
  PlainLayout got = plain(*r);
  int64_t size = 1;
  for (auto &step : steps)
    size *= step.first;
  ASSERT_EQ(got.size(), size);
  for (int64_t c = 0; c < size; ++c) {
    std::vector<int64_t> coord(a.rank(), 0);
    int64_t rest = c, want = 0;
    for (size_t i = 0; i < steps.size(); ++i) {
      coord[targets[i]] += rest % steps[i].first * steps[i].second;
      rest /= steps[i].first;
    }
    for (size_t t = 0; t < a.rank(); ++t)
      want += plain(a[t]).indexAt(coord[t]);
    ASSERT_EQ(got.indexAt(c), want) << r->str() << " at " << c;
  }
}

FLY_PROPERTY(CompositionByTile, 4000, 30) {
  Random &random = trial.random;
  Layout a = random.layout(4, 200);
  std::vector<Tile> elements;
  for (int i = 0, n = random.between(1, 3); i < n; ++i)
    elements.push_back(random.chance(30)   ? Tile()
                       : random.chance(50) ? Tile(random.between(1, 8))
                                           : Tile(random.layout(2, 12, true)));
  Tile tile = Tile::list(elements);
  trial.given(a, "o", tile);
  auto r = composition(a, tile);
  bool exists = true;
  int64_t size = 1;
  std::vector<PlainLayout> wanted;
  for (size_t i = 0; i < a.rank(); ++i) {
    PlainLayout mode = plain(a[i]);
    bool cut = i < elements.size() && !elements[i].isNone();
    if (cut)
      exists &= compositionExists(mode, plain(elements[i].asLayout()));
    size *= cut ? plain(elements[i].asLayout()).size() : mode.size();
  }
  ASSERT_EQ(bool(r), exists) << (r ? r->str() : r.error().str());
  if (!r)
    return trial.refused(r.error());
  PlainLayout got = plain(*r);
  ASSERT_EQ(got.size(), size);
  for (int64_t c = 0; c < size; ++c) {
    int64_t rest = c, want = 0;
    for (size_t i = 0; i < a.rank(); ++i) {
      PlainLayout mode = plain(a[i]);
      bool cut = i < elements.size() && !elements[i].isNone();
      PlainLayout b = cut ? plain(elements[i].asLayout()) : mode;
      int64_t own = rest % b.size();
      rest /= b.size();
      want += cut ? mode.indexAt(b.indexAt(own)) : mode.indexAt(own);
    }
    ASSERT_EQ(got.indexAt(c), want) << r->str();
  }
}

FLY_PROPERTY(CompositionOfLargeLayouts, 3000, 40) {
  // Sizes beyond any table: samples of the result in 128 bits. A packed A with
  // gaps, B in stretches that fit it or nearly do.
  Random &random = trial.random;
  std::vector<Layout> aModes, bModes;
  std::vector<int64_t> sizes;
  int64_t running = 1;
  for (int i = 0, n = random.between(2, 4); i < n; ++i) {
    int64_t size = int64_t(1) << random.between(3, 12);
    if (random.chance(30))
      size = size / 2 * 3;
    aModes.push_back(Layout(size, running));
    sizes.push_back(size);
    running *= size;
    running += random.chance(50) ? 8 * random.between(0, 9) : 0;
  }
  Layout a = Layout::concat(aModes);
  // Steps of B at the borders of A's modes, or inside of them.
  int64_t extent = 1;
  for (int64_t size : sizes) {
    int64_t inner = int64_t(1) << random.between(0, 4);
    if (random.chance(60) && size % inner == 0)
      bModes.push_back(Layout(size / inner, extent * inner));
    extent *= size;
  }
  if (random.chance(30))
    bModes = {Layout(extent / (random.chance(50) ? 1 : 8),
                     random.chance(50) ? 1 : 8)};
  if (random.chance(20))
    bModes.push_back(Layout(random.between(1, 40), random.between(1, 4000)));
  if (bModes.empty())
    return trial.skip();
  Layout b = bModes.size() == 1 ? bModes[0] : Layout::concat(bModes);
  trial.given(a, "o", b);
  auto r = composition(a, b);
  PlainLayout pb = plain(b);
  auto wideA = [&](int64_t k) {
    __int128 index = 0;
    for (size_t i = 0; i < aModes.size(); ++i) {
      int64_t digit = i + 1 < sizes.size() ? k % sizes[i] : k;
      k /= sizes[i];
      index += __int128(digit) * plain(aModes[i]).modes[0].stride;
    }
    return index;
  };
  auto sample = [&](std::vector<int64_t> &coord) {
    coord.clear();
    int64_t index = 0;
    for (auto &mode : pb.modes) {
      coord.push_back(random.chance(30) ? mode.size - 1
                                        : random.between(0, mode.size - 1));
      index += coord.back() * mode.stride;
    }
    return index;
  };
  if (!r) {
    // Two stretches of B add up to an index whose value is not their sum, or
    // one of them is no layout: a sample shows it, if it is not rare.
    ASSERT_EQ(r.error().label, "composition_c1") << r.error().str();
    return trial.refused(r.error());
  }
  for (int i = 0; i < 40; ++i) {
    std::vector<int64_t> coord;
    int64_t index = sample(coord);
    PlainLayout got = plain(*r);
    __int128 value = 0;
    int64_t rest = numberOf(pb, coord);
    for (size_t m = 0; m < got.modes.size(); ++m) {
      value += __int128(rest % got.modes[m].size) * got.modes[m].stride;
      rest /= got.modes[m].size;
    }
    ASSERT_TRUE(value == wideA(index)) << r->str();
  }
}

FLY_PROPERTY(ScaledCompositionIsRefusedAlike, 3000, 10) {
  // Composition decides the same about (A, B) and about their copies with all
  // of A's indices multiplied and B's steps and A's first mode stretched, which
  // no table could show.
  Random &random = trial.random;
  Layout a = random.wildLayout(3, 40, 1, 9),
         b = random.wildLayout(2, 12, 1, 20);
  auto small = composition(a, b);
  int64_t stretch = int64_t(1) << 30;
  // A': a first mode of `stretch` zeros in front of A; B' steps by whole ones.
  Layout wideA = Layout::concat({Layout(stretch, 0), a});
  IntTuple steps = b.getStride().map([&](const Leaf &leaf) {
    return Leaf(Int::constant(leaf.getInt().getValue() * stretch));
  });
  Layout wideB(b.getShape(), steps);
  trial.given(wideA, "o", wideB);
  auto large = composition(wideA, wideB);
  ASSERT_EQ(bool(small), bool(large))
      << (small ? large.error().str() : small.error().str());
  if (!small)
    return trial.refused(small.error());
  ASSERT_EQ(*small, *large);
}

FLY_PROPERTY(CompositionIsAssociative, 4000, 2) {
  Random &random = trial.random;
  Layout a = random.layout(4, 200, true), b = random.layout(3, 60, true),
         c = random.layout(2, 16, true);
  trial.given(a, "o", b, "o", c);
  auto ab = composition(a, b);
  auto bc = composition(b, c);
  if (!ab || !bc)
    return trial.skip();
  auto left = composition(*ab, c), right = composition(a, *bc);
  if (!left || !right)
    return trial.skip();
  // Within the size of B both sides mean the same.
  if (cosize(c)->getValue() > plain(b).size())
    return trial.skip();
  PlainLayout l = plain(*left), r = plain(*right);
  for (int64_t k = 0; k < l.size(); ++k)
    ASSERT_EQ(l.at(k), r.at(k));
}

FLY_PROPERTY(CompositionWithIdentity, 3000, 100) {
  // A o (size A : 1) is A, and (n:1) o B is B.
  Random &random = trial.random;
  Layout a = random.layout(5, 300);
  trial.given(a);
  PlainLayout pa = plain(a);
  auto right = composition(a, Layout(pa.size(), 1));
  ASSERT_TRUE(right) << right.error().str();
  for (int64_t c = 0; c < pa.size(); ++c)
    ASSERT_EQ(plain(*right).at(c), pa.at(c));
  auto left = composition(Layout(1000, 1), a);
  ASSERT_TRUE(left);
  ASSERT_EQ(*left, canonicalStrides(a));
}

//===----------------------------------------------------------------------===//
// Complement
//===----------------------------------------------------------------------===//

FLY_PROPERTY(Complement, 10000, 20) {
  Random &random = trial.random;
  Layout l = random.chance(50)   ? random.layout(4, 100)
             : random.chance(70) ? random.wildLayout(3, 12, 0, 12)
                                 : random.wildLayout(3, 12, -12, 12);
  int64_t codomain = random.between(1, random.chance(50) ? 8 : 200);
  trial.given("complement of", l, "in", codomain);
  auto given = complement(l, Int::constant(codomain));
  PlainLayout rest = filtered(plain(l));
  auto wanted = smallestComplement(rest, codomain);
  if (!given) {
    ASSERT_NE(given.error().message.find(l.str()), std::string::npos);
    ASSERT_EQ(given.error().label, "complement_c3");
    ASSERT_FALSE(wanted) << given.error().str();
    return trial.refused(given.error());
  }
  ASSERT_TRUE(wanted) << given->str();
  PlainLayout c = plain(*given);
  std::set<int64_t> covered;
  for (int64_t x : image(rest))
    for (int64_t y : image(c))
      ASSERT_TRUE(covered.insert(x + y).second)
          << given->str() << " meets it at " << x + y;
  // The codomain begins at the smallest index of the layout.
  int64_t first = *image(rest).begin();
  ASSERT_EQ(*covered.begin(), first) << given->str();
  for (int64_t k = first; k < first + codomain; ++k)
    ASSERT_TRUE(covered.count(k)) << given->str() << " leaves out " << k;
  for (int64_t k = 1; k < c.size(); ++k)
    ASSERT_LT(c.indexAt(k - 1), c.indexAt(k)) << given->str();
  // What it must contain, it contains.
  std::multiset<int64_t> indices = image(c);
  for (int64_t k : *wanted)
    ASSERT_TRUE(indices.count(k)) << given->str() << " " << k;
}

FLY_PROPERTY(ComplementOfNothing, 3000, 30) {
  Random &random = trial.random;
  Layout l = random.chance(50) ? random.layout(4, 100)
                               : random.wildLayout(3, 12, -12, 12);
  trial.given("complement in 0 of", l);
  // No index is to be covered; what repeats indices has no complement at all.
  auto given = complement(l, Int::constant(0));
  auto one = complement(l, Int::constant(1));
  ASSERT_EQ(bool(given), bool(one)) << l.str();
  if (!given) {
    ASSERT_EQ(given.error().label, "complement_c3");
    return trial.refused(given.error());
  }
  ASSERT_EQ(plain(*given).size(), 0) << given->str();
}

FLY_PROPERTY(ComplementWithinCosize, 3000, 30) {
  Random &random = trial.random;
  Layout l = random.layout(4, 100);
  trial.given("complement of", l);
  auto r = complement(l);
  PlainLayout rest = filtered(plain(l));
  int64_t codomain = 1;
  for (auto &mode : rest.modes)
    codomain += std::abs(mode.stride) * (mode.size - 1);
  if (!r) {
    ASSERT_FALSE(smallestComplement(rest, codomain)) << r.error().str();
    return trial.refused(r.error());
  }
  ASSERT_EQ(*r, *complement(l, Int::constant(codomain)));
}

FLY_PROPERTY(LargeComplements, 2000, 40) {
  // Of packed modes with gaps, beyond any table: the two layouts together are
  // packed when their modes are sorted.
  Random &random = trial.random;
  std::vector<Layout> modes;
  std::vector<std::pair<int64_t, int64_t>> all;
  int64_t running = 1;
  for (int i = 0, n = random.between(1, 4); i < n && running < int64_t(1) << 40;
       ++i) {
    running *= int64_t(1) << random.between(0, 6);
    int64_t size = random.between(2, 3000);
    modes.push_back(Layout(size, running + (random.chance(15) ? 1 : 0)));
    all.push_back({running, size});
    running *= size;
  }
  std::shuffle(modes.begin(), modes.end(),
               std::mt19937_64(trial.random.between(0, 99)));
  Layout l = modes.size() == 1 ? modes[0] : Layout::concat(modes);
  int64_t codomain = running / 2 * random.between(1, 5) + 1;
  trial.given("complement of", l, "in", codomain);
  auto r = complement(l, Int::constant(codomain));
  PlainLayout pl = plain(l);
  if (!r) {
    // A stride that does not continue what lies below it.
    std::sort(pl.modes.begin(), pl.modes.end(),
              [](auto &a, auto &b) { return a.stride < b.stride; });
    int64_t end = 1;
    bool chain = true;
    for (auto &mode : pl.modes) {
      chain &= mode.stride % end == 0;
      end = mode.stride * mode.size;
    }
    ASSERT_FALSE(chain);
    return trial.refused(r.error());
  }
  PlainLayout both = plain(*r);
  both.modes.insert(both.modes.end(), pl.modes.begin(), pl.modes.end());
  std::sort(both.modes.begin(), both.modes.end(),
            [](auto &a, auto &b) { return a.stride < b.stride; });
  int64_t end = 1;
  for (auto &mode : both.modes) {
    if (mode.size == 1)
      continue;
    ASSERT_EQ(mode.stride, end) << r->str();
    end *= mode.size;
  }
  ASSERT_GE(end, codomain);
}
