// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing the bodies of the structural attributes, as they stand in types, in
// stand-alone attributes and in diagnostics.

#include "Fly/Dialect/Fly/IR/FlyAttrs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace fly {

static void printInt(raw_ostream &os, IntAttr attr) {
  if (attr.isNone()) {
    os << '*';
    return;
  }
  if (attr.isStatic()) {
    os << attr.getValue();
    return;
  }
  os << '?';
  bool hasWidth = attr.getWidth() != 32;
  bool hasDivisibility = attr.getDivisibility() != 1;
  if (!hasWidth && !hasDivisibility)
    return;
  os << '{';
  if (hasWidth)
    os << 'i' << attr.getWidth();
  if (hasWidth && hasDivisibility)
    os << ' ';
  if (hasDivisibility)
    os << "div=" << attr.getDivisibility();
  os << '}';
}

static void printModeList(raw_ostream &os, ArrayRef<int32_t> modes) {
  os << '[';
  llvm::interleaveComma(modes, os);
  os << ']';
}

static void printOuter(raw_ostream &os, Attribute outer) {
  bool composed = isa<ComposedLayoutAttr>(outer);
  if (composed)
    os << '[';
  printBody(os, outer);
  if (composed)
    os << ']';
}

void printBody(raw_ostream &os, Attribute attr) {
  auto printElement = [&](Attribute element) { printBody(os, element); };
  llvm::TypeSwitch<Attribute>(attr)
      .Case([&](IntAttr value) { printInt(os, value); })
      .Case([&](BasisAttr basis) {
        printInt(os, basis.getValue());
        for (int32_t mode : basis.getModes())
          os << 'E' << mode;
      })
      .Case([&](IntTupleAttr tuple) {
        auto modes = dyn_cast<ArrayAttr>(tuple.getValue());
        if (!modes)
          return printBody(os, tuple.getValue());
        os << '(';
        llvm::interleave(modes, os, printElement, ",");
        os << ')';
      })
      .Case([&](LayoutAttr layout) {
        printBody(os, layout.getShape());
        os << ':';
        printBody(os, layout.getStride());
      })
      .Case([&](SwizzleAttr swizzle) {
        os << "S<" << swizzle.getMask() << ',' << swizzle.getBase() << ','
           << swizzle.getShift() << '>';
      })
      .Case([&](CoordSwizzleAttr swizzle) {
        os << "CS<" << swizzle.getMask() << ',' << swizzle.getBaseRow() << ',';
        printModeList(os, swizzle.getModeRow());
        os << ',' << swizzle.getBaseCol() << ',';
        printModeList(os, swizzle.getModeCol());
        os << '>';
      })
      .Case([&](ComposedLayoutAttr layout) {
        printBody(os, layout.getInner());
        os << " o ";
        printBody(os, layout.getOffset());
        os << " o ";
        printOuter(os, layout.getOuter());
      })
      .Case([&](TileAttr tile) {
        auto elements = dyn_cast<ArrayAttr>(tile.getValue());
        if (!elements)
          return printBody(os, tile.getValue());
        os << '[';
        llvm::interleave(elements, os, printElement, "|");
        os << ']';
      })
      .Case([&](AlignAttr align) {
        os << "align<" << align.getAlignment() << '>';
      })
      .Default([&](Attribute other) { os << other; });
}

std::string bodyToString(Attribute attr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printBody(os, attr);
  return text;
}

} // namespace fly
