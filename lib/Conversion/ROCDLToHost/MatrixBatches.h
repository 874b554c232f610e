// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix operations that can share one suspension. A lane's way to the
// scheduler and back costs several times what a matrix operation does, and
// kernels issue them in runs that do not depend on each other.

#ifndef FLY_LIB_CONVERSION_ROCDLTOHOST_MATRIXBATCHES_H
#define FLY_LIB_CONVERSION_ROCDLTOHOST_MATRIXBATCHES_H

#include "mlir/IR/Region.h"
#include "llvm/ADT/DenseSet.h"

namespace fly::host {

/// Reorders the blocks of `body` so that matrix operations of one batch stand
/// in a row, and returns those that are followed by another one of their
/// batch. A batch holds no operation that uses a result of another one in it,
/// and no access to memory lies between its members.
llvm::DenseSet<mlir::Operation *> formMatrixBatches(mlir::Region &body);

} // namespace fly::host

#endif // FLY_LIB_CONVERSION_ROCDLTOHOST_MATRIXBATCHES_H
