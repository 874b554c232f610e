// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division of a layout by a tile: which part of it is one tile, and how the
// tiles repeat. All four forms hold the same modes, grouped differently.

#ifndef FLY_LAYOUT_DIVIDE_H
#define FLY_LAYOUT_DIVIDE_H

#include "Fly/Layout/Algebra.h"

namespace fly::layout {

/// composition(L, (T, complement(T, size L))): mode 0 runs inside a tile, mode
/// 1 over the tiles. Sizes round up; coordinates past the end continue along
/// the last mode.
Result<Layout> logicalDivide(const Layout &layout, const Layout &tiler);
/// A leaf tile divides the whole (`*` not at all). A list tile divides mode by
/// mode; modes against `*` and beyond the list stay; the rank is kept. Error
/// divide_c1: a tile with run-time elements; divide_c3: a tile with negative
/// strides.
Result<Layout> logicalDivide(const Layout &layout, const Tile &tiler);

/// (tile part, rest). By a list tile, the tile part has the tile's nesting; a
/// mode against `*` stays whole in the tile part with 1:0 as its rest; modes
/// beyond the tile go to the rest. Error divide_c2: more elements than modes.
Result<Layout> zippedDivide(const Layout &layout, const Layout &tiler);
Result<Layout> zippedDivide(const Layout &layout, const Tile &tiler);
/// (tile part, rest modes...)
Result<Layout> tiledDivide(const Layout &layout, const Layout &tiler);
Result<Layout> tiledDivide(const Layout &layout, const Tile &tiler);
/// (tile modes..., rest modes...)
Result<Layout> flatDivide(const Layout &layout, const Layout &tiler);
Result<Layout> flatDivide(const Layout &layout, const Tile &tiler);

} // namespace fly::layout

#endif // FLY_LAYOUT_DIVIDE_H
