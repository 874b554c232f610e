// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Left and right inverses.

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Requirements.h"

#include "Depth.h"
#include "IntNumbers.h"
#include "InverseSearch.h"
#include "StableSort.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

namespace {
/// A mode of the coalesced layout and the number of its first coordinate.
struct PlacedMode {
  Mode mode;
  Int position;
};
} // namespace

static Result<llvm::SmallVector<PlacedMode>> placedModes(const Layout &layout) {
  FLY_TRY(modes, coalescedModes(layout, /*keepBoundary=*/false));
  llvm::SmallVector<PlacedMode> placed;
  Int position = Int::constant(1);
  for (auto [i, mode] : llvm::enumerate(modes)) {
    placed.push_back({mode, position});
    if (i + 1 < modes.size())
      FLY_TRY_SET(position, mul(position, mode.size));
  }
  return placed;
}

Result<Layout> fly::layout::rightInverse(const Layout &layout) {
  if (layout.getStride().hasBasis())
    return fail("right_inverse_c1",
                "right inverse of " + layout.str() + " with basis strides");
  FLY_TRY(modes, placedModes(layout));
  // Static strides ascending, of equal ones those of static size first, so
  // that the run is never shorter than without the run-time ones.
  stableSort(modes, [](const PlacedMode &a, const PlacedMode &b) {
    bool sa = a.mode.hasStaticStride(), sb = b.mode.hasStaticStride();
    if (!sa || !sb)
      return sa && !sb;
    int64_t x = a.mode.stride.getInt().getValue(),
            y = b.mode.stride.getInt().getValue();
    return x != y ? x < y : a.mode.size.isStatic() && !b.mode.size.isStatic();
  });
  auto isStatic = [](const PlacedMode &p) { return p.mode.hasStaticStride(); };
  auto *nextStatic = modes.begin();
  auto *dynamic = llvm::find_if_not(modes, isStatic);
  llvm::SmallVector<PlacedMode> runTime(dynamic, modes.end());

  ModeList result;
  Int end = Int::constant(1);
  while (true) {
    PlacedMode *next = nullptr;
    if (end.isStatic())
      while (nextStatic != dynamic &&
             nextStatic->mode.stride.getInt().getValue() < end.getValue())
        ++nextStatic;
    if (end.isStatic() && nextStatic != dynamic &&
        nextStatic->mode.stride.isStatic(end.getValue()))
      next = nextStatic;
    // Sizes of 1 are coalesced away, so `end` grows with each mode taken and
    // none is taken twice.
    else
      next = llvm::find_if(runTime, [&](const PlacedMode &placed) {
        return sameValue(placed.mode.stride.getInt(), end);
      });
    if (next == runTime.end() ||
        (next->mode.size.isStatic() && next->mode.size.getValue() < 1))
      break;
    PlacedMode taken = *next;
    if (next == nextStatic)
      ++nextStatic;
    else
      runTime.erase(next);
    result.push_back({taken.mode.size, taken.position});
    FLY_TRY_SET(end, mul(taken.mode.size, end));
  }
  return coalesce(fromModes(result));
}

/// The mode that lies next above `end`, of those that are left: static strides
/// first, unless a run-time one is known to be `end`. Of run-time strides that
/// are multiples of `end`, the one that all the others are multiples of.
static PlacedMode *nextAbove(const Int &end,
                             llvm::MutableArrayRef<PlacedMode> modes) {
  auto *next = llvm::find_if(modes, [&](const PlacedMode &placed) {
    return !placed.mode.hasStaticStride() &&
           sameValue(placed.mode.stride.getInt(), end);
  });
  if (next != modes.end())
    return next;
  if (modes.front().mode.hasStaticStride())
    return modes.begin();
  next = llvm::find_if(modes, [&](const PlacedMode &placed) {
    const Int &d = placed.mode.stride.getInt();
    return isKnownMultiple(d, end) &&
           llvm::all_of(modes, [&](const PlacedMode &other) {
             return isKnownMultiple(other.mode.stride.getInt(), d);
           });
  });
  return next == modes.end() ? modes.begin() : next;
}

