// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coordinates to indices and back, sizes and extents of layouts.

#include "Fly/Layout/Layout.h"

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
                std::max<int64_t>(shape.getInt().getValue() - 1, 0));
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
  bool wide = coord.isDynamic() &&
              exceeds32(staticExtent(coord, layout.getShape(),
                                     layout.getStride()));
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
// Index to coordinate
//===----------------------------------------------------------------------===//

namespace {
/// How the coordinate along one leaf is read off an index.
struct LeafPlan {
  /// First reduce the index modulo this, if not 0.
  int64_t modulus = 0;
};
} // namespace

/// For static layouts whose larger strides are multiples of a common g but not
/// of this leaf's own extent, the index is reduced modulo g first; that is
/// exact if the leaf and the smaller ones stay below g.
static LeafPlan planLeaf(llvm::ArrayRef<StaticMode> modes, size_t self) {
  const StaticMode &mine = modes[self];
  if (mine.stride <= 0 || mine.size <= 1)
    return {};
  int64_t common = 0, below = 0;
  for (auto [i, other] : llvm::enumerate(modes)) {
    if (i == self || other.size <= 1 || other.stride == 0)
      continue;
    if (other.stride < 0)
      return {};
    if (other.stride > mine.stride)
      common = gcd(common, other.stride);
    else
      below = plus(below, scaled(other.stride, other.size - 1));
  }
  auto extent = mulChecked(mine.size, mine.stride);
  if (common == 0 || !extent || common % *extent == 0)
    return {};
  int64_t reach = plus(below, scaled(mine.stride, mine.size - 1));
  if (below >= mine.stride || reach >= common)
    return {};
  return {common};
}

static Result<IntTuple> coordOfLeaf(const IntTuple &index, const Int &size,
                                    const Leaf &stride, LeafPlan plan) {
  if (!index.isLeaf() || index.hasBasis())
    return fail("idx2crd_c1",
                "index " + index.str() + " where an integer is expected");
  if (stride.isBasis())
    return fail("idx2crd_c2", "index to coordinate along the basis stride " +
                                  IntTuple(stride).str());
  if (size.isStatic(1) || stride.isStatic(0))
    return IntTuple(0);
  Int value = index.getInt();
  if (plan.modulus != 0)
    FLY_TRY_SET(value, mod(value, Int::constant(plan.modulus)));
  FLY_TRY(quotient, div(value, stride.getInt()));
  FLY_TRY(coord, mod(quotient, size));
  return IntTuple(std::move(coord));
}

