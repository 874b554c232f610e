// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts built from shapes and orders.

#include "Fly/Layout/Product.h"

#include "StableSort.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

Result<Layout> fly::layout::makeIdentityLayout(const IntTuple &shape) {
  return Layout::get(shape, basisLike(shape));
}

//===----------------------------------------------------------------------===//
// Ordered layouts
//===----------------------------------------------------------------------===//

namespace {
/// A part of the shape that stands against one leaf of the order, and the
/// stride where it begins.
struct Unit {
  IntTuple shape;
  /// Nothing for an order that is not known: run-time values, basis elements.
  std::optional<int64_t> order;
  Int start;
};
} // namespace

static std::optional<Error> collectUnits(const IntTuple &shape,
                                         const IntTuple &order,
                                         std::vector<Unit> &units) {
  if (order.isLeaf()) {
    std::optional<int64_t> value;
    if (order.isStatic() && !order.hasBasis())
      value = order.getInt().getValue();
    units.push_back({shape, value, Int()});
    return std::nullopt;
  }
  if (shape.isLeaf() || shape.rank() != order.rank())
    return fail("make_ordered_layout_c1", "order " + order.str() +
                                              " does not have the modes of " +
                                              shape.str());
  for (size_t i = 0; i < order.rank(); ++i)
    if (auto error = collectUnits(shape[i], order[i], units))
      return error;
  return std::nullopt;
}

static Result<IntTuple> unitStrides(const IntTuple &order, const Unit *&unit) {
  if (order.isLeaf()) {
    const Unit &mine = *unit++;
    return compactColMajor(mine.shape, mine.start);
  }
  std::vector<IntTuple> modes;
  for (const IntTuple &mode : order.modes()) {
    FLY_TRY(strides, unitStrides(mode, unit));
    modes.push_back(std::move(strides));
  }
  return IntTuple::tuple(std::move(modes));
}

/// Known orders first, by value; equal and unknown ones by position.
static bool placedBefore(const Unit *a, const Unit *b) {
  if (!a->order || !b->order)
    return a->order && !b->order;
  return *a->order < *b->order;
}

/// Strides of the ordered layout of `shape`.
static Result<IntTuple> orderedStrides(const IntTuple &shape,
                                       const IntTuple &order) {
  if (order.numLeaves() == 1)
    return compactColMajor(shape);
  std::vector<Unit> units;
  if (auto error = collectUnits(shape, order, units))
    return *error;
  std::vector<Unit *> sorted;
  for (Unit &unit : units)
    sorted.push_back(&unit);
  stableSort(sorted, placedBefore);

  // All sizes in placing order are one packed layout; its strides are where
  // the units begin.
  std::vector<IntTuple> sizes;
  for (const Unit *unit : sorted) {
    FLY_TRY(count, product(unit->shape));
    sizes.push_back(std::move(count));
  }
  FLY_TRY(starts, compactColMajor(IntTuple::tuple(std::move(sizes))));
  for (auto [i, unit] : llvm::enumerate(sorted))
    unit->start = starts[i].getInt();
  const Unit *next = units.data();
  return unitStrides(order, next);
}

Result<Layout> fly::layout::makeOrderedLayout(const IntTuple &shape,
                                              const IntTuple &order) {
  if (order.hasBasis())
    return fail("make_ordered_layout_c2",
                "order " + order.str() + " has basis elements");
  FLY_TRY(stride, orderedStrides(shape, order));
  return Layout::get(shape, std::move(stride));
}

Result<Layout> fly::layout::makeLayoutLike(const Layout &layout) {
  FLY_TRY(filtered, filterZero(layout.getStride(), layout.getShape()));
  FLY_TRY(stride, orderedStrides(filtered, layout.getStride()));
  return Layout::get(layout.getShape(), std::move(stride));
}

Result<Layout> fly::layout::makeFragmentLayout(const Layout &layout) {
  if (layout.rank() <= 1) {
    FLY_TRY(stride, compactColMajor(layout.getShape()));
    return Layout::get(layout.getShape(), std::move(stride));
  }
  Layout values = layout[0];
  FLY_TRY(filtered, filterZero(values.getStride(), values.getShape()));
  FLY_TRY(valueStride, compactColMajor(filtered));
  values = Layout(values.getShape(), std::move(valueStride));

  std::vector<Layout> others;
  for (size_t i = 1; i < layout.rank(); ++i)
    others.push_back(layout[i]);
  Layout rest = others.size() == 1 ? others[0] : Layout::concat(others);
  FLY_TRY(ordered, orderedStrides(rest.getShape(), rest.getStride()));
  // The values fill all indices below their cosize, so that their complement
  // is one mode of that stride.
  FLY_TRY(room, cosize(values));
  FLY_TRY(moved,
          ordered.tryMap([&](const Leaf &d) { return mul(d, Leaf(room)); }));
  Layout repetition(rest.getShape(), std::move(moved));
  Layout result = canonicalStrides(Layout::concat({values, repetition}));
  // An only mode keeps its nesting.
  return others.size() == 1 ? result : expand(result, {1});
}
