// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Math functions without device libraries: fly-expand-math before, and
// fly-use-math-intrinsics after the conversion of a gpu.module.

#include "Fly/Pipelines/Passes.h"
#include "MathDouble.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYEXPANDMATHPASS
#define GEN_PASS_DEF_FLYUSEMATHINTRINSICSPASS
#include "Fly/Pipelines/Passes.h.inc"

namespace {
//===----------------------------------------------------------------------===//
// fly-expand-math
//===----------------------------------------------------------------------===//

/// A function of bf16, of which there is none anywhere, in f32; with
/// `takesHalf` of f16 as well. Comes before other patterns.
template <typename Op>
struct InSingle : OpRewritePattern<Op> {
  InSingle(MLIRContext *context, bool takesHalf = false)
      : OpRewritePattern<Op>(context, /*benefit=*/2), takesHalf(takesHalf) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    Type element = getElementTypeOrSelf(type);
    if (!element.isBF16() && !(takesHalf && element.isF16()))
      return failure();
    Type single = rewriter.getF32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      single =
          VectorType::get(vector.getShape(), single, vector.getScalableDims());
    Value x =
        arith::ExtFOp::create(rewriter, op.getLoc(), single, op.getOperand());
    Value result = Op::create(rewriter, op.getLoc(), x, op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, result);
    return success();
  }

  bool takesHalf;
};

/// The code generator has one instruction, v_med3, for scalars of f16 and f32;
/// everything else takes two. A value that is NaN gives the lower bound, as
/// there. Upstream's expansion gives never less than the upper bound.
struct ExpandClamp : OpRewritePattern<math::ClampFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ClampFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (type.isF16() || type.isF32())
      return failure();
    Value raised = arith::MaxNumFOp::create(
        rewriter, op.getLoc(), op.getValue(), op.getMin(), op.getFastmath());
    rewriter.replaceOpWithNewOp<arith::MinNumFOp>(op, raised, op.getMax(),
                                                  op.getFastmath());
    return success();
  }
};

/// Two functions, each by the means of its type.
struct SplitSincos : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getOperand();
    Value sine =
        math::SinOp::create(rewriter, op.getLoc(), x, op.getFastmath());
    Value cosine =
        math::CosOp::create(rewriter, op.getLoc(), x, op.getFastmath());
    rewriter.replaceOp(op, {sine, cosine});
    return success();
  }
};

/// Only what keeps its accuracy over the whole range is taken from upstream.
/// Its expansions of powf, sinh, cosh, asinh, acosh, atanh, cbrt and fpowi are
/// not: they overflow early, cancel near zero or are wrong for a negative base.
struct ExpandMath : public impl::FlyExpandMathPassBase<ExpandMath> {
  void runOnOperation() override {
    WalkResult found = getOperation()->walk([](Operation *op) {
      return isa_and_nonnull<math::MathDialect>(op->getDialect())
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      return markAllAnalysesPreserved();
    keepSignOfErf();
    RewritePatternSet patterns(&getContext());
    math::populateExpansionPatterns(patterns, {"tan", "rsqrt"});
    auto isApproximated = [](llvm::StringRef name) {
      return llvm::is_contained(
          {math::TanhOp::getOperationName(), math::ErfOp::getOperationName(),
           math::ErfcOp::getOperationName(), math::Log1pOp::getOperationName(),
           math::ExpM1Op::getOperationName()},
          name);
    };
    populateMathF32ExpansionPatterns(patterns, isApproximated);
    populateMathPolynomialApproximationPatterns(patterns, isApproximated);
    populateMathInDoublePatterns(patterns);
    populateMathOfDoublePatterns(patterns);
    patterns.add<InSingle<math::ExpOp>, InSingle<math::Exp2Op>,
                 InSingle<math::LogOp>, InSingle<math::Log2Op>,
                 InSingle<math::Log10Op>, InSingle<math::SinOp>,
                 InSingle<math::CosOp>>(&getContext());
    patterns.add<ExpandClamp, SplitSincos>(&getContext());
    // Expanded in f32: the steps of their expansion round, too.
    patterns.add<InSingle<math::TanOp>, InSingle<math::RsqrtOp>>(
        &getContext(), /*takesHalf=*/true);
    // Blocks that are alike stay apart, see LaneOperations.h.
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns),
                                     config))) {
      getOperation()->emitError("the expansion of math functions finds no end");
      signalPassFailure();
    }
  }

