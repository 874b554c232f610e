// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that only carry pointers, memrefs and atoms: functions, calls,
// branches, launches, structured control flow and selects.

#include "Fly/Conversion/FlyToLLVM/Patterns.h"
#include "Fly/Dialect/Fly/IR/FlyOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace fly {
namespace {

/// The function with converted signature and block arguments, those of blocks
/// behind the entry included.
template <typename OpT>
struct Function : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    const TypeConverter &converter = *this->getTypeConverter();
    FunctionType type = op.getFunctionType();
    TypeConverter::SignatureConversion arguments(type.getNumInputs());
    SmallVector<Type> results;
    if (failed(converter.convertSignatureArgs(type.getInputs(), arguments)) ||
        failed(converter.convertTypes(type.getResults(), results)))
      return failure();
    // Attributions of a GPU function are arguments of its entry, too, and stay
    // what they are.
    Region &body = op->getRegion(0);
    if (!body.empty()) {
      Block &entry = body.front();
      TypeConverter::SignatureConversion all(entry.getNumArguments());
      for (auto [index, argument] : llvm::enumerate(entry.getArguments())) {
        Type converted = converter.convertType(argument.getType());
        if (!converted)
          return failure();
        all.addInputs(index, converted);
      }
      if (failed(rewriter.convertRegionTypes(&body, converter, &all)))
        return failure();
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.setType(
          rewriter.getFunctionType(arguments.getConvertedTypes(), results));
    });
    return success();
  }
};

/// The same launch with converted kernel operands.
struct Launch : OpConversionPattern<gpu::LaunchFuncOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(gpu::LaunchFuncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.modifyOpInPlace(op,
                             [&] { op->setOperands(adaptor.getOperands()); });
    return success();
  }
};

/// The same operation with converted operands and result.
template <typename OpT>
struct Rebuild : OpConversionPattern<OpT> {
  using OpConversionPattern<OpT>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(this->getTypeConverter()->convertTypes(op->getResultTypes(),
                                                      types)))
      return failure();
    rewriter.replaceOpWithNewOp<OpT>(op, types, adaptor.getOperands(),
                                     op->getAttrs());
    return success();
  }
};

/// What is assumed to be a value is that value.
struct Assume : OpConversionPattern<AssumeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AssumeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getSrc().getType() != op.getType())
      return failure();
    rewriter.replaceOp(op, adaptor.getSrc());
    return success();
  }
};

/// A poisoned pointer or struct is LLVM's to make.
struct Poison : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (!type)
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::PoisonOp>(op, type);
    return success();
  }
};

} // namespace

void populateBoundaryConversionPatterns(const TypeConverter &converter,
                                        RewritePatternSet &patterns,
                                        ConversionTarget &target,
                                        IsOursFn isOurs) {
  MLIRContext *context = patterns.getContext();
  populateCallOpTypeConversionPattern(patterns, converter);
  populateReturnOpTypeConversionPattern(patterns, converter);
  populateBranchOpInterfaceTypeConversionPattern(patterns, converter);
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);
  patterns
      .add<Function<func::FuncOp>, Function<gpu::GPUFuncOp>, Launch,
           Rebuild<arith::SelectOp>, Rebuild<gpu::ReturnOp>, Assume, Poison>(
          converter, context);

  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
    return converter.isSignatureLegal(op.getFunctionType()) &&
           converter.isLegal(&op.getBody());
  });
  target.addDynamicallyLegalOp<gpu::GPUFuncOp>([&](gpu::GPUFuncOp op) {
    return converter.isSignatureLegal(op.getFunctionType()) &&
           converter.isLegal(&op.getBody());
  });
  // Operations of ours are of unknown legality: they are converted if they can
  // be, and it is no error here if not. A branch is legal if what it passes on
  // is; anything else need not know of us.
  target.markUnknownOpDynamicallyLegal(
      [&converter, isOurs](Operation *op) -> std::optional<bool> {
        if (isOurs(op->getDialect()))
          return std::nullopt;
        // llvm.unreachable ends a function and passes nothing on.
        if (op->getNumSuccessors() == 0 && op->getNumOperands() == 0)
          return true;
        return isNotBranchOpInterfaceOrReturnLikeOp(op) ||
               isLegalForBranchOpInterfaceTypeConversionPattern(op,
                                                                converter) ||
               isLegalForReturnOpTypeConversionPattern(op, converter);
      });
  // Only ops that carry what changes: small floats are fine in a select.
  target.addDynamicallyLegalOp<gpu::LaunchFuncOp, arith::SelectOp, func::CallOp,
                               gpu::ReturnOp>(
      [&](Operation *op) { return converter.isLegal(op); });
  target.addDynamicallyLegalOp<ub::PoisonOp>([&](ub::PoisonOp op) {
    Type type = converter.convertType(op.getType());
    return !type || !LLVM::isCompatibleOuterType(type) || type == op.getType();
  });
}

} // namespace fly
