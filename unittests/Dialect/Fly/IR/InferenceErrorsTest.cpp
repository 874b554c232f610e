// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What inference says of operands of another kind. Text cannot show it, since
// operand constraints are verified first; builders can.

#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "gtest/gtest.h"

using namespace fly;

namespace {

class InferenceErrors : public ::testing::Test {
protected:
  InferenceErrors() { context.loadDialect<FlyDialect>(); }

  /// The error that inference of the op gives for operands of these types, or
  /// "inferred".
  std::string infer(llvm::StringRef mnemonic,
                    llvm::ArrayRef<llvm::StringRef> types) {
    mlir::Location loc = mlir::UnknownLoc::get(&context);
    mlir::Block block;
    for (llvm::StringRef text : types)
      block.addArgument(mlir::parseType(("!fly." + text).str(), &context), loc);
    mlir::OperationName name(("fly." + mnemonic).str(), &context);
    auto *interface = name.getInterface<mlir::InferTypeOpInterface>();
    EXPECT_TRUE(interface) << mnemonic.str();
    mlir::OperationState state(loc, name);
    setAttributes(state, mnemonic);
    std::string text = "inferred";
    mlir::ScopedDiagnosticHandler handler(&context,
                                          [&](mlir::Diagnostic &diagnostic) {
                                            text = diagnostic.str();
                                            return mlir::success();
                                          });
    llvm::SmallVector<mlir::Type> results;
    llvm::LogicalResult result = interface->inferReturnTypes(
        &context, loc, block.getArguments(), mlir::DictionaryAttr(),
        state.getRawProperties(), {}, results);
    EXPECT_EQ(mlir::succeeded(result), text == "inferred") << text;
    return text;
  }

private:
  /// The attributes that an op cannot be without.
  void setAttributes(mlir::OperationState &state, llvm::StringRef mnemonic) {
    mlir::Builder builder(&context);
    auto setRange = [&](auto &properties) {
      properties.begin = builder.getI32IntegerAttr(0);
      properties.end = builder.getI32IntegerAttr(1);
    };
    if (mnemonic == "get")
      state.getOrAddProperties<GetOp::Properties>().mode =
          builder.getDenseI32ArrayAttr({});
    else if (mnemonic == "select")
      state.getOrAddProperties<SelectOp::Properties>().indices =
          builder.getDenseI32ArrayAttr({0});
    else if (mnemonic == "take")
      setRange(state.getOrAddProperties<TakeOp::Properties>());
    else if (mnemonic == "group")
      setRange(state.getOrAddProperties<GroupOp::Properties>());
  }

