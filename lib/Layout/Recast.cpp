// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recast of layouts to items of another width.

#include "Fly/Layout/Recast.h"
#include "Fly/Layout/Requirements.h"

#include "ModeList.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace fly::layout;

/// The tuple `shape:stride` with its leaves replaced by `modes` in order.
static Layout rebuild(const Layout &layout, llvm::ArrayRef<Mode> modes) {
  size_t nextSize = 0, nextStride = 0;
  IntTuple shape = layout.getShape().map(
      [&](const Leaf &) { return Leaf(modes[nextSize++].size); });
  IntTuple stride = layout.getStride().map(
      [&](const Leaf &) { return modes[nextStride++].stride; });
  return Layout(std::move(shape), std::move(stride));
}

static Error refuse(const char *label, const Layout &layout, int64_t factor,
                    const llvm::Twine &why) {
  return fail(label, "recast of " + layout.str() + " by " +
                         llvm::Twine(factor) + ": " + why);
}

static std::optional<Error> checkIntegers(const Layout &layout,
                                          int64_t factor) {
  if (!layout.getStride().hasBasis())
    return std::nullopt;
  return refuse("recast_c1", layout, factor, "basis strides have no bits");
}

/// A stride divided by the factor, away from zero; 0 for run-time ones.
static Result<Leaf> roundedStride(const Int &stride, int64_t factor) {
  if (stride.isDynamic())
    return Leaf();
  FLY_TRY(magnitude, stride.getValue() < 0 ? sub(Int::constant(0), stride)
                                           : Result<Int>(stride));
  FLY_TRY(divided, ceilDiv(magnitude, Int::constant(factor)));
  if (stride.getValue() < 0)
    FLY_TRY_SET(divided, sub(Int::constant(0), divided));
  return Leaf(std::move(divided));
}

/// `factor` items become one. The group is gathered from the modes whose
/// strides lead from 1 to the factor without a gap: those inside the group
/// shrink to size 1, the one that crosses its end is divided.
Result<Layout> fly::layout::upcast(const Layout &layout, int64_t factor) {
  if (auto error = checkIntegers(layout, factor))
    return *error;
  ModeList modes = flatModes(layout);
  llvm::SmallVector<bool> done(modes.size(), false);
  Int one = Int::constant(1);

  int64_t reached = 1;
  while (reached < factor) {
    auto isNext = [&](size_t i) {
      const Mode &mode = modes[i];
      return !done[i] && mode.stride.isStatic(reached) &&
             !mode.size.isStatic(1);
    };
    auto indices = llvm::seq<size_t>(0, modes.size());
    auto next = llvm::find_if(indices, isNext);
    if (next == indices.end()) {
      bool reversed = llvm::any_of(modes, [&](const Mode &mode) {
        return mode.stride.isStatic(-reached) && !mode.size.isStatic(1);
      });
      return reversed ? refuse("recast_c4", layout, factor,
                               "the items of a group are reversed")
                      : refuse("recast_c2", layout, factor,
                               "no mode of stride " + llvm::Twine(reached) +
                                   " makes the items of a group contiguous");
    }
    Mode &mode = modes[*next];
    done[*next] = true;
    int64_t needed = factor / reached; // exact: reached divides the factor
    bool inside = mode.size.isStatic() && mode.size.getValue() < needed;
    if (inside) {
      int64_t size = mode.size.getValue();
      if (size < 1 || needed % size != 0)
        return refuse("recast_c3", layout, factor,
                      "a mode of size " + mode.size.str() +
                          " does not divide a group");
      reached *= size;
      mode = {one, one};
      continue;
    }
    if (mode.size.isStatic() && mode.size.getValue() % needed != 0)
      return refuse("recast_c3", layout, factor,
                    "size " + mode.size.str() + " is no multiple of " +
                        llvm::Twine(needed) + " and leaves a rest");
    if (mode.size.isDynamic())
      require(
          "recast_c3",
          [&] { return isMultiple(mode.size, Int::constant(needed)); },
          [&] {
            return "in the recast of " + layout.str() + " by " +
                   std::to_string(factor) + " the size " + mode.size.str() +
                   " is a multiple of " + std::to_string(needed);
          });
    FLY_TRY(size, ceilDiv(mode.size, Int::constant(needed)));
    mode = {std::move(size), one};
    reached = factor;
  }
  for (auto [i, mode] : llvm::enumerate(modes)) {
    if (done[i] || mode.stride.isStatic(0))
      continue;
    if (mode.size.isStatic(1)) {
      // Never stepped along: any stride will do.
      FLY_TRY_SET(mode.stride, roundedStride(mode.stride.getInt(), factor));
      continue;
    }
    auto stride = safeDiv(mode.stride.getInt(), Int::constant(factor));
    if (!stride)
      return refuse("recast_c3", layout, factor,
                    "stride " + mode.stride.getInt().str() +
                        " is not known to be a multiple of it");
    mode.stride = *stride;
  }
  return rebuild(layout, modes);
}