/// The left inverse of modes that lie one above the other. It reads the digit
/// of each mode off the index: what lies between one stride and the next is the
/// room of the mode below.
static Result<Layout> invertChain(const Layout &layout,
                                  llvm::SmallVector<PlacedMode> modes) {
  stableSort(modes, [](const PlacedMode &a, const PlacedMode &b) {
    bool sa = a.mode.hasStaticStride(), sb = b.mode.hasStaticStride();
    if (!sa || !sb)
      return sa && !sb;
    return a.mode.stride.getInt().getValue() <
           b.mode.stride.getInt().getValue();
  });
  ModeList result;
  Int stride = Int::constant(1), below = Int::constant(0);
  Int end = Int::constant(1), lastSize = Int::constant(1);
  bool alone = modes.size() == 1;
  while (!modes.empty()) {
    PlacedMode *next = nextAbove(end, modes);
    const Int &d = next->mode.stride.getInt();
    if (d.isStatic()) {
      // Equal strides: unless one of the sizes is 1, known only at run time.
      bool inside = (end.isStatic() && d.getValue() < end.getValue()) ||
                    (!result.empty() && stride.isStatic(d.getValue()));
      bool uneven = stride.isStatic() &&
                    (stride.isStatic(0) || d.getValue() % stride.getValue());
      if (inside || uneven || d.getValue() < 0)
        return fail("left_inverse_c2",
                    "left inverse of " + layout.str() + ": stride " + d.str() +
                        " is below " + end.str() +
                        ", where the modes before it end, or no multiple of "
                        "the stride " +
                        stride.str() + " before it");
    } else if (!alone && !isKnownMultiple(d, end)) {
      return fail("left_inverse_c3", "left inverse of " + layout.str() +
                                         ": the place of the run-time stride " +
                                         d.str() +
                                         " among the others is not known");
    }
    if ((d.isDynamic() || end.isDynamic()) && !sameValue(d, end))
      require(
          "left_inverse_c2",
          [&]() -> Result<Int> {
            FLY_TRY(fits, isMultiple(d, stride));
            return logicalAnd(cmp(ExprKind::Ge, d, end), fits);
          },
          [&] {
            return "in the left inverse of " + layout.str() + " the stride " +
                   d.str() + " is not below " + end.str() +
                   ", where the modes before it end, and a multiple of the "
                   "stride " +
                   stride.str() + " before it";
          });
    Int room = Int::constant(1);
    if (sameValue(d, end) && !result.empty())
      room = lastSize;
    else
      FLY_TRY_SET(room, div(d, stride));
    result.push_back({std::move(room), below});
    stride = d;
    below = next->position;
    lastSize = next->mode.size;
    FLY_TRY_SET(end, mul(d, next->mode.size));
    modes.erase(next);
  }
  result.push_back({std::move(lastSize), std::move(below)});
  return coalesce(fromModes(result));
}

/// The static modes, or nothing.
static std::optional<llvm::SmallVector<NumberedMode>>
numberedModes(llvm::ArrayRef<PlacedMode> modes) {
  llvm::SmallVector<NumberedMode> result;
  for (const PlacedMode &placed : modes) {
    const Mode &mode = placed.mode;
    if (!mode.size.isStatic() || !mode.hasStaticStride() ||
        !placed.position.isStatic() || mode.size.getValue() < 1)
      return std::nullopt;
    if (mode.size.getValue() > 1)
      result.push_back({mode.size.getValue(), mode.stride.getInt().getValue(),
                        placed.position.getValue()});
  }
  return result;
}

Result<Layout> fly::layout::leftInverse(const Layout &layout) {
  if (layout.getStride().hasBasis())
    return fail("left_inverse_c1",
                "left inverse of " + layout.str() + " with basis strides");
  FLY_TRY(modes, placedModes(layout));
  llvm::erase_if(modes, [](const PlacedMode &placed) {
    return placed.mode.stride.isStatic(0);
  });
  auto chain = invertChain(layout, modes);
  if (chain || chain.error().label != "left_inverse_c2")
    return chain;
  auto numbered = numberedModes(modes);
  if (!numbered)
    return chain;
  InverseSearchResult found = searchLeftInverse(*numbered);
  if (found.inverse)
    return *found.inverse;
  if (found.collision)
    return fail("left_inverse_c2",
                "left inverse of " + layout.str() + ": the coordinates " +
                    llvm::Twine(found.collision->first) + " and " +
                    llvm::Twine(found.collision->second) +
                    " have the same index");
  if (!found.isKnown)
    return fail("left_inverse_c2",
                chain.error().message +
                    ", and the search for another layout that inverts it was "
                    "given up");
  return fail("left_inverse_c2",
              chain.error().message + ", and no other layout inverts it");
}

//===----------------------------------------------------------------------===//
// Swizzled layouts
//===----------------------------------------------------------------------===//

/// The inverse of a swizzle as a chain of swizzles, the one to be applied first
/// in front. With N the move of bits, 1 + N is the swizzle and the inverse is
/// the product of (1 + N)(1 + N^2)(1 + N^4)...; N^2 moves fewer bits twice as
/// far, and soon none.
static llvm::SmallVector<Swizzle> inverseChain(Swizzle swizzle) {
  llvm::SmallVector<Swizzle> chain;
  while (swizzle.mask > 0) {
    chain.push_back(swizzle);
    swizzle.mask = std::max(swizzle.mask - swizzle.shift, 0);
    swizzle.shift *= 2;
  }
  return chain;
}

