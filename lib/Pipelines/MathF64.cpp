// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The patterns that put the functions of MathF64.h for operations on f64.

#include "MathF64.h"
#include "MathDouble.h"

using namespace mlir;

namespace fly {
namespace {

bool isDouble(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return getElementTypeOrSelf(type).isF64() &&
         (!vector || !vector.isScalable());
}

template <typename Op, Value (*Compute)(Double &d, Value x)>
struct UnaryOfDouble : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isDouble(op.getType()))
      return failure();
    Double d(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, Compute(d, op.getOperand()));
    return success();
  }
};

struct Atan2OfDouble : OpRewritePattern<math::Atan2Op> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::Atan2Op op,
                                PatternRewriter &rewriter) const override {
    if (!isDouble(op.getType()))
      return failure();
    Double d(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, f64::atan2(d, op.getLhs(), op.getRhs()));
    return success();
  }
};

struct PowOfDouble : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    if (!isDouble(op.getType()))
      return failure();
    Double d(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, f64::pow(d, op.getLhs(), op.getRhs(), d.number(0),
                                    d.isOddInteger(op.getRhs())));
    return success();
  }
};

struct FPowIOfDouble : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    Type power = getElementTypeOrSelf(op.getRhs().getType());
    // One bit is a sign and no more.
    if (!isDouble(op.getType()) || !power.isInteger() || power.isInteger(1) ||
        power.getIntOrFloatBitWidth() > 64)
      return failure();
    Location loc = op.getLoc();
    Double d(rewriter, loc, op.getType());
    Value n = op.getRhs();
    Value isOdd = arith::TruncIOp::create(rewriter, loc,
                                          d.withShape(rewriter.getI1Type()), n);
    if (!power.isInteger(64))
      n = arith::ExtSIOp::create(rewriter, loc, d.i64, n);
    // f64 has not every integer of 64 bits: both halves are exact.
    Value half = d.integer(32);
    Value high = d.mul(d.fromSigned(d.rightSigned(n, half)), d.number(0x1p32));
    Value low = d.fromSigned(d.both(n, d.integer(0xffffffff)));
    Value y = d.add(high, low);
    Value rest = d.sub(low, d.sub(y, high));
    rewriter.replaceOp(op, f64::pow(d, op.getLhs(), y, rest, isOdd));
    return success();
  }
};
} // namespace

void populateMathOfDoublePatterns(RewritePatternSet &patterns) {
  // Before upstream's expansion of the tangent.
  patterns.add<UnaryOfDouble<math::TanOp, f64::tan>>(patterns.getContext(),
                                                     /*benefit=*/2);
  patterns.add<UnaryOfDouble<math::ExpOp, f64::exp>,
               UnaryOfDouble<math::Exp2Op, f64::exp2>,
               UnaryOfDouble<math::ExpM1Op, f64::expm1>,
               UnaryOfDouble<math::LogOp, f64::log>,
               UnaryOfDouble<math::Log2Op, f64::log2>,
               UnaryOfDouble<math::Log10Op, f64::log10>,
               UnaryOfDouble<math::Log1pOp, f64::log1p>,
               UnaryOfDouble<math::CbrtOp, f64::cbrt>,
               UnaryOfDouble<math::SinhOp, f64::sinh>,
               UnaryOfDouble<math::CoshOp, f64::cosh>,
               UnaryOfDouble<math::TanhOp, f64::tanh>,
               UnaryOfDouble<math::AsinhOp, f64::asinh>,
               UnaryOfDouble<math::AcoshOp, f64::acosh>,
               UnaryOfDouble<math::AtanhOp, f64::atanh>,
               UnaryOfDouble<math::ErfOp, f64::erf>,
               UnaryOfDouble<math::ErfcOp, f64::erfc>,
               UnaryOfDouble<math::SinOp, f64::sin>,
               UnaryOfDouble<math::CosOp, f64::cos>,
               UnaryOfDouble<math::AsinOp, f64::asin>,
               UnaryOfDouble<math::AcosOp, f64::acos>,
               UnaryOfDouble<math::AtanOp, f64::atan>, Atan2OfDouble,
               PowOfDouble, FPowIOfDouble>(patterns.getContext());
}

} // namespace fly
