// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views of tensors through tiled copies and tiled matrix operations.

#include "Fly/Layout/Tiled.h"

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Requirements.h"

#include "ModeList.h"

using namespace fly::layout;

//===----------------------------------------------------------------------===//
// Tiled copy
//===----------------------------------------------------------------------===//

static std::optional<Error> checkCopy(const TiledCopyDesc &copy,
                                      const Layout &side) {
  for (const Layout *layout : {&copy.ref, &side, &copy.tv})
    if (layout->isLeaf() || layout->rank() != 2)
      return fail("tiled_copy_c1", "layout " + layout->str() +
                                       " of a tiled copy is not of rank 2 "
                                       "(thread, value)");
  return std::nullopt;
}

Result<Layout> fly::layout::copyView(const TiledCopyDesc &copy,
                                     const Layout &side, const Layout &layout) {
  if (auto error = checkCopy(copy, side))
    return *error;
  FLY_TRY(threads, size(copy.ref[0]));
  FLY_TRY(values, size(copy.ref[1]));
  FLY_TRY(inverseRef, rightInverse(copy.ref));
  FLY_TRY(refToSide, composition(inverseRef, side));
  FLY_TRY(tiles, zippedDivide(layout, copy.tile));

  // ((thread, value) of the atom, (atoms, repeated values)), the atom's part
  // renumbered by the side.
  FLY_TRY(atoms, zippedDivide(copy.tv, Tile::list({threads, values})));
  FLY_TRY(renumbered, composition(atoms[0], refToSide));
  Layout pairs = Layout::concat({renumbered, atoms[1]});
  FLY_TRY(shape, zip(pairs.getShape()));
  FLY_TRY(stride, zip(pairs.getStride()));
  FLY_TRY(zipped, Layout::get(std::move(shape), std::move(stride)));
  IntTuple pattern = IntTuple::tuple({1, IntTuple::tuple({1, 1})});
  FLY_TRY(threadValue, coalesce(zipped, pattern));

  FLY_TRY(view, composition(tiles[0], threadValue));
  return Layout::concat({view[0], view[1], tiles[1]});
}

Result<Partition> fly::layout::partitionCopy(const TiledCopyDesc &copy,
                                             const Layout &side,
                                             const Layout &layout,
                                             const IntTuple &coord) {
  FLY_TRY(view, copyView(copy, side, layout));
  FLY_TRY(offset, crd2idx(coord, view[0]));
  std::vector<Layout> kept;
  Layout flat = expand(view, {2});
  for (size_t i = 1; i < flat.rank(); ++i)
    kept.push_back(flat[i]);
  return Partition{std::move(offset), Layout::concat(kept)};
}

/// The extent of each mode of a tile, as a column-major layout over them.
static Result<Layout> tileIndex(const Tile &tile) {
  std::vector<IntTuple> extents;
  for (size_t i = 0; i < tile.rank(); ++i) {
    const Tile &element = tile.isList() ? tile.getElements()[i] : tile;
    if (element.isList() || element.isNone())
      return fail("tiled_copy_c1", "tile " + tile.str() +
                                       " of a tiled copy has an element "
                                       "without a size");
    FLY_TRY(extent, size(element.asLayout()));
    extents.push_back(std::move(extent));
  }
  IntTuple shape = IntTuple::tuple(std::move(extents));
  FLY_TRY(stride, compactColMajor(shape));
  return Layout::get(std::move(shape), std::move(stride));
}

Result<Layout> fly::layout::threadValueCopy(const TiledCopyDesc &copy,
                                            const Layout &side) {
  FLY_TRY(tile, tileIndex(copy.tile));
  FLY_TRY(view, copyView(copy, side, tile));
  return Layout::concat({view[0], view[1]});
}

