// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of narrow floats as instructions of the chips.

#include "NarrowFloatCode.h"

#include "Fly/Arch/SmallFloats.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fly;
using namespace fly::narrow;

namespace {
/// The instructions of `chip` that convert `type`, of 8 bits.
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

/// Six and four bits: whole registers of a vector, by the instructions that
/// scale, with the scale 1.
class PackedCode {
public:
  PackedCode(const Code &c, FloatType type, arch::ScaledConversions kind)
      : b(c.b), c(c), type(type), kind(kind) {
    isFp4 = isa<Float4E2M1FNType>(type);
    bool isFp6 = isa<Float6E2M3FNType>(type),
         isBf6 = isa<Float6E3M2FNType>(type);
    if (kind == arch::ScaledConversions::None || !c.shape ||
        (!isFp4 && !isFp6 && !isBf6))
      return;
    name = isFp4 ? "fp4" : isFp6 ? "fp6" : "bf6";
    // The elements of one instruction's registers; four instructions of gfx950
    // fill one register with 4-bit numbers.
    bool isGfx950 = kind == arch::ScaledConversions::Gfx950;
    group = isFp4 ? 8 : isGfx950 ? 32 : 16;
    words = group * type.getWidth() / 32;
    count = c.shape.getNumElements();
  }

  bool isPossible() const { return group != 0 && count % group == 0; }

  /// f32 of `codes`.
  Value extend(Value codes) {
    Value registers = vector::BitCastOp::create(
        b, c.loc, VectorType::get(count / group * words, b.getI32Type()),
        vector::ShapeCastOp::create(b, c.loc, VectorType::get(count, integer()),
                                    codes));
    VectorType flat = VectorType::get(count, b.getF32Type());
    Value result = arith::ConstantOp::create(b, c.loc, b.getZeroAttr(flat));
    int64_t begin = 0;
    for (int64_t i = 0; i < count / group; ++i)
      for (Value part : extendGroup(takeWords(registers, i))) {
        result = put(result, part, begin);
        begin += cast<VectorType>(part.getType()).getNumElements();
      }
    return vector::ShapeCastOp::create(b, c.loc, c.f32(), result);
  }

  /// Integers of the type's width of `values`, f32.
  Value truncate(Value values) {
    Value flat = vector::ShapeCastOp::create(b, c.loc, floats(count), values);
    VectorType wordType =
        VectorType::get(count / group * words, b.getI32Type());
    Value registers =
        arith::ConstantOp::create(b, c.loc, b.getZeroAttr(wordType));
    for (int64_t i = 0; i < count / group; ++i) {
      Value part = truncateGroup(take(flat, i * group, group));
      registers =
          isa<VectorType>(part.getType())
              ? put(registers, part, i * words)
              : Value(vector::InsertOp::create(b, c.loc, part, registers, i));
    }
    Value codes = vector::BitCastOp::create(
        b, c.loc, VectorType::get(count, integer()), registers);
    codes =
        vector::ShapeCastOp::create(b, c.loc, c.withShape(integer()), codes);
    // What the instructions make of NaN AMD's code describes in two ways; see
    // encode.
    Value isNaN = arith::CmpFOp::create(b, c.loc, arith::CmpFPredicate::UNO,
                                        values, values);
    Value zero = signedZero(values);
    return c.select(isNaN, zero, codes);
  }

private:
  /// The zeros with the signs of `values`, f32.
  Value signedZero(Value values) {
    unsigned width = type.getWidth();
    Value top = arith::TruncIOp::create(b, c.loc, c.withShape(integer()),
                                        c.right(c.asBits(values), 32 - width));
    return c.make<arith::AndIOp>(
        top,
        c.splat(b.getIntegerAttr(integer(), llvm::APInt::getSignMask(width))));
  }

  /// True where four instructions fill one register with 4-bit numbers.
  bool takesBytes() const {
    return isFp4 && kind == arch::ScaledConversions::Gfx950;
  }

  /// f32 of the registers of a group, in parts.
  llvm::SmallVector<Value> extendGroup(Value source) {
    llvm::SmallVector<Value> parts;
    if (takesBytes()) {
      for (int32_t byte = 0; byte < 4; ++byte)
        parts.push_back(make("cvt.scalef32.pk.f32.fp4", floats(2),
                             {source, one()}, "srcSelIndex", byte));
    } else if (kind == arch::ScaledConversions::Gfx950) {
      parts.push_back(
          make("cvt.scalef32.pk32.f32." + name, floats(32), {source, one()}));
    } else {
      // Any byte of this scale is 2^0.
      Value scale = arith::ConstantIntOp::create(b, c.loc, 0x7f7f7f7f, 32);
      parts.push_back(
          make("cvt.scale.pk" + std::to_string(group) + ".f32." + name,
               floats(group), {source, scale}, "scaleSel", 0));
    }
    return parts;
  }

