// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between types and algebra values, and inference by evaluation.

#include "Fly/Dialect/Fly/IR/FlyAlgebra.h"
#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"

using namespace mlir;
using namespace fly;

//===----------------------------------------------------------------------===//
// Type to value
//===----------------------------------------------------------------------===//

AlgebraValue fly::readType(Type type, unsigned &nextSymbol) {
  if (auto tuple = dyn_cast<IntTupleType>(type))
    return toValue(tuple.getAttr(), nextSymbol);
  if (auto layout = dyn_cast<LayoutType>(type))
    return layout::AnyLayout(toValue(layout.getAttr(), nextSymbol));
  if (auto composed = dyn_cast<ComposedLayoutType>(type))
    return layout::AnyLayout(toValue(composed.getAttr(), nextSymbol));
  if (auto swizzle = dyn_cast<SwizzleType>(type))
    return toValue(swizzle.getAttr());
  if (auto swizzle = dyn_cast<CoordSwizzleType>(type))
    return toValue(swizzle.getAttr());
  if (auto tile = dyn_cast<TileType>(type))
    return toValue(tile.getAttr(), nextSymbol);
  if (auto pointer = dyn_cast<fly::PointerType>(type))
    return Pointer{pointer, Value(), std::nullopt};
  if (auto memref = dyn_cast<fly::MemRefType>(type))
    return Tensor{Pointer{memref.getPointerType(), Value(), std::nullopt},
                  toLayoutValue(memref.getLayout(), nextSymbol)};
  if (auto tensor = dyn_cast<CoordTensorType>(type)) {
    // Symbols are numbered in this order, so no single expression.
    layout::IntTuple base = toValue(tensor.getBase(), nextSymbol);
    return Tensor{base, toLayoutValue(tensor.getLayout(), nextSymbol)};
  }
  if (type.isSignlessInteger(32) || type.isSignlessInteger(64)) {
    unsigned width = type.getIntOrFloatBitWidth();
    return Scalar{layout::Int::symbol(nextSymbol++, width), width};
  }
  return Opaque{type};
}

//===----------------------------------------------------------------------===//
// Value to type
//===----------------------------------------------------------------------===//

static Type getLayoutType(MLIRContext *context,
                          const layout::AnyLayout &layout) {
  if (layout.isPlain())
    return LayoutType::get(toAttr(context, layout.getPlain()));
  return ComposedLayoutType::get(toAttr(context, layout.getComposed()));
}

static Type getTensorType(MLIRContext *context, const Tensor &tensor) {
  Attribute layout = toAttr(context, tensor.layout);
  if (tensor.isCoord())
    return CoordTensorType::get(toAttr(context, tensor.base()), layout);
  return fly::MemRefType::get(tensor.pointer().type, layout);
}

Type fly::getTypeOf(MLIRContext *context, const AlgebraValue &value) {
  if (auto *opaque = value.getIf<Opaque>())
    return opaque->type;
  if (auto *scalar = value.getIf<Scalar>())
    return IntegerType::get(context, scalar->width);
  if (auto *tuple = value.getIf<layout::IntTuple>())
    return IntTupleType::get(toAttr(context, *tuple));
  if (auto *layout = value.getIf<layout::AnyLayout>())
    return getLayoutType(context, *layout);
  if (auto *swizzle = value.getIf<layout::Swizzle>())
    return SwizzleType::get(toAttr(context, *swizzle));
  if (auto *swizzle = value.getIf<layout::CoordSwizzle>())
    return CoordSwizzleType::get(toAttr(context, *swizzle));
  if (auto *tile = value.getIf<layout::Tile>())
    return TileType::get(toAttr(context, *tile));
  if (auto *pointer = value.getIf<Pointer>())
    return pointer->type;
  return getTensorType(context, value.get<Tensor>());
}

//===----------------------------------------------------------------------===//
// Run-time leaves
//===----------------------------------------------------------------------===//

