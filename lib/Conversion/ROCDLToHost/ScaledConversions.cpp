// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversions of floats of 4, 6 and 8 bits that scale by a power of two:
// gfx950's v_cvt_scalef32_* with 1, 2 or 32 numbers, and gfx1250's
// v_cvt_scalef32_* and v_cvt_scale_* with 8 or 16. To or from f32, f16 or bf16,
// times or divided by the exponent of the scale. Their names say all there is
// to know.
//
// Order of the elements: AMD's CDNA4 ISA text and, for 2xpk16, whose sources
// alternate, AMD's conformance tests for the chip. Stochastic rounding: that
// text ("Convert instructions": "an updated random number is generated every
// pass [...] via V_PRNG_B32"), with one element for each pass, as AMD's
// emulator, rocjitsu, has it for both chips. That gfx1250 divides by the f32
// scale as well is how AMD's libraries use it; MLIR's text says the contrary.
// Which byte of which lane is the scale of v_cvt_scale_*: SmallFloats.h.

#include "HostModule.h"

#include "Fly/Arch/SmallFloats.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace fly::host;
namespace arch = fly::arch;

namespace {
/// One operation, from its name
/// `rocdl.cvt.(scale|scalef32).[sr.][(pk|pk8|pk16|pk32|2xpk16).]TO.FROM`.
struct ScaledConversion {
  arch::ScaledConversions chips;
  bool isTruncation;
  bool isStochastic;
  bool isInterleaved;    ///< takes elements of two vectors in turn
  bool hasScalesOfLanes; ///< the scale is four exponents, for many lanes
  uint32_t format;       ///< of the narrow type, a fly_cpu_float8
  unsigned bits;         ///< of the narrow type
  unsigned count;        ///< of elements

