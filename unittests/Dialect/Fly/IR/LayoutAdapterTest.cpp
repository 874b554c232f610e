// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adapter between attributes and layout values: structure survives the way
// there and back, run-time leaves get their symbols in operand order.

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/Fly/IR/FlyTypes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace fly;

namespace {

class LayoutAdapterTest : public ::testing::Test {
protected:
  LayoutAdapterTest() { context.loadDialect<FlyDialect>(); }

  template <typename AttrT>
  AttrT parse(llvm::StringRef text) {
    auto attr =
        llvm::dyn_cast_or_null<AttrT>(mlir::parseAttribute(text, &context));
    EXPECT_TRUE(attr) << text.str();
    return attr;
  }

  mlir::MLIRContext context;
};

/// The symbol ids of the run-time leaves in order.
std::vector<unsigned> symbolIds(const layout::IntTuple &tuple) {
  std::vector<unsigned> ids;
  for (const layout::Int &leaf : tuple.dynamicInts())
    ids.push_back(leaf.getExpr()->getSymbolId());
  return ids;
}

TEST_F(LayoutAdapterTest, TupleSurvivesRoundTrip) {
  for (llvm::StringRef text :
       {"4", "*", "0", "-7", "?", "?{i64 div=8}", "?{div=-3}", "(4)",
        "(3,(?,?{i64 div=8}),*)", "(1E0,?{div=2}E1E0,-3E2)",
        "(9223372036854775807,-9223372036854775808)"}) {
    auto attr = parse<IntTupleAttr>(("#fly<int_tuple " + text + ">").str());
    unsigned nextSymbol = 0;
    layout::IntTuple value = toValue(attr, nextSymbol);
    EXPECT_EQ(value.str(), text.str());
    EXPECT_EQ(nextSymbol, attr.getNumDynamicLeaves());
    EXPECT_EQ(toAttr(&context, value), attr);
  }
}

TEST_F(LayoutAdapterTest, SymbolsFollowTheOrderOfLeaves) {
  unsigned nextSymbol = 5;
  layout::IntTuple value = toValue(
      parse<IntTupleAttr>("#fly<int_tuple(?,(2,?E1),(?))>"), nextSymbol);
  EXPECT_EQ(symbolIds(value), (std::vector<unsigned>{5, 6, 7}));
  EXPECT_EQ(nextSymbol, 8u);
}

TEST_F(LayoutAdapterTest, ShapeComesBeforeStride) {
  unsigned nextSymbol = 0;
  layout::Layout value =
      toValue(parse<LayoutAttr>("#fly<layout(?,4,?):(1,?,8)>"), nextSymbol);
  EXPECT_EQ(symbolIds(value.getShape()), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(symbolIds(value.getStride()), (std::vector<unsigned>{2}));
}

TEST_F(LayoutAdapterTest, InnerComesBeforeOffsetAndOuter) {
  unsigned nextSymbol = 0;
  auto attr = parse<ComposedLayoutAttr>(
      "#fly<composed_layout ?:1 o ? o [8:? o ? o (?,2):(1,4)]>");
  layout::ComposedLayout value = toValue(attr, nextSymbol);
  EXPECT_EQ(nextSymbol, 5u);
  const auto &inner = std::get<layout::AnyLayout>(value.getInner());
  EXPECT_EQ(symbolIds(inner.getPlain().getShape()), (std::vector<unsigned>{0}));
  EXPECT_EQ(symbolIds(value.getOffset()), (std::vector<unsigned>{1}));
  const layout::ComposedLayout &outer = value.getOuter().getComposed();
  EXPECT_EQ(
      symbolIds(
          std::get<layout::AnyLayout>(outer.getInner()).getPlain().getStride()),
      (std::vector<unsigned>{2}));
  EXPECT_EQ(symbolIds(outer.getOffset()), (std::vector<unsigned>{3}));
  EXPECT_EQ(symbolIds(outer.getOuter().getPlain().getShape()),
            (std::vector<unsigned>{4}));
  EXPECT_EQ(toAttr(&context, value), attr);
}

TEST_F(LayoutAdapterTest, ComposedLayoutsSurviveRoundTrip) {
  for (llvm::StringRef text : {"S<3,4,3> o 0 o (4,8):(8,1)",
                               "CS<1,0,[0],0,[1]> o (0,0) o (4,4):(1E0,1E1)",
                               "S<1,2,3> o 1 o 8:1 o 2 o 8:2",
                               "64:3 o (1,2) o [10:1 o ? o (5,2):(2,1)]"}) {
    auto attr =
        parse<ComposedLayoutAttr>(("#fly<composed_layout " + text + ">").str());
    unsigned nextSymbol = 0;
    layout::ComposedLayout value = toValue(attr, nextSymbol);
    EXPECT_EQ(value.str(), text.str());
    EXPECT_EQ(toAttr(&context, value), attr);
  }
}

TEST_F(LayoutAdapterTest, TilesSurviveRoundTrip) {
  for (llvm::StringRef text :
       {"*", "8", "8:2", "[8]", "[4|*|(2,2):(1,4)|[2|8:2]]", "[[[1]|2]|?]"}) {
    auto attr = parse<TileAttr>(("#fly<tile " + text + ">").str());
    unsigned nextSymbol = 0;
    layout::Tile value = toValue(attr, nextSymbol);
    EXPECT_EQ(value.str(), text.str());
    EXPECT_EQ(toAttr(&context, value), attr);
  }
}

TEST_F(LayoutAdapterTest, SwizzlesSurviveRoundTrip) {
  auto swizzle = parse<SwizzleAttr>("#fly<swizzle S<2,4,3>>");
  EXPECT_EQ(toValue(swizzle).str(), "S<2,4,3>");
  EXPECT_EQ(toAttr(&context, toValue(swizzle)), swizzle);
  auto coord =
      parse<CoordSwizzleAttr>("#fly<coord_swizzle CS<3,1,[1, 0],2,[2]>>");
  EXPECT_EQ(toValue(coord).str(), "CS<3,1,[1, 0],2,[2]>");
  EXPECT_EQ(toAttr(&context, toValue(coord)), coord);
}

TEST_F(LayoutAdapterTest, WideResultsKeepTheirWidth) {
  layout::Int wide = layout::Int::constant(int64_t(1) << 40);
  IntAttr attr = toAttr(&context, wide);
  EXPECT_EQ(attr.getWidth(), 64);
  EXPECT_EQ(attr.getValue(), int64_t(1) << 40);
  auto product =
      layout::mul(layout::Int::symbol(0, 64, 4), layout::Int::constant(6));
  ASSERT_TRUE(bool(product));
  EXPECT_EQ(bodyToString(toAttr(&context, *product)), "?{i64 div=24}");
}

} // namespace