static void appendLeaves(SmallVectorImpl<layout::Int> &leaves,
                         const layout::IntTuple &tuple) {
  llvm::append_range(leaves, tuple.dynamicInts());
}

static void appendLeaves(SmallVectorImpl<layout::Int> &leaves,
                         const layout::AnyLayout &layout) {
  if (layout.isPlain()) {
    appendLeaves(leaves, layout.getPlain().getShape());
    appendLeaves(leaves, layout.getPlain().getStride());
    return;
  }
  const layout::ComposedLayout &composed = layout.getComposed();
  if (auto *inner = std::get_if<layout::AnyLayout>(&composed.getInner()))
    appendLeaves(leaves, *inner);
  appendLeaves(leaves, composed.getOffset());
  appendLeaves(leaves, composed.getOuter());
}

SmallVector<layout::Int> fly::getDynamicLeaves(const AlgebraValue &value) {
  SmallVector<layout::Int> leaves;
  auto appendPointer = [&](const Pointer &pointer) {
    if (pointer.offset && pointer.offset->isDynamic())
      leaves.push_back(*pointer.offset);
  };
  if (auto *scalar = value.getIf<Scalar>()) {
    if (scalar->value.isDynamic())
      leaves.push_back(scalar->value);
  } else if (auto *tuple = value.getIf<layout::IntTuple>()) {
    appendLeaves(leaves, *tuple);
  } else if (auto *layout = value.getIf<layout::AnyLayout>()) {
    appendLeaves(leaves, *layout);
  } else if (auto *pointer = value.getIf<Pointer>()) {
    appendPointer(*pointer);
  } else if (auto *tensor = value.getIf<Tensor>()) {
    if (tensor->isCoord())
      appendLeaves(leaves, tensor->base());
    else
      appendPointer(tensor->pointer());
    appendLeaves(leaves, tensor->layout);
  }
  return leaves;
}

//===----------------------------------------------------------------------===//
// Shared pieces
//===----------------------------------------------------------------------===//

PointerType fly::withDivisibility(PointerType type, int64_t divisibility,
                                  SwizzleAttr swizzle) {
  Type element = type.getElementType();
  AlignAttr trivial = AlignAttr::getTrivial(element);
  AlignAttr align = AlignAttr::getFromDivisibility(element, divisibility);
  // An alignment that is no whole number of bytes, or no multiple of the
  // element's, says no more than the trivial one does.
  int64_t bits = getElementBits(element).value_or(8);
  bool whole = bits % 8 * (divisibility % 8) % 8 == 0;
  if (!align || !whole || align.getAlignment() % trivial.getAlignment() != 0)
    align = trivial;
  return PointerType::get(element, type.getAddressSpace(), align, swizzle);
}

/// The alignment of a pointer in elements, at least 1.
static int64_t getDivisibility(PointerType type) {
  std::optional<int64_t> bits = getElementBits(type.getElementType());
  int64_t bytes = type.getAlignment().getAlignment();
  return std::max<int64_t>(
      1, layout::alignmentDivisibility(bits.value_or(8), bytes));
}

layout::Result<Pointer> fly::movePointer(const Pointer &pointer,
                                         const layout::Int &offset) {
  FLY_TRY(divisibility,
          layout::offsetDivisibility(getDivisibility(pointer.type), offset));
  Pointer moved = pointer;
  moved.type =
      withDivisibility(pointer.type, divisibility, pointer.type.getSwizzle());
  moved.offset = offset;
  if (pointer.offset) {
    FLY_TRY(sum, layout::add(*pointer.offset, offset));
    moved.offset = sum;
  }
  return moved;
}

layout::Result<Tensor> fly::moveIterator(const Tensor &tensor,
                                         const layout::IntTuple &offset) {
  Tensor moved = tensor;
  if (tensor.isCoord()) {
    FLY_TRY(base, layout::add(tensor.base(), offset));
    moved.iter = base;
    return moved;
  }
  if (!offset.isLeaf() || offset.getLeaf().isBasis())
    return layout::fail("element_offset_c1",
                        "offset must be an integer, got " + offset.str());
  FLY_TRY(pointer, movePointer(tensor.pointer(), offset.getInt()));
  moved.iter = pointer;
  return moved;
}

