// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-rocdl-cluster-attr: cluster sizes as LLVM function attributes.

#include "Fly/Conversion/FlyToROCDL/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYROCDLCLUSTERATTRPASS
#include "Fly/Conversion/FlyToROCDL/Passes.h.inc"
} // namespace fly

namespace {
struct ClusterAttr : fly::impl::FlyROCDLClusterAttrPassBase<ClusterAttr> {
  void runOnOperation() override {
    bool changed = false;
    getOperation()->walk([&](LLVM::LLVMFuncOp function) {
      constexpr StringLiteral name = "rocdl.cluster_dims";
      auto dims = function->getAttrOfType<StringAttr>(name);
      if (!dims)
        return;
      Builder builder(function.getContext());
      SmallVector<Attribute> passthrough;
      if (ArrayAttr kept = function.getPassthroughAttr())
        llvm::append_range(passthrough, kept);
      passthrough.push_back(builder.getArrayAttr(
          {builder.getStringAttr("amdgpu-cluster-dims"), dims}));
      function.setPassthroughAttr(builder.getArrayAttr(passthrough));
      function->removeAttr(name);
      changed = true;
    });
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