static Result<Layout> downcastInto(const Layout &layout, int64_t factor,
                                   std::optional<size_t> into);

/// Each item becomes `factor` items: the mode along which the items are
/// neighbours grows, all other strides scale.
Result<Layout> fly::layout::downcast(const Layout &layout, int64_t factor) {
  return downcastInto(layout, factor, std::nullopt);
}

/// `into` is the mode that takes the parts; it has stride 1, or size 1.
static Result<Layout> downcastInto(const Layout &layout, int64_t factor,
                                   std::optional<size_t> into) {
  if (auto error = checkIntegers(layout, factor))
    return *error;
  ModeList modes = flatModes(layout);
  Int scale = Int::constant(factor);
  auto *unit = llvm::find_if(modes, [](const Mode &mode) {
    return mode.stride.isStatic(1) && !mode.size.isStatic(1);
  });
  if (into)
    unit = modes.begin() + *into;
  // Without neighbours a mode of size 1 has room for the parts, first of all
  // one whose stride is theirs.
  if (unit == modes.end())
    unit = llvm::find_if(
        modes, [](const Mode &mode) { return mode.stride.isStatic(1); });
  if (unit == modes.end())
    unit = llvm::find_if(
        modes, [](const Mode &mode) { return mode.size.isStatic(1); });
  if (unit == modes.end()) {
    bool reversed = llvm::any_of(
        modes, [](const Mode &mode) { return mode.stride.isStatic(-1); });
    return reversed
               ? refuse("recast_c4", layout, factor, "the items are reversed")
               : refuse("recast_c2", layout, factor,
                        "no mode of stride 1 takes the parts of an item");
  }
  for (Mode &mode : modes) {
    if (&mode == unit) {
      FLY_TRY_SET(mode.size, mul(mode.size, scale));
      mode.stride = Int::constant(1);
      continue;
    }
    FLY_TRY_SET(mode.stride, mul(mode.stride, Leaf(scale)));
  }
  return rebuild(layout, modes);
}

namespace {
/// The ratio of two widths in lowest terms: `num` old items make `den` new
/// ones.
struct Ratio {
  int64_t num, den;
  bool isIdentity() const { return num == 1 && den == 1; }
};
} // namespace

static Ratio ratioOf(int64_t oldBits, int64_t newBits) {
  if (oldBits <= 0 || newBits <= 0)
    return {1, 1};
  int64_t common = std::gcd(oldBits, newBits);
  return {newBits / common, oldBits / common};
}

Result<Layout> fly::layout::recast(const Layout &layout, int64_t oldBits,
                                   int64_t newBits) {
  Ratio ratio = ratioOf(oldBits, newBits);
  Layout result = layout;
  if (ratio.num != 1)
    FLY_TRY_SET(result, upcast(result, ratio.num));
  if (ratio.den == 1)
    return result;
  // Of a broken ratio the parts stay in the mode of the old neighbours, which
  // has stride 1 after the first step, too.
  std::optional<size_t> neighbours;
  if (ratio.num != 1) {
    ModeList modes = flatModes(layout);
    auto *unit = llvm::find_if(modes, [](const Mode &mode) {
      return mode.stride.isStatic(1) && !mode.size.isStatic(1);
    });
    if (unit != modes.end())
      neighbours = unit - modes.begin();
  }
  return downcastInto(result, ratio.den, neighbours);
}

//===----------------------------------------------------------------------===//
// Inner maps
//===----------------------------------------------------------------------===//
// The inner map of a composed layout takes an integer, the index that the rest
// gives. That index is recast to f*k+j, with j the part, so the map must be one
// of the whole integer: the recast A' of A has f*A'(k)+j = A(f*k+j). The modes
// that make up a group are then the first ones, in order.

