// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run-time leaves give what the static ones give: layouts with some leaves
// turned into symbols, the results evaluated under the symbols' values. Sizes
// and strides are powers of two where an operation leaves a divisibility to the
// caller's promise.

#include "Property.h"

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Product.h"
#include "Fly/Layout/Recast.h"

using namespace fly::layout;
using namespace fly::layout::test;

namespace {

/// Checks the promise of each leaf: the value is a multiple of its divisor and
/// every 32-bit step stays within 32 bits.
void checkPromises(const IntTuple &tuple, const Assignment &values) {
  for (const Int &leaf : tuple.dynamicInts()) {
    int64_t value = number(leaf, values);
    int64_t divisor = leaf.getDivisibility();
    if (divisor != 0)
      ASSERT_EQ(value % divisor, 0) << leaf.str() << " is " << value;
    if (leaf.getWidth() == 32)
      ASSERT_FALSE(exceeds32(value)) << leaf.str() << " is " << value;
  }
}

void expectSameTable(const Layout &symbolic, const Assignment &values,
                     const Layout &want) {
  checkPromises(symbolic.getShape(), values);
  checkPromises(symbolic.getStride(), values);
  PlainLayout got = plain(symbolic, values), expected = plain(want);
  ASSERT_EQ(got.size(), expected.size())
      << symbolic.str() << " for " << want.str();
  for (int64_t c = 0; c < expected.size(); ++c)
    ASSERT_EQ(got.at(c), expected.at(c))
        << symbolic.str() << " for " << want.str();
}

/// A packed layout of powers of two with shuffled modes.
Layout powerLayout(Random &random, int leaves) {
  std::vector<IntTuple> sizes, order;
  for (int i = 0; i < leaves; ++i) {
    sizes.push_back(IntTuple(int64_t(1) << random.between(0, 2)));
    order.push_back(IntTuple(random.between(0, 3)));
  }
  if (leaves == 1)
    return Layout(sizes[0], 1);
  return *makeOrderedLayout(IntTuple::tuple(sizes), IntTuple::tuple(order));
}

} // namespace

FLY_PROPERTY(SymbolicComposition, 8000, 30) {
  Random &random = trial.random;
  Layout a = powerLayout(random, random.between(1, 3));
  Layout b = powerLayout(random, random.between(1, 2));
  Assignment values;
  Layout sa = random.symbolic(a, values, 30);
  Layout sb = random.symbolic(b, values, 30);
  trial.given(sa, "o", sb, "=", a, "o", b);
  auto want = composition(a, b);
  if (!want)
    return trial.skip();
  auto got = composition(sa, sb);
  if (!got)
    return trial.refused(got.error());
  expectSameTable(*got, values, *want);
}

FLY_PROPERTY(SymbolicStrides, 5000, 30) {
  // With static sizes and run-time strides composition decides as if the
  // strides were independent numbers: what it gives holds for all of them.
  Random &random = trial.random;
  IntTuple shape = random.shape(4, 100);
  Assignment values;
  IntTuple strides = shape.map([&](const Leaf &) {
    unsigned id = values.size();
    values[id] = random.between(100000, 1000000);
    return Leaf(Int::symbol(id));
  });
  Layout a(shape, strides);
  Layout b =
      random.chance(50) ? random.wildLayout(2, 16, 0, 9) : random.layout(2, 24);
  trial.given(a, "o", b);
  PlainLayout pa = plain(a, values), pb = plain(b);
  auto got = composition(a, b);
  if (!got) {
    // For independent numbers there is none: neither for these ones.
    ASSERT_FALSE(compositionExists(pa, pb)) << got.error().str();
    return trial.refused(got.error());
  }
  PlainLayout r = plain(*got, values);
  ASSERT_EQ(r.size(), pb.size());
  for (int64_t c = 0; c < pb.size(); ++c)
    ASSERT_EQ(r.at(c), pa.at(pb.indexAt(c))) << got->str();
}

