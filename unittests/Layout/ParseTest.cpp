// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text forms: what is printed is what was read, and what is refused.

#include "Fly/Layout/Parse.h"

#include "gtest/gtest.h"

using namespace fly::layout;

template <typename T>
static std::string again(const Result<T> &value) {
  return value ? value->str() : "error: " + value.error().label;
}

TEST(Parse, TuplesPrintAsTheyAreRead) {
  for (const char *text :
       {"4", "-4", "*", "?", "?{i64}", "?{div=8}", "?{i64 div=8}", "?{div=-3}",
        "(4)", "(4,(?,?{i64 div=8}),*)", "5E1E0", "?{div=4}E2", "(1E0,1E1)",
        "9223372036854775807", "-9223372036854775808"})
    EXPECT_EQ(again(parseIntTuple(text)), text);
  EXPECT_EQ(again(parseIntTuple(" ( 4 , ?{i32 div = 2} ) ")), "(4,?{div=2})");
  EXPECT_EQ(again(parseIntTuple("*E0")), "0E0");
}

TEST(Parse, LayoutsPrintAsTheyAreRead) {
  for (const char *text :
       {"4:1", "(6,(2,?)):(1,(?{div=2}E1,12))", "S<3,3,3> o 0 o (4,8):(8,1)",
        "CS<2,0,[0],1,[1]> o (1,4) o (6,8):(1E0,1E1)",
        "CS<3,0,[1],0,[2, 1]> o (1,0,(0,0)) o 8:1E0",
        "32:2 o 0 o [32:1 o 4 o (6,4):(1,6)]",
        "100:7 o 8 o (3,5):(5,1) o 2 o 6:2",
        "64:3 o (1,2) o [10:1 o ? o (5,2):(2,1)]"})
    EXPECT_EQ(again(parseAnyLayout(text)), text);
}

TEST(Parse, TilesPrintAsTheyAreRead) {
  for (const char *text : {"8", "*", "[8]", "[4|*|(2,2):(1,4)|[2|8:2]]", "4:1"})
    EXPECT_EQ(again(parseTile(text)), text);
}

TEST(Parse, Refusals) {
  for (const char *text : {"", "()", "(4,)", "(4", "4)", "x", "?{", "?{div}",
                           "?{div=8 i64}", "?{i64,div=8}", "1E", "4 5", "-"})
    EXPECT_EQ(again(parseIntTuple(text)), "error: parse_c1") << text;
  EXPECT_EQ(again(parseIntTuple("9223372036854775808")), "error: parse_c3");
  EXPECT_EQ(again(parseIntTuple("1E2147483648")), "error: parse_c3");
  EXPECT_EQ(again(parseLayout("4:(1,2)")), "error: layout_c1");
  EXPECT_EQ(again(parseLayout("1E0:1")), "error: layout_c2");
  EXPECT_EQ(again(parseLayout("4")), "error: parse_c1");
  EXPECT_EQ(again(parseAnyLayout("S<3,3,3>")), "error: parse_c1");
  EXPECT_EQ(again(parseAnyLayout("S<3,3,3> o 0")), "error: parse_c1");
  EXPECT_EQ(again(parseAnyLayout("S<3,3,0> o 0 o 4:1")), "error: swizzle_c1");
  EXPECT_EQ(again(parseSwizzle("S<40,20,10>")), "error: swizzle_c1");
  EXPECT_EQ(again(parseSwizzle("S<-1,0,0>")), "error: swizzle_c1");
  EXPECT_EQ(again(parseCoordSwizzle("CS<2,1,[0],2,[0]>")),
            "error: coord_swizzle_c1");
  EXPECT_EQ(again(parseTile("(2,2)")), "error: parse_c1");
  EXPECT_EQ(again(parseTile("1E0")), "error: parse_c1");
}

TEST(Parse, NestingIsBounded) {
  auto nested = [](unsigned depth, char open, char close) {
    return std::string(depth, open) + "1" + std::string(depth, close);
  };
  EXPECT_TRUE(parseIntTuple(nested(maxDepth, '(', ')')));
  EXPECT_EQ(again(parseIntTuple(nested(maxDepth + 1, '(', ')'))),
            "error: parse_c2");
  EXPECT_EQ(again(parseIntTuple(nested(100000, '(', ')'))), "error: parse_c2");
  EXPECT_EQ(again(parseTile(nested(100000, '[', ']'))), "error: parse_c2");
  std::string composed = "4:1";
  for (int i = 0; i < 300; ++i)
    composed += " o 0 o 4:1";
  EXPECT_EQ(again(parseAnyLayout(composed)), "error: parse_c2");
}

TEST(Parse, SymbolsAreNumberedInOrder) {
  unsigned next = 7;
  auto tuple = parseIntTuple("(?,(3,?))", &next);
  ASSERT_TRUE(tuple);
  EXPECT_EQ(next, 9u);
  auto symbols = tuple->dynamicInts();
  ASSERT_EQ(symbols.size(), 2u);
  EXPECT_EQ(symbols[0].getExpr()->getSymbolId(), 7u);
  EXPECT_EQ(symbols[1].getExpr()->getSymbolId(), 8u);
}
