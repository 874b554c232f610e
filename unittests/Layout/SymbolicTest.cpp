// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run-time leaves give what the static ones give: random layouts with some
// leaves turned into symbols, the results evaluated under the symbols' values.
// And what expressions promise: widths, divisors, the order of their nodes.

#include "Oracle.h"

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Parse.h"
#include "Fly/Layout/Product.h"
#include "Fly/Layout/Recast.h"
#include "gtest/gtest.h"

using namespace fly::layout;
using namespace fly::layout::test;

namespace {

constexpr int cases = 4000;

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
                     const Layout &want, const std::string &what) {
  checkPromises(symbolic.getShape(), values);
  checkPromises(symbolic.getStride(), values);
  PlainLayout got = plain(symbolic, values), expected = plain(want);
  ASSERT_EQ(got.size(), expected.size())
      << what << ": " << symbolic.str() << " for " << want.str();
  for (int64_t c = 0; c < expected.size(); ++c)
    ASSERT_EQ(got.at(c), expected.at(c))
        << what << ": " << symbolic.str() << " for " << want.str();
}

/// Static layouts that the spec's division rule composes, so that the
/// run-time preconditions of the symbolic case hold.
bool dividesEvenly(const Layout &a, const Layout &b) {
  // All sizes powers of two with power-of-two strides in packed order.
  auto power = [](int64_t v) { return v > 0 && (v & (v - 1)) == 0; };
  bool all = true;
  for (const Layout *l : {&a, &b})
    for (auto &mode : plain(*l).modes)
      all &= power(mode.size) && power(mode.stride);
  return all;
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

TEST(Symbolic, CoordinateToIndex) {
  Random random(41);
  for (int i = 0; i < 4 * cases; ++i) {
    Layout l = random.layout(4, 200);
    Assignment values;
    Layout s = random.symbolic(l, values, 40);
    int64_t c = random.between(0, plain(l).size() + 3);
    IntTuple coord = random.symbolic(IntTuple(c), values, 80);
    auto got = crd2idx(coord, s);
    ASSERT_TRUE(got) << s.str();
    checkPromises(*got, values);
    ASSERT_EQ(number(got->getInt(), values), plain(l).indexAt(c)) << s.str();
  }
}

TEST(Symbolic, IndexToCoordinate) {
  // The formula for a run-time index finds a coordinate of every index of the
  // image, or there is none.
  Random random(42);
  int given = 0, refused = 0;
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(4, 100);
    PlainLayout p = plain(l);
    auto got = idx2crd(IntTuple(Int::symbol(0)), l);
    if (!got) {
      ASSERT_EQ(got.error().label, "idx2crd_c3") << l.str();
      ++refused;
      continue;
    }
    ++given;
    for (int64_t c = 0; c < p.size(); ++c) {
      int64_t k = p.indexAt(c);
      IntTuple coord = got->map([&](const Leaf &leaf) {
        return Leaf(Int::constant(number(leaf.getInt(), {{0, k}})));
      });
      ASSERT_EQ(*crd2idx(coord, l), IntTuple(k)) << l.str() << " at " << k;
    }
  }
  EXPECT_GT(given, refused);
  // Strides of which none divides the other, and a packed one.
  for (const char *text : {"(3,2,2):(1,4,10)", "((3,2),5):((15,5),1)",
                           "(3,5):(1,4)", "(4,8):(8,1)"})
    EXPECT_TRUE(idx2crd(IntTuple(Int::symbol(0)), *parseLayout(text))) << text;
}

TEST(Symbolic, SizeAndCosize) {
  Random random(43);
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(5, 300, true);
    Assignment values;
    Layout s = random.symbolic(l, values, 50);
    auto n = size(s), extent = cosize(s);
    ASSERT_TRUE(n && extent);
    checkPromises(*n, values);
    checkPromises(*extent, values);
    ASSERT_EQ(number(*n, values), plain(l).size()) << s.str();
    ASSERT_EQ(number(*extent, values), cosize(l)->getValue()) << s.str();
  }
}

TEST(Symbolic, Composition) {
  Random random(44);
  int compared = 0;
  for (int i = 0; i < 4 * cases; ++i) {
    Layout a = powerLayout(random, random.between(1, 3));
    Layout b = powerLayout(random, random.between(1, 2));
    auto want = composition(a, b);
    if (!want || !dividesEvenly(a, b))
      continue;
    Assignment values;
    Layout sa = random.symbolic(a, values, 30);
    Layout sb = random.symbolic(b, values, 30);
    auto got = composition(sa, sb);
    if (!got)
      continue;
    ++compared;
    expectSameTable(*got, values, *want, sa.str() + " o " + sb.str());
  }
  EXPECT_GT(compared, 1000);
}

