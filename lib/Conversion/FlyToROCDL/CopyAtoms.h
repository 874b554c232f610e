// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emission models of the copy atoms, by file.

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_COPYATOMS_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_COPYATOMS_H

#include "mlir/IR/MLIRContext.h"

namespace fly::rocdl {

/// Copies of single lanes.
void attachCopyModels(mlir::MLIRContext &context);
/// `gfx1250.tdm`.
void attachTdmModel(mlir::MLIRContext &context);
/// `cdna5.tensor_load` and `cdna5.tensor_store`.
void attachTensorCopyModels(mlir::MLIRContext &context);

} // namespace fly::rocdl

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_COPYATOMS_H
