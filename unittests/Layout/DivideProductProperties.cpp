// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of divisions, products and constructed layouts.

#include "Property.h"

#include "Fly/Layout/Product.h"

using namespace fly::layout;
using namespace fly::layout::test;

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

FLY_PROPERTY(DivideByLayout, 5000, 25) {
  Random &random = trial.random;
  Layout l = random.layout(4, 120);
  Layout t = random.chance(80)   ? random.layout(2, 12, true)
             : random.chance(80) ? random.wildLayout(2, 6, 0, 6)
                                 : random.wildLayout(2, 6, -6, 6);
  trial.given(l, "/", t);
  auto r = logicalDivide(l, t);
  PlainLayout pl = plain(l), pt = plain(t);
  auto c = complement(t, Int::constant(pl.size()));
  // Items below the first one are none of the layout's.
  bool backwards = *image(pt).begin() < 0;
  ASSERT_TRUE(!backwards || !r);
  if (!r && backwards) {
    ASSERT_EQ(r.error().label, "divide_c3");
    return trial.refused(r.error());
  }
  if (!r) {
    ASSERT_TRUE(!c || !compositionExists(pl, plain(Layout::concat({t, *c}))))
        << r.error().str();
    return trial.refused(r.error());
  }
  PlainLayout tile = plain((*r)[0]), rest = plain((*r)[1]), pc = plain(*c);
  ASSERT_EQ(tile.size(), pt.size());
  ASSERT_EQ(rest.size(), pc.size());
  for (int64_t x = 0; x < tile.size(); ++x)
    for (int64_t y = 0; y < rest.size(); ++y)
      ASSERT_EQ(tile.indexAt(x) + rest.indexAt(y),
                pl.indexAt(pt.indexAt(x) + pc.indexAt(y)));
  auto zipped = zippedDivide(l, t), tiled = tiledDivide(l, t),
       flat = flatDivide(l, t);
  ASSERT_TRUE(zipped && tiled && flat);
  ASSERT_EQ(*zipped, *r);
  ASSERT_EQ(*tiled, expand(*r, {1}));
  ASSERT_EQ(*flat, expand(*r, {0, 1}));
}

/// A tile for the modes of `profile`: `*`, integers, layouts, nested lists.
static Tile randomTile(Random &random, const Layout &layout, int extra) {
  std::vector<Tile> elements;
  int n = random.between(1, layout.rank() + extra);
  for (int i = 0; i < n; ++i) {
    if (random.chance(25)) {
      elements.push_back(Tile());
      continue;
    }
    if (static_cast<size_t>(i) < layout.rank() && !layout[i].isLeaf() &&
        layout[i].rank() > 1 && random.chance(60)) {
      elements.push_back(randomTile(random, layout[i], 0));
      continue;
    }
    if (random.chance(20)) {
      elements.push_back(Tile(random.layout(2, 6, true)));
      continue;
    }
    elements.push_back(Tile(random.between(1, 6)));
  }
  return Tile::list(elements);
}

namespace {
/// The parts that the definition asks for: per leaf of the tile its own
/// division, `*` whole with the rest 1:0.
struct Parts {
  std::vector<PlainLayout> tile, rest;
};
} // namespace

static bool expectedParts(const Layout &l, const Tile &t, Parts &parts) {
  if (t.isNone()) {
    parts.tile.push_back(plain(l));
    parts.rest.push_back(PlainLayout{{{1, 0, {}}}});
    return true;
  }
  if (t.isList()) {
    for (size_t i = 0; i < l.rank(); ++i) {
      if (i >= t.rank())
        parts.rest.push_back(plain(l[i]));
      else if (!expectedParts(l[i], t.getElements()[i], parts))
        return false;
    }
    return true;
  }
  auto divided = logicalDivide(l, t.asLayout());
  if (!divided)
    return false;
  parts.tile.push_back(plain((*divided)[0]));
  parts.rest.push_back(plain((*divided)[1]));
  return true;
}

static PlainLayout joined(const std::vector<PlainLayout> &parts) {
  PlainLayout result;
  for (const PlainLayout &part : parts)
    result.modes.insert(result.modes.end(), part.modes.begin(),
                        part.modes.end());
  return result;
}

