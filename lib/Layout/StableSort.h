// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stable sort without the temporary buffer of std::stable_sort, whose
// implementation in libstdc++ 12 uses a function that C++17 deprecates and
// clang warns about. Private to the library.

#ifndef FLY_LIB_LAYOUT_STABLESORT_H
#define FLY_LIB_LAYOUT_STABLESORT_H

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace fly::layout {

/// Sorts a vector; equal elements keep their order.
template <typename Vector, typename Less>
void stableSort(Vector &items, Less less) {
  std::vector<size_t> order(items.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (less(items[a], items[b]))
      return true;
    return !less(items[b], items[a]) && a < b;
  });
  Vector sorted;
  sorted.reserve(items.size());
  for (size_t i : order)
    sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

} // namespace fly::layout

#endif // FLY_LIB_LAYOUT_STABLESORT_H
