// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of narrow floats as integer code.

#include "NarrowFloatCode.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>

using namespace mlir;
using namespace fly::narrow;

namespace {
/// A float type of less than 16 bits, from LLVM's description of it.
struct Format {
  explicit Format(FloatType type) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    bits = type.getWidth();
    isExponentOnly = isa<Float8E8M0FNUType>(type);
    if (isExponentOnly)
      return;
    mantissa = llvm::APFloat::semanticsPrecision(semantics) - 1;
    bias = 1 - llvm::APFloat::semanticsMinExponent(semantics);
    signBit = 1u << (bits - 1);
    largest = codeOf(llvm::APFloat::getLargest(semantics));
    hasInfinity = llvm::APFloat::semanticsHasInf(semantics);
    hasNaN = llvm::APFloat::semanticsHasNaN(semantics);
    if (hasInfinity)
      infinity = codeOf(llvm::APFloat::getInf(semantics));
    if (hasNaN)
      nan = codeOf(llvm::APFloat::getQNaN(semantics));
    // The bits of a negative zero are the one NaN of these formats.
    isUnsignedZero = hasNaN && nan == signBit;
  }

  static uint32_t codeOf(const llvm::APFloat &value) {
    return uint32_t(value.bitcastToAPInt().getZExtValue());
  }

  unsigned bits = 0, mantissa = 0;
  int bias = 0;
  uint32_t signBit = 0, largest = 0, infinity = 0, nan = 0;
  bool hasInfinity = false, hasNaN = false, isUnsignedZero = false;
  bool isExponentOnly = false;
};
} // namespace

Value fly::narrow::decode(const Code &c, Value code, FloatType type) {
  const Format format(type);
  constexpr uint32_t quietNaN = 0x7fc00000, infinity = 0x7f800000;
  if (format.isExponentOnly) {
    // 2^(code - 127): the exponent field, but for the smallest, 2^-127.
    Value bits =
        c.select(c.equals(code, 0), c.integer(0x00400000), c.left(code, 23));
    return c.asFloat(c.select(c.equals(code, 255), c.integer(quietNaN), bits));
  }
  unsigned shift = 23 - format.mantissa;
  Value magnitude = c.conjoin(code, format.signBit - 1);
  Value moved = c.left(magnitude, shift);
  Value normal = c.add(moved, uint32_t(127 - format.bias) << 23);
  // A product of two normal numbers: no mode of denormals changes it.
  Value count = arith::UIToFPOp::create(c.b, c.loc, c.f32(), magnitude);
  Value subnormal = c.asBits(c.make<arith::MulFOp>(
      count, c.real(std::ldexp(1.0, 1 - format.bias - int(format.mantissa)))));
  Value bits =
      c.select(c.below(magnitude, 1u << format.mantissa), subnormal, normal);
  if (format.hasInfinity) {
    Value special =
        c.select(c.equals(magnitude, format.infinity), c.integer(infinity),
                 c.join(moved, c.integer(quietNaN)));
    bits = c.select(c.below(magnitude, format.infinity), bits, special);
  } else if (format.hasNaN && !format.isUnsignedZero) {
    bits =
        c.select(c.above(magnitude, format.largest), c.integer(quietNaN), bits);
  }
  Value sign = c.left(c.conjoin(code, format.signBit), 32 - format.bits);
  bits = c.join(bits, sign);
  if (format.isUnsignedZero)
    bits = c.select(c.equals(code, format.nan), c.integer(quietNaN), bits);
  return c.asFloat(bits);
}

Value fly::narrow::encode(const Code &c, Value value, FloatType type) {
  const Format format(type);
  unsigned mantissa = format.mantissa, shift = 23 - mantissa;
  Value bits = c.asBits(value);
  Value magnitude = c.conjoin(bits, 0x7fffffff);
  // Rounding may carry into the exponent, which is then right as it is.
  Value odd = c.conjoin(c.right(magnitude, shift), 1);
  Value rounded =
      c.make<arith::AddIOp>(c.add(magnitude, (1u << (shift - 1)) - 1), odd);
  Value normal = c.add(c.right(rounded, shift),
                       -(uint32_t(127 - format.bias) << mantissa));
  // The last place of this addend is the smallest number of the format, so
  // that the sum rounds to a multiple of it.
  double addend = std::ldexp(1.0, 24 - format.bias - int(mantissa));
  Value sum = c.make<arith::AddFOp>(c.asFloat(magnitude), c.real(addend));
  uint32_t addendBits =
      Format::codeOf(llvm::APFloat(static_cast<float>(addend)));
  Value subnormal = c.add(c.asBits(sum), -addendBits);
  uint32_t smallestNormal = uint32_t(128 - format.bias) << 23;
  Value code = c.select(c.below(magnitude, smallestNormal), subnormal, normal);

  uint32_t overflow = format.hasInfinity ? format.infinity
                      : format.hasNaN    ? format.nan
                                         : format.largest;
  code = c.select(c.above(code, format.largest), c.integer(overflow), code);
  Value sign = c.conjoin(c.right(bits, 32 - format.bits), format.signBit);
  Value signedCode = c.join(code, sign);
  if (format.isUnsignedZero)
    signedCode = c.select(c.equals(code, 0), code, signedCode);
  Value isNaN = c.above(magnitude, 0x7f800000);
  // As MLIR folds a constant NaN.
  Value nan = format.hasNaN ? c.join(c.integer(format.nan), sign) : sign;
  return c.select(isNaN, nan, signedCode);
}

Value fly::narrow::truncateToOdd(const Code &c, Value value) {
  Value near = arith::TruncFOp::create(c.b, c.loc, c.f32(), value);
  Value back = arith::ExtFOp::create(c.b, c.loc, value.getType(), near);
  auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(c.b, c.loc, predicate, x, y);
  };
  Value isInexact = compare(arith::CmpFPredicate::ONE, back, value);
  Value bits = c.asBits(near);
  // Is the rounded magnitude too large? The differing one is never zero then.
  Value isNegative = c.above(bits, 0x7fffffff);
  Value isLarger =
      c.select(isNegative, compare(arith::CmpFPredicate::OLT, back, value),
               compare(arith::CmpFPredicate::OGT, back, value));
  Value down = c.select(isLarger, c.add(bits, -1u), bits);
  Value odd = c.join(down, c.integer(1));
  return c.asFloat(c.select(isInexact, odd, bits));
}