/// The layout over groups of `factor` indices: strides below the factor lead
/// through a group and shrink their mode, larger ones lead from group to group.
static Result<Layout> groupIndices(const Layout &layout, int64_t factor) {
  ModeList modes = flatModes(layout);
  for (Mode &mode : modes) {
    const Int &stride = mode.stride.getInt();
    if (mode.stride.isStatic(0))
      continue;
    bool fits =
        !mode.stride.isBasis() && stride.isStatic() && stride.getValue() > 0 &&
        mode.size.isStatic() &&
        (stride.getValue() % factor == 0 || factor % stride.getValue() == 0);
    if (!fits)
      return fail("tiled_copy_c2", "retile: groups of " + llvm::Twine(factor) +
                                       " indices do not fit " + layout.str());
    int64_t within = std::max<int64_t>(factor / stride.getValue(), 1);
    FLY_TRY_SET(mode.size, shapeDiv(mode.size, Int::constant(within)));
    FLY_TRY(between, ceilDiv(stride, Int::constant(factor)));
    mode.stride = std::move(between);
  }
  size_t nextSize = 0, nextStride = 0;
  return Layout(layout.getShape().map(
                    [&](const Leaf &) { return Leaf(modes[nextSize++].size); }),
                layout.getStride().map(
                    [&](const Leaf &) { return modes[nextStride++].stride; }));
}

Result<Layout> fly::layout::retileCopy(const TiledCopyDesc &copy,
                                       const Layout &layout) {
  if (auto error = checkCopy(copy, copy.ref))
    return *error;
  if (layout.isLeaf())
    return fail("tiled_copy_c2",
                "retile of " + layout.str() + ", which has no modes");
  FLY_TRY(atomValues, size(copy.ref[1]));
  FLY_TRY(values, size(layout[0]));
  FLY_TRY(threads, size(copy.tv[0]));
  FLY_TRY(factor, mul(threads, values));
  FLY_TRY(index, tileIndex(copy.tile));
  FLY_TRY(inverse, rightInverse(copy.tv));
  FLY_TRY(owners, composition(inverse, index));
  if (!factor.isStatic() || factor.getValue() < 1)
    return fail("tiled_copy_c2", "retile of " + layout.str() +
                                     " with a run-time number of values");
  FLY_TRY(groups, groupIndices(owners, factor.getValue()));
  FLY_TRY(groupIndex, rightInverse(groups));
  FLY_TRY(repeated, logicalProduct(Layout(values, 1), groupIndex));
  FLY_TRY(fragment, zippedDivide(repeated, Layout(atomValues, 1)));

  std::vector<Tile> cut{Tile(values)};
  for (size_t i = 0; i < groups.rank(); ++i) {
    FLY_TRY(extent, product(groups.getShape()[i]));
    cut.push_back(Tile(extent));
  }
  FLY_TRY(pieces, zippedDivide(layout, Tile::list(cut)));
  FLY_TRY(regrouped, composition(pieces[0], fragment));
  std::vector<Layout> modes{regrouped};
  for (size_t i = 1; i < pieces[1].rank(); ++i)
    modes.push_back(pieces[1][i]);
  return Layout::concat(modes);
}

//===----------------------------------------------------------------------===//
// Tiled matrix operations
//===----------------------------------------------------------------------===//

namespace {
/// Which two of (M, N, K) an operand has.
struct ModePair {
  size_t first, second;
};
} // namespace

static ModePair modesOf(MmaOperandKind operand) {
  switch (operand) {
  case MmaOperandKind::A:
    return {0, 2};
  case MmaOperandKind::B:
    return {1, 2};
  case MmaOperandKind::C:
  case MmaOperandKind::D:
    return {0, 1};
  }
  llvm_unreachable("unknown operand");
}

static const Layout &valuesOf(const TiledMmaDesc &mma, MmaOperandKind operand) {
  switch (operand) {
  case MmaOperandKind::A:
    return mma.valueA;
  case MmaOperandKind::B:
    return mma.valueB;
  case MmaOperandKind::C:
  case MmaOperandKind::D:
    return mma.valueC;
  }
  llvm_unreachable("unknown operand");
}

static std::optional<Error> checkMma(const TiledMmaDesc &mma) {
  if (!mma.atoms.isLeaf() && mma.atoms.rank() == 3)
    return std::nullopt;
  return fail("tiled_mma_c1", "the atom layout " + mma.atoms.str() +
                                  " of a tiled mma is not of rank 3 (M, N, K)");
}

