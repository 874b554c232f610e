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
// Search for a coordinate
//===----------------------------------------------------------------------===//

namespace {
/// Depth-first search, largest stride first; the reach of the remaining modes
/// bounds each coordinate to the few values that can still succeed.
class CoordinateSearch {
public:
  CoordinateSearch(llvm::ArrayRef<StaticMode> modes) : modes(modes) {
    for (size_t i = 0; i < modes.size(); ++i)
      order.push_back(i);
    stableSort(order,
               [&](size_t a, size_t b) { return magnitude(a) > magnitude(b); });
    low.assign(modes.size() + 1, 0);
    high.assign(modes.size() + 1, 0);
    for (size_t k = modes.size(); k-- > 0;) {
      const StaticMode &mode = modes[order[k]];
      __int128 reach = __int128(mode.stride) * (mode.size - 1);
      low[k] = low[k + 1] + std::min<__int128>(reach, 0);
      high[k] = high[k + 1] + std::max<__int128>(reach, 0);
    }
    coords.assign(modes.size(), 0);
  }

  bool find(size_t k, __int128 rest) {
    if (++steps > (1u << 20) || rest < low[k] || rest > high[k])
      return false;
    if (k == order.size())
      return rest == 0;
    const StaticMode &mode = modes[order[k]];
    if (mode.stride == 0 || mode.size == 1) {
      coords[order[k]] = 0;
      return find(k + 1, rest);
    }
    // rest - c * stride must lie in [low, high] of the modes that follow.
    __int128 first = (rest - high[k + 1]) / mode.stride;
    __int128 last = (rest - low[k + 1]) / mode.stride;
    if (first > last)
      std::swap(first, last);
    first = std::max<__int128>(first - 1, 0);
    last = std::min<__int128>(last + 1, mode.size - 1);
    for (__int128 c = first; c <= last; ++c) {
      coords[order[k]] = static_cast<int64_t>(c);
      if (find(k + 1, rest - c * mode.stride))
        return true;
    }
    return false;
  }

  llvm::SmallVector<int64_t> coords;

private:
  uint64_t magnitude(size_t i) const {
    int64_t stride = modes[i].stride;
    return stride < 0 ? 0 - static_cast<uint64_t>(stride)
                      : static_cast<uint64_t>(stride);
  }

  llvm::ArrayRef<StaticMode> modes;
  llvm::SmallVector<size_t> order;
  std::vector<__int128> low, high;
  unsigned steps = 0;
};
} // namespace

std::optional<llvm::SmallVector<int64_t>>
fly::layout::findCoordinate(llvm::ArrayRef<StaticMode> modes, int64_t index) {
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
  CoordinateSearch search(modes);
  if (!search.find(0, index))
    return std::nullopt;
  return search.coords;
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

std::optional<std::pair<int64_t, int64_t>>
fly::layout::indexRange(const AnyLayout &layout, int64_t limit) {
  auto modes = staticModes(layout.getLinear());
  if (!modes || !layout.isStatic())
    return std::nullopt;
  int64_t count = 1;
  for (const StaticMode &mode : *modes) {
    auto next = mulChecked(count, mode.size);
    if (!next || *next < 1 || *next > limit)
      return std::nullopt;
    count = *next;
  }
  llvm::SmallVector<const ComposedLayout *> levels;
  collectLevels(layout, levels);

  std::optional<std::pair<int64_t, int64_t>> range;
  llvm::SmallVector<int64_t> coord(modes->size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    IntTuple value = 0;
    int64_t linear = 0;
    for (size_t k = 0; k < modes->size(); ++k) {
      auto step = mulChecked(coord[k], (*modes)[k].stride);
      auto next = step ? addChecked(linear, *step) : std::nullopt;
      if (!next)
        return std::nullopt;
      linear = *next;
    }
    value = linear;
    for (const ComposedLayout *level : levels) {
      auto moved = add(level->getOffset(), value);
      if (!moved)
        return std::nullopt;
      auto mapped = applyInner(level->getInner(), *moved);
      if (!mapped || !mapped->isLeaf() || mapped->hasBasis())
        return std::nullopt;
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
  return range;
}
