// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles.

#include "Fly/Layout/Tile.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

Tile Tile::list(llvm::ArrayRef<Tile> elements) {
  assert(!elements.empty() && "a list tile has elements");
  Tile result;
  result.elements = std::make_shared<const std::vector<Tile>>(elements.begin(),
                                                              elements.end());
  return result;
}

unsigned Tile::depth() const {
  if (!isList())
    return isLayout() ? getLayout().depth() : 0;
  unsigned deepest = 0;
  for (const Tile &element : *elements)
    deepest = std::max(deepest, element.depth());
  return deepest + 1;
}

bool Tile::isStatic() const {
  if (isList())
    return llvm::all_of(*elements, [](const Tile &t) { return t.isStatic(); });
  return isInt() ? getInt().isStatic() : getLayout().isStatic();
}

Layout Tile::asLayout() const {
  assert(!isList() && !isNone() && "not a tile of one mode");
  return isInt() ? Layout(getInt(), 1) : getLayout();
}

void Tile::print(llvm::raw_ostream &os) const {
  if (!isList()) {
    std::visit([&](const auto &value) { value.print(os); }, leaf);
    return;
  }
  os << '[';
  llvm::interleave(
      *elements, [&](const Tile &element) { element.print(os); },
      [&] { os << '|'; });
  os << ']';
}

std::string Tile::str() const {
  std::string text;
  llvm::raw_string_ostream(text) << *this;
  return text;
}

bool Tile::operator==(const Tile &o) const {
  if (isList() || o.isList())
    return isList() && o.isList() && *elements == *o.elements;
  return leaf == o.leaf;
}

llvm::raw_ostream &fly::layout::operator<<(llvm::raw_ostream &os,
                                           const Tile &tile) {
  tile.print(os);
  return os;
}
