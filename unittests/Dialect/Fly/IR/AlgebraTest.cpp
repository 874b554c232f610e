// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Algebra values: from a type and back, the order of run-time leaves, moving
// pointers, and evaluation through the op interface as a pass does it.

#include "Fly/Dialect/Fly/IR/FlyAlgebra.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace fly;

namespace {

class AlgebraTest : public ::testing::Test {
protected:
  AlgebraTest() { context.loadDialect<FlyDialect>(); }

  mlir::Type parse(llvm::StringRef text) {
    mlir::Type type = mlir::parseType(text, &context);
    EXPECT_TRUE(type) << text.str();
    return type;
  }

  mlir::MLIRContext context;
};

TEST_F(AlgebraTest, TypeSurvivesReadingAndWriting) {
  for (llvm::StringRef text :
       {"!fly.int_tuple<(3,(?,?{i64 div=8}),*)>",
        "!fly.layout<(6,(2,?)):(1,(?{div=2}E1,12))>",
        "!fly.composed_layout<64:? o (1,?) o [10:1 o ? o (5,2):(2,?)]>",
        "!fly.swizzle<S<2,4,3>>", "!fly.coord_swizzle<CS<2,1,[0],3,[1, 0]>>",
        "!fly.tile<[6|*|(2,3):(1,4)|[2|5:2]]>",
        "!fly.ptr<f64, generic, align<24>, S<1,3,2>>",
        "!fly.memref<bf16, shared, S<3,3,3> o ? o (4,?):(8,1), align<16>>",
        "!fly.coord_tensor<(0,?), (6,?):(1E0,1E1)>",
        "!fly.copy_atom<!fly.universal_copy<64>, 16>", "i32", "i64", "f32"}) {
    unsigned nextSymbol = 0;
    mlir::Type type = parse(text);
    EXPECT_EQ(getTypeOf(&context, readType(type, nextSymbol)), type)
        << text.str();
  }
}

TEST_F(AlgebraTest, SymbolsFollowTheOrderOfOperands) {
  unsigned nextSymbol = 5;
  AlgebraValue value =
      readType(parse("!fly.coord_tensor<(?,?), ? : ? o ? o (?,2):(3,?)>"),
               nextSymbol);
  llvm::SmallVector<layout::Int> leaves = getDynamicLeaves(value);
  ASSERT_EQ(leaves.size(), 7u);
  for (auto [i, leaf] : llvm::enumerate(leaves))
    EXPECT_EQ(leaf.getExpr()->getSymbolId(), 5 + i);
  EXPECT_EQ(nextSymbol, 12u);
}

TEST_F(AlgebraTest, MovedPointerKeepsWhatTheOffsetGuarantees) {
  auto type = llvm::cast<PointerType>(parse("!fly.ptr<f16, shared, align<32>>"));
  Pointer pointer{type, {}, std::nullopt};
  auto moved = movePointer(pointer, layout::Int::constant(12));
  ASSERT_TRUE(bool(moved));
  EXPECT_EQ(moved->type, parse("!fly.ptr<f16, shared, align<8>>"));
  EXPECT_TRUE(moved->offset->isStatic(12));

  // Offsets of a chain add up, and so do their guarantees.
  auto again = movePointer(*moved, layout::Int::symbol(0, 32, 2));
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(again->type, parse("!fly.ptr<f16, shared, align<4>>"));
  EXPECT_TRUE(again->offset->isDynamic());
  EXPECT_EQ(again->offset->getDivisibility(), 2);
}

TEST_F(AlgebraTest, DivisibilityThatIsNoWholeElementFallsBack) {
  auto type = llvm::cast<PointerType>(parse("!fly.ptr<i12, shared, align<4>>"));
  // 3 elements of 12 bits end at 4.5 bytes: no alignment beyond the trivial.
  EXPECT_EQ(withDivisibility(type, 3, type.getSwizzle()),
            parse("!fly.ptr<i12, shared>"));
}

TEST_F(AlgebraTest, InterfaceEvaluatesOnBoundSymbols) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      R"(
    %c = "fly.static"() : () -> !fly.int_tuple<(0,1)>
    %l = "fly.static"() : () -> !fly.layout<(3,5):(7,2)>
    %i = fly.crd2idx(%c, %l) : (!fly.int_tuple<(0,1)>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<2>
  )",
      &context);
  ASSERT_TRUE(module);
  AlgebraOpInterface op;
  module->walk([&](AlgebraOpInterface found) { op = found; });
  ASSERT_TRUE(op);

  // Other values than the types say: the op computes on what it is given.
  layout::Int row = layout::Int::symbol(0), col = layout::Int::symbol(1);
  unsigned nextSymbol = 2;
  AlgebraResult result = op.evaluateAlgebra(
      {layout::IntTuple::tuple({row, col}),
       readType(op->getOperand(1).getType(), nextSymbol)});
  ASSERT_TRUE(bool(result));
  ASSERT_EQ(result->size(), 1u);
  auto *index = (*result)[0].getIf<layout::IntTuple>();
  ASSERT_TRUE(index && index->isLeaf());
  auto number =
      layout::evaluate(index->getInt(), [](const layout::Expr &symbol) {
        return symbol.getSymbolId() == 0 ? int64_t(2) : int64_t(4);
      });
  ASSERT_TRUE(bool(number));
  EXPECT_EQ(*number, 2 * 7 + 4 * 2);
}

TEST_F(AlgebraTest, ErrorNamesThePrecondition) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      R"(
    %c = "fly.static"() : () -> !fly.int_tuple<(0,1)>
    %l = "fly.static"() : () -> !fly.layout<(3,5):(7,2)>
    %i = fly.crd2idx(%c, %l) : (!fly.int_tuple<(0,1)>, !fly.layout<(3,5):(7,2)>) -> !fly.int_tuple<2>
  )",
      &context);
  ASSERT_TRUE(module);
  AlgebraOpInterface op;
  module->walk([&](AlgebraOpInterface found) { op = found; });
  unsigned nextSymbol = 0;
  AlgebraValue layout = readType(op->getOperand(1).getType(), nextSymbol);
  AlgebraResult rank = op.evaluateAlgebra(
      {layout::IntTuple::tuple({layout::IntTuple(1), layout::IntTuple(2),
                                layout::IntTuple(3)}),
       layout});
  ASSERT_TRUE(rank.hasError());
  EXPECT_EQ(rank.error().label, "crd2idx_c1");
  // An operand of another kind, as only a builder can bring it.
  AlgebraResult kind = op.evaluateAlgebra({layout, layout});
  ASSERT_TRUE(kind.hasError());
  EXPECT_TRUE(llvm::StringRef(kind.error().message)
                  .starts_with("expected IntTupleType for coord"));
}

} // namespace
