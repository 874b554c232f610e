// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates to indices, sizes and extents of layouts.

#include "Fly/Layout/Algebra.h"
#include "Fly/Layout/Layout.h"
#include "Fly/Layout/Requirements.h"

#include "BasisPaths.h"
#include "StaticLayout.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

//===----------------------------------------------------------------------===//
// Coordinate to index
//===----------------------------------------------------------------------===//

/// |a| * b and a + b of non-negative numbers, saturating.
static int64_t scaled(int64_t a, int64_t b) {
  return mulChecked(a < 0 ? (a == INT64_MIN ? INT64_MAX : -a) : a, b)
      .value_or(INT64_MAX);
}
static int64_t plus(int64_t a, int64_t b) {
  return addChecked(a, b).value_or(INT64_MAX);
}

/// Largest index, in magnitude, that the static sizes and strides of the
/// layout admit for any coordinate in range. Run-time sizes and strides are no
/// evidence and count as 0.
static int64_t staticExtent(const IntTuple &shape, const IntTuple &stride) {
  if (!shape.isLeaf() && !stride.isLeaf()) {
    int64_t total = 0;
    for (size_t i = 0; i < std::min(shape.rank(), stride.rank()); ++i)
      total = plus(total, staticExtent(shape[i], stride[i]));
    return total;
  }
  if (shape.isDynamic() || stride.isDynamic())
    return 0;
  return scaled(stride.getInt().getValue(),
                std::max<int64_t>(shape.getInt().getValue(), 1) - 1);
}

/// The same for this coordinate.
static int64_t staticExtent(const IntTuple &coord, const IntTuple &shape,
                            const IntTuple &stride) {
  if (coord.isNone())
    return 0;
  if (!coord.isLeaf()) {
    int64_t total = 0;
    for (size_t i = 0; i < std::min(coord.rank(), shape.rank()); ++i)
      total = plus(total, staticExtent(coord[i], shape[i], stride[i]));
    return total;
  }
  if (coord.isStatic() && shape.isLeaf())
    return stride.isStatic() ? scaled(coord.getInt().getValue(),
                                      scaled(stride.getInt().getValue(), 1))
                             : 0;
  return staticExtent(shape, stride);
}

static Result<IntTuple> evaluateCoord(const IntTuple &coord,
                                      const IntTuple &shape,
                                      const IntTuple &stride) {
  if (!coord.isLeaf()) {
    if (coord.rank() != shape.rank())
      return fail("crd2idx_c1", "coordinate " + coord.str() + " has rank " +
                                    llvm::Twine(coord.rank()) + ", shape " +
                                    shape.str() + " has rank " +
                                    llvm::Twine(shape.rank()));
    FLY_TRY(total, evaluateCoord(coord[0], shape[0], stride[0]));
    for (size_t i = 1; i < coord.rank(); ++i) {
      FLY_TRY(part, evaluateCoord(coord[i], shape[i], stride[i]));
      FLY_TRY_SET(total, add(total, part));
    }
    return total;
  }
  if (shape.isLeaf())
    return mul(coord, stride);
  if (shape.rank() == 1)
    return evaluateCoord(coord, shape[0], stride[0]);
  if (coord.hasBasis())
    return fail("crd2idx_c2", "basis element " + coord.str() +
                                  " as a coordinate of shape " + shape.str());
  // Column-major unfolding; the last mode takes what is left.
  Int rest = coord.getInt();
  std::optional<IntTuple> total;
  for (size_t i = 0; i < shape.rank(); ++i) {
    Int inMode = rest;
    if (i + 1 < shape.rank()) {
      FLY_TRY(extent, product(shape[i]));
      FLY_TRY_SET(inMode, mod(rest, extent));
      FLY_TRY_SET(rest, div(rest, extent));
    }
    FLY_TRY(part, evaluateCoord(inMode, shape[i], stride[i]));
    if (total)
      FLY_TRY_SET(part, add(*total, part));
    total = std::move(part);
  }
  return *total;
}

Result<IntTuple> fly::layout::crd2idx(const IntTuple &coord,
                                      const Layout &layout) {
  if (auto error = checkBasisPaths(layout.getStride()))
    return *error;
  bool wide =
      coord.isDynamic() &&
      exceeds32(staticExtent(coord, layout.getShape(), layout.getStride()));
  return evaluateCoord(wide ? extendTo64(coord) : coord, layout.getShape(),
                       layout.getStride());
}

Result<IntTuple> fly::layout::crd2idx(const IntTuple &coord,
                                      const AnyLayout &layout) {
  if (layout.isPlain())
    return crd2idx(coord, layout.getPlain());
  const ComposedLayout &composed = layout.getComposed();
  FLY_TRY(outer, crd2idx(coord, composed.getOuter()));
  FLY_TRY(index, add(composed.getOffset(), outer));
  return applyInner(composed.getInner(), index);
}

Result<IntTuple> fly::layout::applyInner(const InnerMap &inner,
                                         const IntTuple &index) {
  if (const auto *swizzle = std::get_if<Swizzle>(&inner)) {
    if (!index.isLeaf() || index.hasBasis())
      return fail("crd2idx_c2", "swizzle " + swizzle->str() +
                                    " of the coordinate " + index.str());
    return IntTuple(apply(*swizzle, index.getInt()));
  }
  if (const auto *swizzle = std::get_if<CoordSwizzle>(&inner)) {
    IntTuple coord = index;
    if (index.isLeaf() && index.hasBasis())
      FLY_TRY_SET(coord, expandBasis(index.getLeaf()));
    return apply(*swizzle, coord);
  }
  return crd2idx(index, std::get<AnyLayout>(inner));
}

