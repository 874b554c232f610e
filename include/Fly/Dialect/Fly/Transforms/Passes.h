// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of the fly dialect and the two public pipelines over them. Each
// pass is described in Passes.td; this header adds what TableGen cannot say.

#ifndef FLY_DIALECT_FLY_TRANSFORMS_PASSES_H
#define FLY_DIALECT_FLY_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"

#include <memory>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace fly {

#define GEN_PASS_DECL
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"

/// The options of `fly-layout-lowering`.
struct LayoutLoweringOptions
    : public mlir::PassPipelineOptions<LayoutLoweringOptions> {
  Option<bool> runtimeChecks{
      *this, "runtime-checks",
      llvm::cl::desc("Assert what only run-time values can break "
                     "(fly-insert-runtime-checks)"),
      llvm::cl::init(false)};
};

/// Appends the passes of `fly-layout-lowering` to `pm`: copy and gemm
/// expansion, memory ops, print, run-time checks if asked for, the algebra,
/// folding and CSE. Works under any root op and on any verified module; what
/// cannot be lowered is an error at its op.
void buildLayoutLoweringPipeline(mlir::OpPassManager &pm,
                                 const LayoutLoweringOptions &options);

/// Appends the passes of `fly-promote-regmem-to-vectorssa` to `pm`: promotion
/// and CSE.
void buildPromoteRegmemToVectorSSAPipeline(mlir::OpPassManager &pm);

/// Registers every pass of Passes.td and the pipelines above by their public
/// names.
void registerFlyTransformsPasses();

} // namespace fly

#endif // FLY_DIALECT_FLY_TRANSFORMS_PASSES_H