  /// A truncation that replaces a part of a register, which comes first.
  bool keepsRest() const { return isTruncation && count <= 2; }
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
  if (!name.consume_front("rocdl.cvt."))
    return std::nullopt;
  ScaledConversion row{};
  row.hasScalesOfLanes = name.consume_front("scale.");
  if (!row.hasScalesOfLanes && !name.consume_front("scalef32."))
    return std::nullopt;
  row.isStochastic = name.consume_front("sr.");
  row.isInterleaved = name.consume_front("2xpk16.");
  row.count = row.isInterleaved || name.consume_front("pk32.") ? 32
              : name.consume_front("pk16.")                    ? 16
              : name.consume_front("pk8.")                     ? 8
              : name.consume_front("pk.")                      ? 2
                                                               : 1;
  row.chips = row.count == 8 || row.count == 16
                  ? arch::ScaledConversions::Gfx1250
                  : arch::ScaledConversions::Gfx950;
  auto [to, from] = name.split('.');
  row.isTruncation = !llvm::is_contained({"f32", "f16", "bf16"}, to);
  auto narrow = parseNarrow(row.isTruncation ? to : from);
  if (!narrow)
    return std::nullopt;
  std::tie(row.format, row.bits) = *narrow;
  return row;
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

static Value getScale(Operation *op) {
  return op->getOperand(op->getNumOperands() - 1);
}

/// Where a lane finds its scale; nothing for a selection without a known
/// meaning.
static std::optional<arch::ScaleSelection>
getScaleSelection(Operation *op, const ScaledConversion &row) {
  return arch::lookupScaleSelection(row.bits, getSelected(op, {"scaleSel"}));
}

/// The exponent that each of the four bytes of a constant scale has.
static std::optional<uint32_t> getCommonExponent(Value scale) {
  APInt value;
  if (!matchPattern(scale, m_ConstantInt(&value)) || value.getBitWidth() != 32)
    return std::nullopt;
  uint32_t exponent = value.extractBitsAsZExtValue(8, 0);
  if (value.getZExtValue() != exponent * 0x01010101u)
    return std::nullopt;
  return exponent;
}

// A constant is part of the instruction (LLVM selects a literal or a scalar
// register), so that it is the same for a lane whose source is inactive.
bool fly::host::readsOtherLanes(Operation *op) {
  std::optional<ScaledConversion> row = parse(op);
  return row && row->hasScalesOfLanes &&
         !matchPattern(getScale(op), m_Constant());
}

void fly::host::exchangeScales(HostModule &host) {
  SmallVector<Operation *> readers;
  host.module.walk([&](Operation *op) {
    if (readsOtherLanes(op))
      readers.push_back(op);
  });
  for (Operation *op : readers) {
    OpBuilder b(op);
    unsigned first = getScaleSelection(op, *parse(op))->firstLane;
    auto exchange = ROCDL::ReadfirstlaneOp::create(
        b, op->getLoc(), b.getI32Type(), getScale(op));
    exchange->setAttr("fly.first_lane", b.getI32IntegerAttr(int32_t(first)));
    op->setOperand(op->getNumOperands() - 1, exchange);
  }
}

std::string fly::host::checkScaledConversion(const HostModule &host,
                                             Operation *op) {
  std::optional<ScaledConversion> row = parse(op);
  if (arch::getScaledConversions(host.chip) != row->chips)
    return ("is no instruction of " + host.chip.name).str();
  unsigned place = getSelected(op, {"srcSelIndex", "dstSelIndex"});
  if (place > 3)
    return "selects byte " + std::to_string(int32_t(place)) +
           ", expected 0 to 3";
  if (!row->hasScalesOfLanes)
    return "";
  unsigned scale = getSelected(op, {"scaleSel"});
  if (scale > 15)
    return "has scaleSel " + std::to_string(int32_t(scale)) +
           ", expected 0 to 15";
  if (!getScaleSelection(op, *row) && !getCommonExponent(getScale(op)))
    return "has scaleSel " + std::to_string(scale) +
           ", and no public description says which lane and byte the scale "
           "then comes from; the CPU target runs it with a constant scale of "
           "four equal bytes, and scaleSel 0 to " +
           (row->bits == 8 ? "11" : "7") + " with every scale";
  return "";
}

namespace {
/// Rewrites one operation.
class Converter {
public:
  Converter(HostModule &host, Operation *op, const ScaledConversion &row,
            Value lane)
      : host(host), op(op), row(row), lane(lane), b(op), loc(op->getLoc()),
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
  Value put(Value vector, Value element, unsigned index) {
    return LLVM::InsertElementOp::create(b, loc, vector, element,
                                         number(index));
  }

  /// The biased exponent of the scale.
  Value exponent() {
    Value scale = getScale(op);
    if (row.hasScalesOfLanes) {
      std::optional<uint32_t> common = getCommonExponent(scale);
      return common ? number(*common) : selectedByte(scale);
    }
    Value bits = LLVM::BitcastOp::create(b, loc, i32, scale);
    return LLVM::AndOp::create(b, loc, right(bits, 23), number(0xff));
  }

  /// The byte of `word`, the register of the lane that has the scale.
  Value selectedByte(Value word) {
    arch::ScaleSelection from = *getScaleSelection(op, row);
    Value begin = number(8 * from.lowerByte);
    if (from.upperByte != from.lowerByte) {
      Value self =
          host.loadField(b, loc, lane, offsetof(fly_cpu_lane, lane), i32,
                         /*invariant=*/true);
      Value isUpper = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::uge,
                                           self, number(16));
      begin = LLVM::SelectOp::create(b, loc, isUpper,
                                     number(8 * from.upperByte), begin);
    }
    return LLVM::AndOp::create(
        b, loc, LLVM::LShrOp::create(b, loc, word, begin), number(0xff));
  }

  /// 2^(e - 127), or 2^(127 - e) if `inverse`, e the exponent of the scale. 255
  /// is NaN, and an exponent of 0 is 2^-127 as in E8M0.
  Value power(bool inverse) {
    Value e = exponent();
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
      return put(op->getOperand(0), element(0),
                 getSelected(op, {"dstLoHiSel"}));
    Value result = LLVM::PoisonOp::create(b, loc, type);
    for (unsigned i = 0; i < row.count; ++i)
      result = put(result, element(i), i);
    return result;
  }