private:
  /// Upstream's polynomial for erf loses the sign of -0 and of numbers whose
  /// square vanishes. erf has the sign of its argument everywhere.
  void keepSignOfErf() {
    getOperation()->walk([](math::ErfOp op) {
      if (getElementTypeOrSelf(op.getType()).isF64())
        return;
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      auto sign = math::CopySignOp::create(builder, op.getLoc(), op.getResult(),
                                           op.getOperand());
      op.getResult().replaceAllUsesExcept(sign, sign);
    });
  }
};

//===----------------------------------------------------------------------===//
// fly-use-math-intrinsics
//===----------------------------------------------------------------------===//

/// One function of the device libraries and LLVM's operation for it.
struct MathFunction {
  llvm::StringLiteral intrinsic; // name of the LLVM dialect operation
  bool hasDouble;                // the code generator has it for f64
};

/// The row for the function `name`, "__ocml_sin_f32", or null.
const MathFunction *lookupMathFunction(llvm::StringRef name) {
  static const llvm::StringMap<MathFunction> functions = {
      {"exp", {"llvm.intr.exp", false}},
      {"exp2", {"llvm.intr.exp2", false}},
      {"log", {"llvm.intr.log", false}},
      {"log2", {"llvm.intr.log2", false}},
      {"log10", {"llvm.intr.log10", false}},
      {"sin", {"llvm.intr.sin", false}},
      {"cos", {"llvm.intr.cos", false}},
      {"floor", {"llvm.intr.floor", true}},
      {"ceil", {"llvm.intr.ceil", true}},
      {"trunc", {"llvm.intr.trunc", true}},
      {"rint", {"llvm.intr.rint", true}},
      {"sqrt", {"llvm.intr.sqrt", true}},
      {"fabs", {"llvm.intr.fabs", true}},
      {"fma", {"llvm.intr.fma", true}},
      {"fmin", {"llvm.intr.minnum", true}},
      {"fmax", {"llvm.intr.maxnum", true}},
      {"copysign", {"llvm.intr.copysign", true}},
      {"fmod", {"llvm.frem", true}}};
  if (!name.consume_front("__ocml_"))
    return nullptr;
  auto [function, type] = name.rsplit('_');
  auto found = functions.find(function);
  if (found == functions.end())
    return nullptr;
  if (type == "f64")
    return found->second.hasDouble ? &found->second : nullptr;
  return type == "f32" || type == "f16" ? &found->second : nullptr;
}

struct UseMathIntrinsics
    : public impl::FlyUseMathIntrinsicsPassBase<UseMathIntrinsics> {
  void runOnOperation() override {
    llvm::SmallVector<LLVM::CallOp> calls;
    getOperation().walk([&](LLVM::CallOp call) {
      if (call.getCallee() && lookupMathFunction(*call.getCallee()) &&
          call->getNumResults() == 1)
        calls.push_back(call);
    });
    for (LLVM::CallOp call : calls) {
      const MathFunction *function = lookupMathFunction(*call.getCallee());
      OperationState state(call.getLoc(), function->intrinsic);
      state.addOperands(call.getArgOperands());
      state.addTypes(call->getResultTypes());
      state.addAttribute("fastmathFlags", call.getFastmathFlagsAttr());
      OpBuilder builder(call);
      call->replaceAllUsesWith(builder.create(state));
      call.erase();
    }
    bool changed = !calls.empty();
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (function.isExternal() && lookupMathFunction(function.getName()) &&
          SymbolTable::symbolKnownUseEmpty(function, getOperation())) {
        function.erase();
        changed = true;
      }
    if (!changed)
      markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace fly
