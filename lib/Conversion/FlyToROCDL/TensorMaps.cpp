// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of the maps of tensor copies. Tiles are at most as large as shared
// memory, so the maps are compared element by element.

#include "TensorMaps.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly;
using layout::IntTuple;
using layout::Layout;
using layout::Leaf;

/// The offsets of a static mode by colexicographic index.
static std::vector<int64_t> getOffsets(const Layout &mode) {
  std::vector<int64_t> offsets{0};
  llvm::SmallVector<Leaf> shape = mode.getShape().leaves(),
                          stride = mode.getStride().leaves();
  for (auto [extent, step] : llvm::zip_equal(shape, stride)) {
    size_t inner = offsets.size();
    int64_t count = extent.getInt().getValue();
    for (int64_t i = 1; i < count; ++i)
      for (size_t j = 0; j < inner; ++j)
        offsets.push_back(offsets[j] + i * step.getInt().getValue());
  }
  return offsets;
}

/// Elements of a static shape, if they are not too many.
static std::optional<int64_t> countElements(const IntTuple &shape) {
  int64_t total = 1;
  for (const Leaf &leaf : shape.leaves()) {
    std::optional<int64_t> next =
        layout::mulChecked(total, leaf.getInt().getValue());
    if (!next || *next < 1 || *next > rocdl::kMaxSharedElements)
      return std::nullopt;
    total = *next;
  }
  return total;
}

bool fly::rocdl::isTiledRowMajor(const Layout &layout,
                                 llvm::ArrayRef<int64_t> extents,
                                 int64_t interval, int64_t amount) {
  if (layout.rank() != extents.size() || !countElements(layout.getShape()))
    return false;
  // Row after row: the last mode is the fastest.
  std::vector<int64_t> offsets{0};
  for (auto [i, extent] : llvm::enumerate(extents)) {
    bool isLeaf = layout.isLeaf();
    std::vector<int64_t> mode = getOffsets(isLeaf ? layout : layout[i]);
    if (int64_t(mode.size()) != extent)
      return false;
    std::vector<int64_t> next;
    next.reserve(offsets.size() * mode.size());
    for (int64_t outer : offsets)
      for (int64_t inner : mode)
        next.push_back(outer + inner);
    offsets = std::move(next);
  }
  for (auto [index, offset] : llvm::enumerate(offsets))
    if (offset != padIndex(int64_t(index), interval, amount))
      return false;
  return true;
}

std::optional<fly::rocdl::MapMismatch>
fly::rocdl::findMapMismatch(const Layout &shared, const Layout &coords,
                            llvm::ArrayRef<int64_t> box, int64_t interval,
                            int64_t amount) {
  std::vector<int64_t> places = getOffsets(shared);
  // Coordinates by value, one list for each dimension.
  std::vector<std::vector<int64_t>> positions(box.size());
  llvm::SmallVector<Leaf> shape = coords.getShape().leaves(),
                          stride = coords.getStride().leaves();
  for (size_t dim = 0; dim < box.size(); ++dim) {
    std::vector<IntTuple> steps;
    for (const Leaf &leaf : stride) {
      bool isHere = leaf.isBasis() && leaf.getModes().front() == int32_t(dim);
      steps.push_back(isHere ? leaf.getInt().getValue() : 0);
    }
    std::vector<IntTuple> extents(shape.begin(), shape.end());
    positions[dim] =
        getOffsets(Layout(IntTuple::tuple(llvm::ArrayRef<IntTuple>(extents)),
                          IntTuple::tuple(llvm::ArrayRef<IntTuple>(steps))));
  }
  for (auto [value, place] : llvm::enumerate(places)) {
    int64_t index = 0, packed = 1;
    bool isInside = true;
    for (auto [dim, extent] : llvm::enumerate(box)) {
      int64_t position = positions[dim][value];
      isInside &= position >= 0 && position < extent;
      index += position * packed;
      packed *= extent;
    }
    int64_t expected = isInside ? padIndex(index, interval, amount) : -1;
    if (expected != place)
      return MapMismatch{int64_t(value), expected, place};
  }
  return std::nullopt;
}
