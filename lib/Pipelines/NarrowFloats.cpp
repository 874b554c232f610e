// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass fly-expand-narrow-floats: conversions of floats of less than 16 bits
// as instructions of the chip where it has them, else as exact integer code.

#include "Fly/Arch/SmallFloats.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDLDialect.h"
#include "Fly/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;

namespace fly {
#define GEN_PASS_DEF_FLYEXPANDNARROWFLOATSPASS
#include "Fly/Pipelines/Passes.h.inc"

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

/// The element of `type` if it is a float of less than 16 bits, or null.
FloatType getNarrow(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() < 16 ? element : nullptr;
}

/// Code on scalars, or on vectors of one shape, at one place.
class Code {
public:
  Code(OpBuilder &b, Location loc, Type like)
      : b(b), loc(loc), shape(dyn_cast<VectorType>(like)) {}

  Type withShape(Type element) const {
    return shape ? Type(VectorType::get(shape.getShape(), element)) : element;
  }
  Type i32() const { return withShape(b.getI32Type()); }
  Type f32() const { return withShape(b.getF32Type()); }

  Value splat(TypedAttr value) const {
    if (!shape)
      return arith::ConstantOp::create(b, loc, value);
    auto type = VectorType::get(shape.getShape(), value.getType());
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, Attribute(value)));
  }
  Value integer(uint32_t value) const {
    return splat(b.getIntegerAttr(b.getI32Type(), int32_t(value)));
  }
  Value real(double value) const { return splat(b.getF32FloatAttr(value)); }

  template <typename Op>
  Value make(Value x, Value y) const {
    return Op::create(b, loc, x, y);
  }
  Value add(Value x, uint32_t y) const {
    return make<arith::AddIOp>(x, integer(y));
  }
  Value conjoin(Value x, uint32_t mask) const {
    return make<arith::AndIOp>(x, integer(mask));
  }
  Value join(Value x, Value y) const { return make<arith::OrIOp>(x, y); }
  Value left(Value x, unsigned by) const {
    return by ? make<arith::ShLIOp>(x, integer(by)) : x;
  }
  Value right(Value x, unsigned by) const {
    return make<arith::ShRUIOp>(x, integer(by));
  }
  Value compare(arith::CmpIPredicate predicate, Value x, uint32_t y) const {
    return arith::CmpIOp::create(b, loc, predicate, x, integer(y));
  }
  Value above(Value x, uint32_t y) const {
    return compare(arith::CmpIPredicate::ugt, x, y);
  }
  Value below(Value x, uint32_t y) const {
    return compare(arith::CmpIPredicate::ult, x, y);
  }
  Value equals(Value x, uint32_t y) const {
    return compare(arith::CmpIPredicate::eq, x, y);
  }
  Value select(Value condition, Value x, Value y) const {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  Value asFloat(Value x) const {
    return arith::BitcastOp::create(b, loc, f32(), x);
  }
  Value asBits(Value x) const {
    return arith::BitcastOp::create(b, loc, i32(), x);
  }

  OpBuilder &b;
  Location loc;
  VectorType shape;
};

//===----------------------------------------------------------------------===//
// Integer code
//===----------------------------------------------------------------------===//

