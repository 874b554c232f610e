// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tiled copies and tiled matrix operations see of a tensor: the part of
// each thread, ordered by its values. All functions work on the linear part of
// the tensor's layout and return the offset of the thread separately, so that
// the caller moves a pointer or a coordinate by it.

#ifndef FLY_LAYOUT_TILED_H
#define FLY_LAYOUT_TILED_H

#include "Fly/Layout/Product.h"

namespace fly::layout {

/// A tiled copy. `ref` maps (thread, value) of the atom to the atom's items,
/// `tv` (layoutThrVal) maps (thread, value) to the column-major index inside
/// `tile`. `src` and `dst` are the atom's layouts of the two sides.
struct TiledCopyDesc {
  Layout ref, src, dst;
  Layout tv;
  Tile tile;
};

/// A tiled matrix operation: extents M, N, K of the atom, its (thread, value)
/// layouts for A, B and C/D onto the column-major index of the operand,
/// its thread layout, the layout of atoms over (M, N, K) and the permutation.
struct TiledMmaDesc {
  int64_t extent[3] = {1, 1, 1};
  Layout thread;
  Layout valueA, valueB, valueC;
  Layout atoms;
  Tile permutation;
};

enum class MmaOperandKind { A, B, C, D };

/// The part of one thread: its offset and its layout.
struct Partition {
  IntTuple offset;
  Layout layout;
};

/// View of `layout` through the copy: (threads, values, rest).
/// Error tiled_copy_c1: layouts of the atom or the copy that are not rank 2.
Result<Layout> copyView(const TiledCopyDesc &copy, const Layout &side,
                        const Layout &layout);
/// The part of thread `coord`: copyView with `side`, sliced.
Result<Partition> partitionCopy(const TiledCopyDesc &copy, const Layout &side,
                                const Layout &layout, const IntTuple &coord);
/// A register layout (mode 0 = values) regrouped by the copy's values.
/// Error tiled_copy_c2: value counts that do not fit.
Result<Layout> retileCopy(const TiledCopyDesc &copy, const Layout &layout);

/// (thread, value) to the column-major index in the tile, as the side `side` of
/// the copy sees it.
Result<Layout> threadValueCopy(const TiledCopyDesc &copy, const Layout &side);

/// The extents (M, N, K) that one call of all threads covers.
Result<IntTuple> tileSizeMma(const TiledMmaDesc &mma);
/// (thread in the atom, atom of M, of N, of K) to the number of the thread.
Result<Layout> threadLayoutMma(const TiledMmaDesc &mma);
/// (thread, value) to the column-major index in the operand's tile of
/// tileSizeMma; values are (value in the atom, (repeats, repeats)).
Result<Layout> threadValueMma(const TiledMmaDesc &mma, MmaOperandKind operand);

/// View of a rank-2 layout (operand-major pair of modes) through the matrix
/// operation: ((thread in atom, atoms), (value, rest)). `exact` refuses static
/// extents that the tile does not divide (error tiled_mma_c2); without it they
/// round up. Error tiled_mma_c1: ranks.
Result<Layout> mmaView(const TiledMmaDesc &mma, MmaOperandKind operand,
                       const Layout &layout, bool exact);
/// Coordinate of a thread in mmaView's mode 0.
Result<IntTuple> mmaThreadCoord(const TiledMmaDesc &mma, MmaOperandKind operand,
                                const IntTuple &coord);
/// The part of thread `coord`.
Result<Partition> partitionMma(const TiledMmaDesc &mma, MmaOperandKind operand,
                               const Layout &layout, const IntTuple &coord,
                               bool exact);
/// Shape of the partition of a compact column-major tensor of this shape.
Result<IntTuple> partitionShapeMma(const TiledMmaDesc &mma,
                                   MmaOperandKind operand,
                                   const IntTuple &shape);
/// Register layout for the partition of thread 0, `stages` times as a last
/// mode if given. Errors make_fragment_c1 (stages not positive),
/// make_fragment_c2 (stages of a layout with fewer than two modes).
Result<Layout> makeFragmentMma(const TiledMmaDesc &mma, MmaOperandKind operand,
                               const Layout &layout,
                               std::optional<int64_t> stages = std::nullopt);

} // namespace fly::layout

#endif // FLY_LAYOUT_TILED_H
