// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD chips add, multiply, divide and take roots of f64, so a function of f32
// needs no trick to be accurate: two short series in f64, for log2 and for
// exp2, carry all the others. Their error, some 1e-12, is far below the half
// unit in the last place of f32 (6e-8) that the last rounding makes.

#include "MathDouble.h"

#include "DoubleCode.h"
#include "MathF64.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace fly {
namespace {

/// The logarithm to base 2 of a normal, positive, finite number.
Value log2(Double &d, Value x) {
  Value bits = d.bits(x);
  Value exponent = d.minus(d.right(bits, d.integer(52)), d.integer(1023));
  Value m = d.fromBits(d.either(d.both(bits, d.integer((int64_t(1) << 52) - 1)),
                                d.integer(int64_t(1023) << 52)));
  // m from 1 to 2 becomes 0.71 to 1.41, where the series is shortest.
  Value isLarge = d.less(d.number(M_SQRT2), m);
  m = d.select(isLarge, d.mul(m, d.number(0.5)), m);
  Value e = d.fromSigned(exponent);
  e = d.select(isLarge, d.add(e, d.number(1)), e);
  // log m = 2 (s + s^3/3 + s^5/5 + …), s = (m - 1) / (m + 1), |s| < 0.172.
  Value s = d.div(d.sub(m, d.number(1)), d.add(m, d.number(1)));
  SmallVector<double> coefficients;
  for (int k = 0; k < 10; ++k)
    coefficients.push_back(2 / M_LN2 / (2 * k + 1));
  return d.add(e, d.mul(s, d.polynomial(d.mul(s, s), coefficients)));
}
Value log(Double &d, Value x) { return d.mul(log2(d, x), d.number(M_LN2)); }

/// 2^t; t beyond 200 counts as 200, which is infinite or 0 in f32. NaN stays.
Value exp2(Double &d, Value t) {
  Value valid = d.select(d.isNaN(t), d.number(0), t);
  valid = d.select(d.less(d.number(200), valid), d.number(200), valid);
  valid = d.select(d.less(valid, d.number(-200)), d.number(-200), valid);
  Value n = d.floor(d.add(valid, d.number(0.5)));
  Value r = d.sub(valid, n);
  SmallVector<double> coefficients;
  double c = 1;
  for (int k = 0; k < 12; ++k) {
    coefficients.push_back(c);
    c *= M_LN2 / (k + 1);
  }
  Value scale = d.fromBits(
      d.left(d.plus(d.toInteger(n), d.integer(1023)), d.integer(52)));
  return d.select(d.isNaN(t), t, d.mul(d.polynomial(r, coefficients), scale));
}
Value exp(Double &d, Value x) { return exp2(d, d.mul(x, d.number(1 / M_LN2))); }

/// x^y as C's pow; `isOdd`: y is an odd integer.
Value pow(Double &d, Value x, Value y, Value isOdd) {
  Value magnitude = d.abs(x);
  // 0 and infinity have no logarithm.
  Value isExtreme = d.either(d.equal(magnitude, d.number(0)),
                             d.equal(magnitude, d.infinity()));
  Value result =
      exp2(d, d.mul(y, log2(d, d.select(isExtreme, d.number(1), magnitude))));
  return f64::finishPower(d, x, y, isOdd, result);
}

/// True for f32, f16, bf16 and vectors of them.
bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF32() || element.isF16() || element.isBF16();
}

/// A vector of fixed length, or no vector.
bool hasFixedShape(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return !vector || !vector.isScalable();
}

Value toDouble(Double &d, Value value) {
  if (getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() < 32)
    value =
        arith::ExtFOp::create(d.b, d.loc, d.withShape(d.b.getF32Type()), value);
  return arith::ExtFOp::create(d.b, d.loc, d.f64, value);
}

Value fromDouble(Double &d, Value value, Type type) {
  value =
      arith::TruncFOp::create(d.b, d.loc, d.withShape(d.b.getF32Type()), value);
  if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() < 32)
    value = arith::TruncFOp::create(d.b, d.loc, type, value);
  return value;
}

/// A function of one argument; `Compute` gets it in f64.
template <typename Op, Value (*Compute)(Double &d, Value x)>
struct UnaryInDouble : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isNarrow(type) || !hasFixedShape(type))
      return failure();
    Double d(rewriter, op.getLoc(), type);
    Value x = toDouble(d, op.getOperand());
    rewriter.replaceOp(op, fromDouble(d, Compute(d, x), type));
    return success();
  }
};

