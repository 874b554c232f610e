// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host arrays: elements as numbers and back, and comparison. Floats of every
// format go through APFloat, so that no format has a converter of its own.

#include "Fly/Execution/HostArray.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>
#include <tuple>

using namespace mlir;

namespace fly {

int64_t HostArray::numElements() const {
  int64_t n = 1;
  for (int64_t extent : shape)
    n *= extent;
  return n;
}

int64_t HostArray::elementBytes() const {
  return getElementBytes(elementType).value_or(0);
}

std::string HostArray::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (int64_t extent : shape)
    os << extent << 'x';
  os << elementType;
  return text;
}

std::optional<int64_t> getElementBytes(Type type) {
  if (!isa<IntegerType, FloatType>(type))
    return std::nullopt;
  unsigned bits = type.getIntOrFloatBitWidth();
  // An i1 travels as one byte, as in memory.
  if (bits == 1)
    return 1;
  // Kernels lay out other widths with padding.
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return std::nullopt;
  return bits / 8;
}

static APInt readBits(Type type, const char *bytes) {
  unsigned size = *getElementBytes(type);
  uint64_t bits = 0;
  for (unsigned i = 0; i < size; ++i)
    bits |= uint64_t(uint8_t(bytes[i])) << (8 * i);
  unsigned width = type.getIntOrFloatBitWidth();
  return APInt(64, bits).trunc(width);
}

static void writeBits(const APInt &bits, unsigned size, char *out) {
  uint64_t value = bits.getZExtValue();
  for (unsigned i = 0; i < size; ++i)
    out[i] = char(value >> (8 * i));
}

double HostArray::getAsDouble(int64_t index) const {
  APInt bits = readBits(elementType, data.data() + index * elementBytes());
  if (auto floatType = dyn_cast<FloatType>(elementType)) {
    APFloat value(floatType.getFloatSemantics(), bits);
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.convertToDouble();
  }
  if (elementType.isInteger(1) || elementType.isUnsignedInteger())
    return double(bits.getZExtValue());
  return double(bits.getSExtValue());
}

long double HostArray::getExactly(int64_t index) const {
  if (!isa<IntegerType>(elementType))
    return getAsDouble(index);
  APInt bits = readBits(elementType, data.data() + index * elementBytes());
  if (elementType.isInteger(1) || elementType.isUnsignedInteger())
    return bits.getZExtValue();
  return bits.getSExtValue();
}

std::string HostArray::getText(int64_t index) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!isa<IntegerType>(elementType)) {
    os << llvm::format("%.9g", getAsDouble(index));
    return text;
  }
  APInt bits = readBits(elementType, data.data() + index * elementBytes());
  bits.print(os, /*isSigned=*/!elementType.isInteger(1) &&
                     !elementType.isUnsignedInteger());
  return text;
}

llvm::Expected<Type> parseElementType(MLIRContext *context, StringRef text) {
  // The parser's own diagnostic would name no argument: ours replaces it.
  ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
  Type type = parseType(text, context);
  if (!type || !getElementBytes(type))
    return llvm::createStringError(
        "'" + text +
        "' is no element type; expected a float or integer type of whole "
        "bytes such as f32, f16, bf16, f8E4M3FN, i32, i8");
  return type;
}

llvm::Error encodeElement(Type type, StringRef text, char *out) {
  unsigned size = *getElementBytes(type);
  text = text.trim();
  auto describe = [&] {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    return name;
  };
  if (auto floatType = dyn_cast<FloatType>(type)) {
    APFloat value(floatType.getFloatSemantics());
    auto status =
        value.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return llvm::createStringError("'" + text + "' is no number for " +
                                     describe());
    }
    // Formats without infinities, zeros or signs take something else instead.
    APFloat exact(APFloat::IEEEdouble());
    auto parsed = exact.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!parsed)
      llvm::consumeError(parsed.takeError()); // and zero, which fits nothing else
    // As it is stored: a format without a sign drops it only there.
    value = APFloat(floatType.getFloatSemantics(), value.bitcastToAPInt());
    bool sameKind = value.isNaN() == exact.isNaN() &&
                    value.isInfinity() == exact.isInfinity() &&
                    (!exact.isZero() || value.isZero()) &&
                    (value.isNegative() == exact.isNegative() ||
                     value.isZero() || value.isNaN());
    if ((*status & APFloat::opOverflow) || !sameKind)
      return llvm::createStringError("'" + text + "' does not fit " +
                                     describe());
    writeBits(value.bitcastToAPInt(), size, out);
    return llvm::Error::success();
  }
  unsigned width = type.getIntOrFloatBitWidth();
  int64_t asSigned;
  uint64_t asUnsigned;
  APInt bits;
  // A leading 0 alone makes no octal number.
  StringRef digits = text;
  digits.consume_front("-");
  unsigned radix =
      digits.starts_with_insensitive("0x") || digits.starts_with_insensitive("0b")
          ? 0
          : 10;
  if (!text.getAsInteger(radix, asSigned))
    bits = APInt(64, uint64_t(asSigned), /*isSigned=*/true);
  else if (!text.getAsInteger(radix, asUnsigned))
    bits = APInt(64, asUnsigned);
  else
    return llvm::createStringError("'" + text + "' is no integer for " +
                                   describe());
  bool fits = text.starts_with("-") ? bits.isSignedIntN(width)
                                    : bits.isIntN(width);
  if (!fits)
    return llvm::createStringError("'" + text + "' does not fit " +
                                   describe());
  writeBits(bits, size, out);
  return llvm::Error::success();
}

std::string formatCoordinate(ArrayRef<int64_t> shape, int64_t index) {
  if (llvm::is_contained(shape, 0))
    return "no element";
  SmallVector<int64_t> coordinate(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    coordinate[i] = index % shape[i];
    index /= shape[i];
  }
  return ("[" + llvm::join(llvm::map_range(coordinate, [](int64_t c) {
                             return std::to_string(c);
                           }),
                           ", ") +
          "]");
}

llvm::Expected<Comparison> compareArrays(const HostArray &got,
                                         const HostArray &want, double rtol,
                                         double atol) {
  if (got.shape != want.shape)
    return llvm::createStringError(llvm::formatv(
        "shapes differ: the argument is {0}, the expected array is {1}",
        got.str(), want.str()));
  Comparison result;
  // Of two elements the worse one is that which does not match, then that with
  // no finite error, then that with the larger one.
  auto isWorse = [&](bool mismatch, bool isNaN, double error, bool worstMismatch,
                     bool worstIsNaN) {
    return std::make_tuple(mismatch, isNaN, isNaN ? 0.0 : error) >
           std::make_tuple(worstMismatch, worstIsNaN,
                           worstIsNaN ? 0.0 : result.worstError);
  };
  bool worstMismatch = false, worstIsNaN = false;
  for (int64_t i = 0, e = got.numElements(); i < e; ++i) {
    // A double does not hold every integer, a long double does.
    long double g = got.getExactly(i), w = want.getExactly(i);
    if (g == w || (std::isnan(g) && std::isnan(w)))
      continue;
    auto error = static_cast<double>(std::fabs(g - w));
    bool isNaN = std::isnan(error) || std::isinf(error);
    bool mismatch = isNaN || error > atol + rtol * static_cast<double>(std::fabs(w));
    result.mismatches += mismatch;
    if (isWorse(mismatch, isNaN, error, worstMismatch, worstIsNaN)) {
      worstMismatch = mismatch;
      worstIsNaN = isNaN;
      result.worstIndex = i;
      result.worstError = error;
    }
  }
  return result;
}

} // namespace fly
