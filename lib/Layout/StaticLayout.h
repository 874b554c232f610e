// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts on plain numbers, private to the library: flat lists of static
// modes, and what can be found by trying. Used where an answer must be checked
// or searched against the definition itself.

#ifndef FLY_LIB_LAYOUT_STATICLAYOUT_H
#define FLY_LIB_LAYOUT_STATICLAYOUT_H

#include "Fly/Layout/Layout.h"
#include "Fly/Layout/Result.h"

namespace fly::layout {

struct StaticMode {
  int64_t size;
  int64_t stride;
};

/// The leaves of a layout of static sizes and integer strides, else nothing.
std::optional<llvm::SmallVector<StaticMode>> staticModes(const Layout &layout);

struct FoundCoordinate {
  /// One coordinate per mode within the sizes, 0 along stride 0.
  std::optional<llvm::SmallVector<int64_t>> coord;
  /// Without one: whether it is known that there is none.
  bool isKnown = true;
};

/// Looks for coordinates whose index is `index`, in up to 2^20 steps.
FoundCoordinate findCoordinate(llvm::ArrayRef<StaticMode> modes, int64_t index);

/// Whether all indices of modes with positive strides lie at least `gap` apart
/// (with a gap of 1: whether none repeats); nothing if 2^20 steps do not tell.
std::optional<bool> areApart(llvm::ArrayRef<StaticMode> modes, int64_t gap);

/// Smallest and largest index of a static layout: below one swizzle by visiting
/// the blocks at both ends, else all of at most `limit` coordinates. An error
/// "cosize_c1" if it is not static, not of integers, empty or larger, and
/// "int_overflow" if an index has no 64 bits.
Result<std::pair<int64_t, int64_t>> indexRange(const AnyLayout &layout,
                                               int64_t limit);

} // namespace fly::layout

#endif // FLY_LIB_LAYOUT_STATICLAYOUT_H
