// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the tensor copies of gfx1250: text, verification and description.

#include "Fly/Dialect/Fly/IR/FlyLayoutAdapter.h"
#include "Fly/Dialect/Fly/IR/NestedParsing.h"
#include "Fly/Dialect/FlyROCDL/IR/FlyROCDL.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fly::rocdl;
namespace arch = fly::arch;
namespace layout = fly::layout;
using fly::AtomStateField;
using fly::IntAttr;
using fly::IntTupleAttr;

//===----------------------------------------------------------------------===//
// Shared parts
//===----------------------------------------------------------------------===//

static layout::Layout oneLane() { return layout::Layout(1, 1); }

/// The layout (1,bits):(1,1).
static layout::Layout laneBits(int64_t bits) {
  using layout::IntTuple;
  return layout::Layout(IntTuple::tuple(ArrayRef<IntTuple>{1, bits}),
                        IntTuple::tuple(ArrayRef<IntTuple>{1, 1}));
}

static StringRef tensorFeature() {
  return arch::featureName(arch::Feature::TensorCopy);
}

static LogicalResult verifyPadding(function_ref<InFlightDiagnostic()> emitError,
                                   int32_t interval, int32_t amount) {
  if ((interval == 0) != (amount == 0))
    return emitError()
           << "padInterval and padAmount must both be zero or both non-zero";
  if (interval < 0 || amount < 0)
    return emitError() << "padInterval and padAmount must be non-negative, got "
                       << interval << ", " << amount;
  if (interval && !llvm::isPowerOf2_32(interval))
    return emitError() << "padInterval must be a power of two (in elements), "
                          "got "
                       << interval;
  return success();
}

static LogicalResult verifyCache(function_ref<InFlightDiagnostic()> emitError,
                                 int32_t cache, StringRef name) {
  if (cache >= 0)
    return success();
  return emitError() << name << " must not be negative, got " << cache;
}

//===----------------------------------------------------------------------===//
// Tdm
//===----------------------------------------------------------------------===//

/// Parses `name = value` if `, name` follows.
template <typename T>
static ParseResult parseOption(AsmParser &parser, StringRef name, T &value) {
  if (parser.parseEqual())
    return failure();
  FailureOr<T> parsed = FieldParser<T>::parse(parser);
  if (failed(parsed))
    return failure();
  value = *parsed;
  return success();
}

Type TdmType::parse(AsmParser &parser) {
  int32_t rank, warps, interval = 0, amount = 0, cache = 0;
  bool barrier = false, timeout = false;
  if (parser.parseLess() || parser.parseKeyword("rank") ||
      parser.parseEqual() || parser.parseInteger(rank) || parser.parseComma() ||
      parser.parseKeyword("warps") || parser.parseEqual() ||
      parser.parseInteger(warps))
    return {};
  // The rest is in this order; each may be left out.
  constexpr StringLiteral names[] = {"pad", "cache", "barrier", "timeout"};
  unsigned next = 0;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return {};
    while (next < std::size(names) && names[next] != name)
      ++next;
    if (next == std::size(names)) {
      parser.emitError(loc, "expected pad, cache, barrier and timeout in this "
                            "order, got '")
          << name << "'";
      return {};
    }
    ParseResult parsed = success();
    switch (next++) {
    case 0:
      parsed = failure(parser.parseEqual() || parser.parseInteger(interval) ||
                       parser.parseComma() || parser.parseInteger(amount));
      break;
    case 1:
      parsed = parseOption(parser, name, cache);
      break;
    case 2:
      parsed = parseOption(parser, name, barrier);
      break;
    default:
      parsed = parseOption(parser, name, timeout);
    }
    if (parsed)
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TdmType>(parser.getContext(), rank, warps, interval,
                                    amount, cache, barrier, timeout);
}

static StringRef spell(bool flag) { return flag ? "true" : "false"; }

void TdmType::print(AsmPrinter &printer) const {
  printer << "<rank = " << getRank() << ", warps = " << getNumWarps()
          << ", pad = " << getPadInterval() << ", " << getPadAmount()
          << ", cache = " << getCache() << ", barrier = " << spell(getBarrier())
          << ", timeout = " << spell(getTimeout()) << ">";
}

LogicalResult TdmType::verify(function_ref<InFlightDiagnostic()> emitError,
                              int32_t rank, int32_t numWarps,
                              int32_t padInterval, int32_t padAmount,
                              int32_t cache, bool, bool) {
  if (rank < 1 || rank > 5)
    return emitError() << "TDM rank must be in [1, 5], got " << rank;
  if (numWarps <= 0 || !llvm::isPowerOf2_32(numWarps))
    return emitError() << "numWarps must be a positive power of two, got "
                       << numWarps;
  if (failed(verifyPadding(emitError, padInterval, padAmount)))
    return failure();
  return verifyCache(emitError, cache, "cache");
}

