// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two public names of this folder that stand for several passes, and the
// registration of everything in it.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace fly {
#define GEN_PASS_REGISTRATION
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;

void fly::buildLayoutLoweringPipeline(OpPassManager &pm,
                                      const LayoutLoweringOptions &options) {
  pm.addPass(createFlyExpandCopyGemmPass());
  pm.addPass(createFlyLowerMemoryOpsPass());
  pm.addPass(createFlyLowerPrintPass());
  // Here every address is an algebra op, and no algebra op is arithmetic yet.
  if (options.runtimeChecks)
    pm.addPass(createFlyInsertRuntimeChecksPass());
  pm.addPass(createFlyLowerAlgebraPass());
  pm.addPass(createFlyMergeOffsetsPass());
  pm.addPass(createFlyFoldPass());
  pm.addPass(createCSEPass());
}

void fly::buildPromoteRegmemToVectorSSAPipeline(OpPassManager &pm) {
  pm.addPass(createFlyPromoteRegistersPass());
  pm.addPass(createCSEPass());
}

void fly::registerFlyTransformsPasses() {
  registerFlyTransformsSinglePasses();
  PassPipelineRegistration<LayoutLoweringOptions>(
      "fly-layout-lowering",
      "Lower tensors, copies and the layout algebra to integer arithmetic and "
      "pointer accesses",
      buildLayoutLoweringPipeline);
  PassPipelineRegistration<>(
      "fly-promote-regmem-to-vectorssa",
      "Turn register allocations into SSA vectors",
      [](OpPassManager &pm) { buildPromoteRegmemToVectorSSAPipeline(pm); });
}