/// sinh x = x + x^3/6 + … below 1/2, where the difference would cancel.
Value sinh(Double &d, Value x) {
  Value e = exp(d, d.abs(x));
  Value large = d.mul(d.number(0.5), d.sub(e, d.div(d.number(1), e)));
  large = d.copySign(large, x);
  Value small =
      d.mul(x, d.polynomial(d.mul(x, x), {1, 1. / 6, 1. / 120, 1. / 5040,
                                          1. / 362880, 1. / 39916800}));
  return d.select(d.less(d.abs(x), d.number(0.5)), small, large);
}

Value cosh(Double &d, Value x) {
  Value e = exp(d, d.abs(x));
  return d.mul(d.number(0.5), d.add(e, d.div(d.number(1), e)));
}

/// `value` where x is finite, else x.
Value keepNonFinite(Double &d, Value x, Value value) {
  return d.select(d.less(d.abs(x), d.infinity()), value, x);
}

/// log(|x| + sqrt(x^2 + 1)) with the sign of x; a series where it cancels.
Value asinh(Double &d, Value x) {
  Value a = d.abs(x), squared = d.mul(x, x);
  Value isSmall = d.less(a, d.number(1e-3));
  Value isFinite = d.less(a, d.infinity());
  Value sum = d.add(a, d.root(d.add(squared, d.number(1))));
  Value large = d.copySign(log(d, d.select(isFinite, sum, d.number(1))), x);
  Value small = d.mul(x, d.polynomial(squared, {1, -1. / 6, 3. / 40}));
  return keepNonFinite(d, x, d.select(isSmall, small, large));
}

/// log(1 + t + sqrt(t (t + 2))), t = x - 1; NaN below 1.
Value acosh(Double &d, Value x) {
  Value t = d.sub(x, d.number(1));
  Value isInside = d.both(d.compare(arith::CmpFPredicate::OGE, t, d.number(0)),
                          d.less(t, d.infinity()));
  Value valid = d.select(isInside, t, d.number(0));
  Value rest = d.add(valid, d.root(d.mul(valid, d.add(valid, d.number(2)))));
  // Below 1e-4 the logarithm itself would cancel: log(1 + r) = 2
  // atanh(r/(2+r)).
  Value s = d.div(rest, d.add(rest, d.number(2)));
  Value small = d.mul(d.mul(d.number(2), s),
                      d.polynomial(d.mul(s, s), {1, 1. / 3, 1. / 5, 1. / 7}));
  Value large = log(d, d.add(rest, d.number(1)));
  Value result = d.select(d.less(rest, d.number(1e-2)), small, large);
  // Infinity stays, all else that is not inside is NaN.
  Value outside = d.select(d.equal(x, d.infinity()), x, d.nan());
  return d.select(isInside, result, outside);
}

/// log((1 + x) / (1 - x)) / 2; infinite at 1, NaN beyond.
Value atanh(Double &d, Value x) {
  Value a = d.abs(x), one = d.number(1);
  Value isInside = d.less(a, one);
  Value valid = d.select(isInside, x, d.number(0));
  Value small = d.mul(
      valid, d.polynomial(d.mul(valid, valid), {1, 1. / 3, 1. / 5, 1. / 7}));
  Value large =
      d.mul(d.number(0.5), log(d, d.div(d.add(one, valid), d.sub(one, valid))));
  Value result = d.select(d.less(a, d.number(1e-2)), small, large);
  Value outside =
      d.select(d.equal(a, one), d.copySign(d.infinity(), x), d.nan());
  return d.select(isInside, result, outside);
}

Value cbrt(Double &d, Value x) {
  Value a = d.abs(x);
  Value isOrdinary = d.both(d.less(d.number(0), a), d.less(a, d.infinity()));
  Value power = exp2(d, d.mul(log2(d, d.select(isOrdinary, a, d.number(1))),
                              d.number(1. / 3)));
  return d.select(isOrdinary, d.copySign(power, x), x);
}

