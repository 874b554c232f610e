// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gfx950's conversions of floats of 4, 6 and 8 bits that scale by a power of
// two, v_cvt_scalef32_*: of a value to or from f32, f16 or bf16, times or
// divided by the exponent of an f32. Their names say all there is to know; the
// order of the elements is that of AMD's CDNA4 ISA text and, for 2xpk16, whose
// sources alternate, of AMD's conformance tests for the chip.

#include "HostModule.h"

#include "Fly/Arch/SmallFloats.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace fly::host;

namespace {
/// One operation, from its name `rocdl.cvt.scalef32.[pk.]TO.FROM`.
struct ScaledConversion {
  bool isTruncation;
  bool isInterleaved; ///< takes elements of two vectors in turn
  uint32_t format;    ///< of the narrow type, a fly_cpu_float8
  unsigned bits;      ///< of the narrow type
  unsigned count;     ///< of elements
};
} // namespace

static std::optional<std::pair<uint32_t, unsigned>>
parseNarrow(StringRef type) {
  using Row = std::optional<std::pair<uint32_t, unsigned>>;
  return llvm::StringSwitch<Row>(type)
      .Case("fp8", Row({FlyCpuFloat8E4M3FN, 8}))
      .Case("bf8", Row({FlyCpuFloat8E5M2, 8}))
      .Case("fp6", Row({FlyCpuFloat6E2M3FN, 6}))
      .Case("bf6", Row({FlyCpuFloat6E3M2FN, 6}))
      .Case("fp4", Row({FlyCpuFloat4E2M1FN, 4}))
      .Default(std::nullopt);
}

static std::optional<ScaledConversion> parse(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (!name.consume_front("rocdl.cvt.scalef32."))
    return std::nullopt;
  bool isInterleaved = name.consume_front("2xpk16.");
  unsigned count = isInterleaved || name.consume_front("pk32.") ? 32
                   : name.consume_front("pk.")                  ? 2
                                                                : 1;
  auto [to, from] = name.split('.');
  auto isWide = [](StringRef type) {
    return type == "f32" || type == "f16" || type == "bf16";
  };
  // Other forms, which round stochastically or are of other chips, have a
  // further part.
  auto narrow = isWide(to) ? parseNarrow(from) : parseNarrow(to);
  if (!narrow || isWide(to) == isWide(from))
    return std::nullopt;
  return ScaledConversion{!isWide(to), isInterleaved, narrow->first,
                          narrow->second, count};
}

bool fly::host::isScaledConversion(Operation *op) {
  return parse(op).has_value();
}

/// The attribute that selects the place of the narrow values, or 0.
static unsigned getSelected(Operation *op, ArrayRef<StringRef> names) {
  for (StringRef name : names)
    if (auto attr = op->getAttrOfType<IntegerAttr>(name))
      return unsigned(attr.getValue().getZExtValue());
  return 0;
}

std::string fly::host::checkScaledConversion(const HostModule &host,
                                             Operation *op) {
  if (fly::arch::getScaledConversions(host.chip) !=
      fly::arch::ScaledConversions::Gfx950)
    return ("is no instruction of " + host.chip.name).str();
  unsigned place = getSelected(op, {"srcSelIndex", "dstSelIndex"});
  if (place > 3)
    return "selects byte " + std::to_string(int32_t(place)) +
           ", expected 0 to 3";
  return "";
}

namespace {
/// Rewrites one operation.
class Converter {
public:
  Converter(HostModule &host, Operation *op, const ScaledConversion &row)
      : host(host), op(op), row(row), b(op), loc(op->getLoc()),
        i32(b.getI32Type()), f32(b.getF32Type()) {}

  Value run() { return row.isTruncation ? truncate() : extend(); }

private:
  Value number(int64_t value) { return host.constant(b, loc, i32, value); }
  Value left(Value x, unsigned by) {
    return by ? LLVM::ShlOp::create(b, loc, x, number(by)) : x;
  }
  Value right(Value x, unsigned by) {
    return by ? LLVM::LShrOp::create(b, loc, x, number(by)) : x;
  }
  Value at(Value vector, unsigned index) {
    return LLVM::ExtractElementOp::create(b, loc, vector, number(index));
  }

  /// 2^(e - 127), or 2^(127 - e) if `inverse`, e the exponent of the scale. 255
  /// is NaN, and an exponent of 0 is 2^-127 as in E8M0.
  Value power(bool inverse) {
    Value scale = op->getOperand(op->getNumOperands() - 1);
    Value bits = LLVM::BitcastOp::create(b, loc, i32, scale);
    Value e = LLVM::AndOp::create(b, loc, right(bits, 23), number(0xff));
    auto select = [&](unsigned when, uint32_t then, Value otherwise) -> Value {
      Value is = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, e,
                                      number(when));
      return LLVM::SelectOp::create(b, loc, is, number(then), otherwise);
    };
    Value field =
        inverse ? Value(LLVM::SubOp::create(b, loc, number(254), e)) : e;
    Value power = select(inverse ? 254 : 0, 0x00400000, left(field, 23));
    power = select(255, 0x7fc00000, power);
    return LLVM::BitcastOp::create(b, loc, f32, power);
  }