TEST(Symbolic, CoalesceAndInverses) {
  Random random(45);
  int inverted = 0;
  for (int i = 0; i < cases; ++i) {
    Layout l = random.layout(4, 200, true);
    Assignment values;
    Layout s = random.symbolic(l, values, 30);
    auto joined = coalesce(s);
    ASSERT_TRUE(joined);
    expectSameTable(*joined, values, l, "coalesce " + s.str());
    auto right = rightInverse(s);
    ASSERT_TRUE(right) << s.str();
    PlainLayout r = plain(*right, values), p = plain(l);
    for (int64_t k = 0; k < r.size(); ++k)
      ASSERT_EQ(p.indexAt(r.indexAt(k)), k) << s.str() << " " << right->str();
    bool zeros = false;
    for (auto &mode : p.modes)
      zeros |= mode.stride == 0;
    auto left = leftInverse(s);
    if (!left || zeros)
      continue;
    ++inverted;
    PlainLayout q = plain(*left, values);
    for (int64_t c = 0; c < p.size(); ++c)
      ASSERT_EQ(q.indexAt(p.indexAt(c)), c) << s.str() << " " << left->str();
  }
  EXPECT_GT(inverted, cases / 10);
}

TEST(Symbolic, ComplementDivideProduct) {
  Random random(46);
  int complements = 0, divides = 0, products = 0;
  for (int i = 0; i < 2 * cases; ++i) {
    Layout l = powerLayout(random, random.between(1, 3));
    Assignment values;
    Layout s = random.symbolic(l, values, 30);
    int64_t m = int64_t(1) << random.between(0, 6);
    IntTuple codomain = random.symbolic(IntTuple(m), values, 50);
    auto want = complement(l, IntTuple(m));
    auto got = complement(s, codomain);
    if (want && got) {
      ++complements;
      expectSameTable(*got, values, *want, "complement " + s.str());
    }
    Layout t(IntTuple(int64_t(1) << random.between(0, 3)), 1);
    auto cut = logicalDivide(l, t), symbolicCut = logicalDivide(s, t);
    if (cut && symbolicCut) {
      ++divides;
      expectSameTable(*symbolicCut, values, *cut, s.str() + " / " + t.str());
    }
    Layout b = powerLayout(random, 1);
    auto times = logicalProduct(l, b), symbolicTimes = logicalProduct(s, b);
    if (times && symbolicTimes) {
      ++products;
      expectSameTable(*symbolicTimes, values, *times,
                      s.str() + " x " + b.str());
    }
  }
  EXPECT_GT(complements, 300);
  EXPECT_GT(divides, 300);
  EXPECT_GT(products, 300);
}

TEST(Symbolic, OrderedLayouts) {
  Random random(47);
  for (int i = 0; i < cases; ++i) {
    IntTuple shape = random.shape(4, 200);
    IntTuple order = shape.map([&](const Leaf &) {
      return Leaf(Int::constant(random.between(0, 3)));
    });
    Assignment values;
    IntTuple s = random.symbolic(shape, values, 50);
    expectSameTable(*makeOrderedLayout(s, order), values,
                    *makeOrderedLayout(shape, order), s.str());
  }
}