/// The `covered` elements that the tiles cover are those of mode `i`.
static std::optional<Error> checkEnd(const Layout &layout, size_t i,
                                     const Int &have, const Int &covered) {
  if (have.isStatic() && covered.isStatic()) {
    if (have.getValue() == covered.getValue())
      return std::nullopt;
    return fail("tiled_mma_c2",
                "mode " + llvm::Twine(i) + " of " + layout.str() + " has " +
                    have.str() + " elements, but the tiles of the mma cover " +
                    covered.str());
  }
  require(
      "tiled_mma_c2",
      [&]() -> Result<Int> { return cmp(ExprKind::Eq, have, covered); },
      [&] {
        return "the tiles of the mma cover mode " + std::to_string(i) + " of " +
               layout.str() + " and nothing behind it";
      });
  return std::nullopt;
}

/// The part of the permutation tile that stands for mode `mode` of (M, N, K):
/// its element if there is one, else as many items as the atoms cover.
static Result<Tile> permutationOf(const TiledMmaDesc &mma, size_t mode) {
  if (mma.permutation.isList() && mode < mma.permutation.rank() &&
      !mma.permutation.getElements()[mode].isNone())
    return mma.permutation.getElements()[mode];
  FLY_TRY(count, size(mma.atoms[mode]));
  FLY_TRY(covered, mul(Int::constant(mma.extent[mode]), count));
  return Tile(covered);
}

Result<Layout> fly::layout::mmaView(const TiledMmaDesc &mma,
                                    MmaOperandKind operand,
                                    const Layout &layout, bool exact) {
  if (auto error = checkMma(mma))
    return *error;
  if (layout.isLeaf() || layout.rank() < 2)
    return fail("tiled_mma_c1", "tiled mma over " + layout.str() +
                                    ", which has fewer than two modes");
  ModePair pair = modesOf(operand);
  std::vector<Tile> permutation, extents, counts;
  for (size_t mode : {pair.first, pair.second}) {
    Int extent = Int::constant(mma.extent[mode]);
    FLY_TRY(count, size(mma.atoms[mode]));
    FLY_TRY(element, permutationOf(mma, mode));
    permutation.push_back(std::move(element));
    extents.push_back(Tile(extent));
    counts.push_back(Tile(count));
  }
  FLY_TRY(permuted, logicalDivide(layout, Tile::list(permutation)));
  FLY_TRY(atoms, zippedDivide(permuted, Tile::list(extents)));
  FLY_TRY(values, composition(atoms[0], valuesOf(mma, operand)));
  FLY_TRY(rest, zippedDivide(atoms[1], Tile::list(counts)));
  if (exact)
    for (size_t i = 0; i < 2; ++i) {
      // Each step rounds up to whole tiles.
      FLY_TRY(have, size(layout[i]));
      FLY_TRY(inAtom, size(atoms[0][i]));
      FLY_TRY(inAtoms, size(rest[0][i]));
      FLY_TRY(repeats, size(rest[1][i]));
      FLY_TRY(covered, mul(inAtom, inAtoms));
      FLY_TRY_SET(covered, mul(covered, repeats));
      if (auto error = checkEnd(layout, i, have, covered))
        return *error;
    }
  return Layout::concat({Layout::concat({values[0], rest[0]}),
                         Layout::concat({values[1], rest[1]})});
}

Result<IntTuple> fly::layout::tileSizeMma(const TiledMmaDesc &mma) {
  if (auto error = checkMma(mma))
    return *error;
  std::vector<IntTuple> extents;
  for (size_t mode = 0; mode < 3; ++mode) {
    FLY_TRY(element, permutationOf(mma, mode));
    if (element.isList())
      return fail("tiled_mma_c1", "the permutation " + mma.permutation.str() +
                                      " of a tiled mma has a nested element");
    FLY_TRY(extent, size(element.asLayout()));
    extents.push_back(std::move(extent));
  }
  return IntTuple::tuple(std::move(extents));
}

