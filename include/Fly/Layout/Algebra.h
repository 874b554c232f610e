// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heart of the layout algebra: coalesce, canonical strides, composition
// and complement. Each either gives a layout that meets its definition or an
// error that names the operands and the precondition. Where run-time values
// decide, what is stated as a run-time precondition is the caller's promise.

#ifndef FLY_LAYOUT_ALGEBRA_H
#define FLY_LAYOUT_ALGEBRA_H

#include "Fly/Layout/Tile.h"

namespace fly::layout {

/// The same function on integers below the size with as few modes as
/// possible: modes of size 1 are dropped, contiguous static neighbours merge
/// (basis strides only along the same modes). A single leaf stays as nested as
/// it is.
Result<Layout> coalesce(const Layout &layout);
/// Coalesces each part that stands against a leaf of `pattern`; modes beyond
/// it are unchanged; the tuple structure is kept.
Result<Layout> coalesce(const Layout &layout, const IntTuple &pattern);

/// Modes of static size 1 get stride 0, tuples of rank 1 become their mode.
Layout canonicalStrides(const Layout &layout);

/// R(c) = A(B(c)) for every coordinate c of B; R has the modes of B, each
/// possibly split further. Errors: composition_c1 (no layout over the modes of
/// B has that table), composition_c2 (a basis stride of B meets a mode that A
/// does not have).
/// Run-time precondition: where a mode of A is smaller than a mode of B
/// reaches, the one divides the other.
Result<Layout> composition(const Layout &a, const Layout &b);
/// Mode-wise by a list tile; modes against `*` and beyond the tile are
/// unchanged. Error composition_c3: a leaf tile.
Result<Layout> composition(const Layout &a, const Tile &b);

/// The ordered layout whose image is disjoint from that of `layout` (modes of
/// stride 0 dropped first) and covers, together with it, `codomain` indices,
/// rounded up, from the smallest index of the layout on (which is 0 without
/// negative strides). Without `codomain` the cosize of the layout. Errors:
/// complement_c1 (basis strides), complement_c2 (several modes, one with a
/// run-time stride that continues no other), complement_c3 (indices repeat, or
/// leave gaps that no layout fills).
Result<Layout> complement(const Layout &layout);
Result<Layout> complement(const Layout &layout, const Int &codomain);
/// The codomain must be an integer leaf, not negative (error complement_c5).
Result<Layout> complement(const Layout &layout, const IntTuple &codomain);

/// Whether an index below 0 is known to exist: of a plain layout by its static
/// strides, whatever the run-time ones are (sizes of run time count as over 1);
/// of a composed one if all of it is static and cosize is known.
bool reachesBelowZero(const AnyLayout &layout);

} // namespace fly::layout

#endif // FLY_LAYOUT_ALGEBRA_H