TEST(Symbolic, Swizzles) {
  Random random(48);
  for (int i = 0; i < cases; ++i) {
    Swizzle s = *Swizzle::get(random.between(0, 4), random.between(0, 30),
                              random.between(1, 20));
    int64_t x = random.between(-1000, int64_t(1) << 30);
    Assignment values{{0, x}};
    Int got = apply(s, Int::symbol(0, random.chance(50) ? 64 : 32));
    checkPromises(got, values);
    ASSERT_EQ(number(got, values), apply(s, Int::constant(x)).getValue())
        << s.str() << " of " << x;
    CoordSwizzle cs =
        *CoordSwizzle::get(random.between(0, 4), random.between(0, 10), {0},
                           random.between(0, 10), {1});
    Assignment two{{0, random.between(0, 4000)}, {1, random.between(0, 4000)}};
    auto moved = apply(cs, IntTuple::tuple({Int::symbol(0), Int::symbol(1)}));
    auto want = apply(cs, IntTuple::tuple({two[0], two[1]}));
    ASSERT_EQ(number((*moved)[1].getInt(), two),
              (*want)[1].getInt().getValue());
  }
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// "rem div mul ...": the kinds of the nodes in creation order.
static std::string order(const Int &value) {
  static const char *const names[] = {
      "sym", "ext", "add", "sub", "mul", "div", "rem", "ceildiv",
      "min", "max", "lt",  "le",  "gt",  "ge",  "eq",  "ne",
      "and", "or",  "not", "and", "xor", "shl", "shr"};
  std::string text;
  for (const Expr *expr : collectExprs(value))
    if (expr->getKind() != ExprKind::Symbol)
      text += (text.empty() ? "" : " ") +
              std::string(names[static_cast<int>(expr->getKind())]);
  return text;
}

TEST(Expressions, ComeInTheOrderOfTheAlgorithm) {
  Layout l = *parseLayout("(3,(2,5)):(10,(1,2))");
  auto index = crd2idx(IntTuple(Int::symbol(0)), l);
  EXPECT_EQ(order(index->getInt()), "rem div mul rem div mul add add");
  EXPECT_EQ(order(apply(*Swizzle::get(2, 3, 4), Int::symbol(0, 64))),
            "and shr xor");
  auto coord = apply(*CoordSwizzle::get(2, 1, {0}, 2, {1}),
                     IntTuple::tuple({Int::symbol(0), Int::symbol(1)}));
  EXPECT_EQ(order((*coord)[1].getInt()), "shr and shl xor");
}

TEST(Expressions, SubtractionFromZeroKeepsTheType) {
  Int x = Int::symbol(0, 32, 6);
  auto negated = sub(Int::constant(0), x);
  EXPECT_EQ(negated->str(), "?{div=6}");
  EXPECT_EQ(number(*negated, {{0, 12}}), -12);
}

TEST(Expressions, WideIndicesAreFormedFromWideCoordinates) {
  Layout l = *parseLayout("(65536,65536):(65536,1)");
  auto index = crd2idx(IntTuple::tuple({Int::symbol(0), Int::symbol(1)}), l);
  EXPECT_EQ(order(index->getInt()), "ext ext mul add");
  EXPECT_EQ(number(index->getInt(), {{0, 65535}, {1, 65535}}), 4294967295);
  // The partial product does not wrap before the last factor widens it.
  auto n = size(*parseIntTuple("(65536,?,65536)"));
  EXPECT_EQ(order(*n), "ext mul mul");
}

TEST(Expressions, KnownEqualities) {
  Int a = Int::symbol(0), b = Int::symbol(1);
  EXPECT_TRUE(sameValue(*mul(a, b), *mul(b, a)));
  EXPECT_TRUE(sameValue(*div(*mul(a, Int::constant(6)), Int::constant(1)),
                        *mul(a, Int::constant(6))));
  EXPECT_TRUE(sameValue(extendTo64(a), a));
  EXPECT_FALSE(sameValue(a, b));
  EXPECT_FALSE(sameValue(a, Int::constant(0)));
}

TEST(Expressions, ARunTimeShapeContinuesItself) {
  // One and the same value as size and stride: column-major without padding.
  Int m = Int::symbol(0), n = Int::symbol(1);
  Layout l(IntTuple::tuple({m, n}), IntTuple::tuple({1, m}));
  EXPECT_EQ(rightInverse(l)->str(), "(?,?):(1,?)");
  EXPECT_EQ(leftInverse(l)->str(), "(?,?):(1,?)");
  EXPECT_EQ(complement(l, Int::constant(100))->str(), "?:?");
}

TEST(Expressions, LongChainsAreReleased) {
  Int sum = Int::symbol(0);
  for (int i = 0; i < 300000; ++i)
    sum = *add(sum, Int::symbol(1));
  EXPECT_EQ(number(sum, {{0, 5}, {1, 1}}), 300005);
}

TEST(Expressions, EvaluationReportsZeroDivisors) {
  Int x = Int::symbol(0);
  auto value = evaluate(*div(Int::constant(3), x),
                        [](const Expr &) { return int64_t(0); });
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().label, "div_c1");
  auto large = evaluate(*mul(x, x), [](const Expr &) { return INT64_MAX; });
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().label, "int_overflow");
}
