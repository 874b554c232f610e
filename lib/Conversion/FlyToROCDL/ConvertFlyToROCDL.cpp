// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass convert-fly-to-rocdl: checks against the chip, one dialect
// conversion with the patterns of this folder and of FlyToLLVM, and a look at
// what is left.

#include "Buffer.h"
#include "SharedMemory.h"
#include "TargetChip.h"

#include "Fly/Conversion/FlyToLLVM/Patterns.h"
#include "Fly/Conversion/FlyToLLVM/TypeConverter.h"
#include "Fly/Conversion/FlyToROCDL/Passes.h"
#include "Fly/Dialect/Fly/Analysis/KernelArguments.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_CONVERTFLYTOROCDLPASS
#include "Fly/Conversion/FlyToROCDL/Passes.h.inc"
} // namespace fly

namespace {

bool isOurs(Dialect *dialect) {
  return isa_and_nonnull<fly::FlyDialect, fly::rocdl::FlyROCDLDialect>(dialect);
}

/// The operations of the two dialects, and the casts that a conversion leaves.
bool mustGo(Operation *op) {
  return isOurs(op->getDialect()) || isa<UnrealizedConversionCastOp>(op);
}

/// Erases operations of ours that have no use and no effect, users first.
void eraseDead(Operation *root) {
  SmallVector<Operation *> candidates;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != root && mustGo(op))
      candidates.push_back(op);
  });
  for (Operation *op : llvm::reverse(candidates))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// The pass that removes an operation before this one can convert the rest.
StringRef getEarlierPass(Operation *op) {
  if (isa<fly::CopyOp, fly::GemmOp, fly::AlgebraOpInterface,
          fly::MemRefAllocaOp, fly::MemRefLoadOp, fly::MemRefStoreOp,
          fly::MemRefLoadVecOp, fly::MemRefStoreVecOp, fly::MakeFragmentLikeOp,
          fly::MmaMakeFragmentOp, fly::PrintOp>(op))
    return "fly-layout-lowering";
  return {};
}

/// Reports every operation that is still of ours, and every other one that has
/// a value of ours.
LogicalResult reportLeftovers(Operation *root) {
  LogicalResult result = success();
  auto report = [&](Operation *op, StringRef what, Type type) {
    op->emitOpError() << "has " << what << " of type " << type
                      << ", which has no form in LLVM; run "
                         "fly-rewrite-func-signature first";
    result = failure();
  };
  auto findOurs = [](TypeRange types) {
    auto found = llvm::find_if(
        types, [](Type type) { return isOurs(&type.getDialect()); });
    return found == types.end() ? Type() : *found;
  };
  root->walk([&](Operation *op) {
    if (isOurs(op->getDialect())) {
      InFlightDiagnostic diag =
          op->emitError() << "failed to legalize operation '" << op->getName()
                          << "' that was explicitly marked illegal";
      if (StringRef pass = getEarlierPass(op); !pass.empty())
        diag << "; run " << pass << " first";
      result = failure();
      return;
    }
    // What a cast brings back is reported where it is used.
    if (isa<UnrealizedConversionCastOp>(op))
      return;
    if (auto function = dyn_cast<FunctionOpInterface>(op)) {
      if (Type type = findOurs(function.getArgumentTypes()))
        return report(op, "an argument", type);
      if (Type type = findOurs(function.getResultTypes()))
        return report(op, "a result", type);
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        if (Type type = findOurs(block.getArgumentTypes()))
          return report(op, "an argument", type);
    if (Type type = findOurs(op->getOperandTypes()))
      return report(op, "an operand", type);
    if (Type type = findOurs(op->getResultTypes()))
      report(op, "a result", type);
  });
  return result;
}

struct ConvertFlyToROCDL
    : fly::impl::ConvertFlyToROCDLPassBase<ConvertFlyToROCDL> {
  using ConvertFlyToROCDLPassBase::ConvertFlyToROCDLPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertFlyToROCDLPassBase::getDependentDialects(registry);
    // So that the pass also works where only it was registered.
    fly::registerFlyToLLVMModels(registry);
    fly::registerFlyToROCDLModels(registry);
  }

  void runOnOperation() override {
    Operation *root = getOperation();
    auto chips = fly::rocdl::TargetChips::get(root, chip);
    if (failed(chips))
      return signalPassFailure();
    // What is dead needs no chip and no memory.
    eraseDead(root);
    fly::rocdl::SharedGlobals globals;
    bool good = succeeded(fly::checkKernelArguments(root));
    good &= succeeded(fly::rocdl::checkAtoms(root, *chips));
    good &= succeeded(fly::rocdl::createSharedGlobals(root, *chips, globals));
    if (!good)
      return signalPassFailure();

    fly::FlyTypeConverter converter;
    auto buffer = [](auto type) -> std::optional<Type> {
      if (!fly::rocdl::isBufferSpace(type.getAddressSpace()))
        return std::nullopt;
      return fly::rocdl::getBufferType(type.getContext());
    };
    converter.addConversion(
        [&](fly::PointerType type) { return buffer(type); });
    converter.addConversion([&](fly::MemRefType type) { return buffer(type); });

    // Operations of ours are of unknown legality: one that no pattern takes
    // stays and is reported with its reason below.
    ConversionTarget target(getContext());
    RewritePatternSet patterns(&getContext());
    fly::ConversionErrors errors;
    fly::populateFlyPointerToLLVMPatterns(converter, patterns, errors);
    fly::populateFlyAtomToLLVMPatterns(converter, patterns, errors);
    fly::populateBoundaryConversionPatterns(converter, patterns, target,
                                            isOurs);
    fly::rocdl::populateBufferPatterns(converter, patterns, errors);
    fly::rocdl::populateSharedMemoryPatterns(converter, patterns, globals);
    // A folder would make `fly.static` of what a pattern is to convert.
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyPartialConversion(root, target, std::move(patterns),
                                      config)) ||
        errors.reported)
      return signalPassFailure();
    eraseDead(root);
    if (failed(reportLeftovers(root)))
      signalPassFailure();
  }
};

} // namespace
