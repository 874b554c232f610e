// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a view of shared memory is what a tensor copy writes: a descriptor
// walks shared memory linearly, whatever the view's layout says.

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_TENSORMAPS_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_TENSORMAPS_H

#include "Fly/Layout/Layout.h"

namespace fly::rocdl {

/// No workgroup has more bytes of shared memory; larger views are refused.
constexpr int64_t kMaxSharedElements = 1 << 20;

/// Where element `index` of a padded walk lies.
inline int64_t padIndex(int64_t index, int64_t interval, int64_t amount) {
  return interval ? index + index / interval * amount : index;
}

/// True if `layout` has the extents `extents` in its top-level modes (outermost
/// first) and places the elements row after row, padded as said.
bool isTiledRowMajor(const layout::Layout &layout,
                     llvm::ArrayRef<int64_t> extents, int64_t interval,
                     int64_t amount);

/// A difference between a copy and its descriptor.
struct MapMismatch {
  int64_t value;    ///< the number of the copied value
  int64_t expected; ///< its place in shared memory by the descriptor
  int64_t found;    ///< by the view
};

/// Compares, value by value, the walk of a descriptor with the view `shared`:
/// `coords` says where in the tensor value i is, on dimensions counted from the
/// innermost, `box` the extents of the descriptor's tile, innermost first. Both
/// layouts are static and of box size. A value outside of the box is a mismatch
/// with `expected` -1.
std::optional<MapMismatch> findMapMismatch(const layout::Layout &shared,
                                           const layout::Layout &coords,
                                           llvm::ArrayRef<int64_t> box,
                                           int64_t interval, int64_t amount);

} // namespace fly::rocdl

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_TENSORMAPS_H