/// Whether the modes, as a map of integers, begin with whole groups.
static std::optional<Error> checkLeadingGroup(const Layout &map,
                                              int64_t factor) {
  ModeList modes = flatModes(map);
  int64_t reached = 1;
  for (const Mode &mode : modes) {
    if (reached >= factor)
      break;
    if (mode.size.isStatic(1))
      continue;
    if (!mode.stride.isStatic(reached))
      return refuse("recast_c2", map, factor,
                    "as an inner map its first items are not contiguous");
    // Sizes that do not fit are refused by the recast of the modes.
    if (!mode.size.isStatic() || mode.size.getValue() < 1)
      break;
    auto next = mulChecked(reached, mode.size.getValue());
    reached = next.value_or(factor);
  }
  // Coordinates past the end go along the last mode, also if its size is 1.
  const Mode &last = modes.back();
  if (last.size.isStatic(1) && !last.stride.isStatic(0) && modes.size() > 1 &&
      !safeDiv(last.stride.getInt(), Int::constant(factor)))
    return refuse("recast_c3", map, factor,
                  "as an inner map it goes on with stride " +
                      last.stride.getInt().str() +
                      ", which is no multiple of it");
  return std::nullopt;
}

/// The mode in which the parts of an item become the first coordinates of the
/// map.
static Result<size_t> findLeadingUnit(const Layout &map, int64_t factor) {
  ModeList modes = flatModes(map);
  auto *unit = llvm::find_if(modes, [](const Mode &mode) {
    return mode.stride.isStatic(1) && !mode.size.isStatic(1);
  });
  auto *first = llvm::find_if(
      modes, [](const Mode &mode) { return !mode.size.isStatic(1); });
  if (unit == modes.end())
    unit = llvm::find_if(
        modes, [](const Mode &mode) { return mode.size.isStatic(1); });
  bool leads = unit <= first;
  // The last mode has no end, so it grows only along its own stride.
  if (unit + 1 == modes.end())
    leads &= unit->stride.isStatic(1);
  if (leads)
    return static_cast<size_t>(unit - modes.begin());
  return refuse("recast_c2", map, factor,
                "as an inner map its first items are not contiguous");
}

/// Whether an index of the layout may be negative, where its coordinates are
/// not; the run-time offsets that count go to `offsets`.
static bool mayBeNegative(const AnyLayout &layout,
                          llvm::SmallVectorImpl<Int> &offsets) {
  if (layout.isPlain())
    return llvm::any_of(flatModes(layout.getPlain()), [](const Mode &mode) {
      return !mode.stride.isBasis() && mode.hasStaticStride() &&
             mode.stride.getInt().getValue() < 0 && !mode.size.isStatic(1);
    });
  const ComposedLayout &composed = layout.getComposed();
  bool negative = mayBeNegative(composed.getOuter(), offsets);
  composed.getOffset().forEachLeaf([&](const Leaf &leaf) {
    if (leaf.getInt().isDynamic())
      offsets.push_back(leaf.getInt());
    else
      negative |= leaf.getInt().getValue() < 0;
  });
  // A swizzle keeps the sign.
  if (const auto *map = std::get_if<AnyLayout>(&composed.getInner()))
    negative |= mayBeNegative(*map, offsets);
  return negative;
}

/// Of a map that is not s:1, only indices from 0 on: it takes the negative of
/// an index to the negative, where the parts would run the other way.
static std::optional<Error> checkForward(const ComposedLayout &level) {
  const AnyLayout &map = std::get<AnyLayout>(level.getInner());
  if (map.isPlain()) {
    auto modes = coalescedModes(map.getPlain(), /*keepBoundary=*/true);
    if (modes && modes->size() == 1 && modes->front().stride.isStatic(1))
      return std::nullopt;
  }
  // What the map takes: the level with the identity in its place.
  AnyLayout taken =
      ComposedLayout(InnerMap(Swizzle()), level.getOffset(), level.getOuter());
  llvm::SmallVector<Int> offsets;
  if (mayBeNegative(taken, offsets))
    return fail("recast_c4", "recast of " + level.str() +
                                 ", whose inner map takes negative indices");
  for (const Int &offset : offsets)
    require(
        "recast_c4", [&]() -> Result<Int> { return isAtLeast(offset, 0); },
        [&] {
          return "in the recast of " + level.str() + " the offset " +
                 offset.str() + " is not negative";
        });
  return std::nullopt;
}

/// As a map of integers.
static Result<AnyLayout> recastMap(const AnyLayout &map, int64_t oldBits,
                                   int64_t newBits);