PointerType fly::swizzlePointer(PointerType type, SwizzleAttr swizzle) {
  return withDivisibility(
      type,
      layout::swizzleDivisibility(getDivisibility(type), toValue(swizzle)),
      swizzle);
}

layout::Result<layout::IntTuple>
fly::evaluateCoordElement(const Tensor &tensor, const layout::IntTuple &coord) {
  FLY_TRY(index, layout::crd2idx(coord, tensor.layout));
  return layout::add(tensor.base(), index);
}

layout::Result<layout::Int>
fly::evaluateElementOffset(const layout::AnyLayout &layout,
                           const layout::IntTuple &coord) {
  FLY_TRY(index, layout::crd2idx(coord, layout));
  if (!index.isLeaf() || index.getLeaf().isBasis())
    return layout::fail("element_offset_c1",
                        "offset must be an integer, got " + index.str());
  return index.getInt();
}

//===----------------------------------------------------------------------===//
// Inference by evaluation
//===----------------------------------------------------------------------===//

/// The nesting of what a result would spell.
static unsigned getDepth(const AlgebraValue &value) {
  if (auto *tuple = value.getIf<layout::IntTuple>())
    return tuple->depth();
  if (auto *layout = value.getIf<layout::AnyLayout>())
    return layout->depth();
  if (auto *tensor = value.getIf<Tensor>())
    return std::max(tensor->isCoord() ? tensor->base().depth() : 0u,
                    tensor->layout.depth());
  return 0;
}

/// A result of more leaves is refused: `append` and basis elements make long
/// tuples out of short text.
static constexpr size_t maxLeaves = size_t(1) << 16;

static size_t getNumLeaves(const layout::AnyLayout &layout) {
  if (layout.isPlain())
    return layout.getPlain().getShape().numLeaves();
  const layout::ComposedLayout &composed = layout.getComposed();
  auto *inner = std::get_if<layout::AnyLayout>(&composed.getInner());
  return (inner ? getNumLeaves(*inner) : 0) + composed.getOffset().numLeaves() +
         getNumLeaves(composed.getOuter());
}

static size_t getNumLeaves(const AlgebraValue &value) {
  if (auto *tuple = value.getIf<layout::IntTuple>())
    return tuple->numLeaves();
  if (auto *layout = value.getIf<layout::AnyLayout>())
    return getNumLeaves(*layout);
  if (auto *tensor = value.getIf<Tensor>())
    return (tensor->isCoord() ? tensor->base().numLeaves() : 0) +
           getNumLeaves(tensor->layout);
  return 0;
}

LogicalResult fly::detail::inferByEvaluation(
    MLIRContext *context, std::optional<Location> location, StringRef opClass,
    ValueRange operands,
    function_ref<AlgebraResult(ArrayRef<AlgebraValue>)> evaluate,
    SmallVectorImpl<Type> &results) {
  SmallVector<AlgebraValue> values;
  unsigned nextSymbol = 0;
  for (Value operand : operands)
    values.push_back(readType(operand.getType(), nextSymbol));
  AlgebraResult outcome = evaluate(values);
  if (!outcome) {
    const layout::Error &error = outcome.error();
    return emitOptionalError(location, opClass, ": ",
                             error.label.empty() ? error.message : error.str());
  }
  for (const AlgebraValue &value : *outcome) {
    if (getDepth(value) > layout::maxDepth)
      return emitOptionalError(location, opClass,
                               ": result is nested deeper "
                               "than ",
                               layout::maxDepth, " levels");
    if (getNumLeaves(value) > maxLeaves)
      return emitOptionalError(location, opClass, ": result has more than ",
                               maxLeaves, " leaves");
    results.push_back(getTypeOf(context, value));
  }
  return success();
}