  mlir::MLIRContext context;
};

constexpr const char *kTuple = "int_tuple<3>";
constexpr const char *kLayout = "layout<3:1>";
constexpr const char *kTile = "tile<[3]>";
constexpr const char *kSwizzle = "swizzle<S<1,2,3>>";
constexpr const char *kMemRef = "memref<f32, global, 3:1>";
constexpr const char *kPtr = "ptr<f32, global>";
constexpr const char *kCopyAtom = "copy_atom<!fly.universal_copy<64>, 16>";

TEST_F(InferenceErrors, NameTheOperandAndItsType) {
  struct Row {
    const char *op;
    llvm::SmallVector<llvm::StringRef> types;
    const char *error;
  };
  const Row rows[] = {
      {"int_tuple_add",
       {kLayout, kTuple},
       "IntTupleAddOp: expected IntTupleType for lhs, got '!fly.layout<3:1>'"},
      {"int_tuple_mod",
       {kTuple, kLayout},
       "IntTupleModOp: expected IntTupleType for rhs, got '!fly.layout<3:1>'"},
      {"make_layout",
       {kLayout, kTuple},
       "MakeLayoutOp: expected IntTupleType for shape, got '!fly.layout<3:1>'"},
      {"make_layout",
       {kTuple, kTile},
       "MakeLayoutOp: expected IntTupleType for stride, got '!fly.tile<[3]>'"},
      {"make_ordered_layout",
       {kTuple, kLayout},
       "MakeOrderedLayoutOp: expected IntTupleType for order, got "
       "'!fly.layout<3:1>'"},
      {"make_composed_layout",
       {kSwizzle, kLayout, kLayout},
       "MakeComposedLayoutOp: expected IntTupleType for offset, got "
       "'!fly.layout<3:1>'"},
      {"crd2idx",
       {kLayout, kLayout},
       "Crd2IdxOp: expected IntTupleType for coord, got '!fly.layout<3:1>'"},
      {"idx2crd",
       {kLayout, kLayout},
       "Idx2CrdOp: expected IntTupleType for index, got '!fly.layout<3:1>'"},
      {"coalesce",
       {kLayout, kLayout},
       "CoalesceOp: expected IntTupleType for profile, got '!fly.layout<3:1>'"},
      {"complement",
       {kLayout, kLayout},
       "ComplementOp: expected IntTupleType for codomain_size, got "
       "'!fly.layout<3:1>'"},
      {"tile_to_shape",
       {kLayout, kLayout, kTuple},
       "TileToShapeOp: expected IntTupleType for trg_shape, got "
       "'!fly.layout<3:1>'"},
      {"tile_to_shape",
       {kLayout, kTuple, kLayout},
       "TileToShapeOp: expected IntTupleType for ord_shape, got "
       "'!fly.layout<3:1>'"},
      {"memref.load",
       {kMemRef, kLayout},
       "MemRefLoadOp: expected IntTupleType for indices, got "
       "'!fly.layout<3:1>'"},
      {"coalesce",
       {kTuple},
       "CoalesceOp: expected LayoutLikeType, got '!fly.int_tuple<3>'"},
      {"composition",
       {kTuple, kLayout},
       "CompositionOp: expected LayoutLikeType for lhs, got "
       "'!fly.int_tuple<3>'"},
      {"right_inverse",
       {kTuple},
       "RightInverseOp: expected NarrowLayoutType, got '!fly.int_tuple<3>'"},
      {"tile_to_shape",
       {kTuple, kTuple, kTuple},
       "TileToShapeOp: expected NarrowLayoutType for block, got "
       "'!fly.int_tuple<3>'"},
      {"idx2crd",
       {kTuple, kTuple},
       "Idx2CrdOp: expected LayoutType for layout, got '!fly.int_tuple<3>'"},
      {"logical_product",
       {kLayout, kTile},
       "LogicalProductOp: expected LayoutType for tiler, got "
       "'!fly.tile<[3]>'"},
      {"make_tiled_copy",
       {kCopyAtom, kTuple, kTile},
       "MakeTiledCopyOp: expected LayoutType for operand #1, got "
       "'!fly.int_tuple<3>'"},
      {"make_tiled_copy",
       {kTuple, kLayout, kTile},
       "MakeTiledCopyOp: expected copy atom for operand #0, got "
       "'!fly.int_tuple<3>'"},
      {"make_tiled_mma",
       {kCopyAtom, kLayout},
       "MakeTiledMmaOp: expected mma atom for operand #0, got "
       "'!fly.copy_atom<!fly.universal_copy<64>, 16>'"},
      {"memref.load",
       {kLayout, kTuple},
       "MemRefLoadOp: expected memref or coordinate tensor, got "
       "'!fly.layout<3:1>'"},
      {"logical_divide",
       {kLayout, kTuple},
       "LogicalDivideOp: expected LayoutType or TileType for divisor, got "
       "'!fly.int_tuple<3>'"},
      {"composition",
       {kLayout, kTuple},
       "CompositionOp: expected TileType or LayoutType for inner, got "
       "'!fly.int_tuple<3>'"},
      {"make_composed_layout",
       {kTuple, kTuple, kLayout},
       "MakeComposedLayoutOp: expected "
       "Layout/ComposedLayout/Swizzle/CoordSwizzle for inner, got "
       "'!fly.int_tuple<3>'"},
      {"make_view",
       {kPtr, kTuple},
       "MakeViewOp: expected LayoutType or ComposedLayoutType for operand #1, "
       "got '!fly.int_tuple<3>'"},
      {"make_view",
       {kLayout, kLayout},
       "MakeViewOp: expected IntTupleType or PointerType for operand #0, got "
       "'!fly.layout<3:1>'"},
      {"crd2idx",
       {kTuple, kTile},
       "Crd2IdxOp: expected LayoutType, ComposedLayoutType, SwizzleType or "
       "CoordSwizzleType for layout, got '!fly.tile<[3]>'"},
      {"get",
       {kSwizzle},
       "GetOp: unsupported input type '!fly.swizzle<S<1,2,3>>'"},
      {"take",
       {kSwizzle},
       "TakeOp: unsupported input type '!fly.swizzle<S<1,2,3>>'"},
      {"select",
       {kSwizzle},
       "SelectOp: unsupported input type '!fly.swizzle<S<1,2,3>>'"},
      {"group",
       {kSwizzle},
       "GroupOp: unsupported input type '!fly.swizzle<S<1,2,3>>'"},
      {"slice",
       {kSwizzle, kTuple},
       "SliceOp: unsupported input type '!fly.swizzle<S<1,2,3>>'"},
      {"append",
       {kSwizzle, kTuple},
       "AppendOp: unsupported input type '!fly.swizzle<S<1,2,3>>'"},
      {"prepend",
       {kSwizzle, kTuple},
       "PrependOp: unsupported input type '!fly.swizzle<S<1,2,3>>'"},
      {"dice",
       {kMemRef, kTuple},
       "DiceOp: expected IntTupleType or LayoutType, got '!fly.memref<f32, "
       "global, 3:1>'"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(infer(row.op, row.types), row.error);
}

TEST_F(InferenceErrors, RightKindsAreInferred) {
  EXPECT_EQ(infer("int_tuple_add", {kTuple, kTuple}), "inferred");
  EXPECT_EQ(infer("make_view", {kPtr, kLayout}), "inferred");
}

} // namespace