  /// Source `index` of a truncation as f32.
  Value source(unsigned index) {
    unsigned first = row.keepsRest() ? 1 : 0;
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

  /// The codes of all elements, i32 without higher bits.
  SmallVector<Value> codes() {
    Value scale = power(/*inverse=*/true), seed;
    if (row.isStochastic)
      seed = op->getOperand(op->getNumOperands() - 2);
    SmallVector<Value> codes;
    for (unsigned i = 0; i < row.count; ++i) {
      // Exact but for what is too small for any of the types. NaN of the scale
      // has the sign of the source, too (HIP's amd_hip_ocp_host.hpp).
      Value from = source(i);
      Value value = LLVM::FMulOp::create(b, loc, from, scale);
      value = LLVM::CopySignOp::create(b, loc, value, from);
      SmallVector<Value> arguments{number(row.format), value};
      if (row.isStochastic) {
        arguments.push_back(i ? seed = nextRandom(seed) : seed);
        codes.push_back(host.callRuntime(
            b, loc, offsetof(fly_cpu_runtime, truncate_to_float8_stochastic),
            i32, arguments));
      } else {
        codes.push_back(host.callRuntime(
            b, loc, offsetof(fly_cpu_runtime, truncate_to_float8), i32,
            arguments));
      }
    }
    return codes;
  }

  /// A step of V_PRNG_B32: a feedback shift register (CDNA4 ISA).
  Value nextRandom(Value seed) {
    Value top = LLVM::AShrOp::create(b, loc, seed, number(31));
    Value feedback = LLVM::AndOp::create(b, loc, top, number(0xc5));
    return LLVM::XOrOp::create(b, loc, left(seed, 1), feedback);
  }

  Value truncate() {
    SmallVector<Value> elements = codes();
    return row.keepsRest() ? replacePart(elements) : fillRegisters(elements);
  }

  /// The first operand with the selected byte, or half, replaced.
  Value replacePart(ArrayRef<Value> elements) {
    Value old = op->getOperand(0), part = elements[0];
    if (row.count == 2)
      part = LLVM::OrOp::create(b, loc, part, left(elements[1], row.bits));
    unsigned place = getSelected(op, {"dstSelIndex", "dstLoHiSel"});
    if (isa<VectorType>(old.getType()))
      return put(old, LLVM::TruncOp::create(b, loc, b.getI16Type(), part),
                 place);
    Value kept = LLVM::AndOp::create(b, loc, old,
                                     number(int32_t(~(0xffu << (8 * place)))));
    return LLVM::OrOp::create(b, loc, kept, left(part, 8 * place));
  }

  /// Registers of nothing but the elements.
  Value fillRegisters(ArrayRef<Value> elements) {
    SmallVector<Value> words(row.count * row.bits / 32, number(0));
    for (auto [i, bits] : llvm::enumerate(elements)) {
      unsigned bit = unsigned(i) * row.bits, word = bit / 32, offset = bit % 32;
      words[word] = LLVM::OrOp::create(b, loc, words[word], left(bits, offset));
      if (offset + row.bits > 32)
        words[word + 1] = LLVM::OrOp::create(b, loc, words[word + 1],
                                             right(bits, 32 - offset));
    }
    Type type = op->getResult(0).getType();
    if (!isa<VectorType>(type))
      return words[0];
    Value result = LLVM::PoisonOp::create(b, loc, type);
    for (auto [i, word] : llvm::enumerate(words))
      result = put(result, word, unsigned(i));
    return result;
  }

  HostModule &host;
  Operation *op;
  ScaledConversion row;
  Value lane;
  OpBuilder b;
  Location loc;
  Type i32, f32;
};
} // namespace

bool fly::host::rewriteScaledConversion(HostModule &host, Operation *op,
                                        Value lane) {
  std::optional<ScaledConversion> row = parse(op);
  if (!row)
    return false;
  Value result = Converter(host, op, *row, lane).run();
  op->replaceAllUsesWith(ValueRange{result});
  op->erase();
  return true;
}