layout::Layout TdmType::getThrLayout() const { return oneLane(); }
layout::Layout TdmType::getThrBitLayoutSrc() const { return laneBits(1); }
layout::Layout TdmType::getThrBitLayoutDst() const { return laneBits(1); }
layout::Layout TdmType::getThrBitLayoutRef() const { return laneBits(1); }
bool TdmType::isWholeTileCopy() const { return true; }
int32_t TdmType::getDefaultValBits() const { return 0; }
StringRef TdmType::getRequiredFeature() const { return tensorFeature(); }

SmallVector<AtomStateField> TdmType::getStateFields() const {
  Type i32 = IntegerType::get(getContext(), 32);
  Type i64 = IntegerType::get(getContext(), 64);
  return {{"workgroup_mask", i32}, {"extent_0", i32},  {"extent_1", i32},
          {"extent_2", i32},       {"extent_3", i32},  {"extent_4", i32},
          {"stride_0", i64},       {"stride_1", i64},  {"stride_2", i64},
          {"stride_3", i64},       {"imm_offset", i64}};
}

//===----------------------------------------------------------------------===//
// Tensor copies: text
//===----------------------------------------------------------------------===//

namespace {
/// The parameters of a tensor copy; a store has no padding.
struct TensorCopy {
  SmallVector<int32_t> shape;
  Type elem;
  IntTupleAttr tensor2tdm;
  bool atomicBarrier = false;
  int32_t cacheModifier = 0, iterCount = 1, padInterval = 0, padAmount = 0;
};
} // namespace

static ParseResult parseTensorCopy(AsmParser &parser, bool isLoad,
                                   TensorCopy &copy) {
  auto parseExtent = [&]() -> ParseResult {
    return parser.parseInteger(copy.shape.emplace_back());
  };
  if (parser.parseLess() || parser.parseKeyword("shape") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseExtent) ||
      parser.parseComma() || parser.parseKeyword("elem") ||
      parser.parseEqual() || fly::parseNestedType(parser, copy.elem) ||
      parser.parseComma() || parser.parseKeyword("tensor2tdm") ||
      parser.parseEqual() || fly::parseIntTupleBody(parser, copy.tensor2tdm))
    return failure();
  SmallVector<StringRef> seen;
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    int32_t *number =
        llvm::StringSwitch<int32_t *>(name)
            .Case("cacheModifier", &copy.cacheModifier)
            .Case("iterCount", &copy.iterCount)
            .Case("padInterval", isLoad ? &copy.padInterval : nullptr)
            .Case("padAmount", isLoad ? &copy.padAmount : nullptr)
            .Default(nullptr);
    if ((!number && name != "atomicBarrier") || llvm::is_contained(seen, name))
      return parser.emitError(loc,
                              "duplicate or unknown struct parameter name: ")
             << name;
    seen.push_back(name);
    if (number ? parseOption(parser, name, *number)
               : parseOption(parser, name, copy.atomicBarrier))
      return failure();
  }
  return parser.parseGreater();
}

static void printTensorCopy(AsmPrinter &printer, const TensorCopy &copy) {
  printer << "<shape = [";
  llvm::interleaveComma(copy.shape, printer);
  printer << "], elem = " << copy.elem
          << ", tensor2tdm = " << fly::bodyToString(copy.tensor2tdm);
  if (copy.atomicBarrier)
    printer << ", atomicBarrier = true";
  auto option = [&](StringRef name, int32_t value, int32_t usual) {
    if (value != usual)
      printer << ", " << name << " = " << value;
  };
  option("cacheModifier", copy.cacheModifier, 0);
  option("iterCount", copy.iterCount, 1);
  option("padInterval", copy.padInterval, 0);
  option("padAmount", copy.padAmount, 0);
  printer << ">";
}

Type TensorLoadType::parse(AsmParser &parser) {
  TensorCopy copy;
  if (parseTensorCopy(parser, /*isLoad=*/true, copy))
    return {};
  return parser.getChecked<TensorLoadType>(
      parser.getContext(), ArrayRef<int32_t>(copy.shape), copy.elem,
      copy.tensor2tdm, copy.atomicBarrier, copy.cacheModifier, copy.iterCount,
      copy.padInterval, copy.padAmount);
}

