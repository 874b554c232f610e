// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts on plain numbers.

#include "StaticLayout.h"

#include "StableSort.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

std::optional<llvm::SmallVector<StaticMode>>
fly::layout::staticModes(const Layout &layout) {
  if (!layout.isStatic() || layout.getStride().hasBasis())
    return std::nullopt;
  llvm::SmallVector<StaticMode> modes;
  layout.getShape().forEachLeaf([&](const Leaf &leaf) {
    modes.push_back({leaf.getInt().getValue(), 0});
  });
  size_t next = 0;
  layout.getStride().forEachLeaf([&](const Leaf &leaf) {
    modes[next++].stride = leaf.getInt().getValue();
  });
  return modes;
}

//===----------------------------------------------------------------------===//
// Search for coordinates
//===----------------------------------------------------------------------===//

namespace {
/// Depth-first search for the coordinates whose index lies in a window, largest
/// stride first; the reach of the remaining modes bounds each coordinate to the
/// few values that can still succeed. Modes of stride 0 stay at coordinate 0.
class CoordinateSearch {
public:
  /// Called on each index that is found; `coords` is its coordinate. True ends
  /// the search.
  using Visit = llvm::function_ref<bool(int64_t index)>;

  CoordinateSearch(llvm::ArrayRef<StaticMode> modes) : modes(modes) {
    for (size_t i = 0; i < modes.size(); ++i)
      if (modes[i].stride != 0 && modes[i].size != 1)
        order.push_back(i);
    stableSort(order,
               [&](size_t a, size_t b) { return magnitude(a) > magnitude(b); });
    low.assign(order.size() + 1, 0);
    high.assign(order.size() + 1, 0);
    for (size_t k = order.size(); k-- > 0;) {
      const StaticMode &mode = modes[order[k]];
      __int128 reach = __int128(mode.stride) * (mode.size - 1);
      low[k] = low[k + 1] + std::min<__int128>(reach, 0);
      high[k] = high[k + 1] + std::max<__int128>(reach, 0);
    }
    coords.assign(modes.size(), 0);
  }

  /// Whether `visit` ended the search for indices of `from` to `to`.
  bool find(int64_t from, int64_t to, Visit visit) {
    return find(0, 0, from, to, visit);
  }
  bool gaveUp() const { return steps > limit; }

  llvm::SmallVector<int64_t> coords;

private:
  bool find(size_t k, __int128 sum, int64_t from, int64_t to, Visit visit) {
    if (++steps > limit || sum + high[k] < from || sum + low[k] > to)
      return false;
    if (k == order.size())
      return visit(static_cast<int64_t>(sum));
    const StaticMode &mode = modes[order[k]];
    // sum + c * stride + the modes that follow must be able to meet the window.
    __int128 first = (from - sum - high[k + 1]) / mode.stride;
    __int128 last = (to - sum - low[k + 1]) / mode.stride;
    if (first > last)
      std::swap(first, last);
    first = std::max<__int128>(first - 1, 0);
    last = std::min<__int128>(last + 1, mode.size - 1);
    for (__int128 c = first; c <= last && steps <= limit; ++c) {
      coords[order[k]] = static_cast<int64_t>(c);
      if (find(k + 1, sum + c * mode.stride, from, to, visit))
        return true;
    }
    coords[order[k]] = 0;
    return false;
  }

  uint64_t magnitude(size_t i) const {
    int64_t stride = modes[i].stride;
    return stride < 0 ? 0 - static_cast<uint64_t>(stride)
                      : static_cast<uint64_t>(stride);
  }

  static constexpr unsigned limit = 1u << 20;
  llvm::ArrayRef<StaticMode> modes;
  llvm::SmallVector<size_t> order;
  std::vector<__int128> low, high;
  unsigned steps = 0;
};
} // namespace

/// The sum of the modes' reaches in magnitude, if the modes are few and not
/// empty and it is within 64 bits.
static std::optional<int64_t> totalReach(llvm::ArrayRef<StaticMode> modes) {
  // The search recurses once per mode.
  if (modes.size() > 4096)
    return std::nullopt;
  int64_t reach = 0;
  for (const StaticMode &mode : modes) {
    auto part =
        mode.size < 1 ? std::nullopt : mulChecked(mode.stride, mode.size - 1);
    auto sum = part && *part != INT64_MIN
                   ? addChecked(reach, *part < 0 ? -*part : *part)
                   : std::nullopt;
    if (!sum)
      return std::nullopt;
    reach = *sum;
  }
  return reach;
}

