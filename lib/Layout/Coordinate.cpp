// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices to coordinates.
//
// The coordinate along a leaf s:d is (index div d) mod s wherever larger
// strides are multiples of s*d. In other static layouts the part of the index
// that belongs to larger strides is taken off first, by remainders; and where
// the indices of several modes interleave so that no remainder separates them,
// a static index is searched for and a run-time one refused.

#include "Fly/Layout/Layout.h"

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

/// Largest index of the modes with strides below `stride`; saturates.
static int64_t reachBelow(llvm::ArrayRef<StaticMode> modes, int64_t stride) {
  int64_t reach = 0;
  for (const StaticMode &mode : modes)
    if (mode.stride > 0 && mode.stride < stride && mode.size > 1) {
      auto part = mulChecked(mode.stride, mode.size - 1);
      auto sum = part ? addChecked(reach, *part) : std::nullopt;
      if (!sum)
        return INT64_MAX;
      reach = *sum;
    }
  return reach;
}

static LeafPlan planLeaf(llvm::ArrayRef<StaticMode> modes, size_t self) {
  const StaticMode &mine = modes[self];
  LeafPlan plan;
  if (mine.stride == 0 || mine.size == 1)
    return plan;
  int64_t common = 0;
  llvm::SmallVector<int64_t> larger;
  for (auto [i, other] : llvm::enumerate(modes)) {
    if (i == self || other.size == 1 || other.stride == 0)
      continue;
    plan.exact &= other.stride > 0 && other.stride != mine.stride;
    if (other.stride <= mine.stride)
      continue;
    common = gcd(common, other.stride);
    larger.push_back(other.stride);
  }
  plan.exact &= mine.stride > 0 && mine.size > 1 &&
                reachBelow(modes, mine.stride) < mine.stride;
  auto extent = mulChecked(mine.size, mine.stride);
  if (!plan.exact || common == 0 || (extent && common % *extent == 0))
    return plan;
  // The larger strides have a common divisor above all that lies below.
  auto nextStride = addChecked(mine.stride, 1);
  int64_t reach = reachBelow(modes, nextStride.value_or(INT64_MAX));
  if (reach < common) {
    plan.moduli.push_back(common);
    return plan;
  }
  // Or each stands above all that lies below itself.
  llvm::sort(larger, std::greater<int64_t>());
  for (int64_t stride : larger)
    plan.exact &= reachBelow(modes, stride) < stride;
  if (plan.exact)
    plan.moduli.assign(larger.begin(), larger.end());
  return plan;
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

/// The coordinate of one number.
static Result<IntTuple> coordOfIndex(const Int &index, const Layout &layout) {
  auto modes = staticModes(layout);
  llvm::SmallVector<LeafPlan> plans(layout.getShape().numLeaves());
  if (modes)
    for (size_t i = 0; i < modes->size(); ++i)
      plans[i] = planLeaf(*modes, i);
  const LeafPlan *plan = plans.begin();
  FLY_TRY(coord, coordOf(index, layout.getShape(), layout.getStride(), plan));
  bool exact = llvm::all_of(plans, [](const LeafPlan &p) { return p.exact; });
  if (!modes)
    return coord;
  if (index.isDynamic()) {
    if (exact)
      return coord;
    return fail("idx2crd_c3", "index to coordinate of the run-time index " +
                                  index.str() + " in " + layout.str() +
                                  ", whose modes interleave so that no "
                                  "division tells their coordinates apart");
  }
  int64_t wanted = index.getValue();
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
