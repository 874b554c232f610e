// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on operands that make no sense: each gives a value or an error
// with a label, whatever it is given.

#include "Oracle.h"
#include "Table.h"

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Product.h"
#include "gtest/gtest.h"

using namespace fly::layout;
using namespace fly::layout::test;

namespace {

std::string leaf(Random &random) {
  static const std::vector<std::string> pool{"0",
                                             "1",
                                             "1",
                                             "2",
                                             "3",
                                             "4",
                                             "8",
                                             "16",
                                             "-1",
                                             "-8",
                                             "*",
                                             "?",
                                             "?",
                                             "?{div=4}",
                                             "?{i64 div=8}",
                                             "?{div=0}",
                                             "?{div=-3}",
                                             "1E0",
                                             "2E1",
                                             "?E0",
                                             "3E1E0",
                                             "0E1",
                                             "2147483648",
                                             "65536",
                                             "4611686018427387904",
                                             "9223372036854775807",
                                             "-9223372036854775808"};
  return random.pick(pool);
}

std::string tuple(Random &random, int depth) {
  if (depth == 0 || random.chance(35))
    return leaf(random);
  std::string text = "(";
  for (int i = 0, n = random.between(1, 3); i < n; ++i)
    text += (i ? "," : "") + tuple(random, depth - 1);
  return text + ")";
}

/// A stride for the profile of `shape`.
std::string strideLike(Random &random, const std::string &shape) {
  std::string text;
  for (size_t i = 0; i < shape.size();) {
    char c = shape[i];
    if (c == '(' || c == ')' || c == ',') {
      text += c;
      ++i;
      continue;
    }
    text += leaf(random);
    while (i < shape.size() && shape[i] != ')' && shape[i] != ',')
      ++i;
  }
  return text;
}

std::string layout(Random &random) {
  std::string shape = tuple(random, 2);
  return shape + ":" + strideLike(random, shape);
}

std::string operand(Random &random, const std::string &kind) {
  if (kind == "int_tuple")
    return "int_tuple<" + tuple(random, 3) + ">";
  if (kind == "layout")
    return "layout<" + layout(random) + ">";
  if (kind == "any") {
    if (random.chance(60))
      return "layout<" + layout(random) + ">";
    static const std::vector<std::string> swizzles{
        "S<2,3,3>",        "S<1,0,4>",
        "S<0,63,0>",       "S<20,20,20>",
        "S<3,0,1>",        "CS<2,1,[0],2,[1]>",
        "CS<0,0,[],0,[]>", "CS<3,0,[1, 0],0,[0]>"};
    std::string inner =
        random.chance(70) ? random.pick(swizzles) : layout(random);
    return "composed_layout<" + inner + " o " + tuple(random, 1) + " o " +
           layout(random) + ">";
  }
  std::string text = "[";
  for (int i = 0, n = random.between(1, 3); i < n; ++i)
    text +=
        (i ? "|" : "") + (random.chance(30)
                              ? layout(random)
                              : std::string(random.pick<std::string>(
                                    {"*", "2", "0", "-2", "3", "?", "[2|3]"})));
  return "tile<" + text + "]>";
}

} // namespace

