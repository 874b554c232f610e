// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of layouts.

#include "Fly/Layout/Product.h"

#include "Depth.h"
#include "ModeList.h"

using namespace fly::layout;

/// The places of the copies are a line where `rest` is one mode; else they have
/// an order only from 0 upwards, and the copies of negative indices would fall
/// into others.
static std::optional<Error> checkForward(const Layout &a, const Layout &rest,
                                         const Layout &b) {
  for (const Mode &mode : flatModes(b)) {
    const Int &d = mode.stride.getInt();
    if (mode.stride.isBasis() || !d.isStatic() || d.getValue() >= 0 ||
        mode.size.isStatic(1))
      continue;
    FLY_TRY(line, coalesce(rest));
    if (line.rank() > 1)
      return fail("product_c2", "tiler " + b.str() +
                                    " has the negative stride " + d.str() +
                                    ", and the copies of " + a.str() +
                                    " lie at " + rest.str() +
                                    ", which does not go on below 0");
  }
  return std::nullopt;
}

Result<Layout> fly::layout::logicalProduct(const Layout &a, const Layout &b) {
  // Modes of stride 0 take no place, so the copies need none for them.
  FLY_TRY(places, filterZero(a.getStride(), a.getShape()));
  FLY_TRY(count, size(places));
  FLY_TRY(extent, cosize(b));
  FLY_TRY(codomain, mul(count, extent));
  FLY_TRY(rest, complement(a, codomain));
  if (auto error = checkForward(a, rest, b))
    return *error;
  FLY_TRY(repetition, composition(rest, b));
  return withinDepth(canonicalStrides(Layout::concat({a, repetition})));
}

Result<Layout> fly::layout::zippedProduct(const Layout &a, const Layout &b) {
  return logicalProduct(a, b);
}

Result<Layout> fly::layout::tiledProduct(const Layout &a, const Layout &b) {
  FLY_TRY(product, logicalProduct(a, b));
  return expand(product, {1});
}

Result<Layout> fly::layout::flatProduct(const Layout &a, const Layout &b) {
  FLY_TRY(product, logicalProduct(a, b));
  return expand(product, {0, 1});
}

/// Extends with modes 1:0 to `rank`; a leaf becomes a tuple.
static Layout pad(const Layout &layout, size_t rank) {
  std::vector<Layout> modes;
  for (size_t i = 0; i < std::max(rank, layout.rank()); ++i)
    modes.push_back(i < layout.rank() ? layout[i] : Layout());
  return Layout::concat(modes);
}

/// Mode i pairs the modes i of both parts of `rank` modes; parts of one mode
/// are the pair (however many modes that one was split into).
static Result<Layout> interleave(const Layout &first, const Layout &second,
                                 size_t rank) {
  Layout pair = Layout::concat({first, second});
  if (rank == 1)
    return withinDepth(std::move(pair));
  FLY_TRY(shape, zip(pair.getShape()));
  FLY_TRY(stride, zip(pair.getStride()));
  return Layout::get(std::move(shape), std::move(stride));
}

Result<Layout> fly::layout::blockedProduct(const Layout &a, const Layout &b) {
  size_t rank = std::max(a.rank(), b.rank());
  FLY_TRY(product, logicalProduct(pad(a, rank), pad(b, rank)));
  return interleave(product[0], product[1], rank);
}

Result<Layout> fly::layout::rakedProduct(const Layout &a, const Layout &b) {
  size_t rank = std::max(a.rank(), b.rank());
  FLY_TRY(product, logicalProduct(pad(a, rank), pad(b, rank)));
  return interleave(product[1], product[0], rank);
}

Result<Layout> fly::layout::tileToShape(const Layout &block,
                                        const IntTuple &shape,
                                        const IntTuple &order) {
  size_t rank = shape.rank();
  Layout padded = block.rank() < rank ? pad(block, rank) : block;
  FLY_TRY(target, productEach(shape));
  FLY_TRY(extent, productEach(padded.getShape()));
  FLY_TRY(counts, ceilDiv(target, extent));
  FLY_TRY(repetition, makeOrderedLayout(counts, order));
  return blockedProduct(padded, repetition);
}
