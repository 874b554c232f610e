// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division by layouts and tiles.

#include "Fly/Layout/Divide.h"

#include "Depth.h"
#include "ModeList.h"

using namespace fly::layout;

/// The items of a tile with negative strides lie below the layout's first one,
/// where it has no coordinates; a predicate would not find them out of bounds.
static std::optional<Error> checkForward(const Layout &layout,
                                         const Layout &tiler) {
  for (const Mode &mode : flatModes(tiler)) {
    const Int &d = mode.stride.getInt();
    if (!mode.stride.isBasis() && d.isStatic() && d.getValue() < 0 &&
        !mode.size.isStatic(1))
      return fail("divide_c3", "tile " + tiler.str() +
                                   " has the negative stride " + d.str() +
                                   "; its items begin before those of " +
                                   layout.str());
  }
  return std::nullopt;
}

Result<Layout> fly::layout::logicalDivide(const Layout &layout,
                                          const Layout &tiler) {
  if (auto error = checkForward(layout, tiler))
    return *error;
  FLY_TRY(flat, coalesce(layout));
  FLY_TRY(whole, size(flat));
  FLY_TRY(rest, complement(tiler, whole));
  return composition(layout, Layout::concat({tiler, rest}));
}

static std::optional<Error> checkStatic(const Tile &tiler) {
  if (tiler.isStatic())
    return std::nullopt;
  return fail("divide_c1", "tile " + tiler.str() + " has run-time elements");
}

static Result<Layout> divideModes(const Layout &layout, const Tile &tiler) {
  if (tiler.isNone())
    return layout;
  if (!tiler.isList())
    return logicalDivide(layout, tiler.asLayout());
  std::vector<Layout> modes;
  modes.reserve(layout.rank());
  for (size_t i = 0; i < layout.rank(); ++i) {
    Layout mode = layout[i];
    if (i < tiler.rank())
      FLY_TRY_SET(mode, divideModes(mode, tiler.getElements()[i]));
    modes.push_back(std::move(mode));
  }
  return Layout::concat(modes);
}

Result<Layout> fly::layout::logicalDivide(const Layout &layout,
                                          const Tile &tiler) {
  if (auto error = checkStatic(tiler))
    return *error;
  FLY_TRY(divided, divideModes(layout, tiler));
  return withinDepth(std::move(divided));
}

namespace {
/// Tile part and rest of a division, grouped by the tile.
struct Parts {
  Layout tile, rest;
};
} // namespace

static Result<Parts> zipParts(const Layout &layout, const Tile &tiler) {
  if (tiler.isNone())
    return Parts{layout, Layout()};
  if (!tiler.isList()) {
    FLY_TRY(divided, logicalDivide(layout, tiler.asLayout()));
    return Parts{divided[0], divided[1]};
  }
  if (tiler.rank() > layout.rank())
    return fail("divide_c2", "tile " + tiler.str() +
                                 " has more elements than " + layout.str() +
                                 " has modes");
  std::vector<Layout> tiles, rests;
  for (size_t i = 0; i < layout.rank(); ++i) {
    if (i >= tiler.rank()) {
      rests.push_back(layout[i]);
      continue;
    }
    FLY_TRY(parts, zipParts(layout[i], tiler.getElements()[i]));
    tiles.push_back(std::move(parts.tile));
    rests.push_back(std::move(parts.rest));
  }
  return Parts{Layout::concat(tiles), Layout::concat(rests)};
}

Result<Layout> fly::layout::zippedDivide(const Layout &layout,
                                         const Layout &tiler) {
  return logicalDivide(layout, tiler);
}

Result<Layout> fly::layout::zippedDivide(const Layout &layout,
                                         const Tile &tiler) {
  if (auto error = checkStatic(tiler))
    return *error;
  FLY_TRY(parts, zipParts(layout, tiler));
  return withinDepth(Layout::concat({parts.tile, parts.rest}));
}

Result<Layout> fly::layout::tiledDivide(const Layout &layout,
                                        const Layout &tiler) {
  FLY_TRY(zipped, zippedDivide(layout, tiler));
  return expand(zipped, {1});
}

Result<Layout> fly::layout::tiledDivide(const Layout &layout,
                                        const Tile &tiler) {
  FLY_TRY(zipped, zippedDivide(layout, tiler));
  return expand(zipped, {1});
}

Result<Layout> fly::layout::flatDivide(const Layout &layout,
                                       const Layout &tiler) {
  FLY_TRY(zipped, zippedDivide(layout, tiler));
  return expand(zipped, {0, 1});
}

Result<Layout> fly::layout::flatDivide(const Layout &layout,
                                       const Tile &tiler) {
  FLY_TRY(zipped, zippedDivide(layout, tiler));
  return expand(zipped, {0, 1});
}
