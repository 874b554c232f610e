// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of evaluation: coordinates to indices and back, sizes and extents,
// swizzles, slices of composed layouts, 64-bit extents.

#include "Property.h"

#include "Fly/Layout/Algebra.h"

using namespace fly::layout;
using namespace fly::layout::test;

namespace {

/// Index of coordinate number `c` through all levels of composition.
int64_t indexOf(const AnyLayout &layout, int64_t c) {
  auto index = crd2idx(IntTuple(c), layout);
  EXPECT_TRUE(index) << layout.str();
  return index && index->isLeaf() ? index->getInt().getValue() : -1;
}

/// The formula of S<M,B,S>, on bits.
int64_t swizzled(const Swizzle &s, int64_t x) {
  int64_t bits = ((int64_t(1) << s.mask) - 1) << (s.base + s.shift);
  return x ^ ((x & bits) >> s.shift);
}

/// The coordinate of a number, in the profile of `shape`.
IntTuple coordIn(const IntTuple &shape, int64_t &number, bool last) {
  if (shape.isLeaf()) {
    int64_t size = shape.getInt().getValue();
    int64_t coord = last ? number : number % size;
    number /= size;
    return coord;
  }
  std::vector<IntTuple> modes;
  for (size_t i = 0; i < shape.rank(); ++i)
    modes.push_back(coordIn(shape[i], number, last && i + 1 == shape.rank()));
  return IntTuple::tuple(std::move(modes));
}

} // namespace

FLY_PROPERTY(CoordinateToIndex, 8000, 100) {
  Random &random = trial.random;
  Layout l = random.layout(5, 300);
  PlainLayout p = plain(l);
  Assignment values;
  Layout s = random.symbolic(l, values, random.chance(60) ? 40 : 0);
  int64_t c = random.between(0, p.size() + 3);
  IntTuple coord = random.symbolic(IntTuple(c), values, 60);
  trial.given(coord, "=", c, "in", s, "=", l);
  auto got = crd2idx(coord, s);
  ASSERT_TRUE(got);
  ASSERT_EQ(number(got->getInt(), values), p.indexAt(c));
  // The same coordinate as a tuple.
  int64_t rest = c;
  IntTuple unfolded = coordIn(l.getShape(), rest, true);
  ASSERT_EQ(*crd2idx(unfolded, l), IntTuple(p.indexAt(c)));
  ASSERT_EQ(*idx2crdColMajor(Int::constant(c), l.getShape()), unfolded);
  ASSERT_EQ(crd2idxColMajor(unfolded, l.getShape())->getValue(), c);
  // Into another shape of the same size and back.
  ASSERT_EQ(*crd2crd(unfolded, l.getShape(), p.size()), IntTuple(c));
  ASSERT_EQ(*crd2crd(IntTuple(c), p.size(), l.getShape()), unfolded);
  ASSERT_EQ(*crd2crd(unfolded, l.getShape(), l.getShape()), unfolded);
}

FLY_PROPERTY(BackwardCoordinates, 2000, 100) {
  // Truncating division: the index of -c is the negated index of c.
  Random &random = trial.random;
  Layout l = random.wildLayout(4, 100, -9, 9);
  int64_t c = random.between(0, plain(l).size() + 3);
  trial.given(-c, "in", l);
  ASSERT_EQ(*crd2idx(IntTuple(-c), l), IntTuple(-plain(l).indexAt(c)));
}

FLY_PROPERTY(WideIndices, 3000, 50) {
  // Sizes and strides beyond 2^31, against 128 bits.
  Random &random = trial.random;
  PlainLayout p;
  std::vector<Layout> modes;
  std::vector<IntTuple> digits;
  std::vector<int64_t> coord;
  Assignment values;
  for (int i = 0, n = random.between(1, 3); i < n; ++i) {
    int64_t size = random.between(1, int64_t(1) << random.between(1, 33));
    int64_t stride = random.between(0, int64_t(1) << random.between(1, 40));
    int64_t c = random.between(0, size - 1);
    p.modes.push_back({size, stride, {}});
    modes.push_back(Layout(size, stride));
    coord.push_back(c);
    digits.push_back(random.symbolic(IntTuple(c / 4 * 4), values, 0));
    coord.back() = c / 4 * 4;
    if (random.chance(50) && !exceeds32(coord.back())) {
      unsigned id = values.size();
      values[id] = coord.back();
      digits.back() = Int::symbol(id, 32, 4);
    }
  }
  Layout l = Layout::concat(modes);
  IntTuple where = IntTuple::tuple(digits);
  trial.given(where, "in", l);
  __int128 want = p.wideIndexAt(coord);
  auto got = crd2idx(where, l);
  // The coordinate itself is within 64 bits; the index may not be.
  bool fits = want <= INT64_MAX;
  if (!got) {
    ASSERT_FALSE(fits) << got.error().str();
    return trial.refused(got.error());
  }
  if (where.isStatic())
    ASSERT_TRUE(fits);
  if (!fits)
    return trial.skip();
  ASSERT_EQ(number(got->getInt(), values), static_cast<int64_t>(want));
  // What a 32-bit leaf computes stays within 32 bits.
  for (const Expr *expr : collectExprs(got->getInt())) {
    if (expr->getWidth() == 64 || expr->getKind() == ExprKind::Symbol)
      continue;
    ASSERT_LT(want, __int128(1) << 31);
  }
}

