// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors and pointers: views, fragments, and moving iterators.

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Layout/Product.h"
#include "OpSupport.h"

using namespace mlir;
using namespace fly;
using namespace fly::detail;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// False if the last map of the layout gives coordinates: one with basis
/// strides, or a swizzle of it.
static bool givesIntegers(const layout::AnyLayout &layout) {
  if (layout.isPlain())
    return !layout.getPlain().getStride().hasBasis();
  const layout::ComposedLayout &composed = layout.getComposed();
  if (auto *inner = std::get_if<layout::AnyLayout>(&composed.getInner()))
    return givesIntegers(*inner);
  return std::holds_alternative<layout::CoordSwizzle>(composed.getInner()) ||
         givesIntegers(composed.getOuter());
}

AlgebraResult MakeViewOp::evaluate(Adaptor adaptor,
                                   ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  auto *layout = in.size() > 1 ? in[1].getIf<layout::AnyLayout>() : nullptr;
  if (!layout)
    return in.wrong(1,
                    "expected LayoutType or ComposedLayoutType for operand #1");
  if (auto *pointer = in[0].getIf<Pointer>()) {
    // make_view_c1
    if (!givesIntegers(*layout))
      return in.wrong(1, "expected integer strides for a view of memory",
                      "make_view_c1");
    return single(Tensor{*pointer, *layout});
  }
  if (auto *base = in[0].getIf<layout::IntTuple>())
    return single(Tensor{*base, *layout});
  return in.wrong(0, "expected IntTupleType or PointerType for operand #0");
}

AlgebraResult GetLayoutOp::evaluate(Adaptor adaptor,
                                    ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(tensor, in.tensor(0));
  return single(tensor.layout);
}

AlgebraResult GetIterOp::evaluate(Adaptor adaptor,
                                  ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(tensor, in.tensor(0));
  if (tensor.isCoord())
    return single(tensor.base());
  return single(tensor.pointer());
}

AlgebraResult DecompositionOp::evaluate(Adaptor adaptor,
                                        ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(tensor, in.tensor(0));
  if (tensor.layout.isPlain())
    return single(tensor);
  FLY_TRY(origin, layout::originOffset(tensor.layout));
  FLY_TRY(moved, moveIterator(tensor, origin));
  moved.layout = tensor.layout.getLinear();
  return single(moved);
}

AlgebraResult AddOffsetOp::evaluate(Adaptor adaptor,
                                    ArrayRef<AlgebraValue> operands) {
  Operands in(adaptor.getOperands(), operands);
  FLY_TRY(offset, in.tuple(1, "offset"));
  if (auto *pointer = in[0].getIf<Pointer>()) {
    // add_offset_c1
    if (!offset.isLeaf() || offset.getLeaf().isBasis())
      return in.wrong(1, "offset must be a scalar (leaf int) IntTuple",
                      "add_offset_c1");
    return single(movePointer(*pointer, offset.getInt()));
  }
  if (auto *base = in[0].getIf<layout::IntTuple>())
    return single(layout::add(*base, offset));
  return in.wrong(0, "expected IntTupleType or PointerType for operand #0");
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

LogicalResult MakeFragmentLikeOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location,
    MakeFragmentLikeOp::Adaptor adaptor, SmallVectorImpl<Type> &results) {
  StringRef name = opClassName<MakeFragmentLikeOp>();
  Type source = adaptor.getSrc().getType();
  Type element = adaptor.getDtype().value_or(Type());
  // make_fragment_like_c2
  if (auto memref = dyn_cast<fly::MemRefType>(source)) {
    if (!element)
      element = memref.getElementType();
  } else if (!element) {
    return emitOptionalError(
        location, name, ": dtype is required when input is not MemRefType");
  }
  // make_fragment_like_c3
  if (!getElementBits(element))
    return emitOptionalError(location, name,
                             ": dtype must be an integer or float type, got ",
                             element, " [make_fragment_like_c3]");
  unsigned nextSymbol = 0;
  AlgebraValue value = readType(source, nextSymbol);
  layout::Result<layout::AnyLayout> layout =
      Operands(adaptor.getOperands(), value).layoutLike(0);
  if (!layout)
    return emitOptionalError(location, name, ": ", layout.error().message);
  // make_fragment_like_c1
  if (!layout->getLinear().getShape().isStatic())
    return emitOptionalError(location, name,
                             ": expected static shape layout, got ", source,
                             " [make_fragment_like_c1]");
  layout::Result<layout::Layout> fragment =
      layout::makeFragmentLayout(layout->getLinear());
  if (!fragment)
    return emitOptionalError(location, name, ": ", fragment.error().str());
  results.push_back(fly::MemRefType::get(element, AddressSpace::Register,
                                         toAttr(context, *fragment)));
  return success();
}
