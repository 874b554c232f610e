// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The left inverse of any static layout, by search; private to the library.

#ifndef FLY_LIB_LAYOUT_INVERSESEARCH_H
#define FLY_LIB_LAYOUT_INVERSESEARCH_H

#include "ModeList.h"

namespace fly::layout {

/// A static mode of a layout and the number of its coordinate 1.
struct NumberedMode {
  int64_t size;
  int64_t stride;
  int64_t number;
};

struct InverseSearchResult {
  /// The inverse, where there is one.
  std::optional<Layout> inverse;
  /// Two coordinate numbers with the same index.
  std::optional<std::pair<int64_t, int64_t>> collision;
  /// Without either: whether it is known that no layout inverts the modes, or
  /// the search was too long.
  bool isKnown = true;
};

/// Looks for R with R(sum of x * stride) = sum of x * number for all x below
/// the sizes. Sizes are above 1, strides not 0.
InverseSearchResult searchLeftInverse(llvm::ArrayRef<NumberedMode> modes);

} // namespace fly::layout

#endif // FLY_LIB_LAYOUT_INVERSESEARCH_H