//===----------------------------------------------------------------------===//
// Size and extent
//===----------------------------------------------------------------------===//

Result<Int> fly::layout::size(const IntTuple &shape) { return product(shape); }

Result<Int> fly::layout::size(const Layout &layout) {
  return product(layout.getShape());
}

/// Sum of all strides, basis elements as the coordinates they are.
static Result<IntTuple> strideSum(const Layout &layout) {
  FLY_TRY(total, sum(layout.getStride()));
  if (total.isLeaf())
    return expandBasis(total.getLeaf());
  return total;
}

/// Integer and basis strides have no common index, unless the integer is 0.
static std::optional<Error> checkStrides(const Layout &layout,
                                         const char *label) {
  if (!layout.getStride().hasBasis())
    return std::nullopt;
  bool mixed = false;
  layout.getStride().forEachLeaf(
      [&](const Leaf &leaf) { mixed |= !leaf.isBasis() && !leaf.isStatic(0); });
  if (mixed)
    return fail(label,
                "layout " + layout.str() + " mixes integer and basis strides");
  return checkBasisPaths(layout.getStride());
}

Result<IntTuple> fly::layout::coprofile(const Layout &layout) {
  if (auto error = checkStrides(layout, "coprofile_c1"))
    return *error;
  if (!layout.getStride().hasBasis())
    return IntTuple(0);
  FLY_TRY(total, strideSum(layout));
  return replaceLeaves(total, 0);
}

Result<IntTuple> fly::layout::coshape(const Layout &layout) {
  if (auto error = checkStrides(layout, "coprofile_c1"))
    return *error;
  if (!layout.isStatic())
    require(
        "cosize_c2",
        [&]() -> Result<Int> {
          return logicalAnd(areAtLeast(layout.getShape(), 1),
                            areAtLeast(layout.getStride(), 0));
        },
        [&] {
          return "for the extent of " + layout.str() +
                 " run-time sizes are at least 1 and run-time strides at "
                 "least 0";
        });
  // Going backwards reaches as far as going forwards.
  FLY_TRY(steps, layout.getStride().tryMap([](const Leaf &d) -> Result<Leaf> {
    if (d.isDynamic() || d.getInt().getValue() >= 0)
      return d;
    FLY_TRY(positive, sub(Int::constant(0), d.getInt()));
    return d.withInt(std::move(positive));
  }));
  bool wide = exceeds32(plus(staticExtent(layout.getShape(), steps), 1));
  IntTuple shape = wide ? extendTo64(layout.getShape()) : layout.getShape();
  if (wide)
    steps = extendTo64(steps);
  FLY_TRY(last, shape.tryMap([](const Leaf &s) -> Result<Leaf> {
    FLY_TRY(value, sub(s.getInt(), Int::constant(1)));
    bool empty = value.isStatic() && value.getValue() < 0;
    return Leaf(empty ? Int::constant(0) : value);
  }));
  FLY_TRY(reach, innerProduct(last, steps));
  if (reach.isLeaf())
    FLY_TRY_SET(reach, expandBasis(reach.getLeaf()));
  return reach.tryMap([](const Leaf &leaf) -> Result<Leaf> {
    FLY_TRY(value, add(leaf.getInt(), Int::constant(1)));
    return Leaf(std::move(value));
  });
}

Result<Int> fly::layout::cosize(const Layout &layout) {
  FLY_TRY(extents, coshape(layout));
  return product(extents);
}

Result<IntTuple> fly::layout::coshape(const AnyLayout &layout) {
  if (layout.isPlain())
    return coshape(layout.getPlain());
  FLY_TRY(extent, cosize(layout));
  return IntTuple(std::move(extent));
}

Result<Int> fly::layout::cosize(const AnyLayout &layout) {
  if (layout.isPlain())
    return cosize(layout.getPlain());
  FLY_TRY(range, indexRange(layout, int64_t(1) << 20));
  auto extent = subChecked(range.second, std::min<int64_t>(range.first, 0));
  if (extent)
    extent = addChecked(*extent, 1);
  if (!extent)
    return fail("int_overflow",
                "the extent of " + layout.str() + " exceeds 64 bits");
  return Int::constant(*extent);
}

bool fly::layout::reachesBelowZero(const AnyLayout &layout) {
  if (layout.isComposed()) {
    auto range = indexRange(layout, int64_t(1) << 20);
    return range && range->first < 0;
  }
  llvm::SmallVector<Leaf> shape = layout.getPlain().getShape().leaves();
  llvm::SmallVector<Leaf> stride = layout.getPlain().getStride().leaves();
  bool isBelow = false;
  for (auto [size, step] : llvm::zip_equal(shape, stride)) {
    if (size.isBasis() || step.isBasis())
      return false;
    const Int &extent = size.getInt(), &by = step.getInt();
    if (extent.isStatic() && extent.getValue() == 0)
      return false;
    isBelow |= by.isStatic() && by.getValue() < 0 &&
               !(extent.isStatic() && extent.getValue() == 1);
  }
  return isBelow;
}
