// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles: how each mode of a layout is to be cut. `[4|*|(2,2):(1,4)|[2|8:2]]`:
// an integer n cuts like n:1, a layout like itself, `*` leaves the mode whole,
// a nested tile goes into the modes of its mode.

#ifndef FLY_LAYOUT_TILE_H
#define FLY_LAYOUT_TILE_H

#include "Fly/Layout/Layout.h"

namespace fly::layout {

class Tile {
public:
  /// The tile `*`.
  Tile() : leaf(Int::none()) {}
  Tile(Int value) : leaf(std::move(value)) {}
  Tile(int64_t value) : leaf(Int::constant(value)) {}
  Tile(int value) : leaf(Int::constant(value)) {}
  Tile(Layout layout) : leaf(std::move(layout)) {}
  /// `[a|b|...]`, at least one element.
  static Tile list(llvm::ArrayRef<Tile> elements);

  bool isList() const { return elements != nullptr; }
  bool isNone() const { return !isList() && isInt() && getInt().isNone(); }
  bool isInt() const { return !isList() && std::holds_alternative<Int>(leaf); }
  bool isLayout() const {
    return !isList() && std::holds_alternative<Layout>(leaf);
  }
  const Int &getInt() const { return std::get<Int>(leaf); }
  const Layout &getLayout() const { return std::get<Layout>(leaf); }
  /// Elements of a list tile.
  llvm::ArrayRef<Tile> getElements() const { return *elements; }
  /// 1 for a leaf tile.
  size_t rank() const { return isList() ? elements->size() : 1; }
  unsigned depth() const;
  /// No run-time leaf anywhere.
  bool isStatic() const;

  /// An integer n as n:1, a layout as itself; not for `*` and lists.
  Layout asLayout() const;

  void print(llvm::raw_ostream &os) const;
  std::string str() const;
  bool operator==(const Tile &o) const;
  bool operator!=(const Tile &o) const { return !(*this == o); }

private:
  std::variant<Int, Layout> leaf;
  std::shared_ptr<const std::vector<Tile>> elements;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Tile &tile);

} // namespace fly::layout

#endif // FLY_LAYOUT_TILE_H