TEST(Robustness, EveryOperationAnswers) {
  struct Form {
    const char *name;
    std::vector<std::string> kinds;
  };
  const std::vector<Form> forms{
      {"int_tuple_add", {"int_tuple", "int_tuple"}},
      {"int_tuple_sub", {"int_tuple", "int_tuple"}},
      {"int_tuple_mul", {"int_tuple", "int_tuple"}},
      {"int_tuple_div", {"int_tuple", "int_tuple"}},
      {"int_tuple_mod", {"int_tuple", "int_tuple"}},
      {"int_tuple_min", {"int_tuple", "int_tuple"}},
      {"ceil_div", {"int_tuple", "int_tuple"}},
      {"shape_div", {"int_tuple", "int_tuple"}},
      {"elem_less", {"int_tuple", "int_tuple"}},
      {"equal", {"int_tuple", "int_tuple"}},
      {"int_tuple_product", {"int_tuple"}},
      {"int_tuple_product_each", {"int_tuple"}},
      {"int_tuple_product_like", {"int_tuple", "int_tuple"}},
      {"inner_product", {"int_tuple", "int_tuple"}},
      {"filter_zero", {"int_tuple", "int_tuple"}},
      {"zip", {"int_tuple"}},
      {"slice", {"any", "int_tuple"}},
      {"crd2idx", {"int_tuple", "any"}},
      {"idx2crd", {"int_tuple", "layout"}},
      {"get_flat_coord", {"int_tuple", "layout"}},
      {"get_1d_coord", {"int_tuple", "layout"}},
      {"size", {"any"}},
      {"coprofile", {"any"}},
      {"coshape", {"any"}},
      {"cosize", {"any"}},
      {"coalesce", {"any"}},
      {"coalesce", {"any", "int_tuple"}},
      {"composition", {"any", "layout"}},
      {"composition", {"any", "tile"}},
      {"complement", {"any"}},
      {"complement", {"any", "int_tuple"}},
      {"logical_divide", {"any", "layout"}},
      {"zipped_divide", {"any", "tile"}},
      {"tiled_divide", {"any", "tile"}},
      {"flat_divide", {"any", "tile"}},
      {"logical_product", {"any", "layout"}},
      {"blocked_product", {"any", "layout"}},
      {"raked_product", {"any", "layout"}},
      {"right_inverse", {"any"}},
      {"left_inverse", {"any"}},
      {"make_identity_layout", {"int_tuple"}},
      {"make_ordered_layout", {"int_tuple", "int_tuple"}},
      {"make_layout_like", {"layout"}},
      {"make_fragment_layout_like", {"layout"}},
      {"tile_to_shape", {"any", "int_tuple", "int_tuple"}},
      {"recast_layout {new_type_bits = 32 : i32, old_type_bits = 8 : i32}",
       {"any"}},
      {"recast_layout {new_type_bits = 8 : i32, old_type_bits = 24 : i32}",
       {"any"}},
      {"origin_offset", {"any"}},
      {"add_offset", {"any", "int_tuple"}},
      {"retile_copy", {"layout", "layout", "layout", "tile", "layout"}},
      {"partition_copy",
       {"layout", "layout", "layout", "tile", "layout", "int_tuple"}},
      {"partition_mma {operand = 0}",
       {"layout", "tile", "layout", "int_tuple"}},
      {"make_fragment_mma {operand = 2, stages = 3}",
       {"layout", "tile", "layout"}},
  };
  Random random(61);
  int answers = 0, refusals = 0;
  for (int i = 0; i < 600; ++i)
    for (const Form &form : forms) {
      std::string line = form.name;
      line += " (";
      for (size_t k = 0; k < form.kinds.size(); ++k)
        line += (k ? " ; " : "") + operand(random, form.kinds[k]);
      line += ")";
      SCOPED_TRACE(line);
      std::string result = compute(line);
      if (llvm::StringRef(result).starts_with("error: ")) {
        ASSERT_GT(result.size(), std::string("error: ").size());
        ++refusals;
      } else if (!llvm::StringRef(result).starts_with("unknown: operand")) {
        ++answers;
      }
    }
  EXPECT_GT(answers, 3000);
  EXPECT_GT(refusals, 3000);
}

TEST(Robustness, BasisElementsStaySmall) {
  EXPECT_EQ(compute("int_tuple_add (int_tuple<1E40000E40000> ; "
                    "int_tuple<1E0>)"),
            "error: basis_c2");
}

TEST(Robustness, ResultsStayShallow) {
  // Each operation that nests deeper refuses beyond 256 levels.
  IntTuple tuple = IntTuple::tuple({2, 3});
  while (tuple.depth() < maxDepth)
    tuple = IntTuple::tuple({tuple, 1});
  ASSERT_TRUE(group(tuple, 1, 2));
  for (auto &result :
       {group(tuple, 0, 1), append(tuple, tuple), prepend(2, tuple),
        zip(IntTuple::tuple({wrap(tuple)}))}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().label, "depth_c1");
  }
  Layout deep(tuple, *compactColMajor(tuple));
  Layout flat(6, 1);
  ASSERT_TRUE(composition(Layout(100, 1), deep));
  EXPECT_EQ(composition(*composition(flat, flat), deep)->depth(), maxDepth);
  // The leaf 2:1 of B splits in two.
  Layout odd(IntTuple::tuple({3, 4}), IntTuple::tuple({1, 5}));
  IntTuple six = 6;
  while (six.depth() < maxDepth)
    six = IntTuple::tuple({six, 1});
  for (auto &result :
       {composition(odd, Layout(six, *compactColMajor(six))),
        logicalDivide(Layout(6, 1), deep), logicalProduct(deep, flat),
        logicalProduct(flat, deep)}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().label, "depth_c1");
  }
  AnyLayout swizzled = Layout(64, 1);
  for (unsigned i = 0; i < maxDepth; ++i)
    swizzled = ComposedLayout(InnerMap(*Swizzle::get(1, 0, 2)), 0, swizzled);
  for (auto &result : {leftInverse(swizzled), rightInverse(swizzled)}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().label, "depth_c1");
  }
}

TEST(Robustness, LongTuplesTakeLittleTime) {
  // Ranks that a quadratic step would make visible as minutes.
  std::vector<IntTuple> sizes(maxRank, IntTuple(1)), strides;
  for (int32_t i = 0; i < maxRank; ++i) {
    if (i % 2048 == 0)
      sizes[i] = 2;
    strides.push_back(IntTuple(i));
  }
  Layout wide(IntTuple::tuple(sizes), IntTuple::tuple(strides));
  EXPECT_TRUE(coalesce(wide));
  EXPECT_TRUE(idx2crd(IntTuple(2048), wide));
  EXPECT_TRUE(rightInverse(wide));
  std::vector<IntTuple> all(maxRank, IntTuple(2));
  Layout dense(IntTuple::tuple(all), IntTuple::tuple(strides));
  EXPECT_FALSE(complement(dense, Int::constant(100)));
  EXPECT_FALSE(leftInverse(dense));
  EXPECT_FALSE(rightInverse(dense)); // its size leaves 64 bits
  EXPECT_TRUE(idx2crd(IntTuple(5), dense));
  EXPECT_TRUE(cosize(dense));
}
