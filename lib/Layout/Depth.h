// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limit of nesting, private to the library. Tuples are walked recursively,
// so each operation that nests deeper than its operands passes its result
// through here.

#ifndef FLY_LIB_LAYOUT_DEPTH_H
#define FLY_LIB_LAYOUT_DEPTH_H

#include "Fly/Layout/IntTuple.h"

namespace fly::layout {

/// `value` (an int tuple or a layout), or the error depth_c1.
template <typename T>
Result<T> withinDepth(T value) {
  if (value.depth() > maxDepth)
    return fail("depth_c1", "result is nested deeper than " +
                                llvm::Twine(maxDepth) + " levels");
  return value;
}

} // namespace fly::layout

#endif // FLY_LIB_LAYOUT_DEPTH_H
