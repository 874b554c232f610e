// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assertions in kernels: cf.assert becomes a call that the CPU target reports,
// and that AMD code either traps on or does without.

#include "Fly/Pipelines/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYLOWERASSERTSPASS
#define GEN_PASS_DEF_FLYLOWERASSERTCALLSPASS
#include "Fly/Pipelines/Passes.h.inc"

/// The function that a failed assertion calls, and the attribute of the module
/// that gives the text of each number.
static constexpr llvm::StringLiteral kFunction = "__fly_assert";
static constexpr llvm::StringLiteral kTable = "fly.assertions";

namespace {
struct LowerAsserts : public impl::FlyLowerAssertsPassBase<LowerAsserts> {
  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    llvm::SmallVector<cf::AssertOp> asserts;
    module.walk([&](cf::AssertOp op) { asserts.push_back(op); });
    if (asserts.empty())
      return;

    // Numbers go on behind those that an earlier run has given.
    llvm::SmallVector<Attribute> table;
    if (auto present = module->getAttrOfType<ArrayAttr>(kTable))
      table.append(present.begin(), present.end());
    OpBuilder builder(module.getContext());
    for (cf::AssertOp op : asserts) {
      int32_t id = static_cast<int32_t>(table.size()) + 1;
      table.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("id", builder.getI32IntegerAttr(id)),
           builder.getNamedAttr("message", op.getMsgAttr()),
           builder.getNamedAttr("location", LocationAttr(op.getLoc()))}));
      lower(op, id, builder);
    }
    module->setAttr(kTable, builder.getArrayAttr(table));
    if (!module.lookupSymbol(kFunction)) {
      builder.setInsertionPointToStart(module.getBody());
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), kFunction,
                               LLVM::LLVMFunctionType::get(
                                   LLVM::LLVMVoidType::get(module.getContext()),
                                   {builder.getI32Type()}));
    }
  }

private:
  /// Replaces `op` by a branch around a call with its number.
  void lower(cf::AssertOp op, int32_t id, OpBuilder &builder) {
    Location location = op.getLoc();
    Block *before = op->getBlock();
    Block *after = before->splitBlock(op->getNextNode());
    Block *failed = builder.createBlock(after);
    auto number = LLVM::ConstantOp::create(
        builder, location, builder.getI32Type(), builder.getI32IntegerAttr(id));
    LLVM::CallOp::create(builder, location, TypeRange(), kFunction,
                         ValueRange(number.getResult()));
    cf::BranchOp::create(builder, location, after);
    builder.setInsertionPointToEnd(before);
    cf::CondBranchOp::create(builder, location, op.getArg(), after, failed);
    op.erase();
  }
};

struct LowerAssertCalls
    : public impl::FlyLowerAssertCallsPassBase<LowerAssertCalls> {
  using FlyLowerAssertCallsPassBase::FlyLowerAssertCallsPassBase;

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    llvm::SmallVector<LLVM::CallOp> calls;
    module.walk([&](LLVM::CallOp call) {
      if (call.getCallee() == llvm::StringRef(kFunction))
        calls.push_back(call);
    });
    for (LLVM::CallOp call : calls) {
      if (trap) {
        OpBuilder builder(call);
        LLVM::Trap::create(builder, call.getLoc());
      }
      call.erase();
    }
    Operation *function = module.lookupSymbol(kFunction);
    if (function && SymbolTable::symbolKnownUseEmpty(function, module))
      function->erase();
    module->removeAttr(kTable);
  }
};
} // namespace
} // namespace fly