/// `nextLeaf` numbers the leaves for `plans` (empty: the plain formula).
static Result<IntTuple> coordOf(const IntTuple &index, const IntTuple &shape,
                                const IntTuple &stride,
                                llvm::ArrayRef<LeafPlan> plans,
                                size_t &nextLeaf) {
  if (shape.isLeaf() && index.isLeaf()) {
    size_t leaf = nextLeaf++;
    return coordOfLeaf(index, shape.getInt(), stride.getLeaf(),
                       plans.empty() ? LeafPlan() : plans[leaf]);
  }
  if (!index.isLeaf() && index.rank() != shape.rank())
    return fail("idx2crd_c1", "index " + index.str() + " has rank " +
                                  llvm::Twine(index.rank()) + ", shape " +
                                  shape.str() + " has rank " +
                                  llvm::Twine(shape.rank()));
  std::vector<IntTuple> modes;
  for (size_t i = 0; i < shape.rank(); ++i) {
    FLY_TRY(mode, coordOf(index.isLeaf() ? index : index[i], shape[i],
                          stride[i], plans, nextLeaf));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
}

/// Whether each digit of a static coordinate is in the range of its mode.
static bool isWithin(const IntTuple &coord, llvm::ArrayRef<StaticMode> modes) {
  size_t next = 0;
  bool within = true;
  coord.forEachLeaf([&](const Leaf &leaf) {
    int64_t digit = leaf.getInt().getValue();
    within &= digit >= 0 && digit < modes[next++].size;
  });
  return within;
}

Result<IntTuple> fly::layout::idx2crd(const IntTuple &index,
                                      const Layout &layout) {
  std::optional<llvm::SmallVector<StaticMode>> modes;
  llvm::SmallVector<LeafPlan> plans;
  // A tuple of indices is one problem per part; only a single index can be
  // split among all modes.
  if (index.isLeaf() && !index.hasBasis() &&
      (modes = staticModes(layout))) {
    for (size_t i = 0; i < modes->size(); ++i)
      plans.push_back(planLeaf(*modes, i));
  }
  size_t nextLeaf = 0;
  FLY_TRY(coord, coordOf(index, layout.getShape(), layout.getStride(), plans,
                         nextLeaf));
  if (!modes || index.isDynamic())
    return coord;
  int64_t wanted = index.getInt().getValue();
  auto back = crd2idx(coord, layout);
  if (back && back->isStaticLeaf(wanted) && isWithin(coord, *modes))
    return coord;
  auto found = findCoordinate(*modes, wanted);
  if (!found)
    return coord;
  size_t next = 0;
  return layout.getShape().map(
      [&](const Leaf &) { return Leaf(Int::constant((*found)[next++])); });
}

Result<Int> fly::layout::crd2idxColMajor(const IntTuple &coord,
                                         const IntTuple &shape) {
  if (coord.isLeaf()) {
    if (coord.hasBasis())
      return fail("crd2crd_c1", "basis element " + coord.str() +
                                    " as a coordinate of " + shape.str());
    return coord.getInt();
  }
  if (coord.rank() != shape.rank())
    return fail("crd2crd_c1", "coordinate " + coord.str() + " has rank " +
                                  llvm::Twine(coord.rank()) + ", shape " +
                                  shape.str() + " has rank " +
                                  llvm::Twine(shape.rank()));
  size_t last = coord.rank() - 1;
  FLY_TRY(result, crd2idxColMajor(coord[last], shape[last]));
  for (size_t i = last; i-- > 0;) {
    FLY_TRY(inner, crd2idxColMajor(coord[i], shape[i]));
    FLY_TRY(extent, product(shape[i]));
    FLY_TRY(outer, mul(extent, result));
    FLY_TRY_SET(result, add(inner, outer));
  }
  return result;
}

Result<IntTuple> fly::layout::idx2crdColMajor(const Int &index,
                                              const IntTuple &shape) {
  if (shape.isLeaf())
    return IntTuple(index);
  Int rest = index;
  std::vector<IntTuple> modes;
  for (size_t i = 0; i < shape.rank(); ++i) {
    Int inMode = rest;
    if (i + 1 < shape.rank()) {
      FLY_TRY(extent, product(shape[i]));
      FLY_TRY_SET(inMode, mod(rest, extent));
      FLY_TRY_SET(rest, div(rest, extent));
    }
    FLY_TRY(mode, idx2crdColMajor(inMode, shape[i]));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> fly::layout::crd2crd(const IntTuple &coord,
                                      const IntTuple &from,
                                      const IntTuple &to) {
  if (coord.isLeaf() || from.isLeaf() || to.isLeaf()) {
    FLY_TRY(number, crd2idxColMajor(coord, from));
    return idx2crdColMajor(number, to);
  }
  if (coord.rank() != from.rank() || from.rank() != to.rank())
    return fail("crd2crd_c1", "coordinate " + coord.str() + " and shapes " +
                                  from.str() + " and " + to.str() +
                                  " have different ranks");
  std::vector<IntTuple> modes;
  for (size_t i = 0; i < coord.rank(); ++i) {
    FLY_TRY(mode, crd2crd(coord[i], from[i], to[i]));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
}

Result<IntTuple> fly::layout::getFlatCoord(const IntTuple &index,
                                           const Layout &layout) {
  FLY_TRY(coord, idx2crd(index, layout));
  if (layout.isLeaf())
    return crd2crd(coord, layout.getShape(), 1);
  std::vector<IntTuple> flat(layout.rank(), IntTuple(1));
  return crd2crd(coord, layout.getShape(), IntTuple::tuple(std::move(flat)));
}

Result<IntTuple> fly::layout::get1DCoord(const IntTuple &index,
                                         const Layout &layout) {
  FLY_TRY(coord, idx2crd(index, layout));
  FLY_TRY(number, crd2idxColMajor(coord, layout.getShape()));
  return IntTuple(std::move(number));
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
  layout.getStride().forEachLeaf([&](const Leaf &leaf) {
    mixed |= !leaf.isBasis() && !leaf.isStatic(0);
  });
  if (!mixed)
    return std::nullopt;
  return fail(label, "layout " + layout.str() +
                         " mixes integer and basis strides");
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

Result<Int> fly::layout::cosize(const AnyLayout &layout) {
  if (layout.isPlain())
    return cosize(layout.getPlain());
  auto range = indexRange(layout, int64_t(1) << 22);
  if (!range)
    return fail("cosize_c1", "the extent of " + layout.str() +
                                 " cannot be known: its leaves must be static "
                                 "integers and its size at most 2^22");
  auto extent = subChecked(range->second, std::min<int64_t>(range->first, 0));
  if (extent)
    extent = addChecked(*extent, 1);
  if (!extent)
    return fail("int_overflow", "the extent of " + layout.str() +
                                    " exceeds 64 bits");
  return Int::constant(*extent);
}
