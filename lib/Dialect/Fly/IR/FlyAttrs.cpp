// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders, structural queries and verifiers of the dialect's attributes.
// Text is in FlyAttrParser.cpp, computation in lib/Layout.

#include "Fly/Dialect/Fly/IR/FlyAttrs.h"
#include "Fly/Dialect/Fly/IR/FlyTypes.h"

#include "Fly/Layout/Layout.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "Fly/Dialect/Fly/IR/FlyEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Fly/Dialect/Fly/IR/FlyAttrs.cpp.inc"

namespace fly {

void FlyDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Fly/Dialect/Fly/IR/FlyAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

IntAttr IntAttr::getNone(MLIRContext *context) {
  return get(context, 0, 0, 0, true);
}

IntAttr IntAttr::getStatic(MLIRContext *context, int64_t value) {
  return get(context, value, layout::exceeds32(value) ? 64 : 32,
             value == 0 ? 1 : value, true);
}

IntAttr IntAttr::getDynamic(MLIRContext *context, int32_t width,
                            int64_t divisibility) {
  return get(context, 0, width, divisibility, false);
}

bool IntAttr::isStaticValue(int64_t value) const {
  return isStatic() && !isNone() && getValue() == value;
}

LogicalResult IntAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                              int64_t value, int32_t width,
                              int64_t divisibility, bool staticFlag) {
  if (!staticFlag) {
    if (value != 0)
      return emitError() << "run-time leaf must have value 0, got " << value;
    if (width != 32 && width != 64)
      return emitError() << "run-time leaf must be 32 or 64 bits wide, got "
                         << width;
    return success();
  }
  if (width == 0) {
    if (value != 0 || divisibility != 0)
      return emitError() << "leaf '*' must have value and divisibility 0, got "
                         << value << " and " << divisibility;
    return success();
  }
  if (width != (layout::exceeds32(value) ? 64 : 32))
    return emitError() << "static leaf " << value << " must not have width "
                       << width;
  if (divisibility != (value == 0 ? 1 : value))
    return emitError() << "static leaf " << value
                       << " must not have divisibility " << divisibility;
  return success();
}

