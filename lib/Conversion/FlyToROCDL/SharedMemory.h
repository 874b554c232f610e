// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of kernels: one LDS global for each static allocation, one for
// the dynamic memory of a module.

#ifndef FLY_LIB_CONVERSION_FLYTOROCDL_SHAREDMEMORY_H
#define FLY_LIB_CONVERSION_FLYTOROCDL_SHAREDMEMORY_H

#include "TargetChip.h"

#include "Fly/Conversion/FlyToLLVM/Patterns.h"

namespace fly::rocdl {

/// The LDS global of each `make_ptr` in shared space and each `get_dyn_shared`.
using SharedGlobals = llvm::DenseMap<mlir::Operation *, mlir::StringAttr>;

/// Creates the globals under `root`. An allocation outside of a `gpu.module`,
/// one without a size, and kernels whose allocations exceed the LDS of their
/// chip are errors.
llvm::LogicalResult createSharedGlobals(mlir::Operation *root,
                                        const TargetChips &chips,
                                        SharedGlobals &globals);

/// Patterns of the two operations.
void populateSharedMemoryPatterns(const mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns,
                                  const SharedGlobals &globals);

} // namespace fly::rocdl

#endif // FLY_LIB_CONVERSION_FLYTOROCDL_SHAREDMEMORY_H
