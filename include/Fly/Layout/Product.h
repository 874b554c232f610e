// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of layouts: the first layout, repeated as the second one says, and
// the layouts built from a shape and an order (identity, ordered, like,
// fragment, tile_to_shape).

#ifndef FLY_LAYOUT_PRODUCT_H
#define FLY_LAYOUT_PRODUCT_H

#include "Fly/Layout/Divide.h"

namespace fly::layout {

/// (A, complement(A, size A * cosize B) o B): A itself, then its repetitions.
/// Errors of complement and composition; product_c2 (in all forms): B has
/// negative strides, and the complement is more than one mode.
Result<Layout> logicalProduct(const Layout &a, const Layout &b);
Result<Layout> zippedProduct(const Layout &a, const Layout &b);
/// (A, modes of the repetition...)
Result<Layout> tiledProduct(const Layout &a, const Layout &b);
/// (modes of A..., modes of the repetition...)
Result<Layout> flatProduct(const Layout &a, const Layout &b);
/// Mode i is (mode i of A, mode i of the repetition): blocks stay together.
Result<Layout> blockedProduct(const Layout &a, const Layout &b);
/// Mode i is (mode i of the repetition, mode i of A): blocks interleave.
Result<Layout> rakedProduct(const Layout &a, const Layout &b);

/// shape : basisLike(shape). Error layout_c2: a basis leaf in the shape.
Result<Layout> makeIdentityLayout(const IntTuple &shape);
/// Packed layout whose modes are laid out by ascending order value: static
/// values first, by value and then position, run-time ones after them by
/// position. A leaf of `order` orders the whole part of the shape against it.
/// Errors make_ordered_layout_c1 (ranks differ), make_ordered_layout_c2 (a
/// basis leaf in the order).
Result<Layout> makeOrderedLayout(const IntTuple &shape, const IntTuple &order);
/// A packed layout with the shape of L and its strides' order; modes of
/// stride 0 take no room.
Result<Layout> makeLayoutLike(const Layout &layout);
/// Packed layout of registers: mode 0 (the values of an atom) first and
/// column-major, the other modes after it in the order of their strides.
Result<Layout> makeFragmentLayout(const Layout &layout);
/// The block repeated, in the given order, until it has the target shape
/// (rounded up). Errors: make_ordered_layout_c1, those of complement.
Result<Layout> tileToShape(const Layout &block, const IntTuple &shape,
                           const IntTuple &order);

} // namespace fly::layout

#endif // FLY_LAYOUT_PRODUCT_H
