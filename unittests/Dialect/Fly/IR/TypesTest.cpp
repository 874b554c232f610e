// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries of attributes and types that no textual test reaches.

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/Fly/IR/FlyTypes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace fly;

namespace {

class TypesTest : public ::testing::Test {
protected:
  TypesTest() { context.loadDialect<FlyDialect>(); }

  template <typename TypeT>
  TypeT parse(llvm::StringRef text) {
    auto type = llvm::dyn_cast_or_null<TypeT>(mlir::parseType(text, &context));
    EXPECT_TRUE(type) << text.str();
    return type;
  }

  mlir::MLIRContext context;
};

TEST_F(TypesTest, NestedQueries) {
  auto tuple = parse<IntTupleType>("!fly.int_tuple<(3,(1,(2)),4)>");
  EXPECT_EQ(tuple.rank(), 3);
  EXPECT_EQ(tuple.rank(1), 2);
  EXPECT_EQ(tuple.depth(), 3);
  EXPECT_EQ(tuple.depth(1), 2);
  EXPECT_FALSE(tuple.isLeaf());
  EXPECT_EQ(bodyToString(tuple.getAttr().at({1, 1})), "(2)");
  EXPECT_FALSE(tuple.getAttr().at({1, 2}));
  auto leaf = parse<IntTupleType>("!fly.int_tuple<4>");
  EXPECT_TRUE(leaf.isLeaf());
  EXPECT_EQ(leaf.rank(), 1);
  EXPECT_EQ(leaf.depth(), 0);
  EXPECT_EQ(leaf.getAttr().at(0), leaf.getAttr());
  EXPECT_EQ(parse<IntTupleType>("!fly.int_tuple<(4)>").depth(), 1);
}

TEST_F(TypesTest, ModeOfComposedLayoutKeepsInnerAndOffset) {
  auto layout = parse<ComposedLayoutType>(
      "!fly.composed_layout<S<1,2,3> o 7 o [8:1 o 2 o (4,(2,3)):(1,(4,8))]>");
  EXPECT_EQ(layout.rank(), 2);
  EXPECT_EQ(layout.depth(1), 1);
  EXPECT_EQ(bodyToString(layout.getAttr().at(1)),
            "S<1,2,3> o 7 o [8:1 o 2 o (2,3):(4,8)]");
}

TEST_F(TypesTest, ModesOfTensors) {
  auto memref = parse<MemRefType>("!fly.memref<f16, shared, S<3,3,3> o 0 o "
                                  "(4,8):(8,1), align<16>, S<1,2,3>>");
  EXPECT_EQ(memref.at(0),
            parse<MemRefType>("!fly.memref<f16, shared, S<3,3,3> o 0 o 4:8, "
                              "align<16>, S<1,2,3>>"));
  EXPECT_EQ(memref.getPointerType(),
            parse<PointerType>("!fly.ptr<f16, shared, align<16>, S<1,2,3>>"));
  EXPECT_EQ(memref.getValueDivisibility(), 8);
  auto tensor =
      parse<CoordTensorType>("!fly.coord_tensor<(0,?), (6,5):(1E0,1E1)>");
  EXPECT_EQ(tensor.at(1),
            parse<CoordTensorType>("!fly.coord_tensor<?, 5:1E1>"));
  EXPECT_FALSE(tensor.at(2));
  EXPECT_FALSE(
      parse<CoordTensorType>("!fly.coord_tensor<0, (6,5):(1,6)>").at(1));
}

TEST_F(TypesTest, TrivialAlignment) {
  auto alignment = [&](llvm::StringRef element, int64_t divisibility) {
    return AlignAttr::getFromDivisibility(parse<mlir::Type>(element),
                                          divisibility)
        .getAlignment();
  };
  EXPECT_EQ(alignment("f32", 1), 4);
  EXPECT_EQ(alignment("f32", 3), 12);
  EXPECT_EQ(alignment("f32", 0), 4);
  EXPECT_EQ(alignment("f32", -3), 4);
  EXPECT_EQ(alignment("i1", 1), 1);
  EXPECT_EQ(alignment("i12", 1), 2);
  EXPECT_FALSE(AlignAttr::getFromDivisibility(parse<mlir::Type>("f32"),
                                              int64_t(1) << 40));
}

TEST_F(TypesTest, StaticTypes) {
  for (llvm::StringRef text :
       {"!fly.int_tuple<(4,*)>", "!fly.layout<4:1E0>", "!fly.basis<1E0>",
        "!fly.swizzle<S<1,1,1>>", "!fly.tile<[?|4]>",
        "!fly.coord_tensor<(0,0), (6,5):(1E0,1E1)>",
        "!fly.composed_layout<S<1,1,1> o 0 o 4:1>",
        "!fly.copy_atom<!fly.universal_copy<64>, 16>",
        "!fly.tiled_mma<!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> "
        "f32>>, <(2,3,1):(1,2,0)>>"})
    EXPECT_TRUE(isStaticType(parse<mlir::Type>(text))) << text.str();
  for (llvm::StringRef text :
       {"!fly.int_tuple<(4,?)>", "!fly.layout<4:?E0>", "!fly.basis<?E0>",
        "!fly.coord_tensor<(0,?), (6,5):(1E0,1E1)>",
        "!fly.composed_layout<?:1 o 0 o 4:1>",
        "!fly.composed_layout<S<1,1,1> o ? o 4:1>",
        "!fly.composed_layout<S<1,1,1> o 0 o [4:1 o ? o 4:1]>",
        "!fly.ptr<f32, global>", "!fly.memref<f32, global, 4:1>", "i32"})
    EXPECT_FALSE(isStaticType(parse<mlir::Type>(text))) << text.str();
}

TEST_F(TypesTest, UniversalAtomsDescribeThemselves) {
  auto copy =
      parse<CopyAtomType>("!fly.copy_atom<!fly.universal_copy<128>, 32>");
  CopyAtomTypeInterface op = copy.getCopyOpInterface();
  EXPECT_EQ(op.getThrLayout().str(), "1:1");
  EXPECT_EQ(op.getThrBitLayoutSrc().str(), "(1,128):(1,1)");
  EXPECT_EQ(op.getThrBitLayoutRef(), op.getThrBitLayoutDst());
  EXPECT_EQ(op.getDefaultValBits(), 128);
  EXPECT_FALSE(op.isWholeTileCopy());
  EXPECT_TRUE(op.getStateFields().empty());
  EXPECT_EQ(op.getRequiredFeature(), "");
  auto values = copy.getThrValLayoutSrc();
  ASSERT_TRUE(bool(values)) << values.error().str();
  EXPECT_EQ(values->str(), "(1,4):(1,1)");
  EXPECT_FALSE(
      mlir::parseType("!fly.copy_atom<!fly.universal_copy<64>, 24>", &context));

  auto atomic = parse<CopyAtomType>(
      "!fly.copy_atom<!fly.universal_atomic<add, f16>, 16>");
  EXPECT_EQ(atomic.getCopyOpInterface().getThrBitLayoutDst().str(),
            "(1,16):(1,1)");

  auto fma = parse<MmaAtomType>(
      "!fly.mma_atom<!fly.universal_fma<1x1x1, (f64, f64) -> f64>>");
  MmaAtomTypeInterface mma = fma.getMmaOpInterface();
  EXPECT_EQ(mma.getShapeMNK().str(), "(1,1,1)");
  EXPECT_EQ(mma.getThrValLayoutA().str(), "(1,1):(1,1)");
  EXPECT_EQ(mma.getValTypeD(), parse<mlir::Type>("f64"));
}

} // namespace
