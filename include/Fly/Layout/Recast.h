// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recast: the same bits seen as items of another width.

#ifndef FLY_LAYOUT_RECAST_H
#define FLY_LAYOUT_RECAST_H

#include "Fly/Layout/Layout.h"

namespace fly::layout {

/// The layout of items of `newBits` bits over the bits that `layout` reaches
/// with items of `oldBits` bits. Widths that are not positive or equal leave
/// it unchanged. Each new item is exactly the bits of whole old items or
/// each old item the bits of whole new ones; errors: recast_c1 (basis
/// strides), recast_c2 (a group of items that is not contiguous), recast_c3
/// (a left-over: sizes, strides or offsets that the ratio does not divide),
/// recast_c4 (a reversed group), recast_c5 (a swizzle that moves parts of an
/// item, or a ratio that is no power of two below a swizzle). The inner map of
/// a composed layout is recast as a map of integers: recast_c2 where its first
/// items are not contiguous, recast_c4 where it takes negative indices.
Result<Layout> recast(const Layout &layout, int64_t oldBits, int64_t newBits);
Result<AnyLayout> recast(const AnyLayout &layout, int64_t oldBits,
                         int64_t newBits);
/// Groups of `factor` items become one; divides by it.
Result<Layout> upcast(const Layout &layout, int64_t factor);
/// Each item becomes `factor` items.
Result<Layout> downcast(const Layout &layout, int64_t factor);

} // namespace fly::layout

#endif // FLY_LAYOUT_RECAST_H
