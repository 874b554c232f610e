// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits of host functions for streams that they were given.

#include "Fly/Pipelines/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYLOWERHOSTWAITSPASS
#include "Fly/Pipelines/Passes.h.inc"

namespace {
/// Waits for what a stream that the function was given has to do; upstream's
/// conversion would take it for an event.
struct LowerHostWaits : public impl::FlyLowerHostWaitsPassBase<LowerHostWaits> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::SmallVector<gpu::WaitOp> waits;
    for (auto function : module.getOps<func::FuncOp>())
      function.walk([&](gpu::WaitOp op) {
        if (llvm::any_of(op.getAsyncDependencies(), isStream))
          waits.push_back(op);
      });
    if (waits.empty())
      return;
    OpBuilder builder(module.getContext());
    if (!module.lookupSymbol(synchronize)) {
      auto pointer = LLVM::LLVMPointerType::get(module.getContext());
      builder.setInsertionPointToEnd(module.getBody());
      LLVM::LLVMFuncOp::create(
          builder, module.getLoc(), synchronize,
          LLVM::LLVMFunctionType::get(
              LLVM::LLVMVoidType::get(module.getContext()), {pointer}));
    }
    for (gpu::WaitOp op : waits)
      if (failed(lower(op, builder)))
        return signalPassFailure();
  }

private:
  static constexpr llvm::StringLiteral synchronize = "mgpuStreamSynchronize";

  /// A parameter of the function.
  static bool isStream(Value token) {
    auto argument = dyn_cast<BlockArgument>(token);
    return argument && argument.getOwner()->isEntryBlock() &&
           isa<func::FuncOp>(argument.getOwner()->getParentOp());
  }

  LogicalResult lower(gpu::WaitOp op, OpBuilder &builder) {
    if (op.getAsyncToken())
      return op.emitOpError("makes a token of parameter #")
             << cast<BlockArgument>(
                    *llvm::find_if(op.getAsyncDependencies(), isStream))
                    .getArgNumber()
             << ", a stream, expected a gpu.wait without 'async', or the "
                "parameter as the launch's own stream";
    auto pointer = LLVM::LLVMPointerType::get(op.getContext());
    builder.setInsertionPoint(op);
    llvm::SmallVector<Value> others;
    for (Value token : op.getAsyncDependencies()) {
      if (!isStream(token)) {
        others.push_back(token);
        continue;
      }
      Value stream = UnrealizedConversionCastOp::create(builder, op.getLoc(),
                                                        pointer, token)
                         .getResult(0);
      LLVM::CallOp::create(builder, op.getLoc(), TypeRange(), synchronize,
                           stream);
    }
    if (others.empty())
      op.erase();
    else
      op.getAsyncDependenciesMutable().assign(others);
    return success();
  }
};
} // namespace
} // namespace fly
