// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A flat layout as a list of modes, private to the library: what coalesce
// produces and composition, complement, inverses and recast work on.

#ifndef FLY_LIB_LAYOUT_MODELIST_H
#define FLY_LIB_LAYOUT_MODELIST_H

#include "Fly/Layout/Layout.h"

namespace fly::layout {

struct Mode {
  Int size;
  Leaf stride;

  bool hasStaticStride() const { return stride.isStatic(); }
};
using ModeList = llvm::SmallVector<Mode>;

/// The leaves of a layout, left to right.
ModeList flatModes(const Layout &layout);
/// No mode: 1:0. One: a leaf. More: a flat tuple.
Layout fromModes(llvm::ArrayRef<Mode> modes);
/// The coalesced modes; never empty. With `keepBoundary` the last mode stands
/// for all coordinates past the end: its stride is kept even if its size is 1
/// (the size then becomes 2).
Result<ModeList> coalescedModes(const Layout &layout, bool keepBoundary);

} // namespace fly::layout

#endif // FLY_LIB_LAYOUT_MODELIST_H
