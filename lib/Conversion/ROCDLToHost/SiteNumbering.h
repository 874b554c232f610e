// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of a kernel's sites, on which the lanes that go together depend:
// of the lanes of a wave that wait, those at the smallest site are served.

#ifndef FLY_LIB_CONVERSION_ROCDLTOHOST_SITENUMBERING_H
#define FLY_LIB_CONVERSION_ROCDLTOHOST_SITENUMBERING_H

#include "mlir/IR/Region.h"
#include "llvm/ADT/MapVector.h"

namespace fly::host {

/// Where lanes of a kernel stop, and the number of each place.
struct SiteNumbering {
  /// A cross-lane operation, the terminator of a latch, or the branch into a
  /// block where lanes meet that went around a barrier: the lane stops before
  /// it. The latches of one loop share one number.
  llvm::MapVector<mlir::Operation *, uint32_t> sites;
  /// One past the largest number.
  uint32_t count = 0;
};

/// Checks that every loop of `body` has one entry; emits an error at the
/// branch that enters one elsewhere.
mlir::LogicalResult checkReducible(mlir::Region &body);

/// Numbers the cross-lane operations of a kernel's body (reducible, without
/// unreachable blocks), 0 upwards. May split edges to make room for sites at
/// latches and joins.
SiteNumbering numberSites(mlir::Region &body);

} // namespace fly::host

#endif // FLY_LIB_CONVERSION_ROCDLTOHOST_SITENUMBERING_H