/// The value of `code` (i32, the bits of `format`) as f32. Always exact: f32
/// has more exponents and more mantissa than each of these formats.
Value decode(const Code &c, Value code, const Format &format) {
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

/// The bits in `format` (i32) of `value`, f32: rounded once, to nearest, ties
/// to even. Beyond the largest number: infinity, or NaN, or the largest number
/// of a format that has neither. NaN in such a format is its negative zero.
Value encode(const Code &c, Value value, const Format &format) {
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
  Value nan = format.hasNaN ? c.join(c.integer(format.nan), sign)
                            : c.integer(format.signBit);
  return c.select(isNaN, nan, signedCode);
}

/// `value`, f64, as f32 that is rounded to odd: a second rounding to a narrow
/// format then gives what one alone would.
Value truncateToOdd(const Code &c, Value value) {
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

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// The instructions of `chip` that convert `type`.
enum class Instructions { None, Fp8, Bf8 };

Instructions lookupInstructions(const arch::Chip *chip, FloatType type) {
  if (!chip)
    return Instructions::None;
  switch (arch::getFloat8Family(*chip)) {
  case arch::Float8Family::Fnuz:
    return isa<Float8E4M3FNUZType>(type)   ? Instructions::Fp8
           : isa<Float8E5M2FNUZType>(type) ? Instructions::Bf8
                                           : Instructions::None;
  case arch::Float8Family::Ocp:
    return isa<Float8E4M3FNType>(type) ? Instructions::Fp8
           : isa<Float8E5M2Type>(type) ? Instructions::Bf8
                                       : Instructions::None;
  case arch::Float8Family::None:
    break;
  }
  return Instructions::None;
}

/// The lanes of a value converted in groups of four bytes, one register.
class RegisterCode {
public:
  RegisterCode(const Code &c, bool isFp8) : b(c.b), c(c), isFp8(isFp8) {
    if (c.shape)
      flat = VectorType::get(c.shape.getNumElements(), b.getI8Type());
  }

  /// f32 of `codes`, i8.
  Value extend(Value codes) {
    if (!flat)
      return extendOne(codes);
    codes = vector::ShapeCastOp::create(b, c.loc, flat, codes);
    llvm::SmallVector<Value> results;
    forEachGroup([&](int64_t begin, int64_t size) {
      Value word = pack(codes, begin, size);
      for (int64_t i = 0; i < size; i += 2) {
        Value pair = extendPair(word, i == 2);
        for (int64_t j = 0; j < std::min<int64_t>(size - i, 2); ++j)
          results.push_back(vector::ExtractOp::create(b, c.loc, pair, j));
      }
    });
    Value result = vector::FromElementsOp::create(
        b, c.loc, flat.clone(b.getF32Type()), results);
    return vector::ShapeCastOp::create(b, c.loc, c.f32(), result);
  }

  /// i8 of `values`, f32.
  Value truncate(Value values) {
    if (!flat)
      return arith::TruncIOp::create(
          b, c.loc, b.getI8Type(),
          truncatePair(values, values, constant(0), false));
    values = vector::ShapeCastOp::create(b, c.loc, flat.clone(b.getF32Type()),
                                         values);
    llvm::SmallVector<Value> results;
    forEachGroup([&](int64_t begin, int64_t size) {
      auto at = [&](int64_t i) -> Value {
        return vector::ExtractOp::create(b, c.loc, values,
                                         begin + std::min(i, size - 1));
      };
      Value word = truncatePair(at(0), at(1), constant(0), false);
      if (size > 2)
        word = truncatePair(at(2), at(3), word, true);
      Value bytes = vector::BitCastOp::create(
          b, c.loc, VectorType::get(4, b.getI8Type()),
          vector::FromElementsOp::create(
              b, c.loc, VectorType::get(1, b.getI32Type()), word));
      for (int64_t i = 0; i < size; ++i)
        results.push_back(vector::ExtractOp::create(b, c.loc, bytes, i));
    });
    Value result = vector::FromElementsOp::create(b, c.loc, flat, results);
    return vector::ShapeCastOp::create(b, c.loc, c.withShape(b.getI8Type()),
                                       result);
  }

private:
  Value constant(int32_t value) {
    return arith::ConstantIntOp::create(b, c.loc, value, 32);
  }

  void
  forEachGroup(llvm::function_ref<void(int64_t begin, int64_t size)> visit) {
    int64_t count = flat.getNumElements();
    for (int64_t begin = 0; begin < count; begin += 4)
      visit(begin, std::min<int64_t>(4, count - begin));
  }

  /// `size` bytes from `begin` as an i32; the last one again behind them.
  Value pack(Value codes, int64_t begin, int64_t size) {
    llvm::SmallVector<Value> bytes;
    for (int64_t i = 0; i < 4; ++i)
      bytes.push_back(vector::ExtractOp::create(b, c.loc, codes,
                                                begin + std::min(i, size - 1)));
    Value group = vector::FromElementsOp::create(
        b, c.loc, VectorType::get(4, b.getI8Type()), bytes);
    Value word = vector::BitCastOp::create(
        b, c.loc, VectorType::get(1, b.getI32Type()), group);
    return vector::ExtractOp::create(b, c.loc, word, 0);
  }

  Value extendOne(Value code) {
    Value word = arith::ExtUIOp::create(b, c.loc, b.getI32Type(), code);
    Type f32 = b.getF32Type();
    return isFp8 ? Value(ROCDL::CvtF32Fp8Op::create(b, c.loc, f32, word, 0))
                 : Value(ROCDL::CvtF32Bf8Op::create(b, c.loc, f32, word, 0));
  }

  Value extendPair(Value word, bool high) {
    Type pair = VectorType::get(2, b.getF32Type());
    return isFp8
               ? Value(ROCDL::CvtPkF32Fp8Op::create(b, c.loc, pair, word, high))
               : Value(
                     ROCDL::CvtPkF32Bf8Op::create(b, c.loc, pair, word, high));
  }

  Value truncatePair(Value x, Value y, Value old, bool high) {
    Type i32 = b.getI32Type();
    return isFp8 ? Value(ROCDL::CvtPkFp8F32Op::create(b, c.loc, i32, x, y, old,
                                                      high))
                 : Value(ROCDL::CvtPkBf8F32Op::create(b, c.loc, i32, x, y, old,
                                                      high));
  }

  OpBuilder &b;
  const Code &c;
  bool isFp8;
  VectorType flat;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct ExpandNarrowFloats
    : public impl::FlyExpandNarrowFloatsPassBase<ExpandNarrowFloats> {
  void runOnOperation() override {
    llvm::SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
              arith::FPToSIOp, arith::FPToUIOp>(op) &&
          (getNarrow(op->getOperand(0).getType()) ||
           getNarrow(op->getResult(0).getType())))
        ops.push_back(op);
    });
    if (ops.empty())
      return markAllAnalysesPreserved();
    chip = findChip();
    for (Operation *op : ops)
      if (failed(expand(op)))
        return signalPassFailure();
  }

private:
  const arch::Chip *findChip() {
    ArrayAttr targets = getOperation().getTargetsAttr();
    if (!targets || targets.size() != 1)
      return nullptr;
    if (auto target = dyn_cast<ROCDL::ROCDLTargetAttr>(targets[0]))
      return arch::lookupChip(target.getChip());
    if (auto target = dyn_cast<rocdl::CPUTargetAttr>(targets[0]))
      return arch::lookupChip(target.getChip());
    return nullptr;
  }

  /// `value`, of a narrow type, as f32.
  Value toFloat(const Code &c, Value value) {
    FloatType type = getNarrow(value.getType());
    Type codes = c.withShape(c.b.getIntegerType(type.getWidth()));
    Value code = arith::BitcastOp::create(c.b, c.loc, codes, value);
    Instructions instructions = lookupInstructions(chip, type);
    if (instructions != Instructions::None)
      return RegisterCode(c, instructions == Instructions::Fp8).extend(code);
    return decode(c, arith::ExtUIOp::create(c.b, c.loc, c.i32(), code),
                  Format(type));
  }

  /// `value`, f32, as `type`, a narrow one.
  Value fromFloat(const Code &c, Value value, Type type) {
    FloatType element = getNarrow(type);
    Type codes = c.withShape(c.b.getIntegerType(element.getWidth()));
    Instructions instructions = lookupInstructions(chip, element);
    Value code =
        instructions != Instructions::None
            ? RegisterCode(c, instructions == Instructions::Fp8).truncate(value)
            : Value(arith::TruncIOp::create(c.b, c.loc, codes,
                                            encode(c, value, Format(element))));
    return arith::BitcastOp::create(c.b, c.loc, type, code);
  }

  LogicalResult expand(Operation *op) {
    Value operand = op->getOperand(0);
    Type type = op->getResult(0).getType();
    FloatType from = getNarrow(operand.getType()), to = getNarrow(type);
    auto vector = dyn_cast<VectorType>(type);
    if (vector && (vector.isScalable() || vector.getNumElements() == 0))
      return op->emitOpError("converts between ")
             << operand.getType() << " and " << type
             << ", expected scalars or vectors of fixed length";
    if (isa_and_nonnull<Float8E8M0FNUType>(to))
      return op->emitOpError("converts to ")
             << to
             << ", which has only powers of two: there is no agreed rounding; "
                "compute the exponent with integers and arith.bitcast";
    auto truncation = dyn_cast<arith::TruncFOp>(op);
    if (truncation && truncation.getRoundingmode().value_or(
                          arith::RoundingMode::to_nearest_even) !=
                          arith::RoundingMode::to_nearest_even)
      return op->emitOpError("rounds ")
             << arith::stringifyRoundingMode(*truncation.getRoundingmode())
             << ", but conversions to " << to << " round to_nearest_even";

    OpBuilder b(op);
    Code c(b, op->getLoc(), type);
    Value value;
    if (from) {
      value = toFloat(c, operand);
    } else if (isa<FloatType>(getElementTypeOrSelf(operand.getType()))) {
      unsigned width =
          getElementTypeOrSelf(operand.getType()).getIntOrFloatBitWidth();
      value = width == 64 ? truncateToOdd(c, operand)
              : width == 32
                  ? operand
                  : Value(arith::ExtFOp::create(b, c.loc, c.f32(), operand));
    } else {
      // An integer that f32 has to round is beyond all of these formats.
      value = isa<arith::SIToFPOp>(op)
                  ? Value(arith::SIToFPOp::create(b, c.loc, c.f32(), operand))
                  : Value(arith::UIToFPOp::create(b, c.loc, c.f32(), operand));
    }
    Value result = to ? fromFloat(c, value, type) : convertTo(c, op, value);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
    return success();
  }

  /// `value`, f32, as the result type of `op`, which is not narrow.
  static Value convertTo(const Code &c, Operation *op, Value value) {
    Type type = op->getResult(0).getType();
    if (isa<arith::FPToSIOp>(op))
      return arith::FPToSIOp::create(c.b, c.loc, type, value);
    if (isa<arith::FPToUIOp>(op))
      return arith::FPToUIOp::create(c.b, c.loc, type, value);
    unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    if (width > 32)
      return arith::ExtFOp::create(c.b, c.loc, type, value);
    if (width < 32)
      return arith::TruncFOp::create(c.b, c.loc, type, value);
    return value;
  }

  const arch::Chip *chip = nullptr;
};
} // namespace
} // namespace fly