Type TensorStoreType::parse(AsmParser &parser) {
  TensorCopy copy;
  if (parseTensorCopy(parser, /*isLoad=*/false, copy))
    return {};
  return parser.getChecked<TensorStoreType>(
      parser.getContext(), ArrayRef<int32_t>(copy.shape), copy.elem,
      copy.tensor2tdm, copy.atomicBarrier, copy.cacheModifier, copy.iterCount);
}

void TensorLoadType::print(AsmPrinter &printer) const {
  printTensorCopy(printer,
                  {llvm::to_vector(getShape()), getElem(), getTensor2tdm(),
                   getAtomicBarrier(), getCacheModifier(), getIterCount(),
                   getPadInterval(), getPadAmount()});
}

void TensorStoreType::print(AsmPrinter &printer) const {
  printTensorCopy(printer,
                  {llvm::to_vector(getShape()), getElem(), getTensor2tdm(),
                   getAtomicBarrier(), getCacheModifier(), getIterCount()});
}

//===----------------------------------------------------------------------===//
// Tensor copies: verification
//===----------------------------------------------------------------------===//

/// Checks that each leaf names a dimension of the descriptor.
static LogicalResult
verifyTensorToTdm(function_ref<InFlightDiagnostic()> emitError,
                  IntTupleAttr tensor2tdm, int32_t rank) {
  SmallVector<Attribute> leaves;
  tensor2tdm.walkLeaves([&](Attribute leaf) { leaves.push_back(leaf); });
  if (static_cast<int64_t>(leaves.size()) < rank)
    return emitError() << "TDM tensor2tdm has " << leaves.size()
                       << " modes but the descriptor has " << rank << " dims";
  for (auto [mode, leaf] : llvm::enumerate(leaves)) {
    auto emitMode = [&]() {
      return emitError() << "TDM tensor2tdm mode " << mode << " must ";
    };
    if (auto integer = dyn_cast<IntAttr>(leaf)) {
      if (!integer.isStatic())
        return emitMode() << "have a static scale, got "
                          << fly::bodyToString(leaf);
      if (integer.isNone() || integer.getValue() != 0)
        return emitMode() << "be a basis stride or 0, got "
                          << fly::bodyToString(leaf);
      continue;
    }
    auto basis = cast<fly::BasisAttr>(leaf);
    if (!basis.getValue().isStatic())
      return emitMode() << "have a static scale, got "
                        << fly::bodyToString(leaf);
    if (basis.getModes().size() != 1)
      return emitMode() << "name one descriptor dim, got "
                        << fly::bodyToString(leaf);
    int32_t dim = basis.getModes().front();
    if (dim < 0 || dim >= rank)
      return emitError() << "TDM tensor2tdm mode " << mode << " lands on dim "
                         << dim << ", which is not a descriptor dim in [0, "
                         << rank << ")";
  }
  return success();
}

/// The elements of one call, or nothing if they are too many.
static std::optional<int64_t> countElements(ArrayRef<int32_t> shape,
                                            int32_t iterCount) {
  std::optional<int64_t> total = iterCount;
  for (int32_t extent : shape)
    total = total ? layout::mulChecked(*total, extent) : total;
  return total;
}

static LogicalResult
verifyTensorCopy(function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<int32_t> shape, Type elem, IntTupleAttr tensor2tdm,
                 int32_t cacheModifier, int32_t iterCount, int32_t padInterval,
                 int32_t padAmount) {
  if (shape.empty() || shape.size() > 5)
    return emitError() << "TDM rank must be in [1, 5], got " << shape.size();
  for (int32_t extent : shape)
    if (extent < 1 || extent > 65535)
      return emitError() << "TDM tile shape dims must be in [1, 65535], got "
                         << extent;
  if (!elem.isIntOrFloat())
    return emitError() << "TDM dataType must be an integer or float type, got "
                       << elem;
  int32_t bits = elem.getIntOrFloatBitWidth();
  if (!arch::lookupCopy(arch::CopyFamily::TensorLoad, bits))
    return emitError()
           << "TDM element width must be one of 8, 16, 32 or 64 bits, got "
           << elem;
  if (failed(verifyCache(emitError, cacheModifier, "cacheModifier")))
    return failure();
  if (iterCount < 1 || iterCount > 256)
    return emitError() << "TDM iterCount must be in [1, 256], got "
                       << iterCount;
  if (iterCount > 1 && shape.size() > 2)
    return emitError()
           << "TDM descriptor iteration takes dim 2's stride for its own, so "
              "it needs a descriptor of at most 2 dims, got "
           << shape.size();
  if (iterCount > 1 && (padInterval || padAmount))
    return emitError() << "TDM descriptor iteration and LDS padding are not "
                          "modelled together";
  if (failed(verifyPadding(emitError, padInterval, padAmount)))
    return failure();
  std::optional<int64_t> elements = countElements(shape, iterCount);
  std::optional<int64_t> total =
      elements ? layout::mulChecked(*elements, bits) : std::nullopt;
  if (!total || *total > std::numeric_limits<int32_t>::max())
    return emitError() << "TDM tile bit count exceeds the layout integer range";
  if (padInterval && *elements % padInterval)
    return emitError() << "padInterval must divide the descriptor's tile ("
                       << *elements
                       << " elements), so every call starts on a pad "
                          "boundary, got "
                       << padInterval;
  if (padInterval && shape.back() * bits % 32)
    return emitError() << "padded TDM tile_dim0 must span a whole number of "
                          "dwords, got "
                       << shape.back() << " elements at " << bits << " bits";
  return verifyTensorToTdm(emitError, tensor2tdm, shape.size());
}

