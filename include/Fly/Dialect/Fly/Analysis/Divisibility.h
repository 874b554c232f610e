// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known to divide an integer SSA value: from the ops that compute it,
// and from the promise of an int tuple's type where the value is a leaf.

#ifndef FLY_DIALECT_FLY_ANALYSIS_DIVISIBILITY_H
#define FLY_DIALECT_FLY_ANALYSIS_DIVISIBILITY_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace fly {

/// Divisors of the integer values inside of one op. Values that are created
/// later may be asked for, too; a value must not be erased while the analysis
/// lives.
class DivisibilityAnalysis {
public:
  /// Reads the promises of all int tuples inside of `root`.
  explicit DivisibilityAnalysis(mlir::Operation *root);

  /// A positive divisor of `value`, at most INT32_MAX: the larger of what its
  /// definition shows and what an int tuple promises. A constant gives its
  /// absolute value, 0 gives INT32_MAX; 1 means nothing is known.
  int64_t getDivisibility(mlir::Value value);

  /// `to` has taken the place of `from`: it inherits the promises.
  void replaced(mlir::Value from, mlir::Value to);

private:
  int64_t computeForward(mlir::Value value) const;

  llvm::DenseMap<mlir::Value, int64_t> promised;
  llvm::DenseMap<mlir::Value, int64_t> known;
};

} // namespace fly

#endif // FLY_DIALECT_FLY_ANALYSIS_DIVISIBILITY_H
