// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices to coordinates.
//
// The coordinate along a leaf s:d is (index div d) mod s wherever larger
// strides are multiples of s*d. In other static layouts the part of the index
// that belongs to larger strides is taken off first, by remainders. Where the
// indices of several modes interleave so that no remainder separates them, a
// static index is searched for, and of a run-time one the left inverse of the
// layout gives the coordinate, if there is one. It takes the place of the
// formula only where it has the index; so outside of the image the formula
// stands, whether the index is static or not.

#include "Fly/Layout/Inverse.h"
#include "Fly/Layout/Requirements.h"

#include "StaticLayout.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

namespace {
/// How the coordinate along one leaf is read off an index.
struct LeafPlan {
  /// The index is reduced modulo each of these in turn.
  llvm::SmallVector<int64_t, 1> moduli;
  /// Right for every index of the image.
  bool exact = true;
};
} // namespace

/// Plans for all leaves. With the strides in ascending order, `reach[p]` is the
/// largest index of the modes before position p, `below[p]` that of the modes
/// with a smaller stride (saturating).
static llvm::SmallVector<LeafPlan>
planLeaves(llvm::ArrayRef<StaticMode> modes) {
  llvm::SmallVector<LeafPlan> plans(modes.size());
  llvm::SmallVector<size_t> order;
  bool forward = true;
  for (auto [i, mode] : llvm::enumerate(modes))
    if (mode.stride != 0 && mode.size != 1) {
      order.push_back(i);
      forward &= mode.stride > 0 && mode.size > 1;
    }
  llvm::sort(order, [&](size_t a, size_t b) {
    return modes[a].stride != modes[b].stride
               ? modes[a].stride < modes[b].stride
               : a < b;
  });
  size_t count = order.size();
  if (!forward) {
    for (size_t i : order)
      plans[i].exact = false;
    return plans;
  }
  llvm::SmallVector<int64_t> reach(count + 1, 0), below(count, 0);
  for (size_t p = 0; p < count; ++p) {
    const StaticMode &mode = modes[order[p]];
    bool repeated = p > 0 && modes[order[p - 1]].stride == mode.stride;
    below[p] = repeated ? below[p - 1] : reach[p];
    auto part = mulChecked(mode.stride, mode.size - 1);
    reach[p + 1] =
        part ? addChecked(reach[p], *part).value_or(INT64_MAX) : INT64_MAX;
  }
  // Of the strides from p on: their common divisor, and whether each stands
  // above all that lies below itself.
  llvm::SmallVector<int64_t> common(count + 1, 0);
  llvm::SmallVector<bool> nested(count + 1, true);
  for (size_t p = count; p-- > 0;) {
    int64_t stride = modes[order[p]].stride;
    common[p] = gcd(common[p + 1], stride);
    nested[p] = nested[p + 1] && below[p] < stride;
  }
  for (size_t p = 0; p < count; ++p) {
    const StaticMode &mine = modes[order[p]];
    LeafPlan &plan = plans[order[p]];
    auto sameAs = [&](size_t q) {
      return q < count && modes[order[q]].stride == mine.stride;
    };
    plan.exact =
        !sameAs(p + 1) && !(p > 0 && sameAs(p - 1)) && reach[p] < mine.stride;
    auto extent = mulChecked(mine.size, mine.stride);
    if (!plan.exact || common[p + 1] == 0 ||
        (extent && common[p + 1] % *extent == 0))
      continue;
    // The larger strides have a common divisor above all that lies below.
    if (reach[p + 1] < common[p + 1]) {
      plan.moduli.push_back(common[p + 1]);
      continue;
    }
    // Or each stands above all that lies below itself.
    plan.exact = nested[p + 1];
    if (plan.exact)
      for (size_t q = count; q-- > p + 1;)
        plan.moduli.push_back(modes[order[q]].stride);
  }
  return plans;
}

static Result<IntTuple> coordOfLeaf(const Int &index, const Int &size,
                                    const Leaf &stride, const LeafPlan &plan) {
  if (stride.isBasis())
    return fail("idx2crd_c2", "index to coordinate along the basis stride " +
                                  IntTuple(stride).str());
  if (size.isStatic(1) || stride.isStatic(0))
    return IntTuple(0);
  Int value = index;
  for (int64_t modulus : plan.moduli)
    FLY_TRY_SET(value, mod(value, Int::constant(modulus)));
  FLY_TRY(quotient, div(value, stride.getInt()));
  FLY_TRY(coord, mod(quotient, size));
  return IntTuple(std::move(coord));
}

