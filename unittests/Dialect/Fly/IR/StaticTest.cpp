// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static values in normal form: what is made for each type, and that a value
// which is in normal form already is left alone.

#include "Fly/Dialect/Fly/IR/FlyNormalForm.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

using namespace fly;

namespace {

class StaticTest : public ::testing::Test {
protected:
  StaticTest()
      : builder(&context), loc(mlir::UnknownLoc::get(&context)),
        module(mlir::ModuleOp::create(loc)) {
    context.loadDialect<FlyDialect>();
    builder.setInsertionPointToEnd(module->getBody());
  }

  mlir::Type parse(llvm::StringRef text) {
    mlir::Type type = mlir::parseType(text, &context);
    EXPECT_TRUE(type) << text.str();
    return type;
  }

  mlir::Value rebuild(mlir::Type type, mlir::Value current) {
    return llvm::cast<MayBeStaticTypeInterface>(type).rebuildStaticValue(
        builder, loc, current);
  }

  /// The names of the ops that `rebuild` makes for a `fly.static` of the type.
  std::string namesFor(llvm::StringRef text) {
    mlir::Type type = parse(text);
    mlir::Value current = StaticOp::create(builder, loc, type);
    auto before = std::prev(module->getBody()->end());
    mlir::Value made = rebuild(type, current);
    std::string names;
    for (auto it = std::next(before); it != module->getBody()->end(); ++it)
      names += it->getName().stripDialect().str() + " ";
    EXPECT_EQ(made == mlir::Value(), names.empty());
    if (made) {
      EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
      // What has been made is in normal form: nothing is made again.
      EXPECT_FALSE(rebuild(made.getType(), made)) << text.str();
    }
    return names;
  }

  mlir::MLIRContext context;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(StaticTest, AlgebraValues) {
  EXPECT_EQ(namesFor("!fly.int_tuple<(4,*)>"), "make_int_tuple ");
  EXPECT_EQ(namesFor("!fly.layout<(4,8):(1,4)>"),
            "make_int_tuple make_int_tuple make_layout ");
  EXPECT_EQ(namesFor("!fly.composed_layout<S<1,1,1> o 3 o 4:1>"),
            "static make_int_tuple make_int_tuple make_int_tuple make_layout "
            "make_composed_layout ");
  EXPECT_EQ(namesFor("!fly.coord_tensor<(0,0), (6,5):(1E0,1E1)>"),
            "make_int_tuple make_int_tuple make_int_tuple make_layout "
            "make_view ");
  EXPECT_EQ(namesFor("!fly.tile<[4|8]>"), "");
  EXPECT_EQ(namesFor("!fly.swizzle<S<1,1,1>>"), "");
  EXPECT_EQ(namesFor("!fly.coord_swizzle<CS<0,0,[],0,[]>>"), "");
  EXPECT_EQ(namesFor("!fly.basis<1E0>"), "");
}

TEST_F(StaticTest, ConstantTypesAreMadeOutOfNothing) {
  mlir::Type tile = parse("!fly.tile<[4|8]>");
  mlir::Value made = rebuild(tile, {});
  ASSERT_TRUE(made);
  EXPECT_TRUE(made.getDefiningOp<StaticOp>());
  EXPECT_EQ(made.getType(), tile);
}

TEST_F(StaticTest, Atoms) {
  EXPECT_EQ(namesFor("!fly.copy_atom<!fly.universal_copy<64>, 16>"),
            "make_copy_atom ");
  EXPECT_EQ(
      namesFor("!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>"),
      "make_mma_atom ");
  EXPECT_EQ(
      namesFor("!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 16>, "
               "<((4,3),4):((4,16),1)>, <[16|3]>>"),
      "make_copy_atom make_int_tuple make_int_tuple make_layout static "
      "make_tiled_copy ");
  EXPECT_EQ(namesFor("!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, "
                     "(f32, f32) -> f32>>, <(2,3,1):(1,2,0)>>"),
            "make_mma_atom make_int_tuple make_int_tuple make_layout static "
            "make_tiled_mma ");
}

TEST_F(StaticTest, AtomOperationsBecomeAtoms) {
  mlir::Value copy = rebuild(parse("!fly.universal_copy<64>"), {});
  EXPECT_EQ(copy.getType(),
            parse("!fly.copy_atom<!fly.universal_copy<64>, 64>"));
  mlir::Value atomic = rebuild(parse("!fly.universal_atomic<add, f16>"), {});
  EXPECT_EQ(atomic.getType(),
            parse("!fly.copy_atom<!fly.universal_atomic<add, f16>, 16>"));
  mlir::Value fma =
      rebuild(parse("!fly.universal_fma<1x1x1, (f32, f32) -> f32>"), {});
  EXPECT_EQ(
      fma.getType(),
      parse("!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>"));
}

TEST_F(StaticTest, LayoutOfTuplesOutOfNormalFormIsNot) {
  mlir::Value shape =
      StaticOp::create(builder, loc, parse("!fly.int_tuple<4>"));
  mlir::Value stride = rebuild(parse("!fly.int_tuple<1>"), {});
  mlir::Value layout = MakeLayoutOp::create(
      builder, loc, parse("!fly.layout<4:1>"), shape, stride);
  EXPECT_FALSE(isNormalForm(shape));
  EXPECT_TRUE(isNormalForm(stride));
  EXPECT_FALSE(isNormalForm(layout));
  mlir::Value made = rebuild(layout.getType(), layout);
  ASSERT_TRUE(made);
  EXPECT_TRUE(isNormalForm(made));
}

} // namespace