  /// The integer with the code `index` of the registers, higher bits with it.
  Value codeAt(Value registers, unsigned index) {
    unsigned bit = index * row.bits, word = bit / 32, offset = bit % 32;
    if (!isa<VectorType>(registers.getType()))
      return right(registers, offset);
    Value low = right(at(registers, word), offset);
    if (offset + row.bits <= 32)
      return low;
    return LLVM::OrOp::create(b, loc, low,
                              left(at(registers, word + 1), 32 - offset));
  }

  Value extend() {
    Type type = op->getResult(0).getType();
    auto vector = dyn_cast<VectorType>(type);
    bool keepsHalf = row.count == 1 && vector;
    Value registers = op->getOperand(keepsHalf ? 1 : 0);
    unsigned first = getSelected(op, {"srcSelIndex", "srcLoHiSel"}) *
                     (row.bits == 4 ? 2 : row.count);
    Value scale = power(/*inverse=*/false);
    auto element = [&](unsigned index) -> Value {
      Value value = host.callRuntime(
          b, loc, offsetof(fly_cpu_runtime, extend_float8), f32,
          {number(row.format), codeAt(registers, first + index)});
      // Exact but for what is too large: f32 has all of these numbers.
      value = LLVM::FMulOp::create(b, loc, value, scale);
      Type wide = vector ? vector.getElementType() : type;
      return wide == f32 ? value
                         : Value(LLVM::FPTruncOp::create(b, loc, wide, value));
    };
    if (!vector)
      return element(0);
    if (keepsHalf)
      return LLVM::InsertElementOp::create(
          b, loc, op->getOperand(0), element(0),
          number(getSelected(op, {"dstLoHiSel"})));
    Value result = LLVM::PoisonOp::create(b, loc, type);
    for (unsigned i = 0; i < row.count; ++i)
      result =
          LLVM::InsertElementOp::create(b, loc, result, element(i), number(i));
    return result;
  }

  /// Source `index` of a truncation as f32.
  Value source(unsigned index) {
    // The instructions that replace a part of a register come with it first.
    unsigned first = row.count == 2 ? 1 : 0;
    Value value;
    if (row.isInterleaved)
      value = at(op->getOperand(index % 2), index / 2);
    else if (isa<VectorType>(op->getOperand(first).getType()))
      value = at(op->getOperand(first), index);
    else
      value = op->getOperand(first + index);
    return value.getType() == f32
               ? value
               : Value(LLVM::FPExtOp::create(b, loc, f32, value));
  }

  Value truncate() {
    Value scale = power(/*inverse=*/true);
    // Exact but for what is too small for any of the types. NaN of the scale
    // has the sign of the source, too (HIP's amd_hip_ocp_host.hpp).
    auto code = [&](unsigned index) {
      Value from = source(index);
      Value scaled = LLVM::FMulOp::create(b, loc, from, scale);
      scaled = LLVM::CopySignOp::create(b, loc, scaled, from);
      return host.callRuntime(b, loc,
                              offsetof(fly_cpu_runtime, truncate_to_float8),
                              i32, {number(row.format), scaled});
    };
    if (row.count == 2) {
      Value old = op->getOperand(0);
      Value pair = LLVM::OrOp::create(b, loc, code(0), left(code(1), row.bits));
      unsigned place = getSelected(op, {"dstSelIndex", "dstLoHiSel"});
      if (row.bits == 8)
        return LLVM::InsertElementOp::create(
            b, loc, old, LLVM::TruncOp::create(b, loc, b.getI16Type(), pair),
            number(place));
      Value kept = LLVM::AndOp::create(
          b, loc, old, number(int32_t(~(0xffu << (8 * place)))));
      return LLVM::OrOp::create(b, loc, kept, left(pair, 8 * place));
    }
    SmallVector<Value> words(row.count * row.bits / 32, number(0));
    for (unsigned i = 0; i < row.count; ++i) {
      unsigned bit = i * row.bits, word = bit / 32, offset = bit % 32;
      Value bits = code(i);
      words[word] = LLVM::OrOp::create(b, loc, words[word], left(bits, offset));
      if (offset + row.bits > 32)
        words[word + 1] = LLVM::OrOp::create(b, loc, words[word + 1],
                                             right(bits, 32 - offset));
    }
    Value result = LLVM::PoisonOp::create(b, loc, op->getResult(0).getType());
    for (auto [i, word] : llvm::enumerate(words))
      result = LLVM::InsertElementOp::create(b, loc, result, word, number(i));
    return result;
  }

  HostModule &host;
  Operation *op;
  ScaledConversion row;
  OpBuilder b;
  Location loc;
  Type i32, f32;
};
} // namespace

bool fly::host::rewriteScaledConversion(HostModule &host, Operation *op) {
  std::optional<ScaledConversion> row = parse(op);
  if (!row)
    return false;
  Value result = Converter(host, op, *row).run();
  op->replaceAllUsesWith(ValueRange{result});
  op->erase();
  return true;
}