FLY_PROPERTY(IndexToCoordinate, 4000, 100) {
  Random &random = trial.random;
  Layout l = random.chance(70) ? random.layout(4, 150)
                               : random.wildLayout(4, 60, -5, 12);
  PlainLayout p = plain(l);
  trial.given(l);
  for (int i = 0; i < 6; ++i) {
    int64_t k = p.indexAt(random.between(0, p.size() - 1));
    auto coord = idx2crd(IntTuple(k), l);
    ASSERT_TRUE(coord);
    ASSERT_TRUE(congruent(*coord, l.getShape()));
    ASSERT_EQ(*crd2idx(*coord, l), IntTuple(k)) << k << " -> " << coord->str();
    auto one = get1DCoord(IntTuple(k), l);
    ASSERT_TRUE(one);
    ASSERT_EQ(p.indexAt(one->getInt().getValue()), k);
    auto flat = getFlatCoord(IntTuple(k), l);
    ASSERT_TRUE(flat);
    ASSERT_EQ(*crd2idx(*flat, l), IntTuple(k));
  }
}

FLY_PROPERTY(RunTimeIndexToCoordinate, 4000, 30) {
  // One expression finds a coordinate of every index of the image and agrees
  // with what static numbers give, there and outside. It is refused only where
  // strides are no multiples of each other and no left inverse exists.
  Random &random = trial.random;
  Layout l = random.chance(40)   ? random.layout(4, 100)
             : random.chance(70) ? random.wildLayout(3, 12, -3, 7)
                                 : random.wildLayout(3, 40, -30, 60);
  PlainLayout p = plain(l);
  trial.given(l);
  auto got = idx2crd(IntTuple(Int::symbol(0)), l);
  std::multiset<int64_t> indices = image(p);
  int64_t low = *indices.begin(), high = *indices.rbegin();
  if (!got) {
    ASSERT_EQ(got.error().label, "idx2crd_c3");
    PlainLayout sorted = filtered(p);
    std::sort(sorted.modes.begin(), sorted.modes.end(),
              [](auto &a, auto &b) { return a.stride < b.stride; });
    bool chain = true;
    int64_t end = 1;
    for (auto &mode : sorted.modes) {
      if (mode.size == 1)
        continue;
      chain &= mode.stride > 0 && mode.stride % end == 0;
      end = mode.size * mode.stride;
    }
    ASSERT_FALSE(chain) << got.error().str();
    if (std::max(-low, high) <= 24)
      ASSERT_FALSE(findLeftInverse(p)) << got.error().str();
    return trial.refused(got.error());
  }
  ASSERT_TRUE(congruent(*got, l.getShape()));
  for (int64_t k = low - 20; k <= high + 20; ++k) {
    IntTuple coord = got->map([&](const Leaf &leaf) {
      return Leaf(Int::constant(number(leaf.getInt(), {{0, k}})));
    });
    if (indices.count(k))
      ASSERT_EQ(*crd2idx(coord, l), IntTuple(k)) << "index " << k;
    ASSERT_EQ(coord, *idx2crd(IntTuple(k), l)) << "index " << k;
  }
}

TEST(IndexToCoordinate, IsRefusedWhereTheSearchIsTooLong) {
  // Sums of subsets of numbers without order: 2^48 coordinates, and neither a
  // division nor an inverse that tells them apart.
  Random random(5);
  std::vector<Layout> modes;
  int64_t index = 0;
  for (int i = 0; i < 48; ++i) {
    int64_t stride = random.between(int64_t(1) << 40, int64_t(1) << 41);
    modes.push_back(Layout(2, stride));
    index += random.chance(50) ? stride : 0;
  }
  Layout l = Layout::concat(modes);
  auto coord = idx2crd(IntTuple(index), l);
  ASSERT_FALSE(coord);
  EXPECT_EQ(coord.error().label, "idx2crd_c3");
  EXPECT_NE(coord.error().message.find("the search for the coordinate was "
                                       "given up"),
            std::string::npos)
      << coord.error().str();
  // Below the smallest stride there is only the index 0: the formula stands.
  auto outside = idx2crd(IntTuple(7), l);
  ASSERT_TRUE(outside) << outside.error().str();
  EXPECT_EQ(*crd2idx(*outside, l), IntTuple(0));
}