FoundCoordinate fly::layout::findCoordinate(llvm::ArrayRef<StaticMode> modes,
                                            int64_t index) {
  FoundCoordinate found;
  bool forward = true;
  for (const StaticMode &mode : modes) {
    if (mode.size < 1)
      return found;
    forward &= mode.stride >= 0 || mode.size == 1;
  }
  if (forward && index < 0)
    return found;
  // Without strides that lead back, larger ones than the index stay at 0.
  llvm::SmallVector<StaticMode> useful;
  llvm::SmallVector<size_t> places;
  int64_t step = 0;
  for (auto [i, mode] : llvm::enumerate(modes)) {
    if (mode.stride == 0 || mode.size == 1 || (forward && mode.stride > index))
      continue;
    useful.push_back(mode);
    places.push_back(i);
    step = gcd(step, mode.stride);
  }
  if (step > 1 && index % step != 0)
    return found;
  if (!totalReach(useful)) {
    found.isKnown = false;
    return found;
  }
  CoordinateSearch search(useful);
  if (search.find(index, index, [](int64_t) { return true; })) {
    found.coord.emplace(modes.size(), 0);
    for (auto [place, c] : llvm::zip(places, search.coords))
      (*found.coord)[place] = c;
    return found;
  }
  found.isKnown = !search.gaveUp();
  return found;
}

//===----------------------------------------------------------------------===//
// Distances
//===----------------------------------------------------------------------===//

namespace {
/// Looks for two coordinates whose indices are closer than `gap`: for
/// differences x, not all 0, of which the sum of x * stride is small. The modes
/// come by falling stride.
class CloseIndices {
public:
  CloseIndices(llvm::ArrayRef<StaticMode> modes, int64_t gap)
      : modes(modes), gap(gap), reach(modes.size() + 1, 0) {
    for (size_t k = modes.size(); k-- > 0;)
      reach[k] = reach[k + 1] + __int128(modes[k].stride) * (modes[k].size - 1);
  }

  /// Whether there are any; `steps` beyond the limit if that is not known.
  bool find(size_t k, __int128 sum, bool moved) {
    if (++steps > limit)
      return false;
    if (k == modes.size())
      return moved && sum > -gap && sum < gap;
    // The first difference that is not 0 is positive, by symmetry.
    __int128 stride = modes[k].stride;
    __int128 low = (-reach[k + 1] - gap - sum) / stride - 1;
    __int128 high = (reach[k + 1] + gap - sum) / stride + 1;
    low = std::max<__int128>(low, moved ? 1 - modes[k].size : 0);
    high = std::min<__int128>(high, modes[k].size - 1);
    for (__int128 x = low; x <= high && steps <= limit; ++x)
      if (find(k + 1, sum + x * stride, moved || x != 0))
        return true;
    return false;
  }
  bool gaveUp() const { return steps > limit; }

private:
  static constexpr unsigned limit = 1u << 20;
  llvm::ArrayRef<StaticMode> modes;
  int64_t gap;
  std::vector<__int128> reach;
  unsigned steps = 0;
};
} // namespace

std::optional<bool> fly::layout::areApart(llvm::ArrayRef<StaticMode> modes,
                                          int64_t gap) {
  llvm::SmallVector<StaticMode> sorted(modes);
  llvm::sort(sorted, [](const StaticMode &a, const StaticMode &b) {
    return a.stride > b.stride;
  });
  // Each stride beyond the reach of those below it: the ordinary case.
  __int128 below = gap - 1;
  bool apart = true;
  for (const StaticMode &mode : llvm::reverse(sorted)) {
    apart &= mode.stride > below;
    below += __int128(mode.stride) * (mode.size - 1);
  }
  if (apart)
    return true;
  if (sorted.size() > 4096)
    return std::nullopt;
  CloseIndices search(sorted, gap);
  if (search.find(0, 0, false))
    return false;
  if (search.gaveUp())
    return std::nullopt;
  return true;
}

//===----------------------------------------------------------------------===//
// Range of indices
//===----------------------------------------------------------------------===//

/// The outer levels of composition, from the one next to the linear part.
static void
collectLevels(const AnyLayout &layout,
              llvm::SmallVectorImpl<const ComposedLayout *> &levels) {
  if (layout.isPlain())
    return;
  collectLevels(layout.getComposed().getOuter(), levels);
  levels.push_back(&layout.getComposed());
}

