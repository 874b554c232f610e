// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that keep operations between lanes apart. MLIR's greedy driver merges
// blocks of a region that are alike, and several upstream conversions run it on
// whatever they are given. Lanes that took different ways would then meet at
// one operation, where the device and the CPU let each group have its own.

#ifndef FLY_LIB_PIPELINES_LANEOPERATIONS_H
#define FLY_LIB_PIPELINES_LANEOPERATIONS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace fly {

/// Makes no two operations of `module` alike that may work between lanes.
void markLaneOperations(mlir::gpu::GPUModuleOp module);

/// Takes the numbers away.
void unmarkLaneOperations(mlir::gpu::GPUModuleOp module);

} // namespace fly

#endif // FLY_LIB_PIPELINES_LANEOPERATIONS_H
