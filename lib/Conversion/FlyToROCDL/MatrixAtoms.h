// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emission of the matrix atoms of `fly_rocdl`.

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_MATRIXATOMS_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_MATRIXATOMS_H

namespace mlir {
class MLIRContext;
}

namespace fly::rocdl {

/// Attaches the emission interface to the matrix atom types.
void attachMatrixModels(mlir::MLIRContext &context);

} // namespace fly::rocdl

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_MATRIXATOMS_H