Result<Layout> fly::layout::threadLayoutMma(const TiledMmaDesc &mma) {
  if (auto error = checkMma(mma))
    return *error;
  return tiledProduct(mma.thread, mma.atoms);
}

Result<Layout> fly::layout::threadValueMma(const TiledMmaDesc &mma,
                                           MmaOperandKind operand) {
  FLY_TRY(extents, tileSizeMma(mma));
  ModePair pair = modesOf(operand);
  IntTuple shape = IntTuple::tuple({extents[pair.first], extents[pair.second]});
  FLY_TRY(stride, compactColMajor(shape));
  FLY_TRY(tile, Layout::get(std::move(shape), std::move(stride)));
  FLY_TRY(view, mmaView(mma, operand, tile, /*exact=*/true));

  // The view's threads are (thread in the atom, (atoms of the pair)): atoms of
  // the third mode hold the same values.
  FLY_TRY(threads, threadLayoutMma(mma));
  std::vector<Layout> all{view[0][0]};
  for (size_t mode = 0; mode < 3; ++mode) {
    if (mode == pair.first || mode == pair.second) {
      all.push_back(view[0][1][mode == pair.first ? 0 : 1]);
      continue;
    }
    FLY_TRY(count, size(mma.atoms[mode]));
    all.push_back(Layout(count, 0));
  }
  FLY_TRY(numbers, rightInverse(threads));
  FLY_TRY(byNumber, composition(Layout::concat(all), numbers));
  return Layout::concat({byNumber, view[1]});
}

Result<IntTuple> fly::layout::mmaThreadCoord(const TiledMmaDesc &mma,
                                             MmaOperandKind operand,
                                             const IntTuple &coord) {
  if (auto error = checkMma(mma))
    return *error;
  FLY_TRY(threads, threadLayoutMma(mma));
  if (threads.rank() != 4)
    return fail("tiled_mma_c1", "threads " + threads.str() +
                                    " of a tiled mma are not of rank 4 "
                                    "(thread, M, N, K)");
  FLY_TRY(where, getFlatCoord(coord, threads));
  ModePair pair = modesOf(operand);
  return IntTuple::tuple({where[0], IntTuple::tuple({where[pair.first + 1],
                                                     where[pair.second + 1]})});
}

Result<Partition> fly::layout::partitionMma(const TiledMmaDesc &mma,
                                            MmaOperandKind operand,
                                            const Layout &layout,
                                            const IntTuple &coord, bool exact) {
  FLY_TRY(view, mmaView(mma, operand, layout, exact));
  FLY_TRY(where, mmaThreadCoord(mma, operand, coord));
  FLY_TRY(offset, crd2idx(where, view[0]));
  return Partition{std::move(offset), expand(view[1], {1})};
}

Result<IntTuple> fly::layout::partitionShapeMma(const TiledMmaDesc &mma,
                                                MmaOperandKind operand,
                                                const IntTuple &shape) {
  FLY_TRY(stride, compactColMajor(shape));
  FLY_TRY(compact, Layout::get(shape, std::move(stride)));
  FLY_TRY(view, mmaView(mma, operand, compact, /*exact=*/false));
  return expand(view[1], {1}).getShape();
}

Result<Layout> fly::layout::makeFragmentMma(const TiledMmaDesc &mma,
                                            MmaOperandKind operand,
                                            const Layout &layout,
                                            std::optional<int64_t> stages) {
  Layout tensor = layout;
  if (stages) {
    if (*stages < 1)
      return fail("make_fragment_c1",
                  "stages must be positive, got " + llvm::Twine(*stages));
    if (layout.isLeaf() || layout.rank() < 2)
      return fail("make_fragment_c2", "stages requires an input layout with at "
                                      "least two modes");
    // A stride that is not known is ordered last.
    tensor =
        Layout::concat({layout[0], layout[1],
                        Layout(Int::constant(*stages), Int::symbol(/*id=*/0))});
  }
  FLY_TRY(view, mmaView(mma, operand, tensor, /*exact=*/true));
  return makeFragmentLayout(expand(view[1], {1}));
}
