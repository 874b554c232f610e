// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assertions. In kernels cf.assert becomes a call that the CPU target reports,
// and that AMD code either traps on or does without; in host functions an error
// of the runtime and a return.

#include "Fly/Pipelines/Passes.h"
#include "fly_runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYLOWERASSERTSPASS
#define GEN_PASS_DEF_FLYLOWERASSERTCALLSPASS
#define GEN_PASS_DEF_FLYLOWERHOSTASSERTSPASS
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
      return markAllAnalysesPreserved();

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

/// "file:line:column: ", or nothing for a place without these.
std::string getPlace(Location location) {
  std::string text;
  location->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    text = (Twine(file.getFilename().getValue()) + ":" + Twine(file.getLine()) +
            ":" + Twine(file.getColumn()) + ": ")
               .str();
    return WalkResult::interrupt();
  });
  return text;
}

struct LowerHostAsserts
    : public impl::FlyLowerHostAssertsPassBase<LowerHostAsserts> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::SmallVector<cf::AssertOp> asserts;
    llvm::SmallVector<LLVM::UnreachableOp> ends;
    for (auto function : module.getOps<func::FuncOp>())
      function.walk([&](Operation *op) {
        if (auto check = dyn_cast<cf::AssertOp>(op))
          asserts.push_back(check);
        if (auto end = dyn_cast<LLVM::UnreachableOp>(op))
          ends.push_back(end);
      });
    OpBuilder builder(module.getContext());
    for (cf::AssertOp op : asserts)
      if (failed(lower(op, module, builder)))
        return signalPassFailure();
    for (LLVM::UnreachableOp op : ends) {
      if (!verifyPlace(op))
        return signalPassFailure();
      builder.setInsertionPoint(op);
      report(op, "reached llvm.unreachable", module, builder);
      op.erase();
    }
  }

private:
  static constexpr llvm::StringLiteral kReport = "flyRuntimeReportError";

  /// The address of a global that holds `text`, at the insertion point.
  Value createText(StringRef text, Location location, ModuleOp module,
                   OpBuilder &builder) {
    std::string name;
    do
      name = "fly_assert_text_" + std::to_string(numTexts++);
    while (module.lookupSymbol(name));
    std::string bytes = text.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    LLVM::GlobalOp global;
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      global =
          LLVM::GlobalOp::create(builder, location, type,
                                 /*isConstant=*/true, LLVM::Linkage::Internal,
                                 name, builder.getStringAttr(bytes));
    }
    return LLVM::AddressOfOp::create(builder, location, global);
  }

  /// Whether the function of `op` can be left there; an error if not.
  bool verifyPlace(Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op->getParentOp());
    if (!function) {
      op->emitOpError("stands in '")
          << op->getParentOp()->getName()
          << "', lower structured control flow first";
      return false;
    }
    Builder builder(op->getContext());
    for (Type type : function.getResultTypes())
      if (!builder.getZeroAttr(type) && !LLVM::isCompatibleType(type)) {
        op->emitOpError("cannot leave a function that returns ") << type;
        return false;
      }
    return true;
  }

  /// At the insertion point: reports `message` with the place of `op`, and
  /// returns.
  void report(Operation *op, const Twine &message, ModuleOp module,
              OpBuilder &builder) {
    Location location = op->getLoc();
    auto code = LLVM::ConstantOp::create(
        builder, location, builder.getI32Type(),
        builder.getI32IntegerAttr(FLY_RUNTIME_ERROR_ASSERTION));
    Value text = createText(getPlace(location) + message.str(), location,
                            module, builder);
    if (!module.lookupSymbol(kReport)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      LLVM::LLVMFuncOp::create(
          builder, module.getLoc(), kReport,
          LLVM::LLVMFunctionType::get(
              LLVM::LLVMVoidType::get(module.getContext()),
              {builder.getI32Type(),
               LLVM::LLVMPointerType::get(module.getContext())}));
    }
    LLVM::CallOp::create(builder, location, TypeRange(), kReport,
                         ValueRange({code.getResult(), text}));
    llvm::SmallVector<Value> zeros;
    for (Type type : op->getParentOfType<func::FuncOp>().getResultTypes()) {
      if (TypedAttr zero = builder.getZeroAttr(type))
        zeros.push_back(arith::ConstantOp::create(builder, location, zero));
      else
        zeros.push_back(LLVM::ZeroOp::create(builder, location, type));
    }
    func::ReturnOp::create(builder, location, zeros);
  }

  /// Replaces `op` by a branch to a report and a return.
  LogicalResult lower(cf::AssertOp op, ModuleOp module, OpBuilder &builder) {
    if (!verifyPlace(op))
      return failure();
    Block *before = op->getBlock();
    Block *after = before->splitBlock(op->getNextNode());
    Block *failed = builder.createBlock(after);
    report(op, "assertion failed: " + op.getMsg(), module, builder);
    builder.setInsertionPointToEnd(before);
    cf::CondBranchOp::create(builder, op.getLoc(), op.getArg(), after, failed);
    op.erase();
    return success();
  }

  unsigned numTexts = 0;
};
} // namespace
} // namespace fly