FLY_PROPERTY(SizeAndCosize, 4000, 100) {
  Random &random = trial.random;
  Layout l = random.chance(50) ? random.layout(5, 300)
                               : random.wildLayout(4, 100, -6, 12);
  PlainLayout p = plain(l);
  trial.given(l);
  auto indices = image(p);
  int64_t extent =
      1 + *indices.rbegin() - std::min<int64_t>(*indices.begin(), 0);
  bool oneWay = true;
  int64_t up = 0, down = 0;
  for (auto &mode : p.modes)
    (mode.stride > 0 ? up : down) += std::abs(mode.stride) * (mode.size - 1);
  oneWay = up == 0 || down == 0;
  ASSERT_EQ(number(*size(l)), p.size());
  ASSERT_EQ(number(*cosize(l)), extent);
  ASSERT_EQ(reachesBelowZero(l), *indices.begin() < 0);
  ASSERT_EQ(*coprofile(l), IntTuple(0));
  if (!oneWay)
    return;
  Assignment values;
  Layout s = random.symbolic(l, values, 50);
  bool runTimeStride = !s.getStride().isStatic();
  ASSERT_EQ(number(*size(s), values), p.size());
  if (!runTimeStride || down == 0)
    ASSERT_EQ(number(*cosize(s), values), extent) << s.str();
  // A size of run time counts as over 1.
  if (s.getShape().isStatic() && reachesBelowZero(s))
    ASSERT_LT(*indices.begin(), 0) << s.str();
  if (!runTimeStride && down != 0)
    ASSERT_TRUE(reachesBelowZero(s)) << s.str();
}

FLY_PROPERTY(CosizeOfComposedLayouts, 3000, 95) {
  Random &random = trial.random;
  Layout l = random.layout(4, 200, true);
  AnyLayout any = ComposedLayout(
      InnerMap(*Swizzle::get(random.between(0, 3), random.between(0, 4),
                             random.between(1, 4))),
      IntTuple(random.between(0, 60)), l);
  if (random.chance(30))
    any = ComposedLayout(InnerMap(AnyLayout(random.layout(2, 40, true))),
                         IntTuple(random.between(0, 9)), any);
  trial.given(any);
  // With a linear part that counts down from the offset now and then.
  if (random.chance(30))
    any = ComposedLayout(InnerMap(AnyLayout(Layout(IntTuple(1000), IntTuple(1)))),
                         IntTuple(random.between(0, 60)),
                         l = random.wildLayout(3, 60, -6, 6));
  int64_t low = 0, high = INT64_MIN;
  for (int64_t c = 0; c < plain(l).size(); ++c) {
    int64_t k = indexOf(any, c);
    low = std::min(low, k);
    high = std::max(high, k);
  }
  auto got = cosize(any);
  ASSERT_TRUE(got);
  ASSERT_EQ(got->getValue(), 1 + high - low);
  ASSERT_EQ(reachesBelowZero(any), low < 0);
}

FLY_PROPERTY(CosizeOfLargeSwizzledLayouts, 500, 100) {
  // A packed layout of 2^24 to 2^40 elements is permuted block by block, so its
  // extent stays; with a gap below the last block as well.
  Random &random = trial.random;
  int64_t rows = int64_t(1) << random.between(12, 20);
  int64_t columns = int64_t(1) << random.between(12, 20);
  Swizzle s = *Swizzle::get(random.between(1, 4), random.between(0, 4),
                            random.between(1, 6));
  int64_t pitch = columns + (int64_t(1) << random.between(9, 11));
  Layout l = random.chance(50) ? Layout(IntTuple::tuple({rows, columns}),
                                        IntTuple::tuple({columns, int64_t(1)}))
                               : Layout(IntTuple::tuple({rows, columns}),
                                        IntTuple::tuple({pitch, int64_t(1)}));
  AnyLayout any = ComposedLayout(InnerMap(s), IntTuple(0), l);
  trial.given(any);
  auto got = cosize(any);
  ASSERT_TRUE(got) << got.error().str();
  ASSERT_EQ(got->getValue(), cosize(l)->getValue());
}

