// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts: construction, extraction, sizes and evaluation of coordinates. The
// algebra proper is in FlyAlgebraOps.cpp.

#include "Fly/Layout/Product.h"
#include "OpSupport.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// Constructors
//===----------------------------------------------------------------------===//

AlgebraResult MakeLayoutOp::evaluate(Adaptor adaptor,
                                     ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(shape, in.tuple(0, "shape"));
  FLY_TRY(stride, in.tuple(1, "stride"));
  FLY_TRY(layout, layout::Layout::get(shape, stride));
  return single(layout::AnyLayout(layout));
}

/// A result that is a plain layout.
static AlgebraResult singleLayout(layout::Result<layout::Layout> result) {
  if (!result)
    return result.takeError();
  return single(layout::AnyLayout(std::move(*result)));
}

AlgebraResult MakeLayoutLikeOp::evaluate(Adaptor adaptor,
                                         ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(layout, in.layout(0, "layout"));
  return singleLayout(layout::makeLayoutLike(layout));
}

AlgebraResult MakeOrderedLayoutOp::evaluate(Adaptor adaptor,
                                            ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(shape, in.tuple(0, "shape"));
  FLY_TRY(order, in.tuple(1, "order"));
  return singleLayout(layout::makeOrderedLayout(shape, order));
}

AlgebraResult MakeIdentityLayoutOp::evaluate(Adaptor adaptor,
                                             ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(shape, in.tuple(0, "shape"));
  return singleLayout(layout::makeIdentityLayout(shape));
}

/// What an operand may be as inner map of a composed layout.
static std::optional<layout::InnerMap> toInnerMap(const AlgebraValue &value) {
  if (auto *swizzle = value.getIf<layout::Swizzle>())
    return layout::InnerMap(*swizzle);
  if (auto *swizzle = value.getIf<layout::CoordSwizzle>())
    return layout::InnerMap(*swizzle);
  if (auto *layout = value.getIf<layout::AnyLayout>())
    return layout::InnerMap(*layout);
  return std::nullopt;
}

AlgebraResult MakeComposedLayoutOp::evaluate(Adaptor adaptor,
                                             ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  std::optional<layout::InnerMap> inner = toInnerMap(in[0]);
  if (!inner)
    return in.wrong(
        0, "expected Layout/ComposedLayout/Swizzle/CoordSwizzle for inner");
  FLY_TRY(offset, in.tuple(1, "offset"));
  FLY_TRY(outer, in.narrow(2, "outer"));
  return single(
      layout::AnyLayout(layout::ComposedLayout(*inner, offset, outer)));
}

/// The shape of an operand whose result must be allocated.
static std::optional<layout::Error> checkStaticShape(const Operands &in,
                                                     const layout::Layout &l,
                                                     const char *label) {
  if (l.getShape().isStatic())
    return std::nullopt;
  return in.wrong(0, "expected static shape layout", label);
}

AlgebraResult
MakeFragmentLayoutLikeOp::evaluate(Adaptor adaptor,
                                   ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(layout, in.layoutLike(0));
  // make_fragment_layout_like_c1
  if (auto error = checkStaticShape(in, layout.getLinear(),
                                    "make_fragment_layout_like_c1"))
    return *error;
  return singleLayout(layout::makeFragmentLayout(layout.getLinear()));
}

//===----------------------------------------------------------------------===//
// Extractors
//===----------------------------------------------------------------------===//

AlgebraResult GetShapeOp::evaluate(Adaptor adaptor,
                                   ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(layout, in.layoutLike(0));
  return single(layout.getLinear().getShape());
}

AlgebraResult GetStrideOp::evaluate(Adaptor adaptor,
                                    ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(layout, in.layoutLike(0));
  if (layout.isPlain())
    return single(layout.getPlain().getStride());
  // get_stride_c1
  auto *tensor = in[0].getIf<Tensor>();
  StringRef found = !tensor             ? "ComposedLayoutType"
                    : tensor->isCoord() ? "CoordTensorType with ComposedLayout"
                                        : "MemRefType with ComposedLayout";
  return in.wrong(0,
                  "unsupported " + found + "; only a plain layout has strides",
                  "get_stride_c1");
}