/// The angle of the point (x, y) as C's atan2, zeros and infinities included.
Value atan2(Double &d, Value y, Value x) {
  Value zero = d.number(0), one = d.number(1);
  Value ax = d.abs(x), ay = d.abs(y);
  Value isSteep = d.less(ax, ay);
  Value large = d.select(isSteep, ay, ax), small = d.select(isSteep, ax, ay);
  // Two infinities count as equal, two zeros as the angle 0.
  Value bothInfinite = d.equal(small, d.infinity());
  Value ratio = d.div(small, d.select(d.equal(large, zero), one, large));
  ratio = d.select(bothInfinite, one, ratio);
  // Past tan(pi/8): atan r = pi/4 + atan((r - 1) / (r + 1)).
  Value isPast = d.less(d.number(M_SQRT2 - 1), ratio);
  Value r =
      d.select(isPast, d.div(d.sub(ratio, one), d.add(ratio, one)), ratio);
  SmallVector<double> coefficients;
  for (int k = 0; k < 16; ++k)
    coefficients.push_back((k % 2 ? -1.0 : 1.0) / (2 * k + 1));
  Value angle = d.mul(r, d.polynomial(d.mul(r, r), coefficients));
  angle = d.select(isPast, d.add(angle, d.number(M_PI_4)), angle);
  angle = d.select(isSteep, d.sub(d.number(M_PI_2), angle), angle);
  // The sign of x, -0 too, tells the half plane.
  Value isLeft = d.less(d.copySign(one, x), zero);
  angle = d.select(isLeft, d.sub(d.number(M_PI), angle), angle);
  angle = d.copySign(angle, y);
  return d.select(d.either(d.isNaN(x), d.isNaN(y)), d.nan(), angle);
}

Value atan(Double &d, Value x) { return atan2(d, x, d.number(1)); }

/// The other leg of a right triangle with hypotenuse 1; NaN beyond.
Value otherLeg(Double &d, Value x) {
  Value one = d.number(1);
  return d.root(d.mul(d.sub(one, x), d.add(one, x)));
}

Value asin(Double &d, Value x) { return atan2(d, x, otherLeg(d, x)); }

Value acos(Double &d, Value x) { return atan2(d, otherLeg(d, x), x); }

struct Atan2InDouble : OpRewritePattern<math::Atan2Op> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::Atan2Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isNarrow(type) || !hasFixedShape(type))
      return failure();
    Double d(rewriter, op.getLoc(), type);
    Value y = toDouble(d, op.getLhs()), x = toDouble(d, op.getRhs());
    rewriter.replaceOp(op, fromDouble(d, atan2(d, y, x), type));
    return success();
  }
};

struct PowInDouble : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!isNarrow(type) || !hasFixedShape(type))
      return failure();
    Double d(rewriter, op.getLoc(), type);
    Value x = toDouble(d, op.getLhs()), y = toDouble(d, op.getRhs());
    Value isOdd = d.isOddInteger(y);
    rewriter.replaceOp(op, fromDouble(d, pow(d, x, y, isOdd), type));
    return success();
  }
};

struct FPowIInDouble : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    // An exponent of one bit has no bit left beside its sign to be odd by.
    Type power = getElementTypeOrSelf(op.getRhs().getType());
    if (!isNarrow(type) || !hasFixedShape(type) || !power.isInteger() ||
        power.isInteger(1))
      return failure();
    Location loc = op.getLoc();
    Double d(rewriter, loc, type);
    Value x = toDouble(d, op.getLhs());
    Value y = arith::SIToFPOp::create(rewriter, loc, d.f64, op.getRhs());
    Value isOdd = arith::TruncIOp::create(
        rewriter, loc, d.withShape(rewriter.getI1Type()), op.getRhs());
    rewriter.replaceOp(op, fromDouble(d, pow(d, x, y, isOdd), type));
    return success();
  }
};