LogicalResult BasisAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                IntAttr value, ArrayRef<int32_t> modes) {
  if (!value || value.isNone())
    return emitError() << "basis element must have an integer value";
  if (modes.empty())
    return emitError() << "basis element must name at least one mode";
  if (modes.size() > static_cast<size_t>(kMaxNesting))
    return emitError() << "basis element must name at most " << kMaxNesting
                       << " modes, got " << modes.size();
  for (int32_t mode : modes)
    if (mode < 0 || mode > kMaxBasisMode)
      return emitError() << "basis mode must be between 0 and " << kMaxBasisMode
                         << ", got " << mode;
  return success();
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

IntTupleAttr IntTupleAttr::get(ArrayRef<IntTupleAttr> modes) {
  assert(!modes.empty() && "a tuple has at least one mode");
  MLIRContext *context = modes.front().getContext();
  SmallVector<Attribute> elements(modes.begin(), modes.end());
  return get(context, ArrayAttr::get(context, elements));
}

IntTupleAttr IntTupleAttr::getStatic(MLIRContext *context, int64_t value) {
  return get(IntAttr::getStatic(context, value));
}

bool IntTupleAttr::isLeaf() const { return !isa<ArrayAttr>(getValue()); }

int32_t IntTupleAttr::rank() const {
  auto modes = dyn_cast<ArrayAttr>(getValue());
  return modes ? modes.size() : 1;
}

IntTupleAttr IntTupleAttr::at(int32_t index) const {
  assert(index >= 0 && index < rank() && "mode out of range");
  auto modes = dyn_cast<ArrayAttr>(getValue());
  return modes ? cast<IntTupleAttr>(modes[index]) : *this;
}

IntTupleAttr IntTupleAttr::at(ArrayRef<int32_t> path) const {
  IntTupleAttr current = *this;
  for (int32_t index : path) {
    if (index < 0 || index >= current.rank())
      return {};
    current = current.at(index);
  }
  return current;
}

int32_t IntTupleAttr::depth() const {
  auto modes = dyn_cast<ArrayAttr>(getValue());
  if (!modes)
    return 0;
  int32_t deepest = 0;
  for (Attribute mode : modes)
    deepest = std::max(deepest, cast<IntTupleAttr>(mode).depth());
  return deepest + 1;
}

void IntTupleAttr::walkLeaves(function_ref<void(Attribute)> visit) const {
  auto modes = dyn_cast<ArrayAttr>(getValue());
  if (!modes)
    return visit(getValue());
  for (Attribute mode : modes)
    cast<IntTupleAttr>(mode).walkLeaves(visit);
}

static bool isStaticLeafAttr(Attribute leaf) {
  if (auto basis = dyn_cast<BasisAttr>(leaf))
    return basis.isStatic();
  return cast<IntAttr>(leaf).isStatic();
}

int64_t IntTupleAttr::getNumDynamicLeaves() const {
  int64_t count = 0;
  walkLeaves([&](Attribute leaf) { count += !isStaticLeafAttr(leaf); });
  return count;
}

bool IntTupleAttr::isStatic() const { return getNumDynamicLeaves() == 0; }

std::optional<int64_t> IntTupleAttr::getStaticLeaf() const {
  auto leaf = dyn_cast<IntAttr>(getValue());
  if (!leaf || !leaf.isStatic() || leaf.isNone())
    return std::nullopt;
  return leaf.getValue();
}

bool IntTupleAttr::isCongruent(IntTupleAttr other) const {
  auto modes = dyn_cast<ArrayAttr>(getValue());
  auto otherModes = dyn_cast<ArrayAttr>(other.getValue());
  if (!modes || !otherModes)
    return !modes && !otherModes;
  if (modes.size() != otherModes.size())
    return false;
  return llvm::all_of(llvm::zip(modes, otherModes), [](auto pair) {
    return cast<IntTupleAttr>(std::get<0>(pair))
        .isCongruent(cast<IntTupleAttr>(std::get<1>(pair)));
  });
}

LogicalResult IntTupleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Attribute value) {
  if (isa_and_nonnull<IntAttr, BasisAttr>(value))
    return success();
  auto modes = dyn_cast_or_null<ArrayAttr>(value);
  if (!modes)
    return emitError() << "int tuple must hold a leaf or an array of int "
                          "tuples, got "
                       << value;
  if (modes.empty())
    return emitError() << "int tuple must have at least one mode";
  for (Attribute mode : modes) {
    auto tuple = dyn_cast<IntTupleAttr>(mode);
    if (!tuple)
      return emitError() << "mode of an int tuple must be an int tuple, got "
                         << mode;
    if (tuple.depth() >= kMaxNesting)
      return emitError() << "nesting is deeper than " << kMaxNesting
                         << " levels";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

LayoutAttr LayoutAttr::at(int32_t index) const {
  return get(getShape().at(index), getStride().at(index));
}

bool LayoutAttr::isStatic() const {
  return getShape().isStatic() && getStride().isStatic();
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 IntTupleAttr shape, IntTupleAttr stride) {
  if (!shape.isCongruent(stride))
    return emitError() << "shape and stride of a layout must have the same "
                          "profile, got "
                       << bodyToString(shape) << ":" << bodyToString(stride);
  bool hasBasis = false, hasNegative = false;
  shape.walkLeaves([&](Attribute leaf) {
    hasBasis |= isa<BasisAttr>(leaf);
    auto extent = dyn_cast<IntAttr>(leaf);
    hasNegative |= extent && extent.isStatic() && extent.getValue() < 0;
  });
  if (hasNegative)
    return emitError() << "extents of a layout must not be negative, got shape "
                       << bodyToString(shape);
  if (hasBasis)
    return emitError() << "shape of a layout must not have a basis element, "
                          "got "
                       << bodyToString(shape);
  return success();
}

LayoutAttr getLinearLayout(Attribute layout) {
  while (auto composed = dyn_cast<ComposedLayoutAttr>(layout))
    layout = composed.getOuter();
  return cast<LayoutAttr>(layout);
}

bool isNarrowLayout(Attribute layout) {
  return isa_and_nonnull<LayoutAttr, ComposedLayoutAttr>(layout);
}

bool isStaticLayout(Attribute layout) {
  if (auto plain = dyn_cast<LayoutAttr>(layout))
    return plain.isStatic();
  return cast<ComposedLayoutAttr>(layout).isStatic();
}

Attribute getLayoutMode(Attribute layout, int32_t index) {
  if (auto plain = dyn_cast<LayoutAttr>(layout))
    return plain.at(index);
  return cast<ComposedLayoutAttr>(layout).at(index);
}

LayoutAttr ComposedLayoutAttr::getLinear() const {
  return getLinearLayout(*this);
}

ComposedLayoutAttr ComposedLayoutAttr::at(int32_t index) const {
  return get(getInner(), getOffset(), getLayoutMode(getOuter(), index));
}

bool ComposedLayoutAttr::isStatic() const {
  bool innerStatic = !isNarrowLayout(getInner()) || isStaticLayout(getInner());
  return innerStatic && getOffset().isStatic() && isStaticLayout(getOuter());
}

/// Length of the longest chain of compositions below `layout`.
static int32_t getCompositionDepth(Attribute layout) {
  auto composed = dyn_cast<ComposedLayoutAttr>(layout);
  if (!composed)
    return 0;
  return 1 + std::max(getCompositionDepth(composed.getInner()),
                      getCompositionDepth(composed.getOuter()));
}

LogicalResult
ComposedLayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                           Attribute inner, IntTupleAttr offset,
                           Attribute outer) {
  if (!isNarrowLayout(inner) &&
      !isa_and_nonnull<SwizzleAttr, CoordSwizzleAttr>(inner))
    return emitError() << "inner of a composed layout must be a swizzle, a "
                          "coordinate swizzle or a layout, got "
                       << inner;
  if (!isNarrowLayout(outer))
    return emitError() << "outer of a composed layout must be a layout or a "
                          "composed layout, got "
                       << outer;
  if (std::max(getCompositionDepth(inner), getCompositionDepth(outer)) >=
      kMaxNesting)
    return emitError() << "nesting is deeper than " << kMaxNesting << " levels";
  return success();
}

//===----------------------------------------------------------------------===//
// Swizzles
//===----------------------------------------------------------------------===//

SwizzleAttr SwizzleAttr::getTrivial(MLIRContext *context) {
  return get(context, 0, 0, 0);
}

LogicalResult SwizzleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int32_t mask, int32_t base, int32_t shift) {
  auto swizzle = layout::Swizzle::get(mask, base, shift);
  if (!swizzle)
    return emitError() << swizzle.error().message;
  return success();
}