/// The composed layout of operand 0.
static layout::Result<layout::ComposedLayout> getComposed(const Operands &in) {
  FLY_TRY(layout, in.narrow(0));
  if (layout.isPlain())
    return in.wrong(0, "expected ComposedLayoutType");
  return layout.getComposed();
}

AlgebraResult ComposedGetInnerOp::evaluate(Adaptor adaptor,
                                           ArrayRef<AlgebraValue> operands) {
  FLY_TRY(composed, getComposed({adaptor.getOperands(), operands}));
  return single(
      std::visit([](const auto &inner) { return AlgebraValue(inner); },
                 composed.getInner()));
}

AlgebraResult ComposedGetOffsetOp::evaluate(Adaptor adaptor,
                                            ArrayRef<AlgebraValue> operands) {
  FLY_TRY(composed, getComposed({adaptor.getOperands(), operands}));
  return single(composed.getOffset());
}

AlgebraResult ComposedGetOuterOp::evaluate(Adaptor adaptor,
                                           ArrayRef<AlgebraValue> operands) {
  FLY_TRY(composed, getComposed({adaptor.getOperands(), operands}));
  return single(composed.getOuter());
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

AlgebraResult SizeOp::evaluate(Adaptor adaptor,
                               ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  if (in.size())
    if (auto *tuple = in[0].getIf<layout::IntTuple>()) {
      FLY_TRY(size, layout::size(*tuple));
      return single(layout::IntTuple(size));
    }
  FLY_TRY(layout, in.layoutLike(0));
  FLY_TRY(size, layout::size(layout.getLinear()));
  return single(layout::IntTuple(size));
}

AlgebraResult CoprofileOp::evaluate(Adaptor adaptor,
                                    ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(layout, in.layoutLike(0));
  return single(layout::coprofile(layout.getLinear()));
}

AlgebraResult CoshapeOp::evaluate(Adaptor adaptor,
                                  ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(layout, in.layoutLike(0));
  return single(layout::coshape(layout));
}

AlgebraResult CosizeOp::evaluate(Adaptor adaptor,
                                 ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(layout, in.layoutLike(0));
  FLY_TRY(cosize, layout::cosize(layout));
  return single(layout::IntTuple(cosize));
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

AlgebraResult Crd2IdxOp::evaluate(Adaptor adaptor,
                                  ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(coord, in.tuple(0, "coord"));
  if (in.size() > 1) {
    if (auto *layout = in[1].getIf<layout::AnyLayout>())
      return single(layout::crd2idx(coord, *layout));
    if (auto *swizzle = in[1].getIf<layout::Swizzle>())
      return single(layout::applyInner(*swizzle, coord));
    if (auto *swizzle = in[1].getIf<layout::CoordSwizzle>())
      return single(layout::applyInner(*swizzle, coord));
  }
  return in.wrong(1, "expected LayoutType, ComposedLayoutType, SwizzleType or "
                     "CoordSwizzleType for layout");
}

AlgebraResult Idx2CrdOp::evaluate(Adaptor adaptor,
                                  ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(index, in.tuple(0, "index"));
  FLY_TRY(layout, in.layout(1, "layout"));
  return single(layout::idx2crd(index, layout));
}

AlgebraResult GetFlatCoordOp::evaluate(Adaptor adaptor,
                                       ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(index, in.tuple(0, "index"));
  FLY_TRY(layout, in.layout(1, "layout"));
  return single(layout::getFlatCoord(index, layout));
}

AlgebraResult Get1DCoordOp::evaluate(Adaptor adaptor,
                                     ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(index, in.tuple(0, "index"));
  FLY_TRY(layout, in.layout(1, "layout"));
  return single(layout::get1DCoord(index, layout));
}