/// base^exponent by squaring, modulo 2^width; a negative exponent gives
/// 1 / base^|exponent|, which is 0 unless the base is 1 or -1.
struct IPowI : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &b) const override {
    Type type = op.getType();
    auto element = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
    if (!element || element.getWidth() > 64 || !hasFixedShape(type))
      return failure();
    Location loc = op.getLoc();
    unsigned width = element.getWidth();
    auto number = [&](int64_t value) -> Value {
      auto attr = IntegerAttr::get(
          element, llvm::APInt(width, uint64_t(value), /*isSigned=*/true,
                               /*implicitTrunc=*/true));
      if (auto vector = dyn_cast<VectorType>(type))
        return arith::ConstantOp::create(b, loc,
                                         DenseElementsAttr::get(vector, attr));
      return arith::ConstantOp::create(b, loc, attr);
    };
    auto isEqual = [&](Value x, Value y) -> Value {
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, y);
    };
    Value base = op.getLhs(), exponent = op.getRhs();
    Value zero = number(0), one = number(1), minusOne = number(-1);
    Value result = one, square = base;
    for (unsigned bit = 0; bit < width; ++bit) {
      Value mask = number(int64_t(uint64_t(1) << bit));
      Value isUnset =
          isEqual(arith::AndIOp::create(b, loc, exponent, mask), zero);
      Value product = arith::MulIOp::create(b, loc, result, square);
      result = arith::SelectOp::create(b, loc, isUnset, result, product);
      if (bit + 1 < width)
        square = arith::MulIOp::create(b, loc, square, square);
    }
    Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                             exponent, zero);
    Value isUnit = arith::OrIOp::create(b, loc, isEqual(base, one),
                                        isEqual(base, minusOne));
    // A power of -1 is its own inverse.
    Value inverse = arith::SelectOp::create(b, loc, isUnit, result, zero);
    b.replaceOpWithNewOp<arith::SelectOp>(op, isNegative, inverse, result);
    return success();
  }
};

enum class FloatClass { Infinite, NaN, Finite, Normal };

/// A predicate by comparisons of the magnitude.
template <typename Op, FloatClass Class>
struct ClassifyFloat : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &b) const override {
    Value x = op.getOperand();
    auto element = dyn_cast<FloatType>(getElementTypeOrSelf(x.getType()));
    if (!element || !hasFixedShape(x.getType()))
      return failure();
    Location loc = op.getLoc();
    const llvm::fltSemantics &semantics = element.getFloatSemantics();
    auto number = [&](const llvm::APFloat &value) -> Value {
      auto attr = FloatAttr::get(element, value);
      if (auto vector = dyn_cast<VectorType>(x.getType()))
        return arith::ConstantOp::create(b, loc,
                                         DenseElementsAttr::get(vector, attr));
      return arith::ConstantOp::create(b, loc, attr);
    };
    auto compare = [&](arith::CmpFPredicate p, Value left, Value right) {
      return arith::CmpFOp::create(b, loc, p, left, right).getResult();
    };
    if constexpr (Class == FloatClass::NaN) {
      b.replaceOp(op, compare(arith::CmpFPredicate::UNO, x, x));
      return success();
    }
    // Narrower types are not all with infinities.
    if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
      return failure();
    Value magnitude = math::AbsFOp::create(b, loc, x);
    Value infinity = number(llvm::APFloat::getInf(semantics));
    if constexpr (Class == FloatClass::Infinite) {
      b.replaceOp(op, compare(arith::CmpFPredicate::OEQ, magnitude, infinity));
    } else {
      Value result = compare(arith::CmpFPredicate::OLT, magnitude, infinity);
      if constexpr (Class == FloatClass::Normal) {
        Value smallest =
            number(llvm::APFloat::getSmallestNormalized(semantics));
        result = arith::AndIOp::create(
            b, loc, result,
            compare(arith::CmpFPredicate::OGE, magnitude, smallest));
      }
      b.replaceOp(op, result);
    }
    return success();
  }
};
} // namespace

void populateMathInDoublePatterns(RewritePatternSet &patterns) {
  patterns.add<
      UnaryInDouble<math::SinhOp, sinh>, UnaryInDouble<math::CoshOp, cosh>,
      UnaryInDouble<math::AsinhOp, asinh>, UnaryInDouble<math::AcoshOp, acosh>,
      UnaryInDouble<math::AtanhOp, atanh>, UnaryInDouble<math::AtanOp, atan>,
      UnaryInDouble<math::AsinOp, asin>, UnaryInDouble<math::AcosOp, acos>,
      UnaryInDouble<math::CbrtOp, cbrt>, Atan2InDouble, PowInDouble,
      FPowIInDouble, IPowI, ClassifyFloat<math::IsInfOp, FloatClass::Infinite>,
      ClassifyFloat<math::IsNaNOp, FloatClass::NaN>,
      ClassifyFloat<math::IsFiniteOp, FloatClass::Finite>,
      ClassifyFloat<math::IsNormalOp, FloatClass::Normal>>(
      patterns.getContext());
}

} // namespace fly