LogicalResult CoordSwizzleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError, int32_t mask, int32_t baseRow,
    ArrayRef<int32_t> modeRow, int32_t baseCol, ArrayRef<int32_t> modeCol) {
  auto swizzle =
      layout::CoordSwizzle::get(mask, baseRow, modeRow, baseCol, modeCol);
  if (!swizzle)
    return emitError() << swizzle.error().message;
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

TileAttr TileAttr::get(ArrayRef<Attribute> elements) {
  assert(!elements.empty() && "a tile list has at least one element");
  MLIRContext *context = elements.front().getContext();
  return get(context, ArrayAttr::get(context, elements));
}

TileAttr TileAttr::getIdentity3(MLIRContext *context) {
  Attribute keep = IntAttr::getNone(context);
  return get(ArrayRef<Attribute>{keep, keep, keep});
}

int32_t TileAttr::rank() const {
  auto elements = dyn_cast<ArrayAttr>(getValue());
  return elements ? elements.size() : 1;
}

Attribute TileAttr::at(int32_t index) const {
  assert(index >= 0 && index < rank() && "element out of range");
  auto elements = dyn_cast<ArrayAttr>(getValue());
  return elements ? elements[index] : getValue();
}

static int32_t getTileDepth(Attribute element) {
  auto tile = dyn_cast<TileAttr>(element);
  if (!tile || tile.isLeaf())
    return 0;
  int32_t deepest = 0;
  for (int32_t i = 0, e = tile.rank(); i < e; ++i)
    deepest = std::max(deepest, getTileDepth(tile.at(i)));
  return deepest + 1;
}

LogicalResult TileAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               Attribute value) {
  if (isa_and_nonnull<IntAttr, LayoutAttr>(value))
    return success();
  auto elements = dyn_cast_or_null<ArrayAttr>(value);
  if (!elements || elements.empty())
    return emitError() << "tile must hold an integer, a layout or a non-empty "
                          "list, got "
                       << value;
  for (Attribute element : elements) {
    auto list = dyn_cast<TileAttr>(element);
    if (!isa<IntAttr, LayoutAttr>(element) && (!list || list.isLeaf()))
      return emitError() << "element of a tile must be an integer, a layout or "
                            "a list, got "
                         << element;
    if (getTileDepth(element) >= kMaxNesting)
      return emitError() << "nesting is deeper than " << kMaxNesting
                         << " levels";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Alignment
//===----------------------------------------------------------------------===//

AlignAttr AlignAttr::getTrivial(Type elementType) {
  return getFromDivisibility(elementType, 1);
}

AlignAttr AlignAttr::getFromDivisibility(Type elementType,
                                         int64_t divisibility) {
  auto bytes =
      layout::alignmentBytes(*getElementBits(elementType), divisibility);
  if (!bytes)
    return {};
  return get(elementType.getContext(), *bytes);
}

LogicalResult AlignAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                int64_t alignment) {
  if (alignment <= 0 || layout::exceeds32(alignment))
    return emitError() << "alignment must be positive and less than 2^31, got "
                       << alignment;
  return success();
}

} // namespace fly
