// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion between attributes and layout values.  It carries structure over
// and computes nothing.

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"

using namespace mlir;

namespace fly {

//===----------------------------------------------------------------------===//
// Attribute to value
//===----------------------------------------------------------------------===//

layout::Int toValue(IntAttr attr, unsigned &nextSymbol) {
  if (attr.isNone())
    return layout::Int::none();
  if (attr.isStatic())
    return layout::Int::constant(attr.getValue());
  return layout::Int::symbol(nextSymbol++, attr.getWidth(),
                             attr.getDivisibility());
}

layout::IntTuple toValue(IntTupleAttr attr, unsigned &nextSymbol) {
  if (auto leaf = dyn_cast<IntAttr>(attr.getValue()))
    return toValue(leaf, nextSymbol);
  if (auto basis = dyn_cast<BasisAttr>(attr.getValue()))
    return layout::Leaf(toValue(basis.getValue(), nextSymbol),
                        basis.getModes());
  std::vector<layout::IntTuple> modes;
  modes.reserve(attr.rank());
  for (Attribute mode : cast<ArrayAttr>(attr.getValue()))
    modes.push_back(toValue(cast<IntTupleAttr>(mode), nextSymbol));
  return layout::IntTuple::tuple(std::move(modes));
}

layout::Layout toValue(LayoutAttr attr, unsigned &nextSymbol) {
  layout::IntTuple shape = toValue(attr.getShape(), nextSymbol);
  layout::IntTuple stride = toValue(attr.getStride(), nextSymbol);
  return layout::Layout(std::move(shape), std::move(stride));
}

layout::Swizzle toValue(SwizzleAttr attr) {
  return {attr.getMask(), attr.getBase(), attr.getShift()};
}

layout::CoordSwizzle toValue(CoordSwizzleAttr attr) {
  layout::CoordSwizzle value;
  value.mask = attr.getMask();
  value.baseRow = attr.getBaseRow();
  value.modeRow.assign(attr.getModeRow().begin(), attr.getModeRow().end());
  value.baseCol = attr.getBaseCol();
  value.modeCol.assign(attr.getModeCol().begin(), attr.getModeCol().end());
  return value;
}

static layout::InnerMap toInnerMap(Attribute attr, unsigned &nextSymbol) {
  if (auto swizzle = dyn_cast<SwizzleAttr>(attr))
    return toValue(swizzle);
  if (auto swizzle = dyn_cast<CoordSwizzleAttr>(attr))
    return toValue(swizzle);
  return toLayoutValue(attr, nextSymbol);
}

layout::ComposedLayout toValue(ComposedLayoutAttr attr, unsigned &nextSymbol) {
  layout::InnerMap inner = toInnerMap(attr.getInner(), nextSymbol);
  layout::IntTuple offset = toValue(attr.getOffset(), nextSymbol);
  layout::AnyLayout outer = toLayoutValue(attr.getOuter(), nextSymbol);
  return layout::ComposedLayout(std::move(inner), std::move(offset),
                                std::move(outer));
}

layout::AnyLayout toLayoutValue(Attribute attr, unsigned &nextSymbol) {
  if (auto plain = dyn_cast<LayoutAttr>(attr))
    return toValue(plain, nextSymbol);
  return toValue(cast<ComposedLayoutAttr>(attr), nextSymbol);
}

static layout::Tile toTileElement(Attribute attr, unsigned &nextSymbol) {
  if (auto leaf = dyn_cast<IntAttr>(attr))
    return toValue(leaf, nextSymbol);
  if (auto plain = dyn_cast<LayoutAttr>(attr))
    return toValue(plain, nextSymbol);
  return toValue(cast<TileAttr>(attr), nextSymbol);
}

layout::Tile toValue(TileAttr attr, unsigned &nextSymbol) {
  if (attr.isLeaf())
    return toTileElement(attr.getValue(), nextSymbol);
  SmallVector<layout::Tile> elements;
  for (Attribute element : cast<ArrayAttr>(attr.getValue()))
    elements.push_back(toTileElement(element, nextSymbol));
  return layout::Tile::list(elements);
}

layout::Layout toStaticValue(LayoutAttr attr) {
  assert(attr.isStatic() && "layout has run-time leaves");
  unsigned nextSymbol = 0;
  return toValue(attr, nextSymbol);
}

layout::IntTuple toStaticValue(IntTupleAttr attr) {
  assert(attr.isStatic() && "tuple has run-time leaves");
  unsigned nextSymbol = 0;
  return toValue(attr, nextSymbol);
}

//===----------------------------------------------------------------------===//
// Value to attribute
//===----------------------------------------------------------------------===//

IntAttr toAttr(MLIRContext *context, const layout::Int &value) {
  if (value.isNone())
    return IntAttr::getNone(context);
  if (value.isStatic())
    return IntAttr::getStatic(context, value.getValue());
  return IntAttr::getDynamic(context, value.getWidth(),
                             value.getDivisibility());
}

IntTupleAttr toAttr(MLIRContext *context, const layout::IntTuple &value) {
  if (!value.isLeaf()) {
    SmallVector<IntTupleAttr> modes;
    modes.reserve(value.rank());
    for (const layout::IntTuple &mode : value.modes())
      modes.push_back(toAttr(context, mode));
    return IntTupleAttr::get(ArrayRef<IntTupleAttr>(modes));
  }
  const layout::Leaf &leaf = value.getLeaf();
  if (!leaf.isBasis())
    return IntTupleAttr::get(toAttr(context, leaf.getInt()));
  // `*` with modes is 0 in the coordinate.
  IntAttr scale = leaf.getInt().isNone() ? IntAttr::getStatic(context, 0)
                                         : toAttr(context, leaf.getInt());
  return IntTupleAttr::get(BasisAttr::get(scale, leaf.getModes()));
}

LayoutAttr toAttr(MLIRContext *context, const layout::Layout &value) {
  return LayoutAttr::get(toAttr(context, value.getShape()),
                         toAttr(context, value.getStride()));
}

SwizzleAttr toAttr(MLIRContext *context, const layout::Swizzle &value) {
  return SwizzleAttr::get(context, value.mask, value.base, value.shift);
}

CoordSwizzleAttr toAttr(MLIRContext *context,
                        const layout::CoordSwizzle &value) {
  return CoordSwizzleAttr::get(context, value.mask, value.baseRow,
                               value.modeRow, value.baseCol, value.modeCol);
}

ComposedLayoutAttr toAttr(MLIRContext *context,
                          const layout::ComposedLayout &value) {
  Attribute inner = std::visit(
      [&](const auto &map) -> Attribute { return toAttr(context, map); },
      value.getInner());
  return ComposedLayoutAttr::get(inner, toAttr(context, value.getOffset()),
                                 toAttr(context, value.getOuter()));
}

Attribute toAttr(MLIRContext *context, const layout::AnyLayout &value) {
  if (value.isPlain())
    return toAttr(context, value.getPlain());
  return toAttr(context, value.getComposed());
}

static Attribute toTileElementAttr(MLIRContext *context,
                                   const layout::Tile &value) {
  if (value.isInt())
    return toAttr(context, value.getInt());
  if (value.isLayout())
    return toAttr(context, value.getLayout());
  return toAttr(context, value);
}

TileAttr toAttr(MLIRContext *context, const layout::Tile &value) {
  if (!value.isList())
    return TileAttr::get(context, toTileElementAttr(context, value));
  SmallVector<Attribute> elements;
  for (const layout::Tile &element : value.getElements())
    elements.push_back(toTileElementAttr(context, element));
  return TileAttr::get(ArrayRef<Attribute>(elements));
}

} // namespace fly
