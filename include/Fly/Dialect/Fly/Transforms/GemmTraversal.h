// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which a tiled multiplication visits its (m, n, k) steps. Numbers
// only: nothing here creates an op.

#ifndef FLY_DIALECT_FLY_TRANSFORMS_GEMMTRAVERSAL_H
#define FLY_DIALECT_FLY_TRANSFORMS_GEMMTRAVERSAL_H

#include "Fly/Dialect/Fly/IR/FlyAttrs.h"
#include "Fly/Layout/Result.h"

#include "llvm/ADT/SmallVector.h"

namespace fly {

struct GemmExtents {
  int64_t m = 1, n = 1, k = 1;

  /// m * n * k, or nothing beyond 64 bits.
  std::optional<int64_t> getCount() const;
};

struct GemmStep {
  int64_t m = 0, n = 0, k = 0;
};

/// All steps in the order of `order` (default `nmk`): the last letter is the
/// outermost loop. Without K only the order of M and N counts. Serpentine: the
/// middle loop runs backwards in odd steps of the outer one, the inner loop in
/// odd steps of both outer ones together.
llvm::SmallVector<GemmStep> traverse(const GemmExtents &extents, bool hasK,
                                     std::optional<GemmTraversalOrder> order);

/// The steps that a traversal layout lists: iteration i is the step whose
/// column-major number over (M, N, K) is the layout's index of i. Error gemm_c4
/// if the layout is not static or not one to one onto all steps.
layout::Result<llvm::SmallVector<GemmStep>> traverse(const GemmExtents &extents,
                                                     LayoutAttr traversal);

} // namespace fly

#endif // FLY_DIALECT_FLY_TRANSFORMS_GEMMTRAVERSAL_H
