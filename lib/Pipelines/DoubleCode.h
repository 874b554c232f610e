// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic of f64 as operations, for functions that are computed in it.

#ifndef FLY_LIB_PIPELINES_DOUBLECODE_H
#define FLY_LIB_PIPELINES_DOUBLECODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

#include <limits>

namespace fly {

/// Emits f64 arithmetic on scalars or vectors of one shape.
class Double {
public:
  /// `like`: the type whose shape all values have.
  Double(mlir::PatternRewriter &rewriter, mlir::Location loc, mlir::Type like)
      : b(rewriter), loc(loc), shape(llvm::dyn_cast<mlir::VectorType>(like)),
        f64(withShape(b.getF64Type())), i64(withShape(b.getI64Type())) {}

  mlir::Type withShape(mlir::Type element) {
    return shape ? mlir::Type(shape.clone(element)) : element;
  }

  mlir::Value number(double value) {
    return constant(f64, b.getF64FloatAttr(value));
  }
  mlir::Value integer(int64_t value) {
    return constant(i64, b.getI64IntegerAttr(value));
  }
  mlir::Value constant(mlir::Type type, mlir::TypedAttr element) {
    if (!shape)
      return mlir::arith::ConstantOp::create(b, loc, element);
    return mlir::arith::ConstantOp::create(
        b, loc,
        mlir::DenseElementsAttr::get(llvm::cast<mlir::ShapedType>(type),
                                     element));
  }

  mlir::Value add(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddFOp::create(b, loc, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubFOp::create(b, loc, x, y);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulFOp::create(b, loc, x, y);
  }
  mlir::Value div(mlir::Value x, mlir::Value y) {
    return mlir::arith::DivFOp::create(b, loc, x, y);
  }
  mlir::Value neg(mlir::Value x) {
    return mlir::arith::NegFOp::create(b, loc, x);
  }
  mlir::Value abs(mlir::Value x) {
    return mlir::math::AbsFOp::create(b, loc, x);
  }
  mlir::Value root(mlir::Value x) {
    return mlir::math::SqrtOp::create(b, loc, x);
  }
  mlir::Value floor(mlir::Value x) {
    return mlir::math::FloorOp::create(b, loc, x);
  }
  mlir::Value copySign(mlir::Value x, mlir::Value sign) {
    return mlir::math::CopySignOp::create(b, loc, x, sign);
  }
  mlir::Value select(mlir::Value c, mlir::Value x, mlir::Value y) {
    return mlir::arith::SelectOp::create(b, loc, c, x, y);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate p, mlir::Value x,
                      mlir::Value y) {
    return mlir::arith::CmpFOp::create(b, loc, p, x, y);
  }
  mlir::Value less(mlir::Value x, mlir::Value y) {
    return compare(mlir::arith::CmpFPredicate::OLT, x, y);
  }
  mlir::Value equal(mlir::Value x, mlir::Value y) {
    return compare(mlir::arith::CmpFPredicate::OEQ, x, y);
  }
  mlir::Value isNaN(mlir::Value x) {
    return compare(mlir::arith::CmpFPredicate::UNO, x, x);
  }
  // Of conditions, or bit by bit.
  mlir::Value both(mlir::Value x, mlir::Value y) {
    return mlir::arith::AndIOp::create(b, loc, x, y);
  }
  mlir::Value either(mlir::Value x, mlir::Value y) {
    return mlir::arith::OrIOp::create(b, loc, x, y);
  }
  mlir::Value infinity() {
    return number(std::numeric_limits<double>::infinity());
  }
  mlir::Value nan() { return number(std::numeric_limits<double>::quiet_NaN()); }

  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z) {
    return mlir::math::FmaOp::create(b, loc, x, y, z);
  }
  mlir::Value roundEven(mlir::Value x) {
    return mlir::math::RoundEvenOp::create(b, loc, x);
  }

  // 64-bit integers.
  mlir::Value bits(mlir::Value x) {
    return mlir::arith::BitcastOp::create(b, loc, i64, x);
  }
  mlir::Value fromBits(mlir::Value x) {
    return mlir::arith::BitcastOp::create(b, loc, f64, x);
  }
  mlir::Value toInteger(mlir::Value x) {
    return mlir::arith::FPToSIOp::create(b, loc, i64, x);
  }
  mlir::Value fromSigned(mlir::Value x) {
    return mlir::arith::SIToFPOp::create(b, loc, f64, x);
  }
  mlir::Value plus(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddIOp::create(b, loc, x, y);
  }
  mlir::Value minus(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubIOp::create(b, loc, x, y);
  }
  mlir::Value left(mlir::Value x, mlir::Value by) {
    return mlir::arith::ShLIOp::create(b, loc, x, by);
  }
  mlir::Value right(mlir::Value x, mlir::Value by) {
    return mlir::arith::ShRUIOp::create(b, loc, x, by);
  }
  mlir::Value rightSigned(mlir::Value x, mlir::Value by) {
    return mlir::arith::ShRSIOp::create(b, loc, x, by);
  }
  mlir::Value isSet(mlir::Value x) { // not zero
    return mlir::arith::CmpIOp::create(b, loc, mlir::arith::CmpIPredicate::ne,
                                       x, integer(0));
  }
  mlir::Value isBelow(mlir::Value x, mlir::Value y) { // unsigned
    return mlir::arith::CmpIOp::create(b, loc, mlir::arith::CmpIPredicate::ult,
                                       x, y);
  }
  /// True if y is an odd integer.
  mlir::Value isOddInteger(mlir::Value y) {
    mlir::Value half = mul(y, number(0.5));
    // An infinite y is its own floor and its own half: not odd.
    return both(equal(floor(y), y),
                compare(mlir::arith::CmpFPredicate::UNE, floor(half), half));
  }
  /// Low and high half of the product of two unsigned numbers.
  std::pair<mlir::Value, mlir::Value> multiply(mlir::Value x, mlir::Value y) {
    auto product = mlir::arith::MulUIExtendedOp::create(b, loc, x, y);
    return {product.getLow(), product.getHigh()};
  }

  /// c0 + x (c1 + x (c2 + …)).
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> coefficients) {
    mlir::Value sum = number(coefficients.back());
    for (double c : llvm::reverse(coefficients.drop_back()))
      sum = mlir::math::FmaOp::create(b, loc, sum, x, number(c));
    return sum;
  }

  mlir::PatternRewriter &b;
  mlir::Location loc;
  mlir::VectorType shape;
  mlir::Type f64, i64;
};

} // namespace fly

#endif // FLY_LIB_PIPELINES_DOUBLECODE_H