/// The range below one swizzle: it permutes the indices of each block of
/// 2^(base + mask), so the extremes are those of the first and of the last
/// block, and only these are visited.
static std::optional<std::pair<int64_t, int64_t>>
swizzledRange(const ComposedLayout &layout, llvm::ArrayRef<StaticMode> modes) {
  const auto *swizzle = std::get_if<Swizzle>(&layout.getInner());
  const IntTuple &offset = layout.getOffset();
  if (!swizzle || !layout.getOuter().isPlain() || !offset.isLeaf() ||
      offset.hasBasis() || !offset.isStatic() || !totalReach(modes))
    return std::nullopt;
  int64_t low = 0, high = 0;
  for (const StaticMode &mode : modes) {
    int64_t reach = mode.stride * (mode.size - 1);
    (reach < 0 ? low : high) += reach;
  }
  int64_t start = offset.getInt().getValue();
  auto first = addChecked(start, low), last = addChecked(start, high);
  if (!first || !last)
    return std::nullopt;
  int64_t block =
      swizzle->isTrivial()
          ? 0
          : static_cast<int64_t>(
                (uint64_t(1) << (swizzle->base + swizzle->mask)) - 1);
  // The ends of the first and the beginning of the last block, as indices of
  // the linear part.
  int64_t firstEnd = std::min((*first | block), *last) - start;
  int64_t lastBegin = std::max(*last & ~block, *first) - start;
  std::pair<int64_t, int64_t> range{INT64_MAX, INT64_MIN};
  auto visit = [&](int64_t index) {
    int64_t moved = apply(*swizzle, Int::constant(start + index)).getValue();
    range.first = std::min(range.first, moved);
    range.second = std::max(range.second, moved);
    return false;
  };
  CoordinateSearch below(modes), above(modes);
  below.find(low, firstEnd, visit);
  above.find(lastBegin, high, visit);
  if (below.gaveUp() || above.gaveUp())
    return std::nullopt;
  return range;
}

/// Whether smallest and largest index of the linear part have 64 bits.
static bool fits64(llvm::ArrayRef<StaticMode> modes) {
  int64_t low = 0, high = 0;
  for (const StaticMode &mode : modes) {
    int64_t &end = mode.stride < 0 ? low : high;
    auto reach = mulChecked(mode.stride, mode.size - 1);
    auto next = reach ? addChecked(end, *reach) : std::nullopt;
    if (!next)
      return false;
    end = *next;
  }
  return true;
}

Result<std::pair<int64_t, int64_t>>
fly::layout::indexRange(const AnyLayout &layout, int64_t limit) {
  auto unknown = [&] {
    return fail("cosize_c1", "the extent of " + layout.str() +
                                 " cannot be known: its leaves must be static "
                                 "integers and its indices few enough to be "
                                 "visited");
  };
  auto overflow = [&] {
    return fail("int_overflow",
                "an index of " + layout.str() + " exceeds 64 bits");
  };
  auto modes = staticModes(layout.getLinear());
  if (!modes || !layout.isStatic())
    return unknown();
  bool empty = llvm::any_of(
      *modes, [](const StaticMode &mode) { return mode.size < 1; });
  if (empty)
    return unknown();
  if (!fits64(*modes))
    return overflow();
  if (layout.isComposed())
    if (auto range = swizzledRange(layout.getComposed(), *modes))
      return *range;
  int64_t count = 1;
  for (const StaticMode &mode : *modes) {
    auto next = mulChecked(count, mode.size);
    if (!next || *next > limit)
      return unknown();
    count = *next;
  }
  llvm::SmallVector<const ComposedLayout *> levels;
  collectLevels(layout, levels);

  std::optional<std::pair<int64_t, int64_t>> range;
  llvm::SmallVector<int64_t> coord(modes->size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    IntTuple value = 0;
    int64_t linear = 0;
    for (size_t k = 0; k < modes->size(); ++k)
      linear += coord[k] * (*modes)[k].stride;
    value = linear;
    for (const ComposedLayout *level : levels) {
      auto moved = add(level->getOffset(), value);
      auto mapped = moved ? applyInner(level->getInner(), *moved) : moved;
      if (!mapped)
        return mapped.error().label == "int_overflow" ? overflow() : unknown();
      if (!mapped->isLeaf() || mapped->hasBasis())
        return unknown();
      value = *mapped;
    }
    int64_t index = value.getInt().getValue();
    if (!range)
      range = {index, index};
    range->first = std::min(range->first, index);
    range->second = std::max(range->second, index);
    for (size_t k = 0; k < coord.size(); ++k) {
      if (++coord[k] < (*modes)[k].size)
        break;
      coord[k] = 0;
    }
  }
  return *range;
}
