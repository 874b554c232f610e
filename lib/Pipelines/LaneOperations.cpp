// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-mark-lane-operations.

#include "LaneOperations.h"

#include "Fly/Pipelines/Passes.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYMARKLANEOPERATIONSPASS
#include "Fly/Pipelines/Passes.h.inc"

static constexpr llvm::StringLiteral markName = "fly.apart";

/// No trait tells these operations, so all that might be one count.
static bool mayWorkBetweenLanes(Operation *op) {
  return !op->hasTrait<OpTrait::IsTerminator>() &&
         (isa_and_nonnull<ROCDL::ROCDLDialect, gpu::GPUDialect,
                          amdgpu::AMDGPUDialect>(op->getDialect()) ||
          isa<CallOpInterface, LLVM::CallIntrinsicOp, LLVM::InlineAsmOp>(op));
}

void markLaneOperations(gpu::GPUModuleOp module) {
  Type i64 = IntegerType::get(module.getContext(), 64);
  int64_t count = 0;
  module.getBody()->walk([&](Operation *op) {
    if (mayWorkBetweenLanes(op) && !op->getParentRegion()->hasOneBlock())
      op->setDiscardableAttr(markName, IntegerAttr::get(i64, count++));
  });
}

void unmarkLaneOperations(gpu::GPUModuleOp module) {
  module.walk([](Operation *op) { op->removeDiscardableAttr(markName); });
}

namespace {
struct MarkLaneOperations
    : public impl::FlyMarkLaneOperationsPassBase<MarkLaneOperations> {
  using FlyMarkLaneOperationsPassBase::FlyMarkLaneOperationsPassBase;

  void runOnOperation() override {
    (remove ? unmarkLaneOperations : markLaneOperations)(getOperation());
    markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace fly