FLY_PROPERTY(Swizzles, 4000, 100) {
  Random &random = trial.random;
  Swizzle s = *Swizzle::get(random.between(0, 5), random.between(0, 25),
                            random.between(1, 20));
  int64_t x = random.between(-1000, int64_t(1) << random.between(3, 40));
  trial.given(s.str(), "of", x);
  ASSERT_EQ(apply(s, Int::constant(x)).getValue(), swizzled(s, x));
  Assignment values{{0, x}};
  Int later =
      apply(s, Int::symbol(0, exceeds32(x) || random.chance(50) ? 64 : 32));
  ASSERT_EQ(number(later, values), swizzled(s, x));
  int64_t divisor = later.getDivisibility();
  ASSERT_EQ(swizzled(s, x) % divisor, 0);

  int mask = random.between(0, 4), row = random.between(0, 8),
      col = random.between(0, 8);
  CoordSwizzle cs = *CoordSwizzle::get(mask, row, {0}, col, {1});
  int64_t r = random.between(0, 4000), c = random.between(0, 4000);
  int64_t want = c ^ (((r >> row) & ((int64_t(1) << mask) - 1)) << col);
  auto moved = apply(cs, IntTuple::tuple({r, c}));
  ASSERT_TRUE(moved);
  ASSERT_EQ(*moved, IntTuple::tuple({r, want}));
  Assignment two{{0, r}, {1, c}};
  auto after = apply(cs, IntTuple::tuple({Int::symbol(0), Int::symbol(1)}));
  ASSERT_TRUE(after);
  ASSERT_EQ(number((*after)[1].getInt(), two), want);
}

FLY_PROPERTY(LegalSwizzles, 2000, 20) {
  Random &random = trial.random;
  int64_t m = random.between(-2, 66), b = random.between(-2, 66),
          s = random.between(-2, 66);
  if (random.chance(50)) {
    m = random.between(0, 20);
    b = random.between(0, 20);
    s = random.between(0, 30);
  }
  trial.given(m, b, s);
  bool legal =
      m >= 0 && b >= 0 && s >= 0 && (m == 0 || s >= 1) && m + b + s <= 63;
  auto got = Swizzle::get(m, b, s);
  ASSERT_EQ(bool(got), legal);
  if (!got)
    return trial.refused(got.error());
  // A bijection: swizzles of different numbers differ.
  int64_t x = random.between(0, INT64_MAX), y = random.between(0, INT64_MAX);
  ASSERT_EQ(x == y, swizzled(*got, x) == swizzled(*got, y));
  ASSERT_EQ(apply(*got, Int::constant(x)).getValue(), swizzled(*got, x));
}

FLY_PROPERTY(SlicesOfComposedLayouts, 3000, 60) {
  // A slice of a swizzled layout sees what the whole sees at these coordinates.
  Random &random = trial.random;
  IntTuple shape = IntTuple::tuple(
      {random.between(1, 8), random.between(1, 8), random.between(1, 4)});
  Layout l(shape, random.strides(shape, true));
  Swizzle s = *Swizzle::get(random.between(0, 3), random.between(0, 3),
                            random.between(1, 3));
  AnyLayout whole =
      ComposedLayout(InnerMap(s), IntTuple(random.between(0, 20)), l);
  std::vector<IntTuple> fixed;
  std::vector<int64_t> at;
  Assignment values;
  for (size_t i = 0; i < 3; ++i) {
    int64_t c = random.between(0, shape[i].getInt().getValue() - 1);
    bool keep = random.chance(50);
    at.push_back(keep ? -1 : c);
    fixed.push_back(keep ? IntTuple(Int::none())
                         : random.symbolic(IntTuple(c), values, 50));
  }
  IntTuple coord = IntTuple::tuple(fixed);
  trial.given(whole, "at", coord);
  auto part = slice(whole, coord);
  if (!part) {
    ASSERT_TRUE(at[0] >= 0 && at[1] >= 0 && at[2] >= 0);
    return trial.refused(part.error());
  }
  int64_t n = plain(part->getLinear()).size();
  for (int64_t k = 0; k < n; ++k) {
    int64_t rest = k;
    std::vector<IntTuple> full;
    for (size_t i = 0; i < 3; ++i) {
      int64_t size = shape[i].getInt().getValue();
      full.push_back(IntTuple(at[i] >= 0 ? at[i] : rest % size));
      if (at[i] < 0)
        rest /= size;
    }
    auto got = crd2idx(IntTuple(k), *part);
    auto want = crd2idx(IntTuple::tuple(full), whole);
    ASSERT_TRUE(got && want);
    ASSERT_EQ(number(got->getInt(), values), want->getInt().getValue());
  }
}