/// `plan` walks along with the leaves.
static Result<IntTuple> coordOf(const Int &index, const IntTuple &shape,
                                const IntTuple &stride, const LeafPlan *&plan) {
  if (shape.isLeaf())
    return coordOfLeaf(index, shape.getInt(), stride.getLeaf(), *plan++);
  std::vector<IntTuple> modes;
  modes.reserve(shape.rank());
  for (size_t i = 0; i < shape.rank(); ++i) {
    FLY_TRY(mode, coordOf(index, shape[i], stride[i], plan));
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

/// 1 if `coord`, whose digits are below the sizes, has the index.
static Result<Int> hasIndex(const IntTuple &coord, const Int &index,
                            const Layout &layout) {
  bool negative = false;
  coord.forEachLeaf([&](const Leaf &leaf) {
    negative |= leaf.isStatic() && leaf.getInt().getValue() < 0;
  });
  if (negative)
    return Int::constant(0);
  Layout wide(extendTo64(layout.getShape()), extendTo64(layout.getStride()));
  FLY_TRY(back, crd2idx(extendTo64(coord), wide));
  return logicalAnd(areAtLeast(coord, 0),
                    cmp(ExprKind::Eq, back.getInt(), index));
}

static void requireImage(const Int &index, const Layout &layout,
                         llvm::function_ref<Result<Int>()> isIndex) {
  require("idx2crd_c4", isIndex,
          [&] { return index.str() + " is an index of " + layout.str(); });
}

/// The digits of a coordinate number, 0 where a layout has only one place.
static Result<IntTuple> coordOfNumber(const Int &number, const Layout &layout) {
  FLY_TRY(count, size(layout));
  FLY_TRY(within, mod(number, count));
  FLY_TRY(coord, idx2crdColMajor(within, layout.getShape()));
  llvm::SmallVector<bool> fixed;
  layout.getShape().forEachLeaf(
      [&](const Leaf &leaf) { fixed.push_back(leaf.getInt().isStatic(1)); });
  size_t next = 0;
  layout.getStride().forEachLeaf(
      [&](const Leaf &leaf) { fixed[next++] |= leaf.isStatic(0); });
  next = 0;
  return coord.map([&](const Leaf &leaf) {
    return fixed[next++] ? Leaf(Int::constant(0)) : leaf;
  });
}

/// The coordinate that the left inverse gives where it has the index, else that
/// of the formula; nothing without a left inverse.
static Result<std::optional<IntTuple>> coordByInverse(const Int &index,
                                                      const IntTuple &formula,
                                                      const Layout &layout) {
  auto inverse = leftInverse(layout);
  if (!inverse)
    return std::optional<IntTuple>();
  FLY_TRY(number, crd2idx(IntTuple(index), *inverse));
  FLY_TRY(coord, coordOfNumber(number.getInt(), layout));
  FLY_TRY(found, hasIndex(coord, index, layout));
  requireImage(index, layout, [&] { return Result<Int>(found); });
  llvm::SmallVector<Int> digits;
  coord.forEachLeaf([&](const Leaf &leaf) { digits.push_back(leaf.getInt()); });
  size_t next = 0;
  FLY_TRY(chosen, formula.tryMap([&](const Leaf &leaf) -> Result<Leaf> {
    const Int &other = leaf.getInt();
    FLY_TRY(change, sub(digits[next++], other));
    FLY_TRY(taken, mul(found, change));
    FLY_TRY(digit, add(other, taken));
    return Leaf(std::move(digit));
  }));
  return std::optional<IntTuple>(std::move(chosen));
}

/// The coordinate of one number.
static Result<IntTuple> coordOfIndex(const Int &index, const Layout &layout) {
  auto modes = staticModes(layout);
  llvm::SmallVector<LeafPlan> plans =
      modes ? planLeaves(*modes)
            : llvm::SmallVector<LeafPlan>(layout.getShape().numLeaves());
  const LeafPlan *plan = plans.begin();
  FLY_TRY(coord, coordOf(index, layout.getShape(), layout.getStride(), plan));
  bool exact = llvm::all_of(plans, [](const LeafPlan &p) { return p.exact; });
  auto isIndex = [&] { return hasIndex(coord, index, layout); };
  if (!modes || (index.isDynamic() && exact)) {
    requireImage(index, layout, isIndex);
    return coord;
  }
  if (index.isStatic()) {
    auto back = crd2idx(coord, layout);
    if (back && back->isStaticLeaf(index.getValue()) && isWithin(coord, *modes))
      return coord;
    FoundCoordinate found;
    if (!exact)
      found = findCoordinate(*modes, index.getValue());
    if (found.coord) {
      size_t next = 0;
      return layout.getShape().map([&](const Leaf &) {
        return Leaf(Int::constant((*found.coord)[next++]));
      });
    }
    if (found.isKnown) {
      requireImage(index, layout, isIndex);
      return coord;
    }
  }
  FLY_TRY(inverted, coordByInverse(index, coord, layout));
  if (inverted)
    return *inverted;
  if (index.isStatic())
    return fail("idx2crd_c3",
                "index to coordinate of " + index.str() + " in " +
                    layout.str() +
                    ", whose modes interleave: the search for the coordinate "
                    "was given up");
  return fail("idx2crd_c3", "index to coordinate of the run-time index " +
                                index.str() + " in " + layout.str() +
                                ", whose modes interleave so that no "
                                "division tells their coordinates apart");
}

Result<IntTuple> fly::layout::idx2crd(const IntTuple &index,
                                      const Layout &layout) {
  if (index.isLeaf()) {
    if (index.hasBasis())
      return fail("idx2crd_c1",
                  "index " + index.str() + " where an integer is expected");
    return coordOfIndex(index.getInt(), layout);
  }
  if (index.rank() != layout.rank())
    return fail("idx2crd_c1", "index " + index.str() + " has rank " +
                                  llvm::Twine(index.rank()) + ", shape " +
                                  layout.getShape().str() + " has rank " +
                                  llvm::Twine(layout.rank()));
  std::vector<IntTuple> modes;
  modes.reserve(index.rank());
  for (size_t i = 0; i < index.rank(); ++i) {
    // A tuple against a leaf that counts as its own mode 0 stays a tuple.
    FLY_TRY(mode, idx2crd(index[i], layout[i]));
    modes.push_back(std::move(mode));
  }
  return IntTuple::tuple(std::move(modes));
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