namespace {
/// S1 o o1 o [S2 o o2 o ... linear].
struct SwizzleLevel {
  Swizzle swizzle;
  IntTuple offset;
};
} // namespace

static std::optional<llvm::SmallVector<SwizzleLevel>>
swizzleLevels(const AnyLayout &layout) {
  llvm::SmallVector<SwizzleLevel> levels;
  AnyLayout current = layout;
  while (current.isComposed()) {
    const ComposedLayout composed = current.getComposed();
    const auto *swizzle = std::get_if<Swizzle>(&composed.getInner());
    if (!swizzle || !composed.getOffset().isLeaf() ||
        composed.getOffset().hasBasis())
      return std::nullopt;
    levels.push_back({*swizzle, composed.getOffset()});
    current = composed.getOuter();
  }
  return levels;
}

static_assert(maxComposition == maxDepth,
              "withinDepth counts levels of composition like nesting");

/// k -> (...S2^-1(S1^-1(k) - o1) - o2...) for k below `count`, then `last`.
static Result<AnyLayout> undoLevels(llvm::ArrayRef<SwizzleLevel> levels,
                                    const Int &count, const Layout &last) {
  AnyLayout result = Layout(count, 1);
  for (const SwizzleLevel &level : levels) {
    for (const Swizzle &step : inverseChain(level.swizzle))
      result = ComposedLayout(InnerMap(step), IntTuple(0), result);
    if (level.offset.isStaticLeaf(0))
      continue;
    FLY_TRY(back, sub(Int::constant(0), level.offset.getInt()));
    // A level of its own: the next swizzle must see the moved index.
    result = ComposedLayout(InnerMap(AnyLayout(Layout(count, 1))),
                            IntTuple(back), result);
  }
  if (result.isPlain())
    return AnyLayout(last);
  return withinDepth(AnyLayout(ComposedLayout(InnerMap(AnyLayout(last)),
                                              IntTuple(0), std::move(result))));
}

/// Whether a swizzle permutes the numbers below `count`.
static bool permutesBelow(const Swizzle &swizzle, const Int &count) {
  if (swizzle.isTrivial())
    return true;
  // It moves runs of 2^base within blocks of 2^(base + mask).
  int64_t block = int64_t(1) << (swizzle.base + swizzle.mask);
  if (count.getDivisibility() % block == 0)
    return true;
  if (!count.isStatic() || swizzle.mask > 16)
    return false;
  int64_t run = int64_t(1) << swizzle.base, end = count.getValue();
  for (int64_t begin = end & ~(block - 1); begin < end; begin += run) {
    int64_t moved = apply(swizzle, Int::constant(begin)).getValue();
    if (moved != begin && moved > end - run)
      return false;
    if (begin > end - run)
      break;
  }
  return true;
}

Result<AnyLayout> fly::layout::rightInverse(const AnyLayout &layout) {
  if (layout.isPlain()) {
    FLY_TRY(inverse, rightInverse(layout.getPlain()));
    return AnyLayout(std::move(inverse));
  }
  auto levels = swizzleLevels(layout);
  if (!levels)
    return fail("right_inverse_c2", "right inverse of " + layout.str() +
                                        ", whose inner map is no swizzle");
  FLY_TRY(inverse, rightInverse(layout.getLinear()));
  FLY_TRY(count, size(inverse));
  for (const SwizzleLevel &level : *levels) {
    if (!level.offset.isStaticLeaf(0))
      return fail("right_inverse_c2",
                  "right inverse of " + layout.str() +
                      ", whose offset may leave out the index 0");
    if (!permutesBelow(level.swizzle, count))
      return fail("right_inverse_c2",
                  "right inverse of " + layout.str() + ": " +
                      level.swizzle.str() +
                      " is not known to permute the run of " + count.str() +
                      " indices");
  }
  return undoLevels(*levels, count, inverse);
}

Result<AnyLayout> fly::layout::leftInverse(const AnyLayout &layout) {
  if (layout.isPlain()) {
    FLY_TRY(inverse, leftInverse(layout.getPlain()));
    return AnyLayout(std::move(inverse));
  }
  auto levels = swizzleLevels(layout);
  if (!levels)
    return fail("left_inverse_c4", "left inverse of " + layout.str() +
                                       ", whose inner map is no swizzle");
  FLY_TRY(inverse, leftInverse(layout.getLinear()));
  FLY_TRY(count, size(inverse));
  return undoLevels(*levels, count, inverse);
}