/// Moves the base of a swizzle by the logarithm of the ratio.
static Result<int32_t> recastBase(int32_t base, Ratio ratio,
                                  const llvm::Twine &what) {
  if (!llvm::isPowerOf2_64(ratio.num) || !llvm::isPowerOf2_64(ratio.den))
    return fail("recast_c5",
                "recast of " + what + " by " + llvm::Twine(ratio.num) + "/" +
                    llvm::Twine(ratio.den) + ", which is no power of two");
  int64_t moved = base - int64_t(llvm::Log2_64(ratio.num)) +
                  int64_t(llvm::Log2_64(ratio.den));
  if (moved < 0)
    return fail("recast_c5", "recast of " + what + " by " +
                                 llvm::Twine(ratio.num) +
                                 " would move parts of an item");
  return static_cast<int32_t>(moved);
}

static Result<InnerMap> recastInner(const InnerMap &inner, Ratio ratio,
                                    int64_t oldBits, int64_t newBits) {
  if (const auto *swizzle = std::get_if<Swizzle>(&inner)) {
    if (swizzle->isTrivial())
      return inner;
    FLY_TRY(base, recastBase(swizzle->base, ratio, swizzle->str()));
    FLY_TRY(moved, Swizzle::get(swizzle->mask, base, swizzle->shift));
    return InnerMap(moved);
  }
  if (const auto *swizzle = std::get_if<CoordSwizzle>(&inner)) {
    if (swizzle->isTrivial())
      return inner;
    FLY_TRY(row, recastBase(swizzle->baseRow, ratio, swizzle->str()));
    FLY_TRY(col, recastBase(swizzle->baseCol, ratio, swizzle->str()));
    FLY_TRY(moved, CoordSwizzle::get(swizzle->mask, row, swizzle->modeRow, col,
                                     swizzle->modeCol));
    return InnerMap(moved);
  }
  FLY_TRY(map, recastMap(std::get<AnyLayout>(inner), oldBits, newBits));
  return InnerMap(std::move(map));
}

/// The levels around an outer part that is already recast.
static Result<AnyLayout> recastLevel(const AnyLayout &layout, AnyLayout outer,
                                     Ratio ratio, int64_t oldBits,
                                     int64_t newBits) {
  const ComposedLayout &composed = layout.getComposed();
  const IntTuple &offset = composed.getOffset();
  if (!offset.isLeaf() || offset.hasBasis())
    return fail("recast_c1",
                "recast of " + layout.str() + ", whose offset is a coordinate");
  auto down = safeDiv(offset.getInt(), Int::constant(ratio.num));
  if (ratio.num != 1 && !down)
    return fail("recast_c3", "recast of " + layout.str() + ": offset " +
                                 offset.str() +
                                 " is not known to be a multiple of " +
                                 llvm::Twine(ratio.num));
  Int moved = ratio.num != 1 ? *down : offset.getInt();
  FLY_TRY_SET(moved, mul(moved, Int::constant(ratio.den)));
  if (std::holds_alternative<AnyLayout>(composed.getInner()))
    if (auto error = checkForward(composed))
      return *error;
  FLY_TRY(inner, recastInner(composed.getInner(), ratio, oldBits, newBits));
  return AnyLayout(
      ComposedLayout(std::move(inner), std::move(moved), std::move(outer)));
}

static Result<AnyLayout> recastMap(const AnyLayout &map, int64_t oldBits,
                                   int64_t newBits) {
  Ratio ratio = ratioOf(oldBits, newBits);
  if (map.isComposed()) {
    FLY_TRY(outer, recastMap(map.getComposed().getOuter(), oldBits, newBits));
    return recastLevel(map, std::move(outer), ratio, oldBits, newBits);
  }
  Layout result = map.getPlain();
  if (ratio.num != 1) {
    if (auto error = checkLeadingGroup(result, ratio.num))
      return *error;
    FLY_TRY_SET(result, upcast(result, ratio.num));
  }
  if (ratio.den != 1) {
    FLY_TRY(unit, findLeadingUnit(result, ratio.den));
    FLY_TRY_SET(result, downcastInto(result, ratio.den, unit));
  }
  return AnyLayout(std::move(result));
}

Result<AnyLayout> fly::layout::recast(const AnyLayout &layout, int64_t oldBits,
                                      int64_t newBits) {
  if (layout.isPlain()) {
    FLY_TRY(plain, recast(layout.getPlain(), oldBits, newBits));
    return AnyLayout(std::move(plain));
  }
  Ratio ratio = ratioOf(oldBits, newBits);
  if (ratio.isIdentity())
    return layout;
  FLY_TRY(outer, recast(layout.getComposed().getOuter(), oldBits, newBits));
  return recastLevel(layout, std::move(outer), ratio, oldBits, newBits);
}
