// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `fly-rewrite-func-signature`: a 1:N type conversion of everything that
// crosses a function, call, launch, branch or structured-control-flow boundary.
// How a value travels (its carriers, packing and unpacking) is in
// ValueCarriers; this file holds the patterns and what is legal.

#include "Fly/Dialect/Fly/Transforms/Passes.h"

#include "ValueCarriers.h"

#include "Fly/Dialect/Fly/Analysis/KernelArguments.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

namespace fly {
#define GEN_PASS_DEF_FLYREWRITEFUNCSIGNATUREPASS
#include "Fly/Dialect/Fly/Transforms/Passes.h.inc"
} // namespace fly

using namespace mlir;
using namespace fly;

namespace {

//===----------------------------------------------------------------------===//
// Type conversion
//===----------------------------------------------------------------------===//

/// Types to carriers, with the packing and unpacking code as materialisations.
struct CarrierConverter : TypeConverter {
  CarrierConverter() {
    addConversion([](Type type, SmallVectorImpl<Type> &results) {
      getCarrierTypes(type, results);
      return success();
    });
    addSourceMaterialization([](OpBuilder &builder, Type type,
                                ValueRange carriers, Location loc) -> Value {
      return unpackValue(builder, loc, type, carriers);
    });
    addTargetMaterialization([](OpBuilder &builder, TypeRange types,
                                ValueRange values,
                                Location loc) -> SmallVector<Value> {
      if (values.size() != 1)
        return {};
      SmallVector<Value> carriers = packValue(builder, loc, values.front());
      if (TypeRange(ValueRange(carriers)) != types)
        return {};
      return carriers;
    });
  }
};

/// All values of a list of 1:N operands, one after the other.
SmallVector<Value> flatten(ArrayRef<ValueRange> ranges) {
  SmallVector<Value> values;
  for (ValueRange range : ranges)
    llvm::append_range(values, range);
  return values;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// The attribute dictionaries of `types` after conversion: the first carrier
/// takes those of the value.
ArrayAttr convertAttributes(ArrayAttr attributes, TypeRange types) {
  if (!attributes)
    return {};
  MLIRContext *context = attributes.getContext();
  SmallVector<Attribute> converted;
  for (auto [attribute, type] : llvm::zip(attributes, types)) {
    SmallVector<Type> carriers;
    getCarrierTypes(type, carriers);
    for (unsigned i = 0, e = carriers.size(); i < e; ++i)
      converted.push_back(i == 0 ? attribute : DictionaryAttr::get(context));
  }
  return ArrayAttr::get(context, converted);
}

struct ConvertFunction : OpInterfaceConversionPattern<FunctionOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult
  matchAndRewrite(FunctionOpInterface op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<FunctionType>(op.getFunctionType());
    if (!type)
      return rewriter.notifyMatchFailure(op, "no builtin function type");
    const TypeConverter &converter = *getTypeConverter();
    TypeConverter::SignatureConversion inputs(type.getNumInputs());
    SmallVector<Type> results;
    if (failed(converter.convertSignatureArgs(type.getInputs(), inputs)) ||
        failed(converter.convertTypes(type.getResults(), results)))
      return rewriter.notifyMatchFailure(op, "types without carriers");

    if (!op.isExternal()) {
      // The entry block of a gpu.func has its memory attributions behind the
      // arguments; those stay.
      Block &entry = op.getFunctionBody().front();
      TypeConverter::SignatureConversion block(entry.getNumArguments());
      for (auto [index, argument] : llvm::enumerate(entry.getArguments())) {
        SmallVector<Type> carriers = {argument.getType()};
        if (index < type.getNumInputs()) {
          carriers.clear();
          getCarrierTypes(argument.getType(), carriers);
        }
        // An argument without carriers is dropped and rebuilt from its type.
        if (!carriers.empty())
          block.addInputs(index, carriers);
      }
      if (failed(rewriter.convertRegionTypes(&op.getFunctionBody(), converter,
                                             &block)))
        return failure();
    }

    rewriter.modifyOpInPlace(op, [&] {
      ArrayAttr argAttrs =
          convertAttributes(op.getArgAttrsAttr(), type.getInputs());
      ArrayAttr resAttrs =
          convertAttributes(op.getResAttrsAttr(), type.getResults());
      op.setFunctionTypeAttr(TypeAttr::get(FunctionType::get(
          op.getContext(), inputs.getConvertedTypes(), results)));
      if (argAttrs)
        op.setArgAttrsAttr(argAttrs);
      if (resAttrs)
        op.setResAttrsAttr(resAttrs);
    });
    return success();
  }
};

struct ConvertLaunch : OpConversionPattern<gpu::LaunchFuncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(gpu::LaunchFuncOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands = flatten(adaptor.getKernelOperands());
    rewriter.modifyOpInPlace(
        op, [&] { op.getKernelOperandsMutable().assign(operands); });
    return success();
  }
};

struct ConvertGPUReturn : OpConversionPattern<gpu::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(gpu::ReturnOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> operands = flatten(adaptor.getOperands());
    rewriter.modifyOpInPlace(op, [&] { op->setOperands(operands); });
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct RewriteFuncSignaturePass
    : fly::impl::FlyRewriteFuncSignaturePassBase<RewriteFuncSignaturePass> {
  void runOnOperation() override {
    // Here the arguments still have their own numbers and types.
    if (failed(checkKernelArguments(getOperation())))
      return signalPassFailure();
    MLIRContext *context = &getContext();
    CarrierConverter converter;
    RewritePatternSet patterns(context);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([&](Operation *op) {
      if (auto function = dyn_cast<FunctionOpInterface>(op)) {
        auto type = dyn_cast<FunctionType>(function.getFunctionType());
        return !type || (converter.isSignatureLegal(type) &&
                         converter.isLegal(&function.getFunctionBody()));
      }
      if (isa<BranchOpInterface>(op))
        return isLegalForBranchOpInterfaceTypeConversionPattern(op, converter);
      return true;
    });
    target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp, gpu::ReturnOp,
                                 gpu::LaunchFuncOp>(
        [&](Operation *op) { return converter.isLegal(op); });
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    populateBranchOpInterfaceTypeConversionPattern(patterns, converter);
    patterns.add<ConvertFunction, ConvertLaunch, ConvertGPUReturn>(converter,
                                                                   context);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
