// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What expressions promise: widths, divisors, the order of their nodes.

#include "Oracle.h"

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Parse.h"
#include "Fly/Layout/Product.h"
#include "Fly/Layout/Recast.h"
#include "gtest/gtest.h"

using namespace fly::layout;
using namespace fly::layout::test;

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
