// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout algebra as operations: coalesce, composition, complement,
// inverses, division, products and recast. Each acts on the linear part of its
// operand.

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Product.h"
#include "Fly/Layout/Recast.h"
#include "OpSupport.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// Composition and its relatives
//===----------------------------------------------------------------------===//

/// Applies `fn(linear part, tiler)` for operand 1, a layout or a tile;
/// `expected` is the error if it is neither.
template <typename Fn>
static AlgebraResult onTiler(const Operands &in, const char *expected,
                             Fn &&fn) {
  if (in.size() > 1) {
    if (auto *tile = in[1].getIf<layout::Tile>())
      return onLinearPart(in, 0, "lhs", [&](const layout::Layout &linear) {
        return fn(linear, *tile);
      });
    auto *layout = in[1].getIf<layout::AnyLayout>();
    if (layout && layout->isPlain())
      return onLinearPart(in, 0, "lhs", [&](const layout::Layout &linear) {
        return fn(linear, layout->getPlain());
      });
  }
  return in.wrong(1, expected);
}

AlgebraResult CoalesceOp::evaluate(Adaptor adaptor,
                                   ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  std::optional<layout::IntTuple> pattern;
  if (in.size() > 1) {
    FLY_TRY_SET(pattern, in.tuple(1, "profile"));
  }
  return onLinearPart(in, 0, {}, [&](const layout::Layout &layout) {
    return pattern ? layout::coalesce(layout, *pattern)
                   : layout::coalesce(layout);
  });
}

AlgebraResult CompositionOp::evaluate(Adaptor adaptor,
                                      ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  return onTiler(in, "expected TileType or LayoutType for inner",
                 [](const layout::Layout &layout, const auto &tiler) {
                   return layout::composition(layout, tiler);
                 });
}

AlgebraResult ComplementOp::evaluate(Adaptor adaptor,
                                     ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(layout, in.narrow(0));
  std::optional<layout::IntTuple> codomain;
  if (in.size() > 1) {
    FLY_TRY_SET(codomain, in.tuple(1, "codomain_size"));
  }
  return onLinearPart(in, 0, {}, [&](const layout::Layout &linear) {
    return codomain ? layout::complement(linear, *codomain)
                    : layout::complement(linear);
  });
}

AlgebraResult RightInverseOp::evaluate(Adaptor adaptor,
                                       ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(layout, in.narrow(0));
  return single(layout::rightInverse(layout));
}

AlgebraResult LeftInverseOp::evaluate(Adaptor adaptor,
                                      ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(layout, in.narrow(0));
  return single(layout::leftInverse(layout));
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

AlgebraResult LogicalDivideOp::evaluate(Adaptor adaptor,
                                        ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  return onTiler(in, "expected LayoutType or TileType for divisor",
                 [](const layout::Layout &layout, const auto &divisor) {
                   return layout::logicalDivide(layout, divisor);
                 });
}

AlgebraResult ZippedDivideOp::evaluate(Adaptor adaptor,
                                       ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  return onTiler(in, "expected LayoutType or TileType for divisor",
                 [](const layout::Layout &layout, const auto &divisor) {
                   return layout::zippedDivide(layout, divisor);
                 });
}

AlgebraResult TiledDivideOp::evaluate(Adaptor adaptor,
                                      ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  return onTiler(in, "expected LayoutType or TileType for divisor",
                 [](const layout::Layout &layout, const auto &divisor) {
                   return layout::tiledDivide(layout, divisor);
                 });
}

AlgebraResult FlatDivideOp::evaluate(Adaptor adaptor,
                                     ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  return onTiler(in, "expected LayoutType or TileType for divisor",
                 [](const layout::Layout &layout, const auto &divisor) {
                   return layout::flatDivide(layout, divisor);
                 });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

using ProductFn = layout::Result<layout::Layout> (*)(const layout::Layout &,
                                                     const layout::Layout &);

/// The tiler of a product; an integer n counts as n:1.
static layout::Result<layout::Layout> readTiler(const Operands &in) {
  auto *tuple = in.size() > 1 ? in[1].getIf<layout::IntTuple>() : nullptr;
  if (!tuple)
    return in.layout(1, "tiler");
  // product_c1: an integer.
  if (!tuple->isLeaf() || tuple->isNone() || tuple->getLeaf().isBasis())
    return layout::fail("product_c1",
                        "product with the tuple " + tuple->str() +
                            "; a layout or an integer is expected");
  return layout::Layout::get(*tuple, layout::IntTuple(1));
}

static AlgebraResult evaluateProduct(const Operands &in, ProductFn fn) {
  FLY_TRY(layout, in.narrow(0));
  FLY_TRY(tiler, readTiler(in));
  return onLinearPart(in, 0, {}, [&](const layout::Layout &linear) {
    return fn(linear, tiler);
  });
}

AlgebraResult LogicalProductOp::evaluate(Adaptor adaptor,
                                         ArrayRef<AlgebraValue> operands) {
  return evaluateProduct({adaptor.getOperands(), operands},
                         layout::logicalProduct);
}

AlgebraResult ZippedProductOp::evaluate(Adaptor adaptor,
                                        ArrayRef<AlgebraValue> operands) {
  return evaluateProduct({adaptor.getOperands(), operands},
                         layout::zippedProduct);
}

AlgebraResult TiledProductOp::evaluate(Adaptor adaptor,
                                       ArrayRef<AlgebraValue> operands) {
  return evaluateProduct({adaptor.getOperands(), operands},
                         layout::tiledProduct);
}

AlgebraResult FlatProductOp::evaluate(Adaptor adaptor,
                                      ArrayRef<AlgebraValue> operands) {
  return evaluateProduct({adaptor.getOperands(), operands},
                         layout::flatProduct);
}

AlgebraResult BlockedProductOp::evaluate(Adaptor adaptor,
                                         ArrayRef<AlgebraValue> operands) {
  return evaluateProduct({adaptor.getOperands(), operands},
                         layout::blockedProduct);
}

AlgebraResult RakedProductOp::evaluate(Adaptor adaptor,
                                       ArrayRef<AlgebraValue> operands) {
  return evaluateProduct({adaptor.getOperands(), operands},
                         layout::rakedProduct);
}

AlgebraResult TileToShapeOp::evaluate(Adaptor adaptor,
                                      ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(block, in.narrow(0, "block"));
  FLY_TRY(shape, in.tuple(1, "trg_shape"));
  FLY_TRY(order, in.tuple(2, "ord_shape"));
  return onLinearPart(in, 0, {}, [&](const layout::Layout &linear) {
    return layout::tileToShape(linear, shape, order);
  });
}

//===----------------------------------------------------------------------===//
// Recast
//===----------------------------------------------------------------------===//

AlgebraResult RecastLayoutOp::evaluate(Adaptor adaptor,
                                       ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(layout, in.narrow(0));
  // The attributes are signed; ODS reads 32-bit ones as unsigned.
  auto oldBits = static_cast<int32_t>(adaptor.getOldTypeBits());
  auto newBits = static_cast<int32_t>(adaptor.getNewTypeBits());
  // recast_c6
  if (oldBits < 1 || newBits < 1)
    return layout::fail("recast_c6",
                        "recast from items of " + llvm::Twine(oldBits) +
                            " bits to items of " + llvm::Twine(newBits) +
                            "; both must have at least 1 bit");
  return single(layout::recast(layout, oldBits, newBits));
}
