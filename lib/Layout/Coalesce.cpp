// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coalesce and canonical strides.

#include "Fly/Layout/Algebra.h"

#include "ModeList.h"

#include "llvm/ADT/STLExtras.h"

using namespace fly::layout;

ModeList fly::layout::flatModes(const Layout &layout) {
  ModeList modes;
  modes.reserve(layout.getShape().numLeaves());
  layout.getShape().forEachLeaf(
      [&](const Leaf &leaf) { modes.push_back({leaf.getInt(), Leaf()}); });
  size_t next = 0;
  layout.getStride().forEachLeaf(
      [&](const Leaf &leaf) { modes[next++].stride = leaf; });
  return modes;
}

Layout fly::layout::fromModes(llvm::ArrayRef<Mode> modes) {
  if (modes.empty())
    return Layout();
  if (modes.size() == 1)
    return Layout(modes[0].size, modes[0].stride);
  std::vector<IntTuple> shapes, strides;
  for (const Mode &mode : modes) {
    shapes.push_back(mode.size);
    strides.push_back(mode.stride);
  }
  return Layout(IntTuple::tuple(std::move(shapes)),
                IntTuple::tuple(std::move(strides)));
}

/// True if `right` continues `left` without a gap: all static, along the same
/// coordinate, size times stride of the left is the stride of the right.
static bool continues(const Mode &left, const Mode &right) {
  if (!left.size.isStatic() || !right.size.isStatic() ||
      !left.stride.isStatic() || !right.stride.isStatic() ||
      left.stride.getModes() != right.stride.getModes())
    return false;
  auto end = mulChecked(left.size.getValue(), left.stride.getInt().getValue());
  return end && *end == right.stride.getInt().getValue();
}

Result<ModeList> fly::layout::coalescedModes(const Layout &layout,
                                             bool keepBoundary) {
  ModeList modes = flatModes(layout), reversed;
  Mode current = modes.pop_back_val();
  if (keepBoundary && current.size.isStatic(1))
    current.size = Int::constant(2);
  while (!modes.empty()) {
    Mode next = modes.pop_back_val();
    if (next.size.isStatic(1))
      continue;
    if (current.size.isStatic(1)) {
      current = std::move(next);
    } else if (continues(next, current)) {
      FLY_TRY(size, mul(next.size, current.size));
      current = {std::move(size), next.stride};
    } else {
      reversed.push_back(std::move(current));
      current = std::move(next);
    }
  }
  if (reversed.empty() && current.size.isStatic(1))
    current.stride = Leaf();
  reversed.push_back(std::move(current));
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

Result<Layout> fly::layout::coalesce(const Layout &layout) {
  if (layout.getShape().numLeaves() == 1) {
    if (flatModes(layout)[0].size.isStatic(1))
      return Layout();
    return layout;
  }
  FLY_TRY(modes, coalescedModes(layout, /*keepBoundary=*/false));
  return fromModes(modes);
}

Result<Layout> fly::layout::coalesce(const Layout &layout,
                                     const IntTuple &pattern) {
  if (pattern.isLeaf())
    return coalesce(layout);
  std::vector<Layout> modes;
  modes.reserve(layout.rank());
  for (size_t i = 0; i < layout.rank(); ++i) {
    if (i >= pattern.rank()) {
      modes.push_back(layout[i]);
      continue;
    }
    FLY_TRY(mode, coalesce(layout[i], pattern[i]));
    modes.push_back(std::move(mode));
  }
  return Layout::concat(modes);
}

static IntTuple canonical(const IntTuple &shape, const IntTuple &stride,
                          IntTuple &newShape) {
  if (shape.isLeaf()) {
    newShape = shape;
    return shape.isStaticLeaf(1) ? IntTuple(0) : stride;
  }
  if (shape.rank() == 1)
    return canonical(shape[0], stride[0], newShape);
  std::vector<IntTuple> shapes, strides;
  shapes.reserve(shape.rank());
  strides.reserve(shape.rank());
  for (size_t i = 0; i < shape.rank(); ++i) {
    IntTuple mode;
    strides.push_back(canonical(shape[i], stride[i], mode));
    shapes.push_back(std::move(mode));
  }
  newShape = IntTuple::tuple(std::move(shapes));
  return IntTuple::tuple(std::move(strides));
}

Layout fly::layout::canonicalStrides(const Layout &layout) {
  IntTuple shape;
  IntTuple stride = canonical(layout.getShape(), layout.getStride(), shape);
  return Layout(std::move(shape), std::move(stride));
}