  /// The registers of a group of f32.
  Value truncateGroup(Value values) {
    if (takesBytes()) {
      Value word = arith::ConstantIntOp::create(b, c.loc, 0, 32);
      for (int32_t byte = 0; byte < 4; ++byte) {
        Value x = vector::ExtractOp::create(b, c.loc, values, 2 * byte);
        Value y = vector::ExtractOp::create(b, c.loc, values, 2 * byte + 1);
        word = make("cvt.scalef32.pk.fp4.f32", b.getI32Type(),
                    {word, x, y, one()}, "dstSelIndex", byte);
      }
      return word;
    }
    if (kind != arch::ScaledConversions::Gfx950)
      return make("cvt.scalef32.pk" + std::to_string(group) + "." + name +
                      ".f32",
                  registersType(), {values, one()});
    // Takes the even elements and the odd ones apart.
    llvm::SmallVector<int64_t> even, odd;
    for (int64_t k = 0; k < 32; k += 2) {
      even.push_back(k);
      odd.push_back(k + 1);
    }
    Value low = vector::ShuffleOp::create(b, c.loc, values, values, even);
    Value high = vector::ShuffleOp::create(b, c.loc, values, values, odd);
    return make("cvt.scalef32.2xpk16." + name + ".f32", registersType(),
                {low, high, one()});
  }

  IntegerType integer() { return b.getIntegerType(type.getWidth()); }
  VectorType floats(int64_t n) { return VectorType::get(n, b.getF32Type()); }
  Type registersType() {
    return words == 1 ? Type(b.getI32Type())
                      : Type(VectorType::get(words, b.getI32Type()));
  }
  Value one() {
    return arith::ConstantOp::create(b, c.loc, b.getF32FloatAttr(1));
  }

  Value take(Value vector, int64_t begin, int64_t size) {
    return vector::ExtractStridedSliceOp::create(
        b, c.loc, vector, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{size},
        ArrayRef<int64_t>{1});
  }
  Value put(Value vector, Value part, int64_t begin) {
    return vector::InsertStridedSliceOp::create(
        b, c.loc, part, vector, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{1});
  }
  /// The registers of group `i`.
  Value takeWords(Value registers, int64_t i) {
    if (words == 1)
      return vector::ExtractOp::create(b, c.loc, registers, i);
    return take(registers, i * words, words);
  }

  Value make(const std::string &op, Type result, ValueRange operands,
             StringRef selector = "", int32_t selected = 0) {
    OperationState state(c.loc, "rocdl." + op);
    state.addOperands(operands);
    state.addTypes(result);
    if (!selector.empty())
      state.addAttribute(selector, b.getI32IntegerAttr(selected));
    return b.create(state)->getResult(0);
  }

  OpBuilder &b;
  const Code &c;
  FloatType type;
  arch::ScaledConversions kind;
  bool isFp4 = false;
  std::string name;
  int64_t group = 0, words = 0, count = 0;
};

/// What `chip` has to scale.
arch::ScaledConversions lookupScaled(const arch::Chip *chip) {
  return chip ? arch::getScaledConversions(*chip)
              : arch::ScaledConversions::None;
}
} // namespace

Value fly::narrow::extendByInstruction(const Code &c, Value codes,
                                       FloatType type, const arch::Chip *chip) {
  Instructions instructions = lookupInstructions(chip, type);
  if (instructions != Instructions::None)
    return RegisterCode(c, instructions == Instructions::Fp8).extend(codes);
  PackedCode packed(c, type, lookupScaled(chip));
  return packed.isPossible() ? packed.extend(codes) : Value();
}

Value fly::narrow::truncateByInstruction(const Code &c, Value value,
                                         FloatType type,
                                         const arch::Chip *chip) {
  Instructions instructions = lookupInstructions(chip, type);
  if (instructions != Instructions::None)
    return RegisterCode(c, instructions == Instructions::Fp8).truncate(value);
  PackedCode packed(c, type, lookupScaled(chip));
  return packed.isPossible() ? packed.truncate(value) : Value();
}
