// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-record-signature`: keeps the argument types that the user wrote, so that
// a module of any later stage still says what its host functions take.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "Fly/Dialect/Fly/IR/FlyDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"

namespace fly {
#define GEN_PASS_DEF_FLYRECORDSIGNATUREPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;

namespace {

struct RecordSignaturePass
    : fly::impl::FlyRecordSignaturePassBase<RecordSignaturePass> {
  void runOnOperation() override {
    bool changed = false;
    getOperation()->walk([&](func::FuncOp function) {
      if (function.isExternal() || !function.isPublic() ||
          function->hasAttr("fly.signature") ||
          function->getParentOfType<gpu::GPUModuleOp>())
        return;
      Builder builder(function.getContext());
      function->setAttr("fly.signature",
                        builder.getTypeArrayAttr(function.getArgumentTypes()));
      changed = true;
    });
    if (!changed)
      markAllAnalysesPreserved();
  }
};

} // namespace
