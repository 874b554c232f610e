// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the passes that only pipelines need; see Passes.td.

#ifndef FLY_PIPELINES_PASSES_H
#define FLY_PIPELINES_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

namespace fly {

/// What happens to denormal operands and results of floating-point operations.
enum class DenormalMode { Default, Preserve, Flush };

#define GEN_PASS_DECL
#include "Fly/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Fly/Pipelines/Passes.h.inc"

} // namespace fly

#endif // FLY_PIPELINES_PASSES_H