FLY_PROPERTY(SymbolicComplement, 5000, 50) {
  Random &random = trial.random;
  Layout l = powerLayout(random, random.between(1, 3));
  Assignment values;
  Layout s = random.symbolic(l, values, 30);
  int64_t m = int64_t(1) << random.between(0, 6);
  IntTuple codomain = random.symbolic(IntTuple(m), values, 50);
  trial.given("complement of", s, "in", codomain, "=", l, m);
  auto want = complement(l, IntTuple(m)), got = complement(s, codomain);
  ASSERT_TRUE(want);
  if (!got)
    return trial.refused(got.error());
  expectSameTable(*got, values, *want);
}

FLY_PROPERTY(SymbolicDivide, 5000, 50) {
  Random &random = trial.random;
  Layout l = powerLayout(random, random.between(1, 3));
  Assignment values;
  Layout s = random.symbolic(l, values, 30);
  Layout t(IntTuple(int64_t(1) << random.between(0, 3)), 1);
  trial.given(s, "/", t, "=", l);
  auto want = logicalDivide(l, t), got = logicalDivide(s, t);
  if (!want)
    return trial.skip();
  if (!got)
    return trial.refused(got.error());
  expectSameTable(*got, values, *want);
  // By a tile, mode by mode.
  std::vector<Tile> elements;
  for (size_t i = 0; i < l.rank(); ++i)
    elements.push_back(
        random.chance(30) ? Tile() : Tile(int64_t(1) << random.between(0, 2)));
  Tile tile = Tile::list(elements);
  auto zipped = zippedDivide(l, tile), later = zippedDivide(s, tile);
  if (zipped && later)
    expectSameTable(*later, values, *zipped);
}

FLY_PROPERTY(SymbolicProduct, 5000, 50) {
  Random &random = trial.random;
  Layout l = powerLayout(random, random.between(1, 3));
  Layout b = powerLayout(random, 1);
  Assignment values;
  Layout s = random.symbolic(l, values, 30),
         sb = random.symbolic(b, values, 30);
  trial.given(s, "x", sb, "=", l, "x", b);
  auto want = logicalProduct(l, b), got = logicalProduct(s, sb);
  if (!want)
    return trial.skip();
  if (!got)
    return trial.refused(got.error());
  expectSameTable(*got, values, *want);
  auto blocked = blockedProduct(l, b), later = blockedProduct(s, sb);
  ASSERT_EQ(bool(blocked), bool(later));
  if (blocked)
    expectSameTable(*later, values, *blocked);
}

FLY_PROPERTY(SymbolicOrder, 3000, 100) {
  Random &random = trial.random;
  IntTuple shape = random.shape(4, 200);
  IntTuple order = shape.map(
      [&](const Leaf &) { return Leaf(Int::constant(random.between(0, 3))); });
  Assignment values;
  IntTuple s = random.symbolic(shape, values, 50);
  trial.given(s, "by", order);
  expectSameTable(*makeOrderedLayout(s, order), values,
                  *makeOrderedLayout(shape, order));
  // Like a layout with run-time sizes.
  Layout l(shape, random.strides(shape, true));
  Assignment others;
  Layout ls(random.symbolic(shape, others, 50), l.getStride());
  auto want = makeLayoutLike(l), got = makeLayoutLike(ls);
  ASSERT_TRUE(want && got);
  expectSameTable(*got, others, *want);
  auto fragment = makeFragmentLayout(l), later = makeFragmentLayout(ls);
  ASSERT_TRUE(fragment && later);
  PlainLayout f = plain(*later, others);
  ASSERT_TRUE(isInjective(f)) << later->str();
  ASSERT_EQ(f.size(), plain(l).size());
}

FLY_PROPERTY(SymbolicRecast, 4000, 20) {
  Random &random = trial.random;
  Layout l = powerLayout(random, random.between(1, 3));
  Assignment values;
  Layout s = random.symbolic(l, values, 30);
  int64_t from = random.chance(50) ? 8 : 32, to = 16;
  trial.given(s, from, "->", to, "=", l);
  auto want = recast(l, from, to), got = recast(s, from, to);
  // A run-time size may hold what a static one of 1 does not need.
  if (!want)
    return trial.skip();
  if (!got)
    return trial.refused(got.error());
  ASSERT_EQ(plain(*got, values).size(), plain(*want).size());
  ASSERT_EQ(image(plain(*got, values)), image(plain(*want))) << got->str();
}