LogicalResult TensorLoadType::verify(
    function_ref<InFlightDiagnostic()> emitError, ArrayRef<int32_t> shape,
    Type elem, IntTupleAttr tensor2tdm, bool, int32_t cacheModifier,
    int32_t iterCount, int32_t padInterval, int32_t padAmount) {
  return verifyTensorCopy(emitError, shape, elem, tensor2tdm, cacheModifier,
                          iterCount, padInterval, padAmount);
}

LogicalResult
TensorStoreType::verify(function_ref<InFlightDiagnostic()> emitError,
                        ArrayRef<int32_t> shape, Type elem,
                        IntTupleAttr tensor2tdm, bool, int32_t cacheModifier,
                        int32_t iterCount) {
  return verifyTensorCopy(emitError, shape, elem, tensor2tdm, cacheModifier,
                          iterCount, 0, 0);
}

//===----------------------------------------------------------------------===//
// Tensor copies: description
//===----------------------------------------------------------------------===//

/// The settable fields. How the state is kept is the emission's to say.
static SmallVector<AtomStateField>
tensorFields(MLIRContext *context, bool isLoad, bool hasBarrier, int32_t rank) {
  Type i32 = IntegerType::get(context, 32);
  SmallVector<AtomStateField> fields;
  if (isLoad)
    fields = {{"workgroup_mask", i32}, {"early_timeout", i32}};
  if (hasBarrier)
    fields.push_back(
        {"atomic_barrier_addr",
         fly::PointerType::get(
             IntegerType::get(context, 64),
             fly::AddressSpaceAttr::get(context, fly::AddressSpace::Shared))});
  SmallVector<IntTupleAttr> ones(rank, IntTupleAttr::getStatic(context, 1));
  Type axes =
      fly::IntTupleType::get(IntTupleAttr::get(ArrayRef<IntTupleAttr>(ones)));
  fields.push_back({"boundary_check", axes});
  fields.push_back({"boundary_check_axes", axes});
  return fields;
}

int64_t TensorLoadType::getNumElements() const {
  return *countElements(getShape(), getIterCount());
}
layout::Layout TensorLoadType::getThrLayout() const { return oneLane(); }
layout::Layout TensorLoadType::getThrBitLayoutSrc() const {
  return laneBits(getNumElements() * getElementBits());
}
layout::Layout TensorLoadType::getThrBitLayoutDst() const {
  return laneBits(getNumElements() * getElementBits());
}
layout::Layout TensorLoadType::getThrBitLayoutRef() const {
  return laneBits(getNumElements() * getElementBits());
}
int32_t TensorLoadType::getDefaultValBits() const { return getElementBits(); }
StringRef TensorLoadType::getRequiredFeature() const { return tensorFeature(); }
SmallVector<AtomStateField> TensorLoadType::getStateFields() const {
  return tensorFields(getContext(), /*isLoad=*/true, getAtomicBarrier(),
                      getRank());
}

int64_t TensorStoreType::getNumElements() const {
  return *countElements(getShape(), getIterCount());
}
layout::Layout TensorStoreType::getThrLayout() const { return oneLane(); }
layout::Layout TensorStoreType::getThrBitLayoutSrc() const {
  return laneBits(getNumElements() * getElementBits());
}
layout::Layout TensorStoreType::getThrBitLayoutDst() const {
  return laneBits(getNumElements() * getElementBits());
}
layout::Layout TensorStoreType::getThrBitLayoutRef() const {
  return laneBits(getNumElements() * getElementBits());
}
int32_t TensorStoreType::getDefaultValBits() const { return getElementBits(); }
StringRef TensorStoreType::getRequiredFeature() const {
  return tensorFeature();
}
SmallVector<AtomStateField> TensorStoreType::getStateFields() const {
  return tensorFields(getContext(), /*isLoad=*/false, getAtomicBarrier(),
                      getRank());
}
