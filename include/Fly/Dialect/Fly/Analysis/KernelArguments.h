// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a host can pass to a kernel.

#ifndef FLY_DIALECT_FLY_ANALYSIS_KERNELARGUMENTS_H
#define FLY_DIALECT_FLY_ANALYSIS_KERNELARGUMENTS_H

#include "mlir/IR/Operation.h"

namespace fly {

/// Reports each argument of a kernel below `root` that is register memory: it
/// belongs to one lane and ends with the kernel, so no host has an address of
/// it to pass.
llvm::LogicalResult checkKernelArguments(mlir::Operation *root);

} // namespace fly

#endif // FLY_DIALECT_FLY_ANALYSIS_KERNELARGUMENTS_H