FLY_PROPERTY(DivideByTile, 6000, 30) {
  Random &random = trial.random;
  Layout l = random.layout(5, 200, random.chance(80));
  Tile tile = randomTile(random, l, 1);
  trial.given(l, "/", tile);
  auto zipped = zippedDivide(l, tile), tiled = tiledDivide(l, tile),
       flat = flatDivide(l, tile), logical = logicalDivide(l, tile);
  ASSERT_EQ(bool(zipped), bool(tiled));
  ASSERT_EQ(bool(zipped), bool(flat));
  Parts parts;
  bool tooLong = tile.rank() > l.rank();
  bool exists = expectedParts(l, tile, parts);
  if (!zipped) {
    ASSERT_TRUE(tooLong || !exists || zipped.error().label == "divide_c2")
        << zipped.error().str();
    return trial.refused(zipped.error());
  }
  ASSERT_TRUE(exists && logical);
  ASSERT_EQ(zipped->rank(), 2u);
  PlainLayout inside = joined(parts.tile), outside = joined(parts.rest);
  PlainLayout first = plain((*zipped)[0]), second = plain((*zipped)[1]);
  ASSERT_EQ(first.size(), inside.size()) << zipped->str();
  ASSERT_EQ(second.size(), outside.size()) << zipped->str();
  for (int64_t c = 0; c < first.size(); ++c)
    ASSERT_EQ(first.indexAt(c), inside.indexAt(c)) << zipped->str();
  for (int64_t c = 0; c < second.size(); ++c)
    ASSERT_EQ(second.indexAt(c), outside.indexAt(c)) << zipped->str();
  // All forms hold the same offsets; where nothing rounds up, those of L.
  auto offsets = image(plain(*zipped));
  ASSERT_EQ(offsets, image(plain(*logical))) << logical->str();
  ASSERT_EQ(offsets, image(plain(*tiled))) << tiled->str();
  ASSERT_EQ(offsets, image(plain(*flat))) << flat->str();
  ASSERT_EQ(logical->rank(), l.rank());
  if (plain(*zipped).size() == plain(l).size())
    ASSERT_EQ(offsets, image(plain(l))) << zipped->str();
  for (int64_t offset : image(plain(l)))
    ASSERT_TRUE(offsets.count(offset)) << zipped->str();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

FLY_PROPERTY(Products, 5000, 30) {
  Random &random = trial.random;
  Layout a = random.layout(3, 24);
  bool integer = random.chance(20);
  Layout b = integer ? Layout(random.between(1, 9), 1)
                     : random.layout(3, 12, random.chance(80));
  trial.given(a, "x", b);
  auto r = logicalProduct(a, b);
  PlainLayout pa = plain(a), pb = plain(b);
  auto reach = image(pb);
  int64_t extent = 1 + *reach.rbegin() - std::min<int64_t>(*reach.begin(), 0);
  auto c = complement(a, Int::constant(pa.size() * extent));
  if (!r) {
    bool below = *reach.begin() < 0 &&
                 r.error().str().find("product_c2") != std::string::npos;
    ASSERT_TRUE(!c || below || !compositionExists(plain(*c), pb))
        << r.error().str();
    return trial.refused(r.error());
  }
  ASSERT_TRUE(c);
  // Copies of a layout without aliases at places without aliases have none.
  if (int64_t(image(pa).size()) == pa.size() &&
      int64_t(reach.size()) == pb.size())
    ASSERT_EQ(int64_t(image(plain(*r)).size()), pa.size() * pb.size())
        << r->str();
  PlainLayout first = plain((*r)[0]), second = plain((*r)[1]), pc = plain(*c);
  ASSERT_EQ(first.size(), pa.size());
  ASSERT_EQ(second.size(), pb.size());
  for (int64_t x = 0; x < pa.size(); ++x)
    ASSERT_EQ(first.indexAt(x), pa.indexAt(x));
  for (int64_t y = 0; y < pb.size(); ++y)
    ASSERT_EQ(second.indexAt(y), pc.indexAt(pb.indexAt(y))) << r->str();
  auto offsets = image(plain(*r));
  auto zipped = zippedProduct(a, b), tiled = tiledProduct(a, b),
       flat = flatProduct(a, b), blocked = blockedProduct(a, b),
       raked = rakedProduct(a, b);
  ASSERT_TRUE(zipped && tiled && flat && blocked && raked);
  ASSERT_EQ(*zipped, *r);
  for (auto *form : {&tiled, &flat, &blocked, &raked})
    ASSERT_EQ(offsets, image(plain(**form))) << (*form)->str();
  // Mode i of the blocked product: the block's mode i, then the repetition's;
  // of the raked product the other way round.
  size_t rank = std::max(a.rank(), b.rank());
  if (rank > 1) {
    ASSERT_EQ(blocked->rank(), rank);
    ASSERT_EQ(raked->rank(), rank);
    for (size_t i = 0; i < rank; ++i) {
      int64_t block = i < a.rank() ? plain(a[i]).size() : 1;
      int64_t times = i < b.rank() ? plain(b[i]).size() : 1;
      ASSERT_EQ(plain((*blocked)[i][0]).size(), block) << blocked->str();
      ASSERT_EQ(plain((*blocked)[i][1]).size(), times) << blocked->str();
      ASSERT_EQ(plain((*raked)[i][0]).size(), times) << raked->str();
      ASSERT_EQ(plain((*raked)[i][1]).size(), block) << raked->str();
    }
  }
  if (filtered(pa).size() == pa.size() && isInjective(pb))
    ASSERT_TRUE(isInjective(plain(*r))) << r->str();
}

//===----------------------------------------------------------------------===//
// Constructed layouts
//===----------------------------------------------------------------------===//

FLY_PROPERTY(OrderedLayouts, 4000, 100) {
  Random &random = trial.random;
  IntTuple shape = random.shape(5, 200);
  IntTuple order = shape.map(
      [&](const Leaf &) { return Leaf(Int::constant(random.between(-2, 4))); });
  Assignment values;
  IntTuple s = random.symbolic(shape, values, random.chance(50) ? 40 : 0);
  trial.given(s, "by", order);
  auto got = makeOrderedLayout(s, order);
  ASSERT_TRUE(got);
  PlainLayout p = plain(*got, values);
  ASSERT_TRUE(isInjective(p)) << got->str();
  ASSERT_EQ(*image(p).rbegin(), p.size() - 1) << got->str();
  // Smaller order values lie closer, equal ones from left to right.
  std::vector<int64_t> rank;
  order.forEachLeaf(
      [&](const Leaf &l) { rank.push_back(l.getInt().getValue()); });
  if (shape.numLeaves() > 1)
    for (size_t x = 0; x < rank.size(); ++x)
      for (size_t y = 0; y < rank.size(); ++y)
        if (rank[x] < rank[y] || (rank[x] == rank[y] && x < y))
          ASSERT_LE(p.modes[x].stride, p.modes[y].stride) << got->str();
}

FLY_PROPERTY(OrderedByParts, 2000, 100) {
  // A leaf of the order stands for a whole part, which stays packed; orders
  // that are not known come last, from left to right.
  Random &random = trial.random;
  std::vector<IntTuple> parts, order;
  std::vector<std::pair<int64_t, size_t>> sorted;
  for (int i = 0, n = random.between(2, 4); i < n; ++i) {
    parts.push_back(random.shape(3, 12));
    bool known = random.chance(75);
    int64_t value = random.between(-3, 5);
    order.push_back(known ? IntTuple(value)
                          : IntTuple(Int::symbol(static_cast<unsigned>(i))));
    sorted.push_back({known ? value : 1000, sorted.size()});
  }
  IntTuple shape = IntTuple::tuple(parts), by = IntTuple::tuple(order);
  trial.given(shape, "by", by);
  auto got = makeOrderedLayout(shape, by);
  ASSERT_TRUE(got);
  std::sort(sorted.begin(), sorted.end());
  int64_t start = 1;
  for (auto &[value, i] : sorted) {
    int64_t running = start;
    PlainLayout part = plain((*got)[i]);
    for (auto &mode : part.modes) {
      ASSERT_EQ(mode.stride, running) << got->str();
      running *= mode.size;
    }
    start = running;
  }
}

FLY_PROPERTY(LikeAndFragmentLayouts, 4000, 100) {
  Random &random = trial.random;
  Layout l = random.layout(4, 200, random.chance(70));
  trial.given(l);
  auto like = makeLayoutLike(l);
  ASSERT_TRUE(like);
  PlainLayout p = plain(l), k = plain(*like);
  ASSERT_EQ(like->getShape(), l.getShape());
  // Without the modes of stride 0: packed, in the order of the strides.
  PlainLayout moving;
  for (size_t i = 0; i < p.modes.size(); ++i) {
    if (p.modes[i].stride != 0)
      moving.modes.push_back(k.modes[i]);
    for (size_t j = 0; j < p.modes.size(); ++j)
      if (p.modes.size() > 1 && p.modes[i].stride != 0 &&
          p.modes[j].stride != 0 && p.modes[i].stride < p.modes[j].stride)
        ASSERT_LE(k.modes[i].stride, k.modes[j].stride) << like->str();
  }
  ASSERT_TRUE(isInjective(moving)) << like->str();
  ASSERT_EQ(*image(moving).rbegin(), moving.size() - 1) << like->str();

  auto fragment = makeFragmentLayout(l);
  ASSERT_TRUE(fragment);
  PlainLayout f = plain(*fragment);
  ASSERT_EQ(f.size(), p.size());
  if (l.rank() > 1) {
    // The values of an atom come first and packed.
    PlainLayout atom = plain((*fragment)[0]), original = plain(l[0]), first;
    for (size_t i = 0; i < original.modes.size(); ++i)
      if (original.modes[i].stride != 0)
        first.modes.push_back(atom.modes[i]);
    ASSERT_EQ(*image(first).rbegin(), first.size() - 1) << fragment->str();
  }
  if (filtered(p).size() == p.size()) {
    ASSERT_TRUE(isInjective(f)) << fragment->str();
    ASSERT_EQ(*image(f).rbegin(), f.size() - 1) << fragment->str();
  }
}

FLY_PROPERTY(IdentityLayouts, 1500, 100) {
  Random &random = trial.random;
  IntTuple shape = random.shape(5, 300);
  trial.given(shape);
  Layout l = *makeIdentityLayout(shape);
  int64_t n = plain(l).size(), c = random.between(0, n - 1);
  auto coord = idx2crdColMajor(Int::constant(c), shape);
  ASSERT_TRUE(coord);
  auto index = crd2idx(*coord, l);
  ASSERT_TRUE(index);
  if (index->isLeaf() && index->hasBasis())
    index = expandBasis(index->getLeaf());
  // The index is the coordinate, as far as its zeros at the end are spelled.
  int64_t back = 0;
  PlainLayout p = plain(l);
  if (shape.isLeaf()) {
    back = index->getInt().getValue();
  } else {
    int64_t below = 1;
    for (auto &mode : p.modes) {
      IntTuple part = *index;
      for (int32_t step : mode.path) {
        if (part.isLeaf() || static_cast<size_t>(step) >= part.rank()) {
          part = IntTuple(0);
          break;
        }
        IntTuple next = part[step];
        part = next;
      }
      if (part.isLeaf())
        back += part.getInt().getValue() * below;
      below *= mode.size;
    }
  }
  ASSERT_EQ(back, c) << index->str();
}

FLY_PROPERTY(TileToShape, 3000, 100) {
  Random &random = trial.random;
  IntTuple blockShape =
      IntTuple::tuple({random.between(1, 4), random.between(1, 4)});
  Layout block(blockShape, *compactColMajor(blockShape));
  IntTuple target =
      IntTuple::tuple({random.between(1, 20), random.between(1, 20)});
  IntTuple order =
      random.chance(50) ? IntTuple::tuple({0, 1}) : IntTuple::tuple({1, 0});
  trial.given(block, "to", target, "by", order);
  auto r = tileToShape(block, target, order);
  ASSERT_TRUE(r);
  PlainLayout p = plain(*r);
  for (int k = 0; k < 2; ++k) {
    int64_t b = blockShape[k].getInt().getValue();
    int64_t t = target[k].getInt().getValue();
    ASSERT_EQ(plain((*r)[k]).size(), (t + b - 1) / b * b);
    ASSERT_EQ((*r)[k][0], canonicalStrides(block[k])) << r->str();
  }
  ASSERT_TRUE(isInjective(p));
  ASSERT_EQ(*image(p).rbegin(), p.size() - 1) << r->str();
}
